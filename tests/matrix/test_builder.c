/* SPDX-License-Identifier: MIT */
/* Matrices from element blocks, against dense sums written out here. */
#include "support.h"

#include <math.h>
#include <string.h>

enum { SIZE = 12, LARGEST_BLOCK = 5, BLOCKS = 8 };

typedef struct drawn_block {
    int64_t row[LARGEST_BLOCK], col[LARGEST_BLOCK], rows, cols;
    double value[LARGEST_BLOCK * LARGEST_BLOCK];
} drawn_block;

/* Integers, so that sums are exact in any order; indices from -1, and some twice. */
static drawn_block draw_block(uint64_t *state, int symmetric)
{
    drawn_block block = {.rows = test_integer(state, 0, LARGEST_BLOCK)};
    block.cols = symmetric ? block.rows : test_integer(state, 0, LARGEST_BLOCK);
    for (int64_t a = 0; a < block.rows; a++) block.row[a] = test_integer(state, -1, SIZE - 1);
    for (int64_t b = 0; b < block.cols; b++)
        block.col[b] = symmetric ? block.row[b] : test_integer(state, -1, SIZE - 1);
    for (int64_t k = 0; k < block.rows * block.cols; k++)
        block.value[k] = (double)test_integer(state, -8, 8);
    for (int64_t a = 0; symmetric && a < block.rows; a++)
        for (int64_t b = 0; b < a; b++)
            block.value[b * block.rows + a] = block.value[a * block.rows + b];
    return block;
}

static void add_dense(const drawn_block *block, double dense[SIZE][SIZE])
{
    for (int64_t a = 0; a < block->rows; a++)
        for (int64_t b = 0; b < block->cols; b++)
            if (block->row[a] >= 0 && block->col[b] >= 0)
                dense[block->row[a]][block->col[b]] += block->value[a * block->cols + b];
}

static void assert_built(const saddle_matrix_builder *builder, saddle_symmetry symmetry,
                         double dense[SIZE][SIZE])
{
    saddle_matrix A;
    assert_int_equal(saddle_matrix_builder_build(builder, &A), SADDLE_OK);
    assert_int_equal(A.symmetry, symmetry);
    assert_int_equal(saddle_matrix_check(NULL, &A, "A"), SADDLE_OK);
    for (int64_t i = 0; i < SIZE; i++)
        for (int64_t j = 0; j < SIZE; j++)
            assert_true(saddle_matrix_entry(&A, i, j) == dense[i][j]);
    saddle_matrix_clear(&A);
}

static saddle_matrix_builder *new_builder(saddle_context *context, saddle_symmetry symmetry)
{
    saddle_matrix_builder *builder;
    assert_int_equal(saddle_matrix_builder_create(context, SIZE, SIZE, symmetry, &builder),
                     SADDLE_OK);
    return builder;
}

static void whole_blocks_are_summed_for_every_symmetry(void **state)
{
    (void)state;
    uint64_t drawn = test_seed();
    for (int draw = 0; draw < 300; draw++) {
        const saddle_symmetry symmetry = (saddle_symmetry)(draw % 3);
        saddle_matrix_builder *builder = new_builder(NULL, symmetry);
        for (int round = 0; round < 2; round++) {
            double dense[SIZE][SIZE] = {{0}};
            for (int k = 0; k < BLOCKS; k++) {
                const drawn_block block = draw_block(&drawn, symmetry != SADDLE_SYMMETRY_NONE);
                add_dense(&block, dense);
                assert_int_equal(saddle_matrix_builder_add(builder, block.rows, block.row,
                                                           block.cols, symmetry ? NULL : block.col,
                                                           block.value),
                                 SADDLE_OK);
            }
            assert_built(builder, symmetry, dense);
            assert_built(builder, symmetry, dense); /* building changes nothing */
            saddle_matrix_builder_reset(builder);
        }
        saddle_matrix_builder_free(builder);
    }
}

static void coupling_blocks_come_with_their_transposes(void **state)
{
    (void)state;
    const int64_t left[] = {7, 2}, right[] = {5};
    const double block[] = {3, -4}; /* 2 x 1; as 1 x 2 its transpose */
    for (int k = SADDLE_SYMMETRY_LOWER; k <= SADDLE_SYMMETRY_FULL; k++) {
        saddle_matrix_builder *builder = new_builder(NULL, (saddle_symmetry)k);
        double dense[SIZE][SIZE] = {{0}};
        dense[7][5] = dense[5][7] = 3;
        dense[2][5] = dense[5][2] = -4;
        assert_int_equal(saddle_matrix_builder_add(builder, 2, left, 1, right, block), SADDLE_OK);
        assert_int_equal(saddle_matrix_builder_add(builder, 1, right, 2, left, block), SADDLE_OK);
        assert_built(builder, (saddle_symmetry)k, dense);
        saddle_matrix_builder_free(builder);
    }
}

