/* SPDX-License-Identifier: MIT */
/* saddle reduce: a problem with attachments to the smaller one that is left to solve. */
#include <stdio.h>
#include <unistd.h>

#include "elimination.h"
#include "failure.h"
#include "progress.h"
#include "text.h"
#include "verbs.h"

typedef struct reduce_request {
    tool_wish wish;
    tool_input input;
    tool_friction friction;
} reduce_request;

static void print_report(const tool_problem *read, const saddle_elimination *elimination,
                         const char *target, int replaced)
{
    const saddle_problem *reduced = saddle_elimination_problem(elimination);
    char rows[160];
    tool_text_rows(reduced, rows, sizeof rows);
    printf("problem    %s\n", tool_text_shown(read->name).text);
    tool_elimination_print(elimination);
    printf("output     %s%s: n = %lld, m = %lld%s\n", tool_text_shown(target).text,
           replaced ? " (replaced)" : "", (long long)reduced->n, (long long)reduced->m, rows);
}

static int run(const void *given, int count, char **argument)
{
    (void)count;
    const reduce_request *request = given;
    saddle_context *context = NULL;
    saddle_elimination *elimination = NULL;
    tool_problem read = {0};
    tool_progress_start(0);
    saddle_status status = tool_context_create(&request->input, &context);
    if (status == SADDLE_OK)
        status = tool_problem_read(context, argument[0], &request->input, &request->friction,
                                   &read);
    tool_progress_label(read.name);
    if (status == SADDLE_OK)
        status = tool_eliminate_all(context, argument[0], &read, &request->wish, &elimination);
    const int replaced = access(argument[1], F_OK) == 0;
    if (status == SADDLE_OK)
        status = saddle_problem_write(context, argument[1], SADDLE_FORMAT_AUTO,
                                      saddle_elimination_problem(elimination));
    tool_progress_erase();
    if (status == SADDLE_OK) print_report(&read, elimination, argument[1], replaced);
    const int code = status ? tool_fail(context, status) : TOOL_EXIT_SOLVED;
    saddle_elimination_free(elimination);
    tool_problem_clear(&read);
    saddle_context_free(context);
    tool_progress_stop();
    return code;
}

static void defaults(void *given)
{
    reduce_request *request = given;
    tool_friction_defaults(&request->friction);
}

static const tool_group groups[] = {
    {"Options", offsetof(reduce_request, wish), tool_wish_options},
    {"Friction", offsetof(reduce_request, friction), tool_friction_options},
    {"Input", offsetof(reduce_request, input), tool_input_options},
    {NULL, 0, NULL},
};

const tool_verb tool_verb_reduce = {
    .name = "reduce",
    .arguments = "PROBLEM OUT",
    .summary = "eliminate attachments: write the smaller problem",
    .least = 2,
    .most = 2,
    .request_size = sizeof(reduce_request),
    .defaults = defaults,
    .groups = groups,
    .run = run,
    .notes = "OUT is a bundle, or what its name says as for saddle convert.  Attachments kept are "
             "rows behind the others.\n"
             "saddle recover gives the solution of the whole problem back; saddle solve PROBLEM "
             "does all three.\n\n"
             "Examples:\n"
             "  saddle reduce data/links small\n"
             "  saddle solve small --output answer\n"
             "  saddle recover data/links answer whole\n",
};
