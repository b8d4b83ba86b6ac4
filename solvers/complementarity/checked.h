/* SPDX-License-Identifier: MIT */
/* A basis' solve with its residual looked at: w_F of the basic rows is to vanish to rounding,
 * whatever updates and borders the factor has been through.
 *
 *     |w_i| <= 5000 noise_i for all i in F (1e-11 of the terms of w_i, where noise is eight
 *         roundings of them)
 *
 * Where it does not, the solution is refined by the factor that is at hand, where that is not
 * enough everything is factored anew, solved and refined, and where that is not enough either it is
 * counted, for whoever reports. */
#ifndef SADDLE_SOLVERS_CHECKED_H
#define SADDLE_SOLVERS_CHECKED_H

#include "saddle/status.h"

#include <stdint.h>

struct saddle__basis;

typedef struct saddle__exactness {
    int64_t corrected; /* solves that were refined */
    int64_t renewed;   /* of them, those for which everything was factored anew */
    int64_t inexact;   /* of them, those that stayed above rounding all the same */
} saddle__exactness;

/* As saddle__basis.solve (block_pivoting.h) after its enter, m rows.  Adds to *count. */
saddle_status saddle__basis_solve_checked(const struct saddle__basis *basis, int64_t m,
                                          const signed char *state, const double *q, double *lambda,
                                          double *w, double *noise, saddle__exactness *count);

#endif
