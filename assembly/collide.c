/* SPDX-License-Identifier: MIT */
/* Contact of spheres, capsules and planes by nearest points of centres and axes; corners on planes;
 * boxes with boxes and capsules; selection of contact points; the function of each pair.  Segments:
 * Ericson (2005), Real-Time Collision Detection, 5.1.9. */
#include <math.h>
#include <string.h>

#include "collide.h"

/* Directions within this angle of a face's normal are taken to be the normal [rad]. */
static const double flat_angle = 0.01;

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

int saddle__touch_round(const double *p, double p_radius, const double *q, double q_radius,
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
    return saddle__touch_round(A->pose.p, A->half[0], B->pose.p, B->half[0], normal, margin, 0,
                               touching);
}

static void capsule_ends(const saddle__solid *capsule, double *from, double *to)
{
    for (int k = 0; k < 3; k++) {
        const double reach = capsule->half[1] * capsule->pose.R[6 + k];
        from[k] = capsule->pose.p[k] - reach;
        to[k] = capsule->pose.p[k] + reach;
    }
}

static int64_t collide_sphere_capsule(const saddle__solid *A, const saddle__solid *B, double margin,
                                      saddle__touching *touching)
{
    double from[3], to[3], x[3], normal[3];
    memcpy(normal, B->pose.R, sizeof normal);
    solid_apart(A, B, B->pose.R + 6, normal);
    capsule_ends(B, from, to);
    nearest_on_segment(from, to, A->pose.p, x);
    return saddle__touch_round(A->pose.p, A->half[0], x, B->half[0], normal, margin, 0, touching);
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

static int64_t collide_sphere_box(const saddle__solid *A, const saddle__solid *B, double margin,
                                  saddle__touching *touching)
{
    double X[3], nearest[3], x[3], inward[3];
    saddle_pose_point_inverse(&B->pose, A->pose.p, X);
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        nearest[k] = fmax(-B->half[k], fmin(B->half[k], X[k]));
        inside = inside && nearest[k] == X[k];
    }
    double sign;
    const int axis = nearest_face(B, X, &sign);
    for (int k = 0; k < 3; k++) inward[k] = -sign * B->pose.R[3 * axis + k];
    if (inside) nearest[axis] = sign * B->half[axis];
    saddle_pose_point(&B->pose, nearest, x);
    if (!inside) {
        const int touches = saddle__touch_round(A->pose.p, A->half[0], x, 0, inward, margin, 0,
                                                touching);
        touching->deep = 0; /* the normal of the face is definite */
        return touches;
    }
    const double gap = fabs(X[axis]) - B->half[axis] - A->half[0];
    if (!(gap <= margin)) return 0;
    *touching = (saddle__touching){.gap = gap};
    for (int k = 0; k < 3; k++) {
        touching->a[k] = A->pose.p[k] + A->half[0] * inward[k];
        touching->b[k] = x[k];
        touching->normal[k] = inward[k];
    }
    return 1;
}

/* Contact of a ball at c with the plane B. */
static int64_t ball_on_plane(const double *c, double radius, const saddle__solid *B, double margin,
                             int64_t label, saddle__touching *touching)
{
    const double *up = B->pose.R + 6;
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = c[k] - B->pose.p[k];
    const double height = saddle__dot(up, apart);
    if (!(height - radius <= margin)) return 0;
    *touching = (saddle__touching){.gap = height - radius, .label = label};
    for (int k = 0; k < 3; k++) {
        touching->a[k] = c[k] - radius * up[k];
        touching->b[k] = c[k] - height * up[k];
        touching->normal[k] = -up[k];
    }
    return 1;
}

static int64_t collide_sphere_plane(const saddle__solid *A, const saddle__solid *B, double margin,
                                    saddle__touching *touching)
{
    return ball_on_plane(A->pose.p, A->half[0], B, margin, 0, touching);
}

/* ---- capsules ---- */

