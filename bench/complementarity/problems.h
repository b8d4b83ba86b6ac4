/* SPDX-License-Identifier: MIT */
/* Dense complementarity problems of known nature, as their peers want them and as a saddle_problem
 * with n = 0:
 *
 *     w = A x - b,   w = 0 strictly between the bounds, w >= 0 at lo, w <= 0 at hi
 *
 *     lcp       A = B B'/n + 1e-3 I + 0.1 (S - S')/(2 sqrt n), x >= 0: unsymmetric, about half of
 *               the rows active
 *     lcp-sym   the same without S
 *     boxed     A = B B'/n + 1e-3 I, lo <= x <= hi with lo in [-1, 0], hi in [0, 1]
 *     friction  A = B B'/n + 1e-6 I, contacts of three rows: x_n >= 0, |x_t| <= mu x_n each tangent
 *               on its own, mu = 0.5
 *
 * B, S: independent entries of mean 0 and variance 1 (uniform); b: uniform in [-1, 1], of contacts'
 * normal rows in [0, 1]. */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_PROBLEMS_H
#define SADDLE_BENCH_COMPLEMENTARITY_PROBLEMS_H

#include "saddle/saddle.h"

typedef enum lcp_family {
    LCP_PLAIN,
    LCP_SYMMETRIC,
    LCP_BOXED,
    LCP_FRICTION,
    LCP_FAMILIES
} lcp_family;

extern const char *const lcp_family_word[LCP_FAMILIES];

typedef struct lcp_problem {
    saddle_context *context;
    lcp_family family;
    int64_t n;
    double *A;              /* n x n, by rows */
    double *b, *lo, *hi;    /* n; of a tangent -mu and mu */
    int *normal;            /* n: the contact's normal row; -1: not a tangent */
    double *work;           /* n */
    saddle_problem problem; /* borrows b, lo, hi */
} lcp_problem;

/* SADDLE_OUT_OF_MEMORY.  p is to be cleared in any case. */
saddle_status lcp_draw(saddle_context *context, lcp_family family, int64_t n, uint64_t seed,
                       lcp_problem *p);

/* A problem with rows alone from a file, as of family lcp: A = R.  rhs: where b stands in a file of
 * its own, or NULL.  p is to be cleared in any case. */
saddle_status lcp_read(saddle_context *context, const char *path, const char *rhs, lcp_problem *p);

void lcp_clear(lcp_problem *p);

/* max |x - P(x - w)| / max(1, max |b|), the bounds of tangents following x: the natural map;
 * INFINITY where x is not finite. */
double lcp_natural_map(const lcp_problem *p, const double *x);

#endif
