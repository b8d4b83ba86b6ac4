/* SPDX-License-Identifier: MIT */
/* Matrix Market: sparse matrices and dense arrays, read and written; arrays are read from plain
 * text with a number on each line too. */
#include "files/mtx.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/problem_file.h"
#include "saddle/files.h"

/* White space, and lines that begin with one of the marks. */
static void skip_comments(saddle__scan *scan, const char *marks)
{
    saddle__scan_skip_space(scan);
    while (scan->at < scan->end && *scan->at && strchr(marks, *scan->at)) {
        saddle__scan_skip_line(scan);
        saddle__scan_skip_space(scan);
    }
}

/* ---- banner and size line ---- */

/* The next word of the banner's line; *choice: the place in words. */
static saddle_status choose(saddle__scan *scan, const char *what, const char *const *words,
                            int count, int *choice)
{
    const char *word = "";
    int64_t length = 0;
    if (!saddle__scan_line_ends(scan)) saddle__scan_word(scan, &word, &length);
    for (*choice = 0; *choice < count; ++*choice)
        if (length == (int64_t)strlen(words[*choice]) &&
            strncasecmp(word, words[*choice], (size_t)length) == 0) /* in any case */
            return SADDLE_OK;
    if (length == 0)
        return saddle__scan_fail_at(scan, scan->begin, "the banner ends before the %s", what);
    int shown = length > 32 ? 32 : (int)length;
    return saddle__scan_fail_at(scan, scan->begin, "the %s '%.*s' is not known", what, shown, word);
}

