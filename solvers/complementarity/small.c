/* SPDX-License-Identifier: MIT */
/* See small.h. */
#include "complementarity/small.h"

#include <math.h>
#include <string.h>

#include "capability.h"
#include "dense/dense.h"

int saddle__small_takes(const saddle_solver_call *call, const saddle_problem *problem)
{
    const saddle__pivoting_settings *settings = call->settings;
    int few = problem->n == 0 && problem->m > 0 && problem->m <= SADDLE__CRASH_SMALL;
    int lags = settings->lagged_friction && problem->contact_count > 0;
    return few && !lags && settings->crash_steps > 0 && call->options->max_iterations == 0;
}

void saddle__small_clear(saddle__small *s)
{
    saddle_release(s->context, s->W);
    saddle_release(s->context, s->A);
    saddle__crash_clear(s->context, &s->crash);
    memset(s, 0, sizeof *s);
}

/* R's values are W by columns as they stand. */
static int is_dense(const saddle_matrix *R)
{
    return R->symmetry == SADDLE_GENERAL && R->cols > 0 &&
           saddle_matrix_entries(R) == R->cols * R->cols;
}

saddle_status saddle__small_create(const saddle_solver_call *call, const saddle_problem *problem,
                                   saddle__small *s)
{
    saddle_context *context = call->context;
    saddle__small fresh = {.context = context};
    *s = fresh;
    if (!saddle__small_takes(call, problem)) return SADDLE_OK;
    s->m = problem->m;
    if (!is_dense(&problem->R)) s->W = saddle_allocate(context, s->m * s->m, sizeof *s->W);
    s->A = saddle_allocate(context, s->m * s->m, sizeof *s->A);
    int there = (s->W || is_dense(&problem->R)) && s->A;
    saddle_status status = there ? saddle__crash_create(context, s->m, &s->crash)
                                 : SADDLE_OUT_OF_MEMORY;
    if (status != SADDLE_OK) saddle__small_clear(s);
    return status;
}

void saddle__small_set(saddle__small *s, const saddle_problem *problem)
{
    if (!s->W) return;
    if (saddle_matrix_entries(&problem->R) > 0)
        saddle__dense_from_sparse(&problem->R, s->W);
    else
        memset(s->W, 0, (size_t)(s->m * s->m) * sizeof *s->W);
}

typedef struct watch {
    const saddle_solver_call *call;
    saddle_status status;
} watch;

static int interrupted(void *user, int64_t steps)
{
    watch *w = user;
    if (saddle_context_progress(w->call->context, "solve", steps, 0, -1.0, 0.0))
        w->status = SADDLE_STOPPED;
    if (saddle_clock() >= w->call->deadline) w->status = SADDLE_TIME_LIMIT;
    return w->status != SADDLE_OK;
}

saddle_status saddle__small_solve(saddle__small *s, const saddle_problem *problem,
                                  const saddle_solver_call *call, saddle_solution *solution,
                                  int *settled)
{
    saddle__crash *crash = &s->crash;
    watch watched = {.call = call, .status = SADDLE_OK};
    const saddle__pivoting_settings *settings = call->settings;
    saddle__crash_limits limits = {.steps = settings->crash_steps,
                                   .interrupt = interrupted,
                                   .user = &watched};
    for (int64_t i = 0; i < s->m; i++) {
        crash->q[i] = problem->b ? -problem->b[i] : 0.0;
        crash->lambda[i] = solution->lambda[i];
    }
    crash->W = s->W ? s->W : problem->R.value;
    crash->A = s->A;
    int found = saddle__crash_run(crash, problem, saddle__is_symmetric(&problem->R), &limits);
    call->report->iterations += crash->steps;
    call->report->pivots += crash->pivots;
    call->report->factorizations += crash->steps;
    double enough = fmin(saddle__crash_plain, call->options->tolerance);
    *settled = found && crash->shift == 0.0 && crash->measure <= enough;
    if (*settled) saddle__crash_clamp(problem, crash->lambda, solution->lambda);
    return watched.status;
}
