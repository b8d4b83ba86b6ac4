/* SPDX-License-Identifier: MIT */
/* Joints with bad input, changed joints, turns, frames, memory that fails. */
#include <math.h>
#include <string.h>

#include "drawn_parts.h"
#include "linkage.h"
#include "model_internal.h"
#include "space/space.h"

enum { ROWS = SADDLE_CONSTRAINT_ROWS_MAX };

static const saddle_handle ground = {0};

/* ---- what is refused ---- */

typedef struct house { /* a model with parts of every sort */
    saddle_model *model;
    saddle_handle body, other, particle, nodes, gone, wall;
} house;

static house build_house(saddle_context *context, uint64_t *state)
{
    house made = {0};
    assert_int_equal(saddle_model_create(context, &made.model), SADDLE_OK);
    made.body = test_draw_body(made.model, state, 1);
    made.other = test_draw_body(made.model, state, 1);
    made.particle = test_draw_particle(made.model, state, 1);
    made.nodes = test_draw_nodes(made.model, state, 1);
    made.gone = test_draw_body(made.model, state, 1);
    assert_int_equal(saddle_model_remove(made.model, made.gone), SADDLE_OK);
    saddle_body_def wall = saddle_body_def_default();
    wall.prescribed = 1;
    assert_int_equal(saddle_model_add_body(made.model, &wall, &made.wall), SADDLE_OK);
    return made;
}

static saddle_joint_def hinge_of(const house *h)
{
    saddle_joint_def def = saddle_joint_def_default();
    def.name = "knee";
    def.kind = SADDLE_JOINT_HINGE;
    def.a = h->body;
    def.b = h->other;
    return def;
}

static void expect_refused(const house *h, const saddle_joint_def *def, const char *part_of_message)
{
    saddle_handle joint;
    const int64_t constraints = h->model->constraints.count;
    assert_int_equal(saddle_model_add_joint(h->model, def, &joint), SADDLE_INVALID_ARGUMENT);
    const char *message = saddle_context_message(saddle_model_context(h->model));
    if (strstr(message, "'knee'") == NULL || strstr(message, part_of_message) == NULL)
        fail_msg("said: %s", message);
    assert_int_equal(h->model->constraints.count, constraints);
}

