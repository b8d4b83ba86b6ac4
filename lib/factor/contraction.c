/* SPDX-License-Identifier: MIT */
/* How fast refinement will be: the error e0 of a start becomes e1 = e0 - F^-1 K e0, and so on, with
 * F what was factored,
 *
 *     F = K + diag(added) + rounding, grown with the pivots' range;
 *         contraction = |F^-1 K e1| / |F^-1 K e0|
 *
 * The corrections are compared and not the errors, since an error in the null space of K, which
 * leaves no residual, stays and does no harm. */
#include <math.h>

#include "factor/factorization.h"

static double largest(const double *x, const double *d, int64_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return (double)INFINITY;
        most = fmax(most, fabs(x[i]) / d[i]);
    }
    return most;
}

/* step <- F^-1 K error, error <- error - step */
static saddle_status refine_once(saddle__factorization *F, const saddle_matrix *A,
                                 const double *added, double *error, double *step)
{
    int64_t n = A->cols;
    saddle_matrix_apply(A, 1.0, error, 0.0, step);
    for (int64_t i = 0; added && i < n; i++) step[i] -= added[i] * error[i];
    saddle_status status = saddle__factorization_solve(F, step);
    for (int64_t i = 0; i < n; i++) error[i] -= step[i];
    return status;
}

saddle_status saddle__factorization_contraction(saddle__factorization *F, const saddle_matrix *A,
                                                const double *added, const double *d, double *work,
                                                double *contraction)
{
    int64_t n = A->cols;
    double *error = work;
    double *step = work + n;
    *contraction = 0.0;
    for (int64_t i = 0; i < n; i++) error[i] = i % 3 == 1 ? -d[i] : d[i];
    saddle_status status = refine_once(F, A, added, error, step);
    double first = largest(step, d, n);
    if (status == SADDLE_OK) status = refine_once(F, A, added, error, step);
    double second = largest(step, d, n);
    if (second > 0.0) *contraction = isfinite(first) ? second / first : (double)INFINITY;
    return status;
}
