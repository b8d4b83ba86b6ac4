/* SPDX-License-Identifier: MIT */
/* An assembly: creation, compilation of the model: columns of parts, anchors, rows of constraints,
 * J' and R, names; pattern of M, with the places of blocks.
 *
 * A model in memory has counts of 32 bits, and rows times velocities of anchors are at most
 * 2^31 x 32 x 384: no size here overflows 64 bits.
 */
#include <math.h>
#include <stdio.h>

#include "matrix/matrix_internal.h"
#include "system.h"

/* ---- names ----
 *
 * Names of rows and components are copies of their items': "knee" for the only row of a constraint,
 * "knee[2]" for row 2 of several.
 */

enum { NUMBER_SIZE = 24 }; /* "[32]" and the end */

/* Bytes for the name of each row; 0 = no name. */
static size_t row_name_size(const saddle__item_link *c)
{
    return c->head.name ? strlen(c->head.name) + NUMBER_SIZE : 0;
}

static size_t part_name_size(const saddle__item_part *part)
{
    return part->head.name ? strlen(part->head.name) + 1 : 0;
}

static char *write_row_names(saddle_assembly *a, const saddle__system_link *link, char *end)
{
    const saddle__item_link *c = link->item;
    const size_t size = row_name_size(c);
    for (int64_t i = 0; i < c->rows; i++) {
        a->problem.row_name[link->row + i] = size > 0 ? end : NULL;
        if (size > 0 && c->rows == 1)
            snprintf(end, size, "%s", c->head.name);
        else if (size > 0)
            snprintf(end, size, "%s[%lld]", c->head.name, (long long)i);
        end += size;
    }
    return end;
}

/* Copies the names of rows and components into a->names, which is large enough. */
static void write_names(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    saddle_problem *p = &a->problem;
    char *end = a->names;
    for (int32_t k = 0; k < model->constraints.count; k++)
        end = write_row_names(a, &a->constraint[k], end);
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[a->part[k].place];
        const size_t size = part_name_size(part);
        if (a->part[k].column < 0) continue;
        p->component_size[p->component_count] = part->size;
        p->component_name[p->component_count++] = size > 0 ? end : NULL;
        if (size > 0) memcpy(end, part->head.name, size);
        end += size;
    }
}

/* ---- arrays ---- */

typedef struct sizes { /* of a model */
    int64_t n, components, anchors, rows;
    int64_t J;                 /* entries of the largest constraint: rows x velocities of anchors */
    int64_t count, velocities; /* of the largest item with blocks: anchors, their velocities */
    size_t names;              /* bytes */
} sizes;

/* Link k of all forces and constraints, 0 .. saddle__link_count(model) - 1. */
static saddle__system_link *link_at(const saddle_assembly *a, int64_t k)
{
    const int64_t forces = a->model->forces.count;
    return k < forces ? &a->force[k] : &a->constraint[k - forces];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Prescribed parts have columns where parts may be attached to them. */
static int has_columns(const saddle_model *model, const saddle__item_part *part)
{
    return !part->prescribed || model->ties.count > 0;
}

static sizes count_sizes(const saddle_assembly *a)
{
    const saddle_model *model = a->model;
    sizes s = {.names = 1};
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[model->parts.order[k]];
        if (!has_columns(model, part)) continue;
        s.n += part->size;
        s.components++;
        s.names += part_name_size(part);
    }
    for (int64_t k = 0; k < saddle__link_count(model); k++) {
        const saddle__item_link *item = saddle__link_at(model, k);
        saddle__site_buffer buffer;
        const saddle_site site = saddle__model_site(model, item->count, item->anchors, NULL,
                                                    &buffer);
        int64_t size = 0;
        for (int64_t i = 0; i < item->count; i++) size += site.size[i];
        s.anchors += item->count;
        s.rows += item->rows;
        s.names += (size_t)item->rows * row_name_size(item);
        s.J = larger(s.J, item->rows * size);
        if (!item->force && !a->options.geometric_stiffness) continue;
        s.count = larger(s.count, item->count);
        s.velocities = larger(s.velocities, size);
    }
    return s;
}

