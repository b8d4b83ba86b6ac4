/* SPDX-License-Identifier: MIT */
/* What the notes in data/ claim of the systems and their answers, against closed forms, dense
 * LAPACK and balances. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "dense_kkt.h"
#include "generators.h"
#include "shipped.h"

#define GRAVITY 9.81

static saddle_problem make(const char *name)
{
    saddle_problem problem;
    const shipped_system *system = shipped_system_find(name);
    assert_non_null(system);
    assert_int_equal(shipped_system_make(system, NULL, &problem), SADDLE_OK);
    return problem;
}

static double *doubles(int64_t count)
{
    double *array = calloc((size_t)count + 1, sizeof *array);
    assert_non_null(array);
    return array;
}

static int64_t rank_of(const saddle_matrix *A)
{
    int64_t least = A->rows < A->cols ? A->rows : A->cols, rank = 0;
    double *dense = doubles(A->rows * A->cols), *sigma = doubles(least);
    test_dense(A, dense);
    test_singular_values(A->rows, A->cols, dense, sigma);
    while (rank < least && sigma[rank] > 1e-10 * sigma[0]) rank++;
    assert_true(rank == least || sigma[rank] < 1e-14 * sigma[0]); /* a clear gap, or the rank means
                                                                     nothing */
    free(dense);
    free(sigma);
    return rank;
}

/* Smallest and largest eigenvalue of (A + A')/2. */
static void spectrum(const saddle_matrix *A, double *least, double *largest)
{
    int64_t n = A->rows;
    double *dense = doubles(n * n), *eigenvalue = doubles(n);
    test_dense(A, dense);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            dense[i + n * j] = (dense[i + n * j] + dense[j + n * i]) / 2;
    assert_int_equal(saddle__dense_eigenvalues(NULL, n, dense, eigenvalue), SADDLE_OK);
    *least = eigenvalue[0];
    *largest = eigenvalue[n - 1];
    free(dense);
    free(eigenvalue);
}

/* v (n) and lambda (m) with every row an equality, by dense least squares of least norm. */
static void solve_as_equalities(const saddle_problem *p, double *v, double *lambda)
{
    double *K, *x;
    int64_t size = p->n + p->m, rank;
    assert_int_equal(test_dense_kkt(NULL, p, &K, &x), SADDLE_OK);
    assert_int_equal(test_dense_least_norm(NULL, size, size, K, x, 1e-12, &rank), SADDLE_OK);
    memcpy(v, x, (size_t)p->n * sizeof *v);
    for (int64_t i = 0; i < p->m; i++) lambda[i] = -x[p->n + i];
    saddle_release(NULL, K);
    saddle_release(NULL, x);
}

/* ---- all of them ---- */

static void shipped_names_ascend_and_are_found(void **unused)
{
    (void)unused;
    for (int64_t i = 0; shipped_system_at(i) != NULL; i++) {
        const shipped_system *system = shipped_system_at(i);
        assert_ptr_equal(shipped_system_find(system->name), system);
        assert_true(i == 0 || strcmp(shipped_system_at(i - 1)->name, system->name) < 0);
        assert_true(strlen(system->what) > 40 && strlen(system->known) > 40);
    }
    assert_null(shipped_system_find("none"));
}

static void assert_same_bits(const saddle_matrix *A, const saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    assert_true(A->rows == B->rows && A->cols == B->cols && entries == saddle_matrix_entries(B));
    if (entries == 0) return;
    assert_memory_equal(A->start, B->start, ((size_t)A->cols + 1) * sizeof *A->start);
    assert_memory_equal(A->index, B->index, (size_t)entries * sizeof *A->index);
    assert_memory_equal(A->value, B->value, (size_t)entries * sizeof *A->value);
}

static void same_parameters_give_the_same_bits(void **unused)
{
    (void)unused;
    for (int64_t i = 0; shipped_system_at(i) != NULL; i++) {
        saddle_problem a = make(shipped_system_at(i)->name), b = make(shipped_system_at(i)->name);
        assert_int_equal(saddle_problem_check(NULL, &a, NULL, NULL), SADDLE_OK);
        assert_same_bits(&a.M, &b.M);
        assert_same_bits(&a.Jt, &b.Jt);
        assert_same_bits(&a.R, &b.R);
        if (a.n > 0) assert_memory_equal(a.f, b.f, (size_t)a.n * sizeof *a.f);
        assert_memory_equal(a.b, b.b, (size_t)a.m * sizeof *a.b);
        saddle_problem_clear(&a);
        saddle_problem_clear(&b);
    }
}

