/* SPDX-License-Identifier: MIT */
/* Contact of any two of spheres, boxes, capsules, polytopes, cylinders and ellipsoids without a
 * function of their own: the nearest points, and more where faces face each other
 * (collide_manifold.c).
 *
 * A sphere is a point with a radius, a capsule a segment with a radius.  The distance of separate
 * shapes is that of their Minkowski difference from the origin, by Wolfe (1976), Finding the
 * nearest point in a polytope, with corners added where the support of the shapes is.  For
 * overlapping shapes the expanding polytope algorithm of libccd (van den Bergen 2001) gives the
 * direction of least displacement, which is then refined to an exact one.
 */
#include <math.h>
#include <string.h>

#ifdef SADDLE_HAVE_CCD
#include <ccd/ccd.h>
#endif

#include "collide.h"

/* The farthest point of a shape in a direction, world axes; not for planes. */
static void solid_support(const saddle__solid *solid, const double *direction, double *point)
{
    double D[3], X[3] = {0}, unit[3] = {0, 0, 1};
    saddle__unrotate(solid->pose.R, direction, D);
    saddle__direction(D, unit);
    const int round = solid->kind == SADDLE_TOUCH_SPHERE || solid->kind == SADDLE_TOUCH_CAPSULE;
    for (int k = 0; k < 3 && round; k++) X[k] = solid->half[0] * unit[k];
    if (solid->kind == SADDLE_TOUCH_CAPSULE) X[2] += D[2] > 0 ? solid->half[1] : -solid->half[1];
    for (int k = 0; k < 3 && solid->kind == SADDLE_TOUCH_BOX; k++)
        X[k] = D[k] > 0 ? solid->half[k] : -solid->half[k];
    if (solid->kind == SADDLE_TOUCH_CYLINDER) {
        const double width = hypot(D[0], D[1]);
        for (int k = 0; k < 2 && width > 0; k++) X[k] = solid->half[0] * (D[k] / width);
        X[2] = D[2] > 0 ? solid->half[1] : -solid->half[1];
    }
    if (solid->kind == SADDLE_TOUCH_ELLIPSOID) {
        for (int k = 0; k < 3; k++) unit[k] *= solid->half[k];
        saddle__direction(unit, unit);
        for (int k = 0; k < 3; k++) X[k] = solid->half[k] * unit[k];
    }
    double most = -INFINITY;
    for (int64_t k = 0; solid->kind == SADDLE_TOUCH_CONVEX && k < solid->corner_count; k++) {
        const double along = saddle__dot(D, solid->corner + 3 * k);
        if (along > most) {
            most = along;
            memcpy(X, solid->corner + 3 * k, sizeof X);
        }
    }
    saddle_pose_point(&solid->pose, X, point);
}

void saddle__solid_bounds(const saddle__solid *solid, double *lo, double *hi)
{
    for (int k = 0; k < 3; k++) {
        double direction[3] = {0}, point[3];
        if (solid->kind == SADDLE_TOUCH_PLANE) {
            lo[k] = -INFINITY;
            hi[k] = INFINITY;
            continue;
        }
        direction[k] = -1;
        solid_support(solid, direction, point);
        lo[k] = point[k];
        direction[k] = 1;
        solid_support(solid, direction, point);
        hi[k] = point[k];
    }
}

#ifdef SADDLE_HAVE_CCD

enum { CORNERS = 4, MOST_STEPS = 200 };

/* corners of the difference b - a; the nearest point is in their affine hull */
typedef struct corral {
    int count;
    double weight[CORNERS + 1];
    double w[CORNERS + 1][3], a[CORNERS + 1][3], b[CORNERS + 1][3];
} corral;

static saddle__solid core(const saddle__solid *solid, double *radius)
{
    saddle__solid made = *solid;
    const int is_round = solid->kind == SADDLE_TOUCH_SPHERE || solid->kind == SADDLE_TOUCH_CAPSULE;
    *radius = is_round ? solid->half[0] : 0;
    if (is_round) made.half[0] = 0;
    return made;
}

static void add_support(const saddle__solid *A, const saddle__solid *B, const double *x, corral *c)
{
    const int k = c->count++;
    const double back[3] = {-x[0], -x[1], -x[2]};
    solid_support(A, x, c->a[k]);
    solid_support(B, back, c->b[k]);
    for (int i = 0; i < 3; i++) c->w[k][i] = c->b[k][i] - c->a[k][i];
    c->weight[k] = 0;
}

