/* SPDX-License-Identifier: MIT */
/* A host that traps divisions by zero: the checker and the solvers make none on a contact that
 * sticks, whose tangential velocity and impulse are zero, nor on small problems of all kinds. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>

#include "residual_twin.h"

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
    at->problem.M = saddle_matrix_view(3, 3, at->start, at->index, at->ones, SADDLE_SYMMETRIC);
    at->problem.Jt = saddle_matrix_view(3, 3, at->start, at->index, at->ones, SADDLE_GENERAL);
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
        (void)feenableexcept(FE_DIVBYZERO);
        saddle_residual_compute(&at.problem, v, lambda, w, work, &residual);
        (void)fedisableexcept(FE_DIVBYZERO);
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
            (void)feenableexcept(FE_DIVBYZERO);
            saddle_status status = saddle_solve(NULL, &at.problem, type->name, NULL, NULL,
                                                &solution, NULL);
            (void)fedisableexcept(FE_DIVBYZERO);
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
    int64_t kind = test_integer(random, 0, d->symmetry == SADDLE_SYMMETRIC ? 1 : 2);
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
        draw_problem(&random, &d);
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
        p.R = saddle_matrix_view(3, 3, start, index, R, SADDLE_GENERAL);
        (void)feenableexcept(FE_DIVBYZERO);
        (void)saddle_solve(NULL, &p, "gauss-seidel", NULL, NULL, &solution, NULL);
        (void)fedisableexcept(FE_DIVBYZERO);
        saddle_solution_clear(&solution);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_division_by_zero_in_the_residual_of_a_contact_that_sticks),
        cmocka_unit_test(no_division_by_zero_in_the_solve_of_a_contact_that_sticks),
        cmocka_unit_test(no_division_by_zero_in_the_solve_of_what_is_drawn),
        cmocka_unit_test(no_division_by_zero_in_contacts_of_small_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
