/* SPDX-License-Identifier: MIT */
/* What the methods did on the problems of a set: the lines as they come, then who solves how many,
 * our solvers beside the best of the others from W and q on, problem by problem, and performance
 * profiles (Dolan and More, Math. Programming 91, 2002). */
#ifndef SADDLE_BENCH_CONTACT_TABLE_H
#define SADDLE_BENCH_CONTACT_TABLE_H

#include "contact/child.h"

enum { CONTACT_METHODS = 19, CONTACT_PROBLEMS = 96 };

/* The results on a problem. */
typedef struct contact_line {
    char name[96];
    double condensing; /* [s] */
    /* by measure and method: others get a smaller tolerance where 1e-8 does not reach 1e-8 by all
     */
    contact_result result[CONTACT_MEASURES][CONTACT_METHODS];
    int taken[CONTACT_METHODS]; /* 0: not measured */
} contact_line;

typedef struct contact_table {
    int headed; /* 1: the head is printed */
    int count;
    contact_line line[CONTACT_PROBLEMS];
} contact_table;

void contact_print_head(int csv);
void contact_print_problem(const contact_problem *p, int csv);

/* error: what the measures are to be within. */
void contact_print_result(const contact_problem *p, const contact_method *method,
                          const contact_result *result, double error, int csv);

/* Of all lines, at CONTACT_SOLVED, by each measure. */
void contact_print_summary(const contact_table *table);

/* Fractions of the problems that a method takes, solved within 1, 2, 5, 10, 100 times the time of
 * the fastest of all methods, and at all. */
void contact_print_profile(const contact_table *table, contact_measure_kind kind);

#endif
