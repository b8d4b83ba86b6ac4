/* SPDX-License-Identifier: MIT */
/* Result files of saddle bench: gone on with after a kill, refused where changed; sets; profiles
 * and comparisons of made-up results, whose values are computed by hand. */
#include "run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A copy of a name: names of scratch folders are overwritten later. */
static const char *fresh_file(const char *name)
{
    static char path[16][1024];
    static int turn;
    char *here = path[turn++ % 16];
    snprintf(here, sizeof path[0], "%s/%s", test_scratch_folder(), name);
    return here;
}

static int64_t count_of(const char *text, const char *what)
{
    int64_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) count++;
    return count;
}

static int64_t runs_in(const char *path)
{
    char *text = read_bytes(path, NULL);
    const int64_t count = count_of(text, "{\"line\":\"run\",");
    free(text);
    return count;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void memory_of(int64_t *bytes, const char *file, const char *first, const char *second)
{
    const char *path = fresh_file(file), *member = "\"memory\":";
    run done = run_expecting(0, "bench", first, second, "--results", path, NULL);
    run_clear(&done);
    char *text = read_bytes(path, NULL), *at = text;
    for (int k = 0; k < 2; k++) {
        at = strstr(at, member);
        assert_non_null(at);
        at += strlen(member);
        bytes[k] = strtoll(at, NULL, 10);
    }
    free(text);
}

static void memory_is_that_of_the_run(void **state)
{
    (void)state;
    const char *small = fresh_file("small"), *large = fresh_file("large");
    run made = run_expecting(0, "convert", grid(4), small, NULL);
    run_clear(&made);
    made = run_expecting(0, "convert", grid(20), large, NULL);
    run_clear(&made);
    int64_t up[2], down[2];
    memory_of(up, "up.jsonl", small, large);
    memory_of(down, "down.jsonl", large, small);
    assert_int_equal(up[0], down[1]);
    assert_int_equal(up[1], down[0]);
    assert_true(up[0] > 0 && up[0] < up[1]);
}

/* ---- going on ---- */

static run measure(int code, const char *path, const char *repeat)
{
    return run_expecting(code, "bench", two_rods(), bounded(), "--solvers", "auto,gauss-seidel",
                         "--repeat", repeat, "--results", path, "--csv", NULL);
}

/* One problem, so that paths are equal from run to run. */
static run measure_one(int code, const char *problem, const char *path, const char *repeat)
{
    return run_expecting(code, "bench", problem, "--solvers", "auto,gauss-seidel", "--repeat",
                         repeat, "--results", path, NULL);
}

static void a_file_is_gone_on_with(void **state)
{
    (void)state;
    const char *path = fresh_file("a.jsonl"), *problem = fresh_file("grid");
    run made = run_expecting(0, "convert", grid(6), problem, NULL);
    run first = measure_one(0, problem, path, "2");
    size_t size, again_size;
    char *before = read_bytes(path, &size);
    assert_int_equal(runs_in(path), 4);
    run same = measure_one(0, problem, path, "2"); /* nothing is left to do */
    assert_string_equal(same.out, first.out);
    char *again = read_bytes(path, &again_size);
    assert_int_equal(again_size, size);
    free(again);
    run more = measure_one(0, problem, path, "5");
    again = read_bytes(path, &again_size);
    assert_true(again_size > size && memcmp(again, before, size) == 0);
    assert_int_equal(runs_in(path), 10);
    assert_int_equal(count_of(again, "{\"line\":\"head\","), 1);
    assert_int_equal(count_of(again, "{\"line\":\"problem\","), 1);
    free(again);
    free(before);
    run_clear(&made);
    run_clear(&first);
    run_clear(&same);
    run_clear(&more);
}

/* Cut behind any byte: what is whole is kept, what is cut is measured again, nothing twice. */
static void a_file_cut_anywhere_is_gone_on_with(void **state)
{
    (void)state;
    const char *path = fresh_file("a.jsonl"), *problem = fresh_file("grid");
    run made = run_expecting(0, "convert", grid(4), problem, NULL);
    run first = measure_one(0, problem, path, "2");
    size_t size;
    uint64_t seed = 24;
    char *whole = read_bytes(path, &size);
    for (int64_t k = test_draws(40); k > 0; k--) {
        const size_t kept = (size_t)test_integer(&seed, 20, (int64_t)size - 1);
        const int cut = whole[kept - 1] != '\n';
        write_bytes(path, whole, kept);
        run result = measure_one(0, problem, path, "2");
        assert_int_equal(runs_in(path), 4);
        char *text = read_bytes(path, NULL);
        assert_int_equal(count_of(text, "{\"line\":\"head\","), 1);
        assert_int_equal(count_of(text, "{\"line\":\"problem\","), 1);
        free(text);
        assert_int_equal(strstr(result.err, "cut") != NULL, cut);
        run_clear(&result);
    }
    free(whole);
    run_clear(&made);
    run_clear(&first);
}

static void a_changed_file_is_refused_and_left_alone(void **state)
{
    (void)state;
    const char *path = fresh_file("a.jsonl"), *problem = fresh_file("grid");
    run made = run_expecting(0, "convert", grid(4), problem, NULL);
    run first = measure_one(0, problem, path, "2");
    size_t size;
    uint64_t seed = 25;
    char *whole = read_bytes(path, &size);
    for (int64_t k = test_draws(40); k > 0; k--) {
        const size_t at = (size_t)test_integer(&seed, 0, (int64_t)size - 2);
        const char was = whole[at];
        if (was == '\n') continue;
        whole[at] = was == '7' ? '8' : '7';
        write_bytes(path, whole, size);
        run_refused(3, "a.jsonl:", NULL, "bench", problem, "--results", path, NULL);
        run_refused(3, "a.jsonl:", NULL, "bench", "--results", path, NULL);
        run_refused(3, "a.jsonl:", NULL, "bench", "--compare", path, path, NULL);
        size_t left;
        char *after = read_bytes(path, &left);
        assert_true(left == size && memcmp(after, whole, size) == 0);
        free(after);
        whole[at] = was;
    }
    free(whole);
    run_clear(&made);
    run_clear(&first);
}

static void a_file_of_others_is_refused(void **state)
{
    (void)state;
    const char *path = fresh_file("a.jsonl"), *text = path_in(test_scratch_folder(), "notes");
    run first = measure(0, path, "1");
    run_refused(2, "options", "--mixed", "bench", two_rods(), "--results", path, "--friction",
                "box", NULL);
    assert_int_equal(runs_in(path), 4);
    run mixed = run_expecting(0, "bench", two_rods(), "--results", path, "--friction", "box",
                              "--mixed", NULL);
    char *bytes = read_bytes(path, NULL);
    assert_int_equal(count_of(bytes, "{\"line\":\"head\","), 2);
    free(bytes);
    run compared = run_expecting(0, "bench", "--compare", path, path, NULL);
    assert_non_null(strstr(compared.err, "mixed"));
    write_bytes(text, "my notes\n", 9);
    run_refused(3, "not a result file", NULL, "bench", two_rods(), "--results", text, NULL);
    bytes = read_bytes(text, NULL);
    assert_string_equal(bytes, "my notes\n");
    free(bytes);
    run_refused(3, NULL, NULL, "bench", two_rods(), "--results", test_scratch_folder(), NULL);
    run_refused(2, "needs problems", NULL, "bench", NULL);
    run_refused(2, "two result files", NULL, "bench", "--compare", path, NULL);
    run_clear(&first);
    run_clear(&mixed);
    run_clear(&compared);
}

/* Killed at different times; the file is gone on with each time, and ends complete. */
static void a_kill_loses_nothing_that_was_written(void **state)
{
    (void)state;
    const char *path = fresh_file("a.jsonl"), *problem = fresh_file("grid");
    const char *const words[] = {"bench",          problem,     "--repeat=300",
                                 "--solvers=ldlt", "--results", path};
    run made = run_expecting(0, "convert", grid(20), problem, NULL);
    int64_t before = 0;
    for (int k = 0; k < 5; k++) {
        const pid_t child = run_begin(6, words);
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        const int64_t now = exists(path) ? runs_in(path) : 0;
        assert_true(now >= before);
        before = now;
    }
    run last = run_started(6, words);
    assert_int_equal(last.code, 0);
    assert_int_equal(runs_in(path), 300);
    run_clear(&made);
    run_clear(&last);
}

/* ---- what is measured ---- */

static void solvers_have_options_each(void **state)
{
    (void)state;
    run result = run_expecting(
        0, "bench", grid(8), "--solvers",
        "gauss-seidel,gauss-seidel:relaxation=1.4:tol=1e-3,ldlt:ordering=amd:"
        "condition",
        NULL);
    const char *line = strstr(result.out, "gauss-seidel:relaxation=1.4:tol=1e-3");
    assert_non_null(line); /* judged by the tolerance of all */
    assert_true(strstr(line, "not converged") < strchr(line, '\n'));
    assert_non_null(strstr(result.out, "ldlt:ordering=amd:condition"));
    run_clear(&result);
    run bad = run_expecting(2, "bench", two_rods(), "--solvers", "ldlt:ordering=best-of-all", NULL);
    assert_non_null(strstr(bad.err, "best-of-all"));
    run_clear(&bad);
    run_refused(2, "relaxation", NULL, "bench", two_rods(), "--solvers", "ldlt:relaxation=1", NULL);
    run_refused(2, "without name", NULL, "bench", two_rods(), "--solvers", "ldlt:", NULL);
    run_refused(2, "--peers", NULL, "bench", two_rods(), "--solvers", "mumps/default", NULL);
    run_refused(2, "--tols", NULL, "bench", two_rods(), "--tols", "1e-4,", NULL);
    run_refused(2, "--tols", NULL, "bench", two_rods(), "--tols", "0", NULL);
}

/* A smaller tolerance takes more sweeps; the history falls and ends with the checker's residual. */
static void histories_lead_to_the_residual(void **state)
{
    (void)state;
    const char *path = fresh_file("a.jsonl");
    run result = run_expecting(0, "bench", grid(12), "--solvers", "gauss-seidel", "--tols",
                               "1e-3,1e-9", "--results", path, NULL);
    char *text = read_bytes(path, NULL);
    double iterations[2] = {0};
    int k = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *object = json_loads(line, 0, NULL);
        assert_non_null(object);
        if (strcmp(json_string_value(json_object_get(object, "line")), "run") == 0) {
            const json_t *history = json_object_get(object, "history");
            const size_t count = json_array_size(history);
            assert_true(count >= 6 && count % 3 == 0 && count <= 3 * 201);
            for (size_t i = 3; i < count; i += 3)
                assert_true(json_number_value(json_array_get(history, i)) >=
                            json_number_value(json_array_get(history, i - 3)));
            assert_true(json_number_value(json_array_get(history, count - 1)) ==
                        json_at(object, "residual", NULL));
            assert_true(json_number_value(json_array_get(history, 2)) >
                        json_at(object, "residual", NULL));
            assert_true(json_at(object, "residual", NULL) <= json_at(object, "tolerance", NULL));
            assert_true(json_at(object, "time", NULL) > 0 && json_at(object, "memory", NULL) > 0);
            iterations[k++] = json_at(object, "iterations", NULL);
        }
        json_decref(object);
    }
    assert_int_equal(k, 2);
    assert_true(iterations[1] > 2 * iterations[0]);
    free(text);
    run_clear(&result);
}

