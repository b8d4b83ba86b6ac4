/* SPDX-License-Identifier: MIT */
/* See analysis.h. */
#include "analysis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"

const char *tool_measure_name(tool_measure measure)
{
    static const char *const names[] = {
#define MEASURE_NAME(name) #name,
        TOOL_MEASURES(MEASURE_NAME)
#undef MEASURE_NAME
    };
    return names[measure];
}

/* ---- costs ---- */

static int same_solver(const tool_results_run *a, const tool_results_run *b)
{
    return strcmp(a->solver, b->solver) == 0 && strcmp(a->settings, b->settings) == 0;
}

static int same_problem(const tool_results_run *a, const tool_results_run *b)
{
    return strcmp(a->path, b->path) == 0 && !(a->tolerance < b->tolerance) &&
           !(a->tolerance > b->tolerance);
}

/* The place of a case in a list, appended where it is new. */
static int64_t place_of(const tool_case **list, int64_t *count, const tool_case *at,
                        int (*same)(const tool_results_run *, const tool_results_run *))
{
    int64_t k = 0;
    while (k < *count && !same(list[k]->first, at->first)) k++;
    if (k == *count) list[(*count)++] = at;
    return k;
}

static void set_costs(const tool_results *results, const tool_cases *cases, tool_measure measure,
                      double *values, tool_grid *grid)
{
    for (int64_t k = 0; k < grid->problems * grid->solvers; k++) grid->cost[k] = (double)INFINITY;
    for (int64_t k = 0; k < cases->count; k++) {
        const tool_case *at = &cases->at[k];
        const int64_t p = place_of(grid->problem, &grid->problems, at, same_problem),
                      s = place_of(grid->solver, &grid->solvers, at, same_solver);
        double cost = tool_case_values(results, at, measure, values);
        if (measure == TOOL_BY_residual) cost = tool_median(values, at->count);
        if (isfinite(cost)) grid->cost[p * grid->solvers + s] = cost;
    }
}

