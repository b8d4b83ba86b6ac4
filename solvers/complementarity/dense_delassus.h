/* SPDX-License-Identifier: MIT */
/* W = J M^-1 J' + R dense (m x m, by columns), and what it is made of: M factored, symmetric or
 * not.  Of a symmetric M it is the Schur complement of the rows (factor/complement.h); one that
 * needs pivoting, or is not symmetric, is solved with for each row.
 *
 *     v = M^-1 (f + J'lambda),     w = J v + R lambda - b = W lambda + q,     q = J M^-1 f - b
 *
 * n = 0: W = R, q = -b. */
#ifndef SADDLE_SOLVERS_DENSE_DELASSUS_H
#define SADDLE_SOLVERS_DENSE_DELASSUS_H

#include "factor/complement.h"
#include "saddle/problem.h"

typedef struct saddle__dense_delassus {
    saddle__complement complement; /* of a symmetric M, as long as .. */
    int by_complement;             /* .. this is 1 */
    saddle__factorization *mass;   /* of any other M; else NULL */
    saddle_ordering ordering;
    int pivoting;       /* M has been found to need it */
    double *mass_scale; /* n: |M_jj| */
    double *velocity;   /* n */
    double *W; /* m x m; NULL where it is not asked for: complement.W is then all there is */
} saddle__dense_delassus;

/* dense: W is to be formed dense. */
saddle_status saddle__dense_delassus_analyse(saddle_context *context, const saddle_problem *problem,
                                             saddle_ordering ordering, int dense,
                                             saddle__dense_delassus *delassus);

/* Room for the dense W after all. */
saddle_status saddle__dense_delassus_add_dense(saddle_context *context,
                                               const saddle_problem *problem,
                                               saddle__dense_delassus *delassus);

/* M alone.  SADDLE_SINGULAR: the message names the velocity. */
saddle_status saddle__dense_delassus_factor(saddle_context *context, const saddle_problem *problem,
                                            saddle__dense_delassus *delassus);

/* W, after factor, of the same values. */
saddle_status saddle__dense_delassus_form(const saddle_problem *problem,
                                          saddle__dense_delassus *delassus);

/* Of M's factorization. */
saddle__factor_counts saddle__dense_delassus_counts(const saddle__dense_delassus *delassus);

/* v (n) <- M'^-1 v; n > 0 */
saddle_status saddle__dense_delassus_solve_transpose(saddle__dense_delassus *delassus, double *v);

/* v (n) <- M^-1 v */
saddle_status saddle__dense_delassus_solve(saddle__dense_delassus *delassus,
                                           const saddle_problem *problem, double *v);

/* v (n x count, by columns) <- M^-1 v; n > 0 */
saddle_status saddle__dense_delassus_solves(saddle__dense_delassus *delassus, int64_t n,
                                            int64_t count, double *v);

/* v (n) = M^-1 (f + J'lambda) */
saddle_status saddle__dense_delassus_velocity(saddle__dense_delassus *delassus,
                                              const saddle_problem *problem, const double *lambda,
                                              double *v);

/* half-built is fine */
void saddle__dense_delassus_clear(saddle_context *context, saddle__dense_delassus *delassus);

#endif
