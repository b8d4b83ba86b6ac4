/* SPDX-License-Identifier: MIT */
/* auto: picks a solver by the rows and matrices, says in the report which and why, and takes over when the pick falls short.
 *
 *     equality rows only, M and R symmetric      ldlt, or schur where the analysis foresees clearly less work for it;
 *                                                schur gives way to ldlt and ldlt to lu if the tolerance is not reached
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

/* Where a factorization by ldlt takes less than this many flops, which is a millisecond, none is worth a second analysis. */
static const double worth_a_look = 2e7;

/* Of ldlt's flops: schur's, to be picked, since it takes two solves with M's factor where ldlt takes one with K's; and those of
 * factoring a full W, for its analysis to be tried. */
static const double schur_share = 0.7;
static const double full_share = 0.5;

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

/* Whose turn it is when `type` falls short; NULL = nobody's. */
static const saddle_solver_type *next_of(const saddle_solver_type *type)
{
    if (type == &saddle__solver_schur) return &saddle__solver_ldlt;
    return type == &saddle__solver_ldlt ? &saddle__solver_lu : NULL;
}

/* ldlt, analysed, gives way to schur where that is foreseen to have clearly less to do.  why (size): what decided it, where
 * there was anything to decide. */
static void consider_schur(saddle_solver_call *call, auto_state *state, const saddle_problem *problem, char *why,
                           size_t size)
{
    double m = (double)problem->m;
    double flops = call->report->flops;
    if (flops < worth_a_look || problem->n == 0 || m == 0.0 || m * m * m / 3.0 > full_share * flops) return;
    auto_state other = {.type = &saddle__solver_schur, .kept = state->kept};
    other.state = saddle_allocate(call->context, 1, other.type->state_size);
    int analysed = other.state && other.type->analyse(call, other.state, problem) == SADDLE_OK;
    double schur_flops = call->report->flops;
    int better = analysed && schur_flops <= schur_share * flops;
    clear_pick(better ? state : &other, call->context);
    if (better) *state = other;
    call->report->flops = better ? schur_flops : flops;
    (void)snprintf(call->report->solver, sizeof call->report->solver, "%s", state->type->name);
    if (analysed) (void)snprintf(why, size, ", ldlt would take %.1e flops, schur %.1e", flops, schur_flops);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    const char *why;
    char foreseen[80] = "";
    const saddle_solver_type *type = pick(problem, &why);
    if (type == &saddle__solver_ldlt) {
        state->kept = saddle_allocate(call->context, problem->n + problem->m, sizeof *state->kept);
        if (!state->kept) return SADDLE_OUT_OF_MEMORY;
    }
    saddle_status status = take(call, state, type, problem);
    if (status == SADDLE_OK && type == &saddle__solver_ldlt)
        consider_schur(call, state, problem, foreseen, sizeof foreseen);
    char text[SADDLE_NOTE_SIZE];
    (void)snprintf(text, sizeof text, "auto picked %s: %s%s", state->type->name, why, foreseen);
    note(call, text);
    return status;
}

/* Who is next analyses and factors; why: what befell the one before. */
static saddle_status take_over(saddle_solver_call *call, auto_state *state, const saddle_problem *problem,
                               const char *why)
{
    const char *first = state->type->name;
    saddle_status status = take(call, state, next_of(state->type), problem);
    if (status >= 0) status = state->type->factor(call, state->state, problem);
    char text[SADDLE_NOTE_SIZE];
    (void)snprintf(text, sizeof text, "auto picked %s, then %s: %s %s", first, state->type->name, first, why);
    note(call, text);
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    saddle_status status = state->type->factor(call, state->state, problem);
    while (status == SADDLE_SINGULAR && next_of(state->type))
        status = take_over(call, state, problem, "met a zero pivot");
    return status;
}

static void keep(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* The pick fell short: the next one tries, the better of the two results stays.  *total: of the residual. */
static saddle_status second_try(saddle_solver_call *call, auto_state *state, const saddle_problem *problem,
                                saddle_solution *solution, double *total)
{
    char first[SADDLE_NAME_SIZE]; /* whose result is at hand */
    memcpy(first, call->report->solver, sizeof first);
    keep(state->kept, solution->v, problem->n);
    keep(state->kept + problem->n, solution->lambda, problem->m);
    char why[64];
    (void)snprintf(why, sizeof why, "reached %.1e", *total);
    saddle_status status = take_over(call, state, problem, why);
    if (status >= 0) status = state->type->solve(call, state->state, problem, solution);
    saddle_residual second = {.total = *total};
    if (status >= 0) saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work, &second);
    if (status >= 0 && second.total < *total) {
        *total = second.total;
        return status;
    }
    keep(solution->v, state->kept, problem->n);
    keep(solution->lambda, state->kept + problem->n, problem->m);
    (void)snprintf(call->report->solver, sizeof call->report->solver, "%s", first);
    char text[96];
    (void)snprintf(text, sizeof text, "%s did no better, %s's result stays", state->type->name, first);
    note(call, text);
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_NOT_CONVERGED;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    auto_state *state = memory;
    saddle_status status = state->type->solve(call, state->state, problem, solution);
    int ran_out = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
    if (status < 0 || ran_out || !next_of(state->type)) return status;
    saddle_residual first;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work, &first);
    double total = first.total;
    while (!(total <= call->options->tolerance) && status >= 0 && next_of(state->type))
        status = second_try(call, state, problem, solution, &total);
    return status;
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
