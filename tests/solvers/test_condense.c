/* SPDX-License-Identifier: MIT */
/* auto on elastic blocks: velocities and equality rows are eliminated once, beside contacts;
 * compared with admm, without elimination; and the contacts for which admm comes before sweeps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generators.h"
#include "support.h"

static const double infinity = (double)INFINITY;

static saddle_problem make(int is_static, saddle_law law)
{
    saddle_tied_parameters p = saddle_tied_default();
    saddle_problem problem = {0};
    for (int i = 0; i < 3; i++) p.cells[i] = i < 2 ? 4 : 2;
    p.edge = 0.25;
    p.young = is_static ? 2e7 : 2e11;
    p.time_step = is_static ? 0 : 1e-3;
    p.law = law;
    assert_int_equal(saddle_generate_tied(NULL, &p, &problem), SADDLE_OK);
    return problem;
}

static saddle_report solved_by(const char *name, const saddle_problem *problem, double tolerance,
                               saddle_solution *solution)
{
    saddle_report report;
    saddle_options options = saddle_options_default();
    options.tolerance = tolerance;
    memset(solution, 0, sizeof *solution);
    assert_int_equal(saddle_solve(NULL, problem, name, &options, NULL, solution, &report),
                     SADDLE_OK);
    return report;
}

/* Over the largest of b. */
static double distance(const double *a, const double *b, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(b[i]));
    return test_distance(a, b, count) / most;
}

static saddle_report agrees_with_admm(const saddle_problem *problem)
{
    saddle_solution x, y;
    saddle_report report = solved_by("auto", problem, 1e-10, &x);
    (void)solved_by("admm", problem, 1e-11, &y);
    double off = distance(x.v, y.v, problem->n);
    if (off > 1e-7) fail_msg("velocities differ by %g", off);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    return report;
}

/* The rows of top and ties occur twice; static: K is singular until they hold it. */
static void tied_blocks_take_three_factorizations_at_most(void **state)
{
    (void)state;
    static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_PYRAMID, SADDLE_LAW_BOX,
                                      SADDLE_LAW_ASSOCIATED};
    for (int k = 0; k < 8; k++) {
        saddle_problem problem = make(k % 2, laws[k / 2]);
        saddle_report report = agrees_with_admm(&problem);
        assert_true(report.factorizations <= 3);
        assert_non_null(strstr(report.note, "auto picked condensed: few contacts"));
        saddle_problem_clear(&problem);
    }
}

/* Compliance of some rows of each kind; of others, bounds: a drive that gives way. */
static void soft_rows_and_bounded_drives_agree_too(void **state)
{
    (void)state;
    saddle_problem problem = make(0, SADDLE_LAW_CONE);
    int64_t m = problem.m, contacts = problem.contacts[0].row;
    saddle_matrix R;
    assert_int_equal(saddle_matrix_create(NULL, m, m, m, SADDLE_SYMMETRY_LOWER, &R), SADDLE_OK);
    for (int64_t i = 0; i < m; i++) {
        R.index[i] = i;
        R.value[i] = i % 3 ? 1e-5 : 0;
        R.start[i + 1] = i + 1;
    }
    problem.R = R;
    if (!problem.lo) {
        problem.lo = saddle_allocate(NULL, m, sizeof *problem.lo);
        problem.hi = saddle_allocate(NULL, m, sizeof *problem.hi);
        assert_true(problem.lo && problem.hi);
        for (int64_t i = 0; i < m; i++) problem.lo[i] = -(problem.hi[i] = infinity);
    }
    for (int64_t i = 0; i < 6 && i < contacts; i++) problem.lo[i] = -(problem.hi[i] = 100);
    (void)agrees_with_admm(&problem);
    saddle_problem_clear(&problem);
}

/* R couples a contact with an equality row: nothing is eliminated. */
static void coupled_compliance_is_left_to_others(void **state)
{
    (void)state;
    saddle_problem problem = make(0, SADDLE_LAW_CONE);
    int64_t m = problem.m;
    saddle_matrix R;
    int64_t equality = problem.contacts[0].row == 0 ? m - 1 : 0, row = problem.contacts[0].row;
    int64_t places[3][2] = {{row, row}, {equality, equality}, {0, 0}};
    double values[3] = {2e-5, 2e-5, 1e-5};
    places[2][0] = row > equality ? row : equality;
    places[2][1] = row > equality ? equality : row;
    int64_t rows[3], columns[3];
    for (int k = 0; k < 3; k++) {
        rows[k] = places[k][0];
        columns[k] = places[k][1];
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, 3, rows, columns, values,
                                                 SADDLE_SYMMETRY_LOWER, &R),
                     SADDLE_OK);
    problem.R = R;
    saddle_report report = agrees_with_admm(&problem);
    assert_null(strstr(report.note, "condensed"));
    saddle_problem_clear(&problem);
}

