/* SPDX-License-Identifier: MIT */
/* Geometric stiffness through the graph against differences of the forces that arrive, and
 * assembled against applied. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_couplings.h"

enum { TRIALS = 30 };

static double *room(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static int is_frame(const drawn_couplings *d, int64_t k)
{
    return saddle_attachments_component(d->graph, k).component.kind == SADDLE_COMPONENT_FRAME;
}

/* A drawn full matrix over all velocities that are positions' rates themselves: particles and
 * coordinates. */
static saddle_matrix draw_stiffness(const drawn_couplings *d, uint64_t *state)
{
    int64_t *row = calloc((size_t)(d->n * d->n), sizeof *row),
            *col = calloc((size_t)(d->n * d->n), sizeof *col);
    double *value = room(d->n * d->n);
    int64_t count = 0;
    assert_true(row && col);
    for (int64_t a = 0; a < COMPONENTS; a++)
        for (int64_t b = 0; b < COMPONENTS; b++) {
            saddle_component_view left = saddle_attachments_component(d->graph, a);
            saddle_component_view right = saddle_attachments_component(d->graph, b);
            if (is_frame(d, a) || is_frame(d, b)) continue;
            for (int64_t i = 0; i < left.component.size; i++)
                for (int64_t j = 0; j < right.component.size; j++, count++) {
                    row[count] = left.first + i;
                    col[count] = right.first + j;
                    value[count] = test_uniform(state, -1, 1);
                }
        }
    saddle_matrix G;
    assert_int_equal(saddle_matrix_from_triplets(NULL, d->n, d->n, count, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &G),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return G;
}

/* Forces at `position`: f and, of springs, G_f times the way from d->position. */
static void forces_at(const drawn_couplings *d, const double *f, const saddle_matrix *G,
                      const double *position, double *at)
{
    const int64_t *start = saddle_couplings_position_start(d->couplings);
    double *way = room(d->n);
    memcpy(at, f, (size_t)d->n * sizeof *at);
    for (int64_t k = 0; k < COMPONENTS; k++) {
        saddle_component_view view = saddle_attachments_component(d->graph, k);
        for (int64_t i = 0; !is_frame(d, k) && i < view.component.size; i++)
            way[view.first + i] = position[start[k] + i] - d->position[start[k] + i];
    }
    if (G) saddle_matrix_apply(G, 1, way, 1, at);
    free(way);
}

/* The frames' axes among reduced forces: only BODY's are active. */
static void turn_reduced(const drawn_couplings *d, const double *from, const double *to,
                         double *reduced)
{
    double *v = room(d->n);
    spread_velocities(d, reduced, v);
    turn_vector(d, from, to, 0, v);
    int64_t next = 0;
    for (int64_t k = 0; k < COMPONENTS; k++) {
        saddle_component_view view = saddle_attachments_component(d->graph, k);
        for (int64_t i = 0; view.state == SADDLE_COMPONENT_STATE_ACTIVE && i < view.component.size;
             i++)
            reduced[next++] = v[view.first + i];
    }
    free(v);
}

/* Q'f at d->position moved by u for a time; with axes held, f is given in and Q'f brought back to
 * the axes at d->position. */
static void reduced_at(const drawn_couplings *d, const double *f, const saddle_matrix *G,
                       double time, saddle_axes axes, double *reduced)
{
    double *position = room(d->positions), *v = room(d->n), *at = room(d->n);
    move_couplings(d, d->u, time, position);
    forces_at(d, f, G, position, at);
    if (axes == SADDLE_AXES_STEP) turn_vector(d, d->position, position, 1, at);
    assert_int_equal(saddle_couplings_update(d->couplings, NULL, position, v), SADDLE_OK);
    assert_int_equal(saddle_couplings_load(d->couplings, at, reduced), SADDLE_OK);
    if (axes == SADDLE_AXES_STEP) turn_reduced(d, d->position, position, reduced);
    free(position);
    free(v);
    free(at);
}

static void stop_motor(const drawn_couplings *d)
{
    const double still[6] = {0};
    assert_int_equal(saddle_attachments_prescribe(d->graph, MOTOR, still), SADDLE_OK);
}

static void load_at_rest(const drawn_couplings *d, const double *f, saddle_axes axes)
{
    double *v = room(d->n);
    const saddle_coupling_step step = {.axes = axes};
    assert_int_equal(saddle_couplings_update(d->couplings, &step, d->position, v), SADDLE_OK);
    assert_int_equal(saddle_couplings_load(d->couplings, f, NULL), SADDLE_OK);
    free(v);
}

static void stiffness_is_the_difference_of_the_forces_that_arrive(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const double h = 1e-5;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn_couplings d = draw_couplings(NULL, &seed);
        saddle_matrix G = draw_stiffness(&d, &seed);
        double *f = room(d.n), *ahead = room(d.active), *behind = room(d.active),
               *product = room(d.active);
        stop_motor(&d);
        for (int64_t i = 0; i < d.n; i++) f[i] = test_uniform(&seed, -1, 1);
        for (int axes = SADDLE_AXES_BODY; axes <= SADDLE_AXES_STEP; axes++)
            for (int springs = 0; springs < 2; springs++) {
                const saddle_matrix *own = springs ? &G : NULL;
                reduced_at(&d, f, own, h, (saddle_axes)axes, ahead);
                reduced_at(&d, f, own, -h, (saddle_axes)axes, behind);
                load_at_rest(&d, f, (saddle_axes)axes);
                assert_int_equal(saddle_couplings_stiffness(d.couplings, own, d.u, product),
                                 SADDLE_OK);
                double largest = 0;
                for (int64_t i = 0; i < d.active; i++) largest = fmax(largest, fabs(product[i]));
                assert_true(largest > 0.01);
                for (int64_t i = 0; i < d.active; i++)
                    assert_true(fabs((ahead[i] - behind[i]) / (2 * h) - product[i]) <
                                1e-6 * (1 + largest));
            }
        free(f);
        free(ahead);
        free(behind);
        free(product);
        saddle_matrix_clear(&G);
        clear_couplings(&d);
    }
}

