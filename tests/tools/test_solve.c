/* SPDX-License-Identifier: MIT */
/* saddle solve on problems whose answers are known in closed form, and on input that is broken. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* v and lambda of a solution folder against what they must be. */
static void expect_solution(const char *folder, int64_t n, const double *v, int64_t m,
                            const double *lambda)
{
    saddle_solution solution = {0};
    assert_int_equal(saddle_solution_read(NULL, folder, &solution), SADDLE_OK);
    assert_int_equal(solution.n, n);
    assert_int_equal(solution.m, m);
    for (int64_t j = 0; v && j < n; j++)
        if (!(fabs(solution.v[j] - v[j]) < 1e-9))
            fail_msg("v[%d] = %.17g, not %.17g", (int)j, solution.v[j], v[j]);
    for (int64_t i = 0; lambda && i < m; i++)
        if (!(fabs(solution.lambda[i] - lambda[i]) < 1e-9))
            fail_msg("lambda[%d] = %.17g, not %.17g", (int)i, solution.lambda[i], lambda[i]);
    saddle_solution_clear(&solution);
}

/* ---- what is printed ---- */

static void json_has_every_key(void **state)
{
    static const char *const keys[] = {"solver",      "status",
                                       "n",           "m",
                                       "contacts",    "iterations",
                                       "pivots",      "factorizations",
                                       "refinements", "perturbed_pivots",
                                       "residual",    "seconds",
                                       "inertia",     "peak_bytes",
                                       "condition",   "scaled_condition",
                                       "growth",      "backward_error",
                                       "flops",       "factor_entries",
                                       "warm_rows",   "proof",
                                       "switches"};
    static const char *const residuals[] = {"dynamics", "rows", "cone", "total"};
    static const char *const phases[] = {"read", "analyse", "factor", "solve"};
    (void)state;
    run result = run_expecting(0, "solve", two_rods(), "--json", NULL);
    json_t *object = run_json(&result);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (!json_object_get(object, keys[k])) fail_msg("no key %s in %s", keys[k], result.out);
    for (size_t k = 0; k < 4; k++) json_at(object, "residual", residuals[k]);
    for (size_t k = 0; k < 4; k++) json_at(object, "seconds", phases[k]);
    assert_int_equal((int)json_at(object, "n", NULL), 4);
    assert_int_equal((int)json_at(object, "m", NULL), 2);
    assert_true(json_at(object, "seconds", "read") > 0);
    assert_true(json_at(object, "residual", "total") <= 1e-10);
    assert_string_equal(result.err, "");
    json_decref(object);
    run_clear(&result);
}

static void condition_is_estimated_when_asked_for(void **state)
{
    (void)state;
    run result = run_expecting(0, "solve", two_rods(), "--json", "--condition", NULL);
    json_t *object = run_json(&result);
    assert_true(json_at(object, "condition", NULL) >= 1 &&
                json_at(object, "scaled_condition", NULL) >= 1);
    assert_true(json_at(object, "growth", NULL) >= 1 &&
                json_at(object, "backward_error", NULL) <= 1e-15);
    json_decref(object);
    run_clear(&result);
    result = run_expecting(0, "solve", two_rods(), "--condition", NULL);
    assert_non_null(strstr(result.out, "condition  "));
    assert_non_null(strstr(result.out, "factors    "));
    run_clear(&result);
    result = run_expecting(0, "solve", two_rods(), NULL);
    assert_null(strstr(result.out, "condition  "));
    run_clear(&result);
}

static void report_says_solver_status_and_residual(void **state)
{
    (void)state;
    run result = run_expecting(0, "solve", two_rods(), NULL);
    assert_non_null(strstr(result.out, "rods (bundle): n = 4, m = 2, 2 equality"));
    assert_non_null(strstr(result.out, "solver     ldlt (auto picked ldlt"));
    assert_non_null(strstr(result.out, "status     solved: residual "));
    assert_non_null(strstr(result.out, "seconds    read "));
    run_clear(&result);
}

/* ---- answers ---- */

/* Elimination by hand: the rods leave v = s (.8, .6) for particle 1, x2 = x1, and 2 kg more in x:
 * s (1 + 2 .8^2) = -.0981 .6. */
