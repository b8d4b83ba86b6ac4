/* SPDX-License-Identifier: MIT */
/* A few shapes of all kinds, near, touching or inside each other: contacts are finite and the same
 * when found again, and the system of these contacts can be assembled. */
#include <math.h>
#include <string.h>

#include "fuzz_draw.h"

enum { MOST_SHAPES = 5, CORNERS = 6 };

/* A place on a coarse grid, now and then beside it by little: faces, edges and corners meet. */
static double place(fuzz_bytes *bytes)
{
    static const double beside[] = {0, 0, 0, 0, 0, 1e-16, -1e-9, 1e-4};
    int byte = fuzz_byte(bytes);
    return (double)(byte % 9 - 4) * 0.5 + beside[byte / 9 % 8];
}

static saddle_pose draw_pose(fuzz_bytes *bytes)
{
    double twist[6];
    for (int k = 0; k < 3; k++) twist[k] = place(bytes);
    int turned = (int)fuzz_below(bytes, 3);
    for (int k = 3; k < 6; k++)
        twist[k] = turned == 0   ? 0.0
                   : turned == 1 ? (double)fuzz_below(bytes, 4) * 1.5707963267948966
                                 : place(bytes);
    return saddle_pose_exp(twist);
}

static saddle_handle add_body(fuzz_bytes *bytes, saddle_model *model)
{
    static const double edges[3] = {1, 1, 1};
    saddle_body_def def = saddle_body_def_default();
    saddle_handle body = {0};
    fuzz_demand(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, edges, 1, &def.inertia) ==
                SADDLE_OK);
    def.pose = draw_pose(bytes);
    for (int k = 0; k < 6; k++) def.twist[k] = place(bytes);
    fuzz_demand(saddle_model_add_body(model, &def, &body) == SADDLE_OK);
    return body;
}

static void add_shape(fuzz_bytes *bytes, saddle_model *model, saddle_collider *collider)
{
    double corners[3 * CORNERS];
    saddle_touch_def def = saddle_touch_def_default();
    def.kind = (saddle_touch_kind)fuzz_below(bytes, 7);
    if (fuzz_below(bytes, 6)) def.part = add_body(bytes, model);
    if (fuzz_below(bytes, 2)) def.pose = draw_pose(bytes);
    for (int k = 0; k < 3; k++) def.size[k] = 0.25 * (double)(1 + fuzz_below(bytes, 8));
    for (int k = 0; k < 3 * CORNERS; k++) corners[k] = place(bytes);
    def.corner_count = def.kind == SADDLE_TOUCH_CONVEX ? CORNERS : 0;
    def.corners = corners;
    (void)saddle_collider_add(collider, &def, NULL); /* corners in one plane are refused */
}

static void look_at(const saddle_contact_list *list, double margin)
{
    for (int64_t k = 0; k < list->count; k++) {
        const saddle_contact_point *p = &list->point[k];
        double square = 0.0;
        for (int d = 0; d < 3; d++) {
            fuzz_demand(isfinite(p->a.point[d]) && isfinite(p->b.point[d]));
            square += p->normal[d] * p->normal[d];
        }
        fuzz_demand(isfinite(p->gap) && p->gap <= margin + 1e-8 && fabs(square - 1.0) <= 1e-9);
        for (int64_t other = 0; other < k; other++) fuzz_demand(list->point[other].id != p->id);
    }
}

static void assemble(saddle_context *context, saddle_model *model, const saddle_contact_list *list)
{
    const saddle_stage stage = {.time_step = 0.01,
                                .gyroscopic = 0.01,
                                .row_step = 0.01,
                                .theta = 1};
    saddle_assembly *assembly;
    fuzz_demand(saddle_assembly_create(model, NULL, &assembly) == SADDLE_OK);
    fuzz_demand(saddle_assembly_update(assembly, &stage, list, NULL) == SADDLE_OK);
    fuzz_demand(saddle_problem_check(context, saddle_assembly_problem(assembly), NULL, NULL) ==
                SADDLE_OK);
    saddle_assembly_free(assembly);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    saddle_context *context = fuzz_small_context();
    saddle_model *model;
    saddle_collider *collider;
    fuzz_demand(saddle_model_create(context, &model) == SADDLE_OK);
    fuzz_demand(saddle_collider_create(model, &collider) == SADDLE_OK);
    int64_t shapes = 2 + fuzz_below(&bytes, MOST_SHAPES - 1);
    for (int64_t k = 0; k < shapes; k++) add_shape(&bytes, model, collider);
    double margin = (double)fuzz_below(&bytes, 4) * 0.1;
    saddle_contact_list first = {.context = context}, again = {.context = context};
    saddle_status status = saddle_collider_find(collider, margin, &first);
    fuzz_demand(status == SADDLE_OK || status == SADDLE_UNSUPPORTED);
    fuzz_demand(saddle_collider_find(collider, margin, &again) == status &&
                first.count == again.count);
    fuzz_demand(first.count == 0 ||
                memcmp(first.point, again.point, (size_t)first.count * sizeof *first.point) == 0);
    if (status == SADDLE_OK) {
        look_at(&first, margin);
        assemble(context, model, &first);
    }
    saddle_contact_list_clear(&first);
    saddle_contact_list_clear(&again);
    saddle_collider_free(collider);
    saddle_model_free(model);
    saddle_context_free(context);
    return 0;
}
