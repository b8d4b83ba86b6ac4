/* SPDX-License-Identifier: MIT */
/* Springs and dead loads against differences of their forces and energies, closed forms, at length
 * zero, with bad input. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"
#include "saddle/path_spring.h"
#include "saddle/stepper.h"

enum { TRIALS = 400 };

static saddle_spring draw_spring(uint64_t *state)
{
    saddle_spring spring = {.stiffness = test_uniform(state, 0, 3),
                            .damping = test_uniform(state, 0, 2),
                            .rest_length = test_uniform(state, 0, 2)};
    for (int i = 0; i < 3; i++) {
        spring.point_a[i] = test_uniform(state, -1, 1);
        spring.point_b[i] = test_uniform(state, -1, 1);
    }
    return spring;
}

/* A body, a particle, a node, the ground. */
static saddle_anchor draw_anchor(saddle_model *model, uint64_t *state)
{
    switch (test_integer(state, 0, 3)) {
    case 0: return (saddle_anchor){test_draw_body(model, state, 1), 0};
    case 1: return (saddle_anchor){test_draw_particle(model, state, 1), 0};
    case 2: return (saddle_anchor){test_draw_nodes(model, state, 1), test_integer(state, 0, 2)};
    default: return (saddle_anchor){{0}, 0};
    }
}

static void force_site(saddle_model *model, saddle_handle force, const saddle_force_type **type,
                       test_site *site)
{
    const saddle__item_link *found = saddle__model_force(model, force);
    assert_non_null(found);
    *type = found->force;
    test_site_of(model, found->count, found->anchors, found->data, site);
}

static void derivatives_of_springs_are_exact_between_all_sorts_of_parts(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_model *model = NULL;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_spring spring = draw_spring(&state);
        const saddle_anchor a = draw_anchor(model, &state),
                            b = {test_draw_body(model, &state, 1), 0};
        saddle_handle force;
        const saddle_anchor first = trial % 2 ? a : b, second = trial % 2 ? b : a;
        assert_int_equal(saddle_model_add_spring(model, NULL, first, second, &spring, &force),
                         SADDLE_OK);
        const saddle_force_type *type = NULL;
        test_site site;
        test_errors errors;
        force_site(model, force, &type, &site);
        assert_int_equal(test_force_errors(type, &site, &errors), SADDLE_OK);
        if (errors.largest < 50) { /* else so short that differences are coarse */
            compared++;
            assert_true(errors.K < 1e-9);
            assert_true(errors.D < 1e-10);
            assert_true(errors.energy < 1e-9);
        }
        saddle_model_free(model);
    }
    assert_true(compared > 9 * TRIALS / 10);
}

static void springs_that_are_said_to_be_symmetric_are(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_model *model = NULL;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_spring spring = draw_spring(&state);
        if (trial % 2) spring.damping = 0;
        const saddle_anchor a = {test_draw_particle(model, &state, 1), 0},
                            b = {test_draw_nodes(model, &state, 1), 1};
        saddle_handle force;
        assert_int_equal(saddle_model_add_spring(model, NULL, a, b, &spring, &force), SADDLE_OK);
        const saddle_force_type *type = NULL;
        test_site site;
        test_errors errors;
        force_site(model, force, &type, &site);
        assert_int_equal(type->symmetric, trial % 2);
        assert_int_equal(test_force_errors(type, &site, &errors), SADDLE_OK);
        double room[2][4][36] = {{{0}}}, *K[4], *D[4];
        for (int k = 0; k < 4; k++) {
            K[k] = room[0][k];
            D[k] = room[1][k];
        }
        const saddle_site view = test_site_view(&site);
        assert_int_equal(type->jacobians(NULL, &view, K, D), SADDLE_OK);
        double asymmetry = 0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                asymmetry = fmax(asymmetry, fabs(K[1][i + 3 * j] - K[2][j + 3 * i]));
                asymmetry = fmax(asymmetry, fabs(K[0][i + 3 * j] - K[0][j + 3 * i]));
            }
        }
        if (trial % 2) assert_true(asymmetry < 1e-14 * (1 + errors.largest));
        saddle_model_free(model);
    }
}

