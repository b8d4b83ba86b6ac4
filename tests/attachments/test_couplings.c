/* SPDX-License-Identifier: MIT */
/* Ready-made attachments against differences of positions, rigid motions, and refused arguments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_couplings.h"
#include "space/space.h"

enum { TRIALS = 40 };

static double *room(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* What the graph was given: all blocks and terms of all attachments, one behind another. */
static int64_t copy_values(const saddle_attachments *graph, double *value, double *term)
{
    int64_t entries = 0, rows = 0;
    for (int64_t k = 0; k < saddle_attachments_count(graph); k++) {
        saddle_attachment a;
        if (!saddle_attachments_attachment(graph, k, &a)) continue;
        int64_t own = saddle_attachments_component(graph, k).component.size;
        for (int64_t b = 0; b < a.block_count; b++)
            for (int64_t e = 0; e < a.blocks[b].rows * a.blocks[b].cols; e++, entries++)
                if (value) value[entries] = a.blocks[b].value[e];
        for (int64_t i = 0; i < own; i++, rows++)
            if (term) term[rows] = a.term[i];
    }
    return entries;
}

/* The same brought between the axes frames had at `from`: X_k A X_j', X from `from` to `to`. */
static void hold_axes(const drawn_couplings *d, const double *from, const double *to, double *value)
{
    for (int64_t k = 0; k < COMPONENTS; k++) {
        saddle_attachment a;
        if (!saddle_attachments_attachment(d->graph, k, &a)) continue;
        int64_t rows = saddle_attachments_component(d->graph, k).component.size;
        int own_turns = saddle_attachments_component(d->graph, k).component.kind ==
                        SADDLE_COMPONENT_FRAME;
        for (int64_t b = 0; b < a.block_count; b++) {
            double X[9];
            int64_t j = saddle_attachments_index(d->graph, a.blocks[b].master),
                    cols = a.blocks[b].cols;
            int turns = saddle_attachments_component(d->graph, j).component.kind ==
                        SADDLE_COMPONENT_FRAME;
            turned_axes(d, own_turns ? k : BODY, from, to, X);
            for (int64_t e = 0; own_turns && e < rows * cols; e += 3)
                saddle__rotate(X, value + e, value + e);
            turned_axes(d, turns ? j : BODY, from, to, X);
            for (int64_t half = 0; turns && half < 6; half += 3)
                for (int64_t i = 0; i < rows; i++) {
                    double row[3];
                    for (int c = 0; c < 3; c++) row[c] = value[i + rows * (half + c)];
                    saddle__rotate(X, row, row);
                    for (int c = 0; c < 3; c++) value[i + rows * (half + c)] = row[c];
                }
            value += rows * cols;
        }
    }
}

/* ---- differences ---- */

/* The velocity of component k, of its kind, from where it was and will be, 2 h apart. */
static void difference(const drawn_couplings *d, int64_t k, const double *behind,
                       const double *ahead, double h, double *v)
{
    int64_t at = saddle_couplings_position_start(d->couplings)[k];
    saddle_component component = saddle_attachments_component(d->graph, k).component;
    if (component.kind != SADDLE_COMPONENT_FRAME) {
        for (int64_t i = 0; i < component.size; i++)
            v[i] = (ahead[at + i] - behind[at + i]) / (2 * h);
        return;
    }
    saddle_pose now, to[2];
    memcpy(&now, d->position + at, sizeof now);
    memcpy(&to[0], behind + at, sizeof now);
    memcpy(&to[1], ahead + at, sizeof now);
    for (int side = 0; side < 2; side++) {
        saddle_pose step = saddle_pose_between(&now, &to[side]);
        const double axial[3] = {step.R[5] - step.R[7], step.R[6] - step.R[2],
                                 step.R[1] - step.R[3]};
        double factor = (side == 0 ? -1 : 1) / (2 * h);
        for (int i = 0; i < 3; i++) {
            v[i] = (side == 0 ? 0 : v[i]) + factor * step.p[i];
            v[i + 3] = (side == 0 ? 0 : v[i + 3]) + factor * axial[i] / 2;
        }
    }
}

