/* SPDX-License-Identifier: MIT */
/* See feasibility.h. */
#include "lemke/feasibility.h"

#include <math.h>
#include <string.h>

#include "builtin.h"
#include "certify.h"
#include "lemke/lemke_state.h"

/* The skew problem and who solves it; all-zero with a context is fine to clear. */
typedef struct skew {
    saddle_context *context;
    saddle_problem problem;
    saddle_solution solution;
    saddle_certificate certificate;
    saddle_report report;
    double *checker_work;
    saddle__lemke *state;
} skew;

static void clear(skew *s)
{
    if (s->state) saddle__solver_lemke.clear(s->state, s->context);
    saddle_release(s->context, s->state);
    saddle_release(s->context, s->checker_work);
    saddle_release(s->context, s->problem.b);
    saddle_release(s->context, s->problem.lo);
    saddle_release(s->context, s->problem.hi);
    saddle_matrix_clear(&s->problem.R);
    saddle_solution_clear(&s->solution);
    saddle_certificate_clear(&s->certificate);
}

/* Entries of R by columns, both triangles. */
static int64_t count_entries(const saddle_matrix *R)
{
    int64_t entries = saddle_matrix_entries(R);
    int64_t mirrored = 0;
    for (int64_t j = 0; R->symmetry == SADDLE_SYMMETRIC && entries > 0 && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) mirrored += R->index[k] != j;
    return entries + mirrored;
}

/* a times R_ij at (row, col) of the skew matrix as entry *k */
static void put(saddle_matrix *S, int64_t *k, int64_t row, double value)
{
    S->index[*k] = row;
    S->value[(*k)++] = value;
}

/* Column j of R below the diagonal block of zeros, and row j of R, negative, above it.  work: 1 + m
 * places. */
static void fill_matrix(const saddle_matrix *R, int64_t m, saddle_matrix *S, int64_t *next)
{
    memset(next, 0, (size_t)(2 * m + 1) * sizeof *next);
    int symmetric = R->symmetry == SADDLE_SYMMETRIC;
    int64_t entries = saddle_matrix_entries(R);
    for (int pass = 0; pass < 2; pass++) { /* counts, then entries */
        for (int64_t j = 0; entries > 0 && j < m; j++) {
            for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
                int64_t i = R->index[k];
                int twice = symmetric && i != j;
                if (pass == 0) {
                    next[j + 1] += 1;
                    next[m + i + 1] += 1;
                    next[i + 1] += twice;
                    next[m + j + 1] += twice;
                    continue;
                }
                put(S, &next[j], m + i, R->value[k]);
                put(S, &next[m + i], j, -R->value[k]);
                if (twice) put(S, &next[i], m + j, R->value[k]);
                if (twice) put(S, &next[m + j], i, -R->value[k]);
            }
        }
        for (int64_t j = 0; pass == 0 && j < 2 * m; j++) next[j + 1] += next[j];
        if (pass == 0) memcpy(S->start, next, (size_t)(2 * m + 1) * sizeof *next);
    }
}

static void fill_rows(const saddle_problem *problem, saddle_problem *to)
{
    int64_t m = problem->m;
    for (int64_t i = 0; i < m; i++) {
        double lo = saddle_problem_lo(problem, i);
        double hi = saddle_problem_hi(problem, i);
        to->lo[i] = lo;
        to->hi[i] = hi;
        to->b[m + i] = problem->b ? problem->b[i] : 0.0;
        to->lo[m + i] = isfinite(lo) ? 0.0 : -(double)INFINITY; /* w <= 0 or w = 0 asked: y may be
                                                                   negative */
        to->hi[m + i] = isfinite(hi) ? 0.0 : (double)INFINITY;
    }
}

static saddle_status make_problem(skew *s, const saddle_problem *problem)
{
    int64_t m = problem->m;
    saddle_context *context = s->context;
    saddle_problem *p = &s->problem;
    p->m = 2 * m;
    p->b = saddle_allocate(context, 2 * m, sizeof *p->b);
    p->lo = saddle_allocate(context, 2 * m, sizeof *p->lo);
    p->hi = saddle_allocate(context, 2 * m, sizeof *p->hi);
    if (!p->b || !p->lo || !p->hi) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle_matrix_create(context, 2 * m, 2 * m,
                                                2 * count_entries(&problem->R), SADDLE_GENERAL,
                                                &p->R);
    int64_t *next = status == SADDLE_OK ? saddle_allocate(context, 2 * m + 1, sizeof *next) : NULL;
    if (!next) return SADDLE_OUT_OF_MEMORY;
    fill_matrix(&problem->R, m, &p->R, next);
    fill_rows(problem, p);
    saddle_release(context, next);
    return SADDLE_OK;
}

static saddle_status solve(skew *s, const saddle_solver_call *call)
{
    saddle_solver_call own = *call;
    const saddle_solver_type *type = &saddle__solver_lemke;
    s->state = saddle_allocate(s->context, 1, type->state_size);
    s->checker_work = saddle_allocate(s->context, saddle_residual_work_size(&s->problem),
                                      sizeof *s->checker_work);
    if (!s->state || !s->checker_work) return SADDLE_OUT_OF_MEMORY;
    own.report = &s->report;
    own.checker_work = s->checker_work;
    own.certificate = &s->certificate;
    s->state->is_feasibility = 1;
    saddle_status status = saddle_solution_create(s->context, 0, s->problem.m, &s->solution);
    if (status == SADDLE_OK) status = type->analyse(&own, s->state, &s->problem);
    if (status == SADDLE_OK) status = type->factor(&own, s->state, &s->problem);
    if (status == SADDLE_OK) status = type->solve(&own, s->state, &s->problem, &s->solution);
    call->report->pivots += s->report.pivots;
    return status;
}

saddle_status saddle__lemke_feasibility(const saddle_solver_call *call,
                                        const saddle_problem *problem)
{
    if (problem->n > 0 || problem->contact_count > 0 || problem->m == 0) return SADDLE_OK;
    skew s = {.context = call->context};
    saddle_status status = make_problem(&s, problem);
    if (status == SADDLE_OK) status = solve(&s, call);
    if (status == SADDLE_INFEASIBLE && s.certificate.row)
        status = saddle__offer(call, problem, s.certificate.row + problem->m);
    else if (status > 0)
        status = SADDLE_OK;
    clear(&s);
    return status;
}