/* On a line: F = k (l - r) + d dl/dt, on a pulling towards b. */
static void a_stretched_spring_pulls_its_ends_together(void **unused)
{
    (void)unused;
    saddle_model *model = NULL;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_particle_def first = {.mass = 1},
                              second = {.mass = 1, .position = {3, 0, 0}, .velocity = {0.5, 7, 0}};
    saddle_anchor a = {.node = 0}, b = {.node = 0};
    assert_int_equal(saddle_model_add_particle(model, &first, &a.part), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &second, &b.part), SADDLE_OK);
    const saddle_spring spring = {.stiffness = 10, .damping = 4, .rest_length = 1};
    saddle_handle force;
    assert_int_equal(saddle_model_add_spring(model, "rope", a, b, &spring, &force), SADDLE_OK);
    const saddle_force_type *type = NULL;
    test_site site;
    force_site(model, force, &type, &site);
    double f[2][6] = {{0}}, *const out[2] = {f[0], f[1]};
    const saddle_site view = test_site_view(&site);
    assert_int_equal(type->evaluate(NULL, &view, out), SADDLE_OK);
    const double expected[3] = {22, 0, 0}, opposite[3] = {-22, 0, 0};
    assert_true(test_distance(f[0], expected, 3) < 1e-15);
    assert_true(test_distance(f[1], opposite, 3) < 1e-15);
    const saddle_energies energies = saddle_model_energies(model);
    assert_true(fabs(energies.elastic - 20) < 1e-13);
    saddle_model_free(model);
}

/* With rest length 0 the spring is linear: its K holds at length zero too, where the line has no
 * direction. */
static void at_length_zero_nothing_is_divided_by_it(void **unused)
{
    (void)unused;
    for (int rest = 0; rest < 2; rest++) {
        saddle_model *model = NULL;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_particle_def at = {.mass = 1, .position = {1, 2, 3}, .velocity = {1, 0, 0}};
        saddle_anchor a = {.node = 0}, b = {.node = 0};
        assert_int_equal(saddle_model_add_particle(model, &at, &a.part), SADDLE_OK);
        assert_int_equal(saddle_model_add_particle(model, &at, &b.part), SADDLE_OK);
        const saddle_spring spring = {.stiffness = 10, .damping = rest, .rest_length = rest};
        saddle_handle force;
        assert_int_equal(saddle_model_add_spring(model, NULL, a, b, &spring, &force), SADDLE_OK);
        const saddle_force_type *type = NULL;
        test_site site;
        force_site(model, force, &type, &site);
        const saddle_site view = test_site_view(&site);
        double room[3][4][36] = {{{0}}}, *f[2] = {room[0][0], room[0][1]}, *K[4], *D[4];
        for (int k = 0; k < 4; k++) {
            K[k] = room[1][k];
            D[k] = room[2][k];
        }
        assert_int_equal(type->evaluate(NULL, &view, f), SADDLE_OK);
        assert_int_equal(type->jacobians(NULL, &view, K, D), SADDLE_OK);
        for (int i = 0; i < 9; i++) {
            assert_true(K[0][i] == (rest == 0 && i % 4 == 0 ? -10 : 0));
            assert_true(K[1][i] == (rest == 0 && i % 4 == 0 ? 10 : 0));
            assert_true(D[0][i] == 0 && f[0][i % 3] == 0);
        }
        if (rest == 0) {
            test_errors errors;
            assert_int_equal(test_force_errors(type, &site, &errors), SADDLE_OK);
            assert_true(errors.K < 1e-12);
        }
        saddle_model_free(model);
    }
}

static void derivatives_of_dead_loads_are_exact(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_model *model = NULL;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_dead_load load;
        for (int i = 0; i < 3; i++) {
            load.point[i] = test_uniform(&state, -1, 1);
            load.force[i] = test_uniform(&state, -1, 1);
        }
        const saddle_anchor body = {test_draw_body(model, &state, 1), 0},
                            node = {test_draw_nodes(model, &state, 1), 1};
        saddle_handle force;
        assert_int_equal(saddle_model_add_dead_load(model, "pull", trial % 2 ? body : node, &load,
                                                    &force),
                         SADDLE_OK);
        const saddle_force_type *type = NULL;
        test_site site;
        test_errors errors;
        force_site(model, force, &type, &site);
        assert_int_equal(type->symmetric, trial % 2 == 0);
        assert_int_equal(test_force_errors(type, &site, &errors), SADDLE_OK);
        assert_true(errors.K < 1e-10 && errors.D < 1e-10 && errors.energy < 1e-10);
        if (trial % 2) assert_true(errors.largest > 0);
        saddle_model_free(model);
    }
}

/* ---- on joints ---- */

static saddle_handle draw_joint(saddle_model *model, uint64_t *state, saddle_joint_kind kind,
                                saddle_handle b)
{
    saddle_joint_def def = saddle_joint_def_default();
    saddle_handle joint;
    def.kind = kind;
    def.a = test_draw_body(model, state, 0.8);
    def.b = b;
    def.frame_a = test_draw_pose(state, 0.8);
    def.frame_b = test_draw_pose(state, 0.8);
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    return joint;
}

