/* SPDX-License-Identifier: MIT */
/* The pattern of Q, attached velocities by active ones alone; the patterns of M' = Q'M Q and J' = J
 * Q, column by column (see elimination.h).
 *
 * An active row stays in place, an attached row becomes the rows of all its roots, a prescribed row
 * is dropped. */
#include <string.h>

#include "base/vector.h"
#include "elimination.h"
#include "matrix/matrix_internal.h"

/* ---- Q ---- */

/* Roots of the units so far, and scratch. */
typedef struct collector {
    saddle_context *context;
    const saddle_map *map;
    int64_t *root_start; /* units + 1 */
    int64_t *root;       /* room */
    int64_t count, room;
    int64_t *mark; /* components: last unit with this root, + 1 */
} collector;

static saddle_status collect_root(collector *c, int64_t unit, int64_t component)
{
    if (c->mark[component] == unit + 1) return SADDLE_OK;
    SADDLE__TRY(saddle__reserve(c->context, &c->root, &c->room, c->count + 1, sizeof *c->root));
    c->mark[component] = unit + 1;
    c->root[c->count++] = component;
    return SADDLE_OK;
}

/* The union of the masters with active velocities and their roots. */
static saddle_status collect_roots(collector *c, int64_t unit)
{
    const saddle_map *map = c->map;
    const int64_t *start = c->root_start;
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++) {
        int64_t j = map->master[b];
        int64_t above = map->unit_of[j];
        if (saddle__component_width(map, j) > 0) SADDLE__TRY(collect_root(c, unit, j));
        if (above < 0) continue;
        for (int64_t r = start[above]; r < start[above + 1]; r++)
            SADDLE__TRY(collect_root(c, unit, c->root[r]));
    }
    if (c->count > start[unit]) saddle__sort_indices(c->count - start[unit], c->root + start[unit]);
    c->root_start[unit + 1] = c->count;
    return SADDLE_OK;
}

static saddle_status make_composition(saddle_context *context, const saddle_map *map, int64_t roots,
                                      int64_t entries, saddle__composition *Q)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(Q->root_start, map->units + 1),
                                    SADDLE__ARRAY(Q->root, roots),
                                    SADDLE__ARRAY(Q->offset, roots),
                                    SADDLE__ARRAY(Q->width, map->units),
                                    SADDLE__ARRAY(Q->Q_start, map->units + 1),
                                    SADDLE__ARRAY(Q->Q, entries),
                                    SADDLE__ARRAY(Q->place, map->components),
                                    SADDLE__ARRAY(Q->level, map->units),
                                    SADDLE__ARRAY(Q->unit_of_row, map->row_start[map->units]),
                                    SADDLE__ARRAY(Q->follower_start, map->components + 1),
                                    SADDLE__ARRAY(Q->follower, roots),
                                    SADDLE__ARRAY(Q->follower_offset, roots)};
    return saddle__layout_make(context, &Q->layout, arrays, SADDLE__LENGTH(arrays));
}

/* Entries of Q. */
static saddle_status count_entries(const collector *c, int64_t *entries)
{
    *entries = 0;
    for (int64_t u = 0; u < c->map->units; u++) {
        int64_t width = 0;
        for (int64_t r = c->root_start[u]; r < c->root_start[u + 1]; r++)
            width += saddle__component_width(c->map, c->root[r]);
        int64_t more = saddle__unit_rows(c->map, u) * width; /* both are below 2^31 */
        if (*entries > INT64_MAX / 16 - more)
            return saddle_fail(c->context, SADDLE_TOO_LARGE,
                               "too many entries in the composed attachments");
        *entries += more;
    }
    return SADDLE_OK;
}

/* Numbers the rows of each unit and the columns of its roots. */
static void place_parts(const saddle_map *map, saddle__composition *Q)
{
    for (int64_t u = 0; u < map->units; u++) {
        for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++) {
            Q->offset[r] = Q->width[u];
            Q->width[u] += saddle__component_width(map, Q->root[r]);
        }
        Q->Q_start[u + 1] = Q->Q_start[u] + saddle__unit_rows(map, u) * Q->width[u];
        for (int64_t a = map->row_start[u]; a < map->row_start[u + 1]; a++)
            Q->unit_of_row[a] = (int32_t)u;
    }
}

/* Levels: masters stand before their followers. */
static void place_levels(const saddle_map *map, saddle__composition *Q)
{
    for (int64_t u = 0; u < map->units; u++) {
        Q->level[u] = 0;
        for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
            const int64_t above = map->unit_of[map->master[b]];
            if (above >= 0 && Q->level[above] >= Q->level[u]) Q->level[u] = Q->level[above] + 1;
        }
        if (Q->level[u] >= Q->levels) Q->levels = Q->level[u] + 1;
    }
}

