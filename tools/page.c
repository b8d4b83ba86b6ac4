/* SPDX-License-Identifier: MIT */
/* See page.h.  The page is page.html with the results in place of "DATA", drawn by its script. */
#include "page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context_internal.h"
#include "files/output.h"
#include "files/text.h"
#include "page_html.h"

/* ---- JSON ---- */

static void begin_member(saddle__text *out, const char *key)
{
    const char last = out->length > 0 && out->characters ? out->characters[out->length - 1] : '{';
    if (last != '{' && last != '[') saddle__text_add(out, ",");
    if (!key) return;
    saddle__text_add_json_string(out, key);
    saddle__text_add(out, ":");
}

static void add_text(saddle__text *out, const char *key, const char *value)
{
    begin_member(out, key);
    saddle__text_add_json_string(out, value);
}

static void add_number(saddle__text *out, const char *key, double value)
{
    begin_member(out, key);
    saddle__text_add_json_double(out, value);
}

static void add_integer(saddle__text *out, const char *key, int64_t value)
{
    begin_member(out, key);
    saddle__text_add_integer(out, value);
}

static void open_value(saddle__text *out, const char *key, const char *bracket)
{
    begin_member(out, key);
    saddle__text_add(out, bracket);
}

static void add_head(saddle__text *out, const tool_results *results)
{
    const tool_results_head *head = &results->head;
    open_value(out, "head", "{");
    add_text(out, "machine", head->machine);
    add_text(out, "system", head->system);
    add_integer(out, "cores", head->cores);
    add_integer(out, "memory_bytes", head->memory_bytes);
    add_text(out, "version", head->version);
    add_text(out, "commit", head->commit);
    add_text(out, "program", head->program);
    add_text(out, "options", head->options);
    if (results->heads > 1)
        add_text(out, "mixed", "earlier lines are of other machines, programs or options");
    saddle__text_add(out, "}");
}

static void add_history(saddle__text *out, const saddle__json_list *history)
{
    const double *point = history->element;
    open_value(out, "history", "[");
    for (int64_t k = 0; k + 2 < history->count; k += 3) {
        open_value(out, NULL, "[");
        for (int i = 0; i < 3; i++) add_number(out, NULL, point[k + i]);
        saddle__text_add(out, "]");
    }
    saddle__text_add(out, "]");
}

/* The median of a quantity over the repetitions, null without an answer. */
static void add_median(saddle__text *out, const tool_results *results, const tool_case *at,
                       tool_measure measure, double *value)
{
    (void)tool_case_values(results, at, measure, value);
    add_number(out, tool_measure_name(measure),
               isfinite(at->first->residual) ? tool_median(value, at->count) : (double)NAN);
}

static void add_case(saddle__text *out, const tool_results *results, const tool_case *at,
                     double *value)
{
    static const tool_measure medians[] = {TOOL_BY_analyse, TOOL_BY_factor, TOOL_BY_solve,
                                           TOOL_BY_time};
    const tool_results_problem *problem = at->problem;
    const tool_results_run *run = at->first;
    open_value(out, NULL, "{");
    add_text(out, "path", problem->path);
    add_text(out, "name", problem->name);
    add_text(out, "set", problem->set);
    add_text(out, "difficulty", problem->difficulty);
    add_integer(out, "n", problem->n);
    add_integer(out, "m", problem->m);
    add_integer(out, "contacts", problem->contacts);
    add_text(out, "solver", run->solver);
    add_text(out, "settings", run->settings);
    add_text(out, "method", run->method);
    add_number(out, "tolerance", run->tolerance);
    add_text(out, "status", run->status);
    add_integer(out, "count", at->count);
    add_number(out, "residual", run->residual);
    if (isfinite(run->residual))
        add_integer(out, "iterations", run->iterations);
    else
        add_number(out, "iterations", (double)NAN);
    for (size_t k = 0; k < sizeof medians / sizeof *medians; k++)
        add_median(out, results, at, medians[k], value);
    add_integer(out, "memory", run->memory);
    add_text(out, "worst_row", run->worst_row);
    add_text(out, "worst_velocity", run->worst_velocity);
    add_text(out, "note", run->note);
    add_history(out, &run->history);
    saddle__text_add(out, "}");
}

