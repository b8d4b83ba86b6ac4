/* SPDX-License-Identifier: MIT */
/* The line on a terminal that says where a long computation stands, and Ctrl-C.
 *
 * After a second of work the line appears on stderr if that is a terminal, is refreshed by a small
 * thread (some phases have no callbacks) and erased at the end.  SIGINT makes the next progress
 * callback ask the library to stop; a second SIGINT ends the program at once.  There is one
 * terminal and one SIGINT, so this file keeps the tool's mutable state (with text.c, which
 * remembers failed allocations).
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
