/* SPDX-License-Identifier: MIT */
/* A closed loop with redundant rows: Cardan's joint between two shafts, tan q_2 = cos beta tan
 * q_1. */
#include <math.h>
#include <stdio.h>

#include "saddle/rank.h"
#include "saddle/stepper.h"
#include "support.h"

static const double h = 0.01;

static saddle_handle add_shaft(saddle_model *model, const double *axis, double speed,
                               saddle_handle *hinge)
{
    const double sides[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    saddle_body_def body = saddle_body_def_default();
    saddle_handle shaft;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 1, &body.inertia),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_body(model, &body, &shaft), SADDLE_OK);
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose place;
    def.kind = SADDLE_JOINT_HINGE;
    def.b = shaft;
    def.free[0].motor = speed != 0;
    def.free[0].motor_target = speed;
    assert_int_equal(saddle_pose_along(NULL, origin, axis, &place), SADDLE_OK);
    assert_int_equal(saddle_joint_def_at(model, &place, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &def, hinge), SADDLE_OK);
    return shaft;
}

/* The shafts meet by themselves: of the joint that closes the loop, by name, the three rows of
 * positions are redundant. */
static void check_redundant_rows(const saddle_problem *problem)
{
    saddle_rank rank;
    assert_int_equal(saddle_rank_find(NULL, problem, NULL, &rank), SADDLE_OK);
    assert_int_equal(rank.examined, 15);
    assert_int_equal(rank.dependency_count, 3);
    assert_int_equal(rank.inconsistent, 0);
    for (int k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "cross[%d]", k);
        assert_string_equal(problem->row_name[rank.dependency[k].row], name);
    }
    saddle_rank_clear(&rank);
}

/* Cardan's joint between two shafts that meet at beta: tan q_2 = cos beta tan q_1. */
static void a_cardan_shaft_turns_as_cardans_formula_says(void **unused)
{
    (void)unused;
    const double beta = 0.5, first[3] = {1, 0, 0}, second[3] = {cos(beta), sin(beta), 0};
    saddle_model *model = NULL;
    saddle_handle hinge[2], cross;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_joint_def def = saddle_joint_def_default();
    def.name = "cross";
    def.kind = SADDLE_JOINT_UNIVERSAL;
    def.a = add_shaft(model, first, 2, &hinge[0]);
    def.b = add_shaft(model, second, 0, &hinge[1]);
    const saddle_pose place = {.R = {0, 0, 1, -sin(beta), cos(beta), 0, -cos(beta), -sin(beta), 0}};
    assert_int_equal(saddle_joint_def_at(model, &place, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &def, &cross), SADDLE_OK);
    saddle_stepper_options options = saddle_stepper_options_default();
    saddle_stepper *stepper = NULL;
    options.time_step = h;
    options.projection = 8;
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    double q[2];
    for (int step = 0; step < 700; step++) {
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        if (step % 100 == 0)
            check_redundant_rows(saddle_assembly_problem(saddle_stepper_assembly(stepper)));
        for (int k = 0; k < 2; k++) {
            assert_int_equal(saddle_model_joint_coordinates(model, hinge[k], &q[k], NULL),
                             SADDLE_OK);
        }
        assert_true(fabs(sin(q[1]) * cos(q[0]) - cos(beta) * sin(q[0]) * cos(q[1])) < 1e-9);
    }
    assert_true(q[0] > 4 * 3.14 && fabs(q[1] - q[0]) < 0.2); /* two turns, both counted */
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cardan_shaft_turns_as_cardans_formula_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
