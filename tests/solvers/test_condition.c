/* SPDX-License-Identifier: MIT */
/* Condition and growth in the report against dense twins: K inverted by LAPACK, its norms summed; L
 * D L' of the engine's own order written out. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "dense/dense.h"
#include "dense_kkt.h"
#include "drawn.h"
#include "ldlt/ldlt_internal.h"
#include "problem/kkt.h"

enum { LARGEST = 25 };

/* |K|_1 of a dense K in units d */
static double norm(int64_t size, const double *K, const double *d)
{
    double most = 0.0;
    for (int64_t j = 0; j < size; j++) {
        double sum = 0.0;
        for (int64_t i = 0; i < size; i++) sum += fabs(K[i + j * size]) * d[i] * d[j];
        most = fmax(most, sum);
    }
    return most;
}

/* |K^-1|_1 |K|_1 in units d */
static double exact_condition(int64_t size, const double *K, const double *d)
{
    double *copy = malloc((size_t)(size * size) * sizeof(*copy));
    double *inverse = calloc((size_t)(size * size), sizeof(*inverse));
    double reciprocal[2 * LARGEST];
    for (int64_t j = 0; j < size; j++) {
        memcpy(copy, K, (size_t)(size * size) * sizeof(*copy));
        inverse[j + j * size] = 1.0;
        assert_int_equal(saddle__dense_solve(NULL, size, copy, inverse + j * size), SADDLE_OK);
        reciprocal[j] = 1.0 / d[j];
    }
    double condition = norm(size, K, d) * norm(size, inverse, reciprocal);
    free(copy);
    free(inverse);
    return condition;
}

/* docs/theory.md, section 4: where M_jj and s_i are not zero */
static void natural_units(const saddle_problem *p, const double *K, double *d)
{
    int64_t size = p->n + p->m;
    for (int64_t i = 0; i < size; i++) {
        double s = fabs(K[i + i * size]);
        for (int64_t j = 0; i >= p->n && j < p->n; j++)
            s += K[i + j * size] * K[i + j * size] / fabs(K[j + j * size]);
        d[i] = 1.0 / sqrt(s);
    }
}

typedef struct tally {
    int checked, far; /* estimates; those below a third of the truth */
} tally;

static void compare(tally *t, const char *what, uint64_t seed, double estimate, double exact)
{
    if (!(estimate <= exact * (1.0 + 1e-6) && estimate >= exact / 10.0))
        fail_msg("drawn from %" PRIu64 ": %s estimated %.6e, is %.6e", seed, what, estimate, exact);
    t->checked++;
    t->far += estimate < exact / 3.0;
}

static void check_problem(const char *solver, saddle_factorization factorization, uint64_t seed,
                          const drawn *d, tally *t)
{
    const saddle_problem *p = &d->problem;
    saddle_options options = saddle_options_default();
    options.condition = 1;
    options.settings = asked_factorization(factorization);
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, p, solver, &options, NULL, &x, &report), SADDLE_OK);
    double *K;
    double *rhs;
    double unit[2 * LARGEST];
    double one[2 * LARGEST];
    assert_int_equal(test_dense_kkt(NULL, p, &K, &rhs), SADDLE_OK);
    for (int64_t i = 0; i < p->n + p->m; i++) one[i] = 1.0;
    natural_units(p, K, unit);
    compare(t, "condition", seed, report.condition, exact_condition(p->n + p->m, K, one));
    compare(t, "scaled condition", seed, report.scaled_condition,
            exact_condition(p->n + p->m, K, unit));
    saddle_release(NULL, K);
    saddle_release(NULL, rhs);
    saddle_solution_clear(&x);
}

/* Regular systems in mild units, so that LAPACK's inverse is exact enough. */
static void claim_estimates(const char *solver, saddle_factorization factorization, int symmetric,
                            int count)
{
    uint64_t state = test_seed();
    tally t = {0};
    for (int trial = 0; trial < count; trial++) {
        uint64_t seed = state;
        drawn_kind kind = draw_kind(&state, LARGEST, symmetric, 1);
        kind.decades = fmin(kind.decades, 1.5);
        drawn d;
        draw_problem(&state, kind, &d);
        int64_t size = d.problem.n + d.problem.m;
        if (size > 0 && d.rank == size && d.condition < 1e6)
            check_problem(solver, factorization, seed, &d, &t);
        drawn_clear(&d);
    }
    print_message("  %s: %d of %d estimates are below a third of the truth\n", solver, t.far,
                  t.checked);
    assert_true(t.checked > count);
    assert_true(t.far <= t.checked / 200);
}

static void estimates_are_below_the_truth_and_near_it(void **unused)
{
    (void)unused;
    claim_estimates("ldlt", SADDLE_FACTORIZATION_DEFAULT, 1, 2000);
    claim_estimates("ldlt", SADDLE_FACTORIZATION_CHOLMOD, 1, 500);
    claim_estimates("lu", SADDLE_FACTORIZATION_DEFAULT, 0, 1500);
    claim_estimates("lu", SADDLE_FACTORIZATION_KLU, 0, 500);
}

