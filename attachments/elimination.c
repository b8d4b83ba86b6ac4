/* SPDX-License-Identifier: MIT */
/* Problem -> some attachments kept as rows, the others eliminated -> solution of the whole problem
 * (Lloyd, ArtiSynth mechanics notes, 0.17 - 0.24, 0.33 - 0.35):
 *
 *     f' = Q'(f - M d)   b' = b - J d      prescribed velocities are in d
 *     v = Q u + d
 *     F = M v - J'lambda - f, then F_j <- F_j + A_kj'F_k in reverse order
 *     lambda_beta of a row kept: its multiplier; of an eliminated velocity k: F_k
 *
 * The rows of the reduced problem are the problem's own, then the rows of attachments kept,
 *
 *     v_k - sum_j A_kj v_j = g_k        v_k = given        (Lloyd, ArtiSynth mechanics notes, 0.18)
 */
#include "elimination.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vector.h"
#include "dense/dense.h"
#include "ldlt/tasks.h"
#include "matrix/matrix_internal.h"
#include "problem/problem_internal.h"

enum { TEXT_SIZE = 600 };

void saddle_elimination_free(saddle_elimination *e)
{
    if (!e) return;
    saddle_context *context = e->context;
    saddle__layout_clear(context, &e->Q.layout);
    saddle_map_free(e->map);
    saddle_problem_clear(&e->reduced);
    saddle__folded_clear(&e->folded);
    saddle_matrix_clear(&e->kept.Jt);
    saddle__layout_clear(context, &e->layout);
    saddle__layout_clear(context, &e->scratch_layout);
    saddle__release_all(context, e->keep, e->kept.to, e->mirror.start, e->mirror.column,
                        e->mirror.offset, e);
}

/* ---- J' with the rows kept ----
 *
 * The pattern of a row kept is the pattern of its blocks, zeros included, independent of values.
 * Ids count downwards by velocity from the least id of the problem, and so stay the same while
 * contacts come and go. */

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
        status = saddle_matrix_from_csc(context, graph->n, m, start, index, value,
                                        SADDLE_SYMMETRY_NONE, &e->kept.Jt);
    for (int64_t p = own; status == SADDLE_OK && p < own + entries; p++)
        e->kept.to[(int64_t)e->kept.Jt.value[p] - 1] = p;
    saddle__release_all(context, start, index, value);
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
    saddle__release_all(context, (void *)name, size);
    return status;
}

/* R with empty rows for the rows kept; 0 x 0 stays 0 x 0. */
static saddle_status widen_compliance(saddle_context *context, const saddle_matrix *R, int64_t m,
                                      saddle_matrix *wide)
{
    if (R->rows == 0) return SADDLE_OK;
    int64_t entries = saddle_matrix_entries(R);
    SADDLE__TRY(saddle_matrix_create(context, m, m, entries, R->symmetry, wide));
    for (int64_t j = 0; j <= m; j++)
        wide->start[j] = j <= R->cols && R->start ? R->start[j] : entries;
    if (entries > 0) memcpy(wide->index, R->index, (size_t)entries * sizeof *R->index);
    return SADDLE_OK;
}

