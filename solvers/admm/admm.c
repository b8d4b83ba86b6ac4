/* SPDX-License-Identifier: MIT */
/* admm: the alternating direction method of multipliers on one factorization, every row kind and
 * every contact law; equality rows belong to the factor.
 *
 * With D the Delassus estimates of rows and parts of contacts, P the projection of impulses on the
 * set of their law in the distance weighted by D, and u the state, one step is
 *
 *     y = P(u),    z = rho D (y - u),    phi = (sum_g mu_g |z_g|, 0, ..) of a cone, else 0
 *
 *     [ M + T   J_e'       J_c'       ] [  v       ]   [ f + T v_last                  ]
 *     [ J_e    -R_ee - T   -R_ec      ] [ -lambda_e] = [ b_e + T lambda_e,last         ]
 *     [ J_c    -R_ce       -R - rho D ] [ -lambda_c]   [ b_c + rho D y + z - phi       ]
 *
 *     u <- u + alpha (lambda_c - y)
 *
 * e: equality rows, c: rows with bounds and contacts.  At a fixed point lambda_c = y = P(u) and
 * w = z - phi: the laws (z in the dual cone, z'y = 0).  T, half the digits of the natural sizes,
 * is what the factor needs where M or R is singular (regularization.h), a proximal term that
 * vanishes at a fixed point.  For cones with phi held, and for all monotone problems without
 * friction, the iteration converges (Boyd, Parikh, Chu, Peleato and Eckstein, Foundations and
 * Trends in Machine Learning 3, 2011); with phi of the step before (De Saxce and Feng, 1998; Acary,
 * Cadoux, Lemarechal and Malick, ZAMM 91, 2011) nothing is promised.  u is accelerated by
 * Anderson's method as long as the error falls: on heaps the plain steps fall further.  Where the
 * error stays, rho rises once a while up to a limit, then starts again from a low value, with y and
 * z held.  Once the error is small (from zeros, after fifty steps at the earliest), steps of
 * Newton's method on the natural maps (newton.h) are taken now and then, and the alternating
 * directions go on from the last of them.  Where the error is not small
 * after a hundred steps, the answer with all contacts sticking is tried once as a start of Newton's
 * steps: of a high stack at rest rho D hides what its weight adds up to.  The iterate with the
 * least error is returned.
 *
 * The same code is of one process and of several that hold the problem in parts (context->parts;
 * problem/verdict.h): a process projects the rows that it owns; products, lengths and the measure
 * of an iterate are sums and maxima over all, so that all take the same steps.  Newton's steps are
 * of one process alone. */
#include <math.h>
#include <string.h>

#include "admm/newton.h"
#include "base/anderson.h"
#include "base/context_internal.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "builtin.h"
#include "factor/factorization.h"
#include "groups.h"
#include "problem/cone.h"
#include "problem/kkt.h"
#include "problem/verdict.h"
#include "regularization.h"

enum {
    STEPS_PER_BURST = 50, /* between bursts of Newton steps at least; without halving the error,
                             twice as many before the acceleration rests, six times before rho
                             changes */
    BURST = 20,           /* Newton steps at a time */
    MOST_STEPS = 10000    /* where options.max_iterations is 0 */
};

static const double relaxation = 1.6;     /* alpha */
static const double penalty_growth = 1.8; /* of rho */
static const double most_penalty = 0.6;   /* rho at most */
static const double lower_penalty = 0.03; /* of rho at first, after rho at most */
static const double newton_from = 5e-4;   /* error at which Newton steps are tried */

typedef struct admm_settings {
    double penalty; /* rho at first */
} admm_settings;

