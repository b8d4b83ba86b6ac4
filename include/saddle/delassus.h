/* SPDX-License-Identifier: MIT */
/* The Delassus operator of a problem, for hosts that solve for the impulses themselves.
 *
 * With v = M^-1 (f + J'lambda) in the rows, w = J v + R lambda - b becomes
 *
 *     w = W lambda + q        W = J M^-1 J' + R      m x m, sparse; symmetric if M and R are
 *                             q = J M^-1 f - b       m
 *
 * for all rows alike, whatever their bounds and laws.  M is factored once, L D L' (without
 * pivoting), and the rows of J are carried along in the factorization: no column of M^-1 J' is
 * computed.  W has an entry (i, k) if rows i and k have velocities connected by M's graph, or if R
 * has one; W is symmetric to the last bit.  An M not marked symmetric is factored L U with
 * pivoting, and the columns of W are computed by solves.
 *
 *     create (patterns) -> form (values, as often as wanted; no allocation for a symmetric M)
 *                       -> matrix, dense, apply, column, blocks, reduce, recover
 *
 * W, q and the problem's rows make a problem without velocities, {.m = m, .R = W, .b = -q, bounds,
 * contacts, law}, for any solver of such rows.  See docs/theory.md, section 4, and
 * examples/delassus.c.
 */
#ifndef SADDLE_DELASSUS_H
#define SADDLE_DELASSUS_H

#include "saddle/mass_operator.h"
#include "saddle/options.h"
#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_delassus saddle_delassus;

/* problem: borrowed for the call; all of it is checked, its patterns are used.  options: ordering
 * and threads are read; NULL = defaults.  *delassus: released by saddle_delassus_free; NULL on
 * failure. SADDLE_INVALID_PROBLEM; SADDLE_SINGULAR: M has no entries; SADDLE_OUT_OF_MEMORY;
 * SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_delassus_create(saddle_context *context,
                                                const saddle_problem *problem,
                                                const saddle_options *options,
                                                saddle_delassus **delassus);

/* The same with M by its products (saddle/mass_operator.h): W is formed dense, by one mass->solve
 * or half_solve for each row, or by mass->complement, and v is refined once.  No call reads
 * problem->M.  mass: copied; called by form, reduce and recover.  SADDLE_INVALID_ARGUMENT: NULL,
 * without a function, or of another n; and as above.  form: SADDLE_SINGULAR where W is not finite;
 * SADDLE_STOPPED: by the progress callback, asked before each product. */
SADDLE_API saddle_status saddle_delassus_create_by_operator(saddle_context *context,
                                                            const saddle_problem *problem,
                                                            const saddle_mass_operator *mass,
                                                            const saddle_options *options,
                                                            saddle_delassus **delassus);

/* Factors M and forms W.  problem: that of create, with values of its own; f, b, bounds and laws
 * are not read. SADDLE_INVALID_ARGUMENT: other sizes or another pattern; SADDLE_INVALID_PROBLEM: an
 * entry that is not finite (named); SADDLE_SINGULAR: M is, or, marked symmetric, needs pivoting;
 * then the message names the velocity. */
SADDLE_API saddle_status saddle_delassus_form(saddle_delassus *delassus,
                                              const saddle_problem *problem);

/* W: symmetric (lower triangle), or general where M or R is not marked symmetric; every diagonal
 * entry stored; owned by delassus, rewritten by the next form.  Before the first form its values
 * are zero. */
SADDLE_API const saddle_matrix *saddle_delassus_matrix(const saddle_delassus *delassus);

/* W dense, both triangles, by columns: W[i + j ld], ld >= m.  SADDLE_INVALID_ARGUMENT: ld < m;
 * SADDLE_WRONG_PHASE: not formed. */
SADDLE_API saddle_status saddle_delassus_dense(const saddle_delassus *delassus, double *W,
                                               int64_t ld);

/* y (m) = W x, x (m).  SADDLE_WRONG_PHASE: not formed. */
SADDLE_API saddle_status saddle_delassus_apply(const saddle_delassus *delassus, const double *x,
                                               double *y);

/* column (m) = W(:, row): the change of the rows' velocities by a unit impulse on `row`
 * [zero-based].  SADDLE_INVALID_ARGUMENT: no such row; SADDLE_WRONG_PHASE: not formed. */
SADDLE_API saddle_status saddle_delassus_column(const saddle_delassus *delassus, int64_t row,
                                                double *column);

/* The diagonal blocks of W in the order of the rows: of each contact (2 x 2 to 6 x 6, by columns)
 * and of each row outside contacts (1 x 1); m times the largest block's rows at most.
 * SADDLE_WRONG_PHASE: not formed. */
SADDLE_API saddle_status saddle_delassus_blocks(const saddle_delassus *delassus,
                                                const saddle_problem *problem, double *block);

/* q (m) = J M^-1 f - b, with f and b of the problem formed.  SADDLE_WRONG_PHASE: not formed. */
SADDLE_API saddle_status saddle_delassus_reduce(saddle_delassus *delassus,
                                                const saddle_problem *problem, double *q);

/* v (n) = M^-1 (f + J'lambda) for lambda (m).  SADDLE_WRONG_PHASE: not formed. */
SADDLE_API saddle_status saddle_delassus_recover(saddle_delassus *delassus,
                                                 const saddle_problem *problem,
                                                 const double *lambda, double *v);

SADDLE_API void saddle_delassus_free(saddle_delassus *delassus); /* NULL is fine */

SADDLE_END_DECLARATIONS

#endif
