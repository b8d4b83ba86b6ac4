/* SPDX-License-Identifier: MIT */
/* Products of dense matrices, and the elimination of large fronts.  The columns are halved until a
 * block is small, with products in between:
 *
 *     [ P1 . ]   [ L1  .  ] [ D1 .  ] [ L11' L21' ]     P1 = L1 D1 L11',  P2 <- P2 - L21 D1 L21',
 *     [ .  P2] = [ .   L2 ] [ .  D2 ] [ .    L22' ]     P2 = L2 D2 L22'
 */
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "dense/lapack.h"
#include "ldlt/ldlt_internal.h"

enum { NARROW = SADDLE__SMALL_ROWS }; /* columns, or rows, processed without splitting further */

static const double one = 1.0;
static const double minus_one = -1.0;

/* ---- products ----
 *
 * AVX-512, in blocks (Goto and van de Geijn, ACM TOMS 34(3), 2008), a tile of columns of A and B at
 * a time: strips of B D, which stay in the first cache, and of a block of A are packed, so that a
 * kernel keeps a piece of C in registers and reads both in sequence. */

enum {
    BLOCK = 192, /* rows of A at once: kept in the second cache; a multiple of HEIGHT */
    HEIGHT = 24, /* of a piece of C */
    WIDTH = 8
};

static int64_t round_up(int64_t count, int64_t unit)
{
    return (count + unit - 1) / unit * unit;
}

#if defined(__x86_64__) && defined(__GNUC__)

enum { VECTORS = 3 };

/* c (HEIGHT x WIDTH, leading dimension ldc) <- c - a b', a HEIGHT x depth and b WIDTH x depth by
 * columns without gaps */
__attribute__((target("avx512f"))) static void piece_avx512(int64_t depth, const double *a,
                                                            const double *b, double *c, int64_t ldc)
{
    __m512d sum[WIDTH][VECTORS];
#pragma GCC unroll 8
    for (int j = 0; j < WIDTH; j++) {
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
        for (int j = 0; j < WIDTH; j++) {
            __m512d y = _mm512_set1_pd(b[j]);
#pragma GCC unroll 3
            for (int i = 0; i < VECTORS; i++) sum[j][i] = _mm512_fmadd_pd(x[i], y, sum[j][i]);
        }
        a += HEIGHT;
        b += WIDTH;
    }
#pragma GCC unroll 8
    for (int j = 0; j < WIDTH; j++) {
#pragma GCC unroll 3
        for (int i = 0; i < VECTORS; i++) {
            double *to = c + j * ldc + 8 * i;
            _mm512_storeu_pd(to, _mm512_sub_pd(_mm512_loadu_pd(to), sum[j][i]));
        }
    }
}

/* Packs rows 0 .. rows - 1 of X in strips of `height`, the last strip padded with zeros; columns
 * times d where given. */
static inline void pack(int64_t height, int64_t rows, int64_t depth, const double *X, int64_t ld,
                        const double *d, double *restrict strip)
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

/* An incomplete piece of C: rows x columns. */
static void multiply_rest(int64_t depth, const double *a, const double *b, int64_t rows,
                          int64_t columns, double *c, int64_t ldc)
{
    double piece[HEIGHT * WIDTH] = {0.0};
    piece_avx512(depth, a, b, piece, HEIGHT);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) c[i + j * ldc] += piece[i + j * HEIGHT];
}

/* Rows begin .. begin + rows - 1 of C, the strips laid. */
static void multiply_block(const saddle__product *p, int64_t begin, int64_t rows, int64_t depth,
                           const double *a, const double *b)
{
    for (int64_t j = 0; j < p->columns; j += WIDTH) {
        if (p->lower && begin + rows <= j) return;
        int64_t columns = p->columns - j < WIDTH ? p->columns - j : WIDTH;
        int64_t skip = p->lower && j > begin ? (j - begin) / HEIGHT * HEIGHT : 0;
        for (int64_t i = skip; i < rows; i += HEIGHT) {
            double *c = p->C + begin + i + j * p->ldc;
            int64_t count = rows - i < HEIGHT ? rows - i : HEIGHT;
            if (count == HEIGHT && columns == WIDTH)
                piece_avx512(depth, a + i * depth, b + j * depth, c, p->ldc);
            else
                multiply_rest(depth, a + i * depth, b + j * depth, count, columns, c, p->ldc);
        }
    }
}

