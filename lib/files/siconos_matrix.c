/* SPDX-License-Identifier: MIT */
/* Siconos matrices as text: dense, and sparse as CSparse prints it.  Sparse blocks are in
 * siconos_blocks.c.
 *
 *     storage rows cols
 *     0: rows cols, then the numbers column by column
 *     1: see siconos_blocks.c
 *     2: origin (1 triplet, 2 by columns, 3 by rows), a line "CSparse Version ...", then
 *        [triplet: ]m-by-n, nzmax: N nnz: N[, 1-norm: x]
 *        triplet  lines  i j : v                                              zero-based
 *        else     lines  col j : locations a to b   each followed by lines  i : v
 */
#include <string.h>

#include "files/siconos_text.h"

enum { ORIGIN_TRIPLETS = 1, ORIGIN_COLUMNS = 2, ORIGIN_ROWS = 3 };

/* ---- dense ---- */

static saddle_status read_dense(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                saddle_matrix *A)
{
    int64_t again[2];
    saddle_status status = saddle__scan_range(scan, "rows of a dense matrix, again", rows, rows,
                                              &again[0]);
    if (status == SADDLE_OK)
        status = saddle__scan_range(scan, "columns of a dense matrix, again", cols, cols,
                                    &again[1]);
    if (status != SADDLE_OK) return status;
    if (cols > 0 && rows > INT64_MAX / cols)
        return saddle__scan_fail(scan, "%s: %lld x %lld numbers are too many", name,
                                 (long long)rows, (long long)cols);
    double *value = NULL;
    status = saddle__numbers_read(scan, name, SADDLE__ACCEPT_FINITE, rows * cols,
                                  A ? &value : NULL);
    if (status == SADDLE_OK && A)
        status = saddle__matrix_from_dense(scan->context, rows, cols, 0, value, A);
    saddle_release(scan->context, value);
    return status;
}

/* ---- sparse ---- */

typedef struct entries {
    int64_t count;
    int64_t *row, *col; /* count each, NULL in a walk */
    double *value;
} entries;

static saddle_status entries_create(saddle__scan *scan, const char *name, int64_t count, int walk,
                                    entries *list)
{
    memset(list, 0, sizeof *list);
    list->count = count;
    /* an entry takes at least its index, a colon and its value */
    if (count > INT64_MAX / 3)
        return saddle__scan_fail(scan, "%s: %lld entries are too many", name, (long long)count);
    saddle_status status = saddle__numbers_expect(scan, name, 3 * count);
    if (status != SADDLE_OK || walk) return status;
    list->row = saddle_allocate(scan->context, count, sizeof *list->row);
    list->col = saddle_allocate(scan->context, count, sizeof *list->col);
    list->value = saddle_allocate(scan->context, count, sizeof *list->value);
    return list->row && list->col && list->value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void entries_clear(saddle_context *context, entries *list)
{
    saddle_release(context, list->row);
    saddle_release(context, list->col);
    saddle_release(context, list->value);
}

static void entries_set(entries *list, int64_t k, int64_t i, int64_t j, double value)
{
    if (!list->row) return;
    list->row[k] = i;
    list->col[k] = j;
    list->value[k] = value;
}

static saddle_status expect_word(saddle__scan *scan, const char *name, const char *word)
{
    if (saddle__scan_literal(scan, word)) return SADDLE_OK;
    return saddle__scan_fail(scan, "%s: '%s' expected", name, word);
}

/* [triplet:] m-by-n, nzmax: N nnz: N [, ...] */
static saddle_status read_print_header(saddle__scan *scan, const char *name, int64_t rows,
                                       int64_t cols, int64_t *entry_count)
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
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "nnz", entry_count);
    saddle__scan_skip_line(scan);
    return status;
}

static saddle_status read_triplets(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                   entries *list)
{
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < list->count; k++) {
        int64_t i = 0, j = 0;
        double value = 0;
        status = saddle__scan_range(scan, "row index", 0, rows - 1, &i);
        if (status == SADDLE_OK) status = saddle__scan_range(scan, "column index", 0, cols - 1, &j);
        if (status == SADDLE_OK) status = expect_word(scan, name, ":");
        if (status == SADDLE_OK)
            status = saddle__scan_double(scan, name, SADDLE__ACCEPT_FINITE, &value);
        if (status == SADDLE_OK) entries_set(list, k, i, j, value);
    }
    return status;
}

/* outer, inner: how many columns and rows, or rows and columns where the matrix is stored by
 * rows */
