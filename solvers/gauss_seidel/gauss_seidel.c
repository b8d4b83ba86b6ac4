/* SPDX-License-Identifier: MIT */
/* gauss-seidel: nonlinear block Gauss-Seidel on rows and contacts, every row kind and every contact
 * law.
 *
 * A sweep solves the law of each row and each contact exactly (local.h) on the Delassus
 * operator (operator.c), in the order of the rows.  A sweep is a step of a fixed-point iteration,
 * accelerated by Anderson's method: a tenth of the plain sweeps is usual, and stacks and piles
 * converge where plain sweeps stop at a residual of 1e-7.  The iterate with the least residual is
 * returned.
 * Jourdan, Alart and Jean (1998), A Gauss-Seidel like algorithm to solve frictional contact
 * problems. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "anderson.h"
#include "builtin.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "gauss_seidel/gauss_seidel.h"
#include "gauss_seidel/local.h"
#include "groups.h"
#include "problem/cone.h"
#include "problem/verdict.h"

/* Sweeps where options.max_iterations is 0. */
#define MOST_SWEEPS 20000
/* Sweeps without halving the residual before the order is reversed. */
#define PATIENCE 1000

/* ======== sweeps ======== */

/* A Gauss-Seidel sweep: each row or contact in turn is brought to satisfy the law, all other
 * impulses held.  The velocity of a group's rows without the group's own impulses, q = w - W_cc
 * lambda_c, poses the local problem (local.h). */

typedef struct sweep_state {
    const saddle_problem *problem;
    saddle__operator *W;
    const saddle__group *group;
    int64_t groups;
    double relaxation; /* in (0, 2) */
    double *lambda;    /* m */
    double *v;         /* n; kept up to date where W is matrix-free */
    double change;     /* out: the largest W_ii |change of lambda_i| of the sweep [as w] */
    double unsolved;   /* out: the largest error left in a contact's local problem [-] */
    int64_t worst; /* out: the first row of the contact with the largest error; -1 = all were solved
                    */
} sweep_state;

/* lambda[row] <- value. */
static void assign(sweep_state *sweep, int64_t row, double value, double diagonal)
{
    double change = value - sweep->lambda[row];
    sweep->lambda[row] = value;
    saddle__operator_move(sweep->W, row, change, sweep->v);
    double moved = fabs(change) * diagonal;
    if (!(moved <= sweep->change)) sweep->change = moved;
}

static void relax_row(sweep_state *sweep, int64_t row)
{
    double lo = saddle_problem_lo(sweep->problem, row);
    double hi = saddle_problem_hi(sweep->problem, row);
    double present = sweep->lambda[row];
    double a = sweep->W->block[3 * row];
    double w = saddle__operator_row(sweep->problem, sweep->W, sweep->lambda, sweep->v, row);
    double next = saddle__local_row(a, w - a * present, lo, hi, present);
    if (sweep->relaxation != 1.0)
        next = saddle__clamp(present + sweep->relaxation * (next - present), lo, hi);
    assign(sweep, row, next, fabs(a));
}

static double pose(const sweep_state *sweep, const saddle__group *group, saddle__local *local)
{
    const saddle_problem *problem = sweep->problem;
    double largest = 0.0;
    local->law = problem->law;
    local->facets = saddle_problem_facets(problem);
    local->size = group->size;
    local->mu = group->mu;
    for (int64_t i = 0; i < group->size; i++) {
        int64_t row = group->row + i;
        const double *block = sweep->W->block + 3 * row;
        local->q[i] = saddle__operator_row(problem, sweep->W, sweep->lambda, sweep->v, row);
        for (int64_t j = 0; j < group->size; j++) {
            local->W[i][j] = block[j];
            local->q[i] -= block[j] * sweep->lambda[group->row + j];
            largest = fmax(largest, fabs(block[j]));
        }
    }
    return largest;
}

static void relax_contact(sweep_state *sweep, const saddle__group *group)
{
    saddle__local local;
    double next[3];
    double diagonal = pose(sweep, group, &local);
    const double *present = sweep->lambda + group->row;
    for (int64_t i = 0; i < group->size; i++) next[i] = present[i];
    double error = saddle__local_contact(&local, next);
    if (!(error <= sweep->unsolved)) {
        sweep->unsolved = error;
        sweep->worst = group->row;
    }
    if (sweep->relaxation != 1.0) {
        for (int64_t i = 0; i < group->size; i++)
            next[i] = present[i] + sweep->relaxation * (next[i] - present[i]);
        saddle__project_law(local.law, local.size, local.facets, local.mu, next);
    }
    for (int64_t i = 0; i < group->size; i++) assign(sweep, group->row + i, next[i], diagonal);
}

