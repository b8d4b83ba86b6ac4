/* SPDX-License-Identifier: MIT */
/* See mlcp.h. */
#include "mlcp/mlcp.h"

#include <string.h>

#include "base/context_internal.h"
#include "base/process.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "certify.h"
#include "problem/problem_internal.h"
#include "problem/verdict.h"
#include "refine.h"

/* Rows up to which a dense basis is first tried without E, and no line search is used; Gauss-Seidel
 * sweeps from lambda = 0 that find the first basis. */
enum { FEW_ROWS = 300, FIRST_SWEEPS = 10 };

/* Raises of epsilon while the least error is not halved; afterwards a run may take as many single
 * pivots as it has rows. */
enum { MOST_RAISES = 16 };

/* The first raise of epsilon; the factor of further raises, and the divisor after a step, of which
 * a stall takes the root. */
static const double first_raise = 1e-2;
static const double raise = 10.0;

/* Rows named in a message; size of the text. */
enum { NAMES = 3, TEXT_SIZE = 256 };

/* While epsilon falls from first_raise, a step may end with this share of the rows violating their
 * laws; each such step divides the share by 3, and is not measured. */
static const double first_part = 0.02;

/* A step that leaves more than half of the least error stalls; lagged bounds settle slowly. */
static const double lagged_gain = 0.95;

/* ---- rows ---- */

/* Contacts lie in rows one after the other, in the problem and here. */
static void find_tangents(saddle__mlcp_rows *s, const saddle_problem *problem)
{
    const saddle_contact *contact = problem->contacts;
    int64_t left = problem->contact_count;
    for (int64_t c = 0; c < s->count; c++) {
        int64_t i = saddle__mlcp_row(s, c);
        for (; left > 0 && i >= contact->row + contact->size; left--) contact++;
        int tangent = left > 0 && i > contact->row;
        s->tangent_of[c] = tangent ? c - (i - contact->row) : -1;
    }
}

saddle_status saddle__mlcp_rows_create(saddle_context *context, const saddle_problem *problem,
                                       int64_t count, const int64_t *row, int lagged,
                                       saddle__mlcp_rows *s)
{
    const int touches = problem->contact_count > 0;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(s->lo, count),     SADDLE__ARRAY(s->hi, count),
        SADDLE__ARRAY(s->q, count),      SADDLE__ARRAY(s->size, count),
        SADDLE__ARRAY(s->step, count),   SADDLE__ARRAY(s->E, count),
        SADDLE__ARRAY(s->lambda, count), SADDLE__ARRAY(s->every_step, row ? problem->m : 0),
        SADDLE__ARRAY(s->mu, count),     SADDLE__ARRAY(s->tangent_of, count)};
    const size_t of_contacts = touches ? 0 : 2;
    *s = (saddle__mlcp_rows){.count = count, .row = row};
    SADDLE__TRY(
        saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays) - of_contacts));
    s->lagged = lagged && problem->contact_count > 0;
    s->normal = s->lagged ? NULL : s->tangent_of;
    if (s->tangent_of) find_tangents(s, problem);
    return SADDLE_OK;
}

/* Bounds and friction of the problem.  Returns 1 where friction differs from the last call. */
static int read_rows(saddle__mlcp_rows *s, const saddle_problem *problem)
{
    const saddle_contact *contact = problem->contacts;
    int64_t left = problem->contact_count;
    int changed = 0;
    for (int64_t c = 0; c < s->count; c++) {
        int64_t i = saddle__mlcp_row(s, c);
        for (; left > 0 && i >= contact->row + contact->size; left--) contact++;
        int touches = left > 0 && i >= contact->row;
        s->lo[c] = touches ? 0.0 : saddle__lo(problem, i);
        s->hi[c] = !touches ? saddle__hi(problem, i) : i == contact->row ? (double)INFINITY : 0.0;
        double mu = touches && i > contact->row ? saddle__contact_mu(contact, i - contact->row)
                                                : 0.0;
        if (!s->mu) continue;
        changed |= s->mu[c] != mu;
        s->mu[c] = mu;
    }
    return changed;
}

/* Whether row i of J has an entry. */
static int has_entry(const saddle_matrix *Jt, int64_t i)
{
    for (int64_t k = Jt->start ? Jt->start[i] : 0; Jt->start && k < Jt->start[i + 1]; k++)
        if (Jt->value[k] != 0.0) return 1;
    return 0;
}

