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

#include "base/context_internal.h"
#include "base/options_internal.h"
#include "files/json_scan.h"
#include "files/mtx.h"
#include "files/output.h"
#include "files/problem_file.h"
#include "files/text.h"
#include "matrix/matrix_internal.h"

/* ---- recorded solves ---- */

static const char *const orderings[] = {"best", "amd", "metis", "natural"};
enum { ORDERINGS = sizeof orderings / sizeof *orderings };

saddle__solving saddle__solving_none(void)
{
    return (saddle__solving){.options = saddle_options_default()};
}

void saddle__solving_clear(saddle_context *context, saddle__solving *solving)
{
    saddle__release_all(context, solving->solver, solving->settings);
    *solving = saddle__solving_none();
}

/* ---- reading ---- */

static saddle_status read_ordering(saddle__scan *scan, const char *what, void *object)
{
    saddle__solving *solving = object;
    char *word;
    int k = 0;
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    saddle_status status = saddle__json_string_or_null(scan, what, &word);
    if (status != SADDLE_OK) return status;
    while (k < ORDERINGS && !(word && strcmp(word, orderings[k]) == 0)) k++;
    if (k == ORDERINGS)
        status = saddle__scan_fail_at(scan, place,
                                      "%s is \"%.40s\", not best, amd, metis or natural", what,
                                      word ? word : "");
    else
        solving->options.ordering = (saddle_ordering)k;
    saddle_release(scan->context, word);
    return status;
}

#define FIELD(field) (offsetof(saddle__solving, options) + offsetof(saddle_options, field))
static const saddle__json_field solve_fields[] = {
    {"solver", SADDLE__JSON_STRING, offsetof(saddle__solving, solver), .required = 1},
    {"tolerance", SADDLE__JSON_NUMBER, FIELD(tolerance), .required = 0},
    {"max_iterations", SADDLE__JSON_SIZE, FIELD(max_iterations), .required = 0},
    {"regularization", SADDLE__JSON_NUMBER, FIELD(regularization), .required = 0},
    {"max_refinements", SADDLE__JSON_SIZE, FIELD(max_refinements), .required = 0},
    {"refine_to", SADDLE__JSON_NUMBER, FIELD(refine_to), .required = 0},
    {"ordering", SADDLE__JSON_OWN, 0, .read = read_ordering},
    {"settings", SADDLE__JSON_STRING, offsetof(saddle__solving, settings), .required = 0},
    {.key = NULL},
};
#undef FIELD

/* The value of "solve".  Ranges of options are checked; the solver's name and its settings are not,
 * which only the registry of solvers knows. */
