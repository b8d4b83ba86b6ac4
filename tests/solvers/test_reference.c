/* SPDX-License-Identifier: MIT */
/* saddle_reference_compute against rational arithmetic (GMP), and at its limits; contacts:
 * test_reference_contacts.c. */
#include <gmp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reference_check.h"

enum { N = 5, ROWS = 6, SIZE = N + ROWS };

/* ---- drawn problems: whole numbers times powers of two ---- */

typedef struct drawn {
    int64_t n, m;
    double M[N * N], J[ROWS * N], R[ROWS], f[N], b[ROWS], lo[ROWS], hi[ROWS];
    saddle_problem problem;
} drawn;

static void draw_matrices(drawn *d, uint64_t *seed)
{
    double A[N * N];
    const int unsymmetric = test_integer(seed, 0, 3) == 0;
    for (int i = 0; i < N * N; i++) A[i] = whole(seed, 3);
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t j = 0; j < d->n; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int64_t k = 0; k < d->n; k++) sum += A[i + k * N] * A[j + k * N];
            d->M[i + j * N] = sum;
        }
    for (int64_t i = 1; unsymmetric && i < d->n; i++) {
        const double turn = whole(seed, 4); /* a skew part keeps M positive definite */
        d->M[i + (i - 1) * N] += turn;
        d->M[i - 1 + i * N] -= turn;
    }
    for (int64_t i = 0; i < d->m; i++) {
        const int kind = (int)test_integer(seed, 0, 7), twin = i > 0 && kind <= 2;
        for (int64_t j = 0; j < d->n; j++) {
            d->J[i + j * ROWS] = whole(seed, 5);
            if (twin) d->J[i + j * ROWS] = d->J[i - 1 + j * ROWS];
        }
        /* nearly the row before, or exactly */
        if (twin && kind > 0) d->J[i] += exp2((double)-test_integer(seed, 2, 25));
        d->R[i] = test_integer(seed, 0, 2) == 0 ? exp2((double)test_integer(seed, -20, 3)) : 0.0;
        d->b[i] = twin && kind == 0 ? d->b[i - 1] : whole(seed, 9);
        if (twin && kind == 0) d->R[i] = 0.0;
    }
}

/* Units of velocities and rows: powers of two from 2^-12 to 2^12. */
static void draw_units(drawn *d, uint64_t *seed)
{
    double of_v[N], of_rows[ROWS];
    const int64_t most = test_integer(seed, 0, 1) ? 12 : 0;
    for (int i = 0; i < N; i++) of_v[i] = exp2((double)test_integer(seed, -most, most));
    for (int i = 0; i < ROWS; i++) of_rows[i] = exp2((double)test_integer(seed, -most, most));
    for (int64_t i = 0; i < d->n; i++) {
        d->f[i] = whole(seed, 9) * of_v[i];
        for (int64_t j = 0; j < d->n; j++) d->M[i + j * N] *= of_v[i] * of_v[j];
    }
    for (int64_t i = 0; i < d->m; i++) {
        for (int64_t j = 0; j < d->n; j++) d->J[i + j * ROWS] *= of_rows[i] * of_v[j];
        d->R[i] *= of_rows[i] * of_rows[i];
        d->b[i] *= of_rows[i];
        const int kind = (int)test_integer(seed, 0, 3);
        d->lo[i] = kind == 0 ? -INFINITY : kind == 1 ? 0.0 : -whole(seed, 2) / of_rows[i];
        d->hi[i] = kind <= 1 ? INFINITY : d->lo[i] + (double)test_integer(seed, 0, 3) / of_rows[i];
    }
}