static void drop_corner(corral *c, int k)
{
    const size_t rest = (size_t)(c->count - k - 1);
    memmove(&c->weight[k], &c->weight[k + 1], rest * sizeof c->weight[0]);
    memmove(&c->w[k], &c->w[k + 1], rest * sizeof c->w[0]);
    memmove(&c->a[k], &c->a[k + 1], rest * sizeof c->a[0]);
    memmove(&c->b[k], &c->b[k + 1], rest * sizeof c->b[0]);
    c->count--;
}

static void combine(const corral *c, double (*points)[3], double *x)
{
    for (int i = 0; i < 3; i++) {
        x[i] = 0;
        for (int k = 0; k < c->count; k++) x[i] += c->weight[k] * points[k][i];
    }
}

/* x -= q q'x twice, for rounding; coefficient += what was taken. */
static void orthogonalize(const double *q, double *x, double *coefficient)
{
    for (int pass = 0; pass < 2; pass++) {
        const double along = saddle__dot(q, x);
        for (int i = 0; i < 3; i++) x[i] -= along * q[i];
        *coefficient += along;
    }
}

/* weight (count) of the point of the affine hull nearest to the origin: w_0 + sum z_k e_k, with the
 * edges e_k from the newest corner w_0 and their QR factors, R z = -Q'w_0.  Normal equations would
 * lose the digits of corners close together on a round shape.  Returns 0 where the corners are
 * affinely dependent. */
static int nearest_in_hull(const corral *c, double *weight)
{
    const int n = c->count - 1;
    double Q[CORNERS][3], R[CORNERS][CORNERS] = {{0}}, z[CORNERS];
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 3; i++) Q[k][i] = c->w[k][i] - c->w[n][i];
        const double length = sqrt(saddle__dot(Q[k], Q[k]));
        for (int j = 0; j < k; j++) orthogonalize(Q[j], Q[k], &R[j][k]);
        R[k][k] = saddle__direction(Q[k], Q[k]);
        if (!(R[k][k] > SADDLE__VANISHED_PIVOT * length)) return 0;
    }
    weight[n] = 1;
    for (int k = n - 1; k >= 0; k--) {
        z[k] = -saddle__dot(Q[k], c->w[n]);
        for (int j = k + 1; j < n; j++) z[k] -= R[k][j] * z[j];
        z[k] /= R[k][k];
        if (!isfinite(z[k])) return 0;
        weight[k] = z[k];
        weight[n] -= z[k];
    }
    return 1;
}

/* The nearest point of the convex hull: towards the nearest point of the affine hull until a weight
 * becomes zero; that corner is dropped. */
static int nearest_in_corners(corral *c)
{
    while (c->count > 1) {
        double weight[CORNERS + 1], step = 1;
        int blocking = -1;
        if (!nearest_in_hull(c, weight)) return 0;
        for (int k = 0; k < c->count; k++) {
            if (weight[k] > 1e-14 || c->weight[k] - weight[k] <= 0) continue;
            const double reach = c->weight[k] / (c->weight[k] - weight[k]);
            if (reach < step || blocking < 0) {
                step = fmin(step, reach);
                blocking = k;
            }
        }
        for (int k = 0; k < c->count; k++) c->weight[k] += step * (weight[k] - c->weight[k]);
        if (blocking < 0) return 1;
        drop_corner(c, blocking);
    }
    c->weight[0] = 1;
    return 1;
}

/* a, b: nearest points of two polytopes; returns their distance, 0 where they overlap or touch. */
static double nearest_points(const saddle__solid *A, const saddle__solid *B, double *a, double *b)
{
    corral c = {0};
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = B->pose.p[k] - A->pose.p[k];
    add_support(A, B, x, &c);
    c.weight[0] = 1;
    for (int step = 0; step < MOST_STEPS; step++) {
        double size = 0;
        combine(&c, c.w, x);
        for (int k = 0; k < c.count; k++) size = fmax(size, saddle__dot(c.w[k], c.w[k]));
        const double squared = saddle__dot(x, x);
        if (c.count > CORNERS || squared <= 1e-24 * size) break;
        corral next = c;
        add_support(A, B, x, &next);
        if (saddle__dot(x, next.w[c.count]) >= squared - 1e-15 * size)
            break; /* nothing is nearer */
        if (!nearest_in_corners(&next)) break;
        double y[3];
        combine(&next, next.w, y);
        if (!(saddle__dot(y, y) < squared)) break;
        c = next;
    }
    combine(&c, c.a, a);
    combine(&c, c.b, b);
    combine(&c, c.w, x);
    return c.count > 3 ? 0 : sqrt(saddle__dot(x, x));
}

/* libccd's search for the depth has no limit of its own: after so many calls of both supports the
 * difference of the solids is said to end at 0, which no face can exceed. */