/* In ascending order of the rows, or descending. */
static void run_sweep(sweep_state *sweep, int backward)
{
    sweep->change = 0.0;
    sweep->unsolved = 0.0;
    sweep->worst = -1;
    for (int64_t k = 0; k < sweep->groups; k++) {
        const saddle__group *group = &sweep->group[backward ? sweep->groups - 1 - k : k];
        if (group->is_contact)
            relax_contact(sweep, group);
        else
            relax_row(sweep, group->row);
    }
}

/* lambda <- target, projected onto each law's set, with v updated. */
static void jump(sweep_state *sweep, double *target)
{
    const saddle_problem *problem = sweep->problem;
    for (int64_t k = 0; k < sweep->groups; k++)
        saddle__group_project(problem, &sweep->group[k], target + sweep->group[k].row);
    for (int64_t i = 0; i < problem->m; i++) {
        saddle__operator_move(sweep->W, i, target[i] - sweep->lambda[i], sweep->v);
        sweep->lambda[i] = target[i];
    }
}

/* ======== the solver ======== */

typedef struct gauss_seidel_settings {
    double relaxation;
    int64_t check_every;
} gauss_seidel_settings;

typedef struct gauss_seidel {
    saddle__operator W;
    saddle__anderson anderson;
    saddle__group *group; /* m */
    double *point;        /* m; lambda before a sweep */
    double *best;         /* m; lambda with the least residual */
    saddle__layout layout;
} gauss_seidel;

/* A solve. */
typedef struct iteration {
    saddle_solver_call *call;
    const gauss_seidel_settings *settings;
    gauss_seidel *state;
    const saddle_problem *problem;
    saddle_solution *solution;
    sweep_state sweep;
    int64_t limit;
    int64_t sweeps;
    int64_t next_check;
    int backward;            /* the order of the sweep */
    double milestone;        /* the residual at the last halving */
    int64_t milestone_sweep; /* ... and the sweep of the halving, or of the last reversal */
    double start;            /* saddle_clock() */
    double total;            /* residual of the latest check */
    double best;             /* the least residual so far */
    double per_change;       /* residual over change of a sweep, at the last check */
} iteration;

static void clear(void *data, saddle_context *context)
{
    gauss_seidel *state = data;
    saddle__operator_clear(context, &state->W);
    saddle__layout_clear(context, &state->layout);
    memset(state, 0, sizeof *state);
}

static void place(gauss_seidel *state, int64_t m)
{
    saddle__layout *layout = &state->layout;
    saddle__anderson *A = &state->anderson;
    state->group = saddle__layout_take(layout, m, sizeof *state->group);
    state->point = saddle__layout_take(layout, m, sizeof *state->point);
    state->best = saddle__layout_take(layout, m, sizeof *state->best);
    A->m = m;
    A->weight = saddle__layout_take(layout, m, sizeof *A->weight);
    A->f = saddle__layout_take(layout, m, sizeof *A->f);
    A->f_last = saddle__layout_take(layout, m, sizeof *A->f_last);
    A->g_last = saddle__layout_take(layout, m, sizeof *A->g_last);
    A->df = saddle__layout_take(layout, m, SADDLE__ANDERSON_DEPTH * sizeof *A->df);
    A->dg = saddle__layout_take(layout, m, SADDLE__ANDERSON_DEPTH * sizeof *A->dg);
}

static saddle_status analyse(saddle_solver_call *call, void *data, const saddle_problem *problem)
{
    gauss_seidel *state = data;
    saddle_context *context = call->context;
    saddle_status status = saddle__operator_analyse(context, call->options, problem, &state->W);
    if (status != SADDLE_OK) return status;
    place(state, problem->m);
    status = saddle__layout_allocate(context, &state->layout);
    if (status != SADDLE_OK) return status;
    place(state, problem->m);
    return SADDLE_OK;
}