static saddle_status make_and_clear(saddle_context *context, void *system)
{
    saddle_problem problem;
    saddle_status status = shipped_system_make(system, context, &problem);
    assert_true(status == SADDLE_OK || problem.n + problem.m == 0);
    saddle_problem_clear(&problem);
    return status;
}

static void failing_allocations_leave_nothing_behind(void **unused)
{
    (void)unused;
    for (int64_t i = 0; shipped_system_at(i) != NULL; i++) {
        shipped_system system = *shipped_system_at(i);
        assert_true(test_allocation_sweep(make_and_clear, &system) > 10);
    }
}

static void constraint_ranks_are_those_of_the_notes(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int64_t m, rank;
    } expected[] = {
        {"bushings", 84, 60},  {"chain", 250, 250},        {"chain-motors", 36, 36},
        {"crane", 30, 24},     {"grid-balls", 84, 76},     {"grid-rods", 36, 35},
        {"hex-block", 64, 64}, {"hex-block-ties", 88, 88}, {"loop", 65, 53},
        {"rotors", 36, 36},    {"stack-cone", 60, 30},     {"wall", 336, 108},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        saddle_problem p = make(expected[i].name);
        assert_int_equal(p.m, expected[i].m);
        assert_int_equal(rank_of(&p.Jt), expected[i].rank);
        saddle_problem_clear(&p);
    }
}

static void masses_are_positive_definite(void **unused)
{
    (void)unused;
    for (int64_t i = 0; shipped_system_at(i) != NULL; i++) {
        saddle_problem p = make(shipped_system_at(i)->name);
        double least = 1, largest = 1, asymmetry = 0;
        if (p.n > 0) {
            spectrum(&p.M, &least, &largest);
            assert_int_equal(saddle_matrix_asymmetry(NULL, &p.M, &asymmetry), SADDLE_OK);
        }
        assert_true(least > 1e-6 * largest);
        if (strcmp(shipped_system_at(i)->name, "rotors") == 0)
            assert_true(asymmetry > 1.15 && asymmetry < 1.25);
        else
            assert_true(p.n == 0 || p.M.symmetry == SADDLE_SYMMETRY_LOWER);
        saddle_problem_clear(&p);
    }
}

static void kkt_inertias_are_those_of_the_notes(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int64_t positive, negative, zero;
    } expected[] = {{"chain", 300, 250, 0},
                    {"hex-block", 300, 64, 0},
                    {"hex-block-ties", 300, 88, 0},
                    {"loop", 54, 53, 12}};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        saddle_problem p = make(expected[k].name);
        int64_t size = p.n + p.m, positive = 0, negative = 0;
        double *K, *rhs, *eigenvalue = doubles(size);
        assert_int_equal(test_dense_kkt(NULL, &p, &K, &rhs), SADDLE_OK);
        assert_int_equal(saddle__dense_eigenvalues(NULL, size, K, eigenvalue), SADDLE_OK);
        for (int64_t i = 0; i < size; i++) {
            positive += eigenvalue[i] > 1e-13 * eigenvalue[size - 1];
            negative += eigenvalue[i] < -1e-13 * eigenvalue[size - 1];
        }
        assert_int_equal(positive, expected[k].positive);
        assert_int_equal(negative, expected[k].negative);
        assert_int_equal(size - positive - negative, expected[k].zero);
        saddle_release(NULL, K);
        saddle_release(NULL, rhs);
        free(eigenvalue);
        saddle_problem_clear(&p);
    }
}

