/* SPDX-License-Identifier: MIT */
/* Attachments eliminated or kept as rows, each as the predicted work is less.
 *
 * With v = Q u + d (saddle/attachments.h) a problem in v becomes one in u, with the same
 * compliance, bounds and contacts (Lloyd, ArtiSynth mechanics notes, 0.20 - 0.24, 0.27 - 0.35):
 *
 *     M' = Q'M Q = P M P'      n' x n'  symmetric where M is           f' = Q'(f - M d)      n'
 *     J' = J Q                 m  x n'                                 b' = b - J d          m
 *
 * Recovery gives all of v, and the impulses F (n) left over by M v - J'lambda - f, summed along the
 * graph.  At an attached velocity F is the impulse that its attachment carries, at a prescribed one
 * the impulse of the prescription (0.21); at an active one F is zero but for rounding.
 *
 * An attached or prescribed velocity can be kept instead, as an equality row behind the problem's
 * own, one for each such velocity in ascending order,
 *
 *     v_k - sum_j A_kj v_j = g_k        v_k = given              multipliers lambda_beta, p of them
 *
 * With all of them kept the problem is the whole problem: n velocities, m + p rows.  Elimination
 * leaves fewer unknowns, but may couple them all: a chain whose links add one coordinate each
 * becomes the dense J'M J (Sueda, Rigid Body Dynamics Notes, 2.6), while its rows, factored in the
 * order of the tree, cost the same for each link.  Kept and eliminated attachments mix: a component
 * whose attachment is kept is active for the components attached to it.  The solution of the whole
 * problem is the same, with lambda_beta = F at eliminated velocities.
 */
#ifndef SADDLE_ELIMINATION_H
#define SADDLE_ELIMINATION_H

#include "saddle/attachments.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word in options) */
#define SADDLE_WISH_LIST(X)                                     \
    X(SADDLE_WISH_CHOOSE, "choose") /* by the predicted work */ \
    X(SADDLE_WISH_ELIMINATE, "eliminate")                       \
    X(SADDLE_WISH_KEEP, "keep") /* as rows */

typedef enum saddle_wish {
#define SADDLE_WISH_ENUM(name, word) name,
    SADDLE_WISH_LIST(SADDLE_WISH_ENUM)
#undef SADDLE_WISH_ENUM
} saddle_wish;

/* The whole problem (n, m + p), owned: all attachments and prescribed velocities kept as rows with
 * names ("tibia[2] attached") and stable negative ids.  Its pattern follows from those of the graph
 * and the problem.  Errors as of saddle_elimination_create. */
SADDLE_API saddle_status saddle_attachments_keep(saddle_context *context,
                                                 const saddle_attachments *attachments,
                                                 const saddle_problem *problem,
                                                 saddle_problem *whole);

typedef struct saddle_elimination saddle_elimination;

/* Decides, plans and forms.  attachments, problem: borrowed for the call; the velocities of the
 * problem are those of the graph, in its order; all of the problem is checked.  wish: of all
 * attachments.  each (components): of single ones, SADDLE_WISH_CHOOSE = as wish says; NULL = all.
 * Prescribed velocities are eliminated unless a wish keeps them.  SADDLE_WISH_CHOOSE keeps where
 * elimination overflows.  options: threads is read; NULL = defaults.  *elimination: released by
 * saddle_elimination_free; NULL on failure.  SADDLE_INVALID_PROBLEM: a loop, a finding of
 * saddle_problem_check, or an overflow; SADDLE_INVALID_ARGUMENT: another number of velocities;
 * SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE: 2^31 velocities or rows. */
SADDLE_API saddle_status saddle_elimination_create(saddle_context *context,
                                                   const saddle_attachments *attachments,
                                                   const saddle_problem *problem, saddle_wish wish,
                                                   const saddle_wish *each,
                                                   const saddle_options *options,
                                                   saddle_elimination **elimination);
