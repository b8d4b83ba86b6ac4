/* SPDX-License-Identifier: MIT */
/* The collider as used by a host: pairs examined, ids, refused arguments, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide.h"
#include "support.h"

enum { SHAPES = 60 };

typedef struct bench {
    saddle_context *context;
    saddle_model *model;
    saddle_collider *collider;
    saddle_contact_list list;
} bench;

static bench begin(saddle_context *context)
{
    bench b = {.context = context, .list.context = context};
    assert_int_equal(saddle_model_create(context, &b.model), SADDLE_OK);
    assert_int_equal(saddle_collider_create(b.model, &b.collider), SADDLE_OK);
    return b;
}

static void end(bench *b)
{
    saddle_contact_list_clear(&b->list);
    saddle_collider_free(b->collider);
    saddle_model_free(b->model);
}

static saddle_handle add_body(bench *b, const saddle_pose *pose, int prescribed)
{
    saddle_body_def def = saddle_body_def_default();
    const double size[3] = {1, 1, 1};
    saddle_handle body;
    def.pose = *pose;
    def.prescribed = prescribed;
    assert_int_equal(saddle_body_inertia_of_mass(b->context, SADDLE_SHAPE_BOX, size, 1,
                                                 &def.inertia),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_body(b->model, &def, &body), SADDLE_OK);
    return body;
}

static saddle_handle add_ball(bench *b, double x, double radius)
{
    saddle_pose pose = saddle_pose_identity();
    saddle_touch_def def = saddle_touch_def_default();
    pose.p[0] = x;
    def.part = add_body(b, &pose, 0);
    def.size[0] = radius;
    assert_int_equal(saddle_collider_add(b->collider, &def, NULL), SADDLE_OK);
    return def.part;
}

static int64_t find(bench *b, double margin)
{
    saddle_contact_list_reset(&b->list);
    assert_int_equal(saddle_collider_find(b->collider, margin, &b->list), SADDLE_OK);
    return b->list.count;
}

/* ---- pairs ---- */

static saddle_touch_def draw_shape(bench *b, uint64_t *seed)
{
    saddle_touch_def def = saddle_touch_def_default();
    double twist[6];
    for (int k = 0; k < 6; k++) twist[k] = test_uniform(seed, -2, 2);
    const saddle_pose pose = saddle_pose_exp(twist);
    def.kind = (saddle_touch_kind)test_integer(seed, SADDLE_TOUCH_SPHERE, SADDLE_TOUCH_PLANE);
    if (def.kind != SADDLE_TOUCH_PLANE)
        def.part = add_body(b, &pose, test_integer(seed, 0, 9) == 0);
    for (int k = 0; k < 3; k++) def.size[k] = test_uniform(seed, 0.1, 1.2);
    def.pose.p[0] = test_uniform(seed, -0.2, 0.2);
    return def;
}

/* Sweeping finds what looking at all pairs finds: every pair in a collider of its own. */
static void sweeping_misses_no_pair(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < 5; trial++) {
        bench b = begin(NULL);
        saddle_touch_def def[SHAPES];
        for (int k = 0; k < SHAPES; k++) {
            def[k] = draw_shape(&b, &seed);
            assert_int_equal(saddle_collider_add(b.collider, &def[k], NULL), SADDLE_OK);
        }
        const int64_t count = find(&b, 0.05);
        int64_t singly = 0;
        saddle_contact_list pair = {0};
        for (int i = 0; i < SHAPES; i++) {
            for (int j = 0; j < i; j++) {
                saddle_collider *two;
                assert_int_equal(saddle_collider_create(b.model, &two), SADDLE_OK);
                assert_int_equal(saddle_collider_add(two, &def[j], NULL), SADDLE_OK);
                assert_int_equal(saddle_collider_add(two, &def[i], NULL), SADDLE_OK);
                saddle_contact_list_reset(&pair);
                assert_int_equal(saddle_collider_find(two, 0.05, &pair), SADDLE_OK);
                singly += pair.count;
                saddle_collider_free(two);
            }
        }
        saddle_contact_list_clear(&pair);
        assert_true(count > 50);
        assert_int_equal(count, singly);
        for (int64_t k = 0; k < count; k++) {
            for (int64_t l = 0; l < k; l++) assert_true(b.list.point[k].id != b.list.point[l].id);
            assert_true(b.list.point[k].id >= 0 && b.list.point[k].gap <= 0.05);
        }
        end(&b);
    }
}