static void ball_grid_is_hardly_compliant(void **unused)
{
    (void)unused;
    saddle_problem p = make("grid-balls");
    for (int64_t row = 0; row < p.m; row++) {
        double diagonal = 0;
        for (int64_t k = p.Jt.start[row]; k < p.Jt.start[row + 1]; k++) /* M is diagonal: centres of
                                                                           mass at the origins */
            diagonal += p.Jt.value[k] * p.Jt.value[k] /
                        saddle_matrix_entry(&p.M, p.Jt.index[k], p.Jt.index[k]);
        assert_true(diagonal > 3);
        assert_true(fabs(saddle_matrix_entry(&p.R, row, row) - 1e-8) <= 0);
    }
    assert_int_equal(saddle_matrix_entries(&p.M), p.n);
    saddle_problem_clear(&p);
}

/* ---- chain ---- */

/* With a vanishing step f is G twist, so M^-1 f is the start velocity. */
static void start_velocity(const saddle_problem *p, double *v)
{
    double *dense = doubles(p->n * p->n);
    test_dense(&p->M, dense);
    memcpy(v, p->f, (size_t)p->n * sizeof *v);
    assert_int_equal(saddle__dense_solve(NULL, p->n, dense, v), SADDLE_OK);
    free(dense);
}

static void chain_starts_on_its_hinges(void **unused)
{
    (void)unused;
    saddle_chain_parameters parameters = saddle_chain_default();
    parameters.time_step = 1e-40;
    saddle_problem p;
    assert_int_equal(saddle_generate_chain(NULL, &parameters, &p), SADDLE_OK);
    double *v = doubles(p.n), *rows = doubles(p.m), fastest = 0;
    start_velocity(&p, v);
    saddle_matrix_apply_transpose(&p.Jt, 1, v, 0, rows);
    for (int64_t i = 0; i < p.n; i++) fastest = fmax(fastest, fabs(v[i]));
    assert_true(fastest > 1);
    for (int64_t i = 0; i < p.m; i++) assert_true(fabs(rows[i]) < 1e-12 * fastest);
    free(v);
    free(rows);
    saddle_problem_clear(&p);
}

/* One link is a pendulum about the y axis, leaning with cosine 4/5: I rate' = weight x arm. */
static void one_link_is_a_pendulum(void **unused)
{
    (void)unused;
    saddle_chain_parameters parameters = saddle_chain_default();
    parameters.bodies = 1;
    saddle_problem still, p;
    double before[6], after[6], lambda[5];
    parameters.time_step = 1e-40;
    assert_int_equal(saddle_generate_chain(NULL, &parameters, &still), SADDLE_OK);
    start_velocity(&still, before);
    parameters.time_step = 0.01;
    assert_int_equal(saddle_generate_chain(NULL, &parameters, &p), SADDLE_OK);
    solve_as_equalities(&p, after, lambda);
    const double *s = parameters.sides;
    double mass = parameters.density * s[0] * s[1] * s[2];
    double inertia = mass * (s[0] * s[0] + s[2] * s[2]) / 12 + mass * s[0] * s[0] / 4;
    double gain = 0.01 * mass * GRAVITY * 0.8 * s[0] / 2 / inertia;
    for (int i = 0; i < 6; i++)
        assert_true(fabs(after[i] - before[i] - (i == 4 ? gain : 0)) < 1e-12);
    saddle_problem_clear(&still);
    saddle_problem_clear(&p);
}

/* ---- loop ---- */

static void each_loop_has_three_redundant_rows(void **unused)
{
    (void)unused;
    saddle_loop_parameters parameters = saddle_loop_default();
    for (parameters.loops = 1; parameters.loops < 7; parameters.loops++) {
        saddle_problem p;
        assert_int_equal(saddle_generate_loop(NULL, &parameters, &p), SADDLE_OK);
        assert_int_equal(p.n, 6 * (2 * parameters.loops + 1));
        assert_int_equal(p.m - rank_of(&p.Jt), 3 * parameters.loops);
        assert_int_equal(p.n - rank_of(&p.Jt), 1);
        saddle_problem_clear(&p);
    }
}

