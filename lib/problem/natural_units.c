/* SPDX-License-Identifier: MIT */
/* Natural units of velocities and impulses: see verdict.h. */
#include "problem/problem_internal.h"
#include "problem/verdict.h"

#include <float.h>
#include <math.h>

#include "base/vector.h"
#include "matrix/matrix_internal.h"

enum { ROUNDS = 8 };

static void take_least(const saddle__sums *parts, saddle__kind kind, double *x)
{
    if (parts) parts->least(parts->user, kind, x);
}

/* d = 0 for rows with a diagonal far below an entry of R: no unit. */
static void drop_false_units(const saddle_problem *problem, const saddle__sums *parts, double *d)
{
    const saddle_matrix *R = &problem->R;
    double least = (double)INFINITY;
    for (int64_t i = 0; i < problem->m; i++) least = d[i] < least ? d[i] : least;
    double most[] = {saddle__largest(R->value, saddle_matrix_entries(R)), -least,
                     saddle__is_finite(d, problem->m) ? 0.0 : 1.0};
    if (parts) saddle__take_largest(parts, 3, most);
    if (most[0] * most[0] <= 1e8 * (most[1] * most[1]) && most[2] == 0.0) return;
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            double square = R->value[k] * R->value[k];
            if (d[i] == 0.0 || d[j] == 0.0 || !(square > 1e8 * fabs(d[i] * d[j]))) continue;
            d[i] = -fabs(d[i]);
            d[j] = -fabs(d[j]);
        }
    take_least(parts, SADDLE__ROWS, d);
    for (int64_t i = 0; i < problem->m; i++) d[i] = d[i] > 0.0 ? d[i] : 0.0;
}

/* Updates a diagonal by a coupling: d > 0 (or 1/d) is a unit, otherwise minus the largest a^2/d
 * so far. */
static void raise_unit(double *inertia, double square, double inverse)
{
    if (*inertia <= 0.0 && inverse > 0.0 && square * inverse > -*inertia)
        *inertia = -square * inverse;
}

static double inverse_of(double d)
{
    return d > 0.0 ? 1.0 / d : 0.0;
}

/* The couplings within a matrix; inverted: d holds the inverse diagonal. */
static void couple(const saddle_matrix *A, int inverted, double *d)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double square = A->value[k] * A->value[k];
            raise_unit(&d[i], square, inverted ? d[j] : inverse_of(d[j]));
            raise_unit(&d[j], square, inverted ? d[i] : inverse_of(d[i]));
        }
}

static void couple_rows(const saddle_problem *problem, double *inverse, double *d)
{
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t i = 0; problem->n > 0 && Jt->start && i < problem->m; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            double square = Jt->value[k] * Jt->value[k];
            raise_unit(&d[i], square, inverse[Jt->index[k]]);
            raise_unit(&inverse[Jt->index[k]], square, inverse_of(d[i]));
        }
    couple(&problem->R, 0, d);
}

/* Values of a round, below zero, become units.  Returns whether there are unknowns without a unit;
 * 0 if the round found none. */
static int end_round(const saddle_problem *problem, const saddle__sums *parts, double *inverse,
                     double *d)
{
    int found = 0;
    int lacking = 0;
    for (int64_t j = 0; j < problem->n; j++) {
        found |= inverse[j] < 0.0;
        lacking |= inverse[j] == 0.0;
        if (inverse[j] < 0.0) inverse[j] = -1.0 / inverse[j];
    }
    for (int64_t i = 0; i < problem->m; i++) {
        found |= d[i] < 0.0;
        lacking |= d[i] == 0.0;
        d[i] = fabs(d[i]);
    }
    double any[] = {found, lacking};
    saddle__take_largest(parts, 2, any);
    return any[0] > 0.0 && any[1] > 0.0;
}

