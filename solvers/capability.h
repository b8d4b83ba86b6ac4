/* SPDX-License-Identifier: MIT */
/* What a problem requires of a solver, in the bits of enum saddle_rows, enum saddle_contacts and
 * enum saddle_matrices. */
#ifndef SADDLE_SOLVERS_CAPABILITY_H
#define SADDLE_SOLVERS_CAPABILITY_H

#include "saddle/solver.h"

typedef struct saddle__requirements {
    unsigned rows;
    unsigned rows_as_box; /* the same with the box law for contacts whose law is the box's: pyramid
                             and cone in the plane, all laws without friction */
    unsigned matrices;
} saddle__requirements;

saddle__requirements saddle__requirements_of(const saddle_problem *problem);

/* Whether the type takes all rows. */
static inline int saddle__takes_rows(const saddle_solver_type *type,
                                     const saddle__requirements *asked)
{
    return (asked->rows & ~type->rows) == 0 || (asked->rows_as_box & ~type->rows) == 0;
}

/* Whether the matrix is marked symmetric, or has no entries. */
int saddle__is_symmetric(const saddle_matrix *A);

#endif
