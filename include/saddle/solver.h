/* SPDX-License-Identifier: MIT */
/* The interface of all solvers: create -> analyse (pattern) -> factor (values) -> solve (right-hand
 * sides) -> free.
 *
 *     saddle_solver_create (context, "auto", &options, &solver)   once
 *     saddle_solver_analyse(solver, &problem)                     per pattern of M, J, R, row kinds
 *     saddle_solver_factor (solver, &problem)                     per values of M, J, R
 *     saddle_solver_solve  (solver, &problem, start, &solution)   per f, b, bounds, mu
 *     saddle_solver_free   (solver)
 *
 * or saddle_solve() for all phases at once.  The generic layer checks arguments, phase order, the
 * problem and the solver's capabilities before a solver is called, and measures the residual
 * afterwards with the independent checker (saddle/residual.h): SADDLE_OK means
 * report.residual.total <= options.tolerance, for every solver.
 *
 * A solver is a const table.  Users register tables of their own with a context and use the solver
 * by name, like a built-in solver (examples/own_solver.c). */
#ifndef SADDLE_SOLVER_H
#define SADDLE_SOLVER_H

#include "saddle/mass_operator.h"
#include "saddle/options.h"
#include "saddle/report.h"

SADDLE_BEGIN_DECLARATIONS

/* ---- the table of a solver ---- */

/* saddle_solver_type.rows: kinds of rows, and laws of contacts */
enum saddle_rows {
    SADDLE_ROWS_EQUALITY = 1 << 0,
    SADDLE_ROWS_UNILATERAL = 1 << 1,
    SADDLE_ROWS_BOX = 1 << 2,
    SADDLE_ROWS_ALL = (1 << 7) - 1 /* contacts of every law too */
};

enum saddle_contacts {
    SADDLE_CONTACTS_BOX = 1 << 3, /* pyramids and cones in the plane too: the same law */
    SADDLE_CONTACTS_PYRAMID = 1 << 4,
    SADDLE_CONTACTS_CONE = 1 << 5,
    SADDLE_CONTACTS_ASSOCIATED = 1 << 6
};

/* saddle_solver_type.matrices */
enum saddle_matrices {
    SADDLE_MATRICES_SYMMETRIC = 1 << 0,  /* M and R symmetric, or empty */
    SADDLE_MATRICES_UNSYMMETRIC = 1 << 1 /* M or R unsymmetric */
};

/* saddle_solver_type.proves: kinds of certificates (saddle/certificate.h) */
enum saddle_proves {
    SADDLE_PROVES_ROWS = 1 << 0,  /* contradictory rows */
    SADDLE_PROVES_MOTION = 1 << 1 /* motions without mass, pushed by f */
};

typedef struct saddle_solver saddle_solver;
typedef struct saddle_solver_type saddle_solver_type;
typedef struct saddle_checker saddle_checker;

/* An option of a single solver: a field of the solver's own struct of settings, set by name
 * (saddle_options.settings). */
typedef enum saddle_setting_kind {
    SADDLE_SETTING_INTEGER, /* int64_t */
    SADDLE_SETTING_REAL,    /* double */
    SADDLE_SETTING_WORD,    /* int: the index in words */
    SADDLE_SETTING_FLAG     /* int: off = 0, on = 1 */
} saddle_setting_kind;

typedef struct saddle_setting {
    const char *name; /* lower case; NULL ends the list */
    saddle_setting_kind kind;
    size_t offset;            /* of the field in the solver's struct [byte] */
    double initial;           /* the default: the number, the word's index, or 0 or 1 */
    double least, most;       /* integer, real: the range, both ends included */
    const char *const *words; /* word: the words, NULL-terminated */
    const char *summary;      /* a line for `saddle solvers NAME` */
} saddle_setting;

#define SADDLE_SETTINGS_SIZE 64 /* bytes of a solver's struct of settings at most */

