/* SPDX-License-Identifier: MIT */
/* Rows on trees: G and drift against differences, the Delassus operator against the dense one,
 * loops with redundant rows, projections, limits, two scenes of RedMax with loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_tree.h"
#include "space/space.h"
#include "redmax.h"

enum { N = TREE_COORDINATES, MOST_ROWS = 8 };

static const double pi = 3.14159265358979323846;

static int64_t draw_rows(uint64_t *state, const drawn_tree *d, saddle_tree_row *rows)
{
    const int64_t count = test_integer(state, 1, MOST_ROWS);
    memset(rows, 0, (size_t)count * sizeof *rows);
    for (int64_t i = 0; i < count; i++) {
        saddle_tree_row *row = &rows[i];
        row->kind = (saddle_tree_row_kind)test_integer(state, 0, 3);
        if (row->kind == SADDLE_TREE_ROW_COORDINATES && d->coordinates == 0)
            row->kind = SADDLE_TREE_ROW_TWIST;
        row->offset = test_uniform(state, -1, 1);
        row->body[0] = test_integer(state, -1, d->bodies - 1);
        do row->body[1] = test_integer(state, -1, d->bodies - 1);
        while (row->body[1] == row->body[0]);
        for (int k = 0; k < 2; k++) {
            for (int a = 0; a < 3; a++) row->point[k][a] = test_uniform(state, -1, 1);
            draw_tree_axis(state, row->axis[k]);
            row->factor[k] = test_uniform(state, -1, 1);
        }
        if (row->kind != SADDLE_TREE_ROW_COORDINATES) continue;
        row->coordinate[0] = test_integer(state, 0, d->coordinates - 1);
        row->coordinate[1] = test_integer(state, 0, d->coordinates - 1);
        if (row->coordinate[0] == row->coordinate[1]) row->factor[1] = 0;
    }
    return count;
}

/* The twist rows, from the bodies' own twists; the loads of all rows have the power of their rates.
 */
static void twists_are_relative_velocities_and_loads_have_their_power(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int64_t trial = 0; trial < test_draws(300); trial++) {
        drawn_tree *d = draw_tree(&seed, NULL, TREE_BODIES, DRAWN_JOINT_KINDS, 0);
        saddle_tree_row rows[MOST_ROWS];
        const int64_t m = draw_rows(&seed, d, rows);
        double rate[MOST_ROWS], twist[6 * TREE_BODIES];
        saddle_pose pose[TREE_BODIES];
        assert_int_equal(saddle_tree_rows_evaluate(d->tree, m, rows, NULL, rate, NULL), SADDLE_OK);
        assert_int_equal(saddle_tree_push(d->tree, d->dq, twist), SADDLE_OK);
        assert_int_equal(saddle_tree_poses(d->tree, pose), SADDLE_OK);
        for (int64_t i = 0; i < m; i++) {
            double wrench[6 * TREE_BODIES] = {0}, power = 0, expected = 0, x[3], a[2][3];
            const double unit = 1;
            assert_int_equal(saddle_tree_rows_loads(d->tree, 1, &rows[i], &unit, wrench),
                             SADDLE_OK);
            for (int64_t j = 0; j < 6 * d->bodies; j++) power += wrench[j] * twist[j];
            if (rows[i].kind != SADDLE_TREE_ROW_COORDINATES)
                assert_true(fabs(power - rate[i]) < 1e-10 * (1 + fabs(rate[i])));
            if (rows[i].kind != SADDLE_TREE_ROW_TWIST) continue;
            const saddle_pose world = saddle_pose_identity(),
                              *zero = rows[i].body[0] < 0 ? &world : &pose[rows[i].body[0]];
            saddle_pose_point(zero, rows[i].point[0], x);
            for (int k = 0; k < 2; k++) saddle__rotate(zero->R, rows[i].axis[k], a[k]);
            for (int k = 0; k < 2; k++) {
                double arm[3], v[3], w[3];
                if (rows[i].body[k] < 0) continue;
                const saddle_pose *body = &pose[rows[i].body[k]];
                saddle__rotate(body->R, twist + 6 * rows[i].body[k], v);
                saddle__rotate(body->R, twist + 6 * rows[i].body[k] + 3, w);
                for (int j = 0; j < 3; j++) arm[j] = x[j] - body->p[j];
                const double sign = k == 0 ? -1 : 1;
                double turning[3];
                saddle__cross(w, arm, turning);
                for (int j = 0; j < 3; j++)
                    expected += sign * (a[0][j] * (v[j] + turning[j]) + a[1][j] * w[j]);
            }
            assert_true(fabs(expected - rate[i]) < 1e-10 * (1 + fabs(rate[i])));
        }
        free_tree(d);
    }
}

