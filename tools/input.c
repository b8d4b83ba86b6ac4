/* SPDX-License-Identifier: MIT */
/* The options that several verbs share, and reading the problem they name. */
#include "input.h"

#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "progress.h"
#include "text.h"

static const char made_rhs_text[] = "K 1 (none given: the exact solution is all ones)";

const tool_word tool_format_words[] = {
#define FORMAT_WORD(name, word, text) {word, name},
    SADDLE_FORMAT_LIST(FORMAT_WORD)
#undef FORMAT_WORD
        {NULL, 0},
};

static const tool_word law_words[] = {
#define LAW_WORD(name, word) {word, name},
    SADDLE_LAW_LIST(LAW_WORD)
#undef LAW_WORD
        {NULL, 0},
};

static const tool_word ordering_words[] = {
    {"best", SADDLE_ORDERING_BEST},
    {"amd", SADDLE_ORDERING_AMD},
    {"metis", SADDLE_ORDERING_METIS},
    {"natural", SADDLE_ORDERING_NATURAL},
    {NULL, 0},
};

const tool_option tool_input_options[] = {
    {.name = "rhs",
     .value = "FILE",
     .kind = TOOL_TEXT,
     .offset = offsetof(tool_input, rhs),
     .help = "right-hand side of a bare matrix, or q of lcp-triplets",
     .unset = "K times ones"},
    {.name = "format",
     .value = "WORD",
     .kind = TOOL_WORD,
     .offset = offsetof(tool_input, format),
     .words = tool_format_words,
     .help = "format of the problem, a word of saddle convert --help"},
    {.name = "memory-limit",
     .value = "MIB",
     .kind = TOOL_COUNT,
     .offset = offsetof(tool_input, memory),
     .help = TOOL_MEMORY_HELP,
     .unset = "none"},
    {.name = NULL},
};

const tool_option tool_friction_options[] = {
    {.name = "friction",
     .kind = TOOL_WORD,
     .offset = offsetof(tool_friction, law),
     .words = law_words,
     .help = "law of all contacts",
     .unset = "the problem's"},
    {.name = "facets",
     .value = "N",
     .kind = TOOL_COUNT,
     .offset = offsetof(tool_friction, facets),
     .least = 2,
     .most = SADDLE_FACETS_AT_MOST,
     .help = "directions of a pyramid, 2 in the plane",
     .unset = "the problem's"},
    {.name = NULL},
};

#define FIELD(field) (offsetof(tool_solving, options) + offsetof(saddle_options, field))
const tool_option tool_solving_options[] = {
    {.name = "tol",
     .value = "T",
     .kind = TOOL_NUMBER,
     .offset = FIELD(tolerance),
     .help = "solved when the total residual is at most T"},
    {.name = "max-iter",
     .value = "N",
     .kind = TOOL_COUNT,
     .offset = FIELD(max_iterations),
     .help = "iterations, pivots or sweeps at most",
     .unset = "the solver's choice"},
    {.name = "time-limit",
     .value = "S",
     .kind = TOOL_NUMBER,
     .offset = FIELD(time_limit),
     .help = "seconds at most in the solve phase; analyse and factor are not limited",
     .unset = "none"},
    {.name = "regularization",
     .value = "X",
     .kind = TOOL_NUMBER,
     .offset = FIELD(regularization),
     .help = "of rows with R = 0, relative to the Delassus diagonal"},
    {.name = "max-refinements",
     .value = "N",
     .kind = TOOL_COUNT,
     .offset = FIELD(max_refinements),
     .help = "steps of iterative refinement at most"},
    {.name = "refine-to",
     .value = "X",
     .kind = TOOL_NUMBER,
     .offset = FIELD(refine_to),
     .help = "ldlt, lu: refine until so much of f and b is left; 0 = all the way"},
    {.name = "condition",
     .kind = TOOL_FLAG,
     .offset = FIELD(condition),
     .help = "estimate the condition number and the growth of the factors"},
    {.name = "ordering",
     .kind = TOOL_WORD,
     .offset = offsetof(tool_solving, ordering),
     .words = ordering_words,
     .help = "fill-reducing ordering"},
    {.name = "threads",
     .value = "N",
     .kind = TOOL_COUNT,
     .offset = FIELD(threads),
     .least = 1,
     .help = "of one factorization of ldlt or schur, at most"},
    {.name = "set",
     .value = "SOLVER.NAME=VALUE",
     .kind = TOOL_APPEND,
     .offset = offsetof(tool_solving, settings),
     .help = "a setting of one solver, as saddle solvers NAME lists them; may be repeated"},
    {.name = NULL},
};
#undef FIELD

