/* SPDX-License-Identifier: MIT */
/* The numeric factorization: supernode after supernode, children first; jobs side by side where
 * there are several threads (plan.c).
 *
 * Who finishes the last of what is below a supernode above the cut goes on with that one, so that
 * nobody waits for a child.  The pivots are counted by each thread; the sums do not depend on who
 * counted what.
 *
 * A factorization of what little has changed does the supernodes on the ways from there to the
 * roots, in the same order: their children that stay have left their updates where they were.
 * Pivots are counted by supernode then.
 */
#include <math.h>
#include <string.h>

#include "base/process.h"
#include "ldlt/ldlt_internal.h"
#include "ldlt/tasks.h"

/* A factorization under way. */
typedef struct run {
    saddle__ldlt *F;
    const double *value;
    _Atomic int64_t failed_at; /* the least position of a pivot that failed, n = none: what comes
                                  later is left alone */
} run;

static void count_nothing(saddle__pivoting *p)
{
    p->positive = 0;
    p->least = INFINITY;
    p->most = 0.0;
}

/* Counts the pivots of s by themselves: before, and after. */
static void begin_tally(const saddle__ldlt *F, saddle__pivoting *p)
{
    if (F->tally) count_nothing(p);
}

static void end_tally(saddle__ldlt *F, int64_t s, const saddle__pivoting *p)
{
    saddle__ldlt_tally tally = {.positive = p->positive, .least = p->least, .most = p->most};
    if (F->tally) F->tally[s] = tally;
}

static void sum_tallies(const saddle__ldlt *F, saddle__pivoting *all)
{
    count_nothing(all);
    for (int64_t s = 0; s < F->supernodes; s++) {
        const saddle__ldlt_tally *of = &F->tally[s];
        all->positive += of->positive;
        if (of->least < all->least) all->least = of->least;
        if (of->most > all->most) all->most = of->most;
    }
}

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
    saddle__pivoting *p = &saddle__ldlt_lane_of(F)->pivoting;
    begin_tally(F, p);
    if (!saddle__ldlt_front(F, s, r->value, shared)) note_failure(r, p->failed_at);
    end_tally(F, s, p);
}

/* Supernodes begin .. end - 1 of those that are loose. */
static void do_loose(run *r, int64_t begin, int64_t end)
{
    if (begin >= end || begin >= atomic_load_explicit(&r->failed_at, memory_order_relaxed)) return;
    saddle__ldlt *F = r->F;
    saddle__pivoting *p = &saddle__ldlt_lane_of(F)->pivoting;
    int64_t each = F->tally ? 1 : end - begin;
    for (int64_t s = begin; s < end; s += each) {
        begin_tally(F, p);
        if (!saddle__ldlt_loose(F, s, s + each, r->value, p)) {
            note_failure(r, p->failed_at);
            return;
        }
        end_tally(F, s, p);
    }
}

static void do_job(void *user, int64_t j)
{
    run *r = user;
    const saddle__ldlt *F = r->F;
    const saddle__ldlt_job *job = &F->job[j];
    int64_t loose = job->end < F->loose ? job->end : F->loose;
    int64_t begin = job->begin > loose ? job->begin : loose;
    do_loose(r, job->begin, loose);
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

/* ---- again ---- */

void saddle__ldlt_touch(saddle__ldlt *F, int64_t node)
{
    int64_t s = F->touched ? F->supernode[F->position[node]] : -1;
    for (; s >= 0 && !F->touched[s]; s = F->parent[s]) F->touched[s] = 1;
}

static void do_touched(void *user, int64_t unused)
{
    run *r = user;
    const saddle__ldlt *F = r->F;
    (void)unused;
    for (int64_t s = 0; s < F->supernodes; s++) {
        if (!F->touched[s]) continue;
        if (s < F->loose)
            do_loose(r, s, s + 1);
        else
            do_supernode(r, s, 0);
    }
}

static void do_again(run *r)
{
    if (r->F->threads == 1)
        do_touched(r, 0);
    else
        saddle__tasks_run(1, 1, do_touched, r); /* whatever team the caller's thread is of, it is
                                                   the first one here */
}

static void forget_touched(saddle__ldlt *F)
{
    if (F->touched) memset(F->touched, 0, (size_t)F->supernodes * sizeof(*F->touched));
}

/* ---- pivots ---- */

static void open_lanes(saddle__ldlt *F, const saddle__pivot_rule *rule)
{
    saddle__pivoting fresh = {.rule = rule,
                              .order = F->order,
                              .pivot = F->pivot,
                              .inverse = F->inverse,
                              .first_perturbed = INT64_MAX,
                              .least = INFINITY,
                              .failed_at = INT64_MAX};
    for (int64_t t = 0; t < F->threads; t++) F->lane[t].pivoting = fresh;
}

static saddle__pivoting join_lanes(const saddle__ldlt *F)
{
    saddle__pivoting all = F->lane[0].pivoting;
    for (int64_t t = 1; t < F->threads; t++) {
        const saddle__pivoting *p = &F->lane[t].pivoting;
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

static void count_pivots(const saddle__ldlt *F, const saddle__pivoting *p,
                         saddle__factor_counts *counts)
{
    counts->perturbed_pivots = p->perturbed;
    if (p->perturbed > 0) counts->first_perturbed = F->order[p->first_perturbed];
    counts->inertia.positive = p->positive;
    counts->inertia.zero = p->zero;
    counts->inertia.negative = F->n - p->positive - p->zero;
    counts->first_zero = -1;
    if (p->perturbed > 0 || p->rule->added) saddle__ldlt_count_null(F, p->rule, counts);
    if (p->most > 0.0) counts->least_pivot = p->rule->scale ? p->least : p->least / p->most;
}

/* ---- all of them ---- */

static saddle_status singular(saddle__ldlt *F, int64_t position, double d,
                              saddle__factor_counts *counts)
{
    int64_t i = F->order[position];
    counts->failed_column = i;
    return saddle_fail(F->context, SADDLE_SINGULAR, "the pivot of column %lld %s (%g)",
                       (long long)i + 1, isfinite(d) ? "vanished" : "overflowed", d);
}

static saddle_status factor(saddle__ldlt *F, const saddle_matrix *A, const saddle__pivot_rule *rule,
                            int again, saddle__factor_counts *counts)
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
    if (again)
        do_again(&r);
    else
        do_jobs(&r);
    saddle__blas_end();
    forget_touched(F);
    F->regular = 0;
    saddle__pivoting all = join_lanes(F);
    if (all.failed_at < F->n) return singular(F, all.failed_at, all.failed, counts);
    if (F->tally) sum_tallies(F, &all);
    count_pivots(F, &all, counts);
    F->regular = all.perturbed == 0 && all.zero == 0;
    return SADDLE_OK;
}

saddle_status saddle__ldlt_factor(saddle__ldlt *F, const saddle_matrix *A,
                                  const saddle__pivot_rule *rule, saddle__factor_counts *counts)
{
    return factor(F, A, rule, 0, counts);
}

saddle_status saddle__ldlt_factor_again(saddle__ldlt *F, const saddle_matrix *A,
                                        const saddle__pivot_rule *rule,
                                        saddle__factor_counts *counts)
{
    return factor(F, A, rule, F->touched && F->regular, counts);
}