static void make_problem(drawn *d)
{
    double Jt[N * ROWS], R[ROWS * ROWS] = {0.0};
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < N; j++) Jt[j + i * N] = d->J[i + j * ROWS];
        R[i + i * ROWS] = d->R[i];
    }
    d->problem = (saddle_problem){
        .n = d->n, .m = d->m, .f = d->f, .b = d->b, .lo = d->lo, .hi = d->hi};
    reference_sparse(d->M, N, d->n, d->n, &d->problem.M);
    reference_sparse(Jt, N, d->n, d->m, &d->problem.Jt);
    reference_sparse(R, ROWS, d->m, d->m, &d->problem.R);
}

static void draw(drawn *d, uint64_t *seed)
{
    memset(d, 0, sizeof *d);
    d->n = test_integer(seed, 1, N);
    d->m = test_integer(seed, 0, ROWS);
    draw_matrices(d, seed);
    draw_units(d, seed);
    make_problem(d);
}

static void clear(drawn *d)
{
    saddle_matrix_clear(&d->problem.M);
    saddle_matrix_clear(&d->problem.Jt);
    saddle_matrix_clear(&d->problem.R);
}

/* ---- rational arithmetic ---- */

typedef struct rational {
    mpq_t A[SIZE][SIZE + 1]; /* K and the right-hand side, unknowns (v, lambda) */
    mpq_t x[SIZE], w[ROWS], t, u;
} rational;

static void rational_begin(rational *q)
{
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j <= SIZE; j++) mpq_init(q->A[i][j]);
        mpq_init(q->x[i]);
    }
    for (int i = 0; i < ROWS; i++) mpq_init(q->w[i]);
    mpq_init(q->t);
    mpq_init(q->u);
}

static void rational_end(rational *q)
{
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j <= SIZE; j++) mpq_clear(q->A[i][j]);
        mpq_clear(q->x[i]);
    }
    for (int i = 0; i < ROWS; i++) mpq_clear(q->w[i]);
    mpq_clear(q->t);
    mpq_clear(q->u);
}

/* At a bound: w_i = 0 is not asked for. */
static int is_fixed(const drawn *d, const saddle_reference *r, int64_t i)
{
    return r->lambda_low[i] == 0.0 && (r->lambda[i] == d->lo[i] || r->lambda[i] == d->hi[i]) &&
           (r->w[i] != 0.0 || d->lo[i] == d->hi[i]);
}

static void fill(rational *q, const drawn *d, const saddle_reference *r)
{
    const int64_t n = d->n, size = n + d->m;
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j <= size; j++) {
            double value = 0.0;
            const int row = i >= n, column = j >= n;
            if (row && is_fixed(d, r, i - n))
                value = j == size ? r->lambda[i - n] : i == j;
            else if (j == size)
                value = row ? d->b[i - n] : d->f[i];
            else if (!row)
                value = column ? -d->J[j - n + i * ROWS] : d->M[i + j * N];
            else
                value = !column ? d->J[i - n + j * ROWS] : i == j ? d->R[i - n] : 0.0;
            mpq_set_d(q->A[i][j], value);
        }
}

/* Gauss and Jordan.  A column without a pivot is a free unknown, set to 0.  *rank < size then; -1:
 * contradictory. */
static int64_t eliminate(rational *q, int64_t size)
{
    int64_t pivot_of[SIZE], rank = 0;
    for (int64_t j = 0; j < size; j++) {
        int64_t p = rank;
        while (p < size && mpq_sgn(q->A[p][j]) == 0) p++;
        pivot_of[j] = p < size ? rank : -1;
        if (p == size) continue;
        for (int64_t k = 0; k <= size; k++) mpq_swap(q->A[p][k], q->A[rank][k]);
        for (int64_t i = 0; i < size; i++) {
            if (i == rank || mpq_sgn(q->A[i][j]) == 0) continue;
            mpq_div(q->t, q->A[i][j], q->A[rank][j]);
            for (int64_t k = j; k <= size; k++) {
                mpq_mul(q->u, q->t, q->A[rank][k]);
                mpq_sub(q->A[i][k], q->A[i][k], q->u);
            }
        }
        rank++;
    }
    for (int64_t i = rank; i < size; i++)
        if (mpq_sgn(q->A[i][size]) != 0) return -1;
    for (int64_t j = 0; j < size; j++) {
        mpq_set_ui(q->x[j], 0, 1);
        if (pivot_of[j] >= 0) mpq_div(q->x[j], q->A[pivot_of[j]][size], q->A[pivot_of[j]][j]);
    }
    return rank;
}

