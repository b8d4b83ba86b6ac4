/* SPDX-License-Identifier: MIT */
/* Sparse triangular solves of a basis.  The pivots whose entries are not zero are taken from a set,
 * each noted when it is first met; those that turn out to be rounding go no further, so that what
 * cancels costs nothing: a tower's redundant row, say, does not visit all storeys below.  (A search
 * of the graph beforehand, as Gilbert and Peierls have it, would.) */
#include <float.h>
#include <math.h>

#include "rank/basis.h"

/* Terms of a combination that are not followed further, relative to its size. */
static const double unseen = 1e-14;

void saddle__basis_blank(saddle__basis *b)
{
    for (int64_t t = 0; t < b->touched_count; t++) b->x[b->touched[t]] = 0.0;
    b->touched_count = 0;
    b->stamp++;
}

void saddle__basis_touch(saddle__basis *b, int64_t c)
{
    if (b->mark[c] == b->stamp) return;
    b->mark[c] = b->stamp;
    b->touched[b->touched_count++] = c;
}

void saddle__basis_wipe(saddle__basis *b)
{
    saddle__basis_blank(b);
    for (int64_t t = 0; t < b->chosen_count; t++) b->u[b->chosen[t]] = 0.0;
    for (int64_t t = 0; t < b->support_count; t++) {
        b->y[b->support[t]] = 0.0;
        b->in_support[b->support[t]] = 0;
    }
    b->chosen_count = 0;
    b->support_count = 0;
}

/* ---- pivots yet to be visited: a set of bits, summed up by 64 twice ---- */

static void push(saddle__basis *b, int64_t p)
{
    uint64_t bit = UINT64_C(1) << (p & 63);
    if (b->waiting[0][p >> 6] & bit) return;
    b->waiting[0][p >> 6] |= bit;
    b->waiting[1][p >> 12] |= UINT64_C(1) << ((p >> 6) & 63);
    b->waiting[2][p >> 18] |= UINT64_C(1) << ((p >> 12) & 63);
    b->waiting_count++;
}

static void take_out(saddle__basis *b, int64_t p)
{
    b->waiting_count--;
    for (int level = 0; level < 3; level++) {
        b->waiting[level][p >> 6] &= ~(UINT64_C(1) << (p & 63));
        if (b->waiting[level][p >> 6] != 0) return;
        p >>= 6;
    }
}

/* The first of them; *from: a word of the top before which there is none, before and after. */
static int64_t pop_first(saddle__basis *b, int64_t *from)
{
    while (b->waiting[2][*from] == 0) ++*from;
    int64_t p = *from;
    for (int level = 2; level >= 0; level--) p = 64 * p + __builtin_ctzll(b->waiting[level][p]);
    take_out(b, p);
    return p;
}

/* The last of them; *from: a word of the top behind which there is none, before and after. */
static int64_t pop_last(saddle__basis *b, int64_t *from)
{
    while (b->waiting[2][*from] == 0) --*from;
    int64_t p = *from;
    for (int level = 2; level >= 0; level--)
        p = 64 * p + 63 - __builtin_clzll(b->waiting[level][p]);
    take_out(b, p);
    return p;
}

/* ---- solves ---- */

double saddle__basis_reduce(saddle__basis *b)
{
    const saddle__triangle *L = &b->L;
    double growth = 0.0;
    int64_t from = 0;
    b->chosen_count = 0;
    for (int64_t t = 0; t < b->touched_count; t++) {
        int64_t p = b->pivot_of[b->touched[t]];
        if (p >= 0) push(b, p);
    }
    while (b->waiting_count > 0) {
        int64_t p = pop_first(b, &from);
        double value = b->x[b->pivot_at[p]];
        b->x[b->pivot_at[p]] = 0.0;
        if (fabs(value) <= DBL_EPSILON * growth) continue;
        b->u[p] = value;
        b->chosen[b->chosen_count++] = p;
        growth = fmax(growth, fabs(value));
        for (int64_t q = L->start[p]; q < L->start[p + 1]; q++) {
            int64_t c = L->index[q];
            saddle__basis_touch(b, c);
            b->x[c] -= L->value[q] * value;
            if (b->pivot_of[c] >= 0) push(b, b->pivot_of[c]);
        }
        b->work += (double)(L->start[p + 1] - L->start[p]);
    }
    return growth;
}

void saddle__basis_back_substitute(saddle__basis *b, double size)
{
    const saddle__triangle *U = &b->U;
    int64_t from = b->top_words - 1;
    for (int64_t t = 0; t < b->chosen_count; t++) push(b, b->chosen[t]);
    while (b->waiting_count > 0) {
        int64_t p = pop_last(b, &from);
        double value = b->u[p];
        b->u[p] = 0.0;
        if (fabs(value) <= unseen * size) continue;
        value /= b->diagonal[p];
        b->y[p] += value;
        if (!b->in_support[p]) b->support[b->support_count++] = p;
        b->in_support[p] = 1;
        for (int64_t q = U->start[p]; q < U->start[p + 1]; q++) {
            b->u[U->index[q]] -= U->value[q] * value;
            push(b, U->index[q]);
        }
        b->work += (double)(U->start[p + 1] - U->start[p]);
    }
    b->chosen_count = 0;
}
