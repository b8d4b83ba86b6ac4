/* SPDX-License-Identifier: MIT */
/* See large.h: A, sparse.  What is done with it is in large_path.c. */
#include "lemke/large.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "lemke/path.h"
#include "lemke/reduction.h"

enum { SWEEPS = 4 };

static const double epsilon = 1e-9;

/* How many unknowns may act on each row. */
static void count_acting(const saddle_problem *problem, int64_t *count)
{
    for (int64_t i = 0; i < problem->m; i++) count[i] = 1;
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        int plane = problem->law == SADDLE_LAW_BOX || contact->size == 2;
        for (int64_t t = 1; t < contact->size; t++)
            count[contact->row + t] = plane ? 2 : saddle_problem_facets(problem);
    }
}

/* Room that A's entries need: products of those of W, the diagonal, and three for each direction of
 * friction. */
static double room_for(const saddle__unfolded *W, const int64_t *acting, int64_t size)
{
    double room = 6.0 * (double)size;
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++)
            room += (double)(acting[j] * acting[W->index[k]]);
    return room;
}

static saddle_status make_arrays(saddle_context *context, int64_t size, saddle__large *s)
{
    int64_t lazy = s->demand ? size : 0;
    s->begin = saddle_allocate(context, lazy + 1, sizeof *s->begin);
    s->end = saddle_allocate(context, lazy + 1, sizeof *s->end);
    s->A.start = saddle_allocate(context, size + 1, sizeof *s->A.start);
    s->A.index = saddle_allocate(context, s->entries, sizeof *s->A.index);
    s->A.value = saddle_allocate(context, s->entries, sizeof *s->A.value);
    s->row_unit = saddle_allocate(context, size + 1, sizeof *s->row_unit);
    s->column_unit = saddle_allocate(context, size + 1, sizeof *s->column_unit);
    s->sum = saddle_allocate(context, size + 1, sizeof *s->sum);
    s->mark = saddle_allocate(context, size + 1, sizeof *s->mark);
    s->touched = saddle_allocate(context, size + 1, sizeof *s->touched);
    s->acting_start = saddle_allocate(context, s->m + 2, sizeof *s->acting_start);
    s->acting_item = saddle_allocate(context, 2 * size + 1, sizeof *s->acting_item);
    s->group_of = saddle_allocate(context, size + 1, sizeof *s->group_of);
    s->slack_of = saddle_allocate(context, size + 1, sizeof *s->slack_of);
    int whole = s->begin && s->end && s->A.start && s->A.index && s->A.value && s->row_unit &&
                s->column_unit && s->sum && s->mark && s->touched && s->acting_start &&
                s->acting_item && s->group_of && s->slack_of;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* The same for columns on demand: each full, and as many as may act on rows whose columns are
 * there. */
static double room_on_demand(const saddle__on_demand *demand, const int64_t *acting, int64_t size)
{
    int64_t most = 1;
    for (int64_t i = 0; i < demand->m; i++) most = acting[i] > most ? acting[i] : most;
    double columns = (double)(most * demand->room);
    return (columns < (double)size ? columns : (double)size) * (double)size + 6.0 * (double)size;
}

saddle_status saddle__large_create(saddle_context *context, const saddle_problem *problem,
                                   const saddle_matrix *W, saddle__on_demand *demand,
                                   saddle__large *s)
{
    int64_t size = saddle__expansion_capacity(problem);
    int64_t *acting = saddle_allocate(context, problem->m + 1, sizeof *acting);
    s->m = problem->m;
    s->demand = demand;
    saddle_status status = acting ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && W) status = saddle__unfolded_create(context, W, &s->W);
    double room = 0.0;
    if (status == SADDLE_OK) {
        count_acting(problem, acting);
        room = W ? room_for(&s->W, acting, size) : room_on_demand(demand, acting, size);
        if (room > 1e15)
            status = saddle_fail(context, SADDLE_TOO_LARGE, "lemke: %.3g entries of A", room);
    }
    saddle_release(context, acting);
    s->entries = (int64_t)room + 1;
    if (status == SADDLE_OK) status = make_arrays(context, size, s);
    return status == SADDLE_OK ? saddle__revised_create(context, size, s->entries, &s->revised)
                               : status;
}

void saddle__large_clear(saddle_context *context, saddle__large *s)
{
    void *blocks[] = {s->A.start,     s->A.index,  s->A.value,  s->row_unit, s->column_unit,
                      s->sum,         s->mark,     s->touched,  s->begin,    s->acting_start,
                      s->acting_item, s->group_of, s->slack_of, s->end};
    saddle__unfolded_clear(context, &s->W);
    saddle__revised_clear(context, &s->revised);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(s, 0, sizeof *s);
}

