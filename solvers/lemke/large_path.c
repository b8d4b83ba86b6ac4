/* SPDX-License-Identifier: MIT */
/* What basis.c and certificate.c are to the dense tableau, on the revised table of large.h: the
 * path's start, the answer of its basis, and the proof of its ray.
 *
 *     B dz = rho   rho_k = y_k, as it is by the problem itself, where it ought to be zero; x += the
 *         part of dz that is x
 *     B'z = h   B of the free unknowns alone: h = 0 in their rows, the ray's in all others, so that
 *         (A'z)_F = 0
 */
#include <math.h>
#include <string.h>

#include "lemke/lemke_state.h"

static const double finest = 1e-15;    /* a residual that no correction betters much */
static const double negligible = 1e-9; /* of the sum of the moduli: what proves nothing */

/* ---- the start ---- */

static void hand_over(saddle__lemke *s, int from_inside)
{
    const saddle__expansion *e = &s->expansion;
    saddle__large *large = s->table;
    double most = 0.0;
    int exponent = 0;
    for (int64_t k = 0; k < e->size; k++) most = fmax(most, fabs(large->row_unit[k] * s->c[k]));
    if (most > 0.0 && isfinite(most)) (void)frexp(most, &exponent);
    large->unit = ldexp(1.0, exponent);
    saddle__path_begin(&s->path, e->size);
    for (int64_t k = 0; k < e->size; k++) {
        double unit = large->unit * large->column_unit[k];
        s->path.q[k] = large->row_unit[k] * s->c[k] / large->unit;
        s->path.lo[k] = e->lo[k] / unit;
        s->path.hi[k] = e->hi[k] / unit;
        s->path.inside[k] = k < e->free   ? SADDLE__INSIDE
                            : from_inside ? s->inside[k]
                                          : SADDLE__ANYWHERE;
    }
}

int saddle__lemke_set_out_large(saddle__lemke *s, int from_inside)
{
    saddle__large *large = s->table;
    saddle__revised_table A = saddle__large_table(large);
    hand_over(s, from_inside);
    if (large->demand && !saddle__large_fetch(large, s->path.inside)) return 0;
    if (saddle__path_begin_revised(&s->path, &A)) return 1;
    if (from_inside || large->demand || large->revised.status != SADDLE_SINGULAR ||
        s->expansion.free == 0)
        return 0;
    saddle__large_regularize(large, s->expansion.free);
    return saddle__path_begin_revised(&s->path, &A);
}

/* ---- the answer ---- */

/* x as the path has left it; inside: where it has. */
static void take_values(saddle__lemke *s)
{
    const saddle__path *p = &s->path;
    for (int64_t k = 0; k < s->expansion.size; k++) {
        int basic = saddle__path_is_inside(p, k);
        double value = saddle__path_value(p, k) * s->table->unit * s->table->column_unit[k];
        s->x[k] = basic ? value : p->side[k] > 0 ? s->expansion.lo[k] : s->expansion.hi[k];
        s->inside[k] = basic ? SADDLE__INSIDE : p->side[k] > 0 ? SADDLE__AT_LOW : SADDLE__AT_HIGH;
    }
}

static void fold_within_bounds(saddle__lemke *s, int64_t m)
{
    for (int64_t k = 0; k < s->expansion.size; k++)
        s->y[k] = fmin(fmax(s->x[k], s->expansion.lo[k]), s->expansion.hi[k]);
    saddle__expansion_fold(&s->expansion, m, s->y, 1, s->trial_lambda);
}

/* One step on x and trial_v; force holds w. */
static saddle_status correct(saddle__lemke *s, const saddle_problem *problem)
{
    const saddle__path *p = &s->path;
    saddle__large *large = s->table;
    int64_t size = s->expansion.size;
    saddle__expansion_slack(&s->expansion, s->force, s->x, s->y);
    for (int64_t k = 0; k < size; k++)
        s->step[k] = p->place[size + k] < 0 ? large->row_unit[k] * s->y[k] / large->unit : 0.0;
    if (!saddle__revised_solve(&large->revised, s->step)) return large->revised.status;
    for (int64_t k = 0; k < size; k++) {
        s->y[k] = p->place[k] >= 0 ? s->step[p->place[k]] * large->unit * large->column_unit[k]
                                   : 0.0;
        s->x[k] += s->y[k];
    }
    if (problem->n == 0) return SADDLE_OK;
    memset(s->force, 0, (size_t)problem->m * sizeof *s->force);
    saddle__expansion_fold(&s->expansion, problem->m, s->y, 0, s->force);
    return saddle__lemke_push(s, problem, s->force, s->trial_v);
}

