/* SPDX-License-Identifier: MIT */
/* The values of Q, M' = Q'M Q and J' = J Q along their patterns (see elimination.h): a thread sums
 * each column in a fixed order, so the bits are independent of the number of threads. */
#include <string.h>

#include "elimination.h"
#include "ldlt/tasks.h"

#define INLINED static inline __attribute__((always_inline))

/* ---- Q ---- */

/* Q_k += A_kj's columns at active velocities of j. */
static void add_active(const saddle_map *map, int64_t j, int64_t rows, const double *A, double *Qk,
                       int64_t width)
{
    for (int64_t c = 0; c < saddle__component_size(map, j); c++) {
        int64_t to = map->to[map->first[j] + c];
        if (to < 0) continue;
        double *column = Qk + (to - map->column[j]);
        for (int64_t r = 0; r < rows; r++) column[r * width] += A[c * rows + r];
    }
}

/* The part of Q_j at a root, in a unit's rows. */
typedef struct root_part {
    const double *from; /* Q_j's first row, at the root */
    int64_t stride;     /* length of its rows */
    int64_t width;      /* of the root */
} root_part;

/* Q_k += A_kj's columns at attached velocities of j times their rows of Q_j, one root of j at a
 * time. */
static void add_attached(const saddle_map *map, int64_t j, int64_t rows, const double *A,
                         root_part above, double *Qk, int64_t width)
{
    int64_t first_row = map->row_start[map->unit_of[j]];
    for (int64_t c = 0; c < saddle__component_size(map, j); c++) {
        int64_t code = map->to[map->first[j] + c];
        if (code >= 0) continue;
        const double *from = above.from + (SADDLE__ATTACHED_ROW(code) - first_row) * above.stride;
        for (int64_t r = 0; r < rows; r++)
            for (int64_t p = 0; p < above.width; p++)
                Qk[r * width + p] += A[c * rows + r] * from[p];
    }
}

static void compose(const saddle_map *map, saddle__composition *Q)
{
    for (int64_t u = 0; u < map->units; u++) {
        int64_t rows = saddle__unit_rows(map, u);
        int64_t width = Q->width[u];
        double *Qk = Q->Q + Q->Q_start[u];
        const double *A = map->value + map->value_start[u];
        for (int64_t e = 0; e < rows * width; e++) Qk[e] = 0;
        for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++)
            Q->place[Q->root[r]] = Q->offset[r];
        for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
            int64_t j = map->master[b];
            int64_t above = map->unit_of[j];
            if (saddle__component_width(map, j) > 0)
                add_active(map, j, rows, A, Qk + Q->place[j], width);
            for (int64_t r = above < 0 ? 0 : Q->root_start[above];
                 above >= 0 && r < Q->root_start[above + 1]; r++) {
                root_part from = {Q->Q + Q->Q_start[above] + Q->offset[r], Q->width[above],
                                  saddle__component_width(map, Q->root[r])};
                add_attached(map, j, rows, A, from, Qk + Q->place[Q->root[r]], width);
            }
            A += rows * saddle__component_size(map, j);
        }
    }
}

/* ---- sums along the patterns ---- */

typedef struct job {
    const saddle_elimination *e;
    const saddle_matrix *A; /* M or J' */
    const saddle_matrix *B; /* M' or what J' becomes */
} job;

/* Entry k of the mirror. */
INLINED double mirrored(const saddle__mirror *mirror, const saddle_matrix *M, int64_t k)
{
    return M->value[M->start[mirror->column[k]] + mirror->offset[k]];
}

/* ---- ordinary columns ---- */

/* x += Q_a' value for the attached row a, at roots not before limit. */
INLINED void spread(const saddle_map *map, const saddle__composition *Q, int64_t a, double value,
                    int64_t limit, double *x)
{
    int64_t u = Q->unit_of_row[a];
    const double *row = Q->Q + Q->Q_start[u] + (a - map->row_start[u]) * Q->width[u];
    for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++) {
        int64_t first = map->column[Q->root[r]];
        int64_t width = map->column[Q->root[r] + 1] - first;
        const double *part = row + Q->offset[r];
        if (first < limit) continue;
        for (int64_t p = 0; p < width; p++) x[first + p] += part[p] * value;
    }
}

