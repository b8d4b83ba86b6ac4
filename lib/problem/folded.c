/* SPDX-License-Identifier: MIT */
/* See folded.h. */
#include "problem/folded.h"

#include <string.h>

#include "matrix/matrix_internal.h"

static saddle_status fold(saddle_context *context, const saddle_matrix *A, int measure,
                          saddle_matrix *lower)
{
    int64_t column;
    int any = saddle_matrix_entries(A) > 0;
    int found = measure && any && A->symmetry == SADDLE_GENERAL &&
                saddle__matrix_find_unequal(A, &column) < 0;
    return found || A->symmetry == SADDLE_SYMMETRIC_FULL ? saddle_matrix_lower(context, A, lower)
                                                         : SADDLE_OK;
}

saddle_status saddle__folded_create(saddle_context *context, const saddle_problem *problem,
                                    int measure, saddle__folded *folded)
{
    memset(folded, 0, sizeof *folded);
    saddle_status status = fold(context, &problem->M, measure, &folded->M);
    if (status == SADDLE_OK) status = fold(context, &problem->R, measure, &folded->R);
    if (status != SADDLE_OK) saddle__folded_clear(folded);
    return status;
}

/* Rows ascend, so the lower triangle is the end of each column. */
static void copy_values(const saddle_matrix *A, saddle_matrix *lower)
{
    for (int64_t j = 0; j < lower->cols; j++) {
        int64_t count = lower->start[j + 1] - lower->start[j];
        if (count == 0) continue;
        memcpy(lower->value + lower->start[j], A->value + A->start[j + 1] - count,
               (size_t)count * sizeof *A->value);
    }
}

static int refresh(const saddle_matrix *A, saddle_matrix *lower)
{
    int64_t column;
    if (!lower->owner) return 1;
    copy_values(A, lower);
    return A->symmetry == SADDLE_SYMMETRIC_FULL || saddle__matrix_find_unequal(A, &column) < 0;
}

int saddle__folded_refresh(saddle__folded *folded, const saddle_problem *problem)
{
    return refresh(&problem->M, &folded->M) && refresh(&problem->R, &folded->R);
}

const saddle_problem *saddle__folded_take(saddle__folded *folded, const saddle_problem *problem)
{
    if (!folded->M.owner && !folded->R.owner) return problem;
    folded->problem = *problem;
    folded->problem.owner = 0;
    if (folded->M.owner) folded->problem.M = folded->M;
    if (folded->R.owner) folded->problem.R = folded->R;
    return &folded->problem;
}

const char *saddle__folded_found(const saddle__folded *folded, const saddle_problem *problem)
{
    int M = folded->M.owner && problem->M.symmetry == SADDLE_GENERAL;
    int R = folded->R.owner && problem->R.symmetry == SADDLE_GENERAL;
    if (M) return R ? "M and R" : "M";
    return R ? "R" : "";
}

void saddle__folded_clear(saddle__folded *folded)
{
    saddle_matrix_clear(&folded->M);
    saddle_matrix_clear(&folded->R);
}
