/* SPDX-License-Identifier: MIT */
/* Small drawn problems for gauss-seidel with their dense Delassus matrix, by elimination of our
 * own: w = W lambda + q. */
#ifndef SADDLE_TEST_GS_TWIN_H
#define SADDLE_TEST_GS_TWIN_H

#include "support.h"

#define MOST 32

typedef struct gs_twin {
    saddle_problem problem; /* borrows the arrays below but for the matrices */
    double M[MOST][MOST], J[MOST][MOST], R[MOST][MOST];
    double W[MOST][MOST], q[MOST]; /* w = W lambda + q */
    double f[MOST], b[MOST], lo[MOST], hi[MOST];
    saddle_contact contact[MOST];
} gs_twin;

/* A x = rhs by elimination with partial pivoting; returns 0 where singular. */
int gs_eliminate(int64_t n, double (*A)[MOST], double *rhs);

/* x <- M^-1 x */
void gs_twin_solve_mass(const gs_twin *t, double *x);

/* The sparse matrices from the dense ones, and W and q. */
void gs_twin_finish(gs_twin *t, saddle_symmetry symmetry);
void gs_twin_clear(gs_twin *t);

/* M a chain (tridiagonal, definite), J with `width` entries a row, R diagonal; n = 0: R = B B' +
 * I/10.  Unsymmetric: a skew part about a third as strong as the symmetric. */
gs_twin *gs_twin_draw(uint64_t *seed, int64_t n, int64_t m, int64_t width,
                      saddle_symmetry symmetry);

#define BELT 0.05

/* `count` unit cubes stacked on a plane inclined by alpha that moves up the slope with velocity
 * BELT, one step of length 1 from rest with gravity 1; contact i is under cube i.  Velocities per
 * cube: normal, down the slope, across. */
gs_twin *gs_twin_stack(int64_t count, saddle_law law, double alpha, double mu);

saddle_options gs_tight_options(void); /* tolerance 1e-13 */

/* By "gauss-seidel"; a negative status fails the test. */
saddle_report gs_solve(const saddle_problem *problem, const saddle_options *options,
                       const saddle_solution *start, saddle_solution *solution);

#endif
