/* SPDX-License-Identifier: MIT */
/* Matrices and vectors as Siconos' texts have them: see siconos_matrix.c for the layouts. */
#include "files/siconos_output.h"

saddle_status saddle__matrix_full(saddle_context *context, const saddle_matrix *A, int64_t rows,
                                  int64_t cols, saddle_matrix *full)
{
    if (A->rows == 0 && A->cols == 0)
        return saddle_matrix_create(context, rows, cols, 0, SADDLE_GENERAL, full);
    return saddle_matrix_expand(context, A, full);
}

void saddle__output_vector(saddle__output *output, double sign, const double *value, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        saddle__output_double(output, sign * (value ? value[k] : 0));
        saddle__output_text(output, k + 1 < count ? " " : "\n");
    }
}

static void output_sizes(saddle__output *output, int64_t storage, int64_t rows, int64_t cols)
{
    int64_t size[3] = {storage, rows, cols};
    for (int k = 0; k < 3; k++) {
        saddle__output_integer(output, size[k]);
        saddle__output_text(output, "\n");
    }
}

/* The numbers of column j, rows entries, zeros where nothing is stored. */
static void output_column(saddle__output *output, const saddle_matrix *A, int64_t j)
{
    int64_t k = A->start ? A->start[j] : 0, end = A->start ? A->start[j + 1] : 0;
    for (int64_t i = 0; i < A->rows; i++) {
        int stored = k < end && A->index[k] == i;
        saddle__output_double(output, stored ? A->value[k] : 0);
        saddle__output_text(output, i + 1 < A->rows ? " " : "\n");
        k += stored;
    }
}

saddle_status saddle__output_dense(saddle__output *output, const saddle_matrix *A, int by_rows)
{
    saddle_matrix turned = {0};
    if (by_rows) {
        saddle_status status = saddle_matrix_transpose(output->file.context, A, &turned);
        if (status != SADDLE_OK) return status;
        A = &turned;
    }
    for (int64_t j = 0; j < A->cols; j++) output_column(output, A, j);
    saddle_matrix_clear(&turned);
    return SADDLE_OK;
}

static void output_triplets(saddle__output *output, const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    saddle__output_text(output, "1\nCSparse Version 3.2.0\ntriplet: ");
    saddle__output_integer(output, A->rows);
    saddle__output_text(output, "-by-");
    saddle__output_integer(output, A->cols);
    saddle__output_text(output, ", nzmax: ");
    saddle__output_integer(output, entries);
    saddle__output_text(output, " nnz: ");
    saddle__output_integer(output, entries);
    saddle__output_text(output, "\n");
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            saddle__output_integer(output, A->index[k]);
            saddle__output_text(output, " ");
            saddle__output_integer(output, j);
            saddle__output_text(output, " : ");
            saddle__output_double(output, A->value[k]);
            saddle__output_text(output, "\n");
        }
}

void saddle__output_matrix(saddle__output *output, const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    int dense = entries > 0 && (double)entries >= 0.5 * (double)A->rows * (double)A->cols;
    for (int64_t k = 0; dense && k < entries; k++) dense = A->value[k] != 0;
    output_sizes(output, dense ? 0 : 2, A->rows, A->cols);
    if (!dense) {
        output_triplets(output, A);
        return;
    }
    saddle__output_integer(output, A->rows);
    saddle__output_text(output, " ");
    saddle__output_integer(output, A->cols);
    saddle__output_text(output, "\n");
    for (int64_t j = 0; j < A->cols; j++) output_column(output, A, j);
}
