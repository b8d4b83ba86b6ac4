/* SPDX-License-Identifier: MIT */
/* The order of elimination: minimum degree's where A is very sparse; else AMD's (through CHOLMOD)
 * and METIS' on the grouped graph, the one that needs fewer flops, and what CHOLMOD's symbolic
 * analysis says about L under it. References: Amestoy, Davis and Duff, ACM TOMS 30, 2004 (AMD);
 * Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998 (METIS); Gilbert, Ng and Peyton, SIAM J. Matrix
 * Anal. Appl. 15, 1994 (column counts). */
#include <string.h>

#include <cholmod.h>

#include "base/process.h"
#include "ldlt/ldlt_internal.h"

/* METIS is asked where AMD's factor has more than this many flops per entry, and entries per entry
 * of A: CHOLMOD's rule. */
static const double dense_flops = 500.0;
static const double dense_fill = 5.0;

/* The eager order costs steps of refinement: it is taken where it needs less than this part of the
 * patient one's flops. */
static const double usual_gain = 0.85;

/* How late groups are treated: waiting.c, eager.c. */
typedef enum manner { PATIENT, EAGER } manner;

typedef struct orderer {
    saddle_context *context;
    cholmod_common common;
    const saddle_matrix *A;
    const saddle__ldlt_request *request;
    saddle__grouping grouping;
    int64_t *lower_start; /* groups + 1: lower triangle of the grouped graph */
    int64_t *lower_index;
    int64_t *groups;                                  /* groups: their order */
    int64_t *plain;                                   /* groups: METIS', as if nothing were late */
    int64_t *weight;                                  /* groups: nodes in each */
    int64_t *order;                                   /* n: the nodes' */
    int64_t *parent, *post, *count, *scratch, *level; /* n each, CHOLMOD's */
} orderer;

void saddle__ordered_forget_runs(saddle_context *context, saddle__ordered *ordered)
{
    int32_t **block[] = {&ordered->run_begin, &ordered->run_parent, &ordered->run_rows,
                         &ordered->run_list,  &ordered->run_number, &ordered->list};
    for (size_t i = 0; i < sizeof(block) / sizeof(block[0]); i++) {
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
    saddle__ordered empty = {.order = NULL};
    *ordered = empty;
}

static void clear(orderer *o)
{
    saddle__grouping_clear(o->context, &o->grouping);
    saddle_release(o->context, o->lower_start);
    saddle_release(o->context, o->lower_index);
    saddle_release(o->context, o->groups);
    saddle_release(o->context, o->plain);
    saddle_release(o->context, o->weight);
    saddle_release(o->context, o->order);
    saddle_release(o->context, o->parent);
    saddle_release(o->context, o->post);
    saddle_release(o->context, o->count);
    saddle_release(o->context, o->scratch);
    saddle_release(o->context, o->level);
    cholmod_l_finish(&o->common);
}

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

/* What AMD and METIS take, and CHOLMOD leaves. */
static saddle_status begin(orderer *o, saddle__ordered *best)
{
    int64_t n = o->A->cols;
    best->parent = saddle_allocate(o->context, n, sizeof(*best->parent));
    best->count = saddle_allocate(o->context, n, sizeof(*best->count));
    o->order = saddle_allocate(o->context, n, sizeof(*o->order));
    o->parent = saddle_allocate(o->context, n, sizeof(*o->parent));
    o->post = saddle_allocate(o->context, n, sizeof(*o->post));
    o->count = saddle_allocate(o->context, n, sizeof(*o->count));
    o->scratch = saddle_allocate(o->context, n, sizeof(*o->scratch));
    o->level = saddle_allocate(o->context, n, sizeof(*o->level));
    if (!best->parent || !best->count || !o->order || !o->parent || !o->post || !o->count ||
        !o->scratch || !o->level)
        return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle__grouping_make(o->context, o->A, o->request, &o->grouping);
    if (status != SADDLE_OK) return status;
    const saddle__graph *g = &o->grouping.graph;
    o->lower_start = saddle_allocate(o->context, g->nodes + 1, sizeof(*o->lower_start));
    o->lower_index = saddle_allocate(o->context, g->start[g->nodes] / 2, sizeof(*o->lower_index));
    o->groups = saddle_allocate(o->context, g->nodes, sizeof(*o->groups));
    o->weight = saddle_allocate(o->context, g->nodes, sizeof(*o->weight));
    o->plain = saddle_allocate(o->context, g->nodes, sizeof(*o->plain));
    if (!o->lower_start || !o->lower_index || !o->groups || !o->weight || !o->plain)
        return SADDLE_OUT_OF_MEMORY;
    int64_t count = 0;
    for (int64_t j = 0; j < g->nodes; j++) {
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++)
            if (g->node[k] > j) o->lower_index[count++] = g->node[k];
        o->lower_start[j + 1] = count;
    }
    return SADDLE_OK;
}

