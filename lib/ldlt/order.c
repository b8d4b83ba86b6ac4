/* SPDX-License-Identifier: MIT */
/* The order of elimination, and the structure of L under the order.
 *
 *     small or full A    unconstrained nodes as given, constrained nodes behind: one dense front
 *     very sparse A      minimum degree (minimum_degree.c)
 *     else               AMD of the grouped graph; where AMD's factor is dense, also METIS' nested
 *                        dissection, strict and relaxed (constrained_order.c); fewest flops wins
 *
 * Where A = [M J'; J -R], the dense order is the range space method's (Benzi, Golub and Liesen,
 * Acta Numerica 14, 2005, section 5).  Symbolic analysis of the other orders is CHOLMOD's.
 * References: Amestoy, Davis and Duff, ACM TOMS 30, 2004 (AMD); George, SIAM J. Numer. Anal. 10,
 * 1973, and Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998 (METIS); Gilbert, Ng and Peyton, SIAM
 * J. Matrix Anal. Appl. 15, 1994 (column counts). */
#include <string.h>

#include <cholmod.h>
#include <metis.h>

#include "base/layout.h"
#include "base/process.h"
#include "ldlt/costs.h"
#include "ldlt/ldlt_internal.h"

/* METIS is tried where AMD's factor has more flops per entry, and more entries per entry of A:
 * CHOLMOD's rule. */
static const double dense_flops = 500.0;
static const double dense_fill = 5.0;

/* The relaxed order costs steps of refinement: taken below this share of the strict order's flops.
 */
static const double usual_gain = 0.85;

/* One dense front: A's share of a triangle's entries from which an order saves no time in a
 * factorization, dense_share + dense_extra / n, measured on drawn patterns and on chains and stacks
 * of bodies of 24 to 256 unknowns; below ALWAYS_DENSE unknowns always. */
enum { MOST_DENSE = SADDLE__LDLT_TILE, ALWAYS_DENSE = 16 };
static const double dense_share = 0.07;
static const double dense_extra = 6.5;

typedef struct orderer {
    saddle_context *context;
    cholmod_common common;
    const saddle_matrix *A;
    const saddle__ldlt_request *request;
    saddle__grouping grouping;
    void *block;          /* memory of the arrays below */
    int64_t *lower_start; /* groups + 1: lower triangle of the grouped graph */
    int64_t *lower_index;
    int64_t *groups;                                  /* groups: their order */
    int64_t *plain;                                   /* groups: METIS' order, unconstrained */
    int64_t *weight;                                  /* groups: nodes in each */
    int64_t *order;                                   /* n: order of the nodes */
    int64_t *parent, *post, *count, *scratch, *level; /* n each, CHOLMOD's */
} orderer;

void saddle__ordered_forget_runs(saddle_context *context, saddle__ordered *ordered)
{
    int32_t **block[] = {&ordered->run_begin, &ordered->run_parent, &ordered->run_rows,
                         &ordered->run_list,  &ordered->run_number, &ordered->list};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        saddle_release(context, *block[i]);
        *block[i] = NULL;
    }
    ordered->runs = 0;
}

void saddle__ordered_clear(saddle_context *context, saddle__ordered *ordered)
{
    saddle_release(context, ordered->order);
    saddle_release(context, ordered->parent);
    saddle_release(context, ordered->count);
    saddle__ordered_forget_runs(context, ordered);
    memset(ordered, 0, sizeof *ordered);
}

static void clear(orderer *o)
{
    saddle__grouping_clear(o->context, &o->grouping);
    saddle_release(o->context, o->block);
}

