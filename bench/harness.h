/* SPDX-License-Identifier: MIT */
/* What the benchmark cases share: options, systems of growing size, repeated timing, one row of
 * results. */
#ifndef SADDLE_BENCH_HARNESS_H
#define SADDLE_BENCH_HARNESS_H

#include "saddle/saddle.h"

typedef struct bench_options {
    const char *only; /* cases whose name begins with it; NULL = all */
    int csv;          /* 1: comma-separated, no table */
    double budget;    /* a run foreseen to take longer is left out [s] */
    int64_t largest;  /* systems with more unknowns n + m are left out; 0 = none */
} bench_options;

/* One line of the table.  Seconds are medians; negative numbers print as "-". */
typedef struct bench_row {
    const char *name; /* of the case */
    const char *system;
    const char *method; /* solver, or what was timed */
    int64_t n, m;
    double ratio; /* to the fastest, or to what the case compares with */
    double seconds, analyse, factor, solve;
    int64_t iterations;
    double residual;
} bench_row;

bench_row bench_row_start(const char *name, const char *system, const char *method,
                          const saddle_problem *problem);
void bench_print_head(const bench_options *options);
void bench_print_row(const bench_options *options, const bench_row *row);

/* In a table: a number, or "-" (nothing in CSV) where it is negative. */
void bench_print_number(int csv, int width, const char *format, double value);

/* Sorts and returns the middle one. */
double bench_median(double *seconds, int count);

/* ---- systems ---- */

/* A family of systems, each size larger than the one before. */
typedef struct bench_family {
    const char *name;
    int sizes;
    int64_t size[4];
    saddle_status (*build)(saddle_context *context, int64_t size, saddle_problem *problem);
} bench_family;

const bench_family *bench_family_at(int index); /* NULL past the end */

/* ---- cases ---- */

/* Each runs one case over one family; nonzero when something failed that should not. */
int bench_checker(saddle_context *context, const bench_options *options, const char *name,
                  const bench_family *family);
int bench_solvers(saddle_context *context, const bench_options *options, const char *name,
                  const bench_family *family);

#endif
