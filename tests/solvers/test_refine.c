/* SPDX-License-Identifier: MIT */
/* Refinement with the residual in twice the precision: systems so ill-conditioned that LAPACK's
 * answer has few digits left come out right to rounding.
 *
 *     M = G G'    G a product of integer shears 1 + a e_i e_k';  J of small integers;
 *                 v, lambda multiples of 1/64
 *
 * so that f = M v - J'lambda and b = J v are exact, and so is the answer that is compared with.
 * M^-1 is a matrix of integers too, so that M's condition is known; LAPACK's answer and plain
 * refinement of it show what it does. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "dense/dense.h"
#include "support.h"

enum { MOST = 14, SHEARS = 75 };

typedef struct exact_system {
    int64_t n, m;
    double M[MOST][MOST], J[MOST][MOST];
    double v[MOST], lambda[MOST], f[MOST], b[MOST];
    double condition; /* of M, maximum norm */
    int64_t M_start[MOST + 1], M_index[MOST * MOST], J_start[MOST + 1], J_index[MOST * MOST];
    double M_value[MOST * MOST], J_value[MOST * MOST];
    saddle_problem problem;
} exact_system;

typedef double square[MOST][MOST];

/* A <- A E or, on the left, E A, with the integer matrix E = 1 + a e_i e_k', whose inverse is 1 - a
 * e_i e_k' */
static void shear(int64_t n, square A, int left, int64_t i, int64_t k, double a)
{
    for (int64_t t = 0; t < n; t++) {
        if (left)
            A[i][t] += a * A[k][t];
        else
            A[t][k] += a * A[t][i];
    }
}

/* the largest row sum of |G G'|, which is left in product */
static double square_norm(int64_t n, square G, int transposed, square product)
{
    double norm = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < n; j++) {
            product[i][j] = 0.0;
            for (int64_t k = 0; k < n; k++)
                product[i][j] += transposed ? G[k][i] * G[k][j] : G[i][k] * G[j][k];
            sum += fabs(product[i][j]);
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

/* G, a product of shears, and its inverse, both exact */
static void draw_matrices(uint64_t *state, exact_system *s)
{
    square G = {{0}};
    square inverse = {{0}};
    square other;
    for (int64_t i = 0; i < s->n; i++) G[i][i] = inverse[i][i] = 1.0;
    for (int t = 0; t < SHEARS; t++) {
        int64_t i = test_integer(state, 0, s->n - 1);
        int64_t k = (i + test_integer(state, 1, s->n - 1)) % s->n;
        double a = (double)test_integer(state, -2, 2);
        shear(s->n, G, 0, i, k, a);
        shear(s->n, inverse, 1, i, k, -a);
    }
    s->condition = square_norm(s->n, G, 0, s->M) * square_norm(s->n, inverse, 1, other);
    for (int64_t i = 0; i < s->m; i++) {
        for (int64_t j = 0; j < s->n; j++) s->J[i][j] = (double)test_integer(state, -1, 1);
        s->J[i][i] = 3.0;
    }
}

static void make_problem(exact_system *s)
{
    int64_t count = 0;
    for (int64_t j = 0; j < s->n; j++) {
        for (int64_t i = j; i < s->n; i++) {
            s->M_index[count] = i;
            s->M_value[count++] = s->M[i][j];
        }
        s->M_start[j + 1] = count;
    }
    count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        for (int64_t j = 0; j < s->n; j++) {
            s->J_index[count] = j;
            s->J_value[count++] = s->J[i][j];
        }
        s->J_start[i + 1] = count;
    }
    saddle_problem p = {.n = s->n, .m = s->m, .f = s->f, .b = s->b};
    p.M = saddle_matrix_view(s->n, s->n, s->M_start, s->M_index, s->M_value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(s->n, s->m, s->J_start, s->J_index, s->J_value, SADDLE_SYMMETRY_NONE);
    s->problem = p;
}

static void draw_exact(uint64_t *state, int with_rows, exact_system *s)
{
    memset(s, 0, sizeof(*s));
    s->n = test_integer(state, 8, MOST);
    s->m = with_rows ? test_integer(state, 1, 4) : 0;
    draw_matrices(state, s);
    for (int64_t j = 0; j < s->n; j++) s->v[j] = (double)test_integer(state, -6400, 6400) / 64.0;
    for (int64_t i = 0; i < s->m; i++)
        s->lambda[i] = (double)test_integer(state, -6400, 6400) / 64.0;
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t j = 0; j < s->n; j++) s->f[i] += s->M[i][j] * s->v[j];
        for (int64_t k = 0; k < s->m; k++) s->f[i] -= s->J[k][i] * s->lambda[k];
    }
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) s->b[i] += s->J[i][j] * s->v[j];
    make_problem(s);
}

