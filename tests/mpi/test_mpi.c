/* SPDX-License-Identifier: MIT */
/* Problems over several processes against the same problems in one: run by mpirun with 1 to 3. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../solvers/collection.h"
#include "factor/mumps.h"
#include "parts.h"

static double *drawn_vector(uint64_t *seed, int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    for (int64_t i = 0; i < count; i++) x[i] = test_uniform(seed, -1.0, 1.0);
    return x;
}

/* The checker over parts, at drawn vectors. */
static void check_residual(const saddle_problem *whole, split how, uint64_t *seed)
{
    share s = part_of(whole, how, seed);
    double *v = drawn_vector(seed, whole->n), *lambda = drawn_vector(seed, whole->m);
    double *work = calloc((size_t)saddle_residual_work_size(whole) + 1, sizeof *work);
    saddle_residual one, all;
    saddle_residual_compute(whole, v, lambda, NULL, work, &one);
    CLAIM(saddle_mpi_residual(MPI_COMM_WORLD, context, &s.problem, v, lambda, &all) == SADDLE_OK);
    residuals_agree(&one, &all);
    free(v);
    free(lambda);
    free(work);
    free_share(&s);
}

static void the_checker_over_parts_is_the_checker(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < mpi_test_draws(200); trial++) {
        const split how = (split)(trial % SPLITS);
        drawn d;
        draw_problem(&seed, draw_kind(&seed, 12, 0, 0), &d);
        check_residual(&d.problem, how, &seed);
        drawn_clear(&d);
        mixed *x = mixed_draw(&seed, mixed_draw_kind(&seed, 6));
        check_residual(&x->problem, how, &seed);
        mixed_clear(x);
    }
}

/* Drawn equations over parts, by each split in turn. */
static void check_equations(int draws, int unsymmetric, const char *name, double accuracy)
{
    uint64_t seed = test_seed();
    int solved = 0;
    for (int trial = 0; trial < mpi_test_draws(draws); trial++) {
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12,
                                  .m = 5,
                                  .unsymmetric = unsymmetric,
                                  .compliance = (drawn_compliance)(trial % 4)},
                     &d);
        solved += check_solve(&d.problem, (split)(trial % SPLITS), &seed, name, accuracy);
        drawn_clear(&d);
    }
    CLAIM(solved > 0);
}

static void drawn_equations_have_the_same_solution(void **unused)
{
    (void)unused;
    check_equations(60, 0, "ldlt", 1e-9);
}

static void drawn_unsymmetric_equations_have_the_same_solution(void **unused)
{
    (void)unused;
    check_equations(40, 1, "lu", 1e-9);
}

/* Of the parts, and of the matrices gathered; not the checker's moduli, which are added. */
static void entries_that_several_give_are_added(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    int solved = 0;
    for (int trial = 0; trial < mpi_test_draws(40); trial++) {
        const int is_general = trial % 4 == 0;
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12,
                                  .m = 5,
                                  .unsymmetric = is_general,
                                  .compliance = (drawn_compliance)(trial / 4 % 4)},
                     &d);
        solved += check_solve(&d.problem, BY_SUMMANDS, &seed,
                              is_general  ? "lu"
                              : trial % 2 ? "ldlt"
                                          : "schur",
                              1e-7);
        drawn_clear(&d);
    }
    CLAIM(solved > 0);
}

/* Dependent rows, and contradictory rows: the status of one process. */
static void dependent_rows_are_told_as_in_one_process(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static const char *const names[] = {"ldlt", "schur", "pivot"};
    int refused = 0;
    for (int trial = 0; trial < mpi_test_draws(40); trial++) {
        const char *name = names[trial % 3];
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12, .m = 5, .redundant = 1, .contradictory = trial % 2 == 0},
                     &d);
        share s = part_of(&d.problem, (split)(trial % SPLITS), &seed);
        saddle_solution one = {0}, all = {0};
        saddle_report report;
        const saddle_status expected = saddle_solve(context, &d.problem, name, NULL, NULL, &one,
                                                    NULL);
        CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, name, NULL, NULL, &all,
                               &report) == expected);
        CLAIM(expected != SADDLE_INFEASIBLE || report.proof.kind == SADDLE_PROOF_ROWS);
        refused += expected != SADDLE_OK;
        saddle_solution_clear(&one);
        saddle_solution_clear(&all);
        free_share(&s);
        drawn_clear(&d);
    }
    CLAIM(refused > 0);
}

