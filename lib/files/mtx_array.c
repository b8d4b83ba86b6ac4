/* SPDX-License-Identifier: MIT */
/* Dense arrays: Matrix Market array files, coordinate files, and plain text with a number on each
 * line. */
#include <string.h>

#include "files/mtx.h"
#include "saddle/files.h"

static saddle_status fail_memory(const saddle__scan *scan, int64_t rows, int64_t cols)
{
    return saddle_fail(scan->context, SADDLE_OUT_OF_MEMORY,
                       "%s: no memory for an array of %lld x %lld", scan->label, (long long)rows,
                       (long long)cols);
}

static saddle_status allocate(const saddle__scan *scan, int64_t rows, int64_t cols, double **value)
{
    int64_t count;
    *value = __builtin_mul_overflow(rows, cols, &count)
                 ? NULL
                 : saddle_allocate(scan->context, count, sizeof **value);
    return *value ? SADDLE_OK : fail_memory(scan, rows, cols);
}

saddle_status saddle__mtx_array_scan(saddle__scan *scan, const saddle__mtx_header *header,
                                     saddle__scan_accept accept, double **value)
{
    int64_t rows = header->rows, cols = header->cols, read = 0;
    saddle_status status = allocate(scan, rows, cols, value);
    for (int64_t j = 0; status == SADDLE_OK && rows > 0 && j < cols; j++) {
        int64_t first = header->shape == SADDLE__MTX_GENERAL ? 0
                        : header->shape == SADDLE__MTX_SKEW  ? j + 1
                                                             : j;
        for (int64_t i = first; status == SADDLE_OK && i < rows; i++, read++) {
            saddle__scan_skip_comments(scan, '%');
            if (scan->at == scan->end) {
                status = saddle__scan_fail(
                    scan, "%lld numbers are announced, but the file ends after %lld",
                    (long long)header->entries, (long long)read);
                break;
            }
            double x = 0.0;
            status = saddle__mtx_value_scan(scan, header->field, accept, &x);
            (*value)[i + j * rows] = x;
            if (header->shape != SADDLE__MTX_GENERAL && i != j)
                (*value)[j + i * rows] = header->shape == SADDLE__MTX_SKEW ? -x : x;
        }
    }
    if (status == SADDLE_OK) status = saddle__mtx_end(scan, header);
    if (status != SADDLE_OK) {
        saddle_release(scan->context, *value);
        *value = NULL;
    }
    return status;
}

