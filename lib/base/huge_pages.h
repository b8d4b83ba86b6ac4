/* SPDX-License-Identifier: MIT */
/* Large pages for large blocks of malloc, where the system gives them to those who ask: Linux,
 * unless its transparent_hugepage is set to never; elsewhere nothing happens.
 *
 * Why: fresh memory comes in pages of 4 KiB, each with a fault of its own when it is first touched,
 * 1 to 5 us: the first factor and solve of a contact problem with 60,000 rows touches 17 to 50 MiB.
 * A page of 2 MiB is one fault.
 *
 * What it costs: one call to the system a block, about a microsecond; up to 2 MiB more of a block
 * resident than was touched. Pages that nobody touches stay out of memory, those of calloc too.
 *
 * Measured (60,000 rows in a heap of discs, factor and the first solve, faults): schur 4,430 to
 * 2,103, pivot 5,602 to 2,481; 15,000 rows: 909 to 224, 1,288 to 628.  Blocks from 1 MiB on, or
 * from 8 MiB, make no difference to these that stands out of the noise; the first and last part
 * page of a block stay small, so that smaller blocks have nothing to gain.
 *
 * A host that does not want it has its own allocator, or prctl(PR_SET_THP_DISABLE).
 */
#ifndef SADDLE_LIB_HUGE_PAGES_H
#define SADDLE_LIB_HUGE_PAGES_H

#include <stddef.h>

/* block: of malloc, calloc or realloc; NULL and small ones are fine.  Its contents stay; that it
 * fails is no failure. */
void saddle__huge_pages_advise(void *block, size_t bytes);

#endif
