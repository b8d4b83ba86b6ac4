/* SPDX-License-Identifier: MIT */
/* Attachments of a model: definitions, errors by name, removal, memory; the same answers eliminated
 * and kept; projections. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_attached.h"
#include "drawn_parts.h"
#include "model_internal.h"

static saddle_handle add_named(saddle_model *model, const char *name, int massless, int prescribed)
{
    saddle_body_def def = saddle_body_def_default();
    const double side[3] = {1, 1, 1};
    saddle_handle body;
    def.name = name;
    def.massless = massless;
    def.prescribed = prescribed;
    if (!massless)
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, side, 1, &def.inertia),
                         SADDLE_OK);
    assert_int_equal(saddle_model_add_body(model, &def, &body), SADDLE_OK);
    return body;
}

static saddle_status attach(saddle_model *model, saddle_handle part, saddle_handle to,
                            saddle_handle *tie)
{
    const saddle_anchor anchor = {to, 0};
    const saddle_attach_def def = {.name = "tie", .part = part, .masters = 1, .to = &anchor};
    return saddle_model_attach(model, &def, tie);
}

static void expect_message(saddle_model *model, const char *text)
{
    const char *said = saddle_context_message(saddle_model_context(model));
    if (!strstr(said, text)) fail_msg("'%s' does not say '%s'", said, text);
}

static saddle_model *make_model(saddle_context **context)
{
    saddle_model *model;
    assert_int_equal(saddle_context_create(NULL, context), SADDLE_OK);
    assert_int_equal(saddle_model_create(*context, &model), SADDLE_OK);
    return model;
}

static void end_model(saddle_context *context, saddle_model *model)
{
    saddle_model_free(model);
    saddle_context_free(context);
}

/* ---- errors ---- */

static void refuse(saddle_model *model, const saddle_attach_def *def, const char *text)
{
    saddle_handle tie;
    assert_int_equal(saddle_model_attach(model, def, &tie), SADDLE_INVALID_ARGUMENT);
    expect_message(model, text);
}

static void unsound_definitions_are_refused_by_name(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_model *model = make_model(&context);
    uint64_t state = test_seed();
    const saddle_handle a = add_named(model, "a", 0, 0), b = add_named(model, "b", 0, 0);
    const saddle_handle wall = add_named(model, "wall", 0, 1);
    const saddle_handle mesh = test_draw_nodes(model, &state, 1);
    const saddle_anchor on_b = {b, 0}, on_ground = {{0}, 0}, far = {mesh, 9};
    const saddle_anchor two[2] = {{a, 0}, {b, 0}}, same[2] = {{b, 0}, {b, 0}},
                        mixed[2] = {{b, 0}, {mesh, 0}};
    const int64_t twice[2] = {1, 1}, beyond = 3;
    const double weights[2] = {0.5, 0.6};
    const saddle_element_kind element = SADDLE_ELEMENT_TETRAHEDRON;
    saddle_handle tie;
    refuse(model, &(saddle_attach_def){.name = "t", .masters = 1, .to = &on_b},
           "attachment 't': the ground is no part");
    refuse(model, &(saddle_attach_def){.part = wall, .masters = 1, .to = &on_b},
           "body 'wall' is prescribed");
    refuse(model, &(saddle_attach_def){.part = a, .to = &on_b}, "0 masters");
    refuse(model, &(saddle_attach_def){.part = a, .masters = 1, .to = &on_ground}, "the ground");
    refuse(model, &(saddle_attach_def){.part = a, .masters = 1, .to = &far}, "has no node [9]");
    refuse(model, &(saddle_attach_def){.part = mesh, .masters = 2, .to = same}, "given twice");
    refuse(model, &(saddle_attach_def){.part = a, .masters = 2, .to = mixed}, "follows bodies");
    refuse(model, &(saddle_attach_def){.part = mesh, .count = 4, .masters = 1, .to = &on_b},
           "4 nodes");
    refuse(
        model,
        &(saddle_attach_def){.part = mesh, .count = 1, .node = &beyond, .masters = 1, .to = &on_b},
        "no node [3]");
    refuse(model,
           &(saddle_attach_def){.part = mesh, .count = 2, .node = twice, .masters = 1, .to = &on_b},
           "node [1] is given twice");
    refuse(
        model,
        &(saddle_attach_def){.part = mesh, .count = 1, .masters = 2, .to = two, .weight = weights},
        "sum to 1.1, not 1");
    refuse(model,
           &(saddle_attach_def){.part = mesh, .masters = 1, .to = &on_b, .element = &element},
           "not the nodes of the element");
    assert_int_equal(attach(model, a, b, &tie), SADDLE_OK);
    assert_int_equal(saddle_model_attached_count(model, tie), 1);
    refuse(model, &(saddle_attach_def){.part = a, .masters = 1, .to = &on_b}, "attached already");
    end_model(context, model);
}

