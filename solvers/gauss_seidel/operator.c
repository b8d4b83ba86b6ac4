/* SPDX-License-Identifier: MIT */
/* The Delassus operator: its phases and what the sweeps ask of it; see operator.h.  Forming it is in form.c. */
#include "gauss_seidel/operator.h"

#include <math.h>
#include <string.h>

#include "gauss_seidel/form.h"

/* A pivot of M below this times its diagonal entry has vanished. */
#define VANISHED 1e-14

/* ---- analyse ------------------------------------------------------------------------------------------------- */

static saddle_status choose_factorization(saddle_context *context, const saddle_problem *problem, const char *name,
                                          saddle__operator *W)
{
    saddle__factorization_free(W->mass);
    W->mass = NULL;
    saddle_status status = saddle__factorization_create(context, name, W->ordering, &W->mass);

    return status == SADDLE_OK ? saddle__factorization_analyse(W->mass, &problem->M) : status;
}

static saddle_status analyse_mass(saddle_context *context, const saddle_options *options, const saddle_problem *problem,
                                  saddle__operator *W)
{
    W->ordering = options->ordering;
    W->mass_scale = saddle_allocate(context, problem->n, sizeof *W->mass_scale);
    if (!W->mass_scale) return SADDLE_OUT_OF_MEMORY;
    const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, problem->M.symmetry == SADDLE_GENERAL);
    saddle_status status = choose_factorization(context, problem, name, W);

    return status == SADDLE_OK ? saddle__rows_make(context, &problem->Jt, problem->n, &W->Jt) : status;
}

saddle_status saddle__operator_analyse(saddle_context *context, const saddle_options *options,
                                       const saddle_problem *problem, saddle__operator *W)
{
    int64_t m = problem->m;
    if (m > INT64_MAX / 3) return saddle_fail(context, SADDLE_TOO_LARGE, "gauss-seidel: %lld rows", (long long)m);
    W->n = problem->n;
    W->m = m;
    W->block = saddle_allocate(context, 3 * m + 1, sizeof *W->block);
    W->q = saddle_allocate(context, m + 1, sizeof *W->q);
    W->column = saddle_allocate(context, m + 1, sizeof *W->column);
    W->mark = saddle_allocate(context, m + 1, sizeof *W->mark);
    W->touched = saddle_allocate(context, m + 1, sizeof *W->touched);
    W->next = saddle_allocate(context, m + 1, sizeof *W->next);
    if (!W->block || !W->q || !W->column || !W->mark || !W->touched || !W->next) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle__rows_make(context, &problem->R, m, &W->R);
    if (status == SADDLE_OK && problem->n > 0) status = analyse_mass(context, options, problem, W);
    return status;
}

void saddle__operator_clear(saddle_context *context, saddle__operator *W)
{
    saddle__factorization_free(W->mass);
    saddle__rows_clear(context, &W->R);
    saddle__rows_clear(context, &W->Jt);
    if (W->owns_pattern) {
        saddle_release(context, W->start);
        saddle_release(context, W->index);
    }
    saddle_release(context, W->value);
    saddle_matrix_clear(&W->T);
    saddle_release(context, W->mass_scale);
    saddle_release(context, W->block);
    saddle_release(context, W->q);
    saddle_release(context, W->column);
    saddle_release(context, W->mark);
    saddle_release(context, W->touched);
    saddle_release(context, W->next);
    memset(W, 0, sizeof *W);
}

/* ---- factor -------------------------------------------------------------------------------------------------- */

static saddle_status factor_mass(saddle_context *context, const saddle_problem *problem, saddle__operator *W)
{
    saddle__pivot_rule rule = {.scale = W->mass_scale, .smallest = VANISHED};
    saddle_matrix_diagonal(&problem->M, W->mass_scale);
    for (int64_t i = 0; i < W->n; i++) W->mass_scale[i] = fabs(W->mass_scale[i]);
    saddle_status status = saddle__factorization_factor_by(W->mass, &problem->M, &rule);
    if (status == SADDLE_SINGULAR &&
        W->form == SADDLE__OPERATOR_UNDECIDED) { /* regular perhaps, but it needs pivoting */
        status = choose_factorization(context, problem, saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1), W);
        if (status == SADDLE_OK) status = saddle__factorization_factor_by(W->mass, &problem->M, &rule);
    }
    int64_t failed = saddle__factorization_counts(W->mass).failed_column;
    if (status == SADDLE_SINGULAR && failed >= 0) {
        char name[128];
        saddle_problem_describe_velocity(problem, failed, name, sizeof name);
        return saddle_fail(context, status, "gauss-seidel needs M^-1, but M is singular: its pivot vanished at %s",
                           name);
    }
    return status;
}

