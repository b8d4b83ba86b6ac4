/* SPDX-License-Identifier: MIT */
/* A graph of attachments in a bundle: "components" and "attachments" of problem.json, their numbers
 * in attachments.mtx, n x (n + 1), which is (A g) of
 *
 *     v = A v + g      at attached velocities; the other rows are empty
 *
 * At reading problem.json has been read before: sound JSON with no key twice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "files/json_scan.h"
#include "files/mtx.h"
#include "graph.h"

static const char json_name[] = "problem.json";
static const char matrix_name[] = "attachments.mtx";

typedef struct table {
    saddle_context *context;
    saddle__source *source;
    saddle__scan *scan;
    int64_t n;
    saddle_attachments *graph;
    saddle_matrix rows; /* (n + 1) x n: column i is row i of attachments.mtx */
    int64_t *owner;     /* n: component of each velocity */
    int64_t *place;     /* components: begin of its block in value, -1 = no master */
    int64_t used;       /* entries of attachments.mtx read so far */
    int64_t dense;      /* entries of all blocks, zeros included .. */
    int64_t most;       /* .. and their largest plausible number for the size of attachments.mtx */
    /* of the object being read */
    const char *at; /* its begin */
    unsigned given; /* bit k: key k of its fields */
    int64_t id, size;
    char *name, *kind;
    saddle__json_list velocity, directions, masters;
} table;

/* SADDLE_BAD_FILE at the object being read, with a printf-like reason. */
#define refuse(t, ...) saddle__scan_fail_at((t)->scan, (t)->at, __VA_ARGS__)

/* Errors of the graph become errors of the file. */
static saddle_status blame(const table *t, saddle_status status)
{
    if (status != SADDLE_INVALID_ARGUMENT && status != SADDLE_INVALID_PROBLEM) return status;
    return refuse(t, "%s", saddle_context_message(t->context));
}

static int is_given(const table *t, int key)
{
    return (t->given >> key & 1) != 0;
}

/* A list of objects with the fields, each added to the graph. */
static saddle_status read_objects(table *t, const char *what, const saddle__json_field *fields,
                                  saddle_status (*add)(table *t))
{
    saddle__json_walk walk;
    int more = 1;
    int64_t number = 0;
    char name[SADDLE__JSON_KEY_SIZE + 40];
    SADDLE__TRY(saddle__json_open(t->scan, what, '[', &walk));
    for (;;) {
        SADDLE__TRY(saddle__json_step(&walk, &more));
        if (!more) return SADDLE_OK;
        saddle__scan_skip_space(t->scan);
        (void)snprintf(name, sizeof name, "%s: element %lld", what, (long long)++number);
        t->at = t->scan->at;
        t->masters.count = 0;
        saddle_release(t->context, t->name);
        t->name = NULL;
        SADDLE__TRY(saddle__json_object(t->scan, name, fields, t, &t->given));
        SADDLE__TRY(add(t));
    }
}

/* ---- components ---- */

enum { ID, NAME, KIND, SIZE, VELOCITY }; /* keys of components in order */

/* A missing size follows from the kind, or from the velocities; a given size must be the kind's. */
static saddle_status add_component(table *t)
{
    int moves = is_given(t, VELOCITY);
    int sized = is_given(t, SIZE);
    saddle_component c = {.id = t->id, .name = t->name, .parametric = moves};
    if (!t->kind || saddle_component_kind_from_word(t->kind, &c.kind) != SADDLE_OK)
        return refuse(t, "\"kind\" is \"%.40s\", not particle, frame or coordinates",
                      t->kind ? t->kind : "");
    if (moves && sized && t->size != t->velocity.count)
        return refuse(t, "\"velocity\" has %lld elements, \"size\" is %lld",
                      (long long)t->velocity.count, (long long)t->size);
    if (sized) c.size = t->size;
    if (moves) c.size = t->velocity.count;
    SADDLE__TRY(blame(t, saddle_attachments_add(t->graph, &c)));
    const saddle__component *added = &t->graph->component[t->graph->count - 1];
    if ((sized || moves) && c.size != added->size)
        return refuse(t, "%s: a component of kind %s cannot have %lld velocities", added->name,
                      saddle_component_kind_word(added->kind), (long long)c.size);
    return moves ? blame(t, saddle_attachments_prescribe(t->graph, c.id, t->velocity.element))
                 : SADDLE_OK;
}

