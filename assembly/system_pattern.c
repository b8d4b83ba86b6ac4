/* SPDX-License-Identifier: MIT */
/* Where everything stands: columns of parts, rows of constraints, J' and R.
 *
 * Sizes: what a model holds is in memory already and its counts are 32 bits wide; rows times
 * velocities of anchors are at most 2^31 x 32 x 384, so that nothing here overflows 64
 * bits. */
#include <math.h>

#include "items.h"
#include "system.h"

/* ---- parts ---- */

/* M g of nodes per unit of g: weight[i] = sum of row i of M over the columns of the same axis, for
 * the axis of row i; of other axes likewise, three a row. */
static void weigh(const saddle_matrix *M, double *weight)
{
    for (int64_t j = 0; j < M->cols; j++) {
        for (int64_t e = M->start[j]; e < M->start[j + 1]; e++) {
            const int64_t i = M->index[e];
            weight[3 * i + j % 3] += M->value[e];
            if (i != j) weight[3 * j + i % 3] += M->value[e];
        }
    }
}

static saddle_status place_parts(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    int64_t n = 0, nodes = 0;
    a->column = saddle_allocate(a->context, model->parts.size, sizeof *a->column);
    a->part = saddle_allocate(a->context, model->parts.count, sizeof *a->part);
    if (a->column == NULL || a->part == NULL) return SADDLE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < model->parts.size; k++) a->column[k] = -1;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int32_t place = model->parts.order[k];
        const saddle__part *part = &model->part[place];
        a->column[place] = part->prescribed ? -1 : n;
        a->part[k] = (saddle__own){place, nodes, a->column[place]};
        if (part->prescribed) continue;
        n += part->size;
        if (part->item == SADDLE_ITEM_NODES) nodes += part->size;
    }
    a->problem.n = n;
    a->weight = saddle_allocate(a->context, 3 * nodes, sizeof *a->weight);
    if (a->weight == NULL) return SADDLE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__part *part = &model->part[a->part[k].place];
        if (part->item == SADDLE_ITEM_NODES && !part->prescribed)
            weigh(&part->M, a->weight + 3 * a->part[k].weight);
    }
    return SADDLE_OK;
}

/* ---- anchors ---- */

/* Of an anchor's velocities, how many a row has entries for: a row of angles has none for the
 * linear ones of bodies. */
static int64_t entries_at(const saddle__anchors *all, int64_t at, int angular)
{
    if (all->column[at] < 0) return 0;
    return angular ? 3 : all->size[at];
}

/* The entries of a row stand by column. */
static void place_entries(saddle_assembly *a, saddle__acting *item)
{
    saddle__anchors *all = &a->anchors;
    const int64_t first = item->anchor, end = item->anchor + item->count;
    for (int angular = 0; angular < 2; angular++) {
        for (int64_t k = first; k < end; k++) {
            int64_t before = 0;
            for (int64_t i = first; i < end; i++) {
                if (all->column[i] < all->column[k]) before += entries_at(all, i, angular);
            }
            all->offset[angular][k] = all->column[k] < 0 ? -1 : before;
            item->width[angular] += entries_at(all, k, angular);
        }
    }
}

/* The anchors of one item, beginning at item->anchor. */
static void place_anchors(saddle_assembly *a, saddle__acting *item, const saddle_anchor *anchors,
                          const void *data)
{
    saddle__site_room room;
    const saddle_site site = saddle__model_site(a->model, item->count, anchors, data, &room);
    saddle__anchors *all = &a->anchors;
    item->map = -1;
    for (int64_t k = 0; k < item->count; k++) {
        const int64_t at = item->anchor + k;
        const saddle__part *part = saddle__model_part(a->model, anchors[k].part);
        const int moves = part != NULL && !part->prescribed;
        all->size[at] = site.size[k];
        all->position[at] = site.position[k];
        all->velocity[at] = site.velocity[k];
        all->column[at] = moves ? a->column[anchors[k].part.index] + 3 * anchors[k].node : -1;
        item->size += site.size[k];
        item->given |= part != NULL && part->prescribed;
    }
    place_entries(a, item);
}

