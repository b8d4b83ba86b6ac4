/* SPDX-License-Identifier: MIT */
/* Parts in numbers of their own against the same problems in one process: run by mpirun with 1
 * to 3.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/* Each process' answer is that of the whole at its numbers. */
static void answers_agree(const saddle_mpi_part *part, const saddle_solution *mine,
                          const saddle_solution *whole)
{
    for (int64_t k = 0; k < part->own.n; k++) CLAIM(mine->v[k] == whole->v[part->velocity[k]]);
    for (int64_t k = 0; k < part->own.m; k++) {
        CLAIM(mine->lambda[k] == whole->lambda[part->row[k]]);
        CLAIM(mine->w[k] == whole->w[part->row[k]]);
    }
}

static void share_from_first(saddle_solution *x)
{
    MPI_Bcast(x->v, (int)x->n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x->lambda, (int)x->m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x->w, (int)x->m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static double largest_difference(const double *x, const double *y, int64_t count)
{
    double most = 0.0;
    for (int64_t k = 0; k < count; k++) most = fmax(most, fabs(x[k] - y[k]));
    return most;
}

/* In numbers of its own, the same answer as in those of the whole, which solves. */
static void check_part(const saddle_problem *given, const char *name, double accuracy)
{
    saddle_mpi_part part;
    saddle_solution mine = {0}, expected = {0}, whole = {0};
    saddle_report report;
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, given, name, NULL, NULL, &expected, NULL) ==
          SADDLE_OK);
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, given, &part) == SADDLE_OK);
    CLAIM(part.n == given->n && part.m == given->m);
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, name, NULL, NULL, &mine, &report) ==
          SADDLE_OK);
    CLAIM(report.n == part.n && report.m == part.m);
    CLAIM(saddle_solution_create(context, part.n, part.m, &whole) == SADDLE_OK);
    CLAIM(saddle_mpi_collect(MPI_COMM_WORLD, context, &part, &mine, &whole) == SADDLE_OK);
    share_from_first(&whole);
    answers_agree(&part, &mine, &whole);
    double size = 1e-300;
    for (int64_t j = 0; j < part.n; j++) size = fmax(size, fabs(expected.v[j]));
    CLAIM(largest_difference(whole.v, expected.v, part.n) <= accuracy * size);
    saddle_residual residual;
    CLAIM(saddle_mpi_residual(MPI_COMM_WORLD, context, given, whole.v, whole.lambda, &residual) ==
          SADDLE_OK);
    residuals_agree(&residual, &report.residual);
    saddle_solution_clear(&mine);
    saddle_solution_clear(&expected);
    saddle_solution_clear(&whole);
    saddle_mpi_part_clear(&part);
}

static void parts_in_their_own_numbers_have_the_same_solution(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < mpi_test_draws(40); trial++) {
        const split how = (split)(trial % SPLITS);
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12, .m = 5, .compliance = (drawn_compliance)(trial / 4 % 4)},
                     &d);
        share s = part_of(&d.problem, how, &seed);
        check_part(&s.problem, "ldlt", 1e-9);
        check_part(&s.problem, "schur", 1e-7);
        free_share(&s);
        drawn_clear(&d);
        mixed *x = mixed_draw(&seed, (mixed_kind){.class = MIXED_DEFINITE, .n = 8, .m = 6});
        s = part_of(&x->problem, how, &seed);
        check_part(&s.problem, "pivot", 1e-7);
        free_share(&s);
        mixed_clear(x);
    }
}

/* The part of a chain whose numbers are a run of the process' own and the next one's first, and a
 * row across all processes. */
