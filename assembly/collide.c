/* SPDX-License-Identifier: MIT */
/* Contact of spheres and capsules by nearest points of centres and axes; corners on planes; boxes
 * with boxes and with the axes of capsules; the function of each pair.
 * Segments: Ericson (2005), Real-Time Collision Detection, 5.1.9. */
#include <math.h>
#include <string.h>

#include "collide.h"

/* Points nearer to each other than this share of a shape's size are one. */
static const double same_point = 1e-3;

/* ---- points and segments ---- */

static double clamp(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* x (3): the point of the segment from p to q nearest to c; returns its parameter, 0 at p. */
static double nearest_on_segment(const double *p, const double *q, const double *c, double *x)
{
    double along[3], to[3];
    for (int k = 0; k < 3; k++) {
        along[k] = q[k] - p[k];
        to[k] = c[k] - p[k];
    }
    const double length = saddle__dot(along, along);
    const double t = length > 0 ? clamp(saddle__dot(along, to) / length) : 0;
    saddle__between(p, q, t, x);
    return t;
}

/* s, t in [0, 1]: parameters of the nearest points p0 + s (p1 - p0), q0 + t (q1 - q0). */
static void nearest_of_segments(const double *p0, const double *p1, const double *q0,
                                const double *q1, double *s, double *t)
{
    double p[3], q[3], r[3], x[3];
    for (int k = 0; k < 3; k++) {
        p[k] = p1[k] - p0[k];
        q[k] = q1[k] - q0[k];
        r[k] = p0[k] - q0[k];
    }
    const double pp = saddle__dot(p, p), qq = saddle__dot(q, q), pq = saddle__dot(p, q);
    const double pr = saddle__dot(p, r), qr = saddle__dot(q, r), area = pp * qq - pq * pq;
    *s = area > 1e-14 * pp * qq ? clamp((pq * qr - pr * qq) / area) : 0;
    saddle__between(p0, p1, *s, x);
    *t = nearest_on_segment(q0, q1, x, x);
    saddle__between(q0, q1, *t, x);
    *s = nearest_on_segment(p0, p1, x, x);
}

/* 1: touching of two round surfaces with centres p and q, gap <= margin.  fallback: the normal of
 * concentric surfaces.  deep = 1: overlap by more than half of the smaller radius. */
static int touch_round(const double *p, double p_radius, const double *q, double q_radius,
                       const double *fallback, double margin, int64_t label,
                       saddle__touching *touching)
{
    double apart[3], normal[3];
    memcpy(normal, fallback, sizeof normal);
    for (int k = 0; k < 3; k++) apart[k] = q[k] - p[k];
    const double distance = saddle__direction(apart, normal), gap = distance - p_radius - q_radius;
    if (!(gap <= margin)) return 0;
    *touching = (saddle__touching){.gap = gap,
                                   .label = label,
                                   .deep = gap < -0.5 * fmin(p_radius, q_radius)};
    if (!(distance > SADDLE__PRODUCT_ROUNDING * (p_radius + q_radius)))
        memcpy(normal, fallback, sizeof normal);
    for (int k = 0; k < 3; k++) {
        touching->a[k] = p[k] + p_radius * normal[k];
        touching->b[k] = q[k] - q_radius * normal[k];
        touching->normal[k] = normal[k];
    }
    return 1;
}

/* ---- corners ---- */

/* Corner k of a box (bit i is 1 where coordinate i is positive) or a polytope, end k of the axis of
 * a capsule, centre of a sphere; shape axes. */
static void inner_corner(const saddle__solid *solid, int64_t k, double *X)
{
    const int is_box = solid->kind == SADDLE_TOUCH_BOX;
    const double end = solid->kind == SADDLE_TOUCH_CAPSULE ? solid->half[1] : 0;
    for (int i = 0; i < 3; i++) {
        const double half = is_box ? solid->half[i] : i == 2 ? end : 0;
        X[i] = (is_box ? k >> i & 1 : k) ? half : -half;
    }
    if (solid->kind == SADDLE_TOUCH_CONVEX) memcpy(X, solid->corner + 3 * k, 3 * sizeof *X);
}

void saddle__solid_corner(const saddle__solid *solid, int64_t k, double *x)
{
    double X[3];
    inner_corner(solid, k, X);
    saddle_pose_point(&solid->pose, X, x);
}

/* ---- spheres ---- */

/* normal (3) <- the direction from A's `aside` to B's, its component normal to axis (unit; NULL =
 * the whole); unchanged where the component vanishes. */
static void solid_apart(const saddle__solid *A, const saddle__solid *B, const double *axis,
                        double *normal)
{
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = B->aside[k] - A->aside[k];
    const double along = !axis ? 0 : saddle__dot(axis, apart);
    for (int k = 0; k < 3 && axis; k++) apart[k] -= along * axis[k];
    if (saddle__dot(apart, apart) > 1e-12) saddle__direction(apart, normal);
}

static int64_t collide_spheres(const saddle__solid *A, const saddle__solid *B, double margin,
                               saddle__touching *touching)
{
    double normal[3] = {0, 0, 1};
    solid_apart(A, B, NULL, normal);
    return touch_round(A->pose.p, A->half[0], B->pose.p, B->half[0], normal, margin, 0, touching);
}

static int64_t collide_sphere_capsule(const saddle__solid *A, const saddle__solid *B, double margin,
                                      saddle__touching *touching)
{
    double from[3], to[3], x[3], normal[3];
    memcpy(normal, B->pose.R, sizeof normal);
    solid_apart(A, B, B->pose.R + 6, normal);
    saddle__solid_corner(B, 0, from);
    saddle__solid_corner(B, 1, to);
    nearest_on_segment(from, to, A->pose.p, x);
    return touch_round(A->pose.p, A->half[0], x, B->half[0], normal, margin, 0, touching);
}

/* The axis of the box's face nearest to an inner point X, and the sign of the face in *sign. */
static int nearest_face(const saddle__solid *box, const double *X, double *sign)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->half[k] - fabs(X[k]) < box->half[axis] - fabs(X[axis])) axis = k;
    *sign = X[axis] < 0 ? -1 : 1;
    return axis;
}