/* 40 layers of two particles, each on both of the layer below, the lowest prescribed: 2^40 ways
 * down.
 */
static void what_follows_only_prescribed_parts_is_found_in_many_layers(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_model *model = make_model(&context);
    saddle_anchor below[2], layer[2];
    for (int depth = 0; depth < 40; depth++) {
        for (int k = 0; k < 2; k++) {
            saddle_handle tie;
            const saddle_particle_def def = {.massless = depth > 0,
                                             .prescribed = depth == 0,
                                             .position = {k, depth, 0}};
            layer[k] = (saddle_anchor){.node = 0};
            assert_int_equal(saddle_model_add_particle(model, &def, &layer[k].part), SADDLE_OK);
            const saddle_attach_def on = {.part = layer[k].part, .masters = 2, .to = below};
            if (depth > 0) assert_int_equal(saddle_model_attach(model, &on, &tie), SADDLE_OK);
        }
        memcpy(below, layer, sizeof below);
    }
    assert_int_equal(saddle__anchor_moves(model, layer[0]), 0);
    saddle_handle free, tie;
    const saddle_particle_def light = {.mass = 1};
    assert_int_equal(saddle_model_add_particle(model, &light, &free), SADDLE_OK);
    assert_int_equal(saddle__anchor_moves(model, (saddle_anchor){.part = free}), 1);
    const saddle_attach_def on = {.part = free, .masters = 2, .to = below};
    assert_int_equal(saddle_model_attach(model, &on, &tie), SADDLE_OK);
    assert_int_equal(saddle__anchor_moves(model, (saddle_anchor){.part = free}), 0);
    assert_int_equal(saddle_model_remove(model, tie), SADDLE_OK);
    assert_int_equal(saddle__anchor_moves(model, (saddle_anchor){.part = free}), 1);
    end_model(context, model);
}

/* Nodes, each on the one before: neither a stack frame for each, nor a walk down from each. */
static void a_chain_of_any_length_is_followed_to_its_root(void **unused)
{
    (void)unused;
    const int64_t count = test_is_slow() ? 20000 : 300000;
    saddle_context *context;
    saddle_model *model = make_model(&context);
    saddle_handle nodes, wall, tie;
    saddle_matrix M = {.rows = 3 * count, .cols = 3 * count, .symmetry = SADDLE_SYMMETRY_LOWER};
    M.start = calloc((size_t)M.cols + 1, sizeof *M.start);
    M.index = calloc((size_t)M.cols, sizeof *M.index);
    M.value = calloc((size_t)M.cols, sizeof *M.value);
    double *x = calloc((size_t)M.cols, sizeof *x);
    saddle_anchor *to = calloc((size_t)count, sizeof *to);
    int64_t *node = calloc((size_t)count, sizeof *node);
    assert_true(M.start && M.index && M.value && x && to && node);
    for (int64_t i = 0; i < M.cols; i++) {
        M.start[i + 1] = i + 1;
        M.index[i] = i;
        M.value[i] = 1;
    }
    const saddle_nodes_def def = {.count = count, .position = x, .mass = &M};
    assert_int_equal(saddle_model_add_nodes(model, &def, &nodes), SADDLE_OK);
    for (int64_t k = 0; k + 1 < count; k++) {
        to[k] = (saddle_anchor){nodes, k};
        node[k] = k + 1;
    }
    const saddle_attach_def chain = {
        .part = nodes, .count = count - 1, .node = node, .masters = 1, .to = to, .own_masters = 1};
    const saddle_particle_def fixed = {.prescribed = 1};
    assert_int_equal(saddle_model_attach(model, &chain, &tie), SADDLE_OK);
    assert_int_equal(saddle__anchor_moves(model, (saddle_anchor){nodes, count - 1}), 1);
    assert_int_equal(saddle_model_add_particle(model, &fixed, &wall), SADDLE_OK);
    const saddle_anchor on = {wall, 0};
    const saddle_attach_def hold = {.part = nodes, .count = 1, .masters = 1, .to = &on};
    assert_int_equal(saddle_model_attach(model, &hold, &tie), SADDLE_OK);
    assert_int_equal(saddle__anchor_moves(model, (saddle_anchor){nodes, count - 1}), 0);
    for (int64_t k = count - 1; k >= 0; k--)
        assert_int_equal(saddle__anchor_root(model, (saddle_anchor){nodes, k}).part.index,
                         wall.index);
    end_model(context, model);
    free(M.start);
    free(M.index);
    free(M.value);
    free(x);
    free(to);
    free(node);
}

