/* SPDX-License-Identifier: MIT */
/* Meshes of linear elements: patch tests, rigid motions, sums of masses, closed forms of bars and
 * beams, corotational tetrahedra against differences, units, bad input. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"
#include "saddle/fem_block.h"

enum { TRIALS = 200, NODES = 512, ELEMENTS = 1200 };

static const double lengths[3] = {2, 1, 1.5};

/* ---- grids ----
 *
 * Tetrahedra (six a cell) or hexahedra of a box whose inner nodes are moved at random.
 */

typedef struct grid {
    saddle_fem_mesh mesh;
    double x[3 * NODES];
    int is_inner[NODES];
    int64_t node[24 * ELEMENTS];
} grid;

static int64_t node_at(const int64_t *cells, int64_t i, int64_t j, int64_t k)
{
    return i + (cells[0] + 1) * (j + (cells[1] + 1) * k);
}

/* The paths from corner 0 to corner 7 of a cell along its edges, one for each order of the axes. */
static void add_tetrahedra(grid *g, const int64_t *corner)
{
    static const int order[6][3] = {{1, 2, 4}, {1, 4, 2}, {2, 1, 4},
                                    {2, 4, 1}, {4, 1, 2}, {4, 2, 1}};
    static const int odd[6] = {0, 1, 1, 0, 0, 1};
    for (int e = 0; e < 6; e++) {
        const int *o = order[e];
        int64_t *node = g->node + 4 * g->mesh.tetrahedra++;
        const int64_t way[4] = {corner[0], corner[o[0]], corner[o[0] + o[1]], corner[7]};
        memcpy(node, way, sizeof way);
        if (odd[e]) {
            node[1] = way[2];
            node[2] = way[1];
        }
    }
}

static void make_grid(uint64_t *state, const int64_t *cells, int tetrahedra, double moved, grid *g)
{
    memset(g, 0, sizeof *g);
    g->mesh = saddle_fem_mesh_default();
    g->mesh.position = g->x;
    g->mesh.tetrahedron = g->mesh.hexahedron = g->node;
    for (int64_t k = 0; k <= cells[2]; k++) {
        for (int64_t j = 0; j <= cells[1]; j++) {
            for (int64_t i = 0; i <= cells[0]; i++) {
                const int64_t at[3] = {i, j, k}, n = g->mesh.nodes++;
                g->is_inner[n] = 1;
                for (int a = 0; a < 3; a++)
                    g->is_inner[n] = g->is_inner[n] && at[a] > 0 && at[a] < cells[a];
                for (int a = 0; a < 3; a++) {
                    const double step = lengths[a] / (double)cells[a];
                    g->x[3 * n + a] = step * (double)at[a];
                    if (g->is_inner[n])
                        g->x[3 * n + a] += moved * step * test_uniform(state, -1, 1);
                }
            }
        }
    }
    for (int64_t c = 0; c < cells[0] * cells[1] * cells[2]; c++) {
        const int64_t i = c % cells[0], j = c / cells[0] % cells[1], k = c / cells[0] / cells[1];
        int64_t corner[8];
        for (int a = 0; a < 8; a++)
            corner[a] = node_at(cells, i + (a & 1), j + (a >> 1 & 1), k + (a >> 2));
        if (tetrahedra) {
            add_tetrahedra(g, corner);
        } else {
            static const int around[8] = {0, 1, 3, 2, 4, 5, 7, 6};
            for (int a = 0; a < 8; a++) g->node[8 * g->mesh.hexahedra + a] = corner[around[a]];
            g->mesh.hexahedra++;
        }
    }
}

static void draw_grid(uint64_t *state, int tetrahedra, grid *g)
{
    int64_t cells[3];
    for (int a = 0; a < 3; a++) cells[a] = test_integer(state, 1, 4);
    make_grid(state, cells, tetrahedra, 0.2, g);
    g->mesh.young = test_uniform(state, 0.5, 2);
    g->mesh.poisson = test_uniform(state, -0.5, 0.45);
    g->mesh.density = test_uniform(state, 0.5, 2);
}

