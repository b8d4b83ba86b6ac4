/* SPDX-License-Identifier: MIT */
/* Problems over several processes against the same problems in one: run by mpirun with 1 to 4.
 *
 * Every process draws the same problem and keeps a part by chance: whole columns and rows, single
 * entries, summands of all entries, or nothing.  A claim that fails ends all processes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../solvers/collection.h"
#include "../solvers/drawn.h"
#include "../solvers/drawn_mixed.h"
#include "factor/mumps.h"
#include "saddle_mpi.h"

static int rank, processes;
static saddle_context *context;

#define CLAIM(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: process %d of %d: %s\n%s\n", __FILE__, __LINE__, rank, \
                    processes, #condition, saddle_context_message(context));               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                  \
        }                                                                                  \
    } while (0)

/* ---- parts ---- */

typedef enum split {
    BY_ROWS,    /* columns of M, rows of J and R to one process each, by chance */
    BY_ENTRIES, /* every entry to some process */
    FIRST_ONLY,
    LAST_ONLY,
    SPLITS,
    BY_SUMMANDS = SPLITS /* every entry to all processes, by chance more or less of the value */
} split;

static int owner(split how, uint64_t *seed)
{
    const int any = (int)test_integer(seed, 0, processes - 1);
    if (how == BY_SUMMANDS) return rank;
    return how == FIRST_ONLY ? 0 : how == LAST_ONLY ? processes - 1 : any;
}

/* The part of an entry's value that this process, one of its owners, gives. */
static double weight(split how, uint64_t *seed)
{
    double mine = 1.0, sum = 0.0;
    if (how != BY_SUMMANDS) return 1.0;
    for (int p = 0; p < processes; p++) {
        const double drawn_weight = test_uniform(seed, 0.1, 1.0);
        if (p == rank) mine = drawn_weight;
        sum += drawn_weight;
    }
    return mine / sum;
}

/* The part of A that `column_owner` or, by entries, a draw gives this process. */
static saddle_matrix part_of_matrix(const saddle_matrix *A, split how, uint64_t *seed,
                                    const int *column_owner)
{
    const int64_t entries = saddle_matrix_entries(A);
    int64_t *row = calloc((size_t)entries + 1, sizeof *row);
    int64_t *col = calloc((size_t)entries + 1, sizeof *col);
    double *value = calloc((size_t)entries + 1, sizeof *value);
    int64_t count = 0;
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            const int chosen = owner(how, seed);
            if ((how == BY_ENTRIES ? chosen : column_owner[j]) != rank) continue;
            row[count] = A->index[k];
            col[count] = j;
            value[count++] = weight(how, seed) * A->value[k];
        }
    static int64_t none[1] = {0}; /* the starts of a matrix without columns */
    saddle_matrix part = {.rows = A->rows, .cols = A->cols, .symmetry = A->symmetry};
    if (count == 0 && how == BY_ROWS && A->symmetry == SADDLE_SYMMETRIC)
        part = (saddle_matrix){.start = none};
    CLAIM(count == 0 || saddle_matrix_from_triplets(context, A->rows, A->cols, count, row, col,
                                                    value, A->symmetry, &part) == SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return part;
}

static double *part_of_vector(const double *x, int64_t count, const int *of, double empty)
{
    double *part = calloc((size_t)count + 1, sizeof *part);
    for (int64_t i = 0; i < count; i++) part[i] = of[i] == rank ? x[i] : empty;
    return part;
}

static void weigh(double *x, int64_t count, split how, uint64_t *seed)
{
    for (int64_t i = 0; x && i < count; i++) x[i] *= weight(how, seed);
}

typedef struct share {
    saddle_problem problem; /* borrows the contacts below */
    saddle_contact *contacts;
} share;

