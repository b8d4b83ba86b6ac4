/* SPDX-License-Identifier: MIT */
/* Every verb with an allocation of each of its call stacks failing in turn: the exit code is that
 * of an error and the message speaks of memory, or the run printed and wrote what it does
 * undisturbed, byte for byte; and nothing leaks.  fail_memory.h says which allocations count.
 *
 * The runs share a process: what the C library asks for once in a process, such as the buffer of
 * the standard output, does not fail here.  Of a stack that several runs have, the first run has
 * its allocations failing: the first and the last alone and with all that follow, and one in the
 * middle alone.  A solve and a simulation have every allocation failing, alone. */
#include "fail_memory.h"
#include "run.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- running ---- */

static int count_words(const char *const *words)
{
    int count = 0;
    while (words[count]) count++;
    return count;
}

/* The command with allocation `fail_at` failing (-1 = none), and all after it where `on`. */
static run run_failing(const char *const *words, long fail_at, int on)
{
    fail_memory_next(fail_at, on);
    return run_words(count_words(words), words);
}

/* An undisturbed run, of which fail_memory_places has the call stacks. */
static run run_watched(const char *const *words)
{
    fail_memory_note(test_seed());
    return run_words(count_words(words), words);
}

/* ---- what was printed ---- */

static int is_a_time(const char *line, size_t length)
{
    static const char *const times[] = {"seconds ",     "\"seconds\"", "\"read\":",
                                        "\"analyse\":", "\"factor\":", "\"solve\":"};
    char text[64];
    while (length > 0 && *line == ' ') line++, length--;
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        if (strncmp(text, times[k], strlen(times[k])) == 0) return 1;
    return 0;
}

/* Lines of times, and the last `columns` columns of a table, are taken out. */
static void take_out_times(char *text, int columns)
{
    char *to = text;
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line), kept = length;
        char *next = line + length + (end ? 1 : 0);
        for (int c = 0; c < columns; c++) {
            kept -= c > 0 && kept > 0;
            while (kept > 0 && line[kept - 1] != ',') kept--;
        }
        if (!is_a_time(line, length)) {
            memmove(to, line, kept);
            to += kept;
            *to++ = '\n';
        }
        line = next;
    }
    *to = '\0';
}

/* ---- what was written ---- */

static int entries_of(const char *folder)
{
    struct dirent *entry;
    int count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) count++;
    closedir(directory);
    return count;
}

static void append_file(FILE *to, const char *path)
{
    const char *dot = strrchr(path, '.');
    size_t size;
    char *bytes = read_bytes(path, &size);
    if (dot && strcmp(dot, ".json") == 0) {
        take_out_times(bytes, 0);
        size = strlen(bytes);
    }
    fprintf(to, "%s: %zu\n", path, size);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    free(bytes);
}

/* Writes names and bytes of all files in the folder and below to `to`. to = NULL: appends a newline
 * to each file, so that a run without replacement of any file is detected.  Left out: replaced
 * folders that a run could not remove, as its message says. */
static void walk(const char *folder, FILE *to)
{
    struct dirent **entry;
    const int count = scandir(folder, &entry, NULL, alphasort);
    assert_true(count >= 2);
    for (int k = 0; k < count; k++) {
        char path[2048];
        struct stat about;
        const char *name = entry[k]->d_name;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        assert_int_equal(stat(path, &about), 0);
        if (S_ISDIR(about.st_mode)) {
            if (name[0] != '.' && !strstr(name, ".tmp-")) walk(path, to);
        } else if (to) {
            append_file(to, path);
        } else {
            FILE *file = fopen(path, "a");
            assert_non_null(file);
            fputc('\n', file);
            fclose(file);
        }
        free(entry[k]);
    }
    free((void *)entry);
}

typedef struct written {
    char *text; /* of walk; NULL without a folder */
    size_t size;
} written;

static written written_in(const char *folder)
{
    written result = {0};
    if (!folder) return result;
    FILE *to = open_memstream(&result.text, &result.size);
    assert_non_null(to);
    walk(folder, to);
    fclose(to);
    return result;
}

/* ---- comparing ---- */

