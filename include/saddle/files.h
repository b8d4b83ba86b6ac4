/* SPDX-License-Identifier: MIT */
/* Reading and writing problems, solutions and matrices.  docs/formats.md states every format
 * exactly.
 *
 * What a reader accepts, it has checked: sizes, ranges, duplicates, finite numbers, symmetry
 * claims, overflow, truncation. Otherwise it returns SADDLE_FILE_ERROR (cannot be opened or read),
 * SADDLE_BAD_FILE (content; the message names file, line or field, row or column, and the reason),
 * SADDLE_OUT_OF_MEMORY or SADDLE_TOO_LARGE, and its outputs are empty. Writers write to a temporary
 * neighbour and rename it, so that nothing half-written is ever seen under the final name; an
 * existing target is replaced.  Numbers are written so that they read back bit for bit, whatever
 * the locale.
 */
#ifndef SADDLE_FILES_H
#define SADDLE_FILES_H

#include "saddle/report.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word for --format, text) */
#define SADDLE_FORMAT_LIST(X)                                                                     \
    X(SADDLE_FORMAT_AUTO, "auto", "by the name and the content")                                  \
    X(SADDLE_FORMAT_BUNDLE, "bundle", "saddle problem folder")                                    \
    X(SADDLE_FORMAT_MATRIX_MARKET, "mtx", "Matrix Market: a bare linear system K x = rhs")        \
    X(SADDLE_FORMAT_FCLIB, "fclib", "FCLIB HDF5: local W,q,mu or global M,H,G")                   \
    X(SADDLE_FORMAT_SICONOS_LCP, "siconos-lcp", "Siconos linear complementarity problem")         \
    X(SADDLE_FORMAT_SICONOS_MLCP, "siconos-mlcp", "Siconos mixed linear complementarity problem") \
    X(SADDLE_FORMAT_SICONOS_RELAY, "siconos-relay", "Siconos relay (box) problem")                \
    X(SADDLE_FORMAT_SICONOS_GMP, "siconos-gmp", "Siconos generic mechanical problem")             \
    X(SADDLE_FORMAT_SICONOS_FC, "siconos-fc", "Siconos friction contact, local: W, q, mu")        \
    X(SADDLE_FORMAT_SICONOS_GFC, "siconos-gfc",                                                   \
      "Siconos friction contact, global: M, H, q, b, mu")                                         \
    X(SADDLE_FORMAT_SICONOS_MATRIX, "siconos-matrix", "Siconos matrix: a bare linear system")     \
    X(SADDLE_FORMAT_LCP, "lcp", "older LCP text: n, M by rows, q")                                \
    X(SADDLE_FORMAT_LCP_TRIPLETS, "lcp-triplets",                                                 \
      "older LCP text: lines i j v, with q in a file of lines i v")                               \
    X(SADDLE_FORMAT_BOX_LCP, "box-lcp", "box LCP text: n, M by rows, q, lo, hi")

typedef enum saddle_format {
#define SADDLE_FORMAT_ENUM(name, word, text) name,
    SADDLE_FORMAT_LIST(SADDLE_FORMAT_ENUM)
#undef SADDLE_FORMAT_ENUM
} saddle_format;

SADDLE_API const char *saddle_format_word(saddle_format format);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_format_from_word(const char *word, saddle_format *format);

/* ---- problems, any format ---- */

typedef struct saddle_read_options { /* the all-zero struct is the default */
    saddle_format format; /* AUTO: a folder is a bundle; else by magic, banner, name and content */
    const char *rhs; /* right-hand side of a bare matrix, or q of an lcp-triplets file; borrowed.
                        NULL: rhs = K 1 for a bare matrix (the exact solution is then all ones).
                        SADDLE_INVALID_ARGUMENT with a format that has its own */
} saddle_read_options;

/* options: NULL = defaults.  start, known (NULL is fine each): the initial guess and the stored
 * solution where the file has them (FCLIB), else left empty (n = m = 0).  detected (NULL is fine):
 * the format read. */
SADDLE_API saddle_status saddle_problem_read(saddle_context *context, const char *path,
                                             const saddle_read_options *options,
                                             saddle_problem *problem, saddle_solution *start,
                                             saddle_solution *known, saddle_format *detected);

/* format AUTO: by the name: .hdf5 .h5 fclib; .mtx mtx; .blcp.txt box-lcp; .lcp lcp; .dat the
 * Siconos kind that the problem's rows ask for; anything else a bundle.  SADDLE_NOT_EXPRESSIBLE:
 * the message says what the target cannot hold. */
SADDLE_API saddle_status saddle_problem_write(saddle_context *context, const char *path,
                                              saddle_format format, const saddle_problem *problem);

/* ---- solutions ---- */

/* A folder with v.mtx, lambda.mtx, w.mtx and, where report is not NULL, report.json. */
SADDLE_API saddle_status saddle_solution_write(saddle_context *context, const char *path,
                                               const saddle_solution *solution,
                                               const saddle_report *report);
SADDLE_API saddle_status saddle_solution_read(saddle_context *context, const char *path,
                                              saddle_solution *solution);

/* The same folder with certificate.mtx as well, why there is no solution: z, then y (n + m).
 * certificate: NULL = none. */
SADDLE_API saddle_status saddle_solution_write_proven(saddle_context *context, const char *path,
                                                      const saddle_solution *solution,
                                                      const saddle_report *report,
                                                      const saddle_certificate *certificate);

/* The certificate of a solution folder for a problem with n velocities and m rows; empty (n = m =
 * 0) where there is none. Owned.  SADDLE_BAD_FILE: it has another size. */
SADDLE_API saddle_status saddle_certificate_read(saddle_context *context, const char *path,
                                                 int64_t n, int64_t m,
                                                 saddle_certificate *certificate);

/* ---- Matrix Market ---- */

/* coordinate or array; real, integer or pattern (values 1); general, symmetric or skew-symmetric
 * (expanded). Duplicates are an error.  An array file becomes a matrix with every entry stored.
 * SADDLE_TOO_LARGE: many more rows or columns than a file of that many bytes makes plausible
 * (docs/formats.md). */
SADDLE_API saddle_status saddle_matrix_read(saddle_context *context, const char *path,
                                            saddle_matrix *A);
SADDLE_API saddle_status saddle_matrix_write(saddle_context *context, const char *path,
                                             const saddle_matrix *A);

/* A dense rows x cols array, column-major, owned by the caller (saddle_release).  Reads array
 * files, coordinate files and plain text with one column of numbers; infinities are allowed only
 * where allow_infinite. */
SADDLE_API saddle_status saddle_array_read(saddle_context *context, const char *path,
                                           int allow_infinite, int64_t *rows, int64_t *cols,
                                           double **value);
SADDLE_API saddle_status saddle_array_write(saddle_context *context, const char *path, int64_t rows,
                                            int64_t cols, const double *value);

SADDLE_END_DECLARATIONS

#endif