saddle_status tool_grid_of(const tool_results *results, const tool_cases *cases,
                           tool_measure measure, tool_grid *grid)
{
    saddle_context *context = results->context;
    *grid = (tool_grid){.context = context};
    grid->problem = saddle_allocate(context, cases->count + 1, sizeof *grid->problem);
    grid->solver = saddle_allocate(context, cases->count + 1, sizeof *grid->solver);
    double *values = saddle_allocate(context, results->runs + 1, sizeof *values);
    int there = grid->problem && grid->solver && values;
    for (int64_t k = 0; there && k < cases->count; k++) {
        place_of(grid->problem, &grid->problems, &cases->at[k], same_problem);
        place_of(grid->solver, &grid->solvers, &cases->at[k], same_solver);
    }
    const int64_t cells = grid->problems * grid->solvers;
    if (there) grid->cost = saddle_allocate(context, cells + 1, sizeof *grid->cost);
    if (there) grid->ratio = saddle_allocate(context, cells + 1, sizeof *grid->ratio);
    there = there && grid->cost && grid->ratio;
    if (there) {
        set_costs(results, cases, measure, values, grid);
        tool_profile_ratios(grid->problems, grid->solvers, grid->cost, grid->ratio);
    }
    saddle_release(context, values);
    if (!there) tool_grid_clear(grid);
    return there ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void tool_grid_clear(tool_grid *grid)
{
    saddle__release_all(grid->context, (void *)grid->problem, (void *)grid->solver, grid->cost,
                        grid->ratio);
    *grid = (tool_grid){0};
}

/* ---- scaling ---- */

int tool_case_same_line(const tool_case *a, const tool_case *b)
{
    return strcmp(a->problem->family, b->problem->family) == 0 && same_solver(a->first, b->first) &&
           !(a->first->tolerance < b->first->tolerance) &&
           !(a->first->tolerance > b->first->tolerance);
}

/* One family by one solver; x, y, values: scratch. */
static tool_fit fit_line(const tool_results *results, const tool_cases *cases, const tool_case *of,
                         tool_measure measure, double *x, double *y, double *values)
{
    int64_t count = 0;
    for (int64_t k = 0; k < cases->count; k++) {
        const tool_case *at = &cases->at[k];
        if (!at->solved || !tool_case_same_line(of, at)) continue;
        x[count] = (double)(at->problem->n + at->problem->m);
        y[count++] = tool_case_values(results, at, measure, values);
    }
    return tool_fit_power(count, x, y);
}

saddle_status tool_scalings_of(const tool_results *results, const tool_cases *cases,
                               tool_measure measure, tool_scaling_line **list, int64_t *count)
{
    saddle_context *context = results->context;
    const int64_t room = cases->count + 1;
    double *scratch = saddle_allocate(context, 2 * room + results->runs, sizeof *scratch);
    *list = saddle_allocate(context, room, sizeof **list);
    *count = 0;
    for (int64_t k = 0; scratch && *list && k < cases->count; k++) {
        int64_t earlier = 0;
        while (earlier < k && !tool_case_same_line(&cases->at[earlier], &cases->at[k])) earlier++;
        if (earlier < k) continue;
        const tool_fit fit = fit_line(results, cases, &cases->at[k], measure, scratch,
                                      scratch + room, scratch + 2 * room);
        if (fit.count >= 3 && isfinite(fit.exponent))
            (*list)[(*count)++] = (tool_scaling_line){&cases->at[k], fit};
    }
    saddle_release(context, scratch);
    if (scratch && *list) return SADDLE_OK;
    saddle_release(context, *list);
    *list = NULL;
    return SADDLE_OUT_OF_MEMORY;
}

/* ---- the table ---- */

enum {
    NAME,
    N,
    M,
    CONTACTS,
    SOLVER,
    METHOD,
    TOLERANCE,
    STATUS,
    RESIDUAL,
    ITERATIONS,
    TIME,
    COLUMNS
};
static const char *const titles[COLUMNS] = {"name",     "n",          "m",   "contacts",
                                            "solver",   "method",     "tol", "status",
                                            "residual", "iterations", "time"};

static void add_line(tool_table *table, const tool_case *at, double seconds)
{
    char solver[TOOL_CELL_SIZE];
    const tool_results_problem *problem = at->problem;
    const tool_results_run *run = at->first;
    tool_table_row *row = tool_table_add(table);
    tool_case_solver(run, solver, sizeof solver);
    tool_table_set(row, NAME, "%s", problem->name);
    tool_table_set(row, N, "%lld", (long long)problem->n);
    tool_table_set(row, M, "%lld", (long long)problem->m);
    tool_table_set(row, CONTACTS, "%lld", (long long)problem->contacts);
    tool_table_set(row, SOLVER, "%s", solver);
    tool_table_set(row, METHOD, "%s", run->method);
    tool_table_set(row, TOLERANCE, "%g", run->tolerance);
    tool_table_set(row, STATUS, "%s", run->status);
    if (isfinite(run->residual)) tool_table_set(row, RESIDUAL, "%.2e", run->residual);
    if (isfinite(run->residual))
        tool_table_set(row, ITERATIONS, "%lld", (long long)run->iterations);
    if (isfinite(run->residual)) tool_table_set(row, TIME, "%.6f", seconds);
}

/* Names of the columns of comma-separated values: one measured quantity or one name each. */
static const char *const csv_titles[] = {"name",       "path",      "set",         "difficulty",
                                         "family",     "law",       "n",           "m",
                                         "contacts",   "solver",    "settings",    "method",
                                         "tolerance",  "status",    "repetitions", "residual",
                                         "iterations", "worst_row", "memory",      "analyse",
                                         "factor",     "solve",     "cpu",         "time"};
enum { CSV_COLUMNS = sizeof csv_titles / sizeof csv_titles[0] };

static double median_of(const tool_results *results, const tool_case *at, tool_measure measure,
                        double *values)
{
    (void)tool_case_values(results, at, measure, values);
    return tool_median(values, at->count);
}

static void add_csv_line(tool_table *table, const tool_results *results, const tool_case *at,
                         double *values)
{
    static const tool_measure phases[] = {TOOL_BY_analyse, TOOL_BY_factor, TOOL_BY_solve,
                                          TOOL_BY_cpu, TOOL_BY_time};
    const tool_results_problem *p = at->problem;
    const tool_results_run *run = at->first;
    tool_table_row *row = tool_table_add(table);
    int c = 0;
    const char *const names[] = {p->name, p->path, p->set, p->difficulty, p->family, p->law};
    const int64_t sizes[] = {p->n, p->m, p->contacts};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        tool_table_set(row, c++, "%s", names[k]);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        tool_table_set(row, c++, "%lld", (long long)sizes[k]);
    tool_table_set(row, c++, "%s", run->solver);
    tool_table_set(row, c++, "%s", run->settings);
    tool_table_set(row, c++, "%s", run->method);
    tool_table_set(row, c++, "%g", run->tolerance);
    tool_table_set(row, c++, "%s", run->status);
    tool_table_set(row, c++, "%lld", (long long)at->count);
    if (!isfinite(run->residual)) return;
    tool_table_set(row, c++, "%.6e", run->residual);
    tool_table_set(row, c++, "%lld", (long long)run->iterations);
    tool_table_set(row, c++, "%s", run->worst_row);
    tool_table_set(row, c++, "%lld", (long long)run->memory);
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++)
        tool_table_set(row, c++, "%.9f", median_of(results, at, phases[k], values));
}