static void subtract_blocks(const saddle__product *p)
{
    double *b = p->work +
                (SADDLE__LINE - (uintptr_t)p->work % SADDLE__LINE) % SADDLE__LINE / sizeof(double);
    double *a = b + round_up(p->columns, WIDTH) *
                        (p->depth < SADDLE__LDLT_TILE ? p->depth : SADDLE__LDLT_TILE);
    int64_t parts = (p->depth + SADDLE__LDLT_TILE - 1) / SADDLE__LDLT_TILE;
    for (int64_t part = 0; part < parts; part++) {
        int64_t t = part * p->depth / parts;
        int64_t depth = (part + 1) * p->depth / parts - t;
        pack(WIDTH, p->columns, depth, p->B + t * p->ldb, p->ldb, p->D ? p->D + t : NULL, b);
        for (int64_t i = 0; i < p->rows; i += BLOCK) {
            int64_t rows = p->rows - i < BLOCK ? p->rows - i : BLOCK;
            pack(HEIGHT, rows, depth, p->A + i + t * p->lda, p->lda, NULL, a);
            multiply_block(p, i, rows, depth, a, b);
        }
    }
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

#else

static void subtract_blocks(const saddle__product *p)
{
    (void)p;
}

static int has_avx512(void)
{
    return 0;
}

#endif

/* Rows begin .. begin + rows - 1 and the columns from `column` on, B D laid. */
static void blas_block(const saddle__product *p, int64_t begin, int64_t rows, int64_t column,
                       int64_t columns)
{
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
    if (columns <= NARROW) {
        blas_block(p, begin, columns, begin, columns);
        return;
    }
    int64_t left = round_up(columns / 2, WIDTH);
    blas_triangle(p, begin, left);
    blas_block(p, begin + left, columns - left, begin, left);
    blas_triangle(p, begin + left, columns - left);
}

void saddle__product_by_blas(const saddle__product *p)
{
    for (int64_t i = 0; i < p->depth; i++)
        for (int64_t t = 0; t < p->columns; t++)
            p->work[i * p->columns + t] = (p->D ? p->D[i] : 1.0) * p->B[i * p->ldb + t];
    int64_t triangle = p->lower ? p->columns : 0;
    if (triangle > 0) blas_triangle(p, 0, triangle);
    if (p->rows > triangle) blas_block(p, triangle, p->rows - triangle, 0, p->columns);
}

int64_t saddle__product_work(int64_t rows, int64_t columns, int64_t depth)
{
    int64_t packed = round_up(columns, WIDTH) + round_up(rows < BLOCK ? rows : BLOCK, HEIGHT);
    int64_t blocks = packed * (depth < SADDLE__LDLT_TILE ? depth : SADDLE__LDLT_TILE) +
                     SADDLE__LINE / (int64_t)sizeof(double);
    return blocks > columns * depth ? blocks : columns * depth;
}

void saddle__product_subtract(const saddle__product *p)
{
    if (p->rows == 0 || p->columns == 0 || p->depth == 0) return;
    has_avx512() ? subtract_blocks(p) : saddle__product_by_blas(p);
}

/* ---- few rows or columns: each column takes from the columns before, four at a time ---- */

/* y <- y - sum_i d_i B(0,i) A(:,i) over `count` columns of A, `rows` long */
static inline void subtract(int64_t rows, int64_t count, const double *restrict A,
                            const double *restrict B, int64_t ld, const double *restrict pivot,
                            double *restrict y)
{
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const double *a = A + i * ld;
        const double *b = a + ld;
        const double *c = b + ld;
        const double *d = c + ld;
        double sa = pivot[i] * B[i * ld];
        double sb = pivot[i + 1] * B[(i + 1) * ld];
        double sc = pivot[i + 2] * B[(i + 2) * ld];
        double sd = pivot[i + 3] * B[(i + 3) * ld];
        for (int64_t t = 0; t < rows; t++)
            y[t] -= (sa * a[t] + sb * b[t]) + (sc * c[t] + sd * d[t]);
    }
    for (; i < count; i++) {
        const double *a = A + i * ld;
        double sa = pivot[i] * B[i * ld];
        for (int64_t t = 0; t < rows; t++) y[t] -= sa * a[t];
    }
}