static void velocities_are_differences_of_positions(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const double h = 1e-5;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn_couplings d = draw_couplings(NULL, &seed);
        double *ahead = room(d.positions), *behind = room(d.positions), *v = room(d.n);
        move_couplings(&d, d.u, h, ahead);
        move_couplings(&d, d.u, -h, behind);
        spread_velocities(&d, d.u, v);
        assert_int_equal(saddle_couplings_update(d.couplings, NULL, d.position, v), SADDLE_OK);
        for (int64_t k = 0; k < COMPONENTS; k++) {
            saddle_component_view view = saddle_attachments_component(d.graph, k);
            double expected[6];
            difference(&d, k, behind, ahead, h, expected);
            for (int64_t i = 0; i < view.component.size; i++)
                assert_true(fabs(v[view.first + i] - expected[i]) < 1e-7 * (1 + fabs(expected[i])));
        }
        free(ahead);
        free(behind);
        free(v);
        clear_couplings(&d);
    }
}

static void rates_are_differences_of_blocks_in_axes_that_turn_and_in_such_that_do_not(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    const double h = 1e-5;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn_couplings d = draw_couplings(NULL, &seed);
        int64_t entries = copy_values(d.graph, NULL, NULL);
        double *moved = room(d.positions), *v = room(d.n), *A = room(entries), *end = room(entries);
        double *side[2] = {room(entries), room(entries)};
        for (int axes = SADDLE_AXES_BODY; axes <= SADDLE_AXES_STEP; axes++) {
            for (int s = 0; s < 2; s++) {
                move_couplings(&d, d.u, s == 0 ? -h : h, moved);
                assert_int_equal(saddle_couplings_update(d.couplings, NULL, moved, v), SADDLE_OK);
                copy_values(d.graph, side[s], NULL);
                if (axes == SADDLE_AXES_STEP) hold_axes(&d, d.position, moved, side[s]);
            }
            saddle_coupling_step step = {1, SADDLE_FICTITIOUS_NONE, (saddle_axes)axes};
            spread_velocities(&d, d.u, v);
            assert_int_equal(saddle_couplings_update(d.couplings, &step, d.position, v), SADDLE_OK);
            copy_values(d.graph, A, NULL);
            step.fictitious = SADDLE_FICTITIOUS_MAP;
            assert_int_equal(saddle_couplings_update(d.couplings, &step, d.position, v), SADDLE_OK);
            copy_values(d.graph, end, NULL);
            for (int64_t e = 0; e < entries; e++) {
                double expected = (side[1][e] - side[0][e]) / (2 * h);
                assert_true(fabs(end[e] - A[e] - expected) < 1e-6 * (1 + fabs(expected)));
            }
        }
        free(moved);
        free(v);
        free(A);
        free(end);
        free(side[0]);
        free(side[1]);
        clear_couplings(&d);
    }
}

/* ---- rigid motions ---- */

/* All that does not hang on the world by a joint or a motor. */
static int floats(int64_t k)
{
    return k != CRANK && k != HAND_OF_CLOCK && k != MOTOR && k != DRIVEN;
}

static void what_moves_as_one_body_takes_its_attachments_along(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn_couplings d = draw_couplings(NULL, &seed);
        const int64_t *start = saddle_couplings_position_start(d.couplings);
        double twist[6], *moved = room(d.positions);
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(&seed, -3, 3);
        saddle_pose motion = saddle_pose_exp(twist), pose;
        memcpy(moved, d.position, (size_t)d.positions * sizeof *moved);
        for (int n = 0; n < 8; n++) {
            saddle__rotate(motion.R, d.position + 3 * n, moved + 3 * n);
            for (int i = 0; i < 3; i++) moved[3 * n + i] += motion.p[i];
        }
        memcpy(&pose, d.position + start[BODY], sizeof pose);
        pose = saddle_pose_multiply(&motion, &pose);
        memcpy(moved + start[BODY], &pose, sizeof pose);
        assert_int_equal(saddle_couplings_place(d.couplings, moved), SADDLE_OK);
        for (int64_t k = 0; k < COMPONENTS; k++) {
            saddle_component_kind kind = saddle_attachments_component(d.graph, k).component.kind;
            const double *was = d.position + start[k], *is = moved + start[k];
            if (!floats(k) || kind == SADDLE_COMPONENT_COORDINATES) continue;
            saddle_pose expected = {.p = {was[0], was[1], was[2]}};
            if (kind == SADDLE_COMPONENT_FRAME) memcpy(&expected, was, sizeof expected);
            expected = saddle_pose_multiply(&motion, &expected);
            for (int i = 0; i < 3; i++) assert_true(fabs(expected.p[i] - is[i]) < 1e-12);
            for (int i = 0; kind == SADDLE_COMPONENT_FRAME && i < 9; i++)
                assert_true(fabs(expected.R[i] - is[3 + i]) < 1e-12);
        }
        free(moved);
        clear_couplings(&d);
    }
}

