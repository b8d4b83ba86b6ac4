/* SPDX-License-Identifier: MIT */
/* Rows eliminated in a given order, and again with one moved to the end for each dependence that no
 * pivot has shown. */
#include <math.h>
#include <string.h>

#include <cholmod.h>

#include "rank/basis.h"
#include "rank/rank_internal.h"

enum { ROUNDS = 16 };

/* ---- order ---- */

static saddle_status translate(saddle_context *context, const cholmod_common *common, int64_t count)
{
    if (common->status == CHOLMOD_OUT_OF_MEMORY)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory in COLAMD, %lld rows",
                           (long long)count);
    if (common->status == CHOLMOD_TOO_LARGE)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%lld rows are too many for COLAMD",
                           (long long)count);
    return saddle_fail(context, SADDLE_INTERNAL, "COLAMD, CHOLMOD status %d", common->status);
}

static saddle_status by_colamd(saddle_context *context, const saddle_matrix *A, int64_t *place)
{
    cholmod_common common;
    cholmod_l_start(&common);
    common.print = 0;
    common.error_handler = NULL;
    common.try_catch = 1;
    cholmod_sparse header = {.nrow = (size_t)A->rows,
                             .ncol = (size_t)A->cols,
                             .nzmax = (size_t)saddle_matrix_entries(A),
                             .p = A->start,
                             .i = A->index,
                             .stype = 0,
                             .itype = CHOLMOD_LONG,
                             .xtype = CHOLMOD_PATTERN,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 1,
                             .packed = 1};
    int done = cholmod_l_colamd(&header, NULL, 0, 1, place, &common);
    saddle_status status = done ? SADDLE_OK : translate(context, &common, A->rows);
    cholmod_l_finish(&common);
    return status;
}

saddle_status saddle__rank_order(saddle_context *context, const saddle_matrix *Bt, int64_t count,
                                 int64_t *order)
{
    if (count == 0) return SADDLE_OK;
    int64_t entries = 0;
    for (int64_t k = 0; k < count; k++) entries += Bt->start[order[k] + 1] - Bt->start[order[k]];
    saddle_matrix wanted = {0};
    saddle_matrix rows = {0};
    int64_t *place = saddle_allocate(context, count, sizeof(*place));
    saddle_status status = place ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, Bt->rows, count, entries, SADDLE_GENERAL, &wanted);
    for (int64_t k = 0; k < count && status == SADDLE_OK; k++) {
        int64_t size = Bt->start[order[k] + 1] - Bt->start[order[k]];
        memcpy(wanted.index + wanted.start[k], Bt->index + Bt->start[order[k]],
               (size_t)size * sizeof(*wanted.index));
        wanted.start[k + 1] = wanted.start[k] + size;
    }
    if (status == SADDLE_OK) status = saddle_matrix_transpose(context, &wanted, &rows);
    if (status == SADDLE_OK) status = by_colamd(context, &rows, place);
    for (int64_t k = 0; k < count && status == SADDLE_OK; k++) place[k] = order[place[k]];
    if (status == SADDLE_OK) memcpy(order, place, (size_t)count * sizeof(*order));
    saddle_matrix_clear(&wanted);
    saddle_matrix_clear(&rows);
    saddle_release(context, place);
    return status;
}

/* ---- elimination ---- */

/* The column that takes the largest part in z, a combination of the independent ones that vanishes
 * to the tolerance; -1 where it does not vanish. */
static int64_t missed(const saddle__basis *b, const double *z, double separation)
{
    double sum = 0.0;
    double square = 0.0;
    int64_t most = 0;
    for (int64_t p = 0; p < b->rank; p++) {
        sum += fabs(z[p]) * b->norm[b->member[p]];
        square += z[p] * z[p];
        if (fabs(z[p]) >= fabs(z[most])) most = p;
    }
    return b->rank > 0 && separation * sqrt(square) <= b->tolerance * sum ? b->member[most] : -1;
}

static void move_to_end(int64_t *order, int64_t count, int64_t k)
{
    int64_t t = 0;
    while (order[t] != k) t++;
    memmove(order + t, order + t + 1, (size_t)(count - t - 1) * sizeof(*order));
    order[count - 1] = k;
}

static saddle_status eliminate_once(const saddle_matrix *Bt, double tolerance, int64_t count,
                                    const int64_t *order, double work_limit, double *z,
                                    saddle__found *found, int64_t *late)
{
    saddle__basis basis;
    *late = -1;
    saddle_status status = saddle__basis_create(found->relations.context, Bt, tolerance, &basis);
    basis.counting = found->counting;
    if (status == SADDLE_OK)
        status = saddle__basis_fill(&basis, count, order, work_limit, &found->relations,
                                    &found->finished);
    if (status == SADDLE_OK) found->work += basis.work;
    if (status == SADDLE_OK && found->finished) {
        found->separation = saddle__basis_separation(&basis, z);
        *late = missed(&basis, z, found->separation);
    }
    saddle__basis_clear(&basis);
    return status;
}

saddle_status saddle__rank_eliminate(const saddle_matrix *Bt, double tolerance, int64_t count,
                                     int64_t *order, double work_limit, saddle__found *found)
{
    saddle_context *context = found->relations.context;
    double *z = saddle_allocate(context, count, sizeof(*z));
    if (!z) return SADDLE_OUT_OF_MEMORY;
    int64_t late = -1;
    saddle_status status = SADDLE_OK;
    for (int round = 0; round < ROUNDS && status == SADDLE_OK; round++) {
        saddle__relations_clear(&found->relations);
        status = eliminate_once(Bt, tolerance, count, order, work_limit - found->work, z, found,
                                &late);
        if (late < 0 || !found->finished) break;
        move_to_end(order, count, late);
    }
    saddle_release(context, z);
    return status;
}
