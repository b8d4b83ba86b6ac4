/* SPDX-License-Identifier: MIT */
/* The clock of tables with other programs: wall clock, or processor time of this thread on a
 * machine in use by others. */
#ifndef SADDLE_BENCH_CLOCK_H
#define SADDLE_BENCH_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Chooses the clock and measures the cost of a look at it, which is subtracted from intervals. */
void bench_use_processor_time(int yes);

double bench_now(void); /* [s] */

/* seconds: of an interval with `between` more looks at the clock within it [s]. */
double bench_without_looks(double seconds, int between);

#ifdef __cplusplus
}
#endif

#endif