/* The arguments that the generic layer passes to each function of a solver. */
typedef struct saddle_solver_call {
    saddle_context *context; /* borrowed; memory through saddle_allocate and saddle_release */
    const saddle_solver_type *type; /* the solver that the caller has created */
    const saddle_options *options;  /* checked */
    const void *settings; /* the solver's own struct (saddle_solver_type.settings), defaults filled
                              in, checked; NULL where the solver has none */
    /* the solver adds counts, inertia and notes, and changes no other field */
    saddle_report *report;
    saddle_checker *checker;         /* for saddle_solver_measure */
    saddle_certificate *certificate; /* all-zero; to return SADDLE_INFEASIBLE, a solver creates the
                                        certificate, by saddle_certificate_create with context, and
                                        fills the arrays */
    double deadline; /* saddle_clock() at the end of the time limit; INFINITY = no limit */
} saddle_solver_call;

/* Each function receives a checked problem, with the sizes and pattern of analyse.  A symmetric M
 * or R is marked SADDLE_SYMMETRY_LOWER, also where the caller's was SADDLE_SYMMETRY_FULL, or
 * SADDLE_SYMMETRY_NONE with equal triangles.  state: state_size bytes, zeroed before analyse.  The
 * functions return a status; a message by saddle_fail stays. */
struct saddle_solver_type {
    const char *name;               /* lower case, words joined by '-' */
    const char *summary;            /* a line for `saddle solvers` */
    unsigned rows;                  /* of enum saddle_rows and enum saddle_contacts */
    unsigned matrices;              /* of enum saddle_matrices */
    size_t state_size;              /* bytes of the private state */
    const saddle_setting *settings; /* ended by a NULL name; NULL = no settings */
    size_t settings_size; /* bytes of the struct of settings, at most SADDLE_SETTINGS_SIZE */
    saddle_status (*analyse)(saddle_solver_call *call, void *state, const saddle_problem *problem);
    saddle_status (*factor)(saddle_solver_call *call, void *state, const saddle_problem *problem);
    /* In: solution holds the start (zeros for a cold start).  Out: v and lambda; the generic layer
     * fills in w.  Allocates nothing for a pattern whose solves have already used every part of the
     * solver (auto's islands and later solvers, admm's Newton steps). */
    saddle_status (*solve)(saddle_solver_call *call, void *state, const saddle_problem *problem,
                           saddle_solution *solution);
    void (*clear)(void *state, saddle_context *context); /* accepts a half-built or zeroed state */
    /* The kinds of certificates (enum saddle_proves) with which a solve from zeros ends, where the
     * problem has no solution; NULL = none.  After an unsolved problem of any solver the generic
     * layer calls this solver for a certificate; with options.threads > 1, auto does so for several
     * islands at once, in as many threads, with a state for each. */
    unsigned (*proves)(const saddle_problem *problem);
    /* 1: on a mesh or mechanism with equality rows, M and R symmetric, and few other rows C, the
     * generic layer eliminates the velocities and the equality rows once, M singular included, and
     * gives the solver the rows C alone: n = 0, R = W, what the equality rows leave.  Settings,
     * options and counts are the solver's.  0: the solver meets equality rows as they are. */
    int condenses;
};

/* The checker's measure of v and lambda (saddle/residual.h), for the stopping test of a solver;
 * valid until the next call.  problem: as given to the solver, or another of the same sizes.
 * The generic layer computes the residual of an answer anew, unless every bit of v and lambda
 * equals the last v and lambda that were measured for the same problem. */
SADDLE_API const saddle_residual *saddle_solver_measure(const saddle_solver_call *call,
                                                        const saddle_problem *problem,
                                                        const double *v, const double *lambda);

/* ---- the registry ---- */

/* The built-in solvers in the order of `saddle solvers`, then the solvers registered with context.
 * NULL past the end. */
SADDLE_API const saddle_solver_type *saddle_solver_type_at(const saddle_context *context,
                                                           int64_t index);
