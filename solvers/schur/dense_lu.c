/* SPDX-License-Identifier: MIT */
/* W dense, or a sparse one that is full, from which the basis of complementarity/lu_basis.h takes
 * its columns; see basis.h. */
#include <string.h>

#include "basis.h"

void saddle__dense_lu_clear(saddle__dense_lu *s)
{
    saddle_release(s->context, s->W);
    saddle__lu_basis_clear(&s->lu);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__dense_lu_create(saddle_context *context, const saddle_matrix *W,
                                      saddle__dense_lu *s)
{
    int64_t m = W->cols;
    saddle__dense_lu fresh = {.context = context, .m = m};
    *s = fresh;
    s->is_full = W->symmetry == SADDLE_GENERAL && saddle_matrix_entries(W) == m * m;
    s->W = saddle_allocate(context, s->is_full ? 0 : m * m, sizeof(*s->W));
    saddle_status status = s->W ? saddle__lu_basis_create(context, m, m, &s->lu)
                                : SADDLE_OUT_OF_MEMORY;
    if (status != SADDLE_OK) saddle__dense_lu_clear(s);
    return status;
}

static saddle_status prepare(void *user, int64_t count, const int64_t *row)
{
    (void)user; /* all columns are at hand */
    (void)count;
    (void)row;
    return SADDLE_OK;
}

static const double *column(void *user, int64_t row)
{
    const saddle__dense_lu *s = user;
    return s->columns + row * s->m;
}

void saddle__dense_lu_shift(saddle__dense_lu *s, const saddle__operator_view *view)
{
    s->columns = s->is_full ? view->W->value : s->W;
    saddle__columns columns = {.user = s, .prepare = prepare, .column = column};
    saddle__lu_basis_set(&s->lu, &columns, view->added, view->normal, view->mu);
}

void saddle__dense_lu_set(saddle__dense_lu *s, const saddle__operator_view *view)
{
    const saddle_matrix *W = view->W;
    int symmetric = W->symmetry == SADDLE_SYMMETRIC;
    for (int64_t j = 0; j < s->m && !s->is_full; j++) {
        double *to = s->W + j * s->m;
        int64_t first = symmetric ? j : 0;
        memset(to + first, 0, (size_t)(s->m - first) * sizeof(*to));
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) to[W->index[k]] = W->value[k];
    }
    if (symmetric) saddle__dense_mirror(s->m, s->W);
    saddle__dense_lu_shift(s, view);
}
