/* SPDX-License-Identifier: MIT */
/* The products behind the factorization, by AVX-512 where there is one and by BLAS, against sums in
 * long double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ldlt/kernels.h"
#include "support.h"

enum { LARGEST = 420, DEEPEST = 700 };

/* A drawn product; C is kept as it was in `before`. */
typedef struct drawn {
    saddle__product p;
    double *A, *B, *D, *C, *before, *work;
    size_t entries; /* of C */
} drawn;

static double *draw_array(uint64_t *state, size_t count)
{
    double *x = malloc((count + 1) * sizeof(*x));
    for (size_t k = 0; k < count; k++) x[k] = test_uniform(state, -1.0, 1.0);
    return x;
}

static drawn draw(uint64_t *state, int64_t rows, int64_t columns, int64_t depth, int lower)
{
    saddle__product p = {.rows = rows,
                         .columns = columns,
                         .depth = depth,
                         .lda = rows + test_integer(state, 0, 9),
                         .ldb = columns + test_integer(state, 0, 9),
                         .ldc = rows + test_integer(state, 0, 9),
                         .lower = lower};
    drawn d = {.entries = (size_t)(p.ldc * columns)};
    p.A = d.A = draw_array(state, (size_t)(p.lda * depth));
    p.B = d.B = draw_array(state, (size_t)(p.ldb * depth));
    p.D = d.D = draw_array(state, (size_t)depth);
    d.before = draw_array(state, d.entries);
    p.C = d.C = draw_array(state, d.entries);
    p.work = d.work = draw_array(state, (size_t)saddle__product_work(rows, columns, depth));
    d.p = p;
    return d;
}

static void drawn_clear(drawn *d)
{
    free(d->A);
    free(d->B);
    free(d->D);
    free(d->C);
    free(d->before);
    free(d->work);
}

typedef void multiplication(const saddle__product *p);

static multiplication *const multiplications[] = {saddle__product_subtract,
                                                  saddle__product_by_blas};

static void multiply(drawn *d, multiplication *subtract)
{
    memcpy(d->C, d->before, d->entries * sizeof(*d->C));
    subtract(&d->p);
}

/* each entry within the rounding of a sum of depth + 1 terms of products of three, in any order */
static void check(const drawn *d)
{
    const saddle__product *p = &d->p;
    for (int64_t j = 0; j < p->columns; j++)
        for (int64_t i = p->lower ? j : 0; i < p->rows; i++) {
            long double sum = d->before[i + j * p->ldc];
            long double size = fabsl(sum);
            for (int64_t t = 0; t < p->depth; t++) {
                long double term = (long double)p->A[i + t * p->lda] * p->D[t] *
                                   p->B[j + t * p->ldb];
                sum -= term;
                size += fabsl(term);
            }
            long double bound = ((long double)p->depth + 4.0L) * 2.3e-16L * size;
            assert_true(fabsl((long double)p->C[i + j * p->ldc] - sum) <= bound);
        }
}

/* what lies between the columns of C is nobody's */
static void check_gaps(const drawn *d)
{
    for (int64_t j = 0; j < d->p.columns; j++)
        for (int64_t i = d->p.rows; i < d->p.ldc; i++)
            assert_true(d->C[i + j * d->p.ldc] == d->before[i + j * d->p.ldc]);
}

static drawn draw_any(uint64_t *state, int trial)
{
    int64_t most = trial % 20 == 0 ? LARGEST : 40;
    int64_t columns = test_integer(state, 0, most);
    int64_t rows = columns + test_integer(state, 0, most);
    int lower = (int)test_integer(state, 0, 1);
    if (!lower) rows = test_integer(state, 0, most);
    return draw(state, rows, columns, test_integer(state, 0, trial % 20 == 10 ? DEEPEST : 40),
                lower);
}

static void both_ways_give_the_product(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(400); trial++) {
        drawn d = draw_any(&state, trial);
        for (int k = 0; k < 2; k++) {
            multiply(&d, multiplications[k]);
            check(&d);
            check_gaps(&d);
        }
        drawn_clear(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_give_the_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
