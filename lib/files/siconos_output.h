/* SPDX-License-Identifier: MIT */
/* Matrices and vectors as Siconos' texts have them. */
#ifndef SADDLE_FILES_SICONOS_OUTPUT_H
#define SADDLE_FILES_SICONOS_OUTPUT_H

#include "files/output.h"
#include "saddle/matrix.h"

/* *full = A with every entry stored, rows x cols; a 0 x 0 A stands for zero. */
saddle_status saddle__matrix_full(saddle_context *context, const saddle_matrix *A, int64_t rows,
                                  int64_t cols, saddle_matrix *full);

/* With the header `storage rows cols`: dense where at least half of A is stored and none of it is
 * 0, else sparse triplets. A is general. */
void saddle__output_matrix(saddle__output *output, const saddle_matrix *A);

/* All rows * cols numbers, column by column or by rows, a row or column a line. */
saddle_status saddle__output_dense(saddle__output *output, const saddle_matrix *A, int by_rows);

/* sign * value[k] (0 where value is NULL), one line. */
void saddle__output_vector(saddle__output *output, double sign, const double *value, int64_t count);

#endif
