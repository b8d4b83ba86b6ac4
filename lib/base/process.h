/* SPDX-License-Identifier: MIT */
/* State of the process in other libraries: the host's number of BLAS threads, METIS. */
#ifndef SADDLE_LIB_PROCESS_H
#define SADDLE_LIB_PROCESS_H

#include "saddle/matrix.h"

/* Between begin and end, BLAS runs on the calling thread only, in the whole process; afterwards the
 * host's count of threads is restored.  Calls may be nested and come from several threads at once;
 * each begin needs an end, also on failure. */
void saddle__blas_begin(void);
void saddle__blas_end(void);

/* Around an analysis with METIS (used != 0): one at a time in the process. */
void saddle__metis_begin(int used);
void saddle__metis_end(int used);

/* 1: the graph of A fits the 32-bit indices of METIS. */
static inline int saddle__metis_can_order(const saddle_matrix *A)
{
    /* both triangles without the diagonal have at most twice the stored entries */
    return A->rows < INT32_MAX && saddle_matrix_entries(A) < INT32_MAX / 2;
}

#endif