SADDLE_API const saddle_solver_type *saddle_solver_type_find(const saddle_context *context,
                                                             const char *name);

/* type: borrowed, must outlive the context.  SADDLE_INVALID_ARGUMENT: NULL context, an incomplete
 * table, a name in use, a setting with a field or default out of range. */
SADDLE_API saddle_status saddle_solver_register(saddle_context *context,
                                                const saddle_solver_type *type);

/* SADDLE_OK where the type takes all rows and matrices of the problem; else SADDLE_UNSUPPORTED and
 * a message with the rows not taken and the solvers for the problem. */
SADDLE_API saddle_status saddle_solver_type_supports(saddle_context *context,
                                                     const saddle_solver_type *type,
                                                     const saddle_problem *problem);

/* ---- the use of a solver ---- */

/* name: NULL = "auto".  options: NULL = defaults; copied.  *solver is NULL on failure.
 * SADDLE_UNKNOWN_NAME: of the solver or of a setting (the message lists the names known);
 * SADDLE_INVALID_ARGUMENT: an option or a setting out of range; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_solver_create(saddle_context *context, const char *name,
                                              const saddle_options *options,
                                              saddle_solver **solver);

/* From the next analyse on the operator `mass` replaces M and its factorization
 * (saddle/mass_operator.h); no call reads problem->M.  analyse: the pattern of the rows; factor: W,
 * by one product a row, to be called whenever the operator has changed; solve: the solver on the
 * rows' problem
 *
 *     W lambda + q = w,   W = J M^-1 J' + R,   q = J M^-1 f - b,   then v = M^-1 (f + J'lambda)
 *
 * without velocities, for every solver that supports these rows and laws; the others return
 * SADDLE_UNSUPPORTED.  The report is of the rows' problem but for n, seconds and the residual: with
 * w = J v + R lambda - b at v, rows, cone, local and growth are the checker's with M_jj for M, and
 *
 *     dynamics = max_j |M v - J'lambda - f|_j/sqrt(M_jj)
 *                / max_j (|M v|_j + M_jj |v_j| + |J'||lambda|_j + |f_j|)/sqrt(M_jj)
 *
 * normwise is NAN.  Where this residual is above the tolerance, the rows are solved again,
 * corrected by w at v, while the residual halves and time is left; counts are of their last solve.
 * time_limit is of solve as a whole; factor asks the progress callback before each product.  A
 * certificate is of the rows' problem: its motion has no entries.  mass: copied.  The solver is as
 * it was created, not analysed.  SADDLE_INVALID_ARGUMENT: NULL, or without a function;
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_solver_set_mass(saddle_solver *solver,
                                                const saddle_mass_operator *mass);

/* An M or R marked SADDLE_SYMMETRY_NONE with triangles equal up to rounding (saddle/matrix.h)
 * counts as symmetric, with a note in the report; where later values are not symmetric, factor
 * analyses anew. SADDLE_INVALID_PROBLEM, SADDLE_UNSUPPORTED, SADDLE_TOO_LARGE,
 * SADDLE_OUT_OF_MEMORY; SADDLE_STOPPED by the callback, SADDLE_TIME_LIMIT: to be analysed again. */
SADDLE_API saddle_status saddle_solver_analyse(saddle_solver *solver,
                                               const saddle_problem *problem);