/* w = J v + R lambda - b */
static void slacks(rational *q, const drawn *d)
{
    for (int64_t i = 0; i < d->m; i++) {
        mpq_set_d(q->w[i], -d->b[i]);
        for (int64_t j = 0; j <= d->n; j++) {
            mpq_set_d(q->t, j < d->n ? d->J[i + j * ROWS] : d->R[i]);
            mpq_mul(q->t, q->t, q->x[j < d->n ? j : d->n + i]);
            mpq_add(q->w[i], q->w[i], q->t);
        }
    }
}

/* 1: the rational solution has the laws of all rows. */
static int solves(rational *q, const drawn *d)
{
    for (int64_t i = 0; i < d->m; i++) {
        mpq_t *lambda = &q->x[d->n + i];
        mpq_t bound;
        mpq_init(bound);
        int above = 1, below = 1; /* signs of lambda - lo and hi - lambda */
        if (isfinite(d->lo[i])) {
            mpq_set_d(bound, d->lo[i]);
            above = mpq_cmp(*lambda, bound);
        }
        if (isfinite(d->hi[i])) {
            mpq_set_d(bound, d->hi[i]);
            below = mpq_cmp(bound, *lambda);
        }
        mpq_clear(bound);
        const int w = mpq_sgn(q->w[i]);
        if (above < 0 || below < 0) return 0;
        if ((w > 0 && above != 0) || (w < 0 && below != 0)) return 0;
    }
    return 1;
}

/* ---- the comparison ---- */

/* d_i of a row with a mass in each velocity, rounded as in the header. */
static double row_unit(const drawn *d, int64_t i)
{
    double sum = d->R[i];
    for (int64_t j = 0; j < d->n; j++)
        sum += d->J[i + j * ROWS] * d->J[i + j * ROWS] / d->M[j + j * N];
    return sum > 0.0 ? exp2(round(0.5 * log2(sum))) : 1.0;
}

typedef struct tally {
    int64_t draws, solved, certified, singular, ties;
    double worst; /* error over the bound */
} tally;

static void expect_within(tally *t, const char *what, uint64_t seed, double error, double size,
                          const saddle_reference_error *claimed)
{
    if (error > claimed->bound * claimed->size)
        fail_msg("drawn from %" PRIu64 ": %s is %.2e off, bound %.2e of %.2e (%g)", seed, what,
                 error, claimed->bound, claimed->size, size);
    if (claimed->bound > 0.0) t->worst = fmax(t->worst, error / (claimed->bound * claimed->size));
}

/* given: the double solution; its reported error has to be the true one. */
static void check_vector(tally *t, const char *what, uint64_t seed, int64_t count,
                         const double *high, const double *low, const double *given, mpq_t *exact,
                         const double *unit, const saddle_reference_error *claimed)
{
    double error = 0.0, of_given = 0.0, size = 0.0;
    for (int64_t i = 0; i < count; i++) {
        error = fmax(error, reference_off(high[i], low[i], exact[i]) * unit[i]);
        of_given = fmax(of_given, reference_off(given[i], 0.0, exact[i]) * unit[i]);
        size = fmax(size, fabs(high[i]) * unit[i]);
    }
    expect_within(t, what, seed, error, size, claimed);
    const double scale = claimed->size > 0.0 ? claimed->size : 1.0;
    const double reported = claimed->largest * scale;
    const double rest = claimed->bound * claimed->size + 1e-9 * of_given;
    if (fabs(reported - of_given) <= rest) return;
    /* a square root half between two powers of two: the sums here and there round either way */
    t->ties++;
    if (reported > 2.0 * of_given + rest || reported < 0.5 * of_given - rest)
        fail_msg("drawn from %" PRIu64 ": error of %s reported %.6e, is %.6e", seed, what, reported,
                 of_given);
}

