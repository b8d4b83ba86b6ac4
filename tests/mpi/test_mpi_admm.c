/* SPDX-License-Identifier: MIT */
/* admm over parts against one process: run by mpirun with 1 to 3. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../solvers/collection.h"
#include "parts.h"

/* Solves of which some stay in parts to the end. */
static void check_drawn(mixed_kind kind, int draws, int splits)
{
    uint64_t seed = test_seed();
    const int before = with_rows_in_parts;
    for (int trial = 0; trial < mpi_test_draws(draws); trial++) {
        mixed *x = mixed_draw(&seed, kind);
        (void)check_solve(&x->problem, (split)(trial % splits), &seed, "admm", 1e-6);
        mixed_clear(x);
    }
    CLAIM(with_rows_in_parts > before);
}

static void drawn_rows_have_the_same_solution(void **unused)
{
    (void)unused;
    check_drawn((mixed_kind){.class = MIXED_DEFINITE, .n = 8, .m = 6}, 40, SPLITS + 1);
}

static void drawn_contacts_have_the_same_solution(void **unused)
{
    (void)unused;
    check_drawn((mixed_kind){.class = MIXED_DEFINITE, .n = 8, .m = 6, .contacts = 1}, 40, SPLITS);
}

/* Contacts of 2 to 6 rows, 3 at most by the pyramid, in place of the bounds' rows. */
static void take_contacts(uint64_t *seed, saddle_law law, mixed *x)
{
    saddle_problem *p = &x->problem;
    int64_t row = test_integer(seed, 0, 1);
    p->contact_count = 0;
    p->contacts = x->contact;
    p->law = law;
    for (;;) {
        saddle_contact c = {.row = row, .mu = test_uniform(seed, 0.1, 1.0)};
        c.size = test_integer(seed, 2, law == SADDLE_LAW_PYRAMID ? 3 : SADDLE_CONTACT_ROWS);
        if (row + c.size > p->m) return;
        if (c.size % 2 == 0 && c.size > 2) c.mu_torsion = test_uniform(seed, 0.0, 0.5);
        if (c.size > 4) c.mu_rolling = test_uniform(seed, 0.0, 0.5);
        p->contacts[p->contact_count++] = c;
        row += c.size + test_integer(seed, 0, 1);
    }
}

/* Solved in parts, also by the measure of one process, which equals that of the parts. */
static void check_law(const saddle_problem *p, split how, uint64_t *seed)
{
    saddle_solution x = {0};
    saddle_report report;
    saddle_residual one;
    share s = part_of(p, how, seed);
    double *work = calloc((size_t)saddle_residual_work_size(p) + 1, sizeof *work);
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "admm", NULL, NULL, &x, &report) ==
          SADDLE_OK);
    with_rows_in_parts += strstr(report.note, "rows and impulses too") != NULL;
    saddle_residual_compute(p, x.v, x.lambda, NULL, work, &one);
    residuals_agree(&one, &report.residual);
    free(work);
    saddle_solution_clear(&x);
    free_share(&s);
}

static void contacts_of_every_law_are_solved_in_parts(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    const int64_t draws = mpi_test_draws(20);
    for (int law = SADDLE_LAW_CONE; law <= SADDLE_LAW_ASSOCIATED; law++) {
        const int before = with_rows_in_parts;
        for (int64_t trial = 0; trial < draws; trial++) {
            const mixed_kind kind = {.class = trial % 2 ? MIXED_MONOTONE : MIXED_DEFINITE,
                                     .n = trial % 5 == 4 ? 0 : 9,
                                     .m = test_integer(&seed, 2, 13)};
            mixed *x = mixed_draw(&seed, kind);
            take_contacts(&seed, (saddle_law)law, x);
            check_law(&x->problem, (split)(trial % SPLITS), &seed);
            mixed_clear(x);
        }
        CLAIM(with_rows_in_parts - before > draws / 2);
    }
}

/* Dependent rows with a solution. */
static void redundant_rows_have_a_solution(void **unused)
{
    (void)unused;
    check_drawn((mixed_kind){.class = MIXED_SEMIDEFINITE, .n = 4, .m = 6, .planted = 1}, 40,
                SPLITS + 1);
}