static void a_hand_made_part_is_solved(void **unused)
{
    (void)unused;
    enum { EACH = 5 };
    const int64_t n = (int64_t)EACH * processes;
    int64_t velocity[EACH + 1], row[1] = {0};
    double f[EACH + 1], value[2 * EACH + 1], ones[EACH];
    int64_t count = 0, i[2 * EACH + 1], j[2 * EACH + 1], none[EACH] = {0};
    const int ghost = rank + 1 < processes; /* the first of the next process */
    for (int k = 0; k < EACH + ghost; k++) velocity[k] = (int64_t)rank * EACH + k;
    for (int k = 0; k < EACH; k++) {
        i[count] = j[count] = k;
        value[count++] = 4.0;
        if (k + 1 == EACH + ghost) continue;
        i[count] = k + 1;
        j[count] = k;
        value[count++] = -1.0;
    }
    for (int k = 0; k < EACH; k++) {
        f[k] = 1.0 + (double)velocity[k];
        ones[k] = 1.0;
    }
    f[EACH] = 0.0; /* the owner gives it */
    int64_t to[EACH];
    for (int k = 0; k < EACH; k++) to[k] = k;
    saddle_mpi_part part = {.n = n, .m = 1, .velocity = velocity, .row = row};
    part.own = (saddle_problem){.n = EACH + ghost, .m = 1, .f = f};
    CLAIM(saddle_matrix_from_triplets(context, part.own.n, part.own.n, count, i, j, value,
                                      SADDLE_SYMMETRY_LOWER, &part.own.M) == SADDLE_OK);
    CLAIM(saddle_matrix_from_triplets(context, part.own.n, 1, EACH, to, none, ones,
                                      SADDLE_SYMMETRY_NONE, &part.own.Jt) == SADDLE_OK);
    saddle_solution mine = {0};
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, NULL, &mine, NULL) ==
          SADDLE_OK);
    double sum = 0.0;
    for (int k = 0; k < EACH; k++) sum += mine.v[k];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CLAIM(fabs(sum) <= 1e-12 * (double)(n * n)); /* the row: sum of v = 0 */
    for (int k = 1; k + 1 < EACH + ghost; k++)   /* rows of M v - J'lambda = f within the part */
        CLAIM(fabs(4.0 * mine.v[k] - mine.v[k - 1] - mine.v[k + 1] - mine.lambda[0] - f[k]) <=
              1e-12 * (double)n);
    saddle_solution_clear(&mine);
    velocity[0] += n; /* out of range, and not ascending */
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, NULL, &mine, NULL) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(strstr(saddle_context_message(context), "velocity[0]"));
    velocity[0] -= n;
    part.row = NULL;
    part.m = 2;
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, NULL, &mine, NULL) ==
          SADDLE_INVALID_ARGUMENT);
    saddle_matrix_clear(&part.own.M);
    saddle_matrix_clear(&part.own.Jt);
}

/* Rows that contradict each other are named as in one process. */
static void a_part_keeps_the_names_of_rows(void **unused)
{
    (void)unused;
    int64_t start[] = {0, rank == 0 ? 1 : 0, rank == 0 ? 2 : 0}, index[] = {0, 0};
    double ones[] = {1.0, 1.0}, b[] = {0.0, 1.0};
    char hinge[] = "hinge", pull[] = "pull", *names[] = {hinge, pull};
    saddle_problem given = {
        .n = 1,
        .m = 2,
        .M = saddle_matrix_view(1, 1, start, index, ones, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(1, 2, start, index, ones, SADDLE_SYMMETRY_NONE),
        .b = rank == 0 ? b : NULL,
        .row_name = rank == 0 ? names : NULL,
    };
    saddle_mpi_part part;
    saddle_solution x = {0}, whole = {0};
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &given, NULL, NULL, NULL, &whole, NULL) ==
          SADDLE_INFEASIBLE);
    CLAIM(strstr(saddle_context_message(context), hinge));
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &given, &part) == SADDLE_OK);
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, NULL, &x, NULL) ==
          SADDLE_INFEASIBLE);
    CLAIM(strstr(saddle_context_message(context), hinge) &&
          strstr(saddle_context_message(context), pull));
    saddle_solution_clear(&x);
    saddle_solution_clear(&whole);
    saddle_mpi_part_clear(&part);
}