/* nearest (3): the point of the box nearest to x, and X (3): x itself, in box axes. */
static void nearest_in_box(const saddle__solid *box, const double *x, double *X, double *nearest)
{
    saddle_pose_point_inverse(&box->pose, x, X);
    for (int k = 0; k < 3; k++) nearest[k] = fmax(-box->half[k], fmin(box->half[k], X[k]));
}

static int64_t collide_sphere_box(const saddle__solid *A, const saddle__solid *B, double margin,
                                  saddle__touching *touching)
{
    double X[3], nearest[3], x[3], inward[3], sign;
    nearest_in_box(B, A->pose.p, X, nearest);
    const int inside = nearest[0] == X[0] && nearest[1] == X[1] && nearest[2] == X[2];
    const int axis = nearest_face(B, X, &sign);
    for (int k = 0; k < 3; k++) inward[k] = -sign * B->pose.R[3 * axis + k];
    if (inside) nearest[axis] = sign * B->half[axis];
    saddle_pose_point(&B->pose, nearest, x);
    if (inside)
        return saddle__touch(x, 0, inward, fabs(X[axis]) - B->half[axis] - A->half[0], margin, 0,
                             touching);
    const int touches = touch_round(A->pose.p, A->half[0], x, 0, inward, margin, 0, touching);
    touching->deep = 0; /* the normal of the face is definite */
    return touches;
}

/* ---- capsules ---- */

/* Capsules are parallel below this sine of their angle. */
#define ALONG 0.05

/* The second point of two parallel capsules: the end farthest from the first point. */
static int64_t add_far_end(const saddle__solid *A, const saddle__solid *B, double (*p)[3],
                           double (*q)[3], const double *fallback, double margin,
                           saddle__touching *touching)
{
    const double first = saddle__dot(A->pose.R + 6, touching[0].a);
    double farthest = fmax(A->half[0], B->half[0]) * same_point;
    int64_t count = 1;
    for (int end = 0; end < 4; end++) {
        double x[3];
        const double *own = end < 2 ? p[end] : q[end - 2];
        const double t = end < 2 ? nearest_on_segment(q[0], q[1], own, x)
                                 : nearest_on_segment(p[0], p[1], own, x);
        saddle__touching found;
        if (!(t > 0 && t < 1)) continue;
        if (!touch_round(end < 2 ? own : x, A->half[0], end < 2 ? x : own, B->half[0], fallback,
                         margin, 1 + end, &found)) {
            continue;
        }
        const double far = fabs(saddle__dot(A->pose.R + 6, found.a) - first);
        if (far <= farthest) continue;
        farthest = far;
        touching[1] = found;
        count = 2;
    }
    return count;
}