static share part_of(const saddle_problem *whole, split how, uint64_t *seed)
{
    int *of_velocity = calloc((size_t)whole->n + 1, sizeof *of_velocity);
    int *of_row = calloc((size_t)whole->m + 1, sizeof *of_row);
    share s = {.problem = {.n = whole->n, .m = whole->m}};
    saddle_problem *p = &s.problem;
    for (int64_t j = 0; j < whole->n; j++) of_velocity[j] = owner(how, seed);
    for (int64_t i = 0; i < whole->m; i++) of_row[i] = owner(how, seed);
    s.contacts = calloc((size_t)whole->contact_count + 1, sizeof *s.contacts);
    for (int64_t c = 0; c < whole->contact_count; c++) {
        const saddle_contact *contact = &whole->contacts[c];
        for (int64_t i = 1; i < contact->size; i++) of_row[contact->row + i] = of_row[contact->row];
        if (of_row[contact->row] == rank) s.contacts[p->contact_count++] = *contact;
    }
    p->contacts = s.contacts;
    p->law = whole->law;
    p->facets = whole->facets;
    p->M = part_of_matrix(&whole->M, how, seed, of_velocity);
    p->Jt = part_of_matrix(&whole->Jt, how, seed, of_row);
    p->R = part_of_matrix(&whole->R, how, seed, of_row);
    if (whole->f) p->f = part_of_vector(whole->f, whole->n, of_velocity, 0.0);
    if (whole->b) p->b = part_of_vector(whole->b, whole->m, of_row, 0.0);
    weigh(p->f, p->n, how, seed);
    weigh(p->b, p->m, how, seed);
    if (whole->lo) p->lo = part_of_vector(whole->lo, whole->m, of_row, -(double)INFINITY);
    if (whole->hi) p->hi = part_of_vector(whole->hi, whole->m, of_row, (double)INFINITY);
    free(of_velocity);
    free(of_row);
    return s;
}

static void free_share(share *s)
{
    saddle_matrix_clear(&s->problem.M);
    saddle_matrix_clear(&s->problem.Jt);
    saddle_matrix_clear(&s->problem.R);
    free(s->problem.f);
    free(s->problem.b);
    free(s->problem.lo);
    free(s->problem.hi);
    free(s->contacts);
}

/* ---- claims ---- */

static int close_to(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 + 1e-6 * fmax(fabs(a), fabs(b));
}

/* Figures of rounding level differ by rounding: other sums. */
static void residuals_agree(const saddle_residual *a, const saddle_residual *b)
{
    CLAIM(close_to(a->dynamics, b->dynamics));
    CLAIM(close_to(a->rows, b->rows));
    CLAIM(close_to(a->cone, b->cone));
    CLAIM(close_to(a->total, b->total));
    CLAIM(close_to(a->local, b->local));
    CLAIM(close_to(a->growth, b->growth));
    CLAIM(close_to(a->normwise, b->normwise));
    CLAIM(close_to(a->bounds, b->bounds));
    CLAIM(close_to(a->complementarity, b->complementarity));
    CLAIM(close_to(a->natural_map, b->natural_map));
    CLAIM(close_to(a->natural_map_q, b->natural_map_q));
    CLAIM(a->unitless == b->unitless);
}

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

static int with_mass_in_parts; /* solves of check_solve */

/* The largest velocity that f alone gives, by the diagonal of M. */
static double free_velocity(const saddle_problem *p)
{
    double most = 1e-300;
    for (int64_t j = 0; p->f && j < p->n; j++) {
        const double mass = fabs(saddle_matrix_entry(&p->M, j, j));
        if (mass > 0.0) most = fmax(most, fabs(p->f[j]) / mass);
    }
    return most;
}

/* Coulomb's friction, whose velocities need not be unique. */
static int may_have_others(const saddle_problem *p)
{
    double mu = 0.0;
    for (int64_t k = 0; k < p->contact_count; k++) mu = fmax(mu, p->contacts[k].mu);
    return mu > 0.0 && (p->law == SADDLE_LAW_CONE || p->law == SADDLE_LAW_PYRAMID);
}

/* The answer over parts against one process': both solved, the checker's residual, and the same
 * velocities where these are unique, relative to the largest; where that is at rounding level,
 * below 1e-9 of free fall, relative to free fall.  Returns 1 where one process solves. */
static int check_solve(const saddle_problem *whole, split how, uint64_t *seed, const char *name,
                       double accuracy)
{
    share s = part_of(whole, how, seed);
    saddle_solution one = {0}, all = {0};
    saddle_report report, alone;
    const saddle_status expected = saddle_solve(context, whole, name, NULL, NULL, &one, &alone);
    const saddle_status status = saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, name, NULL,
                                                  NULL, &all, &report);
    CLAIM(status == SADDLE_OK || expected != SADDLE_OK);
    with_mass_in_parts += status == SADDLE_OK && strstr(report.note, "M in parts");
    double scale = 0.0, error = 0.0;
    const int unique = status == SADDLE_OK && expected == SADDLE_OK && alone.inertia.zero == 0 &&
                       !may_have_others(whole);
    for (int64_t j = 0; unique && j < whole->n; j++) {
        scale = fmax(scale, fabs(one.v[j]));
        error = fmax(error, fabs(one.v[j] - all.v[j]));
    }
    if (scale < 1e-9 * free_velocity(whole)) scale = free_velocity(whole); /* v at rest */
    CLAIM(error <= accuracy * scale);
    if (status == SADDLE_OK) CLAIM(report.residual.total <= saddle_options_default().tolerance);
    saddle_solution_clear(&one);
    saddle_solution_clear(&all);
    free_share(&s);
    return expected == SADDLE_OK;
}