static void parts_without_a_name_are_named_by_their_kind(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_model *model = make_model(&context);
    saddle_stepper *stepper;
    saddle_handle tie, back;
    const saddle_handle a = add_named(model, NULL, 0, 0), b = add_named(model, NULL, 1, 0);
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    assert_int_equal(attach(model, b, a, &tie), SADDLE_OK);
    assert_int_equal(attach(model, a, b, &back), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_INVALID_PROBLEM);
    expect_message(model, "attachment loop: body 1 -> body 2 -> body 1");
    saddle_stepper_free(stepper);
    end_model(context, model);
}

static void loops_and_free_parts_without_mass_are_found_by_the_step(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_model *model = make_model(&context);
    saddle_stepper *stepper;
    saddle_handle tie, back;
    const saddle_handle a = add_named(model, "a", 0, 0), b = add_named(model, "b", 1, 0);
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_INVALID_ARGUMENT);
    expect_message(model, "body 'b' has no mass and is not attached");
    assert_int_equal(attach(model, b, a, &tie), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(attach(model, a, b, &back), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_INVALID_PROBLEM);
    expect_message(model, "attachment loop: a -> b -> a");
    assert_int_equal(saddle_model_remove(model, back), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    saddle_stepper_free(stepper);
    end_model(context, model);
}

static void parts_with_attachments_stay_until_these_are_removed(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_model *model = make_model(&context);
    saddle_stepper *stepper;
    saddle_handle tie;
    double force[6];
    const saddle_handle a = add_named(model, "a", 0, 0), b = add_named(model, "b", 0, 0);
    assert_int_equal(attach(model, b, a, &tie), SADDLE_OK);
    assert_int_equal(saddle_model_find(model, "tie").item, SADDLE_ITEM_ATTACHMENT);
    assert_string_equal(saddle_model_name(model, tie), "tie");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(saddle_model_remove(model, k ? a : b), SADDLE_INVALID_ARGUMENT);
        expect_message(model, k ? "body 'a' cannot be removed: attachment 'tie' acts on it"
                                : "body 'b' cannot be removed: attachment 'tie' acts on it");
    }
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_attachment_force(stepper, tie, force), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_attachment_force(stepper, tie, force), SADDLE_OK);
    assert_int_equal(saddle_stepper_report(stepper)->n, 6);
    assert_int_equal(saddle_model_remove(model, tie), SADDLE_OK);
    assert_int_equal(saddle_stepper_attachment_force(stepper, tie, force), SADDLE_INVALID_ARGUMENT);
    expect_message(model, "attachment 1 (removed)");
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_report(stepper)->n, 12);
    assert_int_equal(saddle_model_remove(model, a), SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, b), SADDLE_OK);
    saddle_stepper_free(stepper);
    end_model(context, model);
}

/* ---- the host's state ---- */

