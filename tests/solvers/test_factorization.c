/* SPDX-License-Identifier: MIT */
/* The factorization table: against LAPACK, its own fresh self, and memory that fails. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_matrix.h"
#include "factor/complement.h"

static void solutions_equal_lapack(const char *name, int general)
{
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(400); trial++) {
        int64_t n = test_integer(&state, 0, TEST_DRAWN_MOST);
        test_drawn d = test_draw_matrix(&state, n, 1, general);
        saddle__factorization *F = test_factored(NULL, name, &d.A);
        double x[TEST_DRAWN_MOST + 1];
        double y[TEST_DRAWN_MOST + 1];
        for (int64_t i = 0; i < n; i++) x[i] = y[i] = test_uniform(&state, -1.0, 1.0);
        test_dense_solve(&d, y);
        assert_int_equal(saddle__factorization_solve(F, x), SADDLE_OK);
        assert_true(test_distance(x, y, n) < 1e-13);
        saddle__factorization_free(F);
        test_drawn_clear(&d);
    }
}

static void cholmod_solves_as_lapack_does(void **unused)
{
    (void)unused;
    solutions_equal_lapack("cholmod", 0);
}

static void ldlt_solves_as_lapack_does(void **unused)
{
    (void)unused;
    solutions_equal_lapack("ldlt", 0);
}

static void lu_solves_as_lapack_does(void **unused)
{
    (void)unused;
    int general = 0;
    for (int k = 0; saddle__factorization_name_at(k); k++) {
        const char *name = saddle__factorization_name_at(k);
        if (!test_takes_any(name)) continue;
        solutions_equal_lapack(name, 0);
        solutions_equal_lapack(name, 1);
        general++;
    }
    assert_true(general > 0);
}

/* The name of method `trial`, over and over. */

static void every_method_is_found_by_name_and_others_are_refused(void **unused)
{
    (void)unused;
    saddle__factorization *F;
    for (int k = 0; saddle__factorization_name_at(k); k++) {
        assert_int_equal(saddle__factorization_create(NULL, saddle__factorization_name_at(k),
                                                      SADDLE_ORDERING_AMD, &F),
                         SADDLE_OK);
        saddle__factorization_free(F);
    }
    assert_int_equal(saddle__factorization_create(NULL, "superlu", SADDLE_ORDERING_AMD, &F),
                     SADDLE_UNKNOWN_NAME);
    assert_null(F);
#ifndef SADDLE_GPL
    assert_int_equal(saddle__factorization_create(NULL, "umfpack", SADDLE_ORDERING_AMD, &F),
                     SADDLE_UNKNOWN_NAME);
#endif
#ifndef SADDLE_MUMPS
    assert_int_equal(saddle__factorization_create(NULL, "mumps", SADDLE_ORDERING_AMD, &F),
                     SADDLE_UNKNOWN_NAME);
#endif
}

static void inertia_is_that_of_the_eigenvalues(void **unused)
{
    (void)unused;
    static const char *const names[] = {
        "cholmod",
        "ldlt",
#ifdef SADDLE_MUMPS
        "mumps",
#endif
    };
    const int count = (int)(sizeof names / sizeof *names);
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(400); trial++) {
        int64_t n = test_integer(&state, 1, TEST_DRAWN_MOST);
        test_drawn d = test_draw_matrix(&state, n, 1, 0);
        saddle__factorization *F = test_factored(NULL, names[trial % count], &d.A);
        double eigenvalue[TEST_DRAWN_MOST];
        assert_int_equal(saddle__dense_eigenvalues(NULL, n, d.dense, eigenvalue), SADDLE_OK);
        int64_t positive = 0;
        for (int64_t i = 0; i < n; i++) positive += eigenvalue[i] > 0.0;
        saddle__factor_counts counts = saddle__factorization_counts(F);
        assert_true(counts.inertia.known);
        assert_int_equal(counts.inertia.positive, positive);
        assert_int_equal(counts.inertia.negative, n - positive);
        assert_int_equal(counts.inertia.zero, 0);
        assert_int_equal(counts.perturbed_pivots, 0);
        saddle__factorization_free(F);
        test_drawn_clear(&d);
    }
}

