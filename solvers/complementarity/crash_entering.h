/* SPDX-License-Identifier: MIT */
/* The crash basis of few rows that push one way, from no impulses: they enter one by one, the one
 * that breaks its law worst first, into W_BB = L U as it grows.
 *
 *     w = q + W lambda_0             lambda_0: at the bounds
 *     k = the worst
 *         w_k < 0 at its lower bound, w_k > 0 at its upper; before them rows without bounds
 *     c_p = W_k - sum_j c_j mu_jp    mu_jp = U_jp / d_j; of a symmetric W c_j[k] / d_j
 *     d_p = c_p[k],   y_p = -w_k / d_p,   w += c_p y_p
 *
 * until none breaks its law; then, backwards,
 *
 *     z_j = y_j - sum_p>j mu_jp z_p,   lambda_B = lambda_0 + z
 *
 * None leaves on the way: where all of z has the sign it is to have, which is so of nine random
 * problems of ten rows in ten, the basis is found for one factorization of it, column by column.
 * Else what has another sign leaves, and steps of the crash basis go on from there. */
#ifndef SADDLE_SOLVERS_CRASH_ENTERING_H
#define SADDLE_SOLVERS_CRASH_ENTERING_H

#include "complementarity/crash.h"

/* Room for columns c. */
int64_t saddle__crash_entering_room(int64_t m);

typedef enum saddle__entered {
    SADDLE__NOT_ENTERED, /* not for this, or a pivot vanished: lambda is what it was, states say
                            nothing */
    SADDLE__SOME_LEFT,   /* states, from which steps go on */
    SADDLE__ENTERED      /* states, lambda, w and measure of a basis that keeps the laws, plain */
} saddle__entered;

/* From q and W on, lambda = 0.  Few rows without velocities and contacts, each with one finite
 * bound, none or two that are one; W dense, its diagonal of one size.  Adds to crash->pivots. */
saddle__entered saddle__crash_enter(saddle__crash *crash);

#endif
