/* SPDX-License-Identifier: MIT */
/* The `saddle` command: finds the verb, reads options, runs the verb, checks the output. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "manual.h"
#include "progress.h"
#include "text.h"

const tool_verb *const tool_verbs[] = {
    &tool_verb_solve,     &tool_verb_info,
    &tool_verb_check,     &tool_verb_convert,
    &tool_verb_bundle,    &tool_verb_reduce,
    &tool_verb_recover,   &tool_verb_simulate,
    &tool_verb_replay,    &tool_verb_bench,
    &tool_verb_accuracy,  &tool_verb_solvers,
    &tool_verb_help_text, NULL,
};
enum { VERB_COUNT = sizeof tool_verbs / sizeof tool_verbs[0] - 1 };

static void complain_of_no_verb(void)
{
    char list[256] = "";
    for (int i = 0; i < VERB_COUNT; i++) {
        saddle__append(list, sizeof list, i == 0 ? "" : i == VERB_COUNT - 1 ? " or " : ", ");
        saddle__append(list, sizeof list, tool_verbs[i]->name);
    }
    tool_error("a verb is missing: %s (see saddle --help)", list);
}

static void complain_of_verb(const char *typed)
{
    char near[80];
    tool_suggestion suggestion = {0};
    for (int i = 0; i < VERB_COUNT; i++) tool_suggest(&suggestion, typed, tool_verbs[i]->name);
    tool_suggestion_words(&suggestion, "", near, sizeof near);
    tool_error("unknown verb '%s'%s (see saddle --help)", typed, near);
}

static int run_session(const tool_verb *verb, const void *request, char **argument)
{
    tool_session session = {.code = TOOL_EXIT_SOLVED};
    const int json = tool_options_flag(verb, request, "json");
    tool_progress_start(json && !isatty(STDOUT_FILENO));
    const saddle_status status = verb->run(&session, request, argument);
    const int code = status ? tool_fail(session.context, status) : session.code;
    if (code != TOOL_EXIT_SOLVED && json && !tool_json_printed())
        tool_json_print_failure(session.read.name[0] ? session.read.name : argument[0],
                                status ? status : SADDLE_INTERNAL, code);
    tool_problem_clear(&session.read);
    saddle_context_free(session.context);
    tool_progress_stop();
    return code;
}

static int run_verb(const tool_verb *verb, int argc, char **argv)
{
    int help, code = TOOL_EXIT_SOLVED;
    void *request = calloc(1, verb->request_size);
    if (!request) {
        tool_error("out of memory");
        return TOOL_EXIT_INTERNAL;
    }
    if (verb->defaults) verb->defaults(request);
    const int json = tool_options_word(verb, argc, argv, "json");
    if (tool_options_parse(verb, argc, argv, request, &help)) {
        code = TOOL_EXIT_USAGE;
        if (json) tool_json_print_failure(NULL, SADDLE_INVALID_ARGUMENT, code);
    } else if (help) {
        tool_options_help(verb, request);
    } else {
        code = run_session(verb, request, argv);
    }
    free(request);
    return code;
}

/* A full disk or a closed pipe must not pass for success. */
static int flush_output(int code)
{
    const int failed = fflush(stdout) == 0 ? 0 : errno;
    if (!failed && !ferror(stdout)) return code;
    tool_error("cannot write to the standard output%s%s", failed ? ": " : "",
               failed ? strerror(failed) : "");
    return code == TOOL_EXIT_SOLVED ? TOOL_EXIT_INPUT : code;
}

int main(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "";
    const tool_verb *verb = tool_verb_find(first);
    tool_json_begin();
    signal(SIGXFSZ, SIG_IGN); /* a write over the size limit of files fails, like any other failed
                                 write */
    if (verb) return flush_output(run_verb(verb, argc - 2, argv + 2));
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        tool_help_print();
        return flush_output(TOOL_EXIT_SOLVED);
    }
    if (strcmp(first, "--version") == 0) {
        printf("saddle %s\n", saddle_version());
        return flush_output(TOOL_EXIT_SOLVED);
    }
    if (argc < 2)
        complain_of_no_verb();
    else if (first[0] == '-')
        tool_error("unknown option %s (see saddle --help)", first);
    else
        complain_of_verb(first);
    return TOOL_EXIT_USAGE;
}
