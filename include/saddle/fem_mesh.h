/* SPDX-License-Identifier: MIT */
/* Linear elastic solids from meshes of tetrahedra and hexahedra, as nodes of a model.
 *
 *     linear          f = -K (x - rest),  small strain, isotropic; M the consistent mass
 *     corotational    f = -dE/dx,  E = sum of V (mu |F - R|^2 + lambda/2 tr(R'F - I)^2) over the
 *                     tetrahedra, V the volume, mu and lambda Lame's constants, F = dx/drest = R S
 *                     the polar decomposition (Mueller and Gross 2004; Chao, Pinkall, Sanan,
 *                     Schroeder 2010)
 *
 * A rigid motion exerts no corotational force, at any angle.  The corotational K is the exact
 * derivative, symmetric, and under strong compression not definite.
 */
#ifndef SADDLE_FEM_MESH_H
#define SADDLE_FEM_MESH_H

#include "saddle/element.h"
#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_fem_mesh { /* start from saddle_fem_mesh_default()               default */
    const char *name;            /* copied; NULL is fine                               NULL */
    int64_t nodes;               /*                                                    0 */
    const double *position;      /* 3 x nodes, at rest [m]                             NULL */
    int64_t tetrahedra;          /*                                                    0 */
    const int64_t *tetrahedron;  /* 4 x tetrahedra: nodes from 0, in the order of
                                    saddle/element.h                                   NULL */
    int64_t hexahedra;           /*                                                    0 */
    const int64_t *hexahedron;   /* 8 x hexahedra, likewise                            NULL */
    double young;                /* Young's modulus > 0 [Pa]                           1e6 */
    double poisson;              /* Poisson's ratio, -1 < nu < 1/2 [-]                 0.3 */
    double density;              /* > 0 [kg/m^3]                                       1000 */
    double damping_mass;         /* a of Rayleigh's damping a M + b K [1/s]            0 */
    double damping_stiffness;    /* b; 0 of corotational meshes [s]                    0 */
    int corotational;            /* 1: of tetrahedra only                              0 */
} saddle_fem_mesh;

SADDLE_API saddle_fem_mesh saddle_fem_mesh_default(void);

/* M and K (3 nodes x 3 nodes, symmetric) of the linear mesh.  M, K: released by
 * saddle_matrix_clear; empty on failure.
 * SADDLE_INVALID_ARGUMENT, the mesh named: no elements, a node out of range, twice in an element or
 * in no element, a position that is not finite, an element whose volume is not positive (by its
 * number, from 0), a parameter out of its range; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_fem_mesh_matrices(saddle_context *context,
                                                  const saddle_fem_mesh *mesh, saddle_matrix *M,
                                                  saddle_matrix *K);

/* The faces of the elements that no other element shares, those of hexahedra in halves: *triangles
 * (3 x *count nodes, counterclockwise seen from outside), for saddle_touch_def; released by
 * saddle_release.
 * SADDLE_INVALID_ARGUMENT as of saddle_fem_mesh_matrices, and a face of more than two elements;
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_fem_mesh_surface(saddle_context *context,
                                                 const saddle_fem_mesh *mesh, int64_t **triangles,
                                                 int64_t *count);

/* *part: nodes, in the mesh's order.  element (tetrahedra; NULL is fine): the forces of the
 * elements of a corotational mesh, which act on the part until they are removed; {0} else.
 * Errors: as above, hexahedra or damping_stiffness in a corotational mesh, and errors of
 * saddle_model_add_nodes; on failure the model is unchanged and *part the ground. */
SADDLE_API saddle_status saddle_model_add_fem_mesh(saddle_model *model, const saddle_fem_mesh *mesh,
                                                   saddle_handle *part, saddle_handle *element);

/* The corotational tetrahedra whose nodes are all of `part`, in the order of adding, also those
 * added by a scene or a block: element (most; NULL is fine), the first `most` of them.  Returns
 * their number. */
SADDLE_API int64_t saddle_model_part_elements(const saddle_model *model, saddle_handle part,
                                              int64_t most, saddle_handle *element);

/* The elements of a part that saddle_model_add_fem_mesh or saddle_model_add_fem_block made, nodes
 * one after another (4 or 8 x count), valid until parts are added or removed; NULL, *count = 0: no
 * such part, or none of the kind. */
SADDLE_API const int64_t *saddle_model_elements(const saddle_model *model, saddle_handle part,
                                                saddle_element_kind kind, int64_t *count);

/* ---- single corotational tetrahedra ---- */

typedef struct saddle_tetrahedron {
    double rest[12]; /* 4 nodes, 3 x 4 [m] */
    double young;    /* > 0 [Pa] */
    double poisson;  /* -1 < nu < 1/2 [-] */
} saddle_tetrahedron;

/* A corotational tetrahedron on four different particles and nodes, without mass; name: copied,
 * NULL is fine.  saddle_model_force_data gives the struct, writable between steps.  A step gives
 * SADDLE_SINGULAR where the element is crushed to a line.
 * SADDLE_INVALID_ARGUMENT, the tetrahedron named: as saddle_model_add_force, an anchor that is no
 * particle and no node, a number out of its range, a volume at rest that is not positive. */
SADDLE_API saddle_status saddle_model_add_tetrahedron(saddle_model *model, const char *name,
                                                      const saddle_anchor *anchors,
                                                      const saddle_tetrahedron *tetrahedron,
                                                      saddle_handle *force);

SADDLE_END_DECLARATIONS

#endif
