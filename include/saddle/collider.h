/* SPDX-License-Identifier: MIT */
/* A small contact generator, so that models run: spheres, boxes, capsules, planes, convex
 * polytopes.
 *
 * It finds, for every pair of shapes of different parts nearer than `margin`, the points of
 * contact: one for spheres, up to two for capsules, up to four (chosen of the clipped faces) for
 * boxes, those of a polytope's corners below a plane.  Pairs are found by bounding boxes sorted
 * along one axis.  Ids stay the same while the same features touch. Spheres and capsules with one
 * midpoint have no normal: theirs goes from a direction of the one shape's to one of the other's,
 * so that many of them can part all ways.  Where they overlap by more than half the smaller radius
 * mu is 0. Convex pairs other than these go to libccd where the library was built with it
 * (SADDLE_HAVE_CCD).
 */
#ifndef SADDLE_COLLIDER_H
#define SADDLE_COLLIDER_H

#include "saddle/contact.h"

SADDLE_BEGIN_DECLARATIONS

typedef enum saddle_touch_kind {
    SADDLE_TOUCH_SPHERE = 0,  /* size[0] radius */
    SADDLE_TOUCH_BOX = 1,     /* size: full edge lengths along x, y, z */
    SADDLE_TOUCH_CAPSULE = 2, /* size[0] radius, size[1] length of the axis (z) without caps */
    SADDLE_TOUCH_PLANE = 3,   /* the half-space z <= 0 */
    SADDLE_TOUCH_CONVEX = 4   /* corners */
} saddle_touch_kind;

typedef struct saddle_touch_def { /* start from saddle_touch_def_default() */
    const char *name;             /* copied; NULL is fine (default: NULL) */
    saddle_touch_kind kind;       /* default: SPHERE */
    saddle_handle part;    /* body; particle (sphere alone); {0} the ground (default: ground) */
    saddle_pose pose;      /* in the body, or in the world (default: identity) */
    double size[3];        /* see above, > 0 [m] (default: 1) */
    int64_t corner_count;  /* CONVEX: >= 4, not in one plane (default: 0) */
    const double *corners; /* CONVEX: 3 x corner_count, copied [m] (default: NULL) */
    double mu;             /* of a pair: sqrt(mu_1 mu_2) [-] (default: 0.5) */
    double restitution;    /* of a pair: the larger [-] (default: 0) */
    int impact;            /* 1: of a pair with it, saddle_contact_point.impact (default: 0) */
    saddle_compliance compliance; /* of a pair: alphas add up, the longer beta, the more steps
                                     (default: hard) */
    uint32_t group; /* shapes of the same group other than 0 never touch (default: 0) */
} saddle_touch_def;

typedef struct saddle_collider saddle_collider;

SADDLE_API saddle_touch_def saddle_touch_def_default(void);

/* model: borrowed, outlives the collider.  *collider: released by saddle_collider_free.
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_collider_create(saddle_model *model, saddle_collider **collider);
SADDLE_API void saddle_collider_free(saddle_collider *collider); /* NULL is fine */

/* *shape: its number, NULL is fine.  SADDLE_INVALID_ARGUMENT: a part that is no such, a size or
 * number out of range, corners in one plane; the shape is named. */
SADDLE_API saddle_status saddle_collider_add(saddle_collider *collider, const saddle_touch_def *def,
                                             int64_t *shape);

/* Parts joined by a joint usually should not touch: shapes of a and b are never paired.
 * SADDLE_INVALID_ARGUMENT: one of them is no more; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_collider_ignore(saddle_collider *collider, saddle_handle a,
                                                saddle_handle b);

/* Appends to list what is nearer than margin >= 0 [m] now, to 1e-9 of the shapes' size.  Same bits
 * for the same state. Allocates only what grows. SADDLE_UNSUPPORTED: a pair that needs libccd,
 * which this build is without; SADDLE_INVALID_ARGUMENT: the margin, or a pose that is not finite;
 * SADDLE_OUT_OF_MEMORY.  The list then is as it was. */
SADDLE_API saddle_status saddle_collider_find(saddle_collider *collider, double margin,
                                              saddle_contact_list *list);

SADDLE_END_DECLARATIONS

#endif
