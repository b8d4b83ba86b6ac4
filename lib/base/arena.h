/* SPDX-License-Identifier: MIT */
/* A context of its own whose memory is one block: who makes and drops an object again and again,
 * within a call that must not allocate, has it made there.  Memory is handed out as far in front as
 * a piece fits, so that what has been released is used again before more is touched; all of it
 * comes back by saddle__arena_empty.  A piece that does not fit is a failed allocation like any
 * other.  Who asks passes all pieces: it is for objects of some tens of them.
 */
#ifndef SADDLE_LIB_ARENA_H
#define SADDLE_LIB_ARENA_H

#include "saddle/context.h"

typedef struct saddle__arena {
    saddle_context *owner;   /* whose memory the block is */
    saddle_context *context; /* hands out the arena's; lies in it */
    char *block;
    size_t size;        /* bytes */
    size_t begin, used; /* pieces lie between these */
    size_t empty;       /* used, with the context and no more */
} saddle__arena;

/* bytes: of the block, not touched before they are used.  SADDLE_OUT_OF_MEMORY.  The arena must
 * stay where it is. */
saddle_status saddle__arena_create(saddle_context *owner, int64_t bytes, saddle__arena *arena);

/* Whatever was made in it is gone. */
void saddle__arena_empty(saddle__arena *arena);

void saddle__arena_clear(saddle__arena *arena); /* half-built ones are fine */

#endif
