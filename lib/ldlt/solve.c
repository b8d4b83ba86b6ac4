/* SPDX-License-Identifier: MIT */
/* Solves with the factor: L, D, L' separately or together, for many right-hand sides at once, and
 * for sparse right-hand sides within their reach.
 *
 * Right-hand sides are stored by rows (a row of F->rhs has an unknown of all right-hand sides), so
 * that rows are gathered and scattered in runs; BLAS sees X' with X' L11'^-1 from the right. */
#include <string.h>

#include "base/process.h"
#include "dense/lapack.h"
#include "ldlt/ldlt_internal.h"

enum {
    /* columns whose unknowns stay in registers, in blocks of SADDLE__SMALL_ROWS; supernodes of no
     * more are solved without BLAS */
    NARROW = 8
};

static const double one = 1.0;
static const double minus_one = -1.0;
static const double zero = 0.0;
static const int stride = 1;

/* A supernode at hand. */
typedef struct block {
    int64_t k, u;       /* columns, rows below */
    const double *L;    /* (k + u) x k: of L, or U' */
    const int32_t *row; /* u */
    double *x;          /* k x count: its unknowns */
} block;

static block block_of(const saddle__ldlt *F, int64_t s, const double *value, int64_t count)
{
    return (block){.k = F->first[s + 1] - F->first[s],
                   .u = F->row_start[s + 1] - F->row_start[s],
                   .L = value + F->value_start[s],
                   .row = F->row + F->row_start[s],
                   .x = F->rhs + F->first[s] * count};
}

/* ---- a single right-hand side ---- */

/* Columns begin .. begin + k - 1, k known to the compiler, which keeps the unknowns in registers.
 */
static inline void forward_panel(const block *b, int64_t begin, int64_t k, double *rhs)
{
    int64_t ld = b->k + b->u;
    const double *L = b->L + begin * ld;
    double x[NARROW];
    for (int64_t j = 0; j < k; j++) x[j] = b->x[begin + j];
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = j + 1; i < k; i++) x[i] -= L[begin + i + j * ld] * x[j];
    for (int64_t j = 0; j < k; j++) b->x[begin + j] = x[j];
    for (int64_t t = begin + k; t < ld; t++) {
        double sum = 0.0;
        for (int64_t j = 0; j < k; j++) sum += L[t + j * ld] * x[j];
        double *to = t < b->k ? b->x + t : rhs + b->row[t - b->k];
        *to -= sum;
    }
}

static inline void backward_panel(const block *b, int64_t begin, int64_t k, const double *rhs)
{
    int64_t ld = b->k + b->u;
    const double *L = b->L + begin * ld;
    double x[NARROW];
    for (int64_t j = 0; j < k; j++) x[j] = b->x[begin + j];
    for (int64_t t = begin + k; t < ld; t++) {
        double y = t < b->k ? b->x[t] : rhs[b->row[t - b->k]];
        for (int64_t j = 0; j < k; j++) x[j] -= L[t + j * ld] * y;
    }
    for (int64_t j = k - 1; j >= 0; j--)
        for (int64_t i = j + 1; i < k; i++) x[j] -= L[begin + i + j * ld] * x[i];
    for (int64_t j = 0; j < k; j++) b->x[begin + j] = x[j];
}

/* work(b, begin, width, rhs) with the width, 1 to NARROW, known to the compiler */
#define WITH_WIDTH(work, b, begin, width, rhs)   \
    switch (width) {                             \
    case 1: work(b, begin, 1, rhs); break;       \
    case 2: work(b, begin, 2, rhs); break;       \
    case 3: work(b, begin, 3, rhs); break;       \
    case 4: work(b, begin, 4, rhs); break;       \
    case 5: work(b, begin, 5, rhs); break;       \
    case 6: work(b, begin, 6, rhs); break;       \
    case 7: work(b, begin, 7, rhs); break;       \
    default: work(b, begin, NARROW, rhs); break; \
    }

static void forward_one(saddle__ldlt *F, int64_t s)
{
    block b = block_of(F, s, F->value, 1);
    int64_t ld = b.k + b.u;
    if (ld <= SADDLE__SMALL_ROWS) {
        int64_t begin = 0;
        for (; begin + NARROW < b.k; begin += NARROW) forward_panel(&b, begin, NARROW, F->rhs);
        WITH_WIDTH(forward_panel, &b, begin, b.k - begin, F->rhs)
        return;
    }
    int k = (int)b.k;
    int u = (int)b.u;
    int lda = (int)ld;
    double *y = F->gathered;
    dtrsv_("L", "N", "U", &k, b.L, &lda, b.x, &stride, 1, 1, 1);
    if (b.u == 0) return;
    dgemv_("N", &u, &k, &one, b.L + b.k, &lda, b.x, &stride, &zero, y, &stride, 1);
    for (int64_t t = 0; t < b.u; t++) F->rhs[b.row[t]] -= y[t];
}

