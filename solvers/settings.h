/* SPDX-License-Identifier: MIT */
/* The settings of single solvers, as saddle_options.settings assigns them: "pivot.basis=columns
 * lemke.columns=on". */
#ifndef SADDLE_SOLVERS_SETTINGS_H
#define SADDLE_SOLVERS_SETTINGS_H

#include "saddle/solver.h"

/* A solver's own struct. */
typedef union saddle__settings {
    double aligned;
    char bytes[SADDLE_SETTINGS_SIZE];
} saddle__settings;

/* Whether each assignment names a setting of a solver of the registry and has a value in range;
 * NULL: no assignments.  SADDLE_UNKNOWN_NAME, SADDLE_INVALID_ARGUMENT; the message says which. */
saddle_status saddle__settings_check(saddle_context *context, const char *assignments);

/* settings <- the type's defaults, and then what the assignments, checked, say of the type.
 * Returns settings->bytes, as saddle_solver_call.settings. */
const void *saddle__settings_fill(const saddle_solver_type *type, const char *assignments,
                                  saddle__settings *settings);

/* Whether the assignments, checked, name a setting of the type. */
int saddle__settings_differ(const saddle_solver_type *type, const char *assignments);

/* Whether the type's list of settings is well formed (saddle_solver_register). */
int saddle__settings_are_valid(const saddle_solver_type *type);

#endif
