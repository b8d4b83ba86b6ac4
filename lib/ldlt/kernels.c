/* SPDX-License-Identifier: MIT */
/* C <- C - A D B' in blocks (Goto and van de Geijn, ACM TOMS 34(3), 2008): strips of B D and of a
 * block of A are packed, so that a kernel keeps a piece of C in registers and reads both in
 * sequence. */
#include "ldlt/ldlt_internal.h"

#include "ldlt/blas.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SADDLE__KERNELS 1
#include <immintrin.h>
#endif

enum {
    DEPTH = 256,      /* columns of A and B at once: a strip of B stays in the first cache */
    BLOCK = 192,      /* rows of A at once: kept in the second cache; a multiple of all heights */
    MOST_HEIGHT = 24, /* of a piece */
    MOST_WIDTH = 8,
    ALIGNMENT = 64, /* bytes */
    LEAST_TRIANGLE = 32
};

/* c (height x width, leading dimension ldc) <- c - a b', a height x depth and b width x depth by
 * columns without gaps */
typedef void piece_kernel(int64_t depth, const double *a, const double *b, double *c, int64_t ldc);

struct saddle__product_kernel {
    const char *name;
    piece_kernel *piece; /* NULL: BLAS */
    int64_t height, width;
    int (*runs)(void);
};

/* ---- kernels ---- */

#ifdef SADDLE__KERNELS

enum { WIDE_HEIGHT = 24, WIDE_WIDTH = 8, NARROW_HEIGHT = 12, NARROW_WIDTH = 4, VECTORS = 3 };

__attribute__((target("avx512f"))) static void piece_avx512(int64_t depth, const double *a,
                                                            const double *b, double *c, int64_t ldc)
{
    __m512d sum[WIDE_WIDTH][VECTORS];
#pragma GCC unroll 8
    for (int j = 0; j < WIDE_WIDTH; j++) {
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++) {
            sum[j][i] = _mm512_setzero_pd();
            _mm_prefetch((const char *)(c + j * ldc + 8 * i), _MM_HINT_T0);
        }
    }
    for (int64_t t = 0; t < depth; t++) {
        __m512d x[VECTORS];
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++) x[i] = _mm512_loadu_pd(a + 8 * i);
#pragma GCC unroll 8
        for (int j = 0; j < WIDE_WIDTH; j++) {
            __m512d y = _mm512_set1_pd(b[j]);
#pragma GCC unroll 3
            for (int i = 0; i < VECTORS; i++) sum[j][i] = _mm512_fmadd_pd(x[i], y, sum[j][i]);
        }
        a += WIDE_HEIGHT;
        b += WIDE_WIDTH;
    }
#pragma GCC unroll 8
    for (int j = 0; j < WIDE_WIDTH; j++) {
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++) {
            double *to = c + j * ldc + 8 * i;
            _mm512_storeu_pd(to, _mm512_sub_pd(_mm512_loadu_pd(to), sum[j][i]));
        }
    }
}

__attribute__((target("avx2,fma"))) static void piece_avx2(int64_t depth, const double *a,
                                                           const double *b, double *c, int64_t ldc)
{
    __m256d sum[NARROW_WIDTH][VECTORS];
#pragma GCC unroll 4
    for (int j = 0; j < NARROW_WIDTH; j++) {
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++) sum[j][i] = _mm256_setzero_pd();
        _mm_prefetch((const char *)(c + j * ldc), _MM_HINT_T0);
        _mm_prefetch((const char *)(c + j * ldc + NARROW_HEIGHT - 1), _MM_HINT_T0);
    }
    for (int64_t t = 0; t < depth; t++) {
        __m256d x[VECTORS];
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++) x[i] = _mm256_loadu_pd(a + 4 * i);
#pragma GCC unroll 4
        for (int j = 0; j < NARROW_WIDTH; j++) {
            __m256d y = _mm256_broadcast_sd(b + j);
#pragma GCC unroll 3
            for (int i = 0; i < VECTORS; i++) sum[j][i] = _mm256_fmadd_pd(x[i], y, sum[j][i]);
        }
        a += NARROW_HEIGHT;
        b += NARROW_WIDTH;
    }
#pragma GCC unroll 4
    for (int j = 0; j < NARROW_WIDTH; j++) {
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++) {
            double *to = c + j * ldc + 4 * i;
            _mm256_storeu_pd(to, _mm256_sub_pd(_mm256_loadu_pd(to), sum[j][i]));
        }
    }
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static int has_avx2_alone(void)
{
    return __builtin_cpu_supports("avx2");
}

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#endif

static int always(void)
{
    return 1;
}

