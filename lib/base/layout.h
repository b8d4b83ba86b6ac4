/* SPDX-License-Identifier: MIT */
/* Arrays side by side in one block of memory, named by a table:
 *
 *     const saddle__array arrays[] = {SADDLE__ARRAY(t->x, t->n), SADDLE__ARRAY(t->y, t->m), ...};
 *     status = saddle__layout_make(context, &t->layout, arrays, SADDLE__LENGTH(arrays));
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
    int tight;    /* 1: without gaps, for many small arrays */
    int unset;    /* 1: without zeros, for very large arrays */
} saddle__layout;

typedef struct saddle__array {
    void *pointer; /* the address of a pointer to any type */
    int64_t count;
    size_t size; /* of an element [bytes] */
} saddle__array;

#define SADDLE__ARRAY(pointer, count)          \
    {                                          \
        &(pointer), (count), sizeof *(pointer) \
    }
#define SADDLE__LENGTH(table) (sizeof(table) / sizeof *(table))

/* Sets the pointers of the `length` arrays: zeros, each on a cache line of its own.  layout:
 * all-zero but for tight and unset.  SADDLE_OUT_OF_MEMORY: NULL. */
saddle_status saddle__layout_make(saddle_context *context, saddle__layout *layout,
                                  const saddle__array *arrays, size_t length);

/* ---- in two passes, where arrays of other objects lie in the same block ----
 *
 * One function sets the pointers; it is called before saddle__layout_allocate, to count the bytes,
 * and again afterwards. */

/* The next array, as above.  NULL while counting. */
void *saddle__layout_take(saddle__layout *layout, int64_t count, size_t size);

/* Allocates the bytes counted.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__layout_allocate(saddle_context *context, saddle__layout *layout);

/* Releases the block; all-zero layouts are fine. */
void saddle__layout_clear(saddle_context *context, saddle__layout *layout);

#endif