void saddle__mlcp_rows_measure(saddle__mlcp_rows *s, const saddle_problem *problem,
                               const double *size)
{
    const saddle_matrix *R = &problem->R;
    double *step = s->row ? s->every_step : s->step;
    for (int64_t i = 0; i < problem->m; i++)
        step[i] = has_entry(&problem->Jt, i) ? 1.0 / size[i] : 0.0;
    for (int64_t j = 0; R->start && j < problem->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            if (R->value[k] == 0.0) continue;
            step[j] = 1.0 / size[j];
            step[R->index[k]] = 1.0 / size[R->index[k]];
        }
    for (int64_t c = 0; c < s->count; c++) {
        s->size[c] = size[saddle__mlcp_row(s, c)];
        s->step[c] = step[saddle__mlcp_row(s, c)];
    }
}

void saddle__mlcp_set_epsilon(saddle__mlcp_rows *s, double epsilon)
{
    s->epsilon = epsilon;
    for (int64_t c = 0; c < s->count; c++) s->E[c] = s->step[c] > 0.0 ? epsilon * s->size[c] : 0.0;
}

/* ---- create ---- */

saddle_status saddle__mlcp_create(saddle_context *context, const saddle_problem *problem,
                                  saddle__mlcp *s)
{
    int64_t count = s->system.rows->count;
    const saddle__array arrays[] = {SADDLE__ARRAY(s->centre, problem->m),
                                    SADDLE__ARRAY(s->d, problem->m),
                                    SADDLE__ARRAY(s->best, problem->n + problem->m)};
    s->context = context;
    s->n = problem->n;
    s->m = problem->m;
    SADDLE__TRY(saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays)));
    return saddle__pivoting_create(context, count, s->system.may_search && count > FEW_ROWS,
                                   &s->pivoting);
}

void saddle__mlcp_clear(saddle__mlcp *s)
{
    if (s->system.user) s->system.clear(s->system.user);
    saddle__layout_clear(s->context, &s->pivoting.layout);
    saddle__layout_clear(s->context, &s->layout);
    memset(s, 0, sizeof *s);
}

/* The first epsilon of a factorization: 0 where W may be regular. */
static double first_epsilon(const saddle__mlcp *s, const saddle_options *options,
                            const saddle_problem *problem)
{
    int singular = s->n > 0 && s->m > s->n && saddle_matrix_entries(&problem->R) == 0;
    if (s->system.W && s->system.rows->count <= FEW_ROWS && !singular) return 0.0;
    return fmax(options->regularization, SADDLE__SINGULAR_PIVOT);
}

/* ---- impulses of the rows and of the problem ---- */

static void gather(saddle__mlcp_rows *rows, const double *lambda)
{
    for (int64_t c = 0; c < rows->count; c++) rows->lambda[c] = lambda[saddle__mlcp_row(rows, c)];
}

static void scatter(const saddle__mlcp_rows *rows, double *lambda)
{
    for (int64_t c = 0; c < rows->count; c++) lambda[saddle__mlcp_row(rows, c)] = rows->lambda[c];
}

/* Lagged friction: bounds of tangents from the normal impulses in rows->lambda. */
static void follow_friction(saddle__mlcp_rows *rows)
{
    for (int64_t c = 0; c < rows->count; c++) {
        if (rows->tangent_of[c] < 0) continue;
        rows->hi[c] = rows->mu[c] * fmax(rows->lambda[rows->tangent_of[c]], 0.0);
        rows->lo[c] = -rows->hi[c];
    }
}

/* ---- the course of a solve ---- */

typedef struct course {
    saddle__mlcp *s;
    const saddle__mlcp_system *system; /* of s */
    const saddle_problem *problem;
    const saddle_problem *given; /* the same, or of the shift */
    const saddle_solver_call *call;
    saddle_solution *x;
    double least;      /* epsilon in the end */
    double next;       /* epsilon of the next run */
    int sweeps;        /* the next run begins with sweeps */
    double fall;       /* divisor of epsilon after a step */
    double gain;       /* a step stalls with more than this part of the least error */
    double halved;     /* least error at the last halving */
    int64_t raises;    /* of epsilon since then */
    int64_t tolerated; /* violations left by the last step, at most */
    double part;       /* of the rows: violations left by a step, at most */
    int64_t last;      /* steps at the least epsilon */
    int stalls;        /* of them without gain, in a row */
} course;

