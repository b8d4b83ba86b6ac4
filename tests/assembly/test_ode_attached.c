/* SPDX-License-Identifier: MIT */
/* Models with attached parts and joints in coordinates as ordinary differential equations: against
 * the same models as rows, along their own flow, in their mass-matrix form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_attached.h"
#include "drawn_parts.h"
#include "drawn_tree_model.h"

/* ---- one model as an ode ---- */

typedef struct flow {
    saddle_model *model;
    saddle_ode *ode;
    int64_t size, velocities;
    double *y, *dy, *moved; /* size each */
} flow;

static void begin(saddle_model *model, flow *f)
{
    *f = (flow){.model = model};
    assert_int_equal(saddle_ode_create(model, &f->ode), SADDLE_OK);
    f->size = saddle_ode_size(f->ode);
    f->velocities = saddle_ode_velocities(f->ode);
    f->y = calloc((size_t)f->size + 1, 3 * sizeof *f->y);
    assert_non_null(f->y);
    f->dy = f->y + f->size;
    f->moved = f->dy + f->size;
    saddle_ode_get(f->ode, f->y);
    assert_int_equal(saddle_ode_rates(f->ode, 0, f->y, f->dy), SADDLE_OK);
}

static void end(flow *f)
{
    free(f->y);
    saddle_ode_free(f->ode);
}

/* ---- against rows ---- */

static void attached_parts_accelerate_as_pinned_ones(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(500); draw++) {
        drawn_attached d;
        flow f[2];
        draw_attached(&state, draw % 2 == 0, &d);
        for (int side = 0; side < 2; side++) begin(d.model[side], &f[side]);
        assert_true(f[0].velocities < f[1].velocities);
        for (int k = draw % 2 == 0; k < d.parts; k++) {
            const double *one = saddle_ode_acceleration(f[0].ode, d.part[0][k]);
            const double *two = saddle_ode_acceleration(f[1].ode, d.part[1][k]);
            const int64_t size = d.part[0][k].item == SADDLE_ITEM_BODY ? 6 : 3;
            if (!(test_distance(one, two, size) <= 1e-10))
                fail_msg("draw %d, part %d of %d (%d active): off by %g", (int)draw, k, d.parts,
                         d.active, test_distance(one, two, size));
        }
        for (int side = 0; side < 2; side++) end(&f[side]);
        drawn_attached_clear(&d);
    }
}

static void coordinates_accelerate_as_rows(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t compared = 0;
    for (int64_t draw = 0; draw < test_draws(500); draw++) {
        drawn_joints drawn;
        tree_model rows, made;
        double rate[6 * TREE_BODIES];
        flow f;
        draw_joints(&state, TREE_BODIES, -1, &drawn);
        if (draw % 2) draw_loops(&state, &drawn);
        tree_model_begin(&drawn, NULL, SADDLE_JOINT_FORM_ROWS, &rows);
        const int clear = tree_model_accelerations(&drawn, &rows, rate);
        saddle_model_free(rows.model);
        if (!clear) continue;
        tree_model_begin(&drawn, NULL,
                         draw % 4 < 2 ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_CHOSEN,
                         &made);
        begin(made.model, &f);
        for (int k = 0; k < drawn.bodies; k++)
            assert_true(apart(rate + 6 * k, saddle_ode_acceleration(f.ode, made.part[k]), 6) <
                        1e-10);
        end(&f);
        saddle_model_free(made.model);
        compared++;
    }
    assert_true(compared > test_draws(500) / 3);
}

/* ---- a model of all kinds of attachments ---- */

static saddle_handle add_body(saddle_model *model, uint64_t *state, int massless)
{
    const double sides[3] = {0.4, 0.3, 0.2};
    saddle_body_def body = saddle_body_def_default();
    saddle_handle part;
    body.massless = massless;
    body.pose = test_draw_pose(state, 1);
    if (!massless)
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 1.5,
                                                     &body.inertia),
                         SADDLE_OK);
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_OK);
    return part;
}

