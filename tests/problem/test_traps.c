/* SPDX-License-Identifier: MIT */
/* A host that traps divisions by zero and invalid operations (0 / 0, inf - inf, an ordered
 * comparison with NaN): the checker and the solvers make none on a contact that sticks, whose
 * tangential velocity and impulse are zero, on the problems of data/, and in the steps of scenes.
 * On drawn problems divisions by zero alone are trapped: where an iteration diverges, its
 * overflowed iterates meet inf - inf, in UMFPACK's triangular solves too. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>

#include "residual_twin.h"

static const int trapped = FE_DIVBYZERO | FE_INVALID;

/* A particle of mass 1 that lands on a plane without moving along it. */
typedef struct landing {
    saddle_problem problem;
    int64_t start[4], index[3];
    double ones[3], f[3];
    saddle_contact contact;
} landing;

static void make_landing(landing *at, saddle_law law)
{
    *at = (landing){.start = {0, 1, 2, 3}, .index = {0, 1, 2}, .ones = {1, 1, 1}, .f = {-1, 0, 0}};
    at->contact = (saddle_contact){.row = 0, .size = 3, .mu = 0.5};
    at->problem = (saddle_problem){
        .n = 3, .m = 3, .f = at->f, .contact_count = 1, .contacts = &at->contact, .law = law};
    at->problem.M = saddle_matrix_view(3, 3, at->start, at->index, at->ones, SADDLE_SYMMETRY_LOWER);
    at->problem.Jt = saddle_matrix_view(3, 3, at->start, at->index, at->ones, SADDLE_SYMMETRY_NONE);
}

static void no_division_by_zero_in_the_residual_of_a_contact_that_sticks(void **state)
{
    (void)state;
    landing at;
    for (int law = SADDLE_LAW_CONE; law <= SADDLE_LAW_ASSOCIATED; law++) {
        double v[3] = {0, 0, 0}, lambda[3] = {1, 0, 0}, w[3], work[64];
        saddle_residual residual;
        make_landing(&at, (saddle_law)law);
        assert_true(saddle_residual_work_size(&at.problem) <= 64);
        (void)feenableexcept(trapped);
        saddle_residual_compute(&at.problem, v, lambda, w, work, &residual);
        (void)fedisableexcept(trapped);
        assert_true(residual.total <= 1e-15);
    }
}

static void no_division_by_zero_in_the_solve_of_a_contact_that_sticks(void **state)
{
    (void)state;
    landing at;
    const saddle_solver_type *type;
    for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
        for (int law = SADDLE_LAW_CONE; law <= SADDLE_LAW_ASSOCIATED; law++) {
            saddle_solution solution = {0};
            make_landing(&at, (saddle_law)law);
            if (saddle_solver_type_supports(NULL, type, &at.problem) != SADDLE_OK) continue;
            (void)feenableexcept(trapped);
            saddle_status status = saddle_solve(NULL, &at.problem, type->name, NULL, NULL,
                                                &solution, NULL);
            (void)fedisableexcept(trapped);
            assert_int_equal(status, SADDLE_OK);
            assert_true(fabs(solution.lambda[0] - 1) <= 1e-9);
            saddle_solution_clear(&solution);
        }
    }
}

/* M of rank n - 1 or less: without row and column j, of two equal rows, or g g'. */
static void make_singular(uint64_t *random, drawn *d)
{
    int64_t n = d->problem.n;
    if (n == 0) return;
    int64_t kind = test_integer(random, 0, d->symmetry == SADDLE_SYMMETRY_LOWER ? 1 : 2);
    int64_t j = test_integer(random, 0, n - 1);
    double g[MOST];
    for (int64_t k = 0; k < n; k++) g[k] = (double)test_integer(random, -1, 1);
    for (int64_t k = 0; k < n; k++) {
        if (kind == 0) d->M[j][k] = d->M[k][j] = 0;
        if (kind == 2) d->M[j][k] = d->M[(j + 1) % n][k];
        for (int64_t i = 0; kind == 1 && i < n; i++) d->M[i][k] = g[i] * g[k];
    }
    fill_matrices(d);
}

static void no_division_by_zero_in_the_solve_of_what_is_drawn(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int64_t k = 0; k < test_draws(600); k++) {
        drawn d;
        const saddle_solver_type *type;
        draw_any_problem(&random, &d);
        if (k % 2) make_singular(&random, &d);
        for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
            saddle_solution solution = {0};
            saddle_options options = saddle_options_default();
            options.max_iterations = 200;
            if (saddle_solver_type_supports(NULL, type, &d.problem) != SADDLE_OK) continue;
            (void)feenableexcept(FE_DIVBYZERO);
            (void)saddle_solve(NULL, &d.problem, type->name, &options, NULL, &solution, NULL);
            (void)fedisableexcept(FE_DIVBYZERO);
            saddle_solution_clear(&solution);
        }
        clear_drawn(&d);
    }
}

