/* SPDX-License-Identifier: MIT */
/* Attachments kept as rows v_k - sum_j A_kj v_j = g_k behind the problem's own (seed 000, 0.18: G v
 * = g).
 *
 * Their pattern is that of the blocks, zeros included, so that it does not change with values.  Ids
 * count downwards from the least of the problem's by velocity, so that they stay while contacts
 * come and go.
 */
#include "keep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/problem_internal.h"
#include "saddle/elimination.h"

enum { NAME_SIZE = 300 };

int64_t saddle__component_bound(const saddle__component *c)
{
    if (c->velocity) return c->size;
    return c->attachment ? c->attachment->rows : 0;
}

static int is_kept(const signed char *keep, int64_t c)
{
    return !keep || keep[c];
}

/* Rows, and entries of J at them. */
static void count_kept(const saddle_attachments *graph, const signed char *keep, int64_t *rows,
                       int64_t *entries)
{
    *rows = *entries = 0;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        if (!is_kept(keep, c)) continue;
        *rows += saddle__component_bound(k);
        *entries += saddle__component_bound(k) + (k->attachment ? k->attachment->entries : 0);
    }
}

/* ---- memory ---- */

/* Everything of the problem but its rows; components are those of the graph. */
static saddle_status copy_shell(saddle_context *context, const saddle_attachments *graph,
                                const saddle_problem *problem, saddle_problem *kept)
{
    char **name = saddle_allocate(context, graph->count, sizeof *name);
    int64_t *size = saddle_allocate(context, graph->count, sizeof *size);
    saddle_status status = name && size ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    saddle_problem shell = *problem;
    shell.m = 0;
    shell.Jt = shell.R = (saddle_matrix){0};
    shell.f = shell.b = shell.lo = shell.hi = NULL;
    shell.row_id = NULL;
    shell.row_name = NULL;
    shell.component_name = name;
    shell.component_size = size;
    shell.component_count = graph->count;
    for (int64_t c = 0; status == SADDLE_OK && c < graph->count; c++) {
        name[c] = graph->component[c].name;
        size[c] = graph->component[c].size;
    }
    if (status == SADDLE_OK) status = saddle_problem_copy(context, &shell, kept);
    saddle_matrix_clear(&kept->Jt); /* copies of empty ones hold memory */
    saddle_matrix_clear(&kept->R);
    saddle_release(context, (void *)name);
    saddle_release(context, size);
    return status;
}

static saddle_status create_vectors(saddle_context *context, saddle_problem *kept)
{
    kept->f = saddle_allocate(context, kept->n, sizeof *kept->f);
    kept->b = saddle_allocate(context, kept->m, sizeof *kept->b);
    kept->lo = saddle_allocate(context, kept->m, sizeof *kept->lo);
    kept->hi = saddle_allocate(context, kept->m, sizeof *kept->hi);
    kept->row_id = saddle_allocate(context, kept->m, sizeof *kept->row_id);
    kept->row_name = saddle_allocate(context, kept->m, sizeof *kept->row_name);
    int whole = kept->f && kept->b && kept->lo && kept->hi && kept->row_id && kept->row_name;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* R with empty rows behind; 0 x 0 stays so. */
static saddle_status widen_compliance(saddle_context *context, const saddle_matrix *R, int64_t m,
                                      saddle_matrix *wide)
{
    if (R->rows == 0) return SADDLE_OK;
    int64_t entries = saddle_matrix_entries(R);
    saddle_status status = saddle_matrix_create(context, m, m, entries, R->symmetry, wide);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j <= m; j++)
        wide->start[j] = j <= R->cols && R->start ? R->start[j] : entries;
    if (entries > 0) memcpy(wide->index, R->index, (size_t)entries * sizeof *R->index);
    return SADDLE_OK;
}

/* ---- rows of J' ---- */

/* Where row i of what binds k has entries, in the order of the blocks; returns how many. */
static int64_t list_row(const saddle_attachments *graph, const saddle__component *k, int64_t i,
                        int64_t *index)
{
    const saddle__attachment *a = k->attachment;
    int64_t e = 0;
    index[e++] = k->first + (a ? a->direction[i] : i);
    for (int64_t b = 0; a && b < a->block_count; b++)
        for (int64_t j = 0; j < a->blocks[b].cols; j++)
            index[e++] = graph->component[a->master[b]].first + j;
    return e;
}

