/* SPDX-License-Identifier: MIT */
/* The outer iteration of schur and pivot: rows may depend on each other, so block pivoting runs on
 * a regularized problem whose regularization is taken out again,
 *
 *     M v - J'lambda = f,   J v + R lambda + E (lambda - c) - b = w,
 *         E = epsilon size,  size_i the natural size of W_ii
 *
 * c the lambda of the step before.  For a monotone problem that is the proximal point iteration
 * (Rockafellar, SIAM J. Control Optim. 14, 1976): no step leads away from a solution, and any
 * epsilon may follow any other.
 *
 * Course.  A dense basis of few rows begins with E = 0: one run where W_FF is regular.  Otherwise
 * epsilon is options.regularization, 1e-10, and two or three steps do.  Where pivoting stalls,
 * epsilon is raised until it succeeds and comes down again from the lambda that was found.  More
 * rows with bounds than velocities depend on each other: a cold start begins with more epsilon.
 *
 * Guaranteed: every run and the number of steps are limited; the best iterate by the checker's
 * measure is returned.  Convergence for monotone problems that have a solution.
 * Only tried: W that is not monotone, coupled friction.
 * No solution: the steps d of lambda tend to a ray, J'd = 0, R d = 0, b'd > 0, with the signs that
 * the rows allow, which is offered as a certificate (saddle/certificate.h). */
#ifndef SADDLE_MLCP_PROXIMAL_H
#define SADDLE_MLCP_PROXIMAL_H

#include "mlcp/pivoting.h"
#include "mlcp/system.h"

typedef struct saddle__proximal {
    saddle_context *context;
    int64_t n, m;
    double *centre;  /* m: c */
    double *d;       /* m: the last step of lambda */
    double *best;    /* n + m: v and lambda of the least error */
    double error;    /* of best */
    double growth;   /* of best, report.residual.growth */
    int64_t taken;   /* steps of the last solve */
    int64_t raised;  /* times that epsilon was raised, in the last solve */
    int began_above; /* the last solve began with more epsilon */
} saddle__proximal;

saddle_status saddle__proximal_create(saddle_context *context, int64_t n, int64_t m,
                                      saddle__proximal *proximal);
void saddle__proximal_clear(saddle__proximal *proximal); /* half-built is fine */

/* Whether problems of so many rows are large enough for the line search. */
int saddle__proximal_searches(int64_t count);

/* The epsilon that a factorization of the system may begin with. */
double saddle__proximal_first_epsilon(const saddle__mlcp_system *system,
                                      const saddle_options *options);

/* solution: the start in, the best iterate out.  SADDLE_OK: within the tolerance;
 * SADDLE_INFEASIBLE: a certificate is offered; SADDLE_NOT_CONVERGED; a limit; a status of the
 * system.  Allocates nothing beyond what the system does. */
saddle_status saddle__proximal_solve(saddle__proximal *proximal, const saddle__mlcp_system *system,
                                     saddle__pivoting *pivoting, const saddle_problem *problem,
                                     const saddle_solver_call *call, saddle_solution *solution);

#endif
