/* SPDX-License-Identifier: MIT */
/* auto: picks a solver by the rows and matrices, says in the report which and why, and takes over when the pick falls short.
 *
 *     equality rows only, M and R symmetric      ldlt, or schur where the analysis foresees clearly less work for it;
 *                                                schur gives way to ldlt and ldlt to lu if the tolerance is not reached
 *     equality rows only, M or R unsymmetric     lu
 *     n = 0, few rows with bounds, friction
 *     of the laws box and pyramid                lemke; gauss-seidel where its paths end elsewhere than at a solution and
 *                                                without proof that there is none
 *     anything else                              gauss-seidel
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "builtin.h"
#include "capability.h"
#include "lemke/expansion.h"
#include "refine.h"

typedef struct auto_state {
    const saddle_solver_type *type;  /* the pick */
    void *state;                     /* its state */
    double *kept;                    /* n + m: the first pick's v and lambda while the second tries */
    const saddle_solver_type *tried; /* the last that did no better with these values; NULL = none yet */
} auto_state;

/* Where a factorization by ldlt takes less than this many flops, which is a millisecond, none is worth a second analysis. */
static const double worth_a_look = 2e7;

/* Of ldlt's flops: schur's, to be picked, since it takes two solves with M's factor where ldlt takes one with K's; and those of
 * factoring a full W, for its analysis to be tried. */
static const double schur_share = 0.7;
static const double full_share = 0.5;

/* Unknowns up to which lemke, whose pivots are dense, costs a millisecond or so. */
static const int64_t few = 200;

/* Rows in Delassus form may be an LCP of any kind, on which sweeps need not converge. */
static int is_lemkes(const saddle_problem *problem, saddle__demand demand)
{
    if (problem->n > 0 || (demand.rows & ~saddle__solver_lemke.rows)) return 0;
    return saddle__expansion_capacity(problem) <= few;
}

