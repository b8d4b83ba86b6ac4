/* SPDX-License-Identifier: MIT */
/* What a few columns change near them, and the columns themselves (reached.h): products and changes
 * against a dense solve by LAPACK; what is refused; memory. */
#include "ldlt/nearby.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "support.h"

enum { MOST = 90, COLUMNS = 12 };

/* A drawn A, its factor, and a drawn N. */
typedef struct drawn_columns {
    int64_t n, count;
    saddle_matrix A;
    saddle__ldlt *F;
    int64_t entries[COLUMNS], index[COLUMNS][MOST];
    double value[COLUMNS][MOST];
    double N[COLUMNS][MOST], solved[COLUMNS][MOST]; /* dense columns: N, and A^-1 N by LAPACK */
} drawn_columns;

/* INDEFINITE: diagonal entries of either sign; CHAIN: links between neighbours alone, all of
 * them */
enum drawn { DEFINITE, INDEFINITE, CHAIN };

/* Diagonally dominant; links: off-diagonal entries, on the average less than one a row where it has
 * several components. */
static void draw_matrix(uint64_t *state, int64_t n, int64_t links, enum drawn kind,
                        saddle_matrix *A)
{
    static int64_t row[9 * MOST], col[9 * MOST];
    static double value[9 * MOST], sum[MOST];
    int64_t count = 0;
    for (int64_t j = 0; j < n; j++) sum[j] = 0.1;
    for (int64_t k = 0; n > 1 && k < links; k++) {
        int64_t i = kind == CHAIN ? k + 1 : test_integer(state, 1, n - 1);
        row[count] = i;
        col[count] = kind == CHAIN ? k : test_integer(state, 0, i - 1);
        value[count] = test_uniform(state, -1.0, 1.0);
        sum[i] += fabs(value[count]);
        sum[col[count]] += fabs(value[count]);
        count++;
    }
    for (int64_t j = 0; j < n; j++) {
        row[count] = col[count] = j;
        value[count++] = kind == INDEFINITE && test_integer(state, 0, 1) ? -sum[j] : sum[j];
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, col, value,
                                                 SADDLE_SYMMETRIC, A),
                     SADDLE_OK);
}

/* A column without entries, with some, one of them twice, or with all. */
static void draw_column(uint64_t *state, drawn_columns *d, int64_t t)
{
    int64_t kind = test_integer(state, 0, 5);
    int64_t entries = d->n == 0 || kind == 0 ? 0
                      : kind == 1            ? d->n
                                             : test_integer(state, 1, d->n < 4 ? d->n : 4);
    for (int64_t e = 0; e < entries; e++) {
        int64_t i = kind == 1 ? e : test_integer(state, 0, d->n - 1);
        d->index[t][e] = i;
        d->value[t][e] = kind == 2 ? 0.0 : test_uniform(state, -1.0, 1.0);
        d->N[t][i] += d->value[t][e];
    }
    d->entries[t] = entries;
}

static drawn_columns *begin_columns(uint64_t *state, int64_t n)
{
    drawn_columns *d = calloc(1, sizeof(*d));
    assert_true(d != NULL);
    d->n = n;
    d->count = test_integer(state, 0, COLUMNS);
    return d;
}

/* d->A is there. */
static void finish_columns(uint64_t *state, drawn_columns *d, int single)
{
    int64_t n = d->n;
    double *dense = calloc((size_t)(n * n + 1), sizeof(*dense));
    assert_true(dense != NULL);
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_AMD, .single = single};
    saddle__pivot_rule rule = {.smallest = 1e-14};
    saddle__factor_counts counts = {.peak_bytes = 0};
    assert_int_equal(saddle__ldlt_analyse(NULL, &d->A, &request, &d->F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(d->F, &d->A, &rule, &counts), SADDLE_OK);
    for (int64_t t = 0; t < d->count; t++) draw_column(state, d, t);
    for (int64_t t = 0; t < d->count; t++) {
        memcpy(d->solved[t], d->N[t], sizeof(d->N[t]));
        saddle__dense_from_sparse(&d->A, dense);
        assert_int_equal(saddle__dense_solve(NULL, n, dense, d->solved[t]), SADDLE_OK);
    }
    free(dense);
}

/* single: one dense front holds the factor. */
static drawn_columns *draw_columns(uint64_t *state, int64_t n, int single)
{
    drawn_columns *d = begin_columns(state, n);
    int64_t links = test_integer(state, 0, 8) * n;
    draw_matrix(state, n, links, test_integer(state, 0, 1) ? INDEFINITE : DEFINITE, &d->A);
    finish_columns(state, d, single);
    return d;
}

