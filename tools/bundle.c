/* SPDX-License-Identifier: MIT */
/* saddle bundle: loose Matrix Market files become a problem folder. */
#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "files/problem_file.h"
#include "files/text.h"
#include "progress.h"
#include "text.h"

/* X(option, help) */
#define PART_LIST(X)                                     \
    X(M, "masses, n x n")                                \
    X(J, "constraint rows, m x n")                       \
    X(R, "compliance, m x m")                            \
    X(f, "right-hand side of the velocities, n numbers") \
    X(b, "wanted row velocities, m numbers")             \
    X(bounds, "lo and hi, m x 2; inf and -inf allowed")  \
    X(contacts, "first row, number of rows, mu, and friction of torsion and rolling if any")

enum {
#define PART_ENUM(part, help) PART_##part,
    PART_LIST(PART_ENUM)
#undef PART_ENUM
        PARTS
};

static const char *const part_name[] = {
#define PART_NAME(part, help) #part,
    PART_LIST(PART_NAME)
#undef PART_NAME
};

static const char *const part_file[] = {
#define PART_FILE(part, help) #part ".mtx",
    PART_LIST(PART_FILE)
#undef PART_FILE
};

typedef struct bundle_request {
    const char *file[PARTS]; /* NULL = none */
    const char *name, *source;
    double time_step;
    tool_friction friction;
} bundle_request;

/* ---- which file is which part ---- */

/* The part that a file's name ends with before its extension ("chain_M.mtx" is M); PARTS = none. */
static int part_of(const char *path)
{
    char name[256];
    tool_path_name(path, name, sizeof name);
    char *dot = strchr(name, '.');
    for (char *next = dot; next && (next = strchr(next + 1, '.')) != NULL;) dot = next;
    if (dot) *dot = '\0';
    const char *word = name;
    for (const char *at = name; *at; at++)
        if (strchr("-_.", *at)) word = at + 1;
    int part = 0;
    while (part < PARTS && strcmp(word, part_name[part]) != 0) part++;
    return part;
}

/* Files without an option, argument[0 .. count), by their names. */
static saddle_status assign(saddle_context *context, char **argument, int count,
                            bundle_request *request)
{
    for (int k = 0; k < count; k++) {
        const int part = part_of(argument[k]);
        if (part == PARTS)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s: its name does not end in M, J, R, f, b, bounds or contacts: "
                               "say which it is, as in --M %s",
                               argument[k], argument[k]);
        if (request->file[part])
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s is given twice: %s and %s",
                               part_name[part], request->file[part], argument[k]);
        request->file[part] = argument[k];
    }
    return SADDLE_OK;
}

/* ---- sizes ---- */

/* As the header of a matrix states them; 0 x 0 without a file. */
static saddle_status read_sizes(saddle_context *context, const char *path,
                                saddle__mtx_header *header)
{
    saddle__scan scan;
    *header = (saddle__mtx_header){0};
    if (!path) return SADDLE_OK;
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK) status = saddle__mtx_header_scan(&scan, header);
    saddle__scan_close(&scan);
    return status;
}

static saddle_status find_sizes(saddle_context *context, const bundle_request *request, int64_t *n,
                                int64_t *m)
{
    saddle__mtx_header M, J, R;
    saddle_status status = read_sizes(context, request->file[PART_M], &M);
    if (status == SADDLE_OK) status = read_sizes(context, request->file[PART_J], &J);
    if (status == SADDLE_OK) status = read_sizes(context, request->file[PART_R], &R);
    if (status) return status;
    if (!request->file[PART_M] && !request->file[PART_R])
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "there is neither an M nor an R: give M.mtx, or --M FILE");
    if (!request->file[PART_M] && J.cols > 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s has %lld columns, but there is no M: give M.mtx, or --M FILE",
                           request->file[PART_J], (long long)J.cols);
    *n = M.rows;
    *m = request->file[PART_J] ? J.rows : R.rows;
    return SADDLE_OK;
}

/* ---- the problem ---- */

static saddle_status make_json(saddle_context *context, const bundle_request *request, int64_t n,
                               int64_t m, char **json)
{
    saddle__text text = {.context = context};
    saddle__text_add(&text, "{\n");
    saddle__text_member_string(&text, "format", "saddle-problem");
    saddle__text_member_integer(&text, "version", 1);
    saddle__text_member_integer(&text, "n", n);
    saddle__text_member_integer(&text, "m", m);
    saddle__text_member_string(&text, "name", request->name);
    saddle__text_member_string(&text, "source", request->source);
    saddle__text_member_double(&text, "time_step", request->time_step);
    saddle__text_add(&text, "\n}");
    return saddle__text_take(&text, json);
}

