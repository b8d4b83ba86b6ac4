/* SPDX-License-Identifier: MIT */
/* saddle check: solutions made by saddle solve and then spoilt. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *kind_of_proof(const json_t *object)
{
    return json_string_value(json_object_get(json_object_get(object, "proof"), "kind"));
}

/* The second rod's row again, asking for something else: proven by solve, written, and judged
 * anew. */
static void a_proof_that_there_is_no_solution_is_written_and_checked(void **state)
{
    (void)state;
    const char *problem = redundant(), *folder = path_in(test_scratch_folder(), "answer");
    write_text(problem, "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n1\n5\n");
    run result = run_expecting(1, "solve", problem, "--output", folder, "--json", NULL);
    json_t *object = run_json(&result);
    assert_string_equal(json_string_value(json_object_get(object, "status")), "SADDLE_INFEASIBLE");
    assert_string_equal(kind_of_proof(object), "rows");
    assert_int_equal((int)json_at(object, "proof", "rows"), 2);
    json_decref(object);
    run_clear(&result);
    assert_true(exists(path_in(folder, "certificate.mtx")));
    result = run_expecting(1, "check", problem, folder, NULL);
    assert_non_null(strstr(result.out, "proof      row "));
    assert_non_null(strstr(result.out, "row 2"));
    assert_non_null(strstr(result.out, "contradict each other"));
    run_clear(&result);
    write_text(folder, "certificate.mtx",
               "%%MatrixMarket matrix array real general\n7 1\n0\n0\n0\n0\n0\n1\n1\n");
    result = run_expecting(1, "check", problem, folder, "--json", NULL);
    object = run_json(&result);
    assert_string_equal(kind_of_proof(object), "none");
    json_decref(object);
    run_clear(&result);
    write_text(folder, "certificate.mtx",
               "%%MatrixMarket matrix array real general\n6 1\n0\n0\n0\n0\n0\n1\n");
    run_refused(3, "certificate.mtx", "6 x 1, but 7 x 1 is needed", "check", problem, folder, NULL);
    write_text(problem, "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n1\n2\n");
    result = run_expecting(0, "solve", problem, "--output", folder, NULL); /* what is proven no more
                                                                              is gone */
    assert_null(strstr(result.out, "proof "));
    run_clear(&result);
    assert_false(exists(path_in(folder, "certificate.mtx")));
}

static void check_names_the_worst_rows_and_velocities(void **state)
{
    (void)state;
    const char *problem = bounded(), *folder = path_in(test_scratch_folder(), "answer");
    run result = run_expecting(0, "solve", problem, "--output", folder, NULL);
    run_clear(&result);
    write_text(folder, "lambda.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n1\n-1\n");
    result = run_expecting(1, "check", problem, folder, "--json", NULL);
    json_t *object = run_json(&result);
    const json_t *rows = json_object_get(object, "worst_rows"),
                 *velocities = json_object_get(object, "worst_velocities");
    assert_int_equal(json_array_size(rows), 1);
    assert_int_equal(json_array_size(velocities), 1);
    assert_int_equal((int)json_at(json_array_get(rows, 0), "row", NULL), 3);
    assert_int_equal((int)json_at(json_array_get(velocities, 0), "velocity", NULL), 3);
    /* 3 - (-1) - 5 */
    assert_true(fabs(json_at(json_array_get(velocities, 0), "defect", NULL) + 1) < 1e-12);
    json_decref(object);
    run_clear(&result);
    write_text(folder, "lambda.mtx", "%%MatrixMarket matrix array real general\n3 1\n0.5\n1\n-1\n");
    result = run_expecting(1, "check", problem, folder, NULL);
    assert_non_null(strstr(result.out, "row 3"));
    assert_non_null(strstr(result.out, "row 1"));
    assert_null(strstr(result.out, "row 2"));
    run_clear(&result);
}

