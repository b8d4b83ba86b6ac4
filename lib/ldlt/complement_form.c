/* SPDX-License-Identifier: MIT */
/* S = C + side Y' D^-1 Y, station after station (complement.h). */
#include <string.h>

#include "base/process.h"
#include "ldlt/costs.h"
#include "ldlt/ldlt_internal.h"
#include "ldlt/tasks.h"

/* The current station: X and V, the k columns and u rows of its supernode in the m columns of B
 * that reach the station, by columns of m. */
typedef struct front {
    int64_t i, s;
    int64_t m, k, u;
    const double *L; /* (k + u) x k */
    double *X;       /* m x k */
    double *V;       /* m x u */
} front;

static front front_of(const saddle__ldlt_complement *c, int64_t i)
{
    const saddle__ldlt *F = c->F;
    int64_t s = c->supernode[i];
    return (front){.i = i,
                   .s = s,
                   .m = saddle__station_columns(c, i),
                   .k = F->first[s + 1] - F->first[s],
                   .u = F->row_start[s + 1] - F->row_start[s],
                   .L = F->value + F->value_start[s],
                   .X = c->block,
                   .V = c->update + c->update_start[i]};
}

/* Kernel and work array of a thread. */
static saddle__ldlt_lane lane_of(const saddle__ldlt_complement *c, int64_t thread)
{
    return (saddle__ldlt_lane){.work = c->work + thread * c->work_size};
}

/* ---- Y ---- */

/* to[place[t]] += from[t] for 0 <= t < count */
static inline void add_column(int64_t count, const double *restrict from,
                              const int32_t *restrict place, double *restrict to)
{
    if (place[count - 1] - place[0] == count - 1) { /* side by side, place ascending */
        double *run = to + place[0];
        for (int64_t t = 0; t < count; t++) run[t] += from[t];
        return;
    }
    for (int64_t t = 0; t < count; t++) to[place[t]] += from[t];
}

/* Adds the children's V for columns begin <= place < end of the front to `to`, counted from begin.
 */
static void add_children(const saddle__ldlt_complement *c, const front *f, int64_t begin,
                         int64_t end, double *to)
{
    const saddle__ldlt *F = c->F;
    for (int64_t s = F->child[f->s]; s >= 0; s = F->sibling[s]) {
        int64_t i = c->station[s];
        if (i < 0) continue;
        int64_t m = saddle__station_columns(c, i);
        const int32_t *place = c->place + c->column_start[i];
        const double *V = c->update + c->update_start[i];
        for (int64_t t = 0; t < F->row_start[s + 1] - F->row_start[s]; t++) {
            int64_t column = F->relative[F->row_start[s] + t];
            if (column >= begin && column < end)
                add_column(m, V + t * m, place, to + (column - begin) * f->m);
        }
    }
}

static void assemble(const saddle__ldlt_complement *c, const front *f, const double *b)
{
    memset(f->X, 0, (size_t)(f->m * f->k) * sizeof *f->X);
    for (int64_t e = c->entry_start[f->i]; e < c->entry_start[f->i + 1]; e++)
        f->X[c->entry_target[e]] += b[c->entry_source[e]];
    add_children(c, f, 0, f->k, f->X);
}

/* X <- X L11'^-1,  V <- -X L21', column by column */
static void eliminate_small(const front *f)
{
    int64_t m = f->m;
    memset(f->V, 0, (size_t)(m * f->u) * sizeof *f->V);
    for (int64_t j = 0; j < f->k; j++) {
        const double *l = f->L + j * (f->k + f->u);
        const double *restrict x = f->X + j * m;
        for (int64_t i = j + 1; i < f->k + f->u; i++) {
            double *restrict to = i < f->k ? f->X + i * m : f->V + (i - f->k) * m;
            for (int64_t t = 0; t < m; t++) to[t] -= l[i] * x[t];
        }
    }
}

/* ---- the clique's part of S ---- */

/* A clique being summed: rows x rows, lower triangle. */
typedef struct clique {
    int64_t rows;
    double *T;
} clique;

/* T(a', b') += U(a, b) for the lower triangle of columns begin .. end of U, the first of which is
 * U(:, 0); ' = place of the station's column */
