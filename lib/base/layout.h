/* SPDX-License-Identifier: MIT */
/* Arrays side by side in one block of memory.  One function names them; it is called twice, first
 * to count the bytes, then to set the pointers:
 *
 *     static void place(thing *t)
 *     {
 *         t->x = saddle__layout_take(&t->layout, t->n, sizeof *t->x);
 *         t->y = ...
 *     }
 *
 *     place(t);                                                      counts, x = y = ... = NULL
 *     status = saddle__layout_allocate(context, &t->layout);
 *     place(t);                                   x, y, ..., or NULL where the allocation failed
 *
 * An object needs no list of its arrays to check and to release them, and its block is large enough
 * for large pages where single arrays are not.  Under an address sanitizer the gaps between the
 * arrays are poisoned.
 */
#ifndef SADDLE_LIB_LAYOUT_H
#define SADDLE_LIB_LAYOUT_H

#include "saddle/context.h"

enum { SADDLE__LINE = 64 }; /* bytes of a cache line: where arrays begin */

typedef struct saddle__layout {
    char *memory; /* NULL while counting */
    size_t bytes; /* of the block */
    size_t taken;
    int too_much; /* the sizes overflow */
} saddle__layout;

/* The next array: count x size bytes, zeros, on a cache line of its own.  NULL while counting. */
void *saddle__layout_take(saddle__layout *layout, int64_t count, size_t size);

/* Allocates the bytes counted.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__layout_allocate(saddle_context *context, saddle__layout *layout);

/* Releases the block; all-zero layouts are fine. */
void saddle__layout_clear(saddle_context *context, saddle__layout *layout);

/* ---- without gaps, and without zeros if wished: for many small arrays and for very large ones
 * ----
 *
 *     saddle__pool pool = {NULL, 0};
 *     lay_out(object, &pool);                    each array = saddle__pool_take(&pool, count, size)
 *     block = saddle__pool_open(context, &pool, zeroed);
 *     if (block) lay_out(object, &pool);
 */
typedef struct saddle__pool {
    char *block;  /* NULL while counting */
    int64_t used; /* bytes, a multiple of a line; SADDLE__POOL_FULL: beyond any memory */
} saddle__pool;

#define SADDLE__POOL_FULL (INT64_MAX - 2 * SADDLE__LINE)

/* The next `count` entries, on a line; NULL while counting. */
static inline void *saddle__pool_take(saddle__pool *pool, int64_t count, size_t size)
{
    char *at = pool->block ? pool->block + pool->used : NULL;
    int fits = count <= (SADDLE__POOL_FULL - pool->used) / (int64_t)size;
    int64_t units = fits ? (count * (int64_t)size + SADDLE__LINE - 1) / SADDLE__LINE : 0;
    pool->used = fits ? pool->used + units * SADDLE__LINE : SADDLE__POOL_FULL;
    return at;
}

/* The block, released by the caller; zeroed: 1 = zeros.  NULL: out of memory. */
void *saddle__pool_open(saddle_context *context, saddle__pool *pool, int zeroed);

#endif