static void add_problem(saddle__text *out, const tool_results_problem *problem)
{
    open_value(out, NULL, "{");
    add_text(out, "path", problem->path);
    add_text(out, "name", problem->name);
    add_integer(out, "n", problem->n);
    add_integer(out, "m", problem->m);
    add_text(out, "spy", problem->spy);
    saddle__text_add(out, "}");
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The finite ratios of a solver, sorted, into value (problems); their count. */
static int64_t sorted_ratios(const tool_grid *grid, int64_t solver, double *value)
{
    int64_t count = 0;
    for (int64_t p = 0; p < grid->problems; p++) {
        const double ratio = grid->ratio[p * grid->solvers + solver];
        if (isfinite(ratio)) value[count++] = ratio;
    }
    if (count > 0) qsort(value, (size_t)count, sizeof *value, by_value);
    return count;
}

static void add_profile(saddle__text *out, const tool_grid *grid, tool_measure measure,
                        double *value)
{
    open_value(out, NULL, "{");
    add_text(out, "measure", tool_measure_name(measure));
    add_integer(out, "problems", grid->problems);
    open_value(out, "solvers", "[");
    for (int64_t s = 0; s < grid->solvers; s++) {
        char name[TOOL_CELL_SIZE];
        const int64_t count = sorted_ratios(grid, s, value);
        tool_case_solver(grid->solver[s]->first, name, sizeof name);
        open_value(out, NULL, "{");
        add_text(out, "name", name);
        open_value(out, "ratios", "[");
        for (int64_t k = 0; k < count; k++) add_number(out, NULL, value[k]);
        saddle__text_add(out, "]}");
    }
    saddle__text_add(out, "]}");
}

static const tool_measure drawn[] = {TOOL_BY_time, TOOL_BY_iterations, TOOL_BY_residual};
enum { DRAWN = sizeof drawn / sizeof *drawn };

/* 1: the case belongs to the fitted line. */
static int is_on_line(const tool_scaling_line *scaling, const tool_case *at)
{
    return at->solved && tool_case_same_line(scaling->first, at);
}

static void add_scaling(saddle__text *out, const tool_results *results, const tool_cases *cases,
                        const tool_scaling_line *scaling, double *value)
{
    char name[TOOL_CELL_SIZE];
    tool_case_solver(scaling->first->first, name, sizeof name);
    open_value(out, NULL, "{");
    add_text(out, "family", scaling->first->problem->family);
    add_text(out, "solver", name);
    add_number(out, "exponent", scaling->fit.exponent);
    add_number(out, "low", scaling->fit.low);
    add_number(out, "high", scaling->fit.high);
    open_value(out, "points", "[");
    for (int64_t k = 0; k < cases->count; k++) {
        const tool_case *at = &cases->at[k];
        if (!is_on_line(scaling, at)) continue;
        open_value(out, NULL, "[");
        add_integer(out, NULL, at->problem->n + at->problem->m);
        add_number(out, NULL, tool_case_values(results, at, TOOL_BY_time, value));
        saddle__text_add(out, "]");
    }
    saddle__text_add(out, "]}");
}

/* What page and plots share. */
typedef struct drawing {
    tool_grid grid[DRAWN];
    tool_scaling_line *scaling;
    int64_t scalings;
    double *value; /* scratch */
} drawing;

static saddle_status prepare(const tool_results *results, const tool_cases *cases, drawing *made)
{
    saddle_status status = SADDLE_OK;
    *made = (drawing){.scaling = NULL};
    for (int k = 0; status == SADDLE_OK && k < DRAWN; k++)
        status = tool_grid_of(results, cases, drawn[k], &made->grid[k]);
    if (status == SADDLE_OK)
        status = tool_scalings_of(results, cases, TOOL_BY_time, &made->scaling, &made->scalings);
    if (status) return status;
    made->value = saddle_allocate(results->context, results->runs + 1, sizeof *made->value);
    return made->value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void clear(saddle_context *context, drawing *made)
{
    for (int k = 0; k < DRAWN; k++) tool_grid_clear(&made->grid[k]);
    saddle__release_all(context, made->scaling, made->value);
}

static void add_data(saddle__text *out, const tool_results *results, const tool_cases *cases,
                     const drawing *made)
{
    saddle__text_add(out, "{");
    add_head(out, results);
    open_value(out, "problems", "[");
    for (int64_t k = 0; k < results->problems; k++) add_problem(out, &results->problem[k]);
    saddle__text_add(out, "]");
    open_value(out, "cases", "[");
    for (int64_t k = 0; k < cases->count; k++) add_case(out, results, &cases->at[k], made->value);
    saddle__text_add(out, "]");
    open_value(out, "profiles", "[");
    for (int k = 0; k < DRAWN; k++) add_profile(out, &made->grid[k], drawn[k], made->value);
    saddle__text_add(out, "]");
    open_value(out, "scalings", "[");
    for (int64_t k = 0; k < made->scalings; k++)
        add_scaling(out, results, cases, &made->scaling[k], made->value);
    saddle__text_add(out, "]}");
}

/* A '<' in a text must not end the page's script element. */
static void write_escaped(saddle__output *file, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "<");
        saddle__output_bytes(file, text, (int64_t)length);
        text += length;
        if (*text) saddle__output_text(file, "\\u003c");
        text += *text != '\0';
    }
}

