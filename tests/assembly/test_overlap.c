/* SPDX-License-Identifier: MIT */
/* Shapes that overlap at first: reported with the depth, separated slowly, along normals that allow
 * the separation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collide.h"
#include "motion.h"

enum { MOST = 50 };

typedef struct heap { /* spheres of one radius, on a floor or without */
    motion scene;
    saddle_collider *collider;
    int count;
    saddle_handle ball[MOST];
} heap;

static const double radius = 0.5;

static void keep_warning(void *user, saddle_log_level level, const char *message)
{
    assert_int_equal(level, SADDLE_LOG_WARNING);
    snprintf(user, SADDLE_NOTE_SIZE, "%s", message);
}

static void begin(heap *h, saddle_context *context, const double *gravity)
{
    *h = (heap){.count = 0};
    motion_begin(&h->scene, context, gravity);
    assert_int_equal(saddle_collider_create(h->scene.model, &h->collider), SADDLE_OK);
    h->scene.options.collider = h->collider;
}

static void end(heap *h)
{
    saddle_collider_free(h->collider);
    motion_end(&h->scene);
}

static void add_floor(heap *h)
{
    saddle_touch_def def = saddle_touch_def_default();
    def.kind = SADDLE_TOUCH_PLANE;
    assert_int_equal(saddle_collider_add(h->collider, &def, NULL), SADDLE_OK);
}

static void add_ball(heap *h, double mass, double height)
{
    char name[16];
    saddle_body_def body = saddle_body_def_default();
    saddle_touch_def def = saddle_touch_def_default();
    snprintf(name, sizeof name, "ball %d", h->count);
    body.name = name;
    body.pose.p[2] = height;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, &radius, mass,
                                                 &body.inertia),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_body(h->scene.model, &body, &def.part), SADDLE_OK);
    def.size[0] = radius;
    assert_int_equal(saddle_collider_add(h->collider, &def, NULL), SADDLE_OK);
    h->ball[h->count++] = def.part;
}

/* The warning, too, reaches whom the context tells. */
static void an_initial_overlap_is_named_with_its_depth(void **unused)
{
    (void)unused;
    char warned[SADDLE_NOTE_SIZE] = "";
    saddle_context_options options = saddle_context_options_default();
    saddle_context *context = NULL;
    heap h;
    options.log = keep_warning;
    options.log_user = warned;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    begin(&h, context, motion_weight);
    add_floor(&h);
    add_ball(&h, 4, radius - 0.01);
    add_ball(&h, 4, 3 * radius - 0.04);
    motion_run(&h.scene, 1);
    const saddle_step_report *report = saddle_stepper_report(h.scene.stepper);
    assert_true(fabs(report->overlap - 0.03) < 1e-12);
    assert_non_null(strstr(report->overlap_note,
                           "body 'ball 0' and body 'ball 1' overlap by 0.03 m at the start"));
    assert_non_null(strstr(report->overlap_note, "separated at 0.1 m/s (max_separation_speed)"));
    assert_string_equal(warned, report->overlap_note);
    motion_run(&h.scene, 1);
    report = saddle_stepper_report(h.scene.stepper);
    assert_true(fabs(report->overlap - 0.029) < 1e-9);
    assert_string_equal(report->overlap_note, "");
    end(&h);
    saddle_context_free(context);
}

/* 3 cm in a step of 0.01 s would be 3 m/s, and 18 J for 4 kg. */
static void three_centimetres_give_no_more_than_the_limited_speed(void **unused)
{
    (void)unused;
    static const double speeds[] = {0.1, 0.02};
    for (int k = SADDLE_INTEGRATOR_EXPLICIT_EULER; k <= SADDLE_INTEGRATOR_BRIDSON_MARINO; k++) {
        for (int s = 0; s < 2; s++) {
            const double speed = speeds[s];
            heap h;
            begin(&h, NULL, NULL);
            add_floor(&h);
            add_ball(&h, 4, radius - 0.03);
            h.scene.options.integrator = (saddle_integrator)k;
            h.scene.options.max_separation_speed = speed;
            double most = 0;
            for (int step = 0; step < 0.04 / (speed * 0.01); step++) {
                motion_run(&h.scene, 1);
                most = fmax(most, motion_energy(&h.scene));
            }
            print_message("    %s: %.6g J\n", saddle_integrator_word((saddle_integrator)k), most);
            assert_true(most > 0 && most <= 0.5 * 4 * speed * speed * (1 + 1e-9));
            assert_true(saddle_model_pose(h.scene.model, h.ball[0])->p[2] >= radius - 1e-9);
            end(&h);
        }
    }
}

static void without_a_limit_an_overlap_is_parted_in_one_step(void **unused)
{
    (void)unused;
    heap h;
    begin(&h, NULL, NULL);
    add_floor(&h);
    add_ball(&h, 4, radius - 0.03);
    h.scene.options.max_separation_speed = 0;
    motion_run(&h.scene, 1);
    assert_true(fabs(saddle_model_pose(h.scene.model, h.ball[0])->p[2] - radius) < 1e-9);
    assert_true(fabs(motion_energy(&h.scene) - 18) < 1e-6);
    end(&h);
}

