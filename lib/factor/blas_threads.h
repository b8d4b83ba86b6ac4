/* SPDX-License-Identifier: MIT */
/* One BLAS thread per thread of ours. */
#ifndef SADDLE_LIB_BLAS_THREADS_H
#define SADDLE_LIB_BLAS_THREADS_H

/* Between the two BLAS runs on the thread that calls it, in the whole process; afterwards the
 * host's count is as it was. Calls may be nested and come from several threads at once; each begin
 * needs its end, also on failure. */
void saddle__blas_begin(void);
void saddle__blas_end(void);

#endif
