/* SPDX-License-Identifier: MIT */
/* What `saddle info` finds out about M: is it definite, how well conditioned.
 *
 * Where the connected components are small enough, densely and exactly (up to rounding), component
 * by component; else from the signs of the pivots of a sparse LDL', which `how` then
 * says. */
#ifndef SADDLE_TOOLS_ESTIMATES_H
#define SADDLE_TOOLS_ESTIMATES_H

#include "saddle/saddle.h"
#include "structure.h"

typedef struct tool_definiteness {
    int known;                        /* 0: how says why not */
    int64_t positive, negative, zero; /* inertia of M, of (M + M')/2 where M is not symmetric */
    double smallest, largest;         /* eigenvalues; NaN where not known */
    double condition;                 /* ratio of the moduli of extreme eigenvalues, or an estimate
                                         in the 1-norm; NaN where not known */
    char how[120];
} tool_definiteness;

/* components: of M's graph. */
saddle_status tool_definiteness_find(saddle_context *context, const saddle_matrix *M,
                                     const tool_components *components, tool_definiteness *found);

/* Whether dense work, of the cube of each size, stays within a few seconds. */
int tool_dense_is_cheap(const tool_components *components);

#endif