static saddle_status read_parts(saddle_context *context, const bundle_request *request,
                                saddle_problem *problem)
{
    saddle__source_file files[PARTS + 1] = {{0}};
    char *json = NULL;
    int64_t n = 0, m = 0;
    int count = 0;
    saddle_status status = find_sizes(context, request, &n, &m);
    if (status == SADDLE_OK) status = make_json(context, request, n, m, &json);
    if (status) return status;
    for (int part = 0; part < PARTS; part++)
        if (request->file[part])
            files[count++] = (saddle__source_file){part_file[part], request->file[part]};
    const saddle__source_text texts[] = {{"problem.json", json, (int64_t)strlen(json)}, {0}};
    saddle__source source = saddle__source_texts(context, texts, "the bundle");
    source.files = files;
    status = saddle__bundle_parse(&source, problem, NULL);
    saddle__source_close(&source);
    saddle_release(context, json);
    if (status == SADDLE_OK) status = saddle__matrix_settle(context, &problem->M);
    if (status == SADDLE_OK) status = saddle__matrix_settle(context, &problem->R);
    return status;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    bundle_request request = *(const bundle_request *)given;
    saddle_problem *problem = &session->read.problem;
    int count = 0;
    while (argument[count + 1]) count++;
    const char *target = argument[count];
    saddle_status status = tool_session_open(session, NULL);
    if (status == SADDLE_OK) status = assign(session->context, argument, count, &request);
    tool_progress_phase("read");
    if (status == SADDLE_OK) status = read_parts(session->context, &request, problem);
    if (status) return status;
    tool_friction_set(&request.friction, problem);
    tool_progress_phase("write");
    status = saddle_problem_write(session->context, target, SADDLE_FORMAT_BUNDLE, problem);
    tool_progress_erase();
    if (status == SADDLE_OK)
        printf("%s: n = %lld, m = %lld%s%s\n", tool_text_shown(target).text, (long long)problem->n,
               (long long)problem->m, tool_text_rows(problem).text,
               problem->M.symmetry == SADDLE_SYMMETRY_NONE && problem->n > 0
                   ? "; M is not symmetric"
                   : "");
    return status;
}

/* ---- the verb ---- */

static const tool_option part_options[] = {
#define PART_OPTION(part, text)                                                               \
    {#part, TOOL_TEXT, offsetof(bundle_request, file) + PART_##part * sizeof(char *), "FILE", \
     .help = text},
    PART_LIST(PART_OPTION)
#undef PART_OPTION
        {.name = NULL},
};

static const tool_option own_options[] = {
    {"name", TOOL_TEXT, offsetof(bundle_request, name), "TEXT", .help = "of the problem"},
    {"law", TOOL_WORD, offsetof(bundle_request, friction) + offsetof(tool_friction, law),
     .help = "of the contacts, as --friction", .words = tool_law_words, .unset = "cone"},
    {"source", TOOL_TEXT, offsetof(bundle_request, source), "TEXT", .help = "where it is from"},
    {"time-step", TOOL_NUMBER, offsetof(bundle_request, time_step), "H", .help = "seconds",
     .unset = "unknown"},
    {.name = NULL},
};

const tool_verb tool_verb_bundle = {
    .name = "bundle",
    .arguments = "[FILE...] OUT",
    .summary = "make a problem folder of loose Matrix Market files",
    .request_size = sizeof(bundle_request),
    .groups = {{"Files", 0, part_options},
               {"Problem", 0, own_options},
               {"Friction", offsetof(bundle_request, friction), tool_friction_options}},
    .run = run,
    .notes =
        "A FILE without an option is the part that its name ends with: M.mtx, chain_J.mtx,\n"
        "step-12.bounds.mtx.  Parts not given are zero; without bounds every row is an equality.\n"
        "Vectors may be array files, coordinate files, or text with a number a line.  Files are\n"
        "checked against each other.  An M or R with equal triangles is kept as symmetric.  An\n"
        "existing OUT is replaced if it is such a folder, and only once the new one is complete.\n"
        "docs/formats.md, Problem bundle, states each part.\n\n"
        "Examples:\n"
        "  saddle bundle M.mtx J.mtx f.mtx system\n"
        "  saddle bundle --M mass.mtx --J rows.mtx --f load.txt --bounds bounds.mtx system\n"
        "  saddle bundle M.mtx J.mtx f.mtx contacts.mtx pile --friction cone --time-step 0.01\n",
};