static void compare(tally *t, uint64_t seed, const drawn *d, const saddle_solution *x,
                    const saddle_reference *r, rational *q)
{
    double unit_v[N], unit_lambda[ROWS], unit_w[ROWS];
    fill(q, d, r);
    const int64_t rank = eliminate(q, d->n + d->m);
    if (rank < 0) fail_msg("drawn from %" PRIu64 ": certified states are contradictory", seed);
    for (int64_t j = 0; j < d->n; j++) unit_v[j] = exp2(round(0.5 * log2(fabs(d->M[j + j * N]))));
    for (int64_t i = 0; i < d->m; i++) {
        unit_lambda[i] = row_unit(d, i);
        unit_w[i] = 1.0 / unit_lambda[i];
    }
    slacks(q, d);
    check_vector(t, "v", seed, d->n, r->v, r->v_low, x->v, q->x, unit_v, &r->velocity);
    check_vector(t, "w", seed, d->m, r->w, r->w_low, x->w, q->w, unit_w, &r->slack);
    t->singular += rank < d->n + d->m;
    if (rank < d->n + d->m) return;
    check_vector(t, "lambda", seed, d->m, r->lambda, r->lambda_low, x->lambda, q->x + d->n,
                 unit_lambda, &r->impulse);
    if (!solves(q, d)) fail_msg("drawn from %" PRIu64 ": certified, but not the solution", seed);
}

static void drawn_problems_agree_with_rational_arithmetic(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    rational q;
    tally t = {0};
    rational_begin(&q);
    for (int64_t k = test_draws(10000); k > 0; k--) {
        const uint64_t begin = seed;
        drawn d;
        saddle_solution x = {0};
        saddle_reference r;
        draw(&d, &seed);
        t.draws++;
        const saddle_status status = saddle_solve(NULL, &d.problem, "auto", NULL, NULL, &x, NULL);
        if (status == SADDLE_OK) {
            t.solved++;
            assert_int_equal(saddle_reference_compute(NULL, &d.problem, &x, &r), SADDLE_OK);
            t.certified += r.certified;
            if (r.certified) compare(&t, begin, &d, &x, &r, &q);
            saddle_reference_clear(&r);
        }
        saddle_solution_clear(&x);
        clear(&d);
    }
    rational_end(&q);
    print_message("%" PRId64 " problems, %" PRId64 " solved, %" PRId64 " certified, %" PRId64
                  " singular; error over bound at most %.2g\n",
                  t.draws, t.solved, t.certified, t.singular, t.worst);
    assert_true(t.ties * 100 <= t.certified);
    assert_true(t.certified * 10 > t.solved * 9);
}

/* ---- singular matrices ---- */

/* No rows: M = A diag(+-1) A' of a rank below n, exactly, and f = M times whole numbers; the rows
 * of A are not zero, and nor are the diagonal entries of M. */
static void draw_singular_mass(drawn *d, uint64_t *seed)
{
    const int64_t rank = test_integer(seed, 1, d->n - 1);
    double A[N * N], sign[N];
    for (int i = 0; i < N; i++) sign[i] = test_integer(seed, 0, 3) == 0 ? -1.0 : 1.0;
    for (int64_t i = 0; i < d->n; i++) {
        double sum;
        do {
            sum = 0.0;
            for (int64_t k = 0; k < rank; k++) {
                A[i + k * N] = whole(seed, 3);
                sum += sign[k] * A[i + k * N] * A[i + k * N];
            }
        } while (sum == 0.0);
    }
    for (int64_t j = 0; j < d->n; j++) {
        const double x = whole(seed, 9);
        for (int64_t i = 0; i < d->n; i++) {
            for (int64_t k = 0; k < rank; k++)
                d->M[i + j * N] += sign[k] * A[i + k * N] * A[j + k * N];
            d->f[i] += d->M[i + j * N] * x;
        }
    }
    make_problem(d);
}

