/* SPDX-License-Identifier: MIT */
/* See drawn_model.h. */
#include "drawn_model.h"

#include <math.h>
#include <string.h>

#include "space/space.h"

/* ---- sums over anchors ---- */

/* g (size) = ds/dq of one anchor. */
static void gradient(const saddle_site *site, const drawn_sum *sum, int64_t k, double *g)
{
    memcpy(g, sum->c[k], 3 * sizeof *g);
    if (site->size[k] == 3) return;
    saddle__unrotate(site->position[k] + 3, sum->c[k], g);
    saddle__cross(sum->X[k], g, g + 3);
    if (sum->angular) memset(g, 0, 3 * sizeof *g);
}

/* G (6 x 3): dg by a turn of a body: R'c -> R'c + [R'c] d. */
static void turned_gradient(const saddle_site *site, const drawn_sum *sum, int64_t k, double *G)
{
    double c[3], W[9];
    saddle__unrotate(site->position[k] + 3, sum->c[k], c);
    saddle__skew(c, W);
    for (int j = 0; j < 3; j++) {
        memcpy(G + 6 * j, W + 3 * j, 3 * sizeof *G);
        saddle__cross(sum->X[k], W + 3 * j, G + 6 * j + 3);
        if (sum->angular) memset(G + 6 * j, 0, 3 * sizeof *G);
    }
}

double drawn_sum_value(const saddle_site *site, const drawn_sum *sum)
{
    double s = 0;
    for (int64_t k = 0; k < site->count; k++) {
        const int stays = sum->angular && site->size[k] == 6;
        double x[3] = {0, 0, 0};
        if (site->size[k] == 6) saddle__rotate(site->position[k] + 3, sum->X[k], x);
        for (int i = 0; i < 3; i++) s += sum->c[k][i] * ((stays ? 0 : site->position[k][i]) + x[i]);
    }
    return s;
}

static double sum_rate(const saddle_site *site, const drawn_sum *sum)
{
    double rate = 0;
    for (int64_t k = 0; k < site->count; k++) {
        double g[6];
        gradient(site, sum, k, g);
        for (int64_t i = 0; i < site->size[k]; i++) rate += g[i] * site->velocity[k][i];
    }
    return rate;
}

/* ---- forces ---- */

static saddle_status evaluate_force(saddle_context *context, const saddle_site *site,
                                    double *const *force)
{
    (void)context;
    const drawn_force *data = site->data;
    const double F = -(data->k * drawn_sum_value(site, &data->sum) +
                       data->d * sum_rate(site, &data->sum));
    for (int64_t k = 0; k < site->count; k++) {
        double g[6];
        gradient(site, &data->sum, k, g);
        for (int64_t i = 0; i < site->size[k]; i++) force[k][i] = F * g[i];
    }
    return SADDLE_OK;
}

/* block += scale ds_a' . outer product */
static void add_outer(double *block, int64_t rows, int64_t cols, double scale, const double *a,
                      const double *b)
{
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = 0; i < rows; i++) block[i + rows * j] += scale * a[i] * b[j];
    }
}

static saddle_status force_jacobians(saddle_context *context, const saddle_site *site,
                                     double *const *K, double *const *D)
{
    (void)context;
    const drawn_force *data = site->data;
    const drawn_sum *sum = &data->sum;
    const double F = -(data->k * drawn_sum_value(site, sum) + data->d * sum_rate(site, sum));
    for (int64_t a = 0; a < site->count; a++) {
        double ga[6], G[18];
        gradient(site, sum, a, ga);
        for (int64_t b = 0; b < site->count; b++) {
            double gb[6], turning[6] = {0}; /* d(ds/dt)/dq_b */
            gradient(site, sum, b, gb);
            if (site->size[b] == 6) {
                turned_gradient(site, sum, b, G);
                for (int j = 0; j < 3; j++) {
                    for (int i = 0; i < 6; i++)
                        turning[3 + j] += G[i + 6 * j] * site->velocity[b][i];
                }
            }
            double *block = K[a * site->count + b];
            add_outer(block, site->size[a], site->size[b], -data->k, ga, gb);
            add_outer(block, site->size[a], site->size[b], -data->d, ga, turning);
            add_outer(D[a * site->count + b], site->size[a], site->size[b], -data->d, ga, gb);
            for (int e = 0; a == b && site->size[a] == 6 && e < 18; e++) block[18 + e] += F * G[e];
        }
    }
    return SADDLE_OK;
}

static double force_energy(const saddle_site *site)
{
    const drawn_force *data = site->data;
    const double s = drawn_sum_value(site, &data->sum);
    return data->k * s * s / 2;
}