static void backward_one(saddle__ldlt *F, int64_t s)
{
    block b = block_of(F, s, F->upper, 1);
    int64_t ld = b.k + b.u;
    if (ld <= SADDLE__SMALL_ROWS) {
        int64_t begin = (b.k - 1) / NARROW * NARROW;
        WITH_WIDTH(backward_panel, &b, begin, b.k - begin, F->rhs)
        for (begin -= NARROW; begin >= 0; begin -= NARROW)
            backward_panel(&b, begin, NARROW, F->rhs);
        return;
    }
    int k = (int)b.k;
    int u = (int)b.u;
    int lda = (int)ld;
    double *y = F->gathered;
    for (int64_t t = 0; t < b.u; t++) y[t] = F->rhs[b.row[t]];
    if (b.u > 0)
        dgemv_("T", &u, &k, &minus_one, b.L + b.k, &lda, y, &stride, &one, b.x, &stride, 1);
    dtrsv_("L", "T", "U", &k, b.L, &lda, b.x, &stride, 1, 1, 1);
}

/* ---- several ---- */

/* The rows of X in b.row, packed in y, and back. */
static inline void gather_rows(const double *X, const block *b, int64_t count, double *restrict y)
{
    for (int64_t t = 0; t < b->u; t++) {
        const double *restrict from = X + b->row[t] * count;
        for (int64_t c = 0; c < count; c++) y[t * count + c] = from[c];
    }
}

static inline void scatter_rows(double *X, const block *b, int64_t count, const double *restrict y)
{
    for (int64_t t = 0; t < b->u; t++) {
        double *restrict to = X + b->row[t] * count;
        for (int64_t c = 0; c < count; c++) to[c] = y[t * count + c];
    }
}

static void forward_blas(const block *b, int64_t columns, double *y)
{
    int k = (int)b->k;
    int u = (int)b->u;
    int lda = (int)(b->k + b->u);
    int count = (int)columns;
    dtrsm_("R", "L", "T", "U", &count, &k, &one, b->L, &lda, b->x, &count, 1, 1, 1, 1);
    if (u > 0)
        dgemm_("N", "T", &count, &u, &k, &minus_one, b->x, &count, b->L + b->k, &lda, &one, y,
               &count, 1, 1);
}

static void backward_blas(const block *b, int64_t columns, const double *y)
{
    int k = (int)b->k;
    int u = (int)b->u;
    int lda = (int)(b->k + b->u);
    int count = (int)columns;
    if (u > 0)
        dgemm_("N", "N", &count, &k, &u, &minus_one, y, &count, b->L + b->k, &lda, &one, b->x,
               &count, 1, 1);
    dtrsm_("R", "L", "N", "U", &count, &k, &one, b->L, &lda, b->x, &count, 1, 1, 1, 1);
}

static saddle__small_block small_block_of(const saddle__ldlt *F, const block *b, int64_t count)
{
    return (saddle__small_block){.columns = b->k,
                                 .rows = b->u,
                                 .L = b->L,
                                 .row = b->row,
                                 .own = b->x,
                                 .X = F->rhs,
                                 .width = count};
}

static void forward_several(saddle__ldlt *F, int64_t s, int64_t count)
{
    block b = block_of(F, s, F->value, count);
    if (b.k <= NARROW) {
        saddle__small_block small = small_block_of(F, &b, count);
        F->small->forward(&small);
        return;
    }
    gather_rows(F->rhs, &b, count, F->gathered);
    forward_blas(&b, count, F->gathered);
    scatter_rows(F->rhs, &b, count, F->gathered);
}

static void backward_several(saddle__ldlt *F, int64_t s, int64_t count)
{
    block b = block_of(F, s, F->upper, count);
    if (b.k <= NARROW) {
        saddle__small_block small = small_block_of(F, &b, count);
        F->small->backward(&small);
        return;
    }
    gather_rows(F->rhs, &b, count, F->gathered);
    backward_blas(&b, count, F->gathered);
}

/* ---- all supernodes ---- */

/* Rows begin .. end - 1 of the right-hand sides times D^-1. */
static void divide(saddle__ldlt *F, int64_t begin, int64_t end, int64_t count)
{
    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < count; c++) F->rhs[i * count + c] *= F->inverse[i];
}

/* Positions before `from` are isolated and skipped. */
static void substitute(saddle__ldlt *F, int parts, int64_t from, int64_t count)
{
    const int eliminates = parts & SADDLE__LDLT_L, divides = parts & SADDLE__LDLT_D;
    if (divides) divide(F, from, eliminates ? F->first[F->isolated] : F->n, count);
    for (int64_t s = F->isolated; eliminates && s < F->supernodes; s++) {
        count == 1 ? forward_one(F, s) : forward_several(F, s, count);
        if (divides) divide(F, F->first[s], F->first[s + 1], count); /* while at hand */
    }
    if (parts & SADDLE__LDLT_TRANSPOSE)
        for (int64_t s = F->supernodes - 1; s >= F->isolated; s--)
            count == 1 ? backward_one(F, s) : backward_several(F, s, count);
}

/* x (n x count, by columns) at positions before `end` times D^-1; order: NULL = identity */
static void divide_in_place(const saddle__ldlt *F, const int64_t *order, int64_t end, int64_t count,
                            double *x, int64_t ld)
{
    for (int64_t i = 0; i < end; i++) {
        double *at = x + (order ? order[i] : i);
        for (int64_t c = 0; c < count; c++) at[c * ld] *= F->inverse[i];
    }
}

