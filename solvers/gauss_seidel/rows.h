/* SPDX-License-Identifier: MIT */
/* The rows of a matrix that is held by columns: where each entry of a row lies in the matrix, so
 * that the values of a row are read or refreshed without searching.  A symmetric matrix, stored as
 * its lower triangle, is expanded. */
#ifndef SADDLE_GAUSS_SEIDEL_ROWS_H
#define SADDLE_GAUSS_SEIDEL_ROWS_H

#include "saddle/matrix.h"

typedef struct saddle__rows {
    int64_t *start;  /* count + 1 */
    int64_t *index;  /* start[count]; column of each entry, ascending */
    int64_t *source; /* start[count]; its position in value of the matrix */
} saddle__rows;

/* A: count rows, or 0 x 0 for one without entries.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__rows_make(saddle_context *context, const saddle_matrix *A, int64_t count,
                                saddle__rows *rows);

void saddle__rows_clear(saddle_context *context, saddle__rows *rows);

#endif