saddle_status tool_page_write(const tool_results *results, const tool_cases *cases,
                              const char *path)
{
    static const char mark[] = "\"DATA\"";
    const char *page = (const char *)page_html, *here = strstr(page, mark);
    saddle_context *context = results->context;
    saddle__text out = {.context = context};
    saddle__output file = {0};
    drawing made;
    char *text = NULL;
    saddle_status status = prepare(results, cases, &made);
    if (status == SADDLE_OK) add_data(&out, results, cases, &made);
    const saddle_status taken = saddle__text_take(&out, &text);
    if (status == SADDLE_OK) status = taken;
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &file);
    if (status == SADDLE_OK) {
        saddle__output_bytes(&file, page, here - page);
        write_escaped(&file, text);
        saddle__output_text(&file, here + sizeof mark - 1);
    }
    status = saddle__output_finish(&file, status);
    saddle_release(context, text);
    clear(context, &made);
    return status;
}

/* ---- gnuplot ---- */

/* The title of a block of data, in quotes as a column's head. */
static void add_title(saddle__text *out, const char *family, const char *solver)
{
    char title[2 * TOOL_CELL_SIZE];
    snprintf(title, sizeof title, "%s%s%s", family, family[0] ? " " : "", solver);
    for (char *at = title; *at; at++)
        if (*at == '"' || *at == '\n' || *at == '\\') *at = '\'';
    tool_text_addf(out, "\"%s\"\n", title);
}

static saddle_status write_table(saddle_context *context, const char *folder, const char *name,
                                 saddle__text *out)
{
    char *path = saddle__path_join(context, folder, name);
    saddle__text_add(out, "");
    const saddle_status status = tool_text_write(out, path);
    saddle_release(context, path);
    *out = (saddle__text){.context = context};
    return status;
}

static void add_profile_table(saddle__text *out, const tool_grid *grid, double *value)
{
    double most = 10.0; /* every line goes on to the right edge */
    for (int64_t k = 0; k < grid->problems * grid->solvers; k++)
        if (isfinite(grid->ratio[k])) most = fmax(most, grid->ratio[k]);
    for (int64_t s = 0; s < grid->solvers; s++) {
        char name[TOOL_CELL_SIZE];
        const int64_t count = sorted_ratios(grid, s, value);
        tool_case_solver(grid->solver[s]->first, name, sizeof name);
        add_title(out, "", name);
        tool_text_addf(out, "1 0\n");
        for (int64_t k = 0; k < count; k++)
            tool_text_addf(out, "%.6g %.6g\n", value[k], (double)(k + 1) / (double)grid->problems);
        tool_text_addf(out, "%.6g %.6g\n\n\n", most, (double)count / (double)grid->problems);
    }
}

static void add_scaling_table(saddle__text *out, const tool_results *results,
                              const tool_cases *cases, const drawing *made)
{
    for (int64_t k = 0; k < made->scalings; k++) {
        char name[TOOL_CELL_SIZE], title[TOOL_CELL_SIZE + 32];
        const tool_scaling_line *scaling = &made->scaling[k];
        tool_case_solver(scaling->first->first, name, sizeof name);
        snprintf(title, sizeof title, "%s, %.2f", name, scaling->fit.exponent);
        add_title(out, scaling->first->problem->family, title);
        for (int64_t c = 0; c < cases->count; c++)
            if (is_on_line(scaling, &cases->at[c]))
                tool_text_addf(out, "%lld %.6g\n",
                               (long long)(cases->at[c].problem->n + cases->at[c].problem->m),
                               tool_case_values(results, &cases->at[c], TOOL_BY_time, made->value));
        tool_text_addf(out, "\n\n");
    }
}

