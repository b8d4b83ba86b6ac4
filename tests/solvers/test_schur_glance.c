/* SPDX-License-Identifier: MIT */
/* What schur takes w for between its steps, which it makes of what pivoting left instead of a product, beside W lambda + w0 in
 * long double. */
#include <math.h>
#include <stdlib.h>

#include "schur/bounded.h"
#include "disc_heap.h"
#include "support.h"

enum { WIDE = 16, TALL = 11, HEAPS = 6 };

typedef struct watch {
    const saddle__bounded *bounded;
    const saddle_matrix *W;
    int64_t seen;    /* steps looked at           */
    int64_t glanced; /* of them, by rows alone    */
    double worst;    /* error over the sum of moduli */
} watch;

/* The present step began where the last one was looked at. */
static int look(void *user, const saddle_progress *progress)
{
    watch *at = user;
    const saddle__bounded *s = at->bounded;
    (void)progress;
    if (s->steps.taken == 0) return 0;
    long double *w = calloc((size_t)s->m, sizeof(*w));
    long double *modulus = calloc((size_t)s->m, sizeof(*modulus));
    for (int64_t i = 0; i < s->m; i++) w[i] = s->free[i];
    for (int64_t i = 0; i < s->m; i++) modulus[i] = fabs(s->free[i]);
    for (int64_t j = 0; j < s->m; j++) {
        for (int64_t k = at->W->start[j]; k < at->W->start[j + 1]; k++) {
            int64_t i = at->W->index[k];
            long double term = (long double)at->W->value[k] * s->began[j];
            long double mirrored = i != j ? (long double)at->W->value[k] * s->began[i] : 0.0L;
            w[i] += term;
            w[j] += mirrored;
            modulus[i] += fabsl(term);
            modulus[j] += fabsl(mirrored);
        }
    }
    for (int64_t i = 0; i < s->m; i++)
        at->worst = fmax(at->worst, (double)(fabsl(s->w[i] - w[i]) / (modulus[i] > 0.0L ? modulus[i] : 1.0L)));
    at->seen++;
    at->glanced += s->glanced;
    free(w);
    free(modulus);
    return 0;
}

static void rows_left_to_the_next_step_are_seen_as_they_are(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    watch at = {0};
    for (int k = 0; k < HEAPS; k++) {
        disc_heap heap;
        disc_heap_draw(&state, WIDE, TALL, &heap);
        saddle_context_options lent = saddle_context_options_default();
        lent.progress = look;
        lent.progress_user = &at;
        saddle_context *context = NULL;
        assert_int_equal(saddle_context_create(&lent, &context), SADDLE_OK);
        saddle_options options = saddle_options_default();
        saddle_report report = {0};
        saddle_solver_call call = {
            .context = context, .options = &options, .report = &report, .deadline = (double)INFINITY};
        saddle__complement complement = {0};
        saddle__complement_request request = {.ordering = options.ordering, .threads = 1};
        saddle__bounded bounded = {0};
        saddle_solution x = {0};
        call.checker_work = calloc((size_t)saddle_residual_work_size(&heap.problem), sizeof(double));
        assert_int_equal(saddle_solution_create(NULL, heap.problem.n, heap.problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle__complement_analyse(context, &heap.problem, &request, &complement), SADDLE_OK);
        assert_int_equal(saddle__complement_form(&complement, &heap.problem), SADDLE_OK);
        assert_int_equal(saddle__bounded_create(context, &complement, &heap.problem, &options, &bounded), SADDLE_OK);
        saddle__bounded_set(&bounded, &complement, options.regularization);
        at.bounded = &bounded;
        at.W = &complement.W;
        assert_int_equal(saddle__bounded_solve(&bounded, &complement, &heap.problem, &call, &x), SADDLE_OK);
        saddle__bounded_clear(&bounded);
        saddle__complement_clear(&complement);
        saddle_solution_clear(&x);
        saddle_context_free(context);
        disc_heap_clear(&heap);
        free(call.checker_work);
    }
    print_message("%d steps, %d of them glanced at, error %.1e\n", (int)at.seen, (int)at.glanced, at.worst);
    assert_true(at.glanced > 2 * HEAPS);
    assert_true(at.worst < 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_left_to_the_next_step_are_seen_as_they_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
