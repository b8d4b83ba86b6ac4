/* SPDX-License-Identifier: MIT */
/* Statistics of a solve: counts, residual, times, memory, and a note on unusual events. */
#ifndef SADDLE_REPORT_H
#define SADDLE_REPORT_H

#include "saddle/certificate.h"
#include "saddle/residual.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_inertia {
    int known; /* 0: unknown, the solver has no factorization of K */
    int64_t positive, negative, zero;
} saddle_inertia;

typedef struct saddle_seconds { /* wall clock, of the last call of each phase [s] */
    double read, analyse, factor, solve;
} saddle_seconds;

#define SADDLE_NAME_SIZE 32
#define SADDLE_NOTE_SIZE 512

/* Counts of the last solve: how often a method was replaced by the next (docs/theory.md, 8). */
typedef struct saddle_switches {
    int64_t single;      /* block pivoting to single pivots */
    int64_t lemke;       /* auto: to lemke */
    int64_t regularized; /* to more regularization */
    int64_t other;       /* auto: to any other solver */
} saddle_switches;

/* auto may solve the islands of a problem, parts without a common unknown, one by one (note: "auto:
 * 12 islands; 2 at rest; 9 pivot; 1 admm").  solver is then that of the island with the most rows,
 * or "auto" where all islands are at rest; iterations are the most of any island; pivots, switches,
 * factorizations, refinements, perturbed_pivots, flops and factor_entries are sums; backward_error,
 * condition, growth and inertia are not known. */
typedef struct saddle_report {
    char solver[SADDLE_NAME_SIZE]; /* the solver of the result: of auto's chain, not "auto" */
    saddle_status status;          /* of the last call */
    int64_t n, m, contacts;
    int64_t iterations;       /* sweeps or iterations of the last solve */
    int64_t pivots;           /* complementarity pivots of the last solve */
    saddle_switches switches; /* of the last solve */
    int64_t warm_rows;        /* rows whose impulse the last solve began with by row id
                                 (saddle/warm_start.h); 0 where a start was given */
    int64_t factorizations;   /* numeric factorizations since create */
    int64_t refinements;      /* refinement steps of the last solve */
    int64_t perturbed_pivots; /* pivots changed by regularization or perturbation, last factor */
    saddle_residual residual; /* by the independent checker; total = INFINITY before the first
                                 solve */
    saddle_seconds seconds;   /* read is for the caller to fill in */
    double backward_error; /* direct solvers, last solve: max_i |b - K x|_i / (|K||x| + |b|)_i [-],
                              componentwise (Oettli and Prager; docs/theory.md, 4).  NAN = not
                              known */
    double condition; /* |K^-1||K|, 1-norms, K as factored: an estimate from below, rarely by more
                         than a factor of 3 [-].  NAN = options.condition was 0, or report.solver
                         factors no K (all but ldlt and lu) */
    double scaled_condition; /* the same for D K D, D = natural sizes of K's diagonal to the -1/2:
                                does not change with units [-] */
    double growth; /* max_i (|L||D||L'|)_ii / natural size of K_ii: the number of roundings lost by
                      factoring without pivoting, about 1 where safe [-].  NAN as above, and by lu
                      and the factorizations klu and umfpack, which pivot */
    double flops;  /* of the last factorization; before the first, the estimate of analyse; 0 = not
                      known */
    int64_t factor_entries; /* of L (and D), or of L + U, with stored zeros; 0 = not known */
    saddle_inertia inertia; /* of [M J'; J -R] as factored, or of the matrix factored (see note) */
    saddle_proof proof; /* of the last certificate (SADDLE_INFEASIBLE, SADDLE_SINGULAR); kind none:
                           no certificate */
    int64_t peak_bytes; /* highest memory in use, with that of the factorizations [bytes] */
    char note[SADDLE_NOTE_SIZE]; /* auto's choice with the reason, unusual events; "" = nothing */
} saddle_report;

/* The report as one JSON object, NUL-terminated; the caller releases *text with
 * saddle_release(context, *text). Keys: solver, status, n, m, contacts, iterations, pivots,
 * switches {single, lemke, regularized, other}, warm_rows, factorizations, refinements,
 * perturbed_pivots, residual {dynamics, rows, cone, total, local, growth, normwise, bounds,
 * complementarity, natural_map, natural_map_q}, seconds {read, analyse, factor, solve},
 * backward_error, condition, scaled_condition, growth, flops, factor_entries, inertia {positive,
 * negative, zero} or null, proof {kind, rows, velocities, heaviest (one-based), gap, reach} or
 * null, peak_bytes, note.  A number that is not finite is written as null. */
SADDLE_API saddle_status saddle_report_to_json(saddle_context *context, const saddle_report *report,
                                               char **text);

SADDLE_END_DECLARATIONS

#endif
