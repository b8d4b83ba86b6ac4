/* SPDX-License-Identifier: MIT */
/* Drawn KKT matrices K = [M J'; J -R] for the engine's tests, sparse and dense. */
#ifndef SADDLE_TEST_DRAWN_KKT_H
#define SADDLE_TEST_DRAWN_KKT_H

#include "ldlt/ldlt.h"
#include "support.h"

typedef struct kkt_kind {
    int64_t n, m;   /* m <= n where R = 0 somewhere and K is to be regular */
    int64_t links;  /* off-diagonal entries of M per velocity, entries of J per row: about that
                       many */
    int rigid;      /* out of 4: how many of the rows have R_ii = 0 */
    double decades; /* rows and columns are scaled by 2^k, |k| up to this */
    int64_t copies; /* last rows of J that are sums of two earlier ones, R = 0: K singular */
} kkt_kind;

typedef struct drawn_kkt {
    int64_t n, m, size;
    saddle_matrix K;   /* lower triangle, every diagonal entry stored */
    double *dense;     /* size x size, both triangles */
    signed char *sign; /* size: +1 for velocities, -1 for rows */
    signed char *late; /* size: rows with R_ii = 0 */
    double *scale;     /* size: natural size of the pivots */
} drawn_kkt;

drawn_kkt draw_kkt(uint64_t *state, kkt_kind kind);
void drawn_kkt_clear(drawn_kkt *d);

/* max_i |b - A x|_i / (|A||x| + |b|)_i with the dense twin: the componentwise backward error */
double drawn_kkt_error(const drawn_kkt *d, const double *x, const double *b);

/* Asserts that two factorizations of one matrix have equal pivot counts and equal bits: D, and L by
 * solves of drawn right-hand sides. */
void test_same_counts(const saddle__factor_counts *a, const saddle__factor_counts *b);
void test_same_factors(saddle__ldlt *F, saddle__ldlt *G, uint64_t *state);

#endif
