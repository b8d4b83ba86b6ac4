/* SPDX-License-Identifier: MIT */
/* The answer of a basis: what the path's tableau has gathered of rounding is left behind.  With the
 * unknowns outside the basis at their bounds, A x + c = 0 in the basis' rows is factored from W
 * anew and refined against the problem itself,
 *
 *     r_v = f - M v + J'lambda,   dv = M^-1 r_v,   A_SS dx_S = -y_S(v + dv, lambda),
 *         dv += M^-1 J' dlambda
 *
 * with residuals in twice the working precision. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dense/lapack.h"
#include "lemke/lemke_state.h"
#include "problem/verdict.h"

static const double finest = 1e-15;    /* a residual that no correction betters much */
static const double dependent = 1e-11; /* of the largest pivot: what is left has no more rank */

/* ---- the basis ---- */

/* The lists of what the elimination has taken and what the path has left inside; y serves as
 * scratch.  whole: with the singular unknowns whose equations were added to others, since without
 * them A may be singular where B is not. 0: there are none. */
static int list_basis(saddle__lemke *s, int whole)
{
    int more = 0;
    const saddle__reduction *red = &s->reduction;
    signed char *row = s->inside; /* rewritten below */
    double *col = s->y;
    for (int64_t k = 0; k < red->size; k++) {
        row[k] = 0;
        col[k] = 0.0;
    }
    for (int64_t k = 0; k < red->rank; k++) {
        row[red->row[k]] = 1;
        col[red->col[k]] = 1.0;
    }
    for (int64_t k = 0; k < red->left; k++) {
        int added = whole && red->place[k] < s->expansion.free && red->rho[red->place[k]] != 0.0;
        if (!saddle__path_is_inside(&s->path, k) && !added) continue;
        more |= added;
        row[red->row[red->place[k]]] = 1;
        col[red->col[red->place[k]]] = 1.0;
    }
    int64_t rows = 0;
    int64_t cols = 0;
    for (int64_t k = 0; k < red->size; k++) {
        if (row[k]) s->basis_row[rows++] = k;
        if (col[k] != 0.0) s->basis_col[cols++] = k;
        s->inside[k] = col[k] != 0.0;
    }
    s->basis = rows == cols ? rows : 0;
    return !whole || more;
}

/* reduction.A <- A[row, col] of the lists, which are ascending */
static void gather(saddle__lemke *s, const saddle_problem *problem)
{
    saddle__reduction *red = &s->reduction;
    int64_t basis = s->basis;
    saddle__reduction_restore(red, &s->expansion, s->mass.W, problem->m);
    for (int64_t j = 0; j < basis; j++)
        for (int64_t i = 0; i < basis; i++)
            red->A[i + j * basis] = red->A[s->basis_row[i] + s->basis_col[j] * red->size];
    if (basis > 0) red->intact = 0;
}

int saddle__lemke_factor_basis(saddle__lemke *s, const saddle_problem *problem)
{
    saddle__reduction *red = &s->reduction;
    gather(s, problem);
    if (s->basis == 0) return 1;
    int size = (int)s->basis;
    int info = 0;
    dgetrf_(&size, &size, red->A, &size, red->exchange, &info);
    return info == 0;
}

/* ---- which of the basis' equations are independent ---- */

static void swap_places(int64_t *list, int64_t a, int64_t b)
{
    int64_t kept = list[a];
    list[a] = list[b];
    list[b] = kept;
}

static void sort(int64_t *list, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        for (int64_t i = k; i > 0 && list[i] < list[i - 1]; i--) swap_places(list, i, i - 1);
}

/* Brings the largest entry behind k to (k, k), lists and all, and returns it. */
static double bring_largest(saddle__lemke *s, int64_t k)
{
    double *A = s->reduction.A;
    int64_t size = s->basis;
    int64_t row = k;
    int64_t col = k;
    for (int64_t j = k; j < size; j++)
        for (int64_t i = k; i < size; i++)
            if (fabs(A[i + j * size]) > fabs(A[row + col * size])) {
                row = i;
                col = j;
            }
    for (int64_t i = 0; i < size; i++) {
        double kept = A[i + k * size];
        A[i + k * size] = A[i + col * size];
        A[i + col * size] = kept;
    }
    for (int64_t j = 0; j < size; j++) {
        double kept = A[k + j * size];
        A[k + j * size] = A[row + j * size];
        A[row + j * size] = kept;
    }
    swap_places(s->basis_row, k, row);
    swap_places(s->basis_col, k, col);
    return fabs(A[k + k * size]);
}

