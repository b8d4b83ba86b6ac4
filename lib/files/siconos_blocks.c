/* SPDX-License-Identifier: MIT */
/* Siconos sparse block matrices as text, all numbers zero-based:
 *
 *     count  block_rows  block_cols
 *     row_end[block_rows]  col_end[block_cols]          cumulative sizes
 *     filled1  filled2
 *     start[filled1]  block_col[filled2]
 *         compressed block rows; filled1 - 1 of them may have blocks
 *     for k = 0 .. count-1:  k, then the block's numbers column by column
 */
#include <string.h>

#include "files/siconos_text.h"

typedef struct blocks {
    int64_t count, rows, cols; /* in blocks */
    int64_t filled1, filled2;
    int64_t *row_end; /* rows */
    int64_t *col_end; /* cols */
    int64_t *start;   /* filled1 */
    int64_t *col;     /* filled2: block column of each block */
    int64_t entries;  /* the sum of the blocks' sizes */
} blocks;

static void blocks_clear(saddle_context *context, blocks *B)
{
    saddle_release(context, B->row_end);
    saddle_release(context, B->col_end);
    saddle_release(context, B->start);
    saddle_release(context, B->col);
    memset(B, 0, sizeof *B);
}

/* The end of the block before k: where block k begins. */
static int64_t begin_of(const int64_t *end, int64_t k)
{
    return k > 0 ? end[k - 1] : 0;
}

/* count integers, each at least the one before and within [lo, hi]. */
static saddle_status read_ascending(saddle__scan *scan, const char *what, int64_t count, int64_t lo,
                                    int64_t hi, int64_t **value)
{
    saddle_status status = saddle__numbers_expect(scan, what, count);
    if (status != SADDLE_OK) return status;
    *value = saddle_allocate(scan->context, count > 0 ? count : 1, sizeof **value);
    if (!*value) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++)
        status = saddle__scan_range(scan, what, k > 0 ? (*value)[k - 1] : lo, hi, &(*value)[k]);
    return status;
}

static saddle_status read_structure(saddle__scan *scan, const char *name, blocks *B)
{
    int64_t most = saddle__scan_remaining(scan); /* no row or column without a byte: see
                                                    siconos_matrix.c */
    saddle_status status = saddle__scan_size(scan, "number of blocks", &B->count);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "number of block rows", &B->rows);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "number of block columns", &B->cols);
    if (status == SADDLE_OK)
        status = read_ascending(scan, "end of a block row", B->rows, 0, most, &B->row_end);
    if (status == SADDLE_OK)
        status = read_ascending(scan, "end of a block column", B->cols, 0, most, &B->col_end);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "filled1", &B->filled1);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "filled2", &B->filled2);
    if (status != SADDLE_OK) return status;
    if (B->filled1 > B->rows + 1)
        return saddle__scan_fail(scan, "%s: filled1 is %lld, but there are only %lld block rows",
                                 name, (long long)B->filled1, (long long)B->rows);
    if (B->filled2 != B->count)
        return saddle__scan_fail(scan, "%s: filled2 is %lld, but there are %lld blocks", name,
                                 (long long)B->filled2, (long long)B->count);
    status = read_ascending(scan, "start of a block row", B->filled1, 0, B->count, &B->start);
    if (status != SADDLE_OK) return status;
    if (B->count > 0 &&
        (B->filled1 < 2 || B->start[0] != 0 || B->start[B->filled1 - 1] != B->count))
        return saddle__scan_fail(
            scan, "%s: the starts of the block rows do not run from 0 to the %lld blocks", name,
            (long long)B->count);
    status = saddle__numbers_expect(scan, "block columns", B->count);
    if (status != SADDLE_OK) return status;
    B->col = saddle_allocate(scan->context, B->count > 0 ? B->count : 1, sizeof *B->col);
    if (!B->col) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < B->count; k++)
        status = saddle__scan_range(scan, "block column", 0, B->cols - 1, &B->col[k]);
    return status;
}

