/* SPDX-License-Identifier: MIT */
/* The rows of the reduced problem: the problem's own, then the rows of attachments kept,
 *
 *     v_k - sum_j A_kj v_j = g_k        v_k = given        (Lloyd, ArtiSynth mechanics notes, 0.18)
 *
 * The pattern of a row kept is the pattern of its blocks, zeros included, independent of values.
 * Ids count downwards by velocity from the least id of the problem, and so stay the same while
 * contacts come and go.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "elimination.h"
#include "problem/problem_internal.h"

enum { NAME_SIZE = 300 };

/* ---- J' with the rows kept ---- */

/* Velocities with an entry in row i of component k, in the order of the blocks; returns their
 * number. */
static int64_t list_row(const saddle_attachments *graph, const saddle__component *k, int64_t i,
                        int64_t *index)
{
    const saddle__attachment *a = k->attachment;
    int64_t e = 0;
    index[e++] = saddle__bound_velocity(k, i);
    for (int64_t b = 0; a && b < a->block_count; b++)
        for (int64_t j = 0; j < a->blocks[b].cols; j++)
            index[e++] = graph->component[a->master[b]].first + j;
    return e;
}

/* J' by columns; the entries of the rows kept are numbered from 1 in value. */
static void list_rows(const saddle_elimination *e, const saddle_attachments *graph,
                      const saddle_matrix *Jt, int64_t *start, int64_t *index, double *value)
{
    int64_t own = saddle_matrix_entries(Jt);
    int64_t row = e->own_rows;
    for (int64_t i = 0; i <= row; i++) start[i] = Jt->start ? Jt->start[i] : 0;
    if (own > 0) memcpy(index, Jt->index, (size_t)own * sizeof *index);
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        for (int64_t i = 0; e->keep[c] && i < saddle__bound_count(k); i++, row++)
            start[row + 1] = start[row] + list_row(graph, k, i, index + start[row]);
    }
    for (int64_t p = own; p < start[row]; p++) value[p] = (double)(p - own + 1);
}

static saddle_status create_kept(saddle_elimination *e, const saddle_attachments *graph,
                                 const saddle_matrix *Jt)
{
    saddle_context *context = e->context;
    int64_t own = saddle_matrix_entries(Jt);
    int64_t entries = 0;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        if (!e->keep[c]) continue;
        e->kept.rows += saddle__bound_count(k);
        entries += saddle__bound_count(k) + (k->attachment ? k->attachment->entries : 0);
    }
    if (e->kept.rows == 0) return SADDLE_OK;
    int64_t m = e->own_rows + e->kept.rows;
    int64_t *start = saddle_allocate(context, m + 1, sizeof *start);
    int64_t *index = saddle_allocate(context, own + entries, sizeof *index);
    double *value = saddle_allocate(context, own + entries, sizeof *value);
    e->kept.to = saddle_allocate(context, entries, sizeof *e->kept.to);
    saddle_status status = start && index && value && e->kept.to ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) list_rows(e, graph, Jt, start, index, value);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_csc(context, graph->n, m, start, index, value, SADDLE_GENERAL,
                                        &e->kept.Jt);
    for (int64_t p = own; status == SADDLE_OK && p < own + entries; p++)
        e->kept.to[(int64_t)e->kept.Jt.value[p] - 1] = p;
    saddle_release(context, start);
    saddle_release(context, index);
    saddle_release(context, value);
    return status;
}

/* ---- the reduced problem ---- */

/* All but rows and f', with the components that have active velocities. */
static saddle_status copy_shell(saddle_elimination *e, const saddle_attachments *graph,
                                const saddle_problem *problem)
{
    const saddle_map *map = e->map;
    saddle_context *context = e->context;
    char **name = saddle_allocate(context, map->components, sizeof *name);
    int64_t *size = saddle_allocate(context, map->components, sizeof *size);
    saddle_status status = name && size ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    saddle_problem shell = *problem;
    shell.n = map->active_count;
    shell.m = 0;
    shell.M = shell.Jt = shell.R = (saddle_matrix){0};
    shell.f = shell.b = shell.lo = shell.hi = NULL;
    shell.row_id = NULL;
    shell.row_name = NULL;
    shell.component_count = 0;
    shell.component_name = name;
    shell.component_size = size;
    for (int64_t c = 0; status == SADDLE_OK && c < map->components; c++) {
        if (saddle__component_width(map, c) == 0) continue;
        name[shell.component_count] = graph->component[c].name;
        size[shell.component_count++] = saddle__component_width(map, c);
    }
    if (status == SADDLE_OK) status = saddle_problem_copy(context, &shell, &e->reduced);
    saddle_matrix_clear(&e->reduced.R); /* the copy of an empty matrix holds memory */
    saddle_release(context, (void *)name);
    saddle_release(context, size);
    return status;
}