/* Feature of a parameter: 0, 1 the ends, 2 the interior. */
static int64_t feature(double t)
{
    return t <= 0 ? 0 : t >= 1 ? 1 : 2;
}

static int64_t collide_capsules(const saddle__solid *A, const saddle__solid *B, double margin,
                                saddle__touching *touching)
{
    double p[2][3], q[2][3], x[3], y[3], s, t, fallback[3], across[3];
    for (int end = 0; end < 2; end++) {
        saddle__solid_corner(A, end, p[end]);
        saddle__solid_corner(B, end, q[end]);
    }
    nearest_of_segments(p[0], p[1], q[0], q[1], &s, &t);
    saddle__between(p[0], p[1], s, x);
    saddle__between(q[0], q[1], t, y);
    saddle__cross(A->pose.R + 6, B->pose.R + 6, across);
    const double sine = sqrt(saddle__dot(across, across));
    memcpy(fallback, A->pose.R, sizeof fallback);
    if (sine > ALONG) {
        saddle__direction(across, fallback); /* to the side on which B separates from A */
        const int turned = saddle__dot(fallback, B->aside) < saddle__dot(fallback, A->aside);
        for (int k = 0; k < 3; k++) fallback[k] *= turned ? -1 : 1;
    } else {
        solid_apart(A, B, A->pose.R + 6, fallback);
    }
    const int64_t label = s > 0 && s < 1 && t > 0 && t < 1 ? 0 : 5 + feature(s) * 3 + feature(t);
    if (!touch_round(x, A->half[0], y, B->half[0], fallback, margin, label, touching)) return 0;
    if (sine > ALONG) return 1;
    static const int64_t end_labels[9] = {5, 6, 1, 8, 9, 2, 3, 4, 13}; /* as add_far_end's */
    if (label >= 5) touching->label = end_labels[label - 5];
    return add_far_end(A, B, p, q, touching->normal, margin, touching);
}

/* ---- planes ---- */

/* The least extent of a polytope along its axes. */
static double least_extent(const saddle__solid *solid)
{
    double least = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int64_t k = 0; k < solid->corner_count; k++) {
            lo = fmin(lo, solid->corner[3 * k + axis]);
            hi = fmax(hi, solid->corner[3 * k + axis]);
        }
        least = fmin(least, hi - lo);
    }
    return least;
}

/* Corners nearer to the plane than margin; round shapes reach a radius beyond theirs. */
static int64_t collide_plane(const saddle__solid *A, const saddle__solid *B, double margin,
                             saddle__touching *touching)
{
    const int is_A = A->kind == SADDLE_TOUCH_PLANE;
    const saddle__solid *plane = is_A ? A : B, *solid = is_A ? B : A;
    const double *up = plane->pose.R + 6, down[3] = {-up[0], -up[1], -up[2]};
    const int is_round = solid->kind == SADDLE_TOUCH_SPHERE || solid->kind == SADDLE_TOUCH_CAPSULE;
    const double radius = is_round ? solid->half[0] : 0;
    const double size = is_round ? radius
                        : solid->kind == SADDLE_TOUCH_BOX
                            ? fmin(solid->half[0], fmin(solid->half[1], solid->half[2]))
                            : least_extent(solid);
    saddle__spread spread = {.u = plane->pose.R, .v = plane->pose.R + 3, .near = same_point * size};
    static const int64_t counts[] = {1, 8, 2, 0};
    const int64_t corners = solid->kind == SADDLE_TOUCH_CONVEX ? solid->corner_count
                                                               : counts[solid->kind];
    for (int64_t k = 0; k < corners; k++) {
        double x[3], off[3];
        saddle__touching found;
        saddle__solid_corner(solid, k, x);
        for (int i = 0; i < 3; i++) x[i] -= radius * up[i];
        for (int i = 0; i < 3; i++) off[i] = x[i] - plane->pose.p[i];
        if (saddle__touch(x, !is_A, is_A ? up : down, saddle__dot(up, off), margin, k, &found))
            saddle__spread_add(&spread, &found);
    }
    return saddle__spread_take(&spread, touching);
}

/* ---- boxes ----
 *
 * Two boxes: the direction of largest separation or least overlap, and the features in that
 * direction.
 *
 * Convex polytopes are separate if and only if a face normal or the cross product of an edge of
 * each separates them (Gottschalk, Lin and Manocha 1996: 3 + 3 + 9 directions for boxes); the least
 * displacement that separates overlapping ones is along one of these directions.  A separation s
 * along such a direction is the distance if points of both boxes face each other there; otherwise a
 * corner is nearest, and all features are compared.
 */

