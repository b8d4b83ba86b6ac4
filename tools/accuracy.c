/* SPDX-License-Identifier: MIT */
/* saddle accuracy: every solver with every combination of varied options, and how many digits of
 * each answer are right. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unset.h"
#include "plot.h"
#include "progress.h"
#include "runs.h"
#include "scaling.h"
#include "text.h"

enum { VARIED_SIZE = 4, VALUES_SIZE = 32 };
enum {
    NAME,
    SOLVER,
    OPTIONS,
    STATUS,
    RESIDUAL,
    V,
    V_LEAST,
    LAMBDA,
    W,
    BOUND,
    CONDITION,
    TIME,
    COLUMNS
};
static const char *const titles[COLUMNS] = {"name",     "solver", "options",   "status",
                                            "residual", "v",      "least v",   "lambda",
                                            "w",        "bound",  "condition", "time"};

typedef struct accuracy_request {
    const char *solvers, *page;
    char vary[TOOL_TEXT_SIZE]; /* all --vary */
    int csv;
    tool_input input;
    tool_friction friction;
    tool_solving solving;
} accuracy_request;

/* An option and its values: "tol=1e-6,1e-8", or of one solver "ldlt.factorization=ldlt,klu". */
typedef struct variation {
    char *name;
    char *value[VALUES_SIZE];
    int count;
} variation;

/* What the plots show of a run; NAN = not known. */
typedef struct point {
    int problem, solver;
    int at[VARIED_SIZE]; /* values of the varied options; -1 = does not concern the solver */
    double v, lambda;    /* digits */
    double residual;
} point;

typedef struct study {
    const accuracy_request *request;
    tool_solver_list list;
    char words[TOOL_TEXT_SIZE]; /* request->vary cut up */
    variation varied[VARIED_SIZE];
    int varied_count;
    tool_table table;
    point *point; /* a run each */
    int64_t points, room;
    int problems; /* read so far */
} study;

/* ---- variations ---- */

static const tool_verb solving_alone = {
    .name = "accuracy",
    .arguments = "",
    .request_size = sizeof(tool_solving),
    .groups = {{"Solver", 0, tool_solving_options}},
};

/* "scale", which is no option of a solve: units drawn within that factor. */
static int is_scale(const char *name)
{
    return strcmp(name, "scale") == 0;
}

static int check_scale(const char *value)
{
    char *end;
    const double most = strtod(value, &end);
    if (end != value && *end == '\0' && most >= 1.0 && most <= 1e30) return 0;
    tool_error("--vary scale=%s: not a number from 1 to 1e30 (see saddle accuracy --help)", value);
    return -1;
}

/* Sets one option by its name; 0, or -1 with a message printed. */
static int set_option(tool_solving *solving, const char *name, const char *value)
{
    char head[80], text[160];
    int help;
    if (is_scale(name)) return check_scale(value);
    const int setting = strchr(name, '.') != NULL;
    snprintf(head, sizeof head, "--%s", setting ? "set" : name);
    snprintf(text, sizeof text, "%s%s%s", setting ? name : "", setting ? "=" : "", value);
    char *argument[] = {head, text, NULL};
    return tool_options_parse(&solving_alone, 2, argument, solving, &help);
}

/* Cuts "A=1,2 B=x,y" up and tries each value; 0, or -1 with a message printed. */
static int cut_variations(study *at)
{
    snprintf(at->words, sizeof at->words, "%s", at->request->vary);
    for (char *word = strtok(at->words, " "); word; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (!equals || equals == word) {
            tool_error("--vary %s: not NAME=V1,V2,.. (see saddle accuracy --help)", word);
            return -1;
        }
        if (at->varied_count == VARIED_SIZE) {
            tool_error("--vary: more than %d options (see saddle accuracy --help)",
                       (int)VARIED_SIZE);
            return -1;
        }
        variation *varied = &at->varied[at->varied_count++];
        *equals = '\0';
        varied->name = word;
        for (char *rest = equals + 1; rest;) {
            char *comma = strchr(rest, ',');
            tool_solving tried = at->request->solving;
            if (comma) *comma = '\0';
            if (varied->count == VALUES_SIZE) {
                tool_error("--vary %s: more than %d values (see saddle accuracy --help)", word,
                           (int)VALUES_SIZE);
                return -1;
            }
            if (set_option(&tried, word, rest)) return -1;
            varied->value[varied->count++] = rest;
            rest = comma ? comma + 1 : NULL;
        }
    }
    return 0;
}

/* A setting of another solver changes nothing. */
static int concerns(const variation *varied, const char *solver)
{
    const char *dot = strchr(varied->name, '.');
    const size_t length = dot ? (size_t)(dot - varied->name) : 0;
    return !dot || strcmp(solver, "auto") == 0 ||
           (strlen(solver) == length && memcmp(solver, varied->name, length) == 0);
}

