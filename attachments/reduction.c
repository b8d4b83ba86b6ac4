/* SPDX-License-Identifier: MIT */
/* problem -> smaller problem: the plan, and values along it.
 *
 *     f' = Q'(f - M d)   b' = b - J d
 *         (0.23, 0.24, 0.33 - 0.35; prescribed velocities are in d: 0.21's last system)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options_internal.h"
#include "graph.h"
#include "ldlt/tasks.h"
#include "problem/problem_internal.h"
#include "reduction.h"

enum { TASKS_A_THREAD = 16, FINDING_SIZE = 600 };

static void clear_scratch(saddle_context *context, saddle__scratch *s)
{
    void *const arrays[] = {s->x, s->where, s->slot, s->touched, s->Z, s->Y};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        saddle_release(context, arrays[i]);
}

void saddle_reduction_free(saddle_reduction *reduction)
{
    if (!reduction) return;
    saddle_context *context = reduction->context;
    if (reduction->map) saddle__composition_clear(context, &reduction->Q);
    saddle_map_free(reduction->map);
    saddle__mirror_clear(context, &reduction->mirror);
    saddle_problem_clear(&reduction->reduced);
    saddle__folded_clear(&reduction->folded);
    for (int64_t t = 0; reduction->scratch && t < reduction->threads; t++)
        clear_scratch(context, &reduction->scratch[t]);
    void *const arrays[] = {reduction->copied,  reduction->particular, reduction->force,
                            reduction->scratch, reduction->mass_task,  reduction->jacobian_task};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        saddle_release(context, arrays[i]);
    saddle_release(context, reduction);
}

int64_t saddle__component_of_column(const saddle_map *map, int64_t t)
{
    int64_t low = 0; /* column[low] <= t < column[high] */
    int64_t high = map->components;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (map->column[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- the plan ---- */

static saddle_status create_scratch(saddle_reduction *r)
{
    const saddle_map *map = r->map;
    int64_t attached = map->row_start[map->units];
    r->scratch = saddle_allocate(r->context, r->threads, sizeof *r->scratch);
    if (!r->scratch) return SADDLE_OUT_OF_MEMORY;
    for (int64_t t = 0; t < r->threads; t++) {
        saddle__scratch *s = &r->scratch[t];
        s->x = saddle_allocate(r->context, map->active_count, sizeof *s->x);
        s->where = saddle_allocate(r->context, map->active_count, sizeof *s->where);
        s->slot = saddle_allocate(r->context, attached, sizeof *s->slot);
        s->touched = saddle_allocate(r->context, r->panel_attached, sizeof *s->touched);
        s->Z = saddle_allocate(r->context, r->panel_rows, SADDLE__PANEL_COLUMNS * sizeof *s->Z);
        s->Y = saddle_allocate(r->context, r->panel_attached, SADDLE__PANEL_COLUMNS * sizeof *s->Y);
        if (!s->x || !s->where || !s->slot || !s->touched || !s->Z || !s->Y)
            return SADDLE_OUT_OF_MEMORY;
        for (int64_t a = 0; a < attached; a++) s->slot[a] = -1;
    }
    return SADDLE_OK;
}

/* Work of the columns of a root over that of their entries: every follower's column is read. */
static double follower_work(const saddle_reduction *r, const saddle_matrix *M, int64_t component)
{
    const saddle_map *map = r->map;
    double work = 0;
    for (int64_t f = r->Q.follower_start[component];
         M->start && f < r->Q.follower_start[component + 1]; f++)
        for (int64_t a = map->row_start[r->Q.follower[f]]; a < map->row_start[r->Q.follower[f] + 1];
             a++)
            work += 2.0 * (double)(M->start[map->velocity[a] + 1] - M->start[map->velocity[a]]);
    return work;
}

/* Columns of M' in ranges of about equal work, cut where components end. */
static saddle_status share_mass(saddle_reduction *r, const saddle_matrix *M)
{
    const saddle_map *map = r->map;
    int64_t wanted = r->threads > 1 ? r->threads * TASKS_A_THREAD : 1;
    double *work = saddle_allocate(r->context, map->components, sizeof *work);
    r->mass_task = saddle_allocate(r->context, wanted + 2, sizeof *r->mass_task);
    if (!work || !r->mass_task) {
        saddle_release(r->context, work);
        return SADDLE_OUT_OF_MEMORY;
    }
    double total = 0;
    for (int64_t c = 0; c < map->components; c++) {
        work[c] = (double)(saddle__component_width(map, c) +
                           r->reduced.M.start[map->column[c + 1]] -
                           r->reduced.M.start[map->column[c]]);
        if (saddle__is_root(&r->Q, c)) work[c] += follower_work(r, M, c);
        total += work[c];
    }
    double share = 0;
    for (int64_t c = 0; c < map->components; c++) {
        share += work[c];
        if (share < total / (double)wanted || map->column[c + 1] == r->mass_task[r->mass_tasks])
            continue;
        r->mass_task[++r->mass_tasks] = map->column[c + 1];
        share = 0;
    }
    if (r->mass_task[r->mass_tasks] < map->active_count)
        r->mass_task[++r->mass_tasks] = map->active_count;
    saddle_release(r->context, work);
    return SADDLE_OK;
}

static saddle_status share_jacobian(saddle_reduction *r)
{
    int64_t rows = r->reduced.Jt.cols;
    r->jacobian_tasks = r->threads > 1 ? r->threads * TASKS_A_THREAD : 1;
    if (r->jacobian_tasks > rows) r->jacobian_tasks = rows;
    r->jacobian_task = saddle_allocate(r->context, r->jacobian_tasks + 1, sizeof *r->jacobian_task);
    if (!r->jacobian_task) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k <= r->jacobian_tasks; k++)
        r->jacobian_task[k] = r->jacobian_tasks > 0
                                  ? rows / r->jacobian_tasks * k +
                                        rows % r->jacobian_tasks * k / r->jacobian_tasks
                                  : 0;
    return SADDLE_OK;
}

/* Everything of the reduced problem but M' and J': rows are the problem's, components those with
 * active velocities. */
static saddle_status copy_shell(saddle_reduction *r, const saddle_attachments *graph,
                                const saddle_problem *problem)
{
    const saddle_map *map = r->map;
    saddle_context *context = r->context;
    char **name = saddle_allocate(context, map->components, sizeof *name);
    int64_t *size = saddle_allocate(context, map->components, sizeof *size);
    saddle_status status = name && size ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    saddle_problem shell = *problem;
    shell.n = map->active_count;
    shell.M = shell.Jt = (saddle_matrix){0};
    shell.f = NULL;
    shell.component_count = 0;
    shell.component_name = name;
    shell.component_size = size;
    for (int64_t c = 0; status == SADDLE_OK && c < map->components; c++) {
        if (saddle__component_width(map, c) == 0) continue;
        name[shell.component_count] = graph->component[c].name;
        size[shell.component_count++] = saddle__component_width(map, c);
    }
    if (status == SADDLE_OK) status = saddle_problem_copy(context, &shell, &r->reduced);
    saddle_release(context, name);
    saddle_release(context, size);
    return status;
}

/* The vectors that values are written to, whether the problem has them now or not. */
static saddle_status create_vectors(saddle_reduction *r)
{
    saddle_problem *p = &r->reduced;
    p->f = saddle_allocate(r->context, p->n, sizeof *p->f);
    if (!p->b) p->b = saddle_allocate(r->context, p->m, sizeof *p->b);
    if (!p->lo) p->lo = saddle_allocate(r->context, p->m, sizeof *p->lo);
    if (!p->hi) p->hi = saddle_allocate(r->context, p->m, sizeof *p->hi);
    if (!p->row_id) p->row_id = saddle_allocate(r->context, p->m, sizeof *p->row_id);
    r->particular = saddle_allocate(r->context, r->map->n, sizeof *r->particular);
    r->force = saddle_allocate(r->context, r->map->n, sizeof *r->force);
    r->copied = saddle_allocate(r->context, p->n, sizeof *r->copied);
    int whole = p->f && p->b && p->lo && p->hi && p->row_id && r->particular && r->force &&
                r->copied;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void copy_rows(saddle_problem *to, const saddle_problem *problem)
{
    for (int64_t i = 0; i < problem->m; i++) {
        to->lo[i] = saddle_problem_lo(problem, i);
        to->hi[i] = saddle_problem_hi(problem, i);
        to->row_id[i] = saddle_problem_row_id(problem, i);
    }
    for (int64_t c = 0; c < problem->contact_count; c++) to->contacts[c] = problem->contacts[c];
    int64_t entries = saddle_matrix_entries(&problem->R);
    if (entries > 0) memcpy(to->R.value, problem->R.value, (size_t)entries * sizeof(double));
    to->time_step = problem->time_step;
}

static saddle_status plan(saddle_reduction *r, const saddle_attachments *graph,
                          const saddle_problem *problem)
{
    saddle_status status = saddle_map_create(r->context, graph, &r->map);
    if (status == SADDLE_OK) status = saddle__composition_create(r->context, r->map, &r->Q);
    if (status == SADDLE_OK)
        status = saddle__mirror_create(r->context, r->map, &problem->M, &r->mirror);
    if (status == SADDLE_OK) status = copy_shell(r, graph, problem);
    if (status == SADDLE_OK) status = create_vectors(r);
    if (status == SADDLE_OK) status = saddle__reduce_patterns(r, problem);
    if (status == SADDLE_OK) status = create_scratch(r);
    if (status == SADDLE_OK) status = share_mass(r, &problem->M);
    if (status == SADDLE_OK) status = share_jacobian(r);
    if (status != SADDLE_OK) return status;
    copy_rows(&r->reduced, problem);
    return SADDLE_OK;
}

static saddle_status check_size(saddle_context *context, const saddle_attachments *graph,
                                const saddle_problem *problem)
{
    if (problem->n != graph->n)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the problem has %lld velocities, the attachments' components %lld",
                           (long long)problem->n, (long long)graph->n);
    if (problem->m > INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%lld rows", (long long)problem->m);
    return SADDLE_OK;
}

saddle_status saddle_reduction_create(saddle_context *context, const saddle_attachments *graph,
                                      const saddle_problem *problem, const saddle_options *options,
                                      saddle_reduction **reduction)
{
    saddle_context_clear_message(context);
    if (reduction) *reduction = NULL;
    if (!graph || !problem || !reduction)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_reduction_create: attachments, problem or reduction is NULL");
    saddle_options chosen;
    saddle_status status = saddle__options_read(context, options, &chosen);
    if (status == SADDLE_OK) status = check_size(context, graph, problem);
    if (status == SADDLE_OK) status = saddle_problem_check(context, problem, NULL, NULL);
    if (status != SADDLE_OK) return status;
    saddle_reduction *r = saddle_allocate(context, 1, sizeof *r);
    if (!r) return SADDLE_OUT_OF_MEMORY;
    r->context = context;
    r->pattern = saddle__pattern_of(problem);
    r->threads = saddle__tasks_threads(chosen.threads);
    status = saddle__folded_create(context, problem, 0, &r->folded);
    if (status == SADDLE_OK) status = plan(r, graph, saddle__folded_take(&r->folded, problem));
    if (status != SADDLE_OK) {
        saddle_reduction_free(r);
        return status;
    }
    *reduction = r;
    return SADDLE_OK;
}

/* ---- values ---- */

/* f' and b', d being the velocities where the active ones are zero. */
static void reduce_vectors(saddle_reduction *r, const saddle_problem *problem)
{
    const saddle_map *map = r->map;
    double *d = r->particular;
    for (int64_t t = 0; t < map->active_count; t++) r->reduced.f[t] = 0;
    saddle_map_velocities(map, r->reduced.f, d);
    int moves = 0;
    for (int64_t i = 0; i < map->n; i++) {
        moves |= d[i] != 0;
        r->force[i] = problem->f ? problem->f[i] : 0;
    }
    for (int64_t i = 0; i < problem->m; i++) r->reduced.b[i] = problem->b ? problem->b[i] : 0;
    if (moves) saddle_matrix_apply(&problem->M, -1, d, 1, r->force);
    if (moves && problem->m > 0)
        saddle_matrix_apply_transpose(&problem->Jt, -1, d, 1, r->reduced.b);
    saddle_map_pull(map, r->force, r->reduced.f);
}

/* Products and sums of finite values need not be finite. */
static saddle_status check_reduced(const saddle_reduction *r)
{
    saddle_status status = saddle__problem_check_values(r->context, &r->reduced);
    if (status == SADDLE_OK) status = saddle__problem_check_vectors(r->context, &r->reduced);
    if (status != SADDLE_INVALID_PROBLEM) return status;
    char finding[FINDING_SIZE];
    (void)snprintf(finding, sizeof finding, "%s", saddle_context_message(r->context));
    return saddle_fail(r->context, status, "elimination overflows: reduced %s", finding);
}

saddle_status saddle_reduction_form(saddle_reduction *r, const saddle_attachments *graph,
                                    const saddle_problem *problem)
{
    saddle_context_clear_message(r ? r->context : NULL);
    if (!r || !graph || !problem)
        return saddle_fail(r ? r->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_reduction_form: reduction, attachments or problem is NULL");
    saddle_status status = saddle__pattern_compare(r->context, &r->pattern, problem, 1);
    if (status == SADDLE_OK) status = saddle__problem_check_matrices(r->context, problem);
    if (status == SADDLE_OK) status = saddle__problem_check_vectors(r->context, problem);
    if (status == SADDLE_OK) status = saddle_map_refresh(r->map, graph);
    if (status != SADDLE_OK) return status;
    (void)saddle__folded_refresh(&r->folded, problem); /* what is folded was claimed and checked */
    problem = saddle__folded_take(&r->folded, problem);
    saddle__compose(r->map, &r->Q);
    saddle__reduce_matrices(r, problem);
    reduce_vectors(r, problem);
    copy_rows(&r->reduced, problem);
    status = check_reduced(r);
    r->formed = status == SADDLE_OK;
    return status;
}

const saddle_problem *saddle_reduction_problem(const saddle_reduction *reduction)
{
    if (!reduction) return NULL;
    return &reduction->reduced;
}

const saddle_map *saddle_reduction_map(const saddle_reduction *reduction)
{
    if (!reduction) return NULL;
    return reduction->map;
}

/* Of a matrix and its pattern, and of what one thread needs. */
static int64_t matrix_bytes(const saddle_matrix *A)
{
    return A->start ? (A->cols + 1 + 2 * saddle_matrix_entries(A)) * (int64_t)sizeof(int64_t) : 0;
}

static int64_t scratch_bytes(const saddle_reduction *r)
{
    int64_t words = r->map->active_count +
                    SADDLE__PANEL_COLUMNS * (r->panel_rows + r->panel_attached);
    int64_t halves = r->map->active_count + r->map->row_start[r->map->units] + r->panel_attached;
    return words * (int64_t)sizeof(double) + halves * (int64_t)sizeof(int32_t);
}

saddle_reduction_size saddle_reduction_size_of(const saddle_reduction *r)
{
    if (!r) return (saddle_reduction_size){0};
    const saddle_problem *p = &r->reduced;
    int64_t word = (int64_t)sizeof(int64_t);
    int64_t mirrored = r->mirror.start ? r->mirror.start[r->map->n] : 0;
    int64_t vectors = word * (2 * r->map->n + p->n + 4 * p->m) + p->n;
    return (saddle_reduction_size){.mass_entries = saddle_matrix_entries(&p->M),
                                   .jacobian_entries = saddle_matrix_entries(&p->Jt),
                                   .map_entries = r->Q.Q_start[r->map->units],
                                   .bytes = r->map->bytes + r->Q.bytes + matrix_bytes(&p->M) +
                                            matrix_bytes(&p->Jt) + matrix_bytes(&p->R) + vectors +
                                            (r->mirror.start ? word * (r->map->n + 1) : 0) +
                                            mirrored * 2 * (int64_t)sizeof(int32_t) +
                                            r->threads * scratch_bytes(r)};
}