static const saddle__product_kernel products[] = {
#ifdef SADDLE__KERNELS
    {.name = "avx512",
     .piece = piece_avx512,
     .height = WIDE_HEIGHT,
     .width = WIDE_WIDTH,
     .runs = has_avx512},
    {.name = "avx2",
     .piece = piece_avx2,
     .height = NARROW_HEIGHT,
     .width = NARROW_WIDTH,
     .runs = has_avx2},
#endif
    {.name = "blas", .runs = always},
};

const saddle__product_kernel *saddle__product_kernel_at(int index)
{
    int count = (int)(sizeof(products) / sizeof(products[0]));
    return index >= 0 && index < count ? &products[index] : NULL;
}

const char *saddle__product_kernel_name(const saddle__product_kernel *kernel)
{
    return kernel->name;
}

int saddle__product_kernel_runs(const saddle__product_kernel *kernel)
{
    return kernel->runs();
}

const saddle__product_kernel *saddle__product_best(void)
{
    const saddle__product_kernel *kernel = products;
    while (!kernel->runs()) kernel++;
    return kernel;
}

/* ---- strips ---- */

static int64_t round_up(int64_t count, int64_t unit)
{
    return (count + unit - 1) / unit * unit;
}

/* Packs rows 0 .. rows - 1 of X in strips of `height`, the last strip padded with zeros; columns
 * times d where given. */
static inline void lay_strips(int64_t height, int64_t rows, int64_t depth, const double *X,
                              int64_t ld, const double *d, double *restrict strip)
{
    for (int64_t i = 0; i < rows; i += height) {
        int64_t count = rows - i < height ? rows - i : height;
        for (int64_t t = 0; t < depth; t++) {
            const double *restrict from = X + i + t * ld;
            double scale = d ? d[t] : 1.0;
            if (count == height) {
                for (int64_t r = 0; r < height; r++) strip[r] = d ? scale * from[r] : from[r];
            } else {
                for (int64_t r = 0; r < count; r++) strip[r] = d ? scale * from[r] : from[r];
                for (int64_t r = count; r < height; r++) strip[r] = 0.0;
            }
            strip += height;
        }
    }
}

/* The same with heights known to the compiler. */
static void lay(int64_t height, int64_t rows, int64_t depth, const double *X, int64_t ld,
                const double *d, double *strip)
{
    switch (height) {
    case 4: lay_strips(4, rows, depth, X, ld, d, strip); break;
    case 8: lay_strips(8, rows, depth, X, ld, d, strip); break;
    case 12: lay_strips(12, rows, depth, X, ld, NULL, strip); break;
    default: lay_strips(24, rows, depth, X, ld, NULL, strip); break;
    }
}

/* ---- pieces ---- */

/* An incomplete piece of C: rows x columns. */
static void do_rest(const saddle__product_kernel *kernel, int64_t depth, const double *a,
                    const double *b, int64_t rows, int64_t columns, double *c, int64_t ldc)
{
    double piece[MOST_HEIGHT * MOST_WIDTH] = {0.0};
    kernel->piece(depth, a, b, piece, kernel->height);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) c[i + j * ldc] += piece[i + j * kernel->height];
}

/* Rows begin .. begin + rows - 1 of C, the strips laid. */
static void do_block(const saddle__product_kernel *kernel, const saddle__product *p, int64_t begin,
                     int64_t rows, int64_t depth, const double *a, const double *b)
{
    for (int64_t j = 0; j < p->columns; j += kernel->width) {
        if (p->lower && begin + rows <= j) return;
        int64_t columns = p->columns - j < kernel->width ? p->columns - j : kernel->width;
        int64_t skip = p->lower && j > begin ? (j - begin) / kernel->height * kernel->height : 0;
        for (int64_t i = skip; i < rows; i += kernel->height) {
            double *c = p->C + begin + i + j * p->ldc;
            int64_t count = rows - i < kernel->height ? rows - i : kernel->height;
            if (count == kernel->height && columns == kernel->width)
                kernel->piece(depth, a + i * depth, b + j * depth, c, p->ldc);
            else
                do_rest(kernel, depth, a + i * depth, b + j * depth, count, columns, c, p->ldc);
        }
    }
}

static void subtract_blocks(const saddle__product_kernel *kernel, const saddle__product *p)
{
    double *b = p->work + (ALIGNMENT - (uintptr_t)p->work % ALIGNMENT) % ALIGNMENT / sizeof(double);
    double *a = b + round_up(p->columns, MOST_WIDTH) * (p->depth < DEPTH ? p->depth : DEPTH);
    int64_t parts = (p->depth + DEPTH - 1) / DEPTH;
    for (int64_t part = 0; part < parts; part++) {
        int64_t t = part * p->depth / parts;
        int64_t depth = (part + 1) * p->depth / parts - t;
        lay(kernel->width, p->columns, depth, p->B + t * p->ldb, p->ldb, p->D + t, b);
        for (int64_t i = 0; i < p->rows; i += BLOCK) {
            int64_t rows = p->rows - i < BLOCK ? p->rows - i : BLOCK;
            lay(kernel->height, rows, depth, p->A + i + t * p->lda, p->lda, NULL, a);
            do_block(kernel, p, i, rows, depth, a, b);
        }
    }
}

