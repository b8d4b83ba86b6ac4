/* SPDX-License-Identifier: MIT */
/* Compliances against what they stand for: springs by implicit Euler, the oscillator's closed form,
 * the seeds' own rows. */
#include <math.h>

#include "saddle/compliance.h"
#include "support.h"

enum { TRIALS = 2000 };

static const double PI = 3.14159265358979323846;

/* 10^lo .. 10^hi */
static double draw(uint64_t *state, double lo, double hi)
{
    return pow(10, test_uniform(state, lo, hi));
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static void assert_row(const saddle_compliance *compliance, double h, double theta, double R,
                       double rate)
{
    double got_R, got_rate;
    assert_int_equal(saddle_compliance_check(NULL, compliance), SADDLE_OK);
    saddle_compliance_row(compliance, h, theta, &got_R, &got_rate);
    assert_near(got_R, R, 1e-13);
    assert_near(got_rate, rate, 1e-13);
}

/* v+ and the impulse of a mass m at one row: m v+ - lambda = m v, v+ + R lambda - b = w; unilateral
 * where asked. */
static double step_one(double m, double v, double R, double b, int unilateral, double *lambda)
{
    *lambda = (b - v) / (R + 1 / m);
    if (unilateral && *lambda < 0) *lambda = 0;
    return v + *lambda / m;
}

/* ---- dialects against what they mean ---- */

static void a_spring_with_damper_is_implicit_euler(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double k = draw(&seed, -3, 8), d = draw(&seed, -3, 5), m = draw(&seed, -2, 2),
                     h = draw(&seed, -5, 0);
        const double phi = test_uniform(&seed, -1, 1), v = test_uniform(&seed, -1, 1);
        saddle_compliance spring;
        assert_int_equal(saddle_compliance_from_stiffness(NULL, k, d, &spring), SADDLE_OK);
        double R, rate, lambda;
        saddle_compliance_row(&spring, h, 1, &R, &rate);
        const double next = step_one(m, v, R, -rate * phi, 0, &lambda);
        const double primal = (m * v - h * k * phi) / (m + h * d + h * h * k);
        assert_true(fabs(next - primal) <= 1e-12 * (fabs(v) + rate * fabs(phi)));
        const double force = -k * (phi + h * primal) - d * primal;
        assert_true(fabs(lambda - h * force) <=
                    1e-12 * (m * fabs(v) + h * k * fabs(phi) + fabs(lambda)));
    }
}

static void a_damper_without_a_spring_takes_speed_and_no_error(void **state)
{
    (void)state;
    const double d = 3, m = 2, h = 0.01, v = 1.5;
    saddle_compliance damper;
    assert_int_equal(saddle_compliance_from_stiffness(NULL, 0, d, &damper), SADDLE_OK);
    double R, rate, lambda;
    saddle_compliance_row(&damper, h, 1, &R, &rate);
    assert_near(R, 1 / (h * d), 1e-15);
    assert_true(rate < 1e-30);
    assert_near(step_one(m, v, R, -rate * 1e3, 0, &lambda), v / (1 + h * d / m), 1e-15);
}

static void flexibility_is_the_second_seeds_W(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double C = draw(&seed, -9, 3), D = draw(&seed, -3, 6), h = draw(&seed, -5, 0);
        saddle_compliance compliance, spring;
        assert_int_equal(saddle_compliance_from_flexibility(NULL, C, D, &compliance), SADDLE_OK);
        assert_row(&compliance, h, 1, C / (h * C * D + h * h), h / (h * C * D + h * h));
        double R, P;
        assert_int_equal(saddle_compliance_matrix(NULL, 1, &C, &D, h, h * h, h, &R, &P), SADDLE_OK);
        assert_row(&compliance, h, 1, R, P);
        assert_int_equal(saddle_compliance_from_stiffness(NULL, 1 / C, D, &spring), SADDLE_OK);
        assert_row(&spring, h, 1, R, P);
    }
}

