/* SPDX-License-Identifier: MIT */
/* problem.json of a bundle, read and written. Unknown keys are passed over, so that later writers
 * may add keys. A newer version number is an error, and so is a known key given twice or with a
 * value of the wrong type. */
#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "files/json_scan.h"
#include "files/output.h"

static const char json_name[] = "problem.json";

typedef struct reading {
    saddle__scan *scan;
    saddle__source *source;
    saddle_problem *problem;
    int symmetric; /* 1 claimed, 0 denied, -1 not stated */
    int attached;  /* 1: "components" or "attachments" is among the keys */
    char *format, *law;
    int64_t version;
    void *row_id, *row_name, *component_size, *component_name; /* lists: m may not be known yet */
    int64_t row_ids, row_names, component_sizes, component_names; /* their lengths */
} reading;

/* ---- reading: lists ---- */

/* *list: integers, or strings (NULL for null), with their number in *count; the caller's even after
 * a failure. */
static saddle_status scan_list(saddle__scan *scan, const char *what, int strings, void **list,
                               int64_t *count)
{
    saddle__json_walk walk;
    const size_t size = strings ? sizeof(char *) : sizeof(int64_t);
    int more = 1;
    int64_t capacity = 0;
    char name[96];
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    if (status == SADDLE_OK && !(*list = saddle_allocate(scan->context, 0, size)))
        return SADDLE_OUT_OF_MEMORY;
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        if (*count == capacity) {
            capacity = 2 * capacity + 8;
            void *moved = saddle_reallocate(scan->context, *list, capacity, size);
            if (!moved) return SADDLE_OUT_OF_MEMORY;
            *list = moved;
        }
        snprintf(name, sizeof name, "%s: element %lld", what, (long long)*count + 1);
        status = strings ? saddle__json_string_or_null(scan, name, (char **)*list + *count)
                         : saddle__json_integer(scan, name, (int64_t *)*list + *count);
        if (status == SADDLE_OK) ++*count;
    }
    return status;
}

static void release_strings(saddle_context *context, char **strings, int64_t count)
{
    for (int64_t i = 0; strings && i < count; i++) saddle_release(context, strings[i]);
    saddle_release(context, (void *)strings);
}

/* ---- reading: keys ---- */

static saddle_status scan_at_least(saddle__scan *scan, const char *what, int64_t least,
                                   int64_t *value)
{
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    saddle_status status = saddle__json_integer(scan, what, value);
    if (status != SADDLE_OK || *value >= least) return status;
    return saddle__scan_fail_at(scan, place, "%s is %lld, less than %lld", what, (long long)*value,
                                (long long)least);
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
    saddle_status status = scan_at_least(r->scan, what, 1, &r->version);
    if (status != SADDLE_OK || r->version <= SADDLE__BUNDLE_VERSION) return status;
    return saddle__scan_fail(r->scan, "%s is %lld, this reader knows %d", what,
                             (long long)r->version, SADDLE__BUNDLE_VERSION);
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
    saddle_status status = scan_at_least(r->scan, what, 0, &r->problem->facets);
    if (status != SADDLE_OK || r->problem->facets <= SADDLE_FACETS_AT_MOST) return status;
    return saddle__scan_fail_at(r->scan, place, "%s is %lld, more than %d", what,
                                (long long)r->problem->facets, SADDLE_FACETS_AT_MOST);
}

static saddle_status read_friction(reading *r, const char *what);

enum key {
    FORMAT,
    VERSION,
    N,
    M,
    NAME,
    SOURCE,
    SYMMETRIC,
    TIME_STEP,
    FRICTION,
    ROW_IDS,
    ROW_NAMES,
    COMPONENT_SIZES,
    COMPONENT_NAMES,
    COMPONENTS,
    ATTACHMENTS,
    TOP_KEYS, /* the keys of "friction" follow */
    LAW = TOP_KEYS,
    FACETS,
    ALL_KEYS
};

static const char *const keys[ALL_KEYS] = {
    "format",          "version",    "n",           "m",       "name",      "source",
    "symmetric",       "time_step",  "friction",    "row_ids", "row_names", "component_sizes",
    "component_names", "components", "attachments", "law",     "facets"};

static saddle_status read_value(reading *r, enum key key, const char *what)
{
    saddle__scan *scan = r->scan;
    saddle_problem *problem = r->problem;
    switch (key) {
    case FORMAT: return read_format(r, what);
    case VERSION: return read_version(r, what);
    case N: return scan_at_least(scan, what, 0, &problem->n);
    case M: return scan_at_least(scan, what, 0, &problem->m);
    case NAME: return saddle__json_string_or_null(scan, what, &problem->name);
    case SOURCE: return saddle__json_string_or_null(scan, what, &problem->source);
    case SYMMETRIC: return saddle__json_boolean(scan, what, &r->symmetric);
    case TIME_STEP: return read_time_step(r, what);
    case FRICTION: return read_friction(r, what);
    case ROW_IDS: return scan_list(scan, what, 0, &r->row_id, &r->row_ids);
    case ROW_NAMES: return scan_list(scan, what, 1, &r->row_name, &r->row_names);
    case COMPONENT_SIZES: return scan_list(scan, what, 0, &r->component_size, &r->component_sizes);
    case COMPONENT_NAMES: return scan_list(scan, what, 1, &r->component_name, &r->component_names);
    case LAW: return read_law(r, what);
    case FACETS: return read_facets(r, what);
    default: r->attached = 1; return saddle__json_skip(scan); /* attachments/ reads these */
    }
}

