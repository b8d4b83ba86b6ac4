/* SPDX-License-Identifier: MIT */
/* Command lines read and explained from a table for each verb, shared options, the session of a
 * run, and reading of problems. */
#include "input.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/bundle.h"
#include "files/mat.h"
#include "manual.h"
#include "progress.h"
#include "text.h"

const char tool_exit_code_help[] = "Exit codes:\n"
                                   "  0  solved to the tolerance, or done as asked\n"
                                   "  1  a result, but not to the tolerance\n"
                                   "  2  usage: an unknown verb, option or value\n"
                                   "  3  input unreadable or inconsistent, output not writable\n"
                                   "  4  rows this solver, or this target format, can't do\n"
                                   "  5  out of memory, or an internal error\n";

/* ---- reading a command line ---- */

static int complain(const tool_verb *verb, const char *option, const char *what, const char *value)
{
    if (value)
        tool_error("--%s %s: %s (see saddle %s --help)", option, value, what, verb->name);
    else
        tool_error("--%s: %s (see saddle %s --help)", option, what, verb->name);
    return -1;
}

/* The option called text[0 .. length), its group, and the struct its target lies in. */
static const tool_option *find_option(const tool_verb *verb, const char *text, size_t length,
                                      char *request, char **base, const tool_group **group)
{
    for (*group = verb->groups; (*group)->title; ++*group) {
        for (const tool_option *option = (*group)->options; option->name; option++) {
            if (strlen(option->name) == length && memcmp(option->name, text, length) == 0) {
                *base = request ? request + (*group)->offset : NULL;
                return option;
            }
        }
    }
    return NULL;
}

/* "box|pyramid|cone" into text[size]; cut short where it does not fit. */
static void join_words(const tool_word *words, char *text, size_t size)
{
    text[0] = '\0';
    for (const tool_word *word = words; word->word; word++) {
        if (word > words) saddle__append(text, size, "|");
        saddle__append(text, size, word->word);
    }
}

static int store_word(const tool_verb *verb, const tool_option *option, char *target,
                      const char *value)
{
    char all[512], near[80], what[640];
    tool_suggestion suggestion = {0};
    for (const tool_word *word = option->words; word->word; word++) {
        if (strcmp(word->word, value) == 0) {
            memcpy(target, &word->value, sizeof word->value);
            return 0;
        }
    }
    for (const tool_word *word = option->words; word->word; word++)
        tool_suggest(&suggestion, value, word->word);
    tool_suggestion_words(&suggestion, "", near, sizeof near);
    join_words(option->words, all, sizeof all);
    snprintf(what, sizeof what, "not one of %s%s", all, near);
    return complain(verb, option->name, what, value);
}

static int store_number(const tool_verb *verb, const tool_option *option, char *target,
                        const char *value)
{
    const int is_count = option->kind == TOOL_COUNT;
    char *end, what[64];
    errno = 0;
    const int64_t count = is_count ? strtoll(value, &end, 10) : 0;
    const double number = is_count ? (double)count : strtod(value, &end);
    const int is_read = end != value && *end == '\0';
    if (is_read && errno == ERANGE && (is_count || !isfinite(number)))
        return complain(verb, option->name, "out of range", value);
    if (!is_read || !isfinite(number))
        return complain(verb, option->name, is_count ? "not an integer" : "not a number", value);
    snprintf(what, sizeof what, "must be at least %g", option->least);
    if (number < option->least) return complain(verb, option->name, what, value);
    snprintf(what, sizeof what, "must be at most %g", option->most);
    if (option->most > 0 && number > option->most) return complain(verb, option->name, what, value);
    memcpy(target, is_count ? (const void *)&count : &number, sizeof number);
    return 0;
}

static int append(const tool_verb *verb, const tool_option *option, char *target, const char *value)
{
    size_t used = strlen(target);
    if (used + 1 + strlen(value) >= TOOL_TEXT_SIZE)
        return complain(verb, option->name, "too many characters in all", value);
    snprintf(target + used, TOOL_TEXT_SIZE - used, "%s%s", used > 0 ? " " : "", value);
    return 0;
}

