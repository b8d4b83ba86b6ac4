/* SPDX-License-Identifier: MIT */
/* A problem whose M is an operator (saddle/mass_operator.h), through any solver:
 *
 *     W = J M^-1 J' + R,  q = J M^-1 f - b      the rows' problem, without velocities
 *     w = W lambda + q, the rows' laws          solved by the solver of the state's head
 *     v = M^-1 (f + J'lambda)                   refined once
 *
 * The checker measures at v, with M_jj for M in the units of the rows; certificates are of the
 * rows' problem. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/vector.h"
#include "certify.h"
#include "factor/complement.h"
#include "member.h"
#include "problem/problem_internal.h"
#include "saddle/delassus.h"
#include "verdict.h"

typedef struct operator_solve {
    saddle__operator_head head; /* first: filled in before analyse */
    saddle__operator_case own;  /* of the checker */
    saddle__member solver;      /* of the rows */
    saddle_checker checker;     /* of the rows */
    saddle_delassus *delassus;
    saddle_problem rows; /* n = 0: R = W and b borrowed, the rest is the caller's */
    size_t note;         /* length before a solve */
    saddle__layout layout;
    double *b;               /* m: -q */
    double *before, *change; /* m: of lambda in a correction */
    int64_t *start;          /* n + 1: with index and diagonal a matrix of M_jj */
    int64_t *index;          /* n */
    double *diagonal;        /* n */
    double *moved;           /* n: M v */
    double *force;           /* n: J'lambda */
    double *terms;           /* n: |J'||lambda| */
} operator_solve;

static void clear(void *memory, saddle_context *context)
{
    operator_solve *s = memory;
    saddle_delassus_free(s->delassus);
    saddle__member_release(&s->solver, context);
    saddle__checker_clear(context, &s->checker);
    saddle__layout_clear(context, &s->layout);
}

/* ---- the rows' problem ---- */

/* The present values of the problem, with W and b = -q. */
static void view_rows(operator_solve *s, const saddle_problem *problem)
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
    saddle__checker_begin(&s->checker, &s->rows);
}

/* The call of the rows' solver. */
static saddle_solver_call rows_call(operator_solve *s, const saddle_solver_call *call)
{
    saddle_solver_call own = saddle__member_call(call, &s->solver);
    own.checker = &s->checker;
    return own;
}

static saddle_status make_arrays(saddle_context *context, operator_solve *s, int64_t n, int64_t m)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(s->b, m),      SADDLE__ARRAY(s->before, m),
                                    SADDLE__ARRAY(s->change, m), SADDLE__ARRAY(s->start, n + 1),
                                    SADDLE__ARRAY(s->index, n),  SADDLE__ARRAY(s->diagonal, n),
                                    SADDLE__ARRAY(s->moved, n),  SADDLE__ARRAY(s->force, n),
                                    SADDLE__ARRAY(s->terms, n)};
    SADDLE__TRY(saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays)));
    for (int64_t j = 0; j < n; j++) {
        s->index[j] = j;
        s->start[j + 1] = j + 1;
    }
    return SADDLE_OK;
}

/* ---- the residual at v ---- */

/* s->moved, force, terms of the answer. */
static saddle_status form_terms(operator_solve *s, const saddle_problem *problem, const double *v,
                                const double *lambda)
{
    const saddle_matrix *Jt = &problem->Jt;
    if (problem->n == 0) return SADDLE_OK;
    saddle__zero(s->force, problem->n);
    saddle__zero(s->terms, problem->n);
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < problem->m; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            const double part = Jt->value[k] * lambda[i];
            s->force[Jt->index[k]] += part;
            s->terms[Jt->index[k]] += fabs(part);
        }
    return s->head.mass.multiply(s->head.mass.user, v, s->moved);
}

/* Of the velocities, over the largest term of all, in kinetic units (saddle/solver.h). */
static void measure_dynamics(const operator_solve *s, const saddle_problem *problem,
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

static void measure(void *user, const saddle_problem *problem, const double *v,
                    const double *lambda, double *w, double *work, saddle_residual *residual)
{
    operator_solve *s = user;
    saddle_problem view = *problem;
    view.M = saddle_matrix_view(problem->n, problem->n, s->start, s->index, s->diagonal,
                                SADDLE_SYMMETRY_LOWER);
    const saddle_status status = form_terms(s, problem, v, lambda);
    saddle_residual_compute(&view, v, lambda, w, work, residual);
    const int finite = status == SADDLE_OK && isfinite(residual->total);
    measure_dynamics(s, problem, v, residual);
    residual->normwise = (double)NAN;
    residual->total = fmax(residual->dynamics, fmax(residual->rows, residual->cone));
    if (!finite || !isfinite(residual->dynamics)) residual->total = (double)INFINITY;
}

static saddle_status recover(void *user, const saddle_problem *problem, saddle_solution *x)
{
    operator_solve *s = user;
    return saddle_delassus_recover(s->delassus, problem, x->lambda, x->v);
}

/* ---- phases ---- */

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    operator_solve *s = memory;
    SADDLE__TRY(saddle_delassus_create_by_operator(call->context, problem, &s->head.mass,
                                                   call->options, &s->delassus));
    SADDLE__TRY(make_arrays(call->context, s, problem->n, problem->m));
    view_rows(s, problem);
    SADDLE__TRY(saddle_solver_type_supports(call->context, s->head.rows, &s->rows));
    SADDLE__TRY(saddle__checker_create(call->context, &s->rows, &s->checker));
    s->own = (saddle__operator_case){s, &s->rows, measure, recover};
    call->checker->by_operator = &s->own;
    s->solver.type = s->head.rows;
    saddle__checker_begin(&s->checker, &s->rows);
    const saddle_solver_call own = rows_call(s, call);
    return saddle__member_analyse(&own, &s->solver, &s->rows);
}

