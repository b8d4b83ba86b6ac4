/* SPDX-License-Identifier: MIT */
/* The independent checker.  include/saddle/residual.h states the measures; docs/theory.md, section 3, derives them.
 *
 * One pass over M, one over J, one over R form at once the products, the row sums that scale them and the Delassus diagonal.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/natural_map.h"
#include "problem/residual_internal.h"
#include "saddle/residual.h"

int64_t saddle_residual_work_size(const saddle_problem *problem)
{
    if (!problem) return 0;
    return 4 * problem->n + 3 * problem->m;
}

saddle__checker saddle__checker_lay_out(const saddle_problem *problem, const double *v, const double *lambda,
                                        double *work)
{
    int64_t n = problem->n;
    int64_t m = problem->m;
    saddle__checker c = {.problem = problem, .v = v, .lambda = lambda, .least_estimate = (double)INFINITY};
    if (!work) return c; /* n = m = 0 needs none */
    c.defect = work;
    c.sum_M = work + n;
    c.free = c.sum_M; /* which is done with when free is formed */
    c.sum_Jt = work + 2 * n;
    c.inverse_mass = work + 3 * n;
    c.w = work + 4 * n;
    c.sum_R = c.w + m;
    c.delassus = c.sum_R + m;
    return c;
}

static saddle__checker set_out(const saddle_problem *problem, const double *v, const double *lambda, double *work)
{
    int64_t n = problem->n;
    int64_t zeros =
        problem->R.start ? 4 * n + 3 * problem->m : 4 * n; /* without R nothing is added up in the rows' arrays */
    if (work && zeros > 0) memset(work, 0, (size_t)zeros * sizeof *work);
    return saddle__checker_lay_out(problem, v, lambda, work);
}

/* ---- the products: one pass over each matrix forms product, row sums of moduli and diagonal together ---- */

/* A column whose rows follow each other: y += a xj, sum += |a|. */
static void pass_run(int64_t count, const double *restrict a, double xj, double *restrict y, double *restrict sum)
{
    for (int64_t i = 0; i < count; i++) {
        y[i] += a[i] * xj;
        sum[i] += fabs(a[i]);
    }
}

/* a'x and, in *modulus, |a|'1 of such a column: two sums each, side by side */
static double product_of_run(int64_t count, const double *a, const double *x, double *modulus)
{
    double sum[2] = {0.0, 0.0};
    double moduli[2] = {0.0, 0.0};
    int64_t i = 0;
    for (; i + 2 <= count; i += 2) {
        sum[0] += a[i] * x[i];
        sum[1] += a[i + 1] * x[i + 1];
        moduli[0] += fabs(a[i]);
        moduli[1] += fabs(a[i + 1]);
    }
    for (; i < count; i++) {
        sum[0] += a[i] * x[i];
        moduli[0] += fabs(a[i]);
    }
    *modulus += moduli[0] + moduli[1];
    return sum[0] + sum[1];
}

/* y += A x, sum += |A| 1, diagonal += diag(A) */
static void pass_symmetric(const saddle_matrix *A, const double *x, double *y, double *sum, double *diagonal)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = x[j];
        double yj = 0.0;
        double sj = 0.0;
        int64_t k = A->start[j];
        int64_t end = A->start[j + 1];
        if (k < end && A->index[k] == j) {
            diagonal[j] += A->value[k];
            yj = A->value[k] * xj;
            sj = fabs(A->value[k]);
            k++;
        }
        if (k < end && end - k == A->rows - A->index[k]) {
            int64_t first = A->index[k];
            pass_run(end - k, A->value + k, xj, y + first, sum + first);
            yj += product_of_run(end - k, A->value + k, x + first, &sj);
            k = end;
        }
        for (; k < end; k++) {
            int64_t i = A->index[k];
            double a = A->value[k];
            y[i] += a * xj;
            yj += a * x[i];
            sum[i] += fabs(a);
            sj += fabs(a);
        }
        y[j] += yj;
        sum[j] += sj;
    }
}

static void pass_general(const saddle_matrix *A, const double *x, double *y, double *sum, double *diagonal)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = x[j];
        int64_t k = A->start[j];
        int64_t end = A->start[j + 1];
        if (end - k == A->rows) {
            pass_run(A->rows, A->value + k, xj, y, sum);
            diagonal[j] += A->value[k + j];
            k = end;
        }
        for (; k < end; k++) {
            int64_t i = A->index[k];
            double a = A->value[k];
            y[i] += a * xj;
            sum[i] += fabs(a);
            if (i == j) diagonal[j] += a;
        }
    }
}

