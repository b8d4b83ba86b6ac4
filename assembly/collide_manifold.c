/* SPDX-License-Identifier: MIT */
/* Several points of contact of two solids whose nearest points and normal n are known.
 *
 * The corners of each solid that are farthest along n, to SADDLE__FLAT_ANGLE, make a polygon or a
 * segment: corners of a box or polytope, ends of a capsule's axis, points on the rim of a cylinder
 * that stands, ends of a line on one that lies.  In the plane normal to n the two overlap in a
 * polygon or a segment, whose corners are the points; the nearest point of all stays among them.
 */
#include <math.h>
#include <string.h>

#include "collide.h"

enum { MOST = 32, CORNER_LABELS = 1 << 13, LABELS = 1 << 16 };

typedef struct corner {
    double x[2];   /* in the plane normal to n */
    double height; /* along n */
    int64_t label;
} corner;

typedef struct outline { /* a point, a segment, a convex polygon, counterclockwise */
    int64_t count;
    corner at[MOST];
    double plane[3]; /* height = plane[0] + plane[1] x + plane[2] y */
} outline;

typedef struct manifold {
    const double *n;
    double u[3], v[3];
    double size; /* of the larger solid */
    outline of[2];
} manifold;

/* ---- outlines ---- */

/* A length of the solid, the same in every pose. */
static double size_of(const saddle__solid *solid)
{
    double size = 2 * fmax(solid->half[0], fmax(solid->half[1], solid->half[2]));
    for (int64_t k = 1; solid->kind == SADDLE_TOUCH_CONVEX && k < solid->corner_count; k++)
        for (int i = 0; i < 3; i++)
            size = fmax(size, fabs(solid->corner[3 * k + i] - solid->corner[i]));
    return size;
}

static void add_corner(const manifold *m, const double *x, int64_t label, outline *to)
{
    if (to->count == MOST) return;
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
    corner sorted[MOST], hull[2 * MOST];
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
    o->count = count < MOST ? count : MOST;
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
    for (int64_t k = 0; k < o->count && kept.count < MOST; k++) {
        const corner *a = &o->at[k], *b = &o->at[(k + 1) % o->count];
        const double at_a = area(p, q, a) / length, at_b = area(p, q, b) / length;
        if (at_a >= -near) kept.at[kept.count++] = *a;
        if ((at_a >= -near) == (at_b >= -near) || kept.count == MOST) continue;
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

/* The part of segment o beside segment other, where the two are parallel. */
static int cut_segment(outline *o, const outline *other, double near)
{
    const corner *p = &other->at[0], *q = &other->at[1];
    const double d[2] = {q->x[0] - p->x[0], q->x[1] - p->x[1]},
                 e[2] = {o->at[1].x[0] - o->at[0].x[0], o->at[1].x[1] - o->at[0].x[1]},
                 length = hypot(d[0], d[1]);
    if (fabs(d[0] * e[1] - d[1] * e[0]) > 0.05 * length * hypot(e[0], e[1])) return 0;
    for (int side = 0; side < 2; side++) { /* by lines across the ends of the other */
        const corner *end = side ? q : p;
        corner across = *end;
        across.x[0] += side ? -d[1] : d[1];
        across.x[1] += side ? d[0] : -d[0];
        cut(o, side ? end : &across, side ? &across : end, near);
        if (o->count == 0) return 0;
    }
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
    if (clip->count < 3) return cut_segment(o, clip, near);
    for (int64_t k = 0; k < clip->count && o->count > 0; k++)
        cut(o, &clip->at[k], &clip->at[(k + 1) % clip->count], near);
    return o->count > 1;
}

int64_t saddle__collide_manifold(const saddle__solid *A, const saddle__solid *B, double radius_A,
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
    m.size = fmax(size_of(A), size_of(B));
    if (!make_outline(&m, A, m.n, &m.of[0]) || !make_outline(&m, B, out, &m.of[1])) return 1;
    if (!overlap(&m, &o)) return 1;
    saddle__spread spread = {.u = m.u, .v = m.v, .near = 1e-3 * m.size};
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
