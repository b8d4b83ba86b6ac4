/* SPDX-License-Identifier: MIT */
/* The systems of the basic rows F that block principal pivoting asks for:
 *
 *     (W + E)_FF lambda_F = -q_F - (W + E)_FB lambda_B       B the rows at their bounds
 *
 * and with them w = (W + E) lambda + q of all rows.  Tangents that slide (rows.h) move with their
 * normals; then the matrix is (W + E)_FF + W_FS sigma, unsymmetric.
 *
 *     dense_basis.h      dense columns of any W, factored with a border of changes
 *     sparse_basis.h     sparse W: the engine on the rows of F where W is symmetric, else L U
 *     factor_rows.h      rows of the KKT system that come and go in its sparse factor */
#ifndef SADDLE_MLCP_BASIS_H
#define SADDLE_MLCP_BASIS_H

#include "saddle/status.h"

#include <stdint.h>

/* All functions allocate nothing. */
typedef struct saddle__basis {
    void *user;
    /* state (m): the set F, factored.  SADDLE_NOT_CONVERGED: singular.  A status that is not
     * SADDLE_OK ends the pivoting. */
    saddle_status (*enter)(void *user, const signed char *state);
    /* lambda (m): in where a row is at a bound, out where it is basic or slides.  w (m): out.
     * noise (m): out, the rounding to which w is known.  q: m. */
    saddle_status (*solve)(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise);
    /* lambda and w of a solve, refined by the factor at hand.  NULL: not available. */
    saddle_status (*correct)(void *user, const signed char *state, const double *q, double *lambda,
                             double *w, double *noise);
    /* enter, with everything factored anew.  NULL: enter always does. */
    saddle_status (*renew)(void *user, const signed char *state);
} saddle__basis;

#endif
