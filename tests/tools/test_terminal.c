/* SPDX-License-Identifier: MIT */
/* What happens on a terminal: the progress line, and Ctrl-C. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */
#include "run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct session {
    pid_t child;
    int terminal; /* our end; stderr of the child is the other */
    int code;
    char text[65536]; /* what came out of the terminal */
    size_t used;
} session;

/* The command with stderr on a terminal, and stdout there too where `both`. */
static void begin(session *at, int both, const char *const *words)
{
    char *argv[16] = {0};
    memset(at, 0, sizeof *at);
    at->terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (at->terminal < 0 || grantpt(at->terminal) || unlockpt(at->terminal)) skip();
    const char *name = ptsname(at->terminal);
    for (int i = 0; words[i]; i++) memcpy(&argv[i], &words[i], sizeof argv[i]);
    at->child = fork();
    if (at->child == 0) {
        const int other = open(name, O_RDWR | O_NOCTTY);
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDIN_FILENO);
        dup2(both ? other : nothing, STDOUT_FILENO);
        dup2(other, STDERR_FILENO);
        close(other);
        close(at->terminal);
        execv(SADDLE_BUILD_DIR "/saddle", argv);
        _exit(99);
    }
}

/* Collects for that long, or until `awaited` has come; 1 where it came. */
static int collect(session *at, double seconds, const char *awaited)
{
    const double end = saddle_clock() + seconds;
    while (saddle_clock() < end) {
        struct pollfd ready = {.fd = at->terminal, .events = POLLIN};
        if (poll(&ready, 1, 50) > 0) {
            const ssize_t got = read(at->terminal, at->text + at->used,
                                     sizeof at->text - 1 - at->used);
            if (got <= 0) return awaited && strstr(at->text, awaited) != NULL;
            at->used += (size_t)got;
            at->text[at->used] = '\0';
        }
        if (awaited && strstr(at->text, awaited)) return 1;
    }
    return 0;
}

static void end(session *at)
{
    int status = 0;
    collect(at, 30, NULL);
    assert_int_equal(waitpid(at->child, &status, 0), at->child);
    at->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    close(at->terminal);
}

#define ENDLESS "--solver", "admm", "--tol", "0", "--max-iter", "2000000000"

static void ctrl_c_stops_an_iteration_and_writes_the_result_so_far(void **state)
{
    static session at;
    (void)state;
    const char *folder = path_in(test_scratch_folder(), "answer");
    const char *const words[] = {"saddle", "solve", grid(40), ENDLESS, "--output", folder, NULL};
    begin(&at, 1, words);
    const int shown = collect(&at, 30, "iteration");
    kill(at.child, SIGINT);
    end(&at);
    assert_true(shown);
    assert_int_equal(at.code, 1);
    assert_non_null(strstr(at.text, "stopped"));
    assert_true(exists(path_in(folder, "v.mtx")));
    assert_true(exists(path_in(folder, "report.json")));
}

static void the_line_appears_after_a_second_and_is_erased(void **state)
{
    static session at;
    (void)state;
    const char *const words[] = {"saddle", "solve", grid(40), ENDLESS, "--time-limit", "2.5", NULL};
    begin(&at, 0, words);
    const double begun = saddle_clock();
    const int shown = collect(&at, 30, "grid  solve");
    const double waited = saddle_clock() - begun;
    end(&at);
    assert_true(shown);
    assert_true(waited > 0.9);
    assert_non_null(strstr(at.text, "  iteration "));
    assert_non_null(strstr(at.text, " s\033[K"));
    assert_true(at.used >= 4);
    assert_string_equal(at.text + at.used - 4, "\r\033[K"); /* the last thing said is the erasure */
    assert_int_equal(at.code, 1);
}

static void short_work_shows_no_line(void **state)
{
    static session at;
    (void)state;
    const char *const words[] = {"saddle", "solve", two_rods(), NULL};
    begin(&at, 0, words);
    end(&at);
    assert_int_equal(at.code, 0);
    assert_string_equal(at.text, "");
}

/* The step that was begun is not solved, and the object and the exit code say so. */
static void an_interrupted_simulation_says_so(void **state)
{
    static session at;
    (void)state;
    const char *scene = SADDLE_SOURCE_DIR "/examples/scenes/pendulum.json";
    const char *const words[] = {"saddle",  "simulate",   scene,    "--steps", "1000000000",
                                 "--every", "1000000000", "--json", NULL};
    begin(&at, 1, words);
    collect(&at, 0.5, NULL);
    kill(at.child, SIGINT);
    end(&at);
    assert_int_equal(at.code, 1);
    assert_non_null(strstr(at.text, "\"status\": \"SADDLE_STOPPED\""));
    assert_non_null(strstr(at.text, "\"unsolved\": 1,"));
    assert_non_null(strstr(at.text, "saddle: interrupted in step "));
}

/* Ctrl-C leaves whole runs in the file. */
static void a_benchmark_shows_the_time_left_and_stops(void **state)
{
    static session at;
    (void)state;
    const char *results = path_in(test_scratch_folder(), "a.jsonl");
    const char *const words[] = {"saddle",   "bench", grid(40),    "--solvers", "ldlt,lu",
                                 "--repeat", "1000",  "--results", results,     NULL};
    begin(&at, 0, words);
    const int shown = collect(&at, 30, " left: grid by l");
    kill(at.child, SIGINT);
    end(&at);
    assert_true(shown);
    assert_non_null(strstr(at.text, " of 2000, "));
    assert_int_equal(at.code, 1);
    size_t size;
    char *text = read_bytes(results, &size);
    assert_true(size > 0 && text[size - 1] == '\n');
    assert_non_null(strstr(text, "{\"line\":\"run\","));
    assert_null(strstr(text, "stopped"));
    free(text);
    const char *const again[] = {"bench", "--results", results};
    run compared = run_started(3, again);
    assert_int_equal(compared.code, 0);
    run_clear(&compared);
}

static void a_long_run_says_how_long_it_will_take(void **state)
{
    static session at;
    (void)state;
    const char *scene = SADDLE_SOURCE_DIR "/examples/scenes/pendulum.json";
    const char *const words[] = {"saddle",     "simulate", scene,        "--steps",
                                 "1000000000", "--every",  "1000000000", NULL};
    begin(&at, 0, words);
    const int shown = collect(&at, 30, " s left");
    kill(at.child, SIGINT);
    end(&at);
    assert_true(shown);
    assert_non_null(strstr(at.text, "step "));
    assert_non_null(strstr(at.text, " of 1000000000, "));
}

/* A program that reads the object and keeps stderr on a terminal gets no line there. */
static void json_for_a_program_shows_no_line(void **state)
{
    static session at;
    (void)state;
    const char *const words[] = {"saddle",       "solve", grid(40), ENDLESS,
                                 "--time-limit", "1.8",   "--json", NULL};
    begin(&at, 0, words);
    end(&at);
    assert_int_equal(at.code, 1);
    assert_string_equal(at.text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctrl_c_stops_an_iteration_and_writes_the_result_so_far),
        cmocka_unit_test(the_line_appears_after_a_second_and_is_erased),
        cmocka_unit_test(short_work_shows_no_line),
        cmocka_unit_test(an_interrupted_simulation_says_so),
        cmocka_unit_test(a_benchmark_shows_the_time_left_and_stops),
        cmocka_unit_test(a_long_run_says_how_long_it_will_take),
        cmocka_unit_test(json_for_a_program_shows_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
