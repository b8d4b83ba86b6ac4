/* SPDX-License-Identifier: MIT */
/* Small drawn problems with bounded rows: equality, unilateral either way, box, lo = hi, contacts
 * of the box law and, in the plane, of the pyramid law. */
#ifndef SADDLE_TEST_DRAWN_MIXED_H
#define SADDLE_TEST_DRAWN_MIXED_H

#include "support.h"

enum { MIXED_MOST = 16 };

/* What is known of W = J M^-1 J' + R; M is positive definite wherever there are velocities. */
typedef enum mixed_class {
    MIXED_DEFINITE,     /* symmetric positive definite */
    MIXED_SEMIDEFINITE, /* symmetric, redundant rows without compliance, or n = 0 and low rank */
    MIXED_MONOTONE,     /* x'Wx > 0, unsymmetric */
    MIXED_SEMIMONOTONE, /* x'Wx >= 0, unsymmetric; n = 0 */
    MIXED_P,            /* n = 0, unilateral rows, a P-matrix that is not monotone as a rule */
    MIXED_ANY,          /* n = 0, whatever is drawn: no, one or many solutions */
    MIXED_CLASSES
} mixed_class;

typedef struct mixed_kind {
    mixed_class class;
    int64_t n, m;
    int integer;   /* small integers: ties and degenerate solutions abound */
    int planted;   /* f and b are made from a solution: there is one */
    int contacts;  /* contacts of two or three rows; class DEFINITE or MONOTONE */
    int one_sided; /* unilateral rows only */
} mixed_kind;

typedef struct mixed {
    saddle_problem problem; /* borrows all below but the matrices */
    mixed_kind kind;
    /* by rows */
    double M[MIXED_MOST * MIXED_MOST], J[MIXED_MOST * MIXED_MOST], R[MIXED_MOST * MIXED_MOST];
    double f[MIXED_MOST], b[MIXED_MOST], lo[MIXED_MOST], hi[MIXED_MOST];
    saddle_contact contact[MIXED_MOST];
    double v[MIXED_MOST], lambda[MIXED_MOST]; /* the planted solution */
} mixed;

extern const char *const mixed_class_word[MIXED_CLASSES];

/* A kind with at most `largest` velocities and rows each. */
mixed_kind mixed_draw_kind(uint64_t *seed, int64_t largest);

/* Free with mixed_clear. */
mixed *mixed_draw(uint64_t *seed, mixed_kind kind);
void mixed_clear(mixed *p);

/* Rows in units of their own, powers of two so that nothing is rounded: J <- D J, R <- D R D, b <-
 * D b, bounds / D. */
void mixed_change_units(saddle_problem *p, const double *D);

#endif
