/* SPDX-License-Identifier: MIT */
/* Files and names of others that mean harm, or could: control characters, files without end, sizes
 * out of proportion. */
#include "run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- control characters ---- */

/* Escape, bell, newline, DEL, the one-character form of "escape [" (U+009B), and what turns the
 * direction, as JSON. */
#define EVIL "e\\u001b[2J\\u0007\\n\\u007f\\u009b31m\\u202e"
#define SHOWN "e\\x1b[2J\\x07\\n\\x7f\\u009b31m\\u202e"

#define EVIL_JSON "e\\u001b[2J\\u0007\\u000a\\u007f\\u009b31m\\u202e"

/* Two rods whose rows contradict each other, with names of the kind. */
static const char *evil_bundle(void)
{
    const char *folder = redundant();
    write_text(folder, "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0\n1\n");
    write_text(folder, "problem.json",
               "{\"format\": \"saddle-problem\", \"version\": 1, \"name\": \"" EVIL
               "\", \"source\": \"" EVIL
               "\", \"n\": 4, \"m\": 3, \"symmetric\": true, \"row_names\": [\"" EVIL "\", \"" EVIL
               "\", \"" EVIL "\"], \"component_sizes\": [4], \"component_names\": [\"" EVIL
               "\"]}\n");
    return folder;
}

static void done(run result)
{
    run_clear(&result);
}

static void assert_printable(const char *text)
{
    for (const char *s = text; *s; s++) {
        const unsigned char byte = (unsigned char)*s;
        if ((byte < 0x20 && byte != '\n') || byte == 0x7f ||
            (byte == 0xc2 && (unsigned char)s[1] < 0xa0))
            fail_msg("the byte %02x reaches the terminal in:\n%s", byte, text);
    }
}

static void assert_shows(run result, const char *shown)
{
    assert_printable(result.out);
    assert_printable(result.err);
    if (shown && !strstr(result.out, shown) && !strstr(result.err, shown))
        fail_msg("'%s' is not in:\n%s%s", shown, result.out, result.err);
    run_clear(&result);
}

static void control_characters_of_names_are_printed_as_escapes(void **state)
{
    (void)state;
    const char *problem = evil_bundle(), *folder = test_scratch_folder(),
               *answer = path_in(folder, "a\033[1m");
    assert_shows(run_saddle("info", problem, "--rank", NULL), SHOWN);
    assert_shows(run_saddle("info", problem, "--rank", "--json", NULL),
                 "\"name\": \"" EVIL_JSON "\"");
    assert_shows(run_saddle("solve", problem, NULL), SHOWN);
    assert_shows(run_saddle("solve", problem, "--json", "--output", answer, NULL), NULL);
    assert_shows(run_saddle("check", problem, answer, NULL), SHOWN);
    assert_shows(run_saddle("check", problem, answer, "--json", NULL),
                 "\"name\": \"" EVIL_JSON "\"");
    assert_shows(run_saddle("convert", problem, path_in(folder, "c\033.mtx"), NULL),
                 "c\\x1b.rhs.mtx");
    assert_shows(run_saddle("reduce", problem, path_in(folder, "r"), NULL), NULL);
    assert_shows(run_saddle("bench", path_in(folder, "c\033.mtx"), "b\033.mtx", NULL),
                 "c\\x1b.mtx");
    assert_shows(run_saddle("bench", path_in(folder, "c\033.mtx"), "--csv", NULL), "c\\x1b.mtx");
    assert_shows(run_saddle("info", "\033[31m\nno such file", NULL),
                 "\\x1b[31m\\nno such file: cannot be opened");
    assert_shows(run_saddle("\033[31m", NULL), "unknown verb '\\x1b[31m'");
}