/* 1: the run failed and says why. */
static int compare(const char *const *words, const run *expected, const run *result, int csv,
                   long k)
{
    take_out_times(result->out, csv);
    const int failed = result->code >= 2 && result->code <= 5 && strstr(result->err, "memory");
    const int same = result->code == expected->code && strcmp(result->out, expected->out) == 0;
    /* a line of a table */
    const int said = result->code == 1 && strstr(result->out, "out of memory");
    if (failed || same || said) return !same;
    fail_msg(
        "saddle %s %s with allocation %ld failing exits with %d and prints\n%s%sinstead of\n%s",
        words[0], words[1] ? words[1] : "", k, result->code, result->out, result->err,
        expected->out);
    return 0;
}

/* files: that an undisturbed run writes to the folder. */
static void compare_files(const char *folder, const written *files, const char *verb, long k)
{
    written found = written_in(folder);
    if (found.size != files->size || memcmp(found.text, files->text, found.size) != 0)
        fail_msg("saddle %s with allocation %ld failing claims success, but wrote other files",
                 verb, k);
    free(found.text);
}

typedef struct undisturbed {
    const char *const *words;
    const char *folder; /* holds what the run writes, nothing else; NULL = no files are written */
    run result;
    written files;
    int entries; /* of the folder */
    int csv;     /* columns of times in a table */
} undisturbed;

static int runs, failures; /* of a test */

/* Bytes that malloc has given and not got back; -1: blocks that a thread keeps to give again count
 * as well, where they are not turned off (GLIBC_TUNABLES, CMakeLists.txt). */
static long count_taken(void)
{
    const char *tunables = getenv("GLIBC_TUNABLES");
    const struct mallinfo2 all = mallinfo2();
    return tunables && strstr(tunables, "tcache_count=0") ? (long)(all.uordblks + all.hblkhd) : -1;
}

/* fail_at = -1: nothing fails, whatever has failed before. */
static void run_and_compare(const undisturbed *expected, long fail_at, int on)
{
    const long taken = count_taken();
    if (expected->folder) walk(expected->folder, NULL);
    run result = run_failing(expected->words, fail_at, on);
    const int failed = compare(expected->words, &expected->result, &result, expected->csv, fail_at);
    runs += fail_at >= 0;
    failures += failed;
    if (failed && fail_at < 0)
        fail_msg("saddle %s has memory again, and fails: %s", expected->words[0], result.err);
    if (expected->folder && !failed)
        compare_files(expected->folder, &expected->files, expected->words[0], fail_at);
    if (expected->folder && entries_of(expected->folder) != expected->entries)
        fail_msg("allocation %ld failing leaves a file", fail_at);
    run_clear(&result);
    if (count_taken() != taken)
        fail_msg("saddle %s with allocation %ld failing leaks %ld bytes", expected->words[0],
                 fail_at, count_taken() - taken);
}

/* 1: the call stack has failed in an earlier run; it has from here on. */
static int is_known(uint64_t stack)
{
    static uint64_t known[16384];
    static int count;
    for (int k = 0; k < count; k++)
        if (known[k] == stack) return 1;
    assert_true(count < 16384);
    known[count++] = stack;
    return 0;
}

static void sweep_in(const char *folder, const char *const *words)
{
    undisturbed expected = {.words = words, .folder = folder};
    run first = run_failing(words, -1, 0); /* what is written exists from here on */
    expected.result = run_watched(words);
    expected.entries = folder ? entries_of(folder) : 0;
    expected.files = written_in(folder);
    if (strcmp(words[0], "bench") == 0) expected.csv = 6;
    if (strcmp(words[0], "accuracy") == 0 || strcmp(words[0], "replay") == 0) expected.csv = 1;
    take_out_times(expected.result.out, expected.csv);
    if (expected.result.code > 1) fail_msg("saddle %s: %s", words[0], expected.result.err);
    int seen = 0;
    size_t count;
    const fail_place *at = fail_memory_places(&count);
    for (size_t k = 0; k < count; k++, at++) {
        if (at->stack == 0) continue;
        seen++;
        if (is_known(at->stack)) continue;
        run_and_compare(&expected, at->first, 0);
        run_and_compare(&expected, at->first, 1);
        if (at->middle > at->first) run_and_compare(&expected, at->middle, 0);
        if (at->last == at->first) continue;
        run_and_compare(&expected, at->last, 0);
        run_and_compare(&expected, at->last, 1);
    }
    run_and_compare(&expected, -1, 0);
    if (seen < 2) fail_msg("saddle %s: only %d allocations were seen", words[0], seen);
    free(expected.files.text);
    run_clear(&first);
    run_clear(&expected.result);
}