static double distance(const double *x, const double *exact, int64_t count)
{
    double most = 0.0;
    double size = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i] - exact[i]));
        size = fmax(size, fabs(exact[i]));
    }
    return most / fmax(size, DBL_MIN);
}

/* The systems of a claim: conditions of 1e9 to 1e14, with no end of digits lost on the way. */
static void draw_ill_conditioned(uint64_t *state, int with_rows, exact_system *s)
{
    do {
        draw_exact(state, with_rows, s);
    } while (!(s->condition > 1e9 && s->condition < 1e14));
}

/* LAPACK's v refined five times with the residual in plain double, m = 0 */
static double plain_error(const exact_system *s)
{
    double A[MOST * MOST];
    double v[MOST] = {0};
    double r[MOST];
    for (int step = 0; step < 6; step++) {
        for (int64_t i = 0; i < s->n; i++) {
            r[i] = s->f[i];
            for (int64_t j = 0; j < s->n; j++) {
                r[i] -= s->M[i][j] * v[j];
                A[i + j * s->n] = s->M[i][j];
            }
        }
        assert_int_equal(saddle__dense_solve(NULL, s->n, A, r), SADDLE_OK);
        for (int64_t i = 0; i < s->n; i++) v[i] += r[i];
    }
    return distance(v, s->v, s->n);
}

static void claim_rounded(const char *solver, int with_rows)
{
    uint64_t state = test_seed();
    double plain = 0.0;
    for (int trial = 0; trial < 300; trial++) {
        uint64_t seed = state;
        exact_system s;
        draw_ill_conditioned(&state, with_rows, &s);
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &s.problem, solver, NULL, NULL, &x, &report),
                         SADDLE_OK);
        double v = distance(x.v, s.v, s.n);
        double lambda = distance(x.lambda, s.lambda, s.m);
        if (!(v <= 2e-15 && lambda <= 2e-15))
            fail_msg("%s, system drawn from %" PRIu64
                     ": condition %.1e, v off by %.1e, lambda by %.1e, %d refinements",
                     solver, seed, s.condition, v, lambda, (int)report.refinements);
        if (!with_rows) plain = fmax(plain, plain_error(&s));
        saddle_solution_clear(&x);
    }
    if (!with_rows) assert_true(plain > 1e-6);
}

static void ill_conditioned_masses_are_solved_to_rounding(void **unused)
{
    (void)unused;
    const char *solvers[] = {"ldlt", "lu", "schur"};
    for (int k = 0; k < 3; k++) claim_rounded(solvers[k], 0);
}

static void ill_conditioned_systems_with_rows_are_solved_to_rounding(void **unused)
{
    (void)unused;
    const char *solvers[] = {"ldlt", "lu", "schur"};
    for (int k = 0; k < 3; k++) claim_rounded(solvers[k], 1);
}

/* max |r_i| / s_i in long double: Oettli and Prager's, all rows here being far from noise */
static double backward_error(const exact_system *s, const saddle_solution *x)
{
    long double worst = 0.0L;
    for (int64_t i = 0; i < s->n + s->m; i++) {
        int is_row = i >= s->n;
        long double r = is_row ? s->b[i - s->n] : s->f[i];
        long double size = fabsl(r);
        for (int64_t j = 0; j < s->n; j++) {
            long double term = (long double)(is_row ? s->J[i - s->n][j] : s->M[i][j]) * x->v[j];
            r -= term;
            size += fabsl(term);
        }
        for (int64_t k = 0; !is_row && k < s->m; k++) {
            long double term = (long double)s->J[k][i] * x->lambda[k];
            r += term;
            size += fabsl(term);
        }
        worst = fmaxl(worst, size > 0.0L ? fabsl(r) / size : 0.0L);
    }
    return (double)worst;
}

static void reported_backward_error_is_oettlis_and_pragers(void **unused)
{
    (void)unused;
    const char *solvers[] = {"ldlt", "lu", "schur"};
    uint64_t state = test_seed();
    saddle_options options = saddle_options_default();
    options.max_refinements = 0; /* what refinement leaves is often 0 */
    for (int trial = 0; trial < 300; trial++) {
        exact_system s;
        draw_ill_conditioned(&state, trial % 2, &s);
        saddle_solution x = {0};
        saddle_report report;
        assert_true(
            saddle_solve(NULL, &s.problem, solvers[trial % 3], &options, NULL, &x, &report) >= 0);
        double exact = backward_error(&s, &x);
        assert_true(fabs(report.backward_error - exact) <= 1e-3 * exact + 1e-19);
        saddle_solution_clear(&x);
    }
}

