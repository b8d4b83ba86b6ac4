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
    double *defect;       /* n: M v - J'lambda                                           */
    double *sum_M;        /* n: row sums of |M|                                          */
    double *sum_Jt;       /* n: row sums of |J'|                                         */
    double *inverse_mass; /* n: 1 / |M_jj|, 0 where M_jj = 0                             */
    double *w;            /* m: J v + R lambda - b                                       */
    double *sum_R;        /* m: row sums of |R|                                          */
    double *delassus;     /* m: d_i = 1 / rho_i, the estimate of the Delassus diagonal   */
    double norm_v;
    double norm_lambda;
    double scale;         /* |J||v| + |R||lambda| + |b| + max d_i |lambda_i|             */
    int finite;           /* v, lambda, w and the defect are                             */
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

typedef struct row_sums {
    double velocity; /* J_i v                     */
    double modulus;  /* sum of |J_ij|             */
    double delassus; /* J_i diag(|M|)^-1 J_i'     */
} row_sums;

/* Row i of J; defect -= J_i' lambda_i on the way. */
static row_sums pass_row(checker *c, const saddle_matrix *Jt, int64_t i)
{
    row_sums sums = {0.0, 0.0, 0.0};
    double impulse = c->lambda[i];
    int64_t end = Jt->start[i + 1];
    for (int64_t k = Jt->start[i]; k < end; k++) {
        int64_t j = Jt->index[k];
        double a = Jt->value[k];
        sums.velocity += a * c->v[j];
        sums.modulus += fabs(a);
        sums.delassus += a * a * c->inverse_mass[j];
        c->defect[j] -= a * impulse;
        c->sum_Jt[j] += fabs(a);
    }
    return sums;
}

/* A row that moves no mass takes any positive estimate. */
static double usable(double estimate, double sum_J, double sum_R)
{
    double d = fabs(estimate);
    if (d == 0.0) d = sum_J;
    if (d == 0.0) d = sum_R;
    if (d == 0.0) d = 1.0;
    return d < DBL_MIN ? DBL_MIN : (d > DBL_MAX ? DBL_MAX : d);
}

/* inverse_mass from the diagonal of M that stands there; the norm of v */
static double invert_masses(checker *c)
{
    double norm_v = 0.0;
    for (int64_t j = 0; j < c->problem->n; j++) {
        double mass = fabs(c->inverse_mass[j]);
        c->inverse_mass[j] = mass == 0.0 ? 0.0 : 1.0 / mass;
        norm_v = larger(norm_v, fabs(c->v[j]));
    }
    return norm_v;
}

static void form_products(checker *c)
{
    const saddle_problem *p = c->problem;
    const saddle_matrix *Jt = p->Jt.start ? &p->Jt : NULL;
    int has_R = p->R.start != NULL;
    double norm_J = 0.0;
    double norm_R = 0.0;
    double norm_b = 0.0;
    double norm_lambda = 0.0;
    double norm_push = 0.0;
    double poison = 0.0; /* 0 * x is NaN exactly where x is not finite */
    pass_square(&p->M, c->v, c->defect, c->sum_M, c->inverse_mass);
    double norm_v = invert_masses(c);
    pass_square(&p->R, c->lambda, c->w, c->sum_R, c->delassus);
    for (int64_t i = 0; i < p->m; i++) {
        row_sums J = {0.0, 0.0, 0.0};
        if (Jt) J = pass_row(c, Jt, i);
        double b = p->b ? p->b[i] : 0.0;
        double sum_R = has_R ? c->sum_R[i] : 0.0;
        double w = (has_R ? c->w[i] : 0.0) + J.velocity - b;
        double d = usable((has_R ? c->delassus[i] : 0.0) + J.delassus, J.modulus, sum_R);
        c->w[i] = w;
        c->delassus[i] = d;
        norm_J = larger(norm_J, J.modulus);
        norm_R = larger(norm_R, sum_R);
        norm_b = larger(norm_b, fabs(b));
        norm_lambda = larger(norm_lambda, fabs(c->lambda[i]));
        norm_push = larger(norm_push, d * fabs(c->lambda[i]));
        poison += 0.0 * w;
    }
    c->scale = norm_J * norm_v + norm_R * norm_lambda + norm_b + norm_push;
    c->norm_v = norm_v;
    c->norm_lambda = norm_lambda;
    c->finite = poison == 0.0 && isfinite(norm_v) && isfinite(norm_lambda);
}

