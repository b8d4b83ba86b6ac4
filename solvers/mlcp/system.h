/* SPDX-License-Identifier: MIT */
/* The two slot tables of the machine (mlcp.h): the operator W of a problem's rows, and the systems
 * of the basic rows.  n, m: velocities and rows of the problem; count: rows of the complementarity
 * problem. */
#ifndef SADDLE_MLCP_SYSTEM_H
#define SADDLE_MLCP_SYSTEM_H

#include "factor/factorization.h"
#include "mlcp/rows.h"
#include "saddle/solver.h"

/* ---- the basis ----
 *
 *     (W + E)_FF lambda_F = -q_F - (W + E)_FB lambda_B       F basic rows, B rows at their bounds
 *
 * and with lambda_F, w = (W + E) lambda + q of all rows.  Tangents that slide (rows.h) move with
 * their normals; then the matrix is (W + E)_FF + W_FS sigma, unsymmetric. */

typedef struct saddle__basis_counts {
    int64_t made;     /* factorizations since create */
    int64_t definite; /* of them L L', by a dense basis */
} saddle__basis_counts;

/* Only `clear` may follow a failed create; enter, solve, correct, renew allocate nothing but for
 * general L U. */
typedef struct saddle__basis {
    void *user;
    /* state (count): the set F, factored.  SADDLE_NOT_CONVERGED: singular.  A status that is not
     * SADDLE_OK ends the pivoting. */
    saddle_status (*enter)(void *user, const signed char *state);
    /* lambda (count): in where a row is at a bound, out where basic or sliding.  w (count): out.
     * noise (count): out, the rounding to which w is known.  q: count. */
    saddle_status (*solve)(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise);
    /* lambda and w of a solve, refined by the factor at hand.  NULL: not available. */
    saddle_status (*correct)(void *user, const signed char *state, const double *q, double *lambda,
                             double *w, double *noise);
    /* enter, with everything factored anew.  NULL: enter always does. */
    saddle_status (*renew)(void *user, const signed char *state);
    /* New values of E and mu, and of W where whole = 1. */
    void (*refresh)(void *user, int whole);
    /* Projected Gauss-Seidel sweeps on (W + E, rows->q) from rows->lambda.  NULL: none. */
    void (*sweep)(void *user, int sweeps);
    /* Improves the states near the rows broken[0 .. count), which have just changed theirs
     * (sparse_basis.c).  NULL: none. */
    void (*settle)(void *user, const int64_t *broken, int64_t count, signed char *state);
    const saddle__basis_counts *counts; /* NULL: none */
    void (*clear)(void *user);
} saddle__basis;

/* Columns of a dense W, made available on request. */
typedef struct saddle__columns {
    void *user;
    /* Makes the columns of the rows row[0 .. count) available; NULL: all are.  A status that is not
     * SADDLE_OK ends the pivoting. */
    saddle_status (*prepare)(void *user, int64_t count, const int64_t *row);
    /* W_(:, row), count values, after prepare; later calls of prepare do not move them. */
    const double *(*column)(void *user, int64_t row);
    /* Asked while a large factor is made; not SADDLE_OK: ends the pivoting.  NULL: never. */
    saddle_status (*stop)(void *user);
    int symmetric; /* W is, but for rounding */
} saddle__columns;

/* rows are borrowed, columns copied.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__dense_basis_create(saddle_context *context, const saddle__columns *W,
                                         saddle__mlcp_rows *rows, saddle__basis *basis);

/* W: symmetric, every diagonal entry stored; no tangents.  W and rows are borrowed. */
saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          saddle__mlcp_rows *rows, const saddle_options *options,
                                          saddle__basis *basis);

/* Any sparse W, any rows; borrowed. */
saddle_status saddle__general_basis_create(saddle_context *context, const saddle_matrix *W,
                                           saddle__mlcp_rows *rows, const saddle_options *options,
                                           saddle__basis *basis);

/* ---- the operator ---- */

