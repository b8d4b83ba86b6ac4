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
#include "problem/cone.h"
#include "problem/verdict.h"

/* Sweeps without halving the residual before the order is reversed. */
#define PATIENCE 1000
/* Sweeps before Newton's method is tried, again after half as many more each time, and after
 * friction has been raised. */
#define FIRST_TRY 150
/* Newton's steps at most, and steps without halving the residual. */
#define NEWTON_STEPS 20
#define NEWTON_PATIENCE 5
/* Sweeps at each share of friction, at most, and the factor of the tolerance to stop at. */
#define RAISE_SWEEPS 300
#define RAISE_TOLERANCE 10.0

/* ======== sweeps ======== */

/* A Gauss-Seidel sweep: each row or contact in turn is brought to satisfy the law, all other
 * impulses held.  The velocity of a unit's rows without the unit's own impulses, q = w - W_cc
 * lambda_c, poses the local problem (local.h). */

typedef struct sweep_state {
    const saddle_problem *problem;
    saddle__operator *W;
    const saddle__unit *unit;
    int64_t units;
    double friction;   /* share of each mu in use, in [0, 1] */
    double relaxation; /* in (0, 2) */
    double *lambda;    /* m */
    double *v;         /* n; kept up to date where W is matrix-free */
    double change;     /* out: the largest W_ii |change of lambda_i| of the sweep [as w] */
    double unsolved;   /* out: the largest error left in a contact's local problem [-] */
    int64_t worst; /* out: the first row of the contact with the largest error; -1 = all were solved
                    */
} sweep_state;

/* Fills unit (room for m); returns their number. */
static int64_t make_units(const saddle_problem *problem, saddle__unit *unit)
{
    int64_t count = 0;
    int64_t contact = 0;
    for (int64_t row = 0; row < problem->m;) {
        int owned = contact < problem->contact_count && problem->contacts[contact].row == row;
        unit[count].row = row;
        unit[count].contact = owned ? contact : -1;
        count++;
        row += owned ? problem->contacts[contact++].size : 1;
    }
    return count;
}

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

static double pose(const sweep_state *sweep, const saddle_contact *contact, saddle__local *local)
{
    const saddle_problem *problem = sweep->problem;
    double largest = 0.0;
    local->law = problem->law;
    local->facets = saddle_problem_facets(problem);
    local->size = contact->size;
    local->mu = contact->mu * sweep->friction;
    for (int64_t i = 0; i < contact->size; i++) {
        int64_t row = contact->row + i;
        const double *block = sweep->W->block + 3 * row;
        local->q[i] = saddle__operator_row(problem, sweep->W, sweep->lambda, sweep->v, row);
        for (int64_t j = 0; j < contact->size; j++) {
            local->W[i][j] = block[j];
            local->q[i] -= block[j] * sweep->lambda[contact->row + j];
            largest = fmax(largest, fabs(block[j]));
        }
    }
    return largest;
}

static void relax_contact(sweep_state *sweep, const saddle_contact *contact)
{
    saddle__local local;
    double next[3];
    double diagonal = pose(sweep, contact, &local);
    const double *present = sweep->lambda + contact->row;
    for (int64_t i = 0; i < contact->size; i++) next[i] = present[i];
    double error = saddle__local_contact(&local, next);
    if (!(error <= sweep->unsolved)) {
        sweep->unsolved = error;
        sweep->worst = contact->row;
    }
    if (sweep->relaxation != 1.0) {
        for (int64_t i = 0; i < contact->size; i++)
            next[i] = present[i] + sweep->relaxation * (next[i] - present[i]);
        saddle__local_project(local.law, local.size, local.facets, local.mu, next);
    }
    for (int64_t i = 0; i < contact->size; i++) assign(sweep, contact->row + i, next[i], diagonal);
}

