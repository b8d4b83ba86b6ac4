/* SPDX-License-Identifier: MIT */
/* See proximal.h. */
#include "pivot/proximal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "certify.h"
#include "pivot/ray.h"
#include "problem/growth.h"
#include "refine.h"

enum { STALLS = 2, MOST_STEPS = 400, MOST_RAISES = 16, MOST_KEPT = 8, NAME_SIZE = 128 };

/* An error at which further steps could gain nothing. */
static const double rounding_level = 16.0 * DBL_EPSILON;

/* A defect that is this part of what the rows ask for is none of rounding, however large the impulses; and impulses that
 * are this many times larger than what the rows ask for may live on the rounding of a W that is singular. */
static const double visible = 1e-5;
static const double grown = 1e4;

/* Of the residual, at most what no impulses leave. */
static const double none_leave = 1.0;

/* What a step must leave of the error, where bounds lag behind. */
static const double lagged_gain = 0.95;

void saddle__proximal_clear(saddle__proximal *s)
{
    double *arrays[] = {s->centre, s->d, s->w, s->best, s->work};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++) saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__proximal_create(saddle_context *context, int64_t n, int64_t m, saddle__proximal *s)
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

/* ---- how good it is ---------------------------------------------------------------------------------------------- */

typedef struct progress {
    double now;      /* error of the present iterate                                   */
    double best;     /* the least met                                                  */
    double residual; /* the checker's of that                                          */
    int overgrown;   /* it may be small beside its impulses alone: is there a ray?     */
    double halved;   /* the best when it was last found to have halved                 */
    int64_t raises;  /* of epsilon since then                                          */
    int64_t kept;    /* steps that had stalled, since then                             */
    int64_t last;    /* steps at the least epsilon                                     */
    int stalls;      /* of them without much gain                                      */
} progress;

typedef struct natural {
    double defect;  /* max_i |lambda_i - P_i(lambda_i - w_i / s_i)|  in units in which s = 1 */
    double impulse; /* the largest                                                           */
    double asked;   /* the largest |b_i| + sum_j |J_ij||v_j|                                 */
} natural;

static natural in_natural_units(const saddle__proximal *s, const saddle__proximal_problem *rows,
                                const saddle_problem *problem, const saddle_solution *x)
{
    const saddle_matrix *Jt = &problem->Jt;
    int moves = saddle_matrix_entries(Jt) > 0;
    natural largest = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < s->m; i++) {
        double unit = sqrt(rows->size[i]);
        double moved =
            saddle__row_laws_project(rows->laws, x->lambda, i, x->lambda[i] - s->w[i] / rows->size[i]);
        double asked = problem->b ? fabs(problem->b[i]) : 0.0;
        for (int64_t k = moves ? Jt->start[i] : 0; moves && k < Jt->start[i + 1]; k++)
            asked += fabs(Jt->value[k] * x->v[Jt->index[k]]);
        largest.defect = fmax(largest.defect, unit * fabs(x->lambda[i] - moved));
        largest.impulse = fmax(largest.impulse, unit * fabs(x->lambda[i]));
        largest.asked = fmax(largest.asked, asked / unit);
    }
    return largest;
}

/* w, and how good (v, lambda) is; the best is kept. */
static void judge(saddle__proximal *s, const saddle__proximal_problem *rows, const saddle_problem *problem,
                  const saddle_solver_call *call, const saddle_solution *x, progress *p)
{
    saddle_residual residual;
    saddle_residual_compute(problem, x->v, x->lambda, s->w, call->checker_work, &residual);
    natural largest = in_natural_units(s, rows, problem, x);
    double defect = largest.defect > 0.0 ? largest.defect / fmax(largest.impulse, largest.asked) : 0.0;
    p->now = fmax(residual.total, defect);
    double gain = rows->laws->lagged ? lagged_gain : 0.25;
    p->stalls = p->now < gain * p->best ? 0 : p->stalls + 1;
    if (s->steps > 0 && !(p->now < p->best)) return;
    copy(s->best, x->v, s->n);
    copy(s->best + s->n, x->lambda, s->m);
    p->best = p->now;
    p->residual = residual.total;
    p->overgrown = largest.defect > visible * largest.asked || largest.impulse > grown * largest.asked;
    if (p->best > 0.5 * p->halved) return;
    p->halved = p->best;
    p->raises = p->kept = 0;
}

