/* SPDX-License-Identifier: MIT */
/* The engine's analysis put together, and the memory that factor and solve will need. */
#include <limits.h>
#include <string.h>

#include "ldlt/ldlt_internal.h"

void saddle__ldlt_free(saddle__ldlt *F)
{
    if (!F) return;
    saddle_context *context = F->context;
    void *blocks[] = {F->order,        F->position,     F->first,       F->parent, F->child,    F->sibling,
                      F->tree,         F->supernode,    F->row_start,   F->row,    F->relative, F->entry_start,
                      F->entry_source, F->entry_target, F->value_start, F->value,  F->pivot,    F->inverse,
                      F->update_start, F->update,       F->work,        F->rhs,    F->gathered, F->reach,
                      F->path,         F->mark};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) saddle_release(context, blocks[i]);
    saddle_release(context, F);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

/* *sum += a * b; 0 where that overflows */
static int add_product(int64_t *sum, int64_t a, int64_t b)
{
    if (a > 0 && b > (INT64_MAX / (int64_t)sizeof(double) - *sum) / a) return 0;
    *sum += a * b;
    return 1;
}

typedef struct plan {
    int64_t work;     /* doubles of the largest block of L                  */
    int64_t stack[2]; /* doubles each stack of updates needs                */
} plan;

/* Where each update lies: depth (supernodes) tells the stack, on which the updates of children, all of the other
 * parity, come off when their parent's has been made. */
static int plan_updates(saddle__ldlt *F, signed char *odd, plan *p)
{
    int64_t top[2] = {0, 0};
    for (int64_t s = F->supernodes - 1; s >= 0; s--) odd[s] = F->parent[s] >= 0 ? !odd[F->parent[s]] : 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t u = F->row_start[s + 1] - F->row_start[s];
        int mine = odd[s];
        F->update_start[s] = top[mine];
        if (!add_product(&top[mine], u, u)) return 0;
        if (top[mine] > p->stack[mine]) p->stack[mine] = top[mine];
        if (F->child[s] >= 0) top[!mine] = F->update_start[F->child[s]];
    }
    for (int64_t s = 0; s < F->supernodes; s++)
        if (odd[s]) F->update_start[s] += p->stack[0];
    return 1;
}

static int plan_blocks(saddle__ldlt *F, plan *p)
{
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t k = F->first[s + 1] - F->first[s];
        int64_t u = F->row_start[s + 1] - F->row_start[s];
        F->value_start[s + 1] = F->value_start[s];
        if (k + u > INT_MAX / 2 || !add_product(&F->value_start[s + 1], k, k + u)) return 0;
        int64_t size = F->value_start[s + 1] - F->value_start[s];
        if (size > p->work) p->work = size;
        if (u > F->widest_update) F->widest_update = u;
        double dk = (double)k;
        double du = (double)u;
        F->size.entries += k * (k + 1) / 2 + k * u;
        F->size.supernodal_flops += dk * (du * du + du * (dk + 1.0) + (dk + 1.0) * (2.0 * dk + 1.0) / 6.0);
    }
    return 1;
}

saddle_status saddle__ldlt_reserve(saddle__ldlt *F)
{
    saddle_context *context = F->context;
    plan p = {0, {0, 0}};
    F->size.supernodes = F->supernodes;
    F->value_start = saddle_allocate(context, F->supernodes + 1, sizeof(*F->value_start));
    F->update_start = saddle_allocate(context, F->supernodes, sizeof(*F->update_start));
    signed char *odd = saddle_allocate(context, F->supernodes, sizeof(*odd));
    if (!F->value_start || !F->update_start || !odd) {
        saddle_release(context, odd);
        return SADDLE_OUT_OF_MEMORY;
    }
    int fits = plan_blocks(F, &p) && plan_updates(F, odd, &p) && p.stack[0] <= INT64_MAX - p.stack[1] &&
               F->n <= INT64_MAX / SADDLE__LDLT_BLOCK;
    saddle_release(context, odd);
    if (!fits) return saddle_fail(context, SADDLE_TOO_LARGE, "the factor of order %lld is too large", (long long)F->n);
    int64_t updates = p.stack[0] + p.stack[1];
    F->value = saddle_allocate(context, F->value_start[F->supernodes], sizeof(*F->value));
    F->pivot = saddle_allocate(context, F->n, sizeof(*F->pivot));
    F->inverse = saddle_allocate(context, F->n, sizeof(*F->inverse));
    F->update = saddle_allocate(context, updates, sizeof(*F->update));
    F->work = saddle_allocate(context, p.work, sizeof(*F->work));
    F->rhs = saddle_allocate(context, F->n * SADDLE__LDLT_BLOCK, sizeof(*F->rhs));
    F->gathered = saddle_allocate(context, F->widest_update * SADDLE__LDLT_BLOCK, sizeof(*F->gathered));
    F->reach = saddle_allocate(context, F->supernodes, sizeof(*F->reach));
    F->path = saddle_allocate(context, F->supernodes, sizeof(*F->path));
    F->mark = saddle_allocate(context, F->supernodes, sizeof(*F->mark));
    if (!F->value || !F->pivot || !F->inverse || !F->update || !F->work || !F->rhs || !F->gathered || !F->reach ||
        !F->path || !F->mark)
        return SADDLE_OUT_OF_MEMORY;
    int64_t doubles =
        F->value_start[F->supernodes] + updates + p.work + SADDLE__LDLT_BLOCK * (F->n + F->widest_update) + 2 * F->n;
    int64_t words = 2 * F->n + 11 * F->supernodes + 2 * F->entry_start[F->supernodes];
    int64_t halves = F->n + 2 * F->row_start[F->supernodes];
    F->size.bytes = 8 * (doubles + words) + 4 * halves;
    return SADDLE_OK;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static saddle_status analyse(saddle__ldlt *F, const saddle_matrix *A, const saddle__ldlt_request *request)
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
    if (status == SADDLE_OK) status = saddle__ldlt_reserve(F);
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
