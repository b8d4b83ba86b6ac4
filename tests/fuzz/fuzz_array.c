/* SPDX-License-Identifier: MIT */
/* Any bytes as a dense array: what is accepted holds no NaN, and infinities only where they were
 * allowed. */
#include "fuzz_parts.h"

#include <math.h>

#include "files/mtx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    saddle_context *context = fuzz_context();
    for (int allow_infinite = 0; allow_infinite < 2; allow_infinite++) {
        int64_t rows = -1, cols = -1;
        double *value;
        saddle__scan scan = saddle__scan_text(context, (const char *)data, (int64_t)size, "x.mtx");
        saddle_status status = saddle__array_scan(&scan, "", allow_infinite, &rows, &cols, &value);
        if (status != SADDLE_OK &&
            (value || rows != -1 || cols != -1 || !*saddle_context_message(context)))
            abort();
        for (int64_t k = 0; status == SADDLE_OK && k < rows * cols; k++)
            if (isnan(value[k]) || (isinf(value[k]) && !allow_infinite)) abort();
        saddle_release(context, value);
    }
    saddle_context_free(context);
    return 0;
}