static int64_t collide_capsule_plane(const saddle__solid *A, const saddle__solid *B, double margin,
                                     saddle__touching *touching)
{
    double from[3], to[3];
    capsule_ends(A, from, to);
    int64_t count = ball_on_plane(from, A->half[0], B, margin, 0, touching);
    count += ball_on_plane(to, A->half[0], B, margin, 1, touching + count);
    return count;
}

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
        if (!saddle__touch_round(end < 2 ? own : x, A->half[0], end < 2 ? x : own, B->half[0],
                                 fallback, margin, 1 + end, &found)) {
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

/* Turns normal to the side on which B separates from A. */
static void turn_apart(const saddle__solid *A, const saddle__solid *B, double *normal)
{
    const double sign = saddle__dot(normal, B->aside) < saddle__dot(normal, A->aside) ? -1 : 1;
    for (int k = 0; k < 3; k++) normal[k] *= sign;
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
    capsule_ends(A, p[0], p[1]);
    capsule_ends(B, q[0], q[1]);
    nearest_of_segments(p[0], p[1], q[0], q[1], &s, &t);
    saddle__between(p[0], p[1], s, x);
    saddle__between(q[0], q[1], t, y);
    saddle__cross(A->pose.R + 6, B->pose.R + 6, across);
    const double sine = sqrt(saddle__dot(across, across));
    memcpy(fallback, A->pose.R, sizeof fallback);
    if (sine > ALONG) {
        saddle__direction(across, fallback);
        turn_apart(A, B, fallback);
    } else {
        solid_apart(A, B, A->pose.R + 6, fallback);
    }
    const int64_t label = s > 0 && s < 1 && t > 0 && t < 1 ? 0 : 5 + feature(s) * 3 + feature(t);
    if (!saddle__touch_round(x, A->half[0], y, B->half[0], fallback, margin, label, touching))
        return 0;
    if (sine > ALONG) return 1;
    static const int64_t end_labels[9] = {5, 6, 1, 8, 9, 2, 3, 4, 13}; /* as add_far_end's */
    if (label >= 5) touching->label = end_labels[label - 5];
    return add_far_end(A, B, p, q, touching->normal, margin, touching);
}

/* ---- selection of contact points ---- */

/* Selection of contact points: all of up to four, else the outermost along (+-1, +-1) of the axes
 * u, v, and the deepest.  Points nearer than `near` to a selected one are left out.  Start from
 * zero but u, v, near. */
typedef struct point_spread {
    const double *u, *v;
    double near;
    int64_t count;
    double score[4];
    saddle__touching first[SADDLE__TOUCHES_MAX], outer[4], deepest;
} point_spread;

/* Directions in (u, v) of outermost points: the corners of a rectangle. */
static const double directions[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

static void add_to_spread(point_spread *spread, const saddle__touching *touching)
{
    const double x = saddle__dot(spread->u, touching->a), y = saddle__dot(spread->v, touching->a);
    for (int k = 0; k < 4; k++) {
        const double score = directions[k][0] * x + directions[k][1] * y;
        if (spread->count > 0 && !(score > spread->score[k] + 1e-3 * spread->near)) continue;
        spread->score[k] = score;
        spread->outer[k] = *touching;
    }
    if (spread->count < SADDLE__TOUCHES_MAX) spread->first[spread->count] = *touching;
    if (spread->count == 0 || touching->gap < spread->deepest.gap) spread->deepest = *touching;
    spread->count++;
}

static double distance_of(const saddle__touching *p, const saddle__touching *q)
{
    const double apart[3] = {p->a[0] - q->a[0], p->a[1] - q->a[1], p->a[2] - q->a[2]};
    return sqrt(saddle__dot(apart, apart));
}

static int64_t nearest_of(const saddle__touching *touching, int64_t count,
                          const saddle__touching *to)
{
    int64_t found = 0;
    for (int64_t k = 1; k < count; k++)
        if (distance_of(&touching[k], to) < distance_of(&touching[found], to)) found = k;
    return found;
}

static int64_t take_from_spread(const point_spread *spread, saddle__touching *touching)
{
    if (spread->count == 0) return 0;
    const int few = spread->count <= SADDLE__TOUCHES_MAX;
    const saddle__touching *from = few ? spread->first : spread->outer;
    int64_t count = 0;
    for (int64_t k = 0; k < (few ? spread->count : 4); k++) {
        const int64_t neighbour = nearest_of(touching, count, &from[k]);
        if (count > 0 && distance_of(&touching[neighbour], &from[k]) <= spread->near) continue;
        touching[count++] = from[k];
    }
    double least = INFINITY;
    for (int64_t k = 0; k < count; k++) least = fmin(least, touching[k].gap);
    if (spread->deepest.gap < least)
        touching[nearest_of(touching, count, &spread->deepest)] = spread->deepest;
    return count;
}

/* ---- corners on planes ---- */

/* Corner k = 0 .. 7 of a box: bit i is 1 where coordinate i is positive. */
static void box_corner(const saddle__solid *box, int64_t corner, double *x)
{
    const double X[3] = {corner & 1 ? box->half[0] : -box->half[0],
                         corner & 2 ? box->half[1] : -box->half[1],
                         corner & 4 ? box->half[2] : -box->half[2]};
    saddle_pose_point(&box->pose, X, x);
}

/* Adds a corner x of a shape if nearer to the plane than margin. */
static void add_corner(const double *x, const saddle__solid *plane, double margin, int64_t label,
                       int plane_is_A, point_spread *spread)
{
    saddle__touching found;
    double up[3], n[3], off[3];
    for (int k = 0; k < 3; k++) {
        up[k] = plane->pose.R[6 + k];
        n[k] = plane_is_A ? up[k] : -up[k];
        off[k] = x[k] - plane->pose.p[k];
    }
    if (saddle__touch(x, !plane_is_A, n, saddle__dot(up, off), margin, label, &found))
        add_to_spread(spread, &found);
}

static int64_t collide_box_plane(const saddle__solid *A, const saddle__solid *B, double margin,
                                 saddle__touching *touching)
{
    const double least_half = fmin(A->half[0], fmin(A->half[1], A->half[2]));
    point_spread spread = {.u = B->pose.R, .v = B->pose.R + 3, .near = same_point * least_half};
    for (int64_t k = 0; k < 8; k++) {
        double x[3];
        box_corner(A, k, x);
        add_corner(x, B, margin, k, 0, &spread);
    }
    return take_from_spread(&spread, touching);
}

static int64_t collide_plane_convex(const saddle__solid *A, const saddle__solid *B, double margin,
                                    saddle__touching *touching)
{
    double size = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int64_t k = 0; k < B->corner_count; k++) {
            lo = fmin(lo, B->corner[3 * k + axis]);
            hi = fmax(hi, B->corner[3 * k + axis]);
        }
        size = fmin(size, hi - lo);
    }
    point_spread spread = {.u = A->pose.R, .v = A->pose.R + 3, .near = same_point * size};
    for (int64_t k = 0; k < B->corner_count; k++) {
        double x[3];
        saddle_pose_point(&B->pose, B->corner + 3 * k, x);
        add_corner(x, A, margin, k, 1, &spread);
    }
    return take_from_spread(&spread, touching);
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
    double sign;      /* of the normal */
    double center[3]; /* in the world */
    const double *n;  /* axis of the box; the normal is sign n */
} box_face;

