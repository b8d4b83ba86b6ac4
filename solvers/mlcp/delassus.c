/* SPDX-License-Identifier: MIT */
/* The operator W = J M^-1 J' + R of all rows, formed; n = 0: W = R. */
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "factor/complement.h"
#include "matrix/matrix_internal.h"
#include "mlcp/system.h"

enum { ROWS_OF_DENSE_BASIS = 100 }; /* beyond, the basis is dense where W is */

typedef struct delassus {
    saddle_context *context;
    int64_t n, m;
    int takes_R;                   /* W is the problem's R */
    saddle__complement complement; /* M factored, W; of W = R not made */
    int64_t formed;                /* factorizations of M since create */
    saddle__mlcp_rows rows;
    saddle__basis basis;
    saddle__columns columns; /* of a dense basis */
    double *W;               /* m x m, by columns; NULL: sparse */
    double *r;               /* max(n, m) */
} delassus;

static void clear(void *user)
{
    delassus *s = user;
    saddle_context *context = s->context;
    if (!s->takes_R) saddle__complement_clear(&s->complement);
    saddle__layout_clear(context, &s->rows.layout);
    if (s->basis.user) s->basis.clear(s->basis.user);
    saddle_release(context, s->W);
    saddle_release(context, s->r);
    saddle_release(context, s);
}

/* ---- values ---- */

/* largest (m): of |W_ij| in row i */
static void largest_entries(const saddle_matrix *W, double *largest)
{
    memset(largest, 0, (size_t)W->cols * sizeof *largest);
    for (int64_t j = 0; W->start && j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            int64_t i = W->index[k];
            largest[i] = fmax(largest[i], fabs(W->value[k]));
            if (W->symmetry == SADDLE_SYMMETRY_LOWER)
                largest[j] = fmax(largest[j], fabs(W->value[k]));
        }
}

/* size_i = |W_ii|; where W_ii = 0 the largest |W_ij|; 1 for a row of zeros */
static void measure_rows(delassus *s, const saddle_matrix *W)
{
    saddle__mlcp_rows *rows = &s->rows;
    int missing = 0;
    saddle__diagonal_of(W, s->m, rows->size);
    for (int64_t i = 0; i < s->m; i++) {
        rows->size[i] = fabs(rows->size[i]);
        missing |= !(rows->size[i] > 0.0);
    }
    if (missing) largest_entries(W, s->r);
    for (int64_t i = 0; i < s->m; i++) {
        int zeros = !(rows->size[i] > 0.0) && !(s->r[i] > 0.0);
        if (!(rows->size[i] > 0.0)) rows->size[i] = zeros ? 1.0 : s->r[i];
        rows->step[i] = zeros ? 0.0 : 1.0 / rows->size[i];
    }
}

/* Entries that are not stored stay zero. */
static void fill_dense(delassus *s, const saddle_matrix *W)
{
    int mirrored = W->symmetry == SADDLE_SYMMETRY_LOWER;
    for (int64_t j = 0; W->start && j < W->cols; j++) {
        int64_t count = W->start[j + 1] - W->start[j];
        if (count == 0) continue;
        const int64_t *index = W->index + W->start[j];
        const double *value = W->value + W->start[j];
        double *column = s->W + j * s->m, *row = s->W + j;
        if (index[count - 1] - index[0] == count - 1) { /* without a gap */
            saddle__copy(column + index[0], value, count);
            row += index[0] * s->m;
            for (int64_t k = 0; mirrored && k < count; k++) row[k * s->m] = value[k];
            continue;
        }
        for (int64_t k = 0; k < count; k++) column[index[k]] = value[k];
        for (int64_t k = 0; mirrored && k < count; k++) row[index[k] * s->m] = value[k];
    }
}

static saddle_status factor(void *user, const saddle_solver_call *call,
                            const saddle_problem *problem, double epsilon)
{
    (void)call;
    delassus *s = user;
    const saddle_matrix *W = s->takes_R ? &problem->R : &s->complement.W;
    s->formed += s->n > 0;
    if (!s->takes_R) SADDLE__TRY(saddle__complement_form(&s->complement, problem));
    measure_rows(s, W);
    saddle__mlcp_set_epsilon(&s->rows, epsilon);
    if (s->W) fill_dense(s, W);
    s->basis.refresh(s->basis.user, W);
    return SADDLE_OK;
}