/* A tetrahedron of four nodes, and a fifth node; springs hold each at its place. */
static saddle_handle add_nodes(saddle_model *model, uint64_t *state)
{
    enum { SIZE = 15 };
    const double corner[SIZE] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.3, 0.1};
    double x[SIZE], v[SIZE], one[SIZE], stiffness[SIZE];
    int64_t start[SIZE + 1], index[SIZE];
    saddle_handle part;
    for (int64_t i = 0; i <= SIZE; i++) start[i] = i;
    for (int64_t i = 0; i < SIZE; i++) {
        index[i] = i;
        one[i] = 0.5;
        stiffness[i] = 20;
        x[i] = corner[i] + test_uniform(state, -0.1, 0.1);
        v[i] = test_uniform(state, -1, 1);
    }
    const saddle_matrix M = {.rows = SIZE,
                             .cols = SIZE,
                             .symmetry = SADDLE_SYMMETRY_LOWER,
                             .start = start,
                             .index = index,
                             .value = one};
    saddle_matrix K = M;
    K.value = stiffness;
    const saddle_nodes_def def = {
        .count = 5, .position = x, .velocity = v, .rest = corner, .mass = &M, .stiffness = &K};
    assert_int_equal(saddle_model_add_nodes(model, &def, &part), SADDLE_OK);
    return part;
}

static void attach(saddle_model *model, saddle_handle part, int64_t node, int64_t masters,
                   const saddle_anchor *to, const double *weight,
                   const saddle_element_kind *element)
{
    saddle_handle tie;
    const saddle_attach_def def = {.part = part,
                                   .count = 1,
                                   .node = &node,
                                   .masters = masters,
                                   .to = to,
                                   .weight = weight,
                                   .element = element};
    assert_int_equal(saddle_model_attach(model, &def, &tie), SADDLE_OK);
}

/* Attachments: a node in the element of the other nodes, a body in the element, and a body on three
 * of its nodes; a body between these two, with another body hinged in coordinates; a marker without
 * mass on the last body and a node, pulled by a spring; parts on a prescribed body. */
static saddle_model *make_mixed(saddle_context *context, uint64_t *state)
{
    const saddle_element_kind element = SADDLE_ELEMENT_TETRAHEDRON;
    const double weight[] = {0.9, 0.3, -0.2}, gravity[3] = {1, -2, -9.81};
    const saddle_particle_def marker = {.massless = 1, .position = {0.5, 0.5, 1}};
    saddle_joint_def hinge = saddle_joint_def_default();
    saddle_body_def wall = saddle_body_def_default();
    const saddle_spring spring = {.stiffness = 30, .rest_length = 0.5};
    saddle_model *model;
    saddle_handle prescribed, point, joint, force;
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    saddle_model_set_gravity(model, gravity);
    const saddle_handle nodes = add_nodes(model, state);
    const saddle_handle a = add_body(model, state, 0), b = add_body(model, state, 1);
    const saddle_handle c = add_body(model, state, 0), d = add_body(model, state, 0);
    const saddle_anchor corner[4] = {{nodes, 0}, {nodes, 1}, {nodes, 2}, {nodes, 3}};
    const saddle_anchor pair[2] = {{a, 0}, {b, 0}}, mean[2] = {{d, 0}, {nodes, 1}};
    wall.prescribed = 1;
    for (int i = 0; i < 6; i++) wall.twist[i] = test_uniform(state, -1, 1);
    assert_int_equal(saddle_model_add_body(model, &wall, &prescribed), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &marker, &point), SADDLE_OK);
    attach(model, nodes, 4, 4, corner, NULL, &element);
    attach(model, a, 0, 4, corner, NULL, &element);
    attach(model, b, 0, 3, corner, weight, NULL);
    attach(model, c, 0, 2, pair, NULL, NULL);
    hinge.kind = SADDLE_JOINT_UNIVERSAL;
    hinge.form = SADDLE_JOINT_FORM_COORDINATES;
    hinge.a = c;
    hinge.b = d;
    assert_int_equal(saddle_joint_def_at(model, saddle_model_pose(model, d), &hinge), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &hinge, &joint), SADDLE_OK);
    attach(model, point, 0, 2, mean, NULL, NULL);
    const saddle_anchor from = {point, 0}, to = {prescribed, 0};
    assert_int_equal(saddle_model_add_spring(model, NULL, from, to, &spring, &force), SADDLE_OK);
    const saddle_handle last = add_body(model, state, 0);
    attach(model, last, 0, 1, &to, NULL, NULL);
    const double *q = saddle_model_position(model, saddle_model_joint_part(model, joint));
    double *dq = saddle_model_velocity(model, saddle_model_joint_part(model, joint));
    assert_non_null(q);
    for (int i = 0; i < 2; i++) dq[i] = test_uniform(state, -2, 2);
    return model;
}