typedef struct face_overlap {
    box_face R, I; /* reference, incident */
    int reference_is_A;
    double margin, tolerance, least;
    point_spread spread;
} face_overlap;

/* Edge 0 .. 11: 4 axis + two bits, the signs of the next two coordinates. */
static void box_edge(const saddle__solid *box, int64_t edge, double *from, double *to)
{
    const int axis = (int)(edge / 4), u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int64_t corner = (edge & 1) << u | ((edge & 2) >> 1) << v;
    box_corner(box, corner, from);
    box_corner(box, corner | (int64_t)1 << axis, to);
}

static box_face make_face(const saddle__solid *box, int axis, double sign)
{
    box_face made = {
        .box = box, .axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3, .sign = sign};
    made.n = box->pose.R + 3 * axis;
    for (int k = 0; k < 3; k++)
        made.center[k] = box->pose.p[k] + sign * box->half[axis] * made.n[k];
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
    *height = f->sign * saddle__dot(f->n, to);
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
    for (int k = 0; k < 3; k++) {
        const double out = o->R.sign * o->R.n[k];
        n[k] = o->reference_is_A ? out : -out;
    }
    o->least = fmin(o->least, height);
    if (saddle__touch(x, !o->reference_is_A, n, height, o->margin, label, &found))
        add_to_spread(&o->spread, &found);
}

