/* SPDX-License-Identifier: MIT */
/* A problem from bytes in memory, and its checks. */
#ifndef SADDLE_FUZZ_PROBLEM_H
#define SADDLE_FUZZ_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "saddle/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads text as format (AUTO: detected) with the right-hand side rhs (NULL = none), under a memory
 * limit of 256 MB.  Stops the program where a problem that was read does not pass its check, or
 * memory is left over. */
void fuzz_problem(saddle_format format, const char *text, int64_t length, const char *rhs,
                  int64_t rhs_length);

#endif
