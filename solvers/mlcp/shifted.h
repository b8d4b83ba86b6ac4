/* SPDX-License-Identifier: MIT */
/* A + diag(e) of a square matrix A of a problem, whose pattern may lack parts of the diagonal: for
 * proximal steps on the masses (mass.h). */
#ifndef SADDLE_SOLVERS_SHIFTED_H
#define SADDLE_SOLVERS_SHIFTED_H

#include "saddle/matrix.h"

typedef struct saddle__shifted {
    saddle_context *context;
    saddle_matrix A; /* size x size: A's pattern and the whole diagonal; symmetric where A is, or is
                        absent */
    int64_t *source; /* of A's entries: where in the problem's, -1 = nowhere */
} saddle__shifted;

/* A: size x size, or without arrays: zero. */
saddle_status saddle__shifted_create(saddle_context *context, const saddle_matrix *A, int64_t size,
                                     saddle__shifted *shifted);

/* shifted->A's values <- A + diag(e), e (size), A of the pattern of create. */
void saddle__shifted_set(saddle__shifted *shifted, const saddle_matrix *A, const double *e);

void saddle__shifted_clear(saddle__shifted *shifted); /* half-built ones are fine */

#endif