static saddle_status make_anchors(saddle_assembly *a, int64_t count)
{
    saddle__anchors *all = &a->anchors;
    all->size = saddle_allocate(a->context, count, sizeof *all->size);
    all->column = saddle_allocate(a->context, count, sizeof *all->column);
    for (int k = 0; k < 2; k++)
        all->offset[k] = saddle_allocate(a->context, count, sizeof *all->offset[k]);
    all->position = saddle_allocate(a->context, count, sizeof *all->position);
    all->velocity = saddle_allocate(a->context, count, sizeof *all->velocity);
    const int made = all->size != NULL && all->column != NULL && all->offset[0] != NULL &&
                     all->offset[1] != NULL && all->position != NULL && all->velocity != NULL;
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status place_items(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    int64_t anchors = 0;
    a->force = saddle_allocate(a->context, model->forces.count, sizeof *a->force);
    a->constraint = saddle_allocate(a->context, model->constraints.count, sizeof *a->constraint);
    a->constraint_of = saddle_allocate(a->context, model->constraints.size,
                                       sizeof *a->constraint_of);
    if (a->force == NULL || a->constraint == NULL || a->constraint_of == NULL)
        return SADDLE_OUT_OF_MEMORY;
    for (int32_t k = 0; k < model->forces.count; k++) {
        const int32_t place = model->forces.order[k];
        a->force[k] = (saddle__acting){.place = place,
                                       .count = model->force[place].count,
                                       .anchor = anchors};
        anchors += model->force[place].count;
    }
    for (int32_t k = 0; k < model->constraints.size; k++) a->constraint_of[k] = -1;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const int32_t place = model->constraints.order[k];
        const saddle__constraint *c = &model->constraint[place];
        a->constraint[k] = (saddle__acting){.place = place,
                                            .count = c->count,
                                            .anchor = anchors,
                                            .rows = c->rows};
        a->constraint_of[place] = k;
        anchors += c->count;
    }
    const saddle_status status = make_anchors(a, anchors);
    if (status != SADDLE_OK) return status;
    for (int32_t k = 0; k < model->forces.count; k++) {
        const saddle__force *force = &model->force[a->force[k].place];
        place_anchors(a, &a->force[k], force->anchors, force->data);
    }
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const saddle__constraint *c = &model->constraint[a->constraint[k].place];
        place_anchors(a, &a->constraint[k], c->anchors, c->data);
    }
    return SADDLE_OK;
}

/* ---- rows ---- */

/* Whether a row's diagonal entry of R is in the pattern: where it is soft, or may be left out
 * (accelerations). */
static int has_compliance(const saddle_row_def *row)
{
    return row->purpose != SADDLE_HOLD || row->compliance.alpha > 0;
}

/* Columns of J' for the rows of one constraint; they begin where the last one's end. */
static void lay_rows(saddle_assembly *a, const saddle__acting *item)
{
    const saddle__constraint *c = &a->model->constraint[item->place];
    saddle_problem *p = &a->problem;
    for (int64_t i = 0; i < item->rows; i++) {
        const int64_t row = item->row + i;
        const int angular = c->row[i].angular != 0;
        for (int64_t k = item->anchor; k < item->anchor + item->count; k++) {
            const int64_t count = entries_at(&a->anchors, k, angular),
                          skipped = a->anchors.size[k] - count;
            if (count == 0) continue;
            int64_t *index = p->Jt.index + p->Jt.start[row] + a->anchors.offset[angular][k];
            for (int64_t j = 0; j < count; j++) index[j] = a->anchors.column[k] + skipped + j;
        }
        p->Jt.start[row + 1] = p->Jt.start[row] + item->width[angular];
        p->row_id[row] = c->serial * SADDLE_CONSTRAINT_ROWS_MAX + i;
        p->lo[row] = -INFINITY;
        p->hi[row] = INFINITY;
    }
}

int saddle__system_has_softened(const saddle_assembly *a)
{
    const int64_t *start = a->problem.R.start;
    for (int32_t k = 0; k < a->model->constraints.count; k++) {
        const saddle_row_def *def = a->model->constraint[a->constraint[k].place].row;
        for (int64_t i = 0, row = a->constraint[k].row; i < a->constraint[k].rows; i++, row++) {
            if (has_compliance(&def[i]) && start[row] == start[row + 1]) return 1;
        }
    }
    return 0;
}

