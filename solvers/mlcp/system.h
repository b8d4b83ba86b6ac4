/* SPDX-License-Identifier: MIT */
/* The rows of the machine (mlcp.h) and the two slot tables: the operator W of a problem's rows, and
 * the systems of the basic rows.  n, m: velocities and rows of the problem; count: rows of the
 * complementarity problem. */
#ifndef SADDLE_MLCP_SYSTEM_H
#define SADDLE_MLCP_SYSTEM_H

#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/vector.h"
#include "factor/factorization.h"
#include "saddle/solver.h"

/* ---- the rows (mlcp.c) ---- */

/* The rows of a mixed linear complementarity problem and their laws:
 *
 *     w = (W + E) lambda + q,   lo <= lambda <= hi:
 *         w = 0 strictly between the bounds,  w >= 0 at lo,  w <= 0 at hi
 *
 * E = epsilon size >= 0, diagonal, belongs to a proximal step (mlcp.h).  The tangents of a contact
 * with the box law have bounds of friction: |lambda_t| <= mu lambda_n.
 *
 * A row is basic (between its bounds, w = 0) or at a bound.  A tangent at a bound of a closed
 * contact slides: lambda_t = state_t mu lambda_n. */

enum saddle__row_place { SADDLE__AT_LO = -1, SADDLE__BASIC = 0, SADDLE__AT_HI = 1 };

typedef struct saddle__mlcp_rows {
    saddle__layout layout;
    int64_t count;      /* rows of the complementarity problem */
    const int64_t *row; /* count: their numbers in the problem, borrowed; NULL: all, in order */
    double *lo, *hi;    /* count; of tangents 0, or the lagged bounds */
    double *q;          /* count */
    double *size;       /* count: natural size of W_ii, > 0 */
    double *step;       /* count: 1 / size; 0 for a row of zeros, never basic */
    double *every_step; /* of all rows of the problem; empty: row = NULL */
    double *E;          /* count: epsilon size, 0 for rows of zeros */
    double epsilon;
    double *lambda;        /* count */
    const int64_t *normal; /* count: a tangent's normal row, an earlier row; -1: no tangent.
                              NULL: no row follows another */
    double *mu;            /* count: of tangents */
    int64_t *tangent_of;   /* count: as normal, for lagged friction too; NULL: no contacts */
    int lagged;            /* bounds of tangents follow the impulses of the step before */
} saddle__mlcp_rows;

/* The caller clears the layout, also after a failure.  row: borrowed.  lagged: friction by bounds
 * from the step before.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__mlcp_rows_create(saddle_context *context, const saddle_problem *problem,
                                       int64_t count, const int64_t *row, int lagged,
                                       saddle__mlcp_rows *rows);

/* rows->size, step of the natural sizes of the problem's rows (m); step 0 for rows of zeros in J
 * and R. */
void saddle__mlcp_rows_measure(saddle__mlcp_rows *rows, const saddle_problem *problem,
                               const double *size);

/* rows->epsilon and E. */
void saddle__mlcp_set_epsilon(saddle__mlcp_rows *rows, double epsilon);

static inline int64_t saddle__mlcp_row(const saddle__mlcp_rows *rows, int64_t c)
{
    return rows->row ? rows->row[c] : c;
}

typedef struct saddle__interval {
    double lo, hi;
} saddle__interval;

/* Bounds of row i; a tangent's follow its normal impulse. */
static inline saddle__interval saddle__mlcp_bounds(const saddle__mlcp_rows *rows, int64_t i)
{
    int64_t n = rows->normal ? rows->normal[i] : -1;
    double reach = n < 0 ? 0.0 : rows->mu[i] * saddle__larger(rows->lambda[n], 0.0);
    saddle__interval bounds = {n < 0 ? rows->lo[i] : -reach, n < 0 ? rows->hi[i] : reach};
    return bounds;
}

/* Row i is a tangent at a bound, its contact being closed. */
static inline int saddle__slides(const int64_t *normal, const signed char *state, int64_t i)
{
    return normal && normal[i] >= 0 && state[i] != SADDLE__BASIC &&
           state[normal[i]] == SADDLE__BASIC;
}

/* ---- the basis ----
 *
 *     (W + E)_FF lambda_F = -q_F - (W + E)_FB lambda_B       F basic rows, B rows at their bounds
 *
 * and with lambda_F, w = (W + E) lambda + q of all rows.  Tangents that slide move with
 * their normals; then the matrix is (W + E)_FF + W_FS sigma, unsymmetric. */

/* Only `clear` may follow a failed create; enter and solve allocate nothing but for general
 * L U. */
typedef struct saddle__basis {
    void *user;
    /* state (count): the set F, factored.  SADDLE_NOT_CONVERGED: singular.  A status that is not
     * SADDLE_OK ends the pivoting. */
    saddle_status (*enter)(void *user, const signed char *state);
    /* lambda (count): in where a row is at a bound, out where basic or sliding.  w (count): out.
     * noise (count): out, the rounding to which w is known.  q: count. */
    saddle_status (*solve)(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise);
    /* New values of E and mu; and of a sparse W, of the pattern of create, not NULL. */
    void (*refresh)(void *user, const saddle_matrix *W);
    /* Projected Gauss-Seidel sweeps on (W + E, rows->q) from rows->lambda.  NULL: none. */
    void (*sweep)(void *user, int sweeps);
    /* Improves the states near the rows broken[0 .. count), which have just changed theirs
     * (sparse_basis.c).  NULL: none. */
    void (*settle)(void *user, const int64_t *broken, int64_t count, signed char *state);
    const int64_t *made; /* factorizations since create; NULL: not counted */
    void (*clear)(void *user);
} saddle__basis;

/* Columns of a dense W, made available on request. */
typedef struct saddle__columns {
    void *user;
    /* Makes the columns of the rows row[0 .. count) available; NULL: all are.  A status that is not
     * SADDLE_OK ends the pivoting. */
    saddle_status (*prepare)(void *user, int64_t count, const int64_t *row);
    const double *value; /* count x count, by columns: of the columns prepared */
    /* Asked while a large factor is made; not SADDLE_OK: ends the pivoting.  NULL: never. */
    saddle_status (*stop)(void *user);
} saddle__columns;

/* rows are borrowed, columns copied.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__dense_basis_create(saddle_context *context, const saddle__columns *W,
                                         saddle__mlcp_rows *rows, saddle__basis *basis);

/* W: symmetric, every diagonal entry stored, its pattern alone is read; no tangents.  rows are
 * borrowed. */
saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          saddle__mlcp_rows *rows, const saddle_options *options,
                                          saddle__basis *basis);

/* Any sparse W with every diagonal entry stored, any rows; the same. */
saddle_status saddle__general_basis_create(saddle_context *context, const saddle_matrix *W,
                                           saddle__mlcp_rows *rows, const saddle_options *options,
                                           saddle__basis *basis);

/* ---- the operator ---- */

/* Where the systems of the basic rows are kept.  X(name, word)
 *
 *     best      the cheapest by counts; the note names it
 *     factor    in a sparse factor: M and R symmetric, no contacts unless lagged_friction
 *     columns   dense, on columns of the Delassus operator */
#define SADDLE_BASIS_LIST(X)         \
    X(SADDLE_BASIS_BEST, "best")     \
    X(SADDLE_BASIS_FACTOR, "factor") \
    X(SADDLE_BASIS_COLUMNS, "columns")

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

/* Each creates the operator of a problem.  The caller clears `system`, also after a failure where
 * system->user is not NULL. */
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

#endif