static void rods_swing_as_computed_by_hand(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    const double s = -0.0981 * 0.6 / (1 + 2 * 0.64);
    const double v[4] = {0.8 * s, 0.6 * s, 0.8 * s, -0.0981};
    const double lambda[2] = {(0.8 * s + 1.6 * s) / 0.6, 1.6 * s};
    run result = run_expecting(0, "solve", two_rods(), "--output", folder, NULL);
    run_clear(&result);
    expect_solution(folder, 4, v, 2, lambda);
    assert_true(exists(path_in(folder, "report.json")));
    result = run_expecting(0, "check", two_rods(), folder, NULL);
    assert_non_null(strstr(result.out, "status     solved"));
    run_clear(&result);
}

static void bounded_rows_end_at_their_bounds(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    const double v[3] = {1, 0, 3}, lambda[3] = {0, 1, -2};
    run result = run_expecting(0, "solve", bounded(), "--output", folder, NULL);
    run_clear(&result);
    expect_solution(folder, 3, v, 3, lambda);
}

static void every_friction_law_can_be_asked_for(void **state)
{
    const double root = sqrt(5), k = (1 + 5 * root) / 1.25;
    const double cone[3] = {1, -0.5 / root, -1 / root}, box[3] = {1, -0.5, -0.5},
                 pyramid[3] = {1, 0, -0.5};
    const double associated[3] = {k, -0.5 * k / root, -k / root};
    const char *const words[] = {"cone", "box", "pyramid", "associated"};
    const double *const expected[] = {cone, box, pyramid, associated};
    (void)state;
    for (int law = 0; law < 4; law++) {
        const char *folder = path_in(test_scratch_folder(), "answer"), *problem = slider();
        run result = run_expecting(0, "solve", problem, "--friction", words[law], "--facets", "4",
                                   "--tol", "1e-12", "--output", folder, NULL);
        run_clear(&result);
        expect_solution(folder, 3, NULL, 3, expected[law]);
        result = run_expecting(0, "check", problem, folder, "--friction", words[law], "--facets",
                               "4", NULL);
        run_clear(&result);
        if (law > 0) { /* and is no answer to the problem's own law */
            result = run_expecting(1, "check", problem, folder, NULL);
            run_clear(&result);
        }
    }
}

/* basis "factor" takes contacts only with bounds that lag. */
static void friction_lags_where_asked_for(void **state)
{
    (void)state;
    const double box[3] = {1, -0.5, -0.5};
    const char *folder = path_in(test_scratch_folder(), "answer"), *problem = slider();
    run_refused(4, "basis 'factor'", NULL, "solve", problem, "--friction", "box", "--solver",
                "pivot", "--set", "pivot.basis=factor", NULL);
    run result = run_expecting(0, "solve", problem, "--friction", "box", "--solver", "pivot",
                               "--set", "pivot.basis=factor", "--set", "pivot.lagged_friction=on",
                               "--output", folder, NULL);
    run_clear(&result);
    expect_solution(folder, 3, NULL, 3, box);
}

static void an_unsymmetric_matrix_is_solved_by_lu(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    const double v[2] = {1, 1};
    run result = run_expecting(0, "solve", unsymmetric(), "--json", "--output", folder, NULL);
    json_t *object = run_json(&result);
    assert_string_equal(json_string_value(json_object_get(object, "solver")), "lu");
    json_decref(object);
    run_clear(&result);
    expect_solution(folder, 2, v, 0, NULL);
}

/* Nothing says how the second particle moves across its rod. */
static void a_particle_without_mass_is_refused_by_name(void **state)
{
    (void)state;
    const char *problem = two_rods();
    write_text(problem, "M.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n1 1 1\n2 2 1\n");
    run_refused(3, "no mass, and no row holds", "velocity ", "solve", problem, NULL);
}

static void an_indefinite_mass_is_solved_and_noted(void **state)
{
    (void)state;
    const char *problem = two_rods();
    write_text(
        problem, "M.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n1 1 -1\n2 2 -1\n3 3 -1\n4 4 -1\n");
    run result = run_expecting(0, "solve", problem, NULL);
    assert_non_null(
        strstr(result.out,
               "M or R is indefinite: 2 positive, 4 negative, 0 zero pivots, not 4 and 2"));
    run_clear(&result);
}

