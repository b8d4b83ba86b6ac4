/* SPDX-License-Identifier: MIT */
/* See sparse.h. */
#include "complementarity/sparse.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "factor/factorization.h"
#include "harness.h"

enum { REPETITIONS = 3, CELLS = 20, SIZES = 4, HEAPS = 21, ROUNDS = 2, FEW_STOPS = 50 };

static const double factors_bar = 3.0;
static const double solves_bar = 1.5;
static const double flat = 1.1; /* of the time per row before: noise */

const char *const sparse_word[SPARSE_CASES] = {"fem-441", "fem-3000", "fem-few", "discs"};

static const int64_t heap[SIZES][2] = {{71, 35}, {100, 50}, {142, 71}, {200, 100}};

/* ---- one solver on one system ------------------------------------------------------------------------------------ */

typedef struct taken {
    saddle_status status;
    double seconds; /* from the values to the answer, median; negative: refused */
    double residual;
    int64_t active; /* rows that push                                           */
    int64_t pivots, steps;
} taken;

/* One solver, analysed for the first of the problems, on all of them, which have its pattern. */
static void run_each(saddle_context *context, const lcp_options *options, const char *name,
                     const saddle_problem *problems, int count, taken *t)
{
    saddle_solver *solver = NULL;
    saddle_solution x = {0};
    saddle_options chosen = saddle_options_default();
    chosen.time_limit = options->budget;
    saddle_status status = saddle_solution_create(context, problems[0].n, problems[0].m, &x);
    if (status == SADDLE_OK) status = saddle_solver_create(context, name, &chosen, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &problems[0]);
    for (int d = 0; d < count; d++) {
        taken *one = &t[d];
        double began = lcp_now();
        if (status == SADDLE_OK) status = saddle_solver_factor(solver, &problems[d]);
        if (status == SADDLE_OK) status = saddle_solver_solve(solver, &problems[d], NULL, &x);
        taken now = {.seconds = lcp_now() - began, .status = status};
        *one = now;
        for (int64_t i = 0; status >= 0 && i < problems[d].m; i++) one->active += x.lambda[i] > 0.0;
        if (!solver) continue;
        one->residual = saddle_solver_report(solver)->residual.total;
        one->pivots = saddle_solver_report(solver)->pivots;
        one->steps = saddle_solver_report(solver)->iterations;
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
}

static taken run(saddle_context *context, const lcp_options *options, const char *name, const saddle_problem *problem)
{
    double seconds[REPETITIONS];
    taken t = {.seconds = -1};
    int count = 0;
    do {
        run_each(context, options, name, problem, 1, &t);
        seconds[count++] = t.seconds;
    } while (count < REPETITIONS && t.status == SADDLE_OK && t.seconds < 0.25 * options->budget);
    t.seconds = bench_median(seconds, count);
    return t;
}

/* ---- the engine's own times -------------------------------------------------------------------------------------- */

typedef struct engine {
    double factor, solve; /* of M [s] */
} engine;

static saddle_status time_engine(saddle_context *context, const saddle_problem *problem, engine *own)
{
    double factor[REPETITIONS] = {0};
    double solve[REPETITIONS] = {0};
    saddle__factorization *F = NULL;
    double *x = saddle_allocate(context, problem->n + 1, sizeof *x);
    saddle_status status = x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__factorization_create(context, "ldlt", SADDLE_ORDERING_BEST, &F);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(F, &problem->M);
    for (int k = 0; status == SADDLE_OK && k < REPETITIONS; k++) {
        double began = lcp_now();
        status = saddle__factorization_factor(F, &problem->M, NULL, 0.0);
        factor[k] = lcp_now() - began;
        for (int64_t j = 0; j < problem->n; j++) x[j] = 1.0;
        began = lcp_now();
        if (status == SADDLE_OK) status = saddle__factorization_solve(F, x);
        solve[k] = lcp_now() - began;
    }
    own->factor = bench_median(factor, REPETITIONS);
    own->solve = bench_median(solve, REPETITIONS);
    saddle__factorization_free(F);
    saddle_release(context, x);
    return status;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

typedef struct table {
    saddle_context *context;
    const lcp_options *options;
    int (*wanted)(const void *user, const char *solver);
    const void *user;
    int csv;
} table;

/* `name` on the problem; 0 = it takes no part. */
static int takes(const table *t, const saddle_solver_type *type, const saddle_problem *problem)
{
    if (t->wanted && !t->wanted(t->user, type->name)) return 0;
    return saddle_solver_type_supports(t->context, type, problem) == SADDLE_OK;
}

static int print_block(const table *t, sparse_case which)
{
    saddle_problem problem = {0};
    engine own;
    const saddle_solver_type *type;
    const char *word = sparse_word[which];
    saddle_status status = sparse_make_block(t->context, CELLS, which == SPARSE_FEM_441 ? 441 : 3000, &problem);
    if (status == SADDLE_OK && which == SPARSE_FEM_FEW) sparse_lower_stops(FEW_STOPS, &problem);
    if (status == SADDLE_OK) status = time_engine(t->context, &problem, &own);
    if (status == SADDLE_OK && !t->csv)
        printf("\n%s: n = %" PRId64 ", m = %" PRId64
               "; one factorization of M %.4f s, one solve %.5f s; bar: %g of those "
               "and %g of these a row that pushes\n%-14s %9s %9s %9s %9s %9s\n",
               word, problem.n, problem.m, own.factor, own.solve, factors_bar, solves_bar, "solver", "of bar",
               "seconds", "push", "pivots", "residual");
    for (int64_t k = 0; status == SADDLE_OK && (type = saddle_solver_type_at(t->context, k)) != NULL; k++) {
        if (!takes(t, type, &problem)) continue;
        taken r = run(t->context, t->options, type->name, &problem);
        double ratio = r.seconds / (factors_bar * own.factor + solves_bar * own.solve * (double)r.active);
        printf(t->csv ? "%s,%s,%.4g,%.5g,%" PRId64 ",%" PRId64 ",%.1e,%s\n"
                      : "%.0s%-14s %9.3g %9.4g %9" PRId64 " %9" PRId64 " %9.1e  %s\n",
               word, type->name, ratio, r.seconds, r.active, r.pivots, r.residual,
               r.status == SADDLE_OK && !t->csv ? ratio <= 1.0 ? "" : "above the bar" : saddle_status_name(r.status));
        fflush(stdout);
    }
    saddle_problem_clear(&problem);
    return status != SADDLE_OK;
}

/* Drawn heaps of one size: how many steps one takes is chance. */
typedef struct heaps {
    saddle_problem problem[HEAPS];
} heaps;

static void clear_heaps(heaps *h)
{
    for (int d = 0; d < HEAPS; d++) saddle_problem_clear(&h->problem[d]);
}

static saddle_status make_heaps(saddle_context *context, const int64_t size[2], heaps *h)
{
    saddle_status status = SADDLE_OK;
    for (int d = 0; status == SADDLE_OK && d < HEAPS; d++)
        status = sparse_make_heap(context, size[0], size[1], 3 + (uint64_t)d, &h->problem[d]);
    return status;
}

/* One solver on all heaps of one size, round by round. */
typedef struct rounds {
    saddle_status status; /* the first failure  */
    double residual;      /* the worst          */
    int count;
    double seconds[ROUNDS * HEAPS];
    double steps[ROUNDS * HEAPS];
} rounds;

/* again: by a solver that goes from heap to heap, as one does from step to step; else each by its own, to which the system has
 * still to give its memory. */
static void add_round(const table *t, const char *name, const heaps *h, int again, rounds *r)
{
    taken each[HEAPS] = {{.status = SADDLE_OK}};
    if (again) run_each(t->context, t->options, name, h->problem, HEAPS, each);
    for (int d = 0; d < HEAPS && r->status == SADDLE_OK; d++) {
        if (!again) run_each(t->context, t->options, name, &h->problem[d], 1, &each[d]);
        r->seconds[r->count] = each[d].seconds;
        r->steps[r->count++] = (double)each[d].steps;
        r->status = each[d].status;
        r->residual = fmax(r->residual, each[d].residual);
    }
}

typedef struct heap_times {
    int sizes; /* a failure is the last one: nor would the solver do larger ones */
    rounds again[SIZES], fresh[SIZES];
} heap_times;

/* All sizes in each round, so that what else the machine does falls on all of them. */
static void time_heaps(const table *t, const char *name, const heaps *drawn, heap_times *times)
{
    for (int k = 0; k < ROUNDS; k++)
        for (int z = 0; z < times->sizes; z++) {
            add_round(t, name, &drawn[z], 1, &times->again[z]);
            if (times->again[z].status == SADDLE_OK) add_round(t, name, &drawn[z], 0, &times->fresh[z]);
            if (times->again[z].status != SADDLE_OK) times->sizes = z + 1;
        }
}

static void print_times(const table *t, const char *word, const char *name, const heaps *drawn, heap_times *times)
{
    double last = (double)INFINITY;
    double last_fresh = (double)INFINITY;
    for (int z = 0; z < times->sizes; z++) {
        const saddle_problem *first = &drawn[z].problem[0];
        rounds *r = &times->again[z];
        rounds *own = times->fresh[z].count > 0 ? &times->fresh[z] : r;
        double seconds = bench_median(r->seconds, r->count);
        double each = 1e6 * seconds / (double)first->m;
        double fresh = 1e6 * bench_median(own->seconds, own->count) / (double)first->m;
        const char *verdict = each > flat * last          ? "more than before"
                              : fresh > flat * last_fresh ? "the first: more than before"
                                                          : "";
        printf(t->csv ? "%s,%s,%" PRId64 ",%" PRId64 ",%.5g,%.4g,%.4g,%" PRId64 ",%.1e,%s\n"
                      : "%.0s%-14s %9" PRId64 " %9" PRId64 " %9.4g %12.4g %9.4g %9" PRId64 " %9.1e  %s\n",
               word, name, first->n / 2, first->m, seconds, each, fresh, (int64_t)bench_median(r->steps, r->count),
               r->residual, r->status == SADDLE_OK && !t->csv ? verdict : saddle_status_name(r->status));
        last = each;
        last_fresh = fresh;
    }
    fflush(stdout);
}

static int print_heaps(const table *t, const char *word)
{
    const saddle_solver_type *type;
    heaps drawn[SIZES] = {0};
    saddle_status status = SADDLE_OK;
    for (int z = 0; status == SADDLE_OK && z < SIZES; z++) status = make_heaps(t->context, heap[z], &drawn[z]);
    if (status == SADDLE_OK && !t->csv)
        printf("\n%s: medians of %d heaps, %d rounds; bar: the time per row falls or stays flat\n"
               "%-14s %9s %9s %9s %12s %9s %9s %9s\n",
               word, HEAPS, ROUNDS, "solver", "discs", "rows", "seconds", "us per row", "the first", "steps",
               "residual");
    for (int64_t k = 0; status == SADDLE_OK && (type = saddle_solver_type_at(t->context, k)) != NULL; k++) {
        heap_times times = {.sizes = SIZES};
        if (!takes(t, type, &drawn[0].problem[0])) continue;
        time_heaps(t, type->name, drawn, &times);
        print_times(t, word, type->name, drawn, &times);
    }
    for (int z = 0; z < SIZES; z++) clear_heaps(&drawn[z]);
    return status != SADDLE_OK;
}

int sparse_print(saddle_context *context, const lcp_options *options, sparse_case which,
                 int (*wanted)(const void *user, const char *solver), const void *user, int csv)
{
    table t = {.context = context, .options = options, .wanted = wanted, .user = user, .csv = csv};
    if (which == SPARSE_DISCS) return print_heaps(&t, sparse_word[which]);
    return print_block(&t, which);
}
