/* SPDX-License-Identifier: MIT */
/* The dense second opinion: states of rows, assembly, solution by LAPACK, comparison. */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "dense/dense.h"
#include "problem/verdict.h"

enum { UNKNOWNS_AT_MOST = 3000 };

/* lambda_i = gain[i] y[column[i]] where column[i] >= 0, else fixed[i]. */
typedef struct states {
    const saddle_problem *problem;
    const saddle_solution *solution;
    saddle__layout layout; /* of all arrays */
    double *w;             /* m: by the checker */
    double *step;          /* m: decides between bound and equation as the checker does */
    double *inverse_mass;  /* n: work */
    int64_t *column;       /* m */
    int64_t *equation;     /* m: the row's number among rows with w = 0, or -1 */
    double *gain, *fixed;
    int64_t unknowns; /* y; as many equations */
    double *matrix;   /* (n + unknowns)^2 by columns */
    double *x;        /* n + unknowns: (v, y) */
    double *checker;  /* saddle_residual_work_size() */
    double *lambda;   /* m: of the reference */
    double *w_reference;
} states;

static void place(states *at)
{
    const int64_t n = at->problem->n, m = at->problem->m, N = n + m;
    saddle__layout *layout = &at->layout;
    at->w = saddle__layout_take(layout, m, sizeof *at->w);
    at->step = saddle__layout_take(layout, m, sizeof *at->step);
    at->inverse_mass = saddle__layout_take(layout, n, sizeof *at->inverse_mass);
    at->column = saddle__layout_take(layout, m, sizeof *at->column);
    at->equation = saddle__layout_take(layout, m, sizeof *at->equation);
    at->gain = saddle__layout_take(layout, m, sizeof *at->gain);
    at->fixed = saddle__layout_take(layout, m, sizeof *at->fixed);
    at->lambda = saddle__layout_take(layout, m, sizeof *at->lambda);
    at->w_reference = saddle__layout_take(layout, m, sizeof *at->w_reference);
    at->x = saddle__layout_take(layout, N, sizeof *at->x);
    at->matrix = saddle__layout_take(layout, N * N, sizeof *at->matrix);
    at->checker = saddle__layout_take(layout, saddle_residual_work_size(at->problem),
                                      sizeof *at->checker);
}

/* ---- the rows' states ---- */

/* step_i = 1 / d_i, the rows' Delassus diagonal; 1 where d_i = 0. */
static void find_steps(states *at)
{
    saddle__natural_units(at->problem, at->inverse_mass, at->step);
    for (int64_t i = 0; i < at->problem->m; i++)
        at->step[i] = at->step[i] > 0 ? 1 / at->step[i] : 1;
}

static void make_basic(states *at, int64_t i)
{
    at->equation[i] = at->column[i] = at->unknowns++;
    at->gain[i] = 1;
}

static void make_fixed(states *at, int64_t i, double value)
{
    at->equation[i] = at->column[i] = -1;
    at->fixed[i] = value;
}

static void set_bounded(states *at, int64_t i, double lo, double hi)
{
    const double moved = at->solution->lambda[i] - at->step[i] * at->w[i];
    if (moved <= lo)
        make_fixed(at, i, lo);
    else if (moved >= hi)
        make_fixed(at, i, hi);
    else
        make_basic(at, i);
}

/* Normal as a unilateral row; a tangent at the limit mu lambda_n follows the normal. */
static void set_contact(states *at, const saddle_contact *contact)
{
    const int64_t normal = contact->row;
    set_bounded(at, normal, 0, (double)INFINITY);
    const double limit = contact->mu * fmax(at->solution->lambda[normal], 0);
    for (int64_t i = normal + 1; i < normal + contact->size; i++) {
        const double moved = at->solution->lambda[i] - at->step[i] * at->w[i];
        if (at->column[normal] < 0) {
            make_fixed(at, i, 0);
        } else if (moved > -limit && moved < limit) {
            make_basic(at, i);
        } else {
            at->column[i] = at->column[normal];
            at->equation[i] = -1;
            at->gain[i] = moved <= -limit ? -contact->mu : contact->mu;
        }
    }
}

static void find_states(states *at)
{
    const saddle_problem *problem = at->problem;
    int64_t next = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        if (next < problem->contact_count && problem->contacts[next].row == i) {
            set_contact(at, &problem->contacts[next]);
            i += problem->contacts[next++].size - 1;
        } else {
            set_bounded(at, i, saddle_problem_lo(problem, i), saddle_problem_hi(problem, i));
        }
    }
}

/* ---- the system ---- */

/* From the whole system K (v; -lambda) = rhs: its rows with w = 0, lambda replaced by the states.
 */
static void assemble(states *at, const double *K, const double *rhs)
{
    const int64_t n = at->problem->n, m = at->problem->m, N = n + at->unknowns;
    for (int64_t line = 0; line < n + m; line++) {
        if (line >= n && at->equation[line - n] < 0) continue;
        const int64_t to = line < n ? line : n + at->equation[line - n];
        at->x[to] = rhs[line];
        for (int64_t j = 0; j < n; j++) at->matrix[to + j * N] = K[line + j * (n + m)];
        for (int64_t i = 0; i < m; i++) {
            const double value = -K[line + (n + i) * (n + m)];
            if (at->column[i] >= 0)
                at->matrix[to + (n + at->column[i]) * N] += value * at->gain[i];
            else
                at->x[to] -= value * at->fixed[i];
        }
    }
}