/* x += Q'a for column c of A, at rows not before limit. */
static void sum_column(const job *j, int64_t c, int64_t limit, double *x)
{
    const saddle_map *map = j->e->map;
    const saddle__composition *Q = &j->e->Q;
    for (int64_t k = j->A->start[c]; k < j->A->start[c + 1]; k++) {
        int64_t to = map->to[j->A->index[k]];
        if (to >= 0)
            x[to] += j->A->value[k];
        else if (to < SADDLE__PRESCRIBED)
            spread(map, Q, SADDLE__ATTACHED_ROW(to), j->A->value[k], limit, x);
    }
}

static void collect(const saddle_matrix *B, int64_t t, double *x)
{
    for (int64_t p = B->start[t]; p < B->start[t + 1]; p++) {
        B->value[p] = x[B->index[p]];
        x[B->index[p]] = 0;
    }
}

static void ordinary_column(const job *j, int64_t t, saddle__scratch *scratch)
{
    const saddle_elimination *e = j->e;
    const saddle_map *map = e->map;
    const saddle__mirror *mirror = &e->mirror;
    int64_t c = map->active[t];
    int64_t begin = j->B->start[t];
    if (e->copied[t]) {
        int64_t entries = j->B->start[t + 1] - begin;
        if (entries > 0)
            memcpy(j->B->value + begin, j->A->value + j->A->start[c],
                   (size_t)entries * sizeof(double));
        return;
    }
    int64_t limit = j->A->symmetry == SADDLE_SYMMETRY_LOWER ? t : 0;
    sum_column(j, c, limit, scratch->x);
    for (int64_t k = mirror->start ? mirror->start[c] : 0;
         mirror->start && k < mirror->start[c + 1]; k++) {
        int64_t a = SADDLE__ATTACHED_ROW(map->to[mirror->column[k]]);
        spread(map, &e->Q, a, mirrored(mirror, j->A, k), limit, scratch->x);
    }
    collect(j->B, t, scratch->x);
}

/* ---- panels ---- */

typedef struct panel {
    const saddle_map *map;
    const saddle__composition *Q;
    saddle__scratch *scratch;
    int64_t limit; /* first row of M'; rows before belong to the other triangle */
    int64_t rows;  /* of Y */
    int64_t top;   /* highest level of units with rows of Y, -1: none */
} panel;

/* A row of zeros of Y for an attached row; its unit is listed at its level. */
static void open_row(panel *p, int64_t a, int64_t columns)
{
    saddle__scratch *s = p->scratch;
    const int64_t u = p->Q->unit_of_row[a], level = p->Q->level[u];
    double *row = s->Y + p->rows * columns;
    for (int64_t q = 0; q < columns; q++) row[q] = 0;
    s->slot[a] = (int32_t)p->rows++;
    if (s->next[u] != -2) return;
    s->next[u] = s->head[level];
    s->head[level] = (int32_t)u;
    if (level > p->top) p->top = level;
}

/* The row of Z or Y for velocity i of M Q; NULL = not needed. */
INLINED double *row_of(panel *p, int64_t i, int64_t columns)
{
    saddle__scratch *s = p->scratch;
    int64_t to = p->map->to[i];
    if (to >= 0) return to < p->limit ? NULL : s->Z + s->where[to] * columns;
    if (to == SADDLE__PRESCRIBED) return NULL;
    int64_t a = SADDLE__ATTACHED_ROW(to);
    if (s->slot[a] < 0) open_row(p, a, columns);
    return s->Y + s->slot[a] * columns;
}

