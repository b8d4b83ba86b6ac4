/* SPDX-License-Identifier: MIT */
/* saddle convert: a problem from any format to any that can express it. */
#include <stdio.h>
#include <unistd.h>

#include "failure.h"
#include "files/problem_file.h"
#include "input.h"
#include "progress.h"
#include "text.h"
#include "verbs.h"

typedef struct convert_request {
    tool_input input;
    int to;
    tool_friction friction;
} convert_request;

/* What a conversion writes, and whether it was there before. */
typedef struct convert_target {
    const char *path;
    char *beside; /* the right-hand side's file, where the format has one */
    int path_replaced, beside_replaced;
} convert_target;

/* A format of a matrix alone has the vector in a second file: the mark in that one's name, else
 * NULL. */
static const char *mark_beside(saddle_format to)
{
    if (to == SADDLE_FORMAT_MATRIX_MARKET || to == SADDLE_FORMAT_SICONOS_MATRIX) return ".rhs";
    return to == SADDLE_FORMAT_LCP_TRIPLETS ? ".q" : NULL;
}

/* Attachments are for bundles; elsewhere they are the rows they stand for. */
static saddle_status write_target(saddle_context *context, saddle_format to,
                                  const tool_problem *read, convert_target *target)
{
    const saddle_status known = saddle__format_of_target(context, target->path, &read->problem,
                                                         &to);
    if (known) return known;
    const char *mark = mark_beside(to);
    if (mark && !(target->beside = saddle__path_beside(context, target->path, mark)))
        return SADDLE_OUT_OF_MEMORY;
    target->path_replaced = access(target->path, F_OK) == 0;
    target->beside_replaced = mark && access(target->beside, F_OK) == 0;
    if (read->attachments && to == SADDLE_FORMAT_BUNDLE)
        return saddle_attachments_write(context, target->path, &read->unreduced, read->attachments);
    return saddle_problem_write(context, target->path, to, &read->problem);
}

static void print_report(const char *from, const tool_problem *read, const convert_target *target)
{
    char rows[160];
    tool_text_rows(&read->problem, rows, sizeof rows);
    printf("%s (%s): n = %lld, m = %lld%s -> %s%s", tool_text_shown(from).text,
           saddle_format_word(read->format), (long long)read->problem.n, (long long)read->problem.m,
           rows, tool_text_shown(target->path).text, target->path_replaced ? " (replaced)" : "");
    if (target->beside)
        printf(", %s%s", tool_text_shown(target->beside).text,
               target->beside_replaced ? " (replaced)" : "");
    printf("\n");
    tool_rhs_print(read);
}

static int run(const void *given, int count, char **argument)
{
    (void)count;
    const convert_request *request = given;
    saddle_context *context = NULL;
    tool_problem read = {0};
    convert_target target = {.path = argument[1]};
    tool_progress_start(0);
    saddle_status status = tool_context_create(&request->input, &context);
    if (status == SADDLE_OK)
        status = tool_problem_read(context, argument[0], &request->input, &request->friction,
                                   &read);
    tool_progress_label(read.name);
    tool_progress_phase("write");
    if (status == SADDLE_OK)
        status = write_target(context, (saddle_format)request->to, &read, &target);
    tool_progress_erase();
    if (status == SADDLE_OK) print_report(argument[0], &read, &target);
    const int code = status ? tool_fail(context, status) : TOOL_EXIT_SOLVED;
    saddle_release(context, target.beside);
    tool_problem_clear(&read);
    saddle_context_free(context);
    tool_progress_stop();
    return code;
}

static void defaults(void *given)
{
    convert_request *request = given;
    tool_friction_defaults(&request->friction);
}

static const tool_option own_options[] = {
    {.name = "from",
     .value = "WORD",
     .kind = TOOL_WORD,
     .offset = offsetof(convert_request, input) + offsetof(tool_input, format),
     .words = tool_format_words,
     .help = "format of FROM: by its name and content"},
    {.name = "to",
     .value = "WORD",
     .kind = TOOL_WORD,
     .offset = offsetof(convert_request, to),
     .words = tool_format_words,
     .help = "format of TO: by its name"},
    {.name = "rhs",
     .value = "FILE",
     .kind = TOOL_TEXT,
     .offset = offsetof(convert_request, input) + offsetof(tool_input, rhs),
     .help = "right-hand side of a bare matrix, or q of lcp-triplets",
     .unset = "K times ones"},
    {.name = "memory-limit",
     .value = "MIB",
     .kind = TOOL_COUNT,
     .offset = offsetof(convert_request, input) + offsetof(tool_input, memory),
     .help = TOOL_MEMORY_HELP,
     .unset = "none"},
    {.name = NULL},
};

static const tool_group groups[] = {
    {"Options", 0, own_options},
    {"Friction", offsetof(convert_request, friction), tool_friction_options},
    {NULL, 0, NULL},
};

#define FORMAT_LINE(name, word, text) "  " word ": " text "\n"
const tool_verb tool_verb_convert = {
    .name = "convert",
    .arguments = "FROM TO",
    .summary = "write a problem in another format",
    .least = 2,
    .most = 2,
    .request_size = sizeof(convert_request),
    .defaults = defaults,
    .groups = groups,
    .run = run,
    .notes = "An existing TO is replaced, and only once the new one is complete.  Of mtx and "
             "siconos-matrix the "
             "right-hand\n"
             "side goes to NAME.rhs.EXT beside it, of lcp-triplets q to NAME.q.EXT: files of those "
             "names are replaced "
             "too.\n\n"
             "Formats:\n" SADDLE_FORMAT_LIST(
                 FORMAT_LINE) "\n"
                              "Examples:\n"
                              "  saddle convert box.hdf5 box              a bundle folder from an "
                              "FCLIB file\n"
                              "  saddle convert K.mtx system --rhs b.mtx  a bundle from a bare "
                              "linear system\n"
                              "  saddle convert data/stack-cone stack.dat --to siconos-gfc\n",
};
#undef FORMAT_LINE
