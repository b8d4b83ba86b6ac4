/* SPDX-License-Identifier: MIT */
/* Contact of two boxes: the direction of largest separation or least overlap, and the features in
 * that direction.
 *
 * Convex polytopes are separate if and only if a face normal or the cross product of an edge of
 * each separates them (Gottschalk, Lin and Manocha 1996: 3 + 3 + 9 directions for boxes); the least
 * displacement that separates overlapping ones is along one of these directions.  A separation s
 * along such a direction is the distance if points of both boxes face each other there; otherwise a
 * corner is nearest, and all features are compared.
 */
#include <math.h>

#include "collide.h"
#include "space/space.h"

/* ---- faces ----
 *
 * Two facing faces: the corners of their overlap.
 *
 * Along the normal of the reference face, a rectangle and a parallelogram overlap in a polygon of
 * up to eight corners: corners of either face, and crossings of two edges.  Each corner is computed
 * separately with a label from its features, so labels do not depend on the choice of the
 * reference.
 */

typedef struct face {
    const saddle__solid *box;
    int axis;         /* of the normal */
    int u, v;         /* the other two */
    double sign;      /* of the normal */
    double center[3]; /* in the world */
    const double *n;  /* axis of the box; the normal is sign n */
} face;

typedef struct face_overlap {
    face R, I; /* reference, incident */
    int reference_is_A;
    double margin, tolerance, least;
    saddle__spread spread;
} face_overlap;

void saddle__box_corner(const saddle__solid *box, int64_t corner, double *x)
{
    const double X[3] = {corner & 1 ? box->half[0] : -box->half[0],
                         corner & 2 ? box->half[1] : -box->half[1],
                         corner & 4 ? box->half[2] : -box->half[2]};
    saddle_pose_point(&box->pose, X, x);
}

/* Edge 0 .. 11: 4 axis + two bits, the signs of the next two coordinates. */
static void box_edge(const saddle__solid *box, int64_t edge, double *from, double *to)
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

/* The face of a box most opposed to a direction. */
static face opposed_face(const saddle__solid *box, const double *along_n)
{
    double along[3];
    saddle__unrotate(box->pose.R, along_n, along);
    int axis = 0;
    for (int k = 1; k < 3; k++) axis = fabs(along[k]) > fabs(along[axis]) + 1e-9 ? k : axis;
    return make_face(box, axis, along[axis] > 0 ? -1 : 1);
}

/* Number in the box of corner k = 0 .. 3 of a face, in cyclic order. */
static int64_t face_corner(const face *f, int k)
{
    const int64_t u = k == 1 || k == 2, v = k >= 2;
    return (int64_t)(f->sign > 0) << f->axis | u << f->u | v << f->v;
}

/* Number in the box of the edge from corner k to the next. */
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
static void add_point(face_overlap *o, const double *x, double height, int64_t label)
{
    saddle__touching found;
    double n[3];
    for (int k = 0; k < 3; k++) {
        const double out = o->R.sign * o->R.n[k];
        n[k] = o->reference_is_A ? out : -out;
    }
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
        saddle__box_corner(o->I.box, corner, x);
        coordinates(&o->R, x, &u, &v, &height);
        if (inside(&o->R, u, v, o->tolerance)) add_point(o, x, height, first + corner);
    }
}

