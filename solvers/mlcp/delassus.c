/* SPDX-License-Identifier: MIT */
/* The Delassus operator formed, see system.h. */
#include <string.h>

#include "base/vector.h"

#include "mlcp/system.h"

/* W is held dense up to so many rows whatever it is, and never beyond NEVER_DENSE; between them,
 * where it has more than this share of all entries. */
enum { ALWAYS_DENSE = 100, NEVER_DENSE = 5000 };
static const double dense_share = 0.3;

static int is_general(const saddle__delassus *s)
{
    return s->complement.W.symmetry != SADDLE_SYMMETRIC || s->rows.normal;
}

static int is_dense(const saddle__delassus *s, int asked)
{
    const saddle_matrix *W = &s->complement.W;
    double m = (double)s->m;
    double all = W->symmetry == SADDLE_SYMMETRIC ? m * (m + 1.0) / 2.0 : m * m;
    if (asked == SADDLE_BASIS_COLUMNS) return 1;
    if (asked == SADDLE_BASIS_FACTOR) return 0;
    return s->m <= ALWAYS_DENSE ||
           (s->m <= NEVER_DENSE && (double)saddle_matrix_entries(W) > dense_share * all);
}

static saddle_status create_basis(saddle__delassus *s, const saddle_options *options, int asked)
{
    const saddle_matrix *W = &s->complement.W;
    if (is_dense(s, asked)) {
        s->kind = SADDLE__DENSE;
        int whole = W->symmetry == SADDLE_GENERAL && saddle_matrix_entries(W) == s->m * s->m;
        s->W = whole ? NULL : saddle_allocate(s->context, s->m * s->m, sizeof *s->W);
        if (!whole && !s->W) return SADDLE_OUT_OF_MEMORY;
        return saddle__dense_basis_create(s->context, s->m, &s->dense);
    }
    s->kind = is_general(s) ? SADDLE__GENERAL : SADDLE__SPARSE;
    return s->kind == SADDLE__GENERAL
               ? saddle__general_basis_create(s->context, W, &s->rows, options, &s->general)
               : saddle__sparse_basis_create(s->context, W, options, &s->sparse);
}

saddle_status saddle__delassus_create(saddle_context *context, const saddle_problem *problem,
                                      const saddle_options *options,
                                      const saddle__mlcp_settings *settings, saddle__delassus *s)
{
    saddle__delassus fresh = {.context = context, .n = problem->n, .m = problem->m};
    *s = fresh;
    saddle__complement_request request = {.ordering = options->ordering,
                                          .threads = options->threads};
    saddle_status status = saddle__complement_analyse(context, problem, &request, &s->complement);
    if (status != SADDLE_OK) return status;
    s->r = saddle_allocate(context, s->n > s->m ? s->n : s->m, sizeof *s->r);
    if (!s->r) return SADDLE_OUT_OF_MEMORY;
    status = saddle__mlcp_rows_create(context, problem, s->m, NULL, settings->lagged_friction,
                                      &s->rows);
    return status == SADDLE_OK ? create_basis(s, options, settings->basis) : status;
}

void saddle__delassus_clear(saddle__delassus *s)
{
    saddle__complement_clear(&s->complement);
    saddle__mlcp_rows_clear(&s->rows);
    saddle__dense_basis_clear(&s->dense);
    saddle__sparse_basis_clear(&s->sparse);
    saddle__general_basis_clear(&s->general);
    saddle_release(s->context, s->W);
    saddle_release(s->context, s->r);
    memset(s, 0, sizeof *s);
}

/* largest (m): of |W_ij| in row i */
static void largest_entries(const saddle_matrix *W, double *largest)
{
    memset(largest, 0, (size_t)W->cols * sizeof *largest);
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            int64_t i = W->index[k];
            largest[i] = fmax(largest[i], fabs(W->value[k]));
            if (W->symmetry == SADDLE_SYMMETRIC) largest[j] = fmax(largest[j], fabs(W->value[k]));
        }
}

/* size_i = |W_ii|; where that is 0 the largest |W_ij|; 1 for a row of zeros */
static void measure_rows(saddle__delassus *s)
{
    saddle__mlcp_rows *rows = &s->rows;
    int missing = 0;
    saddle_matrix_diagonal(&s->complement.W, rows->size);
    for (int64_t i = 0; i < s->m; i++) {
        rows->size[i] = fabs(rows->size[i]);
        missing |= !(rows->size[i] > 0.0);
    }
    if (missing) largest_entries(&s->complement.W, s->r);
    for (int64_t i = 0; i < s->m; i++) {
        int zeros = !(rows->size[i] > 0.0) && !(s->r[i] > 0.0);
        if (!(rows->size[i] > 0.0)) rows->size[i] = zeros ? 1.0 : s->r[i];
        rows->step[i] = zeros ? 0.0 : 1.0 / rows->size[i];
    }
}

/* ---- the dense W ---- */

static saddle_status prepare(void *user, int64_t count, const int64_t *row)
{
    (void)user; /* all columns are available */
    (void)count;
    (void)row;
    return SADDLE_OK;
}

static const double *column(void *user, int64_t row)
{
    const saddle__delassus *s = user;
    return (s->W ? s->W : s->complement.W.value) + row * s->m;
}

static void fill_dense(saddle__delassus *s)
{
    const saddle_matrix *W = &s->complement.W;
    int symmetric = W->symmetry == SADDLE_SYMMETRIC;
    if (!s->W) return;
    if (s->m > 0) memset(s->W, 0, (size_t)(s->m * s->m) * sizeof *s->W);
    for (int64_t j = 0; j < s->m; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            s->W[W->index[k] + j * s->m] = W->value[k];
            if (symmetric) s->W[j + W->index[k] * s->m] = W->value[k];
        }
}

