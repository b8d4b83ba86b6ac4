/* SPDX-License-Identifier: MIT */
/* What the tests of problem formats share. */
#ifndef SADDLE_PROBLEM_SUPPORT_H
#define SADDLE_PROBLEM_SUPPORT_H

#include "files_support.h"

/* The problem in a text of that format (AUTO: detected), with the text of a right-hand side or
 * NULL.  Empty on failure. */
saddle_status read_problem_text(saddle_context *context, saddle_format format, const char *text,
                                const char *rhs, saddle_problem *problem);

/* The same from length bytes. */
saddle_status read_problem_bytes(saddle_context *context, saddle_format format, const char *bytes,
                                 int64_t length, const char *rhs, saddle_problem *problem);

/* The numbers are equal, entry by entry and bit by bit but for the sign of zeros; what is absent is
 * zero.  Patterns, names and symmetry marks may differ. */
void assert_equal_numbers(const saddle_problem *a, const saddle_problem *b);

#endif
