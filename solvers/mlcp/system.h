/* SPDX-License-Identifier: MIT */
/* The operator W of a problem's rows, as one of three systems:
 *
 *     saddle__delassus       W = J M^-1 J' + R formed, of all rows; n = 0: W = R
 *     saddle__columns        W of the rows with bounds, the equations eliminated with the
 * velocities, one column at a time, when its row first enters the basis saddle__factor_rows    the
 * rows themselves in the sparse factor of the KKT matrix
 *
 * and the table by which the proximal iteration (proximal.h) drives any of them.  n, m: velocities
 * and rows of the problem. */
#ifndef SADDLE_MLCP_SYSTEM_H
#define SADDLE_MLCP_SYSTEM_H

#include "active/active_rows.h"
#include "factor/complement.h"
#include "matrix/twofold.h"
#include "mlcp/dense_basis.h"
#include "mlcp/sparse_basis.h"
#include "problem/kkt.h"
#include "regularization.h"
#include "saddle/solver.h"

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

typedef struct saddle__mlcp_counts {
    int64_t factorizations;       /* since create */
    int64_t corrections;          /* refinement steps since create */
    int64_t columns;              /* of W computed one at a time, since create */
    int64_t inexact;              /* refined solves above rounding, since create */
    saddle__factor_counts factor; /* of the last factorization of M or of the KKT matrix */
} saddle__mlcp_counts;

typedef struct saddle__mlcp_system {
    void *user;
    saddle__mlcp_rows *rows;
    saddle__basis basis;
    int is_dense;   /* the basis factors any regular W_FF: E = 0 may be tried */
    int may_search; /* W symmetric, no tangents */
    /* The values of a problem; sets rows->size, step and E.  SADDLE_SINGULAR: the message names the
     * unknown. */
    saddle_status (*factor)(void *user, const saddle_problem *problem, double epsilon);
    /* Another rows->E, or other friction, with the values of factor. */
    saddle_status (*shift)(void *user);
    /* A step begins at rows->lambda, lambda (m) and v (n): sets rows->q = w - (W + E) lambda. */
    saddle_status (*begin)(void *user, const saddle_problem *problem,
                           const saddle_solver_call *call, const double *lambda, const double *v);
    /* v (n) and the impulses of rows outside `rows`, of the impulses in lambda (m).  v: an estimate
     * in, refined out. */
    saddle_status (*velocity)(void *user, const saddle_problem *problem, double *lambda, double *v);
    /* Projected Gauss-Seidel sweeps on (W + E, rows->q) from rows->lambda.  NULL: none. */
    void (*sweep)(void *user, int sweeps);
    saddle__mlcp_counts (*counts)(const void *user);
} saddle__mlcp_system;

/* step (m): 1 / size_i; 0 where the rows of J and R vanish. */
void saddle__mlcp_row_steps(const saddle_problem *problem, const double *size, double *step);

/* ---- W formed ---- */

typedef struct saddle__delassus {
    saddle_context *context;
    int64_t n, m;
    saddle__complement complement; /* M factored, W */
    saddle__mlcp_rows rows;
    enum { SADDLE__DENSE, SADDLE__SPARSE, SADDLE__GENERAL } kind; /* of the basis */
    double *W; /* DENSE: m x m, by columns; NULL: complement.W stores all entries */
    saddle__dense_basis dense;
    saddle__sparse_basis sparse;
    saddle__general_basis general;
    double *r; /* max(n, m) */
} saddle__delassus;

/* settings->basis: BEST: dense or sparse by counts; COLUMNS: dense; FACTOR: sparse. */
saddle_status saddle__delassus_create(saddle_context *context, const saddle_problem *problem,
                                      const saddle_options *options,
                                      const saddle__mlcp_settings *settings,
                                      saddle__delassus *system);
saddle__mlcp_system saddle__delassus_table(saddle__delassus *system);
void saddle__delassus_clear(saddle__delassus *system); /* half-built is fine */

/* ---- columns on demand ----
 *
 *     A = [ M    J_E' ]     A (v, -lambda_E) = (f + J_C'lambda_C,  b_E - R_EC lambda_C)
 *         [ J_E -R_EE ]     w_C = J_C v + R_CE lambda_E + R_CC lambda_C - b_C
 *
 *     W_(:, i) = J_C z + R_CE y + R_C,i      A (z, -y) = (J_i', -R_E,i)
 *
 * C the rows with bounds, E the equations.  A is factored once, L D L' with a small diagonal where
 * R = 0 if symmetric, else L U; a column costs a solve with a sparse right-hand side and is kept
 * until the values change.  Velocities are refined against the system without that diagonal. */

