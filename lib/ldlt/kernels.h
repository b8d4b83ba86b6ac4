/* SPDX-License-Identifier: MIT */
/* Dense kernels.  Products take nearly all of a factorization's time:
 *
 *     C <- C - A D B'    C  rows x columns
 *                        A  rows x depth
 *                        B  columns x depth
 *                        D  depth x depth, diagonal
 *
 * by a kernel for AVX-512, since BLAS that does not know a new processor has AVX2 at best, else by
 * dgemm.  The bits of the two differ.
 *
 * Small fronts lie in a work array W, and right-hand sides by rows, four of them at a time:
 *
 *     W1 = L1 D L1',  W2 <- W2 - L2 D L2'    W  rows x rows, its first `columns` columns eliminated
 *     x <- L1^-1 x,   y <- y - L2 x          forward substitution
 *     x <- L1'^-1 (x - L2'y)                 back substitution
 *
 * A front that is not symmetric has two sides, W and its transpose: W1 = L1 D U1 and
 * W2 <- W2 - L2 D U2.
 *
 * Columns of W are `height` apart, the rows rounded up to fours: the compiler knows the number of
 * vectors in a column and keeps them in registers.  One text is compiled for several processors,
 * chosen at run time; products and differences are rounded separately in one order: the same bits
 * on all. */
#ifndef SADDLE_LIB_LDLT_KERNELS_H
#define SADDLE_LIB_LDLT_KERNELS_H

#include "base/layout.h"

/* ---- products ---- */

typedef struct saddle__product {
    int64_t rows, columns, depth;
    const double *A;
    int64_t lda;
    const double *B;
    int64_t ldb;
    const double *D; /* NULL = the identity */
    double *C;
    int64_t ldc;
    int lower;    /* nonzero: C(0,0) is on the diagonal, and the part above may be left undefined */
    double *work; /* saddle__product_work(rows, columns, depth) doubles */
} saddle__product;

/* Grows with each. */
int64_t saddle__product_work(int64_t rows, int64_t columns, int64_t depth);

/* Sizes are below 2^31. */
void saddle__product_subtract(const saddle__product *p);
void saddle__product_by_blas(const saddle__product *p);

/* ---- small fronts ---- */

typedef struct saddle__pivot_state saddle__pivot_state; /* ldlt_internal.h */

enum {
    SADDLE__SMALL_ROWS = 32, /* of a small front, at most */
    SADDLE__SMALL_STEP = 4   /* divisor of all heights */
};

/* Leading dimension of the work array of a front of so many rows. */
static inline int64_t saddle__small_height(int64_t rows)
{
    return (rows + SADDLE__SMALL_STEP - 1) / SADDLE__SMALL_STEP * SADDLE__SMALL_STEP;
}

/* A supernode's block of L and the right-hand sides X, by rows of `width`, a multiple of
 * SADDLE__SMALL_STEP, 16 at most. */
typedef struct saddle__small_block {
    int64_t columns, rows; /* of the block; below */
    const double *L;       /* (columns + rows) x columns */
    const int32_t *row;    /* rows: the rows of X below */
    double *own;           /* the block's first row of X */
    double *X;
    int64_t width;
} saddle__small_block;

/* A small front: its lower triangle, and, if not symmetric, that of its transpose. */
typedef struct saddle__small_front {
    int64_t columns, rows, height; /* eliminated; below; of W */
    int sides;
    double *W[2], *L[2]; /* height x (columns + rows), height x columns */
} saddle__small_front;

typedef struct saddle__small_kernels {
    const char *name;
    int (*runs)(void);

    /* The first columns of W of each side: W <- L D, L (the same shape) <- L below the diagonal;
     * the rest is left undefined.  Returns the column whose pivot failed, or -1. */
    int64_t (*eliminate)(saddle__pivot_state *p, int64_t position, const saddle__small_front *f);

    /* U (rows x rows, lower triangle; the part above and SADDLE__SMALL_STEP - 1 entries behind the
     * end are overwritten) <- W22 - L2 (L D)2' of a side, (L D)2 of the other, after eliminate. */
    void (*update)(const saddle__small_front *f, int side, double *U);

    /* Both halves of a solve, as above. */
    void (*forward)(const saddle__small_block *b);
    void (*backward)(const saddle__small_block *b);
} saddle__small_kernels;

/* By falling speed, plain C last; NULL past the end.  Some may not run on this processor. */
const saddle__small_kernels *saddle__small_kernels_at(int index);

#endif