static saddle_status create_vectors(saddle_context *context, saddle_problem *p)
{
    p->f = saddle_allocate(context, p->n, sizeof *p->f);
    p->b = saddle_allocate(context, p->m, sizeof *p->b);
    p->lo = saddle_allocate(context, p->m, sizeof *p->lo);
    p->hi = saddle_allocate(context, p->m, sizeof *p->hi);
    p->row_id = saddle_allocate(context, p->m, sizeof *p->row_id);
    return p->f && p->b && p->lo && p->hi && p->row_id ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* R with empty rows for the rows kept; 0 x 0 stays 0 x 0. */
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

static saddle_status name_rows(saddle_elimination *e, const saddle_attachments *graph,
                               const saddle_problem *problem)
{
    saddle_problem *p = &e->reduced;
    char text[NAME_SIZE];
    if (!problem->row_name && e->kept.rows == 0) return SADDLE_OK;
    p->row_name = saddle_allocate(e->context, p->m, sizeof *p->row_name);
    if (!p->row_name) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; problem->row_name && i < problem->m; i++) {
        if (!problem->row_name[i]) continue;
        p->row_name[i] = saddle__copy_text(e->context, problem->row_name[i]);
        if (!p->row_name[i]) return SADDLE_OUT_OF_MEMORY;
    }
    int64_t row = problem->m;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        for (int64_t i = 0; e->keep[c] && i < saddle__bound_count(k); i++, row++) {
            (void)snprintf(text, sizeof text, "%.250s[%lld] %s", k->name,
                           (long long)(saddle__bound_velocity(k, i) - k->first),
                           k->attachment ? "attached" : "prescribed");
            p->row_name[row] = saddle__copy_text(e->context, text);
            if (!p->row_name[row]) return SADDLE_OUT_OF_MEMORY;
        }
    }
    return SADDLE_OK;
}

saddle_status saddle__rows_create(saddle_elimination *e, const saddle_attachments *graph,
                                  const saddle_problem *problem)
{
    saddle_problem *p = &e->reduced;
    saddle_status status = create_kept(e, graph, &problem->Jt);
    if (status == SADDLE_OK) status = copy_shell(e, graph, problem);
    if (status != SADDLE_OK) return status;
    p->m = problem->m + e->kept.rows;
    status = create_vectors(e->context, p);
    if (status == SADDLE_OK) status = widen_compliance(e->context, &problem->R, p->m, &p->R);
    return status == SADDLE_OK ? name_rows(e, graph, problem) : status;
}

/* ---- values ---- */

static void copy_values(const saddle_matrix *from, saddle_matrix *to)
{
    int64_t entries = saddle_matrix_entries(from);
    if (entries > 0) memcpy(to->value, from->value, (size_t)entries * sizeof *to->value);
}

/* The problem's own rows; returns the least of their ids, 0 where all are positive. */
static int64_t copy_rows(const saddle_problem *problem, saddle_problem *p)
{
    int64_t least = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        p->b[i] = problem->b ? problem->b[i] : 0;
        p->lo[i] = saddle_problem_lo(problem, i);
        p->hi[i] = saddle_problem_hi(problem, i);
        p->row_id[i] = saddle_problem_row_id(problem, i);
        if (p->row_id[i] < least) least = p->row_id[i];
    }
    return least;
}

void saddle__rows_refresh(saddle_elimination *e, const saddle_attachments *graph,
                          const saddle_problem *problem)
{
    saddle_problem *p = &e->reduced;
    double *J = e->kept.Jt.value;
    const int64_t *to = e->kept.to;
    int64_t least = copy_rows(problem, p);
    int64_t row = problem->m;
    copy_values(&problem->R, &p->R);
    for (int64_t c = 0; c < problem->contact_count; c++) p->contacts[c] = problem->contacts[c];
    p->time_step = problem->time_step;
    if (e->kept.rows > 0) copy_values(&problem->Jt, &e->kept.Jt);
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        const saddle__attachment *a = k->attachment;
        for (int64_t i = 0; e->keep[c] && i < saddle__bound_count(k); i++, row++) {
            J[*to++] = 1;
            for (int64_t b = 0; a && b < a->block_count; b++)
                for (int64_t j = 0; j < a->blocks[b].cols; j++)
                    J[*to++] = -a->blocks[b].value[i + j * a->rows];
            p->b[row] = a ? a->term[i] : k->velocity[i];
            p->lo[row] = -(double)INFINITY;
            p->hi[row] = (double)INFINITY;
            p->row_id[row] = least - 1 - saddle__bound_velocity(k, i);
        }
    }
}