/* y = A x of a symmetric A */
static void multiply(const saddle_matrix *A, const double *x, double *y)
{
    for (int64_t i = 0; i < A->rows; i++) y[i] = 0;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const int64_t i = A->index[e];
            y[i] += A->value[e] * x[j];
            if (i != j) y[j] += A->value[e] * x[i];
        }
    }
}

/* ---- linear meshes ---- */

/* Under a linear displacement u = A x, stresses are constant: no force on inner nodes, and the
 * energy is volume/2 (2 mu |eps|^2 + lambda tr(eps)^2). */
static void the_patch_test_passes(void **unused)
{
    (void)unused;
    static grid g;
    static double u[3 * NODES], force[3 * NODES];
    uint64_t state = test_seed();
    for (int trial = 0; trial < 60; trial++) {
        saddle_matrix M, K;
        double A[9], eps = 0, trace = 0, energy = 0, inner = 0;
        draw_grid(&state, trial % 2, &g);
        assert_int_equal(saddle_fem_mesh_matrices(NULL, &g.mesh, &M, &K), SADDLE_OK);
        for (int k = 0; k < 9; k++) A[k] = test_uniform(&state, -1, 1);
        for (int i = 0; i < 3; i++) {
            trace += A[4 * i];
            for (int j = 0; j < 3; j++) eps += pow((A[i + 3 * j] + A[j + 3 * i]) / 2, 2);
        }
        for (int64_t n = 0; n < g.mesh.nodes; n++)
            for (int i = 0; i < 3; i++) {
                u[3 * n + i] = 0;
                for (int j = 0; j < 3; j++) u[3 * n + i] += A[i + 3 * j] * g.x[3 * n + j];
            }
        multiply(&K, u, force);
        for (int64_t i = 0; i < K.rows; i++) {
            energy += u[i] * force[i] / 2;
            if (g.is_inner[i / 3]) inner = fmax(inner, fabs(force[i]));
        }
        const double E = g.mesh.young, nu = g.mesh.poisson, mu = E / (2 * (1 + nu)),
                     lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
        const double exact = 3 * (mu * eps + lambda / 2 * trace * trace); /* the volume is 3 */
        assert_true(inner < 1e-12 * E / (1 - 2 * nu));
        assert_true(fabs(energy - exact) < 1e-12 * (1 + exact));
        saddle_matrix_clear(&M);
        saddle_matrix_clear(&K);
    }
}

/* Translations and small rotations cost no force; a unit velocity has the mass of the box. */
static void rigid_motions_cost_nothing_and_masses_add_up(void **unused)
{
    (void)unused;
    static grid g;
    static double u[3 * NODES], force[3 * NODES];
    uint64_t state = test_seed();
    for (int trial = 0; trial < 40; trial++) {
        saddle_matrix M, K;
        draw_grid(&state, trial % 2, &g);
        assert_int_equal(saddle_fem_mesh_matrices(NULL, &g.mesh, &M, &K), SADDLE_OK);
        for (int mode = 0; mode < 6; mode++) {
            for (int64_t n = 0; n < g.mesh.nodes; n++)
                for (int i = 0; i < 3; i++) {
                    const int a = mode % 3;
                    const double *x = g.x + 3 * n; /* e_a x x */
                    u[3 * n + i] = mode < 3           ? (i == a)
                                   : i == (a + 1) % 3 ? -x[(a + 2) % 3]
                                   : i == (a + 2) % 3 ? x[(a + 1) % 3]
                                                      : 0;
                }
            multiply(&K, u, force);
            for (int64_t i = 0; i < K.rows; i++) assert_true(fabs(force[i]) < 1e-12 * 40);
            double mass = 0;
            multiply(&M, u, force);
            for (int64_t i = 0; i < M.rows; i++) mass += u[i] * force[i];
            if (mode < 3) assert_true(fabs(mass - 3 * g.mesh.density) < 1e-12 * mass);
        }
        saddle_matrix_clear(&M);
        saddle_matrix_clear(&K);
    }
}