/* [Z; Y] += M_i,c coefficient' for the rows i of velocity c's column, both triangles of a symmetric
 * M. */
INLINED void add_follower(panel *p, const job *j, int64_t c, const double *coefficient,
                          int64_t columns)
{
    const saddle_matrix *M = j->A;
    const saddle__mirror *mirror = &j->e->mirror;
    for (int64_t k = M->start[c]; k < M->start[c + 1]; k++) {
        double *row = row_of(p, M->index[k], columns);
        for (int64_t q = 0; row && q < columns; q++) row[q] += M->value[k] * coefficient[q];
    }
    for (int64_t k = mirror->start ? mirror->start[c] : 0;
         mirror->start && k < mirror->start[c + 1]; k++) {
        double *row = row_of(p, mirror->column[k], columns);
        double value = mirrored(mirror, M, k);
        for (int64_t q = 0; row && q < columns; q++) row[q] += value * coefficient[q];
    }
}

/* The same for the root's own velocity c, column q of the panel. */
static void add_own(panel *p, const job *j, int64_t c, int64_t q, int64_t columns)
{
    const saddle_matrix *M = j->A;
    const saddle__mirror *mirror = &j->e->mirror;
    for (int64_t k = M->start[c]; k < M->start[c + 1]; k++) {
        double *row = row_of(p, M->index[k], columns);
        if (row) row[q] += M->value[k];
    }
    for (int64_t k = mirror->start ? mirror->start[c] : 0;
         mirror->start && k < mirror->start[c + 1]; k++)
        row_of(p, mirror->column[k], columns)[q] += mirrored(mirror, M, k); /* attached rows */
}

/* The rows of Y of a unit go to those of its masters, A' times; a unit without roots from the limit
 * on has none in this triangle. */
INLINED void lift_unit(panel *p, int64_t u, int64_t columns)
{
    const saddle_map *map = p->map;
    const saddle__composition *Q = p->Q;
    const int64_t rows = saddle__unit_rows(map, u), end = Q->root_start[u + 1];
    const double *A = map->value + map->value_start[u];
    int32_t *slot = p->scratch->slot + map->row_start[u];
    const int reaches = end > Q->root_start[u] && map->column[Q->root[end - 1]] >= p->limit;
    for (int64_t b = map->block_start[u]; reaches && b < map->block_start[u + 1]; b++) {
        const int64_t j = map->master[b];
        for (int64_t c = 0; c < saddle__component_size(map, j); c++, A += rows) {
            double *to = row_of(p, map->first[j] + c, columns);
            for (int64_t r = 0; to && r < rows; r++) {
                if (slot[r] < 0 || A[r] == 0.0) continue;
                const double *from = p->scratch->Y + slot[r] * columns;
                for (int64_t q = 0; q < columns; q++) to[q] += A[r] * from[q];
            }
        }
    }
    for (int64_t r = 0; r < rows; r++) slot[r] = -1;
}

/* Z += Q'Y: the attached rows go to their roots, from the highest level down. */
INLINED void lift(panel *p, int64_t columns)
{
    saddle__scratch *s = p->scratch;
    for (int64_t level = p->top; level >= 0; level--) {
        for (int32_t u = s->head[level]; u >= 0;) {
            const int32_t after = s->next[u];
            lift_unit(p, u, columns);
            s->next[u] = -2;
            u = after;
        }
        s->head[level] = -1;
    }
}

