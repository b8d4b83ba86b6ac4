/* SPDX-License-Identifier: MIT */
/* A problem and solutions: copy, clear, bounds and kinds of rows, names, words of the laws. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "problem/problem_internal.h"

/* ---- copy and clear ---- */

static void clear_names(saddle_context *context, char **names, int64_t count)
{
    for (int64_t i = 0; names && i < count; i++) saddle_release(context, names[i]);
    saddle_release(context, (void *)names);
}

void saddle_problem_clear(saddle_problem *problem)
{
    if (!problem) return;
    if (problem->owner) {
        saddle_context *context = problem->context;
        saddle_matrix_clear(&problem->M);
        saddle_matrix_clear(&problem->Jt);
        saddle_matrix_clear(&problem->R);
        saddle__release_all(context, problem->f, problem->b, problem->lo, problem->hi,
                            problem->contacts, problem->row_id);
        clear_names(context, problem->row_name, problem->m);
        clear_names(context, problem->component_name, problem->component_count);
        saddle__release_all(context, problem->component_size, problem->name, problem->source);
    }
    memset(problem, 0, sizeof *problem);
}

/* *copy = count elements of array, or NULL where the array is NULL */
static saddle_status copy_array(saddle_context *context, const void *array, int64_t count,
                                size_t size, void **copy)
{
    *copy = NULL;
    if (!array) return SADDLE_OK;
    *copy = saddle_allocate(context, count, size);
    if (!*copy) return SADDLE_OUT_OF_MEMORY;
    if (count > 0) memcpy(*copy, array, (size_t)count * size);
    return SADDLE_OK;
}

char *saddle__copy_text(saddle_context *context, const char *text)
{
    size_t length = strlen(text);
    char *copy = saddle_allocate(context, (int64_t)length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

static saddle_status copy_name(saddle_context *context, const char *text, char **copy)
{
    *copy = NULL;
    if (!text) return SADDLE_OK;
    *copy = saddle__copy_text(context, text);
    return *copy ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status copy_names(saddle_context *context, char *const *names, int64_t count,
                                char ***copy)
{
    *copy = NULL;
    if (!names) return SADDLE_OK;
    *copy = saddle_allocate(context, count, sizeof **copy);
    saddle_status status = *copy ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < count; i++)
        status = copy_name(context, names[i], &(*copy)[i]);
    return status;
}

static saddle_status copy_matrices(saddle_context *context, const saddle_problem *from,
                                   saddle_problem *to)
{
    saddle_status status = saddle_matrix_copy(context, &from->M, &to->M);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, &from->Jt, &to->Jt);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, &from->R, &to->R);
    return status;
}

static saddle_status copy_vectors(saddle_context *context, const saddle_problem *from,
                                  saddle_problem *to)
{
    struct {
        const void *array;
        int64_t count;
        size_t size;
        void **copy;
    } vectors[] = {
        {from->f, from->n, sizeof *from->f, (void **)&to->f},
        {from->b, from->m, sizeof *from->b, (void **)&to->b},
        {from->lo, from->m, sizeof *from->lo, (void **)&to->lo},
        {from->hi, from->m, sizeof *from->hi, (void **)&to->hi},
        {from->contacts, from->contact_count, sizeof *from->contacts, (void **)&to->contacts},
        {from->row_id, from->m, sizeof *from->row_id, (void **)&to->row_id},
        {from->component_size, from->component_count, sizeof *from->component_size,
         (void **)&to->component_size},
    };
    saddle_status status = SADDLE_OK;
    for (size_t i = 0; status == SADDLE_OK && i < sizeof vectors / sizeof *vectors; i++)
        status = copy_array(context, vectors[i].array, vectors[i].count, vectors[i].size,
                            vectors[i].copy);
    return status;
}

