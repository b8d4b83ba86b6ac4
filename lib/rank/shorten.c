/* SPDX-License-Identifier: MIT */
/* Shorter combinations.  With row b = sum f_k row k and, named before it, row a = sum g_k row k,
 * for any c
 *
 *     row b = c row a + sum (f_k - c g_k) row k
 *
 * is as good; c is taken where it cancels the most terms.  A local search: for each b the relations
 * a that share the most terms are tried until none of them helps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rank/rank_internal.h"

enum { TRIED = 16, WATCHED = 24, LONGEST = 4096, VALUES = 8 };

/* Ratios and differences of terms that count as equal and zero. */
static const double same = 1e-10;

/* That a relation uses a row. */
typedef struct use {
    int64_t next; /* older use of the row, -1 = none */
    int64_t user; /* the relation */
} use;

typedef struct workshop {
    saddle_context *context;
    const saddle_matrix *Bt;
    double tolerance;
    saddle__relations done; /* the relations so far, shortened */
    int64_t *first;         /* rows: its latest use by them, -1 = none */
    use *use;
    int64_t uses, capacity;
    int64_t *shared;    /* relations: terms shared with the present one */
    int64_t *candidate; /* relations */
    double *f;          /* rows: the present combination, dense */
    double *x;          /* Bt->rows */
    int64_t terms;
    int64_t *other;                        /* rows: its terms */
    int64_t *trial;                        /* rows */
    double *factor, *trial_factor, *ratio; /* rows */
} workshop;

static saddle_status begin(workshop *w, int64_t relations)
{
    saddle_context *context = w->context;
    int64_t rows = w->Bt->cols;
    w->done.context = context;
    w->first = saddle_allocate(context, rows, sizeof(*w->first));
    w->shared = saddle_allocate(context, relations, sizeof(*w->shared));
    w->candidate = saddle_allocate(context, relations, sizeof(*w->candidate));
    w->f = saddle_allocate(context, rows, sizeof(*w->f));
    w->x = saddle_allocate(context, w->Bt->rows, sizeof(*w->x));
    w->other = saddle_allocate(context, rows, sizeof(*w->other));
    w->trial = saddle_allocate(context, rows, sizeof(*w->trial));
    w->factor = saddle_allocate(context, rows, sizeof(*w->factor));
    w->trial_factor = saddle_allocate(context, rows, sizeof(*w->trial_factor));
    w->ratio = saddle_allocate(context, rows, sizeof(*w->ratio));
    for (int64_t k = 0; w->first && k < rows; k++) w->first[k] = -1;
    return w->first && w->shared && w->candidate && w->f && w->x && w->other && w->trial &&
                   w->factor && w->trial_factor && w->ratio
               ? SADDLE_OK
               : SADDLE_OUT_OF_MEMORY;
}

