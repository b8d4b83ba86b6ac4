/* SPDX-License-Identifier: MIT */
/* See proximal.h. */
#include "mlcp/proximal.h"

#include <float.h>
#include <string.h>

#include "base/vector.h"
#include "certify.h"
#include "problem/verdict.h"
#include "refine.h"

/* Rows up to which single pivots are affordable and no line search is used. */
enum { FEW = 300 };

/* Steps of a solve; steps without gain at the least epsilon; raises without halving the error
 * before rows go one by one. */
enum { MOST_STEPS = 400, STALLS = 2, MOST_RAISES = 16 };

/* Gauss-Seidel sweeps from lambda = 0 that find the first basis. */
enum { FIRST_SWEEPS = 10 };

/* Block steps without a new minimum, at the least epsilon and above; single pivots a row. */
enum { SHORT_PATIENCE = 3, LONG_PATIENCE = 4, SINGLES = 10 };

/* Epsilon: below `smallest` W + E is singular to rounding; the first raise, further raises by
 * `raise`, up to `largest`. */
static const double smallest = 1e-12;
static const double first_raise = 1e-2;
static const double raise = 10.0;
static const double largest = 10.0;

/* After a step epsilon is divided by `fall`, which begins at first_fall and grows by a factor up to
 * most_fall; a stall takes its root. */
static const double first_fall = 4.0;
static const double most_fall = 100.0;
static const double fall_growth = 1.5;
static const double searched_growth = 3.0;

/* While epsilon comes down from above, the next step corrects what this part of the rows would cost
 * now; where a step with such rows gains less than a half, a tenth of it. */
static const double first_part = 0.01;

/* A step that leaves more than this part of the least error stalls; lagged bounds settle slowly. */
static const double fast_gain = 0.25;
static const double lagged_gain = 0.95;

/* Errors: rounding; well below the tolerance, over it; small enough that the states are final. */
static const double rounding_level = 16.0 * DBL_EPSILON;
static const double well_below = 1e-3;
static const double nearly_solved = 1e-8;

/* Epsilon above which a step need not be exact. */
static const double on_the_way = 1e-6;

/* Growth of impulses from which a ray is looked for behind a small residual. */
static const double suspicious_growth = 1e4;

/* Parts of a ray that are small beside the largest, in natural units. */
static const double negligible = 1e-6;

saddle_status saddle__proximal_create(saddle_context *context, int64_t n, int64_t m,
                                      saddle__proximal *s)
{
    saddle__proximal fresh = {.context = context, .n = n, .m = m};
    *s = fresh;
    s->centre = saddle_allocate(context, m, sizeof *s->centre);
    s->d = saddle_allocate(context, m, sizeof *s->d);
    s->best = saddle_allocate(context, n + m, sizeof *s->best);
    return s->centre && s->d && s->best ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__proximal_clear(saddle__proximal *s)
{
    saddle_release(s->context, s->centre);
    saddle_release(s->context, s->d);
    saddle_release(s->context, s->best);
    memset(s, 0, sizeof *s);
}

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* ---- the course of a solve ---- */

typedef struct course {
    saddle__proximal *s;
    const saddle__mlcp_system *system;
    saddle__pivoting *pivoting;
    const saddle_problem *problem;
    const saddle_solver_call *call;
    saddle_solution *x;
    double least;  /* epsilon in the end */
    double next;   /* epsilon of the next step */
    int sweeps;    /* the next run begins with sweeps */
    double fall;   /* epsilon is divided by it after a step */
    double growth; /* of fall */
    double gain;   /* a step stalls that leaves more than this of the least error */
    double measured, measured_growth; /* of the present iterate; negative: not measured yet */
    double now;                       /* error after the last step */
    double halved;                    /* least error when that was last halved */
    int64_t raises;                   /* of epsilon since then */
    int64_t tolerated;                /* violating rows that the last step may have left */
    double part;                      /* of the rows that a step may leave violating their laws */
    int64_t last;                     /* steps at the least epsilon */
    int stalls;                       /* of them without gain, in a row */
} course;

static int is_least(const course *c)
{
    return c->system->rows->epsilon <= c->least;
}

static int goes_one_by_one(const course *c)
{
    return c->system->rows->epsilon >= largest || c->raises >= MOST_RAISES;
}

double saddle__proximal_first_epsilon(const saddle__mlcp_system *system,
                                      const saddle_options *options)
{
    if (system->is_dense && system->rows->count <= FEW) return 0.0;
    return fmax(options->regularization, smallest);
}

int saddle__proximal_searches(int64_t count)
{
    return count > FEW;
}

static int64_t count_bounded(const saddle__mlcp_rows *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rows->count; i++) count += !isinf(rows->lo[i]) || !isinf(rows->hi[i]);
    return count;
}

