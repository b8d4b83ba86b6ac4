/* SPDX-License-Identifier: MIT */
/* See huge_pages.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/huge_pages.h"

#if defined(__linux__)
#include <stdint.h>
#include <sys/mman.h>
#endif

#if defined(MADV_HUGEPAGE)

/* A large page; the smallest block. */
static const size_t page = (size_t)2 << 20;
static const size_t least = (size_t)4 << 20;

void saddle__huge_pages_advise(void *block, size_t bytes)
{
    if (!block || bytes < least) return;
    size_t before = (page - (uintptr_t)block % page) % page;
    size_t inside = (bytes - before) / page * page;
    (void)madvise((char *)block + before, inside, MADV_HUGEPAGE);
}

#else

void saddle__huge_pages_advise(void *block, size_t bytes)
{
    (void)block;
    (void)bytes;
}

#endif
