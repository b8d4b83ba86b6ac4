/* SPDX-License-Identifier: MIT */
/* See sparse_rows.h. */
#include "pivot/sparse_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "complementarity/sweep.h"

enum { MOST_CORRECTIONS = 3 };

/* Steps on more rows than these are searched along. */
enum { FEW = 300 };

/* A pivot below this multiple of its natural size is rounding noise, and becomes the second. */
static const double vanished = 1e-14;
static const double replacement = 1e-10;

static const double good_digits = 1e-12; /* relative error of w that needs no correction */
static const double noise_of_sums = 8.0 * DBL_EPSILON;
static const double at_rest = 1e-6; /* of the terms of the other rows, in natural units */
/* relative change of w that leaves its moduli what they are */
static const double slight = 1e-6;
/* an error e is this times e^2 after a correction, or less */
static const double contraction = 100.0;

void saddle__sparse_rows_clear(saddle__sparse_rows *s)
{
    saddle__active_rows_free(s->active);
    saddle__regularization_clear(&s->natural);
    saddle__pivoting_clear(&s->pivoting);
    saddle__local_pivoting_clear(&s->local);
    saddle__layout_clear(s->context, &s->layout);
    memset(s, 0, sizeof(*s));
}

static void place(saddle__sparse_rows *s)
{
    double **each_row[] = {&s->q,      &s->free, &s->step, &s->unit,
                           &s->centre, &s->E,    &s->held, &s->modulus};
    double **each[] = {&s->added, &s->kept, &s->x, &s->r};
    for (size_t k = 0; k < sizeof(each_row) / sizeof(*each_row); k++)
        *each_row[k] = saddle__layout_take(&s->layout, s->m, sizeof(double));
    for (size_t k = 0; k < sizeof(each) / sizeof(*each); k++)
        *each[k] = saddle__layout_take(&s->layout, s->n + s->m, sizeof(double));
    s->toggles = saddle__layout_take(&s->layout, s->m, sizeof(*s->toggles));
    s->in = saddle__layout_take(&s->layout, s->m, sizeof(*s->in));
    s->change = saddle__layout_take(&s->layout, s->m, sizeof(*s->change));
    if (s->n > 0) s->sum = saddle__layout_take(&s->layout, s->n + s->m, sizeof(*s->sum));
}

static saddle_status allocate(saddle__sparse_rows *s)
{
    place(s);
    saddle_status status = saddle__layout_allocate(s->context, &s->layout);
    place(s);
    return status;
}

static saddle_status fill_in(saddle__sparse_rows *s, const saddle_problem *problem,
                             const saddle_options *options)
{
    saddle_status status = allocate(s);
    if (status == SADDLE_OK) status = saddle__pivoting_create(s->context, s->m, &s->pivoting);
    if (status == SADDLE_OK && s->m > FEW) status = saddle__pivoting_search(&s->pivoting, s->m);
    int local = s->n == 0 && saddle_matrix_entries(&problem->R) > 0 && s->m > FEW;
    if (status == SADDLE_OK && local)
        status = saddle__local_pivoting_create(s->context, s->m, &s->local);
    if (status == SADDLE_OK)
        status = saddle__regularization_create(s->context, problem, &s->natural);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        s->toggles[i] = saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        memset(s->toggles + problem->contacts[c].row, 1, (size_t)problem->contacts[c].size);
    saddle__regularization_measure(&s->natural, problem, options->regularization, 0);
    saddle__active_request request = {.toggles = s->toggles,
                                      .late = s->natural.weak,
                                      .ordering = options->ordering,
                                      .threads = options->threads};
    status = saddle__active_rows_create(s->context, problem, &request, &s->active);
    if (status == SADDLE_OK) s->R = saddle__active_rows_compliance(s->active);
    return status;
}

saddle_status saddle__sparse_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options, saddle__sparse_rows *s)
{
    saddle__sparse_rows fresh = {.context = context, .n = problem->n, .m = problem->m};
    *s = fresh;
    saddle_status status = fill_in(s, problem, options);
    if (status != SADDLE_OK) saddle__sparse_rows_clear(s);
    return status;
}

/* ---- values ---- */