static int may_search(const course *c)
{
    return c->pivoting->line.y != NULL && c->system->may_search;
}

static void begin_course(course *c)
{
    saddle__proximal *s = c->s;
    const saddle__mlcp_rows *rows = c->system->rows;
    int cold = saddle__is_zero(rows->lambda, rows->count);
    s->error = c->now = c->halved = (double)INFINITY;
    s->taken = s->raised = 0;
    s->began_above = cold && may_search(c) && s->n > 0 && count_bounded(rows) > s->n;
    c->least = saddle__proximal_first_epsilon(c->system, c->call->options);
    if (rows->epsilon > 0.0) /* E = 0 did not do with these values */
        c->least = fmax(c->call->options->regularization, smallest);
    c->next = s->began_above ? fmax(first_raise, c->least) : c->least;
    if (!cold) c->next = fmax(rows->epsilon, c->least); /* has a factor from the last solve */
    c->sweeps = cold && c->system->sweep && (s->began_above || c->system->is_dense);
    c->fall = first_fall;
    c->growth = s->began_above ? searched_growth : fall_growth;
    c->part = first_part;
    c->gain = rows->lagged ? lagged_gain : fast_gain;
    for (int64_t i = 0; i < s->m; i++) s->d[i] = 0.0;
}

static saddle_status set_epsilon(course *c, double epsilon)
{
    if (epsilon == c->system->rows->epsilon) return SADDLE_OK;
    saddle__mlcp_set_epsilon(c->system->rows, epsilon);
    return c->system->shift(c->system->user);
}

/* Pivoting stalled: the epsilon of another try. */
static saddle_status raise_epsilon(course *c)
{
    saddle__proximal *s = c->s;
    double epsilon = c->system->rows->epsilon;
    if (epsilon == 0.0) { /* the attempt without regularization */
        c->least = c->next = fmax(c->call->options->regularization, smallest);
        return set_epsilon(c, c->least);
    }
    if (s->raised > 0) c->fall = fmax(sqrt(c->fall), 2.0);
    epsilon = fmin(s->raised++ > 0 ? raise * epsilon : first_raise, largest);
    return set_epsilon(c, ++c->raises < MOST_RAISES ? epsilon : c->least);
}

static void lower_epsilon(course *c)
{
    double epsilon = c->system->rows->epsilon;
    if (c->now <= nearly_solved && c->stalls == 0 && !is_least(c)) {
        c->next = epsilon;
        return;
    }
    c->next = fmax(epsilon / c->fall, c->least);
    c->fall = fmin(c->fall * c->growth, most_fall);
}

/* ---- judging ---- */

/* c->measured, measured_growth: the checker's measure of the present iterate. */
static double measure(course *c)
{
    saddle_residual residual;
    saddle_residual_compute(c->problem, c->x->v, c->x->lambda, NULL, c->call->checker_work,
                            &residual);
    c->measured_growth = residual.growth;
    c->measured = saddle__error_of(&residual, c->call->options->tolerance);
    return c->measured;
}

static int is_good(const course *c)
{
    return c->s->error <= fmax(well_below * c->call->options->tolerance, rounding_level);
}

static void judge(course *c)
{
    saddle__proximal *s = c->s;
    double error = c->measured >= 0.0 ? c->measured : measure(c);
    int stalled = !(error < c->gain * s->error);
    if (c->tolerated > 0 && !(error < 0.5 * c->now)) c->part *= 0.1;
    c->now = error;
    c->stalls = stalled ? c->stalls + 1 : 0;
    if (!(error < s->error) && s->error < (double)INFINITY) return;
    s->error = error;
    s->growth = c->measured_growth;
    copy(s->best, c->x->v, s->n);
    copy(s->best + s->n, c->x->lambda, s->m);
    if (error > 0.5 * c->halved) return;
    c->halved = error;
    c->raises = 0;
}

