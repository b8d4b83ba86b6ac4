/* SPDX-License-Identifier: MIT */
/* See crash_entering.h.  What takes time is each row waiting for the one before: columns are formed
 * in registers, the worst row is found without branches, and the pivots of a symmetric W are kept
 * for all rows, so that y_p need not wait for c_p. */
#include "complementarity/crash_entering.h"

#include <string.h>

#include "base/vector.h"
#include "complementarity/block_pivoting.h"
#include "problem/problem_internal.h"

#define ALWAYS static inline __attribute__((always_inline))

enum {
    FEW = SADDLE__CRASH_SMALL,
    INDEX = 63,  /* bits that name a row */
    AT_ONCE = 8, /* pairs of rows in registers */
    NONE = -1,
    VANISHED = -2
};

static const double vanishing = 1e-12; /* of the diagonal entry: no pivot */

/* Two doubles at once, wherever they lie. */
typedef double pair
    __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef int64_t bits
    __attribute__((vector_size(2 * sizeof(int64_t)), aligned(sizeof(int64_t)), may_alias));

/* Row i breaks its law by (w_i & keep_i) ^ tag_i, which names it in its last bits; negative: not,
 * or it takes no part. */
typedef struct entering {
    int64_t size;     /* m, or m + 1: even */
    int64_t count;    /* rows that have entered */
    double least;     /* of a breach: less is rounding */
    int64_t row[FEW]; /* those that have */
    double over[FEW]; /* 1 / d */
    double y[FEW];
    double w[FEW];
    double d[FEW]; /* W_ii - sum_j c_j[i] mu_ji */
    int64_t keep[FEW], tag[FEW];
} entering;

static int64_t size_of(int64_t m)
{
    return m + m % 2;
}

int64_t saddle__crash_entering_room(int64_t m)
{
    return m <= FEW ? size_of(m) * m : 0;
}

/* ---- columns ---- */

/* Where the multipliers mu_j = u_j over_j of a column come from, and where they are kept. */
typedef struct multipliers {
    const double *u; /* with a stride of `stride` */
    int64_t stride;
    const double *over;
    double *mu;
} multipliers;

/* to <- from - C mu, `pairs` pairs of rows; odd: the last has but one. */
ALWAYS void eliminate(int pairs, int odd, int64_t size, int64_t count, const double *from,
                      const double *C, const multipliers *by, double *to)
{
    const double *u = by->u;
    const double *over = by->over;
    double *mu = by->mu;
    int64_t stride = by->stride;
    pair x[AT_ONCE];
    for (int v = 0; v + 1 < pairs; v++) x[v] = ((const pair *)from)[v];
    x[pairs - 1] = odd ? (pair){from[2 * pairs - 2], 0.0} : ((const pair *)from)[pairs - 1];
    for (int64_t j = 0; j < count; j++, C += size, u += stride) {
        double m = *u * over[j];
        pair times = {m, m};
        mu[j] = m;
        for (int v = 0; v < pairs; v++) x[v] -= ((const pair *)C)[v] * times;
    }
    for (int v = 0; v < pairs; v++) ((pair *)to)[v] = x[v];
}

/* c <- W_k - C mu */
ALWAYS void form_column(const saddle__crash *s, const entering *e, const double *from,
                        const multipliers *mu, double *c)
{
    const int64_t size = e->size;
    const int64_t count = e->count;
    const double *C = s->columns;
    int odd = (int)(s->m % 2);
    int64_t i = 0;
    for (; i + 2 * AT_ONCE < size; i += 2 * AT_ONCE)
        eliminate(AT_ONCE, 0, size, count, from + i, C + i, mu, c + i);
    switch ((size - i) / 2) {
    case 1: eliminate(1, odd, size, count, from + i, C + i, mu, c + i); break;
    case 2: eliminate(2, odd, size, count, from + i, C + i, mu, c + i); break;
    case 3: eliminate(3, odd, size, count, from + i, C + i, mu, c + i); break;
    case 4: eliminate(4, odd, size, count, from + i, C + i, mu, c + i); break;
    case 5: eliminate(5, odd, size, count, from + i, C + i, mu, c + i); break;
    case 6: eliminate(6, odd, size, count, from + i, C + i, mu, c + i); break;
    case 7: eliminate(7, odd, size, count, from + i, C + i, mu, c + i); break;
    default: eliminate(AT_ONCE, odd, size, count, from + i, C + i, mu, c + i);
    }
}