/* Lengths by 1e3, forces by 1e7, masses by 1e2. */
static void no_unit_changes_a_mesh(void **unused)
{
    (void)unused;
    static grid g;
    const double m = 1e3, N = 1e7, kg = 1e2;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 20; trial++) {
        saddle_matrix M[2], K[2];
        draw_grid(&state, trial % 2, &g);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(saddle_fem_mesh_matrices(NULL, &g.mesh, &M[k], &K[k]), SADDLE_OK);
            for (int64_t i = 0; i < 3 * g.mesh.nodes; i++) g.x[i] *= m;
            g.mesh.young *= N / (m * m);
            g.mesh.density *= kg / (m * m * m);
        }
        for (int64_t e = 0; e < saddle_matrix_entries(&K[1]); e++) K[1].value[e] *= m / N;
        for (int64_t e = 0; e < saddle_matrix_entries(&M[1]); e++) M[1].value[e] /= kg;
        assert_true(test_distance(K[0].value, K[1].value, saddle_matrix_entries(&K[0])) < 1e-12);
        assert_true(test_distance(M[0].value, M[1].value, saddle_matrix_entries(&M[0])) < 1e-12);
        for (int k = 0; k < 2; k++) {
            saddle_matrix_clear(&M[k]);
            saddle_matrix_clear(&K[k]);
        }
    }
}

/* The displacement of the end x = length in direction `way` of a bar held at x = 0, under a force
 * spread over the end by areas, and averaged likewise: by a solve with K as the mass and rows that
 * hold. */
static double end_displacement(const grid *g, int way, double load)
{
    static double f[3 * NODES], ones[3 * NODES];
    static int64_t start[3 * NODES + 1], column[3 * NODES];
    saddle_matrix M, K;
    saddle_solution solution = {0};
    saddle_report report;
    double sum = 0, area = 0;
    int64_t m = 0;
    memset(f, 0, sizeof f);
    assert_int_equal(saddle_fem_mesh_matrices(NULL, &g->mesh, &M, &K), SADDLE_OK);
    for (int64_t n = 0; n < g->mesh.nodes; n++) {
        const double *x = g->x + 3 * n;
        if (x[0] == 0) {
            for (int i = 0; i < 3; i++) {
                ones[m] = 1;
                start[m] = m;
                column[m++] = 3 * n + i;
            }
        }
        if (x[0] < lengths[0]) continue;
        double share = 1; /* of the end's area, over that of a cell */
        for (int a = 1; a < 3; a++)
            if (x[a] == 0 || x[a] == lengths[a]) share /= 2;
        f[3 * n + way] = share;
        area += share;
    }
    start[m] = m;
    for (int64_t i = 0; i < K.rows; i++) f[i] *= load / area;
    saddle_problem problem = {.n = K.rows,
                              .m = m,
                              .f = f,
                              .M = K,
                              .Jt = saddle_matrix_view(K.rows, m, start, column, ones,
                                                       SADDLE_SYMMETRY_NONE)};
    problem.M.owner = 0;
    assert_int_equal(saddle_solve(NULL, &problem, "ldlt", NULL, NULL, &solution, &report),
                     SADDLE_OK);
    for (int64_t i = 0; i < K.rows; i++) sum += f[i] * solution.v[i] / load;
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&K);
    return sum;
}

/* Without Poisson's ratio a pulled bar is in uniform strain: u = P L/(E A). */
static void a_pulled_bar_is_as_long_as_its_closed_form(void **unused)
{
    (void)unused;
    static grid g;
    uint64_t state = test_seed();
    const int64_t cells[3] = {3, 1, 1};
    make_grid(&state, cells, 0, 0, &g);
    g.mesh.young = 7;
    g.mesh.poisson = 0;
    assert_true(fabs(end_displacement(&g, 0, 0.5) - 0.5 * 2 / (7 * 1.5)) < 1e-12);
}