/* The lists of roots transposed: units with a component as root. */
static void list_followers(const saddle_map *map, saddle__composition *Q)
{
    int64_t *start = Q->follower_start;
    for (int64_t r = 0; r < Q->root_start[map->units]; r++) start[Q->root[r]]++;
    saddle__cumulate(start, map->components);
    for (int64_t u = 0; u < map->units; u++)
        for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++) {
            int64_t p = start[Q->root[r]]++; /* the fill position; moved back below */
            Q->follower[p] = u;
            Q->follower_offset[p] = Q->offset[r];
        }
    memmove(start + 1, start, (size_t)map->components * sizeof *start);
    start[0] = 0;
}

/* The pattern of Q; values are zero. */
static saddle_status compose(saddle_context *context, const saddle_map *map, saddle__composition *Q)
{
    *Q = (saddle__composition){0};
    collector c = {.context = context, .map = map};
    int64_t entries = 0;
    c.root_start = saddle_allocate(context, map->units + 1, sizeof *c.root_start);
    c.mark = saddle_allocate(context, map->components, sizeof *c.mark);
    saddle_status status = c.root_start && c.mark ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t u = 0; status == SADDLE_OK && u < map->units; u++) status = collect_roots(&c, u);
    if (status == SADDLE_OK) status = count_entries(&c, &entries);
    if (status == SADDLE_OK) status = make_composition(context, map, c.count, entries, Q);
    if (status == SADDLE_OK) {
        memcpy(Q->root_start, c.root_start, (size_t)(map->units + 1) * sizeof *Q->root_start);
        if (c.count > 0) memcpy(Q->root, c.root, (size_t)c.count * sizeof *Q->root);
        place_parts(map, Q);
        place_levels(map, Q);
        list_followers(map, Q);
    }
    saddle__release_all(context, c.root_start, c.root, c.mark);
    return status;
}

/* ---- the mirror ---- */

/* Entry (i, c) below the diagonal: i or c is attached, neither prescribed. */
static int is_needed(const saddle_map *map, int64_t i, int64_t c)
{
    int32_t a = map->to[i];
    int32_t b = map->to[c];
    return a != SADDLE__PRESCRIBED && b != SADDLE__PRESCRIBED && (a < 0 || b < 0);
}

static saddle_status create_mirror(saddle_context *context, const saddle_map *map,
                                   const saddle_matrix *M, saddle__mirror *mirror)
{
    if (M->symmetry != SADDLE_SYMMETRY_LOWER || map->n == 0 || !M->start) return SADDLE_OK;
    mirror->start = saddle_allocate(context, map->n + 1, sizeof *mirror->start);
    if (!mirror->start) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < M->cols; c++)
        for (int64_t k = M->start[c]; k < M->start[c + 1]; k++)
            mirror->start[M->index[k]] += M->index[k] > c && is_needed(map, M->index[k], c);
    saddle__cumulate(mirror->start, map->n);
    mirror->column = saddle_allocate(context, mirror->start[map->n], sizeof *mirror->column);
    mirror->offset = saddle_allocate(context, mirror->start[map->n], sizeof *mirror->offset);
    if (!mirror->column || !mirror->offset) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < M->cols; c++)
        for (int64_t k = M->start[c]; k < M->start[c + 1]; k++) {
            int64_t i = M->index[k];
            if (i <= c || !is_needed(map, i, c)) continue;
            int64_t p = mirror->start[i]++; /* the fill position; moved back below */
            mirror->column[p] = (int32_t)c;
            mirror->offset[p] = (int32_t)(k - M->start[c]);
        }
    memmove(mirror->start + 1, mirror->start, (size_t)map->n * sizeof *mirror->start);
    mirror->start[0] = 0;
    return SADDLE_OK;
}

/* ---- columns ---- */

typedef struct builder {
    saddle_context *context;
    const saddle_map *map;
    const saddle__composition *Q;
    const saddle__mirror *mirror;
    const saddle_matrix *A; /* M or J' */
    int64_t limit;          /* first row; rows before belong to the other triangle */
    int64_t *row;           /* n': rows of the column */
    int64_t rows;
    int64_t *root; /* components: roots of its attached rows */
    int64_t roots;
    int64_t *row_mark;      /* n': last column with this row, + 1 */
    int64_t *root_mark;     /* components */
    int64_t *unit_mark;     /* units */
    int64_t *attached_mark; /* attached rows */
    int64_t attached;       /* attached rows of the column */
    int64_t stamp;
    int64_t *index; /* room: rows of all columns so far */
    int64_t count, room;
    saddle__layout layout; /* of the arrays but index */
} builder;

