/* SPDX-License-Identifier: MIT */
/* Which constraint rows depend linearly on which others, whether their right-hand sides agree, and
 * the multipliers of least norm.
 *
 *     row i depends on rows k where      J_i = sum_k c_k J_k    and    R_i = sum_k c_k R_k
 *     (J_i, R_i the rows of [J R]): the combination y = e_i - sum_k c_k e_k has y'J = 0 and y'R =
 *         0;
 *     it is inconsistent where           gap = y'b = b_i - sum_k c_k b_k     is more than rounding;
 *     and with Z all such y (R symmetric), lambda + Z z loads the system as lambda does, for any z.
 *
 * So a row with compliance is never dependent, unless its compliance is shared in the same
 * proportions.
 *
 * What is promised.  Taken in their order, rows are independent until one depends on rows before
 * it: that one is named. Its combination holds only rows before it, and those needed: none of them
 * can be left out, or a shorter one was found among the combinations with other dependent rows.  So
 * a copy reads "row 12 = 2 x row 3", and of a loop's redundant rows the closing joint's are named.
 * Each combination was verified against J and R as given: `residual` is what is left. (Where
 * rounding forbids that, rows depend on later ones too; ordered = 0 says so.)
 *
 * Dependence is decided in natural units: velocity j is measured in |M_jj|^-1/2 (where M_jj = 0, by
 * the largest M_jk^2/|M_kk|; where there is none, by column j of J), and each row is then scaled to
 * length 1.  A row is dependent where what is left of the combination is below `tolerance` times
 * the sum of |coefficients|.  M is read for these units alone: it may be singular.  Any R_ik other
 * than zero counts.
 *
 * Cost: a sparse elimination of the rows [J R] themselves, without M, or where they fill in too
 * much a factorization or two by the engine; besides that, the length of the combinations found.
 * No dense matrix is formed.
 */
#ifndef SADDLE_RANK_H
#define SADDLE_RANK_H

#include "saddle/options.h"
#include "saddle/problem.h"
#include "saddle/report.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_rank_options { /* start from saddle_rank_options_default() */
    int all_rows; /* 0: equality rows; 1: bounded rows and contacts' too, as if they were equalities
                     (default: 0) */
    int ignore_compliance; /* 1: R is taken to be zero: what compliance hides (default: 0) */
    int count_only;   /* 1: how many depend, but not on what: faster where many do (default: 0) */
    double tolerance; /* [-], in (0, 1) (default: 1e-10) */
} saddle_rank_options;

SADDLE_API saddle_rank_options saddle_rank_options_default(void);

/* Row `row` is the combination sum_k factor[k] x row other[k].  count = 0: it is zero. */
typedef struct saddle_dependency {
    int64_t row;     /* the dependent row */
    int64_t count;   /* rows it is made of */
    int64_t *other;  /* count: ascending; some may be dependent themselves, on rows before them */
    double *factor;  /* count: c_k  [unit of row i's J over row k's] */
    double residual; /* length of (J, R)_i - sum_k c_k (J, R)_k over the sum of its terms' lengths,
                        in natural units [-] */
    double gap;      /* b_i - sum_k c_k b_k  [as b_i] */
    double relative_gap; /* |gap| / (|b_i| + sum_k |c_k b_k|); 0 where that is 0 [-] */
    int judged; /* 1: all its rows are equalities, so that a gap is a contradiction; 0 too where no
                   double holds the gap, which is 0 then */
    int inconsistent; /* judged, and the gap is above tolerance x (|b_i| + sum_k |c_k b_k|) and
                         above the rounding of the problem's largest f and b in natural units */
} saddle_dependency;

typedef struct saddle_rank {
    int64_t examined;              /* rows: all equalities, or all */
    int64_t rank;                  /* independent rows among them */
    int64_t *independent;          /* rank: ascending */
    int64_t dependency_count;      /* examined - rank */
    saddle_dependency *dependency; /* dependency_count: by ascending row; NULL where only counted,
                                 as independent and others are: combinations are then not formed,
                                 nor verified */
    int64_t inconsistent;          /* how many of them */
    double separation; /* of as many independent rows, those an order of little fill met first, at
                          length 1 in natural units, the smallest singular value, from above, by a
                          few steps of inverse iteration: far above the tolerance where the rank is
                          clear [-]; 1 where there are none */
    int ordered;       /* 1: dependent rows depend on rows before them; 0 where only counted */
    int compliance_ignored; /* as asked */
    int64_t *others;        /* all dependencies' other, one after the other; factors likewise */
    double *factors;
    saddle_context *context;
} saddle_rank;

/* options: NULL = defaults.  *rank: owned, released by saddle_rank_clear; empty on failure.  The
 * problem is taken to be valid (saddle_problem_check).  SADDLE_INVALID_ARGUMENT: a tolerance out of
 * its range; SADDLE_INVALID_PROBLEM: entries in natural units, or factors, that no double holds;
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_rank_find(saddle_context *context, const saddle_problem *problem,
                                          const saddle_rank_options *options, saddle_rank *rank);

SADDLE_API void saddle_rank_clear(saddle_rank *rank); /* NULL and empty ones are fine */

/* "row 12 (id 40017, left knee) = 2 x row 3 - row 4 and 5 others" into text[size]; terms: how many
 * at most; 0 = all that fit. */
SADDLE_API void saddle_rank_describe(const saddle_problem *problem,
                                     const saddle_dependency *dependency, int64_t terms, char *text,
                                     size_t size);

/* ---- multipliers of least norm ---- */

typedef enum saddle_multiplier_norm {
    SADDLE_NORM_PLAIN = 0,  /* sum_i lambda_i^2, mixed as the units may be */
    SADDLE_NORM_NATURAL = 1 /* sum_i s_i lambda_i^2 with s_i = |R_ii| + sum_j J_ij^2 / |M_jj|
                               (velocities' units as above): an energy, the same in metres and
                               millimetres */
} saddle_multiplier_norm;

/* lambda (m): some solution's in, that of least norm with the same J'lambda and R lambda out.  Rows
 * that take part in no dependency keep theirs, bit for bit.  Sharing among rows may break bounds:
 * rank is to come from equality rows where those matter.  SADDLE_UNSUPPORTED: R is marked
 * SADDLE_GENERAL and was not ignored; SADDLE_INVALID_ARGUMENT: a rank of another size, or only
 * counted; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_rank_least_multipliers(saddle_context *context,
                                                       const saddle_problem *problem,
                                                       const saddle_rank *rank,
                                                       saddle_multiplier_norm norm, double *lambda);

/* Both in one: solves the problem by the solver `name` (NULL: "auto") and shares the impulse among
 * its redundant equality rows; v stays, and the report's residual is measured again.  options: the
 * solver's, NULL = defaults; solution: as saddle_solve takes it; report: NULL is fine.  What
 * saddle_solve and the functions above return: rows that contradict each other are no success. */
SADDLE_API saddle_status saddle_solve_least_multipliers(
    saddle_context *context, const saddle_problem *problem, const char *name,
    saddle_multiplier_norm norm, const saddle_options *options, saddle_solution *solution,
    saddle_report *report);

SADDLE_END_DECLARATIONS

#endif