/* ---- along the flow ---- */

/* twist or velocities (as of the part) from x to z, over `time`. */
static void difference(saddle_handle part, const double *x, const double *z, int64_t size,
                       double time, double *v)
{
    saddle_pose from, to;
    if (part.item == SADDLE_ITEM_BODY) {
        memcpy(&from, x, sizeof from);
        memcpy(&to, z, sizeof to);
        from = saddle_pose_between(&from, &to);
        saddle_pose_log(&from, v);
    }
    for (int64_t i = 0; i < size; i++)
        v[i] = (part.item == SADDLE_ITEM_BODY ? v[i] : z[i] - x[i]) / time;
}

/* Positions (at 0) and velocities (at MOST) of a part along y + s dy. */
enum { MOST = 30 };
static void at_side(flow *f, double s, double x[][2 * MOST])
{
    for (int64_t i = 0; i < f->size; i++) f->moved[i] = f->y[i] + s * f->dy[i];
    assert_int_equal(saddle_ode_set(f->ode, s, f->moved), SADDLE_OK);
    for (int64_t k = 0; k < saddle_model_part_count(f->model); k++) {
        const saddle_handle part = saddle_model_part_at(f->model, k);
        const int64_t size = saddle_model_part_velocities(f->model, part),
                      positions = part.item == SADDLE_ITEM_BODY ? 12 : size;
        memcpy(x[k], saddle_model_position(f->model, part), (size_t)positions * sizeof **x);
        memcpy(x[k] + MOST, saddle_model_velocity(f->model, part), (size_t)size * sizeof **x);
    }
}

/* Velocities and accelerations of all parts, the attached too, are the differences of positions and
 * velocities along dy. */
static void check_flow(flow *f)
{
    enum { PARTS = 2 * ATTACHED_PARTS };
    static double x[3][PARTS][2 * MOST];
    const double h = 1e-5;
    double change[2 * MOST];
    assert_true(saddle_model_part_count(f->model) <= PARTS);
    for (int side = 0; side < 3; side++) at_side(f, (side - 1) * h, x[side]);
    for (int64_t k = 0; k < saddle_model_part_count(f->model); k++) {
        const saddle_handle part = saddle_model_part_at(f->model, k);
        const int64_t size = saddle_model_part_velocities(f->model, part);
        const double *a = saddle_ode_acceleration(f->ode, part);
        difference(part, x[0][k], x[2][k], size, 2 * h, change);
        if (!(test_distance(change, x[1][k] + MOST, size) < 1e-7))
            fail_msg("part %d: velocity off by %g", (int)k,
                     test_distance(change, x[1][k] + MOST, size));
        for (int64_t i = 0; i < size; i++)
            change[i] = (x[2][k][MOST + i] - x[0][k][MOST + i]) / (2 * h);
        if (a && !(test_distance(change, a, size) < 1e-7))
            fail_msg("part %d: acceleration off by %g", (int)k, test_distance(change, a, size));
    }
}

