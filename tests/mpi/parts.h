/* SPDX-License-Identifier: MIT */
/* For tests over several processes: parts of a problem, and claims.
 *
 * Every process draws the same problem and keeps a part by chance: whole columns and rows, single
 * entries, summands of all entries, or nothing.  A claim that fails ends all processes. */
#ifndef SADDLE_TEST_MPI_PARTS_H
#define SADDLE_TEST_MPI_PARTS_H

#include <stdio.h>

#include "../solvers/drawn.h"
#include "../solvers/drawn_mixed.h"
#include "saddle_mpi.h"

extern int rank, processes;
extern saddle_context *context;

#define CLAIM(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: process %d of %d: %s\n%s\n", __FILE__, __LINE__, rank, \
                    processes, #condition, saddle_context_message(context));               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                  \
        }                                                                                  \
    } while (0)

/* 0: not begun. */
int mpi_test_begin(void);
void mpi_test_end(void);

/* test_draws, by several processes of half the count: most of their time is that of messages. */
int64_t mpi_test_draws(int64_t count);

/* ---- parts ---- */

typedef enum split {
    BY_ROWS,    /* columns of M, rows of J and R to one process each, by chance */
    BY_ENTRIES, /* every entry to some process */
    FIRST_ONLY,
    LAST_ONLY,
    SPLITS,
    BY_SUMMANDS = SPLITS /* every entry to all processes, by chance more or less of the value */
} split;

typedef struct share {
    saddle_problem problem; /* borrows the contacts below */
    saddle_contact *contacts;
} share;

share part_of(const saddle_problem *whole, split how, uint64_t *seed);
void free_share(share *s);

/* The part of A that `column_owner` or, by entries, a draw gives this process. */
saddle_matrix part_of_matrix(const saddle_matrix *A, split how, uint64_t *seed,
                             const int *column_owner);

/* ---- problems ---- */

typedef struct triplets {
    int64_t count, room;
    int64_t *row, *col;
    double *value;
} triplets;

void add_entry(triplets *t, int64_t row, int64_t col, double value);
void take_triplets(triplets *t, int64_t rows, int64_t cols, saddle_symmetry symmetry,
                   saddle_matrix *A);

/* M of 2 band + 1 diagonals, and n / 10 rows that tie neighbours. */
void make_band(saddle_problem *p, int64_t n, int64_t band);

/* ---- claims ---- */

int close_to(double a, double b);

/* Figures of rounding level differ by rounding: other sums. */
void residuals_agree(const saddle_residual *a, const saddle_residual *b);

/* Solves of check_solve with M in parts, and with rows in parts. */
extern int with_mass_in_parts, with_rows_in_parts;

/* The answer over parts against one process': both solved, the checker's residual, and the same
 * velocities where these are unique, relative to the largest; where that is at rounding level,
 * below 1e-9 of free fall, relative to free fall.  Returns 1 where one process solves. */
int check_solve(const saddle_problem *whole, split how, uint64_t *seed, const char *name,
                double accuracy);

/* A context with a progress function, in place of `context`; *kept <- the latter. */
void watch(saddle_progress_function *function, saddle_context **kept);
void unwatch(saddle_context *kept);

/* Solved over parts, by entries. */
saddle_status status_of_parts(const saddle_problem *whole, const char *name,
                              const saddle_options *options, saddle_report *report);

/* Processes whose memory runs out in turn: both of two, the middle one of three. */
int is_swept(int failing);
/* From one failing allocation of a sweep to the next: by three processes every third one fails. */
int64_t sweep_step(void);

/* Memory that runs out in one process, at an allocation in turn, is an error of all. */
void sweep_allocations(const saddle_problem *part, int failing, const char *name);

#endif