/* M in parts: the rows' complement is MUMPS'. */
static void drawn_delassus_operators_have_the_same_solution(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    int solved = 0;
    for (int trial = 0; trial < mpi_test_draws(40); trial++) {
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12, .m = 5, .compliance = (drawn_compliance)(trial % 4)},
                     &d);
        solved += check_solve(&d.problem, (split)(trial % SPLITS), &seed, "schur", 1e-7);
        drawn_clear(&d);
        mixed *x = mixed_draw(&seed, (mixed_kind){.class = MIXED_DEFINITE, .n = 8, .m = 6});
        solved += check_solve(&x->problem, (split)(trial % SPLITS), &seed, "schur", 1e-6);
        mixed_clear(x);
    }
    CLAIM(solved > 0);
}

/* The last process holds all entries: the first solves with less memory of its own than M has. */
static void matrices_of_equations_stay_where_they_are(void **unused)
{
    (void)unused;
    saddle_problem whole;
    uint64_t seed = test_seed();
    make_band(&whole, 2000, 200);
    share s = part_of(&whole, LAST_ONLY, &seed);
    const int64_t bytes = saddle_matrix_entries(&whole.M) * (int64_t)sizeof(double);
    test_memory memory;
    saddle_context *kept = context;
    context = test_memory_begin(&memory, -1);
    saddle_solution x = {0};
    saddle_report report;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "auto", NULL, NULL, &x, &report) ==
          SADDLE_OK);
    CLAIM(strstr(report.note, "equations alone"));
    CLAIM(rank == processes - 1 || saddle_context_memory(context).peak_bytes < bytes);
    saddle_solution_clear(&x);
    test_memory_end(&memory, context);
    context = kept;
    free_share(&s);
    saddle_problem_clear(&whole);
}

/* The same of bounds, where the rows are few. */
static void the_mass_of_bounded_rows_stays_where_it_is(void **unused)
{
    (void)unused;
    static const char *const names[] = {"auto", "admm"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        saddle_problem whole;
        uint64_t seed = test_seed();
        make_band(&whole, 2000, 200);
        whole.lo = saddle_allocate(context, whole.m, sizeof *whole.lo); /* 0 <= lambda */
        share s = part_of(&whole, LAST_ONLY, &seed);
        const int64_t bytes = saddle_matrix_entries(&whole.M) * (int64_t)sizeof(double);
        test_memory memory;
        saddle_context *kept = context;
        context = test_memory_begin(&memory, -1);
        saddle_solution x = {0};
        saddle_report report;
        CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, names[k], NULL, NULL, &x,
                               &report) == SADDLE_OK);
        CLAIM(strstr(report.note, "M in parts"));
        CLAIM(rank == processes - 1 || saddle_context_memory(context).peak_bytes < bytes);
        saddle_solution_clear(&x);
        test_memory_end(&memory, context);
        context = kept;
        free_share(&s);
        saddle_problem_clear(&whole);
    }
}

/* Bounds and contacts by solvers whose factors are shared. */
static void drawn_contacts_have_the_same_solution(void **unused)
{
    (void)unused;
    static const char *const names[] = {"auto", "pivot", "admm"};
    uint64_t seed = test_seed();
    int solved = 0;
    for (int trial = 0; trial < mpi_test_draws(60); trial++) {
        mixed_kind kind = {.class = MIXED_DEFINITE, .n = 8, .m = 6, .contacts = trial % 2};
        mixed *x = mixed_draw(&seed, kind);
        solved += check_solve(&x->problem, (split)(trial % SPLITS), &seed, names[trial % 3], 1e-6);
        mixed_clear(x);
    }
    CLAIM(solved > 0);
}

/* ---- files ---- */

static int is_symmetric(const saddle_problem *p)
{
    return (saddle_matrix_entries(&p->M) == 0 || p->M.symmetry == SADDLE_SYMMETRY_LOWER) &&
           (saddle_matrix_entries(&p->R) == 0 || p->R.symmetry == SADDLE_SYMMETRY_LOWER);
}

