/* SPDX-License-Identifier: MIT */
/* Unreduced problems by the command: reduced, solved and recovered they have the answer of the
 * whole problem with its attachments as rows. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const shipped[] = {"bones", "crane-markers", "links"};
enum { SHIPPED = sizeof shipped / sizeof *shipped };

static const char *data(const char *name)
{
    return path_in(SADDLE_SOURCE_DIR "/data", name);
}

static saddle_solution solution_in(const char *folder)
{
    saddle_solution solution;
    assert_int_equal(saddle_solution_read(NULL, folder, &solution), SADDLE_OK);
    return solution;
}

static void done(run result)
{
    run_clear(&result);
}

/* v, and multipliers of rows [from, to), where they are unique. */
static void assert_same_answer(const char *a, const char *b, int64_t from, int64_t to)
{
    saddle_solution x = solution_in(a), y = solution_in(b);
    assert_true(x.n == y.n && x.m == y.m && to <= x.m);
    const double velocities = test_distance(x.v, y.v, x.n);
    const double multipliers = test_distance(x.lambda + from, y.lambda + from, to - from);
    print_message("%s: velocities %.1e, multipliers %.1e\n", a, velocities, multipliers);
    assert_true(velocities < 1e-9 && multipliers < 1e-8);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
}

static void reduced_solved_and_recovered_is_kept_and_solved(void **state)
{
    (void)state;
    static const int64_t first_unique[SHIPPED] = {0, 30, 0}, last_unique[SHIPPED] = {102, 46, 56};
    static const char *const wishes[] = {"eliminate", "choose", "keep"};
    for (int s = 0; s < SHIPPED; s++) {
        const char *folder = test_scratch_folder(), *problem = data(shipped[s]);
        const char *kept = path_in(folder, "kept"), *small = path_in(folder, "small");
        const char *answer = path_in(folder, "answer"), *whole = path_in(folder, "whole");
        done(run_expecting(0, "solve", problem, "--attachments", "keep", "--tol", "1e-13",
                           "--output", kept, "--max-iter", "1000000", NULL));
        for (int w = 0; w < 3; w++) {
            done(run_expecting(0, "reduce", problem, small, "--attachments", wishes[w], NULL));
            done(run_expecting(0, "solve", small, "--tol", "1e-13", "--output", answer,
                               "--max-iter", "1000000", NULL));
            done(run_expecting(0, "recover", problem, answer, whole, "--attachments", wishes[w],
                               "--tol", "1e-12", NULL));
            done(run_expecting(0, "check", problem, whole, "--tol", "1e-12", NULL));
            assert_same_answer(whole, kept, first_unique[s], last_unique[s]);
        }
    }
}

static void solve_does_all_three(void **state)
{
    (void)state;
    for (int s = 0; s < SHIPPED; s++) {
        const char *folder = test_scratch_folder(), *problem = data(shipped[s]);
        const char *once = path_in(folder, "once"), *again = path_in(folder, "again");
        run result = run_expecting(0, "solve", problem, "--attachments", "eliminate", "--output",
                                   once, "--json", NULL);
        json_t *object = run_json(&result);
        assert_true(json_at(object, "attachments", "kept") == 0 &&
                    json_at(object, "attachments", "eliminated") > 4);
        assert_true(json_at(object, "whole", "total") <= 1e-10);
        assert_true(json_at(object, "n", NULL) == json_at(object, "attachments", "reduced_n"));
        json_decref(object);
        run_clear(&result);
        done(run_expecting(0, "check", problem, once, NULL));
        result = run_expecting(0, "solve", problem, "--start", once, "--output", again, NULL);
        assert_non_null(strstr(result.out, "attached   "));
        assert_non_null(strstr(result.out, "chosen of "));
        assert_non_null(strstr(result.out, "whole      "));
        run_clear(&result);
        done(run_expecting(0, "check", problem, again, NULL));
    }
}