static int64_t count_bounded(const saddle__mlcp_rows *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rows->count; i++) count += !isinf(rows->lo[i]) || !isinf(rows->hi[i]);
    return count;
}

static void begin_course(course *c)
{
    saddle__mlcp *s = c->s;
    const saddle__mlcp_rows *rows = c->system->rows;
    int cold = saddle__is_zero(rows->lambda, rows->count);
    s->error = c->halved = (double)INFINITY;
    s->taken = s->raised = 0;
    s->began_above = cold && s->pivoting.line.y && s->n > 0 && count_bounded(rows) > s->n;
    c->least = first_epsilon(s, c->call->options, c->problem);
    if (rows->epsilon > 0.0) /* E = 0 was rejected for the values at hand */
        c->least = fmax(c->call->options->regularization, SADDLE__SINGULAR_PIVOT);
    c->next = s->began_above ? fmax(first_raise, c->least) : c->least;
    if (!cold) c->next = fmax(rows->epsilon, c->least); /* has a factor from the last solve */
    c->sweeps = cold && c->system->basis.sweep && (s->began_above || c->system->W);
    c->fall = raise;
    c->part = first_part;
    c->gain = rows->lagged ? lagged_gain : 0.5;
    for (int64_t i = 0; i < s->m; i++) s->d[i] = 0.0;
}

/* Pivoting stalled: the epsilon of another try. */
static void raise_epsilon(course *c)
{
    saddle__mlcp *s = c->s;
    if (c->next == 0.0) { /* the attempt without regularization */
        c->least = c->next = fmax(c->call->options->regularization, SADDLE__SINGULAR_PIVOT);
        return;
    }
    if (s->raised > 0) c->fall = fmax(sqrt(c->fall), 2.0);
    c->next = s->raised++ > 0 ? raise * c->next : first_raise;
    if (++c->raises >= MOST_RAISES) c->next = c->least;
}

/* ---- judging ---- */

/* The checker's measure of the present iterate. */
static double measure(const course *c, const saddle_problem *problem)
{
    return saddle__error_of(saddle_solver_measure(c->call, problem, c->x->v, c->x->lambda),
                            c->call->options->tolerance);
}

static void judge(course *c)
{
    saddle__mlcp *s = c->s;
    if (c->tolerated > 0) {
        c->part /= 3.0;
        return;
    }
    const saddle_residual *residual = saddle_solver_measure(c->call, c->given, c->x->v,
                                                            c->x->lambda);
    double error = saddle__error_of(residual, c->call->options->tolerance);
    int stalled = !(error < c->gain * s->error);
    c->stalls = stalled ? c->stalls + 1 : 0;
    if (!(error < s->error) && s->error < (double)INFINITY) return;
    s->error = error;
    s->growth = residual->growth;
    saddle__copy(s->best, c->x->v, s->n);
    saddle__copy(s->best + s->n, c->x->lambda, s->m);
    if (error > 0.5 * c->halved) return;
    c->halved = error;
    c->raises = 0;
}

static int is_enough(const course *c)
{
    const saddle_options *options = c->call->options;
    const double error = c->s->error;
    const int settled = c->s->raised == 0 || c->stalls > 0 || c->last > 0;
    if (error <= (settled ? SADDLE__PRODUCT_ROUNDING : SADDLE__SUM_ROUNDING)) return 1;
    if (c->last > options->max_refinements) return 1;
    if (c->last > 0) return c->last > 1 && c->stalls >= SADDLE__MLCP_STALLS;
    return error <= options->tolerance && c->stalls > 0;
}

/* ---- a step ---- */

/* A run at epsilon c->next, and its velocities. */
static saddle_status pivot(course *c)
{
    const saddle__mlcp_system *system = c->system;
    const int64_t count = system->rows->count;
    saddle__pivoting_way way = {.most_singles = c->raises >= MOST_RAISES
                                                    ? count
                                                    : SADDLE__PIVOTING_PATIENCE,
                                .search = c->s->pivoting.line.y && c->next > c->least};
    if (way.search && c->s->raised <= 1) way.tolerated = (int64_t)(c->part * (double)count);
    c->tolerated = way.tolerated;
    if (system->rows->epsilon != c->next) {
        saddle__mlcp_set_epsilon(system->rows, c->next);
        system->basis.refresh(system->basis.user, NULL);
    }
    SADDLE__TRY(system->begin(system->user, c->problem, c->call, c->x->lambda, c->x->v));
    if (c->sweeps) system->basis.sweep(system->basis.user, FIRST_SWEEPS);
    saddle_status status = saddle__pivoting_run(&c->s->pivoting, &system->basis, system->rows, &way,
                                                c->call);
    scatter(system->rows, c->x->lambda);
    if (status < 0) return status;
    saddle_status found = system->velocity(system->user, c->problem, c->x->lambda, c->x->v);
    return found < 0 || status == SADDLE_OK ? found : status;
}

