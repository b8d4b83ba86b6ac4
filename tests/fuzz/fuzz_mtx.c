/* SPDX-License-Identifier: MIT */
/* Any bytes as a Matrix Market matrix: what is accepted must pass the matrix check. */
#include "fuzz_parts.h"

#include "files/mtx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    saddle_context *context = fuzz_context();
    saddle_matrix A;
    saddle__scan scan = saddle__scan_text(context, (const char *)data, (int64_t)size, "A.mtx");
    saddle_status status = saddle__mtx_scan(&scan, &A);
    if (status == SADDLE_OK && saddle_matrix_check(context, &A, "A") != SADDLE_OK) abort();
    if (status != SADDLE_OK && (A.start || !*saddle_context_message(context))) abort();
    saddle_matrix_clear(&A);
    saddle_context_free(context);
    return 0;
}
