/* SPDX-License-Identifier: MIT */
/* What the tests share: where data is, drawn numbers, memory that fails on demand. */
#ifndef SADDLE_TEST_SUPPORT_H
#define SADDLE_TEST_SUPPORT_H

/* cmocka wants these before itself */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "saddle/saddle.h"

/* "<root>/<relative>" under SADDLE_DATA (default ../shared/data from the source folder).  Where the
 * root is absent the running test is skipped with a visible line, or fails when
 * SADDLE_REQUIRE_DATA=1.  Static buffer, good until the 8th next call. */
const char *test_data_path(const char *relative);

/* A fresh empty folder under the build folder, removed at exit.  Static buffer as above. */
const char *test_scratch_folder(void);

/* Draws: xorshift; the seed is printed once (SADDLE_TEST_SEED sets it). */
uint64_t test_seed(void);
double test_uniform(uint64_t *state, double lo, double hi);
int64_t test_integer(uint64_t *state, int64_t lo, int64_t hi); /* both ends included */

/* The number of draws: count times SADDLE_TEST_DRAWS (default 1, at least 0.01). ctest takes 3
 * percent under a sanitizer and 1 percent under valgrind, which are slow and depend little on
 * values; fewer draws are the first of more. */
int64_t test_draws(int64_t count);
/* The same, no fewer than `least`: where a share of the draws is claimed, which few do not have. */
int64_t test_draws_at_least(int64_t least, int64_t count);
int test_is_slow(void); /* less than half are taken: memory is looked at, figures elsewhere */

/* Solvers whose answers come near, and may come too slowly: gauss-seidel, admm and
 * staggered. */
int test_is_iterative(const char *solver);

/* A context with counted allocations: number fail_at (from 0; -1 = none) and all later ones fail.
 * Allocations of SuiteSparse and jansson are counted, and fail, in the same way between begin and
 * end. */
typedef struct test_memory {
    int64_t count; /* allocations so far */
    int64_t alive; /* blocks not released */
    int64_t fail_at;
} test_memory;

saddle_context *test_memory_begin(test_memory *memory, int64_t fail_at);
/* frees context; fails the test when blocks are alive */
void test_memory_end(test_memory *memory, saddle_context *context);

/* Calls body once without failures, with success required, then repeatedly: of each call stack of
 * body the first allocation fails, one in the middle drawn from the seed, and the last; once
 * together with all later ones, once alone.  Each call has to reach the allocation, return
 * SADDLE_OUT_OF_MEMORY (or succeed without the memory) and leak nothing.  Returns the number of
 * allocations failed alone. */
typedef saddle_status test_body(saddle_context *context, void *user);
int64_t test_allocation_sweep(test_body *body, void *user);

/* max |a - b| / max(1, |a|, |b|) over count entries. */
double test_distance(const double *a, const double *b, int64_t count);

/* A (rows x cols, by columns) <- the sparse S, both triangles of a symmetric one. */
void test_dense(const saddle_matrix *S, double *A);

/* sigma (min(rows, cols)): the singular values of A, descending, by LAPACK; A is
 * overwritten. */
void test_singular_values(int64_t rows, int64_t cols, double *A, double *sigma);

#endif