/* E, and what else there is to factor; shifted: of the same problem as last time. */
static void set_values(saddle__sparse_rows *s, const saddle_problem *problem, double epsilon,
                       int shifted)
{
    const double *size = s->natural.scale + s->n;
    for (int64_t i = 0; i < s->m; i++)
        s->kept[s->n + i] = s->step[i] > 0.0 ? -epsilon * size[i] : -size[i];
    for (int64_t i = 0; i < s->m; i++) s->E[i] = s->step[i] > 0.0 ? epsilon * size[i] : 0.0;
    saddle__active_values values = {.added = s->added,
                                    .kept = s->kept,
                                    .rule = {.sign = s->natural.sign,
                                             .scale = s->natural.scale,
                                             .smallest = vanished,
                                             .replacement = replacement},
                                    .shifted = shifted};
    saddle__active_rows_set_values(s->active, problem, &values);
    s->epsilon = epsilon;
    s->digits = -1.0;
    s->factored = 0;
}

/* With the rows of s->in. */
static saddle_status factor(saddle__sparse_rows *s)
{
    saddle_status status = saddle__active_rows_factor(s->active, NULL, NULL, s->in);
    s->factored = status == SADDLE_OK;
    return status;
}

static saddle_status shift(void *user, const saddle_problem *problem, double epsilon)
{
    saddle__sparse_rows *s = user;
    if (epsilon != s->epsilon) set_values(s, problem, epsilon, 1);
    return SADDLE_OK;
}

void saddle__sparse_rows_set(saddle__sparse_rows *s, const saddle_problem *problem, double epsilon)
{
    saddle__regularization_measure(&s->natural, problem, fmax(epsilon, replacement), 0);
    for (int64_t j = 0; j < s->n; j++) s->added[j] = s->natural.added[j];
    saddle__row_steps(problem, s->natural.scale + s->n, s->step);
    for (int64_t i = 0; i < s->m; i++) s->unit[i] = sqrt(s->step[i]);
    set_values(s, problem, epsilon, 0);
}

saddle_status saddle__sparse_rows_factor(saddle__sparse_rows *s, const saddle_problem *problem,
                                         double epsilon)
{
    saddle__sparse_rows_set(s, problem, epsilon);
    return factor(s);
}

saddle_status saddle__sparse_rows_begin(saddle__sparse_rows *s, const saddle_problem *problem,
                                        saddle__row_laws *laws, const saddle_solver_call *call,
                                        double *start)
{
    s->laws = laws;
    for (int64_t i = 0; i < s->m; i++) {
        s->q[i] = problem->b ? -problem->b[i] : 0.0;
        if (!s->toggles[i] && !saddle__row_laws_equation(laws, i))
            return saddle_fail(
                call->context, SADDLE_INVALID_ARGUMENT,
                "pivot: row %lld had no bounds when it was analysed, now it has: analyse again",
                (long long)i + 1);
    }
    s->corrections = s->inexact = 0;
    saddle__bounded_rows rows = {
        .m = s->m, .lo = laws->lo, .hi = laws->hi, .q = s->q, .step = s->step};
    saddle__pivoting_begin(&s->pivoting, &rows, call->options->max_iterations, start);
    return SADDLE_OK;
}

/* ---- the basis ---- */

static saddle_status enter(void *user, const signed char *state)
{
    saddle__sparse_rows *s = user;
    const signed char *in = saddle__active_rows_set(s->active);
    for (int64_t i = 0; i < s->m; i++) s->in[i] = !s->toggles[i] | (state[i] == SADDLE__BASIC);
    saddle_status status = s->factored ? SADDLE_OK : factor(s);
    if (status != SADDLE_OK) return status;
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) { /* no branch: who changes cannot be foretold */
        saddle__active_change change = {.row = i, .in = s->in[i]};
        s->change[count] = change;
        count += s->in[i] != in[i];
    }
    if (count == 0) return SADDLE_OK;
    status = saddle__active_rows_change(s->active, count, s->change, 1.0);
    s->factored = status == SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++)
        if (s->change[k].refused) return SADDLE_NOT_CONVERGED;
    return status;
}

/* E_i */
static double regularization_of(const saddle__sparse_rows *s, int64_t i)
{
    return -s->kept[s->n + i];
}

typedef struct sums {
    double value, modulus; /* of terms, of their absolute values */
} sums;