/* A cantilever bends by Timoshenko's P L^3/(3 E I) + P L/(k G A), k = 5/6, at nu = 0: elements of
 * first order come from below, the error falling by four as the cells are halved. */
static void a_cantilever_comes_to_the_beams_deflection(void **unused)
{
    (void)unused;
    static grid g;
    uint64_t state = test_seed();
    const double E = 10, P = 1, I = lengths[1] * pow(lengths[2], 3) / 12,
                 A = lengths[1] * lengths[2];
    const double exact = P * pow(lengths[0], 3) / (3 * E * I) +
                         P * lengths[0] / (5.0 / 6 * E / 2 * A);
    for (int tetrahedra = 0; tetrahedra < 2; tetrahedra++) {
        double u[2];
        for (int fine = 0; fine < 2; fine++) {
            const int64_t cells[3] = {fine ? 8 : 4, fine ? 4 : 2, fine ? 6 : 3};
            make_grid(&state, cells, tetrahedra, 0, &g);
            g.mesh.young = E;
            g.mesh.poisson = 0;
            u[fine] = end_displacement(&g, 2, P);
        }
        const double limit = u[1] + (u[1] - u[0]) / 3; /* extrapolated, second order */
        print_message("deflection over the beam's: %.4f, %.4f, limit %.4f\n", u[0] / exact,
                      u[1] / exact, limit / exact);
        assert_true(u[0] < u[1] && u[1] < 1.01 * exact);
        assert_true(fabs(limit / exact - 1) < (tetrahedra ? 0.05 : 0.02));
    }
}

/* ---- corotational tetrahedra ---- */

typedef struct piece {
    saddle_model *model;
    saddle_tetrahedron def;
    saddle_anchor anchor[4];
    saddle_handle force;
    const saddle__item_link *link;
    test_site site;
    double volume;
} piece;

static double volume_of(const double *x)
{
    double e[3][3];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) e[k][i] = x[3 * k + 3 + i] - x[i];
    return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
            e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6;
}

/* At rest; on particles, or with nodes among them. */
static void draw_element(uint64_t *state, piece *t)
{
    memset(t, 0, sizeof *t);
    t->def.young = test_uniform(state, 0.5, 2);
    t->def.poisson = test_uniform(state, -0.5, 0.45);
    do {
        for (int i = 0; i < 12; i++) t->def.rest[i] = test_uniform(state, -1, 1);
        t->volume = volume_of(t->def.rest);
    } while (t->volume < 0.1);
    assert_int_equal(saddle_model_create(NULL, &t->model), SADDLE_OK);
    for (int a = 0; a < 4; a++)
        t->anchor[a] = a == 0 ? (saddle_anchor){test_draw_nodes(t->model, state, 1), 2}
                              : (saddle_anchor){test_draw_particle(t->model, state, 1), 0};
    assert_int_equal(saddle_model_add_tetrahedron(t->model, "tet", t->anchor, &t->def, &t->force),
                     SADDLE_OK);
    t->link = saddle__model_force(t->model, t->force);
    test_site_of(t->model, 4, t->link->anchors, t->link->data, &t->site);
    for (int a = 0; a < 4; a++)
        memcpy(t->site.position[a], t->def.rest + 3 * a, 3 * sizeof(double));
}

/* x <- R x + p, R A x first where A is given */
static void move(piece *t, const saddle_pose *pose, const double *A)
{
    for (int a = 0; a < 4; a++) {
        double x[3], *at = t->site.position[a];
        memcpy(x, at, sizeof x);
        for (int i = 0; A && i < 3; i++) x[i] = A[i] * at[0] + A[i + 3] * at[1] + A[i + 6] * at[2];
        saddle_pose_point(pose, x, at);
    }
}

