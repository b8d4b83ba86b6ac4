/* SPDX-License-Identifier: MIT */
/* Running the command, and small problems on disk to run it on. */
#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 32, PATHS = 64 };
extern char **environ;

/* ---- the built command ---- */

char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t used = 0, room = 4096;
    char *text = malloc(room + 1);
    assert_non_null(text);
    if (!file) fail_msg("%s cannot be opened", path);
    for (size_t got; (got = fread(text + used, 1, room - used, file)) > 0;) {
        used += got;
        if (used < room) continue;
        room *= 2;
        text = realloc(text, room + 1);
        assert_non_null(text);
    }
    fclose(file);
    text[used] = '\0';
    if (size) *size = used;
    return text;
}

/* "<the folder of all runs>/<name>" */
static const char *printed(const char *name)
{
    static char folder[1000], path[2][1024];
    static int turn;
    if (!folder[0]) snprintf(folder, sizeof folder, "%s", test_scratch_folder());
    turn = 1 - turn;
    snprintf(path[turn], sizeof path[0], "%s/%s", folder, name);
    return path[turn];
}

const char *run_output(void)
{
    return printed("out");
}

const char *run_errors(void)
{
    return printed("err");
}

static run run_printed(int code)
{
    return (run){.code = code,
                 .out = read_bytes(run_output(), NULL),
                 .err = read_bytes(run_errors(), NULL)};
}

