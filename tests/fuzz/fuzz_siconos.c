/* SPDX-License-Identifier: MIT */
/* Every text format of problems but Matrix Market: any bytes read to a consistent problem or to an
 * error. */
#include "fuzz_problem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const saddle_format formats[] = {
        SADDLE_FORMAT_AUTO,          SADDLE_FORMAT_SICONOS_LCP,    SADDLE_FORMAT_SICONOS_MLCP,
        SADDLE_FORMAT_SICONOS_RELAY, SADDLE_FORMAT_SICONOS_GMP,    SADDLE_FORMAT_SICONOS_FC,
        SADDLE_FORMAT_SICONOS_GFC,   SADDLE_FORMAT_SICONOS_MATRIX,
    };
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        fuzz_problem(formats[k], (const char *)data, (int64_t)size, NULL, 0);
    return 0;
}
