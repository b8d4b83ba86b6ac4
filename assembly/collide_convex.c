/* SPDX-License-Identifier: MIT */
/* Contact of any two of spheres, boxes, capsules, polytopes, cylinders and ellipsoids without a
 * function of their own: the nearest points, and more where faces face each other.
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

/* ---- several points ----
 *
 * Several points of contact of two solids whose nearest points and normal n are known.
 *
 * The corners of each solid that are farthest along n, to SADDLE__FLAT_ANGLE, make a polygon or a
 * segment: corners of a box or polytope, ends of a capsule's axis, points on the rim of a cylinder
 * that stands, ends of a line on one that lies.  In the plane normal to n the two overlap in a
 * polygon or a segment, whose corners are the points; the nearest point of all stays among them.
 */

enum { OUTLINE_MOST = 32, CORNER_LABELS = 1 << 13, LABELS = 1 << 16 };

typedef struct corner {
    double x[2];   /* in the plane normal to n */
    double height; /* along n */
    int64_t label;
} corner;

typedef struct outline { /* a point, a segment, a convex polygon, counterclockwise */
    int64_t count;
    corner at[OUTLINE_MOST];
    double plane[3]; /* height = plane[0] + plane[1] x + plane[2] y */
} outline;

typedef struct manifold {
    const double *n;
    double u[3], v[3];
    double size; /* of the larger solid */
    double same; /* points nearer to each other count as one */
    outline of[2];
} manifold;

/* ---- outlines ---- */

/* A length of the solid, the same in every pose. */
static double length_of(const saddle__solid *solid)
{
    double size = 2 * fmax(solid->half[0], fmax(solid->half[1], solid->half[2]));
    for (int64_t k = 1; solid->kind == SADDLE_TOUCH_CONVEX && k < solid->corner_count; k++)
        for (int i = 0; i < 3; i++)
            size = fmax(size, fabs(solid->corner[3 * k + i] - solid->corner[i]));
    return size;
}

static void add_corner(const manifold *m, const double *x, int64_t label, outline *to)
{
    if (to->count == OUTLINE_MOST) return;
    to->at[to->count++] = (corner){{saddle__dot(m->u, x), saddle__dot(m->v, x)},
                                   saddle__dot(m->n, x),
                                   label};
}

/* Corners of a box, a polytope or a capsule's axis within reach of the farthest along `out`. */
static void add_corners(const manifold *m, const saddle__solid *solid, const double *out,
                        double reach, outline *to)
{
    const int64_t count = solid->kind == SADDLE_TOUCH_BOX       ? 8
                          : solid->kind == SADDLE_TOUCH_CAPSULE ? 2
                                                                : solid->corner_count;
    double x[3], most = -INFINITY;
    for (int64_t k = 0; k < count; k++) {
        saddle__solid_corner(solid, k, x);
        most = fmax(most, saddle__dot(out, x));
    }
    for (int64_t k = 0; k < count; k++) {
        saddle__solid_corner(solid, k, x);
        if (saddle__dot(out, x) >= most - reach) add_corner(m, x, k, to);
    }
}

/* The rim that stands on `out`, or the line along which a cylinder lies. */
static void add_round(const manifold *m, const saddle__solid *solid, const double *out, outline *to)
{
    const double *R = solid->pose.R;
    double D[3], X[3], x[3];
    saddle__unrotate(R, out, D);
    const double width = hypot(D[0], D[1]);
    const int stands = width <= SADDLE__FLAT_ANGLE, lies = fabs(D[2]) <= SADDLE__FLAT_ANGLE;
    for (int k = 0; k < (stands ? 8 : lies ? 2 : 0); k++) {
        const double angle = 0.78539816339744831 * k; /* pi/4 */
        X[0] = solid->half[0] * (stands ? cos(angle) : D[0] / width);
        X[1] = solid->half[0] * (stands ? sin(angle) : D[1] / width);
        X[2] = stands ? copysign(solid->half[1], D[2]) : (k ? solid->half[1] : -solid->half[1]);
        saddle_pose_point(&solid->pose, X, x);
        add_corner(m, x, k, to);
    }
}

/* Twice the area of (a, b, c), positive counterclockwise. */
static double area(const corner *a, const corner *b, const corner *c)
{
    return (b->x[0] - a->x[0]) * (c->x[1] - a->x[1]) - (b->x[1] - a->x[1]) * (c->x[0] - a->x[0]);
}

/* The convex hull of the corners (Andrew 1979); corners nearer than `near` to an edge are left
 * out. */
