/* SPDX-License-Identifier: MIT */
/* Matrices as Matrix Market coordinate files, arrays as array files. */
#include <math.h>

#include "files/mtx.h"
#include "saddle/files.h"

static void put_header(saddle__output *output, const char *symmetry, int64_t rows, int64_t cols,
                       int64_t entries)
{
    saddle__output_text(output, "%%MatrixMarket matrix coordinate real ");
    saddle__output_text(output, symmetry);
    saddle__output_text(output, "\n");
    saddle__output_integer(output, rows, " ");
    saddle__output_integer(output, cols, " ");
    saddle__output_integer(output, entries, "\n");
}

static void put_entry(saddle__output *output, int64_t i, int64_t j, double value)
{
    saddle__output_integer(output, i + 1, " ");
    saddle__output_integer(output, j + 1, " ");
    saddle__output_double(output, value, "\n");
}

/* Entries of the lower triangle; all entries of a general matrix. */
static int64_t count_written(const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    if (A->symmetry != SADDLE_SYMMETRIC_FULL || entries == 0) return entries;
    int64_t count = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) count += A->index[k] >= j;
    return count;
}

void saddle__put_coordinates(saddle__output *output, const saddle_matrix *A)
{
    int any = saddle_matrix_entries(A) > 0, symmetric = A->symmetry != SADDLE_GENERAL;
    put_header(output, symmetric ? "symmetric" : "general", A->rows, A->cols, count_written(A));
    for (int64_t j = 0; any && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (!symmetric || A->index[k] >= j) put_entry(output, A->index[k], j, A->value[k]);
}

saddle_status saddle_matrix_write(saddle_context *context, const char *path, const saddle_matrix *A)
{
    saddle_context_clear_message(context);
    if (!path || !A)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_write: path or A is NULL");
    saddle__output output;
    saddle_status status = saddle_matrix_check(context, A, path);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    saddle__put_coordinates(&output, A);
    return saddle__output_finish(&output, status);
}

saddle_status saddle__mtx_write_transposed(saddle_context *context, const char *path,
                                           const saddle_matrix *A)
{
    saddle__output output;
    saddle_status status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    int64_t entries = saddle_matrix_entries(A);
    put_header(&output, "general", A->cols, A->rows, entries);
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            put_entry(&output, j, A->index[k], A->value[k]);
    return saddle__output_finish(&output, status);
}

/* ---- arrays ---- */

/* Refuses negative sizes, more numbers than 64 bits count, and NaN, which no reader takes. */
static saddle_status check(saddle_context *context, const char *path, int64_t rows, int64_t cols,
                           const double *value)
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

void saddle__put_array(saddle__output *output, int64_t count, const double *vector)
{
    put_numbers(output, count, 1, vector);
}

saddle_status saddle_array_write(saddle_context *context, const char *path, int64_t rows,
                                 int64_t cols, const double *value)
{
    saddle_context_clear_message(context);
    if (!path || (!value && rows > 0 && cols > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_array_write: path or value is NULL");
    saddle__output output;
    saddle_status status = check(context, path, rows, cols, value);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    put_numbers(&output, rows, cols, value);
    return saddle__output_finish(&output, status);
}