void saddle__spread_units(const saddle_problem *problem, const saddle__sums *parts,
                          double *inverse_mass, double *delassus)
{
    if (problem->R.start || parts) drop_false_units(problem, parts, delassus);
    int lacking = 0;
    for (int64_t j = 0; j < problem->n; j++) lacking |= inverse_mass[j] == 0.0;
    for (int64_t i = 0; i < problem->m; i++) lacking |= delassus[i] == 0.0;
    if (parts) lacking = saddle__in_any(parts, lacking);
    for (int round = 0; round < ROUNDS && lacking; round++) {
        couple(&problem->M, 1, inverse_mass);
        couple_rows(problem, inverse_mass, delassus);
        take_least(parts, SADDLE__VELOCITIES, inverse_mass);
        take_least(parts, SADDLE__ROWS, delassus);
        lacking = end_round(problem, parts, inverse_mass, delassus);
    }
}

void saddle__natural_units(const saddle_problem *problem, const saddle__sums *parts,
                           double *inverse_mass, double *delassus)
{
    const saddle_matrix *Jt = &problem->Jt;
    int moves = problem->n > 0 && Jt->start;
    saddle__diagonal_of(&problem->M, problem->n, inverse_mass);
    saddle__diagonal_of(&problem->R, problem->m, delassus);
    saddle__add_parts(parts, SADDLE__VELOCITIES, inverse_mass);
    saddle__add_parts(parts, SADDLE__ROWS, delassus);
    saddle__drop_others(parts, SADDLE__ROWS, problem->m, delassus);
    for (int64_t j = 0; j < problem->n; j++)
        if (inverse_mass[j] != 0.0)
            inverse_mass[j] = 1.0 / saddle__larger(fabs(inverse_mass[j]), DBL_MIN);
    for (int64_t i = 0; i < problem->m; i++) {
        delassus[i] = fabs(delassus[i]);
        for (int64_t k = moves ? Jt->start[i] : 0; moves && k < Jt->start[i + 1]; k++)
            delassus[i] += Jt->value[k] * inverse_mass[Jt->index[k]] * Jt->value[k];
    }
    saddle__add_parts(parts, SADDLE__ROWS, delassus);
    saddle__spread_units(problem, parts, inverse_mass, delassus);
}

void saddle__add_asked(const saddle_problem *problem, const double *delassus, const double *lambda,
                       double *data)
{
    int64_t next = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        const saddle_contact *contact = saddle__contact_of(problem, i, &next);
        double lo = saddle__lo(problem, i), hi = saddle__hi(problem, i);
        if (contact && i == contact->row) {
            lo = 0.0;
            hi = (double)INFINITY;
        } else if (contact) { /* by mu max(lambda_n, 0), or any bound without an answer */
            double mu = saddle__contact_mu(contact, i - contact->row);
            double normal = lambda ? saddle__larger(lambda[contact->row], 0.0) : (double)INFINITY;
            hi = mu == 0.0 ? 0.0 : mu * normal;
            lo = -hi;
        }
        double b = problem->b ? problem->b[i] : 0.0, d = delassus[i];
        if (d > 0.0) /* |b| cut off at the bounds times d; of d = 0 only bounds of 0 cut off */
            data[i] += fabs(saddle__clamp(b, d * lo, d * hi));
        else if (!(b < 0.0 && lo >= 0.0) && !(b > 0.0 && hi <= 0.0))
            data[i] += fabs(b);
    }
}

double saddle__unit_length(const saddle_matrix *Jt, const double *unit, int64_t i)
{
    int any = Jt->start && i < Jt->cols; /* an empty J may have a start of one element */
    int64_t begin = any ? Jt->start[i] : 0, end = any ? Jt->start[i + 1] : 0;
    double most = 0.0;
    for (int64_t k = begin; k < end; k++)
        most = fmax(most, fabs(Jt->value[k]) * unit[Jt->index[k]]);
    if (!(most > 0.0)) return 0.0;
    double sum = 0.0;
    for (int64_t k = begin; k < end; k++) {
        double part = Jt->value[k] * unit[Jt->index[k]] / most;
        sum += part * part;
    }
    return most * sqrt(sum);
}

void saddle__unit_lengths(const saddle_problem *problem, double *unit, double *length)
{
    saddle__natural_units(problem, NULL, unit, length);
    for (int64_t j = 0; j < problem->n; j++) {
        unit[j] = sqrt(unit[j]);
        if (!(unit[j] > 0.0 && isfinite(unit[j]))) unit[j] = 1.0;
    }
    for (int64_t i = 0; i < problem->m; i++) length[i] = saddle__unit_length(&problem->Jt, unit, i);
}
