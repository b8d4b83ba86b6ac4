/* SPDX-License-Identifier: MIT */
/* See lu.h. */
#include "dense/lu.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "dense/lapack.h"

static void swap(double *a, double *b)
{
    double x = *a;
    *a = *b;
    *b = x;
}

/* y -= a x */
static void subtract(int count, double a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < count; i++) y[i] -= a * x[i];
}

static int largest(const double *x, int first, int end)
{
    int at = first;
    for (int i = first + 1; i < end; i++)
        if (fabs(x[i]) > fabs(x[at])) at = i;
    return at;
}

/* The reciprocals of U's diagonal are stored: a division takes as long as several products. */
static int factor_few(int size, double *A, int64_t ld, int *exchange)
{
    for (int k = 0; k < size; k++) {
        double *l = A + k * ld;
        int pivot = largest(l, k, size);
        exchange[k] = pivot + 1;
        if (fabs(l[pivot]) < DBL_MIN) return 0;
        double inverse = 1.0 / l[pivot];
        for (int j = 0; pivot != k && j < size; j++) swap(A + k + j * ld, A + pivot + j * ld);
        l[k] = inverse;
        for (int i = k + 1; i < size; i++) l[i] *= inverse;
        for (int j = k + 1; j < size; j++)
            subtract(size - k - 1, A[k + j * ld], l + k + 1, A + k + 1 + j * ld);
    }
    return 1;
}

static void solve_few(int size, const double *A, int64_t ld, const int *exchange, double *x)
{
    for (int k = 0; k < size; k++) swap(x + k, x + exchange[k] - 1);
    for (int k = 0; k < size; k++) subtract(size - k - 1, x[k], A + k + 1 + k * ld, x + k + 1);
    for (int k = size; k-- > 0;) {
        x[k] *= A[k + k * ld];
        subtract(k, x[k], A + k * ld, x);
    }
}

int saddle__lu_factor(int size, double *A, int ld, int *exchange)
{
    int info = 0;
    if (size <= SADDLE__LU_FEW) return factor_few(size, A, ld, exchange);
    dgetrf_(&size, &size, A, &ld, exchange, &info);
    return info == 0;
}

void saddle__lu_solve(int size, const double *A, int ld, const int *exchange, int columns,
                      double *X, int ldx)
{
    int info = 0;
    for (int64_t j = 0; size <= SADDLE__LU_FEW && j < columns; j++)
        solve_few(size, A, ld, exchange, X + j * ldx);
    if (size > SADDLE__LU_FEW && columns > 0)
        dgetrs_("N", &size, &columns, A, &ld, exchange, X, &ldx, &info, 1);
}
