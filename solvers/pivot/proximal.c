/* SPDX-License-Identifier: MIT */
/* See proximal.h. */
#include "pivot/proximal.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "certify.h"
#include "pivot/ray.h"
#include "problem/verdict.h"
#include "refine.h"

/* A defect that is this part of what the rows ask for is none of rounding, however large the
 * impulses; and impulses that are this many times larger than what the rows ask for may live on the
 * rounding of a W that is singular. */
static const double visible = 1e-5;
static const double grown = 1e4;

/* Of the residual, at most what no impulses leave. */
static const double none_leave = 1.0;

void saddle__proximal_clear(saddle__proximal *s)
{
    double *arrays[] = {s->centre, s->d, s->w, s->best, s->work};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__proximal_create(saddle_context *context, int64_t n, int64_t m,
                                      saddle__proximal *s)
{
    saddle__proximal fresh = {.context = context, .n = n, .m = m};
    *s = fresh;
    s->centre = saddle_allocate(context, m, sizeof(double));
    s->d = saddle_allocate(context, m, sizeof(double));
    s->w = saddle_allocate(context, m, sizeof(double));
    s->best = saddle_allocate(context, n + m, sizeof(double));
    s->work = saddle_allocate(context, 2 * (n > m ? n : m), sizeof(double));
    if (s->centre && s->d && s->w && s->best && s->work) return SADDLE_OK;
    saddle__proximal_clear(s);
    return SADDLE_OUT_OF_MEMORY;
}

double saddle__proximal_least(const saddle_options *options)
{
    return saddle__epsilon_least(options->regularization);
}

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof(*to));
}

/* ---- how good it is ---- */

typedef struct natural {
    double defect;  /* max_i |lambda_i - P_i(lambda_i - w_i / s_i)|  in units in which s = 1 */
    double impulse; /* the largest */
    double asked;   /* the largest |b_i| + sum_j |J_ij||v_j| */
} natural;

static natural in_natural_units(const saddle__proximal *s, const saddle__proximal_problem *rows,
                                const saddle_problem *problem, const saddle_solution *x)
{
    const saddle_matrix *Jt = &problem->Jt;
    int moves = saddle_matrix_entries(Jt) > 0;
    natural largest = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < s->m; i++) {
        double unit = sqrt(rows->size[i]);
        double moved = saddle__row_laws_project(rows->laws, x->lambda, i,
                                                x->lambda[i] - s->w[i] / rows->size[i]);
        double asked = problem->b ? fabs(problem->b[i]) : 0.0;
        for (int64_t k = moves ? Jt->start[i] : 0; moves && k < Jt->start[i + 1]; k++)
            asked += fabs(Jt->value[k] * x->v[Jt->index[k]]);
        largest.defect = saddle__larger(unit * fabs(x->lambda[i] - moved), largest.defect);
        largest.impulse = saddle__larger(unit * fabs(x->lambda[i]), largest.impulse);
        largest.asked = saddle__larger(asked / unit, largest.asked);
    }
    return largest;
}

typedef struct found {
    double error, residual;
    int overgrown; /* a defect may be small beside the impulses alone */
} found;

static found found_by(natural largest, double residual)
{
    double defect = largest.defect > 0.0 ? largest.defect / fmax(largest.impulse, largest.asked)
                                         : 0.0;
    found at = {.error = fmax(residual, defect), .residual = residual};
    at.overgrown = largest.defect > visible * largest.asked ||
                   largest.impulse > grown * largest.asked;
    return at;
}

/* v, w, and how good (v, lambda) is. */
static saddle_status look_at(saddle__proximal *s, const saddle__proximal_problem *rows,
                             const saddle_problem *problem, const saddle_solver_call *call,
                             saddle_solution *x, found *at)
{
    saddle_residual residual;
    saddle_status status = rows->velocity ? rows->velocity(rows->user, problem, x->lambda, x->v)
                                          : SADDLE_OK;
    if (status != SADDLE_OK) return status;
    saddle_residual_compute(problem, x->v, x->lambda, s->w, call->checker_work, &residual);
    *at = found_by(in_natural_units(s, rows, problem, x),
                   saddle__error_of(&residual, call->options->tolerance));
    return SADDLE_OK;
}

