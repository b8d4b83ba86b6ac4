/* SPDX-License-Identifier: MIT */
/* Few rows with bounds and contacts (C) over meshes and mechanisms: the velocities and the equality
 * rows (E) are eliminated, once, and the rows of C solved as a problem without velocities. */
#ifndef SADDLE_SOLVERS_CONDENSE_H
#define SADDLE_SOLVERS_CONDENSE_H

#include "saddle/solver.h"

/* How the velocities of a problem hang together. */
typedef enum saddle__connection {
    SADDLE__BODIES,   /* most velocities are those of single bodies */
    SADDLE__MESH,     /* most are coupled, by M or equality rows, with more than those of a body */
    SADDLE__CONDENSES /* such a mesh, and W of C has no more entries than M and J */
} saddle__connection;

/* Of patterns and bounds alone.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__connection_find(saddle_context *context, const saddle_problem *problem,
                                      saddle__connection *coupling);

/* For problems with SADDLE__CONDENSES.  factor: SADDLE_SINGULAR where M is singular on the
 * velocities that the equality rows leave.  Not in the registry. */
extern const saddle_solver_type saddle__solver_condensed;

#endif