static void a_run_ends_at_its_limit_and_is_not_repeated(void **state)
{
    (void)state;
    const char *path = fresh_file("a.jsonl");
    run result = run_expecting(1, "bench", grid(80), "--solvers", "gauss-seidel", "--limit",
                               "0.001", "--repeat", "4", "--results", path, NULL);
    if (!strstr(result.out, "time limit")) fail_msg("%s%s", result.out, result.err);
    assert_int_equal(runs_in(path), 1);
    run_clear(&result);
}

static void sets_name_problems(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    run made = run_expecting(0, "convert", two_rods(), path_in(folder, "rods-1"), NULL);
    write_text(folder, "set.json",
               "{\"format\": \"saddle-set\", \"version\": 1, \"name\": \"small ones\",\n"
               " \"note\": \"x\", \"problems\": [{\"path\": \"rods-1\", \"difficulty\": \"easy\","
               " \"solved\": true},\n {\"path\": \"data:no/such/file\"}]}\n");
    run result = run_expecting(0, "bench", path_in(folder, "set.json"), "--csv", NULL);
    assert_non_null(strstr(result.out, "rods-1,"));
    assert_non_null(strstr(result.out, ",small ones,easy,rods,"));
    assert_non_null(strstr(result.err, "1 problems of the sets are left out"));
    run_clear(&result);
    write_text(folder, "bad.json",
               "{\"format\": \"saddle-set\", \"version\": 2, \"name\": \"a\","
               " \"problems\": []}");
    run_refused(3, "version 2", NULL, "bench", path_in(folder, "bad.json"), NULL);
    write_text(folder, "bad.json",
               "{\"format\": \"saddle-set\", \"version\": 1, \"name\": \"a\","
               " \"problems\": [{\"difficulty\": \"easy\"}]}");
    run_refused(3, "bad.json:1", "path", "bench", path_in(folder, "bad.json"), NULL);
    write_text(folder, "bad.json", "{\"format\": \"saddle-set\", \"version\": 1, \"name\": ");
    run_refused(3, "bad.json:1", NULL, "bench", path_in(folder, "bad.json"), NULL);
    run_clear(&made);
}

