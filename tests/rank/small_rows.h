/* SPDX-License-Identifier: MIT */
/* Small problems written densely, and what every rank report must hold. */
#ifndef SADDLE_TEST_SMALL_ROWS_H
#define SADDLE_TEST_SMALL_ROWS_H

#include "support.h"

/* An owned problem with M = diag(mass), the dense J (m x n, by rows) and R (m x m; NULL = zero); b:
 * m, NULL = zero. */
saddle_problem small_problem(int64_t n, int64_t m, const double *mass, const double *J,
                             const double *R, const double *b);

/* [J R] of the problem, m x (n + m) by columns, each row divided by the largest entry of its part
 * of J (without one: R_ii^1/2), then each column of R by its largest: units aside, and no
 * compliance small.  Freed by free(). */
double *dense_rows(const saddle_problem *problem, int with_compliance);

/* Fails the test unless: examined = rank + dependencies; each row is either independent or named
 * once; in each dependency row - sum c_k row_k vanishes to `bound` of the sum of its terms, entry
 * by entry in units of the rows' largest; terms are ascending, none is the row itself; where
 * ordered, they are before the row; and the independent rows have full rank by LAPACK's singular
 * values where check_independent. */
void check_rank(const saddle_problem *problem, const saddle_rank *rank, double bound,
                int check_independent);

/* Rank of the rows listed of a dense m x cols matrix, singular values below 1e-9 of the largest
 * counting as zero. */
int64_t dense_rank(const double *rows, int64_t m, int64_t cols, const int64_t *list, int64_t count);

/* NULL = row is not named */
const saddle_dependency *dependency_of(const saddle_rank *rank, int64_t row);

#endif
