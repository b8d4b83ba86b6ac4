/* SPDX-License-Identifier: MIT */
/* What becomes of energy, and of errors of constraints: the oscillator in closed form, joints that
 * were pulled apart, long runs with errors followed (Baumgarte 1972), left alone, and projected
 * away; contacts in a bowl. */
#include <math.h>
#include <string.h>

#include "motion.h"

enum { INTEGRATORS = SADDLE_INTEGRATOR_BRIDSON_MARINO + 1 };

static const saddle_handle ground = {0};

/* ---- the oscillator ---- */

static const double mass = 2, stiffness = 50, step = 0.05;

/* A node on a spring to its place. */
static saddle_handle build_oscillator(motion *scene)
{
    static const double at_rest[3] = {0, 0, 0}, pulled[3] = {1, 0, 0}, v[3] = {0, 2, 0};
    static const int64_t rows[3] = {0, 1, 2};
    const double m[3] = {mass, mass, mass}, k[3] = {stiffness, stiffness, stiffness};
    saddle_matrix M, K;
    saddle_handle nodes;
    const saddle_status made[2] = {
        saddle_matrix_from_triplets(scene->context, 3, 3, 3, rows, rows, m, SADDLE_SYMMETRY_LOWER,
                                    &M),
        saddle_matrix_from_triplets(scene->context, 3, 3, 3, rows, rows, k, SADDLE_SYMMETRY_LOWER,
                                    &K),
    };
    assert_true(made[0] == SADDLE_OK && made[1] == SADDLE_OK);
    const saddle_nodes_def def = {.count = 1,
                                  .position = pulled,
                                  .velocity = v,
                                  .rest = at_rest,
                                  .mass = &M,
                                  .stiffness = &K};
    assert_int_equal(saddle_model_add_nodes(scene->model, &def, &nodes), SADDLE_OK);
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&K);
    scene->options.time_step = step;
    return nodes;
}

/* With a = h omega: explicit Euler multiplies energy by 1 + a^2 a step, implicit Euler divides; the
 * trapezoidal rule keeps it; symplectic Euler keeps m v^2/2 + k x^2/2 - h k x v/2, leapfrog m v^2/2
 * + k x^2 (1 - a^2/4)/2 (Hairer, Lubich, Wanner). */
static double invariant(saddle_integrator integrator, const double *x, const double *v,
                        int64_t steps)
{
    const double a2 = step * step * stiffness / mass;
    double kinetic = 0, elastic = 0, mixed = 0;
    for (int i = 0; i < 3; i++) {
        kinetic += mass * v[i] * v[i] / 2;
        elastic += stiffness * x[i] * x[i] / 2;
        mixed += stiffness * x[i] * v[i] * step / 2;
    }
    if (integrator == SADDLE_INTEGRATOR_EXPLICIT_EULER)
        return (kinetic + elastic) * pow(1 + a2, (double)-steps);
    if (integrator == SADDLE_INTEGRATOR_IMPLICIT_EULER)
        return (kinetic + elastic) * pow(1 + a2, (double)steps);
    if (integrator == SADDLE_INTEGRATOR_SYMPLECTIC_EULER) return kinetic + elastic - mixed;
    if (integrator == SADDLE_INTEGRATOR_BRIDSON_MARINO) return kinetic + elastic * (1 - a2 / 4);
    return kinetic + elastic;
}

static void an_oscillator_keeps_what_its_integrator_keeps(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATORS; k++) {
        motion scene;
        motion_begin(&scene, NULL, NULL);
        scene.options.integrator = (saddle_integrator)k;
        const saddle_handle nodes = build_oscillator(&scene);
        const double *x = saddle_model_position(scene.model, nodes),
                     *v = saddle_model_velocity(scene.model, nodes);
        const double before = invariant((saddle_integrator)k, x, v, 0);
        for (int64_t n = 1; n <= 100; n++) {
            motion_run(&scene, 1);
            assert_true(fabs(invariant((saddle_integrator)k, x, v, n) / before - 1) < 1e-11);
        }
        motion_end(&scene);
    }
}

/* ---- errors that fall ---- */

static const saddle_joint_kind kinds[] = {SADDLE_JOINT_FIXED,     SADDLE_JOINT_HINGE,
                                          SADDLE_JOINT_SLIDER,    SADDLE_JOINT_BALL,
                                          SADDLE_JOINT_UNIVERSAL, SADDLE_JOINT_WHEEL};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Two bodies at a joint that was pulled apart, at rest; steps: of its compliance. */