/* Called twice, to count and to set the pointers (base/layout.h). */
static void place_arrays(saddle_assembly *a, const sizes *s)
{
    const saddle_model *model = a->model;
    saddle__system_anchors *all = &a->anchors;
    saddle__block_buffer *block = &a->block;
    saddle_problem *p = &a->problem;
#define TAKE(array, count) array = saddle__layout_take(&a->arrays, count, sizeof *(array))
    TAKE(a->column, model->parts.size);
    TAKE(a->part, model->parts.count);
    TAKE(a->force, model->forces.count);
    TAKE(a->constraint, model->constraints.count);
    TAKE(a->constraint_of, model->constraints.size);
    TAKE(all->size, s->anchors);
    TAKE(all->column, s->anchors);
    TAKE(all->offset[0], s->anchors);
    TAKE(all->offset[1], s->anchors);
    TAKE(all->position, s->anchors);
    TAKE(all->velocity, s->anchors);
    TAKE(a->kept, s->rows);
    TAKE(a->rate, SADDLE_CONSTRAINT_ROWS_MAX);
    TAKE(a->J, s->J);
    TAKE(block->K, s->velocities * s->velocities);
    TAKE(block->D, s->velocities * s->velocities);
    TAKE(block->force, s->velocities);
    TAKE(block->block_K, s->count * s->count);
    TAKE(block->block_D, s->count * s->count);
    TAKE(block->block_force, s->count);
    TAKE(a->force_now[0], s->n);
    TAKE(a->force_now[1], s->n);
    TAKE(p->f, s->n);
    TAKE(p->component_name, s->components);
    TAKE(p->component_size, s->components);
    TAKE(a->names, (int64_t)s->names);
#undef TAKE
}

/* ---- parts, anchors ---- */

static void place_parts(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    int64_t n = 0;
    for (int32_t k = 0; k < model->parts.size; k++) a->column[k] = -1;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int32_t place = model->parts.order[k];
        const saddle__item_part *part = &model->part[place];
        a->part[k] = (saddle__system_part){place, has_columns(model, part) ? n : -1};
        a->column[place] = a->part[k].column;
        if (a->part[k].column >= 0) n += part->size;
    }
    a->problem.n = n;
}

/* Entries of a row at an anchor: rows of angles have none at linear velocities of bodies. */
static int64_t entries_at(const saddle__system_anchors *all, int64_t at, int angular)
{
    if (all->column[at] < 0) return 0;
    return angular ? 3 : all->size[at];
}

/* The entries of a row stand by column. */
static void place_entries(saddle_assembly *a, saddle__system_link *link)
{
    saddle__system_anchors *all = &a->anchors;
    const int64_t first = link->anchor, end = link->anchor + link->count;
    for (int angular = 0; angular < 2; angular++) {
        for (int64_t k = first; k < end; k++) {
            int64_t before = 0;
            for (int64_t i = first; i < end; i++)
                if (all->column[i] < all->column[k]) before += entries_at(all, i, angular);
            all->offset[angular][k] = all->column[k] < 0 ? -1 : before;
            link->width[angular] += entries_at(all, k, angular);
        }
    }
}

/* Fills in the anchors of one item. */
static void place_anchors(saddle_assembly *a, saddle__system_link *link)
{
    const saddle__item_link *item = link->item;
    saddle__site_buffer buffer;
    const saddle_site site = saddle__model_site(a->model, link->count, item->anchors, NULL,
                                                &buffer);
    saddle__system_anchors *all = &a->anchors;
    for (int64_t k = 0; k < link->count; k++) {
        const int64_t at = link->anchor + k;
        const saddle_anchor anchor = item->anchors[k];
        const saddle__item_part *part = saddle__model_part(a->model, anchor.part);
        const int moves = part && a->column[anchor.part.index] >= 0;
        all->size[at] = site.size[k];
        all->position[at] = site.position[k];
        all->velocity[at] = site.velocity[k];
        all->column[at] = moves ? a->column[anchor.part.index] + 3 * anchor.node : -1;
        link->size += site.size[k];
        link->has_prescribed |= part && !moves;
    }
    place_entries(a, link);
}

