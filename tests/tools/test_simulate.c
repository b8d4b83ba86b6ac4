/* SPDX-License-Identifier: MIT */
/* saddle simulate: the output, and the exported systems, which are the systems solved. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *scene(const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "%s.json", name);
    return path_in(SADDLE_SOURCE_DIR "/examples/scenes", file);
}

static void done(run result)
{
    run_clear(&result);
}

static void assert_same_bytes(const char *a, const char *b)
{
    size_t size_a = 0, size_b = 0;
    char *bytes_a = read_bytes(a, &size_a), *bytes_b = read_bytes(b, &size_b);
    if (size_a != size_b || memcmp(bytes_a, bytes_b, size_a) != 0)
        fail_msg("%s differs from %s", a, b);
    free(bytes_a);
    free(bytes_b);
}

/* The system exported as `name`, solved by what the bundle records: solver, options, start. */
static void assert_solves_the_same(const char *folder, const char *name)
{
    const char *system = path_in(folder, name), *again = path_in(system, "again");
    const char *solution = path_in(system, "solution");
    static const char *const vectors[] = {"v.mtx", "lambda.mtx", "w.mtx"};
    assert_true(exists(system));
    done(run_expecting(0, "solve", system, "--output", again, NULL));
    for (int k = 0; k < 3; k++)
        assert_same_bytes(path_in(solution, vectors[k]), path_in(again, vectors[k]));
}

static void exported_systems_give_the_solutions_of_the_run_bit_for_bit(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *integrator;
    } runs[] = {{"pendulum", "trapezoidal"},        {"pendulum", "bridson-marino"},
                {"four-bar", "symplectic-euler"},   {"slider-crank", "symplectic-euler"},
                {"box-stack", "symplectic-euler"},  {"soft-block", "implicit-euler"},
                {"slider-crank", "implicit-euler"}, {"trebuchet", "bridson-marino"}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        const char *folder = test_scratch_folder();
        done(run_expecting(0, "simulate", scene(runs[k].name), "--integrator", runs[k].integrator,
                           "--steps", "12", "--every", "4", "--export", folder, NULL));
        assert_solves_the_same(folder, "step-000004");
        assert_solves_the_same(folder, "step-000012");
        assert_false(exists(path_in(folder, "step-000005")));
        if (strcmp(runs[k].integrator, "bridson-marino") != 0) continue;
        assert_true(exists(path_in(folder, "step-000012-second")));
    }
}

/* The command line replaces the options of the bundle, in copies of the bundle too. */
static void a_recorded_solve_yields_to_the_command_line(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder(), *copy = path_in(folder, "copy");
    const char *system = path_in(folder, "step-000004");
    done(run_expecting(0, "simulate", scene("box-stack"), "--steps", "4", "--every", "4",
                       "--solver", "gauss-seidel", "--export", folder, NULL));
    done(run_expecting(0, "convert", system, copy, NULL));
    run result = run_expecting(0, "solve", copy, NULL);
    assert_non_null(strstr(result.out, "recorded   solver gauss-seidel, tolerance 1e-08"));
    assert_non_null(strstr(result.out, "solver     gauss-seidel"));
    assert_non_null(strstr(result.out, "tolerance 1e-08\n"));
    run_clear(&result);
    result = run_expecting(0, "solve", copy, "--json", NULL);
    json_t *object = run_json(&result);
    assert_true(json_at(object, "tolerance", NULL) == 1e-8);
    json_decref(object);
    run_clear(&result);
    result = run_expecting(0, "solve", copy, "--solver", "admm", "--tol", "1e-10", NULL);
    assert_non_null(strstr(result.out, "solver     admm"));
    assert_non_null(strstr(result.out, "tolerance 1e-10\n"));
    run_clear(&result);
    result = run_expecting(1, "solve", system, "--cold", "--max-iter", "1", NULL);
    assert_non_null(strstr(result.out, "iterations 1 "));
    run_clear(&result);
}