/* G is dphi/dq, the rate G dq, the drift what the rate gains while dq stays. */
static void rows_are_differences_of_their_values(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const double h = 1e-5;
    for (int64_t trial = 0; trial < test_draws(500); trial++) {
        drawn_tree *d = draw_tree(&seed, NULL, TREE_BODIES, DRAWN_JOINT_KINDS, 0);
        saddle_tree_row rows[MOST_ROWS];
        const int64_t m = draw_rows(&seed, d, rows), n = d->coordinates;
        saddle_matrix Gt;
        double dense[N * MOST_ROWS], phi[MOST_ROWS], rate[MOST_ROWS], drift[MOST_ROWS];
        double side[2][MOST_ROWS], slope[2][MOST_ROWS], q[N];
        assert_int_equal(saddle_tree_rows_matrix(d->tree, m, rows, &Gt), SADDLE_OK);
        assert_int_equal(saddle_matrix_check(NULL, &Gt, "Gt"), SADDLE_OK);
        test_dense(&Gt, dense);
        assert_int_equal(saddle_tree_rows_evaluate(d->tree, m, rows, phi, rate, drift), SADDLE_OK);
        for (int64_t j = 0; j < n; j++) {
            for (int s = 0; s < 2; s++) {
                memcpy(q, d->q, sizeof q);
                q[j] += s ? h : -h;
                assert_int_equal(saddle_tree_place(d->tree, q, NULL), SADDLE_OK);
                assert_int_equal(saddle_tree_rows_evaluate(d->tree, m, rows, side[s], NULL, NULL),
                                 SADDLE_OK);
            }
            for (int64_t i = 0; i < m; i++)
                assert_true(rows[i].kind == SADDLE_TREE_ROW_TWIST ||
                            fabs((side[1][i] - side[0][i]) / (2 * h) - dense[j + n * i]) <
                                1e-7 * (1 + fabs(dense[j + n * i])));
        }
        for (int s = 0; s < 2; s++) {
            for (int64_t j = 0; j < n; j++) q[j] = d->q[j] + (s ? h : -h) * d->dq[j];
            assert_int_equal(saddle_tree_place(d->tree, q, d->dq), SADDLE_OK);
            assert_int_equal(saddle_tree_rows_evaluate(d->tree, m, rows, side[s], slope[s], NULL),
                             SADDLE_OK);
        }
        for (int64_t i = 0; i < m; i++) {
            double product = 0;
            for (int64_t j = 0; j < n; j++) product += dense[j + n * i] * d->dq[j];
            assert_true(fabs(rate[i] - product) < 1e-11 * (1 + fabs(product)));
            assert_true(rows[i].kind == SADDLE_TREE_ROW_TWIST ||
                        fabs((side[1][i] - side[0][i]) / (2 * h) - rate[i]) <
                            1e-6 * (1 + fabs(rate[i])));
            assert_true(fabs((slope[1][i] - slope[0][i]) / (2 * h) - drift[i]) <
                        1e-6 * (10 + fabs(drift[i])));
        }
        saddle_matrix_clear(&Gt);
        free_tree(d);
    }
}