typedef struct admm {
    int64_t n, m, groups;
    const saddle__sums *parts; /* NULL: the problem is whole; vectors are of what is seen */
    int64_t begin, end;        /* the own rows, of which are groups, y, z and u */
    saddle__kkt kkt;
    saddle__regularization regularization; /* added: T, and rho D */
    saddle__factorization *factors;
    saddle__anderson anderson;
    saddle__newton newton; /* empty before the first burst */
    saddle__group *group;  /* m at most */
    double *inverse_mass;  /* n */
    double *d;             /* m: D (saddle__groups_share) */
    double *u, *y, *z;     /* m */
    double *last;          /* m: u before a step */
    double *r;             /* n + m: right-hand side, then the change of x */
    double *x;             /* n + m: v and lambda */
    double *best;          /* n + m: v and lambda with the least error */
    double rho;            /* of the factor; 0 = no factor */
    saddle__layout layout;
} admm;

/* A solve. */
typedef struct iteration {
    saddle_solver_call *call;
    admm *s;
    const saddle_problem *problem;
    saddle_solution *solution;
    int64_t steps, limit, next_check;
    int64_t next_burst;           /* not before; 0 = from a start, and none yet */
    int64_t milestone_step;       /* at the last halving of the error, or rise of rho */
    int sticking;                 /* 1: the answer with all contacts sticking was tried */
    double milestone, round_best; /* errors since rho was low */
    double start;                 /* saddle_clock() */
    double moved;                 /* what the step left open, in natural units */
    double per_move;              /* error over moved, at the last check */
    double error, best;
    double local, settled; /* errors of rows over their own terms: now, at the last check */
} iteration;

