/* SPDX-License-Identifier: MIT */
/* See regularization.h. */
#include "regularization.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/vector.h"
#include "factor/factorization.h"

static void lay_out(saddle__regularization *g, saddle__pool *pool)
{
    g->added = saddle__pool_take(pool, g->size, sizeof(*g->added));
    g->scale = saddle__pool_take(pool, g->size, sizeof(*g->scale));
    g->sign = saddle__pool_take(pool, g->size, sizeof(*g->sign));
    g->weak = saddle__pool_take(pool, g->size, sizeof(*g->weak));
}

saddle_status saddle__regularization_create(saddle_context *context, const saddle_problem *problem,
                                            saddle__regularization *g)
{
    saddle__regularization fresh = {.context = context, .size = problem->n + problem->m};
    *g = fresh;
    saddle__pool pool = {NULL, 0};
    lay_out(g, &pool);
    g->block = saddle__pool_open(context, &pool, 1);
    if (!g->block) return SADDLE_OUT_OF_MEMORY;
    lay_out(g, &pool);
    return SADDLE_OK;
}

void saddle__regularization_clear(saddle__regularization *g)
{
    saddle_release(g->context, g->block);
    saddle__regularization empty = {0};
    *g = empty;
}

/* largest[i] = max over the entries of row i, and of column i of a symmetric A */
static void largest_entries(const saddle_matrix *A, double *largest)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double a = fabs(A->value[k]);
            largest[i] = saddle__larger(largest[i], a);
            if (A->symmetry == SADDLE_SYMMETRIC) largest[j] = saddle__larger(largest[j], a);
        }
    }
}

static void diagonal_of(const saddle_matrix *A, int64_t size, double *diagonal)
{
    if (saddle_matrix_entries(A) > 0)
        saddle_matrix_diagonal(A, diagonal);
    else
        memset(diagonal, 0, (size_t)size * sizeof(*diagonal));
}

/* added is 1 where something is to be added, else 0, when these are done. */

/* ---- K is one block A: M where m = 0, -R where n = 0; anything symmetric ---------------------------------------- */

/* e[j] = -sum_k A_jk^2 / A_kk where A_jj = 0 */
static void estimate_pivots(const saddle_matrix *A, const double *diagonal, double *e)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double square = A->value[k] * A->value[k];
            if (diagonal[i] == 0.0 && diagonal[j] != 0.0) e[i] -= square / diagonal[j];
            if (diagonal[j] == 0.0 && diagonal[i] != 0.0 && A->symmetry == SADDLE_SYMMETRIC)
                e[j] -= square / diagonal[i];
        }
    }
}

static void measure_block(saddle__regularization *g, const saddle_matrix *A, int side)
{
    double *e = g->added;
    diagonal_of(A, g->size, g->scale);
    int hollow = 0;
    for (int64_t j = 0; j < g->size; j++) hollow |= g->scale[j] == 0.0;
    if (hollow) estimate_pivots(A, g->scale, e);
    for (int64_t j = 0; j < g->size; j++) {
        g->weak[j] = g->scale[j] == 0.0 ? SADDLE__AFTER_NEIGHBOUR : SADDLE__ANY_TIME;
        double pivot = g->scale[j] != 0.0 ? g->scale[j] : e[j];
        g->sign[j] = (signed char)(side * ((pivot > 0.0) - (pivot < 0.0)));
        g->scale[j] = fabs(pivot);
    }
    memset(e, 0, (size_t)g->size * sizeof(*e));
    if (hollow) largest_entries(A, e);
    for (int64_t j = 0; j < g->size; j++) {
        if (!(g->scale[j] > 0.0)) g->scale[j] = e[j] > 0.0 ? e[j] : 1.0;
        g->added[j] = g->weak[j] != SADDLE__ANY_TIME;
    }
}

/* ---- K has both blocks: M >= 0 and R >= 0 are expected ---------------------------------------------------------- */

/* others[i] = sum_k |R_ik| over k != i */
static void off_diagonal_sums(const saddle_matrix *R, double *others)
{
    if (saddle_matrix_entries(R) == 0) return;
    for (int64_t j = 0; j < R->cols; j++) {
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            if (i == j) continue;
            others[i] += fabs(R->value[k]);
            if (R->symmetry == SADDLE_SYMMETRIC) others[j] += fabs(R->value[k]);
        }
    }
}

