/* SPDX-License-Identifier: MIT */
/* Contact of a plane with a cylinder or an ellipsoid, of a box with a cylinder.
 *
 *     ellipsoid    one point: the support along the plane's normal
 *     cylinder     of the end that faces the plane the lowest point of the rim and two more, each
 *                  a third of a turn away; of the other end the lowest
 *
 * So a cylinder stands on three points and lies on two.  On a face of a box the lines between these
 * points are cut at the edges of the face, and corners of the face below the cylinder's end count.
 */
#include <string.h>

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

#ifdef SADDLE_HAVE_CCD

/* ---- boxes ----
 *
 * Labels: 0 .. 5 the points of the cylinder, 6 + 4 line + wall a line cut at an edge of the face,
 * 22 + k corner k of the face.
 */

/* A face of a box, and the cylinder above. */
typedef struct face {
    const saddle__solid *box, *cylinder;
    int u, v;         /* axes of the box in the face */
    double n[3];      /* the outward normal, world axes */
    double center[3]; /* in the world */
    double margin;
    saddle__spread spread;
} face;

/* (u, v, height over the face) of a point in the world */
static void over_face(const face *f, const double *x, double *at)
{
    const double off[3] = {x[0] - f->center[0], x[1] - f->center[1], x[2] - f->center[2]};
    at[0] = saddle__dot(f->box->pose.R + 3 * f->u, off);
    at[1] = saddle__dot(f->box->pose.R + 3 * f->v, off);
    at[2] = saddle__dot(f->n, off);
}

static void add_point(face *f, const double *x, int64_t label)
{
    double at[3];
    saddle__touching found;
    over_face(f, x, at);
    if (saddle__touch(x, 0, f->n, at[2], f->margin, label, &found))
        saddle__spread_add(&f->spread, &found);
}

/* The part of the line from p to q over the face: its ends, a cut one with a label of the wall. */
static void add_line(face *f, const double *p, const double *q, int64_t label_p, int64_t label_q,
                     int line)
{
    const double half[2] = {f->box->half[f->u], f->box->half[f->v]};
    double from[3], to[3], t[2] = {0, 1};
    int64_t label[2] = {label_p, label_q};
    over_face(f, p, from);
    over_face(f, q, to);
    for (int wall = 0; wall < 4; wall++) { /* side * coordinate <= half */
        const double side = wall % 2 ? 1 : -1;
        const double start = side * from[wall / 2] - half[wall / 2],
                     end = side * to[wall / 2] - half[wall / 2];
        if (start > 0 && end > 0) return;
        if (!(start > 0 || end > 0)) continue;
        const double cut = start / (start - end);
        const int which = end > 0; /* the end that is beyond the wall */
        if (which ? cut >= t[1] : cut <= t[0]) continue;
        t[which] = cut;
        label[which] = 6 + 4 * line + wall;
    }
    if (t[0] > t[1]) return;
    for (int which = 0; which < 2; which++) {
        double x[3];
        saddle__between(p, q, t[which], x);
        add_point(f, x, label[which]);
    }
}

/* Points of the cylinder's end over the corners of the face. */
static void add_corners(face *f, const double *D)
{
    const saddle__solid *cylinder = f->cylinder;
    for (int k = 0; k < 4; k++) {
        double corner[3], X[3], N[3], x[3];
        const double su = k & 1 ? 1 : -1, sv = k & 2 ? 1 : -1;
        for (int i = 0; i < 3; i++)
            corner[i] = f->center[i] + su * f->box->half[f->u] * f->box->pose.R[3 * f->u + i] +
                        sv * f->box->half[f->v] * f->box->pose.R[3 * f->v + i];
        saddle_pose_point_inverse(&cylinder->pose, corner, X);
        saddle__unrotate(cylinder->pose.R, f->n, N);
        if (!(fabs(N[2]) > SADDLE__FLAT_ANGLE)) continue; /* the cylinder lies */
        const double end = D[2] > 0 ? cylinder->half[1] : -cylinder->half[1];
        const double height = (end - X[2]) / N[2];
        for (int i = 0; i < 3; i++) X[i] += height * N[i];
        if (hypot(X[0], X[1]) > cylinder->half[0]) continue;
        saddle_pose_point(&cylinder->pose, X, x);
        add_point(f, x, 22 + k);
    }
}

static void add_points(face *f)
{
    static const int lines[4][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}};
    const double down[3] = {-f->n[0], -f->n[1], -f->n[2]};
    double D[3], X[4][3], x[4][3];
    int64_t label[4];
    saddle__unrotate(f->cylinder->pose.R, down, D);
    cylinder_points(f->cylinder, D, X, label);
    for (int k = 0; k < 4; k++) saddle_pose_point(&f->cylinder->pose, X[k], x[k]);
    for (int k = 0; k < 4; k++) {
        const int p = lines[k][0], q = lines[k][1];
        add_line(f, x[p], x[q], label[p], label[q], k);
    }
    add_corners(f, D);
}

/* The face of the box whose normal is n to SADDLE__FLAT_ANGLE; 0: none. */
static int find_face(const saddle__solid *box, const double *n, face *f)
{
    double N[3];
    int axis = 0;
    saddle__unrotate(box->pose.R, n, N);
    for (int k = 1; k < 3; k++) axis = fabs(N[k]) > fabs(N[axis]) ? k : axis;
    f->u = (axis + 1) % 3;
    f->v = (axis + 2) % 3;
    if (hypot(N[f->u], N[f->v]) > SADDLE__FLAT_ANGLE) return 0;
    for (int i = 0; i < 3; i++) {
        f->n[i] = (N[axis] > 0 ? 1 : -1) * box->pose.R[3 * axis + i];
        f->center[i] = box->pose.p[i] + box->half[axis] * f->n[i];
    }
    return 1;
}

/* On a face several points, elsewhere the nearest one. */
int64_t saddle__collide_box_cylinder(const saddle__solid *A, const saddle__solid *B, double margin,
                                     saddle__touching *touching)
{
    const int64_t count = saddle__collide_convex(A, B, margin, touching);
    face f = {.box = A, .cylinder = B, .margin = margin};
    if (count == 0 || !find_face(A, touching->normal, &f)) return count;
    f.spread.u = A->pose.R + 3 * f.u;
    f.spread.v = A->pose.R + 3 * f.v;
    f.spread.near = SADDLE__VISIBLE_PART * B->half[0];
    add_points(&f);
    const double gap = touching->gap;
    saddle__touching found[SADDLE__TOUCHES_MAX];
    const int64_t more = saddle__spread_take(&f.spread, found);
    if (more < 2 || f.spread.deepest.gap >
                        gap + SADDLE__FLAT_ANGLE * fabs(gap) + SADDLE__HALF_DIGITS * B->half[0])
        return count; /* the nearest point is not among them */
    memcpy(touching, found, (size_t)more * sizeof *found);
    return more;
}

#endif
