/* SPDX-License-Identifier: MIT */
/* Equations alone, and many rows with bounds and contacts, by all processes on their parts; few
 * such rows in the first process, with M in parts; other problems by a built-in solver in the first
 * process, its factorizations by all.  Each way leaves every process its part of the answer. */
#include <string.h>

#include "admm.h"
#include "base/context_internal.h"
#include "base/options_internal.h"
#include "base/unset.h"
#include "base/vector.h"
#include "dense/lapack.h"
#include "equations.h"
#include "gather.h"
#include "problem/problem_internal.h"
#include "rows.h"
#include "team.h"

/* What is asked, of the first process but for the part; and the answer. */
typedef struct request {
    const saddle_problem *named; /* the sizes of the whole; in the first process its names */
    const char *name;
    saddle_options options;
    const saddle_solution *start; /* whole */
    const saddle_solution *seen; /* the start, of the view, in all processes; NULL: whole or none */
    saddle_solution mine;        /* of the view */
    saddle_solution room;        /* what start or seen point to, owned */
    saddle_report report;
} request;

/* The solution of a process that did not fail is as before where another failed. */
static saddle_status make_solution(MPI_Comm processes, saddle_context *context, int64_t n,
                                   int64_t m, saddle_solution *solution)
{
    const int is_made = solution && (solution->v || solution->lambda);
    saddle_status status = SADDLE_OK;
    if (!solution)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the solution is NULL");
    else if (!solution->v && !solution->lambda)
        status = saddle_solution_create(context, n, m, solution);
    else if (solution->n != n || solution->m != m)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the solution is of another size");
    status = saddle__agree(processes, context, status);
    if (status != SADDLE_OK && !is_made) saddle_solution_clear(solution);
    return status;
}

/* In the first process. */
static saddle_status solve_whole(const saddle__view *view, const saddle_problem *whole, request *r,
                                 saddle_solution *solution)
{
    saddle_options chosen = r->options;
    chosen.threads = 1; /* MPI's calls are of one thread */
    saddle__team_join(view->context, view->processes);
    const saddle_status status = saddle_solve(view->context, whole, r->name, &chosen, r->start,
                                              solution, &r->report);
    saddle__team_dismiss(view->context);
    return status;
}

/* The matrices gathered in the first process, which runs the solver. */
static saddle_status solve_gathered(const saddle__view *view, request *r)
{
    saddle_problem whole;
    saddle_solution solution = {0};
    SADDLE__TRY(saddle__gather(view, r->named, &whole));
    saddle_status status = SADDLE_OK;
    if (saddle__rank(view->processes) == 0)
        status = solve_whole(view, &whole, r, &solution);
    else
        saddle__team_serve(view->processes);
    saddle_problem_clear(&whole);
    status = saddle__agree(view->processes, view->context, status);
    if (status >= SADDLE_OK) {
        const saddle_status scattered = saddle__view_scatter(view, &solution, &r->mine);
        if (scattered != SADDLE_OK) status = scattered;
    }
    saddle_solution_clear(&solution);
    return status;
}

/* start, in the first process, <- seen, for solvers that are there. */
static saddle_status gather_start(const saddle__view *view, request *r)
{
    const saddle__distribution *of = view->of;
    saddle_solution whole = {0};
    saddle_status status = SADDLE_OK;
    if (saddle__rank(view->processes) == 0)
        status = saddle_solution_create(view->context, of[SADDLE__VELOCITIES].whole,
                                        of[SADDLE__ROWS].whole, &whole);
    status = saddle__agree(view->processes, view->context, status);
    if (status == SADDLE_OK)
        status = saddle__distribution_gather(&of[SADDLE__VELOCITIES], r->seen->v, whole.v);
    if (status == SADDLE_OK)
        status = saddle__distribution_gather(&of[SADDLE__ROWS], r->seen->lambda, whole.lambda);
    saddle_solution_clear(&r->room);
    r->room = whole;
    r->seen = NULL;
    r->start = saddle__rank(view->processes) == 0 ? &r->room : NULL;
    return status;
}

