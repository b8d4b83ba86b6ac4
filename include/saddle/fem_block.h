/* SPDX-License-Identifier: MIT */
/* A box of linear elastic material as nodes of a model, for first experiments with soft parts.
 *
 * A grid of hexahedra, or of six tetrahedra a cell, as a mesh of saddle/fem_mesh.h.  Hosts with
 * their own M and K pass these to saddle_model_add_nodes.
 */
#ifndef SADDLE_FEM_BLOCK_H
#define SADDLE_FEM_BLOCK_H

#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_fem_block { /* start from saddle_fem_block_default()             default */
    const char *name;             /* copied; NULL is fine                              NULL */
    int64_t cells[3];             /* elements along x, y, z, 1 .. 1000 each            2, 2, 2 */
    double size[3];               /* edge lengths > 0 [m]                              1, 1, 1 */
    double corner[3];             /* node of smallest coordinates [m]                  0 */
    double young;                 /* Young's modulus > 0 [Pa]                          1e6 */
    double poisson;               /* Poisson's ratio, -1 < nu < 1/2 [-]                0.3 */
    double density;               /* > 0 [kg/m^3]                                      1000 */
    double damping_mass;          /* a of Rayleigh's damping a M + b K [1/s]           0 */
    double damping_stiffness;     /* b [s]                                             0 */
    int tetrahedra;               /* 1: six tetrahedra a cell, 0: hexahedra            0 */
    int corotational;             /* 1: of tetrahedra; the elements are forces that
                                     stay in the model with the block                  0 */
} saddle_fem_block;

SADDLE_API saddle_fem_block saddle_fem_block_default(void);

/* The number of node (i, j, k) of the grid, 0 <= i <= cells[0] etc.:
 * i + (cells[0] + 1)(j + (cells[1] + 1) k). */
SADDLE_API int64_t saddle_fem_block_node(const saddle_fem_block *block, int64_t i, int64_t j,
                                         int64_t k);

/* The triangles of the block's surface, as saddle_fem_mesh_surface. */
SADDLE_API saddle_status saddle_fem_block_surface(saddle_context *context,
                                                  const saddle_fem_block *block,
                                                  int64_t **triangles, int64_t *count);

/* SADDLE_INVALID_ARGUMENT: a parameter out of its range, named; errors of
 * saddle_model_add_fem_mesh. */
SADDLE_API saddle_status saddle_model_add_fem_block(saddle_model *model,
                                                    const saddle_fem_block *block,
                                                    saddle_handle *part);

SADDLE_END_DECLARATIONS

#endif
