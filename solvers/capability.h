/* SPDX-License-Identifier: MIT */
/* What a problem asks of a solver, in the bits of enum saddle_capability and enum
 * saddle_matrix_capability. */
#ifndef SADDLE_SOLVERS_CAPABILITY_H
#define SADDLE_SOLVERS_CAPABILITY_H

#include "saddle/solver.h"

typedef struct saddle__demand {
    unsigned rows;
    unsigned matrices;
    int plane;  /* all contacts have two rows: one tangent: pyramid and cone are the box */
    int smooth; /* none has friction: all laws are the box's */
} saddle__demand;

saddle__demand saddle__problem_demand(const saddle_problem *problem);

/* What the type lacks of demand.rows; 0 = it can do them. */
unsigned saddle__rows_missing(const saddle_solver_type *type, saddle__demand demand);

/* Whether the matrix is symmetric as it stands: marked so, or without entries. */
int saddle__is_symmetric(const saddle_matrix *A);

#endif
