/* SPDX-License-Identifier: MIT */
/* The progress line on a terminal, and Ctrl-C.
 *
 * After a second of work the line appears on stderr, if a terminal; a small thread refreshes the
 * line each second, because some phases have no callbacks.  SIGINT makes the next progress callback
 * ask the library to stop; a second SIGINT ends the program at once.  A process has a single
 * terminal and a single SIGINT, so progress.c keeps mutable state, as does text.c for failed
 * allocations.
 */
#ifndef SADDLE_TOOLS_PROGRESS_H
#define SADDLE_TOOLS_PROGRESS_H

#include "saddle/context.h"

/* quiet: no line, whatever stderr is.  Installs the SIGINT handler in any case. */
void tool_progress_start(int quiet);

/* Text at the front of the line ("chain by ldlt"); copied, cut at 60 bytes. */
void tool_progress_label(const char *label);

/* A phase unknown to the library ("reference"). */
void tool_progress_phase(const char *phase);

/* For saddle_context_options.progress. */
saddle_progress_function tool_progress_callback;

int tool_progress_interrupted(void);

/* Forgets an earlier SIGINT, so that the result can be written. */
void tool_progress_carry_on(void);

/* Takes the line off the terminal until the next callback, label or phase. */
void tool_progress_erase(void);

/* Erases the line for good and restores SIGINT. */
void tool_progress_stop(void);

#endif