/* Equality rows, some the same as others or sums of them, exactly; with `loose` > 0 the last
 * velocities have no mass and are in no row.  M symmetric.  Or no rows. */
static void draw_singular(drawn *d, uint64_t *seed)
{
    memset(d, 0, sizeof *d);
    d->n = test_integer(seed, 2, N);
    d->m = test_integer(seed, 0, ROWS);
    if (d->m == 0) {
        draw_singular_mass(d, seed);
        return;
    }
    const int64_t loose = test_integer(seed, 0, 2) == 0 ? 1 : 0, held = d->n - loose;
    double A[N * N];
    for (int i = 0; i < N * N; i++) A[i] = whole(seed, 3);
    for (int64_t i = 0; i < held; i++)
        for (int64_t j = 0; j < held; j++) {
            d->M[i + j * N] = i == j ? 1.0 : 0.0;
            for (int64_t k = 0; k < held; k++) d->M[i + j * N] += A[i + k * N] * A[j + k * N];
        }
    for (int64_t i = 0; i < d->m; i++) {
        const int kind = i > 0 ? (int)test_integer(seed, 0, 3) : 3;
        const double factor = exp2((double)test_integer(seed, -3, 3));
        d->b[i] = whole(seed, 9);
        for (int64_t j = 0; j < held; j++) {
            double *const entry = &d->J[i + j * ROWS];
            *entry = whole(seed, 5);
            if (kind <= 1) *entry = factor * d->J[i - 1 + j * ROWS];
            if (kind == 1 && i > 1) *entry += d->J[i - 2 + j * ROWS];
        }
        if (kind <= 1) d->b[i] = factor * d->b[i - 1];
        if (kind == 1 && i > 1) d->b[i] += d->b[i - 2];
    }
    draw_units(d, seed);
    for (int64_t i = 0; i < d->m; i++) {
        d->lo[i] = -INFINITY;
        d->hi[i] = INFINITY;
    }
    for (int64_t j = held; j < d->n; j++) d->f[j] = 0.0;
    make_problem(d);
}

/* q->x, a solution, becomes that of least sum of (x_i over unit_i)^2: with the null space from the
 * eliminated K, columns without a pivot, by the normal equations. */
