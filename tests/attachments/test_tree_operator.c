/* SPDX-License-Identifier: MIT */
/* The recursion of a tree as the mass operator of every solver: against J'M J formed from
 * attachments and factored by LAPACK, and against the same solvers on M formed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_tree.h"

enum { N = TREE_COORDINATES, MOST_ROWS = 12 };

/* M (n x n by columns) = J'M J + h d + h^2 k, from the graph of attachments */
static void dense_mass(const drawn_tree *d, double h, double *M)
{
    const int64_t n = d->coordinates;
    double *force = calloc(N, sizeof *force), *drift = calloc(6 * TREE_BODIES, sizeof *drift);
    double *J = calloc((size_t)(6 * TREE_BODIES * N), sizeof *J);
    assert_true(force && drift && J);
    eliminated_tree(d, M, force, J, drift);
    for (int64_t j = 0; j < n; j++) M[j + n * j] += h * d->damping[j] + h * h * d->stiffness[j];
    free(force);
    free(drift);
    free(J);
}

static double largest(const double *x, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* (L^-1 x)'(L^-1 y) = y'M^-1 x, z = M^-1 x */
static void halves_make_the_inverse(const saddle_mass_operator *mass, const double *x,
                                    const double *y, const double *z)
{
    double halves[2][N], sum = 0, expected = 0, size = 0;
    for (int k = 0; k < 2; k++) {
        memcpy(halves[k], k ? y : x, sizeof halves[k]);
        assert_int_equal(mass->half_solve(mass->user, halves[k]), SADDLE_OK);
    }
    for (int64_t j = 0; j < mass->n; j++) {
        sum += halves[0][j] * halves[1][j];
        size += fabs(halves[0][j] * halves[1][j]) + fabs(y[j] * z[j]);
        expected += y[j] * z[j];
    }
    assert_true(fabs(sum - expected) <= 1e-10 * size);
}

static void products_are_those_of_the_dense_mass_matrix(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int64_t trial = 0; trial < test_draws(300); trial++) {
        drawn_tree *d = draw_tree(&seed, NULL, TREE_BODIES, DRAWN_JOINT_KINDS, 1);
        const int64_t n = d->coordinates;
        const double h = trial % 3 ? 0.1 : 0;
        double *M = calloc(N * N, sizeof *M), y[N], z[N], diagonal[N];
        saddle_mass_operator mass;
        dense_mass(d, h, M);
        assert_int_equal(saddle_tree_mass_operator(d->tree, &mass), SADDLE_OK);
        assert_int_equal(mass.n, n);
        assert_int_equal(mass.multiply(mass.user, d->x, y), SADDLE_WRONG_PHASE);
        assert_int_equal(mass.diagonal(mass.user, diagonal), SADDLE_WRONG_PHASE);
        memcpy(z, d->x, sizeof z);
        assert_int_equal(mass.solve(mass.user, z), SADDLE_WRONG_PHASE);
        assert_int_equal(mass.half_solve(mass.user, z), SADDLE_WRONG_PHASE);
        assert_int_equal(saddle_tree_factor(d->tree, h), SADDLE_OK);
        assert_int_equal(mass.multiply(mass.user, d->x, y), SADDLE_OK);
        assert_int_equal(mass.diagonal(mass.user, diagonal), SADDLE_OK);
        assert_int_equal(mass.solve(mass.user, z), SADDLE_OK);
        halves_make_the_inverse(&mass, d->x, d->torque, z);
        for (int64_t i = 0; i < n; i++) {
            double sum = 0, back = 0, size = 0, terms = 0;
            for (int64_t j = 0; j < n; j++) {
                sum += M[i + n * j] * d->x[j];
                size += fabs(M[i + n * j] * d->x[j]);
                back += M[i + n * j] * z[j];
                terms += fabs(M[i + n * j] * z[j]);
            }
            assert_true(fabs(sum - y[i]) <= 1e-11 * size + 1e-13 * largest(y, n));
            assert_true(fabs(back - d->x[i]) <= 1e-10 * (terms + 1));
            assert_true(fabs(M[i + n * i] - diagonal[i]) <= 1e-11 * diagonal[i]);
        }
        free(M);
        free_tree(d);
    }
}

