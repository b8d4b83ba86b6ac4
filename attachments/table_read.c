/* SPDX-License-Identifier: MIT */
/* A graph of attachments from a bundle: "components" and "attachments" of problem.json, whose
 * numbers stand in attachments.mtx (table_write.c).  problem.json has been read once and is sound
 * JSON with no key twice. */
#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "files/json_scan.h"
#include "files/mtx.h"
#include "graph.h"

static const char json_name[] = "problem.json";
static const char matrix_name[] = "attachments.mtx";

enum { MESSAGE_SIZE = 600 };

/* Numbers of one list, its memory used again by the next one. */
typedef struct list {
    int64_t count, room;
    void *element; /* eight bytes each */
} list;

typedef struct table {
    saddle_context *context;
    saddle__source *source;
    saddle__scan *scan;
    int64_t n;
    saddle_attachments *graph;
    saddle_matrix rows; /* (n + 1) x n: column i is row i of attachments.mtx */
    int64_t *owner;     /* n: component of each velocity */
    int64_t *place;     /* components: where its block begins in value, -1 = no master */
    int64_t used;       /* entries that attachments have taken */
    int64_t dense;      /* entries of all blocks, zeros included .. */
    int64_t most;       /* .. and how many the bytes of attachments.mtx make plausible */
    /* of the object being read */
    const char *at; /* where it begins */
    saddle_component component;
    char *name, *kind;
    int64_t target;             /* id of the attached component */
    int sized, moves, directed; /* whether "size", "velocity", "directions" were given */
    list velocity, directions, masters;
} table;

/* What the graph refuses is the file's fault here. */
static saddle_status blame(const table *t, saddle_status status)
{
    if (status != SADDLE_INVALID_ARGUMENT && status != SADDLE_INVALID_PROBLEM) return status;
    char message[MESSAGE_SIZE];
    (void)snprintf(message, sizeof message, "%s", saddle_context_message(t->context));
    return saddle__scan_fail_at(t->scan, t->at, "%s", message);
}

/* ---- lists and objects ---- */

static saddle_status scan_list(saddle__scan *scan, const char *what, int integers, list *l)
{
    saddle__json_walk walk;
    int more = 1;
    l->count = 0;
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        void *grown = saddle__with_room(scan->context, l->element, l->count, &l->room,
                                        sizeof(double));
        if (!grown) return SADDLE_OUT_OF_MEMORY;
        l->element = grown;
        status = integers ? saddle__json_integer(scan, what, (int64_t *)l->element + l->count)
                          : saddle__json_number(scan, what, (double *)l->element + l->count);
        l->count++;
    }
    return status;
}

typedef struct field {
    const char *key;
    saddle_status (*read)(table *t, const char *what);
    int required;
} field;

/* An object whose values the fields read; other keys are passed over. */
static saddle_status read_object(table *t, const char *what, const field *fields, int count)
{
    saddle__json_walk walk;
    int more = 1;
    unsigned seen = 0;
    char key[SADDLE__JSON_KEY_SIZE];
    char quoted[SADDLE__JSON_KEY_SIZE + 2];
    saddle_status status = saddle__json_open(t->scan, what, '{', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        status = saddle__json_key(&walk, key);
        if (status != SADDLE_OK) break;
        int k = 0;
        while (k < count && strcmp(fields[k].key, key) != 0) k++;
        (void)snprintf(quoted, sizeof quoted, "\"%s\"", key);
        if (k == count)
            status = saddle__json_skip(t->scan);
        else if (seen >> k & 1)
            status = saddle__scan_fail(t->scan, "%s is given twice", quoted);
        else
            status = fields[k].read(t, quoted);
        seen |= k < count ? 1U << k : 0;
    }
    for (int k = 0; status == SADDLE_OK && k < count; k++)
        if (fields[k].required && !(seen >> k & 1))
            status = saddle__scan_fail(t->scan, "%s: \"%s\" is missing", what, fields[k].key);
    return status;
}