static saddle_status name_rows(saddle_elimination *e, const saddle_attachments *graph,
                               const saddle_problem *problem)
{
    saddle_problem *p = &e->reduced;
    char text[TEXT_SIZE];
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

/* kept, and reduced but for M', J' and f': rows, names, contacts. */
static saddle_status create_rows(saddle_elimination *e, const saddle_attachments *graph,
                                 const saddle_problem *problem)
{
    saddle_problem *p = &e->reduced;
    SADDLE__TRY(create_kept(e, graph, &problem->Jt));
    SADDLE__TRY(copy_shell(e, graph, problem));
    p->m = problem->m + e->kept.rows;
    p->f = saddle_allocate(e->context, p->n, sizeof *p->f);
    p->b = saddle_allocate(e->context, p->m, sizeof *p->b);
    p->lo = saddle_allocate(e->context, p->m, sizeof *p->lo);
    p->hi = saddle_allocate(e->context, p->m, sizeof *p->hi);
    p->row_id = saddle_allocate(e->context, p->m, sizeof *p->row_id);
    if (!p->f || !p->b || !p->lo || !p->hi || !p->row_id) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(widen_compliance(e->context, &problem->R, p->m, &p->R));
    return name_rows(e, graph, problem);
}

/* ---- the rows' values ---- */

static void copy_values(const saddle_matrix *from, saddle_matrix *to)
{
    saddle__copy(to->value, from->value, saddle_matrix_entries(from));
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

/* Their values; b before J d is subtracted. */
static void refresh_rows(saddle_elimination *e, const saddle_attachments *graph,
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

/* ---- the plan ---- */

/* Ranges of columns for the threads to share. */
static int64_t task_count(const saddle_elimination *e)
{
    return e->threads > 1 ? 16 * e->threads : 1;
}

static saddle_status make_vectors(saddle_context *context, saddle_elimination *e)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(e->bound, e->bound_count),
                                    SADDLE__ARRAY(e->copied, e->map->active_count),
                                    SADDLE__ARRAY(e->particular, e->map->n),
                                    SADDLE__ARRAY(e->force, e->map->n),
                                    SADDLE__ARRAY(e->scratch, e->threads),
                                    SADDLE__ARRAY(e->mass_task, task_count(e) + 2),
                                    SADDLE__ARRAY(e->jacobian_task, task_count(e) + 1)};
    return saddle__layout_make(context, &e->layout, arrays, SADDLE__LENGTH(arrays));
}

/* The vectors, with the bound velocities and the rows of those kept. */
static saddle_status create_vectors(saddle_elimination *e, const saddle_attachments *graph)
{
    for (int64_t c = 0; c < graph->count; c++)
        e->bound_count += saddle__bound_count(&graph->component[c]);
    SADDLE__TRY(make_vectors(e->context, e));
    int64_t p = 0;
    int64_t row = e->own_rows;
    for (int64_t c = 0; c < graph->count; c++)
        for (int64_t i = 0; i < saddle__bound_count(&graph->component[c]); i++)
            e->bound[p++] = e->keep[c] ? -1 - row++
                                       : saddle__bound_velocity(&graph->component[c], i);
    return SADDLE_OK;
}

static void place_scratch(saddle_elimination *e)
{
    const saddle_map *map = e->map;
    saddle__layout *l = &e->scratch_layout;
    int64_t attached = map->row_start[map->units];
    for (int64_t t = 0; t < e->threads; t++) {
        saddle__scratch *s = &e->scratch[t];
        s->x = saddle__layout_take(l, map->active_count, sizeof *s->x);
        s->where = saddle__layout_take(l, map->active_count, sizeof *s->where);
        s->slot = saddle__layout_take(l, attached, sizeof *s->slot);
        s->head = saddle__layout_take(l, e->Q.levels, sizeof *s->head);
        s->next = saddle__layout_take(l, map->units, sizeof *s->next);
        s->Z = saddle__layout_take(l, e->panel_rows, SADDLE__PANEL_COLUMNS * sizeof *s->Z);
        s->Y = saddle__layout_take(l, attached, SADDLE__PANEL_COLUMNS * sizeof *s->Y);
    }
}

static saddle_status create_scratch(saddle_elimination *e)
{
    place_scratch(e);
    SADDLE__TRY(saddle__layout_allocate(e->context, &e->scratch_layout));
    place_scratch(e);
    for (int64_t t = 0; t < e->threads; t++) {
        saddle__scratch *s = &e->scratch[t];
        for (int64_t a = 0; a < e->map->row_start[e->map->units]; a++) s->slot[a] = -1;
        for (int64_t level = 0; level < e->Q.levels; level++) s->head[level] = -1;
        for (int64_t u = 0; u < e->map->units; u++) s->next[u] = -2;
    }
    return SADDLE_OK;
}

/* Work of the columns of a component, in entries; of a root every column of a follower is read. */
static double column_work(const saddle_elimination *e, const saddle_matrix *M, int64_t component)
{
    const saddle_map *map = e->map;
    const int64_t *start = e->reduced.M.start;
    double work = (double)(saddle__component_width(map, component) +
                           start[map->column[component + 1]] - start[map->column[component]]);
    for (int64_t f = e->Q.follower_start[component];
         M->start && saddle__component_width(map, component) > 0 &&
         f < e->Q.follower_start[component + 1];
         f++)
        for (int64_t a = map->row_start[e->Q.follower[f]]; a < map->row_start[e->Q.follower[f] + 1];
             a++)
            work += 2.0 * (double)(M->start[map->velocity[a] + 1] - M->start[map->velocity[a]]);
    return work;
}

/* Columns of M' in ranges of about equal work, cut where components end. */
static saddle_status share_mass(saddle_elimination *e, const saddle_matrix *M)
{
    const saddle_map *map = e->map;
    double *work = saddle_allocate(e->context, map->components, sizeof *work);
    double total = 0;
    double share = 0;
    if (!work) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < map->components; c++) total += work[c] = column_work(e, M, c);
    for (int64_t c = 0; c < map->components; c++) {
        share += work[c];
        if (share < total / (double)task_count(e) ||
            map->column[c + 1] == e->mass_task[e->mass_tasks])
            continue;
        e->mass_task[++e->mass_tasks] = map->column[c + 1];
        share = 0;
    }
    if (e->mass_task[e->mass_tasks] < map->active_count)
        e->mass_task[++e->mass_tasks] = map->active_count;
    saddle_release(e->context, work);
    return SADDLE_OK;
}

