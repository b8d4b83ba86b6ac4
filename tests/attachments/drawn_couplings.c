/* SPDX-License-Identifier: MIT */
#include "drawn_couplings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "space/space.h"

static const struct {
    const char *name;
    saddle_component_kind kind;
    int64_t size;
    int parametric;
} parts[COMPONENTS] = {
    [BODY] = {"body", SADDLE_COMPONENT_FRAME, 6, 0},
    [ANGLE] = {"angle", SADDLE_COMPONENT_COORDINATES, 1, 0},
    [PAIR] = {"pair", SADDLE_COMPONENT_COORDINATES, 2, 0},
    [LINK] = {"link", SADDLE_COMPONENT_FRAME, 6, 0},
    [HAND] = {"hand", SADDLE_COMPONENT_FRAME, 6, 0},
    [TOOL] = {"tool", SADDLE_COMPONENT_FRAME, 6, 0},
    [TIP] = {"tip", SADDLE_COMPONENT_PARTICLE, 3, 0},
    [INSIDE] = {"inside", SADDLE_COMPONENT_PARTICLE, 3, 0},
    [CORE] = {"core", SADDLE_COMPONENT_FRAME, 6, 0},
    [CLOUD] = {"cloud", SADDLE_COMPONENT_FRAME, 6, 0},
    [BETWEEN] = {"between", SADDLE_COMPONENT_PARTICLE, 3, 0},
    [MARKER] = {"marker", SADDLE_COMPONENT_PARTICLE, 3, 0},
    [CRANK] = {"crank", SADDLE_COMPONENT_FRAME, 6, 0},
    [HAND_OF_CLOCK] = {"hand of clock", SADDLE_COMPONENT_PARTICLE, 3, 0},
    [MOTOR] = {"motor", SADDLE_COMPONENT_FRAME, 6, 1},
    [DRIVEN] = {"driven", SADDLE_COMPONENT_PARTICLE, 3, 0},
    [MEAN] = {"mean", SADDLE_COMPONENT_FRAME, 6, 0},
    [SPEED] = {"speed", SADDLE_COMPONENT_COORDINATES, 1, 0},
};

static void draw(uint64_t *state, int64_t count, double size, double *x)
{
    for (int64_t i = 0; i < count; i++) x[i] = test_uniform(state, -size, size);
}

static saddle_pose draw_pose(uint64_t *state)
{
    double twist[6];
    draw(state, 6, 1, twist);
    return saddle_pose_exp(twist);
}

/* Q = exp(a q_1) exp(b q_2); S = [Ad a, b], Ad into the axes that exp(b q_2) turns, so d(Ad a) =
 * -ad(b dq_2) Ad a. */
static int universal(const void *data, const double *q, saddle_pose *Q, double *S)
{
    const double *a = data, *b = a + 6;
    double first[6], second[6], A[36];
    for (int i = 0; i < 6; i++) {
        first[i] = a[i] * q[0];
        second[i] = b[i] * q[1];
    }
    if (fabs(q[0]) > 100) return 1;
    saddle_pose outer = saddle_pose_exp(first), inner = saddle_pose_exp(second);
    *Q = saddle_pose_multiply(&outer, &inner);
    saddle_pose_adjoint_inverse(&inner, A);
    for (int i = 0; i < 6; i++) {
        S[i] = 0;
        for (int k = 0; k < 6; k++) S[i] += A[i + 6 * k] * a[k];
        S[i + 6] = b[i];
    }
    return 0;
}

static int universal_rate(const void *data, const double *q, const double *dq, double *dS)
{
    const double *b = (const double *)data + 6;
    double S[12], s[6], ad[36];
    saddle_pose Q;
    if (universal(data, q, &Q, S) != 0) return 1;
    for (int i = 0; i < 6; i++) s[i] = -b[i] * dq[1];
    saddle_twist_adjoint(s, ad);
    for (int i = 0; i < 6; i++) {
        dS[i] = dS[i + 6] = 0;
        for (int k = 0; k < 6; k++) dS[i] += ad[i + 6 * k] * S[k];
    }
    return 0;
}

static saddle_status add_components(saddle_attachments *graph)
{
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < COMPONENTS; k++) {
        saddle_component component = {.id = k};
        if (k >= 8) {
            component.name = parts[k].name;
            component.kind = parts[k].kind;
            component.size = parts[k].size;
            component.parametric = parts[k].parametric;
        }
        status = saddle_attachments_add(graph, &component);
    }
    return status;
}