/* u (count): of the column of row k. */
static void find_upper(const saddle__crash *s, const entering *e, int64_t k, double *restrict u)
{
    for (int64_t j = 0; j < e->count; j++) u[j] = s->W[e->row[j] + k * s->m];
    for (int64_t j = 0; j < e->count; j++) {
        double mu = u[j] * e->over[j];
        const double *column = s->columns + j * e->size;
        for (int64_t i = j + 1; i < e->count; i++) u[i] -= column[e->row[i]] * mu;
    }
}

/* ---- the worst row ---- */

ALWAYS pair larger(pair a, pair b)
{
    bits first = (bits)(a > b);
    return (pair)(((bits)a & first) | ((bits)b & ~first));
}

/* w += c y, d -= c c over of the rows i and i + 1; their breaches */
ALWAYS pair push_pair(entering *e, const double *c, pair y, pair over, int symmetric, int64_t i)
{
    pair *w = (pair *)(e->w + i);
    pair at = *(const pair *)(c + i);
    *w += at * y;
    if (symmetric) *(pair *)(e->d + i) -= at * (at * over);
    return (pair)(((bits)*w & *(const bits *)(e->keep + i)) ^ *(const bits *)(e->tag + i));
}

/* w += c y; the row that then breaks its law worst, NONE: none does. */
ALWAYS int64_t push(entering *e, const double *restrict c, double times, double by, int symmetric)
{
    pair y = {times, times};
    pair over = {by, by};
    pair most = push_pair(e, c, y, over, symmetric, 0);
    pair other = most;
    int64_t i = 2;
    for (; i + 2 < e->size; i += 4) {
        other = larger(push_pair(e, c, y, over, symmetric, i), other);
        most = larger(push_pair(e, c, y, over, symmetric, i + 2), most);
    }
    if (i < e->size) other = larger(push_pair(e, c, y, over, symmetric, i), other);
    most = larger(most, other);
    double worst = saddle__larger(most[0], most[1]);
    int64_t row;
    memcpy(&row, &worst, sizeof row);
    return worst > e->least ? row & INDEX : NONE;
}

/* Row i breaks its law by -w_i at its lower bound, by w_i at its upper. */
static inline void take_part(entering *e, int64_t i, int64_t state)
{
    e->keep[i] = ~(int64_t)INDEX;
    e->tag[i] = (state == SADDLE__AT_LO ? INT64_MIN : 0) | i;
}

static inline void take_none(entering *e, int64_t i)
{
    static const double negative = -1.0;
    e->keep[i] = 0;
    memcpy(&e->tag[i], &negative, sizeof negative);
}

/* Row k enters: the worst row then, NONE, or VANISHED: its pivot. */
ALWAYS int64_t enter_as(int symmetric, saddle__crash *s, entering *e, int64_t k)
{
    int64_t p = e->count;
    double *c = s->columns + p * e->size;
    double u[FEW];
    multipliers by = {.u = s->columns + k,
                      .stride = e->size,
                      .over = e->over,
                      .mu = s->A + p * s->m};
    if (!symmetric) {
        find_upper(s, e, k, u);
        by.u = u;
        by.stride = 1;
    }
    form_column(s, e, s->W + k * s->m, &by, c);
    double d = symmetric ? e->d[k] : c[k];
    if (!(d > vanishing * s->diagonal[k])) return VANISHED;
    double y = -e->w[k] / d;
    double over = 1.0 / d;
    e->over[p] = over;
    e->y[p] = y;
    e->row[p] = k;
    take_none(e, k);
    e->count++;
    return push(e, c, y, over, symmetric);
}

static int64_t enter(saddle__crash *s, entering *e, int64_t k)
{
    return s->symmetric ? enter_as(1, s, e, k) : enter_as(0, s, e, k);
}

/* ---- from bounds to a basis ---- */

/* Row i's bound, 0 where it has none; *fits: two bounds are one. */
static inline double begin_row(saddle__crash *s, entering *e, int64_t i, double lo, double hi,
                               int *fits)
{
    int low = lo > -(double)INFINITY;
    int high = hi < (double)INFINITY;
    s->state[i] = low ? SADDLE__AT_LO : high ? SADDLE__AT_HI : SADDLE__BASIC;
    if (low != high)
        take_part(e, i, s->state[i]);
    else
        take_none(e, i);
    *fits &= !low || !high || lo == hi;
    return low ? lo : high ? hi : 0.0;
}

static int is_cold(const saddle__crash *s)
{
    int64_t i = 0;
    while (i < s->m && s->lambda[i] == 0.0) i++;
    return i == s->m;
}