/* scale of the rows, from |M_jj| in scale[0 .. n) and R_ii in scale[n .. n + m) */
static void measure_rows(saddle__regularization *g, const saddle_problem *problem)
{
    int64_t n = problem->n;
    const saddle_matrix *Jt = &problem->Jt;
    int stored = saddle_matrix_entries(Jt) > 0;
    double *inverse = g->added; /* n, scratch: 1 / |M_jj|, finite; 0 = without mass */
    for (int64_t j = 0; j < n; j++) inverse[j] = g->scale[j] > 0.0 ? 1.0 / saddle__larger(g->scale[j], DBL_MIN) : 0.0;
    for (int64_t i = 0; i < problem->m; i++) {
        double sum = fabs(g->scale[n + i]);
        double largest = 0.0;
        for (int64_t k = stored ? Jt->start[i] : 0; stored && k < Jt->start[i + 1]; k++) {
            double a = fabs(Jt->value[k]);
            sum += a * (a * inverse[Jt->index[k]]);
            largest = saddle__larger(largest, a);
        }
        if (!(sum > 0.0)) sum = largest > 0.0 ? largest : 1.0;
        g->scale[n + i] = sum;
    }
}

/* scale of velocities without a mass, where there are such */
static void measure_massless(saddle__regularization *g, const saddle_problem *problem)
{
    int64_t n = problem->n;
    int any = 0;
    for (int64_t j = 0; j < n; j++) any |= g->scale[j] == 0.0;
    if (!any) return;
    double *largest = g->added; /* n, scratch */
    memset(largest, 0, (size_t)n * sizeof(*largest));
    largest_entries(&problem->M, largest);
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t j = 0; j < n; j++)
        if (g->scale[j] == 0.0 && largest[j] > 0.0) g->scale[j] = largest[j];
    memset(largest, 0, (size_t)n * sizeof(*largest));
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < problem->m; i++) {
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            double a = fabs(Jt->value[k]);
            largest[Jt->index[k]] += a * (a / g->scale[n + i]);
        }
    }
    for (int64_t j = 0; j < n; j++)
        if (!(g->scale[j] > 0.0)) g->scale[j] = largest[j] > 0.0 ? largest[j] : 1.0;
}

/* weak and sign; the diagonals in scale */
static void classify_system(saddle__regularization *g, const saddle_problem *problem)
{
    int64_t n = problem->n;
    diagonal_of(&problem->M, n, g->scale);
    diagonal_of(&problem->R, problem->m, g->scale + n);
    off_diagonal_sums(&problem->R, g->added + n);
    for (int64_t j = 0; j < n; j++) {
        g->weak[j] = g->scale[j] == 0.0 ? SADDLE__AFTER_NEIGHBOUR : SADDLE__ANY_TIME;
        g->sign[j] = g->scale[j] < 0.0 ? -1 : 1;
        g->scale[j] = fabs(g->scale[j]);
    }
    for (int64_t i = n; i < g->size; i++) {
        int coupled = g->added[i] > 0.0;
        int needs = fabs(g->scale[i]) <= g->added[i];
        g->weak[i] = needs || coupled ? SADDLE__AFTER_OTHER_KIND : SADDLE__ANY_TIME;
        g->sign[i] = g->scale[i] < 0.0 ? 1 : -1;
        g->added[i] = needs;
    }
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static void measure(saddle__regularization *g, const saddle_problem *problem)
{
    memset(g->added, 0, (size_t)g->size * sizeof(*g->added));
    if (problem->m == 0) {
        measure_block(g, &problem->M, 1);
    } else if (problem->n == 0) {
        measure_block(g, &problem->R, -1);
    } else {
        classify_system(g, problem);
        measure_rows(g, problem);
        measure_massless(g, problem);
        for (int64_t j = 0; j < problem->n; j++) g->added[j] = g->weak[j] != SADDLE__ANY_TIME;
    }
}

void saddle__regularization_classify(saddle__regularization *g, const saddle_problem *problem)
{
    if (g->size == 0) return;
    if (problem->m == 0 || problem->n == 0) {
        measure(g, problem);
        return;
    }
    memset(g->added, 0, (size_t)g->size * sizeof(*g->added));
    classify_system(g, problem);
}

void saddle__regularization_measure(saddle__regularization *g, const saddle_problem *problem, double epsilon,
                                    int everywhere)
{
    g->changed = 0;
    if (g->size == 0) return;
    measure(g, problem);
    for (int64_t i = 0; i < g->size; i++) {
        g->scale[i] = saddle__larger(g->scale[i], DBL_MIN);
        if (g->scale[i] > DBL_MAX) g->scale[i] = DBL_MAX;
        int sign = g->sign[i] != 0 ? g->sign[i] : 1;
        g->added[i] = everywhere || g->added[i] > 0.0 ? sign * epsilon * g->scale[i] : 0.0;
        if (g->added[i] != 0.0) g->changed++;
    }
}
