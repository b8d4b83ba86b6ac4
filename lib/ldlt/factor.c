/* SPDX-License-Identifier: MIT */
/* The numeric factorization: supernode after supernode, children first. */
#include <math.h>
#include <string.h>

#include "ldlt/ldlt_internal.h"

enum { SMALL_UPDATE = 16, SMALL_WORK = 6000 }; /* rows, and rows^2 * columns, of an update done without BLAS */

/* A supernode at hand. */
typedef struct front {
    int64_t columns, rows; /* eliminated; below them            */
    double *P;             /* (columns + rows) x columns        */
    double *U;             /* rows x rows                       */
} front;

static front front_of(const saddle__ldlt *F, int64_t s)
{
    front f = {.columns = F->first[s + 1] - F->first[s],
               .rows = F->row_start[s + 1] - F->row_start[s],
               .P = F->value + F->value_start[s],
               .U = F->update + F->update_start[s]};
    return f;
}

/* ---- assembly --------------------------------------------------------------------------------------------------- */

static void add_entries(const saddle__ldlt *F, int64_t s, const double *value, double *P)
{
    const int64_t *source = F->entry_source;
    const int64_t *target = F->entry_target;
    for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++) P[target[t]] += value[source[t]];
}

/* to[place[t]] += from[t] for 0 <= t < count */
static inline void add_column(int64_t count, const double *restrict from, const int32_t *restrict place,
                              double *restrict to)
{
    if (count == 0) return;
    if (place[count - 1] - place[0] == count - 1) { /* side by side, place ascending */
        double *run = to + place[0];
        for (int64_t t = 0; t < count; t++) run[t] += from[t];
        return;
    }
    for (int64_t t = 0; t < count; t++) to[place[t]] += from[t];
}

/* columns of child c's update that are among the parent's columns: their number */
static int64_t columns_within(const int32_t *place, int64_t count, int64_t columns)
{
    int64_t t = 0;
    while (t < count && place[t] < columns) t++;
    return t;
}

/* What the children left for the columns of s. */
static void add_to_columns(const saddle__ldlt *F, int64_t s, const front *f)
{
    int64_t ld = f->columns + f->rows;
    for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c]) {
        const int32_t *place = F->relative + F->row_start[c];
        int64_t u = F->row_start[c + 1] - F->row_start[c];
        const double *U = F->update + F->update_start[c];
        for (int64_t j = 0; j < u && place[j] < f->columns; j++)
            add_column(u - j, U + j + j * u, place + j, f->P + place[j] * ld);
    }
}

/* What they left below, for the update of s. */
static void add_to_update(const saddle__ldlt *F, int64_t s, const front *f)
{
    for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c]) {
        const int32_t *place = F->relative + F->row_start[c];
        int64_t u = F->row_start[c + 1] - F->row_start[c];
        const double *U = F->update + F->update_start[c];
        for (int64_t j = columns_within(place, u, f->columns); j < u; j++)
            add_column(u - j, U + j + j * u, place + j, f->U + (place[j] - f->columns) * f->rows - f->columns);
    }
}

/* ---- one supernode ---------------------------------------------------------------------------------------------- */

/* A diagonal entry on its own, as bodies without joints have: nothing is assembled or left. */
static int64_t factor_single(saddle__ldlt *F, int64_t s, const double *value, saddle__pivoting *p)
{
    double d = 0.0;
    for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++) d += value[F->entry_source[t]];
    return saddle__ldlt_pivot(p, F->first[s], d) ? -1 : 0;
}

static void set_zero(double *P, int64_t count)
{
    if (count > 64)
        memset(P, 0, (size_t)count * sizeof(*P));
    else
        for (int64_t t = 0; t < count; t++) P[t] = 0.0;
}

static int64_t factor_supernode(saddle__ldlt *F, int64_t s, const double *value, saddle__pivoting *p)
{
    front f = front_of(F, s);
    int64_t ld = f.columns + f.rows;
    if (ld == 1 && F->child[s] < 0) return factor_single(F, s, value, p);
    set_zero(f.P, ld * f.columns);
    add_entries(F, s, value, f.P);
    add_to_columns(F, s, &f);
    int64_t failed = saddle__ldlt_eliminate(p, F->first[s], ld, f.columns, f.P, ld, F->work);
    if (failed >= 0 || f.rows == 0) return failed;
    const double *pivot = F->pivot + F->first[s];
    if (f.rows <= SMALL_UPDATE || f.rows * f.rows * f.columns <= SMALL_WORK)
        saddle__ldlt_update_small(f.rows, f.columns, f.P + f.columns, ld, pivot, f.U);
    else
        saddle__ldlt_update(f.rows, f.columns, f.P + f.columns, ld, pivot, 0.0, f.U, f.rows, F->work);
    add_to_update(F, s, &f);
    return -1;
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static saddle_status singular(saddle__ldlt *F, int64_t position, double d, saddle__factor_counts *counts)
{
    int64_t i = F->order[position];
    counts->failed_column = i;
    return saddle_fail(F->context, SADDLE_SINGULAR, "the pivot of column %lld %s (%g)", (long long)i + 1,
                       isfinite(d) ? "vanished" : "overflowed", d);
}

saddle_status saddle__ldlt_factor(saddle__ldlt *F, const saddle_matrix *A, const saddle__pivot_rule *rule,
                                  saddle__factor_counts *counts)
{
    int64_t peak = counts->peak_bytes > F->size.bytes ? counts->peak_bytes : F->size.bytes;
    saddle__factor_counts none = {.inertia = {.known = 1},
                                  .first_perturbed = -1,
                                  .failed_column = -1,
                                  .peak_bytes = peak,
                                  .entries = F->size.entries,
                                  .flops = F->size.flops,
                                  .least_pivot = 1.0};
    *counts = none;
    saddle__pivoting p = {
        .rule = rule, .order = F->order, .pivot = F->pivot, .inverse = F->inverse, .counts = counts, .least = INFINITY};
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t failed = factor_supernode(F, s, A->value, &p);
        if (failed >= 0) return singular(F, F->first[s] + failed, p.failed, counts);
    }
    counts->inertia.positive = p.positive;
    counts->inertia.negative = F->n - p.positive - counts->inertia.zero;
    if (p.most > 0.0) counts->least_pivot = rule->scale ? p.least : p.least / p.most;
    return SADDLE_OK;
}
