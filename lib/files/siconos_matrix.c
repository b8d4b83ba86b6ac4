/* SPDX-License-Identifier: MIT */
/* Matrices in the texts of Siconos, read and written; all numbers are zero-based.
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
#include "base/context_internal.h"
#include "files/problem_file.h"

#include "files/number.h"

/* ---- dense ---- */

static saddle_status read_dense(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                saddle_matrix *A)
{
    (void)saddle__scan_range(scan, "rows of a dense matrix, again", rows, rows);
    (void)saddle__scan_range(scan, "columns of a dense matrix, again", cols, cols);
    if (cols > 0 && rows > INT64_MAX / cols)
        return saddle__scan_fail(scan, "%s: %lld x %lld numbers are too many", name,
                                 (long long)rows, (long long)cols);
    double *value = saddle__scan_array(scan, name, 0, rows * cols);
    if (scan->status == SADDLE_OK)
        scan->status = saddle__matrix_from_dense(scan->context, rows, cols, 0, value, A);
    saddle_release(scan->context, value);
    return scan->status;
}

/* ---- sparse blocks ---- */

typedef struct block_structure {
    int64_t count, rows, cols; /* in blocks */
    int64_t filled1, filled2;
    int64_t *row_end; /* rows */
    int64_t *col_end; /* cols */
    int64_t *start;   /* filled1 */
    int64_t *col;     /* filled2: block column of each block */
} block_structure;

/* A new array of count integers in [0, hi]; ascending: none less than the one before. */
static int64_t *read_integers(saddle__scan *scan, const char *what, int64_t count, int64_t hi,
                              int ascending)
{
    (void)saddle__scan_expect(scan, what, count);
    int64_t *value = saddle__scan_allocate(scan, count, sizeof *value);
    for (int64_t k = 0; scan->status == SADDLE_OK && k < count; k++)
        value[k] = saddle__scan_range(scan, what, ascending ? saddle__block_begin(value, k) : 0,
                                      hi);
    return value;
}

static saddle_status read_structure(saddle__scan *scan, const char *name, block_structure *B)
{
    int64_t most = scan->end - scan->at; /* a row or column takes at least a byte */
    B->count = saddle__scan_size(scan, "number of blocks");
    B->rows = saddle__scan_size(scan, "number of block rows");
    B->cols = saddle__scan_size(scan, "number of block columns");
    B->row_end = read_integers(scan, "end of a block row", B->rows, most, 1);
    B->col_end = read_integers(scan, "end of a block column", B->cols, most, 1);
    B->filled1 = saddle__scan_size(scan, "filled1");
    B->filled2 = saddle__scan_size(scan, "filled2");
    if (scan->status == SADDLE_OK && B->filled1 > B->rows + 1)
        return saddle__scan_fail(scan, "%s: filled1 is %lld, but there are only %lld block rows",
                                 name, (long long)B->filled1, (long long)B->rows);
    if (B->filled2 != B->count)
        return saddle__scan_fail(scan, "%s: filled2 is %lld, but there are %lld blocks", name,
                                 (long long)B->filled2, (long long)B->count);
    B->start = read_integers(scan, "start of a block row", B->filled1, B->count, 1);
    if (scan->status == SADDLE_OK && B->count > 0 &&
        (B->filled1 < 2 || B->start[0] != 0 || B->start[B->filled1 - 1] != B->count))
        return saddle__scan_fail(
            scan, "%s: the starts of the block rows do not run from 0 to the %lld blocks", name,
            (long long)B->count);
    B->col = read_integers(scan, "block column", B->count, B->cols - 1, 0);
    return scan->status;
}

/* Sums the sizes of the blocks.  The sum cannot overflow: the rest of the text must have room for
 * the numbers. */
static saddle_status count_entries(saddle__scan *scan, const char *name, const block_structure *B,
                                   int64_t *entries)
{
    for (int64_t r = 0; r + 1 < B->filled1; r++)
        for (int64_t k = B->start[r]; scan->status == SADDLE_OK && k < B->start[r + 1]; k++) {
            int64_t height = B->row_end[r] - saddle__block_begin(B->row_end, r),
                    width = B->col_end[B->col[k]] - saddle__block_begin(B->col_end, B->col[k]);
            if (width > 0 && height > (scan->end - scan->at) / width)
                return saddle__scan_fail(scan, "%s: block %lld is larger than the file", name,
                                         (long long)k + 1);
            *entries += height * width;
            (void)saddle__scan_expect(scan, name, *entries);
        }
    return scan->status;
}

/* Block k, in block row r. */
static void read_block(saddle__scan *scan, const char *name, const block_structure *B, int64_t r,
                       int64_t k, saddle__entries *list)
{
    int64_t i0 = saddle__block_begin(B->row_end, r),
            j0 = saddle__block_begin(B->col_end, B->col[k]);
    int64_t height = B->row_end[r] - i0, size = height * (B->col_end[B->col[k]] - j0);
    double *value = list->value + list->count;
    (void)saddle__scan_range(scan, "block number", k, k);
    (void)saddle__scan_doubles(scan, name, 0, size, value);
    for (int64_t e = 0; scan->status == SADDLE_OK && e < size; e++)
        saddle__entries_add(list, i0 + e % height, j0 + e / height, value[e]);
}

