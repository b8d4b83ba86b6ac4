/* SPDX-License-Identifier: MIT */
/* Places for items: taken, given back, taken again with another generation. */
#ifndef SADDLE_ASSEMBLY_ITEMS_H
#define SADDLE_ASSEMBLY_ITEMS_H

#include "model_internal.h"

int saddle__handle_is_ground(saddle_handle handle);

int saddle__handles_are_same(saddle_handle a, saddle_handle b);

/* *place: a free one of pool, appended to the order; items (of item_size bytes each) grows with it,
 * zeroed.  The caller gives it a generation and an item, or gives it back.  SADDLE_OUT_OF_MEMORY,
 * SADDLE_TOO_LARGE: nothing has changed. */
saddle_status saddle__pool_take(saddle_context *context, saddle__pool *pool, void **items,
                                size_t item_size, int32_t *place);

/* generation: of what was there.  After the last one, UINT16_MAX, the place is never taken
 * again. */
void saddle__pool_give_back(saddle__pool *pool, int32_t place, uint16_t generation);

/* The generation after one that is not the last; never 0, which is the ground's. */
static inline uint16_t saddle__next_generation(uint16_t generation)
{
    return (uint16_t)(generation + 1);
}

/* *copy: of name, NULL where that is NULL. */
saddle_status saddle__copy_name(saddle_context *context, const char *name, char **copy);

/* What they own is released; generation stays, item becomes NONE.  Zeroed and half-built ones are
 * fine. */
void saddle__part_clear(saddle_context *context, saddle__part *part);
void saddle__force_clear(saddle_context *context, saddle__force *force);
void saddle__constraint_clear(saddle_context *context, saddle__constraint *constraint);

/* 1: R (9) is orthonormal to 1e-9 and right-handed. */
int saddle__is_rotation(const double *R);
/* the same, orthonormal to tolerance */
int saddle__is_nearly_rotation(const double *R, double tolerance);

/* anchors (count) as forces and constraints may have them: of parts that are there, or the ground;
 * no two the same. moving: how many are of parts that are not prescribed.  subject: how the message
 * begins.  SADDLE_INVALID_ARGUMENT. */
saddle_status saddle__anchors_check(const saddle_model *model, const char *subject, int64_t count,
                                    const saddle_anchor *anchors, int64_t *moving);

/* One more (1) or one less (-1) that acts on these parts. */
void saddle__anchors_count(saddle_model *model, int64_t count, const saddle_anchor *anchors,
                           int by);

/* *copy: of count * size bytes of data; NULL where that is none. */
saddle_status saddle__copy_block(saddle_context *context, const void *data, int64_t count,
                                 size_t size, void **copy);

#endif