/* J_i x */
static sums row_times(const saddle_matrix *Jt, int64_t i, const double *x)
{
    sums sum = {0.0, 0.0};
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
        double term = Jt->value[k] * x[Jt->index[k]];
        sum.value += term;
        sum.modulus += fabs(term);
    }
    return sum;
}

/* R_i x, of R by rows */
static sums compliance_row_times(const saddle__sparse_rows *s, int64_t i, const double *x)
{
    double of_others;
    double own = s->R.diagonal[i] * x[i];
    sums sum = {own + saddle__whole_row_times_both(s->R.beside, i, x, &of_others), 0.0};
    sum.modulus = fabs(own) + of_others;
    return sum;
}

/* y += R x, modulus += |R||x| */
static void add_compliance(const saddle_matrix *R, const double *x, double *y, double *modulus)
{
    for (int64_t j = 0; j < R->cols; j++) {
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            double term = R->value[k] * x[j];
            double mirrored = i != j ? R->value[k] * x[i] : 0.0;
            y[i] += term;
            modulus[i] += fabs(term);
            y[j] += mirrored;
            modulus[j] += fabs(mirrored);
        }
    }
}

/* A row whose own terms vanish is known as well as others are, no better: modulus_i >= 1e-6 of the
 * largest, in natural units. */
static void level_modulus(saddle__sparse_rows *s)
{
    double most = 0.0;
    for (int64_t i = 0; i < s->m; i++) most = saddle__larger(s->modulus[i] * s->unit[i], most);
    for (int64_t i = 0; i < s->m; i++)
        if (s->step[i] > 0.0 && !(s->modulus[i] * s->unit[i] >= at_rest * most))
            s->modulus[i] = at_rest * most / s->unit[i];
}

/* w (m) = J v + (R + E) lambda - (b + E c); s->modulus */
static void slack(saddle__sparse_rows *s, const double *x, double *w)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    const double *lambda = x + s->n;
    int moves = saddle_matrix_entries(Jt) > 0;
    int by_rows = s->R.beside != NULL;
    for (int64_t i = 0; i < s->m; i++) {
        double E = s->E[i];
        sums none = {0.0, 0.0};
        sums J = moves ? row_times(Jt, i, x) : none;
        sums R = by_rows ? compliance_row_times(s, i, lambda) : none;
        w[i] = s->q[i] + E * (lambda[i] - s->centre[i]) + J.value + R.value;
        s->modulus[i] = fabs(s->q[i]) + E * (fabs(lambda[i]) + fabs(s->centre[i])) + J.modulus +
                        R.modulus;
    }
    if (!by_rows && saddle_matrix_entries(&s->problem->R) > 0)
        add_compliance(&s->problem->R, lambda, w, s->modulus);
    level_modulus(s);
}

int saddle__sparse_rows_slack(const saddle__sparse_rows *s, const double *lambda, double *w)
{
    if (!s->pivoting.knows_slack) return 0;
    for (int64_t i = 0; i < s->m; i++)
        w[i] = s->pivoting.w[i] - s->E[i] * (lambda[i] - s->centre[i]);
    return 1;
}

/* What x adds to w: change (m) = J dv + (R + E) dlambda. */
static void slack_change(const saddle__sparse_rows *s, const double *x, double *change)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    const saddle_matrix *R = &s->problem->R;
    const double *lambda = x + s->n;
    int by_rows = s->R.beside != NULL;
    for (int64_t i = 0; i < s->m; i++) {
        double own = s->E[i] + (by_rows ? s->R.diagonal[i] : 0.0);
        change[i] = own * lambda[i] +
                    (by_rows ? saddle__whole_row_times(s->R.beside, i, lambda) : 0.0);
    }
    if (saddle_matrix_entries(Jt) > 0) saddle_matrix_apply_transpose(Jt, 1.0, x, 1.0, change);
    if (!by_rows && saddle_matrix_entries(R) > 0) saddle_matrix_apply(R, 1.0, lambda, 1.0, change);
}

/* max |change_i| over the moduli of w's terms */
static double relative_change(const saddle__sparse_rows *s, const double *change)
{
    double most = 0.0;
    for (int64_t i = 0; i < s->m; i++)
        if (s->modulus[i] > 0.0 && fabs(change[i]) > most * s->modulus[i])
            most = fabs(change[i]) / s->modulus[i];
    return most;
}

