/* SPDX-License-Identifier: MIT */
/* See clock.h. */
#include "clock.h"

#include <math.h>
#include <time.h>

#include "harness.h"

static int processor_time;
/* time of a look at the clock [s]; of processor time a system call */
static double look;

void bench_use_processor_time(int yes)
{
    enum { LOOKS = 101 };
    double taken[LOOKS];
    processor_time = yes;
    for (int k = 0; k < LOOKS; k++) {
        double began = bench_now();
        taken[k] = bench_now() - began;
    }
    look = bench_median(taken, LOOKS);
}

double bench_now(void)
{
    struct timespec now;
    clock_gettime(processor_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_without_looks(double seconds, int between)
{
    return fmax(seconds - (1 + between) * look, 1e-9);
}
