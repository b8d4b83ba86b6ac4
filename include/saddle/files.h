/* SPDX-License-Identifier: MIT */
/* Reading and writing problems, solutions and matrices.  docs/formats.md states every format
 * exactly.
 *
 * Readers check sizes, ranges, duplicates, finite numbers, symmetry claims, overflow and truncation
 * of their input.  Errors, with empty outputs:
 *
 *     SADDLE_FILE_ERROR     cannot be opened or read
 *     SADDLE_BAD_FILE       content; the message names file, line or field, row or column, reason
 *     SADDLE_TOO_LARGE      sizes that the bytes of the file make implausible
 *     SADDLE_OUT_OF_MEMORY
 *
 * Writers write to a temporary neighbour and rename it: the final name never holds a half-written
 * file, and an existing target is replaced.  Numbers read back bit for bit, in every locale.
 *
 * Paths are borrowed during the call. */
#ifndef SADDLE_FILES_H
#define SADDLE_FILES_H

#include "saddle/report.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word for --format, text) */
#define SADDLE_FORMAT_LIST(X)                                                                     \
    X(SADDLE_FORMAT_AUTO, "auto", "by the name and the content")                                  \
    X(SADDLE_FORMAT_BUNDLE, "bundle", "saddle problem folder")                                    \
    X(SADDLE_FORMAT_MATRIX_MARKET, "mtx", "Matrix Market: a bare linear system K x = rhs")        \
    X(SADDLE_FORMAT_FCLIB, "fclib", "FCLIB HDF5: local W,q,mu or global M,H,G; rolling")          \
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
    X(SADDLE_FORMAT_BOX_LCP, "box-lcp", "box LCP text: n, M by rows, q, lo, hi")                  \
    X(SADDLE_FORMAT_MAT, "mat", "MATLAB 5 file: M, J, R, f, b, .., or a QP P, q, r, A, l, u")

typedef enum saddle_format {
#define SADDLE_FORMAT_ENUM(name, word, text) name,
    SADDLE_FORMAT_LIST(SADDLE_FORMAT_ENUM)
#undef SADDLE_FORMAT_ENUM
} saddle_format;

SADDLE_API const char *saddle_format_word(saddle_format format);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_format_from_word(const char *word, saddle_format *format);

/* ---- problems, any format ---- */

typedef struct saddle_read_options { /* start from {0} */
    saddle_format format; /* AUTO: a folder is a bundle; else by magic, banner, name and content */
    const char *rhs;      /* file of the right-hand side of a bare matrix, or of q of lcp-triplets;
                             borrowed.  NULL: K 1 for a bare matrix, with the solution all ones.
                             SADDLE_INVALID_ARGUMENT for formats with a right-hand side */
} saddle_read_options;

/* options: NULL = defaults.  problem: owned by the caller (saddle_problem_clear).  start, known
 * (NULL is fine each): the initial guess and the stored solution of the file (FCLIB), empty (n = m
 * = 0) if absent; owned by the caller.  detected (NULL is fine): the format read. */
SADDLE_API saddle_status saddle_problem_read(saddle_context *context, const char *path,
                                             const saddle_read_options *options,
                                             saddle_problem *problem, saddle_solution *start,
                                             saddle_solution *known, saddle_format *detected);

/* format AUTO: by the end of the name,
 *
 *     .hdf5, .h5   fclib          .mtx   mtx
 *     .blcp.txt    box-lcp        .lcp   lcp
 *     .dat         the Siconos kind for the problem's rows
 *     .mat         mat
 *     other        bundle; SADDLE_INVALID_ARGUMENT for extensions of foreign files (.npz, .csv)
 *
 * SADDLE_NOT_EXPRESSIBLE: the message names the part that the format cannot hold. */
SADDLE_API saddle_status saddle_problem_write(saddle_context *context, const char *path,
                                              saddle_format format, const saddle_problem *problem);

/* ---- solutions ---- */

/* A folder with v.mtx, lambda.mtx, w.mtx and, unless report is NULL, report.json. */
SADDLE_API saddle_status saddle_solution_write(saddle_context *context, const char *path,
                                               const saddle_solution *solution,
                                               const saddle_report *report);
SADDLE_API saddle_status saddle_solution_read(saddle_context *context, const char *path,
                                              saddle_solution *solution);

/* Likewise with certificate.mtx, the proof that no solution exists: z, then y (n + m numbers).
 * certificate: NULL = none. */
SADDLE_API saddle_status saddle_solution_write_proven(saddle_context *context, const char *path,
                                                      const saddle_solution *solution,
                                                      const saddle_report *report,
                                                      const saddle_certificate *certificate);

/* The certificate in a solution folder of a problem with n velocities and m rows; empty (n = m = 0)
 * if absent.  Owned by the caller (saddle_certificate_clear).  SADDLE_BAD_FILE: of another size. */
SADDLE_API saddle_status saddle_certificate_read(saddle_context *context, const char *path,
                                                 int64_t n, int64_t m,
                                                 saddle_certificate *certificate);

/* ---- Matrix Market ---- */

/* coordinate or array; real, integer or pattern (values 1); general, symmetric or skew-symmetric
 * (expanded).  Duplicates are an error.  An array file becomes a matrix with every entry stored.
 * SADDLE_TOO_LARGE: far more rows or columns than bytes in the file (docs/formats.md). */
SADDLE_API saddle_status saddle_matrix_read(saddle_context *context, const char *path,
                                            saddle_matrix *A);
SADDLE_API saddle_status saddle_matrix_write(saddle_context *context, const char *path,
                                             const saddle_matrix *A);

/* A dense array value[rows * cols], column-major, owned by the caller (saddle_release).  Reads
 * array files, coordinate files and plain text with a column of numbers.  allow_infinite: 0 =
 * finite numbers only, 1 = infinities too. */
SADDLE_API saddle_status saddle_array_read(saddle_context *context, const char *path,
                                           int allow_infinite, int64_t *rows, int64_t *cols,
                                           double **value);
SADDLE_API saddle_status saddle_array_write(saddle_context *context, const char *path, int64_t rows,
                                            int64_t cols, const double *value);

SADDLE_END_DECLARATIONS

#endif
