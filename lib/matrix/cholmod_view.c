/* SPDX-License-Identifier: MIT */
#include "matrix/cholmod_view.h"

void saddle__cholmod_start(cholmod_common *common)
{
    cholmod_l_start(common);
    common->print = 0;
    common->error_handler = NULL;
    common->try_catch = 1;
}

cholmod_sparse saddle__cholmod_pattern(int64_t rows, int64_t cols, int64_t *start, int64_t *index,
                                       int stype)
{
    return (cholmod_sparse){.nrow = (size_t)rows,
                            .ncol = (size_t)cols,
                            .nzmax = (size_t)start[cols],
                            .p = start,
                            .i = index,
                            .stype = stype,
                            .itype = CHOLMOD_LONG,
                            .xtype = CHOLMOD_PATTERN,
                            .dtype = CHOLMOD_DOUBLE,
                            .packed = 1};
}

saddle_status saddle__cholmod_failed(saddle_context *context, const cholmod_common *common,
                                     int64_t order)
{
    if (common->status == CHOLMOD_OUT_OF_MEMORY)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory in CHOLMOD, order %lld",
                           (long long)order);
    if (common->status == CHOLMOD_TOO_LARGE)
        return saddle_fail(context, SADDLE_TOO_LARGE, "order %lld is too large for CHOLMOD",
                           (long long)order);
    return saddle_fail(context, SADDLE_INTERNAL, "CHOLMOD status %d", common->status);
}
