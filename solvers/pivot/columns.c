/* SPDX-License-Identifier: MIT */
/* See columns.h. */
#include "pivot/columns.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "capability.h"

enum { MOST_CORRECTIONS = 6 };

/* A pivot below this multiple of its natural size is rounding noise, and becomes the second. */
static const double vanished = 1e-14;
static const double replacement = 1e-10;

static const double at_rest = 1e-10; /* relative change of the equations' impulses */

void saddle__columns_clear(saddle__column_source *s)
{
    saddle_matrix_clear(&s->inner.Jt);
    saddle_matrix_clear(&s->inner.R);
    saddle__kkt_clear(&s->A);
    saddle__regularization_clear(&s->natural);
    saddle__factorization_free(s->factors);
    void *arrays[] = {s->row, s->place, s->R_source, s->pool, s->ready, s->z,
                      s->Z,   s->u,     s->y,        s->sum,  s->index, s->value};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof(*s));
}

/* ---- A ---- */

/* Place in E, negative for rows of C. */
static int64_t equation_of(const saddle__column_source *s, int64_t row)
{
    return s->place[row] - s->count;
}

static saddle_status make_J(saddle__column_source *s, const saddle_problem *problem)
{
    const saddle_matrix *Jt = &problem->Jt;
    saddle_matrix *J = &s->inner.Jt;
    if (saddle_matrix_entries(Jt) == 0) return SADDLE_OK;
    int64_t entries = 0;
    for (int64_t k = s->count; k < s->m; k++)
        entries += Jt->start[s->row[k] + 1] - Jt->start[s->row[k]];
    saddle_status status = saddle_matrix_create(s->context, s->n, s->equations, entries,
                                                SADDLE_GENERAL, J);
    if (status != SADDLE_OK) return status;
    for (int64_t k = 0; k < s->equations; k++) {
        int64_t from = Jt->start[s->row[s->count + k]];
        int64_t length = Jt->start[s->row[s->count + k] + 1] - from;
        J->start[k + 1] = J->start[k] + length;
        for (int64_t t = 0; t < length; t++) J->index[J->start[k] + t] = Jt->index[from + t];
    }
    return SADDLE_OK;
}

static saddle_status make_R(saddle__column_source *s, const saddle_problem *problem)
{
    const saddle_matrix *R = &problem->R;
    saddle_matrix *E = &s->inner.R;
    if (saddle_matrix_entries(R) == 0) return SADDLE_OK;
    int64_t entries = saddle_matrix_entries(R);
    s->R_source = saddle_allocate(s->context, entries, sizeof(*s->R_source));
    if (!s->R_source) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle_matrix_create(s->context, s->equations, s->equations, entries,
                                                R->symmetry, E);
    if (status != SADDLE_OK) return status;
    int64_t fill = 0;
    for (int64_t k = 0; k < s->equations; k++) {
        int64_t j = s->row[s->count + k];
        for (int64_t t = R->start[j]; t < R->start[j + 1]; t++) {
            int64_t i = equation_of(s, R->index[t]);
            if (i < 0) continue;
            E->index[fill] = i;
            s->R_source[fill++] = t;
        }
        E->start[k + 1] = fill;
    }
    return SADDLE_OK;
}

static void refresh_inner(saddle__column_source *s, const saddle_problem *problem)
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

