/* SPDX-License-Identifier: MIT */
/* Solutions as folders: docs/formats.md. */
#ifndef SADDLE_FILES_SOLUTION_FILE_H
#define SADDLE_FILES_SOLUTION_FILE_H

#include "files/scan.h"
#include "saddle/problem.h"

saddle_status saddle__solution_parse(saddle__source *source, saddle_solution *solution);

/* SADDLE_FILE_ERROR: saddle_solution_write cannot make or replace the folder now.  Leaves nothing
 * behind. */
saddle_status saddle__solution_probe(saddle_context *context, const char *path);

#endif
