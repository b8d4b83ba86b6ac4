/* SPDX-License-Identifier: MIT */
/* A problem to problem.json. */
#include "files/bundle.h"
#include "files/output.h"
#include "files/text.h"

static void add_key(saddle__text *text, const char *key)
{
    saddle__text_add(text, ",\n  ");
    saddle__text_add_json_string(text, key);
    saddle__text_add(text, ": ");
}

static void add_integers(saddle__text *text, const char *key, const int64_t *values, int64_t count)
{
    add_key(text, key);
    saddle__text_add(text, "[");
    for (int64_t i = 0; i < count; i++) {
        saddle__text_add(text, i == 0 ? "" : ", ");
        saddle__text_add_integer(text, values[i]);
    }
    saddle__text_add(text, "]");
}

static void add_string_or_null(saddle__text *text, const char *string)
{
    if (string)
        saddle__text_add_json_string(text, string);
    else
        saddle__text_add(text, "null");
}

static void add_strings(saddle__text *text, const char *key, char *const *values, int64_t count)
{
    add_key(text, key);
    saddle__text_add(text, "[");
    for (int64_t i = 0; i < count; i++) {
        saddle__text_add(text, i == 0 ? "" : ", ");
        add_string_or_null(text, values[i]);
    }
    saddle__text_add(text, "]");
}

static void add_all(saddle__text *text, const saddle_problem *problem,
                    const saddle__bundle_more *more)
{
    saddle__text_add(text, "{\n  \"format\": \"" SADDLE__BUNDLE_FORMAT "\"");
    add_key(text, "version");
    saddle__text_add_integer(text, SADDLE__BUNDLE_VERSION);
    add_key(text, "name");
    add_string_or_null(text, problem->name);
    add_key(text, "source");
    add_string_or_null(text, problem->source);
    add_key(text, "n");
    saddle__text_add_integer(text, problem->n);
    add_key(text, "m");
    saddle__text_add_integer(text, problem->m);
    add_key(text, "symmetric");
    saddle__text_add(text, problem->M.symmetry != SADDLE_GENERAL ? "true" : "false");
    add_key(text, "time_step");
    saddle__text_add_json_double(text, problem->time_step);
    add_key(text, "friction");
    saddle__text_add(text, "{\"law\": ");
    saddle__text_add_json_string(text, saddle_law_word(problem->law));
    saddle__text_add(text, ", \"facets\": ");
    saddle__text_add_integer(text, problem->facets);
    saddle__text_add(text, "}");
    if (problem->row_id) add_integers(text, "row_ids", problem->row_id, problem->m);
    if (problem->row_name) add_strings(text, "row_names", problem->row_name, problem->m);
    if (problem->component_count > 0)
        add_integers(text, "component_sizes", problem->component_size, problem->component_count);
    if (problem->component_count > 0 && problem->component_name)
        add_strings(text, "component_names", problem->component_name, problem->component_count);
    if (more) more->add_keys(more->user, text);
    saddle__text_add(text, "\n}\n");
}

saddle_status saddle__bundle_json_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem,
                                        const saddle__bundle_more *more)
{
    saddle__text text = {.context = context};
    add_all(&text, problem, more);
    char *characters;
    saddle_status status = saddle__text_take(&text, &characters);
    saddle__output output;
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        saddle__output_text(&output, characters);
        status = saddle__output_finish(&output, status);
    }
    saddle_release(context, characters);
    return status;
}