/* Without lists every process has the whole answer, also where its entries do not reach. */
static void a_part_without_lists_has_the_whole_answer(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < mpi_test_draws(20); trial++) {
        drawn d;
        draw_problem(&seed, (drawn_kind){.n = 12, .m = 5}, &d);
        share s = part_of(&d.problem, (split)(trial % SPLITS), &seed);
        const saddle_mpi_part part = {.n = d.problem.n, .m = d.problem.m, .own = s.problem};
        saddle_solution expected = {0}, x = {0};
        CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "ldlt", NULL, NULL, &expected,
                               NULL) == SADDLE_OK);
        CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, NULL, &x, NULL) ==
              SADDLE_OK);
        for (int64_t j = 0; j < part.n; j++) CLAIM(close_to(x.v[j], expected.v[j]));
        for (int64_t i = 0; i < part.m; i++) CLAIM(close_to(x.lambda[i], expected.lambda[i]));
        saddle_solution_clear(&expected);
        saddle_solution_clear(&x);
        free_share(&s);
        drawn_clear(&d);
    }
}

/* A in the numbers of lists: place[k] of the whole's k, which is listed where A has an entry. */
static saddle_matrix listed_matrix(const saddle_matrix *A, int64_t rows, const int64_t *row_place,
                                   int64_t cols, const int64_t *col_place)
{
    const int64_t entries = saddle_matrix_entries(A);
    triplets t = {.room = entries,
                  .row = calloc((size_t)entries + 1, sizeof *t.row),
                  .col = calloc((size_t)entries + 1, sizeof *t.col),
                  .value = calloc((size_t)entries + 1, sizeof *t.value)};
    saddle_matrix listed = {.rows = rows, .cols = cols, .symmetry = A->symmetry};
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            add_entry(&t, row_place[A->index[k]], col_place[j], A->value[k]);
    if (entries > 0) take_triplets(&t, rows, cols, A->symmetry, &listed);
    free(t.row);
    free(t.col);
    free(t.value);
    return listed;
}

/* list <- the numbers that are wanted, and others by chance; place <- where each is in the list.
 * Returns the number of them. */
static int64_t draw_list(uint64_t *seed, int64_t count, const int *wanted, int64_t *list,
                         int64_t *place)
{
    int64_t listed = 0;
    for (int64_t k = 0; k < count; k++) {
        int is_other = 0; /* all processes draw alike */
        for (int p = 0; p < processes; p++) {
            const int is_drawn = test_integer(seed, 0, 3) == 0;
            if (p == rank) is_other = is_drawn;
        }
        place[k] = listed;
        if (wanted[k] || is_other) list[listed++] = k;
    }
    return listed;
}

static void want_entries(const saddle_matrix *A, int *rows, int *cols)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) rows[A->index[k]] = cols[j] = 1;
}

/* part <- `given` in numbers of its own; arrays of part to be released by free_listed. */
static void list_part(const saddle_problem *given, uint64_t *seed, saddle_mpi_part *part)
{
    const int64_t n = given->n, m = given->m;
    int *velocities = calloc((size_t)n + 1, sizeof *velocities);
    int *rows = calloc((size_t)m + 1, sizeof *rows);
    int64_t *place[2] = {calloc((size_t)n + 1, sizeof **place),
                         calloc((size_t)m + 1, sizeof **place)};
    *part = (saddle_mpi_part){.n = n, .m = m};
    part->velocity = calloc((size_t)n + 1, sizeof *part->velocity);
    part->row = calloc((size_t)m + 1, sizeof *part->row);
    want_entries(&given->M, velocities, velocities);
    want_entries(&given->Jt, velocities, rows);
    want_entries(&given->R, rows, rows);
    for (int64_t j = 0; given->f && j < n; j++) velocities[j] |= given->f[j] != 0.0;
    for (int64_t i = 0; i < m; i++)
        rows[i] |= (given->b && given->b[i] != 0.0) || isfinite(saddle_problem_lo(given, i)) ||
                   isfinite(saddle_problem_hi(given, i));
    for (int64_t c = 0; c < given->contact_count; c++)
        for (int64_t i = 0; i < given->contacts[c].size; i++) rows[given->contacts[c].row + i] = 1;
    saddle_problem *own = &part->own;
    *own = (saddle_problem){.law = given->law, .facets = given->facets};
    own->n = draw_list(seed, n, velocities, part->velocity, place[0]);
    own->m = draw_list(seed, m, rows, part->row, place[1]);
    own->M = listed_matrix(&given->M, own->n, place[0], own->n, place[0]);
    own->Jt = listed_matrix(&given->Jt, own->n, place[0], own->m, place[1]);
    own->R = listed_matrix(&given->R, own->m, place[1], own->m, place[1]);
    own->f = calloc((size_t)n + 1, sizeof *own->f);
    own->b = calloc((size_t)m + 1, sizeof *own->b);
    own->lo = calloc((size_t)m + 1, sizeof *own->lo);
    own->hi = calloc((size_t)m + 1, sizeof *own->hi);
    for (int64_t k = 0; k < own->n; k++) own->f[k] = given->f ? given->f[part->velocity[k]] : 0.0;
    for (int64_t k = 0; k < own->m; k++) {
        own->b[k] = given->b ? given->b[part->row[k]] : 0.0;
        own->lo[k] = saddle_problem_lo(given, part->row[k]);
        own->hi[k] = saddle_problem_hi(given, part->row[k]);
    }
    own->contacts = calloc((size_t)given->contact_count + 1, sizeof *own->contacts);
    for (int64_t c = 0; c < given->contact_count; c++) {
        own->contacts[c] = given->contacts[c];
        own->contacts[c].row = place[1][given->contacts[c].row];
    }
    own->contact_count = given->contact_count;
    free(velocities);
    free(rows);
    free(place[0]);
    free(place[1]);
}