/* 1: this is as far as it goes */
static int is_enough(const saddle__proximal *s, const progress *p, const saddle_solver_call *call)
{
    int good = p->best <= 1e-3 * call->options->tolerance;
    if (p->best <= rounding_level || p->last > call->options->max_refinements || s->steps > MOST_STEPS) return 1;
    if (p->last > 0) return p->last > 1 && p->stalls >= (good ? 1 : STALLS);
    return s->steps > 0 && (good || (p->best <= call->options->tolerance && p->stalls > 0));
}

/* ---- the steps --------------------------------------------------------------------------------------------------- */

static saddle_status change_epsilon(saddle__proximal *s, const saddle__proximal_problem *rows,
                                    const saddle_problem *problem, double epsilon)
{
    s->epsilon.now = epsilon;
    return rows->shift(rows->user, problem, epsilon);
}

/* Pivoting stalled at x.  1: it is much better than the centre all the same, and stays; where that has not halved the best in
 * a while, only if it is much better than all before: steps that end may raise the error on their way to a solution, and
 * stalled ones could undo them, without end. */
static int is_progress(saddle__proximal *s, const saddle__proximal_problem *rows, const saddle_problem *problem,
                       const saddle_solver_call *call, const saddle_solution *x, progress *p)
{
    if (saddle__epsilon_is_least(&s->epsilon)) return 0;
    progress there = *p;
    judge(s, rows, problem, call, x, &there);
    double enough = 0.5 * (p->kept < MOST_KEPT ? p->now : fmin(p->now, p->best));
    p->kept += there.now < enough;
    return there.now < enough;
}

static saddle__proximal_limits limits_of(const saddle__proximal *s, int in_vain)
{
    saddle__proximal_limits limits = {.patience = saddle__epsilon_patience(&s->epsilon),
                                      .tolerated = saddle__epsilon_tolerated(&s->epsilon, s->m, s->in_vain)};
    limits.sweeps = s->sweeps;
    limits.search = !saddle__epsilon_is_least(&s->epsilon);
    if (saddle__epsilon_is_most(&s->epsilon) || in_vain) limits.patience = 0;
    return limits;
}

/* A step, epsilon being raised until it succeeds, and epsilon for the next.  s->d: what it changes. */
static saddle_status take_step(saddle__proximal *s, const saddle__proximal_problem *rows, const saddle_problem *problem,
                               const saddle_solver_call *call, saddle_solution *x, progress *p)
{
    int stalled = 0;
    saddle_status status;
    saddle__row_laws_follow(rows->laws, x->lambda);
    copy(s->centre, x->lambda, s->m);
    for (;;) {
        int in_vain = p->raises >= MOST_RAISES;
        saddle__proximal_limits limits = limits_of(s, in_vain);
        s->tolerated = limits.tolerated;
        status = rows->run(rows->user, problem, call, &limits, x->lambda, x->v);
        if (status != SADDLE_NOT_CONVERGED || saddle__epsilon_is_most(&s->epsilon) || in_vain) break;
        if (is_progress(s, rows, problem, call, x, p)) {
            stalled = 1;
            status = SADDLE_OK;
            break;
        }
        copy(x->lambda, s->centre, s->m);
        double higher = saddle__epsilon_raise(&s->epsilon);
        status = change_epsilon(s, rows, problem, ++p->raises < MOST_RAISES ? higher : s->epsilon.least);
        if (status != SADDLE_OK) return status;
    }
    if (status < 0) return status;
    s->sweeps = 0;
    for (int64_t i = 0; i < s->m; i++) s->d[i] = x->lambda[i] - s->centre[i];
    int last = saddle__epsilon_is_least(&s->epsilon);
    p->last += last;
    if (!last) p->stalls = 0;
    saddle__epsilon_lower(&s->epsilon, stalled);
    return status;
}

