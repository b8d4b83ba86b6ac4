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

#include "base/tolerances.h"
#include "saddle/collider.h"
#include "space/space.h"

enum { SADDLE__TOUCHES_MAX = 4 };

/* A shape in its present pose. */
typedef struct saddle__solid {
    saddle_touch_kind kind;
    saddle_pose pose;     /* in the world */
    double half[3];       /* BOX: half edges; SPHERE: radius; CAPSULE, CYLINDER: radius, half of the
                             axis; ELLIPSOID: semi-axes */
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
 * SADDLE_UNSUPPORTED, without a message: libccd is required. */
saddle_status saddle__collide(const saddle__solid *A, const saddle__solid *B, double margin,
                              saddle__touching *touching, int64_t *count);

/* lo, hi (3): bounding box, world axes; infinite for a plane. */
void saddle__solid_bounds(const saddle__solid *solid, double *lo, double *hi);

/* x (3): corner k of a box (bit i is 1 where coordinate i is positive) or a polytope, end k of the
 * axis of a capsule, centre of a sphere; world axes. */
void saddle__solid_corner(const saddle__solid *solid, int64_t k, double *x);

/* ---- pairs ---- */

typedef int64_t saddle__collide_function(const saddle__solid *A, const saddle__solid *B,
                                         double margin, saddle__touching *touching);

/* With libccd only: one point of any two shapes but planes. */
saddle__collide_function saddle__collide_convex;

/* ---- geometry ---- */

/* c = a + t (b - a) */
static inline void saddle__between(const double *a, const double *b, double t, double *c)
{
    for (int k = 0; k < 3; k++) c[k] = a[k] + t * (b[k] - a[k]);
}

/* touching: point x of A's surface (on_A 1) or of B's (0) and its partner at gap along n, the
 * normal from A to B.  Returns 1; 0 where the gap is above margin. */
static inline int64_t saddle__touch(const double *x, int on_A, const double *n, double gap,
                                    double margin, int64_t label, saddle__touching *touching)
{
    if (!(gap <= margin)) return 0;
    *touching = (saddle__touching){.gap = gap, .label = label};
    for (int k = 0; k < 3; k++) {
        touching->a[k] = on_A ? x[k] : x[k] - gap * n[k];
        touching->b[k] = on_A ? x[k] + gap * n[k] : x[k];
        touching->normal[k] = n[k];
    }
    return 1;
}

/* ---- selection of contact points ---- */

/* All of up to four points, else the outermost along (+-1, +-1) of the axes u, v, and the deepest.
 * Points nearer than `near` to a selected one are left out.  Start from zero but u, v, near. */
typedef struct saddle__spread {
    const double *u, *v;
    double near;
    int64_t count;
    double score[4];
    saddle__touching first[SADDLE__TOUCHES_MAX], outer[4], deepest;
} saddle__spread;

void saddle__spread_add(saddle__spread *spread, const saddle__touching *touching);

/* Returns the number of points in touching (SADDLE__TOUCHES_MAX). */
int64_t saddle__spread_take(const saddle__spread *spread, saddle__touching *touching);

/* Directions within this angle of a face's normal are taken to be the normal [rad]. */
#define SADDLE__FLAT_ANGLE 0.01

/* Labels of two boxes' features: corners of A, corners of B, an edge of each. */
enum {
    SADDLE__LABEL_CORNER_A,
    SADDLE__LABEL_CORNER_B = SADDLE__LABEL_CORNER_A + 8,
    SADDLE__LABEL_EDGES = SADDLE__LABEL_CORNER_B + 8
};

/* The model of a collider. */
const saddle_model *saddle__collider_model(const saddle_collider *collider);

#endif
