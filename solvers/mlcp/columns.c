/* SPDX-License-Identifier: MIT */
/* Columns of the Delassus operator on demand, see system.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "capability.h"
#include "mlcp/system.h"

/* Refinement steps of a velocity, at most. */
enum { MOST_CORRECTIONS = 6 };

/* A pivot of A below this multiple of its natural size is rounding; `replacement` times the size
 * takes its place. */
static const double vanished = 1e-14;
static const double replacement = 1e-10;

void saddle__columns_clear(saddle__column_system *s)
{
    void *arrays[] = {s->row, s->place, s->R_source, s->pool, s->ready, s->z,
                      s->Z,   s->u,     s->y,        s->sum,  s->index, s->value};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        saddle_release(s->context, arrays[k]);
    saddle_matrix_clear(&s->inner.Jt);
    saddle_matrix_clear(&s->inner.R);
    saddle__kkt_clear(&s->A);
    saddle__regularization_clear(&s->natural);
    saddle__regularization_clear(&s->whole);
    saddle__factorization_free(s->factors);
    saddle__dense_basis_clear(&s->basis);
    saddle__mlcp_rows_clear(&s->rows);
    memset(s, 0, sizeof *s);
}

/* ---- A ---- */

/* J_E' */
static saddle_status make_J(saddle__column_system *s, const saddle_problem *problem)
{
    const saddle_matrix *Jt = &problem->Jt;
    saddle_matrix *J = &s->inner.Jt;
    if (saddle_matrix_entries(Jt) == 0) return SADDLE_OK;
    int64_t entries = 0;
    for (int64_t k = s->count; k < s->m; k++)
        entries += Jt->start[s->row[k] + 1] - Jt->start[s->row[k]];
    saddle_status status = saddle_matrix_create(s->context, s->n, s->equations, entries,
                                                SADDLE_GENERAL, J);
    for (int64_t k = 0; status == SADDLE_OK && k < s->equations; k++) {
        int64_t from = Jt->start[s->row[s->count + k]];
        int64_t length = Jt->start[s->row[s->count + k] + 1] - from;
        J->start[k + 1] = J->start[k] + length;
        for (int64_t t = 0; t < length; t++) J->index[J->start[k] + t] = Jt->index[from + t];
    }
    return status;
}

/* R_EE */
static saddle_status make_R(saddle__column_system *s, const saddle_problem *problem)
{
    const saddle_matrix *R = &problem->R;
    saddle_matrix *E = &s->inner.R;
    int64_t entries = saddle_matrix_entries(R);
    if (entries == 0) return SADDLE_OK;
    s->R_source = saddle_allocate(s->context, entries, sizeof *s->R_source);
    if (!s->R_source) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle_matrix_create(s->context, s->equations, s->equations, entries,
                                                R->symmetry, E);
    if (status != SADDLE_OK) return status;
    int64_t fill = 0;
    for (int64_t k = 0; k < s->equations; k++) {
        int64_t j = s->row[s->count + k];
        for (int64_t t = R->start[j]; t < R->start[j + 1]; t++) {
            int64_t i = s->place[R->index[t]] - s->count;
            if (i < 0) continue;
            E->index[fill] = i;
            s->R_source[fill++] = t;
        }
        E->start[k + 1] = fill;
    }
    return SADDLE_OK;
}

static void refresh_inner(saddle__column_system *s, const saddle_problem *problem)
{
    s->inner.M = problem->M;
    saddle_matrix *J = &s->inner.Jt;
    for (int64_t k = 0; saddle_matrix_entries(J) > 0 && k < s->equations; k++) {
        const double *from = problem->Jt.value + problem->Jt.start[s->row[s->count + k]];
        for (int64_t t = J->start[k]; t < J->start[k + 1]; t++) J->value[t] = *from++;
    }
    saddle_matrix *R = &s->inner.R;
    for (int64_t t = 0; t < saddle_matrix_entries(R); t++)
        R->value[t] = problem->R.value[s->R_source[t]];
}