#define SWEEP(folder, ...) sweep_in(folder, (const char *const[]){__VA_ARGS__, NULL})

/* A copy of a name: names of scratch folders are overwritten later. */
static const char *fresh_folder(void)
{
    static char name[8][1024];
    static int turn;
    char *here = name[turn++ % 8];
    snprintf(here, sizeof name[0], "%s", test_scratch_folder());
    return here;
}

/* ---- the verbs ---- */

static const char *data(const char *name)
{
    return path_in(SADDLE_SOURCE_DIR "/data", name);
}

static const char *pendulum(void)
{
    return SADDLE_SOURCE_DIR "/examples/scenes/pendulum.json";
}

static void solve_says_so_or_is_right(void **state)
{
    (void)state;
    const char *folder = fresh_folder();
    SWEEP(NULL, "solve", two_rods());
    SWEEP(NULL, "solve", two_rods(), "--json", "--reference");
    SWEEP(folder, "solve", slider(), "--json", "--output", path_in(folder, "answer"));
    SWEEP(NULL, "solve", redundant(), "--json", "--attachments", "keep");
}

/* Every allocation, also of stacks that failed elsewhere. */
static void each_of(const char *const *words)
{
    undisturbed expected = {.words = words};
    run first = run_failing(words, -1, 0);
    expected.result = run_watched(words);
    take_out_times(expected.result.out, 0);
    assert_int_equal(expected.result.code, 0);
    long last = -1;
    size_t count;
    const fail_place *at = fail_memory_places(&count);
    for (size_t k = 0; k < count; k++)
        if (at[k].stack != 0 && at[k].last > last) last = at[k].last;
    if (last < 50) fail_msg("saddle %s: only %ld allocations were seen", words[0], last + 1);
    for (long k = 0; k <= last; k++) run_and_compare(&expected, k, 0);
    run_and_compare(&expected, -1, 0);
    run_clear(&first);
    run_clear(&expected.result);
}

static void each_allocation_of_two_runs(void **state)
{
    (void)state;
    each_of((const char *const[]){"solve", two_rods(), NULL});
    each_of((const char *const[]){"simulate", pendulum(), "--steps", "2", NULL});
}

static void info_says_so_or_is_right(void **state)
{
    (void)state;
    const char *folder = fresh_folder();
    SWEEP(NULL, "info", redundant(), "--rank");
    SWEEP(NULL, "info", redundant(), "--rank", "--json");
    SWEEP(folder, "info", two_rods(), "--quick", "--spy", path_in(folder, "picture.png"));
}

static void check_says_so_or_is_right(void **state)
{
    (void)state;
    const char *answer = path_in(test_scratch_folder(), "answer"), *problem = bounded();
    run solved = run_expecting(0, "solve", problem, "--output", answer, NULL);
    SWEEP(NULL, "check", problem, answer);
    SWEEP(NULL, "check", problem, answer, "--json");
    run_clear(&solved);
}

static void convert_says_so_or_is_right(void **state)
{
    (void)state;
    static const char *const names[] = {"bundle", "K.mtx", "contact.hdf5", "contact.dat"};
    const char *folder = NULL;
    for (int k = 0; k < 4; k++) {
        folder = fresh_folder();
        SWEEP(folder, "convert", k < 2 ? two_rods() : slider(), path_in(folder, names[k]));
    }
    const char *file = path_in(fresh_folder(), "contact.hdf5");
    run made = run_expecting(0, "convert", slider(), file, NULL);
    folder = fresh_folder();
    SWEEP(folder, "convert", file, path_in(folder, "back"));
    run_clear(&made);
    const char *parts = data("stack-cone");
    folder = fresh_folder();
    SWEEP(folder, "bundle", path_in(parts, "M.mtx"), path_in(parts, "J.mtx"),
          path_in(parts, "f.mtx"), path_in(parts, "contacts.mtx"), path_in(folder, "made"));
}

