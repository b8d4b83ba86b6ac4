/* SPDX-License-Identifier: MIT */
/* Matrix Market text (Boisvert, Pozo, Remington: "The Matrix Market exchange formats", NISTIR 5935,
 * 1996).
 *
 *     %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric
 *         in any case
 *     % comments and blank lines
 *     rows cols entries       then entries lines   i j value     one-based
 *     rows cols   then rows * cols values, column by column (symmetric, skew: the lower
 * triangle's) */
#ifndef SADDLE_FILES_MTX_H
#define SADDLE_FILES_MTX_H

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

/* 1 when the text begins with %%MatrixMarket. */
int saddle__mtx_is(const char *text, int64_t length);

/* The banner and the sizes; the place is then at the first entry.  More entries than the text could
 * hold are an error.
 */
saddle_status saddle__mtx_header_scan(saddle__scan *scan, saddle__mtx_header *header);

/* SADDLE_TOO_LARGE, before memory is asked for, where the header states more rows or columns than a
 * file of that many bytes makes plausible.  An empty row costs no byte of the file but eight of
 * memory, so rows and columns beyond SADDLE__MTX_FREE_SIZE each need a byte of the file for
 * SADDLE__MTX_SIZE_PER_BYTE of them, unless there are at most `known`: as many as the caller has
 * from elsewhere.  The place is at the end of the size line. */
saddle_status saddle__mtx_plausible(const saddle__scan *scan, const saddle__mtx_header *header,
                                    int64_t known);
#define SADDLE__MTX_FREE_SIZE (INT64_C(1) << 24)
#define SADDLE__MTX_SIZE_PER_BYTE 64

/* The whole of a scan as a sparse matrix, every number finite.  Duplicates are an error. */
saddle_status saddle__mtx_scan(saddle__scan *scan, saddle_matrix *A);

/* The second half of it: what follows the header, once the caller has looked at that.  known: see
 * saddle__mtx_plausible. */
saddle_status saddle__mtx_body_scan(saddle__scan *scan, const saddle__mtx_header *header,
                                    int64_t known, saddle_matrix *A);
saddle_status saddle__mtx_parse(saddle_context *context, const char *text, int64_t length,
                                const char *label, saddle_matrix *A);

/* What follows a coordinate header, accept: which values. */
saddle_status saddle__mtx_coordinate_scan(saddle__scan *scan, const saddle__mtx_header *header,
                                          saddle__scan_accept accept, saddle_matrix *A);

/* What follows an array header: rows * cols numbers column by column, both triangles; value is
 * allocated. */
saddle_status saddle__mtx_array_scan(saddle__scan *scan, const saddle__mtx_header *header,
                                     saddle__scan_accept accept, double **value);

/* SADDLE_OK when only white space and comments are left. */
saddle_status saddle__mtx_end(saddle__scan *scan, const saddle__mtx_header *header);

/* The whole of a scan as a dense array: array file, coordinate file or plain text with one number a
 * line. */
saddle_status saddle__array_scan(saddle__scan *scan, int allow_infinite, int64_t *rows,
                                 int64_t *cols, double **value);

/* Its two halves, for callers who know the size: the header, where plain text has rows = -1 and
 * cols = 1; and what follows, which sets those rows. */
saddle_status saddle__array_header_scan(saddle__scan *scan, saddle__mtx_header *header);
saddle_status saddle__array_body_scan(saddle__scan *scan, saddle__mtx_header *header,
                                      int allow_infinite, double **value);
saddle_status saddle__array_parse(saddle_context *context, const char *text, int64_t length,
                                  const char *label, int allow_infinite, int64_t *rows,
                                  int64_t *cols, double **value);

/* A' as a coordinate file, by A's columns: J is written from J' this way.  A is general and has
 * been checked. */
saddle_status saddle__mtx_write_transposed(saddle_context *context, const char *path,
                                           const saddle_matrix *A);

#endif