/* By name too, K singular or not. */
static void solvers_of_contacts_work_on_what_the_equalities_leave(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        saddle_law law;
    } cases[] = {
        {"gauss-seidel", SADDLE_LAW_CONE}, {"gauss-seidel", SADDLE_LAW_PYRAMID},
        {"gauss-seidel", SADDLE_LAW_BOX},  {"gauss-seidel", SADDLE_LAW_ASSOCIATED},
        {"lemke", SADDLE_LAW_PYRAMID},     {"lemke", SADDLE_LAW_BOX},
        {"schur", SADDLE_LAW_BOX},
    };
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        saddle_problem problem = make(k % 2, cases[k / 2].law);
        saddle_solution x, y;
        saddle_report report = solved_by(cases[k / 2].name, &problem, 1e-10, &x);
        assert_string_equal(report.solver, cases[k / 2].name);
        assert_non_null(strstr(report.note, "75 rows after the equations are eliminated"));
        assert_true(report.iterations <= 200);
        (void)solved_by("admm", &problem, 1e-11, &y);
        double off = distance(x.v, y.v, problem.n);
        if (off > 1e-7) fail_msg("%s: velocities differ by %g", cases[k / 2].name, off);
        saddle_solution_clear(&x);
        saddle_solution_clear(&y);
        saddle_problem_clear(&problem);
    }
}

/* ---- a host's own solver ---- */

static saddle_status own_phase(saddle_solver_call *call, void *memory,
                               const saddle_problem *problem)
{
    (void)memory;
    assert_string_equal(call->type->name, "own");
    assert_int_equal(problem->n, 0);
    assert_int_equal(saddle_problem_count_rows(problem).equality, 0);
    return SADDLE_OK;
}

/* Any method for W alone. */
static saddle_status own_solve(saddle_solver_call *call, void *memory,
                               const saddle_problem *problem, saddle_solution *solution)
{
    saddle_solution x = {0};
    saddle_options options = saddle_options_default();
    options.tolerance = call->options->tolerance;
    saddle_status status = saddle_solve(NULL, problem, "gauss-seidel", &options, NULL, &x, NULL);
    (void)memory;
    memcpy(solution->lambda, x.lambda, (size_t)x.m * sizeof *x.lambda);
    saddle_solution_clear(&x);
    return status;
}

static void own_clear(void *memory, saddle_context *context)
{
    (void)memory;
    (void)context;
}

static void a_solver_of_the_host_is_given_the_rows_alone(void **state)
{
    (void)state;
    static const saddle_solver_type own = {
        .name = "own",
        .summary = "contacts without velocities",
        .rows = SADDLE_ROWS_ALL,
        .matrices = SADDLE_MATRICES_SYMMETRIC,
        .state_size = 1,
        .analyse = own_phase,
        .factor = own_phase,
        .solve = own_solve,
        .clear = own_clear,
        .condenses = 1,
    };
    saddle_problem problem = make(1, SADDLE_LAW_CONE);
    saddle_context *context;
    saddle_solution x = {0}, y;
    saddle_report report;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_register(context, &own), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &problem, "own", NULL, NULL, &x, &report), SADDLE_OK);
    assert_string_equal(report.solver, "own");
    (void)solved_by("admm", &problem, 1e-11, &y);
    assert_true(distance(x.v, y.v, problem.n) < 1e-7);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    saddle_context_free(context);
    saddle_problem_clear(&problem);
}

/* Settings, limits and a start are those of the named solver. */
static void a_named_solver_keeps_its_settings(void **state)
{
    (void)state;
    saddle_problem problem = make(1, SADDLE_LAW_PYRAMID);
    saddle_options options = saddle_options_default();
    saddle_report report;
    saddle_solution x = {0}, y = {0};
    options.settings = "gauss-seidel.check_every=7";
    assert_int_equal(saddle_solve(NULL, &problem, "gauss-seidel", &options, NULL, &x, &report),
                     SADDLE_OK);
    assert_int_equal(report.iterations % 7, 0);
    options.max_iterations = 7;
    assert_int_equal(saddle_solve(NULL, &problem, "gauss-seidel", &options, NULL, &y, &report),
                     SADDLE_ITERATION_LIMIT);
    assert_int_equal(report.iterations, 7);
    assert_int_equal(saddle_solve(NULL, &problem, "gauss-seidel", &options, &x, &y, &report),
                     SADDLE_OK);
    assert_true(report.iterations <= 7);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    saddle_problem_clear(&problem);
}