static void attached_parts_follow_what_the_host_writes(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_model *model = make_model(&context);
    saddle_stepper *stepper;
    saddle_handle tie;
    const saddle_handle a = add_named(model, "a", 0, 0), b = add_named(model, "b", 0, 0);
    saddle_model_pose(model, b)->p[0] = 1;
    assert_int_equal(attach(model, b, a, &tie), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    saddle_model_pose(model, a)->p[1] = 5;
    saddle_model_velocity(model, a)[1] = 3;
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const double h = saddle_stepper_options_default().time_step;
    const saddle_pose *pose = saddle_model_pose(model, b);
    assert_true(fabs(pose->p[0] - 1) <= 1e-15);
    assert_true(fabs(pose->p[1] - (5 + 3 * h)) <= 1e-14);
    assert_true(fabs(saddle_model_velocity(model, b)[1] - 3) <= 1e-14);
    saddle_model_velocity(model, a)[5] = 2; /* about z: b is at x = 1 */
    assert_int_equal(saddle_stepper_project_velocities(stepper), SADDLE_OK);
    assert_true(fabs(saddle_model_velocity(model, a)[5] - 2) <= 1e-13);
    assert_true(fabs(saddle_model_velocity(model, b)[1] - 5) <= 1e-13);
    saddle_stepper_free(stepper);
    end_model(context, model);
}

/* ---- eliminated or kept ---- */

static void eliminated_kept_and_chosen_give_the_same_steps(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(20); draw++) {
        drawn_attached d[3];
        double force[3][6];
        const uint64_t begin = state;
        for (int wish = 0; wish < 3; wish++) {
            saddle_stepper *stepper;
            saddle_stepper_options options = saddle_stepper_options_default();
            state = begin;
            draw_attached(&state, draw % 2 == 0, &d[wish]);
            options.integrator = (saddle_integrator)(draw % 5);
            options.attachments = (saddle_wish)wish;
            assert_int_equal(saddle_stepper_create(d[wish].model[0], &options, &stepper),
                             SADDLE_OK);
            for (int k = 0; k < 20; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            const saddle_handle tie = d[wish].tie[d[wish].parts - 1];
            memset(force[wish], 0, sizeof force[wish]);
            assert_int_equal(saddle_stepper_attachment_force(stepper, tie, force[wish]), SADDLE_OK);
            saddle_stepper_free(stepper);
        }
        for (int wish = 1; wish < 3; wish++) {
            assert_true(test_distance(force[0], force[wish], 6) <= 1e-6);
            for (int k = 0; k < d[0].parts; k++) {
                const double *x = saddle_model_position(d[0].model[0], d[0].part[0][k]);
                const double *y = saddle_model_position(d[wish].model[0], d[wish].part[0][k]);
                assert_true(test_distance(x, y, 3) <= 1e-9);
            }
        }
        for (int wish = 0; wish < 3; wish++) drawn_attached_clear(&d[wish]);
    }
}

/* ---- projections ---- */

/* A bar that hangs from a ball at a marker on it, positions projected: the marker stays. */
static void projections_hold_rows_on_attached_parts(void **unused)
{
    (void)unused;
    saddle_context *context;
    for (int integrator = 1; integrator < 5; integrator++) {
        saddle_model *model = make_model(&context);
        const double gravity[3] = {0, 0, -9.81}, place[3] = {0.4, 0.3, 0};
        saddle_handle tie, handle, marker;
        saddle_model_set_gravity(model, gravity);
        const saddle_handle bar = add_named(model, "bar", 0, 0),
                            end = add_named(model, "end", 0, 0);
        saddle_model_velocity(model, bar)[5] = 2;
        assert_int_equal(attach(model, end, bar, &tie), SADDLE_OK);
        saddle_particle_def def = {.massless = 1};
        memcpy(def.position, place, sizeof place);
        assert_int_equal(saddle_model_add_particle(model, &def, &marker), SADDLE_OK);
        assert_int_equal(attach(model, marker, end, &tie), SADDLE_OK);
        const saddle_anchor anchor = {marker, 0};
        const double one = 1;
        saddle_pin_def pin = saddle_pin_def_default();
        pin.count = 1;
        pin.anchors = &anchor;
        pin.weights = &one;
        memcpy(pin.place, place, sizeof place);
        assert_int_equal(saddle_model_add_pin(model, &pin, &handle), SADDLE_OK);
        saddle_stepper *stepper;
        saddle_stepper_options options = saddle_stepper_options_default();
        options.integrator = (saddle_integrator)integrator;
        options.projection = 3;
        assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
        assert_int_equal(saddle_stepper_project_velocities(stepper), SADDLE_OK);
        const double *x = saddle_model_position(model, marker),
                     *v = saddle_model_velocity(model, marker);
        const double none[3] = {0, 0, 0};
        assert_true(test_distance(v, none, 3) <= 1e-12);
        for (int k = 0; k < 50; k++) {
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            assert_true(test_distance(x, place, 3) <= 1e-11);
        }
        saddle_model_pose(model, bar)->p[0] += 0.01;
        double phi;
        assert_int_equal(saddle_stepper_project_positions(stepper, 5, &phi), SADDLE_OK);
        assert_true(phi <= 1e-12 && test_distance(x, place, 3) <= 1e-11);
        saddle_stepper_free(stepper);
        end_model(context, model);
    }
}

/* ---- memory ---- */

/* Two bodies that turn, and three nodes. */
static saddle_status build_some(saddle_model *model)
{
    enum { SIZE = 9 };
    const double gravity[3] = {0, 0, -1}, side[3] = {1, 2, 3};
    int64_t start[SIZE + 1], row[SIZE];
    double one[SIZE], position[SIZE];
    saddle_handle part;
    saddle_model_set_gravity(model, gravity);
    saddle_body_def body = saddle_body_def_default();
    saddle_status status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, side, 2,
                                                       &body.inertia);
    for (int k = 0; k < 2 && status == SADDLE_OK; k++) {
        body.twist[3 + k] = 1;
        body.pose.p[0] = k;
        status = saddle_model_add_body(model, &body, &part);
    }
    for (int i = 0; i <= SIZE; i++) start[i] = i;
    for (int i = 0; i < SIZE; i++) {
        row[i] = i;
        one[i] = 1;
        position[i] = i % 4;
    }
    const saddle_matrix mass = {.rows = SIZE,
                                .cols = SIZE,
                                .start = start,
                                .index = row,
                                .value = one,
                                .symmetry = SADDLE_SYMMETRY_LOWER};
    const saddle_nodes_def nodes = {.count = 3, .position = position, .mass = &mass};
    return status == SADDLE_OK ? saddle_model_add_nodes(model, &nodes, &part) : status;
}