/* The same; the best is kept. */
static saddle_status judge(saddle__proximal *s, const saddle__proximal_problem *rows,
                           const saddle_problem *problem, const saddle_solver_call *call,
                           saddle_solution *x)
{
    found at;
    saddle_status status = look_at(s, rows, problem, call, x, &at);
    if (status != SADDLE_OK || !saddle__steps_judge(&s->steps, at.error, at.residual, at.overgrown))
        return status;
    copy(s->best, x->v, s->n);
    copy(s->best + s->n, x->lambda, s->m);
    s->glanced = 0;
    return SADDLE_OK;
}

/* Steps above the least epsilon are judged by their rows alone, until those are solved; 0: this one
 * is not. */
static int glance(saddle__proximal *s, const saddle__proximal_problem *rows,
                  const saddle_solver_call *call, const saddle_solution *x)
{
    const saddle__steps *steps = &s->steps;
    if (!rows->slack || steps->last > 0 || saddle__epsilon_is_least(&steps->epsilon)) return 0;
    const saddle_problem *alone = rows->slack(rows->user, x->lambda, s->w);
    found at = found_by(in_natural_units(s, rows, alone, x), 0.0);
    if (!(at.error > call->options->tolerance)) return 0;
    if (!saddle__steps_glance(&s->steps, at.error, at.overgrown)) return 1;
    copy(s->best + s->n, x->lambda, s->m);
    s->glanced = 1;
    return 1;
}

/* The best was glanced at alone. */
static saddle_status find_best_velocity(saddle__proximal *s, const saddle__proximal_problem *rows,
                                        const saddle_problem *problem,
                                        const saddle_solver_call *call, saddle_solution *x)
{
    found at;
    copy(x->lambda, s->best + s->n, s->m);
    saddle_status status = look_at(s, rows, problem, call, x, &at);
    if (status != SADDLE_OK) return status;
    s->steps.residual = at.residual;
    s->steps.overgrown = at.overgrown;
    copy(s->best, x->v, s->n);
    s->glanced = 0;
    return SADDLE_OK;
}

/* ---- the steps ---- */

static saddle__proximal_limits limits_of(saddle__proximal *s)
{
    saddle__proximal_limits limits = {.patience = saddle__epsilon_patience(&s->steps.epsilon),
                                      .tolerated = saddle__steps_tolerate(&s->steps),
                                      .sweeps = s->steps.sweeps};
    limits.search = !saddle__epsilon_is_least(&s->steps.epsilon);
    if (saddle__steps_one_by_one(&s->steps)) limits.patience = 0;
    return limits;
}

/* A step, epsilon being raised until it succeeds.  s->d: what it changes. */
static saddle_status take_step(saddle__proximal *s, const saddle__proximal_problem *rows,
                               const saddle_problem *problem, const saddle_solver_call *call,
                               saddle_solution *x)
{
    int stalled = 0;
    saddle_status status;
    saddle__row_laws_follow(rows->laws, x->lambda);
    copy(s->centre, x->lambda, s->m);
    for (;;) {
        saddle__proximal_limits limits = limits_of(s);
        status = rows->run(rows->user, problem, call, &limits, x->lambda, x->v);
        if (status != SADDLE_NOT_CONVERGED || saddle__steps_one_by_one(&s->steps)) break;
        if (!saddle__epsilon_is_least(&s->steps.epsilon)) {
            found at;
            saddle_status looked = look_at(s, rows, problem, call, x, &at);
            if (looked != SADDLE_OK) return looked;
            stalled = saddle__steps_keep(&s->steps, at.error, s->steps.now);
        }
        if (stalled) {
            status = SADDLE_OK;
            break;
        }
        copy(x->lambda, s->centre, s->m);
        status = rows->shift(rows->user, problem, saddle__steps_raise(&s->steps));
        if (status != SADDLE_OK) return status;
    }
    if (status < 0) return status;
    for (int64_t i = 0; i < s->m; i++) s->d[i] = x->lambda[i] - s->centre[i];
    saddle__steps_taken(&s->steps, stalled);
    return status;
}

