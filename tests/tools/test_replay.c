/* SPDX-License-Identifier: MIT */
/* saddle replay, and the plots of its page. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12 };

static const char *const stack = SADDLE_SOURCE_DIR "/examples/scenes/box-stack.json";

/* The scene's run, exported with every step, and its samples. */
static json_t *record(const char *folder)
{
    run result = run_expecting(0, "simulate", stack, "--steps", "12", "--every", "1", "--json",
                               "--export", folder, NULL);
    json_t *object = run_json(&result);
    run_clear(&result);
    return object;
}

/* Column `column` of a line of comma-separated values without quotes. */
static double column_of(const char *line, int column)
{
    for (; column > 0; column--) line = strchr(line, ',') + 1;
    return strtod(line, NULL);
}

/* The line behind the next newline. */
static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    assert_non_null(end);
    return end + 1;
}

/* n, m, iterations, pivots and warm rows of each step are those of the run. */
static void the_recorded_solver_does_what_it_did_in_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        int column;
    } same[] = {{"n", 1}, {"m", 2}, {"iterations", 7}, {"pivots", 8}, {"warm_rows", 9}};
    const char *folder = test_scratch_folder();
    json_t *object = record(folder), *samples = json_object_get(object, "samples");
    run result = run_expecting(0, "replay", folder, "--csv", NULL);
    const char *line = result.out;
    double iterations = 0.0, warm = 0.0;
    assert_int_equal(json_array_size(samples), STEPS);
    for (size_t k = 0; k < STEPS; k++) {
        line = next_line(line);
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            const double was = json_at(json_array_get(samples, k), same[i].key, NULL);
            if (column_of(line, same[i].column) != was)
                fail_msg("step %zu: %s was %g: %.200s", k + 1, same[i].key, was, line);
        }
        iterations += column_of(line, 7);
        warm += column_of(line, 9);
    }
    assert_true(iterations > 0.0 && warm > 0.0);
    assert_string_equal(next_line(line), "");
    run_clear(&result);
    json_decref(object);
}

static void a_cold_replay_has_no_warm_rows(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    json_decref(record(folder));
    run result = run_expecting(0, "replay", folder, "--csv", "--cold", "--solvers",
                               "gauss-seidel,admm", NULL);
    const char *line = result.out;
    for (int k = 0; k < 2 * STEPS; k++) {
        line = next_line(line);
        assert_non_null(strstr(line, k % 2 ? ",admm,solved," : ",gauss-seidel,solved,"));
        assert_true(column_of(line, 9) == 0.0);
    }
    assert_string_equal(next_line(line), "");
    run_clear(&result);
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    while ((text = strstr(text, word)) != NULL) {
        count++;
        text++;
    }
    return count;
}

/* Four plots with a line for each of two solvers, and a row of the table for each system. */
static void the_page_holds_plots_and_table(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder(), *page = path_in(folder, "page.html");
    json_decref(record(folder));
    run result = run_expecting(0, "replay", folder, "--solvers", "gauss-seidel,admm", "--report",
                               page, NULL);
    char *text = read_bytes(page, NULL);
    assert_int_equal(count_of(text, "<svg"), 4);
    assert_int_equal(count_of(text, "</svg>"), 4);
    assert_int_equal(count_of(text, "class=\"series\""), 8);
    assert_int_equal(count_of(text, "<tr>"), 1 + 2 * STEPS);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "://"));
    assert_non_null(strstr(text, "</body></html>\n"));
    free(text);
    run_clear(&result);
}

static void what_cannot_be_replayed_is_refused(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    run_refused(3, "no-such", NULL, "replay", path_in(folder, "no-such"), NULL);
    run_refused(3, "no problem bundles in it", NULL, "replay", folder, NULL);
    json_decref(record(folder));
    run_refused(2, "no solver named 'nobody'", NULL, "replay", folder, "--solvers", "nobody", NULL);
    run_refused(3, "page.html", NULL, "replay", folder, "--report",
                path_in(folder, "nowhere/page.html"), NULL);
    run result = run_expecting(1, "replay", folder, "--solvers", "ldlt", NULL); /* of contacts */
    assert_int_equal(count_of(result.out, "can't"), STEPS);
    run_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recorded_solver_does_what_it_did_in_the_run),
        cmocka_unit_test(a_cold_replay_has_no_warm_rows),
        cmocka_unit_test(the_page_holds_plots_and_table),
        cmocka_unit_test(what_cannot_be_replayed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
