/* SPDX-License-Identifier: MIT */
/* The chain of reduced.c as attachments kept as rows, solved by ldlt. */
#ifndef SADDLE_BENCH_KEPT_CHAIN_H
#define SADDLE_BENCH_KEPT_CHAIN_H

#include "saddle/saddle.h"

/* The median time of couplings, rows, factor and solve at (q, dq) [s]; ddq (links; NULL is fine):
 * the accelerations. */
saddle_status kept_chain_seconds(saddle_context *context, int64_t links, const double *q,
                                 const double *dq, double *median, double *ddq);

#endif