static void scatter(const clique *q, const int32_t *place, int64_t m, int64_t begin, int64_t end,
                    const double *U, int64_t ldu)
{
    for (int64_t b = begin; b < end; b++)
        add_column(m - b, U + (b - begin) * ldu + (b - begin), place + b,
                   q->T + place[b] * q->rows);
}

/* -side D^-1 */
static void set_weight(const saddle__ldlt_complement *c, const front *f, double side)
{
    const double *inverse = c->F->inverse + c->F->first[f->s];
    for (int64_t j = 0; j < f->k; j++) c->weight[j] = -side * inverse[j];
}

static void add_small(const saddle__ldlt_complement *c, const front *f, double side,
                      const clique *q)
{
    set_weight(c, f, side);
    memset(c->panel, 0, (size_t)(f->m * f->m) * sizeof *c->panel);
    for (int64_t j = 0; j < f->k; j++) {
        const double *restrict x = f->X + j * f->m;
        for (int64_t b = 0; b < f->m; b++) {
            double *restrict to = c->panel + b * f->m;
            double factor = c->weight[j] * x[b];
            for (int64_t a = b; a < f->m; a++) to[a] -= factor * x[a];
        }
    }
    scatter(q, c->column + c->column_start[f->i], f->m, 0, f->m, c->panel, f->m);
}

/* ---- large fronts: by BLAS, in slices of rows or columns, shared by threads ---- */

typedef struct sharing {
    const saddle__ldlt_complement *c;
    const front *f;
    const clique *q;
    int threads;
} sharing;

static int64_t thread_of(const sharing *h)
{
    return h->threads > 1 ? saddle__tasks_thread() : 0;
}

static int64_t slice_end(int64_t begin, int64_t m)
{
    return begin + SADDLE__LDLT_TILE < m ? begin + SADDLE__LDLT_TILE : m;
}

/* X <- X L11'^-1,  V <- -X L21',  a slice of the rows of both */
static void eliminate_slice(void *user, int64_t index)
{
    const sharing *h = user;
    const front *f = h->f;
    int64_t begin = index * SADDLE__LDLT_TILE;
    int64_t rows = slice_end(begin, f->m) - begin;
    int64_t ld = f->k + f->u;
    saddle__ldlt_triangle L11 = {.L = f->L, .ld = ld};
    saddle__ldlt_lane lane = lane_of(h->c, thread_of(h));
    saddle__ldlt_divide(&lane, rows, f->k, &L11, f->X + begin, f->m);
    for (int64_t j = 0; j < f->u; j++)
        memset(f->V + begin + j * f->m, 0, (size_t)rows * sizeof *f->V);
    saddle__product p = {.rows = rows,
                         .columns = f->u,
                         .depth = f->k,
                         .A = f->X + begin,
                         .lda = f->m,
                         .B = f->L + f->k,
                         .ldb = ld,
                         .C = f->V + begin,
                         .ldc = f->m,
                         .work = lane.work};
    saddle__product_subtract(&p);
}

/* T += side X D^-1 X', a slice of its columns; in place where the station has the clique's
 * columns. */
static void add_columns(void *user, int64_t index)
{
    const sharing *h = user;
    const saddle__ldlt_complement *c = h->c;
    const front *f = h->f;
    const clique *q = h->q;
    int64_t begin = index * SADDLE__LDLT_TILE;
    int64_t end = slice_end(begin, f->m);
    int64_t rows = f->m - begin;
    int in_place = f->m == q->rows;
    double *panel = c->panel + thread_of(h) * c->panel_size;
    saddle__ldlt_lane lane = lane_of(c, thread_of(h));
    saddle__product p = {.rows = rows,
                         .columns = end - begin,
                         .depth = f->k,
                         .A = f->X + begin,
                         .lda = f->m,
                         .B = f->X + begin,
                         .ldb = f->m,
                         .D = c->weight,
                         .C = in_place ? q->T + begin + begin * q->rows : panel,
                         .ldc = in_place ? q->rows : rows,
                         .lower = 1,
                         .work = lane.work};
    if (!in_place) memset(panel, 0, (size_t)(rows * (end - begin)) * sizeof *panel);
    saddle__product_subtract(&p);
    if (!in_place) scatter(q, c->column + c->column_start[f->i], f->m, begin, end, panel, rows);
}

