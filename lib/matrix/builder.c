/* SPDX-License-Identifier: MIT */
/* Sums of element blocks: the blocks' entries are collected as triplets, those above the diagonal
 * of a symmetric matrix left out or replaced by their mirror images. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "matrix/matrix_internal.h"

struct saddle_matrix_builder {
    saddle_context *context;
    int64_t rows, cols;
    saddle_symmetry symmetry;
    int64_t count, capacity; /* of the triplets */
    int64_t *row, *col;
    double *value;
};

/* A block of saddle_matrix_builder_add; own: rows and columns are the same. */
typedef struct element_block {
    int64_t rows, cols;
    const int64_t *row, *col;
    const double *value;
    int own;
} element_block;

saddle_status saddle_matrix_builder_create(saddle_context *context, int64_t rows, int64_t cols,
                                           saddle_symmetry symmetry,
                                           saddle_matrix_builder **builder)
{
    if (builder) *builder = NULL;
    SADDLE__RETURN_UNLESS(context, builder, "builder is NULL");
    saddle_matrix empty;
    SADDLE__TRY(saddle_matrix_create(context, rows, cols, 0, symmetry, &empty));
    const saddle_status status = saddle_matrix_check(context, &empty, NULL);
    saddle_matrix_clear(&empty);
    if (status != SADDLE_OK) return status;
    saddle_matrix_builder *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = (saddle_matrix_builder){.context = context,
                                    .rows = rows,
                                    .cols = cols,
                                    .symmetry = symmetry};
    *builder = made;
    return SADDLE_OK;
}

void saddle_matrix_builder_free(saddle_matrix_builder *builder)
{
    if (!builder) return;
    saddle__release_all(builder->context, builder->row, builder->col, builder->value, builder);
}

void saddle_matrix_builder_reset(saddle_matrix_builder *builder)
{
    if (builder) builder->count = 0;
}

/* ---- checks ---- */

static saddle_status check_indices(saddle_context *context, const char *what, int64_t count,
                                   const int64_t *index, int64_t limit)
{
    for (int64_t k = 0; k < count; k++)
        if (index[k] >= limit)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "block: %s %lld is %lld, outside of a matrix with %lld", what,
                               saddle__ordinal(k), saddle__ordinal(index[k]), (long long)limit);
    return SADDLE_OK;
}

static saddle_status check_symmetric(saddle_context *context, const element_block *block)
{
    double largest = 0.0;
    for (int64_t k = 0; k < block->rows * block->rows; k++)
        largest = fmax(largest, fabs(block->value[k]));
    for (int64_t a = 0; a < block->rows; a++)
        for (int64_t b = 0; b < a; b++) {
            const double lower = block->value[a * block->rows + b];
            const double upper = block->value[b * block->rows + a];
            if (fabs(lower - upper) <= SADDLE__EQUAL * largest) continue;
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "block: entry (%lld, %lld) is %g, but (%lld, %lld) is %g in a block "
                               "of a symmetric matrix",
                               saddle__ordinal(a), saddle__ordinal(b), lower, saddle__ordinal(b),
                               saddle__ordinal(a), upper);
        }
    return SADDLE_OK;
}

static saddle_status check_block(const saddle_matrix_builder *builder, const element_block *block)
{
    saddle_context *context = builder->context;
    if (block->rows < 0 || block->cols < 0 || (block->own && block->rows != block->cols))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "block of %lld x %lld",
                           (long long)block->rows, (long long)block->cols);
    if (block->cols > 0 && block->rows > INT64_MAX / block->cols)
        return saddle_fail(context, SADDLE_TOO_LARGE, "block of %lld x %lld",
                           (long long)block->rows, (long long)block->cols);
    const int64_t entries = block->rows * block->cols;
    if (entries > 0 && (!block->row || !block->col || !block->value))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "block: row or block is NULL");
    if (entries == 0) return SADDLE_OK;
    SADDLE__TRY(check_indices(context, "row", block->rows, block->row, builder->rows));
    SADDLE__TRY(check_indices(context, "column", block->cols, block->col, builder->cols));
    if (!saddle__is_finite(block->value, entries))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "block: an entry is not finite");
    if (!block->own || builder->symmetry == SADDLE_SYMMETRY_NONE) return SADDLE_OK;
    return check_symmetric(context, block);
}

/* ---- adding ---- */

static saddle_status reserve(saddle_matrix_builder *builder, int64_t more)
{
    if (more > INT64_MAX / 2 - builder->count)
        return saddle_fail(builder->context, SADDLE_TOO_LARGE, "too many entries in blocks");
    const int64_t needed = builder->count + more;
    if (needed <= builder->capacity) return SADDLE_OK;
    struct {
        void **array;
        size_t size;
    } each[] = {{(void **)&builder->row, sizeof *builder->row},
                {(void **)&builder->col, sizeof *builder->col},
                {(void **)&builder->value, sizeof *builder->value}};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        void *larger = saddle_reallocate(builder->context, *each[k].array, 2 * needed,
                                         each[k].size);
        if (!larger) return SADDLE_OUT_OF_MEMORY;
        *each[k].array = larger;
    }
    builder->capacity = 2 * needed;
    return SADDLE_OK;
}

static void append(saddle_matrix_builder *builder, const element_block *block, int64_t a, int64_t b)
{
    const int64_t i = block->row[a], j = block->col[b];
    if (i < 0 || j < 0 || (builder->symmetry == SADDLE_SYMMETRY_LOWER && i < j)) return;
    const int mirrored = builder->symmetry == SADDLE_SYMMETRY_FULL && block->own && i < j;
    const int64_t k = builder->count++;
    builder->row[k] = i;
    builder->col[k] = j;
    builder->value[k] = block->value[mirrored ? b * block->cols + a : a * block->cols + b];
}

saddle_status saddle_matrix_builder_add(saddle_matrix_builder *builder, int64_t rows,
                                        const int64_t *row, int64_t cols, const int64_t *col,
                                        const double *block)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(builder), builder, "builder is NULL");
    const element_block given = {rows, cols, row, col ? col : row, block, !col};
    SADDLE__TRY(check_block(builder, &given));
    SADDLE__TRY(reserve(builder, rows * cols));
    for (int64_t a = 0; a < rows; a++)
        for (int64_t b = 0; b < cols; b++) append(builder, &given, a, b);
    return SADDLE_OK;
}

saddle_status saddle_matrix_builder_build(const saddle_matrix_builder *builder, saddle_matrix *A)
{
    if (A) *A = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(builder), builder && A, "builder or A is NULL");
    return saddle_matrix_from_triplets(builder->context, builder->rows, builder->cols,
                                       builder->count, builder->row, builder->col, builder->value,
                                       builder->symmetry, A);
}
