/* SPDX-License-Identifier: MIT */
/* W = J M^-1 J' + R dense (m x m, by columns), and what it is made of: M factored, symmetric or not.
 *
 *     v = M^-1 (f + J'lambda),     w = J v + R lambda - b = W lambda + q,     q = J M^-1 f - b
 *
 * n = 0: W = R, q = -b. */
#ifndef SADDLE_LEMKE_DENSE_DELASSUS_H
#define SADDLE_LEMKE_DENSE_DELASSUS_H

#include "factor/factorization.h"
#include "saddle/problem.h"

typedef struct saddle__dense_delassus {
    saddle__factorization *mass; /* of M; NULL where n = 0                */
    saddle_ordering ordering;
    int pivoting;                /* M has been found to need it           */
    double *mass_scale;          /* n: |M_jj|                             */
    double *velocity;            /* n                                     */
    double *W;                   /* m x m                                 */
} saddle__dense_delassus;

saddle_status saddle__dense_delassus_analyse(saddle_context *context, const saddle_problem *problem,
                                             saddle_ordering ordering, saddle__dense_delassus *delassus);

/* SADDLE_SINGULAR: M; the message names the velocity. */
saddle_status saddle__dense_delassus_form(saddle_context *context, const saddle_problem *problem,
                                          saddle__dense_delassus *delassus);

/* v (n) <- M^-1 v */
saddle_status saddle__dense_delassus_solve(saddle__dense_delassus *delassus, const saddle_problem *problem, double *v);

/* v (n) = M^-1 (f + J'lambda) */
saddle_status saddle__dense_delassus_velocity(saddle__dense_delassus *delassus, const saddle_problem *problem,
                                              const double *lambda, double *v);

void saddle__dense_delassus_clear(saddle_context *context, saddle__dense_delassus *delassus); /* half-built is fine */

#endif