/* The one motion left, from its own equation of motion; couplers shift and do not turn. */
static void loop_turns_by_its_closed_form(void **unused)
{
    (void)unused;
    saddle_loop_parameters parameters = saddle_loop_default();
    for (parameters.loops = 1; parameters.loops < 6; parameters.loops++) {
        saddle_problem p;
        assert_int_equal(saddle_generate_loop(NULL, &parameters, &p), SADDLE_OK);
        double *v = doubles(p.n), *lambda = doubles(p.m), N = (double)parameters.loops;
        solve_as_equalities(&p, v, lambda);
        double mass = (N + 1) * (1.0 / 3 + 0.05 * 0.05 / 12) + N;
        double rate = 1 - 0.01 * GRAVITY * 0.6 * ((N + 1) / 2 + N) / mass;
        for (int64_t body = 0; body <= 2 * parameters.loops; body++) {
            double crank[6] = {0, 0, 0, 0, -rate, 0},
                   coupler[6] = {-0.8 * rate, 0, 0.6 * rate, 0, 0, 0};
            const double *expected = body % 2 == 0 ? crank : coupler;
            for (int i = 0; i < 6; i++) assert_true(fabs(v[6 * body + i] - expected[i]) < 1e-10);
        }
        free(v);
        free(lambda);
        saddle_problem_clear(&p);
    }
}

/* ---- bushings ---- */

static void bushing_compliance_is_dense_and_positive_definite_in_each_block(void **unused)
{
    (void)unused;
    saddle_problem p = make("bushings");
    double least, largest;
    assert_int_equal(p.m, 6 * 14);
    assert_int_equal(saddle_matrix_entries(&p.R), 14 * 21);
    spectrum(&p.R, &least, &largest);
    assert_true(least > 0);
    for (int64_t row = 0; row < p.m; row++)
        for (int64_t col = 0; col < p.m; col++)
            assert_true((fabs(saddle_matrix_entry(&p.R, row, col)) > 0) == (row / 6 == col / 6));
    saddle_problem_clear(&p);
}

/* All bodies start at rest: the z momentum after the step is the weight's impulse and that of the
 * four ground bushings.  World momentum of a body comes from its rows of M by its rotation, which
 * the point rows of its bushings carry. */
static void bushings_to_the_ground_carry_what_the_bodies_do_not_take(void **unused)
{
    (void)unused;
    saddle_problem p = make("bushings");
    double v[60], lambda[84], momentum[60], total = 0, ground = 0;
    solve_as_equalities(&p, v, lambda);
    saddle_matrix_apply(&p.M, 1, v, 0, momentum);
    for (int body = 0; body < 10; body++) {
        double c = body % 2 == 0 ? 0.8 : 0.6, s = body % 2 == 0 ? 0.6 : -0.8, z[3] = {0, 0, 1};
        if (body % 3 == 0) { /* the world's z in the body, turned about x or y; about z it stays */
            z[1] = s;
            z[2] = c;
        } else if (body % 3 == 1) {
            z[0] = -s;
            z[2] = c;
        }
        for (int i = 0; i < 3; i++) total += z[i] * momentum[6 * body + i];
    }
    for (int bushing = 10; bushing < 14; bushing++) ground += lambda[6 * bushing + 2];
    double weight = 10 * 1500 * 0.3 * 0.2 * 0.1 * GRAVITY;
    assert_true(fabs(total - (ground - 0.01 * weight)) < 1e-11);
    assert_true(fabs(total) > 1e-3);
    saddle_problem_clear(&p);
}

/* ---- complementarity ---- */

static void obstacle_answer_is_exact_to_the_last_bit(void **unused)
{
    (void)unused;
    saddle_obstacle_parameters parameters = saddle_obstacle_default();
    static const int64_t sizes[4][2] = {{20, 20}, {1, 1}, {7, 12}, {100, 63}};
    for (int k = 0; k < 4; k++) {
        memcpy(parameters.nodes, sizes[k], sizeof sizes[k]);
        saddle_problem p;
        assert_int_equal(saddle_generate_obstacle(NULL, &parameters, &p), SADDLE_OK);
        double *lambda = doubles(p.m), *w = doubles(p.m);
        saddle_obstacle_solution(&parameters, lambda);
        memcpy(w, p.b, (size_t)p.m * sizeof *w);
        saddle_matrix_apply(&p.R, 1, lambda, -1, w);
        int64_t open = 0;
        for (int64_t i = 0; i < p.m; i++) {
            assert_true(lambda[i] >= 0 && w[i] >= 0);
            assert_true((lambda[i] > 0) != (w[i] > 0)); /* exactly one of them: strictly
                                                           complementary */
            open += lambda[i] > 0;
        }
        if (k == 0) assert_int_equal(open, 232); /* as its note says */
        if (p.m >= 400) assert_true(open > 2 * p.m / 5 && open < 3 * p.m / 5);
        free(lambda);
        free(w);
        saddle_problem_clear(&p);
    }
}