static void clear(void *memory, saddle_context *context)
{
    admm *s = memory;
    saddle__kkt_clear(&s->kkt);
    saddle__regularization_clear(&s->regularization);
    saddle__newton_clear(context, &s->newton);
    saddle__factorization_free(s->factors);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

static void place(admm *s)
{
    double **const rows[] = {&s->d, &s->u, &s->y, &s->z, &s->last};
    double **const all[] = {&s->r, &s->x, &s->best};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(&s->layout, s->m, sizeof **rows);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = saddle__layout_take(&s->layout, s->n + s->m, sizeof **all);
    s->inverse_mass = saddle__layout_take(&s->layout, s->n, sizeof *s->inverse_mass);
    s->group = saddle__layout_take(&s->layout, s->m, sizeof *s->group);
    saddle__anderson_place(&s->anderson, &s->layout, s->end - s->begin);
}

static saddle_status allocate(saddle_solver_call *call, admm *s, const saddle_problem *problem)
{
    const saddle__sums *parts = call->context ? call->context->parts : NULL;
    s->n = problem->n;
    s->m = problem->m;
    s->parts = parts;
    s->begin = saddle__own_begin(parts, SADDLE__ROWS);
    s->end = saddle__own_end(parts, SADDLE__ROWS, s->m);
    place(s);
    SADDLE__TRY(saddle__layout_allocate(call->context, &s->layout));
    place(s);
    if (!parts) return SADDLE_OK;
    s->anderson.total = parts->total;
    s->anderson.user = parts->user;
    return SADDLE_OK;
}

static int is_general(const saddle_matrix *A)
{
    return saddle_matrix_entries(A) > 0 && A->symmetry != SADDLE_SYMMETRY_LOWER;
}

/* Groups, K and its factorization: what may fail in one process alone. */
static saddle_status create(saddle_solver_call *call, admm *s, const saddle_problem *problem,
                            int general)
{
    SADDLE__TRY(allocate(call, s, problem));
    s->groups = saddle__groups_find_in(problem, s->begin, s->end, s->group);
    SADDLE__TRY(saddle__kkt_create(call->context, problem, general, &s->kkt));
    SADDLE__TRY(saddle__regularization_create(call->context, problem, &s->regularization));
    s->regularization.parts = s->parts;
    const char *method = saddle__factorization_name(call->context, SADDLE_FACTORIZATION_DEFAULT,
                                                    general);
    return saddle__factorization_create(call->context, method, call->options->ordering,
                                        &s->factors);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    admm *s = memory;
    const saddle__sums *parts = call->context ? call->context->parts : NULL;
    int general = saddle__in_any(parts, is_general(&problem->M) || is_general(&problem->R));
    SADDLE__TRY(saddle__agree_on(parts, create(call, s, problem, general)));
    saddle__factorization_set_threads(s->factors, call->options->threads);
    saddle__regularization_measure(&s->regularization, problem, 0.0, 0);
    for (int64_t k = 0; k < s->groups; k++) /* rho D makes a pivot of its own */
        for (int64_t i = 0; i < s->group[k].size && !s->group[k].is_equality; i++)
            s->regularization.weak[s->n + s->group[k].row + i] = SADDLE__ANY_TIME;
    if (general) return saddle__factorization_analyse(s->factors, &s->kkt.K);
    return saddle__factorization_analyse_late(s->factors, &s->kkt.K, s->regularization.weak, NULL);
}

/* everywhere: 1 = T on the whole diagonal. */
static saddle_status factor_once(admm *s, const saddle_problem *problem, int everywhere)
{
    saddle__regularization *T = &s->regularization;
    saddle__regularization_measure(T, problem, SADDLE__HALF_DIGITS, everywhere);
    for (int64_t k = 0; k < s->groups; k++)
        for (int64_t i = s->group[k].row; i < s->group[k].row + s->group[k].size; i++)
            if (!s->group[k].is_equality) T->added[s->n + i] = -s->rho * s->d[i];
    saddle__kkt_refresh(&s->kkt, problem, T->added);
    saddle__pivot_rule rule = {.sign = T->sign,
                               .scale = T->scale,
                               .smallest = SADDLE__VANISHED_PIVOT,
                               .replacement = SADDLE__PIVOT_REPLACEMENT};
    return saddle__factorization_factor_by(s->factors, &s->kkt.K, &rule);
}

static saddle_status factor_with(saddle_solver_call *call, admm *s, const saddle_problem *problem,
                                 double rho)
{
    s->rho = rho;
    saddle_status status = factor_once(s, problem, 0);
    int vanished = status == SADDLE_SINGULAR ||
                   saddle__factorization_counts(s->factors).perturbed_pivots > 0;
    if (vanished && status != SADDLE_OUT_OF_MEMORY) status = factor_once(s, problem, 1);
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    call->report->factorizations += status == SADDLE_OK;
    call->report->perturbed_pivots = counts.perturbed_pivots;
    call->report->factor_entries = counts.entries;
    call->report->flops = counts.flops;
    if (call->report->peak_bytes < counts.peak_bytes) call->report->peak_bytes = counts.peak_bytes;
    if (status != SADDLE_OK) s->rho = 0.0;
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    admm *s = memory;
    const admm_settings *settings = call->settings;
    s->groups = saddle__groups_find_in(problem, s->begin, s->end, s->group);
    saddle__natural_units(problem, s->parts, s->inverse_mass, s->d);
    saddle__groups_share(s->group, s->groups, s->d);
    saddle__copy(s->anderson.weight, s->d + s->begin, s->end - s->begin);
    return factor_with(call, s, problem, settings->penalty);
}

/* ---- a step ---- */

/* y, z; the right-hand side of c rows without b. */
static void project(admm *s, const saddle_problem *problem)
{
    for (int64_t k = 0; k < s->groups; k++) {
        const saddle__group *g = &s->group[k];
        double *y = s->y + g->row, *z = s->z + g->row, *r = s->r + s->n + g->row;
        const double *u = s->u + g->row;
        const double *d = s->d + g->row;
        if (g->is_equality) continue;
        for (int64_t i = 0; i < g->size; i++) y[i] = u[i];
        saddle__group_project(problem, g, d, y);
        for (int64_t i = 0; i < g->size; i++) {
            double rho = s->rho * d[i];
            z[i] = rho * (y[i] - u[i]);
            r[i] = rho * y[i] + z[i];
        }
        if (g->is_contact && problem->law == SADDLE_LAW_CONE)
            r[0] -= saddle__cone_shift(&g->cone, z);
    }
}

static void note_moved(iteration *it, double size)
{
    if (!(size <= it->moved)) it->moved = size;
}

/* r <- the residual of the step's equations at x, where T cancels.  Steps correct x, so rounding of
 * the factor does not accumulate. */
static void form_residual(admm *s, const saddle_problem *p)
{
    const double *v = s->x, *lambda = s->x + s->n;
    double *defect = s->r, *gap = s->r + s->n;
    project(s, p);
    for (int64_t j = 0; j < s->n; j++) defect[j] = p->f ? p->f[j] : 0.0;
    for (int64_t k = 0; k < s->groups; k++)
        for (int64_t i = s->group[k].row; i < s->group[k].row + s->group[k].size; i++)
            gap[i] = s->group[k].is_equality ? 0.0 : gap[i] - s->rho * s->d[i] * lambda[i];
    for (int64_t i = s->begin; p->b && i < s->end; i++) gap[i] += p->b[i];
    saddle__drop_others(s->parts, SADDLE__VELOCITIES, s->n, defect);
    saddle__drop_others(s->parts, SADDLE__ROWS, s->m, gap);
    saddle_matrix_apply(&p->M, -1.0, v, 1.0, defect);
    saddle_matrix_apply(&p->Jt, 1.0, lambda, 1.0, defect);
    saddle_matrix_apply(&p->R, -1.0, lambda, 1.0, gap);
    saddle_matrix_apply_transpose(&p->Jt, -1.0, v, 1.0, gap);
    saddle__add_parts(s->parts, SADDLE__VELOCITIES, defect);
    saddle__add_parts(s->parts, SADDLE__ROWS, gap);
}

/* x and u of the next step. */
static saddle_status step(iteration *it)
{
    admm *s = it->s;
    const double *T = s->regularization.added;
    double *dv = s->r, *less = s->r + s->n, *lambda = s->x + s->n;
    form_residual(s, it->problem);
    saddle_status status = saddle__factorization_solve(s->factors, s->r);
    if (status != SADDLE_OK) return status;
    it->moved = 0.0;
    it->steps++;
    for (int64_t j = 0; j < s->n; j++) {
        s->x[j] += dv[j];
        if (T[j] != 0.0) note_moved(it, fabs(T[j] * dv[j]) * sqrt(s->inverse_mass[j]));
    }
    for (int64_t i = 0; i < s->m; i++) lambda[i] -= less[i];
    for (int64_t k = 0; k < s->groups; k++)
        for (int64_t i = s->group[k].row; i < s->group[k].row + s->group[k].size; i++)
            if (s->group[k].is_equality) {
                note_moved(it, fabs(T[s->n + i] * less[i]) / sqrt(s->d[i]));
            } else {
                note_moved(it, fabs(lambda[i] - s->y[i]) * sqrt(s->d[i]));
                s->u[i] += relaxation * (lambda[i] - s->y[i]);
            }
    if (isnan(it->moved)) it->moved = (double)INFINITY;
    saddle__take_largest(s->parts, 1, &it->moved);
    return isfinite(it->moved) ? SADDLE_OK : SADDLE_DIVERGED;
}

/* The next point, from u before and after the step: u itself where the error stays. */
static void accelerate(const iteration *it)
{
    admm *s = it->s;
    if (it->steps - it->milestone_step >= 2 * STEPS_PER_BURST) {
        saddle__anderson_restart(&s->anderson);
        return;
    }
    (void)saddle__anderson_step(&s->anderson, s->last + s->begin, s->u + s->begin);
    saddle__copy(s->u, s->last, s->m);
}

/* u with z = w + phi, of x. */
static void take_state(iteration *it)
{
    admm *s = it->s;
    const saddle_problem *p = it->problem;
    const double *lambda = s->x + s->n;
    double *w = s->z;
    saddle__row_slack(p, s->parts, s->x, lambda, w);
    for (int64_t k = 0; k < s->groups; k++) {
        const saddle__group *g = &s->group[k];
        double *z = w + g->row;
        if (g->is_contact && p->law == SADDLE_LAW_CONE) z[0] += saddle__cone_shift(&g->cone, z);
        for (int64_t i = g->row; i < g->row + g->size; i++)
            s->u[i] = g->is_equality ? 0.0 : lambda[i] - w[i] / (s->rho * s->d[i]);
    }
}

/* ---- a solve ---- */

/* Groups with the bounds at hand; 1: rows that are equalities are not those of the factor. */
static int take_groups(admm *s, const saddle_problem *problem)
{
    int64_t before = s->groups, changed = 0;
    for (int64_t k = 0; k < before; k++)
        s->y[s->group[k].row] = s->group[k].is_equality; /* y is room here */
    s->groups = saddle__groups_find_in(problem, s->begin, s->end, s->group);
    for (int64_t k = 0; k < s->groups; k++)
        changed |= (s->y[s->group[k].row] != 0.0) != s->group[k].is_equality;
    return saddle__in_any(s->parts, changed != 0);
}

static double tolerance_of(const iteration *it)
{
    return it->call->options->tolerance;
}

static int is_solved(const iteration *it)
{
    return it->error <= tolerance_of(it);
}

/* Solved, and rows that are small beside others gain no more: a step does not halve their errors.
 */
static int is_enough(const iteration *it)
{
    return is_solved(it) && (it->local <= tolerance_of(it) || !(it->local <= 0.5 * it->settled));
}

/* Measures v and, of rows other than equalities, lambda: the impulses of x, or y. */
static void check(iteration *it, const double *lambda)
{
    admm *s = it->s;
    double *measured = it->solution->lambda;
    saddle__copy(it->solution->v, s->x, s->n);
    saddle__copy(measured, s->x + s->n, s->m);
    for (int64_t k = 0; lambda == s->y && k < s->groups; k++)
        if (!s->group[k].is_equality)
            saddle__copy(measured + s->group[k].row, lambda + s->group[k].row, s->group[k].size);
    if (lambda == s->y && s->parts) { /* others see the own y */
        saddle__drop_others(s->parts, SADDLE__ROWS, s->m, measured);
        saddle__add_parts(s->parts, SADDLE__ROWS, measured);
    }
    const saddle_residual *residual = saddle_solver_measure(it->call, it->problem, it->solution->v,
                                                            it->solution->lambda);
    it->error = saddle__error_of(residual, it->call->options->tolerance);
    it->settled = it->local;
    it->local = residual->local;
    it->per_move = it->moved > 0.0 ? it->error / it->moved : 0.0;
    it->next_check = it->steps + 1 +
                     (it->steps < STEPS_PER_BURST ? it->steps : STEPS_PER_BURST) / 8;
    int better = it->error < it->best;
    if (is_solved(it)) better = it->local < it->settled || !(it->best <= tolerance_of(it));
    if (!better) return;
    it->best = it->error;
    saddle__copy(s->best, it->solution->v, s->n);
    saddle__copy(s->best + s->n, it->solution->lambda, s->m);
}

static saddle_status interrupted(const iteration *it)
{
    saddle_status status = SADDLE_OK;
    double now = saddle_clock();
    double estimate = it->per_move > 0.0 ? it->per_move * it->moved : it->error;
    if (saddle_context_progress(it->call->context, "solve", it->steps, it->limit, estimate,
                                now - it->start))
        status = SADDLE_STOPPED;
    else if (now >= it->call->deadline)
        status = SADDLE_TIME_LIMIT;
    else if (it->steps >= it->limit)
        status = SADDLE_ITERATION_LIMIT;
    return saddle__agree_on(it->s->parts, status);
}

/* rho rises where the error stays, up to a limit; then the errors of a new round count from a low
 * rho on, whose long steps leave what holds the directions at a larger one.  y and z do not change.
 */
static saddle_status change_penalty(iteration *it)
{
    admm *s = it->s;
    const admm_settings *settings = it->call->settings;
    it->round_best = fmin(it->round_best, it->error);
    if (it->round_best <= 0.5 * it->milestone) {
        it->milestone = it->round_best;
        it->milestone_step = it->steps;
    }
    if (it->steps - it->milestone_step < 6 * STEPS_PER_BURST) return SADDLE_OK;
    double rho = fmin(penalty_growth * s->rho, most_penalty);
    if (s->rho >= most_penalty) {
        rho = lower_penalty * fmin(settings->penalty, most_penalty);
        it->milestone = it->round_best = INFINITY;
    }
    project(s, it->problem);
    for (int64_t i = s->begin; i < s->end; i++) s->u[i] = s->y[i] - s->z[i] / (rho * s->d[i]);
    it->milestone_step = it->steps;
    saddle__anderson_restart(&s->anderson);
    return factor_with(it->call, s, it->problem, rho);
}

/* Newton steps from x.  Directions go on from the last of them, for better or worse; the best
 * iterate is kept apart. */
static saddle_status burst(iteration *it)
{
    admm *s = it->s;
    const saddle_solver_call *call = it->call;
    saddle_status status = SADDLE_OK;
    if (!s->newton.lu)
        status = saddle__newton_analyse(call->context, call->options, it->problem, s->group,
                                        s->groups, &s->newton);
    if (status != SADDLE_OK) saddle__newton_clear(call->context, &s->newton);
    s->newton.delta = 0.0;
    s->newton.smooth = 0;
    for (int k = 0; k < BURST && status == SADDLE_OK && !is_enough(it); k++) {
        status = interrupted(it);
        if (status != SADDLE_OK) break;
        status = saddle__newton_step(it->problem, s->group, s->groups, s->d, &s->newton, s->x);
        if (status != SADDLE_OK) break;
        call->report->factorizations++;
        it->steps++;
        it->moved = 0.0;
        check(it, s->x + s->n);
    }
    take_state(it);
    saddle__anderson_restart(&s->anderson);
    it->next_burst = it->steps + STEPS_PER_BURST;
    return status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

/* From the equations with every row held, rho D next to nothing: the impulses of sticking contacts,
 * the least where they are redundant, which come into their cones by further steps.  Newton steps
 * from there where the error is small; else the directions go on from u, as if nothing had been
 * tried. */
static saddle_status stick(iteration *it)
{
    admm *s = it->s;
    double rho = s->rho, before;
    it->sticking = 1;
    saddle__copy(s->last, s->u, s->m);
    saddle_status status = factor_with(it->call, s, it->problem, SADDLE__HALF_DIGITS);
    if (status != SADDLE_OK) return factor_with(it->call, s, it->problem, rho);
    saddle__zero(s->u, s->m);
    it->error = INFINITY;
    saddle_status stop = interrupted(it);
    while (status == SADDLE_OK && stop == SADDLE_OK) {
        before = it->error;
        status = step(it);
        if (status == SADDLE_OK) check(it, s->x + s->n);
        if (!(it->error < 0.9 * before) || is_solved(it)) break;
        stop = interrupted(it);
    }
    int small = status == SADDLE_OK && it->error <= newton_from;
    status = factor_with(it->call, s, it->problem, rho);
    if (status == SADDLE_OK && stop != SADDLE_OK) return stop;
    if (status == SADDLE_OK && small && !is_solved(it)) return burst(it);
    if (small) {
        take_state(it);
        saddle__anderson_restart(&s->anderson);
    } else {
        saddle__copy(s->u, s->last, s->m);
    }
    return status;
}

static int newton_applies(const iteration *it)
{
    return !it->s->parts && saddle__newton_applies(it->problem);
}

/* Small enough for Newton steps; for the first ones from a start twenty times as much. */
static int is_small(const iteration *it)
{
    return it->error <= (it->next_burst == 0 ? 20.0 * newton_from : newton_from);
}

static int has_velocities(const admm *s)
{
    return (s->parts ? s->parts->n : s->n) > 0;
}

static int is_zero(const admm *s, const double *x, int64_t count)
{
    return !saddle__in_any(s->parts, !saddle__is_zero(x, count));
}

/* What Newton's method has for the present iterate.  n = 0: another factor of a full R takes longer
 * than it is worth. */
static saddle_status take_turn(iteration *it)
{
    if (!newton_applies(it) || it->steps < it->next_burst) return SADDLE_OK;
    if (is_small(it)) return burst(it);
    if (it->sticking || it->s->n == 0 || it->steps < 2 * STEPS_PER_BURST) return SADDLE_OK;
    return stick(it);
}

/* A start with impulses: where needed, the velocities follow from a step with these impulses held.
 * Newton steps follow where the error is small; else the alternating directions begin with the
 * start. */
static saddle_status begin_warm(iteration *it)
{
    admm *s = it->s;
    saddle_status status = SADDLE_OK;
    int without = has_velocities(s) && is_zero(s, s->x, s->n);
    if (without && !is_enough(it)) {
        saddle__copy(s->u, s->x + s->n, s->m);
        saddle__copy(s->last, s->u, s->m);
        status = step(it);
        if (status == SADDLE_OK) check(it, s->x + s->n);
    }
    if (status != SADDLE_OK || is_enough(it)) return status;
    if (is_small(it) && newton_applies(it)) return burst(it);
    if (without) {
        saddle__zero(s->x, s->n);
        saddle__copy(s->x + s->n, s->last, s->m);
        take_state(it);
    }
    return SADDLE_OK;
}

static saddle_status iterate(iteration *it, int warm)
{
    admm *s = it->s;
    check(it, s->x + s->n);
    saddle_status status = warm ? begin_warm(it) : SADDLE_OK;
    while (status == SADDLE_OK && !is_enough(it)) {
        status = interrupted(it);
        if (status != SADDLE_OK) return status;
        saddle__copy(s->last, s->u, s->m);
        status = step(it);
        if (status != SADDLE_OK) return status;
        accelerate(it);
        if (it->steps < it->next_check && !(it->per_move * it->moved <= tolerance_of(it))) continue;
        /* y: as good, and within the laws' sets */
        check(it, has_velocities(s) ? s->x + s->n : s->y);
        if (is_solved(it)) continue;
        status = take_turn(it);
        if (status == SADDLE_OK && !is_solved(it)) status = change_penalty(it);
    }
    return status;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    admm *s = memory;
    const admm_settings *settings = call->settings;
    iteration it = {.call = call,
                    .s = s,
                    .problem = problem,
                    .solution = solution,
                    .next_burst = STEPS_PER_BURST,
                    .best = INFINITY,
                    .milestone = INFINITY,
                    .round_best = INFINITY,
                    .local = INFINITY,
                    .start = saddle_clock()};
    it.limit = call->options->max_iterations > 0 ? call->options->max_iterations : MOST_STEPS;
    saddle_status status = SADDLE_OK;
    if (take_groups(s, problem) || s->rho != settings->penalty)
        status = factor_with(call, s, problem, settings->penalty);
    if (!saddle__goes_on(status)) return status;
    saddle__anderson_restart(&s->anderson);
    int warm = !is_zero(s, solution->lambda, s->m); /* else v is no start either */
    if (!warm) saddle__zero(solution->v, s->n);
    saddle__copy(s->x, solution->v, s->n);
    saddle__copy(s->x + s->n, solution->lambda, s->m);
    take_state(&it);
    if (warm) it.next_burst = 0;
    status = iterate(&it, warm);
    call->report->iterations = it.steps;
    if (status < 0) return status;
    if (isfinite(it.best)) {
        saddle__copy(solution->v, s->best, s->n);
        saddle__copy(solution->lambda, s->best + s->n, s->m);
    }
    return status;
}

static const saddle_setting settings[] = {
    {.name = "penalty",
     .kind = SADDLE_SETTING_REAL,
     .offset = offsetof(admm_settings, penalty),
     .initial = 0.1,
     .least = 1e-6,
     .most = 1e6,
     .summary = "rho at first, over the Delassus diagonal"},
    {.name = NULL},
};

const saddle_solver_type saddle__solver_admm = {
    .name = "admm",
    .summary =
        "alternating directions on one factorization of K, then Newton; every row, every law",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(admm),
    .settings = settings,
    .settings_size = sizeof(admm_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
