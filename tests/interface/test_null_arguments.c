/* SPDX-License-Identifier: MIT */
/* The rule for NULL of saddle/saddle.h, over every public function: null_calls.h holds one call for
 * each pointer argument, and is written anew from the headers by each build.  Each call runs in a
 * process of its own. */
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

enum { FINE = 0, WRONG_STATUS = 1, NOT_EMPTY = 2, SILENT = 3, LEFT = 4 };

static int judge(const null_call *c)
{
    saddle_fail(sample.context, SADDLE_OK, "nothing failed");
    int result = c->call();
    if (c->optional) return FINE;
    if (!c->has_status) return result ? NOT_EMPTY : FINE;
    if (result != (int)SADDLE_INVALID_ARGUMENT) return WRONG_STATUS;
    if (!samples_no_output()) return LEFT;
    return c->speaks && strcmp(saddle_context_message(sample.context), "nothing failed") == 0
               ? SILENT
               : FINE;
}

/* 1 and a line where the call breaks the rule. */
static int breaks_the_rule(const null_call *c)
{
    static const char *const why[] = {"", "is not SADDLE_INVALID_ARGUMENT", "returns something",
                                      "leaves no message", "leaves an output that is not NULL"};
    (void)fflush(stdout);
    (void)fflush(stderr);
    pid_t child = fork();
    if (child == 0) {
        static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL}; /* cmocka catches
                                                                                    them */
        for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
            (void)signal(signals[k], SIG_DFL);
        (void)alarm(20);
        _exit(judge(c));
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == FINE) return 0;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    print_error("%s, %s = NULL: %s\n", c->function, c->argument,
                code > 0 && code <= LEFT ? why[code] : "crashes");
    return 1;
}

static void every_public_function_takes_null_by_the_rule(void **state)
{
    (void)state;
    int broken = 0;
    for (size_t k = 0; k < sizeof null_calls / sizeof null_calls[0]; k++)
        broken += breaks_the_rule(&null_calls[k]);
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