/* ---- faces ----
 *
 * Two facing faces: the corners of their overlap.
 *
 * Along the normal of the reference face, a rectangle and a parallelogram overlap in a polygon of
 * up to eight corners: corners of either face, and crossings of two edges.  Each corner is computed
 * separately with a label from its features, so labels do not depend on the choice of the
 * reference.
 */

typedef struct box_face {
    const saddle__solid *box;
    int axis;         /* of the normal */
    int u, v;         /* the other two */
    double sign;      /* of the normal along the axis */
    double center[3]; /* in the world */
    double n[3];      /* the outward normal */
} box_face;

typedef struct face_overlap {
    box_face R, I; /* reference, incident */
    int reference_is_A;
    double margin, tolerance, least;
    saddle__spread spread;
} face_overlap;

/* Edge 0 .. 11: 4 axis + two bits, the signs of the next two coordinates. */
static void box_edge(const saddle__solid *box, int64_t edge, double *from, double *to)
{
    const int axis = (int)(edge / 4), u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int64_t corner = (edge & 1) << u | ((edge & 2) >> 1) << v;
    saddle__solid_corner(box, corner, from);
    saddle__solid_corner(box, corner | (int64_t)1 << axis, to);
}

/* 0: a point, or an edge that a flat box has twice; see has_face. */
static int is_edge(const saddle__solid *box, int64_t edge)
{
    const int axis = (int)(edge / 4), u = (axis + 1) % 3, v = (axis + 2) % 3;
    return box->half[axis] > 0 && (box->half[u] > 0 || !(edge & 1)) &&
           (box->half[v] > 0 || !(edge & 2));
}

/* 0: the box has no width along another axis: it is the axis of a capsule. */
static int has_face(const saddle__solid *box, int axis)
{
    return box->half[(axis + 1) % 3] > 0 && box->half[(axis + 2) % 3] > 0;
}

static box_face make_face(const saddle__solid *box, int axis, double sign)
{
    box_face made = {
        .box = box, .axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3, .sign = sign};
    for (int k = 0; k < 3; k++) {
        made.n[k] = sign * box->pose.R[3 * axis + k];
        made.center[k] = box->pose.p[k] + box->half[axis] * made.n[k];
    }
    return made;
}

/* The face of a box most opposed to a direction. */
static box_face opposed_face(const saddle__solid *box, const double *along_n)
{
    double along[3];
    saddle__unrotate(box->pose.R, along_n, along);
    int axis = 0;
    for (int k = 1; k < 3; k++) axis = fabs(along[k]) > fabs(along[axis]) + 1e-9 ? k : axis;
    return make_face(box, axis, along[axis] > 0 ? -1 : 1);
}

/* Number in the box of corner k = 0 .. 3 of a face, in cyclic order. */
static int64_t face_corner(const box_face *f, int k)
{
    const int64_t u = k == 1 || k == 2, v = k >= 2;
    return (int64_t)(f->sign > 0) << f->axis | u << f->u | v << f->v;
}

/* Number in the box of the edge from corner k to the next. */
static int64_t face_edge(const box_face *f, int k)
{
    const int along = k % 2 == 0 ? f->u : f->v;
    const int64_t corner = face_corner(f, k);
    const int64_t one = corner >> (along + 1) % 3 & 1, two = corner >> (along + 2) % 3 & 1;
    return 4 * along + one + 2 * two;
}

/* Coordinates of x in a face's plane, and its height over it. */
static void coordinates(const box_face *f, const double *x, double *u, double *v, double *height)
{
    const double to[3] = {x[0] - f->center[0], x[1] - f->center[1], x[2] - f->center[2]};
    *u = saddle__dot(f->box->pose.R + 3 * f->u, to);
    *v = saddle__dot(f->box->pose.R + 3 * f->v, to);
    *height = saddle__dot(f->n, to);
}

static int inside(const box_face *f, double u, double v, double tolerance)
{
    return fabs(u) <= f->box->half[f->u] + tolerance && fabs(v) <= f->box->half[f->v] + tolerance;
}

/* A point of the incident face at x, height over the reference. */
static void add_point(face_overlap *o, const double *x, double height, int64_t label)
{
    saddle__touching found;
    double n[3];
    for (int k = 0; k < 3; k++) n[k] = o->reference_is_A ? o->R.n[k] : -o->R.n[k];
    o->least = fmin(o->least, height);
    if (saddle__touch(x, !o->reference_is_A, n, height, o->margin, label, &found))
        saddle__spread_add(&o->spread, &found);
}