/* An object with known keys[first .. end), the first `required` of them mandatory. */
static saddle_status read_object(reading *r, const char *what, int first, int end, int required)
{
    saddle__json_walk walk;
    int more = 1;
    unsigned seen = 0;
    char key[SADDLE__JSON_KEY_SIZE], quoted[SADDLE__JSON_KEY_SIZE + 2];
    saddle_status status = saddle__json_open(r->scan, what, '{', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        status = saddle__json_key(&walk, key);
        if (status != SADDLE_OK) break;
        int k = first;
        while (k < end && strcmp(keys[k], key) != 0) k++;
        snprintf(quoted, sizeof quoted, "\"%s\"", key);
        if (k == end)
            status = saddle__json_skip(r->scan);
        else if (seen >> k & 1)
            status = saddle__scan_fail(r->scan, "%s is given twice", quoted);
        else
            status = read_value(r, (enum key)k, quoted);
        seen |= k < end ? 1u << k : 0;
    }
    for (int k = first; status == SADDLE_OK && k < first + required; k++)
        if (!(seen >> k & 1))
            status = saddle__source_fail(r->source, json_name, "\"%s\" is missing", keys[k]);
    return status;
}

static saddle_status read_friction(reading *r, const char *what)
{
    return read_object(r, what, LAW, ALL_KEYS, 0);
}

static saddle_status check_length(const reading *r, const char *key, const void *list,
                                  int64_t length, int64_t needed)
{
    if (!list || length == needed) return SADDLE_OK;
    return saddle__source_fail(r->source, json_name, "\"%s\" has %lld elements, %lld are needed",
                               key, (long long)length, (long long)needed);
}

/* Moves the lists to the problem once their lengths are known to fit. */
static saddle_status hand_over(reading *r)
{
    saddle_problem *problem = r->problem;
    if (r->component_name && !r->component_size)
        return saddle__source_fail(r->source, json_name,
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
    r->row_id = r->row_name = r->component_size = r->component_name = NULL;
    return SADDLE_OK;
}

saddle_status saddle__bundle_json_read(saddle__source *source, saddle_problem *problem,
                                       int *symmetric, int *attached)
{
    saddle__scan scan;
    saddle_context *context = source->context;
    int present;
    saddle_status status = saddle__source_open(source, json_name, &present, &scan);
    if (status != SADDLE_OK) return status;
    if (!present)
        return saddle_fail(context, SADDLE_FILE_ERROR, "%s: not a problem bundle: there is no %s",
                           source->label, source->path);
    reading r = {.scan = &scan, .source = source, .problem = problem, .symmetric = -1};
    status = read_object(&r, "the file", 0, TOP_KEYS, M + 1);
    if (status == SADDLE_OK) status = saddle__json_end(&scan);
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

/* ---- writing ---- */

static void add_string_or_null(saddle__text *text, const char *string)
{
    if (string)
        saddle__text_add_json_string(text, string);
    else
        saddle__text_add(text, "null");
}

/* A list of integers, or of strings. */
static void add_list(saddle__text *text, const char *key, const int64_t *integers,
                     char *const *strings, int64_t count)
{
    saddle__text_add_key(text, key);
    saddle__text_add(text, "[");
    for (int64_t i = 0; i < count; i++) {
        saddle__text_add(text, i == 0 ? "" : ", ");
        if (integers)
            saddle__text_add_integer(text, integers[i]);
        else
            add_string_or_null(text, strings[i]);
    }
    saddle__text_add(text, "]");
}

static void add_all(saddle__text *text, const saddle_problem *problem,
                    const saddle__bundle_more *more)
{
    saddle__text_add(text, "{\n");
    saddle__text_add_key(text, "format");
    saddle__text_add_json_string(text, SADDLE__BUNDLE_FORMAT);
    saddle__text_add_key(text, "version");
    saddle__text_add_integer(text, SADDLE__BUNDLE_VERSION);
    saddle__text_add_key(text, "name");
    add_string_or_null(text, problem->name);
    saddle__text_add_key(text, "source");
    add_string_or_null(text, problem->source);
    saddle__text_add_key(text, "n");
    saddle__text_add_integer(text, problem->n);
    saddle__text_add_key(text, "m");
    saddle__text_add_integer(text, problem->m);
    saddle__text_add_key(text, "symmetric");
    saddle__text_add(text, problem->M.symmetry != SADDLE_GENERAL ? "true" : "false");
    saddle__text_add_key(text, "time_step");
    saddle__text_add_json_double(text, problem->time_step);
    saddle__text_add_key(text, "friction");
    saddle__text_add(text, "{\"law\": ");
    saddle__text_add_json_string(text, saddle_law_word(problem->law));
    saddle__text_add(text, ", \"facets\": ");
    saddle__text_add_integer(text, problem->facets);
    saddle__text_add(text, "}");
    int64_t m = problem->m, components = problem->component_count;
    if (problem->row_id) add_list(text, "row_ids", problem->row_id, NULL, m);
    if (problem->row_name) add_list(text, "row_names", NULL, problem->row_name, m);
    if (components > 0)
        add_list(text, "component_sizes", problem->component_size, NULL, components);
    if (components > 0 && problem->component_name)
        add_list(text, "component_names", NULL, problem->component_name, components);
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
    if (status == SADDLE_OK) status = saddle__output_whole(context, path, characters);
    saddle_release(context, characters);
    return status;
}
