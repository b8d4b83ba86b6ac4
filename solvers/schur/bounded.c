/* SPDX-License-Identifier: MIT */
/* See bounded.h. */
#include "bounded.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "factor/blas_threads.h"
#include "certify.h"
#include "complementarity/sweep.h"
#include "progress.h"
#include "ray.h"
#include "refine.h"

/* Few rows may go on one by one, at the least epsilon too, once epsilon has been raised so often,
 * so many steps a row, until that fails: a W that is skew gains nothing by more of it. */
enum { FEW = 300, OFTEN = 4, SINGLES = 10 };

/* Of the pivoting, where there are more rows than a few. */
enum { MOST_PIVOTINGS = 1000 };

/* Of the residual, at most what no impulses leave. */
static const double none_leave = 1.0;

void saddle__bounded_clear(saddle__bounded *s)
{
    saddle__pivoting_clear(&s->pivoting);
    saddle__schur_basis_clear(&s->basis);
    saddle__layout_clear(s->context, &s->layout);
    memset(s, 0, sizeof(*s));
}

static void place(saddle__bounded *s, int contacts, int lagged)
{
    double **each_row[] = {&s->lo,   &s->hi,    &s->q, &s->size, &s->step,
                           &s->unit, &s->added, &s->w, &s->d,    &s->free};
    for (size_t k = 0; k < sizeof(each_row) / sizeof(*each_row); k++)
        *each_row[k] = saddle__layout_take(&s->layout, s->m, sizeof(double));
    s->r = saddle__layout_take(&s->layout, s->n, sizeof(*s->r));
    s->best = saddle__layout_take(&s->layout, s->n + s->m, sizeof(*s->best));
    if (!contacts) return;
    s->normal = saddle__layout_take(&s->layout, s->m, sizeof(*s->normal));
    s->mu = saddle__layout_take(&s->layout, s->m, sizeof(*s->mu));
    if (lagged) s->lag_lo = saddle__layout_take(&s->layout, s->m, sizeof(*s->lag_lo));
    if (lagged) s->lag_hi = saddle__layout_take(&s->layout, s->m, sizeof(*s->lag_hi));
}

static saddle_status allocate(saddle__bounded *s, const saddle_problem *problem, int lagged)
{
    int contacts = problem->contact_count > 0;
    place(s, contacts, lagged);
    saddle_status status = saddle__layout_allocate(s->context, &s->layout);
    if (status != SADDLE_OK) return status;
    place(s, contacts, lagged);
    for (int64_t i = 0; contacts && i < s->m; i++) s->normal[i] = -1;
    for (int64_t k = 0; k < problem->contact_count; k++) {
        const saddle_contact *c = &problem->contacts[k];
        for (int64_t i = c->row + 1; i < c->row + c->size; i++) s->normal[i] = c->row;
    }
    return SADDLE_OK;
}

static saddle__operator_view view_of(const saddle__bounded *s, const saddle__complement *complement)
{
    saddle__operator_view view = {.W = &complement->W,
                                  .added = s->added,
                                  .size = s->size,
                                  .normal = s->lag_lo ? NULL : s->normal,
                                  .mu = s->mu};
    return view;
}

saddle_status saddle__bounded_create(saddle_context *context, const saddle__complement *complement,
                                     const saddle_problem *problem, const saddle_options *options,
                                     int lagged, saddle__bounded *s)
{
    saddle__bounded fresh = {.context = context,
                             .n = complement->n,
                             .m = complement->m,
                             .note = -1};
    *s = fresh;
    saddle_status status = saddle__pivoting_create(context, s->m, &s->pivoting);
    if (status == SADDLE_OK) status = allocate(s, problem, lagged);
    int searched = s->m > FEW && complement->W.symmetry == SADDLE_SYMMETRIC && !s->normal;
    if (status == SADDLE_OK && searched) status = saddle__pivoting_search(&s->pivoting, s->m);
    saddle__operator_view view = view_of(s, complement);
    if (status == SADDLE_OK)
        status = saddle__schur_basis_create(context, &view, options, &s->basis);
    if (status != SADDLE_OK) saddle__bounded_clear(s);
    return status;
}

/* largest (m): of |W_ij| in row i */
static void largest_entries(const saddle_matrix *W, double *largest)
{
    memset(largest, 0, (size_t)W->cols * sizeof(*largest));
    for (int64_t j = 0; j < W->cols; j++) {
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            int64_t i = W->index[k];
            largest[i] = fmax(largest[i], fabs(W->value[k]));
            if (W->symmetry == SADDLE_SYMMETRIC) largest[j] = fmax(largest[j], fabs(W->value[k]));
        }
    }
}