static void derivatives_of_joint_springs_are_exact_on_every_coordinate(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0, drawn = 0;
    for (int kind = SADDLE_JOINT_HINGE; kind <= SADDLE_JOINT_WHEEL; kind++) {
        for (int64_t trial = 0; trial < 60 * saddle_joint_free_count((saddle_joint_kind)kind);
             trial++) {
            saddle_model *model = NULL;
            assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
            saddle_handle b = {0};
            if (trial % 7 < 5) b = test_draw_body(model, &state, 0.8);
            const saddle_handle joint = draw_joint(model, &state, (saddle_joint_kind)kind, b);
            const saddle_joint_spring spring = {.stiffness = test_uniform(&state, 0, 2),
                                                .damping = test_uniform(&state, 0, 2),
                                                .rest = test_uniform(&state, -1, 1)};
            saddle_handle force;
            const int64_t coordinate = trial % saddle_joint_free_count((saddle_joint_kind)kind);
            assert_int_equal(saddle_model_add_joint_spring(model, NULL, joint, coordinate, &spring,
                                                           &force),
                             SADDLE_OK);
            const saddle_force_type *type = NULL;
            test_site site;
            test_errors errors;
            force_site(model, force, &type, &site);
            assert_int_equal(test_force_errors(type, &site, &errors), SADDLE_OK);
            drawn++;
            if (errors.largest < 30) { /* else near a pole of the angle, where differences are
                                          coarse */
                compared++;
                assert_true(errors.K < 1e-7);
                assert_true(errors.D < 1e-9);
                assert_true(errors.energy < 1e-7);
            }
            saddle_model_free(model);
        }
    }
    assert_true(compared > 2 * drawn / 3);
}

/* Two turns away from its rest a torsional spring pulls as two turns do. */
static void a_torsional_spring_counts_turns(void **unused)
{
    (void)unused;
    saddle_model *model = NULL;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const double sides[3] = {1, 1, 1};
    saddle_body_def body = saddle_body_def_default();
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 1, &body.inertia),
                     SADDLE_OK);
    saddle_joint_def def = saddle_joint_def_default();
    def.kind = SADDLE_JOINT_HINGE;
    saddle_handle joint, force;
    assert_int_equal(saddle_model_add_body(model, &body, &def.b), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    const saddle_joint_spring spring = {.stiffness = 2, .rest = 0.25};
    assert_int_equal(saddle_model_add_joint_spring(model, "clock", joint, 0, &spring, &force),
                     SADDLE_OK);
    const double step = 0.01;
    const int steps = 1300; /* 13 rad */
    for (int k = 0; k < steps; k++) {
        const double twist[6] = {0, 0, 0, 0, 0, step};
        const saddle_pose by = saddle_pose_exp(twist);
        saddle_pose *pose = saddle_model_pose(model, def.b);
        *pose = saddle_pose_multiply(pose, &by);
        saddle__model_moved(model);
    }
    const double turned = step * steps;
    double q = 0;
    assert_int_equal(saddle_model_joint_coordinates(model, joint, &q, NULL), SADDLE_OK);
    assert_true(fabs(q - turned) < 1e-9);
    assert_int_equal(saddle_model_remove(model, joint), SADDLE_OK); /* the spring stays */
    const saddle_energies energies = saddle_model_energies(model);
    assert_true(fabs(energies.elastic - (turned - 0.25) * (turned - 0.25)) < 1e-7);
    saddle_model_free(model);
}

/* ---- damping written later ---- */

/* Two particles that turn about each other; path: 1 = a path spring between them. */
static saddle_model *turning_pair(int path, double damping, saddle_handle *pair,
                                  saddle_handle *force)
{
    saddle_model *model = NULL;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    for (int k = 0; k < 2; k++) {
        saddle_particle_def def = {.mass = 1 + k};
        def.position[0] = k;
        def.velocity[1] = k;
        def.velocity[0] = 0.5 * k;
        assert_int_equal(saddle_model_add_particle(model, &def, &pair[k]), SADDLE_OK);
    }
    const saddle_anchor a = {pair[0], 0}, b = {pair[1], 0};
    const saddle_spring spring = {.stiffness = 30, .damping = damping, .rest_length = 0.9};
    const saddle_elastic law = {30, damping, 0.9};
    const saddle_path_point points[2] = {{.anchor = a}, {.anchor = b}};
    const saddle_path_spring along = {.count = 2,
                                      .path = points,
                                      .law = saddle_tension_law_find("linear"),
                                      .data = &law,
                                      .bytes = sizeof law};
    assert_int_equal(path ? saddle_model_add_path_spring(model, &along, force)
                          : saddle_model_add_spring(model, NULL, a, b, &spring, force),
                     SADDLE_OK);
    return model;
}