static void the_delassus_operator_is_the_dense_product(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    const double h = 0.05;
    for (int64_t trial = 0; trial < test_draws(500); trial++) {
        drawn_tree *d = draw_tree(&seed, NULL, TREE_BODIES, DRAWN_JOINT_KINDS, 1);
        saddle_tree_row rows[MOST_ROWS];
        const int64_t m = draw_rows(&seed, d, rows), n = d->coordinates;
        double *M = calloc((size_t)(n * n) + 1, sizeof *M), x[MOST_ROWS], y[MOST_ROWS];
        double G[N * MOST_ROWS], z[N] = {0}, largest = 0;
        saddle_matrix Gt, sparse;
        assert_int_equal(saddle_tree_rows_matrix(d->tree, m, rows, &Gt), SADDLE_OK);
        assert_int_equal(saddle_tree_mass(d->tree, &sparse), SADDLE_OK);
        test_dense(&Gt, G);
        test_dense(&sparse, M);
        for (int64_t j = 0; j < n; j++) M[j + n * j] += h * d->damping[j] + h * h * d->stiffness[j];
        for (int64_t i = 0; i < m; i++) {
            x[i] = test_uniform(&seed, -1, 1);
            for (int64_t j = 0; j < n; j++) z[j] += G[j + n * i] * x[i];
        }
        if (n > 0) assert_int_equal(saddle__dense_solve(NULL, n, M, z), SADDLE_OK);
        assert_int_equal(saddle_tree_factor(d->tree, h), SADDLE_OK);
        assert_int_equal(saddle_tree_rows_delassus(d->tree, m, rows, x, y), SADDLE_OK);
        for (int64_t j = 0; j < n; j++) largest = fmax(largest, fabs(z[j]));
        for (int64_t i = 0; i < m; i++) {
            double expected = 0, size = 1e-3 * largest;
            for (int64_t j = 0; j < n; j++) {
                expected += G[j + n * i] * z[j];
                size += fabs(G[j + n * i] * z[j]);
            }
            assert_true(fabs(y[i] - expected) <= 1e-10 * size + 1e-30);
        }
        saddle_matrix_clear(&Gt);
        saddle_matrix_clear(&sparse);
        free(M);
        free_tree(d);
    }
}

/* ---- loops ---- */

