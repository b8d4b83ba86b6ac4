/* SPDX-License-Identifier: MIT */
/* The numeric factorization: supernodes in sequence, children first; with several threads, jobs
 * side by side (analyse.c).  The thread that finishes the last job or child below a supernode above
 * the cut continues with the supernode, so no thread waits.  Each thread counts its pivots; the
 * sums do not depend on the distribution of the supernodes.
 *
 * One supernode: assembly of the front, elimination of its columns, the update.
 *
 *     [ P1 ]   the front's first k columns: entries of A and updates of the children
 *     [ P2 ]   P1 = L1 D L1',  P2 <- P2 L1'^-1 D^-1,  U = (updates of the children) - P2 D P2'
 *
 * A large front is processed in tiles, blocks of columns (of rows in the division), shared by
 * threads.  The tiles depend on the shape of the front alone, and each entry is summed within one
 * tile in one order: the same bits for any number of threads. */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "base/process.h"
#include "ldlt/ldlt_internal.h"
#include "ldlt/tasks.h"

enum {
    TILE = SADDLE__LDLT_TILE,
    TALL = SADDLE__LDLT_TILE * 4 /* rows of a tile worth sharing */
};

/* ---- pivots replaced or dropped, and failures (factor/factorization.h) ---- */

int saddle__ldlt_odd_pivot(saddle__pivot_state *p, int64_t position, double d)
{
    double scale = p->rule->scale ? p->rule->scale[p->order[position]] : 1.0;
    double kept = saddle__amended_pivot(p->rule, p->order[position], d);
    if (kept == 0.0) {
        if (position < p->failed_at) {
            p->failed_at = position;
            p->failed = d;
        }
        return 0;
    }
    if (kept != d) {
        p->perturbed++;
        if (position < p->first_perturbed) p->first_perturbed = position;
    }
    if (isinf(kept)) {
        p->zero++;
        p->pivot[position] = p->inverse[position] = 0.0;
        return 1;
    }
    saddle__ldlt_keep_pivot(p, position, kept, fabs(kept) / scale);
    return 1;
}

/* A factorization under way. */
typedef struct run {
    saddle__ldlt *F;
    const double *value;
    int64_t latest; /* supernode in the progress callback */
    /* least position of a failed pivot, n = no failure, -1 = ended: later supernodes are skipped */
    _Atomic int64_t failed_at;
    _Atomic int ended; /* SADDLE_OK, or the status of saddle__phase_ask */
} run;

/* A supernode at hand. */
typedef struct front {
    run *r;
    saddle__ldlt *F;
    int64_t s;
    int64_t columns, rows, ld; /* eliminated columns; rows below; sum of both */
    double *P[2];              /* ld x columns, of each side */
    double *U[2];              /* rows x rows */
    int shared;                /* tiles become tasks */
    int64_t begin, mid, end;   /* of the current step */
} front;

/* The side whose columns are the rows of `side`. */
static int other(const saddle__ldlt *F, int side)
{
    return F->sides - 1 - side;
}

/* ---- progress and the time limit ---- */

static int goes_on(const run *r)
{
    return atomic_load_explicit(&r->failed_at, memory_order_relaxed) >= 0;
}

/* Asks at supernode s whether to go on. */
static int ask(run *r, int64_t s)
{
    const int other_thread = r->F->threads > 1 && saddle__tasks_thread() > 0;
    if (!goes_on(r)) return 0;
    if (!other_thread && s > r->latest) r->latest = s;
    const saddle_status status = saddle__phase_ask(r->F->context, "factor",
                                                   other_thread ? s : r->latest, r->F->supernodes,
                                                   other_thread);
    if (status == SADDLE_OK) return 1;
    atomic_store(&r->ended, (int)status);
    atomic_store(&r->failed_at, -1);
    return 0;
}

/* ---- tiles ---- */

/* Part `part` of `parts` of the rows of columns begin .. end - 1. */
typedef void tile_work(const front *f, int64_t begin, int64_t end, int64_t part, int64_t parts);

/* [begin, end) in equal ranges of at most TILE, all but the last multiples of 8; each in parts. */
typedef struct tiling {
    const front *f;
    tile_work *work;
    int64_t begin, end, width, parts;
} tiling;