static void contact_rows_of_exported_systems_have_names(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder();
    done(run_expecting(0, "simulate", scene("box-stack"), "--steps", "4", "--every", "4",
                       "--export", folder, NULL));
    json_t *object = json_load_file(path_in(folder, "step-000004/problem.json"), 0, NULL);
    const json_t *names = json_object_get(object, "row_names");
    int ground = 0, pair = 0;
    assert_true(json_array_size(names) >= 48);
    for (size_t k = 0; k < json_array_size(names); k++) {
        const char *name = json_string_value(json_array_get(names, k));
        assert_non_null(name);
        ground += strcmp(name, "first: normal") == 0;
        pair += strcmp(name, "first, second: tangent 2") == 0;
    }
    assert_true(ground >= 4 && pair >= 4);
    json_decref(object);
}

static void energies_and_drift_are_told_step_by_step(void **unused)
{
    (void)unused;
    run result = run_expecting(0, "simulate", scene("pendulum"), "--steps", "200", "--every", "50",
                               "--json", NULL);
    json_t *object = run_json(&result);
    const json_t *samples = json_object_get(object, "samples"),
                 *parts = json_object_get(object, "parts");
    assert_true(json_at(object, "steps", NULL) == 200 && json_at(object, "unsolved", NULL) == 0);
    assert_int_equal(json_array_size(samples), 4);
    for (size_t k = 0; k < 4; k++) {
        const json_t *sample = json_array_get(samples, k);
        assert_true(json_at(sample, "step", NULL) == 50.0 * (double)(k + 1));
        assert_true(fabs(json_at(sample, "time", NULL) - 0.05 * (double)(k + 1)) < 1e-12);
        assert_true(fabs(json_at(sample, "kinetic", NULL) + json_at(sample, "gravity", NULL)) <
                    1e-4); /* it began level, at rest */
        assert_true(json_at(sample, "drift", NULL) < 1e-10);
        assert_int_equal(json_array_size(json_object_get(sample, "momentum")), 3);
    }
    assert_int_equal(json_array_size(parts), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 0), "name")),
                        "rod");
    json_decref(object);
    run_clear(&result);
}

static void an_initial_overlap_is_told(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder();
    const char *file = path_in(folder, "overlap.json");
    write_text(folder, "overlap.json",
               "{\"format\": \"saddle-scene\", \"version\": 1, \"bodies\": [\n"
               "{\"name\": \"low\", \"shape\": \"box\", \"size\": [1, 1, 1], \"mass\": 1, "
               "\"collides\": true},\n"
               "{\"name\": \"high\", \"shape\": \"box\", \"size\": [1, 1, 1], \"mass\": 1, "
               "\"collides\": true,\n"
               "\"position\": [0, 0, 0.97]}]}\n");
    run result = run_expecting(0, "simulate", file, "--steps", "2", "--every", "1", "--json", NULL);
    json_t *object = run_json(&result);
    const json_t *samples = json_object_get(object, "samples");
    const json_t *first = json_array_get(samples, 0);
    assert_true(fabs(json_at(first, "overlap", NULL) - 0.03) < 1e-9);
    const char *note = json_string_value(json_object_get(first, "overlap_note"));
    assert_non_null(strstr(note, "'low' and body 'high' overlap by 0.03 m"));
    assert_string_equal(json_string_value(
                            json_object_get(json_array_get(samples, 1), "overlap_note")),
                        "");
    json_decref(object);
    run_clear(&result);
}

