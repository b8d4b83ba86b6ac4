/* SPDX-License-Identifier: MIT */
/* Siconos matrices as text, read and written; all numbers are zero-based.
 *
 *     storage rows cols
 *     0  dense: rows cols, then the numbers column by column
 *     1  sparse blocks:
 *            count block_rows block_cols
 *            row_end[block_rows] col_end[block_cols]     cumulative sizes
 *            filled1 filled2
 *            start[filled1] block_col[filled2]           compressed rows, filled1 - 1 of them
 *            for k = 0 .. count-1: k, then the numbers of block k column by column
 *     2  sparse as CSparse prints:
 *            origin (1 triplets, 2 by columns, 3 by rows), a line "CSparse Version ...",
 *            [triplet: |csr: ]m-by-n, nzmax: N nnz: N[, 1-norm: x]
 *            triplets: lines i j : v
 *            else:     lines col j : locations a to b, each followed by lines i : v
 */
#include "files/problem_file.h"

#include <string.h>

/* ---- dense ---- */

static saddle_status read_dense(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                saddle_matrix *A)
{
    int64_t again;
    double *value = NULL;
    saddle_status status = saddle__scan_range(scan, "rows of a dense matrix, again", rows, rows,
                                              &again);
    if (status == SADDLE_OK)
        status = saddle__scan_range(scan, "columns of a dense matrix, again", cols, cols, &again);
    if (status != SADDLE_OK) return status;
    if (cols > 0 && rows > INT64_MAX / cols)
        return saddle__scan_fail(scan, "%s: %lld x %lld numbers are too many", name,
                                 (long long)rows, (long long)cols);
    status = saddle__scan_array(scan, name, SADDLE__ACCEPT_FINITE, rows * cols, &value);
    if (status == SADDLE_OK)
        status = saddle__matrix_from_dense(scan->context, rows, cols, 0, value, A);
    saddle_release(scan->context, value);
    return status;
}

/* ---- sparse blocks ---- */

typedef struct blocks {
    int64_t count, rows, cols; /* in blocks */
    int64_t filled1, filled2;
    int64_t *row_end; /* rows */
    int64_t *col_end; /* cols */
    int64_t *start;   /* filled1 */
    int64_t *col;     /* filled2: block column of each block */
} blocks;

/* The first row or column of block k, with ends of the blocks. */
static int64_t begin_of(const int64_t *end, int64_t k)
{
    return k > 0 ? end[k - 1] : 0;
}

/* count integers in [lo, hi]; ascending: none less than the one before. */
static saddle_status read_integers(saddle__scan *scan, const char *what, int64_t count, int64_t hi,
                                   int ascending, int64_t **value)
{
    saddle_status status = saddle__scan_expect(scan, what, count);
    if (status != SADDLE_OK) return status;
    *value = saddle_allocate(scan->context, count, sizeof **value);
    if (!*value) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++)
        status = saddle__scan_range(scan, what, ascending ? begin_of(*value, k) : 0, hi,
                                    &(*value)[k]);
    return status;
}

static saddle_status read_structure(saddle__scan *scan, const char *name, blocks *B)
{
    int64_t most = scan->end - scan->at; /* a row or column takes at least a byte */
    saddle_status status = saddle__scan_size(scan, "number of blocks", &B->count);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "number of block rows", &B->rows);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "number of block columns", &B->cols);
    if (status == SADDLE_OK)
        status = read_integers(scan, "end of a block row", B->rows, most, 1, &B->row_end);
    if (status == SADDLE_OK)
        status = read_integers(scan, "end of a block column", B->cols, most, 1, &B->col_end);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "filled1", &B->filled1);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "filled2", &B->filled2);
    if (status != SADDLE_OK) return status;
    if (B->filled1 > B->rows + 1)
        return saddle__scan_fail(scan, "%s: filled1 is %lld, but there are only %lld block rows",
                                 name, (long long)B->filled1, (long long)B->rows);
    if (B->filled2 != B->count)
        return saddle__scan_fail(scan, "%s: filled2 is %lld, but there are %lld blocks", name,
                                 (long long)B->filled2, (long long)B->count);
    status = read_integers(scan, "start of a block row", B->filled1, B->count, 1, &B->start);
    if (status != SADDLE_OK) return status;
    if (B->count > 0 &&
        (B->filled1 < 2 || B->start[0] != 0 || B->start[B->filled1 - 1] != B->count))
        return saddle__scan_fail(
            scan, "%s: the starts of the block rows do not run from 0 to the %lld blocks", name,
            (long long)B->count);
    return read_integers(scan, "block column", B->count, B->cols - 1, 0, &B->col);
}