/* Sums the blocks' sizes; the text must have room for them, so the sum cannot overflow. */
static saddle_status count_entries(saddle__scan *scan, const char *name, blocks *B)
{
    saddle_status status = SADDLE_OK;
    for (int64_t r = 0; status == SADDLE_OK && r + 1 < B->filled1; r++)
        for (int64_t k = B->start[r]; status == SADDLE_OK && k < B->start[r + 1]; k++) {
            int64_t j = B->col[k];
            int64_t height = B->row_end[r] - begin_of(B->row_end, r),
                    width = B->col_end[j] - begin_of(B->col_end, j);
            if (width > 0 && height > saddle__scan_remaining(scan) / width)
                return saddle__scan_fail(scan, "%s: block %lld is larger than the file", name,
                                         (long long)k + 1);
            B->entries += height * width;
            status = saddle__numbers_expect(scan, name, B->entries);
        }
    return status;
}

/* The numbers of block k of block row r into the triplets from `at` on (row = NULL: walk). */
static saddle_status read_block(saddle__scan *scan, const char *name, const blocks *B, int64_t r,
                                int64_t k, int64_t *row, int64_t *col, double *value, int64_t *at)
{
    int64_t number, j = B->col[k], i0 = begin_of(B->row_end, r), j0 = begin_of(B->col_end, j);
    int64_t height = B->row_end[r] - i0, width = B->col_end[j] - j0;
    saddle_status status = saddle__scan_range(scan, "block number", k, k, &number);
    if (status != SADDLE_OK) return status;
    if (!row) return saddle__numbers_read(scan, name, SADDLE__ACCEPT_FINITE, height * width, NULL);
    status = saddle__scan_doubles(scan, name, SADDLE__ACCEPT_FINITE, height * width, value + *at);
    for (int64_t e = 0; status == SADDLE_OK && e < height * width; e++) {
        row[*at + e] = i0 + e % height;
        col[*at + e] = j0 + e / height;
    }
    *at += height * width;
    return status;
}

static saddle_status read_entries(saddle__scan *scan, const char *name, const blocks *B,
                                  saddle_matrix *A)
{
    int64_t *row = NULL, *col = NULL, at = 0, room = B->entries > 0 ? B->entries : 1;
    double *value = NULL;
    saddle_status status = SADDLE_OK;
    if (A) {
        row = saddle_allocate(scan->context, room, sizeof *row);
        col = saddle_allocate(scan->context, room, sizeof *col);
        value = saddle_allocate(scan->context, room, sizeof *value);
        if (!row || !col || !value) status = SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t r = 0; status == SADDLE_OK && r + 1 < B->filled1; r++)
        for (int64_t k = B->start[r]; status == SADDLE_OK && k < B->start[r + 1]; k++)
            status = read_block(scan, name, B, r, k, row, col, value, &at);
    if (status == SADDLE_OK && A)
        status = saddle__matrix_from_entries(scan->context, scan->label, name,
                                             B->rows > 0 ? B->row_end[B->rows - 1] : 0,
                                             B->cols > 0 ? B->col_end[B->cols - 1] : 0, B->entries,
                                             row, col, value, A);
    saddle_release(scan->context, row);
    saddle_release(scan->context, col);
    saddle_release(scan->context, value);
    return status;
}

saddle_status saddle__siconos_blocks_read(saddle__scan *scan, const char *name, int64_t *rows,
                                          int64_t *cols, saddle_matrix *A, int64_t **block_end,
                                          int64_t *block_count)
{
    blocks B = {0};
    saddle_status status = read_structure(scan, name, &B);
    if (status == SADDLE_OK) status = count_entries(scan, name, &B);
    if (status == SADDLE_OK) status = read_entries(scan, name, &B, A);
    if (status == SADDLE_OK) {
        *rows = B.rows > 0 ? B.row_end[B.rows - 1] : 0;
        *cols = B.cols > 0 ? B.col_end[B.cols - 1] : 0;
        if (block_end) {
            *block_end = B.row_end;
            *block_count = B.rows;
            B.row_end = NULL;
        }
    }
    blocks_clear(scan->context, &B);
    return status;
}