static saddle_status scan_banner(saddle__scan *scan, saddle__mtx_header *header)
{
    static const char *const objects[] = {"matrix"};
    static const char *const formats[] = {"array", "coordinate"};
    static const char *const fields[] = {"real", "integer", "pattern", "double", "complex"};
    static const char *const shapes[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    if (!saddle__mtx_is(scan->begin, scan->end - scan->begin))
        return saddle__scan_fail_at(
            scan, scan->begin, "not a Matrix Market file: it does not begin with %%%%MatrixMarket");
    scan->at = scan->begin + strlen(SADDLE__MTX_BANNER);
    int object, field, shape;
    saddle_status status = choose(scan, "object", objects, 1, &object);
    if (status == SADDLE_OK) status = choose(scan, "format", formats, 2, &header->coordinate);
    if (status == SADDLE_OK) status = choose(scan, "field", fields, 5, &field);
    if (status == SADDLE_OK) status = choose(scan, "symmetry", shapes, 4, &shape);
    if (status != SADDLE_OK) return status;
    if (field == 4 || shape == 3)
        return saddle__scan_fail_at(scan, scan->begin,
                                    "%s matrices are not supported: only real ones",
                                    field == 4 ? fields[field] : shapes[shape]);
    header->field = field == 3 ? SADDLE__MTX_REAL : (saddle__mtx_field)field;
    header->shape = (saddle__mtx_shape)shape;
    if (header->field == SADDLE__MTX_PATTERN && !header->coordinate)
        return saddle__scan_fail_at(scan, scan->begin, "an array cannot be a pattern");
    if (header->field == SADDLE__MTX_PATTERN && header->shape == SADDLE__MTX_SKEW)
        return saddle__scan_fail_at(scan, scan->begin, "a pattern cannot be skew-symmetric");
    if (!saddle__scan_line_ends(scan))
        return saddle__scan_fail_at(scan, scan->begin, "the banner goes on after the symmetry");
    return SADDLE_OK;
}

/* Numbers of an array file: all, or the lower triangle with or without the diagonal. */
static saddle_status count_array(saddle__scan *scan, const char *place, saddle__mtx_header *header)
{
    int64_t rows = header->rows, cols = header->cols, all;
    if (__builtin_mul_overflow(rows, cols, &all))
        return saddle__scan_fail_at(scan, place, "%lld x %lld numbers are more than 64 bits count",
                                    (long long)rows, (long long)cols);
    header->entries = header->shape == SADDLE__MTX_GENERAL     ? all
                      : header->shape == SADDLE__MTX_SYMMETRIC ? rows + (all - rows) / 2
                                                               : (all - rows) / 2;
    return scan->status;
}

/* Fails unless the entries fit in the rest of the text: "1 1\n", "1 1 0\n", "0\n" are the shortest.
 */
static saddle_status expect(saddle__scan *scan, const char *place, const saddle__mtx_header *header)
{
    int64_t least = !header->coordinate ? 2 : header->field == SADDLE__MTX_PATTERN ? 4 : 6;
    int64_t bytes = scan->end - scan->at;
    if (header->entries <= (bytes + 1) / least) return scan->status;
    return saddle__scan_fail_at(scan, place,
                                "%lld entries are announced, but only %lld bytes follow",
                                (long long)header->entries, (long long)bytes);
}

saddle_status saddle__mtx_header_scan(saddle__scan *scan, saddle__mtx_header *header)
{
    memset(header, 0, sizeof *header);
    if (scan_banner(scan, header) != SADDLE_OK) return scan->status;
    skip_comments(scan, "%");
    const char *place = scan->at;
    header->rows = saddle__scan_size(scan, "number of rows");
    if (saddle__scan_line_ends(scan))
        return saddle__scan_fail_at(scan, place, "the size line ends after the rows");
    header->cols = saddle__scan_size(scan, "number of columns");
    if (header->coordinate && saddle__scan_line_ends(scan))
        return saddle__scan_fail_at(scan, place, "the size line ends before the number of entries");
    if (header->coordinate) header->entries = saddle__scan_size(scan, "number of entries");
    if (!saddle__scan_line_ends(scan))
        return saddle__scan_fail_at(scan, place, "the size line goes on after %s",
                                    header->coordinate ? "rows, columns, entries"
                                                       : "rows, columns");
    if (header->shape != SADDLE__MTX_GENERAL && header->rows != header->cols)
        return saddle__scan_fail_at(scan, place, "a symmetric matrix of %lld x %lld",
                                    (long long)header->rows, (long long)header->cols);
    if (!header->coordinate && count_array(scan, place, header) != SADDLE_OK) return scan->status;
    return expect(scan, place, header);
}

/* SADDLE_TOO_LARGE, before memory is allocated, where the header states more rows or columns than a
 * file of that many bytes makes plausible.  An empty row takes no byte of the file but eight of
 * memory, so rows and columns beyond SADDLE__MTX_FREE_SIZE need a byte of the file for each
 * SADDLE__MTX_SIZE_PER_BYTE.  The place is at the end of the size line. */
static saddle_status check_plausible(const saddle__scan *scan, const saddle__mtx_header *header,
                                     int64_t known)
{
    int64_t bytes = scan->end - scan->begin,
            most = known > SADDLE__MTX_FREE_SIZE ? known : SADDLE__MTX_FREE_SIZE;
    int64_t size = header->rows > header->cols ? header->rows : header->cols;
    if (size <= most || size / SADDLE__MTX_SIZE_PER_BYTE <= bytes) return SADDLE_OK;
    return saddle_fail(scan->context, SADDLE_TOO_LARGE,
                       "%s:%lld: %lld x %lld is too large for a file of %lld bytes: beyond %lld "
                       "rows or columns it needs "
                       "a byte for each %d of them",
                       scan->label, (long long)saddle__scan_line(scan, scan->at),
                       (long long)header->rows, (long long)header->cols, (long long)bytes,
                       (long long)most, SADDLE__MTX_SIZE_PER_BYTE);
}

/* SADDLE_OK when only white space and comments are left. */
static saddle_status scan_end(saddle__scan *scan, const saddle__mtx_header *header)
{
    saddle__scan_warn_of_cut(scan);
    skip_comments(scan, "%");
    if (scan->at == scan->end) return SADDLE_OK;
    return saddle__scan_fail(scan, "the file goes on after the %lld entries announced",
                             (long long)header->entries);
}

/* ---- entries ---- */

typedef struct reading {
    saddle__scan *scan;
    const saddle__mtx_header *header;
    int infinite;         /* values may be */
    const char *first;    /* the first entry's place */
    saddle__entries list; /* mirrored ones of a skew-symmetric matrix included */
} reading;

/* ---- one entry ---- */

/* A plain index 1..limit before a blank or a newline; 0, and nothing moved, for any other text. */
static inline int quick_index(const char **at, const char *end, int64_t limit, int64_t *index)
{
    const char *p = *at;
    int64_t i = 0;
    const char *stop = end - p > 18 ? p + 18 : end;
    for (; p < stop && *p >= '0' && *p <= '9'; p++) i = 10 * i + (*p - '0');
    if (p == end || (*p != ' ' && *p != '\n' && *p != '\t' && *p != '\r') || i < 1 || i > limit)
        return 0;
    *at = p;
    *index = i;
    return 1;
}

static int64_t scan_index(reading *r, const char *what, int64_t limit)
{
    int64_t index;
    if (quick_index(&r->scan->at, r->scan->end, limit, &index)) return index;
    return saddle__scan_range(r->scan, what, 1, limit);
}

/* One value: 1 for a pattern; integers must be exact as doubles. */
static double scan_value(saddle__scan *scan, saddle__mtx_field field, int infinite)
{
    if (field == SADDLE__MTX_REAL) return saddle__scan_double(scan, "value", infinite);
    if (field == SADDLE__MTX_PATTERN) return 1.0;
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    int64_t integer = saddle__scan_integer(scan, "value");
    int64_t bound = INT64_C(1) << 53;
    if (integer > bound || integer < -bound)
        (void)saddle__scan_fail_at(scan, place, "value: %lld is not exact as a double",
                                   (long long)integer);
    return (double)integer;
}

/* saddle__scan_line_ends, without a call for the commonest line */
static inline int line_ends(saddle__scan *scan)
{
    return (scan->at < scan->end && *scan->at == '\n') || saddle__scan_line_ends(scan);
}

static saddle_status fail_short_line(reading *r, const char *after)
{
    return saddle__scan_fail(r->scan, "the line ends after the %s index", after);
}

/* A line i j value, counted from 1. */
static saddle_status scan_entry(reading *r, int64_t *i, int64_t *j, double *value)
{
    saddle__scan *scan = r->scan;
    *i = scan_index(r, "row index", r->header->rows);
    if (scan->status != SADDLE_OK) return scan->status;
    if (line_ends(scan)) return fail_short_line(r, "row");
    *j = scan_index(r, "column index", r->header->cols);
    if (scan->status != SADDLE_OK) return scan->status;
    int ends = line_ends(scan);
    if (ends && r->header->field != SADDLE__MTX_PATTERN) return fail_short_line(r, "column");
    *value = scan_value(scan, r->header->field, r->infinite);
    if (scan->status == SADDLE_OK && !line_ends(scan))
        return saddle__scan_fail(scan, "the line goes on after entry (%lld, %lld)", (long long)*i,
                                 (long long)*j);
    return scan->status;
}

static saddle_status check_triangle(const reading *r, const char *place, int64_t i, int64_t j)
{
    int is_skew = r->header->shape == SADDLE__MTX_SKEW;
    if (r->header->shape == SADDLE__MTX_GENERAL || i > j || (i == j && !is_skew)) return SADDLE_OK;
    return saddle__scan_fail_at(r->scan, place, "entry (%lld, %lld) is %s matrix", (long long)i,
                                (long long)j,
                                is_skew ? "not below the diagonal of a skew-symmetric"
                                        : "above the diagonal of a symmetric");
}

static saddle_status scan_entries(reading *r)
{
    saddle__scan *scan = r->scan;
    for (int64_t k = 0; k < r->header->entries; k++) {
        if (scan->at < scan->end && *scan->at == '\n') scan->at++;
        if (scan->at == scan->end || *scan->at <= ' ' || *scan->at == '%') skip_comments(scan, "%");
        if (scan->at == scan->end)
            return saddle__scan_fail(scan,
                                     "%lld entries are announced, but the file ends after %lld",
                                     (long long)r->header->entries, (long long)k);
        int64_t i, j;
        double value;
        const char *place = scan->at;
        saddle_status status = scan_entry(r, &i, &j, &value);
        if (status == SADDLE_OK) status = check_triangle(r, place, i, j);
        if (status != SADDLE_OK) return status;
        saddle__entries_add(&r->list, i - 1, j - 1, value);
        if (r->header->shape == SADDLE__MTX_SKEW)
            saddle__entries_add(&r->list, j - 1, i - 1, -value);
    }
    return scan_end(scan, r->header);
}

/* Reads the entries again to name the two lines of (i, j), counted from 1. */
static saddle_status fail_duplicate(reading *r, int64_t i, int64_t j)
{
    saddle__scan *scan = r->scan;
    const char *earlier = NULL;
    scan->at = r->first;
    for (int64_t k = 0; k < r->header->entries; k++) {
        skip_comments(scan, "%");
        const char *place = scan->at;
        int64_t row, col;
        double value;
        if (scan_entry(r, &row, &col, &value) != SADDLE_OK) break;
        int same = (row == i && col == j) ||
                   (r->header->shape == SADDLE__MTX_SKEW && row == j && col == i);
        if (same && earlier)
            return saddle__scan_fail_at(scan, place,
                                        "entry (%lld, %lld) was given before, on line %lld",
                                        (long long)row, (long long)col,
                                        (long long)saddle__scan_line(scan, earlier));
        if (same) earlier = place;
    }
    return saddle__scan_fail_at(scan, r->first, "entry (%lld, %lld) is given twice", (long long)i,
                                (long long)j);
}

static saddle_status fail_memory(const saddle__scan *scan, const saddle__mtx_header *header)
{
    return saddle_fail(scan->context, SADDLE_OUT_OF_MEMORY,
                       "%s: no memory for a matrix of %lld x %lld with %lld entries", scan->label,
                       (long long)header->rows, (long long)header->cols,
                       (long long)header->entries);
}

/* The entries after a coordinate header. */
static saddle_status scan_coordinates(saddle__scan *scan, const saddle__mtx_header *header,
                                      int infinite, saddle_matrix *A)
{
    memset(A, 0, sizeof *A);
    saddle_context *context = scan->context;
    int64_t repeated = -1;
    reading r = {.scan = scan, .header = header, .infinite = infinite, .first = scan->at};
    saddle_status status = saddle__entries_reserve(context,
                                                   header->shape == SADDLE__MTX_SKEW
                                                       ? 2 * header->entries
                                                       : header->entries,
                                                   &r.list);
    if (status == SADDLE_OK) status = scan_entries(&r);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix(context, NULL, NULL, header->rows, header->cols, &r.list, A,
                                        &repeated);
    if (status == SADDLE_OK && repeated >= 0)
        status = fail_duplicate(&r, r.list.row[repeated] + 1, r.list.col[repeated] + 1);
    saddle__entries_clear(context, &r.list);
    if (status == SADDLE_OK && header->shape == SADDLE__MTX_SYMMETRIC)
        A->symmetry = SADDLE_SYMMETRY_LOWER;
    if (status != SADDLE_OK) saddle_matrix_clear(A);
    return status == SADDLE_OUT_OF_MEMORY || status == SADDLE_TOO_LARGE ? fail_memory(scan, header)
                                                                        : status;
}

/* ---- numbers of an array ---- */

static saddle_status allocate(const saddle__scan *scan, int64_t rows, int64_t cols, double **value)
{
    int64_t count;
    *value = __builtin_mul_overflow(rows, cols, &count)
                 ? NULL
                 : saddle_allocate(scan->context, count, sizeof **value);
    if (*value) return SADDLE_OK;
    return saddle_fail(scan->context, SADDLE_OUT_OF_MEMORY,
                       "%s: no memory for an array of %lld x %lld", scan->label, (long long)rows,
                       (long long)cols);
}

/* The numbers after an array header: *value[rows * cols] by columns, both triangles; the caller's
 * even after a failure. */
static saddle_status scan_array(saddle__scan *scan, const saddle__mtx_header *header, int infinite,
                                double **value)
{
    int64_t rows = header->rows, cols = header->cols, read = 0;
    saddle_status status = allocate(scan, rows, cols, value);
    for (int64_t j = 0; status == SADDLE_OK && rows > 0 && j < cols; j++) {
        int64_t first = header->shape == SADDLE__MTX_GENERAL ? 0
                        : header->shape == SADDLE__MTX_SKEW  ? j + 1
                                                             : j;
        for (int64_t i = first; status == SADDLE_OK && i < rows; i++, read++) {
            skip_comments(scan, "%");
            if (scan->at == scan->end) {
                status = saddle__scan_fail(
                    scan, "%lld numbers are announced, but the file ends after %lld",
                    (long long)header->entries, (long long)read);
                break;
            }
            double x = scan_value(scan, header->field, infinite);
            status = scan->status;
            (*value)[i + j * rows] = x;
            if (header->shape != SADDLE__MTX_GENERAL && i != j)
                (*value)[j + i * rows] = header->shape == SADDLE__MTX_SKEW ? -x : x;
        }
    }
    return status == SADDLE_OK ? scan_end(scan, header) : status;
}

/* ---- a file as a sparse matrix ---- */

/* An array file as a matrix with every entry stored; of a symmetric matrix the lower triangle. */
static saddle_status scan_array_matrix(saddle__scan *scan, const saddle__mtx_header *header,
                                       saddle_matrix *A)
{
    double *value = NULL;
    saddle_status status = scan_array(scan, header, 0, &value);
    int lower = header->shape == SADDLE__MTX_SYMMETRIC;
    int64_t rows = header->rows, cols = header->cols,
            entries = lower ? header->entries : rows * cols;
    if (status == SADDLE_OK)
        status = saddle_matrix_create(scan->context, rows, cols, entries,
                                      lower ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE, A);
    if (status == SADDLE_OUT_OF_MEMORY || status == SADDLE_TOO_LARGE)
        status = fail_memory(scan, header);
    int64_t k = 0;
    for (int64_t j = 0; status == SADDLE_OK && j < cols; j++) {
        for (int64_t i = lower ? j : 0; i < rows; i++, k++) {
            A->index[k] = i;
            A->value[k] = value[i + j * rows];
        }
        A->start[j + 1] = k;
    }
    saddle_release(scan->context, value);
    return status;
}

saddle_status saddle__mtx_body_scan(saddle__scan *scan, const saddle__mtx_header *header,
                                    int64_t known, saddle_matrix *A)
{
    memset(A, 0, sizeof *A);
    saddle_status status = check_plausible(scan, header, known);
    if (status != SADDLE_OK) return status;
    return header->coordinate ? scan_coordinates(scan, header, 0, A)
                              : scan_array_matrix(scan, header, A);
}

saddle_status saddle__mtx_scan(saddle__scan *scan, saddle_matrix *A)
{
    memset(A, 0, sizeof *A);
    saddle__mtx_header header;
    saddle_status status = saddle__mtx_header_scan(scan, &header);
    return status == SADDLE_OK ? saddle__mtx_body_scan(scan, &header, 0, A) : status;
}

saddle_status saddle_matrix_read(saddle_context *context, const char *path, saddle_matrix *A)
{
    if (A) memset(A, 0, sizeof *A);
    SADDLE__RETURN_UNLESS(context, path && A, "path or A is NULL");
    saddle__scan scan;
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK) status = saddle__mtx_scan(&scan, A);
    saddle__scan_close(&scan);
    return status;
}

