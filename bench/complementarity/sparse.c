/* SPDX-License-Identifier: MIT */
/* See sparse.h. */
#include "complementarity/sparse.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>

#include "clock.h"
#include "factor/factorization.h"

enum { REPETITIONS = 3, CELLS = 20, SIZES = 4, HEAPS = 21, SPELL = 3, ROUNDS = 2, FEW_STOPS = 50 };

static const double factors_bar = 3.0;
static const double solves_bar = 1.5;
static const double flat = 1.1; /* of the time per row before: noise */

const char *const sparse_word[SPARSE_CASES] = {"fem-441", "fem-3000", "fem-few", "discs"};

static const int64_t heap[SIZES][2] = {{71, 35}, {100, 50}, {142, 71}, {200, 100}};

/* ---- one solver on one system ---- */

typedef struct taken {
    saddle_status status;
    double seconds; /* from the values to the answer, median; negative: refused */
    double residual;
    int64_t active; /* rows that push */
    int64_t pivots, steps;
} taken;

/* A solver on a sequence of systems of the same pattern. */
typedef struct course {
    saddle_solver *solver;
    saddle_solution x;
    saddle_status status; /* the first failure */
} course;

static void begin(saddle_context *context, const bench_options *options, const char *name,
                  const saddle_problem *problem, course *c)
{
    course fresh = {0};
    saddle_options chosen = saddle_options_default();
    chosen.time_limit = options->budget;
    *c = fresh;
    c->status = saddle_solution_create(context, problem->n, problem->m, &c->x);
    if (c->status == SADDLE_OK)
        c->status = saddle_solver_create(context, name, &chosen, &c->solver);
    if (c->status == SADDLE_OK) c->status = saddle_solver_analyse(c->solver, problem);
}

static taken go_on(course *c, const saddle_problem *problem)
{
    double began = bench_now();
    if (c->status == SADDLE_OK) c->status = saddle_solver_factor(c->solver, problem);
    if (c->status == SADDLE_OK) c->status = saddle_solver_solve(c->solver, problem, NULL, &c->x);
    taken t = {.seconds = bench_now() - began, .status = c->status};
    for (int64_t i = 0; c->status >= 0 && i < problem->m; i++) t.active += c->x.lambda[i] > 0.0;
    if (!c->solver) return t;
    t.residual = saddle_solver_report(c->solver)->residual.total;
    t.pivots = saddle_solver_report(c->solver)->pivots;
    t.steps = saddle_solver_report(c->solver)->iterations;
    return t;
}

static void end(course *c)
{
    saddle_solver_free(c->solver);
    saddle_solution_clear(&c->x);
}

static taken run_once(saddle_context *context, const bench_options *options, const char *name,
                      const saddle_problem *problem)
{
    course c;
    begin(context, options, name, problem, &c);
    taken t = go_on(&c, problem);
    end(&c);
    return t;
}

static taken run(saddle_context *context, const bench_options *options, const char *name,
                 const saddle_problem *problem)
{
    double seconds[REPETITIONS];
    taken t = {.seconds = -1};
    int count = 0;
    do {
        t = run_once(context, options, name, problem);
        seconds[count++] = t.seconds;
    } while (count < REPETITIONS && t.status == SADDLE_OK && t.seconds < 0.25 * options->budget);
    t.seconds = bench_median(seconds, count);
    return t;
}

/* ---- the engine's own times ---- */

typedef struct engine {
    double factor, solve; /* of M [s] */
} engine;

static saddle_status time_engine(saddle_context *context, const saddle_problem *problem,
                                 engine *own)
{
    double factor[REPETITIONS] = {0};
    double solve[REPETITIONS] = {0};
    saddle__factorization *F = NULL;
    double *x = saddle_allocate(context, problem->n + 1, sizeof *x);
    saddle_status status = x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK)
        status = saddle__factorization_create(context, "ldlt", SADDLE_ORDERING_BEST, &F);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(F, &problem->M);
    for (int k = 0; status == SADDLE_OK && k < REPETITIONS; k++) {
        double began = bench_now();
        status = saddle__factorization_factor(F, &problem->M, NULL, 0.0);
        factor[k] = bench_now() - began;
        for (int64_t j = 0; j < problem->n; j++) x[j] = 1.0;
        began = bench_now();
        if (status == SADDLE_OK) status = saddle__factorization_solve(F, x);
        solve[k] = bench_now() - began;
    }
    own->factor = bench_median(factor, REPETITIONS);
    own->solve = bench_median(solve, REPETITIONS);
    saddle__factorization_free(F);
    saddle_release(context, x);
    return status;
}

