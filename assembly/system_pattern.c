/* SPDX-License-Identifier: MIT */
/* Columns of parts, anchors, rows of constraints, J' and R.
 *
 * A model in memory has counts of 32 bits, and rows times velocities of anchors are at most
 * 2^31 x 32 x 384: no size here overflows 64 bits.
 */
#include <math.h>

#include "system.h"

/* ---- parts ---- */

static saddle_status place_parts(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    int64_t n = 0;
    a->column = saddle_allocate(a->context, model->parts.size, sizeof *a->column);
    a->part = saddle_allocate(a->context, model->parts.count, sizeof *a->part);
    if (!a->column || !a->part) return SADDLE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < model->parts.size; k++) a->column[k] = -1;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int32_t place = model->parts.order[k];
        const saddle__item_part *part = &model->part[place];
        a->part[k] = (saddle__system_part){place, part->prescribed ? -1 : n};
        a->column[place] = a->part[k].column;
        if (!part->prescribed) n += part->size;
    }
    a->problem.n = n;
    return SADDLE_OK;
}

/* ---- anchors ---- */

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
    const saddle__item_link *item = saddle__system_item(a, link);
    saddle__site_buffer buffer;
    const saddle_site site = saddle__model_site(a->model, link->count, item->anchors, NULL,
                                                &buffer);
    saddle__system_anchors *all = &a->anchors;
    for (int64_t k = 0; k < link->count; k++) {
        const int64_t at = link->anchor + k;
        const saddle_anchor anchor = item->anchors[k];
        const saddle__item_part *part = saddle__model_part(a->model, anchor.part);
        const int moves = part && !part->prescribed;
        all->size[at] = site.size[k];
        all->position[at] = site.position[k];
        all->velocity[at] = site.velocity[k];
        all->column[at] = moves ? a->column[anchor.part.index] + 3 * anchor.node : -1;
        link->size += site.size[k];
        link->has_prescribed |= part && part->prescribed;
    }
    place_entries(a, link);
}

/* Compiles a pool of forces or constraints; *anchors: the number of anchors so far. */
static saddle_status make_links(saddle_assembly *a, const saddle__item_pool *pool, int is_force,
                                int64_t *anchors)
{
    saddle__system_link *links = saddle_allocate(a->context, pool->count, sizeof *links);
    *(is_force ? &a->force : &a->constraint) = links;
    if (!links) return SADDLE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < pool->count; k++) {
        links[k] = (saddle__system_link){.is_force = is_force,
                                         .place = pool->order[k],
                                         .anchor = *anchors,
                                         .map = -1};
        links[k].count = saddle__system_item(a, &links[k])->count;
        links[k].rows = saddle__system_item(a, &links[k])->rows;
        *anchors += links[k].count;
    }
    return SADDLE_OK;
}

static saddle_status place_links(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    saddle__system_anchors *all = &a->anchors;
    int64_t count = 0;
    saddle_status status = make_links(a, &model->forces, 1, &count);
    if (status == SADDLE_OK) status = make_links(a, &model->constraints, 0, &count);
    if (status != SADDLE_OK) return status;
    a->constraint_of = saddle_allocate(a->context, model->constraints.size,
                                       sizeof *a->constraint_of);
    all->size = saddle_allocate(a->context, count, sizeof *all->size);
    all->column = saddle_allocate(a->context, count, sizeof *all->column);
    all->offset[0] = saddle_allocate(a->context, count, sizeof *all->offset[0]);
    all->offset[1] = saddle_allocate(a->context, count, sizeof *all->offset[1]);
    all->position = saddle_allocate(a->context, count, sizeof *all->position);
    all->velocity = saddle_allocate(a->context, count, sizeof *all->velocity);
    if (!a->constraint_of || !all->size || !all->column || !all->offset[0] || !all->offset[1] ||
        !all->position || !all->velocity)
        return SADDLE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < model->forces.count; k++) place_anchors(a, &a->force[k]);
    for (int32_t k = 0; k < model->constraints.count; k++) {
        place_anchors(a, &a->constraint[k]);
        a->constraint_of[a->constraint[k].place] = k;
    }
    return SADDLE_OK;
}

/* ---- rows ---- */

/* 1: the pattern has the row's diagonal entry of R: a soft row, or one left out of accelerations.
 */
