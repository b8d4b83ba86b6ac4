/* SPDX-License-Identifier: MIT */
/* Small fronts in registers. */
#include "ldlt/ldlt_internal.h"

#define STEP SADDLE__SMALL_STEP

#if defined(__GNUC__)
#define ALWAYS static inline __attribute__((always_inline))
#else
#define ALWAYS static inline
#endif

/* STEP doubles, at any address */
typedef double quad
    __attribute__((vector_size(STEP * sizeof(double)), aligned(sizeof(double)), may_alias));

/* ---- elimination ---- */

/* The diagonal entry of column c after the columns before: the same bits as in eliminate_quads, but
 * without vectors on the critical path from one pivot's inverse, `over`, to the next pivot. */
ALWAYS double pivot_ahead(int64_t c, int64_t height, const double *W, const double *L, double over)
{
    double d = W[c * height + c];
    for (int64_t j = 0; j + 1 < c; j++) d -= L[j * height + c] * W[j * height + c];
    if (c == 0) return d;
    double m = W[(c - 1) * height + c];
    return d - m * over * m;
}

/* Each column is updated by the columns before.  quads: height / STEP, known to the compiler. */
ALWAYS int64_t eliminate_quads(saddle__pivot_state *p, int64_t position, int64_t columns,
                               int64_t quads, double *W, double *L)
{
    int64_t height = quads * STEP;
    double over = 0.0;
    for (int64_t c = 0; c < columns; c++) {
        double d = pivot_ahead(c, height, W, L, over);
        double *column = W + c * height;
        quad *scaled = (quad *)(L + c * height);
        quad sum[SADDLE__SMALL_ROWS / STEP];
        for (int64_t v = 0; v < quads; v++) sum[v] = ((const quad *)column)[v];
        for (int64_t j = 0; j < c; j++) {
            const quad *l = (const quad *)(L + j * height);
            double m = W[j * height + c];
            quad factor = {m, m, m, m};
            for (int64_t v = 0; v < quads; v++) sum[v] -= l[v] * factor;
        }
        for (int64_t v = 0; v < quads; v++) ((quad *)column)[v] = sum[v];
        over = d != 0.0 ? 1.0 / d : 0.0;
        if (!saddle__ldlt_pivot(p, position + c, d)) return c;
        if (d == 0.0 || p->pivot[position + c] != d)
            over = p->inverse[position + c]; /* replaced, dropped */
        quad inverse = {over, over, over, over};
        for (int64_t v = 0; v < quads; v++) scaled[v] = sum[v] * inverse;
    }
    return -1;
}

ALWAYS int64_t eliminate_any(saddle__pivot_state *p, int64_t position, int64_t columns,
                             int64_t height, double *W, double *L)
{
    switch (height / STEP) {
    case 1: return eliminate_quads(p, position, columns, 1, W, L);
    case 2: return eliminate_quads(p, position, columns, 2, W, L);
    case 3: return eliminate_quads(p, position, columns, 3, W, L);
    case 4: return eliminate_quads(p, position, columns, 4, W, L);
    case 5: return eliminate_quads(p, position, columns, 5, W, L);
    case 6: return eliminate_quads(p, position, columns, 6, W, L);
    case 7: return eliminate_quads(p, position, columns, 7, W, L);
    default: return eliminate_quads(p, position, columns, 8, W, L);
    }
}

/* ---- update ---- */

/* Columns of U in ascending order, since each is written somewhat beyond its end. */
ALWAYS void update_quads(int64_t columns, int64_t rows, int64_t height, int64_t quads,
                         const double *W, const double *L, double *U)
{
    for (int64_t c = 0; c < rows; c++) {
        const double *column = W + (columns + c) * height + columns;
        quad sum[SADDLE__SMALL_ROWS / STEP];
        for (int64_t v = 0; v < quads; v++) sum[v] = ((const quad *)column)[v];
        for (int64_t j = 0; j < columns; j++) {
            const quad *l = (const quad *)(L + j * height + columns);
            double m = W[j * height + columns + c];
            quad factor = {m, m, m, m};
            for (int64_t v = 0; v < quads; v++) sum[v] -= l[v] * factor;
        }
        for (int64_t v = 0; v < quads; v++) ((quad *)(U + c * rows))[v] = sum[v];
    }
}

ALWAYS void update_any(int64_t columns, int64_t rows, int64_t height, const double *W,
                       const double *L, double *U)
{
    switch (saddle__small_height(rows) / STEP) {
    case 1: update_quads(columns, rows, height, 1, W, L, U); break;
    case 2: update_quads(columns, rows, height, 2, W, L, U); break;
    case 3: update_quads(columns, rows, height, 3, W, L, U); break;
    case 4: update_quads(columns, rows, height, 4, W, L, U); break;
    case 5: update_quads(columns, rows, height, 5, W, L, U); break;
    case 6: update_quads(columns, rows, height, 6, W, L, U); break;
    case 7: update_quads(columns, rows, height, 7, W, L, U); break;
    default: update_quads(columns, rows, height, 8, W, L, U); break;
    }
}

