/* SPDX-License-Identifier: MIT */
/* What the tests of readers and writers share. */
#ifndef SADDLE_FILES_SUPPORT_H
#define SADDLE_FILES_SUPPORT_H

#include <math.h>

#include "support.h"

#define INF ((double)INFINITY)

/* "folder/name"; static buffer, good until the 8th next call. */
const char *join(const char *folder, const char *name);

void write_text(const char *path, const char *text);
char *read_text(const char *path); /* NUL-terminated; free() */

/* A Matrix Market text in memory as a matrix, a text as an array; label: the file's name in
 * messages. */
saddle_status parse_matrix(saddle_context *context, const char *text, int64_t length,
                           const char *label, saddle_matrix *A);
saddle_status parse_array(saddle_context *context, const char *text, int64_t length,
                          const char *label, int allow_infinite, int64_t *rows, int64_t *cols,
                          double **value);

int exists(const char *path);
int64_t count_entries(const char *folder); /* files and folders in it */

/* 64 drawn bits as a double that is finite: all magnitudes, subnormal ones and both zeros among
 * them. */
double draw_bits(uint64_t *state);

void assert_same_bits(const double *a, const double *b, int64_t count);
void assert_same_matrix(const saddle_matrix *A, const saddle_matrix *B);
/* absent = empty or zero */
void assert_same_problem(const saddle_problem *a, const saddle_problem *b);

/* A drawn rows x cols matrix (symmetric: square), about `density` of its entries, values by
 * draw_bits. */
void draw_matrix(saddle_context *context, uint64_t *state, int64_t rows, int64_t cols,
                 double density, saddle_symmetry symmetry, saddle_matrix *A);

/* A drawn problem that passes its check, with everything a bundle can hold, each part present or
 * not by chance. */
void draw_bundle(saddle_context *context, uint64_t *state, saddle_problem *problem);

/* The context's message must contain the text. */
void assert_message(saddle_context *context, const char *text);

#endif
