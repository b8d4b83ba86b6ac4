/* SPDX-License-Identifier: MIT */
/* Solution folders and JSON reports. */
#include "files_support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/solution_file.h"
#include "saddle/files.h"

#define ARRAY "%%MatrixMarket matrix array real general\n"

static void draw_solution(saddle_context *context, uint64_t *state, saddle_solution *solution)
{
    int64_t n = test_integer(state, 0, 12), m = test_integer(state, 0, 12);
    assert_int_equal(saddle_solution_create(context, n, m, solution), SADDLE_OK);
    for (int64_t i = 0; i < n; i++) solution->v[i] = draw_bits(state);
    for (int64_t i = 0; i < m; i++) {
        solution->lambda[i] = draw_bits(state);
        solution->w[i] = draw_bits(state);
    }
}

static saddle_report full_report(void)
{
    return (saddle_report){
        .solver = "gauss-seidel",
        .status = SADDLE_TIME_LIMIT,
        .n = INT64_MAX,
        .m = 4,
        .contacts = 1,
        .iterations = 100,
        .pivots = 2,
        .warm_rows = 6,
        .factorizations = 3,
        .refinements = 5,
        .perturbed_pivots = 7,
        .residual = {.dynamics = 0.1,
                     .rows = 5e-324,
                     .cone = 1.7976931348623157e308,
                     .total = INF,
                     .natural_map = 3.0},
        .seconds = {0.25, 1e-9, (double)NAN, 0},
        .backward_error = 1e-17,
        .condition = 1e12,
        .scaled_condition = 2e5,
        .growth = (double)NAN,
        .flops = 1.35e10,
        .factor_entries = 8765432109876,
        .inertia = {1, 10, 4, 0},
        .peak_bytes = 123456789012345,
        .note = "auto: \"because\"\n\xff of \xc3\xa9",
    };
}

static void drawn_solutions_read_back_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const char *folder = test_scratch_folder();
    char path[4096];
    snprintf(path, sizeof path, "%s/s", folder);
    saddle_report report = full_report();
    for (int i = 0; i < 1000; i++) {
        saddle_solution a, b;
        draw_solution(context, &state, &a);
        if (saddle_solution_write(context, path, &a, i % 2 ? &report : NULL) != SADDLE_OK)
            fail_msg("%s", saddle_context_message(context));
        if (saddle_solution_read(context, path, &b) != SADDLE_OK)
            fail_msg("%s", saddle_context_message(context));
        assert_true(a.n == b.n && a.m == b.m);
        assert_same_bits(a.v, b.v, a.n);
        assert_same_bits(a.lambda, b.lambda, a.m);
        assert_same_bits(a.w, b.w, a.m);
        assert_int_equal(exists(join(path, "report.json")), i % 2); /* none is left over from
                                                                       before */
        assert_int_equal(count_entries(folder), 1);
        saddle_solution_clear(&a);
        saddle_solution_clear(&b);
    }
    saddle_context_free(context);
}