static void free_listed(saddle_mpi_part *part)
{
    saddle_matrix_clear(&part->own.M);
    saddle_matrix_clear(&part->own.Jt);
    saddle_matrix_clear(&part->own.R);
    free(part->own.f);
    free(part->own.b);
    free(part->own.lo);
    free(part->own.hi);
    free(part->own.contacts);
    free(part->velocity);
    free(part->row);
}

/* Of a part that lists more than its entries touch, the same answer. */
static void check_listed(const saddle_problem *whole, split how, uint64_t *seed, const char *name,
                         double accuracy)
{
    share s = part_of(whole, how, seed);
    saddle_mpi_part part;
    saddle_solution mine = {0}, expected = {0}, collected = {0};
    list_part(&s.problem, seed, &part);
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, name, NULL, NULL, &expected,
                           NULL) == SADDLE_OK);
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, name, NULL, NULL, &mine, NULL) ==
          SADDLE_OK);
    double size = 1e-300;
    for (int64_t j = 0; j < part.n; j++) size = fmax(size, fabs(expected.v[j]));
    for (int64_t k = 0; k < part.own.n; k++)
        CLAIM(fabs(mine.v[k] - expected.v[part.velocity[k]]) <= accuracy * size);
    CLAIM(saddle_mpi_collect(MPI_COMM_WORLD, context, &part, &mine, &collected) == SADDLE_OK);
    for (int64_t k = 0; rank == 0 && k < part.own.m; k++)
        CLAIM(mine.lambda[k] == collected.lambda[part.row[k]]);
    saddle_solution_clear(&mine);
    saddle_solution_clear(&expected);
    saddle_solution_clear(&collected);
    free_listed(&part);
    free_share(&s);
}

static void lists_may_have_more_than_is_touched(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < mpi_test_draws(40); trial++) {
        drawn d;
        draw_problem(&seed,
                     (drawn_kind){.n = 12, .m = 5, .compliance = (drawn_compliance)(trial / 5 % 4)},
                     &d);
        check_listed(&d.problem, (split)(trial % (SPLITS + 1)), &seed, trial % 2 ? "ldlt" : "schur",
                     1e-7);
        drawn_clear(&d);
        mixed *x = mixed_draw(&seed, (mixed_kind){.class = MIXED_DEFINITE, .n = 8, .m = 6});
        check_listed(&x->problem, (split)(trial % SPLITS), &seed, "pivot", 1e-6);
        mixed_clear(x);
    }
}

