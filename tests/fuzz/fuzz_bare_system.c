/* SPDX-License-Identifier: MIT */
/* Bare systems: a Matrix Market matrix, and after a zero byte, where there is one, its right-hand
 * side. */
#include "fuzz_problem.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *zero = size > 0 ? memchr(text, 0, size) : NULL;
    if (zero)
        fuzz_problem(SADDLE_FORMAT_MATRIX_MARKET, text, zero - text, zero + 1,
                     (int64_t)size - (zero - text) - 1);
    else
        fuzz_problem(SADDLE_FORMAT_MATRIX_MARKET, text, (int64_t)size, NULL, 0);
    return 0;
}