static void positions_are_told_where_they_are_asked_for(void **unused)
{
    (void)unused;
    run result = run_expecting(0, "simulate", scene("trebuchet"), "--steps", "4", "--every", "2",
                               "--json", "--positions", NULL);
    json_t *object = run_json(&result);
    const json_t *samples = json_object_get(object, "samples");
    assert_int_equal(json_array_size(samples), 2);
    for (size_t k = 0; k < 2; k++) {
        const json_t *parts = json_object_get(json_array_get(samples, k), "parts");
        assert_int_equal(json_array_size(parts), 3);
        /* the counterweight has just begun to fall */
        const json_t *x = json_object_get(json_array_get(parts, 0), "position");
        assert_true(fabs(json_number_value(json_array_get(x, 2)) - 1.5) < 1e-2);
    }
    assert_true(json_equal(json_object_get(json_array_get(samples, 1), "parts"),
                           json_object_get(object, "parts")));
    json_decref(object);
    run_clear(&result);
}

static void a_step_that_is_not_solved_shows_in_the_exit_code(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder();
    write_text(
        folder, "hard.json",
        "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [0, 0, -9.81], \"tolerance\": "
        "1e-15,\n"
        "\"solver\": \"gauss-seidel\", \"max_iterations\": 2,\n"
        "\"bodies\": [{\"name\": \"box\", \"shape\": \"box\", \"size\": [1, 1, 1], \"mass\": 1, "
        "\"position\": "
        "[0, 0, 0.5],\n"
        "\"velocity\": [1, 0.3, 0], \"collides\": true}], \"shapes\": [{\"kind\": \"plane\"}]}\n");
    run result = run_expecting(1, "simulate", path_in(folder, "hard.json"), "--steps", "3", NULL);
    assert_non_null(strstr(result.out, "iteration limit"));
    run_clear(&result);
}

static void a_diverging_run_ends_before_an_energy_is_infinite(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder();
    write_text(folder, "wild.json",
               "{\"format\": \"saddle-scene\", \"version\": 1, \"time_step\": 0.1, \"integrator\": "
               "\"explicit-euler\",\n"
               "\"particles\": [{\"name\": \"dot\", \"mass\": 1, \"position\": [0, 0, 1]}],\n"
               "\"springs\": [{\"a\": \"dot\", \"stiffness\": 1e9, \"rest_length\": 0.5}]}\n");
    run result = run_expecting(3, "simulate", path_in(folder, "wild.json"), "--steps", "500", NULL);
    assert_null(strstr(result.out, "inf"));
    assert_null(strstr(result.out, "nan"));
    assert_non_null(strstr(result.err, "step 28, to time 2.8 s: the velocity of particle 'dot'"));
    run_clear(&result);
}

/* A motor turns what a fixed joint holds. */
static void rows_that_contradict_each_other_are_named(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder();
    write_text(
        folder, "stuck.json",
        "{\"format\": \"saddle-scene\", \"version\": 1,\n"
        "\"bodies\": [{\"name\": \"wheel\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1}],\n"
        "\"joints\": [{\"name\": \"weld\", \"b\": \"wheel\"},\n"
        "{\"name\": \"drive\", \"kind\": \"hinge\", \"b\": \"wheel\", \"free\": [{\"motor\": "
        "{\"target\": 1}}]}]}\n");
    run result = run_expecting(1, "simulate", path_in(folder, "stuck.json"), "--steps", "3", NULL);
    assert_non_null(strstr(result.out, "step 1 was the first of them: "));
    assert_non_null(strstr(result.out, "weld[5])"));
    assert_non_null(strstr(result.out, "drive[5])"));
    assert_non_null(strstr(result.out, "contradict each other"));
    run_clear(&result);
    result = run_expecting(1, "simulate", path_in(folder, "stuck.json"), "--steps", "3", "--json",
                           NULL);
    assert_non_null(strstr(result.out, "contradict each other"));
    run_clear(&result);
}

/* A number printed with more digits than it takes is another text than the shortest that reads
 * back. */