/* Of any size. */
static drawn_columns *draw_definite(uint64_t *state, int64_t n, int chain)
{
    drawn_columns *d = begin_columns(state, n);
    double size = pow(10.0, test_uniform(state, -6.0, 6.0));
    draw_matrix(state, n, chain ? n - 1 : n, chain ? CHAIN : DEFINITE, &d->A);
    for (int64_t k = 0; k < saddle_matrix_entries(&d->A); k++) d->A.value[k] *= size;
    finish_columns(state, d, 0);
    return d;
}

static void free_columns(drawn_columns *d)
{
    saddle__ldlt_free(d->F);
    saddle_matrix_clear(&d->A);
    free(d);
}

static int add(saddle__ldlt_nearby *nearby, const drawn_columns *d, int64_t t)
{
    return saddle__ldlt_nearby_add(nearby, d->entries[t], d->index[t], d->value[t]);
}

/* N_t'A^-1 N_u */
static double product(const drawn_columns *d, int64_t t, int64_t u)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->n; i++) sum += d->N[t][i] * d->solved[u][i];
    return sum;
}

static int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-10 * (1.0 + fabs(b));
}

/* Column u is loaded; its products with the first `count`. */
static void check_products(const saddle__ldlt_reached *Y, const drawn_columns *d, int64_t count,
                           int64_t u)
{
    for (int64_t t = 0; t < count; t++)
        assert_true(is_near(saddle__ldlt_reached_with_loaded(Y, t), product(d, t, u)));
}

/* x at the nodes felt, for a drawn z of the first `count` columns; some of it, or all, is 0. */
static void check_changes(uint64_t *state, saddle__ldlt_nearby *nearby, const drawn_columns *d,
                          int64_t count, const signed char *felt)
{
    double z[COLUMNS];
    int64_t share = test_integer(state, 0, 2);
    for (int64_t t = 0; t < count; t++)
        z[t] = test_integer(state, 0, 2) < share ? 0.0 : test_uniform(state, -1.0, 1.0);
    saddle__ldlt_nearby_solve(nearby, z);
    for (int64_t i = 0; i < d->n; i++) {
        double x = 0.0;
        for (int64_t t = 0; t < count; t++) x -= d->solved[t][i] * z[t];
        if (felt[i]) assert_true(is_near(saddle__ldlt_nearby_change(nearby, i), x));
    }
}

static void feel(uint64_t *state, saddle__ldlt_nearby *nearby, const drawn_columns *d,
                 signed char *felt)
{
    for (int64_t k = test_integer(state, 0, 4); k > 0 && d->n > 0; k--) {
        int64_t node = test_integer(state, 0, d->n - 1);
        for (int64_t again = test_integer(state, 0, 1); again >= 0; again--)
            saddle__ldlt_nearby_feel(nearby, node);
        felt[node] = 1;
    }
}

/* Felt before the columns come, in between and after them, and twice; columns' own nodes are felt
 * unasked. */
static void what_is_felt_changes_as_a_dense_solve_says(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__ldlt_nearby nearby = {0};
    assert_int_equal(saddle__ldlt_nearby_create(NULL, MOST, COLUMNS, COLUMNS * MOST, &nearby),
                     SADDLE_OK);
    for (int draw = 0; draw < 150; draw++) {
        signed char felt[MOST] = {0};
        drawn_columns *d = draw_columns(&state,
                                        draw < 20 ? draw / 5 : test_integer(&state, 0, MOST),
                                        draw % 4 == 0 && draw >= 20);
        saddle__ldlt_nearby_begin(&nearby, d->F);
        for (int64_t t = 0; t < d->count; t++) {
            feel(&state, &nearby, d, felt);
            if (t % 3 == 1) check_changes(&state, &nearby, d, t, felt);
            assert_true(add(&nearby, d, t));
            check_products(&nearby.Y, d, t + 1, t); /* what has just come is loaded */
            for (int64_t e = 0; e < d->entries[t]; e++) felt[d->index[t][e]] = 1;
        }
        feel(&state, &nearby, d, felt);
        for (int again = 0; again < 3; again++) check_changes(&state, &nearby, d, d->count, felt);
        for (int64_t u = d->count; u-- > 0;) {
            saddle__ldlt_reached_load(&nearby.Y, u);
            check_products(&nearby.Y, d, d->count, u);
        }
        free_columns(d);
    }
    saddle__ldlt_nearby_clear(&nearby);
}

/* Y_t'(P x) = N_t'P'L'^-1 P x, and what is subtracted is Y_t: both against L^-1 P N_t by the
 * engine's full solve. */