static void do_tile(void *user, int64_t index)
{
    const tiling *t = user;
    if (!ask(t->f->r, t->f->s)) return;
    int64_t begin = t->begin + index / t->parts * t->width;
    t->work(t->f, begin, begin + t->width < t->end ? begin + t->width : t->end, index % t->parts,
            t->parts);
}

/* 0: ended, some tiles are left out. */
static int for_tiles(const front *f, int64_t begin, int64_t end, int64_t parts, tile_work *work)
{
    tiling t = {.f = f, .work = work, .begin = begin, .end = end, .parts = parts};
    int64_t ranges = (end - begin + TILE - 1) / TILE;
    t.width = ((end - begin + ranges - 1) / ranges + 7) / 8 * 8;
    int64_t count = (end - begin + t.width - 1) / t.width * parts;
    if (f->shared && count > 1)
        saddle__tasks_share(count, do_tile, &t);
    else
        for (int64_t i = 0; i < count; i++) do_tile(&t, i);
    return goes_on(f->r);
}

/* ---- assembly ---- */

/* to (at the targets) += the entries of A that supernode s assembles on a side */
static inline void add_entries(const saddle__ldlt *F, int64_t s, int side, const double *value,
                               double *to)
{
    const uint32_t *source = side == 0 ? F->entry_source : F->entry_upper;
    const uint32_t *target = F->entry_target;
    for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++)
        to[target[t]] += value[source[t]];
}

static void set_zero(double *P, int64_t count)
{
    if (count > 64)
        memset(P, 0, (size_t)count * sizeof *P);
    else
        for (int64_t t = 0; t < count; t++) P[t] = 0.0;
}

/* The update of child c. */
typedef struct leaving {
    const int32_t *place; /* rows: places in the front */
    const int32_t *run;   /* rows: number of consecutive places from each row on */
    const double *U;      /* rows x rows, lower triangle */
    int64_t rows;
} leaving;

static leaving leaving_of(const saddle__ldlt *F, int side, int64_t c)
{
    const double *update = side == 0 ? F->update : F->upper_update;
    return (leaving){.place = F->relative + F->row_start[c],
                     .run = F->run + F->row_start[c],
                     .U = update + F->update_start[c],
                     .rows = F->row_start[c + 1] - F->row_start[c]};
}

/* Adds column j of the update to `column` of the front. */
static inline void add_column(const leaving *l, int64_t j, double *restrict column)
{
    const double *restrict from = l->U + j * l->rows;
    for (int64_t t = j; t < l->rows;) {
        double *restrict side = column + l->place[t] - t;
        int64_t end = t + l->run[t];
        for (; t < end; t++) side[t] += from[t];
    }
}

/* The same onto nothing: zero between, and down to row `end`. */
static inline void set_column(const leaving *l, int64_t j, int64_t end, double *restrict column)
{
    const double *restrict from = l->U + j * l->rows;
    int64_t row = l->place[j];
    for (int64_t t = j; t < l->rows;) {
        for (; row < l->place[t]; row++) column[row] = 0.0;
        double *restrict side = column + row - t;
        row += l->run[t];
        for (int64_t stop = t + l->run[t]; t < stop; t++) side[t] = from[t];
    }
    for (; row < end; row++) column[row] = 0.0;
}

