/* SPDX-License-Identifier: MIT */
/* One solve of lemke: a basis guessed (crash.h, block_start.c), then paths, on columns of W on
 * demand where few will do, else on W, until an answer keeps the tolerance, a proof says that there
 * is none, or all paths have been tried.
 *
 *     from the start's basis    where it has impulses; d covers what is out of its bounds
 *     from the bounds           d = 1
 *     from the last basis       what rounding has led astray
 *     from the bounds again     five drawn d, then d = 1 with as many pivots as it takes
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "factor/blas_threads.h"
#include "lemke/feasibility.h"
#include "lemke/lemke_state.h"
#include "refine.h"

enum {
    DRAWS = 5,      /* paths from drawn covers */
    USUAL = 10,     /* pivots for each unknown and .. */
    FEW = 200,      /* .. so many more, before another path is tried */
    MOST = 1000000, /* pivots of the last path */
    WATCH = 16      /* pivots between looks at the clock */
};

static const double fine = 1e-13; /* a residual that another path need not better */

/* One solve. */
typedef struct search {
    saddle_solver_call *call;
    saddle__lemke *state;
    const saddle_problem *problem;
    saddle_solution *solution;
    double start; /* saddle_clock() at the first look at it; negative: before that */
    int64_t left; /* pivots */
    int paths;
    int rays;
    int unusual;       /* the first path took more pivots than usual */
    saddle_status end; /* SADDLE_OK while paths may follow */
} search;

static int interrupted(void *user, int64_t pivots)
{
    search *it = user;
    if (pivots % WATCH != 0) return 0;
    double now = saddle_clock();
    if (it->start < 0.0) it->start = now;
    if (saddle_context_progress(it->call->context, "solve", pivots, 0, -1.0, now - it->start))
        it->end = SADDLE_STOPPED;
    if (now >= it->call->deadline) it->end = SADDLE_TIME_LIMIT;
    return it->end != SADDLE_OK;
}

/* c: y where all x are zero. */
static saddle_status find_constants(saddle__lemke *s, const saddle_problem *problem)
{
    int64_t m = problem->m;
    double *v = s->trial_v;
    if (s->has_q) return SADDLE_OK;
    saddle__expansion_fill(&s->expansion, problem);
    for (int64_t i = 0; i < m; i++) s->q[i] = problem->b ? -problem->b[i] : 0.0;
    saddle_status status = saddle__dense_delassus_velocity(&s->mass, problem, s->expansion.constant,
                                                           v);
    if (problem->n > 0 && problem->Jt.start)
        saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 1.0, s->q);
    if (problem->R.start && s->expansion.has_constant)
        saddle_matrix_apply(&problem->R, 1.0, s->expansion.constant, 1.0, s->q);
    memset(s->x, 0, (size_t)s->expansion.size * sizeof *s->x);
    saddle__expansion_slack(&s->expansion, s->q, s->x, s->c);
    s->has_q = status == SADDLE_OK;
    return status;
}

static void fill_tableau(saddle__lemke *s, const saddle_problem *problem)
{
    saddle__path *path = &s->path;
    saddle__reduction *red = &s->reduction;
    saddle__reduction_restore(red, &s->expansion, s->mass.W, problem->m);
    saddle__reduction_eliminate(red, &s->expansion, s->mass.W, problem->m, s->c, s->most_left);
    saddle__path_begin(path, red->left);
    saddle__reduction_hand_over(red, &s->expansion, path->tableau.T, path->q, path->lo, path->hi);
}

/* The problem on the path, with all unknowns at their bounds or, where `inside` says so, between
 * them. */
