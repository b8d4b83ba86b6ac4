/* SPDX-License-Identifier: MIT */
/* A hint that memory is going to be read.  Processors foresee streams by themselves, but not beyond
 * the end of a page; where several streams come from beyond the second level of the cache, who
 * passes over them waits at each.
 *
 * A function that does nothing but hint has to be SADDLE__HINTS: gcc takes it for one without
 * effect, and drops its calls. */
#ifndef SADDLE_LIB_PREFETCH_H
#define SADDLE_LIB_PREFETCH_H

#if defined(__GNUC__)
#define SADDLE__PREFETCH(address) __builtin_prefetch(address)
#define SADDLE__HINTS static inline __attribute__((always_inline))
#else
#define SADDLE__PREFETCH(address) ((void)(address))
#define SADDLE__HINTS static inline
#endif

#endif
