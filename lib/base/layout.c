/* SPDX-License-Identifier: MIT */
/* See layout.h. */
#include "base/layout.h"

#include <stdint.h>
#include <string.h>

#include "base/unset.h"

#if defined(__SANITIZE_ADDRESS__)
#define POISONS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS
#endif
#endif

#if defined(POISONS)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

/* A cache line [bytes].  A gap of one line between two arrays keeps their starts at different
 * places of a page. */
void *saddle__layout_take(saddle__layout *layout, int64_t count, size_t size)
{
    const size_t most = (size_t)PTRDIFF_MAX / 2;
    size_t room = layout->taken < most ? most - layout->taken : 0;
    if (layout->too_much || count < 0 || (size > 0 && (uint64_t)count > room / size)) {
        layout->too_much = 1;
        return NULL;
    }
    size_t bytes = (size_t)count * size;
    size_t whole = (bytes + SADDLE__LINE - 1) / SADDLE__LINE * SADDLE__LINE;
    size_t at = layout->taken;
    layout->taken += whole + SADDLE__LINE;
    if (!layout->memory) return NULL;
    char *array = layout->memory +
                  (SADDLE__LINE - (uintptr_t)layout->memory % SADDLE__LINE) % SADDLE__LINE + at;
    ASAN_POISON_MEMORY_REGION(array + bytes, whole + SADDLE__LINE - bytes);
    return array;
}

saddle_status saddle__layout_allocate(saddle_context *context, saddle__layout *layout)
{
    if (layout->too_much)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY,
                           "out of memory: arrays of more than %zu bytes asked for", layout->taken);
    layout->bytes = layout->taken + SADDLE__LINE;
    layout->memory = saddle_allocate(context, (int64_t)layout->bytes, 1);
    layout->taken = 0;
    return layout->memory ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__layout_make(saddle_context *context, saddle__layout *layout,
                                  const saddle__array *arrays, size_t length)
{
    for (size_t k = 0; k < length; k++)
        (void)saddle__layout_take(layout, arrays[k].count, arrays[k].size);
    saddle_status status = saddle__layout_allocate(context, layout);
    for (size_t k = 0; k < length; k++) {
        void *array = status == SADDLE_OK
                          ? saddle__layout_take(layout, arrays[k].count, arrays[k].size)
                          : NULL;
        memcpy(arrays[k].pointer, &array, sizeof array);
    }
    return status;
}

void saddle__layout_clear(saddle_context *context, saddle__layout *layout)
{
    if (layout->memory) ASAN_UNPOISON_MEMORY_REGION(layout->memory, layout->bytes);
    saddle_release(context, layout->memory);
    memset(layout, 0, sizeof *layout);
}

void *saddle__pool_open(saddle_context *context, saddle__pool *pool, int zeroed)
{
    int64_t bytes = pool->used >= SADDLE__POOL_FULL ? INT64_MAX : pool->used + SADDLE__LINE;
    void *block = zeroed ? saddle_allocate(context, bytes, 1)
                         : saddle__allocate_unset(context, bytes, 1);
    uintptr_t off = (uintptr_t)block % SADDLE__LINE;
    pool->block = block ? (char *)block + (SADDLE__LINE - off) % SADDLE__LINE : NULL;
    pool->used = 0;
    return block;
}

void *saddle__pool_make(saddle_context *context, const saddle__array *arrays, size_t length,
                        int zeroed)
{
    saddle__pool pool = {NULL, 0};
    for (size_t k = 0; k < length; k++)
        (void)saddle__pool_take(&pool, arrays[k].count, arrays[k].size);
    void *block = saddle__pool_open(context, &pool, zeroed);
    for (size_t k = 0; block && k < length; k++) {
        void *array = saddle__pool_take(&pool, arrays[k].count, arrays[k].size);
        memcpy(arrays[k].pointer, &array, sizeof array);
    }
    return block;
}
