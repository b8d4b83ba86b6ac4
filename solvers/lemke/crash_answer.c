/* SPDX-License-Identifier: MIT */
/* The answer of the crash basis, refined against the problem itself as that of the path's is
 * (basis.c). */
#include <math.h>
#include <string.h>

#include "capability.h"
#include "lemke/lemke_state.h"

static const double finest = 1e-15; /* a residual that no correction betters much */
static const double enough = 1e-14; /* .. and one that no path need better */

static saddle_status refine(saddle__lemke *s, const saddle_solver_call *call,
                            const saddle_problem *problem, saddle_solution *solution)
{
    double *lambda = s->crash.lambda;
    double *increment = s->crash.w;
    double last = (double)INFINITY;
    saddle_status status = saddle__dense_delassus_velocity(&s->mass, problem, lambda, s->trial_v);
    for (int64_t k = 0; status == SADDLE_OK && k <= call->options->max_refinements; k++) {
        status = saddle__lemke_slack(s, problem, s->trial_v, lambda);
        if (problem->m > 0) memset(increment, 0, (size_t)problem->m * sizeof *increment);
        saddle__crash_correct(&s->crash, s->force, increment);
        for (int64_t i = 0; i < problem->m; i++) lambda[i] += increment[i];
        if (status == SADDLE_OK) status = saddle__lemke_push(s, problem, increment, s->trial_v);
        if (status != SADDLE_OK) return status;
        saddle__crash_clamp(problem, lambda, s->trial_lambda);
        double residual = saddle__lemke_judge(s, call, problem, solution);
        call->report->refinements += k > 0;
        int gains = residual < 0.5 * last;
        last = fmin(last, residual);
        if (residual <= finest || (!gains && k > 1)) break;
    }
    return status;
}

static int is_symmetric(const saddle_problem *problem)
{
    return saddle__is_symmetric(&problem->R) &&
           (problem->n == 0 || saddle__is_symmetric(&problem->M));
}

/* W 0 + q from the start's lambda; q = J M^-1 f - b. */
static saddle_status set_out(saddle__lemke *s, const saddle_problem *problem,
                             const saddle_solution *solution)
{
    saddle__crash *crash = &s->crash;
    int64_t m = problem->m;
    for (int64_t i = 0; i < m; i++) crash->q[i] = problem->b ? -problem->b[i] : 0.0;
    if (m > 0) memcpy(crash->lambda, solution->lambda, (size_t)m * sizeof *crash->lambda);
    if (problem->n == 0 || !problem->Jt.start || m == 0) return SADDLE_OK;
    if (s->has_q && !s->expansion.has_constant) {
        memcpy(crash->q, s->q, (size_t)m * sizeof *crash->q);
        return SADDLE_OK;
    }
    memset(s->trial_lambda, 0, (size_t)m * sizeof *s->trial_lambda);
    saddle_status status = saddle__dense_delassus_velocity(&s->mass, problem, s->trial_lambda,
                                                           s->trial_v);
    saddle_matrix_apply_transpose(&problem->Jt, 1.0, s->trial_v, 1.0, crash->q);
    return status;
}

saddle_status saddle__lemke_crash(saddle__lemke *s, saddle_solver_call *call,
                                  const saddle_problem *problem, const saddle__crash_limits *limits,
                                  saddle_solution *solution, int *settled)
{
    saddle__crash *crash = &s->crash;
    *settled = 0;
    saddle_status status = set_out(s, problem, solution);
    if (status != SADDLE_OK) return status;
    crash->demand = s->table && s->table->demand ? s->table->demand : NULL;
    crash->sparse = s->table && !crash->demand ? &s->sparse : NULL;
    crash->W = s->mass.W;
    crash->A = crash->demand ? crash->demand->A : s->reduction.A;
    s->reduction.intact = 0;
    int found = saddle__crash_run(crash, problem, is_symmetric(problem), limits);
    call->report->iterations += crash->steps;
    call->report->pivots += crash->pivots;
    if (crash->sparse && crash->sparse->status == SADDLE_OUT_OF_MEMORY) return SADDLE_OUT_OF_MEMORY;
    if (crash->demand && crash->demand->status != SADDLE_OK) return crash->demand->status;
    if (!found) return SADDLE_OK;
    *settled = crash->measure <= saddle__crash_plain;
    if (!*settled) {
        status = refine(s, call, problem, solution);
        *settled = s->best <= enough;
        return status;
    }
    saddle__crash_clamp(problem, crash->lambda, solution->lambda);
    s->best = crash->measure;
    return SADDLE_OK;
}
