/* SPDX-License-Identifier: MIT */
/* Contact of two shapes.
 *
 *     b = a + gap n,  n unit from A to B;  a on A's surface, b on B's, world axes
 *
 * Separate shapes: the least gap is the distance and n the direction between the closest points.
 * Overlapping shapes: -gap is the displacement along n that separates them.  The labels of a pair's
 * points persist while the same features touch.
 */
#ifndef SADDLE_ASSEMBLY_COLLIDE_H
#define SADDLE_ASSEMBLY_COLLIDE_H

#include "saddle/collider.h"

enum { SADDLE__TOUCHES_MAX = 4 };

/* Directions within this angle of a face's normal are taken to be the normal [rad]. */
#define SADDLE__FLAT_ANGLE 0.01

/* Points nearer to each other than this share of a shape's size are one. */
#define SADDLE__SAME_POINT 1e-3

/* Lengths below this share of a shape's size are rounding. */
#define SADDLE__ROUNDING 1e-12

/* A shape in its present pose. */
typedef struct saddle__solid {
    saddle_touch_kind kind;
    saddle_pose pose;     /* in the world */
    double half[3];       /* BOX: half edges; SPHERE: radius; CAPSULE: radius, half of its axis */
    int64_t corner_count; /* CONVEX */
    const double *corner; /* CONVEX: 3 x corner_count, shape axes */
    double aside[3];      /* unit: separates the shape from concentric ones */
} saddle__solid;

typedef struct saddle__touching {
    double a[3], b[3], normal[3];
    double gap;
    int64_t label; /* 0 .. 65535 */
    int deep;      /* 1: deep overlap of round shapes, without friction */
} saddle__touching;

/* touching (SADDLE__TOUCHES_MAX): *count points nearer than margin.  A->kind <= B->kind.
 * SADDLE_UNSUPPORTED: libccd is required; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__collide(saddle_context *context, const saddle__solid *A,
                              const saddle__solid *B, double margin, saddle__touching *touching,
                              int64_t *count);

/* The farthest point of a shape in a direction, world axes; not for planes. */
void saddle__solid_support(const saddle__solid *solid, const double *direction, double *point);

/* unit (3): the k-th of directions spread evenly over the sphere, all different, for `aside`.  The
 * normals of n concentric round shapes, from aside_i to aside_j, are those of n points on a small
 * sphere: velocities v_i = aside_i separate all pairs.  Normals drawn pair by pair may forbid every
 * separation, and one normal for all pairs would build a tower. */
void saddle__solid_aside(int64_t k, double *unit);

/* normal (3) <- the direction from A's `aside` to B's, its component normal to axis (unit; NULL =
 * the whole); unchanged where the component vanishes. */
void saddle__solid_apart(const saddle__solid *A, const saddle__solid *B, const double *axis,
                         double *normal);

/* lo, hi (3): bounding box, world axes; infinite for a plane. */
void saddle__solid_bounds(const saddle__solid *solid, double *lo, double *hi);

/* ---- pairs ---- */

typedef int64_t saddle__collide_function(const saddle__solid *A, const saddle__solid *B,
                                         double margin, saddle__touching *touching);

saddle__collide_function saddle__collide_box_capsule, saddle__collide_boxes;

/* One point of any two of spheres, boxes, capsules and convex polytopes, by libccd. */
saddle_status saddle__collide_convex(saddle_context *context, const saddle__solid *A,
                                     const saddle__solid *B, double margin,
                                     saddle__touching *touching, int64_t *count);

/* ---- pairs of bounding boxes ----
 *
 * Overlapping pairs of boxes along the world's axes: sort along one axis, sweep once (Baraff 1992,
 * thesis, 2.3).
 */

typedef struct saddle__bounds {
    double lo[3], hi[3];
} saddle__bounds;

/* All-zero is empty; memory is kept. */
typedef struct saddle__pairs {
    int64_t count, capacity; /* pairs */
    int64_t *pair;           /* first * 2^32 + second, first < second, ascending */
    int64_t *order;          /* boxes along the axis */
    int64_t order_capacity;
} saddle__pairs;

/* pairs: overlapping or touching pairs of the boxes (count) for which wanted gives 1; empty boxes
 * (lo > hi) overlap nothing. */
saddle_status saddle__pairs_find(saddle_context *context, int64_t count, const saddle__bounds *box,
                                 int (*wanted)(const void *user, int64_t first, int64_t second),
                                 const void *user, saddle__pairs *pairs);
void saddle__pairs_clear(saddle_context *context, saddle__pairs *pairs);

/* ---- geometry ---- */

/* 1: touching of two round surfaces with centres p and q, gap <= margin.  fallback: the normal of
 * concentric surfaces.  deep = 1: overlap by more than half of the smaller radius. */
int saddle__touch_round(const double *p, double p_radius, const double *q, double q_radius,
                        const double *fallback, double margin, int64_t label,
                        saddle__touching *touching);

/* touching: point x of A's surface (on_A 1) or of B's (0) and its partner at gap along n, the
 * normal from A to B.  Returns 1; 0 where the gap is above margin. */
int64_t saddle__touch(const double *x, int on_A, const double *n, double gap, double margin,
                      int64_t label, saddle__touching *touching);

/* s, t in [0, 1]: parameters of the nearest points p0 + s (p1 - p0), q0 + t (q1 - q0). */
void saddle__nearest_of_segments(const double *p0, const double *p1, const double *q0,
                                 const double *q1, double *s, double *t);

/* c = a + t (b - a) */
void saddle__between(const double *a, const double *b, double t, double *c);

/* unit <- a / |a|; returns |a|.  a = 0: unit is unchanged. */
double saddle__direction(const double *a, double *unit);

/* Selection of contact points: all of up to four, else the outermost along (+-1, +-1) of the axes
 * u, v, and the deepest.  Points nearer than `near` to a selected one are left out.  Start from
 * zero but u, v, near. */
typedef struct saddle__spread {
    const double *u, *v;
    double near;
    int64_t count;
    double score[4];
    saddle__touching first[SADDLE__TOUCHES_MAX], outer[4], deepest;
} saddle__spread;

void saddle__spread_add(saddle__spread *spread, const saddle__touching *touching);
int64_t saddle__spread_take(const saddle__spread *spread, saddle__touching *touching);

/* ---- boxes ---- */

/* Labels of two boxes' features: corners of A, corners of B, an edge of each. */
enum {
    SADDLE__LABEL_CORNER_A,
    SADDLE__LABEL_CORNER_B = SADDLE__LABEL_CORNER_A + 8,
    SADDLE__LABEL_EDGES = SADDLE__LABEL_CORNER_B + 8
};

/* Corner k = 0 .. 7 of a box: bit i is 1 where coordinate i is positive. */
void saddle__box_corner(const saddle__solid *box, int64_t corner, double *x);

/* The model of a collider. */
const saddle_model *saddle__collider_model(const saddle_collider *collider);

#endif
