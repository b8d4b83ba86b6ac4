/* SPDX-License-Identifier: MIT */
/* Mixed complementarity by brute force: every state of every row, a dense system for each.
 *
 *     [ M  -J' ] [ v      ]   [ f ]   [ 0 ]    w = 0 strictly between the bounds,
 *     [ J   R  ] [ lambda ] - [ b ] = [ w ]    w >= 0 at lo, w <= 0 at hi
 *
 * A row is at lo, free (w = 0) or at hi: 3^m states at most.  A contact of the box law, or of the
 * pyramid law in the plane, which is the same, is open (lambda = 0) or closed (wn = 0), and then
 * each tangent sticks (wt = 0) or has lt = mu ln with wt <= 0 or lt = -mu ln with wt >= 0: the
 * bounds follow the normal impulse of the same state.
 *
 * A state leaves a square system; it is solved by LU with complete pivoting (LAPACK dgetc2,
 * dgesc2), a singular one for the solution of least norm (dgelsd) if it has any.  What is left
 * inside its bounds with the right signs of w is a solution.
 */
#ifndef SADDLE_TEST_ENUMERATION_H
#define SADDLE_TEST_ENUMERATION_H

#include "support.h"

enum { ENUMERATION_MOST = 32, ENUMERATION_KEPT = 64 };

typedef struct enumeration_point {
    double v[ENUMERATION_MOST], lambda[ENUMERATION_MOST], w[ENUMERATION_MOST];
    double pivot; /* the least of its states' systems: what a defect is divided by, at worst;
                     INFINITY without unknowns */
} enumeration_point;

typedef struct enumeration {
    int64_t states;   /* tried */
    int64_t count;    /* distinct solutions kept; the first ENUMERATION_KEPT */
    int64_t singular; /* states whose system has many solutions: `point` need not be all there is,
                         nor count = 0 mean that there is none */
    int64_t close;    /* states rejected by a margin within rounding */
    enumeration_point point[ENUMERATION_KEPT];
} enumeration;

/* n + m <= ENUMERATION_MOST; contacts of law box, or of law pyramid with two rows. */
void enumerate_states(const saddle_problem *problem, enumeration *found);

/* No solution exists, for certain. */
int enumeration_is_empty(const enumeration *found);

/* The points kept are all solutions, for certain. */
int enumeration_is_complete(const enumeration *found);

/* The point kept that is nearest to (v, lambda), *distance: how near, over 1 + its largest entry.
 * NULL and INFINITY where there is none. */
const enumeration_point *enumeration_nearest(const saddle_problem *problem,
                                             const enumeration *found, const double *v,
                                             const double *lambda, double *distance);

/* max(|M v - J'lambda - f|, |lambda - P(lambda - w)|) / (1 + |v| + |lambda|), by the dense
 * matrices: no formula shared with the library's checker.  w (m): NULL is fine. */
double enumeration_defect(const saddle_problem *problem, const double *v, const double *lambda,
                          double *w);

#endif
