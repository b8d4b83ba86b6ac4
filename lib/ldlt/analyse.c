/* SPDX-License-Identifier: MIT */
/* The analysis: order, supernodes, structure, plan, and the memory of factor and solve. */
#include <string.h>

#include "base/layout.h"
#include "ldlt/ldlt_internal.h"

void saddle__ldlt_free(saddle__ldlt *F)
{
    if (!F) return;
    saddle_context *context = F->context;
    void *blocks[] = {F->order,        F->position,     F->first,        F->parent,
                      F->child,        F->sibling,      F->tree,         F->supernode,
                      F->row_start,    F->row,          F->relative,     F->run,
                      F->entry_start,  F->entry_source, F->entry_target, F->value_start,
                      F->update_start, F->job,          F->below,        F->pending,
                      F->numbers};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        saddle_release(context, blocks[i]);
    saddle_release(context, F);
}

/* ---- memory ---- */

/* All arrays of factor and solve in one block, by far the largest of the object. */
static void lay_out(saddle__ldlt *F, saddle__pool *pool)
{
    int64_t blocks = F->value_start[F->supernodes];
    F->value = saddle__pool_take(pool, blocks, sizeof *F->value);
    F->pivot = saddle__pool_take(pool, F->n, sizeof *F->pivot);
    F->inverse = saddle__pool_take(pool, F->n, sizeof *F->inverse);
    F->update = saddle__pool_take(pool, F->arena[0] + F->arena[1], sizeof *F->update);
    F->lane = saddle__pool_take(pool, F->threads, sizeof *F->lane);
    F->work = saddle__pool_take(pool, F->threads * F->lane_size, sizeof *F->work);
    F->rhs = saddle__pool_take(pool, F->n * SADDLE__LDLT_BLOCK, sizeof *F->rhs);
    F->gathered = saddle__pool_take(pool, F->widest_update * SADDLE__LDLT_BLOCK,
                                    sizeof *F->gathered);
    F->reach = saddle__pool_take(pool, F->supernodes, sizeof *F->reach);
    F->path = saddle__pool_take(pool, F->supernodes, sizeof *F->path);
    F->mark = saddle__pool_take(pool, F->supernodes, sizeof *F->mark);
}

static saddle_status reserve(saddle__ldlt *F)
{
    saddle__pool pool = {NULL, 0};
    lay_out(F, &pool);
    int64_t bytes = pool.used;
    F->numbers = saddle__pool_open(F->context, &pool, 0);
    if (!F->numbers) return SADDLE_OUT_OF_MEMORY;
    lay_out(F, &pool);
    F->size.supernodes = F->supernodes;
    memset(F->mark, 0, (size_t)F->supernodes * sizeof *F->mark);
    memset(F->lane, 0, (size_t)F->threads * sizeof *F->lane);
    for (int64_t t = 0; t < F->threads; t++) F->lane[t].work = F->work + t * F->lane_size;
    int64_t words = 2 * F->n + 10 * F->supernodes + F->entry_start[F->supernodes];
    int64_t halves = F->n + 3 * F->row_start[F->supernodes];
    F->size.bytes = bytes + 8 * words + 4 * halves + F->jobs * (int64_t)sizeof *F->job;
    return SADDLE_OK;
}

/* ---- all ---- */

static saddle_status analyse(saddle__ldlt *F, const saddle_matrix *A,
                             const saddle__ldlt_request *request)
{
    saddle__ordered ordered = {.order = NULL};
    saddle_status status = saddle__ordered_make(F->context, A, request, &ordered);
    if (status == SADDLE_OK) {
        F->size.fill = (int64_t)ordered.entries;
        F->size.flops = ordered.flops;
        F->size.metis = ordered.metis;
        F->size.eager = ordered.eager;
        status = saddle__ldlt_partition(F, &ordered, request->last);
    }
    if (status == SADDLE_OK) status = saddle__ldlt_structure(F, A, &ordered);
    saddle__ordered_clear(F->context, &ordered);
    if (status == SADDLE_OK) status = saddle__ldlt_plan(F, request->grain);
    if (status == SADDLE_OK) status = reserve(F);
    return status;
}

saddle_status saddle__ldlt_analyse(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ldlt **result)
{
    *result = NULL;
    if (A->cols >= INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE,
                           "order %lld: the engine takes fewer than 2^31 unknowns",
                           (long long)A->cols);
    if (saddle_matrix_entries(A) == 0 && A->cols > 0)
        return saddle_fail(context, SADDLE_SINGULAR, "the matrix of order %lld has no entries",
                           (long long)A->cols);
    saddle__ldlt *F = saddle_allocate(context, 1, sizeof *F);
    if (!F) return SADDLE_OUT_OF_MEMORY;
    F->context = context;
    F->n = A->cols;
    F->small = saddle__small_kernels_best();
    F->threads = request->threads > 1 ? saddle__tasks_threads(request->threads) : 1;
    saddle_status status = F->n > 0 ? analyse(F, A, request) : SADDLE_OK;
    if (status != SADDLE_OK) {
        saddle__ldlt_free(F);
        return status;
    }
    *result = F;
    return SADDLE_OK;
}

saddle__ldlt_size saddle__ldlt_size_of(const saddle__ldlt *F)
{
    return F->size;
}

const int64_t *saddle__ldlt_order(const saddle__ldlt *F)
{
    return F->order;
}
