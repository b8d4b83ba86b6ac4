/* SPDX-License-Identifier: MIT */
/* See dependencies.h. */
#include "dependencies.h"

#include <stdio.h>

#include "text.h"

enum { LINES = 20, TERMS = 8, LINE_SIZE = 2000 };

int tool_dependencies_wanted(const tool_rank_request *request)
{
    return request->wanted || request->all_rows || request->rigid || request->all_lines;
}

saddle_status tool_dependencies_find(saddle_context *context, const saddle_problem *problem,
                                     const tool_rank_request *request, saddle_rank *rank)
{
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = request->all_rows;
    options.ignore_compliance = request->rigid;
    return saddle_rank_find(context, problem, &options, rank);
}

/* ---- as text ---- */

static void print_line(const saddle_problem *problem, const tool_rank_request *request,
                       const saddle_dependency *d)
{
    char line[LINE_SIZE];
    saddle_rank_describe(problem, d, request->all_lines ? 0 : TERMS, line, sizeof line);
    printf("%s %s", d->inconsistent ? "contradicts" : "redundant  ", tool_text_shown(line).text);
    if (d->inconsistent)
        printf("   b differs by %.6g (%.2g of its terms)", d->gap, d->relative_gap);
    printf("\n");
}

void tool_dependencies_print(const saddle_problem *problem, const tool_rank_request *request,
                             const saddle_rank *rank)
{
    printf("dependence  %lld of %lld %srows%s are independent, %lld redundant",
           (long long)rank->rank, (long long)rank->examined, request->all_rows ? "" : "equality ",
           request->rigid ? " of J" : " of [J R]",
           (long long)(rank->dependency_count - rank->inconsistent));
    if (rank->inconsistent > 0) printf(", %lld contradictory", (long long)rank->inconsistent);
    if (rank->rank > 0) printf(" [smallest singular value about %.2g]", rank->separation);
    printf("\n");
    int64_t shown = 0;
    for (int inconsistent = 1; inconsistent >= 0; inconsistent--) {
        for (int64_t t = 0; t < rank->dependency_count; t++) {
            if (rank->dependency[t].inconsistent != inconsistent) continue;
            if (shown == LINES && !request->all_lines) break;
            print_line(problem, request, &rank->dependency[t]);
            shown++;
        }
    }
    if (shown < rank->dependency_count)
        printf("            and %lld more: --all-lines\n",
               (long long)(rank->dependency_count - shown));
}

/* ---- as JSON ---- */

static json_t *dependency_to_json(const saddle_problem *problem, const saddle_dependency *d)
{
    json_t *terms = json_array();
    for (int64_t k = 0; k < d->count; k++)
        json_array_append_new(terms,
                              json_pack("[I, f]", (json_int_t)(d->other[k] + 1), d->factor[k]));
    const char *name = problem->row_name ? problem->row_name[d->row] : NULL;
    return json_pack("{s:I, s:I, s:o, s:o, s:f, s:o, s:f, s:b, s:b}", "row",
                     (json_int_t)(d->row + 1), "id",
                     (json_int_t)saddle_problem_row_id(problem, d->row), "name",
                     name ? tool_json_text(name) : json_null(), "terms", terms, "residual",
                     d->residual, "gap", tool_json_number(d->gap), "relative_gap", d->relative_gap,
                     "judged", d->judged, "inconsistent", d->inconsistent);
}

json_t *tool_dependencies_to_json(const saddle_problem *problem, const saddle_rank *rank)
{
    json_t *list = json_array();
    for (int64_t t = 0; t < rank->dependency_count; t++)
        json_array_append_new(list, dependency_to_json(problem, &rank->dependency[t]));
    return json_pack("{s:I, s:I, s:f, s:b, s:I, s:o}", "examined", (json_int_t)rank->examined,
                     "rank", (json_int_t)rank->rank, "separation", rank->separation, "ordered",
                     rank->ordered, "inconsistent", (json_int_t)rank->inconsistent, "dependencies",
                     list);
}