static void build_pulled_joint(motion *scene, saddle_joint_kind kind, double steps, uint64_t *state)
{
    static const double moments[3] = {0.1, 0.15, 0.2}, center[3] = {0.2, -0.1, 0.1},
                        axis[3] = {0.6, 0, 0.8};
    const double origin[3] = {0.3, 0.1, -0.2}, away[6] = {1, 0.2, -0.3, 0.5, -0.4, 0.3};
    const saddle_pose pose = saddle_pose_exp(away);
    const saddle_handle a = motion_body(scene, moments, center, NULL, NULL);
    const saddle_handle b = motion_body(scene, moments, center, &pose, NULL);
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose world;
    def.kind = kind;
    def.a = a;
    def.b = b;
    def.compliance.steps = steps;
    assert_int_equal(saddle_pose_along(scene->context, origin, axis, &world), SADDLE_OK);
    assert_int_equal(saddle_joint_def_at(scene->model, &world, &def), SADDLE_OK);
    if (kind == SADDLE_JOINT_WHEEL) { /* its two axes may not be parallel */
        const double across[6] = {0, 0, 0, 0.9, 0, 0};
        const saddle_pose turn = saddle_pose_exp(across);
        def.frame_b = saddle_pose_multiply(&def.frame_b, &turn);
    }
    saddle_handle joint;
    assert_int_equal(saddle_model_add_joint(scene->model, &def, &joint), SADDLE_OK);
    double d[6];
    for (int i = 0; i < 6; i++) d[i] = test_uniform(state, -0.02, 0.02);
    const saddle_pose moved = saddle_pose_exp(d);
    saddle_pose *at = saddle_model_pose(scene->model, b);
    *at = saddle_pose_multiply(at, &moved);
}

/* By 1 - h/T a step, T = h + 4 h, of every joint: a row or a correction of the wrong sign would let
 * it grow. */
static void errors_of_joints_fall_as_the_time_constant_says(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; k < KINDS; k++) {
        motion scene;
        motion_begin(&scene, NULL, NULL);
        build_pulled_joint(&scene, kinds[k], 4, &state);
        double last = 0;
        for (int n = 0; n < 12; n++) {
            motion_run(&scene, 1);
            const double drift = saddle_stepper_report(scene.stepper)->drift;
            if (n > 0) assert_true(fabs(drift / last - 0.8) < 0.02);
            last = drift;
        }
        motion_end(&scene);
    }
}

static void errors_of_joints_fall_in_every_integrator(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int i = 0; i < INTEGRATORS; i++) {
        for (int k = 0; k < KINDS; k++) {
            motion scene;
            motion_begin(&scene, NULL, NULL);
            scene.options.integrator = (saddle_integrator)i;
            scene.options.time_step = 0.1; /* slowly: what flings the bodies about is no error of
                                              the joint */
            build_pulled_joint(&scene, kinds[k], 4, &state);
            motion_run(&scene, 1);
            const double first = saddle_stepper_report(scene.stepper)->drift;
            motion_run(&scene, 80);
            const double drift = saddle_stepper_report(scene.stepper)->drift;
            if (!(drift < 2e-2 * first)) {
                print_error("%s, %s: %g of %g\n", saddle_integrator_word((saddle_integrator)i),
                            saddle_joint_kind_word(kinds[k]), drift, first);
                fail();
            }
            motion_end(&scene);
        }
    }
}

/* ---- long runs ---- */

typedef struct course {
    double energy, drift; /* largest |error| on the way */
} course;

/* Two seconds of a double pendulum from the horizontal; steps: of its joints' compliance. */
static course swing(saddle_integrator integrator, double h, double steps, int projection)
{
    static const double moments[3] = {0.02, 0.03, 0.04}, center[3] = {0.5, 0, 0},
                        axis[3] = {0, 1, 0};
    static const double origin[3] = {0, 0, 0}, end[3] = {1, 0, 0};
    motion scene;
    course worst = {0, 0};
    motion_begin(&scene, NULL, motion_weight);
    saddle_pose pose = saddle_pose_identity();
    const saddle_handle first = motion_body(&scene, moments, center, &pose, NULL);
    pose.p[0] = 1;
    const saddle_handle second = motion_body(&scene, moments, center, &pose, NULL);
    const saddle_handle joint[2] = {motion_hinge(&scene, ground, first, origin, axis),
                                    motion_ball(&scene, first, second, end)};
    for (int k = 0; k < 2; k++) {
        saddle_model_joint(scene.model, joint[k])->compliance.steps = steps;
        assert_int_equal(saddle_model_joint_changed(scene.model, joint[k]), SADDLE_OK);
    }
    scene.options.integrator = integrator;
    scene.options.time_step = h;
    scene.options.projection = projection;
    const double energy = motion_energy(&scene);
    for (int64_t n = 0; n < (int64_t)(2 / h + 0.5); n++) {
        motion_run(&scene, 1);
        worst.energy = fmax(worst.energy, fabs(motion_energy(&scene) - energy));
        worst.drift = fmax(worst.drift, saddle_stepper_report(scene.stepper)->drift);
    }
    motion_end(&scene);
    print_message("    %s, h %g, steps %g, projection %d: energy %.2g of %.2g J, drift %.2g\n",
                  saddle_integrator_word(integrator), h, steps, projection, worst.energy,
                  4 * 0.5 * 9.81, worst.drift);
    return worst;
}