static void place_links(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    const int64_t forces = model->forces.count;
    int64_t anchors = 0;
    for (int64_t k = 0; k < saddle__link_count(model); k++) {
        const saddle__item_link *item = saddle__link_at(model, k);
        saddle__system_link *link = link_at(a, k);
        *link = (saddle__system_link){
            .item = item, .anchor = anchors, .map = -1, .count = item->count, .rows = item->rows};
        anchors += item->count;
        place_anchors(a, link);
        if (k >= forces) a->constraint_of[item - model->constraint] = k - forces;
    }
}

/* ---- growing arrays ---- */

typedef struct growing {
    void **block;
    int64_t count, capacity;
    size_t size;
} growing;

saddle_status saddle__system_reserve(saddle_assembly *a, int64_t rows, int64_t entries,
                                     int64_t compliances)
{
    saddle_problem *p = &a->problem;
    const int64_t c[] = {a->row_capacity, a->entry_capacity, a->compliance_capacity};
    const growing arrays[] = {
        {(void **)&p->Jt.start, rows + 1, c[0] + 1, sizeof *p->Jt.start},
        {(void **)&p->R.start, rows + 1, c[0] + 1, sizeof *p->R.start},
        {(void **)&p->b, rows, c[0], sizeof *p->b},
        {(void **)&p->lo, rows, c[0], sizeof *p->lo},
        {(void **)&p->hi, rows, c[0], sizeof *p->hi},
        {(void **)&p->row_id, rows, c[0], sizeof *p->row_id},
        {(void **)&p->row_name, rows, c[0], sizeof *p->row_name},
        {(void **)&a->phi, rows, c[0], sizeof *a->phi},
        {(void **)&p->Jt.index, entries, c[1], sizeof *p->Jt.index},
        {(void **)&p->Jt.value, entries, c[1], sizeof *p->Jt.value},
        {(void **)&p->R.index, compliances, c[2], sizeof *p->R.index},
        {(void **)&p->R.value, compliances, c[2], sizeof *p->R.value},
    };
    const int first = !p->Jt.start;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        const growing *array = &arrays[k];
        if (*array->block && array->count <= array->capacity) continue;
        if (saddle__grow(a->context, array->block, array->count, array->size))
            return SADDLE_OUT_OF_MEMORY;
    }
    if (first) p->Jt.start[0] = p->R.start[0] = 0;
    if (rows > a->row_capacity) a->row_capacity = rows;
    if (entries > a->entry_capacity) a->entry_capacity = entries;
    if (compliances > a->compliance_capacity) a->compliance_capacity = compliances;
    return SADDLE_OK;
}

/* ---- rows ---- */

/* 1: the pattern has the row's diagonal entry of R: a soft row, or one left out of accelerations.
 */
static int has_compliance(const saddle_row_def *row)
{
    return row->purpose != SADDLE_PURPOSE_HOLD || row->compliance.alpha > 0;
}

/* Entries of the row's column of R: the lower triangle of a block of coupled rows. */
static int64_t compliance_entries(const saddle__row_walk *at)
{
    const int64_t coupled = at->constraint->coupled;
    return at->i < coupled ? coupled - at->i : has_compliance(at->def);
}

/* Columns of J' of one constraint's rows, after those of the constraint before. */
static void set_row_patterns(saddle_assembly *a, const saddle__system_link *link)
{
    const saddle__item_link *c = link->item;
    saddle_problem *p = &a->problem;
    for (int64_t i = 0; i < link->rows; i++) {
        const int64_t row = link->row + i;
        const int angular = c->row[i].angular != 0;
        for (int64_t k = link->anchor; k < link->anchor + link->count; k++) {
            const int64_t count = entries_at(&a->anchors, k, angular),
                          skipped = a->anchors.size[k] - count;
            if (count == 0) continue;
            int64_t *index = p->Jt.index + p->Jt.start[row] + a->anchors.offset[angular][k];
            for (int64_t j = 0; j < count; j++) index[j] = a->anchors.column[k] + skipped + j;
        }
        p->Jt.start[row + 1] = p->Jt.start[row] + link->width[angular];
        p->row_id[row] = c->serial * SADDLE_CONSTRAINT_ROWS_MAX + i;
        p->lo[row] = -INFINITY;
        p->hi[row] = INFINITY;
    }
}