/* The first way that has a verdict. */
static saddle_status solve_view(saddle__view *view, request *r)
{
    int done = 0;
    saddle_status status = make_solution(view->processes, view->context, view->problem.n,
                                         view->problem.m, &r->mine);
    if (status == SADDLE_OK)
        status = saddle__equations_solve(view, r->named, r->name, &r->options, &r->mine, &r->report,
                                         &done);
    if (status == SADDLE_OK && !done)
        status = saddle__admm_solve(view, r->named, r->name, &r->options, r->start, r->seen,
                                    &r->mine, &r->report, &done);
    if (status == SADDLE_OK && !done && r->seen) status = gather_start(view, r);
    if (status == SADDLE_OK && !done)
        status = saddle__rows_solve(view, r->named, r->name, &r->options, r->start, &r->mine,
                                    &r->report, &done);
    if (status == SADDLE_OK && !done) status = solve_gathered(view, r);
    saddle__broadcast(view->processes, &r->report, sizeof r->report);
    return status;
}

/* OpenBLAS retries the allocation of its buffer without end, and keeps the buffer: without enough
 * memory, return an error instead. */
static saddle_status take_buffer(saddle_context *context)
{
    const int64_t bytes = (int64_t)132 << 20; /* 128 MB and some */
    const int one = 1;
    int exchange, info;
    double A = 1.0;
    void *room = saddle__allocate_unset(NULL, bytes, 1);
    if (!room)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory: %lld bytes for BLAS",
                           (long long)bytes);
    saddle_release(NULL, room);
    dgetrf_(&one, &one, &A, &one, &exchange, &info);
    return SADDLE_OK;
}

/* The options of the first process, and the buffer. */
static saddle_status begin(MPI_Comm processes, saddle_context *context,
                           const saddle_options *options, request *r)
{
    saddle_status status = take_buffer(context);
    r->options = saddle_options_default();
    if (status == SADDLE_OK && saddle__rank(processes) == 0)
        status = saddle__options_read(context, options, &r->options);
    return saddle__agree(processes, context, status);
}

/* ---- in numbers of the whole ---- */

static saddle_status share_whole(const saddle__view *view, const saddle_solution *mine,
                                 saddle_solution *whole)
{
    const saddle__distribution *velocities = &view->of[SADDLE__VELOCITIES];
    const saddle__distribution *rows = &view->of[SADDLE__ROWS];
    SADDLE__TRY(saddle__distribution_gather_all(velocities, mine->v, whole->v));
    SADDLE__TRY(saddle__distribution_gather_all(rows, mine->lambda, whole->lambda));
    return saddle__distribution_gather_all(rows, mine->w, whole->w);
}

saddle_status saddle_mpi_solve(MPI_Comm processes, saddle_context *context,
                               const saddle_problem *part, const char *name,
                               const saddle_options *options, const saddle_solution *start,
                               saddle_solution *solution, saddle_report *report)
{
    const saddle_mpi_part given = saddle__part_of(part);
    request r = {.named = part, .name = name, .start = start, .report = {.note = ""}};
    saddle__view view;
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part ? &given : NULL));
    SADDLE__TRY(begin(processes, context, options, &r));
    const int is_made = solution && (solution->v || solution->lambda);
    SADDLE__TRY(make_solution(processes, context, given.n, given.m, solution));
    saddle_status status = saddle__view_make(processes, context, &given, &view);
    if (status == SADDLE_OK) status = solve_view(&view, &r);
    if (status >= SADDLE_OK) {
        const saddle_status shared = share_whole(&view, &r.mine, solution);
        if (shared != SADDLE_OK) status = shared;
    }
    saddle__view_clear(&view);
    saddle_solution_clear(&r.mine);
    if (report) *report = r.report;
    if (status < SADDLE_OK && !is_made) saddle_solution_clear(solution);
    return status;
}

/* ---- in numbers of the part ---- */

/* x at the listed numbers; the view's includes them all, both ascending. */
static void take_listed(const saddle__distribution *d, int64_t count, const int64_t *list,
                        const double *seen, double *x)
{
    int64_t at = 0;
    for (int64_t k = 0; k < count; k++) {
        while (d->name[at] < list[k]) at++;
        x[k] = seen[at];
    }
}

/* *all (owned) <- 0, 1, .. in place of a list that is NULL: the process sees all. */
static saddle_status list_all(saddle_context *context, int64_t count, int64_t **list, int64_t **all)
{
    *all = NULL;
    if (*list) return SADDLE_OK;
    *list = *all = saddle_allocate(context, count + 1, sizeof **all);
    if (!*all) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < count; k++) (*all)[k] = k;
    return SADDLE_OK;
}

