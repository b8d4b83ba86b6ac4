/* SPDX-License-Identifier: MIT */
/* Rows that are zero, or multiples of an earlier row, found by sorting: each row of length 1 gets
 * the number |sum_c w_c B_c|, with fixed weights w_c, so that parallel rows stand side by side, and
 * only neighbours need comparing. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "rank/rank_internal.h"

enum { COMPARED = 8 }; /* rows of one number and not parallel: rarely more than one */

/* Entries of parallel rows, each rounded a few times. */
static const double rounding = 32.0 * DBL_EPSILON;

typedef struct candidate {
    double number;
    int64_t row;
} candidate;

/* The bits of splitmix64 (Steele, Lea and Flood, OOPSLA 2014), as a weight in [1, 2). */
static double weight(int64_t c)
{
    uint64_t z = (uint64_t)c * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return 1.0 + ldexp((double)(z >> 11), -53);
}

static double number_of(const saddle_matrix *Bt, int64_t k)
{
    double sum = 0.0;
    double square = 0.0;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        sum += weight(Bt->index[p]) * Bt->value[p];
        square += Bt->value[p] * Bt->value[p];
    }
    return fabs(sum) / sqrt(square);
}

static int by_number(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Whether B_k = factor B_i to rounding. */
static int is_multiple(const saddle_matrix *Bt, int64_t k, int64_t i, double *factor)
{
    int64_t count = Bt->start[k + 1] - Bt->start[k];
    if (Bt->start[i + 1] - Bt->start[i] != count) return 0;
    const int64_t *kc = Bt->index + Bt->start[k];
    const int64_t *ic = Bt->index + Bt->start[i];
    const double *kv = Bt->value + Bt->start[k];
    const double *iv = Bt->value + Bt->start[i];
    int64_t most = 0;
    for (int64_t p = 0; p < count; p++) {
        if (kc[p] != ic[p]) return 0;
        if (fabs(iv[p]) > fabs(iv[most])) most = p;
    }
    *factor = kv[most] / iv[most];
    double allowed = rounding * fabs(kv[most]);
    for (int64_t p = 0; p < count; p++)
        if (!(fabs(kv[p] - *factor * iv[p]) <= allowed)) return 0;
    return 1;
}

/* Rows of about one number, by ascending row. */
static saddle_status compare(saddle__scaled *s, const candidate *run, int64_t count, double *x,
                             saddle__relations *relations)
{
    int64_t distinct[COMPARED];
    int64_t distinct_count = 0;
    saddle_status status = SADDLE_OK;
    for (int64_t t = 0; t < count && status == SADDLE_OK; t++) {
        int64_t k = run[t].row;
        double factor;
        int64_t d = 0;
        while (d < distinct_count && !is_multiple(&s->Bt, k, distinct[d], &factor)) d++;
        if (d < distinct_count) {
            s->state[k] = SADDLE__ROW_PARALLEL;
            double residual = saddle__relation_residual(&s->Bt, k, 1, &distinct[d], &factor, x);
            status = saddle__relations_add(relations, k, 1, &distinct[d], &factor, residual);
        } else if (distinct_count < COMPARED) {
            distinct[distinct_count++] = k;
        }
    }
    return status;
}

static saddle_status compare_runs(saddle__scaled *s, candidate *list, int64_t count, double *x,
                                  saddle__relations *relations)
{
    saddle_status status = SADDLE_OK;
    int64_t first = 0;
    while (first < count && status == SADDLE_OK) {
        int64_t end = first + 1;
        while (end < count && list[end].number - list[end - 1].number <= 4.0 * rounding) end++;
        qsort(list + first, (size_t)(end - first), sizeof(*list), by_row);
        status = compare(s, list + first, end - first, x, relations);
        first = end;
    }
    return status;
}

saddle_status saddle__rank_parallel(saddle__scaled *s, saddle__relations *relations)
{
    candidate *list = saddle_allocate(s->context, s->count, sizeof(*list));
    double *x = saddle_allocate(s->context, s->Bt.rows, sizeof(*x));
    saddle_status status = list && x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    int64_t count = 0;
    for (int64_t k = 0; k < s->count && status == SADDLE_OK; k++) {
        if (s->state[k] != SADDLE__ROW_OPEN) continue;
        if (s->Bt.start[k] == s->Bt.start[k + 1]) {
            s->state[k] = SADDLE__ROW_PARALLEL;
            status = saddle__relations_add(relations, k, 0, NULL, NULL, 0.0);
        } else {
            candidate c = {.number = number_of(&s->Bt, k), .row = k};
            list[count++] = c;
        }
    }
    if (count > 1) qsort(list, (size_t)count, sizeof(*list), by_number);
    if (status == SADDLE_OK) status = compare_runs(s, list, count, x, relations);
    saddle_release(s->context, list);
    saddle_release(s->context, x);
    return status;
}
