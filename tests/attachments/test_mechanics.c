/* SPDX-License-Identifier: MIT */
/* Attachments against closed forms of mechanics: the two masses of seed 000, 0.18, the particle on
 * a body of 0.19, one row's inertia of 0.20, hanging chains, momentum, prescribed motion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* ---- small helpers ---- */

static saddle_attachments *graph_with(int64_t count, const saddle_component *component)
{
    saddle_attachments *graph;
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    for (int64_t c = 0; c < count; c++)
        assert_int_equal(saddle_attachments_add(graph, &component[c]), SADDLE_OK);
    return graph;
}

static saddle_matrix matrix_of(int64_t n, const double *dense, saddle_symmetry symmetry)
{
    int64_t row[400], col[400], count = 0;
    double value[400];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < n; i++) {
            if (dense[i + j * n] == 0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = dense[i + j * n];
        }
    saddle_matrix A;
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, col, value, symmetry, &A),
                     SADDLE_OK);
    return A;
}

static saddle_elimination *reduce(const saddle_attachments *graph, const saddle_problem *problem)
{
    saddle_elimination *reduction;
    assert_int_equal(saddle_elimination_create(NULL, graph, problem, SADDLE_WISH_ELIMINATE, NULL,
                                               NULL, &reduction),
                     SADDLE_OK);
    return reduction;
}

static void cross(const double *a, const double *b, double *c)
{
    double r[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(c, r, sizeof r);
}

/* R (3 x 3, by columns) of a drawn unit quaternion. */
static void draw_rotation(uint64_t *state, double *R)
{
    double q[4];
    double length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = test_uniform(state, -1, 1);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double by_columns[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),
                                  2 * (x * z - w * y),     2 * (x * y - w * z),
                                  1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                                  2 * (x * z + w * y),     2 * (y * z - w * x),
                                  1 - 2 * (x * x + y * y)};
    memcpy(R, by_columns, sizeof by_columns);
}

static void rotate(const double *R, const double *a, double *b)
{
    for (int i = 0; i < 3; i++) b[i] = R[i] * a[0] + R[i + 3] * a[1] + R[i + 6] * a[2];
}

/* ---- 0.18: a particle on two ---- */

static void a_particle_between_two_couples_their_masses(void **state)
{
    (void)state;
    const double m1 = 2, m2 = 3, mk = 5, w1 = 0.25, w2 = 0.75;
    static const saddle_component particles[3] = {{.id = 1}, {.id = 2}, {.id = 3}};
    saddle_attachments *graph = graph_with(3, particles);
    double W1[9] = {w1, 0, 0, 0, w1, 0, 0, 0, w1};
    double W2[9] = {w2, 0, 0, 0, w2, 0, 0, 0, w2};
    saddle_attachment_block blocks[2] = {{1, 3, 3, W1}, {2, 3, 3, W2}};
    saddle_attachment attachment = {.component = 3, .block_count = 2, .blocks = blocks};
    assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    double M[81] = {0};
    for (int i = 0; i < 9; i++) M[10 * i] = i < 3 ? m1 : i < 6 ? m2 : mk;
    saddle_problem problem = {.n = 9, .M = matrix_of(9, M, SADDLE_SYMMETRY_LOWER)};
    saddle_elimination *reduction = reduce(graph, &problem);
    const saddle_matrix *reduced = &saddle_elimination_problem(reduction)->M;
    assert_int_equal(reduced->rows, 6);
    for (int64_t i = 0; i < 6; i++)
        for (int64_t j = 0; j < 6; j++) {
            double expected = 0;
            if (i % 3 == j % 3)
                expected = i == j ? (i < 3 ? m1 + w1 * w1 * mk : m2 + w2 * w2 * mk) : w1 * w2 * mk;
            assert_true(fabs(saddle_matrix_entry(reduced, i, j) - expected) < 1e-15);
        }
    saddle_elimination_free(reduction);
    saddle_attachments_free(graph);
    saddle_matrix_clear(&problem.M);
}

/* ---- 0.19: a particle on a body ---- */