/* Rebuilds R's pattern if some row has become soft. */
static saddle_status soften(saddle_assembly *a)
{
    saddle_problem *p = &a->problem;
    int64_t count = p->m - a->rows;
    int softened = 0; /* 1: a soft row has no entry in R */
    saddle__row_walk at = {.model = a->model, .row = -1};
    while (saddle__next_row(&at)) {
        const int64_t entries = compliance_entries(&at);
        count += entries;
        softened |= entries > p->R.start[at.row + 1] - p->R.start[at.row];
    }
    if (!softened) return SADDLE_OK;
    SADDLE__TRY(saddle__system_reserve(a, p->m, saddle_matrix_entries(&p->Jt), count));
    at = (saddle__row_walk){.model = a->model, .row = -1};
    while (saddle__next_row(&at)) {
        p->R.start[at.row + 1] = p->R.start[at.row];
        for (int64_t k = 0; k < compliance_entries(&at); k++)
            p->R.index[p->R.start[at.row + 1]++] = at.row + k;
    }
    for (int64_t row = a->rows; row < p->m; row++) {
        p->R.index[p->R.start[row]] = row;
        p->R.start[row + 1] = p->R.start[row] + 1;
    }
    a->changed = 1;
    return SADDLE_OK;
}

static saddle_status make_rows(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    int64_t entries = 0;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        saddle__system_link *link = &a->constraint[k];
        const saddle_row_def *def = link->item->row;
        link->row = a->rows;
        a->rows += link->rows;
        for (int64_t i = 0; i < link->rows; i++) entries += link->width[def[i].angular != 0];
    }
    SADDLE__TRY(saddle__system_reserve(a, a->rows, entries, 0));
    a->problem.m = a->rows;
    saddle_matrix *Jt = &a->problem.Jt, *R = &a->problem.R;
    *Jt = (saddle_matrix){a->problem.n,         a->rows, Jt->start, Jt->index, Jt->value,
                          SADDLE_SYMMETRY_NONE, 0,       NULL};
    memset(R->start, 0, (size_t)(a->rows + 1) * sizeof *R->start);
    *R = (saddle_matrix){a->rows, a->rows, R->start, R->index, R->value, SADDLE_SYMMETRY_LOWER,
                         0,       NULL};
    for (int32_t k = 0; k < model->constraints.count; k++) set_row_patterns(a, &a->constraint[k]);
    return soften(a);
}

/* ---- M ----
 *
 * Mhat = M - damping D - stiffness K: pattern, places of blocks.
 *
 * For stages without K and D the pattern is that of M: nonzero entries of bodies, entries of nodes.
 * Otherwise the pattern also holds the blocks of forces with Jacobians and, with geometric
 * stiffness, of constraints with stiffness.
 */

typedef struct pattern { /* entries as triplets; counted only while row is NULL */
    int64_t count;
    int64_t *row, *col;
    int general;
} pattern;

static void insert(pattern *p, int64_t i, int64_t j)
{
    if (!p->general && i < j) return;
    if (p->row) {
        p->row[p->count] = i;
        p->col[p->count] = j;
    }
    p->count++;
}

/* A symmetric matrix, given by its lower triangle. */
static void insert_symmetric(pattern *p, int64_t column, const saddle_matrix *A)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) {
            insert(p, column + A->index[e], column + j);
            if (p->general && A->index[e] != j) insert(p, column + j, column + A->index[e]);
        }
    }
}

/* Nonzero entries of a body's mass matrix (fewer with the origin at the centre of mass), or all. */
static void insert_body(pattern *p, int64_t column, const saddle_body_inertia *inertia, int full)
{
    double M[36];
    saddle_body_inertia_matrix(inertia, M);
    for (int64_t j = 0; j < 6; j++) {
        for (int64_t i = 0; i < 6; i++)
            if (full || i == j || M[i + 6 * j] != 0) insert(p, column + i, column + j);
    }
}

