/* SPDX-License-Identifier: MIT */
/* A context whose memory is one block, for objects that are created and freed again and again
 * within a call that must not allocate.  A piece is placed as far in front as possible, so that
 * released memory is used again first.  saddle__arena_empty releases all pieces at once.  A piece
 * without room is a failed allocation like any other.  The search passes all pieces: some tens of
 * them are intended.
 */
#ifndef SADDLE_LIB_ARENA_H
#define SADDLE_LIB_ARENA_H

#include "saddle/context.h"

typedef struct saddle__arena {
    saddle_context *owner;   /* allocates the block */
    saddle_context *context; /* allocates within the block, and lies in it */
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