static void drawn_certificates_read_back_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const char *path = test_scratch_folder();
    for (int i = 0; i < 100; i++) {
        saddle_solution x;
        saddle_certificate a;
        saddle_certificate b;
        draw_solution(NULL, &state, &x);
        assert_int_equal(saddle_certificate_create(NULL, x.n, x.m, &a), SADDLE_OK);
        for (int64_t j = 0; j < a.n; j++) a.velocity[j] = test_uniform(&state, -1.0, 1.0);
        for (int64_t j = 0; j < a.m; j++) a.row[j] = test_uniform(&state, -1.0, 1.0);
        assert_int_equal(saddle_solution_write_proven(NULL, join(path, "s"), &x, NULL,
                                                      i % 2 ? &a : NULL),
                         SADDLE_OK);
        assert_int_equal(saddle_certificate_read(NULL, join(path, "s"), x.n, x.m, &b), SADDLE_OK);
        assert_true(i % 2 ? b.n == a.n && b.m == a.m : !b.velocity && !b.row);
        if (i % 2) assert_same_bits(a.velocity, b.velocity, a.n);
        if (i % 2) assert_same_bits(a.row, b.row, a.m);
        saddle_certificate_clear(&b);
        if (i % 2)
            assert_int_equal(saddle_certificate_read(NULL, join(path, "s"), x.n, x.m + 1, &b),
                             SADDLE_BAD_FILE);
        assert_true(!b.velocity && !b.row);
        saddle_certificate_clear(&a);
        saddle_solution_clear(&x);
    }
}

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void a_report_is_one_json_object_with_every_key(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_report report = full_report();
    char *text;
    assert_int_equal(saddle_report_to_json(context, &report, &text), SADDLE_OK);
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root) fail_msg("line %d: %s\n%s", error.line, error.text, text);
    assert_int_equal(json_object_size(root), 24);
    assert_string_equal(json_string_value(json_object_get(root, "solver")), "gauss-seidel");
    assert_string_equal(json_string_value(json_object_get(root, "status")), "SADDLE_TIME_LIMIT");
    static const struct {
        const char *key;
        int64_t value;
    } integers[] = {{"n", INT64_MAX},
                    {"m", 4},
                    {"contacts", 1},
                    {"iterations", 100},
                    {"pivots", 2},
                    {"warm_rows", 6},
                    {"factorizations", 3},
                    {"refinements", 5},
                    {"perturbed_pivots", 7},
                    {"factor_entries", 8765432109876},
                    {"peak_bytes", 123456789012345}};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        assert_true(json_is_integer(json_object_get(root, integers[i].key)));
        assert_int_equal(json_integer_value(json_object_get(root, integers[i].key)),
                         integers[i].value);
    }
    const json_t *residual = json_object_get(root, "residual"),
                 *seconds = json_object_get(root, "seconds");
    assert_int_equal(json_object_size(residual), 11);
    assert_true(number_at(residual, "dynamics") == 0.1 && number_at(residual, "rows") == 5e-324);
    assert_true(number_at(residual, "cone") == 1.7976931348623157e308 &&
                number_at(residual, "natural_map") == 3);
    assert_true(json_is_null(json_object_get(residual, "total"))); /* infinite */
    assert_int_equal(json_object_size(seconds), 4);
    assert_true(number_at(seconds, "read") == 0.25 && number_at(seconds, "analyse") == 1e-9);
    assert_true(json_is_null(json_object_get(seconds, "factor")) &&
                number_at(seconds, "solve") == 0);
    assert_true(number_at(root, "backward_error") == 1e-17 && number_at(root, "condition") == 1e12);
    assert_true(number_at(root, "scaled_condition") == 2e5 && number_at(root, "flops") == 1.35e10);
    assert_true(json_is_null(json_object_get(root, "growth"))); /* not known */
    const json_t *inertia = json_object_get(root, "inertia");
    assert_true(number_at(inertia, "positive") == 10 && number_at(inertia, "negative") == 4 &&
                number_at(inertia, "zero") == 0);
    assert_string_equal(json_string_value(json_object_get(root, "note")),
                        "auto: \"because\"\n\xc3\xbf of \xc3\xa9");
    json_decref(root);
    saddle_release(context, text);

    report.inertia.known = 0;
    assert_int_equal(saddle_report_to_json(context, &report, &text), SADDLE_OK);
    assert_non_null(strstr(text, "\"inertia\": null"));
    saddle_release(context, text);
    saddle_context_free(context);
}