/* size_i = |W_ii|, and where that is 0 the largest |W_ij|, or 1 */
static void measure(saddle__bounded *s, const saddle_matrix *W)
{
    int vanishing = 0;
    saddle_matrix_diagonal(W, s->size);
    for (int64_t i = 0; i < s->m; i++) {
        s->size[i] = fabs(s->size[i]);
        vanishing |= !(s->size[i] > 0.0);
    }
    double *largest = s->q; /* scratch */
    if (vanishing) largest_entries(W, largest);
    for (int64_t i = 0; i < s->m; i++) {
        int zeros = !(s->size[i] > 0.0) && !(largest[i] > 0.0);
        if (!(s->size[i] > 0.0)) s->size[i] = zeros ? 1.0 : largest[i];
        s->step[i] = zeros ? 0.0 : 1.0 / s->size[i];
        s->unit[i] = 1.0 / sqrt(s->size[i]);
    }
}

static void make_added(saddle__bounded *s, double epsilon)
{
    s->epsilon = epsilon;
    for (int64_t i = 0; i < s->m; i++) s->added[i] = s->step[i] > 0.0 ? epsilon * s->size[i] : 0.0;
}

void saddle__bounded_set(saddle__bounded *s, const saddle__complement *complement, double epsilon)
{
    measure(s, &complement->W);
    s->least = saddle__epsilon_least(epsilon);
    make_added(s, s->least);
    saddle__operator_view view = view_of(s, complement);
    saddle__schur_basis_set(&s->basis, &view);
}

static void change_epsilon(saddle__bounded *s, const saddle__complement *complement, double epsilon)
{
    if (epsilon == s->epsilon) return;
    make_added(s, epsilon);
    saddle__operator_view view = view_of(s, complement);
    saddle__schur_basis_shift(&s->basis, &view);
}

/* ---- the steps ---- */

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof(*to));
}

/* v += M^-1 (f + J'lambda - M v) */
static saddle_status correct_velocity(saddle__bounded *s, saddle__complement *complement,
                                      const saddle_problem *problem, const saddle_solution *x)
{
    if (s->n == 0) return SADDLE_OK;
    for (int64_t j = 0; j < s->n; j++) s->r[j] = problem->f ? problem->f[j] : 0.0;
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, x->lambda, 1.0, s->r);
    saddle_matrix_apply(&problem->M, -1.0, x->v, 1.0, s->r);
    saddle_status status = saddle__complement_solve_mass(complement, s->r);
    for (int64_t j = 0; status == SADDLE_OK && j < s->n; j++) x->v[j] += s->r[j];
    return status;
}

/* Pivoting stalled: whether lambda is much better than where it began all the same; both within
 * their bounds. */
static int is_progress(saddle__bounded *s, const saddle_matrix *W, const double *lambda)
{
    if (saddle__epsilon_is_least(&s->steps.epsilon)) return 0;
    double began = saddle__natural_error(s, s->began);
    copy(s->w, s->free, s->m);
    saddle_matrix_apply(W, 1.0, lambda, 1.0, s->w);
    double error = saddle__natural_error(s, lambda);
    copy(s->w, s->free, s->m);
    saddle_matrix_apply(W, 1.0, s->began, 1.0, s->w);
    return saddle__steps_keep(&s->steps, error, began);
}

/* A start instead of lambda = 0. */
static void sweep(saddle__bounded *s, const saddle__complement *complement, double *lambda)
{
    const saddle__sparse_basis *sparse = saddle__schur_basis_sparse(&s->basis);
    saddle__sweep_rows rows = {.W = &complement->W,
                               .beside = sparse ? &sparse->beside : NULL,
                               .added = s->added,
                               .lo = s->lo,
                               .hi = s->hi,
                               .q = s->q};
    saddle__sweep(&rows, s->steps.sweeps, lambda, s->w, s->pivoting.noise);
}