/* F->rhs (n x width) from position `first` on <- x, padded with zero columns */
static void take_in(saddle__ldlt *F, const int64_t *order, int64_t first, int64_t count,
                    int64_t width, const double *x, int64_t ld)
{
    for (int64_t i = first; i < F->n; i++) {
        const double *from = x + (order ? order[i] : i);
        double *to = F->rhs + i * width;
        for (int64_t c = 0; c < count; c++) to[c] = from[c * ld];
        for (int64_t c = count; c < width; c++) to[c] = 0.0;
    }
}

static void give_out(const saddle__ldlt *F, const int64_t *order, int64_t first, int64_t count,
                     int64_t width, double *x, int64_t ld)
{
    for (int64_t i = first; i < F->n; i++) {
        double *to = x + (order ? order[i] : i);
        const double *from = F->rhs + i * width;
        for (int64_t c = 0; c < count; c++) to[c * ld] = from[c];
    }
}

void saddle__ldlt_transpose(saddle__ldlt *F)
{
    double *value = F->value;
    F->value = F->upper;
    F->upper = value;
}

void saddle__ldlt_solve(saddle__ldlt *F, int parts, int64_t count, double *x, int64_t ld)
{
    const int64_t *in = parts & SADDLE__LDLT_IN ? F->order : NULL;
    const int64_t *out = parts & SADDLE__LDLT_OUT ? F->order : NULL;
    if (F->n == 0) return;
    int64_t from = in == out ? F->first[F->isolated] : 0; /* isolated positions need no copy */
    saddle__blas_begin();
    for (int64_t begin = 0; begin < count; begin += SADDLE__FACTOR_BLOCK) {
        int64_t columns = count - begin < SADDLE__FACTOR_BLOCK ? count - begin
                                                               : SADDLE__FACTOR_BLOCK;
        int64_t width = columns == 1 ? 1 : saddle__small_height(columns);
        if (from > 0 && parts & SADDLE__LDLT_D)
            divide_in_place(F, in, from, columns, x + begin * ld, ld);
        take_in(F, in, from, columns, width, x + begin * ld, ld);
        substitute(F, parts, from, width);
        give_out(F, out, from, columns, width, x + begin * ld, ld);
    }
    saddle__blas_end();
}

/* ---- sparse right-hand sides ---- */

/* F->reach[begin ..): the supernodes reached from node[from .. to - 1], each before its parent,
 * marked with F->stamp.  Returns begin. */
static int64_t find_reach(saddle__ldlt *F, int64_t from, int64_t to, const int64_t *node)
{
    int64_t begin = F->supernodes;
    F->stamp++;
    for (int64_t e = from; e < to; e++) {
        int64_t length = 0;
        for (int64_t s = F->supernode[F->position[node[e]]]; s >= 0 && F->mark[s] != F->stamp;
             s = F->parent[s]) {
            F->mark[s] = F->stamp;
            F->path[length++] = s;
        }
        while (length > 0) F->reach[--begin] = F->path[--length];
    }
    return begin;
}

/* F->rhs <- P B over the trees touched by B. */
static void load_sparse(saddle__ldlt *F, const saddle__ldlt_sparse *B, int64_t begin, int64_t width)
{
    for (int64_t t = begin; t < F->supernodes; t++) {
        int64_t root = F->reach[t];
        if (F->parent[root] >= 0) continue;
        int64_t first = F->first[F->tree[root]];
        memset(F->rhs + first * width, 0,
               (size_t)((F->first[root + 1] - first) * width) * sizeof *F->rhs);
    }
    for (int64_t c = 0; c < B->columns; c++)
        for (int64_t e = B->start[c]; e < B->start[c + 1]; e++)
            F->rhs[F->position[B->index[e]] * width + c] += B->value[e];
}

void saddle__ldlt_solve_sparse(saddle__ldlt *F, const saddle__ldlt_sparse *B, double *X)
{
    int64_t columns = B->columns;
    int64_t width = columns == 1 ? 1 : saddle__small_height(columns);
    saddle__blas_begin();
    int64_t begin = find_reach(F, B->start[0], B->start[columns], B->index);
    load_sparse(F, B, begin, width);
    for (int64_t t = begin; t < F->supernodes; t++)
        width == 1 ? forward_one(F, F->reach[t]) : forward_several(F, F->reach[t], width);
    for (int64_t t = begin; t < F->supernodes; t++) {
        int64_t root = F->reach[t];
        if (F->parent[root] >= 0) continue;
        divide(F, F->first[F->tree[root]], F->first[root + 1], width);
        for (int64_t s = root; s >= F->tree[root]; s--)
            width == 1 ? backward_one(F, s) : backward_several(F, s, width);
        for (int64_t i = F->first[F->tree[root]]; i < F->first[root + 1]; i++)
            for (int64_t c = 0; c < columns; c++)
                X[F->order[i] * columns + c] = F->rhs[i * width + c];
    }
    saddle__blas_end();
}