saddle_status saddle__lemke_answer_large(saddle__lemke *s, const saddle_solver_call *call,
                                         const saddle_problem *problem, saddle_solution *solution,
                                         double *total)
{
    double last = (double)INFINITY;
    *total = (double)INFINITY;
    saddle__revised_table A = saddle__large_table(s->table);
    if (!saddle__path_refresh(&s->path, &A))
        return s->table->revised.status == SADDLE_SINGULAR ? SADDLE_OK : s->table->revised.status;
    take_values(s);
    fold_within_bounds(s, problem->m);
    saddle_status status = saddle__dense_delassus_velocity(&s->mass, problem, s->trial_lambda,
                                                           s->trial_v);
    for (int64_t k = 0; status == SADDLE_OK && k <= call->options->max_refinements; k++) {
        saddle__expansion_fold(&s->expansion, problem->m, s->x, 1, s->trial_lambda);
        status = saddle__lemke_slack(s, problem, s->trial_v, s->trial_lambda);
        if (status == SADDLE_OK) status = correct(s, problem);
        if (status != SADDLE_OK) return status;
        fold_within_bounds(s, problem->m);
        double residual = saddle__lemke_judge(s, call, problem, solution);
        call->report->refinements += k > 0;
        int gains = residual < 0.5 * last;
        last = fmin(last, residual);
        *total = last;
        if (residual <= finest || (!gains && k > 1)) break;
    }
    return status;
}

/* ---- the proof ---- */

/* step (size): the ray as multipliers, with the signs that the rows allow; B'z = h makes those of
 * the free ones. */
static int take_ray(saddle__lemke *s)
{
    saddle__large *large = s->table;
    int64_t size = s->expansion.size;
    double *z = s->step;
    double most = 0.0;
    saddle__path_ray(&s->path, z);
    for (int64_t k = 0; k < size; k++) {
        z[k] *= large->column_unit[k] / large->row_unit[k];
        if (isfinite(s->expansion.lo[k])) z[k] = fmax(z[k], 0.0);
        if (isfinite(s->expansion.hi[k])) z[k] = fmin(z[k], 0.0);
        most = k < s->expansion.free ? most : fmax(most, fabs(z[k]));
    }
    for (int64_t k = 0; k < size; k++)
        if (k < s->expansion.free || fabs(z[k]) <= negligible * most) z[k] = 0.0;
    if (s->expansion.free == 0) return 1;
    saddle__revised_table A = saddle__large_table(large);
    for (int64_t k = 0; k < size; k++) s->basis_row[k] = k < s->expansion.free ? k : size + k;
    return saddle__revised_begin(&large->revised, &A, s->basis_row) &&
           saddle__revised_solve_transpose(&large->revised, z);
}

/* The largest that gradient x_k can be within the bounds; modulus: of its terms. */
static double largest_product(const saddle__lemke *s, int64_t k, double gradient, double modulus)
{
    if (fabs(gradient) <= negligible * modulus) return 0.0;
    double bound = gradient > 0.0 ? s->expansion.hi[k] : s->expansion.lo[k];
    return gradient * (bound / s->table->column_unit[k]);
}

static int contradicts(const saddle__lemke *s)
{
    const saddle_matrix *A = &s->table->A;
    double sum = 0.0;
    double moduli = 0.0;
    for (int64_t k = 0; k < A->rows; k++) {
        double term = s->step[k] * s->table->row_unit[k] * s->c[k];
        sum += term;
        moduli += fabs(term);
    }
    for (int64_t j = 0; j < A->cols && sum < (double)INFINITY; j++) {
        double gradient = 0.0;
        double modulus = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            gradient += s->step[A->index[k]] * A->value[k];
            modulus += fabs(s->step[A->index[k]] * A->value[k]);
        }
        double product = largest_product(s, j, gradient, modulus);
        sum += product;
        moduli += fabs(product);
    }
    return sum < -negligible * moduli;
}

int saddle__lemke_certificate_large(saddle__lemke *s, const saddle_problem *problem,
                                    const saddle_solver_call *call)
{
    if (!take_ray(s) || !contradicts(s)) return 0;
    return saddle__lemke_prove(s, problem, call);
}
