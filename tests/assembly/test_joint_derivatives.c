/* SPDX-License-Identifier: MIT */
/* Every derivative of every joint against differences, at poses drawn far from phi = 0 and near
 * it. */
#include <math.h>

#include "differences.h"
#include "drawn_parts.h"
#include "joint_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

enum { TRIALS = 300 };

typedef struct pair { /* two bodies and a joint between them */
    saddle_model *model;
    saddle_handle a, b, joint;
} pair;

/* Everything that a coordinate can carry. */
static saddle_joint_free crowded(uint64_t *state)
{
    saddle_joint_free free = saddle_joint_free_default();
    free.lo = test_uniform(state, -2, 0);
    free.hi = test_uniform(state, 0, 2);
    free.motor = 1;
    free.motor_target = 1;
    free.servo = 1;
    free.servo_position = test_uniform(state, -1, 1);
    free.servo_velocity = test_uniform(state, -1, 1);
    free.friction = 1;
    return free;
}

/* ground: b is the ground. */
static pair draw_pair(uint64_t *state, saddle_joint_kind kind, unsigned locked, double size,
                      int ground)
{
    pair made = {0};
    assert_int_equal(saddle_model_create(NULL, &made.model), SADDLE_OK);
    saddle_model_set_time(made.model, test_uniform(state, 0, 1));
    made.a = test_draw_body(made.model, state, size);
    if (!ground) made.b = test_draw_body(made.model, state, size);
    saddle_joint_def def = saddle_joint_def_default();
    def.kind = kind;
    def.locked = locked;
    def.a = made.a;
    def.b = made.b;
    def.frame_a = test_draw_pose(state, size);
    def.frame_b = test_draw_pose(state, size);
    for (int k = 0; k < saddle_joint_free_count(kind); k++) def.free[k] = crowded(state);
    assert_int_equal(saddle_model_add_joint(made.model, &def, &made.joint), SADDLE_OK);
    return made;
}

static void pair_site(const pair *made, test_site *site)
{
    const saddle_anchor anchors[2] = {{made->a, 0}, {made->b, 0}};
    test_site_of(made->model, 2, anchors, saddle_model_constraint_data(made->model, made->joint),
                 site);
}

/* Where differences over a step of 1e-3 say little: log R near where it jumps, angles near their
 * poles. */
static int near_pole(test_site *site)
{
    const saddle__joint *joint = site->data;
    const saddle_site view = test_site_view(site);
    double phi[SADDLE_CONSTRAINT_ROWS_MAX] = {0}, rate[SADDLE_CONSTRAINT_ROWS_MAX] = {0}, log[3],
           block[2][6 * SADDLE_CONSTRAINT_ROWS_MAX] = {{0}},
           *const blocks[2] = {block[0], block[1]};
    saddle_constraint_values values = {phi, rate, blocks};
    if (saddle__joints.type.evaluate(NULL, &view, &values) != SADDLE_OK) return 1;
    saddle_pose a, b;
    memcpy(&a, view.position[0], sizeof a);
    memcpy(&b, view.position[1], sizeof b);
    a = saddle_pose_multiply(&a, &joint->used.frame_a);
    b = saddle_pose_multiply(&b, &joint->used.frame_b);
    const saddle_pose E = saddle_pose_between(&a, &b);
    saddle_rotation_log(E.R, log);
    if (joint->function[joint->locked - 1].kind == SADDLE__JOINT_LOG &&
        sqrt(saddle__dot(log, log)) > 3.12) {
        return 1;
    }
    for (int i = joint->locked; i < joint->rows; i++) { /* rows of angles: pure moments on b */
        const double *force = block[1] + 6 * i, *moment = force + 3;
        if (saddle__dot(force, force) == 0 && saddle__dot(moment, moment) > 16) return 1;
    }
    return 0;
}

static void compare(uint64_t *state, saddle_joint_kind kind, unsigned locked, double size,
                    int trials)
{
    int compared = 0;
    for (int trial = 0; trial < trials; trial++) {
        const pair made = draw_pair(state, kind, locked, size, trial % 4 == 3);
        const int64_t rows = saddle_model_constraint_rows(made.model, made.joint);
        test_site site;
        test_errors errors;
        pair_site(&made, &site);
        if (!near_pole(&site)) {
            const saddle_status status = test_constraint_errors(&saddle__joints.type, &site, rows,
                                                                state, &errors);
            assert_int_equal(status, SADDLE_OK);
            compared++;
            assert_true(errors.J < 1e-10);
            assert_true(errors.rate < 1e-10);
            assert_true(errors.drift < 1e-9);
            assert_true(errors.stiffness < 1e-9);
        }
        saddle_model_free(made.model);
    }
    assert_true(compared > trials / 2);
}

static void derivatives_are_exact_for_every_kind_far_from_where_it_holds(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int kind = SADDLE_JOINT_FIXED; kind < SADDLE_JOINT_CUSTOM; kind++) {
        compare(&state, (saddle_joint_kind)kind, 0, 1.2, TRIALS);
    }
}

static void derivatives_are_exact_for_every_kind_near_where_it_holds(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int kind = SADDLE_JOINT_FIXED; kind < SADDLE_JOINT_CUSTOM; kind++) {
        compare(&state, (saddle_joint_kind)kind, 0, 0.05, TRIALS);
    }
}

static void derivatives_are_exact_for_every_selection_of_rows(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (unsigned locked = 1; locked < 64; locked++)
        compare(&state, SADDLE_JOINT_CUSTOM, locked, 1.2, TRIALS / 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_exact_for_every_kind_far_from_where_it_holds),
        cmocka_unit_test(derivatives_are_exact_for_every_kind_near_where_it_holds),
        cmocka_unit_test(derivatives_are_exact_for_every_selection_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
