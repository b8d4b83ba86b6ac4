/* SPDX-License-Identifier: MIT */
/* A box of linear elastic material as nodes of a model, so that a first model has something soft in
 * it.
 *
 *     mass M (consistent) and stiffness K of 8-node hexahedra, small strain, isotropic
 *         (saddle/model.h: f = -K (x - rest))
 *
 * Hosts with meshes of their own hand over their own M and K.
 */
#ifndef SADDLE_FEM_BLOCK_H
#define SADDLE_FEM_BLOCK_H

#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_fem_block { /* start from saddle_fem_block_default() */
    const char *name;             /* copied; NULL is fine (default: NULL) */
    int64_t cells[3];             /* elements along x, y, z, 1 .. 1000 each 2, 2, 2 */
    double size[3];               /* edge lengths > 0 [m] 1, 1, 1 */
    double corner[3];             /* where the node of smallest coordinates is [m] (default: 0) */
    double young;                 /* > 0 [Pa] (default: 1e6) */
    double poisson;               /* -1 < nu < 1/2 [-] (default: 0.3) */
    double density;               /* > 0 [kg/m^3] (default: 1000) */
    double damping_mass;          /* Rayleigh's a [1/s] (default: 0) */
    double damping_stiffness;     /* Rayleigh's b [s] (default: 0) */
} saddle_fem_block;

SADDLE_API saddle_fem_block saddle_fem_block_default(void);

/* Node (i, j, k) of the grid, 0 <= i <= cells[0] and so on, is node i + (cells[0] + 1)(j +
 * (cells[1] + 1) k). */
SADDLE_API int64_t saddle_fem_block_node(const saddle_fem_block *block, int64_t i, int64_t j,
                                         int64_t k);

/* SADDLE_INVALID_ARGUMENT: a parameter out of its range, named; and the errors of
 * saddle_model_add_nodes. */
SADDLE_API saddle_status saddle_model_add_fem_block(saddle_model *model,
                                                    const saddle_fem_block *block,
                                                    saddle_handle *part);

SADDLE_END_DECLARATIONS

#endif