static saddle_status analyse_A(saddle__column_system *s, const saddle_problem *problem,
                               const saddle_options *options)
{
    int general = !s->symmetric;
    const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, general);
    s->inner.n = s->n;
    s->inner.m = s->equations;
    saddle_status status = make_J(s, problem);
    if (status == SADDLE_OK) status = make_R(s, problem);
    if (status != SADDLE_OK) return status;
    refresh_inner(s, problem);
    status = saddle__kkt_create(s->context, &s->inner, general, &s->A);
    if (status == SADDLE_OK)
        status = saddle__regularization_create(s->context, &s->inner, &s->natural);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(s->context, name, options->ordering, &s->factors);
    if (status != SADDLE_OK) return status;
    saddle__factorization_set_threads(s->factors, options->threads);
    saddle__regularization_measure(&s->natural, &s->inner, options->regularization, 0);
    return saddle__factorization_analyse_late(s->factors, &s->A.K, s->natural.weak,
                                              SADDLE__PATIENT);
}

/* ---- create ---- */

/* s->row, place, count, equations */
static saddle_status sort_rows(saddle__column_system *s, const saddle_problem *problem)
{
    s->row = saddle_allocate(s->context, s->m, sizeof *s->row);
    s->place = saddle_allocate(s->context, s->m, sizeof *s->place);
    if (!s->row || !s->place) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < s->m; i++)
        s->place[i] = saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        for (int64_t k = 0; k < problem->contacts[c].size; k++)
            s->place[problem->contacts[c].row + k] = 1;
    for (int64_t i = 0; i < s->m; i++) s->count += s->place[i];
    s->equations = s->m - s->count;
    int64_t next[2] = {s->count, 0};
    for (int64_t i = 0; i < s->m; i++) {
        s->place[i] = next[s->place[i]]++;
        s->row[s->place[i]] = i;
    }
    if (s->count == 0 || s->count <= INT64_MAX / s->count) return SADDLE_OK;
    return saddle_fail(s->context, SADDLE_TOO_LARGE, "pivot: %lld rows with bounds",
                       (long long)s->count);
}