static saddle_status read_solve(saddle__scan *scan, const char *what, void *object)
{
    saddle__solving *solving = object;
    saddle_status status = saddle__json_object(scan, what, solve_fields, solving, NULL);
    if (status != SADDLE_OK) return status;
    if (!solving->solver) return saddle__scan_fail(scan, "%s: \"solver\" is null", what);
    solving->options.settings = solving->settings;
    status = saddle_options_check(scan->context, &solving->options);
    if (status != SADDLE_INVALID_ARGUMENT) return status;
    char reason[SADDLE__MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", saddle_context_message(scan->context));
    return saddle__scan_fail(scan, "%s: %s", what, reason);
}

saddle_status saddle__solving_read(saddle_context *context, const char *path,
                                   saddle__solving *solving)
{
    static const saddle__json_field file[] = {{"solve", SADDLE__JSON_OWN, 0, .read = read_solve},
                                              {.key = NULL}};
    saddle__source source = saddle__source_folder(context, path);
    saddle__scan scan;
    int present;
    *solving = saddle__solving_none();
    saddle_status status = saddle__source_open(&source, "problem.json", &present, &scan);
    if (status == SADDLE_OK && present)
        status = saddle__json_object(&scan, "the file", file, solving, NULL);
    saddle__scan_close(&scan);
    saddle__source_close(&source);
    return status;
}

/* ---- writing ---- */

typedef struct recorded {
    const char *solver;
    const saddle_options *options;
} recorded;

static void add_key(saddle__text *text, const char *key)
{
    saddle__text_add(text, ", \"");
    saddle__text_add(text, key);
    saddle__text_add(text, "\": ");
}

static void add_solve(const void *user, saddle__text *text)
{
    const recorded *r = user;
    const saddle_options *o = r->options;
    saddle__text_member(text, "solve");
    saddle__text_add(text, "{\"solver\": ");
    saddle__text_add_json_string(text, r->solver);
    add_key(text, "tolerance");
    saddle__text_add_json_double(text, o->tolerance);
    add_key(text, "max_iterations");
    saddle__text_add_integer(text, o->max_iterations);
    add_key(text, "regularization");
    saddle__text_add_json_double(text, o->regularization);
    add_key(text, "max_refinements");
    saddle__text_add_integer(text, o->max_refinements);
    add_key(text, "refine_to");
    saddle__text_add_json_double(text, o->refine_to);
    add_key(text, "ordering");
    saddle__text_add_json_string(text, orderings[o->ordering]);
    if (o->settings && o->settings[0]) {
        add_key(text, "settings");
        saddle__text_add_json_string(text, o->settings);
    }
    saddle__text_add(text, "}");
}

saddle_status saddle__solving_write(saddle_context *context, const char *path,
                                    const saddle_problem *problem, const char *solver,
                                    const saddle_options *options)
{
    saddle_options chosen;
    const recorded r = {solver, &chosen};
    const saddle__bundle_more more = {&r, add_solve, NULL};
    SADDLE__RETURN_UNLESS(context, options, "options is NULL");
    SADDLE__TRY(saddle__options_read(context, options, &chosen));
    return saddle__bundle_write(context, path, problem, &more);
}

#define BUNDLE_FORMAT "saddle-problem"
enum { BUNDLE_VERSION = 1 };

static const char json_name[] = "problem.json";

/* ---- reading problem.json ---- */

typedef struct reading {
    saddle_problem problem;
    int symmetric; /* 1 claimed, 0 denied, -1 not stated */
    int attached;  /* 1: "components" or "attachments" is among the keys */
    char *format, *law;
    int64_t version;
    saddle__json_list row_ids, row_names; /* m may not be known yet */
    saddle__json_list component_sizes, component_names;
    saddle__solving solving; /* checked, and left to saddle__solving_read */
} reading;

static saddle_status read_format(saddle__scan *scan, const char *what, void *object)
{
    reading *r = object;
    saddle_status status = saddle__json_string_or_null(scan, what, &r->format);
    if (status != SADDLE_OK || (r->format && strcmp(r->format, BUNDLE_FORMAT) == 0)) return status;
    return saddle__scan_fail(scan, "%s is not \"%s\"", what, BUNDLE_FORMAT);
}

static saddle_status read_version(saddle__scan *scan, const char *what, void *object)
{
    int64_t *version = &((reading *)object)->version;
    saddle_status status = saddle__json_integer(scan, what, version);
    if (status == SADDLE_OK && *version < 1)
        return saddle__scan_fail(scan, "%s is %lld, less than 1", what, (long long)*version);
    if (status == SADDLE_OK && *version > BUNDLE_VERSION)
        return saddle__scan_fail(scan, "%s is %lld, this reader knows %d", what,
                                 (long long)*version, BUNDLE_VERSION);
    return status;
}

static saddle_status read_law(saddle__scan *scan, const char *what, void *object)
{
    reading *r = object;
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    saddle_status status = saddle__json_string_or_null(scan, what, &r->law);
    if (status != SADDLE_OK) return status;
    if (r->law && saddle_law_from_word(r->law, &r->problem.law) == SADDLE_OK) return SADDLE_OK;
    return saddle__scan_fail_at(scan, place,
                                "%s is \"%.40s\", not cone, pyramid, box or associated", what,
                                r->law ? r->law : "");
}

static saddle_status read_friction(saddle__scan *scan, const char *what, void *object)
{
    static const saddle__json_field fields[] = {
        {"law", SADDLE__JSON_OWN, 0, .read = read_law},
        {"facets", SADDLE__JSON_SIZE, offsetof(reading, problem.facets),
         .most = SADDLE_FACETS_AT_MOST},
        {.key = NULL},
    };
    return saddle__json_object(scan, what, fields, object, NULL);
}

static saddle_status read_own_solve(saddle__scan *scan, const char *what, void *object)
{
    return read_solve(scan, what, &((reading *)object)->solving);
}

static const saddle__json_field keys[] = {
    {"format", SADDLE__JSON_OWN, 0, .required = 1, .read = read_format},
    {"version", SADDLE__JSON_OWN, 0, .required = 1, .read = read_version},
    {"n", SADDLE__JSON_SIZE, offsetof(reading, problem.n), .required = 1},
    {"m", SADDLE__JSON_SIZE, offsetof(reading, problem.m), .required = 1},
    {"name", SADDLE__JSON_STRING, offsetof(reading, problem.name), .required = 0},
    {"source", SADDLE__JSON_STRING, offsetof(reading, problem.source), .required = 0},
    {"symmetric", SADDLE__JSON_BOOLEAN, offsetof(reading, symmetric), .required = 0},
    {"time_step", SADDLE__JSON_NUMBER, offsetof(reading, problem.time_step), .required = 0},
    {"friction", SADDLE__JSON_OWN, 0, .read = read_friction},
    {"row_ids", SADDLE__JSON_INTEGERS, offsetof(reading, row_ids), .required = 0},
    {"row_names", SADDLE__JSON_STRINGS, offsetof(reading, row_names), .required = 0},
    {"component_sizes", SADDLE__JSON_INTEGERS, offsetof(reading, component_sizes), .required = 0},
    {"component_names", SADDLE__JSON_STRINGS, offsetof(reading, component_names), .required = 0},
    {"solve", SADDLE__JSON_OWN, 0, .read = read_own_solve},
    /* read by attachments/ */
    {"components", SADDLE__JSON_NOTED, offsetof(reading, attached), .required = 0},
    {"attachments", SADDLE__JSON_NOTED, offsetof(reading, attached), .required = 0},
    {.key = NULL},
};

static saddle_status check_length(const saddle__source *source, const char *key,
                                  const saddle__json_list *list, int64_t needed)
{
    if (!list->element || list->count == needed) return SADDLE_OK;
    return saddle__source_fail(source, json_name, "\"%s\" has %lld elements, %lld are needed", key,
                               (long long)list->count, (long long)needed);
}

/* Moves the elements to *to. */
static void hand_over(saddle__json_list *list, void *to)
{
    memcpy(to, &list->element, sizeof list->element);
    *list = (saddle__json_list){0};
}

/* Moves the lists to the problem once their lengths are known to fit. */
static saddle_status hand_over_lists(const saddle__source *source, reading *r)
{
    saddle_problem *problem = &r->problem;
    if (r->component_names.element && !r->component_sizes.element)
        return saddle__source_fail(source, json_name,
                                   "\"component_names\" without \"component_sizes\"");
    saddle_status status = check_length(source, "row_ids", &r->row_ids, problem->m);
    if (status == SADDLE_OK) status = check_length(source, "row_names", &r->row_names, problem->m);
    if (status == SADDLE_OK)
        status = check_length(source, "component_names", &r->component_names,
                              r->component_sizes.count);
    if (status != SADDLE_OK) return status;
    problem->component_count = r->component_sizes.count;
    hand_over(&r->row_ids, &problem->row_id);
    hand_over(&r->row_names, &problem->row_name);
    hand_over(&r->component_sizes, &problem->component_size);
    hand_over(&r->component_names, &problem->component_name);
    return SADDLE_OK;
}

static void release_strings(saddle_context *context, saddle__json_list *list)
{
    for (int64_t i = 0; i < list->count; i++) saddle_release(context, ((char **)list->element)[i]);
    saddle_release(context, list->element);
}

static saddle_status read_json(saddle__source *source, reading *r)
{
    saddle__scan scan;
    saddle_context *context = source->context;
    int present;
    saddle_status status = saddle__source_open(source, json_name, &present, &scan);
    if (status != SADDLE_OK) return status;
    if (!present)
        return saddle_fail(context, SADDLE_FILE_ERROR, "%s: not a problem bundle: there is no %s",
                           source->label, source->path);
    status = saddle__json_object(&scan, "the file", keys, r, NULL);
    if (status == SADDLE_OK) status = saddle__json_end(&scan);
    if (status == SADDLE_OK) status = hand_over_lists(source, r);
    saddle__release_all(context, r->format, r->law, r->row_ids.element, r->component_sizes.element);
    saddle__solving_clear(context, &r->solving);
    release_strings(context, &r->row_names);
    release_strings(context, &r->component_names);
    saddle__scan_close(&scan);
    return status;
}

/* ---- one file of the folder ---- */

/* An optional matrix, whose header must say rows x cols before its entries are read; empty without
 * a file.  known: see saddle__mtx_body_scan. */
static saddle_status read_matrix(saddle__source *source, const char *name, int64_t rows,
                                 int64_t cols, int64_t known, int *present, saddle_matrix *A)
{
    saddle__scan scan;
    saddle__mtx_header header;
    saddle_status status = saddle__source_open(source, name, present, &scan);
    int found = status == SADDLE_OK && *present;
    if (found) status = saddle__mtx_header_scan(&scan, &header);
    if (found && status == SADDLE_OK && (header.rows != rows || header.cols != cols))
        status = saddle__source_fail(source, name, "%lld x %lld, but %s for %lld x %lld",
                                     (long long)header.rows, (long long)header.cols,
                                     source->files ? "the other files ask" : "problem.json asks",
                                     (long long)rows, (long long)cols);
    if (found && status == SADDLE_OK) status = saddle__mtx_body_scan(&scan, &header, known, A);
    saddle__scan_close(&scan);
    return status;
}

/* ---- M, J, R ---- */

/* Of a general M claimed to be symmetric the lower triangle is kept if both triangles agree. */
static saddle_status read_M(saddle__source *source, int symmetric, saddle_problem *problem)
{
    int present;
    int64_t j = 0, k = -1;
    saddle_matrix *M = &problem->M;
    saddle_status status = read_matrix(source, "M.mtx", problem->n, problem->n, 0, &present,
                                       &problem->M);
    if (status == SADDLE_OK && !present && problem->n > 0)
        return saddle__source_fail(source, "M.mtx", "absent, but n = %lld in problem.json",
                                   (long long)problem->n);
    if (status == SADDLE_OK && present && symmetric == 1 &&
        problem->M.symmetry == SADDLE_SYMMETRY_NONE)
        status = saddle__matrix_fold(source->context, M, 0.0, &k, &j);
    if (k < 0) return status;
    int64_t i = M->index[k];
    return saddle__source_fail(source, "M.mtx",
                               "problem.json says symmetric, but entries (%lld, %lld) and (%lld, "
                               "%lld) differ by %.3g",
                               (long long)i + 1, (long long)j + 1, (long long)j + 1,
                               (long long)i + 1, fabs(M->value[k] - saddle_matrix_entry(M, j, i)));
}

/* J is held by rows: the columns of J'.  M has paid for n columns. */
static saddle_status read_J(saddle__source *source, int *present, saddle_problem *problem)
{
    saddle_matrix J = {0};
    saddle_status status = read_matrix(source, "J.mtx", problem->m, problem->n, problem->n, present,
                                       &J);
    if (status == SADDLE_OK && *present)
        status = (J.symmetry == SADDLE_SYMMETRY_LOWER
                      ? saddle_matrix_expand
                      : saddle_matrix_transpose)(source->context, &J, &problem->Jt);
    saddle_matrix_clear(&J);
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
    return saddle_matrix_create(source->context, n, m, 0, SADDLE_SYMMETRY_NONE, &problem->Jt);
}

/* ---- bounds, contacts ---- */

static saddle_status read_bounds(saddle__source *source, saddle_problem *problem)
{
    double *both = NULL;
    int64_t m = problem->m;
    saddle_status status = saddle__source_array(source, "bounds.mtx", 1, &m, &(int64_t){2}, &both);
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

/* Row c of the table of count contacts: first row, rows, mu, and in 5 columns the coefficients of
 * torsion and rolling. */
static saddle_status take_contact(saddle__source *source, const double *table, int64_t cols,
                                  int64_t count, int64_t c, saddle_problem *problem)
{
    saddle_contact *contact = &problem->contacts[c];
    int64_t last = problem->m < INT64_C(1) << 53 ? problem->m : INT64_C(1) << 53;
    saddle_status status = to_integer(source, c, "first row", table[c], 1, last, &contact->row);
    if (status == SADDLE_OK)
        status = to_integer(source, c, "number of rows", table[c + count], 2, SADDLE_CONTACT_ROWS,
                            &contact->size);
    contact->row--;
    contact->mu = table[c + 2 * count];
    contact->mu_torsion = cols > 3 ? table[c + 3 * count] : 0;
    contact->mu_rolling = cols > 3 ? table[c + 4 * count] : 0;
    return status;
}

static saddle_status read_contacts(saddle__source *source, saddle_problem *problem)
{
    static const char name[] = "contacts.mtx";
    double *table = NULL;
    int64_t count = -1, cols = -1;
    saddle_status status = saddle__source_array(source, name, 0, &count, &cols, &table);
    if (status != SADDLE_OK || !table) return status;
    if (cols != 3 && cols != 5)
        status = saddle__source_fail(source, name, "%lld x %lld, but 3 or 5 columns are needed",
                                     (long long)count, (long long)cols);
    problem->contacts = saddle_allocate(source->context, count, sizeof *problem->contacts);
    if (problem->contacts)
        problem->contact_count = count;
    else
        status = SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; status == SADDLE_OK && c < count; c++)
        status = take_contact(source, table, cols, count, c, problem);
    saddle_release(source->context, table);
    return status;
}

/* ---- the folder ---- */

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
    reading r = {.problem = {.owner = 1, .context = source->context},
                 .symmetric = -1,
                 .solving = saddle__solving_none()};
    saddle_status status = read_json(source, &r);
    *problem = r.problem;
    if (status == SADDLE_OK && r.attached && !attached)
        status = saddle_fail(source->context, SADDLE_UNSUPPORTED,
                             "%s: has attachments, without which its problem is another one: "
                             "saddle_attachments_read reads both",
                             source->label);
    if (status == SADDLE_OK && !r.attached) status = refuse_stray(source);
    if (status == SADDLE_OK) status = read_M(source, r.symmetric, problem);
    if (status == SADDLE_OK) status = read_rows(source, problem);
    if (status == SADDLE_OK)
        status = saddle__source_array(source, "f.mtx", 0, &(int64_t){problem->n}, &(int64_t){1},
                                      &problem->f);
    if (status == SADDLE_OK)
        status = saddle__source_array(source, "b.mtx", 0, &(int64_t){problem->m}, &(int64_t){1},
                                      &problem->b);
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

/* Names are converted to UTF-8 (text.h). */
static saddle_status write_json(saddle_context *context, const char *path,
                                const saddle_problem *problem, const saddle__bundle_more *more)
{
    saddle__text made = {.context = context}, *text = &made;
    char *characters;
    saddle__text_add(text, "{\n");
    saddle__text_member_string(text, "format", BUNDLE_FORMAT);
    saddle__text_member_integer(text, "version", BUNDLE_VERSION);
    saddle__text_member_string(text, "name", problem->name);
    saddle__text_member_string(text, "source", problem->source);
    saddle__text_member_integer(text, "n", problem->n);
    saddle__text_member_integer(text, "m", problem->m);
    saddle__text_member(text, "symmetric");
    saddle__text_add(text, problem->M.symmetry != SADDLE_SYMMETRY_NONE ? "true" : "false");
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
    saddle_status status = saddle__text_take(text, &characters);
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

/* 5 columns where a contact has more than 3 rows. */
static saddle_status write_contacts(saddle_context *context, const char *path,
                                    const saddle_problem *problem)
{
    int64_t count = problem->contact_count, cols = 3;
    for (int64_t c = 0; c < count; c++)
        if (problem->contacts[c].size > 3) cols = 5;
    double *table = count <= INT64_MAX / 5 ? saddle_allocate(context, cols * count, sizeof *table)
                                           : NULL;
    if (!table) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        table[c] = (double)(contact->row + 1);
        table[c + count] = (double)contact->size;
        table[c + 2 * count] = contact->mu;
        if (cols > 3) table[c + 3 * count] = contact->mu_torsion;
        if (cols > 3) table[c + 4 * count] = contact->mu_rolling;
    }
    saddle_status status = saddle_array_write(context, path, count, cols, table);
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
    default: return more && more->write ? more->write(more->user, context, path) : SADDLE_OK;
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
