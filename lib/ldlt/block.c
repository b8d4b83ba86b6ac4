/* SPDX-License-Identifier: MIT */
/* Elimination of large fronts: halved until a block of columns is small, with products of matrices
 * in between
 *
 *     [ P1 . ]   [ L1  .  ] [ D1 .  ] [ L11' L21' ]   P1 = L1 D1 L11',   P2 <- P2 - L21 D1 L21',
 *         P2 = L2 D2 L22'
 *     [ .  P2] = [ .   L2 ] [ .  D2 ] [ .    L22' ]
 */
#include "dense/lapack.h"
#include "ldlt/ldlt_internal.h"

enum { NARROW = 32 }; /* columns, or rows, factored without splitting further */

static const double one = 1.0;

/* ---- few rows or columns: each column takes from the columns before, four at a time ---- */

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

static int64_t eliminate_small(saddle__pivot_state *p, int64_t position, int64_t rows,
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

/* ---- by blocks ---- */

void saddle__ldlt_subtract(const saddle__ldlt_lane *lane, int64_t rows, int64_t columns,
                           int64_t depth, const double *A, int64_t ld, const double *pivot,
                           double *C, int64_t ldc)
{
    saddle__product p = {.rows = rows,
                         .columns = columns,
                         .depth = depth,
                         .A = A,
                         .lda = ld,
                         .B = A,
                         .ldb = ld,
                         .D = pivot,
                         .C = C,
                         .ldc = ldc,
                         .lower = 1,
                         .work = lane->work};
    saddle__product_subtract(&p);
}

static void divide_narrow(int64_t rows, int64_t columns, const double *L11, int64_t ld,
                          const double *inverse, double *X, int64_t ldx)
{
    int ldb = (int)ldx;
    int m = (int)rows;
    int n = (int)columns;
    int lda = (int)ld;
    dtrsm_("R", "L", "T", "U", &m, &n, &one, L11, &lda, X, &ldb, 1, 1, 1, 1);
    for (int64_t j = 0; inverse && j < columns; j++)
        for (int64_t t = 0; t < rows; t++) X[t + j * ldx] *= inverse[j];
}

void saddle__ldlt_divide(const saddle__ldlt_lane *lane, int64_t rows, int64_t columns,
                         const saddle__ldlt_triangle *L11, double *X, int64_t ldx)
{
    int64_t ld = L11->ld;
    if (columns <= NARROW) {
        divide_narrow(rows, columns, L11->L, ld, L11->inverse, X, ldx);
        return;
    }
    int64_t left = (columns / 2 + NARROW / 2 - 1) / (NARROW / 2) * (NARROW / 2);
    int64_t right = columns - left;
    saddle__ldlt_triangle corner = {.L = L11->L + left + left * ld,
                                    .ld = ld,
                                    .pivot = L11->pivot ? L11->pivot + left : NULL,
                                    .inverse = L11->inverse ? L11->inverse + left : NULL};
    saddle__ldlt_divide(lane, rows, left, L11, X, ldx);
    saddle__product p = {.rows = rows,
                         .columns = right,
                         .depth = left,
                         .A = X,
                         .lda = ldx,
                         .B = L11->L + left,
                         .ldb = ld,
                         .D = L11->pivot,
                         .C = X + left * ldx,
                         .ldc = ldx,
                         .work = lane->work};
    saddle__product_subtract(&p);
    saddle__ldlt_divide(lane, rows, right, &corner, X + left * ldx, ldx);
}

int64_t saddle__ldlt_eliminate(saddle__ldlt_lane *lane, int64_t position, int64_t rows,
                               int64_t columns, double *P, int64_t ld)
{
    saddle__pivot_state *p = &lane->pivoting;
    if (rows <= NARROW) return eliminate_small(p, position, rows, columns, P, ld);
    if (columns <= NARROW) {
        int64_t failed = eliminate_small(p, position, columns, columns, P, ld);
        if (failed < 0 && rows > columns)
            divide_narrow(rows - columns, columns, P, ld, p->inverse + position, P + columns, ld);
        return failed;
    }
    int64_t left = (columns / 2 + NARROW / 2 - 1) / (NARROW / 2) * (NARROW / 2);
    int64_t right = columns - left;
    int64_t failed = saddle__ldlt_eliminate(lane, position, rows, left, P, ld);
    if (failed >= 0) return failed;
    double *corner = P + left + left * ld;
    saddle__ldlt_subtract(lane, rows - left, right, left, P + left, ld, p->pivot + position, corner,
                          ld);
    failed = saddle__ldlt_eliminate(lane, position + left, rows - left, right, corner, ld);
    return failed < 0 ? -1 : left + failed;
}
