/* SPDX-License-Identifier: MIT */
/* The columns of W that pivot computes on demand (mlcp/system.h), against the dense formula
 *
 *     W = J_C z + R_CE y + R_CC      [ M  J_E'; J_E  -R_EE ] (z, -y) = (J_C', -R_EC)
 *
 * whoever is asked for with whom: blocks of up to sixteen columns, one by one where they touch
 * different small components. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_mixed.h"
#include "mlcp/system.h"

enum { LARGEST = 60, ENTRIES = LARGEST * LARGEST };

typedef struct drawn {
    saddle_problem problem;
    double M[ENTRIES], J[ENTRIES], R[ENTRIES]; /* by columns: n x n, m x n, m x m */
    signed char in_C[LARGEST];
    double lo[LARGEST], hi[LARGEST];
} drawn;

static void make(const double *dense, int64_t rows, int64_t cols, int transposed,
                 saddle_symmetry symmetry, saddle_matrix *A)
{
    static int64_t row[ENTRIES], col[ENTRIES];
    static double value[ENTRIES];
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            if (dense[i + j * rows] == 0.0) continue;
            row[count] = transposed ? j : i;
            col[count] = transposed ? i : j;
            value[count++] = dense[i + j * rows];
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, transposed ? cols : rows,
                                                 transposed ? rows : cols, count, row, col, value,
                                                 symmetry, A),
                     SADDLE_OK);
}

/* `parts` groups of velocities without coupling in M; rows may touch several groups.  With parts =
 * 1 about a third of the rows are equations.  All rows with compliance, or none; unsymmetric where
 * general. */
static void draw(uint64_t *seed, int64_t n, int64_t m, int64_t parts, int general, drawn *d)
{
    memset(d, 0, sizeof *d);
    int64_t size = (n + parts - 1) / parts;
    int yields = (int)test_integer(seed, 0, 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            if (i / size != j / size) continue;
            double a = i == j ? 2.0 * (double)size : test_uniform(seed, -1.0, 1.0);
            d->M[i + j * n] = a;
            d->M[j + i * n] = general && i != j ? a + test_uniform(seed, -0.5, 0.5) : a;
        }
    for (int64_t i = 0; i < m; i++) {
        d->in_C[i] = parts > 1 || test_integer(seed, 0, 2) > 0; /* equations would couple the
                                                                   parts */
        int64_t first = test_integer(seed, 0, n - 1);
        for (int64_t k = 0; k < 3; k++)
            d->J[i + (first + k * k) % n * m] = test_uniform(seed, -1.0, 1.0);
    }
    for (int64_t j = 0; j < m && yields; j++)
        for (int64_t i = 0; i <= j; i++)
            if (i == j || test_integer(seed, 0, 4) == 0) {
                double a = i == j ? (double)m : test_uniform(seed, -1.0, 1.0);
                d->R[i + j * m] = a;
                d->R[j + i * m] = general && i != j ? -a : a;
            }
    saddle_problem *p = &d->problem;
    p->n = n;
    p->m = m;
    saddle_symmetry symmetry = general ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER;
    make(d->M, n, n, 0, symmetry, &p->M);
    make(d->J, m, n, 1, SADDLE_SYMMETRY_NONE, &p->Jt);
    if (yields) make(d->R, m, m, 0, symmetry, &p->R);
}

static void drop(drawn *d)
{
    saddle_matrix_clear(&d->problem.M);
    saddle_matrix_clear(&d->problem.Jt);
    saddle_matrix_clear(&d->problem.R);
}

/* W (C by C, by columns); whether A is regular by far. */
static int form(const drawn *d, const saddle__mlcp_rows *C, double *W)
{
    int64_t E[LARGEST], equations = 0;
    for (int64_t i = 0; i < d->problem.m; i++)
        if (!d->in_C[i]) E[equations++] = i;
    int64_t n = d->problem.n, m = d->problem.m, N = n + equations;
    static double A[4 * ENTRIES], X[4 * ENTRIES];
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) {
            double *a = &A[i + j * N];
            if (i < n && j < n) *a = d->M[i + j * n];
            if (i >= n && j < n) *a = d->J[E[i - n] + j * m];
            if (i < n && j >= n) *a = d->J[E[j - n] + i * m];
            if (i >= n && j >= n) *a = -d->R[E[i - n] + E[j - n] * m];
        }
    for (int64_t c = 0; c < C->count; c++) {
        for (int64_t i = 0; i < n; i++) X[i + c * N] = d->J[C->row[c] + i * m];
        for (int64_t e = 0; e < equations; e++) X[n + e + c * N] = -d->R[E[e] + C->row[c] * m];
    }
    if (N > 0 && saddle__dense_solve_columns(NULL, N, C->count, A, X) != SADDLE_OK) return 0;
    double largest = 0.0;
    for (int64_t k = 0; k < N * C->count; k++) largest = fmax(largest, fabs(X[k]));
    for (int64_t c = 0; c < C->count; c++)
        for (int64_t r = 0; r < C->count; r++) {
            int64_t i = C->row[r];
            double sum = d->R[i + C->row[c] * m];
            for (int64_t j = 0; j < n; j++) sum += d->J[i + j * m] * X[j + c * N];
            for (int64_t e = 0; e < equations; e++) sum -= d->R[i + E[e] * m] * X[n + e + c * N];
            W[r + c * C->count] = sum;
        }
    return largest < 100.0;
}