run run_ended(int status)
{
    return run_printed(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

pid_t run_begin(int count, const char *const *words)
{
    char command[] = SADDLE_BUILD_DIR "/saddle";
    char *argv[WORDS + 2] = {command};
    posix_spawn_file_actions_t actions;
    pid_t child;
    assert_true(count <= WORDS);
    for (int i = 0; i < count; i++) memcpy(&argv[i + 1], &words[i], sizeof argv[i + 1]);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, run_output(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, run_errors(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(posix_spawn(&child, command, &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

run run_started(int count, const char *const *words)
{
    const pid_t child = run_begin(count, words);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return run_ended(status);
}

/* ---- in this process ---- */

/* The command's main, called in the test's process: to start a program takes some twenty times as
 * long as most of what is run here, with the address sanitizer or without. */
int saddle_main(int argc, char **argv);                         /* CMakeLists.txt renames it */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak)); /* of sanitizers, where there are */

void (*run_begins)(void), (*run_ends)(void);
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };
static struct sigaction handlers[CRASHES]; /* those of the test */
static int own[3] = {-1, -1, -1};          /* standard input, output and errors of the test */

static void find_own_files(void)
{
    for (int k = 0; k < 3; k++) {
        own[k] = fcntl(k, F_DUPFD_CLOEXEC, 3);
        assert_true(own[k] > 2);
    }
    if (__sanitizer_set_report_fd) __sanitizer_set_report_fd((void *)(intptr_t)own[2]);
}

static void to_own_files(void)
{
    for (int k = 0; k < 3; k++) dup2(own[k], k);
    for (int k = 0; k < CRASHES; k++) sigaction(crashes[k], &handlers[k], NULL);
}

/* A crash of the command is the test's, which says so where it says all else, behind the command's
 * last words. */
static void on_crash(int number)
{
    char words[1000];
    const int errors = open(run_errors(), O_RDONLY);
    const ssize_t got = read(errors, words, sizeof words);
    to_own_files();
    if (got > 0 && write(STDERR_FILENO, words, (size_t)got) < got) _exit(98);
    raise(number);
}

static void to_files_of_the_command(void)
{
    const char *const path[3] = {"/dev/null", run_output(), run_errors()};
    const struct sigaction crash = {.sa_handler = on_crash};
    fflush(NULL);
    for (int k = 0; k < 3; k++) {
        const int file = open(path[k], k ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0600);
        assert_true(file > 2);
        dup2(file, k);
        close(file);
    }
    for (int k = 0; k < CRASHES; k++) sigaction(crashes[k], &crash, &handlers[k]);
}

run run_words(int count, const char *const *words)
{
    char command[] = SADDLE_BUILD_DIR "/saddle";
    char *argv[WORDS + 2] = {command};
    assert_true(count <= WORDS);
    for (int i = 0; i < count; i++) memcpy(&argv[i + 1], &words[i], sizeof argv[i + 1]);
    if (own[0] < 0) find_own_files();
    to_files_of_the_command();
    signal(SIGXFSZ, SIG_DFL); /* ends a program, as a program begins; main turns it off */
    if (run_begins) run_begins();
    const int code = saddle_main(count + 1, argv);
    if (run_ends) run_ends();
    fflush(NULL);
    clearerr(stdout);
    to_own_files();
    return run_printed(code);
}

static int collect(const char *first, va_list rest, const char **words)
{
    int count = 0;
    for (const char *word = first; word; word = va_arg(rest, const char *)) {
        assert_true(count < WORDS);
        words[count++] = word;
    }
    return count;
}

run run_saddle(const char *first, ...)
{
    const char *words[WORDS] = {0};
    va_list rest;
    va_start(rest, first);
    const int count = collect(first, rest, words);
    va_end(rest);
    return run_words(count, words);
}

static run expect(int code, int count, const char *const *words)
{
    const run result = run_words(count, words);
    if (result.code != code)
        fail_msg("saddle %s %s .. exits with %d, not %d\n%s%s", words[0], count > 1 ? words[1] : "",
                 result.code, code, result.out, result.err);
    return result;
}

run run_expecting(int code, const char *first, ...)
{
    const char *words[WORDS] = {0};
    va_list rest;
    va_start(rest, first);
    const int count = collect(first, rest, words);
    va_end(rest);
    return expect(code, count, words);
}

void run_refused(int code, const char *text, const char *text2, const char *first, ...)
{
    const char *words[WORDS] = {0};
    va_list rest;
    va_start(rest, first);
    const int count = collect(first, rest, words);
    va_end(rest);
    run result = expect(code, count, words);
    const char *end = strchr(result.err, '\n');
    assert_string_equal(result.out, "");
    if (strncmp(result.err, "saddle: ", 8) != 0 || !end || end[1] != '\0')
        fail_msg("not one line 'saddle: ..': %s", result.err);
    if (text && !strstr(result.err, text)) fail_msg("'%s' is not in: %s", text, result.err);
    if (text2 && !strstr(result.err, text2)) fail_msg("'%s' is not in: %s", text2, result.err);
    run_clear(&result);
}

void run_clear(run *result)
{
    free(result->out);
    free(result->err);
}

json_t *run_json(const run *result)
{
    json_error_t error;
    json_t *object = json_loads(result->out, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(object)) fail_msg("not one JSON object (%s):\n%s", error.text, result->out);
    return object;
}

double json_at(const json_t *object, const char *key, const char *key2)
{
    const json_t *value = json_object_get(object, key);
    if (key2) value = json_object_get(value, key2);
    if (!json_is_number(value)) fail_msg("no number at %s %s", key, key2 ? key2 : "");
    return json_number_value(value);
}

/* ---- files ---- */

const char *path_in(const char *folder, const char *name)
{
    static char buffer[PATHS][1024];
    static int turn;
    turn = (turn + 1) % PATHS;
    char path[sizeof buffer[0]]; /* apart: folder may be an earlier result */
    snprintf(path, sizeof path, "%s/%s", folder, name);
    memcpy(buffer[turn], path, sizeof path);
    return buffer[turn];
}

int exists(const char *path)
{
    struct stat unused;
    return lstat(path, &unused) == 0;
}

void write_text(const char *folder, const char *name, const char *text)
{
    FILE *file = fopen(path_in(folder, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *fresh_bundle(const char *name, int n, int m, int symmetric)
{
    char text[256];
    const char *folder = path_in(test_scratch_folder(), name);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(text, sizeof text,
             "{\"format\": \"saddle-problem\", \"version\": 1, \"name\": \"%s\", \"n\": %d, \"m\": "
             "%d, \"symmetric\": %s}\n",
             name, n, m, symmetric ? "true" : "false");
    write_text(folder, "problem.json", text);
    return folder;
}

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

const char *two_rods(void)
{
    const char *folder = fresh_bundle("rods", 4, 2, 1);
    write_text(folder, "M.mtx", SYMMETRIC "4 4 4\n1 1 1\n2 2 1\n3 3 2\n4 4 2\n");
    write_text(folder, "J.mtx", COORDINATE "2 4 4\n1 1 0.6\n1 2 -0.8\n2 1 -1\n2 3 1\n");
    write_text(folder, "f.mtx", ARRAY "4 1\n0\n-0.0981\n0\n-0.1962\n");
    return folder;
}

const char *redundant(void)
{
    const char *folder = fresh_bundle("redundant", 4, 3, 1);
    write_text(folder, "M.mtx", SYMMETRIC "4 4 4\n1 1 1\n2 2 1\n3 3 2\n4 4 2\n");
    write_text(folder, "J.mtx",
               COORDINATE "3 4 6\n1 1 0.6\n1 2 -0.8\n2 1 -1\n2 3 1\n3 1 -2\n3 3 2\n");
    write_text(folder, "f.mtx", ARRAY "4 1\n0\n-0.0981\n0\n-0.1962\n");
    return folder;
}

const char *bounded(void)
{
    const char *folder = fresh_bundle("bounded", 3, 3, 1);
    write_text(folder, "M.mtx", SYMMETRIC "3 3 3\n1 1 1\n2 2 1\n3 3 1\n");
    write_text(folder, "J.mtx", COORDINATE "3 3 3\n1 1 1\n2 2 1\n3 3 1\n");
    write_text(folder, "f.mtx", ARRAY "3 1\n1\n-1\n5\n");
    write_text(folder, "bounds.mtx", ARRAY "3 2\n0\n0\n-2\ninf\ninf\n2\n");
    return folder;
}

const char *slider(void)
{
    const char *folder = fresh_bundle("slider", 3, 3, 1);
    write_text(folder, "M.mtx", SYMMETRIC "3 3 3\n1 1 1\n2 2 1\n3 3 1\n");
    write_text(folder, "J.mtx", COORDINATE "3 3 3\n1 1 1\n2 2 1\n3 3 1\n");
    write_text(folder, "f.mtx", ARRAY "3 1\n-1\n10\n20\n");
    write_text(folder, "contacts.mtx", ARRAY "1 3\n1\n3\n0.5\n");
    return folder;
}

const char *unsymmetric(void)
{
    const char *folder = fresh_bundle("unsymmetric", 2, 0, 0);
    write_text(folder, "M.mtx", COORDINATE "2 2 3\n1 1 2\n1 2 1\n2 2 2\n");
    write_text(folder, "f.mtx", ARRAY "2 1\n3\n2\n");
    return folder;
}

const char *grid(int side)
{
    const char *folder = fresh_bundle("grid", side * side, side, 1);
    FILE *M = fopen(path_in(folder, "M.mtx"), "w"), *J = fopen(path_in(folder, "J.mtx"), "w");
    FILE *f = fopen(path_in(folder, "f.mtx"), "w");
    assert_true(M && J && f);
    fprintf(M, "%s%d %d %d\n", SYMMETRIC, side * side, side * side,
            side * side + 2 * side * (side - 1));
    fprintf(J, "%s%d %d %d\n", COORDINATE, side, side * side, 2 * side);
    fprintf(f, "%s%d 1\n", ARRAY, side * side);
    for (int j = 0; j < side * side; j++) {
        fprintf(M, "%d %d 5\n", j + 1, j + 1);
        if (j % side < side - 1) fprintf(M, "%d %d -1\n", j + 2, j + 1);
        if (j + side < side * side) fprintf(M, "%d %d -1\n", j + side + 1, j + 1);
        fprintf(f, "%d\n", j % 7 - 3);
    }
    for (int i = 0; i < side; i++)
        fprintf(J, "%d %d 1\n%d %d -1\n", i + 1, i + 1, i + 1, side * (side - 1) + i + 1);
    assert_int_equal(fclose(M) | fclose(J) | fclose(f), 0);
    return folder;
}
