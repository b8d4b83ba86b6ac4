/* SPDX-License-Identifier: MIT */
/* Rods and ropes: derivatives by differences, signs, bad input. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"
#include "saddle/rod.h"

static saddle_anchor drawn_end(saddle_model *model, uint64_t *state)
{
    switch (test_integer(state, 0, 2)) {
    case 0: return (saddle_anchor){test_draw_particle(model, state, 1), 0};
    case 1: return (saddle_anchor){test_draw_nodes(model, state, 1), 1};
    default: return (saddle_anchor){test_draw_body(model, state, 1), 0};
    }
}

static void derivatives_of_rods_are_exact_between_all_sorts_of_parts(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(500); trial++) {
        saddle_model *model = NULL;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_rod_def def = {.a = drawn_end(model, &state), .length = 1.5, .rope = trial % 2};
        if (trial % 5 != 0) def.b = drawn_end(model, &state);
        for (int i = 0; i < 3; i++) {
            def.point_a[i] = test_uniform(&state, -1, 1);
            def.point_b[i] = test_uniform(&state, -1, 1) + 3; /* apart */
        }
        saddle_handle rod;
        assert_int_equal(saddle_model_add_rod(model, &def, &rod), SADDLE_OK);
        const saddle_anchor anchors[2] = {def.a, def.b};
        test_site site;
        test_errors errors;
        test_site_of(model, 2, anchors, saddle_model_constraint_data(model, rod), &site);
        assert_int_equal(test_constraint_errors(saddle__model_constraint(model, rod)->constraint,
                                                &site, 1, &state, &errors),
                         SADDLE_OK);
        assert_true(errors.J < 1e-8);
        assert_true(errors.drift < 1e-6);
        assert_true(errors.stiffness < 1e-6);
        saddle_model_free(model);
    }
}

static void a_rod_measures_its_length_and_a_rope_what_is_left(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_particle_def particle = {.mass = 1,
                                          .position = {0, 0, -2},
                                          .velocity = {0, 0, -3}};
    saddle_rod_def def = {.name = "string", .length = 1.5};
    saddle_handle rod, rope;
    double phi = 0, rate = 0;
    assert_int_equal(saddle_model_add_particle(model, &particle, &def.b.part), SADDLE_OK);
    assert_int_equal(saddle_model_add_rod(model, &def, &rod), SADDLE_OK);
    def.rope = 1;
    assert_int_equal(saddle_model_add_rod(model, &def, &rope), SADDLE_OK);
    assert_int_equal(saddle_model_constraint_evaluate(model, rod, &phi, &rate, NULL), SADDLE_OK);
    assert_true(phi == 0.5 && rate == 3);
    assert_int_equal(saddle_model_constraint_evaluate(model, rope, &phi, &rate, NULL), SADDLE_OK);
    assert_true(phi == -0.5 && rate == -3);
    memset(saddle_model_position(model, def.b.part), 0, 3 * sizeof(double));
    assert_int_equal(saddle_model_constraint_evaluate(model, rod, &phi, NULL, NULL),
                     SADDLE_SINGULAR);
    def.length = 0;
    assert_int_equal(saddle_model_add_rod(model, &def, &rod), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "rod 'string': length is 0, not within 1e-100 .. 1e+100");
    saddle_model_free(model);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_rods_are_exact_between_all_sorts_of_parts),
        cmocka_unit_test(a_rod_measures_its_length_and_a_rope_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