const saddle_force_type drawn_force_type = {.name = "drawn",
                                            .evaluate = evaluate_force,
                                            .jacobians = force_jacobians,
                                            .energy = force_energy};
const saddle_force_type drawn_symmetric_type = {.name = "drawn symmetric",
                                                .evaluate = evaluate_force,
                                                .jacobians = force_jacobians,
                                                .symmetric = 1,
                                                .energy = force_energy};

/* ---- constraints ---- */

static saddle_status evaluate_constraint(saddle_context *context, const saddle_site *site,
                                         saddle_constraint_values *values)
{
    (void)context;
    const drawn_constraint *data = site->data;
    for (int64_t i = 0; i < data->rows; i++) {
        const double s = drawn_sum_value(site, &data->sum[i]);
        values->phi[i] = sin(s) + data->r[i] * site->time;
        values->rate[i] = data->r[i];
        for (int64_t k = 0; k < site->count; k++) {
            double g[6];
            gradient(site, &data->sum[i], k, g);
            for (int64_t j = 0; j < site->size[k]; j++)
                values->J[k][i * site->size[k] + j] = cos(s) * g[j];
        }
    }
    return SADDLE_OK;
}

static saddle_status constraint_drift(saddle_context *context, const saddle_site *site,
                                      double *drift)
{
    (void)context;
    const drawn_constraint *data = site->data;
    for (int64_t i = 0; i < data->rows; i++) {
        const double s = drawn_sum_value(site, &data->sum[i]), rate = sum_rate(site, &data->sum[i]);
        double second = 0;
        for (int64_t k = 0; k < site->count; k++) {
            double G[18];
            if (site->size[k] != 6) continue;
            turned_gradient(site, &data->sum[i], k, G);
            for (int e = 0; e < 18; e++)
                second += site->velocity[k][e % 6] * G[e] * site->velocity[k][3 + e / 6];
        }
        drift[i] = cos(s) * second - sin(s) * rate * rate;
    }
    return SADDLE_OK;
}

static saddle_status constraint_stiffness(saddle_context *context, const saddle_site *site,
                                          const double *force, double *const *K)
{
    (void)context;
    const drawn_constraint *data = site->data;
    for (int64_t i = 0; i < data->rows; i++) {
        const double s = drawn_sum_value(site, &data->sum[i]);
        for (int64_t a = 0; a < site->count; a++) {
            double ga[6], gb[6], G[18];
            gradient(site, &data->sum[i], a, ga);
            for (int64_t b = 0; b < site->count; b++) {
                gradient(site, &data->sum[i], b, gb);
                add_outer(K[a * site->count + b], site->size[a], site->size[b], -sin(s) * force[i],
                          ga, gb);
            }
            if (site->size[a] != 6) continue;
            turned_gradient(site, &data->sum[i], a, G);
            for (int e = 0; e < 18; e++) K[a * site->count + a][18 + e] += cos(s) * force[i] * G[e];
        }
    }
    return SADDLE_OK;
}

const saddle_constraint_type drawn_constraint_type = {"drawn", evaluate_constraint,
                                                      constraint_drift, constraint_stiffness};

/* ---- drawing ---- */

static void draw_vector(uint64_t *state, double *x, int64_t count, double size)
{
    for (int64_t k = 0; k < count; k++) x[k] = test_uniform(state, -size, size);
}

void draw_pose(uint64_t *state, saddle_pose *pose)
{
    double twist[6];
    draw_vector(state, twist, 6, 2);
    *pose = saddle_pose_exp(twist);
}

saddle_body_inertia draw_inertia(uint64_t *state)
{
    saddle_body_inertia box, inertia;
    const double size[3] = {test_uniform(state, 0.2, 1), test_uniform(state, 0.2, 1),
                            test_uniform(state, 0.2, 1)};
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size,
                                                 test_uniform(state, 0.5, 3), &box),
                     SADDLE_OK);
    if (test_integer(state, 0, 2) == 0) return box; /* about its centre: fewer entries of M */
    saddle_pose pose;
    draw_pose(state, &pose);
    saddle_body_inertia_move(&box, &pose, &inertia);
    return inertia;
}