SADDLE_API void saddle_elimination_free(saddle_elimination *elimination); /* NULL is fine */

/* New values of the same graph and patterns; the choice stays.  No allocation.  The bits depend
 * neither on the number of threads nor on earlier values.  SADDLE_INVALID_ARGUMENT: another graph
 * or pattern than planned for; SADDLE_INVALID_PROBLEM: an entry that is not finite (named), bounds
 * or contacts that contradict themselves; or an overflow, after which nothing is recovered until
 * the next form. */
SADDLE_API saddle_status saddle_elimination_form(saddle_elimination *elimination,
                                                 const saddle_attachments *attachments,
                                                 const saddle_problem *problem);

/* The reduced problem: n' velocities, m rows and those kept.  Owned by elimination, rewritten by
 * the next form. */
SADDLE_API const saddle_problem *saddle_elimination_problem(const saddle_elimination *elimination);

/* The compiled graph with the values last formed; components kept are active.  Owned by
 * elimination. */
SADDLE_API const saddle_map *saddle_elimination_map(const saddle_elimination *elimination);

/* problem: the one last formed.  solution: of the reduced problem.  whole: n and m + p, made by
 * saddle_solution_create or the caller's arrays; its lambda ends with lambda_beta [N s, N m s], its
 * w with zeros.  No allocation.  SADDLE_WRONG_PHASE: the last form failed;
 * SADDLE_INVALID_ARGUMENT: another size or pattern. */
SADDLE_API saddle_status saddle_elimination_recover(const saddle_elimination *elimination,
                                                    const saddle_problem *problem,
                                                    const saddle_solution *solution,
                                                    saddle_solution *whole);

/* The reverse, for a start: solution (n' and m', arrays as above) with the velocities and
 * multipliers of whole that the reduced problem has.  SADDLE_INVALID_ARGUMENT: another size. */
SADDLE_API saddle_status saddle_elimination_restrict(const saddle_elimination *elimination,
                                                     const saddle_solution *whole,
                                                     saddle_solution *solution);

/* *inertia [1/kg or as J M^-1 J'] = sum_k J'_ik M'_kk^-1 J'_ik' over the active components k of row
 * i of the reduced problem: its effective inverse inertia through masters (0.20), equal to entry
 * (i, i) of J'M'^-1 (J')' where M' couples none of them.  SADDLE_WRONG_PHASE: the last form failed;
 * SADDLE_INVALID_ARGUMENT: no such row; SADDLE_SINGULAR: M'_kk is, component named;
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_elimination_inverse_inertia(const saddle_elimination *elimination,
                                                            int64_t row, double *inertia);

/* work, work_eliminated and work_kept are predicted of a step: flops and memory moved, in flops;
 * tenfold where rows are kept beside bounded rows or contacts, whose solvers visit each row many
 * times.  NAN = not predicted: nothing was free to choose, or (with analyses > 0) the trial
 * overflows, or its map alone is more work than the best trial. */
typedef struct saddle_elimination_report {
    int64_t n, m;        /* of the unreduced problem */
    int64_t multipliers; /* p */
    int64_t reduced_n, reduced_m;
    int64_t eliminated, kept; /* attachments */
    int64_t width;            /* most active velocities that an eliminated component follows */
    int64_t map_entries;      /* of Q at attached velocities */
    int64_t analyses;         /* orders analysed to decide; 0 = nothing was free to choose */
    double work;              /* of the choice */
    double work_eliminated;   /* of all eliminated, as far as wishes allow */
    double work_kept;         /* of all kept, as far as wishes allow */
} saddle_elimination_report;

SADDLE_API saddle_elimination_report
saddle_elimination_report_of(const saddle_elimination *elimination);

/* keep (components) of the choice: 1 = kept as rows.  Owned by elimination. */
SADDLE_API const signed char *saddle_elimination_choice(const saddle_elimination *elimination);

SADDLE_END_DECLARATIONS

#endif
