/* SPDX-License-Identifier: MIT */
/* The solution of least norm of a singular symmetric system, in 106 bits.
 *
 *     K x = b,   b in the range of K;   min |x|_2
 *
 * With S = diag(+-1), by the signs of the pivots, and a small delta, steps
 *
 *     (K + delta S) d = b - K x,   x <- x + d       from x = 0
 *
 * are orthogonal to the null space N of K: N'S d = 0, because N'K = 0 and N'b = 0; velocities and
 * rows have null spaces apart where M and R are semidefinite.  Each d is refined in 106 bits by one
 * factorization in double precision.  What rounding has left along N is
 *
 *     (K + delta S) p = delta S x        p = x along N, and of the order of delta elsewhere
 *
 * repeated from p until p is along N alone, and x <- x - p. */
#ifndef SADDLE_REFERENCE_LEAST_H
#define SADDLE_REFERENCE_LEAST_H

#include "factor/factorization.h"
#include "matrix/twin.h"

typedef struct saddle__least { /* sizes in maximum norms */
    double contraction;        /* the largest ratio of two steps in sequence */
    double last;               /* bound of the next step, but for the part along N */
    double removed;            /* |p| */
    double size;               /* |x| */
    int64_t steps;
} saddle__least;

/* delta: of the regularization that the factors hold: F are those of K + delta S, S = sign (0: not
 * regularized).  b, x: K->rows.  SADDLE_OUT_OF_MEMORY, statuses of the factorization. */
saddle_status saddle__least_norm(saddle_context *context, const saddle_matrix *K,
                                 const signed char *sign, double delta, saddle__factorization *F,
                                 const saddle__twin *b, saddle__twin *x, saddle__least *found);

#endif
