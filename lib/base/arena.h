/* SPDX-License-Identifier: MIT */
/* A context with memory in one block, for objects created and freed again and again within a
 * call without allocations.  A piece is placed as far in front as possible, so that released
 * memory is reused first.  saddle__arena_empty releases all pieces at once.  Without room an
 * allocation fails as usual.  The search passes all pieces: some tens of pieces are intended.
 * */
#ifndef SADDLE_LIB_ARENA_H
#define SADDLE_LIB_ARENA_H

#include "saddle/context.h"

typedef struct saddle__arena {
    saddle_context *owner;   /* allocates the block */
    saddle_context *context; /* allocates within the block; in the block itself */
    char *block;
    size_t size;        /* bytes */
    size_t begin, used; /* pieces lie between these */
    size_t empty;       /* used, with the context alone */
} saddle__arena;

/* bytes: of the block.  The arena must stay at its address.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__arena_create(saddle_context *owner, int64_t bytes, saddle__arena *arena);

void saddle__arena_empty(saddle__arena *arena); /* all pieces become invalid */

void saddle__arena_clear(saddle__arena *arena); /* half-built ones are fine */

#endif