/* Corners of the incident face over the reference, at their own height. */
static void add_incident_corners(face_overlap *o)
{
    const int64_t first = o->reference_is_A ? SADDLE__LABEL_CORNER_B : SADDLE__LABEL_CORNER_A;
    for (int k = 0; k < 4; k++) {
        double x[3], u, v, height;
        const int64_t corner = face_corner(&o->I, k);
        saddle__solid_corner(o->I.box, corner, x);
        coordinates(&o->R, x, &u, &v, &height);
        if (inside(&o->R, u, v, o->tolerance)) add_point(o, x, height, first + corner);
    }
}

/* Points of the incident face on the normals through the reference's corners. */
static void add_reference_corners(face_overlap *o)
{
    const int64_t first = o->reference_is_A ? SADDLE__LABEL_CORNER_A : SADDLE__LABEL_CORNER_B;
    const double steepness = saddle__dot(o->R.n, o->I.n);
    for (int k = 0; k < 4; k++) {
        double x[3], u, v, over;
        const int64_t corner = face_corner(&o->R, k);
        saddle__solid_corner(o->R.box, corner, x);
        coordinates(&o->I, x, &u, &v, &over);
        const double height = -over / steepness;
        for (int i = 0; i < 3; i++) x[i] += height * o->R.n[i];
        coordinates(&o->I, x, &u, &v, &over);
        if (inside(&o->I, u, v, o->tolerance)) add_point(o, x, height, first + corner);
    }
}

/* The crossing of the incident edge from p to q, in coordinates (u, v, height) of the reference,
 * with edge k of the reference. */
static void add_crossing(face_overlap *o, const double *p, const double *q, const double *from,
                         const double *to, int64_t label, int k)
{
    const int across = k % 2 == 0; /* v for edges along u, u for edges along v */
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
        return; /* the corner itself is a point already */
    double x[3];
    saddle__between(from, to, t, x);
    const int64_t other = face_edge(&o->R, k);
    add_point(o, x, at[2],
              SADDLE__LABEL_EDGES + (o->reference_is_A ? 12 * other + label : 12 * label + other));
}

static void add_crossings(face_overlap *o)
{
    for (int k = 0; k < 4; k++) {
        double from[3], to[3], p[3], q[3];
        saddle__solid_corner(o->I.box, face_corner(&o->I, k), from);
        saddle__solid_corner(o->I.box, face_corner(&o->I, (k + 1) % 4), to);
        coordinates(&o->R, from, &p[0], &p[1], &p[2]);
        coordinates(&o->R, to, &q[0], &q[1], &q[2]);
        for (int wall = 0; wall < 4; wall++)
            add_crossing(o, p, q, from, to, face_edge(&o->I, k), wall);
    }
}

/* Points of the face of `reference` along its axis (0 .. 2; sign of the outward normal) and the
 * opposed face of `other` with gaps up to margin.  reference_is_A: for labels and normals.  Returns
 * the number of points in touching (SADDLE__TOUCHES_MAX).  *least: the least gap, INFINITY where
 * the faces do not overlap along the normal. */
static int64_t collide_faces(const saddle__solid *reference, int axis, int sign,
                             const saddle__solid *other, int reference_is_A, double margin,
                             saddle__touching *touching, double *least)
{
    face_overlap o = {.R = make_face(reference, axis, sign),
                      .reference_is_A = reference_is_A,
                      .margin = margin,
                      .least = INFINITY};
    double smallest = INFINITY;
    for (int k = 0; k < 3; k++) {
        smallest = fmin(smallest, reference->half[k]);
        if (other->half[k] > 0) smallest = fmin(smallest, other->half[k]);
    }
    o.I = opposed_face(other, o.R.n);
    o.tolerance = same_point * smallest;
    o.spread.u = reference->pose.R + 3 * o.R.u;
    o.spread.v = reference->pose.R + 3 * o.R.v;
    o.spread.near = 2 * o.tolerance;
    add_incident_corners(&o);
    if (has_face(other, o.I.axis)) add_reference_corners(&o);
    add_crossings(&o);
    *least = o.least;
    return saddle__spread_take(&o.spread, touching);
}

/* ---- directions ---- */

typedef struct boxes {
    const saddle__solid *A, *B;
    double apart[3]; /* from the centre of A to that of B */
    double size;     /* the largest half edge */
    double radius;   /* of the capsule whose axis is B; 0 = B is a box */
    double margin;   /* of the gap of the boxes */
} boxes;