static saddle_status evaluate(piece *t, double f[4][3], double (*K)[9])
{
    double unused[16][9] = {{0}}, *to[4], *to_K[16], *to_D[16];
    for (int a = 0; a < 4; a++) to[a] = f[a];
    for (int k = 0; k < 16; k++) {
        to_K[k] = K ? K[k] : unused[k];
        to_D[k] = unused[k];
    }
    const saddle_site view = test_site_view(&t->site);
    const saddle_status status = t->link->force->evaluate(NULL, &view, to);
    if (status != SADDLE_OK || !K) return status;
    return t->link->force->jacobians(NULL, &view, to_K, to_D);
}

static void derivatives_of_corotational_tetrahedra_are_exact(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int inverted = 0, compared = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        piece t;
        test_errors errors;
        double A[9];
        draw_element(&state, &t);
        for (int k = 0; k < 9; k++) A[k] = (k % 4 == 0) + test_uniform(&state, -0.7, 0.7);
        if (trial % 8 == 0)
            for (int k = 0; k < 3; k++) A[k] = -A[k];
        const saddle_pose pose = test_draw_pose(&state, 3);
        move(&t, &pose, A);
        double now[12];
        for (int i = 0; i < 12; i++) now[i] = t.site.position[i / 3][i % 3];
        /* where two singular values nearly cancel, R turns fast: differences are coarse */
        assert_int_equal(test_force_errors(t.link->force, &t.site, &errors), SADDLE_OK);
        if (errors.largest < 20) {
            compared++;
            inverted += volume_of(now) < 0;
            assert_true(errors.K < 1e-7);
            assert_true(errors.energy < 1e-7);
            assert_true(errors.D == 0);
        }
        saddle_model_free(t.model);
    }
    assert_true(compared > TRIALS / 2 && inverted > 3);
}

/* At any angle; and the stretched element, turned, exerts its force turned. */
static void rigid_motions_exert_no_force(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        piece t;
        double f[3][4][3], A[9];
        draw_element(&state, &t);
        const piece rest = t;
        const saddle_pose pose = test_draw_pose(&state, 3);
        move(&t, &pose, NULL);
        assert_int_equal(evaluate(&t, f[0], NULL), SADDLE_OK);
        for (int i = 0; i < 12; i++) assert_true(fabs(f[0][i / 3][i % 3]) < 1e-12);
        for (int k = 0; k < 9; k++) A[k] = (k % 4 == 0) + test_uniform(&state, -0.3, 0.3);
        const saddle_pose still = saddle_pose_identity();
        t = rest;
        move(&t, &still, A);
        assert_int_equal(evaluate(&t, f[1], NULL), SADDLE_OK);
        t = rest;
        move(&t, &pose, A);
        assert_int_equal(evaluate(&t, f[2], NULL), SADDLE_OK);
        saddle_pose turn = pose;
        memset(turn.p, 0, sizeof turn.p);
        for (int a = 0; a < 4; a++) {
            saddle_pose_point(&turn, f[1][a], f[1][a]);
            assert_true(test_distance(f[1][a], f[2][a], 3) < 1e-12);
        }
        saddle_model_free(t.model);
    }
}

/* At rest K is the linear element's. */
static void at_rest_the_stiffness_is_the_linear_one(void **unused)
{
    (void)unused;
    static const int64_t node[4] = {0, 1, 2, 3};
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        piece t;
        double f[4][3], K[16][9] = {{0}}, dense[144];
        saddle_matrix M, linear;
        draw_element(&state, &t);
        saddle_fem_mesh mesh = saddle_fem_mesh_default();
        mesh.nodes = 4;
        mesh.tetrahedra = 1;
        mesh.position = t.def.rest;
        mesh.tetrahedron = node;
        mesh.young = t.def.young;
        mesh.poisson = t.def.poisson;
        assert_int_equal(saddle_fem_mesh_matrices(NULL, &mesh, &M, &linear), SADDLE_OK);
        test_dense(&linear, dense);
        assert_int_equal(evaluate(&t, f, K), SADDLE_OK);
        for (int p = 0; p < 12; p++)
            for (int q = 0; q < 12; q++)
                assert_true(fabs(K[4 * (p / 3) + q / 3][p % 3 + 3 * (q % 3)] + dense[p + 12 * q]) <
                            1e-11 * (1 + fabs(dense[p + 12 * q])));
        saddle_matrix_clear(&M);
        saddle_matrix_clear(&linear);
        saddle_model_free(t.model);
    }
}

