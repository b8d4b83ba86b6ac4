/* SPDX-License-Identifier: MIT */
/* Constraint rows that depend linearly on other rows, the agreement of their right-hand sides, and
 * multipliers of least norm.
 *
 *     row i depends on rows k:    J_i = sum_k c_k J_k   and   R_i = sum_k c_k R_k
 *                                 (J_i, R_i rows of J, R)
 *     its combination:            y = e_i - sum_k c_k e_k,   y'J = 0   and   y'R = 0
 *     inconsistent:               gap = y'b = b_i - sum_k c_k b_k   is more than rounding
 *     multipliers:                with Z all such y (R symmetric), lambda + Z z loads the system
 *                                 as lambda does, for any z
 *
 * A row with compliance is therefore never dependent, unless other rows share the compliance in the
 * same proportions.
 *
 * Guaranteed.  Rows are taken in their order; a row that depends on rows before is named, and the
 * combination has rows before it only.  A copy reads "row 12 = 2 x row 3", and of the redundant
 * rows of a loop those of the closing joint are named.  Each combination was verified against J and
 * R as given: `residual` is the remainder.  Combinations are shortened by others; none of the rows
 * of a combination can be left out.  (Where rounding forbids the order, rows depend on later ones
 * too, and ordered is 0.)
 *
 * Dependence is decided in natural units (saddle/residual.h): velocity j is measured in
 * |M_jj|^-1/2 (M_jj = 0: in a unit by its couplings), and each row is then scaled to length 1.  A
 * row is dependent if the remainder of the combination is below `tolerance` times the sum of
 * |coefficients|.  M is read for these units only, and may be singular.  Any R_ik other than zero
 * counts.
 *
 * Cost: a sparse elimination of the rows [J R], without M, and the length of the combinations
 * found. No dense matrix is formed.
 */
#ifndef SADDLE_RANK_H
#define SADDLE_RANK_H

#include "saddle/options.h"
#include "saddle/problem.h"
#include "saddle/report.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_rank_options { /* start from saddle_rank_options_default() */
    int all_rows;          /* 0: equality rows; 1: also rows with bounds and of contacts, as if they
                              were equalities (default: 0) */
    int ignore_compliance; /* 1: R = 0, to find dependencies that compliance hides (default: 0) */
    int count_only;        /* 1: the number of dependent rows without their combinations, which is
                              faster (default: 0) */
    double tolerance;      /* [-], in (0, 1) (default: 1e-10) */
} saddle_rank_options;

SADDLE_API saddle_rank_options saddle_rank_options_default(void);

/* Row `row` is the combination sum_k factor[k] x row other[k].  count = 0: it is zero. */
typedef struct saddle_dependency {
    int64_t row;     /* the dependent row */
    int64_t count;   /* rows of the combination */
    int64_t *other;  /* count: ascending; may be dependent themselves, on rows before */
    double *factor;  /* count: c_k  [unit of row i's J over row k's] */
    double residual; /* length of (J, R)_i - sum_k c_k (J, R)_k over the sum of its terms' lengths,
                        in natural units [-] */
    double gap;      /* b_i - sum_k c_k b_k  [as b_i] */
    double relative_gap; /* |gap| / (|b_i| + sum_k |c_k b_k|); 0 where that is 0 [-] */
    int judged;       /* 1: all rows are equalities, so that a gap is a contradiction; 0 also if the
                         gap overflows, and gap is 0 then */
    int inconsistent; /* 1: judged, and the gap is above tolerance x (|b_i| + sum_k |c_k b_k|) and
                         above the rounding of the problem's largest f and b in natural units */
} saddle_dependency;

typedef struct saddle_rank {
    int64_t examined;              /* rows: all equalities, or all */
    int64_t rank;                  /* independent rows */
    int64_t *independent;          /* rank: ascending; NULL if only counted */
    int64_t dependency_count;      /* examined - rank */
    saddle_dependency *dependency; /* dependency_count: by ascending row; NULL if only counted */
    int64_t inconsistent;          /* number of inconsistent dependencies */
    double separation;             /* the smallest singular value of as many independent rows, in
                                      natural units at length 1, from above by inverse iteration:
                                      far above the tolerance where the rank is clear; 1 without
                                      rows [-] */
    int ordered;            /* 1: each dependent row depends on rows before; 0 if only counted */
    int compliance_ignored; /* as in the options */
    int64_t *others;        /* storage of the dependencies' other */
    double *factors;        /* storage of the dependencies' factor */
    saddle_context *context;
} saddle_rank;

/* options: NULL = defaults.  *rank: owned, released by saddle_rank_clear; empty on failure.  The
 * problem has to be valid (saddle_problem_check).  SADDLE_INVALID_ARGUMENT: a tolerance outside
 * (0, 1); SADDLE_INVALID_PROBLEM: entries in natural units, or factors, overflow;
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_rank_find(saddle_context *context, const saddle_problem *problem,
                                          const saddle_rank_options *options, saddle_rank *rank);

SADDLE_API void saddle_rank_clear(saddle_rank *rank); /* NULL and empty ones are fine */

/* Writes "row 12 (id 40017, left knee) = 2 x row 3 - row 4 and 5 others" into text[size]; terms: at
 * most so many, 0 = as many as fit. */
SADDLE_API void saddle_rank_describe(const saddle_problem *problem,
                                     const saddle_dependency *dependency, int64_t terms, char *text,
                                     size_t size);

/* ---- multipliers of least norm ---- */

typedef enum saddle_multiplier_norm {
    /* sum_i lambda_i^2, in the units of the rows */
    SADDLE_MULTIPLIER_NORM_PLAIN = 0,
    /* sum_i s_i lambda_i^2 with s_i = |R_ii| + sum_j J_ij^2 / |M_jj| (velocities' units as above):
     * an energy, the same in metres and millimetres */
    SADDLE_MULTIPLIER_NORM_NATURAL = 1
} saddle_multiplier_norm;

/* lambda (m): of a solution on entry, of least norm with the same J'lambda and R lambda on return.
 * Rows without a part in a dependency keep their impulse, bit for bit.  Sharing among rows may
 * break bounds: where bounds matter, rank has to be of the equality rows.  SADDLE_UNSUPPORTED: R is
 * marked SADDLE_SYMMETRY_NONE and was not ignored; SADDLE_INVALID_ARGUMENT: a rank of another size,
 * or only counted; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_rank_least_multipliers(saddle_context *context,
                                                       const saddle_problem *problem,
                                                       const saddle_rank *rank,
                                                       saddle_multiplier_norm norm, double *lambda);

/* Solves the problem by the solver `name` (NULL: "auto") and shares the impulse among redundant
 * equality rows; v stays, and the report's residual is measured again.  options: of the solver,
 * NULL = defaults; solution: as for saddle_solve; report: NULL is fine.  Returns the status of
 * saddle_solve or of the functions above: rows that contradict each other are no success. */
SADDLE_API saddle_status saddle_solve_least_multipliers(
    saddle_context *context, const saddle_problem *problem, const char *name,
    saddle_multiplier_norm norm, const saddle_options *options, saddle_solution *solution,
    saddle_report *report);

SADDLE_END_DECLARATIONS

#endif
