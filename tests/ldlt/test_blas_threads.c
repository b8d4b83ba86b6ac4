/* SPDX-License-Identifier: MIT */
/* OpenBLAS' count of threads belongs to the host: 1 while a factorization or a solve is under way,
 * found again as it was afterwards, also after a failure and with host threads side by side. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "drawn_kkt.h"
#include "base/process.h"
#include "ldlt/part.h"

static saddle__ldlt *analyse(const drawn_kkt *d, int64_t threads)
{
    saddle__ldlt_request request = {.late = d->late, .threads = threads, .grain = 1e-3};
    saddle__ldlt *F = NULL;
    assert_int_equal(saddle__ldlt_analyse(NULL, &d->K, &request, &F), SADDLE_OK);
    return F;
}

static drawn_kkt draw(uint64_t *state)
{
    kkt_kind kind = {.n = 300, .m = 100, .links = 4, .rigid = 1};
    return draw_kkt(state, kind);
}

static void the_count_is_one_within_and_found_again(void **unused)
{
    (void)unused;
    for (int host = 1; host <= 3; host++) {
        openblas_set_num_threads(host);
        saddle__blas_begin();
        assert_int_equal(openblas_get_num_threads(), 1);
        saddle__blas_begin(); /* another of ours, or one within */
        saddle__blas_end();
        assert_int_equal(openblas_get_num_threads(), 1);
        saddle__blas_end();
        assert_int_equal(openblas_get_num_threads(), host);
    }
}

static void a_count_that_the_host_sets_meanwhile_stays(void **unused)
{
    (void)unused;
    openblas_set_num_threads(2);
    saddle__blas_begin();
    openblas_set_num_threads(3);
    saddle__blas_end();
    assert_int_equal(openblas_get_num_threads(), 3);
}

static void success_and_failure_leave_the_count_as_it_was(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_kkt d = draw(&state);
    saddle__pivot_rule rule = {.sign = d.sign,
                               .scale = d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    saddle__pivot_rule strict = {.smallest = 0.0};
    saddle__factor_counts counts = {0};
    double *x = calloc((size_t)(2 * d.size), sizeof(*x));
    openblas_set_num_threads(2);
    for (int64_t threads = 1; threads <= 3; threads++) {
        saddle__ldlt *F = analyse(&d, threads);
        assert_int_equal(saddle__ldlt_factor(F, &d.K, &rule, &counts), SADDLE_OK);
        assert_int_equal(openblas_get_num_threads(), 2);
        saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 2, x, d.size);
        assert_int_equal(openblas_get_num_threads(), 2);
        int64_t index = 3;
        double one = 1.0;
        const int64_t start[] = {0, 1};
        saddle__ldlt_sparse b = {.columns = 1, .start = start, .index = &index, .value = &one};
        saddle__ldlt_solve_sparse(F, &b, x);
        assert_int_equal(openblas_get_num_threads(), 2);
        double right = d.K.value[0];
        d.K.value[0] = (double)NAN;
        assert_int_equal(saddle__ldlt_factor(F, &d.K, &strict, &counts), SADDLE_SINGULAR);
        assert_int_equal(openblas_get_num_threads(), 2);
        d.K.value[0] = right;
        saddle__ldlt_free(F);
    }
    free(x);
    drawn_kkt_clear(&d);
}

/* A part of the rows, the same without three of them, and a solve have the same bits whatever the
 * host's count. */