/* ---- solves ---- */

/* x <- x - sum_j a_j X_j over `count` consecutive rows of X.  stride: of a; quads: of x, known to
 * the compiler. */
ALWAYS void subtract_rows(int64_t count, int64_t quads, const double *a, int64_t stride,
                          const double *X, quad *sum)
{
    for (int64_t j = 0; j < count; j++) {
        const quad *x = (const quad *)X + j * quads;
        double l = a[j * stride];
        quad factor = {l, l, l, l};
        for (int64_t v = 0; v < quads; v++) sum[v] -= factor * x[v];
    }
}

ALWAYS void forward_quads(const saddle__small_block *b, int64_t quads)
{
    int64_t ld = b->columns + b->rows;
    quad *own = (quad *)b->own;
    quad *X = (quad *)b->X;
    for (int64_t t = 1; t < ld; t++) {
        quad *x = t < b->columns ? own + t * quads : X + b->row[t - b->columns] * quads;
        quad sum[SADDLE__FACTOR_BLOCK / STEP];
        for (int64_t v = 0; v < quads; v++) sum[v] = x[v];
        subtract_rows(t < b->columns ? t : b->columns, quads, b->L + t, ld, b->own, sum);
        for (int64_t v = 0; v < quads; v++) x[v] = sum[v];
    }
}

ALWAYS void backward_quads(const saddle__small_block *b, int64_t quads)
{
    int64_t ld = b->columns + b->rows;
    for (int64_t j = b->columns - 1; j >= 0; j--) {
        const double *column = b->L + j * ld;
        quad *x = (quad *)b->own + j * quads;
        quad sum[SADDLE__FACTOR_BLOCK / STEP];
        for (int64_t v = 0; v < quads; v++) sum[v] = x[v];
        for (int64_t t = 0; t < b->rows; t++)
            subtract_rows(1, quads, column + b->columns + t, 1, b->X + b->row[t] * quads * STEP,
                          sum);
        subtract_rows(b->columns - 1 - j, quads, column + j + 1, 1, b->own + (j + 1) * quads * STEP,
                      sum);
        for (int64_t v = 0; v < quads; v++) x[v] = sum[v];
    }
}

ALWAYS void forward_any(const saddle__small_block *b)
{
    switch (b->width / STEP) {
    case 1: forward_quads(b, 1); break;
    case 2: forward_quads(b, 2); break;
    case 3: forward_quads(b, 3); break;
    default: forward_quads(b, 4); break;
    }
}

ALWAYS void backward_any(const saddle__small_block *b)
{
    switch (b->width / STEP) {
    case 1: backward_quads(b, 1); break;
    case 2: backward_quads(b, 2); break;
    case 3: backward_quads(b, 3); break;
    default: backward_quads(b, 4); break;
    }
}

/* ---- processors ---- */

#define KERNELS(name, target)                                                                     \
    target static int64_t eliminate_##name(saddle__pivot_state *p, int64_t position,              \
                                           int64_t columns, int64_t height, double *W, double *L) \
    {                                                                                             \
        return eliminate_any(p, position, columns, height, W, L);                                 \
    }                                                                                             \
    target static void update_##name(int64_t columns, int64_t rows, int64_t height,               \
                                     const double *W, const double *L, double *U)                 \
    {                                                                                             \
        update_any(columns, rows, height, W, L, U);                                               \
    }                                                                                             \
    target static void forward_##name(const saddle__small_block *b)                               \
    {                                                                                             \
        forward_any(b);                                                                           \
    }                                                                                             \
    target static void backward_##name(const saddle__small_block *b)                              \
    {                                                                                             \
        backward_any(b);                                                                          \
    }

KERNELS(plain, )

static int always(void)
{
    return 1;
}

#if defined(__x86_64__) && defined(__GNUC__)
KERNELS(avx2, __attribute__((target("avx2"))))

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#endif

static const saddle__small_kernels small_kernels[] = {
#if defined(__x86_64__) && defined(__GNUC__)
    {.name = "avx2",
     .runs = has_avx2,
     .eliminate = eliminate_avx2,
     .update = update_avx2,
     .forward = forward_avx2,
     .backward = backward_avx2},
#endif
    {.name = "plain",
     .runs = always,
     .eliminate = eliminate_plain,
     .update = update_plain,
     .forward = forward_plain,
     .backward = backward_plain},
};

const saddle__small_kernels *saddle__small_kernels_at(int index)
{
    int count = (int)(sizeof(small_kernels) / sizeof(small_kernels[0]));
    return index >= 0 && index < count ? &small_kernels[index] : NULL;
}