/* J' with the rows kept, their entries numbered from 1 as they are listed. */
static void list_rows(const saddle_attachments *graph, const signed char *keep,
                      const saddle_matrix *Jt, int64_t *start, int64_t *index, double *value)
{
    int64_t own = saddle_matrix_entries(Jt);
    int64_t row = Jt->cols;
    for (int64_t i = 0; i <= Jt->cols; i++) start[i] = Jt->start ? Jt->start[i] : 0;
    if (own > 0) memcpy(index, Jt->index, (size_t)own * sizeof *index);
    for (int64_t c = 0; c < graph->count; c++)
        for (int64_t i = 0; is_kept(keep, c) && i < saddle__component_bound(&graph->component[c]);
             i++, row++)
            start[row + 1] = start[row] +
                             list_row(graph, &graph->component[c], i, index + start[row]);
    for (int64_t e = own; e < start[row]; e++) value[e] = (double)(e - own + 1);
}

static saddle_status create_jacobian(saddle_context *context, const saddle_attachments *graph,
                                     const signed char *keep, const saddle_matrix *Jt,
                                     saddle__kept *kept)
{
    int64_t own = saddle_matrix_entries(Jt);
    int64_t m = kept->problem.m;
    int64_t *start = saddle_allocate(context, m + 1, sizeof *start);
    int64_t *index = saddle_allocate(context, own + kept->entries, sizeof *index);
    double *value = saddle_allocate(context, own + kept->entries, sizeof *value);
    kept->to = saddle_allocate(context, kept->entries, sizeof *kept->to);
    saddle_status status = start && index && value && kept->to ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) list_rows(graph, keep, Jt, start, index, value);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_csc(context, kept->problem.n, m, start, index, value,
                                        SADDLE_GENERAL, &kept->problem.Jt);
    if (status == SADDLE_OK)
        for (int64_t e = own; e < own + kept->entries; e++)
            kept->to[(int64_t)kept->problem.Jt.value[e] - 1] = e;
    saddle_release(context, start);
    saddle_release(context, index);
    saddle_release(context, value);
    return status;
}

/* ---- names ---- */

static saddle_status name_rows(saddle_context *context, const saddle_attachments *graph,
                               const signed char *keep, const saddle_problem *problem,
                               saddle_problem *kept)
{
    int64_t row = problem->m;
    char text[NAME_SIZE];
    for (int64_t i = 0; problem->row_name && i < problem->m; i++) {
        if (!problem->row_name[i]) continue;
        kept->row_name[i] = saddle__copy_text(context, problem->row_name[i]);
        if (!kept->row_name[i]) return SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        for (int64_t i = 0; is_kept(keep, c) && i < saddle__component_bound(k); i++, row++) {
            int64_t direction = k->attachment ? k->attachment->direction[i] : i;
            (void)snprintf(text, sizeof text, "%.250s[%lld] %s", k->name, (long long)direction,
                           k->attachment ? "attached" : "prescribed");
            kept->row_name[row] = saddle__copy_text(context, text);
            if (!kept->row_name[row]) return SADDLE_OUT_OF_MEMORY;
        }
    }
    return SADDLE_OK;
}

saddle_status saddle__kept_create(saddle_context *context, const saddle_attachments *graph,
                                  const signed char *keep, const saddle_problem *problem,
                                  saddle__kept *kept)
{
    count_kept(graph, keep, &kept->rows, &kept->entries);
    saddle_status status = copy_shell(context, graph, problem, &kept->problem);
    if (status != SADDLE_OK) return status;
    kept->problem.m = problem->m + kept->rows;
    status = create_vectors(context, &kept->problem);
    if (status == SADDLE_OK) status = create_jacobian(context, graph, keep, &problem->Jt, kept);
    if (status == SADDLE_OK)
        status = widen_compliance(context, &problem->R, kept->problem.m, &kept->problem.R);
    if (status == SADDLE_OK) status = name_rows(context, graph, keep, problem, &kept->problem);
    if (status == SADDLE_OK) saddle__kept_refresh(graph, keep, problem, kept);
    return status;
}

void saddle__kept_clear(saddle_context *context, saddle__kept *kept)
{
    saddle_problem_clear(&kept->problem);
    saddle_release(context, kept->to);
    *kept = (saddle__kept){0};
}

/* ---- values ---- */

static void copy_values(const saddle_matrix *from, saddle_matrix *to)
{
    int64_t entries = saddle_matrix_entries(from);
    if (entries > 0) memcpy(to->value, from->value, (size_t)entries * sizeof *to->value);
}

/* The problem's own rows; returns the least of their ids, 0 where that is more. */
static int64_t copy_rows(const saddle_problem *problem, saddle_problem *kept)
{
    int64_t least = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        kept->b[i] = problem->b ? problem->b[i] : 0;
        kept->lo[i] = saddle_problem_lo(problem, i);
        kept->hi[i] = saddle_problem_hi(problem, i);
        kept->row_id[i] = saddle_problem_row_id(problem, i);
        if (kept->row_id[i] < least) least = kept->row_id[i];
    }
    return least;
}