/* ---- made-up results ---- */

/* FNV-1a, as docs/benchmarks.md has it. */
static void put_line(FILE *file, const char *line)
{
    uint64_t sum = 0xCBF29CE484222325u;
    for (const char *at = line; *at; at++) sum = (sum ^ (unsigned char)*at) * 0x100000001B3u;
    fprintf(file, "%s,\"check\":\"%016llx\"}\n", line, (unsigned long long)sum);
}

static FILE *begin_results(const char *path, int problems)
{
    FILE *file = fopen(path, "w");
    char line[512];
    assert_non_null(file);
    put_line(file, "{\"line\":\"head\",\"machine\":\"none\",\"system\":\"none\",\"cores\":1,"
                   "\"memory_bytes\":1,\"version\":\"0\",\"program\":\"0\",\"commit\":\"\","
                   "\"options\":\"none\"");
    for (int p = 0; p < problems; p++) {
        snprintf(line, sizeof line,
                 "{\"line\":\"problem\",\"path\":\"p%d\",\"name\":\"p-%d\",\"family\":\"p\","
                 "\"set\":\"\",\"difficulty\":\"\",\"law\":\"\",\"n\":%d,\"m\":0,\"contacts\":0,"
                 "\"spy\":\"\"",
                 p, p, 1 << p);
        put_line(file, line);
    }
    return file;
}

