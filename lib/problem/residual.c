/* SPDX-License-Identifier: MIT */
/* The independent checker.  include/saddle/residual.h states the measures; docs/theory.md, section 3, derives them.
 *
 * One pass over M, one over J, one over R form at once the products, the row sums that scale them and the Delassus diagonal.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/cone.h"
#include "saddle/residual.h"

typedef struct checker {
    const saddle_problem *problem;
    const double *v;
    const double *lambda;
    double *defect;       /* n: M v - J'lambda - f                                       */
    double *sum_M;        /* n: row sums of |M|                                          */
    double *sum_Jt;       /* n: row sums of |J'|                                         */
    double *inverse_mass; /* n: 1 / |M_jj|, 0 where M_jj = 0                             */
    double *w;            /* m: J v + R lambda - b                                       */
    double *sum_R;        /* m: row sums of |R|                                          */
    double *step;         /* m: the Delassus diagonal first, then rho_i                  */
    double norm_J;        /* largest row sum of |J|                                      */
    double scale;         /* |J||v| + |R||lambda| + |b|                                  */
} checker;

int64_t saddle_residual_work_size(const saddle_problem *problem)
{
    return 4 * problem->n + 3 * problem->m;
}

static double norm_max(const double *x, int64_t n)
{
    double largest = 0.0;
    for (int64_t i = 0; x && i < n; i++) largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    return largest;
}

static int all_finite(const double *x, int64_t n)
{
    double sum = 0.0; /* 0 * x is NaN exactly where x is not finite */
    for (int64_t i = 0; i < n; i++) sum += 0.0 * x[i];
    return sum == 0.0;
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
    c.defect = work;
    c.sum_M = work + n;
    c.sum_Jt = work + 2 * n;
    c.inverse_mass = work + 3 * n;
    c.w = work + 4 * n;
    c.sum_R = c.w + m;
    c.step = c.sum_R + m;
    if (n + m > 0) memset(work, 0, (size_t)saddle_residual_work_size(problem) * sizeof *work);
    return c;
}

/* y += A x, sum += |A| 1, *diagonal of a column */
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
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
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

static void pass_constraints(checker *c)
{
    const saddle_matrix *Jt = &c->problem->Jt;
    if (!Jt->start) return;
    for (int64_t i = 0; i < Jt->cols; i++) {
        double impulse = c->lambda[i];
        double velocity = 0.0;
        double sum = 0.0;
        double delassus = 0.0;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            int64_t j = Jt->index[k];
            double a = Jt->value[k];
            velocity += a * c->v[j];
            sum += fabs(a);
            delassus += a * a * c->inverse_mass[j];
            c->defect[j] -= a * impulse;
            c->sum_Jt[j] += fabs(a);
        }
        c->w[i] += velocity;
        c->step[i] += delassus;
        if (c->step[i] == 0.0) c->step[i] = sum; /* a row that moves no mass: any positive step will do */
        c->norm_J = fmax(c->norm_J, sum);
    }
}

static void form_products(checker *c)
{
    const saddle_problem *p = c->problem;
    pass_square(&p->M, c->v, c->defect, c->sum_M, c->inverse_mass);
    for (int64_t j = 0; j < p->n; j++)
        c->inverse_mass[j] = c->inverse_mass[j] == 0.0 ? 0.0 : 1.0 / fabs(c->inverse_mass[j]);
    pass_square(&p->R, c->lambda, c->w, c->sum_R, c->step);
    pass_constraints(c);
    for (int64_t j = 0; p->f && j < p->n; j++) c->defect[j] -= p->f[j];
    for (int64_t i = 0; p->b && i < p->m; i++) c->w[i] -= p->b[i];
    for (int64_t i = 0; i < p->m; i++) {
        double delassus = fabs(c->step[i]);
        if (delassus == 0.0) delassus = c->sum_R[i];
        if (delassus == 0.0) delassus = 1.0;
        c->step[i] = 1.0 / fmin(fmax(delassus, DBL_MIN), DBL_MAX);
    }
    c->scale = c->norm_J * norm_max(c->v, p->n) + norm_max(c->sum_R, p->m) * norm_max(c->lambda, p->m) +
               norm_max(p->b, p->m);
}

