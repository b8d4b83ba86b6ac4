/* SPDX-License-Identifier: MIT */
/* Small problems as dense systems, solved by LAPACK: references of tests.  Matrices by columns. */
#ifndef SADDLE_TEST_DENSE_KKT_H
#define SADDLE_TEST_DENSE_KKT_H

#include "saddle/problem.h"

/* *K = [M J'; J -R], (n + m) x (n + m), and *rhs = [f; b]; unknowns (v, -lambda).  Released by
 * saddle_release.  Rows' bounds and laws are not looked at: every row is taken as an equality. */
saddle_status test_dense_kkt(saddle_context *context, const saddle_problem *problem, double **K,
                             double **rhs);

/* x (max(rows, cols)): b in, the least-squares solution of least norm out (dgelsd); singular values
 * below tolerance * the largest count as zero.  *rank: how many do not.  A is overwritten. */
saddle_status test_dense_least_norm(saddle_context *context, int64_t rows, int64_t cols, double *A,
                                    double *x, double tolerance, int64_t *rank);

#endif
