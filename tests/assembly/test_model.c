/* SPDX-License-Identifier: MIT */
/* Models: parts, handles, removal, what bad input gets, energies against their definitions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support.h"

static saddle_body_def box(const char *name, double mass)
{
    const double size[3] = {1, 2, 3};
    saddle_body_def def = saddle_body_def_default();
    def.name = name;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, mass, &def.inertia),
                     SADDLE_OK);
    return def;
}

static void handles_of_what_is_removed_are_refused_by_name(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_body_def def = box("tibia", 2);
    saddle_handle first, second;
    assert_int_equal(saddle_model_add_body(model, &def, &first), SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, first), SADDLE_OK);
    assert_false(saddle_model_has(model, first));
    assert_int_equal(saddle_model_add_body(model, &def, &second), SADDLE_OK);
    assert_int_equal(first.index, second.index);
    assert_false(saddle_model_has(model, first));
    assert_true(saddle_model_has(model, second));
    assert_null(saddle_model_pose(model, first));
    const double force[6] = {0};
    assert_int_equal(saddle_model_push(model, first, force), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "body 1 (removed)"));
    assert_int_equal(saddle_model_remove(model, first), SADDLE_INVALID_ARGUMENT);
    const saddle_handle found = saddle_model_find(model, "tibia");
    assert_memory_equal(&found, &second, sizeof found);
    saddle_model_free(model);
    saddle_context_free(context);
}

static void handles_of_another_model_are_refused_by_name(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_model *one = NULL, *other = NULL;
    saddle_collider *collider = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle mine, foreign, rod;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &one), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &other), SADDLE_OK);
    const saddle_body_def def = box("tibia", 2);
    assert_int_equal(saddle_model_add_body(one, &def, &mine), SADDLE_OK);
    assert_int_equal(saddle_model_add_body(other, &def, &foreign), SADDLE_OK);
    assert_true(mine.index == foreign.index && mine.generation == foreign.generation);
    assert_false(saddle_model_has(one, foreign));
    assert_null(saddle_model_pose(one, foreign));
    assert_int_equal(saddle_model_remove(one, foreign), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "body 1 (of another model) cannot be removed");
    const saddle_rod_def tie = {.name = "tie", .a = {mine, 0}, .b = {foreign, 0}, .length = 1};
    assert_int_equal(saddle_model_add_rod(one, &tie, &rod), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "body 1 (of another model)"));
    saddle_touch_def shape = saddle_touch_def_default();
    shape.part = foreign;
    assert_int_equal(saddle_collider_create(one, &collider), SADDLE_OK);
    assert_int_equal(saddle_collider_add(collider, &shape, NULL), SADDLE_INVALID_ARGUMENT);
    saddle_stepper_options options = saddle_stepper_options_default();
    options.collider = collider;
    assert_int_equal(saddle_stepper_create(other, &options, &stepper), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "collider: it is of another model");
    saddle_collider_free(collider);
    saddle_model_free(other);
    saddle_model_free(one);
    saddle_context_free(context);
}

/* The next model may have the place in memory of the one before. */
static void handles_of_a_model_that_is_freed_are_refused_by_the_next(void **unused)
{
    (void)unused;
    const saddle_particle_def def = {.mass = 1};
    saddle_handle before = {0};
    for (int k = 0; k < 100; k++) {
        saddle_model *model = NULL;
        saddle_handle part;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        assert_int_equal(saddle_model_add_particle(model, &def, &part), SADDLE_OK);
        if (k > 0) assert_false(saddle_model_has(model, before));
        before = part;
        saddle_model_free(model);
    }
}