static void the_checker_over_parts_is_the_checker(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(200); trial++) {
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
    for (int trial = 0; trial < test_draws(draws); trial++) {
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
    for (int trial = 0; trial < test_draws(40); trial++) {
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

/* Rows that depend on others, and rows that contradict them: the status of one process. */
static void dependent_rows_are_told_as_in_one_process(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static const char *const names[] = {"ldlt", "schur", "pivot"};
    int refused = 0;
    for (int trial = 0; trial < test_draws(40); trial++) {
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
    for (int trial = 0; trial < test_draws(40); trial++) {
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

typedef struct triplets {
    int64_t count, room;
    int64_t *row, *col;
    double *value;
} triplets;

static void add_entry(triplets *t, int64_t row, int64_t col, double value)
{
    CLAIM(t->count < t->room);
    t->row[t->count] = row;
    t->col[t->count] = col;
    t->value[t->count++] = value;
}

static void take_triplets(triplets *t, int64_t rows, int64_t cols, saddle_symmetry symmetry,
                          saddle_matrix *A)
{
    CLAIM(saddle_matrix_from_triplets(context, rows, cols, t->count, t->row, t->col, t->value,
                                      symmetry, A) == SADDLE_OK);
    t->count = 0;
}

/* M of 2 band + 1 diagonals, and rows that tie neighbours. */
static void make_band(saddle_problem *p, int64_t n, int64_t band)
{
    const int64_t room = n * (band + 1);
    triplets t = {.room = room,
                  .row = calloc((size_t)room, sizeof *t.row),
                  .col = calloc((size_t)room, sizeof *t.col),
                  .value = calloc((size_t)room, sizeof *t.value)};
    *p = (saddle_problem){.n = n, .m = n / 10, .owner = 1, .context = context};
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i <= j + band && i < n; i++)
            add_entry(&t, i, j, i == j ? 2.0 * (double)band + 1.0 : -1.0);
    take_triplets(&t, n, n, SADDLE_SYMMETRIC, &p->M);
    for (int64_t i = 0; i < p->m; i++) {
        add_entry(&t, 10 * i, i, 1.0);
        add_entry(&t, 10 * i + 1, i, -1.0);
    }
    take_triplets(&t, n, p->m, SADDLE_GENERAL, &p->Jt);
    free(t.row);
    free(t.col);
    free(t.value);
    p->f = saddle_allocate(context, n, sizeof *p->f);
    for (int64_t j = 0; j < n; j++) p->f[j] = (double)(j % 7) - 3.0;
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

/* ---- parts in numbers of their own ---- */

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
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, name, NULL, &mine, &report) ==
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
    for (int trial = 0; trial < test_draws(40); trial++) {
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
                                      SADDLE_SYMMETRIC, &part.own.M) == SADDLE_OK);
    CLAIM(saddle_matrix_from_triplets(context, part.own.n, 1, EACH, to, none, ones, SADDLE_GENERAL,
                                      &part.own.Jt) == SADDLE_OK);
    saddle_solution mine = {0};
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, &mine, NULL) ==
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
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, &mine, NULL) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(strstr(saddle_context_message(context), "velocity[0]"));
    velocity[0] -= n;
    part.row = NULL;
    part.m = 2;
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, &mine, NULL) ==
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
        .M = saddle_matrix_view(1, 1, start, index, ones, SADDLE_SYMMETRIC),
        .Jt = saddle_matrix_view(1, 2, start, index, ones, SADDLE_GENERAL),
        .b = rank == 0 ? b : NULL,
        .row_name = rank == 0 ? names : NULL,
    };
    saddle_mpi_part part;
    saddle_solution x = {0}, whole = {0};
    CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &given, NULL, NULL, NULL, &whole, NULL) ==
          SADDLE_INFEASIBLE);
    CLAIM(strstr(saddle_context_message(context), hinge));
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &given, &part) == SADDLE_OK);
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, &x, NULL) ==
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
    for (int trial = 0; trial < test_draws(20); trial++) {
        drawn d;
        draw_problem(&seed, (drawn_kind){.n = 12, .m = 5}, &d);
        share s = part_of(&d.problem, (split)(trial % SPLITS), &seed);
        const saddle_mpi_part part = {.n = d.problem.n, .m = d.problem.m, .own = s.problem};
        saddle_solution expected = {0}, x = {0};
        CLAIM(saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, "ldlt", NULL, NULL, &expected,
                               NULL) == SADDLE_OK);
        CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, &x, NULL) ==
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
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, name, NULL, &mine, NULL) ==
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
    for (int trial = 0; trial < test_draws(40); trial++) {
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
    CLAIM(saddle_mpi_solve_part(those, context, &part, "ldlt", NULL, &x, NULL) == SADDLE_OK);
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
    make_band(&chain, 20000, 1);
    const int64_t one = bytes_of_chain(MPI_COMM_SELF, &chain);
    int64_t sum = bytes_of_chain(MPI_COMM_WORLD, &chain);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CLAIM((double)sum <= 1.2 * (double)one);
    saddle_problem_clear(&chain);
}