/* Energy's error falls by 2 or 4 as h is halved, whether errors are followed or projected away;
 * drift by 4, or is none. */
static void energy_and_drift_fall_with_the_step(void **unused)
{
    (void)unused;
    for (int k = SADDLE_INTEGRATOR_SYMPLECTIC_EULER; k < INTEGRATORS; k++) {
        const saddle_integrator integrator = (saddle_integrator)k;
        const double order = k >= SADDLE_INTEGRATOR_TRAPEZOIDAL ? 2 : 1;
        for (int projection = 0; projection <= 3; projection += 3) {
            const course coarse = swing(integrator, 0.005, 0, projection);
            const course fine = swing(integrator, 0.0025, 0, projection);
            assert_true(motion_order(coarse.energy, fine.energy) > order - 0.4);
            assert_true(fine.energy < 0.2); /* 1 percent */
            if (projection > 0)
                assert_true(fmax(coarse.drift, fine.drift) < 1.1e-12);
            else
                assert_true(fabs(motion_order(coarse.drift, fine.drift) - 2) < 0.2);
        }
    }
}

/* Uncorrected errors add up and take energy; the slower the correction, the more. */
static void errors_left_alone_add_up(void **unused)
{
    (void)unused;
    for (int k = SADDLE_INTEGRATOR_SYMPLECTIC_EULER; k < INTEGRATORS; k++) {
        const saddle_integrator integrator = (saddle_integrator)k;
        const course at_once = swing(integrator, 0.005, 0, 0),
                     slowly = swing(integrator, 0.005, 4, 0);
        const course alone = swing(integrator, 0.005, (double)INFINITY, 0);
        assert_true(alone.drift > 10 * at_once.drift);
        assert_true(slowly.drift > at_once.drift && slowly.drift < alone.drift);
        assert_true(alone.energy > 5 * at_once.energy);
    }
}

/* ---- in a bowl ---- */

/* A particle in a bowl of radius 1 about the origin, without friction. */
static saddle_status touch_bowl(void *user, saddle_model *model, double time_step,
                                saddle_contact_list *list)
{
    const saddle_handle *particle = user;
    const double *x = saddle_model_position(model, *particle);
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    saddle_contact_point *point = NULL;
    const saddle_status status = saddle_contact_list_add(list, &point);
    (void)time_step;
    if (status != SADDLE_OK) return status;
    point->b.part = *particle;
    point->gap = 1 - r;
    for (int i = 0; i < 3; i++) {
        point->normal[i] = -x[i] / r;
        point->a.point[i] = x[i] / r;
        point->b.point[i] = x[i];
    }
    return SADDLE_OK;
}

/* Ten seconds in it: the largest error of 2.5 J; *way: how far it has been from the start. */
static double swing_in_bowl(saddle_integrator integrator, double h, double *way)
{
    static const double x[3] = {0, 0, -1}, v[3] = {2, 1, 0};
    motion scene;
    double worst = 0;
    motion_begin(&scene, NULL, motion_weight);
    saddle_handle particle = motion_particle(&scene, 1, x, v);
    scene.options.integrator = integrator;
    scene.options.time_step = h;
    scene.options.contacts = touch_bowl;
    scene.options.user = &particle;
    const double energy = motion_energy(&scene);
    *way = 0;
    for (int64_t n = 0; n < (int64_t)(10 / h); n++) {
        motion_run(&scene, 1);
        const double *now = saddle_model_position(scene.model, particle);
        worst = fmax(worst, fabs(motion_energy(&scene) - energy));
        *way = fmax(*way, hypot(now[0], now[1]));
    }
    motion_end(&scene);
    return worst;
}

/* Contacts whose normals turn: of the order of their integrator, since Bridson-Marino's are found
 * again at q+. */
static void a_bowl_takes_and_gives_no_energy(void **unused)
{
    (void)unused;
    static const struct {
        saddle_integrator integrator;
        double order, most;
    } rules[] = {{SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 1, 0.03},
                 {SADDLE_INTEGRATOR_IMPLICIT_EULER, 1, 0.03},
                 {SADDLE_INTEGRATOR_BRIDSON_MARINO, 2, 0.002}};
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        double way;
        const double coarse = swing_in_bowl(rules[k].integrator, 0.01, &way);
        const double fine = swing_in_bowl(rules[k].integrator, 0.005, &way);
        print_message("    %s: %.2g, %.2g J\n", saddle_integrator_word(rules[k].integrator), coarse,
                      fine);
        assert_true(way > 0.5);
        assert_true(fine < rules[k].most);
        assert_true(fabs(motion_order(coarse, fine) - rules[k].order) < 0.2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_keeps_what_its_integrator_keeps),
        cmocka_unit_test(errors_of_joints_fall_as_the_time_constant_says),
        cmocka_unit_test(errors_of_joints_fall_in_every_integrator),
        cmocka_unit_test(energy_and_drift_fall_with_the_step),
        cmocka_unit_test(errors_left_alone_add_up),
        cmocka_unit_test(a_bowl_takes_and_gives_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