/* ---- a file as a dense array ---- */

/* A full array takes eight bytes for each number absent from a coordinate file. */
static saddle_status plausible_array(const saddle__scan *scan, const saddle__mtx_header *header)
{
    int64_t bytes = scan->end - scan->begin, count;
    saddle_status status = check_plausible(scan, header, 0);
    if (status != SADDLE_OK) return status;
    if (!__builtin_mul_overflow(header->rows, header->cols, &count) &&
        (count <= SADDLE__MTX_FREE_SIZE || count / SADDLE__MTX_SIZE_PER_BYTE <= bytes))
        return SADDLE_OK;
    return saddle_fail(scan->context, SADDLE_TOO_LARGE,
                       "%s:%lld: an array of %lld x %lld is too large for a file of %lld bytes",
                       scan->label, (long long)saddle__scan_line(scan, scan->at),
                       (long long)header->rows, (long long)header->cols, (long long)bytes);
}

/* A coordinate file as a full array. */
static saddle_status spread(saddle__scan *scan, const saddle__mtx_header *header, int infinite,
                            double **value)
{
    saddle_matrix A = {0};
    saddle_status status = plausible_array(scan, header);
    if (status == SADDLE_OK) status = scan_coordinates(scan, header, infinite, &A);
    if (status == SADDLE_OK) status = allocate(scan, header->rows, header->cols, value);
    for (int64_t j = 0; status == SADDLE_OK && j < A.cols; j++)
        for (int64_t k = A.start[j]; k < A.start[j + 1]; k++) {
            (*value)[A.index[k] + j * A.rows] = A.value[k];
            if (A.symmetry == SADDLE_SYMMETRY_LOWER) (*value)[j + A.index[k] * A.rows] = A.value[k];
        }
    saddle_matrix_clear(&A);
    return status;
}

