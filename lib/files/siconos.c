/* SPDX-License-Identifier: MIT */
/* Siconos texts of complementarity problems, w = M z + q,
 * read with n = 0, R = M, b = -q, lambda = z:
 *
 *     LCP    n, M, q                        0 <= z _|_ w >= 0
 *     relay  n, M, q, lb, ub                -w in the normal cone of [lb, ub] at z
 *     MLCP   st1, st2 (which of the two layouts follow), n equality rows, m complementarity rows,
 *            st1: ends of the row blocks from 0 to n + m, a flag per block (1 = complementarity),
 *                 M, q; the rest is ignored
 *            st2: A (n x n), B (m x m), C (n x m), D (m x n), a, b by rows:
 *                 M = [A C; D B], q = (a, b)
 *
 * and of friction contact problems, rows normal, tangent(s) [, two of rolling] of each contact in
 * turn:
 *
 *     FC     dim, contacts, W, q, mu of each contact[, mu_r]            u = W r + q
 *            read with n = 0, R = W, b = -q
 *     GFC    dim, contacts, M, H (n x dim contacts), q, b, mu[, mu_r]   M v = q + H r,  u = H'v + b
 *            read with J' = H, f = q, b = -b
 *
 * dim is 2, 3 or, with rolling friction and mu_r, 5.  FC and GFC may end with one flag, 0 or 1.
 *
 * Generic mechanical problems, with n = 0, R = M, b = -q, lambda = z:
 *
 *     GMP    M in sparse blocks, q, then the type of each block row: 0 LCP, 2 equality, 4 contact
 * in space, followed by its mu
 *
 * A text with a matrix alone, with or without a header, is a bare linear system. */
#include "base/context_internal.h"
#include "files/problem_file.h"

#include <math.h>
#include <string.h>

#include "files/number.h"

/* ---- matrices ----
 *
 * Siconos matrices as text, read and written; all numbers are zero-based.
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

/* The first row or column of block k, with ends of the blocks. */
static int64_t block_begin(const int64_t *end, int64_t k)
{
    return k > 0 ? end[k - 1] : 0;
}