/* Columns first + skipped .. + columns of M', first of the root. */
INLINED void panel_columns(const job *j, int64_t component, int64_t skipped, int64_t columns,
                           saddle__scratch *scratch)
{
    const saddle_map *map = j->e->map;
    const saddle__composition *Q = &j->e->Q;
    const saddle_matrix *B = j->B;
    int64_t first = map->column[component];
    int symmetric = B->symmetry == SADDLE_SYMMETRY_LOWER;
    int64_t begin = B->start[first];
    int64_t rows = B->start[first + 1] - begin;
    panel p = {.map = map, .Q = Q, .scratch = scratch, .limit = symmetric ? first : 0, .top = -1};
    for (int64_t i = 0; i < rows; i++) scratch->where[B->index[begin + i]] = (int32_t)i;
    for (int64_t e = 0; e < rows * columns; e++) scratch->Z[e] = 0;
    for (int64_t q = 0; q < columns; q++)
        add_own(&p, j, map->active[first + skipped + q], q, columns);
    for (int64_t f = Q->follower_start[component]; f < Q->follower_start[component + 1]; f++) {
        int64_t u = Q->follower[f];
        const double *coefficient = Q->Q + Q->Q_start[u] + Q->follower_offset[f] + skipped;
        for (int64_t r = map->row_start[u]; r < map->row_start[u + 1];
             r++, coefficient += Q->width[u])
            add_follower(&p, j, map->velocity[r], coefficient, columns);
    }
    lift(&p, columns);
    for (int64_t q = 0; q < columns; q++) {
        int64_t above = symmetric ? skipped + q : 0; /* rows of earlier columns only */
        double *value = B->value + B->start[first + skipped + q] - above;
        for (int64_t i = above; i < rows; i++) value[i] = scratch->Z[i * columns + q];
    }
}

/* Particles and frames have loops of their length. */
static void panel_part(const job *j, int64_t component, int64_t skipped, int64_t columns,
                       saddle__scratch *scratch)
{
    if (columns == 3)
        panel_columns(j, component, skipped, 3, scratch);
    else if (columns == 6)
        panel_columns(j, component, skipped, 6, scratch);
    else
        panel_columns(j, component, skipped, columns, scratch);
}

/* ---- sharing out ---- */

static void mass_task(void *user, int64_t task)
{
    const job *j = user;
    const saddle_elimination *e = j->e;
    const saddle_map *map = e->map;
    saddle__scratch *scratch = &e->scratch[e->threads > 1 ? saddle__tasks_thread() : 0];
    int64_t t = e->mass_task[task];
    int64_t component = t < map->active_count ? saddle__component_of_column(map, t)
                                              : map->components;
    for (; t < e->mass_task[task + 1]; component++) {
        int64_t end = map->column[component + 1];
        if (!saddle__is_root(&e->Q, component)) {
            for (; t < end; t++) ordinary_column(j, t, scratch);
            continue;
        }
        for (int64_t skipped = 0; t < end;
             skipped += SADDLE__PANEL_COLUMNS, t += SADDLE__PANEL_COLUMNS) {
            int64_t columns = end - t < SADDLE__PANEL_COLUMNS ? end - t : SADDLE__PANEL_COLUMNS;
            panel_part(j, component, skipped, columns, scratch);
        }
        t = end;
    }
}

static void jacobian_task(void *user, int64_t task)
{
    const job *j = user;
    const saddle_elimination *e = j->e;
    saddle__scratch *scratch = &e->scratch[e->threads > 1 ? saddle__tasks_thread() : 0];
    for (int64_t i = e->jacobian_task[task]; i < e->jacobian_task[task + 1]; i++) {
        sum_column(j, i, 0, scratch->x);
        collect(j->B, i, scratch->x);
    }
}

static void run(const saddle_elimination *e, int64_t tasks, saddle__task *task, job *j)
{
    if (!j->A->start) return;
    if (e->threads > 1)
        saddle__tasks_run(e->threads, tasks, task, j);
    else
        for (int64_t i = 0; i < tasks; i++) task(j, i);
}

void saddle__reduce_matrices(saddle_elimination *e, const saddle_problem *problem)
{
    compose(e->map, &e->Q);
    job mass = {e, &problem->M, &e->reduced.M};
    job jacobian = {e, saddle__all_rows(e, problem), &e->reduced.Jt};
    run(e, e->mass_tasks, mass_task, &mass);
    run(e, e->jacobian_tasks, jacobian_task, &jacobian);
}