static void numbers_are_printed_with_the_fewest_digits(void **unused)
{
    (void)unused;
    run result = run_expecting(0, "simulate", scene("pendulum"), "--steps", "3", "--json", NULL);
    assert_non_null(strstr(result.out, "\"time\": 0.003,"));
    int numbers = 0;
    for (const char *at = result.out; (at = strpbrk(at, "-0123456789")) != NULL; numbers++) {
        char text[32];
        const size_t length = strspn(at, "-+.e0123456789");
        const double value = strtod(at, NULL);
        const int least = snprintf(text, sizeof text, "%.15g", value);
        assert_true(length <= 26);
        if (strtod(text, NULL) == value)
            assert_true(length <= (size_t)least + 2); /* .0 of a whole number */
        at += length;
    }
    assert_true(numbers > 50);
    run_clear(&result);
}

static void what_is_wrong_is_refused(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder();
    run_refused(3, "nowhere.json", NULL, "simulate", path_in(folder, "nowhere.json"), NULL);
    write_text(folder, "odd.json",
               "{\"format\": \"saddle-scene\", \"version\": 1,\n\"bodys\": []}\n");
    run_refused(3, "odd.json:2: ", "unknown field \"bodys\"", "simulate",
                path_in(folder, "odd.json"), NULL);
    run_refused(2, "--integrator", NULL, "simulate", scene("pendulum"), "--integrator", "magic",
                NULL);
    run_refused(2, "--every", NULL, "simulate", scene("pendulum"), "--every", "0", NULL);
    run_refused(2, NULL, NULL, "simulate", NULL);
    write_text(folder, "loose.json",
               "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [1e300, 0, 0],\n"
               "\"bodies\": [{\"name\": \"stone\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": "
               "1e300}]}\n");
    run result = run_expecting(3, "simulate", path_in(folder, "loose.json"), "--steps", "2", NULL);
    assert_non_null(strstr(result.err, "\"gravity\"[0] is 1e+300"));
    run_clear(&result);
    run_refused(2, "--time-step", NULL, "simulate", scene("pendulum"), "--time-step", "-1", NULL);
    write_text(folder, "file", "in the way");
    run_refused(3, "file", NULL, "simulate", scene("pendulum"), "--export", path_in(folder, "file"),
                "--steps", "2", NULL);
    write_text(folder, "step-000002", "in the way");
    result = run_expecting(3, "simulate", scene("pendulum"), "--steps", "3", "--export", folder,
                           NULL);
    assert_non_null(strstr(result.err, "step-000002: cannot be written"));
    run_clear(&result);
}

/* The run ends where the disk is full, and says so. */
static void a_table_that_finds_no_room_ends_the_run(void **unused)
{
    (void)unused;
    if (!exists("/dev/full")) skip();
    run result = run_expecting(3, "simulate", scene("pendulum"), "--steps", "100000", "--every",
                               "100", "--csv", "/dev/full", NULL);
    assert_string_equal(result.err, "saddle: /dev/full: cannot be written: No space left on "
                                    "device\n");
    assert_null(strstr(result.out, "\n   50000 "));
    run_clear(&result);
}

/* ---- the page ---- */

/* The JSON object between the tags of the page's data; the page holds no address of a network. */
static json_t *data_of(const char *path)
{
    size_t size = 0;
    char *page = read_bytes(path, &size);
    static const char head[] = "<script id=\"data\" type=\"application/json\">";
    char *begin = strstr(page, head);
    assert_non_null(begin);
    begin += sizeof head - 1;
    char *end = strstr(begin, "</script>");
    assert_non_null(end);
    assert_null(strstr(page, "://"));
    assert_non_null(strstr(end, "</html>"));
    json_t *data = json_loadb(begin, (size_t)(end - begin), JSON_DECODE_ANY, NULL);
    assert_non_null(data);
    free(page);
    return data;
}

static unsigned digit_of(char c)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digit, c);
    return c && at ? (unsigned)(at - digit) : 0;
}