/* A new array of count integers in [0, hi]; ascending: none less than the one before. */
static int64_t *read_integers(saddle__scan *scan, const char *what, int64_t count, int64_t hi,
                              int ascending)
{
    (void)saddle__scan_expect(scan, what, count);
    int64_t *value = saddle__scan_allocate(scan, count, sizeof *value);
    for (int64_t k = 0; scan->status == SADDLE_OK && k < count; k++)
        value[k] = saddle__scan_range(scan, what, ascending ? block_begin(value, k) : 0, hi);
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
            int64_t height = B->row_end[r] - block_begin(B->row_end, r),
                    width = B->col_end[B->col[k]] - block_begin(B->col_end, B->col[k]);
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
    int64_t i0 = block_begin(B->row_end, r), j0 = block_begin(B->col_end, B->col[k]);
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

/* Sparse blocks alone, without the header.  block_end (NULL is fine): the end of each block row,
 * *block_count of them, the caller's to release. */
static saddle_status read_blocks_alone(saddle__scan *scan, const char *name, saddle_matrix *A,
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
        (void)take_entries(scan, name, block_begin(B.row_end, B.rows),
                           block_begin(B.col_end, B.cols), &list, A);
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
    saddle_status status = read_blocks_alone(scan, name, A, NULL, NULL);
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

/* A matrix with the header `storage rows cols`: 0 dense (zeros are not stored), 1 sparse blocks, 2
 * sparse (both keep explicit zeros).  name: "W", in messages.  A is the caller's to clear, even
 * after a failure. */
static saddle_status read_matrix(saddle__scan *scan, const char *name, saddle_matrix *A)
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

/* ---- problems ---- */

static saddle_status wrong_size(saddle__scan *scan, const char *name, const saddle_matrix *A,
                                const char *why)
{
    return saddle__scan_fail(scan, "%s is %lld x %lld, but %s", name, (long long)A->rows,
                             (long long)A->cols, why);
}

/* Only a remark may follow the problem, on a new line that begins with no number. */
static saddle_status read_end(saddle__scan *scan)
{
    if (scan->status != SADDLE_OK) return scan->status;
    int line_ended = saddle__scan_line_ends(scan);
    if (saddle__scan_at_end(scan)) return SADDLE_OK;
    if (saddle__scan_count(scan, 1, NULL) > 0)
        return saddle__scan_fail(scan, "a number after the end of the problem");
    /* a printed matrix is no remark: W q mu can be M and the beginning of a sparse H */
    if (line_ended && !saddle__scan_literal(scan, "CSparse")) return SADDLE_OK;
    return saddle__scan_fail(
        scan, "text after the end of the problem: a remark begins on a line of its own");
}

/* ---- LCP, relay ---- */

/* n, M, q into the problem */
static saddle_status read_lcp_head(saddle__scan *scan, saddle_problem *problem)
{
    int64_t n = saddle__scan_size(scan, "size of the problem");
    (void)saddle__scan_expect(scan, "q", n);
    (void)read_matrix(scan, "M", &problem->R);
    if (problem->R.rows != n || problem->R.cols != n)
        return saddle__scan_fail(scan, "M is %lld x %lld, but the problem has %lld rows",
                                 (long long)problem->R.rows, (long long)problem->R.cols,
                                 (long long)n);
    problem->b = saddle__scan_array(scan, "q", 0, n);
    return saddle__problem_set_delassus(scan, problem);
}

static saddle_status read_lcp(saddle__scan *scan, saddle_problem *problem)
{
    (void)read_lcp_head(scan, problem);
    (void)read_end(scan);
    return saddle__problem_bound_all(scan, problem, 0, INFINITY);
}

static saddle_status read_relay(saddle__scan *scan, saddle_problem *problem)
{
    (void)read_lcp_head(scan, problem);
    problem->lo = saddle__scan_array(scan, "lb", 1, problem->m);
    problem->hi = saddle__scan_array(scan, "ub", 1, problem->m);
    return read_end(scan);
}

/* ---- MLCP ---- */

/* lo[n + m]: 0 in a complementarity block, -inf in an equality block. */
static saddle_status read_row_blocks(saddle__scan *scan, int64_t n, int64_t m, double *lo)
{
    int64_t end = 0, blocks = 0, complementary = 0;
    (void)saddle__scan_range(scan, "beginning of the first row block", 0, 0);
    saddle__scan ends = *scan; /* the ends are read again beside the flags */
    for (; scan->status == SADDLE_OK && end < n + m; blocks++)
        end = saddle__scan_range(scan, "end of a row block", end + 1, n + m);
    for (int64_t k = 0, i = 0; scan->status == SADDLE_OK && k < blocks; k++) {
        end = saddle__scan_integer(&ends, "end of a row block");
        int64_t flag = saddle__scan_range(scan, "flag of a row block", 0, 1);
        complementary += flag ? end - i : 0;
        for (; i < end; i++) lo[i] = flag ? 0 : -INFINITY;
    }
    if (scan->status == SADDLE_OK && complementary != m)
        return saddle__scan_fail(scan,
                                 "the row blocks have %lld complementarity rows, but m is %lld",
                                 (long long)complementary, (long long)m);
    return scan->status;
}

static saddle_status read_mlcp_blocks(saddle__scan *scan, int64_t n, int64_t m,
                                      saddle_problem *problem)
{
    saddle_matrix *M = &problem->R;
    (void)read_row_blocks(scan, n, m, problem->lo);
    const char *place = scan->at;
    (void)read_matrix(scan, "M", M);
    problem->b = saddle__scan_array(scan, "q", 0, M->rows);
    if (M->rows != n + m || M->cols != n + m)
        return saddle__scan_fail_at(
            scan, place, "M is %lld x %lld, but n + m is %lld: a mixed LCP needs a square matrix",
            (long long)M->rows, (long long)M->cols, (long long)(n + m));
    return scan->status;
}

static saddle_status read_mlcp_parts(saddle__scan *scan, int64_t n, int64_t m,
                                     saddle_problem *problem)
{
    const struct {
        const char *name;
        int64_t rows, cols, i0, j0; /* sizes, and where in M */
    } part[] = {{"A", n, n, 0, 0}, {"B", m, m, n, n}, {"C", n, m, 0, n}, {"D", m, n, n, 0}};
    int64_t size = n + m;
    if (size > INT32_MAX) return saddle__scan_fail(scan, "%lld rows are too many", (long long)size);
    (void)saddle__scan_expect(scan, "A, B, C, D, a, b", size * size + size);
    double *M = saddle__scan_allocate(scan, size * size, sizeof *M); /* by rows */
    for (int p = 0; p < 4; p++)
        for (int64_t i = 0; scan->status == SADDLE_OK && i < part[p].rows; i++)
            (void)saddle__scan_doubles(scan, part[p].name, 0, part[p].cols,
                                       M + (part[p].i0 + i) * size + part[p].j0);
    if (scan->status == SADDLE_OK)
        scan->status = saddle__matrix_from_dense(scan->context, size, size, 1, M, &problem->R);
    saddle_release(scan->context, M);
    for (int64_t i = 0; i < size; i++) problem->lo[i] = i < n ? -INFINITY : 0;
    problem->b = saddle__scan_array(scan, "a, b", 0, size);
    return scan->status;
}

static saddle_status read_mlcp(saddle__scan *scan, saddle_problem *problem)
{
    int64_t blocks = saddle__scan_range(scan, "flag of the block layout", 0, 1);
    (void)saddle__scan_range(scan, "flag of the A, B, C, D layout", 1 - blocks, 1);
    int64_t n = saddle__scan_size(scan, "number of equality rows");
    int64_t m = saddle__scan_range(scan, "number of complementarity rows", 0, INT64_MAX - n);
    (void)saddle__scan_expect(scan, "q", n + m);
    problem->lo = saddle__scan_allocate(scan, n + m, sizeof *problem->lo); /* hi = +inf */
    if (scan->status != SADDLE_OK) return scan->status;
    (void)(blocks ? read_mlcp_blocks : read_mlcp_parts)(scan, n, m, problem);
    return saddle__problem_set_delassus(scan, problem);
}

static saddle_status put_lcp(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    saddle__output_integer(output, problem->m, "\n");
    saddle__siconos_put_matrix(output, &full->R);
    saddle__output_vector(output, -1, problem->b, problem->m);
    return SADDLE_OK;
}

static saddle_status put_relay(saddle__output *output, const saddle_problem *problem,
                               const saddle__full_parts *full)
{
    (void)put_lcp(output, problem, full);
    saddle__put_bounds(output, problem);
    return SADDLE_OK;
}

/* The ends of the runs of rows of a kind, from 0 on; then a flag for each run, 1 = complementarity.
 */
static void put_row_blocks(saddle__output *output, const saddle_problem *problem)
{
    saddle__output_text(output, "0");
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < problem->m; i++) {
            saddle_row_kind kind = saddle_problem_bound_kind(problem, i);
            if (i + 1 < problem->m && saddle_problem_bound_kind(problem, i + 1) == kind) continue;
            saddle__output_text(output, " ");
            saddle__output_integer(output, pass == 0 ? i + 1 : kind == SADDLE_ROW_UNILATERAL, "");
        }
        saddle__output_text(output, "\n");
    }
}

