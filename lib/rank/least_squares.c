/* SPDX-License-Identifier: MIT */
/* Least squares with the columns of a sparse A, by the sparse L D L' of the augmented system
 * (Bjorck, Numerical Methods for Least Squares Problems, SIAM 1996, section 7.3), refined:
 *
 *     min_y |a - A y|_2:      [ 1   A ] [ r ]   [ a ]
 *                             [ A'  0 ] [ y ] = [ 0 ]
 *
 * Dependencies.  A = B': columns whose pivots, squares of distances, vanish are dropped; y is the
 * combination for such a column.  Guaranteed: each relation holds to the tolerance, and the other
 * columns have a smallest singular value above half of the digits of a square, by inverse
 * iteration with (A'A)^-1.  Otherwise nothing is known.  With BLAS-3 for rows whose elimination
 * fills in.
 *
 * Multipliers of least norm.  The columns of Z (m x k) are y = e_i - sum_k c_k e_k of the
 * dependencies; z minimizes |T (lambda + Z z)|_2, T = 1 or diag(s)^1/2; A = T Z with columns scaled
 * to length 1, a = T lambda, y = -z.  Only rows with a part in a dependency are in the system; Z
 * has full rank because each dependent row is named once.
 */
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "factor/factorization.h"
#include "problem/kkt.h"
#include "problem/verdict.h"
#include "rank/rank_internal.h"

/* ---- the augmented system ---- */

typedef struct augmented {
    saddle__kkt kkt;
    saddle__factorization *factors;
    double *x; /* A->rows + A->cols */
} augmented;

static void augmented_clear(saddle_context *context, augmented *a)
{
    saddle__kkt_clear(&a->kkt);
    saddle__factorization_free(a->factors);
    saddle_release(context, a->x);
}

static saddle_status augmented_factor(augmented *a, const saddle_matrix *A,
                                      const saddle__pivot_rule *rule, const signed char *late)
{
    const saddle_problem rows = {.n = A->rows, .m = A->cols, .Jt = *A};
    for (int64_t i = 0; i < A->rows; i++) a->x[i] = 1.0;
    saddle__kkt_refresh(&a->kkt, &rows, a->x);
    SADDLE__TRY(saddle__factorization_analyse_late(a->factors, &a->kkt.K, late, NULL));
    return saddle__factorization_factor_by(a->factors, &a->kkt.K, rule);
}

/* A pivot below `smallest` is replaced as by saddle__pivot_rule.  a: half-built on failure, to be
 * cleared in any case. */
static saddle_status augmented_create(saddle_context *context, const saddle_matrix *A,
                                      double smallest, double replacement, augmented *a)
{
    const saddle_problem rows = {.n = A->rows, .m = A->cols, .Jt = *A};
    *a = (augmented){0};
    SADDLE__TRY(saddle__kkt_create(context, &rows, 0, &a->kkt));
    SADDLE__TRY(saddle__factorization_create(context, "ldlt", SADDLE_ORDERING_AMD, &a->factors));
    int64_t size = A->rows + A->cols;
    signed char *sign = saddle_allocate(context, size, sizeof *sign);
    signed char *late = saddle_allocate(context, size, sizeof *late);
    a->x = saddle_allocate(context, size, sizeof *a->x);
    saddle_status status = sign && late && a->x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < size && status == SADDLE_OK; i++) {
        sign[i] = i < A->rows ? 1 : -1;
        late[i] = i < A->rows ? SADDLE__ANY_TIME : SADDLE__AFTER_NEIGHBOUR;
    }
    const saddle__pivot_rule rule = {.sign = sign,
                                     .smallest = smallest,
                                     .replacement = replacement};
    if (status == SADDLE_OK) status = augmented_factor(a, A, &rule, late);
    saddle__release_all(context, sign, late);
    return status;
}

/* ---- dependencies ---- */

typedef struct dependencies {
    saddle_context *context;
    const saddle_matrix *A;
    augmented a;
    double *z;       /* A->cols: a direction of least |A z|; 0 in dropped columns */
    double *y;       /* A->cols: a combination */
    int64_t *other;  /* A->cols: terms of the combination */
    double *factor;  /* A->cols */
    int64_t dropped; /* columns */
} dependencies;

/* r (A->rows) = r - A y.  Returns the sum of |y_t| |A_t|. */
static double subtract(const saddle_matrix *A, const double *y, double *r)
{
    double size = 0.0;
    for (int64_t t = 0; t < A->cols; t++) {
        double square = 0.0;
        if (y[t] == 0.0) continue;
        for (int64_t p = A->start[t]; p < A->start[t + 1]; p++) {
            r[A->index[p]] -= y[t] * A->value[p];
            square += A->value[p] * A->value[p];
        }
        size += fabs(y[t]) * sqrt(square);
    }
    return size;
}