static void pass_square(const saddle_matrix *A, const double *x, double *y, double *sum, double *diagonal)
{
    if (!A->start) return;
    if (A->symmetry == SADDLE_SYMMETRIC)
        pass_symmetric(A, x, y, sum, diagonal);
    else
        pass_general(A, x, y, sum, diagonal);
}

typedef struct row_sums {
    double velocity; /* J_i v                     */
    double modulus;  /* sum of |J_ij|             */
    double delassus; /* J_i diag(|M|)^-1 J_i'     */
    double push;     /* |J_i| diag(|M|)^-1 |f|    */
} row_sums;

/* Row i of J; defect -= J_i' lambda_i on the way. */
static row_sums pass_row(saddle__checker *c, const saddle_matrix *Jt, int64_t i)
{
    row_sums sums = {0.0, 0.0, 0.0, 0.0};
    double impulse = c->lambda[i];
    int64_t end = Jt->start[i + 1];
    for (int64_t k = Jt->start[i]; k < end; k++) {
        int64_t j = Jt->index[k];
        double a = Jt->value[k];
        sums.velocity += a * c->v[j];
        sums.modulus += fabs(a);
        sums.delassus += a * a * c->inverse_mass[j];
        sums.push += fabs(a) * c->free[j];
        c->defect[j] -= a * impulse;
        c->sum_Jt[j] += fabs(a);
    }
    return sums;
}

/* What of its row's entries a diagonal counts as at least. */
static const double least_share = 0.01;

/* A diagonal that is tiny beside its row, R_ii beside |R_ij|, says nothing of how far the row's impulse pushes: w would
 * not count beside it.  A row that moves no mass takes any positive estimate. */
static double usable(double estimate, double moduli, double sum_J)
{
    double d = saddle__larger(estimate, least_share * moduli);
    if (d == 0.0) d = sum_J;
    if (d == 0.0) d = 1.0;
    return d < DBL_MIN ? DBL_MIN : (d > DBL_MAX ? DBL_MAX : d);
}

static void note_estimate(saddle__checker *c, double estimate)
{
    if (estimate > 0.0 && !(c->least_estimate <= estimate)) c->least_estimate = estimate;
    if (estimate > c->most_estimate) c->most_estimate = estimate;
}

/* From the diagonal of M, which stands in inverse_mass, and its row sums: 1/|M_jj|, the free velocities, the norms of M and v.
 * A velocity without mass of its own takes its row sum. */
static void invert_masses(saddle__checker *c)
{
    const double *f = c->problem->f;
    for (int64_t j = 0; j < c->problem->n; j++) {
        double mass = fabs(c->inverse_mass[j]);
        if (mass == 0.0) mass = c->sum_M[j];
        c->norm_M = saddle__larger(c->norm_M, c->sum_M[j]);
        c->norm_v = saddle__larger(c->norm_v, fabs(c->v[j]));
        c->poison += 0.0 * c->v[j];
        c->inverse_mass[j] = mass == 0.0 ? 0.0 : 1.0 / mass;
        c->free[j] = f ? fabs(f[j]) * c->inverse_mass[j] : 0.0;
    }
}

static void form_products(saddle__checker *c)
{
    const saddle_problem *p = c->problem;
    const saddle_matrix *Jt = p->n > 0 && p->Jt.start ? &p->Jt : NULL;
    int has_R = p->R.start != NULL;
    double norm_J = 0.0;
    double norm_b = 0.0;
    double push = 0.0;
    pass_square(&p->M, c->v, c->defect, c->sum_M, c->inverse_mass);
    invert_masses(c);
    pass_square(&p->R, c->lambda, c->w, c->sum_R, c->delassus);
    for (int64_t i = 0; i < p->m; i++) {
        row_sums J = {0.0, 0.0, 0.0, 0.0};
        if (Jt) J = pass_row(c, Jt, i);
        double b = p->b ? p->b[i] : 0.0;
        double sum_R = has_R ? c->sum_R[i] : 0.0;
        double w = (has_R ? c->w[i] : 0.0) + J.velocity - b;
        c->w[i] = w;
        double estimate = fabs((has_R ? c->delassus[i] : 0.0) + J.delassus);
        note_estimate(c, estimate);
        c->delassus[i] = usable(estimate, sum_R + J.delassus, J.modulus);
        norm_J = saddle__larger(norm_J, J.modulus);
        push = saddle__larger(push, J.push);
        norm_b = saddle__larger(norm_b, fabs(b));
        c->norm_R = saddle__larger(c->norm_R, sum_R);
        c->norm_lambda = saddle__larger(c->norm_lambda, fabs(c->lambda[i]));
        c->poison += 0.0 * w + 0.0 * c->lambda[i];
    }
    c->data = norm_J * c->norm_v + norm_b + push;
}

