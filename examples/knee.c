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

static saddle_status swing(saddle_tree *tree, int step, double *q, double *dq)
{
    const double h = 1e-3, unit = 1;
    double kinetic, potential, length, twist[6];
    saddle_pose shank;
    saddle_status status = saddle_tree_place(tree, q, dq);
    if (status == SADDLE_OK && step % 100 == 0) {
        status = saddle_tree_poses(tree, &shank);
        if (status == SADDLE_OK) status = saddle_tree_energy(tree, &kinetic, &potential);
        if (status == SADDLE_OK) status = saddle_tree_push(tree, &unit, twist);
        if (status != SADDLE_OK) return status;
        const double slope = tendon_slope(&shank, twist, &length);
        printf(
            "%.1f s: flexion %5.1f degrees, shift %5.1f mm, tendon %4.0f mm, arm %5.1f mm, energy "
            "%6.3f J\n",
            step * h, atan2(-shank.R[2], shank.R[0]) * 180 / acos(-1.0), 1e3 * shank.p[0],
            1e3 * length, 1e3 * slope / fabs(twist[4]), kinetic + potential);
    }
    if (status != SADDLE_OK) return status;
    /* the midpoint rule: half a step to the middle, its slope over the whole step */
    double x[2] = {*q, *dq}, dx[2] = {0};
    status = saddle_tree_slope(tree, NULL, NULL, x, dx);
    const double middle[2] = {x[0] + 0.5 * h * dx[0], x[1] + 0.5 * h * dx[1]};
    if (status == SADDLE_OK) status = saddle_tree_slope(tree, NULL, NULL, middle, dx);
    *q += h * dx[0];
    *dq += h * dx[1];
    if (*q < 0.2 && *dq < 0) *dq = 0; /* the stop: the knee does not bend forward */
    return status;
}

int main(void)
{
    const double g[3] = {0, 0, -9.81};
    saddle_pose frame[FRAMES];
    double difference[6 * FRAMES], q = 4.5, dq = 0;
    saddle_joint_spline spline = {FRAMES, frame, difference};
    saddle_tree_body shank = {
        .parent = -1, .inertia = {3.5, {0, 0, -0.18}, {0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.005}}};
    saddle_tree *tree = NULL;
    frames_of(frame);
    saddle_status status = saddle_motion_spline(NULL, &spline, &shank.joint);
    if (status == SADDLE_OK) status = saddle_tree_create(NULL, 1, &shank, &tree);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(tree, g);
    for (int k = 0; status == SADDLE_OK && k <= 500; k++) status = swing(tree, k, &q, &dq);
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_status_text(status));
    saddle_tree_free(tree);
    return status == SADDLE_OK ? 0 : 1;
}