/* J = (1 e), whose second column is what keeps the matrix regular */
static void a_nearly_singular_matrix_has_a_large_condition(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 2, 3};
    int64_t index[] = {0, 1, 1};
    double f[] = {1.0, 1.0};
    for (double e = 1e-2; e > 1e-13; e *= 1e-2) {
        double value[] = {1.0, 1.0, 1.0 + e};
        saddle_problem p = {.n = 2, .f = f, .Jt = {.rows = 2}};
        p.M = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
        saddle_options options = saddle_options_default();
        options.condition = 1;
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &p, "ldlt", &options, NULL, &x, &report), SADDLE_OK);
        double exact = (2.0 + e) * (2.0 + e) / (value[2] - 1.0);
        assert_true(fabs(report.condition - exact) < 1e-3 * exact);
        saddle_solution_clear(&x);
    }
}

static void nothing_is_known_that_was_not_asked_for(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn d;
    draw_problem(&state, (drawn_kind){.n = 6, .m = 3, .compliance = DIAGONAL_R}, &d);
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, &d.problem, "ldlt", NULL, NULL, &x, &report), SADDLE_OK);
    assert_true(isnan(report.condition) && isnan(report.scaled_condition) && isnan(report.growth));
    assert_true(report.backward_error >= 0.0 && report.backward_error <= 1e-15);
    assert_true(report.flops > 0.0 && report.factor_entries >= 9);
    saddle_solution_clear(&x);
    assert_int_equal(saddle_solve(NULL, &d.problem, "gauss-seidel", NULL, NULL, &x, &report),
                     SADDLE_OK);
    assert_true(isnan(report.condition) && isnan(report.backward_error) &&
                report.factor_entries == 0);
    saddle_solution_clear(&x);
    drawn_clear(&d);
}

/* options.condition: solvers without an estimate report none. */
static void who_factors_no_k_reports_no_condition_and_who_pivots_no_growth(void **unused)
{
    (void)unused;
    static const struct {
        const char *solver;
        int condition, growth;
    } cases[] = {
        {"ldlt", 1, 1}, {"lu", 1, 0}, {"schur", 0, 0}, {"gauss-seidel", 0, 0}, {"lemke", 0, 0}};
    uint64_t state = test_seed();
    drawn d;
    draw_problem(&state, (drawn_kind){.n = 9, .m = 3}, &d);
    saddle_options options = saddle_options_default();
    options.condition = 1;
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        saddle_solution x = {0};
        saddle_report report;
        assert_true(saddle_solve(NULL, &d.problem, cases[k].solver, &options, NULL, &x, &report) >=
                    0);
        assert_int_equal(!isnan(report.condition), cases[k].condition);
        assert_int_equal(!isnan(report.scaled_condition), cases[k].condition);
        assert_int_equal(!isnan(report.growth), cases[k].growth);
        saddle_solution_clear(&x);
    }
    drawn_clear(&d);
}

static void empty_systems_are_well_conditioned(void **unused)
{
    (void)unused;
    saddle_problem p = {0};
    saddle_options options = saddle_options_default();
    options.condition = 1;
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, &p, "ldlt", &options, NULL, &x, &report), SADDLE_OK);
    assert_true(report.condition == 1.0 && report.scaled_condition == 1.0 && report.growth == 1.0);
    saddle_solution_clear(&x);
}

/* A'x = b by each method's factors of a drawn A, what the estimate climbs by. */
static void transposed_systems_are_solved(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const char *method;
    for (int k = 0; (method = saddle__factorization_name_at(k)) != NULL; k++) {
        for (int trial = 0; trial < 50; trial++) {
            int symmetric = strcmp(method, "ldlt") == 0 || strcmp(method, "cholmod") == 0;
            drawn d;
            draw_problem(&state,
                         (drawn_kind){.n = test_integer(&state, 1, LARGEST),
                                      .unsymmetric = !symmetric},
                         &d);
            const saddle_matrix *A = &d.problem.M;
            double exact[LARGEST];
            double x[LARGEST];
            for (int64_t i = 0; i < A->rows; i++) exact[i] = test_uniform(&state, -1.0, 1.0);
            saddle_matrix_apply_transpose(A, 1.0, exact, 0.0, x);
            saddle__factorization *F;
            assert_int_equal(saddle__factorization_create(NULL, method, SADDLE_ORDERING_BEST, &F),
                             SADDLE_OK);
            assert_int_equal(saddle__factorization_analyse(F, A), SADDLE_OK);
            assert_int_equal(saddle__factorization_factor(F, A, NULL, 0.0), SADDLE_OK);
            assert_int_equal(saddle__factorization_solve_transpose(F, x), SADDLE_OK);
            assert_true(test_distance(x, exact, A->rows) < 1e-14 * fmax(d.condition, 10.0));
            saddle__factorization_free(F);
            drawn_clear(&d);
        }
    }
}

/* ---- growth ---- */

