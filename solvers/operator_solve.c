/* SPDX-License-Identifier: MIT */
/* See operator_solve.h. */
#include "operator_solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "factor/complement.h"
#include "problem/problem_internal.h"
#include "saddle/delassus.h"

struct saddle__operator_solve {
    saddle_context *context;
    saddle_mass_operator mass;
    saddle_options options; /* settings: not read */
    saddle_solver *solver;  /* of the rows */
    saddle_delassus *delassus;
    saddle_problem rows; /* n = 0: R = W and b borrowed, the rest is the caller's */
    int factored;        /* 1: W and the solver of the rows are of the same values */
    double deadline;     /* saddle_clock() at the end of the time limit of the solve */
    int64_t warm_rows;   /* of the first solve of the rows; corrections begin at its lambda */
    saddle__layout layout;
    double *b;               /* m: -q */
    double *before, *change; /* m: of lambda in a correction */
    int64_t *start;          /* n + 1: with index and diagonal a matrix of M_jj */
    int64_t *index;          /* n */
    double *diagonal;        /* n */
    double *moved;           /* n: M v */
    double *force;           /* n: J'lambda */
    double *terms;           /* n: |J'||lambda| */
    double *work;            /* of the residual */
};

static void clear(saddle__operator_solve *s)
{
    saddle_delassus_free(s->delassus);
    saddle__layout_clear(s->context, &s->layout);
    s->delassus = NULL;
    s->factored = 0;
}

void saddle__operator_solve_free(saddle__operator_solve *s)
{
    if (!s) return;
    clear(s);
    saddle_solver_free(s->solver);
    saddle_release(s->context, s);
}

const saddle_solver *saddle__operator_solve_rows(const saddle__operator_solve *s)
{
    return s->solver;
}

saddle_status saddle__operator_solve_create(saddle_context *context, const char *name,
                                            const saddle_options *options,
                                            const saddle_mass_operator *mass,
                                            saddle__operator_solve **made)
{
    *made = NULL;
    SADDLE__TRY(saddle__mass_operator_check(context, mass));
    saddle__operator_solve *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    s->context = context;
    s->mass = *mass;
    s->options = *options;
    const saddle_status status = saddle_solver_create(context, name, options, &s->solver);
    if (status != SADDLE_OK) {
        saddle__operator_solve_free(s);
        return status;
    }
    *made = s;
    return SADDLE_OK;
}

/* ---- the rows' problem ---- */

/* The present values of the problem, with W and b = -q. */
static void view_rows(saddle__operator_solve *s, const saddle_problem *problem)
{
    s->rows = *problem;
    s->rows.n = 0;
    s->rows.M = s->rows.Jt = (saddle_matrix){0};
    s->rows.R = *saddle_delassus_matrix(s->delassus);
    s->rows.R.owner = 0;
    s->rows.f = NULL;
    s->rows.b = s->b;
    s->rows.component_count = 0;
    s->rows.component_name = NULL;
    s->rows.component_size = NULL;
    s->rows.owner = 0;
}

/* The problem with M_jj for M. */
static saddle_problem view_diagonal(const saddle__operator_solve *s, const saddle_problem *problem)
{
    saddle_problem view = *problem;
    view.M = saddle_matrix_view(problem->n, problem->n, s->start, s->index, s->diagonal,
                                SADDLE_SYMMETRY_LOWER);
    return view;
}