/* A planar four-bar linkage: three links about z, the last joint cut. */
static saddle_tree *four_bar(saddle_context *context, double *q, double *dq)
{
    const saddle_body_inertia rod = {1, {0.5, 0, 0}, {0.01, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    const double g[3] = {0, -9.81, 0};
    saddle_tree_body body[3];
    saddle_tree *tree;
    for (int k = 0; k < 3; k++) {
        body[k] = (saddle_tree_body){k - 1, saddle_motion_revolute(), rod};
        if (k > 0) body[k].joint.before.p[0] = 1;
    }
    q[0] = pi / 2; /* a square: (0,0), (0,1), (1,1), (1,0) */
    q[1] = q[2] = -pi / 2;
    dq[0] = 1;
    dq[1] = -1;
    dq[2] = 1;
    assert_int_equal(saddle_tree_create(context, 3, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    return tree;
}

static void solve(const saddle_problem *problem, const char *solver, double *v, double *lambda)
{
    double w[16];
    saddle_solution solution = {problem->n, problem->m, v, lambda, w, 0, NULL};
    assert_int_equal(saddle_solve(NULL, problem, solver, NULL, NULL, &solution, NULL), SADDLE_OK);
}

static void a_planar_loop_has_a_redundant_row_by_name_and_two_rows_are_enough(void **state)
{
    (void)state;
    double q[3], dq[3], v[3], v2[3], lambda[3], phi[3], rate[3];
    saddle_tree *tree = four_bar(NULL, q, dq);
    const int64_t body[2] = {-1, 2};
    const double at[3] = {1, 0, 0}, end[3] = {1, 0, 0}, z[3] = {0, 0, 2};
    saddle_tree_row three[3], two[2];
    saddle_tree_rows_at_point(body, at, end, three);
    saddle_tree_rows_in_plane(body, at, end, z, two);
    assert_int_equal(saddle_tree_rows_evaluate(tree, 3, three, phi, rate, NULL), SADDLE_OK);
    for (int i = 0; i < 3; i++) assert_true(fabs(phi[i]) < 1e-15 && fabs(rate[i]) < 1e-15);
    const saddle_tree_stage stage = {0};
    saddle_problem problem;
    saddle_rank rank;
    assert_int_equal(saddle_tree_problem(tree, 3, three, &stage, NULL, NULL, &problem), SADDLE_OK);
    assert_int_equal(saddle_rank_find(NULL, &problem, NULL, &rank), SADDLE_OK);
    assert_int_equal(rank.rank, 2);
    assert_int_equal(rank.dependency[0].row, 2);
    saddle_rank_clear(&rank);
    solve(&problem, "ldlt", v, lambda);
    saddle_problem_clear(&problem);
    assert_int_equal(saddle_tree_problem(tree, 2, two, &stage, NULL, NULL, &problem), SADDLE_OK);
    assert_int_equal(saddle_rank_find(NULL, &problem, NULL, &rank), SADDLE_OK);
    assert_int_equal(rank.rank, 2);
    saddle_rank_clear(&rank);
    solve(&problem, "ldlt", v2, lambda);
    assert_true(test_distance(v, v2, 3) < 1e-9);
    /* One degree of freedom phi: 3 rods of mass 1 turn and translate, I = 2 (1/12 .. about ends) */
    const double inertia = 2 * (0.1 + 0.25) + 1; /* cranks about their pivots, the coupler moves */
    const double weight = 9.81 * (0.5 + 1 + 0.5) * cos(pi / 2);
    assert_true(fabs(v2[0] * inertia + weight) < 1e-12);
    assert_true(fabs(v2[0] + v2[1]) < 1e-12 && fabs(v2[0] - v2[2]) < 1e-12);
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
}

/* Newton steps bring a loop together, quadratically; velocities follow the rate asked for. */
static void positions_and_velocities_are_projected(void **state)
{
    (void)state;
    double q[3], dq[3], step[3], lambda[2], phi[2], rate[2], last = 1;
    saddle_tree *tree = four_bar(NULL, q, dq);
    const int64_t body[2] = {-1, 2};
    const double at[3] = {1, 0, 0}, end[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    saddle_tree_row two[2];
    saddle_tree_rows_in_plane(body, at, end, z, two);
    saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_POSITIONS};
    saddle_problem problem;
    q[0] += 0.1;
    q[2] -= 0.2;
    assert_int_equal(saddle_tree_problem(tree, 2, two, &stage, NULL, NULL, &problem), SADDLE_OK);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
        assert_int_equal(saddle_tree_problem_values(tree, 2, two, &stage, NULL, NULL, &problem),
                         SADDLE_OK);
        assert_int_equal(saddle_tree_rows_evaluate(tree, 2, two, phi, NULL, NULL), SADDLE_OK);
        const double error = fabs(phi[0]) + fabs(phi[1]);
        assert_true(error < fmax(2 * last * last, 1e-14) || k == 0);
        last = error;
        solve(&problem, "ldlt", step, lambda);
        for (int j = 0; j < 3; j++) q[j] += step[j];
    }
    assert_true(last < 1e-14);
    q[1] += 0.01; /* an error that decays at 3/s */
    stage = (saddle_tree_stage){.level = SADDLE_TREE_LEVEL_VELOCITIES,
                                .time_step = 0.01,
                                .rate = 3};
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    assert_int_equal(saddle_tree_problem_values(tree, 2, two, &stage, NULL, NULL, &problem),
                     SADDLE_OK);
    solve(&problem, "ldlt", step, lambda);
    assert_int_equal(saddle_tree_place(tree, q, step), SADDLE_OK);
    assert_int_equal(saddle_tree_rows_evaluate(tree, 2, two, phi, rate, NULL), SADDLE_OK);
    for (int i = 0; i < 2; i++) assert_true(fabs(rate[i] + 3 * phi[i]) < 1e-12);
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
}

/* A stop, a motor with a bound and a gear, as rows on coordinates. */
static void limits_motors_and_gears_are_rows_on_coordinates(void **state)
{
    (void)state;
    double q[3], dq[3], v[3], lambda[3];
    saddle_tree *tree = four_bar(NULL, q, dq);
    const double h = 0.01;
    saddle_tree_row rows[3] = {
        {.kind = SADDLE_TREE_ROW_COORDINATES, .factor = {-1}, .offset = -q[0], .hi = INFINITY},
        {.kind = SADDLE_TREE_ROW_COORDINATES,
         .coordinate = {1},
         .factor = {1},
         .lo = -0.005,
         .hi = 0.005},
        {.kind = SADDLE_TREE_ROW_COORDINATES, .coordinate = {1, 2}, .factor = {1, 0.5}}};
    const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES, .time_step = h};
    saddle_problem problem;
    assert_int_equal(saddle_tree_problem(tree, 3, rows, &stage, NULL, NULL, &problem), SADDLE_OK);
    solve(&problem, "auto", v, lambda);
    assert_true(v[0] <= 1e-10); /* q0 moved at 1 into its stop */
    assert_true(lambda[0] > 0);
    assert_true(fabs(lambda[1] + 0.005) < 1e-9 && v[1] > 1e-3); /* too weak to hold q1 */
    assert_true(fabs(v[1] + 0.5 * v[2]) < 1e-10);
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
}

/* A block on rails along x and z touches the ground with friction: v_x loses mu g h a step. */
static void a_foot_slides_by_its_friction(void **state)
{
    (void)state;
    const saddle_body_inertia block = {2, {0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const saddle_tree_body body = {-1, saddle_motion_translational(), block};
    const double g[3] = {0, 0, -9.81}, h = 0.01, mu = 0.3;
    const double q[3] = {0, 0, 0}, dq[3] = {1, 0, 0};
    const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES, .time_step = h};
    saddle_tree_row rows[3];
    saddle_contact contact = {.row = 0, .size = 3, .mu = mu};
    saddle_tree *tree;
    saddle_problem problem;
    double v[3], lambda[3];
    memset(rows, 0, sizeof rows);
    for (int k = 0; k < 3; k++) { /* normal z, tangents x and y */
        rows[k].body[0] = -1;
        rows[k].axis[0][(k + 2) % 3] = 1;
    }
    assert_int_equal(saddle_tree_create(NULL, 1, &body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    assert_int_equal(saddle_tree_problem(tree, 3, rows, &stage, NULL, NULL, &problem), SADDLE_OK);
    problem.contact_count = 1;
    problem.contacts = &contact;
    solve(&problem, "auto", v, lambda);
    assert_true(fabs(v[0] - (1 - mu * 9.81 * h)) < 1e-8 && fabs(v[2]) < 1e-10);
    assert_true(fabs(lambda[0] - 2 * 9.81 * h) < 1e-8);
    problem.contact_count = 0;
    problem.contacts = NULL;
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
}

/* (2.77): all angles of a chain are one, dq = B dtheta; the same by gears between neighbours. */
static void coordinates_attached_to_one_are_hyper_reduced(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    enum { LINKS = 6, REDUCED = LINKS + 1 };
    saddle_tree_body body[LINKS];
    double q[LINKS], dq[LINKS], theta = 0.3, speed = 0.7, v[LINKS], lambda[LINKS], found[1];
    for (int k = 0; k < LINKS; k++) {
        body[k] = (saddle_tree_body){k - 1, saddle_motion_revolute(), draw_inertia(&seed)};
        body[k].joint.before = draw_joint_pose(&seed);
        q[k] = theta;
        dq[k] = speed;
    }
    saddle_tree *tree;
    const double g[3] = {1, 2, -9};
    assert_int_equal(saddle_tree_create(NULL, LINKS, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    const saddle_tree_stage stage = {0};
    saddle_tree_row gears[LINKS - 1];
    memset(gears, 0, sizeof gears);
    for (int k = 0; k + 1 < LINKS; k++)
        gears[k] = (saddle_tree_row){.kind = SADDLE_TREE_ROW_COORDINATES,
                                     .coordinate = {k, k + 1},
                                     .factor = {1, -1}};
    saddle_problem problem;
    assert_int_equal(saddle_tree_problem(tree, LINKS - 1, gears, &stage, NULL, NULL, &problem),
                     SADDLE_OK);
    solve(&problem, "ldlt", v, lambda);
    /* the tree's own problem behind a coordinate that all follow */
    const saddle_component component[2] = {
        {.id = 0, .kind = SADDLE_COMPONENT_COORDINATES, .size = 1},
        {.id = 1, .kind = SADDLE_COMPONENT_COORDINATES, .size = LINKS}};
    const double B[LINKS] = {1, 1, 1, 1, 1, 1};
    const saddle_attachment_block block = {.master = 0, .rows = LINKS, .cols = 1, .value = B};
    const saddle_attachment follow = {.component = 1, .block_count = 1, .blocks = &block};
    saddle_attachments *graph;
    saddle_elimination *elimination;
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(saddle_attachments_add(graph, &component[k]), SADDLE_OK);
    assert_int_equal(saddle_attachments_attach(graph, &follow), SADDLE_OK);
    int64_t start[REDUCED + 1] = {0}, index[REDUCED * REDUCED], *from = problem.M.start;
    double force[REDUCED] = {0};
    for (int j = 0; j < LINKS; j++) {
        for (int64_t e = from[j]; e < from[j + 1]; e++) index[e] = problem.M.index[e] + 1;
        start[j + 2] = from[j + 1];
        force[j + 1] = problem.f[j];
    }
    const saddle_problem behind = {.n = REDUCED,
                                   .M = saddle_matrix_view(REDUCED, REDUCED, start, index,
                                                           problem.M.value, SADDLE_SYMMETRY_LOWER),
                                   .f = force};
    assert_int_equal(saddle_elimination_create(NULL, graph, &behind, SADDLE_WISH_ELIMINATE, NULL,
                                               NULL, &elimination),
                     SADDLE_OK);
    assert_int_equal(saddle_elimination_problem(elimination)->n, 1);
    solve(saddle_elimination_problem(elimination), "ldlt", found, lambda);
    for (int k = 0; k < LINKS; k++) assert_true(fabs(v[k] - found[0]) < 1e-9 * (1 + fabs(v[k])));
    saddle_elimination_free(elimination);
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
}

/* ---- RedMax ---- */

/* Two rows in the plane of x and z, velocities -5 phi: (2.95) with h = 0.01 to t = 2. */
static double run_loop(int64_t bodies, const saddle_tree_body *body, const saddle_tree_row *rows,
                       double *q, double *dq)
{
    const double g[3] = {0, 0, -980};
    const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES,
                                     .time_step = 0.01,
                                     .rate = 5};
    saddle_tree *tree;
    saddle_problem problem = {0};
    double T, V, V0, T0, lambda[2];
    assert_int_equal(saddle_tree_create(NULL, bodies, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    assert_int_equal(saddle_tree_energy(tree, &T0, &V0), SADDLE_OK);
    assert_int_equal(saddle_tree_problem(tree, 2, rows, &stage, NULL, NULL, &problem), SADDLE_OK);
    for (int step = 0; step < 200; step++) {
        assert_int_equal(saddle_tree_problem_values(tree, 2, rows, &stage, NULL, NULL, &problem),
                         SADDLE_OK);
        solve(&problem, "ldlt", dq, lambda);
        for (int64_t j = 0; j < problem.n; j++) q[j] += 0.01 * dq[j];
        assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    }
    assert_int_equal(saddle_tree_energy(tree, &T, &V), SADDLE_OK);
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
    return T + V - V0;
}

static void redmax_loops_reach_their_published_energies(void **state)
{
    (void)state;
    const double upright[3] = {1, 1, 10}, bar[3] = {20, 1, 1}, slide[3] = {22, 1, 1};
    const double down[3] = {0, 0, -5}, up[3] = {0, 0, 5}, y[3] = {0, 1, 0};
    { /* scene 4 */
        const saddle_tree_body body[4] = {
            redmax_box(-1, 1, upright, (const double[3]){-10, 0, 0}, down),
            redmax_box(-1, 1, upright, (const double[3]){10, 0, 0}, down),
            redmax_box(0, 1, bar, (const double[3]){0, 0, -5}, (const double[3]){10, 0, 0}),
            redmax_box(2, 1, upright, (const double[3]){0, 0, 0}, down)};
        double q[4] = {0}, dq[4] = {0, 0, 0, 5};
        saddle_tree_row rows[2];
        saddle_tree_rows_in_plane((const int64_t[2]){1, 2}, (const double[3]){0, 0, -5},
                                  (const double[3]){10, 0, 0}, y, rows);
        const double H = run_loop(4, body, rows, q, dq);
        assert_true(fabs(H - redmax_energy(4)) < 1e-6);
    }
    { /* scene 15 */
        saddle_tree_body body[4] = {redmax_box(-1, 1, upright, (const double[3]){-11, 0, 0}, down),
                                    redmax_box(0, 1, slide, (const double[3]){0, 0, -5},
                                               (const double[3]){11, 0, 0}),
                                    redmax_box(1, 1, upright, (const double[3]){11, 0, 0}, up),
                                    redmax_box(1, 1, upright, (const double[3]){0, 0, 0}, down)};
        body[1].joint.evaluate = saddle_motion_prismatic().evaluate;
        body[1].joint.data = saddle_motion_prismatic().data;
        double q[4] = {0, 0, 0, 3 * pi / 4}, dq[4] = {0};
        saddle_tree_row rows[2];
        saddle_tree_rows_in_plane((const int64_t[2]){-1, 2}, (const double[3]){11, 0, 0},
                                  (const double[3]){0, 0, 5}, y, rows);
        const double H = run_loop(4, body, rows, q, dq);
        assert_true(fabs(H - redmax_energy(15)) < 1e-6);
    }
}

/* ---- failures ---- */

static void wrong_rows_are_refused_by_number(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    double q[3], dq[3], phi[2];
    saddle_tree *tree = four_bar(context, q, dq);
    for (int wrong = 0; wrong < 9; wrong++) {
        saddle_tree_row rows[2] = {{.body = {-1, 2}, .axis = {{1}}}, {.body = {-1, 2}}};
        saddle_matrix Gt;
        if (wrong == 0) rows[1].body[1] = 3;
        if (wrong == 1) rows[1].body[0] = 2;
        if (wrong == 2) rows[1].kind = (saddle_tree_row_kind)7;
        if (wrong == 3) rows[1].offset = NAN;
        if (wrong == 4) rows[1].point[1][2] = INFINITY;
        if (wrong == 5) rows[1].lo = 1;
        if (wrong >= 6) rows[1].kind = SADDLE_TREE_ROW_COORDINATES;
        if (wrong == 6) rows[1].coordinate[0] = 3;
        if (wrong == 7) rows[1].factor[1] = 1;
        if (wrong == 8) rows[1].factor[0] = NAN;
        assert_int_equal(saddle_tree_rows_evaluate(tree, 2, rows, phi, NULL, NULL),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "row 1"));
        assert_int_equal(saddle_tree_rows_matrix(tree, 2, rows, &Gt), SADDLE_INVALID_ARGUMENT);
    }
    const saddle_tree_row row = {.body = {-1, 2}, .axis = {{1}}};
    saddle_problem problem;
    const saddle_tree_stage late = {.level = SADDLE_TREE_LEVEL_VELOCITIES}, fine = {0};
    assert_int_equal(saddle_tree_problem(tree, 1, &row, &late, NULL, NULL, &problem),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_tree_rows_delassus(tree, 1, &row, phi, phi), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_tree_problem(tree, 1, &row, &fine, NULL, NULL, &problem), SADDLE_OK);
    assert_int_equal(saddle_tree_problem_values(tree, 0, &row, &fine, NULL, NULL, &problem),
                     SADDLE_INVALID_ARGUMENT);
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
    saddle_context_free(context);
}

static saddle_status form(saddle_context *context, void *user)
{
    (void)user;
    const saddle_body_inertia rod = {1, {0.5, 0, 0}, {0.01, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    const saddle_tree_body body = {-1, saddle_motion_revolute(), rod};
    const saddle_tree_row row = {.body = {-1, 0}, .axis = {{1}}};
    const saddle_tree_stage stage = {0};
    const double q[1] = {0};
    saddle_tree *tree;
    saddle_problem problem = {0};
    saddle_status status = saddle_tree_create(context, 1, &body, &tree);
    if (status == SADDLE_OK) status = saddle_tree_place(tree, q, NULL);
    if (status == SADDLE_OK)
        status = saddle_tree_problem(tree, 1, &row, &stage, NULL, NULL, &problem);
    const int64_t before = saddle_context_memory(context).allocations;
    if (status == SADDLE_OK)
        status = saddle_tree_problem_values(tree, 1, &row, &stage, NULL, NULL, &problem);
    if (status == SADDLE_OK) assert_int_equal(saddle_context_memory(context).allocations, before);
    saddle_problem_clear(&problem);
    saddle_tree_free(tree);
    return status;
}

static void every_allocation_may_fail_and_new_values_need_none(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(form, NULL) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twists_are_relative_velocities_and_loads_have_their_power),
        cmocka_unit_test(rows_are_differences_of_their_values),
        cmocka_unit_test(the_delassus_operator_is_the_dense_product),
        cmocka_unit_test(a_planar_loop_has_a_redundant_row_by_name_and_two_rows_are_enough),
        cmocka_unit_test(positions_and_velocities_are_projected),
        cmocka_unit_test(limits_motors_and_gears_are_rows_on_coordinates),
        cmocka_unit_test(a_foot_slides_by_its_friction),
        cmocka_unit_test(coordinates_attached_to_one_are_hyper_reduced),
        cmocka_unit_test(redmax_loops_reach_their_published_energies),
        cmocka_unit_test(wrong_rows_are_refused_by_number),
        cmocka_unit_test(every_allocation_may_fail_and_new_values_need_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
