/* SPDX-License-Identifier: MIT */
/* saddle recover: the solution of a reduced problem to that of the whole one, with what each
 * attachment carries. */
#include <stdio.h>

#include "elimination.h"
#include "failure.h"
#include "progress.h"
#include "text.h"
#include "verbs.h"

typedef struct recover_request {
    double tolerance;
    tool_wish wish;
    tool_input input;
    tool_friction friction;
} recover_request;

typedef struct recover_work {
    saddle_context *context;
    tool_problem read;
    saddle_elimination *elimination;
    saddle_solution reduced, whole;
    saddle_residual residual;
} recover_work;

static void clear(recover_work *work)
{
    saddle_elimination_free(work->elimination);
    saddle_solution_clear(&work->reduced);
    saddle_solution_clear(&work->whole);
    tool_problem_clear(&work->read);
    saddle_context_free(work->context);
}

/* The solution must be one of what this very reduction leaves. */
static saddle_status read_solution(recover_work *work, const char *path)
{
    const saddle_problem *problem = saddle_elimination_problem(work->elimination);
    const saddle_status status = saddle_solution_read(work->context, path, &work->reduced);
    if (status || (work->reduced.n == problem->n && work->reduced.m == problem->m)) return status;
    return saddle_fail(
        work->context, SADDLE_BAD_FILE,
        "%s: n = %lld, m = %lld, but the reduced problem has n = %lld, m = %lld: recover with the "
        "--attachments that it was reduced with",
        path, (long long)work->reduced.n, (long long)work->reduced.m, (long long)problem->n,
        (long long)problem->m);
}

static saddle_status recover(const recover_request *request, char **argument, recover_work *work)
{
    const saddle_problem *whole = &work->read.problem;
    saddle_status status = tool_context_create(&request->input, &work->context);
    if (status) return status;
    status = tool_problem_read(work->context, argument[0], &request->input, &request->friction,
                               &work->read);
    if (status) return status;
    tool_progress_label(work->read.name);
    status = tool_eliminate_all(work->context, argument[0], &work->read, &request->wish,
                                &work->elimination);
    if (status == SADDLE_OK) status = read_solution(work, argument[1]);
    if (status == SADDLE_OK)
        status = saddle_solution_create(work->context, whole->n, whole->m, &work->whole);
    if (status == SADDLE_OK)
        status = saddle_elimination_recover(work->elimination, &work->read.unreduced,
                                            &work->reduced, &work->whole);
    if (status == SADDLE_OK)
        status = saddle_solution_check(work->context, whole, &work->whole, &work->residual, NULL);
    if (status) return status;
    return saddle_solution_write(work->context, argument[2], &work->whole, NULL);
}

static int run(const void *given, int count, char **argument)
{
    (void)count;
    const recover_request *request = given;
    recover_work work = {0};
    tool_progress_start(0);
    const saddle_status status = recover(request, argument, &work);
    tool_progress_erase();
    int code = status ? tool_fail(work.context, status) : TOOL_EXIT_SOLVED;
    if (status == SADDLE_OK) {
        const saddle_residual *r = &work.residual;
        printf("problem    %s\n", tool_text_shown(work.read.name).text);
        tool_elimination_print(work.elimination);
        printf("residual   dynamics %s   rows %s   cone %s   total %s\n",
               tool_text_figure(r->dynamics).text, tool_text_figure(r->rows).text,
               tool_text_figure(r->cone).text, tool_text_figure(r->total).text);
        printf("output     %s: v, lambda with %lld multipliers of attachments behind, w\n",
               tool_text_shown(argument[2]).text,
               (long long)saddle_elimination_report_of(work.elimination).multipliers);
        if (!saddle_residual_is_solved(r, request->tolerance)) code = TOOL_EXIT_TOLERANCE;
    }
    clear(&work);
    tool_progress_stop();
    return code;
}

static void defaults(void *given)
{
    recover_request *request = given;
    request->tolerance = saddle_options_default().tolerance;
    tool_friction_defaults(&request->friction);
}

static const tool_option own_options[] = {
    {.name = "tol",
     .value = "T",
     .kind = TOOL_NUMBER,
     .offset = offsetof(recover_request, tolerance),
     .help = "the whole solution's total residual may be T"},
    {.name = NULL},
};

static const tool_group groups[] = {
    {"Options", 0, own_options},
    {"Attachments", offsetof(recover_request, wish), tool_wish_options},
    {"Friction", offsetof(recover_request, friction), tool_friction_options},
    {"Input", offsetof(recover_request, input), tool_input_options},
    {NULL, 0, NULL},
};

const tool_verb tool_verb_recover = {
    .name = "recover",
    .arguments = "PROBLEM SOLUTION OUT",
    .summary = "the whole solution from that of the reduced problem",
    .least = 3,
    .most = 3,
    .request_size = sizeof(recover_request),
    .defaults = defaults,
    .groups = groups,
    .run = run,
    .notes = "PROBLEM is the unreduced one, SOLUTION solves what saddle reduce PROBLEM left.  OUT "
             "gets all velocities and, "
             "behind\n"
             "the rows' multipliers, the impulse that each attached or prescribed velocity takes, "
             "by ascending velocity;\n"
             "saddle check PROBLEM OUT judges it.\n\n"
             "Example:\n"
             "  saddle recover data/links answer whole\n",
};