static void share_jacobian(saddle_elimination *e)
{
    int64_t rows = e->reduced.Jt.cols; /* 0 where J is empty */
    int64_t tasks = task_count(e) < rows ? task_count(e) : rows;
    e->jacobian_tasks = tasks;
    for (int64_t k = 0; tasks > 0 && k <= tasks; k++)
        e->jacobian_task[k] = rows / tasks * k + rows % tasks * k / tasks;
}

static void describe(saddle_elimination *e, const saddle_attachments *graph,
                     const saddle_problem *problem)
{
    saddle_elimination_report *r = &e->report;
    *r = (saddle_elimination_report){.n = problem->n,
                                     .m = problem->m,
                                     .multipliers = e->bound_count,
                                     .reduced_n = e->reduced.n,
                                     .reduced_m = e->reduced.m,
                                     .eliminated = e->map->units,
                                     .map_entries = e->Q.Q_start[e->map->units]};
    r->work = r->work_eliminated = r->work_kept = (double)NAN;
    for (int64_t c = 0; c < graph->count; c++)
        r->kept += e->keep[c] && graph->component[c].attachment;
    for (int64_t u = 0; u < e->map->units; u++)
        if (e->Q.width[u] > r->width) r->width = e->Q.width[u];
}

/* problem: folded */
static saddle_status plan(saddle_elimination *e, const saddle_attachments *graph,
                          const saddle_problem *problem)
{
    saddle_context *context = e->context;
    SADDLE__TRY(saddle__map_create(context, graph, e->keep, &e->map));
    SADDLE__TRY(create_rows(e, graph, problem));
    if (e->reduced.m > INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%lld rows", (long long)e->reduced.m);
    SADDLE__TRY(create_vectors(e, graph));
    SADDLE__TRY(saddle__reduce_patterns(e, problem));
    SADDLE__TRY(create_scratch(e));
    share_jacobian(e);
    return share_mass(e, &problem->M);
}

/* ---- values ---- */

/* f' and b'; d: v at u = 0. */
static void reduce_vectors(saddle_elimination *e, const saddle_problem *problem)
{
    const saddle_map *map = e->map;
    saddle_problem *p = &e->reduced;
    double *d = e->particular;
    int moves = 0;
    for (int64_t t = 0; t < map->active_count; t++) p->f[t] = 0;
    saddle_map_velocities(map, p->f, d);
    for (int64_t i = 0; i < map->n; i++) {
        moves |= d[i] != 0;
        e->force[i] = problem->f ? problem->f[i] : 0;
    }
    if (moves) saddle_matrix_apply(&problem->M, -1, d, 1, e->force);
    if (moves && p->m > 0)
        saddle_matrix_apply_transpose(saddle__all_rows(e, problem), -1, d, 1, p->b);
    saddle_map_pull(map, e->force, p->f);
}

/* problem: folded; all values are checked */
static saddle_status form(saddle_elimination *e, const saddle_attachments *graph,
                          const saddle_problem *problem)
{
    refresh_rows(e, graph, problem);
    saddle__reduce_matrices(e, problem);
    reduce_vectors(e, problem);
    saddle_status status = saddle__problem_check_values(e->context, &e->reduced);
    if (status == SADDLE_OK) status = saddle__problem_check_vectors(e->context, &e->reduced);
    e->formed = status == SADDLE_OK;
    if (status != SADDLE_INVALID_PROBLEM) return status; /* products and sums can overflow */
    return saddle_fail(e->context, status, "elimination overflows: reduced %s",
                       saddle_context_message(e->context));
}

saddle_status saddle_elimination_form(saddle_elimination *e, const saddle_attachments *graph,
                                      const saddle_problem *problem)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(e), e && graph && problem,
                          "elimination, attachments or problem is NULL");
    SADDLE__TRY(saddle__pattern_compare(e->context, &e->pattern, problem, 1, 1));
    SADDLE__TRY(saddle__problem_check_matrices(e->context, problem));
    SADDLE__TRY(saddle__problem_check_vectors(e->context, problem));
    SADDLE__TRY(saddle_map_refresh(e->map, graph));
    (void)saddle__folded_refresh(&e->folded, problem); /* symmetry was claimed and checked */
    return form(e, graph, saddle__folded_take(&e->folded, problem));
}

