/* SPDX-License-Identifier: MIT */
/* METIS draws from rand(), which it seeds each time, and swaps signal handlers while it works:
 * state of the process.  Two orderings at once would draw from one sequence, and not repeat.  This
 * lock, the one global here, keeps them apart. */
#include <pthread.h>

#include "factor/factorization_internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void saddle__metis_begin(int used)
{
    if (used) (void)pthread_mutex_lock(&lock);
}

void saddle__metis_end(int used)
{
    if (used) (void)pthread_mutex_unlock(&lock);
}

int saddle__metis_can_order(const saddle_matrix *A)
{
    /* both triangles without the diagonal, at most twice what is stored */
    return A->rows < INT32_MAX && saddle_matrix_entries(A) < INT32_MAX / 2;
}
