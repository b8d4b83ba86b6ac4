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
ALWAYS double pivot_ahead(int64_t c, int64_t height, const double *W, const double *V,
                          const double *L, double over)
{
    double d = W[c * height + c];
    for (int64_t j = 0; j + 1 < c; j++) d -= L[j * height + c] * V[j * height + c];
    if (c == 0) return d;
    return d - W[(c - 1) * height + c] * over * V[(c - 1) * height + c];
}

/* sum <- column c of W - L (the other side's W at c), over `count` columns */
ALWAYS void subtract_columns(int64_t c, int64_t count, int64_t height, int64_t quads,
                             const double *W, const double *L, const double *other, quad *sum)
{
    for (int64_t v = 0; v < quads; v++) sum[v] = ((const quad *)(W + c * height))[v];
    for (int64_t j = 0; j < count; j++) {
        const quad *l = (const quad *)(L + j * height);
        double m = other[j * height + c];
        quad factor = {m, m, m, m};
        for (int64_t v = 0; v < quads; v++) sum[v] -= l[v] * factor;
    }
}

/* Each column is updated by the columns before.  sides, and quads, height / STEP, are known to the
 * compiler. */
ALWAYS int64_t eliminate_quads(saddle__pivot_state *p, int64_t position,
                               const saddle__small_front *f, int sides, int64_t quads)
{
    int64_t height = quads * STEP;
    double over = 0.0;
    for (int64_t c = 0; c < f->columns; c++) {
        double d = pivot_ahead(c, height, f->W[0], f->W[sides - 1], f->L[0], over);
        quad sum[2][SADDLE__SMALL_ROWS / STEP];
        for (int side = 0; side < sides; side++) {
            quad *column = (quad *)(f->W[side] + c * height);
            subtract_columns(c, c, height, quads, f->W[side], f->L[side], f->W[sides - 1 - side],
                             sum[side]);
            for (int64_t v = 0; v < quads; v++) column[v] = sum[side][v];
        }
        over = d != 0.0 ? 1.0 / d : 0.0;
        if (!saddle__ldlt_pivot(p, position + c, d)) return c;
        if (d == 0.0 || p->pivot[position + c] != d)
            over = p->inverse[position + c]; /* replaced, dropped */
        quad inverse = {over, over, over, over};
        for (int side = 0; side < sides; side++)
            for (int64_t v = 0; v < quads; v++)
                ((quad *)(f->L[side] + c * height))[v] = sum[side][v] * inverse;
    }
    return -1;
}

ALWAYS int64_t eliminate_any(saddle__pivot_state *p, int64_t position, const saddle__small_front *f,
                             int sides)
{
    switch (f->height / STEP) {
    case 1: return eliminate_quads(p, position, f, sides, 1);
    case 2: return eliminate_quads(p, position, f, sides, 2);
    case 3: return eliminate_quads(p, position, f, sides, 3);
    case 4: return eliminate_quads(p, position, f, sides, 4);
    case 5: return eliminate_quads(p, position, f, sides, 5);
    case 6: return eliminate_quads(p, position, f, sides, 6);
    case 7: return eliminate_quads(p, position, f, sides, 7);
    default: return eliminate_quads(p, position, f, sides, 8);
    }
}

/* ---- update ---- */

/* Columns of U in ascending order, since each is written somewhat beyond its end. */
ALWAYS void update_quads(const saddle__small_front *f, int side, int64_t quads, double *U)
{
    int64_t k = f->columns;
    const double *W = f->W[side] + k * f->height + k, *L = f->L[side] + k;
    const double *other = f->W[f->sides - 1 - side] + k;
    for (int64_t c = 0; c < f->rows; c++) {
        quad sum[SADDLE__SMALL_ROWS / STEP];
        subtract_columns(c, k, f->height, quads, W, L, other, sum);
        for (int64_t v = 0; v < quads; v++) ((quad *)(U + c * f->rows))[v] = sum[v];
    }
}

ALWAYS void update_any(const saddle__small_front *f, int side, double *U)
{
    switch (saddle__small_height(f->rows) / STEP) {
    case 1: update_quads(f, side, 1, U); break;
    case 2: update_quads(f, side, 2, U); break;
    case 3: update_quads(f, side, 3, U); break;
    case 4: update_quads(f, side, 4, U); break;
    case 5: update_quads(f, side, 5, U); break;
    case 6: update_quads(f, side, 6, U); break;
    case 7: update_quads(f, side, 7, U); break;
    default: update_quads(f, side, 8, U); break;
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

#define KERNELS(name, target)                                                           \
    target static int64_t eliminate_##name(saddle__pivot_state *p, int64_t position,    \
                                           const saddle__small_front *f)                \
    {                                                                                   \
        return f->sides == 1 ? eliminate_any(p, position, f, 1)                         \
                             : eliminate_any(p, position, f, 2);                        \
    }                                                                                   \
    target static void update_##name(const saddle__small_front *f, int side, double *U) \
    {                                                                                   \
        update_any(f, side, U);                                                         \
    }                                                                                   \
    target static void forward_##name(const saddle__small_block *b)                     \
    {                                                                                   \
        forward_any(b);                                                                 \
    }                                                                                   \
    target static void backward_##name(const saddle__small_block *b)                    \
    {                                                                                   \
        backward_any(b);                                                                \
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