static const saddle_solver_type *pick(const saddle_problem *problem, const char **why)
{
    saddle__demand demand = saddle__problem_demand(problem);
    if ((demand.rows & ~(unsigned)SADDLE_ROWS_EQUALITY) && is_lemkes(problem, demand)) {
        *why = "few rows with bounds or friction, no velocities";
        return &saddle__solver_lemke;
    }
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

static void sign(saddle_solver_call *call, const saddle_solver_type *type)
{
    (void)snprintf(call->report->solver, sizeof call->report->solver, "%s", type->name);
}

/* A factorization that only ldlt has is no wish of lu's. */
static saddle_options options_for(const saddle_options *asked, const saddle_solver_type *type)
{
    saddle_options options = *asked;
    int of_ldlt =
        asked->factorization == SADDLE_FACTORIZATION_SUPERNODAL || asked->factorization == SADDLE_FACTORIZATION_CHOLMOD;
    if (type == &saddle__solver_lu && of_ldlt) options.factorization = SADDLE_FACTORIZATION_DEFAULT;
    return options;
}

static saddle_status take(saddle_solver_call *call, auto_state *state, const saddle_solver_type *type,
                          const saddle_problem *problem)
{
    saddle_options options = options_for(call->options, type);
    saddle_solver_call own = *call;
    own.options = &options;
    state->type = type;
    state->state = saddle_allocate(call->context, 1, type->state_size);
    if (!state->state) return SADDLE_OUT_OF_MEMORY;
    sign(call, type);
    call->report->note[0] = '\0';
    return type->analyse(&own, state->state, problem);
}

/* Whose turn it is when the pick falls short; NULL = nobody's. */
static const saddle_solver_type *next_of(const auto_state *state)
{
    const saddle_solver_type *type = state->tried ? state->tried : state->type;
    if (type == &saddle__solver_schur) return &saddle__solver_ldlt;
    if (type == &saddle__solver_lemke) return &saddle__solver_gauss_seidel;
    return type == &saddle__solver_ldlt ? &saddle__solver_lu : NULL;
}

/* ldlt, analysed, gives way to schur where that is foreseen to have clearly less to do.  why (size): what decided it, where
 * there was anything to decide. */
static void consider_schur(saddle_solver_call *call, auto_state *state, const saddle_problem *problem, char *why,
                           size_t size)
{
    double m = (double)problem->m;
    double flops = call->report->flops;
    if (call->options->factorization != SADDLE_FACTORIZATION_DEFAULT) return; /* schur has none to choose from */
    if (flops < worth_a_look || problem->n == 0 || m == 0.0 || m * m * m / 3.0 > full_share * flops) return;
    auto_state other = {.type = &saddle__solver_schur, .kept = state->kept};
    other.state = saddle_allocate(call->context, 1, other.type->state_size);
    int analysed = other.state && other.type->analyse(call, other.state, problem) == SADDLE_OK;
    double schur_flops = call->report->flops;
    int better = analysed && schur_flops <= schur_share * flops;
    clear_pick(better ? state : &other, call->context);
    if (better) *state = other;
    call->report->flops = better ? schur_flops : flops;
    sign(call, state->type);
    if (analysed) (void)snprintf(why, size, ", ldlt would take %.1e flops, schur %.1e", flops, schur_flops);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    const char *why;
    char foreseen[80] = "";
    const saddle_solver_type *type = pick(problem, &why);
    if (type == &saddle__solver_ldlt || type == &saddle__solver_lemke) {
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

/* Who is next analyses, beside the pick, which is as it was where that fails; why: what befell the pick. */
static saddle_status analyse_next(saddle_solver_call *call, const auto_state *state, const saddle_problem *problem,
                                  const char *why, auto_state *next)
{
    char said[SADDLE_NOTE_SIZE];
    memcpy(said, call->report->note, sizeof said);
    auto_state fresh = {.kept = state->kept};
    *next = fresh;
    saddle_status status = take(call, next, next_of(state), problem);
    if (status < 0) {
        clear_pick(next, call->context);
        sign(call, state->type);
        memcpy(call->report->note, said, sizeof said);
        return status;
    }
    char text[SADDLE_NOTE_SIZE];
    (void)snprintf(text, sizeof text, "auto picked %s, then %s: %s %s", state->type->name, next->type->name,
                   state->type->name, why);
    note(call, text);
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    state->tried = NULL;
    sign(call, state->type);
    saddle_status status = state->type->factor(call, state->state, problem);
    while (status == SADDLE_SINGULAR && next_of(state)) {
        auto_state next;
        saddle_status analysed = analyse_next(call, state, problem, "met a zero pivot", &next);
        if (analysed < 0) return analysed;
        clear_pick(state, call->context);
        *state = next;
        status = state->type->factor(call, state->state, problem);
    }
    return status;
}

static void keep(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* The pick fell short: the next one tries and takes its place where it does better.  *total: of the residual. */
static saddle_status second_try(saddle_solver_call *call, auto_state *state, const saddle_problem *problem,
                                saddle_solution *solution, double *total)
{
    saddle_report first = *call->report;
    keep(state->kept, solution->v, problem->n);
    keep(state->kept + problem->n, solution->lambda, problem->m);
    char why[64];
    (void)snprintf(why, sizeof why, "reached %.1e", *total);
    auto_state next;
    saddle_status status = analyse_next(call, state, problem, why, &next);
    if (status >= 0) status = next.type->factor(call, next.state, problem);
    if (status >= 0) status = next.type->solve(call, next.state, problem, solution);
    saddle_residual second = {.total = *total};
    if (status >= 0) saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work, &second);
    if (status >= 0 && second.total < *total) {
        *total = second.total;
        clear_pick(state, call->context);
        *state = next;
        return status;
    }
    keep(solution->v, state->kept, problem->n);
    keep(solution->lambda, state->kept + problem->n, problem->m);
    clear_pick(&next, call->context);
    first.factorizations = call->report->factorizations;
    if (first.peak_bytes < call->report->peak_bytes) first.peak_bytes = call->report->peak_bytes;
    *call->report = first;
    state->tried = next_of(state);
    return status == SADDLE_OK || (status < 0 && status != SADDLE_OUT_OF_MEMORY) ? SADDLE_NOT_CONVERGED : status;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    auto_state *state = memory;
    saddle_status status = state->type->solve(call, state->state, problem, solution);
    int settled = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT || status == SADDLE_INFEASIBLE;
    if (status < 0 || settled || !(next_of(state) || state->tried)) return status;
    saddle_residual first;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work, &first);
    double total = first.total;
    while (!(total <= call->options->tolerance) && status >= 0 && next_of(state))
        status = second_try(call, state, problem, solution, &total);
    if (state->tried && !(total <= call->options->tolerance))
        saddle__report_note(call->report, "%s did no better", state->tried->name);
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