static void reduce_and_recover_say_so_or_are_right(void **state)
{
    (void)state;
    const char *folder = fresh_folder(), *small = path_in(folder, "small"),
               *answer = path_in(fresh_folder(), "answer"), *back = fresh_folder();
    SWEEP(folder, "reduce", data("links"), small, "--attachments", "eliminate");
    run again = run_expecting(0, "reduce", data("links"), small, "--attachments", "eliminate",
                              NULL);
    run solved = run_expecting(0, "solve", small, "--output", answer, NULL);
    SWEEP(back, "recover", data("links"), answer, path_in(back, "whole"), "--attachments",
          "eliminate");
    run_clear(&again);
    run_clear(&solved);
}

static void simulate_says_so_or_is_right(void **state)
{
    (void)state;
    const char *folder = fresh_folder();
    SWEEP(NULL, "simulate", pendulum(), "--steps", "2");
    SWEEP(NULL, "simulate", pendulum(), "--steps", "2", "--json", "--positions");
    SWEEP(folder, "simulate", pendulum(), "--steps", "2", "--export", path_in(folder, "run"));
    const char *recorded = path_in(fresh_folder(), "run");
    run made = run_expecting(0, "simulate", pendulum(), "--steps", "2", "--export", recorded, NULL);
    SWEEP(NULL, "replay", recorded, "--csv"); /* the page has times */
    run_clear(&made);
    SWEEP(NULL, "simulate", pendulum(), "--steps", "2", "--view", path_in(folder, "run.html"));
    SWEEP(NULL, "simulate", pendulum(), "--steps", "2", "--csv", path_in(folder, "run.csv"),
          "--vtk", path_in(folder, "series"));
    const char *animated = fresh_folder();
    SWEEP(animated, "simulate", pendulum(), "--steps", "2", "--gltf", path_in(animated, "run.glb"));
}

static void bench_and_solvers_say_so_or_are_right(void **state)
{
    (void)state;
    const char *folder = fresh_folder(), *pictures = fresh_folder(),
               *results = path_in(fresh_folder(), "a.jsonl"), *problem = two_rods();
    SWEEP(NULL, "bench", problem, "--solvers", "ldlt,lu:ordering=amd", "--csv");
    run made = run_expecting(0, "bench", problem, "--solvers", "ldlt,gauss-seidel", "--repeat", "2",
                             "--results", results, NULL);
    SWEEP(folder, "bench", "--results", results, "--report", path_in(folder, "a.html"), "--csv");
    SWEEP(pictures, "bench", "--results", results, "--plots", path_in(pictures, "plots"), "--csv");
    SWEEP(NULL, "bench", "--results", results, "--profile");
    SWEEP(NULL, "bench", "--compare", results, results);
    run_clear(&made);
    const char *study = fresh_folder();
    SWEEP(study, "accuracy", two_rods(), "--vary", "tol=1e-6,1e-10", "--vary", "scale=16", "--csv",
          "--report", path_in(study, "page.html"));
    SWEEP(NULL, "solvers");
    SWEEP(NULL, "solvers", "--json");
}

/* Most allocations are needed: a test in which few runs fail has not reached them. */
static int most_runs_fail(void **state)
{
    (void)state;
    print_message("%d of %d runs fail\n", failures, runs);
    const int most = 2 * failures > runs;
    runs = failures = 0;
    return most ? 0 : -1;
}

#define SWEEPS(name) cmocka_unit_test_teardown(name, most_runs_fail)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SWEEPS(solve_says_so_or_is_right),    SWEEPS(each_allocation_of_two_runs),
        SWEEPS(info_says_so_or_is_right),     SWEEPS(check_says_so_or_is_right),
        SWEEPS(convert_says_so_or_is_right),  SWEEPS(reduce_and_recover_say_so_or_are_right),
        SWEEPS(simulate_says_so_or_is_right), SWEEPS(bench_and_solvers_say_so_or_are_right),
    };
    run_begins = fail_memory_begin;
    run_ends = fail_memory_end;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