/* ---- the comparison ---- */

static double distance(const double *a, const double *b, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum = hypot(sum, a[i] - (b ? b[i] : 0));
    return sum;
}

/* *residual: of the dense solution, which is a reference if solved. */
static void measure(states *at, double tolerance, saddle_residual *residual,
                    tool_reference *reference)
{
    const saddle_problem *problem = at->problem;
    const int64_t n = problem->n;
    for (int64_t i = 0; i < problem->m; i++)
        at->lambda[i] = at->column[i] >= 0 ? at->gain[i] * at->x[n + at->column[i]] : at->fixed[i];
    saddle_residual_compute(problem, at->x, at->lambda, at->w_reference, at->checker, residual);
    const double size = distance(at->x, NULL, n);
    reference->made = saddle_residual_is_solved(residual, tolerance);
    reference->residual = residual->total;
    reference->velocity_distance = distance(at->solution->v, at->x, n) / (size > 0 ? size : 1);
    reference->slack_distance = distance(at->solution->w, at->w_reference, problem->m);
}

/* Describes the reference, or why the dense solution is none: redundant rows leave the impulses
 * open, and impulses of least norm may violate the bounds; or the states of the rows are wrong. */
static void describe(const states *at, int64_t rank, double tolerance,
                     const saddle_residual *residual, tool_reference *reference)
{
    const int64_t m = at->problem->m, N = at->problem->n + at->unknowns;
    const size_t size = sizeof reference->note;
    if (reference->made)
        snprintf(reference->note, size,
                 "dense, of least norm: %lld equations, rank %lld; %lld of %lld rows at a bound",
                 (long long)N, (long long)rank, (long long)(m - at->unknowns), (long long)m);
    else if (rank < N && residual->dynamics <= tolerance)
        snprintf(reference->note, size,
                 "none: residual %.2e of the dense solution, above %g: impulses of least norm "
                 "(rank %lld of %lld) leave "
                 "their bounds",
                 residual->total, tolerance, (long long)rank, (long long)N);
    else
        snprintf(reference->note, size,
                 "none: residual %.2e of the dense solution, above %g: the rows are in no "
                 "solution's states",
                 residual->total, tolerance);
}

static saddle_status compare(saddle_context *context, states *at, double tolerance,
                             tool_reference *reference)
{
    const saddle_problem *problem = at->problem;
    saddle_residual residual;
    int64_t rank = 0;
    place(at);
    saddle_status status = saddle__layout_allocate(context, &at->layout);
    if (status) return status;
    place(at);
    saddle_residual_compute(problem, at->solution->v, at->solution->lambda, at->w, at->checker,
                            &residual);
    find_steps(at);
    find_states(at);
    double *K = NULL, *rhs = NULL;
    status = saddle__dense_kkt(context, problem, &K, &rhs);
    if (status == SADDLE_OK) assemble(at, K, rhs);
    saddle_release(context, K);
    saddle_release(context, rhs);
    if (status) return status;
    const int64_t N = problem->n + at->unknowns;
    status = saddle__dense_least_norm(context, N, N, at->matrix, at->x, SADDLE__SINGULAR_PIVOT,
                                      &rank);
    if (status) return status;
    measure(at, tolerance, &residual, reference);
    describe(at, rank, tolerance, &residual, reference);
    return SADDLE_OK;
}

/* In the plane all laws but the associated one are |lt| <= mu ln for each tangent; in space only
 * the box law. */
static int has_reference(const saddle_problem *problem)
{
    if (problem->law == SADDLE_LAW_BOX) return 1;
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->law == SADDLE_LAW_ASSOCIATED || problem->contacts[c].size != 2) return 0;
    return 1;
}

saddle_status tool_reference_compare(saddle_context *context, const saddle_problem *problem,
                                     const saddle_solution *solution, double tolerance,
                                     tool_reference *reference)
{
    states at = {.problem = problem, .solution = solution};
    memset(reference, 0, sizeof *reference);
    if (!has_reference(problem)) {
        snprintf(reference->note, sizeof reference->note,
                 "none: contacts with the %s law have no dense reference",
                 saddle_law_word(problem->law));
        return SADDLE_OK;
    }
    if (problem->n > UNKNOWNS_AT_MOST || problem->n + problem->m > UNKNOWNS_AT_MOST) {
        snprintf(reference->note, sizeof reference->note,
                 "none: %lld unknowns are too many for a dense one, which takes at most %d",
                 (long long)(problem->n + problem->m), (int)UNKNOWNS_AT_MOST);
        return SADDLE_OK;
    }
    const saddle_status status = compare(context, &at, tolerance, reference);
    saddle__layout_clear(context, &at.layout);
    return status;
}