static saddle_status analyse_A(saddle__column_source *s, const saddle_problem *problem,
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

/* R's columns are dense ones, each stored whole. */
static int is_stored_whole(const saddle_problem *problem)
{
    const saddle_matrix *R = &problem->R;
    if (problem->n > 0 || R->symmetry != SADDLE_GENERAL) return 0;
    return problem->m > 0 && saddle_matrix_entries(R) / problem->m == problem->m;
}

static saddle_status allocate(saddle__column_source *s, const saddle_problem *problem)
{
    saddle_context *context = s->context;
    int64_t size = s->n + s->m;
    s->row = saddle_allocate(context, s->m, sizeof(*s->row));
    s->place = saddle_allocate(context, s->m, sizeof(*s->place));
    s->ready = saddle_allocate(context, s->m, sizeof(*s->ready));
    s->z = saddle_allocate(context, size, sizeof(*s->z));
    s->u = saddle_allocate(context, s->m, sizeof(*s->u));
    s->y = saddle_allocate(context, s->m, sizeof(*s->y));
    s->sum = saddle_allocate(context, size, sizeof(*s->sum));
    s->index = saddle_allocate(context, size, sizeof(*s->index));
    s->value = saddle_allocate(context, size, sizeof(*s->value));
    if (!is_stored_whole(problem)) {
        s->pool = saddle_allocate(context, s->count * s->count, sizeof(*s->pool));
        if (!s->pool) return SADDLE_OUT_OF_MEMORY;
    }
    s->Z = saddle_allocate(context, s->n > 0 ? (s->n + s->equations) * SADDLE__FACTOR_BLOCK : 0,
                           sizeof(*s->Z));
    int made = s->row && s->place && s->ready && s->z && s->Z && s->u && s->y && s->sum &&
               s->index && s->value;
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__columns_create(saddle_context *context, const saddle_problem *problem,
                                     const saddle_options *options, const signed char *in_C,
                                     saddle__column_source *s)
{
    saddle__column_source fresh = {.context = context, .n = problem->n, .m = problem->m};
    fresh.symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    for (int64_t i = 0; i < problem->m; i++) fresh.count += problem->n == 0 || in_C[i];
    fresh.equations = problem->m - fresh.count;
    *s = fresh;
    if (s->count > 0 && s->count > INT64_MAX / s->count)
        return saddle_fail(context, SADDLE_TOO_LARGE, "pivot: %lld rows with bounds",
                           (long long)s->count);
    saddle_status status = allocate(s, problem);
    if (status == SADDLE_OK) {
        int64_t next[2] = {0, s->count};
        for (int64_t i = 0; i < s->m; i++) {
            s->place[i] = next[s->n > 0 && !in_C[i]]++;
            s->row[s->place[i]] = i;
        }
        if (s->n > 0) status = analyse_A(s, problem, options);
    }
    if (status != SADDLE_OK) saddle__columns_clear(s);
    return status;
}

saddle_status saddle__columns_factor(saddle__column_source *s, const saddle_problem *problem,
                                     double epsilon)
{
    s->problem = problem;
    if (s->count > 0) memset(s->ready, 0, (size_t)s->count * sizeof(*s->ready));
    if (s->n == 0) return SADDLE_OK;
    refresh_inner(s, problem);
    saddle__regularization_measure(&s->natural, &s->inner, fmax(epsilon, replacement), 0);
    saddle__kkt_refresh(&s->A, &s->inner, s->natural.added);
    saddle__pivot_rule rule = {.sign = s->natural.sign,
                               .scale = s->natural.scale,
                               .smallest = vanished,
                               .replacement = replacement};
    return saddle__factorization_factor_by(s->factors, &s->A.K, &rule);
}

/* ---- columns ---- */

/* Column i of R, both triangles of a symmetric one: all of them at once then. */
static void copy_column(saddle__column_source *s, int64_t c)
{
    const saddle_matrix *R = &s->problem->R;
    double *column = s->pool + c * s->count;
    memset(column, 0, (size_t)s->count * sizeof(*column));
    for (int64_t k = R->start[c]; k < R->start[c + 1]; k++) column[R->index[k]] = R->value[k];
}

static void copy_all(saddle__column_source *s)
{
    const saddle_matrix *R = &s->problem->R;
    for (int64_t c = 0; c < s->count; c++) copy_column(s, c);
    for (int64_t c = 0; c < s->count; c++) {
        for (int64_t k = R->start[c]; k < R->start[c + 1]; k++)
            s->pool[c + R->index[k] * s->count] = R->value[k];
        s->ready[c] = 1;
    }
    s->computed += s->count - 1; /* this one is counted with the others */
}

static saddle_status prepare(void *user, int64_t count, const int64_t *place)
{
    saddle__column_source *s = user;
    if (s->n > 0) return saddle__columns_compute(s, count, place);
    for (int64_t k = 0; k < count; k++) {
        int64_t c = place[k];
        if (s->ready[c]) continue;
        if (saddle_matrix_entries(&s->problem->R) == 0)
            memset(s->pool + c * s->count, 0, (size_t)s->count * sizeof(*s->pool));
        else if (s->problem->R.symmetry == SADDLE_SYMMETRIC)
            copy_all(s);
        else if (s->pool)
            copy_column(s, c);
        s->ready[c] = 1;
        s->computed++;
    }
    return SADDLE_OK;
}

static const double *column_of(void *user, int64_t c)
{
    const saddle__column_source *s = user;
    return s->pool ? s->pool + c * s->count : s->problem->R.value + s->problem->R.start[c];
}

saddle__columns saddle__columns_table(saddle__column_source *s)
{
    saddle__columns table = {.user = s,
                             .prepare = prepare,
                             .column = column_of,
                             .symmetric = s->symmetric};
    return table;
}

/* ---- velocities ---- */

/* z <- (f + J'lambda - M v, (b - J v - R lambda)_E) in twice the working precision */
static void form_residual(saddle__column_source *s, const saddle_problem *problem,
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

/* max |x_k| / d_k over count unknowns of A from `first` on, in natural units */
static double largest(const saddle__column_source *s, int64_t first, int64_t count, const double *x)
{
    double most = 0.0;
    for (int64_t k = 0; k < count; k++) {
        double part = fabs(x[k]) * sqrt(s->natural.scale[first + k]);
        if (!(part <= most)) most = isnan(part) ? (double)INFINITY : part;
    }
    return most;
}

/* lambda_E (equations) into s->value */
static const double *equations_of(saddle__column_source *s, const double *lambda)
{
    for (int64_t e = 0; e < s->equations; e++) s->value[e] = lambda[s->row[s->count + e]];
    return s->value;
}

saddle_status saddle__columns_complete(saddle__column_source *s, const saddle_problem *problem,
                                       double *lambda, double *v, int *settled)
{
    double before = (double)INFINITY;
    saddle_status status = SADDLE_OK;
    *settled = s->n == 0;
    for (int k = 0; s->n > 0 && status == SADDLE_OK && k <= MOST_CORRECTIONS; k++) {
        form_residual(s, problem, lambda, v);
        status = saddle__factorization_solve(s->factors, s->z);
        double change = largest(s, 0, s->n, s->z);
        double growth = largest(s, s->n, s->equations, s->z + s->n);
        if (status == SADDLE_OK && (isinf(change) || isinf(growth))) status = SADDLE_NOT_CONVERGED;
        if (status != SADDLE_OK) break;
        for (int64_t j = 0; j < s->n; j++) v[j] += s->z[j];
        for (int64_t e = 0; e < s->equations; e++) lambda[s->row[s->count + e]] -= s->z[s->n + e];
        s->corrections++;
        *settled = growth <= at_rest * largest(s, s->n, s->equations, equations_of(s, lambda));
        if (change <= DBL_EPSILON * largest(s, 0, s->n, v) || change > 0.5 * before) break;
        before = change;
    }
    memset(s->z, 0, (size_t)(s->n + s->equations) * sizeof(*s->z));
    return status;
}