/* Two nodes on two bodies; a body on one of these; another node held to the world. */
static saddle_status attach_some(saddle_model *model)
{
    saddle_handle part[3], tie;
    for (int k = 0; k < 3; k++) part[k] = saddle_model_part_at(model, k);
    const saddle_anchor bones[2] = {{part[0], 0}, {part[1], 0}}, last = {part[2], 2};
    const double one = 1;
    const saddle_attach_def skin = {
        .name = "skin", .part = part[2], .count = 2, .masters = 2, .to = bones};
    saddle_status status = saddle_model_attach(model, &skin, &tie);
    if (status == SADDLE_OK) status = attach(model, part[1], part[0], &tie);
    saddle_pin_def pin = saddle_pin_def_default();
    pin.count = 1;
    pin.anchors = &last;
    pin.weights = &one;
    if (status == SADDLE_OK) status = saddle_model_add_pin(model, &pin, &tie);
    return status;
}

static saddle_status all_that_allocates(saddle_context *context, void *user)
{
    saddle_model *model;
    saddle_stepper *stepper = NULL;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = *(const saddle_integrator *)user;
    options.projection = 1;
    options.attachments = SADDLE_WISH_CHOOSE;
    if (saddle_model_create(context, &model) != SADDLE_OK) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = build_some(model);
    if (status == SADDLE_OK) status = attach_some(model);
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    if (status == SADDLE_OK) status = saddle_stepper_step(stepper);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    return status;
}

static void memory_that_runs_out_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    for (int k = SADDLE_INTEGRATOR_SYMPLECTIC_EULER; k <= SADDLE_INTEGRATOR_TRAPEZOIDAL; k += 2) {
        saddle_integrator integrator = (saddle_integrator)k;
        assert_true(test_allocation_sweep(all_that_allocates, &integrator) > 60);
    }
}

static void steps_of_one_pattern_allocate_nothing(void **unused)
{
    (void)unused;
    for (int integrator = 0; integrator < 5; integrator++) {
        for (int wish = 0; wish < 3; wish++) {
            test_memory memory;
            saddle_context *context = test_memory_begin(&memory, -1);
            saddle_model *model;
            saddle_stepper *stepper;
            saddle_stepper_options options = saddle_stepper_options_default();
            options.integrator = (saddle_integrator)integrator;
            options.attachments = (saddle_wish)wish;
            options.solver = "ldlt";
            options.projection = 1;
            assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
            assert_int_equal(build_some(model), SADDLE_OK);
            assert_int_equal(attach_some(model), SADDLE_OK);
            assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
            for (int k = 0; k < 2; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            const int64_t before = memory.count;
            for (int k = 0; k < 5; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            assert_int_equal(memory.count, before);
            saddle_stepper_free(stepper);
            saddle_model_free(model);
            test_memory_end(&memory, context);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsound_definitions_are_refused_by_name),
        cmocka_unit_test(what_follows_only_prescribed_parts_is_found_in_many_layers),
        cmocka_unit_test(a_chain_of_any_length_is_followed_to_its_root),
        cmocka_unit_test(parts_without_a_name_are_named_by_their_kind),
        cmocka_unit_test(loops_and_free_parts_without_mass_are_found_by_the_step),
        cmocka_unit_test(parts_with_attachments_stay_until_these_are_removed),
        cmocka_unit_test(attached_parts_follow_what_the_host_writes),
        cmocka_unit_test(eliminated_kept_and_chosen_give_the_same_steps),
        cmocka_unit_test(projections_hold_rows_on_attached_parts),
        cmocka_unit_test(memory_that_runs_out_is_an_error_and_leaks_nothing),
        cmocka_unit_test(steps_of_one_pattern_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