/* ---- tables ---- */

typedef struct table {
    saddle_context *context;
    const bench_options *options;
} table;

/* 1: the solver is listed and supports the problem. */
static int takes(const table *t, const saddle_solver_type *type, const saddle_problem *problem)
{
    if (!bench_listed(type->name, t->options->method)) return 0;
    return saddle_solver_type_supports(t->context, type, problem) == SADDLE_OK;
}

static int print_block(const table *t, sparse_case which)
{
    saddle_problem problem = {0};
    engine own;
    const saddle_solver_type *type;
    const char *word = sparse_word[which];
    saddle_status status = sparse_make_block(t->context, CELLS,
                                             which == SPARSE_FEM_441 ? 441 : 3000, &problem);
    if (status == SADDLE_OK && which == SPARSE_FEM_FEW) sparse_lower_stops(FEW_STOPS, &problem);
    if (status == SADDLE_OK) status = time_engine(t->context, &problem, &own);
    if (status == SADDLE_OK && !t->options->csv)
        printf("\n%s: n = %" PRId64 ", m = %" PRId64
               "; one factorization of M %.4f s, one solve %.5f s; bar: %g of those "
               "and %g of these a row that pushes\n%-14s %9s %9s %9s %9s %9s\n",
               word, problem.n, problem.m, own.factor, own.solve, factors_bar, solves_bar, "solver",
               "of bar", "seconds", "push", "pivots", "residual");
    if (status == SADDLE_OK && t->options->csv)
        puts("problem,method,of_bar,seconds,active,pivots,residual,status");
    for (int64_t k = 0;
         status == SADDLE_OK && (type = saddle_solver_type_at(t->context, k)) != NULL; k++) {
        if (!takes(t, type, &problem)) continue;
        taken r = run(t->context, t->options, type->name, &problem);
        double ratio = r.seconds /
                       (factors_bar * own.factor + solves_bar * own.solve * (double)r.active);
        printf(t->options->csv ? "%s,%s,%.4g,%.5g,%" PRId64 ",%" PRId64 ",%.1e,%s\n"
                               : "%.0s%-14s %9.3g %9.4g %9" PRId64 " %9" PRId64 " %9.1e  %s\n",
               word, type->name, ratio, r.seconds, r.active, r.pivots, r.residual,
               r.status == SADDLE_OK && !t->options->csv ? ratio <= 1.0 ? "" : "above the bar"
                                                         : saddle_status_name(r.status));
        fflush(stdout);
    }
    saddle_problem_clear(&problem);
    return status != SADDLE_OK;
}

/* Drawn heaps of a size: the number of steps is random.  HEAPS is a multiple of SPELL. */
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

/* A solver on all heaps of a size, round by round. */
typedef struct rounds {
    saddle_status status; /* the first failure */
    double residual;      /* the worst */
    int count;
    double seconds[ROUNDS * HEAPS];
    double steps[ROUNDS * HEAPS];
} rounds;

static void add(rounds *r, taken t)
{
    if (r->status == SADDLE_OK) r->status = t.status;
    r->seconds[r->count] = t.seconds;
    r->steps[r->count++] = (double)t.steps;
    r->residual = fmax(r->residual, t.residual);
}

typedef struct heap_times {
    int sizes; /* up to the first failure: larger heaps are skipped */
    rounds again[SIZES], fresh[SIZES];
} heap_times;

/* From the values to the answer.  malloc returns spare memory first: a small solver gets its memory
 * from the system too, like the first solver of a process. */
