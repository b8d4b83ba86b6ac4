/* SPDX-License-Identifier: MIT */
/* The rows of the KKT system in its sparse factor:
 *
 *     [ M    J_F' ] [  v        ]   [ f + J_B'lambda_B           ]   F the equations and basic rows
 *     [ J_F  -R-E ] [ -lambda_F ] = [ b_F + E c_F - R_FB lambda_B ]   B the rows at a bound
 *
 *     w = J v + (R + E) lambda - E c - b
 *
 * c the impulses of the step before.  M may be singular where the equations hold it.  A row that
 * enters is put into the factor, or the matrix is factored again (lib/active).  Each solve is
 * refined until its backward error is rounding; one correction by a residual in twice the working
 * precision measures the digits of w, and more corrections follow where the digits are few. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "active/active_rows.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "mlcp/system.h"
#include "refine.h"
#include "regularization.h"

typedef struct factor_rows {
    saddle_context *context;
    int64_t n, m;
    const saddle_problem *problem; /* of the call at hand, borrowed */
    saddle__layout layout;
    saddle__mlcp_rows rows;
    saddle__active_rows *active;
    saddle__regularization natural;
    signed char *bounded;          /* m: rows free to leave F */
    signed char *in;               /* m: rows of F */
    saddle__active_change *change; /* m */
    double *added;                 /* n + m: diagonal of velocities without mass */
    double *kept;                  /* n + m: -E */
    double *centre;                /* m: c */
    double *x;                     /* n + m: v and lambda of the last solve */
    double *r;                     /* n + m */
    double *held;                  /* m: lambda_B */
    double *modulus;               /* m: of the terms of w */
    saddle__twofold *sum;          /* n + m */
    int factored;                  /* with the present E */
    int solved;                    /* x holds a solution */
    double digits;                 /* relative error of w before correction; negative: unknown */
    int64_t corrections;           /* since create */
    int64_t inexact;               /* solves above rounding, since create */
} factor_rows;

static void clear(void *user)
{
    factor_rows *s = user;
    saddle_context *context = s->context;
    saddle__active_rows_free(s->active);
    saddle__regularization_clear(&s->natural);
    saddle__mlcp_rows_clear(&s->rows);
    saddle__layout_clear(context, &s->layout);
    saddle_release(context, s);
}

/* ---- values ---- */

static saddle_status factor_set(factor_rows *s)
{
    saddle__active_values values = {.added = s->added,
                                    .kept = s->kept,
                                    .rule = {.sign = s->natural.sign,
                                             .scale = s->natural.scale,
                                             .smallest = SADDLE__VANISHED_PIVOT,
                                             .replacement = SADDLE__PIVOT_REPLACEMENT}};
    saddle_status status = saddle__active_rows_factor(s->active, s->problem, &values, s->in);
    s->factored = status == SADDLE_OK;
    return status;
}

static void refresh(void *user, int whole)
{
    factor_rows *s = user;
    (void)whole;
    for (int64_t i = 0; i < s->m; i++)
        s->kept[s->n + i] = s->rows.step[i] > 0.0 ? -s->rows.E[i] : -s->rows.size[i];
    s->digits = -1.0;
    s->factored = 0;
}

/* Factors the equations and the basic rows of the end of the last solve. */
static saddle_status factor(void *user, const saddle_solver_call *call,
                            const saddle_problem *problem, double epsilon)
{
    factor_rows *s = user;
    s->problem = problem;
    s->solved = 0;
    saddle__regularization_measure(&s->natural, problem, SADDLE__PIVOT_REPLACEMENT, 0);
    memcpy(s->added, s->natural.added, (size_t)s->n * sizeof *s->added);
    saddle__mlcp_rows_measure(&s->rows, problem, s->natural.scale + s->n);
    saddle__mlcp_set_epsilon(&s->rows, epsilon);
    refresh(s, 1);
    saddle_status status = factor_set(s);
    int64_t at = s->active->counts.factor.failed_column;
    return status == SADDLE_SINGULAR ? saddle__singular_at(call, problem, at) : status;
}

/* ---- the basis ---- */

static saddle_status enter(void *user, const signed char *state)
{
    factor_rows *s = user;
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        saddle__active_change change = {.row = i,
                                        .in = !s->bounded[i] | (state[i] == SADDLE__BASIC)};
        s->change[count] = change;
        count += s->in[i] != change.in;
        s->in[i] = (signed char)change.in;
    }
    if (!s->factored) return factor_set(s);
    saddle_status status = saddle__active_rows_change(s->active, count, s->change);
    s->factored = status == SADDLE_OK;
    return status;
}