void tool_friction_defaults(tool_friction *friction)
{
    friction->law = -1;
    friction->facets = 0;
}

void tool_solving_defaults(tool_solving *solving)
{
    solving->options = saddle_options_default();
    solving->ordering = (int)solving->options.ordering;
}

saddle_options tool_solving_get(const tool_solving *solving)
{
    saddle_options options = solving->options;
    options.ordering = (saddle_ordering)solving->ordering;
    options.settings = solving->settings;
    return options;
}

static void print_warning(void *user, saddle_log_level level, const char *message)
{
    (void)user;
    (void)level;
    tool_progress_erase();
    fprintf(stderr, "saddle: warning: %s\n", tool_text_shown(message).text);
}

saddle_status tool_context_create(const tool_input *input, saddle_context **context)
{
    saddle_context_options options = saddle_context_options_default();
    options.log = print_warning;
    options.log_level = SADDLE_LOG_WARNING;
    options.progress = tool_progress_callback;
    options.memory_limit = input->memory > INT64_MAX >> 20 ? INT64_MAX : input->memory << 20;
    return saddle_context_create(&options, context);
}

void tool_path_name(const char *path, char *text, size_t size)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') begin--;
    snprintf(text, size, "%.*s", (int)(end - begin), path + begin);
}

/* A bundle with attachments. */
static saddle_status read_attached(saddle_context *context, const char *path, tool_problem *read)
{
    saddle_status status = saddle_attachments_read(context, path, &read->unreduced,
                                                   &read->attachments);
    if (status == SADDLE_OK)
        status = saddle_attachments_keep(context, read->attachments, &read->unreduced,
                                         &read->problem);
    read->format = SADDLE_FORMAT_BUNDLE;
    return status;
}

static void set_friction(const tool_friction *friction, saddle_problem *problem)
{
    if (friction && friction->law >= 0) problem->law = (saddle_law)friction->law;
    if (friction && friction->facets > 0) problem->facets = friction->facets;
}

saddle_status tool_problem_read(saddle_context *context, const char *path, const tool_input *input,
                                const tool_friction *friction, tool_problem *read)
{
    const saddle_read_options options = {.format = (saddle_format)input->format, .rhs = input->rhs};
    const double begun = saddle_clock();
    memset(read, 0, sizeof *read);
    tool_progress_phase("read");
    saddle_status status = saddle_problem_read(context, path, &options, &read->problem,
                                               &read->start, NULL, &read->format);
    if (status == SADDLE_UNSUPPORTED && saddle__bundle_is(path))
        status = read_attached(context, path, read);
    if (status) return status;
    read->seconds = saddle_clock() - begun;
    read->made_rhs = !input->rhs && (read->format == SADDLE_FORMAT_MATRIX_MARKET ||
                                     read->format == SADDLE_FORMAT_SICONOS_MATRIX);
    set_friction(friction, &read->problem);
    set_friction(friction, &read->unreduced);
    if (read->problem.name && read->problem.name[0])
        snprintf(read->name, sizeof read->name, "%s", read->problem.name);
    else
        tool_path_name(path, read->name, sizeof read->name);
    return SADDLE_OK;
}

void tool_rhs_print(const tool_problem *read)
{
    if (read->made_rhs) printf("right-hand side  %s\n", made_rhs_text);
}

void tool_rhs_to_json(const tool_problem *read, json_t *object)
{
    if (read->made_rhs) json_object_set_new(object, "rhs", json_string(made_rhs_text));
}

void tool_problem_clear(tool_problem *read)
{
    saddle_solution_clear(&read->start);
    saddle_problem_clear(&read->problem);
    saddle_problem_clear(&read->unreduced);
    saddle_attachments_free(read->attachments);
}