static taken run_fresh(const table *t, const char *name, const saddle_problem *problem)
{
    malloc_trim(0);
    return run_once(t->context, t->options, name, problem);
}

/* again: by a solver that goes from heap to heap, as from step to step, after a first heap; fresh:
 * each by a new solver with new memory. A few heaps of each size in turn, so other work on the
 * machine affects all sizes alike. */
static void time_heaps(const table *t, const char *name, const heaps *drawn, heap_times *times)
{
    course solver[SIZES];
    int made = 0;
    while (made < times->sizes) {
        begin(t->context, t->options, name, &drawn[made].problem[0], &solver[made]);
        taken first = go_on(&solver[made], &drawn[made].problem[HEAPS - 1]);
        if (first.status != SADDLE_OK) add(&times->again[made], first);
        if (first.status != SADDLE_OK) times->sizes = made + 1;
        made++;
    }
    for (int k = 0; k < ROUNDS * HEAPS; k += SPELL)
        for (int z = 0; z < times->sizes; z++) {
            const saddle_problem *problem = &drawn[z].problem[k % HEAPS];
            rounds *again = &times->again[z];
            rounds *fresh = &times->fresh[z];
            for (int d = 0; d < SPELL && again->status == SADDLE_OK; d++)
                add(again, go_on(&solver[z], &problem[d]));
            for (int d = 0; d < SPELL && again->status == SADDLE_OK && fresh->status == SADDLE_OK;
                 d++)
                add(fresh, run_fresh(t, name, &problem[d]));
            if (again->status != SADDLE_OK || fresh->status != SADDLE_OK) times->sizes = z + 1;
        }
    for (int z = 0; z < made; z++) end(&solver[z]);
}

static void print_times(const table *t, const char *word, const char *name, const heaps *drawn,
                        heap_times *times)
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
        saddle_status status = r->status != SADDLE_OK ? r->status : own->status;
        const char *verdict = each > flat * last          ? "more than before"
                              : fresh > flat * last_fresh ? "the first: more than before"
                                                          : "";
        printf(t->options->csv ? "%s,%s,%" PRId64 ",%" PRId64 ",%.5g,%.4g,%.4g,%" PRId64
                                 ",%.1e,%s\n"
                               : "%.0s%-14s %9" PRId64 " %9" PRId64 " %9.4g %12.4g %9.4g %9" PRId64
                                 " %9.1e  %s\n",
               word, name, first->n / 2, first->m, seconds, each, fresh,
               (int64_t)bench_median(r->steps, r->count), fmax(r->residual, own->residual),
               status == SADDLE_OK && !t->options->csv ? verdict : saddle_status_name(status));
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
    for (int z = 0; status == SADDLE_OK && z < SIZES; z++)
        status = make_heaps(t->context, heap[z], &drawn[z]);
    if (status == SADDLE_OK && !t->options->csv)
        printf("\n%s: medians of %d heaps, %d rounds; bar: the time per row falls or stays flat\n"
               "%-14s %9s %9s %9s %12s %9s %9s %9s\n",
               word, HEAPS, ROUNDS, "solver", "discs", "rows", "seconds", "us per row", "the first",
               "steps", "residual");
    if (status == SADDLE_OK && t->options->csv)
        puts("problem,method,discs,rows,seconds,us_per_row,us_per_row_first,steps,residual,status");
    for (int64_t k = 0;
         status == SADDLE_OK && (type = saddle_solver_type_at(t->context, k)) != NULL; k++) {
        heap_times times = {.sizes = SIZES};
        if (!takes(t, type, &drawn[0].problem[0])) continue;
        time_heaps(t, type->name, drawn, &times);
        print_times(t, word, type->name, drawn, &times);
    }
    for (int z = 0; z < SIZES; z++) clear_heaps(&drawn[z]);
    return status != SADDLE_OK;
}

int sparse_print(saddle_context *context, const bench_options *options, sparse_case which)
{
    table t = {.context = context, .options = options};
    if (which == SPARSE_DISCS) return print_heaps(&t, sparse_word[which]);
    return print_block(&t, which);
}
