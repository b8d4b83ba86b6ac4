/* SPDX-License-Identifier: MIT */
/* Solutions as folders: docs/formats.md. */
#ifndef SADDLE_FILES_SOLUTION_FILE_H
#define SADDLE_FILES_SOLUTION_FILE_H

#include "files/source.h"
#include "saddle/problem.h"

saddle_status saddle__solution_parse(saddle__source *source, saddle_solution *solution);

#endif