/* Where the systems of the basic rows are kept.  X(name, word) */
#define SADDLE_BASIS_LIST(X)                                                           \
    X(SADDLE_BASIS_BEST, "best")       /* the cheapest by counts; the note names it */ \
    X(SADDLE_BASIS_FACTOR, "factor")   /* in a sparse factor: M and R symmetric, no    \
                                          contacts unless lagged_friction */           \
    X(SADDLE_BASIS_COLUMNS, "columns") /* dense, on columns of the Delassus operator */

typedef enum saddle_basis {
#define SADDLE_BASIS_ENUM(name, word) name,
    SADDLE_BASIS_LIST(SADDLE_BASIS_ENUM)
#undef SADDLE_BASIS_ENUM
} saddle_basis;

/* Settings of schur and pivot. */
typedef struct saddle__mlcp_settings {
    int basis;           /* pivot: of saddle_basis */
    int lagged_friction; /* 1: bounds of tangents follow the normal impulses of the step before */
} saddle__mlcp_settings;

/* Refinement steps of one solve, at most. */
enum { SADDLE__MOST_CORRECTIONS = 3 };

typedef struct saddle__mlcp_counts {
    int64_t factorizations;       /* since create */
    int64_t corrections;          /* refinement steps since create */
    int64_t columns;              /* of W computed on request, since create */
    int64_t inexact;              /* refined solves above rounding, since create */
    saddle__factor_counts factor; /* of the last factorization of M or of the KKT matrix */
} saddle__mlcp_counts;

typedef enum saddle__mlcp_kind {
    SADDLE__MLCP_FORMED,
    SADDLE__MLCP_COLUMNS,
    SADDLE__MLCP_FACTOR
} saddle__mlcp_kind;

typedef struct saddle__mlcp_system {
    void *user;
    saddle__mlcp_kind kind;
    saddle__mlcp_rows *rows;
    saddle__basis basis;
    const saddle__columns *W;   /* of a dense basis: E = 0 may be tried; else NULL */
    const signed char *bounded; /* m: rows with bounds when analysed; NULL: any row may have bounds
                                   in a solve */
    int may_search;             /* W symmetric, no tangents */
    double factor_time;         /* foreseen times of a factorization and a solve [ns]; of kind */
    double solve_time;          /* SADDLE__MLCP_FACTOR */
    /* The values of a problem; sets rows->size, step and E.  SADDLE_SINGULAR: the message names the
     * unknown. */
    saddle_status (*factor)(void *user, const saddle_solver_call *call,
                            const saddle_problem *problem, double epsilon);
    /* A step begins at rows->lambda, lambda (m) and v (n): sets rows->q = w - (W + E) lambda. */
    saddle_status (*begin)(void *user, const saddle_problem *problem,
                           const saddle_solver_call *call, const double *lambda, const double *v);
    /* v (n) and the impulses of rows outside `rows`, of the impulses in lambda (m).  v: an estimate
     * in, refined out. */
    saddle_status (*velocity)(void *user, const saddle_problem *problem, double *lambda, double *v);
    saddle__mlcp_counts (*counts)(const void *user);
    void (*clear)(void *user);
} saddle__mlcp_system;

/* Each creates the operator of a problem.  On failure the caller clears `system` too, by
 * saddle__mlcp_system_clear. */
typedef saddle_status saddle__mlcp_create_system(saddle_context *context,
                                                 const saddle_problem *problem,
                                                 const saddle_options *options,
                                                 const saddle__mlcp_settings *settings,
                                                 saddle__mlcp_system *system);

/* W = J M^-1 J' + R of all rows, formed; n = 0: W = R.  settings->basis: BEST: dense or sparse by
 * counts; COLUMNS: dense; FACTOR: sparse. */
saddle__mlcp_create_system saddle__delassus_create;

/* W of the rows with bounds, the equations eliminated with the velocities, in columns computed when
 * a row first enters the basis (columns.c). */
saddle__mlcp_create_system saddle__columns_create;

/* Rows of the KKT system in the sparse factor (factor_rows.c); n > 0. */
saddle__mlcp_create_system saddle__factor_rows_create;

static inline void saddle__mlcp_system_clear(saddle__mlcp_system *system)
{
    if (system->user) system->clear(system->user);
    system->user = NULL;
}

#endif