/* A second solve is the price of knowing; max_refinements = 0 does without. */
static void no_refinement_means_one_solve(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_options options = saddle_options_default();
    options.max_refinements = 0;
    for (int trial = 0; trial < 50; trial++) {
        exact_system s;
        draw_ill_conditioned(&state, trial % 2, &s);
        saddle_solution x = {0};
        saddle_report report;
        assert_true(saddle_solve(NULL, &s.problem, "ldlt", &options, NULL, &x, &report) >= 0);
        assert_int_equal(report.refinements, 0);
        saddle_solution_clear(&x);
    }
}

/* What saddle/options.h says of refine_to, in long double. */
static double left_of_the_right_side(const exact_system *s, const saddle_solution *x)
{
    long double natural[2] = {0.0L, 0.0L}, plain[2][2] = {{0.0L, 0.0L}, {0.0L, 0.0L}},
                moved = 0.0L; /* whole, left; of f, b */
    for (int64_t i = 0; i < s->n + s->m; i++) {
        const int is_row = i >= s->n;
        const double *row = is_row ? s->J[i - s->n] : s->M[i];
        long double r = is_row ? s->b[i - s->n] : s->f[i];
        long double size = is_row ? 0.0L : fabsl((long double)s->M[i][i]);
        long double modulus = 0.0L;
        for (int64_t j = 0; is_row && j < s->n; j++)
            size += (long double)(row[j] * row[j]) / fabsl((long double)s->M[j][j]);
        for (int k = 0; k < 2; k++) {
            natural[k] = fmaxl(natural[k], fabsl(r) / sqrtl(size));
            plain[is_row][k] = fmaxl(plain[is_row][k], fabsl(r));
            for (int64_t j = 0; j < s->n; j++) r -= (long double)row[j] * x->v[j];
            for (int64_t l = 0; !is_row && l < s->m; l++)
                r += (long double)s->J[l][i] * x->lambda[l];
        }
        for (int64_t j = 0; is_row && j < s->n; j++)
            modulus += fabsl((long double)row[j] * x->v[j]);
        moved = fmaxl(moved, modulus);
    }
    const long double rows = plain[1][1] == 0.0L ? 0.0L : plain[1][1] / (plain[1][0] + moved);
    return (double)fmaxl(natural[1] / natural[0], fmaxl(plain[0][1] / plain[0][0], rows));
}

static void refinement_stops_where_little_enough_is_left(void **unused)
{
    (void)unused;
    static const double wanted[] = {1e-10, 1e-11, 1e-12};
    int64_t fewer = 0, stopped = 0;
    uint64_t state = test_seed();
    saddle_options options = saddle_options_default();
    for (int trial = 0; trial < 300; trial++) {
        uint64_t seed = state;
        exact_system s;
        draw_ill_conditioned(&state, trial % 2, &s);
        saddle_solution x = {0};
        saddle_report report, whole;
        const char *solver = trial % 4 < 2 ? "ldlt" : "lu";
        options.refine_to = 0.0;
        assert_int_equal(saddle_solve(NULL, &s.problem, solver, &options, NULL, &x, &whole),
                         SADDLE_OK);
        options.refine_to = wanted[trial % 3];
        assert_int_equal(saddle_solve(NULL, &s.problem, solver, &options, NULL, &x, &report),
                         SADDLE_OK);
        const double left = left_of_the_right_side(&s, &x);
        if (isnan(report.backward_error)) {
            stopped++;
            if (!(left <= 1.001 * options.refine_to))
                fail_msg("%s, system drawn from %" PRIu64 ": %.2e left, %.0e wanted", solver, seed,
                         left, options.refine_to);
            fewer += report.refinements < whole.refinements;
            assert_true(report.refinements <= whole.refinements);
        } else { /* less could not be had: as far as it goes */
            assert_true(report.backward_error <= 1e-15);
            if (s.m == 0) assert_true(distance(x.v, s.v, s.n) <= 2e-15);
        }
        saddle_solution_clear(&x);
    }
    assert_true(stopped > 150 && fewer > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ill_conditioned_masses_are_solved_to_rounding),
        cmocka_unit_test(ill_conditioned_systems_with_rows_are_solved_to_rounding),
        cmocka_unit_test(reported_backward_error_is_oettlis_and_pragers),
        cmocka_unit_test(no_refinement_means_one_solve),
        cmocka_unit_test(refinement_stops_where_little_enough_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
