/* SPDX-License-Identifier: MIT */
/* The rows measured in units of their own, where their Delassus diagonals differ by more than 1e4: docs/theory.md, (3.4a).
 *
 *     D_i = max( |R_ii + a_i|,  min( max_j R_ij^2 / (100 D_j),  D_max ) )          a_i = sum_j J_ij^2 / |M_jj|
 *     r_i = sqrt( min(1e4 D_i, D_max) )                     row i's unit of velocity; 1 / r_i: of impulse
 *
 *     J_i / r_i,   b_i / r_i,   R_ij / (r_i r_j),   r_i lambda_i,   w_i / r_i
 *
 * are then measured as the rows are as they stand, (3.3) and (3.4), with D_i for d_i.  One scale for all rows would let a row
 * whose w and b are small by its units alone break its law altogether. */
#include <float.h>
#include <math.h>

#include "problem/natural_map.h"
#include "problem/residual_internal.h"

static const double alike = 1e4;        /* times a smaller D_i: rows that count as of one unit               */
static const double least_share = 0.01; /* of R_ij^2 / D_j: where R is definite, D_i is no less than all of it */

static double unit_of(const saddle__checker *c, int64_t i)
{
    double square = alike * c->delassus[i];
    return sqrt(square < c->most_estimate ? square : c->most_estimate);
}

/* Row i of J: sum |a|, sum a^2 / |M_jj|, sum |a| |f_j| / |M_jj|. */
typedef struct row_sums {
    double modulus, delassus, push;
} row_sums;

static row_sums sum_row(const saddle__checker *c, int64_t i)
{
    const saddle_matrix *Jt = &c->problem->Jt;
    row_sums sums = {0.0, 0.0, 0.0};
    int moves = c->problem->n > 0 && Jt->start;
    for (int64_t k = moves ? Jt->start[i] : 0; moves && k < Jt->start[i + 1]; k++) {
        int64_t j = Jt->index[k];
        double a = fabs(Jt->value[k]);
        sums.modulus += a;
        sums.delassus += a * a * c->inverse_mass[j];
        sums.push += a * c->free[j];
    }
    return sums;
}

/* delassus <- D; sum_R is scratch. */
static void estimate(saddle__checker *c)
{
    const saddle_matrix *R = &c->problem->R;
    double *D = c->delassus;
    double *least = c->sum_R;
    int64_t m = c->problem->m;
    for (int64_t i = 0; i < m; i++) least[i] = 0.0;
    if (R->start) saddle_matrix_diagonal(R, least);
    for (int64_t i = 0; i < m; i++) {
        D[i] = fabs(least[i] + sum_row(c, i).delassus);
        least[i] = 0.0;
    }
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            double square = least_share * R->value[k] * R->value[k];
            if (D[j] > 0.0) least[i] = saddle__larger(least[i], square / D[j]);
            if (R->symmetry == SADDLE_SYMMETRIC && D[i] > 0.0) least[j] = saddle__larger(least[j], square / D[i]);
        }
    for (int64_t i = 0; i < m; i++)
        D[i] = saddle__larger(D[i], least[i] < c->most_estimate ? least[i] : c->most_estimate);
}

/* Sums of |R_ij| / (r_i r_j); the largest.  Rows without a unit are left out. */
static double norm_of_R(saddle__checker *c)
{
    const saddle_matrix *R = &c->problem->R;
    double *sum = c->sum_R;
    double most = 0.0;
    for (int64_t i = 0; i < c->problem->m; i++) sum[i] = 0.0;
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            if (c->delassus[i] == 0.0 || c->delassus[j] == 0.0) continue;
            double modulus = fabs(R->value[k]) / (unit_of(c, i) * unit_of(c, j));
            sum[i] += modulus;
            if (R->symmetry == SADDLE_SYMMETRIC && i != j) sum[j] += modulus;
        }
    for (int64_t i = 0; i < c->problem->m; i++) most = saddle__larger(most, sum[i]);
    return most;
}

/* max_i u sum_j |R_ij||lambda_j| / r_i */
static double rounding_in_units(saddle__checker *c)
{
    double most = 0.0;
    saddle__moduli(&c->problem->R, c->lambda, c->sum_R);
    for (int64_t i = 0; i < c->problem->m; i++)
        if (c->delassus[i] > 0.0) most = saddle__larger(most, DBL_EPSILON * c->sum_R[i] / unit_of(c, i));
    return most;
}

/* Largest entries in the rows' units. */
typedef struct largest {
    double J, b, push, impulse, lent, lent_push;
} largest;

static void note_row(const saddle__checker *c, int64_t i, double lent, largest *most)
{
    double r = unit_of(c, i);
    row_sums J = sum_row(c, i);
    most->J = saddle__larger(most->J, J.modulus / r);
    most->b = saddle__larger(most->b, (c->problem->b ? fabs(c->problem->b[i]) : 0.0) / r);
    most->push = saddle__larger(most->push, J.push / r);
    most->impulse = saddle__larger(most->impulse, r * fabs(c->lambda[i]));
    most->lent = saddle__larger(most->lent, r * lent);
    most->lent_push = saddle__larger(most->lent_push, c->delassus[i] / r * lent);
}

saddle__worst saddle__rows_in_own_units(saddle__checker *c)
{
    const saddle_problem *p = c->problem;
    saddle__worst worst = {0.0, -1};
    largest most = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    int64_t next = 0; /* contact */
    if (alike * c->least_estimate >= c->most_estimate) return worst;
    estimate(c);
    for (int64_t i = 0; i < p->m; i++) {
        while (next < p->contact_count && p->contacts[next].row + p->contacts[next].size <= i) next++;
        int is_contact = next < p->contact_count && p->contacts[next].row <= i;
        if (c->delassus[i] == 0.0) continue;
        note_row(c, i, is_contact ? 0.0 : saddle__lent_impulse(c, i), &most);
        if (is_contact) continue;
        double defect = saddle__bound_defect(c->lambda[i], c->w[i], c->delassus[i], saddle__lo(p, i),
                                             saddle__hi(p, i));
        saddle__note_worst(&worst, defect / unit_of(c, i), i);
    }
    double norm_R = norm_of_R(c);
    double lent = saddle__larger(norm_R * most.lent, most.lent_push);
    double data = most.J * c->norm_v + most.b + most.push + lent;
    double pushed = saddle__larger(norm_R * most.impulse - lent, 0.0);
    double rounding = p->R.start && pushed > saddle__most_excused * data ? rounding_in_units(c) : 0.0;
    worst.defect = saddle__relative_defect(worst.defect, rounding, data, pushed);
    return worst;
}