typedef struct body_case {
    double R[9], c[3], omega[3], mass, inertia[3], particle;
} body_case;

static body_case draw_body(uint64_t *state)
{
    body_case b;
    draw_rotation(state, b.R);
    for (int i = 0; i < 3; i++) {
        b.c[i] = test_uniform(state, -1, 1);
        b.omega[i] = test_uniform(state, -3, 3);
        b.inertia[i] = test_uniform(state, 0.5, 2);
    }
    b.mass = test_uniform(state, 1, 4);
    b.particle = test_uniform(state, 0.1, 4);
    return b;
}

/* (0.36): v_p = R v - R [c] omega, velocities of the body in rotated body coordinates; column j of
 * -[c] is e_j x c. */
static void particle_on_body(const body_case *b, double *A)
{
    for (int j = 0; j < 3; j++) {
        double e[3] = {j == 0, j == 1, j == 2};
        double turned[3];
        cross(e, b->c, turned);
        rotate(b->R, e, A + 3 * j);
        rotate(b->R, turned, A + 9 + 3 * j);
    }
}

static saddle_attachments *body_graph(const body_case *b, const double *term)
{
    static const saddle_component components[2] = {
        {.id = 0, .name = "body", .kind = SADDLE_COMPONENT_FRAME}, {.id = 1}};
    saddle_attachments *graph = graph_with(2, components);
    double A[18];
    particle_on_body(b, A);
    saddle_attachment_block block = {0, 3, 6, A};
    saddle_attachment attachment = {.component = 1,
                                    .block_count = 1,
                                    .blocks = &block,
                                    .term = term};
    assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    return graph;
}

static saddle_problem body_problem(const body_case *b)
{
    double M[81] = {0};
    for (int i = 0; i < 9; i++)
        M[10 * i] = i < 3 ? b->mass : i < 6 ? b->inertia[i - 3] : b->particle;
    return (saddle_problem){.n = 9, .M = matrix_of(9, M, SADDLE_SYMMETRY_LOWER)};
}

static void a_particle_on_a_body_adds_its_inertia_and_fictitious_forces(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(200); trial++) {
        body_case b = draw_body(&seed);
        double m = b.particle;
        double turned[3], centripetal[3], g[3], torque[3];
        cross(b.omega, b.c, turned);
        cross(b.omega, turned, centripetal); /* omega x omega x c */
        rotate(b.R, centripetal, g);         /* g_beta of (0.19) */
        saddle_attachments *graph = body_graph(&b, g);
        saddle_problem problem = body_problem(&b);
        saddle_elimination *reduction = reduce(graph, &problem);
        const saddle_problem *reduced = saddle_elimination_problem(reduction);
        /* twice the kinetic energy of body and particle, from their velocities: u'M'u */
        for (int k = 0; k < 10; k++) {
            double u[6], Mu[6], v[3], energy = 0, reduced_energy = 0;
            for (int i = 0; i < 6; i++) u[i] = test_uniform(&seed, -1, 1);
            cross(u + 3, b.c, v);
            for (int i = 0; i < 3; i++) v[i] += u[i];
            for (int i = 0; i < 3; i++)
                energy += b.mass * u[i] * u[i] + b.inertia[i] * u[i + 3] * u[i + 3] +
                          m * v[i] * v[i];
            saddle_matrix_apply(&reduced->M, 1, u, 0, Mu);
            for (int i = 0; i < 6; i++) reduced_energy += u[i] * Mu[i];
            assert_true(fabs(energy - reduced_energy) < 1e-13 * energy);
        }
        /* [m I, -m [c]; m [c], -m [c][c]] entry by entry: -m [c] has m c_z at (1, 2) */
        assert_true(fabs(saddle_matrix_entry(&reduced->M, 0, 4) - m * b.c[2]) < 1e-13);
        assert_true(fabs(saddle_matrix_entry(&reduced->M, 4, 0) - m * b.c[2]) < 1e-13);
        assert_true(fabs(saddle_matrix_entry(&reduced->M, 3, 3) - b.inertia[0] -
                         m * (b.c[1] * b.c[1] + b.c[2] * b.c[2])) < 1e-13);
        cross(b.c, centripetal, torque);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(reduced->f[i] + m * centripetal[i]) < 1e-12);
            assert_true(fabs(reduced->f[i + 3] + m * torque[i]) < 1e-12);
        }
        double identity[3], left[3], right[3]; /* the form printed in the seed: omega x (c x (c x
                                                  omega)) */
        cross(b.c, b.omega, identity);
        cross(b.c, identity, left);
        cross(b.omega, left, right);
        for (int i = 0; i < 3; i++) assert_true(fabs(reduced->f[i + 3] - m * right[i]) < 1e-12);
        saddle_elimination_free(reduction);
        saddle_attachments_free(graph);
        saddle_matrix_clear(&problem.M);
    }
}