/* 1: blocks of the force or constraint enter M. */
static int has_blocks(const saddle_assembly *a, const saddle__system_link *link)
{
    const saddle__item_link *item = link->item;
    if (item->force && item->force->mass) return 1;
    if (!a->implicit) return 0;
    if (item->force) return item->force->jacobians != NULL;
    return a->options.geometric_stiffness && item->rows > 0 && item->constraint->stiffness;
}

static void insert_anchors(const saddle_assembly *a, pattern *p, const saddle__system_link *link)
{
    const int64_t *column = a->anchors.column + link->anchor,
                  *size = a->anchors.size + link->anchor;
    for (int64_t i = 0; i < link->count; i++) {
        for (int64_t j = 0; j < link->count; j++) {
            const int64_t entries = column[i] < 0 || column[j] < 0 ? 0 : size[i] * size[j];
            for (int64_t e = 0; e < entries; e++)
                insert(p, column[i] + e % size[i], column[j] + e / size[i]);
        }
    }
}

/* 1: M has geometric stiffness of contacts and attachments. */
static int is_geometric(const saddle_assembly *a)
{
    return a->implicit && a->options.geometric_stiffness;
}

static void insert_all(const saddle_assembly *a, pattern *p)
{
    const saddle_model *model = a->model;
    p->count = 0;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int64_t column = a->part[k].column;
        const saddle__item_part *part = &model->part[a->part[k].place];
        if (column >= 0 && part->head.item == SADDLE_ITEM_BODY && is_geometric(a))
            insert_body(p, column, &part->inertia, 1);
        if (column < 0 || saddle__is_weightless(part)) continue;
        if (part->head.item == SADDLE_ITEM_PARTICLE) {
            for (int64_t i = 0; i < 3; i++) insert(p, column + i, column + i);
        } else if (part->head.item == SADDLE_ITEM_BODY) {
            insert_body(p, column, &part->inertia, a->implicit && a->options.gyroscopic_jacobian);
        } else {
            insert_symmetric(p, column, &part->M);
            if (a->implicit) insert_symmetric(p, column, &part->K);
        }
    }
    for (int64_t k = 0; k < saddle__link_count(a->model); k++)
        if (has_blocks(a, link_at(a, k))) insert_anchors(a, p, link_at(a, k));
    const saddle_matrix *K = &a->attached.K;
    for (int64_t j = 0; j < K->cols; j++) {
        for (int64_t e = K->start[j]; e < K->start[j + 1]; e++) {
            insert(p, K->index[e], j);
            insert(p, j, K->index[e]);
        }
    }
}

/* Whether a stage's Mhat is not symmetric. */
static int is_general(const saddle_assembly *a)
{
    if (!a->implicit) return 0;
    if (a->options.gyroscopic_jacobian) return 1;
    for (int32_t k = 0; k < a->model->forces.count && !a->options.symmetric_stiffness; k++) {
        const saddle__item_link *item = a->force[k].item;
        const int changed = item->unsymmetric && item->unsymmetric(item->data);
        if (item->force->jacobians && (changed || !item->force->symmetric)) return 1;
    }
    return 0;
}

static saddle_status make_pattern(const saddle_assembly *a, saddle_matrix *M)
{
    pattern p = {.general = is_general(a)};
    insert_all(a, &p);
    const int64_t count = p.count;
    p.row = saddle_allocate(a->context, count, sizeof *p.row);
    p.col = saddle_allocate(a->context, count, sizeof *p.col);
    double *zero = saddle_allocate(a->context, count, sizeof *zero);
    saddle_status status = !p.row || !p.col || !zero ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
    if (status == SADDLE_OK) {
        insert_all(a, &p);
        status = saddle_matrix_from_triplets(a->context, a->problem.n, a->problem.n, count, p.row,
                                             p.col, zero,
                                             p.general ? SADDLE_SYMMETRY_NONE
                                                       : SADDLE_SYMMETRY_LOWER,
                                             M);
    }
    saddle__release_all(a->context, p.row, p.col, zero);
    return status;
}

/* ---- where blocks go ---- */

/* Column c of the block (i, j) of an item begins in M at map[(i count + j) 6 + c]: from row c on in
 * the diagonal blocks of a symmetric M; -1 above its diagonal and where an anchor does not move. */
