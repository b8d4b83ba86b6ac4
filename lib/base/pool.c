/* SPDX-License-Identifier: MIT */
/* See pool.h. */
#include "base/pool.h"

#include <stdint.h>

#include "base/unset.h"

void *saddle__pool_open(saddle_context *context, saddle__pool *pool, int zeroed)
{
    int64_t bytes = pool->used >= SADDLE__POOL_FULL ? INT64_MAX
                                                    : pool->used + SADDLE__POOL_BOUNDARY;
    void *block = zeroed ? saddle_allocate(context, bytes, 1)
                         : saddle__allocate_unset(context, bytes, 1);
    uintptr_t off = (uintptr_t)block % SADDLE__POOL_BOUNDARY;
    pool->block = block ? (char *)block + (SADDLE__POOL_BOUNDARY - off) % SADDLE__POOL_BOUNDARY
                        : NULL;
    pool->used = 0;
    return block;
}
