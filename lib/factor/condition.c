/* SPDX-License-Identifier: MIT */
/* A rough condition estimate: x <- (D A D)^-1 x twice from a vector of ones in changing sign.  The growth of the
 * second step is close to the modulus of the largest eigenvalue of the inverse where that one stands out, which is
 * when it matters. */
#include <math.h>

#include "factor/factorization.h"

static double largest(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return (double)INFINITY;
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double largest_entry(const saddle_matrix *A, const double *d)
{
    double most = 0.0;
    if (saddle_matrix_entries(A) == 0) return most;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            double unit = d ? d[j] * d[A->index[k]] : 1.0;
            most = fmax(most, fabs(A->value[k]) * unit);
        }
    }
    return most;
}

saddle_status saddle__factorization_condition(saddle__factorization *F, const saddle_matrix *A, const double *d,
                                              double *work, double *condition)
{
    int64_t n = A->cols;
    double growth = 1.0;
    for (int64_t i = 0; i < n; i++) work[i] = i % 3 == 1 ? -1.0 : 1.0;
    for (int step = 0; step < 2 && isfinite(growth) && growth > 0.0; step++) {
        for (int64_t i = 0; i < n; i++) work[i] = work[i] / growth;
        for (int64_t i = 0; d && i < n; i++) work[i] /= d[i];
        saddle_status status = saddle__factorization_solve(F, work);
        if (status != SADDLE_OK) return status;
        for (int64_t i = 0; d && i < n; i++) work[i] /= d[i];
        growth = largest(work, n);
    }
    *condition = growth * largest_entry(A, d);
    return SADDLE_OK;
}