static void shorten(rational *q, const drawn *d, const saddle_reference *r, const double *unit)
{
    const int64_t size = d->n + d->m;
    mpq_t null[SIZE][SIZE], gram[SIZE][SIZE + 1], sum, term;
    int64_t pivot_row[SIZE], count = 0, rank = 0;
    mpq_init(sum);
    mpq_init(term);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j <= SIZE; j++) {
            if (j < SIZE) mpq_init(null[i][j]);
            mpq_init(gram[i][j]);
        }
    fill(q, d, r);
    (void)eliminate(q, size);
    for (int64_t j = 0; j < size; j++) { /* reduced form: a unit column is a pivot's */
        int64_t at = -1, others = 0;
        for (int64_t i = 0; i < size; i++)
            if (mpq_sgn(q->A[i][j]) != 0) others++, at = i;
        pivot_row[j] = others == 1 && at == rank ? rank++ : -1;
    }
    for (int64_t j = 0; j < size; j++) {
        if (pivot_row[j] >= 0) continue;
        for (int64_t i = 0; i < size; i++) {
            mpq_set_si(null[count][i], i == j, 1);
            if (pivot_row[i] < 0) continue;
            mpq_div(null[count][i], q->A[pivot_row[i]][j], q->A[pivot_row[i]][i]);
            mpq_neg(null[count][i], null[count][i]);
        }
        count++;
    }
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= count; b++) {
            mpq_set_ui(gram[a][b], 0, 1);
            for (int64_t i = 0; i < size; i++) {
                mpq_set_d(term, 1.0 / (unit[i] * unit[i]));
                mpq_mul(term, term, null[a][i]);
                mpq_mul(term, term, b < count ? null[b][i] : q->x[i]);
                mpq_add(gram[a][b], gram[a][b], term);
            }
        }
    for (int64_t a = 0; a < count; a++) /* symmetric and definite: no exchanges */
        for (int64_t b = 0; b < count; b++) {
            if (a == b) continue;
            mpq_div(term, gram[b][a], gram[a][a]);
            for (int64_t k = 0; k <= count; k++) {
                mpq_mul(sum, term, gram[a][k]);
                mpq_sub(gram[b][k], gram[b][k], sum);
            }
        }
    for (int64_t a = 0; a < count; a++) {
        mpq_div(term, gram[a][count], gram[a][a]);
        for (int64_t i = 0; i < size; i++) {
            mpq_mul(sum, term, null[a][i]);
            mpq_sub(q->x[i], q->x[i], sum);
        }
    }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j <= SIZE; j++) {
            if (j < SIZE) mpq_clear(null[i][j]);
            mpq_clear(gram[i][j]);
        }
    mpq_clear(sum);
    mpq_clear(term);
}

/* The size to the -1/2, rounded to a power of two, 1 of no size; *is_tied <- 1: half-way between
 * two powers, so that rounding of the size decides. */
static double unit_of(double size, int *is_tied)
{
    if (!(size > 0.0)) return 1.0;
    const double exponent = 0.5 * log2(size);
    *is_tied |= fabs(exponent - floor(exponent) - 0.5) < 1e-12;
    return exp2(-round(exponent));
}

/* Of velocities and rows.  0: a sum of a row is tied. */
static int natural_units(const drawn *d, double *unit)
{
    int is_exact = 0, is_tied = 0;
    for (int64_t j = 0; j < d->n; j++) unit[j] = unit_of(fabs(d->M[j + j * N]), &is_exact);
    for (int64_t i = 0; i < d->m; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < d->n; j++)
            if (d->M[j + j * N] > 0.0)
                sum += d->J[i + j * ROWS] * d->J[i + j * ROWS] / d->M[j + j * N];
        unit[d->n + i] = unit_of(sum, &is_tied);
    }
    return !is_tied;
}

static void compare_least(uint64_t seed, const drawn *d, const saddle_reference *r, rational *q,
                          double *worst)
{
    double unit[SIZE], error[2] = {0.0, 0.0};
    fill(q, d, r);
    const int64_t size = d->n + d->m, rank = eliminate(q, size);
    const int has_units = natural_units(d, unit);
    if (rank < 0) fail_msg("drawn from %" PRIu64 ": certified, and contradictory", seed);
    if (r->nullity >= 0 && r->nullity != size - rank)
        fail_msg("drawn from %" PRIu64 ": nullity %" PRId64 ", is %" PRId64, seed, r->nullity,
                 size - rank);
    if (!r->least_norm || !has_units) return;
    shorten(q, d, r, unit);
    for (int64_t i = 0; i < size; i++) {
        const int row = i >= d->n;
        const double high = row ? r->lambda[i - d->n] : r->v[i],
                     low = row ? r->lambda_low[i - d->n] : r->v_low[i];
        error[row] = fmax(error[row], reference_off(high, low, q->x[i]) / unit[i]);
    }
    const saddle_reference_error *const claimed[] = {&r->velocity, &r->impulse};
    for (int k = 0; k < 2; k++) {
        const double bound = claimed[k]->bound * claimed[k]->size;
        if (error[k] > bound)
            fail_msg("drawn from %" PRIu64 ": %s of least norm is %.2e off, bound %.2e", seed,
                     k ? "lambda" : "v", error[k], bound);
        if (bound > 0.0) *worst = fmax(*worst, error[k] / bound);
    }
}

