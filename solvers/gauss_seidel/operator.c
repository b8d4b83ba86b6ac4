/* SPDX-License-Identifier: MIT */
/* The Delassus operator by rows: the phases, and rows and updates for the sweeps. */
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "matrix/matrix_internal.h"
#include "gauss_seidel/gauss_seidel.h"

/* ---- rows of a matrix stored by columns: a counting sort with the columns in ascending order
 * leaves each row sorted ---- */

static void count_entries(const saddle_matrix *A, int64_t *length)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            length[i]++;
            if (A->symmetry == SADDLE_SYMMETRIC && i != j) length[j]++;
        }
    }
}

static void place(saddle__rows *rows, int64_t *next, int64_t row, int64_t col, int64_t source)
{
    int64_t at = next[row]++;
    rows->index[at] = col;
    rows->source[at] = source;
}

/* Row i of a lower triangle: first its entries (i, j <= i), in column order, then the mirrored
 * column i below the diagonal. */
static void place_entries(const saddle_matrix *A, saddle__rows *rows, int64_t *next)
{
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            place(rows, next, A->index[k], j, k);
    for (int64_t j = 0; A->symmetry == SADDLE_SYMMETRIC && j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->index[k] != j) place(rows, next, j, A->index[k], k);
    }
}

static saddle_status make_rows(saddle_context *context, const saddle_matrix *A, int64_t count,
                               saddle__rows *rows)
{
    int64_t entries = saddle_matrix_entries(A);
    if (entries > INT64_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "rows of a matrix with %lld entries",
                           (long long)entries);
    int64_t *next = saddle_allocate(context, count + 1, sizeof *next);
    rows->start = saddle_allocate(context, count + 1, sizeof *rows->start);
    rows->index = saddle_allocate(context, 2 * entries + 1, sizeof *rows->index);
    rows->source = saddle_allocate(context, 2 * entries + 1, sizeof *rows->source);
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (next && rows->start && rows->index && rows->source) {
        if (entries > 0) {
            count_entries(A, rows->start + 1);
            for (int64_t i = 0; i < count; i++) rows->start[i + 1] += rows->start[i];
            memcpy(next, rows->start, (size_t)count * sizeof *next);
            place_entries(A, rows, next);
        }
        status = SADDLE_OK;
    }
    saddle_release(context, next);

    return status;
}

static void clear_rows(saddle_context *context, saddle__rows *rows)
{
    saddle_release(context, rows->start);
    saddle_release(context, rows->index);
    saddle_release(context, rows->source);
    memset(rows, 0, sizeof *rows);
}

/* ---- analyse ---- */

static saddle_status choose_factorization(saddle_context *context, const saddle_problem *problem,
                                          const char *name, saddle__operator *W)
{
    saddle__factorization_free(W->mass);
    W->mass = NULL;
    saddle_status status = saddle__factorization_create(context, name, W->ordering, &W->mass);

    return status == SADDLE_OK ? saddle__factorization_analyse(W->mass, &problem->M) : status;
}

/* size[root] <- nodes of the component; last[root] <- -1 */
static void measure_components(int64_t n, const int64_t *root, int64_t *size, int64_t *last)
{
    for (int64_t j = 0; j < n; j++) {
        size[j] = 0;
        last[j] = -1;
    }
    for (int64_t j = 0; j < n; j++) size[root[j]]++;
}

/* Entries of T: column i reaches all of M's components touched by J_i. */
static saddle_status count_T(saddle_context *context, const saddle_problem *problem,
                             double *entries)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t n = problem->n;
    int64_t *root = saddle_allocate(context, n + 1, sizeof *root);
    int64_t *size = saddle_allocate(context, n + 1, sizeof *size);
    int64_t *last = saddle_allocate(context, n + 1, sizeof *last);
    int made = root && size && last;
    *entries = 0.0;
    if (made) {
        saddle__matrix_components(&problem->M, root);
        measure_components(n, root, size, last);
    }
    for (int64_t i = 0; made && Jt->start && i < Jt->cols; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            int64_t component = root[Jt->index[k]];
            if (last[component] != i) *entries += (double)size[component];
            last[component] = i;
        }
    saddle_release(context, root);
    saddle_release(context, size);
    saddle_release(context, last);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static double stored_in_full(const saddle_matrix *A)
{
    return (double)saddle_matrix_entries(A) * (A->symmetry == SADDLE_SYMMETRIC ? 2.0 : 1.0);
}

