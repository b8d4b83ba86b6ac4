/* SPDX-License-Identifier: MIT */
/* A disc of mass m and moment of inertia I on a plane, by steps of h in which M (v+ - v) = h m g +
 * J'lambda: spinning and sliding against torsional friction of one wide contact, or against the
 * tangential friction of three contacts on a ring. */
#include <math.h>
#include <string.h>

#include "contact_law.h"
#include "support.h"

static const char *const solvers[] = {"gauss-seidel", "admm", "staggered", "auto"};
enum { SOLVERS = 4, RING = 3, MOST = 6, ROWS = 3 * RING };

typedef struct disc {
    double m, I, radius, weight, mu, step; /* weight: h m g; step: h */
    double f[MOST], M[MOST], J[ROWS * MOST];
    int64_t M_start[MOST + 1], M_index[MOST], J_start[ROWS + 1], J_index[ROWS * MOST];
    saddle_contact contact[RING];
    saddle_problem problem;
    saddle_solver *solver;
    saddle_solution now; /* v is that of the last step */
} disc;

static void draw_disc(uint64_t *seed, disc *d)
{
    memset(d, 0, sizeof *d);
    d->m = test_uniform(seed, 0.5, 2);
    d->radius = test_uniform(seed, 0.1, 0.5);
    d->I = d->m * d->radius * d->radius / 2;
    d->step = test_uniform(seed, 0.005, 0.02);
    d->weight = d->step * d->m * 9.81;
    d->mu = test_uniform(seed, 0.1, 0.9);
}

static void begin(const char *solver, const saddle_contact *contact, int64_t contacts,
                  const double *velocity, disc *d)
{
    saddle_options options = saddle_options_default();
    saddle_problem *p = &d->problem;
    int64_t n = contacts == 1 ? 4 : 6, m = contacts == 1 ? 4 : ROWS;
    options.tolerance = 1e-12;
    for (int64_t j = 0; j <= n; j++) d->M_start[j] = j;
    for (int64_t j = 0; j < n; j++) d->M_index[j] = j;
    for (int64_t i = 0; i <= m; i++) d->J_start[i] = i * n;
    for (int64_t k = 0; k < m * n; k++) d->J_index[k] = k % n;
    *p = (saddle_problem){.n = n, .m = m, .f = d->f, .contact_count = contacts};
    p->M = saddle_matrix_view(n, n, d->M_start, d->M_index, d->M, SADDLE_SYMMETRY_LOWER);
    p->Jt = saddle_matrix_view(n, m, d->J_start, d->J_index, d->J, SADDLE_SYMMETRY_NONE);
    memcpy(d->contact, contact, (size_t)contacts * sizeof *contact);
    p->contacts = d->contact;
    assert_int_equal(saddle_solution_create(NULL, n, m, &d->now), SADDLE_OK);
    memcpy(d->now.v, velocity, (size_t)n * sizeof *velocity);
    assert_int_equal(saddle_solver_create(NULL, solver, &options, &d->solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(d->solver, p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(d->solver, p), SADDLE_OK);
}

static void end(disc *d)
{
    saddle_solver_free(d->solver);
    saddle_solution_clear(&d->now);
}

/* vertical: the velocity that weight acts on */
static void step(disc *d, int64_t vertical)
{
    for (int64_t j = 0; j < d->problem.n; j++) d->f[j] = d->M[j] * d->now.v[j];
    d->f[vertical] -= d->weight;
    saddle_status status = saddle_solver_solve(d->solver, &d->problem, NULL, &d->now);
    if (status != SADDLE_OK) fail_msg("%s", saddle_status_name(status));
    double error = contact_law_error(&d->problem, d->now.v, d->now.lambda, d->weight,
                                     d->weight / d->m);
    if (!(error <= 1e-9)) fail_msg("law: %g", error);
}

/* Of what slides: impulse = -mu normal w/|w|, where |w| is more than nothing. */
static void opposes(int64_t count, double bound, const double *impulse, const double *w)
{
    double speed = hypot(w[0], count == 2 ? w[1] : 0);
    assert_true(hypot(impulse[0], count == 2 ? impulse[1] : 0) <= bound * (1 + 1e-9));
    for (int64_t i = 0; speed > 1e-6 && i < count; i++)
        assert_true(fabs(impulse[i] + bound * w[i] / speed) <= 1e-8 * bound / fmin(speed, 1));
}

/* ---- a wide contact: normal, two tangents, torsion ---- */

static void begin_wide(uint64_t *seed, const char *solver, const double *velocity, disc *d)
{
    draw_disc(seed, d);
    saddle_contact contact = {.size = 4, .mu = d->mu};
    contact.mu_torsion = d->radius * test_uniform(seed, 0.05, 0.5);
    for (int64_t k = 0; k < 4; k++) {
        d->J[5 * k] = 1;
        d->M[k] = k < 3 ? d->m : d->I;
    }
    begin(solver, &contact, 1, velocity, d);
}

static double less(double speed, double by)
{
    return copysign(fmax(fabs(speed) - by, 0), speed);
}

/* d omega/dt = -mu_t m g/I, until it stands; alone, and while it slides, where d|v|/dt = -mu g:
 * with a moment for torsion of its own neither knows of the other. */
static void a_disc_on_a_wide_contact_slows_down_by_the_closed_form(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int64_t k = 0; k < test_draws_at_least(2, 20); k++)
        for (int s = 0; s < SOLVERS; s++) {
            disc d;
            double speed = k % 2 ? test_uniform(&seed, 0.2, 2) : 0;
            double angle = test_uniform(&seed, 0, 6);
            double spin = (k % 3 ? 1 : -1) * test_uniform(&seed, 2, 20);
            double start[4] = {0, speed * cos(angle), speed * sin(angle), spin};
            begin_wide(&seed, solvers[s], start, &d);
            double torsion = d.contact[0].mu_torsion * d.weight;
            int64_t steps = (int64_t)fmax(fabs(spin) * d.I / torsion,
                                          speed * d.m / d.mu / d.weight) +
                            3;
            int64_t each = steps / 50 + 1; /* 50 steps at most */
            d.weight *= (double)each;
            torsion *= (double)each;
            for (int64_t i = 1; i <= steps / each + 2; i++) {
                step(&d, 0);
                double left = less(speed, (double)i * d.mu * d.weight / d.m);
                assert_true(fabs(d.now.v[0]) <= 1e-9);
                assert_true(fabs(d.now.v[1] - left * cos(angle)) <= 1e-8);
                assert_true(fabs(d.now.v[2] - left * sin(angle)) <= 1e-8);
                assert_true(fabs(d.now.v[3] - less(spin, (double)i * torsion / d.I)) <= 1e-8 * 20);
                opposes(2, d.mu * d.weight, d.now.lambda + 1, d.now.v + 1);
                opposes(1, torsion, d.now.lambda + 3, d.now.v + 3);
            }
            for (int j = 0; j < 4; j++) assert_true(fabs(d.now.v[j]) <= 1e-9);
            end(&d);
        }
}

/* ---- three contacts on a ring ---- */

/* Velocities x, y, z and turning about them; the disc is flat, so that friction tilts nothing. */
static void begin_ring(uint64_t *seed, const char *solver, const double *velocity, disc *d)
{
    saddle_contact contact[RING];
    double turn = test_uniform(seed, 0, 6);
    draw_disc(seed, d);
    for (int64_t c = 0; c < RING; c++) {
        double x = d->radius * cos(turn + 2 * 3.14159265358979323846 * (double)c / RING);
        double y = d->radius * sin(turn + 2 * 3.14159265358979323846 * (double)c / RING);
        const double rows[3][MOST] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, 0, -y}, {0, 1, 0, 0, 0, x}};
        memcpy(d->J + 3 * c * MOST, rows, sizeof rows);
        contact[c] = (saddle_contact){.row = 3 * c, .size = 3, .mu = d->mu};
    }
    for (int64_t j = 0; j < MOST; j++) d->M[j] = j < 3 ? d->m : j < 5 ? d->I / 2 : d->I;
    begin(solver, contact, RING, velocity, d);
}