/* w (m) = J v + (R + E) lambda - E c - b, and s->modulus of its terms */
static void form_slack(factor_rows *s, const double *x, double *w)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    const saddle_matrix *R = &s->problem->R;
    const double *lambda = x + s->n;
    for (int64_t i = 0; i < s->m; i++) {
        double b = s->problem->b ? s->problem->b[i] : 0.0;
        double E = s->rows.E[i];
        w[i] = E * (lambda[i] - s->centre[i]) - b;
        s->modulus[i] = E * (fabs(lambda[i]) + fabs(s->centre[i])) + fabs(b);
        for (int64_t k = Jt->start ? Jt->start[i] : 0; Jt->start && k < Jt->start[i + 1]; k++) {
            double term = Jt->value[k] * x[Jt->index[k]];
            w[i] += term;
            s->modulus[i] += fabs(term);
        }
    }
    for (int64_t j = 0; R->start && j < s->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            double term = R->value[k] * lambda[j];
            double mirrored = i != j ? R->value[k] * lambda[i] : 0.0;
            w[i] += term;
            w[j] += mirrored;
            s->modulus[i] += fabs(term);
            s->modulus[j] += fabs(mirrored);
        }
}

/* x <- the right-hand side; s->held <- lambda_B */
static void load(factor_rows *s, const signed char *state, const double *lambda)
{
    const saddle_problem *problem = s->problem;
    int held = 0;
    for (int64_t j = 0; j < s->n; j++) s->x[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < s->m; i++) {
        double b = problem->b ? problem->b[i] : 0.0;
        s->held[i] = state[i] == SADDLE__BASIC ? 0.0 : lambda[i];
        held |= s->held[i] != 0.0;
        s->x[s->n + i] = s->in[i] ? -s->kept[s->n + i] * s->centre[i] + b : 0.0;
    }
    if (held && saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, s->held, 1.0, s->x);
    if (held && saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_apply(&problem->R, -1.0, s->held, 1.0, s->x + s->n);
}

/* r <- the right-hand side less the system times x, in twice the working precision; 0 in rows that
 * are out */
static void form_residual(factor_rows *s)
{
    const saddle_problem *problem = s->problem;
    const double *lambda = s->x + s->n;
    saddle__twofold_set(s->n, problem->f, s->sum);
    saddle__twofold_set(s->m, problem->b, s->sum + s->n);
    saddle__twofold_add(&problem->M, -1.0, s->x, s->sum);
    saddle__twofold_add(&problem->R, -1.0, lambda, s->sum + s->n);
    saddle__twofold_add_both(&problem->Jt, 1.0, lambda, s->sum, -1.0, s->x, s->sum + s->n);
    for (int64_t j = 0; j < s->n; j++) s->r[j] = saddle__twofold_value(s->sum[j]);
    for (int64_t i = 0; i < s->m; i++)
        s->r[s->n + i] = s->in[i] ? saddle__twofold_value(s->sum[s->n + i]) -
                                        s->kept[s->n + i] * (s->centre[i] - lambda[i])
                                  : 0.0;
}

static saddle_status solve_active(factor_rows *s, double *x)
{
    saddle_status status = saddle__active_rows_solve(s->active, x);
    s->inexact += status == SADDLE_NOT_CONVERGED;
    return status == SADDLE_NOT_CONVERGED ? SADDLE_OK : status;
}

/* x and w corrected; *error: the largest change of w over its terms.  before (m): scratch. */
static saddle_status correct_once(factor_rows *s, const signed char *state, double *w,
                                  double *before, double *error)
{
    form_residual(s);
    saddle_status status = solve_active(s, s->r);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] != SADDLE__BASIC) s->r[s->n + i] = 0.0; /* impulses at bounds stay */
    for (int64_t k = 0; k < s->n + s->m; k++) s->x[k] += s->r[k];
    if (s->m > 0) memcpy(before, w, (size_t)s->m * sizeof *w);
    form_slack(s, s->x, w);
    *error = 0.0;
    for (int64_t i = 0; i < s->m; i++)
        if (fabs(w[i] - before[i]) > *error * s->modulus[i])
            *error = fabs(w[i] - before[i]) / s->modulus[i];
    s->corrections++;
    return SADDLE_OK;
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    factor_rows *s = user;
    (void)q; /* -b - E c */
    load(s, state, lambda);
    saddle_status status = solve_active(s, s->x);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] != SADDLE__BASIC) s->x[s->n + i] = s->held[i];
    if (!saddle__is_finite(s->x, s->n + s->m)) return SADDLE_NOT_CONVERGED;
    form_slack(s, s->x, w);
    double left = s->digits;
    for (int k = 0;
         k < SADDLE__MOST_CORRECTIONS && !(left >= 0.0 && left <= SADDLE__PRODUCT_ROUNDING); k++) {
        double error;
        status = correct_once(s, state, w, noise, &error);
        if (status != SADDLE_OK) return status;
        if (k == 0) s->digits = error;
        left = error * error;
    }
    if (!saddle__is_finite(s->x, s->n + s->m)) return SADDLE_NOT_CONVERGED;
    for (int64_t i = 0; i < s->m; i++) {
        noise[i] = (8.0 * DBL_EPSILON + 4.0 * left) * s->modulus[i];
        if (state[i] == SADDLE__BASIC) lambda[i] = s->x[s->n + i];
    }
    s->solved = 1;
    return SADDLE_OK;
}