/* An entry that no part lists is 0. */
static void a_collected_answer_has_no_old_values(void **unused)
{
    (void)unused;
    int64_t velocity[] = {0, 2}, row[] = {1};
    double v[] = {3.0, 4.0}, lambda[] = {5.0}, w[] = {6.0};
    const saddle_mpi_part part = {.n = 4,
                                  .m = 3,
                                  .own = {.n = 2, .m = 1, .Jt = {.rows = 2, .cols = 1}},
                                  .velocity = velocity,
                                  .row = row};
    saddle_solution mine = {.n = 2, .m = 1, .v = v, .lambda = lambda, .w = w}, whole = {0};
    CLAIM(saddle_solution_create(context, 4, 3, &whole) == SADDLE_OK);
    for (int k = 0; k < 4; k++) whole.v[k] = 7.0;
    for (int k = 0; k < 3; k++) whole.lambda[k] = whole.w[k] = 7.0;
    CLAIM(saddle_mpi_collect(MPI_COMM_WORLD, context, &part, &mine, &whole) == SADDLE_OK);
    for (int k = 0; rank == 0 && k < 4; k++)
        CLAIM(whole.v[k] == (k == 0 ? 3.0 : k == 2 ? 4.0 : 0.0));
    for (int k = 0; rank == 0 && k < 3; k++)
        CLAIM(whole.lambda[k] == (k == 1 ? 5.0 : 0.0) && whole.w[k] == (k == 1 ? 6.0 : 0.0));
    saddle_solution_clear(&whole);
}

/* The bytes of the library at most in this process, while a chain is solved by a communicator whose
 * processes have a run of the chain each. */
static int64_t bytes_of_chain(MPI_Comm those, const saddle_problem *chain)
{
    int who, all;
    MPI_Comm_rank(those, &who);
    MPI_Comm_size(those, &all);
    int *of = calloc((size_t)chain->n + 1, sizeof *of);
    for (int64_t k = 0; k < chain->n; k++) of[k] = rank + (k * all / chain->n == who ? 0 : 1);
    uint64_t seed = test_seed();
    saddle_problem given = {.n = chain->n, .m = chain->m};
    given.M = part_of_matrix(&chain->M, BY_ROWS, &seed, of);
    for (int64_t k = 0; k < chain->m; k++) of[k] = rank + (k * all / chain->m == who ? 0 : 1);
    given.Jt = part_of_matrix(&chain->Jt, BY_ROWS, &seed, of);
    given.f = who == 0 ? chain->f : NULL;
    saddle_mpi_part part;
    CLAIM(saddle_mpi_part_make(those, context, &given, &part) == SADDLE_OK);
    test_memory memory;
    saddle_context *kept = context;
    context = test_memory_begin(&memory, -1);
    saddle_solution x = {0};
    CLAIM(saddle_mpi_solve_part(those, context, &part, "ldlt", NULL, NULL, &x, NULL) == SADDLE_OK);
    const int64_t bytes = saddle_context_memory(context).peak_bytes;
    saddle_solution_clear(&x);
    test_memory_end(&memory, context);
    context = kept;
    saddle_mpi_part_clear(&part);
    saddle_matrix_clear(&given.M);
    saddle_matrix_clear(&given.Jt);
    free(of);
    return bytes;
}

/* Of a chain in runs the processes hold together little more than one process would: MUMPS may give
 * one of them most of the pivots, and so of the solution on its way to the owners. */
static void vectors_of_equations_are_spread(void **unused)
{
    (void)unused;
    saddle_problem chain;
    make_band(&chain, 8000, 1);
    const int64_t one = bytes_of_chain(MPI_COMM_SELF, &chain);
    int64_t sum = bytes_of_chain(MPI_COMM_WORLD, &chain);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CLAIM((double)sum <= 1.2 * (double)one);
    saddle_problem_clear(&chain);
}

int main(void)
{
    if (!mpi_test_begin()) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_in_their_own_numbers_have_the_same_solution),
        cmocka_unit_test(a_hand_made_part_is_solved),
        cmocka_unit_test(a_part_keeps_the_names_of_rows),
        cmocka_unit_test(a_part_without_lists_has_the_whole_answer),
        cmocka_unit_test(lists_may_have_more_than_is_touched),
        cmocka_unit_test(a_collected_answer_has_no_old_values),
        cmocka_unit_test(vectors_of_equations_are_spread),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpi_test_end();
    return failed;
}