static void many_columns_are_solved_as_one_by_one(void **unused)
{
    (void)unused;
    enum { COLUMNS = 2 * SADDLE__FACTOR_BLOCK + 3 };
    uint64_t state = test_seed();
    for (int k = 0; saddle__factorization_name_at(k); k++) {
        const char *name = saddle__factorization_name_at(k);
        test_drawn d = test_draw_matrix(&state, TEST_DRAWN_MOST, 1, test_takes_any(name));
        saddle__factorization *F = test_factored(NULL, name, &d.A);
        double *X = calloc(COLUMNS * TEST_DRAWN_MOST, sizeof *X);
        double *x = calloc(COLUMNS * TEST_DRAWN_MOST, sizeof *x);
        for (int64_t i = 0; i < COLUMNS * TEST_DRAWN_MOST; i++)
            X[i] = x[i] = test_uniform(&state, -1.0, 1.0);
        assert_int_equal(saddle__factorization_solve_columns(F, COLUMNS, X), SADDLE_OK);
        for (int64_t c = 0; c < COLUMNS; c++) {
            test_dense_solve(&d, x + c * TEST_DRAWN_MOST);
            assert_true(test_distance(X + c * TEST_DRAWN_MOST, x + c * TEST_DRAWN_MOST,
                                      TEST_DRAWN_MOST) < 1e-13);
        }
        assert_int_equal(saddle__factorization_solve_columns(F, 0, NULL), SADDLE_OK);
        free(X);
        free(x);
        saddle__factorization_free(F);
        test_drawn_clear(&d);
    }
}

/* ---- the Schur complement ---- */

/* max |S (A^-1)_22 - I|: the inverse of the complement is the last block of the inverse. */
static double distance_to_inverse(const test_drawn *d, int64_t rows, const double *S)
{
    const int64_t n = d->A.rows, first = n - rows;
    double most = 0.0;
    for (int64_t c = 0; c < rows; c++) {
        double x[TEST_DRAWN_MOST] = {0.0};
        x[first + c] = 1.0;
        test_dense_solve(d, x);
        for (int64_t i = 0; i < rows; i++) {
            double sum = i == c ? -1.0 : 0.0;
            for (int64_t k = 0; k < rows; k++) sum += S[k * rows + i] * x[first + k];
            most = fmax(most, fabs(sum));
        }
    }
    return most;
}

