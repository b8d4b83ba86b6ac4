/* SPDX-License-Identifier: MIT */
/* Several arrays in one block of memory, where asking for each would cost more than filling them.
 * Who lays them out does it twice: without a block, which measures, and with it.
 *
 *     saddle__pool pool = {NULL, 0};
 *     lay_out(object, &pool);                    each array = saddle__pool_take(&pool, count, size)
 *     block = saddle__pool_open(context, &pool, zeroed);
 *     if (block) lay_out(object, &pool);
 */
#ifndef SADDLE_LIB_POOL_H
#define SADDLE_LIB_POOL_H

#include "saddle/context.h"

enum { SADDLE__POOL_BOUNDARY = 32 }; /* bytes: what vector instructions like */

typedef struct saddle__pool {
    char *block;  /* NULL while it is measured */
    int64_t used; /* bytes, a multiple of the boundary; SADDLE__POOL_FULL: beyond any memory */
} saddle__pool;

#define SADDLE__POOL_FULL (INT64_MAX - 2 * SADDLE__POOL_BOUNDARY)

/* The next `count` entries, on a boundary; NULL while it is measured. */
static inline void *saddle__pool_take(saddle__pool *pool, int64_t count, size_t size)
{
    char *at = pool->block ? pool->block + pool->used : NULL;
    int fits = count <= (SADDLE__POOL_FULL - pool->used) / (int64_t)size;
    int64_t units = fits ? (count * (int64_t)size + SADDLE__POOL_BOUNDARY - 1) /
                               SADDLE__POOL_BOUNDARY
                         : 0;
    pool->used = fits ? pool->used + units * SADDLE__POOL_BOUNDARY : SADDLE__POOL_FULL;
    return at;
}

/* The block, to be released by the caller, with zeros where asked for; used begins anew.  NULL: out
 * of memory. */
void *saddle__pool_open(saddle_context *context, saddle__pool *pool, int zeroed);

#endif