saddle_status saddle__system_lay_compliances(saddle_assembly *a)
{
    saddle_problem *p = &a->problem;
    int64_t count = p->m - a->rows;
    for (int32_t k = 0; k < a->model->constraints.count; k++) {
        const saddle_row_def *def = a->model->constraint[a->constraint[k].place].row;
        for (int64_t i = 0; i < a->constraint[k].rows; i++) count += has_compliance(&def[i]);
    }
    const saddle_status status = saddle__system_reserve(a, p->m, saddle_matrix_entries(&p->Jt),
                                                        count);
    if (status != SADDLE_OK) return status;
    for (int32_t k = 0; k < a->model->constraints.count; k++) {
        const saddle_row_def *def = a->model->constraint[a->constraint[k].place].row;
        for (int64_t i = 0, row = a->constraint[k].row; i < a->constraint[k].rows; i++, row++) {
            p->R.start[row + 1] = p->R.start[row];
            if (has_compliance(&def[i])) p->R.index[p->R.start[row + 1]++] = row;
        }
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
        saddle__acting *item = &a->constraint[k];
        const saddle_row_def *def = model->constraint[item->place].row;
        item->row = a->rows;
        a->rows += item->rows;
        for (int64_t i = 0; i < item->rows; i++) entries += item->width[def[i].angular != 0];
        if (item->rows * item->size > most) most = item->rows * item->size;
    }
    saddle_status status = saddle__system_reserve(a, a->rows, entries, 0);
    if (status != SADDLE_OK) return status;
    a->problem.m = a->rows;
    a->problem.Jt = (saddle_matrix){.rows = a->problem.n,
                                    .cols = a->rows,
                                    .start = a->problem.Jt.start,
                                    .index = a->problem.Jt.index,
                                    .value = a->problem.Jt.value};
    a->problem.R = (saddle_matrix){.rows = a->rows,
                                   .cols = a->rows,
                                   .start = a->problem.R.start,
                                   .index = a->problem.R.index,
                                   .value = a->problem.R.value,
                                   .symmetry = SADDLE_SYMMETRIC};
    for (int32_t k = 0; k < model->constraints.count; k++) lay_rows(a, &a->constraint[k]);
    status = saddle__system_lay_compliances(a);
    if (status != SADDLE_OK) return status;
    a->kept = saddle_allocate(a->context, a->rows, sizeof *a->kept);
    a->rate = saddle_allocate(a->context, SADDLE_CONSTRAINT_ROWS_MAX, sizeof *a->rate);
    a->J = saddle_allocate(a->context, most, sizeof *a->J);
    return a->kept == NULL || a->rate == NULL || a->J == NULL ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
}

/* ---- arrays that grow ---- */

typedef struct growing {
    void **block;
    int64_t count;
    size_t size;
} growing;

static saddle_status grow(saddle_context *context, const growing *arrays, int count)
{
    for (int k = 0; k < count; k++) {
        void *grown = saddle_reallocate(context, *arrays[k].block, arrays[k].count, arrays[k].size);
        if (grown == NULL) return SADDLE_OUT_OF_MEMORY;
        *arrays[k].block = grown;
    }
    return SADDLE_OK;
}

saddle_status saddle__system_reserve(saddle_assembly *a, int64_t rows, int64_t entries,
                                     int64_t compliances)
{
    saddle_problem *p = &a->problem;
    const growing by_row[] = {
        {(void **)&p->Jt.start, rows + 1, sizeof *p->Jt.start},
        {(void **)&p->R.start, rows + 1, sizeof *p->R.start},
        {(void **)&p->b, rows, sizeof *p->b},
        {(void **)&p->lo, rows, sizeof *p->lo},
        {(void **)&p->hi, rows, sizeof *p->hi},
        {(void **)&p->row_id, rows, sizeof *p->row_id},
        {(void **)&p->row_name, rows, sizeof *p->row_name},
        {(void **)&a->phi, rows, sizeof *a->phi},
    };
    const growing by_entry[] = {{(void **)&p->Jt.index, entries, sizeof *p->Jt.index},
                                {(void **)&p->Jt.value, entries, sizeof *p->Jt.value}};
    const growing by_compliance[] = {{(void **)&p->R.index, compliances, sizeof *p->R.index},
                                     {(void **)&p->R.value, compliances, sizeof *p->R.value}};
    const int first = p->Jt.start == NULL;
    saddle_status status = SADDLE_OK;
    if (first || rows > a->row_capacity)
        status = grow(a->context, by_row, sizeof by_row / sizeof *by_row);
    if (status == SADDLE_OK && (first || entries > a->entry_capacity))
        status = grow(a->context, by_entry, 2);
    if (status == SADDLE_OK && (first || compliances > a->compliance_capacity))
        status = grow(a->context, by_compliance, 2);
    if (status != SADDLE_OK) return status;
    if (first) p->Jt.start[0] = p->R.start[0] = 0;
    if (rows > a->row_capacity) a->row_capacity = rows;
    if (entries > a->entry_capacity) a->entry_capacity = entries;
    if (compliances > a->compliance_capacity) a->compliance_capacity = compliances;
    return SADDLE_OK;
}

/* ---- all of it ---- */

saddle_status saddle__system_compile(saddle_assembly *a)
{
    saddle_status status = place_parts(a);
    if (status == SADDLE_OK) status = place_items(a);
    if (status == SADDLE_OK) status = make_rows(a);
    if (status == SADDLE_OK) status = saddle__system_name(a);
    if (status == SADDLE_OK) status = saddle__system_compile_mass(a);
    if (status != SADDLE_OK) return status;
    for (int k = 0; k < 2; k++) {
        a->force_now[k] = saddle_allocate(a->context, a->problem.n, sizeof *a->force_now[k]);
        if (a->force_now[k] == NULL) return SADDLE_OUT_OF_MEMORY;
    }
    a->problem.f = saddle_allocate(a->context, a->problem.n, sizeof *a->problem.f);
    return a->problem.f == NULL ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
}