/* ---- one run ---- */

static double set_digits(tool_table_row *row, int column, double error)
{
    if (!isfinite(error)) return (double)NAN;
    const double digits = error > 0.0 ? fmax(0.0, -log10(error)) : 17.0;
    tool_table_set(row, column, "%.1f", digits);
    return digits;
}

static void add_reference(tool_table_row *row, const saddle_reference *r, point *to)
{
    const double bound = fmax(r->velocity.bound, fmax(r->impulse.bound, r->slack.bound));
    if (isfinite(bound)) tool_table_set(row, BOUND, "%.0e%s", bound, r->certified ? "" : " ?");
    if (isfinite(r->condition)) tool_table_set(row, CONDITION, "%.1e", r->condition);
    if (!(bound < 1e-15)) return; /* the reference is no better than the answer */
    if (r->n > 0) to->v = set_digits(row, V, r->velocity.largest);
    if (r->velocity.component >= 0) (void)set_digits(row, V_LEAST, r->velocity.worst);
    if (r->m > 0) to->lambda = set_digits(row, LAMBDA, r->impulse.largest);
    if (r->m > 0) (void)set_digits(row, W, r->slack.largest);
}

/* A run with the problem in units drawn within `scale`; to: what the plots get. */
static saddle_status measure(study *at, saddle_context *context, const tool_problem *read,
                             const char *name, const tool_solving *solving, double scale,
                             const char *words, point *to)
{
    const saddle_options options = tool_solving_get(solving);
    const saddle_problem *problem = &read->problem;
    saddle_solver *solver = NULL;
    saddle_solution x = {0};
    saddle_reference reference = {0};
    tool_scaling scaling = {0};
    tool_table_row *row = tool_table_add(&at->table);
    saddle_status status = saddle_solution_create(context, problem->n, problem->m, &x);
    if (status == SADDLE_OK) status = saddle_solver_create(context, name, &options, &solver);
    if (status == SADDLE_OK && scale > 1.0)
        status = tool_scaling_make(context, problem, scale, &scaling);
    const double begun = saddle_clock();
    if (status == SADDLE_OK)
        status = tool_solve(solver, scale > 1.0 ? &scaling.problem : problem, NULL, &x);
    const double seconds = saddle_clock() - begun;
    if (scaling.of_v && scaling.of_rows) tool_scaling_undo(&scaling, &x);
    const saddle_report *report = solver ? saddle_solver_report(solver) : NULL;
    tool_table_set(row, NAME, "%s", read->name);
    tool_table_set(row, SOLVER, "%s", name);
    tool_table_set(row, OPTIONS, "%s", words);
    tool_table_set(row, STATUS, "%s", tool_status_word(status));
    if (status >= SADDLE_OK && report->seconds.solve > 0) {
        tool_table_set(row, RESIDUAL, "%.1e", report->residual.total);
        tool_table_set(row, TIME, "%.6f", seconds);
        const saddle_status made = saddle_reference_compute(context, problem, &x, &reference);
        to->residual = report->residual.total;
        if (made == SADDLE_OK) add_reference(row, &reference, to);
        if (made == SADDLE_OUT_OF_MEMORY) status = made;
    }
    saddle_reference_clear(&reference);
    tool_scaling_clear(&scaling);
    saddle_solution_clear(&x);
    saddle_solver_free(solver);
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_OK;
}

/* ---- all runs ---- */

static saddle_status keep_point(study *at, saddle_context *context, const point *p)
{
    if (at->points == at->room) {
        const int64_t room = 2 * at->room + 64;
        const saddle_status status = saddle__grow(context, &at->point, room, sizeof *at->point);
        if (status) return status;
        at->room = room;
    }
    at->point[at->points++] = *p;
    return SADDLE_OK;
}

/* Each combination of the options that concern a solver, the last option changing first. */
static saddle_status vary(study *at, saddle_context *context, const tool_problem *read,
                          int solver_at)
{
    const char *solver = at->list.solver[solver_at];
    int at_value[VARIED_SIZE] = {0};
    for (;;) {
        tool_solving solving = at->request->solving;
        char words[TOOL_CELL_SIZE] = "";
        double scale = 1.0;
        point p = {.problem = at->problems,
                   .solver = solver_at,
                   .v = (double)NAN,
                   .lambda = (double)NAN,
                   .residual = (double)NAN};
        for (int k = 0; k < at->varied_count; k++) {
            const variation *varied = &at->varied[k];
            p.at[k] = concerns(varied, solver) ? at_value[k] : -1;
            if (p.at[k] < 0) continue;
            if (is_scale(varied->name)) scale = strtod(varied->value[at_value[k]], NULL);
            const size_t used = strlen(words);
            (void)set_option(&solving, varied->name, varied->value[at_value[k]]);
            snprintf(words + used, sizeof words - used, "%s%s=%s", used > 0 ? " " : "",
                     varied->name, varied->value[at_value[k]]);
        }
        saddle_status status = measure(at, context, read, solver, &solving, scale, words, &p);
        if (status == SADDLE_OK) status = keep_point(at, context, &p);
        int k = at->varied_count - 1;
        if (status || tool_progress_interrupted()) return status;
        for (; k >= 0; k--) {
            if (concerns(&at->varied[k], solver) && ++at_value[k] < at->varied[k].count) break;
            at_value[k] = 0;
        }
        if (k < 0) return SADDLE_OK;
    }
}

