/* SPDX-License-Identifier: MIT */
/* See admm.h. */
#include "admm.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "builtin.h"
#include "equations.h"
#include "parts_method.h"
#include "rows.h"
#include "verdict.h"

static const saddle_solver_type *const type = &saddle__solver_admm;

/* Steps of auto: problems that take more are quicker gathered, with Newton's steps or pivots. */
enum { AUTO_STEPS = 2000 };

typedef struct admm_solve {
    saddle__view *view;
    saddle_context *context;
    saddle_options options;    /* the same in all processes */
    int is_limited;            /* by options.max_iterations, the user's; the same */
    saddle__settings settings; /* the same */
    saddle_checker checker;
    saddle_solver_call call;
    void *state;
    const saddle_solution *start; /* the whole, of the first process */
    const saddle_solution *seen;  /* the start, of the view; NULL: none, or start */
    saddle_solution *solution;    /* of the view */
    saddle_report *report;
} admm_solve;

static saddle_status agree(const admm_solve *s, saddle_status status)
{
    return saddle__agree(s->view->processes, s->context, status);
}

/* ---- which problems ---- */

static int is_start(const saddle__view *view, const saddle_solution *x)
{
    const int64_t n = view->of[SADDLE__VELOCITIES].whole, m = view->of[SADDLE__ROWS].whole;
    return x->n == n && x->m == m && (x->v || n == 0) && (x->lambda || m == 0) &&
           saddle__is_finite(x->v, n) && saddle__is_finite(x->lambda, m);
}

/* In the first process.  What is wrong with a start or a setting is the other solvers' to say. */
static int takes(admm_solve *s, const char *name, int is_open)
{
    const int is_auto = !name || strcmp(name, "auto") == 0;
    if (s->options.condition || (is_auto ? !is_open : strcmp(name, "admm") != 0)) return 0;
    if (s->start && !is_start(s->view, s->start)) return 0;
    s->is_limited = s->options.max_iterations > 0;
    if (is_auto && !s->is_limited) s->options.max_iterations = AUTO_STEPS;
    const saddle_status status = saddle__settings_fill(s->context, type, s->options.settings,
                                                       &s->settings);
    saddle_context_clear_message(s->context);
    return status == SADDLE_OK;
}

/* The arguments are of the first process; settings and options <- those of all. */
static int is_taken(admm_solve *s, const char *name)
{
    const saddle__view *view = s->view;
    const int has_rows = view->of[SADDLE__ROWS].whole > 0;
    const int is_open = !saddle__view_is_equations(view) && !saddle__rows_are_few(view);
    int taken = has_rows && saddle__rank(view->processes) == 0 && takes(s, name, is_open);
    MPI_Bcast(&taken, 1, MPI_INT, 0, view->processes);
    if (!taken || !saddle__parts_are_marked(view, 1)) return 0;
    saddle__broadcast(view->processes, &s->options, sizeof s->options);
    saddle__broadcast(view->processes, &s->settings, sizeof s->settings);
    saddle__broadcast(view->processes, &s->is_limited, sizeof s->is_limited);
    s->options.settings = NULL;
    return 1;
}

/* ---- phases ---- */

static saddle_status prepare(admm_solve *s)
{
    const int processes = saddle__processes(s->view->processes);
    s->state = saddle_allocate(s->context, 1, type->state_size);
    saddle_status status = s->state ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK)
        status = saddle__checker_create(s->context, &s->view->problem, &s->checker);
    s->call = (saddle_solver_call){.context = s->context,
                                   .options = &s->options,
                                   .settings = s->settings.bytes,
                                   .report = s->report,
                                   .checker = &s->checker,
                                   .deadline = (double)INFINITY};
    saddle__report_note(s->report, "M in parts over %d processes, rows and impulses too",
                        processes);
    return agree(s, status);
}

