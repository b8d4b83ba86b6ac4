/* SPDX-License-Identifier: MIT */
/* Both triangles of a matrix by columns, for methods that know of no symmetry: a symmetric matrix
 * is unfolded, a general one is copied. */
#ifndef SADDLE_LIB_UNFOLDED_H
#define SADDLE_LIB_UNFOLDED_H

#include "saddle/matrix.h"

typedef struct saddle__unfolded {
    int64_t cols;
    int64_t entries;
    int64_t *start;  /* cols + 1 */
    int64_t *index;  /* entries, ascending in each column */
    double *value;   /* entries, refreshed */
    int64_t *source; /* entries: where each comes from in the matrix */
} saddle__unfolded;

/* The pattern of A, with room for values.  SADDLE_OUT_OF_MEMORY: clear is to be called then too. */
saddle_status saddle__unfolded_create(saddle_context *context, const saddle_matrix *A,
                                      saddle__unfolded *unfolded);

/* A: the pattern created from, new values. */
void saddle__unfolded_refresh(saddle__unfolded *unfolded, const saddle_matrix *A);

/* half-built ones are fine */
void saddle__unfolded_clear(saddle_context *context, saddle__unfolded *unfolded);

#endif