static void begin_column(builder *b, int64_t limit)
{
    b->stamp++;
    b->limit = limit;
    b->rows = 0;
    b->roots = 0;
    b->attached = 0;
}

static void add_root(builder *b, int64_t component)
{
    if (b->map->column[component] < b->limit || b->root_mark[component] == b->stamp) return;
    b->root_mark[component] = b->stamp;
    b->root[b->roots++] = component;
}

static void add_attached(builder *b, int64_t attached_row)
{
    if (b->attached_mark[attached_row] == b->stamp) return;
    b->attached_mark[attached_row] = b->stamp;
    b->attached++;
    int64_t u = b->Q->unit_of_row[attached_row];
    if (b->unit_mark[u] == b->stamp) return;
    b->unit_mark[u] = b->stamp;
    for (int64_t r = b->Q->root_start[u]; r < b->Q->root_start[u + 1]; r++)
        add_root(b, b->Q->root[r]);
}

static void add_velocity(builder *b, int64_t i)
{
    int64_t to = b->map->to[i];
    if (to < SADDLE__PRESCRIBED) add_attached(b, SADDLE__ATTACHED_ROW(to));
    if (to < 0 || to < b->limit || b->row_mark[to] == b->stamp) return;
    b->row_mark[to] = b->stamp;
    b->row[b->rows++] = to;
}

/* Rows of column c of A, of both triangles of a symmetric A. */
static void add_column(builder *b, int64_t c)
{
    if (!b->A->start) return;
    for (int64_t k = b->A->start[c]; k < b->A->start[c + 1]; k++) add_velocity(b, b->A->index[k]);
    if (!b->mirror->start || b->A->symmetry != SADDLE_SYMMETRY_LOWER) return;
    for (int64_t k = b->mirror->start[c]; k < b->mirror->start[c + 1]; k++)
        add_velocity(b, b->mirror->column[k]);
}

static saddle_status make_room(builder *b, int64_t more)
{
    return saddle__reserve(b->context, &b->index, &b->room, b->count + more, sizeof *b->index);
}

/* Appends the rows of the column, ascending: its own and those of its roots, merged. */
static saddle_status end_column(builder *b)
{
    const int64_t *column = b->map->column;
    int64_t sorted = 1;
    for (int64_t i = 1; i < b->rows; i++) sorted &= b->row[i] > b->row[i - 1];
    if (!sorted) saddle__sort_indices(b->rows, b->row);
    saddle__sort_indices(b->roots, b->root);
    int64_t most = b->rows;
    for (int64_t r = 0; r < b->roots; r++) most += saddle__component_width(b->map, b->root[r]);
    SADDLE__TRY(make_room(b, most));
    int64_t i = 0;
    for (int64_t r = 0; r < b->roots; r++) {
        int64_t begin = column[b->root[r]];
        int64_t end = column[b->root[r] + 1];
        while (i < b->rows && b->row[i] < begin) b->index[b->count++] = b->row[i++];
        while (i < b->rows && b->row[i] < end) i++; /* one of the root's */
        for (int64_t t = begin; t < end; t++) b->index[b->count++] = t;
    }
    while (i < b->rows) b->index[b->count++] = b->row[i++];
    return SADDLE_OK;
}

static saddle_status make_arrays(saddle_context *context, builder *b)
{
    const saddle_map *map = b->map;
    const saddle__array arrays[] = {SADDLE__ARRAY(b->row, map->active_count),
                                    SADDLE__ARRAY(b->root, map->components),
                                    SADDLE__ARRAY(b->row_mark, map->active_count),
                                    SADDLE__ARRAY(b->root_mark, map->components),
                                    SADDLE__ARRAY(b->unit_mark, map->units),
                                    SADDLE__ARRAY(b->attached_mark, map->row_start[map->units])};
    return saddle__layout_make(context, &b->layout, arrays, SADDLE__LENGTH(arrays));
}

/* Moves start and the rows into *B; spare memory of the rows is given back. */
static saddle_status end(builder *b, int64_t cols, int64_t **start, saddle_matrix *B)
{
    int64_t *index = saddle_reallocate(b->context, b->index, b->count, sizeof *index);
    if (!index) return SADDLE_OUT_OF_MEMORY;
    b->index = index;
    double *value = saddle_allocate(b->context, b->count, sizeof *value);
    if (!value) return SADDLE_OUT_OF_MEMORY;
    saddle_matrix_clear(B);
    *B = saddle_matrix_view(b->map->active_count, cols, *start, index, value, b->A->symmetry);
    B->owner = 1;
    B->context = b->context;
    b->index = NULL;
    *start = NULL;
    return SADDLE_OK;
}