static int is_enough(const course *c)
{
    const saddle_options *options = c->call->options;
    if (is_good(c) || c->last > options->max_refinements || c->s->taken > MOST_STEPS) return 1;
    if (c->last > 0) return c->last > 1 && c->stalls >= STALLS;
    return c->s->error <= options->tolerance && c->stalls > 0;
}

/* ---- a step ---- */

static saddle__pivoting_limits limits_of(course *c)
{
    int64_t count = c->system->rows->count;
    saddle__pivoting_limits limits = {.patience = is_least(c) ? SHORT_PATIENCE : LONG_PATIENCE};
    if (count <= FEW) limits.most_singles = SINGLES * count + 1;
    if (goes_one_by_one(c)) limits.patience = 0;
    if (goes_one_by_one(c)) limits.most_singles = INT64_MAX;
    limits.search = may_search(c) && !is_least(c);
    if (limits.search && c->system->rows->epsilon > on_the_way && c->s->raised <= 1)
        limits.tolerated = (int64_t)(c->part * (double)c->system->rows->count);
    c->tolerated = limits.tolerated;
    return limits;
}

static saddle_status pivot(course *c)
{
    const saddle__mlcp_system *system = c->system;
    saddle__pivoting_limits limits = limits_of(c);
    c->measured = -1.0;
    saddle_status status = system->begin(system->user, c->problem, c->call, c->x->lambda, c->x->v);
    if (status != SADDLE_OK) return status;
    if (c->sweeps) system->sweep(system->user, FIRST_SWEEPS);
    c->sweeps = 0;
    status = saddle__pivoting_run(c->pivoting, &system->basis, system->rows, &limits, c->call);
    saddle__mlcp_rows_scatter(system->rows, c->x->lambda);
    if (status < 0) return status;
    saddle_status found = system->velocity(system->user, c->problem, c->x->lambda, c->x->v);
    return found < 0 || status == SADDLE_OK ? found : status;
}

static saddle_status go_back(course *c)
{
    const saddle__mlcp_system *system = c->system;
    copy(c->x->lambda, c->s->centre, c->s->m);
    saddle__mlcp_rows_gather(system->rows, c->x->lambda);
    for (int64_t j = 0; j < c->s->n; j++) c->x->v[j] = 0.0;
    return system->velocity(system->user, c->problem, c->x->lambda, c->x->v);
}

/* Pivoting stalled; or, without regularization, W_FF is so nearly singular that the answer is
 * rounding. */
static int is_rejected(course *c, saddle_status status)
{
    if (status == SADDLE_NOT_CONVERGED) return 1;
    return status == SADDLE_OK && c->system->rows->epsilon == 0.0 && !(measure(c) <= nearly_solved);
}

/* With epsilon raised until pivoting succeeds. */
static saddle_status take_step(course *c)
{
    saddle__proximal *s = c->s;
    saddle_status status;
    saddle__mlcp_rows_follow(c->system->rows);
    copy(s->centre, c->x->lambda, s->m);
    while (is_rejected(c, status = pivot(c)) && !goes_one_by_one(c)) {
        status = go_back(c);
        if (status == SADDLE_OK) status = raise_epsilon(c);
        if (status != SADDLE_OK) return status;
    }
    if (status < 0) return status;
    for (int64_t i = 0; i < s->m; i++) s->d[i] = c->x->lambda[i] - s->centre[i];
    s->taken++;
    c->last += is_least(c);
    if (!is_least(c)) c->stalls = 0;
    judge(c);
    lower_epsilon(c);
    return status;
}

/* Without regularization the error stays above the tolerance: W_FF is nearly singular. */
static int leave_exact(course *c)
{
    if (c->least > 0.0 || c->s->error <= c->call->options->tolerance) return 0;
    c->least = c->next = fmax(c->call->options->regularization, smallest);
    c->last = c->stalls = 0;
    return 1;
}

static saddle_status iterate(course *c)
{
    const saddle__mlcp_system *system = c->system;
    saddle_status status = system->velocity(system->user, c->problem, c->x->lambda, c->x->v);
    while (status == SADDLE_OK) {
        status = set_epsilon(c, c->next);
        if (status == SADDLE_OK) status = take_step(c);
        if (status == SADDLE_OK && is_enough(c) && !leave_exact(c)) break;
    }
    return status;
}

