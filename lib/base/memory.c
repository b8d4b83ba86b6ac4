/* SPDX-License-Identifier: MIT */
/* Memory through the context.  A head in front of each block holds its size, from which the
 * context's use, peak and limit follow.
 *
 * Blocks of malloc that hold a whole page of 2 MiB ask Linux for such pages: the first write to a
 * page is a fault of 1 to 5 us, in a virtual machine up to 20, and a factor with its first solve
 * writes to 17 to 50 MiB.  With large pages a contact problem of 60,000 rows has half as many
 * faults.  Blocks without zeros begin at a large page, and fill the last one if they need half of
 * it.  Where the system has no large pages, or the host has its own allocator, nothing is asked.
 */
#define _DEFAULT_SOURCE /* madvise */
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/context_internal.h"
#include "base/unset.h"

typedef struct head {
    alignas(max_align_t) size_t bytes; /* of the block after the head */
    size_t before;                     /* bytes from what malloc returned to the head */
} head;

#if defined(MADV_HUGEPAGE)
static const size_t large_page = (size_t)2 << 20; /* [bytes] */
#endif

/* Asks for large pages inside the block; NULL is fine, and so is failure. */
static void advise(void *block, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    size_t before = (large_page - (uintptr_t)block % large_page) % large_page;
    if (!block || bytes < before + large_page) return;
    (void)madvise((char *)block + before, (bytes - before) / large_page * large_page,
                  MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

/* malloc; blocks with room for a large page begin at a large page, and end with one where at least
 * half of the last is needed.  (glibc would not reuse memory of posix_memalign: each block would be
 * fresh from the system.) */
static head *allocate_pages(size_t bytes)
{
    size_t before = 0, whole = bytes;
#if defined(MADV_HUGEPAGE)
    const size_t rounded = (bytes + large_page / 2) / large_page * large_page;
    const int large = bytes >= large_page;
    if (large && rounded > bytes) whole = rounded;
    char *memory = malloc(large ? whole + large_page : whole);
    if (large) before = (large_page - (uintptr_t)memory % large_page) % large_page;
#else
    char *memory = malloc(whole);
#endif
    if (!memory) return NULL;
    head *block = (head *)(void *)(memory + before);
    advise(block, whole); /* ahead of the first write */
    block->before = before;
    return block;
}

static head *reallocate(head *old, size_t bytes)
{
    const size_t before = old->before;
    char *memory = realloc((char *)old - before, before + bytes);
    if (!memory) return NULL;
    head *block = (head *)(void *)(memory + before);
    advise(block, bytes);
    return block;
}

/* *bytes <- count x size, where no more than the limit allows. */
static saddle_status admit(saddle_context *context, size_t old_bytes, int64_t count, size_t size,
                           size_t *bytes)
{
    const size_t most = (size_t)PTRDIFF_MAX - sizeof(head);
    int fits = count >= 0 && (size == 0 || (uint64_t)count <= most / size);
    *bytes = fits ? (size_t)count * size : SIZE_MAX;
    if (!fits)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory: %zu bytes asked for",
                           *bytes);
    if (!context || context->options.memory_limit == 0 || *bytes <= old_bytes) return SADDLE_OK;
    int64_t after = context->memory.bytes + (int64_t)(*bytes - old_bytes);
    if (after <= context->options.memory_limit) return SADDLE_OK;
    return saddle_fail(context, SADDLE_OUT_OF_MEMORY,
                       "memory limit of %lld bytes reached: %zu more asked for",
                       (long long)context->options.memory_limit, *bytes - old_bytes);
}

static void account(saddle_context *context, size_t old_bytes, size_t bytes)
{
    if (!context) return;
    saddle_memory_use *use = &context->memory;
    use->bytes += (int64_t)bytes - (int64_t)old_bytes;
    if (use->bytes > use->peak_bytes) use->peak_bytes = use->bytes;
    if (bytes > old_bytes) use->allocations++;
}

/* A block of count x size bytes, `old` moved there; old = NULL: a new block, zeroed if asked. */
static void *resize(saddle_context *context, head *old, int64_t count, size_t size, int zeroed)
{
    const size_t old_bytes = old ? old->bytes : 0;
    size_t bytes;
    if (admit(context, old_bytes, count, size, &bytes) != SADDLE_OK) return NULL;
    const size_t whole = sizeof(head) + bytes;
    head *block;
    if (context && context->options.allocator.allocate) {
        const saddle_allocator *a = &context->options.allocator;
        block = old ? a->reallocate(a->user, old, whole) : a->allocate(a->user, whole);
        if (block && zeroed) memset(block, 0, whole);
        if (block) block->before = 0;
    } else {
        block = old ? reallocate(old, whole) : zeroed ? calloc(1, whole) : allocate_pages(whole);
        if (!old && zeroed) advise(block, whole);
    }
    if (!block) {
        (void)saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory: %zu bytes asked for",
                          bytes);
        return NULL;
    }
    block->bytes = bytes;
    account(context, old_bytes, bytes);
    return block + 1;
}

void *saddle_allocate(saddle_context *context, int64_t count, size_t size)
{
    return resize(context, NULL, count, size, 1);
}

void *saddle__allocate_unset(saddle_context *context, int64_t count, size_t size)
{
    return resize(context, NULL, count, size, 0);
}

void *saddle_reallocate(saddle_context *context, void *block, int64_t count, size_t size)
{
    return resize(context, block ? (head *)block - 1 : NULL, count, size, !block);
}

saddle_status saddle__grow(saddle_context *context, void *array, int64_t count, size_t size)
{
    void *block;
    memcpy(&block, array, sizeof block);
    block = saddle_reallocate(context, block, count, size);
    if (!block) return SADDLE_OUT_OF_MEMORY;
    memcpy(array, &block, sizeof block);
    return SADDLE_OK;
}

saddle_status saddle__reserve(saddle_context *context, void *array, int64_t *capacity,
                              int64_t wanted, size_t size)
{
    if (wanted <= *capacity) return SADDLE_OK;
    const int64_t reserved = wanted < INT64_MAX / 2 ? wanted + wanted / 2 + 16 : wanted;
    const saddle_status status = saddle__grow(context, array, reserved, size);
    if (status == SADDLE_OK) *capacity = reserved;
    return status;
}

void saddle_release(saddle_context *context, void *block)
{
    if (!block) return;
    head *whole = (head *)block - 1;
    account(context, whole->bytes, 0);
    if (context && context->options.allocator.release) {
        context->options.allocator.release(context->options.allocator.user, whole);
    } else {
        free((char *)whole - whole->before);
    }
}

int64_t saddle__restart_peak(saddle_context *context)
{
    context->memory.peak_bytes = context->memory.bytes;
    return context->memory.bytes;
}

saddle_memory_use saddle_context_memory(const saddle_context *context)
{
    saddle_memory_use none = {0, 0, 0};
    return context ? context->memory : none;
}
