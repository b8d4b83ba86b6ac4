/* SPDX-License-Identifier: MIT */
/* Options of solvers.
 *
 *     saddle_options options = saddle_options_default();
 *     options.tolerance = 1e-8;                                              all solvers
 *     options.settings = "pivot.basis=columns gauss-seidel.relaxation=1.2";  single solvers
 *
 * A solver ignores options of other solvers. */
#ifndef SADDLE_OPTIONS_H
#define SADDLE_OPTIONS_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

/* METIS, as Debian builds it, restarts the C library's rand() and exchanges signal handlers while
 * METIS runs; calls from several threads take turns.  A host that cannot accept that chooses
 * AMD. */
typedef enum saddle_ordering {
    SADDLE_ORDERING_BEST = 0, /* AMD and METIS: the ordering with less fill */
    SADDLE_ORDERING_AMD = 1,
    SADDLE_ORDERING_METIS = 2,
    SADDLE_ORDERING_NATURAL = 3
} saddle_ordering;

typedef struct saddle_options { /* start from saddle_options_default() */
    size_t size;      /* bytes of this struct as the caller was compiled; fields behind that
                         size have their defaults */
    double tolerance; /* solved when report.residual.total <= tolerance [-] (default: 1e-10) */
    /* iterations, pivots or sweeps; 0 = chosen by the solver (default: 0) */
    int64_t max_iterations;
    double time_limit;        /* of analyse, of factor and of solve each [s]; 0 = no limit.  Looked
                                 at between iterations, large fronts of our own LDL', and the stages
                                 of its ordering; other factorizations and METIS run to their end
                                 (default: 0) */
    double regularization;    /* direct solvers: subtracted from the rows' diagonal where R = 0,
                                 relative to the row's Delassus diagonal [-]; refinement removes the
                                 error again.  ldlt takes 1e-8 at least where a mesh has many rows
                                 with R = 0, unless regularization is 0 (default: 1e-10) */
    int64_t max_refinements;  /* direct solvers: steps of iterative refinement at most; 0 = one
                                 solve, whose error is then not known (default: 20) */
    double refine_to;         /* ldlt, lu: stop refining when the scaled residual is <= refine_to:
                                 with r_v = f - M v + J'lambda, r_l = b - J v - R lambda,
                                 |r_v| <= refine_to |f|,
                                 |r_l| <= refine_to (|b| + max_i sum_j |J_ij v_j|),
                                 and the same of all r in units of |M_jj|^1/2 and
                                 (sum_j J_ij^2/|M_jj|)^1/2 [-].  report.residual is then at most
                                 refine_to, backward_error NAN; 0 = refine until the error stays
                                 (default: 0) */
    int condition;            /* 1 = estimate the condition in each factor (ldlt, lu, where K as a
                                 whole is factored), at the cost of ten to twenty solves, and
                                 measure the growth (ldlt, which does not pivot); other solvers
                                 report NAN (default: 0) */
    saddle_ordering ordering; /* direct solvers: fill-reducing ordering (default: BEST) */
    int64_t threads;          /* ldlt, schur: threads of one factorization at most, auto: of islands
                                 too, 1 .. 1024; never more than processors, or 16.  Results do not
                                 depend on threads to the bit; each thread takes some megabytes of
                                 memory.  auto's threads call the context's allocator, one at a
                                 time.  Builds without OpenMP: 1 (default: 1) */
    int warm_start;           /* 1: a solve without a start begins with the impulses of the last
                                 solve, by row ids (saddle/warm_start.h); 0: with zeros
                                 (default: 1) */
    const char *settings;     /* of single solvers, "solver.setting=value ..", separated by spaces
                                 or commas; a later assignment replaces an earlier one;
                                 saddle_solver_type.settings lists names, ranges and defaults
                                 (`saddle solvers NAME`).  Borrowed; saddle_solver_create copies.
                                 NULL = defaults (default: NULL) */
} saddle_options;

/* *options <- the defaults.  size: bytes of the caller's struct: less than here in a program that
 * was compiled for an earlier version, more for a later one, whose options every function refuses
 * (saddle_options_check).  Without room for options->size, size < sizeof(size_t), nothing is
 * written. */
SADDLE_API void saddle_options_init(saddle_options *options, size_t size);

static inline saddle_options saddle_options_default(void)
{
    saddle_options options;
    saddle_options_init(&options, sizeof options);
    return options;
}

/* SADDLE_INVALID_ARGUMENT, the message names the field and its range.  Settings are checked by
 * saddle_solver_create, which knows the solvers. */
SADDLE_API saddle_status saddle_options_check(saddle_context *context,
                                              const saddle_options *options);

SADDLE_END_DECLARATIONS

#endif