/* A <- the entries of the list, unless there was a failure. */
static saddle_status take_entries(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                  saddle__entries *list, saddle_matrix *A)
{
    if (scan->status == SADDLE_OK)
        scan->status = saddle__entries_matrix(scan->context, scan->label, name, rows, cols, list, A,
                                              NULL);
    return scan->status;
}

saddle_status saddle__siconos_read_blocks(saddle__scan *scan, const char *name, saddle_matrix *A,
                                          int64_t **block_end, int64_t *block_count)
{
    block_structure B = {0};
    saddle__entries list = {0};
    int64_t entries = 0;
    if (read_structure(scan, name, &B) == SADDLE_OK &&
        count_entries(scan, name, &B, &entries) == SADDLE_OK)
        scan->status = saddle__entries_reserve(scan->context, entries, &list);
    for (int64_t r = 0; scan->status == SADDLE_OK && r + 1 < B.filled1; r++)
        for (int64_t k = B.start[r]; scan->status == SADDLE_OK && k < B.start[r + 1]; k++)
            read_block(scan, name, &B, r, k, &list);
    if (scan->status == SADDLE_OK)
        (void)take_entries(scan, name, saddle__block_begin(B.row_end, B.rows),
                           saddle__block_begin(B.col_end, B.cols), &list, A);
    if (scan->status == SADDLE_OK && block_end) {
        *block_end = B.row_end;
        *block_count = B.rows;
        B.row_end = NULL;
    }
    saddle__entries_clear(scan->context, &list);
    saddle__release_all(scan->context, B.row_end, B.col_end, B.start, B.col);
    return scan->status;
}

static saddle_status read_blocks(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    const char *place = scan->at;
    saddle_status status = saddle__siconos_read_blocks(scan, name, A, NULL, NULL);
    if (status != SADDLE_OK || (A->rows == rows && A->cols == cols)) return status;
    return saddle__scan_fail_at(
        scan, place, "%s: the blocks sum to %lld x %lld, but its header says %lld x %lld", name,
        (long long)A->rows, (long long)A->cols, (long long)rows, (long long)cols);
}

/* ---- sparse ---- */

enum origin { ORIGIN_TRIPLETS = 1, ORIGIN_COLUMNS = 2, ORIGIN_ROWS = 3 };

static void expect_word(saddle__scan *scan, const char *name, const char *word)
{
    if (!saddle__scan_literal(scan, word))
        (void)saddle__scan_fail(scan, "%s: '%s' expected", name, word);
}

/* The integer at the beginning of a token ("3-by-4"); the rest is the next token. */
static int64_t read_prefix(saddle__scan *scan, const char *what)
{
    const char *next;
    int64_t value;
    if (scan->status != SADDLE_OK) return 0;
    saddle__scan_skip_space(scan);
    if (saddle__integer_parse(scan->at, scan->end, &value, &next) != SADDLE__NUMBER_FINITE)
        return saddle__scan_integer(scan, what); /* states the reason */
    scan->at = next;
    return value;
}

/* [triplet:] m-by-n, nzmax: N nnz: N [, ...]; returns the entries. */
static int64_t read_print_header(saddle__scan *scan, const char *name, int64_t rows, int64_t cols)
{
    if (!saddle__scan_literal(scan, "triplet:")) (void)saddle__scan_literal(scan, "csr:");
    int64_t printed_rows = read_prefix(scan, "rows of the printed matrix");
    expect_word(scan, name, "-by-");
    int64_t printed_cols = read_prefix(scan, "columns of the printed matrix");
    if (scan->status == SADDLE_OK && (printed_rows != rows || printed_cols != cols)) {
        (void)saddle__scan_fail(scan,
                                "%s: printed as %lld-by-%lld, but its header says %lld x %lld",
                                name, (long long)printed_rows, (long long)printed_cols,
                                (long long)rows, (long long)cols);
        return 0;
    }
    expect_word(scan, name, ",");
    expect_word(scan, name, "nzmax:");
    (void)saddle__scan_size(scan, "nzmax");
    expect_word(scan, name, "nnz:");
    int64_t entries = saddle__scan_size(scan, "nnz");
    saddle__scan_skip_line(scan);
    return entries;
}

/* : v */
static double read_value(saddle__scan *scan, const char *name)
{
    expect_word(scan, name, ":");
    return saddle__scan_double(scan, name, 0);
}

static void read_triplets(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                          int64_t entries, saddle__entries *list)
{
    for (int64_t k = 0; scan->status == SADDLE_OK && k < entries; k++) {
        int64_t i = saddle__scan_range(scan, "row index", 0, rows - 1);
        int64_t j = saddle__scan_range(scan, "column index", 0, cols - 1);
        saddle__entries_add(list, i, j, read_value(scan, name));
    }
}