typedef struct direction {
    double n[3]; /* unit, from A to B */
    double separation;
    int edge_A, edge_B; /* axes of the edges; -1 = a face's normal */
} direction;

/* The nearest points, x of A and y of B. */
typedef struct closest {
    double x[3], y[3], distance;
    int64_t label;
} closest;

/* Separation along n; n is turned to point from A to B. */
static void measure(const boxes *pair, direction *d)
{
    double off = saddle__dot(d->n, pair->apart);
    for (int k = 0; k < 3 && off < 0; k++) d->n[k] = -d->n[k];
    off = fabs(off);
    for (int k = 0; k < 3; k++) {
        off -= fabs(saddle__dot(d->n, pair->A->pose.R + 3 * k)) * pair->A->half[k];
        off -= fabs(saddle__dot(d->n, pair->B->pose.R + 3 * k)) * pair->B->half[k];
    }
    d->separation = off;
}

/* The direction of largest separation; of equal ones, to rounding, a face normal. */
static direction best_direction(const boxes *pair)
{
    const double rounding = SADDLE__PRODUCT_ROUNDING * pair->size;
    direction best = {.separation = -INFINITY};
    for (int k = 0; k < 6 && best.separation <= pair->margin; k++) {
        const double *axis = k < 3 ? pair->A->pose.R + 3 * k : pair->B->pose.R + 3 * (k - 3);
        if (k >= 3 && !has_face(pair->B, k - 3)) continue;
        direction d = {.n = {axis[0], axis[1], axis[2]}, .edge_A = -1, .edge_B = -1};
        measure(pair, &d);
        if (d.separation > best.separation + (k == 0 ? 0 : rounding)) best = d;
    }
    for (int k = 0; k < 9 && best.separation <= pair->margin; k++) {
        direction d = {.edge_A = k / 3, .edge_B = k % 3};
        if (!(pair->B->half[d.edge_B] > 0)) continue;
        saddle__cross(pair->A->pose.R + 3 * d.edge_A, pair->B->pose.R + 3 * d.edge_B, d.n);
        if (!(saddle__direction(d.n, d.n) > 1e-6)) continue;
        measure(pair, &d);
        if (d.separation > best.separation + rounding) best = d;
    }
    return best;
}

/* ---- nearest points ---- */