/* Row i of what binds k, as row `row`; to: of its entries. */
static int64_t write_row(const saddle__component *k, int64_t i, const int64_t *to, int64_t row,
                         saddle_problem *kept)
{
    const saddle__attachment *a = k->attachment;
    int64_t e = 0;
    kept->Jt.value[to[e++]] = 1;
    for (int64_t b = 0; a && b < a->block_count; b++)
        for (int64_t j = 0; j < a->blocks[b].cols; j++)
            kept->Jt.value[to[e++]] = -a->blocks[b].value[i + j * a->rows];
    kept->b[row] = a ? a->term[i] : k->velocity[i];
    kept->lo[row] = -(double)INFINITY;
    kept->hi[row] = (double)INFINITY;
    return e;
}

void saddle__kept_refresh(const saddle_attachments *graph, const signed char *keep,
                          const saddle_problem *problem, saddle__kept *kept)
{
    saddle_problem *p = &kept->problem;
    copy_values(&problem->M, &p->M);
    copy_values(&problem->Jt, &p->Jt);
    copy_values(&problem->R, &p->R);
    for (int64_t i = 0; i < p->n; i++) p->f[i] = problem->f ? problem->f[i] : 0;
    for (int64_t c = 0; c < problem->contact_count; c++) p->contacts[c] = problem->contacts[c];
    p->time_step = problem->time_step;
    int64_t least = copy_rows(problem, p);
    int64_t row = problem->m;
    int64_t e = 0;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        for (int64_t i = 0; is_kept(keep, c) && i < saddle__component_bound(k); i++, row++) {
            e += write_row(k, i, kept->to + e, row, p);
            p->row_id[row] = least - 1 -
                             (k->first + (k->attachment ? k->attachment->direction[i] : i));
        }
    }
}

/* ---- what is left of the graph ---- */

saddle_status saddle__rest_create(saddle_context *context, const saddle_attachments *graph,
                                  const signed char *keep, saddle_attachments **rest)
{
    saddle_status status = saddle_attachments_create(context, rest);
    for (int64_t c = 0; status == SADDLE_OK && c < graph->count; c++) {
        saddle_component component = saddle_attachments_component(graph, c).component;
        if (keep[c]) component.parametric = 0;
        status = saddle_attachments_add(*rest, &component);
    }
    for (int64_t c = 0; status == SADDLE_OK && c < graph->count; c++) {
        saddle_attachment attachment;
        if (!keep[c] && saddle_attachments_attachment(graph, c, &attachment))
            status = saddle_attachments_attach(*rest, &attachment);
    }
    return status == SADDLE_OK ? saddle__rest_refresh(graph, keep, *rest) : status;
}

saddle_status saddle__rest_refresh(const saddle_attachments *graph, const signed char *keep,
                                   saddle_attachments *rest)
{
    saddle_status status = SADDLE_OK;
    for (int64_t c = 0; status == SADDLE_OK && c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        if (keep[c]) continue;
        if (k->attachment)
            status = saddle_attachments_set(rest, k->id, k->attachment->value, k->attachment->term);
        else if (k->velocity)
            status = saddle_attachments_prescribe(rest, k->id, k->velocity);
    }
    return status;
}

saddle_status saddle__attachments_fit(saddle_context *context, const saddle_attachments *graph,
                                      const saddle_problem *problem)
{
    if (problem->n != graph->n)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the problem has %lld velocities, the attachments' components %lld",
                           (long long)problem->n, (long long)graph->n);
    int64_t *order = saddle_allocate(context, graph->count, sizeof *order);
    saddle_status status = order ? saddle_attachments_order(graph, order) : SADDLE_OUT_OF_MEMORY;
    saddle_release(context, order);
    return status == SADDLE_OK ? saddle_problem_check(context, problem, NULL, NULL) : status;
}

saddle_status saddle_attachments_keep(saddle_context *context, const saddle_attachments *graph,
                                      const saddle_problem *problem, saddle_problem *whole)
{
    saddle_context_clear_message(context);
    if (whole) *whole = (saddle_problem){0};
    if (!graph || !problem || !whole)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_keep: attachments, problem or whole is NULL");
    saddle__kept kept = {0};
    saddle_status status = saddle__attachments_fit(context, graph, problem);
    if (status == SADDLE_OK) status = saddle__kept_create(context, graph, NULL, problem, &kept);
    if (status == SADDLE_OK) status = saddle_problem_check(context, &kept.problem, NULL, NULL);
    if (status == SADDLE_OK) {
        *whole = kept.problem;
        kept.problem = (saddle_problem){0};
    }
    saddle__kept_clear(context, &kept);
    return status;
}