/* Large files by one and two processes alone. */
static void solve_files(collection all)
{
    uint64_t seed = test_seed();
    int solved = 0;
    for (int64_t k = 0; k < all.count; k++) {
        saddle_problem p = {0};
        saddle_read_options options = {.rhs = all.rhs[k]};
        if (saddle_problem_read(context, all.path[k], &options, &p, NULL, NULL, NULL) != SADDLE_OK)
            continue;
        const saddle_row_counts rows = saddle_problem_count_rows(&p);
        const int64_t large = p.n > 0 && rows.equality == p.m ? 25000 : 3000;
        const int64_t most = test_is_slow() ? 300 : large;
        if (is_symmetric(&p) && p.n + p.m < most)
            solved += check_solve(&p, BY_ROWS, &seed, "auto", 1e-6);
        saddle_problem_clear(&p);
    }
    if (rank == 0)
        printf("%d files solved by %d processes, %d solves with M in parts so far\n", solved,
               processes, with_mass_in_parts);
    CLAIM(solved > 0);
    collection_clear(&all);
}

static void our_bundles_are_solved(void **unused)
{
    (void)unused;
    solve_files(collection_of_bundles());
}

static void public_files_are_solved(void **unused)
{
    (void)unused;
    solve_files(collection_of_public_problems());
}

/* Read in pieces, gathered again: the same problem. */
static void a_bundle_read_in_pieces_is_the_bundle(void **unused)
{
    (void)unused;
    collection all = collection_of_bundles();
    int read = 0;
    for (int64_t k = 0; k < all.count; k++) {
        saddle_problem p = {0}, part, whole;
        if (saddle_problem_read(context, all.path[k], NULL, &p, NULL, NULL, NULL) != SADDLE_OK)
            continue;
        CLAIM(saddle_mpi_read(MPI_COMM_WORLD, context, all.path[k], &part) == SADDLE_OK);
        CLAIM(saddle_mpi_gather(MPI_COMM_WORLD, context, &part, &whole) == SADDLE_OK);
        if (rank == 0) {
            const int64_t entries = saddle_matrix_entries(&p.M);
            CLAIM(whole.n == p.n && whole.m == p.m && whole.contact_count == p.contact_count);
            CLAIM(saddle_matrix_entries(&whole.M) == entries);
            CLAIM(saddle_matrix_entries(&whole.Jt) == saddle_matrix_entries(&p.Jt));
            CLAIM(entries == 0 ||
                  memcmp(whole.M.value, p.M.value, (size_t)entries * sizeof(double)) == 0);
            for (int64_t i = 0; i < p.m; i++)
                CLAIM(saddle_problem_lo(&whole, i) == saddle_problem_lo(&p, i) &&
                      saddle_problem_hi(&whole, i) == saddle_problem_hi(&p, i));
        }
        read++;
        saddle_problem_clear(&p);
        saddle_problem_clear(&part);
        saddle_problem_clear(&whole);
    }
    CLAIM(read > 3);
    collection_clear(&all);
}

/* ---- failure ---- */

/* A wrong argument of one process is an error of all, which names the process. */
static void a_failure_of_one_is_a_failure_of_all(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    drawn d;
    draw_problem(&seed, (drawn_kind){.n = 4, .m = 2}, &d);
    saddle_solution x = {0};
    share s = part_of(&d.problem, BY_ROWS, &seed);
    const int last = rank == processes - 1;
    if (last && s.problem.f) s.problem.f[0] = (double)NAN;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, NULL, NULL, NULL, &x, NULL) ==
          SADDLE_INVALID_PROBLEM);
    char name[32];
    snprintf(name, sizeof name, "process %d", processes - 1);
    saddle_context *kept = context;
    if (last) context = NULL;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, NULL, NULL, NULL, &x, NULL) <
          SADDLE_OK);
    context = kept;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, NULL, NULL, NULL, &x, NULL) ==
          SADDLE_INVALID_PROBLEM);
    CLAIM(processes == 1 || strstr(saddle_context_message(context), name));
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, last ? NULL : &s.problem, NULL, NULL, NULL, &x,
                           NULL) < SADDLE_OK);
    if (last && s.problem.f) s.problem.f[0] = 0.0;
    const saddle_status named = saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "no such",
                                                 NULL, NULL, &x, NULL);
    CLAIM(named == SADDLE_UNKNOWN_NAME);
    CLAIM(strstr(saddle_context_message(context), "no such"));
    saddle_problem other = s.problem;
    other.n += last; /* sizes that differ, or that contradict M */
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &other, NULL, NULL, NULL, &x, NULL) <
          SADDLE_OK);
    saddle_problem part;
    CLAIM(saddle_mpi_read(MPI_COMM_WORLD, context, "no such folder", &part) < SADDLE_OK);
    CLAIM(saddle_context_message(context)[0] != '\0');
    free_share(&s);
    drawn_clear(&d);
}

