/* SPDX-License-Identifier: MIT */
/* Any vectors as a certificate of a small problem: what is proven has the numbers that a proof
 * has. */
#include <math.h>

#include "fuzz_draw.h"

static int is_proven(const saddle_proof *proof)
{
    return proof->gap >= SADDLE_PROOF_GAP && proof->gap <= 1.0 &&
           proof->reach >= SADDLE_PROOF_REACH;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    saddle_context *context = fuzz_small_context();
    fuzz_drawn drawn;
    fuzz_draw_problem(&bytes, &drawn);
    const saddle_problem *problem = &drawn.problem;
    saddle_certificate certificate;
    fuzz_demand(saddle_certificate_create(context, problem->n, problem->m, &certificate) ==
                SADDLE_OK);
    for (int64_t j = 0; j < problem->n; j++) certificate.velocity[j] = fuzz_number(&bytes);
    for (int64_t i = 0; i < problem->m; i++) certificate.row[i] = fuzz_number(&bytes);
    saddle_proof proof;
    fuzz_demand(saddle_certificate_check(context, problem, &certificate, &proof) == SADDLE_OK);
    fuzz_demand(proof.kind == SADDLE_PROOF_NONE || is_proven(&proof));
    fuzz_demand(!isnan(proof.gap) && !isnan(proof.reach));
    char text[80];
    saddle_certificate_describe(problem, &certificate, 1 + fuzz_below(&bytes, 8), text,
                                1 + (size_t)fuzz_below(&bytes, 80));
    saddle_certificate_clear(&certificate);
    saddle_context_free(context);
    return 0;
}