static void attached_parts_follow_along_the_flow(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(60); draw++) {
        drawn_attached d;
        drawn_joints drawn;
        tree_model made;
        flow f;
        draw_attached(&state, draw % 2 == 0, &d);
        begin(d.model[0], &f);
        check_flow(&f);
        end(&f);
        drawn_attached_clear(&d);
        draw_joints(&state, 6, -1, &drawn);
        tree_model_begin(&drawn, NULL, SADDLE_JOINT_FORM_COORDINATES, &made);
        begin(made.model, &f);
        check_flow(&f);
        end(&f);
        saddle_model_free(made.model);
        saddle_model *mixed = make_mixed(NULL, &state);
        begin(mixed, &f);
        assert_int_equal(f.velocities, 4 * 3 + 2);
        assert_int_equal(f.size, 4 * 3 + 2 + 7 + f.velocities); /* the prescribed body too */
        check_flow(&f);
        end(&f);
        saddle_model_free(mixed);
    }
}

/* ---- the mass-matrix form ---- */

/* M v' - J'F = f and J v' = b with dv and F. */
static void check_form(const saddle_problem *p, const double *dv, const double *F)
{
    for (int64_t i = 0; i < p->n; i++) {
        double sum = -p->f[i], most = fabs(p->f[i]) + 1;
        for (int64_t j = 0; j < p->n; j++) {
            const double term = saddle_matrix_entry(&p->M, i > j ? i : j, i > j ? j : i) * dv[j];
            sum += term;
            most = fmax(most, fabs(term));
        }
        for (int64_t k = 0; k < p->m; k++) sum -= saddle_matrix_entry(&p->Jt, i, k) * F[k];
        for (int64_t k = 0; k < p->m; k++)
            most = fmax(most, fabs(saddle_matrix_entry(&p->Jt, i, k) * F[k]));
        assert_true(fabs(sum) < 1e-10 * most);
    }
    for (int64_t k = 0; k < p->m; k++) {
        double sum = -p->b[k], most = fabs(p->b[k]) + 1;
        for (int64_t j = 0; j < p->n; j++) {
            sum += saddle_matrix_entry(&p->Jt, j, k) * dv[j];
            most = fmax(most, fabs(saddle_matrix_entry(&p->Jt, j, k) * dv[j]));
        }
        assert_true(fabs(sum) < 1e-10 * most);
    }
}

static void check_mass_form(saddle_model *model)
{
    flow f;
    double F[12 * TREE_BODIES] = {0};
    const saddle_problem *problem = NULL;
    begin(model, &f);
    const int64_t x = f.size - f.velocities;
    assert_int_equal(saddle_ode_mass_form(f.ode, 0, f.y, f.moved, &problem), SADDLE_OK);
    assert_int_equal(problem->n, f.velocities);
    assert_memory_equal(f.moved, f.dy, (size_t)x * sizeof *f.dy);
    assert_int_equal(saddle_ode_rates(f.ode, 0, f.y, f.dy), SADDLE_OK);
    assert_true(problem->m <= 12 * TREE_BODIES);
    if (problem->m > 0) memcpy(F, saddle_ode_forces(f.ode), (size_t)problem->m * sizeof *F);
    assert_int_equal(saddle_ode_mass_form(f.ode, 0, f.y, NULL, &problem), SADDLE_OK);
    check_form(problem, f.dy + x, F);
    end(&f);
}

static void the_mass_form_is_solved_by_the_rates(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(60); draw++) {
        drawn_attached d;
        drawn_joints drawn;
        tree_model made;
        draw_attached(&state, draw % 2 == 0, &d);
        check_mass_form(d.model[0]);
        drawn_attached_clear(&d);
        draw_joints(&state, TREE_BODIES, -1, &drawn);
        tree_model_begin(&drawn, NULL,
                         draw % 2 ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_CHOSEN,
                         &made);
        check_mass_form(made.model);
        saddle_model_free(made.model);
        saddle_model *mixed = make_mixed(NULL, &state);
        check_mass_form(mixed);
        saddle_model_free(mixed);
    }
}

/* ---- reactions ---- */

