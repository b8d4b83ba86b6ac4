/* SPDX-License-Identifier: MIT */
/* The independent checker.  include/saddle/residual.h states the measures; docs/theory.md, section 3, derives them.
 *
 * One pass over M, one over J, one over R form at once the products, the row sums that scale them and the Delassus diagonal.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/natural_map.h"
#include "saddle/residual.h"

typedef struct checker {
    const saddle_problem *problem;
    const double *v;
    const double *lambda;
    double *defect;       /* n: M v - J'lambda                                           */
    double *sum_M;        /* n: row sums of |M|                                          */
    double *free;         /* n: |f_j| / |M_jj|, the velocity that f alone would give     */
    double *sum_Jt;       /* n: row sums of |J'|                                         */
    double *inverse_mass; /* n: 1 / |M_jj|, 0 where M_jj = 0                             */
    double *w;            /* m: J v + R lambda - b                                       */
    double *sum_R;        /* m: row sums of |R|                                          */
    double *delassus;     /* m: d_i = 1 / rho_i, the estimate of the Delassus diagonal   */
    double norm_v;
    double norm_lambda;
    double norm_M;
    double norm_R;
    double data;          /* |J||v| + |b| + what f pushes the rows with                  */
    double lent;          /* what the impulses that finite bounds allow push them with   */
    double poison;        /* 0 as long as v, lambda, w and the defect are finite, else NaN */
} checker;

int64_t saddle_residual_work_size(const saddle_problem *problem)
{
    return 4 * problem->n + 3 * problem->m;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* 0/0 is 0; sums that overflowed say nothing good */
static double ratio(double numerator, double denominator)
{
    if (!isfinite(denominator)) return (double)INFINITY;
    return numerator == 0.0 ? 0.0 : numerator / denominator;
}

static checker lay_out(const saddle_problem *problem, const double *v, const double *lambda, double *work)
{
    int64_t n = problem->n;
    int64_t m = problem->m;
    checker c = {.problem = problem, .v = v, .lambda = lambda};
    if (!work) return c; /* n = m = 0 needs none */
    c.defect = work;
    c.sum_M = work + n;
    c.free = c.sum_M; /* which is done with when free is formed */
    c.sum_Jt = work + 2 * n;
    c.inverse_mass = work + 3 * n;
    c.w = work + 4 * n;
    c.sum_R = c.w + m;
    c.delassus = c.sum_R + m;
    int64_t zeros = problem->R.start ? 4 * n + 3 * m : 4 * n; /* without R nothing is added up in the rows' arrays */
    if (zeros > 0) memset(work, 0, (size_t)zeros * sizeof *work);
    return c;
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
static row_sums pass_row(checker *c, const saddle_matrix *Jt, int64_t i)
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
    double d = larger(fabs(estimate), least_share * moduli);
    if (d == 0.0) d = sum_J;
    if (d == 0.0) d = 1.0;
    return d < DBL_MIN ? DBL_MIN : (d > DBL_MAX ? DBL_MAX : d);
}

/* From the diagonal of M, which stands in inverse_mass, and its row sums: 1/|M_jj|, the free velocities, the norms of M and v.
 * A velocity without mass of its own takes its row sum. */
static void invert_masses(checker *c)
{
    const double *f = c->problem->f;
    for (int64_t j = 0; j < c->problem->n; j++) {
        double mass = fabs(c->inverse_mass[j]);
        if (mass == 0.0) mass = c->sum_M[j];
        c->norm_M = larger(c->norm_M, c->sum_M[j]);
        c->norm_v = larger(c->norm_v, fabs(c->v[j]));
        c->poison += 0.0 * c->v[j];
        c->inverse_mass[j] = mass == 0.0 ? 0.0 : 1.0 / mass;
        c->free[j] = f ? fabs(f[j]) * c->inverse_mass[j] : 0.0;
    }
}

static void form_products(checker *c)
{
    const saddle_problem *p = c->problem;
    const saddle_matrix *Jt = p->Jt.start ? &p->Jt : NULL;
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
        c->delassus[i] = usable((has_R ? c->delassus[i] : 0.0) + J.delassus, sum_R + J.delassus, J.modulus);
        norm_J = larger(norm_J, J.modulus);
        push = larger(push, J.push);
        norm_b = larger(norm_b, fabs(b));
        c->norm_R = larger(c->norm_R, sum_R);
        c->norm_lambda = larger(c->norm_lambda, fabs(c->lambda[i]));
        c->poison += 0.0 * w + 0.0 * c->lambda[i];
    }
    c->data = norm_J * c->norm_v + norm_b + push;
}

