/* SPDX-License-Identifier: MIT */
/* Pins: derivatives by differences, what phi says, bad input. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"
#include "space/space.h"

enum { TRIALS = 300 };

static void draw(uint64_t *state, int count, double *x)
{
    for (int i = 0; i < count; i++) x[i] = test_uniform(state, -1, 1);
}

static void derivatives_of_pins_are_exact_for_all_sorts_of_parts(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_model *model = NULL;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_time(model, test_uniform(&state, 0, 1));
        const saddle_handle nodes = test_draw_nodes(model, &state, 1);
        const saddle_anchor anchors[] = {{nodes, 0},
                                         {test_draw_body(model, &state, 1), 0},
                                         {nodes, 2},
                                         {{0}, 0},
                                         {test_draw_particle(model, &state, 1), 0},
                                         {test_draw_body(model, &state, 1), 0}};
        enum { COUNT = sizeof anchors / sizeof *anchors };
        double weights[COUNT], points[3 * COUNT];
        draw(&state, COUNT, weights);
        draw(&state, 3 * COUNT, points);
        saddle_pin_def def = saddle_pin_def_default();
        def.count = test_integer(&state, 1, COUNT);
        def.anchors = anchors;
        def.weights = weights;
        def.points = points;
        draw(&state, 3, def.place);
        draw(&state, 3, def.velocity);
        saddle_handle pin;
        assert_int_equal(saddle_model_add_pin(model, &def, &pin), SADDLE_OK);
        test_site site;
        test_errors errors;
        test_site_of(model, def.count, anchors, saddle_model_constraint_data(model, pin), &site);
        assert_int_equal(test_constraint_errors(saddle__model_constraint(model, pin)->constraint,
                                                &site, 3, &state, &errors),
                         SADDLE_OK);
        assert_true(errors.J < 1e-11);
        assert_true(errors.rate < 1e-11);
        assert_true(errors.drift < 1e-10);
        assert_true(errors.stiffness < 1e-11);
        saddle_model_free(model);
    }
}

/* phi is zero where the weighted nodes are at the body's point, and its place moves with time. */
static void phi_is_the_distance_of_the_weighted_points_from_their_place(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_model *model = NULL;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_handle nodes = test_draw_nodes(model, &state, 1),
                        body = test_draw_body(model, &state, 1);
    const saddle_anchor anchors[3] = {{nodes, 0}, {nodes, 1}, {body, 0}};
    const double weights[3] = {0.25, 0.75, -1};
    const double *x = saddle_model_position(model, nodes);
    const saddle_pose *pose = saddle_model_pose(model, body);
    double points[9] = {0}, arm[3], phi[3], rate[3];
    for (int i = 0; i < 3; i++) arm[i] = 0.25 * x[i] + 0.75 * x[3 + i] - pose->p[i];
    saddle__unrotate(pose->R, arm, points + 6);
    saddle_pin_def def = saddle_pin_def_default();
    def.count = 3;
    def.anchors = anchors;
    def.weights = weights;
    def.points = points;
    def.velocity[1] = 2;
    saddle_handle pin;
    assert_int_equal(saddle_model_add_pin(model, &def, &pin), SADDLE_OK);
    saddle_model_set_time(model, 0.5);
    memset(saddle_model_velocity(model, nodes), 0, 9 * sizeof(double));
    memset(saddle_model_velocity(model, body), 0, 6 * sizeof(double));
    assert_int_equal(saddle_model_constraint_evaluate(model, pin, phi, rate, NULL), SADDLE_OK);
    const double expected[3] = {0, -1, 0}, speed[3] = {0, -2, 0};
    assert_true(test_distance(phi, expected, 3) < 1e-15);
    assert_true(test_distance(rate, speed, 3) < 1e-15);
    saddle_model_free(model);
}

static void pins_with_bad_numbers_are_refused_by_name(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_anchor anchors[2] = {{test_draw_body(model, &state, 1), 0}, {{0}, 0}};
    const double one[2] = {1, -1}, nothing[2] = {0, 0}, wrong[2] = {1, NAN},
                 astray[6] = {0, 0, INFINITY};
    saddle_pin_def good = saddle_pin_def_default();
    good.name = "needle";
    good.count = 2;
    good.anchors = anchors;
    good.weights = one;
    saddle_pin_def bad[8];
    for (int k = 0; k < 8; k++) bad[k] = good;
    bad[0].weights = NULL;
    bad[1].weights = nothing;
    bad[2].weights = wrong;
    bad[3].points = astray;
    bad[4].place[2] = NAN;
    bad[5].count = SADDLE_ANCHORS_MAX + 1;
    bad[6].strength = -1;
    bad[7].anchors = anchors + 1; /* the ground alone */
    bad[7].count = 1;
    saddle_handle pin;
    for (int k = 0; k < 8; k++) {
        assert_int_equal(saddle_model_add_pin(model, &bad[k], &pin), SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "'needle'"));
    }
    assert_int_equal(saddle_model_add_pin(model, &good, &pin), SADDLE_OK);
    saddle_model_free(model);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_pins_are_exact_for_all_sorts_of_parts),
        cmocka_unit_test(phi_is_the_distance_of_the_weighted_points_from_their_place),
        cmocka_unit_test(pins_with_bad_numbers_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