/* ---- drawn rows ---- */

typedef struct drawn_rows {
    int64_t m;
    saddle_tree_row row[MOST_ROWS];
    saddle_contact contact[MOST_ROWS];
    int64_t contacts;
    saddle_law law;
    int64_t start[MOST_ROWS + 1], index[MOST_ROWS];
    double compliance[MOST_ROWS];
} drawn_rows;

static void draw_pair(uint64_t *state, const drawn_tree *d, saddle_tree_row *row)
{
    row->body[0] = test_integer(state, -1, d->bodies - 1);
    do row->body[1] = test_integer(state, -1, d->bodies - 1);
    while (row->body[1] == row->body[0]);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 3; a++) row->point[k][a] = test_uniform(state, -1, 1);
}

/* A contact: three twist rows at one point, along perpendicular axes. */
static void draw_contact(uint64_t *state, const drawn_tree *d, drawn_rows *r)
{
    saddle_tree_row *row = r->row + r->m;
    row->kind = SADDLE_TREE_ROW_TWIST;
    draw_pair(state, d, row);
    row[1] = row[2] = row[0];
    const saddle_pose axes = draw_joint_pose(state);
    for (int k = 0; k < 3; k++) memcpy(row[k].axis[0], axes.R + 3 * k, sizeof row[k].axis[0]);
    r->contact[r->contacts++] = (saddle_contact){.row = r->m,
                                                 .size = 3,
                                                 .mu = test_uniform(state, 0, 0.5)};
    r->m += 3;
}

/* A loop's row, a gear, a limit or a motor. */
static void draw_single(uint64_t *state, const drawn_tree *d, int bounds, drawn_rows *r)
{
    saddle_tree_row *row = r->row + r->m++;
    row->kind = (saddle_tree_row_kind)test_integer(state, 0, d->coordinates > 1 ? 2 : 1);
    draw_pair(state, d, row);
    draw_tree_axis(state, row->axis[0]);
    draw_tree_axis(state, row->axis[1]);
    row->offset = test_uniform(state, -0.1, 0.1);
    row->factor[0] = 1;
    if (row->kind == SADDLE_TREE_ROW_COORDINATES) {
        row->coordinate[0] = test_integer(state, 0, d->coordinates - 1);
        row->coordinate[1] = (row->coordinate[0] + 1) % d->coordinates;
        row->factor[1] = test_uniform(state, 0, 1) < 0.5 ? 0 : -0.5;
    }
    const int64_t kind = bounds ? test_integer(state, 0, 2) : 0;
    if (kind == 1) row->hi = INFINITY;
    if (kind == 2) row->lo = -(row->hi = test_uniform(state, 0, 0.5));
}

/* bounds: 0 = equalities, 1 = with limits and motors, 2 = with contacts.  compliant: R > 0. */
static void draw_rows(uint64_t *state, const drawn_tree *d, int bounds, drawn_rows *r)
{
    const int64_t most = test_integer(state, 1, MOST_ROWS - 3);
    *r = (drawn_rows){.law = bounds == 2 ? (saddle_law)test_integer(state, 0, 3) : SADDLE_LAW_CONE};
    while (r->m < most)
        if (bounds == 2 && test_uniform(state, 0, 1) < 0.5)
            draw_contact(state, d, r);
        else
            draw_single(state, d, bounds, r);
    for (int64_t i = 0; i < r->m; i++) {
        r->index[i] = i;
        r->start[i + 1] = i + 1;
        r->compliance[i] = test_uniform(state, 0.05, 0.2);
    }
}

/* The same rows on M formed, or with an M without entries. */
static void make_problem(const drawn_tree *d, drawn_rows *r, double h, int matrix_free,
                         saddle_problem *p)
{
    const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES,
                                     .time_step = h,
                                     .rate = 1,
                                     .matrix_free = matrix_free};
    assert_int_equal(saddle_tree_problem(d->tree, r->m, r->row, &stage, d->torque, d->wrench, p),
                     SADDLE_OK);
    p->contacts = r->contact;
    p->contact_count = r->contacts;
    p->law = r->law;
    p->R = saddle_matrix_view(r->m, r->m, r->start, r->index, r->compliance, SADDLE_SYMMETRY_LOWER);
}

