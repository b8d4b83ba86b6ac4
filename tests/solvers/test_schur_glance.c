/* SPDX-License-Identifier: MIT */
/* What schur takes w for between its steps, which it makes of what pivoting left instead of a
 * product, beside W lambda + w0 in long double; a solve that is stopped has the best lambda of
 * those looked at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "disc_heap.h"
#include "schur/progress.h"
#include "support.h"

enum { WIDE = 16, TALL = 11, HEAPS = 6, STOPPED = 40 };

typedef struct watch {
    saddle__complement complement;
    saddle__bounded bounded;
    int64_t seen;    /* times */
    int64_t glanced; /* of them, with a best lambda that the rows alone have found */
    double worst;    /* error of w over the sum of moduli */
    int64_t stop;    /* ... after so many times; 0 = never */
    double least;    /* natural error, of those seen */
    double *kept;    /* m: the lambda of it */
    double best;     /* error of the answer, as the solver has it */
} watch;

/* The present step began where the last one was looked at. */
static int look(void *user, const saddle_progress *progress)
{
    watch *at = user;
    const saddle__bounded *s = &at->bounded;
    const saddle_matrix *W = &at->complement.W;
    (void)progress;
    if (s->steps.taken == 0) return 0;
    long double *w = calloc((size_t)s->m, sizeof(*w));
    long double *modulus = calloc((size_t)s->m, sizeof(*modulus));
    for (int64_t i = 0; i < s->m; i++) w[i] = s->free[i];
    for (int64_t i = 0; i < s->m; i++) modulus[i] = fabs(s->free[i]);
    for (int64_t j = 0; j < s->m; j++) {
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            int64_t i = W->index[k];
            long double term = (long double)W->value[k] * s->began[j];
            long double mirrored = i != j ? (long double)W->value[k] * s->began[i] : 0.0L;
            w[i] += term;
            w[j] += mirrored;
            modulus[i] += fabsl(term);
            modulus[j] += fabsl(mirrored);
        }
    }
    for (int64_t i = 0; i < s->m; i++)
        at->worst = fmax(at->worst,
                         (double)(fabsl(s->w[i] - w[i]) / (modulus[i] > 0.0L ? modulus[i] : 1.0L)));
    at->seen++;
    at->glanced += s->glanced;
    free(w);
    free(modulus);
    double error = saddle__natural_error(s, s->began);
    if (error < at->least) {
        at->least = error;
        memcpy(at->kept, s->began, (size_t)s->m * sizeof(*at->kept));
    }
    return at->stop > 0 && at->seen >= at->stop;
}

/* What look sees of a heap's solve, and x. */
static saddle_status solve_watched(uint64_t *state, int64_t stop, watch *at, saddle_solution *x)
{
    disc_heap heap;
    disc_heap_draw(state, WIDE, TALL, &heap);
    watch fresh = {.stop = stop, .least = (double)INFINITY};
    *at = fresh;
    at->kept = calloc((size_t)heap.problem.m, sizeof(*at->kept));
    saddle_context_options lent = saddle_context_options_default();
    lent.progress = look;
    lent.progress_user = at;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(&lent, &context), SADDLE_OK);
    saddle_options options = saddle_options_default();
    saddle_report report = {0};
    saddle_solver_call call = {.context = context,
                               .options = &options,
                               .report = &report,
                               .deadline = (double)INFINITY};
    saddle__complement_request request = {.ordering = options.ordering, .threads = 1};
    call.checker_work = calloc((size_t)saddle_residual_work_size(&heap.problem), sizeof(double));
    assert_int_equal(saddle_solution_create(NULL, heap.problem.n, heap.problem.m, x), SADDLE_OK);
    assert_int_equal(saddle__complement_analyse(context, &heap.problem, &request, &at->complement),
                     SADDLE_OK);
    assert_int_equal(saddle__complement_form(&at->complement, &heap.problem), SADDLE_OK);
    assert_int_equal(saddle__bounded_create(context, &at->complement, &heap.problem, &options, 0,
                                            &at->bounded),
                     SADDLE_OK);
    saddle__bounded_set(&at->bounded, &at->complement, options.regularization);
    saddle_status status = saddle__bounded_solve(&at->bounded, &at->complement, &heap.problem,
                                                 &call, x);
    at->best = at->bounded.steps.best;
    saddle__bounded_clear(&at->bounded);
    saddle__complement_clear(&at->complement);
    saddle_context_free(context);
    disc_heap_clear(&heap);
    free(call.checker_work);
    return status;
}

static void rows_left_to_the_next_step_are_seen_as_they_are(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t glanced = 0;
    for (int k = 0; k < HEAPS; k++) {
        watch at;
        saddle_solution x = {0};
        assert_int_equal(solve_watched(&state, 0, &at, &x), SADDLE_OK);
        glanced += at.glanced;
        assert_true(at.worst < 1e-13);
        saddle_solution_clear(&x);
        free(at.kept);
    }
    assert_true(glanced > 2 * HEAPS);
}

static void a_stopped_solve_has_the_best_that_was_seen(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t seen_before = 0; /* answers that are not where the solve was stopped */
    for (int k = 0; k < STOPPED; k++) {
        watch at;
        saddle_solution x = {0};
        saddle_status status = solve_watched(&state, 1 + k % 6, &at, &x);
        int is_kept = 1;
        for (int64_t i = 0; i < x.m; i++) is_kept &= x.lambda[i] == at.kept[i];
        if (status == SADDLE_STOPPED && at.best == at.least) assert_true(is_kept);
        seen_before += status == SADDLE_STOPPED && is_kept;
        saddle_solution_clear(&x);
        free(at.kept);
    }
    print_message("%d of %d stopped solves have an earlier lambda\n", (int)seen_before, STOPPED);
    assert_true(seen_before > STOPPED / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_left_to_the_next_step_are_seen_as_they_are),
        cmocka_unit_test(a_stopped_solve_has_the_best_that_was_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
