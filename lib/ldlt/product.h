/* SPDX-License-Identifier: MIT */
/* The product that takes nearly all of a factorization's time,
 *
 *     C <- C - A D B'   C  rows x columns   A  rows x depth   B  columns x depth
 *         D  depth, diagonal
 *
 * with kernels of our own where the processor has fused multiply-add, else by BLAS.  Kernels sum
 * each entry of C in the same order with one rounding a term, so that all of them give the same
 * bits; BLAS gives others.
 */
#ifndef SADDLE_LIB_LDLT_PRODUCT_H
#define SADDLE_LIB_LDLT_PRODUCT_H

#include <stdint.h>

typedef struct saddle__product {
    int64_t rows, columns, depth;
    const double *A;
    int64_t lda;
    const double *B;
    int64_t ldb;
    const double *D;
    double *C;
    int64_t ldc;
    int lower;    /* nonzero: C(0,0) is on the diagonal, and what is above need not be right
                     afterwards */
    double *work; /* saddle__product_work(rows, columns, depth) doubles */
} saddle__product;

typedef struct saddle__product_kernel saddle__product_kernel;

/* By falling speed, the last being BLAS; NULL past the end.  Not all may run on this processor. */
const saddle__product_kernel *saddle__product_kernel_at(int index);
const char *saddle__product_kernel_name(const saddle__product_kernel *kernel);
int saddle__product_kernel_runs(const saddle__product_kernel *kernel);

/* The first that runs. */
const saddle__product_kernel *saddle__product_best(void);

/* Grows with each. */
int64_t saddle__product_work(int64_t rows, int64_t columns, int64_t depth);

/* Sizes are below 2^31. */
void saddle__product_subtract(const saddle__product_kernel *kernel, const saddle__product *p);

#endif
