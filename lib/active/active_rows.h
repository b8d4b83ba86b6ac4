/* SPDX-License-Identifier: MIT */
/* A linear system whose constraint rows come and go, solved without a new analysis and mostly
 * without a new factorization:
 *
 *     [ M    J_A' ] [  v        ]   [ f   ]       A  the active rows, out of m candidates
 *     [ J_A  -R_A ] [ -lambda_A ] = [ b_A ]
 *         lambda_i = 0 for the others, whose equations are absent
 *
 *     create (pattern, all candidates) -> factor (values, A) -> change (rows in, rows out), solve,
 *         as often as wanted
 *
 * A change is made in one of three ways (docs/theory.md, section 4, has the equations and the model
 * that picks):
 *
 *     mask   K is factored again, with -s_i on the diagonal and zeros beside it in the rows that
 *         are out: the pattern, and
 *              with it the analysis, stays.  Without velocities (n = 0), and with nothing added to
 *                  a K whose pivots are all
 *              known to be negative, the rows that are in are factored by themselves where that is
 *                  clearly less
 *              (ldlt/part.h); every change is made so then.
 *     border   the factor stays; rows that came and rows that went border it with a column each,
 *         and what is solved beside it
 *              is a dense symmetric system of their number.  A row that goes back and forth costs
 *                  next to nothing.
 *     modify   row i of L is computed or cleared, and the columns on its way to the root take a
 *         rank-1 change
 *              (Davis and Hager, SIAM J. Matrix Anal. Appl. 26, 2005; formulas of Gill, Golub,
 *                  Murray and Saunders, Math. Comp.
 *              28, 1974, method C1).
 *
 * All three know the pivot that row i has behind all other active rows and velocities,
 *
 *     sigma_i = 1 / (K_A^-1)_ii = -(R_ii + J_i Z J_i')
 *         Z = inverse of M on what the other rows leave free
 *
 * before anything is changed: a row for which it vanishes depends on the others and is refused, and
 * so is taking out the row that alone holds a velocity without mass.  The system stays as it was,
 * and the caller goes on.
 *
 * After create nothing is allocated.
 */
#ifndef SADDLE_LIB_ACTIVE_ROWS_H
#define SADDLE_LIB_ACTIVE_ROWS_H

#include "factor/factorization.h"
#include "ldlt/part.h"
#include "saddle/problem.h"

typedef struct saddle__active_rows saddle__active_rows;

typedef enum saddle__active_method {
    SADDLE__ACTIVE_PICK = 0, /* what the model of cost finds cheapest */
    SADDLE__ACTIVE_MASK = 1,
    SADDLE__ACTIVE_MODIFY = 2
} saddle__active_method;

typedef struct saddle__active_request {
    const signed char *toggles; /* m, nonzero: rows that may come and go; the others are always in.
                                   (default: NULL: all) */
    const signed char *late;    /* n + m, as for saddle__factorization_analyse_late; NULL: none */
    saddle_ordering ordering;   /* default: BEST */
    saddle__active_method method; /* default: PICK */
    double tolerance; /* solve refines until the componentwise backward error is this [-] (default:
                         1e-13) */
    int64_t threads;  /* of a factorization, at most (default: 1) */
} saddle__active_request;

typedef struct saddle__active_values {
    const double *added; /* n + m: onto K's diagonal for the factorization, taken out again by
                            refinement; NULL = 0 */
    const double *kept;  /* n + m: onto K's diagonal for good, compliance that the problem does not
                            have; NULL = 0 */
    saddle__pivot_rule rule; /* for the factorization.  scale: required, > 0; replacement: finite */
    int shifted; /* 1: only kept is read, all else is as in the last call; saves time at n = 0 */
} saddle__active_values;

typedef struct saddle__active_change {
    int64_t row; /* one that may come and go */
    int in;      /* 1: active from now on, 0: no more; as it is already: nothing happens */
    int refused; /* out: 1 = it would have left the system singular, and the row is as it was */
} saddle__active_change;

