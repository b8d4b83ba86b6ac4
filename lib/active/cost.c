/* SPDX-License-Identifier: MIT */
/* The model of cost: which way of changing rows is quickest, from the pattern alone, so that the same calls always go the same
 * way.  Times of the parts:
 *
 *     T_F    factor K       sum over supernodes, as in ldlt/partition.c
 *     T_c    a column       one pass over the part of L that the row reaches, and a product with every column there is
 *     T_m    modify         that pass, and from the row's supernode to the root L read and written
 *     r      rent           what a row in the border costs each solve: its column read twice
 *
 * A border pays its rent until it is dissolved, by factoring K.  If every change brings a row to it and q solves follow, the
 * best number of rows to dissolve it at and the price of a change are
 *
 *     k* = (2 T_F / (q r))^1/2,     T_c + T_F / k + q r k / 2   at k = min(k*, capacity)
 *
 * to be compared with T_m (times the rows in the border as well: they would have to move into the factor) and T_F for the
 * whole call.  A row whose column is still there costs nothing. */
#include <math.h>

#include "active/active_internal.h"

/* in nanoseconds of a core of 2020; only the ratios matter */
static const double time_of_front = 50.0;
static const double time_of_flop = 1.0 / 45.0;
static const double time_of_small_flop = 0.1;
static const double most_of_small = 3000.0;
static const double time_of_update = 1.2; /* per entry of an update                            */
static const double time_of_entry = 0.5;  /* of L, read                                        */
static const double time_of_change = 1.2; /* of L, read and written                            */
static const double time_of_visit = 30.0; /* of a supernode on the way                         */
static const double time_of_value = 0.5;  /* of K or Y, read                                   */

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
    if (!A->cost.climb) return SADDLE_OUT_OF_MEMORY;
    A->cost.factor = time_of_value * (double)saddle_matrix_entries(&A->kkt.K);
    for (int64_t s = F->supernodes - 1; s >= 0; s--) {
        double pass = time_of_visit + time_of_entry * entries_of(F, s);
        A->cost.factor += time_to_factor(F, s);
        A->cost.climb[s] = pass + (F->parent[s] >= 0 ? A->cost.climb[F->parent[s]] : 0.0);
    }
    return SADDLE_OK;
}

typedef struct price {
    double pass;   /* over what a row reaches       */
    double climb;  /* from the row to the root      */
    double values; /* of its column                 */
} price;

static price price_of(saddle__active_rows *A, int64_t row)
{
    const saddle__ldlt *F = A->F;
    price p = {.climb = A->cost.climb[F->supernode[F->position[A->n + row]]]};
    saddle__active_walk(A, row, 0);
    for (int64_t t = 0; t < A->reach_count; t++) {
        int64_t s = A->reach[t];
        p.pass += time_of_visit + time_of_entry * entries_of(F, s);
        p.values += (double)(F->first[s + 1] - F->first[s]);
    }
    return p;
}

/* Solves with K expected before the next change. */
static double expected_solves(const saddle__active_rows *A, double solves)
{
    const saddle__active_counts *c = &A->counts;
    if (!(solves > 0.0)) solves = A->asked > 0 ? (double)A->solved / (double)A->asked : 1.0;
    return solves * (1.0 + (A->solved > 0 ? (double)c->corrections / (double)A->solved : 0.0));
}

saddle__active_method saddle__active_pick(saddle__active_rows *A, int64_t count, const saddle__active_change *changes,
                                          double solves)
{
    const saddle__border *b = &A->border;
    double q = expected_solves(A, solves);
    double border = 0.0;
    double modify = 0.0;
    double rent = 0.0;
    double fresh = 0.0; /* rows without a column */
    double larger = 0.0;
    for (int64_t k = 0; k < count; k++) {
        int64_t row = changes[k].row;
        if (A->in[row] == (changes[k].in != 0)) continue;
        int there = b->slot[row] >= 0 && b->place[b->slot[row]] >= 0;
        larger += there ? -1.0 : 1.0;
        price p = price_of(A, row);
        modify += p.pass + p.climb * time_of_change / time_of_entry;
        rent += 2.0 * p.values * time_of_value;
        if (b->slot[row] >= 0) continue;
        fresh += 1.0;
        border += p.pass + time_of_value * p.values * (double)b->count;
    }
    double total = (double)b->count + larger;
    double mean = rent / (double)(count > 0 ? count : 1);
    double most = fmin(fmax(1.0, sqrt(2.0 * A->cost.factor / (q * mean))), (double)b->capacity);
    border += fresh * (A->cost.factor / most + 0.5 * q * mean * most);
    modify *= 1.0 + (double)b->count / (double)(count > 0 ? count : 1);
    if (total > most && larger > 0.0) border = (double)INFINITY;
    if (border <= modify && border <= A->cost.factor) return SADDLE__ACTIVE_BORDER;
    return modify <= A->cost.factor ? SADDLE__ACTIVE_MODIFY : SADDLE__ACTIVE_MASK;
}