/* K x = rhs, and without a right-hand side K x = K 1. */
static void a_bare_matrix_is_solved_with_its_right_hand_side(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    const double x[2] = {2, -1}, ones[2] = {1, 1};
    write_text(folder, "K.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 2\n");
    write_text(folder, "r.mtx", "%%MatrixMarket matrix array real general\n2 1\n3\n-2\n");
    run result = run_expecting(0, "solve", path_in(folder, "K.mtx"), "--rhs",
                               path_in(folder, "r.mtx"), "--output", path_in(folder, "x"), NULL);
    run_clear(&result);
    expect_solution(path_in(folder, "x"), 2, x, 0, NULL);
    result = run_expecting(0, "solve", path_in(folder, "K.mtx"), "--output", path_in(folder, "x"),
                           NULL);
    run_clear(&result);
    expect_solution(path_in(folder, "x"), 2, ones, 0, NULL);
}

static void a_warm_start_from_the_answer_needs_no_iterations_more(void **state)
{
    (void)state;
    const char *problem = slider(), *folder = path_in(test_scratch_folder(), "answer");
    run result = run_expecting(0, "solve", problem, "--json", "--output", folder, NULL);
    json_t *cold = run_json(&result);
    run_clear(&result);
    result = run_expecting(0, "solve", problem, "--json", "--start", folder, NULL);
    json_t *warm = run_json(&result);
    run_clear(&result);
    assert_true(json_at(warm, "iterations", NULL) <= json_at(cold, "iterations", NULL));
    json_decref(cold);
    json_decref(warm);
    run_refused(3, "does not fit", "n = 3", "solve", two_rods(), "--start", folder, NULL);
}

/* ---- the reference ---- */

static void expect_reference(const char *problem, const char *law)
{
    run result = run_expecting(0, "solve", problem, "--json", "--reference", "--friction", law,
                               NULL);
    json_t *object = run_json(&result);
    const json_t *reference = json_object_get(object, "reference");
    assert_true(json_is_true(json_object_get(reference, "certified")));
    assert_true(json_at((json_t *)reference, "velocity", "largest") < 1e-8);
    assert_true(json_at((json_t *)reference, "slack", "largest") < 1e-8);
    assert_true(json_at((json_t *)reference, "velocity", "bound") <= 1e-25);
    json_decref(object);
    run_clear(&result);
}

static void reference_agrees_for_equality_redundant_bounded_and_box_rows(void **state)
{
    (void)state;
    expect_reference(two_rods(), "cone");
    expect_reference(redundant(), "cone");
    expect_reference(bounded(), "cone");
    expect_reference(slider(), "box");
    expect_reference(unsymmetric(), "cone");
    run result = run_expecting(0, "solve", redundant(), "--reference", NULL);
    assert_non_null(strstr(result.out, "reference  certified; K is singular, by its exact rank"));
    assert_non_null(strstr(result.out, "rank 2 of 3 equality rows"));
    run_clear(&result);
}

/* A loose tolerance leaves an error that the reference must see. */
static void reference_sees_an_inaccurate_solution(void **state)
{
    (void)state;
    run result = run_expecting(1, "solve", grid(12), "--json", "--reference", "--solver",
                               "gauss-seidel", "--max-iter", "2", NULL);
    json_t *object = run_json(&result);
    json_t *reference = json_object_get(object, "reference");
    assert_true(json_is_true(json_object_get(reference, "certified")));
    assert_true(json_at(reference, "velocity", "largest") > 1e-9);
    json_decref(object);
    run_clear(&result);
}

static void reference_says_where_there_is_none(void **state)
{
    (void)state;
    run result = run_expecting(0, "solve", slider(), "--reference", "--friction", "pyramid",
                               "--json", NULL);
    json_t *object = run_json(&result), *reference = json_object_get(object, "reference");
    assert_int_equal(json_object_size(reference), 1);
    assert_non_null(strstr(json_string_value(json_object_get(reference, "note")),
                           "no reference for pyramids in space"));
    json_decref(object);
    run_clear(&result);
}

/* Four legs under a bar at x = 0 .. 3, its weight at 0.4: the start carries it with every leg
 * pressing, at rest: exact, though the impulses are not unique. */