/* The weight of a row in the norm of the acceleration: the largest diagonal entry of its group. */
static void weigh(gauss_seidel *state, int64_t groups)
{
    for (int64_t k = 0; k < groups; k++)
        for (int64_t i = 0, row = state->group[k].row; i < state->group[k].size; i++, row++)
            state->anderson.weight[row] = fabs(state->W.block[3 * row + i]);
    saddle__groups_share(state->group, groups, state->anderson.weight);
}

static saddle_status factor(saddle_solver_call *call, void *data, const saddle_problem *problem)
{
    gauss_seidel *state = data;
    saddle_status status = saddle__operator_factor(call->context, problem, &state->W);
    if (problem->n > 0) {
        saddle__factor_counts counts = saddle__operator_counts(&state->W);
        saddle_report *report = call->report;
        report->factorizations += status == SADDLE_OK;
        report->peak_bytes = counts.peak_bytes > report->peak_bytes ? counts.peak_bytes
                                                                    : report->peak_bytes;
    }
    return status;
}

/* ---- solve ---- */

static double norm_max(const double *x, int64_t count)
{
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double modulus = fabs(x[i]);
        largest = modulus <= largest ? largest : modulus;
    }
    return largest;
}

/* Measures the present iterate, with v computed from lambda anew; the best iterate is kept. */
static saddle_status check(iteration *it)
{
    saddle_solution *solution = it->solution;
    saddle_status status = saddle__operator_velocity(it->problem, &it->state->W, solution->lambda,
                                                     solution->v);
    if (status != SADDLE_OK) return status;
    it->total = saddle__error_of(saddle_solver_measure(it->call, it->problem, solution->v,
                                                       solution->lambda),
                                 it->call->options->tolerance);
    it->per_change = it->sweep.change > 0.0 ? it->total / it->sweep.change : 0.0;
    if (it->total < it->best) {
        it->best = it->total;
        memcpy(it->state->best, solution->lambda,
               (size_t)it->problem->m * sizeof *solution->lambda);
    }
    return SADDLE_OK;
}

/* As scheduled, and earlier where the change of the sweep promises the tolerance, or nothing moves
 * any more. */
static int check_is_due(const iteration *it)
{
    double tolerance = it->call->options->tolerance;
    int promising = it->per_change > 0.0 && it->per_change * it->sweep.change <= tolerance;

    return it->sweeps >= it->next_check ||
           (it->settings->check_every == 0 && (promising || it->sweep.change == 0.0));
}

/* check_every = 0: after 1, 2, 3, .. sweeps, later every eighth of the sweeps made. */
static void schedule(iteration *it)
{
    int64_t every = it->settings->check_every;
    it->next_check = it->sweeps + (every > 0 ? every : 1 + it->sweeps / 8);
}

static saddle_status sweep_once(iteration *it, int backward)
{
    run_sweep(&it->sweep, backward);
    it->sweeps++;
    double largest = norm_max(it->solution->lambda, it->problem->m);
    return isfinite(largest) && isfinite(it->sweep.change) ? SADDLE_OK : SADDLE_DIVERGED;
}

static saddle_status interrupted(iteration *it)
{
    saddle_solver_call *call = it->call;
    double now = saddle_clock();
    double estimate = it->per_change > 0.0 ? it->per_change * it->sweep.change : it->total;
    if (saddle_context_progress(call->context, "solve", it->sweeps, it->limit, estimate,
                                now - it->start))
        return SADDLE_STOPPED;
    if (now >= call->deadline) return SADDLE_TIME_LIMIT;
    return it->sweeps >= it->limit ? SADDLE_ITERATION_LIMIT : SADDLE_OK;
}

static void accelerate(iteration *it)
{
    gauss_seidel *state = it->state;
    if (saddle__anderson_step(&state->anderson, state->point, it->solution->lambda)) {
        jump(&it->sweep, state->point);
    }
}

/* A cycle through the states of some contacts depends on the order of the rows: where the residual
 * stays, the order is reversed. */
static void turn_when_stuck(iteration *it)
{
    if (it->best <= 0.5 * it->milestone) {
        it->milestone = it->best;
        it->milestone_sweep = it->sweeps;
    } else if (it->sweeps - it->milestone_sweep >= PATIENCE) {
        it->backward = !it->backward;
        it->milestone_sweep = it->sweeps;
        saddle__anderson_restart(&it->state->anderson);
    }
}