/* Sums the sizes of the blocks.  The sum cannot overflow: the rest of the text must have room for
 * the numbers. */
static saddle_status count_entries(saddle__scan *scan, const char *name, const blocks *B,
                                   int64_t *entries)
{
    saddle_status status = SADDLE_OK;
    for (int64_t r = 0; r + 1 < B->filled1; r++)
        for (int64_t k = B->start[r]; status == SADDLE_OK && k < B->start[r + 1]; k++) {
            int64_t height = B->row_end[r] - begin_of(B->row_end, r),
                    width = B->col_end[B->col[k]] - begin_of(B->col_end, B->col[k]);
            if (width > 0 && height > (scan->end - scan->at) / width)
                return saddle__scan_fail(scan, "%s: block %lld is larger than the file", name,
                                         (long long)k + 1);
            *entries += height * width;
            status = saddle__scan_expect(scan, name, *entries);
        }
    return status;
}

/* Block k, in block row r. */
static saddle_status read_block(saddle__scan *scan, const char *name, const blocks *B, int64_t r,
                                int64_t k, saddle__entries *list)
{
    int64_t number, i0 = begin_of(B->row_end, r), j0 = begin_of(B->col_end, B->col[k]);
    int64_t height = B->row_end[r] - i0, size = height * (B->col_end[B->col[k]] - j0);
    saddle_status status = saddle__scan_range(scan, "block number", k, k, &number);
    if (status != SADDLE_OK) return status;
    double *value = list->value + list->count;
    status = saddle__scan_doubles(scan, name, SADDLE__ACCEPT_FINITE, size, value);
    for (int64_t e = 0; status == SADDLE_OK && e < size; e++)
        saddle__entries_add(list, i0 + e % height, j0 + e / height, value[e]);
    return status;
}

saddle_status saddle__siconos_blocks_read(saddle__scan *scan, const char *name, saddle_matrix *A,
                                          int64_t **block_end, int64_t *block_count)
{
    blocks B = {0};
    saddle__entries list = {0};
    int64_t entries = 0;
    saddle_status status = read_structure(scan, name, &B);
    if (status == SADDLE_OK) status = count_entries(scan, name, &B, &entries);
    if (status == SADDLE_OK) status = saddle__entries_reserve(scan->context, entries, &list);
    for (int64_t r = 0; status == SADDLE_OK && r + 1 < B.filled1; r++)
        for (int64_t k = B.start[r]; status == SADDLE_OK && k < B.start[r + 1]; k++)
            status = read_block(scan, name, &B, r, k, &list);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix_of(scan->context, scan->label, name,
                                           begin_of(B.row_end, B.rows), begin_of(B.col_end, B.cols),
                                           &list, A);
    if (status == SADDLE_OK && block_end) {
        *block_end = B.row_end;
        *block_count = B.rows;
        B.row_end = NULL;
    }
    saddle__entries_clear(scan->context, &list);
    saddle_release(scan->context, B.row_end);
    saddle_release(scan->context, B.col_end);
    saddle_release(scan->context, B.start);
    saddle_release(scan->context, B.col);
    return status;
}

static saddle_status read_blocks(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    const char *place = scan->at;
    saddle_status status = saddle__siconos_blocks_read(scan, name, A, NULL, NULL);
    if (status != SADDLE_OK || (A->rows == rows && A->cols == cols)) return status;
    return saddle__scan_fail_at(
        scan, place, "%s: the blocks sum to %lld x %lld, but its header says %lld x %lld", name,
        (long long)A->rows, (long long)A->cols, (long long)rows, (long long)cols);
}

/* ---- sparse ---- */