static int set_out(saddle__lemke *s, const saddle_problem *problem, int from_inside)
{
    saddle__reduction *red = &s->reduction;
    if (s->table) return saddle__lemke_set_out_large(s, from_inside);
    fill_tableau(s, problem);
    for (int64_t k = 0; k < red->left; k++) {
        int64_t unknown = red->col[red->place[k]];
        s->path.inside[k] = from_inside && unknown >= s->expansion.free ? s->inside[unknown]
                                                                        : SADDLE__ANYWHERE;
    }
    while (!saddle__path_enter(&s->path)) fill_tableau(s, problem);
    return 1;
}

static int is_on_demand(const saddle__lemke *s)
{
    return s->table && s->table->demand;
}

/* Where the revised table has no regular basis to begin with, another path may have one; where
 * columns on demand are too many, W has. */
static saddle_status broken(const search *it)
{
    const saddle__lemke *s = it->state;
    saddle_status status = s->table->revised.status;
    if (is_on_demand(s) && (s->demand.overrun || s->demand.status != SADDLE_OK))
        return s->demand.status;
    return status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

/* Of the ray that a path has ended in, on the tableau before the answer, on a revised table after
 * it: 1, 0, or a negative status. */
static int certificate(const search *it)
{
    saddle__lemke *s = it->state;
    if (is_on_demand(s)) return 0; /* which asks for all columns */
    return s->table ? saddle__lemke_certificate_large(s, it->problem, it->call)
                    : saddle__lemke_certificate(s, it->problem, it->call);
}

/* Follows the path that has been set out.  A negative status, or SADDLE_OK; it->end tells whether
 * to go on. */
static saddle_status follow(search *it, int64_t limit)
{
    saddle__lemke *s = it->state;
    double total;
    s->path.pivots = 0;
    it->paths++;
    saddle__path_end end = saddle__path_run(&s->path, limit < it->left ? limit : it->left,
                                            interrupted, it);
    it->call->report->pivots += s->path.pivots;
    it->left -= s->path.pivots;
    int proven = 0;
    saddle_status status = end == SADDLE__PATH_BROKEN ? broken(it) : SADDLE_OK;
    if (is_on_demand(s) && s->demand.overrun) return status;
    if (end == SADDLE__PATH_RAY && !s->table) proven = certificate(it);
    if (proven < 0) return (saddle_status)proven;
    if (status == SADDLE_OK)
        status = s->table
                     ? saddle__lemke_answer_large(s, it->call, it->problem, it->solution, &total)
                     : saddle__lemke_answer(s, it->call, it->problem, it->solution, &total);
    if (status < 0) return status;
    if (end == SADDLE__PATH_RAY && s->table) proven = certificate(it);
    if (proven < 0) return (saddle_status)proven;
    it->rays += end == SADDLE__PATH_RAY;
    it->unusual |= end == SADDLE__PATH_LIMIT && it->paths == 1;
    if (it->end != SADDLE_OK || s->best <= fmax(it->call->options->tolerance, fine))
        return SADDLE_OK;
    if (proven) it->end = SADDLE_INFEASIBLE;
    if (it->left <= 0) it->end = SADDLE_ITERATION_LIMIT;
    return SADDLE_OK;
}

static int goes_on(const search *it, saddle_status status)
{
    double enough = fmax(it->call->options->tolerance, fine);
    return status == SADDLE_OK && it->end == SADDLE_OK && !(it->state->best <= enough);
}

/* From a basis that is believed to be near: that of a start, or of a path that rounding has led
 * astray. */
static saddle_status follow_from_inside(search *it, int64_t limit)
{
    if (!set_out(it->state, it->problem, 1)) return broken(it);
    saddle__path_cover_violations(&it->state->path);
    return follow(it, limit);
}

static saddle_status follow_from_bounds(search *it, int64_t draw, int64_t limit)
{
    if (!set_out(it->state, it->problem, 0)) return broken(it);
    saddle__path_cover(&it->state->path, draw);
    return follow(it, limit);
}

/* Which unknowns the start has between their bounds, or at which of them; 0: it has none. */
static int read_start(saddle__lemke *s, const saddle_solution *solution)
{
    int any = 0;
    const saddle__expansion *e = &s->expansion;
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__acting *acting = &e->acting[k];
        double lambda = acting->part[0] == 1.0 && acting->part[1] == 0.0
                            ? solution->lambda[acting->row[0]]
                            : 0.0;
        s->inside[k] = lambda <= e->lo[k]   ? SADDLE__AT_LOW
                       : lambda >= e->hi[k] ? SADDLE__AT_HIGH
                                            : SADDLE__INSIDE;
        any |= lambda != 0.0;
    }
    for (int64_t g = 0; g < e->groups; g++)
        for (int64_t k = e->group[g].first; k <= e->group[g].slack; k++)
            s->inside[k] = SADDLE__ANYWHERE;
    return any;
}

