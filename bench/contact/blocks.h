/* SPDX-License-Identifier: MIT */
/* Elastic blocks with contacts, and the soft contacts of MuJoCo: what has no condensed problem for
 * Siconos.  Each prints lines of its own. */
#ifndef SADDLE_BENCH_CONTACT_BLOCKS_H
#define SADDLE_BENCH_CONTACT_BLOCKS_H

#include "harness.h"

/* Blocks of bench/generators/tied.c by `auto`: names tied-..., block-...  Returns how many were
 * asked for by options->only. */
int contact_run_blocks(const bench_options *options, saddle_context *context);

#endif