static void clear_problem(saddle_problem *p)
{
    p->contacts = NULL;
    p->R = (saddle_matrix){0};
    saddle_problem_clear(p);
}

/* f of the matrix-free problem is that with M formed, and its M has no entries. */
static void problems_differ_in_M_alone(const saddle_problem *free_of, const saddle_problem *formed)
{
    assert_int_equal(saddle_matrix_entries(&free_of->M), 0);
    assert_int_equal(free_of->M.rows, formed->n);
    const double size = largest(formed->f, formed->n);
    for (int64_t j = 0; j < formed->n; j++)
        assert_true(fabs(free_of->f[j] - formed->f[j]) <= 1e-11 * size);
    for (int64_t i = 0; i < formed->m; i++) assert_true(free_of->b[i] == formed->b[i]);
}

/* The answer of a solver on the operator: residual of the problem with M formed, and the answer of
 * the same solver there.  0: the solver does not take the rows. */
static int agrees(const drawn_tree *d, const char *name, const saddle_problem *free_of,
                  const saddle_problem *formed, int unique)
{
    saddle_options options = saddle_options_default();
    saddle_solver *solver;
    saddle_mass_operator mass;
    saddle_solution x = {0}, y = {0};
    saddle_residual residual;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    options.tolerance = 1e-11;
    assert_int_equal(saddle_tree_mass_operator(d->tree, &mass), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, name, &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
    saddle_status status = saddle_solver_analyse(solver, free_of);
    if (status == SADDLE_UNSUPPORTED) {
        assert_non_null(strstr(saddle_context_message(context), name));
        saddle_solver_free(solver);
        saddle_context_free(context);
        return 0;
    }
    assert_int_equal(status, SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, formed->n, formed->m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, free_of), SADDLE_OK);
    status = saddle_solver_solve(solver, free_of, NULL, &x);
    const saddle_report *report = saddle_solver_report(solver);
    assert_int_equal(report->status, status);
    assert_int_equal(report->n, formed->n);
    assert_int_equal(report->m, formed->m);
    if (status == SADDLE_OK) {
        assert_true(report->residual.total <= options.tolerance);
        assert_int_equal(saddle_solution_check(NULL, formed, &x, &residual, NULL), SADDLE_OK);
        assert_true(residual.total <= 1e-9);
        status = saddle_solve(context, formed, name, &options, NULL, &y, NULL);
        if (unique && status == SADDLE_OK)
            assert_true(test_distance(x.v, y.v, formed->n) <= 1e-9 * (1 + largest(y.v, formed->n)));
        if (unique && status == SADDLE_OK)
            assert_true(test_distance(x.lambda, y.lambda, formed->m) <=
                        1e-9 * (1 + largest(y.lambda, formed->m)));
        status = SADDLE_OK;
    }
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    saddle_solver_free(solver);
    saddle_context_free(context);
    return status == SADDLE_OK ? 1 : -1;
}

/* Loops, gears, limits, motors and contacts of each law on trees of all joints with springs. */
static void every_solver_answers_as_with_M_formed(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    const double h = 0.02;
    int64_t solved[3] = {0}, unsolved[3] = {0}, refused[3] = {0};
    for (int64_t trial = 0; trial < test_draws_at_least(6, 150); trial++) {
        const int bounds = (int)(trial % 3);
        drawn_tree *d = draw_tree(&seed, NULL, TREE_BODIES, DRAWN_JOINT_KINDS, 1);
        drawn_rows rows;
        saddle_problem free_of, formed;
        if (d->coordinates == 0) {
            free_tree(d);
            continue;
        }
        draw_rows(&seed, d, bounds, &rows);
        make_problem(d, &rows, h, 1, &free_of);
        make_problem(d, &rows, h, 0, &formed);
        problems_differ_in_M_alone(&free_of, &formed);
        assert_int_equal(saddle_tree_factor(d->tree, h), SADDLE_OK);
        const int unique = rows.contacts == 0 || rows.law == SADDLE_LAW_ASSOCIATED;
        const saddle_solver_type *type;
        for (int64_t k = 0; (type = saddle_solver_type_at(NULL, k)) != NULL; k++) {
            const int took = agrees(d, type->name, &free_of, &formed, unique);
            *(took > 0 ? &solved[bounds] : took < 0 ? &unsolved[bounds] : &refused[bounds]) += 1;
        }
        clear_problem(&free_of);
        clear_problem(&formed);
        free_tree(d);
    }
    for (int k = 0; k < 3; k++) assert_true(solved[k] > 0 && unsolved[k] == 0);
    assert_int_equal(refused[0], 0);
    assert_true(refused[1] > 0 && refused[2] > refused[1]); /* ldlt, lu: equalities alone */
}

