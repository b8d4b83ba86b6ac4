/* SPDX-License-Identifier: MIT */
/* Any bytes as the files of a problem bundle: what is accepted must pass the problem's check. */
#include "fuzz_parts.h"

#include "files/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parts parts;
    fuzz_split((const char *)data, size, &parts);
    saddle_context *context = fuzz_context();
    saddle__source source = saddle__source_texts(context, parts.text, "bundle");
    saddle_problem problem;
    saddle_status status = saddle__bundle_parse(&source, &problem);
    if (status == SADDLE_OK && saddle_problem_check(context, &problem, NULL, NULL) != SADDLE_OK) abort();
    if (status != SADDLE_OK && (problem.n || problem.m || !*saddle_context_message(context))) abort();
    saddle_problem_clear(&problem);
    saddle__source_close(&source);
    saddle_context_free(context);
    return 0;
}
