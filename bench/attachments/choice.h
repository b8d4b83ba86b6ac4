/* SPDX-License-Identifier: MIT */
/* Eliminate or keep: what was chosen against both, measured. */
#ifndef SADDLE_BENCH_ATTACHMENTS_CHOICE_H
#define SADDLE_BENCH_ATTACHMENTS_CHOICE_H

#include "harness.h"
#include "saddle/context.h"

/* Lines whose names begin with options->only; 1 where one failed. */
int bench_choice(saddle_context *context, const bench_options *options);
void bench_choice_list(void);

#endif