static void gamma_is_the_first_seeds_row(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double alpha = draw(&seed, -9, 3), beta = draw(&seed, -5, 2), h = draw(&seed, -5, 0);
        const double gamma = 1 / (0.5 + beta / h);
        saddle_compliance compliance;
        assert_int_equal(saddle_compliance_from_gamma(NULL, alpha, gamma, h, &compliance),
                         SADDLE_OK);
        assert_row(&compliance, h, 0.5, gamma * alpha / (h * h), gamma / h);
        assert_true(fabs(compliance.beta - beta) <= 1e-14 * (beta + h));
        double back_alpha, back_gamma;
        saddle_compliance_to_gamma(&compliance, h, &back_alpha, &back_gamma);
        assert_near(back_alpha, alpha, 0);
        assert_near(back_gamma, gamma, 1e-13);
    }
}

/* alpha F = -phi - (h/2 + beta) dphi/dt+, F the mean force: with the other sign, that of (0.8), it
 * fails. */
static void the_mean_force_has_the_sign_of_0_9(void **state)
{
    (void)state;
    const double alpha = 1e-3, beta = 0.02, h = 0.01, m = 2, phi = 0.1, v = -0.7;
    const saddle_compliance compliance = {.alpha = alpha, .beta = beta};
    double R, rate, lambda;
    saddle_compliance_row(&compliance, h, 0.5, &R, &rate);
    double next = step_one(m, v, R, -rate * phi, 0, &lambda);
    assert_near(alpha * lambda / h, -phi - (h / 2 + beta) * next, 1e-13);
    assert_true(fabs(alpha * lambda / h - (-phi + (h / 2 + beta) * next)) > 1e-2);

    const saddle_compliance undamped = {.alpha = alpha};
    saddle_compliance_row(&undamped, h, 0.5, &R, &rate);
    next = step_one(m, v, R, -rate * phi, 0, &lambda);
    assert_near(alpha * lambda / h, -(phi + (phi + h * next)) / 2, 1e-13);
}

static void erp_and_cfm_of_a_spring_are_the_spring(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double k = draw(&seed, -3, 8), d = draw(&seed, -3, 5), h = draw(&seed, -5, 0);
        const double erp = h * k / (h * k + d), cfm = 1 / (h * k + d);
        saddle_compliance spring, compliance;
        assert_int_equal(saddle_compliance_from_stiffness(NULL, k, d, &spring), SADDLE_OK);
        assert_row(&spring, h, 1, cfm / h, erp / h);
        assert_int_equal(saddle_compliance_from_erp(NULL, erp, cfm, h, 1, &compliance), SADDLE_OK);
        double R, rate;
        saddle_compliance_row(&spring, h, 1, &R, &rate);
        assert_row(&compliance, h, 1, R, rate);
        double back_erp, back_cfm;
        saddle_compliance_to_erp(&spring, h, 1, &back_erp, &back_cfm);
        assert_near(back_erp, erp, 1e-13);
        assert_near(back_cfm, cfm, 1e-13);
    }
}

static void erp_and_cfm_are_what_a_step_takes_whatever_theta(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double theta = test_uniform(&seed, 0.1, 1), erp = test_uniform(&seed, 0, 1),
                     h = draw(&seed, -5, 0);
        const double cfm = trial % 3 == 0 ? 0 : draw(&seed, -12, 2);
        saddle_compliance compliance;
        assert_int_equal(saddle_compliance_from_erp(NULL, erp, cfm, h, theta, &compliance),
                         SADDLE_OK);
        assert_row(&compliance, h, theta, cfm / h, erp / h);
    }
    saddle_compliance compliance;
    double R, rate;
    assert_int_equal(saddle_compliance_from_erp(NULL, 0, 1e-5, 0.01, 1, &compliance),
                     SADDLE_OK); /* CFM alone */
    saddle_compliance_row(&compliance, 0.01, 1, &R, &rate);
    assert_near(R, 1e-3, 1e-15);
    assert_true(rate < 1e-26);
    /* a velocity row */
    assert_int_equal(saddle_compliance_from_erp(NULL, 0, 0, 0.01, 1, &compliance), SADDLE_OK);
    assert_row(&compliance, 0.01, 1, 0, 0);
}