static void compare_points(const double *x, const double *y, int64_t label, double rounding,
                           closest *found)
{
    const double apart[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    const double distance = sqrt(saddle__dot(apart, apart));
    if (!(distance < found->distance - rounding)) return;
    found->distance = distance;
    found->label = label;
    for (int k = 0; k < 3; k++) {
        found->x[k] = x[k];
        found->y[k] = y[k];
    }
}

static void compare_edges(const boxes *pair, int64_t edge_A, int64_t edge_B, double rounding,
                          closest *found)
{
    double p[3], q[3], r[3], s[3], t, u, x[3], y[3];
    box_edge(pair->A, edge_A, p, q);
    box_edge(pair->B, edge_B, r, s);
    nearest_of_segments(p, q, r, s, &t, &u);
    saddle__between(p, q, t, x);
    saddle__between(r, s, u, y);
    compare_points(x, y, SADDLE__LABEL_EDGES + 12 * edge_A + edge_B, rounding, found);
}

/* Nearest points of separate boxes: all corners against boxes, all edges against edges. */
static closest nearest_of_all(const boxes *pair)
{
    const double rounding = SADDLE__PRODUCT_ROUNDING * pair->size;
    closest found = {.distance = INFINITY};
    for (int64_t k = 0; k < 8; k++) {
        double corner[3], y[3], X[3];
        saddle__solid_corner(pair->A, k, corner);
        nearest_in_box(pair->B, corner, X, y);
        saddle_pose_point(&pair->B->pose, y, y);
        compare_points(corner, y, SADDLE__LABEL_CORNER_A + k, rounding, &found);
        saddle__solid_corner(pair->B, k, corner);
        nearest_in_box(pair->A, corner, X, y);
        saddle_pose_point(&pair->A->pose, y, y);
        compare_points(y, corner, SADDLE__LABEL_CORNER_B + k, rounding, &found);
    }
    for (int64_t k = 0; k < 144; k++)
        if (is_edge(pair->B, k % 12)) compare_edges(pair, k / 12, k % 12, rounding, &found);
    return found;
}

/* The edge of a box along axis, farthest in a direction. */
static int64_t farthest_edge(const saddle__solid *box, int axis, const double *n, double sign)
{
    const int64_t one = sign * saddle__dot(n, box->pose.R + 3 * ((axis + 1) % 3)) > 0;
    const int64_t two = sign * saddle__dot(n, box->pose.R + 3 * ((axis + 2) % 3)) > 0;
    return 4 * axis + one + 2 * two;
}

/* ---- points ---- */

/* Points of the face with normal nearly n, A's before B's; 0 where no such face exists or no face
 * opposes it. */
static int64_t face_contacts(const boxes *pair, const double *n, double flat, double *least,
                             saddle__touching *touching)
{
    for (int k = 0; k < 6; k++) {
        const int of_A = k < 3;
        const saddle__solid *reference = of_A ? pair->A : pair->B;
        const double along = saddle__dot(n, reference->pose.R + 3 * (k % 3)) * (of_A ? 1 : -1);
        if (!(fabs(along) >= flat) || !has_face(reference, k % 3)) continue;
        const int64_t count = collide_faces(reference, k % 3, along > 0 ? 1 : -1,
                                            of_A ? pair->B : pair->A, of_A, pair->margin, touching,
                                            least);
        if (isfinite(*least)) return count;
    }
    *least = INFINITY;
    return 0;
}

static int64_t nearest_contact(const boxes *pair, const closest *found, const double *n, double gap,
                               saddle__touching *touching)
{
    return saddle__touch(found->x, 1, n, gap, pair->margin, found->label, touching);
}

/* 1: a gap is no larger than the distance, to SADDLE__FLAT_ANGLE and rounding. */
static int is_nearest(const boxes *pair, double found, double distance)
{
    return found <=
           distance + SADDLE__FLAT_ANGLE * fabs(distance - pair->radius) + 1e-9 * pair->size;
}

/* Points where a corner or two edges are nearest. */
static int64_t nearest_contacts(const boxes *pair, saddle__touching *touching)
{
    const closest found = nearest_of_all(pair);
    if (!(found.distance <= pair->margin)) return 0;
    double n[3] = {0}, least;
    for (int k = 0; k < 3; k++) n[k] = found.y[k] - found.x[k];
    if (!(saddle__direction(n, n) > 0)) return 0;
    const int64_t count = face_contacts(pair, n, cos(SADDLE__FLAT_ANGLE), &least, touching);
    return is_nearest(pair, least, found.distance)
               ? count
               : nearest_contact(pair, &found, n, found.distance, touching);
}

/* radius: of the capsule whose axis is B, which counts for the tolerance of a gap only. */
static int64_t collide_cores(const saddle__solid *A, const saddle__solid *B, double radius,
                             double margin, saddle__touching *touching)
{
    boxes pair = {.A = A, .B = B, .radius = radius, .margin = margin};
    for (int k = 0; k < 3; k++) {
        pair.apart[k] = B->pose.p[k] - A->pose.p[k];
        pair.size = fmax(pair.size, fmax(A->half[k], B->half[k]));
    }
    const direction best = best_direction(&pair);
    if (!(best.separation <= margin)) return 0;
    double least;
    const int64_t count = face_contacts(&pair, best.n, cos(SADDLE__FLAT_ANGLE), &least, touching);
    const int overlap = best.separation <= SADDLE__PRODUCT_ROUNDING * pair.size;
    if (isfinite(least) && (overlap || is_nearest(&pair, least, best.separation))) return count;
    if (best.edge_A < 0) {
        if (!overlap) return nearest_contacts(&pair, touching);
        const closest found = nearest_of_all(&pair); /* the faces do not overlap along the normal */
        return nearest_contact(&pair, &found, best.n, best.separation, touching);
    }
    closest found = {.distance = INFINITY};
    compare_edges(&pair, farthest_edge(A, best.edge_A, best.n, 1),
                  farthest_edge(B, best.edge_B, best.n, -1), 0, &found);
    if (!overlap && found.distance > best.separation + 1e-9 * pair.size)
        return nearest_contacts(&pair, touching);
    return nearest_contact(&pair, &found, best.n, best.separation, touching);
}

static int64_t collide_boxes(const saddle__solid *A, const saddle__solid *B, double margin,
                             saddle__touching *touching)
{
    return collide_cores(A, B, 0, margin, touching);
}

/* The axis of a capsule is a box without width, with one edge and two corners.  Labels: of the
 * features of the axis and the box, whichever of the equal corners and edges was found. */
static int64_t capsule_label(int64_t label)
{
    const int64_t edges = label - SADDLE__LABEL_EDGES;
    if (edges >= 0) return SADDLE__LABEL_EDGES + edges / 12;
    return label < SADDLE__LABEL_CORNER_B
               ? label
               : SADDLE__LABEL_CORNER_B + ((label - SADDLE__LABEL_CORNER_B) >> 2);
}

static int64_t collide_box_capsule(const saddle__solid *A, const saddle__solid *B, double margin,
                                   saddle__touching *touching)
{
    const double radius = B->half[0];
    const saddle__solid axis = {.kind = SADDLE_TOUCH_BOX, .pose = B->pose, .half[2] = B->half[1]};
    const int64_t count = collide_cores(A, &axis, radius, margin + radius, touching);
    for (int64_t k = 0; k < count; k++) {
        saddle__touching *t = &touching[k];
        t->label = capsule_label(t->label);
        t->gap -= radius;
        for (int i = 0; i < 3; i++) t->b[i] -= radius * t->normal[i];
    }
    return count;
}

/* ---- a plane with a cylinder or an ellipsoid, a box with a cylinder ----
 *
 *     ellipsoid    one point: the support along the plane's normal
 *     cylinder     of the end that faces the plane the lowest point of the rim and two more, each
 *                  a third of a turn away; of the other end the lowest
 *
 * So a cylinder stands on three points and lies on two.  On a face of a box the lines between these
 * points are cut at the edges of the face, and corners of the face below the cylinder's end count.
 */

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

static int64_t collide_plane_round(const saddle__solid *A, const saddle__solid *B, double margin,
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

static void add_face_point(face *f, const double *x, int64_t label)
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
        add_face_point(f, x, label[which]);
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
        add_face_point(f, x, 22 + k);
    }
}