static saddle_status read_compressed(saddle__scan *scan, const char *name, int64_t outer,
                                     int64_t inner, int by_rows, entries *list)
{
    saddle_status status = SADDLE_OK;
    int64_t k = 0;
    for (int64_t j = 0; status == SADDLE_OK && j < outer; j++) {
        int64_t number, first = 0, last = -1;
        if (!saddle__scan_literal(scan, "col") && !saddle__scan_literal(scan, "row"))
            return saddle__scan_fail(scan, "%s: 'col %lld' expected", name, (long long)j);
        status = saddle__scan_range(scan, "column number", j, j, &number);
        if (status == SADDLE_OK) status = expect_word(scan, name, ":");
        if (status == SADDLE_OK) status = expect_word(scan, name, "locations");
        if (status == SADDLE_OK) status = saddle__scan_range(scan, "first location", k, k, &first);
        if (status == SADDLE_OK) status = expect_word(scan, name, "to");
        if (status == SADDLE_OK)
            status = saddle__scan_range(scan, "last location", k - 1, list->count - 1, &last);
        for (; status == SADDLE_OK && k <= last; k++) {
            int64_t i = 0;
            double value = 0;
            status = saddle__scan_range(scan, "index", 0, inner - 1, &i);
            if (status == SADDLE_OK) status = expect_word(scan, name, ":");
            if (status == SADDLE_OK)
                status = saddle__scan_double(scan, name, SADDLE__ACCEPT_FINITE, &value);
            if (status == SADDLE_OK) entries_set(list, k, by_rows ? j : i, by_rows ? i : j, value);
        }
    }
    if (status == SADDLE_OK && k != list->count)
        return saddle__scan_fail(scan, "%s: %lld entries, but nnz says %lld", name, (long long)k,
                                 (long long)list->count);
    return status;
}

static saddle_status read_sparse(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    int64_t origin = 0, count = 0;
    entries list = {0};
    saddle_status status = saddle__scan_range(scan, "origin of a sparse matrix", ORIGIN_TRIPLETS,
                                              ORIGIN_ROWS, &origin);
    if (status == SADDLE_OK) status = expect_word(scan, name, "CSparse");
    if (status != SADDLE_OK) return status;
    saddle__scan_skip_line(scan);
    status = read_print_header(scan, name, rows, cols, &count);
    if (status == SADDLE_OK) status = entries_create(scan, name, count, A == NULL, &list);
    if (status == SADDLE_OK && origin == ORIGIN_TRIPLETS)
        status = read_triplets(scan, name, rows, cols, &list);
    if (status == SADDLE_OK && origin == ORIGIN_COLUMNS)
        status = read_compressed(scan, name, cols, rows, 0, &list);
    if (status == SADDLE_OK && origin == ORIGIN_ROWS)
        status = read_compressed(scan, name, rows, cols, 1, &list);
    if (status == SADDLE_OK && A)
        status = saddle__matrix_from_entries(scan->context, scan->label, name, rows, cols, count,
                                             list.row, list.col, list.value, A);
    entries_clear(scan->context, &list);
    return status;
}

/* ---- any ---- */

static saddle_status read_blocks(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    int64_t size[2];
    const char *place = scan->at;
    saddle_status status = saddle__siconos_blocks_read(scan, name, &size[0], &size[1], A, NULL,
                                                       NULL);
    if (status != SADDLE_OK || (size[0] == rows && size[1] == cols)) return status;
    if (A) saddle_matrix_clear(A);
    return saddle__scan_fail_at(
        scan, place, "%s: the blocks sum to %lld x %lld, but its header says %lld x %lld", name,
        (long long)size[0], (long long)size[1], (long long)rows, (long long)cols);
}

saddle_status saddle__siconos_matrix_read(saddle__scan *scan, const char *name, int64_t *rows,
                                          int64_t *cols, saddle_matrix *A)
{
    int64_t storage = 0;
    saddle_status status = saddle__scan_range(scan, "storage of a matrix", 0, 2, &storage);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "rows of a matrix", rows);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "columns of a matrix", cols);
    if (status != SADDLE_OK) return status;
    /* entries, or the vectors after the matrix, take a byte for each row and column: a size beyond
     * that is a slip or a trap */
    int64_t most = saddle__scan_remaining(scan);
    if (*rows > most || *cols > most)
        return saddle__scan_fail(scan,
                                 "%s: %lld x %lld is too large for the %lld bytes that follow",
                                 name, (long long)*rows, (long long)*cols, (long long)most);
    if (storage == 0) return read_dense(scan, name, *rows, *cols, A);
    if (storage == 1) return read_blocks(scan, name, *rows, *cols, A);
    return read_sparse(scan, name, *rows, *cols, A);
}

/* Takes over M as the matrix of a bare system. */
static saddle_status take_bare(saddle__scan *scan, const char *place, saddle_problem *problem)
{
    saddle_matrix *M = &problem->M;
    if (M->rows != M->cols)
        return saddle__scan_fail_at(scan, place,
                                    "the matrix is %lld x %lld: a linear system needs a square one",
                                    (long long)M->rows, (long long)M->cols);
    problem->n = M->rows;
    return saddle__matrix_settle(scan->context, M);
}

saddle_status saddle__siconos_matrix_problem_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t rows, cols;
    const char *place = scan->at;
    saddle_status status = saddle__siconos_matrix_read(scan, "the matrix", &rows, &cols,
                                                       problem ? &problem->M : NULL);
    if (status == SADDLE_OK) status = saddle__problem_end(scan);
    return status == SADDLE_OK && problem ? take_bare(scan, place, problem) : status;
}

saddle_status saddle__siconos_blocks_problem_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t rows, cols;
    const char *place = scan->at;
    saddle_matrix *M = problem ? &problem->M : NULL;
    saddle_status status = saddle__siconos_blocks_read(scan, "the matrix", &rows, &cols, M, NULL,
                                                       NULL);
    if (status == SADDLE_OK) status = saddle__problem_end(scan);
    return status == SADDLE_OK && problem ? take_bare(scan, place, problem) : status;
}
