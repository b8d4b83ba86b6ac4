/* SPDX-License-Identifier: MIT */
/* Problems in files of any format: a reader and a writer for each, and shared parts.
 * docs/formats.md states the formats. */
#ifndef SADDLE_FILES_PROBLEM_FILE_H
#define SADDLE_FILES_PROBLEM_FILE_H

#include <string.h>

#include "base/context_internal.h"
#include "files/output.h"
#include "files/scan.h"
#include "saddle/files.h"

/* ---- reading ---- */

/* A text format from the first to the last token of a scan.  problem: empty, with owner and context
 * set; cleared by the caller after a failure, when scan->at is near the place where the text
 * stopped fitting the format. */
typedef saddle_status saddle__problem_reader(saddle__scan *scan, saddle_problem *problem);

/* The problem in a scan over a whole file.  *format AUTO becomes the format found by magic, banner,
 * name and content; not BUNDLE.  rhs: a right-hand side or q, NULL = none.  start, known: as in
 * saddle_problem_read.  problem, start and known are cleared by the caller after a failure.
 * SADDLE_BAD_FILE where no format fits: the message is from the reader that came furthest, or
 * states the kind of the file. */
saddle_status saddle__problem_scan(saddle__scan *scan, saddle_format *format, saddle__scan *rhs,
                                   saddle_problem *problem, saddle_solution *start,
                                   saddle_solution *known);

/* saddle_problem_check, with SADDLE_BAD_FILE and "LABEL: ..." for an inconsistent problem. */
saddle_status saddle__problem_check_file(saddle_context *context, const char *label,
                                         const saddle_problem *problem);

/* ---- writing ---- */

/* Writes a whole file.  The problem is consistent, and expressible in the format. */
typedef saddle_status saddle__problem_writer(saddle_context *context, const char *path,
                                             const saddle_problem *problem);

/* M, R, J' with every entry stored */
typedef struct saddle__full_parts {
    saddle_matrix M, R, Jt;
} saddle__full_parts;

/* Writes the content of a text format with a single file. */
typedef saddle_status saddle__problem_put(saddle__output *output, const saddle_problem *problem,
                                          const saddle__full_parts *full);

/* ---- text formats of one file ---- */

/* When a reader is not tried on a text of unknown format. */
enum saddle__reader_condition {
    SADDLE__TAKES_NO_RHS = 1, /* with a right-hand side */
    SADDLE__NUMBERS_ONLY = 2, /* if the text begins like a Siconos problem */
    SADDLE__BY_NAME = 4       /* unless the name states the format: the numbers alone do not */
};

/* Rows that a format holds. */
enum saddle__held_rows {
    SADDLE__HOLDS_EQUALITY = 1,
    SADDLE__HOLDS_POSITIVE = 2, /* [0, inf) */
    SADDLE__HOLDS_BOX = 4,      /* all bounds */
    SADDLE__HOLDS_CONTACTS = 8, /* with the law cone */
    SADDLE__HOLDS_ANY = 16
};

/* Further demands of a format on a problem. */
enum saddle__format_demand {
    SADDLE__NO_VELOCITIES = 1,             /* n = 0 */
    SADDLE__NO_COMPLIANCE = 2,             /* R = 0 */
    SADDLE__NO_COMPLIANCE_WITH_MASSES = 4, /* R = 0 or n = 0 */
    SADDLE__CONTACTS_FIRST = 8, /* contacts of 2, 3 or 5 rows each own the rows from the first on */
    SADDLE__CONTACTS_IN_SPACE = 16 /* contacts of 3 rows */
};

typedef struct saddle__text_format {
    saddle_format format;
    saddle__problem_reader *read;
    saddle__problem_put *put;     /* NULL: written by a writer in problem_write.c */
    int condition, rows, demands; /* of the enums above */
} saddle__text_format;

/* All text formats, from the most to the least self-describing text; NULL behind the last. */
const saddle__text_format *saddle__text_format_at(int k);

/* ---- binary formats ---- */

typedef struct saddle__binary_format {
    saddle_format format;
    /* 1: the bytes begin as such a file. */
    int (*is)(const char *bytes, int64_t length);
    /* label: the file's name in messages.  problem, start, known: empty, with owner and context
     * set, cleared by the caller after a failure; start and known (NULL is fine each) are left
     * empty where absent. */
    saddle_status (*read)(saddle_context *context, const char *bytes, int64_t length,
                          const char *label, saddle_problem *problem, saddle_solution *start,
                          saddle_solution *known);
    saddle__problem_writer *write;
    int rows, demands; /* of the enums above */
} saddle__binary_format;

