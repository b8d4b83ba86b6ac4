/* SPDX-License-Identifier: MIT */
/* staggered: staggered projections, normal impulses and friction in turn (Kaufman, Sueda, James and
 * Pai, ACM Trans. Graph. 27(5), 2008; Sueda, Rigid Body Dynamics Notes, (2.109) and (2.110)).
 *
 * Rows: N normals, T tangents of contacts, B all others.  M v - J'lambda = f throughout.
 *
 *     normal problem     lambda_T held:  0 <= lambda_N _|_ w_N >= 0,          B by their laws
 *     friction problem   lambda_N held:  lambda_T in mu lambda_N F, w_T against lambda_T,
 *                                                                             B by their laws
 *
 * F: the interval [-1, 1] for each tangent of a box and of a plane contact, the unit disc of a
 * cone, the polygon of a pyramid.  With M and R symmetric and semidefinite both are the conditions
 * of convex quadratic programs.  The rows B are in both, so that joints, limits and motors resist
 * friction within a projection, and need no rounds.
 *
 * A round solves the normal problem, then the friction problem, each from the impulses of the
 * problem before; lambda_T is accelerated by Anderson's method.  Held impulses are bounds lo = hi:
 * normal problems, and friction problems with intervals, are problems of rows with bounds, solved
 * by pivot with a single factorization.  Discs and polygons are solved by admm, with the normal
 * rows taken out of J and R and replaced by
 *
 *     w_N = d (lambda_N - held),   d the Delassus diagonal
 *
 * so that the contact's law has the solution lambda_N = held.
 *
 * Redundant contacts leave lambda_N undetermined, and the friction problem depends on lambda_N:
 * pivot's regularization epsilon selects the solution nearest to the last, up to rounding /
 * epsilon, and is therefore large here.
 *
 * Guaranteed: at a fixed point both problems have the same v and the coupled problem is solved;
 * PATIENCE rounds without halving the error are the last; the iterate of least error is returned.
 * Not guaranteed: that the rounds converge; they may cycle, or drift.  A velocity without mass held
 * by contacts alone leaves one of the problems unbounded. */
#include <math.h>
#include <string.h>

#include "base/anderson.h"
#include "base/context_internal.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "builtin.h"
#include "groups.h"
#include "member.h"
#include "problem/cone.h"
#include "problem/verdict.h"
#include "refine.h"

enum { PATIENCE = 100 }; /* rounds without halving the error, at most */

/* ---- a solver of projections, with its state ---- */

typedef struct projection {
    saddle__member solver;
    saddle_options options; /* of the last call */
    saddle_report report;
    double regularization; /* options.regularization at least */
} projection;

typedef struct staggered {
    int64_t n, m;
    projection rows;  /* pivot: problems without contacts */
    projection discs; /* admm; none: friction within intervals */
    saddle__group *group;
    signed char *is_normal; /* m */
    double *inverse_mass;   /* n */
    double *d;              /* m: Delassus diagonal, of a contact's rows the largest */
    double *lo, *hi;        /* m: of the projection */
    double *held;           /* m: lambda_N, 0 elsewhere */
    double *f, *b;          /* n, m: of the discs */
    double *best;           /* n + m: v and lambda of the least error */
    double *x;              /* m: lambda at the start of a round */
    saddle_matrix Jt, R;    /* of the discs */
    saddle__anderson anderson;
    saddle__layout layout;
} staggered;

static saddle_solver_call call_of(const saddle_solver_call *call, projection *s)
{
    saddle_solver_call own = saddle__member_call(call, &s->solver);
    s->options = *call->options;
    s->options.regularization = fmax(s->options.regularization, s->regularization);
    s->options.max_iterations = 0;
    s->report.note[0] = '\0'; /* read by nobody */
    own.options = &s->options;
    own.report = &s->report;
    return own;
}