/* A place has 65,535 generations; the 65,536th part takes another place. */
static void a_handle_stays_refused_however_often_its_place_is_taken(void **unused)
{
    (void)unused;
    saddle_model *model = NULL;
    saddle_handle first, next = {0};
    const saddle_particle_def def = {.mass = 1};
    int32_t highest = 0;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &def, &first), SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, first), SADDLE_OK);
    for (int k = 0; k < 2 * 65536; k++) {
        assert_int_equal(saddle_model_add_particle(model, &def, &next), SADDLE_OK);
        if (saddle_model_has(model, first))
            fail_msg("the handle is good again after %d parts", k + 1);
        highest = next.index > highest ? next.index : highest;
        assert_int_equal(saddle_model_remove(model, next), SADDLE_OK);
    }
    assert_int_equal(highest, 2);
    assert_int_equal(saddle_model_part_count(model), 0);
    saddle_model_free(model);
}

/* An index of INT32_MAX, a node of INT64_MAX: one more than either is no number of its type. */
static void numbers_at_the_end_of_their_type_are_refused(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_handle part, force, nodes;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_body_def def = box("tibia", 2);
    assert_int_equal(saddle_model_add_body(model, &def, &part), SADDLE_OK);
    saddle_handle last = part;
    last.index = INT32_MAX;
    assert_int_equal(saddle_model_remove(model, last), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "body 2147483648 (removed) cannot be removed");
    const saddle_dead_load load = {.force = {0, 0, 1}};
    const saddle_anchor anchor = {part, INT64_MAX};
    assert_int_equal(saddle_model_add_dead_load(model, "pull", anchor, &load, &force),
                     SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context),
                           "node 9223372036854775807 of body 'tibia', which has 1"));
    const double position[3] = {0};
    const saddle_nodes_def many = {.count = INT64_MAX, .position = position};
    assert_int_equal(saddle_model_add_nodes(model, &many, &nodes), SADDLE_TOO_LARGE);
    saddle_assembly *assembly = NULL;
    const saddle_contact_side side = {.part = part}, floor = {.count = 0};
    assert_int_equal(saddle_assembly_create(model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_reserve(assembly, &side, &floor, INT64_MAX), SADDLE_TOO_LARGE);
    saddle_assembly_free(assembly);
    saddle_model_free(model);
    saddle_context_free(context);
}

/* Scaled, mirrored, sheared, no number: the step names the body and leaves the model as it was. */
static void a_pose_of_the_host_that_is_no_rotation_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        int entry;
        double value;
        const char *says;
    } wrongs[] = {{0, 2, "its pose is not a rotation"},
                  {4, -1, "its pose is not a rotation"},
                  {1, 1e-3, "its pose is not a rotation"},
                  {8, (double)NAN, "its state is not finite"}};
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle part;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_body_def def = box("tibia", 2);
    assert_int_equal(saddle_model_add_body(model, &def, &part), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        *saddle_model_pose(model, part) = saddle_pose_identity();
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        saddle_model_pose(model, part)->R[wrongs[k].entry] = wrongs[k].value;
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "body 'tibia'"));
        assert_non_null(strstr(saddle_context_message(context), wrongs[k].says));
    }
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    saddle_context_free(context);
}

static saddle_status no_force(saddle_context *context, const saddle_site *site,
                              double *const *force)
{
    (void)context, (void)site, (void)force;
    return SADDLE_OK;
}

static void a_part_that_something_acts_on_stays(void **unused)
{
    (void)unused;
    static const saddle_force_type type = {.name = "none", .evaluate = no_force};
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_particle_def particle = {.name = "bob", .mass = 1};
    saddle_anchor anchor = {.node = 0};
    saddle_handle force;
    assert_int_equal(saddle_model_add_particle(model, &particle, &anchor.part), SADDLE_OK);
    const saddle_force_def def = {.name = "wind", .type = &type, .count = 1, .anchors = &anchor};
    assert_int_equal(saddle_model_add_force(model, &def, &force), SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, anchor.part), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "particle 'bob' cannot be removed: force 'wind' acts on it");
    assert_int_equal(saddle_model_remove(model, force), SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, anchor.part), SADDLE_OK);
    assert_int_equal(saddle_model_part_count(model), 0);
    saddle_model_free(model);
    saddle_context_free(context);
}