static void joints_between_the_wrong_parts_are_refused_by_name(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const house h = build_house(context, &state);
    const struct {
        saddle_handle a, b;
        const char *message;
    } cases[] = {
        {h.body, h.body, "to itself"},
        {ground, ground, "to itself"},
        {h.wall, ground, "moves"},
        {h.body, h.gone, "which is no part"},
        {h.nodes, h.body, "a pin holds them"},
        {h.particle, h.body, "no rotation to lock"},
        {h.body, {1000, 1, SADDLE_ITEM_BODY, 0}, "which is no part"},
        {h.body, {0, 0, 77, 0}, "which is no part"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        saddle_joint_def def = hinge_of(&h);
        def.a = cases[k].a;
        def.b = cases[k].b;
        expect_refused(&h, &def, cases[k].message);
    }
    saddle_model_free(h.model);
    saddle_context_free(context);
}

enum { BAD_JOINTS = 25 };

static const char *const wrong_with_joint[BAD_JOINTS] = {"no known kind",
                                                         "locks no axis",
                                                         "no axis",
                                                         "frame_a.p[1] is nan",
                                                         "frame_b.R",
                                                         "frame_b.R",
                                                         "lower limit is above",
                                                         "not a number",
                                                         "exclude all values",
                                                         "restitution",
                                                         "target",
                                                         "strength",
                                                         "position",
                                                         "velocity",
                                                         "strength",
                                                         "friction",
                                                         "friction",
                                                         "free coordinate 2",
                                                         "free coordinate 3",
                                                         "no angles",
                                                         "free coordinate 1",
                                                         "no known kind",
                                                         "compliance: alpha",
                                                         "compliance: beta",
                                                         "compliance: beta or steps"};

/* bad: hinges, each made wrong in its own way. */
static void make_wrong(const house *h, saddle_joint_def bad[BAD_JOINTS])
{
    bad[0].kind = (saddle_joint_kind)9;
    bad[1].kind = SADDLE_JOINT_CUSTOM;
    bad[2].kind = SADDLE_JOINT_CUSTOM;
    bad[2].locked = 64;
    bad[3].frame_a.p[1] = NAN;
    bad[4].frame_b.R[0] = 2;
    bad[5].frame_b.R[8] = -1; /* a reflection */
    bad[6].free[0].lo = 1;
    bad[6].free[0].hi = 0;
    bad[7].free[0].hi = NAN;
    bad[8].free[0].lo = INFINITY;
    bad[9].free[0].limit_restitution = 1.5;
    bad[10].free[0].motor_target = INFINITY;
    bad[11].free[0].motor_strength = -1;
    bad[12].free[0].servo_position = NAN;
    bad[13].free[0].servo_velocity = NAN;
    bad[14].free[0].servo_strength = NAN;
    bad[15].free[0].friction = -1;
    bad[16].free[0].friction = NAN;
    bad[17].free[1].motor = 1; /* a hinge has one free coordinate */
    bad[18].free[2].lo = NAN;
    bad[19].kind = SADDLE_JOINT_BALL;
    bad[19].a = h->particle;
    bad[19].free[0].motor = 1;
    bad[20].kind = SADDLE_JOINT_FIXED;
    bad[20].free[0].friction = 1;
    bad[21].kind = (saddle_joint_kind)-1;
    bad[22].compliance.alpha = -1;
    bad[23].free[0].limit_compliance.beta = NAN;
    bad[24].free[0].servo_compliance.steps = -1;
}

static void joints_with_bad_numbers_are_refused_by_name(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const house h = build_house(context, &state);
    saddle_joint_def bad[BAD_JOINTS];
    for (int k = 0; k < BAD_JOINTS; k++) bad[k] = hinge_of(&h);
    make_wrong(&h, bad);
    for (int k = 0; k < BAD_JOINTS; k++) expect_refused(&h, &bad[k], wrong_with_joint[k]);
    saddle_model_free(h.model);
    saddle_context_free(context);
}

static void a_wheel_with_parallel_axes_is_refused(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const double q[3] = {0.2, 0.5, 0};
    const saddle_pose E = test_allowed_pose(SADDLE_JOINT_WHEEL, q, acos(-1) / 2);
    test_linkage linkage;
    test_linkage_begin(context, &state, SADDLE_JOINT_WHEEL, &E, 0, &linkage);
    linkage.def.name = "front";
    assert_int_equal(saddle_model_add_joint(linkage.model, &linkage.def, &linkage.joint),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "joint 'front': a's x axis and b's y axis are parallel");
    test_linkage_end(&linkage);
    saddle_context_free(context);
}

static void a_ball_holds_particles(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const house h = build_house(NULL, &state);
    saddle_joint_def def = saddle_joint_def_default();
    saddle_handle joint;
    double phi[3], rate[3], expected[3], speed[3];
    def.kind = SADDLE_JOINT_BALL;
    def.a = h.body;
    def.b = h.particle;
    def.frame_a = test_draw_pose(&state, 1);
    assert_int_equal(saddle_model_add_joint(h.model, &def, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_constraint_evaluate(h.model, joint, phi, rate, NULL), SADDLE_OK);
    const saddle_pose a = saddle_pose_multiply(saddle_model_pose(h.model, h.body), &def.frame_a);
    const double *x = saddle_model_position(h.model, h.particle);
    for (int i = 0; i < 3; i++) expected[i] = x[i] - a.p[i];
    saddle__unrotate(a.R, expected, expected);
    assert_true(test_distance(phi, expected, 3) < 1e-14);
    /* dp/dt = R_a'(v - v_a) - omega x p, all seen from frame a */
    const double *v = saddle_model_velocity(h.model, h.particle),
                 *twist = saddle_model_velocity(h.model, h.body);
    double arm[3], omega[3], turned[3];
    saddle__cross(twist + 3, def.frame_a.p, arm);
    for (int i = 0; i < 3; i++) arm[i] += twist[i];
    saddle__unrotate(def.frame_a.R, arm, arm);
    saddle__unrotate(def.frame_a.R, twist + 3, omega);
    saddle__unrotate(a.R, v, speed);
    saddle__cross(omega, expected, turned);
    for (int i = 0; i < 3; i++) speed[i] -= arm[i] + turned[i];
    assert_true(test_distance(rate, speed, 3) < 1e-14);
    saddle_model_free(h.model);
}

/* ---- changes ---- */

static void a_changed_target_counts_and_keeps_the_rows_a_new_limit_makes_others(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const house h = build_house(NULL, &state);
    saddle_joint_def def = hinge_of(&h);
    saddle_handle joint;
    double phi[ROWS], q;
    def.free[0].lo = -1;
    def.free[0].motor = 1;
    assert_int_equal(saddle_model_add_joint(h.model, &def, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_constraint_rows(h.model, joint), 7);
    saddle_joint_def *now = saddle_model_joint(h.model, joint);
    assert_string_equal(now->name, "knee");
    const int64_t edition = h.model->edition;
    now->free[0].motor_target = 5;
    now->free[0].lo = -2;
    assert_true(saddle_model_constraint_row(h.model, joint, 6)->target == 0);
    assert_int_equal(saddle_model_joint_changed(h.model, joint), SADDLE_OK);
    assert_true(saddle_model_constraint_row(h.model, joint, 6)->target == 5);
    assert_int_equal(saddle_model_constraint_evaluate(h.model, joint, phi, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_model_joint_coordinates(h.model, joint, &q, NULL), SADDLE_OK);
    assert_true(fabs(phi[5] - (q + 2)) < 1e-15);
    assert_int_equal(h.model->edition, edition);
    now = saddle_model_joint(h.model, joint);
    now->free[0].hi = 3;
    assert_int_equal(saddle_model_joint_changed(h.model, joint), SADDLE_OK);
    assert_int_equal(saddle_model_constraint_rows(h.model, joint), 8);
    assert_true(h.model->edition > edition);
    assert_int_equal(saddle_model_constraint_evaluate(h.model, joint, phi, NULL, NULL), SADDLE_OK);
    assert_true(fabs(phi[6] - (3 - q)) < 1e-15);
    saddle_model_free(h.model);
}

static void a_change_that_is_refused_changes_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const house h = build_house(context, &state);
    const saddle_joint_def def = hinge_of(&h);
    saddle_handle joint;
    assert_int_equal(saddle_model_add_joint(h.model, &def, &joint), SADDLE_OK);
    saddle_joint_def *now = saddle_model_joint(h.model, joint);
    const saddle_joint_def before = *now;
    double phi[ROWS], after[ROWS];
    assert_int_equal(saddle_model_constraint_evaluate(h.model, joint, phi, NULL, NULL), SADDLE_OK);
    for (int k = 0; k < 4; k++) {
        *now = before;
        if (k == 0) now->kind = SADDLE_JOINT_BALL;
        if (k == 1) now->b = ground;
        if (k == 2) now->frame_a.R[0] = 3;
        if (k == 3) now->free[0].lo = NAN;
        assert_int_equal(saddle_model_joint_changed(h.model, joint), SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "'knee'"));
        assert_int_equal(saddle_model_constraint_evaluate(h.model, joint, after, NULL, NULL),
                         SADDLE_OK);
        assert_memory_equal(phi, after, 5 * sizeof *phi);
    }
    assert_null(saddle_model_joint(h.model, h.body));
    assert_int_equal(saddle_model_joint_changed(h.model, h.body), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_joint_coordinates(h.model, h.body, phi, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_remove(h.model, joint), SADDLE_OK);
    assert_null(saddle_model_joint(h.model, joint));
    saddle_model_free(h.model);
    saddle_context_free(context);
}

/* ---- turns ---- */

static void angles_are_counted_over_turns_as_the_model_moves(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const saddle_joint_kind kinds[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_UNIVERSAL,
                                       SADDLE_JOINT_WHEEL};
    for (int trial = 0; trial < 6; trial++) {
        const saddle_joint_kind kind = kinds[trial % 3];
        const double start[3] = {0.5, 0.25, 0};
        const saddle_pose E = test_allowed_pose(kind, start, 0.3);
        test_linkage linkage;
        test_linkage_begin(NULL, &state, kind, &E, trial > 2, &linkage);
        linkage.def.free[0].lo = -100;
        test_linkage_add(&linkage);
        double q[3] = {0.5, 0.25, 0}, found[3], phi[ROWS], J[12 * ROWS];
        saddle_pose from = E;
        for (int step = 0; step < 60; step++) {
            q[0] -= 0.5;
            q[1] += 0.4;
            const saddle_pose to = test_allowed_pose(kind, q, 0.3), unit = saddle_pose_identity();
            const saddle_pose back = saddle_pose_between(&from, &unit),
                              change = saddle_pose_multiply(&to, &back);
            test_linkage_replace(&linkage, &change);
            from = to;
            saddle__model_moved(linkage.model);
        }
        assert_int_equal(saddle_model_joint_coordinates(linkage.model, linkage.joint, found, NULL),
                         SADDLE_OK);
        for (int64_t k = 0; k < saddle_joint_free_count(kind); k++)
            assert_true(fabs(found[k] - q[k]) < 1e-12);
        const int64_t rows = test_linkage_rows(&linkage, phi, J);
        assert_true(fabs(phi[rows - 1] - (q[0] + 100)) < 1e-12);
        test_linkage_end(&linkage);
    }
}

/* ---- frames, words, memory ---- */

static void frames_along_an_axis_are_rotations_and_none_is_made_of_no_axis(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double origin[3] = {1, 2, 3};
    for (int trial = 0; trial < test_draws(200); trial++) {
        double axis[3], gram[9];
        const double size = trial % 3 == 0 ? 1e-200 : trial % 3 == 1 ? 1 : 1e200;
        for (int i = 0; i < 3; i++)
            axis[i] = size * (test_integer(&state, 0, 2) ? test_uniform(&state, -1, 1) : 0);
        if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0) axis[trial % 3] = -size;
        saddle_pose pose;
        assert_int_equal(saddle_pose_along(NULL, origin, axis, &pose), SADDLE_OK);
        saddle__transposed_product3(pose.R, pose.R, gram);
        for (int k = 0; k < 9; k++) assert_true(fabs(gram[k] - (k % 4 == 0)) < 1e-15);
        double cross[3];
        saddle__cross(pose.R, pose.R + 3, cross);
        assert_true(saddle__dot(cross, pose.R + 6) > 0.9);
        for (int i = 0; i < 3; i++) axis[i] /= size;
        assert_true(fabs(saddle__dot(axis, pose.R + 6) - sqrt(saddle__dot(axis, axis))) < 1e-15);
        assert_memory_equal(pose.p, origin, sizeof origin);
    }
    const double z[3] = {0, 0, 2}, bad[3][3] = {{0, 0, 0}, {0, NAN, 1}, {INFINITY, 0, 0}};
    saddle_pose pose, unit = saddle_pose_identity();
    assert_int_equal(saddle_pose_along(NULL, unit.p, z, &pose), SADDLE_OK);
    assert_memory_equal(&pose, &unit, sizeof unit);
    for (int k = 0; k < 3; k++)
        assert_int_equal(saddle_pose_along(NULL, origin, bad[k], &pose), SADDLE_INVALID_ARGUMENT);
}

static void a_joint_defined_at_a_place_in_the_world_holds_there(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const house h = build_house(NULL, &state);
    for (int kind = 0; kind < SADDLE_JOINT_CUSTOM; kind++) {
        saddle_joint_def def = hinge_of(&h);
        saddle_handle joint;
        double phi[ROWS];
        def.kind = (saddle_joint_kind)kind;
        if (kind % 2) def.b = ground;
        const saddle_pose place = test_draw_pose(&state, 1);
        assert_int_equal(saddle_joint_def_at(h.model, &place, &def), SADDLE_OK);
        assert_int_equal(saddle_model_add_joint(h.model, &def, &joint), SADDLE_OK);
        assert_int_equal(saddle_model_constraint_evaluate(h.model, joint, phi, NULL, NULL),
                         SADDLE_OK);
        for (int64_t i = 0; i < saddle_model_constraint_rows(h.model, joint); i++)
            assert_true(fabs(phi[i]) < 1e-15);
    }
    saddle_joint_def def = hinge_of(&h);
    saddle_pose place = saddle_pose_identity();
    def.a = h.nodes;
    assert_int_equal(saddle_joint_def_at(h.model, &place, &def), SADDLE_INVALID_ARGUMENT);
    def.a = h.gone;
    assert_int_equal(saddle_joint_def_at(h.model, &place, &def), SADDLE_INVALID_ARGUMENT);
    def.a = h.body;
    place.R[4] = 0;
    assert_int_equal(saddle_joint_def_at(h.model, &place, &def), SADDLE_INVALID_ARGUMENT);
    saddle_model_free(h.model);
}

static void kinds_have_words(void **unused)
{
    (void)unused;
    for (int kind = 0; kind <= SADDLE_JOINT_CUSTOM; kind++) {
        saddle_joint_kind found = SADDLE_JOINT_FIXED;
        const char *word = saddle_joint_kind_word((saddle_joint_kind)kind);
        assert_int_equal(saddle_joint_kind_from_word(word, &found), SADDLE_OK);
        assert_int_equal(found, kind);
    }
    saddle_joint_kind none;
    assert_int_equal(saddle_joint_kind_from_word("weld", &none), SADDLE_UNKNOWN_NAME);
    assert_int_equal(saddle_joint_kind_from_word(NULL, &none), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_joint_kind_word((saddle_joint_kind)99), "?");
    assert_int_equal(saddle_joint_free_count((saddle_joint_kind)99), 0);
}

static saddle_status joints_of_all_sorts(saddle_context *context, void *user)
{
    (void)user;
    saddle_model *model = NULL;
    saddle_joint_def def = saddle_joint_def_default();
    saddle_body_def body = saddle_body_def_default();
    const double sides[3] = {1, 1, 1};
    saddle_handle joint = ground, force;
    saddle_status status = saddle_body_inertia_of_mass(context, SADDLE_SHAPE_BOX, sides, 1,
                                                       &body.inertia);
    def.name = "knee";
    def.kind = SADDLE_JOINT_HINGE;
    if (status == SADDLE_OK) status = saddle_model_create(context, &model);
    if (status == SADDLE_OK) status = saddle_model_add_body(model, &body, &def.a);
    if (status == SADDLE_OK) status = saddle_model_add_joint(model, &def, &joint);
    if (status == SADDLE_OK) {
        saddle_model_joint(model, joint)->free[0].servo = 1;
        status = saddle_model_joint_changed(model, joint);
    }
    const saddle_joint_spring spring = {.stiffness = 1};
    const saddle_spring rope = {.stiffness = 1};
    const saddle_anchor anchors[2] = {{def.a, 0}, {ground, 0}};
    const double weights[2] = {1, -1};
    saddle_pin_def pin = saddle_pin_def_default();
    pin.count = 2;
    pin.anchors = anchors;
    pin.weights = weights;
    if (status == SADDLE_OK)
        status = saddle_model_add_joint_spring(model, "spring", joint, 0, &spring, &force);
    if (status == SADDLE_OK)
        status = saddle_model_add_spring(model, "rope", anchors[0], anchors[1], &rope, &force);
    if (status == SADDLE_OK) status = saddle_model_add_pin(model, &pin, &joint);
    saddle_model_free(model);
    return status;
}

static void memory_that_fails_at_any_point_is_survived(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(joints_of_all_sorts, NULL) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_between_the_wrong_parts_are_refused_by_name),
        cmocka_unit_test(joints_with_bad_numbers_are_refused_by_name),
        cmocka_unit_test(a_wheel_with_parallel_axes_is_refused),
        cmocka_unit_test(a_ball_holds_particles),
        cmocka_unit_test(a_changed_target_counts_and_keeps_the_rows_a_new_limit_makes_others),
        cmocka_unit_test(a_change_that_is_refused_changes_nothing),
        cmocka_unit_test(angles_are_counted_over_turns_as_the_model_moves),
        cmocka_unit_test(frames_along_an_axis_are_rotations_and_none_is_made_of_no_axis),
        cmocka_unit_test(a_joint_defined_at_a_place_in_the_world_holds_there),
        cmocka_unit_test(kinds_have_words),
        cmocka_unit_test(memory_that_fails_at_any_point_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