/* A particle at the end of an arm that turns at a constant rate: m (a - g), a = -omega^2 r. */
static void attachment_forces_are_those_of_the_motion(void **unused)
{
    (void)unused;
    const double gravity[3] = {0, 0, -9.81}, size[3] = {1, 1, 1}, mass = 0.7, omega = 3;
    const saddle_particle_def bob = {.mass = mass, .position = {2, 0, 0}};
    saddle_joint_def hinge = saddle_joint_def_default();
    saddle_body_def body = saddle_body_def_default();
    saddle_model *model;
    saddle_handle arm, end_point, tie, joint;
    double force[3];
    flow f;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, gravity);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 2, &body.inertia),
                     SADDLE_OK);
    body.twist[5] = omega;
    assert_int_equal(saddle_model_add_body(model, &body, &arm), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &bob, &end_point), SADDLE_OK);
    const saddle_anchor to = {arm, 0};
    const saddle_attach_def def = {.part = end_point, .masters = 1, .to = &to};
    assert_int_equal(saddle_model_attach(model, &def, &tie), SADDLE_OK);
    hinge.kind = SADDLE_JOINT_HINGE;
    hinge.form = SADDLE_JOINT_FORM_COORDINATES;
    hinge.b = arm;
    assert_int_equal(saddle_model_add_joint(model, &hinge, &joint), SADDLE_OK);
    saddle_ode *fresh;
    assert_int_equal(saddle_ode_create(model, &fresh), SADDLE_OK);
    assert_int_equal(saddle_ode_attachment_force(fresh, tie, force), SADDLE_WRONG_PHASE);
    assert_null(saddle_ode_acceleration(fresh, arm));
    const saddle_problem *problem;
    double y[2], dy[2];
    saddle_ode_get(fresh, y);
    assert_int_equal(saddle_ode_rates(fresh, 0, y, dy), SADDLE_OK);
    assert_int_equal(saddle_ode_mass_form(fresh, 0, y, NULL, &problem), SADDLE_OK);
    assert_null(saddle_ode_acceleration(fresh, arm));
    assert_int_equal(saddle_ode_attachment_force(fresh, tie, force), SADDLE_WRONG_PHASE);
    assert_null(strstr(saddle_context_message(saddle_model_context(model)), "added or removed"));
    saddle_ode_free(fresh);
    begin(model, &f);
    assert_int_equal(f.size, 2);
    assert_true(fabs(f.dy[0] - omega) < 1e-14 && fabs(f.dy[1]) < 1e-12);
    assert_int_equal(saddle_ode_attachment_force(f.ode, tie, force), SADDLE_OK);
    assert_true(fabs(force[0] + mass * omega * omega * 2) < 1e-12);
    assert_true(fabs(force[1]) < 1e-12 && fabs(force[2] - mass * 9.81) < 1e-12);
    assert_int_equal(saddle_ode_attachment_force(f.ode, joint, force), SADDLE_INVALID_ARGUMENT);
    end(&f);
    saddle_model_free(model);
}

/* ---- coordinates of balls ---- */

/* Beyond a turn of 3/2 pi the state that is read has other coordinates of the same motion. */
static void balls_are_read_as_the_shorter_turn(void **unused)
{
    (void)unused;
    const double size[3] = {1, 0.5, 0.3}, q[3] = {3, -4, 1}, dq[3] = {0.3, 0.5, -0.7};
    saddle_joint_def ball = saddle_joint_def_default();
    saddle_body_def body = saddle_body_def_default();
    saddle_model *model;
    saddle_handle arm, joint;
    double far[6], near[6], pose[12], twist[6];
    flow f;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 2, &body.inertia),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_body(model, &body, &arm), SADDLE_OK);
    ball.kind = SADDLE_JOINT_BALL;
    ball.form = SADDLE_JOINT_FORM_COORDINATES;
    ball.b = arm;
    assert_int_equal(saddle_model_add_joint(model, &ball, &joint), SADDLE_OK);
    begin(model, &f);
    assert_int_equal(f.size, 6);
    memcpy(far, q, sizeof q);
    memcpy(far + 3, dq, sizeof dq);
    assert_int_equal(saddle_ode_set(f.ode, 0, far), SADDLE_OK);
    memcpy(pose, saddle_model_position(model, arm), sizeof pose);
    memcpy(twist, saddle_model_velocity(model, arm), sizeof twist);
    saddle_ode_get(f.ode, near);
    assert_true(sqrt(near[0] * near[0] + near[1] * near[1] + near[2] * near[2]) < 3.1416);
    assert_int_equal(saddle_ode_set(f.ode, 0, near), SADDLE_OK);
    assert_true(test_distance(pose, saddle_model_position(model, arm), 12) < 1e-14);
    assert_true(test_distance(twist, saddle_model_velocity(model, arm), 6) < 1e-13);
    end(&f);
    saddle_model_free(model);
}

