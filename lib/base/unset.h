/* SPDX-License-Identifier: MIT */
/* Memory without zeros, for large arrays written before use: unused pages stay out of memory; and
 * growing arrays. */
#ifndef SADDLE_LIB_UNSET_H
#define SADDLE_LIB_UNSET_H

#include "saddle/context.h"

/* Resizes *array, a pointer to any type, to count elements; new elements are not zeroed.
 * SADDLE_OUT_OF_MEMORY: *array is unchanged. */
saddle_status saddle__grow(saddle_context *context, void *array, int64_t count, size_t size);

/* saddle__grow where `wanted` exceeds *capacity, with one half in reserve. */
saddle_status saddle__reserve(saddle_context *context, void *array, int64_t *capacity,
                              int64_t wanted, size_t size);

/* saddle_allocate without zeros. */
void *saddle__allocate_unset(saddle_context *context, int64_t count, size_t size);

#endif