static int store(const tool_verb *verb, const tool_option *option, char *target, const char *value)
{
    const int set = 1;
    switch (option->kind) {
    case TOOL_FLAG: memcpy(target, &set, sizeof set); return 0;
    case TOOL_TEXT: memcpy(target, &value, sizeof value); return 0;
    case TOOL_NUMBER:
    case TOOL_COUNT: return store_number(verb, option, target, value);
    case TOOL_WORD: return store_word(verb, option, target, value);
    case TOOL_APPEND: return append(verb, option, target, value);
    }
    return -1;
}

static void complain_of_option(const tool_verb *verb, const char *text, size_t length)
{
    char typed[64], near[80];
    tool_suggestion suggestion = {0};
    snprintf(typed, sizeof typed, "%.*s", (int)length, text);
    for (const tool_group *group = verb->groups; group->title; group++)
        for (const tool_option *option = group->options; option->name; option++)
            tool_suggest(&suggestion, typed, option->name);
    tool_suggestion_words(&suggestion, "--", near, sizeof near);
    tool_error("unknown option --%.*s for saddle %s%s (see saddle %s --help)", (int)length, text,
               verb->name, near, verb->name);
}

/* An option at argv[*at]; *at is left on the last word of the option. */
static int parse_option(const tool_verb *verb, int argc, char **argv, int *at, void *request)
{
    const char *text = argv[*at] + 2;
    const char *equals = strchr(text, '=');
    char *base = NULL;
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const tool_group *group;
    const tool_option *option = find_option(verb, text, length, request, &base, &group);
    const char *value = equals ? equals + 1 : NULL;

    if (!option) {
        complain_of_option(verb, text, length);
        return -1;
    }
    if (option->kind == TOOL_FLAG && value)
        return complain(verb, option->name, "takes no value", NULL);
    if (option->kind != TOOL_FLAG && !value) {
        if (*at + 1 >= argc) return complain(verb, option->name, "needs a value", NULL);
        value = argv[++*at];
    }
    if (option->kind != TOOL_FLAG && value[0] == '\0')
        return complain(verb, option->name, "needs a value", NULL);
    if (group->options == tool_solving_options)
        ((tool_solving *)(void *)base)->given |= 1u << (option - tool_solving_options);
    return store(verb, option, base + option->offset, value);
}

/* verb->arguments: a word for each, in brackets if optional, followed by dots if a last one may be
 * repeated. */
static int check_count(const tool_verb *verb, int count, char **argument)
{
    int least = 0, most = 0;
    for (const char *word = verb->arguments; *word; word += strcspn(word, " ")) {
        word += strspn(word, " ");
        least += *word != '[';
        most++;
    }
    if (count < least) {
        tool_error("saddle %s needs %s (see saddle %s --help)", verb->name, verb->arguments,
                   verb->name);
        return -1;
    }
    for (int k = 0; k < count; k++) {
        if (argument[k][0] != '\0') continue;
        tool_error("argument %d of saddle %s is empty: needs %s (see saddle %s --help)", k + 1,
                   verb->name, verb->arguments, verb->name);
        return -1;
    }
    if (!strstr(verb->arguments, "...") && count > most) {
        tool_error("unexpected argument '%s' for saddle %s (see saddle %s --help)", argument[most],
                   verb->name, verb->name);
        return -1;
    }
    return 0;
}

int tool_options_flag(const tool_verb *verb, const void *request, const char *name)
{
    char *base = NULL;
    int set = 0;
    const tool_group *group;
    const tool_option *flag = find_option(verb, name, strlen(name), (char *)(uintptr_t)request,
                                          &base, &group);
    if (flag) memcpy(&set, base + flag->offset, sizeof set);
    return set;
}

int tool_options_word(const tool_verb *verb, int argc, char **argv, const char *name)
{
    char *base = NULL;
    const tool_group *group;
    if (!find_option(verb, name, strlen(name), NULL, &base, &group)) return 0;
    for (int at = 0; at < argc && strcmp(argv[at], "--") != 0; at++)
        if (strncmp(argv[at], "--", 2) == 0 && strcmp(argv[at] + 2, name) == 0) return 1;
    return 0;
}

