/* SPDX-License-Identifier: MIT */
/* problem.json of a bundle.  Keys that are not known are ignored, so that a later writer may add some; a newer version
 * number is an error, and so is a known key with a value of the wrong type. */
#include <jansson.h>
#include <string.h>

#include "files/bundle.h"
#include "files/output.h"
#include "files/text.h"
#include "problem/problem_internal.h"

static const char file_name[] = "problem.json";

/* ---- reading: values ------------------------------------------------------------------------------------------- */

typedef struct fields {
    saddle__source *source;
    const json_t *object; /* the JSON object the keys are looked up in */
} fields;

static saddle_status fail_type(const fields *f, const char *key, const char *wanted)
{
    return saddle__source_fail(f->source, file_name, "\"%s\" is not %s", key, wanted);
}

/* An integer of at least `least`; untouched where the key is absent, which is an error where it is required. */
static saddle_status get_integer(const fields *f, const char *key, int required, int64_t least, int64_t *value)
{
    const json_t *field = json_object_get(f->object, key);
    if (!field && required) return saddle__source_fail(f->source, file_name, "\"%s\" is missing", key);
    if (!field) return SADDLE_OK;
    if (!json_is_integer(field)) return fail_type(f, key, "an integer");
    if (json_integer_value(field) < least)
        return saddle__source_fail(f->source, file_name, "\"%s\" is %lld, less than %lld", key,
                                   (long long)json_integer_value(field), (long long)least);
    *value = json_integer_value(field);
    return SADDLE_OK;
}

static saddle_status copy_string(const fields *f, const json_t *string, char **copy)
{
    *copy = saddle__copy_text(f->source->context, json_string_value(string));
    return *copy ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status get_string(const fields *f, const char *key, char **value)
{
    const json_t *field = json_object_get(f->object, key);
    if (!field || json_is_null(field)) return SADDLE_OK;
    if (!json_is_string(field)) return fail_type(f, key, "a string");
    return copy_string(f, field, value);
}

/* An array of `count` elements; NULL where the key is absent. */
static saddle_status get_list(const fields *f, const char *key, int64_t count, const json_t **list)
{
    *list = json_object_get(f->object, key);
    if (!*list) return SADDLE_OK;
    if (!json_is_array(*list)) return fail_type(f, key, "a list");
    int64_t size = (int64_t)json_array_size(*list);
    if (size == count) return SADDLE_OK;
    return saddle__source_fail(f->source, file_name, "\"%s\" has %lld elements, %lld are needed", key, (long long)size,
                               (long long)count);
}

static saddle_status get_integers(const fields *f, const char *key, int64_t count, int64_t **values)
{
    const json_t *list;
    saddle_status status = get_list(f, key, count, &list);
    if (status != SADDLE_OK || !list) return status;
    *values = saddle_allocate(f->source->context, count, sizeof **values);
    if (!*values) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        const json_t *element = json_array_get(list, (size_t)i);
        if (!json_is_integer(element))
            return saddle__source_fail(f->source, file_name, "\"%s\": element %lld is not an integer", key,
                                       (long long)i + 1);
        (*values)[i] = json_integer_value(element);
    }
    return SADDLE_OK;
}

/* Strings; null is one without a name. */
static saddle_status get_strings(const fields *f, const char *key, int64_t count, char ***values)
{
    const json_t *list;
    saddle_status status = get_list(f, key, count, &list);
    if (status != SADDLE_OK || !list) return status;
    *values = saddle_allocate(f->source->context, count, sizeof **values);
    if (!*values) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < count; i++) {
        const json_t *element = json_array_get(list, (size_t)i);
        if (json_is_string(element))
            status = copy_string(f, element, &(*values)[i]);
        else if (!json_is_null(element))
            status = saddle__source_fail(f->source, file_name, "\"%s\": element %lld is not a string", key,
                                         (long long)i + 1);
    }
    return status;
}

/* ---- reading: the object --------------------------------------------------------------------------------------- */

static saddle_status check_format(const fields *f)
{
    const json_t *format = json_object_get(f->object, "format");
    if (!json_is_string(format) || strcmp(json_string_value(format), SADDLE__BUNDLE_FORMAT) != 0)
        return saddle__source_fail(f->source, file_name, "\"format\" is not \"%s\"", SADDLE__BUNDLE_FORMAT);
    int64_t version = 0;
    saddle_status status = get_integer(f, "version", 1, 1, &version);
    if (status == SADDLE_OK && version > SADDLE__BUNDLE_VERSION)
        return saddle__source_fail(f->source, file_name, "\"version\" is %lld, this reader knows %d",
                                   (long long)version, SADDLE__BUNDLE_VERSION);
    return status;
}

static saddle_status get_symmetric(const fields *f, int *symmetric)
{
    const json_t *field = json_object_get(f->object, "symmetric");
    *symmetric = !field ? -1 : json_is_true(field);
    return !field || json_is_boolean(field) ? SADDLE_OK : fail_type(f, "symmetric", "true or false");
}

static saddle_status get_time_step(const fields *f, double *step)
{
    const json_t *field = json_object_get(f->object, "time_step");
    if (!field || json_is_null(field)) return SADDLE_OK;
    if (!json_is_number(field)) return fail_type(f, "time_step", "a number");
    *step = json_number_value(field);
    return SADDLE_OK;
}