static saddle_status go_back(course *c)
{
    const saddle__mlcp_system *system = c->system;
    saddle__copy(c->x->lambda, c->s->centre, c->s->m);
    gather(system->rows, c->x->lambda);
    for (int64_t j = 0; j < c->s->n; j++) c->x->v[j] = 0.0;
    return system->velocity(system->user, c->problem, c->x->lambda, c->x->v);
}

/* The centre of a step: lambda, and with a shift v. */
static saddle_status begin_step(course *c)
{
    const saddle__mlcp_shift *shift = c->s->shift;
    const double *v = c->x->v;
    if (c->system->rows->lagged) follow_friction(c->system->rows);
    saddle__copy(c->s->centre, c->x->lambda, c->s->m);
    if (!shift) return SADDLE_OK;
    for (int64_t j = 0; j < c->s->n; j++)
        shift->f[j] = (shift->given->f ? shift->given->f[j] : 0.0) + shift->D[j] * v[j];
    saddle__copy(shift->moved, v, c->s->n);
    return c->system->velocity(c->system->user, c->problem, c->x->lambda, c->x->v);
}

/* lambda and v less the centre. */
static void end_step(course *c)
{
    saddle__mlcp *s = c->s;
    for (int64_t i = 0; i < s->m; i++) s->d[i] = c->x->lambda[i] - s->centre[i];
    for (int64_t j = 0; s->shift && j < s->n; j++)
        s->shift->moved[j] = c->x->v[j] - s->shift->moved[j];
    s->taken++;
    c->sweeps = 0;
}

/* With epsilon raised until pivoting succeeds. */
static saddle_status take_step(course *c)
{
    saddle_status status = begin_step(c);
    if (status != SADDLE_OK) return status;
    for (;;) { /* until pivoting does not stall, and W_FF without regularization is regular */
        status = pivot(c);
        int unsure = status == SADDLE_OK && c->next == 0.0;
        int stalled = status == SADDLE_NOT_CONVERGED ||
                      (unsure && !(measure(c, c->problem) <= SADDLE__HALF_DIGITS));
        if (!stalled || c->raises >= MOST_RAISES) break;
        SADDLE__TRY(go_back(c));
        raise_epsilon(c);
    }
    if (status < 0) return status;
    end_step(c);
    const int is_least = c->next <= c->least;
    c->last += is_least;
    if (!is_least) c->stalls = 0;
    judge(c);
    c->next = fmax(c->next / c->fall, c->least);
    return status;
}

/* ---- no solution ---- */

/* A row of zeros that b drives beyond an infinite bound is a ray by itself. */
static void find_driven_row(const course *c)
{
    const saddle__mlcp_rows *rows = c->system->rows;
    for (int64_t k = 0; c->given->b && k < rows->count; k++) {
        int64_t i = saddle__mlcp_row(rows, k);
        int up = c->given->b[i] > 0.0 && isinf(rows->hi[k]);
        int down = c->given->b[i] < 0.0 && isinf(rows->lo[k]);
        if (rows->step[k] != 0.0 || !(up || down)) continue;
        memset(c->s->d, 0, (size_t)c->s->m * sizeof *c->s->d);
        c->s->d[i] = up ? 1.0 : -1.0;
        return;
    }
}

/* Removes from d parts towards a finite bound and small parts; returns 0 where nothing is left. */
static int clean_ray(const course *c)
{
    const saddle__mlcp_rows *rows = c->system->rows;
    double *d = c->s->d;
    double most = 0.0;
    int left = 0;
    for (int64_t k = 0; k < rows->count; k++) {
        double *part = d + saddle__mlcp_row(rows, k);
        if (*part > 0.0 ? isfinite(rows->hi[k]) : isfinite(rows->lo[k])) *part = 0.0;
        most = fmax(most, fabs(*part) * sqrt(rows->size[k]));
    }
    for (int64_t k = 0; k < rows->count; k++) {
        double *part = d + saddle__mlcp_row(rows, k);
        if (fabs(*part) * sqrt(rows->size[k]) <= SADDLE__VISIBLE_PART * most) *part = 0.0;
    }
    for (int64_t i = 0; i < c->s->m; i++) left |= d[i] != 0.0;
    return left;
}

