/* SPDX-License-Identifier: MIT */
/* OpenBLAS has one count of threads for the whole process, which is the host's.  While any of our
 * factorizations or solves is under way it is 1, since our own threads call BLAS side by side, and
 * results must not depend on it; the last to leave sets what the first to enter found, unless the
 * host has set another count meanwhile.  The number of those within and the count found, under a
 * lock, are state of the process by nature, as OpenBLAS' count is.
 *
 * Other BLAS libraries do not have these functions: then there is nothing to do. */
#include <pthread.h>
#include <stdint.h>

#include "factor/blas_threads.h"

int openblas_get_num_threads(void) __attribute__((weak));
void openblas_set_num_threads(int count) __attribute__((weak));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t within;
static int found;

void saddle__blas_begin(void)
{
    if (!openblas_get_num_threads || !openblas_set_num_threads) return;
    (void)pthread_mutex_lock(&lock);
    if (within++ == 0) {
        found = openblas_get_num_threads();
        if (found != 1) openblas_set_num_threads(1);
    }
    (void)pthread_mutex_unlock(&lock);
}

void saddle__blas_end(void)
{
    if (!openblas_get_num_threads || !openblas_set_num_threads) return;
    (void)pthread_mutex_lock(&lock);
    if (--within == 0 && found != 1 && openblas_get_num_threads() == 1)
        openblas_set_num_threads(found);
    (void)pthread_mutex_unlock(&lock);
}