static void rows_without_velocities_have_the_same_solution(void **unused)
{
    (void)unused;
    check_drawn((mixed_kind){.class = MIXED_DEFINITE, .n = 0, .m = 7}, 40, SPLITS + 1);
    check_drawn((mixed_kind){.class = MIXED_SEMIDEFINITE, .n = 0, .m = 7, .planted = 1}, 40,
                SPLITS);
}

/* Fewer velocities and rows than processes. */
static void some_processes_have_nothing(void **unused)
{
    (void)unused;
    for (int64_t n = 0; n < 4; n++)
        check_drawn((mixed_kind){.class = MIXED_DEFINITE, .n = n, .m = 1}, 8, SPLITS);
}

static void an_unsymmetric_mass_has_the_same_solution(void **unused)
{
    (void)unused;
    check_drawn((mixed_kind){.class = MIXED_MONOTONE, .n = 8, .m = 6}, 20, SPLITS);
}

static void equations_have_the_same_solution(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < mpi_test_draws(40); trial++) {
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12, .m = 5, .compliance = (drawn_compliance)(trial % 4)},
                     &d);
        (void)check_solve(&d.problem, (split)(trial % (SPLITS + 1)), &seed, "admm", 1e-7);
        drawn_clear(&d);
    }
}

/* Whether one process gets by with few steps, without Newton's as a rule. */
static int is_easy(const saddle_problem *p)
{
    saddle_solution x = {0};
    saddle_report report;
    const saddle_row_counts rows = saddle_problem_count_rows(p);
    if (rows.equality == p->m) return 0;
    const saddle_status status = saddle_solve(context, p, "admm", NULL, NULL, &x, &report);
    saddle_solution_clear(&x);
    return status == SADDLE_OK && report.iterations < 45;
}

/* Files with contacts or bounds, every step-th. */
static void check_files(collection all, int64_t most, int64_t step)
{
    uint64_t seed = test_seed();
    int solved = 0;
    const int before = with_rows_in_parts;
    for (int64_t k = 0; k < all.count; k += step) {
        saddle_problem p = {0};
        saddle_read_options options = {.rhs = all.rhs[k]};
        if (saddle_problem_read(context, all.path[k], &options, &p, NULL, NULL, NULL) != SADDLE_OK)
            continue;
        if (p.n + p.m < most && is_easy(&p))
            solved += check_solve(&p, (split)(k % SPLITS), &seed, "admm", 1e-5);
        saddle_problem_clear(&p);
    }
    if (rank == 0)
        printf("%d files solved by %d processes, %d with rows in parts\n", solved, processes,
               with_rows_in_parts - before);
    CLAIM(with_rows_in_parts - before == solved && solved > 5);
    collection_clear(&all);
}

static void our_bundles_are_solved(void **unused)
{
    (void)unused;
    check_files(collection_of_bundles(), 20000, 1);
}

static void public_files_are_solved(void **unused)
{
    (void)unused;
    check_files(collection_of_public_problems(), 300, processes > 2 ? 3 : 1);
}

/* ---- many rows ---- */

/* 0 <= lambda of every row. */
static void make_bounded_band(saddle_problem *p, int64_t n)
{
    make_band(p, n, 1);
    p->lo = saddle_allocate(context, p->m, sizeof *p->lo);
}

/* The library's bytes at most in this process, while `those` solve. */
static int64_t bytes_of(MPI_Comm those, const saddle_problem *given)
{
    saddle_mpi_part part;
    test_memory memory;
    saddle_report report;
    saddle_solution x = {0};
    CLAIM(saddle_mpi_part_make(those, context, given, &part) == SADDLE_OK);
    saddle_context *kept = context;
    context = test_memory_begin(&memory, -1);
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-3; /* later steps take no more memory */
    CLAIM(saddle_mpi_solve_part(those, context, &part, NULL, &options, NULL, &x, &report) ==
          SADDLE_OK);
    CLAIM(strcmp(report.solver, "admm") == 0 && strstr(report.note, "rows and impulses too"));
    CLAIM(report.n == given->n && report.m == given->m);
    const int64_t bytes = saddle_context_memory(context).peak_bytes;
    saddle_solution_clear(&x);
    test_memory_end(&memory, context);
    context = kept;
    saddle_mpi_part_clear(&part);
    return bytes;
}

/* More rows than W may have: auto leaves rows and impulses where they are.  In runs, the processes
 * hold together little more than one process would. */