/* ---- 0.20: one row ---- */

/* A row that pushes a massless particle on a body along d: 1/m + (c x d)' I^-1 (c x d), d in body
 * coordinates. */
static void a_row_sees_the_inverse_inertia_of_the_body_behind(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < test_draws(200); trial++) {
        body_case b = draw_body(&seed);
        double d[3], world[3], arm[3], expected = 0, inertia;
        b.particle = 0;
        for (int i = 0; i < 3; i++) d[i] = test_uniform(&seed, -1, 1);
        rotate(b.R, d, world);
        cross(b.c, d, arm);
        for (int i = 0; i < 3; i++)
            expected += d[i] * d[i] / b.mass + arm[i] * arm[i] / b.inertia[i];
        saddle_attachments *graph = body_graph(&b, NULL);
        saddle_problem problem = body_problem(&b);
        int64_t start[2] = {0, 3}, index[3] = {6, 7, 8};
        problem.m = 1;
        problem.Jt = saddle_matrix_view(9, 1, start, index, world, SADDLE_SYMMETRY_NONE);
        saddle_elimination *reduction = reduce(graph, &problem);
        assert_int_equal(saddle_elimination_inverse_inertia(reduction, 0, &inertia), SADDLE_OK);
        assert_true(fabs(inertia - expected) < 1e-13 * expected);
        saddle_elimination_free(reduction);
        saddle_attachments_free(graph);
        saddle_matrix_clear(&problem.M);
    }
}

static void a_row_on_no_mass_is_refused_by_name(void **state)
{
    (void)state;
    body_case b = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_attachments *graph = body_graph(&b, NULL);
    saddle_problem problem = {.n = 9,
                              .m = 1,
                              .M = matrix_of(9, (double[81]){0}, SADDLE_SYMMETRY_LOWER)};
    int64_t start[2] = {0, 1}, index[1] = {6};
    double one[1] = {1}, inertia;
    problem.Jt = saddle_matrix_view(9, 1, start, index, one, SADDLE_SYMMETRY_NONE);
    saddle_elimination *reduction;
    assert_int_equal(saddle_elimination_create(context, graph, &problem, SADDLE_WISH_ELIMINATE,
                                               NULL, NULL, &reduction),
                     SADDLE_OK);
    assert_int_equal(saddle_elimination_inverse_inertia(reduction, 0, &inertia), SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "body"));
    saddle_elimination_free(reduction);
    saddle_attachments_free(graph);
    saddle_matrix_clear(&problem.M);
    saddle_context_free(context);
}

/* ---- long chains ---- */

/* Links of a rigid rod, each a frame on the one before: v_k = v_0 + omega x k r; forces add up,
 * moments about the root too. */
