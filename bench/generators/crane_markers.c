/* SPDX-License-Identifier: MIT */
/* The crane with things attached to it: particles x on bodies, on each other, in part, and on what
 * is prescribed.
 *
 *     lamp 1, 2     2 kg    on the boom and the jib               v = R (nu + omega x r)
 *     trolley       5 kg    on the jib, free along x              the same in y and z
 *     cable         3 kg    halfway between trolley and lamp 1    v = (v_trolley + v_lamp) / 2
 *     winch         1 velocity, prescribed: pays out rope at 0.2 m/s
 *     hook         10 kg    below the trolley                     v = v_trolley - e_z dq_winch
 *
 * and one row more: the hook stands 2 mm over a table, which it may reach but not pass in the step:
 *
 *     w = v_z + 0.002 / h >= 0,  lambda >= 0
 *
 * From rest, gravity on all; n = 40, m = 31.
 */
#include <math.h>

#include "crane.h"

/* ids too */
enum { FOOT, COLUMN, BOOM, JIB, LAMP_1, LAMP_2, TROLLEY, CABLE, WINCH, HOOK, COMPONENTS };

#define GRAVITY 9.81
#define ROPE 0.2
#define CLEARANCE 0.002

static int64_t add_particle(builder *b, double h, double mass, const char *name)
{
    int64_t first = builder_velocities(b, 3, "%s", name);
    for (int64_t i = 0; i < 3; i++) builder_mass(b, first + i, first + i, mass);
    builder_force(b, first + 2, -h * mass * GRAVITY);
    return first;
}

static void add_markers(builder *b, double h)
{
    add_particle(b, h, 2, "lamp 1");
    add_particle(b, h, 2, "lamp 2");
    add_particle(b, h, 5, "trolley");
    add_particle(b, h, 3, "cable");
    int64_t winch = builder_velocities(b, 1, "winch");
    builder_mass(b, winch, winch, 0.5);
    int64_t hook = add_particle(b, h, 10, "hook");
    int64_t row = builder_row(b, 0, INFINITY, -CLEARANCE / h);
    builder_jacobian(b, row, hook + 2, 1);
    builder_label(b, row, 200000, "table under the hook");
}

static saddle_status add_components(saddle_attachments *graph, const saddle_problem *problem)
{
    static const saddle_component_kind kinds[COMPONENTS] = {
        [FOOT] = SADDLE_COMPONENT_FRAME,        [COLUMN] = SADDLE_COMPONENT_FRAME,
        [BOOM] = SADDLE_COMPONENT_FRAME,        [JIB] = SADDLE_COMPONENT_FRAME,
        [LAMP_1] = SADDLE_COMPONENT_PARTICLE,   [LAMP_2] = SADDLE_COMPONENT_PARTICLE,
        [TROLLEY] = SADDLE_COMPONENT_PARTICLE,  [CABLE] = SADDLE_COMPONENT_PARTICLE,
        [WINCH] = SADDLE_COMPONENT_COORDINATES, [HOOK] = SADDLE_COMPONENT_PARTICLE};
    saddle_status status = SADDLE_OK;
    for (int64_t c = 0; status == SADDLE_OK && c < COMPONENTS; c++) {
        const saddle_component component = {.id = c,
                                            .name = problem->component_name[c],
                                            .kind = kinds[c],
                                            .size = problem->component_size[c],
                                            .parametric = c == WINCH};
        status = saddle_attachments_add(graph, &component);
    }
    return status;
}

/* A (3 x 6, by columns): velocity of a body's point in the world from its twist. */
static void point_map(const rigid_body *body, const double *local, double *A)
{
    for (int j = 0; j < 6; j++) {
        double twist[6] = {0}, velocity[3];
        twist[j] = 1;
        rigid_cross(twist + 3, local, velocity);
        for (int i = 0; i < 3; i++) velocity[i] += twist[i];
        rigid_rotate(body->rotation, velocity, A + 3 * j);
    }
}

static saddle_status attach_point(saddle_attachments *graph, int64_t id, int64_t master,
                                  const rigid_body *body, const double *local)
{
    double A[18];
    point_map(body, local, A);
    const saddle_attachment_block block = {.master = master, .rows = 3, .cols = 6, .value = A};
    const saddle_attachment attachment = {.component = id, .block_count = 1, .blocks = &block};
    return saddle_attachments_attach(graph, &attachment);
}

/* In y and z. */
static saddle_status attach_trolley(saddle_attachments *graph, const rigid_body *jib,
                                    const double *local)
{
    static const int64_t across[2] = {1, 2};
    double A[18], B[12];
    point_map(jib, local, A);
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 2; i++) B[2 * j + i] = A[3 * j + 1 + i];
    const saddle_attachment_block block = {.master = JIB, .rows = 2, .cols = 6, .value = B};
    const saddle_attachment attachment = {.component = TROLLEY,
                                          .direction_count = 2,
                                          .directions = across,
                                          .block_count = 1,
                                          .blocks = &block};
    return saddle_attachments_attach(graph, &attachment);
}

static saddle_status attach_two(saddle_attachments *graph, int64_t id,
                                const saddle_attachment_block blocks[2])
{
    const saddle_attachment attachment = {.component = id, .block_count = 2, .blocks = blocks};
    return saddle_attachments_attach(graph, &attachment);
}

static saddle_status attach_all(saddle_attachments *graph, const crane *c)
{
    static const double half[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5},
                        one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double down[3] = {0, 0, -1}, on_boom[3] = {CRANE_BOOM / 2, 0, 0.05},
                        on_jib[3] = {CRANE_JIB, 0, 0.04};
    static const double under_jib[3] = {CRANE_JIB / 2, 0, -0.04};
    static const saddle_attachment_block between[2] = {
        {.master = TROLLEY, .rows = 3, .cols = 3, .value = half},
        {.master = LAMP_1, .rows = 3, .cols = 3, .value = half}};
    static const saddle_attachment_block hanging[2] = {
        {.master = TROLLEY, .rows = 3, .cols = 3, .value = one},
        {.master = WINCH, .rows = 3, .cols = 1, .value = down}};
    saddle_status status = attach_point(graph, LAMP_1, BOOM, &c->boom, on_boom);
    if (status == SADDLE_OK) status = attach_point(graph, LAMP_2, JIB, &c->jib, on_jib);
    if (status == SADDLE_OK) status = attach_trolley(graph, &c->jib, under_jib);
    if (status == SADDLE_OK) status = attach_two(graph, CABLE, between);
    if (status == SADDLE_OK) status = attach_two(graph, HOOK, hanging);
    return status == SADDLE_OK ? saddle_attachments_prescribe(graph, WINCH, &(double){ROPE})
                               : status;
}

saddle_status saddle_generate_crane_markers(saddle_context *context,
                                            const saddle_crane_parameters *parameters,
                                            saddle_problem *problem,
                                            saddle_attachments **attachments)
{
    crane c;
    builder b;
    *problem = (saddle_problem){0};
    *attachments = NULL;
    saddle_status status = crane_begin(context, parameters, &c, &b);
    if (status != SADDLE_OK) return status;
    add_markers(&b, parameters->time_step);
    status = builder_finish(&b, "crane with markers", parameters->time_step, problem);
    if (status == SADDLE_OK) status = saddle_attachments_create(context, attachments);
    if (status == SADDLE_OK) status = add_components(*attachments, problem);
    if (status == SADDLE_OK) status = attach_all(*attachments, &c);
    if (status == SADDLE_OK) return status;
    saddle_attachments_free(*attachments);
    *attachments = NULL;
    saddle_problem_clear(problem);
    return status;
}
