/* SPDX-License-Identifier: MIT */
/* Small problems from bytes, for targets that fuzz arithmetic: any bytes give a problem that passes
 * its check. */
#ifndef SADDLE_FUZZ_DRAW_H
#define SADDLE_FUZZ_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "saddle/saddle.h"

enum { FUZZ_MOST_VELOCITIES = 8, FUZZ_MOST_ROWS = 9, FUZZ_MOST_ENTRIES = 81 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes that are left; zeros after the last. */
typedef struct fuzz_bytes {
    const uint8_t *data;
    size_t size;
} fuzz_bytes;

typedef struct fuzz_matrix {
    int64_t start[FUZZ_MOST_ROWS + 1];
    int64_t index[FUZZ_MOST_ENTRIES];
    double value[FUZZ_MOST_ENTRIES];
} fuzz_matrix;

typedef struct fuzz_drawn {
    saddle_problem problem;
    fuzz_matrix M, Jt, R;
    saddle_contact contacts[FUZZ_MOST_ROWS];
    int64_t row_id[FUZZ_MOST_ROWS];
    double f[FUZZ_MOST_VELOCITIES], b[FUZZ_MOST_ROWS], lo[FUZZ_MOST_ROWS], hi[FUZZ_MOST_ROWS];
} fuzz_drawn;

void fuzz_demand(int holds); /* stops the program where it does not */
uint8_t fuzz_byte(fuzz_bytes *bytes);
int64_t fuzz_below(fuzz_bytes *bytes, int64_t count); /* 0 .. count - 1 */
/* finite: mostly small integers, at times 1e-300 .. 1e300 */
double fuzz_number(fuzz_bytes *bytes);

/* A context of little memory. */
saddle_context *fuzz_small_context(void);

/* A problem that has passed saddle_problem_check; its arrays are in *drawn. */
void fuzz_draw_problem(fuzz_bytes *bytes, fuzz_drawn *drawn);

/* Other values of M, J, R, f and b in the same patterns. */
void fuzz_draw_values(fuzz_bytes *bytes, fuzz_drawn *drawn);

#endif
