/* SPDX-License-Identifier: MIT */
/* A symmetric system in a file that two programs map: the lower triangle of K by columns, and room
 * for right-hand sides. */
#ifndef SADDLE_BENCH_SHARED_SYSTEM_H
#define SADDLE_BENCH_SHARED_SYSTEM_H

#include <stdint.h>

enum { SHARED_COLUMNS = 16 };

/* Followed by start (n + 1), index (entries), value (entries), x (n x SHARED_COLUMNS). */
typedef struct shared_head {
    int64_t n, entries;
} shared_head;

typedef struct shared_system {
    shared_head *head;
    int64_t *start, *index;
    double *value, *x;
} shared_system;

static inline int64_t shared_size(int64_t n, int64_t entries)
{
    return (int64_t)sizeof(shared_head) + 8 * (n + 1 + 2 * entries + n * SHARED_COLUMNS);
}

static inline shared_system shared_at(void *memory, int64_t n, int64_t entries)
{
    shared_system s = {.head = memory};
    s.start = (int64_t *)(s.head + 1);
    s.index = s.start + n + 1;
    s.value = (double *)(s.index + entries);
    s.x = s.value + entries;
    return s;
}

#endif
