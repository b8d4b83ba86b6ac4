/* SPDX-License-Identifier: MIT */
/* Four boxes on each other slide over a floor, all with dry friction: thrown at 2 m/s they stop
 * after v^2 / (2 mu g). box_stack.txt has the output.
 */
#include <stdio.h>

#include "saddle/saddle.h"

enum { BOXES = 4 };
#define MU 0.4

static saddle_status add_box(saddle_model *model, saddle_collider *collider, int number,
                             saddle_handle *box)
{
    const double size[3] = {1, 1, 0.25};
    saddle_body_def body = saddle_body_def_default();
    saddle_touch_def shape = saddle_touch_def_default();
    body.pose.p[2] = size[2] * (number + 0.5);
    body.twist[0] = 2;
    saddle_status status = saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, size, 500,
                                                          &body.inertia);
    if (status == SADDLE_OK) status = saddle_model_add_body(model, &body, box);
    shape.kind = SADDLE_TOUCH_BOX;
    shape.part = *box;
    shape.mu = MU;
    for (int i = 0; i < 3; i++) shape.size[i] = size[i];
    return status == SADDLE_OK ? saddle_collider_add(collider, &shape, NULL) : status;
}

static saddle_status build(saddle_model *model, saddle_collider *collider, saddle_handle box[BOXES])
{
    const double gravity[3] = {0, 0, -9.81};
    saddle_touch_def floor = saddle_touch_def_default();
    saddle_model_set_gravity(model, gravity);
    floor.kind = SADDLE_TOUCH_PLANE;
    floor.mu = MU;
    saddle_status status = saddle_collider_add(collider, &floor, NULL);
    for (int k = 0; status == SADDLE_OK && k < BOXES; k++)
        status = add_box(model, collider, k, &box[k]);
    return status;
}

int main(void)
{
    saddle_model *model = NULL;
    saddle_collider *collider = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle box[BOXES];
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 1e-3;
    options.solver_options.tolerance = 1e-8;
    saddle_status status = saddle_model_create(NULL, &model);
    if (status == SADDLE_OK) status = saddle_collider_create(model, &collider);
    if (status == SADDLE_OK) status = build(model, collider, box);
    options.collider = collider;
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    int unsolved = 0;
    for (int k = 0; status >= SADDLE_OK && k < 600; k++) {
        status = saddle_stepper_step(stepper);
        unsolved += status > SADDLE_OK;
    }
    if (status < SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    printf("%d of 600 steps not solved to 1e-8\n", unsolved);
    for (int k = 0; k < BOXES; k++) {
        const double *x = saddle_model_position(model, box[k]);
        printf("box %d stopped at x = %.2f m, z = %.3f m\n", k + 1, x[0], x[2]);
    }
    printf("v^2 / (2 mu g) = %.2f m\n", 4 / (2 * MU * 9.81));
    saddle_stepper_free(stepper);
    saddle_collider_free(collider);
    saddle_model_free(model);
    return 0;
}