/* A full array takes eight bytes for each number absent from a coordinate file. */
static saddle_status plausible_array(const saddle__scan *scan, const saddle__mtx_header *header)
{
    int64_t bytes = scan->end - scan->begin, count;
    saddle_status status = saddle__mtx_plausible(scan, header, 0);
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
static saddle_status spread(saddle__scan *scan, const saddle__mtx_header *header,
                            saddle__scan_accept accept, double **value)
{
    saddle_matrix A = {0};
    saddle_status status = plausible_array(scan, header);
    if (status == SADDLE_OK) status = saddle__mtx_coordinate_scan(scan, header, accept, &A);
    if (status == SADDLE_OK) status = allocate(scan, header->rows, header->cols, value);
    for (int64_t j = 0; status == SADDLE_OK && j < A.cols; j++)
        for (int64_t k = A.start[j]; k < A.start[j + 1]; k++) {
            (*value)[A.index[k] + j * A.rows] = A.value[k];
            if (A.symmetry == SADDLE_SYMMETRIC) (*value)[j + A.index[k] * A.rows] = A.value[k];
        }
    saddle_matrix_clear(&A);
    return status;
}

static void skip_remarks(saddle__scan *scan)
{
    saddle__scan_skip_space(scan);
    while (scan->at < scan->end && (*scan->at == '%' || *scan->at == '#')) {
        saddle__scan_skip_line(scan);
        saddle__scan_skip_space(scan);
    }
}

/* A number on each line; comments begin with % or #. */
static saddle_status scan_column(saddle__scan *scan, saddle__scan_accept accept, int64_t *rows,
                                 double **value)
{
    int64_t room = saddle__scan_line(scan, scan->end), count = 0; /* no more numbers than lines */
    saddle_status status = allocate(scan, room, 1, value);
    for (skip_remarks(scan); status == SADDLE_OK && scan->at < scan->end; skip_remarks(scan)) {
        status = saddle__scan_double(scan, "value", accept, &(*value)[count++]);
        if (status == SADDLE_OK) saddle__scan_warn_of_cut(scan);
        if (status == SADDLE_OK && !saddle__scan_line_ends(scan))
            status = saddle__scan_fail(scan, "more than one number on the line");
    }
    if (status == SADDLE_OK && count == 0)
        status = saddle__scan_fail(scan, "no number in the file");
    *rows = count;
    return status;
}

saddle_status saddle__array_header_scan(saddle__scan *scan, saddle__mtx_header *header)
{
    if (saddle__mtx_is(scan->begin, scan->end - scan->begin))
        return saddle__mtx_header_scan(scan, header);
    *header = (saddle__mtx_header){.rows = -1, .cols = 1};
    return SADDLE_OK;
}

saddle_status saddle__array_body_scan(saddle__scan *scan, saddle__mtx_header *header,
                                      int allow_infinite, double **value)
{
    *value = NULL;
    saddle__scan_accept accept = allow_infinite ? SADDLE__ACCEPT_INFINITE : SADDLE__ACCEPT_FINITE;
    saddle_status status = header->rows == -1 ? scan_column(scan, accept, &header->rows, value)
                           : header->coordinate
                               ? spread(scan, header, accept, value)
                               : saddle__mtx_array_scan(scan, header, accept, value);
    if (status == SADDLE_OK) return status;
    saddle_release(scan->context, *value);
    *value = NULL;
    return status;
}

saddle_status saddle__array_scan(saddle__scan *scan, int allow_infinite, int64_t *rows,
                                 int64_t *cols, double **value)
{
    *rows = *cols = 0;
    *value = NULL;
    saddle__mtx_header header;
    saddle_status status = saddle__array_header_scan(scan, &header);
    if (status == SADDLE_OK) status = saddle__array_body_scan(scan, &header, allow_infinite, value);
    if (status != SADDLE_OK) return status;
    *rows = header.rows;
    *cols = header.cols;
    return status;
}

saddle_status saddle_array_read(saddle_context *context, const char *path, int allow_infinite,
                                int64_t *rows, int64_t *cols, double **value)
{
    saddle_context_clear_message(context);
    if (value) *value = NULL;
    if (!path || !rows || !cols || !value)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_array_read: path, rows, cols or value is NULL");
    *rows = *cols = 0;
    saddle__scan scan;
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK) status = saddle__array_scan(&scan, allow_infinite, rows, cols, value);
    saddle__scan_close(&scan);
    return status;
}

/* ---- in a folder ---- */

static saddle_status check_size(saddle__source *source, const char *name,
                                const saddle__mtx_header *header, int64_t rows, int64_t cols)
{
    if ((rows == -1 || header->rows == rows) && header->cols == cols) return SADDLE_OK;
    return saddle__source_fail(source, name, "%lld x %lld, but %lld x %lld is needed",
                               (long long)header->rows, (long long)header->cols,
                               (long long)(rows == -1 ? header->rows : rows), (long long)cols);
}

saddle_status saddle__source_array(saddle__source *source, const char *name, int allow_infinite,
                                   int64_t cols, int64_t *rows, double **value)
{
    saddle__scan scan;
    saddle__mtx_header header = {0};
    int present;
    saddle_status status = saddle__source_open(source, name, &present, &scan);
    if (status == SADDLE_OK && present) {
        status = saddle__array_header_scan(&scan, &header);
        if (status == SADDLE_OK && header.rows != -1)
            status = check_size(source, name, &header, *rows, cols);
        if (status == SADDLE_OK)
            status = saddle__array_body_scan(&scan, &header, allow_infinite, value);
        if (status == SADDLE_OK)
            status = check_size(source, name, &header, *rows, cols); /* a plain column's rows */
    }
    saddle__scan_close(&scan);
    if (status == SADDLE_OK && present) {
        *rows = header.rows;
    } else {
        saddle_release(source->context, *value);
        *value = NULL;
    }
    return status;
}