/* o->order from the groups', those that come last behind; o->groups as changed for late ones */
static saddle_status expand(orderer *o, manner how)
{
    const saddle__grouping *x = &o->grouping;
    int64_t n = o->A->cols;
    saddle_status status = SADDLE_OK;
    if (o->request->late && how == PATIENT) status = saddle__ldlt_wait(o->context, x, o->groups);
    if (o->request->late && how == EAGER)
        status = saddle__ldlt_hurry(o->context, x, o->request->eager == SADDLE__LESS_EAGER,
                                    o->groups);
    if (status != SADDLE_OK) return status;
    int64_t count = 0;
    for (int64_t k = 0; k < x->graph.nodes; k++)
        for (int64_t t = x->start[o->groups[k]]; t < x->start[o->groups[k] + 1]; t++)
            o->order[count++] = x->member[t];
    for (int64_t i = 0; i < n; i++)
        if (x->group[i] < 0) o->order[count++] = i;
    return SADDLE_OK;
}

/* What counts in a comparison. */
static double cost_of(const orderer *o, double flops, int eager)
{
    double gain = o->request->eager_gain > 0.0 ? o->request->eager_gain : usual_gain;
    return eager ? flops / gain : flops;
}

/* Tree and counts of o->order, kept in `best` where they beat it. */
static saddle_status measure(orderer *o, int metis, manner how, saddle__ordered *best)
{
    int64_t n = o->A->cols;
    cholmod_sparse A = header(n, o->A->start, o->A->index);
    if (!cholmod_l_analyze_ordering(&A, CHOLMOD_GIVEN, o->order, NULL, 0, o->parent, o->post,
                                    o->count, o->scratch, o->level, &o->common))
        return translate(o);
    int better = best->flops < 0.0 ||
                 cost_of(o, o->common.fl, how == EAGER) < cost_of(o, best->flops, best->eager);
    if (!better) return SADDLE_OK;
    best->flops = o->common.fl;
    best->entries = o->common.lnz;
    best->metis = metis;
    best->eager = how == EAGER;
    for (int64_t k = 0; k < n; k++) o->scratch[o->post[k]] = k;
    for (int64_t k = 0; k < n; k++) {
        int64_t parent = o->parent[o->post[k]];
        best->order[k] = o->order[o->post[k]];
        best->parent[k] = parent >= 0 ? o->scratch[parent] : -1;
        best->count[k] = o->count[o->post[k]];
    }
    return SADDLE_OK;
}

static saddle_status by_amd(orderer *o, saddle__ordered *best)
{
    cholmod_sparse g = header(o->grouping.graph.nodes, o->lower_start, o->lower_index);
    if (g.nrow > 0 && !cholmod_l_amd(&g, NULL, 0, o->groups, &o->common)) return translate(o);
    saddle_status status = expand(o, PATIENT);
    return status == SADDLE_OK ? measure(o, 0, PATIENT, best) : status;
}

/* METIS' order of groups, with late ones treated in either manner where that is allowed; again: in
 * that which was better. */