static saddle_status analyse_by(const saddle_solver_call *call, projection *s,
                                const saddle_solver_type *type, const saddle_problem *problem)
{
    saddle_solver_call own = call_of(call, s);
    s->solver.type = type;
    return saddle__member_analyse(&own, &s->solver, problem);
}

/* ---- analyse and factor ---- */

static int has_discs(const saddle_problem *problem)
{
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->law != SADDLE_LAW_BOX && problem->contacts[c].size > 2) return 1;
    return 0;
}

static void place(staggered *s, const saddle_problem *problem)
{
    double **const rows[] = {&s->d, &s->lo, &s->hi, &s->held, &s->b, &s->x};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(&s->layout, s->m, sizeof **rows);
    s->group = saddle__layout_take(&s->layout, s->m, sizeof *s->group);
    s->is_normal = saddle__layout_take(&s->layout, s->m, sizeof *s->is_normal);
    s->inverse_mass = saddle__layout_take(&s->layout, s->n, sizeof *s->inverse_mass);
    s->f = saddle__layout_take(&s->layout, s->n, sizeof *s->f);
    s->best = saddle__layout_take(&s->layout, s->n + s->m, sizeof *s->best);
    saddle__anderson_place(&s->anderson, &s->layout, s->m);
    if (!has_discs(problem)) return;
    saddle_matrix *const matrices[] = {&s->Jt, &s->R};
    const saddle_symmetry symmetry[] = {SADDLE_SYMMETRY_NONE, problem->R.start
                                                                  ? problem->R.symmetry
                                                                  : SADDLE_SYMMETRY_LOWER};
    const int64_t entries[] = {saddle_matrix_entries(&problem->Jt),
                               saddle_matrix_entries(&problem->R) + s->m};
    for (int k = 0; k < 2; k++) {
        int64_t *start = saddle__layout_take(&s->layout, s->m + 1, sizeof *start);
        int64_t *index = saddle__layout_take(&s->layout, entries[k], sizeof *index);
        double *value = saddle__layout_take(&s->layout, entries[k], sizeof *value);
        *matrices[k] = saddle_matrix_view(k == 0 ? s->n : s->m, s->m, start, index, value,
                                          symmetry[k]);
    }
}

/* to <- A without the normal rows: d = NULL: A = Jt, whose columns they are; else A = R, and their
 * diagonal is d. */
static void copy_without_normals(const staggered *s, const saddle_matrix *A, const double *d,
                                 saddle_matrix *to)
{
    int64_t count = 0;
    for (int64_t j = 0; j < s->m; j++) {
        to->start[j] = count;
        if (s->is_normal[j] && d) {
            to->index[count] = j;
            to->value[count++] = d[j];
        }
        for (int64_t k = A->start ? A->start[j] : 0; A->start && k < A->start[j + 1]; k++) {
            if (s->is_normal[j] || (d && s->is_normal[A->index[k]])) continue;
            to->index[count] = A->index[k];
            to->value[count++] = A->value[k];
        }
    }
    to->start[s->m] = count;
}

/* Units, and the matrices of the discs. */
static void measure(staggered *s, const saddle_problem *problem)
{
    int64_t groups = saddle__groups_find(problem, s->group);
    saddle__natural_units(problem, NULL, s->inverse_mass, s->d);
    saddle__groups_share(s->group, groups, s->d);
    for (int64_t k = 0; k < groups; k++)
        for (int64_t i = 0; i < s->group[k].size; i++) {
            int64_t row = s->group[k].row + i;
            s->is_normal[row] = s->group[k].is_contact && i == 0;
            s->anderson.weight[row] = s->group[k].is_contact && i > 0 ? s->d[row] : 0.0;
        }
    if (!has_discs(problem)) return;
    copy_without_normals(s, &problem->Jt, NULL, &s->Jt);
    copy_without_normals(s, &problem->R, s->d, &s->R);
}

/* The normal problem, or the friction problem of intervals, with the other impulses of lambda
 * held. */
