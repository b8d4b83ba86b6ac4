/* SPDX-License-Identifier: MIT */
/* One interface for all solvers: create -> analyse (pattern) -> factor (values) -> solve
 * (right-hand sides) -> free.
 *
 *     saddle_solver_create(context, "auto", &options, &solver)
 *     saddle_solver_analyse(solver, &problem)          once per pattern of M, J, R and row kinds
 *     saddle_solver_factor (solver, &problem)          once per values of M, J, R
 *     saddle_solver_solve  (solver, &problem, start, &solution)       per f, b, bounds, mu
 *     saddle_solver_free   (solver)
 *
 * or saddle_solve() for all at once.  The generic layer checks arguments, phase order, the problem
 * and the solver's capabilities before a solver is called, and measures the residual with the
 * independent checker (saddle/residual.h) after it: SADDLE_OK means report.residual.total <=
 * options.tolerance, the same for every solver.
 *
 * A solver is one const table.  Users register their own with a context and call it by name as any
 * other (examples/own_solver.c).
 */
#ifndef SADDLE_SOLVER_H
#define SADDLE_SOLVER_H

#include "saddle/options.h"
#include "saddle/report.h"

SADDLE_BEGIN_DECLARATIONS

/* ---- what a solver is ---- */

/* saddle_solver_type.rows: row kinds and contact laws it can do */
enum saddle_capability {
    SADDLE_ROWS_EQUALITY = 1 << 0,
    SADDLE_ROWS_UNILATERAL = 1 << 1,
    SADDLE_ROWS_BOX = 1 << 2,
    SADDLE_CONTACTS_BOX = 1 << 3, /* and pyramids where all contacts are plane: one law there */
    SADDLE_CONTACTS_PYRAMID = 1 << 4,
    SADDLE_CONTACTS_CONE = 1 << 5,
    SADDLE_CONTACTS_ASSOCIATED = 1 << 6,
    SADDLE_ROWS_ALL = (1 << 7) - 1
};

enum saddle_matrix_capability { /* saddle_solver_type.matrices */
                                SADDLE_MATRICES_SYMMETRIC = 1 << 0,  /* M and R symmetric (an empty
                                                                        matrix is) */
                                SADDLE_MATRICES_UNSYMMETRIC = 1 << 1 /* M or R unsymmetric */
};

typedef struct saddle_solver saddle_solver;

/* What the generic layer hands a solver: everything it may use, nothing of the generic layer's
 * own. */
typedef struct saddle_solver_call {
    saddle_context *context;       /* borrowed; memory through saddle_allocate and saddle_release */
    const saddle_options *options; /* checked */
    saddle_report *report; /* the solver adds its counts, inertia and note; the rest is not its */
    double *checker_work;  /* saddle_residual_work_size() doubles, for its own stopping test */
    saddle_certificate *certificate; /* all-zero; a solver that returns SADDLE_INFEASIBLE makes it,
                                       by saddle_certificate_create with context, and fills it in */
    double deadline; /* saddle_clock() at which the time limit ends; INFINITY = none */
} saddle_solver_call;

/* Each function gets the problem checked and its sizes and pattern equal to those of analyse.  M
 * and R are SADDLE_SYMMETRIC wherever they are symmetric: marked SADDLE_SYMMETRIC_FULL, or marked
 * SADDLE_GENERAL with equal triangles. state: state_size bytes, zeroed before analyse.  The
 * functions return a status; a message set by saddle_fail stays. */
typedef struct saddle_solver_type {
    const char *name;    /* lower case, words joined by '-' */
    const char *summary; /* one line for `saddle solvers` */
    unsigned rows;       /* of enum saddle_capability */
    unsigned matrices;   /* of enum saddle_matrix_capability */
    size_t state_size;   /* bytes of its private state */
    saddle_status (*analyse)(saddle_solver_call *call, void *state, const saddle_problem *problem);
    saddle_status (*factor)(saddle_solver_call *call, void *state, const saddle_problem *problem);
    /* In: solution holds the start (zeros for a cold one).  Out: v and lambda; w is filled in by
     * the generic layer. Allocates nothing. */
    saddle_status (*solve)(saddle_solver_call *call, void *state, const saddle_problem *problem,
                           saddle_solution *solution);
    void (*clear)(void *state, saddle_context *context); /* accepts a half-built or zeroed state */
    /* NULL, or another way: asked once after each solve whose answer is not within the tolerance,
     * with the status so far; report->residual is the answer's.  In: the answer.  Out: a better
     * one, or the same.  Returns the status. */
    saddle_status (*retry)(saddle_solver_call *call, void *state, const saddle_problem *problem,
                           saddle_solution *solution, saddle_status status);
} saddle_solver_type;

/* ---- the registry ---- */

/* The built-in solvers in the order `saddle solvers` lists them, then those registered with
 * context. NULL past the end. */
SADDLE_API const saddle_solver_type *saddle_solver_type_at(const saddle_context *context,
                                                           int64_t index);
SADDLE_API const saddle_solver_type *saddle_solver_type_find(const saddle_context *context,
                                                             const char *name);

