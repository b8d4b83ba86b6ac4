/* SPDX-License-Identifier: MIT */
/* Drawn matrices with their dense twins, for every factorization. */
#ifndef SADDLE_TEST_DRAWN_MATRIX_H
#define SADDLE_TEST_DRAWN_MATRIX_H

#include "factor/factorization.h"
#include "support.h"

enum { TEST_DRAWN_MOST = 40 }; /* rows of a drawn matrix */

typedef struct test_drawn {
    saddle_matrix A;
    double *dense; /* n x n */
} test_drawn;

/* A diagonally dominant sparse matrix in blocks, so that it has several components; diagonal signs
 * by chance where indefinite.  general: with an unsymmetric part. */
test_drawn test_draw_matrix(uint64_t *state, int64_t n, int indefinite, int general);
void test_drawn_clear(test_drawn *d);

/* n x cols, two entries a column at most. */
saddle_matrix test_draw_columns(uint64_t *state, int64_t n, int64_t cols);

/* Analysed and factored by the method of that name. */
saddle__factorization *test_factored(saddle_context *context, const char *name,
                                     const saddle_matrix *A);

/* x = A^-1 x by LAPACK */
void test_dense_solve(const test_drawn *d, double *x);

/* The methods' names, one after another. */
const char *test_method_in_turn(int trial);

/* 1: one that takes unsymmetric matrices too: klu, umfpack and mumps. */
int test_takes_any(const char *name);

#endif