/* The names of a scene's joints come back in the note of the solve. */
static void control_characters_of_a_scene_are_printed_as_escapes(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    write_text(
        folder, "stuck.json",
        "{\"format\": \"saddle-scene\", \"version\": 1, \"name\": \"" EVIL "\",\n"
        "\"bodies\": [{\"name\": \"body\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1}],\n"
        "\"joints\": [{\"name\": \"" EVIL "\", \"b\": \"body\"},\n"
        "{\"name\": \"drive\", \"kind\": \"hinge\", \"b\": \"body\", \"free\": [{\"motor\": "
        "{\"target\": 1}}]}]}\n");
    assert_shows(run_saddle("simulate", path_in(folder, "stuck.json"), "--steps", "2", NULL),
                 SHOWN);
    assert_shows(run_saddle("simulate", path_in(folder, "stuck.json"), "--steps", "2", "--json",
                            NULL),
                 EVIL_JSON);
    write_text(folder, "odd.json",
               "{\"format\": \"saddle-scene\", \"version\": 1,\n\"" EVIL "\": []}\n");
    assert_shows(run_saddle("simulate", path_in(folder, "odd.json"), NULL), SHOWN);
}

/* ---- sizes out of proportion ---- */

static const char *with_facets(const char *facets)
{
    char text[256];
    const char *folder = slider();
    snprintf(text, sizeof text,
             "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 3, \"m\": 3, \"symmetric\": "
             "true,\n"
             "\"friction\": {\"law\": \"pyramid\", \"facets\": %s}}\n",
             facets);
    write_text(folder, "problem.json", text);
    return folder;
}

static void many_facets_and_many_names_are_refused_at_once(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    const double begun = saddle_clock();
    done(run_expecting(0, "solve", with_facets("1024"), NULL));
    run_refused(3, "problem.json:2: ", "\"facets\" is 1025, more than 1024", "info",
                with_facets("1025"), NULL);
    run_refused(3, "\"facets\" is 1000000000", NULL, "solve", with_facets("1000000000"), NULL);
    run_refused(2, "--facets", "at most 1024", "solve", slider(), "--friction", "pyramid",
                "--facets", "1000000000", NULL);
    run_refused(2, "--worst", "at most 10000", "check", slider(), folder, "--worst", "1000000000",
                NULL);
    write_text(folder, "many.json",
               "{\"format\": \"saddle-scene\", \"version\": 1,\n"
               "\"friction\": {\"law\": \"pyramid\", \"facets\": 1000000000}}\n");
    run_refused(3, "many.json:1: ", "\"facets\" is 1000000000", "simulate",
                path_in(folder, "many.json"), NULL);
    assert_true(saddle_clock() - begun < 20);
}

static void a_file_without_an_end_is_given_up(void **state)
{
    (void)state;
    run_refused(3, "/dev/zero", "not a regular file", "info", "/dev/zero", NULL);
    run_refused(3, "/dev/zero", "not a regular file", "simulate", "/dev/zero", NULL);
}

/* ---- names of files ---- */

static void scene_with_positions(const char *folder, const char *file)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"format\": \"saddle-scene\", \"version\": 1,\n"
             "\"nodes\": [{\"name\": \"mesh\", \"positions\": \"%s\", \"mass\": \"mass.mtx\"}]}\n",
             file);
    write_text(folder, "scene.json", text);
}

static void a_scene_names_no_files_outside_its_folder(void **state)
{
    (void)state;
    const char *outer = test_scratch_folder(), *folder = path_in(outer, "scene"),
               *inner = path_in(folder, "in..ner");
    static const char *const outside[] = {"../x.mtx",  "/etc/hostname", "in..ner/../../x.mtx",
                                          "..",        "in..ner/..",    "link/x.mtx",
                                          "x-link.mtx"};
    assert_int_equal(mkdir(folder, 0700) | mkdir(inner, 0700), 0);
    assert_int_equal(symlink("..", path_in(folder, "link")) |
                         symlink("../x.mtx", path_in(folder, "x-link.mtx")),
                     0);
    write_text(outer, "x.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0\n0\n");
    write_text(inner, "x.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0\n0\n");
    write_text(folder, "mass.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n");
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        scene_with_positions(folder, outside[k]);
        run_refused(3, "scene.json:2: ", "leads out of the scene's folder", "simulate",
                    path_in(folder, "scene.json"), NULL);
    }
    scene_with_positions(folder, "in..ner/x.mtx");
    done(run_expecting(0, "simulate", path_in(folder, "scene.json"), "--steps", "2", NULL));
}

