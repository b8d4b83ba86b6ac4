/* SPDX-License-Identifier: MIT */
/* What a caller may ask of a solver.  Named fields with defaults; a solver ignores what does not
 * concern it. */
#ifndef SADDLE_OPTIONS_H
#define SADDLE_OPTIONS_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

/* METIS, as Debian builds it, restarts the C library's rand() and exchanges signal handlers while
 * it runs; calls from several threads take turns.  A host that cannot have that chooses AMD. */
typedef enum saddle_ordering {
    SADDLE_ORDERING_BEST = 0, /* AMD and METIS, the one with less fill */
    SADDLE_ORDERING_AMD = 1,
    SADDLE_ORDERING_METIS = 2,
    SADDLE_ORDERING_NATURAL = 3
} saddle_ordering;

/* How a direct solver factors the KKT matrix.  By default ldlt takes the engine; lu takes UMFPACK,
 * or KLU in builds without GPL code (SADDLE_GPL=OFF), which know no UMFPACK.  ldlt takes any of
 * them; lu, whose matrix may be unsymmetric, the last two. auto takes schur only by default, and
 * lu's own where lu follows a ldlt that was asked for one of the first two.
 * X(name, word) */
#define SADDLE_FACTORIZATION_NAMED(X)                                                              \
    X(SADDLE_FACTORIZATION_SUPERNODAL, "ldlt") /* the engine: our signed supernodal L D L', BLAS-3 \
                                                */                                                 \
    X(SADDLE_FACTORIZATION_CHOLMOD, "cholmod") /* CHOLMOD's simplicial L D L', one column at a     \
                                                  time */                                          \
    X(SADDLE_FACTORIZATION_UMFPACK, "umfpack") /* UMFPACK's multifrontal L U, with pivoting */     \
    X(SADDLE_FACTORIZATION_KLU, "klu")         /* KLU's L U, one column at a time, with pivoting */

#define SADDLE_FACTORIZATION_LIST(X) \
    X(SADDLE_FACTORIZATION_DEFAULT, "default") SADDLE_FACTORIZATION_NAMED(X)

typedef enum saddle_factorization {
#define SADDLE_FACTORIZATION_ENUM(name, word) name,
    SADDLE_FACTORIZATION_LIST(SADDLE_FACTORIZATION_ENUM)
#undef SADDLE_FACTORIZATION_ENUM
} saddle_factorization;

/* How pivot keeps the rows that are between their bounds, and the form of lemke's tableau: factor =
 * a sparse factorization of the basis, columns = dense.
 * X(name, word) */
#define SADDLE_BASIS_LIST(X)                                                                      \
    X(SADDLE_BASIS_BEST, "best") /* what its model of cost finds cheapest; the note says which */ \
    X(SADDLE_BASIS_FACTOR, "factor")   /* in the sparse factor of the KKT matrix, into which rows \
                                          come and go:   M and R symmetric, no contacts unless    \
                                          lagged_friction */                                      \
    X(SADDLE_BASIS_COLUMNS, "columns") /* dense, on those columns of the Delassus operator whose  \
                                          rows ever entered */

typedef enum saddle_basis {
#define SADDLE_BASIS_ENUM(name, word) name,
    SADDLE_BASIS_LIST(SADDLE_BASIS_ENUM)
#undef SADDLE_BASIS_ENUM
} saddle_basis;

typedef struct saddle_options { /* start from saddle_options_default() */
    double tolerance; /* solved when report.residual.total <= tolerance [-] (default: 1e-10) */
    int64_t max_iterations;  /* iterations, pivots or sweeps; 0 = the solver's own choice (default:
                                0) */
    double time_limit;       /* of one solve [s]; 0 = none (default: 0) */
    double regularization;   /* direct solvers: subtracted from the rows' diagonal where R = 0,
                                relative to the row's Delassus diagonal [-]; refinement takes it
                                out again.  ldlt takes 1e-8 at least where a mesh has many such
                                rows, unless it is 0 (default: 1e-10) */
    int64_t max_refinements; /* direct solvers: steps of iterative refinement at most; 0 = one
                                solve, whose error is then not known (default: 20) */
    double refine_to; /* ldlt, lu: refinement may stop when x of the right-hand side is left: with
                         r_v = f - M v + J'lambda, r_l = b - J v - R lambda, |r_v| <= x |f|,
                         |r_l| <= x (|b| + max_i sum_j |J_ij v_j|), so that the report's residual
                         is at most x, and the same of all r in units of |M_jj|^1/2 and
                         (sum_j J_ij^2/|M_jj|)^1/2 [-].  backward_error is then NAN; 0 = as far as
                         it goes (default: 0) */
    int condition;    /* 1 = estimate the condition in each factor (ldlt, lu, where K as a whole is
                         factored), which takes as long as some ten to twenty solves, and measure
                         the growth (ldlt, which does not pivot); others report NAN (default: 0) */
    saddle_ordering ordering;           /* direct solvers: fill-reducing ordering (default: BEST) */
    saddle_factorization factorization; /* ldlt, lu: of the KKT matrix (default: DEFAULT) */
    int64_t threads; /* ldlt, schur: threads of one factorization, at most; 1 .. 1024, no more of
                        them than processors or 16.  The bits do not depend on it, memory does: some
                        megabytes each.  Without OpenMP: 1 (default: 1) */
    int warm_start;  /* 1: a solve without a start follows the row ids of the one before it
                        (saddle/warm_start.h); 0: it is a cold one (default: 1) */
    int64_t crash_steps; /* lemke: steps of block pivoting at most that look for the basis before a
                            path is followed.  schur, pivot: on few rows without velocities, steps
                            without regularization before all others.  0 = none (default: 50) */
    saddle_basis basis;  /* pivot, lemke: above (default: BEST) */
    int lagged_friction; /* pivot, schur: 1 = tangents' bounds follow the normal impulses of the
                            step before, from a start without friction on a cold one,
                            max_refinements steps at most; only where these settle is the law
                            solved; 0 = those of the same step (default: 0) */
    double relaxation;   /* gauss-seidel: over-relaxation factor in (0, 2) [-] (default: 1) */
    int64_t check_every; /* iterative solvers: iterations between residual checks; 0 = own choice
                            (default: 0) */
} saddle_options;

SADDLE_API saddle_options saddle_options_default(void);

/* SADDLE_INVALID_ARGUMENT, the message names the field and its range. */
SADDLE_API saddle_status saddle_options_check(saddle_context *context,
                                              const saddle_options *options);

SADDLE_END_DECLARATIONS

#endif
