/* SPDX-License-Identifier: MIT */
/* The residual checker against its minimal work: M v, J v, J'lambda and R lambda by plain
 * sparse multiplies.  The bar is a ratio of 4. */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>

#define REPETITIONS 41
#define BATCH_SECONDS \
    2e-3 /* least time of the calls of a timing, above the resolution of the clock */

typedef struct checker_vectors {
    double *v, *lambda, *n_result, *m_result, *work;
} checker_vectors;

static void multiply(const saddle_problem *p, const checker_vectors *x)
{
    if (p->n > 0) {
        saddle_matrix_apply(&p->M, 1, x->v, 0, x->n_result);
        saddle_matrix_apply(&p->Jt, 1, x->lambda, 0, x->n_result);
        saddle_matrix_apply_transpose(&p->Jt, 1, x->v, 0, x->m_result);
    }
    if (p->R.rows > 0) saddle_matrix_apply(&p->R, 1, x->lambda, 0, x->m_result);
}

static void check(const saddle_problem *p, const checker_vectors *x)
{
    saddle_residual residual;
    saddle_residual_compute(p, x->v, x->lambda, x->m_result, x->work, &residual);
}

static double time_calls(void (*call)(const saddle_problem *, const checker_vectors *),
                         const saddle_problem *p, const checker_vectors *x, int64_t calls)
{
    double start = bench_processor_seconds();
    for (int64_t k = 0; k < calls; k++) call(p, x);
    return (bench_processor_seconds() - start) / (double)calls;
}

/* Both are timed in turn and compared pair by pair, so other work on the machine affects both
 * alike. */
static void measure(const bench_options *options, const char *name, const char *system,
                    const saddle_problem *p, const checker_vectors *x)
{
    double plain[REPETITIONS], ratio[REPETITIONS];
    int64_t calls = 1 + (int64_t)(BATCH_SECONDS / (time_calls(multiply, p, x, 3) + 1e-9));
    for (int k = 0; k < REPETITIONS; k++) {
        plain[k] = time_calls(multiply, p, x, calls);
        ratio[k] = time_calls(check, p, x, calls) / plain[k];
    }
    bench_row row = bench_row_start(name, system, "multiply", p);
    row.seconds = bench_median(plain, REPETITIONS);
    row.ratio = 1;
    bench_print_row(options, &row);
    row.method = "checker";
    row.ratio = bench_median(ratio, REPETITIONS);
    row.seconds *= row.ratio;
    bench_print_row(options, &row);
}

static void fill(double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++) x[i] = (double)(i % 101) / 101 - 0.4;
}

static int run_system(saddle_context *context, const bench_options *options, const char *name,
                      const char *system, const saddle_problem *p)
{
    checker_vectors x = {
        .v = saddle_allocate(context, p->n + 1, sizeof *x.v),
        .lambda = saddle_allocate(context, p->m + 1, sizeof *x.lambda),
        .n_result = saddle_allocate(context, p->n + 1, sizeof *x.n_result),
        .m_result = saddle_allocate(context, p->m + 1, sizeof *x.m_result),
        .work = saddle_allocate(context, saddle_residual_work_size(p) + 1, sizeof *x.work),
    };
    int failed = x.v == NULL || x.lambda == NULL || x.n_result == NULL || x.m_result == NULL ||
                 x.work == NULL;
    if (!failed) {
        fill(x.v, p->n);
        fill(x.lambda, p->m);
        measure(options, name, system, p, &x);
    }
    saddle_release(context, x.v);
    saddle_release(context, x.lambda);
    saddle_release(context, x.n_result);
    saddle_release(context, x.m_result);
    saddle_release(context, x.work);
    return failed;
}

int bench_checker(saddle_context *context, const bench_options *options, const char *name,
                  const bench_family *family)
{
    for (int k = 0; k < family->sizes; k++) {
        saddle_problem p;
        char system[64];
        snprintf(system, sizeof system, "%s-%" PRId64, family->name, family->size[k]);
        if (family->build(context, family->size[k], &p) != SADDLE_OK) return 1;
        int failed = 0, larger = options->largest > 0 && p.n + p.m > options->largest;
        if (!larger) failed = run_system(context, options, name, system, &p);
        saddle_problem_clear(&p);
        if (failed) return 1;
        if (larger) break; /* and so are the others */
    }
    return 0;
}
