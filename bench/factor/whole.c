/* SPDX-License-Identifier: MIT */
/* Calls of some microseconds: each is timed alone, some hundred times, in turn with LAPACK's, so
 * other work on the machine affects both alike. */
#include "factor/whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "harness.h"
#include "saddle/saddle.h"

void dsysv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, int *ipiv,
            double *b, const int *ldb, double *work, const int *lwork, int *info,
            size_t uplo_length);
void dsytrf_(const char *uplo, const int *n, double *a, const int *lda, int *ipiv, double *work,
             const int *lwork, int *info, size_t uplo_length);
void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t uplo_length);

enum { CALLS = 601, SPANS = 7, BLOCK = 64 };
enum { ANALYSE, FACTOR, SOLVE, ALL, SYSV, SYTRF, SYTRS };

typedef struct whole_run {
    saddle_problem problem; /* a view: all rows equations, f and b drawn */
    saddle_solution solution;
    int n;
    double *dense, *copy, *work; /* n x n, n x n, BLOCK n */
    double *b, *x;               /* n */
    int *pivot;                  /* n */
    double *seconds;             /* SPANS x CALLS */
} whole_run;

static void release(whole_run *run)
{
    saddle_solution_clear(&run->solution);
    free(run->dense);
    free(run->copy);
    free(run->work);
    free(run->b);
    free(run->x);
    free(run->pivot);
    free(run->seconds);
}

/* Nonzero: out of memory. */
static int prepare(const bench_system *system, whole_run *run)
{
    const saddle_matrix *K = &system->kkt.K;
    size_t n = (size_t)K->rows;
    uint64_t seed = 1;
    run->n = (int)n;
    run->dense = calloc(n * n + 1, sizeof *run->dense);
    run->copy = calloc(n * n + 1, sizeof *run->copy);
    run->work = calloc(n * BLOCK + 1, sizeof *run->work);
    run->b = calloc(n + 1, sizeof *run->b);
    run->x = calloc(n + 1, sizeof *run->x);
    run->pivot = calloc(n + 1, sizeof *run->pivot);
    run->seconds = calloc((size_t)SPANS * CALLS, sizeof *run->seconds);
    if (!run->dense || !run->copy || !run->work || !run->b || !run->x || !run->pivot ||
        !run->seconds)
        return 1;
    for (size_t j = 0; j < n; j++) {
        run->x[j] = draw_fraction(&seed); /* consistent also with dependent rows */
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            run->dense[(size_t)K->index[k] + j * n] = K->value[k];
    }
    saddle_matrix_apply(K, 1, run->x, 0, run->b);
    run->problem = system->problem;
    run->problem.f = run->b;
    run->problem.b = run->b + system->problem.n;
    run->problem.lo = run->problem.hi = NULL;
    run->problem.contacts = NULL;
    run->problem.contact_count = 0;
    return saddle_solution_create(system->context, run->problem.n, run->problem.m,
                                  &run->solution) != SADDLE_OK;
}

static saddle_status call_ours(const bench_system *system, whole_run *run, int call,
                               whole_call *result)
{
    saddle_solver *solver = NULL;
    double time[5] = {saddle_clock()};
    saddle_status status = saddle_solver_create(system->context, "ldlt", NULL, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &run->problem);
    time[1] = saddle_clock();
    if (status >= 0) status = saddle_solver_factor(solver, &run->problem);
    time[2] = saddle_clock();
    if (status >= 0) status = saddle_solver_solve(solver, &run->problem, NULL, &run->solution);
    time[3] = saddle_clock();
    if (status == SADDLE_OK) {
        result->steps = (int)saddle_solver_report(solver)->refinements;
        result->backward_error = saddle_solver_report(solver)->backward_error;
    }
    saddle_solver_free(solver);
    time[4] = saddle_clock();
    for (int k = ANALYSE; k <= SOLVE; k++) run->seconds[k * CALLS + call] = time[k + 1] - time[k];
    run->seconds[ALL * CALLS + call] = time[4] - time[0];
    return status;
}

/* info of LAPACK's */
static int call_lapack(whole_run *run, int call)
{
    size_t n = (size_t)run->n;
    int one = 1, length = BLOCK * run->n, info = 0;
    memcpy(run->copy, run->dense, n * n * sizeof *run->copy);
    memcpy(run->x, run->b, n * sizeof *run->x);
    double began = saddle_clock();
    dsysv_("L", &run->n, &one, run->copy, &run->n, run->pivot, run->x, &run->n, run->work, &length,
           &info, 1);
    run->seconds[SYSV * CALLS + call] = saddle_clock() - began;
    if (info != 0) return info;
    memcpy(run->copy, run->dense, n * n * sizeof *run->copy);
    memcpy(run->x, run->b, n * sizeof *run->x);
    began = saddle_clock();
    dsytrf_("L", &run->n, run->copy, &run->n, run->pivot, run->work, &length, &info, 1);
    double factored = saddle_clock();
    if (info != 0) return info;
    dsytrs_("L", &run->n, &one, run->copy, &run->n, run->pivot, run->x, &run->n, &info, 1);
    run->seconds[SYTRF * CALLS + call] = factored - began;
    run->seconds[SYTRS * CALLS + call] = saddle_clock() - factored;
    return info;
}

static void measure(const bench_system *system, whole_run *run, whole_call *result)
{
    for (int call = 0; call < CALLS; call++) {
        saddle_status status = call_ours(system, run, call, result);
        if (status != SADDLE_OK) {
            snprintf(result->why, sizeof result->why, "%s",
                     saddle_context_message(system->context));
            return;
        }
        if (call_lapack(run, call) != 0) {
            snprintf(result->why, sizeof result->why, "singular for dsysv");
            return;
        }
    }
    double *const median[SPANS] = {&result->analyse, &result->factor, &result->solve, &result->all,
                                   &result->dsysv,   &result->dsytrf, &result->dsytrs};
    for (int k = 0; k < SPANS; k++) *median[k] = bench_median(run->seconds + k * CALLS, CALLS);
}

int whole_measure(const bench_system *system, whole_call *result)
{
    whole_call none = {.all = -1};
    whole_run run = {.n = 0};
    *result = none;
    int failed = prepare(system, &run);
    if (!failed) measure(system, &run, result);
    release(&run);
    return failed;
}
