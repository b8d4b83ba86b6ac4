/* SPDX-License-Identifier: MIT */
/* Both triangles of a symmetric matrix.
 *
 * saddle__full_csr: full symmetric CSR beside the diagonal, for many products
 *
 *     y_i = sum over j != i of A_ij x_j
 *
 * With the lower triangle alone each entry adds to two places of y, just written for other entries.
 * Full rows have twice the entries, at 12 bytes each, and only their sum is written.
 *
 * saddle__unfolded: compressed columns, for methods without symmetry; a general matrix is copied.
 *
 *     create (pattern) -> set or refresh (values), as often as wanted, without allocations
 */
#ifndef SADDLE_LIB_FULL_CSR_H
#define SADDLE_LIB_FULL_CSR_H

#include <math.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "saddle/matrix.h"

/* Hints for memory read soon: a processor foresees streams, but not beyond the end of a page.
 * gcc drops calls of functions without effect; a function of hints has to be inline. */
#if defined(__GNUC__)
#define SADDLE__PREFETCH(address) __builtin_prefetch(address)
#define SADDLE__HINTS static inline __attribute__((always_inline))
#else
#define SADDLE__PREFETCH(address) ((void)(address))
#define SADDLE__HINTS static inline
#endif

typedef struct saddle__full_csr {
    saddle__layout layout;
    int64_t n;
    int64_t *start;  /* n + 1 */
    int64_t *next;   /* n: scratch */
    int32_t *column; /* start[n]: ascending in each row, the diagonal left out */
    double *value;   /* start[n] */
} saddle__full_csr;

/* A: symmetric; its pattern.  The caller clears the layout, also after a failure.
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE: 2^31 rows. */
saddle_status saddle__full_csr_create(saddle_context *context, const saddle_matrix *A,
                                      saddle__full_csr *rows);

/* A: of the pattern of create. */
void saddle__full_csr_set(saddle__full_csr *rows, const saddle_matrix *A);

/* For a pass over all rows, at row i: hints for entries one page ahead (one page of values, or
 * two of columns, is as many entries). */
SADDLE__HINTS void saddle__full_csr_expect(const saddle__full_csr *rows, int64_t i)
{
    enum { PAGE = 512, LINE = 8 };
    int64_t k = rows->start[i] + PAGE;
    int64_t end = rows->start[rows->n];
    if (k + 2 * PAGE >= end) return;
    SADDLE__PREFETCH(rows->value + k);
    SADDLE__PREFETCH(rows->value + k + LINE);
    SADDLE__PREFETCH(rows->column + k + PAGE);
}

/* Row i of the product: two sums side by side, since a sweep waits for each.  *modulus: of the
 * terms' absolute values. */
static inline double saddle__full_csr_row_times_both(const saddle__full_csr *rows, int64_t i,
                                                     const double *x, double *modulus)
{
    double sum = 0.0;
    double other = 0.0;
    double of_moduli = 0.0;
    double other_moduli = 0.0;
    int64_t k = rows->start[i];
    int64_t end = rows->start[i + 1];
    for (; k + 2 <= end; k += 2) {
        double term = rows->value[k] * x[rows->column[k]];
        double next = rows->value[k + 1] * x[rows->column[k + 1]];
        sum += term;
        other += next;
        of_moduli += fabs(term);
        other_moduli += fabs(next);
    }
    if (k < end) {
        double term = rows->value[k] * x[rows->column[k]];
        sum += term;
        of_moduli += fabs(term);
    }
    *modulus = of_moduli + other_moduli;
    return sum + other;
}

static inline double saddle__full_csr_row_times(const saddle__full_csr *rows, int64_t i,
                                                const double *x)
{
    double modulus; /* compilers leave the unused sums out */
    return saddle__full_csr_row_times_both(rows, i, x, &modulus);
}

typedef struct saddle__unfolded {
    int64_t cols;
    int64_t entries;
    int64_t *start;  /* cols + 1 */
    int64_t *index;  /* entries, ascending in each column */
    double *value;   /* entries, refreshed */
    int64_t *source; /* entries: where each comes from in the matrix */
} saddle__unfolded;

/* The pattern of A, with room for values.  SADDLE_OUT_OF_MEMORY: clear is to be called then too. */
saddle_status saddle__unfolded_create(saddle_context *context, const saddle_matrix *A,
                                      saddle__unfolded *unfolded);

/* A: the pattern created from, new values. */
static inline void saddle__unfolded_refresh(saddle__unfolded *u, const saddle_matrix *A)
{
    for (int64_t k = 0; k < u->entries; k++) u->value[k] = A->value[u->source[k]];
}

/* half-built ones are fine */
static inline void saddle__unfolded_clear(saddle_context *context, saddle__unfolded *u)
{
    saddle__release_all(context, u->start, u->index, u->value, u->source);
    *u = (saddle__unfolded){0};
}

#endif
