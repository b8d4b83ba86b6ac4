/* SPDX-License-Identifier: MIT */
/* The rule for NULL of saddle/saddle.h, over every public function: null_calls.h holds one call for
 * each pointer argument, and is written anew from the headers by each build.  Calls run in a
 * child; one that crashes ends the child, and another goes on behind it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "samples.h"
#include "support.h"

typedef struct null_call {
    const char *function;
    const char *argument; /* the one that is NULL, "all" = each pointer */
    int has_status;       /* 1: the function returns a status, 0: an empty result, or nothing */
    int optional;         /* 1: NULL stands for something; what is returned is not looked at */
    int speaks;           /* 1: another argument has a context, whose message names the failure */
    int (*call)(void);    /* the status; or 1 where the result is not empty, else 0 */
} null_call;

static int is_text(const char *text)
{
    return text && *text;
}

#include "null_calls.h"

enum { FINE = 0, WRONG_STATUS = 1, NOT_EMPTY = 2, SILENT = 3, LEFT = 4, CRASHED = 5 };
enum { CALLS = sizeof null_calls / sizeof null_calls[0] };

static int judge(const null_call *c)
{
    saddle_fail(sample.context, SADDLE_OK, "nothing failed");
    samples_forget_outputs();
    int result = c->call();
    if (c->optional) return FINE;
    if (!c->has_status) return result ? NOT_EMPTY : FINE;
    if (result != (int)SADDLE_INVALID_ARGUMENT) return WRONG_STATUS;
    if (!samples_no_output()) return LEFT;
    return c->speaks && strcmp(saddle_context_message(sample.context), "nothing failed") == 0
               ? SILENT
               : FINE;
}

/* Judges the calls from `first` on in a child process.  The child ends after the last call, after a
 * call with an effect (NULL is allowed there), or with a crash.  Returns the index behind the last
 * call judged in verdict[first ..]. */
static size_t judge_from(size_t first, unsigned char *verdict)
{
    int told[2];
    (void)fflush(stdout);
    (void)fflush(stderr);
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    if (child == 0) {
        /* cmocka catches them */
        static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
        for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
            (void)signal(signals[k], SIG_DFL);
        for (size_t k = first; k < CALLS; k++) {
            (void)alarm(20);
            const unsigned char mine = (unsigned char)judge(&null_calls[k]);
            if (write(told[1], &mine, 1) != 1 || null_calls[k].optional) break;
        }
        _exit(0);
    }
    close(told[1]);
    const size_t began = first;
    ssize_t got;
    int status = 0;
    for (; (got = read(told[0], &verdict[first], CALLS - first)) > 0; first += (size_t)got) {
    }
    close(told[0]);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    if (first < CALLS && (!WIFEXITED(status) || first == began)) verdict[first++] = CRASHED;
    return first;
}

static void every_public_function_takes_null_by_the_rule(void **state)
{
    static const char *const why[] = {
        "is fine",           "is not SADDLE_INVALID_ARGUMENT",    "returns something",
        "leaves no message", "leaves an output that is not NULL", "crashes"};
    (void)state;
    int broken = 0;
    unsigned char verdict[CALLS];
    for (size_t next = 0; next < CALLS;) next = judge_from(next, verdict);
    for (size_t k = 0; k < CALLS; k++) {
        if (verdict[k] == FINE) continue;
        broken++;
        print_error("%s, %s = NULL: %s\n", null_calls[k].function, null_calls[k].argument,
                    why[verdict[k]]);
    }
    assert_int_equal(broken, 0);
}

static int begin(void **state)
{
    (void)state;
    samples_make();
    return 0;
}

static int end(void **state)
{
    (void)state;
    samples_clear();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_public_function_takes_null_by_the_rule),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