/* Wrong sizes that no list reveals, and NULL arguments in one process. */
static void wrong_arguments_of_parts_are_errors_of_all(void **unused)
{
    (void)unused;
    const int last = rank == processes - 1;
    int64_t none[1] = {0};
    double mass[1] = {2.0};
    saddle_mpi_part part = {.n = -5, .velocity = none, .row = none};
    saddle_solution x = {0}, whole = {0}, hollow = {0};
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, NULL, &x, NULL) ==
          SADDLE_INVALID_ARGUMENT);
    part.n = INT64_MAX;
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, NULL, &x, NULL) ==
          SADDLE_TOO_LARGE);
    saddle_problem given = {.n = 1}, sum;
    CLAIM(saddle_matrix_from_triplets(context, 1, 1, 1, none, none, mass, SADDLE_SYMMETRY_LOWER,
                                      &given.M) == SADDLE_OK);
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &given, last ? NULL : &part) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(saddle_mpi_gather(MPI_COMM_WORLD, context, &given, last ? NULL : &sum) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(saddle_mpi_read(MPI_COMM_WORLD, context, "no such folder", last ? NULL : &sum) <
          SADDLE_OK);
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &given, &part) == SADDLE_OK);
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, NULL, last ? NULL : &x,
                                NULL) == SADDLE_INVALID_ARGUMENT);
    CLAIM(!x.v); /* as before, where another failed */
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, NULL, &x, NULL) ==
          SADDLE_OK);
    hollow.n = x.n; /* without v */
    hollow.m = x.m + (x.n == 0);
    CLAIM(saddle_mpi_collect(MPI_COMM_WORLD, context, &part, last ? &hollow : &x, &whole) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(!whole.v);
    CLAIM(saddle_mpi_collect(MPI_COMM_WORLD, context, &part, last ? NULL : &x, &whole) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(saddle_mpi_collect(MPI_COMM_WORLD, context, &part, &x, NULL) == SADDLE_INVALID_ARGUMENT);
    saddle_solution_clear(&x);
    saddle_mpi_part_clear(&part);
    saddle_matrix_clear(&given.M);
}

/* Contacts of two processes on a row: neither process sees both. */
static void a_row_of_two_contacts_is_refused(void **unused)
{
    (void)unused;
    if (processes == 1) return; /* saddle_problem_check */
    saddle_contact contact = {.row = 2 * rank, .size = 3, .mu = 0.5};
    saddle_problem p = {.n = 0, .m = 6, .contacts = &contact, .contact_count = rank < 2};
    const double lambda[6] = {0.0};
    saddle_residual residual;
    saddle_mpi_part part;
    CLAIM(saddle_mpi_residual(MPI_COMM_WORLD, context, &p, NULL, lambda, &residual) ==
          SADDLE_INVALID_PROBLEM);
    CLAIM(strstr(saddle_context_message(context), "row 3 is of two contacts"));
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &p, &part) == SADDLE_INVALID_PROBLEM);
}

/* Vectors of which each process' part is right, and the sum or the bounds of several are not. */
static void vectors_that_are_wrong_together_are_refused(void **unused)
{
    (void)unused;
    static const char *const names[] = {"auto", "admm", "schur"};
    static int64_t none[4] = {0};
    double f[2] = {0.0, 1.5e308}, b[3] = {0.0, 1.5e308, 0.0};
    double lo[3] = {-(double)INFINITY, -(double)INFINITY, 0.0};
    double hi[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    if (rank > 0) lo[2] = -(double)INFINITY;
    if (rank > 0) hi[2] = -1.0;
    if (processes == 1) return; /* saddle_problem_check */
    for (int k = 0; k < 9; k++) {
        saddle_solution x = {0};
        saddle_problem p = {.n = 2, .m = 3, .Jt = {.rows = 2, .cols = 3, .start = none}};
        if (k % 3 == 0) p.f = f;
        if (k % 3 == 1) p.b = b;
        if (k % 3 == 2) p.lo = lo;
        if (k % 3 == 2) p.hi = hi;
        CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &p, names[k / 3], NULL, NULL, &x, NULL) ==
              SADDLE_INVALID_PROBLEM);
        CLAIM(strstr(saddle_context_message(context),
                     k % 3 == 0   ? "velocity 2: f adds up to inf"
                     : k % 3 == 1 ? "row 2: b adds up to inf"
                                  : "row 3: lower bound 0 above upper bound -1"));
        CLAIM(!x.v && !x.lambda);
        saddle_mpi_part part;
        CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &p, &part) == SADDLE_INVALID_PROBLEM);
    }
}