static void baumgartes_rate_is_the_rate(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double h = draw(&seed, -5, 0), theta = test_uniform(&seed, 0.1, 1);
        const double rate = trial % 5 == 0 ? 0 : test_uniform(&seed, 0, 1) / h;
        saddle_compliance compliance;
        assert_int_equal(saddle_compliance_from_baumgarte(NULL, rate, h, theta, &compliance),
                         SADDLE_OK);
        assert_row(&compliance, h, theta, 0, rate);
        assert_int_equal(saddle_compliance_from_erp(NULL, rate * h, 0, h, theta, &compliance),
                         SADDLE_OK);
        assert_row(&compliance, h, theta, 0, rate);
    }
}

static void every_dialect_there_and_back_is_the_same_row(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const saddle_compliance drawn = {.alpha = draw(&seed, -9, 3),
                                         .beta = trial % 4 == 0 ? 0 : draw(&seed, -5, 2),
                                         .steps = trial % 3 == 0 ? 0 : draw(&seed, -2, 2)};
        const double h = draw(&seed, -5, 0), theta = trial % 2 == 0 ? 1 : 0.5,
                     m = draw(&seed, -2, 2);
        double R, rate, first, second;
        saddle_compliance_row(&drawn, h, theta, &R, &rate);
        saddle_compliance other;
        saddle_compliance_to_stiffness(&drawn, h, &first, &second);
        assert_int_equal(saddle_compliance_from_stiffness(NULL, first, second, &other), SADDLE_OK);
        assert_row(&other, h, theta, R, rate);
        assert_int_equal(saddle_compliance_from_flexibility(NULL, 1 / first, second, &other),
                         SADDLE_OK);
        assert_row(&other, h, theta, R, rate);
        saddle_compliance_to_frequency(&drawn, h, m, &first, &second);
        assert_int_equal(saddle_compliance_from_frequency(NULL, first, second, m, &other),
                         SADDLE_OK);
        assert_row(&other, h, theta, R, rate);
        saddle_compliance_to_erp(&drawn, h, theta, &first, &second);
        assert_int_equal(saddle_compliance_from_erp(NULL, fmin(first, 1 / theta), second, h, theta,
                                                    &other),
                         SADDLE_OK);
        assert_row(&other, h, theta, R, rate);
        saddle_compliance_to_gamma(&drawn, h, &first, &second);
        assert_int_equal(saddle_compliance_from_gamma(NULL, first, fmin(second, 2), h, &other),
                         SADDLE_OK);
        saddle_compliance_row(&drawn, h, 0.5, &R, &rate);
        assert_row(&other, h, 0.5, R, rate);
    }
}

/* ---- limits ---- */

/* The answer of a step comes to that of the hard row as fast as 1/K. */
static void the_hard_row_is_the_limit_of_stiff_ones(void **state)
{
    (void)state;
    const double h = 0.01, m = 2, v = 0.3, phi = 0.05;
    double R, rate, lambda, hard_lambda;
    const saddle_compliance hard = {0};
    saddle_compliance_row(&hard, h, 1, &R, &rate);
    assert_true(R == 0);
    const double hard_v = step_one(m, v, R, -rate * phi, 0, &hard_lambda);
    assert_near(hard_v, -phi / h, 1e-14);
    for (double k = 1e6; k <= 1e14; k *= 100) {
        saddle_compliance spring;
        assert_int_equal(saddle_compliance_from_stiffness(NULL, k, 1, &spring), SADDLE_OK);
        saddle_compliance_row(&spring, h, 1, &R, &rate);
        const double next = step_one(m, v, R, -rate * phi, 0, &lambda);
        const double bound = (m / (h * h) + 1 / h) / k;
        assert_true(fabs(next - hard_v) <=
                    1.1 * bound * (fabs(v) + 2 * fabs(hard_v)) + 1e-14 * fabs(hard_v));
        assert_true(fabs(lambda - hard_lambda) <=
                    m * 1.1 * bound * (fabs(v) + 2 * fabs(hard_v)) + 1e-13 * hard_lambda);
    }
    saddle_compliance at_last;
    assert_int_equal(saddle_compliance_from_stiffness(NULL, INFINITY, 1, &at_last), SADDLE_OK);
    assert_memory_equal(&at_last, &hard, sizeof hard);
    assert_int_equal(saddle_compliance_from_flexibility(NULL, 0, 7, &at_last), SADDLE_OK);
    assert_memory_equal(&at_last, &hard, sizeof hard);
    assert_int_equal(saddle_compliance_from_frequency(NULL, INFINITY, 1, m, &at_last), SADDLE_OK);
    assert_memory_equal(&at_last, &hard, sizeof hard);
    assert_int_equal(saddle_compliance_from_erp(NULL, 1, 0, h, 1, &at_last), SADDLE_OK);
    assert_memory_equal(&at_last, &hard, sizeof hard);
}