/* A list of objects, each begun with begin and put into the graph by finish. */
static saddle_status read_objects(table *t, const char *what, const field *fields, int count,
                                  void (*begin)(table *t), saddle_status (*finish)(table *t))
{
    saddle__json_walk walk;
    int more = 1;
    int64_t number = 0;
    char name[SADDLE__JSON_KEY_SIZE];
    saddle_status status = saddle__json_open(t->scan, what, '[', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        saddle__scan_skip_space(t->scan);
        (void)snprintf(name, sizeof name, "%s: element %lld", what, (long long)++number);
        t->at = t->scan->at;
        begin(t);
        status = read_object(t, name, fields, count);
        if (status == SADDLE_OK) status = finish(t);
    }
    return status;
}

/* ---- components ---- */

static saddle_status read_id(table *t, const char *what)
{
    return saddle__json_integer(t->scan, what, &t->component.id);
}

static saddle_status read_name(table *t, const char *what)
{
    return saddle__json_string_or_null(t->scan, what, &t->name);
}

static saddle_status read_kind(table *t, const char *what)
{
    saddle_status status = saddle__json_string_or_null(t->scan, what, &t->kind);
    if (status != SADDLE_OK) return status;
    if (t->kind && saddle_component_kind_from_word(t->kind, &t->component.kind) == SADDLE_OK)
        return SADDLE_OK;
    return saddle__scan_fail(t->scan, "%s is \"%.40s\", not particle, frame or coordinates", what,
                             t->kind ? t->kind : "");
}

static saddle_status read_size(table *t, const char *what)
{
    t->sized = 1;
    return saddle__json_integer(t->scan, what, &t->component.size);
}

static saddle_status read_velocity(table *t, const char *what)
{
    t->moves = 1;
    return scan_list(t->scan, what, 0, &t->velocity);
}

static void begin_component(table *t)
{
    saddle_release(t->context, t->name);
    saddle_release(t->context, t->kind);
    t->name = t->kind = NULL;
    t->sized = t->moves = 0;
    t->component = (saddle_component){0};
}

/* A size that is not given follows from the kind, or from the velocities; one that is given must be
 * the kind's. */
static saddle_status add_component(table *t)
{
    saddle_component *c = &t->component;
    int64_t count = t->velocity.count;
    if (t->sized && c->size < 0)
        return saddle__scan_fail_at(t->scan, t->at, "\"size\" is %lld", (long long)c->size);
    if (t->moves && t->sized && c->size != count)
        return saddle__scan_fail_at(t->scan, t->at,
                                    "\"velocity\" has %lld elements, \"size\" is %lld",
                                    (long long)count, (long long)c->size);
    if (t->moves) c->size = count;
    c->name = t->name;
    c->parametric = t->moves;
    saddle_status status = saddle_attachments_add(t->graph, c);
    if (status != SADDLE_OK) return blame(t, status);
    int64_t last = saddle_attachments_count(t->graph) - 1;
    const saddle_component added = saddle_attachments_component(t->graph, last).component;
    if ((t->sized || t->moves) && c->size != added.size)
        return saddle__scan_fail_at(t->scan, t->at,
                                    "%s: a component of kind %s cannot have %lld velocities",
                                    added.name, saddle_component_kind_word(added.kind),
                                    (long long)c->size);
    return t->moves ? blame(t, saddle_attachments_prescribe(t->graph, c->id, t->velocity.element))
                    : SADDLE_OK;
}

static saddle_status read_components(table *t, const char *what)
{
    static const field fields[] = {
        {"id", read_id, 1},     {"name", read_name, 0},         {"kind", read_kind, 1},
        {"size", read_size, 0}, {"velocity", read_velocity, 0},
    };
    return read_objects(t, what, fields, (int)(sizeof fields / sizeof *fields), begin_component,
                        add_component);
}

/* ---- attachments ---- */

