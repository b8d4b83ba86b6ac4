/* SPDX-License-Identifier: MIT */
/* Multipliers of least norm.  The columns of Z (m x k) are y = e_i - sum_k c_k e_k of the
 * dependencies; then
 *
 *     min_z |T (lambda + Z z)|_2,   T = 1 or diag(s)^1/2:     [ 1   A ] [  r ]   [ T lambda ]
 *                                                             [ A'  0 ] [ -z ] = [    0     ]
 *     A = T Z with columns scaled to length 1
 *
 * by the sparse L D L' of this augmented system (Bjorck, Numerical Methods for Least Squares
 * Problems, SIAM 1996, section 7.3), solved again from the result as refinement.  Only rows with a
 * part in a dependency are in the system; Z has full rank because each dependent row is named once.
 */
#include <math.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "factor/factorization.h"
#include "problem/verdict.h"
#include "rank/rank_internal.h"

typedef struct sharing {
    saddle_context *context;
    int64_t rows;      /* with a part in a dependency */
    int64_t count;     /* dependencies */
    int64_t *row;      /* rows: number in the problem */
    int64_t *place;    /* m: number among `rows`; -1 = no part */
    double *weight;    /* m: T */
    saddle_matrix K;   /* (rows + count) x (rows + count), lower triangle */
    signed char *sign; /* rows + count */
    signed char *late; /* rows + count */
    double *x;         /* rows + count */
    saddle__factorization *factors;
} sharing;

static void clear(sharing *s)
{
    saddle_release(s->context, s->row);
    saddle_release(s->context, s->place);
    saddle_release(s->context, s->weight);
    saddle_release(s->context, s->sign);
    saddle_release(s->context, s->late);
    saddle_release(s->context, s->x);
    saddle_matrix_clear(&s->K);
    saddle__factorization_free(s->factors);
}

/* ---- the matrix ---- */

static saddle_status weigh(sharing *s, const saddle_problem *problem, int natural)
{
    if (!natural) {
        for (int64_t i = 0; i < problem->m; i++) s->weight[i] = 1.0;
        return SADDLE_OK;
    }
    double *unit = saddle_allocate(s->context, problem->n, sizeof *unit);
    double *length = saddle_allocate(s->context, problem->m, sizeof *length);
    saddle_status status = unit && length ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        saddle__unit_lengths(problem, unit, length);
        if (problem->R.rows > 0) saddle_matrix_diagonal(&problem->R, s->weight);
        for (int64_t i = 0; i < problem->m; i++) {
            s->weight[i] = sqrt(fabs(s->weight[i]) + length[i] * length[i]);
            if (!(s->weight[i] > 0.0)) s->weight[i] = 1.0;
        }
    }
    saddle_release(s->context, unit);
    saddle_release(s->context, length);
    return status;
}

static void number_rows(sharing *s, const saddle_rank *rank, int64_t m)
{
    for (int64_t t = 0; t < rank->dependency_count; t++) {
        const saddle_dependency *d = &rank->dependency[t];
        s->place[d->row] = 1;
        for (int64_t k = 0; k < d->count; k++) s->place[d->other[k]] = 1;
    }
    for (int64_t i = 0; i < m; i++) {
        if (s->place[i]) s->row[s->rows] = i;
        s->place[i] = s->place[i] ? s->rows++ : -1;
    }
}

/* 1 / |T y| */
static double column_scale(const sharing *s, const saddle_dependency *d)
{
    double sum = s->weight[d->row] * s->weight[d->row];
    for (int64_t k = 0; k < d->count; k++) {
        double part = d->factor[k] * s->weight[d->other[k]];
        sum += part * part;
    }
    return 1.0 / sqrt(sum);
}

/* K from triplets: A' below the unit diagonal. */
static saddle_status assemble(sharing *s, const saddle_rank *rank)
{
    int64_t size = s->rows + s->count;
    int64_t entries = size + s->count;
    for (int64_t t = 0; t < s->count; t++) entries += rank->dependency[t].count;
    int64_t *row = saddle_allocate(s->context, entries, sizeof *row);
    int64_t *col = saddle_allocate(s->context, entries, sizeof *col);
    double *value = saddle_allocate(s->context, entries, sizeof *value);
    saddle_status status = row && col && value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    int64_t at = 0;
    for (int64_t i = 0; i < size && status == SADDLE_OK; i++) {
        row[at] = col[at] = i;
        value[at++] = i < s->rows ? 1.0 : 0.0;
    }
    for (int64_t t = 0; t < s->count && status == SADDLE_OK; t++) {
        const saddle_dependency *d = &rank->dependency[t];
        double scale = column_scale(s, d);
        for (int64_t k = -1; k < d->count; k++) {
            int64_t i = k < 0 ? d->row : d->other[k];
            row[at] = s->rows + t;
            col[at] = s->place[i];
            value[at++] = (k < 0 ? 1.0 : -d->factor[k]) * s->weight[i] * scale;
        }
    }
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(s->context, size, size, at, row, col, value,
                                             SADDLE_SYMMETRIC, &s->K);
    saddle_release(s->context, row);
    saddle_release(s->context, col);
    saddle_release(s->context, value);
    return status;
}