typedef struct limited {
    const saddle__solid *solid;
    uint64_t *left;
} limited;

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    const limited *of = object;
    memset(point, 0, sizeof *point);
    if (*of->left == 0) return;
    --*of->left;
    solid_support(of->solid, direction->v, point->v);
}

/* n: approximate direction of least displacement of B.  0: no overlap according to libccd. */
static int find_direction(const saddle__solid *A, const saddle__solid *B, double tolerance,
                          double *n)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support;
    ccd.support2 = support;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = tolerance;
    ccd_real_t depth;
    ccd_vec3_t direction, point;
    uint64_t left = 4 * ccd.max_iterations;
    const limited a = {A, &left}, b = {B, &left};
    if (ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &point) != 0) return 0;
    memcpy(n, direction.v, sizeof direction.v);
    return saddle__direction(n, n) > 0;
}

static double size_of(const saddle__solid *solid)
{
    double lo[3], hi[3];
    saddle__solid_bounds(solid, lo, hi);
    return fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2]));
}

/* Separation s(n) of A and B along n. */
static double separation(const saddle__solid *A, const saddle__solid *B, const double *n)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    double a[3], b[3];
    solid_support(A, n, a);
    solid_support(B, back, b);
    return saddle__dot(n, b) - saddle__dot(n, a);
}

/* Turns n to a local maximum of s(n): B, displaced along n to a small distance, has nearest points
 * along another n1 with s(n1) = d - D n1'n >= s(n), where D = little - s(n) is the displacement and
 * d >= little the distance.  a, b: the points, b displaced back.  Returns s(n). */
static double refine_direction(const saddle__solid *A, const saddle__solid *B, double little,
                               double *n, double *a, double *b)
{
    double deepest = separation(A, B, n);
    for (int k = 0; k < MOST_STEPS; k++) {
        saddle__solid moved = *B;
        double next[3], x[3], y[3];
        for (int i = 0; i < 3; i++) moved.pose.p[i] += (little - deepest) * n[i];
        if (!(nearest_points(A, &moved, x, y) > 0)) break;
        for (int i = 0; i < 3; i++) next[i] = y[i] - x[i];
        saddle__direction(next, next);
        const double found = separation(A, B, next);
        memcpy(a, x, sizeof x);
        for (int i = 0; i < 3; i++) b[i] = y[i] - (little - deepest) * n[i];
        if (!(found > deepest + 1e-14 * little)) break;
        memcpy(n, next, sizeof next);
        deepest = found;
    }
    return deepest;
}

/* n: the largest s(n) from the best of libccd's direction, centre to centre, and 26 around.  a, b
 * as above.  Returns s(n). */
static double least_displacement(const saddle__solid *A, const saddle__solid *B, double size,
                                 double *n, double *a, double *b)
{
    double best = -INFINITY;
    for (int k = 0; k < 28; k++) {
        double d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        for (int i = 0; i < 3 && k == 13; i++) d[i] = B->pose.p[i] - A->pose.p[i];
        const int is_direction = k < 27 ? saddle__direction(d, d) > 0
                                        : find_direction(A, B, 1e-10 * size, d);
        if (!is_direction || !(separation(A, B, d) > best)) continue;
        best = separation(A, B, d);
        memcpy(n, d, sizeof d);
    }
    return refine_direction(A, B, 0.01 * size, n, a, b);
}

int64_t saddle__collide_convex(const saddle__solid *A, const saddle__solid *B, double margin,
                               saddle__touching *touching)
{
    double radius_A, radius_B, a[3], b[3], n[3] = {0, 0, 1};
    const saddle__solid core_A = core(A, &radius_A), core_B = core(B, &radius_B);
    const double size = size_of(A) + size_of(B), distance = nearest_points(&core_A, &core_B, a, b);
    if (distance > 1e-10 * size) {
        for (int k = 0; k < 3; k++) n[k] = b[k] - a[k];
        const double apart = saddle__direction(n, n);
        for (int k = 0; k < 3; k++) a[k] += radius_A * n[k];
        if (!saddle__touch(a, 1, n, apart - radius_A - radius_B, margin, 0, touching)) return 0;
        return saddle__collide_manifold(&core_A, &core_B, radius_A, radius_B, margin, touching);
    }
    const double deepest = least_displacement(&core_A, &core_B, size, n, a, b);
    *touching = (saddle__touching){.gap = deepest - radius_A - radius_B};
    for (int k = 0; k < 3; k++) {
        touching->a[k] = 0.5 * (a[k] + b[k] - deepest * n[k]) + radius_A * n[k];
        touching->b[k] = touching->a[k] + touching->gap * n[k];
        touching->normal[k] = n[k];
    }
    return saddle__collide_manifold(&core_A, &core_B, radius_A, radius_B, margin, touching);
}

#endif