/* fclib.c, mat.c */
extern const saddle__binary_format saddle__fclib_format, saddle__mat_format;

/* All binary formats; NULL behind the last. */
extern const saddle__binary_format *const saddle__binary_formats[];

/* NULL: no binary format. */
static inline const saddle__binary_format *saddle__binary_format_of(saddle_format format)
{
    int k = 0;
    while (saddle__binary_formats[k] && saddle__binary_formats[k]->format != format) k++;
    return saddle__binary_formats[k];
}

/* ---- matrices in Siconos' texts: siconos_matrix.c states the layouts ---- */

/* A matrix with the header `storage rows cols`: 0 dense (zeros are not stored), 1 sparse blocks, 2
 * sparse (both keep explicit zeros).  name: "W", in messages.  A is the caller's to clear, even
 * after a failure. */
saddle_status saddle__siconos_read_matrix(saddle__scan *scan, const char *name, saddle_matrix *A);

/* Sparse blocks alone, without the header.  block_end (NULL is fine): the end of each block row,
 * *block_count of them, the caller's to release. */
saddle_status saddle__siconos_read_blocks(saddle__scan *scan, const char *name, saddle_matrix *A,
                                          int64_t **block_end, int64_t *block_count);

/* The first row or column of block k, with ends of the blocks. */
static inline int64_t saddle__block_begin(const int64_t *end, int64_t k)
{
    return k > 0 ? end[k - 1] : 0;
}

/* With the header `storage rows cols`: dense where at least half of A is stored and no entry is 0,
 * else sparse triplets.  A is general. */
void saddle__siconos_put_matrix(saddle__output *output, const saddle_matrix *A);

/* ---- writing, continued ---- */

/* *format AUTO becomes the format for the target's name and the problem's rows.
 * SADDLE_INVALID_ARGUMENT: files with the extension are not written ("s.npz"). */
saddle_status saddle__format_of_target(saddle_context *context, const char *path,
                                       const saddle_problem *problem, saddle_format *format);

/* *full = A with every entry stored, rows x cols; a 0 x 0 A stands for zero. */
saddle_status saddle__matrix_full(saddle_context *context, const saddle_matrix *A, int64_t rows,
                                  int64_t cols, saddle_matrix *full);

/* ---- parts of a problem ---- */

/* A growing list of entries; all zero = empty. */
typedef struct saddle__entries {
    int64_t count, room;
    int64_t *row, *col; /* room each, owned */
    double *value;
} saddle__entries;

/* Room for `room` entries in all. */
saddle_status saddle__entries_reserve(saddle_context *context, int64_t room, saddle__entries *list);
static inline void saddle__entries_add(saddle__entries *list, int64_t i, int64_t j, double value)
{
    list->row[list->count] = i;
    list->col[list->count] = j;
    list->value[list->count++] = value;
}
static inline void saddle__entries_clear(saddle_context *context, saddle__entries *list)
{
    saddle__release_all(context, list->row, list->col, list->value);
    memset(list, 0, sizeof *list);
}

/* A of the list, the caller's to clear; the list may lose its arrays to A.  *repeated: the first
 * repeated entry, or -1; repeated NULL: a repeated entry is an error with "LABEL: NAME: ...". */
saddle_status saddle__entries_matrix(saddle_context *context, const char *label, const char *name,
                                     int64_t rows, int64_t cols, saddle__entries *list,
                                     saddle_matrix *A, int64_t *repeated);

/* A of rows * cols numbers, by columns or by rows; zeros are not stored. */
saddle_status saddle__matrix_from_dense(saddle_context *context, int64_t rows, int64_t cols,
                                        int by_rows, const double *value, saddle_matrix *A);

/* Stores the lower triangle of a square A with exactly symmetric values. */
saddle_status saddle__matrix_settle(saddle_context *context, saddle_matrix *A);

/* The same bounds for all rows. */
saddle_status saddle__problem_bound_all(saddle__scan *scan, saddle_problem *problem, double lo,
                                        double hi);

/* Rows of a contact with rolling friction: normal, two tangents, two of rolling. */
enum { SADDLE__ROLLING_SIZE = 5 };

/* count contacts of dim rows, from row 0 on, with the friction coefficients mu and, for dim 5,
 * those of rolling. */
saddle_status saddle__problem_contacts(saddle_context *context, saddle_problem *problem,
                                       int64_t dim, int64_t count, const double *mu,
                                       const double *rolling);

#endif