/* max_i (|L||D||L'|)_ii / scale_i of the dense A, eliminated in the order given */
static double exact_growth(int64_t size, double *A, const int64_t *order, const double *scale)
{
    double square[2 * LARGEST] = {0};
    for (int64_t k = 0; k < size; k++) {
        int64_t p = order[k];
        double pivot = A[p + p * size];
        square[p] += fabs(pivot);
        for (int64_t a = k + 1; a < size; a++) {
            int64_t i = order[a];
            double l = A[i + p * size] / pivot;
            square[i] += l * l * fabs(pivot);
            for (int64_t b = k + 1; b < size; b++)
                A[i + order[b] * size] -= l * A[p + order[b] * size];
        }
    }
    double growth = 0.0;
    for (int64_t i = 0; i < size; i++) growth = fmax(growth, square[i] / scale[i]);
    return growth;
}

static void growth_is_that_of_the_factors(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(500); trial++) {
        drawn_kind kind = draw_kind(&state, LARGEST, 1, 1);
        if (kind.n == 0 || kind.compliance == RIGID || kind.compliance == SEMIDEFINITE_R) continue;
        drawn d;
        draw_problem(&state, kind, &d);
        const saddle_problem *p = &d.problem;
        int64_t size = p->n + p->m;
        saddle__kkt kkt;
        assert_int_equal(saddle__kkt_create(NULL, p, 0, &kkt), SADDLE_OK);
        saddle__kkt_refresh(&kkt, p, NULL);
        double *K;
        double *rhs;
        double unit[2 * LARGEST];
        double scale[2 * LARGEST];
        assert_int_equal(test_dense_kkt(NULL, p, &K, &rhs), SADDLE_OK);
        natural_units(p, K, unit);
        for (int64_t i = 0; i < size; i++) scale[i] = 1.0 / (unit[i] * unit[i]);
        saddle__ldlt *F;
        saddle__ldlt_request request = {0};
        saddle__pivot_rule rule = {0};
        saddle__factor_counts counts = {0};
        assert_int_equal(saddle__ldlt_analyse(NULL, &kkt.K, &request, &F), SADDLE_OK);
        assert_int_equal(saddle__ldlt_factor(F, &kkt.K, &rule, &counts), SADDLE_OK);
        double square[2 * LARGEST] = {0};
        saddle__ldlt_add_squares(F, square);
        double growth = 0.0;
        for (int64_t i = 0; i < size; i++) growth = fmax(growth, square[i] / scale[i]);
        double exact = exact_growth(size, K, F->order, scale);
        assert_true(fabs(growth - exact) <= 1e-10 * exact);
        saddle__ldlt_free(F);
        saddle__kkt_clear(&kkt);
        saddle_release(NULL, K);
        saddle_release(NULL, rhs);
        drawn_clear(&d);
    }
}

static double growth_of(const drawn *d, saddle_factorization factorization)
{
    saddle_options options = saddle_options_default();
    options.condition = 1;
    options.settings = asked_factorization(factorization);
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, &d->problem, "ldlt", &options, NULL, &x, &report),
                     SADDLE_OK);
    saddle_solution_clear(&x);
    return report.growth;
}

static void a_definite_matrix_does_not_grow(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn d;
        draw_problem(&state, (drawn_kind){.n = test_integer(&state, 1, LARGEST), .decades = 4.0},
                     &d);
        assert_true(fabs(growth_of(&d, SADDLE_FACTORIZATION_DEFAULT) - 1.0) < 1e-12);
        assert_true(fabs(growth_of(&d, SADDLE_FACTORIZATION_CHOLMOD) - 1.0) < 1e-12);
        drawn_clear(&d);
    }
}

/* A row coupled to others by R can lose its pivot, but for a row with a velocity of its own.
 * Growth is then 1 / (a drawn entry of J)^2, above 1 / 3e-5 once in some thousand draws.  With a
 * row as the only partner, growth was 1e10, 1 / regularization, in 1 of 50 draws. */
static void rows_that_share_compliance_do_not_make_it_grow(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int grown = 0;
    for (int trial = 0; trial < test_draws(400); trial++) {
        drawn_kind kind = {.n = test_integer(&state, 2, LARGEST), .compliance = SEMIDEFINITE_R};
        kind.m = test_integer(&state, 2, kind.n);
        drawn d;
        draw_problem(&state, kind, &d);
        grown += !(growth_of(&d, SADDLE_FACTORIZATION_DEFAULT) < 1e9);
        drawn_clear(&d);
    }
    assert_in_range(grown, 0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_below_the_truth_and_near_it),
        cmocka_unit_test(a_nearly_singular_matrix_has_a_large_condition),
        cmocka_unit_test(nothing_is_known_that_was_not_asked_for),
        cmocka_unit_test(who_factors_no_k_reports_no_condition_and_who_pivots_no_growth),
        cmocka_unit_test(empty_systems_are_well_conditioned),
        cmocka_unit_test(transposed_systems_are_solved),
        cmocka_unit_test(growth_is_that_of_the_factors),
        cmocka_unit_test(a_definite_matrix_does_not_grow),
        cmocka_unit_test(rows_that_share_compliance_do_not_make_it_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