static saddle_status make_arrays(saddle_context *context, saddle__operator_solve *s,
                                 const saddle_problem *problem, int64_t work)
{
    const int64_t n = problem->n;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(s->b, problem->m),      SADDLE__ARRAY(s->before, problem->m),
        SADDLE__ARRAY(s->change, problem->m), SADDLE__ARRAY(s->start, n + 1),
        SADDLE__ARRAY(s->index, n),           SADDLE__ARRAY(s->diagonal, n),
        SADDLE__ARRAY(s->moved, n),           SADDLE__ARRAY(s->force, n),
        SADDLE__ARRAY(s->terms, n),           SADDLE__ARRAY(s->work, work)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status allocate(saddle__operator_solve *s, const saddle_problem *problem)
{
    const int64_t work = saddle_residual_work_size(problem);
    SADDLE__TRY(make_arrays(s->context, s, problem, work));
    for (int64_t j = 0; j < problem->n; j++) {
        s->index[j] = j;
        s->start[j + 1] = j + 1;
    }
    return SADDLE_OK;
}

/* The report is the rows' but for n and the time. */
static saddle_status conclude(const saddle__operator_solve *s, const saddle_problem *problem,
                              double *seconds, double began, saddle_report *report,
                              saddle_status status)
{
    const saddle_seconds spent = report->seconds;
    const double now = saddle_clock();
    *report = *saddle_solver_report(s->solver);
    report->seconds = spent;
    *seconds = now - began;
    report->n = problem->n;
    report->status = status;
    return status;
}

/* ---- phases ---- */

saddle_status saddle__operator_solve_analyse(saddle__operator_solve *s,
                                             const saddle_problem *problem, saddle_report *report)
{
    const double began = saddle_clock();
    clear(s);
    saddle_status status = saddle_delassus_create_by_operator(s->context, problem, &s->mass,
                                                              &s->options, &s->delassus);
    if (status == SADDLE_OK) status = allocate(s, problem);
    if (status != SADDLE_OK) {
        clear(s);
        return report->status = status;
    }
    view_rows(s, problem);
    status = saddle_solver_analyse(s->solver, &s->rows);
    if (!saddle__goes_on(status)) clear(s);
    return conclude(s, problem, &report->seconds.analyse, began, report, status);
}

static saddle_status take_diagonal(saddle__operator_solve *s, const saddle_problem *problem)
{
    if (problem->n == 0) return SADDLE_OK;
    SADDLE__TRY(s->mass.diagonal(s->mass.user, s->diagonal));
    for (int64_t j = 0; j < problem->n; j++) {
        if (s->diagonal[j] > 0 && isfinite(s->diagonal[j])) continue;
        char name[128];
        saddle_problem_describe_velocity(problem, j, name, sizeof name);
        return saddle_fail(s->context, SADDLE_SINGULAR,
                           "the mass operator has %g on the diagonal "
                           "at %s",
                           s->diagonal[j], name);
    }
    return SADDLE_OK;
}

saddle_status saddle__operator_solve_factor(saddle__operator_solve *s,
                                            const saddle_problem *problem, saddle_report *report)
{
    const double began = saddle_clock();
    saddle_context_clear_message(s->context);
    saddle_status status = SADDLE_OK;
    s->factored = 0;
    if (!s->delassus) status = saddle_fail(s->context, SADDLE_WRONG_PHASE, "factor before analyse");
    if (status == SADDLE_OK) status = saddle_delassus_form(s->delassus, problem);
    if (status == SADDLE_OK) status = take_diagonal(s, problem);
    if (status != SADDLE_OK) return report->status = status;
    view_rows(s, problem);
    status = saddle_solver_factor(s->solver, &s->rows);
    s->factored = saddle__goes_on(status);
    return conclude(s, problem, &report->seconds.factor, began, report, status);
}

/* ---- the residual ---- */

/* s->moved, force, terms of the answer. */
static saddle_status form_terms(saddle__operator_solve *s, const saddle_problem *problem,
                                const saddle_solution *x)
{
    const size_t size = (size_t)problem->n * sizeof(double);
    const saddle_matrix *Jt = &problem->Jt;
    if (problem->n == 0) return SADDLE_OK;
    memset(s->force, 0, size);
    memset(s->terms, 0, size);
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < problem->m; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            const double part = Jt->value[k] * x->lambda[i];
            s->force[Jt->index[k]] += part;
            s->terms[Jt->index[k]] += fabs(part);
        }
    return s->mass.multiply(s->mass.user, x->v, s->moved);
}

/* Of the velocities, over the largest term of all, in kinetic units (saddle/solver.h). */
static void measure_dynamics(const saddle__operator_solve *s, const saddle_problem *problem,
                             const double *v, saddle_residual *residual)
{
    double most = 0, worst = 0;
    residual->worst_velocity = -1;
    for (int64_t j = 0; j < problem->n; j++) {
        const double f = problem->f ? problem->f[j] : 0;
        const double unit = sqrt(s->diagonal[j]);
        const double error = fabs(s->moved[j] - s->force[j] - f) / unit;
        const double term = (fabs(s->moved[j]) + s->terms[j] + fabs(f)) / unit + unit * fabs(v[j]);
        if (!(term <= most)) most = term;
        if (error <= worst) continue;
        worst = error;
        residual->worst_velocity = j;
    }
    residual->dynamics = worst > 0 ? worst / most : 0;
}

static saddle_status measure(saddle__operator_solve *s, const saddle_problem *problem,
                             saddle_solution *x, saddle_residual *residual)
{
    const saddle_problem view = view_diagonal(s, problem);
    SADDLE__TRY(form_terms(s, problem, x));
    saddle_residual_compute(&view, x->v, x->lambda, x->w, s->work, residual);
    const int finite = isfinite(residual->total);
    measure_dynamics(s, problem, x->v, residual);
    residual->normwise = (double)NAN;
    residual->total = fmax(residual->dynamics, fmax(residual->rows, residual->cone));
    if (!finite || !isfinite(residual->dynamics)) residual->total = (double)INFINITY;
    return SADDLE_OK;
}