static void many_rows_stay_where_they_are(void **unused)
{
    (void)unused;
    saddle_problem whole;
    uint64_t seed = test_seed();
    make_bounded_band(&whole, 12000);
    const int64_t one = bytes_of(MPI_COMM_SELF, &whole);
    int *of = calloc((size_t)whole.n + 1, sizeof *of);
    saddle_problem given = {.n = whole.n, .m = whole.m, .lo = rank == 0 ? whole.lo : NULL};
    for (int64_t k = 0; k < whole.n; k++) of[k] = (int)(k * processes / whole.n);
    given.M = part_of_matrix(&whole.M, BY_ROWS, &seed, of);
    for (int64_t k = 0; k < whole.m; k++) of[k] = (int)(k * processes / whole.n * 10);
    given.Jt = part_of_matrix(&whole.Jt, BY_ROWS, &seed, of);
    given.f = rank == 0 ? whole.f : NULL;
    int64_t sum = bytes_of(MPI_COMM_WORLD, &given);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CLAIM((double)sum <= 1.3 * (double)one);
    saddle_matrix_clear(&given.M);
    saddle_matrix_clear(&given.Jt);
    free(of);
    saddle_problem_clear(&whole);
}

/* ---- starts, settings, ends ---- */

static void a_start_saves_steps(void **unused)
{
    (void)unused;
    saddle_problem whole;
    uint64_t seed = test_seed();
    make_bounded_band(&whole, 200);
    share s = part_of(&whole, BY_ENTRIES, &seed);
    saddle_solution x = {0}, y = {0};
    saddle_report cold, warm;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "admm", NULL, NULL, &x, &cold) ==
          SADDLE_OK);
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "admm", NULL, rank == 0 ? &x : NULL,
                           &y, &warm) == SADDLE_OK);
    CLAIM(cold.iterations > 3 && warm.iterations < cold.iterations / 2);
    const int64_t n = x.n;
    x.n++;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "admm", NULL, &x, &y, NULL) ==
          SADDLE_INVALID_ARGUMENT);
    x.n = n;
    if (rank == 0) x.lambda[0] = (double)NAN;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "admm", NULL, &x, &y, NULL) ==
          SADDLE_INVALID_ARGUMENT);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    free_share(&s);
    saddle_problem_clear(&whole);
}

/* Each process gives the start at its own numbers; by admm in parts, and by solvers in the first
 * process. */
static void a_start_of_a_part_saves_steps(void **unused)
{
    (void)unused;
    static const char *const names[] = {"admm", "gauss-seidel"};
    saddle_problem whole;
    uint64_t seed = test_seed();
    make_bounded_band(&whole, 200);
    share s = part_of(&whole, BY_ENTRIES, &seed);
    for (int k = 0; k < 2; k++) {
        saddle_mpi_part part;
        saddle_solution x = {0}, y = {0};
        saddle_report cold, warm;
        CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &s.problem, &part) == SADDLE_OK);
        CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, names[k], NULL, NULL, &x,
                                    &cold) == SADDLE_OK);
        CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, names[k], NULL, &x, &y,
                                    &warm) == SADDLE_OK);
        CLAIM(cold.iterations > 2 && warm.iterations < cold.iterations / 2);
        if (rank == 0 && part.own.m > 0) x.lambda[0] = (double)NAN;
        CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, names[k], NULL, &x, &y, NULL) ==
              SADDLE_INVALID_ARGUMENT);
        saddle_solution_clear(&x);
        saddle_solution_clear(&y);
        saddle_mpi_part_clear(&part);
    }
    free_share(&s);
    saddle_problem_clear(&whole);
}

static void settings_are_the_first_ones(void **unused)
{
    (void)unused;
    saddle_problem whole;
    saddle_options options = saddle_options_default();
    saddle_report usual, report;
    make_bounded_band(&whole, 200);
    CLAIM(status_of_parts(&whole, "admm", &options, &usual) == SADDLE_OK);
    options.settings = rank == 0 ? "admm.penalty=10000" : NULL;
    CLAIM(status_of_parts(&whole, "admm", &options, &report) == SADDLE_OK);
    CLAIM(report.iterations > usual.iterations);
    options.settings = rank == 0 ? "admm.nothing=20" : NULL;
    CLAIM(status_of_parts(&whole, "admm", &options, NULL) == SADDLE_UNKNOWN_NAME);
    saddle_problem_clear(&whole);
}

