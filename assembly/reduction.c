/* SPDX-License-Identifier: MIT */
#include "reduction.h"

#include <math.h>

#include "base/tolerances.h"

void saddle__reduction_clear(saddle_context *context, saddle__reduction *r)
{
    saddle_elimination_free(r->elimination);
    saddle__release_all(context, r->solution.v, r->solution.lambda, r->solution.w, r->whole.v,
                        r->whole.lambda, r->whole.w);
    *r = (saddle__reduction){0};
}

/* Vectors of a solution of n velocities and m rows. */
static saddle_status reserve(saddle_context *context, saddle_solution *solution, int64_t n,
                             int64_t m, int64_t capacity[2])
{
    int64_t rows = capacity[1];
    SADDLE__TRY(saddle__reserve(context, &solution->v, &capacity[0], n, sizeof(double)));
    SADDLE__TRY(saddle__reserve(context, &solution->lambda, &rows, m, sizeof(double)));
    SADDLE__TRY(saddle__reserve(context, &solution->w, &capacity[1], m, sizeof(double)));
    solution->n = n;
    solution->m = m;
    solution->context = context;
    return SADDLE_OK;
}

static double largest_entry(const saddle_matrix *Jt, int64_t row)
{
    double most = 0;
    for (int64_t e = Jt->start[row]; e < Jt->start[row + 1]; e++)
        most = fmax(most, fabs(Jt->value[e]));
    return most;
}

/* *size: sqrt(sum J_ij^2/M_jj) of a row.  Returns sum |J_ij| |f_j|/M_jj over it, the rate that
 * momenta and forces give the row, in kinetic units. */
static double rate_of(const saddle_problem *p, int64_t row, double *size)
{
    double rate = 0, square = 0;
    for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++) {
        const int64_t j = p->Jt.index[e];
        const double mass = saddle_matrix_entry(&p->M, j, j), J = fabs(p->Jt.value[e]);
        if (!(mass > 0)) continue;
        rate += J * fabs(p->f[j]) / mass;
        square += J * J / mass;
    }
    *size = sqrt(square);
    return square > 0 ? rate / *size : 0;
}

static double largest_rate(const saddle_problem *p, int64_t rows)
{
    double most = 0, size;
    for (int64_t i = 0; i < rows; i++) most = fmax(most, rate_of(p, i, &size));
    return most;
}

/* Equality rows that hold whatever the coordinates of joints do, as some of a planar loop, become
 * 0 = 0: what rounding leaves of J Q and of b - J d would be contradictions of no size. */
static void clear_redundant(const saddle_assembly *a, const saddle_problem *problem,
                            const saddle_problem *reduced)
{
    const int64_t rows = a->rows < problem->m ? a->rows : problem->m; /* no contacts */
    double largest = -1, size;
    for (int64_t i = 0; a->attached.joints > 0 && i < rows; i++) {
        const double left = largest_entry(&reduced->Jt, i);
        if (!isinf(reduced->lo[i]) || !isinf(reduced->hi[i]) ||
            left > SADDLE__PRODUCT_ROUNDING * largest_entry(&problem->Jt, i))
            continue;
        if (largest < 0) largest = largest_rate(problem, rows);
        (void)rate_of(problem, i, &size);
        if (fabs(reduced->b[i]) > SADDLE__NEGLIGIBLE_TERM * size * largest) continue;
        const int64_t first = reduced->Jt.start[i], end = reduced->Jt.start[i + 1];
        for (int64_t e = first; e < end; e++) reduced->Jt.value[e] = 0;
        reduced->b[i] = 0;
    }
}

saddle_status saddle__reduce(saddle__reduction *r, const saddle_assembly *a,
                             const saddle_problem *problem, saddle_wish wish, int fresh,
                             const saddle_options *options, const saddle_problem **reduced)
{
    const saddle__system_attached *attached = &a->attached;
    *reduced = problem;
    if (!attached->graph) return SADDLE_OK;
    if (!fresh && r->elimination) {
        SADDLE__TRY(saddle_elimination_form(r->elimination, attached->graph, problem));
        *reduced = saddle_elimination_problem(r->elimination);
        clear_redundant(a, problem, *reduced);
        return SADDLE_OK;
    }
    saddle_elimination_free(r->elimination);
    r->elimination = NULL;
    SADDLE__TRY(saddle_elimination_create(a->context, attached->graph, problem, wish,
                                          wish == SADDLE_WISH_ELIMINATE ? NULL : attached->wish,
                                          options, &r->elimination));
    *reduced = saddle_elimination_problem(r->elimination);
    clear_redundant(a, problem, *reduced);
    SADDLE__TRY(reserve(a->context, &r->solution, (*reduced)->n, (*reduced)->m, r->capacity));
    return reserve(a->context, &r->whole, problem->n, problem->m + attached->count,
                   r->capacity + 2);
}

saddle_solution *saddle__reduced_solution(saddle__reduction *r, saddle_solution *whole)
{
    return r->elimination ? &r->solution : whole;
}

saddle_status saddle__recover(saddle__reduction *r, const saddle_problem *problem,
                              saddle_solution *solution)
{
    if (!r->elimination) return SADDLE_OK;
    SADDLE__TRY(saddle_elimination_recover(r->elimination, problem, &r->solution, &r->whole));
    saddle__copy(solution->v, r->whole.v, problem->n);
    saddle__copy(solution->lambda, r->whole.lambda, problem->m);
    saddle__copy(solution->w, r->whole.w, problem->m);
    r->force = r->whole.lambda + problem->m;
    return SADDLE_OK;
}