static saddle_status read_components(saddle__scan *scan, const char *what, void *object)
{
    static const saddle__json_field fields[] = {
        {"id", SADDLE__JSON_INTEGER, offsetof(table, id), .required = 1},
        {"name", SADDLE__JSON_STRING, offsetof(table, name), .required = 0},
        {"kind", SADDLE__JSON_STRING, offsetof(table, kind), .required = 1},
        {"size", SADDLE__JSON_SIZE, offsetof(table, size), .required = 0},
        {"velocity", SADDLE__JSON_NUMBERS, offsetof(table, velocity), .required = 0},
        {.key = NULL},
    };
    (void)scan;
    return read_objects(object, what, fields, add_component);
}

/* ---- attachments ---- */

enum { TARGET, DIRECTIONS, MASTERS }; /* keys of attachments in order */

/* Makes directions zero-based; rows: number of attached velocities. */
static saddle_status find_rows(table *t, const saddle__component *k, int64_t *rows)
{
    int64_t *direction = t->directions.element;
    int directed = is_given(t, DIRECTIONS);
    *rows = directed ? t->directions.count : k->size;
    for (int64_t i = 0; directed && i < *rows; i++) {
        if (direction[i] < 1 || direction[i] > k->size ||
            (i > 0 && direction[i] - 1 <= direction[i - 1]))
            return refuse(t, "\"directions\" of %s: %lld is out of range or order", k->name,
                          (long long)direction[i]);
        direction[i]--;
    }
    return SADDLE_OK;
}

/* Begin of each master's block; entries: of all blocks. */
static saddle_status place_blocks(table *t, const saddle__component *k, int64_t rows,
                                  int64_t *entries)
{
    const int64_t *master = t->masters.element;
    *entries = 0;
    for (int64_t b = 0; b < t->masters.count; b++) {
        int64_t j = saddle__component_find(t->graph, master[b]);
        if (j < 0)
            return refuse(t, "attachment of %s: there is no master of id %lld", k->name,
                          (long long)master[b]);
        if (t->place[j] >= 0)
            return refuse(t, "attachment of %s: master %s is given twice", k->name,
                          t->graph->component[j].name);
        t->place[j] = *entries;
        *entries += rows * t->graph->component[j].size; /* sizes sum to n < 2^31 */
    }
    if (*entries > t->most - t->dense)
        return saddle_fail(t->context, SADDLE_TOO_LARGE,
                           "%s: attachment of %s: blocks of %lld entries, zeros included, %lld "
                           "with those before, for an attachments.mtx of that size: at most %lld",
                           t->source->label, k->name, (long long)*entries,
                           (long long)(t->dense + *entries), (long long)t->most);
    t->dense += *entries;
    return SADDLE_OK;
}

/* Row i of the attachment, from its row of attachments.mtx. */
static saddle_status take_row(table *t, const saddle__component *k, int64_t rows, int64_t i,
                              double *value, double *term)
{
    const int64_t *direction = t->directions.element;
    int64_t velocity = k->first + (is_given(t, DIRECTIONS) ? direction[i] : i);
    for (int64_t e = t->rows.start[velocity]; e < t->rows.start[velocity + 1]; e++) {
        int64_t column = t->rows.index[e];
        t->used++;
        if (column == t->n) {
            term[i] = t->rows.value[e];
            continue;
        }
        int64_t j = t->owner[column];
        const saddle__component *master = &t->graph->component[j];
        if (t->place[j] < 0)
            return saddle__source_fail(t->source, matrix_name,
                                       "entry (%lld, %lld): %s is no master of %s",
                                       (long long)velocity + 1, (long long)column + 1, master->name,
                                       k->name);
        value[t->place[j] + i + (column - master->first) * rows] = t->rows.value[e];
    }
    return SADDLE_OK;
}