/* x <- the right-hand side; s->held <- lambda_B */
static void load(saddle__sparse_rows *s, const signed char *state, const double *lambda)
{
    const saddle_problem *problem = s->problem;
    const signed char *in = saddle__active_rows_set(s->active);
    int64_t n = s->n;
    int held = 0;
    for (int64_t j = 0; j < n; j++) s->x[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < s->m; i++) {
        s->held[i] = state[i] == SADDLE__BASIC ? 0.0 : lambda[i];
        held |= s->held[i] != 0.0;
        s->x[n + i] = in[i] ? regularization_of(s, i) * s->centre[i] - s->q[i] : 0.0;
    }
    if (!held) return;
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, s->held, 1.0, s->x);
    if (saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_apply(&problem->R, -1.0, s->held, 1.0, s->x + n);
}

/* r <- the right-hand side less the system times x, in twice the working precision; 0 for rows that
 * are out */
static void form_residual(saddle__sparse_rows *s)
{
    const saddle_problem *problem = s->problem;
    const signed char *in = saddle__active_rows_set(s->active);
    const double *lambda = s->x + s->n;
    if (s->R.beside) {
        saddle__twofold_rows(s->R.beside, s->R.diagonal, -1.0, lambda, problem->b, in, s->r, NULL);
        for (int64_t i = 0; i < s->m; i++)
            s->r[i] = in[i] ? s->r[i] + regularization_of(s, i) * (s->centre[i] - lambda[i]) : 0.0;
        return;
    }
    saddle__twofold_set(s->n, problem->f, s->sum);
    saddle__twofold_set(s->m, problem->b, s->sum + s->n);
    saddle__twofold_add(&problem->M, -1.0, s->x, s->sum);
    saddle__twofold_add(&problem->R, -1.0, lambda, s->sum + s->n);
    saddle__twofold_add_both(&problem->Jt, 1.0, lambda, s->sum, -1.0, s->x, s->sum + s->n);
    for (int64_t j = 0; j < s->n; j++) s->r[j] = saddle__twofold_value(s->sum[j]);
    for (int64_t i = 0; i < s->m; i++)
        s->r[s->n + i] = in[i] ? saddle__twofold_value(s->sum[s->n + i]) +
                                     regularization_of(s, i) * (s->centre[i] - lambda[i])
                               : 0.0;
}

static saddle_status solve_active(saddle__sparse_rows *s, double *x)
{
    saddle_status status = saddle__active_rows_solve(s->active, 1, x, s->n + s->m);
    if (status != SADDLE_NOT_CONVERGED) return status;
    s->inexact++;
    return SADDLE_OK;
}

/* x corrected, w with it, summed anew where that changes the moduli; *error: relative, of the w
 * that was.  Impulses at bounds stay. */
static saddle_status correct_once(saddle__sparse_rows *s, const signed char *state, double *w,
                                  double *change, double *error)
{
    form_residual(s);
    saddle_status status = solve_active(s, s->r);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] != SADDLE__BASIC) s->r[s->n + i] = 0.0;
    for (int64_t i = 0; i < s->n + s->m; i++) s->x[i] += s->r[i];
    slack_change(s, s->r, change);
    for (int64_t i = 0; i < s->m; i++) w[i] += change[i];
    *error = relative_change(s, change);
    if (!(*error <= slight)) {
        slack(s, s->x, w);
        *error = relative_change(s, change);
    }
    s->corrections++;
    return SADDLE_OK;
}

/* Refined, and with so many corrections that w is known to be w of the solution. */
static saddle_status solve_well(saddle__sparse_rows *s, const signed char *state, double *lambda,
                                double *w, double *noise)
{
    load(s, state, lambda);
    saddle_status status = solve_active(s, s->x);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] != SADDLE__BASIC) s->x[s->n + i] = s->held[i];
    if (!saddle__is_finite(s->x, s->n + s->m)) return SADDLE_NOT_CONVERGED;
    slack(s, s->x, w);
    double left = s->digits;
    for (int k = 0; k < MOST_CORRECTIONS && !(left >= 0.0 && left <= good_digits); k++) {
        double error;
        status = correct_once(s, state, w, noise, &error);
        if (status != SADDLE_OK) return status;
        if (k == 0) s->digits = error;
        left = fmin(error, contraction * error * error);
    }
    if (!saddle__is_finite(s->x, s->n + s->m)) return SADDLE_NOT_CONVERGED;
    for (int64_t i = 0; i < s->m; i++) {
        noise[i] = (noise_of_sums + 4.0 * left) * s->modulus[i];
        if (state[i] == SADDLE__BASIC) lambda[i] = s->x[s->n + i];
    }
    return SADDLE_OK;
}