/* ---- steps ---- */

/* A chain whose tip is held by a loop, with a limit, over 50 steps: the same motion, and nothing is
 * allocated after the first step. */
static void steps_follow_those_with_M_formed_and_allocate_nothing(void **state)
{
    (void)state;
    enum { LINKS = 20, ROWS = 4, STEPS = 50 };
    const saddle_body_inertia rod = {1, {0.5, 0, 0}, {0.01, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    const double g[3] = {0, -9.81, 0}, h = 0.01, tip[3] = {1, 0, 0}, far[3] = {18.5, -0.5, 0};
    const double z[3] = {0, 0, 1};
    saddle_tree_body body[LINKS];
    double q[2][LINKS] = {{0}}, dq[2][LINKS] = {{0}};
    for (int k = 0; k < LINKS; k++) {
        body[k] = (saddle_tree_body){k - 1, saddle_motion_revolute(), rod};
        body[k].joint.before.p[0] = k > 0;
        for (int s = 0; s < 2; s++) q[s][k] = k == 0 ? 0.3 : k % 2 ? -0.6 : 0.6;
    }
    saddle_tree_row rows[ROWS];
    memset(rows, 0, sizeof rows);
    saddle_tree_rows_in_plane((const int64_t[2]){-1, LINKS - 1}, far, tip, z, rows);
    rows[2] = (saddle_tree_row){.kind = SADDLE_TREE_ROW_COORDINATES, .factor = {1}, .hi = INFINITY};
    rows[3] = (saddle_tree_row){.kind = SADDLE_TREE_ROW_COORDINATES,
                                .coordinate = {5},
                                .factor = {1},
                                .lo = -0.1,
                                .hi = 0.1};
    for (int operator_used = 0; operator_used < 2; operator_used++) {
        const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES,
                                         .time_step = h,
                                         .rate = 5,
                                         .matrix_free = operator_used};
        double *at = q[operator_used], *rate = dq[operator_used];
        saddle_context *context;
        saddle_tree *tree;
        saddle_problem p = {0};
        saddle_solver *solver;
        saddle_solution x = {0};
        int64_t before = 0;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        assert_int_equal(saddle_tree_create(context, LINKS, body, &tree), SADDLE_OK);
        assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
        assert_int_equal(saddle_solver_create(context, "schur", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(context, LINKS, ROWS, &x), SADDLE_OK);
        if (operator_used) {
            saddle_mass_operator mass;
            assert_int_equal(saddle_tree_mass_operator(tree, &mass), SADDLE_OK);
            assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
        }
        for (int step = 0; step < STEPS; step++) {
            assert_int_equal(saddle_tree_place(tree, at, rate), SADDLE_OK);
            assert_int_equal(saddle_tree_factor(tree, h), SADDLE_OK);
            assert_int_equal(step == 0
                                 ? saddle_tree_problem(tree, ROWS, rows, &stage, NULL, NULL, &p)
                                 : saddle_tree_problem_values(tree, ROWS, rows, &stage, NULL, NULL,
                                                              &p),
                             SADDLE_OK);
            if (step == 0) assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
            assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
            if (step == 0) before = saddle_context_memory(context).allocations;
            memcpy(rate, x.v, LINKS * sizeof *rate);
            for (int j = 0; j < LINKS; j++) at[j] += h * rate[j];
        }
        if (operator_used) assert_int_equal(saddle_context_memory(context).allocations, before);
        saddle_solution_clear(&x);
        saddle_solver_free(solver);
        saddle_problem_clear(&p);
        saddle_tree_free(tree);
        saddle_context_free(context);
    }
    assert_true(largest(q[0], LINKS) > 0.1);
    assert_true(test_distance(q[0], q[1], LINKS) < 1e-9);
    assert_true(test_distance(dq[0], dq[1], LINKS) < 1e-8);
}

/* J'M J of so many links has a condition of 1e13: the rows are met in the accelerations found, and
 * M is not formed. */
static void a_chain_of_two_thousand_links_is_closed(void **state)
{
    (void)state;
    enum { LINKS = 2000, ROWS = 4 };
    const saddle_body_inertia rod = {1, {0.5, 0, 0}, {0.01, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    const double g[3] = {0, -9.81, 0}, tip[3] = {1, 0, 0}, far[3] = {1500, 0, 0}, z[3] = {0, 0, 1};
    const saddle_tree_stage stage = {.matrix_free = 1};
    saddle_tree_body *body = calloc(LINKS, sizeof *body);
    double *q = calloc(LINKS, sizeof *q), rate[ROWS], drift[ROWS];
    saddle_tree_row rows[ROWS];
    saddle_context *context;
    saddle_tree *tree;
    saddle_solver *solver;
    saddle_mass_operator mass;
    saddle_problem p;
    saddle_solution x = {0};
    assert_true(body && q);
    for (int k = 0; k < LINKS; k++) {
        body[k] = (saddle_tree_body){k - 1, saddle_motion_revolute(), rod};
        body[k].joint.before.p[0] = k > 0;
        q[k] = k == 0 ? 0.5 : k % 2 ? -1 : 1;
    }
    memset(rows, 0, sizeof rows);
    saddle_tree_rows_in_plane((const int64_t[2]){-1, LINKS - 1}, far, tip, z, rows);
    for (int k = 2; k < ROWS; k++) /* the floor under two links */
        rows[k] = (saddle_tree_row){.body = {-1, 600 * k - 700},
                                    .axis = {{0, 1, 0}},
                                    .hi = INFINITY};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_tree_create(context, LINKS, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, NULL), SADDLE_OK);
    assert_int_equal(saddle_tree_factor(tree, 0), SADDLE_OK);
    assert_int_equal(saddle_tree_mass_operator(tree, &mass), SADDLE_OK);
    assert_int_equal(saddle_tree_problem(tree, ROWS, rows, &stage, NULL, NULL, &p), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, LINKS, ROWS, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, "schur", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
    assert_true(saddle_solver_report(solver)->residual.total <= 1e-10);
    assert_true(saddle_context_memory(context).peak_bytes < (int64_t)4 * LINKS * LINKS);
    /* d2phi/dt2 = G ddq + drift at rest; G ddq is the rate where the velocities are ddq */
    assert_int_equal(saddle_tree_place(tree, q, x.v), SADDLE_OK);
    assert_int_equal(saddle_tree_rows_evaluate(tree, ROWS, rows, NULL, rate, drift), SADDLE_OK);
    const double size = largest(x.v, LINKS);
    for (int i = 0; i < 2; i++) assert_true(fabs(rate[i]) <= 1e-8 * size);
    for (int i = 2; i < ROWS; i++) {
        assert_true(rate[i] >= -1e-8 * size && x.lambda[i] >= 0);
        assert_true(x.lambda[i] == 0 || rate[i] <= 1e-8 * size);
    }
    assert_true(x.lambda[2] > 0 || x.lambda[3] > 0);
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
    saddle_tree_free(tree);
    saddle_context_free(context);
    free(body);
    free(q);
}

/* No rows: forward dynamics; no coordinates: nothing to do. */
static void without_rows_or_coordinates_the_answer_is_forward_dynamics(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int64_t trial = 0; trial < test_draws(20); trial++) {
        drawn_tree *d = draw_tree(&seed, NULL, TREE_BODIES, DRAWN_JOINT_KINDS, 1);
        const saddle_tree_stage stage = {.matrix_free = 1};
        const int64_t n = d->coordinates;
        double ddq[N] = {0};
        saddle_mass_operator mass;
        saddle_problem p;
        saddle_solver *solver;
        saddle_solution x = {0};
        assert_int_equal(saddle_tree_forward(d->tree, d->torque, d->wrench, ddq), SADDLE_OK);
        assert_int_equal(saddle_tree_mass_operator(d->tree, &mass), SADDLE_OK);
        assert_int_equal(saddle_tree_problem(d->tree, 0, NULL, &stage, d->torque, d->wrench, &p),
                         SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, n, 0, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_create(NULL, NULL, NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
        assert_true(n == 0 || test_distance(x.v, ddq, n) <= 1e-9 * (1 + largest(ddq, n)));
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        saddle_problem_clear(&p);
        free_tree(d);
    }
}

/* Impulses of the last solve follow the row ids; another operator begins anew. */
static void rows_are_remembered_by_their_ids(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    drawn_tree *d = draw_tree(&seed, NULL, TREE_BODIES, DRAWN_EULER, 1);
    drawn_rows rows;
    saddle_problem p;
    saddle_mass_operator mass;
    saddle_solver *solver;
    saddle_solution x = {0};
    int64_t id[MOST_ROWS];
    draw_rows(&seed, d, 1, &rows);
    make_problem(d, &rows, 0.01, 1, &p);
    for (int64_t i = 0; i < p.m; i++) id[i] = 100 + i;
    p.row_id = id;
    assert_int_equal(saddle_tree_factor(d->tree, 0.01), SADDLE_OK);
    assert_int_equal(saddle_tree_mass_operator(d->tree, &mass), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, p.n, p.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "gauss-seidel", NULL, &solver), SADDLE_OK);
    for (int anew = 0; anew < 2; anew++) {
        assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_WRONG_PHASE);
        assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
            assert_int_equal(saddle_solver_report(solver)->warm_rows, again ? p.m : 0);
        }
    }
    p.row_id = NULL;
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    clear_problem(&p);
    free_tree(d);
}

/* Two equalities of one coordinate that want different velocities: the certificate is of the rows,
 * without a motion. */
static void contradictory_rows_are_proven_so(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    drawn_tree *d = draw_tree(&seed, NULL, 5, DRAWN_REVOLUTE, 0);
    const saddle_tree_stage stage = {.matrix_free = 1, .beta = 1};
    saddle_tree_row row[2] = {{.kind = SADDLE_TREE_ROW_COORDINATES, .factor = {1}}};
    saddle_mass_operator mass;
    saddle_solver *solver;
    saddle_problem p;
    saddle_solution x = {0};
    saddle_context *context;
    row[1] = row[0];
    row[1].offset = 1;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_tree_factor(d->tree, 0), SADDLE_OK);
    assert_int_equal(saddle_tree_problem(d->tree, 2, row, &stage, NULL, NULL, &p), SADDLE_OK);
    assert_int_equal(saddle_tree_mass_operator(d->tree, &mass), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, p.n, p.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, "schur", NULL, &solver), SADDLE_OK);
    assert_null(saddle_solver_certificate(solver));
    assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_INFEASIBLE);
    assert_string_equal(saddle_context_message(context),
                        "schur: no solution: row 1 and row 2 contradict each other");
    assert_int_equal(saddle_context_place(context).kind, SADDLE_PLACE_ROW);
    const saddle_certificate *proof = saddle_solver_certificate(solver);
    assert_non_null(proof);
    assert_true(proof->row[0] * proof->row[1] < 0 && fabs(proof->row[0] + proof->row[1]) <= 1e-12);
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
    free_tree(d);
    saddle_context_free(context);
}