static void a_crushed_tetrahedron_is_named(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    piece t;
    double f[4][3];
    draw_element(&state, &t);
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < 3; i++) t.site.position[a][i] = a * (i + 1.0);
    assert_int_equal(evaluate(&t, f, NULL), SADDLE_SINGULAR);
    for (int a = 0; a < 4; a++) /* flat: fine */
        for (int i = 0; i < 3; i++) t.site.position[a][i] = i < 2 ? t.def.rest[3 * a + i] : 0;
    assert_int_equal(evaluate(&t, f, NULL), SADDLE_OK);
    saddle_model_free(t.model);
}

/* A spinning corotational block, under gravity-free flight, after half a second: errors of energy
 * and of the moment of momentum. */
static void spin(int steps, double *energy, double *moment)
{
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle part;
    saddle_fem_block block = saddle_fem_block_default();
    block.tetrahedra = block.corotational = 1;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_fem_block(model, &block, &part), SADDLE_OK);
    double *v = saddle_model_velocity(model, part), *x = saddle_model_position(model, part);
    for (int64_t n = 0; n < saddle_model_node_count(model, part); n++) {
        v[3 * n] = -4 * (x[3 * n + 1] - 0.5);
        v[3 * n + 1] = 4 * (x[3 * n] - 0.5);
    }
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    options.solver = "ldlt"; /* K is symmetric */
    options.time_step = 0.5 / steps;
    const saddle_energies before = saddle_model_energies(model);
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    for (int k = 0; k < steps; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const saddle_energies after = saddle_model_energies(model);
    for (int i = 0; i < 3; i++) assert_true(fabs(after.momentum[i]) < 1e-9 * before.moment[2]);
    assert_true(after.elastic > 1e-3 * before.kinetic); /* the spin stretches the block */
    *energy = fabs((after.kinetic + after.elastic) / before.kinetic - 1);
    *moment = fabs(after.moment[2] / before.moment[2] - 1);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

static void a_spinning_block_keeps_energy_and_moment_to_second_order(void **unused)
{
    (void)unused;
    double energy[2], moment[2];
    for (int k = 0; k < 2; k++) spin(200 << k, &energy[k], &moment[k]);
    print_message("errors: energy %.1e, %.1e, moment %.1e, %.1e\n", energy[0], energy[1], moment[0],
                  moment[1]);
    assert_true(energy[1] < 1e-3 && moment[1] < 1e-3);
    assert_true(energy[0] > 3 * energy[1] && moment[0] > 3 * moment[1]);
}

/* ---- meshes into models ---- */

static void hexahedra_of_arrays_are_the_block(void **unused)
{
    (void)unused;
    static grid g;
    uint64_t state = test_seed();
    const int64_t cells[3] = {3, 2, 2};
    make_grid(&state, cells, 0, 0, &g);
    saddle_fem_block block = saddle_fem_block_default();
    memcpy(block.cells, cells, sizeof cells);
    memcpy(block.size, lengths, sizeof lengths);
    saddle_model *model = NULL;
    saddle_handle one, other;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_fem_block(model, &block, &one), SADDLE_OK);
    assert_int_equal(saddle_model_add_fem_mesh(model, &g.mesh, &other, NULL), SADDLE_OK);
    const saddle__item_part *a = saddle__model_part(model, one),
                            *b = saddle__model_part(model, other);
    const int64_t entries = saddle_matrix_entries(&a->K);
    assert_int_equal(entries, saddle_matrix_entries(&b->K));
    double largest = 0, error = 0;
    for (int64_t e = 0; e < entries; e++) {
        largest = fmax(largest, fabs(a->K.value[e]));
        error = fmax(error, fabs(a->K.value[e] - b->K.value[e]));
    }
    assert_true(error <= 1e-13 * largest);
    saddle_model_free(model);
}

