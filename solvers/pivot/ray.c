/* SPDX-License-Identifier: MIT */
/* See ray.h.  Parts of d that are small beside the largest, in natural units, or that point into a
 * finite bound are left out; what remains has to be a ray to many digits: each velocity's part of
 * J'd is less than 1e-9 of sum_i |J_ij||d_i|, each row's of R d likewise, and b'd more than 1e-6 of
 * sum |b_i||d_i|. */
#include "pivot/ray.h"

#include <math.h>
#include <string.h>

static const double negligible = 1e-6; /* parts of d [-] */
static const double nothing = 1e-9;    /* J'd and R d over their moduli [-] */
static const double something = 1e-6;  /* b'd over |b|'|d| [-] */

static void find_driven_row(const saddle_problem *problem, const saddle__row_laws *laws,
                            const double *step, double *d)
{
    for (int64_t i = 0; problem->b && i < problem->m; i++) {
        int up = problem->b[i] > 0.0 && isinf(laws->hi[i]);
        int down = problem->b[i] < 0.0 && isinf(laws->lo[i]);
        if (step[i] != 0.0 || !(up || down)) continue;
        memset(d, 0, (size_t)problem->m * sizeof(*d));
        d[i] = up ? 1.0 : -1.0;
        return;
    }
}

static void clean(const saddle__row_laws *laws, const double *size, double *d)
{
    double largest = 0.0;
    for (int64_t i = 0; i < laws->m; i++) largest = fmax(largest, fabs(d[i]) * sqrt(size[i]));
    for (int64_t i = 0; i < laws->m; i++) {
        int into = d[i] > 0.0 ? isfinite(laws->hi[i]) : isfinite(laws->lo[i]);
        if (into || fabs(d[i]) * sqrt(size[i]) <= negligible * largest) d[i] = 0.0;
    }
}

static void add_term(double term, double *sum)
{
    sum[0] += term;
    sum[1] += fabs(term);
}

/* Whether A d vanishes.  sum: 2 x A's rows. */
static int vanishes(const saddle_matrix *A, const double *d, double *sum)
{
    if (saddle_matrix_entries(A) == 0) return 1;
    memset(sum, 0, (size_t)(2 * A->rows) * sizeof(*sum));
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            add_term(A->value[k] * d[j], sum + 2 * i);
            if (A->symmetry == SADDLE_SYMMETRIC && i != j)
                add_term(A->value[k] * d[i], sum + 2 * j);
        }
    }
    for (int64_t i = 0; i < A->rows; i++)
        if (fabs(sum[2 * i]) > nothing * sum[2 * i + 1]) return 0;
    return 1;
}

saddle__row_ray saddle__row_ray_find(const saddle_problem *problem, const saddle__row_laws *laws,
                                     const double *size, const double *step, double *d,
                                     double *work)
{
    saddle__row_ray ray = {0};
    saddle__row_ray none = {0};
    find_driven_row(problem, laws, step, d);
    clean(laws, size, d);
    double gain = 0.0;
    double terms = 0.0;
    double heaviest = 0.0;
    for (int64_t i = 0; i < problem->m; i++) {
        double part = fabs(d[i]) * sqrt(size[i]);
        double product = problem->b ? problem->b[i] * d[i] : 0.0;
        gain += product;
        terms += fabs(product);
        if (d[i] == 0.0) continue;
        ray.rows++;
        ray.bounded |= !saddle__row_laws_equation(laws, i);
        if (part <= heaviest) continue;
        heaviest = part;
        ray.first = i;
    }
    if (ray.rows == 0 || !vanishes(&problem->Jt, d, work)) return none;
    if (problem->R.symmetry == SADDLE_GENERAL && saddle_matrix_entries(&problem->R) > 0) return ray;
    return gain > something * terms && vanishes(&problem->R, d, work) ? ray : none;
}
