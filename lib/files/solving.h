/* SPDX-License-Identifier: MIT */
/* The solver and the options of a recorded solve: the object "solve" of a bundle's problem.json
 * (docs/formats.md). */
#ifndef SADDLE_FILES_SOLVING_H
#define SADDLE_FILES_SOLVING_H

#include "files/bundle.h"
#include "saddle/options.h"

typedef struct saddle__solving { /* start from saddle__solving_none() */
    char *solver;                /* its name; NULL = nothing is recorded; owned */
    saddle_options options;      /* threads, time_limit, condition, warm_start: defaults */
    char *settings;              /* behind options.settings; owned */
} saddle__solving;

saddle__solving saddle__solving_none(void);
void saddle__solving_clear(saddle_context *context, saddle__solving *solving);

/* The value of "solve".  Ranges of options are checked; the solver's name and its settings are not,
 * which only the registry of solvers knows. */
saddle_status saddle__solving_scan(saddle__scan *scan, const char *what, saddle__solving *solving);

/* Of the bundle in a folder; saddle__solving_none without "solve".  *solving: cleared by the
 * caller. */
saddle_status saddle__solving_read(saddle_context *context, const char *path,
                                   saddle__solving *solving);

/* saddle__bundle_write with "solve" in problem.json. */
saddle_status saddle__solving_write(saddle_context *context, const char *path,
                                    const saddle_problem *problem, const char *solver,
                                    const saddle_options *options);

#endif
