/* SPDX-License-Identifier: MIT */
/* The older texts of complementarity problems.  A zero byte, where there is one, parts an
 * lcp-triplets matrix from its q. */
#include "fuzz_problem.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *zero = size > 0 ? memchr(text, 0, size) : NULL;
    fuzz_problem(SADDLE_FORMAT_LCP, text, (int64_t)size, NULL, 0);
    fuzz_problem(SADDLE_FORMAT_BOX_LCP, text, (int64_t)size, NULL, 0);
    if (!zero) {
        fuzz_problem(SADDLE_FORMAT_AUTO, text, (int64_t)size, NULL, 0);
        return 0;
    }
    int64_t first = zero - text, second = (int64_t)size - first - 1;
    fuzz_problem(SADDLE_FORMAT_LCP_TRIPLETS, text, first, zero + 1, second);
    fuzz_problem(SADDLE_FORMAT_AUTO, text, first, zero + 1, second);
    return 0;
}