/* max |A11 x - b| of the velocities before the last rows; the rest of x is 0. */
static double distance_of_inner(const test_drawn *d, int64_t rows, const double *x, const double *b)
{
    const int64_t n = d->A.rows;
    double most = 0.0;
    for (int64_t i = 0; i < n - rows; i++) {
        double sum = -b[i];
        for (int64_t k = 0; k < n - rows; k++) sum += d->dense[k * n + i] * x[k];
        most = fmax(most, fabs(sum));
    }
    for (int64_t i = n - rows; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void complement_is_that_of_the_dense_twin(const char *name, uint64_t *state)
{
    const int64_t n = test_integer(state, 2, TEST_DRAWN_MOST);
    const int64_t rows = test_integer(state, 1, n - 1);
    test_drawn d = test_draw_matrix(state, n, 1, 0);
    saddle__factorization *F;
    double x[TEST_DRAWN_MOST], b[TEST_DRAWN_MOST];
    assert_int_equal(saddle__factorization_create(NULL, name, SADDLE_ORDERING_BEST, &F), SADDLE_OK);
    assert_int_equal(saddle__factorization_set_complement(F, n), SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse(F, &d.A), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle__factorization_set_complement(F, rows), SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse(F, &d.A), SADDLE_OK);
    assert_null(saddle__factorization_complement(F));
    assert_int_equal(saddle__factorization_factor(F, &d.A, NULL, 0.0), SADDLE_OK);
    assert_true(distance_to_inverse(&d, rows, saddle__factorization_complement(F)) < 1e-11);
    for (int64_t i = 0; i < n; i++) x[i] = b[i] = test_uniform(state, -1.0, 1.0);
    assert_int_equal(saddle__factorization_solve(F, x), SADDLE_OK);
    assert_true(distance_of_inner(&d, rows, x, b) < 1e-11);
    const saddle_inertia inertia = saddle__factorization_counts(F).inertia;
    assert_int_equal(inertia.positive + inertia.negative, n - rows);
    saddle__factorization_free(F);
    test_drawn_clear(&d);
}

static void complements_are_those_of_the_dense_twin(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; saddle__factorization_name_at(k); k++) {
        const char *name = saddle__factorization_name_at(k);
        saddle__factorization *F;
        assert_int_equal(saddle__factorization_create(NULL, name, SADDLE_ORDERING_BEST, &F),
                         SADDLE_OK);
        const saddle_status status = saddle__factorization_set_complement(F, 1);
        saddle__factorization_free(F);
        assert_int_equal(status, strcmp(name, "mumps") == 0 ? SADDLE_OK : SADDLE_UNSUPPORTED);
        for (int trial = 0; status == SADDLE_OK && trial < test_draws(100); trial++)
            complement_is_that_of_the_dense_twin(name, &state);
    }
}

static void every_ordering_gives_the_same_answer(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const saddle_ordering orderings[] = {SADDLE_ORDERING_BEST, SADDLE_ORDERING_AMD,
                                         SADDLE_ORDERING_METIS, SADDLE_ORDERING_NATURAL};
    test_drawn d = test_draw_matrix(&state, TEST_DRAWN_MOST, 0, 0);
    double expected[TEST_DRAWN_MOST];
    for (int64_t i = 0; i < TEST_DRAWN_MOST; i++) expected[i] = 1.0;
    test_dense_solve(&d, expected);
    for (int k = 0; saddle__factorization_name_at(k / 4); k++) {
        saddle__factorization *F;
        double x[TEST_DRAWN_MOST];
        for (int64_t i = 0; i < TEST_DRAWN_MOST; i++) x[i] = 1.0;
        assert_int_equal(saddle__factorization_create(NULL, saddle__factorization_name_at(k / 4),
                                                      orderings[k % 4], &F),
                         SADDLE_OK);
        assert_int_equal(saddle__factorization_analyse(F, &d.A), SADDLE_OK);
        assert_int_equal(saddle__factorization_factor(F, &d.A, NULL, 0.0), SADDLE_OK);
        assert_int_equal(saddle__factorization_solve(F, x), SADDLE_OK);
        assert_true(test_distance(x, expected, TEST_DRAWN_MOST) < 1e-13);
        saddle__factorization_free(F);
    }
    test_drawn_clear(&d);
}

/* A grid of SIDE x SIDE, its diagonal dominant: no row is exchanged. */
static void klu_foresees_the_entries_of_symmetric_patterns(void **unused)
{
    (void)unused;
    enum { SIDE = 20, N = SIDE * SIDE };
    int64_t row[5 * N], column[5 * N], count = 0;
    double value[5 * N];
    for (int64_t k = 0; k < N; k++)
        for (int64_t l = 0; l < N; l++) {
            int64_t apart = llabs(k / SIDE - l / SIDE) + llabs(k % SIDE - l % SIDE);
            if (apart > 1) continue;
            row[count] = k;
            column[count] = l;
            value[count++] = apart ? (k < l ? -1 : -0.5) : 5;
        }
    saddle_matrix A = {0};
    saddle__factorization *F;
    assert_int_equal(saddle_matrix_from_triplets(NULL, N, N, count, row, column, value,
                                                 SADDLE_SYMMETRY_NONE, &A),
                     SADDLE_OK);
    assert_int_equal(saddle__factorization_create(NULL, "klu", SADDLE_ORDERING_AMD, &F), SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse(F, &A), SADDLE_OK);
    int64_t foreseen = saddle__factorization_counts(F).entries;
    assert_int_equal(saddle__factorization_factor(F, &A, NULL, 0.0), SADDLE_OK);
    assert_int_equal(foreseen, saddle__factorization_counts(F).entries);
    assert_true(foreseen > 2 * count);
    saddle__factorization_free(F);
    saddle_matrix_clear(&A);
}

/* ---- values only ---- */

static void new_values_in_an_old_factorization_equal_a_fresh_one_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(200); trial++) {
        const char *name = test_method_in_turn(trial);
        test_drawn d = test_draw_matrix(&state, test_integer(&state, 1, TEST_DRAWN_MOST), 1,
                                        test_takes_any(name));
        saddle_matrix B = test_draw_columns(&state, d.A.rows, 5);
        saddle__factorization *old = test_factored(NULL, name, &d.A);
        saddle_matrix refreshed = {0};
        assert_int_equal(saddle__factorization_columns(NULL, old, &B, &refreshed), SADDLE_OK);
        for (int64_t k = 0; k < saddle_matrix_entries(&d.A); k++)
            d.A.value[k] *= 1.0 + 0.1 * (double)(k % 3);
        assert_int_equal(saddle__factorization_factor(old, &d.A, NULL, 0.0), SADDLE_OK);
        assert_int_equal(saddle__factorization_columns(NULL, old, &B, &refreshed), SADDLE_OK);
        saddle__factorization *fresh = test_factored(NULL, name, &d.A);
        saddle_matrix made = {0};
        assert_int_equal(saddle__factorization_columns(NULL, fresh, &B, &made), SADDLE_OK);
        int64_t entries = saddle_matrix_entries(&made);
        assert_int_equal(saddle_matrix_entries(&refreshed), entries);
        assert_memory_equal(refreshed.index, made.index, (size_t)entries * sizeof(*made.index));
        assert_memory_equal(refreshed.value, made.value, (size_t)entries * sizeof(*made.value));
        saddle_matrix_clear(&made);
        saddle_matrix_clear(&refreshed);
        saddle_matrix_clear(&B);
        saddle__factorization_free(old);
        saddle__factorization_free(fresh);
        test_drawn_clear(&d);
    }
}

