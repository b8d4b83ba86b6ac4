/* SPDX-License-Identifier: MIT */
/* See sort.h. */
#include "base/sort.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void saddle__sort_indices(int64_t count, int64_t *index)
{
    if (count > 1) qsort(index, (size_t)count, sizeof *index, ascending);
}