/* A number on each line; comments begin with % or #. */
static saddle_status scan_column(saddle__scan *scan, int infinite, int64_t *rows, double **value)
{
    int64_t room = saddle__scan_line(scan, scan->end), count = 0; /* no more numbers than lines */
    saddle_status status = allocate(scan, room, 1, value);
    for (skip_comments(scan, "%#"); status == SADDLE_OK && scan->at < scan->end;
         skip_comments(scan, "%#")) {
        (*value)[count++] = saddle__scan_double(scan, "value", infinite);
        if (scan->status == SADDLE_OK) saddle__scan_warn_of_cut(scan);
        if (!saddle__scan_line_ends(scan))
            (void)saddle__scan_fail(scan, "more than one number on the line");
        status = scan->status;
    }
    if (status == SADDLE_OK && count == 0)
        status = saddle__scan_fail(scan, "no number in the file");
    *rows = count;
    return status;
}

saddle_status saddle__array_scan(saddle__scan *scan, const char *what, int infinite, int64_t *rows,
                                 int64_t *cols, double **value)
{
    saddle__mtx_header header = {.cols = 1};
    int column = !saddle__mtx_is(scan->begin, scan->end - scan->begin);
    *value = NULL;
    saddle_status status = column ? scan_column(scan, infinite, &header.rows, value)
                                  : saddle__mtx_header_scan(scan, &header);
    if (status == SADDLE_OK &&
        ((*rows != -1 && header.rows != *rows) || (*cols != -1 && header.cols != *cols)))
        status = saddle_fail(scan->context, SADDLE_BAD_FILE,
                             "%s: %s%lld x %lld, but %lld x %lld is needed", scan->label, what,
                             (long long)header.rows, (long long)header.cols,
                             (long long)(*rows == -1 ? header.rows : *rows), (long long)*cols);
    if (status == SADDLE_OK && !column)
        status = (header.coordinate ? spread : scan_array)(scan, &header, infinite, value);
    if (status == SADDLE_OK) {
        *rows = header.rows;
        *cols = header.cols;
    } else {
        saddle_release(scan->context, *value);
        *value = NULL;
    }
    return status;
}

