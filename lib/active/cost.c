/* SPDX-License-Identifier: MIT */
/* The model of cost: which way of changing rows is quickest, from counts alone, not from a clock,
 * so that the same calls always go the same way.  Times of the parts:
 *
 *     T_F    factor K       sum over supernodes, as in ldlt/partition.c
 *     T_c   a column   one pass over the part of L that the row reaches, and a product with every
 *         column there is
 *     T_m    modify         that pass, and from the row's supernode to the root L read and written
 *     r      rent           what a row in the border costs each solve: its column read twice
 *
 * L is counted with the part of it that was not passed over as zero of late: rows that are out cut
 * the ways to the root short.  A border pays its rent until it is dissolved, by factoring K or by
 * putting its rows into the factor.  If every change brings a row to it and q solves follow, it is
 * best dissolved at k* rows, and the price of a change is
 *
 *     k* = (2 T_F / (q r))^1/2,     T_c + min(T_F / k, T_m) + q r k / 2   at k = min(k*, capacity)
 *
 * against T_m (times the rows in the border as well, which have to move into the factor) and T_F
 * for the whole call.  What speaks for the border is that a row whose column is there changes for
 * nothing: where a part h of the changes of late was of rows that had changed within the last
 * capacity / 2 ones, the time a column lasts on average, a new column saves T_m another h / (1 - h)
 * times. */
#include <float.h>
#include <math.h>

#include "active/active_internal.h"

/* in nanoseconds of a core of 2020; only the ratios matter */
static const double time_of_front = 50.0;
static const double time_of_flop = 1.0 / 45.0;
static const double time_of_small_flop = 0.1;
static const double most_of_small = 3000.0;
static const double time_of_update = 1.2; /* per entry of an update */
static const double time_of_entry = 0.5;  /* of L, read */
static const double time_of_change = 1.2; /* of L, read and written */
static const double time_of_visit = 30.0; /* of a supernode on the way */
static const double time_of_value = 0.5;  /* of K or Y, read */

static double entries_of(const saddle__ldlt *F, int64_t s)
{
    double k = (double)(F->first[s + 1] - F->first[s]);
    double u = (double)(F->row_start[s + 1] - F->row_start[s]);
    return 0.5 * k * (k + 1.0) + k * u;
}

static double time_to_factor(const saddle__ldlt *F, int64_t s)
{
    double k = (double)(F->first[s + 1] - F->first[s]);
    double u = (double)(F->row_start[s + 1] - F->row_start[s]);
    double flops = k * (u * u + u * (k + 1.0) + (k + 1.0) * (2.0 * k + 1.0) / 6.0);
    return time_of_front + flops * time_of_flop + fmin(flops * time_of_small_flop, most_of_small) +
           entries_of(F, s) * time_of_entry + u * u * time_of_update;
}

saddle_status saddle__active_cost_create(saddle__active_rows *A)
{
    const saddle__ldlt *F = A->F;
    A->cost.climb = saddle_allocate(A->context, F->supernodes, sizeof(*A->cost.climb));
    A->cost.changed = saddle_allocate(A->context, A->m, sizeof(*A->cost.changed));
    if (!A->cost.climb || !A->cost.changed) return SADDLE_OUT_OF_MEMORY;
    A->cost.factor = time_of_value * (double)saddle_matrix_entries(&A->kkt.K);
    for (int64_t s = F->supernodes - 1; s >= 0; s--) {
        double pass = time_of_entry * entries_of(F, s);
        A->cost.factor += time_to_factor(F, s);
        A->cost.solve += 2.0 * (time_of_visit + pass);
        A->cost.climb[s] = pass + (F->parent[s] >= 0 ? A->cost.climb[F->parent[s]] : 0.0);
    }
    return SADDLE_OK;
}

/* ---- what was met of late ---- */

static const double kept = 0.9; /* of what was counted before, at each change */

void saddle__active_remember(saddle__active_rows *A, int64_t count,
                             const saddle__active_change *changes)
{
    saddle__active_cost *c = &A->cost;
    int64_t now = A->asked + 1;
    c->touched *= kept;
    c->bound *= kept;
    for (int64_t k = 0; k < count; k++) {
        int64_t row = changes[k].row;
        int back = c->changed[row] > 0 && now - c->changed[row] <= A->border.capacity / 2;
        c->back = kept * c->back + (1.0 - kept) * back;
        c->changed[row] = now;
    }
}

static double part_touched(const saddle__active_rows *A)
{
    return A->cost.bound > 0.0 ? A->cost.touched / A->cost.bound : 1.0;
}

/* Solves with K expected before the next change. */
static double expected_solves(const saddle__active_rows *A, double solves)
{
    const saddle__active_counts *c = &A->counts;
    if (!(solves > 0.0)) solves = A->asked > 0 ? (double)A->solved / (double)A->asked : 1.0;
    return solves * (1.0 + (A->solved > 0 ? (double)c->corrections / (double)A->solved : 0.0));
}

/* ---- prices ---- */

/* Sums over the changes of a call that change anything. */
typedef struct price {
    double changes;
    double larger; /* rows that the border gains */
    double fresh;  /* rows without a column */
    double column; /* T_c of those */
    double modify; /* T_m */
    double rent;   /* r */
} price;

static void add_price(saddle__active_rows *A, int64_t row, double part, price *p)
{
    const saddle__ldlt *F = A->F;
    const saddle__border *b = &A->border;
    double pass = 0.0;
    double values = 0.0;
    saddle__active_walk(A, row, 0);
    for (int64_t t = 0; t < A->reach_count; t++) {
        int64_t s = A->reach[t];
        pass += time_of_visit + part * time_of_entry * entries_of(F, s);
        values += (double)(F->first[s + 1] - F->first[s]);
    }
    double climb = part * A->cost.climb[F->supernode[F->position[A->n + row]]];
    p->changes += 1.0;
    p->larger += b->slot[row] >= 0 && b->place[b->slot[row]] >= 0 ? -1.0 : 1.0;
    p->modify += pass + climb * time_of_change / time_of_entry;
    p->rent += 2.0 * values * time_of_value;
    if (b->slot[row] >= 0) return;
    p->fresh += 1.0;
    p->column += pass + time_of_value * (double)b->capacity * (values + (double)b->capacity);
}

saddle__active_method saddle__active_pick(saddle__active_rows *A, int64_t count,
                                          const saddle__active_change *changes, double solves)
{
    const saddle__border *b = &A->border;
    double q = expected_solves(A, solves);
    double part = part_touched(A);
    price p = {.changes = 0.0};
    for (int64_t k = 0; k < count; k++)
        if (A->in[changes[k].row] != (changes[k].in != 0)) add_price(A, changes[k].row, part, &p);
    double rent = p.rent / p.changes;
    double one = p.modify / p.changes;
    double most = fmin(fmax(1.0, sqrt(2.0 * A->cost.factor / (q * rent))), (double)b->capacity);
    double again = fmin(A->cost.back / (1.0 - A->cost.back + DBL_EPSILON), (double)b->capacity);
    double saved = fmax(1.0, p.fresh) * again * one;
    double border = p.column +
                    p.fresh * (fmin(A->cost.factor / most, one) + 0.5 * q * rent * most) - saved;
    double modify = p.modify + (double)b->count * one;
    if ((double)b->count + p.larger > most && p.larger > 0.0) border = (double)INFINITY;
    if (border <= modify && border <= A->cost.factor) return SADDLE__ACTIVE_BORDER;
    return modify <= A->cost.factor ? SADDLE__ACTIVE_MODIFY : SADDLE__ACTIVE_MASK;
}