static void share(const sharing *h, saddle__task *task)
{
    int64_t slices = (h->f->m + SADDLE__LDLT_TILE - 1) / SADDLE__LDLT_TILE;
    if (h->threads > 1) {
        saddle__tasks_run(h->threads, slices, task, (void *)h);
        return;
    }
    for (int64_t i = 0; i < slices; i++) task((void *)h, i);
}

static void do_large(const saddle__ldlt_complement *c, const front *f, double side, const clique *q)
{
    double work = (double)f->m * (double)f->k * (double)(f->k + 2 * f->u + f->m);
    sharing h = {.c = c,
                 .f = f,
                 .q = q,
                 .threads = work * SADDLE__TIME_FLOP >= SADDLE__TIME_THREAD ? (int)c->threads : 1};
    set_weight(c, f, side);
    share(&h, eliminate_slice);
    share(&h, add_columns);
}

static void visit(saddle__ldlt_complement *c, int64_t i, const double *b, double side,
                  const clique *q)
{
    front f = front_of(c, i);
    assemble(c, &f, b);
    if ((double)(f.m * f.m * f.k) <= SADDLE__FEW_FLOPS) {
        eliminate_small(&f);
        add_small(c, &f, side, q);
    } else {
        do_large(c, &f, side, q);
    }
    if (f.u > 0) add_children(c, &f, f.k, f.k + f.u, f.V);
}

/* ---- S ---- */

/* value[p] += from[t] where index[p] = row[t], for `count` ascending rows, all among index */
static void merge_column(int64_t count, const int32_t *row, const double *from,
                         const int64_t *index, double *value)
{
    if (index[count - 1] == row[count - 1]) { /* the first `count` rows of the column */
        for (int64_t t = 0; t < count; t++) value[t] += from[t];
        return;
    }
    int64_t p = 0;
    for (int64_t t = 0; t < count; t++) {
        while (index[p] != row[t]) p++;
        value[p] += from[t];
    }
}

/* Before station i, where it is large: whether to go on. */
static saddle_status ask(const saddle__ldlt_complement *c, int64_t i)
{
    const front f = front_of(c, i);
    if (f.m + f.k + f.u <= SADDLE__LDLT_TILE) return SADDLE_OK;
    return saddle__phase_ask(c->context, "factor", i, c->stations, 0);
}

saddle_status saddle__ldlt_complement_form(saddle__ldlt_complement *c, const saddle_matrix *B,
                                           const saddle_matrix *C, double side, saddle_matrix *S)
{
    int stored = saddle_matrix_entries(C) > 0;
    saddle_status status = SADDLE_OK;
    for (int64_t j = 0; j < c->m; j++) {
        int64_t p = S->start[j];
        for (int64_t e = S->start[j]; e < S->start[j + 1]; e++) S->value[e] = 0.0;
        for (int64_t e = stored ? C->start[j] : 0; stored && e < C->start[j + 1]; e++) {
            while (S->index[p] != C->index[e]) p++;
            S->value[p] += C->value[e];
        }
    }
    saddle__blas_begin();
    for (int64_t t = 0; status == SADDLE_OK && t < c->cliques; t++) {
        clique q = {.rows = saddle__clique_rows(c, t), .T = c->clique};
        memset(q.T, 0, (size_t)(q.rows * q.rows) * sizeof *q.T);
        for (int64_t i = t > 0 ? c->clique_end[t - 1] : 0; i < c->clique_end[t]; i++) {
            status = ask(c, i);
            if (status != SADDLE_OK) break;
            visit(c, i, B->value, side, &q);
        }
        const int32_t *row = c->row + c->row_start[t];
        for (int64_t b = 0; b < q.rows; b++) /* S's columns begin with their diagonal entry */
            merge_column(q.rows - b, row + b, q.T + b * q.rows + b, S->index + S->start[row[b]],
                         S->value + S->start[row[b]]);
    }
    saddle__blas_end();
    return status == SADDLE_OK ? status : saddle__phase_ended(c->context, status, "factor");
}
