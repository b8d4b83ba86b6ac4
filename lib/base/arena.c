/* SPDX-License-Identifier: MIT */
/* See arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"

/* Before each piece. */
typedef union head {
    size_t bytes; /* of the piece, a multiple of the head's size */
    max_align_t align;
} head;

static void *take(void *user, size_t bytes)
{
    saddle__arena *arena = user;
    size_t room = arena->size - arena->used;
    if (room < 2 * sizeof(head) || bytes > room - 2 * sizeof(head)) return NULL;
    head *piece = (head *)(void *)(arena->block + arena->used);
    piece->bytes = (bytes + sizeof(head) - 1) / sizeof(head) * sizeof(head);
    arena->used += sizeof(head) + piece->bytes;
    return piece + 1;
}

static void give_back(void *user, void *block)
{
    saddle__arena *arena = user;
    const head *piece = (head *)block - 1;
    if ((char *)block + piece->bytes == arena->block + arena->used) arena->used -= sizeof(head) + piece->bytes;
}

/* In place where it fits or is the last piece. */
static void *resize(void *user, void *block, size_t bytes)
{
    saddle__arena *arena = user;
    size_t used = arena->used;
    size_t before = ((head *)block - 1)->bytes;
    if (bytes <= before) return block;
    give_back(user, block);
    void *grown = take(user, bytes);
    if (!grown) arena->used = used;
    if (grown && grown != block) memcpy(grown, block, before);
    return grown;
}

static void open_block(saddle__arena *arena)
{
    uintptr_t off = (uintptr_t)arena->block % sizeof(head);
    arena->used = (sizeof(head) - off) % sizeof(head);
}

saddle_status saddle__arena_create(saddle_context *owner, int64_t bytes, saddle__arena *arena)
{
    saddle__arena fresh = {.owner = owner, .size = (size_t)bytes + sizeof(saddle_context) + 8 * sizeof(head)};
    *arena = fresh;
    arena->block = saddle__allocate_unset(owner, (int64_t)fresh.size, 1);
    if (!arena->block) return SADDLE_OUT_OF_MEMORY;
    open_block(arena);
    saddle_context_options options = saddle_context_options_default();
    saddle_allocator allocator = {.allocate = take, .reallocate = resize, .release = give_back, .user = arena};
    options.allocator = allocator;
    saddle_status status = saddle_context_create(&options, &arena->context);
    arena->empty = arena->used;
    if (status != SADDLE_OK) saddle__arena_clear(arena);
    return status;
}

void saddle__arena_empty(saddle__arena *arena)
{
    arena->used = arena->empty;
}

void saddle__arena_clear(saddle__arena *arena)
{
    saddle_release(arena->owner, arena->block);
    memset(arena, 0, sizeof(*arena));
}
