/* SPDX-License-Identifier: MIT */
/* See arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"

/* In front of each piece; pieces are contiguous. */
typedef union head {
    struct {
        size_t bytes; /* of the piece, a multiple of the head's size */
        int is_free;
    } of;
    max_align_t align;
} head;

static head *head_at(const saddle__arena *arena, size_t at)
{
    return (head *)(void *)(arena->block + at);
}

static size_t rounded(size_t bytes)
{
    return (bytes + sizeof(head) - 1) / sizeof(head) * sizeof(head);
}

/* Merges the piece at `at` with the free ones behind.  Returns the end. */
static size_t join(const saddle__arena *arena, size_t at)
{
    head *h = head_at(arena, at);
    size_t end = at + sizeof(head) + h->of.bytes;
    while (end < arena->used && head_at(arena, end)->of.is_free)
        end += sizeof(head) + head_at(arena, end)->of.bytes;
    h->of.bytes = end - at - sizeof(head);
    return end;
}

/* Shortens the piece to `bytes`; the rest becomes a free piece. */
static void split(head *h, size_t bytes)
{
    if (h->of.bytes == bytes) return;
    head *rest = h + 1 + bytes / sizeof(head);
    rest->of.bytes = h->of.bytes - bytes - sizeof(head);
    rest->of.is_free = 1;
    h->of.bytes = bytes;
}

/* The first free piece of `bytes` at least, otherwise the end of the last piece in use. */
static size_t find(saddle__arena *arena, size_t bytes)
{
    for (size_t at = arena->begin; at < arena->used;) {
        const head *h = head_at(arena, at);
        size_t end = h->of.is_free ? join(arena, at) : at + sizeof(head) + h->of.bytes;
        if (h->of.is_free && end == arena->used) arena->used = at;
        if (h->of.is_free && h->of.bytes >= bytes) return at;
        at = end;
    }
    return arena->used;
}

/* Places the last piece at `at`, with `bytes`.  0: no room. */
static int put_last(saddle__arena *arena, size_t at, size_t bytes)
{
    size_t room = arena->size - at;
    if (room < sizeof(head) || bytes > room - sizeof(head)) return 0;
    head_at(arena, at)->of.bytes = bytes;
    arena->used = at + sizeof(head) + bytes;
    return 1;
}

static void *take(void *user, size_t bytes)
{
    saddle__arena *arena = user;
    if (bytes > arena->size) return NULL;
    bytes = rounded(bytes);
    size_t at = find(arena, bytes);
    head *h = head_at(arena, at);
    if (at < arena->used)
        split(h, bytes);
    else if (!put_last(arena, at, bytes))
        return NULL;
    h->of.is_free = 0;
    return h + 1;
}

static void give_back(void *user, void *block)
{
    (void)user;
    ((head *)block - 1)->of.is_free = 1;
}

/* In place if the piece is the last one, or if the free room behind is enough. */
static void *resize(void *user, void *block, size_t bytes)
{
    saddle__arena *arena = user;
    head *h = (head *)block - 1;
    size_t before = h->of.bytes;
    if (bytes <= before) return block;
    if (bytes > arena->size) return NULL;
    size_t wanted = rounded(bytes);
    size_t at = (size_t)((char *)h - arena->block);
    int is_last = join(arena, at) == arena->used;
    if (is_last && put_last(arena, at, wanted)) return block;
    int fits = h->of.bytes >= wanted;
    split(h, fits ? wanted : before);
    if (fits) return block;
    void *grown = take(user, bytes);
    if (!grown) return NULL;
    memcpy(grown, block, before);
    give_back(user, block);
    return grown;
}

saddle_status saddle__arena_create(saddle_context *owner, int64_t bytes, saddle__arena *arena)
{
    saddle__arena fresh = {.owner = owner,
                           .size = (size_t)bytes + sizeof(saddle_context) + 8 * sizeof(head)};
    *arena = fresh;
    arena->block = saddle__allocate_unset(owner, (int64_t)fresh.size, 1);
    if (!arena->block) return SADDLE_OUT_OF_MEMORY;
    uintptr_t off = (uintptr_t)arena->block % sizeof(head);
    arena->begin = arena->used = (sizeof(head) - off) % sizeof(head);
    saddle_context_options options = saddle_context_options_default();
    saddle_allocator allocator = {.allocate = take,
                                  .reallocate = resize,
                                  .release = give_back,
                                  .user = arena};
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
    memset(arena, 0, sizeof *arena);
}
