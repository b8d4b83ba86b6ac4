/* SPDX-License-Identifier: MIT */
/* Couplings along a chain of joints (saddle/couplings.h): what a configuration, its fictitious
 * terms and its geometric stiffness cost. */
#ifndef SADDLE_BENCH_COUPLED_CHAIN_H
#define SADDLE_BENCH_COUPLED_CHAIN_H

#include "harness.h"
#include "saddle/context.h"

void bench_couplings_list(void);

/* Prints a table; nonzero where something failed. */
int bench_couplings_run(saddle_context *context, const bench_options *options);

#endif