/* The k-th 32-bit number of a text in base 64 */
static float number_at(const char *text, int64_t k)
{
    unsigned char bytes[4];
    float x;
    for (int i = 0; i < 4; i++) {
        const int64_t at = 4 * k + i;
        const char *four = text + at / 3 * 4;
        const unsigned three = digit_of(four[0]) << 18 | digit_of(four[1]) << 12 |
                               digit_of(four[2]) << 6 | digit_of(four[3]);
        bytes[i] = (unsigned char)(three >> (16 - 8 * (at % 3)));
    }
    memcpy(&x, bytes, sizeof x);
    return x;
}

static void the_page_has_the_motion_of_the_run(void **unused)
{
    (void)unused;
    const char *page = path_in(test_scratch_folder(), "run.html");
    run result = run_expecting(0, "simulate", scene("box-stack"), "--steps", "20", "--json",
                               "--positions", "--view", page, NULL);
    json_t *printed = run_json(&result), *samples = json_object_get(printed, "samples");
    json_t *data = data_of(page), *parts = json_object_get(data, "parts");
    const char *positions = json_string_value(json_object_get(data, "positions"));
    assert_int_equal(json_array_size(json_object_get(data, "time")), 21);
    assert_int_equal(json_array_size(parts), 4);
    assert_int_equal(strlen(positions), (21 * 4 * 7 * 4 + 2) / 3 * 4);
    for (size_t step = 0; step < 20; step++)
        for (size_t part = 0; part < 4; part++) {
            json_t *one = json_array_get(json_object_get(json_array_get(samples, step), "parts"),
                                         part);
            json_t *x = json_object_get(one, "position"), *q = json_object_get(one, "rotation");
            for (size_t i = 0; i < 7; i++) {
                const double is = number_at(positions, (int64_t)((step + 1) * 28 + part * 7 + i));
                const double was = json_number_value(i < 3 ? json_array_get(x, i)
                                                           : json_array_get(q, i - 3));
                assert_true(fabs(is - was) <= 1e-6 * (1.0 + fabs(was)));
            }
        }
    json_t *ends = json_object_get(data, "arrowEnd");
    assert_true(json_integer_value(json_array_get(ends, 20)) >= 20);
    json_decref(data);
    json_decref(printed);
    run_clear(&result);
}

/* A weight at rest below its hinge: the hinge carries its weight. */
static void expect_reaction(const char *form)
{
    char text[600];
    const char *test_folder = test_scratch_folder(), *page = path_in(test_folder, "run.html");
    const char *path = path_in(test_folder, "hanging.json");
    snprintf(text, sizeof text,
             "{\"format\":\"saddle-scene\",\"version\":1,\"gravity\":[0,0,-10],"
             "\"joint_form\":\"%s\","
             "\"bodies\":[{\"name\":\"weight\",\"shape\":\"box\",\"size\":[1,1,1],"
             "\"mass\":3,\"position\":[0,0,-1]}],"
             "\"joints\":[{\"name\":\"hook\",\"kind\":\"hinge\",\"a\":\"ground\","
             "\"b\":\"weight\",\"at\":[0,0,0],\"axis\":[0,1,0]}]}",
             form);
    write_text(test_folder, "hanging.json", text);
    done(run_expecting(0, "simulate", path, "--steps", "5", "--view", page, "--csv",
                       path_in(test_folder, "run.csv"), "--vtk", path_in(test_folder, "vtk"),
                       NULL));
    json_t *data = data_of(page), *link = json_array_get(json_object_get(data, "links"), 0);
    const char *positions = json_string_value(json_object_get(data, "positions"));
    assert_string_equal(json_string_value(json_object_get(link, "name")), "hook");
    assert_string_equal(json_string_value(json_object_get(link, "kind")), "hinge");
    const double expected[] = {0, 0, 0, 0, 0, 0, 0, 0, 30}; /* two points, the force */
    for (int i = 0; i < 9; i++)
        assert_true(fabs((double)number_at(positions, 5 * 16 + 7 + i) - expected[i]) < 1e-5);
    json_decref(data);
}

