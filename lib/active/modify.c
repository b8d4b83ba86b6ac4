/* SPDX-License-Identifier: MIT */
/* Rows put into the factor and taken out of it (Davis and Hager, SIAM J. Matrix Anal. Appl. 26,
 * 2005).  With p the position of row i, which while it is out has -s_i on K's diagonal and zeros
 * beside it,
 *
 *     [ K11  k12  .   ]   [ L11          ] [ D1       ] [ L11' l12  L31' ]   in:   L11 D1 l12 = k12
 *     [ k12' k22  k32']=  [ l12' 1       ] [    d22     ] [     1   l32' ]   d22 = k22 - l12'D1 l12
 *     [ .    k32  K33 ]   [ L31  l32 L33 ] [      D33 ] [   L33' ]   l32 = (k32 - L31 D1 l12) / d22
 *
 *     L33 D33 L33' <- L33 D33 L33' -+ d22 l32 l32'        - in, + out
 *
 * the last in place, column by column on the way to the root (Gill, Golub, Murray and Saunders
 * 1974, C1): with alpha w w' to be added,
 *
 *     p = w_j,  d' = d_j + alpha p^2,  beta = alpha p / d',  alpha <- alpha d_j / d',  w_r -= p
 *         l_rj,  l_rj += beta w_r
 *
 * where l12 = D1^-1 x and D1^-1 x, sqrt D33 .. are parts of one forward solve x = L^-1 k, so that
 * sigma_i = k22 - sum_j x_j^2 / d_j is known before anything is written. */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "active/active_internal.h"

/* Row i in the supernode that eliminates it. */
typedef struct pivot_row {
    int64_t row;
    int64_t position;
    int64_t s;    /* supernode */
    int64_t j;    /* column in it */
    int64_t k, u; /* its size */
    double *L;    /* its block */
} pivot_row;

static pivot_row locate(const saddle__active_rows *A, int64_t row)
{
    const saddle__ldlt *F = A->F;
    pivot_row p = {.row = row, .position = F->position[A->n + row]};
    p.s = F->supernode[p.position];
    p.j = p.position - F->first[p.s];
    p.k = F->first[p.s + 1] - F->first[p.s];
    p.u = F->row_start[p.s + 1] - F->row_start[p.s];
    p.L = F->value + F->value_start[p.s];
    return p;
}

/* ---- row p of L, left of its diagonal ---- */

