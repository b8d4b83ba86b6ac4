/* SPDX-License-Identifier: MIT */
/* A knee with a spline joint: the shank moves along a cubic B-spline of poses in the thigh, by one
 * coordinate, flexion with the roll-back of the femur (saddle/joint_coordinates.h).  The shank is
 * let go at a bent knee and swings, at last against a stop before the end of the spline.  Prints
 * the flexion, the contact's shift, the extension's lever arm of a patellar tendon (the derivative
 * of its length, by the twist of the joint), and the energy.  knee.txt has the output.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

enum { FRAMES = 9 };

/* Flexion of 0 to 126 degrees over the spline; the shank's origin moves back by 12 mm and up. */
static void frames_of(saddle_pose *frame)
{
    for (int k = 0; k < FRAMES; k++) {
        const double angle = 2.2 * (double)(k - 1) / (FRAMES - 3), c = cos(angle), s = sin(angle);
        frame[k] = (saddle_pose){{-0.012 * sin(angle / 1.4), 0, -0.4 + 0.004 * (1 - cos(angle))},
                                 {c, 0, -s, 0, 1, 0, s, 0, c}};
    }
}

/* Of the tendon from the patella on the thigh to the tibial tubercle on the shank: its length and,
 * with the twist of dq/dq = 1, the derivative of the length by the coordinate [m]. */
static double tendon_slope(const saddle_pose *shank, const double *twist, double *length)
{
    const double patella[3] = {0.06, 0, -0.37}, tubercle[3] = {0.04, 0, -0.06};
    double at[3], along[3], square = 0, slope = 0;
    saddle_pose_point(shank, tubercle, at);
    for (int i = 0; i < 3; i++) along[i] = at[i] - patella[i];
    for (int i = 0; i < 3; i++) square += along[i] * along[i];
    *length = sqrt(square);
    const double v[3] = {twist[0] + twist[4] * tubercle[2] - twist[5] * tubercle[1],
                         twist[1] + twist[5] * tubercle[0] - twist[3] * tubercle[2],
                         twist[2] + twist[3] * tubercle[1] - twist[4] * tubercle[0]};
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) slope += along[i] * shank->R[i + 3 * j] * v[j];
    return slope / *length;
}

static void print(saddle_model *model, saddle_handle joint, const saddle_motion *motion)
{
    const saddle_energies energy = saddle_model_energies(model);
    saddle_pose shank;
    double q = 0, length, twist[6] = {0};
    (void)saddle_model_joint_coordinates(model, joint, &q, NULL);
    if (motion->evaluate(motion->data, &q, &shank, twist) != 0) return;
    const double slope = tendon_slope(&shank, twist, &length);
    printf("%.1f s: flexion %5.1f degrees, shift %5.1f mm, tendon %4.0f mm, arm %5.1f mm, energy "
           "%6.3f J\n",
           saddle_model_time(model), atan2(-shank.R[2], shank.R[0]) * 180 / acos(-1.0),
           1e3 * shank.p[0], 1e3 * length, 1e3 * slope / fabs(twist[4]),
           energy.kinetic + energy.gravity);
}

/* The shank on the ground, the thigh, with the spline as its joint; form: as rows or in
 * coordinates, either will do. */
static saddle_status add_knee(saddle_model *model, saddle_joint_def *knee, saddle_handle *joint)
{
    saddle_body_def shank = saddle_body_def_default();
    double twist[6] = {0};
    shank.inertia = (saddle_body_inertia){3.5,
                                          {0, 0, -0.18},
                                          {0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.005}};
    (void)knee->motion.evaluate(knee->motion.data, knee->start, &shank.pose, twist);
    const saddle_status status = saddle_model_add_body(model, &shank, &knee->b);
    return status == SADDLE_OK ? saddle_model_add_joint(model, knee, joint) : status;
}

int main(void)
{
    const double g[3] = {0, 0, -9.81};
    saddle_pose frame[FRAMES];
    double difference[6 * FRAMES];
    saddle_joint_spline spline = {FRAMES, frame, difference};
    saddle_joint_def knee = saddle_joint_def_default();
    saddle_stepper_options options = saddle_stepper_options_default();
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle joint;
    options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    options.time_step = 1e-3;
    frames_of(frame);
    knee.kind = SADDLE_JOINT_MOTION;
    knee.form = SADDLE_JOINT_FORM_COORDINATES;
    knee.start[0] = 4.5;
    knee.free[0].lo = 0.2; /* the stop: the knee does not bend forward */
    saddle_status status = saddle_motion_spline(NULL, &spline, &knee.motion);
    if (status == SADDLE_OK) status = saddle_model_create(NULL, &model);
    if (status == SADDLE_OK) status = add_knee(model, &knee, &joint);
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    if (status == SADDLE_OK) saddle_model_set_gravity(model, g);
    for (int k = 0; status == SADDLE_OK && k <= 500; k++) {
        if (k % 100 == 0) print(model, joint, &knee.motion);
        status = saddle_stepper_step(stepper);
    }
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_status_text(status));
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    return status == SADDLE_OK ? 0 : 1;
}
