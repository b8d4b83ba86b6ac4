/* SPDX-License-Identifier: MIT */
/* auto between ldlt and schur: the one that the analysis foresees clearly less work for, and ldlt
 * after all where M is singular; between schur and lemke on a mesh. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "generators.h"
#include "support.h"

static const double share = 0.7; /* solvers/auto.c */

/* A block of length x width x width elements with rows tying drawn points. */
typedef struct tied {
    int64_t length, width, ties;
} tied;

static const tied long_beam = {24, 4, 40};

static void make_block(tied shape, saddle_problem *problem)
{
    saddle_block_parameters block = saddle_block_default();
    block.cells[0] = shape.length;
    block.cells[1] = block.cells[2] = shape.width;
    block.incompressible = 0;
    block.ties = shape.ties;
    assert_int_equal(saddle_generate_block(NULL, &block, problem), SADDLE_OK);
}

/* Flops that the analysis of a solver foresees. */
static double foreseen(const char *name, const saddle_options *options,
                       const saddle_problem *problem)
{
    saddle_solver *solver;
    assert_int_equal(saddle_solver_create(NULL, name, options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, problem), SADDLE_OK);
    double flops = saddle_solver_report(solver)->flops;
    assert_int_equal(saddle_solver_factor(solver, problem), SADDLE_OK);
    if (strcmp(name, "schur") == 0) assert_true(saddle_solver_report(solver)->flops == flops);
    saddle_solver_free(solver);
    return flops;
}

static void the_one_with_clearly_less_work_is_picked(void **unused)
{
    (void)unused;
    static const tied shapes[] = {{24, 4, 20}, {24, 4, 80}, {8, 8, 1}, {9, 7, 2}};
    int picked[2] = {0, 0};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        saddle_options options = saddle_options_default();
        options.ordering = SADDLE_ORDERING_AMD;
        saddle_problem problem;
        make_block(shapes[k], &problem);
        double by_ldlt = foreseen("ldlt", &options, &problem);
        double by_schur = foreseen("schur", &options, &problem);
        int schur = by_schur <= share * by_ldlt;
        saddle_report report;
        saddle_solution solution = {0};
        assert_true(by_ldlt > 3e7); /* less is not looked at twice */
        assert_int_equal(saddle_solve(NULL, &problem, "auto", &options, NULL, &solution, &report),
                         SADDLE_OK);
        assert_string_equal(report.solver, schur ? "schur" : "ldlt");
        char text[80];
        (void)snprintf(text, sizeof text, "ldlt would take %.1e flops, schur %.1e", by_ldlt,
                       by_schur);
        assert_non_null(strstr(report.note, text));
        picked[schur]++;
        saddle_solution_clear(&solution);
        saddle_problem_clear(&problem);
    }
    assert_true(picked[0] > 0 && picked[1] > 0);
}

/* All ties can only push: schur's, with lemke's velocities. */
static void stops_on_a_mesh_are_schurs(void **unused)
{
    (void)unused;
    static const tied beam_on_stops = {32, 4, 70};
    saddle_problem problem;
    saddle_solution x[2] = {{0}};
    saddle_report report;
    make_block(beam_on_stops, &problem);
    problem.lo = saddle_allocate(NULL, problem.m, sizeof(*problem.lo));
    assert_non_null(problem.lo);
    assert_int_equal(saddle_solve(NULL, &problem, "auto", NULL, NULL, &x[0], &report), SADDLE_OK);
    assert_string_equal(report.solver, "schur");
    assert_int_equal(saddle_solve(NULL, &problem, "lemke", NULL, NULL, &x[1], NULL), SADDLE_OK);
    double most = 0.0;
    int64_t pushing = 0;
    for (int64_t j = 0; j < problem.n; j++) most = fmax(most, fabs(x[1].v[j]));
    for (int64_t j = 0; j < problem.n; j++) assert_true(fabs(x[0].v[j] - x[1].v[j]) <= 1e-9 * most);
    for (int64_t i = 0; i < problem.m; i++) pushing += x[0].lambda[i] > 0.0;
    assert_true(pushing > 0 && pushing < problem.m);
    for (int k = 0; k < 2; k++) saddle_solution_clear(&x[k]);
    saddle_problem_clear(&problem);
}

static void a_factorization_asked_for_is_ldlts(void **unused)
{
    (void)unused;
    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_AMD;
    options.settings = "ldlt.factorization=ldlt";
    saddle_problem problem;
    saddle_report report;
    saddle_solution solution = {0};
    make_block(long_beam, &problem);
    assert_true(foreseen("schur", &options, &problem) <=
                share * foreseen("ldlt", &options, &problem));
    assert_int_equal(saddle_solve(NULL, &problem, "auto", &options, NULL, &solution, &report),
                     SADDLE_OK);
    assert_string_equal(report.solver, "ldlt");
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
}

/* The first velocity of the first row loses its mass: the row holds it, so K is regular. */
static void take_mass(saddle_problem *problem)
{
    int64_t j = problem->Jt.index[problem->Jt.start[0]];
    saddle_matrix *M = &problem->M;
    for (int64_t c = 0; c < M->cols; c++)
        for (int64_t k = M->start[c]; k < M->start[c + 1]; k++)
            if (c == j || M->index[k] == j) M->value[k] = 0.0;
}

static void ldlt_takes_over_where_M_is_singular(void **unused)
{
    (void)unused;
    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_AMD;
    saddle_problem problem;
    saddle_report report;
    saddle_solution solution = {0};
    make_block(long_beam, &problem);
    assert_true(foreseen("schur", &options, &problem) <=
                share * foreseen("ldlt", &options, &problem));
    take_mass(&problem);
    assert_int_equal(saddle_solve(NULL, &problem, "auto", &options, NULL, &solution, &report),
                     SADDLE_OK);
    assert_string_equal(report.solver, "ldlt");
    assert_non_null(strstr(report.note, "auto picked schur, then ldlt: schur met a zero pivot"));
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_with_clearly_less_work_is_picked),
        cmocka_unit_test(stops_on_a_mesh_are_schurs),
        cmocka_unit_test(a_factorization_asked_for_is_ldlts),
        cmocka_unit_test(ldlt_takes_over_where_M_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
