/* SPDX-License-Identifier: MIT */
/* The analysis of a small or full A: one supernode, one dense front, no tree, no graph and no
 * ordering library.
 *
 *     P A P' = L D L'   P: nodes as they come, those that must follow a neighbour behind the others
 *
 * Where A is M and J M^-1 J' + R is what the rows meet, that order is the range space method's
 * (Benzi, Golub and Liesen, Acta Numerica 14, 2005, section 5): every row finds all velocities out.
 * A velocity without mass may have to follow a row, which waiting.c sorts out, the only case in
 * which the graph is made.
 *
 * Everything the object holds lies in one block of memory.
 */
#include "base/pool.h"
#include "ldlt/small_kernels.h"

enum {
    MOST = SADDLE__LDLT_TILE, /* unknowns: one tile, one thread */
    ALWAYS = 16               /* unknowns that are never worth an order */
};

/* ---- whether ---- */

/* Entries of A over those of a triangle from which on an order saves nothing in a factorization,
 * measured on drawn patterns and on chains and stacks of bodies of 24 to 256 unknowns: full + few /
 * n. */
static const double full = 0.07;
static const double few = 6.5;

static int pays(const saddle_matrix *A)
{
    double n = (double)A->cols;
    double share = (double)saddle_matrix_entries(A) / (0.5 * n * (n + 1.0));
    return A->cols <= ALWAYS || share >= full + few / n;
}

static int64_t root_of(int32_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Whether A's graph is in one piece: those of several are solved piece by piece.  Entries are
 * looked at until it shows. */
static int is_connected(const saddle_matrix *A)
{
    int32_t parent[MOST];
    int64_t pieces = A->cols;
    for (int64_t i = 0; i < A->cols; i++) parent[i] = (int32_t)i;
    for (int64_t j = 0; j < A->cols && pieces > 1; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1] && pieces > 1; k++) {
            int64_t a = root_of(parent, A->index[k]);
            int64_t b = root_of(parent, j);
            if (a == b) continue;
            parent[a < b ? b : a] = (int32_t)(a < b ? a : b);
            pieces--;
        }
    }
    return pieces == 1;
}

int saddle__ldlt_is_single(const saddle_matrix *A, const saddle__ldlt_request *request)
{
    if (request->single < 0 || request->last || A->cols > MOST || A->cols == 0) return 0;
    if (request->single == 0 && (request->ordering != SADDLE_ORDERING_BEST || !pays(A))) return 0;
    return is_connected(A);
}

/* ---- the order ---- */

/* order: nodes 0 .. count - 1 that are not late, then the others */
static void put_late_behind(int64_t count, const signed char *late, int64_t *order)
{
    int64_t k = 0;
    for (int behind = 0; behind <= 1; behind++)
        for (int64_t i = 0; i < count; i++)
            if ((late && late[i] != SADDLE__ANY_TIME) == behind) order[k++] = i;
}

/* The same where late ones may follow late ones. */
static saddle_status put_late_in_turn(saddle__ldlt *F, const saddle_matrix *A,
                                      const saddle__ldlt_request *request)
{
    saddle__grouping x = {.group = NULL};
    saddle_status status = saddle__grouping_begin(F->context, A, request, &x);
    if (status == SADDLE_OK) status = saddle__grouping_make(F->context, A, request, &x);
    int64_t *groups = saddle_allocate(F->context, x.graph.nodes, sizeof(*groups));
    if (!groups) status = SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        put_late_behind(x.graph.nodes, x.late, groups);
        status = saddle__ldlt_wait(F->context, &x, groups);
    }
    int64_t count = 0;
    for (int64_t k = 0; status == SADDLE_OK && k < x.graph.nodes; k++)
        for (int64_t t = x.start[groups[k]]; t < x.start[groups[k] + 1]; t++)
            F->order[count++] = x.member[t];
    saddle_release(F->context, groups);
    saddle__grouping_clear(F->context, &x);
    return status;
}

static saddle_status make_order(saddle__ldlt *F, const saddle_matrix *A,
                                const saddle__ldlt_request *request)
{
    int in_turn = 0;
    for (int64_t i = 0; request->late && i < F->n; i++)
        in_turn |= request->late[i] == SADDLE__AFTER_NEIGHBOUR;
    saddle_status status = SADDLE_OK;
    if (in_turn)
        status = put_late_in_turn(F, A, request);
    else
        put_late_behind(F->n, request->late, F->order);
    for (int64_t k = 0; status == SADDLE_OK && k < F->n; k++) F->position[F->order[k]] = k;
    return status;
}

/* ---- the object ---- */