/* x(t) of m x'' + d x' + k x = 0 */
static double oscillation(double k, double d, double m, double x, double v, double t)
{
    const double omega = sqrt(k / m), zeta = d / (2 * sqrt(k * m));
    if (zeta < 1) {
        const double damped = omega * sqrt(1 - zeta * zeta);
        return exp(-zeta * omega * t) *
               (x * cos(damped * t) + (v + zeta * omega * x) / damped * sin(damped * t));
    }
    const double root = omega * sqrt(zeta * zeta - 1), fast = -zeta * omega - root,
                 slow = -zeta * omega + root;
    return ((v - slow * x) * exp(fast * t) - (v - fast * x) * exp(slow * t)) / (fast - slow);
}

static double simulated(const saddle_compliance *compliance, double theta, double m, double x,
                        double v, double t, int steps)
{
    const double h = t / steps;
    double R, rate, lambda;
    saddle_compliance_row(compliance, h, theta, &R, &rate);
    for (int k = 0; k < steps; k++) {
        v = step_one(m, v, R, -rate * x, 0, &lambda);
        x += h * v;
    }
    return x;
}

static void an_oscillator_comes_to_its_closed_form(void **state)
{
    (void)state;
    const double m = 1.5, x = 0.2, v = -0.4, t = 1.3;
    const double ratios[] = {0, 0.3, 2};
    for (int which = 0; which < 3; which++) {
        for (int mean = 0; mean < 2; mean++) {
            const double theta = mean ? 0.5 : 1, frequency = 0.8,
                         k = m * pow(2 * PI * frequency, 2);
            saddle_compliance compliance;
            assert_int_equal(saddle_compliance_from_frequency(NULL, frequency, ratios[which], m,
                                                              &compliance),
                             SADDLE_OK);
            const double exact = oscillation(k, 2 * ratios[which] * sqrt(k * m), m, x, v, t);
            const double coarse = simulated(&compliance, theta, m, x, v, t, 4000) - exact;
            const double fine = simulated(&compliance, theta, m, x, v, t, 8000) - exact;
            assert_true(fabs(fine) < 1e-3);
            assert_true(fabs(coarse / fine - 2) < 0.02);
        }
    }
}

/* A mass meets a one-sided spring, stays half a period, leaves as fast as it came. */
static void a_one_sided_spring_gives_back_what_it_took(void **state)
{
    (void)state;
    const double m = 2, k = 800, h = 1e-6, omega = sqrt(k / m);
    saddle_compliance spring;
    assert_int_equal(saddle_compliance_from_stiffness(NULL, k, 0, &spring), SADDLE_OK);
    double R, rate, lambda, x = 0.001, v = -1, touched = 0;
    saddle_compliance_row(&spring, h, 0.5, &R, &rate);
    while (!(x > 0 && v > 0)) {
        v = step_one(m, v, R, -rate * x, 1, &lambda);
        x += h * v;
        assert_true(lambda >= 0 && (x < 0.0011));
        touched += lambda > 0 ? h : 0;
    }
    assert_near(touched, PI / omega, 1e-4);
    assert_near(v, 1, 1e-4);
}

/* Seed 000, the end of 0.11: pulled apart while still overlapped, a much damped unilateral row lets
 * go too early. */
static void a_much_damped_unilateral_row_lets_go_while_it_still_overlaps(void **state)
{
    (void)state;
    const double h = 0.01, m = 1, phi = -0.1, v = 0.5;
    const saddle_compliance damped = {.alpha = 1e-4, .beta = 1}, undamped = {.alpha = 1e-4};
    double R, rate, lambda;
    saddle_compliance_row(&damped, h, 0.5, &R, &rate);
    const double next = step_one(m, v, R, -rate * phi, 1, &lambda);
    assert_true(lambda == 0 && phi + h * next < 0);
    assert_true(next - -rate * phi > 0); /* w > 0: the law holds */
    saddle_compliance_row(&undamped, h, 0.5, &R, &rate);
    assert_true(step_one(m, v, R, -rate * phi, 1, &lambda) > v && lambda > 0);
}