static saddle_status attach(table *t, const saddle__component *k, int64_t rows, double *value,
                            double *term, saddle_attachment_block *blocks)
{
    const int64_t *master = t->masters.element;
    for (int64_t i = 0; i < rows; i++) SADDLE__TRY(take_row(t, k, rows, i, value, term));
    for (int64_t b = 0; b < t->masters.count; b++) {
        int64_t j = saddle__component_find(t->graph, master[b]);
        blocks[b] = (saddle_attachment_block){master[b], rows, t->graph->component[j].size,
                                              value + t->place[j]};
    }
    const saddle_attachment given = {.component = k->id,
                                     .direction_count = rows,
                                     .directions = is_given(t, DIRECTIONS) ? t->directions.element
                                                                           : NULL,
                                     .block_count = t->masters.count,
                                     .blocks = blocks,
                                     .term = term};
    return blame(t, saddle_attachments_attach(t->graph, &given));
}

static saddle_status add_attachment(table *t)
{
    int64_t rows, entries;
    int64_t index = saddle__component_find(t->graph, t->id);
    if (index < 0) return refuse(t, "there is no component of id %lld", (long long)t->id);
    const saddle__component *k = &t->graph->component[index];
    saddle_status status = find_rows(t, k, &rows);
    if (status == SADDLE_OK) status = place_blocks(t, k, rows, &entries);
    if (status == SADDLE_OK) {
        double *value = saddle_allocate(t->context, entries, sizeof *value);
        double *term = saddle_allocate(t->context, rows, sizeof *term);
        saddle_attachment_block *blocks = saddle_allocate(t->context, t->masters.count,
                                                          sizeof *blocks);
        status = value && term && blocks ? attach(t, k, rows, value, term, blocks)
                                         : SADDLE_OUT_OF_MEMORY;
        saddle__release_all(t->context, value, term, blocks);
    }
    for (int64_t b = 0; b < t->masters.count; b++) {
        int64_t j = saddle__component_find(t->graph, ((int64_t *)t->masters.element)[b]);
        if (j >= 0) t->place[j] = -1;
    }
    return status;
}

static saddle_status read_attachments(saddle__scan *scan, const char *what, void *object)
{
    static const saddle__json_field fields[] = {
        {"component", SADDLE__JSON_INTEGER, offsetof(table, id), .required = 1},
        {"directions", SADDLE__JSON_INTEGERS, offsetof(table, directions), .required = 0},
        {"masters", SADDLE__JSON_INTEGERS, offsetof(table, masters), .required = 0},
        {.key = NULL},
    };
    (void)scan;
    return read_objects(object, what, fields, add_attachment);
}

/* ---- reading the bundle ---- */

/* Reads problem.json for a single key. */
static saddle_status read_key(table *t, const saddle__json_field *key)
{
    saddle__scan scan;
    int present;
    saddle_status status = saddle__source_open(t->source, json_name, &present, &scan);
    t->scan = &scan;
    if (status == SADDLE_OK) status = saddle__json_object(&scan, "the file", key, t, NULL);
    saddle__scan_close(&scan);
    return status;
}

