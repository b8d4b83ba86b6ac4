/* SPDX-License-Identifier: MIT */
/* The numeric factorization: supernodes in sequence, children first; with several threads, jobs
 * side by side (plan.c).  The thread that finishes the last job or child below a supernode above
 * the cut continues with the supernode, so no thread waits.  Each thread counts its pivots; the
 * sums do not depend on the distribution of the supernodes. */
#include <math.h>
#include <string.h>

#include "base/process.h"
#include "ldlt/ldlt_internal.h"
#include "ldlt/tasks.h"

/* A factorization under way. */
typedef struct run {
    saddle__ldlt *F;
    const double *value;
    _Atomic int64_t failed_at; /* least position of a failed pivot, n = no failure: later supernodes
                                  are skipped */
} run;

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
    saddle__pivot_state *p = &saddle__ldlt_lane_of(F)->pivoting;
    if (!saddle__ldlt_front(F, s, r->value, shared)) note_failure(r, p->failed_at);
}

/* Isolated supernodes begin .. end - 1. */
static void do_isolated(run *r, int64_t begin, int64_t end)
{
    if (begin >= end || begin >= atomic_load_explicit(&r->failed_at, memory_order_relaxed)) return;
    saddle__ldlt *F = r->F;
    saddle__pivot_state *p = &saddle__ldlt_lane_of(F)->pivoting;
    if (!saddle__ldlt_isolated(F, begin, end, r->value, p)) note_failure(r, p->failed_at);
}

static void do_job(void *user, int64_t j)
{
    run *r = user;
    const saddle__ldlt *F = r->F;
    const saddle__ldlt_job *job = &F->job[j];
    int64_t isolated = job->end < F->isolated ? job->end : F->isolated;
    int64_t begin = job->begin > isolated ? job->begin : isolated;
    do_isolated(r, job->begin, isolated);
    for (int64_t s = begin; s < job->end; s++) do_supernode(r, s, 0);
    for (int64_t s = job->parent; s >= 0; s = F->parent[s]) {
        if (atomic_fetch_sub_explicit(&F->pending[s], 1, memory_order_acq_rel) > 1) return;
        do_supernode(r, s, 1);
    }
}

static void do_jobs(run *r)
{
    const saddle__ldlt *F = r->F;
    if (F->threads == 1) {
        do_job(r, 0);
        return;
    }
    for (int64_t s = 0; s < F->supernodes; s++)
        atomic_store_explicit(&F->pending[s], F->below[s], memory_order_relaxed);
    saddle__tasks_run(F->threads, F->jobs, do_job, r);
}

/* ---- pivots ---- */

static void open_lanes(saddle__ldlt *F, const saddle__pivot_rule *rule)
{
    saddle__pivot_state fresh = {.rule = rule,
                                 .order = F->order,
                                 .pivot = F->pivot,
                                 .inverse = F->inverse,
                                 .first_perturbed = INT64_MAX,
                                 .least = INFINITY,
                                 .failed_at = INT64_MAX};
    for (int64_t t = 0; t < F->threads; t++) F->lane[t].pivoting = fresh;
}

static saddle__pivot_state join_lanes(const saddle__ldlt *F)
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
    return all;
}

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

static void count_pivots(const saddle__ldlt *F, const saddle__pivot_state *p,
                         saddle__factor_counts *counts)
{
    counts->perturbed_pivots = p->perturbed;
    if (p->perturbed > 0) counts->first_perturbed = F->order[p->first_perturbed];
    counts->inertia.positive = p->positive;
    counts->inertia.zero = p->zero;
    counts->inertia.negative = F->n - p->positive - p->zero;
    counts->first_zero = -1;
    if (p->perturbed > 0 || p->rule->added) count_null(F, p->rule, counts);
    if (p->most > 0.0) counts->least_pivot = p->rule->scale ? p->least : p->least / p->most;
}

/* ---- all ---- */

static saddle_status singular(saddle__ldlt *F, int64_t position, double d,
                              saddle__factor_counts *counts)
{
    int64_t i = F->order[position];
    counts->failed_column = i;
    return saddle_fail(F->context, SADDLE_SINGULAR, "the pivot of column %lld %s (%g)",
                       (long long)i + 1, isfinite(d) ? "vanished" : "overflowed", d);
}

saddle_status saddle__ldlt_factor(saddle__ldlt *F, const saddle_matrix *A,
                                  const saddle__pivot_rule *rule, saddle__factor_counts *counts)
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
    if (F->n == 0) return SADDLE_OK;
    run r = {.F = F, .value = A->value, .failed_at = F->n};
    open_lanes(F, rule);
    saddle__blas_begin();
    do_jobs(&r);
    saddle__blas_end();
    saddle__pivot_state all = join_lanes(F);
    if (all.failed_at < F->n) return singular(F, all.failed_at, all.failed, counts);
    count_pivots(F, &all, counts);
    return SADDLE_OK;
}

/* ---- pivots replaced or dropped, and failures (factor/factorization.h) ---- */

/* the pivot by the rule, 0 = failed */
static double amend(saddle__pivot_state *p, int64_t position, double d, double scale)
{
    int64_t i = p->order[position];
    const saddle__pivot_rule *rule = p->rule;
    if (d != 0.0 && fabs(d) >= rule->smallest * scale) return d;
    if (!(rule->replacement > 0.0)) return 0.0;
    p->perturbed++;
    if (position < p->first_perturbed) p->first_perturbed = position;
    int sign = rule->sign && rule->sign[i] != 0 ? rule->sign[i] : (d < 0.0 ? -1 : 1);
    double size = rule->replacement * scale;
    return sign * (size > 0.0 ? size : rule->replacement);
}

int saddle__ldlt_odd_pivot(saddle__pivot_state *p, int64_t position, double d)
{
    double scale = p->rule->scale ? p->rule->scale[p->order[position]] : 1.0;
    double kept = isfinite(d) ? amend(p, position, d, scale) : 0.0;
    if (kept == 0.0) {
        if (position < p->failed_at) {
            p->failed_at = position;
            p->failed = d;
        }
        return 0;
    }
    if (isinf(kept)) {
        p->zero++;
        p->pivot[position] = p->inverse[position] = 0.0;
        return 1;
    }
    saddle__ldlt_keep_pivot(p, position, kept, fabs(kept) / scale);
    return 1;
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