/* ---- the natural maps, in row velocities: d (lambda - P(lambda - w/d)), written so that nothing cancels ---- */

/* On an interval: lambda - P(lambda - w/d) is w/d clamped to [lambda - hi, lambda - lo]. */
static double bound_defect(double lambda, double w, double d, double lo, double hi)
{
    return fabs(saddle__clamp(w, d * (lambda - hi), d * (lambda - lo)));
}

static double box_defect(const checker *c, const saddle_contact *contact)
{
    int64_t i = contact->row;
    double worst = bound_defect(c->lambda[i], c->w[i], c->delassus[i], 0.0, (double)INFINITY);
    double limit = contact->mu * larger(c->lambda[i], 0.0);
    for (int64_t t = i + 1; t < i + contact->size; t++)
        worst = larger(worst, bound_defect(c->lambda[t], c->w[t], c->delassus[t], -limit, limit));
    return worst;
}

static double pyramid_defect(const checker *c, const saddle_contact *contact)
{
    if (contact->size == 2) return box_defect(c, contact); /* in the plane conv(D) = [-1, 1] */
    int64_t i = contact->row;
    double worst = bound_defect(c->lambda[i], c->w[i], c->delassus[i], 0.0, (double)INFINITY);
    double d = larger(c->delassus[i + 1], c->delassus[i + 2]);
    const double *lt = c->lambda + i + 1;
    const double *wt = c->w + i + 1;
    double t[2] = {d * lt[0] - wt[0], d * lt[1] - wt[1]};
    double before[2] = {t[0], t[1]};
    saddle__project_polygon(d * contact->mu * larger(c->lambda[i], 0.0), saddle_problem_facets(c->problem), t);
    if (t[0] == before[0] && t[1] == before[1]) return larger(worst, larger(fabs(wt[0]), fabs(wt[1])));
    return larger(worst, larger(fabs(d * lt[0] - t[0]), fabs(d * lt[1] - t[1])));
}

/* difference = d lambda - P_K(d lambda - s).  Where d lambda - s lies is told by squares, so that a contact that sticks or is
 * open costs neither root nor division, one on the cone's boundary one of each; squares that over- or underflow go the
 * long way. */
static void cone_difference(double mu, double d, const double lambda[3], const double s[3], double difference[3])
{
    double x[3] = {d * lambda[0] - s[0], d * lambda[1] - s[1], d * lambda[2] - s[2]};
    double tangent = x[1] * x[1] + x[2] * x[2];
    double normal = x[0] * x[0];
    double projected[3] = {0.0, 0.0, 0.0};
    int inside = 0;
    if (!(tangent + normal > 1e-250 && tangent + normal < 1e250)) {
        for (int i = 0; i < 3; i++) projected[i] = x[i];
        saddle__project_cone(mu, 3, projected);
        inside = projected[0] == x[0] && projected[1] == x[1] && projected[2] == x[2];
    } else if (x[0] > 0.0 && tangent <= mu * mu * normal) {
        inside = 1;
    } else if (x[0] > 0.0 || mu * mu * tangent > normal) { /* not in the polar cone either: onto the boundary */
        double length = sqrt(tangent);
        double share = (x[0] + mu * length) / ((1.0 + mu * mu) * length);
        projected[0] = share * length;
        projected[1] = mu * share * x[1];
        projected[2] = mu * share * x[2];
    }
    for (int i = 0; i < 3; i++) difference[i] = inside ? s[i] : d * lambda[i] - projected[i];
}

/* The sums behind Siconos' and FCLIB's figure. */
typedef struct squares {
    double map, b, lambda, w;
} squares;

