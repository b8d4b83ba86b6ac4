/* SPDX-License-Identifier: MIT */
/* W = J M^-1 J' + R of generated systems, column by column as CHOLMOD's factorization of M has
 * it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "factor/complement.h"
#include "generators.h"
#include "ldlt/tasks.h"
#include "support.h"

/* R(:, j) + J M^-1 (J' e_j) in w */
static void column_by_definition(saddle__factorization *M, const saddle_problem *p, int64_t j,
                                 double *x, double *w)
{
    const saddle_matrix *Jt = &p->Jt;
    memset(x, 0, (size_t)p->n * sizeof(*x));
    for (int64_t k = Jt->start[j]; k < Jt->start[j + 1]; k++) x[Jt->index[k]] = Jt->value[k];
    assert_int_equal(saddle__factorization_solve(M, x), SADDLE_OK);
    saddle_matrix_apply_transpose(Jt, 1.0, x, 0.0, w);
    for (int64_t i = 0; i < p->m && saddle_matrix_entries(&p->R) > 0; i++)
        w[i] += saddle_matrix_entry(&p->R, i, j);
}

static void check(saddle_problem *p, int64_t columns)
{
    saddle__complement s = {0};
    saddle__complement_request request = {0};
    saddle__factorization *M;
    int64_t m = p->m;
    double *x = calloc((size_t)p->n, sizeof(*x));
    double *w = calloc((size_t)m, sizeof(*w));
    double *diagonal = calloc((size_t)m, sizeof(*diagonal));
    assert_int_equal(saddle__factorization_create(NULL, "cholmod", SADDLE_ORDERING_AMD, &M),
                     SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse(M, &p->M), SADDLE_OK);
    assert_int_equal(saddle__factorization_factor(M, &p->M, NULL, 0.0), SADDLE_OK);
    assert_int_equal(saddle__complement_analyse(NULL, p, &request, &s), SADDLE_OK);
    assert_int_equal(saddle__complement_form(&s, p), SADDLE_OK);
    saddle__complement_diagonal(&s, diagonal);
    for (int64_t j = 0; j < m; j += (m + columns - 1) / columns) {
        column_by_definition(M, p, j, x, w);
        for (int64_t i = 0; i < m; i++) {
            double bound = 1e-11 * sqrt(diagonal[i] * diagonal[j]);
            if (!(fabs(saddle_matrix_entry(&s.W, i, j) - w[i]) <= bound))
                fail_msg("W(%d, %d)", (int)i, (int)j);
        }
    }
    saddle__complement_clear(&s);
    saddle__factorization_free(M);
    free(x);
    free(w);
    free(diagonal);
    saddle_problem_clear(p);
}

/* large fronts, rows that meet at the root, more of them than are multiplied at a time */
static void rows_on_a_mesh_give_a_full_matrix(void **unused)
{
    (void)unused;
    saddle_problem p = {0};
    saddle_block_parameters block = saddle_block_default();
    block.cells[0] = block.cells[1] = block.cells[2] = 6;
    block.incompressible = 0;
    block.ties = 150;
    assert_int_equal(saddle_generate_block(NULL, &block, &p), SADDLE_OK);
    check(&p, 40);
}

static void one_row_an_element_gives_a_full_matrix(void **unused)
{
    (void)unused;
    saddle_problem p = {0};
    saddle_block_parameters block = saddle_block_default();
    block.cells[0] = block.cells[1] = block.cells[2] = 8;
    assert_int_equal(saddle_generate_block(NULL, &block, &p), SADDLE_OK);
    check(&p, 40);
}

static void rows_between_bodies_give_a_sparse_matrix(void **unused)
{
    (void)unused;
    saddle_problem p = {0};
    saddle_chain_parameters chain = saddle_chain_default();
    chain.bodies = 150;
    assert_int_equal(saddle_generate_chain(NULL, &chain, &p), SADDLE_OK);
    check(&p, 100);
    saddle_stack_parameters stack = saddle_stack_default();
    stack.boxes = 40;
    assert_int_equal(saddle_generate_stack(NULL, &stack, &p), SADDLE_OK);
    check(&p, 100);
    saddle_grid_parameters grid = saddle_grid_default();
    grid.plates[0] = grid.plates[1] = 12;
    assert_int_equal(saddle_generate_grid(NULL, &grid, &p), SADDLE_OK);
    check(&p, 100);
}

/* Each pair of rows meets in each velocity, and is stored once. */
static void rows_of_every_mass_take_the_memory_of_their_matrix(void **unused)
{
    (void)unused;
    const int64_t n = 200, m = 200;
    saddle_context *context;
    saddle_problem p = {.n = n, .m = m, .owner = 1};
    saddle__complement s = {0};
    saddle__complement_request request = {0};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_matrix_create(NULL, n, n, n, SADDLE_SYMMETRY_LOWER, &p.M), SADDLE_OK);
    assert_int_equal(saddle_matrix_create(NULL, n, m, n * m, SADDLE_SYMMETRY_NONE, &p.Jt),
                     SADDLE_OK);
    for (int64_t j = 0; j < n; j++) {
        p.M.index[j] = j;
        p.M.value[j] = 1.0;
        p.M.start[j + 1] = j + 1;
    }
    for (int64_t i = 0; i < m; i++) p.Jt.start[i + 1] = (i + 1) * n;
    for (int64_t k = 0; k < n * m; k++) p.Jt.index[k] = k % n;
    assert_int_equal(saddle__complement_analyse(context, &p, &request, &s), SADDLE_OK);
    assert_non_null(s.blocks);
    const int64_t entries = saddle_matrix_entries(&p.Jt) + saddle_matrix_entries(&s.W);
    assert_true(saddle_context_memory(context).peak_bytes < 64 * entries);
    saddle__complement_clear(&s);
    saddle_problem_clear(&p);
    saddle_context_free(context);
}

/* large enough for slices to be shared */
static void result_is_bitwise_equal_for_any_number_of_threads(void **unused)
{
    (void)unused;
    saddle_problem p = {0};
    saddle_block_parameters block = saddle_block_default();
    block.cells[0] = block.cells[1] = block.cells[2] = 10;
    block.incompressible = 0;
    block.ties = 150;
    assert_int_equal(saddle_generate_block(NULL, &block, &p), SADDLE_OK);
    saddle__complement one = {0};
    for (int64_t threads = 1; threads <= 3; threads++) {
        saddle__complement s = {0};
        saddle__complement_request request = {.threads = threads};
        assert_int_equal(saddle__complement_analyse(NULL, &p, &request, &s), SADDLE_OK);
        assert_int_equal(s.rows->threads, saddle__tasks_threads(threads));
        assert_int_equal(saddle__complement_form(&s, &p), SADDLE_OK);
        if (threads == 1) {
            one = s;
            continue;
        }
        size_t size = (size_t)saddle_matrix_entries(&one.W) * sizeof(double);
        assert_memory_equal(s.W.value, one.W.value, size);
        saddle__complement_clear(&s);
    }
    saddle__complement_clear(&one);
    saddle_problem_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_on_a_mesh_give_a_full_matrix),
        cmocka_unit_test(one_row_an_element_gives_a_full_matrix),
        cmocka_unit_test(rows_between_bodies_give_a_sparse_matrix),
        cmocka_unit_test(rows_of_every_mass_take_the_memory_of_their_matrix),
        cmocka_unit_test(result_is_bitwise_equal_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