/* ---- memory ---- */

static void equal_calls_give_equal_bits_and_nothing_allocates(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    uint64_t state = test_seed();
    flow f;
    const saddle_problem *problem;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_model *model = make_mixed(context, &state);
    begin(model, &f);
    assert_int_equal(saddle_ode_mass_form(f.ode, 0, f.y, NULL, &problem), SADDLE_OK);
    const int64_t allocations = saddle_context_memory(context).allocations;
    for (int64_t i = 0; i < f.size; i++) f.y[i] += 0.1;
    assert_int_equal(saddle_ode_rates(f.ode, 1, f.y, f.moved), SADDLE_OK);
    assert_int_equal(saddle_ode_mass_form(f.ode, 1, f.y, NULL, &problem), SADDLE_OK);
    assert_int_equal(saddle_ode_rates(f.ode, 0, f.y, f.dy), SADDLE_OK);
    assert_memory_equal(f.dy, f.moved, (size_t)f.size * sizeof *f.dy);
    assert_int_equal(saddle_context_memory(context).allocations, allocations);
    end(&f);
    saddle_model_free(model);
    saddle_context_free(context);
}

static saddle_status sweep(saddle_context *context, void *unused)
{
    static const char text[] =
        "{\"format\": \"saddle-scene\", \"version\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": "
        "\"sphere\", \"radius\": 1, \"mass\": 2}, {\"name\": \"b\", \"shape\": \"sphere\", "
        "\"radius\": 1, \"mass\": 2}], \"particles\": [{\"name\": \"m\", \"massless\": true}], "
        "\"attach\": [{\"part\": \"m\", \"to\": \"b\"}], \"joints\": [{\"kind\": \"hinge\", "
        "\"a\": \"a\", \"b\": \"b\", \"form\": \"coordinates\"}]}";
    saddle_scene scene;
    saddle_ode *ode = NULL;
    const saddle_problem *problem;
    double y[15], dy[15];
    (void)unused;
    saddle_status status = saddle_scene_read_text(context, text, (int64_t)sizeof text - 1, NULL,
                                                  NULL, &scene);
    if (status == SADDLE_OK) status = saddle_ode_create(scene.model, &ode);
    if (status == SADDLE_OK) assert_int_equal(saddle_ode_size(ode), 15);
    saddle_ode_get(ode, y);
    if (status == SADDLE_OK) status = saddle_ode_rates(ode, 0, y, dy);
    if (status == SADDLE_OK) status = saddle_ode_mass_form(ode, 0, y, dy, &problem);
    saddle_ode_free(ode);
    saddle_scene_clear(&scene);
    return status;
}

static void no_failing_allocation_leaks(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(sweep, NULL) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attached_parts_accelerate_as_pinned_ones),
        cmocka_unit_test(coordinates_accelerate_as_rows),
        cmocka_unit_test(attached_parts_follow_along_the_flow),
        cmocka_unit_test(the_mass_form_is_solved_by_the_rates),
        cmocka_unit_test(attachment_forces_are_those_of_the_motion),
        cmocka_unit_test(balls_are_read_as_the_shorter_turn),
        cmocka_unit_test(equal_calls_give_equal_bits_and_nothing_allocates),
        cmocka_unit_test(no_failing_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
