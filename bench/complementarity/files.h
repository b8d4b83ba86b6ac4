/* SPDX-License-Identifier: MIT */
/* The LCP, MLCP and relay files of the data folder (SADDLE_DATA, else ../shared/data beside the
 * checkout), by every solver of ours that takes them and by those of other programs that take
 * one-sided rows: who solves which, to a natural map of 1e-10, and who says of a problem without a
 * solution that it has none. */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_FILES_H
#define SADDLE_BENCH_COMPLEMENTARITY_FILES_H

#include "complementarity/measure.h"

/* A file's place in that folder; static storage. */
const char *files_path(const char *relative);

/* Nonzero when something failed that should not.  Without the folder it says so and returns 0. */
int files_print(saddle_context *context, const bench_options *options);

#endif
