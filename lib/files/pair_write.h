/* SPDX-License-Identifier: MIT */
/* A matrix and the vector that belongs to it, in two files: both are complete before either gets
 * its name, and where the second cannot get it the first is what it was. */
#ifndef SADDLE_FILES_PAIR_WRITE_H
#define SADDLE_FILES_PAIR_WRITE_H

#include "files/output.h"
#include "saddle/matrix.h"

typedef struct saddle__pair {
    const saddle_matrix *matrix;
    int64_t count;        /* of the vector */
    const double *vector; /* count */
    void (*put_matrix)(saddle__output *output, const saddle_matrix *matrix);
    void (*put_vector)(saddle__output *output, int64_t count, const double *vector);
} saddle__pair;

/* The matrix to PATH, the vector to PATH with the mark (".rhs") before its extension. */
saddle_status saddle__pair_write(saddle_context *context, const char *path, const char *mark,
                                 const saddle__pair *pair);

/* As Matrix Market: an array of count x 1; a coordinate matrix. */
void saddle__put_array(saddle__output *output, int64_t count, const double *vector);
void saddle__put_coordinates(saddle__output *output, const saddle_matrix *matrix);

#endif
