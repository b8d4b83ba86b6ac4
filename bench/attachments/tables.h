/* SPDX-License-Identifier: MIT */
/* Tables of the attachments benchmark beside its own.  Each prints the lines whose names begin with
 * options->only and returns 1 where a line failed. */
#ifndef SADDLE_BENCH_ATTACHMENTS_TABLES_H
#define SADDLE_BENCH_ATTACHMENTS_TABLES_H

#include "harness.h"

/* Eliminate or keep: the choice beside both. */
int bench_choice(saddle_context *context, const bench_options *options);
void bench_choice_list(void);

/* Couplings along a chain of joints (saddle/couplings.h): a configuration, its fictitious terms,
 * its geometric stiffness. */
int bench_couplings_run(saddle_context *context, const bench_options *options);
void bench_couplings_list(void);

/* A block on bones as a model that is stepped. */
int bench_stepped(saddle_context *context, const bench_options *options);
void bench_stepped_list(void);

#endif