static saddle_problem rows_of(const staggered *s, const saddle_problem *problem,
                              const double *lambda, int friction)
{
    saddle_problem rows = *problem;
    rows.contact_count = 0;
    rows.lo = s->lo;
    rows.hi = s->hi;
    for (int64_t i = 0; i < s->m; i++) {
        s->lo[i] = saddle_problem_lo(problem, i);
        s->hi[i] = saddle_problem_hi(problem, i);
    }
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        int64_t row = contact->row;
        double normal = fmax(lambda[row], 0.0);
        s->lo[row] = friction ? normal : 0.0;
        s->hi[row] = friction ? normal : (double)INFINITY;
        saddle__cone cone = saddle__cone_of(contact);
        for (int g = 0; g < cone.parts; g++)
            for (int64_t i = row + cone.begin[g]; i < row + cone.begin[g + 1]; i++) {
                s->lo[i] = friction ? -cone.mu[g] * normal : lambda[i];
                s->hi[i] = friction ? cone.mu[g] * normal : lambda[i];
            }
    }
    return rows;
}

/* The friction problem of discs or polygons, with the normal impulses of lambda held. */
static saddle_problem discs_of(const staggered *s, const saddle_problem *problem,
                               const double *lambda)
{
    saddle_problem discs = *problem;
    for (int64_t i = 0; i < s->m; i++) s->held[i] = s->is_normal[i] ? fmax(lambda[i], 0.0) : 0.0;
    for (int64_t j = 0; j < s->n; j++) s->f[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < s->m; i++) s->b[i] = problem->b ? problem->b[i] : 0.0;
    saddle_matrix_apply(&problem->Jt, 1.0, s->held, 1.0, s->f);
    saddle_matrix_apply(&problem->R, -1.0, s->held, 1.0, s->b);
    for (int64_t i = 0; i < s->m; i++)
        if (s->is_normal[i]) s->b[i] = s->d[i] * s->held[i];
    if (s->n > 0) discs.Jt = s->Jt;
    discs.R = s->R;
    discs.f = s->f;
    discs.b = s->b;
    return discs;
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    staggered *s = memory;
    s->n = problem->n;
    s->m = problem->m;
    place(s, problem);
    saddle_status status = saddle__layout_allocate(call->context, &s->layout);
    if (status != SADDLE_OK) return status;
    place(s, problem);
    measure(s, problem);
    if (problem->contact_count > 0) s->rows.regularization = SADDLE__VISIBLE_PART;
    saddle_problem rows = rows_of(s, problem, s->x, 0);
    status = analyse_by(call, &s->rows, &saddle__solver_pivot, &rows);
    if (!saddle__goes_on(status) || !has_discs(problem)) return status;
    saddle_problem discs = discs_of(s, problem, s->x);
    return analyse_by(call, &s->discs, &saddle__solver_admm, &discs);
}

/* The work of a projection since the last call. */
static void report_work(saddle_report *report, const staggered *s, projection *by)
{
    saddle__report_move_counts(report, &by->report);
    report->peak_bytes = s->rows.report.peak_bytes + s->discs.report.peak_bytes;
    by->report.iterations = 0;
}

static saddle_status factor_by(const saddle_solver_call *call, const staggered *s, projection *by,
                               const saddle_problem *problem)
{
    saddle_solver_call own = call_of(call, by);
    by->solver.factored = 0;
    saddle_status status = saddle__member_factor(&own, &by->solver, problem);
    report_work(call->report, s, by);
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    staggered *s = memory;
    measure(s, problem);
    saddle__zero(s->x, s->m);
    saddle_problem rows = rows_of(s, problem, s->x, 0);
    saddle_status status = factor_by(call, s, &s->rows, &rows);
    if (!saddle__goes_on(status) || !s->discs.solver.state) return status;
    saddle_problem discs = discs_of(s, problem, s->x);
    saddle_status found = factor_by(call, s, &s->discs, &discs);
    return saddle__goes_on(found) ? status : found;
}

/* ---- a solve ---- */

