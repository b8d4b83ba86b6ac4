/* SPDX-License-Identifier: MIT */
/* Measurements as lines: ratios to the best peer first, then the figures. */
#ifndef SADDLE_BENCH_TABLE_H
#define SADDLE_BENCH_TABLE_H

#include "factor/measure.h"
#include "factor/whole.h"

#define TABLE_MOST 16 /* measurements of one system */

/* One system and all that was measured on it. */
typedef struct table_block {
    char system[96];
    int64_t unknowns, entries, bodies;
    int64_t positive; /* n where K is quasi-definite by construction (n positive, m negative); else
                         -1 */
    double dgemm;     /* [flops/s] */
    whole_call whole; /* of a small system; else all < 0 and why is "" */
    int count;
    measurement line[TABLE_MOST];
} table_block;

/* What ratios are made of: seconds of m; negative where it was not measured. */
enum table_phase {
    TABLE_FACTOR,
    TABLE_SOLVE,
    TABLE_SOLVE_MANY,
    TABLE_ANALYSE,
    TABLE_TOTAL,
    TABLE_PHASES
};
double table_seconds(const measurement *m, enum table_phase phase);

/* The least seconds, more than none, of a phase among the lines whose names begin with `begin`;
 * NULL: all not ours. */
double table_best(const table_block *block, const char *begin, enum table_phase phase);

void table_print_head(int csv);
void table_print(const table_block *block, int csv);

/* The public call on small systems over LAPACK, as far as it was measured. */
void table_print_wholes(const table_block *block, int64_t blocks, int csv);

/* The bars of the engine, as far as the blocks have what they speak of; our engine is the line
 * named "ldlt". */
void bars_print(const table_block *block, int64_t blocks, int csv);

#endif