static saddle_status study_problem(study *at, saddle_context *context, const char *path)
{
    tool_problem read = {0};
    tool_progress_label(path);
    saddle_status status = tool_problem_read(context, path, &at->request->input,
                                             &at->request->friction, &read);
    tool_path_name(path, read.name, sizeof read.name);
    if (status == SADDLE_OK) status = tool_problem_reduce(context, &read);
    for (int s = 0; status == SADDLE_OK && s < at->list.count && !tool_progress_interrupted(); s++)
        status = vary(at, context, &read, s);
    tool_problem_clear(&read);
    at->problems++;
    return status;
}

/* ---- the page ---- */

enum { LINE_SIZE = 2 * VALUES_SIZE };

/* The lines of a plot: points that differ by one option alone. */
typedef struct lines {
    tool_plot plot;
    char name[TOOL_PLOT_SERIES_SIZE][TOOL_CELL_SIZE];
    double x[TOOL_PLOT_SERIES_SIZE][LINE_SIZE], y[TOOL_PLOT_SERIES_SIZE][LINE_SIZE];
    const point *first[TOOL_PLOT_SERIES_SIZE];
} lines;

static int is_one_line(const study *at, const point *a, const point *b, int option)
{
    for (int k = 0; k < at->varied_count; k++)
        if (k != option && a->at[k] != b->at[k]) return 0;
    return a->solver == b->solver;
}

/* The solver, and the other options. */
static void name_line(const study *at, const point *p, int option, char *text)
{
    snprintf(text, TOOL_CELL_SIZE, "%s", at->list.solver[p->solver]);
    for (int k = 0; k < at->varied_count; k++) {
        const size_t used = strlen(text);
        if (k == option || p->at[k] < 0) continue;
        const char *dot = strchr(at->varied[k].name, '.');
        snprintf(text + used, TOOL_CELL_SIZE - used, " %s=%s", dot ? dot + 1 : at->varied[k].name,
                 at->varied[k].value[p->at[k]]);
    }
}

static void add_point(const study *at, lines *all, const point *p, int option, double x, double y)
{
    int s = 0;
    while (s < all->plot.series_count && !is_one_line(at, all->first[s], p, option)) s++;
    if (s == TOOL_PLOT_SERIES_SIZE) return;
    tool_series *series = &all->plot.series[s];
    if (s == all->plot.series_count) {
        all->plot.series_count++;
        all->first[s] = p;
        name_line(at, p, option, all->name[s]);
        *series = (tool_series){all->name[s], 0, all->x[s], all->y[s]};
    }
    if (series->count == LINE_SIZE) return;
    all->x[s][series->count] = x;
    all->y[s][series->count++] = y;
}

/* 1: all values are numbers above 0, for a logarithmic axis. */
static int are_numbers(const variation *varied)
{
    for (int k = 0; k < varied->count; k++) {
        char *end;
        if (!(strtod(varied->value[k], &end) > 0.0) || *end) return 0;
    }
    return 1;
}

/* which: 0 = digits of v, 1 = of lambda, 2 = residual; nothing where none is known. */
static void add_plot(const study *at, saddle__text *text, lines *all, int problem, int option,
                     int which)
{
    static const char *const label[] = {"correct digits of v", "correct digits of lambda",
                                        "residual"};
    const variation *varied = &at->varied[option];
    const int numbers = are_numbers(varied);
    all->plot = (tool_plot){.title = label[which],
                            .x_label = varied->name,
                            .y_label = label[which],
                            .log_x = numbers,
                            .log_y = which == 2,
                            .x_name = numbers ? NULL : (const char *const *)varied->value,
                            .x_names = varied->count};
    int known = 0;
    for (int64_t k = 0; k < at->points; k++) {
        const point *p = &at->point[k];
        const double y = which == 0 ? p->v : which == 1 ? p->lambda : p->residual;
        if (p->problem != problem || p->at[option] < 0) continue;
        add_point(at, all, p, option,
                  numbers ? strtod(varied->value[p->at[option]], NULL) : p->at[option], y);
        known |= isfinite(y);
    }
    if (known) tool_plot_add(text, &all->plot);
}

