/* SPDX-License-Identifier: MIT */
/* Shared by those who build and check problems. */
#ifndef SADDLE_LIB_PROBLEM_INTERNAL_H
#define SADDLE_LIB_PROBLEM_INTERNAL_H

#include "saddle/problem.h"

/* A copy of a NUL-terminated text, NULL when out of memory; released by saddle_release. */
char *saddle__copy_text(saddle_context *context, const char *text);

/* The parts of saddle_problem_check that a values-only refresh needs, without allocating: M, J, R, or their values alone
 * where the patterns are known to be sound; and f, b, bounds, contacts. */
saddle_status saddle__problem_check_matrices(saddle_context *context, const saddle_problem *problem);
saddle_status saddle__problem_check_values(saddle_context *context, const saddle_problem *problem);
saddle_status saddle__problem_check_vectors(saddle_context *context, const saddle_problem *problem);

#endif