int tool_options_parse(const tool_verb *verb, int argc, char **argv, void *request, int *help)
{
    int ended = 0, count = 0;
    *help = 0;
    for (int at = 0; at < argc && !ended; at++) {
        if (strcmp(argv[at], "--") == 0)
            ended = 1;
        else if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0)
            *help = 1;
    }
    if (*help) return 0;

    ended = 0;
    for (int at = 0; at < argc; at++) {
        char *word = argv[at];
        if (ended || word[0] != '-' || word[1] == '\0') {
            argv[count++] = word;
        } else if (strcmp(word, "--") == 0) {
            ended = 1;
        } else if (word[1] != '-') {
            tool_error("unknown option %s for saddle %s (see saddle %s --help)", word, verb->name,
                       verb->name);
            return -1;
        } else if (parse_option(verb, argc, argv, &at, request)) {
            return -1;
        }
    }
    argv[count] = NULL;
    return check_count(verb, count, argv);
}

/* ---- explaining a verb ---- */

/* "--friction box|pyramid" into text[size]. */
static void option_head(const tool_option *option, char *text, size_t size)
{
    char words[256];
    const char *value = option->value;
    if (!value && option->words) {
        join_words(option->words, words, sizeof words);
        value = words;
    }
    snprintf(text, size, "--%s%s%s", option->name, value ? " " : "", value ? value : "");
}

/* The default into text[size], "" for none. */
static void option_default(const tool_option *option, const char *target, char *text, size_t size)
{
    double number;
    int64_t count;
    int value;
    const char *word;
    text[0] = '\0';
    switch (option->kind) {
    case TOOL_FLAG: return;
    case TOOL_TEXT:
        memcpy(&word, target, sizeof word);
        if (word) snprintf(text, size, "%s", word);
        break;
    case TOOL_NUMBER:
        memcpy(&number, target, sizeof number);
        if (number < 0 || number > 0 || !option->unset) snprintf(text, size, "%g", number);
        break;
    case TOOL_COUNT:
        memcpy(&count, target, sizeof count);
        if (count != 0 || !option->unset) snprintf(text, size, "%lld", (long long)count);
        break;
    case TOOL_WORD:
        memcpy(&value, target, sizeof value);
        for (const tool_word *of = option->words; of->word; of++)
            if (of->value == value) snprintf(text, size, "%s", of->word);
        break;
    case TOOL_APPEND: return;
    }
    if (text[0] == '\0' && option->unset) snprintf(text, size, "%s", option->unset);
}

static int widest_head(const tool_verb *verb)
{
    enum { LIMIT = 40 };
    char head[300];
    int width = 0;
    for (const tool_group *group = verb->groups; group->title; group++) {
        for (const tool_option *option = group->options; option->name; option++) {
            option_head(option, head, sizeof head);
            const int length = (int)strlen(head);
            if (length > width && length <= LIMIT) width = length;
        }
    }
    return width;
}

void tool_options_help(const tool_verb *verb, const void *request)
{
    const int width = widest_head(verb);
    char head[300], fallback[64];
    printf("saddle %s: %s\n\nUsage: saddle %s %s%s[options]\n", verb->name, verb->summary,
           verb->name, verb->arguments, verb->arguments[0] ? " " : "");
    for (const tool_group *group = verb->groups; group->title; group++) {
        printf("\n%s:\n", group->title);
        for (const tool_option *option = group->options; option->name; option++) {
            option_head(option, head, sizeof head);
            option_default(option, (const char *)request + group->offset + option->offset, fallback,
                           sizeof fallback);
            printf("  %-*s  %s%s%s%s\n", width, head, option->help, fallback[0] ? " [" : "",
                   fallback, fallback[0] ? "]" : "");
        }
    }
    printf("\n%s\n%s", verb->notes, tool_exit_code_help);
}

/* ---- shared options ---- */

const tool_word tool_format_words[] = {
#define FORMAT_WORD(name, word, text) {word, name},
    SADDLE_FORMAT_LIST(FORMAT_WORD)
#undef FORMAT_WORD
        {NULL, 0},
};

const tool_word tool_law_words[] = {
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
    SADDLE_WISH_LIST(WISH_WORD)
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
     .words = tool_law_words, .unset = "the problem's"},
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
     .help = "seconds at most in analyse, in factor and in solve each", .unset = "none"},
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

/* Replaces options not given by the recorded ones. */
static void take_recorded(const tool_solving *recorded, tool_solving *solving)
{
    for (int k = 0; tool_solving_options[k].name; k++) {
        const tool_option *option = &tool_solving_options[k];
        const size_t size = option->kind == TOOL_NUMBER || option->kind == TOOL_COUNT
                                ? sizeof(double)
                                : sizeof(int);
        if (option->kind == TOOL_APPEND || solving->given >> k & 1) continue;
        memcpy((char *)solving + option->offset, (const char *)recorded + option->offset, size);
    }
}