/* ---- misuse ---- */

/* M formed, in a problem made so, is not left with old values where the stage is matrix_free, and
 * not missed where it is not. */
static void values_keep_to_the_way_of_the_matrix(const drawn_tree *d, const drawn_rows *r,
                                                 saddle_problem *free_of, saddle_problem *formed)
{
    for (int matrix_free = 0; matrix_free < 2; matrix_free++) {
        const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES,
                                         .time_step = 0.01,
                                         .rate = 1,
                                         .matrix_free = matrix_free};
        saddle_problem *same = matrix_free ? free_of : formed;
        saddle_problem *other = matrix_free ? formed : free_of;
        assert_int_equal(saddle_tree_problem_values(d->tree, r->m, r->row, &stage, d->torque,
                                                    d->wrench, other),
                         SADDLE_INVALID_ARGUMENT);
        assert_int_equal(saddle_tree_problem_values(d->tree, r->m, r->row, &stage, d->torque,
                                                    d->wrench, same),
                         SADDLE_OK);
    }
}

static void misuse_is_refused_with_a_sentence(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    drawn_tree *d = draw_tree(&seed, context, 4, DRAWN_REVOLUTE, 0);
    drawn_rows rows;
    saddle_problem p, formed;
    saddle_mass_operator mass = {0};
    saddle_solver *solver;
    saddle_solution x = {0};
    draw_rows(&seed, d, 0, &rows);
    make_problem(d, &rows, 0.01, 1, &p);
    make_problem(d, &rows, 0.01, 0, &formed);
    values_keep_to_the_way_of_the_matrix(d, &rows, &p, &formed);
    clear_problem(&formed);
    assert_int_equal(saddle_solution_create(NULL, p.n, p.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, "schur", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_set_mass(solver, NULL), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "NULL"));
    assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "solve"));
    /* without the operator, M has no entries */
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_SINGULAR);
    assert_int_equal(saddle_tree_mass_operator(d->tree, &mass), SADDLE_OK);
    mass.n++;
    assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "velocities"));
    mass.n--;
    assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_WRONG_PHASE);
    /* the operator's own status and message */
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_WRONG_PHASE);
    assert_non_null(strstr(saddle_context_message(context), "factored"));
    assert_int_equal(saddle_tree_factor(d->tree, 0.01), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
    assert_int_equal(saddle_tree_place(d->tree, d->q, d->dq), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_WRONG_PHASE);
    assert_true(largest(x.v, p.n) == 0 && largest(x.lambda, p.m) == 0);
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    clear_problem(&p);
    free_tree(d);
    saddle_context_free(context);
}

