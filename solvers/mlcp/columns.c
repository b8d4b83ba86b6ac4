/* SPDX-License-Identifier: MIT */
/* The operator W of the rows with bounds, in columns computed on request:
 *
 *     A = [ M    J_E' ]     A (v, -lambda_E) = (f + J_C'lambda_C,  b_E - R_EC lambda_C)
 *         [ J_E -R_EE ]     w_C = J_C v + R_CE lambda_E + R_CC lambda_C - b_C
 *
 *     W_(:, i) = J_C z + R_CE y + R_C,i      A (z, -y) = (J_i', -R_E,i)
 *
 * C the rows with bounds, E the equations.  A is factored once, L D L' with a small diagonal where
 * R = 0 if symmetric, else L U; a column costs a solve with a sparse right-hand side and is kept
 * until the values change.  Velocities are refined against the system without the diagonal. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "capability.h"
#include "mlcp/system.h"
#include "problem/problem_internal.h"
#include "problem/kkt.h"
#include "refine.h"
#include "regularization.h"

typedef struct column_system {
    saddle_context *context;
    saddle__layout layout;
    int64_t n, m;
    int symmetric;        /* M and R */
    int64_t count;        /* rows of C */
    int64_t equations;    /* rows of E */
    signed char *bounded; /* m: rows of C */
    int64_t *row;         /* m: rows of C, then rows of E, each ascending */
    int64_t *place;       /* m: position of row i in `row` */
    saddle__mlcp_rows rows;
    const saddle_problem *problem; /* of the call at hand, borrowed */
    saddle_problem inner;          /* M, J_E', R_EE; M borrowed */
    saddle__kkt A;
    saddle__regularization natural; /* of A */
    saddle__regularization whole;   /* of the problem: sizes of its rows */
    saddle__factorization *factors; /* of A */
    saddle__columns W;
    saddle__basis basis;
    double *pool;         /* count x count: the columns computed */
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
    double began;                   /* of the step, clock */
} column_system;

static void clear(void *user)
{
    column_system *s = user;
    saddle_context *context = s->context;
    saddle_matrix_clear(&s->inner.Jt);
    saddle_matrix_clear(&s->inner.R);
    saddle__kkt_clear(&s->A);
    saddle__regularization_clear(&s->natural);
    saddle__regularization_clear(&s->whole);
    saddle__factorization_free(s->factors);
    if (s->basis.user) s->basis.clear(s->basis.user);
    saddle__layout_clear(context, &s->rows.layout);
    saddle__layout_clear(context, &s->layout);
    saddle_release(context, s);
}

/* ---- A ---- */

/* to <- the columns of E in from; of a square matrix also the rows of E alone.  The pattern of
 * `to` is the same in each call. */
static void select_equations(const column_system *s, const saddle_matrix *from, saddle_matrix *to)
{
    int64_t fill = 0;
    int square = from == &s->problem->R;
    for (int64_t k = 0; k < to->cols; k++) {
        int64_t j = s->row[s->count + k];
        for (int64_t t = from->start[j]; t < from->start[j + 1]; t++) {
            int64_t i = square ? s->place[from->index[t]] - s->count : from->index[t];
            if (i < 0) continue;
            to->index[fill] = i;
            to->value[fill++] = from->value[t];
        }
        to->start[k + 1] = fill;
    }
}

static void refresh_inner(column_system *s, const saddle_problem *problem)
{
    s->problem = problem;
    s->inner.M = problem->M;
    select_equations(s, &problem->Jt, &s->inner.Jt);
    select_equations(s, &problem->R, &s->inner.R);
}

static saddle_status make_inner(column_system *s, const saddle_problem *problem)
{
    int64_t J_entries = saddle_matrix_entries(&problem->Jt);
    int64_t R_entries = saddle_matrix_entries(&problem->R);
    saddle_status status = SADDLE_OK;
    s->inner.n = s->n;
    s->inner.m = s->equations;
    if (J_entries > 0)
        status = saddle_matrix_create(s->context, s->n, s->equations, J_entries,
                                      SADDLE_SYMMETRY_NONE, &s->inner.Jt);
    if (status == SADDLE_OK && R_entries > 0)
        status = saddle_matrix_create(s->context, s->equations, s->equations, R_entries,
                                      problem->R.symmetry, &s->inner.R);
    if (status == SADDLE_OK) refresh_inner(s, problem);
    return status;
}

