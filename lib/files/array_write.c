/* SPDX-License-Identifier: MIT */
/* A dense array as a Matrix Market array file; infinities are written inf and -inf. */
#include <math.h>

#include "files/pair_write.h"
#include "saddle/files.h"

/* Negative sizes, more numbers than 64 bits count, NaN: no reader would take them back. */
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

/* An array of no numbers is written as a coordinate file without entries: other readers
 * (scipy.io.mmread) take an array file that ends with its sizes for a truncated one. */
static void put_numbers(saddle__output *output, int64_t rows, int64_t cols, const double *value)
{
    const int empty = rows == 0 || cols == 0;
    saddle__output_text(output, empty ? "%%MatrixMarket matrix coordinate real general\n"
                                      : "%%MatrixMarket matrix array real general\n");
    saddle__output_integer(output, rows);
    saddle__output_text(output, " ");
    saddle__output_integer(output, cols);
    saddle__output_text(output, empty ? " 0\n" : "\n");
    for (int64_t k = 0; k < rows * cols; k++) {
        saddle__output_double(output, value[k]);
        saddle__output_text(output, "\n");
    }
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
