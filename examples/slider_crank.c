/* SPDX-License-Identifier: MIT */
/* A motor of bounded torque turns a slider-crank up to 20 rad/s.  Prints the crank's angle and
 * speed and the torque of the motor every twentieth of a second; slider_crank.txt has the output.
 */
#include <stdio.h>

#include "saddle/saddle.h"

enum { CRANK, ROD, PISTON, PARTS };

static saddle_status add_bar(saddle_model *model, double x, double length, double mass,
                             saddle_handle *bar)
{
    const double size[3] = {length, 0.03, 0.03};
    saddle_body_def def = saddle_body_def_default();
    def.pose.p[0] = x;
    const saddle_status status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, mass,
                                                             &def.inertia);
    return status == SADDLE_OK ? saddle_model_add_body(model, &def, bar) : status;
}

static saddle_status add_joint(saddle_model *model, saddle_joint_def def, double x,
                               const double axis[3], saddle_handle *joint)
{
    const double at[3] = {x, 0, 0};
    saddle_pose place;
    saddle_status status = saddle_pose_along(NULL, at, axis, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(model, &place, &def);
    return status == SADDLE_OK ? saddle_model_add_joint(model, &def, joint) : status;
}

static saddle_status build(saddle_model *model, saddle_handle *crank, saddle_handle *motor)
{
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    saddle_handle part[PARTS], joint;
    saddle_joint_def bearing = saddle_joint_def_default(), pin = bearing, ball = bearing,
                     cylinder = bearing;
    saddle_status status = add_bar(model, 0.1, 0.2, 0.3, &part[CRANK]);
    if (status == SADDLE_OK) status = add_bar(model, 0.45, 0.5, 0.5, &part[ROD]);
    if (status == SADDLE_OK) status = add_bar(model, 0.7, 0.1, 0.8, &part[PISTON]);
    if (status != SADDLE_OK) return status;
    bearing.kind = pin.kind = SADDLE_JOINT_HINGE;
    ball.kind = SADDLE_JOINT_BALL;
    cylinder.kind = SADDLE_JOINT_SLIDER;
    bearing.b = pin.a = part[CRANK];
    pin.b = ball.a = part[ROD];
    ball.b = cylinder.b = part[PISTON];
    bearing.free[0].motor = 1;
    bearing.free[0].motor_target = 20;  /* [rad/s] */
    bearing.free[0].motor_strength = 1; /* [N m] */
    status = add_joint(model, bearing, 0, y, motor);
    if (status == SADDLE_OK) status = add_joint(model, pin, 0.2, y, &joint);
    if (status == SADDLE_OK) status = add_joint(model, ball, 0.7, y, &joint);
    if (status == SADDLE_OK) status = add_joint(model, cylinder, 0.7, x, &joint);
    *crank = part[CRANK];
    return status;
}

int main(void)
{
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle crank, motor;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 1e-3;
    saddle_status status = saddle_model_create(NULL, &model);
    if (status == SADDLE_OK) status = build(model, &crank, &motor);
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    for (int k = 1; status == SADDLE_OK && k <= 400; k++) {
        double q = 0, dq = 0;
        status = saddle_stepper_step(stepper);
        if (status == SADDLE_OK) status = saddle_model_joint_coordinates(model, motor, &q, &dq);
        if (status != SADDLE_OK || k % 50 != 0) continue;
        /* after the hinge's own */
        const int64_t row = saddle_assembly_row(saddle_stepper_assembly(stepper), motor) + 5;
        const double torque = saddle_stepper_solution(stepper)->lambda[row] / options.time_step;
        printf("%.2f s: angle %5.2f rad, speed %6.2f rad/s, torque %5.2f N m\n",
               saddle_model_time(model), q, dq, torque);
    }
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_status_text(status));
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    return status == SADDLE_OK ? 0 : 1;
}