/* Parts are added and removed at random; the others keep their numbers. */
static void removal_moves_the_state_of_the_others_along(void **unused)
{
    (void)unused;
    enum { KEPT = 40 };
    uint64_t state = test_seed();
    saddle_model *model = NULL;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_handle part[KEPT];
    double mark[KEPT];
    int count = 0;
    for (int turn = 0; turn < 3000; turn++) {
        if (count == KEPT || (count > 0 && test_uniform(&state, 0, 1) < 0.45)) {
            const int gone = (int)test_integer(&state, 0, count - 1);
            assert_int_equal(saddle_model_remove(model, part[gone]), SADDLE_OK);
            part[gone] = part[--count];
            mark[gone] = mark[count];
        } else {
            mark[count] = test_uniform(&state, -1, 1);
            if (test_uniform(&state, 0, 1) < 0.5) {
                saddle_body_def def = box(NULL, 1);
                def.pose.p[2] = def.twist[5] = mark[count];
                assert_int_equal(saddle_model_add_body(model, &def, &part[count]), SADDLE_OK);
            } else {
                const saddle_particle_def def = {.mass = 1,
                                                 .position = {0, 0, mark[count]},
                                                 .velocity = {mark[count], 0, 0}};
                assert_int_equal(saddle_model_add_particle(model, &def, &part[count]), SADDLE_OK);
            }
            count++;
        }
        assert_int_equal(saddle_model_part_count(model), count);
        for (int k = 0; k < count; k++) {
            const int body = part[k].item == SADDLE_ITEM_BODY;
            assert_true(saddle_model_position(model, part[k])[2] == mark[k]);
            assert_true(saddle_model_velocity(model, part[k])[body ? 5 : 0] == mark[k]);
        }
    }
    saddle_model_free(model);
}

static void impossible_parts_are_refused_by_name(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_handle part;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    saddle_body_def body = box("plate", 1);
    body.inertia.mass = 0;
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "plate"));
    body = box("plate", 1);
    body.inertia.moment[0] = 100; /* more than the other two together */
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "plate"));
    body = box("plate", 1);
    body.pose.R[0] = -1; /* a reflection */
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "'plate': its pose is not a rotation"));
    body = box("plate", 1);
    body.twist[4] = NAN;
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_INVALID_ARGUMENT);
    saddle_particle_def particle = {.name = "dust", .mass = -1};
    assert_int_equal(saddle_model_add_particle(model, &particle, &part), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "particle 'dust': mass is -1, not within 1e-100 .. 1e+100");
    particle.prescribed = 1;
    assert_int_equal(saddle_model_add_particle(model, &particle, &part), SADDLE_OK);
    const double x[3] = {0, 0, 0};
    const saddle_nodes_def nodes = {.name = "cloud", .count = 1, .position = x};
    assert_int_equal(saddle_model_add_nodes(model, &nodes, &part), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "nodes 'cloud': they have no mass");
    assert_int_equal(saddle_model_part_count(model), 1);
    saddle_model_free(model);
    saddle_context_free(context);
}