static saddle_status read_matrix(table *t)
{
    saddle__scan scan;
    saddle__mtx_header header;
    saddle_matrix A = {0};
    int present;
    saddle_status status = saddle__source_open(t->source, matrix_name, &present, &scan);
    int64_t bytes = status == SADDLE_OK && present ? scan.end - scan.begin : 0;
    t->most = bytes > SADDLE__MTX_FREE_SIZE / SADDLE__MTX_SIZE_PER_BYTE
                  ? bytes * SADDLE__MTX_SIZE_PER_BYTE
                  : SADDLE__MTX_FREE_SIZE;
    if (status == SADDLE_OK && present) {
        status = saddle__mtx_header_scan(&scan, &header);
        if (status == SADDLE_OK && (header.rows != t->n || header.cols != t->n + 1))
            status = saddle__source_fail(t->source, matrix_name,
                                         "%lld x %lld, but n x (n + 1) is %lld x %lld",
                                         (long long)header.rows, (long long)header.cols,
                                         (long long)t->n, (long long)t->n + 1);
        if (status == SADDLE_OK) status = saddle__mtx_body_scan(&scan, &header, t->n + 1, &A);
    } else if (status == SADDLE_OK) {
        status = saddle_matrix_create(t->context, t->n, t->n + 1, 0, SADDLE_SYMMETRY_NONE, &A);
    }
    saddle__scan_close(&scan);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(t->context, &A, &t->rows);
    saddle_matrix_clear(&A);
    return status;
}

static saddle_status find_owners(table *t)
{
    const saddle_attachments *graph = t->graph;
    if (graph->n != t->n)
        return saddle__source_fail(t->source, json_name,
                                   "the components have %lld velocities, \"n\" is %lld",
                                   (long long)graph->n, (long long)t->n);
    t->owner = saddle_allocate(t->context, graph->n, sizeof *t->owner);
    t->place = saddle_allocate(t->context, graph->count, sizeof *t->place);
    if (!t->owner || !t->place) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        t->place[c] = -1;
        for (int64_t i = 0; i < k->size; i++) t->owner[k->first + i] = c;
    }
    return SADDLE_OK;
}

/* Rows with entries but without an attachment are refused. */
static saddle_status check_rest(const table *t)
{
    if (t->used == saddle_matrix_entries(&t->rows)) return SADDLE_OK;
    for (int64_t c = 0; c < t->graph->count; c++) {
        const saddle__component *k = &t->graph->component[c];
        const saddle__attachment *a = k->attachment;
        int64_t taken = 0;
        for (int64_t i = 0; i < k->size; i++) {
            int is_attached = a && taken < a->rows && a->direction[taken] == i;
            taken += is_attached;
            if (!is_attached && t->rows.start[k->first + i + 1] > t->rows.start[k->first + i])
                return saddle__source_fail(t->source, matrix_name,
                                           "row %lld (%s[%lld]) has entries, but is not attached",
                                           (long long)(k->first + i) + 1, k->name, (long long)i);
        }
    }
    return saddle_fail(t->context, SADDLE_INTERNAL, "attachments.mtx: an entry was lost");
}

/* SADDLE_INVALID_PROBLEM: a loop of attachments. */
static saddle_status check_loops(saddle_context *context, const saddle_attachments *graph)
{
    int64_t *order = saddle_allocate(context, graph->count, sizeof *order);
    saddle_status status = order ? saddle_attachments_order(graph, order) : SADDLE_OUT_OF_MEMORY;
    saddle_release(context, order);
    return status;
}

static saddle_status read_graph(saddle__source *source, int64_t n, saddle_attachments **attachments)
{
    static const saddle__json_field components[] = {
        {"components", SADDLE__JSON_OWN, 0, .required = 1, .read = read_components},
        {.key = NULL},
    };
    static const saddle__json_field attached[] = {
        {"attachments", SADDLE__JSON_OWN, 0, .read = read_attachments},
        {.key = NULL},
    };
    table t = {.context = source->context, .source = source, .n = n};
    *attachments = NULL;
    saddle_status status = saddle_attachments_create(t.context, &t.graph);
    if (status == SADDLE_OK) status = read_key(&t, components);
    if (status == SADDLE_OK) status = find_owners(&t);
    if (status == SADDLE_OK) status = read_matrix(&t);
    if (status == SADDLE_OK) status = read_key(&t, attached);
    if (status == SADDLE_OK) status = check_rest(&t);
    if (status == SADDLE_OK) {
        status = check_loops(t.context, t.graph);
        if (status == SADDLE_INVALID_PROBLEM)
            status = saddle__source_fail(source, json_name, "%s",
                                         saddle_context_message(t.context));
    }
    if (status == SADDLE_OK)
        *attachments = t.graph;
    else
        saddle_attachments_free(t.graph);
    saddle_matrix_clear(&t.rows);
    saddle__release_all(t.context, t.name, t.kind, t.owner, t.place, t.velocity.element,
                        t.directions.element, t.masters.element);
    return status;
}