static int is_zero(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

static saddle_status iterate(saddle__proximal *s, const saddle__proximal_problem *rows, const saddle_problem *problem,
                             const saddle_solver_call *call, saddle_solution *x, progress *p)
{
    saddle__epsilon_begin(&s->epsilon);
    s->in_vain = 0;
    s->tolerated = 0;
    double before = (double)INFINITY;
    s->epsilon.least = s->epsilon.now = s->epsilon.next = saddle__proximal_least(call->options);
    int above = s->n > 0 && rows->searched > s->n && is_zero(x->lambda, s->m); /* rows must depend on each other */
    if (above) s->epsilon.next = saddle__epsilon_first(&s->epsilon);
    s->sweeps = above ? saddle__epsilon_sweeps() : 0;
    for (s->steps = 0;; s->steps++) {
        int settled = saddle__epsilon_stays(&s->epsilon, p->now, p->stalls);
        int for_nothing = s->tolerated > 0 && !(p->now < 0.5 * before);
        s->in_vain += for_nothing;
        before = p->now;
        saddle_status status =
            change_epsilon(s, rows, problem, settled || for_nothing ? s->epsilon.now : s->epsilon.next);
        if (status == SADDLE_OK) status = take_step(s, rows, problem, call, x, p);
        if (status < 0) return status;
        judge(s, rows, problem, call, x, p);
        if (status != SADDLE_OK || is_enough(s, p, call)) return status;
    }
}

/* ---- what is said of it ------------------------------------------------------------------------------------------ */

static saddle_status conclude(saddle__proximal *s, const saddle__proximal_problem *rows, const saddle_problem *problem,
                              const saddle_solver_call *call, const progress *p, saddle_status status)
{
    saddle_report *report = call->report;
    report->switches.regularized += s->epsilon.raised;
    if (s->epsilon.raised > 0)
        saddle__report_note(report, "block pivoting stalled %lld times, went on with more regularization",
                            (long long)s->epsilon.raised);
    if (status != SADDLE_OK && status != SADDLE_NOT_CONVERGED) return status;
    if (p->residual <= call->options->tolerance && !p->overgrown) return SADDLE_OK;
    saddle_status unproven = p->residual <= call->options->tolerance ? SADDLE_OK : SADDLE_NOT_CONVERGED;
    saddle__row_ray ray = saddle__row_ray_find(problem, rows->laws, rows->size, rows->step, s->d, s->work);
    if (ray.rows == 0) return unproven;
    saddle_proof proof = {.kind = SADDLE_PROOF_ROWS};
    saddle_solution answer = {.n = s->n, .m = s->m, .v = s->best, .lambda = s->best + s->n};
    int refuted = 1;
    status = saddle__offer(call, problem, s->d);
    if (status >= 0 && call->certificate) {
        saddle_status checked =
            saddle__certificate_refutes(call->context, problem, call->certificate, &answer, &proof, &refuted);
        if (checked < 0) return checked;
    }
    if (status < 0) return status;
    if (proof.kind == SADDLE_PROOF_NONE || (unproven == SADDLE_OK && !refuted)) return unproven;
    char name[NAME_SIZE];
    saddle_problem_describe_row(problem, ray.first, name, sizeof(name));
    saddle__report_note(report, "no solution: %lld %srow%s, the heaviest: %s", (long long)ray.rows,
                        ray.bounded ? "" : "equality ",
                        ray.rows > 1 ? "s contradict each other" : " contradicts its bounds", name);
    return status;
}

saddle_status saddle__proximal_solve(saddle__proximal *s, const saddle__proximal_problem *rows,
                                     const saddle_problem *problem, const saddle_solver_call *call,
                                     saddle_solution *solution)
{
    progress p = {.now = 1.0, .best = (double)INFINITY, .halved = (double)INFINITY};
    if (s->m > 0) memset(s->d, 0, (size_t)s->m * sizeof(*s->d));
    saddle_status status = iterate(s, rows, problem, call, solution, &p);
    if (status < 0) return status;
    copy(solution->v, s->best, s->n);
    copy(solution->lambda, s->best + s->n, s->m);
    status = conclude(s, rows, problem, call, &p, status);
    int without_end = status == SADDLE_INFEASIBLE && p.residual <= call->options->tolerance;
    int worse_than_none = s->n == 0 && status > 0 && p.residual > none_leave;
    if (without_end || worse_than_none) /* without end: they leave a residual that looks small */
        for (int64_t i = 0; i < s->m; i++) solution->lambda[i] = fmin(fmax(0.0, rows->laws->lo[i]), rows->laws->hi[i]);
    return status;
}
