/* SPDX-License-Identifier: MIT */
/* saddle reduce: writes the reduced problem of a problem with attachments. saddle recover: the
 * solution of the reduced problem to the solution of the whole problem, with the impulse of each
 * attachment. */
#include <stdio.h>
#include <unistd.h>

#include "progress.h"
#include "text.h"

typedef struct reduce_request {
    double tolerance; /* recover's */
    tool_wish wish;
    tool_input input;
    tool_friction friction;
} reduce_request;

/* Reads a problem with attachments and reduces it. */
static saddle_status read_reduced(tool_session *session, const reduce_request *request,
                                  const char *path, saddle_elimination **elimination)
{
    const saddle_status status = tool_session_read(session, path, &request->input,
                                                   &request->friction);
    if (status) return status;
    if (!session->read.attachments)
        return saddle_fail(session->context, SADDLE_BAD_FILE, "%s: has no attachments", path);
    return tool_eliminate(session->context, &session->read, &request->wish,
                          saddle_options_default().threads, elimination);
}

/* ---- reduce ---- */

static saddle_status reduce(tool_session *session, const void *given, char **argument)
{
    const reduce_request *request = given;
    const char *target = argument[1];
    saddle_elimination *elimination = NULL;
    saddle_status status = read_reduced(session, request, argument[0], &elimination);
    const int replaced = access(target, F_OK) == 0;
    const saddle_problem *reduced = status == SADDLE_OK ? saddle_elimination_problem(elimination)
                                                        : NULL;
    if (reduced)
        status = saddle_problem_write(session->context, target, SADDLE_FORMAT_AUTO, reduced);
    tool_progress_erase();
    if (status == SADDLE_OK) {
        printf("problem    %s\n", tool_text_shown(session->read.name).text);
        tool_elimination_print(elimination);
        printf("output     %s%s: n = %lld, m = %lld%s\n", tool_text_shown(target).text,
               replaced ? " (replaced)" : "", (long long)reduced->n, (long long)reduced->m,
               tool_text_rows(reduced).text);
    }
    saddle_elimination_free(elimination);
    return status;
}

const tool_verb tool_verb_reduce = {
    .name = "reduce",
    .arguments = "PROBLEM OUT",
    .summary = "eliminate attachments: write the smaller problem",
    .request_size = sizeof(reduce_request),
    .groups = {{"Options", offsetof(reduce_request, wish), tool_wish_options},
               {"Friction", offsetof(reduce_request, friction), tool_friction_options},
               {"Input", offsetof(reduce_request, input), tool_input_options}},
    .run = reduce,
    .notes = "OUT is a bundle, or what its name says as for saddle convert.  Attachments kept are\n"
             "rows behind the others.  saddle recover gives the solution of the whole problem\n"
             "back; saddle solve PROBLEM does all three.\n\n"
             "Examples:\n"
             "  saddle reduce data/links small\n"
             "  saddle solve small --output answer\n"
             "  saddle recover data/links answer whole\n",
};

/* ---- recover ---- */

static saddle_status recover(tool_session *session, const void *given, char **argument)
{
    const reduce_request *request = given;
    const saddle_problem *problem = &session->read.problem;
    saddle_elimination *elimination = NULL;
    saddle_solution reduced = {0}, whole = {0};
    saddle_residual residual;
    saddle_status status = read_reduced(session, request, argument[0], &elimination);
    if (status == SADDLE_OK)
        status = tool_solution_read(session->context, argument[1],
                                    saddle_elimination_problem(elimination),
                                    ": recover with the --attachments that it was reduced with",
                                    &reduced);
    if (status == SADDLE_OK)
        status = saddle_solution_create(session->context, problem->n, problem->m, &whole);
    if (status == SADDLE_OK)
        status = saddle_elimination_recover(elimination, &session->read.unreduced, &reduced,
                                            &whole);
    if (status == SADDLE_OK)
        status = saddle_solution_check(session->context, problem, &whole, &residual, NULL);
    if (status == SADDLE_OK)
        status = saddle_solution_write(session->context, argument[2], &whole, NULL);
    tool_progress_erase();
    if (status == SADDLE_OK) {
        printf("problem    %s\n", tool_text_shown(session->read.name).text);
        tool_elimination_print(elimination);
        tool_residual_print("residual", &residual);
        printf("\noutput     %s: v, lambda with %lld multipliers of attachments behind, w\n",
               tool_text_shown(argument[2]).text,
               (long long)saddle_elimination_report_of(elimination).multipliers);
        if (!saddle_residual_is_solved(&residual, request->tolerance))
            session->code = TOOL_EXIT_TOLERANCE;
    }
    saddle_elimination_free(elimination);
    saddle_solution_clear(&reduced);
    saddle_solution_clear(&whole);
    return status;
}

static void recover_defaults(void *given)
{
    ((reduce_request *)given)->tolerance = saddle_options_default().tolerance;
}

static const tool_option recover_options[] = {
    {"tol", TOOL_NUMBER, offsetof(reduce_request, tolerance), "T",
     .help = "the whole solution's total residual may be T"},
    {.name = NULL},
};

const tool_verb tool_verb_recover = {
    .name = "recover",
    .arguments = "PROBLEM SOLUTION OUT",
    .summary = "the whole solution from that of the reduced problem",
    .request_size = sizeof(reduce_request),
    .defaults = recover_defaults,
    .groups = {{"Options", 0, recover_options},
               {"Attachments", offsetof(reduce_request, wish), tool_wish_options},
               {"Friction", offsetof(reduce_request, friction), tool_friction_options},
               {"Input", offsetof(reduce_request, input), tool_input_options}},
    .run = recover,
    .notes =
        "PROBLEM is the unreduced one, SOLUTION solves what saddle reduce PROBLEM left.  OUT\n"
        "gets all velocities and, behind the rows' multipliers, the impulse that each attached\n"
        "or prescribed velocity takes, by ascending velocity; saddle check PROBLEM OUT judges\n"
        "the result.\n\n"
        "Example:\n"
        "  saddle recover data/links answer whole\n",
};