static void whole_vectors_meet_the_columns_as_the_factor_has_them(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__ldlt_reached Y = {0};
    assert_int_equal(saddle__ldlt_reached_create(NULL, COLUMNS, COLUMNS * MOST, &Y), SADDLE_OK);
    for (int draw = 0; draw < 100; draw++) {
        drawn_columns *d = draw_columns(&state, test_integer(&state, 0, MOST), draw % 3 == 0);
        double x[MOST], left[MOST], column[MOST];
        saddle__ldlt_reached_begin(&Y, d->F);
        for (int64_t t = 0; t < d->count; t++)
            assert_true(saddle__ldlt_reached_append(&Y, d->entries[t], d->index[t], d->value[t]));
        for (int64_t t = 0; t < d->count; t++) {
            double a = test_uniform(&state, -2.0, 2.0);
            double sum = 0.0;
            for (int64_t i = 0; i < d->n; i++) left[i] = x[i] = test_uniform(&state, -1.0, 1.0);
            memcpy(column, d->N[t], sizeof(column));
            saddle__ldlt_solve(d->F, SADDLE__LDLT_IN | SADDLE__LDLT_L, 1, column, d->n);
            saddle__ldlt_reached_subtract(&Y, t, a, left);
            for (int64_t i = 0; i < d->n; i++) {
                assert_true(is_near(left[i], x[i] - a * column[i]));
                sum += column[i] * x[i];
            }
            assert_true(is_near(saddle__ldlt_reached_times(&Y, t, x), sum));
        }
        free_columns(d);
    }
    saddle__ldlt_reached_clear(&Y);
}

/* Supernodes in which the columns have values. */
static int64_t runs_of(const saddle__ldlt_reached *Y)
{
    return Y->run_start[Y->count];
}

/* Column u is loaded: whether what is left out shows in its products with the first `count` as a
 * small part of their norms alone; A > 0. */
static void check_what_is_loaded(const saddle__ldlt_reached *Y, const drawn_columns *d,
                                 int64_t count, int64_t u, double part)
{
    for (int64_t t = 0; t < count; t++) {
        double error = saddle__ldlt_reached_with_loaded(Y, t) - product(d, t, u);
        assert_true(fabs(error) <= part * sqrt(product(d, t, t) * product(d, u, u)));
    }
}

/* The same of all columns, and of what they change. */
static void check_what_is_left(uint64_t *state, saddle__ldlt_nearby *nearby, const drawn_columns *d,
                               double part)
{
    double size[COLUMNS], z[COLUMNS];
    double all = 0.0;
    for (int64_t t = 0; t < d->count; t++) {
        size[t] = sqrt(product(d, t, t));
        z[t] = test_uniform(state, -1.0, 1.0);
        all += fabs(z[t]) * size[t];
    }
    for (int64_t u = 0; u < d->count; u++) {
        saddle__ldlt_reached_load(&nearby->Y, u);
        check_what_is_loaded(&nearby->Y, d, d->count, u, part);
    }
    saddle__ldlt_nearby_solve(nearby, z);
    for (int64_t t = 0; t < d->count; t++) { /* N_t'x, which |N_t|_(A^-1) |x|_A bounds */
        double there = 0.0;
        double x = 0.0;
        for (int64_t e = 0; e < d->entries[t]; e++)
            there += d->value[t][e] * saddle__ldlt_nearby_change(nearby, d->index[t][e]);
        for (int64_t u = 0; u < d->count; u++) x -= product(d, t, u) * z[u];
        assert_true(fabs(there - x) <= part * size[t] * all);
    }
}

/* Draws whose values fade away from their entries, chains among them; without `drop` again, all is
 * there. */
static void what_is_dropped_of_a_column_is_a_small_part_of_it(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t runs[2] = {0, 0};
    saddle__ldlt_nearby nearby = {0};
    assert_int_equal(saddle__ldlt_nearby_create(NULL, MOST, COLUMNS, COLUMNS * MOST, &nearby),
                     SADDLE_OK);
    for (int draw = 0; draw < 200; draw++) {
        double drop = pow(10.0, test_uniform(&state, -8.0, -1.0));
        drawn_columns *d = draw_definite(&state, test_integer(&state, 1, MOST), draw % 2);
        for (int exact = 0; exact < 2; exact++) {
            nearby.Y.drop = exact ? 0.0 : drop;
            saddle__ldlt_nearby_begin(&nearby, d->F);
            double part = exact ? 1e-9 : 5.0 * drop;
            for (int64_t t = 0; t < d->count; t++) {
                assert_true(add(&nearby, d, t));
                check_what_is_loaded(&nearby.Y, d, t + 1, t, part);
            }
            check_what_is_left(&state, &nearby, d, part);
            runs[exact] += runs_of(&nearby.Y);
        }
        free_columns(d);
    }
    assert_true((double)runs[0] < 0.9 * (double)runs[1]);
    saddle__ldlt_nearby_clear(&nearby);
}