saddle_status saddle__attachments_parse(saddle__source *source, saddle_problem *problem,
                                        saddle_attachments **attachments)
{
    int attached;
    *attachments = NULL;
    saddle_status status = saddle__bundle_parse(source, problem, &attached);
    if (status == SADDLE_OK && attached) status = read_graph(source, problem->n, attachments);
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}

saddle_status saddle_attachments_read(saddle_context *context, const char *path,
                                      saddle_problem *problem, saddle_attachments **attachments)
{
    if (attachments) *attachments = NULL;
    if (problem) memset(problem, 0, sizeof *problem);
    SADDLE__RETURN_UNLESS(context, path && problem && attachments,
                          "path, problem or attachments is NULL");
    saddle__source source = saddle__source_folder(context, path);
    saddle_status status = saddle__attachments_parse(&source, problem, attachments);
    saddle__source_close(&source);
    return status;
}

/* ---- writing problem.json ---- */

static void add_integer(saddle__text *text, const char *before, int64_t value)
{
    saddle__text_add(text, before);
    saddle__text_add_integer(text, value);
}

static void write_component(saddle__text *text, const saddle__component *c)
{
    add_integer(text, "\"id\": ", c->id);
    saddle__text_add(text, ", \"name\": ");
    saddle__text_add_json_string(text, c->name);
    saddle__text_add(text, ", \"kind\": ");
    saddle__text_add_json_string(text, saddle_component_kind_word(c->kind));
    add_integer(text, ", \"size\": ", c->size);
    if (!c->velocity) return;
    saddle__text_add(text, ", \"velocity\": [");
    for (int64_t i = 0; i < c->size; i++) {
        if (i > 0) saddle__text_add(text, ", ");
        saddle__text_add_json_double(text, c->velocity[i]);
    }
    saddle__text_add(text, "]");
}

static void write_attachment(saddle__text *text, const saddle_attachments *graph,
                             const saddle__component *c)
{
    const saddle__attachment *a = c->attachment;
    add_integer(text, "\"component\": ", c->id);
    if (!a->whole) saddle__text_add(text, ", \"directions\": [");
    for (int64_t i = 0; !a->whole && i < a->rows; i++)
        add_integer(text, i > 0 ? ", " : "", a->direction[i] + 1);
    saddle__text_add(text, a->whole ? ", \"masters\": [" : "], \"masters\": [");
    for (int64_t b = 0; b < a->block_count; b++)
        add_integer(text, b > 0 ? ", " : "", graph->component[a->master[b]].id);
    saddle__text_add(text, "]");
}

/* One object a line. */
static void add_keys(const void *user, saddle__text *text)
{
    const saddle_attachments *graph = user;
    saddle__text_add(text, ",\n  \"components\": [");
    for (int64_t k = 0; k < graph->count; k++) {
        saddle__text_add(text, k == 0 ? "\n    {" : ",\n    {");
        write_component(text, &graph->component[k]);
        saddle__text_add(text, "}");
    }
    saddle__text_add(text, "],\n  \"attachments\": [");
    int64_t written = 0;
    for (int64_t k = 0; k < graph->count; k++) {
        if (!graph->component[k].attachment) continue;
        saddle__text_add(text, written++ == 0 ? "\n    {" : ",\n    {");
        write_attachment(text, graph, &graph->component[k]);
        saddle__text_add(text, "}");
    }
    saddle__text_add(text, "]");
}

