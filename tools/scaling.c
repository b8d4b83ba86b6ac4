/* SPDX-License-Identifier: MIT */
/* See scaling.h. */
#include "scaling.h"

#include <math.h>

#include "base/context_internal.h"

/* 2^e, e drawn evenly from -most .. most */
static double draw(uint64_t *state, int most)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ldexp(1.0, (int)(*state >> 33) % (2 * most + 1) - most);
}

/* A_ij <- a_i A_ij b_j */
static void scale_matrix(saddle_matrix *A, const double *a, const double *b)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            A->value[k] *= a[A->index[k]] * b[j];
}

static void scale_vector(int64_t count, double *x, const double *by, int inverse)
{
    for (int64_t i = 0; x && i < count; i++) x[i] *= inverse ? 1.0 / by[i] : by[i];
}

saddle_status tool_scaling_make(saddle_context *context, const saddle_problem *problem, double most,
                                tool_scaling *scaling)
{
    const int exponent = (int)floor(log2(fmax(most, 1.0)));
    uint64_t state = 1;
    *scaling = (tool_scaling){.context = context};
    saddle_problem *p = &scaling->problem;
    saddle_status status = saddle_problem_copy(context, problem, p);
    scaling->of_v = saddle_allocate(context, problem->n, sizeof *scaling->of_v);
    scaling->of_rows = saddle_allocate(context, problem->m, sizeof *scaling->of_rows);
    if (status == SADDLE_OK && (!scaling->of_v || !scaling->of_rows)) status = SADDLE_OUT_OF_MEMORY;
    if (status) return status;
    for (int64_t j = 0; j < p->n; j++) scaling->of_v[j] = draw(&state, exponent);
    for (int64_t i = 0; i < p->m; i++) scaling->of_rows[i] = draw(&state, exponent);
    for (int64_t c = 0; c < p->contact_count; c++)
        for (int64_t k = 1; k < p->contacts[c].size; k++)
            scaling->of_rows[p->contacts[c].row + k] = scaling->of_rows[p->contacts[c].row];
    scale_matrix(&p->M, scaling->of_v, scaling->of_v);
    scale_matrix(&p->Jt, scaling->of_v, scaling->of_rows);
    scale_matrix(&p->R, scaling->of_rows, scaling->of_rows);
    scale_vector(p->n, p->f, scaling->of_v, 0);
    scale_vector(p->m, p->b, scaling->of_rows, 0);
    scale_vector(p->m, p->lo, scaling->of_rows, 1);
    scale_vector(p->m, p->hi, scaling->of_rows, 1);
    return SADDLE_OK;
}

void tool_scaling_undo(const tool_scaling *scaling, saddle_solution *x)
{
    scale_vector(x->n, x->v, scaling->of_v, 0);
    scale_vector(x->m, x->lambda, scaling->of_rows, 0);
    scale_vector(x->m, x->w, scaling->of_rows, 1);
}

void tool_scaling_clear(tool_scaling *scaling)
{
    saddle_problem_clear(&scaling->problem);
    saddle__release_all(scaling->context, scaling->of_v, scaling->of_rows);
    *scaling = (tool_scaling){0};
}