static saddle_status read_target(table *t, const char *what)
{
    return saddle__json_integer(t->scan, what, &t->target);
}

static saddle_status read_directions(table *t, const char *what)
{
    t->directed = 1;
    return scan_list(t->scan, what, 1, &t->directions);
}

static saddle_status read_masters(table *t, const char *what)
{
    return scan_list(t->scan, what, 1, &t->masters);
}

static void begin_attachment(table *t)
{
    t->directed = 0;
    t->directions.count = t->masters.count = 0;
}

/* Directions to zero-based ones; rows: how many velocities are attached. */
static saddle_status find_rows(table *t, const saddle_component_view *k, int64_t *rows)
{
    *rows = t->directed ? t->directions.count : k->component.size;
    int64_t *direction = t->directions.element;
    for (int64_t i = 0; t->directed && i < *rows; i++) {
        if (direction[i] < 1 || direction[i] > k->component.size ||
            (i > 0 && direction[i] - 1 <= direction[i - 1]))
            return saddle__scan_fail_at(t->scan, t->at,
                                        "\"directions\" of %s: %lld is out of range or order",
                                        k->component.name, (long long)direction[i]);
        direction[i]--;
    }
    return SADDLE_OK;
}

/* Where each master's block begins; entries: of all of them. */
static saddle_status place_blocks(table *t, const saddle_component_view *k, int64_t rows,
                                  int64_t *entries)
{
    const int64_t *master = t->masters.element;
    *entries = 0;
    for (int64_t b = 0; b < t->masters.count; b++) {
        int64_t j = saddle_attachments_index(t->graph, master[b]);
        if (j < 0)
            return saddle__scan_fail_at(t->scan, t->at,
                                        "attachment of %s: there is no master of id %lld",
                                        k->component.name, (long long)master[b]);
        saddle_component_view view = saddle_attachments_component(t->graph, j);
        if (t->place[j] >= 0)
            return saddle__scan_fail_at(t->scan, t->at,
                                        "attachment of %s: master %s is given twice",
                                        k->component.name, view.component.name);
        t->place[j] = *entries;
        *entries += rows * view.component.size; /* sizes sum to n < 2^31 */
    }
    if (*entries > t->most - t->dense)
        return saddle_fail(t->context, SADDLE_TOO_LARGE,
                           "%s: attachment of %s: blocks of %lld entries, zeros included, %lld "
                           "with those before, for an "
                           "attachments.mtx of that size: at most %lld",
                           t->source->label, k->component.name, (long long)*entries,
                           (long long)(t->dense + *entries), (long long)t->most);
    t->dense += *entries;
    return SADDLE_OK;
}

/* Row i of the attachment, from its row of attachments.mtx. */
static saddle_status take_row(table *t, const saddle_component_view *k, int64_t rows, int64_t i,
                              double *value, double *term)
{
    int64_t velocity = k->first + (t->directed ? ((int64_t *)t->directions.element)[i] : i);
    for (int64_t e = t->rows.start[velocity]; e < t->rows.start[velocity + 1]; e++) {
        int64_t column = t->rows.index[e];
        t->used++;
        if (column == t->n) {
            term[i] = t->rows.value[e];
            continue;
        }
        int64_t j = t->owner[column];
        if (t->place[j] < 0)
            return saddle__source_fail(t->source, matrix_name,
                                       "entry (%lld, %lld): %s is no master of %s",
                                       (long long)velocity + 1, (long long)column + 1,
                                       saddle_attachments_component(t->graph, j).component.name,
                                       k->component.name);
        value[t->place[j] + i + (column - saddle_attachments_component(t->graph, j).first) * rows] =
            t->rows.value[e];
    }
    return SADDLE_OK;
}