/* ---- writing attachments.mtx ---- */

/* A zero of a block need not be written; a negative one is another number. */
static int is_written(double value)
{
    return value != 0.0 || signbit(value);
}

/* Appends row i of an attachment of k to index and value; returns how many entries there are
 * then. */
static int64_t append_row(const saddle_attachments *graph, const saddle__attachment *a, int64_t i,
                          int64_t entries, int64_t *index, double *value)
{
    for (int64_t b = 0; b < a->block_count; b++) {
        const saddle_attachment_block *block = &a->blocks[b];
        for (int64_t j = 0; j < block->cols; j++) {
            if (!is_written(block->value[i + j * a->rows])) continue;
            index[entries] = graph->component[a->master[b]].first + j;
            value[entries++] = block->value[i + j * a->rows];
        }
    }
    if (!is_written(a->term[i])) return entries;
    index[entries] = graph->n;
    value[entries++] = a->term[i];
    return entries;
}

/* (A g)' with a column for each velocity, rows in any order; start: n + 1. */
static void fill(const saddle_attachments *graph, int64_t *start, int64_t *index, double *value)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < graph->count; k++) {
        const saddle__component *c = &graph->component[k];
        const saddle__attachment *a = c->attachment;
        int64_t row = 0;
        for (int64_t i = 0; i < c->size; i++) {
            start[c->first + i] = entries;
            if (!a || row == a->rows || a->direction[row] != i) continue;
            entries = append_row(graph, a, row++, entries, index, value);
        }
    }
    start[graph->n] = entries;
}

static saddle_status write_matrix(const void *user, saddle_context *context, const char *path)
{
    const saddle_attachments *graph = user;
    int64_t most = 0;
    for (int64_t k = 0; k < graph->count; k++)
        if (graph->component[k].attachment)
            most += graph->component[k].attachment->entries + graph->component[k].attachment->rows;
    int64_t *start = saddle_allocate(context, graph->n + 1, sizeof *start);
    int64_t *index = saddle_allocate(context, most, sizeof *index);
    double *value = saddle_allocate(context, most, sizeof *value);
    saddle_matrix transposed = {0};
    saddle_status status = start && index && value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        fill(graph, start, index, value);
        status = saddle_matrix_from_csc(context, graph->n + 1, graph->n, start, index, value,
                                        SADDLE_SYMMETRY_NONE, &transposed);
    }
    if (status == SADDLE_OK) status = saddle__mtx_write_transposed(context, path, &transposed);
    saddle_matrix_clear(&transposed);
    saddle__release_all(context, start, index, value);
    return status;
}

/* ---- writing the bundle ---- */

static saddle_status check_written(saddle_context *context, const saddle_problem *problem,
                                   const saddle_attachments *graph)
{
    if (problem->n != graph->n)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the problem has %lld velocities, the attachments' components %lld",
                           (long long)problem->n, (long long)graph->n);
    for (int64_t k = 0; k < graph->count; k++)
        if (!saddle__text_is_utf8(graph->component[k].name))
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                               "the name of component %lld is not UTF-8 text, which JSON demands",
                               (long long)graph->component[k].id);
    return check_loops(context, graph);
}

saddle_status saddle_attachments_write(saddle_context *context, const char *path,
                                       const saddle_problem *problem,
                                       const saddle_attachments *attachments)
{
    SADDLE__RETURN_UNLESS(context, path && problem, "path or problem is NULL");
    const saddle__bundle_more more = {attachments, add_keys, write_matrix};
    if (attachments) SADDLE__TRY(check_written(context, problem, attachments));
    return saddle__bundle_write(context, path, problem, attachments ? &more : NULL);
}
