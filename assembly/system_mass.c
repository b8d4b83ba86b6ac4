/* SPDX-License-Identifier: MIT */
/* Mhat = M - damping D - stiffness K: pattern, constant values, places of blocks.
 *
 * For stages without K and D the pattern is that of M: nonzero entries of bodies, entries of nodes.
 * Otherwise the pattern also holds the blocks of forces with Jacobians and, with geometric
 * stiffness, of constraints with stiffness.
 */
#include "system.h"

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

static void insert_block(pattern *p, int64_t i, int64_t rows, int64_t j, int64_t cols)
{
    for (int64_t c = 0; c < cols; c++) {
        for (int64_t r = 0; r < rows; r++) insert(p, i + r, j + c);
    }
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
    const saddle__item_link *item = saddle__system_item(a, link);
    if (!a->implicit) return 0;
    if (link->is_force) return item->force->jacobians != NULL;
    return a->options.geometric_stiffness && item->constraint->stiffness != NULL;
}

/* Link k of all forces and constraints, 0 .. links_of(a) - 1. */
static saddle__system_link *link_at(const saddle_assembly *a, int64_t k)
{
    const int64_t forces = a->model->forces.count;
    return k < forces ? &a->force[k] : &a->constraint[k - forces];
}

static int64_t links_of(const saddle_assembly *a)
{
    return (int64_t)a->model->forces.count + a->model->constraints.count;
}

static void insert_anchors(const saddle_assembly *a, pattern *p, const saddle__system_link *link)
{
    const int64_t *column = a->anchors.column + link->anchor,
                  *size = a->anchors.size + link->anchor;
    for (int64_t i = 0; i < link->count; i++) {
        for (int64_t j = 0; j < link->count; j++) {
            if (column[i] >= 0 && column[j] >= 0)
                insert_block(p, column[i], size[i], column[j], size[j]);
        }
    }
}

static void insert_all(const saddle_assembly *a, pattern *p)
{
    const saddle_model *model = a->model;
    p->count = 0;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int64_t column = a->part[k].column;
        const saddle__item_part *part = &model->part[a->part[k].place];
        if (column < 0) continue;
        if (part->head.item == SADDLE_ITEM_PARTICLE) {
            for (int64_t i = 0; i < 3; i++) insert(p, column + i, column + i);
        } else if (part->head.item == SADDLE_ITEM_BODY) {
            insert_body(p, column, &part->inertia, a->implicit && a->options.gyroscopic_jacobian);
        } else {
            insert_symmetric(p, column, &part->M);
            if (a->implicit) insert_symmetric(p, column, &part->K);
        }
    }
    for (int64_t k = 0; k < links_of(a); k++)
        if (has_blocks(a, link_at(a, k))) insert_anchors(a, p, link_at(a, k));
}

/* Whether a stage's Mhat is not symmetric. */
static int is_general(const saddle_assembly *a)
{
    if (!a->implicit) return 0;
    if (a->options.gyroscopic_jacobian) return 1;
    for (int32_t k = 0; k < a->model->forces.count && !a->options.symmetric_stiffness; k++) {
        const saddle_force_type *type = saddle__system_item(a, &a->force[k])->force;
        if (type->jacobians && !type->symmetric) return 1;
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
                                             p.general ? SADDLE_GENERAL : SADDLE_SYMMETRIC, M);
    }
    saddle_release(a->context, p.row);
    saddle_release(a->context, p.col);
    saddle_release(a->context, zero);
    return status;
}

/* ---- where blocks go ---- */

int64_t saddle__system_entry(const saddle_matrix *A, int64_t i, int64_t j)
{
    int64_t first = A->start[j], end = A->start[j + 1];
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;
        if (A->index[middle] == i) return middle;
        if (A->index[middle] < i)
            first = middle + 1;
        else
            end = middle;
    }
    return -1;
}

/* Column c of the block (i, j) of an item begins in M at map[(i count + j) 6 + c]: from row c on in
 * the diagonal blocks of a symmetric M; -1 above its diagonal and where an anchor does not move. */
static void map_blocks(const saddle_assembly *a, const saddle_matrix *M,
                       const saddle__system_link *link, int64_t *map)
{
    const int64_t *column = a->anchors.column + link->anchor,
                  *size = a->anchors.size + link->anchor;
    const int lower = M->symmetry == SADDLE_SYMMETRIC;
    for (int64_t i = 0; i < link->count; i++) {
        for (int64_t j = 0; j < link->count; j++) {
            for (int64_t c = 0; c < 6; c++) {
                int64_t *at = &map[(i * link->count + j) * 6 + c];
                *at = -1;
                if (c >= size[j] || column[i] < 0 || column[j] < 0 ||
                    (lower && column[i] < column[j]))
                    continue;
                *at = saddle__system_entry(M, column[i] + (lower && i == j ? c : 0), column[j] + c);
            }
        }
    }
}

/* Buffers for the largest force, and the largest constraint if its stiffness may be asked for; made
 * once. */