/* ---- the measures ---- */

typedef struct worst {
    double defect;
    int64_t index;
} worst;

static void note_worst(worst *most, double defect, int64_t index)
{
    if (!(defect > most->defect)) return;
    most->defect = defect;
    most->index = index;
}

/* ---- what large impulses excuse ---- */

/* work = sum_j |A_ij||x_j|, the largest of them returned */
static double largest_modulus(const saddle_matrix *A, const double *x, double *work)
{
    for (int64_t i = 0; i < A->rows; i++) work[i] = 0.0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            work[i] += fabs(A->value[k] * x[j]);
            if (A->symmetry == SADDLE_SYMMETRIC && i != j) work[j] += fabs(A->value[k] * x[i]);
        }
    double most = 0.0;
    for (int64_t i = 0; i < A->rows; i++) most = larger(most, work[i]);
    return most;
}

static const double unexcused = 0.01;   /* of the data: a defect that large impulses do not excuse              */
static const double most_excused = 1e6; /* times the data: what they count for beside a defect beyond rounding  */
static const double rounded = 4.0;      /* times u |A||x|: what the products and a solution's own rounding leave */

/* u max_i sum_j |A_ij||lambda_j|, to which the products of the impulses are known; 0 where their part by norms, pushed, is not
 * beyond all measure. */
static double rounding_of(double data, double pushed, const saddle_matrix *A, const double *lambda, double *work)
{
    if (!A->start || pushed <= most_excused * data) return 0.0;
    return DBL_EPSILON * largest_modulus(A, lambda, work);
}

/* A defect against the data and the impulses' part, |R||lambda| or |J'||lambda|.  Those of contradictory or redundant rows may
 * grow until any defect is small beside them, so that they do not excuse one above a hundredth of the data, nor one that is
 * known to no better than that; and of a smaller one only what is rounding counts against all of them. */
static double relative_defect(double defect, double rounding, double data, double pushed)
{
    double known = larger(defect, rounding);
    if (data > 0.0 && known > unexcused * data) return ratio(known, data);
    double excused = defect < rounded * rounding ? defect : rounded * rounding;
    double counted = data > 0.0 && pushed > most_excused * data ? most_excused * data : pushed;
    return ratio(excused, data + pushed) + ratio(defect - excused, data + counted);
}

static double relative_row_defect(const checker *c, double defect)
{
    double data = c->data + c->lent;
    double pushed = larger(c->norm_R * c->norm_lambda - c->lent, 0.0);
    double rounding = rounding_of(data, pushed, &c->problem->R, c->lambda, c->sum_R); /* sum_R is done with */
    return relative_defect(defect, rounding, data, pushed);
}

static worst measure_contacts(const checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    saddle__row_state at = {.problem = p, .lambda = c->lambda, .w = c->w, .delassus = c->delassus};
    saddle__natural_sums sums = {0};
    worst most = {0.0, -1};
    for (int64_t k = 0; k < p->contact_count; k++)
        note_worst(&most, saddle__contact_defect(&at, &p->contacts[k], &sums), p->contacts[k].row);
    residual->natural_map = ratio(sqrt(sums.map), sqrt(larger(sums.b, larger(sums.lambda, sums.w))));
    return most;
}

static double finite_modulus(double bound)
{
    double modulus = fabs(bound);
    return modulus <= DBL_MAX ? modulus : 0.0;
}

/* What a finite bound lends of row i's impulse to the data. */
static double lent_impulse(const checker *c, int64_t i)
{
    const saddle_problem *p = c->problem;
    double allowed = larger(finite_modulus(saddle_problem_lo(p, i)), finite_modulus(saddle_problem_hi(p, i)));
    return fabs(c->lambda[i]) < allowed ? fabs(c->lambda[i]) : allowed;
}