static saddle_status put_mlcp(saddle__output *output, const saddle_problem *problem,
                              const saddle__full_parts *full)
{
    saddle_row_counts counts = saddle_problem_count_rows(problem);
    saddle__output_text(output, "1\n0\n");
    saddle__output_integer(output, counts.equality, "\n");
    saddle__output_integer(output, counts.unilateral, "\n");
    put_row_blocks(output, problem);
    saddle__siconos_put_matrix(output, &full->R);
    saddle__output_vector(output, -1, problem->b, problem->m);
    return SADDLE_OK;
}

/* ---- FC, GFC ---- */

typedef struct contact_head {
    int64_t dim, count, rows; /* rows = dim * count */
} contact_head;

static contact_head read_contact_head(saddle__scan *scan)
{
    contact_head head = {
        .dim = saddle__scan_range(scan, "dimension of the contacts", 2, SADDLE__ROLLING_SIZE)};
    if (head.dim == 4)
        (void)saddle__scan_fail(scan, "dimension of the contacts: 2, 3 or 5 expected");
    head.count = saddle__scan_size(scan, "number of contacts");
    if (saddle__scan_expect(scan, "mu", head.count) == SADDLE_OK) head.rows = head.dim * head.count;
    return head;
}

/* mu (and mu_r of rolling friction), an optional flag, the end. */
static saddle_status read_contact_tail(saddle__scan *scan, const contact_head *head,
                                       saddle_problem *problem)
{
    int is_rolling = head->dim == SADDLE__ROLLING_SIZE;
    double *mu = saddle__scan_array(scan, "mu", 0, head->count);
    double *rolling = is_rolling ? saddle__scan_array(scan, "mu_r", 0, head->count) : NULL;
    if (saddle__scan_count(scan, 1, NULL) > 0)
        (void)saddle__scan_range(scan, "flag at the end", 0, 1);
    if (read_end(scan) == SADDLE_OK)
        scan->status = saddle__problem_contacts(scan->context, problem, head->dim, head->count, mu,
                                                rolling);
    saddle__release_all(scan->context, mu, rolling);
    return scan->status;
}