/* Handles of the elements remove them, and then the part. */
static void a_corotational_mesh_can_be_removed(void **unused)
{
    (void)unused;
    static grid g;
    static saddle_handle element[ELEMENTS];
    uint64_t state = test_seed();
    const int64_t cells[3] = {1, 1, 2};
    make_grid(&state, cells, 1, 0, &g);
    g.mesh.corotational = 1;
    saddle_model *model = NULL;
    saddle_handle part;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_fem_mesh(model, &g.mesh, &part, element), SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, part), SADDLE_INVALID_ARGUMENT);
    for (int64_t e = 0; e < g.mesh.tetrahedra; e++)
        assert_int_equal(saddle_model_remove(model, element[e]), SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, part), SADDLE_OK);
    saddle_model_free(model);
}

/* Those of a block, whose addition returns no handles, are found by their part. */
static void elements_are_found_by_their_part(void **unused)
{
    (void)unused;
    saddle_model *model = NULL;
    saddle_fem_block block = saddle_fem_block_default();
    saddle_handle part[2], element[48];
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    block.tetrahedra = block.corotational = 1;
    for (int k = 0; k < 2; k++)
        assert_int_equal(saddle_model_add_fem_block(model, &block, &part[k]), SADDLE_OK);
    assert_int_equal(saddle_model_part_elements(model, part[0], 0, NULL), 48);
    assert_int_equal(saddle_model_part_elements(model, part[1], 48, element), 48);
    for (int k = 0; k < 48; k++) {
        const saddle_tetrahedron *data = saddle_model_force_data(model, element[k]);
        assert_true(data->young == block.young);
        assert_int_equal(saddle_model_remove(model, element[k]), SADDLE_OK);
    }
    assert_int_equal(saddle_model_remove(model, part[1]), SADDLE_OK);
    assert_int_equal(saddle_model_part_elements(model, part[1], 0, NULL), 0);
    assert_int_equal(saddle_model_part_elements(model, part[0], 48, element), 48);
    saddle_model_free(model);
}

/* ---- failure ---- */

static void bad_meshes_are_refused_by_name(void **unused)
{
    (void)unused;
    static grid g;
    static const char *const words[] = {"",          "young",         "density",
                                        "Poisson",   "position",      "does not exist",
                                        "twice",     "in no element", "not positive",
                                        "hexahedra", "damping",       "no elements"};
    uint64_t state = test_seed();
    const int64_t cells[3] = {1, 2, 1};
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_handle part;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    for (int k = 0; k < 12; k++) {
        make_grid(&state, cells, k != 9, 0, &g);
        g.mesh.name = "soft";
        if (k == 1) g.mesh.young = 0;
        if (k == 2) g.mesh.density = NAN;
        if (k == 3) g.mesh.poisson = 0.5;
        if (k == 4) g.x[7] = INFINITY;
        if (k == 5) g.node[6] = g.mesh.nodes;
        if (k == 6) g.node[6] = g.node[5];
        if (k == 7) g.mesh.nodes++;
        if (k == 8) {
            const int64_t swapped = g.node[5];
            g.node[5] = g.node[6];
            g.node[6] = swapped;
        }
        if (k == 9 || k == 10) g.mesh.corotational = 1;
        if (k == 10) g.mesh.damping_stiffness = 1;
        if (k == 11) g.mesh.tetrahedra = 0;
        const int64_t parts = saddle_model_part_count(model);
        const saddle_status status = saddle_model_add_fem_mesh(model, &g.mesh, &part, NULL);
        assert_int_equal(status, k == 0 ? SADDLE_OK : SADDLE_INVALID_ARGUMENT);
        if (k == 0) continue;
        assert_non_null(strstr(saddle_context_message(context), "fem mesh 'soft': "));
        assert_non_null(strstr(saddle_context_message(context), words[k]));
        assert_int_equal(saddle_model_part_count(model), parts);
    }
    saddle_model_free(model);
    saddle_context_free(context);
}

