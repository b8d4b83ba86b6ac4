/* SPDX-License-Identifier: MIT */
/* MATLAB files of level 5 (MathWorks, MAT-File Format), which Octave and SciPy read and write too:
 * real numbers in full and sparse arrays, and texts in one row.  A variable is
 *
 *     tag      4 bytes of type, 4 of size; data; zeros up to a multiple of 8 bytes
 *              (of at most 4 bytes of data: 2 bytes of type, 2 of size, the data)
 *     matrix   the elements flags, sizes, name, then numbers, of a sparse array behind row indices
 *              and column starts; or all of this as one compressed element
 *
 * Numbers may be stored in a smaller type than the array's. */
#ifndef SADDLE_FILES_MAT_H
#define SADDLE_FILES_MAT_H

#include "files/output.h"

enum { SADDLE__MAT_NAME_SIZE = 64 }; /* of a variable, with the end */

typedef struct saddle__mat_variable {
    char name[SADDLE__MAT_NAME_SIZE];
    int64_t rows, cols;
    int is_text;
    double *value;        /* full: rows x cols, by columns; of a text its characters; else NULL */
    saddle_matrix sparse; /* sparse; else empty */
} saddle__mat_variable;

typedef struct saddle__mat { /* all zero = empty */
    saddle_context *context;
    int64_t count, room;
    saddle__mat_variable *variable; /* complex, cell, struct and other arrays are left out */
} saddle__mat;

int saddle__mat_is(const char *bytes, int64_t length);

/* label: the file's name in messages.  *mat: cleared by the caller in any case. */
saddle_status saddle__mat_read(saddle_context *context, const char *bytes, int64_t length,
                               const char *label, saddle__mat *mat);
void saddle__mat_clear(saddle__mat *mat);

/* NULL = none. */
saddle__mat_variable *saddle__mat_find(const saddle__mat *mat, const char *name);

/* ---- writing ---- */

void saddle__mat_begin(saddle__output *output);

/* A full array by columns, value NULL = zeros; a sparse one with all its entries (no triangle); a
 * text of ASCII characters (others become ?).  SADDLE_NOT_EXPRESSIBLE: indices or bytes beyond 32
 * bits. */
saddle_status saddle__mat_put_full(saddle__output *output, const char *name, int64_t rows,
                                   int64_t cols, const double *value);
saddle_status saddle__mat_put_sparse(saddle__output *output, const char *name,
                                     const saddle_matrix *A);
saddle_status saddle__mat_put_text(saddle__output *output, const char *name, const char *text);

#endif