static saddle_status iterate(saddle__proximal *s, const saddle__proximal_problem *rows,
                             const saddle_problem *problem, const saddle_solver_call *call,
                             saddle_solution *x)
{
    /* rows must depend on each other */
    int above = s->n > 0 && rows->searched > s->n && saddle__is_zero(x->lambda, s->m);
    s->glanced = 0;
    saddle__steps_begin(&s->steps, s->m, saddle__proximal_least(call->options), above,
                        rows->laws->lagged ? SADDLE__LAGGED : SADDLE__FAST, call->options);
    for (;;) {
        saddle_status status = rows->shift(rows->user, problem, saddle__steps_next(&s->steps));
        if (status == SADDLE_OK) status = take_step(s, rows, problem, call, x);
        if (status < 0) return status;
        int on_the_way = status == SADDLE_OK && glance(s, rows, call, x);
        if (on_the_way && !saddle__steps_enough(&s->steps)) continue;
        saddle_status judged = judge(s, rows, problem, call, x);
        if (judged == SADDLE_OK && status == SADDLE_OK && !saddle__steps_enough(&s->steps))
            continue;
        if (judged == SADDLE_OK && s->glanced)
            judged = find_best_velocity(s, rows, problem, call, x);
        return judged != SADDLE_OK ? judged : status;
    }
}

/* ---- what is said of it ---- */

static saddle_status conclude(saddle__proximal *s, const saddle__proximal_problem *rows,
                              const saddle_problem *problem, const saddle_solver_call *call,
                              saddle_status status)
{
    saddle_report *report = call->report;
    const saddle__steps *p = &s->steps;
    report->switches.regularized += p->epsilon.raised;
    if (p->epsilon.raised > 0)
        saddle__report_note(report,
                            "block pivoting stalled %lld times, went on with more regularization",
                            (long long)p->epsilon.raised);
    if (status != SADDLE_OK && status != SADDLE_NOT_CONVERGED) return status;
    if (p->residual <= call->options->tolerance && !p->overgrown) return SADDLE_OK;
    saddle_status unproven = p->residual <= call->options->tolerance ? SADDLE_OK
                                                                     : SADDLE_NOT_CONVERGED;
    saddle__row_ray ray = saddle__row_ray_find(problem, rows->laws, rows->size, rows->step, s->d,
                                               s->work);
    if (ray.rows == 0) return unproven;
    saddle_solution answer = {.n = s->n, .m = s->m, .v = s->best, .lambda = s->best + s->n};
    return saddle__offer_against(call, problem, s->d, &answer, unproven);
}

saddle_status saddle__proximal_solve(saddle__proximal *s, const saddle__proximal_problem *rows,
                                     const saddle_problem *problem, const saddle_solver_call *call,
                                     saddle_solution *solution)
{
    if (s->m > 0) memset(s->d, 0, (size_t)s->m * sizeof(*s->d));
    saddle_status status = iterate(s, rows, problem, call, solution);
    if (status < 0) return status;
    copy(solution->v, s->best, s->n);
    copy(solution->lambda, s->best + s->n, s->m);
    status = conclude(s, rows, problem, call, status);
    int without_end = status == SADDLE_INFEASIBLE && s->steps.residual <= call->options->tolerance;
    int worse_than_none = s->n == 0 && status > 0 && s->steps.residual > none_leave;
    if (without_end || worse_than_none) /* without end: they leave a residual that looks small */
        for (int64_t i = 0; i < s->m; i++)
            solution->lambda[i] = fmin(fmax(0.0, rows->laws->lo[i]), rows->laws->hi[i]);
    return status;
}
