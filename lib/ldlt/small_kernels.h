/* SPDX-License-Identifier: MIT */
/* Elimination of a front of few rows, all of it side by side in a work array, four rows at a time,
 * and solves with a supernode's block of L, four right-hand sides at a time:
 *
 *     W  rows x rows, its first `columns` columns eliminated     W1 = L D L1',  W2 <- W2 - L2 D L2'
 *     x <- L1^-1 x,  y <- y - L2 x                               x <- L1'^-1 (x - L2'y)
 *
 * Columns of W are kept `height` apart, the number of rows rounded up to fours, so that the
 * compiler knows how many vectors a column, or a row of right-hand sides, is and keeps them in
 * registers.  The same C is compiled for several processors, chosen at run time; products and
 * differences are rounded one by one in the same order everywhere, so that the bits are the
 * same. */
#ifndef SADDLE_LIB_LDLT_SMALL_KERNELS_H
#define SADDLE_LIB_LDLT_SMALL_KERNELS_H

#include "ldlt/ldlt_internal.h"

enum {
    SADDLE__SMALL_ROWS = 32, /* of a front that is done so, at most */
    SADDLE__SMALL_STEP = 4   /* heights are multiples of it */
};

/* Leading dimension of the work array of a front of so many rows. */
static inline int64_t saddle__small_height(int64_t rows)
{
    return (rows + SADDLE__SMALL_STEP - 1) / SADDLE__SMALL_STEP * SADDLE__SMALL_STEP;
}

/* The same of what entries of A are added to, in a front of any size: the work array, or the block
 * of L. */
static inline int64_t saddle__front_stride(int64_t rows)
{
    return rows <= SADDLE__SMALL_ROWS ? saddle__small_height(rows) : rows;
}

/* A supernode's block of L and the right-hand sides X, which are held by rows of `width`, a
 * multiple of SADDLE__SMALL_STEP, 16 at most. */
typedef struct saddle__small_block {
    int64_t columns, rows; /* of its own; below them */
    const double *L;       /* (columns + rows) x columns */
    const int32_t *row;    /* rows: those of X that are below */
    double *own;           /* the first row of X that is the block's */
    double *X;
    int64_t width;
} saddle__small_block;

struct saddle__small_kernels {
    const char *name;
    int (*runs)(void);

    /* The first `columns` columns of W (height x columns): W <- L D, L (the same shape) <- L below
     * the diagonal, which with what is above is left undefined.  The column whose pivot failed, or
     * -1. */
    int64_t (*eliminate)(saddle__pivoting *p, int64_t position, int64_t columns, int64_t height,
                         double *W, double *L);

    /* U (rows x rows, lower triangle; what is above is overwritten, and SADDLE__SMALL_STEP - 1
     * entries behind the end) <- W22 - L2 (L D)2', the eliminated columns being `columns`; W, L as
     * eliminate left them. */
    void (*update)(int64_t columns, int64_t rows, int64_t height, const double *W, const double *L,
                   double *U);

    /* Both halves of a solve, as above. */
    void (*forward)(const saddle__small_block *b);
    void (*backward)(const saddle__small_block *b);
};

/* By falling speed, the last being plain C; NULL past the end.  Not all may run on this
 * processor. */
const saddle__small_kernels *saddle__small_kernels_at(int index);

/* The first that runs. */
const saddle__small_kernels *saddle__small_kernels_best(void);

#endif