/* Of the first process. */
static int stop_at_once(void *user, const saddle_progress *progress)
{
    (void)user;
    (void)progress;
    return rank == 0;
}

static int stop_in_solve(void *user, const saddle_progress *progress)
{
    (void)user;
    return rank == 0 && strcmp(progress->phase, "solve") == 0 && progress->iteration > 0;
}

static int stop_elsewhere(void *user, const saddle_progress *progress)
{
    (void)user;
    (void)progress;
    return rank > 0;
}

/* With a tolerance that no answer reaches. */
static saddle_status status_of_watched(saddle_progress_function *function, double tolerance,
                                       const char *name)
{
    saddle_options options = saddle_options_default();
    saddle_context *kept;
    uint64_t seed = test_seed();
    drawn d;
    options.tolerance = tolerance;
    draw_problem(&seed, (drawn_kind){.n = 4, .m = 2}, &d);
    watch(function, &kept);
    const saddle_status status = status_of_parts(&d.problem, name, &options, NULL);
    unwatch(kept);
    drawn_clear(&d);
    return status;
}

static void a_stop_of_the_first_is_a_stop_of_all(void **unused)
{
    (void)unused;
    static const char *const names[] = {"auto", "gauss-seidel"}; /* equations, rows */
    for (int k = 0; k < 2; k++) {
        CLAIM(status_of_watched(stop_at_once, 1e-10, names[k]) == SADDLE_STOPPED);
        CLAIM(status_of_watched(stop_in_solve, 1e-300, names[k]) == SADDLE_STOPPED);
        CLAIM(status_of_watched(stop_elsewhere, 1e-10, names[k]) == SADDLE_OK);
    }
}

static saddle_status status_of_one(const saddle_problem *problem, const char *name,
                                   const saddle_options *options)
{
    saddle_solution x = {0};
    const saddle_status status = saddle_solve(context, problem, name, options, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

/* The checker decides on the answer at the end of the limit. */
static void a_time_limit_ends_all(void **unused)
{
    (void)unused;
    saddle_problem whole;
    saddle_options options = saddle_options_default();
    saddle_report report;
    make_band(&whole, 200, 10);
    options.time_limit = 1e-9;
    options.tolerance = 1e-300;
    CLAIM(status_of_parts(&whole, "gauss-seidel", &options, &report) == SADDLE_TIME_LIMIT);
    CLAIM(status_of_parts(&whole, "ldlt", &options, &report) == SADDLE_TIME_LIMIT);
    CLAIM(report.refinements == 0);
    options.tolerance = 1e-6;
    CLAIM(status_of_parts(&whole, "ldlt", &options, &report) == SADDLE_OK);
    CLAIM(report.refinements == 0 && report.residual.total > 0.0);
    saddle_problem_clear(&whole);
}

/* Singular K, and contradictory rows: the status of one process. */
static void a_time_limit_of_a_singular_problem_is_as_in_one_process(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    saddle_options options = saddle_options_default();
    options.time_limit = 1e-9;
    for (int trial = 0; trial < mpi_test_draws(40); trial++) {
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12, .m = 5, .redundant = 1, .contradictory = trial % 2 == 0},
                     &d);
        options.tolerance = trial % 4 < 2 ? 1e-300 : 1e-6;
        for (int k = 0; k < 2; k++) {
            const char *name = k ? "lu" : "ldlt";
            CLAIM(status_of_parts(&d.problem, name, &options, NULL) ==
                  status_of_one(&d.problem, name, &options));
        }
        drawn_clear(&d);
    }
}

/* Takes `seconds` at an iteration of a phase, in the first process. */
static void delay(const saddle_progress *progress, const char *phase, int64_t iteration,
                  double seconds)
{
    const double until = saddle_clock() + seconds;
    if (rank > 0 || progress->iteration != iteration || strcmp(progress->phase, phase) != 0) return;
    while (saddle_clock() < until) continue;
}