/* SADDLE_WRONG_PHASE: before analyse.
 * SADDLE_INVALID_ARGUMENT: sizes or pattern differ from the problem analysed (named).
 * SADDLE_INVALID_PROBLEM: an entry is not finite, or differs from the mirror image though marked
 * SADDLE_SYMMETRY_FULL (named).
 * SADDLE_UNSUPPORTED: M or R is no longer symmetric, and the solver needs symmetric matrices; to be
 * analysed again.
 * SADDLE_SINGULAR: a pivot vanished, or velocities (named) without mass can move freely.  Where f
 * pushes along the motion the problem is unbounded: the message says so,
 * saddle_solver_certificate has the proof, and report.proof.kind is SADDLE_PROOF_MOTION.
 * SADDLE_WRONG_INERTIA: factored, and solve works, but M is not positive definite on the null space
 * of the rows, or R not semidefinite; the counts are in the message, in report.inertia and in the
 * notes of later solves.
 * SADDLE_STOPPED by the callback, SADDLE_TIME_LIMIT: not factored; factor may be called again.
 * SADDLE_OUT_OF_MEMORY.
 * With auto, islands of a problem (docs/theory.md, 8) are factored by solve, unless at rest:
 * singular and indefinite matrices are then reported by solve and its note. */
SADDLE_API saddle_status saddle_solver_factor(saddle_solver *solver, const saddle_problem *problem);

/* start: warm start with lambda and v (may be the solution itself).  NULL = the impulses of the
 * last solve for rows with the same ids (saddle/warm_start.h), or zeros without row ids or with
 * options.warm_start = 0.
 * solution: created for n, m.
 *
 * With options.max_iterations = 0:
 *     - after a solve from a start that ends with neither success nor a proof, the problem is
 *       factored again and solved from zeros (report.note), and the better answer stays: no verdict
 *       is worse for a start;
 *     - for up to 100 velocities and rows, a solve that ends unsolved, at a tolerance of 1e-10 too,
 *       is followed by a search for a certificate of infeasibility, about 1 ms, with memory
 *       allocated for the purpose.
 *
 * SADDLE_OK: saddle_residual_is_solved (total <= tolerance and no finding of growth), and no
 * certificate stands against the answer.  Positive: a finite result of lower quality.
 * SADDLE_INFEASIBLE: no solution exists, with a proof by saddle_solver_certificate, measured in
 * report.proof, with a gap of at least 100 max(tolerance, 1e-10), which excludes an answer within
 * the tolerance.  Note and message name the rows.  A solver's claim without a valid certificate is
 * SADDLE_NOT_CONVERGED.  A problem may be unbounded as well (SADDLE_SINGULAR, proven): the verdict
 * is the proof found first.
 * SADDLE_OUT_OF_MEMORY: the solution is zeros.  Where the repeat from zeros had begun, the
 * factorization may be lost after this status, SADDLE_STOPPED and SADDLE_TIME_LIMIT: factor again.
 * SADDLE_WRONG_PHASE: before factor.  SADDLE_INVALID_ARGUMENT.  SADDLE_SINGULAR: as for factor. */
SADDLE_API saddle_status saddle_solver_solve(saddle_solver *solver, const saddle_problem *problem,
                                             const saddle_solution *start,
                                             saddle_solution *solution);

/* The proof of the last SADDLE_INFEASIBLE of solve, or of a SADDLE_SINGULAR of factor or solve for
 * an unbounded problem; else NULL.  Owned by the solver, valid until the next call.  Checked by
 * saddle_certificate_check, with the result in report.proof. */
SADDLE_API const saddle_certificate *saddle_solver_certificate(const saddle_solver *solver);

/* Valid as long as the solver; updated by each call. */
SADDLE_API const saddle_report *saddle_solver_report(const saddle_solver *solver);

SADDLE_API void saddle_solver_free(saddle_solver *solver); /* NULL is fine */

/* create, analyse, factor, solve, free.  name, options, start as above; report: NULL is fine.  The
 * certificate is freed with the solver; report.proof stays.  solution: all-zero to be created here
 * (owned by context), else created for n, m.  After SADDLE_STOPPED or SADDLE_TIME_LIMIT before the
 * solve, report.residual.total is infinite, and solution is the start, or zeros. */
SADDLE_API saddle_status saddle_solve(saddle_context *context, const saddle_problem *problem,
                                      const char *name, const saddle_options *options,
                                      const saddle_solution *start, saddle_solution *solution,
                                      saddle_report *report);

SADDLE_END_DECLARATIONS

#endif