/* type: borrowed, must outlive the context.  SADDLE_INVALID_ARGUMENT: NULL context, an incomplete
 * table, a name taken. */
SADDLE_API saddle_status saddle_solver_register(saddle_context *context,
                                                const saddle_solver_type *type);

/* SADDLE_OK where the type can do all rows and matrices of the problem; else SADDLE_UNSUPPORTED and
 * a message that names the rows it can't do and the solvers that could. */
SADDLE_API saddle_status saddle_solver_type_supports(saddle_context *context,
                                                     const saddle_solver_type *type,
                                                     const saddle_problem *problem);

/* ---- using one ---- */

/* name: NULL = "auto".  options: NULL = defaults; copied.  *solver is NULL on failure.
 * SADDLE_UNKNOWN_NAME (the message lists the names), SADDLE_INVALID_ARGUMENT,
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_solver_create(saddle_context *context, const char *name,
                                              const saddle_options *options,
                                              saddle_solver **solver);

/* An M or R marked SADDLE_GENERAL whose triangles are equal to rounding (saddle/matrix.h) is taken
 * as symmetric: report.note says so, and where values to come are not symmetric, factor analyses
 * anew. SADDLE_INVALID_PROBLEM, SADDLE_UNSUPPORTED, SADDLE_TOO_LARGE, SADDLE_OUT_OF_MEMORY;
 * SADDLE_STOPPED by the callback. */
SADDLE_API saddle_status saddle_solver_analyse(saddle_solver *solver,
                                               const saddle_problem *problem);

/* SADDLE_WRONG_PHASE before analyse; SADDLE_INVALID_ARGUMENT: a problem whose sizes or pattern are
 * not those analysed (named); SADDLE_INVALID_PROBLEM: an entry that is not finite, or not equal to
 * its mirror image though marked SADDLE_SYMMETRIC_FULL (named); SADDLE_UNSUPPORTED: M or R is
 * symmetric no longer, and this solver can't do unsymmetric ones; analyse comes next then;
 * SADDLE_SINGULAR: a pivot vanished, or velocities (named) can move that have no mass and that no
 * row holds; SADDLE_OUT_OF_MEMORY. Where f pushes along such a motion the problem is unbounded: the
 * message says so, saddle_solver_certificate proves it, and report.proof.kind is
 * SADDLE_PROOF_MOTION. SADDLE_WRONG_INERTIA: factored, and solve works as ever, but M is not
 * positive definite on the motions that the rows leave, or R not semidefinite; the counts are in
 * the message, report.inertia and the note of the solves to come. */
SADDLE_API saddle_status saddle_solver_factor(saddle_solver *solver, const saddle_problem *problem);

/* start: warm start, its lambda and v are read (may be the solution itself).  NULL = what the last
 * solve knew of rows with the same ids (saddle/warm_start.h), cold where there are no row ids or
 * options.warm_start is 0.  Where it leads to no solution, and options.max_iterations is 0, the
 * solve begins again without it (report.note), which takes memory of its own, and the better answer
 * stays.  Where a problem of at most 100 velocities and rows ends unsolved at a residual above
 * 1e-10, and options.max_iterations is 0, a certificate that it has no solution is looked for:
 * about 1 ms, with memory of its own. solution: made for n, m. SADDLE_OK: saddle_residual_is_solved
 * (total <= tolerance, terms not overgrown), and no certificate stands against the answer.
 * Positive: a finite result of lesser quality. SADDLE_INFEASIBLE: there is no solution,
 * which saddle_solver_certificate proves (and report.proof says how well); the rows are named in
 * the note and the message.  A solver's claim without a certificate that holds is
 * SADDLE_NOT_CONVERGED. SADDLE_WRONG_PHASE before factor; SADDLE_INVALID_ARGUMENT; SADDLE_SINGULAR:
 * as for factor, found now. */
SADDLE_API saddle_status saddle_solver_solve(saddle_solver *solver, const saddle_problem *problem,
                                             const saddle_solution *start,
                                             saddle_solution *solution);

/* Why the last solve ended in SADDLE_INFEASIBLE, or the last factor or solve in a SADDLE_SINGULAR
 * that leaves no solution; else NULL. Owned by the solver, valid until its next call. It has passed
 * saddle_certificate_check; report.proof is what that said. */
SADDLE_API const saddle_certificate *saddle_solver_certificate(const saddle_solver *solver);

/* Valid as long as the solver; updated by each call. */
SADDLE_API const saddle_report *saddle_solver_report(const saddle_solver *solver);

SADDLE_API void saddle_solver_free(saddle_solver *solver); /* NULL is fine */

/* create, analyse, factor, solve, free.  name, options, start as above; report: NULL is fine.  A
 * certificate is gone with the solver: its verdict stays in report.proof. solution: all-zero to
 * have it made here (owned by context), else made for n, m. */
SADDLE_API saddle_status saddle_solve(saddle_context *context, const saddle_problem *problem,
                                      const char *name, const saddle_options *options,
                                      const saddle_solution *start, saddle_solution *solution,
                                      saddle_report *report);

SADDLE_END_DECLARATIONS

#endif