/* W is analysed where W has no more entries than T, J and R; *formed tells. */
static saddle_status analyse_formed(saddle_context *context, const saddle_problem *problem,
                                    saddle__operator *W, int *formed)
{
    double T;
    *formed = 0;
    saddle_status status = count_T(context, problem, &T);
    if (status != SADDLE_OK || saddle_matrix_entries(&problem->Jt) == 0) return status;
    double most = T + (double)saddle_matrix_entries(&problem->Jt) + stored_in_full(&problem->R);
    saddle__complement_request request = {.ordering = W->ordering,
                                          .most_entries = 0.5 * (most + (double)W->m)};
    status = saddle__complement_analyse(context, problem, &request, &W->complement);
    *formed = status == SADDLE_OK;
    return status == SADDLE_TOO_LARGE || status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

static saddle_status take_rows(saddle_context *context, const saddle_matrix *A, saddle__operator *W)
{
    clear_rows(context, &W->rows);
    saddle_release(context, W->value);
    W->value = NULL;
    saddle_status status = make_rows(context, A, W->m, &W->rows);
    if (status != SADDLE_OK) return status;
    W->value = saddle_allocate(context, W->rows.start[W->m] + 1, sizeof *W->value);
    return W->value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status analyse_free(saddle_context *context, const saddle_problem *problem,
                                  int general, saddle__operator *W)
{
    W->form = SADDLE__OPERATOR_FREE;
    saddle__complement_clear(&W->complement);
    const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, general);
    saddle_status status = choose_factorization(context, problem, name, W);
    return status == SADDLE_OK ? take_rows(context, &problem->R, W) : status;
}

saddle_status saddle__operator_analyse(saddle_context *context, const saddle_options *options,
                                       const saddle_problem *problem, saddle__operator *W)
{
    int64_t m = problem->m;
    int formed = 0;
    if (m > INT64_MAX / 3)
        return saddle_fail(context, SADDLE_TOO_LARGE, "gauss-seidel: %lld rows", (long long)m);
    W->n = problem->n;
    W->m = m;
    W->ordering = options->ordering;
    W->block = saddle_allocate(context, 3 * m + 1, sizeof *W->block);
    W->q = saddle_allocate(context, m + 1, sizeof *W->q);
    W->correction = saddle_allocate(context, problem->n, sizeof *W->correction);
    W->mass_scale = saddle_allocate(context, problem->n + 1, sizeof *W->mass_scale);
    if (!W->block || !W->q || !W->correction || !W->mass_scale) return SADDLE_OUT_OF_MEMORY;
    if (W->n == 0) return take_rows(context, &problem->R, W);
    saddle_status status = analyse_formed(context, problem, W, &formed);
    if (status != SADDLE_OK) return status;
    if (formed) return take_rows(context, &W->complement.W, W);
    return analyse_free(context, problem, problem->M.symmetry == SADDLE_GENERAL, W);
}

void saddle__operator_clear(saddle_context *context, saddle__operator *W)
{
    saddle__complement_clear(&W->complement);
    saddle__factorization_free(W->mass);
    clear_rows(context, &W->rows);
    saddle_release(context, W->value);
    saddle_matrix_clear(&W->T);
    saddle_release(context, W->mass_scale);
    saddle_release(context, W->block);
    saddle_release(context, W->q);
    saddle_release(context, W->correction);
    memset(W, 0, sizeof *W);
}

saddle__factor_counts saddle__operator_counts(const saddle__operator *W)
{
    return W->mass ? saddle__factorization_counts(W->mass) : W->complement.counts;
}

/* ---- factor ---- */

static saddle_status factor_mass(saddle_context *context, const saddle_problem *problem,
                                 saddle__operator *W)
{
    saddle__pivot_rule rule = {.scale = W->mass_scale, .smallest = SADDLE__VANISHED_PIVOT};
    saddle_matrix_diagonal(&problem->M, W->mass_scale);
    for (int64_t i = 0; i < W->n; i++) W->mass_scale[i] = fabs(W->mass_scale[i]);
    saddle_status status = saddle__factorization_factor_by(W->mass, &problem->M, &rule);
    if (status == SADDLE_SINGULAR && !W->T.start) { /* perhaps regular, with pivoting */
        status = choose_factorization(context, problem,
                                      saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1),
                                      W);
        if (status == SADDLE_OK)
            status = saddle__factorization_factor_by(W->mass, &problem->M, &rule);
    }
    int64_t failed = saddle__factorization_counts(W->mass).failed_column;
    if (status == SADDLE_SINGULAR && failed >= 0) {
        char name[128];
        saddle_problem_describe_velocity(problem, failed, name, sizeof name);
        return saddle_fail(context, status,
                           "gauss-seidel needs M^-1, but M is singular: its pivot vanished at %s",
                           name);
    }
    return status;
}

static void take_values(const saddle_matrix *A, saddle__operator *W)
{
    for (int64_t k = 0; k < W->rows.start[W->m]; k++) W->value[k] = A->value[W->rows.source[k]];
}

static saddle_status factor_free(saddle_context *context, const saddle_problem *problem,
                                 saddle__operator *W)
{
    saddle_status status = factor_mass(context, problem, W);
    take_values(&problem->R, W);
    if (status != SADDLE_OK || saddle_matrix_entries(&problem->Jt) == 0) return status;
    return saddle__factorization_columns(context, W->mass, &problem->Jt, &W->T);
}