static void delassus_form_is_J_inverse_M_Jt(void **unused)
{
    (void)unused;
    saddle_problem full = make("stack-cone"), p = make("stack-delassus");
    assert_int_equal(p.n, 0);
    assert_int_equal(p.m, full.m);
    assert_int_equal(p.contact_count, full.contact_count);
    double J[60 * 30], W[60 * 60];
    test_dense(&full.Jt, J);
    test_dense(&p.R, W);
    for (int i = 0; i < 60; i++) {
        double shift = 0;
        for (int j = 0; j < 60; j++) {
            double sum = 0;
            for (int k = 0; k < 30; k++) sum += J[k + 30 * i] * J[k + 30 * j] / full.M.value[k];
            assert_true(fabs(W[i + 60 * j] - sum) < 1e-15);
        }
        for (int k = 0; k < 30; k++) shift += J[k + 30 * i] * full.f[k] / full.M.value[k];
        assert_true(fabs(p.b[i] - (full.b[i] - shift)) < 1e-15);
    }
    saddle_problem_clear(&full);
    saddle_problem_clear(&p);
}

static void delassus_form_wants_a_diagonal_mass(void **unused)
{
    (void)unused;
    saddle_problem full = make("chain"), p;
    assert_int_equal(saddle_generate_delassus(NULL, &full, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(p.m, 0);
    saddle_problem_clear(&full);
}

/* ---- limits of the parameters ---- */

static void parameters_out_of_range_are_refused(void **unused)
{
    (void)unused;
    saddle_problem p;
    saddle_chain_parameters chain = saddle_chain_default();
    saddle_loop_parameters loop = saddle_loop_default();
    saddle_stack_parameters stack = saddle_stack_default();
    saddle_wall_parameters wall = saddle_wall_default();
    saddle_rotors_parameters rotors = saddle_rotors_default();
    saddle_bushings_parameters bushings = saddle_bushings_default();
    saddle_obstacle_parameters obstacle = saddle_obstacle_default();
    saddle_crane_parameters crane = saddle_crane_default();
    saddle_grid_parameters grid = saddle_grid_default();
    chain.bodies = 0;
    loop.loops = 0;
    stack.pushed = 6;
    wall.courses = 0;
    rotors.time_step = 0;
    bushings.bodies = 5;
    obstacle.nodes[1] = 0;
    crane.mu = -1;
    grid.plates[0] = 0;
    assert_int_equal(saddle_generate_chain(NULL, &chain, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_loop(NULL, &loop, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_stack(NULL, &stack, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_wall(NULL, &wall, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_rotors(NULL, &rotors, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_bushings(NULL, &bushings, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_obstacle(NULL, &obstacle, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_crane(NULL, &crane, &p), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_generate_grid(NULL, &grid, &p), SADDLE_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_names_ascend_and_are_found),
        cmocka_unit_test(same_parameters_give_the_same_bits),
        cmocka_unit_test(failing_allocations_leave_nothing_behind),
        cmocka_unit_test(constraint_ranks_are_those_of_the_notes),
        cmocka_unit_test(masses_are_positive_definite),
        cmocka_unit_test(kkt_inertias_are_those_of_the_notes),
        cmocka_unit_test(ball_grid_is_hardly_compliant),
        cmocka_unit_test(chain_starts_on_its_hinges),
        cmocka_unit_test(one_link_is_a_pendulum),
        cmocka_unit_test(each_loop_has_three_redundant_rows),
        cmocka_unit_test(loop_turns_by_its_closed_form),
        cmocka_unit_test(bushing_compliance_is_dense_and_positive_definite_in_each_block),
        cmocka_unit_test(bushings_to_the_ground_carry_what_the_bodies_do_not_take),
        cmocka_unit_test(obstacle_answer_is_exact_to_the_last_bit),
        cmocka_unit_test(delassus_form_is_J_inverse_M_Jt),
        cmocka_unit_test(delassus_form_wants_a_diagonal_mass),
        cmocka_unit_test(parameters_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