/* Rows outside contacts. */
static worst measure_rows(checker *c)
{
    const saddle_problem *p = c->problem;
    worst most = {0.0, -1};
    double impulse = 0.0;
    double push = 0.0;
    int64_t next = 0; /* contact */
    for (int64_t i = 0; i < p->m; i++) {
        if (next < p->contact_count && p->contacts[next].row == i) {
            i += p->contacts[next++].size - 1;
            continue;
        }
        double lo = saddle_problem_lo(p, i);
        double hi = saddle_problem_hi(p, i);
        double lent = lent_impulse(c, i);
        impulse = larger(impulse, lent);
        push = larger(push, c->delassus[i] * lent);
        note_worst(&most, saddle__bound_defect(c->lambda[i], c->w[i], c->delassus[i], lo, hi), i);
    }
    c->lent = larger(c->norm_R * impulse, push);
    return most;
}

/* max_j sum_i |J_ij|(|b_i|/d_i + l_i): the momentum that rows alone would ask for, and that of the impulses l that finite
 * bounds lend, of rows outside contacts.  work: n */
static double asked_momentum(const checker *c, double *work)
{
    const saddle_problem *p = c->problem;
    const saddle_matrix *Jt = &p->Jt;
    int64_t next = 0; /* contact */
    for (int64_t j = 0; j < p->n; j++) work[j] = 0.0;
    for (int64_t i = 0; Jt->start && i < p->m; i++) {
        while (next < p->contact_count && p->contacts[next].row + p->contacts[next].size <= i) next++;
        double impulse = p->b ? fabs(p->b[i]) / c->delassus[i] : 0.0;
        if (next == p->contact_count || i < p->contacts[next].row) impulse += lent_impulse(c, i);
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) work[Jt->index[k]] += fabs(Jt->value[k]) * impulse;
    }
    double most = 0.0;
    for (int64_t j = 0; j < p->n; j++) most = larger(most, work[j]);
    return most;
}

static void measure_dynamics(checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    worst most = {0.0, -1};
    double norm_Jt = 0.0;
    double norm_f = 0.0;
    for (int64_t j = 0; j < p->n; j++) {
        double f = p->f ? p->f[j] : 0.0;
        double defect = c->defect[j] - f;
        note_worst(&most, fabs(defect), j);
        norm_Jt = larger(norm_Jt, c->sum_Jt[j]);
        norm_f = larger(norm_f, fabs(f));
        c->poison += 0.0 * defect;
    }
    double data = c->norm_M * c->norm_v + norm_f;
    double pushed = norm_Jt * c->norm_lambda;
    double rounding = rounding_of(data, pushed, &p->Jt, c->lambda, c->sum_Jt); /* sum_Jt is done with */
    if (rounding > 0.0 || most.defect > unexcused * data) data += asked_momentum(c, c->defect); /* defect is done with */
    residual->dynamics = relative_defect(most.defect, rounding, data, pushed);
    residual->worst_velocity = most.index;
}

void saddle_residual_compute(const saddle_problem *problem, const double *v, const double *lambda, double *w, double *work,
                             saddle_residual *residual)
{
    saddle_residual measured = {.worst_velocity = -1, .worst_row = -1};
    checker c = lay_out(problem, v, lambda, work);
    form_products(&c);
    measure_dynamics(&c, &measured);
    worst row = measure_rows(&c);
    worst contact = measure_contacts(&c, &measured);
    int cones = problem->law == SADDLE_LAW_CONE || problem->law == SADDLE_LAW_ASSOCIATED;
    measured.rows = relative_row_defect(&c, cones ? row.defect : larger(row.defect, contact.defect));
    measured.cone = cones ? relative_row_defect(&c, contact.defect) : 0.0;
    measured.worst_row = row.defect >= contact.defect ? row.index : contact.index;
    measured.total = larger(measured.dynamics, larger(measured.rows, measured.cone));
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
        checker c = lay_out(problem, solution->v, solution->lambda, work);
        form_products(&c);
        double most = 0.0;
        for (int64_t i = 0; i < problem->m; i++) {
            most = larger(most, fabs(solution->w[i] - c.w[i]));
            c.poison += 0.0 * solution->w[i];
        }
        *w_error = c.poison == 0.0 ? ratio(most, c.data + c.norm_R * c.norm_lambda) : (double)INFINITY;
    }
    saddle_release(context, work);
    return SADDLE_OK;
}