/* ---- solve ---- */

static void clear_solution(const saddle_problem *problem, saddle_solution *x)
{
    if (problem->n > 0) memset(x->v, 0, (size_t)problem->n * sizeof *x->v);
    if (problem->m > 0) memset(x->lambda, 0, (size_t)problem->m * sizeof *x->lambda);
    if (problem->m > 0) memset(x->w, 0, (size_t)problem->m * sizeof *x->w);
}

/* lambda, and w as the rows have it, in the time left.  start: NULL = what the rows' solver
 * remembers. */
static saddle_status solve_rows(saddle__operator_solve *s, double tolerance, const double *start,
                                saddle_solution *solution)
{
    const saddle_options *options = &s->options;
    const double left = fmax(s->deadline - saddle_clock(), DBL_MIN);
    saddle_solution from = {.m = solution->m, .lambda = (double *)start};
    saddle_solution x = {.m = solution->m, .lambda = solution->lambda, .w = solution->w};
    saddle__solver_set_goal(s->solver, tolerance, options->time_limit > 0 ? left : 0);
    const saddle_status status = saddle_solver_solve(s->solver, &s->rows, start ? &from : NULL, &x);
    saddle__solver_set_goal(s->solver, options->tolerance, options->time_limit);
    return status;
}

static saddle_status reduce(saddle__operator_solve *s, const saddle_problem *problem)
{
    SADDLE__TRY(saddle__problem_check_vectors(s->context, problem));
    SADDLE__TRY(saddle_delassus_reduce(s->delassus, problem, s->b));
    for (int64_t i = 0; i < problem->m; i++) {
        if (!isfinite(s->b[i]))
            return saddle__mass_operator_blame(s->context, problem, i, "J M^-1 f - b", s->b[i]);
        s->b[i] = -s->b[i];
    }
    view_rows(s, problem);
    return SADDLE_OK;
}

static saddle_status recover(saddle__operator_solve *s, const saddle_problem *problem,
                             saddle_solution *x, saddle_residual *residual)
{
    SADDLE__TRY(saddle_delassus_recover(s->delassus, problem, x->lambda, x->v));
    return measure(s, problem, x, residual);
}

/* The rows' problem anew with b = W lambda - w, w at v, which has the rounding of W, q and v in it:
 * v += M^-1 J'(change of lambda).  As v moves by little, little rounding is added. */
static saddle_status correct(saddle__operator_solve *s, const saddle_problem *problem, double total,
                             saddle_solution *x, saddle_status *status)
{
    const saddle_matrix *Jt = &problem->Jt;
    saddle_residual rows; /* of the same lambda: total in the scales of the rows' problem */
    SADDLE__TRY(saddle_delassus_apply(s->delassus, x->lambda, s->b));
    for (int64_t i = 0; i < x->m; i++) s->b[i] -= x->w[i];
    memcpy(s->before, x->lambda, (size_t)x->m * sizeof *s->before);
    saddle_residual_compute(&s->rows, NULL, x->lambda, NULL, s->work, &rows);
    *status = solve_rows(s, fmax(DBL_EPSILON, 0.5 * rows.total * s->options.tolerance / total),
                         x->lambda, x);
    if (*status < 0) return *status;
    for (int64_t i = 0; i < x->m; i++) s->change[i] = x->lambda[i] - s->before[i];
    if (x->n == 0 || saddle_matrix_entries(Jt) == 0) return SADDLE_OK;
    saddle_matrix_apply(Jt, 1.0, s->change, 0.0, s->moved);
    SADDLE__TRY(s->mass.solve(s->mass.user, s->moved));
    for (int64_t j = 0; j < x->n; j++) x->v[j] += s->moved[j];
    return SADDLE_OK;
}

/* The answer before the correction, with its status but where the correction was interrupted. */
static saddle_status restore(saddle__operator_solve *s, const saddle_problem *problem,
                             saddle_status first, saddle_status status, saddle_solution *x,
                             saddle_residual *residual)
{
    const int interrupted = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
    saddle__solver_drop_proof(s->solver, "corrected rows contradict each other by their rounding");
    memcpy(x->lambda, s->before, (size_t)x->m * sizeof *s->before);
    SADDLE__TRY(recover(s, problem, x, residual));
    return interrupted ? status : first;
}

