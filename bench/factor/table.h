/* SPDX-License-Identifier: MIT */
/* Measurements as lines: ratios to the best peer first, then the figures. */
#ifndef SADDLE_BENCH_TABLE_H
#define SADDLE_BENCH_TABLE_H

#include "factor/measure.h"
#include "factor/whole.h"

#define TABLE_MOST 16 /* measurements of one system */

/* A system and its measurements. */
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

void table_print_head(int csv);
void table_print(const table_block *block, int csv);

/* The public call on small systems over LAPACK, as far as measured. */
void table_print_wholes(const table_block *block, int64_t blocks, int csv);

#endif
