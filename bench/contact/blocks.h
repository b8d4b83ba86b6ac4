/* SPDX-License-Identifier: MIT */
/* Elastic blocks with contacts, warm stacks, and the soft contacts of MuJoCo: what has no condensed
 * problem for Siconos.  Each prints lines of its own. */
#ifndef SADDLE_BENCH_CONTACT_BLOCKS_H
#define SADDLE_BENCH_CONTACT_BLOCKS_H

#include "harness.h"

/* Blocks of bench/generators/tied.c by `auto`: names tied-..., block-..., and tied_blocks_cone of
 * the folder reproducers beside the data folder.  Returns how many were
 * asked for by options->only. */
int contact_run_blocks(const bench_options *options, saddle_context *context);

/* Stacks of boxes from the impulses before a small change: names warm-...  The same. */
int contact_run_warm(const bench_options *options, saddle_context *context);

/* The contacts of piles of MuJoCo: names mujoco-...  The same. */
int contact_run_mujoco(const bench_options *options, saddle_context *context);

/* `auto`, or the k-th of our solvers that options->method lists; NULL past the last. */
const char *contact_our_method(const bench_options *options, int k);

/* One solve from zeros; tolerance: 0 = the default; seconds: of create, analyse, factor and
 * solve. */
saddle_status contact_solve_once(saddle_context *context, const char *solver, double tolerance,
                                 const saddle_problem *problem, saddle_solution *solution,
                                 saddle_report *report, double *seconds);

#endif