static int64_t eliminate_small(saddle__pivot_state *p, int64_t position, int64_t rows,
                               int64_t columns, double *P, double *Q, int64_t ld)
{
    const double *pivot = p->pivot + position;
    for (int64_t j = 0; j < columns; j++) {
        double *column = P + j + j * ld, *row = Q + j + j * ld;
        subtract(rows - j, j, P + j, Q + j, ld, pivot, column);
        if (P != Q) subtract(rows - j, j, Q + j, P + j, ld, pivot, row);
        if (!saddle__ldlt_pivot(p, position + j, column[0])) return j;
        double scale = p->inverse[position + j];
        for (int64_t t = 1; t < rows - j; t++) column[t] *= scale;
        for (int64_t t = 1; P != Q && t < rows - j; t++) row[t] *= scale;
    }
    return -1;
}

/* ---- by blocks ---- */

static void divide_narrow(int64_t rows, int64_t columns, const double *L11, int64_t ld,
                          const double *inverse, double *X, int64_t ldx)
{
    int ldb = (int)ldx;
    int m = (int)rows;
    int n = (int)columns;
    int lda = (int)ld;
    dtrsm_("R", "L", "T", "U", &m, &n, &one, L11, &lda, X, &ldb, 1, 1, 1, 1);
    for (int64_t j = 0; inverse && j < columns; j++)
        for (int64_t t = 0; t < rows; t++) X[t + j * ldx] *= inverse[j];
}

void saddle__ldlt_divide(const saddle__ldlt_lane *lane, int64_t rows, int64_t columns,
                         const saddle__ldlt_triangle *L11, double *X, int64_t ldx)
{
    int64_t ld = L11->ld;
    if (columns <= NARROW) {
        divide_narrow(rows, columns, L11->L, ld, L11->inverse, X, ldx);
        return;
    }
    int64_t left = (columns / 2 + NARROW / 2 - 1) / (NARROW / 2) * (NARROW / 2);
    int64_t right = columns - left;
    saddle__ldlt_triangle corner = {.L = L11->L + left + left * ld,
                                    .ld = ld,
                                    .pivot = L11->pivot ? L11->pivot + left : NULL,
                                    .inverse = L11->inverse ? L11->inverse + left : NULL};
    saddle__ldlt_divide(lane, rows, left, L11, X, ldx);
    saddle__product p = {.rows = rows,
                         .columns = right,
                         .depth = left,
                         .A = X,
                         .lda = ldx,
                         .B = L11->L + left,
                         .ldb = ld,
                         .D = L11->pivot,
                         .C = X + left * ldx,
                         .ldc = ldx,
                         .work = lane->work};
    saddle__product_subtract(&p);
    saddle__ldlt_divide(lane, rows, right, &corner, X + left * ldx, ldx);
}

int64_t saddle__ldlt_eliminate(saddle__ldlt_lane *lane, int64_t position, int64_t rows,
                               int64_t columns, double *P, double *Q, int64_t ld)
{
    saddle__pivot_state *p = &lane->pivoting;
    const double *pivot = p->pivot + position, *inverse = p->inverse + position;
    if (rows <= NARROW) return eliminate_small(p, position, rows, columns, P, Q, ld);
    if (columns <= NARROW) {
        int64_t failed = eliminate_small(p, position, columns, columns, P, Q, ld);
        if (failed >= 0 || rows == columns) return failed;
        divide_narrow(rows - columns, columns, Q, ld, inverse, P + columns, ld);
        if (P != Q) divide_narrow(rows - columns, columns, P, ld, inverse, Q + columns, ld);
        return -1;
    }
    int64_t left = (columns / 2 + NARROW / 2 - 1) / (NARROW / 2) * (NARROW / 2);
    int64_t right = columns - left, corner = left + left * ld;
    int64_t failed = saddle__ldlt_eliminate(lane, position, rows, left, P, Q, ld);
    if (failed >= 0) return failed;
    saddle__ldlt_subtract(lane, rows - left, right, left, P + left, Q + left, ld, pivot, P + corner,
                          ld);
    if (P != Q)
        saddle__ldlt_subtract(lane, rows - left, right, left, Q + left, P + left, ld, pivot,
                              Q + corner, ld);
    failed = saddle__ldlt_eliminate(lane, position + left, rows - left, right, P + corner,
                                    Q + corner, ld);
    return failed < 0 ? -1 : left + failed;
}
