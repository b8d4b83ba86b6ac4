/* SPDX-License-Identifier: MIT */
/* The products behind the factorization, each kernel that runs here against sums in long double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_kkt.h"
#include "ldlt/ldlt_internal.h"

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

static void multiply(drawn *d, const saddle__product_kernel *kernel)
{
    memcpy(d->C, d->before, d->entries * sizeof(*d->C));
    saddle__product_subtract(kernel, &d->p);
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

static void every_kernel_gives_the_product(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 400; trial++) {
        drawn d = draw_any(&state, trial);
        for (int k = 0; saddle__product_kernel_at(k); k++) {
            if (!saddle__product_kernel_runs(saddle__product_kernel_at(k))) continue;
            multiply(&d, saddle__product_kernel_at(k));
            check(&d);
            check_gaps(&d);
        }
        drawn_clear(&d);
    }
}

/* so that a result does not depend on how wide the processor's vectors are */
static void all_kernels_but_blas_give_the_same_bits(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    double *first = malloc(2 * LARGEST * LARGEST * sizeof(*first));
    for (int trial = 0; trial < 200; trial++) {
        drawn d = draw_any(&state, trial);
        int met = 0;
        for (int k = 0; saddle__product_kernel_at(k + 1); k++) {
            if (!saddle__product_kernel_runs(saddle__product_kernel_at(k))) continue;
            multiply(&d, saddle__product_kernel_at(k));
            for (int64_t j = 0; j < d.p.columns; j++)
                for (int64_t i = d.p.lower ? j : 0; i < d.p.rows; i++) {
                    double *kept = &first[i + j * d.p.rows];
                    if (met == 0) *kept = d.C[i + j * d.p.ldc];
                    assert_memory_equal(kept, &d.C[i + j * d.p.ldc], sizeof(double));
                }
            met++;
        }
        drawn_clear(&d);
    }
    free(first);
}

/* a row's entries are the same whatever block of rows it is worked on in */
static void the_cut_into_rows_does_not_change_the_bits(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 60; trial++) {
        drawn d = draw(&state, test_integer(&state, 2, LARGEST), test_integer(&state, 1, 60), 60,
                       0);
        const saddle__product_kernel *kernel = saddle__product_best();
        multiply(&d, kernel);
        double *whole = malloc((d.entries + 1) * sizeof(*whole));
        memcpy(whole, d.C, d.entries * sizeof(*whole));
        memcpy(d.C, d.before, d.entries * sizeof(*d.C));
        saddle__product lower_part = d.p;
        int64_t cut = test_integer(&state, 1, d.p.rows - 1);
        lower_part.A += cut;
        lower_part.C += cut;
        lower_part.rows -= cut;
        d.p.rows = cut;
        saddle__product_subtract(kernel, &d.p);
        saddle__product_subtract(kernel, &lower_part);
        if (strcmp(saddle__product_kernel_name(kernel), "blas") != 0)
            assert_memory_equal(whole, d.C, d.entries * sizeof(*whole));
        free(whole);
        drawn_clear(&d);
    }
}

/* in fronts of one tile and of several */
static void the_engine_solves_with_every_kernel(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 12; trial++) {
        kkt_kind kind = {.n = trial % 6 == 5 ? 600 : test_integer(&state, 30, 200), .links = 4};
        kind.m = kind.n / 3;
        drawn_kkt d = draw_kkt(&state, kind);
        saddle__pivot_rule rule = {.sign = d.sign,
                                   .scale = d.scale,
                                   .smallest = 1e-14,
                                   .replacement = 1e-10};
        saddle__ldlt_request request = {.late = d.late};
        saddle__ldlt *F = NULL;
        assert_int_equal(saddle__ldlt_analyse(NULL, &d.K, &request, &F), SADDLE_OK);
        double *x = malloc((size_t)d.size * sizeof(*x));
        double *b = draw_array(&state, (size_t)d.size);
        for (int k = 0; saddle__product_kernel_at(k); k++) {
            saddle__factor_counts counts = {0};
            if (!saddle__product_kernel_runs(saddle__product_kernel_at(k))) continue;
            F->lane[0].kernel = saddle__product_kernel_at(k);
            assert_int_equal(saddle__ldlt_factor(F, &d.K, &rule, &counts), SADDLE_OK);
            memcpy(x, b, (size_t)d.size * sizeof(*x));
            saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, x, d.size);
            assert_true(drawn_kkt_error(&d, x, b) < 1e-11);
            assert_int_equal(counts.inertia.positive, d.n);
        }
        free(x);
        free(b);
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_gives_the_product),
        cmocka_unit_test(all_kernels_but_blas_give_the_same_bits),
        cmocka_unit_test(the_cut_into_rows_does_not_change_the_bits),
        cmocka_unit_test(the_engine_solves_with_every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
