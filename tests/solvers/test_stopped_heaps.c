/* SPDX-License-Identifier: MIT */
/* A heap of discs whose solve is stopped after any number of steps: v is what the impulses make of
 * f, and the report says of both what the checker says. */
#include <math.h>

#include "disc_heap.h"
#include "support.h"

enum { WIDE = 20, TALL = 16, MOST = 30 }; /* more unknowns than few: pivot has W */

/* max_j |M v - f - J'lambda| / max_j (|f| + |J'| lambda), M diagonal; work: 2 n */
static double momentum_missing(const disc_heap *h, const saddle_solution *x, double *work)
{
    int64_t n = h->problem.n;
    double *force = work;
    double *size = work + n;
    double missing = 0.0;
    double most = 0.0;
    for (int64_t j = 0; j < n; j++) {
        force[j] = h->f[j];
        size[j] = fabs(h->f[j]);
    }
    for (int64_t i = 0; i < h->problem.m; i++)
        for (int64_t k = h->Jt_start[i]; k < h->Jt_start[i + 1]; k++) {
            force[h->Jt_index[k]] += h->normal[k] * x->lambda[i];
            size[h->Jt_index[k]] += fabs(h->normal[k]) * x->lambda[i];
        }
    for (int64_t j = 0; j < n; j++) {
        missing = fmax(missing, fabs(h->mass[j] * x->v[j] - force[j]));
        most = fmax(most, size[j]);
    }
    return missing / most;
}

/* stride: of the limits on steps. */
static void stop_after_each(const char *name, int64_t stride)
{
    uint64_t seed = test_seed();
    disc_heap h;
    disc_heap_draw(&seed, WIDE, test_is_slow() ? TALL / 2 : TALL, &h);
    saddle_solution x = {0};
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, h.problem.n, h.problem.m, &x), SADDLE_OK);
    double *force = saddle_allocate(context, 2 * h.problem.n, sizeof(*force));
    double *work = saddle_allocate(context, saddle_residual_work_size(&h.problem), sizeof(*work));
    int stopped = 0;
    saddle_status status = SADDLE_ITERATION_LIMIT;
    for (int64_t most = 1; most <= MOST && status != SADDLE_OK; most++) {
        saddle_options options = saddle_options_default();
        saddle_solver *solver = NULL;
        saddle_residual residual;
        options.max_iterations = most * stride;
        assert_int_equal(saddle_solver_create(context, name, &options, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &h.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &h.problem), SADDLE_OK);
        status = saddle_solver_solve(solver, &h.problem, NULL, &x);
        if (status < 0) fail_msg("%s, %d steps: %s", name, (int)most, saddle_status_name(status));
        stopped += status != SADDLE_OK;
        double missing = momentum_missing(&h, &x, force);
        if (!(missing < 1e-14))
            fail_msg("%s, %d steps: M v - f - J'lambda = %.1e", name, (int)most, missing);
        saddle_residual_compute(&h.problem, x.v, x.lambda, NULL, work, &residual);
        assert_true(saddle_solver_report(solver)->residual.total == residual.total);
        if (status == SADDLE_OK) assert_true(residual.total <= options.tolerance);
        saddle_solver_free(solver);
    }
    assert_int_equal(status, SADDLE_OK);
    assert_true(stopped > 2);
    saddle_release(context, force);
    saddle_release(context, work);
    saddle_solution_clear(&x);
    saddle_context_free(context);
    disc_heap_clear(&h);
}

static void schur_has_the_velocity_of_its_impulses(void **unused)
{
    (void)unused;
    stop_after_each("schur", 1);
}

static void pivot_has_the_velocity_of_its_impulses(void **unused)
{
    (void)unused;
    stop_after_each("pivot", 1);
}

static void lemke_has_the_velocity_of_its_impulses(void **unused)
{
    (void)unused; /* a path takes a pivot for each contact that closes or opens */
    stop_after_each("lemke", test_is_slow() ? 100 : 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schur_has_the_velocity_of_its_impulses),
        cmocka_unit_test(pivot_has_the_velocity_of_its_impulses),
        cmocka_unit_test(lemke_has_the_velocity_of_its_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