static saddle_status take_diagonal(const saddle_solver_call *call, operator_solve *s,
                                   const saddle_problem *problem)
{
    if (problem->n == 0) return SADDLE_OK;
    SADDLE__TRY(s->head.mass.diagonal(s->head.mass.user, s->diagonal));
    for (int64_t j = 0; j < problem->n; j++) {
        if (s->diagonal[j] > 0 && isfinite(s->diagonal[j])) continue;
        char name[128];
        saddle_problem_describe_velocity(problem, j, name, sizeof name);
        return saddle_fail(call->context, SADDLE_SINGULAR,
                           "the mass operator has %g on the diagonal at %s", s->diagonal[j], name);
    }
    return SADDLE_OK;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    operator_solve *s = memory;
    SADDLE__TRY(saddle_delassus_form(s->delassus, problem));
    SADDLE__TRY(take_diagonal(call, s, problem));
    view_rows(s, problem);
    s->solver.factored = 0;
    const saddle_solver_call own = rows_call(s, call);
    return saddle__member_factor(&own, &s->solver, &s->rows);
}

/* ---- solve ---- */

/* lambda, from the present one; counts, note and proof of the report are of this solve. */
static saddle_status solve_rows(operator_solve *s, const saddle_solver_call *call, double tolerance,
                                saddle_solution *x)
{
    saddle_options options = *call->options;
    saddle_report *report = call->report;
    saddle_solver_call own = rows_call(s, call);
    saddle_solution rows = {.m = x->m, .lambda = x->lambda, .w = x->w};
    options.tolerance = tolerance;
    own.options = &options;
    report->iterations = report->pivots = report->refinements = 0;
    report->switches = (saddle_switches){0};
    report->note[s->note] = '\0';
    saddle__proof_forget(report, call->certificate);
    saddle__checker_begin(&s->checker, &s->rows);
    return s->solver.type->solve(&own, s->solver.state, &s->rows, &rows);
}

static saddle_status reduce(operator_solve *s, const saddle_solver_call *call,
                            const saddle_problem *problem)
{
    SADDLE__TRY(saddle_delassus_reduce(s->delassus, problem, s->b));
    for (int64_t i = 0; i < problem->m; i++) {
        if (!isfinite(s->b[i]))
            return saddle__mass_operator_blame(call->context, problem, i, "J M^-1 f - b", s->b[i]);
        s->b[i] = -s->b[i];
    }
    view_rows(s, problem);
    return saddle_solver_type_supports(call->context, s->head.rows, &s->rows);
}

/* The rows' problem anew with b = W lambda - w, w at v, which has the rounding of W, q and v in it:
 * v += M^-1 J'(change of lambda).  As v moves by little, little rounding is added. */
static saddle_status correct(operator_solve *s, const saddle_solver_call *call,
                             const saddle_problem *problem, double total, saddle_solution *x,
                             saddle_status *status)
{
    const saddle_matrix *Jt = &problem->Jt;
    SADDLE__TRY(saddle_delassus_apply(s->delassus, x->lambda, s->b));
    for (int64_t i = 0; i < x->m; i++) s->b[i] -= call->checker->w[i];
    saddle__copy(s->before, x->lambda, x->m);
    saddle__checker_begin(&s->checker, &s->rows);
    const saddle_solver_call own = rows_call(s, call);
    const double rows = saddle_solver_measure(&own, &s->rows, NULL, x->lambda)->total;
    *status = solve_rows(s, call, fmax(DBL_EPSILON, 0.5 * rows * call->options->tolerance / total),
                         x);
    if (*status < 0) return *status;
    for (int64_t i = 0; i < x->m; i++) s->change[i] = x->lambda[i] - s->before[i];
    if (x->n == 0 || saddle_matrix_entries(Jt) == 0) return SADDLE_OK;
    saddle_matrix_apply(Jt, 1.0, s->change, 0.0, s->moved);
    SADDLE__TRY(s->head.mass.solve(s->head.mass.user, s->moved));
    for (int64_t j = 0; j < x->n; j++) x->v[j] += s->moved[j];
    return SADDLE_OK;
}

/* Solves and measures.  Where the rows are solved and the residual at v, which has scales of its
 * own, is above the tolerance, the rows are corrected and solved to less while the residual halves.
 * The better of the last two answers stays, with its status. */
static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *x)
{
    operator_solve *s = memory;
    const double tolerance = call->options->tolerance;
    double before = (double)INFINITY;
    s->note = strlen(call->report->note);
    SADDLE__TRY(reduce(s, call, problem));
    saddle_status earlier = SADDLE_OK, status = solve_rows(s, call, tolerance, x);
    if (status < 0) return status;
    SADDLE__TRY(recover(s, problem, x));
    double total = saddle_solver_measure(call, problem, x->v, x->lambda)->total;
    while (x->m > 0 && (status == SADDLE_OK || status == SADDLE_NOT_CONVERGED) && isfinite(total) &&
           total > tolerance && total <= 0.5 * before) {
        if (saddle_clock() >= call->deadline) return SADDLE_TIME_LIMIT;
        before = total;
        earlier = status;
        SADDLE__TRY(correct(s, call, problem, before, x, &status));
        total = saddle_solver_measure(call, problem, x->v, x->lambda)->total;
    }
    if (total <= before) return status;
    saddle__proof_forget(call->report, call->certificate);
    saddle__copy(x->lambda, s->before, x->m);
    SADDLE__TRY(recover(s, problem, x));
    return status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT ? status : earlier;
}

const saddle_solver_type saddle__solver_operator = {
    .name = "operator",
    .summary = "M as an operator: the rows' problem by another solver",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(operator_solve),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
