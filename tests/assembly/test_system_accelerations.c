/* SPDX-License-Identifier: MIT */
/* Accelerations against second differences along the motion that they make. */
#include <math.h>
#include <string.h>

#include "drawn_scene.h"

/* f = F + G + J'F of soft rows; the rows of those say lambda = F and nothing else. */
static void check_forces(scene *s, const saddle_problem *p, const double *F, const double *G)
{
    double J[TWIN_M * TWIN_N], given[TWIN_M], phi_t[TWIN_M], f[TWIN_N];
    twin_rows(&s->twin, J, given, phi_t);
    double size = 1;
    for (int64_t j = 0; j < p->n; j++) {
        f[j] = F[j] + G[j];
        size = fmax(size, fabs(f[j]));
    }
    for (int64_t k = 0, row = 0; k < s->drawn.constraints; k++) {
        for (int64_t i = 0;
             i < saddle_model_constraint_rows(s->drawn.model, s->drawn.constraint[k]); i++, row++) {
            if (saddle_model_constraint_row(s->drawn.model, s->drawn.constraint[k], i)
                    ->compliance.alpha == 0)
                continue;
            for (int64_t j = 0; j < p->n; j++) f[j] += J[row * p->n + j] * p->b[row];
            size += fabs(p->b[row]);
            assert_true(saddle_matrix_entry(&p->R, row, row) == 1);
            for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++)
                assert_true(p->Jt.value[e] == 0);
        }
    }
    assert_within(p->f, f, p->n, 1e-7 * size, "f");
}

/* J a + drift = d2phi/dt2 along q(t) with a = dv/dt is -2 alpha dphi/dt - beta^2 phi of held rows;
 * M a - J'F = f with the gyroscopic forces. */
