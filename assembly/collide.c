/* SPDX-License-Identifier: MIT */
/* Contact of spheres, capsules and planes by nearest points of centres and axes; corners on planes;
 * selection of contact points; the function of each pair.  Segments: Ericson (2005), Real-Time
 * Collision Detection, 5.1.9. */
#include <math.h>
#include <string.h>

#include "collide.h"

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

void saddle__nearest_of_segments(const double *p0, const double *p1, const double *q0,
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
    double farthest = fmax(A->half[0], B->half[0]) * SADDLE__SAME_POINT;
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
    saddle__nearest_of_segments(p[0], p[1], q[0], q[1], &s, &t);
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

/* Directions in (u, v) of outermost points: the corners of a rectangle. */
static const double directions[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

void saddle__spread_add(saddle__spread *spread, const saddle__touching *touching)
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

int64_t saddle__spread_take(const saddle__spread *spread, saddle__touching *touching)
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

/* Adds a corner x of a shape if nearer to the plane than margin. */
static void add_corner(const double *x, const saddle__solid *plane, double margin, int64_t label,
                       int plane_is_A, saddle__spread *spread)
{
    saddle__touching found;
    double up[3], n[3], off[3];
    for (int k = 0; k < 3; k++) {
        up[k] = plane->pose.R[6 + k];
        n[k] = plane_is_A ? up[k] : -up[k];
        off[k] = x[k] - plane->pose.p[k];
    }
    if (saddle__touch(x, !plane_is_A, n, saddle__dot(up, off), margin, label, &found))
        saddle__spread_add(spread, &found);
}

static int64_t collide_box_plane(const saddle__solid *A, const saddle__solid *B, double margin,
                                 saddle__touching *touching)
{
    const double least_half = fmin(A->half[0], fmin(A->half[1], A->half[2]));
    saddle__spread spread = {.u = B->pose.R,
                             .v = B->pose.R + 3,
                             .near = SADDLE__SAME_POINT * least_half};
    for (int64_t k = 0; k < 8; k++) {
        double x[3];
        saddle__box_corner(A, k, x);
        add_corner(x, B, margin, k, 0, &spread);
    }
    return saddle__spread_take(&spread, touching);
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
    saddle__spread spread = {.u = A->pose.R, .v = A->pose.R + 3, .near = SADDLE__SAME_POINT * size};
    for (int64_t k = 0; k < B->corner_count; k++) {
        double x[3];
        saddle_pose_point(&B->pose, B->corner + 3 * k, x);
        add_corner(x, A, margin, k, 1, &spread);
    }
    return saddle__spread_take(&spread, touching);
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
    [SADDLE_TOUCH_BOX] = {NULL, saddle__collide_boxes, saddle__collide_box_capsule,
                          collide_box_plane, BY_CCD},
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
