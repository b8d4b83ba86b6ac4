/* SPDX-License-Identifier: MIT */
/* Matrix functions for the library alone. */
#ifndef SADDLE_LIB_MATRIX_INTERNAL_H
#define SADDLE_LIB_MATRIX_INTERNAL_H

#include "base/vector.h"
#include "saddle/matrix.h"

/* A: columns with valid row indices in any order, duplicates allowed.  Sorts each column
 * (stable, in O(entries + sizes)) and sums duplicates in the given order.  Sorted columns cost
 * one pass. */
saddle_status saddle__matrix_normalize(saddle_context *context, saddle_matrix *A);

/* *B = A', counting sort: each column of B comes out with ascending rows, entries of equal row in
 * A's order. */
saddle_status saddle__matrix_flip(saddle_context *context, const saddle_matrix *A,
                                  saddle_matrix *B);

/* counts[0..n): sizes of bins on entry, first positions of the bins on return; counts[n]: total. */
static inline void saddle__cumulate(int64_t *counts, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    counts[n] = sum;
}

/* saddle_matrix_check but for the values. */
saddle_status saddle__matrix_check_pattern(saddle_context *context, const saddle_matrix *A,
                                           const char *name);

/* The first entry not finite, and the column; -1 = none.  The pattern is valid. */
int64_t saddle__matrix_find_not_finite(const saddle_matrix *A, int64_t *column);

/* The position of the stored entry (i, j); -1 = none. */
int64_t saddle__matrix_find(const saddle_matrix *A, int64_t i, int64_t j);

/* d (size) <- A's diagonal; zeros of an A that is not there. */
static inline void saddle__diagonal_of(const saddle_matrix *A, int64_t size, double *d)
{
    saddle__zero(d, size);
    saddle_matrix_diagonal(A, d);
}

/* An entry of a square A that differs from its mirror image by more than rounding, and the column;
 * -1 = A is symmetric.  The pattern is sound and the values are finite. */
int64_t saddle__matrix_find_unequal(const saddle_matrix *A, int64_t *column);

/* A square general A becomes its lower triangle, marked symmetric, if each stored entry equals the
 * mirror image, which is `absent` where not stored; else *unpaired: the first other entry, and its
 * column.  *unpaired = -1: none. */
saddle_status saddle__matrix_fold(saddle_context *context, saddle_matrix *A, double absent,
                                  int64_t *unpaired, int64_t *column);

/* ---- union and find with path halving: parent (nodes), itself for the smallest node of a set ----
 */

static inline int64_t saddle__root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Joins the sets of a and b; returns 0 if already one set. */
static inline int saddle__join(int64_t *parent, int64_t a, int64_t b)
{
    a = saddle__root_of(parent, a);
    b = saddle__root_of(parent, b);
    parent[a < b ? b : a] = a < b ? a : b;
    return a != b;
}

/* The same of a node and each node first + i, i a row of A's column j; A->start is not NULL.
 * Returns how many sets fewer there are. */
static inline int64_t saddle__join_column(int64_t *parent, int64_t node, int64_t first,
                                          const saddle_matrix *A, int64_t j)
{
    int64_t joined = 0, root = saddle__root_of(parent, node);
    for (int64_t k = A->start[j], end = A->start[j + 1]; k < end; k++) {
        while (k < end && parent[first + A->index[k]] == root) k++; /* most are joined already */
        if (k == end) break;
        joined += saddle__join(parent, first + A->index[k], root);
        root = saddle__root_of(parent, root);
    }
    return joined;
}

/* The share of a square matrix's entries that makes it dense: dense factors are faster. */
#define SADDLE__DENSE_SHARE 0.3

static inline int saddle__matrix_is_dense(const saddle_matrix *A)
{
    int both = A->symmetry == SADDLE_SYMMETRY_LOWER ? 2 : 1;
    double all = (double)A->cols * (double)A->cols;
    return both * (double)saddle_matrix_entries(A) > SADDLE__DENSE_SHARE * all;
}

/* root (cols): the smallest node in the connected component of each node of the graph of A + A'. */
void saddle__matrix_components(const saddle_matrix *A, int64_t *root);

/* k + 1 for a message, without overflow for an index given by the host. */
static inline long long saddle__ordinal(int64_t k)
{
    return k < INT64_MAX ? (long long)k + 1 : (long long)k;
}

#endif
