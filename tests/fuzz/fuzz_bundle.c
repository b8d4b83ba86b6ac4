/* SPDX-License-Identifier: MIT */
/* Any bytes as the files of a problem bundle: what is accepted must pass the problem's check, and
 * what has attachments can be kept as rows, and be eliminated unless that overflows or is too
 * large: the reduced problem then passes the check as well, forms again and gives a solution of the
 * whole one. */
#include "fuzz_parts.h"

#include "files/bundle.h"
#include "graph.h"
#include "saddle/elimination.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_VELOCITIES = 256, MOST_ROWS = 256 }; /* eliminated: enough of structure, and quick */

/* Whatever the values are: recovery takes solutions of the sizes that were announced. */
static void recover(saddle_context *context, const saddle_elimination *e,
                    const saddle_problem *problem)
{
    const saddle_problem *reduced = saddle_elimination_problem(e);
    const saddle_elimination_report size = saddle_elimination_report_of(e);
    saddle_solution solution = {0}, whole = {0};
    if (saddle_solution_create(context, reduced->n, reduced->m, &solution) == SADDLE_OK &&
        saddle_solution_create(context, size.n, size.m + size.multipliers, &whole) == SADDLE_OK) {
        for (int64_t i = 0; i < reduced->n; i++) solution.v[i] = (double)i - 1;
        if (saddle_elimination_recover(e, problem, &solution, &whole) != SADDLE_OK) abort();
        if (saddle_elimination_restrict(e, &whole, &solution) != SADDLE_OK) abort();
        for (int64_t i = 0; i < reduced->n; i++)
            if (solution.v[i] != (double)i - 1) abort();
    }
    saddle_solution_clear(&solution);
    saddle_solution_clear(&whole);
}

static void eliminate(saddle_context *context, const saddle_attachments *graph,
                      const saddle_problem *problem)
{
    static const saddle_wish wishes[] = {SADDLE_WISH_ELIMINATE, SADDLE_WISH_KEEP,
                                         SADDLE_WISH_CHOOSE};
    if (problem->n > MOST_VELOCITIES || problem->m > MOST_ROWS) return;
    saddle_options options = saddle_options_default();
    options.threads = 1;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        saddle_elimination *e;
        saddle_status status = saddle_elimination_create(context, graph, problem, wishes[i], NULL,
                                                         &options, &e);
        if (status == SADDLE_OK) {
            if (saddle_problem_check(context, saddle_elimination_problem(e), NULL, NULL) !=
                SADDLE_OK)
                abort();
            if (saddle_elimination_form(e, graph, problem) != SADDLE_OK) abort();
            recover(context, e, problem);
        } else if (e || !*saddle_context_message(context) ||
                   (status != SADDLE_INVALID_PROBLEM && status != SADDLE_OUT_OF_MEMORY &&
                    status != SADDLE_TOO_LARGE)) {
            abort();
        }
        saddle_elimination_free(e);
    }
}

static void read_unreduced(saddle__source *source)
{
    saddle_problem problem, whole;
    saddle_attachments *graph;
    saddle_status status = saddle__attachments_parse(source, &problem, &graph);
    if (status != SADDLE_OK &&
        (problem.n || problem.m || graph || !*saddle_context_message(source->context)))
        abort();
    if (graph) {
        if (saddle_attachments_velocities(graph) != problem.n) abort();
        status = saddle_attachments_keep(source->context, graph, &problem, &whole);
        if (status != SADDLE_OK && status != SADDLE_OUT_OF_MEMORY) abort();
        saddle_problem_clear(&whole);
        eliminate(source->context, graph, &problem);
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
    saddle_status status = saddle__bundle_parse(&source, &problem, NULL);
    if (status == SADDLE_OK && saddle_problem_check(context, &problem, NULL, NULL) != SADDLE_OK)
        abort();
    if (status != SADDLE_OK && (problem.n || problem.m || !*saddle_context_message(context)))
        abort();
    saddle_problem_clear(&problem);
    read_unreduced(&source);
    saddle__source_close(&source);
    saddle_context_free(context);
    return 0;
}