static void allocates_nothing_after_analyse(const char *name)
{
    uint64_t state = test_seed();
    test_drawn d = test_draw_matrix(&state, TEST_DRAWN_MOST, 1, 0);
    saddle_matrix B = test_draw_columns(&state, TEST_DRAWN_MOST, 10);
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle__factorization *F;
    assert_int_equal(saddle__factorization_create(context, name, SADDLE_ORDERING_BEST, &F),
                     SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse(F, &d.A), SADDLE_OK);
    int64_t before = memory.count;
    double x[TEST_DRAWN_MOST] = {1.0};
    for (int repeat = 0; repeat < 3; repeat++) {
        assert_int_equal(saddle__factorization_factor(F, &d.A, NULL, 0.0), SADDLE_OK);
        assert_int_equal(saddle__factorization_solve(F, x), SADDLE_OK);
    }
    assert_int_equal(memory.count, before);
    saddle_matrix T = {0};
    assert_int_equal(saddle__factorization_columns(context, F, &B, &T), SADDLE_OK);
    before = memory.count;
    assert_int_equal(saddle__factorization_factor(F, &d.A, NULL, 0.0), SADDLE_OK);
    assert_int_equal(saddle__factorization_columns(context, F, &B, &T), SADDLE_OK);
    assert_int_equal(memory.count, before);
    saddle_matrix_clear(&T);
    saddle__factorization_free(F);
    test_memory_end(&memory, context);
    saddle_matrix_clear(&B);
    test_drawn_clear(&d);
}

static void cholmod_and_ldlt_allocate_nothing_after_analyse(void **unused)
{
    (void)unused;
    allocates_nothing_after_analyse("cholmod");
    allocates_nothing_after_analyse("ldlt");
}

