/* SPDX-License-Identifier: MIT */
/* Common to the benchmarks: the command line, the clock, medians, a row of results. */
#ifndef SADDLE_BENCH_HARNESS_H
#define SADDLE_BENCH_HARNESS_H

#include <time.h>

#include "saddle/saddle.h"

typedef struct bench_options {
    const char *only;     /* --only NAME: cases by the begin of their names; NULL = all */
    const char *method;   /* --method NAME,...; NULL = all */
    const char *friction; /* --friction LAW; NULL = the problem's */
    int list;             /* --list */
    int csv;              /* --csv: comma-separated values instead of a table */
    int cpu;              /* --cpu: processor time instead of wall clock */
    double budget;        /* --budget SECONDS: longest predicted time of a run [s] */
    double tolerance;     /* --tolerance ERROR; 0 = not given */
    int64_t largest;      /* --largest UNKNOWNS: n + m of the largest system; 0 = no limit */
    int64_t threads;      /* --threads COUNT */
    int64_t repeat;       /* --repeat COUNT: most repetitions of a measurement; 0 = no limit */
} bench_options;

/* Reads the command line into options, which hold the defaults.  usage names the accepted options,
 * a line for each, "  --name".  Nonzero: usage was printed. */
int bench_read_options(int argc, char **argv, const char *usage, bench_options *options);

/* 1: name begins with begin; begin = NULL: all do. */
int bench_begins(const char *name, const char *begin);

/* 1: name begins with one of a list with commas; list = NULL: all do. */
int bench_wanted(const char *name, const char *list);

/* 1: no larger than largest, or largest = 0. */
static inline int bench_small(int64_t size, int64_t largest)
{
    return largest == 0 || size <= largest;
}

/* 1: name, whole or up to a '-', is in a list with commas; list = NULL: all are. */
int bench_listed(const char *name, const char *list);

/* Prints the message of an error; returns 1 for an error, else 0. */
int bench_report(const saddle_context *context, const char *name, saddle_status status);

/* Of this thread: other programs on the machine do not count [s]. */
static inline double bench_processor_seconds(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0
               ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
               : 0;
}

/* One line of the table.  Seconds are medians; negative numbers print as "-". */
typedef struct bench_row {
    const char *name; /* of the case */
    const char *system;
    const char *method; /* solver, or what was timed */
    int64_t n, m;
    double ratio; /* to the fastest, or to the reference of the case */
    double seconds, analyse, factor, solve;
    int64_t iterations;
    double residual;
} bench_row;

bench_row bench_row_start(const char *name, const char *system, const char *method,
                          const saddle_problem *problem);
void bench_print_head(const bench_options *options);
void bench_print_row(const bench_options *options, const bench_row *row);

/* A number of a table, or "-" (nothing in CSV) for a negative one. */
void bench_print_number(int csv, int width, const char *format, double value);

/* Sorts; returns the middle element. */
double bench_median(double *seconds, int count);

/* ---- systems ---- */

/* A family of systems, each size larger than the one before. */
typedef struct bench_family {
    const char *name;
    int sizes;
    int64_t size[4];
    saddle_status (*build)(saddle_context *context, int64_t size, saddle_problem *problem);
} bench_family;

const bench_family *bench_family_at(int index);      /* NULL past the end */
const bench_family *bench_rank_family_at(int index); /* the same: systems to find the rank of */

/* Families of other programs too. */
saddle_status bench_build_chain(saddle_context *context, int64_t size, saddle_problem *problem);
saddle_status bench_build_rods(saddle_context *context, int64_t size, saddle_problem *problem);
saddle_status bench_build_balls(saddle_context *context, int64_t size, saddle_problem *problem);
saddle_status bench_build_stack(saddle_context *context, int64_t size, saddle_problem *problem);

/* ---- cases ---- */

/* Each runs a case over a family.  Nonzero: an unexpected failure. */
int bench_checker(saddle_context *context, const bench_options *options, const char *name,
                  const bench_family *family);
int bench_rank(saddle_context *context, const bench_options *options, const char *name,
               const bench_family *family);
int bench_solvers(saddle_context *context, const bench_options *options, const char *name,
                  const bench_family *family);

#endif
