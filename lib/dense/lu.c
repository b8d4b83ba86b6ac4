/* SPDX-License-Identifier: MIT */
/* See lu.h. */
#include "dense/lu.h"

#include <float.h>
#include <math.h>

#include "dense/lapack.h"

static void swap(double *a, double *b)
{
    double x = *a;
    *a = *b;
    *b = x;
}

/* ---- few rows ----
 *
 * Column by column, each of which takes in those before, four at a time.  The reciprocals of U's
 * diagonal are stored: a division takes as long as several products. */

void saddle__lu_forward(int count, int size, const double *A, int64_t ld, const int *exchange,
                        double *restrict x)
{
    int k = 0;
    for (int i = 0; exchange && i < count; i++) swap(x + i, x + exchange[i] - 1);
    for (; k + 4 <= count; k += 4) {
        const double *a = A + k * ld, *b = a + ld, *c = b + ld, *d = c + ld;
        double p = x[k];
        double q = x[k + 1] -= a[k + 1] * p;
        double r = x[k + 2] -= a[k + 2] * p + b[k + 2] * q;
        double s = x[k + 3] -= a[k + 3] * p + b[k + 3] * q + c[k + 3] * r;
        for (int i = k + 4; i < size; i++) x[i] -= (a[i] * p + b[i] * q) + (c[i] * r + d[i] * s);
    }
    for (; k < count; k++)
        for (int i = k + 1; i < size; i++) x[i] -= A[i + k * ld] * x[k];
}

/* x (size) <- U^-1 x */
static void go_backward(int size, const double *A, int64_t ld, double *restrict x)
{
    int k = size - 1;
    for (; k >= 3; k -= 4) {
        const double *a = A + k * ld, *b = a - ld, *c = b - ld, *d = c - ld;
        double p = x[k] *= a[k];
        double q = x[k - 1] = (x[k - 1] - a[k - 1] * p) * b[k - 1];
        double r = x[k - 2] = (x[k - 2] - (a[k - 2] * p + b[k - 2] * q)) * c[k - 2];
        double s = x[k - 3] = (x[k - 3] - (a[k - 3] * p + b[k - 3] * q + c[k - 3] * r)) * d[k - 3];
        for (int i = 0; i < k - 3; i++) x[i] -= (a[i] * p + b[i] * q) + (c[i] * r + d[i] * s);
    }
    for (; k >= 0; k--) {
        x[k] *= A[k + k * ld];
        for (int i = 0; i < k; i++) x[i] -= A[i + k * ld] * x[k];
    }
}

static int factor_few(int done, int size, double *A, int64_t ld, int *exchange)
{
    for (int k = 0; k < done; k++) { /* the rows of L below: row U^-1 */
        const double *u = A + k * ld;
        for (int i = done; i < size; i++) {
            double sum = u[i];
            for (int j = 0; j < k; j++) sum -= A[i + j * ld] * u[j];
            A[i + k * ld] = sum * u[k];
        }
    }
    for (int k = done; k < size; k++) {
        double *column = A + k * ld;
        saddle__lu_forward(k, size, A, ld, exchange, column);
        int pivot = k;
        for (int i = k + 1; i < size; i++)
            if (fabs(column[i]) > fabs(column[pivot])) pivot = i;
        exchange[k] = pivot + 1;
        if (fabs(column[pivot]) < DBL_MIN) return 0;
        for (int j = 0; pivot != k && j <= k; j++) swap(A + k + j * ld, A + pivot + j * ld);
        column[k] = 1.0 / column[k];
        for (int i = k + 1; i < size; i++) column[i] *= column[k];
    }
    return 1;
}

/* ---- many ---- */

/* P A = [ L    ] [ U  Y ]    Y = L^-1 P B,  X = C U^-1,  L2 U2 = D - X Y
 *       [ X L2 ] [    U2 ] */
static int factor_many(int done, int size, double *A, int ld, int *exchange)
{
    static const double one = 1.0, minus_one = -1.0;
    const int from_first = 1;
    int more = size - done, first = done + 1, info = 0;
    double *Y = A + (int64_t)done * ld, *X = A + done, *D = Y + done;
    if (done > 0 && done <= SADDLE__LU_FEW)
        for (int k = 0; k < done; k++) A[k + (int64_t)k * ld] = 1.0 / A[k + (int64_t)k * ld];
    if (done > 0) {
        dlaswp_(&more, Y, &ld, &from_first, &done, exchange, &from_first);
        dtrsm_("L", "L", "N", "U", &done, &more, &one, A, &ld, Y, &ld, 1, 1, 1, 1);
        dtrsm_("R", "U", "N", "N", &more, &done, &one, A, &ld, X, &ld, 1, 1, 1, 1);
        dgemm_("N", "N", &more, &more, &done, &minus_one, X, &ld, Y, &ld, &one, D, &ld, 1, 1);
    }
    dgetrf_(&more, &more, D, &ld, exchange + done, &info);
    for (int k = done; k < size; k++) exchange[k] += done;
    if (done > 0) dlaswp_(&done, A, &ld, &first, &size, exchange, &from_first);
    return info == 0;
}

int saddle__lu_factor(int done, int size, double *A, int ld, int *exchange)
{
    return size <= SADDLE__LU_FEW ? factor_few(done, size, A, ld, exchange)
                                  : factor_many(done, size, A, ld, exchange);
}

void saddle__lu_solve(int size, const double *A, int ld, const int *exchange, int columns,
                      double *X, int ldx)
{
    int info = 0;
    for (int64_t j = 0; size <= SADDLE__LU_FEW && j < columns; j++) {
        saddle__lu_forward(size, size, A, ld, exchange, X + j * ldx);
        go_backward(size, A, ld, X + j * ldx);
    }
    if (size > SADDLE__LU_FEW && columns > 0)
        dgetrs_("N", &size, &columns, A, &ld, exchange, X, &ldx, &info, 1);
}
