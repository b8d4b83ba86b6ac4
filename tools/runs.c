/* SPDX-License-Identifier: MIT */
/* See runs.h. */
#include "runs.h"

#include <stdio.h>
#include <string.h>

#include "manual.h"

const char *tool_status_word(saddle_status status)
{
    switch (status) {
    case SADDLE_OK: return "solved";
    case SADDLE_NOT_CONVERGED: return "not converged";
    case SADDLE_ITERATION_LIMIT: return "iteration limit";
    case SADDLE_TIME_LIMIT: return "time limit";
    case SADDLE_STOPPED: return "stopped";
    case SADDLE_DIVERGED: return "diverged";
    case SADDLE_WRONG_INERTIA: return "inertia";
    case SADDLE_INFEASIBLE: return "no solution";
    case SADDLE_UNSUPPORTED: return "can't";
    case SADDLE_SINGULAR: return "singular";
    case SADDLE_OUT_OF_MEMORY: return "out of memory";
    default: return "failed";
    }
}

saddle_status tool_problem_reduce(saddle_context *context, tool_problem *read)
{
    saddle_elimination *elimination = NULL;
    saddle_problem left = {0};
    if (!read->attachments) return SADDLE_OK;
    saddle_status status = tool_eliminate(context, read, &(tool_wish){SADDLE_WISH_CHOOSE}, 1,
                                          &elimination);
    if (status == SADDLE_OK)
        status = saddle_problem_copy(context, saddle_elimination_problem(elimination), &left);
    saddle_elimination_free(elimination);
    if (status) return status;
    saddle_problem_clear(&read->problem);
    read->problem = left;
    return SADDLE_OK;
}

saddle_status tool_solver_list_cut(saddle_context *context, const char *text,
                                   const saddle_options *options, tool_solver_list *list)
{
    const saddle_status status = saddle_options_check(context, options);
    if (status) return status;
    if (strlen(text) >= sizeof list->names)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers: the list is too long");
    snprintf(list->names, sizeof list->names, "%s", text);
    char *rest = list->names;
    while (rest) {
        char *word = rest, *comma = strchr(rest, ',');
        saddle_solver *solver = NULL;
        rest = comma ? comma + 1 : NULL;
        if (comma) *comma = '\0';
        if (list->count == TOOL_SOLVERS_SIZE)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers: more than %d names",
                               (int)TOOL_SOLVERS_SIZE);
        const saddle_status known = tool_solver_create(context, word, options, &solver);
        saddle_solver_free(solver);
        if (known) return known;
        list->solver[list->count++] = word;
    }
    return SADDLE_OK;
}