static saddle_status follow_all(search *it)
{
    saddle__lemke *s = it->state;
    saddle_status status = find_constants(s, it->problem);
    if (status != SADDLE_OK) return status;
    if (s->table)
        saddle__large_build(s->table, &s->expansion);
    else
        saddle__reduction_scale(&s->reduction, &s->expansion, s->mass.W, it->problem->m);
    int64_t usual = USUAL * s->expansion.size + FEW;
    if (read_start(it->state, it->solution)) status = follow_from_inside(it, usual);
    if (goes_on(it, status)) status = follow_from_bounds(it, 0, usual);
    if (is_on_demand(s)) return status;
    if (goes_on(it, status)) status = follow_from_inside(it, usual);
    for (int64_t draw = 1; draw <= DRAWS && goes_on(it, status); draw++)
        status = follow_from_bounds(it, draw, usual);
    if (it->unusual && goes_on(it, status)) status = follow_from_bounds(it, 0, MOST);
    return status;
}

/* A basis guessed and tested, before any path. */
static saddle_status crash(search *it, int *settled)
{
    *settled = 0;
    const saddle__lemke_settings *settings = it->call->settings;
    int64_t most = settings->crash_steps;
    saddle__crash_limits limits = {.steps = most < it->left ? most : it->left,
                                   .interrupt = interrupted,
                                   .user = it};
    if (most == 0) return SADDLE_OK;
    saddle_status status = saddle__lemke_crash(it->state, it->call, it->problem, &limits,
                                               it->solution, settled);
    it->left -= it->state->crash.pivots;
    if (!*settled && it->left <= 0) it->end = SADDLE_ITERATION_LIMIT;
    return status;
}

/* The same by steps that are searched along. */
static saddle_status start_in_blocks(search *it, int *settled)
{
    saddle__lemke *s = it->state;
    saddle_status status = saddle__lemke_block_start(s, it->call, it->problem, it->left,
                                                     it->solution);
    if (status < 0) return status;
    it->left -= s->blocks.pivoting.steps;
    it->end = status;
    *settled = status == SADDLE_OK && s->best <= fmax(it->call->options->tolerance, fine);
    if (!*settled && it->end == SADDLE_OK && it->left <= 0) it->end = SADDLE_ITERATION_LIMIT;
    return SADDLE_OK;
}

static saddle_status conclude(search *it, saddle_status status)
{
    saddle_report *report = it->call->report;
    if (it->paths > 1) saddle__report_note(report, "%d paths", it->paths);
    if (status < 0) return status;
    if (!(it->state->best < (double)INFINITY)) { /* no basis had an answer */
        memset(it->solution->lambda, 0, (size_t)it->problem->m * sizeof *it->solution->lambda);
        status = saddle__dense_delassus_velocity(&it->state->mass, it->problem,
                                                 it->solution->lambda, it->solution->v);
        if (status < 0) return status;
    }
    if (it->end != SADDLE_OK || it->state->best <= it->call->options->tolerance) return it->end;
    if (it->rays > 0 && !it->state->is_feasibility)
        status = saddle__lemke_feasibility(it->call, it->problem);
    if (status != SADDLE_OK && status != SADDLE_TOO_LARGE) return status;
    if (it->rays > 0)
        saddle__report_note(
            report, "%s secondary ray without proof: whether there is a solution is not known",
            it->rays == it->paths ? "each path ends in a" : "a path ends in a");
    return SADDLE_NOT_CONVERGED;
}

