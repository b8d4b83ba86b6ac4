/* SPDX-License-Identifier: MIT */
/* problem.json to a problem.  Keys that are not known are passed over, so that a later writer may
 * add some; a newer version number is an error, and so is a known key given twice or with a value
 * of the wrong type. */
#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "files/json_scan.h"

static const char file_name[] = "problem.json";

typedef struct reading {
    saddle__scan *scan;
    saddle__source *source;
    saddle_problem *problem;
    int symmetric, attached;
    char *format, *law;
    int64_t version;
    int64_t *row_id, *component_size; /* lists of any length: m may not be known yet */
    char **row_name, **component_name;
    int64_t row_ids, row_names, component_sizes, component_names; /* their lengths */
} reading;

/* ---- lists ---- */

/* The list, or what it has moved to, with room for more than count elements; NULL when there is no
 * memory for that. */
static void *make_room(saddle_context *context, void *list, int64_t count, int64_t *capacity,
                       size_t size)
{
    if (count < *capacity) return list;
    int64_t larger = 2 * count + 8;
    void *moved = saddle_reallocate(context, list, larger, size);
    if (moved) *capacity = larger;
    return moved;
}

/* "\"row_ids\": element 3" */
static void name_element(char name[96], const char *what, int64_t count)
{
    snprintf(name, 96, "%s: element %lld", what, (long long)count + 1);
}

/* One element of a list into its place. */
typedef saddle_status read_element(saddle__scan *scan, const char *name, void *place);

static saddle_status integer_element(saddle__scan *scan, const char *name, void *place)
{
    return saddle__json_integer(scan, name, place);
}

/* A string, NULL for null: one without a name. */
static saddle_status string_element(saddle__scan *scan, const char *name, void *place)
{
    return saddle__json_string_or_null(scan, name, place);
}

/* *list: the elements of `size` bytes each, the caller's also after a failure; *count: those that
 * were read. */
static saddle_status scan_list(saddle__scan *scan, const char *what, read_element *read,
                               size_t size, void **list, int64_t *count)
{
    saddle__json_walk walk;
    int more = 1;
    int64_t capacity = 8;
    char name[96];
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    if (status == SADDLE_OK) {
        *list = saddle_allocate(scan->context, capacity, size);
        if (!*list) return SADDLE_OUT_OF_MEMORY;
    }
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        name_element(name, what, *count);
        void *moved = make_room(scan->context, *list, *count, &capacity, size);
        if (!moved) return SADDLE_OUT_OF_MEMORY;
        *list = moved;
        status = read(scan, name, (char *)moved + (size_t)*count * size);
        if (status == SADDLE_OK) ++*count;
    }
    return status;
}

static saddle_status scan_integers(saddle__scan *scan, const char *what, int64_t **values,
                                   int64_t *count)
{
    void *list = NULL;
    saddle_status status = scan_list(scan, what, integer_element, sizeof **values, &list, count);
    *values = list;
    return status;
}

static saddle_status scan_strings(saddle__scan *scan, const char *what, char ***values,
                                  int64_t *count)
{
    void *list = NULL;
    saddle_status status = scan_list(scan, what, string_element, sizeof **values, &list, count);
    *values = list;
    return status;
}

static void release_strings(saddle_context *context, char **strings, int64_t count)
{
    for (int64_t i = 0; strings && i < count; i++) saddle_release(context, strings[i]);
    saddle_release(context, (void *)strings);
}

/* ---- keys ---- */

typedef saddle_status read_value(reading *r, const char *what);

static saddle_status at_least(reading *r, const char *what, const char *place, int64_t least,
                              int64_t value)
{
    if (value >= least) return SADDLE_OK;
    return saddle__scan_fail_at(r->scan, place, "%s is %lld, less than %lld", what,
                                (long long)value, (long long)least);
}

static saddle_status read_integer(reading *r, const char *what, int64_t least, int64_t *value)
{
    saddle__scan_skip_space(r->scan);
    const char *place = r->scan->at;
    saddle_status status = saddle__json_integer(r->scan, what, value);
    return status == SADDLE_OK ? at_least(r, what, place, least, *value) : status;
}