static saddle_status copy_texts(saddle_context *context, const saddle_problem *from,
                                saddle_problem *to)
{
    saddle_status status = copy_names(context, from->row_name, from->m, &to->row_name);
    if (status == SADDLE_OK)
        status = copy_names(context, from->component_name, from->component_count,
                            &to->component_name);
    if (status == SADDLE_OK) status = copy_name(context, from->name, &to->name);
    if (status == SADDLE_OK) status = copy_name(context, from->source, &to->source);
    return status;
}

saddle_status saddle_problem_copy(saddle_context *context, const saddle_problem *problem,
                                  saddle_problem *copy)
{
    if (copy) memset(copy, 0, sizeof *copy);
    SADDLE__RETURN_UNLESS(context, problem && copy, "problem or copy is NULL");
    copy->owner = 1;
    copy->context = context;
    copy->n = problem->n;
    copy->m = problem->m;
    copy->contact_count = problem->contact_count;
    copy->component_count = problem->component_count;
    copy->law = problem->law;
    copy->facets = problem->facets;
    copy->time_step = problem->time_step;
    saddle_status status = copy_matrices(context, problem, copy);
    if (status == SADDLE_OK) status = copy_vectors(context, problem, copy);
    if (status == SADDLE_OK) status = copy_texts(context, problem, copy);
    if (status != SADDLE_OK) saddle_problem_clear(copy);
    return status;
}

saddle_status saddle_solution_create(saddle_context *context, int64_t n, int64_t m,
                                     saddle_solution *solution)
{
    SADDLE__RETURN_UNLESS(context, solution, "solution is NULL");
    memset(solution, 0, sizeof *solution);
    if (n < 0 || m < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "solution of negative size n = %lld, m = %lld", (long long)n,
                           (long long)m);
    solution->owner = 1;
    solution->context = context;
    solution->n = n;
    solution->m = m;
    solution->v = saddle_allocate(context, n, sizeof *solution->v);
    solution->lambda = saddle_allocate(context, m, sizeof *solution->lambda);
    solution->w = saddle_allocate(context, m, sizeof *solution->w);
    if (solution->v && solution->lambda && solution->w) return SADDLE_OK;
    saddle_solution_clear(solution);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle_solution_clear(saddle_solution *solution)
{
    if (!solution) return;
    if (solution->owner) {
        saddle__release_all(solution->context, solution->v, solution->lambda, solution->w);
    }
    memset(solution, 0, sizeof *solution);
}

saddle_status saddle__solution_check_size(saddle_context *context, const saddle_problem *problem,
                                          const saddle_solution *solution, const char *name,
                                          int with_w)
{
    int v = problem->n == 0 || solution->v;
    int rows = problem->m == 0 || (solution->lambda && (!with_w || solution->w));
    if (solution->n != problem->n || solution->m != problem->m)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the %s has n = %lld, m = %lld; the problem has n = %lld, m = %lld",
                           name, (long long)solution->n, (long long)solution->m,
                           (long long)problem->n, (long long)problem->m);
    if (v && rows) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the %s lacks v, lambda or w", name);
}

/* ---- rows, names, words ---- */

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
    int finite = (isfinite(saddle__lo(problem, row)) != 0) +
                 (isfinite(saddle__hi(problem, row)) != 0);
    if (finite == 0) return SADDLE_ROW_EQUALITY;
    return finite == 1 ? SADDLE_ROW_UNILATERAL : SADDLE_ROW_BOX;
}

saddle_row_counts saddle_problem_count_rows(const saddle_problem *problem)
{
    if (!problem) return (saddle_row_counts){0};
    saddle_row_counts counts = {0, 0, 0, 0};
    int64_t c = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        if (saddle__contact_of(problem, i, &c)) {
            counts.contact++;
            continue;
        }
        saddle_row_kind kind = saddle_problem_bound_kind(problem, i);
        counts.equality += kind == SADDLE_ROW_EQUALITY;
        counts.unilateral += kind == SADDLE_ROW_UNILATERAL;
        counts.box += kind == SADDLE_ROW_BOX;
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