saddle_status saddle_array_read(saddle_context *context, const char *path, int infinite,
                                int64_t *rows, int64_t *cols, double **value)
{
    if (value) *value = NULL;
    SADDLE__RETURN_UNLESS(context, path && rows && cols && value,
                          "path, rows, cols or value is NULL");
    *rows = *cols = -1;
    saddle__scan scan;
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK) status = saddle__array_scan(&scan, "", infinite, rows, cols, value);
    if (status != SADDLE_OK) *rows = *cols = 0;
    saddle__scan_close(&scan);
    return status;
}

saddle_status saddle__source_array(saddle__source *source, const char *name, int infinite,
                                   int64_t *rows, int64_t *cols, double **value)
{
    saddle__scan scan;
    int present;
    *value = NULL;
    saddle_status status = saddle__source_open(source, name, &present, &scan);
    if (status == SADDLE_OK && present)
        status = saddle__array_scan(&scan, "", infinite, rows, cols, value);
    saddle__scan_close(&scan);
    return status;
}

/* ---- writing: matrices ---- */

/* A, or A' of a general A; of a symmetric matrix the lower triangle. */
static void put_matrix(saddle__output *output, const saddle_matrix *A, int transposed)
{
    int any = saddle_matrix_entries(A) > 0, symmetric = A->symmetry != SADDLE_SYMMETRY_NONE;
    int64_t count = 0;
    for (int64_t j = 0; any && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            count += !symmetric || A->index[k] >= j;
    saddle__output_text(output, "%%MatrixMarket matrix coordinate real ");
    saddle__output_text(output, symmetric ? "symmetric\n" : "general\n");
    saddle__output_integer(output, transposed ? A->cols : A->rows, " ");
    saddle__output_integer(output, transposed ? A->rows : A->cols, " ");
    saddle__output_integer(output, count, "\n");
    for (int64_t j = 0; any && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (symmetric && A->index[k] < j) continue;
            saddle__output_integer(output, (transposed ? j : A->index[k]) + 1, " ");
            saddle__output_integer(output, (transposed ? A->index[k] : j) + 1, " ");
            saddle__output_double(output, A->value[k], "\n");
        }
}

static void put_coordinates(saddle__output *output, const saddle_matrix *A)
{
    put_matrix(output, A, 0);
}

saddle_status saddle_matrix_write(saddle_context *context, const char *path, const saddle_matrix *A)
{
    SADDLE__RETURN_UNLESS(context, path && A, "path or A is NULL");
    saddle__output output;
    saddle_status status = saddle_matrix_check(context, A, path);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    put_coordinates(&output, A);
    return saddle__output_finish(&output, status);
}

saddle_status saddle__mtx_write_transposed(saddle_context *context, const char *path,
                                           const saddle_matrix *A)
{
    saddle__output output;
    saddle_status status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    put_matrix(&output, A, 1);
    return saddle__output_finish(&output, status);
}

/* ---- writing: arrays ---- */

/* Refuses negative sizes, more numbers than 64 bits count, and NaN, which no reader takes. */
static saddle_status check_array(saddle_context *context, const char *path, int64_t rows,
                                 int64_t cols, const double *value)
{
    int64_t count;
    if (rows < 0 || cols < 0 || __builtin_mul_overflow(rows, cols, &count))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: an array of %lld x %lld", path,
                           (long long)rows, (long long)cols);
    for (int64_t k = 0; k < count; k++)
        if (isnan(value[k]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s: row %lld, column %lld is not a number", path,
                               (long long)(k % rows) + 1, (long long)(k / rows) + 1);
    return SADDLE_OK;
}

/* An array without numbers is written as a coordinate file without entries: other readers
 * (scipy.io.mmread) take an array file that ends after the sizes for a truncated one. */
static void put_numbers(saddle__output *output, int64_t rows, int64_t cols, const double *value)
{
    const int empty = rows == 0 || cols == 0;
    saddle__output_text(output, empty ? "%%MatrixMarket matrix coordinate real general\n"
                                      : "%%MatrixMarket matrix array real general\n");
    saddle__output_integer(output, rows, " ");
    saddle__output_integer(output, cols, empty ? " 0\n" : "\n");
    for (int64_t k = 0; k < rows * cols; k++) saddle__output_double(output, value[k], "\n");
}

saddle_status saddle__system_write(saddle_context *context, const char *path,
                                   const saddle_matrix *matrix,
                                   void (*put)(saddle__output *output, const saddle_matrix *A),
                                   int64_t count, const double *rhs)
{
    saddle__pair pair;
    saddle_status status = saddle__pair_open(context, path, ".rhs", &pair);
    if (status != SADDLE_OK) return status;
    (put ? put : put_coordinates)(&pair.matrix, matrix);
    put_numbers(&pair.vector, count, 1, rhs);
    return saddle__pair_finish(&pair, status);
}

saddle_status saddle_array_write(saddle_context *context, const char *path, int64_t rows,
                                 int64_t cols, const double *value)
{
    SADDLE__RETURN_UNLESS(context, path && (value || rows <= 0 || cols <= 0),
                          "path or value is NULL");
    saddle__output output;
    saddle_status status = check_array(context, path, rows, cols, value);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    put_numbers(&output, rows, cols, value);
    return saddle__output_finish(&output, status);
}
