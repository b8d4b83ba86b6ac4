/* SPDX-License-Identifier: MIT */
/* Defaults and ranges of the solver options. */
#include <math.h>

#include "saddle/options.h"

static const int64_t most_threads = 1024;

saddle_options saddle_options_default(void)
{
    saddle_options options = {
        .tolerance = 1e-10,
        .max_iterations = 0,
        .time_limit = 0.0,
        .regularization = 1e-10,
        .max_refinements = 20,
        .refine_to = 0.0,
        .condition = 0,
        .ordering = SADDLE_ORDERING_BEST,
        .factorization = SADDLE_FACTORIZATION_DEFAULT,
        .threads = 1,
        .warm_start = 1,
        .crash_steps = 50,
        .basis = SADDLE_BASIS_BEST,
        .lagged_friction = 0,
        .relaxation = 1.0,
        .check_every = 0,
    };
    return options;
}

static saddle_status out_of_range(saddle_context *context, const char *field, double value,
                                  const char *range)
{
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "options: %s = %g is not %s", field, value,
                       range);
}

saddle_status saddle_options_check(saddle_context *context, const saddle_options *options)
{
    saddle_context_clear_message(context);
    if (!options)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_options_check: options is NULL");
    if (options->threads == 0 && options->relaxation == 0.0)
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "options: threads and relaxation are 0: start from saddle_options_default()");
    if (!(options->tolerance >= 0 && isfinite(options->tolerance)))
        return out_of_range(context, "tolerance", options->tolerance, "a finite number >= 0");
    if (options->max_iterations < 0)
        return out_of_range(context, "max_iterations", (double)options->max_iterations, ">= 0");
    if (!(options->time_limit >= 0))
        return out_of_range(context, "time_limit", options->time_limit, ">= 0");
    if (!(options->regularization >= 0 && options->regularization < 1))
        return out_of_range(context, "regularization", options->regularization, "in [0, 1)");
    if (options->max_refinements < 0)
        return out_of_range(context, "max_refinements", (double)options->max_refinements, ">= 0");
    if (!(options->refine_to >= 0 && options->refine_to < 1))
        return out_of_range(context, "refine_to", options->refine_to, "in [0, 1)");
    if (options->condition != 0 && options->condition != 1)
        return out_of_range(context, "condition", (double)options->condition, "0 or 1");
    if (options->ordering < SADDLE_ORDERING_BEST || options->ordering > SADDLE_ORDERING_NATURAL)
        return out_of_range(context, "ordering", (double)options->ordering, "one of the list");
    if (options->factorization < SADDLE_FACTORIZATION_DEFAULT ||
        options->factorization > SADDLE_FACTORIZATION_KLU)
        return out_of_range(context, "factorization", (double)options->factorization,
                            "one of the list");
    if (options->threads < 1 || options->threads > most_threads)
        return out_of_range(context, "threads", (double)options->threads, "in 1 .. 1024");
    if (options->warm_start != 0 && options->warm_start != 1)
        return out_of_range(context, "warm_start", (double)options->warm_start, "0 or 1");
    if (options->crash_steps < 0)
        return out_of_range(context, "crash_steps", (double)options->crash_steps, ">= 0");
    if (options->basis < SADDLE_BASIS_BEST || options->basis > SADDLE_BASIS_COLUMNS)
        return out_of_range(context, "basis", (double)options->basis, "one of the list");
    if (options->lagged_friction != 0 && options->lagged_friction != 1)
        return out_of_range(context, "lagged_friction", (double)options->lagged_friction, "0 or 1");
    if (!(options->relaxation > 0 && options->relaxation < 2))
        return out_of_range(context, "relaxation", options->relaxation, "in (0, 2)");
    if (options->check_every < 0)
        return out_of_range(context, "check_every", (double)options->check_every, ">= 0");
    return SADDLE_OK;
}