/* The lists lose what elimination with complete pivoting finds dependent. */
static void keep_independent(saddle__lemke *s, const saddle_problem *problem)
{
    double *A = s->reduction.A;
    int64_t size = s->basis;
    int64_t rank = 0;
    double first = 0.0;
    gather(s, problem);
    for (; rank < size; rank++) {
        double pivot = bring_largest(s, rank);
        if (rank == 0) first = pivot;
        if (!(pivot > dependent * first)) break;
        for (int64_t j = rank + 1; j < size; j++) {
            double factor = A[rank + j * size] / A[rank + rank * size];
            for (int64_t i = rank + 1; i < size; i++)
                A[i + j * size] -= A[i + rank * size] * factor;
        }
    }
    s->basis = rank;
    sort(s->basis_row, rank);
    sort(s->basis_col, rank);
}

/* ---- values ---- */

/* x as the path has left it, the eliminated ones zero. */
static void take_values(saddle__lemke *s)
{
    const saddle__reduction *red = &s->reduction;
    memset(s->x, 0, (size_t)red->size * sizeof *s->x);
    for (int64_t k = 0; k < red->left; k++) {
        int64_t unknown = red->col[red->place[k]];
        double value = saddle__path_value(&s->path, k) * red->unit * red->column_unit[unknown];
        int at_bound = !saddle__path_is_inside(&s->path, k) && unknown >= s->expansion.free;
        if (at_bound)
            value = s->path.side[k] > 0 ? s->expansion.lo[unknown] : s->expansion.hi[unknown];
        s->x[unknown] += red->sign[k] * value;
    }
}

/* lambda with unknowns that rounding has put beside their bounds on them */
static void fold_within_bounds(saddle__lemke *s, int64_t m, double *lambda)
{
    for (int64_t k = 0; k < s->reduction.size; k++)
        s->y[k] = fmin(fmax(s->x[k], s->expansion.lo[k]), s->expansion.hi[k]);
    saddle__expansion_fold(&s->expansion, m, s->y, 1, lambda);
}

saddle_status saddle__lemke_slack(saddle__lemke *s, const saddle_problem *problem, double *v,
                                  const double *lambda)
{
    int64_t n = problem->n;
    saddle__twofold *rows = s->defect + n;
    const saddle_matrix *Jt = problem->Jt.start ? &problem->Jt : NULL;
    saddle__twofold_set(n, problem->f, s->defect);
    saddle__twofold_set(problem->m, problem->b, rows);
    if (n > 0) saddle__twofold_add(&problem->M, -1.0, v, s->defect);
    if (problem->R.start) saddle__twofold_add(&problem->R, -1.0, lambda, rows);
    if (n > 0 && Jt) saddle__twofold_add_both(Jt, 1.0, lambda, s->defect, -1.0, v, rows);
    for (int64_t i = 0; i < problem->m; i++) s->force[i] = -saddle__twofold_value(rows[i]);
    if (n == 0) return SADDLE_OK;
    double *dv = s->mass.velocity;
    for (int64_t j = 0; j < n; j++) dv[j] = saddle__twofold_value(s->defect[j]);
    saddle_status status = saddle__dense_delassus_solve(&s->mass, problem, dv);
    if (Jt) saddle_matrix_apply_transpose(Jt, 1.0, dv, 1.0, s->force);
    for (int64_t j = 0; j < n; j++) v[j] += dv[j];
    return status;
}

saddle_status saddle__lemke_push(saddle__lemke *s, const saddle_problem *problem,
                                 const double *lambda, double *v)
{
    if (problem->n == 0 || !problem->Jt.start) return SADDLE_OK;
    saddle_matrix_apply(&problem->Jt, 1.0, lambda, 0.0, s->mass.velocity);
    saddle_status status = saddle__dense_delassus_solve(&s->mass, problem, s->mass.velocity);
    for (int64_t j = 0; j < problem->n; j++) v[j] += s->mass.velocity[j];
    return status;
}

/* x and v by one step; force holds w */
static saddle_status correct(saddle__lemke *s, const saddle_problem *problem, double *v)
{
    saddle__reduction *red = &s->reduction;
    saddle__expansion_slack(&s->expansion, s->force, s->x, s->y);
    for (int64_t i = 0; i < s->basis; i++)
        s->step[i] = -red->row_unit[s->basis_row[i]] * s->y[s->basis_row[i]];
    int size = (int)s->basis;
    int one = 1;
    int info = 0;
    if (size > 0) dgetrs_("N", &size, &one, red->A, &size, red->exchange, s->step, &size, &info, 1);
    memset(s->y, 0, (size_t)red->size * sizeof *s->y);
    for (int64_t j = 0; j < s->basis; j++) {
        int64_t unknown = s->basis_col[j];
        s->y[unknown] = red->column_unit[unknown] * s->step[j];
        s->x[unknown] += s->y[unknown];
    }
    if (problem->n == 0 || !problem->Jt.start) return SADDLE_OK;
    if (problem->m > 0) memset(s->force, 0, (size_t)problem->m * sizeof *s->force);
    saddle__expansion_fold(&s->expansion, problem->m, s->y, 0, s->force);
    return saddle__lemke_push(s, problem, s->force, v);
}

