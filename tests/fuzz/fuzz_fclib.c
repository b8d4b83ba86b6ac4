/* SPDX-License-Identifier: MIT */
/* FCLIB HDF5 files. */
#include "fuzz_problem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_problem(SADDLE_FORMAT_FCLIB, (const char *)data, (int64_t)size, NULL, 0);
    return 0;
}