static void add_face_points(face *f)
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
static int64_t collide_box_cylinder(const saddle__solid *A, const saddle__solid *B, double margin,
                                    saddle__touching *touching)
{
    const int64_t count = saddle__collide_convex(A, B, margin, touching);
    face f = {.box = A, .cylinder = B, .margin = margin};
    if (count == 0 || !find_face(A, touching->normal, &f)) return count;
    f.spread.u = A->pose.R + 3 * f.u;
    f.spread.v = A->pose.R + 3 * f.v;
    f.spread.near = SADDLE__VISIBLE_PART * B->half[0];
    add_face_points(&f);
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

/* ---- all pairs ---- */

enum { KINDS = SADDLE_TOUCH_ELLIPSOID + 1 };

#ifdef SADDLE_HAVE_CCD
#define BY_CCD saddle__collide_convex
#define ON_FACE collide_box_cylinder
#else
#define BY_CCD NULL
#define ON_FACE NULL
#endif

/* By kinds, the smaller first. */
static saddle__collide_function *const functions[KINDS][KINDS] = {
    [SADDLE_TOUCH_SPHERE] = {collide_spheres, collide_sphere_box, collide_sphere_capsule,
                             collide_plane, BY_CCD, BY_CCD, BY_CCD},
    [SADDLE_TOUCH_BOX] = {NULL, collide_boxes, collide_box_capsule, collide_plane, BY_CCD, ON_FACE,
                          BY_CCD},
    [SADDLE_TOUCH_CAPSULE] = {NULL, NULL, collide_capsules, collide_plane, BY_CCD, BY_CCD, BY_CCD},
    [SADDLE_TOUCH_PLANE] = {NULL, NULL, NULL, NULL, collide_plane, collide_plane_round,
                            collide_plane_round},
    [SADDLE_TOUCH_CONVEX] = {NULL, NULL, NULL, NULL, BY_CCD, BY_CCD, BY_CCD},
    [SADDLE_TOUCH_CYLINDER] = {NULL, NULL, NULL, NULL, NULL, BY_CCD, BY_CCD},
    [SADDLE_TOUCH_ELLIPSOID] = {NULL, NULL, NULL, NULL, NULL, NULL, BY_CCD},
};

saddle_status saddle__collide(const saddle__solid *A, const saddle__solid *B, double margin,
                              saddle__touching *touching, int64_t *count)
{
    saddle__collide_function *function = functions[A->kind][B->kind];
    *count = function ? function(A, B, margin, touching) : 0;
    return function || B->kind < SADDLE_TOUCH_CONVEX ? SADDLE_OK : SADDLE_UNSUPPORTED;
}
