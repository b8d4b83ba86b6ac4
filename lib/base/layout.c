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

/* A gap of one line between two arrays keeps their starts at different places of a page. */
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
    size_t gap = layout->tight ? 0 : SADDLE__LINE;
    size_t at = layout->taken;
    layout->taken += whole + gap;
    if (!layout->memory) return NULL;
    char *array = layout->memory +
                  (SADDLE__LINE - (uintptr_t)layout->memory % SADDLE__LINE) % SADDLE__LINE + at;
    if (gap > 0) ASAN_POISON_MEMORY_REGION(array + bytes, whole + gap - bytes);
    return array;
}

saddle_status saddle__layout_allocate(saddle_context *context, saddle__layout *layout)
{
    if (layout->too_much)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY,
                           "out of memory: arrays of more than %zu bytes asked for", layout->taken);
    layout->bytes = layout->taken + SADDLE__LINE;
    layout->memory = layout->unset ? saddle__allocate_unset(context, (int64_t)layout->bytes, 1)
                                   : saddle_allocate(context, (int64_t)layout->bytes, 1);
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