/* Matrix-free for a symmetric M in need of pivoting. */
static saddle_status factor_formed(saddle_context *context, const saddle_problem *problem,
                                   saddle__operator *W)
{
    saddle_status status = saddle__complement_form(&W->complement, problem);
    if (status == SADDLE_OK) take_values(&W->complement.W, W);
    if (status != SADDLE_SINGULAR) return status;
    status = analyse_free(context, problem, 1, W);
    return status == SADDLE_OK ? factor_free(context, problem, W) : status;
}

/* Column `col` of J times column `other` of T, both sorted. */
static double dot_columns(const saddle_matrix *A, int64_t a, const saddle_matrix *B, int64_t b)
{
    double sum = 0.0;
    int64_t k = A->start[a];
    int64_t l = B->start[b];
    while (k < A->start[a + 1] && l < B->start[b + 1])
        if (A->index[k] == B->index[l])
            sum += A->value[k++] * B->value[l++];
        else if (A->index[k] < B->index[l])
            k++;
        else
            l++;
    return sum;
}

static double entry(const saddle_problem *problem, const saddle__operator *W, int64_t row,
                    int64_t col)
{
    double sum = 0.0;
    if (W->form == SADDLE__OPERATOR_FREE && W->T.start && problem->Jt.start)
        sum = dot_columns(&problem->Jt, row, &W->T, col);
    for (int64_t k = W->rows.start[row]; k < W->rows.start[row + 1]; k++)
        sum += W->rows.index[k] == col ? W->value[k] : 0.0;
    return sum;
}

/* The diagonal blocks: of each row, or of each contact. */
static void take_blocks(const saddle_problem *problem, saddle__operator *W)
{
    int64_t contact = 0;
    for (int64_t row = 0; row < W->m;) {
        int owned = contact < problem->contact_count && problem->contacts[contact].row == row;
        int64_t size = owned ? problem->contacts[contact++].size : 1;
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < size; j++)
                W->block[3 * (row + i) + j] = entry(problem, W, row + i, row + j);
        row += size;
    }
}

saddle_status saddle__operator_factor(saddle_context *context, const saddle_problem *problem,
                                      saddle__operator *W)
{
    saddle_status status = SADDLE_OK;
    if (W->n == 0)
        take_values(&problem->R, W);
    else
        status = W->form == SADDLE__OPERATOR_FREE ? factor_free(context, problem, W)
                                                  : factor_formed(context, problem, W);
    if (status == SADDLE_OK) take_blocks(problem, W);
    return status;
}

/* ---- solve ---- */

/* r = f + J'lambda */
static void force(const saddle_problem *problem, const double *lambda, double *r)
{
    for (int64_t i = 0; i < problem->n; i++) r[i] = problem->f ? problem->f[i] : 0.0;
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, r);
}

static saddle_status solve_mass(saddle__operator *W, double *r)
{
    return W->mass ? saddle__factorization_solve(W->mass, r)
                   : saddle__complement_solve_mass(&W->complement, r);
}

saddle_status saddle__operator_velocity(const saddle_problem *problem, saddle__operator *W,
                                        const double *lambda, double *v)
{
    if (W->n == 0) return SADDLE_OK;
    double *r = W->correction;
    force(problem, lambda, v);
    saddle_status status = solve_mass(W, v);
    if (status != SADDLE_OK) return status;
    force(problem, lambda, r);
    saddle_matrix_apply(&problem->M, -1.0, v, 1.0, r);
    status = solve_mass(W, r);
    for (int64_t i = 0; i < W->n; i++) v[i] += r[i];
    return status;
}

saddle_status saddle__operator_prepare(const saddle_problem *problem, saddle__operator *W,
                                       double *v)
{
    saddle_status status = SADDLE_OK;
    memset(W->q, 0, (size_t)W->m * sizeof *W->q);
    if (W->n > 0 && W->form == SADDLE__OPERATOR_FORMED) {
        status = saddle__operator_velocity(problem, W, W->q, v);
        if (saddle_matrix_entries(&problem->Jt) > 0)
            saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 0.0, W->q);
    }
    for (int64_t i = 0; problem->b && i < W->m; i++) W->q[i] -= problem->b[i];
    return status;
}

double saddle__operator_row(const saddle_problem *problem, const saddle__operator *W,
                            const double *lambda, const double *v, int64_t row)
{
    double sum = W->q[row];
    for (int64_t k = W->rows.start[row]; k < W->rows.start[row + 1]; k++)
        sum += W->value[k] * lambda[W->rows.index[k]];
    if (W->form == SADDLE__OPERATOR_FREE && W->T.start && problem->Jt.start)
        for (int64_t k = problem->Jt.start[row]; k < problem->Jt.start[row + 1]; k++)
            sum += problem->Jt.value[k] * v[problem->Jt.index[k]];
    return sum;
}

void saddle__operator_move(const saddle__operator *W, int64_t row, double change, double *v)
{
    if (W->form != SADDLE__OPERATOR_FREE || change == 0.0 || !W->T.start) return;
    for (int64_t k = W->T.start[row]; k < W->T.start[row + 1]; k++)
        v[W->T.index[k]] += W->T.value[k] * change;
}
