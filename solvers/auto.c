/* SPDX-License-Identifier: MIT */
/* auto: picks a solver by the rows and matrices, says in the report which and why, and takes over when the pick falls short.
 *
 *     equality rows only, M and R symmetric      ldlt, then lu if ldlt does not reach the tolerance
 *     equality rows only, M or R unsymmetric     lu
 *     anything else                              gauss-seidel
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "builtin.h"
#include "capability.h"

typedef struct auto_state {
    const saddle_solver_type *type; /* the pick */
    void *state;                    /* its state */
    double *kept;                   /* n + m: the first pick's v and lambda while the second tries */
} auto_state;

static const saddle_solver_type *pick(const saddle_problem *problem, const char **why)
{
    saddle__demand demand = saddle__problem_demand(problem);
    if (demand.rows & ~(unsigned)SADDLE_ROWS_EQUALITY) {
        *why = "rows with bounds or friction";
        return &saddle__solver_gauss_seidel;
    }
    if (demand.matrices == SADDLE_MATRICES_UNSYMMETRIC) {
        *why = problem->m ? "equality rows, unsymmetric" : "no rows, unsymmetric";
        return &saddle__solver_lu;
    }
    *why = problem->m ? "equality rows, symmetric" : "no rows, symmetric";
    return &saddle__solver_ldlt;
}

/* The pick's own note stays behind auto's. */
static void note(saddle_solver_call *call, const char *text)
{
    char own[SADDLE_NOTE_SIZE];
    char *all = call->report->note;
    memcpy(own, all, sizeof own);
    all[0] = '\0';
    saddle__append(all, SADDLE_NOTE_SIZE, text);
    if (own[0]) saddle__append(all, SADDLE_NOTE_SIZE, "; ");
    saddle__append(all, SADDLE_NOTE_SIZE, own);
}

static void clear_pick(auto_state *state, saddle_context *context)
{
    if (state->state) state->type->clear(state->state, context);
    saddle_release(context, state->state);
    state->state = NULL;
}

static saddle_status take(saddle_solver_call *call, auto_state *state, const saddle_solver_type *type,
                          const saddle_problem *problem)
{
    clear_pick(state, call->context);
    state->type = type;
    state->state = saddle_allocate(call->context, 1, type->state_size);
    if (!state->state) return SADDLE_OUT_OF_MEMORY;
    (void)snprintf(call->report->solver, sizeof call->report->solver, "%s", type->name);
    call->report->note[0] = '\0';
    return type->analyse(call, state->state, problem);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    const char *why;
    const saddle_solver_type *type = pick(problem, &why);
    if (type == &saddle__solver_ldlt) {
        state->kept = saddle_allocate(call->context, problem->n + problem->m, sizeof *state->kept);
        if (!state->kept) return SADDLE_OUT_OF_MEMORY;
    }
    saddle_status status = take(call, state, type, problem);
    char text[SADDLE_NOTE_SIZE];
    (void)snprintf(text, sizeof text, "auto picked %s: %s", type->name, why);
    note(call, text);
    return status;
}

static saddle_status take_over(saddle_solver_call *call, auto_state *state, const saddle_problem *problem, const char *why)
{
    saddle_status status = take(call, state, &saddle__solver_lu, problem);
    if (status >= 0) status = state->type->factor(call, state->state, problem);
    char text[SADDLE_NOTE_SIZE];
    (void)snprintf(text, sizeof text, "auto picked ldlt, then lu: %s", why);
    note(call, text);
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    saddle_status status = state->type->factor(call, state->state, problem);
    if (status != SADDLE_SINGULAR || state->type != &saddle__solver_ldlt) return status;
    return take_over(call, state, problem, "ldlt met a zero pivot");
}

static void keep(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* ldlt fell short: lu tries, the better of the two results stays. */
static saddle_status second_try(saddle_solver_call *call, auto_state *state, const saddle_problem *problem,
                                saddle_solution *solution, double first_total)
{
    keep(state->kept, solution->v, problem->n);
    keep(state->kept + problem->n, solution->lambda, problem->m);
    char why[64];
    (void)snprintf(why, sizeof why, "ldlt reached %.1e", first_total);
    saddle_status status = take_over(call, state, problem, why);
    if (status >= 0) status = state->type->solve(call, state->state, problem, solution);
    saddle_residual second = {.total = first_total};
    if (status >= 0)
        saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work, &second);
    if (status >= 0 && second.total < first_total) return status;
    keep(solution->v, state->kept, problem->n);
    keep(solution->lambda, state->kept + problem->n, problem->m);
    (void)snprintf(call->report->solver, sizeof call->report->solver, "ldlt");
    note(call, "lu did no better, ldlt's result stays");
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_NOT_CONVERGED;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem, saddle_solution *solution)
{
    auto_state *state = memory;
    saddle_status status = state->type->solve(call, state->state, problem, solution);
    int ran_out = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
    if (status < 0 || ran_out || state->type != &saddle__solver_ldlt) return status;
    saddle_residual first;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work, &first);
    if (first.total <= call->options->tolerance) return status;
    return second_try(call, state, problem, solution, first.total);
}

static void clear(void *memory, saddle_context *context)
{
    auto_state *state = memory;
    clear_pick(state, context);
    saddle_release(context, state->kept);
    memset(state, 0, sizeof *state);
}

const saddle_solver_type saddle__solver_auto = {
    .name = "auto",
    .summary = "picks by the rows and matrices, and says what it picked and why",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(auto_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
