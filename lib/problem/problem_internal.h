/* SPDX-License-Identifier: MIT */
/* Shared by those who build and check problems. */
#ifndef SADDLE_LIB_PROBLEM_INTERNAL_H
#define SADDLE_LIB_PROBLEM_INTERNAL_H

#include <math.h>

#include "saddle/problem.h"

/* saddle_problem_lo and _hi, for loops. */
static inline double saddle__lo(const saddle_problem *problem, int64_t row)
{
    return problem->lo ? problem->lo[row] : -(double)INFINITY;
}

static inline double saddle__hi(const saddle_problem *problem, int64_t row)
{
    return problem->hi ? problem->hi[row] : (double)INFINITY;
}

/* A copy of a NUL-terminated text, NULL when out of memory; released by saddle_release. */
char *saddle__copy_text(saddle_context *context, const char *text);

/* The parts of saddle_problem_check that a values-only refresh needs, without allocating: M, J, R,
 * or their values alone where the patterns are known to be sound; and f, b, bounds, contacts. */
saddle_status saddle__problem_check_matrices(saddle_context *context,
                                             const saddle_problem *problem);
saddle_status saddle__problem_check_values(saddle_context *context, const saddle_problem *problem);
saddle_status saddle__problem_check_vectors(saddle_context *context, const saddle_problem *problem);

#endif