static int delay_analysis(void *user, const saddle_progress *progress)
{
    (void)user;
    delay(progress, "analyse", 0, 0.6);
    return 0;
}

static int delay_solve(void *user, const saddle_progress *progress)
{
    (void)user;
    delay(progress, "solve", 1, 0.3);
    return 0;
}

/* The largest of all processes' numbers. */
static double largest_of(double x)
{
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return x;
}

/* The limit is of the solve as in one process, of both where the matrices are gathered after all.
 * A solve that a busy machine keeps longer than the limit may end at it. */
static void a_time_limit_is_of_the_solve(void **unused)
{
    (void)unused;
    saddle_options options = saddle_options_default();
    saddle_report report;
    saddle_context *kept;
    uint64_t seed = test_seed();
    drawn d;
    options.time_limit = 0.5;
    options.regularization = 1e-3; /* more steps than one */
    draw_problem(&seed, (drawn_kind){.n = 12, .m = 5}, &d);
    watch(delay_analysis, &kept);
    saddle_status status = status_of_parts(&d.problem, "ldlt", &options, &report);
    int late = largest_of(report.seconds.solve) >= options.time_limit;
    CLAIM(largest_of(report.seconds.analyse) > options.time_limit);
    CLAIM(status == SADDLE_OK || (late && status == SADDLE_TIME_LIMIT));
    unwatch(kept);
    drawn_clear(&d);
    draw_problem(&seed, (drawn_kind){.n = 12, .m = 5, .redundant = 1, .contradictory = 1}, &d);
    const double began = saddle_clock();
    status = status_of_parts(&d.problem, "ldlt", &options, NULL);
    late = largest_of(saddle_clock() - began) >= options.time_limit;
    CLAIM(status == SADDLE_INFEASIBLE || (late && status == SADDLE_TIME_LIMIT));
    watch(delay_solve, &kept);
    CLAIM(status_of_parts(&d.problem, "ldlt", &options, NULL) == SADDLE_TIME_LIMIT);
    unwatch(kept);
    drawn_clear(&d);
}

/* The same of a part in its own numbers, made, solved and collected. */
static saddle_status solve_in_own_numbers(const saddle_problem *given)
{
    saddle_mpi_part part = {0};
    saddle_solution mine = {0}, again = {0}, whole = {0};
    saddle_status status = saddle_mpi_part_make(MPI_COMM_WORLD, context, given, &part);
    if (status == SADDLE_OK)
        status = saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, NULL, &mine,
                                       NULL);
    if (status == SADDLE_OK) /* the rows' solver has the start in the first process */
        status = saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "schur", NULL, &mine, &again,
                                       NULL);
    if (status == SADDLE_OK)
        status = saddle_mpi_collect(MPI_COMM_WORLD, context, &part, &mine, &whole);
    saddle_solution_clear(&mine);
    saddle_solution_clear(&again);
    saddle_solution_clear(&whole);
    saddle_mpi_part_clear(&part);
    return status;
}

static void sweep_parts(const saddle_problem *given, int failing)
{
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    char name[32];
    snprintf(name, sizeof name, "process %d: ", failing);
    int64_t at = 0;
    for (; status != SADDLE_OK; at += sweep_step()) {
        test_memory memory;
        saddle_context *kept = context;
        context = test_memory_begin(&memory, rank == failing ? at : -1);
        status = solve_in_own_numbers(given);
        CLAIM(status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY);
        CLAIM(status == SADDLE_OK || failing == 0 || strstr(saddle_context_message(context), name));
        test_memory_end(&memory, context);
        context = kept;
    }
    CLAIM(at > 60);
}

/* The same of contacts on the way to their owners. */
static void sweep_contacts(int failing)
{
    uint64_t seed = test_seed();
    mixed *x = mixed_draw(&seed,
                          (mixed_kind){.class = MIXED_DEFINITE, .n = 8, .m = 6, .contacts = 1});
    share s = part_of(&x->problem, LAST_ONLY, &seed);
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    CLAIM(x->problem.contact_count > 0);
    for (int64_t at = 0; status != SADDLE_OK; at++) {
        test_memory memory;
        saddle_context *kept = context;
        saddle_mpi_part part;
        context = test_memory_begin(&memory, rank == failing ? at : -1);
        status = saddle_mpi_part_make(MPI_COMM_WORLD, context, &s.problem, &part);
        CLAIM(status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY);
        saddle_mpi_part_clear(&part);
        test_memory_end(&memory, context);
        context = kept;
    }
    free_share(&s);
    mixed_clear(x);
}

