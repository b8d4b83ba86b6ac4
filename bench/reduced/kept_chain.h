/* SPDX-License-Identifier: MIT */
/* The chain of reduced.c as attachments kept as rows, solved by ldlt. */
#ifndef SADDLE_BENCH_KEPT_CHAIN_H
#define SADDLE_BENCH_KEPT_CHAIN_H

#include "saddle/saddle.h"

/* Equalities on the twists of the links, row i J_i = wrench + 6 links i; none: 0, NULL. */
typedef struct kept_rows {
    int64_t count;
    const double *wrench;
} kept_rows;

/* The median time of couplings, rows, factor and solve at (q, dq) [s]; ddq (links; NULL is fine):
 * the accelerations. */
saddle_status kept_chain_seconds(saddle_context *context, int64_t links, const double *q,
                                 const double *dq, const kept_rows *rows, double *median,
                                 double *ddq);

#endif