/* Corners of the incident face over the reference, at their own height. */
static void add_incident_corners(face_overlap *o)
{
    const int64_t first = o->reference_is_A ? SADDLE__LABEL_CORNER_B : SADDLE__LABEL_CORNER_A;
    for (int k = 0; k < 4; k++) {
        double x[3], u, v, height;
        const int64_t corner = face_corner(&o->I, k);
        box_corner(o->I.box, corner, x);
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
        box_corner(o->R.box, corner, x);
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
        box_corner(o->I.box, face_corner(&o->I, k), from);
        box_corner(o->I.box, face_corner(&o->I, (k + 1) % 4), to);
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
    o.tolerance = same_point * smallest;
    o.spread.u = reference->pose.R + 3 * o.R.u;
    o.spread.v = reference->pose.R + 3 * o.R.v;
    o.spread.near = 2 * o.tolerance;
    add_incident_corners(&o);
    add_reference_corners(&o);
    add_crossings(&o);
    *least = o.least;
    return take_from_spread(&o.spread, touching);
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

/* The point of the box nearest to x. */
static void nearest_in_box(const saddle__solid *box, const double *x, double *y)
{
    double X[3];
    saddle_pose_point_inverse(&box->pose, x, X);
    for (int k = 0; k < 3; k++) X[k] = fmax(-box->half[k], fmin(box->half[k], X[k]));
    saddle_pose_point(&box->pose, X, y);
}

/* Nearest points of separate boxes: all corners against boxes, all edges against edges. */
static closest nearest_of_all(const boxes *pair)
{
    const double rounding = SADDLE__PRODUCT_ROUNDING * pair->size;
    closest found = {.distance = INFINITY};
    for (int64_t k = 0; k < 8; k++) {
        double corner[3], y[3];
        box_corner(pair->A, k, corner);
        nearest_in_box(pair->B, corner, y);
        compare_points(corner, y, SADDLE__LABEL_CORNER_A + k, rounding, &found);
        box_corner(pair->B, k, corner);
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

static closest nearest_of_edges(const boxes *pair, const direction *d)
{
    closest found = {.distance = INFINITY};
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

static int64_t nearest_contact(const boxes *pair, const closest *found, const double *n, double gap,
                               saddle__touching *touching)
{
    return saddle__touch(found->x, 1, n, gap, pair->margin, found->label, touching);
}

/* 1: a gap is no larger than the distance, to flat_angle and rounding. */
static int is_nearest(const boxes *pair, double found, double distance)
{
    return found <= distance * (1 + flat_angle) + 1e-9 * pair->size;
}

/* Points where a corner or two edges are nearest. */
static int64_t nearest_contacts(const boxes *pair, saddle__touching *touching)
{
    const closest found = nearest_of_all(pair);
    if (!(found.distance <= pair->margin)) return 0;
    double n[3] = {0}, least;
    for (int k = 0; k < 3; k++) n[k] = found.y[k] - found.x[k];
    if (!(saddle__direction(n, n) > 0)) return 0;
    const int64_t count = face_contacts(pair, n, cos(flat_angle), &least, touching);
    return is_nearest(pair, least, found.distance)
               ? count
               : nearest_contact(pair, &found, n, found.distance, touching);
}

static int64_t collide_boxes(const saddle__solid *A, const saddle__solid *B, double margin,
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
    const int64_t count = face_contacts(&pair, best.n, cos(flat_angle), &least, touching);
    const int overlap = best.separation <= 0;
    if (isfinite(least) && (overlap || is_nearest(&pair, least, best.separation))) return count;
    if (best.edge_A < 0) {
        if (!overlap) return nearest_contacts(&pair, touching);
        const closest found = nearest_of_all(&pair); /* the faces do not overlap along the normal */
        return nearest_contact(&pair, &found, best.n, best.separation, touching);
    }
    const closest found = nearest_of_edges(&pair, &best);
    if (!overlap && found.distance > best.separation + 1e-9 * pair.size)
        return nearest_contacts(&pair, touching);
    return nearest_contact(&pair, &found, best.n, best.separation, touching);
}

/* ---- a box and a capsule ----
 *
 * The box against the axis of the capsule, a segment, in box axes.
 *
 * Outside the box the squared distance of p + t (q - p) is convex in t, and a parabola between the
 * planes of the faces.  Inside, the least displacement is along a face normal or the cross product
 * of an edge and the segment (faces of the Minkowski sum).  Over a face, both ends of the segment's
 * part above the face are points.
 */
typedef struct meeting {
    const saddle__solid *box;
    double radius, margin;
    double p[3], along[3]; /* the segment p + t along, t = 0 .. 1, in the box's axes */
} meeting;

static void point_at(const meeting *m, double t, double *x)
{
    for (int k = 0; k < 3; k++) x[k] = m->p[k] + t * m->along[k];
}

/* The squared distance of x from the box; nearest (3) its nearest point. */
static double squared_distance(const meeting *m, const double *x, double *nearest)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        nearest[k] = fmax(-m->box->half[k], fmin(m->box->half[k], x[k]));
        sum += (x[k] - nearest[k]) * (x[k] - nearest[k]);
    }
    return sum;
}

/* t of least distance in [from, to], where no coordinate crosses a face. */
static double least_between(const meeting *m, double from, double to)
{
    double x[3], slope = 0, curvature = 0;
    point_at(m, 0.5 * (from + to), x);
    for (int k = 0; k < 3; k++) {
        if (fabs(x[k]) <= m->box->half[k]) continue;
        const double wall = x[k] > 0 ? m->box->half[k] : -m->box->half[k];
        slope += (m->p[k] - wall) * m->along[k];
        curvature += m->along[k] * m->along[k];
    }
    const double t = curvature > 0 ? -slope / curvature : 0.5 * (from + to);
    return t < from ? from : t > to ? to : t;
}

/* t of the point of the segment nearest to the box; *squared: squared distance. */
static double nearest_parameter(const meeting *m, double *squared)
{
    double stop[8] = {0};
    int stops = 1;
    for (int k = 0; k < 6; k++) {
        const double wall = k < 3 ? m->box->half[k] : -m->box->half[k - 3];
        const double t = m->along[k % 3] != 0 ? (wall - m->p[k % 3]) / m->along[k % 3] : -1;
        if (!(t > 0 && t < 1)) continue;
        int place = stops++;
        for (; stop[place - 1] > t; place--) stop[place] = stop[place - 1];
        stop[place] = t;
    }
    stop[stops] = 1;
    double best = 0;
    *squared = INFINITY;
    for (int k = 0; k < stops; k++) {
        double x[3], nearest[3];
        const double t = least_between(m, stop[k], stop[k + 1]);
        point_at(m, t, x);
        const double found = squared_distance(m, x, nearest);
        if (found < *squared) {
            *squared = found;
            best = t;
        }
    }
    return best;
}

/* A contact at x on the box, gap along n, box axes. */
static int64_t add_contact(const meeting *m, const double *x, const double *n, double gap,
                           int64_t label, saddle__touching *touching)
{
    double on_box[3], normal[3];
    saddle_pose_point(&m->box->pose, x, on_box);
    saddle__rotate(m->box->pose.R, n, normal);
    return saddle__touch(on_box, 1, normal, gap, m->margin, label, touching);
}

/* Contacts at the ends of the segment's part over a face; 0 where no gap is at most `most`. */
static int64_t segment_contacts(const meeting *m, int axis, double sign, double most,
                                saddle__touching *touching)
{
    double from = 0, to = 1, n[3] = {0}, least = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (k == axis) continue;
        if (m->along[k] == 0 && fabs(m->p[k]) > m->box->half[k]) return 0;
        if (m->along[k] == 0) continue;
        const double one = (m->box->half[k] - m->p[k]) / m->along[k],
                     two = (-m->box->half[k] - m->p[k]) / m->along[k];
        from = fmax(from, fmin(one, two));
        to = fmin(to, fmax(one, two));
    }
    if (from > to) return 0;
    n[axis] = sign;
    int64_t count = 0;
    const double length = sqrt(saddle__dot(m->along, m->along));
    for (int end = 0; end < 2; end++) {
        double x[3];
        point_at(m, end == 0 ? from : to, x);
        const double gap = sign * x[axis] - m->box->half[axis] - m->radius;
        x[axis] = sign * m->box->half[axis];
        least = fmin(least, gap);
        const int64_t label = end + (end == 0 ? from > 0 : to < 1) * 2;
        if (end == 1 && (to - from) * length <= same_point * m->radius && count > 0) {
            if (gap < touching[0].gap) add_contact(m, x, n, gap, label, touching);
        } else {
            count += add_contact(m, x, n, gap, label, touching + count);
        }
    }
    return least <= most ? count : 0;
}

/* The axis of the face with normal nearly n; -1 = none. */
static int flat_axis(const double *n)
{
    for (int k = 0; k < 3; k++)
        if (fabs(n[k]) >= cos(flat_angle)) return k;
    return -1;
}

static int64_t separate_contacts(const meeting *m, double t, double distance,
                                 saddle__touching *touching)
{
    const double gap = distance - m->radius;
    double x[3], nearest[3], n[3];
    point_at(m, t, x);
    squared_distance(m, x, nearest);
    int64_t sides = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = x[k] - nearest[k];
        sides = 3 * sides + (n[k] > 0) - (n[k] < 0) + 1;
    }
    saddle__direction(n, n);
    const int axis = flat_axis(n);
    const int64_t count = axis < 0 ? 0
                                   : segment_contacts(m, axis, n[axis] > 0 ? 1 : -1,
                                                      gap + flat_angle * fabs(gap), touching);
    return count > 0 ? count : add_contact(m, nearest, n, gap, 8 + sides, touching);
}

/* n: cross product of a box axis and the segment, from the box to the segment.  Returns the
 * separation, -INFINITY where parallel. */
static double across_edges(const meeting *m, int axis, double *n)
{
    double edge[3] = {0};
    edge[axis] = 1;
    saddle__cross(edge, m->along, n);
    const double length = sqrt(saddle__dot(m->along, m->along));
    if (!(saddle__dot(n, n) > SADDLE__PRODUCT_ROUNDING * length * length)) return -INFINITY;
    saddle__direction(n, n);
    double off = saddle__dot(n, m->p);
    for (int k = 0; k < 3 && off < 0; k++) n[k] = -n[k];
    off = fabs(off);
    for (int k = 0; k < 3; k++) off -= fabs(n[k]) * m->box->half[k];
    return off;
}

/* Contact of the segment with the nearest edge along axis. */
static int64_t edge_contact(const meeting *m, int axis, const double *n, double separation,
                            saddle__touching *touching)
{
    double from[3], to[3], q[3], s, t, x[3];
    for (int k = 0; k < 3; k++) {
        const double side = n[k] > 0 ? m->box->half[k] : -m->box->half[k];
        from[k] = k == axis ? -m->box->half[k] : side;
        to[k] = k == axis ? m->box->half[k] : side;
    }
    point_at(m, 1, q);
    nearest_of_segments(from, to, m->p, q, &s, &t);
    saddle__between(from, to, s, x);
    return add_contact(m, x, n, separation - m->radius, 40 + axis, touching);
}

static int64_t overlap_contacts(const meeting *m, saddle__touching *touching)
{
    double q[3], n[3] = {0}, best = -INFINITY, sign = 1;
    int face = 0, edge = -1;
    point_at(m, 1, q);
    for (int k = 0; k < 6; k++) {
        const double side = k < 3 ? 1 : -1;
        const double separation = fmin(side * m->p[k % 3], side * q[k % 3]) - m->box->half[k % 3];
        if (separation <= best) continue;
        best = separation;
        face = k % 3;
        sign = side;
    }
    for (int k = 0; k < 3; k++) {
        double across[3];
        const double separation = across_edges(m, k, across);
        if (separation <= best + SADDLE__PRODUCT_ROUNDING * m->box->half[k]) continue;
        best = separation;
        edge = k;
        for (int i = 0; i < 3; i++) n[i] = across[i];
    }
    const int axis = edge < 0 ? face : flat_axis(n);
    const double most = edge < 0 ? INFINITY : best * (1 - flat_angle) - m->radius;
    if (edge >= 0) sign = axis >= 0 && n[axis] < 0 ? -1 : 1;
    const int64_t count = axis < 0 ? 0 : segment_contacts(m, axis, sign, most, touching);
    return count > 0 || edge < 0 ? count : edge_contact(m, edge, n, best, touching);
}

static int64_t collide_box_capsule(const saddle__solid *A, const saddle__solid *B, double margin,
                                   saddle__touching *touching)
{
    meeting m = {.box = A, .radius = B->half[0], .margin = margin};
    double p[3], axis[3], squared;
    for (int k = 0; k < 3; k++) {
        axis[k] = 2 * B->half[1] * B->pose.R[6 + k];
        p[k] = B->pose.p[k] - 0.5 * axis[k] - A->pose.p[k];
    }
    saddle__unrotate(A->pose.R, p, m.p);
    saddle__unrotate(A->pose.R, axis, m.along);
    const double t = nearest_parameter(&m, &squared);
    const double distance = sqrt(squared);
    if (!(distance - m.radius <= margin)) return 0;
    return distance > SADDLE__PRODUCT_ROUNDING * (A->half[0] + A->half[1] + A->half[2])
               ? separate_contacts(&m, t, distance, touching)
               : overlap_contacts(&m, touching);
}

/* ---- all pairs ---- */

enum { KINDS = SADDLE_TOUCH_CONVEX + 1 };

#ifdef SADDLE_HAVE_CCD
#define BY_CCD saddle__collide_convex
#else
#define BY_CCD NULL
#endif

/* By kinds, the smaller first. */
static saddle__collide_function *const functions[KINDS][KINDS] = {
    [SADDLE_TOUCH_SPHERE] = {collide_spheres, collide_sphere_box, collide_sphere_capsule,
                             collide_sphere_plane, BY_CCD},
    [SADDLE_TOUCH_BOX] = {NULL, collide_boxes, collide_box_capsule, collide_box_plane, BY_CCD},
    [SADDLE_TOUCH_CAPSULE] = {NULL, NULL, collide_capsules, collide_capsule_plane, BY_CCD},
    [SADDLE_TOUCH_PLANE] = {NULL, NULL, NULL, NULL, collide_plane_convex},
    [SADDLE_TOUCH_CONVEX] = {NULL, NULL, NULL, NULL, BY_CCD},
};

saddle_status saddle__collide(const saddle__solid *A, const saddle__solid *B, double margin,
                              saddle__touching *touching, int64_t *count)
{
    saddle__collide_function *function = functions[A->kind][B->kind];
    *count = function ? function(A, B, margin, touching) : 0;
    return function || B->kind != SADDLE_TOUCH_CONVEX ? SADDLE_OK : SADDLE_UNSUPPORTED;
}