/* Energies and momenta of a body equal those of many particles moving with the body. */
static void a_body_has_the_energies_of_its_particles(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(300); draw++) {
        saddle_model *whole = NULL, *parts = NULL;
        assert_int_equal(saddle_model_create(NULL, &whole), SADDLE_OK);
        assert_int_equal(saddle_model_create(NULL, &parts), SADDLE_OK);
        double gravity[3], turn[6];
        saddle_body_def body = saddle_body_def_default();
        for (int i = 0; i < 3; i++) gravity[i] = test_uniform(&state, -10, 10);
        for (int i = 0; i < 6; i++)
            turn[i] = test_uniform(&state, -2, 2), body.twist[i] = test_uniform(&state, -2, 2);
        body.pose = saddle_pose_exp(turn);
        double sum[10] = {0}; /* mass, first and second moments */
        for (int k = 0; k < 7; k++) {
            double X[3], v[3];
            saddle_particle_def particle = {.mass = test_uniform(&state, 0.1, 2)};
            for (int i = 0; i < 3; i++) X[i] = test_uniform(&state, -1, 1);
            const double *w = body.twist + 3;
            for (int i = 0; i < 3; i++)
                v[i] = body.twist[i] + w[(i + 1) % 3] * X[(i + 2) % 3] -
                       w[(i + 2) % 3] * X[(i + 1) % 3];
            for (int i = 0; i < 3; i++) {
                particle.position[i] = body.pose.p[i];
                for (int j = 0; j < 3; j++) {
                    particle.position[i] += body.pose.R[i + 3 * j] * X[j];
                    particle.velocity[i] += body.pose.R[i + 3 * j] * v[j];
                }
            }
            saddle_handle handle;
            assert_int_equal(saddle_model_add_particle(parts, &particle, &handle), SADDLE_OK);
            const double m = particle.mass;
            const double moment[10] = {m,
                                       m * X[0],
                                       m * X[1],
                                       m * X[2],
                                       m * X[0] * X[0],
                                       m * X[1] * X[1],
                                       m * X[2] * X[2],
                                       m * X[0] * X[1],
                                       m * X[0] * X[2],
                                       m * X[1] * X[2]};
            for (int i = 0; i < 10; i++) sum[i] += moment[i];
        }
        saddle_body_inertia *inertia = &body.inertia;
        inertia->mass = sum[0];
        for (int i = 0; i < 3; i++) inertia->center[i] = sum[1 + i] / sum[0];
        const double *c = inertia->center;
        double second[9] = {sum[4], sum[7], sum[8], sum[7], sum[5], sum[9], sum[8], sum[9], sum[6]};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) second[i + 3 * j] -= sum[0] * c[i] * c[j];
        }
        const double trace = second[0] + second[4] + second[8];
        for (int i = 0; i < 9; i++) inertia->moment[i] = (i % 4 == 0 ? trace : 0) - second[i];
        saddle_handle handle;
        assert_int_equal(saddle_model_add_body(whole, &body, &handle), SADDLE_OK);
        saddle_model_set_gravity(whole, gravity);
        saddle_model_set_gravity(parts, gravity);
        const saddle_energies a = saddle_model_energies(whole), b = saddle_model_energies(parts);
        const double first[] = {a.kinetic,     a.gravity,   a.momentum[0], a.momentum[1],
                                a.momentum[2], a.moment[0], a.moment[1],   a.moment[2]};
        const double other[] = {b.kinetic,     b.gravity,   b.momentum[0], b.momentum[1],
                                b.momentum[2], b.moment[0], b.moment[1],   b.moment[2]};
        assert_true(test_distance(first, other, 8) < 1e-12);
        saddle_model_free(whole);
        saddle_model_free(parts);
    }
}

/* A block that is stretched by s along x has the energy of a bar that may not get thinner. */
static void a_stretched_block_has_the_energy_of_its_strain(void **unused)
{
    (void)unused;
    saddle_model *model = NULL;
    saddle_handle part;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_fem_block block = saddle_fem_block_default();
    block.size[0] = 2, block.size[1] = 0.5, block.cells[0] = 4;
    assert_int_equal(saddle_model_add_fem_block(model, &block, &part), SADDLE_OK);
    assert_int_equal(saddle_model_node_count(model, part), 5 * 3 * 3);
    double *x = saddle_model_position(model, part), *v = saddle_model_velocity(model, part);
    assert_true(x[3 * saddle_fem_block_node(&block, 4, 2, 2)] == 2);
    for (int64_t k = 0; k < 5 * 3 * 3; k++) {
        x[3 * k] *= 1.01;
        v[3 * k + 1] = 3;
    }
    const saddle_energies e = saddle_model_energies(model);
    const double modulus = block.young * (1 - block.poisson) /
                           ((1 + block.poisson) * (1 - 2 * block.poisson));
    assert_true(fabs(e.elastic / (modulus * 1e-4 / 2) - 1) < 1e-10); /* volume 1 */
    assert_true(fabs(e.kinetic / (1000 * 9.0 / 2) - 1) < 1e-12);
    assert_true(fabs(e.momentum[1] / 3000 - 1) < 1e-12);
    saddle_model_free(model);
}