saddle_status tool_solving_recall(saddle_context *context, const char *path, tool_solving *solving,
                                  saddle__solving *recorded)
{
    char given[TOOL_TEXT_SIZE];
    tool_solving from = {0};
    *recorded = saddle__solving_none();
    if (!saddle__bundle_is(path)) return SADDLE_OK;
    const saddle_status status = saddle__solving_read(context, path, recorded);
    if (status || !recorded->solver) return status;
    from.options = recorded->options;
    from.ordering = (int)recorded->options.ordering;
    take_recorded(&from, solving);
    if (!recorded->settings) return SADDLE_OK;
    snprintf(given, sizeof given, "%s", solving->settings);
    if (strlen(given) + 1 + strlen(recorded->settings) >= sizeof solving->settings)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%s: \"settings\": too many characters",
                           path);
    snprintf(solving->settings, sizeof solving->settings, "%s", recorded->settings);
    saddle__append(solving->settings, sizeof solving->settings, " ");
    saddle__append(solving->settings, sizeof solving->settings, given);
    return SADDLE_OK;
}

/* ---- a run ---- */

static void print_warning(void *user, saddle_log_level level, const char *message)
{
    (void)user;
    (void)level;
    tool_progress_erase();
    fprintf(stderr, "saddle: warning: %s\n", tool_text_shown(message).text);
}

saddle_status tool_session_open(tool_session *session, const tool_input *input)
{
    return tool_session_open_watched(session, input, tool_progress_callback, NULL);
}

saddle_status tool_session_open_watched(tool_session *session, const tool_input *input,
                                        saddle_progress_function *progress, void *user)
{
    const int64_t memory = input ? input->memory : 0;
    saddle_context_options options = saddle_context_options_default();
    options.log = print_warning;
    options.log_level = SADDLE_LOG_WARNING;
    options.progress = progress;
    options.progress_user = user;
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

const char *tool_path_input(const char *path)
{
    return strcmp(path, "-") == 0 ? "/dev/stdin" : path;
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

void tool_friction_set(const tool_friction *friction, saddle_problem *problem)
{
    if (friction->law > 0) problem->law = (saddle_law)(friction->law - 1);
    if (friction->facets > 0) problem->facets = friction->facets;
}

saddle_status tool_problem_read(saddle_context *context, const char *path, const tool_input *input,
                                const tool_friction *friction, tool_problem *read)
{
    const saddle_read_options options = {.format = (saddle_format)input->format,
                                         .rhs = input->rhs ? tool_path_input(input->rhs) : NULL};
    if (input->rhs && strcmp(path, "-") == 0 && strcmp(input->rhs, "-") == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the problem and --rhs cannot both be the standard input");
    path = tool_path_input(path);
    const double begun = saddle_clock();
    memset(read, 0, sizeof *read);
    tool_progress_phase("read");
    saddle_status status = saddle_problem_read(context, path, &options, &read->problem,
                                               &read->start, NULL, &read->format);
    if (status == SADDLE_UNSUPPORTED && saddle__bundle_is(path))
        status = read_attached(context, path, read);
    read->constant = (double)NAN;
    if (status == SADDLE_OK && read->format == SADDLE_FORMAT_MAT && strcmp(path, "-") != 0)
        status = saddle__mat_constant(context, path, &read->constant);
    if (status) return status;
    read->seconds = saddle_clock() - begun;
    read->made_rhs = !input->rhs && (read->format == SADDLE_FORMAT_MATRIX_MARKET ||
                                     read->format == SADDLE_FORMAT_SICONOS_MATRIX);
    tool_friction_set(friction, &read->problem);
    tool_friction_set(friction, &read->unreduced);
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
                                     (saddle_wish)wish->wish, NULL, &options, elimination);
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
    return status >= SADDLE_OK && status != SADDLE_STOPPED && status != SADDLE_TIME_LIMIT;
}

saddle_status tool_solve(saddle_solver *solver, const saddle_problem *problem,
                         const saddle_solution *start, saddle_solution *solution)
{
    saddle_status status = saddle_solver_analyse(solver, problem);
    if (goes_on(status)) status = saddle_solver_factor(solver, problem);
    return goes_on(status) ? saddle_solver_solve(solver, problem, start, solution) : status;
}
