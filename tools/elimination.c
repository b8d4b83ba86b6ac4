/* SPDX-License-Identifier: MIT */
/* What verbs do with the attachments of a bundle. */
#include "elimination.h"

#include <math.h>
#include <stdio.h>

#include "progress.h"
#include "text.h"

static const tool_word wish_words[] = {
#define WISH_WORD(name, word) {word, name},
    SADDLE_ELIMINATION_WISH_LIST(WISH_WORD)
#undef WISH_WORD
        {NULL, 0},
};

const tool_option tool_wish_options[] = {
    {.name = "attachments",
     .kind = TOOL_WORD,
     .offset = offsetof(tool_wish, wish),
     .words = wish_words,
     .help = "eliminated, kept as rows, or each as it takes less work"},
    {.name = NULL},
};

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

saddle_status tool_eliminate_all(saddle_context *context, const char *path,
                                 const tool_problem *read, const tool_wish *wish,
                                 saddle_elimination **elimination)
{
    if (read->attachments)
        return tool_eliminate(context, read, wish, saddle_options_default().threads, elimination);
    return saddle_fail(context, SADDLE_BAD_FILE, "%s: has no attachments", path);
}

void tool_elimination_print(const saddle_elimination *elimination)
{
    const saddle_elimination_report r = saddle_elimination_report_of(elimination);
    printf(
        "attached   %lld eliminated, %lld kept as rows: n = %lld, m = %lld -> n = %lld, m = %lld\n",
        (long long)r.eliminated, (long long)r.kept, (long long)r.n,
        (long long)(r.m + r.multipliers), (long long)r.reduced_n, (long long)r.reduced_m);
    if (r.analyses == 0) return;
    printf("           chosen of %lld: work %s   all eliminated %s   all kept %s\n",
           (long long)r.analyses, tool_text_figure(r.work).text,
           tool_text_figure(r.work_eliminated).text, tool_text_figure(r.work_kept).text);
}

void tool_elimination_to_json(const saddle_elimination *elimination, json_t *object)
{
    const saddle_elimination_report r = saddle_elimination_report_of(elimination);
    json_t *about = json_object();
    json_object_set_new(about, "eliminated", json_integer((json_int_t)r.eliminated));
    json_object_set_new(about, "kept", json_integer((json_int_t)r.kept));
    json_object_set_new(about, "multipliers", json_integer((json_int_t)r.multipliers));
    json_object_set_new(about, "reduced_n", json_integer((json_int_t)r.reduced_n));
    json_object_set_new(about, "reduced_m", json_integer((json_int_t)r.reduced_m));
    json_object_set_new(about, "analyses", json_integer((json_int_t)r.analyses));
    json_object_set_new(about, "work", tool_json_number(r.work));
    json_object_set_new(about, "work_eliminated", tool_json_number(r.work_eliminated));
    json_object_set_new(about, "work_kept", tool_json_number(r.work_kept));
    json_object_set_new(object, "attachments", about);
}