saddle_status tool_results_print(const tool_results *results, const tool_cases *cases, int csv)
{
    tool_table table = {.columns = csv ? CSV_COLUMNS : COLUMNS,
                        .title = csv ? csv_titles : titles,
                        .right = 1u << N | 1u << M | 1u << CONTACTS | 1u << TOLERANCE |
                                 1u << RESIDUAL | 1u << ITERATIONS | 1u << TIME};
    double *values = saddle_allocate(results->context, results->runs + 1, sizeof *values);
    if (!values) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < cases->count; k++) {
        const tool_case *at = &cases->at[k];
        const double seconds = median_of(results, at, TOOL_BY_time, values);
        if (csv)
            add_csv_line(&table, results, at, values);
        else
            add_line(&table, at, seconds);
    }
    saddle_release(results->context, values);
    return tool_table_print(&table, csv);
}

/* ---- the profile ---- */

saddle_status tool_profile_print(const tool_results *results, const tool_cases *cases,
                                 tool_measure measure, int csv)
{
    static const double within[] = {1, 1.5, 2, 5, 10, 100};
    static const char *const profile_titles[] = {"solver", "1",  "1.5", "2",
                                                 "5",      "10", "100", "answers"};
    enum { FACTORS = sizeof within / sizeof *within };
    tool_table table = {.columns = FACTORS + 2, .title = profile_titles, .right = 0xFE};
    tool_grid grid;
    saddle_status status = tool_grid_of(results, cases, measure, &grid);
    for (int64_t s = 0; status == SADDLE_OK && s < grid.solvers; s++) {
        char solver[TOOL_CELL_SIZE];
        tool_table_row *row = tool_table_add(&table);
        tool_case_solver(grid.solver[s]->first, solver, sizeof solver);
        tool_table_set(row, 0, "%s", solver);
        for (int k = 0; k <= FACTORS; k++)
            tool_table_set(row, k + 1, "%.3f",
                           tool_profile_at(grid.problems, grid.solvers, grid.ratio, s,
                                           k < FACTORS ? within[k] : (double)INFINITY));
    }
    if (status) return status;
    tool_grid_clear(&grid);
    return tool_table_print(&table, csv);
}

/* ---- two files ---- */

typedef struct comparison {
    tool_results a, b;
    tool_cases a_cases, b_cases;
    tool_measure measure;
    double margin;
    double *values;  /* of all pairs */
    tool_pair *pair; /* of one solver */
    tool_table table;
    int worse; /* 1: more, or lost cases */
} comparison;

static const tool_case *find_case(const tool_cases *cases, const tool_results_run *run)
{
    for (int64_t k = 0; k < cases->count; k++)
        if (tool_case_compare(cases->at[k].first, run) == 0) return &cases->at[k];
    return NULL;
}

/* Pairs of a solver (NULL: of all); *lost, *gained: solved in one file alone. */
static int64_t pairs_of(comparison *at, const tool_results_run *solver, int64_t *lost,
                        int64_t *gained)
{
    int64_t count = 0;
    double *next = at->values;
    *lost = *gained = 0;
    for (int64_t k = 0; k < at->a_cases.count; k++) {
        const tool_case *a = &at->a_cases.at[k], *b = find_case(&at->b_cases, a->first);
        if (!b || (solver && !same_solver(solver, a->first))) continue;
        *lost += a->solved && !b->solved;
        *gained += !a->solved && b->solved;
        if (!a->solved || !b->solved) continue;
        at->pair[count++] = (tool_pair){next, next + a->count, a->count, b->count};
        (void)tool_case_values(&at->a, a, at->measure, next);
        (void)tool_case_values(&at->b, b, at->measure, next + a->count);
        next += a->count + b->count;
    }
    return count;
}