typedef struct iteration {
    const saddle_solver_call *call;
    staggered *s;
    const saddle_problem *problem;
    saddle_solution *solution;
    double start;       /* saddle_clock() */
    double error, best; /* of the present answer, and the least */
    double halved;      /* the least error at the last halving */
    double change;      /* of lambda_T in the last round, over lambda of all contacts */
    int64_t rounds;
    int64_t since;    /* rounds since the last halving */
    int64_t unsolved; /* projections with an error that is not small */
} iteration;

static double tolerance_of(const iteration *it)
{
    return it->call->options->tolerance;
}

/* The answer of a projection, measured as an answer of the whole problem. */
static void judge(iteration *it)
{
    staggered *s = it->s;
    const saddle_solution *x = it->solution;
    it->error = saddle__error_of(saddle_solver_measure(it->call, it->problem, x->v, x->lambda),
                                 tolerance_of(it));
    if (!(it->error < it->best)) return;
    it->best = it->error;
    saddle__copy(s->best, x->v, s->n);
    saddle__copy(s->best + s->n, x->lambda, s->m);
    if (!(it->best <= 0.5 * it->halved)) return;
    it->halved = it->best;
    it->since = 0;
}

/* Of a projection: the error that is small beside the round's, and that admm is asked for. */
static double small_error(const iteration *it)
{
    return 0.01 * fmax(it->error, tolerance_of(it));
}

/* The answer of a projection that was not solved to its tolerance; a round with one counts for ten.
 */
static void count_unsolved(iteration *it, const saddle_problem *problem)
{
    const saddle_solution *x = it->solution;
    const saddle_residual *residual = saddle_solver_measure(it->call, problem, x->v, x->lambda);
    if (saddle__error_of(residual, tolerance_of(it)) <= small_error(it)) return;
    it->unsolved++;
    it->since += PATIENCE / 10;
}

/* tolerance: of the projection.  certificate: NULL where it would not be one of the whole problem.
 * The status is positive only where the solve ends. */
static saddle_status project(iteration *it, projection *s, const saddle_problem *problem,
                             double tolerance, saddle_certificate *certificate)
{
    saddle_solver_call own = call_of(it->call, s);
    s->options.tolerance = tolerance;
    own.certificate = certificate;
    saddle_status status = s->solver.type->solve(&own, s->solver.state, problem, it->solution);
    report_work(it->call->report, it->s, s);
    if (status < 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT) return status;
    if (status == SADDLE_INFEASIBLE && certificate) return status;
    if (status != SADDLE_OK) count_unsolved(it, problem);
    return SADDLE_OK;
}

static saddle_status project_normals(iteration *it)
{
    saddle_problem rows = rows_of(it->s, it->problem, it->solution->lambda, 0);
    return project(it, &it->s->rows, &rows, tolerance_of(it), it->call->certificate);
}

static saddle_status project_friction(iteration *it)
{
    staggered *s = it->s;
    double *lambda = it->solution->lambda;
    if (!s->discs.solver.state) {
        saddle_problem rows = rows_of(s, it->problem, lambda, 1);
        return project(it, &s->rows, &rows, tolerance_of(it), NULL);
    }
    saddle_problem discs = discs_of(s, it->problem, lambda);
    saddle_status status = project(it, &s->discs, &discs, small_error(it), NULL);
    for (int64_t i = 0; i < s->m; i++)
        if (s->is_normal[i]) lambda[i] = s->held[i];
    return status;
}

/* it->change; lambda <- the start of the next round */
static void accelerate(iteration *it)
{
    staggered *s = it->s;
    double *lambda = it->solution->lambda, moved = 0.0, size = 0.0;
    for (int64_t i = 0; i < s->m; i++) {
        double weight = s->is_normal[i] ? s->d[i] : s->anderson.weight[i];
        moved += s->anderson.weight[i] * (lambda[i] - s->x[i]) * (lambda[i] - s->x[i]);
        size += weight * lambda[i] * lambda[i];
    }
    it->change = moved > 0.0 ? sqrt(moved / (moved + size)) : 0.0;
    (void)saddle__anderson_step(&s->anderson, s->x, lambda);
    saddle__copy(lambda, s->x, s->m);
}

