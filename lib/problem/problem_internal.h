/* SPDX-License-Identifier: MIT */
/* Shared by those who build problems. */
#ifndef SADDLE_LIB_PROBLEM_INTERNAL_H
#define SADDLE_LIB_PROBLEM_INTERNAL_H

#include "saddle/problem.h"

/* A copy of a NUL-terminated text, NULL when out of memory; released by saddle_release. */
char *saddle__copy_text(saddle_context *context, const char *text);

#endif