static double length(const double *x, int64_t count)
{
    double square = 0.0;
    for (int64_t i = 0; i < count; i++) square += x[i] * x[i];
    return sqrt(square);
}

/* z = (A'A)^-1 z, of length 1: a few steps from random numbers; dropped columns are those of an
 * exact zero.  *separation = |A z|. */
static saddle_status find_separation(dependencies *d, double *separation)
{
    const saddle_matrix *A = d->A;
    double *x = d->a.x;
    uint64_t state = 1;
    for (int64_t t = 0; t < A->cols; t++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        d->z[t] = 0.5 + ldexp((double)(state >> 11), -53);
    }
    for (int step = 0; step < SADDLE__INVERSE_ITERATIONS; step++) {
        memset(x, 0, (size_t)A->rows * sizeof *x);
        for (int64_t t = 0; t < A->cols; t++) x[A->rows + t] = -d->z[t];
        SADDLE__TRY(saddle__factorization_solve(d->a.factors, x));
        double size = length(x + A->rows, A->cols);
        for (int64_t t = 0; t < A->cols; t++) d->z[t] = size > 0.0 ? x[A->rows + t] / size : 0.0;
    }
    for (int64_t t = 0; t < A->cols; t++) d->dropped += d->z[t] == 0.0;
    memset(x, 0, (size_t)A->rows * sizeof *x);
    (void)subtract(A, d->z, x);
    *separation = length(x, A->rows);
    return SADDLE_OK;
}

/* The combination y for dropped column t, refined once, without terms that may be rounding.
 * Returns |A_t - A y| over the sum of the terms' lengths; INFINITY if column t itself is small
 * beside the terms, or on failure. */
static double combine(dependencies *d, int64_t t)
{
    const saddle_matrix *A = d->A;
    double *x = d->a.x;
    double most = 1.0;
    memset(d->y, 0, (size_t)A->cols * sizeof *d->y);
    for (int pass = 0; pass < 3; pass++) {
        memset(x, 0, (size_t)(A->rows + A->cols) * sizeof *x);
        for (int64_t p = A->start[t]; p < A->start[t + 1]; p++) x[A->index[p]] = A->value[p];
        double size = length(x, A->rows) + subtract(A, d->y, x);
        if (pass == 2) return size > 0.0 ? length(x, A->rows) / size : 0.0;
        if (saddle__factorization_solve(d->a.factors, x) != SADDLE_OK) break;
        for (int64_t k = 0; k < A->cols; k++) {
            d->y[k] += x[A->rows + k];
            most = fmax(most, fabs(d->y[k]));
        }
        for (int64_t k = 0; k < A->cols && pass == 1; k++)
            if (fabs(d->y[k]) < SADDLE__HALF_DIGITS * most) d->y[k] = 0.0;
        if (!(SADDLE__HALF_DIGITS * most <= 1.0)) break;
    }
    return (double)INFINITY;
}

/* *holds = 0: a dropped column is not known to be a combination. */
static saddle_status combine_all(dependencies *d, double tolerance, const int64_t *row,
                                 saddle__relations *relations, int *holds)
{
    for (int64_t t = 0; t < d->A->cols && *holds; t++) {
        if (d->z[t] != 0.0) continue;
        double residual = combine(d, t);
        int64_t terms = 0;
        for (int64_t k = 0; k < d->A->cols; k++) {
            if (d->y[k] == 0.0) continue;
            d->other[terms] = row[k];
            d->factor[terms++] = d->y[k];
        }
        *holds = residual <= tolerance;
        if (*holds)
            SADDLE__TRY(
                saddle__relations_add(relations, row[t], terms, d->other, d->factor, residual));
    }
    return SADDLE_OK;
}

static saddle_status examine(dependencies *d, double tolerance, const int64_t *row,
                             double work_limit, saddle__elimination *found)
{
    saddle_context *context = d->context;
    const saddle_matrix *A = d->A;
    SADDLE__TRY(augmented_create(context, A, tolerance, (double)INFINITY, &d->a));
    d->z = saddle_allocate(context, A->cols, sizeof *d->z);
    d->y = saddle_allocate(context, A->cols, sizeof *d->y);
    d->other = saddle_allocate(context, A->cols, sizeof *d->other);
    d->factor = saddle_allocate(context, A->cols, sizeof *d->factor);
    if (!d->z || !d->y || !d->other || !d->factor) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(find_separation(d, &found->separation));
    double entries = (double)saddle__factorization_counts(d->a.factors).entries;
    found->finished = found->separation > SADDLE__VISIBLE_PART &&
                      4.0 * entries * (double)d->dropped <= work_limit;
    return combine_all(d, tolerance, row, &found->relations, &found->finished);
}