static saddle_status analyse_A(column_system *s, const saddle_problem *problem,
                               const saddle_options *options)
{
    int general = !s->symmetric;
    const char *name = saddle__factorization_name(s->context, SADDLE_FACTORIZATION_DEFAULT,
                                                  general);
    saddle_status status = make_inner(s, problem);
    if (status == SADDLE_OK) status = saddle__kkt_create(s->context, &s->inner, general, &s->A);
    if (status == SADDLE_OK)
        status = saddle__regularization_create(s->context, &s->inner, &s->natural);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(s->context, name, options->ordering, &s->factors);
    if (status != SADDLE_OK) return status;
    saddle__factorization_set_threads(s->factors, options->threads);
    saddle__regularization_measure(&s->natural, &s->inner, options->regularization, 0);
    return saddle__factorization_analyse_late(s->factors, &s->A.K, s->natural.weak, NULL);
}

/* ---- values ---- */

static saddle_status stop(void *user)
{
    const column_system *s = user;
    double now = saddle_clock();
    if (!s->call) return SADDLE_OK;
    if (saddle_context_progress(s->context, "solve", 0, 0, -1.0, now - s->began))
        return SADDLE_STOPPED;
    return now > s->call->deadline ? SADDLE_TIME_LIMIT : SADDLE_OK;
}

static saddle_status factor(void *user, const saddle_solver_call *call,
                            const saddle_problem *problem, double epsilon)
{
    column_system *s = user;
    if (s->count > 0) memset(s->ready, 0, (size_t)s->count * sizeof *s->ready);
    saddle__regularization_measure(&s->whole, problem, SADDLE__PIVOT_REPLACEMENT, 0);
    saddle__mlcp_rows_measure(&s->rows, problem, s->whole.scale + s->n);
    saddle__mlcp_set_epsilon(&s->rows, epsilon);
    refresh_inner(s, problem);
    saddle__regularization_measure(&s->natural, &s->inner, SADDLE__PIVOT_REPLACEMENT, 0);
    saddle__kkt_refresh(&s->A, &s->inner, s->natural.added);
    saddle__pivot_rule rule = {.sign = s->natural.sign,
                               .scale = s->natural.scale,
                               .smallest = SADDLE__VANISHED_PIVOT,
                               .replacement = SADDLE__PIVOT_REPLACEMENT};
    saddle_status status = saddle__factorization_factor_by(s->factors, &s->A.K, &rule);
    s->done.factorizations++;
    s->done.factor = saddle__factorization_counts(s->factors);
    int64_t at = s->done.factor.failed_column;
    if (at >= s->n) at = s->n + s->row[s->count + at - s->n];
    if (status == SADDLE_SINGULAR) return saddle__singular_at(call, problem, at);
    s->basis.refresh(s->basis.user, NULL);
    return status;
}

/* ---- columns, up to SADDLE__FACTOR_BLOCK in a solve ---- */

/* Right-hand sides in the system's index and value. */
typedef struct column_block {
    int64_t columns;
    int64_t place[SADDLE__FACTOR_BLOCK]; /* in C */
    int64_t start[SADDLE__FACTOR_BLOCK + 1];
} column_block;

/* (J_i', -R_E,i) of C's row c behind the columns of the block so far.  0: the block is full. */
static int load_column(column_system *s, column_block *block, int64_t c)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    const saddle_matrix *R = &s->problem->R;
    int64_t i = s->row[c];
    int yields = saddle_matrix_entries(R) > 0 && s->equations > 0;
    int64_t from = saddle_matrix_entries(Jt) > 0 ? Jt->start[i] : 0;
    int64_t length = saddle_matrix_entries(Jt) > 0 ? Jt->start[i + 1] - from : 0;
    int64_t count = block->start[block->columns];
    int64_t most = length + (yields ? s->equations : 0);
    if (block->columns == SADDLE__FACTOR_BLOCK ||
        (block->columns > 0 && count + most > s->n + s->m))
        return 0;
    for (int64_t k = from; k < from + length; k++) {
        s->index[count] = Jt->index[k];
        s->value[count++] = Jt->value[k];
    }
    if (yields) {
        s->u[i] = 1.0;
        saddle_matrix_apply(R, -1.0, s->u, 0.0, s->y);
        s->u[i] = 0.0;
    }
    for (int64_t k = 0; yields && k < s->equations; k++) {
        double entry = s->y[s->row[s->count + k]];
        if (entry == 0.0) continue;
        s->index[count] = s->n + k;
        s->value[count++] = entry;
    }
    block->place[block->columns++] = c;
    block->start[block->columns] = count;
    return 1;
}

/* W's column of the block's column q <- R_C u, u the impulses e_i and those of the equations */
static void add_compliance(column_system *s, const column_block *block, int64_t q)
{
    const saddle_matrix *R = &s->problem->R;
    double *column = s->pool + block->place[q] * s->count;
    if (saddle_matrix_entries(R) == 0) {
        memset(column, 0, (size_t)s->count * sizeof *column);
        return;
    }
    int64_t i = s->row[block->place[q]];
    for (int64_t k = 0; k < s->equations; k++)
        s->u[s->row[s->count + k]] = -s->Z[(s->n + k) * block->columns + q];
    s->u[i] = 1.0;
    saddle_matrix_apply(R, 1.0, s->u, 0.0, s->y);
    for (int64_t c = 0; c < s->count; c++) column[c] = s->y[s->row[c]];
    for (int64_t k = 0; k < s->equations; k++) s->u[s->row[s->count + k]] = 0.0;
    s->u[i] = 0.0;
}