static void a_part_has_the_elements_of_its_mesh(void **unused)
{
    (void)unused;
    static grid g;
    uint64_t state = test_seed();
    const int64_t cells[3] = {2, 1, 1};
    const saddle_particle_def dot = {.mass = 1};
    saddle_model *model;
    saddle_handle part, particle;
    int64_t count;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &dot, &particle), SADDLE_OK);
    for (int k = 0; k < 3; k++) {
        make_grid(&state, cells, k < 2, 0, &g);
        g.mesh.corotational = k == 1;
        const saddle_element_kind kind = k < 2 ? SADDLE_ELEMENT_TETRAHEDRON
                                               : SADDLE_ELEMENT_HEXAHEDRON;
        assert_int_equal(saddle_model_add_fem_mesh(model, &g.mesh, &part, NULL), SADDLE_OK);
        const int64_t *node = saddle_model_elements(model, part, kind, &count);
        assert_int_equal(count, k < 2 ? 12 : 2);
        assert_memory_equal(node, g.node, (size_t)(k < 2 ? 48 : 16) * sizeof *node);
        assert_null(saddle_model_elements(
            model, part, k < 2 ? SADDLE_ELEMENT_HEXAHEDRON : SADDLE_ELEMENT_TETRAHEDRON, &count));
        assert_int_equal(count, 0);
    }
    assert_null(saddle_model_elements(model, particle, SADDLE_ELEMENT_TETRAHEDRON, &count));
    assert_null(saddle_model_elements(model, part, (saddle_element_kind)99, &count));
    assert_null(saddle_model_elements(model, part, SADDLE_ELEMENT_TETRAHEDRON, NULL));
    saddle_model_free(model);
}

static saddle_status build(saddle_context *context, void *user)
{
    saddle_model *model = NULL;
    saddle_handle part;
    const saddle_fem_mesh *mesh = user;
    saddle_status status = saddle_model_create(context, &model);
    if (status == SADDLE_OK) {
        part = (saddle_handle){.index = 7, .generation = 7};
        status = saddle_model_add_fem_mesh(model, mesh, &part, NULL);
        assert_true(status == SADDLE_OK || part.generation == 0); /* no stale handle */
        assert_int_equal(saddle_model_part_count(model), status == SADDLE_OK);
    }
    saddle_model_free(model);
    return status;
}

static void memory_that_fails_at_any_point_is_survived(void **unused)
{
    (void)unused;
    static grid g;
    uint64_t state = test_seed();
    const int64_t cells[3] = {1, 1, 1};
    for (int corotational = 0; corotational < 2; corotational++) {
        make_grid(&state, cells, 1, 0, &g);
        g.mesh.corotational = corotational;
        assert_true(test_allocation_sweep(build, &g.mesh) > 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_patch_test_passes),
        cmocka_unit_test(rigid_motions_cost_nothing_and_masses_add_up),
        cmocka_unit_test(no_unit_changes_a_mesh),
        cmocka_unit_test(a_pulled_bar_is_as_long_as_its_closed_form),
        cmocka_unit_test(a_cantilever_comes_to_the_beams_deflection),
        cmocka_unit_test(derivatives_of_corotational_tetrahedra_are_exact),
        cmocka_unit_test(rigid_motions_exert_no_force),
        cmocka_unit_test(at_rest_the_stiffness_is_the_linear_one),
        cmocka_unit_test(a_crushed_tetrahedron_is_named),
        cmocka_unit_test(a_spinning_block_keeps_energy_and_moment_to_second_order),
        cmocka_unit_test(hexahedra_of_arrays_are_the_block),
        cmocka_unit_test(a_corotational_mesh_can_be_removed),
        cmocka_unit_test(elements_are_found_by_their_part),
        cmocka_unit_test(a_part_has_the_elements_of_its_mesh),
        cmocka_unit_test(bad_meshes_are_refused_by_name),
        cmocka_unit_test(memory_that_fails_at_any_point_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
