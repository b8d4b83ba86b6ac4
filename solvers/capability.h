/* SPDX-License-Identifier: MIT */
/* What solvers require of a matrix. */
#ifndef SADDLE_SOLVERS_CAPABILITY_H
#define SADDLE_SOLVERS_CAPABILITY_H

#include "saddle/matrix.h"

/* Whether the matrix is marked symmetric, or has no entries. */
static inline int saddle__is_symmetric(const saddle_matrix *A)
{
    return A->symmetry != SADDLE_SYMMETRY_NONE || saddle_matrix_entries(A) == 0;
}

#endif
