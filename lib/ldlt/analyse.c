/* SPDX-License-Identifier: MIT */
/* The engine's analysis put together, and the memory that factor and solve will need. */
#include <string.h>

#include "ldlt/small_kernels.h"

void saddle__ldlt_free(saddle__ldlt *F)
{
    if (!F) return;
    saddle_context *context = F->context;
    if (F->pool) {
        saddle_release(context, F->pool);
        saddle_release(context, F);
        return;
    }
    void *blocks[] = {F->order,        F->position,     F->first,       F->parent, F->child,    F->sibling,
                      F->tree,         F->supernode,    F->row_start,   F->row,    F->relative, F->entry_start,
                      F->entry_source, F->entry_target, F->value_start, F->value,  F->pivot,    F->inverse,
                      F->update_start, F->update,       F->work,        F->rhs,    F->gathered, F->reach,
                      F->path,         F->mark,         F->job,         F->run,    F->below,    F->pending,
                      F->lane};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) saddle_release(context, blocks[i]);
    saddle_release(context, F);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* All that factor and solve need. */
static saddle_status reserve(saddle__ldlt *F)
{
    saddle_context *context = F->context;
    int64_t blocks = F->value_start[F->supernodes];
    int64_t updates = F->arena[0] + F->arena[1];
    F->size.supernodes = F->supernodes;
    F->value = saddle__allocate_unset(context, blocks, sizeof(*F->value));
    F->pivot = saddle__allocate_unset(context, F->n, sizeof(*F->pivot));
    F->inverse = saddle__allocate_unset(context, F->n, sizeof(*F->inverse));
    F->update = saddle__allocate_unset(context, updates, sizeof(*F->update));
    F->lane = saddle_allocate(context, F->threads, sizeof(*F->lane));
    F->work = saddle__allocate_unset(context, F->threads * F->lane_size, sizeof(*F->work));
    F->rhs = saddle__allocate_unset(context, F->n * SADDLE__LDLT_BLOCK, sizeof(*F->rhs));
    F->gathered = saddle__allocate_unset(context, F->widest_update * SADDLE__LDLT_BLOCK, sizeof(*F->gathered));
    F->reach = saddle__allocate_unset(context, F->supernodes, sizeof(*F->reach));
    F->path = saddle__allocate_unset(context, F->supernodes, sizeof(*F->path));
    F->mark = saddle_allocate(context, F->supernodes, sizeof(*F->mark));
    if (!F->value || !F->pivot || !F->inverse || !F->update || !F->lane || !F->work || !F->rhs || !F->gathered ||
        !F->reach || !F->path || !F->mark)
        return SADDLE_OUT_OF_MEMORY;
    for (int64_t t = 0; t < F->threads; t++) {
        F->lane[t].kernel = saddle__product_best();
        F->lane[t].work = F->work + t * F->lane_size;
    }
    int64_t doubles = blocks + updates + F->threads * F->lane_size + 2 * F->n;
    doubles += SADDLE__LDLT_BLOCK * (F->n + F->widest_update);
    int64_t words = 2 * F->n + 13 * F->supernodes + F->entry_start[F->supernodes];
    int64_t halves = F->n + 3 * F->row_start[F->supernodes];
    int64_t records = F->threads * (int64_t)sizeof(*F->lane) + F->jobs * (int64_t)sizeof(*F->job);
    F->size.bytes = 8 * (doubles + words) + 4 * halves + records;
    return SADDLE_OK;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static saddle_status analyse(saddle__ldlt *F, const saddle_matrix *A, const saddle__ldlt_request *request)
{
    if (saddle__ldlt_is_single(A, request)) return saddle__ldlt_make_single(F, A, request);
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

saddle_status saddle__ldlt_analyse(saddle_context *context, const saddle_matrix *A, const saddle__ldlt_request *request,
                                   saddle__ldlt **result)
{
    *result = NULL;
    if (A->cols >= INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE, "order %lld: the engine takes fewer than 2^31 unknowns",
                           (long long)A->cols);
    if (saddle_matrix_entries(A) == 0 && A->cols > 0)
        return saddle_fail(context, SADDLE_SINGULAR, "the matrix of order %lld has no entries", (long long)A->cols);
    saddle__ldlt *F = saddle_allocate(context, 1, sizeof(*F));
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

const int64_t *saddle__ldlt_positions(const saddle__ldlt *F)
{
    return F->position;
}

const int64_t *saddle__ldlt_order(const saddle__ldlt *F)
{
    return F->order;
}

const double *saddle__ldlt_pivots(const saddle__ldlt *F)
{
    return F->pivot;
}
