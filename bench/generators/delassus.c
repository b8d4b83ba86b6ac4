/* SPDX-License-Identifier: MIT */
/* The Delassus form of a problem with a diagonal M: v is eliminated,
 *
 *     v = M^-1 (f + J'lambda)   =>   (J M^-1 J' + R) lambda - (b - J M^-1 f) = w
 *
 * which is a problem with n = 0 whose R is J M^-1 J' + R.  Rows, bounds, contacts, ids and names
 * stay.
 */
#include "generators.h"

#include <string.h>

static saddle_status check_diagonal(saddle_context *context, const saddle_matrix *M)
{
    for (int64_t j = 0; j < M->cols; j++) {
        int64_t count = M->start[j + 1] - M->start[j];
        if (count != 1 || M->index[M->start[j]] != j || !(M->value[M->start[j]] > 0))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "delassus: column %lld of M is not a positive diagonal",
                               (long long)(j + 1));
    }
    return SADDLE_OK;
}

/* *R = lower triangle of J M^-1 J' + R of the full problem. */
static saddle_status form_operator(saddle_context *context, const saddle_problem *full,
                                   saddle_matrix *R)
{
    saddle_matrix scaled = {0}, J = {0}, product = {0}, lower = {0};
    saddle_status status = saddle_matrix_copy(context, &full->Jt, &scaled);
    for (int64_t k = 0; status == SADDLE_OK && k < saddle_matrix_entries(&scaled); k++)
        scaled.value[k] /= full->M.value[scaled.index[k]];
    if (status == SADDLE_OK) status = saddle_matrix_transpose(context, &full->Jt, &J);
    if (status == SADDLE_OK) status = saddle_matrix_multiply(context, &J, &scaled, &product);
    if (status == SADDLE_OK && full->R.rows == 0) {
        status = saddle_matrix_lower(context, &product, R);
    } else if (status == SADDLE_OK) {
        status = saddle_matrix_lower(context, &product, &lower);
        if (status == SADDLE_OK) status = saddle_matrix_add(context, 1, &lower, 1, &full->R, R);
    }
    saddle_matrix_clear(&scaled);
    saddle_matrix_clear(&J);
    saddle_matrix_clear(&product);
    saddle_matrix_clear(&lower);
    return status;
}

/* Removes the velocities of a problem: what is left has n = 0. */
static saddle_status drop_velocities(saddle_context *context, saddle_problem *p)
{
    saddle_matrix_clear(&p->M);
    saddle_matrix_clear(&p->Jt);
    saddle_matrix_clear(&p->R);
    for (int64_t i = 0; i < p->component_count; i++) saddle_release(context, p->component_name[i]);
    saddle_release(context, p->component_name);
    saddle_release(context, p->component_size);
    saddle_release(context, p->f);
    p->component_name = NULL;
    p->component_size = NULL;
    p->component_count = 0;
    p->f = NULL;
    p->n = 0;
    return saddle_matrix_create(context, 0, p->m, 0, SADDLE_SYMMETRY_NONE, &p->Jt);
}

saddle_status saddle_generate_delassus(saddle_context *context, const saddle_problem *full,
                                       saddle_problem *problem)
{
    saddle_matrix R = {0};
    *problem = (saddle_problem){0};
    saddle_status status = check_diagonal(context, &full->M);
    if (status == SADDLE_OK) status = form_operator(context, full, &R);
    if (status == SADDLE_OK) status = saddle_problem_copy(context, full, problem);
    if (status == SADDLE_OK && problem->b == NULL && full->m > 0) {
        problem->b = saddle_allocate(context, full->m, sizeof *problem->b);
        status = problem->b != NULL ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; status == SADDLE_OK && full->f != NULL && i < full->m; i++)
        for (int64_t k = full->Jt.start[i]; k < full->Jt.start[i + 1]; k++) {
            int64_t j = full->Jt.index[k];
            problem->b[i] -= full->Jt.value[k] * full->f[j] / full->M.value[j];
        }
    if (status == SADDLE_OK) status = drop_velocities(context, problem);
    if (status == SADDLE_OK) {
        problem->R = R;
        memset(&R, 0, sizeof R);
        status = saddle_problem_check(context, problem, NULL, NULL);
    }
    saddle_matrix_clear(&R);
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}
