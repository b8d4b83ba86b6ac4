/* SPDX-License-Identifier: MIT */
/* Another program as a solver of saddle bench: run in a child process, judged by our checker.
 *
 *     saddle-peer-NAME METHOD PROBLEM SOLUTION TOLERANCE
 *
 * reads the bundle PROBLEM and writes the folder SOLUTION (v.mtx, lambda.mtx, w.mtx) and in it
 * peer.json, an object with the numbers analyse, factor, solve, time, cpu [s], the counts
 * iterations and memory [bytes], and the texts version and note.  Exit code 0: an answer; 4: the
 * program does not take such rows, the reason in the first line on its standard error. */
#ifndef SADDLE_TOOLS_PEER_H
#define SADDLE_TOOLS_PEER_H

#include "measure.h"

/* A scratch folder with the problem of the next runs; all zero = none. */
typedef struct tool_peer_scratch {
    char *folder;
    saddle_context *context;
} tool_peer_scratch;

saddle_status tool_peer_prepare(saddle_context *context, const saddle_problem *problem,
                                tool_peer_scratch *scratch);
void tool_peer_clear(tool_peer_scratch *scratch);

/* As tool_measure_run; folder: of the programs; limit: as of a watch. */
saddle_status tool_peer_run(const tool_peer_scratch *scratch, const char *folder,
                            const tool_contender *contender, const saddle_problem *problem,
                            double tolerance, double limit, tool_results_run *run,
                            saddle_status *ended);

#endif