static void a_chain_of_100000_links_moves_and_pulls_as_one_rod(void **state)
{
    (void)state;
    enum { LINKS = 100000 };
    const double r[3] = {0x1p-10, -0x1p-9, 0x1p-11}; /* so that every sum is exact */
    double A[36] = {0};
    for (int i = 0; i < 6; i++) A[7 * i] = 1;
    for (int j = 0; j < 3; j++) {
        double e[3] = {j == 0, j == 1, j == 2};
        cross(e, r, A + 6 * (j + 3)); /* omega x r */
    }
    saddle_attachments *graph;
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    for (int64_t k = 0; k <= LINKS; k++) {
        saddle_component component = {.id = k, .kind = SADDLE_COMPONENT_FRAME};
        saddle_attachment_block block = {k - 1, 6, 6, A};
        saddle_attachment attachment = {.component = k, .block_count = 1, .blocks = &block};
        assert_int_equal(saddle_attachments_add(graph, &component), SADDLE_OK);
        if (k > 0) assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    }
    saddle_map *map;
    assert_int_equal(saddle_map_create(NULL, graph, &map), SADDLE_OK);
    saddle_map_size size = saddle_map_size_of(map);
    assert_int_equal(size.depth, LINKS);
    assert_int_equal(size.active, 6);
    double *v = calloc((size_t)size.n, sizeof *v);
    assert_non_null(v);
    const double u[6] = {1, 2, 3, 0.125, -0.25, 0.375};
    saddle_map_velocities(map, u, v);
    for (int64_t k = 0; k <= LINKS; k += 997) {
        double arm[3] = {(double)k * r[0], (double)k * r[1], (double)k * r[2]}, turned[3];
        cross(u + 3, arm, turned);
        for (int i = 0; i < 3; i++) {
            assert_true(v[6 * k + i] == u[i] + turned[i]);
            assert_true(v[6 * k + 3 + i] == u[3 + i]);
        }
    }
    const double force[3] = {0.5, -1, 2};
    for (int64_t i = 0; i < size.n; i++) v[i] = i % 6 < 3 ? force[i % 6] : 0;
    double pulled[6], moment[3];
    saddle_map_pull(map, v, pulled);
    double reach = 0.5 * (double)LINKS * ((double)LINKS + 1); /* sum of k */
    double arm[3] = {reach * r[0], reach * r[1], reach * r[2]};
    cross(arm, force, moment);
    for (int i = 0; i < 3; i++) {
        assert_true(pulled[i] == (double)(LINKS + 1) * force[i]);
        assert_true(pulled[i + 3] == moment[i]);
    }
    free(v);
    saddle_map_free(map);
    saddle_attachments_free(graph);
}

/* ---- momentum ---- */

/* Particles attached to others with weights of sum 1: impulses of attachments cancel, so sum m v =
 * sum f; the impulse of each attachment is m v - f of its particle. */
static void attachments_pass_on_impulse_and_make_none(void **state)
{
    (void)state;
    enum { COUNT = 60, FREE = 10, N = 3 * COUNT, CARRIED = N - 3 * FREE };
    uint64_t seed = test_seed() + 2;
    for (int trial = 0; trial < 50; trial++) {
        saddle_attachments *graph;
        assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
        for (int64_t k = 0; k < COUNT; k++) {
            saddle_component component = {.id = k};
            assert_int_equal(saddle_attachments_add(graph, &component), SADDLE_OK);
        }
        for (int64_t k = FREE; k < COUNT; k++) {
            int64_t first = test_integer(&seed, 0, k - 2);
            double w = test_uniform(&seed, 0, 1);
            double W[2][9] = {{w, 0, 0, 0, w, 0, 0, 0, w}, {1 - w, 0, 0, 0, 1 - w, 0, 0, 0, 1 - w}};
            saddle_attachment_block blocks[2] = {{first, 3, 3, W[0]}, {first + 1, 3, 3, W[1]}};
            saddle_attachment attachment = {.component = k, .block_count = 2, .blocks = blocks};
            assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
        }
        int64_t start[N + 1], index[N];
        double mass[N], f[N], v[N], carried[CARRIED], w[CARRIED];
        for (int64_t i = 0; i < N; i++) {
            start[i] = index[i] = i;
            mass[i] = i % 3 == 0 ? test_uniform(&seed, 0.5, 2) : mass[i - 1];
            f[i] = test_uniform(&seed, -1, 1);
        }
        start[N] = N;
        saddle_problem problem = {.n = N,
                                  .M = saddle_matrix_view(N, N, start, index, mass,
                                                          SADDLE_SYMMETRY_LOWER),
                                  .f = f};
        saddle_elimination *reduction = reduce(graph, &problem);
        const saddle_problem *reduced = saddle_elimination_problem(reduction);
        saddle_solution small;
        saddle_report report;
        assert_int_equal(saddle_solution_create(NULL, reduced->n, 0, &small), SADDLE_OK);
        assert_int_equal(saddle_solve(NULL, reduced, "ldlt", NULL, NULL, &small, &report),
                         SADDLE_OK);
        saddle_solution whole = {.n = N, .m = CARRIED, .v = v, .lambda = carried, .w = w};
        assert_int_equal(saddle_elimination_recover(reduction, &problem, &small, &whole),
                         SADDLE_OK);
        for (int axis = 0; axis < 3; axis++) {
            double momentum = 0, given = 0;
            for (int64_t i = axis; i < N; i += 3) {
                momentum += mass[i] * v[i];
                given += f[i];
            }
            assert_true(fabs(momentum - given) < 1e-12);
        }
        for (int64_t i = N - 3; i < N; i++) /* no component is attached to the last one */
            assert_true(fabs(mass[i] * v[i] - f[i] - carried[i - 3 * FREE]) < 1e-13);
        saddle_solution_clear(&small);
        saddle_elimination_free(reduction);
        saddle_attachments_free(graph);
    }
}