/* ---- threads ---- */

enum { SIDE = 40, REPEATS = 20, THREADS = 4 };

/* the five-point matrix of a SIDE x SIDE grid */
static saddle_matrix grid(void)
{
    static int64_t row[3 * SIDE * SIDE];
    static int64_t col[3 * SIDE * SIDE];
    static double value[3 * SIDE * SIDE];
    int64_t count = 0;
    for (int64_t k = 0; k < SIDE * SIDE; k++) {
        const int64_t neighbour[3] = {k, (k + 1) % SIDE ? k + 1 : -1,
                                      k + SIDE < SIDE * SIDE ? k + SIDE : -1};
        for (int e = 0; e < 3; e++) {
            if (neighbour[e] < 0) continue;
            row[count] = neighbour[e];
            col[count] = k;
            value[count++] = e ? -1.0 : 4.1;
        }
    }
    saddle_matrix A = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, SIDE * SIDE, SIDE * SIDE, count, row, col,
                                                 value, SADDLE_SYMMETRY_LOWER, &A),
                     SADDLE_OK);
    return A;
}

typedef struct worker {
    const saddle_matrix *A;
    double x[2][SIDE * SIDE]; /* by "cholmod", by "ldlt" */
    int same;                 /* every repetition gave the same bits */
} worker;

static void *solve_repeatedly(void *user)
{
    worker *w = user;
    w->same = 1;
    for (int repeat = 0; repeat < test_draws(REPEATS); repeat++) {
        double x[SIDE * SIDE];
        for (int64_t i = 0; i < SIDE * SIDE; i++) x[i] = (double)(i % 7) - 3.0;
        saddle__factorization *F = NULL;
        const char *name = repeat % 2 ? "ldlt" : "cholmod";
        saddle_status status = saddle__factorization_create(NULL, name, SADDLE_ORDERING_METIS, &F);
        if (status == SADDLE_OK) status = saddle__factorization_analyse(F, w->A);
        if (status == SADDLE_OK) status = saddle__factorization_factor(F, w->A, NULL, 0.0);
        if (status == SADDLE_OK) status = saddle__factorization_solve(F, x);
        saddle__factorization_free(F);
        if (repeat < 2) memcpy(w->x[repeat], x, sizeof(x));
        if (status != SADDLE_OK || memcmp(w->x[repeat % 2], x, sizeof(x)) != 0) w->same = 0;
    }
    return NULL;
}