/* W's columns += J_C Z */
static void add_velocities(column_system *s, const column_block *block)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    int64_t columns = block->columns;
    for (int64_t c = 0; saddle_matrix_entries(Jt) > 0 && c < s->count; c++) {
        int64_t i = s->row[c];
        double sum[SADDLE__FACTOR_BLOCK] = {0.0};
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            const double *z = s->Z + Jt->index[k] * columns;
            for (int64_t q = 0; q < columns; q++) sum[q] += Jt->value[k] * z[q];
        }
        for (int64_t q = 0; q < columns; q++) s->pool[c + block->place[q] * s->count] += sum[q];
    }
}

static saddle_status compute_block(column_system *s, const column_block *block)
{
    int64_t reached = 0;
    const int64_t *where = NULL;
    saddle_status status = saddle__factorization_solve_block(s->factors, block->columns,
                                                             block->start, s->index, s->value,
                                                             &reached, &where, s->Z);
    for (int64_t q = 0; status == SADDLE_OK && q < block->columns; q++) add_compliance(s, block, q);
    if (status == SADDLE_OK) add_velocities(s, block);
    for (int64_t k = 0; k < reached; k++)
        memset(s->Z + where[k] * block->columns, 0, (size_t)block->columns * sizeof *s->Z);
    for (int64_t q = 0; status == SADDLE_OK && q < block->columns; q++)
        s->ready[block->place[q]] = 1;
    s->done.columns += status == SADDLE_OK ? block->columns : 0;
    return status;
}

static saddle_status prepare(void *user, int64_t count, const int64_t *place)
{
    column_system *s = user;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < count;) {
        column_block block = {0};
        if (k > 0) status = stop(s);
        if (status != SADDLE_OK) return status;
        for (; k < count && (s->ready[place[k]] || load_column(s, &block, place[k])); k++) continue;
        if (block.columns > 0) status = compute_block(s, &block);
    }
    return status;
}

/* ---- velocities ---- */

/* z <- (f + J'lambda - M v, (b - J v - R lambda)_E) in twice the working precision */
static void form_residual(column_system *s, const saddle_problem *problem, const double *lambda,
                          const double *v)
{
    saddle__twofold_set(s->n, problem->f, s->sum);
    saddle__twofold_set(s->m, problem->b, s->sum + s->n);
    saddle__twofold_add(&problem->M, -1.0, v, s->sum);
    saddle__twofold_add(&problem->R, -1.0, lambda, s->sum + s->n);
    saddle__twofold_add_both(&problem->Jt, 1.0, lambda, s->sum, -1.0, v, s->sum + s->n);
    for (int64_t j = 0; j < s->n; j++) s->z[j] = saddle__twofold_value(s->sum[j]);
    for (int64_t k = 0; k < s->equations; k++)
        s->z[s->n + k] = saddle__twofold_value(s->sum[s->n + s->row[s->count + k]]);
}

/* max |x_k| sqrt(s_k) over the unknowns first .. first + count - 1 of A; INFINITY: not finite */
static double largest(const column_system *s, int64_t first, int64_t count, const double *x)
{
    double most = 0.0;
    for (int64_t k = 0; k < count; k++) {
        double part = fabs(x[k]) * sqrt(s->natural.scale[first + k]);
        if (!(part <= most)) most = isnan(part) ? (double)INFINITY : part;
    }
    return most;
}

static saddle_status velocity(void *user, const saddle_problem *problem, double *lambda, double *v)
{
    column_system *s = user;
    double before = (double)INFINITY;
    saddle_status status = SADDLE_OK;
    for (int k = 0; k <= SADDLE__MOST_CORRECTIONS; k++) {
        form_residual(s, problem, lambda, v);
        status = saddle__factorization_solve(s->factors, s->z);
        double change = largest(s, 0, s->n, s->z);
        double growth = largest(s, s->n, s->equations, s->z + s->n);
        if (status == SADDLE_OK && (isinf(change) || isinf(growth))) status = SADDLE_NOT_CONVERGED;
        if (status != SADDLE_OK) break;
        for (int64_t j = 0; j < s->n; j++) v[j] += s->z[j];
        for (int64_t e = 0; e < s->equations; e++) lambda[s->row[s->count + e]] -= s->z[s->n + e];
        s->done.corrections++;
        if (change <= DBL_EPSILON * largest(s, 0, s->n, v) || change > 0.5 * before) break;
        before = change;
    }
    memset(s->z, 0, (size_t)(s->n + s->equations) * sizeof *s->z);
    return status;
}