static saddle_status read_fc(saddle__scan *scan, saddle_problem *problem)
{
    contact_head head = read_contact_head(scan);
    saddle_matrix *W = &problem->R;
    (void)read_matrix(scan, "W", W);
    if (W->rows != head.rows || W->cols != head.rows)
        return wrong_size(scan, "W", W, "it needs a row and a column for each row of the contacts");
    problem->b = saddle__scan_array(scan, "q", 0, W->rows);
    (void)saddle__problem_set_delassus(scan, problem);
    return read_contact_tail(scan, &head, problem);
}

static saddle_status read_gfc(saddle__scan *scan, saddle_problem *problem)
{
    contact_head head = read_contact_head(scan);
    saddle_matrix *M = &problem->M, *H = &problem->Jt;
    (void)read_matrix(scan, "M", M);
    if (M->rows != M->cols) return wrong_size(scan, "M", M, "it must be square");
    (void)read_matrix(scan, "H", H);
    if (H->rows != M->rows || H->cols != head.rows)
        return wrong_size(scan, "H", H,
                          "it needs a row for each of M and a column for each row of the contacts");
    problem->f = saddle__scan_array(scan, "q", 0, M->rows);
    problem->b = saddle__scan_array(scan, "b", 0, head.rows);
    if (read_contact_tail(scan, &head, problem) != SADDLE_OK) return scan->status;
    problem->n = M->rows;
    problem->m = head.rows;
    for (int64_t i = 0; i < head.rows; i++) problem->b[i] = -problem->b[i];
    return saddle__matrix_settle(scan->context, M);
}

/* mu of all contacts, then mu_r of those of 5 rows. */
static void put_friction(saddle__output *output, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    int is_rolling = count > 0 && problem->contacts[0].size == SADDLE__ROLLING_SIZE;
    for (int part = 0; part <= is_rolling; part++)
        for (int64_t c = 0; c < count; c++) {
            const saddle_contact *contact = &problem->contacts[c];
            saddle__output_double(output, part ? contact->mu_rolling : contact->mu,
                                  c + 1 < count ? " " : "\n");
        }
}

static void put_contact_head(saddle__output *output, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    saddle__output_integer(output, count > 0 ? problem->contacts[0].size : 3, "\n");
    saddle__output_integer(output, count, "\n");
}

static saddle_status put_fc(saddle__output *output, const saddle_problem *problem,
                            const saddle__full_parts *full)
{
    put_contact_head(output, problem);
    saddle__siconos_put_matrix(output, &full->R);
    saddle__output_vector(output, -1, problem->b, problem->m);
    put_friction(output, problem);
    return SADDLE_OK;
}

static saddle_status put_gfc(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    put_contact_head(output, problem);
    saddle__siconos_put_matrix(output, &full->M);
    saddle__siconos_put_matrix(output, &full->Jt);
    saddle__output_vector(output, 1, problem->f, problem->n);
    saddle__output_vector(output, -1, problem->b, problem->m);
    put_friction(output, problem);
    return SADDLE_OK;
}

/* ---- GMP ---- */

enum block_type { BLOCK_LCP = 0, BLOCK_EQUALITY = 2, BLOCK_CONTACT = 4 };