static void the_page_has_reactions_at_the_joints(void **unused)
{
    (void)unused;
    expect_reaction("rows");
    expect_reaction("coordinates");
}

/* 2,400 particles in 600 frames would be 23 MB. */
static void a_large_page_is_thinned(void **unused)
{
    (void)unused;
    const char *page = path_in(test_scratch_folder(), "run.html");
    const char *path = path_in(test_scratch_folder(), "gas.json");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"format\":\"saddle-scene\",\"version\":1,\"particles\":[", file);
    for (int k = 0; k < 2400; k++)
        fprintf(file, "%s{\"name\":\"p%d\",\"mass\":1,\"position\":[%d,0,0]}", k ? "," : "", k, k);
    fputs("]}", file);
    assert_int_equal(fclose(file), 0);
    done(run_expecting(0, "simulate", path, "--steps", "599", "--every", "599", "--view", page,
                       NULL));
    size_t size = 0;
    free(read_bytes(page, &size));
    assert_in_range(size, 8000000, 20000000);
    json_t *data = data_of(page), *time = json_object_get(data, "time");
    const size_t frames = json_array_size(time);
    assert_in_range(frames, 290, 310);
    for (size_t k = 0; k + 1 < frames; k++)
        assert_true(fabs(json_number_value(json_array_get(time, k)) - 0.02 * (double)k) < 1e-5);
    assert_true(fabs(json_number_value(json_array_get(time, frames - 1)) - 5.99) < 1e-5);
    json_decref(data);
}

/* 1,300 steps make some hundred frames, the last step among them. */
static void long_runs_are_thinned_and_end_at_the_end(void **unused)
{
    (void)unused;
    const char *page = path_in(test_scratch_folder(), "run.html");
    done(run_expecting(0, "simulate", scene("pendulum"), "--steps", "1300", "--every", "1300",
                       "--view", page, NULL));
    json_t *data = data_of(page), *time = json_object_get(data, "time");
    const size_t frames = json_array_size(time);
    assert_in_range(frames, 300, 601);
    assert_true(fabs(json_number_value(json_array_get(time, frames - 1)) - 1.3) < 1e-9);
    json_decref(data);
}

static void names_cannot_leave_the_data(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder(), *page = path_in(folder, "run.html");
    write_text(
        folder, "scene.json",
        "{\"format\": \"saddle-scene\", \"version\": 1, \"name\": \"</script><b>\\u0007 \\\\\", "
        "\"particles\": [{\"name\": \"<!-- \\\"a\\\"\", \"mass\": 1}]}");
    done(run_expecting(0, "simulate", path_in(folder, "scene.json"), "--steps", "2", "--view", page,
                       NULL));
    json_t *data = data_of(page);
    assert_string_equal(json_string_value(json_object_get(data, "name")), "</script><b>\a \\");
    json_t *part = json_array_get(json_object_get(data, "parts"), 0);
    assert_string_equal(json_string_value(json_object_get(part, "name")), "<!-- \"a\"");
    json_decref(data);
    run_refused(3, "no-such-folder", "", "simulate", scene("pendulum"), "--view",
                path_in(folder, "no-such-folder/x.html"), NULL);
}

/* A run that fails makes no page, and leaves an older one, behind a link too. */
static void pages_of_failed_runs_are_not_written(void **unused)
{
    (void)unused;
    const char *folder = test_scratch_folder(), *page = path_in(folder, "run.html"),
               *older = path_in(folder, "older.html"), *link = path_in(folder, "link.html");
    write_text(folder, "older.html", "older");
    assert_int_equal(symlink(older, link), 0);
    write_text(folder, "step-000002", "in the way");
    const char *const each[] = {page, older, link};
    for (int k = 0; k < 3; k++)
        done(run_expecting(3, "simulate", scene("pendulum"), "--steps", "3", "--export", folder,
                           "--view", each[k], NULL));
    assert_int_equal(access(page, F_OK), -1);
    size_t size = 0;
    char *text = read_bytes(older, &size);
    assert_true(size == 5 && memcmp(text, "older", 5) == 0);
    free(text);
    done(run_expecting(0, "simulate", scene("pendulum"), "--steps", "3", "--view", link, NULL));
    free(read_bytes(older, &size));
    assert_true(size > 1000);
    json_decref(data_of(link));
}