static saddle_status get_friction(const fields *f, saddle_problem *problem)
{
    const json_t *friction = json_object_get(f->object, "friction");
    if (!friction) return SADDLE_OK;
    if (!json_is_object(friction)) return fail_type(f, "friction", "an object");
    const json_t *law = json_object_get(friction, "law");
    if (law && !json_is_string(law)) return fail_type(f, "law", "a string");
    if (law && saddle_law_from_word(json_string_value(law), &problem->law) != SADDLE_OK)
        return saddle__source_fail(f->source, file_name, "\"law\" is \"%.40s\", not cone, pyramid, box or associated",
                                   json_string_value(law));
    fields inner = {f->source, friction};
    return get_integer(&inner, "facets", 0, 0, &problem->facets);
}

static saddle_status get_components(const fields *f, saddle_problem *problem)
{
    const json_t *sizes = json_object_get(f->object, "component_sizes");
    if (!sizes && json_object_get(f->object, "component_names"))
        return saddle__source_fail(f->source, file_name, "\"component_names\" without \"component_sizes\"");
    if (sizes && !json_is_array(sizes)) return fail_type(f, "component_sizes", "a list");
    int64_t count = sizes ? (int64_t)json_array_size(sizes) : 0;
    saddle_status status = get_integers(f, "component_sizes", count, &problem->component_size);
    problem->component_count = count;
    return status == SADDLE_OK ? get_strings(f, "component_names", count, &problem->component_name) : status;
}

static saddle_status get_all(const fields *f, saddle_problem *problem, int *symmetric)
{
    saddle_status status = check_format(f);
    if (status == SADDLE_OK) status = get_integer(f, "n", 1, 0, &problem->n);
    if (status == SADDLE_OK) status = get_integer(f, "m", 1, 0, &problem->m);
    if (status == SADDLE_OK) status = get_string(f, "name", &problem->name);
    if (status == SADDLE_OK) status = get_string(f, "source", &problem->source);
    if (status == SADDLE_OK) status = get_symmetric(f, symmetric);
    if (status == SADDLE_OK) status = get_time_step(f, &problem->time_step);
    if (status == SADDLE_OK) status = get_friction(f, problem);
    if (status == SADDLE_OK) status = get_integers(f, "row_ids", problem->m, &problem->row_id);
    if (status == SADDLE_OK) status = get_strings(f, "row_names", problem->m, &problem->row_name);
    return status == SADDLE_OK ? get_components(f, problem) : status;
}

saddle_status saddle__bundle_json_read(saddle__source *source, saddle_problem *problem, int *symmetric)
{
    saddle__scan scan;
    int present;
    saddle_status status = saddle__source_open(source, file_name, &present, &scan);
    if (status != SADDLE_OK) return status;
    if (!present)
        return saddle_fail(source->context, SADDLE_FILE_ERROR, "%s: not a problem bundle: there is no %s",
                           source->label, source->path);
    json_error_t error;
    json_t *root = json_loadb(scan.begin, (size_t)(scan.end - scan.begin), JSON_REJECT_DUPLICATES, &error);
    fields f = {source, root};
    if (!root && json_error_code(&error) == json_error_out_of_memory)
        status = saddle_fail(source->context, SADDLE_OUT_OF_MEMORY, "%s: out of memory", scan.label);
    else if (!root)
        status = saddle_fail(source->context, SADDLE_BAD_FILE, "%s:%d: %s", scan.label, error.line, error.text);
    else if (!json_is_object(root))
        status = saddle__source_fail(source, file_name, "not a JSON object");
    else
        status = get_all(&f, problem, symmetric);
    json_decref(root);
    saddle__scan_close(&scan);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

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

static saddle_status check_string(saddle_context *context, const char *what, int64_t place, const char *string)
{
    if (!string || saddle__text_is_utf8(string)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE, "%s %lld is not UTF-8 text, which JSON demands", what,
                       (long long)place + 1);
}

static saddle_status check_strings(saddle_context *context, const saddle_problem *problem)
{
    saddle_status status = check_string(context, "name", 0, problem->name);
    if (status == SADDLE_OK) status = check_string(context, "source", 0, problem->source);
    for (int64_t i = 0; status == SADDLE_OK && problem->row_name && i < problem->m; i++)
        status = check_string(context, "row name", i, problem->row_name[i]);
    for (int64_t i = 0; status == SADDLE_OK && problem->component_name && i < problem->component_count; i++)
        status = check_string(context, "component name", i, problem->component_name[i]);
    return status;
}

static void add_all(saddle__text *text, const saddle_problem *problem)
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
    saddle__text_add(text, problem->M.symmetry == SADDLE_SYMMETRIC ? "true" : "false");
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
    saddle__text_add(text, "\n}\n");
}

saddle_status saddle__bundle_json_write(saddle_context *context, const char *path, const saddle_problem *problem)
{
    saddle_status status = check_strings(context, problem);
    if (status != SADDLE_OK) return status;
    saddle__text text = {.context = context};
    add_all(&text, problem);
    char *characters;
    status = saddle__text_take(&text, &characters);
    saddle__output output;
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        saddle__output_text(&output, characters);
        status = saddle__output_finish(&output, status);
    }
    saddle_release(context, characters);
    return status;
}