/* |lambda - P(lambda - rho w)| / rho on [lo, hi], each case written so that nothing cancels */
static double bound_defect(double lambda, double w, double rho, double lo, double hi)
{
    double moved = lambda - rho * w;
    if (moved < lo) return fabs(lambda - lo) / rho;
    if (moved > hi) return fabs(lambda - hi) / rho;
    return fabs(w);
}

static double box_defect(const checker *c, const saddle_contact *contact)
{
    int64_t i = contact->row;
    double worst = bound_defect(c->lambda[i], c->w[i], c->step[i], 0.0, (double)INFINITY);
    double limit = contact->mu * fmax(c->lambda[i], 0.0);
    for (int64_t t = i + 1; t < i + contact->size; t++)
        worst = fmax(worst, bound_defect(c->lambda[t], c->w[t], c->step[t], -limit, limit));
    return worst;
}

static double pyramid_defect(const checker *c, const saddle_contact *contact)
{
    if (contact->size == 2) return box_defect(c, contact); /* in the plane conv(D) = [-1, 1] */
    int64_t i = contact->row;
    double worst = bound_defect(c->lambda[i], c->w[i], c->step[i], 0.0, (double)INFINITY);
    double rho = fmin(c->step[i + 1], c->step[i + 2]);
    const double *lt = c->lambda + i + 1;
    const double *wt = c->w + i + 1;
    double t[2] = {lt[0] - rho * wt[0], lt[1] - rho * wt[1]};
    double before[2] = {t[0], t[1]};
    saddle__project_polygon(contact->mu * fmax(c->lambda[i], 0.0), saddle_problem_facets(c->problem), t);
    if (t[0] == before[0] && t[1] == before[1]) return fmax(worst, fmax(fabs(wt[0]), fabs(wt[1])));
    return fmax(worst, fmax(fabs(lt[0] - t[0]), fabs(lt[1] - t[1])) / rho);
}

/* difference[size] = lambda_c - P_K(lambda_c - rho s_c) */
static void cone_difference(const checker *c, const saddle_contact *contact, double rho, double *difference)
{
    const double *lambda = c->lambda + contact->row;
    double s[3] = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < contact->size; i++) s[i] = c->w[contact->row + i];
    if (c->problem->law == SADDLE_LAW_CONE) s[0] += contact->mu * (contact->size == 3 ? hypot(s[1], s[2]) : fabs(s[1]));
    double x[3] = {0.0, 0.0, 0.0};
    double moved[3] = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < contact->size; i++) moved[i] = x[i] = lambda[i] - rho * s[i];
    saddle__project_cone(contact->mu, contact->size, x);
    int inside = 1;
    for (int64_t i = 0; i < contact->size; i++) inside = inside && x[i] == moved[i];
    for (int64_t i = 0; i < contact->size; i++) difference[i] = inside ? rho * s[i] : lambda[i] - x[i];
}

static double cone_defect(const checker *c, const saddle_contact *contact)
{
    double rho = c->step[contact->row];
    for (int64_t i = 1; i < contact->size; i++) rho = fmin(rho, c->step[contact->row + i]);
    double difference[3];
    cone_difference(c, contact, rho, difference);
    return norm_max(difference, contact->size) / rho;
}

static int has_cone_law(const saddle_problem *problem)
{
    return problem->law == SADDLE_LAW_CONE || problem->law == SADDLE_LAW_ASSOCIATED;
}

static double contact_defect(const checker *c, const saddle_contact *contact)
{
    if (c->problem->law == SADDLE_LAW_BOX) return box_defect(c, contact);
    if (c->problem->law == SADDLE_LAW_PYRAMID) return pyramid_defect(c, contact);
    return cone_defect(c, contact);
}