/* In ascending order of the rows, or descending. */
static void run_sweep(sweep_state *sweep, int backward)
{
    sweep->change = 0.0;
    sweep->unsolved = 0.0;
    sweep->worst = -1;
    for (int64_t k = 0; k < sweep->units; k++) {
        const saddle__unit *unit = &sweep->unit[backward ? sweep->units - 1 - k : k];
        if (unit->contact < 0)
            relax_row(sweep, unit->row);
        else
            relax_contact(sweep, &sweep->problem->contacts[unit->contact]);
    }
}

/* lambda <- target, projected onto each law's set, with v updated. */
static void jump(sweep_state *sweep, double *target)
{
    const saddle_problem *problem = sweep->problem;
    int64_t facets = saddle_problem_facets(problem);
    for (int64_t k = 0; k < sweep->units; k++) {
        int64_t row = sweep->unit[k].row;
        const saddle_contact *contact = sweep->unit[k].contact < 0
                                            ? NULL
                                            : &problem->contacts[sweep->unit[k].contact];
        if (contact)
            saddle__local_project(problem->law, contact->size, facets,
                                  contact->mu * sweep->friction, target + row);
        else
            target[row] = saddle__clamp(target[row], saddle_problem_lo(problem, row),
                                        saddle_problem_hi(problem, row));
    }
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
    saddle__newton newton; /* where it applies */
    saddle__unit *unit;    /* m */
    double *point;         /* m; lambda before a sweep */
    double *best;          /* m; lambda with the least residual */
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
    int64_t next_try;        /* sweeps at the next try of Newton's method */
    int64_t turns;           /* of the order or of friction */
    int backward;            /* the order of the sweep */
    double milestone;        /* the residual at the last halving */
    int64_t milestone_sweep; /* ... and the sweep of the halving, or of the last turn */
    double start;            /* saddle_clock() */
    double total;            /* residual of the latest check */
    double best;             /* the least residual so far */
    double per_change;       /* residual over change of a sweep, at the last check */
} iteration;

static void clear(void *data, saddle_context *context)
{
    gauss_seidel *state = data;
    saddle__operator_clear(context, &state->W);
    saddle__newton_clear(context, &state->newton);
    saddle__layout_clear(context, &state->layout);
    memset(state, 0, sizeof *state);
}

static void place(gauss_seidel *state, int64_t m)
{
    saddle__layout *layout = &state->layout;
    saddle__anderson *A = &state->anderson;
    state->unit = saddle__layout_take(layout, m, sizeof *state->unit);
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
    if (!saddle__newton_applies(problem)) return SADDLE_OK;
    return saddle__newton_make(context, problem, state->unit, make_units(problem, state->unit),
                               &state->newton);
}