/* The type of block row k, rows [from, to), into the problem. */
static saddle_status read_block_type(saddle__scan *scan, int64_t k, int64_t from, int64_t to,
                                     saddle_problem *problem)
{
    int64_t type = saddle__scan_integer(scan, "type of a block row");
    if (type != BLOCK_LCP && type != BLOCK_EQUALITY && type != BLOCK_CONTACT)
        return saddle__scan_fail(scan,
                                 "block row %lld has type %lld: 0 (LCP), 2 (equality) and 4 "
                                 "(contact in space) are known",
                                 (long long)k + 1, (long long)type);
    if (type == BLOCK_CONTACT && to - from != 3)
        return saddle__scan_fail(scan, "block row %lld is a contact in space of %lld rows, not 3",
                                 (long long)k + 1, (long long)(to - from));
    if (type == BLOCK_CONTACT)
        problem->contacts[problem->contact_count++] = (saddle_contact){
            .row = from, .size = 3, .mu = saddle__scan_double(scan, "mu", 0)};
    for (int64_t i = from; type == BLOCK_LCP && i < to; i++) problem->lo[i] = 0;
    return scan->status;
}

static void read_block_types(saddle__scan *scan, const int64_t *block_end, int64_t blocks,
                             saddle_problem *problem)
{
    (void)saddle__scan_expect(scan, "types of the block rows", blocks);
    (void)saddle__problem_bound_all(scan, problem, -INFINITY, INFINITY);
    problem->contacts = saddle__scan_allocate(scan, blocks, sizeof *problem->contacts);
    for (int64_t k = 0; scan->status == SADDLE_OK && k < blocks; k++)
        (void)read_block_type(scan, k, block_begin(block_end, k), block_end[k], problem);
}

static saddle_status read_gmp(saddle__scan *scan, saddle_problem *problem)
{
    int64_t *block_end = NULL, blocks = 0;
    saddle_matrix *M = &problem->R;
    (void)saddle__scan_range(scan, "storage of M (1, sparse blocks)", 1, 1);
    int64_t size = saddle__scan_size(scan, "rows of M");
    (void)saddle__scan_range(scan, "columns of M", size, size);
    (void)saddle__scan_expect(scan, "q", size);
    (void)read_blocks_alone(scan, "M", M, &block_end, &blocks);
    if (M->rows != size || M->cols != size)
        (void)saddle__scan_fail(scan, "M is %lld x %lld, but its header says otherwise",
                                (long long)M->rows, (long long)M->cols);
    problem->b = saddle__scan_array(scan, "q", 0, size);
    (void)saddle__problem_set_delassus(scan, problem);
    read_block_types(scan, block_end, blocks, problem);
    saddle_release(scan->context, block_end);
    return read_end(scan);
}

/* ---- GMP, written with a block row for each contact and for each other row ---- */

typedef struct partition {
    int64_t count;        /* blocks on a side */
    int64_t *end;         /* count: the row after each block */
    saddle_matrix blocks; /* count x count, an entry for each with entries of R: row = block column,
                             column = block row */
} partition;

static saddle_status partition_create(saddle_context *context, const saddle_problem *problem,
                                      const saddle_matrix *R, partition *P)
{
    int64_t m = problem->m, c = 0;
    saddle__entries list = {0};
    int64_t *block = saddle_allocate(context, m, sizeof *block); /* of each row */
    P->end = saddle_allocate(context, m, sizeof *P->end);
    saddle_status status = block && P->end
                               ? saddle__entries_reserve(context, saddle_matrix_entries(R), &list)
                               : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < m;) {
        int contact = c < problem->contact_count && problem->contacts[c].row == i;
        int64_t end = i + (contact ? problem->contacts[c++].size : 1);
        for (; i < end; i++) block[i] = P->count;
        P->end[P->count++] = end;
    }
    for (int64_t j = 0; status == SADDLE_OK && j < m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++)
            saddle__entries_add(&list, block[j], block[R->index[k]], 1);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, P->count, P->count, list.count, list.row,
                                             list.col, list.value, SADDLE_GENERAL, &P->blocks);
    saddle__entries_clear(context, &list);
    saddle_release(context, block);
    return status;
}

static void put_structure(saddle__output *output, const partition *P)
{
    int64_t count = saddle_matrix_entries(&P->blocks);
    saddle__output_integer(output, count, "\n");
    saddle__output_integer(output, P->count, "\n");
    saddle__output_integer(output, P->count, "\n");
    for (int side = 0; side < 2; side++)
        for (int64_t b = 0; b < P->count; b++)
            saddle__output_integer(output, P->end[b], b + 1 < P->count ? " " : "\n");
    saddle__output_integer(output, P->count + 1, "\n");
    saddle__output_integer(output, count, "\n");
    for (int64_t r = 0; r <= P->count; r++)
        saddle__output_integer(output, P->blocks.start[r], r < P->count ? " " : "\n");
    for (int64_t k = 0; k < count; k++) saddle__output_integer(output, P->blocks.index[k], " ");
    saddle__output_text(output, "\n");
}

