/* SPDX-License-Identifier: MIT */
/* Two boxes' faces that look at each other: the corners of their overlap.
 *
 * Seen along the reference face's normal, a rectangle and a parallelogram overlap in a polygon of
 * up to eight corners, each of which is a corner of one or where an edge crosses one of the other.
 * Each is found by itself, by the name of its features, so that the names do not hang on which of
 * the faces is the reference.
 */
#include <math.h>

#include "collide.h"
#include "space/space.h"

/* How far off, against the smallest half edge, a corner counts as inside, and how near to each
 * other points are one. */
#define NEAR 1e-3

typedef struct face {
    const saddle__solid *box;
    int axis;         /* of the normal */
    int u, v;         /* the other two */
    double sign;      /* of the normal */
    double center[3]; /* in the world */
    const double *n;  /* the box's axis; the normal is sign times it */
} face;

typedef struct overlap {
    face R, I; /* reference, incident */
    int reference_is_A;
    double margin, tolerance, least;
    saddle__spread spread;
} overlap;

void saddle__box_corner(const saddle__solid *box, int64_t corner, double *x)
{
    const double X[3] = {corner & 1 ? box->half[0] : -box->half[0],
                         corner & 2 ? box->half[1] : -box->half[1],
                         corner & 4 ? box->half[2] : -box->half[2]};
    saddle__rotate(box->pose.R, X, x);
    for (int k = 0; k < 3; k++) x[k] += box->pose.p[k];
}

void saddle__box_edge(const saddle__solid *box, int64_t edge, double *from, double *to)
{
    const int axis = (int)(edge / 4), u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int64_t corner = (edge & 1) << u | ((edge & 2) >> 1) << v;
    saddle__box_corner(box, corner, from);
    saddle__box_corner(box, corner | (int64_t)1 << axis, to);
}

static face make_face(const saddle__solid *box, int axis, double sign)
{
    face made = {.box = box, .axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3, .sign = sign};
    made.n = box->pose.R + 3 * axis;
    for (int k = 0; k < 3; k++)
        made.center[k] = box->pose.p[k] + sign * box->half[axis] * made.n[k];
    return made;
}

/* The face of a box that looks most against a direction. */
static face opposed_face(const saddle__solid *box, const double *direction)
{
    double along[3];
    saddle__unrotate(box->pose.R, direction, along);
    int axis = 0;
    for (int k = 1; k < 3; k++) axis = fabs(along[k]) > fabs(along[axis]) + 1e-9 ? k : axis;
    return make_face(box, axis, along[axis] > 0 ? -1 : 1);
}

/* Corner k = 0 .. 3 of a face, going round: its number in the box. */
static int64_t face_corner(const face *f, int k)
{
    const int64_t u = k == 1 || k == 2, v = k >= 2;
    return (int64_t)(f->sign > 0) << f->axis | u << f->u | v << f->v;
}

/* The edge from corner k to the next: its number in the box. */
static int64_t face_edge(const face *f, int k)
{
    const int along = k % 2 == 0 ? f->u : f->v;
    const int64_t corner = face_corner(f, k);
    const int64_t one = corner >> (along + 1) % 3 & 1, two = corner >> (along + 2) % 3 & 1;
    return 4 * along + one + 2 * two;
}

/* Coordinates of x in a face's plane, and its height over it. */
static void coordinates(const face *f, const double *x, double *u, double *v, double *height)
{
    const double to[3] = {x[0] - f->center[0], x[1] - f->center[1], x[2] - f->center[2]};
    *u = saddle__dot(f->box->pose.R + 3 * f->u, to);
    *v = saddle__dot(f->box->pose.R + 3 * f->v, to);
    *height = f->sign * saddle__dot(f->n, to);
}

static int inside(const face *f, double u, double v, double tolerance)
{
    return fabs(u) <= f->box->half[f->u] + tolerance && fabs(v) <= f->box->half[f->v] + tolerance;
}

/* A point of the incident face at x, height over the reference. */
static void add(overlap *o, const double *x, double height, int64_t label)
{
    o->least = fmin(o->least, height);
    if (!(height <= o->margin)) return;
    saddle__touching found = {.gap = height, .label = label};
    for (int k = 0; k < 3; k++) {
        const double out = o->R.sign * o->R.n[k], foot = x[k] - height * out;
        found.normal[k] = o->reference_is_A ? out : -out;
        found.a[k] = o->reference_is_A ? foot : x[k];
        found.b[k] = o->reference_is_A ? x[k] : foot;
    }
    saddle__spread_add(&o->spread, &found);
}

