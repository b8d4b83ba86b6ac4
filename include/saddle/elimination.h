/* SPDX-License-Identifier: MIT */
/* Attachments eliminated or kept as rows, each as it is cheaper.
 *
 * What is attached or prescribed can be kept as equality rows behind the problem's own, one for
 * each such velocity in ascending order,
 *
 *     v_k - sum_j A_kj v_j = g_k        v_k = given              multipliers lambda_beta, p of them
 *
 * which makes the whole problem: n velocities, m + p rows.  Eliminating them instead
 * (saddle/attachments.h) leaves fewer unknowns, but may couple them all: a chain in which each link
 * adds a coordinate becomes the dense J'M J (seed 003, 2.6), while its rows, factored in the order
 * of the tree, cost the same for each link.  Kept and eliminated ones mix: a component whose
 * attachment is kept is active for those behind it.  The solution of the whole problem is the same.
 *
 *     saddle_elimination   unreduced problem -> problem with some eliminated, some kept -> solution
 *         of the whole problem
 */
#ifndef SADDLE_ELIMINATION_H
#define SADDLE_ELIMINATION_H

#include "saddle/attachments.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word in options) */
#define SADDLE_ELIMINATION_WISH_LIST(X)                    \
    X(SADDLE_CHOOSE, "choose") /* by the predicted work */ \
    X(SADDLE_ELIMINATE, "eliminate")                       \
    X(SADDLE_KEEP, "keep") /* as rows */

typedef enum saddle_elimination_wish {
#define SADDLE_WISH_ENUM(name, word) name,
    SADDLE_ELIMINATION_WISH_LIST(SADDLE_WISH_ENUM)
#undef SADDLE_WISH_ENUM
} saddle_elimination_wish;

/* The whole problem (n, m + p), owned: all attachments and prescribed velocities kept as rows with
 * names ("tibia[2] attached") and stable negative ids.  Its pattern follows from those of the graph
 * and the problem. SADDLE_INVALID_PROBLEM: what saddle_problem_check finds, or a loop;
 * SADDLE_INVALID_ARGUMENT: another number of velocities; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_attachments_keep(saddle_context *context,
                                                 const saddle_attachments *attachments,
                                                 const saddle_problem *problem,
                                                 saddle_problem *whole);

typedef struct saddle_elimination saddle_elimination;

/* Decides, plans and forms. wish: of all attachments.  each (components): of single ones,
 * SADDLE_CHOOSE = as wish says; NULL = all.  Prescribed velocities are eliminated unless kept by a
 * wish.  SADDLE_CHOOSE keeps where eliminating overflows.  options: threads is read; NULL =
 * defaults. *elimination: released by saddle_elimination_free; NULL on failure.  Errors as of
 * saddle_reduction_create and _form. */
SADDLE_API saddle_status saddle_elimination_create(
    saddle_context *context, const saddle_attachments *attachments, const saddle_problem *problem,
    saddle_elimination_wish wish, const saddle_elimination_wish *each,
    const saddle_options *options, saddle_elimination **elimination);
SADDLE_API void saddle_elimination_free(saddle_elimination *elimination); /* NULL is fine */

/* New values of the same graph and patterns; the choice stays.  No allocation.  Errors as of
 * saddle_reduction_form. */
SADDLE_API saddle_status saddle_elimination_form(saddle_elimination *elimination,
                                                 const saddle_attachments *attachments,
                                                 const saddle_problem *problem);

/* What is left to solve: n' velocities, m rows and those kept.  Owned by elimination, rewritten by
 * the next form. */
SADDLE_API const saddle_problem *saddle_elimination_problem(const saddle_elimination *elimination);

/* solution: of that problem.  whole: n and m + p, made by saddle_solution_create or the caller's
 * arrays; its lambda ends with lambda_beta, its w with zeros.  No allocation.
 * SADDLE_INVALID_ARGUMENT: another size. */
SADDLE_API saddle_status saddle_elimination_recover(const saddle_elimination *elimination,
                                                    const saddle_solution *solution,
                                                    saddle_solution *whole);

/* The other way, for a start: solution (n' and m', arrays as above) with the velocities and
 * multipliers of whole that are left. SADDLE_INVALID_ARGUMENT: another size. */
SADDLE_API saddle_status saddle_elimination_restrict(const saddle_elimination *elimination,
                                                     const saddle_solution *whole,
                                                     saddle_solution *solution);

typedef struct saddle_elimination_report {
    int64_t n, m;        /* of the unreduced problem */
    int64_t multipliers; /* p */
    int64_t reduced_n, reduced_m;
    int64_t eliminated, kept; /* attachments */
    int64_t width;            /* most active velocities that an eliminated one follows */
    int64_t analyses;         /* orders analysed to decide; 0 = nothing was free to choose */
    double work; /* predicted of a step by the choice: flops and memory moved, in flops; tenfold
                    where rows are kept beside bounded ones or contacts, whose solvers meet them
                    again and again */
    double work_eliminated, work_kept; /* of all eliminated, all kept, as far as wishes allow; NAN =
                                  not analysed, which with analyses > 0 says that the map alone is
                                  more work, or far too large */
} saddle_elimination_report;

SADDLE_API saddle_elimination_report
saddle_elimination_report_of(const saddle_elimination *elimination);

/* keep (components) of the choice: 1 = kept as rows.  Owned by elimination. */
SADDLE_API const signed char *saddle_elimination_choice(const saddle_elimination *elimination);

SADDLE_END_DECLARATIONS

#endif