/* What reserve and the files before it make for many supernodes. */
static void lay_out(saddle__ldlt *F, int64_t entries, saddle__pool *pool)
{
    int64_t n = F->n;
    F->order = saddle__pool_take(pool, n, sizeof(*F->order));
    F->position = saddle__pool_take(pool, n, sizeof(*F->position));
    F->supernode = saddle__pool_take(pool, n, sizeof(*F->supernode));
    F->first = saddle__pool_take(pool, 2, sizeof(*F->first));
    F->parent = saddle__pool_take(pool, 1, sizeof(*F->parent));
    F->child = saddle__pool_take(pool, 1, sizeof(*F->child));
    F->sibling = saddle__pool_take(pool, 1, sizeof(*F->sibling));
    F->tree = saddle__pool_take(pool, 1, sizeof(*F->tree));
    F->row_start = saddle__pool_take(pool, 2, sizeof(*F->row_start));
    F->row = saddle__pool_take(pool, 0, sizeof(*F->row));
    F->relative = saddle__pool_take(pool, 0, sizeof(*F->relative));
    F->run = saddle__pool_take(pool, 0, sizeof(*F->run));
    F->entry_start = saddle__pool_take(pool, 2, sizeof(*F->entry_start));
    F->entry_source = saddle__pool_take(pool, entries, sizeof(*F->entry_source));
    F->entry_target = saddle__pool_take(pool, entries, sizeof(*F->entry_target));
    F->value_start = saddle__pool_take(pool, 2, sizeof(*F->value_start));
    F->value = saddle__pool_take(pool, n * n, sizeof(*F->value));
    F->pivot = saddle__pool_take(pool, n, sizeof(*F->pivot));
    F->inverse = saddle__pool_take(pool, n, sizeof(*F->inverse));
    F->update_start = saddle__pool_take(pool, 1, sizeof(*F->update_start));
    F->update = saddle__pool_take(pool, 0, sizeof(*F->update));
    F->job = saddle__pool_take(pool, 1, sizeof(*F->job));
    F->below = saddle__pool_take(pool, 1, sizeof(*F->below));
    F->pending = saddle__pool_take(pool, 1, sizeof(*F->pending));
    F->lane = saddle__pool_take(pool, 1, sizeof(*F->lane));
    F->work = saddle__pool_take(pool, F->lane_size, sizeof(*F->work));
    F->rhs = saddle__pool_take(pool, n * SADDLE__LDLT_BLOCK, sizeof(*F->rhs));
    F->gathered = saddle__pool_take(pool, 0, sizeof(*F->gathered));
    F->reach = saddle__pool_take(pool, 1, sizeof(*F->reach));
    F->path = saddle__pool_take(pool, 1, sizeof(*F->path));
    F->mark = saddle__pool_take(pool, 1, sizeof(*F->mark));
}

static void measure(saddle__ldlt *F, int64_t bytes)
{
    double n = (double)F->n;
    F->size.supernodes = 1;
    F->size.entries = F->size.fill = F->n * (F->n + 1) / 2;
    F->size.flops = F->size.supernodal_flops = n * (n + 1.0) * (2.0 * n + 1.0) / 6.0;
    F->size.bytes = bytes;
}

/* The tree of one supernode, whose front is all of A. */
static void plant(saddle__ldlt *F, int64_t entries)
{
    saddle__ldlt_job all = {.begin = 0, .end = 1, .parent = -1};
    saddle__ldlt_lane lane = {.kernel = saddle__product_best(), .work = F->work};
    F->supernodes = F->threads = F->jobs = 1;
    F->first[0] = F->row_start[0] = F->row_start[1] = F->entry_start[0] = F->value_start[0] =
        F->update_start[0] = 0;
    F->first[1] = F->n;
    F->entry_start[1] = entries;
    F->value_start[1] = F->n * F->n;
    F->parent[0] = F->child[0] = F->sibling[0] = -1;
    F->tree[0] = F->below[0] = F->mark[0] = 0;
    atomic_init(&F->pending[0], 0);
    F->job[0] = all;
    F->lane[0] = lane;
    for (int64_t k = 0; k < F->n; k++) F->supernode[k] = 0;
}

static void place_entries(saddle__ldlt *F, const saddle_matrix *A)
{
    int64_t stride = saddle__front_stride(F->n);
    for (int64_t j = 0; j < F->n; j++) {
        int64_t b = F->position[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = F->position[A->index[k]];
            F->entry_source[k] = (uint32_t)k;
            F->entry_target[k] = (uint32_t)(a < b ? a * stride + b : b * stride + a);
        }
    }
}

saddle_status saddle__ldlt_make_single(saddle__ldlt *F, const saddle_matrix *A,
                                       const saddle__ldlt_request *request)
{
    int64_t entries = saddle_matrix_entries(A);
    F->lane_size = saddle__product_work(F->n, F->n, F->n);
    saddle__pool pool = {NULL, 0};
    lay_out(F, entries, &pool);
    measure(F, pool.used);
    F->pool = saddle__pool_open(F->context, &pool, 0);
    if (!F->pool) return SADDLE_OUT_OF_MEMORY;
    lay_out(F, entries, &pool);
    saddle_status status = make_order(F, A, request);
    if (status != SADDLE_OK) return status;
    plant(F, entries);
    place_entries(F, A);
    return SADDLE_OK;
}
