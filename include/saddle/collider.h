/* SPDX-License-Identifier: MIT */
/* A contact generator for spheres, boxes, capsules, planes, convex polytopes, cylinders and
 * ellipsoids.
 *
 * For every pair of shapes on different parts nearer than `margin` the collider gives one point of
 * contact (spheres), up to two (capsules), up to four of the clipped faces (boxes), or below a
 * plane corners of a polytope, three points of a cylinder that stands and two of one that lies; on
 * the face of a box these points of a cylinder, cut at the edges of the face.
 * Surfaces of nodes have a point for each node within reach of the other shape, and a point on a
 * face for each corner, centre of a sphere, end of a capsule's axis or node of the other; edges do
 * not touch edges.
 * Shapes that move rigidly with one part (saddle/attach.h) do not touch.
 * Pairs come from bounding boxes sorted along one axis.  Ids persist while the same features touch.
 * Concentric spheres and capsules have no normal; theirs follows directions assigned to the shapes,
 * so that many concentric shapes separate in different directions.  Round shapes that overlap by
 * more than half of the smaller radius have no friction.  Other pairs of polytopes, cylinders and
 * ellipsoids require libccd (SADDLE_HAVE_CCD): up to four points where faces, rims or lines face
 * each other, else one.
 */
#ifndef SADDLE_COLLIDER_H
#define SADDLE_COLLIDER_H

#include "saddle/contact.h"

SADDLE_BEGIN_DECLARATIONS

typedef enum saddle_touch_kind {
    SADDLE_TOUCH_SPHERE = 0,    /* size[0] radius */
    SADDLE_TOUCH_BOX = 1,       /* size: full edge lengths along x, y, z */
    SADDLE_TOUCH_CAPSULE = 2,   /* size[0] radius, size[1] length of the axis (z) without caps */
    SADDLE_TOUCH_PLANE = 3,     /* the half-space z <= 0 */
    SADDLE_TOUCH_CONVEX = 4,    /* corners */
    SADDLE_TOUCH_CYLINDER = 5,  /* size[0] radius, size[1] length of the axis (z) */
    SADDLE_TOUCH_ELLIPSOID = 6, /* size: semi-axes along x, y, z */
    SADDLE_TOUCH_SURFACE = 7    /* triangles of nodes */
} saddle_touch_kind;

typedef struct saddle_touch_def { /* start from saddle_touch_def_default()             default */
    const char *name;             /* copied; NULL is fine                              NULL */
    saddle_touch_kind kind;       /*                                                   SPHERE */
    saddle_handle part;           /* a body; a particle (spheres only); the ground;
                                     nodes (surfaces only)                             ground */
    saddle_pose pose;             /* in the body, or in the world; not of surfaces     identity */
    double size[3];               /* see saddle_touch_kind, > 0 [m]                    1 */
    int64_t corner_count;         /* CONVEX: >= 4, not in one plane                    0 */
    const double *corners;        /* CONVEX: 3 x corner_count, copied [m]              NULL */
    int64_t triangle_count;       /* SURFACE: >= 1                                     0 */
    const int64_t *triangles;     /* SURFACE: 3 x triangle_count nodes, counterclockwise
                                     seen from outside, copied                         NULL */
    double depth;                 /* SURFACE: nodes and points farther inside than this
                                     touch no face; 0 = the mean edge [m]              0 */
    double mu;                    /* of a pair: sqrt(mu_1 mu_2) [-]                    0.5 */
    double mu_torsion;            /* of a pair: the sum [m]                            0 */
    double mu_rolling;            /* of a pair: the sum [m]                            0 */
    double restitution;           /* of a pair: the larger [-]                         0 */
    int impact;                   /* 1: contacts with saddle_contact_point.impact      0 */
    saddle_compliance compliance; /* of a pair: sum of alphas, larger beta and steps   hard */
    uint32_t group;               /* shapes of one group other than 0 do not touch     0 */
} saddle_touch_def;

typedef struct saddle_collider saddle_collider;

SADDLE_API saddle_touch_def saddle_touch_def_default(void);

/* model: borrowed, outlives the collider.  *collider: released by saddle_collider_free.
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_collider_create(saddle_model *model, saddle_collider **collider);
SADDLE_API void saddle_collider_free(saddle_collider *collider); /* NULL is fine */

/* *shape: number of the shape, NULL is fine.  SADDLE_INVALID_ARGUMENT, the shape named: an
 * unsuitable part, a size or number out of range, corners in one plane. */
SADDLE_API saddle_status saddle_collider_add(saddle_collider *collider, const saddle_touch_def *def,
                                             int64_t *shape);

/* The shapes by number, as defined; valid until one is added.  NULL: no such shape. */
SADDLE_API int64_t saddle_collider_count(const saddle_collider *collider);
SADDLE_API const saddle_touch_def *saddle_collider_shape(const saddle_collider *collider,
                                                         int64_t shape);

/* Excludes all pairs of shapes on a and b, usually parts connected by a joint.
 * SADDLE_INVALID_ARGUMENT: no such part; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_collider_ignore(saddle_collider *collider, saddle_handle a,
                                                saddle_handle b);

/* Appends the present contacts nearer than margin >= 0 [m] to list, exact to 1e-9 of the shapes'
 * size.  Equal states give equal bits.  Memory grows only with the number of contacts.
 * SADDLE_UNSUPPORTED: a pair that requires libccd in a build without libccd;
 * SADDLE_INVALID_ARGUMENT: the margin, or a pose that is not finite; SADDLE_OUT_OF_MEMORY.  The
 * list is unchanged on failure. */
SADDLE_API saddle_status saddle_collider_find(saddle_collider *collider, double margin,
                                              saddle_contact_list *list);

SADDLE_END_DECLARATIONS

#endif