static void check_accelerations(double alpha, double beta)
{
    uint64_t state = test_seed();
    const int64_t draws = test_draws_at_least(60, 300);
    int64_t solved = 0;
    saddle_assembly_options options = saddle_assembly_options_default();
    options.baumgarte_alpha = alpha;
    options.baumgarte_beta = beta;
    for (int64_t draw = 0; draw < draws; draw++) {
        scene s;
        scene_begin(&state, (drawn_wishes){.only_hold = 1}, &options, &s);
        assert_int_equal(saddle_assembly_accelerations(s.assembly), SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(s.assembly);
        double F[TWIN_N], G[TWIN_N], M[TWIN_N * TWIN_N], dense[TWIN_N * TWIN_N];
        twin_force(&s.twin, F);
        twin_gyroscopic(&s.twin, G);
        twin_mass(&s.twin, M);
        twin_dense(&p->M, dense);
        assert_near(dense, M, p->n * p->n, 1e-12, "M");
        saddle_solution solution = {0};
        check_forces(&s, p, F, G);
        if (saddle_solve(s.context, p, "ldlt", NULL, NULL, &solution, NULL) == SADDLE_OK) {
            double v[TWIN_N], phi[3][TWIN_M];
            const double h = 1e-4;
            saddle_assembly_get_velocity(s.assembly, v);
            drawn_state before;
            drawn_keep(&s.drawn, &before);
            for (int k = 0; k < 3; k++) { /* phi(q exp(t v + t^2 a/2)), t = -h, 0, h */
                const double t = (k - 1) * h;
                double along[TWIN_N];
                for (int64_t i = 0; i < p->n; i++) along[i] = v[i] + t / 2 * solution.v[i];
                saddle_assembly_move(s.assembly, t, along, SADDLE_ROTATION_UPDATE_EXPONENTIAL);
                saddle_model_set_time(s.drawn.model, before.time + t);
                twin_phi(&s.twin, phi[k]);
                drawn_restore(&s.drawn, &before);
            }
            for (int64_t k = 0, row = 0; k < s.drawn.constraints; k++) {
                for (int64_t i = 0;
                     i < saddle_model_constraint_rows(s.drawn.model, s.drawn.constraint[k]);
                     i++, row++) {
                    const saddle_row_def *def = saddle_model_constraint_row(s.drawn.model,
                                                                            s.drawn.constraint[k],
                                                                            i);
                    const double second = (phi[0][row] - 2 * phi[1][row] + phi[2][row]) / (h * h);
                    const double rate = (phi[2][row] - phi[0][row]) / (2 * h);
                    double size = 1;
                    for (int64_t j = 0; j < p->n; j++) size += fabs(solution.v[j]) + v[j] * v[j];
                    if (size > 1e3) continue; /* differences say nothing of such accelerations */
                    const saddle_compliance *soft = &def->compliance;
                    const double spring = soft->alpha * solution.lambda[row] + phi[1][row] +
                                          soft->beta * rate;
                    const double wanted = -2 * alpha * rate - beta * beta * phi[1][row];
                    if (soft->alpha == 0 && !(fabs(second - wanted) <= 1e-4 * size))
                        fail_msg("held to %g, not %g", second, wanted);
                    if (soft->alpha > 0 && !(fabs(spring) <= 1e-6 * size))
                        fail_msg("a soft row is off by %g", spring);
                    solved++;
                }
            }
        }
        saddle_solution_clear(&solution);
        scene_end(&s);
    }
    assert_true(solved > draws * 2 / 3);
}

static void accelerations_hold_what_is_held(void **unused)
{
    (void)unused;
    check_accelerations(0, 0);
}

static void baumgartes_accelerations_damp_the_errors(void **unused)
{
    (void)unused;
    check_accelerations(0.7, 0);
    check_accelerations(0, 1.3);
    check_accelerations(2, 1.5);
}

/* dx/dt, dv/dt of a particle. */
static void particle_rates(saddle_assembly *assembly, saddle_model *model, saddle_handle part,
                           const double *state, double *rates)
{
    saddle_solution solution = {0};
    memcpy(saddle_model_position(model, part), state, 3 * sizeof *state);
    memcpy(saddle_model_velocity(model, part), state + 3, 3 * sizeof *state);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
    assert_int_equal(saddle_solve(NULL, saddle_assembly_problem(assembly), "ldlt", NULL, NULL,
                                  &solution, NULL),
                     SADDLE_OK);
    memcpy(rates, state + 3, 3 * sizeof *state);
    memcpy(rates + 3, solution.v, 3 * sizeof *rates);
    saddle_solution_clear(&solution);
}

/* On a rod of length 1 from 1.1, by the rule of Runge and Kutta of fourth order: phi'' + 2 alpha
 * phi'
 * + beta^2 phi = 0 with alpha = beta, phi = (phi_0 + (phi_0' + alpha phi_0) t) exp(-alpha t). */
static void an_error_falls_as_its_closed_form(void **unused)
{
    (void)unused;
    const double alpha = 3, h = 1e-3, gravity[3] = {0, 0, -10};
    saddle_assembly_options options = saddle_assembly_options_default();
    options.baumgarte_alpha = options.baumgarte_beta = alpha;
    saddle_model *model = NULL;
    saddle_assembly *assembly = NULL;
    const saddle_particle_def def = {.mass = 2, .position = {1.1, 0, 0}};
    saddle_rod_def rod = {.length = 1};
    saddle_handle made;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, gravity);
    assert_int_equal(saddle_model_add_particle(model, &def, &rod.b.part), SADDLE_OK);
    assert_int_equal(saddle_model_add_rod(model, &rod, &made), SADDLE_OK);
    assert_int_equal(saddle_assembly_create(model, &options, &assembly), SADDLE_OK);
    double y[6] = {1.1, 0, 0, 0.2, 1, 0};
    for (int step = 0; step < 1000; step++) {
        double k[4][6], at[6];
        static const double reach[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 6; i++) at[i] = y[i] + (s > 0 ? reach[s] * h * k[s - 1][i] : 0);
            particle_rates(assembly, model, rod.b.part, at, k[s]);
        }
        for (int s = 0; s < 4; s++)
            for (int i = 0; i < 6; i++) y[i] += h / 6 * weight[s] * k[s][i];
    }
    const double phi = hypot(hypot(y[0], y[1]), y[2]) - 1;
    assert_true(fabs(phi - (0.1 + (0.2 + alpha * 0.1)) * exp(-alpha)) < 1e-9);
    saddle_assembly_free(assembly);
    saddle_model_free(model);
}

static void what_is_not_finite_is_refused(void **unused)
{
    (void)unused;
    saddle_assembly_options options = saddle_assembly_options_default();
    saddle_model *model = NULL;
    saddle_assembly *assembly = NULL;
    options.baumgarte_beta = NAN;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_assembly_create(model, &options, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_INVALID_ARGUMENT);
    saddle_assembly_free(assembly);
    saddle_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_hold_what_is_held),
        cmocka_unit_test(baumgartes_accelerations_damp_the_errors),
        cmocka_unit_test(an_error_falls_as_its_closed_form),
        cmocka_unit_test(what_is_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