/* ---- the operator ---- */

static saddle_status begin(void *user, const saddle_problem *problem,
                           const saddle_solver_call *call, const double *lambda, const double *v)
{
    factor_rows *s = user;
    (void)call;
    (void)v;
    s->problem = problem;
    s->digits = -1.0;
    for (int64_t i = 0; i < s->m; i++) {
        s->centre[i] = lambda[i];
        s->rows.q[i] = (problem->b ? -problem->b[i] : 0.0) - s->rows.E[i] * lambda[i];
    }
    return SADDLE_OK;
}

static saddle_status velocity(void *user, const saddle_problem *problem, double *lambda, double *v)
{
    factor_rows *s = user;
    (void)problem;
    (void)lambda;
    for (int64_t j = 0; s->solved && j < s->n; j++) v[j] = s->x[j];
    return SADDLE_OK;
}

static saddle__mlcp_counts counts(const void *user)
{
    const factor_rows *s = user;
    saddle__active_counts active = s->active->counts;
    saddle__mlcp_counts c = {.factorizations = active.factorizations,
                             .corrections = active.corrections + s->corrections,
                             .inexact = s->inexact,
                             .factor = active.factor};
    return c;
}

/* ---- create ---- */

static void place(factor_rows *s)
{
    double **each_row[] = {&s->centre, &s->held, &s->modulus};
    double **each[] = {&s->added, &s->kept, &s->x, &s->r};
    for (size_t k = 0; k < sizeof each_row / sizeof *each_row; k++)
        *each_row[k] = saddle__layout_take(&s->layout, s->m, sizeof(double));
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        *each[k] = saddle__layout_take(&s->layout, s->n + s->m, sizeof(double));
    s->bounded = saddle__layout_take(&s->layout, s->m, sizeof *s->bounded);
    s->in = saddle__layout_take(&s->layout, s->m, sizeof *s->in);
    s->change = saddle__layout_take(&s->layout, s->m, sizeof *s->change);
    s->sum = saddle__layout_take(&s->layout, s->n + s->m, sizeof *s->sum);
}

saddle_status saddle__factor_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options,
                                         const saddle__mlcp_settings *settings,
                                         saddle__mlcp_system *system)
{
    factor_rows *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    s->context = context;
    s->n = problem->n;
    s->m = problem->m;
    saddle__mlcp_system table = {
        .user = s,
        .kind = SADDLE__MLCP_FACTOR,
        .rows = &s->rows,
        .basis = {.user = s, .enter = enter, .solve = solve, .refresh = refresh},
        .factor = factor,
        .begin = begin,
        .velocity = velocity,
        .counts = counts,
        .clear = clear};
    *system = table;
    place(s);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    place(s);
    if (status == SADDLE_OK)
        status = saddle__mlcp_rows_create(context, problem, s->m, NULL, settings->lagged_friction,
                                          &s->rows);
    if (status == SADDLE_OK) status = saddle__regularization_create(context, problem, &s->natural);
    if (status != SADDLE_OK) return status;
    saddle__mlcp_find_bounded(problem, s->bounded);
    saddle__regularization_measure(&s->natural, problem, options->regularization, 0);
    saddle__active_request request = {.toggles = s->bounded,
                                      .late = s->natural.weak,
                                      .ordering = options->ordering,
                                      .threads = options->threads};
    status = saddle__active_rows_create(context, problem, &request, &s->active);
    if (status != SADDLE_OK) return status;
    system->bounded = s->bounded;
    system->may_search = !s->rows.normal;
    system->factor_time = s->active->counts.factor_time;
    system->solve_time = s->active->counts.solve_time;
    return SADDLE_OK;
}