static int is_done(const search *it, saddle_status status, int settled)
{
    return status != SADDLE_OK || it->end != SADDLE_OK || settled;
}

/* A basis by one way, by the other one where that found none. */
static saddle_status start(search *it, int *settled)
{
    saddle__lemke *s = it->state;
    const saddle__lemke_settings *settings = it->call->settings;
    saddle__lemke_block_turn turn = settings->crash_steps == 0
                                        ? SADDLE__BLOCKS_NEVER
                                        : saddle__lemke_turn_of_blocks(s, it->problem,
                                                                       it->solution);
    saddle_status status = SADDLE_OK;
    *settled = 0;
    if (turn == SADDLE__BLOCKS_FIRST) status = start_in_blocks(it, settled);
    if (!is_done(it, status, *settled)) status = crash(it, settled);
    if (turn != SADDLE__BLOCKS_SECOND || s->best < (double)INFINITY ||
        is_done(it, status, *settled))
        return status;
    return start_in_blocks(it, settled);
}

/* A start and the paths, on a table or the tableau.  *settled: no other way need be tried. */
static saddle_status search_on(search *it, saddle__large *table, int *settled)
{
    saddle__lemke *s = it->state;
    s->table = table;
    s->path.revised = table ? &table->revised : NULL;
    int small = it->problem->m <= SADDLE__CRASH_SMALL; /* a crash basis then asks nothing of BLAS,
                                                          whose lock is not free */
    if (!small) saddle__blas_begin();
    saddle_status status = start(it, settled);
    if (!small) saddle__blas_end();
    if (is_done(it, status, *settled)) return status;
    saddle__blas_begin();
    status = follow_all(it);
    saddle__blas_end();
    *settled = !goes_on(it, status);
    return status;
}

/* On columns of W on demand, where the start asks for few. */
static saddle_status search_on_demand(search *it, int *settled)
{
    saddle__lemke *s = it->state;
    int64_t rows = 0;
    *settled = 0;
    if (s->formed || s->demand.room == 0 || s->demand.overrun) return SADDLE_OK;
    saddle_status status = find_constants(s, it->problem);
    if (status == SADDLE_OK) rows = saddle__lemke_expected(s, it->problem, it->solution);
    if (status != SADDLE_OK || !saddle__on_demand_pays(&s->demand, rows)) return status;
    s->demand.problem = it->problem;
    status = search_on(it, &s->few, settled);
    if (*settled)
        saddle__report_note(it->call->report, "%lld of %lld columns of W",
                            (long long)s->demand.count, (long long)it->problem->m);
    return status;
}

saddle_status saddle__lemke_solve(saddle_solver_call *call, void *memory,
                                  const saddle_problem *problem, saddle_solution *solution)
{
    saddle__lemke *s = memory;
    int64_t most = call->options->max_iterations;
    search it = {.call = call,
                 .state = s,
                 .problem = problem,
                 .solution = solution,
                 .start = -1.0,
                 .left = most > 0 ? most : MOST};
    if (s->note < 0) s->note = (int64_t)strlen(call->report->note);
    call->report->note[s->note] = '\0'; /* what an earlier solve said */
    s->best = (double)INFINITY;
    s->has_q = 0;
    int settled;
    saddle_status status = search_on_demand(&it, &settled);
    if (is_done(&it, status, settled)) return conclude(&it, status);
    status = saddle__lemke_form(s, problem);
    if (status == SADDLE_OK) status = search_on(&it, s->is_large ? &s->large : NULL, &settled);
    return conclude(&it, status);
}
