/* SPDX-License-Identifier: MIT */
/* Each phase is repeated 3 to 200 times, until a second has passed; once where a run takes longer
 * than the budget. The right-hand sides are b = K x* of drawn x*, so that singular systems are
 * consistent and the error is known. */
#include "factor/measure.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw.h"
#include "matrix/twofold.h"

#define LEAST_REPETITIONS 3
#define MOST_REPETITIONS 200
#define ENOUGH_SECONDS 1.0
#define SHORT_SECONDS 1e-3 /* below, reading the processor's clock would show: the wall's then */
#define GEMM_ORDER 2000

typedef struct measure_run {
    const bench_options *options;
    const bench_peer *peer;
    const bench_system *system;
    peer_input input;
    void *state;
    int64_t n;
    int64_t columns;       /* of the next solves */
    double foreseen;       /* flops predicted by the analysis or by an AMD ordering */
    double *exact, *b, *x; /* n x MEASURE_COLUMNS */
    double *r;             /* n */
    saddle__twofold *sum;  /* n */
    long double *work;     /* 3 n */
    measurement *result;
} measure_run;

typedef int run_phase(measure_run *run);

static double now(int cpu)
{
    struct timespec t;
    clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- accuracy ----
 *
 * Judged in long double, apart from the solver.  K is symmetric: each stored entry off the diagonal
 * acts twice. */

/* r = b - K x, summed in twice the precision as the solvers of saddle do; returns the componentwise
 * backward error (Oettli and Prager, Numer. Math. 6, 1964).  sum: n, scratch. */
static double residual_of(const saddle_matrix *K, const double *b, const double *x, double *r,
                          saddle__twofold *sum)
{
    double worst = 0;
    saddle__twofold_set(K->rows, b, sum);
    saddle__twofold_add(K, -1, x, sum);
    for (int64_t i = 0; i < K->rows; i++) {
        r[i] = saddle__twofold_value(sum[i]);
        if (!(fabs(r[i]) <= worst * sum[i].modulus))
            worst = fabs(r[i]) / sum[i].modulus; /* NaN stays */
    }
    return worst;
}

/* residual       |b - K x| / (|K| |x| + |b|), largest entries, |K| largest row sum
 * componentwise  max_i |b - K x|_i / (|K| |x| + |b|)_i
 * work: 3 n. */
typedef struct accuracy {
    double residual, componentwise;
} accuracy;

static accuracy accuracy_of(const saddle_matrix *K, const double *b, const double *x,
                            long double *work)
{
    int64_t n = K->rows;
    long double *r = work, *size = work + n, *sum = work + 2 * n;
    long double largest_b = 0, largest_x = 0, largest_r = 0, norm = 0, worst = 0;
    for (int64_t i = 0; i < n; i++) {
        r[i] = b[i];
        size[i] = fabsl(r[i]);
        sum[i] = 0;
        largest_b = fmaxl(largest_b, size[i]);
        largest_x = fmaxl(largest_x, fabsl((long double)x[i]));
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            long double a = K->value[k];
            r[i] -= a * x[j];
            size[i] += fabsl(a * x[j]);
            sum[i] += fabsl(a);
            if (i == j) continue;
            r[j] -= a * x[i];
            size[j] += fabsl(a * x[i]);
            sum[j] += fabsl(a);
        }
    for (int64_t i = 0; i < n; i++) {
        long double error = r[i] == 0 ? 0 : fabsl(r[i]) / size[i];
        if (!(error <= worst)) worst = error;
        if (!(fabsl(r[i]) <= largest_r)) largest_r = fabsl(r[i]);
        norm = fmaxl(norm, sum[i]);
    }
    long double whole = norm * largest_x + largest_b;
    accuracy found = {.residual = whole > 0 ? (double)(largest_r / whole) : 0,
                      .componentwise = (double)worst};
    return found;
}

/* ---- phases ---- */

static int run_analyse(measure_run *run)
{
    return run->peer->program->analyse(run->state, &run->input, &run->result->facts);
}

static int run_factor(measure_run *run)
{
    return run->peer->program->factor(run->state, &run->input, &run->result->facts);
}

static int run_solve(measure_run *run)
{
    return run->peer->program->solve(run->state, &run->input, run->columns, run->x,
                                     &run->result->facts);
}

/* x += K^-1 (b - K x) while the componentwise backward error falls to less than half, and a step
 * without decrease is undone. */
static int run_refined(measure_run *run)
{
    const saddle_matrix *K = run->input.K;
    measurement *result = run->result;
    int failed = run_solve(run);
    double error = residual_of(K, run->b, run->x, run->r, run->sum);
    result->steps = 0;
    while (!failed && error > 2.3e-16 && result->steps < run->peer->refinements) {
        failed = run->peer->program->solve(run->state, &run->input, 1, run->r, &result->facts);
        for (int64_t i = 0; i < run->n; i++) {
            run->x[i] += run->r[i];
            run->x[run->n + i] = run->r[i];
        }
        double next = residual_of(K, run->b, run->x, run->r, run->sum);
        if (!(next < error))
            for (int64_t i = 0; i < run->n; i++) run->x[i] -= run->x[run->n + i];
        else
            result->steps++;
        if (!(next < 0.5 * error)) break;
        error = next;
    }
    return failed;
}

/* The median of a phase; negative: failed. x is reset to b before each run. */
static double repeat(measure_run *run, run_phase *phase, int *repetitions)
{
    double seconds[MOST_REPETITIONS], spent = 0;
    const int64_t most = run->options->repeat;
    int count = 0, cpu = run->options->cpu && !run->peer->program->in_children;
    while (count < MOST_REPETITIONS && (most == 0 || count < most) &&
           (count < LEAST_REPETITIONS || spent < ENOUGH_SECONDS)) {
        if (count > 0 && spent + seconds[count - 1] > run->options->budget) break;
        memcpy(run->x, run->b, (size_t)(run->n * MEASURE_COLUMNS) * sizeof *run->x);
        run->result->facts.counted = -1;
        double start = now(cpu);
        if (phase(run)) return -1;
        double taken = now(cpu) - start;
        seconds[count] = run->result->facts.counted >= 0 ? run->result->facts.counted : taken;
        spent += taken;
        if (taken < SHORT_SECONDS) cpu = 0;
        count++;
    }
    if (repetitions != NULL) *repetitions = count;
    return bench_median(seconds, count);
}

/* ---- one measurement ---- */

/* The square of the growth in unknowns since the system before in the family; 0 = unknown. */
static double growth(const measure_run *run, const measure_past *past)
{
    if (past->family == NULL || *past->family == 0 ||
        strcmp(past->family, run->system->family) != 0)
        return 0;
    double grown = (double)run->n / past->unknowns;
    return grown * grown;
}

/* Seconds of the factorization. */
static double foresee(const measure_run *run, const measure_past *past)
{
    return run->foreseen / (growth(run, past) > 0 && past->rate > 0 ? past->rate : run->peer->rate);
}

static void remember(const measure_run *run, measure_past *past)
{
    const measurement *result = run->result;
    past->family = run->system->family;
    past->unknowns = (double)run->n;
    past->analyse = result->analyse;
    past->rate = result->factor > 0 ? run->foreseen / result->factor : 0;
}

static int over_budget(measure_run *run, const char *what, double foreseen)
{
    if (foreseen <= run->options->budget) return 0;
    return peer_fail(&run->result->facts, "%s not run: foreseen %.3g s, budget %.3g s", what,
                     foreseen, run->options->budget);
}

static void judge_solve(measure_run *run)
{
    measurement *result = run->result;
    result->residual = accuracy_of(run->input.K, run->b, run->x, run->work).residual;
}

static void judge_refined(measure_run *run)
{
    measurement *result = run->result;
    double difference = 0, largest = 0;
    result->refined_error = accuracy_of(run->input.K, run->b, run->x, run->work).componentwise;
    for (int64_t i = 0; i < run->n; i++) {
        double error = fabs(run->x[i] - run->exact[i]);
        if (!(error <= difference)) difference = error;
        largest = fmax(largest, fabs(run->exact[i]));
    }
    result->forward_error = largest > 0 ? difference / largest : 0;
}

static void measure_phases(measure_run *run, measure_past *past)
{
    measurement *result = run->result;
    if (run->peer->program->prepare(run->state, &run->input, &result->facts)) return;
    if (over_budget(run, "analyse", past->analyse * growth(run, past))) return;
    result->analyse = repeat(run, run_analyse, NULL);
    run->foreseen = result->facts.flops >= 0 ? result->facts.flops : peer_amd_flops(run->input.K);
    if (result->analyse < 0 || over_budget(run, "factor", foresee(run, past))) return;
    result->factor = repeat(run, run_factor, &result->repetitions);
    if (result->factor < 0) return;
    remember(run, past);
    run->columns = 1;
    result->solve = repeat(run, run_solve, NULL);
    if (result->solve < 0) return;
    judge_solve(run);
    result->refined = repeat(run, run_refined, NULL);
    if (result->refined < 0) return;
    judge_refined(run);
    run->columns = MEASURE_COLUMNS;
    result->solve_many = repeat(run, run_solve, NULL);
}

static int allocate(measure_run *run)
{
    size_t n = (size_t)run->n + 1;
    run->exact = calloc(n * MEASURE_COLUMNS, sizeof *run->exact);
    run->b = calloc(n * MEASURE_COLUMNS, sizeof *run->b);
    run->x = calloc(n * MEASURE_COLUMNS, sizeof *run->x);
    run->r = calloc(n, sizeof *run->r);
    run->sum = calloc(n, sizeof *run->sum);
    run->work = calloc(n * 3, sizeof *run->work);
    run->state = calloc(1, run->peer->program->state_size);
    return !run->exact || !run->b || !run->x || !run->r || !run->sum || !run->work || !run->state;
}

static void release(measure_run *run)
{
    if (run->state != NULL) run->peer->program->clear(run->state, &run->input);
    free(run->state);
    free(run->exact);
    free(run->b);
    free(run->x);
    free(run->r);
    free(run->sum);
    free(run->work);
}

static void draw_systems(measure_run *run)
{
    uint64_t seed = 1;
    for (int64_t k = 0; k < run->n * MEASURE_COLUMNS; k++) run->exact[k] = draw_fraction(&seed);
    for (int64_t k = 0; k < MEASURE_COLUMNS; k++)
        saddle_matrix_apply(run->input.K, 1, run->exact + k * run->n, 0, run->b + k * run->n);
}

int measure_peer(const bench_options *options, const bench_peer *peer, const bench_system *system,
                 measure_past *past, measurement *result)
{
    const saddle__regularization *regularization = &system->regularization;
    measurement fresh = {.peer = peer,
                         .threads = (int)options->threads,
                         .unknowns = system->kkt.K.rows,
                         .analyse = -1,
                         .factor = -1,
                         .solve = -1,
                         .solve_many = -1,
                         .refined = -1,
                         .steps = -1,
                         .residual = -1,
                         .refined_error = -1,
                         .forward_error = -1,
                         .facts = {.entries = -1, .flops = -1, .perturbed = -1}};
    *result = fresh;
    measure_run run = {.options = options,
                       .peer = peer,
                       .system = system,
                       .n = system->kkt.K.rows,
                       .columns = 1,
                       .result = result,
                       .input = {.context = system->context,
                                 .K = &system->kkt.K,
                                 .regularized = system->regularized,
                                 .sign = regularization->sign,
                                 .late = regularization->weak,
                                 .scale = regularization->scale,
                                 .variant = peer->variant,
                                 .threads = (int)options->threads}};
    int failed = allocate(&run);
    if (!failed) {
        draw_systems(&run);
        measure_phases(&run, past);
    }
    release(&run);
    return failed;
}

/* ---- dgemm ---- */

const char *measure_kernels(void)
{
    return openblas_get_corename();
}

double measure_dgemm(const bench_options *options)
{
    size_t entries = (size_t)GEMM_ORDER * GEMM_ORDER;
    double *a = malloc(entries * sizeof *a), *b = malloc(entries * sizeof *b),
           *c = malloc(entries * sizeof *c);
    double seconds[LEAST_REPETITIONS], rate = -1;
    if (a != NULL && b != NULL && c != NULL) {
        for (size_t k = 0; k < entries; k++) a[k] = b[k] = c[k] = 1.0 / (double)(k + 1);
        for (int k = 0; k < LEAST_REPETITIONS; k++) {
            double start = now(options->cpu);
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, GEMM_ORDER, GEMM_ORDER, GEMM_ORDER,
                        -1, a, GEMM_ORDER, b, GEMM_ORDER, 1, c, GEMM_ORDER);
            seconds[k] = now(options->cpu) - start;
        }
        rate = 2.0 * GEMM_ORDER * (double)entries / bench_median(seconds, LEAST_REPETITIONS);
    }
    free(a);
    free(b);
    free(c);
    return rate;
}
