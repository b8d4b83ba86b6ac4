/* SPDX-License-Identifier: MIT */
/* Reading a problem: bounds and kinds of rows, names, words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/problem_internal.h"

double saddle_problem_lo(const saddle_problem *problem, int64_t row)
{
    if (!problem) return 0.0;
    return saddle__lo(problem, row);
}

double saddle_problem_hi(const saddle_problem *problem, int64_t row)
{
    if (!problem) return 0.0;
    return saddle__hi(problem, row);
}

int64_t saddle_problem_row_id(const saddle_problem *problem, int64_t row)
{
    if (!problem) return -1;
    return problem->row_id ? problem->row_id[row] : row;
}

int64_t saddle_problem_facets(const saddle_problem *problem)
{
    if (!problem) return 0;
    return problem->facets > 0 ? problem->facets : 8;
}

saddle_row_kind saddle_problem_bound_kind(const saddle_problem *problem, int64_t row)
{
    if (!problem) return SADDLE_ROW_EQUALITY;
    int finite = isfinite(saddle__lo(problem, row)) + isfinite(saddle__hi(problem, row));
    if (finite == 0) return SADDLE_ROW_EQUALITY;
    return finite == 1 ? SADDLE_ROW_UNILATERAL : SADDLE_ROW_BOX;
}

saddle_row_counts saddle_problem_count_rows(const saddle_problem *problem)
{
    if (!problem) return (saddle_row_counts){0};
    saddle_row_counts counts = {0, 0, 0, 0};
    int64_t c = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        while (c < problem->contact_count &&
               i >= problem->contacts[c].row + problem->contacts[c].size)
            c++;
        if (c < problem->contact_count && i >= problem->contacts[c].row) {
            counts.contact++;
            continue;
        }
        int finite = (isfinite(saddle__lo(problem, i)) != 0) +
                     (isfinite(saddle__hi(problem, i)) != 0);
        counts.equality += finite == 0;
        counts.unilateral += finite == 1;
        counts.box += finite == 2;
    }
    return counts;
}

void saddle_problem_describe_row(const saddle_problem *problem, int64_t row, char *text,
                                 size_t size)
{
    if (!problem || !text) return;
    const char *name = problem->row_name ? problem->row_name[row] : NULL;
    long long number = (long long)row + 1;
    if (problem->row_id && name)
        (void)snprintf(text, size, "row %lld (id %lld, %s)", number,
                       (long long)problem->row_id[row], name);
    else if (problem->row_id)
        (void)snprintf(text, size, "row %lld (id %lld)", number, (long long)problem->row_id[row]);
    else if (name)
        (void)snprintf(text, size, "row %lld (%s)", number, name);
    else
        (void)snprintf(text, size, "row %lld", number);
}

void saddle_problem_describe_velocity(const saddle_problem *problem, int64_t column, char *text,
                                      size_t size)
{
    if (!problem || !text) return;
    int64_t first = 0;
    for (int64_t c = 0; problem->component_size && c < problem->component_count; c++) {
        int64_t local = column - first;
        if (local < problem->component_size[c] && problem->component_name &&
            problem->component_name[c]) {
            (void)snprintf(text, size, "velocity %lld (%s[%lld])", (long long)column + 1,
                           problem->component_name[c], (long long)local);
            return;
        }
        if (local < problem->component_size[c]) break;
        first += problem->component_size[c];
    }
    (void)snprintf(text, size, "velocity %lld", (long long)column + 1);
}

const char *saddle_law_word(saddle_law law)
{
    switch (law) {
#define WORD_CASE(name, word) \
    case name: return word;
        SADDLE_LAW_LIST(WORD_CASE)
#undef WORD_CASE
    }
    return "?";
}

saddle_status saddle_law_from_word(const char *word, saddle_law *law)
{
    if (!word || !law) return SADDLE_INVALID_ARGUMENT;
#define WORD_MATCH(name, text)     \
    if (strcmp(word, text) == 0) { \
        *law = name;               \
        return SADDLE_OK;          \
    }
    SADDLE_LAW_LIST(WORD_MATCH)
#undef WORD_MATCH
    return SADDLE_UNKNOWN_NAME;
}