static saddle_status attach(table *t, const saddle_component_view *k, int64_t rows, double *value,
                            double *term, saddle_attachment_block *blocks)
{
    saddle_status status = SADDLE_OK;
    for (int64_t i = 0; status == SADDLE_OK && i < rows; i++)
        status = take_row(t, k, rows, i, value, term);
    if (status != SADDLE_OK) return status;
    for (int64_t b = 0; b < t->masters.count; b++) {
        int64_t id = ((int64_t *)t->masters.element)[b];
        int64_t j = saddle_attachments_index(t->graph, id);
        blocks[b] = (saddle_attachment_block){
            .master = id,
            .rows = rows,
            .cols = saddle_attachments_component(t->graph, j).component.size,
            .value = value + t->place[j]};
    }
    static const int64_t none = 0; /* an empty list is not an absent one */
    const int64_t *directions = t->directions.element ? t->directions.element : &none;
    const saddle_attachment attachment = {.component = k->component.id,
                                          .direction_count = rows,
                                          .directions = t->directed ? directions : NULL,
                                          .block_count = t->masters.count,
                                          .blocks = blocks,
                                          .term = term};
    return blame(t, saddle_attachments_attach(t->graph, &attachment));
}

static saddle_status add_attachment(table *t)
{
    int64_t rows;
    int64_t entries;
    int64_t index = saddle_attachments_index(t->graph, t->target);
    if (index < 0)
        return saddle__scan_fail_at(t->scan, t->at, "there is no component of id %lld",
                                    (long long)t->target);
    saddle_component_view k = saddle_attachments_component(t->graph, index);
    saddle_status status = find_rows(t, &k, &rows);
    if (status == SADDLE_OK) status = place_blocks(t, &k, rows, &entries);
    if (status == SADDLE_OK) {
        double *value = saddle_allocate(t->context, entries, sizeof *value);
        double *term = saddle_allocate(t->context, rows, sizeof *term);
        saddle_attachment_block *blocks = saddle_allocate(t->context, t->masters.count,
                                                          sizeof *blocks);
        status = value && term && blocks ? attach(t, &k, rows, value, term, blocks)
                                         : SADDLE_OUT_OF_MEMORY;
        saddle_release(t->context, value);
        saddle_release(t->context, term);
        saddle_release(t->context, blocks);
    }
    for (int64_t b = 0; b < t->masters.count; b++) {
        int64_t j = saddle_attachments_index(t->graph, ((int64_t *)t->masters.element)[b]);
        if (j >= 0) t->place[j] = -1;
    }
    return status;
}

static saddle_status read_attachments(table *t, const char *what)
{
    static const field fields[] = {
        {"component", read_target, 1},
        {"directions", read_directions, 0},
        {"masters", read_masters, 0},
    };
    return read_objects(t, what, fields, (int)(sizeof fields / sizeof *fields), begin_attachment,
                        add_attachment);
}

/* ---- the bundle ---- */

/* One key of problem.json, which may stand anywhere in it. */
static saddle_status read_key(table *t, const field *key)
{
    saddle__scan scan;
    int present;
    saddle_status status = saddle__source_open(t->source, json_name, &present, &scan);
    t->scan = &scan;
    if (status == SADDLE_OK) status = read_object(t, "the file", key, 1);
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
        status = saddle_matrix_create(t->context, t->n, t->n + 1, 0, SADDLE_GENERAL, &A);
    }
    saddle__scan_close(&scan);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(t->context, &A, &t->rows);
    saddle_matrix_clear(&A);
    return status;
}

static saddle_status find_owners(table *t)
{
    int64_t count = saddle_attachments_count(t->graph);
    int64_t n = saddle_attachments_velocities(t->graph);
    if (n != t->n)
        return saddle__source_fail(t->source, json_name,
                                   "the components have %lld velocities, \"n\" is %lld",
                                   (long long)n, (long long)t->n);
    t->owner = saddle_allocate(t->context, n, sizeof *t->owner);
    t->place = saddle_allocate(t->context, count, sizeof *t->place);
    if (!t->owner || !t->place) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        saddle_component_view view = saddle_attachments_component(t->graph, c);
        t->place[c] = -1;
        for (int64_t i = 0; i < view.component.size; i++) t->owner[view.first + i] = c;
    }
    return SADDLE_OK;
}