/* q = J_C v + R_C lambda - b_C - (W + E) lambda_C */
static saddle_status begin(void *user, const saddle_problem *problem,
                           const saddle_solver_call *call, const double *lambda, const double *v)
{
    column_system *s = user;
    saddle__mlcp_rows *rows = &s->rows;
    s->problem = problem;
    s->call = call;
    s->began = saddle_clock();
    for (int64_t i = 0; i < s->m; i++) s->y[i] = problem->b ? -problem->b[i] : 0.0;
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 1.0, s->y);
    if (saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_apply(&problem->R, 1.0, lambda, 1.0, s->y);
    for (int64_t c = 0; c < s->count; c++)
        rows->q[c] = s->y[s->row[c]] - rows->E[c] * rows->lambda[c];
    for (int64_t j = 0; j < s->count; j++) {
        if (rows->lambda[j] == 0.0) continue;
        saddle_status status = prepare(s, 1, &j);
        if (status != SADDLE_OK) return status;
        const double *column = s->pool + j * s->count;
        for (int64_t c = 0; c < s->count; c++) rows->q[c] -= column[c] * rows->lambda[j];
    }
    return SADDLE_OK;
}

static saddle__mlcp_counts counts(const void *user)
{
    const column_system *s = user;
    saddle__mlcp_counts c = s->done;
    c.factorizations += *s->basis.made;
    return c;
}

/* ---- create ---- */

static saddle_status make_arrays(saddle_context *context, column_system *s)
{
    int64_t size = s->n + s->m;
    int64_t block = (s->n + s->equations) * SADDLE__FACTOR_BLOCK;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(s->bounded, s->m),   SADDLE__ARRAY(s->row, s->m),
        SADDLE__ARRAY(s->place, s->m),     SADDLE__ARRAY(s->pool, s->count * s->count),
        SADDLE__ARRAY(s->ready, s->count), SADDLE__ARRAY(s->z, size),
        SADDLE__ARRAY(s->Z, block),        SADDLE__ARRAY(s->u, s->m),
        SADDLE__ARRAY(s->y, s->m),         SADDLE__ARRAY(s->sum, size),
        SADDLE__ARRAY(s->index, size),     SADDLE__ARRAY(s->value, size)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

/* s->bounded, row, place */
static void sort_rows(column_system *s, const saddle_problem *problem)
{
    int64_t next[2] = {s->count, 0};
    saddle__find_bounded(problem, s->bounded);
    for (int64_t i = 0; i < s->m; i++) {
        s->place[i] = next[s->bounded[i]]++;
        s->row[s->place[i]] = i;
    }
}

static saddle_status allocate(column_system *s, const saddle_problem *problem)
{
    s->equations = saddle_problem_count_rows(problem).equality;
    s->count = s->m - s->equations;
    if (s->count > 0 && s->count > INT64_MAX / s->count)
        return saddle_fail(s->context, SADDLE_TOO_LARGE, "pivot: %lld rows with bounds",
                           (long long)s->count);
    saddle_status status = make_arrays(s->context, s);
    if (status != SADDLE_OK) return status;
    sort_rows(s, problem);
    return SADDLE_OK;
}

saddle_status saddle__columns_create(saddle_context *context, const saddle_problem *problem,
                                     const saddle_options *options,
                                     const saddle__mlcp_settings *settings,
                                     saddle__mlcp_system *system)
{
    column_system *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    s->context = context;
    s->n = problem->n;
    s->m = problem->m;
    s->symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    s->W = (saddle__columns){.user = s, .prepare = prepare, .stop = stop};
    saddle__mlcp_system table = {.user = s,
                                 .kind = SADDLE__MLCP_COLUMNS,
                                 .rows = &s->rows,
                                 .W = &s->W,
                                 .factor = factor,
                                 .begin = begin,
                                 .velocity = velocity,
                                 .counts = counts,
                                 .clear = clear};
    *system = table;
    saddle_status status = allocate(s, problem);
    if (status == SADDLE_OK)
        status = saddle__mlcp_rows_create(context, problem, s->count, s->row,
                                          settings->lagged_friction, &s->rows);
    s->W.value = s->pool;
    if (status == SADDLE_OK)
        status = saddle__dense_basis_create(context, &s->W, &s->rows, &s->basis);
    if (status == SADDLE_OK) status = saddle__regularization_create(context, problem, &s->whole);
    system->basis = s->basis;
    system->bounded = s->bounded;
    return status == SADDLE_OK ? analyse_A(s, problem, options) : status;
}