static saddle_status whole_solve(saddle_context *context, void *user)
{
    drawn_tree *d = user;
    const saddle_tree_stage stage = {.matrix_free = 1};
    const saddle_tree_row row = {.kind = SADDLE_TREE_ROW_COORDINATES,
                                 .factor = {1},
                                 .hi = INFINITY};
    double v[N], lambda[1], w[1];
    saddle_mass_operator mass;
    saddle_solver *solver = NULL;
    saddle_problem p = {0};
    saddle_solution x = {d->coordinates, 1, v, lambda, w, 0, NULL};
    saddle_status status = saddle_tree_problem(d->tree, 1, &row, &stage, NULL, NULL, &p);
    if (status == SADDLE_OK) status = saddle_tree_mass_operator(d->tree, &mass);
    if (status == SADDLE_OK) status = saddle_solver_create(context, "pivot", NULL, &solver);
    if (status == SADDLE_OK) status = saddle_solver_set_mass(solver, &mass);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &p);
    if (status == SADDLE_OK) status = saddle_solver_factor(solver, &p);
    if (status == SADDLE_OK) status = saddle_solver_solve(solver, &p, NULL, &x);
    saddle_solver_free(solver);
    saddle_problem_clear(&p);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    drawn_tree *d = draw_tree(&seed, NULL, 5, DRAWN_REVOLUTE, 0);
    assert_int_equal(saddle_tree_factor(d->tree, 0), SADDLE_OK);
    assert_true(test_allocation_sweep(whole_solve, d) >= 15);
    free_tree(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_dense_mass_matrix),
        cmocka_unit_test(every_solver_answers_as_with_M_formed),
        cmocka_unit_test(steps_follow_those_with_M_formed_and_allocate_nothing),
        cmocka_unit_test(a_chain_of_two_thousand_links_is_closed),
        cmocka_unit_test(without_rows_or_coordinates_the_answer_is_forward_dynamics),
        cmocka_unit_test(rows_are_remembered_by_their_ids),
        cmocka_unit_test(contradictory_rows_are_proven_so),
        cmocka_unit_test(misuse_is_refused_with_a_sentence),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
