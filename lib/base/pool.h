/* SPDX-License-Identifier: MIT */
/* Several arrays in one block of memory, where asking for each would cost more than filling them.  Who lays them out does
 * it twice: without a block, which measures, and with it.
 *
 *     saddle__pool pool = {NULL, 0};
 *     lay_out(object, &pool);                     each array = saddle__pool_take(&pool, count, size)
 *     block = saddle__pool_open(context, &pool);
 *     if (block) lay_out(object, &pool);
 */
#ifndef SADDLE_LIB_POOL_H
#define SADDLE_LIB_POOL_H

#include "saddle/context.h"

typedef struct saddle__pool {
    char *block;   /* NULL while it is measured                               */
    int64_t used;  /* bytes; beyond what memory can be: stays at the largest  */
} saddle__pool;

/* The next `count` entries, on a boundary that every type and vector instruction likes; NULL while it is measured. */
void *saddle__pool_take(saddle__pool *pool, int64_t count, size_t size);

/* The block, to be released by the caller, with zeros where asked for; used begins anew.  NULL: out of memory. */
void *saddle__pool_open(saddle_context *context, saddle__pool *pool, int zeroed);

#endif
