/* SPDX-License-Identifier: MIT */
/* A problem whose M is an operator (saddle/mass_operator.h), through any solver:
 *
 *     W = J M^-1 J' + R,  q = J M^-1 f - b      the rows' problem, without velocities
 *     w = W lambda + q, the rows' laws          solved by the solver of the name
 *     v = M^-1 (f + J'lambda)                   refined once
 *
 * and the residual at v, with M_jj for M in the units of the rows.
 *
 *     create -> analyse (pattern of the rows) -> factor (W) -> solve, as often as wanted
 */
#ifndef SADDLE_SOLVERS_OPERATOR_SOLVE_H
#define SADDLE_SOLVERS_OPERATOR_SOLVE_H

#include "saddle/solver.h"

typedef struct saddle__operator_solve saddle__operator_solve;

/* SADDLE_INVALID_ARGUMENT: mass; the errors of saddle_solver_create. */
saddle_status saddle__operator_solve_create(saddle_context *context, const char *name,
                                            const saddle_options *options,
                                            const saddle_mass_operator *mass,
                                            saddle__operator_solve **made);
void saddle__operator_solve_free(saddle__operator_solve *s); /* NULL is fine */

/* The solver of the rows. */
const saddle_solver *saddle__operator_solve_rows(const saddle__operator_solve *s);

/* As saddle_solver_analyse, factor and solve; report: written. */
saddle_status saddle__operator_solve_analyse(saddle__operator_solve *s,
                                             const saddle_problem *problem, saddle_report *report);
saddle_status saddle__operator_solve_factor(saddle__operator_solve *s,
                                            const saddle_problem *problem, saddle_report *report);
saddle_status saddle__operator_solve_solve(saddle__operator_solve *s, const saddle_problem *problem,
                                           const saddle_solution *start, saddle_solution *solution,
                                           saddle_report *report);

/* Options of the solves to come (solver.c). */
void saddle__solver_set_goal(saddle_solver *solver, double tolerance, double time_limit);

/* The proof of the last solve, if any, is forgotten, with the notes of the solve; `why` is noted
 * (solver.c). */
void saddle__solver_drop_proof(saddle_solver *solver, const char *why);

#endif
