/* SPDX-License-Identifier: MIT */
/* The text formats of problems: one function per format that both reads and recognizes.
 *
 * A reader gets a scan over the whole text and a problem.  With problem = NULL it only walks: it
 * checks that the text has the format's shape from its first to its last token, keeps nothing, and
 * leaves scan->at near where the text stopped fitting when it did not.  A problem handed in is
 * empty, with owner and context set; after a failure the caller clears it. docs/formats.md states
 * each format; detect.c chooses among them by walking.
 */
#ifndef SADDLE_FILES_SICONOS_TEXT_H
#define SADDLE_FILES_SICONOS_TEXT_H

#include "files/scan.h"
#include "saddle/problem.h"

typedef saddle_status saddle__problem_reader(saddle__scan *scan, saddle_problem *problem);

saddle__problem_reader saddle__siconos_lcp_read;
saddle__problem_reader saddle__siconos_relay_read;
saddle__problem_reader saddle__siconos_mlcp_read;
saddle__problem_reader saddle__siconos_gmp_read;
saddle__problem_reader saddle__siconos_fc_read;
saddle__problem_reader saddle__siconos_gfc_read;
/* M = the matrix, f left NULL for saddle__bare_system_rhs */
saddle__problem_reader saddle__siconos_matrix_problem_read;
/* the same from sparse blocks alone */
saddle__problem_reader saddle__siconos_blocks_problem_read;
saddle__problem_reader saddle__lcp_text_read;
saddle__problem_reader saddle__lcp_box_read;
saddle__problem_reader saddle__lcp_triplets_read; /* after saddle__lcp_triplets_rhs */

/* m, b = -q and the bounds of an lcp-triplets problem from a file of lines `i v`, i = 1 .. m in any
 * order. */
saddle_status saddle__lcp_triplets_rhs(saddle__scan *scan, saddle_problem *problem);

/* ---- pieces ---- */

/* A matrix with the header `storage rows cols`, 0 dense (zeros dropped), 1 sparse blocks, 2 sparse
 * (both keep explicit zeros). A: NULL = walk.  *rows, *cols: sizes.  name: "W", in messages. */
saddle_status saddle__siconos_matrix_read(saddle__scan *scan, const char *name, int64_t *rows,
                                          int64_t *cols, saddle_matrix *A);

/* The sparse-block body alone, whose header gives no sizes.  block_end (NULL is fine) receives the
 end of each block row,

 * *block_count of them, the caller's to release. */
saddle_status saddle__siconos_blocks_read(saddle__scan *scan, const char *name, int64_t *rows,
                                          int64_t *cols, saddle_matrix *A, int64_t **block_end,
                                          int64_t *block_count);

/* count finite numbers; *value: NULL stays NULL where value is NULL (walk), else allocated. */
saddle_status saddle__numbers_read(saddle__scan *scan, const char *what, saddle__scan_accept accept,
                                   int64_t count, double **value);

/* Before memory is asked for: fails unless `count` more numbers fit in what is left of the text.
 * what: "q". */
saddle_status saddle__numbers_expect(saddle__scan *scan, const char *what, int64_t count);

/* Nothing more may follow but a remark: on a line of its own, and its first word is no number. */
saddle_status saddle__problem_end(saddle__scan *scan);

/* Numbers from here to the first word that is none, at most `most` of them counted; the place does
 * not move.  *ended (NULL is fine): 1 where nothing follows them. */
int64_t saddle__numbers_ahead(const saddle__scan *scan, int64_t most, int *ended);

/* A from count triplets as saddle_matrix_from_triplets, but an entry given twice is an error that
 * names it. */
saddle_status saddle__matrix_from_entries(saddle_context *context, const char *label,
                                          const char *name, int64_t rows, int64_t cols,
                                          int64_t count, const int64_t *row, const int64_t *col,
                                          const double *value, saddle_matrix *A);

/* A of rows x cols numbers, column-major or by rows; zeros are dropped. */
saddle_status saddle__matrix_from_dense(saddle_context *context, int64_t rows, int64_t cols,
                                        int by_rows, const double *value, saddle_matrix *A);

/* Where A is square and its values are exactly symmetric, stores its lower triangle and marks it
 * so. */
saddle_status saddle__matrix_settle(saddle_context *context, saddle_matrix *A);

/* The n = 0 problem w = R lambda + q: takes over R and q (both emptied), settles R, b = -q.  m =
 * R->rows. */
saddle_status saddle__problem_take_delassus(saddle_context *context, saddle_matrix *R, double **q,
                                            saddle_problem *problem);

/* Bounds [lo, hi] for all rows. */
saddle_status saddle__problem_bound_all(saddle_context *context, saddle_problem *problem, double lo,
                                        double hi);

/* count contacts of dim rows from row 0 on, with the friction coefficients mu. */
saddle_status saddle__problem_contacts(saddle_context *context, saddle_problem *problem,
                                       int64_t dim, int64_t count, const double *mu);

#endif
