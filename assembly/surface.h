/* SPDX-License-Identifier: MIT */
/* Surfaces of triangles over the nodes of a part, and their contacts.
 *
 * A node x touches the nearest triangle of another surface, at y = sum w_i y_i:
 *
 *     gap = s |x - y|,   s = 1 outside, -1 inside,   n along s (x - y) outwards
 *
 * so the force on x and those on the triangle's nodes, -w_i times as large, have neither a
 * resultant nor a moment.  A point of a body touches likewise, and a node touches a body's shape as
 * a sphere without a radius does (collide.h).
 */
#ifndef SADDLE_ASSEMBLY_SURFACE_H
#define SADDLE_ASSEMBLY_SURFACE_H

#include "collide.h"

/* With a tree of bounding boxes: the leaves from .. to of `order` are one box; the first half
 * (to - from)/2 of them follows, then the second.  A tree of c leaves has 2 c - 1 boxes. */
typedef struct saddle__surface {
    int64_t triangles;
    int64_t *triangle; /* 3 x triangles, owned */
    int64_t nodes;
    int64_t *node;   /* nodes of the triangles, ascending, owned */
    double depth;    /* of the overlaps with faces that are found */
    const double *x; /* present positions of the part's nodes */
    double *normal;  /* 3 x the largest node + 1: sums of the adjacent triangles' areas times
                        normals, owned */
    int64_t *order;  /* triangles as the leaves of the tree, owned */
    double *box;     /* 6 x (2 triangles - 1): lo, hi; a box, those of the first half of its leaves,
                        those of the second half; owned */
} saddle__surface;

/* Boxes of the present positions; returns those of all, lo and hi (6). */
const double *saddle__surface_update(saddle__surface *surface, const double *x);

/* One contact: sides of A and B without their parts; the normal from A to B. */
typedef struct saddle__surface_contact {
    int64_t label; /* below 2 (2^19) */
    double gap, normal[3];
    saddle_contact_side a, b;
} saddle__surface_contact;

typedef struct saddle__surface_contacts { /* start from zero */
    int64_t count, capacity;
    saddle__surface_contact *contact;
} saddle__surface_contacts;

/* Contacts of B with a solid A or, where of_A is not NULL, with the surface of_A, into found.
 * SADDLE_UNSUPPORTED as of saddle__collide; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__collide_surface(saddle_context *context, const saddle__solid *A,
                                      const saddle__surface *of_A, const saddle__surface *B,
                                      double margin, saddle__surface_contacts *found);

#endif
