/* SPDX-License-Identifier: MIT */
/* Unreduced problem -> some attachments kept as rows -> the others eliminated -> solution of the
 * whole problem.
 *
 *     lambda_beta of a row kept: its multiplier; of one eliminated: F of saddle_reduction_recover
 *         (7.3)
 */
#include <math.h>
#include <string.h>

#include "choose.h"
#include "keep.h"
#include "problem/pattern.h"
#include "reduction.h"

struct saddle_elimination {
    saddle_context *context;
    signed char *keep; /* components */
    saddle__kept kept;
    saddle_attachments *rest;
    saddle_reduction *reduction;
    saddle_solution inner;   /* of kept.problem, for recovery */
    double *force;           /* n */
    int64_t own_rows;        /* m of the unreduced problem */
    saddle__pattern pattern; /* of the unreduced problem */
    uint64_t print;          /* of the graph's structure */
    int64_t bound_count;     /* p */
    int64_t *bound;          /* p: velocity that is attached or prescribed, ascending .. */
    int64_t *row;            /* p: .. its row in kept.problem; -1 = eliminated */
    saddle_elimination_report report;
};

void saddle_elimination_free(saddle_elimination *e)
{
    if (!e) return;
    saddle_context *context = e->context;
    saddle_reduction_free(e->reduction);
    saddle_attachments_free(e->rest);
    saddle__kept_clear(context, &e->kept);
    saddle_solution_clear(&e->inner);
    saddle_release(context, e->keep);
    saddle_release(context, e->force);
    saddle_release(context, e->bound);
    saddle_release(context, e->row);
    saddle_release(context, e);
}

/* ---- the graph's structure ---- */

/* FNV-1a, eight bytes at a time. */
static uint64_t mix(uint64_t print, int64_t word)
{
    return (print ^ (uint64_t)word) * UINT64_C(0x100000001b3);
}

/* All that is not a value. */
static uint64_t print_of(const saddle_attachments *graph)
{
    uint64_t print = mix(UINT64_C(0xcbf29ce484222325), graph->count);
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        const saddle__attachment *a = k->attachment;
        print = mix(mix(mix(print, k->id), k->size), (k->velocity ? 1 : 0) + (a ? 2 : 0));
        if (!a) continue;
        print = mix(mix(print, a->rows), a->block_count);
        for (int64_t i = 0; i < a->rows; i++) print = mix(print, a->direction[i]);
        for (int64_t b = 0; b < a->block_count; b++) print = mix(print, a->master[b]);
    }
    return print;
}

/* ---- making ---- */

/* Which velocities are bound, and where their multipliers will stand. */
static saddle_status list_bound(saddle_elimination *e, const saddle_attachments *graph)
{
    for (int64_t c = 0; c < graph->count; c++)
        e->bound_count += saddle__component_bound(&graph->component[c]);
    e->bound = saddle_allocate(e->context, e->bound_count, sizeof *e->bound);
    e->row = saddle_allocate(e->context, e->bound_count, sizeof *e->row);
    if (!e->bound || !e->row) return SADDLE_OUT_OF_MEMORY;
    int64_t p = 0;
    int64_t row = e->own_rows;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        for (int64_t i = 0; i < saddle__component_bound(k); i++) {
            e->bound[p] = k->first + (k->attachment ? k->attachment->direction[i] : i);
            e->row[p++] = e->keep[c] ? row++ : -1;
        }
    }
    return SADDLE_OK;
}

static void describe(saddle_elimination *e, const saddle_attachments *graph,
                     const saddle_problem *problem)
{
    saddle_elimination_report *r = &e->report;
    const saddle_problem *reduced = saddle_reduction_problem(e->reduction);
    r->n = problem->n;
    r->m = problem->m;
    r->multipliers = e->bound_count;
    r->reduced_n = reduced->n;
    r->reduced_m = reduced->m;
    for (int64_t c = 0; c < graph->count; c++) {
        if (!graph->component[c].attachment) continue;
        r->kept += e->keep[c] != 0;
        r->eliminated += e->keep[c] == 0;
    }
    for (int64_t u = 0; u < e->reduction->map->units; u++)
        if (e->reduction->Q.width[u] > r->width) r->width = e->reduction->Q.width[u];
}

static saddle_status build(saddle_elimination *e, const saddle_attachments *graph,
                           const saddle_problem *problem, const saddle_options *options)
{
    saddle_status status = saddle__kept_create(e->context, graph, e->keep, problem, &e->kept);
    if (status == SADDLE_OK) status = saddle__rest_create(e->context, graph, e->keep, &e->rest);
    if (status == SADDLE_OK)
        status = saddle_reduction_create(e->context, e->rest, &e->kept.problem, options,
                                         &e->reduction);
    if (status == SADDLE_OK)
        status = saddle_reduction_form(e->reduction, e->rest, &e->kept.problem);
    if (status == SADDLE_OK)
        status = saddle_solution_create(e->context, problem->n, e->kept.problem.m, &e->inner);
    if (status != SADDLE_OK) return status;
    e->force = saddle_allocate(e->context, problem->n, sizeof *e->force);
    return e->force ? list_bound(e, graph) : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle_elimination_create(saddle_context *context, const saddle_attachments *graph,
                                        const saddle_problem *problem, saddle_elimination_wish wish,
                                        const saddle_elimination_wish *each,
                                        const saddle_options *options,
                                        saddle_elimination **elimination)
{
    saddle_context_clear_message(context);
    if (elimination) *elimination = NULL;
    if (!graph || !problem || !elimination)
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "saddle_elimination_create: attachments, problem or elimination is NULL");
    saddle_status status = saddle__attachments_fit(context, graph, problem);
    if (status != SADDLE_OK) return status;
    saddle_elimination *e = saddle_allocate(context, 1, sizeof *e);
    if (!e) return SADDLE_OUT_OF_MEMORY;
    e->context = context;
    e->own_rows = problem->m;
    e->pattern = saddle__pattern_of(problem);
    e->print = print_of(graph);
    e->report.work = e->report.work_eliminated = e->report.work_kept = (double)NAN;
    e->keep = saddle_allocate(context, graph->count, sizeof *e->keep);
    status = e->keep ? saddle__choose(context, graph, problem, wish, each, e->keep, &e->report)
                     : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = build(e, graph, problem, options);
    if (status != SADDLE_OK) {
        saddle_elimination_free(e);
        return status;
    }
    describe(e, graph, problem);
    *elimination = e;
    return SADDLE_OK;
}