static saddle_status factor(sharing *s)
{
    int64_t size = s->rows + s->count;
    s->sign = saddle_allocate(s->context, size, sizeof *s->sign);
    s->late = saddle_allocate(s->context, size, sizeof *s->late);
    s->x = saddle_allocate(s->context, size, sizeof *s->x);
    if (!s->sign || !s->late || !s->x) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < size; i++) {
        s->sign[i] = i < s->rows ? 1 : -1;
        s->late[i] = i < s->rows ? SADDLE__ANY_TIME : SADDLE__AFTER_NEIGHBOUR;
    }
    saddle__pivot_rule rule = {.sign = s->sign,
                               .smallest = SADDLE__VANISHED_PIVOT,
                               .replacement = SADDLE__PIVOT_REPLACEMENT};
    saddle_status status = saddle__factorization_create(s->context, "ldlt", SADDLE_ORDERING_AMD,
                                                        &s->factors);
    if (status == SADDLE_OK)
        status = saddle__factorization_analyse_late(s->factors, &s->K, s->late, SADDLE__PATIENT);
    if (status == SADDLE_OK) status = saddle__factorization_factor_by(s->factors, &s->K, &rule);
    return status;
}

/* lambda += Z z, z the minimizer */
static saddle_status share(sharing *s, const saddle_rank *rank, double *lambda)
{
    for (int64_t i = 0; i < s->rows; i++) s->x[i] = s->weight[s->row[i]] * lambda[s->row[i]];
    for (int64_t t = 0; t < s->count; t++) s->x[s->rows + t] = 0.0;
    saddle_status status = saddle__factorization_solve(s->factors, s->x);
    for (int64_t t = 0; t < s->count && status == SADDLE_OK; t++) {
        const saddle_dependency *d = &rank->dependency[t];
        double z = -s->x[s->rows + t] * column_scale(s, d);
        lambda[d->row] += z;
        for (int64_t k = 0; k < d->count; k++) lambda[d->other[k]] -= d->factor[k] * z;
    }
    return status;
}

/* ---- the interface ---- */

saddle_status saddle_rank_least_multipliers(saddle_context *context, const saddle_problem *problem,
                                            const saddle_rank *rank, saddle_multiplier_norm norm,
                                            double *lambda)
{
    SADDLE__RETURN_UNLESS(context, problem && rank && (lambda || problem->m <= 0),
                          "problem, rank or lambda is NULL");
    const saddle_matrix *R = &problem->R;
    if (saddle_matrix_entries(R) > 0 && R->symmetry == SADDLE_GENERAL && !rank->compliance_ignored)
        return saddle_fail(context, SADDLE_UNSUPPORTED,
                           "least multipliers: R is not marked symmetric");
    if (rank->examined > problem->m)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "least multipliers: a rank of %lld rows, a problem of %lld",
                           (long long)rank->examined, (long long)problem->m);
    if (rank->dependency_count == 0) return SADDLE_OK;
    if (!rank->dependency)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "least multipliers: the dependencies were only counted");
    sharing s = {.context = context, .count = rank->dependency_count};
    s.row = saddle_allocate(context, problem->m, sizeof *s.row);
    s.place = saddle_allocate(context, problem->m, sizeof *s.place);
    s.weight = saddle_allocate(context, problem->m, sizeof *s.weight);
    saddle_status status = s.row && s.place && s.weight ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = weigh(&s, problem, norm == SADDLE_NORM_NATURAL);
    if (status == SADDLE_OK) {
        number_rows(&s, rank, problem->m);
        status = assemble(&s, rank);
    }
    if (status == SADDLE_OK) status = factor(&s);
    for (int pass = 0; pass < 3 && status == SADDLE_OK; pass++) status = share(&s, rank, lambda);
    clear(&s);
    return status;
}