/* A block is written whole: zeros inside a contact's blocks become stored entries. */
static void put_blocks(saddle__output *output, const partition *P, const saddle_matrix *R)
{
    for (int64_t r = 0; r < P->count; r++)
        for (int64_t k = P->blocks.start[r]; k < P->blocks.start[r + 1]; k++) {
            int64_t b = P->blocks.index[k];
            saddle__output_integer(output, k, "\n");
            for (int64_t j = block_begin(P->end, b); j < P->end[b]; j++)
                for (int64_t i = block_begin(P->end, r); i < P->end[r]; i++)
                    saddle__output_double(output, saddle_matrix_entry(R, i, j), "\n");
        }
}

/* The type of each block row, and mu of a contact. */
static void put_types(saddle__output *output, const saddle_problem *problem)
{
    int64_t c = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        int equality = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            saddle__output_text(output, "4\n");
            saddle__output_double(output, problem->contacts[c].mu, "\n");
            i += problem->contacts[c++].size - 1;
        } else {
            saddle__output_text(output, equality ? "2\n" : "0\n");
        }
    }
}

static saddle_status put_gmp(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    partition P = {0};
    saddle_status status = partition_create(output->context, problem, &full->R, &P);
    if (status == SADDLE_OK) {
        saddle__output_text(output, "1\n");
        saddle__output_integer(output, problem->m, "\n");
        saddle__output_integer(output, problem->m, "\n");
        put_structure(output, &P);
        put_blocks(output, &P, &full->R);
        saddle__output_vector(output, -1, problem->b, problem->m);
        put_types(output, problem);
    }
    saddle_release(output->context, P.end);
    saddle_matrix_clear(&P.blocks);
    return status;
}

/* ---- a matrix alone ---- */

/* M becomes the matrix of a bare system. */
static saddle_status end_bare(saddle__scan *scan, saddle_problem *problem)
{
    saddle_matrix *M = &problem->M;
    if (read_end(scan) != SADDLE_OK) return scan->status;
    if (M->rows != M->cols)
        return saddle__scan_fail_at(scan, scan->begin,
                                    "the matrix is %lld x %lld: a linear system needs a square one",
                                    (long long)M->rows, (long long)M->cols);
    problem->n = M->rows;
    return saddle__matrix_settle(scan->context, M);
}

static saddle_status read_bare(saddle__scan *scan, saddle_problem *problem)
{
    (void)read_matrix(scan, "the matrix", &problem->M);
    return end_bare(scan, problem);
}

static saddle_status read_bare_blocks(saddle__scan *scan, saddle_problem *problem)
{
    (void)read_blocks_alone(scan, "the matrix", &problem->M, NULL, NULL);
    return end_bare(scan, problem);
}

const saddle__text_format saddle__siconos_formats[] = {
    {SADDLE_FORMAT_SICONOS_LCP, read_lcp, put_lcp, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_POSITIVE,
     SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_SICONOS_RELAY, read_relay, put_relay, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_BOX,
     SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_SICONOS_MLCP, read_mlcp, put_mlcp, SADDLE__TAKES_NO_RHS,
     SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE, SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_SICONOS_FC, read_fc, put_fc, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_CONTACTS,
     SADDLE__NO_VELOCITIES | SADDLE__CONTACTS_FIRST},
    {SADDLE_FORMAT_SICONOS_GFC, read_gfc, put_gfc, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_CONTACTS,
     SADDLE__NO_COMPLIANCE | SADDLE__CONTACTS_FIRST},
    {SADDLE_FORMAT_SICONOS_GMP, read_gmp, put_gmp, SADDLE__TAKES_NO_RHS,
     SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE | SADDLE__HOLDS_CONTACTS,
     SADDLE__NO_VELOCITIES | SADDLE__CONTACTS_IN_SPACE},
    {SADDLE_FORMAT_SICONOS_MATRIX, read_bare, NULL, 0, SADDLE__HOLDS_ANY, 0},
    {SADDLE_FORMAT_SICONOS_MATRIX, read_bare_blocks, NULL, 0, SADDLE__HOLDS_ANY, 0},
    {.format = SADDLE_FORMAT_AUTO},
};
