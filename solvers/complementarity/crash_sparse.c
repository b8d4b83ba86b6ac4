/* SPDX-License-Identifier: MIT */
/* See crash_sparse.h. */
#include "complementarity/crash_sparse.h"

#include <string.h>

#include "base/sort.h"

static const double singular = 1e-13; /* a pivot over its diagonal entry, or over the largest */

saddle_status saddle__crash_sparse_create(saddle_context *context, const saddle__unfolded *W,
                                          saddle__crash_sparse *s)
{
    int64_t m = W->cols;
    s->context = context;
    s->W = W;
    s->C.start = saddle_allocate(context, m + 1, sizeof *s->C.start);
    s->C.index = saddle_allocate(context, 2 * W->entries + 1, sizeof *s->C.index);
    s->C.value = saddle_allocate(context, 2 * W->entries + 1, sizeof *s->C.value);
    s->owner = saddle_allocate(context, m + 1, sizeof *s->owner);
    s->weight = saddle_allocate(context, m + 1, sizeof *s->weight);
    s->sum = saddle_allocate(context, m + 1, sizeof *s->sum);
    s->mark = saddle_allocate(context, m + 1, sizeof *s->mark);
    s->touched = saddle_allocate(context, m + 1, sizeof *s->touched);
    int whole = s->C.start && s->C.index && s->C.value && s->owner && s->weight && s->sum &&
                s->mark && s->touched;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__crash_sparse_clear(saddle_context *context, saddle__crash_sparse *s)
{
    void *blocks[] = {s->C.start, s->C.index, s->C.value, s->owner,
                      s->weight,  s->sum,     s->mark,    s->touched};
    saddle__factorization_free(s->factors);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(s, 0, sizeof *s);
}

static void list_owners(saddle__crash_sparse *s, const saddle__crash *crash)
{
    for (int64_t i = 0; i < crash->m; i++) s->owner[i] = -1;
    for (int64_t j = 0; j < crash->unknowns; j++) {
        const saddle__crash_unknown *of = &crash->unknown[j];
        for (int64_t k = 0; k < of->asked; k++) {
            s->owner[of->row[k]] = j;
            s->weight[of->row[k]] = of->part[k];
        }
    }
}

/* What z_j does to the equations; returns how many. */
static int64_t touch_column(saddle__crash_sparse *s, const saddle__crash *crash, int64_t j,
                            int lower)
{
    const saddle__crash_unknown *of = &crash->unknown[j];
    int64_t count = 0;
    for (int64_t l = 0; l < of->rows; l++) {
        for (int64_t k = s->W->start[of->row[l]]; k < s->W->start[of->row[l] + 1]; k++) {
            int64_t row = s->W->index[k];
            int64_t owner = s->owner[row];
            if (owner < 0 || (lower && owner < j)) continue;
            if (s->mark[owner] != j + 1) {
                s->mark[owner] = j + 1;
                s->touched[count++] = owner;
                s->sum[owner] = 0.0;
            }
            s->sum[owner] += s->weight[row] * of->part[l] * s->W->value[k];
        }
    }
    saddle__sort_indices(count, s->touched);
    return count;
}

static void gather(saddle__crash_sparse *s, const saddle__crash *crash, int lower)
{
    saddle_matrix *C = &s->C;
    C->rows = C->cols = crash->unknowns;
    C->symmetry = lower ? SADDLE_SYMMETRIC : SADDLE_GENERAL;
    C->start[0] = 0;
    for (int64_t j = 0; j < crash->unknowns; j++) s->mark[j] = 0;
    for (int64_t j = 0; j < crash->unknowns; j++) {
        int64_t at = C->start[j];
        int64_t count = touch_column(s, crash, j, lower);
        for (int64_t k = 0; k < count; k++) {
            int64_t i = s->touched[k];
            C->index[at + k] = i;
            double entry = i == j ? (1.0 + crash->shift) * s->sum[i] : s->sum[i];
            C->value[at + k] = entry * crash->unknown[i].unit * crash->unknown[j].unit;
        }
        C->start[j + 1] = at + count;
    }
}

static int factor_by(saddle__crash_sparse *s, const char *name, double smallest)
{
    saddle__factorization_free(s->factors);
    s->factors = NULL;
    saddle_matrix_diagonal(&s->C, s->sum);
    saddle__pivot_rule rule = {.scale = smallest > 0.0 ? s->sum : NULL, .smallest = smallest};
    s->status = saddle__factorization_create(s->context, name, SADDLE_ORDERING_AMD, &s->factors);
    if (s->status == SADDLE_OK) s->status = saddle__factorization_analyse(s->factors, &s->C);
    if (s->status == SADDLE_OK)
        s->status = saddle__factorization_factor_by(s->factors, &s->C, &rule);
    return s->status == SADDLE_OK;
}

int saddle__crash_sparse_factor(saddle__crash_sparse *s, const saddle__crash *crash, int symmetric)
{
    list_owners(s, crash);
    gather(s, crash, symmetric);
    if (symmetric) {
        for (int64_t j = 0; j < s->C.cols; j++)
            if (s->C.start[j] == s->C.start[j + 1] || s->C.index[s->C.start[j]] != j)
                return 0; /* W_jj = 0 */
        if (!factor_by(s, "ldlt", singular)) return 0;
        return saddle__factorization_counts(s->factors).inertia.negative == 0;
    }
    if (!factor_by(s, saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1), 0.0)) return 0;
    return saddle__factorization_counts(s->factors).least_pivot >= singular;
}

int saddle__crash_sparse_solve(saddle__crash_sparse *s, double *z)
{
    s->status = saddle__factorization_solve(s->factors, z);
    return s->status == SADDLE_OK;
}