/* Bounds and contacts by solvers whose factors are shared. */
static void drawn_contacts_have_the_same_solution(void **unused)
{
    (void)unused;
    static const char *const names[] = {"auto", "pivot", "admm"};
    uint64_t seed = test_seed();
    int solved = 0;
    for (int trial = 0; trial < test_draws(60); trial++) {
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
    return (saddle_matrix_entries(&p->M) == 0 || p->M.symmetry == SADDLE_SYMMETRIC) &&
           (saddle_matrix_entries(&p->R) == 0 || p->R.symmetry == SADDLE_SYMMETRIC);
}

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
        const int64_t most = p.n > 0 && rows.equality == p.m ? 20000 : 3000;
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

/* Sizes that no list shows to be wrong, and arguments that are NULL in one process. */
static void wrong_arguments_of_parts_are_errors_of_all(void **unused)
{
    (void)unused;
    const int last = rank == processes - 1;
    int64_t none[1] = {0};
    double mass[1] = {2.0};
    saddle_mpi_part part = {.n = -5, .velocity = none, .row = none};
    saddle_solution x = {0}, whole = {0}, hollow = {0};
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, &x, NULL) ==
          SADDLE_INVALID_ARGUMENT);
    part.n = INT64_MAX;
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, &x, NULL) ==
          SADDLE_TOO_LARGE);
    saddle_problem given = {.n = 1}, sum;
    CLAIM(saddle_matrix_from_triplets(context, 1, 1, 1, none, none, mass, SADDLE_SYMMETRIC,
                                      &given.M) == SADDLE_OK);
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &given, last ? NULL : &part) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(saddle_mpi_gather(MPI_COMM_WORLD, context, &given, last ? NULL : &sum) ==
          SADDLE_INVALID_ARGUMENT);
    CLAIM(saddle_mpi_read(MPI_COMM_WORLD, context, "no such folder", last ? NULL : &sum) <
          SADDLE_OK);
    CLAIM(saddle_mpi_part_make(MPI_COMM_WORLD, context, &given, &part) == SADDLE_OK);
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, last ? NULL : &x,
                                NULL) == SADDLE_INVALID_ARGUMENT);
    CLAIM(!x.v); /* as before, where another failed */
    CLAIM(saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, &x, NULL) == SADDLE_OK);
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

/* A context with a progress function, in place of `context`; *kept <- the latter. */
static void watch(saddle_progress_function *function, saddle_context **kept)
{
    saddle_context_options options = saddle_context_options_default();
    options.progress = function;
    *kept = context;
    CLAIM(saddle_context_create(&options, &context) == SADDLE_OK);
}

static void unwatch(saddle_context *kept)
{
    saddle_context_free(context);
    context = kept;
}

static saddle_status status_of_parts(const saddle_problem *whole, const char *name,
                                     const saddle_options *options, saddle_report *report)
{
    uint64_t seed = test_seed();
    share s = part_of(whole, BY_ENTRIES, &seed);
    saddle_solution x = {0};
    const saddle_status status = saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, name,
                                                  options, NULL, &x, report);
    CLAIM((status == SADDLE_OK) == (saddle_context_message(context)[0] == '\0'));
    CLAIM(!report || report->status == status);
    saddle_solution_clear(&x);
    free_share(&s);
    return status;
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