/* A model of another program runs as the scene it is converted to. */
static void a_model_is_stepped_as_its_scene(void **unused)
{
    (void)unused;
#ifdef SADDLE_HAVE_XML
    static const char *const models[] = {"arm.xml", "gripper.urdf"};
    for (int k = 0; k < 2; k++) {
        const char *model = path_in(SADDLE_SOURCE_DIR "/examples/models", models[k]);
        const char *converted = path_in(test_scratch_folder(), "scene.json");
        done(run_expecting(0, "convert", model, converted, NULL));
        run direct = run_expecting(0, "simulate", model, "--steps", "20", NULL),
            scene_run = run_expecting(0, "simulate", converted, "--steps", "20", NULL);
        assert_string_equal(direct.out, scene_run.out);
        done(direct);
        done(scene_run);
    }
#else
    skip();
#endif
}

static void what_a_model_has_beyond_a_scene_is_listed(void **unused)
{
    (void)unused;
#ifdef SADDLE_HAVE_XML
    const char *folder = test_scratch_folder();
    write_text(folder, "m.xml",
               "<mujoco><visual/>\n<worldbody><body><joint type='ball' armature='1'/><geom "
               "size='1'/></body>\n"
               "<geom type='hfield' hfield='h'/></worldbody></mujoco>");
    const char *model = path_in(folder, "m.xml"), *converted = path_in(folder, "m.json");
    run result = run_expecting(4, "convert", model, converted, NULL);
    assert_false(exists(converted));
    assert_non_null(strstr(result.err, "note: "));
    assert_non_null(strstr(result.err, "m.xml:1: visual: without mechanical effect"));
    assert_non_null(strstr(result.err, "m.xml:2: joint: armature"));
    assert_non_null(strstr(result.err, "m.xml:3: geom: contact of a hfield"));
    done(result);
    result = run_expecting(0, "convert", model, converted, "--skip-unsupported", NULL);
    assert_true(exists(converted));
    assert_non_null(strstr(result.err, "left out: "));
    done(result);
    run_refused(3, "absent.xml", "No such file", "simulate", path_in(folder, "absent.xml"), NULL);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exported_systems_give_the_solutions_of_the_run_bit_for_bit),
        cmocka_unit_test(a_recorded_solve_yields_to_the_command_line),
        cmocka_unit_test(contact_rows_of_exported_systems_have_names),
        cmocka_unit_test(energies_and_drift_are_told_step_by_step),
        cmocka_unit_test(an_initial_overlap_is_told),
        cmocka_unit_test(positions_are_told_where_they_are_asked_for),
        cmocka_unit_test(a_step_that_is_not_solved_shows_in_the_exit_code),
        cmocka_unit_test(a_diverging_run_ends_before_an_energy_is_infinite),
        cmocka_unit_test(rows_that_contradict_each_other_are_named),
        cmocka_unit_test(numbers_are_printed_with_the_fewest_digits),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_table_that_finds_no_room_ends_the_run),
        cmocka_unit_test(the_page_has_the_motion_of_the_run),
        cmocka_unit_test(the_page_has_reactions_at_the_joints),
        cmocka_unit_test(a_large_page_is_thinned),
        cmocka_unit_test(long_runs_are_thinned_and_end_at_the_end),
        cmocka_unit_test(names_cannot_leave_the_data),
        cmocka_unit_test(pages_of_failed_runs_are_not_written),
        cmocka_unit_test(a_model_is_stepped_as_its_scene),
        cmocka_unit_test(what_a_model_has_beyond_a_scene_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