/* ---- no solution ---- */

/* A row of zeros that b drives beyond an infinite bound is a ray by itself. */
static void find_driven_row(const course *c)
{
    const saddle__mlcp_rows *rows = c->system->rows;
    for (int64_t k = 0; c->problem->b && k < rows->count; k++) {
        int64_t i = saddle__mlcp_row(rows, k);
        int up = c->problem->b[i] > 0.0 && isinf(rows->hi[k]);
        int down = c->problem->b[i] < 0.0 && isinf(rows->lo[k]);
        if (rows->step[k] != 0.0 || !(up || down)) continue;
        memset(c->s->d, 0, (size_t)c->s->m * sizeof *c->s->d);
        c->s->d[i] = up ? 1.0 : -1.0;
        return;
    }
}

/* d without parts that point into a finite bound or are small; returns whether anything is left. */
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
        if (fabs(*part) * sqrt(rows->size[k]) <= negligible * most) *part = 0.0;
    }
    for (int64_t i = 0; i < c->s->m; i++) left |= d[i] != 0.0;
    return left;
}

static saddle_status conclude(course *c, saddle_status status)
{
    saddle__proximal *s = c->s;
    double tolerance = c->call->options->tolerance;
    if (status != SADDLE_OK && status != SADDLE_NOT_CONVERGED) return status;
    saddle_status unproven = s->error <= tolerance ? SADDLE_OK : SADDLE_NOT_CONVERGED;
    if (unproven == SADDLE_OK && s->growth <= suspicious_growth) return SADDLE_OK;
    find_driven_row(c);
    if (!clean_ray(c)) return unproven;
    saddle_solution answer = {.n = s->n, .m = s->m, .v = s->best, .lambda = s->best + s->n};
    return saddle__offer_against(c->call, c->problem, s->d, &answer, unproven);
}

/* No impulses at all, where they would leave a residual that only looks small, or a larger one. */
static saddle_status start_over(course *c)
{
    const saddle__mlcp_system *system = c->system;
    saddle__mlcp_rows *rows = system->rows;
    for (int64_t i = 0; i < c->s->m; i++) c->x->lambda[i] = 0.0;
    for (int64_t k = 0; k < rows->count; k++)
        rows->lambda[k] = fmin(fmax(0.0, rows->lo[k]), rows->hi[k]);
    saddle__mlcp_rows_scatter(rows, c->x->lambda);
    return system->velocity(system->user, c->problem, c->x->lambda, c->x->v);
}

static void report_course(const course *c)
{
    saddle_report *report = c->call->report;
    const saddle__proximal *s = c->s;
    report->switches.regularized += s->raised;
    if (s->began_above)
        saddle__report_note(report, "more rows with bounds than velocities: block pivoting began "
                                    "with more regularization");
    if (s->raised > 0)
        saddle__report_note(report,
                            "block pivoting stalled %lld times, went on with more regularization",
                            (long long)s->raised);
    if (c->pivoting->singles > 0)
        saddle__report_note(report, "block pivoting stalled, %lld pivots one by one",
                            (long long)c->pivoting->singles);
}

saddle_status saddle__proximal_solve(saddle__proximal *s, const saddle__mlcp_system *system,
                                     saddle__pivoting *pivoting, const saddle_problem *problem,
                                     const saddle_solver_call *call, saddle_solution *x)
{
    course c = {
        .s = s, .system = system, .pivoting = pivoting, .problem = problem, .call = call, .x = x};
    saddle__mlcp_rows_gather(system->rows, x->lambda);
    begin_course(&c);
    saddle_status status = iterate(&c);
    report_course(&c);
    if (status < 0 || s->error == (double)INFINITY) return status;
    copy(x->v, s->best, s->n);
    copy(x->lambda, s->best + s->n, s->m);
    status = conclude(&c, status);
    int unbounded = status == SADDLE_INFEASIBLE && s->error <= call->options->tolerance;
    if (!unbounded && !(status > 0 && s->error > 1.0)) return status;
    saddle_status restored = start_over(&c);
    return restored < 0 ? restored : status;
}