static double sum_of_squares(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/* x[3] <- the contact's part of a row vector; the third entry of a plane contact is 0 */
static void gather(const saddle_contact *contact, const double *vector, double x[3])
{
    x[0] = vector[contact->row];
    x[1] = vector[contact->row + 1];
    x[2] = contact->size == 3 ? vector[contact->row + 2] : 0.0;
}

static double cone_defect(const checker *c, const saddle_contact *contact, squares *sums)
{
    const saddle_problem *p = c->problem;
    double s[3];
    double lambda[3];
    double d[3];
    double difference[3];
    gather(contact, c->w, s);
    gather(contact, c->lambda, lambda);
    gather(contact, c->delassus, d);
    sums->w += sum_of_squares(s);
    sums->lambda += sum_of_squares(lambda);
    if (p->b) {
        double b[3];
        gather(contact, p->b, b);
        sums->b += sum_of_squares(b);
    }
    if (p->law == SADDLE_LAW_CONE) s[0] += contact->mu * saddle__length(s[1], s[2]);
    cone_difference(contact->mu, 1.0, lambda, s, difference);
    sums->map += sum_of_squares(difference);
    cone_difference(contact->mu, larger(d[0], larger(d[1], d[2])), lambda, s, difference);
    return larger(fabs(difference[0]), larger(fabs(difference[1]), fabs(difference[2])));
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

static void measure_contacts(const checker *c, worst *most, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    int cones = p->law == SADDLE_LAW_CONE || p->law == SADDLE_LAW_ASSOCIATED;
    squares sums = {0};
    for (int64_t k = 0; k < p->contact_count; k++) {
        const saddle_contact *contact = &p->contacts[k];
        double defect;
        if (cones)
            defect = cone_defect(c, contact, &sums);
        else
            defect = p->law == SADDLE_LAW_BOX ? box_defect(c, contact) : pyramid_defect(c, contact);
        note_worst(most, defect, contact->row);
    }
    residual->natural_map = ratio(sqrt(sums.map), sqrt(larger(sums.b, larger(sums.lambda, sums.w))));
    if (cones)
        residual->cone = ratio(most->defect, c->scale);
    else
        residual->rows = ratio(most->defect, c->scale);
}

static void measure_rows(const checker *c, worst *most)
{
    const saddle_problem *p = c->problem;
    int64_t next = 0; /* contact */
    for (int64_t i = 0; i < p->m; i++) {
        if (next < p->contact_count && p->contacts[next].row == i) {
            i += p->contacts[next++].size - 1;
            continue;
        }
        double lo = p->lo ? p->lo[i] : -(double)INFINITY;
        double hi = p->hi ? p->hi[i] : (double)INFINITY;
        note_worst(most, bound_defect(c->lambda[i], c->w[i], c->delassus[i], lo, hi), i);
    }
}

static void measure_dynamics(checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    worst most = {0.0, -1};
    double norm_M = 0.0;
    double norm_Jt = 0.0;
    double norm_f = 0.0;
    double poison = 0.0;
    for (int64_t j = 0; j < p->n; j++) {
        double f = p->f ? p->f[j] : 0.0;
        double defect = c->defect[j] - f;
        note_worst(&most, fabs(defect), j);
        norm_M = larger(norm_M, c->sum_M[j]);
        norm_Jt = larger(norm_Jt, c->sum_Jt[j]);
        norm_f = larger(norm_f, fabs(f));
        poison += 0.0 * defect;
    }
    c->finite = c->finite && poison == 0.0;
    residual->dynamics = ratio(most.defect, norm_M * c->norm_v + norm_Jt * c->norm_lambda + norm_f);
    residual->worst_velocity = most.index;
}

void saddle_residual_compute(const saddle_problem *problem, const double *v, const double *lambda, double *w, double *work,
                             saddle_residual *residual)
{
    saddle_residual measured = {.worst_velocity = -1, .worst_row = -1};
    checker c = lay_out(problem, v, lambda, work);
    form_products(&c);
    measure_dynamics(&c, &measured);
    worst contact = {0.0, -1};
    worst row = {0.0, -1};
    measure_contacts(&c, &contact, &measured);
    measure_rows(&c, &row);
    measured.rows = larger(measured.rows, ratio(row.defect, c.scale));
    measured.worst_row = row.defect >= contact.defect ? row.index : contact.index;
    measured.total = larger(measured.dynamics, larger(measured.rows, measured.cone));
    if (!c.finite) measured.total = (double)INFINITY;
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
        double worst_error = 0.0;
        for (int64_t i = 0; i < problem->m; i++) worst_error = larger(worst_error, fabs(solution->w[i] - c.w[i]));
        *w_error = ratio(worst_error, c.scale);
    }
    saddle_release(context, work);
    return SADDLE_OK;
}
