/* SPDX-License-Identifier: MIT */
/* The motion of a scene as files for other programs: a table, and a series for ParaView
 * (docs/formats.md, Motions). */
#ifndef SADDLE_TOOLS_MOTION_H
#define SADDLE_TOOLS_MOTION_H

#include "saddle/saddle.h"

typedef struct tool_motion tool_motion;

/* csv: path of the table, NULL = none; vtk: folder of the series, made where it is absent, NULL =
 * none.  *motion: released by tool_motion_close, after a failure too.  SADDLE_FILE_ERROR,
 * SADDLE_OUT_OF_MEMORY. */
saddle_status tool_motion_open(const saddle_scene *scene, const char *csv, const char *vtk,
                               tool_motion **motion);

/* The present state, after so many steps. */
saddle_status tool_motion_add(tool_motion *motion, int64_t step);

/* Finishes the files, with the states added so far; NULL is fine. */
saddle_status tool_motion_close(tool_motion *motion);

/* SADDLE_FILE_ERROR: the folder does not exist and cannot be made. */
saddle_status tool_make_folder(saddle_context *context, const char *path);

#endif