static saddle_status read_format(reading *r, const char *what)
{
    saddle_status status = saddle__json_string_or_null(r->scan, what, &r->format);
    if (status != SADDLE_OK || (r->format && strcmp(r->format, SADDLE__BUNDLE_FORMAT) == 0))
        return status;
    return saddle__scan_fail(r->scan, "%s is not \"%s\"", what, SADDLE__BUNDLE_FORMAT);
}

static saddle_status read_version(reading *r, const char *what)
{
    saddle_status status = read_integer(r, what, 1, &r->version);
    if (status != SADDLE_OK || r->version <= SADDLE__BUNDLE_VERSION) return status;
    return saddle__scan_fail(r->scan, "%s is %lld, this reader knows %d", what,
                             (long long)r->version, SADDLE__BUNDLE_VERSION);
}

static saddle_status read_n(reading *r, const char *what)
{
    return read_integer(r, what, 0, &r->problem->n);
}

static saddle_status read_m(reading *r, const char *what)
{
    return read_integer(r, what, 0, &r->problem->m);
}

static saddle_status read_name(reading *r, const char *what)
{
    return saddle__json_string_or_null(r->scan, what, &r->problem->name);
}

static saddle_status read_source(reading *r, const char *what)
{
    return saddle__json_string_or_null(r->scan, what, &r->problem->source);
}

static saddle_status read_symmetric(reading *r, const char *what)
{
    return saddle__json_boolean(r->scan, what, &r->symmetric);
}

static saddle_status read_time_step(reading *r, const char *what)
{
    return saddle__json_null(r->scan) ? SADDLE_OK
                                      : saddle__json_number(r->scan, what, &r->problem->time_step);
}

static saddle_status read_law(reading *r, const char *what)
{
    saddle__scan_skip_space(r->scan);
    const char *place = r->scan->at;
    saddle_status status = saddle__json_string_or_null(r->scan, what, &r->law);
    if (status != SADDLE_OK) return status;
    if (r->law && saddle_law_from_word(r->law, &r->problem->law) == SADDLE_OK) return SADDLE_OK;
    return saddle__scan_fail_at(r->scan, place,
                                "%s is \"%.40s\", not cone, pyramid, box or associated", what,
                                r->law ? r->law : "");
}

static saddle_status read_facets(reading *r, const char *what)
{
    saddle__scan_skip_space(r->scan);
    const char *place = r->scan->at;
    saddle_status status = read_integer(r, what, 0, &r->problem->facets);
    if (status != SADDLE_OK || r->problem->facets <= SADDLE_FACETS_AT_MOST) return status;
    return saddle__scan_fail_at(r->scan, place, "%s is %lld, more than %d", what,
                                (long long)r->problem->facets, SADDLE_FACETS_AT_MOST);
}

static saddle_status read_row_ids(reading *r, const char *what)
{
    return scan_integers(r->scan, what, &r->row_id, &r->row_ids);
}

static saddle_status read_row_names(reading *r, const char *what)
{
    return scan_strings(r->scan, what, &r->row_name, &r->row_names);
}

static saddle_status read_component_sizes(reading *r, const char *what)
{
    return scan_integers(r->scan, what, &r->component_size, &r->component_sizes);
}

static saddle_status read_component_names(reading *r, const char *what)
{
    return scan_strings(r->scan, what, &r->component_name, &r->component_names);
}

/* What attachments/ reads for itself. */
static saddle_status pass_attached(reading *r, const char *what)
{
    (void)what;
    r->attached = 1;
    return saddle__json_skip(r->scan);
}

/* ---- objects ---- */

typedef struct field {
    const char *key;
    read_value *read;
    int required;
} field;

