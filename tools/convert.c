/* SPDX-License-Identifier: MIT */
/* saddle convert: a problem from any format to another. */
#include <stdio.h>
#include <unistd.h>

#include "files/output.h"
#include "files/problem_file.h"
#include "model.h"
#include "progress.h"
#include "text.h"

typedef struct convert_request {
    tool_input input;
    int to;
    tool_friction friction;
    int skip_unsupported;
} convert_request;

/* The files of a conversion, and whether they existed before. */
typedef struct convert_target {
    const char *path;
    char *beside; /* of the right-hand side, in formats with two files */
    int path_replaced, beside_replaced;
} convert_target;

/* A bundle keeps the solve that the bundle it comes from records. */
static saddle_status write_bundle(saddle_context *context, const char *from,
                                  const tool_problem *read, const convert_target *target)
{
    saddle__solving recorded = saddle__solving_none();
    saddle_status status = SADDLE_OK;
    if (read->format == SADDLE_FORMAT_BUNDLE)
        status = saddle__solving_read(context, from, &recorded);
    if (status == SADDLE_OK && recorded.solver)
        status = saddle__solving_write(context, target->path, &read->problem, recorded.solver,
                                       &recorded.options);
    else if (status == SADDLE_OK)
        status = saddle_problem_write(context, target->path, SADDLE_FORMAT_BUNDLE, &read->problem);
    saddle__solving_clear(context, &recorded);
    return status;
}

/* Attachments are written to bundles; other formats get them as rows. */
static saddle_status write_target(saddle_context *context, const char *from, saddle_format to,
                                  const tool_problem *read, convert_target *target)
{
    const saddle_status known = saddle__format_of_target(context, target->path, &read->problem,
                                                         &to);
    if (known) return known;
    const char *mark = /* in the name of the vector's file, for formats of a matrix alone */
        to == SADDLE_FORMAT_MATRIX_MARKET || to == SADDLE_FORMAT_SICONOS_MATRIX ? ".rhs"
        : to == SADDLE_FORMAT_LCP_TRIPLETS                                      ? ".q"
                                                                                : NULL;
    if (mark && !(target->beside = saddle__path_beside(context, target->path, mark)))
        return SADDLE_OUT_OF_MEMORY;
    target->path_replaced = access(target->path, F_OK) == 0;
    target->beside_replaced = mark && access(target->beside, F_OK) == 0;
    if (read->attachments && to == SADDLE_FORMAT_BUNDLE)
        return saddle_attachments_write(context, target->path, &read->unreduced, read->attachments);
    if (to == SADDLE_FORMAT_BUNDLE) return write_bundle(context, from, read, target);
    return saddle_problem_write(context, target->path, to, &read->problem);
}

static void print_report(const char *from, const tool_problem *read, const convert_target *target)
{
    printf("%s (%s): n = %lld, m = %lld%s -> %s%s", tool_text_shown(from).text,
           saddle_format_word(read->format), (long long)read->problem.n, (long long)read->problem.m,
           tool_text_rows(&read->problem).text, tool_text_shown(target->path).text,
           target->path_replaced ? " (replaced)" : "");
    if (target->beside)
        printf(", %s%s", tool_text_shown(target->beside).text,
               target->beside_replaced ? " (replaced)" : "");
    printf("\n");
    tool_rhs_print(read);
}

/* A model of another program as a scene, once the scene reads. */
static saddle_status convert_model(tool_session *session, const convert_request *request,
                                   const char *from, const char *to)
{
    saddle_import import = {0};
    saddle_scene scene = {0};
    saddle_context *context;
    saddle_status status = tool_session_open(session, &request->input);
    if (status != SADDLE_OK) return status;
    context = session->context;
    status = tool_model_read(context, from, request->skip_unsupported, &import);
    if (status == SADDLE_OK)
        status = saddle_scene_read_text(context, import.scene, import.length, from, NULL, &scene);
    if (status == SADDLE_OK) status = saddle__output_whole(context, to, import.scene);
    tool_progress_erase();
    if (status == SADDLE_OK)
        printf("%s: %lld parts -> %s\n", tool_text_shown(from).text,
               (long long)saddle_model_part_count(scene.model), tool_text_shown(to).text);
    saddle_scene_clear(&scene);
    saddle_import_clear(&import);
    return status;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const convert_request *request = given;
    if (tool_model_is(argument[0]))
        return convert_model(session, request, argument[0], argument[1]);
    convert_target target = {.path = argument[1]};
    saddle_status status = tool_session_read(session, argument[0], &request->input,
                                             &request->friction);
    tool_progress_phase("write");
    if (status == SADDLE_OK)
        status = write_target(session->context, argument[0], (saddle_format)request->to,
                              &session->read, &target);
    tool_progress_erase();
    if (status == SADDLE_OK) print_report(argument[0], &session->read, &target);
    saddle_release(session->context, target.beside);
    return status;
}

static const tool_option own_options[] = {
    {"from", TOOL_WORD, offsetof(convert_request, input) + offsetof(tool_input, format), "WORD",
     .help = "format of FROM: by its name and content", .words = tool_format_words},
    {"to", TOOL_WORD, offsetof(convert_request, to), "WORD", .help = "format of TO: by its name",
     .words = tool_format_words},
    {"rhs", TOOL_TEXT, offsetof(convert_request, input) + offsetof(tool_input, rhs), "FILE",
     .help = "right-hand side of a bare matrix, or q of lcp-triplets", .unset = "K times ones"},
    {"memory-limit", TOOL_COUNT, offsetof(convert_request, input) + offsetof(tool_input, memory),
     "MIB", .help = TOOL_MEMORY_HELP, .unset = "none"},
    {"skip-unsupported", TOOL_FLAG, offsetof(convert_request, skip_unsupported),
     .help = "of a model in MJCF or URDF: leave out what is not supported"},
    {.name = NULL},
};

#define EXAMPLES                                                                      \
    "  saddle convert box.hdf5 box              a bundle folder from an FCLIB file\n" \
    "  saddle convert K.mtx system --rhs b.mtx  a bundle from a bare linear system\n" \
    "  saddle convert data/stack-cone stack.dat --to siconos-gfc\n"                   \
    "  saddle convert examples/models/arm.xml arm.json   a scene from a model\n"
#define FORMAT_LINE(name, word, text) "  " word ": " text "\n"
const tool_verb tool_verb_convert = {
    .name = "convert",
    .arguments = "FROM TO",
    .summary = "write a problem in another format, a model in MJCF or URDF as a scene",
    .request_size = sizeof(convert_request),
    .groups = {{"Options", 0, own_options},
               {"Friction", offsetof(convert_request, friction), tool_friction_options}},
    .run = run,
    .notes =
        "A model (.xml, .urdf) becomes a scene (docs/formats.md, Models of other programs).\n"
        "An existing TO is replaced, and only once the new one is complete.  Of mtx and\n"
        "siconos-matrix the right-hand side goes to NAME.rhs.EXT beside it, of lcp-triplets q\n"
        "to NAME.q.EXT: files of those names are replaced too.\n\n"
        "Formats:\n" SADDLE_FORMAT_LIST(FORMAT_LINE) "\nExamples:\n" EXAMPLES,
};
#undef FORMAT_LINE
#undef EXAMPLES