/* Offers the multipliers y of the rows where the proof stands (problem/verdict.h), else returns
 * `otherwise`.  Without a call's certificate SADDLE_INFEASIBLE is said unchecked. */
static saddle_status certify(const saddle_solver_call *call, const saddle_problem *problem,
                             const double *y, saddle_status otherwise)
{
    saddle_proof proof;
    saddle_status status = saddle__certify_rows(call, problem, y);
    if (status < 0 || !call->certificate) return status;
    status = saddle_certificate_check(call->context, problem, call->certificate, &proof);
    if (status < 0) return status;
    if (saddle__proof_stands(&proof, call->options->tolerance)) return SADDLE_INFEASIBLE;
    saddle_certificate_clear(call->certificate);
    return otherwise;
}

/* SADDLE_SINGULAR: the last step on the velocities is proven to be a motion without end; else
 * `otherwise`. */
static saddle_status try_motion(const course *c, saddle_status otherwise)
{
    const saddle_solver_call *call = c->call;
    saddle_proof proof;
    if (!c->s->shift || !call->certificate) return otherwise;
    saddle_status status = saddle__certify_motion(call, c->given, c->s->shift->moved);
    if (status == SADDLE_OK)
        status = saddle_certificate_check(call->context, c->given, call->certificate, &proof);
    if (status != SADDLE_OK) return status;
    if (proof.kind == SADDLE_PROOF_NONE) {
        saddle_certificate_clear(call->certificate);
        return otherwise;
    }
    char text[TEXT_SIZE];
    saddle_certificate_describe(c->given, call->certificate, NAMES, text, sizeof text);
    return saddle_fail(call->context, SADDLE_SINGULAR, "pivot: %s", text);
}

static saddle_status conclude(course *c, saddle_status status)
{
    saddle__mlcp *s = c->s;
    double tolerance = c->call->options->tolerance;
    if (status != SADDLE_OK && status != SADDLE_NOT_CONVERGED) return status;
    saddle_status unproven = s->error <= tolerance ? SADDLE_OK : SADDLE_NOT_CONVERGED;
    if (unproven == SADDLE_OK && s->growth <= 1.0 / SADDLE__HALF_DIGITS) return SADDLE_OK;
    find_driven_row(c);
    status = clean_ray(c) ? certify(c->call, c->given, s->d, unproven) : unproven;
    return status == SADDLE_NOT_CONVERGED ? try_motion(c, status) : status;
}

/* Zero impulses, for a solve that ends with a residual larger than theirs, or with a residual that
 * is small only beside huge impulses. */
static saddle_status start_over(course *c)
{
    const saddle__mlcp_system *system = c->system;
    saddle__mlcp_rows *rows = system->rows;
    for (int64_t i = 0; i < c->s->m; i++) c->x->lambda[i] = 0.0;
    for (int64_t k = 0; k < rows->count; k++)
        rows->lambda[k] = fmin(fmax(0.0, rows->lo[k]), rows->hi[k]);
    scatter(rows, c->x->lambda);
    return system->velocity(system->user, c->problem, c->x->lambda, c->x->v);
}

static void report_course(const course *c)
{
    saddle_report *report = c->call->report;
    const saddle__mlcp *s = c->s;
    report->switches.regularized += s->raised;
    if (s->began_above)
        saddle__report_note(report, "more rows with bounds than velocities: block pivoting began "
                                    "with more regularization");
    if (s->raised > 0)
        saddle__report_note(report,
                            "block pivoting stalled %lld times, went on with more regularization",
                            (long long)s->raised);
    if (s->pivoting.singles > 0)
        saddle__report_note(report, "block pivoting stalled, %lld pivots one by one",
                            (long long)s->pivoting.singles);
}

