/* SPDX-License-Identifier: MIT */
/* Elimination of large fronts: halved until a block of columns is small, with BLAS-3 in between, and their update
 *
 *     [ P1 . ]   [ L1  .  ] [ D1 .  ] [ L11' L21' ]     P1 = L1 D1 L11',   P2 <- P2 - L21 D1 L21',   P2 = L2 D2 L22'
 *     [ .  P2] = [ .   L2 ] [ .  D2 ] [ .    L22' ]
 *
 * On the diagonal A D A' = A+ A+' - A- A-', where A+ and A- are the columns whose pivots have that sign, times sqrt |d|:
 * two dsyrk.
 */
#include <math.h>

#include "ldlt/blas.h"
#include "ldlt/ldlt_internal.h"

enum {
    NARROW = 32,  /* columns eliminated without splitting further       */
    FEW_ROWS = 24 /* of a front that is done without BLAS altogether    */
};

static const double one = 1.0;
static const double minus_one = -1.0;

/* ---- A D A' ----------------------------------------------------------------------------------------------------- */

/* The columns whose pivots have the sign `side`, times sqrt |d|; how many. */
static int gather_side(int64_t rows, int64_t columns, const double *A, int64_t ld, const double *pivot, double side,
                       double *gathered)
{
    int count = 0;
    for (int64_t i = 0; i < columns; i++) {
        double square = side * pivot[i];
        if (!(square > 0.0)) continue;
        double scale = sqrt(square);
        const double *restrict from = A + i * ld;
        double *restrict to = gathered + rows * count++;
        for (int64_t t = 0; t < rows; t++) to[t] = scale * from[t];
    }
    return count;
}

/* C (n x n, lower triangle) <- beta C - A D A' */
static void subtract_square(int64_t rows, int64_t depth, const double *A, int64_t ld, const double *pivot, double beta,
                            double *C, int64_t ldc, double *work)
{
    int n = (int)rows;
    int lda = (int)ldc;
    int k = gather_side(rows, depth, A, ld, pivot, 1.0, work);
    dsyrk_("L", "N", &n, &k, &minus_one, work, &n, &beta, C, &lda, 1, 1);
    k = gather_side(rows, depth, A, ld, pivot, -1.0, work);
    if (k > 0) dsyrk_("L", "N", &n, &k, &one, work, &n, &one, C, &lda, 1, 1);
}

/* C (rows x columns) <- beta C - A D B' with A rows x depth, B columns x depth */
static void subtract_below(int64_t rows, int64_t columns, int64_t depth, const double *A, const double *B, int64_t ld,
                           const double *pivot, double beta, double *C, int64_t ldc, double *work)
{
    for (int64_t i = 0; i < depth; i++)
        for (int64_t t = 0; t < columns; t++) work[i * columns + t] = pivot[i] * B[i * ld + t];
    int m = (int)rows;
    int n = (int)columns;
    int k = (int)depth;
    int lda = (int)ld;
    int ldcc = (int)ldc;
    dgemm_("N", "T", &m, &n, &k, &minus_one, A, &lda, work, &n, &beta, C, &ldcc, 1, 1);
}

void saddle__ldlt_subtract(int64_t rows, int64_t columns, int64_t depth, const double *A, int64_t ld,
                           const double *pivot, double beta, double *C, int64_t ldc, double *work)
{
    subtract_square(columns, depth, A, ld, pivot, beta, C, ldc, work);
    if (rows > columns)
        subtract_below(rows - columns, columns, depth, A + columns, A, ld, pivot, beta, C + columns, ldc, work);
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

void saddle__ldlt_divide(int64_t rows, int64_t columns, const double *L11, int64_t ld, const double *inverse, double *X)
{
    int m = (int)rows;
    int n = (int)columns;
    int lda = (int)ld;
    dtrsm_("R", "L", "T", "U", &m, &n, &one, L11, &lda, X, &lda, 1, 1, 1, 1);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t t = 0; t < rows; t++) X[t + j * ld] *= inverse[j];
}

static int64_t eliminate_narrow(saddle__pivoting *p, int64_t position, int64_t rows, int64_t columns, double *P,
                                int64_t ld)
{
    int64_t failed = saddle__ldlt_eliminate_small(p, position, columns, columns, P, ld);
    if (failed < 0 && rows > columns)
        saddle__ldlt_divide(rows - columns, columns, P, ld, p->inverse + position, P + columns);
    return failed;
}

int64_t saddle__ldlt_eliminate(saddle__pivoting *p, int64_t position, int64_t rows, int64_t columns, double *P,
                               int64_t ld, double *work)
{
    if (rows <= FEW_ROWS) return saddle__ldlt_eliminate_small(p, position, rows, columns, P, ld);
    if (columns <= NARROW) return eliminate_narrow(p, position, rows, columns, P, ld);
    int64_t left = (columns / 2 + NARROW / 2 - 1) / (NARROW / 2) * (NARROW / 2);
    int64_t right = columns - left;
    int64_t failed = saddle__ldlt_eliminate(p, position, rows, left, P, ld, work);
    if (failed >= 0) return failed;
    double *corner = P + left + left * ld;
    saddle__ldlt_subtract(rows - left, right, left, P + left, ld, p->pivot + position, 1.0, corner, ld, work);
    failed = saddle__ldlt_eliminate(p, position + left, rows - left, right, corner, ld, work);
    return failed < 0 ? -1 : left + failed;
}
