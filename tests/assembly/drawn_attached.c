/* SPDX-License-Identifier: MIT */
/* See drawn_attached.h. */
#include "drawn_attached.h"

#include <math.h>
#include <string.h>

#include "drawn_parts.h"

static int is_body(const drawn_attached *d, int k)
{
    return d->part[0][k].item == SADDLE_ITEM_BODY;
}

/* A part with the same draws in both models. */
static void add_part(uint64_t *state, drawn_attached *d, int body, int prescribed)
{
    const uint64_t begin = *state;
    for (int side = 0; side < 2; side++) {
        *state = begin;
        if (prescribed) {
            saddle_body_def def = saddle_body_def_default();
            def.prescribed = 1;
            for (int i = 0; i < 6; i++) def.twist[i] = test_uniform(state, -1, 1);
            assert_int_equal(saddle_model_add_body(d->model[side], &def, &d->part[side][d->parts]),
                             SADDLE_OK);
        } else {
            d->part[side][d->parts] = body ? test_draw_body(d->model[side], state, 1)
                                           : test_draw_particle(d->model[side], state, 1);
        }
    }
    d->parts++;
}

/* A body on a body drawn. */
static void attach_body(uint64_t *state, drawn_attached *d, int k)
{
    int on = (int)test_integer(state, 0, k - 1);
    while (!is_body(d, on)) on = (int)test_integer(state, 0, k - 1);
    const saddle_anchor to = {d->part[0][on], 0};
    const saddle_attach_def def = {.part = d->part[0][k], .masters = 1, .to = &to};
    assert_int_equal(saddle_model_attach(d->model[0], &def, &d->tie[k]), SADDLE_OK);
    saddle_joint_def joint = saddle_joint_def_default();
    saddle_handle handle;
    joint.a = d->part[1][on];
    joint.b = d->part[1][k];
    assert_int_equal(saddle_joint_def_at(d->model[1], saddle_model_pose(d->model[1], joint.b),
                                         &joint),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(d->model[1], &joint, &handle), SADDLE_OK);
}

/* A particle on up to three parts drawn, by weights. */
static void attach_particle(uint64_t *state, drawn_attached *d, int k)
{
    saddle_anchor to[4] = {{{0}, 0}}, pinned[4] = {{{0}, 0}};
    double weight[4], points[12] = {0}, sum = 0;
    int64_t masters = test_integer(state, 1, 3);
    const int first = (int)test_integer(state, 0, k - 1);
    if (masters == 1 && !is_body(d, first)) masters = 2; /* not at the master's place */
    if (masters > k) masters = k;
    const double *x = saddle_model_position(d->model[0], d->part[0][k]);
    for (int64_t j = 0; j < masters; j++) {
        const int on = (first + (int)j) % k;
        to[j] = (saddle_anchor){d->part[0][on], 0};
        pinned[j] = (saddle_anchor){d->part[1][on], 0};
        weight[j] = j + 1 < masters ? test_uniform(state, -0.5, 1) : 1 - sum;
        sum += weight[j];
    }
    pinned[masters].part = d->part[1][k];
    const saddle_attach_def def = {.part = d->part[0][k],
                                   .masters = masters,
                                   .to = to,
                                   .weight = weight};
    saddle_pin_def pin = saddle_pin_def_default();
    for (int64_t j = 0; j < masters; j++) {
        const saddle_pose *pose = saddle_model_pose(d->model[0], to[j].part);
        if (pose) saddle_pose_point_inverse(pose, x, points + 3 * j);
    }
    weight[masters] = -1;
    pin.count = masters + 1;
    pin.anchors = pinned;
    pin.weights = weight;
    pin.points = points;
    saddle_handle handle;
    assert_int_equal(saddle_model_add_pin(d->model[1], &pin, &handle), SADDLE_OK);
    assert_int_equal(saddle_model_attach(d->model[0], &def, &d->tie[k]), SADDLE_OK);
}