static void check_sees_a_w_that_is_not_j_v(void **state)
{
    (void)state;
    const char *problem = two_rods(), *folder = path_in(test_scratch_folder(), "answer");
    run result = run_expecting(0, "solve", problem, "--output", folder, NULL);
    run_clear(&result);
    write_text(folder, "w.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n0\n");
    result = run_expecting(0, "check", problem, folder, "--json", NULL);
    json_t *object = run_json(&result);
    assert_true(json_at(object, "w_error", NULL) > 1);
    json_decref(object);
    run_clear(&result);
}

static void check_refuses_what_is_no_solution_of_the_problem(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    run result = run_expecting(0, "solve", two_rods(), "--output", folder, NULL);
    run_clear(&result);
    run_refused(3, "does not fit", "m = 3", "check", bounded(), folder, NULL);
    run_refused(3, "no-such", NULL, "check", two_rods(), "no-such", NULL);
    write_text(folder, "v.mtx", "%%MatrixMarket matrix array real general\n4 1\n1\n");
    run_refused(3, "v.mtx", NULL, "check", two_rods(), folder, NULL);
}

/* One velocity and two rows that want b apart. */
static const char *rows_apart(const char *b, const char *v, const char *lambda, const char *w)
{
    const char *folder = test_scratch_folder();
    write_text(folder, "problem.json",
               "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 1, \"m\": 2, "
               "\"symmetric\": true}\n");
    write_text(folder, "M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 1\n");
    write_text(folder, "J.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 1 2\n1 1 1\n2 1 1\n");
    write_text(folder, "b.mtx", b);
    write_text(folder, "v.mtx", v);
    write_text(folder, "lambda.mtx", lambda);
    write_text(folder, "w.mtx", w);
    return folder;
}

#define TWO "%%MatrixMarket matrix array real general\n2 1\n"
#define ONE "%%MatrixMarket matrix array real general\n1 1\n"

/* Rows 1 apart, brought together by a compliance of 1e-12. */
static void an_answer_whose_growth_hides_an_error_is_not_called_solved(void **state)
{
    (void)state;
    const char *folder = rows_apart(TWO "0\n1\n", ONE "0.49999999999975\n",
                                    TWO "-499999999999.75\n500000000000.25\n", TWO "0\n0\n");
    write_text(folder, "R.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1e-13\n2 2 1e-13\n");
    write_text(folder, "lambda.mtx", TWO "-4999999999999.75\n5000000000000.25\n");
    run result = run_expecting(1, "check", folder, folder, "--tol", "1e-2", NULL);
    assert_non_null(strstr(result.out, "status     not solved, by its growth"));
    assert_non_null(strstr(result.out, "growth "));
    run_clear(&result);
}

/* Rows 1e-7 apart: at a tolerance of 1e-6 the answer between them stands, and check says so. */
static void check_says_which_stands_the_answer_or_the_proof(void **state)
{
    (void)state;
    const char *folder = rows_apart(TWO "1\n1.0000001\n", ONE "1.00000005\n", TWO "0\n1.00000005\n",
                                    TWO "5e-8\n-5e-8\n");
    write_text(folder, "certificate.mtx",
               "%%MatrixMarket matrix array real general\n3 1\n0\n-1\n1\n");
    run result = run_expecting(0, "check", folder, folder, "--tol", "1e-6", NULL);
    assert_non_null(strstr(result.out, "status     solved"));
    assert_non_null(strstr(result.out, "the answer stands"));
    run_clear(&result);
    result = run_expecting(1, "check", folder, folder, "--tol", "1e-10", NULL);
    assert_null(strstr(result.out, "the answer stands"));
    assert_non_null(strstr(result.out, "contradict each other"));
    run_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_names_the_worst_rows_and_velocities),
        cmocka_unit_test(a_proof_that_there_is_no_solution_is_written_and_checked),
        cmocka_unit_test(an_answer_whose_growth_hides_an_error_is_not_called_solved),
        cmocka_unit_test(check_says_which_stands_the_answer_or_the_proof),
        cmocka_unit_test(check_sees_a_w_that_is_not_j_v),
        cmocka_unit_test(check_refuses_what_is_no_solution_of_the_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