/* Rows of R, for n = 0 and the matrix-free form. */
static saddle_status take_compliance(saddle_context *context, const saddle_problem *problem, saddle__operator *W)
{
    if (!W->value) {
        W->start = W->R.start;
        W->index = W->R.index;
        W->value = saddle_allocate(context, W->R.start[W->m] + 1, sizeof *W->value);
        if (!W->value) return SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t k = 0; k < W->R.start[W->m]; k++) W->value[k] = problem->R.value[W->R.source[k]];
    return SADDLE_OK;
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

static double entry(const saddle_problem *problem, const saddle__operator *W, int64_t row, int64_t col)
{
    double sum = 0.0;
    if (W->form == SADDLE__OPERATOR_FREE && W->T.start) sum = dot_columns(&problem->Jt, row, &W->T, col);
    for (int64_t k = W->start[row]; k < W->start[row + 1]; k++) sum += W->index[k] == col ? W->value[k] : 0.0;
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
            for (int64_t j = 0; j < size; j++) W->block[3 * (row + i) + j] = entry(problem, W, row + i, row + j);
        row += size;
    }
}

saddle_status saddle__operator_factor(saddle_context *context, const saddle_problem *problem, saddle__operator *W)
{
    saddle_status status = SADDLE_OK;
    if (W->n > 0) status = factor_mass(context, problem, W);
    if (status == SADDLE_OK && W->form == SADDLE__OPERATOR_UNDECIDED)
        status = saddle__operator_decide(context, problem, W);
    if (status != SADDLE_OK) return status;
    if (W->form == SADDLE__OPERATOR_FORMED && W->n > 0)
        status = saddle__operator_form_values(problem, W);
    else
        status = take_compliance(context, problem, W);
    if (status == SADDLE_OK && W->form == SADDLE__OPERATOR_FREE && saddle_matrix_entries(&problem->Jt) > 0)
        status = saddle__factorization_columns(context, W->mass, &problem->Jt, &W->T);
    if (status == SADDLE_OK) take_blocks(problem, W);
    return status;
}

/* ---- solve --------------------------------------------------------------------------------------------------- */

saddle_status saddle__operator_velocity(const saddle_problem *problem, const saddle__operator *W, const double *lambda,
                                        double *v)
{
    if (W->n == 0) return SADDLE_OK;
    for (int64_t i = 0; i < W->n; i++) v[i] = problem->f ? problem->f[i] : 0.0;
    if (saddle_matrix_entries(&problem->Jt) > 0) saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, v);
    return saddle__factorization_solve(W->mass, v);
}

saddle_status saddle__operator_prepare(const saddle_problem *problem, saddle__operator *W, double *v)
{
    saddle_status status = SADDLE_OK;
    memset(W->q, 0, (size_t)W->m * sizeof *W->q);
    if (W->n > 0 && W->form == SADDLE__OPERATOR_FORMED) {
        status = saddle__operator_velocity(problem, W, W->q, v);
        if (saddle_matrix_entries(&problem->Jt) > 0) saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 0.0, W->q);
    }
    for (int64_t i = 0; problem->b && i < W->m; i++) W->q[i] -= problem->b[i];
    return status;
}

double saddle__operator_row(const saddle_problem *problem, const saddle__operator *W, const double *lambda,
                            const double *v, int64_t row)
{
    double sum = W->q[row];
    for (int64_t k = W->start[row]; k < W->start[row + 1]; k++) sum += W->value[k] * lambda[W->index[k]];
    if (W->form == SADDLE__OPERATOR_FREE && W->T.start)
        for (int64_t k = problem->Jt.start[row]; k < problem->Jt.start[row + 1]; k++)
            sum += problem->Jt.value[k] * v[problem->Jt.index[k]];
    return sum;
}

void saddle__operator_move(const saddle__operator *W, int64_t row, double change, double *v)
{
    if (W->form != SADDLE__OPERATOR_FREE || change == 0.0 || !W->T.start) return;
    for (int64_t k = W->T.start[row]; k < W->T.start[row + 1]; k++) v[W->T.index[k]] += W->T.value[k] * change;
}