/* K beside G_f in a problem, taken through the reduction, does to u what the operator does. */
static void assembled_and_reduced_is_what_is_applied(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn_couplings d = draw_couplings(NULL, &seed);
        saddle_matrix G = draw_stiffness(&d, &seed), K;
        double *f = room(d.n), *applied = room(d.active), *assembled = room(d.active);
        saddle_axes axes = trial % 2 ? SADDLE_AXES_STEP : SADDLE_AXES_BODY;
        stop_motor(&d);
        for (int64_t i = 0; i < d.n; i++) f[i] = test_uniform(&seed, -1, 1);
        load_at_rest(&d, f, axes);
        assert_int_equal(saddle_couplings_stiffness_matrix(d.couplings, &K), SADDLE_OK);
        assert_int_equal(saddle_couplings_stiffness(d.couplings, &G, d.u, applied), SADDLE_OK);
        saddle_problem problem = {.n = d.n};
        assert_int_equal(saddle_matrix_add(NULL, 1, &G, 1, &K, &problem.M), SADDLE_OK);
        saddle_elimination *reduction;
        assert_int_equal(saddle_elimination_create(NULL, d.graph, &problem, SADDLE_WISH_ELIMINATE,
                                                   NULL, NULL, &reduction),
                         SADDLE_OK);
        saddle_matrix_apply(&saddle_elimination_problem(reduction)->M, 1, d.u, 0, assembled);
        double largest = 0;
        for (int64_t i = 0; i < d.active; i++) largest = fmax(largest, fabs(applied[i]));
        for (int64_t i = 0; i < d.active; i++)
            assert_true(fabs(applied[i] - assembled[i]) < 1e-12 * (1 + largest));
        saddle_elimination_free(reduction);
        saddle_matrix_clear(&problem.M);
        saddle_matrix_clear(&G);
        saddle_matrix_clear(&K);
        free(f);
        free(applied);
        free(assembled);
        clear_couplings(&d);
    }
}

/* Moving on: update, load, product and values allocate nothing, and values give the bits of a new
 * matrix. */