/* The first row wants v_0 - v_1 >= 1, the second v_0 - v_1 <= 0: admm in parts gives up after
 * 10,000 steps, which by several processes take long, and the gathered solve says why. */
static void what_is_not_solved_in_parts_is_gathered(void **unused)
{
    (void)unused;
    if (processes > 1) return;
    saddle_problem whole;
    saddle_options options = saddle_options_default();
    saddle_report report;
    make_bounded_band(&whole, 20);
    CLAIM(whole.m == 2 && saddle_matrix_entries(&whole.Jt) == 4);
    whole.Jt.index[2] = 0; /* v_10 - v_11 becomes v_1 - v_0 */
    whole.Jt.index[3] = 1;
    whole.Jt.value[2] = -1.0;
    whole.Jt.value[3] = 1.0;
    whole.b = saddle_allocate(context, 2, sizeof *whole.b);
    whole.b[0] = 1.0;
    CLAIM(status_of_parts(&whole, "admm", &options, &report) == SADDLE_INFEASIBLE);
    CLAIM(strstr(report.note, "row 1 and row 2 contradict each other"));
    saddle_problem_clear(&whole);
}

/* In the first process alone. */
static int stop_at_three(void *user, const saddle_progress *progress)
{
    (void)user;
    return rank == 0 && strcmp(progress->phase, "solve") == 0 && progress->iteration >= 3;
}

static int stop_elsewhere(void *user, const saddle_progress *progress)
{
    (void)user;
    (void)progress;
    return rank > 0;
}

static void a_stop_or_a_limit_ends_all(void **unused)
{
    (void)unused;
    saddle_problem whole;
    saddle_options options = saddle_options_default();
    saddle_context *kept;
    saddle_report report;
    make_bounded_band(&whole, 200);
    watch(stop_elsewhere, &kept);
    CLAIM(status_of_parts(&whole, "admm", &options, NULL) == SADDLE_OK);
    unwatch(kept);
    options.tolerance = 1e-300;
    watch(stop_at_three, &kept);
    CLAIM(status_of_parts(&whole, "admm", &options, &report) == SADDLE_STOPPED);
    CLAIM(report.iterations == 3);
    unwatch(kept);
    options.time_limit = 1e-9;
    CLAIM(status_of_parts(&whole, "admm", &options, &report) == SADDLE_TIME_LIMIT);
    CLAIM(report.iterations == 0);
    options.time_limit = 0.0;
    options.max_iterations = 3;
    CLAIM(status_of_parts(&whole, "admm", &options, &report) == SADDLE_ITERATION_LIMIT);
    CLAIM(report.iterations == 3 && strstr(report.note, "rows and impulses too"));
    saddle_problem_clear(&whole);
}

static void memory_that_runs_out_in_one_is_an_error_of_all(void **unused)
{
    (void)unused;
    saddle_problem whole;
    uint64_t seed = test_seed();
    make_bounded_band(&whole, 40);
    share s = part_of(&whole, BY_ROWS, &seed);
    for (int failing = 0; failing < processes; failing++)
        if (is_swept(failing)) sweep_allocations(&s.problem, failing, "admm");
    free_share(&s);
    saddle_problem_clear(&whole);
}

int main(void)
{
    if (!mpi_test_begin()) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_rows_have_the_same_solution),
        cmocka_unit_test(drawn_contacts_have_the_same_solution),
        cmocka_unit_test(contacts_of_every_law_are_solved_in_parts),
        cmocka_unit_test(redundant_rows_have_a_solution),
        cmocka_unit_test(rows_without_velocities_have_the_same_solution),
        cmocka_unit_test(some_processes_have_nothing),
        cmocka_unit_test(an_unsymmetric_mass_has_the_same_solution),
        cmocka_unit_test(equations_have_the_same_solution),
        cmocka_unit_test(our_bundles_are_solved),
        cmocka_unit_test(public_files_are_solved),
        cmocka_unit_test(many_rows_stay_where_they_are),
        cmocka_unit_test(a_start_saves_steps),
        cmocka_unit_test(a_start_of_a_part_saves_steps),
        cmocka_unit_test(settings_are_the_first_ones),
        cmocka_unit_test(what_is_not_solved_in_parts_is_gathered),
        cmocka_unit_test(a_stop_or_a_limit_ends_all),
        cmocka_unit_test(memory_that_runs_out_in_one_is_an_error_of_all),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpi_test_end();
    return failed;
}