/* Returns the count of histories with two points and more. */
static int64_t add_history_table(saddle__text *out, const tool_cases *cases)
{
    int64_t blocks = 0;
    for (int64_t k = 0; k < cases->count; k++) {
        char name[TOOL_CELL_SIZE];
        const tool_case *at = &cases->at[k];
        const double *point = at->first->history.element;
        if (at->first->history.count < 6) continue;
        tool_case_solver(at->first, name, sizeof name);
        add_title(out, at->problem->name, name);
        for (int64_t i = 0; i + 2 < at->first->history.count; i += 3)
            tool_text_addf(out, "%.6g %.6g %.6g\n", point[i], point[i + 1], point[i + 2]);
        tool_text_addf(out, "\n\n");
        blocks++;
    }
    return blocks;
}

enum { NAMED_LINES = 20 }; /* more lines of a picture have no key */

static void add_script(saddle__text *out, const drawing *made, int64_t histories)
{
    tool_text_addf(out, "# made by saddle bench --plots: gnuplot plots.gp\n"
                        "do for [kind in \"svg png\"] {\n"
                        "  if (kind eq \"svg\") { set terminal svg size 900,600 noenhanced } else "
                        "{ set terminal pngcairo size 900,600 noenhanced }\n"
                        "  set grid; set key below\n");
    for (int k = 0; k < DRAWN; k++) {
        const char *name = tool_measure_name(drawn[k]);
        if (made->grid[k].solvers == 0) continue;
        tool_text_addf(
            out,
            "  set output sprintf(\"profile-%s.%%s\", kind)\n"
            "  set logscale x; unset logscale y; set yrange [0:1.02]; set xrange [1:*]\n"
            "  set xlabel \"within this factor of the least %s\"; set ylabel \"part of problems\"\n"
            "  plot for [k=0:%lld] \"profile-%s.dat\" index k using 1:2 with steps linewidth 2 "
            "title columnheader(1)\n",
            name, name, (long long)made->grid[k].solvers - 1, name);
    }
    tool_text_addf(out, "  set autoscale; set logscale y\n");
    if (made->scalings > 0)
        tool_text_addf(out,
                       "  set output sprintf(\"scaling.%%s\", kind)\n"
                       "  set xlabel \"n + m\"; set ylabel \"seconds\"\n"
                       "  plot for [k=0:%lld] \"scaling.dat\" index k using 1:2 smooth unique "
                       "with linespoints %s\n",
                       (long long)made->scalings - 1,
                       made->scalings > NAMED_LINES ? "notitle" : "title columnheader(1)");
    if (histories > 0)
        tool_text_addf(out,
                       "  set output sprintf(\"history.%%s\", kind)\n"
                       "  unset logscale x; set xlabel \"iterations\"; set ylabel \"residual\"\n"
                       "  plot for [k=0:%lld] \"history.dat\" index k using 2:3 with lines %s\n",
                       (long long)histories - 1,
                       histories > NAMED_LINES ? "notitle" : "title columnheader(1)");
    tool_text_addf(out, "}\n");
}

saddle_status tool_plots_write(const tool_results *results, const tool_cases *cases,
                               const char *folder)
{
    saddle_context *context = results->context;
    saddle__text out = {.context = context};
    drawing made;
    char name[64];
    saddle_status status = prepare(results, cases, &made);
    if (status == SADDLE_OK && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = saddle__fail_errno(context, folder, "cannot be written", errno);
    for (int k = 0; status == SADDLE_OK && k < DRAWN; k++) {
        snprintf(name, sizeof name, "profile-%s.dat", tool_measure_name(drawn[k]));
        add_profile_table(&out, &made.grid[k], made.value);
        status = write_table(context, folder, name, &out);
    }
    if (status == SADDLE_OK) add_scaling_table(&out, results, cases, &made);
    if (status == SADDLE_OK) status = write_table(context, folder, "scaling.dat", &out);
    const int64_t histories = status == SADDLE_OK ? add_history_table(&out, cases) : 0;
    if (status == SADDLE_OK) status = write_table(context, folder, "history.dat", &out);
    if (status == SADDLE_OK) add_script(&out, &made, histories);
    if (status == SADDLE_OK) status = write_table(context, folder, "plots.gp", &out);
    clear(context, &made);
    return status;
}