static saddle_status iterate(saddle__mlcp *s, const saddle_problem *problem,
                             const saddle_solver_call *call, saddle_solution *x)
{
    const saddle__mlcp_system *system = &s->system;
    course c = {
        .s = s, .system = system, .problem = problem, .given = problem, .call = call, .x = x};
    if (s->shift) c.given = s->shift->given;
    gather(system->rows, x->lambda);
    begin_course(&c);
    saddle_status status = s->shift ? SADDLE_OK
                                    : system->velocity(system->user, problem, x->lambda, x->v);
    while (status == SADDLE_OK) {
        status = take_step(&c);
        if (status != SADDLE_OK || !is_enough(&c)) continue;
        if (c.least > 0.0 || s->error <= call->options->tolerance) break;
        /* W_FF without regularization is nearly singular: the course goes on with regularization */
        c.least = c.next = fmax(call->options->regularization, SADDLE__SINGULAR_PIVOT);
        c.last = c.stalls = 0;
    }
    report_course(&c);
    if (status < 0) return status;
    if (s->error == (double)INFINITY) return status == SADDLE_OK ? SADDLE_NOT_CONVERGED : status;
    saddle__copy(x->v, s->best, s->n);
    saddle__copy(x->lambda, s->best + s->n, s->m);
    status = conclude(&c, status);
    int unbounded = status == SADDLE_INFEASIBLE && s->error <= call->options->tolerance;
    if (!unbounded && !(status > 0 && s->error > 1.0)) return status;
    saddle_status restored = start_over(&c);
    return restored < 0 ? restored : status;
}

/* ---- factor and solve ---- */

static void report_work(const saddle__mlcp *s, saddle_report *report,
                        const saddle__mlcp_counts *before)
{
    saddle__mlcp_counts after = s->system.counts(s->system.user);
    report->factorizations += after.factorizations - before->factorizations;
    report->refinements += after.corrections - before->corrections;
    report->perturbed_pivots = after.factor.perturbed_pivots;
    report->flops = after.factor.flops;
    report->factor_entries = after.factor.entries;
    report->peak_bytes = after.factor.peak_bytes;
}

saddle_status saddle__mlcp_factor(saddle__mlcp *s, const saddle_solver_call *call,
                                  const saddle_problem *problem)
{
    saddle__mlcp_counts before = s->system.counts(s->system.user);
    saddle_status status = s->system.factor(s->system.user, call, problem,
                                            first_epsilon(s, call->options, problem));
    report_work(s, call->report, &before);
    return status;
}

static saddle_status check_bounds(const saddle__mlcp *s, const saddle_solver_call *call,
                                  const saddle_problem *problem)
{
    const signed char *bounded = s->system.bounded;
    for (int64_t i = 0; i < problem->m; i++)
        if (!bounded[i] && saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY)
            return saddle_fail_at(
                call->context, saddle__place_of(problem, problem->n + i),
                saddle_fail(
                    call->context, SADDLE_INVALID_ARGUMENT,
                    "pivot: row %lld had no bounds when it was analysed, now it has: analyse again",
                    (long long)i + 1));
    return SADDLE_OK;
}

saddle_status saddle__mlcp_solve(saddle__mlcp *s, const saddle_solver_call *call,
                                 const saddle_problem *problem, saddle_solution *solution)
{
    saddle_report *report = call->report;
    saddle__mlcp_counts before = s->system.counts(s->system.user);
    saddle_status status = s->system.bounded ? check_bounds(s, call, problem) : SADDLE_OK;
    if (status != SADDLE_OK) return status;
    if (read_rows(s->system.rows, problem)) s->system.basis.refresh(s->system.basis.user, NULL);
    saddle__pivoting_begin(&s->pivoting, s->system.rows->count, call->options->max_iterations);
    saddle__blas_begin();
    status = iterate(s, problem, call, solution);
    saddle__blas_end();
    report_work(s, report, &before);
    report->iterations += s->pivoting.steps;
    report->pivots += s->pivoting.pivots;
    report->refinements += s->taken > 1 ? s->taken - 1 : 0;
    saddle__mlcp_counts after = s->system.counts(s->system.user);
    if (s->system.kind == SADDLE__MLCP_COLUMNS)
        saddle__report_note(report, "basis: %lld columns of %lld", (long long)after.columns,
                            (long long)s->system.rows->count);
    else
        saddle__report_note(report, s->system.kind == SADDLE__MLCP_FACTOR
                                        ? "basis: rows in the sparse factor"
                                        : "basis: all of W");
    int64_t inexact = s->pivoting.inexact + after.inexact - before.inexact;
    if (inexact > 0)
        saddle__report_note(report, "%lld solves stayed above rounding", (long long)inexact);
    return status;
}