/* the first of `count` ascending places not below `bound` */
static int64_t first_from(const int32_t *place, int64_t count, int64_t bound)
{
    int64_t low = 0;
    while (low < count) {
        int64_t middle = low + (count - low) / 2;
        if (place[middle] < bound)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* the child with the largest update, or -1 */
static int64_t largest_child(const saddle__ldlt *F, int64_t s)
{
    int64_t largest = F->child[s];
    for (int64_t c = largest; c >= 0; c = F->sibling[c])
        if (F->row_start[c + 1] - F->row_start[c] >
            F->row_start[largest + 1] - F->row_start[largest])
            largest = c;
    return largest;
}

/* Sums the children's updates to columns begin .. end - 1 of a side, from the diagonal down; to:
 * address of row 0 of column 0.  The largest update is copied, the others are added. */
static void assemble(const front *f, int side, int64_t begin, int64_t end, double *to, int64_t ld)
{
    const saddle__ldlt *F = f->F;
    int64_t first = largest_child(F, f->s);
    int64_t column = begin;
    if (first >= 0) {
        leaving l = leaving_of(F, side, first);
        for (int64_t j = first_from(l.place, l.rows, begin); j < l.rows && l.place[j] < end; j++) {
            for (; column < l.place[j]; column++)
                set_zero(to + column + column * ld, f->ld - column);
            set_column(&l, j, f->ld, to + column * ld);
            column++;
        }
    }
    for (; column < end; column++) set_zero(to + column + column * ld, f->ld - column);
    for (int64_t c = F->child[f->s]; c >= 0; c = F->sibling[c]) {
        if (c == first) continue;
        leaving l = leaving_of(F, side, c);
        for (int64_t j = first_from(l.place, l.rows, begin); j < l.rows && l.place[j] < end; j++)
            add_column(&l, j, to + l.place[j] * ld);
    }
}

static void assemble_columns(const front *f, int64_t begin, int64_t end, int64_t part,
                             int64_t parts)
{
    (void)part;
    (void)parts;
    for (int side = 0; side < f->F->sides; side++) assemble(f, side, begin, end, f->P[side], f->ld);
}

/* ---- elimination ---- */

/* Subtracts the product of columns f->begin .. f->mid - 1 from columns begin .. end - 1.  The first
 * part of the rows has the diagonal. */
static void subtract_left(const front *f, int64_t begin, int64_t end, int64_t part, int64_t parts)
{
    int64_t top = part == 0 ? begin : end + (f->ld - end) * part / parts;
    int64_t bottom = end + (f->ld - end) * (part + 1) / parts;
    for (int side = 0; side < f->F->sides; side++) {
        saddle__product p = {.rows = bottom - top,
                             .columns = end - begin,
                             .depth = f->mid - f->begin,
                             .A = f->P[side] + f->begin * f->ld + top,
                             .lda = f->ld,
                             .B = f->P[other(f->F, side)] + f->begin * f->ld + begin,
                             .ldb = f->ld,
                             .D = f->F->pivot + f->F->first[f->s] + f->begin,
                             .C = f->P[side] + top + begin * f->ld,
                             .ldc = f->ld,
                             .lower = part == 0,
                             .work = saddle__ldlt_lane_of(f->F)->work};
        saddle__product_subtract(&p);
    }
}

/* Rows begin .. end - 1 of the columns f->begin .. f->mid - 1, after the diagonal block. */
static void divide_rows(const front *f, int64_t begin, int64_t end, int64_t part, int64_t parts)
{
    (void)part;
    (void)parts;
    int64_t position = f->F->first[f->s] + f->begin;
    for (int side = 0; side < f->F->sides; side++) {
        saddle__ldlt_triangle U11 = {.L = f->P[other(f->F, side)] + f->begin + f->begin * f->ld,
                                     .ld = f->ld,
                                     .pivot = f->F->pivot + position,
                                     .inverse = f->F->inverse + position};
        saddle__ldlt_divide(saddle__ldlt_lane_of(f->F), end - begin, f->mid - f->begin, &U11,
                            f->P[side] + begin + f->begin * f->ld, f->ld);
    }
}

/* Columns begin .. end - 1: 0 where a pivot failed, or ended. */
static int eliminate(front *f, int64_t begin, int64_t end)
{
    int64_t columns = end - begin;
    f->begin = begin;
    f->mid = end;
    if (columns <= TILE) {
        int64_t diagonal = begin + begin * f->ld, position = f->F->first[f->s] + begin;
        if (saddle__ldlt_eliminate(saddle__ldlt_lane_of(f->F), position, columns, columns,
                                   f->P[0] + diagonal, f->P[1] + diagonal, f->ld) >= 0)
            return 0;
        return f->ld == end || for_tiles(f, end, f->ld, 1, divide_rows);
    }
    int64_t mid = begin + (columns / 2 + 15) / 16 * 16;
    if (!eliminate(f, begin, mid)) return 0;
    f->begin = begin;
    f->mid = mid;
    return for_tiles(f, mid, end, (f->ld - mid) / TALL + 1, subtract_left) &&
           eliminate(f, mid, end);
}

/* ---- the update ---- */

/* Columns begin .. end - 1 of U. */
static void update_columns(const front *f, int64_t begin, int64_t end, int64_t part, int64_t parts)
{
    (void)part;
    (void)parts;
    const double *pivot = f->F->pivot + f->F->first[f->s];
    for (int side = 0; side < f->F->sides; side++) {
        const double *A = f->P[side] + f->columns + begin;
        const double *B = f->P[other(f->F, side)] + f->columns + begin;
        assemble(f, side, f->columns + begin, f->columns + end,
                 f->U[side] - f->columns - f->columns * f->rows, f->rows);
        saddle__ldlt_subtract(saddle__ldlt_lane_of(f->F), f->rows - begin, end - begin, f->columns,
                              A, B, f->ld, pivot, f->U[side] + begin + begin * f->rows, f->rows);
    }
}

/* ---- few rows: assembled in an array on the stack, eliminated by the kernels, L and the update
 * written once ---- */

/* Room for a whole front and for reads beyond the end; not a multiple of 4096 bytes, a distance at
 * which processors confuse recent stores. */
enum { ROOM = SADDLE__SMALL_ROWS * SADDLE__SMALL_ROWS + 256 };

/* W <- the children's updates and A's entries. */
static void assemble_small(const saddle__ldlt *F, int64_t s, int side, const double *value,
                           const saddle__small_front *f)
{
    double *W = f->W[side];
    for (int64_t t = 0; t < (f->columns + f->rows) * f->height; t++) W[t] = 0.0;
    for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c]) {
        leaving l = leaving_of(F, side, c);
        for (int64_t j = 0; j < l.rows; j++) {
            double *column = W + l.place[j] * f->height;
            for (int64_t t = j; t < l.rows; t++) column[l.place[t]] += l.U[t];
            l.U += l.rows;
        }
    }
    add_entries(F, s, side, value, W);
}

