/* SPDX-License-Identifier: MIT */
/* Elimination of large fronts: halved until a block of columns is small, with products of matrices
 * in between
 *
 *     [ P1 . ]   [ L1  .  ] [ D1 .  ] [ L11' L21' ]   P1 = L1 D1 L11',   P2 <- P2 - L21 D1 L21',
 *         P2 = L2 D2 L22'
 *     [ .  P2] = [ .   L2 ] [ .  D2 ] [ .    L22' ]
 */
#include "ldlt/blas.h"
#include "ldlt/ldlt_internal.h"

enum {
    NARROW = 32,  /* columns done without splitting further */
    FEW_ROWS = 24 /* of a front that is done without BLAS altogether */
};

static const double one = 1.0;

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
    saddle__product_subtract(lane->kernel, &p);
}

static void divide_narrow(int64_t rows, int64_t columns, const double *L11, int64_t ld,
                          const double *inverse, double *X)
{
    int m = (int)rows;
    int n = (int)columns;
    int lda = (int)ld;
    dtrsm_("R", "L", "T", "U", &m, &n, &one, L11, &lda, X, &lda, 1, 1, 1, 1);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t t = 0; t < rows; t++) X[t + j * ld] *= inverse[j];
}

void saddle__ldlt_divide(const saddle__ldlt_lane *lane, int64_t rows, int64_t columns,
                         const double *L11, int64_t ld, const double *pivot, const double *inverse,
                         double *X)
{
    if (columns <= NARROW) {
        divide_narrow(rows, columns, L11, ld, inverse, X);
        return;
    }
    int64_t left = (columns / 2 + NARROW / 2 - 1) / (NARROW / 2) * (NARROW / 2);
    int64_t right = columns - left;
    saddle__ldlt_divide(lane, rows, left, L11, ld, pivot, inverse, X);
    saddle__product p = {.rows = rows,
                         .columns = right,
                         .depth = left,
                         .A = X,
                         .lda = ld,
                         .B = L11 + left,
                         .ldb = ld,
                         .D = pivot,
                         .C = X + left * ld,
                         .ldc = ld,
                         .work = lane->work};
    saddle__product_subtract(lane->kernel, &p);
    saddle__ldlt_divide(lane, rows, right, L11 + left + left * ld, ld, pivot + left, inverse + left,
                        X + left * ld);
}

int64_t saddle__ldlt_eliminate(saddle__ldlt_lane *lane, int64_t position, int64_t rows,
                               int64_t columns, double *P, int64_t ld)
{
    saddle__pivoting *p = &lane->pivoting;
    if (rows <= FEW_ROWS) return saddle__ldlt_eliminate_small(p, position, rows, columns, P, ld);
    if (columns <= NARROW) {
        int64_t failed = saddle__ldlt_eliminate_small(p, position, columns, columns, P, ld);
        if (failed < 0 && rows > columns)
            divide_narrow(rows - columns, columns, P, ld, p->inverse + position, P + columns);
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
