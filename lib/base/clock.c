/* SPDX-License-Identifier: MIT */
/* The wall clock that times phases and ends time limits. */
#include <time.h>

#include "saddle/context.h"

double saddle_clock(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