static void an_exact_solution_has_all_digits(void **state)
{
    (void)state;
    const char *problem = bounded(), *start = path_in(test_scratch_folder(), "start");
    run result = run_expecting(0, "solve", problem, "--output", start, NULL);
    run_clear(&result);
    write_text(problem, "problem.json",
               "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 2, \"m\": 4, "
               "\"symmetric\": true}\n");
    write_text(problem, "M.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
    write_text(problem, "J.mtx",
               "%%MatrixMarket matrix coordinate real general\n4 2 7\n1 1 1\n2 1 1\n2 2 1\n3 1 "
               "1\n3 2 2\n4 1 1\n4 2 3\n");
    write_text(problem, "f.mtx", "%%MatrixMarket matrix array real general\n2 1\n-1\n-0.4\n");
    write_text(problem, "bounds.mtx",
               "%%MatrixMarket matrix array real general\n4 2\n0\n0\n0\n0\ninf\ninf\ninf\ninf\n");
    write_text(start, "v.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n0\n");
    write_text(start, "w.mtx", "%%MatrixMarket matrix array real general\n4 1\n0\n0\n0\n0\n");
    write_text(start, "lambda.mtx",
               "%%MatrixMarket matrix array real general\n4 1\n0.75\n0.15\n0.05\n0.05\n");
    result = run_expecting(0, "solve", problem, "--solver", "gauss-seidel", "--start", start,
                           "--reference", NULL);
    assert_non_null(strstr(result.out, "reference  certified"));
    run_clear(&result);
    result = run_expecting(0, "solve", problem, "--solver", "gauss-seidel", "--start", start,
                           "--reference", "--json", NULL);
    json_t *object = run_json(&result), *reference = json_object_get(object, "reference");
    assert_true(json_at(reference, "velocity", "largest") < 1e-15);
    assert_true(json_at(reference, "impulse", "largest") < 1e-15);
    json_decref(object);
    run_clear(&result);
}

/* ---- what falls short, and what is refused ---- */

static void tolerance_not_reached_is_exit_1_with_the_result_written(void **state)
{
    (void)state;
    const char *problem = grid(12), *folder = path_in(test_scratch_folder(), "answer");
    run result = run_expecting(1, "solve", problem, "--solver", "gauss-seidel", "--max-iter", "2",
                               "--output", folder, NULL);
    assert_non_null(strstr(result.out, "iteration limit"));
    run_clear(&result);
    result = run_expecting(1, "check", problem, folder, "--worst", "3", NULL);
    assert_non_null(strstr(result.out, "tolerance not reached"));
    assert_non_null(strstr(result.out, "worst "));
    run_clear(&result);
    result = run_expecting(0, "check", problem, folder, "--tol", "10", NULL);
    run_clear(&result);
}

static void time_limit_ends_an_iteration(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    const double begun = saddle_clock();
    run result = run_expecting(1, "solve", grid(40), "--solver", "admm", "--tol", "0", "--max-iter",
                               "2000000000", "--time-limit", "0.3", "--output", folder, NULL);
    assert_true(saddle_clock() - begun < 30);
    assert_non_null(strstr(result.out, "time limit"));
    assert_true(exists(path_in(folder, "lambda.mtx")));
    run_clear(&result);
}

static void rows_a_solver_cannot_do_are_exit_4_and_nothing_is_written(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    run_refused(4, "gauss-seidel", NULL, "solve", bounded(), "--solver", "ldlt", "--output", folder,
                NULL);
    run_refused(4, "gauss-seidel", NULL, "solve", slider(), "--solver", "lu", "--output", folder,
                NULL);
    run_refused(4, "lu", NULL, "solve", unsymmetric(), "--solver", "ldlt", "--output", folder,
                NULL);
    assert_false(exists(folder));
}

/* Each way to break a bundle, and what the message must name. */
static void broken_input_is_exit_3_names_the_file_and_writes_nothing(void **state)
{
    static const struct {
        const char *file, *text, *named;
    } broken[] = {
        {"problem.json", "{\"format\": \"saddle-problem\"", "problem.json"},
        {"problem.json", "{}", "problem.json"},
        {"M.mtx", "", "M.mtx"},
        {"M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n",
         "M.mtx"},
        {"M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 nan\n3 3 1\n",
         "M.mtx"},
        {"M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n2 2 1\n",
         "M.mtx"},
        {"M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n4 2 1\n3 3 1\n",
         "M.mtx"},
        {"M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 1 1\n", "M"},
        {"J.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 inf\n", "J.mtx"},
        {"f.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n", "f.mtx"},
        {"f.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n", "f"},
        {"bounds.mtx", "%%MatrixMarket matrix array real general\n3 2\n0\n3\n-2\ninf\n2\n2\n",
         "row 2"},
        {"contacts.mtx", "%%MatrixMarket matrix array real general\n1 3\n1\n3\n-0.5\n",
         "contact 1"},
        {"contacts.mtx", "%%MatrixMarket matrix array real general\n1 3\n2\n3\n0.5\n", "contact"},
        {"contacts.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n2\n2\n0.5\n0.5\n",
         "contact"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof broken / sizeof broken[0]; k++) {
        const char *problem = bounded(), *folder = path_in(test_scratch_folder(), "answer");
        write_text(problem, broken[k].file, broken[k].text);
        run_refused(3, broken[k].named, NULL, "solve", problem, "--output", folder, NULL);
        run_refused(3, broken[k].named, NULL, "info", problem, NULL);
        assert_false(exists(folder));
    }
    const char *problem = bounded();
    assert_int_equal(unlink(path_in(problem, "M.mtx")), 0);
    run_refused(3, "M", NULL, "solve", problem, NULL);
    run_refused(3, "no-such-thing", NULL, "solve", "no-such-thing", NULL);
}

/* Whether it does not fit the problem or the memory, is the reader's to say. */
static void a_hostile_size_is_refused_by_name(void **state)
{
    static const char *const size[] = {"9223372036854775807 9223372036854775807 1",
                                       "4000000000 4000000000 1", "3 3 9223372036854775807",
                                       "99999999999999999999 3 1", "-3 3 1"};
    (void)state;
    for (size_t k = 0; k < sizeof size / sizeof size[0]; k++) {
        char text[128];
        const char *problem = bounded();
        snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n%s\n1 1 1\n",
                 size[k]);
        write_text(problem, "M.mtx", text);
        run result = run_saddle("solve", problem, NULL);
        if (result.code != 3 && result.code != 5)
            fail_msg("%s: exit code %d", size[k], result.code);
        assert_non_null(strstr(result.err, "M.mtx"));
        run_clear(&result);
    }
}

static void a_file_of_the_wrong_kind_is_exit_3(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    write_text(folder, "a.hdf5", "this is no HDF5 file\n");
    write_text(folder, "a.dat", "nor is this one of Siconos\n");
    write_text(folder, "a.mtx", "12\n");
    run_refused(3, "a.hdf5", NULL, "solve", path_in(folder, "a.hdf5"), NULL);
    run_refused(3, "a.dat", NULL, "solve", path_in(folder, "a.dat"), NULL);
    run_refused(3, "a.mtx", NULL, "solve", path_in(folder, "a.mtx"), NULL);
}

static void too_little_memory_is_exit_5_and_nothing_is_written(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    run_refused(5, NULL, NULL, "solve", grid(120), "--memory-limit", "1", "--output", folder, NULL);
    assert_false(exists(folder));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_every_key),
        cmocka_unit_test(condition_is_estimated_when_asked_for),
        cmocka_unit_test(report_says_solver_status_and_residual),
        cmocka_unit_test(rods_swing_as_computed_by_hand),
        cmocka_unit_test(bounded_rows_end_at_their_bounds),
        cmocka_unit_test(every_friction_law_can_be_asked_for),
        cmocka_unit_test(friction_lags_where_asked_for),
        cmocka_unit_test(an_unsymmetric_matrix_is_solved_by_lu),
        cmocka_unit_test(a_particle_without_mass_is_refused_by_name),
        cmocka_unit_test(an_indefinite_mass_is_solved_and_noted),
        cmocka_unit_test(a_bare_matrix_is_solved_with_its_right_hand_side),
        cmocka_unit_test(a_warm_start_from_the_answer_needs_no_iterations_more),
        cmocka_unit_test(reference_agrees_for_equality_redundant_bounded_and_box_rows),
        cmocka_unit_test(reference_sees_an_inaccurate_solution),
        cmocka_unit_test(reference_says_where_there_is_none),
        cmocka_unit_test(an_exact_solution_has_all_digits),
        cmocka_unit_test(tolerance_not_reached_is_exit_1_with_the_result_written),
        cmocka_unit_test(time_limit_ends_an_iteration),
        cmocka_unit_test(rows_a_solver_cannot_do_are_exit_4_and_nothing_is_written),
        cmocka_unit_test(broken_input_is_exit_3_names_the_file_and_writes_nothing),
        cmocka_unit_test(a_hostile_size_is_refused_by_name),
        cmocka_unit_test(a_file_of_the_wrong_kind_is_exit_3),
        cmocka_unit_test(too_little_memory_is_exit_5_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