/* At rest a frame among points, or in an element, is where it was put; a point in an element too;
 * all kinds of element. */
static void at_rest_all_is_where_it_was_put(void **state)
{
    (void)state;
    static const saddle_element_kind kinds[4] = {SADDLE_ELEMENT_TETRAHEDRON,
                                                 SADDLE_ELEMENT_HEXAHEDRON, SADDLE_ELEMENT_WEDGE,
                                                 SADDLE_ELEMENT_PYRAMID};
    static const double centre[4][3] = {{0.2, 0.3, 0.1},
                                        {0.3, -0.2, 0.4},
                                        {0.2, 0.5, -0.3},
                                        {0.1, -0.2, 0.4}};
    uint64_t seed = test_seed() + 3;
    for (int trial = 0; trial < 4 * TRIALS; trial++) {
        saddle_element_kind kind = kinds[trial % 4];
        int64_t nodes = saddle_element_nodes(kind), ids[8];
        static const double corner[4][8][3] = {
            {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            {{-1, -1, -1},
             {1, -1, -1},
             {1, 1, -1},
             {-1, 1, -1},
             {-1, -1, 1},
             {1, -1, 1},
             {1, 1, 1},
             {-1, 1, 1}},
            {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
            {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}}};
        double position[8 * 3 + 3 + 2 * 12], twist[6], v[8 * 3 + 3 + 2 * 6] = {0};
        saddle_attachments *graph;
        saddle_couplings *c;
        assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
        assert_int_equal(saddle_couplings_create(NULL, graph, &c), SADDLE_OK);
        for (int64_t k = 0; k < nodes + 3; k++) {
            saddle_component component = {.id = k,
                                          .kind = k > nodes ? SADDLE_COMPONENT_FRAME
                                                            : SADDLE_COMPONENT_PARTICLE};
            assert_int_equal(saddle_attachments_add(graph, &component), SADDLE_OK);
            for (int i = 0; i < 3 && k < nodes; i++)
                position[3 * k + i] = corner[trial % 4][k][i] + test_uniform(&seed, -0.1, 0.1);
            if (k < nodes) ids[k] = k;
        }
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(&seed, -2, 2);
        saddle_pose pose = saddle_pose_exp(twist);
        memcpy(pose.p, centre[trial % 4], sizeof pose.p);
        const double weights[8] = {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125};
        double even[8];
        for (int64_t k = 0; k < nodes; k++) even[k] = nodes == 8 ? weights[k] : 1 / (double)nodes;
        assert_int_equal(saddle_couplings_add_point_in_element(c, nodes, kind, ids, position,
                                                               pose.p),
                         SADDLE_OK);
        assert_int_equal(saddle_couplings_add_frame_in_element(c, nodes + 1, kind, ids, position,
                                                               &pose),
                         SADDLE_OK);
        assert_int_equal(saddle_couplings_add_frame_on_points(c, nodes + 2, nodes, ids, position,
                                                              even, &pose),
                         SADDLE_OK);
        assert_int_equal(saddle_couplings_compile(c), SADDLE_OK);
        /* a rigid velocity of the nodes, too: nu + omega x x */
        for (int64_t k = 0; k < nodes; k++) {
            saddle__cross(twist + 3, position + 3 * k, v + 3 * k);
            for (int i = 0; i < 3; i++) v[3 * k + i] += twist[i];
        }
        assert_int_equal(saddle_couplings_update(c, NULL, position, v), SADDLE_OK);
        const double *point = position + 3 * nodes, *moving = v + 3 * nodes;
        double expected[3], angular[3];
        saddle__cross(twist + 3, pose.p, expected);
        for (int i = 0; i < 3; i++) {
            expected[i] += twist[i];
            assert_true(fabs(point[i] - pose.p[i]) < 1e-12);
            assert_true(fabs(moving[i] - expected[i]) < 1e-12);
        }
        saddle__unrotate(pose.R, expected, expected);
        saddle__unrotate(pose.R, twist + 3, angular);
        for (int f = 0; f < 2; f++) {
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(point[3 + 12 * f + i] - pose.p[i]) < 1e-12);
                assert_true(fabs(moving[3 + 6 * f + i] - expected[i]) < 1e-11);
                assert_true(fabs(moving[6 + 6 * f + i] - angular[i]) < 1e-11);
            }
            for (int i = 0; i < 9; i++)
                assert_true(fabs(point[6 + 12 * f + i] - pose.R[i]) < 1e-12);
        }
        saddle_couplings_free(c);
        saddle_attachments_free(graph);
    }
}