/* Of an answer where the solve of the rows is stopped before it begins. */
static void take_start(const saddle_solution *start, saddle_solution *x)
{
    const size_t size = (size_t)x->m * sizeof *x->lambda;
    if (size > 0 && start) memmove(x->lambda, start->lambda, size);
    if (size > 0 && !start) memset(x->lambda, 0, size);
}

/* Solves and measures.  Where the rows are solved and the residual at v, which has scales of its
 * own, is above the tolerance, the rows are corrected and solved to less while the residual halves.
 * The better of the last two answers stays, with its status.  No answer: a negative status, or a
 * residual whose total is left NAN. */
static saddle_status run(saddle__operator_solve *s, const saddle_problem *problem,
                         const saddle_solution *start, saddle_solution *x,
                         saddle_residual *residual)
{
    const double tolerance = s->options.tolerance;
    double before = (double)INFINITY;
    take_start(start, x);
    SADDLE__TRY(reduce(s, problem));
    saddle_status earlier = SADDLE_OK,
                  status = solve_rows(s, tolerance, start ? start->lambda : NULL, x);
    s->warm_rows = saddle_solver_report(s->solver)->warm_rows;
    if (status >= 0) SADDLE__TRY(recover(s, problem, x, residual));
    while (x->m > 0 && (status == SADDLE_OK || status == SADDLE_NOT_CONVERGED) &&
           isfinite(residual->total) && residual->total > tolerance &&
           residual->total <= 0.5 * before) {
        if (saddle_clock() >= s->deadline) return SADDLE_TIME_LIMIT;
        before = residual->total;
        earlier = status;
        SADDLE__TRY(correct(s, problem, before, x, &status));
        SADDLE__TRY(measure(s, problem, x, residual));
    }
    if (status < 0 || residual->total <= before) return status;
    return restore(s, problem, earlier, status, x, residual);
}

/* The proof of the rows' solver, which names the rows. */
static saddle_status say_infeasible(const saddle__operator_solve *s)
{
    const saddle_report *report = saddle_solver_report(s->solver);
    char text[160];
    saddle_certificate_describe(&s->rows, saddle_solver_certificate(s->solver), 3, text,
                                sizeof text);
    const saddle_status status = saddle_fail(s->context, SADDLE_INFEASIBLE, "%s: no solution: %s",
                                             report->solver, text);
    return saddle_fail_at(s->context,
                          (saddle_place){.kind = SADDLE_PLACE_ROW, .index = report->proof.heaviest},
                          status);
}

/* SADDLE_OK means a residual within the tolerance, at v: a contradiction of the rows is within the
 * tolerance then, too. */
static saddle_status judge(const saddle__operator_solve *s, const saddle_residual *residual,
                           saddle_status status)
{
    if (saddle_residual_is_solved(residual, s->options.tolerance)) {
        saddle__solver_drop_proof(s->solver,
                                  "a contradiction of the rows is smaller than the tolerance");
        saddle_context_clear_message(s->context);
        return SADDLE_OK;
    }
    if (status == SADDLE_INFEASIBLE) return say_infeasible(s);
    return saddle_fail(s->context, status == SADDLE_OK ? SADDLE_NOT_CONVERGED : status,
                       "%s on the rows of a mass operator: residual %.3g, tolerance %.3g",
                       saddle_solver_report(s->solver)->solver, residual->total,
                       s->options.tolerance);
}

saddle_status saddle__operator_solve_solve(saddle__operator_solve *s, const saddle_problem *problem,
                                           const saddle_solution *start, saddle_solution *solution,
                                           saddle_report *report)
{
    const double began = saddle_clock();
    saddle_context *context = s->context;
    saddle_context_clear_message(context);
    saddle_status status = SADDLE_OK;
    if (!s->factored)
        status = saddle_fail(context, SADDLE_WRONG_PHASE, "solve before %s",
                             s->delassus ? "factor" : "analyse");
    if (status == SADDLE_OK)
        status = saddle__solution_check_size(context, problem, solution, "solution", 1);
    if (status == SADDLE_OK && start)
        status = saddle__solution_check_size(context, problem, start, "start", 0);
    if (status != SADDLE_OK) return report->status = status;
    saddle_residual residual = {.total = (double)NAN};
    s->deadline = s->options.time_limit > 0 ? began + s->options.time_limit : (double)INFINITY;
    status = run(s, problem, start, solution, &residual);
    const int measured = status >= 0 && !isnan(residual.total);
    if (measured)
        status = judge(s, &residual, status);
    else
        clear_solution(problem, solution);
    (void)conclude(s, problem, &report->seconds.solve, began, report, status);
    if (measured) report->residual = residual;
    report->warm_rows = s->warm_rows;
    return status;
}
