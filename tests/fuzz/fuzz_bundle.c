/* SPDX-License-Identifier: MIT */
/* Any bytes as the files of a problem bundle: what is accepted must pass the problem's check, and what has attachments can be
 * kept as rows. */
#include "fuzz_parts.h"

#include "files/bundle.h"
#include "saddle/elimination.h"
#include "table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_unreduced(saddle__source *source)
{
    saddle_problem problem, whole;
    saddle_attachments *graph;
    saddle_status status = saddle__attachments_parse(source, &problem, &graph);
    if (status != SADDLE_OK && (problem.n || problem.m || graph || !*saddle_context_message(source->context))) abort();
    if (graph) {
        if (saddle_attachments_velocities(graph) != problem.n) abort();
        status = saddle_attachments_keep(source->context, graph, &problem, &whole);
        if (status != SADDLE_OK && status != SADDLE_OUT_OF_MEMORY) abort();
        saddle_problem_clear(&whole);
    }
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
}

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
    read_unreduced(&source);
    saddle__source_close(&source);
    saddle_context_free(context);
    return 0;
}
