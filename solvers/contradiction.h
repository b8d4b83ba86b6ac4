/* SPDX-License-Identifier: MIT */
/* Rows that contradict each other, looked for behind an answer of which the residual says too
 * little (problem/growth.h), or that is none, of few rows, whoever found it: by the steps of
 * pivot's impulses, contacts without their friction, which a contradiction does not need; of few
 * rows by lemke's rays as well, and without velocities by what it does behind them
 * (lemke/feasibility.h). */
#ifndef SADDLE_SOLVERS_CONTRADICTION_H
#define SADDLE_SOLVERS_CONTRADICTION_H

#include "saddle/certificate.h"
#include "saddle/options.h"

/* certificate, empty, <- one that holds by saddle_certificate_check and would have a solution be
 * far larger than answer, where there is one, and *proof what it proves; answer <- that of no
 * impulses along it.  Takes about what solving the problem does, and no longer than to deadline
 * (saddle_clock).  SADDLE_INFEASIBLE; SADDLE_OK: none was found; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__find_refutation(saddle_context *context, const saddle_problem *problem,
                                      double deadline, saddle_solution *answer,
                                      saddle_certificate *certificate, saddle_proof *proof);

/* Whether the problem is so small that looking takes no more than about a millisecond. */
int saddle__refutation_is_cheap(const saddle_problem *problem);

#endif