static void what_cannot_or_should_not_touch_is_left_out(void **state)
{
    (void)state;
    bench b = begin(NULL);
    const saddle_handle one = add_ball(&b, 0, 1), two = add_ball(&b, 1, 1);
    assert_int_equal(find(&b, 0), 1);
    assert_int_equal(saddle_collider_ignore(b.collider, two, one), SADDLE_OK);
    assert_int_equal(saddle_collider_ignore(b.collider, one, two), SADDLE_OK);
    assert_int_equal(find(&b, 0), 0);

    saddle_touch_def def = saddle_touch_def_default(); /* another on the same body; two of the
                                                          ground; a group */
    def.part = one;
    assert_int_equal(saddle_collider_add(b.collider, &def, NULL), SADDLE_OK);
    assert_int_equal(find(&b, 0), 0);
    def.part = (saddle_handle){0};
    def.group = 7;
    def.pose.p[0] = 1.5;
    assert_int_equal(saddle_collider_add(b.collider, &def, NULL), SADDLE_OK);
    assert_int_equal(saddle_collider_add(b.collider, &def, NULL), SADDLE_OK);
    assert_int_equal(find(&b, 0), 6); /* both with each of the three balls of the bodies */
    def.part = add_body(&b, &def.pose, 0);
    /* at 3, of the same group */
    assert_int_equal(saddle_collider_add(b.collider, &def, NULL), SADDLE_OK);
    assert_int_equal(find(&b, 0), 6 + 1);
    assert_int_equal(saddle_model_remove(b.model, def.part), SADDLE_OK);
    assert_int_equal(find(&b, 0), 6);
    end(&b);
}

static void a_pairs_numbers_are_those_of_both(void **state)
{
    (void)state;
    bench b = begin(NULL);
    saddle_touch_def def = saddle_touch_def_default();
    saddle_particle_def particle = {.mass = 1, .position = {0, 0, 0.4}};
    assert_int_equal(saddle_model_add_particle(b.model, &particle, &def.part), SADDLE_OK);
    def.size[0] = 0.5;
    def.mu = 0.2;
    def.restitution = 0.3;
    def.compliance = (saddle_compliance){.alpha = 1e-3, .beta = 0.1};
    assert_int_equal(saddle_collider_add(b.collider, &def, NULL), SADDLE_OK);
    def = saddle_touch_def_default();
    def.kind = SADDLE_TOUCH_PLANE;
    def.mu = 0.8;
    def.restitution = 0.1;
    def.compliance = (saddle_compliance){.alpha = 2e-3, .beta = 0.05, .steps = 3};
    assert_int_equal(saddle_collider_add(b.collider, &def, NULL), SADDLE_OK);
    assert_int_equal(find(&b, 0), 1);
    const saddle_contact_point *point = &b.list.point[0];
    assert_true(fabs(point->gap + 0.1) < 1e-15 && fabs(point->mu - 0.4) < 1e-15 &&
                point->restitution == 0.3);
    assert_true(fabs(point->compliance.alpha - 3e-3) < 1e-18 && point->compliance.beta == 0.1);
    assert_true(point->compliance.steps == 3 && point->normal[2] == -1);
    assert_int_equal(point->b.part.item, SADDLE_ITEM_NONE);
    end(&b);
}

/* Ids follow the shapes and features, not their places in the list. */
static void ids_stay_when_others_come_and_go(void **state)
{
    (void)state;
    bench b = begin(NULL);
    add_ball(&b, 0, 1);
    add_ball(&b, 1.5, 1);
    const saddle_handle third = add_ball(&b, 10, 1);
    assert_int_equal(find(&b, 0.1), 1);
    const int64_t id = b.list.point[0].id;
    saddle_model_pose(b.model, third)->p[0] = -1.5;
    assert_int_equal(find(&b, 0.1), 2);
    assert_true((b.list.point[0].id == id) + (b.list.point[1].id == id) == 1);
    saddle_model_pose(b.model, third)->p[0] = 10;
    assert_int_equal(find(&b, 0.1), 1);
    assert_true(b.list.point[0].id == id);
    end(&b);
}

/* ---- what is refused ---- */

static void unsound_shapes_are_refused_by_name(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    bench b = begin(context);
    const double flat[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
    saddle_touch_def good = saddle_touch_def_default();
    good.name = "foot";
    struct {
        saddle_touch_def def;
        const char *says;
    } bad[] = {{good, "size"},      {good, "size"},        {good, "known kind"},
               {good, "mu"},        {good, "restitution"}, {good, "position[1] is inf"},
               {good, "rotation"},  {good, "was removed"}, {good, "four corners"},
               {good, "one plane"}, {good, "compliance"},  {good, "infinite beta"}};
    bad[0].def.size[0] = 0;
    bad[1].def.size[0] = NAN;
    bad[2].def.kind = (saddle_touch_kind)17;
    bad[3].def.mu = -1;
    bad[4].def.restitution = 1.5;
    bad[5].def.pose.p[1] = INFINITY;
    bad[6].def.pose.R[0] = 2;
    bad[7].def.part = (saddle_handle){3, 1, SADDLE_ITEM_BODY, 0};
    bad[8].def.kind = bad[9].def.kind = SADDLE_TOUCH_CONVEX;
    bad[9].def.corner_count = 5;
    bad[9].def.corners = flat;
    bad[10].def.compliance.alpha = -1;
    bad[11].def.compliance.beta = INFINITY;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(saddle_collider_add(b.collider, &bad[k].def, NULL),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "shape 'foot'"));
        if (!strstr(saddle_context_message(context), bad[k].says))
            fail_msg("%s", saddle_context_message(context));
    }
    assert_int_equal(saddle_collider_find(b.collider, -1, &b.list), SADDLE_INVALID_ARGUMENT);
    const saddle_handle ball = add_ball(&b, 0, 1);
    saddle_model_pose(b.model, ball)->p[2] = NAN;
    assert_int_equal(saddle_collider_find(b.collider, 0, &b.list), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "shape 1"));
    end(&b);
    saddle_context_free(context);
}