/* seconds <= 0: not solved. */
static void put_run(FILE *file, int problem, const char *solver, int repetition, double seconds)
{
    char line[768];
    snprintf(line, sizeof line,
             "{\"line\":\"run\",\"path\":\"p%d\",\"solver\":\"%s\",\"settings\":\"\","
             "\"tolerance\":1e-08,\"repetition\":%d,\"method\":\"%s\",\"status\":\"%s\","
             "\"residual\":%s,\"iterations\":0,\"analyse\":0.0,\"factor\":0.0,\"solve\":%.17g,"
             "\"time\":%.17g,\"cpu\":%.17g,\"memory\":0,\"worst_row\":\"\",\"worst_velocity\":\"\","
             "\"note\":\"\",\"history\":[]",
             problem, solver, repetition, solver, seconds > 0 ? "solved" : "time limit",
             seconds > 0 ? "1e-9" : "null", seconds, seconds, seconds);
    put_line(file, line);
}

/* Four problems, three solvers: the costs of test_statistics.c, medians of three repetitions. */
static void the_profile_of_made_up_results_is_that_of_hand_computation(void **state)
{
    static const double cost[4][3] = {{2, 1, 4}, {3, 6, 0}, {0, 5, 5}, {0, 0, 0}};
    static const char *const names[] = {"one", "two", "three"};
    (void)state;
    const char *path = fresh_file("a.jsonl");
    FILE *file = begin_results(path, 4);
    for (int p = 0; p < 4; p++)
        for (int s = 0; s < 3; s++)
            for (int k = 0; k < 3; k++)
                put_run(file, p, names[s], k, cost[p][s] * (k == 0 ? 9.0 : k == 1 ? 1.0 : 0.5));
    assert_int_equal(fclose(file), 0);
    run result = run_expecting(0, "bench", "--results", path, "--profile", "--csv", NULL);
    assert_string_equal(result.out, "solver,1,1.5,2,5,10,100,answers\n"
                                    "one,0.250,0.250,0.500,0.500,0.500,0.500,0.500\n"
                                    "two,0.500,0.500,0.750,0.750,0.750,0.750,0.750\n"
                                    "three,0.250,0.250,0.250,0.500,0.500,0.500,0.500\n");
    run_clear(&result);
}

