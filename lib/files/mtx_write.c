/* SPDX-License-Identifier: MIT */
/* A sparse matrix as a Matrix Market coordinate file; every number reads back bit for bit. */
#include "files/mtx.h"
#include "files/pair_write.h"
#include "saddle/files.h"

static void write_header(saddle__output *output, const char *symmetry, int64_t rows, int64_t cols,
                         int64_t entries)
{
    saddle__output_text(output, "%%MatrixMarket matrix coordinate real ");
    saddle__output_text(output, symmetry);
    saddle__output_text(output, "\n");
    saddle__output_integer(output, rows);
    saddle__output_text(output, " ");
    saddle__output_integer(output, cols);
    saddle__output_text(output, " ");
    saddle__output_integer(output, entries);
    saddle__output_text(output, "\n");
}

static void write_entry(saddle__output *output, int64_t i, int64_t j, double value)
{
    saddle__output_integer(output, i + 1);
    saddle__output_text(output, " ");
    saddle__output_integer(output, j + 1);
    saddle__output_text(output, " ");
    saddle__output_double(output, value);
    saddle__output_text(output, "\n");
}

/* Of a matrix whose triangles are both stored, those of the lower one. */
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
    int any = saddle_matrix_entries(A) > 0;
    int symmetric = A->symmetry != SADDLE_GENERAL; /* only the lower triangle is written */
    write_header(output, symmetric ? "symmetric" : "general", A->rows, A->cols, count_written(A));
    for (int64_t j = 0; any && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (!symmetric || A->index[k] >= j) write_entry(output, A->index[k], j, A->value[k]);
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
    write_header(&output, "general", A->cols, A->rows, entries);
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            write_entry(&output, j, A->index[k], A->value[k]);
    return saddle__output_finish(&output, status);
}