/* ---- refinement ---- */

static void keep(saddle__lemke *s, const saddle_problem *problem, double total,
                 saddle_solution *solution)
{
    if (!(total < s->best)) return;
    s->best = total;
    if (problem->n > 0) memcpy(solution->v, s->trial_v, (size_t)problem->n * sizeof *solution->v);
    if (problem->m > 0)
        memcpy(solution->lambda, s->trial_lambda, (size_t)problem->m * sizeof *solution->lambda);
}

double saddle__lemke_judge(saddle__lemke *s, const saddle_solver_call *call,
                           const saddle_problem *problem, saddle_solution *solution)
{
    saddle_residual residual;
    saddle_residual_compute(problem, s->trial_v, s->trial_lambda, NULL, call->checker_work,
                            &residual);
    double error = saddle__error_of(&residual, call->options->tolerance);
    keep(s, problem, error, solution);
    return error;
}

/* Where all data that reach the solution are zero, so is the solution, and rounding measured
 * against rounding is no answer: unknowns of rounding's size beside their bounds are set to
 * zero. */
static saddle_status clear_rounding(saddle__lemke *s, const saddle_problem *problem)
{
    double most = 0.0;
    for (int64_t k = 0; k < s->reduction.size; k++) {
        double lo = fabs(s->expansion.lo[k]);
        double hi = fabs(s->expansion.hi[k]);
        most = fmax(most,
                    fmax(fabs(s->x[k]), fmax(isfinite(lo) ? lo : 0.0, isfinite(hi) ? hi : 0.0)));
    }
    for (int64_t k = 0; k < s->reduction.size; k++)
        if (fabs(s->x[k]) <= DBL_EPSILON * most) s->x[k] = 0.0;
    fold_within_bounds(s, problem->m, s->trial_lambda);
    return saddle__dense_delassus_velocity(&s->mass, problem, s->trial_lambda, s->trial_v);
}

/* The answer of the basis listed. */
static saddle_status refine(saddle__lemke *s, const saddle_solver_call *call,
                            const saddle_problem *problem, saddle_solution *solution, double *total)
{
    take_values(s);
    if (!saddle__lemke_factor_basis(s, problem)) return SADDLE_OK;
    fold_within_bounds(s, problem->m, s->trial_lambda);
    saddle_status status = saddle__dense_delassus_velocity(&s->mass, problem, s->trial_lambda,
                                                           s->trial_v);
    int64_t most = call->options->max_refinements + 1;
    double last = (double)INFINITY;
    for (int64_t k = 0; status == SADDLE_OK && k < most; k++) {
        saddle__expansion_fold(&s->expansion, problem->m, s->x, 1, s->trial_lambda);
        status = saddle__lemke_slack(s, problem, s->trial_v, s->trial_lambda);
        if (status == SADDLE_OK) status = correct(s, problem, s->trial_v);
        if (status != SADDLE_OK) return status;
        fold_within_bounds(s, problem->m, s->trial_lambda);
        double residual = saddle__lemke_judge(s, call, problem, solution);
        call->report->refinements += k > 0;
        int gains = residual < 0.5 * last;
        last = fmin(last, residual);
        *total = fmin(*total, residual);
        if (residual <= finest || (!gains && k > 1)) break;
    }
    if (status != SADDLE_OK || *total <= call->options->tolerance) return status;
    status = clear_rounding(s, problem);
    if (status == SADDLE_OK) *total = fmin(*total, saddle__lemke_judge(s, call, problem, solution));
    return status;
}

saddle_status saddle__lemke_answer(saddle__lemke *s, const saddle_solver_call *call,
                                   const saddle_problem *problem, saddle_solution *solution,
                                   double *total)
{
    saddle_status status = SADDLE_OK;
    *total = (double)INFINITY;
    for (int whole = 0; whole < 2 && status == SADDLE_OK && !(*total <= call->options->tolerance);
         whole++) {
        if (!list_basis(s, whole)) continue;
        if (whole) keep_independent(s, problem);
        status = refine(s, call, problem, solution, total);
    }
    return status;
}