/* ---- what is refused ---- */

static void numbers_out_of_range_are_refused_and_nothing_is_written(void **state)
{
    (void)state;
    const saddle_compliance before = {.alpha = 3, .beta = 4, .steps = 5};
    saddle_compliance c = before;
    const double bad[] = {-1, NAN};
    for (int k = 0; k < 2; k++) {
        const double x = bad[k];
        const saddle_status answers[] = {saddle_compliance_from_stiffness(NULL, x, 1, &c),
                                         saddle_compliance_from_stiffness(NULL, 1, x, &c),
                                         saddle_compliance_from_flexibility(NULL, x, 1, &c),
                                         saddle_compliance_from_flexibility(NULL, 1, x, &c),
                                         saddle_compliance_from_gamma(NULL, x, 1, 1, &c),
                                         saddle_compliance_from_gamma(NULL, 1, x, 1, &c),
                                         saddle_compliance_from_gamma(NULL, 1, 1, x, &c),
                                         saddle_compliance_from_erp(NULL, x, 1, 1, 1, &c),
                                         saddle_compliance_from_erp(NULL, 1, x, 1, 1, &c),
                                         saddle_compliance_from_erp(NULL, 1, 1, x, 1, &c),
                                         saddle_compliance_from_erp(NULL, 1, 1, 1, x, &c),
                                         saddle_compliance_from_baumgarte(NULL, x, 1, 1, &c),
                                         saddle_compliance_from_baumgarte(NULL, 1, x, 1, &c),
                                         saddle_compliance_from_baumgarte(NULL, 1, 1, x, &c),
                                         saddle_compliance_from_frequency(NULL, x, 1, 1, &c),
                                         saddle_compliance_from_frequency(NULL, 1, x, 1, &c),
                                         saddle_compliance_from_frequency(NULL, 1, 1, x, &c),
                                         saddle_compliance_from_gamma(NULL, 1, 2.1, 1, &c),
                                         saddle_compliance_from_erp(NULL, 1.1, 1, 1, 1, &c),
                                         saddle_compliance_from_baumgarte(NULL, 11, 0.1, 1, &c),
                                         saddle_compliance_from_stiffness(NULL, 0, 0, &c),
                                         saddle_compliance_from_stiffness(NULL, 1e-310, 0, &c),
                                         saddle_compliance_from_stiffness(NULL, 1, INFINITY, &c),
                                         saddle_compliance_from_frequency(NULL, 0, 1, 1, &c),
                                         saddle_compliance_from_flexibility(NULL, INFINITY, 0, &c)};
        for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
            assert_int_equal(answers[i], SADDLE_INVALID_ARGUMENT);
        }
        assert_memory_equal(&c, &before, sizeof c);
    }
    const saddle_compliance endless = {.alpha = 1, .beta = INFINITY};
    assert_int_equal(saddle_compliance_check(NULL, &endless), SADDLE_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_with_damper_is_implicit_euler),
        cmocka_unit_test(a_damper_without_a_spring_takes_speed_and_no_error),
        cmocka_unit_test(flexibility_is_the_second_seeds_W),
        cmocka_unit_test(gamma_is_the_first_seeds_row),
        cmocka_unit_test(the_mean_force_has_the_sign_of_0_9),
        cmocka_unit_test(erp_and_cfm_of_a_spring_are_the_spring),
        cmocka_unit_test(erp_and_cfm_are_what_a_step_takes_whatever_theta),
        cmocka_unit_test(baumgartes_rate_is_the_rate),
        cmocka_unit_test(every_dialect_there_and_back_is_the_same_row),
        cmocka_unit_test(the_hard_row_is_the_limit_of_stiff_ones),
        cmocka_unit_test(an_oscillator_comes_to_its_closed_form),
        cmocka_unit_test(a_one_sided_spring_gives_back_what_it_took),
        cmocka_unit_test(a_much_damped_unilateral_row_lets_go_while_it_still_overlaps),
        cmocka_unit_test(numbers_out_of_range_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