/* ---- making ---- */

saddle_status saddle__elimination_build(saddle_context *context, const saddle_attachments *graph,
                                        const saddle_problem *problem, const signed char *keep,
                                        int64_t threads, saddle_elimination **elimination)
{
    *elimination = NULL;
    saddle_elimination *e = saddle_allocate(context, 1, sizeof *e);
    if (!e) return SADDLE_OUT_OF_MEMORY;
    e->context = context;
    e->threads = threads;
    e->own_rows = problem->m;
    e->pattern = saddle__pattern_of(problem);
    e->keep = saddle_allocate(context, graph->count, sizeof *e->keep);
    saddle_status status = e->keep ? saddle__folded_create(context, problem, 0, &e->folded)
                                   : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        const saddle_problem *folded = saddle__folded_take(&e->folded, problem);
        memcpy(e->keep, keep, (size_t)graph->count * sizeof *keep);
        status = plan(e, graph, folded);
        if (status == SADDLE_OK) status = form(e, graph, folded);
    }
    if (status != SADDLE_OK) {
        saddle_elimination_free(e);
        return status;
    }
    describe(e, graph, problem);
    *elimination = e;
    return SADDLE_OK;
}

saddle_status saddle_attachments_keep(saddle_context *context, const saddle_attachments *graph,
                                      const saddle_problem *problem, saddle_problem *whole)
{
    if (whole) *whole = (saddle_problem){0};
    SADDLE__RETURN_UNLESS(context, graph && problem && whole,
                          "attachments, problem or whole is NULL");
    saddle_elimination *e;
    SADDLE__TRY(
        saddle_elimination_create(context, graph, problem, SADDLE_WISH_KEEP, NULL, NULL, &e));
    *whole = e->reduced;
    e->reduced = (saddle_problem){0};
    saddle_elimination_free(e);
    return SADDLE_OK;
}

const saddle_problem *saddle_elimination_problem(const saddle_elimination *elimination)
{
    return elimination ? &elimination->reduced : NULL;
}

const saddle_map *saddle_elimination_map(const saddle_elimination *elimination)
{
    return elimination ? elimination->map : NULL;
}

saddle_elimination_report saddle_elimination_report_of(const saddle_elimination *elimination)
{
    return elimination ? elimination->report : (saddle_elimination_report){0};
}

const signed char *saddle_elimination_choice(const saddle_elimination *elimination)
{
    return elimination ? elimination->keep : NULL;
}

/* ---- solutions ---- */

static saddle_status check_formed(const saddle_elimination *e)
{
    if (e->formed) return SADDLE_OK;
    return saddle_fail(e->context, SADDLE_WRONG_PHASE, "the reduced problem has not been formed");
}

static saddle_status check_solution(const saddle_elimination *e, const saddle_solution *solution,
                                    int64_t n, int64_t m, const char *which)
{
    int whole = (n == 0 || solution->v) && (m == 0 || (solution->lambda && solution->w));
    if (solution->n == n && solution->m == m && whole) return SADDLE_OK;
    return saddle__refuse(
        e, "the %s solution has n = %lld, m = %lld, not %lld, %lld, or lacks a vector", which,
        (long long)solution->n, (long long)solution->m, (long long)n, (long long)m);
}

/* Both solutions of an elimination. */
static saddle_status check_solutions(const saddle_elimination *e, const saddle_solution *reduced,
                                     const saddle_solution *whole)
{
    SADDLE__TRY(check_solution(e, reduced, e->reduced.n, e->reduced.m, "reduced"));
    return check_solution(e, whole, e->map->n, e->own_rows + e->bound_count, "whole");
}