typedef struct saddle__active_counts { /* since create, but for the last five */
    int64_t factorizations;
    int64_t modified;             /* changes made that way */
    int64_t refused;              /* changes, and rows that factor took out */
    int64_t corrections;          /* steps of refinement */
    saddle__active_method method; /* of the last change */
    double error; /* of the last solve: componentwise backward error against K_A, worst right-hand
                     side */
    saddle__factor_counts factor; /* of the last factorization */
    double factor_time; /* what the model of cost foresees of a factorization, and of a solve
                           [ns] */
    double solve_time;
} saddle__active_counts;

/* problem: its pattern and sizes; M and R symmetric.  late rows cost fill; rows that toggle are
 * made late where `modify` may be used, which needs it for stability.  *active: NULL on failure.
 * SADDLE_UNSUPPORTED: M or R unsymmetric; SADDLE_INVALID_ARGUMENT; SADDLE_OUT_OF_MEMORY,
 * SADDLE_TOO_LARGE. */
saddle_status saddle__active_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle__active_request *request,
                                         saddle__active_rows **active);

/* The values of a problem of the same pattern (copied: it need not live on).  What was factored is
 * gone. */
void saddle__active_rows_set_values(saddle__active_rows *active, const saddle_problem *problem,
                                    const saddle__active_values *values);

/* K of the rows that are in; values: NULL = those that were set last, and problem is not looked at.
 * in (m): nonzero = active; NULL = all.  Rows that do not toggle are in whatever it says.  A row
 * that may toggle and depends on others that are in is refused, that is, taken out:
 * saddle__active_rows_set tells, counts.refused counts. SADDLE_SINGULAR: a pivot that vanished and
 * nothing replaced. */
saddle_status saddle__active_rows_factor(saddle__active_rows *active, const saddle_problem *problem,
                                         const saddle__active_values *values,
                                         const signed char *in);

/* Changes the active set, in the order given.  A change that is refused is marked so, the others
 * are made. solves: right-hand sides expected before the next change [-]; 0 = as many as until now
 * on average. Where K is factored again, and taking rows out leaves a velocity without mass, all
 * removals of the call are refused. SADDLE_OK whether changes were refused or not;
 * SADDLE_INVALID_ARGUMENT: a row out of range, or one that does not toggle: nothing is changed
 * then; SADDLE_WRONG_PHASE: before factor; SADDLE_SINGULAR: as for factor, which has to be called
 * again. */
saddle_status saddle__active_rows_change(saddle__active_rows *active, int64_t count,
                                         saddle__active_change *changes, double solves);

/* x ((n + m) x count by columns, leading dimension ld): (f, b) in, (v, lambda) out; b_i of rows
 * that are out is not looked at, their lambda_i is 0.  Refined against the values as given.  Where
 * that stalls and the factor is not fresh, K is factored again first, unless that did not help
 * before. SADDLE_NOT_CONVERGED: the backward error, in counts.error, stayed above the tolerance: x
 * is the best met. */
saddle_status saddle__active_rows_solve(saddle__active_rows *active, int64_t count, double *x,
                                        int64_t ld);

/* m: nonzero = active.  Valid until free. */
const signed char *saddle__active_rows_set(const saddle__active_rows *active);

/* Where the active rows are factored by themselves (mask, above): what holds the factor of -R_A,
 * with what is kept, until the next change; else NULL. */
saddle__part *saddle__active_rows_part(const saddle__active_rows *active);

/* Without velocities (n = 0): R, as given last, beside its diagonal, and that; else NULL. */
typedef struct saddle__active_compliance {
    const saddle__whole_rows *beside;
    const double *diagonal; /* m */
} saddle__active_compliance;
saddle__active_compliance saddle__active_rows_compliance(const saddle__active_rows *active);

saddle__active_counts saddle__active_rows_counts(const saddle__active_rows *active);

/* NULL and half-built ones are fine */
void saddle__active_rows_free(saddle__active_rows *active);

#endif
