/* SPDX-License-Identifier: MIT */
/* Memory without zeros, for large arrays written before use: unused pages stay out of memory. */
#ifndef SADDLE_LIB_UNSET_H
#define SADDLE_LIB_UNSET_H

#include "saddle/context.h"

/* saddle_allocate without zeros. */
void *saddle__allocate_unset(saddle_context *context, int64_t count, size_t size);

#endif