static int factor_in_registers(const front *f, const double *value)
{
    saddle__ldlt *F = f->F;
    alignas(SADDLE__LINE) double W[2][ROOM];
    alignas(SADDLE__LINE) double L[2][ROOM];
    saddle__small_front small = {.columns = f->columns,
                                 .rows = f->rows,
                                 .height = saddle__small_height(f->ld),
                                 .sides = F->sides,
                                 .W = {W[0], W[1]},
                                 .L = {L[0], L[1]}};
    for (int side = 0; side < F->sides; side++) assemble_small(F, f->s, side, value, &small);
    if (F->small->eliminate(&saddle__ldlt_lane_of(f->F)->pivoting, F->first[f->s], &small) >= 0)
        return 0;
    for (int side = 0; side < F->sides; side++) {
        for (int64_t j = 0; j < f->columns; j++) { /* P <- L, zero on the diagonal and above */
            double *column = f->P[side] + j * f->ld;
            for (int64_t t = 0; t <= j; t++) column[t] = 0.0;
            for (int64_t t = j + 1; t < f->ld; t++) column[t] = L[side][t + j * small.height];
        }
        if (f->rows > 0) F->small->update(&small, side, f->U[side]);
    }
    return 1;
}

/* ---- one supernode ---- */

/* A supernode of one tile. */
static int factor_small(const front *f, const double *value)
{
    int64_t position = f->F->first[f->s];
    assemble_columns(f, 0, f->columns, 0, 1);
    for (int side = 0; side < f->F->sides; side++) add_entries(f->F, f->s, side, value, f->P[side]);
    if (saddle__ldlt_eliminate(saddle__ldlt_lane_of(f->F), position, f->ld, f->columns, f->P[0],
                               f->P[1], f->ld) >= 0)
        return 0;
    if (f->rows > 0) update_columns(f, 0, f->rows, 0, 1);
    return 1;
}

/* Assembles supernode s, whose children are done, eliminates its columns and forms the update.
 * shared: other threads of the parallel region help with large fronts.  0: ended, or a pivot
 * failed, reported in F->lane of this thread. */
static int factor_supernode(run *r, int64_t s, int shared)
{
    saddle__ldlt *F = r->F;
    const int64_t columns = F->first[s + 1] - F->first[s];
    const int64_t rows = F->row_start[s + 1] - F->row_start[s];
    front f = {.r = r,
               .F = F,
               .s = s,
               .columns = columns,
               .rows = rows,
               .ld = columns + rows,
               .P = {F->value + F->value_start[s], F->upper + F->value_start[s]},
               .U = {F->update + F->update_start[s], F->upper_update + F->update_start[s]},
               .shared = shared};
    if (f.ld <= SADDLE__SMALL_ROWS) return factor_in_registers(&f, r->value);
    if (f.ld <= TILE) return factor_small(&f, r->value);
    if (!for_tiles(&f, 0, f.columns, 1, assemble_columns)) return 0;
    for (int side = 0; side < F->sides; side++) add_entries(F, s, side, r->value, f.P[side]);
    if (!eliminate(&f, 0, f.columns)) return 0;
    return f.rows == 0 || for_tiles(&f, 0, f.rows, 1, update_columns);
}