static saddle_status make_buffers(saddle_assembly *a)
{
    saddle__block_buffer *block = &a->block;
    int64_t count = 0, size = 0;
    if (block->force) return SADDLE_OK;
    for (int64_t k = 0; k < links_of(a); k++) {
        const saddle__system_link *link = link_at(a, k);
        if (!link->is_force && !a->options.geometric_stiffness) continue;
        if (link->count > count) count = link->count;
        if (link->size > size) size = link->size;
    }
    block->K = saddle_allocate(a->context, size * size, sizeof *block->K);
    block->D = saddle_allocate(a->context, size * size, sizeof *block->D);
    block->block_K = saddle_allocate(a->context, count * count, sizeof *block->block_K);
    block->block_D = saddle_allocate(a->context, count * count, sizeof *block->block_D);
    block->block_force = saddle_allocate(a->context, count, sizeof *block->block_force);
    block->force = saddle_allocate(a->context, size, sizeof *block->force);
    const int is_made = block->K && block->D && block->block_K && block->block_D &&
                        block->block_force && block->force;
    return is_made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Maps of all blocks that enter M. */
static saddle_status make_maps(saddle_assembly *a, const saddle_matrix *M, int64_t **map)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < links_of(a); k++) {
        saddle__system_link *link = link_at(a, k);
        link->map = has_blocks(a, link) ? entries : -1;
        if (link->map >= 0) entries += link->count * link->count * 6;
    }
    *map = saddle_allocate(a->context, entries, sizeof **map);
    if (!*map) return SADDLE_OUT_OF_MEMORY;
    a->blocks = entries > 0 || (a->implicit && a->options.gyroscopic_jacobian);
    for (int64_t k = 0; k < links_of(a); k++) {
        const saddle__system_link *link = link_at(a, k);
        if (link->map >= 0) map_blocks(a, M, link, *map + link->map);
    }
    return SADDLE_OK;
}

saddle_status saddle__system_compile_mass(saddle_assembly *a)
{
    saddle_matrix M = {0};
    int64_t *map = NULL;
    double *base = NULL;
    saddle_status status = make_buffers(a);
    if (status == SADDLE_OK) status = make_pattern(a, &M);
    if (status == SADDLE_OK) {
        base = saddle_allocate(a->context, saddle_matrix_entries(&M), sizeof *base);
        status = base ? make_maps(a, &M, &map) : SADDLE_OUT_OF_MEMORY;
    }
    if (status != SADDLE_OK) {
        saddle_matrix_clear(&M);
        saddle_release(a->context, base);
        for (int64_t k = 0; k < links_of(a); k++) link_at(a, k)->map = -1;
        return status;
    }
    saddle_matrix_clear(&a->problem.M);
    saddle_release(a->context, a->base);
    saddle_release(a->context, a->map);
    a->problem.M = M;
    a->base = base;
    a->map = map;
    a->base_made = 0;
    a->changed = 1;
    return SADDLE_OK;
}

/* ---- constant values ---- */

static void add_entry(saddle_assembly *a, int64_t i, int64_t j, double value)
{
    const saddle_matrix *M = &a->problem.M;
    if (M->symmetry == SADDLE_SYMMETRIC && i < j) return;
    const int64_t at = saddle__system_entry(M, i, j);
    if (at >= 0) a->base[at] += value;
}

static void add_symmetric(saddle_assembly *a, int64_t column, double scale, const saddle_matrix *A)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const int64_t i = A->index[e];
            add_entry(a, column + i, column + j, scale * A->value[e]);
            if (i != j) add_entry(a, column + j, column + i, scale * A->value[e]);
        }
    }
}

void saddle__system_base(saddle_assembly *a, double damping, double stiffness)
{
    if (a->base_made && a->base_damping == damping && a->base_stiffness == stiffness) return;
    memset(a->base, 0, (size_t)saddle_matrix_entries(&a->problem.M) * sizeof *a->base);
    for (int32_t k = 0; k < a->model->parts.count; k++) {
        const saddle__item_part *part = &a->model->part[a->part[k].place];
        const int64_t column = a->part[k].column;
        if (column < 0) continue;
        if (part->head.item == SADDLE_ITEM_PARTICLE) {
            for (int64_t i = 0; i < 3; i++) add_entry(a, column + i, column + i, part->mass);
        } else if (part->head.item == SADDLE_ITEM_BODY) {
            double M[36];
            saddle_body_inertia_matrix(&part->inertia, M);
            for (int64_t i = 0; i < 36; i++) add_entry(a, column + i % 6, column + i / 6, M[i]);
        } else { /* D = -(alpha M + beta K), and K of f = -K (x - rest) has the other sign */
            add_symmetric(a, column, 1 + damping * part->damping_mass, &part->M);
            add_symmetric(a, column, stiffness + damping * part->damping_stiffness, &part->K);
        }
    }
    a->base_damping = damping;
    a->base_stiffness = stiffness;
    a->base_made = 1;
    a->base_written = 0;
}