/* The sample's answer is recovered, then spoiled. */
static void a_solution_that_does_not_fit_is_refused_and_a_bad_one_is_said_to_be(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder(), *problem = data("bones");
    const char *small = path_in(folder, "small"), *answer = path_in(folder, "answer"),
               *whole = path_in(folder, "whole");
    done(run_expecting(0, "reduce", problem, small, "--attachments", "eliminate", NULL));
    done(run_expecting(0, "solve", small, "--output", answer, NULL));
    run_refused(3, "n = 222, m = 0 does not fit the problem with n = 324, m = 102", "--attachments",
                "recover", problem, answer, whole, "--attachments", "keep", NULL);
    assert_false(exists(whole));
    run_refused(3, "has no attachments", NULL, "reduce", two_rods(), path_in(folder, "x"), NULL);
    run_refused(3, "has no attachments", NULL, "recover", two_rods(), answer, path_in(folder, "x"),
                NULL);
    run_refused(3, "no-such", NULL, "reduce", "no-such", path_in(folder, "x"), NULL);
    run_refused(2, "--attachments", "eliminate", "reduce", problem, small, "--attachments", "burn",
                NULL);
    assert_false(exists(path_in(folder, "x")));
    saddle_solution spoiled = solution_in(answer);
    spoiled.v[0] += 1;
    assert_int_equal(saddle_solution_write(NULL, answer, &spoiled, NULL), SADDLE_OK);
    saddle_solution_clear(&spoiled);
    done(run_expecting(1, "recover", problem, answer, whole, "--attachments", "eliminate", NULL));
}

static void assert_same_bytes(const char *a, const char *b)
{
    size_t m, n;
    char *x = read_bytes(a, &m), *y = read_bytes(b, &n);
    if (m != n || memcmp(x, y, n) != 0) fail_msg("%s and %s differ", a, b);
    free(x);
    free(y);
}

static void converting_keeps_attachments_in_a_bundle_and_makes_them_rows_elsewhere(void **state)
{
    (void)state;
    static const char *const files[] = {"problem.json", "attachments.mtx", "M.mtx", "f.mtx"};
    for (int s = 0; s < SHIPPED; s++) {
        const char *folder = test_scratch_folder(), *copy = path_in(folder, "copy");
        done(run_expecting(0, "convert", data(shipped[s]), copy, NULL));
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            assert_same_bytes(path_in(copy, files[f]), path_in(data(shipped[s]), files[f]));
    }
    const char *target = path_in(test_scratch_folder(), "K.mtx");
    run result = run_expecting(0, "convert", data("bones"), target, NULL);
    assert_non_null(strstr(result.out, "n = 324, m = 102"));
    run_clear(&result);
    result = run_expecting(0, "info", target, "--json", "--quick", NULL);
    json_t *object = run_json(&result);
    assert_true(json_at(object, "n", NULL) == 426);
    json_decref(object);
    run_clear(&result);
}

static void info_counts_what_is_attached(void **state)
{
    (void)state;
    run result = run_expecting(0, "info", data("crane-markers"), "--json", NULL);
    json_t *object = run_json(&result);
    assert_true(json_at(object, "attachments", "active") == 4 &&
                json_at(object, "attachments", "attached") == 4);
    assert_true(json_at(object, "attachments", "in_part") == 1 &&
                json_at(object, "attachments", "prescribed") == 1);
    assert_true(json_at(object, "attachments", "rows") == 15);
    json_decref(object);
    run_clear(&result);
    result = run_expecting(0, "info", data("crane-markers"), NULL);
    assert_non_null(
        strstr(result.out,
               "components  10: 4 active, 4 attached, 1 attached in part, 1 prescribed\n"));
    run_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_solved_and_recovered_is_kept_and_solved),
        cmocka_unit_test(solve_does_all_three),
        cmocka_unit_test(a_solution_that_does_not_fit_is_refused_and_a_bad_one_is_said_to_be),
        cmocka_unit_test(converting_keeps_attachments_in_a_bundle_and_makes_them_rows_elsewhere),
        cmocka_unit_test(info_counts_what_is_attached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