/* Points of the incident face on the normals through the reference's corners. */
static void add_reference_corners(face_overlap *o)
{
    const int64_t first = o->reference_is_A ? SADDLE__LABEL_CORNER_A : SADDLE__LABEL_CORNER_B;
    const double steepness = o->R.sign * saddle__dot(o->R.n, o->I.n);
    for (int k = 0; k < 4; k++) {
        double x[3], u, v, over;
        const int64_t corner = face_corner(&o->R, k);
        saddle__box_corner(o->R.box, corner, x);
        coordinates(&o->I, x, &u, &v, &over);
        const double height = -over * o->I.sign / steepness;
        for (int i = 0; i < 3; i++) x[i] += height * o->R.sign * o->R.n[i];
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
        saddle__box_corner(o->I.box, face_corner(&o->I, k), from);
        saddle__box_corner(o->I.box, face_corner(&o->I, (k + 1) % 4), to);
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
    double out[3], smallest = INFINITY;
    for (int k = 0; k < 3; k++) {
        out[k] = o.R.sign * o.R.n[k];
        smallest = fmin(smallest, fmin(reference->half[k], other->half[k]));
    }
    o.I = opposed_face(other, out);
    o.tolerance = SADDLE__SAME_POINT * smallest;
    o.spread.u = reference->pose.R + 3 * o.R.u;
    o.spread.v = reference->pose.R + 3 * o.R.v;
    o.spread.near = 2 * o.tolerance;
    add_incident_corners(&o);
    add_reference_corners(&o);
    add_crossings(&o);
    *least = o.least;
    return saddle__spread_take(&o.spread, touching);
}

/* ---- directions ---- */

typedef struct boxes {
    const saddle__solid *A, *B;
    double apart[3]; /* from the centre of A to that of B */
    double size;     /* the largest half edge */
    double margin;
} boxes;

typedef struct direction {
    double n[3]; /* unit, from A to B */
    double separation;
    int edge_A, edge_B; /* axes of the edges; -1 = a face's normal */
} direction;

/* The nearest points, x of A and y of B. */
typedef struct nearest {
    double x[3], y[3], distance;
    int64_t label;
} nearest;

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
    const double rounding = SADDLE__ROUNDING * pair->size;
    direction best = {.separation = -INFINITY};
    for (int k = 0; k < 6 && best.separation <= pair->margin; k++) {
        const double *axis = k < 3 ? pair->A->pose.R + 3 * k : pair->B->pose.R + 3 * (k - 3);
        direction d = {.n = {axis[0], axis[1], axis[2]}, .edge_A = -1, .edge_B = -1};
        measure(pair, &d);
        if (d.separation > best.separation + (k == 0 ? 0 : rounding)) best = d;
    }
    for (int k = 0; k < 9 && best.separation <= pair->margin; k++) {
        direction d = {.edge_A = k / 3, .edge_B = k % 3};
        saddle__cross(pair->A->pose.R + 3 * d.edge_A, pair->B->pose.R + 3 * d.edge_B, d.n);
        if (!(saddle__direction(d.n, d.n) > 1e-6)) continue;
        measure(pair, &d);
        if (d.separation > best.separation + rounding) best = d;
    }
    return best;
}

/* ---- nearest points ---- */

static void compare_points(const double *x, const double *y, int64_t label, double rounding,
                           nearest *found)
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
                          nearest *found)
{
    double p[3], q[3], r[3], s[3], t, u, x[3], y[3];
    box_edge(pair->A, edge_A, p, q);
    box_edge(pair->B, edge_B, r, s);
    saddle__nearest_of_segments(p, q, r, s, &t, &u);
    saddle__between(p, q, t, x);
    saddle__between(r, s, u, y);
    compare_points(x, y, SADDLE__LABEL_EDGES + 12 * edge_A + edge_B, rounding, found);
}

/* The point of the box nearest to x. */
static void nearest_in_box(const saddle__solid *box, const double *x, double *y)
{
    double X[3];
    saddle_pose_point_inverse(&box->pose, x, X);
    for (int k = 0; k < 3; k++) X[k] = fmax(-box->half[k], fmin(box->half[k], X[k]));
    saddle_pose_point(&box->pose, X, y);
}

/* Nearest points of separate boxes: all corners against boxes, all edges against edges. */
static nearest nearest_of_all(const boxes *pair)
{
    const double rounding = SADDLE__ROUNDING * pair->size;
    nearest found = {.distance = INFINITY};
    for (int64_t k = 0; k < 8; k++) {
        double corner[3], y[3];
        saddle__box_corner(pair->A, k, corner);
        nearest_in_box(pair->B, corner, y);
        compare_points(corner, y, SADDLE__LABEL_CORNER_A + k, rounding, &found);
        saddle__box_corner(pair->B, k, corner);
        nearest_in_box(pair->A, corner, y);
        compare_points(y, corner, SADDLE__LABEL_CORNER_B + k, rounding, &found);
    }
    for (int64_t k = 0; k < 144; k++) compare_edges(pair, k / 12, k % 12, rounding, &found);
    return found;
}