static saddle_status make_all(saddle_context *context, void *unused)
{
    (void)unused;
    static const saddle_force_type type = {.name = "none", .evaluate = no_force};
    saddle_model *model = NULL;
    saddle_status status = saddle_model_create(context, &model);
    for (int k = 0; status == SADDLE_OK && k < 20; k++) {
        saddle_body_def def = box("body", 1);
        saddle_anchor anchor = {.node = 0};
        saddle_handle force;
        const int data = 3;
        status = saddle_model_add_body(model, &def, &anchor.part);
        const saddle_force_def pull = {.name = "pull",
                                       .type = &type,
                                       .count = 1,
                                       .anchors = &anchor,
                                       .data = &data,
                                       .bytes = sizeof data};
        if (status == SADDLE_OK) status = saddle_model_add_force(model, &pull, &force);
    }
    saddle_fem_block block = saddle_fem_block_default();
    saddle_handle part;
    if (status == SADDLE_OK) status = saddle_model_add_fem_block(model, &block, &part);
    saddle_model_free(model);
    return status;
}

static void no_failing_allocation_leaks(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(make_all, NULL) > 50);
}

/* Processor time of taking apart a chain of particles from one of its ends, the least of three. */
static double seconds_to_remove(int64_t count, int from_the_front)
{
    double least = INFINITY;
    for (int trial = 0; trial < 3; trial++) {
        saddle_model *model;
        saddle_handle *part = calloc((size_t)count, sizeof *part);
        assert_non_null(part);
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        for (int64_t k = 0; k < count; k++) {
            const saddle_particle_def def = {.mass = 1, .position = {(double)k, 0, 0}};
            assert_int_equal(saddle_model_add_particle(model, &def, &part[k]), SADDLE_OK);
        }
        const clock_t began = clock();
        for (int64_t k = 1; k < count; k++) {
            const saddle_handle gone = part[from_the_front ? k - 1 : count - k];
            assert_int_equal(saddle_model_remove(model, gone), SADDLE_OK);
        }
        least = fmin(least, (double)(clock() - began) / CLOCKS_PER_SEC);
        const int64_t left = from_the_front ? count - 1 : 0;
        assert_true(saddle_model_position(model, part[left])[0] == (double)left);
        saddle_model_free(model);
        free(part);
    }
    return least;
}

/* 16 times as many parts take 16 times as long, not 256 times. */
static void chains_are_removed_in_linear_time_from_either_end(void **unused)
{
    (void)unused;
    const int64_t count = test_is_slow() ? 200 : 4000;
    for (int front = 0; front < 2; front++) {
        const double few = seconds_to_remove(count, front);
        const double many = seconds_to_remove(16 * count, front);
        assert_true(test_is_slow() || many < 64 * few + 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_of_what_is_removed_are_refused_by_name),
        cmocka_unit_test(chains_are_removed_in_linear_time_from_either_end),
        cmocka_unit_test(handles_of_another_model_are_refused_by_name),
        cmocka_unit_test(handles_of_a_model_that_is_freed_are_refused_by_the_next),
        cmocka_unit_test(a_handle_stays_refused_however_often_its_place_is_taken),
        cmocka_unit_test(numbers_at_the_end_of_their_type_are_refused),
        cmocka_unit_test(a_pose_of_the_host_that_is_no_rotation_is_refused),
        cmocka_unit_test(a_part_that_something_acts_on_stays),
        cmocka_unit_test(removal_moves_the_state_of_the_others_along),
        cmocka_unit_test(impossible_parts_are_refused_by_name),
        cmocka_unit_test(a_body_has_the_energies_of_its_particles),
        cmocka_unit_test(a_stretched_block_has_the_energy_of_its_strain),
        cmocka_unit_test(no_failing_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
