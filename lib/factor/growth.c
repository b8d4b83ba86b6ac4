/* SPDX-License-Identifier: MIT */
/* How large the terms of a factorization without pivoting become: with L D L' = A + E, computed,
 *
 *     |E| <= c u |L||D||L'|      (Higham, Accuracy and Stability, 2nd ed., theorem 11.3)
 *
 * and the largest entry of the semidefinite |L||D||L'|, measured by sizes s of its rows, is on its
 * diagonal. */
#include <math.h>

#include "factor/factorization_internal.h"

double saddle__factorization_growth(const saddle__factorization *F, const double *scale,
                                    double *work)
{
    if (F->phase != SADDLE__FACTORED || !F->method->add_squares) return (double)NAN;
    double growth = F->n > 0 ? 0.0 : 1.0;
    for (int64_t i = 0; i < F->n; i++) work[i] = 0.0;
    if (F->n > 0) F->method->add_squares(F, work);
    for (int64_t i = 0; i < F->n; i++) growth = fmax(growth, work[i] / scale[i]);
    return growth;
}
