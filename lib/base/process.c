/* SPDX-License-Identifier: MIT */
/* OpenBLAS has one count of threads for the whole process.  While a factorization or a solve is
 * under way the count is 1, since several threads of ours call BLAS side by side, and results must
 * not depend on the count.  The last caller to leave restores the count that the first one found,
 * unless the host has set another count meanwhile.  Other BLAS libraries lack these functions, and
 * nothing is done.
 *
 * METIS seeds and calls rand(), and replaces signal handlers during an ordering: two orderings at
 * once would share one sequence, and not repeat.
 *
 * The two locks, the number of callers and the count found are state of the process by nature, and
 * the only globals of the library.
 */
#include "base/process.h"

#include <pthread.h>
#include <stdint.h>

/* ---- OpenBLAS ---- */

int openblas_get_num_threads(void) __attribute__((weak));
void openblas_set_num_threads(int count) __attribute__((weak));

static pthread_mutex_t blas_lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t within;
static int found;

void saddle__blas_begin(void)
{
    if (!openblas_get_num_threads || !openblas_set_num_threads) return;
    (void)pthread_mutex_lock(&blas_lock);
    if (within++ == 0) {
        found = openblas_get_num_threads();
        if (found != 1) openblas_set_num_threads(1);
    }
    (void)pthread_mutex_unlock(&blas_lock);
}

void saddle__blas_end(void)
{
    if (!openblas_get_num_threads || !openblas_set_num_threads) return;
    (void)pthread_mutex_lock(&blas_lock);
    if (--within == 0 && found != 1 && openblas_get_num_threads() == 1)
        openblas_set_num_threads(found);
    (void)pthread_mutex_unlock(&blas_lock);
}

/* ---- METIS ---- */

static pthread_mutex_t metis_lock = PTHREAD_MUTEX_INITIALIZER;

void saddle__metis_begin(int used)
{
    if (used) (void)pthread_mutex_lock(&metis_lock);
}

void saddle__metis_end(int used)
{
    if (used) (void)pthread_mutex_unlock(&metis_lock);
}