enum origin { ORIGIN_TRIPLETS = 1, ORIGIN_COLUMNS = 2, ORIGIN_ROWS = 3 };

static saddle_status expect_word(saddle__scan *scan, const char *name, const char *word)
{
    if (saddle__scan_literal(scan, word)) return SADDLE_OK;
    return saddle__scan_fail(scan, "%s: '%s' expected", name, word);
}

/* [triplet:] m-by-n, nzmax: N nnz: N [, ...] */
static saddle_status read_print_header(saddle__scan *scan, const char *name, int64_t rows,
                                       int64_t cols, int64_t *entries)
{
    int64_t size[2] = {0, 0}, room;
    if (!saddle__scan_literal(scan, "triplet:")) (void)saddle__scan_literal(scan, "csr:");
    saddle_status status = saddle__scan_integer_prefix(scan, "rows of the printed matrix",
                                                       &size[0]);
    if (status == SADDLE_OK) status = expect_word(scan, name, "-by-");
    if (status == SADDLE_OK)
        status = saddle__scan_integer_prefix(scan, "columns of the printed matrix", &size[1]);
    if (status == SADDLE_OK && (size[0] != rows || size[1] != cols))
        return saddle__scan_fail(scan,
                                 "%s: printed as %lld-by-%lld, but its header says %lld x %lld",
                                 name, (long long)size[0], (long long)size[1], (long long)rows,
                                 (long long)cols);
    if (status == SADDLE_OK) status = expect_word(scan, name, ",");
    if (status == SADDLE_OK) status = expect_word(scan, name, "nzmax:");
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "nzmax", &room);
    if (status == SADDLE_OK) status = expect_word(scan, name, "nnz:");
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "nnz", entries);
    saddle__scan_skip_line(scan);
    return status;
}

/* : v */
static saddle_status read_value(saddle__scan *scan, const char *name, double *value)
{
    saddle_status status = expect_word(scan, name, ":");
    return status == SADDLE_OK ? saddle__scan_double(scan, name, SADDLE__ACCEPT_FINITE, value)
                               : status;
}

static saddle_status read_triplets(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                   int64_t entries, saddle__entries *list)
{
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < entries; k++) {
        int64_t i = 0, j = 0;
        double value = 0;
        status = saddle__scan_range(scan, "row index", 0, rows - 1, &i);
        if (status == SADDLE_OK) status = saddle__scan_range(scan, "column index", 0, cols - 1, &j);
        if (status == SADDLE_OK) status = read_value(scan, name, &value);
        if (status == SADDLE_OK) saddle__entries_add(list, i, j, value);
    }
    return status;
}

/* col j : locations a to b; last: b */
static saddle_status read_compressed_head(saddle__scan *scan, const char *name, int64_t j,
                                          int64_t entries, int64_t k, int64_t *last)
{
    int64_t number, first;
    if (!saddle__scan_literal(scan, "col") && !saddle__scan_literal(scan, "row"))
        return saddle__scan_fail(scan, "%s: 'col %lld' expected", name, (long long)j);
    saddle_status status = saddle__scan_range(scan, "column number", j, j, &number);
    if (status == SADDLE_OK) status = expect_word(scan, name, ":");
    if (status == SADDLE_OK) status = expect_word(scan, name, "locations");
    if (status == SADDLE_OK) status = saddle__scan_range(scan, "first location", k, k, &first);
    if (status == SADDLE_OK) status = expect_word(scan, name, "to");
    if (status != SADDLE_OK) return status;
    return saddle__scan_range(scan, "last location", k - 1, entries - 1, last);
}

/* outer, inner: the numbers of columns and rows; of rows and columns where stored by rows. */
static saddle_status read_compressed(saddle__scan *scan, const char *name, int64_t outer,
                                     int64_t inner, int by_rows, int64_t entries,
                                     saddle__entries *list)
{
    saddle_status status = SADDLE_OK;
    for (int64_t j = 0; status == SADDLE_OK && j < outer; j++) {
        int64_t last = -1;
        status = read_compressed_head(scan, name, j, entries, list->count, &last);
        while (status == SADDLE_OK && list->count <= last) {
            int64_t i = 0;
            double value = 0;
            status = saddle__scan_range(scan, "index", 0, inner - 1, &i);
            if (status == SADDLE_OK) status = read_value(scan, name, &value);
            if (status == SADDLE_OK)
                saddle__entries_add(list, by_rows ? j : i, by_rows ? i : j, value);
        }
    }
    if (status == SADDLE_OK && list->count != entries)
        return saddle__scan_fail(scan, "%s: %lld entries, but nnz says %lld", name,
                                 (long long)list->count, (long long)entries);
    return status;
}

