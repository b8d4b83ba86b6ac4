/* SPDX-License-Identifier: MIT */
/* Solids within closed triangle meshes: volume, centre and inertia (Mirtich 1996).
 *
 *     integral     sum over the triangles (a, b, c), d = a'(b x c), s = a + b + c
 *     1            d / 6
 *     x            d / 24 s
 *     x x'         d / 120 (a a' + b b' + c c' + s s')
 *
 * A mesh bounds a solid if each edge belongs to two triangles that run through the edge in opposite
 * directions; triangles are counterclockwise seen from outside.  Several shells are fine, shells of
 * cavities turned inwards.  Intersections of triangles are not checked.
 */
#ifndef SADDLE_MESH_H
#define SADDLE_MESH_H

#include "saddle/inertia.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_mesh { /* borrowed */
    int64_t vertices;
    int64_t triangles;
    const double *vertex;    /* 3 x vertices [m] */
    const int64_t *triangle; /* 3 x triangles: vertices of each, from 0 */
} saddle_mesh;

/* name: for the message; NULL = "mesh".  Messages count vertices and triangles from 0, as given.
 * SADDLE_INVALID_ARGUMENT: no triangles, a vertex out of range or not finite.
 * SADDLE_INVALID_PROBLEM, naming the edge (two vertices) and the triangles: an edge of one
 * triangle (a hole) or of more than two, an edge in the same direction in two triangles; a
 * triangle without area.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_mesh_check(saddle_context *context, const saddle_mesh *mesh,
                                           const char *name);

/* volume [m^3], and inertia in the mesh's frame, of a mass [kg] or a density [kg/m^3].  The errors
 * of saddle_mesh_check, and SADDLE_INVALID_PROBLEM: a volume that is not positive (inside out, or
 * flat). */
SADDLE_API saddle_status saddle_mesh_volume(saddle_context *context, const saddle_mesh *mesh,
                                            const char *name, double *volume);
SADDLE_API saddle_status saddle_mesh_inertia_of_mass(saddle_context *context,
                                                     const saddle_mesh *mesh, const char *name,
                                                     double mass, saddle_body_inertia *inertia);
SADDLE_API saddle_status saddle_mesh_inertia_of_density(saddle_context *context,
                                                        const saddle_mesh *mesh, const char *name,
                                                        double density,
                                                        saddle_body_inertia *inertia);

SADDLE_END_DECLARATIONS

#endif
