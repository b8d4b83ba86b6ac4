/* SPDX-License-Identifier: MIT */
/* An arm of three links by recursive dynamics: a turret about the vertical, an upper arm and a
 * forearm on hinges.  Stretched out level: the torques that hold the arm, the accelerations when
 * released.  Bent, turning at 1 rad/s: the torque that gives the turret 2 rad/s2 while the hinges
 * swing, and a free fall by the Runge-Kutta method.  arm.txt has the output.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

enum { LINKS = 3 };

/* A uniform rod along x, its joint at its begin, `at` along the parent. */
static saddle_tree_body rod(int64_t parent, saddle_motion joint, double at, double length,
                            double mass)
{
    const double across = 1e-3 * mass, along = mass * length * length / 12;
    saddle_tree_body body = {.parent = parent, .joint = joint};
    body.joint.before.p[0] = at;
    body.inertia = (saddle_body_inertia){mass,
                                         {length / 2, 0, 0},
                                         {across, 0, 0, 0, along, 0, 0, 0, along}};
    return body;
}

/* x = (q, dq) after h. */
static saddle_status runge_kutta(saddle_tree *tree, double h, double *x)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double slope[2 * LINKS] = {0}, stage[2 * LINKS], sum[2 * LINKS] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2 * LINKS; i++) stage[i] = x[i] + part[s] * h * slope[i];
        saddle_status status = saddle_tree_slope(tree, NULL, NULL, stage, slope);
        if (status != SADDLE_OK) return status;
        for (int i = 0; i < 2 * LINKS; i++) sum[i] += weight[s] * slope[i];
    }
    for (int i = 0; i < 2 * LINKS; i++) x[i] += h / 6 * sum[i];
    return SADDLE_OK;
}

static double energy(saddle_tree *tree)
{
    double kinetic = NAN;
    double potential = NAN;
    (void)saddle_tree_energy(tree, &kinetic, &potential);
    return kinetic + potential;
}

static saddle_status move(saddle_tree *tree)
{
    static const saddle_prescription turret[LINKS] = {SADDLE_PRESCRIPTION_ACCELERATION};
    const double wanted[LINKS] = {2, 0, 0}, still[LINKS] = {0};
    double torque[LINKS], ddq[LINKS], x[2 * LINKS] = {0};
    saddle_status status = saddle_tree_place(tree, x, NULL);
    if (status == SADDLE_OK) status = saddle_tree_inverse(tree, still, NULL, torque);
    if (status != SADDLE_OK) return status;
    printf("held by      %17.3f %8.3f N m\n", torque[1], torque[2]);
    status = saddle_tree_forward(tree, NULL, NULL, ddq);
    printf("released     %17.3f %8.3f rad/s2\n", ddq[1], ddq[2]);
    x[1] = 0.3; /* bent, the turret turning */
    x[2] = 0.4;
    x[3] = 1;
    if (status == SADDLE_OK) status = saddle_tree_place(tree, x, x + LINKS);
    if (status == SADDLE_OK)
        status = saddle_tree_hybrid(tree, turret, wanted, 0, NULL, NULL, ddq, torque);
    printf("turret at 2  %8.3f %8.3f %8.3f rad/s2 by %.3f N m\n", ddq[0], ddq[1], ddq[2],
           torque[0]);
    const double before = energy(tree);
    for (int step = 0; status == SADDLE_OK && step < 1000; step++)
        status = runge_kutta(tree, 1e-3, x);
    if (status == SADDLE_OK) status = saddle_tree_place(tree, x, x + LINKS);
    printf("after 1 s    %8.3f %8.3f %8.3f rad\n", x[0], x[1], x[2]);
    printf("energy kept to 1e-8 J: %s\n", fabs(energy(tree) - before) < 1e-8 ? "yes" : "no");
    return status;
}

int main(void)
{
    const double quarter[6] = {0, 0, 0, -acos(-1) / 2, 0, 0}, gravity[3] = {0, 0, -9.81};
    saddle_motion hinge = saddle_motion_revolute(); /* about z; turned, about y */
    hinge.before = saddle_pose_exp(quarter);
    hinge.after = saddle_pose_inverse(&hinge.before);
    const saddle_tree_body body[LINKS] = {rod(-1, saddle_motion_revolute(), 0, 0.2, 4),
                                          rod(0, hinge, 0, 0.5, 2), rod(1, hinge, 0.5, 0.4, 1)};
    saddle_context *context = NULL;
    saddle_tree *tree = NULL;
    saddle_status status = saddle_context_create(NULL, &context);
    if (status == SADDLE_OK) status = saddle_tree_create(context, LINKS, body, &tree);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(tree, gravity);
    if (status == SADDLE_OK) status = move(tree);
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_context_message(context));
    saddle_tree_free(tree);
    saddle_context_free(context);
    return status == SADDLE_OK ? 0 : 1;
}