/* ---- all supernodes ---- */

static void note_failure(run *r, int64_t position)
{
    int64_t seen = atomic_load(&r->failed_at);
    while (position < seen && !atomic_compare_exchange_weak(&r->failed_at, &seen, position))
        continue;
}

static void do_supernode(run *r, int64_t s, int shared)
{
    saddle__ldlt *F = r->F;
    if (F->first[s] >= atomic_load_explicit(&r->failed_at, memory_order_relaxed)) return;
    /* small supernodes ask once in TILE; large ones ask between their tiles */
    if (s % TILE == TILE - 1 && !ask(r, s)) return;
    saddle__pivot_state *p = &saddle__ldlt_lane_of(F)->pivoting;
    if (!factor_supernode(r, s, shared)) note_failure(r, p->failed_at);
}

/* Isolated supernodes begin .. end - 1: their diagonal entries are their pivots. */
static void do_isolated(run *r, int64_t begin, int64_t end)
{
    if (begin >= atomic_load_explicit(&r->failed_at, memory_order_relaxed)) return;
    saddle__ldlt *F = r->F;
    saddle__pivot_state *p = &saddle__ldlt_lane_of(F)->pivoting;
    for (int64_t s = begin; s < end; s++) {
        double d = 0.0;
        for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++)
            d += r->value[F->entry_source[t]];
        if (saddle__ldlt_pivot(p, s, d)) continue;
        note_failure(r, p->failed_at);
        return;
    }
}

static void do_job(void *user, int64_t j)
{
    run *r = user;
    const saddle__ldlt *F = r->F;
    const saddle__ldlt_job *job = &F->job[j];
    int64_t isolated = job->end < F->isolated ? job->end : F->isolated;
    int64_t begin = job->begin > isolated ? job->begin : isolated;
    if (job->begin < isolated) do_isolated(r, job->begin, isolated);
    for (int64_t s = begin; s < job->end; s++) do_supernode(r, s, 0);
    for (int64_t s = job->parent; s >= 0; s = F->parent[s]) {
        if (atomic_fetch_sub_explicit(&F->pending[s], 1, memory_order_acq_rel) > 1) return;
        do_supernode(r, s, 1);
    }
}

static void do_jobs(run *r, const saddle__pivot_rule *rule)
{
    saddle__ldlt *F = r->F;
    const saddle__pivot_state fresh = {.rule = rule,
                                       .order = F->order,
                                       .pivot = F->pivot,
                                       .inverse = F->inverse,
                                       .first_perturbed = INT64_MAX,
                                       .least = INFINITY,
                                       .failed_at = INT64_MAX};
    for (int64_t t = 0; t < F->threads; t++) F->lane[t].pivoting = fresh;
    if (F->threads == 1) {
        do_job(r, 0);
        return;
    }
    for (int64_t s = 0; s < F->supernodes; s++)
        atomic_store_explicit(&F->pending[s], F->below[s], memory_order_relaxed);
    saddle__tasks_run(F->threads, F->jobs, do_job, r);
}

/* ---- counts ---- */

/* Whether a replaced or regularized pivot d belongs to a null vector: its column of L leaves no
 * update, L_i^2 |d| <= smallest s_i. */
static int leaves_nothing(const saddle__ldlt *F, const saddle__pivot_rule *rule, int64_t position)
{
    int64_t s = F->supernode[position];
    int64_t columns = F->first[s + 1] - F->first[s];
    int64_t ld = columns + F->row_start[s + 1] - F->row_start[s];
    int64_t j = position - F->first[s];
    const double *column = F->value + F->value_start[s] + j * ld;
    const int32_t *row = F->row + F->row_start[s];
    double d = fabs(F->pivot[position]);
    for (int64_t t = j + 1; t < ld; t++) {
        int64_t i = F->order[t < columns ? F->first[s] + t : row[t - columns]];
        double scale = rule->scale ? rule->scale[i] : 1.0;
        if (!(column[t] * column[t] * d <= rule->smallest * scale)) return 0;
    }
    return 1;
}

/* The pivot of a row equal to others is a small multiple of the regularization added to them. */
static const double made_at_most = 4.0;