static void end(workshop *w)
{
    saddle_release(w->context, w->first);
    saddle_release(w->context, w->use);
    saddle_release(w->context, w->shared);
    saddle_release(w->context, w->candidate);
    saddle_release(w->context, w->f);
    saddle_release(w->context, w->x);
    saddle_release(w->context, w->other);
    saddle_release(w->context, w->trial);
    saddle_release(w->context, w->factor);
    saddle_release(w->context, w->trial_factor);
    saddle_release(w->context, w->ratio);
    saddle__relations_clear(&w->done);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The same where they are many. */
static double commonest_of_many(double *ratio, int64_t count, int64_t *times)
{
    *times = 0;
    double best = 0.0;
    qsort(ratio, (size_t)count, sizeof(*ratio), ascending);
    int64_t from = 0;
    for (int64_t t = 0; t < count; t++) {
        while (ratio[t] - ratio[from] > same * fabs(ratio[t])) from++;
        if (t - from + 1 <= *times) continue;
        *times = t - from + 1;
        best = ratio[from + (t - from) / 2];
    }
    return best;
}

/* The commonest of the ratios, and how often it comes.  Mostly there are few different ones. */
static double commonest(double *ratio, int64_t count, int64_t *times)
{
    double value[VALUES];
    int64_t seen[VALUES];
    int values = 0;
    for (int64_t t = 0; t < count; t++) {
        int v = 0;
        while (v < values && fabs(ratio[t] - value[v]) > same * fabs(ratio[t])) v++;
        if (v == VALUES) return commonest_of_many(ratio, count, times);
        if (v == values) {
            value[values] = ratio[t];
            seen[values++] = 0;
        }
        seen[v]++;
    }
    int best = 0;
    for (int v = 1; v < values; v++)
        if (seen[v] > seen[best]) best = v;
    *times = values > 0 ? seen[best] : 0;
    return values > 0 ? value[best] : 0.0;
}

static void load(workshop *w)
{
    for (int64_t k = 0; k < w->terms; k++) w->f[w->other[k]] = w->factor[k];
}

static void unload(workshop *w)
{
    for (int64_t k = 0; k < w->terms; k++) w->f[w->other[k]] = 0.0;
}

/* The present combination, in f, with c times (row a - its terms) put in, into trial; its number of
 * terms.  f is zero then. */
static int64_t put_in(workshop *w, int64_t a, double c)
{
    const saddle__relations *r = &w->done;
    int64_t terms = 0;
    for (int64_t k = r->start[a]; k < r->start[a + 1]; k++) {
        int64_t row = r->other[k];
        double change = c * r->factor[k];
        double f = w->f[row] - change;
        w->f[row] = 0.0;
        if (fabs(f) <= same * fabs(change)) continue;
        w->trial[terms] = row;
        w->trial_factor[terms++] = f;
    }
    double named = w->f[r->row[a]] + c;
    w->f[r->row[a]] = 0.0;
    if (fabs(named) > same * fabs(c)) {
        w->trial[terms] = r->row[a];
        w->trial_factor[terms++] = named;
    }
    for (int64_t k = 0; k < w->terms; k++) {
        if (w->f[w->other[k]] == 0.0) continue;
        w->trial[terms] = w->other[k];
        w->trial_factor[terms++] = w->f[w->other[k]];
        w->f[w->other[k]] = 0.0;
    }
    return terms;
}

/* Whether relation a shortens the present combination, of row b, which is in f; then it has, and f
 * is zero.  With `count` terms shared it adds those it has more, and its own row unless that is
 * there, and cancels no more than it shares. */
static int try_with(workshop *w, int64_t b, int64_t a)
{
    const saddle__relations *r = &w->done;
    int64_t length = r->start[a + 1] - r->start[a];
    if (length >= 2 * w->terms) return 0;
    int64_t count = 0;
    for (int64_t k = r->start[a]; k < r->start[a + 1]; k++) {
        double f = w->f[r->other[k]];
        if (f != 0.0) w->ratio[count++] = f / r->factor[k];
    }
    int64_t least = length - count + (w->f[r->row[a]] != 0.0 ? -1 : 1);
    if (count <= least) return 0;
    int64_t times;
    double c = commonest(w->ratio, count, &times);
    if (times < 2 || times <= least) return 0;
    int64_t terms = put_in(w, a, c);
    int shorter = terms < w->terms &&
                  saddle__relation_residual(w->Bt, b, terms, w->trial, w->trial_factor, w->x) <=
                      w->tolerance;
    if (!shorter) {
        load(w);
        return 0;
    }
    memcpy(w->other, w->trial, (size_t)terms * sizeof(*w->other));
    memcpy(w->factor, w->trial_factor, (size_t)terms * sizeof(*w->factor));
    w->terms = terms;
    return 1;
}

/* The relations that share terms with the present combination into candidate; their number. */
static int64_t meet(workshop *w)
{
    int64_t count = 0;
    for (int64_t k = 0; k < w->terms; k++) {
        int seen = 0;
        for (int64_t u = w->first[w->other[k]]; u >= 0 && seen < WATCHED;
             u = w->use[u].next, seen++)
            if (w->shared[w->use[u].user]++ == 0) w->candidate[count++] = w->use[u].user;
    }
    return count;
}

/* Those of the candidates that share most, at least two terms, into best, the first met first;
 * their number. */
static int pick(const workshop *w, int64_t count, int64_t best[TRIED])
{
    int kept = 0;
    for (int64_t t = 0; t < count; t++) {
        int64_t a = w->candidate[t];
        if (w->shared[a] < 2 || (kept == TRIED && w->shared[a] <= w->shared[best[TRIED - 1]]))
            continue;
        int place = kept < TRIED ? kept++ : TRIED - 1;
        for (; place > 0 && w->shared[best[place - 1]] < w->shared[a]; place--)
            best[place] = best[place - 1];
        best[place] = a;
    }
    return kept;
}

/* 1 when relations that share most with the present combination shortened it. */
static int shorten_once(workshop *w, int64_t b)
{
    int64_t best[TRIED];
    int64_t count = meet(w);
    int tries = pick(w, count, best);
    int shorter = 0;
    load(w);
    for (int t = 0; t < tries; t++) {
        if (!try_with(w, b, best[t])) continue;
        shorter = 1;
        load(w);
    }
    unload(w);
    for (int64_t t = 0; t < count; t++) w->shared[w->candidate[t]] = 0;
    return shorter;
}

/* The present combination joins those done. */
static saddle_status keep(workshop *w, int64_t b)
{
    if (w->uses + w->terms > w->capacity) {
        int64_t capacity = w->uses + w->terms + w->capacity / 2 + 64;
        use *grown = saddle_reallocate(w->context, w->use, capacity, sizeof(*grown));
        if (!grown) return SADDLE_OUT_OF_MEMORY;
        w->use = grown;
        w->capacity = capacity;
    }
    for (int64_t k = 0; k < w->terms; k++) {
        w->use[w->uses] = (use){.next = w->first[w->other[k]], .user = w->done.count};
        w->first[w->other[k]] = w->uses++;
    }
    double residual = saddle__relation_residual(w->Bt, b, w->terms, w->other, w->factor, w->x);
    return saddle__relations_add(&w->done, b, w->terms, w->other, w->factor, residual);
}

saddle_status saddle__rank_shorten(const saddle_matrix *Bt, double tolerance,
                                   saddle__relations *relations)
{
    workshop w = {.context = relations->context, .Bt = Bt, .tolerance = tolerance};
    saddle_status status = begin(&w, relations->count);
    for (int64_t t = 0; t < relations->count && status == SADDLE_OK; t++) {
        int64_t from = relations->start[t];
        w.terms = relations->start[t + 1] - from;
        if (w.terms > 0) {
            memcpy(w.other, relations->other + from, (size_t)w.terms * sizeof(*w.other));
            memcpy(w.factor, relations->factor + from, (size_t)w.terms * sizeof(*w.factor));
        }
        while (w.terms > 1 && w.terms <= LONGEST && shorten_once(&w, relations->row[t])) continue;
        status = keep(&w, relations->row[t]);
    }
    if (status == SADDLE_OK) {
        saddle__relations old = *relations;
        *relations = w.done;
        w.done = old;
    }
    end(&w);
    return status;
}