/* where `position` is in the front of s, below its columns */
static int64_t place_of(const saddle__ldlt *F, int64_t s, int64_t position)
{
    int64_t low = F->row_start[s];
    int64_t high = F->row_start[s + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (F->row[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low < F->row_start[s + 1] && F->row[low] == position);
    return F->first[s + 1] - F->first[s] + low - F->row_start[s];
}

/* l12 <- D1^-1 x, over A->reach; x = 0 clears it */
static void write_left(saddle__active_rows *A, const pivot_row *p)
{
    const saddle__ldlt *F = A->F;
    for (int64_t t = 0; t < A->reach_count; t++) {
        int64_t s = A->reach[t];
        if (s > p->s) continue;
        int64_t columns = s < p->s ? F->first[s + 1] - F->first[s] : p->j;
        int64_t ld = F->first[s + 1] - F->first[s] + F->row_start[s + 1] - F->row_start[s];
        double *L = F->value + F->value_start[s] + (s < p->s ? place_of(F, s, p->position) : p->j);
        const double *x = A->x + F->first[s];
        const double *inverse = F->inverse + F->first[s];
        for (int64_t j = 0; j < columns; j++) L[j * ld] = inverse[j] * x[j];
    }
}

/* ---- the rank-1 change ---- */

/* w -= p l, l += beta w over count entries */
static inline void turn(int64_t count, double p, double beta, double *restrict l,
                        double *restrict w)
{
    for (int64_t t = 0; t < count; t++) {
        w[t] -= p * l[t];
        l[t] += beta * w[t];
    }
}

/* Columns [from, k) of supernode s; w in A->x, zero there afterwards.  alpha: in and out.  *loss:
 * grows to the largest share of a pivot that cancelled. */
static void change_supernode(saddle__active_rows *A, int64_t s, int64_t from, double *alpha,
                             double *loss)
{
    saddle__ldlt *F = A->F;
    int64_t k = F->first[s + 1] - F->first[s];
    int64_t u = F->row_start[s + 1] - F->row_start[s];
    const int32_t *row = F->row + F->row_start[s];
    double *own = A->x + F->first[s];
    double *below = A->front;
    for (int64_t t = 0; t < u; t++) below[t] = A->x[row[t]];
    for (int64_t j = from; j < k; j++) {
        double p = own[j];
        A->cost.bound += (double)(k - j + u);
        if (p == 0.0) continue;
        A->cost.touched += (double)(k - j + u);
        own[j] = 0.0;
        double *pivot = F->pivot + F->first[s] + j;
        double d = *pivot;
        double added = *alpha * p * p;
        double size = fmax(fabs(d), fabs(added));
        double changed = d + added;
        if (changed == 0.0) changed = fmax(DBL_EPSILON * size, DBL_MIN); /* a rounding of it */
        double share = size / fabs(changed);
        if (!(share < *loss)) *loss = isnan(share) ? (double)INFINITY : share;
        *pivot = changed;
        F->inverse[F->first[s] + j] = 1.0 / changed;
        double beta = *alpha * p / changed;
        *alpha *= d / changed;
        double *column = F->value + F->value_start[s] + j * (k + u);
        turn(k - j - 1, p, beta, column + j + 1, own + j + 1);
        turn(u, p, beta, column + k, below);
    }
    for (int64_t t = 0; t < u; t++) A->x[row[t]] = below[t];
}

static void change_trailing(saddle__active_rows *A, const pivot_row *p, double alpha)
{
    double loss = 1.0;
    int64_t from = p->j + 1;
    for (int64_t s = p->s; s >= 0; s = A->F->parent[s]) {
        change_supernode(A, s, from, &alpha, &loss);
        from = 0;
    }
    A->doubt += DBL_EPSILON * loss;
}

/* ---- in ---- */

/* x and column p of L to be, which is left in A->column undivided, over the columns right of p and
 * the rows below; *d22 and *sigma. */
static void foresee(saddle__active_rows *A, const pivot_row *p, double *d22, double *sigma)
{
    const saddle__ldlt *F = A->F;
    double sum = A->kkt.K.value[A->kkt.diagonal[A->n + p->row]] + A->added[A->n + p->row];
    for (int64_t t = 0; t < A->reach_count; t++) {
        int64_t s = A->reach[t];
        int64_t from = 0;
        if (s == p->s) {
            const int32_t *below = F->row + F->row_start[s];
            saddle__active_forward(A, s, 0, p->j);
            for (int64_t j = 0; j < p->j; j++)
                sum -= A->x[F->first[s] + j] * A->x[F->first[s] + j] * F->inverse[F->first[s] + j];
            *d22 = sum;
            from = p->j + 1;
            for (int64_t j = from; j < p->k; j++) A->column[j] = A->x[F->first[s] + j];
            for (int64_t i = 0; i < p->u; i++) A->column[p->k + i] = A->x[below[i]];
        }
        saddle__active_forward(A, s, from, F->first[s + 1] - F->first[s]);
        for (int64_t j = F->first[s] + from; j < F->first[s + 1]; j++)
            sum -= A->x[j] * A->x[j] * F->inverse[j];
    }
    *sigma = sum;
}

static void clear_reach(saddle__active_rows *A)
{
    const saddle__ldlt *F = A->F;
    for (int64_t t = 0; t < A->reach_count; t++)
        for (int64_t j = F->first[A->reach[t]]; j < F->first[A->reach[t] + 1]; j++) A->x[j] = 0.0;
}

static int put_in(saddle__active_rows *A, int64_t row)
{
    saddle__ldlt *F = A->F;
    pivot_row p = locate(A, row);
    double d22 = 0.0;
    double sigma;
    saddle__active_walk(A, row, 0);
    saddle__active_load(A, row);
    foresee(A, &p, &d22, &sigma);
    if (d22 == 0.0 || !saddle__active_may_come(A, row, sigma)) {
        clear_reach(A);
        return 0;
    }
    write_left(A, &p);
    clear_reach(A);
    F->pivot[p.position] = d22;
    F->inverse[p.position] = 1.0 / d22;
    const int32_t *below = F->row + F->row_start[p.s];
    double *column = p.L + p.j * (p.k + p.u);
    for (int64_t j = p.j + 1; j < p.k; j++)
        A->x[F->first[p.s] + j] = column[j] = A->column[j] / d22;
    for (int64_t i = 0; i < p.u; i++) A->x[below[i]] = column[p.k + i] = A->column[p.k + i] / d22;
    change_trailing(A, &p, -d22);
    A->base[row] = 1;
    return 1;
}

/* ---- out ---- */

static int take_out(saddle__active_rows *A, int64_t row)
{
    saddle__ldlt *F = A->F;
    if (!saddle__active_may_go(A, row)) return 0;
    pivot_row p = locate(A, row);
    saddle__active_walk(A, row, 0);
    write_left(A, &p); /* x is zero */
    const int32_t *below = F->row + F->row_start[p.s];
    double *column = p.L + p.j * (p.k + p.u);
    double d22 = F->pivot[p.position];
    for (int64_t j = p.j + 1; j < p.k; j++) A->x[F->first[p.s] + j] = column[j];
    for (int64_t i = 0; i < p.u; i++) A->x[below[i]] = column[p.k + i];
    memset(column + p.j + 1, 0, (size_t)(p.k + p.u - p.j - 1) * sizeof(*column));
    F->pivot[p.position] = -A->scale[A->n + row];
    F->inverse[p.position] = -1.0 / A->scale[A->n + row];
    change_trailing(A, &p, d22);
    A->base[row] = 0;
    return 1;
}

int saddle__active_modify(saddle__active_rows *A, int64_t row, int in)
{
    int done = in ? put_in(A, row) : take_out(A, row);
    if (!done) return 0;
    A->in[row] = (signed char)in;
    A->fresh = 0;
    saddle__border_empty(A);
    return 1;
}