static saddle_status measure_manners(orderer *o, int again, saddle__ordered *best)
{
    const saddle__grouping *x = &o->grouping;
    int hurry = o->request->eager != SADDLE__PATIENT && o->request->late &&
                saddle__ldlt_may_hurry(x);
    if (again) {
        manner how = best->eager ? EAGER : PATIENT;
        saddle_status status = expand(o, how);
        return status == SADDLE_OK ? measure(o, 1, how, best) : status;
    }
    if (hurry) memcpy(o->plain, o->groups, (size_t)x->graph.nodes * sizeof(*o->plain));
    saddle_status status = expand(o, PATIENT);
    if (status == SADDLE_OK) status = measure(o, 1, PATIENT, best);
    if (status != SADDLE_OK || !hurry) return status;
    memcpy(o->groups, o->plain, (size_t)x->graph.nodes * sizeof(*o->plain));
    status = expand(o, EAGER);
    return status == SADDLE_OK ? measure(o, 1, EAGER, best) : status;
}

/* Once; again where coarsening made the graph so much smaller that it costs no more than one that
 * did not. */
static saddle_status by_metis(orderer *o, saddle__ordered *best)
{
    const saddle__grouping *x = &o->grouping;
    for (int64_t g = 0; g < x->graph.nodes; g++) o->weight[g] = x->start[g + 1] - x->start[g];
    saddle__dissection d = {.weight = NULL};
    saddle_status status = saddle__dissection_begin(o->context, &x->graph, o->weight, &d);
    for (int attempt = 0; attempt < SADDLE__DISSECTIONS && status == SADDLE_OK; attempt++) {
        if (attempt > 0 && d.quotient.nodes > x->graph.nodes / 3 * 2) break;
        status = saddle__dissection_order(o->context, &d, attempt, o->groups);
        if (status == SADDLE_OK) status = measure_manners(o, attempt > 0, best);
    }
    saddle__dissection_clear(o->context, &d);
    return status;
}

static saddle_status natural(orderer *o, saddle__ordered *best)
{
    for (int64_t k = 0; k < o->grouping.graph.nodes; k++)
        o->groups[k] = k; /* by their first nodes */
    saddle_status status = expand(o, PATIENT);
    return status == SADDLE_OK ? measure(o, 0, PATIENT, best) : status;
}

static int worth_metis(const orderer *o, const saddle__ordered *amd)
{
    return amd->flops >= dense_flops * amd->entries &&
           amd->entries >= dense_fill * (double)saddle_matrix_entries(o->A);
}

static saddle_status by_cholmod(orderer *o, saddle__ordered *best)
{
    saddle_ordering ordering = o->request->ordering;
    int fits = saddle__metis_can_order(o->A);
    saddle_status status = begin(o, best);
    best->flops = -1.0;
    if (status == SADDLE_OK && ordering == SADDLE_ORDERING_NATURAL) return natural(o, best);
    int metis = ordering == SADDLE_ORDERING_METIS && fits;
    if (status == SADDLE_OK && !metis) status = by_amd(o, best);
    if (status == SADDLE_OK && ordering == SADDLE_ORDERING_BEST && fits)
        metis = worth_metis(o, best);
    if (status == SADDLE_OK && metis) status = by_metis(o, best);
    return status;
}

/* Minimum degree does without groups, of nodes that are all alike. */
static int may_be_sparse(const orderer *o)
{
    saddle_ordering ordering = o->request->ordering;
    return (ordering == SADDLE_ORDERING_BEST || ordering == SADDLE_ORDERING_AMD) &&
           o->grouping.graph.nodes == o->A->cols;
}

saddle_status saddle__ordered_make(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ordered *ordered)
{
    orderer o = {.context = context, .A = A, .request = request};
    cholmod_l_start(&o.common);
    o.common.print = 0;
    o.common.error_handler = NULL;
    o.common.try_catch = 1;
    ordered->order = saddle__allocate_unset(context, A->cols, sizeof(*ordered->order));
    saddle_status status = ordered->order ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__grouping_begin(context, A, request, &o.grouping);
    if (status == SADDLE_OK && may_be_sparse(&o))
        status = saddle__minimum_degree(context, &o.grouping.graph, request->late,
                                        request->very_sparse, ordered);
    if (status == SADDLE_OK && ordered->runs == 0)
        status = request->very_sparse ? SADDLE_UNSUPPORTED : by_cholmod(&o, ordered);
    clear(&o);
    if (status != SADDLE_OK) saddle__ordered_clear(context, ordered);
    return status;
}