static saddle_status interrupted(const iteration *it)
{
    double now = saddle_clock();
    int64_t limit = it->call->options->max_iterations;
    if (saddle_context_progress(it->call->context, "solve", it->rounds, limit, it->error,
                                now - it->start))
        return SADDLE_STOPPED;
    if (now >= it->call->deadline) return SADDLE_TIME_LIMIT;
    if (limit > 0 && it->rounds >= limit) return SADDLE_ITERATION_LIMIT;
    return it->since >= PATIENCE ? SADDLE_NOT_CONVERGED : SADDLE_OK;
}

/* Whether the answer of a projection, of that status, is the last. */
static int is_last(const iteration *it, saddle_status status)
{
    return status != SADDLE_OK || it->error <= tolerance_of(it);
}

/* Of a solve with a projection of that status, an error or a proof: a projection that is singular
 * for the impulses held tells nothing of the whole problem. */
static saddle_status fate_of(const iteration *it, saddle_status status)
{
    int whole = it->problem->contact_count == 0 || status != SADDLE_SINGULAR;
    return whole ? status : SADDLE_NOT_CONVERGED;
}

static saddle_status iterate(iteration *it)
{
    for (;;) {
        it->rounds++;
        it->since++;
        saddle__copy(it->s->x, it->solution->lambda, it->s->m);
        saddle_status status = project_normals(it);
        if (status < 0 || status == SADDLE_INFEASIBLE) return fate_of(it, status);
        judge(it);
        if (is_last(it, status)) return status;
        if (it->problem->contact_count == 0 || !isfinite(it->error)) return SADDLE_NOT_CONVERGED;
        status = project_friction(it);
        if (status < 0) return fate_of(it, status);
        judge(it);
        if (is_last(it, status)) return status;
        if (!isfinite(it->error)) return SADDLE_NOT_CONVERGED;
        accelerate(it);
        status = interrupted(it);
        if (status != SADDLE_OK) return status;
    }
}

static void note_end(const iteration *it, saddle_status status)
{
    saddle_report *report = it->call->report;
    long long rounds = it->rounds, unsolved = it->unsolved;
    const char *plural = rounds == 1 ? "" : "s";
    if (it->problem->contact_count == 0) return;
    if (status == SADDLE_OK)
        saddle__report_note(report, "fixed point after %lld round%s, residual %.1e", rounds, plural,
                            it->best);
    else
        saddle__report_note(report,
                            "no fixed point after %lld round%s, residual %.1e: friction still "
                            "changes by %.1e, %lld projections fell short",
                            rounds, plural, it->best, it->change, unsolved);
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    staggered *s = memory;
    iteration it = {.call = call,
                    .s = s,
                    .problem = problem,
                    .solution = solution,
                    .start = saddle_clock(),
                    .error = 1.0,
                    .best = INFINITY,
                    .halved = INFINITY};
    saddle__anderson_restart(&s->anderson);
    saddle_status status = iterate(&it);
    call->report->iterations = it.rounds;
    if (status < 0 || status == SADDLE_INFEASIBLE) return status;
    if (isfinite(it.best)) {
        saddle__copy(solution->v, s->best, s->n);
        saddle__copy(solution->lambda, s->best + s->n, s->m);
    }
    note_end(&it, status);
    return status;
}

static void clear(void *memory, saddle_context *context)
{
    staggered *s = memory;
    saddle__member_release(&s->rows.solver, context);
    saddle__member_release(&s->discs.solver, context);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

const saddle_solver_type saddle__solver_staggered = {
    .name = "staggered",
    .summary = "normal impulses and friction in turn, each a convex program: block pivoting, and "
               "alternating directions for discs",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_BOX |
            SADDLE_CONTACTS_PYRAMID | SADDLE_CONTACTS_CONE,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(staggered),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