/* ---- using ---- */

saddle_status saddle_elimination_form(saddle_elimination *e, const saddle_attachments *graph,
                                      const saddle_problem *problem)
{
    saddle_context_clear_message(e ? e->context : NULL);
    if (!e || !graph || !problem)
        return saddle_fail(e ? e->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_elimination_form: elimination, attachments or problem is NULL");
    if (print_of(graph) != e->print)
        return saddle_fail(e->context, SADDLE_INVALID_ARGUMENT,
                           "the graph is not the one planned for");
    saddle_status status = saddle__pattern_compare(e->context, &e->pattern, problem, 1);
    if (status != SADDLE_OK) return status;
    saddle__kept_refresh(graph, e->keep, problem, &e->kept);
    status = saddle__rest_refresh(graph, e->keep, e->rest);
    return status == SADDLE_OK ? saddle_reduction_form(e->reduction, e->rest, &e->kept.problem)
                               : status;
}

const saddle_problem *saddle_elimination_problem(const saddle_elimination *elimination)
{
    if (!elimination) return NULL;
    return saddle_reduction_problem(elimination->reduction);
}

saddle_elimination_report saddle_elimination_report_of(const saddle_elimination *elimination)
{
    if (!elimination) return (saddle_elimination_report){0};
    return elimination->report;
}

const signed char *saddle_elimination_choice(const saddle_elimination *elimination)
{
    if (!elimination) return NULL;
    return elimination->keep;
}

static saddle_status check_solution(const saddle_elimination *e, const saddle_solution *solution,
                                    int64_t n, int64_t m, const char *which)
{
    int whole = (n == 0 || solution->v) && (m == 0 || (solution->lambda && solution->w));
    if (solution->n == n && solution->m == m && whole) return SADDLE_OK;
    return saddle_fail(e->context, SADDLE_INVALID_ARGUMENT,
                       "the %s solution has n = %lld, m = %lld, not %lld, %lld, or lacks a vector",
                       which, (long long)solution->n, (long long)solution->m, (long long)n,
                       (long long)m);
}

saddle_status saddle_elimination_recover(const saddle_elimination *e,
                                         const saddle_solution *solution, saddle_solution *whole)
{
    saddle_context_clear_message(e ? e->context : NULL);
    if (!e || !solution || !whole)
        return saddle_fail(e ? e->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_elimination_recover: elimination, solution or whole is NULL");
    const saddle_problem *kept = &e->kept.problem;
    saddle_solution inner = e->inner;
    saddle_status status = check_solution(e, whole, kept->n, e->own_rows + e->bound_count, "whole");
    if (status == SADDLE_OK)
        status = saddle_reduction_recover(e->reduction, kept, solution, &inner, e->force);
    if (status != SADDLE_OK) return status;
    if (kept->n > 0) memcpy(whole->v, inner.v, (size_t)kept->n * sizeof(double));
    for (int64_t i = 0; i < e->own_rows; i++) {
        whole->lambda[i] = inner.lambda[i];
        whole->w[i] = inner.w[i];
    }
    for (int64_t p = 0; p < e->bound_count; p++) {
        int64_t row = e->row[p];
        whole->lambda[e->own_rows + p] = row >= 0 ? inner.lambda[row] : e->force[e->bound[p]];
        whole->w[e->own_rows + p] = row >= 0 ? inner.w[row] : 0;
    }
    return SADDLE_OK;
}

saddle_status saddle_elimination_restrict(const saddle_elimination *e, const saddle_solution *whole,
                                          saddle_solution *solution)
{
    saddle_context_clear_message(e ? e->context : NULL);
    if (!e || !whole || !solution)
        return saddle_fail(e ? e->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_elimination_restrict: elimination, whole or solution is NULL");
    const saddle_problem *reduced = saddle_reduction_problem(e->reduction);
    const int64_t *active = saddle_map_active(saddle_reduction_map(e->reduction));
    saddle_status status = check_solution(e, whole, e->kept.problem.n, e->own_rows + e->bound_count,
                                          "whole");
    if (status == SADDLE_OK)
        status = check_solution(e, solution, reduced->n, reduced->m, "reduced");
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < reduced->n; i++) solution->v[i] = whole->v[active[i]];
    for (int64_t i = 0; i < e->own_rows; i++) {
        solution->lambda[i] = whole->lambda[i];
        solution->w[i] = whole->w[i];
    }
    for (int64_t p = 0; p < e->bound_count; p++) {
        if (e->row[p] < 0) continue;
        solution->lambda[e->row[p]] = whole->lambda[e->own_rows + p];
        solution->w[e->row[p]] = whole->w[e->own_rows + p];
    }
    return SADDLE_OK;
}
