/* SPDX-License-Identifier: MIT */
/* Indices in ascending order. */
#ifndef SADDLE_LIB_SORT_H
#define SADDLE_LIB_SORT_H

#include <stdint.h>

/* index (count), in place; count = 0 is fine, with any index. */
void saddle__sort_indices(int64_t count, int64_t *index);

#endif