saddle_status saddle_elimination_recover(const saddle_elimination *e, const saddle_problem *problem,
                                         const saddle_solution *solution, saddle_solution *whole)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(e), e && problem && solution && whole,
                          "elimination, problem, solution or whole is NULL");
    SADDLE__TRY(check_formed(e));
    SADDLE__TRY(saddle__pattern_compare(e->context, &e->pattern, problem, 0, 1));
    SADDLE__TRY(check_solutions(e, solution, whole));
    double *F = e->force;
    saddle_map_velocities(e->map, solution->v, whole->v);
    for (int64_t i = 0; i < problem->n; i++) F[i] = problem->f ? -problem->f[i] : 0;
    if (problem->n > 0) saddle_matrix_apply(&problem->M, 1, whole->v, 1, F);
    if (problem->n > 0 && solution->m > 0)
        saddle_matrix_apply(saddle__all_rows(e, problem), -1, solution->lambda, 1, F);
    saddle_map_pull(e->map, F, NULL);
    saddle__copy(whole->lambda, solution->lambda, e->own_rows);
    saddle__copy(whole->w, solution->w, e->own_rows);
    for (int64_t p = 0; p < e->bound_count; p++) {
        int64_t at = e->bound[p];
        whole->lambda[e->own_rows + p] = at >= 0 ? F[at] : solution->lambda[-1 - at];
        whole->w[e->own_rows + p] = at >= 0 ? 0 : solution->w[-1 - at];
    }
    return SADDLE_OK;
}

saddle_status saddle_elimination_restrict(const saddle_elimination *e, const saddle_solution *whole,
                                          saddle_solution *solution)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(e), e && whole && solution,
                          "elimination, whole or solution is NULL");
    SADDLE__TRY(check_solutions(e, solution, whole));
    for (int64_t i = 0; i < solution->n; i++) solution->v[i] = whole->v[e->map->active[i]];
    saddle__copy(solution->lambda, whole->lambda, e->own_rows);
    saddle__copy(solution->w, whole->w, e->own_rows);
    for (int64_t p = 0; p < e->bound_count; p++) {
        if (e->bound[p] >= 0) continue;
        solution->lambda[-1 - e->bound[p]] = whole->lambda[e->own_rows + p];
        solution->w[-1 - e->bound[p]] = whole->w[e->own_rows + p];
    }
    return SADDLE_OK;
}

/* ---- one row (0.20) ---- */

/* *part = g M'_kk^-1 g', g the entries [begin, end) of a row, at component k. */
static saddle_status component_part(const saddle_elimination *e, int64_t k, int64_t begin,
                                    int64_t end, double *part)
{
    const saddle_matrix *Jt = &e->reduced.Jt;
    int64_t first = e->map->column[k];
    int64_t width = saddle__component_width(e->map, k);
    double *A = saddle_allocate(e->context, width * width, sizeof *A);
    double *x = saddle_allocate(e->context, width, sizeof *x);
    saddle_status status = A && x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; status == SADDLE_OK && c < width; c++)
        for (int64_t i = 0; i < width; i++)
            A[i + c * width] = saddle_matrix_entry(&e->reduced.M, first + i, first + c);
    for (int64_t p = begin; status == SADDLE_OK && p < end; p++)
        x[Jt->index[p] - first] = Jt->value[p];
    if (status == SADDLE_OK) status = saddle__dense_solve(e->context, width, A, x);
    *part = 0;
    for (int64_t p = begin; status == SADDLE_OK && p < end; p++)
        *part += Jt->value[p] * x[Jt->index[p] - first];
    saddle__release_all(e->context, A, x);
    if (status != SADDLE_SINGULAR) return status;
    char text[256];
    saddle_problem_describe_velocity(&e->reduced, first, text, sizeof text);
    status = saddle_fail(e->context, status,
                         "the inertia of the component of reduced %s is singular", text);
    return saddle_fail_at(e->context, (saddle_place){.kind = SADDLE_PLACE_VELOCITY, .index = first},
                          status);
}

saddle_status saddle_elimination_inverse_inertia(const saddle_elimination *e, int64_t row,
                                                 double *inertia)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(e), e && inertia, "elimination or inertia is NULL");
    SADDLE__TRY(check_formed(e));
    if (row < 0 || row >= e->reduced.m)
        return saddle__refuse(e, "there is no row %lld, there are %lld", saddle__ordinal(row),
                              (long long)e->reduced.m);
    const saddle_matrix *Jt = &e->reduced.Jt;
    double sum = 0;
    int64_t p = Jt->start ? Jt->start[row] : 0;
    int64_t end = Jt->start ? Jt->start[row + 1] : 0;
    while (p < end) {
        int64_t k = saddle__component_of_column(e->map, Jt->index[p]);
        int64_t begin = p;
        double part = 0;
        while (p < end && Jt->index[p] < e->map->column[k + 1]) p++;
        SADDLE__TRY(component_part(e, k, begin, p, &part));
        sum += part;
    }
    *inertia = sum;
    return SADDLE_OK;
}