static void singular_systems_get_the_solution_of_least_norm(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    rational q;
    int64_t draws = test_draws_at_least(200, 2000), singular = 0, least = 0, without_rows = 0;
    double worst = 0.0;
    rational_begin(&q);
    for (int64_t k = 0; k < draws; k++) {
        const uint64_t begin = seed;
        drawn d;
        saddle_solution x = {0};
        saddle_reference r = {0};
        draw_singular(&d, &seed);
        if (saddle_solve(NULL, &d.problem, "ldlt", NULL, NULL, &x, NULL) >= SADDLE_OK) {
            assert_int_equal(saddle_reference_compute(NULL, &d.problem, &x, &r), SADDLE_OK);
            singular += r.certified && r.null_pivots > 0;
            least += r.certified && r.least_norm;
            without_rows += d.m == 0 && r.least_norm;
            if (r.certified) compare_least(begin, &d, &r, &q, &worst);
            saddle_reference_clear(&r);
        }
        saddle_solution_clear(&x);
        clear(&d);
    }
    rational_end(&q);
    print_message("%" PRId64 " problems, %" PRId64 " certified and singular, %" PRId64
                  " of least norm, %" PRId64 " without rows; error over bound at most %.2g\n",
                  draws, singular, least, without_rows, worst);
    assert_true(without_rows * 50 > draws);
    assert_true(singular * 10 > draws * 2);
    assert_true(least * 10 > singular * 8);
}

/* ---- limits ---- */

static void empty_problems_are_certified(void **state)
{
    (void)state;
    saddle_problem empty = {0};
    saddle_solution x = {0};
    saddle_reference r;
    assert_int_equal(saddle_reference_compute(NULL, &empty, &x, &r), SADDLE_OK);
    assert_true(r.certified);
    saddle_reference_clear(&r);
    saddle_reference_clear(&r);
    saddle_reference_clear(NULL);
    assert_int_equal(saddle_reference_compute(NULL, NULL, &x, &r), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_reference_compute(NULL, &empty, NULL, &r), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_reference_compute(NULL, &empty, &x, NULL), SADDLE_INVALID_ARGUMENT);
}

/* M = mass I, J = (1 1), lambda = -(f_1 + f_2) / 2. */
static saddle_reference reference_of_a_pair(double mass, const double *f, double *v, double lambda)
{
    int64_t start[] = {0, 1, 2}, index[] = {0, 1}, row_start[] = {0, 2};
    double value[] = {mass, mass}, ones[] = {1.0, 1.0};
    saddle_problem p = {.n = 2, .m = 1, .f = (double *)(uintptr_t)f};
    p.M = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 1, row_start, index, ones, SADDLE_SYMMETRY_NONE);
    const saddle_solution x = {.n = 2, .m = 1, .v = v, .lambda = &lambda};
    saddle_reference r;
    assert_int_equal(saddle_reference_compute(NULL, &p, &x, &r), SADDLE_OK);
    return r;
}

static void numbers_that_overflow_are_not_certified(void **state)
{
    (void)state;
    const double f[] = {1.0, 2.0};
    double v[] = {1.7e308, 1e308};
    saddle_reference r = reference_of_a_pair(1e10, f, v, 0.0);
    assert_false(r.certified);
    assert_true(isinf(r.velocity.bound) && isinf(r.velocity.largest));
    saddle_reference_clear(&r);
}

static void tiny_masses_are_scaled_without_overflow(void **state)
{
    (void)state;
    const double f[] = {0x1p-1030, 0x1p-1029}; /* M, f: denormal */
    double v[] = {-0.5, 0.5};
    saddle_reference r = reference_of_a_pair(0x1p-1030, f, v, -1.5 * 0x1p-1030);
    assert_true(isfinite(r.v[0]) && isfinite(r.lambda[0]));
    assert_float_equal(r.v[0], -0.5, 1e-6);
    saddle_reference_clear(&r);
}