typedef struct saddle__column_system {
    saddle_context *context;
    int64_t n, m;
    int symmetric;     /* M and R */
    int64_t count;     /* rows of C */
    int64_t equations; /* rows of E */
    int64_t *row;      /* m: rows of C, then rows of E, each ascending */
    int64_t *place;    /* m: where row i is in `row` */
    saddle__mlcp_rows rows;
    const saddle_problem *problem; /* of the call at hand, borrowed */
    saddle_problem inner;          /* M, J_E', R_EE; M borrowed */
    int64_t *R_source;             /* entries of R_EE: which of R's */
    saddle__kkt A;
    saddle__regularization natural; /* of A */
    saddle__regularization whole;   /* of the problem: sizes of its rows */
    saddle__factorization *factors; /* of A */
    saddle__dense_basis basis;
    double *pool;         /* count x count: the columns that have been computed */
    signed char *ready;   /* count: column is in the pool */
    double *z;            /* n + equations: zero between calls */
    double *Z;            /* (n + equations) x SADDLE__FACTOR_BLOCK, by rows: the same */
    double *u;            /* m: zero between calls */
    double *y;            /* m */
    saddle__twofold *sum; /* n + m */
    int64_t *index;       /* n + m: of sparse right-hand sides */
    double *value;        /* n + m: the same */
    saddle__mlcp_counts done;
    const saddle_solver_call *call; /* of the step at hand */
    double began;                   /* that step, clock */
} saddle__column_system;

saddle_status saddle__columns_create(saddle_context *context, const saddle_problem *problem,
                                     const saddle_options *options,
                                     const saddle__mlcp_settings *settings,
                                     saddle__column_system *system);
saddle__mlcp_system saddle__columns_table(saddle__column_system *system);
void saddle__columns_clear(saddle__column_system *system); /* half-built is fine */

/* ---- rows in the sparse factor ----
 *
 *     [ M    J_F' ] [  v        ]   [ f + J_B'lambda_B           ]   F the equations and basic rows
 *     [ J_F  -R-E ] [ -lambda_F ] = [ b_F + E c_F - R_FB lambda_B ]   B the rows at a bound
 *
 *     w = J v + (R + E) lambda - E c - b
 *
 * c the impulses of the step before.  M may be singular where the equations hold it.  A row that
 * enters is put into the factor, or the matrix is factored again (lib/active).  Each
 * solve is refined until its backward error is rounding; one correction by a residual in twice the
 * working precision tells to how many digits w is known, and more follow where those are few. */

typedef struct saddle__factor_rows {
    saddle_context *context;
    int64_t n, m;
    const saddle_problem *problem; /* of the call at hand, borrowed */
    saddle__layout layout;
    saddle__mlcp_rows rows;
    saddle__active_rows *active;
    saddle__regularization natural;
    signed char *toggles;          /* m: the row has a finite bound, or is a contact's */
    signed char *in;               /* m: rows of F */
    saddle__active_change *change; /* m */
    double *added;                 /* n + m: diagonal of velocities without mass */
    double *kept;                  /* n + m: -E */
    double *centre;                /* m: c */
    double *x;                     /* n + m: v and lambda of the last solve */
    double *r;                     /* n + m */
    double *held;                  /* m: lambda_B */
    double *modulus;               /* m: of the terms of w */
    saddle__twofold *sum;          /* n + m */
    int factored;                  /* with the present E */
    int solved;                    /* x holds a solution */
    double digits;                 /* relative error of w before correction; negative: unknown */
    int64_t corrections;           /* since create */
    int64_t inexact;               /* solves above rounding, since create */
} saddle__factor_rows;

/* problem: n > 0. */
saddle_status saddle__factor_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options,
                                         const saddle__mlcp_settings *settings,
                                         saddle__factor_rows *system);
saddle__mlcp_system saddle__factor_rows_table(saddle__factor_rows *system);
void saddle__factor_rows_clear(saddle__factor_rows *system); /* half-built is fine */

/* Times of a factorization of and a solve with all rows, by the model of lib/active [ns]. */
void saddle__factor_rows_times(const saddle__factor_rows *system, double *factor, double *solve);

#endif