static saddle_status take_start(const admm_solve *s)
{
    const saddle__distribution *of = s->view->of;
    if (s->seen) {
        saddle__copy(s->solution->v, s->seen->v, s->view->problem.n);
        saddle__copy(s->solution->lambda, s->seen->lambda, s->view->problem.m);
        return SADDLE_OK;
    }
    const int is_first = saddle__rank(s->view->processes) == 0;
    int given = s->start != NULL;
    MPI_Bcast(&given, 1, MPI_INT, 0, s->view->processes);
    if (!given) return SADDLE_OK;
    SADDLE__TRY(saddle__distribution_scatter(&of[SADDLE__VELOCITIES], is_first ? s->start->v : NULL,
                                             s->solution->v));
    return saddle__distribution_scatter(&of[SADDLE__ROWS], is_first ? s->start->lambda : NULL,
                                        s->solution->lambda);
}

static saddle_status iterate(admm_solve *s)
{
    const saddle_problem *p = &s->view->problem;
    saddle_seconds *seconds = &s->report->seconds;
    double began = saddle_clock();
    SADDLE__TRY(saddle__ask(s->view->processes, s->context, "analyse"));
    SADDLE__TRY(type->analyse(&s->call, s->state, p));
    seconds->analyse = saddle_clock() - began;
    SADDLE__TRY(saddle__ask(s->view->processes, s->context, "factor"));
    began = saddle_clock();
    SADDLE__TRY(type->factor(&s->call, s->state, p));
    seconds->factor = saddle_clock() - began;
    SADDLE__TRY(saddle__ask(s->view->processes, s->context, "solve"));
    SADDLE__TRY(take_start(s));
    began = saddle_clock();
    if (s->options.time_limit > 0.0) s->call.deadline = began + s->options.time_limit;
    const saddle_status status = type->solve(&s->call, s->state, p, s->solution);
    seconds->solve = saddle_clock() - began;
    return s->view->status == SADDLE_OK ? status : s->view->status;
}

static void clear(admm_solve *s)
{
    if (s->state) type->clear(s->state, s->context);
    saddle_release(s->context, s->state);
    saddle__checker_clear(s->context, &s->checker);
    s->state = NULL;
}

static saddle_status run(admm_solve *s)
{
    s->context->parts = &s->view->sums;
    s->context->shared_method = &saddle__factor_parts;
    s->view->status = SADDLE_OK;
    saddle_status status = prepare(s);
    if (status == SADDLE_OK) status = agree(s, iterate(s));
    clear(s);
    s->context->parts = NULL;
    s->context->shared_method = NULL;
    return status;
}

/* The sizes of the whole, and what the process' context adds. */
static void complete_report(const admm_solve *s, const saddle_problem *named)
{
    int64_t contacts = s->view->problem.contact_count;
    MPI_Allreduce(MPI_IN_PLACE, &contacts, 1, MPI_INT64_T, MPI_SUM, s->view->processes);
    s->report->n = named->n;
    s->report->m = named->m;
    s->report->contacts = contacts;
    s->report->peak_bytes += saddle_context_memory(s->context).peak_bytes;
}

saddle_status saddle__admm_solve(saddle__view *view, const saddle_problem *named, const char *name,
                                 saddle_options *options, const saddle_solution *start,
                                 const saddle_solution *seen, saddle_solution *solution,
                                 saddle_report *report, int *done)
{
    admm_solve s = {.view = view,
                    .context = view->context,
                    .options = *options,
                    .start = start,
                    .seen = seen,
                    .solution = solution,
                    .report = report};
    *done = 0;
    if (!is_taken(&s, name)) return SADDLE_OK;
    *report = saddle__report_fresh(type->name);
    saddle_status status = run(&s);
    *done = status < SADDLE_OK && status != SADDLE_SINGULAR;
    if (status < SADDLE_OK) return *done ? status : SADDLE_OK;
    complete_report(&s, named);
    const saddle_status measured = saddle__view_measure(view, solution, &report->residual);
    *done = measured != SADDLE_OK;
    if (measured != SADDLE_OK) return measured;
    const int is_last = s.is_limited && status == SADDLE_ITERATION_LIMIT;
    status = saddle__view_judge(view, s.options.tolerance, status, is_last, report, done);
    if (!*done && options->time_limit > 0.0)
        options->time_limit = fmax(options->time_limit - report->seconds.solve, DBL_MIN);
    return status;
}