/* x = (1, -1) spans the null space of M: without rows nothing else holds. */
static void a_singular_matrix_is_named(void **state)
{
    (void)state;
    int64_t start[] = {0, 2, 3}, index[] = {0, 1, 1};
    double value[] = {1.0, 1.0, 1.0}, f[] = {1.0, 2.0};
    saddle_problem p = {.n = 2, .f = f};
    p.M = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
    saddle_solution x = {0};
    saddle_reference r;
    assert_int_equal(saddle_solution_create(NULL, 2, 0, &x), SADDLE_OK);
    assert_int_equal(saddle_reference_compute(NULL, &p, &x, &r), SADDLE_OK);
    assert_false(r.certified);
    assert_non_null(strstr(r.note, "singular"));
    saddle_reference_clear(&r);
    saddle_solution_clear(&x);
}

/* The same row twice: lambda of least norm shares the impulse -1.5 evenly. */
static saddle_status reference_of_copies(saddle_context *context, void *user)
{
    int64_t start[] = {0, 1, 2}, index[] = {0, 1}, row_start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    double mass[] = {1.0, 1.0}, ones[] = {1.0, 1.0, 1.0, 1.0}, f[] = {1.0, 2.0};
    double v[] = {-0.5, 0.5}, lambda[] = {-1.0, -0.5};
    const saddle_solution x = {.n = 2, .m = 2, .v = v, .lambda = lambda};
    saddle_problem p = {.n = 2, .m = 2, .f = f};
    saddle_reference r;
    (void)user;
    p.M = saddle_matrix_view(2, 2, start, index, mass, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 2, row_start, column, ones, SADDLE_SYMMETRY_NONE);
    const saddle_status status = saddle_reference_compute(context, &p, &x, &r);
    if (status == SADDLE_OK) {
        assert_true(r.certified && r.least_norm);
        assert_int_equal(r.nullity, 1);
        for (int i = 0; i < 2; i++) assert_float_equal(r.lambda[i], -0.75, 1e-15);
        assert_true(r.impulse.largest < 1e-15); /* the given one is a solution too */
        assert_true(r.excess > 0.3);
    }
    saddle_reference_clear(&r);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(reference_of_copies, NULL) > 10);
}

/* A matrix of an interior point method: its answer is right to the last digit. */
static void an_interior_point_matrix_is_certified(void **state)
{
    (void)state;
    const saddle_read_options options = {.rhs = test_data_path("kkt_sqd/cvxqp1_s_2x2_it10.rhs")};
    saddle_problem p = {0};
    saddle_solution x = {0};
    saddle_reference r;
    assert_int_equal(saddle_problem_read(NULL, test_data_path("kkt_sqd/cvxqp1_s_2x2_it10.mtx"),
                                         &options, &p, NULL, NULL, NULL),
                     SADDLE_OK);
    assert_int_equal(saddle_solve(NULL, &p, "auto", NULL, NULL, &x, NULL), SADDLE_OK);
    assert_int_equal(saddle_reference_compute(NULL, &p, &x, &r), SADDLE_OK);
    assert_true(r.certified);
    assert_true(r.velocity.largest < 1e-14);
    saddle_reference_clear(&r);
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_problems_agree_with_rational_arithmetic),
        cmocka_unit_test(singular_systems_get_the_solution_of_least_norm),
        cmocka_unit_test(empty_problems_are_certified),
        cmocka_unit_test(numbers_that_overflow_are_not_certified),
        cmocka_unit_test(tiny_masses_are_scaled_without_overflow),
        cmocka_unit_test(a_singular_matrix_is_named),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(an_interior_point_matrix_is_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