static void add_spring(uint64_t *state, drawn_attached *d)
{
    const int a = (int)test_integer(state, 0, d->parts - 1);
    const int b = (a + 1 + (int)test_integer(state, 0, d->parts - 2)) % d->parts;
    saddle_spring spring = {.stiffness = test_uniform(state, 1, 20), .rest_length = 0.5};
    for (int i = 0; i < 3; i++) spring.point_a[i] = test_uniform(state, -1, 1);
    for (int i = 0; i < 3; i++) spring.point_b[i] = test_uniform(state, -1, 1);
    for (int side = 0; side < 2; side++) {
        saddle_handle handle;
        const saddle_anchor from = {d->part[side][a], 0}, to = {d->part[side][b], 0};
        assert_int_equal(saddle_model_add_spring(d->model[side], NULL, from, to, &spring, &handle),
                         SADDLE_OK);
    }
}

/* A ball joint of the last body, which may be attached, to the ground. */
static void add_ball(drawn_attached *d)
{
    int last = d->parts - 1;
    while (!is_body(d, last)) last--;
    for (int side = 0; side < 2; side++) {
        saddle_joint_def joint = saddle_joint_def_default();
        saddle_handle handle;
        joint.kind = SADDLE_JOINT_BALL;
        joint.b = d->part[side][last];
        assert_int_equal(saddle_joint_def_at(d->model[side],
                                             saddle_model_pose(d->model[side], joint.b), &joint),
                         SADDLE_OK);
        assert_int_equal(saddle_model_add_joint(d->model[side], &joint, &handle), SADDLE_OK);
    }
}

/* The state of the attached model in both. */
static void fit_state(drawn_attached *d)
{
    saddle_stepper *stepper;
    assert_int_equal(saddle_stepper_create(d->model[0], NULL, &stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_project_velocities(stepper), SADDLE_OK);
    saddle_stepper_free(stepper);
    for (int k = 0; k < d->parts; k++) {
        memcpy(saddle_model_velocity(d->model[1], d->part[1][k]),
               saddle_model_velocity(d->model[0], d->part[0][k]),
               (size_t)(is_body(d, k) ? 6 : 3) * sizeof(double));
        memcpy(saddle_model_position(d->model[1], d->part[1][k]),
               saddle_model_position(d->model[0], d->part[0][k]),
               (size_t)(is_body(d, k) ? 12 : 3) * sizeof(double));
    }
}

void draw_attached(uint64_t *state, int prescribed, drawn_attached *d)
{
    static const double weight[3] = {0.5, -1, -9.81};
    *d = (drawn_attached){0};
    for (int side = 0; side < 2; side++) {
        assert_int_equal(saddle_model_create(NULL, &d->model[side]), SADDLE_OK);
        saddle_model_set_gravity(d->model[side], weight);
    }
    add_part(state, d, 1, prescribed);
    add_part(state, d, 1, 0);
    for (int64_t k = test_integer(state, 0, 2); k > 0; k--)
        add_part(state, d, (int)test_integer(state, 0, 1), 0);
    d->active = d->parts;
    for (int64_t k = test_integer(state, 1, 5); k > 0; k--) {
        const int body = (int)test_integer(state, 0, 1);
        add_part(state, d, body, 0);
        if (body)
            attach_body(state, d, d->parts - 1);
        else
            attach_particle(state, d, d->parts - 1);
    }
    for (int k = 0; k < 3; k++) add_spring(state, d);
    if (!prescribed && test_integer(state, 0, 1)) add_ball(d);
    fit_state(d);
}

void drawn_attached_clear(drawn_attached *d)
{
    for (int side = 0; side < 2; side++) saddle_model_free(d->model[side]);
}

double drawn_attached_distance(drawn_attached *d)
{
    double most = 0;
    for (int k = 0; k < d->parts; k++)
        most = fmax(most, test_distance(saddle_model_position(d->model[0], d->part[0][k]),
                                        saddle_model_position(d->model[1], d->part[1][k]),
                                        is_body(d, k) ? 12 : 3));
    return most;
}