/* Pivoting at the present epsilon from lambda.  SADDLE_NOT_CONVERGED: stalled. */
static saddle_status pivot_once(saddle__bounded *s, const saddle__complement *complement,
                                const saddle__bounded_rows *given, const saddle_solver_call *call,
                                double *lambda)
{
    saddle__bounded_rows searched = *given;
    const saddle__bounded_rows *rows = &searched;
    const saddle__epsilon *epsilon = &s->steps.epsilon;
    searched.added = s->pivoting.line.y && !saddle__epsilon_is_least(epsilon) ? s->added : NULL;
    saddle__basis basis = saddle__schur_basis_table(&s->basis);
    s->pivoting.most_singles = saddle__steps_one_by_one(&s->steps)         ? INT64_MAX
                               : s->one_by_one && epsilon->raised >= OFTEN ? SINGLES * s->m
                                                                           : 0;
    s->pivoting.tolerated = saddle__steps_tolerate(&s->steps);
    s->pivoting.patience = saddle__epsilon_patience(epsilon);
    for (int64_t i = 0; i < s->m; i++) s->q[i] = s->free[i] - s->added[i] * lambda[i];
    if (s->steps.sweeps > 0) sweep(s, complement, lambda);
    if (rows->added)
        saddle__pivoting_read(&s->pivoting, rows, lambda); /* rows left broken stand at their
                                                              bounds */
    return saddle__pivoting_run(&s->pivoting, &basis, rows, call, lambda);
}

/* Lagged friction: the bounds of tangents by lambda as it is. */
static void set_lagged_bounds(saddle__bounded *s, const double *lambda)
{
    for (int64_t i = 0; s->lag_lo && i < s->m; i++) {
        double reach = s->normal[i] >= 0 ? s->mu[i] * fmax(lambda[s->normal[i]], 0.0) : 0.0;
        s->lag_lo[i] = s->lo[i] - reach;
        s->lag_hi[i] = s->hi[i] + reach;
    }
}

/* ... and lambda where it is at one of them. */
static void follow(saddle__bounded *s, double *lambda)
{
    set_lagged_bounds(s, lambda);
    for (int64_t i = 0; s->lag_lo && i < s->m; i++) {
        if (s->normal[i] < 0 || s->pivoting.state[i] == SADDLE__BASIC) continue;
        lambda[i] = s->pivoting.state[i] == SADDLE__AT_LO ? s->lag_lo[i] : s->lag_hi[i];
    }
}

/* A step begins at lambda, which is kept: in place of the best one where it is that itself. */
static void begin_step(saddle__bounded *s, const double *lambda)
{
    s->began = s->best_is_at_hand ? s->best + s->n : s->d;
    s->best_is_at_hand = 0;
    copy(s->began, lambda, s->m);
}

/* s->d <- what the step changed; s->began is gone. */
static void end_step(saddle__bounded *s, const double *lambda)
{
    for (int64_t i = 0; i < s->m; i++) s->d[i] = lambda[i] - s->began[i];
}

/* A step of lambda with epsilon raised until it succeeds. */
static saddle_status take_step(saddle__bounded *s, const saddle__complement *complement,
                               const saddle__bounded_rows *rows, const saddle_solver_call *call,
                               double *lambda)
{
    int stalled = 0;
    saddle_status status;
    follow(s, lambda);
    begin_step(s, lambda);
    change_epsilon(s, complement, saddle__steps_next(&s->steps));
    while ((status = pivot_once(s, complement, rows, call, lambda)) == SADDLE_NOT_CONVERGED &&
           !saddle__steps_one_by_one(&s->steps)) {
        s->one_by_one &= s->pivoting.most_singles == 0;
        stalled = is_progress(s, &complement->W, lambda);
        if (!stalled) copy(lambda, s->began, s->m);
        saddle__pivoting_read(&s->pivoting, rows, lambda);
        if (stalled) {
            status = SADDLE_OK;
            break;
        }
        change_epsilon(s, complement, saddle__steps_raise(&s->steps));
    }
    saddle__steps_taken(&s->steps, stalled);
    return status;
}

/* Rows that are no equations. */
static int64_t count_bounded(const saddle__bounded *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) count += !isinf(s->lo[i]) || !isinf(s->hi[i]);
    return count;
}

/* (v, lambda) after a step, or the start. */
static void look_at(saddle__bounded *s, const saddle__complement *complement,
                    const saddle_problem *problem, const saddle_solver_call *call, int cold,
                    saddle_status status, const saddle_solution *x)
{
    const saddle__steps *steps = &s->steps;
    int first = steps->taken == 0 && cold;
    int second = steps->taken == 1 && steps->last == 1 && status == SADDLE_OK &&
                 call->options->max_refinements > 0;
    if (first || second) /* nothing was done yet; or E has still to be taken out, whatever the
                            residual */
        saddle__progress_look(s, problem, &complement->W, x);
    else
        saddle__progress_judge(s, problem, call, &complement->W, x);
}

