/* SPDX-License-Identifier: MIT */
/* Arrays side by side in one block of memory.  They are laid out twice, to count and to hand out,
 * by one and the same function:
 *
 *     static void place(thing *t)
 *     {
 *         t->x = saddle__layout_take(&t->layout, t->n, sizeof(*t->x));
 *         t->y = ...
 *     }
 *
 *     place(t);                                                      counts, x = y = ... = NULL
 *     status = saddle__layout_allocate(context, &t->layout);
 *     place(t);                                         x, y, ..., or NULL where there is no memory
 *
 * For an object whose arrays are gone through side by side, step by step: one block is large enough
 * for large pages (huge_pages.h) where the arrays by themselves are not.  Under an address
 * sanitizer what lies between them is poisoned.
 */
#ifndef SADDLE_LIB_LAYOUT_H
#define SADDLE_LIB_LAYOUT_H

#include "saddle/context.h"

typedef struct saddle__layout {
    char *memory; /* NULL = it counts */
    size_t bytes; /* of the block */
    size_t taken;
    int too_much; /* more than can be asked for */
} saddle__layout;

/* The next array, count x size bytes on a cache line of its own, zeros. */
void *saddle__layout_take(saddle__layout *layout, int64_t count, size_t size);

/* After all has been counted.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__layout_allocate(saddle_context *context, saddle__layout *layout);

/* all-zero ones are fine */
void saddle__layout_clear(saddle_context *context, saddle__layout *layout);

#endif