/* ---- M' ---- */

/* The column of an active velocity without followers; copied: has the entries of M's column. */
static saddle_status ordinary_column(builder *b, saddle_elimination *e, int64_t t)
{
    int64_t c = b->map->active[t];
    int64_t before = b->count;
    begin_column(b, b->A->symmetry == SADDLE_SYMMETRY_LOWER ? t : 0);
    add_column(b, c);
    saddle_status status = end_column(b);
    int64_t entries = b->A->start ? b->A->start[c + 1] - b->A->start[c] : 0;
    e->copied[t] = b->attached == 0 && b->count - before == entries;
    return status;
}

/* The columns of a root: all have the rows of the first column, below the diagonal of a symmetric
 * M'. */
static saddle_status panel(builder *b, saddle_elimination *e, int64_t component, int64_t *start)
{
    const saddle_map *map = b->map;
    const saddle__composition *Q = b->Q;
    int64_t first = map->column[component];
    int64_t width = saddle__component_width(map, component);
    int symmetric = b->A->symmetry == SADDLE_SYMMETRY_LOWER;
    begin_column(b, symmetric ? first : 0);
    add_root(b, component);
    for (int64_t q = 0; q < width; q++) add_column(b, map->active[first + q]);
    for (int64_t f = Q->follower_start[component]; f < Q->follower_start[component + 1]; f++)
        for (int64_t r = map->row_start[Q->follower[f]]; r < map->row_start[Q->follower[f] + 1];
             r++)
            add_column(b, map->velocity[r]);
    int64_t begin_rows = b->count;
    SADDLE__TRY(end_column(b));
    int64_t rows = b->count - begin_rows;
    if (rows > e->panel_rows) e->panel_rows = rows;
    start[first + 1] = b->count;
    for (int64_t q = 1; q < width; q++) {
        int64_t skipped = symmetric ? q : 0;
        SADDLE__TRY(make_room(b, rows - skipped));
        memcpy(b->index + b->count, b->index + begin_rows + skipped,
               (size_t)(rows - skipped) * sizeof *b->index);
        b->count += rows - skipped;
        start[first + q + 1] = b->count;
    }
    return SADDLE_OK;
}

static saddle_status mass_columns(builder *b, saddle_elimination *e, int64_t *start)
{
    const saddle_map *map = b->map;
    for (int64_t component = 0; component < map->components; component++) {
        if (saddle__is_root(b->Q, component)) {
            SADDLE__TRY(panel(b, e, component, start));
            continue;
        }
        for (int64_t t = map->column[component]; t < map->column[component + 1]; t++) {
            SADDLE__TRY(ordinary_column(b, e, t));
            start[t + 1] = b->count;
        }
    }
    return SADDLE_OK;
}

static saddle_status jacobian_columns(builder *b, int64_t *start)
{
    for (int64_t i = 0; i < b->A->cols; i++) {
        begin_column(b, 0);
        add_column(b, i);
        SADDLE__TRY(end_column(b));
        start[i + 1] = b->count;
    }
    return SADDLE_OK;
}

/* *B = the pattern of M' (of_mass) or J' from A. */
static saddle_status build(saddle_elimination *e, const saddle_matrix *A, int of_mass,
                           saddle_matrix *B)
{
    saddle_context *context = e->context;
    int64_t cols = of_mass ? e->map->active_count : A->cols;
    builder b = {.context = context, .map = e->map, .Q = &e->Q, .mirror = &e->mirror, .A = A};
    saddle_status status = make_arrays(context, &b);
    int64_t *start = saddle_allocate(context, cols + 1, sizeof *start);
    if (status == SADDLE_OK && !start) status = SADDLE_OUT_OF_MEMORY;
    b.room = A->start ? A->start[A->cols] + 1 : 1;
    if (status == SADDLE_OK) status = saddle__grow(context, &b.index, b.room, sizeof *b.index);
    if (status == SADDLE_OK)
        status = of_mass ? mass_columns(&b, e, start) : jacobian_columns(&b, start);
    if (status == SADDLE_OK) status = end(&b, cols, &start, B);
    saddle__release_all(context, start, b.index);
    saddle__layout_clear(context, &b.layout);
    return status;
}

saddle_status saddle__reduce_patterns(saddle_elimination *e, const saddle_problem *problem)
{
    SADDLE__TRY(compose(e->context, e->map, &e->Q));
    SADDLE__TRY(create_mirror(e->context, e->map, &problem->M, &e->mirror));
    SADDLE__TRY(build(e, &problem->M, 1, &e->reduced.M));
    return build(e, saddle__all_rows(e, problem), 0, &e->reduced.Jt);
}
