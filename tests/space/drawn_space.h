/* SPDX-License-Identifier: MIT */
/* Drawn vectors and poses, small products, and exponentials by their power series in long double:
 * an oracle that shares nothing with lib/space. */
#ifndef SADDLE_TEST_DRAWN_SPACE_H
#define SADDLE_TEST_DRAWN_SPACE_H

#include "space/space.h"
#include "support.h"

void draw(uint64_t *state, int64_t count, double size, double *x);
saddle_pose draw_pose(uint64_t *state); /* within 2 m and 2 rad an axis */
void draw_direction(uint64_t *state, double length, double *x);
double draw_size(uint64_t *state, double lo, double hi); /* 10^lo .. 10^hi */

double largest_difference(const double *a, const double *b, int64_t count);
double largest(const double *a, int64_t count);
double determinant3(const double *R);
void assert_rotation(const double *R);

/* C (rows x cols) = A (rows x inner) B; C may not be an input. */
void product(const double *A, const double *B, int rows, int inner, int cols, double *C);
void transpose(const double *A, int rows, int cols, double *B);

/* sum_k X^k / (k + shift)!, X (n x n, n <= 6) by columns; shift 0: exp X; shift 1: its left
 * Jacobian for X = ad. */
void series(const double *X, int n, int shift, double *sum);

/* The 4 x 4 matrix [[omega] nu; 0 0] of a twist. */
void twist_matrix(const double *twist, double *X);
saddle_pose pose_by_series(const double *twist);

#endif
