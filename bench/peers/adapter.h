/* SPDX-License-Identifier: MIT */
/* Another program as a solver of `saddle bench --peers` (docs/benchmarks.md): the main function of
 * all adapters, and what they share.
 *
 *     saddle-peer-NAME METHOD PROBLEM SOLUTION TOLERANCE      one solve
 *     saddle-peer-NAME                                        the methods, one a line
 *
 * Condensed problems (W = J M^-1 J' + R, q = J M^-1 f - b) are made by saddle/delassus.h; the time
 * of the condensation counts as factor, the program's own call as solve. */
#ifndef SADDLE_BENCH_ADAPTER_H
#define SADDLE_BENCH_ADAPTER_H

#include "saddle/saddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adapter_call {
    saddle_context *context;
    const saddle_problem *problem; /* valid; attachments are reduced */
    const char *method;
    double tolerance;
    double *v, *lambda;            /* n, m: the answer, zeros at first */
    double analyse, factor, solve; /* wall clock [s] */
    int64_t iterations;
    char note[200]; /* or why there is no answer */
} adapter_call;

typedef enum adapter_end {
    ADAPTER_DONE = 0,
    ADAPTER_FAILED = 1,
    ADAPTER_CANNOT = 4 /* such rows, or no such method */
} adapter_end;

/* ---- of each adapter ---- */

extern const char adapter_version[];        /* "MUMPS 5.5.1" */
extern const char *const adapter_methods[]; /* NULL ends the list */
adapter_end adapter_solve(adapter_call *call);

/* ---- shared ---- */

/* Writes the note and returns the end. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
adapter_end
adapter_stop(adapter_call *call, adapter_end end, const char *format, ...);

typedef struct adapter_condensed { /* all zero = none */
    saddle_context *context;
    saddle_delassus *delassus; /* NULL where n = 0 */
    saddle_matrix W;           /* borrowed */
    double *q;                 /* m */
} adapter_condensed;

adapter_end adapter_condense(adapter_call *call, adapter_condensed *condensed);
/* v of lambda */
adapter_end adapter_recover(adapter_call *call, const adapter_condensed *condensed);
void adapter_condensed_clear(adapter_condensed *condensed);

/* W dense by rows, malloc'ed; NULL without memory. */
double *adapter_dense(const adapter_condensed *condensed);

/* Rows 0 <= lambda with w >= 0: 1; equality: 0; any other: -1. */
int adapter_row_kind(const saddle_problem *problem, int64_t row);

#ifdef __cplusplus
}
#endif

#endif