static int has_compliance(const saddle_row_def *row)
{
    return row->purpose != SADDLE_HOLD || row->compliance.alpha > 0;
}

/* Columns of J' of one constraint's rows, after those of the constraint before. */
static void set_row_patterns(saddle_assembly *a, const saddle__system_link *link)
{
    const saddle__item_link *c = saddle__system_item(a, link);
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

int saddle__system_has_softened(const saddle_assembly *a)
{
    const int64_t *start = a->problem.R.start;
    saddle__row_walk at = {.model = a->model, .row = -1};
    while (saddle__next_row(&at))
        if (has_compliance(at.def) && start[at.row] == start[at.row + 1]) return 1;
    return 0;
}

saddle_status saddle__system_compile_compliances(saddle_assembly *a)
{
    saddle_problem *p = &a->problem;
    int64_t count = p->m - a->rows;
    saddle__row_walk at = {.model = a->model, .row = -1};
    while (saddle__next_row(&at)) count += has_compliance(at.def);
    const saddle_status status = saddle__system_reserve(a, p->m, saddle_matrix_entries(&p->Jt),
                                                        count);
    if (status != SADDLE_OK) return status;
    at = (saddle__row_walk){.model = a->model, .row = -1};
    while (saddle__next_row(&at)) {
        p->R.start[at.row + 1] = p->R.start[at.row];
        if (has_compliance(at.def)) p->R.index[p->R.start[at.row + 1]++] = at.row;
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
    int64_t entries = 0, most = 0;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        saddle__system_link *link = &a->constraint[k];
        const saddle_row_def *def = model->constraint[link->place].row;
        link->row = a->rows;
        a->rows += link->rows;
        for (int64_t i = 0; i < link->rows; i++) entries += link->width[def[i].angular != 0];
        if (link->rows * link->size > most) most = link->rows * link->size;
    }
    saddle_status status = saddle__system_reserve(a, a->rows, entries, 0);
    if (status != SADDLE_OK) return status;
    a->problem.m = a->rows;
    saddle_matrix *Jt = &a->problem.Jt, *R = &a->problem.R;
    *Jt = (saddle_matrix){a->problem.n, a->rows,        Jt->start, Jt->index,
                          Jt->value,    SADDLE_GENERAL, 0,         NULL};
    *R = (saddle_matrix){a->rows, a->rows, R->start, R->index, R->value, SADDLE_SYMMETRIC, 0, NULL};
    for (int32_t k = 0; k < model->constraints.count; k++) set_row_patterns(a, &a->constraint[k]);
    status = saddle__system_compile_compliances(a);
    if (status != SADDLE_OK) return status;
    a->kept = saddle_allocate(a->context, a->rows, sizeof *a->kept);
    a->rate = saddle_allocate(a->context, SADDLE_CONSTRAINT_ROWS_MAX, sizeof *a->rate);
    a->J = saddle_allocate(a->context, most, sizeof *a->J);
    return !a->kept || !a->rate || !a->J ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
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
        void *grown = saddle_reallocate(a->context, *array->block, array->count, array->size);
        if (!grown) return SADDLE_OUT_OF_MEMORY;
        *array->block = grown;
    }
    if (first) p->Jt.start[0] = p->R.start[0] = 0;
    if (rows > a->row_capacity) a->row_capacity = rows;
    if (entries > a->entry_capacity) a->entry_capacity = entries;
    if (compliances > a->compliance_capacity) a->compliance_capacity = compliances;
    return SADDLE_OK;
}

/* ---- compilation ---- */

saddle_status saddle__system_compile(saddle_assembly *a)
{
    saddle_status status = place_parts(a);
    if (status == SADDLE_OK) status = place_links(a);
    if (status == SADDLE_OK) status = make_rows(a);
    if (status == SADDLE_OK) status = saddle__system_name(a);
    if (status == SADDLE_OK) status = saddle__system_compile_mass(a);
    if (status != SADDLE_OK) return status;
    for (int k = 0; k < 2; k++) {
        a->force_now[k] = saddle_allocate(a->context, a->problem.n, sizeof *a->force_now[k]);
        if (!a->force_now[k]) return SADDLE_OUT_OF_MEMORY;
    }
    a->problem.f = saddle_allocate(a->context, a->problem.n, sizeof *a->problem.f);
    return !a->problem.f ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
}
