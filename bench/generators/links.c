/* SPDX-License-Identifier: MIT */
/* The chain of chain.c with each link attached to the one before it and to the coordinate of its
 * hinge (Sueda, Rigid Body Dynamics Notes, 2):
 *
 *     v_i = Ad v_(i-1) + S dq_i
 *         Ad: the parent's motion at its tip, in the link's axes;  S: turning about y or z
 *
 *     M      inertia of the links, of a rotor at each coordinate; no coupling
 *     rows   a motor at each coordinate: dq_i = 0 within |impulse| <= h torque
 *
 * Components: hinge 1 (1 velocity), link 1 (6), hinge 2, ..  Eliminated it is dense in the
 * coordinates, J'M J; with rotors without inertia its motion is that of the chain with its hinges
 * as rows.
 */
#include <string.h>

#include "chain.h"
#include "draw.h"

saddle_links_parameters saddle_links_default(void)
{
    saddle_links_parameters p = {.chain = saddle_chain_default(), .rotor = 0.05};
    p.chain.bodies = 8;
    p.chain.torque = 40;
    return p;
}

/* A (6 x 6, by columns): twist at the tip of the parent, in the link's axes, from the parent's
 * twist. */
static void adjoint(const double *turn, const double *tip, double *A)
{
    for (int j = 0; j < 6; j++) {
        double twist[6] = {0}, arm[3], velocity[3];
        twist[j] = 1;
        rigid_cross(twist + 3, tip, arm);
        for (int i = 0; i < 3; i++) velocity[i] = twist[i] + arm[i];
        rigid_rotate_back(turn, velocity, A + 6 * j);
        rigid_rotate_back(turn, twist + 3, A + 6 * j + 3);
    }
}

static saddle_status attach(saddle_attachments *graph, int64_t link, int axis, const double *turn,
                            const double *tip)
{
    double A[36], S[6] = {0};
    S[3 + axis] = 1;
    adjoint(turn, tip, A);
    const saddle_attachment_block blocks[2] = {
        {.master = 2 * link, .rows = 6, .cols = 1, .value = S},
        {.master = 2 * link - 1, .rows = 6, .cols = 6, .value = A}};
    const saddle_attachment attachment = {.component = 2 * link + 1,
                                          .block_count = link > 0 ? 2 : 1,
                                          .blocks = blocks};
    return saddle_attachments_attach(graph, &attachment);
}

/* Ids: 2 i the coordinate of hinge i, 2 i + 1 the link, from 0. */
static saddle_status add_components(saddle_attachments *graph, const saddle_problem *problem)
{
    saddle_status status = SADDLE_OK;
    for (int64_t c = 0; status == SADDLE_OK && c < problem->component_count; c++) {
        const saddle_component component = {.id = c,
                                            .name = problem->component_name[c],
                                            .kind = c % 2 == 0 ? SADDLE_COMPONENT_COORDINATES
                                                               : SADDLE_COMPONENT_FRAME,
                                            .size = problem->component_size[c]};
        status = saddle_attachments_add(graph, &component);
    }
    return status;
}

static void add_motor(builder *b, const saddle_chain_parameters *p, int64_t coordinate,
                      int64_t number)
{
    int64_t row = builder_row(b, -p->time_step * p->torque, p->time_step * p->torque, 0);
    builder_jacobian(b, row, coordinate, 1);
    builder_label(b, row, number, "motor %lld", (long long)number);
}

/* The links one after the other, into the builder or (b = NULL) the graph. */
static saddle_status walk(const saddle_links_parameters *parameters, builder *b,
                          saddle_attachments *graph)
{
    static const double gravity[3] = {0, 0, -9.81};
    const saddle_chain_parameters *p = &parameters->chain;
    const double tip[3] = {p->sides[0], 0, 0}, middle[3] = {p->sides[0] / 2, 0, 0};
    uint64_t state = p->seed;
    rigid_body parent, child;
    saddle_status status = SADDLE_OK;
    for (int64_t i = 0; status == SADDLE_OK && i < p->bodies; i++) {
        int axis = i % 2 == 0 ? 1 : 2;
        double turn[9];
        child = rigid_box(p->density, p->sides, middle);
        double rate = chain_hang(p, axis, &state, i > 0 ? &parent : NULL, &child, turn);
        if (b) {
            int64_t coordinate = builder_velocities(b, 1, "hinge %lld", (long long)i + 1);
            builder_mass(b, coordinate, coordinate, parameters->rotor);
            builder_force(b, coordinate, parameters->rotor * rate);
            rigid_add(b, &child, 1, p->time_step, gravity, "link", i + 1);
            if (p->torque > 0) add_motor(b, p, coordinate, i + 1);
        } else {
            status = attach(graph, i, axis, turn, tip);
        }
        parent = child;
    }
    return status;
}

saddle_status saddle_generate_links(saddle_context *context,
                                    const saddle_links_parameters *parameters,
                                    saddle_problem *problem, saddle_attachments **attachments)
{
    const saddle_chain_parameters *p = &parameters->chain;
    *problem = (saddle_problem){0};
    *attachments = NULL;
    if (p->bodies < 1 || p->bodies > 10000000 || !(parameters->rotor >= 0) || !(p->time_step > 0) ||
        p->torque < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "links: a parameter is out of range");
    builder b = builder_begin(context);
    (void)walk(parameters, &b, NULL);
    saddle_status status = builder_finish(&b, "links", p->time_step, problem);
    if (status == SADDLE_OK) status = saddle_attachments_create(context, attachments);
    if (status == SADDLE_OK) status = add_components(*attachments, problem);
    if (status == SADDLE_OK) status = walk(parameters, NULL, *attachments);
    if (status == SADDLE_OK) return status;
    saddle_attachments_free(*attachments);
    *attachments = NULL;
    saddle_problem_clear(problem);
    return status;
}