static saddle_status write_page(const study *at, saddle_context *context, char **argument)
{
    saddle__text text = {.context = context};
    lines *all = saddle_allocate(context, 1, sizeof *all);
    if (!all) return SADDLE_OUT_OF_MEMORY;
    tool_plot_page_begin(&text, "Accuracy");
    tool_plot_page_element(&text, "p",
                           "Correct digits are counted against a reference in 106 bits whose own "
                           "error is below the bound of the table.");
    for (int p = 0; p < at->problems; p++) {
        tool_plot_page_element(&text, "h2", argument[p]);
        for (int k = 0; k < at->varied_count; k++)
            for (int which = 0; at->varied[k].count > 1 && which < 3; which++)
                add_plot(at, &text, all, p, k, which);
    }
    tool_table printed = at->table;
    printed.columns = TIME; /* so that equal runs make equal pages */
    tool_plot_page_table(&text, &printed);
    saddle_release(context, all);
    return tool_plot_page_write(&text, at->request->page);
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    study at = {.request = given,
                .table = {.columns = COLUMNS,
                          .title = titles,
                          .right = ~(1u << NAME | 1u << SOLVER | 1u << OPTIONS | 1u << STATUS)}};
    const saddle_options options = tool_solving_get(&at.request->solving);
    saddle_status status = tool_session_open(session, &at.request->input);
    if (status == SADDLE_OK)
        status = tool_solver_list_cut(session->context, at.request->solvers, &options, &at.list);
    if (status) return status;
    if (cut_variations(&at)) {
        session->code = TOOL_EXIT_USAGE;
        return SADDLE_OK;
    }
    for (int p = 0; status == SADDLE_OK && argument[p] && !tool_progress_interrupted(); p++)
        status = study_problem(&at, session->context, argument[p]);
    tool_progress_erase();
    if (status && status != SADDLE_OUT_OF_MEMORY)
        session->code = tool_fail(session->context, status);
    if (status == SADDLE_OK && at.request->page) {
        status = write_page(&at, session->context, argument);
        if (status) session->code = tool_fail(session->context, status);
    }
    saddle_release(session->context, at.point);
    if (at.table.rows == 0 && session->code != TOOL_EXIT_SOLVED) return SADDLE_OK;
    const saddle_status printed = tool_table_print(&at.table, at.request->csv);
    return status == SADDLE_OUT_OF_MEMORY ? status : printed;
}

static void defaults(void *given)
{
    accuracy_request *request = given;
    request->solvers = "auto";
    tool_solving_defaults(&request->solving);
}

static const tool_option own_options[] = {
    {"solvers", TOOL_TEXT, offsetof(accuracy_request, solvers), "A,B",
     .help = "names of saddle solvers, with commas"},
    {"vary", TOOL_APPEND, offsetof(accuracy_request, vary), "NAME=V1,V2,..",
     .help = "values of an option below, of SOLVER.NAME, or of scale; may be repeated"},
    {"report", TOOL_TEXT, offsetof(accuracy_request, page), "PAGE.html",
     .help = "write a page with a plot of each varied option, and the table"},
    {"csv", TOOL_FLAG, offsetof(accuracy_request, csv), .help = "comma-separated values"},
    {.name = NULL},
};

const tool_verb tool_verb_accuracy = {
    .name = "accuracy",
    .arguments = "PROBLEM...",
    .summary = "correct digits by solver and by options, against certified references",
    .request_size = sizeof(accuracy_request),
    .defaults = defaults,
    .groups = {{"Options", 0, own_options},
               {"Friction", offsetof(accuracy_request, friction), tool_friction_options},
               {"Solver", offsetof(accuracy_request, solving), tool_solving_options},
               {"Input", offsetof(accuracy_request, input), tool_input_options}},
    .run = run,
    .notes =
        "Varied options are combined, each value with each.  scale=S solves the problem in units\n"
        "drawn within that factor, exactly, and back; ldlt.precision=single factors in float and\n"
        "refines in double.\n\n"
        "v, lambda, w: correct digits of all, over the largest; least v: of the worst velocity by\n"
        "itself; bound: of the reference's own error (?: not certified; above 1e-15 no digits are\n"
        "shown).  Each answer has the reference next to it, as saddle solve --reference.\n\n"
        "Examples:\n"
        "  saddle accuracy data/grid-rods --solvers ldlt,lu --vary regularization=1e-12,1e-8,1e-4\n"
        "  saddle accuracy data/chain --solvers ldlt --vary max-refinements=0,1,20 \\\n"
        "    --vary ldlt.factorization=ldlt,cholmod,umfpack,klu --csv\n",
};
