/* SPDX-License-Identifier: MIT */
/* A rod of 1 m swings on a hinge: the physical pendulum.  The rod is released level and hangs down
 * after a quarter of the period. swing.txt has the output.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

static saddle_status build(saddle_model *model, saddle_handle *rod)
{
    const double size[3] = {1, 0.05, 0.05}, gravity[3] = {0, 0, -9.81}, at[3] = {0, 0, 0},
                 axis[3] = {0, 1, 0};
    saddle_body_def body = saddle_body_def_default();
    saddle_joint_def hinge = saddle_joint_def_default();
    saddle_pose place;
    saddle_handle joint;
    saddle_model_set_gravity(model, gravity);
    body.name = "rod";
    body.pose.p[0] = 0.5;
    saddle_status status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1,
                                                       &body.inertia);
    if (status == SADDLE_OK) status = saddle_model_add_body(model, &body, rod);
    hinge.kind = SADDLE_JOINT_HINGE; /* between the rod and, by default, the ground */
    hinge.b = *rod;
    if (status == SADDLE_OK) status = saddle_pose_along(NULL, at, axis, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(model, &place, &hinge);
    return status == SADDLE_OK ? saddle_model_add_joint(model, &hinge, &joint) : status;
}

int main(void)
{
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle rod = {0};
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 1e-4;
    options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    saddle_status status = saddle_model_create(NULL, &model);
    if (status == SADDLE_OK) status = build(model, &rod);
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    if (status != SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    const double start = saddle_model_energies(model).gravity;
    int steps = 0;
    while (status == SADDLE_OK && saddle_model_position(model, rod)[0] > 0 && steps++ < 100000)
        status = saddle_stepper_step(stepper);
    const saddle_energies e = saddle_model_energies(model);
    printf("hangs down after %.3f s\n", saddle_model_time(model));
    printf("kinetic energy %.3f J, lost height %.3f J\n", e.kinetic, start - e.gravity);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    return status == SADDLE_OK ? 0 : 1;
}