static void values_only_give_the_bits_of_a_new_matrix_and_allocate_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    drawn_couplings d = draw_couplings(context, &seed);
    saddle_matrix K, anew;
    double *f = room(d.n), *position = room(d.positions), *v = room(d.n), *product = room(d.active);
    for (int64_t i = 0; i < d.n; i++) f[i] = test_uniform(&seed, -1, 1);
    load_at_rest(&d, f, SADDLE_AXES_BODY);
    assert_int_equal(saddle_couplings_stiffness_matrix(d.couplings, &K), SADDLE_OK);
    move_couplings(&d, d.u, 0.1, position);
    int64_t allocations = saddle_context_memory(context).allocations;
    const saddle_coupling_step step = {0.01, SADDLE_FICTITIOUS_TERM, SADDLE_AXES_BODY};
    assert_int_equal(saddle_couplings_update(d.couplings, &step, position, v), SADDLE_OK);
    assert_int_equal(saddle_couplings_load(d.couplings, f, NULL), SADDLE_OK);
    assert_int_equal(saddle_couplings_stiffness(d.couplings, NULL, d.u, product), SADDLE_OK);
    assert_int_equal(saddle_couplings_stiffness_values(d.couplings, &K), SADDLE_OK);
    assert_int_equal(saddle_context_memory(context).allocations, allocations);
    assert_int_equal(saddle_couplings_stiffness_matrix(d.couplings, &anew), SADDLE_OK);
    int64_t entries = saddle_matrix_entries(&K);
    assert_int_equal(entries, saddle_matrix_entries(&anew));
    assert_memory_equal(K.value, anew.value, (size_t)entries * sizeof *K.value);
    saddle_matrix other = {.rows = d.n, .cols = d.n};
    assert_int_equal(saddle_couplings_stiffness_values(d.couplings, &other),
                     SADDLE_INVALID_ARGUMENT);
    saddle_matrix_clear(&K);
    saddle_matrix_clear(&anew);
    free(f);
    free(position);
    free(v);
    free(product);
    clear_couplings(&d);
    saddle_context_free(context);
}

/* A pendulum bob: weight m g at c on a body about a hinge; G = -m g l cos(angle) of the hinge's
 * coordinate, in either axes. */
static void a_pendulums_stiffness_is_that_of_its_weight(void **state)
{
    (void)state;
    const double m = 2, g = 9.81, length = 0.7, hinge[6] = {0, 0, 0, 0, 0, 1},
                 arm[3] = {length, 0, 0};
    static const saddle_component components[3] = {{.id = 0,
                                                    .kind = SADDLE_COMPONENT_COORDINATES,
                                                    .size = 1},
                                                   {.id = 1, .kind = SADDLE_COMPONENT_FRAME},
                                                   {.id = 2}};
    for (int trial = 0; trial < 20; trial++) {
        double angle = 0.4 * trial - 3, position[16] = {angle}, v[10] = {0}, product;
        const double f[10] = {[7] = m * g}, one = 1; /* along x, which is where the arm points at
                                                        angle 0 */
        saddle_attachments *graph;
        saddle_couplings *c;
        saddle_motion joint = {
            1,   saddle_pose_identity(), saddle_pose_identity(), saddle_motion_screw, NULL, hinge,
            NULL};
        assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
        for (int k = 0; k < 3; k++)
            assert_int_equal(saddle_attachments_add(graph, &components[k]), SADDLE_OK);
        assert_int_equal(saddle_couplings_create(NULL, graph, &c), SADDLE_OK);
        assert_int_equal(saddle_couplings_add_point_on_frame(c, 2, 1, arm), SADDLE_OK);
        assert_int_equal(saddle_couplings_add_body_on_joint(c, 1, NULL, 0, &joint), SADDLE_OK);
        assert_int_equal(saddle_couplings_compile(c), SADDLE_OK);
        const saddle_coupling_step step = {.axes = trial % 2 ? SADDLE_AXES_STEP : SADDLE_AXES_BODY};
        assert_int_equal(saddle_couplings_update(c, &step, position, v), SADDLE_OK);
        double torque;
        assert_int_equal(saddle_couplings_load(c, f, &torque), SADDLE_OK);
        assert_true(fabs(torque + m * g * length * sin(angle)) < 1e-13 * m * g);
        assert_int_equal(saddle_couplings_stiffness(c, NULL, &one, &product), SADDLE_OK);
        assert_true(fabs(product + m * g * length * cos(angle)) < 1e-13 * m * g);
        saddle_couplings_free(c);
        saddle_attachments_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_is_the_difference_of_the_forces_that_arrive),
        cmocka_unit_test(assembled_and_reduced_is_what_is_applied),
        cmocka_unit_test(values_only_give_the_bits_of_a_new_matrix_and_allocate_nothing),
        cmocka_unit_test(a_pendulums_stiffness_is_that_of_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