/* ---- what is refused ---- */

#define REFUSED(call, status, words)                                                        \
    do {                                                                                    \
        assert_int_equal(call, status);                                                     \
        if (!strstr(saddle_context_message(context), words))                                \
            fail_msg("\"%s\" does not say \"%s\"", saddle_context_message(context), words); \
    } while (0)

static void wrong_couplings_are_refused_by_name(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_attachments *graph;
    saddle_couplings *c;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    assert_int_equal(saddle_couplings_create(context, graph, &c), SADDLE_OK);
    static const saddle_component components[] = {
        {.id = 1, .name = "bone", .kind = SADDLE_COMPONENT_FRAME},
        {.id = 2, .name = "node"},
        {.id = 3, .name = "node 3"},
        {.id = 4, .name = "node 4"},
        {.id = 5, .name = "plate", .kind = SADDLE_COMPONENT_FRAME},
        {.id = 6, .name = "knee", .kind = SADDLE_COMPONENT_COORDINATES, .size = 2},
    };
    for (int k = 0; k < 6; k++)
        assert_int_equal(saddle_attachments_add(graph, &components[k]), SADDLE_OK);
    const double half[2] = {0.5, 0.6}, bad[3] = {0, NAN, 0}, third[3] = {0.25, 0.25, 0.5},
                 fine[3] = {1, 2, 3};
    const int64_t two[2] = {3, 4}, three[3] = {2, 3, 4}, bone = 1;
    const double line[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2},
                 flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const int64_t four[4] = {2, 3, 4, 2};
    saddle_pose pose = saddle_pose_identity(), mirrored = pose;
    mirrored.R[0] = -1;
    REFUSED(saddle_couplings_add_point_on_frame(c, 2, 3, fine), SADDLE_INVALID_ARGUMENT,
            "node 3 is of kind particle");
    REFUSED(saddle_couplings_add_point_on_frame(c, 5, 1, fine), SADDLE_INVALID_ARGUMENT,
            "plate is of kind frame");
    REFUSED(saddle_couplings_add_point_on_frame(c, 2, 9, fine), SADDLE_INVALID_ARGUMENT, "id 9");
    REFUSED(saddle_couplings_add_point_on_frame(c, 2, 1, bad), SADDLE_INVALID_ARGUMENT,
            "node: point[1]");
    REFUSED(saddle_couplings_add_point_on_points(c, 2, 2, two, half), SADDLE_INVALID_ARGUMENT,
            "sum to 1.1");
    static const double opposed[2] = {1e20, -1e20}, distant[3] = {1e200, 0, 0};
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    REFUSED(saddle_couplings_add_point_on_points(c, 2, 2, two, opposed), SADDLE_INVALID_ARGUMENT,
            "sum to 0, not 1");
    REFUSED(saddle_couplings_add_point_in_element(c, 2, SADDLE_ELEMENT_TETRAHEDRON, four, corners,
                                                  distant),
            SADDLE_INVALID_ARGUMENT, "sum to 0, not 1");
    REFUSED(saddle_couplings_add_point_on_points(c, 2, 0, NULL, half), SADDLE_INVALID_ARGUMENT,
            "0 masters");
    REFUSED(saddle_couplings_add_frame_on_frame(c, 5, 1, &mirrored), SADDLE_INVALID_ARGUMENT,
            "plate: R is no rotation");
    REFUSED(saddle_couplings_add_frame_on_points(c, 5, 3, three, line, third, &pose),
            SADDLE_SINGULAR, "plate");
    REFUSED(saddle_couplings_add_point_in_element(c, 2, SADDLE_ELEMENT_TETRAHEDRON, four, flat,
                                                  fine),
            SADDLE_SINGULAR, "flat");
    static const double screw[6] = {0, 0, 0, 0, 0, 1};
    saddle_motion joint = {1, pose, pose, saddle_motion_screw, NULL, screw, NULL};
    REFUSED(saddle_couplings_add_body_on_joint(c, 5, &bone, 6, &joint), SADDLE_INVALID_ARGUMENT,
            "knee has 2");
    REFUSED(saddle_couplings_add_frame_on_frame(c, 5, 5, &pose), SADDLE_INVALID_PROBLEM,
            "plate -> plate");
    saddle_component_view view = saddle_attachments_component(graph, 4);
    assert_int_equal(view.state, SADDLE_COMPONENT_STATE_ACTIVE); /* nothing has changed */

    double position[64] = {0}, v[64] = {0};
    REFUSED(saddle_couplings_update(c, NULL, position, v), SADDLE_WRONG_PHASE, "compiled");
    assert_int_equal(saddle_couplings_add_frame_on_frame(c, 5, 1, &pose), SADDLE_OK);
    REFUSED(saddle_couplings_add_frame_on_frame(c, 5, 1, &pose), SADDLE_INVALID_PROBLEM,
            "attached already");
    assert_int_equal(saddle_couplings_compile(c), SADDLE_OK);
    REFUSED(saddle_couplings_load(c, v, NULL), SADDLE_WRONG_PHASE, "updated");
    position[0] = INFINITY;
    REFUSED(saddle_couplings_update(c, NULL, position, v), SADDLE_INVALID_ARGUMENT, "plate");
    position[0] = 0;
    position[3] = position[7] = position[11] = 1;
    assert_int_equal(saddle_couplings_update(c, NULL, position, v), SADDLE_OK);
    REFUSED(saddle_couplings_stiffness(c, NULL, v, v), SADDLE_WRONG_PHASE, "loaded");
    assert_int_equal(saddle_attachments_detach(graph, 5), SADDLE_OK);
    REFUSED(saddle_couplings_update(c, NULL, position, v), SADDLE_INVALID_ARGUMENT, "came or went");
    REFUSED(saddle_couplings_compile(c), SADDLE_INVALID_ARGUMENT, "plate is no longer attached");
    saddle_couplings_free(c);
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

/* Points that come to lie on a line, a joint out of its range: named, and the graph keeps what it
 * had. */
static void a_map_that_fails_leaves_the_graph_as_it_was(void **state)
{
    (void)state;
    saddle_context *context;
    uint64_t seed = test_seed() + 4;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    drawn_couplings d = draw_couplings(context, &seed);
    int64_t entries = copy_values(d.graph, NULL, NULL);
    const int64_t *start = saddle_couplings_position_start(d.couplings);
    double *before = room(entries), *after = room(entries), *position = room(d.positions),
           *v = room(d.n);
    assert_int_equal(saddle_couplings_update(d.couplings, NULL, d.position, v), SADDLE_OK);
    copy_values(d.graph, before, NULL);
    memcpy(position, d.position, (size_t)d.positions * sizeof *position);
    for (int i = 0; i < 24; i++) position[i] = i / 3 * (1 + i % 3);
    REFUSED(saddle_couplings_update(d.couplings, NULL, position, v), SADDLE_SINGULAR, "core");
    position[start[ANGLE]] = 1e9;
    REFUSED(saddle_couplings_update(d.couplings, NULL, position, v), SADDLE_INVALID_ARGUMENT,
            "hand");
    REFUSED(saddle_couplings_load(d.couplings, v, NULL), SADDLE_WRONG_PHASE, "updated");
    copy_values(d.graph, after, NULL);
    assert_memory_equal(before, after, (size_t)entries * sizeof *before);
    free(before);
    free(after);
    free(position);
    free(v);
    clear_couplings(&d);
    saddle_context_free(context);
}

/* ---- maps of the host's own ---- */

/* A cam: q_k = a sin q_j, a its data; not to be turned by more than 3. */
static saddle_status place_cam(saddle_context *context, const saddle_coupling_site *site,
                               double *position)
{
    const double *a = site->data, *q = site->position[0];
    if (fabs(q[0]) > 3) return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "turned too far");
    position[0] = *a * sin(q[0]);
    return SADDLE_OK;
}

