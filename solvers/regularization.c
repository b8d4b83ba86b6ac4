/* SPDX-License-Identifier: MIT */
/* See regularization.h. */
#include "regularization.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/vector.h"
#include "factor/factorization.h"
#include "matrix/matrix_internal.h"
#include "problem/verdict.h"

saddle_status saddle__regularization_create(saddle_context *context, const saddle_problem *problem,
                                            saddle__regularization *g)
{
    *g = (saddle__regularization){.context = context, .size = problem->n + problem->m};
    const saddle__array arrays[] = {SADDLE__ARRAY(g->added, g->size),
                                    SADDLE__ARRAY(g->scale, g->size),
                                    SADDLE__ARRAY(g->sign, g->size),
                                    SADDLE__ARRAY(g->weak, g->size)};
    return saddle__layout_make(context, &g->layout, arrays, SADDLE__LENGTH(arrays));
}

/* Result: added is 1 where the diagonal is to be changed, else 0. */

/* ---- K is one block A: M where m = 0, -R where n = 0; anything symmetric ---- */

/* e[j] = -sum_k A_jk^2 / A_kk where A_jj = 0 */
static void estimate_pivots(const saddle_matrix *A, const double *diagonal, double *e)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double square = A->value[k] * A->value[k];
            if (diagonal[i] == 0.0 && diagonal[j] != 0.0) e[i] -= square / diagonal[j];
            if (diagonal[j] == 0.0 && diagonal[i] != 0.0 && A->symmetry == SADDLE_SYMMETRY_LOWER)
                e[j] -= square / diagonal[i];
        }
    }
}

static void measure_block(saddle__regularization *g, const saddle_matrix *A, saddle__kind kind)
{
    const int side = kind == SADDLE__VELOCITIES ? 1 : -1;
    double *e = g->added;
    saddle__diagonal_of(A, g->size, g->scale);
    saddle__add_parts(g->parts, kind, g->scale);
    int hollow = 0;
    for (int64_t j = 0; j < g->size; j++) hollow |= g->scale[j] == 0.0;
    if (hollow) estimate_pivots(A, g->scale, e);
    saddle__add_parts(g->parts, kind, e);
    for (int64_t j = 0; j < g->size; j++) {
        g->weak[j] = g->scale[j] == 0.0 ? SADDLE__AFTER_NEIGHBOUR : SADDLE__ANY_TIME;
        double pivot = g->scale[j] != 0.0 ? g->scale[j] : e[j];
        g->sign[j] = (signed char)(side * ((pivot > 0.0) - (pivot < 0.0)));
    }
}

/* ---- K has both blocks: M >= 0 and R >= 0 are expected ---- */

/* others[i] = sum_k |R_ik| over k != i */
static void off_diagonal_sums(const saddle_matrix *R, double *others)
{
    if (saddle_matrix_entries(R) == 0) return;
    for (int64_t j = 0; j < R->cols; j++) {
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            if (i == j) continue;
            others[i] += fabs(R->value[k]);
            if (R->symmetry == SADDLE_SYMMETRY_LOWER) others[j] += fabs(R->value[k]);
        }
    }
}

/* weak and sign; the diagonals in scale */
static void classify_system(saddle__regularization *g, const saddle_problem *problem)
{
    int64_t n = problem->n;
    saddle__diagonal_of(&problem->M, n, g->scale);
    saddle__diagonal_of(&problem->R, problem->m, g->scale + n);
    off_diagonal_sums(&problem->R, g->added + n);
    saddle__add_parts(g->parts, SADDLE__VELOCITIES, g->scale);
    saddle__add_parts(g->parts, SADDLE__ROWS, g->scale + n);
    saddle__add_parts(g->parts, SADDLE__ROWS, g->added + n);
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

/* ---- both ---- */

/* d_i = max_j |J_ij| where the sum is 0: rows on velocities without mass alone; 1 where the maximum
 * is 0. */
static void begin_somewhere(const saddle_problem *problem, const saddle__sums *parts,
                            double *delassus)
{
    const saddle_matrix *Jt = &problem->Jt;
    int stored = saddle_matrix_entries(Jt) > 0;
    for (int64_t i = 0; i < problem->m; i++) {
        if (delassus[i] > 0.0) continue;
        for (int64_t k = stored ? Jt->start[i] : 0; stored && k < Jt->start[i + 1]; k++)
            delassus[i] = saddle__smaller(delassus[i], -fabs(Jt->value[k]));
    }
    if (parts) parts->least(parts->user, SADDLE__ROWS, delassus);
    for (int64_t i = 0; i < problem->m; i++)
        delassus[i] = delassus[i] == 0.0 ? 1.0 : fabs(delassus[i]);
}

/* scale <- the natural sizes m_j and d_i, or their replacements; added (n) is scratch */
static void measure_scale(saddle__regularization *g, const saddle_problem *problem)
{
    double *inverse_mass = g->added;
    double *delassus = g->scale + problem->n;
    saddle__natural_units(problem, g->parts, inverse_mass, delassus);
    begin_somewhere(problem, g->parts, delassus);
    saddle__spread_units(problem, g->parts, inverse_mass, delassus);
    for (int64_t j = 0; j < problem->n; j++)
        g->scale[j] = inverse_mass[j] > 0.0 ? 1.0 / inverse_mass[j] : 0.0;
    for (int64_t i = 0; i < g->size; i++)
        if (!(g->scale[i] > 0.0)) g->scale[i] = 1.0;
}

static void measure(saddle__regularization *g, const saddle_problem *problem)
{
    memset(g->added, 0, (size_t)g->size * sizeof(*g->added));
    const int64_t n = g->parts ? g->parts->n : problem->n; /* of the whole */
    const int64_t m = g->parts ? g->parts->m : problem->m;
    if (m == 0)
        measure_block(g, &problem->M, SADDLE__VELOCITIES);
    else if (n == 0)
        measure_block(g, &problem->R, SADDLE__ROWS);
    else
        classify_system(g, problem);
    measure_scale(g, problem);
    for (int64_t j = 0; j < (n == 0 ? g->size : problem->n); j++)
        g->added[j] = g->weak[j] != SADDLE__ANY_TIME;
}

void saddle__regularization_measure(saddle__regularization *g, const saddle_problem *problem,
                                    double epsilon, int everywhere)
{
    g->changed = 0;
    if (g->size == 0 && !g->parts) return;
    measure(g, problem);
    for (int64_t i = 0; i < g->size; i++) {
        g->scale[i] = saddle__larger(g->scale[i], DBL_MIN);
        if (g->scale[i] > DBL_MAX) g->scale[i] = DBL_MAX;
        int sign = g->sign[i] != 0 ? g->sign[i] : 1;
        g->added[i] = everywhere || g->added[i] > 0.0 ? sign * epsilon * g->scale[i] : 0.0;
        if (g->added[i] != 0.0) g->changed++;
    }
    saddle__drop_others(g->parts, SADDLE__VELOCITIES, problem->n, g->added);
    saddle__drop_others(g->parts, SADDLE__ROWS, problem->m, g->added + problem->n);
}