static void add_incident_corners(overlap *o)
{
    for (int k = 0; k < 4; k++) {
        double x[3], u, v, height;
        const int64_t corner = face_corner(&o->I, k);
        saddle__box_corner(o->I.box, corner, x);
        coordinates(&o->R, x, &u, &v, &height);
        if (!inside(&o->R, u, v, o->tolerance)) continue;
        add(o, x, height,
            (o->reference_is_A ? SADDLE__LABEL_CORNER_B : SADDLE__LABEL_CORNER_A) + corner);
    }
}

/* Where the line from a corner of the reference, along its normal, meets the incident face. */
static void add_reference_corners(overlap *o)
{
    const double steepness = o->R.sign * saddle__dot(o->R.n, o->I.n);
    for (int k = 0; k < 4; k++) {
        double x[3], u, v, over;
        const int64_t corner = face_corner(&o->R, k);
        saddle__box_corner(o->R.box, corner, x);
        coordinates(&o->I, x, &u, &v, &over);
        const double height = -over * o->I.sign / steepness;
        for (int i = 0; i < 3; i++) x[i] += height * o->R.sign * o->R.n[i];
        coordinates(&o->I, x, &u, &v, &over);
        if (!inside(&o->I, u, v, o->tolerance)) continue;
        add(o, x, height,
            (o->reference_is_A ? SADDLE__LABEL_CORNER_A : SADDLE__LABEL_CORNER_B) + corner);
    }
}

/* Where the incident edge from p to q, in the reference's coordinates (u, v, height), crosses the
 * reference's edge k. */
static void add_crossing(overlap *o, const double *p, const double *q, const double *from,
                         const double *to, int64_t label, int k)
{
    const int across = k % 2 == 0; /* the coordinate that an edge holds: v for those along u, and
                                      u */
    const double side = k == 1 || k == 2 ? 1 : -1;
    const double wall = side * o->R.box->half[across ? o->R.v : o->R.u];
    const double reach = o->R.box->half[across ? o->R.u : o->R.v] - 0.5 * o->tolerance;
    if ((p[across] - wall) * (q[across] - wall) >= 0) return;
    const double t = (wall - p[across]) / (q[across] - p[across]);
    const double at[3] = {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]),
                          p[2] + t * (q[2] - p[2])};
    if (!(fabs(at[!across]) <= reach)) return;
    const double *end = t < 0.5 ? p : q;
    if (hypot(at[0] - end[0], at[1] - end[1]) <= 0.5 * o->tolerance)
        return; /* the corner has been taken */
    double x[3];
    saddle__between(from, to, t, x);
    const int64_t other = face_edge(&o->R, k);
    add(o, x, at[2],
        SADDLE__LABEL_EDGES + (o->reference_is_A ? 12 * other + label : 12 * label + other));
}

static void add_crossings(overlap *o)
{
    for (int k = 0; k < 4; k++) {
        double from[3], to[3], p[3], q[3];
        saddle__box_corner(o->I.box, face_corner(&o->I, k), from);
        saddle__box_corner(o->I.box, face_corner(&o->I, (k + 1) % 4), to);
        coordinates(&o->R, from, &p[0], &p[1], &p[2]);
        coordinates(&o->R, to, &q[0], &q[1], &q[2]);
        for (int wall = 0; wall < 4; wall++)
            add_crossing(o, p, q, from, to, face_edge(&o->I, k), wall);
    }
}

int64_t saddle__collide_faces(const saddle__solid *reference, int axis, int sign,
                              const saddle__solid *other, int reference_is_A, double margin,
                              saddle__touching *touching, double *least)
{
    overlap o = {.R = make_face(reference, axis, sign),
                 .reference_is_A = reference_is_A,
                 .margin = margin,
                 .least = INFINITY};
    double out[3], smallest = INFINITY;
    for (int k = 0; k < 3; k++) {
        out[k] = o.R.sign * o.R.n[k];
        smallest = fmin(smallest, fmin(reference->half[k], other->half[k]));
    }
    o.I = opposed_face(other, out);
    o.tolerance = NEAR * smallest;
    o.spread.u = reference->pose.R + 3 * o.R.u;
    o.spread.v = reference->pose.R + 3 * o.R.v;
    o.spread.near = 2 * o.tolerance;
    add_incident_corners(&o);
    add_reference_corners(&o);
    add_crossings(&o);
    *least = o.least;
    return saddle__spread_take(&o.spread, touching);
}