static void create(drawn *d, saddle__mlcp_system *s)
{
    saddle_options options = saddle_options_default();
    for (int64_t i = 0; i < d->problem.m; i++) d->lo[i] = d->in_C[i] ? 0.0 : -(double)INFINITY;
    for (int64_t i = 0; i < d->problem.m; i++) d->hi[i] = (double)INFINITY;
    d->problem.lo = d->lo;
    d->problem.hi = d->hi;
    saddle__mlcp_settings settings = {0};
    assert_int_equal(saddle__columns_create(NULL, &d->problem, &options, &settings, s), SADDLE_OK);
    assert_int_equal(s->factor(s->user, NULL, &d->problem, 1e-12), SADDLE_OK);
}

/* The rows of C in any order, some more than once, in portions. */
static void ask(uint64_t *seed, const saddle__mlcp_system *s, int64_t portion)
{
    const saddle__columns *W = s->W;
    int64_t all = s->rows->count;
    int64_t list[LARGEST];
    for (int64_t asked = 0; asked < 2 * all;) {
        int64_t count = 0;
        char listed[LARGEST] = {0};
        for (int64_t k = 0; k < portion; k++, asked++) {
            int64_t c = (asked * 7 + test_integer(seed, 0, 2)) % all;
            if (!listed[c]) list[count++] = c;
            listed[c] = 1;
        }
        assert_int_equal(W->prepare(W->user, count, list), SADDLE_OK);
    }
    for (int64_t c = 0; c < all; c++) list[c] = c;
    assert_int_equal(W->prepare(W->user, all, list), SADDLE_OK);
    assert_int_equal(s->counts(s->user).columns, all); /* none twice */
}

static void columns_are_those_of_the_formula_whoever_enters_with_whom(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static drawn d;
    static double W[ENTRIES];
    int64_t compared = 0;
    for (int k = 0; k < 300; k++) {
        int64_t parts = k % 3 == 2 ? test_integer(&seed, 5, 15) : 1;
        draw(&seed, test_integer(&seed, 20, 40), test_integer(&seed, 1, LARGEST / 2), parts, k % 2,
             &d);
        saddle__mlcp_system s;
        create(&d, &s);
        int64_t count = s.rows->count;
        if (count > 0 && form(&d, s.rows, W)) {
            ask(&seed, &s, test_integer(&seed, 1, 40));
            for (int64_t c = 0; c < count; c++) {
                const double *column = s.W->value + c * s.rows->count;
                for (int64_t r = 0; r < count; r++)
                    if (!(fabs(column[r] - W[r + c * count]) <=
                          1e-7 * (1.0 + fabs(W[c + c * count]))))
                        fail_msg("draw %d: W(%d, %d) is %.12g, not %.12g", k, (int)r, (int)c,
                                 column[r], W[r + c * count]);
            }
            compared++;
        }
        s.clear(s.user);
        drop(&d);
    }
    assert_true(compared > 200);
}

/* Rows that touch no velocity have the columns of R, velocities or not. */
static void rows_that_move_nothing_have_the_columns_of_R(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static drawn d;
    do {
        if (d.problem.m > 0) drop(&d);
        draw(&seed, 5, 20, 1, 0, &d);
    } while (!d.problem.R.start);
    saddle_matrix_clear(&d.problem.Jt);
    memset(d.in_C, 1, sizeof d.in_C);
    saddle__mlcp_system s;
    create(&d, &s);
    ask(&seed, &s, 9);
    for (int64_t c = 0; c < 20; c++)
        assert_memory_equal(s.W->value + c * 20, d.R + c * 20, 20 * sizeof *d.R);
    s.clear(s.user);
    drop(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_those_of_the_formula_whoever_enters_with_whom),
        cmocka_unit_test(rows_that_move_nothing_have_the_columns_of_R),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