/* The weight of a row in the norm of the acceleration: the largest diagonal entry of its unit. */
static void weigh(const saddle_problem *problem, gauss_seidel *state, int64_t units)
{
    for (int64_t k = 0; k < units; k++) {
        int64_t row = state->unit[k].row;
        int64_t size = state->unit[k].contact < 0 ? 1
                                                  : problem->contacts[state->unit[k].contact].size;
        double largest = 0.0;
        for (int64_t i = 0; i < size; i++)
            largest = fmax(largest, fabs(state->W.block[3 * (row + i) + i]));
        for (int64_t i = 0; i < size; i++)
            state->anderson.weight[row + i] = largest > 0.0 ? largest : 1.0;
    }
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

/* Newton's method from the present iterate; without success, sweeps go on from the same iterate.
 * Sweeps may cycle through sliding and sticking contacts where Newton's method converges. */
static saddle_status try_newton(iteration *it)
{
    const size_t bytes = (size_t)it->problem->m * sizeof *it->solution->lambda;
    double gain = 0.0, halved = INFINITY;
    saddle__newton_prepare(it->problem, &it->state->newton);
    memcpy(it->state->newton.start, it->solution->lambda, bytes);
    saddle_status status = check(it);
    for (int step = 0, idle = 0; step < NEWTON_STEPS && idle < NEWTON_PATIENCE && gain < 1.0;
         step++) {
        if (status != SADDLE_OK || it->total <= it->call->options->tolerance) return status;
        status = interrupted(it);
        if (status != SADDLE_OK) return status;
        status = saddle__newton_step(it->problem, &it->state->newton, it->solution->v,
                                     it->solution->lambda, &gain);
        it->sweeps++;
        if (status == SADDLE_OK) status = check(it);
        idle = it->total <= 0.5 * halved ? 0 : idle + 1;
        halved = idle == 0 ? it->total : halved;
    }
    if (status == SADDLE_OK && it->total <= it->call->options->tolerance) return status;
    memcpy(it->solution->lambda, it->state->newton.start, bytes);
    it->next_try = it->sweeps + it->sweeps / 2;
    return status == SADDLE_SINGULAR || status == SADDLE_OK ? check(it) : status;
}

static void accelerate(iteration *it)
{
    gauss_seidel *state = it->state;
    if (saddle__anderson_step(&state->anderson, state->point, it->solution->lambda)) {
        jump(&it->sweep, state->point);
    }
}

/* Sweeps with a share of the friction, raised from 0 to 1: where sweeps cycle, a different answer
 * is often reached from the frictionless answer, unique in v. */
static saddle_status raise_friction(iteration *it)
{
    static const double shares[] = {0.0, 0.3, 0.6, 0.8, 0.9, 0.95};
    const size_t bytes = (size_t)it->problem->m * sizeof *it->solution->lambda;
    const double enough = RAISE_TOLERANCE * it->call->options->tolerance;
    saddle_status status = SADDLE_OK;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        it->sweep.friction = shares[k];
        saddle__anderson_restart(&it->state->anderson);
        for (int64_t i = 0; i < RAISE_SWEEPS && status == SADDLE_OK; i++) {
            if (i > 0 && it->per_change * it->sweep.change <= enough) break;
            status = interrupted(it);
            memcpy(it->state->point, it->solution->lambda, bytes);
            if (status == SADDLE_OK) status = sweep_once(it, it->backward);
            if (status == SADDLE_OK) accelerate(it);
        }
    }
    it->sweep.friction = 1.0;
    if (saddle__newton_applies(it->problem)) it->next_try = it->sweeps + FIRST_TRY;
    return status == SADDLE_OK ? check(it) : status;
}

/* A cycle through the states of some contacts depends on the order and the start: where the
 * residual stays, the order is reversed or, for cones, friction raised anew, by turns. */
static saddle_status turn_when_stuck(iteration *it)
{
    saddle_status status = SADDLE_OK;
    if (it->best <= 0.5 * it->milestone) {
        it->milestone = it->best;
        it->milestone_sweep = it->sweeps;
    } else if (it->sweeps - it->milestone_sweep >= PATIENCE) {
        const int cones = it->problem->law == SADDLE_LAW_CONE && it->problem->contact_count > 0;
        if (cones && it->turns++ % 2 == 1)
            status = raise_friction(it);
        else
            it->backward = !it->backward;
        it->milestone_sweep = it->sweeps;
        saddle__anderson_restart(&it->state->anderson);
    }
    return status;
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
            if (status == SADDLE_OK && !solved) status = turn_when_stuck(it);
            if (it->sweep.change == 0.0 && !solved) return SADDLE_NOT_CONVERGED;
        }
        if (status != SADDLE_OK || solved) break;
        if (it->sweeps >= it->next_try) {
            status = try_newton(it);
            solved = it->total <= it->call->options->tolerance;
        }
        if (status == SADDLE_OK && !solved) accelerate(it);
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
    it.limit = call->options->max_iterations > 0 ? call->options->max_iterations
                                                 : SADDLE__MOST_STEPS;
    it.next_try = saddle__newton_applies(problem) ? FIRST_TRY : INT64_MAX;
    it.start = saddle_clock();
    it.sweep.problem = problem;
    it.sweep.W = &state->W;
    it.sweep.unit = state->unit;
    it.sweep.units = make_units(problem, state->unit);
    it.sweep.friction = 1.0;
    it.sweep.relaxation = it.settings->relaxation;
    it.sweep.lambda = solution->lambda;
    it.sweep.v = solution->v;
    it.sweep.worst = -1;
    weigh(problem, state, it.sweep.units);
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