static void metis_orders_alike_in_threads_side_by_side(void **unused)
{
    (void)unused;
    static worker alone;
    static worker together[THREADS];
    saddle_matrix A = grid();
    alone.A = &A;
    (void)solve_repeatedly(&alone);
    assert_true(alone.same);
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
        together[t].A = &A;
        assert_int_equal(pthread_create(&thread[t], NULL, solve_repeatedly, &together[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    for (int t = 0; t < THREADS; t++) {
        assert_true(together[t].same);
        assert_memory_equal(together[t].x, alone.x, sizeof(alone.x));
    }
    saddle_matrix_clear(&A);
}

/* ---- pivots that vanish ---- */

/* [1 1 0; 1 1 0; 0 0 3]: the second pivot in natural order is exactly zero */
static saddle_matrix singular_matrix(void)
{
    int64_t row[] = {0, 1, 1, 2};
    int64_t col[] = {0, 0, 1, 2};
    double value[] = {1.0, 1.0, 1.0, 3.0};
    saddle_matrix A = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, 3, 3, 4, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &A),
                     SADDLE_OK);
    return A;
}

static void a_zero_pivot_is_an_error_that_tells_the_column(void **unused)
{
    (void)unused;
    saddle_matrix A = singular_matrix();
    for (int k = 0; saddle__factorization_name_at(k); k++) {
        const char *name = saddle__factorization_name_at(k);
        saddle__factorization *F;
        assert_int_equal(saddle__factorization_create(NULL, name, SADDLE_ORDERING_NATURAL, &F),
                         SADDLE_OK);
        assert_int_equal(saddle__factorization_analyse(F, &A), SADDLE_OK);
        assert_int_equal(saddle__factorization_factor(F, &A, NULL, 0.0), SADDLE_SINGULAR);
        int64_t failed = saddle__factorization_counts(F).failed_column;
        assert_true(failed == 0 || failed == 1);
        double x[3] = {1.0, 1.0, 1.0};
        assert_int_equal(saddle__factorization_solve(F, x), SADDLE_WRONG_PHASE);
        A.value[2] = 2.0; /* regular again: the object is none the worse for it */
        assert_int_equal(saddle__factorization_factor(F, &A, NULL, 0.0), SADDLE_OK);
        assert_int_equal(saddle__factorization_solve(F, x), SADDLE_OK);
        assert_true(fabs(x[0] - 1.0) < 1e-15 && fabs(x[1]) < 1e-15 &&
                    fabs(x[2] - 1.0 / 3.0) < 1e-15);
        A.value[2] = 1.0;
        saddle__factorization_free(F);
    }
    saddle_matrix_clear(&A);
}

static void a_vanished_pivot_takes_the_known_sign_and_is_counted(void **unused)
{
    (void)unused;
    saddle_matrix A = singular_matrix();
    for (int trial = 0; trial < 4; trial++) {
        int side = trial % 2 ? 1 : -1;
        signed char sign[] = {(signed char)side, (signed char)side, 1};
        saddle__factorization *F;
        assert_int_equal(saddle__factorization_create(NULL, trial < 2 ? "cholmod" : "ldlt",
                                                      SADDLE_ORDERING_NATURAL, &F),
                         SADDLE_OK);
        assert_int_equal(saddle__factorization_analyse(F, &A), SADDLE_OK);
        assert_int_equal(saddle__factorization_factor(F, &A, sign, 1e-3), SADDLE_OK);
        saddle__factor_counts counts = saddle__factorization_counts(F);
        assert_int_equal(counts.perturbed_pivots, 1);
        assert_true(counts.first_perturbed == 0 || counts.first_perturbed == 1);
        int engine = trial >= 2; /* tells A's null vector from a pivot of the sign given */
        assert_int_equal(counts.inertia.zero, engine);
        /* the first, of the other sign, has not vanished */
        assert_int_equal(counts.inertia.positive, side > 0 && !engine ? 3 : 2);
        assert_int_equal(counts.inertia.negative, side > 0 || engine ? 0 : 1);
        double x[3] = {1.0, 1.0 + side * 1e-3, 0.0}; /* A with 1e-3 added to one of its entries: x =
                                                        0, 1 or 1, 0 */
        double y[3] = {1.0 + side * 1e-3, 1.0, 0.0};
        assert_int_equal(saddle__factorization_solve(F, counts.first_perturbed == 1 ? x : y),
                         SADDLE_OK);
        double *z = counts.first_perturbed == 1 ? x : y;
        assert_true(fabs(z[counts.first_perturbed] - 1.0) < 1e-12 &&
                    fabs(z[1 - counts.first_perturbed]) < 1e-12);
        saddle__factorization_free(F);
    }
    saddle_matrix_clear(&A);
}

static void a_dropped_row_solves_the_rest(void **unused)
{
    (void)unused;
    saddle_matrix A = singular_matrix();
    saddle__pivot_rule rule = {.smallest = 1e-12, .replacement = (double)INFINITY};
    const char *names[] = {"cholmod", "ldlt"};
    for (int k = 0; k < 2; k++) {
        saddle__factorization *F;
        assert_int_equal(saddle__factorization_create(NULL, names[k], SADDLE_ORDERING_NATURAL, &F),
                         SADDLE_OK);
        assert_int_equal(saddle__factorization_analyse(F, &A), SADDLE_OK);
        assert_int_equal(saddle__factorization_factor_by(F, &A, &rule), SADDLE_OK);
        saddle__factor_counts counts = saddle__factorization_counts(F);
        assert_int_equal(counts.inertia.zero, 1);
        double x[3] = {2.0, 2.0, 6.0};
        assert_int_equal(saddle__factorization_solve(F, x), SADDLE_OK);
        assert_true(x[counts.first_perturbed] == 0.0 && x[1 - counts.first_perturbed] == 2.0 &&
                    x[2] == 2.0);
        saddle__factorization_free(F);
    }
    saddle_matrix_clear(&A);
}

static void a_late_node_follows_a_neighbour_of_its_own(void **unused)
{
    (void)unused;
    /* [1 . 1 1; . 1 1 2; 1 1 0 .; 1 2 . 0]: eliminated 3, 4 first, a tiny diagonal would be all
     * there is */
    int64_t row[] = {0, 1, 2, 2, 3, 3, 2, 3};
    int64_t col[] = {0, 1, 0, 1, 0, 1, 2, 3};
    double value[] = {1.0, 1.0, 1.0, 1.0, 1.0, 2.0, -1e-30, -1e-30};
    signed char late[] = {0, 0, SADDLE__AFTER_OTHER_KIND, SADDLE__AFTER_OTHER_KIND};
    int64_t permutations[][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {3, 1, 2, 0}};
    for (size_t trial = 0; trial < 6; trial++) {
        size_t k = trial % 3;
        int64_t r[8];
        int64_t c[8];
        signed char l[4];
        for (int i = 0; i < 4; i++) l[permutations[k][i]] = late[i];
        for (int e = 0; e < 8; e++) {
            r[e] = permutations[k][row[e]];
            c[e] = permutations[k][col[e]];
        }
        saddle_matrix A = {0};
        assert_int_equal(saddle_matrix_from_triplets(NULL, 4, 4, 8, r, c, value,
                                                     SADDLE_SYMMETRY_LOWER, &A),
                         SADDLE_OK);
        saddle__factorization *F;
        assert_int_equal(saddle__factorization_create(NULL, trial < 3 ? "cholmod" : "ldlt",
                                                      SADDLE_ORDERING_NATURAL, &F),
                         SADDLE_OK);
        assert_int_equal(saddle__factorization_analyse_late(F, &A, l, NULL), SADDLE_OK);
        assert_int_equal(saddle__factorization_factor(F, &A, NULL, 0.0), SADDLE_OK);
        saddle__factor_counts counts = saddle__factorization_counts(F);
        assert_int_equal(counts.inertia.positive, 2);
        assert_int_equal(counts.inertia.negative, 2);
        assert_true(counts.least_pivot > 0.01);
        saddle__factorization_free(F);
        saddle_matrix_clear(&A);
    }
}

/* ---- misuse, memory ---- */

static void misuse_is_refused(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle__factorization *F;
    assert_int_equal(saddle__factorization_create(context, "pardiso", SADDLE_ORDERING_AMD, &F),
                     SADDLE_UNKNOWN_NAME);
    assert_null(F);
    assert_non_null(strstr(saddle_context_message(context), "pardiso"));
    uint64_t state = test_seed();
    test_drawn general = test_draw_matrix(&state, 5, 0, 1);
    test_drawn other = test_draw_matrix(&state, 6, 0, 0);
    assert_int_equal(saddle__factorization_create(context, "cholmod", SADDLE_ORDERING_AMD, &F),
                     SADDLE_OK);
    double x[6] = {0.0};
    assert_int_equal(saddle__factorization_solve(F, x), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle__factorization_factor(F, &other.A, NULL, 0.0), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle__factorization_analyse(F, &general.A), SADDLE_UNSUPPORTED);
    assert_int_equal(saddle__factorization_analyse(F, &other.A), SADDLE_OK);
    assert_int_equal(saddle__factorization_solve(F, x), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle__factorization_factor(F, &general.A, NULL, 0.0),
                     SADDLE_INVALID_ARGUMENT);
    saddle_matrix wide = {.rows = 2, .cols = 3};
    assert_int_equal(saddle__factorization_analyse(F, &wide), SADDLE_INVALID_ARGUMENT);
    saddle__factorization_free(F);
    saddle__factorization_free(NULL);
    test_drawn_clear(&general);
    test_drawn_clear(&other);
    saddle_context_free(context);
}

typedef struct sweep {
    const char *name;
    test_drawn d;
} sweep;

static saddle_status body(saddle_context *context, void *user)
{
    const sweep *w = user;
    const test_drawn *d = &w->d;
    saddle__factorization *F = NULL;
    saddle_matrix T = {0};
    saddle_status status = saddle__factorization_create(context, w->name, SADDLE_ORDERING_BEST, &F);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(F, &d->A);
    if (status == SADDLE_OK) status = saddle__factorization_factor(F, &d->A, NULL, 0.0);
    if (status == SADDLE_OK) status = saddle__factorization_columns(context, F, &d->A, &T);
    saddle_matrix_clear(&T);
    saddle__factorization_free(F);
    return status;
}

/* After a factorization without a complement. */
static saddle_status complement_body(saddle_context *context, void *user)
{
    const sweep *w = user;
    const test_drawn *d = &w->d;
    saddle__factorization *F = NULL;
    saddle_matrix T = {0};
    double x[TEST_DRAWN_MOST] = {1.0};
    saddle_status status = saddle__factorization_create(context, w->name, SADDLE_ORDERING_BEST, &F);
    for (int64_t rows = 0; rows < 3 && status == SADDLE_OK; rows++) {
        status = saddle__factorization_set_complement(F, rows);
        if (status == SADDLE_OK) status = saddle__factorization_analyse(F, &d->A);
        if (status == SADDLE_OK) status = saddle__factorization_factor(F, &d->A, NULL, 0.0);
        if (status == SADDLE_OK) status = saddle__factorization_solve(F, x);
        if (status == SADDLE_OK) status = saddle__factorization_columns(context, F, &d->A, &T);
        saddle_matrix_clear(&T);
    }
    saddle__factorization_free(F);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; saddle__factorization_name_at(k); k++) {
        const char *name = saddle__factorization_name_at(k);
        sweep w = {.name = name, .d = test_draw_matrix(&state, 12, 0, test_takes_any(name))};
        int64_t tried = test_allocation_sweep(body, &w);
        const int is_mumps = strcmp(name, "mumps") == 0;
        assert_true(tried > (is_mumps ? 5 : 20)); /* MUMPS' memory is its own */
        test_drawn_clear(&w.d);
        if (!is_mumps) continue;
        w.d = test_draw_matrix(&state, 12, 0, 0);
        assert_true(test_allocation_sweep(complement_body, &w) > 2 * tried);
        test_drawn_clear(&w.d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cholmod_solves_as_lapack_does),
        cmocka_unit_test(ldlt_solves_as_lapack_does),
        cmocka_unit_test(lu_solves_as_lapack_does),
        cmocka_unit_test(every_method_is_found_by_name_and_others_are_refused),
        cmocka_unit_test(inertia_is_that_of_the_eigenvalues),
        cmocka_unit_test(many_columns_are_solved_as_one_by_one),
        cmocka_unit_test(complements_are_those_of_the_dense_twin),
        cmocka_unit_test(every_ordering_gives_the_same_answer),
        cmocka_unit_test(new_values_in_an_old_factorization_equal_a_fresh_one_bit_for_bit),
        cmocka_unit_test(cholmod_and_ldlt_allocate_nothing_after_analyse),
        cmocka_unit_test(metis_orders_alike_in_threads_side_by_side),
        cmocka_unit_test(a_zero_pivot_is_an_error_that_tells_the_column),
        cmocka_unit_test(a_vanished_pivot_takes_the_known_sign_and_is_counted),
        cmocka_unit_test(a_dropped_row_solves_the_rest),
        cmocka_unit_test(a_late_node_follows_a_neighbour_of_its_own),
        cmocka_unit_test(klu_foresees_the_entries_of_symmetric_patterns),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