static saddle_status allocate_columns(saddle_context *context, int64_t n, saddle__ordered *ordered)
{
    ordered->parent = saddle__allocate_unset(context, n, sizeof *ordered->parent);
    ordered->count = saddle__allocate_unset(context, n, sizeof *ordered->count);
    return ordered->parent && ordered->count ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- a single dense front ---- */

static int64_t root_of(int32_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Whether A's graph is connected; components are solved separately. */
static int is_connected(const saddle_matrix *A)
{
    int32_t parent[MOST_DENSE];
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

/* Constrained nodes of both kinds need a graph. */
static int may_be_dense(const saddle_matrix *A, const saddle__ldlt_request *request)
{
    double n = (double)A->cols;
    double share = (double)saddle_matrix_entries(A) / (0.5 * n * (n + 1.0));
    int pays = A->cols <= ALWAYS_DENSE || share >= dense_share + dense_extra / n;
    if (request->single < 0 || request->last || A->cols > MOST_DENSE) return 0;
    if (request->single == 0 && (request->ordering != SADDLE_ORDERING_BEST || !pays)) return 0;
    for (int64_t i = 0; request->late && i < A->cols; i++)
        if (request->late[i] == SADDLE__AFTER_NEIGHBOUR) return 0;
    return is_connected(A);
}

static saddle_status make_dense(saddle_context *context, int64_t n, const signed char *late,
                                saddle__ordered *ordered)
{
    saddle_status status = allocate_columns(context, n, ordered);
    if (status != SADDLE_OK) return status;
    int64_t k = 0;
    for (int behind = 0; behind <= 1; behind++)
        for (int64_t i = 0; i < n; i++)
            if ((late && late[i] != SADDLE__ANY_TIME) == behind) ordered->order[k++] = i;
    for (int64_t j = 0; j < n; j++) {
        ordered->parent[j] = j + 1 < n ? j + 1 : -1;
        ordered->count[j] = n - j;
    }
    double size = (double)n;
    ordered->entries = 0.5 * size * (size + 1.0);
    ordered->flops = saddle__front_flops(size, 0.0);
    return SADDLE_OK;
}

/* ---- CHOLMOD ---- */

static saddle_status translate(const orderer *o)
{
    long long n = (long long)o->A->cols;
    switch (o->common.status) {
    case CHOLMOD_OUT_OF_MEMORY:
        return saddle_fail(o->context, SADDLE_OUT_OF_MEMORY, "out of memory in CHOLMOD, order %lld",
                           n);
    case CHOLMOD_TOO_LARGE:
        return saddle_fail(o->context, SADDLE_TOO_LARGE, "order %lld is too large for CHOLMOD", n);
    default: return saddle_fail(o->context, SADDLE_INTERNAL, "CHOLMOD status %d", o->common.status);
    }
}

/* A header over a lower triangle; CHOLMOD reads patterns only. */
static cholmod_sparse header(int64_t n, int64_t *start, int64_t *index)
{
    cholmod_sparse header = {.nrow = (size_t)n,
                             .ncol = (size_t)n,
                             .nzmax = (size_t)start[n],
                             .p = start,
                             .i = index,
                             .stype = -1,
                             .itype = CHOLMOD_LONG,
                             .xtype = CHOLMOD_PATTERN,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 0,
                             .packed = 1};
    return header;
}

static void lay_out(orderer *o, saddle__pool *pool)
{
    const saddle__graph *g = &o->grouping.graph;
    int64_t **nodes[] = {&o->order, &o->parent, &o->post, &o->count, &o->scratch, &o->level};
    int64_t **groups[] = {&o->groups, &o->plain, &o->weight};
    for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
        *nodes[k] = saddle__pool_take(pool, o->A->cols, sizeof **nodes[k]);
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        *groups[k] = saddle__pool_take(pool, g->nodes, sizeof **groups[k]);
    o->lower_start = saddle__pool_take(pool, g->nodes + 1, sizeof *o->lower_start);
    o->lower_index = saddle__pool_take(pool, g->start[g->nodes] / 2, sizeof *o->lower_index);
}

/* The groups, the lower triangle of their graph, and all memory but CHOLMOD's own. */
static saddle_status begin(orderer *o, saddle__ordered *best)
{
    saddle__pool pool = {NULL, 0};
    saddle_status status = allocate_columns(o->context, o->A->cols, best);
    if (status == SADDLE_OK)
        status = saddle__grouping_make(o->context, o->A, o->request->late, &o->grouping);
    if (status != SADDLE_OK) return status;
    lay_out(o, &pool);
    o->block = saddle__pool_open(o->context, &pool, 1);
    if (!o->block) return SADDLE_OUT_OF_MEMORY;
    lay_out(o, &pool);
    const saddle__graph *g = &o->grouping.graph;
    int64_t count = 0;
    for (int64_t j = 0; j < g->nodes; j++) {
        o->weight[j] = o->grouping.start[j + 1] - o->grouping.start[j];
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++)
            if (g->node[k] > j) o->lower_index[count++] = g->node[k];
        o->lower_start[j + 1] = count;
    }
    best->flops = -1.0;
    return SADDLE_OK;
}

/* Tree and counts of o->order, kept in `best` where they need fewer flops. */
static saddle_status measure(orderer *o, int metis, int relaxed, saddle__ordered *best)
{
    int64_t n = o->A->cols;
    cholmod_sparse A = header(n, o->A->start, o->A->index);
    if (!cholmod_l_analyze_ordering(&A, CHOLMOD_GIVEN, o->order, NULL, 0, o->parent, o->post,
                                    o->count, o->scratch, o->level, &o->common))
        return translate(o);
    double gain = o->request->eager_gain > 0.0 ? o->request->eager_gain : usual_gain;
    double flops = relaxed ? o->common.fl / gain : o->common.fl;
    if (best->flops >= 0.0 && flops >= best->flops) return SADDLE_OK;
    best->flops = o->common.fl;
    best->entries = o->common.lnz;
    best->metis = metis;
    best->eager = relaxed;
    for (int64_t k = 0; k < n; k++) o->scratch[o->post[k]] = k;
    for (int64_t k = 0; k < n; k++) {
        int64_t parent = o->parent[o->post[k]];
        best->order[k] = o->order[o->post[k]];
        best->parent[k] = parent >= 0 ? o->scratch[parent] : -1;
        best->count[k] = o->count[o->post[k]];
    }
    return SADDLE_OK;
}

/* Constrains o->groups, expands the order to nodes, the nodes of request->last behind, and measures
 * the order. */
static saddle_status try_order(orderer *o, int metis, int relaxed, saddle__ordered *best)
{
    const saddle__grouping *x = &o->grouping;
    saddle_status status = SADDLE_OK;
    if (o->request->late)
        status = saddle__ldlt_constrain(o->context, x, relaxed,
                                        o->request->eager == SADDLE__LESS_EAGER, o->groups);
    if (status != SADDLE_OK) return status;
    int64_t count = 0;
    for (int64_t k = 0; k < x->graph.nodes; k++)
        for (int64_t t = x->start[o->groups[k]]; t < x->start[o->groups[k] + 1]; t++)
            o->order[count++] = x->member[t];
    for (int64_t i = 0; i < o->A->cols; i++)
        if (x->group[i] < 0) o->order[count++] = i;
    return measure(o, metis, relaxed, best);
}

/* ---- METIS ---- */

/* The arrays of METIS_NodeND in one block: graph, weights, the order and the positions. */
typedef struct metis_graph {
    idx_t *start, *neighbour, *weight, *order, *position;
} metis_graph;

static void lay_out_metis(const saddle__graph *g, metis_graph *m, saddle__pool *pool)
{
    m->start = saddle__pool_take(pool, g->nodes + 1, sizeof *m->start);
    m->neighbour = saddle__pool_take(pool, g->start[g->nodes], sizeof *m->neighbour);
    m->weight = saddle__pool_take(pool, g->nodes, sizeof *m->weight);
    m->order = saddle__pool_take(pool, g->nodes, sizeof *m->order);
    m->position = saddle__pool_take(pool, g->nodes, sizeof *m->position);
}

/* position (vertices of g) in METIS' nested dissection; weight: unknowns in each vertex, so that
 * separators are small in unknowns. */
static saddle_status dissect(saddle_context *context, const saddle__graph *g, const int64_t *weight,
                             int64_t *position)
{
    metis_graph m = {0};
    saddle__pool pool = {NULL, 0};
    lay_out_metis(g, &m, &pool);
    void *block = saddle__pool_open(context, &pool, 1);
    if (!block) return SADDLE_OUT_OF_MEMORY;
    lay_out_metis(g, &m, &pool);
    for (int64_t i = 0; i < g->nodes; i++) {
        m.start[i + 1] = (idx_t)g->start[i + 1];
        m.weight[i] = (idx_t)weight[i];
    }
    for (int64_t k = 0; k < g->start[g->nodes]; k++) m.neighbour[k] = (idx_t)g->node[k];
    idx_t nodes = (idx_t)g->nodes;
    saddle__metis_begin(1);
    int result = METIS_NodeND(&nodes, m.start, m.neighbour, m.weight, NULL, m.order, m.position);
    saddle__metis_end(1);
    for (int64_t i = 0; result == METIS_OK && i < g->nodes; i++) position[i] = m.position[i];
    saddle_release(context, block);
    if (result == METIS_OK) return SADDLE_OK;
    if (result == METIS_ERROR_MEMORY)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory in METIS, %lld vertices",
                           (long long)nodes);
    return saddle_fail(context, SADDLE_INTERNAL, "METIS status %d", result);
}

/* o->plain <- the groups by METIS of the coarsened graph; o->order, o->scratch, o->level: scratch.
 */
static saddle_status dissect_groups(orderer *o)
{
    const saddle__graph *g = &o->grouping.graph;
    saddle__graph quotient = {0, NULL, NULL};
    int64_t *label = o->order;
    int64_t *weight = o->scratch;
    int64_t *position = o->level;
    int64_t labels = 0;
    saddle_status status = saddle__graph_coarse_labels(o->context, g, o->weight, label, &labels);
    if (status == SADDLE_OK)
        status = saddle__graph_quotient(o->context, g, labels, label, &quotient);
    for (int64_t l = 0; l < labels; l++) weight[l] = 0;
    for (int64_t i = 0; status == SADDLE_OK && i < g->nodes; i++) weight[label[i]] += o->weight[i];
    if (status == SADDLE_OK) status = dissect(o->context, &quotient, weight, position);
    if (status == SADDLE_OK) { /* a counting sort of the groups by position */
        int64_t *start = o->post;
        for (int64_t l = 0; l < labels; l++) start[l] = 0;
        for (int64_t i = 0; i < g->nodes; i++)
            if (position[label[i]] + 1 < labels) start[position[label[i]] + 1]++;
        for (int64_t l = 1; l < labels; l++) start[l] += start[l - 1];
        for (int64_t i = 0; i < g->nodes; i++) o->plain[start[position[label[i]]]++] = i;
    }
    saddle__graph_clear(o->context, &quotient);
    return status;
}

static saddle_status by_metis(orderer *o, saddle__ordered *best)
{
    size_t bytes = (size_t)o->grouping.graph.nodes * sizeof *o->plain;
    saddle_status status = dissect_groups(o);
    int relax = o->request->late && o->request->eager != SADDLE__PATIENT &&
                saddle__ldlt_may_relax(&o->grouping);
    for (int relaxed = 0; status == SADDLE_OK && relaxed <= relax; relaxed++) {
        memcpy(o->groups, o->plain, bytes);
        status = try_order(o, 1, relaxed, best);
    }
    return status;
}

/* ---- all ---- */

static int worth_metis(const orderer *o, const saddle__ordered *amd)
{
    return amd->flops >= dense_flops * amd->entries &&
           amd->entries >= dense_fill * (double)saddle_matrix_entries(o->A);
}

static saddle_status by_cholmod(orderer *o, saddle__ordered *best)
{
    saddle_ordering ordering = o->request->ordering;
    int fits = saddle__metis_can_order(o->A);
    int metis = ordering == SADDLE_ORDERING_METIS && fits;
    saddle_status status = begin(o, best);
    if (status != SADDLE_OK) return status;
    if (!metis) {
        cholmod_sparse g = header(o->grouping.graph.nodes, o->lower_start, o->lower_index);
        for (size_t k = 0; k < g.nrow; k++) o->groups[k] = (int64_t)k;
        if (g.nrow > 0 && ordering != SADDLE_ORDERING_NATURAL &&
            !cholmod_l_amd(&g, NULL, 0, o->groups, &o->common))
            return translate(o);
        status = try_order(o, 0, 0, best);
        if (status == SADDLE_OK && ordering == SADDLE_ORDERING_BEST && fits)
            metis = worth_metis(o, best);
    }
    return status == SADDLE_OK && metis ? by_metis(o, best) : status;
}

static saddle_status by_graph(orderer *o, saddle__ordered *ordered)
{
    const saddle__ldlt_request *request = o->request;
    saddle_status status = saddle__grouping_begin(o->context, o->A, request->last, &o->grouping);
    int sparse = request->ordering == SADDLE_ORDERING_BEST ||
                 request->ordering == SADDLE_ORDERING_AMD;
    if (status == SADDLE_OK && sparse && o->grouping.graph.nodes == o->A->cols)
        status = saddle__minimum_degree(o->context, &o->grouping.graph, request->late,
                                        request->very_sparse, ordered);
    if (status != SADDLE_OK || ordered->runs > 0) return status;
    if (request->very_sparse) return SADDLE_UNSUPPORTED;
    cholmod_l_start(&o->common);
    o->common.print = 0;
    o->common.error_handler = NULL;
    o->common.try_catch = 1;
    status = by_cholmod(o, ordered);
    cholmod_l_finish(&o->common);
    return status;
}

saddle_status saddle__ordered_make(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ordered *ordered)
{
    orderer o = {.context = context, .A = A, .request = request};
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    ordered->order = saddle__allocate_unset(context, A->cols, sizeof *ordered->order);
    if (ordered->order)
        status = may_be_dense(A, request) ? make_dense(context, A->cols, request->late, ordered)
                                          : by_graph(&o, ordered);
    clear(&o);
    if (status != SADDLE_OK) saddle__ordered_clear(context, ordered);
    return status;
}