/* Rows at their bounds; 0: a row has two. */
static int begin(saddle__crash *s, entering *e)
{
    const saddle_problem *p = s->problem;
    int fits = 1;
    int moved = 0;
    double most = 0.0;
    e->size = size_of(s->m);
    e->count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        s->z[i] = begin_row(s, e, i, saddle__lo(p, i), saddle__hi(p, i), &fits);
        moved |= s->z[i] != 0.0;
        e->w[i] = s->q[i];
        e->d[i] = s->W[i + i * s->m];
    }
    if (!fits) return 0;
    if (e->size > s->m) {
        e->w[s->m] = e->d[s->m] = 0.0;
        take_none(e, s->m);
    }
    for (int64_t i = 0; moved && i < s->m; i++) s->lambda[i] = s->z[i];
    if (moved) saddle__crash_add(s, s->lambda, e->w);
    for (int64_t i = 0; i < s->m; i++) most = saddle__larger(fabs(e->w[i]), most);
    e->least = fmax(saddle__crash_rounding * most, DBL_MIN);
    return 1;
}

/* Rows without bounds first, but for those that depend on others and agree with them; 0: a pivot
 * vanished. */
static int enter_all(saddle__crash *s, entering *e)
{
    static const double zeros[FEW] = {0.0};
    int64_t worst = NONE;
    for (int64_t i = 0; i < s->m; i++) {
        if (s->state[i] != SADDLE__BASIC) continue;
        int64_t then = enter(s, e, i);
        if (then == VANISHED && fabs(e->w[i]) > e->least) return 0;
        if (then != VANISHED) worst = then;
    }
    if (e->count == 0) worst = push(e, zeros, 0.0, 0.0, 0);
    while (worst >= 0) {
        s->state[worst] = SADDLE__BASIC;
        worst = enter(s, e, worst);
    }
    return worst == NONE;
}

/* lambda of the rows that have entered; how many are beyond their bounds, where they go. */
static int64_t find_impulses(saddle__crash *s, entering *e)
{
    const saddle_problem *p = s->problem;
    int64_t left = 0;
    for (int64_t l = e->count - 1; l >= 0; l--) {
        const double *mu = s->A + l * s->m;
        double z = e->y[l];
        for (int64_t j = 0; j < l; j++) e->y[j] -= mu[j] * z;
        int64_t i = e->row[l];
        int below = s->lambda[i] + z < saddle__lo(p, i);
        int above = s->lambda[i] + z > saddle__hi(p, i);
        if (below || above) s->state[i] = below ? SADDLE__AT_LO : SADDLE__AT_HI;
        if (!below && !above) s->lambda[i] += z;
        left += below || above;
    }
    return left;
}

/* Whether w = W lambda + q keeps the rows' laws to rounding, and that is plain. */
static int is_answer(saddle__crash *s)
{
    const saddle_problem *p = s->problem;
    int keeps = 1;
    s->largest = 0.0;
    for (int64_t i = 0; i < s->m; i++) {
        s->largest = saddle__larger(s->root[i] * fabs(s->lambda[i]), s->largest);
        s->w[i] = s->q[i];
    }
    saddle__crash_add(s, s->lambda, s->w);
    for (int64_t i = 0; i < s->m; i++) {
        double breach = s->state[i] == SADDLE__BASIC ? fabs(s->w[i])
                                                     : (double)s->state[i] * s->w[i];
        keeps &= breach <= saddle__crash_noise(s, i) || saddle__lo(p, i) == saddle__hi(p, i);
    }
    s->measure = saddle__crash_measure(s, p);
    return keeps && s->measure <= saddle__crash_plain;
}

saddle__entered saddle__crash_enter(saddle__crash *s)
{
    entering e;
    if (s->m == 0 || s->m > FEW || s->problem->n > 0 || s->problem->contact_count > 0 || !s->even)
        return SADDLE__NOT_ENTERED;
    if (s->demand || s->sparse || !is_cold(s) || !begin(s, &e)) return SADDLE__NOT_ENTERED;
    if (!enter_all(s, &e)) {
        for (int64_t i = 0; i < s->m; i++) s->lambda[i] = 0.0;
        return SADDLE__NOT_ENTERED;
    }
    int64_t left = find_impulses(s, &e);
    s->pivots += e.count + left;
    return left == 0 && is_answer(s) ? SADDLE__ENTERED : SADDLE__SOME_LEFT;
}
