/* SPDX-License-Identifier: MIT */
/* auto: picks a solver by the rows and matrices, says in the report which and why, and has others
 * take over when the pick falls short; who they are is auto_pick.h's.  Each take-over is counted in
 * the report.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "auto_pick.h"
#include "base/text.h"
#include "builtin.h"
#include "problem/verdict.h"
#include "refine.h"
#include "regularized.h"
#include "settings.h"

typedef struct auto_state {
    const saddle_solver_type *type; /* the pick */
    void *state;                    /* its state */
    int64_t sweeps;                 /* the pick's at most; 0 = as the options have it */
    double *kept;                   /* n + m: the pick's v and lambda while another tries */
    unsigned tried;                 /* set of those that had their turn with these values */
    unsigned no_better;             /* of them those that did no better than the pick */
    unsigned no_room;               /* and those that memory did not suffice for */
} auto_state;

/* Where a factorization by ldlt takes less than this many flops, which is a millisecond, none is
 * worth a second analysis. */
static const double worth_a_look = 2e7;

/* Of ldlt's flops: schur's, to be picked, since it takes two solves with M's factor where ldlt
 * takes one with K's; and those of factoring a full W, for its analysis to be tried. */
static const double schur_share = 0.7;
static const double full_share = 0.5;

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
    call->report->solver[0] = '\0';
    saddle__append(call->report->solver, sizeof call->report->solver, type->name);
}

/* The call as the solver sees it, with the solver's own settings. */
static saddle_solver_call call_of(const saddle_solver_call *call, const saddle_solver_type *type,
                                  saddle__settings *settings)
{
    saddle_solver_call own = *call;
    own.settings = saddle__settings_fill(type, call->options->settings, settings);
    return own;
}

static saddle_status take(saddle_solver_call *call, auto_state *state,
                          const saddle_solver_type *type, const saddle_problem *problem)
{
    saddle__settings settings;
    saddle_solver_call own = call_of(call, type, &settings);
    state->type = type;
    state->state = saddle_allocate(call->context, 1, type->state_size);
    if (!state->state) return SADDLE_OUT_OF_MEMORY;
    sign(call, type);
    call->report->note[0] = '\0';
    return type->analyse(&own, state->state, problem);
}

/* ldlt, analysed, gives way to schur where that is foreseen to have clearly less to do.  why
 * (size): what decided it, where there was anything to decide. */
static void consider_schur(saddle_solver_call *call, auto_state *state,
                           const saddle_problem *problem, char *why, size_t size)
{
    double m = (double)problem->m;
    double flops = call->report->flops;
    saddle__settings settings;
    saddle_solver_call own = call_of(call, &saddle__solver_schur, &settings);
    if (saddle__settings_differ(&saddle__solver_ldlt, call->options->settings))
        return; /* a factorization was asked for that schur does not have */
    if (flops < worth_a_look || problem->n == 0 || m == 0.0 || m * m * m / 3.0 > full_share * flops)
        return;
    auto_state other = {.type = &saddle__solver_schur, .kept = state->kept, .tried = state->tried};
    other.state = saddle_allocate(call->context, 1, other.type->state_size);
    int analysed = other.state && other.type->analyse(&own, other.state, problem) == SADDLE_OK;
    double schur_flops = call->report->flops;
    int better = analysed && schur_flops <= schur_share * flops;
    clear_pick(better ? state : &other, call->context);
    if (better) *state = other;
    call->report->flops = better ? schur_flops : flops;
    sign(call, state->type);
    if (analysed)
        (void)snprintf(why, size, ", ldlt would take %.1e flops, schur %.1e", flops, schur_flops);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    saddle__pick pick;
    char foreseen[80] = "";
    saddle_status status = saddle__auto_pick(call->context, problem, &pick);
    if (status != SADDLE_OK) return status;
    state->sweeps = saddle__auto_sweeps(problem, pick.type);
    if (saddle__auto_next(problem, pick.type, saddle__auto_bit(pick.type), 0)) {
        state->kept = saddle_allocate(call->context, problem->n + problem->m, sizeof *state->kept);
        if (!state->kept) return SADDLE_OUT_OF_MEMORY;
    }
    status = take(call, state, pick.type, problem);
    if (status == SADDLE_OK && pick.type == &saddle__solver_ldlt)
        consider_schur(call, state, problem, foreseen, sizeof foreseen);
    const saddle_solver_type *next = NULL;
    if (status == SADDLE_SINGULAR) /* M has no entries */
        next = saddle__auto_next(problem, pick.type, saddle__auto_bit(pick.type), 1);
    if (next) {
        clear_pick(state, call->context);
        state->sweeps = 0;
        status = take(call, state, next, problem);
        pick.why = "there is no mass";
    }
    char text[SADDLE_NOTE_SIZE];
    (void)snprintf(text, sizeof text, "auto picked %s: %s%s", state->type->name, pick.why,
                   foreseen);
    note(call, text);
    return status;
}

/* With the pick, unless it has been kept short and may have another. */
static unsigned had_their_turn(const auto_state *state)
{
    return state->sweeps > 0 ? state->tried : state->tried | saddle__auto_bit(state->type);
}

static void count_switch(saddle_switches *switches, const saddle_solver_type *type)
{
    switches->lemke += type == &saddle__solver_lemke;
    switches->regularized += type == &saddle__solver_regularized;
    switches->other += type != &saddle__solver_lemke && type != &saddle__solver_regularized;
}