/* ---- BLAS ---- */

/* Rows begin .. begin + rows - 1 and the columns from `column` on, B D laid. */
static void blas_block(const saddle__product *p, int64_t begin, int64_t rows, int64_t column,
                       int64_t columns)
{
    static const double one = 1.0;
    static const double minus_one = -1.0;
    int m = (int)rows;
    int n = (int)columns;
    int k = (int)p->depth;
    int lda = (int)p->lda;
    int ldb = (int)p->columns;
    int ldc = (int)p->ldc;
    dgemm_("N", "T", &m, &n, &k, &minus_one, p->A + begin, &lda, p->work + column, &ldb, &one,
           p->C + begin + column * p->ldc, &ldc, 1, 1);
}

/* The lower triangle of columns begin .. begin + columns - 1, halved until little is computed above
 * the diagonal. */
static void blas_triangle(const saddle__product *p, int64_t begin, int64_t columns)
{
    if (columns <= LEAST_TRIANGLE) {
        blas_block(p, begin, columns, begin, columns);
        return;
    }
    int64_t left = round_up(columns / 2, MOST_WIDTH);
    blas_triangle(p, begin, left);
    blas_block(p, begin + left, columns - left, begin, left);
    blas_triangle(p, begin + left, columns - left);
}

static void subtract_blas(const saddle__product *p)
{
    for (int64_t i = 0; i < p->depth; i++)
        for (int64_t t = 0; t < p->columns; t++)
            p->work[i * p->columns + t] = p->D[i] * p->B[i * p->ldb + t];
    int64_t triangle = p->lower ? p->columns : 0;
    if (triangle > 0) blas_triangle(p, 0, triangle);
    if (p->rows > triangle) blas_block(p, triangle, p->rows - triangle, 0, p->columns);
}

/* ---- both ---- */

int64_t saddle__product_work(int64_t rows, int64_t columns, int64_t depth)
{
    int64_t laid = round_up(columns, MOST_WIDTH) +
                   round_up(rows < BLOCK ? rows : BLOCK, MOST_HEIGHT);
    int64_t kernel = laid * (depth < DEPTH ? depth : DEPTH) + ALIGNMENT / (int64_t)sizeof(double);
    int64_t blas = columns * depth;
    return kernel > blas ? kernel : blas;
}

void saddle__product_subtract(const saddle__product_kernel *kernel, const saddle__product *p)
{
    if (p->rows == 0 || p->columns == 0 || p->depth == 0) return;
    if (kernel->piece)
        subtract_blocks(kernel, p);
    else
        subtract_blas(p);
}

/* ======== small fronts ======== */

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
ALWAYS int64_t eliminate_quads(saddle__pivoting *p, int64_t position, int64_t columns,
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

ALWAYS int64_t eliminate_any(saddle__pivoting *p, int64_t position, int64_t columns, int64_t height,
                             double *W, double *L)
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
        quad sum[SADDLE__LDLT_BLOCK / STEP];
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
        quad sum[SADDLE__LDLT_BLOCK / STEP];
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

#define KERNELS(name, target)                                                                      \
    target static int64_t eliminate_##name(saddle__pivoting *p, int64_t position, int64_t columns, \
                                           int64_t height, double *W, double *L)                   \
    {                                                                                              \
        return eliminate_any(p, position, columns, height, W, L);                                  \
    }                                                                                              \
    target static void update_##name(int64_t columns, int64_t rows, int64_t height,                \
                                     const double *W, const double *L, double *U)                  \
    {                                                                                              \
        update_any(columns, rows, height, W, L, U);                                                \
    }                                                                                              \
    target static void forward_##name(const saddle__small_block *b)                                \
    {                                                                                              \
        forward_any(b);                                                                            \
    }                                                                                              \
    target static void backward_##name(const saddle__small_block *b)                               \
    {                                                                                              \
        backward_any(b);                                                                           \
    }

KERNELS(plain, )

#if defined(__x86_64__) && defined(__GNUC__)
KERNELS(avx2, __attribute__((target("avx2"))))
#endif

static const saddle__small_kernels small_kernels[] = {
#if defined(__x86_64__) && defined(__GNUC__)
    {.name = "avx2",
     .runs = has_avx2_alone,
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

const saddle__small_kernels *saddle__small_kernels_best(void)
{
    const saddle__small_kernels *best = small_kernels;
    while (!best->runs()) best++;
    return best;
}