/* ---- the table ---- */

static saddle_status shift(void *user)
{
    saddle__delassus *s = user;
    if (s->kind == SADDLE__DENSE) {
        saddle__columns W = {.user = s,
                             .prepare = prepare,
                             .column = column,
                             .symmetric = s->complement.W.symmetry == SADDLE_SYMMETRIC};
        saddle__dense_basis_set(&s->dense, &W, &s->rows);
    } else if (s->kind == SADDLE__SPARSE) {
        saddle__sparse_basis_shift(&s->sparse, &s->rows);
    } else {
        saddle__general_basis_shift(&s->general);
    }
    return SADDLE_OK;
}

static saddle_status factor(void *user, const saddle_problem *problem, double epsilon)
{
    saddle__delassus *s = user;
    saddle_status status = saddle__complement_form(&s->complement, problem);
    if (status != SADDLE_OK) return status;
    measure_rows(s);
    saddle__mlcp_set_epsilon(&s->rows, epsilon);
    if (s->kind == SADDLE__DENSE) fill_dense(s);
    if (s->kind == SADDLE__SPARSE) saddle__sparse_basis_set(&s->sparse, &s->complement.W, &s->rows);
    if (s->kind == SADDLE__GENERAL)
        saddle__general_basis_set(&s->general, &s->complement.W, &s->rows);
    return s->kind == SADDLE__DENSE ? shift(s) : SADDLE_OK;
}

/* v += M^-1 (f + J'lambda - M v) */
static saddle_status velocity(void *user, const saddle_problem *problem, double *lambda, double *v)
{
    saddle__delassus *s = user;
    if (s->n == 0) return SADDLE_OK;
    for (int64_t j = 0; j < s->n; j++) s->r[j] = problem->f ? problem->f[j] : 0.0;
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, s->r);
    saddle_matrix_apply(&problem->M, -1.0, v, 1.0, s->r);
    saddle_status status = saddle__complement_solve_mass(&s->complement, s->r);
    for (int64_t j = 0; status == SADDLE_OK && j < s->n; j++) v[j] += s->r[j];
    return status;
}

/* n = 0: q = -b - E lambda */
static saddle_status begin(void *user, const saddle_problem *problem,
                           const saddle_solver_call *call, const double *lambda, const double *v)
{
    saddle__delassus *s = user;
    double *q = s->rows.q;
    (void)call;
    for (int64_t i = 0; i < s->m; i++)
        q[i] = (problem->b ? -problem->b[i] : 0.0) - s->rows.E[i] * lambda[i];
    if (s->n == 0) return SADDLE_OK;
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 1.0, q);
    if (saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_apply(&problem->R, 1.0, lambda, 1.0, q);
    saddle_matrix_apply(&s->complement.W, -1.0, lambda, 1.0, q);
    return SADDLE_OK;
}

static int is_at_bound(const saddle__mlcp_rows *rows, int64_t i, double x)
{
    return x == rows->lo[i] || x == rows->hi[i];
}

/* One sweep of projected Gauss-Seidel over the dense W; w (m) = q + (W + E) lambda.  Returns
 * whether a row came to a bound or left one. */
static int sweep_dense(saddle__delassus *s, double *restrict w)
{
    saddle__mlcp_rows *rows = &s->rows;
    int moved = 0;
    for (int64_t j = 0; j < s->m; j++) {
        const double *restrict W = column(s, j);
        double pivot = W[j] + rows->E[j];
        if (!(pivot > 0.0)) continue;
        double x = rows->lambda[j] - w[j] / pivot;
        x = saddle__smaller(rows->hi[j], saddle__larger(rows->lo[j], x));
        double change = x - rows->lambda[j];
        if (change == 0.0) continue;
        moved |= is_at_bound(rows, j, x) != is_at_bound(rows, j, rows->lambda[j]);
        rows->lambda[j] = x;
        for (int64_t i = 0; i < s->m; i++) w[i] += W[i] * change;
        w[j] += rows->E[j] * change;
    }
    return moved;
}

static void sweep(void *user, int sweeps)
{
    saddle__delassus *s = user;
    if (s->kind == SADDLE__SPARSE) {
        saddle__sparse_basis_sweep(&s->sparse, sweeps, &s->rows);
        return;
    }
    for (int64_t i = 0; i < s->m; i++) s->r[i] = s->rows.q[i];
    for (int k = 0; k < sweeps; k++)
        if (!sweep_dense(s, s->r)) break;
}

static saddle__mlcp_counts counts(const void *user)
{
    const saddle__delassus *s = user;
    saddle__mlcp_counts c = {.factorizations = s->dense.made + s->sparse.made + s->general.made,
                             .factor = s->complement.counts};
    return c;
}

saddle__mlcp_system saddle__delassus_table(saddle__delassus *s)
{
    saddle__mlcp_system table = {.user = s,
                                 .rows = &s->rows,
                                 .basis = s->kind == SADDLE__DENSE
                                              ? saddle__dense_basis_table(&s->dense)
                                          : s->kind == SADDLE__SPARSE
                                              ? saddle__sparse_basis_table(&s->sparse)
                                              : saddle__general_basis_table(&s->general),
                                 .is_dense = s->kind == SADDLE__DENSE,
                                 .may_search = !is_general(s),
                                 .factor = factor,
                                 .shift = shift,
                                 .begin = begin,
                                 .velocity = velocity,
                                 .sweep = s->kind == SADDLE__GENERAL || s->rows.normal ? NULL
                                                                                       : sweep,
                                 .counts = counts};
    return table;
}