/* ---- the measures ---- */

/* work = sum_j |A_ij||x_j|, the largest of them returned */
static double largest_modulus(const saddle_matrix *A, const double *x, double *work)
{
    double most = 0.0;
    saddle__moduli(A, x, work);
    for (int64_t i = 0; i < A->rows; i++) most = saddle__larger(most, work[i]);
    return most;
}

/* u max_i sum_j |A_ij||lambda_j|, to which the products of the impulses are known; 0 where their part by norms, pushed, is not
 * beyond all measure. */
static double rounding_of(double data, double pushed, const saddle_matrix *A, const double *lambda, double *work)
{
    if (!A->start || pushed <= saddle__most_excused * data) return 0.0;
    return DBL_EPSILON * largest_modulus(A, lambda, work);
}

static double relative_row_defect(const saddle__checker *c, double defect)
{
    double data = c->data + c->lent;
    double pushed = saddle__larger(c->norm_R * c->norm_lambda - c->lent, 0.0);
    double rounding = rounding_of(data, pushed, &c->problem->R, c->lambda, c->sum_R); /* sum_R is done with */
    return saddle__relative_defect(defect, rounding, data, pushed);
}

static saddle__worst measure_contacts(const saddle__checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    saddle__row_state at = {.problem = p, .lambda = c->lambda, .w = c->w, .delassus = c->delassus};
    saddle__natural_sums sums = {0};
    saddle__worst most = {0.0, -1};
    for (int64_t k = 0; k < p->contact_count; k++)
        saddle__note_worst(&most, saddle__contact_defect(&at, &p->contacts[k], &sums), p->contacts[k].row);
    residual->natural_map = saddle__ratio(sqrt(sums.map), sqrt(saddle__larger(sums.b, saddle__larger(sums.lambda, sums.w))));
    return most;
}

/* Rows outside contacts. */
static saddle__worst measure_rows(saddle__checker *c)
{
    const saddle_problem *p = c->problem;
    saddle__worst most = {0.0, -1};
    double impulse = 0.0;
    double push = 0.0;
    int64_t next = 0; /* contact */
    for (int64_t i = 0; i < p->m; i++) {
        if (next < p->contact_count && p->contacts[next].row == i) {
            i += p->contacts[next++].size - 1;
            continue;
        }
        double lo = saddle__lo(p, i);
        double hi = saddle__hi(p, i);
        double lent = saddle__lent_impulse(c, i);
        impulse = saddle__larger(impulse, lent);
        push = saddle__larger(push, c->delassus[i] * lent);
        saddle__note_worst(&most, saddle__bound_defect(c->lambda[i], c->w[i], c->delassus[i], lo, hi), i);
    }
    c->lent = saddle__larger(c->norm_R * impulse, push);
    return most;
}

/* Whether row i moves a velocity without any mass, which would do what b asks without an impulse. */
static int moves_massless(const saddle__checker *c, int64_t i)
{
    const saddle_matrix *Jt = &c->problem->Jt;
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
        if (Jt->value[k] != 0.0 && c->inverse_mass[Jt->index[k]] == 0.0) return 1;
    return 0;
}

/* max_j sum_i |J_ij|(|b_i|/d_i + l_i): the momentum that rows alone would ask for, and that of the impulses l that finite
 * bounds lend, of rows outside contacts.  work: n */
static double asked_momentum(const saddle__checker *c, double *work)
{
    const saddle_problem *p = c->problem;
    const saddle_matrix *Jt = &p->Jt;
    int64_t next = 0; /* contact */
    for (int64_t j = 0; j < p->n; j++) work[j] = 0.0;
    for (int64_t i = 0; p->n > 0 && Jt->start && i < p->m; i++) {
        while (next < p->contact_count && p->contacts[next].row + p->contacts[next].size <= i) next++;
        double impulse = p->b && !moves_massless(c, i) ? fabs(p->b[i]) / c->delassus[i] : 0.0;
        if (next == p->contact_count || i < p->contacts[next].row) impulse += saddle__lent_impulse(c, i);
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) work[Jt->index[k]] += fabs(Jt->value[k]) * impulse;
    }
    double most = 0.0;
    for (int64_t j = 0; j < p->n; j++) most = saddle__larger(most, work[j]);
    return most;
}

