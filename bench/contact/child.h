/* SPDX-License-Identifier: MIT */
/* A method on a problem in a child process, with a limit of its time and memory: a solver that
 * aborts, runs away or leaks ends its child alone.  Short solves are repeated there; the answer is
 * that of the first solve, judged here by the checker and by both natural maps. */
#ifndef SADDLE_BENCH_CONTACT_CHILD_H
#define SADDLE_BENCH_CONTACT_CHILD_H

#include "contact/methods.h"

/* An error is INFINITY where there is no answer. */
typedef struct contact_result {
    double seconds; /* median; negative: no answer */
    int64_t iterations;
    int64_t repetitions;
    double tolerance;     /* that the method was given; negative: its default */
    double total;         /* of the checker, on the problem as it is given */
    double natural_map;   /* on the condensed problem, over max(|q|, |r|, |u|) */
    double natural_map_q; /* the same over |q| */
    int overgrown;        /* 1: the total is small beside huge impulses only */
    char note[64];
} contact_result;

/* Of the context: asks our solvers to stop at the limit, with the answer they have. */
saddle_progress_function contact_is_late;

/* tolerance: 0 = the default of ours.  limit: of the solves together, by the clock of the table
 * [s]. */
void contact_measure(const contact_method *method, const contact_problem *p, double tolerance,
                     double limit, int cpu, contact_result *result);

/* How far an answer is judged. */
typedef enum contact_measure_kind {
    CONTACT_BY_MAP, /* natural map over max(|q|, |r|, |u|), the measure of Siconos */
    CONTACT_BY_ALL, /* and over |q|, and the checker's total */
    CONTACT_MEASURES
} contact_measure_kind;

#define CONTACT_SOLVED 1e-8

/* 1: at most this error. */
int contact_reached(const contact_result *result, contact_measure_kind kind, double error);

#endif
