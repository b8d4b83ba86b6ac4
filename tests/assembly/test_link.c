/* SPDX-License-Identifier: MIT */
/* Points of forces, constraints and attachments against places written out here; reactions against
 * the balance of momentum. */
#include "support.h"

#include <math.h>
#include <string.h>

static const double gravity[3] = {0, 0, -9.81};

static saddle_model *new_model(saddle_context *context)
{
    saddle_model *model;
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    saddle_model_set_gravity(model, gravity);
    return model;
}

static saddle_handle add_body(saddle_model *model, const char *name, double x, double turned)
{
    const double size[3] = {0.4, 0.3, 0.2}, q[4] = {cos(turned / 2), sin(turned / 2), 0, 0};
    saddle_body_def def = saddle_body_def_default();
    saddle_handle body;
    def.name = name;
    def.pose.p[0] = x;
    saddle_quaternion_to_matrix(q, def.pose.R);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 2, &def.inertia),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_body(model, &def, &body), SADDLE_OK);
    return body;
}

/* A hinge along y at (x, 0, z) between the ground and a body. */
static saddle_handle add_hinge(saddle_model *model, saddle_handle body, double x, double z)
{
    const double origin[3] = {x, 0, z}, axis[3] = {0, 1, 0};
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose world;
    saddle_handle joint;
    def.kind = SADDLE_JOINT_HINGE;
    def.b = body;
    assert_int_equal(saddle_pose_along(NULL, origin, axis, &world), SADDLE_OK);
    assert_int_equal(saddle_joint_def_at(model, &world, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    return joint;
}

static void assert_near(const double *x, const double *y, int64_t count, double within)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= within)) fail_msg("[%d]: %g, not %g", (int)i, x[i], y[i]);
}

static void points_are_where_the_definitions_say(void **state)
{
    (void)state;
    saddle_model *model = new_model(NULL);
    const saddle_handle body = add_body(model, "arm", 1, acos(-1.0) / 2); /* y of the body is z */
    const saddle_particle_def dot = {.mass = 1, .position = {0, 5, 0}};
    saddle_handle particle, made[4];
    assert_int_equal(saddle_model_add_particle(model, &dot, &particle), SADDLE_OK);
    const saddle_path_point path[] = {{{{0}, 0}, {0, 1, 2}, 0},
                                      {{body, 0}, {0, 0.1, 0}, 0},
                                      {{particle, 0}, {0}, 0},
                                      {{body, 0}, {0.5, 0, 0}, 0}};
    const double on_path[] = {0, 1, 2, 1, 0, 0.1, 0, 5, 0, 1.5, 0, 0};
    const saddle_muscle muscle = saddle_muscle_default();
    const saddle_spring spring = {.point_b = {0, 0.2, 0}, .rest_length = 1, .stiffness = 1};
    saddle_rod_def rod = {
        .a = {particle, 0}, .b = {body, 0}, .point_b = {0.1, 0, 0}, .length = 1, .rope = 1};
    double x[12];
    assert_int_equal(saddle_model_add_muscle(model, "biceps", 4, path, &muscle, &made[0]),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_spring(model, NULL, (saddle_anchor){particle, 0},
                                             (saddle_anchor){body, 0}, &spring, &made[1]),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_rod(model, &rod, &made[2]), SADDLE_OK);
    made[3] = add_hinge(model, body, 0.7, 0.3);
    assert_int_equal(saddle_model_link_points(model, made[0], NULL), 4);
    assert_int_equal(saddle_model_link_points(model, made[0], x), 4);
    assert_near(x, on_path, 12, 1e-15);
    const double on_spring[] = {0, 5, 0, 1, 0, 0.2}, on_rod[] = {0, 5, 0, 1.1, 0, 0},
                 on_hinge[] = {0.7, 0, 0.3, 0.7, 0, 0.3};
    const double *const expected[] = {on_spring, on_rod, on_hinge};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(saddle_model_link_points(model, made[1 + k], x), 2);
        assert_near(x, expected[k], 6, 1e-15);
    }
    static const char *const kinds[] = {"muscle", "spring", "rope", "hinge"};
    for (int k = 0; k < 4; k++)
        assert_string_equal(saddle_model_link_kind(model, made[k]), kinds[k]);
    assert_int_equal(saddle_model_link_count(model, SADDLE_ITEM_FORCE), 2);
    assert_int_equal(saddle_model_link_count(model, SADDLE_ITEM_CONSTRAINT), 2);
    assert_int_equal(saddle_model_link_count(model, SADDLE_ITEM_BODY), 0);
    assert_string_equal(saddle_model_name(model, saddle_model_link_at(model, SADDLE_ITEM_FORCE, 0)),
                        "biceps");
    assert_int_equal(saddle_model_link_at(model, SADDLE_ITEM_FORCE, 2).generation, 0);
    assert_int_equal(saddle_model_link_at(model, SADDLE_ITEM_FORCE, -1).generation, 0);
    assert_int_equal(saddle_model_link_points(model, body, x), 0);
    assert_string_equal(saddle_model_link_kind(model, body), "");
    saddle_model_free(model);
}

