/* SPDX-License-Identifier: MIT */
/* The LCP, MLCP and relay files of the data folder (SADDLE_DATA, else ../shared/data beside the
 * checkout), by our solvers that support the rows and by other programs for one-sided rows: files
 * solved to a natural map of 1e-10, and files reported infeasible that have no solution. */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_FILES_H
#define SADDLE_BENCH_COMPLEMENTARITY_FILES_H

#include "complementarity/measure.h"

/* Nonzero: an unexpected failure. Without the folder a message and 0. */
int files_print(saddle_context *context, const bench_options *options);

#endif