static saddle_stepper *implicit_stepper(saddle_model *model)
{
    saddle_stepper *stepper = NULL;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    options.time_step = 0.05;
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    return stepper;
}

/* Its system becomes unsymmetric: the steps are those of a spring with damping from the start. */
static void damping_written_later_is_damping(void **unused)
{
    (void)unused;
    for (int path = 0; path < 2; path++) {
        saddle_handle one[2], other[2], force;
        saddle_model *model = turning_pair(path, 0, one, &force);
        saddle_stepper *stepper = implicit_stepper(model);
        for (int step = 0; step < 5; step++)
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        if (path)
            ((saddle_elastic *)saddle_model_force_data(model, force))->damping = 7;
        else
            ((saddle_spring *)saddle_model_force_data(model, force))->damping = 7;
        saddle_model *fresh = turning_pair(path, 7, other, &force);
        for (int k = 0; k < 2; k++) {
            memcpy(saddle_model_position(fresh, other[k]), saddle_model_position(model, one[k]),
                   24);
            memcpy(saddle_model_velocity(fresh, other[k]), saddle_model_velocity(model, one[k]),
                   24);
        }
        saddle_stepper *second = implicit_stepper(fresh);
        for (int step = 0; step < 5; step++) {
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            assert_int_equal(saddle_stepper_step(second), SADDLE_OK);
        }
        for (int k = 0; k < 2; k++)
            assert_true(test_distance(saddle_model_position(model, one[k]),
                                      saddle_model_position(fresh, other[k]), 3) < 1e-12);
        saddle_stepper_free(stepper);
        saddle_stepper_free(second);
        saddle_model_free(model);
        saddle_model_free(fresh);
    }
}

/* ---- bad input ---- */

static void springs_with_bad_numbers_are_refused_by_name(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_anchor a = {test_draw_body(model, &state, 1), 0}, ground = {.node = 0};
    const saddle_spring bad[] = {{.stiffness = -1},
                                 {.damping = NAN},
                                 {.rest_length = INFINITY},
                                 {.point_b = {0, NAN, 0}}};
    saddle_handle force;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(saddle_model_add_spring(model, "rope", a, ground, &bad[k], &force),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "spring 'rope': "));
    }
    const saddle_spring good = {.stiffness = 1};
    assert_int_equal(saddle_model_add_spring(model, "rope", a, a, &good, &force),
                     SADDLE_INVALID_ARGUMENT);
    const saddle_dead_load idle = {.force = {0, 1, 0}};
    assert_int_equal(saddle_model_add_dead_load(model, "pull", ground, &idle, &force),
                     SADDLE_INVALID_ARGUMENT);
    const saddle_dead_load endless = {.force = {0, INFINITY, 0}};
    assert_int_equal(saddle_model_add_dead_load(model, "pull", a, &endless, &force),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "dead load 'pull': force[1] is inf, not within -1e+100 .. 1e+100");
    const saddle_handle hinge = draw_joint(model, &state, SADDLE_JOINT_HINGE, (saddle_handle){0});
    const saddle_joint_spring soft = {.stiffness = 1}, push = {.stiffness = -1};
    assert_int_equal(saddle_model_add_joint_spring(model, "twist", hinge, 1, &soft, &force),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_add_joint_spring(model, "twist", hinge, 0, &push, &force),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_add_joint_spring(model, "twist", a.part, 0, &soft, &force),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "joint spring 'twist': there is no such joint");
    saddle_model_free(model);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_springs_are_exact_between_all_sorts_of_parts),
        cmocka_unit_test(springs_that_are_said_to_be_symmetric_are),
        cmocka_unit_test(damping_written_later_is_damping),
        cmocka_unit_test(a_stretched_spring_pulls_its_ends_together),
        cmocka_unit_test(at_length_zero_nothing_is_divided_by_it),
        cmocka_unit_test(derivatives_of_dead_loads_are_exact),
        cmocka_unit_test(derivatives_of_joint_springs_are_exact_on_every_coordinate),
        cmocka_unit_test(a_torsional_spring_counts_turns),
        cmocka_unit_test(springs_with_bad_numbers_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