static void measure_rows(const checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    double worst = 0.0;
    double rows = 0.0;
    double cone = 0.0;
    int64_t next = 0; /* contact */
    for (int64_t i = 0; i < p->m; i++) {
        double defect;
        int64_t size = 1;
        if (next < p->contact_count && p->contacts[next].row == i) {
            size = p->contacts[next].size;
            defect = contact_defect(c, &p->contacts[next++]);
            if (has_cone_law(p))
                cone = fmax(cone, defect);
            else
                rows = fmax(rows, defect);
        } else {
            defect = bound_defect(c->lambda[i], c->w[i], c->step[i], saddle_problem_lo(p, i), saddle_problem_hi(p, i));
            rows = fmax(rows, defect);
        }
        if (defect > worst) {
            worst = defect;
            residual->worst_row = i;
        }
        i += size - 1;
    }
    residual->rows = ratio(rows, c->scale);
    residual->cone = ratio(cone, c->scale);
}

static void measure_dynamics(const checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    double worst = 0.0;
    for (int64_t j = 0; j < p->n; j++)
        if (fabs(c->defect[j]) > worst) {
            worst = fabs(c->defect[j]);
            residual->worst_velocity = j;
        }
    double scale = norm_max(c->sum_M, p->n) * norm_max(c->v, p->n) + norm_max(c->sum_Jt, p->n) * norm_max(c->lambda, p->m) +
                   norm_max(p->f, p->n);
    residual->dynamics = ratio(worst, scale);
}

/* Siconos' and FCLIB's figure: rho = 1, 2-norms */
static void measure_natural_map(const checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    double squares = 0.0;
    double b = 0.0;
    double l = 0.0;
    double w = 0.0;
    for (int64_t k = 0; has_cone_law(p) && k < p->contact_count; k++) {
        double difference[3];
        cone_difference(c, &p->contacts[k], 1.0, difference);
        for (int64_t i = 0; i < p->contacts[k].size; i++) {
            int64_t row = p->contacts[k].row + i;
            squares += difference[i] * difference[i];
            b += p->b ? p->b[row] * p->b[row] : 0.0;
            l += c->lambda[row] * c->lambda[row];
            w += c->w[row] * c->w[row];
        }
    }
    residual->natural_map = ratio(sqrt(squares), sqrt(fmax(b, fmax(l, w))));
}

void saddle_residual_compute(const saddle_problem *problem, const double *v, const double *lambda, double *w, double *work,
                             saddle_residual *residual)
{
    saddle_residual measured = {.worst_velocity = -1, .worst_row = -1};
    checker c = lay_out(problem, v, lambda, work);
    form_products(&c);
    measure_dynamics(&c, &measured);
    measure_rows(&c, &measured);
    measure_natural_map(&c, &measured);
    measured.total = fmax(measured.dynamics, fmax(measured.rows, measured.cone));
    int sound = all_finite(v, problem->n) && all_finite(lambda, problem->m) && all_finite(c.defect, problem->n) &&
                all_finite(c.w, problem->m);
    if (!sound) measured.total = (double)INFINITY;
    if (w && problem->m > 0) memcpy(w, c.w, (size_t)problem->m * sizeof *w);
    *residual = measured;
}

saddle_status saddle_solution_check(saddle_context *context, const saddle_problem *problem, const saddle_solution *solution,
                                    saddle_residual *residual, double *w_error)
{
    if (solution->n != problem->n || solution->m != problem->m)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the solution has n = %lld, m = %lld; the problem has n = %lld, m = %lld",
                           (long long)solution->n, (long long)solution->m, (long long)problem->n, (long long)problem->m);
    double *work = saddle_allocate(context, saddle_residual_work_size(problem), sizeof *work);
    if (!work) return SADDLE_OUT_OF_MEMORY;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, work, residual);
    if (w_error) {
        checker c = lay_out(problem, solution->v, solution->lambda, work);
        form_products(&c);
        double worst = 0.0;
        for (int64_t i = 0; i < problem->m; i++) worst = fmax(worst, fabs(solution->w[i] - c.w[i]));
        *w_error = ratio(worst, c.scale);
    }
    saddle_release(context, work);
    return SADDLE_OK;
}