static void map_blocks(const saddle_assembly *a, const saddle_matrix *M,
                       const saddle__system_link *link, int64_t *map)
{
    const int64_t *column = a->anchors.column + link->anchor,
                  *size = a->anchors.size + link->anchor;
    const int lower = M->symmetry == SADDLE_SYMMETRY_LOWER;
    for (int64_t i = 0; i < link->count; i++) {
        for (int64_t j = 0; j < link->count; j++) {
            for (int64_t c = 0; c < 6; c++) {
                int64_t *at = &map[(i * link->count + j) * 6 + c];
                *at = -1;
                if (c >= size[j] || column[i] < 0 || column[j] < 0 ||
                    (lower && column[i] < column[j]))
                    continue;
                *at = saddle__matrix_find(M, column[i] + (lower && i == j ? c : 0), column[j] + c);
            }
        }
    }
}

/* Maps of all blocks that enter M. */
static saddle_status make_maps(saddle_assembly *a, const saddle_matrix *M, int64_t **map)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < saddle__link_count(a->model); k++) {
        saddle__system_link *link = link_at(a, k);
        link->map = has_blocks(a, link) ? entries : -1;
        if (link->map >= 0) entries += link->count * link->count * 6;
    }
    *map = saddle_allocate(a->context, entries, sizeof **map);
    if (!*map) return SADDLE_OUT_OF_MEMORY;
    a->blocks = entries > 0 || is_geometric(a) || (a->implicit && a->options.gyroscopic_jacobian);
    for (int64_t k = 0; k < saddle__link_count(a->model); k++) {
        const saddle__system_link *link = link_at(a, k);
        if (link->map >= 0) map_blocks(a, M, link, *map + link->map);
    }
    return SADDLE_OK;
}

/* K of the attachments, for the pattern, where geometric stiffness is asked for. */
static saddle_status compile_geometric(saddle_assembly *a)
{
    saddle__system_attached *all = &a->attached;
    if (!is_geometric(a)) return SADDLE_OK;
    if (!a->geometric_velocity)
        a->geometric_velocity = saddle_allocate(a->context, 2 * a->problem.n,
                                                sizeof *a->geometric_velocity);
    if (!a->geometric_velocity) return SADDLE_OUT_OF_MEMORY;
    if (!all->graph || all->K.cols > 0) return SADDLE_OK;
    SADDLE__TRY(saddle__system_follow(a, NULL));
    SADDLE__TRY(saddle_couplings_load(all->couplings, a->geometric_velocity, NULL));
    return saddle_couplings_stiffness_matrix(all->couplings, &all->K);
}

/* M's pattern for a->implicit, its map and buffers.  On failure M is unchanged and without blocks.
 */
static saddle_status compile_mass(saddle_assembly *a)
{
    saddle_matrix M = {0};
    int64_t *map = NULL;
    double *base = NULL;
    saddle_status status = compile_geometric(a);
    if (status == SADDLE_OK) status = make_pattern(a, &M);
    if (status == SADDLE_OK) {
        base = saddle_allocate(a->context, saddle_matrix_entries(&M), sizeof *base);
        status = base ? make_maps(a, &M, &map) : SADDLE_OUT_OF_MEMORY;
    }
    if (status != SADDLE_OK) {
        saddle_matrix_clear(&M);
        saddle_release(a->context, base);
        for (int64_t k = 0; k < saddle__link_count(a->model); k++) link_at(a, k)->map = -1;
        return status;
    }
    saddle_matrix_clear(&a->problem.M);
    saddle__release_all(a->context, a->base, a->map);
    a->problem.M = M;
    a->base = base;
    a->map = map;
    a->base_made = 0;
    a->changed = 1;
    return SADDLE_OK;
}

saddle_status saddle__system_adapt(saddle_assembly *a, const saddle_stage *stage)
{
    saddle_status status = SADDLE_OK;
    const int was = a->implicit;
    a->implicit |= stage->damping != 0 || stage->stiffness != 0 || stage->velocity_force != 0;
    if (a->implicit != was || (a->problem.M.symmetry == SADDLE_SYMMETRY_LOWER && is_general(a)))
        status = compile_mass(a);
    if (status != SADDLE_OK) a->implicit = was;
    return status == SADDLE_OK ? soften(a) : status;
}

