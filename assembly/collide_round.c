/* SPDX-License-Identifier: MIT */
/* Contact of a plane with a cylinder or an ellipsoid.
 *
 *     ellipsoid    one point: the support along the plane's normal
 *     cylinder     of the end that faces the plane the lowest point of the rim and two more, each
 *                  a third of a turn away; of the other end the lowest
 *
 * So a cylinder stands on three points and lies on two.
 */
#include "collide.h"

/* The rim direction (unit, shape axes) nearest to D; for a cylinder that stands to visible
 * accuracy, where the nearest is not determined, its x axis. */
static void lowest_on_rim(const double *D, double *u)
{
    const double width = hypot(D[0], D[1]);
    const int stands = width <= SADDLE__VISIBLE_PART;
    u[0] = stands ? 1 : D[0] / width;
    u[1] = stands ? 0 : D[1] / width;
}

/* Points (4) of a cylinder, shape axes, where the plane is in direction D, and their labels. */
static void cylinder_points(const saddle__solid *solid, const double *D, double (*X)[3],
                            int64_t *label)
{
    const double third[3] = {1, -0.5, -0.5}, side[3] = {0, sqrt(0.75), -sqrt(0.75)};
    const int near = D[2] > 0; /* the end that faces the plane: 1 the upper, 0 the lower */
    double u[2];
    lowest_on_rim(D, u);
    for (int k = 0; k < 4; k++) {
        const int end = k < 3 ? near : !near, turn = k % 3;
        X[k][0] = solid->half[0] * (third[turn] * u[0] - side[turn] * u[1]);
        X[k][1] = solid->half[0] * (third[turn] * u[1] + side[turn] * u[0]);
        X[k][2] = end ? solid->half[1] : -solid->half[1];
        label[k] = 3 * end + turn;
    }
}

/* The farthest point of an ellipsoid in direction D, shape axes. */
static void ellipsoid_point(const saddle__solid *solid, const double *D, double *X)
{
    double scaled[3];
    for (int i = 0; i < 3; i++) scaled[i] = solid->half[i] * D[i];
    saddle__direction(scaled, scaled);
    for (int i = 0; i < 3; i++) X[i] = solid->half[i] * scaled[i];
}

int64_t saddle__collide_plane_round(const saddle__solid *A, const saddle__solid *B, double margin,
                                    saddle__touching *touching)
{
    const double *up = A->pose.R + 6, down[3] = {-up[0], -up[1], -up[2]};
    double D[3], X[4][3];
    int64_t label[4] = {0}, count = 0;
    const int is_cylinder = B->kind == SADDLE_TOUCH_CYLINDER;
    saddle__unrotate(B->pose.R, down, D);
    if (is_cylinder)
        cylinder_points(B, D, X, label);
    else
        ellipsoid_point(B, D, X[0]);
    for (int k = 0; k < (is_cylinder ? 4 : 1); k++) {
        double x[3], off[3];
        saddle_pose_point(&B->pose, X[k], x);
        for (int i = 0; i < 3; i++) off[i] = x[i] - A->pose.p[i];
        count += saddle__touch(x, 0, up, saddle__dot(up, off), margin, label[k], &touching[count]);
    }
    return count;
}