/* A tie that gives way at a limit now, beside contacts: its row was an equality when analysed. */
static void a_row_may_have_bounds_after_all(void **state)
{
    (void)state;
    static const char *const names[] = {"auto", "gauss-seidel"};
    for (int k = 0; k < 2; k++) {
        saddle_problem problem = make(0, SADDLE_LAW_CONE);
        saddle_solver *solver = NULL;
        saddle_solution x = {0}, y;
        double *bounds = malloc((size_t)problem.m * 2 * sizeof *bounds);
        assert_true(bounds && problem.contacts[0].row > 0);
        for (int64_t i = 0; i < problem.m; i++) bounds[i] = -(bounds[problem.m + i] = infinity);
        problem.lo = bounds;
        problem.hi = bounds + problem.m;
        assert_int_equal(saddle_solution_create(NULL, problem.n, problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_create(NULL, names[k], NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &problem, NULL, &x), SADDLE_OK);
        problem.hi[0] = 0.5 * fabs(x.lambda[0]);
        problem.lo[0] = -problem.hi[0];
        assert_int_equal(saddle_solver_solve(solver, &problem, NULL, &x), SADDLE_OK);
        (void)solved_by("admm", &problem, 1e-11, &y);
        assert_true(distance(x.v, y.v, problem.n) < 1e-7);
        saddle_solution_clear(&x);
        saddle_solution_clear(&y);
        saddle_solver_free(solver);
        problem.lo = problem.hi = NULL;
        free(bounds);
        saddle_problem_clear(&problem);
    }
}

/* New forces and coefficients, from the last answer; then a row with other bounds. */
static void a_solver_is_used_again(void **state)
{
    (void)state;
    saddle_problem problem = make(1, SADDLE_LAW_CONE);
    saddle_options options = saddle_options_default();
    saddle_solver *solver = NULL;
    saddle_solution x = {0}, y;
    assert_int_equal(saddle_solution_create(NULL, problem.n, problem.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
    for (int k = 0; k < 3; k++) {
        const saddle_solution *start = k > 0 ? &x : NULL;
        assert_int_equal(saddle_solver_solve(solver, &problem, start, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_report(solver)->factorizations, 1);
        (void)solved_by("admm", &problem, 1e-11, &y);
        assert_true(distance(x.v, y.v, problem.n) < 1e-7);
        saddle_solution_clear(&y);
        for (int64_t i = 0; i < problem.m; i++) problem.b[i] *= 1.01;
        for (int64_t c = 0; c < problem.contact_count; c++) problem.contacts[c].mu += 0.05;
    }
    for (int64_t k = 0; k < saddle_matrix_entries(&problem.M); k++) problem.M.value[k] *= 2;
    assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &problem, NULL, &x), SADDLE_OK);
    (void)solved_by("admm", &problem, 1e-11, &y);
    assert_true(distance(x.v, y.v, problem.n) < 1e-7);
    saddle_solution_clear(&y);
    saddle_solution_clear(&x);
    saddle_solver_free(solver);
    saddle_problem_clear(&problem);
}

/* Boxes of friction are pivoted, in several rounds; none leaves what it says to the next. */
static void notes_of_rounds_and_solves_do_not_pile_up(void **state)
{
    (void)state;
    saddle_problem problem = make(1, SADDLE_LAW_BOX);
    saddle_options options = saddle_options_default();
    saddle_solver *solver = NULL;
    saddle_solution x = {0};
    char first[SADDLE_NOTE_SIZE] = "";
    options.tolerance = 1e-12;
    assert_int_equal(saddle_solution_create(NULL, problem.n, problem.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(saddle_solver_solve(solver, &problem, NULL, &x), SADDLE_OK);
        const char *note = saddle_solver_report(solver)->note;
        const char *basis = strstr(note, "basis: ");
        assert_non_null(basis);
        assert_null(strstr(basis + 1, "basis: "));
        if (k == 0) memcpy(first, note, sizeof first);
        assert_string_equal(note, first);
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_problem_clear(&problem);
}

/* Without equality rows a block is held by its contacts alone: K is singular on what is to be
 * eliminated, and another solver follows. */
static void a_block_held_by_contacts_alone_is_left_to_others(void **state)
{
    (void)state;
    saddle_problem problem = make(1, SADDLE_LAW_CONE), loose = problem;
    int64_t first = problem.contacts[0].row, count = 3 * problem.contact_count;
    int64_t *start = calloc((size_t)count + 1, sizeof *start);
    saddle_contact *contacts = calloc((size_t)problem.contact_count, sizeof *contacts);
    assert_true(start && contacts);
    assert_int_equal(first + count, problem.m); /* contacts come last */
    for (int64_t i = 0; i <= count; i++)
        start[i] = problem.Jt.start[first + i] - problem.Jt.start[first];
    for (int64_t c = 0; c < problem.contact_count; c++) {
        contacts[c] = problem.contacts[c];
        contacts[c].row -= first;
    }
    loose.m = count;
    loose.Jt = saddle_matrix_view(problem.n, count, start,
                                  problem.Jt.index + problem.Jt.start[first],
                                  problem.Jt.value + problem.Jt.start[first], SADDLE_SYMMETRY_NONE);
    loose.contacts = contacts;
    loose.b = loose.lo = loose.hi = NULL;
    saddle_solution x = {0};
    saddle_report report;
    (void)saddle_solve(NULL, &loose, "auto", NULL, NULL, &x, &report);
    assert_null(strstr(report.note, "picked gauss-seidel"));
    assert_string_equal(report.solver, "admm");
    free(start);
    free(contacts);
    saddle_solution_clear(&x);
    saddle_problem_clear(&problem);
}

/* J is empty: the contact is a problem of its own, and there is nothing to carry along. */
static void contacts_beside_a_mesh_are_left_to_others(void **state)
{
    (void)state;
    saddle_problem problem = make(0, SADDLE_LAW_CONE), loose = problem;
    int64_t start[] = {0, 1, 2, 3}, index[] = {0, 1, 2}, no_start[4] = {0};
    double ones[] = {1.0, 1.0, 1.0}, b[] = {1.0, 0.2, 0.1};
    saddle_contact contact = {.row = 0, .size = 3, .mu = 0.5};
    loose.m = 3;
    loose.R = saddle_matrix_view(3, 3, start, index, ones, SADDLE_SYMMETRY_LOWER);
    loose.b = b;
    loose.lo = loose.hi = NULL;
    loose.contacts = &contact;
    loose.contact_count = 1;
    for (int absent = 0; absent < 2; absent++) {
        saddle_solution x;
        loose.Jt = saddle_matrix_view(problem.n, 3, absent ? NULL : no_start, NULL, NULL,
                                      SADDLE_SYMMETRY_NONE);
        saddle_report report = solved_by("auto", &loose, 1e-10, &x);
        assert_null(strstr(report.note, "condensed"));
        assert_true(test_distance(x.lambda, b, 3) < 1e-8);
        saddle_solution_clear(&x);
    }
    saddle_problem_clear(&problem);
}

/* A plate of a single layer: W of its contacts has more entries than M. */
static void many_contacts_on_a_mesh_go_to_admm(void **state)
{
    (void)state;
    saddle_tied_parameters p = saddle_tied_default();
    saddle_problem problem;
    saddle_solution x;
    p.blocks = 1;
    for (int i = 0; i < 3; i++) p.cells[i] = i < 2 ? 12 : 1;
    p.time_step = 1e-3;
    p.top = SADDLE_TIED_FREE;
    assert_int_equal(saddle_generate_tied(NULL, &p, &problem), SADDLE_OK);
    saddle_report report = solved_by("auto", &problem, 1e-10, &x);
    assert_non_null(strstr(report.note, "auto picked admm: contacts on a mesh"));
    saddle_solution_clear(&x);
    saddle_problem_clear(&problem);
}

/* M <- M + 0.1 |M_ij| above the diagonal, - 0.1 |M_ij| below. */
static void skew(saddle_problem *problem)
{
    saddle_matrix M;
    assert_int_equal(saddle_matrix_expand(NULL, &problem->M, &M), SADDLE_OK);
    for (int64_t j = 0; j < M.cols; j++)
        for (int64_t k = M.start[j]; k < M.start[j + 1]; k++)
            if (M.index[k] != j) M.value[k] += (M.index[k] < j ? 0.1 : -0.1) * fabs(M.value[k]);
    saddle_matrix_clear(&problem->M);
    problem->M = M;
}

/* Up to a hundred rows of contacts, none of equations, whose W has more entries than M, or whose M
 * is unsymmetric: sweeps over a dense W. */
static void few_contacts_on_a_mesh_without_equations_go_to_sweeps(void **state)
{
    (void)state;
    for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++) {
        saddle_tied_parameters p = saddle_tied_default();
        saddle_problem problem;
        saddle_solution x;
        p.blocks = 1;
        for (int i = 0; i < 3; i++) p.cells[i] = unsymmetric || i < 2 ? 3 : 1;
        p.top = SADDLE_TIED_HELD;
        assert_int_equal(saddle_generate_tied(NULL, &p, &problem), SADDLE_OK);
        if (unsymmetric) skew(&problem);
        saddle_report report = solved_by("auto", &problem, 1e-10, &x);
        assert_non_null(strstr(report.note, "auto picked gauss-seidel: friction cones"));
        saddle_solution_clear(&x);
        report = agrees_with_admm(&problem);
        assert_string_equal(report.solver, "gauss-seidel");
        saddle_problem_clear(&problem);
    }
}

/* The same contacts of two unsymmetric blocks tied by equations, which no sweep eliminates. */
static void few_contacts_of_tied_unsymmetric_blocks_go_to_admm(void **state)
{
    (void)state;
    saddle_problem problem = make(0, SADDLE_LAW_CONE);
    saddle_solution x;
    skew(&problem);
    saddle_report report = solved_by("auto", &problem, 1e-10, &x);
    assert_non_null(strstr(report.note, "auto picked admm: contacts on a mesh"));
    saddle_solution_clear(&x);
    saddle_problem_clear(&problem);
}

/* The associated law with a compliance in each row: one answer, by admm as by sweeps; without one
 * in a row, sweeps come first. */
static void soft_contacts_of_the_associated_law_go_to_admm(void **state)
{
    (void)state;
    saddle_stack_parameters p = saddle_stack_default();
    saddle_problem problem;
    saddle_solution x, y;
    assert_int_equal(saddle_generate_stack(NULL, &p, &problem), SADDLE_OK);
    problem.law = SADDLE_LAW_ASSOCIATED;
    assert_int_equal(saddle_matrix_create(NULL, problem.m, problem.m, problem.m,
                                          SADDLE_SYMMETRY_LOWER, &problem.R),
                     SADDLE_OK);
    for (int64_t i = 0; i < problem.m; i++) {
        problem.R.index[i] = i;
        problem.R.value[i] = 1e-2;
        problem.R.start[i + 1] = i + 1;
    }
    saddle_report report = solved_by("auto", &problem, 1e-10, &x);
    assert_non_null(strstr(report.note, "auto picked admm: soft contacts"));
    (void)solved_by("gauss-seidel", &problem, 1e-11, &y);
    assert_true(distance(x.lambda, y.lambda, problem.m) < 1e-7);
    saddle_solution_clear(&x);
    problem.R.value[problem.m - 1] = 0.0;
    report = solved_by("auto", &problem, 1e-10, &x);
    assert_non_null(strstr(report.note, "auto picked gauss-seidel"));
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    saddle_problem_clear(&problem);
}

static saddle_status solve_once(saddle_context *context, void *user)
{
    const saddle_problem *problem = user;
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, problem, "auto", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static saddle_status solve_by_name(saddle_context *context, void *user)
{
    const saddle_problem *problem = user;
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, problem, "gauss-seidel", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    saddle_problem problem = make(1, SADDLE_LAW_CONE);
    assert_true(test_allocation_sweep(solve_once, &problem) > 20);
    assert_true(test_allocation_sweep(solve_by_name, &problem) > 20);
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tied_blocks_take_three_factorizations_at_most),
        cmocka_unit_test(soft_rows_and_bounded_drives_agree_too),
        cmocka_unit_test(coupled_compliance_is_left_to_others),
        cmocka_unit_test(solvers_of_contacts_work_on_what_the_equalities_leave),
        cmocka_unit_test(a_solver_of_the_host_is_given_the_rows_alone),
        cmocka_unit_test(a_named_solver_keeps_its_settings),
        cmocka_unit_test(a_row_may_have_bounds_after_all),
        cmocka_unit_test(a_solver_is_used_again),
        cmocka_unit_test(notes_of_rounds_and_solves_do_not_pile_up),
        cmocka_unit_test(a_block_held_by_contacts_alone_is_left_to_others),
        cmocka_unit_test(contacts_beside_a_mesh_are_left_to_others),
        cmocka_unit_test(many_contacts_on_a_mesh_go_to_admm),
        cmocka_unit_test(few_contacts_on_a_mesh_without_equations_go_to_sweeps),
        cmocka_unit_test(few_contacts_of_tied_unsymmetric_blocks_go_to_admm),
        cmocka_unit_test(soft_contacts_of_the_associated_law_go_to_admm),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