static void names_of_other_kinds_of_files_are_refused(void **state)
{
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "."); /* a scratch folder's own name is soon
                                                                 overwritten */
    static const char *const names[] = {"s.npy", "s.npz", "s.JSON", "s.csv", "s.jpg", "s.NPZ"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        run_refused(2, names[k], "no format", "convert", two_rods(), path_in(folder, names[k]),
                    NULL);
        assert_false(exists(path_in(folder, names[k])));
    }
    done(run_expecting(0, "convert", two_rods(), path_in(folder, "s.npz"), "--to", "bundle", NULL));
    assert_true(exists(path_in(path_in(folder, "s.npz"), "problem.json")));
    done(run_expecting(0, "convert", two_rods(), path_in(folder, "s.MTX"), NULL));
    assert_true(exists(path_in(folder, "s.rhs.MTX")));
}

/* ---- files that belong together ---- */

static void assert_holds(const char *path, const char *text)
{
    char *found = read_bytes(path, NULL);
    assert_string_equal(found, text);
    free(found);
}

static int entries_of(const char *folder)
{
    struct dirent *entry;
    int count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(directory);
    return count;
}

/* The matrix's name is taken by a folder, or the matrix is too large for the file system's
 * limit. */
static void of_two_files_both_are_written_or_none(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    write_text(folder, "s.rhs.mtx", "old");
    assert_int_equal(mkdir(path_in(folder, "s.mtx"), 0700), 0);
    run_refused(3, "s.mtx", NULL, "convert", two_rods(), path_in(folder, "s.mtx"), NULL);
    assert_holds(path_in(folder, "s.rhs.mtx"), "old");
    assert_int_equal(entries_of(folder), 2);
    const struct rlimit small = {2048, RLIM_INFINITY};
    struct rlimit before;
    write_text(folder, "t.rhs.mtx", "old");
    write_text(folder, "t.mtx", "older");
    const char *problem = grid(10);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    run result = run_saddle("convert", problem, path_in(folder, "t.mtx"), NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(result.code, 3);
    assert_holds(path_in(folder, "t.rhs.mtx"), "old");
    assert_holds(path_in(folder, "t.mtx"), "older");
    assert_int_equal(entries_of(folder), 4);
    run_clear(&result);
    done(run_expecting(0, "convert", problem, path_in(folder, "t.mtx"), NULL));
    done(run_expecting(0, "info", path_in(folder, "t.mtx"), "--rhs", path_in(folder, "t.rhs.mtx"),
                       NULL));
    assert_int_equal(entries_of(folder), 4);
}

enum { WRITERS = 8, ROUNDS = 4 };

static int write_again_and_again(const char *source, const char *target)
{
    saddle_problem problem;
    saddle_context *context;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    saddle_status status = saddle_problem_read(context, source, NULL, &problem, NULL, NULL, NULL);
    for (int again = 0; status == SADDLE_OK && again < 12; again++)
        status = saddle_problem_write(context, target, SADDLE_FORMAT_BUNDLE, &problem);
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_context_message(context));
    return status != SADDLE_OK;
}

/* A file that is none of the bundle's is carried over by whoever replaces the folder. */
static void eight_writers_to_one_folder_leave_one_folder(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder(), *target = path_in(folder, "out"),
               *source = two_rods();
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child[WRITERS];
        if (round == 1) write_text(target, "notes.txt", "kept");
        for (int k = 0; k < WRITERS; k++) {
            child[k] = fork();
            assert_true(child[k] >= 0);
            if (child[k] > 0) continue;
            _exit(write_again_and_again(source, target));
        }
        for (int k = 0; k < WRITERS; k++) {
            int status = 0;
            assert_int_equal(waitpid(child[k], &status, 0), child[k]);
            assert_int_equal(status, 0);
        }
        assert_int_equal(entries_of(folder), 1);
    }
    assert_holds(path_in(target, "notes.txt"), "kept");
    done(run_expecting(0, "info", target, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_of_names_are_printed_as_escapes),
        cmocka_unit_test(control_characters_of_a_scene_are_printed_as_escapes),
        cmocka_unit_test(many_facets_and_many_names_are_refused_at_once),
        cmocka_unit_test(a_file_without_an_end_is_given_up),
        cmocka_unit_test(a_scene_names_no_files_outside_its_folder),
        cmocka_unit_test(names_of_other_kinds_of_files_are_refused),
        cmocka_unit_test(of_two_files_both_are_written_or_none),
        cmocka_unit_test(eight_writers_to_one_folder_leave_one_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
