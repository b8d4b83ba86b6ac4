/* SPDX-License-Identifier: MIT */
/* Matrix Market text (R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market exchange formats,
 * NISTIR 5935, 1996).
 *
 *     %%MatrixMarket matrix FORMAT FIELD SYMMETRY        in any case
 *         FORMAT coordinate, array;  FIELD real, double, integer, pattern;
 *         SYMMETRY general, symmetric, skew-symmetric
 *     % comments and blank lines
 *     coordinate:  rows cols entries, then entries lines i j value, one-based
 *     array:       rows cols, then rows * cols values column by column;
 *                  only the lower triangle where SYMMETRY is not general */
#ifndef SADDLE_FILES_MTX_H
#define SADDLE_FILES_MTX_H

#include <strings.h>

#include "files/output.h"
#include "files/scan.h"
#include "saddle/matrix.h"

typedef enum saddle__mtx_field {
    SADDLE__MTX_REAL,
    SADDLE__MTX_INTEGER,
    SADDLE__MTX_PATTERN
} saddle__mtx_field;
typedef enum saddle__mtx_shape {
    SADDLE__MTX_GENERAL,
    SADDLE__MTX_SYMMETRIC,
    SADDLE__MTX_SKEW
} saddle__mtx_shape;

typedef struct saddle__mtx_header {
    int coordinate; /* 1: i j value lines, 0: array */
    saddle__mtx_field field;
    saddle__mtx_shape shape;
    int64_t rows, cols;
    int64_t entries; /* numbers (coordinate: lines) to come */
} saddle__mtx_header;

#define SADDLE__MTX_BANNER "%%matrixmarket"

/* 1 when the text begins with %%MatrixMarket. */
static inline int saddle__mtx_is(const char *text, int64_t length)
{
    const size_t size = sizeof SADDLE__MTX_BANNER - 1;
    return length >= (int64_t)size && strncasecmp(text, SADDLE__MTX_BANNER, size) == 0;
}

/* Reads the banner and the sizes, up to the first entry.  More entries than the text can hold are
 * an error. */
saddle_status saddle__mtx_header_scan(saddle__scan *scan, saddle__mtx_header *header);

/* Rows and columns that a file of a few bytes may state; a larger size needs a byte of the file for
 * each SADDLE__MTX_SIZE_PER_BYTE, else SADDLE_TOO_LARGE before memory is allocated. */
#define SADDLE__MTX_FREE_SIZE (INT64_C(1) << 24)
enum { SADDLE__MTX_SIZE_PER_BYTE = 64 };

/* The whole of a scan as a sparse matrix, every number finite.  Duplicates are an error. */
saddle_status saddle__mtx_scan(saddle__scan *scan, saddle_matrix *A);

/* The same after the header.  known: rows and columns that are free as well, because the caller's
 * other files state as many. */
saddle_status saddle__mtx_body_scan(saddle__scan *scan, const saddle__mtx_header *header,
                                    int64_t known, saddle_matrix *A);

/* The whole of a scan as a dense array, by columns: array file, coordinate file, or plain text with
 * a number on each line.  *rows, *cols: the size needed (-1: any), then the size; what: "the
 * right-hand side is ", of the message on another size, or "". */
saddle_status saddle__array_scan(saddle__scan *scan, const char *what, int infinite, int64_t *rows,
                                 int64_t *cols, double **value);

/* The same of an optional file in a folder; *value: NULL without a file. */
saddle_status saddle__source_array(saddle__source *source, const char *name, int infinite,
                                   int64_t *rows, int64_t *cols, double **value);

/* A linear system: the matrix to PATH by put, NULL = as a coordinate file, the right-hand side
 * (count) beside it as an array file. */
saddle_status saddle__system_write(saddle_context *context, const char *path,
                                   const saddle_matrix *matrix,
                                   void (*put)(saddle__output *output, const saddle_matrix *A),
                                   int64_t count, const double *rhs);

/* A' as a coordinate file, in the order of A's columns; A is general and has been checked. */
saddle_status saddle__mtx_write_transposed(saddle_context *context, const char *path,
                                           const saddle_matrix *A);

#endif