static void a_part_has_its_bits_whatever_the_count(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind large = {.n = 1500, .m = 20, .links = 5}; /* fronts that OpenBLAS would share out */
    drawn_kkt d = draw_kkt(&state, large);
    saddle__pivot_rule rule = {.scale = d.scale, .smallest = 1e-14, .replacement = 1e-10};
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_AMD};
    saddle__part_values values = {.diagonal = NULL};
    saddle__full_csr beside = {0};
    size_t bytes = (size_t)d.size * sizeof(double);
    double *diagonal = malloc(bytes);
    double *x = malloc(bytes);
    double *first = malloc(bytes);
    signed char *in = malloc((size_t)d.size);
    assert_true(diagonal && x && first && in);
    assert_int_equal(saddle__full_csr_create(NULL, &d.K, &beside), SADDLE_OK);
    saddle_matrix_diagonal(&d.K, diagonal);
    values.beside = &beside;
    values.diagonal = diagonal;
    for (int host = 1; host <= 3; host++) {
        saddle__part *part = NULL;
        for (int64_t i = 0; i < d.size; i++) in[i] = i % 5 == 0;
        assert_int_equal(saddle__part_create(NULL, &d.K, &request, &part), SADDLE_OK);
        openblas_set_num_threads(host);
        assert_int_equal(saddle__part_factor(part, &values, in, &rule), SADDLE_OK);
        in[5] = in[10] = in[15] = 0;
        assert_int_equal(saddle__part_factor(part, &values, in, &rule), SADDLE_OK);
        assert_int_equal(saddle__part_counts_of(part).parts, 2);
        assert_int_equal(saddle__part_counts_of(part).analyses, 1);
        for (int64_t i = 0; i < d.size; i++) x[i] = in[i] ? 1.0 : 0.0;
        assert_true(saddle__part_solve(part, in, 1.0, x, x));
        if (host == 1) memcpy(first, x, bytes);
        assert_memory_equal(first, x, bytes);
        assert_int_equal(openblas_get_num_threads(), host);
        saddle__part_free(part);
    }
    saddle__layout_clear(NULL, &beside.layout);
    free(diagonal);
    free(in);
    free(first);
    free(x);
    drawn_kkt_clear(&d);
}

/* ---- host threads side by side ---- */

enum { HOSTS = 2, ROUNDS = 10 };

typedef struct host {
    drawn_kkt d;
    int64_t threads;
    int wrong;
    double *x; /* the solution, which must not change */
} host;

static void factor_and_solve(const host *h, saddle__ldlt *F, double *x)
{
    saddle__pivot_rule rule = {.sign = h->d.sign,
                               .scale = h->d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    saddle__factor_counts counts = {0};
    for (int64_t i = 0; i < h->d.size; i++) x[i] = 1.0;
    if (saddle__ldlt_factor(F, &h->d.K, &rule, &counts) != SADDLE_OK) x[0] = (double)NAN;
    saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, x, h->d.size);
}

static void *work(void *user)
{
    host *h = user;
    size_t bytes = (size_t)h->d.size * sizeof(double);
    double *x = malloc(bytes);
    saddle__ldlt *F = analyse(&h->d, h->threads);
    for (int round = 0; x && round < ROUNDS; round++) {
        factor_and_solve(h, F, x);
        h->wrong += memcmp(x, h->x, bytes) != 0;
    }
    h->wrong += x == NULL;
    saddle__ldlt_free(F);
    free(x);
    return NULL;
}

static void two_host_threads_at_once_get_their_bits_and_the_count_back(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static host h[HOSTS];
    pthread_t thread[HOSTS];
    openblas_set_num_threads(2);
    for (int t = 0; t < HOSTS; t++) {
        h[t].d = draw(&state);
        h[t].threads = 2 + t;
        h[t].x = calloc((size_t)h[t].d.size, sizeof(double));
        saddle__ldlt *F = analyse(&h[t].d, 1);
        factor_and_solve(&h[t], F, h[t].x);
        saddle__ldlt_free(F);
    }
    for (int t = 0; t < HOSTS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, work, &h[t]), 0);
    for (int t = 0; t < HOSTS; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    assert_int_equal(openblas_get_num_threads(), 2);
    for (int t = 0; t < HOSTS; t++) {
        assert_int_equal(h[t].wrong, 0);
        drawn_kkt_clear(&h[t].d);
        free(h[t].x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_count_is_one_within_and_found_again),
        cmocka_unit_test(a_count_that_the_host_sets_meanwhile_stays),
        cmocka_unit_test(success_and_failure_leave_the_count_as_it_was),
        cmocka_unit_test(a_part_has_its_bits_whatever_the_count),
        cmocka_unit_test(two_host_threads_at_once_get_their_bits_and_the_count_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
