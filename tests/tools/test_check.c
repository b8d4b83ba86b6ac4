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

/* The second rod's row again, asking for something else: proven by solve, written, and judged anew. */
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
    write_text(folder, "certificate.mtx", "%%MatrixMarket matrix array real general\n7 1\n0\n0\n0\n0\n0\n1\n1\n");
    result = run_expecting(1, "check", problem, folder, "--json", NULL);
    object = run_json(&result);
    assert_string_equal(kind_of_proof(object), "none");
    json_decref(object);
    run_clear(&result);
    write_text(folder, "certificate.mtx", "%%MatrixMarket matrix array real general\n6 1\n0\n0\n0\n0\n0\n1\n");
    run_refused(3, "certificate.mtx", "6 x 1 numbers, not 7 x 1", "check", problem, folder, NULL);
    write_text(problem, "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n1\n2\n");
    result = run_expecting(0, "solve", problem, "--output", folder, NULL); /* what is proven no more is gone */
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
    assert_true(fabs(json_at(json_array_get(velocities, 0), "defect", NULL) + 1) < 1e-12); /* 3 - (-1) - 5 */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_names_the_worst_rows_and_velocities),
        cmocka_unit_test(a_proof_that_there_is_no_solution_is_written_and_checked),
        cmocka_unit_test(check_sees_a_w_that_is_not_j_v),
        cmocka_unit_test(check_refuses_what_is_no_solution_of_the_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