/* The edge of a box along axis, farthest in a direction. */
static int64_t farthest_edge(const saddle__solid *box, int axis, const double *n, double sign)
{
    const int64_t one = sign * saddle__dot(n, box->pose.R + 3 * ((axis + 1) % 3)) > 0;
    const int64_t two = sign * saddle__dot(n, box->pose.R + 3 * ((axis + 2) % 3)) > 0;
    return 4 * axis + one + 2 * two;
}

static nearest nearest_of_edges(const boxes *pair, const direction *d)
{
    nearest found = {.distance = INFINITY};
    compare_edges(pair, farthest_edge(pair->A, d->edge_A, d->n, 1),
                  farthest_edge(pair->B, d->edge_B, d->n, -1), 0, &found);
    return found;
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
        if (!(fabs(along) >= flat)) continue;
        const int64_t count = collide_faces(reference, k % 3, along > 0 ? 1 : -1,
                                            of_A ? pair->B : pair->A, of_A, pair->margin, touching,
                                            least);
        if (isfinite(*least)) return count;
    }
    *least = INFINITY;
    return 0;
}

static int64_t nearest_contact(const boxes *pair, const nearest *found, const double *n, double gap,
                               saddle__touching *touching)
{
    return saddle__touch(found->x, 1, n, gap, pair->margin, found->label, touching);
}

/* 1: a gap is no larger than the distance, to FLAT_ANGLE and rounding. */
static int is_nearest(const boxes *pair, double found, double distance)
{
    return found <= distance * (1 + SADDLE__FLAT_ANGLE) + 1e-9 * pair->size;
}

/* Points where a corner or two edges are nearest. */
static int64_t nearest_contacts(const boxes *pair, saddle__touching *touching)
{
    const nearest found = nearest_of_all(pair);
    if (!(found.distance <= pair->margin)) return 0;
    double n[3] = {0}, least;
    for (int k = 0; k < 3; k++) n[k] = found.y[k] - found.x[k];
    if (!(saddle__direction(n, n) > 0)) return 0;
    const int64_t count = face_contacts(pair, n, cos(SADDLE__FLAT_ANGLE), &least, touching);
    return is_nearest(pair, least, found.distance)
               ? count
               : nearest_contact(pair, &found, n, found.distance, touching);
}

int64_t saddle__collide_boxes(const saddle__solid *A, const saddle__solid *B, double margin,
                              saddle__touching *touching)
{
    boxes pair = {.A = A, .B = B, .margin = margin};
    for (int k = 0; k < 3; k++) {
        pair.apart[k] = B->pose.p[k] - A->pose.p[k];
        pair.size = fmax(pair.size, fmax(A->half[k], B->half[k]));
    }
    const direction best = best_direction(&pair);
    if (!(best.separation <= margin)) return 0;
    double least;
    const int64_t count = face_contacts(&pair, best.n, cos(SADDLE__FLAT_ANGLE), &least, touching);
    const int overlap = best.separation <= 0;
    if (isfinite(least) && (overlap || is_nearest(&pair, least, best.separation))) return count;
    if (best.edge_A < 0) {
        if (!overlap) return nearest_contacts(&pair, touching);
        const nearest found = nearest_of_all(&pair); /* the faces do not overlap along the normal */
        return nearest_contact(&pair, &found, best.n, best.separation, touching);
    }
    const nearest found = nearest_of_edges(&pair, &best);
    if (!overlap && found.distance > best.separation + 1e-9 * pair.size)
        return nearest_contacts(&pair, touching);
    return nearest_contact(&pair, &found, best.n, best.separation, touching);
}