static void measure_dynamics(saddle__checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    saddle__worst most = {0.0, -1};
    double norm_Jt = 0.0;
    double norm_f = 0.0;
    for (int64_t j = 0; j < p->n; j++) {
        double f = p->f ? p->f[j] : 0.0;
        double defect = c->defect[j] - f;
        saddle__note_worst(&most, fabs(defect), j);
        norm_Jt = saddle__larger(norm_Jt, c->sum_Jt[j]);
        norm_f = saddle__larger(norm_f, fabs(f));
        c->poison += 0.0 * defect;
    }
    double data = c->norm_M * c->norm_v + norm_f;
    double pushed = norm_Jt * c->norm_lambda;
    double rounding = rounding_of(data, pushed, &p->Jt, c->lambda, c->sum_Jt); /* sum_Jt is done with */
    int large = rounding > 0.0 || most.defect > saddle__unexcused * data;
    if (large) data += asked_momentum(c, c->defect); /* defect is done with */
    residual->dynamics = saddle__relative_defect(most.defect, rounding, data, pushed);
    residual->worst_velocity = most.index;
}

void saddle_residual_compute(const saddle_problem *problem, const double *v, const double *lambda, double *w, double *work,
                             saddle_residual *residual)
{
    if (!problem || !residual || ((!v || !work) && problem->n > 0) || ((!lambda || !work) && problem->m > 0)) return;
    saddle_residual measured = {.worst_velocity = -1, .worst_row = -1};
    saddle__checker c = set_out(problem, v, lambda, work);
    form_products(&c);
    measure_dynamics(&c, &measured);
    saddle__worst row = measure_rows(&c);
    saddle__worst contact = measure_contacts(&c, &measured);
    int cones = problem->law == SADDLE_LAW_CONE || problem->law == SADDLE_LAW_ASSOCIATED;
    measured.rows = relative_row_defect(&c, cones ? row.defect : saddle__larger(row.defect, contact.defect));
    measured.cone = cones ? relative_row_defect(&c, contact.defect) : 0.0;
    measured.worst_row = row.defect >= contact.defect ? row.index : contact.index;
    saddle__worst in_units = saddle__rows_in_own_units(&c);
    if (in_units.defect > saddle__larger(measured.rows, measured.cone)) measured.worst_row = in_units.index;
    measured.rows = saddle__larger(measured.rows, in_units.defect);
    measured.total = saddle__larger(measured.dynamics, saddle__larger(measured.rows, measured.cone));
    if (c.poison != 0.0) measured.total = (double)INFINITY;
    if (w && problem->m > 0) memcpy(w, c.w, (size_t)problem->m * sizeof *w);
    *residual = measured;
}

static int is_whole(const saddle_solution *solution, int with_w)
{
    int v = solution->n == 0 || solution->v;
    int rows = solution->m == 0 || (solution->lambda && (!with_w || solution->w));
    return v && rows;
}

saddle_status saddle_solution_check(saddle_context *context, const saddle_problem *problem, const saddle_solution *solution,
                                    saddle_residual *residual, double *w_error)
{
    if (!problem || !solution || !residual)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_solution_check: problem, solution or residual is NULL");
    if (solution->n != problem->n || solution->m != problem->m)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the solution has n = %lld, m = %lld; the problem has n = %lld, m = %lld",
                           (long long)solution->n, (long long)solution->m, (long long)problem->n, (long long)problem->m);
    if (!is_whole(solution, w_error != NULL))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the solution lacks v, lambda or w");
    double *work = saddle_allocate(context, saddle_residual_work_size(problem), sizeof *work);
    if (!work) return SADDLE_OUT_OF_MEMORY;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, work, residual);
    if (w_error) {
        saddle__checker c = set_out(problem, solution->v, solution->lambda, work);
        form_products(&c);
        double most = 0.0;
        for (int64_t i = 0; i < problem->m; i++) {
            most = saddle__larger(most, fabs(solution->w[i] - c.w[i]));
            c.poison += 0.0 * solution->w[i];
        }
        *w_error = c.poison == 0.0 ? saddle__ratio(most, c.data + c.norm_R * c.norm_lambda) : (double)INFINITY;
    }
    saddle_release(context, work);
    return SADDLE_OK;
}
