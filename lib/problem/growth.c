/* SPDX-License-Identifier: MIT */
/* See growth.h. */
#include "problem/growth.h"

#include <math.h>

#include "problem/residual_internal.h"

/* None decides anything but what is worth a second look: impulses over the data, what they push over themselves, the same
 * whatever the data, and how far the rows' largest entries are apart. */
static const double grown = 1e4;
static const double cancelled = 1e-4;
static const double vanished = 1e-6;
static const double apart = 1e4;

/* The largest lambda_i^2 d_i, and of f, b and bounds in the same units. */
static double square_of_impulses(const saddle__checker *c)
{
    double most = 0.0;
    for (int64_t i = 0; i < c->problem->m; i++)
        most = saddle__larger(most, c->lambda[i] * c->lambda[i] * c->delassus[i]);
    return most;
}

static double square_of_data(const saddle__checker *c)
{
    const saddle_problem *p = c->problem;
    double most = 0.0;
    for (int64_t j = 0; p->f && j < p->n; j++) most = saddle__larger(most, p->f[j] * p->f[j] * c->inverse_mass[j]);
    for (int64_t i = 0; i < p->m; i++) {
        double b = p->b ? p->b[i] : 0.0;
        double lo = fabs(saddle__lo(p, i));
        double hi = fabs(saddle__hi(p, i));
        double bound = saddle__larger(lo <= DBL_MAX ? lo : 0.0, hi <= DBL_MAX ? hi : 0.0);
        double d = c->delassus[i];
        if (b != 0.0 && d > 0.0) most = saddle__larger(most, b * b / d);
        most = saddle__larger(most, bound * bound * d);
    }
    return most;
}

/* The largest of J'lambda and R lambda, in the same units, squared. */
static double square_of_push(saddle__checker *c)
{
    const saddle_problem *p = c->problem;
    double most = 0.0;
    if (p->n > 0 && p->Jt.start) {
        saddle_matrix_apply(&p->Jt, 1.0, c->lambda, 0.0, c->defect);
        for (int64_t j = 0; j < p->n; j++)
            most = saddle__larger(most, c->defect[j] * c->defect[j] * c->inverse_mass[j]);
    }
    if (!p->R.start) return most;
    saddle_matrix_apply(&p->R, 1.0, c->lambda, 0.0, c->sum_R);
    for (int64_t i = 0; i < p->m; i++)
        if (c->delassus[i] > 0.0) most = saddle__larger(most, c->sum_R[i] * c->sum_R[i] / c->delassus[i]);
    return most;
}

/* max |lambda_i| <= grown max |b_i| / max d_i, which needs no division a row: then lambda_i^2 d_i <= grown^2 b_i^2 / d_i of the
 * largest b_i, where d_i > 0. */
static int is_moderate(const saddle__checker *c)
{
    const double *b = c->problem->b;
    double impulse = 0.0;
    double velocity = 0.0;
    double d = 0.0;
    for (int64_t i = 0; b && i < c->problem->m; i++) {
        impulse = saddle__larger(impulse, fabs(c->lambda[i]));
        velocity = saddle__larger(velocity, fabs(b[i]));
        d = saddle__larger(d, c->delassus[i]);
    }
    return b && impulse * d <= grown * velocity;
}

/* max |R lambda|_i > vanished max |lambda_i| max d_i, which needs no division either: what they push is more than that in
 * natural units too. */
static int pushes(const saddle__checker *c)
{
    const double *b = c->problem->b;
    double impulse = 0.0;
    double push = 0.0;
    double d = 0.0;
    for (int64_t i = 0; i < c->problem->m; i++) {
        impulse = saddle__larger(impulse, fabs(c->lambda[i]));
        push = saddle__larger(push, fabs(b ? c->w[i] + b[i] : c->w[i]));
        d = saddle__larger(d, c->delassus[i]);
    }
    return push > vanished * (impulse * d);
}

/* Without velocities: impulses that are nothing but a null vector of W, nearly.  Large b of rows that take no part, or of small
 * diagonals, may hide how large they are beside their own. */
static int vanishes(saddle__checker *c)
{
    if (c->problem->n > 0 || pushes(c)) return 0;
    double impulses = square_of_impulses(c);
    return impulses > 0.0 && square_of_push(c) <= vanished * vanished * impulses;
}

static int outgrows(saddle__checker *c)
{
    const saddle_problem *p = c->problem;
    if (vanishes(c)) return 1;
    if (is_moderate(c)) return 0;
    double impulses = square_of_impulses(c);
    if (!(impulses > grown * grown * square_of_data(c))) return 0;
    int null = p->n > 0 || p->R.symmetry == SADDLE_SYMMETRIC; /* a ray is a null vector of W */
    return !null || square_of_push(c) <= cancelled * cancelled * impulses;
}

/* Whether R_jj is there, and not 0. */
static int has_diagonal(const saddle_matrix *R, int64_t j)
{
    int64_t first = R->start[j];
    int64_t end = R->start[j + 1];
    if (R->symmetry == SADDLE_GENERAL && end - first == R->rows) return R->value[first + j] != 0.0;
    for (int64_t k = first; k < end && R->index[k] <= j; k++)
        if (R->index[k] == j) return R->value[k] != 0.0;
    return 0;
}

/* Whether a diagonal is missing where rows' largest entries are far apart. */
static int lacks_units(saddle__checker *c)
{
    const saddle_matrix *R = &c->problem->R;
    double *largest = c->sum_R;
    double most = 0.0;
    double least = (double)INFINITY;
    int64_t diagonals = 0;
    if (c->problem->n > 0) return 0;
    while (R->start && diagonals < c->problem->m && has_diagonal(R, diagonals)) diagonals++;
    if (diagonals == c->problem->m) return 0;
    for (int64_t i = 0; i < c->problem->m; i++) largest[i] = 0.0;
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            double entry = fabs(R->value[k]);
            largest[j] = saddle__larger(largest[j], entry);
            largest[R->index[k]] = saddle__larger(largest[R->index[k]], entry);
        }
    for (int64_t i = 0; i < c->problem->m; i++) {
        most = saddle__larger(most, largest[i]);
        if (largest[i] < least) least = largest[i];
    }
    return !(apart * least > most);
}

int saddle__may_hide_contradiction(const saddle_problem *problem, const saddle_solution *answer, double *work)
{
    if (problem->m == 0) return 0;
    saddle__checker c = saddle__checker_lay_out(problem, answer->v, answer->lambda, work);
    return outgrows(&c) || lacks_units(&c);
}
