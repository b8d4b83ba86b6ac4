/* SPDX-License-Identifier: MIT */
/* The demands of a problem on a solver, in the bits of enum saddle_rows, enum saddle_contacts
 * and enum saddle_matrices. */
#ifndef SADDLE_SOLVERS_CAPABILITY_H
#define SADDLE_SOLVERS_CAPABILITY_H

#include "saddle/solver.h"

typedef struct saddle__demand {
    unsigned rows;
    unsigned matrices;
    int plane;  /* all contacts have two rows, a normal and a tangent: pyramid and cone are the box
                 */
    int smooth; /* no contact has friction: all laws are the box's */
} saddle__demand;

saddle__demand saddle__problem_demand(const saddle_problem *problem);

/* The bits of demand.rows that the type lacks; 0 = the type takes all rows. */
unsigned saddle__rows_missing(const saddle_solver_type *type, saddle__demand demand);

/* Whether the matrix is marked symmetric, or has no entries. */
int saddle__is_symmetric(const saddle_matrix *A);

#endif
