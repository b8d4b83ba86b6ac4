/* SPDX-License-Identifier: MIT */
/* See accuracy.h.  K is symmetric: each stored entry off the diagonal acts twice. */
#include "factor/accuracy.h"

#include <math.h>

double bench_residual(const saddle_matrix *K, const double *b, const double *x, double *r,
                      saddle__twofold *sum)
{
    double worst = 0;
    saddle__twofold_set(K->rows, b, sum);
    saddle__twofold_add(K, -1, x, sum);
    for (int64_t i = 0; i < K->rows; i++) {
        r[i] = saddle__twofold_value(sum[i]);
        if (!(fabs(r[i]) <= worst * sum[i].modulus))
            worst = fabs(r[i]) / sum[i].modulus; /* NaN stays */
    }
    return worst;
}

bench_accuracy bench_accuracy_of(const saddle_matrix *K, const double *b, const double *x,
                                 long double *work)
{
    int64_t n = K->rows;
    long double *r = work, *size = work + n, *sum = work + 2 * n;
    long double largest_b = 0, largest_x = 0, largest_r = 0, norm = 0, worst = 0;
    for (int64_t i = 0; i < n; i++) {
        r[i] = b[i];
        size[i] = fabsl(r[i]);
        sum[i] = 0;
        largest_b = fmaxl(largest_b, size[i]);
        largest_x = fmaxl(largest_x, fabsl((long double)x[i]));
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            long double a = K->value[k];
            r[i] -= a * x[j];
            size[i] += fabsl(a * x[j]);
            sum[i] += fabsl(a);
            if (i == j) continue;
            r[j] -= a * x[i];
            size[j] += fabsl(a * x[i]);
            sum[j] += fabsl(a);
        }
    for (int64_t i = 0; i < n; i++) {
        long double error = r[i] == 0 ? 0 : fabsl(r[i]) / size[i];
        if (!(error <= worst)) worst = error;
        if (!(fabsl(r[i]) <= largest_r)) largest_r = fabsl(r[i]);
        norm = fmaxl(norm, sum[i]);
    }
    long double whole = norm * largest_x + largest_b;
    bench_accuracy accuracy = {.residual = whole > 0 ? (double)(largest_r / whole) : 0,
                               .componentwise = (double)worst};
    return accuracy;
}