/* seen (of the view) <- the processes' values at listed numbers; x NULL: none. */
static saddle_status deliver_listed(const saddle__view *view, saddle__kind kind, int64_t count,
                                    const int64_t *list, const double *x, double *seen)
{
    const saddle__distribution *d = &view->of[kind];
    const int64_t values = x ? count : 0;
    saddle__named_value *value = saddle_allocate(view->context, values + 1, sizeof *value);
    saddle_status status = value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    status = saddle__agree(view->processes, view->context, status);
    for (int64_t k = 0; value && k < values; k++) value[k] = (saddle__named_value){list[k], x[k]};
    if (status == SADDLE_OK)
        status = saddle__distribution_deliver(d, values, value, SADDLE__REPLACE, seen);
    saddle_release(view->context, value);
    return status == SADDLE_OK ? saddle__distribution_refresh(d, seen) : status;
}

static saddle_status take_start(const saddle__view *view, const saddle_mpi_part *part,
                                const saddle_solution *start, request *r)
{
    int any = start != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, view->processes);
    if (!any) return SADDLE_OK;
    SADDLE__TRY(
        make_solution(view->processes, view->context, view->problem.n, view->problem.m, &r->room));
    r->seen = &r->room;
    SADDLE__TRY(deliver_listed(view, SADDLE__VELOCITIES, part->own.n, part->velocity,
                               start ? start->v : NULL, r->room.v));
    return deliver_listed(view, SADDLE__ROWS, part->own.m, part->row, start ? start->lambda : NULL,
                          r->room.lambda);
}

/* part: with lists. */
static saddle_status solve_part(MPI_Comm processes, saddle_context *context,
                                const saddle_mpi_part *part, const saddle_solution *start,
                                request *r, saddle_solution *solution)
{
    const saddle_problem *own = &part->own;
    saddle__view view;
    saddle_status status = saddle__view_make(processes, context, part, &view);
    if (status == SADDLE_OK) status = take_start(&view, part, start, r);
    if (status == SADDLE_OK) status = solve_view(&view, r);
    if (status >= SADDLE_OK) {
        const saddle__distribution *rows = &view.of[SADDLE__ROWS];
        take_listed(&view.of[SADDLE__VELOCITIES], own->n, part->velocity, r->mine.v, solution->v);
        take_listed(rows, own->m, part->row, r->mine.lambda, solution->lambda);
        take_listed(rows, own->m, part->row, r->mine.w, solution->w);
    }
    saddle__view_clear(&view);
    saddle_solution_clear(&r->mine);
    saddle_solution_clear(&r->room);
    return status;
}

static saddle_status check_start(saddle_context *context, const saddle_problem *own,
                                 const saddle_solution *start)
{
    if (!start) return SADDLE_OK;
    SADDLE__TRY(saddle__solution_check_size(context, own, start, "start", 0));
    const int is_finite = saddle__is_finite(start->v, own->n) &&
                          saddle__is_finite(start->lambda, own->m);
    return is_finite ? SADDLE_OK
                     : saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the start is not finite");
}

saddle_status saddle_mpi_solve_part(MPI_Comm processes, saddle_context *context,
                                    const saddle_mpi_part *part, const char *name,
                                    const saddle_options *options, const saddle_solution *start,
                                    saddle_solution *solution, saddle_report *report)
{
    request r = {.name = name, .report = {.note = ""}};
    int64_t *all[2] = {NULL, NULL};
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part));
    SADDLE__TRY(saddle__agree(processes, context, check_start(context, &part->own, start)));
    SADDLE__TRY(begin(processes, context, options, &r));
    saddle_problem named = part->named;
    saddle_mpi_part listed = *part;
    named.n = part->n;
    named.m = part->m;
    r.named = &named;
    const int is_made = solution && (solution->v || solution->lambda);
    SADDLE__TRY(make_solution(processes, context, part->own.n, part->own.m, solution));
    saddle_status status = list_all(context, part->n, &listed.velocity, &all[0]);
    if (status == SADDLE_OK) status = list_all(context, part->m, &listed.row, &all[1]);
    status = saddle__agree(processes, context, status);
    if (status == SADDLE_OK) status = solve_part(processes, context, &listed, start, &r, solution);
    saddle__release_all(context, all[0], all[1]);
    if (report) *report = r.report;
    if (status < SADDLE_OK && !is_made) saddle_solution_clear(solution);
    return status;
}
