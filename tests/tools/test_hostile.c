/* SPDX-License-Identifier: MIT */
/* Files and names of others that mean harm, or could: control characters, files without end, sizes out of proportion. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- control characters ------------------------------------------------------------------------------------------ */

/* Escape, bell, newline, DEL, and the one-character form of "escape [" (U+009B), as JSON. */
#define EVIL "e\\u001b[2J\\u0007\\n\\u007f\\u009b31m"
#define SHOWN "e\\x1b[2J\\x07\\n\\x7f\\u009b31m"

#define EVIL_JSON "e\\u001b[2J\\u0007\\u000a\\u007f\\u009b31m"

/* Two rods whose rows contradict each other, with names of the kind. */
static const char *evil_bundle(void)
{
    const char *folder = redundant();
    write_text(folder, "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0\n1\n");
    write_text(folder, "problem.json",
               "{\"format\": \"saddle-problem\", \"version\": 1, \"name\": \"" EVIL "\", \"source\": \"" EVIL
               "\", \"n\": 4, \"m\": 3, \"symmetric\": true, \"row_names\": [\"" EVIL "\", \"" EVIL "\", \"" EVIL
               "\"], \"component_sizes\": [4], \"component_names\": [\"" EVIL "\"]}\n");
    return folder;
}

static void assert_printable(const char *text)
{
    for (const char *s = text; *s; s++) {
        const unsigned char byte = (unsigned char)*s;
        if ((byte < 0x20 && byte != '\n') || byte == 0x7f || (byte == 0xc2 && (unsigned char)s[1] < 0xa0))
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
    const char *problem = evil_bundle(), *folder = test_scratch_folder(), *answer = path_in(folder, "a\033[1m");
    assert_shows(run_saddle("info", problem, "--rank", NULL), SHOWN);
    assert_shows(run_saddle("info", problem, "--rank", "--json", NULL), "\"name\": \"" EVIL_JSON "\"");
    assert_shows(run_saddle("solve", problem, NULL), SHOWN);
    assert_shows(run_saddle("solve", problem, "--json", "--output", answer, NULL), NULL);
    assert_shows(run_saddle("check", problem, answer, NULL), SHOWN);
    assert_shows(run_saddle("check", problem, answer, "--json", NULL), "\"name\": \"" EVIL_JSON "\"");
    assert_shows(run_saddle("convert", problem, path_in(folder, "c\033.mtx"), NULL), "c\\x1b.rhs.mtx");
    assert_shows(run_saddle("reduce", problem, path_in(folder, "r"), NULL), NULL);
    assert_shows(run_saddle("bench", path_in(folder, "c\033.mtx"), "b\033.mtx", NULL), "c\\x1b.mtx");
    assert_shows(run_saddle("bench", path_in(folder, "c\033.mtx"), "--csv", NULL), "c\\x1b.mtx");
    assert_shows(run_saddle("info", "\033[31m\nno such file", NULL), "\\x1b[31m\\nno such file: cannot be opened");
    assert_shows(run_saddle("\033[31m", NULL), "unknown verb '\\x1b[31m'");
}

/* The names of a scene's joints come back in the note of the solve. */
static void control_characters_of_a_scene_are_printed_as_escapes(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    write_text(folder, "stuck.json",
               "{\"format\": \"saddle-scene\", \"version\": 1, \"name\": \"" EVIL "\",\n"
               "\"bodies\": [{\"name\": \"" EVIL "\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1}],\n"
               "\"joints\": [{\"name\": \"" EVIL "\", \"b\": \"" EVIL "\"},\n"
               "{\"name\": \"drive\", \"kind\": \"hinge\", \"b\": \"" EVIL
               "\", \"free\": [{\"motor\": {\"target\": 1}}]}]}\n");
    assert_shows(run_saddle("simulate", path_in(folder, "stuck.json"), "--steps", "2", NULL), SHOWN);
    assert_shows(run_saddle("simulate", path_in(folder, "stuck.json"), "--steps", "2", "--json", NULL), EVIL_JSON);
    write_text(folder, "odd.json", "{\"format\": \"saddle-scene\", \"version\": 1,\n\"" EVIL "\": []}\n");
    assert_shows(run_saddle("simulate", path_in(folder, "odd.json"), NULL), SHOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_of_names_are_printed_as_escapes),
        cmocka_unit_test(control_characters_of_a_scene_are_printed_as_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