static void pins_and_attachments_have_their_points(void **state)
{
    (void)state;
    saddle_model *model = new_model(NULL);
    const saddle_handle body = add_body(model, "arm", 1, 0);
    const saddle_particle_def dot = {.mass = 1, .position = {1, 0.2, 0}};
    saddle_handle particle, pin, tie;
    assert_int_equal(saddle_model_add_particle(model, &dot, &particle), SADDLE_OK);
    const saddle_anchor anchors[] = {{{0}, 0}, {body, 0}}, master = {body, 0};
    const double weights[] = {-1, 1}, points[] = {1.3, 0, 0, 0.3, 0, 0};
    double x[6];
    saddle_pin_def def = saddle_pin_def_default();
    def.count = 2;
    def.anchors = anchors;
    def.weights = weights;
    def.points = points;
    assert_int_equal(saddle_model_add_pin(model, &def, &pin), SADDLE_OK);
    const saddle_attach_def attach = {.part = particle, .masters = 1, .to = &master};
    assert_int_equal(saddle_model_attach(model, &attach, &tie), SADDLE_OK);
    assert_int_equal(saddle_model_link_points(model, pin, x), 2);
    assert_near(x, (const double[]){1.3, 0, 0, 1.3, 0, 0}, 6, 1e-15);
    assert_int_equal(saddle_model_link_points(model, tie, x), 1);
    assert_near(x, (const double[]){1, 0.2, 0}, 3, 0);
    assert_string_equal(saddle_model_link_kind(model, tie), "attachment");
    assert_int_equal(saddle_model_link_count(model, SADDLE_ITEM_ATTACHMENT), 1);
    saddle_model_free(model);
}

static saddle_stepper *new_stepper(saddle_model *model, saddle_integrator integrator)
{
    saddle_stepper_options options = saddle_stepper_options_default();
    saddle_stepper *stepper;
    options.integrator = integrator;
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    return stepper;
}

static void a_hanging_body_weighs_on_its_hinge(void **state)
{
    (void)state;
    for (int k = SADDLE_INTEGRATOR_EXPLICIT_EULER; k <= SADDLE_INTEGRATOR_BRIDSON_MARINO; k++) {
        saddle_model *model = new_model(NULL);
        const saddle_handle body = add_body(model, "weight", 0, 0.4),
                            joint = add_hinge(model, body, 0, 1);
        saddle_stepper *stepper = new_stepper(model, (saddle_integrator)k);
        double force[6];
        for (int step = 0; step < 3; step++)
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        assert_int_equal(saddle_stepper_constraint_force(stepper, joint, force), SADDLE_OK);
        assert_near(force, (const double[]){0, 0, 0, 0, 0, 2 * 9.81}, 6, 1e-9);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
}

/* m dv = h (m g + F), by symplectic Euler. */
static void a_reaction_balances_the_change_of_momentum(void **state)
{
    (void)state;
    saddle_model *model = new_model(NULL);
    const saddle_handle body = add_body(model, "pendulum", 1, 0),
                        joint = add_hinge(model, body, 0, 0);
    saddle_stepper *stepper = new_stepper(model, SADDLE_INTEGRATOR_SYMPLECTIC_EULER);
    for (int step = 0; step < 40; step++) {
        double force[6], balance[3], turned = 0;
        const saddle_energies before = saddle_model_energies(model);
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        const saddle_energies after = saddle_model_energies(model);
        assert_int_equal(saddle_stepper_constraint_force(stepper, joint, force), SADDLE_OK);
        for (int i = 0; i < 3; i++) {
            balance[i] = (after.momentum[i] - before.momentum[i]) / 0.01 - 2 * gravity[i];
            turned = fmax(turned, fabs(force[i]));
        }
        assert_near(force + 3, balance, 3, 1e-8);
        assert_true(turned == 0.0); /* nothing on the ground */
    }
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

static void what_is_no_constraint_is_refused(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_model *model = new_model(context);
    const saddle_handle body = add_body(model, "arm", 0, 0), joint = add_hinge(model, body, 0, 0);
    saddle_stepper *stepper = new_stepper(model, SADDLE_INTEGRATOR_SYMPLECTIC_EULER);
    double force[6];
    assert_int_equal(saddle_stepper_constraint_force(stepper, joint, force), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_constraint_force(stepper, body, force),
                     SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "body 'arm' is no constraint"));
    assert_int_equal(saddle_model_remove(model, joint), SADDLE_OK);
    assert_int_equal(saddle_stepper_constraint_force(stepper, joint, force),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_link_points(model, joint, force), 0);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_where_the_definitions_say),
        cmocka_unit_test(pins_and_attachments_have_their_points),
        cmocka_unit_test(a_hanging_body_weighs_on_its_hinge),
        cmocka_unit_test(a_reaction_balances_the_change_of_momentum),
        cmocka_unit_test(what_is_no_constraint_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
