/* SPDX-License-Identifier: MIT */
/* Any bytes as the files of a solution: what is accepted holds no NaN. */
#include "fuzz_parts.h"

#include <math.h>

#include "files/solution_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parts parts;
    fuzz_split((const char *)data, size, &parts);
    saddle_context *context = fuzz_context();
    saddle__source source = saddle__source_texts(context, parts.text, "solution");
    saddle_solution solution;
    saddle_status status = saddle__solution_parse(&source, &solution);
    for (int64_t i = 0; status == SADDLE_OK && i < solution.m; i++)
        if (isnan(solution.lambda[i]) || isnan(solution.w[i])) abort();
    if (status != SADDLE_OK && (solution.v || solution.n || !*saddle_context_message(context)))
        abort();
    saddle_solution_clear(&solution);
    saddle__source_close(&source);
    saddle_context_free(context);
    return 0;
}