static saddle_status allocate(saddle__column_system *s)
{
    saddle_context *context = s->context;
    int64_t size = s->n + s->m;
    s->pool = saddle_allocate(context, s->count * s->count, sizeof *s->pool);
    s->ready = saddle_allocate(context, s->count, sizeof *s->ready);
    s->z = saddle_allocate(context, size, sizeof *s->z);
    s->u = saddle_allocate(context, s->m, sizeof *s->u);
    s->y = saddle_allocate(context, s->m, sizeof *s->y);
    s->sum = saddle_allocate(context, size, sizeof *s->sum);
    s->index = saddle_allocate(context, size, sizeof *s->index);
    s->value = saddle_allocate(context, size, sizeof *s->value);
    s->Z = saddle_allocate(context, (s->n + s->equations) * SADDLE__FACTOR_BLOCK, sizeof *s->Z);
    int made = s->pool && s->ready && s->z && s->Z && s->u && s->y && s->sum && s->index &&
               s->value;
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__columns_create(saddle_context *context, const saddle_problem *problem,
                                     const saddle_options *options,
                                     const saddle__mlcp_settings *settings,
                                     saddle__column_system *s)
{
    saddle__column_system fresh = {.context = context, .n = problem->n, .m = problem->m};
    *s = fresh;
    s->symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    saddle_status status = sort_rows(s, problem);
    if (status == SADDLE_OK) status = allocate(s);
    if (status == SADDLE_OK)
        status = saddle__mlcp_rows_create(context, problem, s->count, s->row,
                                          settings->lagged_friction, &s->rows);
    if (status == SADDLE_OK) status = saddle__dense_basis_create(context, s->count, &s->basis);
    if (status == SADDLE_OK) status = saddle__regularization_create(context, problem, &s->whole);
    return status == SADDLE_OK ? analyse_A(s, problem, options) : status;
}

/* ---- values ---- */

static saddle_status stop(void *user)
{
    const saddle__column_system *s = user;
    double now = saddle_clock();
    if (!s->call) return SADDLE_OK;
    if (saddle_context_progress(s->context, "solve", 0, 0, -1.0, now - s->began))
        return SADDLE_STOPPED;
    return now > s->call->deadline ? SADDLE_TIME_LIMIT : SADDLE_OK;
}

static saddle_status prepare(void *user, int64_t count, const int64_t *place);

static const double *column_of(void *user, int64_t c)
{
    const saddle__column_system *s = user;
    return s->pool + c * s->count;
}

static saddle_status shift(void *user)
{
    saddle__column_system *s = user;
    saddle__columns W = {.user = s,
                         .prepare = prepare,
                         .column = column_of,
                         .symmetric = s->symmetric};
    saddle__dense_basis_set(&s->basis, &W, &s->rows);
    saddle__asked asked = {.stop = stop, .user = s};
    s->basis.asked = asked;
    return SADDLE_OK;
}

static saddle_status singular_at(saddle__column_system *s, const saddle_problem *problem)
{
    int64_t at = saddle__factorization_counts(s->factors).failed_column;
    char name[96];
    if (at < 0) return SADDLE_SINGULAR;
    if (at < s->n)
        saddle_problem_describe_velocity(problem, at, name, sizeof name);
    else
        saddle_problem_describe_row(problem, s->row[s->count + at - s->n], name, sizeof name);
    return saddle_fail(s->context, SADDLE_SINGULAR, "pivot: the pivot of %s vanished or overflowed",
                       name);
}

static saddle_status factor(void *user, const saddle_problem *problem, double epsilon)
{
    saddle__column_system *s = user;
    s->problem = problem;
    if (s->count > 0) memset(s->ready, 0, (size_t)s->count * sizeof *s->ready);
    saddle__regularization_measure(&s->whole, problem, replacement, 0);
    saddle__mlcp_row_steps(problem, s->whole.scale + s->n, s->y);
    for (int64_t c = 0; c < s->count; c++) {
        s->rows.size[c] = s->whole.scale[s->n + s->row[c]];
        s->rows.step[c] = s->y[s->row[c]];
    }
    saddle__mlcp_set_epsilon(&s->rows, epsilon);
    refresh_inner(s, problem);
    saddle__regularization_measure(&s->natural, &s->inner, replacement, 0);
    saddle__kkt_refresh(&s->A, &s->inner, s->natural.added);
    saddle__pivot_rule rule = {.sign = s->natural.sign,
                               .scale = s->natural.scale,
                               .smallest = vanished,
                               .replacement = replacement};
    saddle_status status = saddle__factorization_factor_by(s->factors, &s->A.K, &rule);
    s->done.factorizations++;
    s->done.factor = saddle__factorization_counts(s->factors);
    if (status == SADDLE_SINGULAR) return singular_at(s, problem);
    return status == SADDLE_OK ? shift(s) : status;
}

/* ---- columns, up to SADDLE__FACTOR_BLOCK in a solve ---- */

/* Right-hand sides in the system's index and value. */
typedef struct column_block {
    int64_t columns;
    int64_t place[SADDLE__FACTOR_BLOCK]; /* in C */
    int64_t start[SADDLE__FACTOR_BLOCK + 1];
} column_block;

/* (J_i', -R_E,i) of C's row c behind the columns of the block so far.  0: the block is full. */
static int load_column(saddle__column_system *s, column_block *block, int64_t c)
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
static void add_compliance(saddle__column_system *s, const column_block *block, int64_t q)
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
static void add_velocities(saddle__column_system *s, const column_block *block)
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

static saddle_status compute_block(saddle__column_system *s, const column_block *block)
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
    saddle__column_system *s = user;
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
static void form_residual(saddle__column_system *s, const saddle_problem *problem,
                          const double *lambda, const double *v)
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
static double largest(const saddle__column_system *s, int64_t first, int64_t count, const double *x)
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
    saddle__column_system *s = user;
    double before = (double)INFINITY;
    saddle_status status = SADDLE_OK;
    for (int k = 0; k <= MOST_CORRECTIONS; k++) {
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
    saddle__column_system *s = user;
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
        const double *column = column_of(s, j);
        for (int64_t c = 0; c < s->count; c++) rows->q[c] -= column[c] * rows->lambda[j];
    }
    return SADDLE_OK;
}

static saddle__mlcp_counts counts(const void *user)
{
    const saddle__column_system *s = user;
    saddle__mlcp_counts c = s->done;
    c.factorizations += s->basis.made;
    return c;
}

saddle__mlcp_system saddle__columns_table(saddle__column_system *s)
{
    saddle__mlcp_system table = {.user = s,
                                 .rows = &s->rows,
                                 .basis = saddle__dense_basis_table(&s->basis),
                                 .is_dense = 1,
                                 .factor = factor,
                                 .shift = shift,
                                 .begin = begin,
                                 .velocity = velocity,
                                 .counts = counts};
    return table;
}