/* An object whose values the fields read. */
static saddle_status read_object(reading *r, const char *what, const field *fields, int count)
{
    saddle__json_walk walk;
    int more = 1;
    unsigned seen = 0;
    char key[SADDLE__JSON_KEY_SIZE], quoted[SADDLE__JSON_KEY_SIZE + 2];
    saddle_status status = saddle__json_open(r->scan, what, '{', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        status = saddle__json_key(&walk, key);
        if (status != SADDLE_OK) break;
        int k = 0;
        while (k < count && strcmp(fields[k].key, key) != 0) k++;
        snprintf(quoted, sizeof quoted, "\"%s\"", key);
        if (k == count)
            status = saddle__json_skip(r->scan);
        else if (seen >> k & 1)
            status = saddle__scan_fail(r->scan, "%s is given twice", quoted);
        else
            status = fields[k].read(r, quoted);
        seen |= k < count ? 1u << k : 0;
    }
    for (int k = 0; status == SADDLE_OK && k < count; k++)
        if (fields[k].required && !(seen >> k & 1))
            status = saddle__source_fail(r->source, file_name, "\"%s\" is missing", fields[k].key);
    return status;
}

static saddle_status read_friction(reading *r, const char *what)
{
    static const field fields[] = {{"law", read_law, 0}, {"facets", read_facets, 0}};
    return read_object(r, what, fields, 2);
}

static saddle_status read_all(reading *r)
{
    static const field fields[] = {
        {"format", read_format, 1},
        {"version", read_version, 1},
        {"n", read_n, 1},
        {"m", read_m, 1},
        {"name", read_name, 0},
        {"source", read_source, 0},
        {"symmetric", read_symmetric, 0},
        {"time_step", read_time_step, 0},
        {"friction", read_friction, 0},
        {"row_ids", read_row_ids, 0},
        {"row_names", read_row_names, 0},
        {"component_sizes", read_component_sizes, 0},
        {"component_names", read_component_names, 0},
        {"components", pass_attached, 0},
        {"attachments", pass_attached, 0},
    };
    saddle_status status = read_object(r, "the file", fields,
                                       (int)(sizeof fields / sizeof *fields));
    return status == SADDLE_OK ? saddle__json_end(r->scan) : status;
}

static saddle_status check_length(const reading *r, const char *key, const void *list,
                                  int64_t length, int64_t needed)
{
    if (!list || length == needed) return SADDLE_OK;
    return saddle__source_fail(r->source, file_name, "\"%s\" has %lld elements, %lld are needed",
                               key, (long long)length, (long long)needed);
}

/* The lists to the problem once their lengths are known to fit. */
static saddle_status hand_over(reading *r)
{
    saddle_problem *problem = r->problem;
    if (r->component_name && !r->component_size)
        return saddle__source_fail(r->source, file_name,
                                   "\"component_names\" without \"component_sizes\"");
    saddle_status status = check_length(r, "row_ids", r->row_id, r->row_ids, problem->m);
    if (status == SADDLE_OK)
        status = check_length(r, "row_names", r->row_name, r->row_names, problem->m);
    if (status == SADDLE_OK)
        status = check_length(r, "component_names", r->component_name, r->component_names,
                              r->component_sizes);
    if (status != SADDLE_OK) return status;
    problem->row_id = r->row_id;
    problem->row_name = r->row_name;
    problem->component_size = r->component_size;
    problem->component_name = r->component_name;
    problem->component_count = r->component_sizes;
    r->row_id = r->component_size = NULL;
    r->row_name = r->component_name = NULL;
    return SADDLE_OK;
}

saddle_status saddle__bundle_json_read(saddle__source *source, saddle_problem *problem,
                                       int *symmetric, int *attached)
{
    saddle__scan scan;
    saddle_context *context = source->context;
    int present;
    saddle_status status = saddle__source_open(source, file_name, &present, &scan);
    if (status != SADDLE_OK) return status;
    if (!present)
        return saddle_fail(context, SADDLE_FILE_ERROR, "%s: not a problem bundle: there is no %s",
                           source->label, source->path);
    reading r = {.scan = &scan, .source = source, .problem = problem, .symmetric = -1};
    status = read_all(&r);
    if (status == SADDLE_OK) status = hand_over(&r);
    *symmetric = r.symmetric;
    *attached = r.attached;
    saddle_release(context, r.format);
    saddle_release(context, r.law);
    saddle_release(context, r.row_id);
    saddle_release(context, r.component_size);
    release_strings(context, r.row_name, r.row_names);
    release_strings(context, r.component_name, r.component_names);
    saddle__scan_close(&scan);
    return status;
}