/* The first direction of sliding is one in which the law's polynomial has slope 0. */
static void no_division_by_zero_where_the_curve_of_sliding_is_flat(void **state)
{
    (void)state;
    int64_t start[] = {0, 3, 6, 9}, index[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double R[] = {6, 2, 3, 2, 8, 2, 3, 2, 2}, b[] = {1, 1, 0};
    saddle_contact contact = {.row = 0, .size = 3, .mu = 1};
    saddle_solution solution = {0};
    saddle_problem p = {
        .m = 3, .b = b, .contacts = &contact, .contact_count = 1, .law = SADDLE_LAW_CONE};
    p.R = saddle_matrix_view(3, 3, start, index, R, SADDLE_SYMMETRY_NONE);
    (void)feenableexcept(FE_DIVBYZERO);
    saddle_status status = saddle_solve(NULL, &p, "gauss-seidel", NULL, NULL, &solution, NULL);
    (void)fedisableexcept(FE_DIVBYZERO);
    assert_int_equal(status, SADDLE_OK);
    saddle_solution_clear(&solution);
}

/* Local problems of small integers: slopes of their polynomials vanish exactly. */
static void no_division_by_zero_in_contacts_of_small_integers(void **state)
{
    (void)state;
    static const double mus[] = {0.25, 0.5, 0.75, 1, 2};
    uint64_t random = test_seed();
    for (int64_t k = 0; k < test_draws(2000); k++) {
        double B[9], R[9] = {0}, b[3];
        int64_t start[] = {0, 3, 6, 9}, index[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
        saddle_contact contact = {.row = 0, .size = 3, .mu = mus[test_integer(&random, 0, 4)]};
        saddle_solution solution = {0};
        for (int i = 0; i < 9; i++) B[i] = (double)test_integer(&random, -2, 2);
        for (int i = 0; i < 3; i++) b[i] = (double)test_integer(&random, -2, 2);
        for (int i = 0; i < 27; i++) R[i / 3] += B[3 * (i / 9) + i % 3] * B[i % 9 / 3 * 3 + i % 3];
        saddle_problem p = {.m = 3, .b = b, .contacts = &contact, .contact_count = 1};
        p.law = k % 2 ? SADDLE_LAW_CONE : SADDLE_LAW_ASSOCIATED;
        p.R = saddle_matrix_view(3, 3, start, index, R, SADDLE_SYMMETRY_NONE);
        (void)feenableexcept(FE_DIVBYZERO);
        (void)saddle_solve(NULL, &p, "gauss-seidel", NULL, NULL, &solution, NULL);
        (void)fedisableexcept(FE_DIVBYZERO);
        saddle_solution_clear(&solution);
    }
}

static void no_trap_in_the_solve_of_data(void **state)
{
    (void)state;
    static const char *const names[] = {
        "bushings",   "chain",      "chain-motors",   "crane",
        "grid-balls", "grid-rods",  "hex-block",      "hex-block-ties",
        "loop",       "obstacle",   "rotors",         "stack-associated",
        "stack-box",  "stack-cone", "stack-delassus", "stack-pyramid",
        "wall"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[1024];
        saddle_problem p;
        const saddle_solver_type *type;
        snprintf(path, sizeof path, "%s/data/%s", SADDLE_SOURCE_DIR, names[k]);
        if (saddle_problem_read(NULL, path, NULL, &p, NULL, NULL, NULL) != SADDLE_OK)
            fail_msg("cannot read %s", path);
        for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
            saddle_solution solution = {0};
            saddle_options options = saddle_options_default();
            options.max_iterations = 20;
            if (saddle_solver_type_supports(NULL, type, &p) != SADDLE_OK) continue;
            (void)feenableexcept(trapped);
            (void)saddle_solve(NULL, &p, type->name, &options, NULL, &solution, NULL);
            (void)fedisableexcept(trapped);
            saddle_solution_clear(&solution);
        }
        saddle_problem_clear(&p);
    }
}

static void no_trap_in_the_steps_of_scenes(void **state)
{
    (void)state;
    static const char *const names[] = {"box-stack",  "four-bar",  "pendulum",   "slider-crank",
                                        "soft-block", "trebuchet", "skinned-arm"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[1024];
        saddle_scene scene;
        saddle_stepper *stepper;
        snprintf(path, sizeof path, "%s/examples/scenes/%s.json", SADDLE_SOURCE_DIR, names[k]);
        (void)feenableexcept(trapped);
        assert_int_equal(saddle_scene_read(NULL, path, &scene), SADDLE_OK);
        assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
        for (int step = 0; step < 20; step++)
            assert_true(saddle_stepper_step(stepper) >= SADDLE_OK);
        (void)fedisableexcept(trapped);
        saddle_stepper_free(stepper);
        saddle_scene_clear(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_division_by_zero_in_the_residual_of_a_contact_that_sticks),
        cmocka_unit_test(no_division_by_zero_in_the_solve_of_a_contact_that_sticks),
        cmocka_unit_test(no_division_by_zero_in_the_solve_of_what_is_drawn),
        cmocka_unit_test(no_division_by_zero_where_the_curve_of_sliding_is_flat),
        cmocka_unit_test(no_division_by_zero_in_contacts_of_small_integers),
        cmocka_unit_test(no_trap_in_the_solve_of_data),
        cmocka_unit_test(no_trap_in_the_steps_of_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