static void bad_solutions_are_refused_and_named(void **unused)
{
    (void)unused;
    static const struct {
        const char *v, *lambda, *w;
        saddle_status status;
        const char *message;
    } cases[] = {
        {NULL, ARRAY "1 1\n1\n", ARRAY "1 1\n1\n", SADDLE_FILE_ERROR,
         "s: not a solution: there is no s/v.mtx"},
        {ARRAY "1 1\n1\n", NULL, ARRAY "1 1\n1\n", SADDLE_FILE_ERROR, "there is no s/lambda.mtx"},
        {ARRAY "1 1\n1\n", ARRAY "1 1\n1\n", NULL, SADDLE_FILE_ERROR, "there is no s/w.mtx"},
        {ARRAY "1 2\n1\n2\n", ARRAY "1 1\n1\n", ARRAY "1 1\n1\n", SADDLE_BAD_FILE, "x 1 is needed"},
        {ARRAY "1 1\n1\n", ARRAY "2 1\n1\n2\n", ARRAY "1 1\n1\n", SADDLE_BAD_FILE,
         "s/w.mtx: 1 x 1, but 2 x 1 is needed"},
        {ARRAY "1 1\nnan\n", ARRAY "1 1\n1\n", ARRAY "1 1\n1\n", SADDLE_BAD_FILE,
         "s/v.mtx:3: value: 'nan' is not finite"},
        {ARRAY "1 1\n1\n", ARRAY "1 1\ninf\n", ARRAY "1 1\n1\n", SADDLE_BAD_FILE,
         "s/lambda.mtx:3: value: 'inf'"},
        {ARRAY "1 1\n1\n", ARRAY "1 1\n1\n", ARRAY "2 1\n1.5\n", SADDLE_BAD_FILE,
         "s/w.mtx: 2 x 1, but 1 x 1 is needed"},
        {"", ARRAY "1 1\n1\n", ARRAY "1 1\n1\n", SADDLE_BAD_FILE,
         "s/v.mtx:1: no number in the file"},
    };
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t before = saddle_context_memory(context).bytes;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const texts[] = {cases[i].v, cases[i].lambda, cases[i].w};
        static const char *const names[] = {"v.mtx", "lambda.mtx", "w.mtx"};
        saddle__source_text list[4] = {{0}};
        int count = 0;
        for (int k = 0; k < 3; k++)
            if (texts[k])
                list[count++] = (saddle__source_text){names[k], texts[k],
                                                      (int64_t)strlen(texts[k])};
        saddle__source source = saddle__source_texts(context, list, "s");
        saddle_solution solution;
        assert_int_equal(saddle__solution_parse(&source, &solution), cases[i].status);
        saddle__source_close(&source);
        assert_message(context, cases[i].message);
        assert_true(solution.n == 0 && solution.m == 0 && !solution.v && !solution.lambda &&
                    !solution.w);
        assert_int_equal(saddle_context_memory(context).bytes, before);
    }
    saddle_context_free(context);
}

/* Where there is a Python with scipy, by its reader too. */
static void vectors_of_length_zero_are_read_by_other_readers(void **unused)
{
    (void)unused;
    char folder[1024], command[2048];
    saddle_solution none, back;
    snprintf(folder, sizeof folder, "%s", join(test_scratch_folder(), "none"));
    assert_int_equal(saddle_solution_create(NULL, 0, 0, &none), SADDLE_OK);
    assert_int_equal(saddle_solution_write(NULL, folder, &none, NULL), SADDLE_OK);
    assert_int_equal(saddle_solution_read(NULL, folder, &back), SADDLE_OK);
    assert_true(back.n == 0 && back.m == 0);
    saddle_solution_clear(&none);
    saddle_solution_clear(&back);
    snprintf(command, sizeof command,
             "cd '%s' || exit 1\nPATH=/usr/bin:$PATH\ncommand -v python3 >/dev/null || exit 77\n"
             "python3 -c \"\ntry: import scipy.io\nexcept ImportError: raise SystemExit(77)\n"
             "assert all(scipy.io.mmread(k).shape == (0, 1) "
             "for k in ('v.mtx', 'lambda.mtx', 'w.mtx'))\"",
             folder);
    const int status = system(command);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
}

static void a_solution_replaces_a_solution_and_nothing_else(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_solution solution;
    assert_int_equal(saddle_solution_create(context, 2, 1, &solution), SADDLE_OK);
    const char *folder = test_scratch_folder();
    assert_int_equal(mkdir(join(folder, "other"), 0755), 0);
    write_text(join(folder, "other/v.mtx"), "mine");
    assert_int_equal(saddle_solution_write(context, join(folder, "other"), &solution, NULL),
                     SADDLE_FILE_ERROR);
    assert_message(context, "not a saddle solution");
    char *kept = read_text(join(folder, "other/v.mtx"));
    assert_string_equal(kept, "mine");
    free(kept);
    solution.v[1] = (double)NAN; /* no reader would take it back */
    assert_int_equal(saddle_solution_write(context, join(folder, "s"), &solution, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_message(context, "row 2, column 1 is not a number");
    assert_int_equal(count_entries(folder), 1);
    saddle_solution_clear(&solution);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_solutions_read_back_bit_for_bit),
        cmocka_unit_test(drawn_certificates_read_back_bit_for_bit),
        cmocka_unit_test(a_report_is_one_json_object_with_every_key),
        cmocka_unit_test(bad_solutions_are_refused_and_named),
        cmocka_unit_test(vectors_of_length_zero_are_read_by_other_readers),
        cmocka_unit_test(a_solution_replaces_a_solution_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