static void draw_hexahedron(uint64_t *state, double *node)
{
    static const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                        {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    for (int n = 0; n < 8; n++)
        for (int i = 0; i < 3; i++) node[3 * n + i] = corner[n][i] + test_uniform(state, -0.2, 0.2);
}

/* Coupling number `which`, 0 to 13; node, drawn: numbers to make it of. */
static saddle_status add_coupling(drawn_couplings *d, int which, const double *node,
                                  const double *drawn)
{
    saddle_couplings *c = d->couplings;
    static const int64_t nodes[8] = {0, 1, 2, 3, 4, 5, 6, 7}, body = BODY, link = LINK;
    static const int64_t cloud[5] = {INSIDE, 0, 2, 5, 7}, two[2] = {TIP, INSIDE},
                         turn[2] = {ANGLE, SPEED};
    const saddle_pose pose[4] = {saddle_pose_exp(drawn), saddle_pose_exp(drawn + 6),
                                 saddle_pose_exp(drawn + 12), saddle_pose_exp(drawn + 18)};
    static const int64_t blend[3] = {CLOUD, INSIDE, TOOL}, frames[3] = {BODY, CLOUD, HAND};
    const double weighted[12] = {0.6, drawn[7], drawn[8], drawn[9],  0.1, 0,
                                 0,   0,        0.3,      drawn[10], 0.5, drawn[11]};
    double rest[15], weights[5];
    saddle_motion joint = {.size = 1,
                           .before = pose[0],
                           .after = pose[1],
                           .evaluate = saddle_motion_screw};
    saddle_pose core = pose[2];
    for (int i = 0; i < 3; i++) core.p[i] *= 0.4;
    for (int i = 0; i < 15; i++) rest[i] = i < 3 ? core.p[i] : node[3 * cloud[i / 3] + i % 3];
    for (int i = 0; i < 4; i++) weights[i] = 0.2 + 0.05 * drawn[40 + i];
    weights[4] = 1 - weights[0] - weights[1] - weights[2] - weights[3];
    switch (which) {
    case 0: return saddle_couplings_add_coordinates(c, PAIR, 2, turn, drawn + 30, drawn + 34);
    case 1:
        joint.data = d->parameters;
        return saddle_couplings_add_body_on_joint(c, LINK, &body, ANGLE, &joint);
    case 2:
        joint = (saddle_motion){2,         pose[2],        pose[3],
                                universal, universal_rate, d->parameters + 12,
                                NULL};
        return saddle_couplings_add_body_on_joint(c, HAND, &link, PAIR, &joint);
    case 3: return saddle_couplings_add_frame_on_frame(c, TOOL, HAND, &pose[3]);
    case 4: return saddle_couplings_add_point_on_frame(c, TIP, TOOL, drawn + 3);
    case 5:
        return saddle_couplings_add_point_in_element(c, INSIDE, SADDLE_ELEMENT_HEXAHEDRON, nodes,
                                                     node, core.p);
    case 6:
        return saddle_couplings_add_frame_in_element(c, CORE, SADDLE_ELEMENT_HEXAHEDRON, nodes,
                                                     node, &core);
    case 7:
        return saddle_couplings_add_frame_on_points(c, CLOUD, 5, cloud, rest, weights, &pose[1]);
    case 8: return saddle_couplings_add_point_on_points(c, BETWEEN, 2, two, (double[2]){0.3, 0.7});
    case 9: return saddle_couplings_add_point(c, MARKER, 3, blend, weighted);
    case 10:
        joint.data = d->parameters + 6;
        return saddle_couplings_add_body_on_joint(c, CRANK, NULL, ANGLE, &joint);
    case 11: return saddle_couplings_add_point_on_frame(c, HAND_OF_CLOCK, CRANK, drawn + 9);
    case 12:
        return saddle_couplings_add_frame_on_frames(c, MEAN, 3, frames,
                                                    (double[3]){0.6, 0.25, 0.15}, pose);
    default: return saddle_couplings_add_point_on_frame(c, DRIVEN, MOTOR, drawn + 11);
    }
}

static saddle_status draw_state(drawn_couplings *d, uint64_t *state, const double *node)
{
    const int64_t *start = saddle_couplings_position_start(d->couplings);
    d->positions = start[COMPONENTS];
    d->position = calloc((size_t)d->positions, sizeof *d->position);
    d->u = calloc((size_t)d->active, sizeof *d->u);
    assert_true(d->position && d->u);
    for (int i = 0; i < 24; i++) d->position[i] = node[i] + test_uniform(state, -0.2, 0.2);
    saddle_pose body = draw_pose(state), motor = draw_pose(state);
    memcpy(d->position + start[BODY], &body, sizeof body);
    memcpy(d->position + start[MOTOR], &motor, sizeof motor);
    draw(state, 1, 1, d->position + start[ANGLE]);
    draw(state, 1, 1, d->position + start[SPEED]);
    draw(state, d->active, 1, d->u);
    return saddle_couplings_place(d->couplings, d->position);
}

drawn_couplings draw_couplings(saddle_context *context, uint64_t *state)
{
    enum { COUPLINGS = 14 };
    drawn_couplings d = {0};
    double node[24], drawn[64], velocity[6];
    draw_hexahedron(state, node);
    draw(state, 64, 1, drawn);
    d.parameters = calloc(24, sizeof *d.parameters);
    assert_non_null(d.parameters);
    draw(state, 24, 1, d.parameters);
    draw(state, 6, 1, velocity);
    assert_int_equal(saddle_attachments_create(context, &d.graph), SADDLE_OK);
    assert_int_equal(add_components(d.graph), SADDLE_OK);
    assert_int_equal(saddle_attachments_prescribe(d.graph, MOTOR, velocity), SADDLE_OK);
    assert_int_equal(saddle_couplings_create(context, d.graph, &d.couplings), SADDLE_OK);
    int first = (int)test_integer(state, 0, COUPLINGS - 1);
    for (int k = 0; k < COUPLINGS; k++) /* 5 and 14 have no common factor: each once */
        assert_int_equal(add_coupling(&d, (first + 5 * k) % COUPLINGS, node, drawn), SADDLE_OK);
    assert_int_equal(saddle_couplings_compile(d.couplings), SADDLE_OK);
    saddle_map *map;
    assert_int_equal(saddle_map_create(context, d.graph, &map), SADDLE_OK);
    saddle_map_size size = saddle_map_size_of(map);
    saddle_map_free(map);
    d.n = size.n;
    d.active = size.active;
    assert_int_equal(d.active, 24 + 6 + 1 + 1);
    assert_true(size.depth >= 4);
    assert_int_equal(draw_state(&d, state, node), SADDLE_OK);
    return d;
}

void clear_couplings(drawn_couplings *drawn)
{
    saddle_couplings_free(drawn->couplings);
    saddle_attachments_free(drawn->graph);
    free(drawn->position);
    free(drawn->u);
    free(drawn->parameters);
}

void spread_velocities(const drawn_couplings *drawn, const double *u, double *v)
{
    int64_t next = 0;
    for (int64_t k = 0; k < COMPONENTS; k++) {
        saddle_component_view view = saddle_attachments_component(drawn->graph, k);
        for (int64_t i = 0; i < view.component.size; i++) {
            v[view.first + i] = view.velocity ? view.velocity[i] : 0;
            if (view.state == SADDLE_COMPONENT_STATE_ACTIVE) v[view.first + i] = u[next++];
        }
    }
    assert_int_equal(next, drawn->active);
}

void move_couplings(const drawn_couplings *drawn, const double *u, double time, double *position)
{
    const int64_t *start = saddle_couplings_position_start(drawn->couplings);
    double *v = calloc((size_t)drawn->n, sizeof *v);
    assert_non_null(v);
    spread_velocities(drawn, u, v);
    memcpy(position, drawn->position, (size_t)drawn->positions * sizeof *position);
    for (int64_t k = 0; k < COMPONENTS; k++) {
        saddle_component_view view = saddle_attachments_component(drawn->graph, k);
        double *own = position + start[k];
        const double *moving = v + view.first;
        if (view.component.kind != SADDLE_COMPONENT_FRAME) {
            for (int64_t i = 0; i < view.component.size; i++) own[i] += time * moving[i];
            continue;
        }
        double twist[6];
        saddle_pose pose;
        for (int i = 0; i < 6; i++) twist[i] = time * moving[i];
        memcpy(&pose, own, sizeof pose);
        saddle_pose step = saddle_pose_exp(twist);
        pose = saddle_pose_multiply(&pose, &step);
        memcpy(own, &pose, sizeof pose);
    }
    assert_int_equal(saddle_couplings_place(drawn->couplings, position), SADDLE_OK);
    free(v);
}

void turned_axes(const drawn_couplings *drawn, int64_t component, const double *from,
                 const double *to, double *X)
{
    int64_t at = saddle_couplings_position_start(drawn->couplings)[component] + 3;
    saddle__transposed_product3(from + at, to + at, X);
}

void turn_vector(const drawn_couplings *drawn, const double *from, const double *to, int inverse,
                 double *x)
{
    for (int64_t k = 0; k < COMPONENTS; k++) {
        saddle_component_view view = saddle_attachments_component(drawn->graph, k);
        double X[9];
        if (view.component.kind != SADDLE_COMPONENT_FRAME) continue;
        turned_axes(drawn, k, from, to, X);
        for (int64_t half = view.first; half < view.first + 6; half += 3) {
            if (inverse)
                saddle__unrotate(X, x + half, x + half);
            else
                saddle__rotate(X, x + half, x + half);
        }
    }
}
