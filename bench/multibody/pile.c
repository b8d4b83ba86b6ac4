/* SPDX-License-Identifier: MIT */
/* Layers of boxes, drawn, above a floor. */
#include "pile.h"

#include "../generators/draw.h"

enum { ROW = 5 };

#define SPACING 0.42
#define DENSITY 500.0

/* Box number k: its size, place and turn. */
static saddle_status add_box(saddle_context *context, int64_t k, uint64_t *state,
                             mechanism_scene *scene)
{
    const int64_t layer = k / (ROW * ROW), column = k % ROW, row = k / ROW % ROW;
    const double at[3] = {SPACING * (double)(column - ROW / 2), SPACING * (double)(row - ROW / 2),
                          0.25 + SPACING * (double)layer};
    double turn[6] = {0};
    saddle_touch_def shape = saddle_touch_def_default();
    saddle_body_def def = saddle_body_def_default();
    for (int i = 0; i < 3; i++) {
        shape.size[i] = 0.25 + 0.05 * draw_fraction(state);
        turn[3 + i] = 0.5 * draw_fraction(state);
    }
    def.pose = saddle_pose_exp(turn);
    for (int i = 0; i < 3; i++) def.pose.p[i] = at[i] + 0.02 * draw_fraction(state);
    saddle_status status = saddle_body_inertia_of_density(context, SADDLE_SHAPE_BOX, shape.size,
                                                          DENSITY, &def.inertia);
    if (status == SADDLE_OK) status = saddle_model_add_body(scene->model, &def, &shape.part);
    shape.kind = SADDLE_TOUCH_BOX;
    shape.compliance.steps = 4; /* what overlaps is taken out in five steps */
    return status == SADDLE_OK ? saddle_collider_add(scene->collider, &shape, NULL) : status;
}

saddle_status mechanism_pile(saddle_context *context, int64_t boxes, mechanism_scene *scene)
{
    static const double gravity[3] = {0, 0, -9.81};
    uint64_t state = 200;
    *scene = (mechanism_scene){.bodies = boxes, .time_step = 0.005};
    saddle_status status = saddle_model_create(context, &scene->model);
    if (status == SADDLE_OK) status = saddle_collider_create(scene->model, &scene->collider);
    if (status != SADDLE_OK) return status;
    saddle_model_set_gravity(scene->model, gravity);
    saddle_touch_def floor = saddle_touch_def_default();
    floor.kind = SADDLE_TOUCH_PLANE;
    status = saddle_collider_add(scene->collider, &floor, NULL);
    for (int64_t k = 0; status == SADDLE_OK && k < boxes; k++)
        status = add_box(context, k, &state, scene);
    return status;
}
