/* SPDX-License-Identifier: MIT */
/* Shared options, the session of a run, and reading of problems. */
#include "input.h"

#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "progress.h"
#include "text.h"

const tool_word tool_format_words[] = {
#define FORMAT_WORD(name, word, text) {word, name},
    SADDLE_FORMAT_LIST(FORMAT_WORD)
#undef FORMAT_WORD
        {NULL, 0},
};

static const tool_word law_words[] = {
#define LAW_WORD(name, word) {word, 1 + name},
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

static const tool_word wish_words[] = {
#define WISH_WORD(name, word) {word, name},
    SADDLE_ELIMINATION_WISH_LIST(WISH_WORD)
#undef WISH_WORD
        {NULL, 0},
};

const tool_option tool_input_options[] = {
    {"rhs", TOOL_TEXT, offsetof(tool_input, rhs), "FILE",
     .help = "right-hand side of a bare matrix, or q of lcp-triplets", .unset = "K times ones"},
    {"format", TOOL_WORD, offsetof(tool_input, format), "WORD",
     .help = "format of the problem, a word of saddle convert --help", .words = tool_format_words},
    {"memory-limit", TOOL_COUNT, offsetof(tool_input, memory), "MIB", .help = TOOL_MEMORY_HELP,
     .unset = "none"},
    {.name = NULL},
};

const tool_option tool_friction_options[] = {
    {"friction", TOOL_WORD, offsetof(tool_friction, law), .help = "law of all contacts",
     .words = law_words, .unset = "the problem's"},
    {"facets", TOOL_COUNT, offsetof(tool_friction, facets), "N",
     .help = "directions of a pyramid, 2 in the plane", .unset = "the problem's", .least = 2,
     .most = SADDLE_FACETS_AT_MOST},
    {.name = NULL},
};

#define FIELD(field) (offsetof(tool_solving, options) + offsetof(saddle_options, field))
const tool_option tool_solving_options[] = {
    {"tol", TOOL_NUMBER, FIELD(tolerance), "T",
     .help = "solved when the total residual is at most T"},
    {"max-iter", TOOL_COUNT, FIELD(max_iterations), "N",
     .help = "iterations, pivots or sweeps at most", .unset = "the solver's choice"},
    {"time-limit", TOOL_NUMBER, FIELD(time_limit), "S",
     .help = "seconds at most in the solve phase; analyse and factor are not limited",
     .unset = "none"},
    {"regularization", TOOL_NUMBER, FIELD(regularization), "X",
     .help = "of rows with R = 0, relative to the Delassus diagonal"},
    {"max-refinements", TOOL_COUNT, FIELD(max_refinements), "N",
     .help = "steps of iterative refinement at most"},
    {"refine-to", TOOL_NUMBER, FIELD(refine_to), "X",
     .help = "ldlt, lu: refine until so much of f and b is left; 0 = all the way"},
    {"condition", TOOL_FLAG, FIELD(condition),
     .help = "estimate the condition number and the growth of the factors"},
    {"ordering", TOOL_WORD, offsetof(tool_solving, ordering), .help = "fill-reducing ordering",
     .words = ordering_words},
    {"threads", TOOL_COUNT, FIELD(threads), "N",
     .help = "of one factorization of ldlt or schur, at most", .least = 1},
    {"set", TOOL_APPEND, offsetof(tool_solving, settings), "SOLVER.NAME=VALUE",
     .help = "a setting of one solver, as saddle solvers NAME lists them; may be repeated"},
    {.name = NULL},
};
#undef FIELD

const tool_option tool_wish_options[] = {
    {"attachments", TOOL_WORD, offsetof(tool_wish, wish),
     .help = "eliminated, kept as rows, or each as it takes less work", .words = wish_words},
    {.name = NULL},
};

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

saddle_status tool_session_open(tool_session *session, const tool_input *input)
{
    const int64_t memory = input ? input->memory : 0;
    saddle_context_options options = saddle_context_options_default();
    options.log = print_warning;
    options.log_level = SADDLE_LOG_WARNING;
    options.progress = tool_progress_callback;
    options.memory_limit = memory > INT64_MAX >> 20 ? INT64_MAX : memory << 20;
    return saddle_context_create(&options, &session->context);
}

saddle_status tool_session_read(tool_session *session, const char *path, const tool_input *input,
                                const tool_friction *friction)
{
    saddle_status status = session->context ? SADDLE_OK : tool_session_open(session, input);
    if (status) return status;
    status = tool_problem_read(session->context, path, input, friction, &session->read);
    if (status == SADDLE_OK) tool_progress_label(session->read.name);
    return status;
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
    if (friction->law > 0) problem->law = (saddle_law)(friction->law - 1);
    if (friction->facets > 0) problem->facets = friction->facets;
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

void tool_problem_clear(tool_problem *read)
{
    saddle_solution_clear(&read->start);
    saddle_problem_clear(&read->problem);
    saddle_problem_clear(&read->unreduced);
    saddle_attachments_free(read->attachments);
}

saddle_status tool_eliminate(saddle_context *context, const tool_problem *read,
                             const tool_wish *wish, int64_t threads,
                             saddle_elimination **elimination)
{
    saddle_options options = saddle_options_default();
    options.threads = threads;
    tool_progress_phase("reduce");
    return saddle_elimination_create(context, read->attachments, &read->unreduced,
                                     (saddle_elimination_wish)wish->wish, NULL, &options,
                                     elimination);
}

saddle_status tool_solution_read(saddle_context *context, const char *path,
                                 const saddle_problem *problem, const char *advice,
                                 saddle_solution *solution)
{
    const saddle_status status = saddle_solution_read(context, path, solution);
    if (status || (solution->n == problem->n && solution->m == problem->m)) return status;
    return saddle_fail(context, SADDLE_BAD_FILE,
                       "%s: a solution for n = %lld, m = %lld does not fit the problem with n = "
                       "%lld, m = %lld%s",
                       path, (long long)solution->n, (long long)solution->m, (long long)problem->n,
                       (long long)problem->m, advice);
}

static int goes_on(saddle_status status)
{
    return status >= SADDLE_OK && status != SADDLE_STOPPED;
}

saddle_status tool_solve(saddle_solver *solver, const saddle_problem *problem,
                         const saddle_solution *start, saddle_solution *solution)
{
    saddle_status status = saddle_solver_analyse(solver, problem);
    if (goes_on(status)) status = saddle_solver_factor(solver, problem);
    return goes_on(status) ? saddle_solver_solve(solver, problem, start, solution) : status;
}