/* Rounding makes (a, b) and (b, a) of an element differ: the full matrix has one of them, twice. */
static void rounding_in_a_block_leaves_a_full_matrix_symmetric(void **state)
{
    (void)state;
    const int64_t row[] = {4, 1};
    const double near[] = {1, 1e-9 + 1e-12, 1e-9, 1};
    saddle_matrix_builder *builder = new_builder(NULL, SADDLE_SYMMETRY_FULL);
    assert_int_equal(saddle_matrix_builder_add(builder, 2, row, 2, NULL, near), SADDLE_OK);
    saddle_matrix A;
    assert_int_equal(saddle_matrix_builder_build(builder, &A), SADDLE_OK);
    assert_true(saddle_matrix_entry(&A, 4, 1) == near[1] &&
                saddle_matrix_entry(&A, 1, 4) == near[1]);
    saddle_matrix_clear(&A);
    saddle_matrix_builder_free(builder);
}

static void wrong_blocks_are_refused_and_leave_the_builder(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_matrix_builder *builder = new_builder(context, SADDLE_SYMMETRY_LOWER);
    const int64_t row[] = {0, 1}, beyond[] = {0, SIZE}, last[] = {0, INT64_MAX};
    const double good[] = {2, -1, -1, 2}, skew[] = {2, -1, 1, 2}, bad[] = {2, NAN, NAN, 2};
    const struct {
        int64_t rows, cols;
        const int64_t *row, *col;
        const double *block;
        const char *said;
    } wrong[] = {
        {2, 2, beyond, NULL, good, "block: row 2 is 13, outside of a matrix with 12"},
        {2, 2, last, NULL, good, "9223372036854775807"},
        {2, 2, row, beyond, good, "block: column 2 is 13"},
        {2, 2, row, NULL, skew, "entry (2, 1) is 1, but (1, 2) is -1"},
        {2, 2, row, NULL, bad, "not finite"},
        {2, 3, row, NULL, good, "block of 2 x 3"},
        {-1, -1, row, NULL, good, "block of -1 x -1"},
        {2, 2, NULL, NULL, good, "NULL"},
        {2, 2, row, NULL, NULL, "NULL"},
        {INT64_MAX, 2, row, row, good, "block of"},
    };
    double dense[SIZE][SIZE] = {{2, -1}, {-1, 2}};
    assert_int_equal(saddle_matrix_builder_add(builder, 2, row, 2, NULL, good), SADDLE_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_true(saddle_matrix_builder_add(builder, wrong[k].rows, wrong[k].row, wrong[k].cols,
                                              wrong[k].col, wrong[k].block) < 0);
        if (!strstr(saddle_context_message(context), wrong[k].said))
            fail_msg("%s: %s", wrong[k].said, saddle_context_message(context));
        assert_built(builder, SADDLE_SYMMETRY_LOWER, dense);
    }
    saddle_matrix A;
    assert_int_equal(saddle_matrix_builder_build(NULL, &A), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_matrix_builder_build(builder, NULL), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_matrix_builder_add(NULL, 0, NULL, 0, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
    saddle_matrix_builder_free(builder);
    assert_int_equal(saddle_matrix_builder_create(context, 2, 3, SADDLE_SYMMETRY_LOWER, &builder),
                     SADDLE_INVALID_ARGUMENT);
    assert_null(builder);
    assert_int_equal(saddle_matrix_builder_create(context, 2, 2, (saddle_symmetry)9, &builder),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_matrix_builder_create(context, -2, 2, SADDLE_SYMMETRY_NONE, &builder),
                     SADDLE_INVALID_ARGUMENT);
    saddle_matrix_builder_reset(NULL);
    saddle_matrix_builder_free(NULL);
    saddle_context_free(context);
}

static saddle_status build_once(saddle_context *context, void *user)
{
    (void)user;
    const int64_t row[] = {3, 0, 1};
    const double block[9] = {1, 0, 2, 0, 1, 0, 2, 0, 1};
    saddle_matrix_builder *builder;
    saddle_matrix A = {0};
    saddle_status status = saddle_matrix_builder_create(context, 4, 4, SADDLE_SYMMETRY_LOWER,
                                                        &builder);
    for (int k = 0; status == SADDLE_OK && k < 20; k++)
        status = saddle_matrix_builder_add(builder, 3, row, 3, NULL, block);
    if (status == SADDLE_OK) status = saddle_matrix_builder_build(builder, &A);
    saddle_matrix_clear(&A);
    saddle_matrix_builder_free(builder);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(build_once, NULL) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_blocks_are_summed_for_every_symmetry),
        cmocka_unit_test(coupling_blocks_come_with_their_transposes),
        cmocka_unit_test(rounding_in_a_block_leaves_a_full_matrix_symmetric),
        cmocka_unit_test(wrong_blocks_are_refused_and_leave_the_builder),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
