/* SPDX-License-Identifier: MIT */
/* Several points of contact of polytopes, cylinders and capsules that face each other. */
#include <math.h>
#include <string.h>

#include "collide.h"
#include "motion.h"

#ifdef SADDLE_HAVE_CCD

static const double cube[24] = {-.5, -.5, -.5, .5, -.5, -.5, -.5, .5, -.5, .5, .5, -.5,
                                -.5, -.5, .5,  .5, -.5, .5,  -.5, .5, .5,  .5, .5, .5};

static saddle__solid solid_at(saddle_touch_kind kind, double x, double y, double z)
{
    saddle__solid solid = {.kind = kind, .pose = saddle_pose_identity(), .half = {0.5, 0.5, 0.5}};
    solid.pose.p[0] = x;
    solid.pose.p[1] = y;
    solid.pose.p[2] = z;
    if (kind == SADDLE_TOUCH_CONVEX) {
        solid.corner_count = 8;
        solid.corner = cube;
    }
    return solid;
}

/* Points of B on A, all with the gap and the normal z, their labels distinct. */
static int64_t count_points(const saddle__solid *A, const saddle__solid *B, double gap,
                            saddle__touching *t)
{
    int64_t count;
    assert_int_equal(saddle__collide(A, B, 0.05, t, &count), SADDLE_OK);
    for (int64_t k = 0; k < count; k++) {
        assert_true(fabs(t[k].gap - gap) < 1e-9);
        assert_true(fabs(t[k].normal[2] - 1) < 1e-9);
        assert_true(fabs(t[k].b[2] - t[k].a[2] - gap) < 1e-9);
        for (int64_t i = 0; i < k; i++) assert_true(t[i].label != t[k].label);
    }
    return count;
}

static void faces_touch_in_the_corners_of_their_overlap(void **unused)
{
    (void)unused;
    for (int deep = 0; deep < 2; deep++) {
        const double gap = deep ? -0.01 : 0.01;
        saddle__touching t[SADDLE__TOUCHES_MAX];
        const saddle__solid low = solid_at(SADDLE_TOUCH_CONVEX, 0, 0, 0),
                            box = solid_at(SADDLE_TOUCH_BOX, 0, 0, 0);
        const saddle__solid high = solid_at(SADDLE_TOUCH_CONVEX, 0.3, 0.2, 1 + gap);
        assert_int_equal(count_points(&low, &high, gap, t), 4);
        for (int k = 0; k < 4; k++) {
            assert_true(fabs(fabs(t[k].a[0] - 0.15) - 0.35) < 1e-9);
            assert_true(fabs(fabs(t[k].a[1] - 0.1) - 0.4) < 1e-9);
        }
        assert_int_equal(count_points(&box, &high, gap, t), 4);
    }
}

static void cylinders_stand_on_cylinders_and_polytopes(void **unused)
{
    (void)unused;
    saddle__touching t[SADDLE__TOUCHES_MAX];
    const saddle__solid low = solid_at(SADDLE_TOUCH_CYLINDER, 0, 0, 0),
                        high = solid_at(SADDLE_TOUCH_CYLINDER, 0.2, 0, 1.01),
                        hull = solid_at(SADDLE_TOUCH_CONVEX, 0, 0, 0);
    assert_true(count_points(&low, &high, 0.01, t) >= 3);
    assert_true(count_points(&hull, &high, 0.01, t) >= 3);
}

/* Along an edge of the overlap, at both ends. */
static void lines_touch_faces_and_lines_at_two_ends(void **unused)
{
    (void)unused;
    saddle__touching t[SADDLE__TOUCHES_MAX];
    const double along_x[9] = {0, 0, -1, 0, 1, 0, 1, 0, 0};
    saddle__solid lying = solid_at(SADDLE_TOUCH_CYLINDER, 0.2, 0, 1.01);
    const saddle__solid hull = solid_at(SADDLE_TOUCH_CONVEX, 0, 0, 0);
    memcpy(lying.pose.R, along_x, sizeof along_x);
    assert_int_equal(count_points(&hull, &lying, 0.01, t), 2);
    assert_true(fabs(fabs(t[0].a[0] - t[1].a[0]) - 0.8) < 1e-6);
    saddle__solid below = lying;
    below.pose.p[2] = 0.01;
    below.pose.p[0] = 0;
    assert_int_equal(count_points(&below, &lying, 0, t), 2);
    saddle__solid across = below; /* turned by a right angle: one point */
    const double along_y[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    memcpy(across.pose.R, along_y, sizeof along_y);
    assert_int_equal(count_points(&across, &lying, 0, t), 1);
}

/* A tower of polytopes and cylinders on a plane stays where it is. */
static void a_tower_of_polytopes_and_cylinders_stands(void **unused)
{
    (void)unused;
    motion scene;
    saddle_handle body[4];
    const double moments[3] = {1. / 6, 1. / 6, 1. / 6}, none[3] = {0, 0, 0};
    motion_begin(&scene, NULL, motion_weight);
    assert_int_equal(saddle_collider_create(scene.model, &scene.options.collider), SADDLE_OK);
    saddle_touch_def def = saddle_touch_def_default();
    def.kind = SADDLE_TOUCH_PLANE;
    assert_int_equal(saddle_collider_add(scene.options.collider, &def, NULL), SADDLE_OK);
    for (int k = 0; k < 4; k++) {
        saddle_pose pose = saddle_pose_identity();
        pose.p[0] = 0.1 * (k % 2);
        pose.p[2] = 0.5 + k;
        body[k] = motion_body(&scene, moments, none, &pose, NULL);
        def.part = body[k];
        def.kind = k < 2 ? SADDLE_TOUCH_CONVEX : SADDLE_TOUCH_CYLINDER;
        def.corner_count = 8;
        def.corners = cube;
        def.size[0] = 0.5;
        def.size[1] = 1;
        assert_int_equal(saddle_collider_add(scene.options.collider, &def, NULL), SADDLE_OK);
    }
    motion_run(&scene, 300);
    for (int k = 0; k < 4; k++) {
        const double *v = saddle_model_velocity(scene.model, body[k]),
                     *p = saddle_model_pose(scene.model, body[k])->p;
        for (int i = 0; i < 6; i++) assert_true(fabs(v[i]) < 1e-6);
        assert_true(fabs(p[2] - 0.5 - k) < 1e-4 && fabs(p[0] - 0.1 * (k % 2)) < 1e-4);
    }
    saddle_collider_free(scene.options.collider);
    motion_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_touch_in_the_corners_of_their_overlap),
        cmocka_unit_test(cylinders_stand_on_cylinders_and_polytopes),
        cmocka_unit_test(lines_touch_faces_and_lines_at_two_ends),
        cmocka_unit_test(a_tower_of_polytopes_and_cylinders_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    print_message("skipped: this build is without libccd\n");
    return 77;
}

#endif