static void make_hull(outline *o, double near)
{
    corner sorted[OUTLINE_MOST], hull[2 * OUTLINE_MOST];
    int64_t count = 0;
    for (int64_t k = 0; k < o->count; k++) {
        int64_t at = k;
        for (; at > 0 &&
               (sorted[at - 1].x[0] > o->at[k].x[0] ||
                (sorted[at - 1].x[0] == o->at[k].x[0] && sorted[at - 1].x[1] > o->at[k].x[1]));
             at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = o->at[k];
    }
    for (int side = 0; side < 2; side++) {
        const int64_t first = count;
        for (int64_t k = 0; k < o->count; k++) {
            const corner *next = &sorted[side ? o->count - 1 - k : k];
            while (count >= first + 2 && area(&hull[count - 2], &hull[count - 1], next) <=
                                             near * hypot(next->x[0] - hull[count - 2].x[0],
                                                          next->x[1] - hull[count - 2].x[1]))
                count--;
            hull[count++] = *next;
        }
        count--; /* the last is the first of the other side */
    }
    if (count < 1) return;
    o->count = count < OUTLINE_MOST ? count : OUTLINE_MOST;
    memcpy(o->at, hull, (size_t)o->count * sizeof *hull);
}

/* The plane through a corner and the two that span the largest triangle with it, or the line of a
 * segment. */
static void make_plane(outline *o)
{
    const corner *a = &o->at[0], *b = &o->at[1], *c = NULL;
    double most = 0;
    memset(o->plane, 0, sizeof o->plane);
    for (int64_t i = 1; i < o->count; i++) {
        for (int64_t k = i + 1; k < o->count; k++) {
            if (fabs(area(a, &o->at[i], &o->at[k])) <= most) continue;
            most = fabs(area(a, &o->at[i], &o->at[k]));
            b = &o->at[i];
            c = &o->at[k];
        }
    }
    const double p[2] = {b->x[0] - a->x[0], b->x[1] - a->x[1]}, rise = b->height - a->height;
    if (c) {
        const double q[2] = {c->x[0] - a->x[0], c->x[1] - a->x[1]}, other = c->height - a->height,
                     det = p[0] * q[1] - p[1] * q[0];
        o->plane[1] = (rise * q[1] - other * p[1]) / det;
        o->plane[2] = (other * p[0] - rise * q[0]) / det;
    } else {
        const double square = p[0] * p[0] + p[1] * p[1];
        for (int i = 0; i < 2 && square > 0; i++) o->plane[1 + i] = rise * p[i] / square;
    }
    o->plane[0] = a->height - o->plane[1] * a->x[0] - o->plane[2] * a->x[1];
}

static double height_at(const outline *o, const double *x)
{
    return o->plane[0] + o->plane[1] * x[0] + o->plane[2] * x[1];
}

/* out: n for A, -n for B.  0: a single point. */
static int make_outline(const manifold *m, const saddle__solid *solid, const double *out,
                        outline *o)
{
    if (solid->kind == SADDLE_TOUCH_CYLINDER)
        add_round(m, solid, out, o);
    else if (solid->kind == SADDLE_TOUCH_BOX || solid->kind == SADDLE_TOUCH_CAPSULE ||
             solid->kind == SADDLE_TOUCH_CONVEX)
        add_corners(m, solid, out, SADDLE__FLAT_ANGLE * m->size, o);
    if (o->count < 2) return 0;
    make_hull(o, SADDLE__VISIBLE_PART * m->size);
    if (o->count < 2) return 0;
    make_plane(o);
    for (int64_t k = 0; k < o->count; k++)
        if (fabs(height_at(o, o->at[k].x) - o->at[k].height) > SADDLE__VISIBLE_PART * m->size)
            return 0; /* of a round surface in facets */
    return 1;
}

/* ---- overlap ---- */

/* A label of two features, below CORNER_LABELS each. */
static int64_t crossing(int64_t a, int64_t b)
{
    return CORNER_LABELS * 2 + (a * 131 + b) % (LABELS - CORNER_LABELS * 2);
}

/* Cuts `o` at the edge from p to q of a counterclockwise polygon (Sutherland and Hodgman 1974). */
static void cut(outline *o, const corner *p, const corner *q, double near)
{
    outline kept = {0};
    const double length = hypot(q->x[0] - p->x[0], q->x[1] - p->x[1]);
    for (int64_t k = 0; k < o->count && kept.count < OUTLINE_MOST; k++) {
        const corner *a = &o->at[k], *b = &o->at[(k + 1) % o->count];
        const double at_a = area(p, q, a) / length, at_b = area(p, q, b) / length;
        if (at_a >= -near) kept.at[kept.count++] = *a;
        if ((at_a >= -near) == (at_b >= -near) || kept.count == OUTLINE_MOST) continue;
        if (o->count == 2 && k == 1) continue; /* the way back along a segment */
        const double t = fmin(fmax(at_a / (at_a - at_b), 0), 1);
        kept.at[kept.count++] = (corner){{a->x[0] + t * (b->x[0] - a->x[0]),
                                          a->x[1] + t * (b->x[1] - a->x[1])},
                                         0,
                                         crossing(a->label, p->label)};
    }
    o->count = kept.count;
    memcpy(o->at, kept.at, sizeof kept.at);
}

/* The part of segment o beside segment other, where it lies on the other's line: ends to `same`. */
static int cut_segment(outline *o, const outline *other, double near, double same)
{
    const corner *p = &other->at[0], *q = &other->at[1];
    const double d[2] = {q->x[0] - p->x[0], q->x[1] - p->x[1]}, length = hypot(d[0], d[1]);
    for (int side = 0; side < 2; side++) { /* by lines across the ends of the other */
        const corner *end = side ? q : p;
        corner across = *end;
        across.x[0] += side ? -d[1] : d[1];
        across.x[1] += side ? d[0] : -d[0];
        cut(o, end, &across, near);
    }
    for (int64_t k = 0; k < o->count; k++)
        if (fabs(area(p, q, &o->at[k])) > same * length) return 0;
    return o->count == 2;
}

/* The overlap of both outlines, in *o; 0: none of more than a point. */
static int overlap(const manifold *m, outline *o)
{
    const outline *A = &m->of[0], *B = &m->of[1];
    const int swapped = A->count < 3 && B->count >= 3;
    const outline *clip = swapped ? B : A;
    const double near = SADDLE__VISIBLE_PART * m->size;
    *o = swapped ? *A : *B;
    for (int64_t k = 0; k < o->count; k++) o->at[k].label += swapped ? 0 : CORNER_LABELS;
    if (clip->count < 3) return cut_segment(o, clip, near, m->same);
    for (int64_t k = 0; k < clip->count && o->count > 0; k++)
        cut(o, &clip->at[k], &clip->at[(k + 1) % clip->count], near);
    return o->count > 1;
}

/* touching (SADDLE__TOUCHES_MAX): one point with its normal, of two solids with radii about their
 * cores; up to four where faces, edges or lines face each other.  Returns their number. */
static int64_t spread_out(const saddle__solid *A, const saddle__solid *B, double radius_A,
                          double radius_B, double margin, saddle__touching *touching)
{
    const saddle__touching nearest = touching[0];
    manifold m = {.n = nearest.normal};
    outline o;
    const double out[3] = {-m.n[0], -m.n[1], -m.n[2]};
    int axis = 0; /* of A, by which the points are spread */
    for (int k = 1; k < 3; k++)
        if (fabs(saddle__dot(m.n, A->pose.R + 3 * k)) <
            fabs(saddle__dot(m.n, A->pose.R + 3 * axis)) - SADDLE__VISIBLE_PART)
            axis = k;
    saddle__cross(m.n, A->pose.R + 3 * axis, m.u);
    saddle__direction(m.u, m.u);
    saddle__cross(m.n, m.u, m.v);
    m.size = fmax(length_of(A), length_of(B));
    m.same = 1e-3 * m.size;
    if (!make_outline(&m, A, m.n, &m.of[0]) || !make_outline(&m, B, out, &m.of[1])) return 1;
    if (!overlap(&m, &o)) return 1;
    saddle__spread spread = {.u = m.u, .v = m.v, .near = m.same};
    for (int64_t k = 0; k < o.count; k++) {
        const double *at = o.at[k].x, low = height_at(&m.of[0], at),
                     gap = height_at(&m.of[1], at) - low - radius_A - radius_B;
        double x[3];
        saddle__touching found;
        for (int i = 0; i < 3; i++)
            x[i] = at[0] * m.u[i] + at[1] * m.v[i] + (low + radius_A) * m.n[i];
        if (saddle__touch(x, 1, m.n, fmax(gap, nearest.gap), margin, 1 + o.at[k].label, &found))
            saddle__spread_add(&spread, &found);
    }
    if (spread.count < 2) return 1;
    if (nearest.gap < spread.deepest.gap - 1e-12 * m.size) saddle__spread_add(&spread, &nearest);
    const int64_t count = saddle__spread_take(&spread, touching);
    for (int64_t k = 1; k < count; k++) /* labels differ */
        for (int64_t i = 0; i < k; i++)
            if (touching[i].label == touching[k].label) {
                touching[k].label = (touching[k].label + 1) % LABELS;
                i = -1;
            }
    return count;
}

/* ---- the pair ---- */

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
        return spread_out(&core_A, &core_B, radius_A, radius_B, margin, touching);
    }
    const double deepest = least_displacement(&core_A, &core_B, size, n, a, b);
    *touching = (saddle__touching){.gap = deepest - radius_A - radius_B};
    for (int k = 0; k < 3; k++) {
        touching->a[k] = 0.5 * (a[k] + b[k] - deepest * n[k]) + radius_A * n[k];
        touching->b[k] = touching->a[k] + touching->gap * n[k];
        touching->normal[k] = n[k];
    }
    return spread_out(&core_A, &core_B, radius_A, radius_B, margin, touching);
}

#endif