/* Who is next analyses, beside the pick, which is as it was where that fails; why: what befell the
 * pick. */
static saddle_status analyse_next(saddle_solver_call *call, const auto_state *state,
                                  const saddle_problem *problem, const saddle_solver_type *type,
                                  const char *why, auto_state *next)
{
    char said[SADDLE_NOTE_SIZE];
    memcpy(said, call->report->note, sizeof said);
    auto_state fresh = {.kept = state->kept, .tried = had_their_turn(state)};
    *next = fresh;
    count_switch(&call->report->switches, type);
    saddle_status status = take(call, next, type, problem);
    if (status < 0) {
        clear_pick(next, call->context);
        sign(call, state->type);
        memcpy(call->report->note, said, sizeof said);
        return status;
    }
    char text[SADDLE_NOTE_SIZE];
    (void)snprintf(text, sizeof text, "auto picked %s, then %s: %s %s", state->type->name,
                   next->type->name, state->type->name, why);
    note(call, text);
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *state = memory;
    const saddle_solver_type *type;
    saddle__settings settings;
    saddle_solver_call own = call_of(call, state->type, &settings);
    state->tried = state->no_better = state->no_room = 0;
    sign(call, state->type);
    saddle_status status = state->type->factor(&own, state->state, problem);
    while (status == SADDLE_SINGULAR &&
           (type = saddle__auto_next(problem, state->type, had_their_turn(state), 1)) != NULL) {
        auto_state next;
        saddle_status analysed = analyse_next(call, state, problem, type, "met a zero pivot",
                                              &next);
        if (analysed < 0) return analysed;
        clear_pick(state, call->context);
        *state = next;
        own = call_of(call, type, &settings);
        status = type->factor(&own, state->state, problem);
    }
    return status;
}

/* ---- solve ---- */

static void keep(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* What no other solver is asked about. */
static int is_settled(const saddle_solver_call *call, saddle_status status)
{
    if (status == SADDLE_ITERATION_LIMIT) return call->options->max_iterations > 0;
    return status < 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT ||
           status == SADDLE_INFEASIBLE;
}

/* The report of the pick again, with what the other has used up. */
static void put_back(saddle_report *report, const saddle_report *first)
{
    saddle_report other = *report;
    *report = *first;
    report->factorizations = other.factorizations;
    report->switches = other.switches;
    if (report->peak_bytes < other.peak_bytes) report->peak_bytes = other.peak_bytes;
}

/* The pick fell short: `type` tries and takes its place where it does better, or has a proof.
 * *total: of the residual. */
static saddle_status try_next(saddle_solver_call *call, auto_state *state,
                              const saddle_problem *problem, const saddle_solver_type *type,
                              saddle_solution *solution, double *total)
{
    saddle_report first = *call->report;
    keep(state->kept, solution->v, problem->n);
    keep(state->kept + problem->n, solution->lambda, problem->m);
    char why[64];
    (void)snprintf(why, sizeof why, "reached %.1e", *total);
    auto_state next;
    saddle_status status = analyse_next(call, state, problem, type, why, &next);
    saddle__settings settings;
    saddle_solver_call own = call_of(call, type, &settings);
    if (status >= 0) status = type->factor(&own, next.state, problem);
    if (status >= 0) status = type->solve(&own, next.state, problem, solution);
    double second = *total;
    if (status >= 0) {
        saddle_residual residual;
        saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work,
                                &residual);
        second = saddle__error_of(&residual, call->options->tolerance);
    }
    if (status >= 0 && (second < *total || status == SADDLE_INFEASIBLE)) {
        *total = second;
        clear_pick(state, call->context);
        *state = next;
        return status;
    }
    keep(solution->v, state->kept, problem->n);
    keep(solution->lambda, state->kept + problem->n, problem->m);
    clear_pick(&next, call->context);
    put_back(call->report, &first);
    state->tried |= saddle__auto_bit(type);
    *(status == SADDLE_OUT_OF_MEMORY ? &state->no_room
                                     : &state->no_better) |= saddle__auto_bit(type);
    return status == SADDLE_OK || status < 0 ? SADDLE_NOT_CONVERGED : status;
}

static void note_no_better(saddle_solver_call *call, const auto_state *state)
{
    unsigned no_better = state->no_better;
    unsigned no_room = state->no_room;
    const saddle_solver_type *type;
    while ((type = saddle__auto_take(&no_better)) != NULL)
        saddle__report_note(call->report, "%s did no better", type->name);
    while ((type = saddle__auto_take(&no_room)) != NULL)
        saddle__report_note(call->report, "%s ran out of memory", type->name);
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    auto_state *state = memory;
    saddle_options options = *call->options;
    saddle__settings settings;
    saddle_solver_call own = call_of(call, state->type, &settings);
    if (state->sweeps > 0 && options.max_iterations == 0) options.max_iterations = state->sweeps;
    own.options = &options;
    return state->type->solve(&own, state->state, problem, solution);
}

static saddle_status retry(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution, saddle_status status)
{
    auto_state *state = memory;
    const saddle_solver_type *type;
    double total = saddle__error_of(&call->report->residual, call->options->tolerance);
    if (is_settled(call, status) || !state->kept) return status;
    while (!(total <= call->options->tolerance) && !is_settled(call, status) &&
           (type = saddle__auto_next(problem, state->type, had_their_turn(state), 0)) != NULL)
        status = try_next(call, state, problem, type, solution, &total);
    if (!(total <= call->options->tolerance)) note_no_better(call, state);
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
    .retry = retry,
};