/* ---- who acts where ---- */

static void list_acting(saddle__large *s, const saddle__expansion *e)
{
    int64_t *start = s->acting_start;
    memset(start, 0, (size_t)(s->m + 2) * sizeof *start);
    for (int64_t k = 0; k < e->size; k++)
        for (int a = 0; a < 2; a++) start[e->acting[k].row[a] + 2] += e->acting[k].part[a] != 0.0;
    for (int64_t i = 0; i < s->m; i++) start[i + 2] += start[i + 1];
    for (int64_t k = 0; k < e->size; k++)
        for (int a = 0; a < 2; a++)
            if (e->acting[k].part[a] != 0.0)
                s->acting_item[start[e->acting[k].row[a] + 1]++] = 2 * k + a;
}

static void list_groups(saddle__large *s, const saddle__expansion *e)
{
    for (int64_t k = 0; k < e->size; k++) s->group_of[k] = s->slack_of[k] = -1;
    for (int64_t g = e->groups - 1; g >= 0; g--) {
        const saddle__friction *group = &e->group[g];
        s->group_of[group->normal] = s->group_of[group->slack] = g;
        for (int64_t k = group->first; k < group->first + group->count; k++)
            s->slack_of[k] = group->slack;
    }
}

/* ---- a column ---- */

static void touch(saddle__large *s, int64_t column, int64_t *count, int64_t k, double value)
{
    if (s->mark[k] != column + 1) {
        s->mark[k] = column + 1;
        s->touched[(*count)++] = k;
        s->sum[k] = 0.0;
    }
    s->sum[k] += value;
}

/* part times an entry of W in row i, to all that act there */
static void touch_row(saddle__large *s, const saddle__expansion *e, int64_t column, int64_t *count,
                      int64_t i, double value)
{
    for (int64_t l = s->acting_start[i]; l < s->acting_start[i + 1]; l++) {
        int64_t of = s->acting_item[l] / 2;
        touch(s, column, count, of, e->acting[of].part[s->acting_item[l] % 2] * value);
    }
}

static void touch_products(saddle__large *s, const saddle__expansion *e, int64_t column,
                           int64_t *count)
{
    const saddle__acting *to = &e->acting[column];
    for (int b = 0; b < 2; b++) {
        int64_t j = to->row[b];
        if (to->part[b] == 0.0) continue;
        if (s->demand) {
            const double *W = saddle__on_demand_column(s->demand, j);
            for (int64_t i = 0; i < s->m; i++)
                touch_row(s, e, column, count, i, to->part[b] * W[i]);
            continue;
        }
        for (int64_t k = s->W.start[j]; k < s->W.start[j + 1]; k++)
            touch_row(s, e, column, count, s->W.index[k], to->part[b] * s->W.value[k]);
    }
}

static void touch_friction(saddle__large *s, const saddle__expansion *e, int64_t column,
                           int64_t *count)
{
    if (s->slack_of[column] >= 0) touch(s, column, count, s->slack_of[column], -1.0);
    for (int64_t g = s->group_of[column]; g >= 0 && g < e->groups; g++) {
        const saddle__friction *group = &e->group[g];
        if (group->normal == column) touch(s, column, count, group->slack, group->mu);
        if (group->normal != column && group->slack != column) break;
        for (int64_t k = group->first; group->slack == column && k < group->first + group->count;
             k++)
            touch(s, column, count, k, 1.0);
    }
}

/* ---- units ---- */

static int scale_once(saddle__large *s)
{
    const saddle_matrix *A = &s->A;
    int moved = 0;
    memset(s->sum, 0, (size_t)A->rows * sizeof *s->sum);
    for (int64_t j = 0; j < A->cols; j++) {
        double most = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            double modulus = fabs(A->value[k]) * s->row_unit[A->index[k]] * s->column_unit[j];
            most = fmax(most, modulus);
            s->sum[A->index[k]] = fmax(s->sum[A->index[k]], modulus);
        }
        double factor = saddle__reduction_shrink(most);
        s->column_unit[j] *= factor;
        moved |= factor != 1.0;
    }
    for (int64_t i = 0; i < A->rows; i++) {
        double factor = saddle__reduction_shrink(s->sum[i]);
        s->row_unit[i] *= factor;
        moved |= factor != 1.0;
    }
    return moved;
}