/* On the way rows that are factored by themselves are solved for once, and w, summed at the lambda
 * that came of it, tells how well.  Whatever rounding makes of a row: searched along, steps end,
 * later ones by patience, and the next run begins elsewhere. */
static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    saddle__sparse_rows *s = user;
    s->system.part = saddle__active_rows_part(s->active);
    s->quickly = s->on_the_way && s->system.part;
    if (!s->quickly) return solve_well(s, state, lambda, w, noise);
    const signed char *in = saddle__active_rows_set(s->active);
    int finite = saddle__local_system_solve(&s->system, s->m, in, q, lambda, w, noise, s->x);
    return finite ? SADDLE_OK : SADDLE_NOT_CONVERGED;
}

static saddle_status correct(void *user, const signed char *state, const double *q, double *lambda,
                             double *w, double *noise)
{
    saddle__sparse_rows *s = user;
    (void)q;
    return s->quickly ? solve_well(s, state, lambda, w, noise) : SADDLE_OK;
}

/* ---- a step ---- */

/* A start instead of lambda = 0; W = R. */
static void sweep(saddle__sparse_rows *s, const saddle_problem *problem, int count, double *lambda)
{
    saddle__sweep_rows rows = {.W = &problem->R,
                               .beside = s->R.beside,
                               .added = s->E,
                               .lo = s->laws->lo,
                               .hi = s->laws->hi,
                               .q = s->free};
    saddle__sweep(&rows, count, lambda, s->modulus, s->held);
}

static saddle_status run(void *user, const saddle_problem *problem, const saddle_solver_call *call,
                         const saddle__proximal_limits *limits, double *lambda, double *v)
{
    saddle__sparse_rows *s = user;
    saddle__local_system system = {.beside = s->R.beside,
                                   .diagonal = s->R.diagonal,
                                   .added = s->E,
                                   .sign = -1.0};
    s->system = system;
    saddle__basis basis = {
        .user = s, .enter = enter, .solve = solve, .correct = correct, .system = &s->system};
    if (s->local.m > 0) basis.local = &s->local;
    saddle__bounded_rows rows = {
        .m = s->m, .lo = s->laws->lo, .hi = s->laws->hi, .q = s->free, .step = s->step};
    s->on_the_way = limits->search && s->pivoting.line.y;
    if (s->on_the_way) rows.added = s->E;
    s->problem = problem;
    s->digits = -1.0;
    for (int64_t i = 0; i < s->m; i++) {
        s->centre[i] = lambda[i];
        s->free[i] = s->q[i] - s->E[i] * lambda[i];
    }
    s->pivoting.patience = limits->patience > 0 ? limits->patience : 1;
    s->pivoting.most_singles = limits->patience > 0 ? 0 : INT64_MAX;
    s->pivoting.tolerated = limits->tolerated;
    if (limits->sweeps > 0 && s->n == 0) sweep(s, problem, limits->sweeps, lambda);
    saddle__pivoting_read(&s->pivoting, &rows, lambda);
    saddle_status status = saddle__pivoting_run(&s->pivoting, &basis, &rows, call, lambda);
    for (int64_t j = 0; j < s->n; j++) v[j] = isfinite(s->x[j]) ? s->x[j] : 0.0;
    return status;
}

saddle__proximal_problem saddle__sparse_rows_problem(saddle__sparse_rows *s)
{
    saddle__proximal_problem problem = {.user = s,
                                        .laws = s->laws,
                                        .size = s->natural.scale + s->n,
                                        .step = s->step,
                                        .shift = shift,
                                        .run = run};
    for (int64_t i = 0; s->pivoting.line.y && i < s->m; i++) problem.searched += s->toggles[i] != 0;
    return problem;
}
