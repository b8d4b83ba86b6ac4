/* SPDX-License-Identifier: MIT */
/* Nearly contradictory rows, at any tolerance: no solver proves infeasibility where another solver
 * or the checker accepts an answer; no proof rests on a product that underflows. */
#include <math.h>
#include <string.h>

#include "residual_twin.h"

/* R = G G' of low rank, rows repeated with b off by 2^-40 .. 2^-6 of it: some in M and J alone. */
static void draw_near_contradiction(uint64_t *random, drawn *d)
{
    memset(d, 0, sizeof *d);
    int64_t n = test_integer(random, 0, 3), m = test_integer(random, 2, MOST);
    int64_t rank = test_integer(random, n == 0, 2);
    double G[MOST][2];
    for (int64_t j = 0; j < n; j++) d->M[j][j] = test_uniform(random, 0.5, 2);
    for (int64_t j = 0; j < n; j++) d->f[j] = (double)test_integer(random, -2, 2);
    for (int64_t i = 0; i < m; i++) {
        int64_t k = i > 0 && test_integer(random, 0, 1) ? test_integer(random, 0, i - 1) : -1;
        double sign = test_integer(random, 0, 1) ? 1 : -1;
        double off = 1 +
                     ldexp((double)test_integer(random, -8, 8), -(int)test_integer(random, 6, 40));
        for (int64_t j = 0; j < n; j++)
            d->J[i][j] = k < 0 ? (double)test_integer(random, -2, 2) : sign * d->J[k][j];
        for (int64_t q = 0; q < rank; q++)
            G[i][q] = k < 0 ? (double)test_integer(random, -2, 2) : sign * G[k][q];
        d->b[i] = k < 0 ? (double)test_integer(random, -3, 3) : sign * off * d->b[k];
        d->lo[i] = test_integer(random, 0, 2) ? -INF : 0;
        d->hi[i] = INF;
    }
    for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k < m; k++)
            for (int64_t q = 0; q < rank; q++) d->R[i][k] += G[i][q] * G[k][q];
    d->symmetry = SADDLE_SYMMETRY_LOWER;
    d->problem = (saddle_problem){.n = n, .m = m, .f = d->f, .b = d->b, .lo = d->lo, .hi = d->hi};
    fill_matrices(d);
}

static void near_contradictions_have_one_verdict(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-12, 1e-10, 1e-8, 1e-6, 1e-4};
    uint64_t random = test_seed();
    int64_t proven = 0, solved = 0;
    for (int64_t draw = 0; draw < test_draws(600); draw++) {
        drawn d;
        const saddle_solver_type *type;
        const char *prover = NULL, *solver = NULL;
        saddle_options options = saddle_options_default();
        options.tolerance = tolerances[draw % 5];
        draw_near_contradiction(&random, &d);
        for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
            saddle_solution solution = {0};
            if (saddle_solver_type_supports(NULL, type, &d.problem) != SADDLE_OK) continue;
            saddle_status status = saddle_solve(NULL, &d.problem, type->name, &options, NULL,
                                                &solution, NULL);
            if (status == SADDLE_OK) solver = type->name;
            if (status == SADDLE_INFEASIBLE) prover = type->name;
            saddle_solution_clear(&solution);
        }
        if (prover && solver)
            fail_msg("draw %d: %s proves what %s solves", (int)draw, prover, solver);
        proven += prover != NULL;
        solved += solver != NULL;
        clear_drawn(&d);
    }
    assert_true(proven > 0 && solved > 0);
}

/* M v = f + J'lambda, J v = b with v = 1: lambda exists in exact arithmetic. */
static void what_underflows_is_no_contradiction(void **state)
{
    (void)state;
    static const double cases[][2] = {{1, 1e-165}, {1e100, 1e-120}, {1e60, 1e-140}, {1, 1e-300}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t start[] = {0, 1}, index[] = {0};
        double M[] = {cases[k][0]}, J[] = {cases[k][1]}, f[] = {0.5 * M[0]}, b[] = {J[0]};
        double v[] = {1}, lambda[] = {0.5 * M[0] / J[0]}, work[WORK];
        const saddle_solver_type *type;
        saddle_residual residual;
        saddle_problem p = {.n = 1, .m = 1, .f = f, .b = b};
        p.M = saddle_matrix_view(1, 1, start, index, M, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(1, 1, start, index, J, SADDLE_SYMMETRY_NONE);
        saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
        assert_true(residual.total < 1e-15);
        for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
            saddle_solution solution = {0};
            saddle_status status = saddle_solve(NULL, &p, type->name, NULL, NULL, &solution, NULL);
            assert_true(status != SADDLE_INFEASIBLE);
            saddle_solution_clear(&solution);
        }
    }
}

/* v is fixed by a row of great slope, and pushed by another of none; L U meets both exactly, with
 * impulses 6e12 times the data. */
static void an_exact_answer_of_huge_impulses_is_none(void **state)
{
    (void)state;
    drawn d = {.M = {{0.16955999210409425}},
               .J = {{-48807822.61765912}, {-1.6884960976849821e-10}}};
    d.R[0][0] = 4458.829225378271;
    d.b[0] = 181562045.523808;
    d.lo[0] = d.lo[1] = -INF;
    d.hi[0] = d.hi[1] = INF;
    d.symmetry = SADDLE_SYMMETRY_LOWER;
    d.problem = (saddle_problem){.n = 1, .m = 2, .f = d.f, .b = d.b, .lo = d.lo, .hi = d.hi};
    fill_matrices(&d);
    const saddle_solver_type *type;
    for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
        saddle_solution solution = {0};
        saddle_status status = saddle_solve(NULL, &d.problem, type->name, NULL, NULL, &solution,
                                            NULL);
        if (status != SADDLE_INFEASIBLE) fail_msg("%s: %s", type->name, saddle_status_name(status));
        saddle_solution_clear(&solution);
    }
    clear_drawn(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_contradictions_have_one_verdict),
        cmocka_unit_test(what_underflows_is_no_contradiction),
        cmocka_unit_test(an_exact_answer_of_huge_impulses_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