/* ---- prescribed motion ---- */

/* A particle pulled along by a prescribed one needs the impulse (m + m_k) v - f. */
static void what_a_prescribed_particle_takes_is_its_own_impulse_and_that_of_all_it_carries(
    void **state)
{
    (void)state;
    static const saddle_component particles[2] = {{.id = 0, .parametric = 1}, {.id = 1}};
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    saddle_attachments *graph = graph_with(2, particles);
    saddle_attachment_block block = {0, 3, 3, identity};
    saddle_attachment attachment = {.component = 1, .block_count = 1, .blocks = &block};
    assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    const double wanted[3] = {1, -2, 0.5};
    assert_int_equal(saddle_attachments_prescribe(graph, 0, wanted), SADDLE_OK);
    int64_t start[7] = {0, 1, 2, 3, 4, 5, 6}, index[6] = {0, 1, 2, 3, 4, 5};
    double mass[6] = {2, 2, 2, 3, 3, 3}, f[6] = {0, 0, -1, 0.5, 0, -1}, v[6], force[6], w[6];
    saddle_problem problem = {
        .n = 6, .M = saddle_matrix_view(6, 6, start, index, mass, SADDLE_SYMMETRY_LOWER), .f = f};
    saddle_elimination *reduction = reduce(graph, &problem);
    /* nothing is left to solve for */
    assert_int_equal(saddle_elimination_problem(reduction)->n, 0);
    saddle_solution small = {0};
    saddle_solution whole = {.n = 6, .m = 6, .v = v, .lambda = force, .w = w};
    assert_int_equal(saddle_elimination_recover(reduction, &problem, &small, &whole), SADDLE_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(v[i] == wanted[i] && v[i + 3] == wanted[i]);
        assert_true(fabs(force[i + 3] - (3 * wanted[i] - f[i + 3])) < 1e-15);
        assert_true(fabs(force[i] - (5 * wanted[i] - f[i] - f[i + 3])) < 1e-15);
    }
    saddle_elimination_free(reduction);
    saddle_attachments_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_between_two_couples_their_masses),
        cmocka_unit_test(a_particle_on_a_body_adds_its_inertia_and_fictitious_forces),
        cmocka_unit_test(a_row_sees_the_inverse_inertia_of_the_body_behind),
        cmocka_unit_test(a_row_on_no_mass_is_refused_by_name),
        cmocka_unit_test(a_chain_of_100000_links_moves_and_pulls_as_one_rod),
        cmocka_unit_test(attachments_pass_on_impulse_and_make_none),
        cmocka_unit_test(
            what_a_prescribed_particle_takes_is_its_own_impulse_and_that_of_all_it_carries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
