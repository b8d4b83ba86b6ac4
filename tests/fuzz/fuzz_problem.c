/* SPDX-License-Identifier: MIT */
#include "fuzz_problem.h"

#include <stdlib.h>

#include "files/problem_file.h"

static const int64_t memory_limit = INT64_C(256) << 20;

static void demand(int holds)
{
    if (!holds) abort();
}

void fuzz_problem(saddle_format format, const char *text, int64_t length, const char *rhs,
                  int64_t rhs_length)
{
    saddle_context *context;
    saddle_context_options options = saddle_context_options_default();
    options.memory_limit = memory_limit;
    demand(saddle_context_create(&options, &context) == SADDLE_OK);
    int64_t bytes = saddle_context_memory(context).bytes;

    saddle__scan scan = saddle__scan_text(context, text ? text : "", length, "input");
    saddle__scan beside = saddle__scan_text(context, rhs ? rhs : "", rhs ? rhs_length : 0, "rhs");
    saddle_problem problem = {0};
    saddle_solution start = {0}, known = {0};
    saddle_status status = saddle__problem_scan(&scan, &format, rhs ? &beside : NULL, &problem,
                                                &start, &known);
    demand(status != SADDLE_INTERNAL &&
           (status == SADDLE_OK || saddle_context_message(context)[0]));
    if (status == SADDLE_OK) {
        demand(saddle_problem_check(context, &problem, NULL, NULL) == SADDLE_OK);
        demand(start.m == 0 || start.m == problem.m);
        demand(known.m == 0 || known.m == problem.m);
    }
    saddle_problem_clear(&problem);
    saddle_solution_clear(&start);
    saddle_solution_clear(&known);
    demand(saddle_context_memory(context).bytes == bytes);
    saddle_context_free(context);
}
