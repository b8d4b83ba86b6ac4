/* SPDX-License-Identifier: MIT */
/* Other programs' solvers for dense complementarity problems, in C for C and C++ adapters.
 *
 *     w = A x - b,   lo <= x <= hi as in problems.h;
 *         an adapter copies overwritten arguments, then times the call alone
 *
 * A program that CMake did not find keeps its line in the table, marked absent. */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_PEERS_H
#define SADDLE_BENCH_COMPLEMENTARITY_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lcp_call {
    int n;
    const double *A;       /* n x n, by rows */
    const double *b;       /* n */
    const double *lo, *hi; /* n */
    const int *normal;     /* n: of a tangent, the row of its normal; else -1 */
    int friction;          /* 1: there are tangents */
    double tolerance;      /* for those that take one */
    double *x;             /* n: the answer */
    double seconds;        /* of the call alone */
    int iterations;        /* or pivots; -1: unknown */
    char message[120];     /* why there is no answer */
} lcp_call;

typedef int lcp_solve_function(lcp_call *call); /* nonzero: no answer */

enum lcp_takes {
    LCP_TAKES_PLAIN = 1,
    LCP_TAKES_SYMMETRIC = 2,
    LCP_TAKES_BOXED = 4,
    LCP_TAKES_FRICTION = 8
};

typedef struct lcp_peer {
    const char *name;
    const char *what;
    lcp_solve_function *solve; /* NULL: absent */
    unsigned takes;            /* 1 << family */
    int largest;               /* rows; larger problems are skipped */
    int tolerant;              /* 1: it stops by a tolerance */
} lcp_peer;

const lcp_peer *lcp_peer_at(int index); /* NULL past the end */

lcp_solve_function lcp_siconos_lemke, lcp_siconos_pivot, lcp_siconos_newton, lcp_siconos_enum;
lcp_solve_function lcp_ode_dantzig, lcp_bullet_dantzig, lcp_bullet_lemke, lcp_dart_dantzig;

#ifdef __cplusplus
}
#endif

#endif
