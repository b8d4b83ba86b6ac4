/* SPDX-License-Identifier: MIT */
/* Elimination of large fronts: halved until a block of columns is small, with BLAS-3 in between, and their update
 *
 *     [ P1 . ]   [ L1  .  ] [ D1 .  ] [ L11' L21' ]     P1 = L1 D1 L11',   P2 <- P2 - L21 D1 L21',   P2 = L2 D2 L22'
 *     [ .  P2] = [ .   L2 ] [ .  D2 ] [ .    L22' ]
 *
 * A D A' = A+ A+' - A- A-', where A+ and A- are the columns whose pivots have that sign, times sqrt |d|: two dsyrk.
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

void saddle__ldlt_update(int64_t rows, int64_t columns, const double *A, int64_t ld, const double *pivot, double beta,
                         double *U, int64_t ldu, double *work)
{
    int n = (int)rows;
    int ldc = (int)ldu;
    int k = gather_side(rows, columns, A, ld, pivot, 1.0, work);
    dsyrk_("L", "N", &n, &k, &minus_one, work, &n, &beta, U, &ldc, 1, 1);
    k = gather_side(rows, columns, A, ld, pivot, -1.0, work);
    if (k > 0) dsyrk_("L", "N", &n, &k, &one, work, &n, &one, U, &ldc, 1, 1);
}

/* C (rows x cols) <- C - A D B' with A rows x depth, B cols x depth, leading dimension ld both.  work: cols * depth */
static void subtract_product(int64_t rows, int64_t cols, int64_t depth, const double *A, const double *B, int64_t ld,
                             const double *pivot, double *C, double *work)
{
    for (int64_t i = 0; i < depth; i++)
        for (int64_t t = 0; t < cols; t++) work[i * cols + t] = pivot[i] * B[i * ld + t];
    int m = (int)rows;
    int n = (int)cols;
    int k = (int)depth;
    int lda = (int)ld;
    dgemm_("N", "T", &m, &n, &k, &minus_one, A, &lda, work, &n, &one, C, &lda, 1, 1);
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

/* X (rows x columns) <- X L11'^-1 D^-1 */
static void divide(int64_t rows, int64_t columns, const double *L11, int64_t ld, const double *inverse, double *X)
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
    if (failed < 0 && rows > columns) divide(rows - columns, columns, P, ld, p->inverse + position, P + columns);
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
    const double *pivot = p->pivot + position;
    double *corner = P + left + left * ld;
    saddle__ldlt_update(right, left, P + left, ld, pivot, 1.0, corner, ld, work);
    if (rows > columns)
        subtract_product(rows - columns, right, left, P + columns, P + left, ld, pivot, corner + right, work);
    failed = saddle__ldlt_eliminate(p, position + left, rows - left, right, corner, ld, work);
    return failed < 0 ? -1 : left + failed;
}