/* ---- compilation ---- */

/* Parts' columns, anchors, rows, J' and R, vectors, names, M.  Half-built on failure. */
static saddle_status compile(saddle_assembly *a)
{
    const sizes s = count_sizes(a);
    place_arrays(a, &s);
    SADDLE__TRY(saddle__layout_allocate(a->context, &a->arrays));
    place_arrays(a, &s);
    place_parts(a);
    place_links(a);
    SADDLE__TRY(make_rows(a));
    write_names(a);
    SADDLE__TRY(saddle__system_attach(a));
    return compile_mass(a);
}

saddle_assembly_options saddle_assembly_options_default(void)
{
    return (saddle_assembly_options){.law = SADDLE_LAW_CONE};
}

saddle_status saddle_assembly_create(saddle_model *model, const saddle_assembly_options *options,
                                     saddle_assembly **assembly)
{
    if (assembly) *assembly = NULL;
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && assembly,
                          "model or assembly is NULL");
    saddle_assembly *a = saddle_allocate(model->context, 1, sizeof *a);
    if (!a) return SADDLE_OUT_OF_MEMORY;
    saddle__model_settle(model);
    a->model = model;
    a->context = model->context;
    a->edition = model->edition;
    a->options = options ? *options : saddle_assembly_options_default();
    a->problem.context = model->context;
    a->problem.law = a->options.law;
    a->problem.facets = a->options.facets;
    const saddle_status status = compile(a);
    if (status == SADDLE_OK)
        *assembly = a;
    else
        saddle_assembly_free(a);
    return status;
}

static void release_attachments(saddle_assembly *a)
{
    saddle__system_attached *all = &a->attached;
    saddle_couplings_free(all->couplings);
    saddle_attachments_free(all->graph);
    saddle_matrix_clear(&all->K);
    saddle__release_all(a->context, all->component, all->wish, all->velocity, all->bound,
                        all->light, all->rigid);
}

void saddle_assembly_free(saddle_assembly *assembly)
{
    if (!assembly) return;
    saddle_assembly *a = assembly;
    saddle_problem *p = &a->problem;
    saddle__slots *slots = &a->slots;
    saddle__release_all(a->context, a->map, a->base, a->phi, a->geometric_velocity, p->Jt.start,
                        p->Jt.index, p->Jt.value, p->R.start, p->R.index, p->R.value, p->b, p->lo,
                        p->hi, p->row_id, p->row_name, p->contacts, slots->slot, slots->group,
                        slots->group_table, slots->id_table, slots->slot_of, slots->group_of);
    release_attachments(a);
    saddle__layout_clear(a->context, &a->arrays);
    saddle_matrix_clear(&p->M);
    saddle_release(a->context, a);
}

saddle_status saddle__system_is_current(const saddle_assembly *a)
{
    if (a->edition == a->model->edition) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_WRONG_PHASE,
                       "assembly: items of the model were added or removed since its creation");
}

/* ---- compiled forces and constraints ---- */

saddle_site saddle__system_site(const saddle_assembly *a, const saddle__system_link *link,
                                double time)
{
    return (saddle_site){link->item->data,
                         time,
                         link->count,
                         a->anchors.size + link->anchor,
                         a->anchors.position + link->anchor,
                         a->anchors.velocity + link->anchor};
}

static saddle_handle handle_of(const saddle_assembly *a, const saddle__system_link *link)
{
    const saddle_model *model = a->model;
    const saddle__item_link *pool = link->item->force ? model->force : model->constraint;
    return saddle__model_handle(model, &link->item->head, (int32_t)(link->item - pool));
}

saddle_status saddle__system_refuse(const saddle_assembly *a, const saddle__system_link *link,
                                    const char *what)
{
    char after[100];
    snprintf(after, sizeof after, ": %s", what);
    return saddle__refuse_item(a->model, "", handle_of(a, link), after);
}

saddle_status saddle__system_pass_on(const saddle_assembly *a, const saddle__system_link *link,
                                     saddle_status status)
{
    if (status == SADDLE_OK) return SADDLE_OK;
    return saddle__model_pass_on(a->model, handle_of(a, link), status);
}