saddle_status saddle__rank_least_squares(const saddle_matrix *A, double tolerance,
                                         const int64_t *row, double work_limit,
                                         saddle__elimination *found)
{
    dependencies d = {.context = found->relations.context, .A = A};
    int64_t given = found->relations.count;
    found->finished = 0;
    saddle_status status = examine(&d, tolerance, row, work_limit, found);
    if (!found->finished) found->relations.count = given;
    augmented_clear(d.context, &d.a);
    saddle__release_all(d.context, d.z, d.y, d.other, d.factor);
    if (status != SADDLE_SINGULAR && status != SADDLE_TOO_LARGE) return status;
    saddle_context_clear_message(d.context);
    return SADDLE_OK;
}

/* ---- multipliers of least norm ---- */

typedef struct sharing {
    saddle_context *context;
    int64_t rows;    /* with a part in a dependency */
    int64_t *row;    /* rows: number in the problem */
    int64_t *place;  /* m: number among `rows`; -1 = no part */
    double *weight;  /* m: T */
    saddle_matrix A; /* rows x dependencies */
    augmented a;
} sharing;

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
    saddle__release_all(s->context, unit, length);
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

/* The columns of A. */
static saddle_status assemble(sharing *s, const saddle_rank *rank)
{
    int64_t at = 0;
    int64_t entries = rank->dependency_count;
    for (int64_t t = 0; t < rank->dependency_count; t++) entries += rank->dependency[t].count;
    SADDLE__TRY(saddle_matrix_create(s->context, s->rows, rank->dependency_count, entries,
                                     SADDLE_SYMMETRY_NONE, &s->A));
    for (int64_t t = 0; t < rank->dependency_count; t++) {
        const saddle_dependency *d = &rank->dependency[t];
        double scale = column_scale(s, d);
        for (int64_t k = -1; k < d->count; k++) {
            int64_t i = k < 0 ? d->row : d->other[k];
            s->A.index[at] = s->place[i];
            s->A.value[at++] = (k < 0 ? 1.0 : -d->factor[k]) * s->weight[i] * scale;
        }
        s->A.start[t + 1] = at;
    }
    return SADDLE_OK;
}

/* lambda += Z z, z the minimizer */
static saddle_status share(sharing *s, const saddle_rank *rank, double *lambda)
{
    double *x = s->a.x;
    for (int64_t i = 0; i < s->rows; i++) x[i] = s->weight[s->row[i]] * lambda[s->row[i]];
    for (int64_t t = 0; t < rank->dependency_count; t++) x[s->rows + t] = 0.0;
    saddle_status status = saddle__factorization_solve(s->a.factors, x);
    for (int64_t t = 0; t < rank->dependency_count && status == SADDLE_OK; t++) {
        const saddle_dependency *d = &rank->dependency[t];
        double z = -x[s->rows + t] * column_scale(s, d);
        lambda[d->row] += z;
        for (int64_t k = 0; k < d->count; k++) lambda[d->other[k]] -= d->factor[k] * z;
    }
    return status;
}

saddle_status saddle_rank_least_multipliers(saddle_context *context, const saddle_problem *problem,
                                            const saddle_rank *rank, saddle_multiplier_norm norm,
                                            double *lambda)
{
    SADDLE__RETURN_UNLESS(context, problem && rank && (lambda || problem->m <= 0),
                          "problem, rank or lambda is NULL");
    const saddle_matrix *R = &problem->R;
    if (saddle_matrix_entries(R) > 0 && R->symmetry == SADDLE_SYMMETRY_NONE &&
        !rank->compliance_ignored)
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
    sharing s = {.context = context};
    s.row = saddle_allocate(context, problem->m, sizeof *s.row);
    s.place = saddle_allocate(context, problem->m, sizeof *s.place);
    s.weight = saddle_allocate(context, problem->m, sizeof *s.weight);
    saddle_status status = s.row && s.place && s.weight ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = weigh(&s, problem, norm == SADDLE_MULTIPLIER_NORM_NATURAL);
    if (status == SADDLE_OK) {
        number_rows(&s, rank, problem->m);
        status = assemble(&s, rank);
    }
    if (status == SADDLE_OK)
        status = augmented_create(context, &s.A, SADDLE__VANISHED_PIVOT, SADDLE__PIVOT_REPLACEMENT,
                                  &s.a);
    for (int pass = 0; pass < 3 && status == SADDLE_OK; pass++) status = share(&s, rank, lambda);
    saddle__release_all(context, s.row, s.place, s.weight);
    saddle_matrix_clear(&s.A);
    augmented_clear(context, &s.a);
    return status;
}
