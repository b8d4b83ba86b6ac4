/* SPDX-License-Identifier: MIT */
/* The motion of a scene as one page for a browser: no other file, no network. */
#ifndef SADDLE_TOOLS_VIEW_H
#define SADDLE_TOOLS_VIEW_H

#include "saddle/saddle.h"

typedef struct tool_view tool_view;

/* path: of the page, borrowed; a wrong name fails here, before the run.  steps: of the run;
 * some hundred of them, evenly spaced, become frames, fewer where the page would be larger than 20
 * MB.  *view: released by tool_view_close, after a failure too.  SADDLE_FILE_ERROR,
 * SADDLE_OUT_OF_MEMORY. */
saddle_status tool_view_open(const saddle_scene *scene, const char *path, int64_t steps,
                             tool_view **view);

/* The present state as a frame where its step is one; stepper: NULL at the start. */
saddle_status tool_view_add(tool_view *view, const saddle_stepper *stepper);

/* Writes the page and releases the view; NULL is fine.  The page gets its name when it is whole.
 * finish 0, or a failure: nothing is written, an older page stays. */
saddle_status tool_view_close(tool_view *view, int finish);

#endif
