/* SPDX-License-Identifier: MIT */
/* Rank analysis of small problems: consistent counts, combinations with existing rows, finite
 * multipliers. */
#include <math.h>

#include "fuzz_draw.h"

static void look_at(const saddle_problem *problem, const saddle_rank *rank,
                    const saddle_dependency *d)
{
    char text[100];
    fuzz_demand(d->row >= 0 && d->row < problem->m && d->count >= 0);
    for (int64_t k = 0; k < d->count; k++) {
        fuzz_demand(d->other[k] >= 0 && d->other[k] < problem->m && d->other[k] != d->row &&
                    isfinite(d->factor[k]));
        fuzz_demand(!rank->ordered || d->other[k] < d->row);
    }
    fuzz_demand(isfinite(d->gap) && isfinite(d->relative_gap) && isfinite(d->residual));
    saddle_rank_describe(problem, d, 3, text, sizeof text);
}

static void share(saddle_context *context, fuzz_bytes *bytes, const saddle_problem *problem,
                  const saddle_rank *rank)
{
    double lambda[FUZZ_MOST_ROWS];
    for (int64_t i = 0; i < problem->m; i++) lambda[i] = (double)fuzz_below(bytes, 16) - 8.0;
    saddle_multiplier_norm norm = (saddle_multiplier_norm)fuzz_below(bytes, 2);
    saddle_status status = saddle_rank_least_multipliers(context, problem, rank, norm, lambda);
    fuzz_demand(status != SADDLE_INTERNAL);
    for (int64_t i = 0; status == SADDLE_OK && i < problem->m; i++)
        fuzz_demand(isfinite(lambda[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    saddle_context *context = fuzz_small_context();
    int64_t before = saddle_context_memory(context).bytes;
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = (int)fuzz_below(&bytes, 2);
    options.ignore_compliance = (int)fuzz_below(&bytes, 2);
    options.count_only = (int)fuzz_below(&bytes, 2);
    fuzz_drawn drawn;
    fuzz_draw_problem(&bytes, &drawn);
    saddle_rank rank;
    saddle_status status = saddle_rank_find(context, &drawn.problem, &options, &rank);
    fuzz_demand(status != SADDLE_INTERNAL && status != SADDLE_INVALID_ARGUMENT);
    if (status == SADDLE_OK) {
        fuzz_demand(rank.rank + rank.dependency_count == rank.examined &&
                    rank.inconsistent <= rank.dependency_count);
        for (int64_t k = 0; rank.dependency && k < rank.dependency_count; k++)
            look_at(&drawn.problem, &rank, &rank.dependency[k]);
        if (rank.dependency) share(context, &bytes, &drawn.problem, &rank);
    }
    saddle_rank_clear(&rank);
    fuzz_demand(saddle_context_memory(context).bytes == before);
    saddle_context_free(context);
    return 0;
}