/* v += M^-1 (f + J'lambda - M v) */
static saddle_status velocity(void *user, const saddle_problem *problem, double *lambda, double *v)
{
    delassus *s = user;
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
    delassus *s = user;
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

static saddle__mlcp_counts counts(const void *user)
{
    const delassus *s = user;
    saddle__mlcp_counts c = {.factorizations = s->formed + *s->basis.made,
                             .factor = s->complement.counts};
    return c;
}

/* ---- create ---- */

static int stores_diagonal(const saddle_matrix *R, int64_t m)
{
    int64_t j = 0;
    while (R->start && j < m && saddle__matrix_find(R, j, j) >= 0) j++;
    return j == m;
}

/* The pattern of W; *dense: of its basis.  n = 0: W is R itself, where the basis can take R. */
static saddle_status analyse(delassus *s, const saddle_problem *problem,
                             const saddle_options *options, int asked, int *dense)
{
    const saddle_matrix *W = s->n == 0 ? &problem->R : &s->complement.W;
    saddle__complement_request request = {.ordering = options->ordering,
                                          .threads = options->threads};
    if (s->n > 0)
        SADDLE__TRY(saddle__complement_analyse(s->context, problem, &request, &s->complement));
    *dense = asked == SADDLE_BASIS_COLUMNS ||
             (asked != SADDLE_BASIS_FACTOR &&
              (s->m <= ROWS_OF_DENSE_BASIS || saddle__matrix_is_dense(W)));
    s->takes_R = s->n == 0 && (*dense || stores_diagonal(W, s->m));
    if (s->n > 0 || s->takes_R) return SADDLE_OK;
    return saddle__complement_analyse(s->context, problem, &request, &s->complement);
}

/* symmetric: W is. */
static saddle_status create_basis(delassus *s, const saddle_matrix *W,
                                  const saddle_options *options, int dense, int symmetric)
{
    if (!dense && symmetric && !s->rows.normal)
        return saddle__sparse_basis_create(s->context, W, &s->rows, options, &s->basis);
    if (!dense) return saddle__general_basis_create(s->context, W, &s->rows, options, &s->basis);
    s->W = saddle_allocate(s->context, s->m * s->m, sizeof *s->W);
    if (!s->W) return SADDLE_OUT_OF_MEMORY;
    s->columns = (saddle__columns){.value = s->W};
    return saddle__dense_basis_create(s->context, &s->columns, &s->rows, &s->basis);
}

saddle_status saddle__delassus_create(saddle_context *context, const saddle_problem *problem,
                                      const saddle_options *options,
                                      const saddle__mlcp_settings *settings,
                                      saddle__mlcp_system *system)
{
    delassus *s = saddle_allocate(context, 1, sizeof *s);
    int dense;
    if (!s) return SADDLE_OUT_OF_MEMORY;
    s->context = context;
    s->n = problem->n;
    s->m = problem->m;
    *system = (saddle__mlcp_system){.user = s,
                                    .kind = SADDLE__MLCP_FORMED,
                                    .rows = &s->rows,
                                    .factor = factor,
                                    .begin = begin,
                                    .velocity = velocity,
                                    .counts = counts,
                                    .clear = clear};
    SADDLE__TRY(analyse(s, problem, options, settings->basis, &dense));
    s->r = saddle_allocate(context, s->n > s->m ? s->n : s->m, sizeof *s->r);
    if (!s->r) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(saddle__mlcp_rows_create(context, problem, s->m, NULL, settings->lagged_friction,
                                         &s->rows));
    const saddle_matrix *W = s->takes_R ? &problem->R : &s->complement.W;
    int symmetric = W->rows == 0 || W->symmetry == SADDLE_SYMMETRY_LOWER;
    saddle_status status = create_basis(s, W, options, dense, symmetric);
    system->may_search = symmetric && !s->rows.normal;
    system->W = dense ? &s->columns : NULL;
    system->basis = s->basis;
    return status;
}
