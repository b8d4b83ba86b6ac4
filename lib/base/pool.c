/* SPDX-License-Identifier: MIT */
/* See pool.h. */
#include "base/pool.h"

#include <stdint.h>

#include "base/unset.h"

enum { BOUNDARY = 32 };

void *saddle__pool_take(saddle__pool *pool, int64_t count, size_t size)
{
    char *at = pool->block ? pool->block + pool->used : NULL;
    int64_t most = (INT64_MAX - pool->used) / (int64_t)size;
    if (count > most || pool->used + count * (int64_t)size > INT64_MAX - BOUNDARY)
        pool->used = INT64_MAX;
    else
        pool->used += (count * (int64_t)size + BOUNDARY - 1) / BOUNDARY * BOUNDARY;
    return at;
}

void *saddle__pool_open(saddle_context *context, saddle__pool *pool, int zeroed)
{
    int64_t bytes = pool->used == INT64_MAX ? INT64_MAX : pool->used + BOUNDARY;
    void *block = zeroed ? saddle_allocate(context, bytes, 1) : saddle__allocate_unset(context, bytes, 1);
    pool->block = block ? (char *)block + (BOUNDARY - (uintptr_t)block % BOUNDARY) % BOUNDARY : NULL;
    pool->used = 0;
    return block;
}