/* With a compliance the overlap is how a spring is compressed: its force stays. */
static void overlaps_with_a_compliance_push_as_their_spring_says(void **unused)
{
    (void)unused;
    double height[2];
    for (int k = 0; k < 2; k++) {
        heap h;
        begin(&h, NULL, NULL);
        saddle_touch_def def = saddle_touch_def_default();
        def.kind = SADDLE_TOUCH_PLANE;
        def.compliance.alpha = 1e-3;
        assert_int_equal(saddle_collider_add(h.collider, &def, NULL), SADDLE_OK);
        add_ball(&h, 4, radius - 0.03);
        h.scene.options.max_separation_speed = k == 0 ? 0 : 0.1;
        motion_run(&h.scene, 5);
        height[k] = saddle_model_pose(h.scene.model, h.ball[0])->p[2];
        end(&h);
    }
    assert_true(height[0] > radius - 0.03 && height[0] == height[1]);
}

/* unit (3): the k-th of the collider's directions, over the sphere by van der Corput's sequence and
 * the golden ratio. */
static void direction_aside(int k, double *unit)
{
    double z = 1, share = 1;
    for (int rest = k + 1; rest > 0; rest /= 2) {
        share /= 2;
        z -= rest % 2 * 2 * share;
    }
    const double angle = 2 * acos(-1) * fmod(0.61803398874989485 * k, 1);
    unit[0] = sqrt(1 - z * z) * cos(angle);
    unit[1] = sqrt(1 - z * z) * sin(angle);
    unit[2] = z;
}

/* What moves at v_i = c aside_i is parted everywhere at the speed s if c |aside_j - aside_i| >= s,
 * and impulses of contacts without friction give the feasible velocities of the least energy: at
 * most n m c^2 / 2. */
static double energy_bound(int count, double mass, double speed)
{
    double least = 2;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            double a[3], b[3], square = 0;
            direction_aside(i, a);
            direction_aside(j, b);
            for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
            least = fmin(least, sqrt(square));
        }
    }
    assert_true(least > 0.2);
    return count * mass * speed * speed / (2 * least * least);
}

/* With one normal for all pairs they would rise as a tower: 1.5 MJ without the limit. */
static void ten_coincident_spheres_gain_what_the_limited_speed_gives(void **unused)
{
    (void)unused;
    heap h;
    begin(&h, NULL, NULL);
    for (int k = 0; k < 10; k++) add_ball(&h, 1, radius);
    motion_run(&h.scene, 1);
    const double gained = motion_energy(&h.scene), bound = energy_bound(10, 1, 0.1);
    print_message("    %.3g J, at most %.3g J\n", gained, bound);
    assert_true(gained > 0 && gained <= bound * (1 + 1e-6));
    assert_true(fabs(saddle_stepper_report(h.scene.stepper)->overlap - 2 * radius) < 1e-12);
    end(&h);
}

/* 1,275 contacts.  Sweeps are counted, not seconds: a sweep takes a millisecond. */
static void fifty_coincident_spheres_on_a_floor_are_solved_in_few_sweeps(void **unused)
{
    (void)unused;
    heap h;
    begin(&h, NULL, motion_weight);
    add_floor(&h);
    for (int k = 0; k < 50; k++) add_ball(&h, 1, 0.4);
    for (int step = 0; step < 10; step++) {
        motion_run(&h.scene, 1);
        const saddle_step_report *report = saddle_stepper_report(h.scene.stepper);
        assert_int_equal(report->contacts, 1275);
        assert_true(report->iterations <= 300 && report->residual <= 1e-10);
    }
    end(&h);
}

/* A direction that rounding has made is none: it could be along all axes by turns. */
static void normals_of_coincident_shapes_let_them_part(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; kind++) { /* two spheres, a sphere and a capsule, two capsules */
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < i; j++) {
                saddle__solid A = {.kind = SADDLE_TOUCH_SPHERE,
                                   .pose = saddle_pose_identity(),
                                   .half = {1, 1, 0}};
                saddle__solid B = A;
                saddle__touching touching[SADDLE__TOUCHES_MAX];
                int64_t count = 0;
                if (kind == 2) A.kind = SADDLE_TOUCH_CAPSULE;
                if (kind > 0) B.kind = SADDLE_TOUCH_CAPSULE;
                direction_aside(i, A.aside);
                direction_aside(j, B.aside);
                assert_int_equal(saddle__collide(&A, &B, 0.01, touching, &count), SADDLE_OK);
                assert_true(count > 0 && touching->deep);
                double along = 0;
                for (int k = 0; k < 3; k++)
                    along += touching->normal[k] * (B.aside[k] - A.aside[k]);
                assert_true(along > 0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_initial_overlap_is_named_with_its_depth),
        cmocka_unit_test(three_centimetres_give_no_more_than_the_limited_speed),
        cmocka_unit_test(without_a_limit_an_overlap_is_parted_in_one_step),
        cmocka_unit_test(overlaps_with_a_compliance_push_as_their_spring_says),
        cmocka_unit_test(ten_coincident_spheres_gain_what_the_limited_speed_gives),
        cmocka_unit_test(fifty_coincident_spheres_on_a_floor_are_solved_in_few_sweeps),
        cmocka_unit_test(normals_of_coincident_shapes_let_them_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