/* The best lambda was glanced at alone; status if all goes well.  From nothing: v may be that of
 * much larger impulses. */
static saddle_status find_best_velocity(saddle__bounded *s, saddle__complement *complement,
                                        const saddle_problem *problem,
                                        const saddle_solver_call *call, saddle_solution *x,
                                        saddle_status status)
{
    if (s->best_is_at_hand)
        copy(s->best + s->n, x->lambda, s->m);
    else
        copy(x->lambda, s->best + s->n, s->m);
    for (int64_t j = 0; j < s->n; j++) x->v[j] = 0.0;
    saddle_status corrected = correct_velocity(s, complement, problem, x);
    if (corrected != SADDLE_OK) return corrected;
    saddle__progress_settle(s, problem, call, &complement->W, x);
    return status;
}

static saddle_status iterate(saddle__bounded *s, saddle__complement *complement,
                             const saddle_problem *problem, const saddle_solver_call *call,
                             saddle_solution *x)
{
    int lagged = s->lag_lo != NULL;
    saddle__bounded_rows rows = {.m = s->m,
                                 .lo = lagged ? s->lag_lo : s->lo,
                                 .hi = lagged ? s->lag_hi : s->hi,
                                 .q = s->q,
                                 .step = s->step,
                                 .normal = lagged ? NULL : s->normal,
                                 .mu = s->mu};
    set_lagged_bounds(s, x->lambda);
    int64_t most = call->options->max_iterations;
    saddle__pivoting_begin(&s->pivoting, &rows, most > 0 || s->m <= FEW ? most : MOST_PIVOTINGS,
                           x->lambda);
    for (int64_t j = 0; j < s->n; j++) x->v[j] = 0.0;
    s->pivoting.tolerated = 0;
    s->one_by_one = s->m <= FEW;
    s->glanced = s->best_is_at_hand = 0;
    int cold = saddle__is_zero(x->lambda, s->m);
    s->began_above = cold && s->pivoting.line.y && s->n > 0 && count_bounded(s) > s->n;
    saddle__steps *steps = &s->steps;
    saddle__steps_begin(steps, s->m, s->least, s->began_above,
                        lagged ? SADDLE__LAGGED : SADDLE__FAST, call->options);
    if (s->m > FEW)
        steps->most_raises = INT64_MAX; /* friction on heaps may settle after twice as many */
    if (!cold)
        steps->epsilon.next = fmax(s->epsilon, s->least); /* that of the last solve has its factor
                                                             still */
    saddle_status status = SADDLE_OK;
    for (;;) {
        int on_the_way = status == SADDLE_OK && saddle__progress_glance(s, call, x->lambda);
        if (!on_the_way || saddle__steps_enough(steps)) {
            if (steps->taken > 0) end_step(s, x->lambda);
            saddle_status corrected = correct_velocity(s, complement, problem, x);
            if (corrected != SADDLE_OK) return corrected;
            look_at(s, complement, problem, call, cold, status, x);
            if (status != SADDLE_OK || saddle__steps_enough(steps)) break;
        }
        status = take_step(s, complement, &rows, call, x->lambda);
        if (status < 0) return status;
    }
    return s->glanced ? find_best_velocity(s, complement, problem, call, x, status) : status;
}

/* ---- what is said of it ---- */

void saddle__bounded_begin_note(saddle__bounded *s, saddle_report *report)
{
    if (s->note < 0)
        s->note = (int64_t)strlen(report->note);
    else
        report->note[s->note] = '\0';
}

/* A row of zeros that q drives beyond all bounds is a ray by itself; it takes the place of s->d. */
static void find_driven_row(saddle__bounded *s)
{
    for (int64_t i = 0; i < s->m; i++) {
        int up = s->free[i] < 0.0 && isinf(s->hi[i]);
        int down = s->free[i] > 0.0 && isinf(s->lo[i]);
        if (s->step[i] != 0.0 || !(up || down)) continue;
        memset(s->d, 0, (size_t)s->m * sizeof(*s->d));
        s->d[i] = up ? 1.0 : -1.0;
        return;
    }
}