/* Sweeps, each followed by a step of the acceleration. */
static saddle_status iterate(iteration *it)
{
    int64_t m = it->problem->m;
    gauss_seidel *state = it->state;
    double *lambda = it->solution->lambda;
    saddle_status status = check(it);
    int solved = it->total <= it->call->options->tolerance;
    schedule(it);
    while (status == SADDLE_OK && !solved) {
        status = interrupted(it);
        if (status != SADDLE_OK) break;
        memcpy(state->point, lambda, (size_t)m * sizeof *lambda);
        status = sweep_once(it, it->backward);
        if (status != SADDLE_OK) break;
        if (check_is_due(it)) {
            status = check(it);
            schedule(it);
            solved = it->total <= it->call->options->tolerance;
            if (status == SADDLE_OK && !solved) turn_when_stuck(it);
            if (it->sweep.change == 0.0 && !solved) return SADDLE_NOT_CONVERGED;
        }
        if (status != SADDLE_OK || solved) break;
        accelerate(it);
    }
    if (status == SADDLE_OK && solved) memcpy(state->best, lambda, (size_t)m * sizeof *lambda);
    return status;
}

/* The best iterate with v; a note about a contact with an unsolved law. */
static saddle_status finish(iteration *it, saddle_status status)
{
    saddle_report *report = it->call->report;
    report->iterations = it->sweeps;
    if (status < 0) return status;
    if (status != SADDLE_OK && it->sweep.worst >= 0 &&
        it->sweep.unsolved > it->call->options->tolerance) {
        char name[128];
        saddle_problem_describe_row(it->problem, it->sweep.worst, name, sizeof name);
        snprintf(report->note, sizeof report->note,
                 "the law of the contact at %s, the others held, was met to %.1e only", name,
                 it->sweep.unsolved);
    }
    if (isfinite(it->best))
        memcpy(it->solution->lambda, it->state->best,
               (size_t)it->problem->m * sizeof *it->state->best);
    else
        memset(it->solution->lambda, 0, (size_t)it->problem->m * sizeof *it->state->best);
    saddle_status velocity = saddle__operator_velocity(it->problem, &it->state->W,
                                                       it->solution->lambda, it->solution->v);

    return velocity < 0 ? velocity : status;
}

static saddle_status solve(saddle_solver_call *call, void *data, const saddle_problem *problem,
                           saddle_solution *solution)
{
    gauss_seidel *state = data;
    iteration it = {.call = call,
                    .settings = call->settings,
                    .state = state,
                    .problem = problem,
                    .solution = solution,
                    .best = INFINITY,
                    .milestone = INFINITY};
    it.limit = call->options->max_iterations > 0 ? call->options->max_iterations : MOST_SWEEPS;
    it.start = saddle_clock();
    it.sweep.problem = problem;
    it.sweep.W = &state->W;
    it.sweep.group = state->group;
    it.sweep.groups = saddle__groups_find(problem, state->group);
    it.sweep.relaxation = it.settings->relaxation;
    it.sweep.lambda = solution->lambda;
    it.sweep.v = solution->v;
    it.sweep.worst = -1;
    weigh(state, it.sweep.groups);
    saddle__anderson_restart(&state->anderson);
    saddle_status status = saddle__operator_prepare(problem, &state->W, solution->v);
    if (status == SADDLE_OK) status = iterate(&it);
    return finish(&it, status);
}

static const saddle_setting settings[] = {
    {.name = "relaxation",
     .kind = SADDLE_SETTING_REAL,
     .offset = offsetof(gauss_seidel_settings, relaxation),
     .initial = 1.0,
     .least = 0.01,
     .most = 1.99,
     .summary = "over-relaxation factor of a sweep"},
    {.name = "check_every",
     .kind = SADDLE_SETTING_INTEGER,
     .offset = offsetof(gauss_seidel_settings, check_every),
     .most = 1e9,
     .summary = "sweeps between residual checks; 0 = chosen by the progress"},
    {.name = NULL},
};

const saddle_solver_type saddle__solver_gauss_seidel = {
    .name = "gauss-seidel",
    .summary =
        "projected and block Gauss-Seidel on rows and contacts; every row kind, every contact law",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(gauss_seidel),
    .settings = settings,
    .settings_size = sizeof(gauss_seidel_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
