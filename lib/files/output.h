/* SPDX-License-Identifier: MIT */
/* A file being written, mostly text: buffered, numbers in their shortest exact form, whole or not
 * at all (atomic.h).
 *
 *     saddle__output output;
 *     saddle_status status = saddle__output_open(context, path, &output);
 *     if (status != SADDLE_OK) return status;
 *     saddle__output_text(&output, "rows "); saddle__output_integer(&output, rows); ...
 *     return saddle__output_finish(&output, status);
 *
 * A write that fails is remembered and reported by finish. */
#ifndef SADDLE_FILES_OUTPUT_H
#define SADDLE_FILES_OUTPUT_H

#include "files/atomic.h"

typedef struct saddle__output {
    saddle__new_file file;
    char *buffer; /* owned */
    int64_t used;
    int error; /* errno of the first write that failed, or 0 */
} saddle__output;

saddle_status saddle__output_open(saddle_context *context, const char *path,
                                  saddle__output *output);

void saddle__output_text(saddle__output *output, const char *text);
void saddle__output_bytes(saddle__output *output, const char *bytes, int64_t count);
void saddle__output_integer(saddle__output *output, int64_t value);
void saddle__output_double(saddle__output *output, double value);

/* status SADDLE_OK: what is buffered is written and the file gets its name; else it is removed and
 * status returned. */
saddle_status saddle__output_finish(saddle__output *output, saddle_status status);

/* The same of two that belong together (saddle__new_file_finish_pair); one that was not opened is
 * all zero. */
saddle_status saddle__output_finish_pair(saddle__output *first, saddle__output *second,
                                         saddle_status status);

#endif