static void scale(saddle__large *s)
{
    saddle_matrix *A = &s->A;
    for (int64_t i = 0; i < A->rows; i++) s->row_unit[i] = s->column_unit[i] = 1.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        if (!scale_once(s)) break;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            A->value[k] *= s->row_unit[A->index[k]] * s->column_unit[j];
}

/* Column j of A from `at` on; where it ends. */
static int64_t write_column(saddle__large *s, const saddle__expansion *e, int64_t j, int64_t at)
{
    saddle_matrix *A = &s->A;
    int64_t count = 0;
    touch(s, j, &count, j, 0.0);
    touch_products(s, e, j, &count);
    touch_friction(s, e, j, &count);
    saddle__sort_indices(count, s->touched);
    for (int64_t k = 0; k < count; k++) {
        A->index[at + k] = s->touched[k];
        A->value[at + k] = s->sum[s->touched[k]];
    }
    return at + count;
}

/* Before any column: of what the diagonal is known to be.  A slack's is such that its entries
 * beside directions are 1. */
static void guess_units(saddle__large *s, const saddle__expansion *e)
{
    for (int64_t k = 0; k < e->size; k++) {
        double d = 0.0;
        for (int a = 0; a < 2; a++)
            if (e->acting[k].part[a] != 0.0)
                d += e->acting[k].part[a] * e->acting[k].part[a] *
                     s->demand->diagonal[e->acting[k].row[a]];
        s->row_unit[k] = s->column_unit[k] = saddle__reduction_shrink(d);
    }
    for (int64_t g = 0; g < e->groups; g++) {
        int64_t slack = e->group[g].slack;
        s->row_unit[slack] = s->column_unit[slack] = 1.0 / s->row_unit[e->group[g].first];
    }
}

static void build_lazily(saddle__large *s, const saddle__expansion *e)
{
    s->expansion = e;
    s->A.start[0] = 0;
    for (int64_t k = 0; k < e->size; k++) s->begin[k] = -1;
    guess_units(s, e);
}

static int make_column(void *user, int64_t k)
{
    saddle__large *s = user;
    const saddle__expansion *e = s->expansion;
    int64_t at = s->A.start[0];
    for (int a = 0; a < 2; a++)
        if (e->acting[k].part[a] != 0.0) saddle__on_demand_list(s->demand, e->acting[k].row[a]);
    s->demand->overrun |= s->entries - at < e->size;
    if (s->demand->overrun || (s->demand->asking > 0 && !saddle__on_demand_fetch(s->demand)))
        return 0;
    int64_t end = write_column(s, e, k, at);
    for (int64_t i = at; i < end; i++)
        s->A.value[i] *= s->row_unit[s->A.index[i]] * s->column_unit[k];
    s->begin[k] = at;
    s->end[k] = s->A.start[0] = end;
    return 1;
}

int saddle__large_fetch(saddle__large *s, const signed char *inside)
{
    const saddle__expansion *e = s->expansion;
    for (int64_t k = 0; k < e->size; k++)
        for (int a = 0; inside[k] == SADDLE__INSIDE && a < 2; a++)
            if (e->acting[k].part[a] != 0.0) saddle__on_demand_list(s->demand, e->acting[k].row[a]);
    return s->demand->asking == 0 || saddle__on_demand_fetch(s->demand);
}

saddle__revised_table saddle__large_table(saddle__large *s)
{
    const saddle_matrix *A = &s->A;
    saddle__revised_table table = {.size = A->cols,
                                   .index = A->index,
                                   .value = A->value,
                                   .user = s};
    table.begin = s->demand ? s->begin : A->start;
    table.end = s->demand ? s->end : A->start + 1;
    table.make = s->demand ? make_column : NULL;
    return table;
}

void saddle__large_build(saddle__large *s, const saddle__expansion *e)
{
    saddle_matrix *A = &s->A;
    list_acting(s, e);
    list_groups(s, e);
    A->rows = A->cols = e->size;
    A->symmetry = SADDLE_GENERAL;
    A->start[0] = 0;
    for (int64_t k = 0; k < e->size; k++) s->mark[k] = 0;
    if (s->demand) {
        build_lazily(s, e);
        return;
    }
    for (int64_t j = 0; j < e->size; j++) A->start[j + 1] = write_column(s, e, j, A->start[j]);
    scale(s);
}

void saddle__large_regularize(saddle__large *s, int64_t free)
{
    saddle_matrix *A = &s->A;
    double most = saddle_matrix_norm_max(A);
    for (int64_t j = 0; j < free; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->index[k] == j) A->value[k] += epsilon * most;
}
