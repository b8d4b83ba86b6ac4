/* SPDX-License-Identifier: MIT */
/* Defaults and ranges of the options shared by all solvers. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/options_internal.h"

static const saddle_options defaults = {
    .size = sizeof(saddle_options),
    .tolerance = 1e-10,
    .regularization = 1e-10,
    .max_refinements = 20,
    .ordering = SADDLE_ORDERING_BEST,
    .threads = 1,
    .warm_start = 1,
};

void saddle_options_init(saddle_options *options, size_t size)
{
    if (!options || size < sizeof options->size) return;
    memset(options, 0, size);
    memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
    options->size = size;
}

static saddle_status out_of_range(saddle_context *context, const char *field, double value,
                                  const char *range)
{
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "options: %s = %g is not %s", field, value,
                       range);
}

static saddle_status check_ranges(saddle_context *context, const saddle_options *options)
{
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
    if (options->threads < 1 || options->threads > 1024)
        return out_of_range(context, "threads", (double)options->threads, "in 1 .. 1024");
    if (options->warm_start != 0 && options->warm_start != 1)
        return out_of_range(context, "warm_start", (double)options->warm_start, "0 or 1");
    return SADDLE_OK;
}

saddle_status saddle__options_read(saddle_context *context, const saddle_options *options,
                                   saddle_options *read)
{
    *read = defaults;
    if (!options) return SADDLE_OK;
    if (options->size < sizeof options->size)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "options: size is %zu: start from saddle_options_default()",
                           options->size);
    if (options->size > sizeof *read)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "options: size is %zu, more than the %zu bytes of this library: the "
                           "program was compiled for a later one",
                           options->size, sizeof *read);
    memcpy(read, options, options->size);
    read->size = sizeof *read;
    return check_ranges(context, read);
}

saddle_status saddle_options_check(saddle_context *context, const saddle_options *options)
{
    saddle_options read;
    SADDLE__RETURN_UNLESS(context, options, "options is NULL");
    return saddle__options_read(context, options, &read);
}
