/* SPDX-License-Identifier: MIT */
/* See shifted.h. */
#include "shifted.h"

static int has_diagonal(const saddle_matrix *A, int64_t j)
{
    for (int64_t k = A->start ? A->start[j] : 0; A->start && k < A->start[j + 1]; k++)
        if (A->index[k] == j) return 1;
    return 0;
}

/* Rows stay ascending. */
static void fill_in(const saddle_matrix *A, int64_t size, saddle__shifted *s)
{
    saddle_matrix *to = &s->A;
    int64_t count = 0;
    for (int64_t j = 0; j < size; j++) {
        int missing = !has_diagonal(A, j);
        for (int64_t k = A->start ? A->start[j] : 0; A->start && k < A->start[j + 1]; k++) {
            if (missing && A->index[k] > j) {
                to->index[count] = j;
                s->source[count++] = -1;
                missing = 0;
            }
            to->index[count] = A->index[k];
            s->source[count++] = k;
        }
        if (missing) {
            to->index[count] = j;
            s->source[count++] = -1;
        }
        to->start[j + 1] = count;
    }
}

saddle_status saddle__shifted_create(saddle_context *context, const saddle_matrix *A, int64_t size,
                                     saddle__shifted *s)
{
    saddle__shifted fresh = {.context = context};
    *s = fresh;
    int64_t entries = saddle_matrix_entries(A);
    for (int64_t j = 0; j < size; j++) entries += !has_diagonal(A, j);
    saddle_symmetry symmetry = A->start ? A->symmetry : SADDLE_SYMMETRIC;
    saddle_status status = saddle_matrix_create(context, size, size, entries, symmetry, &s->A);
    s->source = status == SADDLE_OK ? saddle_allocate(context, entries, sizeof *s->source) : NULL;
    if (!s->source) return SADDLE_OUT_OF_MEMORY;
    fill_in(A, size, s);
    return SADDLE_OK;
}

void saddle__shifted_set(saddle__shifted *s, const saddle_matrix *A, const double *e)
{
    for (int64_t j = 0; j < s->A.cols; j++)
        for (int64_t k = s->A.start[j]; k < s->A.start[j + 1]; k++)
            s->A.value[k] = (s->source[k] >= 0 ? A->value[s->source[k]] : 0.0) +
                            (s->A.index[k] == j ? e[j] : 0.0);
}

void saddle__shifted_clear(saddle__shifted *s)
{
    saddle_matrix_clear(&s->A);
    if (s->source) saddle_release(s->context, s->source);
    s->source = NULL;
}