static const char *made_up(double factor, double noise, int lost, uint64_t *seed)
{
    const char *path = fresh_file("made.jsonl");
    FILE *file = begin_results(path, 8);
    for (int p = 0; p < 8; p++)
        for (int k = 0; k < 5; k++)
            put_run(file, p, "one", k,
                    p < lost ? 0 : pow(2, p) * factor * (1 + test_uniform(seed, -noise, noise)));
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Verdicts of `compare` for twenty pairs of files, with noise of up to 6 percent either way. */
static void comparisons_tell_change_from_noise(void **state)
{
    uint64_t seed = 26;
    (void)state;
    for (int64_t k = test_draws(20); k > 0; k--) {
        const char *a = made_up(1e-3, 0.06, 0, &seed);
        run equal = run_expecting(0, "bench", "--compare", a, made_up(1e-3, 0.06, 0, &seed), NULL);
        assert_int_equal(count_of(equal.out, "no change"), 2);
        run slower = run_expecting(1, "bench", "--compare", a, made_up(1.1e-3, 0.06, 0, &seed),
                                   NULL);
        assert_int_equal(count_of(slower.out, "  more"), 2);
        run_clear(&equal);
        run_clear(&slower);
    }
    const char *a = made_up(1e-3, 0, 0, &seed), *b = made_up(1.25e-3, 0, 2, &seed);
    run lost = run_expecting(1, "bench", "--compare", a, b, "--csv", NULL);
    assert_string_equal(lost.out, "solver,cases,ratio,low,high,sign,lost,gained,verdict\n"
                                  "one,6,1.2500,1.2500,1.2500,0.031,2,0,more\n"
                                  "all,6,1.2500,1.2500,1.2500,0.031,2,0,more\n");
    run gained = run_expecting(0, "bench", "--compare", b, a, "--csv", NULL);
    assert_non_null(strstr(gained.out, "all,6,0.8000,0.8000,0.8000,0.031,0,2,less\n"));
    run_clear(&lost);
    run_clear(&gained);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_that_of_the_run),
        cmocka_unit_test(a_file_is_gone_on_with),
        cmocka_unit_test(a_file_cut_anywhere_is_gone_on_with),
        cmocka_unit_test(a_changed_file_is_refused_and_left_alone),
        cmocka_unit_test(a_file_of_others_is_refused),
        cmocka_unit_test(a_kill_loses_nothing_that_was_written),
        cmocka_unit_test(solvers_have_options_each),
        cmocka_unit_test(histories_lead_to_the_residual),
        cmocka_unit_test(a_run_ends_at_its_limit_and_is_not_repeated),
        cmocka_unit_test(sets_name_problems),
        cmocka_unit_test(the_profile_of_made_up_results_is_that_of_hand_computation),
        cmocka_unit_test(comparisons_tell_change_from_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