static void memory_that_runs_out_in_one_is_an_error_of_all(void **unused)
{
    (void)unused;
    saddle_problem whole;
    uint64_t seed = test_seed();
    make_band(&whole, 40, 3);
    share s = part_of(&whole, BY_ROWS, &seed);
    for (int failing = 0; failing < processes; failing++) {
        if (is_swept(failing)) {
            sweep_allocations(&s.problem, failing, "ldlt");
            sweep_allocations(&s.problem, failing, "schur");
            sweep_parts(&s.problem, failing);
        }
        sweep_contacts(failing);
    }
    free_share(&s);
    saddle_problem_clear(&whole);
}

/* From a room of percent (ICNTL(14)) on. */
static int count_widenings_from(int percent, int error)
{
    DMUMPS_STRUC_C id = {.n = 3};
    int count = 0;
    saddle__mumps_choose(&id);
    id.icntl[13] = percent;
    id.infog[0] = error;
    while (count < 100 && saddle__mumps_widen(&id)) count++;
    return count;
}

static int count_widenings(int error)
{
    return count_widenings_from(25, error);
}

static saddle_status status_of_error(int error)
{
    const DMUMPS_STRUC_C id = {.n = 3, .infog = {error}};
    return saddle__mumps_fail(context, &id);
}

/* MUMPS' users' guide, 8: which errors ask for a larger ICNTL(14), which are of memory; -6 is a
 * singular structure, -12 and -15 are of MUMPS' refinement, -22 an array of the caller's. */
static void errors_of_mumps_are_told_apart(void **unused)
{
    (void)unused;
    static const int wider[] = {-8, -9, -17, -20}, memory[] = {-5, -7, -11, -13, -14},
                     others[] = {-1, -3, -6, -12, -15, -16, -22, -90};
    for (size_t k = 0; k < sizeof wider / sizeof *wider; k++) {
        CLAIM(count_widenings(wider[k]) > 3);
        CLAIM(status_of_error(wider[k]) == SADDLE_OUT_OF_MEMORY);
    }
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) {
        CLAIM(count_widenings(memory[k]) == 0);
        CLAIM(status_of_error(memory[k]) == SADDLE_OUT_OF_MEMORY);
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        CLAIM(count_widenings(others[k]) == 0);
        CLAIM(status_of_error(others[k]) == SADDLE_INTERNAL);
    }
    CLAIM(count_widenings(0) == 0 && count_widenings(-10) == 0);
    CLAIM(count_widenings_from(0, -9) > 3 && count_widenings_from(0, -9) < 100);
}

int main(void)
{
    if (!mpi_test_begin()) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_over_parts_is_the_checker),
        cmocka_unit_test(drawn_equations_have_the_same_solution),
        cmocka_unit_test(drawn_unsymmetric_equations_have_the_same_solution),
        cmocka_unit_test(entries_that_several_give_are_added),
        cmocka_unit_test(dependent_rows_are_told_as_in_one_process),
        cmocka_unit_test(drawn_delassus_operators_have_the_same_solution),
        cmocka_unit_test(matrices_of_equations_stay_where_they_are),
        cmocka_unit_test(the_mass_of_bounded_rows_stays_where_it_is),
        cmocka_unit_test(drawn_contacts_have_the_same_solution),
        cmocka_unit_test(our_bundles_are_solved),
        cmocka_unit_test(public_files_are_solved),
        cmocka_unit_test(a_bundle_read_in_pieces_is_the_bundle),
        cmocka_unit_test(a_failure_of_one_is_a_failure_of_all),
        cmocka_unit_test(wrong_arguments_of_parts_are_errors_of_all),
        cmocka_unit_test(a_row_of_two_contacts_is_refused),
        cmocka_unit_test(vectors_that_are_wrong_together_are_refused),
        cmocka_unit_test(a_stop_of_the_first_is_a_stop_of_all),
        cmocka_unit_test(a_time_limit_ends_all),
        cmocka_unit_test(a_time_limit_of_a_singular_problem_is_as_in_one_process),
        cmocka_unit_test(a_time_limit_is_of_the_solve),
        cmocka_unit_test(memory_that_runs_out_in_one_is_an_error_of_all),
        cmocka_unit_test(errors_of_mumps_are_told_apart),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpi_test_end();
    return failed;
}