/* col j : locations a to b; returns b */
static int64_t read_compressed_head(saddle__scan *scan, const char *name, int64_t j,
                                    int64_t entries, int64_t k)
{
    if (!saddle__scan_literal(scan, "col") && !saddle__scan_literal(scan, "row"))
        (void)saddle__scan_fail(scan, "%s: 'col %lld' expected", name, (long long)j);
    (void)saddle__scan_range(scan, "column number", j, j);
    expect_word(scan, name, ":");
    expect_word(scan, name, "locations");
    (void)saddle__scan_range(scan, "first location", k, k);
    expect_word(scan, name, "to");
    return saddle__scan_range(scan, "last location", k - 1, entries - 1);
}

/* outer, inner: the numbers of columns and rows; of rows and columns where stored by rows. */
static void read_compressed(saddle__scan *scan, const char *name, int64_t outer, int64_t inner,
                            int by_rows, int64_t entries, saddle__entries *list)
{
    for (int64_t j = 0; scan->status == SADDLE_OK && j < outer; j++) {
        int64_t last = read_compressed_head(scan, name, j, entries, list->count);
        while (scan->status == SADDLE_OK && list->count <= last) {
            int64_t i = saddle__scan_range(scan, "index", 0, inner - 1);
            saddle__entries_add(list, by_rows ? j : i, by_rows ? i : j, read_value(scan, name));
        }
    }
    if (list->count != entries)
        (void)saddle__scan_fail(scan, "%s: %lld entries, but nnz says %lld", name,
                                (long long)list->count, (long long)entries);
}

static saddle_status read_sparse(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    saddle__entries list = {0};
    int64_t origin = saddle__scan_range(scan, "origin of a sparse matrix", ORIGIN_TRIPLETS,
                                        ORIGIN_ROWS);
    expect_word(scan, name, "CSparse");
    if (scan->status != SADDLE_OK) return scan->status;
    saddle__scan_skip_line(scan);
    int64_t entries = read_print_header(scan, name, rows, cols);
    if (entries > INT64_MAX / 3)
        return saddle__scan_fail(scan, "%s: %lld entries are too many", name, (long long)entries);
    /* an entry takes at least an index, a colon and a value */
    if (saddle__scan_expect(scan, name, 3 * entries) == SADDLE_OK)
        scan->status = saddle__entries_reserve(scan->context, entries, &list);
    if (origin == ORIGIN_TRIPLETS)
        read_triplets(scan, name, rows, cols, entries, &list);
    else
        read_compressed(scan, name, origin == ORIGIN_COLUMNS ? cols : rows,
                        origin == ORIGIN_COLUMNS ? rows : cols, origin == ORIGIN_ROWS, entries,
                        &list);
    (void)take_entries(scan, name, rows, cols, &list, A);
    saddle__entries_clear(scan->context, &list);
    return scan->status;
}

/* ---- any ---- */

saddle_status saddle__siconos_read_matrix(saddle__scan *scan, const char *name, saddle_matrix *A)
{
    int64_t storage = saddle__scan_range(scan, "storage of a matrix", 0, 2);
    int64_t rows = saddle__scan_size(scan, "rows of a matrix");
    int64_t cols = saddle__scan_size(scan, "columns of a matrix");
    /* the entries, or the vectors after the matrix, take a byte for each row and column */
    int64_t most = scan->end - scan->at;
    if (rows > most || cols > most)
        return saddle__scan_fail(scan,
                                 "%s: %lld x %lld is too large for the %lld bytes that follow",
                                 name, (long long)rows, (long long)cols, (long long)most);
    if (scan->status != SADDLE_OK) return scan->status;
    return (storage == 0   ? read_dense
            : storage == 1 ? read_blocks
                           : read_sparse)(scan, name, rows, cols, A);
}

/* ---- writing ---- */

void saddle__siconos_put_matrix(saddle__output *output, const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    int dense = entries > 0 && (double)entries >= 0.5 * (double)A->rows * (double)A->cols;
    for (int64_t k = 0; dense && k < entries; k++) dense = A->value[k] != 0;
    saddle__output_text(output, dense ? "0\n" : "2\n");
    saddle__output_integer(output, A->rows, "\n");
    saddle__output_integer(output, A->cols, "\n");
    if (dense) {
        saddle__output_integer(output, A->rows, " ");
        saddle__output_integer(output, A->cols, "\n");
        for (int64_t j = 0; j < A->cols; j++) saddle__output_column(output, A, j);
        return;
    }
    saddle__output_text(output, "1\nCSparse Version 3.2.0\ntriplet: ");
    saddle__output_integer(output, A->rows, "-by-");
    saddle__output_integer(output, A->cols, ", nzmax: ");
    saddle__output_integer(output, entries, " nnz: ");
    saddle__output_integer(output, entries, "\n");
    saddle__output_entries(output, A, 0, " : ");
}