static saddle_status read_sparse(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    int64_t origin = 0, entries = 0;
    saddle__entries list = {0};
    saddle_status status = saddle__scan_range(scan, "origin of a sparse matrix", ORIGIN_TRIPLETS,
                                              ORIGIN_ROWS, &origin);
    if (status == SADDLE_OK) status = expect_word(scan, name, "CSparse");
    if (status != SADDLE_OK) return status;
    saddle__scan_skip_line(scan);
    status = read_print_header(scan, name, rows, cols, &entries);
    if (status == SADDLE_OK && entries > INT64_MAX / 3)
        return saddle__scan_fail(scan, "%s: %lld entries are too many", name, (long long)entries);
    if (status == SADDLE_OK) /* an entry takes at least an index, a colon and a value */
        status = saddle__scan_expect(scan, name, 3 * entries);
    if (status == SADDLE_OK) status = saddle__entries_reserve(scan->context, entries, &list);
    if (status == SADDLE_OK && origin == ORIGIN_TRIPLETS)
        status = read_triplets(scan, name, rows, cols, entries, &list);
    if (status == SADDLE_OK && origin == ORIGIN_COLUMNS)
        status = read_compressed(scan, name, cols, rows, 0, entries, &list);
    if (status == SADDLE_OK && origin == ORIGIN_ROWS)
        status = read_compressed(scan, name, rows, cols, 1, entries, &list);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix_of(scan->context, scan->label, name, rows, cols, &list, A);
    saddle__entries_clear(scan->context, &list);
    return status;
}

/* ---- any ---- */

saddle_status saddle__siconos_matrix_read(saddle__scan *scan, const char *name, saddle_matrix *A)
{
    int64_t storage = 0, rows, cols;
    saddle_status status = saddle__scan_range(scan, "storage of a matrix", 0, 2, &storage);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "rows of a matrix", &rows);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "columns of a matrix", &cols);
    if (status != SADDLE_OK) return status;
    /* the entries, or the vectors after the matrix, take a byte for each row and column */
    int64_t most = scan->end - scan->at;
    if (rows > most || cols > most)
        return saddle__scan_fail(scan,
                                 "%s: %lld x %lld is too large for the %lld bytes that follow",
                                 name, (long long)rows, (long long)cols, (long long)most);
    if (storage == 0) return read_dense(scan, name, rows, cols, A);
    return (storage == 1 ? read_blocks : read_sparse)(scan, name, rows, cols, A);
}

/* ---- writing ---- */

static void put_triplets(saddle__output *output, const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    saddle__output_text(output, "1\nCSparse Version 3.2.0\ntriplet: ");
    saddle__output_integer(output, A->rows, "-by-");
    saddle__output_integer(output, A->cols, ", nzmax: ");
    saddle__output_integer(output, entries, " nnz: ");
    saddle__output_integer(output, entries, "\n");
    saddle__output_entries(output, A, 0, " : ");
}

void saddle__siconos_put_matrix(saddle__output *output, const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    int dense = entries > 0 && (double)entries >= 0.5 * (double)A->rows * (double)A->cols;
    for (int64_t k = 0; dense && k < entries; k++) dense = A->value[k] != 0;
    saddle__output_text(output, dense ? "0\n" : "2\n");
    saddle__output_integer(output, A->rows, "\n");
    saddle__output_integer(output, A->cols, "\n");
    if (!dense) {
        put_triplets(output, A);
        return;
    }
    saddle__output_integer(output, A->rows, " ");
    saddle__output_integer(output, A->cols, "\n");
    for (int64_t j = 0; j < A->cols; j++) saddle__output_column(output, A, j);
}