/* Nor does what is refused change anything.  Values run out half-way through a column. */
static void a_column_that_does_not_fit_is_refused(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t refused = 0;
    for (int draw = 0; draw < 150; draw++) {
        signed char felt[MOST] = {0};
        int64_t capacity = draw < 30 ? draw % 3 : COLUMNS;
        int64_t values = draw % 2 && capacity > 2 ? test_integer(&state, 0, 4 * MOST)
                                                  : COLUMNS * MOST;
        drawn_columns *d = draw_columns(&state, test_integer(&state, 0, MOST), 0);
        int64_t kept[COLUMNS];
        saddle__ldlt_nearby nearby = {0};
        assert_int_equal(saddle__ldlt_nearby_create(NULL, d->n, capacity, values, &nearby),
                         SADDLE_OK);
        saddle__ldlt_nearby_begin(&nearby, d->F);
        int64_t count = 0;
        for (int64_t t = 0; t < d->count; t++) {
            int64_t first = nearby.first;
            int taken = add(&nearby, d, t);
            assert_true(taken || count == capacity || values < COLUMNS * MOST);
            assert_true(count < capacity || !taken);
            assert_int_equal(nearby.Y.count, count + taken);
            if (!taken) assert_int_equal(nearby.first, first); /* nothing is felt */
            if (taken) kept[count++] = t;
            for (int64_t e = 0; taken && e < d->entries[t]; e++) felt[d->index[t][e]] = 1;
            refused += !taken;
        }
        for (int64_t k = 0; k < count; k++) { /* the columns kept, side by side */
            if (kept[k] == k) continue;
            memcpy(d->N[k], d->N[kept[k]], sizeof(d->N[k]));
            memcpy(d->solved[k], d->solved[kept[k]], sizeof(d->solved[k]));
        }
        check_changes(&state, &nearby, d, count, felt);
        for (int64_t u = 0; u < count; u++) {
            saddle__ldlt_reached_load(&nearby.Y, u);
            check_products(&nearby.Y, d, count, u);
        }
        saddle__ldlt_nearby_clear(&nearby);
        free_columns(d);
    }
    assert_true(refused > 100);
}

/* One nearby for factors of different sizes in turn: nothing of the one before is left. */
static void a_new_factor_begins_anew(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__ldlt_nearby nearby = {0};
    assert_int_equal(saddle__ldlt_nearby_create(NULL, MOST, COLUMNS, COLUMNS * MOST, &nearby),
                     SADDLE_OK);
    drawn_columns *d[2] = {draw_columns(&state, MOST, 0), draw_columns(&state, MOST / 2, 1)};
    for (int turn = 0; turn < 20; turn++) {
        const drawn_columns *now = d[turn % 2];
        signed char felt[MOST] = {0};
        saddle__ldlt_nearby_begin(&nearby, now->F);
        assert_int_equal(nearby.Y.count, 0);
        for (int64_t t = 0; t < now->count; t++) assert_true(add(&nearby, now, t));
        feel(&state, &nearby, now, felt);
        check_changes(&state, &nearby, now, now->count, felt);
    }
    for (int k = 0; k < 2; k++) free_columns(d[k]);
    saddle__ldlt_nearby_clear(&nearby);
}

static saddle_status create(saddle_context *context, void *user)
{
    (void)user;
    saddle__ldlt_nearby nearby = {0};
    saddle_status status = saddle__ldlt_nearby_create(context, 9, 3, 50, &nearby);
    saddle__ldlt_nearby_clear(&nearby);
    return status;
}

static void every_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(create, NULL) == 7);
}

static void nothing_is_allocated_after_create(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    test_memory memory;
    drawn_columns *d = draw_columns(&state, MOST, 0);
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle__ldlt_nearby nearby = {0};
    signed char felt[MOST] = {0};
    assert_int_equal(saddle__ldlt_nearby_create(context, MOST, COLUMNS, COLUMNS * MOST, &nearby),
                     SADDLE_OK);
    int64_t made = memory.count;
    saddle__ldlt_nearby_begin(&nearby, d->F);
    for (int64_t t = 0; t < d->count; t++) assert_true(add(&nearby, d, t));
    feel(&state, &nearby, d, felt);
    check_changes(&state, &nearby, d, d->count, felt);
    assert_int_equal(memory.count, made);
    saddle__ldlt_nearby_clear(&nearby);
    test_memory_end(&memory, context);
    free_columns(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_felt_changes_as_a_dense_solve_says),
        cmocka_unit_test(whole_vectors_meet_the_columns_as_the_factor_has_them),
        cmocka_unit_test(what_is_dropped_of_a_column_is_a_small_part_of_it),
        cmocka_unit_test(a_column_that_does_not_fit_is_refused),
        cmocka_unit_test(a_new_factor_begins_anew),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(nothing_is_allocated_after_create),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
