/* SPDX-License-Identifier: MIT */
/* lemke's tableau in both forms against pivots as they are defined. */
#include <math.h>
#include <stdlib.h>

#include "lemke/lemke.h"
#include "support.h"

/* T (rows x cols, by columns) after a pivot on (r, c). */
static void pivot_by_definition(int64_t rows, int64_t cols, double *T, int64_t r, int64_t c)
{
    double p = T[r + c * rows];
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            if (i != r && j != c) T[i + j * rows] -= T[i + c * rows] * T[r + j * rows] / p;
    for (int64_t j = 0; j < cols; j++) T[r + j * rows] /= -p;
    for (int64_t i = 0; i < rows; i++) T[i + c * rows] /= p;
    T[r + c * rows] = 1.0 / p;
}

static void draw_matrix(uint64_t *seed, int64_t size, saddle_matrix *A, double *twin)
{
    assert_int_equal(saddle_matrix_create(NULL, size, size, size * size, SADDLE_SYMMETRY_NONE, A),
                     SADDLE_OK);
    for (int64_t k = 0; k < size * size; k++) {
        A->index[k] = k % size;
        A->value[k] = twin[k] = test_uniform(seed, -1.0, 1.0);
    }
    for (int64_t j = 0; j <= size; j++) A->start[j] = size * j;
}

/* A tableau of A at the basis of all y, as a path begins. */
static saddle__tableau make_tableau(const saddle__tableau_type *form, const saddle_matrix *A)
{
    int64_t size = A->cols;
    saddle__tableau t = {.type = form, .A = A, .size = size};
    t.basic = calloc((size_t)size, sizeof *t.basic);
    t.nonbasic = calloc((size_t)size + 1, sizeof *t.nonbasic);
    t.place = calloc(2 * (size_t)size + 1, sizeof *t.place);
    assert_true(t.basic && t.nonbasic && t.place);
    for (int64_t k = 0; k <= size; k++) {
        t.nonbasic[k] = k < size ? k : 2 * size;
        t.place[t.nonbasic[k]] = ~k;
        if (k < size) t.place[t.basic[k] = size + k] = k;
    }
    assert_int_equal(form->create(&t, size, size * size), SADDLE_OK);
    assert_true(form->begin(&t, NULL) != 0);
    return t;
}

static void free_tableau(saddle__tableau *t)
{
    t->type->clear(t);
    free(t->basic);
    free(t->nonbasic);
    free(t->place);
}

static void exchange(saddle__tableau *t, int64_t r, int64_t variable, double *column)
{
    int64_t c = ~t->place[variable];
    t->nonbasic[c] = t->basic[r];
    t->place[t->nonbasic[c]] = ~c;
    t->basic[r] = variable;
    t->place[variable] = r;
    assert_true(t->type->exchange(t, r, c, column) != 0);
}

/* Columns, that of the covering vector among them. */
static void check_form(const saddle__tableau_type *form, int64_t size)
{
    uint64_t seed = test_seed();
    saddle_matrix A = {0};
    double *twin = calloc((size_t)(size * (size + 1)), sizeof *twin);
    double *column = calloc((size_t)size, sizeof *column);
    assert_true(twin && column);
    draw_matrix(&seed, size, &A, twin);
    saddle__tableau t = make_tableau(form, &A);
    for (int64_t i = 0; i < size; i++) column[i] = test_uniform(&seed, -1.0, 1.0);
    for (int64_t i = 0; i < size; i++) twin[i + size * size] = column[i];
    t.type->cover(&t, column);
    for (int pivots = 0; pivots < 70; pivots++) {
        int64_t c = test_integer(&seed, 0, size);
        int64_t variable = t.nonbasic[c];
        int64_t r = 0;
        assert_true(t.type->column(&t, variable, column));
        assert_true(test_distance(column, twin + c * size, size) <= 1e-6);
        for (int64_t i = 0; i < size; i++) r = fabs(column[i]) > fabs(column[r]) ? i : r;
        exchange(&t, r, variable, column);
        pivot_by_definition(size, size + 1, twin, r, c);
    }
    free_tableau(&t);
    saddle_matrix_clear(&A);
    free(twin);
    free(column);
}

static void both_forms_pivot_as_defined(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 5, 120, 121, 150};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        check_form(&saddle__tableau_dense, sizes[k]);
        check_form(&saddle__tableau_factored, sizes[k]);
    }
}

/* Of two pivots in, the values from q and x at the start, the increments of `solve`: y - A x = q.
 */
static void values_and_increments_keep_the_equations(void **state)
{
    (void)state;
    enum { SIZE = 20 };
    const saddle__tableau_type *forms[] = {&saddle__tableau_dense, &saddle__tableau_factored};
    for (int f = 0; f < 2; f++) {
        uint64_t seed = test_seed();
        saddle_matrix A = {0};
        double twin[SIZE * SIZE], column[SIZE], q[SIZE], x[SIZE], value[SIZE], r[SIZE], left[SIZE];
        draw_matrix(&seed, SIZE, &A, twin);
        saddle__tableau t = make_tableau(forms[f], &A);
        for (int64_t k = 0; k < SIZE; k++) {
            q[k] = test_uniform(&seed, -1.0, 1.0);
            x[k] = k % 3 ? test_uniform(&seed, -1.0, 1.0) : 0.0;
        }
        for (int64_t k = 0; k < SIZE; k += 3) { /* x_k takes the row of y_k */
            assert_true(t.type->column(&t, k, column));
            exchange(&t, k, k, column);
        }
        assert_true(t.type->values(&t, q, x, 0.0, value));
        for (int64_t i = 0; i < SIZE; i++) {
            left[i] = t.place[SIZE + i] >= 0 ? -value[t.place[SIZE + i]] : 0.0;
            left[i] += q[i];
            r[i] = t.place[SIZE + i] >= 0 ? 0.0 : test_uniform(&seed, -1.0, 1.0);
            q[i] = r[i];
        }
        for (int64_t j = 0; j < SIZE; j++)
            for (int64_t i = 0; i < SIZE; i++)
                left[i] += twin[i + j * SIZE] * (t.place[j] >= 0 ? value[t.place[j]] : x[j]);
        for (int64_t i = 0; i < SIZE; i++) assert_true(fabs(left[i]) <= 1e-11);
        assert_true(t.type->renew(&t) && t.type->solve(&t, r));
        for (int64_t j = 0; j < SIZE; j++)
            for (int64_t i = 0; i < SIZE; i++) q[i] += twin[i + j * SIZE] * r[j];
        for (int64_t i = 0; i < SIZE; i++)
            assert_true(t.place[SIZE + i] >= 0 || fabs(q[i]) <= 1e-11);
        free_tableau(&t);
        saddle_matrix_clear(&A);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_pivot_as_defined),
        cmocka_unit_test(values_and_increments_keep_the_equations),
    };
    return cmocka_run_group_tests_name("lemke's tableau", tests, NULL, NULL);
}
