/* SPDX-License-Identifier: MIT */
/* Elimination and update of small fronts, where calling BLAS would cost more than the work: column
 * by column, each taking from the columns before it, four at a time. */
#include "ldlt/ldlt_internal.h"

/* y <- y - sum_i d_i A(0,i) A(:,i) over `count` columns of A, `rows` long */
static inline void subtract(int64_t rows, int64_t count, const double *restrict A, int64_t ld,
                            const double *restrict pivot, double *restrict y)
{
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const double *a = A + i * ld;
        const double *b = a + ld;
        const double *c = b + ld;
        const double *d = c + ld;
        double sa = pivot[i] * a[0];
        double sb = pivot[i + 1] * b[0];
        double sc = pivot[i + 2] * c[0];
        double sd = pivot[i + 3] * d[0];
        for (int64_t t = 0; t < rows; t++)
            y[t] -= (sa * a[t] + sb * b[t]) + (sc * c[t] + sd * d[t]);
    }
    for (; i < count; i++) {
        const double *a = A + i * ld;
        double sa = pivot[i] * a[0];
        for (int64_t t = 0; t < rows; t++) y[t] -= sa * a[t];
    }
}

int64_t saddle__ldlt_eliminate_small(saddle__pivoting *p, int64_t position, int64_t rows,
                                     int64_t columns, double *P, int64_t ld)
{
    const double *pivot = p->pivot + position;
    for (int64_t j = 0; j < columns; j++) {
        double *column = P + j + j * ld;
        subtract(rows - j, j, P + j, ld, pivot, column);
        if (!saddle__ldlt_pivot(p, position + j, column[0])) return j;
        double scale = p->inverse[position + j];
        for (int64_t t = 1; t < rows - j; t++) column[t] *= scale;
    }
    return -1;
}

void saddle__ldlt_update_small(int64_t rows, int64_t columns, const double *A, int64_t ld,
                               const double *pivot, double *U)
{
    for (int64_t j = 0; j < rows; j++) {
        double *column = U + j + j * rows;
        subtract(rows - j, columns, A + j, ld, pivot, column);
    }
}
