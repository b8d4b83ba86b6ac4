/* SPDX-License-Identifier: MIT */
/* A problem bundle, read and written.  problem.json states the sizes, each other file is checked
 * against them.  Unknown keys of problem.json are passed over, so that later writers may add keys.
 * A newer version number is an error, and so is a known key given twice or with a value of the
 * wrong type. */
#include "files/bundle.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/json_scan.h"
#include "files/mtx.h"
#include "files/output.h"
#include "files/problem_file.h"
#include "files/text.h"

#define BUNDLE_FORMAT "saddle-problem"
enum bundle { BUNDLE_VERSION = 1 };

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

/* ---- reading problem.json: lists ---- */

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

/* ---- reading problem.json: keys ---- */

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
    if (status != SADDLE_OK || (r->format && strcmp(r->format, BUNDLE_FORMAT) == 0)) return status;
    return saddle__scan_fail(r->scan, "%s is not \"%s\"", what, BUNDLE_FORMAT);
}

static saddle_status read_version(reading *r, const char *what)
{
    saddle_status status = scan_at_least(r->scan, what, 1, &r->version);
    if (status != SADDLE_OK || r->version <= BUNDLE_VERSION) return status;
    return saddle__scan_fail(r->scan, "%s is %lld, this reader knows %d", what,
                             (long long)r->version, BUNDLE_VERSION);
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
    VELOCITIES,
    ROWS,
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
    case VELOCITIES: return scan_at_least(scan, what, 0, &problem->n);
    case ROWS: return scan_at_least(scan, what, 0, &problem->m);
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

/* problem.json into the problem's sizes, names, law, ids and time step, and into symmetric and
 * attached of r. */
static saddle_status read_json(reading *r)
{
    saddle__scan scan;
    saddle__source *source = r->source;
    saddle_context *context = source->context;
    int present;
    saddle_status status = saddle__source_open(source, json_name, &present, &scan);
    if (status != SADDLE_OK) return status;
    if (!present)
        return saddle_fail(context, SADDLE_FILE_ERROR, "%s: not a problem bundle: there is no %s",
                           source->label, source->path);
    r->scan = &scan;
    status = read_object(r, "the file", 0, TOP_KEYS, ROWS + 1);
    if (status == SADDLE_OK) status = saddle__json_end(&scan);
    if (status == SADDLE_OK) status = hand_over(r);
    saddle_release(context, r->format);
    saddle_release(context, r->law);
    saddle_release(context, r->row_id);
    saddle_release(context, r->component_size);
    release_strings(context, r->row_name, r->row_names);
    release_strings(context, r->component_name, r->component_names);
    saddle__scan_close(&scan);
    return status;
}

/* ---- one file of the folder ---- */

/* A matrix file whose header must say rows x cols, before its entries are read; known: see
 * saddle__mtx_body_scan. */
static saddle_status scan_matrix(saddle__source *source, const char *name, saddle__scan *scan,
                                 int64_t rows, int64_t cols, int64_t known, saddle_matrix *A)
{
    saddle__mtx_header header;
    saddle_status status = saddle__mtx_header_scan(scan, &header);
    if (status != SADDLE_OK) return status;
    if (header.rows == rows && header.cols == cols)
        return saddle__mtx_body_scan(scan, &header, known, A);
    return saddle__source_fail(source, name, "%lld x %lld, but problem.json asks for %lld x %lld",
                               (long long)header.rows, (long long)header.cols, (long long)rows,
                               (long long)cols);
}

/* An optional matrix of rows x cols; empty without a file. */
static saddle_status read_matrix(saddle__source *source, const char *name, int64_t rows,
                                 int64_t cols, int64_t known, int *present, saddle_matrix *A)
{
    saddle__scan scan;
    saddle_status status = saddle__source_open(source, name, present, &scan);
    if (status == SADDLE_OK && *present)
        status = scan_matrix(source, name, &scan, rows, cols, known, A);
    saddle__scan_close(&scan);
    return status;
}

/* ---- M, J, R ---- */

/* A general M claimed to be symmetric: keeps the lower triangle if both triangles agree. */
static saddle_status verify_symmetry(saddle__source *source, saddle_matrix *M)
{
    saddle_matrix transpose = {0}, difference = {0}, lower = {0};
    saddle_status status = saddle_matrix_transpose(source->context, M, &transpose);
    if (status == SADDLE_OK)
        status = saddle_matrix_add(source->context, 1.0, M, -1.0, &transpose, &difference);
    for (int64_t j = 0; status == SADDLE_OK && j < difference.cols; j++)
        for (int64_t k = difference.start[j]; status == SADDLE_OK && k < difference.start[j + 1];
             k++)
            if (difference.value[k] != 0.0)
                status = saddle__source_fail(
                    source, "M.mtx",
                    "problem.json says symmetric, but entries (%lld, %lld) and (%lld, %lld) "
                    "differ by %.3g",
                    (long long)difference.index[k] + 1, (long long)j + 1, (long long)j + 1,
                    (long long)difference.index[k] + 1, fabs(difference.value[k]));
    if (status == SADDLE_OK) status = saddle_matrix_lower(source->context, M, &lower);
    if (status == SADDLE_OK) {
        saddle_matrix_clear(M);
        *M = lower;
    }
    saddle_matrix_clear(&transpose);
    saddle_matrix_clear(&difference);
    return status;
}

static saddle_status read_M(saddle__source *source, int symmetric, saddle_problem *problem)
{
    int present;
    saddle_status status = read_matrix(source, "M.mtx", problem->n, problem->n, 0, &present,
                                       &problem->M);
    if (status == SADDLE_OK && !present && problem->n > 0)
        return saddle__source_fail(source, "M.mtx", "absent, but n = %lld in problem.json",
                                   (long long)problem->n);
    if (status == SADDLE_OK && present && symmetric == 1 && problem->M.symmetry == SADDLE_GENERAL)
        status = verify_symmetry(source, &problem->M);
    return status;
}

/* J is held by rows: the columns of J'.  M has paid for n columns. */
static saddle_status read_J(saddle__source *source, int *present, saddle_problem *problem)
{
    saddle_matrix J = {0}, full = {0};
    saddle_status status = read_matrix(source, "J.mtx", problem->m, problem->n, problem->n, present,
                                       &J);
    if (status == SADDLE_OK && *present && J.symmetry == SADDLE_SYMMETRIC) {
        status = saddle_matrix_expand(source->context, &J, &full);
        if (status == SADDLE_OK)
            status = saddle_matrix_transpose(source->context, &full, &problem->Jt);
    } else if (status == SADDLE_OK && *present) {
        status = saddle_matrix_transpose(source->context, &J, &problem->Jt);
    }
    saddle_matrix_clear(&J);
    saddle_matrix_clear(&full);
    return status;
}

/* R, and J = 0 where J has no file.  The size of J or R must make m plausible. */
static saddle_status read_rows(saddle__source *source, saddle_problem *problem)
{
    int has_J, has_R = 0;
    int64_t n = problem->n, m = problem->m;
    saddle_status status = read_J(source, &has_J, problem);
    if (status == SADDLE_OK)
        status = read_matrix(source, "R.mtx", m, m, has_J && m > n ? m : n, &has_R, &problem->R);
    if (status != SADDLE_OK || has_J) return status;
    if (!has_R && m > n && m > SADDLE__MTX_FREE_SIZE)
        return saddle_fail(
            source->context, SADDLE_TOO_LARGE,
            "%s: problem.json says m = %lld, but there is neither a J.mtx nor an R.mtx",
            source->label, (long long)m);
    return saddle_matrix_create(source->context, n, m, 0, SADDLE_GENERAL, &problem->Jt);
}

/* ---- bounds, contacts ---- */

static saddle_status read_bounds(saddle__source *source, saddle_problem *problem)
{
    double *both = NULL;
    int64_t m = problem->m;
    saddle_status status = saddle__source_array(source, "bounds.mtx", 1, 2, &m, &both);
    if (status != SADDLE_OK || !both) return status;
    problem->lo = saddle_allocate(source->context, m, sizeof *problem->lo);
    problem->hi = saddle_allocate(source->context, m, sizeof *problem->hi);
    if (!problem->lo || !problem->hi) {
        status = SADDLE_OUT_OF_MEMORY;
    } else if (m > 0) {
        memcpy(problem->lo, both, (size_t)m * sizeof *both);
        memcpy(problem->hi, both + m, (size_t)m * sizeof *both);
    }
    saddle_release(source->context, both);
    return status;
}

/* A whole number between lo and hi out of a column of contacts.mtx. */
static saddle_status to_integer(saddle__source *source, int64_t contact, const char *what,
                                double value, int64_t lo, int64_t hi, int64_t *integer)
{
    if (!(value >= (double)lo && value <= (double)hi) || value != floor(value))
        return saddle__source_fail(source, "contacts.mtx",
                                   "contact %lld: %s is %.17g, not an integer from %lld to %lld",
                                   (long long)contact + 1, what, value, (long long)lo,
                                   (long long)hi);
    *integer = (int64_t)value;
    return SADDLE_OK;
}

static saddle_status read_contacts(saddle__source *source, saddle_problem *problem)
{
    double *table = NULL;
    int64_t count = -1;
    saddle_status status = saddle__source_array(source, "contacts.mtx", 0, 3, &count, &table);
    if (status != SADDLE_OK || !table) return status;
    problem->contacts = saddle_allocate(source->context, count, sizeof *problem->contacts);
    if (problem->contacts)
        problem->contact_count = count;
    else
        status = SADDLE_OUT_OF_MEMORY;
    int64_t last = problem->m < INT64_C(1) << 53 ? problem->m : INT64_C(1) << 53;
    for (int64_t c = 0; status == SADDLE_OK && c < count; c++) {
        saddle_contact *contact = &problem->contacts[c];
        status = to_integer(source, c, "first row", table[c], 1, last, &contact->row);
        if (status == SADDLE_OK)
            status = to_integer(source, c, "number of rows", table[c + count], 2, 3,
                                &contact->size);
        contact->row--;
        contact->mu = table[c + 2 * count];
    }
    saddle_release(source->context, table);
    return status;
}

/* ---- the folder ---- */

static saddle_status refuse(const saddle__source *source)
{
    return saddle_fail(source->context, SADDLE_UNSUPPORTED,
                       "%s: has attachments, without which its problem is another one: "
                       "saddle_attachments_read reads both",
                       source->label);
}

/* Refuses an attachments.mtx to which no component of problem.json belongs. */
static saddle_status refuse_stray(saddle__source *source)
{
    static const char name[] = "attachments.mtx";
    saddle__scan scan;
    int present;
    saddle_status status = saddle__source_open(source, name, &present, &scan);
    saddle__scan_close(&scan);
    if (status != SADDLE_OK || !present) return status;
    return saddle__source_fail(source, name,
                               "problem.json has no \"components\" that it could belong to");
}

saddle_status saddle__bundle_parse(saddle__source *source, saddle_problem *problem, int *attached)
{
    *problem = (saddle_problem){.owner = 1, .context = source->context};
    reading r = {.source = source, .problem = problem, .symmetric = -1};
    saddle_status status = read_json(&r);
    if (status == SADDLE_OK && r.attached && !attached) status = refuse(source);
    if (status == SADDLE_OK && !r.attached) status = refuse_stray(source);
    if (status == SADDLE_OK) status = read_M(source, r.symmetric, problem);
    if (status == SADDLE_OK) status = read_rows(source, problem);
    if (status == SADDLE_OK)
        status = saddle__source_array(source, "f.mtx", 0, 1, &(int64_t){problem->n}, &problem->f);
    if (status == SADDLE_OK)
        status = saddle__source_array(source, "b.mtx", 0, 1, &(int64_t){problem->m}, &problem->b);
    if (status == SADDLE_OK) status = read_bounds(source, problem);
    if (status == SADDLE_OK) status = read_contacts(source, problem);
    if (status == SADDLE_OK)
        status = saddle__problem_check_file(source->context, source->label, problem);
    if (attached) *attached = r.attached;
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}

/* ---- writing problem.json ---- */

/* A list of integers, or of strings. */
static void add_list(saddle__text *text, const char *key, const int64_t *integers,
                     char *const *strings, int64_t count)
{
    saddle__text_member(text, key);
    saddle__text_add(text, "[");
    for (int64_t i = 0; i < count; i++) {
        saddle__text_add(text, i == 0 ? "" : ", ");
        if (integers)
            saddle__text_add_integer(text, integers[i]);
        else
            saddle__text_add_json_string(text, strings[i]);
    }
    saddle__text_add(text, "]");
}

static void add_all(saddle__text *text, const saddle_problem *problem,
                    const saddle__bundle_more *more)
{
    saddle__text_add(text, "{\n");
    saddle__text_member_string(text, "format", BUNDLE_FORMAT);
    saddle__text_member_integer(text, "version", BUNDLE_VERSION);
    saddle__text_member_string(text, "name", problem->name);
    saddle__text_member_string(text, "source", problem->source);
    saddle__text_member_integer(text, "n", problem->n);
    saddle__text_member_integer(text, "m", problem->m);
    saddle__text_member(text, "symmetric");
    saddle__text_add(text, problem->M.symmetry != SADDLE_GENERAL ? "true" : "false");
    saddle__text_member_double(text, "time_step", problem->time_step);
    saddle__text_member(text, "friction");
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

/* Names are converted to UTF-8 (text.h). */
static saddle_status write_json(saddle_context *context, const char *path,
                                const saddle_problem *problem, const saddle__bundle_more *more)
{
    saddle__text text = {.context = context};
    add_all(&text, problem, more);
    char *characters;
    saddle_status status = saddle__text_take(&text, &characters);
    if (status == SADDLE_OK) status = saddle__output_whole(context, path, characters);
    saddle_release(context, characters);
    return status;
}

/* ---- writing the folder ---- */

int saddle__bundle_is(const char *path)
{
    char head[4096];
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int file = folder < 0 ? -1 : openat(folder, json_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = file < 0 ? 0 : read(file, head, sizeof head - 1);
    if (file >= 0) close(file);
    if (folder >= 0) close(folder);
    head[got > 0 ? got : 0] = 0;
    return strstr(head, "\"" BUNDLE_FORMAT "\"") != NULL;
}

static saddle_status write_bounds(saddle_context *context, const char *path,
                                  const saddle_problem *problem)
{
    int64_t m = problem->m;
    double *both = m <= INT64_MAX / 2 ? saddle_allocate(context, 2 * m, sizeof *both) : NULL;
    if (!both) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < m; i++) {
        both[i] = saddle_problem_lo(problem, i);
        both[i + m] = saddle_problem_hi(problem, i);
    }
    saddle_status status = saddle_array_write(context, path, m, 2, both);
    saddle_release(context, both);
    return status;
}

static saddle_status write_contacts(saddle_context *context, const char *path,
                                    const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    double *table = count <= INT64_MAX / 3 ? saddle_allocate(context, 3 * count, sizeof *table)
                                           : NULL;
    if (!table) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        table[c] = (double)(contact->row + 1);
        table[c + count] = (double)contact->size;
        table[c + 2 * count] = contact->mu;
    }
    saddle_status status = saddle_array_write(context, path, count, 3, table);
    saddle_release(context, table);
    return status;
}

static const char *const names[] = {"problem.json",    "M.mtx", "J.mtx",      "R.mtx",
                                    "f.mtx",           "b.mtx", "bounds.mtx", "contacts.mtx",
                                    "attachments.mtx", NULL};

typedef struct writing {
    const saddle_problem *problem;
    const saddle__bundle_more *more;
} writing;

/* The file called names[k], unless the problem needs none. */
static saddle_status write_file(saddle_context *context, const void *user, int k, const char *path)
{
    const saddle_problem *problem = ((const writing *)user)->problem;
    const saddle__bundle_more *more = ((const writing *)user)->more;
    const saddle_matrix *M = &problem->M, *Jt = &problem->Jt, *R = &problem->R;
    const double *f = problem->f, *b = problem->b;
    switch (k) {
    case 0: return write_json(context, path, problem, more);
    case 1: return problem->n > 0 ? saddle_matrix_write(context, path, M) : SADDLE_OK;
    case 2:
        return saddle_matrix_entries(Jt) > 0 ? saddle__mtx_write_transposed(context, path, Jt)
                                             : SADDLE_OK;
    case 3: return R->rows > 0 ? saddle_matrix_write(context, path, R) : SADDLE_OK;
    case 4: return f ? saddle_array_write(context, path, problem->n, 1, f) : SADDLE_OK;
    case 5: return b ? saddle_array_write(context, path, problem->m, 1, b) : SADDLE_OK;
    case 6: return problem->lo || problem->hi ? write_bounds(context, path, problem) : SADDLE_OK;
    case 7: return problem->contact_count > 0 ? write_contacts(context, path, problem) : SADDLE_OK;
    default: return more ? more->write(more->user, context, path) : SADDLE_OK;
    }
}

saddle_status saddle__bundle_write(saddle_context *context, const char *path,
                                   const saddle_problem *problem, const saddle__bundle_more *more)
{
    static const saddle__folder_kind kind = {"a saddle problem bundle", names, saddle__bundle_is,
                                             write_file};
    saddle_status status = saddle_problem_check(context, problem, NULL, NULL);
    const writing w = {problem, more};
    return status == SADDLE_OK ? saddle__folder_write(context, path, &kind, &w) : status;
}