static saddle_status conclude(saddle__bounded *s, const saddle__complement *complement,
                              const saddle_problem *problem, const saddle_solver_call *call,
                              saddle_status status)
{
    saddle_report *report = call->report;
    const saddle__steps *p = &s->steps;
    report->iterations += s->pivoting.steps;
    report->pivots += s->pivoting.pivots;
    report->refinements += (p->taken > 1 ? p->taken - 1 : 0) + s->pivoting.exactness.corrected;
    report->switches.regularized += p->epsilon.raised;
    if (s->began_above)
        saddle__report_note(
            report,
            "more rows with bounds than velocities: block pivoting began with more regularization");
    if (p->epsilon.raised > 0)
        saddle__report_note(report,
                            "block pivoting stalled %lld times, went on with more regularization",
                            (long long)p->epsilon.raised);
    if (s->pivoting.exactness.inexact > 0)
        saddle__report_note(report, "%lld solves stayed above rounding",
                            (long long)s->pivoting.exactness.inexact);
    if (s->pivoting.singles > 0)
        saddle__report_note(report, "block pivoting stalled, %lld pivots one by one",
                            (long long)s->pivoting.singles);
    if (status != SADDLE_OK && status != SADDLE_NOT_CONVERGED) return status;
    if (p->residual <= call->options->tolerance && !p->overgrown) return SADDLE_OK;
    saddle_status unproven = p->residual <= call->options->tolerance ? SADDLE_OK
                                                                     : SADDLE_NOT_CONVERGED;
    find_driven_row(s);
    saddle__ray ray = saddle__ray_find(&complement->W, s->lo, s->hi, s->size, s->free, s->d, s->q);
    if (ray.rows == 0) {
        if (status != SADDLE_OK)
            saddle__report_note(report, "a basis could not be factored: W is not semidefinite");
        return unproven;
    }
    saddle_solution answer = {.n = s->n, .m = s->m, .v = s->best, .lambda = s->best + s->n};
    return saddle__offer_against(call, problem, s->d, &answer, unproven);
}

/* Impulses without end leave a residual that looks small, others a larger one than no impulses do:
 * none instead. */
static saddle_status start_over(saddle__bounded *s, saddle__complement *complement,
                                const saddle_problem *problem, saddle_solution *x)
{
    for (int64_t i = 0; i < s->m; i++) x->lambda[i] = fmin(fmax(0.0, s->lo[i]), s->hi[i]);
    for (int64_t j = 0; j < s->n; j++) x->v[j] = 0.0;
    return correct_velocity(s, complement, problem, x);
}

/* Bounds and, where it differs from what the basis was made with, friction. */
static void take_bounds(saddle__bounded *s, const saddle__complement *complement,
                        const saddle_problem *problem)
{
    for (int64_t i = 0; i < s->m; i++) {
        s->lo[i] = saddle_problem_lo(problem, i);
        s->hi[i] = saddle_problem_hi(problem, i);
        s->d[i] = 0.0;
    }
    int changed = 0;
    for (int64_t k = 0; s->normal && k < problem->contact_count; k++) {
        const saddle_contact *c = &problem->contacts[k];
        s->lo[c->row] = 0.0;
        s->hi[c->row] = (double)INFINITY;
        for (int64_t i = c->row + 1; i < c->row + c->size; i++) {
            changed |= s->mu[i] != c->mu;
            s->mu[i] = c->mu;
            s->lo[i] = s->hi[i] = 0.0;
        }
    }
    saddle__operator_view view = view_of(s, complement);
    if (changed) saddle__schur_basis_shift(&s->basis, &view);
}

saddle_status saddle__bounded_solve(saddle__bounded *s, saddle__complement *complement,
                                    const saddle_problem *problem, const saddle_solver_call *call,
                                    saddle_solution *solution)
{
    take_bounds(s, complement, problem);
    int64_t made = saddle__schur_basis_made(&s->basis);
    saddle__blas_begin();
    saddle_status status = iterate(s, complement, problem, call, solution);
    saddle__blas_end();
    call->report->factorizations += saddle__schur_basis_made(&s->basis) - made;
    if (status < 0) return status;
    copy(solution->v, s->best, s->n);
    copy(solution->lambda, s->best + s->n, s->m);
    status = conclude(s, complement, problem, call, status);
    int without_end = status == SADDLE_INFEASIBLE && s->steps.residual <= call->options->tolerance;
    if (!without_end && !(status > 0 && s->steps.residual > none_leave)) return status;
    saddle_status restored = start_over(s, complement, problem, solution);
    return restored == SADDLE_OK ? status : restored;
}