/* Entries of a row that no attachment has taken. */
static saddle_status check_rest(const table *t)
{
    if (t->used == saddle_matrix_entries(&t->rows)) return SADDLE_OK;
    for (int64_t c = 0; c < saddle_attachments_count(t->graph); c++) {
        saddle_component_view view = saddle_attachments_component(t->graph, c);
        saddle_attachment a = {0};
        int64_t taken = 0;
        int attached = saddle_attachments_attachment(t->graph, c, &a);
        for (int64_t i = 0; i < view.component.size; i++) {
            int is = attached &&
                     (!a.directions || (taken < a.direction_count && a.directions[taken] == i));
            taken += is;
            if (!is && t->rows.start[view.first + i + 1] > t->rows.start[view.first + i])
                return saddle__source_fail(t->source, matrix_name,
                                           "row %lld (%s[%lld]) has entries, but is not attached",
                                           (long long)(view.first + i) + 1, view.component.name,
                                           (long long)i);
        }
    }
    return saddle_fail(t->context, SADDLE_INTERNAL, "attachments.mtx: an entry was lost");
}

static saddle_status check_loops(const table *t)
{
    int64_t *order = saddle_allocate(t->context, saddle_attachments_count(t->graph), sizeof *order);
    saddle_status status = order ? saddle_attachments_order(t->graph, order) : SADDLE_OUT_OF_MEMORY;
    saddle_release(t->context, order);
    if (status != SADDLE_INVALID_PROBLEM) return status;
    char message[MESSAGE_SIZE];
    (void)snprintf(message, sizeof message, "%s", saddle_context_message(t->context));
    return saddle__source_fail(t->source, json_name, "%s", message);
}

static saddle_status read_graph(saddle__source *source, int64_t n, saddle_attachments **attachments)
{
    static const field components = {"components", read_components, 1};
    static const field attachments_key = {"attachments", read_attachments, 0};
    table t = {.context = source->context, .source = source, .n = n};
    *attachments = NULL;
    saddle_status status = saddle_attachments_create(t.context, &t.graph);
    if (status == SADDLE_OK) status = read_key(&t, &components);
    if (status == SADDLE_OK) status = find_owners(&t);
    if (status == SADDLE_OK) status = read_matrix(&t);
    if (status == SADDLE_OK) status = read_key(&t, &attachments_key);
    if (status == SADDLE_OK) status = check_rest(&t);
    if (status == SADDLE_OK) status = check_loops(&t);
    if (status == SADDLE_OK)
        *attachments = t.graph;
    else
        saddle_attachments_free(t.graph);
    saddle_matrix_clear(&t.rows);
    void *const held[] = {
        t.owner,          t.place, t.name, t.kind, t.velocity.element, t.directions.element,
        t.masters.element};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) saddle_release(t.context, held[i]);
    return status;
}

saddle_status saddle__attachments_parse(saddle__source *source, saddle_problem *problem,
                                        saddle_attachments **attachments)
{
    int attached;
    *attachments = NULL;
    saddle_status status = saddle__bundle_parse_unreduced(source, problem, &attached);
    if (status == SADDLE_OK && attached) status = read_graph(source, problem->n, attachments);
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}

saddle_status saddle_attachments_read(saddle_context *context, const char *path,
                                      saddle_problem *problem, saddle_attachments **attachments)
{
    saddle_context_clear_message(context);
    if (attachments) *attachments = NULL;
    if (problem) memset(problem, 0, sizeof *problem);
    if (!path || !problem || !attachments)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_read: path, problem or attachments is NULL");
    saddle__source source = saddle__source_folder(context, path);
    saddle_status status = saddle__attachments_parse(&source, problem, attachments);
    saddle__source_close(&source);
    return status;
}
