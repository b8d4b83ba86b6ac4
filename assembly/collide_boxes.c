/* SPDX-License-Identifier: MIT */
/* Two boxes: along which direction they are apart the most, or overlap the least, and what touches
 * there.
 *
 * Convex polytopes are apart if and only if they are so along a face's normal or across an edge of
 * each (Gottschalk, Lin and Manocha 1996: 3 + 3 + 9 directions for boxes); overlapping ones are
 * pushed apart soonest along one of these.  What is apart along such a direction by s is s apart
 * when points of both are found there that are; else a corner is nearest, and all features are
 * looked at.
 */
#include <math.h>

#include "collide.h"
#include "space/space.h"

/* Directions that are nearer than this angle to a face's normal are taken to be that, A's before
 * B's [rad]. */
#define FLAT 0.01

typedef struct boxes {
    const saddle__solid *A, *B;
    double apart[3]; /* from A's centre to B's */
    double size;     /* the largest half edge */
    double margin;
} boxes;

typedef struct direction {
    double n[3]; /* unit, from A to B */
    double separation;
    int edge_A, edge_B; /* axes of the edges; -1 = a face's normal */
} direction;

/* The two nearest points, x of A and y of B. */
typedef struct nearest {
    double x[3], y[3], distance;
    int64_t label;
} nearest;

/* Along n, which is turned to point from A to B. */
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

/* Of the fifteen, the one of the most separation; faces come first where they are as good to
 * rounding. */
static direction best_direction(const boxes *pair)
{
    const double rounding = 1e-12 * pair->size;
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

/* ---- what is nearest ---- */

static void keep_nearer(const double *x, const double *y, int64_t label, double rounding,
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

static void keep_nearer_of_edges(const boxes *pair, int64_t edge_A, int64_t edge_B, double rounding,
                                 nearest *found)
{
    double p[3], q[3], r[3], s[3], t, u, x[3], y[3];
    saddle__box_edge(pair->A, edge_A, p, q);
    saddle__box_edge(pair->B, edge_B, r, s);
    saddle__nearest_of_segments(p, q, r, s, &t, &u);
    saddle__between(p, q, t, x);
    saddle__between(r, s, u, y);
    keep_nearer(x, y, SADDLE__LABEL_EDGES + 12 * edge_A + edge_B, rounding, found);
}

/* The box's point nearest to x. */
static void nearest_in_box(const saddle__solid *box, const double *x, double *y)
{
    double X[3] = {x[0] - box->pose.p[0], x[1] - box->pose.p[1], x[2] - box->pose.p[2]};
    saddle__unrotate(box->pose.R, X, X);
    for (int k = 0; k < 3; k++) X[k] = fmax(-box->half[k], fmin(box->half[k], X[k]));
    saddle__rotate(box->pose.R, X, y);
    for (int k = 0; k < 3; k++) y[k] += box->pose.p[k];
}

/* Of two boxes that are apart, corner against box and edge against edge: all there is. */
static nearest nearest_of_all(const boxes *pair)
{
    const double rounding = 1e-12 * pair->size;
    nearest found = {.distance = INFINITY};
    for (int64_t k = 0; k < 8; k++) {
        double corner[3], y[3];
        saddle__box_corner(pair->A, k, corner);
        nearest_in_box(pair->B, corner, y);
        keep_nearer(corner, y, SADDLE__LABEL_CORNER_A + k, rounding, &found);
        saddle__box_corner(pair->B, k, corner);
        nearest_in_box(pair->A, corner, y);
        keep_nearer(y, corner, SADDLE__LABEL_CORNER_B + k, rounding, &found);
    }
    for (int64_t k = 0; k < 144; k++) keep_nearer_of_edges(pair, k / 12, k % 12, rounding, &found);
    return found;
}

/* The edge of a box along axis that is farthest in a direction. */
static int64_t farthest_edge(const saddle__solid *box, int axis, const double *n, double sign)
{
    const int64_t one = sign * saddle__dot(n, box->pose.R + 3 * ((axis + 1) % 3)) > 0;
    const int64_t two = sign * saddle__dot(n, box->pose.R + 3 * ((axis + 2) % 3)) > 0;
    return 4 * axis + one + 2 * two;
}

static nearest nearest_of_edges(const boxes *pair, const direction *d)
{
    nearest found = {.distance = INFINITY};
    keep_nearer_of_edges(pair, farthest_edge(pair->A, d->edge_A, d->n, 1),
                         farthest_edge(pair->B, d->edge_B, d->n, -1), 0, &found);
    return found;
}

/* ---- points ---- */

/* The points of the face whose normal n nearly is, A's before B's; 0 where there is no such face,
 * or nothing looks at it. */
static int64_t at_face(const boxes *pair, const double *n, double flat, double *least,
                       saddle__touching *touching)
{
    for (int k = 0; k < 6; k++) {
        const int of_A = k < 3;
        const saddle__solid *reference = of_A ? pair->A : pair->B;
        const double along = saddle__dot(n, reference->pose.R + 3 * (k % 3)) * (of_A ? 1 : -1);
        if (!(fabs(along) >= flat)) continue;
        const int64_t count = saddle__collide_faces(reference, k % 3, along > 0 ? 1 : -1,
                                                    of_A ? pair->B : pair->A, of_A, pair->margin,
                                                    touching, least);
        if (isfinite(*least)) return count;
    }
    *least = INFINITY;
    return 0;
}

static int64_t at_nearest(const boxes *pair, const nearest *found, const double *n, double gap,
                          saddle__touching *touching)
{
    if (!(gap <= pair->margin)) return 0;
    *touching = (saddle__touching){.gap = gap, .label = found->label};
    for (int k = 0; k < 3; k++) {
        touching->a[k] = found->x[k];
        touching->b[k] = found->x[k] + gap * n[k];
        touching->normal[k] = n[k];
    }
    return 1;
}

/* What has been found at a distance is as near as that which can be at least. */
static int is_as_near(const boxes *pair, double found, double distance)
{
    return found <= distance * (1 + FLAT) + 1e-9 * pair->size;
}

/* A corner is nearest to the other box, or an edge's to another's. */
static int64_t beside_faces(const boxes *pair, saddle__touching *touching)
{
    const nearest found = nearest_of_all(pair);
    if (!(found.distance <= pair->margin)) return 0;
    double n[3] = {0}, least;
    for (int k = 0; k < 3; k++) n[k] = found.y[k] - found.x[k];
    if (!(saddle__direction(n, n) > 0)) return 0;
    const int64_t count = at_face(pair, n, cos(FLAT), &least, touching);
    return is_as_near(pair, least, found.distance)
               ? count
               : at_nearest(pair, &found, n, found.distance, touching);
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
    const int64_t count = at_face(&pair, best.n, cos(FLAT), &least, touching);
    const int overlap = best.separation <= 0;
    if (isfinite(least) && (overlap || is_as_near(&pair, least, best.separation))) return count;
    if (best.edge_A < 0) {
        if (!overlap) return beside_faces(&pair, touching);
        const nearest found = nearest_of_all(&pair); /* a graze: the faces do not look at each
                                                        other */
        return at_nearest(&pair, &found, best.n, best.separation, touching);
    }
    const nearest found = nearest_of_edges(&pair, &best);
    if (!overlap && found.distance > best.separation + 1e-9 * pair.size)
        return beside_faces(&pair, touching);
    return at_nearest(&pair, &found, best.n, best.separation, touching);
}