/* Whether pivot d of unknown i is its replacement or regularization only. */
static int is_made(const saddle__pivot_rule *rule, int64_t i, double d)
{
    double scale = rule->scale ? rule->scale[i] : 1.0;
    double added = rule->added ? fabs(rule->added[i]) : 0.0;
    return d != 0.0 && (fabs(d) == rule->replacement * scale || fabs(d) <= made_at_most * added);
}

/* Replaced pivots whose columns of L leave no update are null vectors of A, not eigenvalues of
 * either sign: counted in inertia->zero instead. */
static void count_null(const saddle__ldlt *F, const saddle__pivot_rule *rule,
                       saddle__factor_counts *counts)
{
    saddle_inertia *inertia = &counts->inertia;
    for (int64_t k = 0; k < F->n; k++) {
        double d = F->pivot[k];
        if (!is_made(rule, F->order[k], d) || !leaves_nothing(F, rule, k)) continue;
        if (inertia->zero++ == 0) counts->first_zero = F->order[k];
        if (d > 0.0)
            inertia->positive--;
        else
            inertia->negative--;
    }
}

/* The pivots of all lanes. */
static saddle_status count_pivots(const saddle__ldlt *F, const saddle__pivot_rule *rule,
                                  saddle__factor_counts *counts)
{
    saddle__pivot_state all = F->lane[0].pivoting;
    for (int64_t t = 1; t < F->threads; t++) {
        const saddle__pivot_state *p = &F->lane[t].pivoting;
        all.positive += p->positive;
        all.zero += p->zero;
        all.perturbed += p->perturbed;
        if (p->first_perturbed < all.first_perturbed) all.first_perturbed = p->first_perturbed;
        if (p->least < all.least) all.least = p->least;
        if (p->most > all.most) all.most = p->most;
        if (p->failed_at >= all.failed_at) continue;
        all.failed_at = p->failed_at;
        all.failed = p->failed;
    }
    if (all.failed_at < F->n)
        return saddle__pivot_failed(F->context, F->order[all.failed_at], all.failed, counts);
    counts->perturbed_pivots = all.perturbed;
    if (all.perturbed > 0) counts->first_perturbed = F->order[all.first_perturbed];
    counts->inertia.positive = all.positive;
    counts->inertia.zero = all.zero;
    counts->inertia.negative = F->n - all.positive - all.zero;
    counts->first_zero = -1;
    if (all.perturbed > 0 || rule->added) count_null(F, rule, counts);
    if (all.most > 0.0) counts->least_pivot = rule->scale ? all.least : all.least / all.most;
    return SADDLE_OK;
}

/* ---- all ---- */

saddle_status saddle__ldlt_factor(saddle__ldlt *F, const saddle_matrix *A,
                                  const saddle__pivot_rule *rule, saddle__factor_counts *counts)
{
    int64_t peak = counts->peak_bytes > F->size.bytes ? counts->peak_bytes : F->size.bytes;
    *counts = (saddle__factor_counts){.inertia = {.known = F->sides == 1},
                                      .first_perturbed = -1,
                                      .failed_column = -1,
                                      .peak_bytes = peak,
                                      .entries = F->size.entries,
                                      .flops = F->size.flops,
                                      .least_pivot = 1.0};
    if (F->n == 0) return SADDLE_OK;
    run r = {.F = F, .value = A->value, .failed_at = F->n};
    saddle__blas_begin();
    do_jobs(&r, rule);
    saddle__blas_end();
    if (r.ended) return saddle__phase_ended(F->context, (saddle_status)r.ended, "factor");
    return count_pivots(F, rule, counts);
}

/* ---- the diagonal of |L||D||L'| ---- */

void saddle__ldlt_add_squares(const saddle__ldlt *F, double *sum)
{
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t first = F->first[s];
        int64_t columns = F->first[s + 1] - first;
        int64_t rows = F->row_start[s + 1] - F->row_start[s];
        const int32_t *row = F->row + F->row_start[s];
        for (int64_t j = 0; j < columns; j++) {
            const double *L = F->value + F->value_start[s] + j * (columns + rows);
            double d = fabs(F->pivot[first + j]);
            sum[F->order[first + j]] += d;
            for (int64_t t = j + 1; t < columns; t++) sum[F->order[first + t]] += L[t] * L[t] * d;
            for (int64_t t = 0; t < rows; t++)
                sum[F->order[row[t]]] += L[columns + t] * L[columns + t] * d;
        }
    }
}