/* A symmetric positive definite matrix with a drawn pattern. */
static void draw_definite(saddle_context *context, uint64_t *state, int64_t size, saddle_matrix *A)
{
    int64_t row[400], col[400], count = 0;
    double value[400];
    for (int64_t j = 0; j < size; j++) {
        for (int64_t i = j; i < size; i++) {
            if (i != j && test_integer(state, 0, 3) > 0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = i == j ? test_uniform(state, 4, 6) : test_uniform(state, -0.4, 0.4);
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(context, size, size, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, A),
                     SADDLE_OK);
}

static void draw_nodes(saddle_context *context, uint64_t *state, drawn_model *drawn, int64_t k)
{
    double position[24], velocity[24], rest[24];
    saddle_matrix M, *K = &drawn->stiffness[k];
    saddle_nodes_def def = {.count = test_integer(state, 1, 4),
                            .position = position,
                            .velocity = velocity,
                            .mass = &M};
    draw_vector(state, position, 24, 2);
    draw_vector(state, velocity, 24, 2);
    draw_vector(state, rest, 24, 2);
    draw_definite(context, state, 3 * def.count, &M);
    if (test_integer(state, 0, 1)) {
        draw_definite(context, state, 3 * def.count, K);
        def.stiffness = K;
    } else {
        assert_int_equal(saddle_matrix_create(context, 3 * def.count, 3 * def.count, 0,
                                              SADDLE_SYMMETRY_LOWER, K),
                         SADDLE_OK);
    }
    if (test_integer(state, 0, 1)) def.rest = rest;
    if (test_integer(state, 0, 1)) def.damping_mass = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) def.damping_stiffness = test_uniform(state, 0, 1);
    drawn->damping_mass[k] = def.damping_mass;
    drawn->damping_stiffness[k] = def.damping_stiffness;
    assert_int_equal(saddle_model_add_nodes(drawn->model, &def, &drawn->part[k]), SADDLE_OK);
    saddle_matrix_clear(&M);
}

static void draw_part(saddle_context *context, uint64_t *state, drawn_wishes wishes,
                      drawn_model *drawn)
{
    const int64_t kind = test_integer(state, 0, 3), k = drawn->parts++;
    const int prescribed = !wishes.no_prescribed && k > 0 && test_integer(state, 0, 4) == 0;
    drawn->prescribed[k] = prescribed;
    if (kind == 0 && !prescribed && !wishes.no_nodes) {
        draw_nodes(context, state, drawn, k);
    } else if (kind == 1 || wishes.only_points) {
        saddle_particle_def def = {.name = k == 2 ? "bob" : NULL,
                                   .mass = test_uniform(state, 0.5, 2),
                                   .prescribed = prescribed};
        draw_vector(state, def.position, 3, 2);
        draw_vector(state, def.velocity, 3, 2);
        assert_int_equal(saddle_model_add_particle(drawn->model, &def, &drawn->part[k]), SADDLE_OK);
    } else {
        saddle_body_def def = saddle_body_def_default();
        def.inertia = draw_inertia(state);
        def.prescribed = prescribed;
        def.name = k == 1 ? "tibia" : NULL;
        draw_pose(state, &def.pose);
        draw_vector(state, def.twist, 6, 2);
        assert_int_equal(saddle_model_add_body(drawn->model, &def, &drawn->part[k]), SADDLE_OK);
    }
}

/* Distinct anchors, the first of them moves; the ground may be among them. */
static int64_t draw_anchors(uint64_t *state, const drawn_model *drawn, saddle_anchor *anchor)
{
    const int64_t wanted = test_integer(state, 1, DRAWN_ANCHORS);
    int64_t count = 0;
    for (int64_t tries = 0; count < wanted && tries < 50; tries++) {
        const int64_t k = test_integer(state, count == 0 ? 0 : -1, drawn->parts - 1);
        saddle_anchor made = {{0}, 0};
        if (k >= 0) {
            if (count == 0 && drawn->prescribed[k]) continue;
            const int64_t nodes = saddle_model_node_count(drawn->model, drawn->part[k]);
            made.part = drawn->part[k];
            made.node = nodes > 1 ? test_integer(state, 0, nodes - 1) : 0;
        }
        int again = 0;
        for (int64_t i = 0; i < count; i++) {
            again |= anchor[i].part.index == made.part.index &&
                     anchor[i].part.item == made.part.item && anchor[i].node == made.node;
        }
        if (!again) anchor[count++] = made;
    }
    return count;
}

static void draw_sum(uint64_t *state, drawn_sum *sum)
{
    draw_vector(state, &sum->c[0][0], 3 * DRAWN_ANCHORS, 1);
    draw_vector(state, &sum->X[0][0], 3 * DRAWN_ANCHORS, 1);
}

static void draw_constraint(uint64_t *state, drawn_wishes wishes, drawn_model *drawn)
{
    drawn_constraint data = {.rows = test_integer(state, 1, DRAWN_ROWS)};
    saddle_anchor anchor[DRAWN_ANCHORS];
    saddle_row_def row[DRAWN_ROWS];
    const int64_t k = drawn->constraints++;
    for (int64_t i = 0; i < data.rows; i++) {
        draw_sum(state, &data.sum[i]);
        data.r[i] = test_uniform(state, -1, 1);
        row[i] = saddle_row_def_default();
        row[i].angular = data.sum[i].angular = test_integer(state, 0, 2) == 0;
        row[i].purpose = wishes.only_hold
                             ? SADDLE_PURPOSE_HOLD
                             : (saddle_purpose)test_integer(state, 0, wishes.with_impacts ? 3 : 2);
        const int bounces = row[i].purpose == SADDLE_PURPOSE_LIMIT ||
                            row[i].purpose == SADDLE_PURPOSE_IMPACT;
        if (test_integer(state, 0, 1) && !bounces) row[i].strength = test_uniform(state, 0, 5);
        if (test_integer(state, 0, 1)) row[i].compliance.alpha = test_uniform(state, 0, 1);
        if (test_integer(state, 0, 1)) row[i].compliance.beta = test_uniform(state, 0, 1);
        if (test_integer(state, 0, 1)) row[i].compliance.steps = test_uniform(state, 0, 3);
        row[i].target = test_uniform(state, -1, 1);
        if (bounces && test_integer(state, 0, 1)) row[i].restitution = test_uniform(state, 0, 1);
    }
    const saddle_constraint_def def = {.name = k == 1 ? "knee" : NULL,
                                       .type = &drawn_constraint_type,
                                       .count = draw_anchors(state, drawn, anchor),
                                       .anchors = anchor,
                                       .rows = data.rows,
                                       .row = row,
                                       .data = &data,
                                       .bytes = sizeof data};
    assert_int_equal(saddle_model_add_constraint(drawn->model, &def, &drawn->constraint[k]),
                     SADDLE_OK);
}

static void draw_force(uint64_t *state, drawn_wishes wishes, drawn_model *drawn)
{
    const int64_t k = drawn->forces++;
    drawn_force data = {.k = test_uniform(state, 0, 5)};
    draw_sum(state, &data.sum);
    if (test_integer(state, 0, 1)) data.d = test_uniform(state, 0, 2);
    drawn->anchors[k] = draw_anchors(state, drawn, drawn->anchor[k]);
    const saddle_force_def def = {.type = wishes.only_points ? &drawn_symmetric_type
                                                             : &drawn_force_type,
                                  .count = drawn->anchors[k],
                                  .anchors = drawn->anchor[k],
                                  .data = &data,
                                  .bytes = sizeof data};
    assert_int_equal(saddle_model_add_force(drawn->model, &def, &drawn->force[k]), SADDLE_OK);
}

void draw_model(saddle_context *context, uint64_t *state, drawn_wishes wishes, drawn_model *drawn)
{
    *drawn = (drawn_model){.model = NULL};
    assert_int_equal(saddle_model_create(context, &drawn->model), SADDLE_OK);
    double gravity[3];
    draw_vector(state, gravity, 3, 10);
    saddle_model_set_gravity(drawn->model, gravity);
    saddle_model_set_time(drawn->model, test_uniform(state, 0, 1));
    const int64_t parts = test_integer(state, 1, 5), forces = test_integer(state, 0, 3);
    const int64_t constraints = test_integer(state, 0, 4);
    for (int64_t k = 0; k < parts; k++) draw_part(context, state, wishes, drawn);
    for (int64_t k = 0; k < forces; k++) draw_force(state, wishes, drawn);
    for (int64_t k = 0; k < constraints; k++) draw_constraint(state, wishes, drawn);
}

void drawn_clear(drawn_model *drawn)
{
    for (int64_t k = 0; k < drawn->parts; k++) saddle_matrix_clear(&drawn->stiffness[k]);
    saddle_model_free(drawn->model);
}

/* ---- state ---- */

static void copy_state(const drawn_model *drawn, drawn_state *state, int restore)
{
    for (int64_t k = 0; k < drawn->parts; k++) {
        const int64_t nodes = saddle_model_node_count(drawn->model, drawn->part[k]);
        const size_t x = (size_t)(nodes == 0 ? 12 : 3 * nodes),
                     v = (size_t)(nodes == 0 ? 6 : 3 * nodes);
        double *position = saddle_model_position(drawn->model, drawn->part[k]);
        double *velocity = saddle_model_velocity(drawn->model, drawn->part[k]);
        memcpy(restore ? position : state->position[k], restore ? state->position[k] : position,
               x * sizeof(double));
        memcpy(restore ? velocity : state->velocity[k], restore ? state->velocity[k] : velocity,
               v * sizeof(double));
    }
}

void drawn_keep(const drawn_model *drawn, drawn_state *state)
{
    copy_state(drawn, state, 0);
    state->time = saddle_model_time(drawn->model);
}

void drawn_restore(const drawn_model *drawn, const drawn_state *state)
{
    drawn_state copy = *state;
    copy_state(drawn, &copy, 1);
    saddle_model_set_time(drawn->model, state->time);
}
