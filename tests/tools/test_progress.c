/* SPDX-License-Identifier: MIT */
/* The thread of the progress line beside the one that works, on a terminal of this process: the
 * code of the command that has two threads, with no more of the command than that. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "text.h"

/* That of the command takes care of bytes that are no text. */
tool_shown tool_text_shown(const char *text)
{
    tool_shown shown;
    snprintf(shown.text, sizeof shown.text, "%s", text);
    return shown;
}

/* stderr goes to a terminal, whose other end is returned; *before is what it was. */
static int onto_a_terminal(int *before)
{
    const int ours = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (ours < 0 || grantpt(ours) || unlockpt(ours)) skip();
    const int other = open(ptsname(ours), O_RDWR | O_NOCTTY);
    assert_true(other >= 0);
    *before = dup(STDERR_FILENO);
    assert_int_equal(dup2(other, STDERR_FILENO), STDERR_FILENO);
    close(other);
    return ours;
}

/* Reports iterations for that long; 1 where a report was told to stop. */
static int work(double seconds)
{
    const struct timespec nap = {.tv_nsec = 200000};
    const double end = saddle_clock() + seconds;
    saddle_progress at = {.phase = "solve", .limit = 1000000, .residual = 0.5};
    int stopped = 0;
    while (saddle_clock() < end && !stopped) {
        at.iteration++;
        stopped = tool_progress_callback(NULL, &at);
        nanosleep(&nap, NULL);
    }
    return stopped;
}

static void reports_labels_and_erasures_go_beside_the_line(void **state)
{
    char text[4096] = "";
    int before;
    (void)state;
    const int terminal = onto_a_terminal(&before);
    tool_progress_start(0);
    tool_progress_label("grid");
    const int stopped = work(1.3);
    tool_progress_erase();
    tool_progress_label("chain");
    tool_progress_phase("reference");
    const int again = work(1.3);
    raise(SIGINT);
    const int interrupted = work(0.1);
    tool_progress_carry_on();
    const int carried_on = work(0.01);
    tool_progress_stop();
    size_t used = 0;
    for (ssize_t got; (got = read(terminal, text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)got;
    dup2(before, STDERR_FILENO);
    close(before);
    close(terminal);
    assert_true(!stopped && !again && interrupted && !carried_on);
    assert_true(used > 4);
    assert_non_null(strstr(text, "grid  solve  iteration "));
    assert_non_null(strstr(text, "chain  solve  iteration "));
    assert_string_equal(text + used - 4, "\r\033[K");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_labels_and_erasures_go_beside_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