static saddle_status cam_blocks(saddle_context *context, const saddle_coupling_site *site,
                                double *A)
{
    (void)context;
    assert_int_equal(site->rows, 1);
    assert_int_equal(site->cols[0], 1);
    A[0] = *(const double *)site->data * cos(site->position[0][0]);
    return SADDLE_OK;
}

static saddle_status cam_rate(saddle_context *context, const saddle_coupling_site *site, double *dA)
{
    (void)context;
    dA[0] = -*(const double *)site->data * sin(site->position[0][0]) * site->velocity[0][0];
    return SADDLE_OK;
}

static void a_map_of_the_hosts_own_is_treated_alike(void **state)
{
    (void)state;
    static const saddle_coupling_type cam = {"cam", place_cam, cam_blocks, cam_rate};
    static const saddle_component components[2] = {
        {.id = 5, .name = "shaft", .kind = SADDLE_COMPONENT_COORDINATES, .size = 1},
        {.id = 6, .name = "valve", .kind = SADDLE_COMPONENT_COORDINATES, .size = 1}};
    const double lift = 2, h = 0.1, f[2] = {0, 7}, one = 1;
    const int64_t shaft = 5;
    saddle_context *context;
    saddle_attachments *graph;
    saddle_couplings *c;
    saddle_attachment a;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(saddle_attachments_add(graph, &components[k]), SADDLE_OK);
    assert_int_equal(saddle_couplings_create(context, graph, &c), SADDLE_OK);
    assert_int_equal(saddle_couplings_add(c, 6, 1, &shaft, &cam, &lift, sizeof lift), SADDLE_OK);
    assert_int_equal(saddle_couplings_compile(c), SADDLE_OK);
    double q[2] = {0.7, 0}, v[2] = {3, 0}, product;
    saddle_coupling_step step = {h, SADDLE_FICTITIOUS_TERM, SADDLE_AXES_STEP};
    assert_int_equal(saddle_couplings_update(c, &step, q, v), SADDLE_OK);
    assert_int_equal(saddle_attachments_attachment(graph, 1, &a), 1);
    assert_true(q[1] == lift * sin(0.7) && v[1] == lift * cos(0.7) * 3);
    assert_true(a.blocks[0].value[0] == lift * cos(0.7));
    assert_true(fabs(a.term[0] + h * lift * sin(0.7) * 9) < 1e-14);
    assert_int_equal(saddle_couplings_load(c, f, &product), SADDLE_OK);
    assert_true(fabs(product - 7 * lift * cos(0.7)) < 1e-14);
    assert_int_equal(saddle_couplings_stiffness(c, NULL, &one, &product), SADDLE_OK);
    assert_true(fabs(product + 7 * lift * sin(0.7)) < 1e-14);
    step.fictitious = SADDLE_FICTITIOUS_MAP;
    assert_int_equal(saddle_couplings_update(c, &step, q, v), SADDLE_OK);
    assert_true(fabs(a.blocks[0].value[0] - lift * (cos(0.7) - h * sin(0.7) * 3)) < 1e-14);
    assert_true(a.term[0] == 0);
    q[0] = 4;
    REFUSED(saddle_couplings_update(c, &step, q, v), SADDLE_INVALID_ARGUMENT,
            "valve, cam: turned too far");
    saddle_couplings_free(c);
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

/* No components; components but no couplings, one of them attached by hand. */
static void without_couplings_the_graph_is_as_it_was(void **state)
{
    (void)state;
    saddle_attachments *graph;
    saddle_couplings *c;
    saddle_matrix K;
    double position[6] = {0}, v[6] = {1, 2, 3}, product[3];
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    assert_int_equal(saddle_couplings_create(NULL, graph, &c), SADDLE_OK);
    assert_null(saddle_couplings_position_start(c));
    for (int components = 0; components < 2; components++) {
        assert_int_equal(saddle_couplings_compile(c), SADDLE_OK);
        assert_int_equal(saddle_couplings_update(c, NULL, position, v), SADDLE_OK);
        assert_int_equal(saddle_couplings_load(c, v, product), SADDLE_OK);
        assert_int_equal(saddle_couplings_stiffness(c, NULL, v, product), SADDLE_OK);
        assert_int_equal(saddle_couplings_stiffness_matrix(c, &K), SADDLE_OK);
        assert_int_equal(saddle_matrix_entries(&K), 0);
        saddle_matrix_clear(&K);
        const double by_hand[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, term[3] = {0.5, 0, 0};
        const saddle_attachment_block block = {1, 3, 3, by_hand};
        const saddle_attachment attachment = {.component = 2,
                                              .block_count = 1,
                                              .blocks = &block,
                                              .term = term};
        for (int64_t id = 1; components == 0 && id < 3; id++)
            assert_int_equal(saddle_attachments_add(graph, &(saddle_component){.id = id}),
                             SADDLE_OK);
        if (components == 0)
            assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    }
    assert_true(v[3] == 2.5 && v[4] == 4 && v[5] == 6); /* 2 v + g */
    assert_true(product[0] == 0 && product[1] == 0 && product[2] == 0);
    saddle_couplings_free(c);
    saddle_attachments_free(graph);
}

static saddle_status build(saddle_context *context, void *user)
{
    (void)user;
    saddle_attachments *graph = NULL;
    saddle_couplings *c = NULL;
    const double point[3] = {1, 2, 3}, B[2] = {1, 2}, weights[3] = {0.25, 0.25, 0.5},
                 halves[2] = {0.5, 0.5};
    const double rest[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int64_t three[3] = {1, 2, 3}, four = 4;
    saddle_pose pose = saddle_pose_identity();
    saddle_matrix K = {0};
    double position[9 + 12 + 12 + 3 + 1 + 2 + 12] = {0}, v[9 + 6 + 6 + 3 + 1 + 2 + 6] = {0};
    memcpy(position, rest, sizeof rest);
    saddle_status status = saddle_attachments_create(context, &graph);
    if (status == SADDLE_OK) status = saddle_couplings_create(context, graph, &c);
    static const saddle_component components[] = {
        {.id = 1},
        {.id = 2},
        {.id = 3},
        {.id = 4, .kind = SADDLE_COMPONENT_FRAME},
        {.id = 5, .kind = SADDLE_COMPONENT_FRAME},
        {.id = 6},
        {.id = 7, .kind = SADDLE_COMPONENT_COORDINATES, .size = 1},
        {.id = 8, .kind = SADDLE_COMPONENT_COORDINATES, .size = 2}};
    for (int k = 0; status == SADDLE_OK && k < 8; k++)
        status = saddle_attachments_add(graph, &components[k]);
    if (status == SADDLE_OK)
        status = saddle_couplings_add_frame_on_points(c, 4, 3, three, rest, weights, &pose);
    if (status == SADDLE_OK) status = saddle_couplings_add_frame_on_frame(c, 5, four, &pose);
    if (status == SADDLE_OK) status = saddle_couplings_add_point_on_frame(c, 6, 5, point);
    if (status == SADDLE_OK) {
        const saddle_component more = {.id = 9, .kind = SADDLE_COMPONENT_FRAME};
        const int64_t frames[2] = {4, 5};
        const saddle_pose poses[2] = {pose, pose};
        status = saddle_attachments_add(graph, &more);
        if (status == SADDLE_OK)
            status = saddle_couplings_add_frame_on_frames(c, 9, 2, frames, halves, poses);
    }
    if (status == SADDLE_OK)
        status = saddle_couplings_add_coordinates(c, 8, 1, &components[6].id, B, NULL);
    if (status == SADDLE_OK) status = saddle_couplings_compile(c);
    if (status == SADDLE_OK) status = saddle_couplings_update(c, NULL, position, v);
    if (status == SADDLE_OK) status = saddle_couplings_load(c, v, NULL);
    if (status == SADDLE_OK) status = saddle_couplings_stiffness_matrix(c, &K);
    saddle_matrix_clear(&K);
    saddle_couplings_free(c);
    saddle_attachments_free(graph);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(build, NULL) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_differences_of_positions),
        cmocka_unit_test(rates_are_differences_of_blocks_in_axes_that_turn_and_in_such_that_do_not),
        cmocka_unit_test(what_moves_as_one_body_takes_its_attachments_along),
        cmocka_unit_test(at_rest_all_is_where_it_was_put),
        cmocka_unit_test(wrong_couplings_are_refused_by_name),
        cmocka_unit_test(a_map_that_fails_leaves_the_graph_as_it_was),
        cmocka_unit_test(a_map_of_the_hosts_own_is_treated_alike),
        cmocka_unit_test(without_couplings_the_graph_is_as_it_was),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
