/* SPDX-License-Identifier: MIT */
/* A reference solution in twice the working precision, and the error of a solution against it.
 *
 *     x* = high + low     each component in 106 bits
 *
 * The rows and contacts keep the states that the given solution shows: free (w_i = 0), at a bound,
 * contacts open, sticking or sliding.  In these states the laws are equations F(v, lambda) = 0,
 * linear but for sliding cones, and are solved by iterative refinement from the given solution
 * (Demmel, Hida, Kahan, Li, Mukherjee and Riedy, ACM Trans. Math. Softw. 32, 2006, with x* in
 * twice the precision too):
 *
 *     r = -F(x)     in 106 bits
 *     K d = r       by one factorization in double precision, K = F' but for a small regularization
 *     x <- x + d    in 106 bits
 *
 * A state that the solution of the equations contradicts is replaced, and the refinement begins
 * again.  Sizes are taken in natural units (saddle/residual.h): |v| = max_j sqrt(m_j) |v_j|,
 * |lambda| = max_i sqrt(d_i) |lambda_i|, and w over the rows' scale S; square roots are rounded to
 * powers of two.  |v| is at least max_j |f_j| / sqrt(m_j), the velocity that f alone brings,
 * |lambda| at least 2^-51 of the largest term of a row.
 *
 * Certificate.  d estimates the error before its step.  With the largest ratio q of two steps in
 * sequence the error is at most |d| / (1 - q), and ten times as much is reported as bound.  The
 * reference is certified if q <= 0.9, the bounds are at most 1e-25 of |v|, of S and, unless
 * K is singular, of |lambda|, and no state is contradicted by more than the bound.
 *
 * Singular K.  Errors are then measured against the exact solution next to the given one, with the
 * same component along the null space: of v and w, where they are unique, that is their error.
 * Where K is symmetric, M semidefinite and no contact slides, v* and lambda* themselves are the
 * solution of least |v|_2 and |lambda|_2 in natural units (least_norm = 1), and `excess` is the
 * distance from there of that next to the given one.  Without rows v is not unique, and only the
 * solution of least norm is certified.  The rank behind it is exact: that of the matrix of doubles,
 * by elimination modulo a prime of 61 bits, which has to agree with the pivots that vanish; the
 * error probability is about 2^-60.  Bounds of v* and lambda* are then at most 1e-21: along the
 * null space 106 bits hold as many digits less as the condition of the rest has.
 */
#ifndef SADDLE_REFERENCE_H
#define SADDLE_REFERENCE_H

#include "saddle/options.h"
#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

/* The error of one of v, lambda, w. */
typedef struct saddle_reference_error {
    double size;        /* |x*| in natural units; of w: S [sqrt J] */
    double bound;       /* of the reference's own error, over size [-] */
    double largest;     /* |x - x*| over size, absolute where that is 0 [-] */
    double worst;       /* max_i |x_i - x*_i| / |x*_i| over the components resolved: those with
                           |x*_i| above 1e17 times the bound [-] */
    int64_t component;  /* behind worst; -1 = none resolved */
    int64_t unresolved; /* components other than zero that are not resolved; of w, rows with w_i = 0
                           by their state are not counted */
} saddle_reference_error;

typedef struct saddle_reference {
    int certified;  /* 1: bounds and states hold, as above */
    char note[256]; /* how the reference was made, or why it is not certified: a sentence */
    int64_t n, m;
    double *v, *v_low;           /* n [m/s, rad/s] */
    double *lambda, *lambda_low; /* m [N s, N m s] */
    double *w, *w_low;           /* m [as v] */

    saddle_reference_error velocity, impulse, slack; /* of the given solution */

    int64_t steps;      /* of refinement, of the last states */
    double contraction; /* q; 0 if one step was enough [-] */
    double condition;   /* |K^-1||K| in natural units, 1-norms, a lower bound rarely off by more
                           than a factor of 3 [-] */
    double sensitivity; /* componentwise condition max_z |K^-1 (z t)| / |x|, t_i the sum of the
                           moduli of equation i's terms, over vectors z of random signs: x
                           changes by as much for changes of 1 in the data, entry by entry [-] */
    int64_t changed;    /* rows and contacts whose state was replaced */
    int64_t weak;       /* rows and contacts with a margin below the bound: either state solves */
    double margin;      /* the smallest distance of a state from its change, over size or S [-];
                           INFINITY: no row has a bound */
    int64_t margin_row; /* of it; -1 = none */

    int64_t null_pivots;      /* of K, L D L': more than 0 = singular; -1 = not known */
    int64_t nullity;          /* of K where singular and symmetric, exact; -1 = not known */
    int least_norm;           /* 1: v and lambda are of least norm, as above */
    double excess;            /* |x - x*| in natural units, over |x*|: x the exact solution next to
                                 the given one, x* that of least norm; 0 where there is none [-] */
    int64_t equalities, rank; /* equality rows; independent ones (saddle/rank.h) */
    double separation; /* smallest singular value of the independent rows, each of length 1 in
                          natural units [-]; the margin of the rank */
    void *memory;      /* of the arrays */
    saddle_context *context;
} saddle_reference;

/* solution: n, m of the problem, finite; w may be NULL.  *reference: released by
 * saddle_reference_clear; empty on failure.  SADDLE_OK also without certificate: where K cannot be
 * factored or numbers overflow, errors are then INFINITY.  SADDLE_UNSUPPORTED: pyramids in space,
 * whose facets have no states; SADDLE_INVALID_PROBLEM; SADDLE_INVALID_ARGUMENT: sizes of the
 * solution, or numbers that are not finite; SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_reference_compute(saddle_context *context,
                                                  const saddle_problem *problem,
                                                  const saddle_solution *solution,
                                                  saddle_reference *reference);

SADDLE_API void saddle_reference_clear(saddle_reference *reference); /* NULL and empty are fine */

SADDLE_END_DECLARATIONS

#endif
