/* SPDX-License-Identifier: MIT */
/* Memory that is not zeroed: for large arrays that are written before they are read, so that pages
 * nobody needs yet, as those for many right-hand sides, are not touched. */
#ifndef SADDLE_LIB_UNSET_H
#define SADDLE_LIB_UNSET_H

#include "saddle/context.h"

/* As saddle_allocate, but for the zeros. */
void *saddle__allocate_unset(saddle_context *context, int64_t count, size_t size);

#endif