/* Singular K, and rows that contradict others: the status of one process. */
static void a_time_limit_of_a_singular_problem_is_as_in_one_process(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    saddle_options options = saddle_options_default();
    options.time_limit = 1e-9;
    for (int trial = 0; trial < test_draws(40); trial++) {
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

/* Memory that runs out in one process, at each allocation in turn, is an error of all. */
static void sweep_allocations(const saddle_problem *part, int failing, const char *name)
{
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    int64_t at = 0;
    for (; status != SADDLE_OK; at++) {
        test_memory memory;
        saddle_context *kept = context;
        saddle_solution x = {0};
        context = test_memory_begin(&memory, rank == failing ? at : -1);
        status = saddle_mpi_solve(MPI_COMM_WORLD, context, part, name, NULL, NULL, &x, NULL);
        CLAIM(status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY);
        int statuses[2] = {(int)status, -(int)status};
        MPI_Allreduce(MPI_IN_PLACE, statuses, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        CLAIM(statuses[0] == -statuses[1]);
        saddle_solution_clear(&x);
        test_memory_end(&memory, context);
        context = kept;
    }
    CLAIM(at > 10);
}

/* The same of a part in its own numbers, made, solved and collected. */
static saddle_status solve_in_own_numbers(const saddle_problem *given)
{
    saddle_mpi_part part = {0};
    saddle_solution mine = {0}, whole = {0};
    saddle_status status = saddle_mpi_part_make(MPI_COMM_WORLD, context, given, &part);
    if (status == SADDLE_OK)
        status = saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, "ldlt", NULL, &mine, NULL);
    if (status == SADDLE_OK)
        status = saddle_mpi_collect(MPI_COMM_WORLD, context, &part, &mine, &whole);
    saddle_solution_clear(&mine);
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
    for (; status != SADDLE_OK; at++) {
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
    sweep_allocations(&s.problem, processes - 1, "ldlt");
    sweep_allocations(&s.problem, 0, "ldlt");
    sweep_allocations(&s.problem, 0, "schur");
    sweep_allocations(&s.problem, processes - 1, "schur");
    sweep_parts(&s.problem, 0);
    sweep_parts(&s.problem, processes - 1);
    free_share(&s);
    saddle_problem_clear(&whole);
    for (int failing = 0; failing < processes; failing++) sweep_contacts(failing);
}

static int count_widenings(int error)
{
    DMUMPS_STRUC_C id = {.n = 3};
    int count = 0;
    saddle__mumps_choose(&id);
    id.infog[0] = error;
    while (saddle__mumps_widen(&id)) count++;
    return count;
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
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (rank > 0 && !freopen("/dev/null", "w", stdout)) return 1; /* cmocka reports once */
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_over_parts_is_the_checker),
        cmocka_unit_test(drawn_equations_have_the_same_solution),
        cmocka_unit_test(drawn_unsymmetric_equations_have_the_same_solution),
        cmocka_unit_test(entries_that_several_give_are_added),
        cmocka_unit_test(dependent_rows_are_told_as_in_one_process),
        cmocka_unit_test(drawn_delassus_operators_have_the_same_solution),
        cmocka_unit_test(matrices_of_equations_stay_where_they_are),
        cmocka_unit_test(the_mass_of_bounded_rows_stays_where_it_is),
        cmocka_unit_test(parts_in_their_own_numbers_have_the_same_solution),
        cmocka_unit_test(a_hand_made_part_is_solved),
        cmocka_unit_test(a_part_keeps_the_names_of_rows),
        cmocka_unit_test(a_part_without_lists_has_the_whole_answer),
        cmocka_unit_test(lists_may_have_more_than_is_touched),
        cmocka_unit_test(a_collected_answer_has_no_old_values),
        cmocka_unit_test(vectors_of_equations_are_spread),
        cmocka_unit_test(drawn_contacts_have_the_same_solution),
        cmocka_unit_test(our_bundles_are_solved),
        cmocka_unit_test(public_files_are_solved),
        cmocka_unit_test(a_bundle_read_in_pieces_is_the_bundle),
        cmocka_unit_test(a_failure_of_one_is_a_failure_of_all),
        cmocka_unit_test(wrong_arguments_of_parts_are_errors_of_all),
        cmocka_unit_test(a_row_of_two_contacts_is_refused),
        cmocka_unit_test(a_stop_of_the_first_is_a_stop_of_all),
        cmocka_unit_test(a_time_limit_ends_all),
        cmocka_unit_test(a_time_limit_of_a_singular_problem_is_as_in_one_process),
        cmocka_unit_test(a_time_limit_is_of_the_solve),
        cmocka_unit_test(memory_that_runs_out_in_one_is_an_error_of_all),
        cmocka_unit_test(errors_of_mumps_are_told_apart),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    saddle_context_free(context);
    MPI_Finalize();
    return failed;
}