static saddle_status add_tetrahedron(bench *b, double height)
{
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    saddle_touch_def def = saddle_touch_def_default();
    saddle_pose pose = saddle_pose_identity();
    pose.p[2] = height;
    def.part = add_body(b, &pose, 0);
    def.kind = SADDLE_TOUCH_CONVEX;
    def.corner_count = 4;
    def.corners = corners;
    return saddle_collider_add(b->collider, &def, NULL);
}

static void polytopes_touch_each_other_where_there_is_libccd(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    bench b = begin(context);
    assert_int_equal(add_tetrahedron(&b, 0), SADDLE_OK);
    assert_int_equal(add_tetrahedron(&b, 0.95), SADDLE_OK);
#ifdef SADDLE_HAVE_CCD
    assert_int_equal(find(&b, 0), 1);
    assert_true(b.list.point[0].gap < 0 && b.list.point[0].gap > -0.06);
#else
    assert_int_equal(saddle_collider_find(b.collider, 0, &b.list), SADDLE_UNSUPPORTED);
    assert_non_null(strstr(saddle_context_message(context), "libccd"));
#endif
    end(&b);
    saddle_context_free(context);
}

/* ---- memory ---- */

static void what_has_been_found_once_needs_no_more_memory(void **state)
{
    (void)state;
    saddle_context *context;
    uint64_t seed = test_seed();
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    bench b = begin(context);
    for (int k = 0; k < SHAPES; k++) {
        const saddle_touch_def def = draw_shape(&b, &seed);
        assert_int_equal(saddle_collider_add(b.collider, &def, NULL), SADDLE_OK);
    }
    const int64_t count = find(&b, 0.1);
    const int64_t allocations = saddle_context_memory(context).allocations;
    assert_int_equal(find(&b, 0.1), count);
    assert_true(find(&b, 0) <= count);
    assert_int_equal(saddle_context_memory(context).allocations, allocations);
    end(&b);
    saddle_context_free(context);
}

static saddle_status run_all(saddle_context *context, void *user)
{
    (void)user;
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    saddle_model *model = NULL;
    saddle_collider *collider = NULL;
    saddle_contact_list list = {.context = context};
    saddle_particle_def particle = {.mass = 1};
    saddle_touch_def ball = saddle_touch_def_default(), solid = saddle_touch_def_default();
    saddle_status status = saddle_model_create(context, &model);
    if (status == SADDLE_OK) status = saddle_model_add_particle(model, &particle, &ball.part);
    if (status == SADDLE_OK) status = saddle_collider_create(model, &collider);
    ball.name = "ball";
    solid.kind = SADDLE_TOUCH_PLANE;
    if (status == SADDLE_OK) status = saddle_collider_add(collider, &ball, NULL);
    if (status == SADDLE_OK) status = saddle_collider_add(collider, &solid, NULL);
    solid.kind = SADDLE_TOUCH_CONVEX;
    solid.corner_count = 4;
    solid.corners = corners;
    if (status == SADDLE_OK) status = saddle_collider_add(collider, &solid, NULL);
    if (status == SADDLE_OK) status = saddle_collider_ignore(collider, ball.part, ball.part);
    solid.kind = SADDLE_TOUCH_BOX;
    for (int k = 0; k < 20 && status == SADDLE_OK; k++)
        status = saddle_collider_add(collider, &solid, NULL);
    solid.pose.p[2] = 50;
    if (status == SADDLE_OK) saddle_model_position(model, ball.part)[0] = 1.4;
    if (status == SADDLE_OK) status = saddle_collider_find(collider, 0.1, &list);
    if (status == SADDLE_UNSUPPORTED)
        status = SADDLE_OK; /* without libccd: the corners and the ball */
    saddle_contact_list_clear(&list);
    saddle_collider_free(collider);
    saddle_model_free(model);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(run_all, NULL) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeping_misses_no_pair),
        cmocka_unit_test(what_cannot_or_should_not_touch_is_left_out),
        cmocka_unit_test(a_pairs_numbers_are_those_of_both),
        cmocka_unit_test(ids_stay_when_others_come_and_go),
        cmocka_unit_test(unsound_shapes_are_refused_by_name),
        cmocka_unit_test(polytopes_touch_each_other_where_there_is_libccd),
        cmocka_unit_test(what_has_been_found_once_needs_no_more_memory),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