static saddle_status compare_solver(comparison *at, const tool_results_run *solver)
{
    static const char *const words[] = {"no change", "less", "more", "too few values"};
    int64_t lost, gained;
    char name[TOOL_CELL_SIZE] = "all";
    const int64_t count = pairs_of(at, solver, &lost, &gained);
    double *scratch = saddle_allocate(at->a.context, tool_compare_scratch(count), sizeof *scratch);
    if (!scratch) return SADDLE_OUT_OF_MEMORY;
    const tool_ratio ratio = tool_compare(count, at->pair, at->margin, scratch);
    saddle_release(at->a.context, scratch);
    if (solver) tool_case_solver(solver, name, sizeof name);
    tool_table_row *row = tool_table_add(&at->table);
    tool_table_set(row, 0, "%s", name);
    tool_table_set(row, 1, "%lld", (long long)count);
    if (count > 0) {
        tool_table_set(row, 2, "%.4f", ratio.ratio);
        tool_table_set(row, 3, "%.4f", ratio.low);
        tool_table_set(row, 4, "%.4f", ratio.high);
        tool_table_set(row, 5, "%.2g", ratio.sign);
    }
    tool_table_set(row, 6, "%lld", (long long)lost);
    tool_table_set(row, 7, "%lld", (long long)gained);
    tool_table_set(row, 8, "%s", words[ratio.verdict]);
    at->worse = at->worse || lost > 0 || ratio.verdict == TOOL_MORE;
    return SADDLE_OK;
}

static void warn_of_heads(const comparison *at, const char *a, const char *b)
{
    const tool_results_head *x = &at->a.head, *y = &at->b.head;
    if (strcmp(x->machine, y->machine) != 0)
        tool_error("%s and %s are of different machines", a, b);
    if (strcmp(x->options, y->options) != 0)
        tool_error("%s and %s were made with different options", a, b);
    if (at->a.heads > 1 || at->b.heads > 1)
        tool_error("one of the files is mixed: it has more than one head");
}

static saddle_status compare_all(comparison *at)
{
    saddle_context *context = at->a.context;
    saddle_status status = tool_cases_of(&at->a, &at->a_cases);
    if (status == SADDLE_OK) status = tool_cases_of(&at->b, &at->b_cases);
    if (status) return status;
    at->values = saddle_allocate(context, at->a.runs + at->b.runs + 1, sizeof *at->values);
    at->pair = saddle_allocate(context, at->a_cases.count + 1, sizeof *at->pair);
    if (!at->values || !at->pair) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < at->a_cases.count; k++) {
        int64_t earlier = 0;
        const tool_results_run *run = at->a_cases.at[k].first;
        while (!same_solver(at->a_cases.at[earlier].first, run)) earlier++;
        if (earlier == k) status = compare_solver(at, run);
    }
    return status ? status : compare_solver(at, NULL);
}

saddle_status tool_compare_print(tool_session *session, const char *a, const char *b,
                                 tool_measure measure, double margin, int csv)
{
    static const char *const compare_titles[] = {"solver", "cases", "ratio",  "low",    "high",
                                                 "sign",   "lost",  "gained", "verdict"};
    comparison at = {
        .measure = measure,
        .margin = margin,
        .table = {.columns = 9, .title = compare_titles, .right = 0xFE},
    };
    saddle_context *context = session->context;
    saddle_status status = tool_results_read(context, a, &at.a, NULL);
    if (status == SADDLE_OK) status = tool_results_read(context, b, &at.b, NULL);
    if (status == SADDLE_OK) warn_of_heads(&at, a, b);
    if (status == SADDLE_OK) status = compare_all(&at);
    at.table.failed |= status == SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY)
        status = tool_table_print(&at.table, csv);
    if (at.worse) session->code = TOOL_EXIT_TOLERANCE;
    saddle__release_all(context, at.values, at.pair);
    tool_cases_clear(&at.a_cases);
    tool_cases_clear(&at.b_cases);
    tool_results_clear(&at.a);
    tool_results_clear(&at.b);
    return status;
}