/* Friction of 1/3 mu m g each at the radius: d omega/dt = -mu m g radius/I. */
static void a_disc_on_a_ring_slows_down_by_the_closed_form(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int64_t k = 0; k < test_draws_at_least(2, 20); k++)
        for (int s = 0; s < SOLVERS; s++) {
            disc d;
            double spin = test_uniform(&seed, 2, 20);
            const double start[MOST] = {0, 0, 0, 0, 0, spin};
            begin_ring(&seed, solvers[s], start, &d);
            d.weight *= spin * d.I / (20.5 * d.mu * d.weight * d.radius); /* stands in step 21 */
            for (int64_t i = 1; i <= 23; i++) {
                step(&d, 2);
                double left = less(spin, (double)i * d.mu * d.weight * d.radius / d.I);
                for (int j = 0; j < MOST; j++)
                    assert_true(fabs(d.now.v[j] - (j == 5 ? left : 0)) <= 1e-8 * spin);
            }
            end(&d);
        }
}

/* Sliding and spinning at once: at each contact on the boundary the impulse is against the
 * velocity there, so that none of the cone takes more energy; all solvers give the same motion, and
 * both end. */
static void impulses_of_a_disc_that_slides_and_spins_oppose_the_velocities(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int64_t k = 0; k < test_draws_at_least(2, 20); k++) {
        double start[MOST] = {test_uniform(&seed, -2, 2), test_uniform(&seed, -2, 2)};
        double first[8][MOST] = {{0}}; /* at rest after its last step */
        start[5] = test_uniform(&seed, -20, 20);
        uint64_t from = seed;
        for (int s = 0; s < SOLVERS; s++) {
            disc d;
            int64_t sliding = 0, i = 0;
            seed = from; /* the same disc */
            begin_ring(&seed, solvers[s], start, &d);
            d.weight = 0.05 * d.m / d.mu; /* 0.05 m/s a step */
            for (double left = 1; left > 1e-9; i++) {
                assert_in_range(i, 0, 150);
                step(&d, 2);
                for (int64_t c = 0; c < RING; c++) {
                    const double *J = d.J + 3 * c * MOST, *l = d.now.lambda + 3 * c;
                    double w[3] = {0, 0, 0};
                    for (int r = 0; r < 3; r++)
                        for (int j = 0; j < MOST; j++) w[r] += J[MOST * r + j] * d.now.v[j];
                    opposes(2, d.mu * l[0], l + 1, w + 1);
                    sliding += hypot(w[1], w[2]) > 1e-6;
                }
                left = 0;
                for (int j = 0; j < MOST; j++) left = fmax(left, fabs(d.now.v[j]));
                if (i >= 8) continue;
                if (s == 0) memcpy(first[i], d.now.v, sizeof first[i]);
                for (int j = 0; j < MOST; j++)
                    assert_true(fabs(first[i][j] - d.now.v[j]) <= 1e-7 * 20);
            }
            assert_true(sliding > 0);
            step(&d, 2); /* and stays */
            for (int j = 0; j < MOST; j++) assert_true(fabs(d.now.v[j]) <= 1e-9);
            end(&d);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_on_a_wide_contact_slows_down_by_the_closed_form),
        cmocka_unit_test(a_disc_on_a_ring_slows_down_by_the_closed_form),
        cmocka_unit_test(impulses_of_a_disc_that_slides_and_spins_oppose_the_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
