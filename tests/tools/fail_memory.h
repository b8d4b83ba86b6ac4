/* SPDX-License-Identifier: MIT */
/* Allocations that fail, and where the command has them.  A program that fail_memory.c is linked
 * into has its malloc, calloc and realloc.
 *
 * Counted, from 0 in each run, are the allocations that the command, jansson, the C library and
 * SuiteSparse's solvers ask for between fail_memory_begin and fail_memory_end.  Those of METIS,
 * OpenBLAS, gfortran's and OpenMP's libraries are left alone: METIS and OpenMP end the process
 * where they get no memory, and no caller can help it. */
#ifndef SADDLE_TEST_TOOLS_FAIL_MEMORY_H
#define SADDLE_TEST_TOOLS_FAIL_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Of the next run, allocation `at` fails (-1 = none), and where `on` all after it too. */
void fail_memory_next(long at, int on);

/* Of the next run, in which nothing fails, the call stacks are noted.  seed: draws the middle. */
void fail_memory_note(uint64_t seed);

/* A call stack, from the command's main on: a number that is the same in other runs, 0 = none; the
 * first allocation of the stack, one between (the first where there is none), and the last. */
typedef struct fail_place {
    uint64_t stack;
    long first, middle, last;
} fail_place;

/* Those of the run last noted; *count <- with those that are none. */
const fail_place *fail_memory_places(size_t *count);

/* Right before and after the command's main, by its caller. */
void fail_memory_begin(void);
void fail_memory_end(void);

#endif
