/* SPDX-License-Identifier: MIT */
/* Sparse matrices, compressed by columns.
 *
 * Column j has the entries index[k], value[k] for start[j] <= k < start[j+1], rows ascending,
 * without duplicates.  A symmetric matrix stores the lower triangle with the diagonal, or,
 * marked SADDLE_SYMMETRY_FULL, both triangles, equal to rounding: |a_ij - a_ji| is at most 16
 * units in the last place of the largest of |a_ij|, |a_ji| and sqrt|a_ii a_jj|.  Indices are
 * zero-based int64_t. Explicit zeros are kept: they are part of the pattern.
 *
 * A matrix either owns its arrays (made by the functions below, released by saddle_matrix_clear)
 * or is a view that borrows arrays (saddle_matrix_view, or fields set by hand with owner = 0); a
 * view must not outlive the arrays.  Start from {0}, the empty 0 x 0 matrix.
 *
 * A matrix of any size with start = NULL has no entries, like a 0 x 0 matrix with or without a
 * start array (one 0).  Both are the same as a matrix with a start array of zeros everywhere.
 * */
#ifndef SADDLE_MATRIX_H
#define SADDLE_MATRIX_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

typedef enum saddle_symmetry {
    SADDLE_SYMMETRY_NONE = 0,  /* every entry is stored */
    SADDLE_SYMMETRY_LOWER = 1, /* square; only entries with row >= column are stored */
    SADDLE_SYMMETRY_FULL = 2   /* square; both triangles are stored and equal */
} saddle_symmetry;

typedef struct saddle_matrix {
    int64_t rows;
    int64_t cols;
    int64_t *start; /* cols + 1; NULL allowed where the matrix has no entry */
    int64_t *index; /* start[cols]; row of each entry */
    double *value;  /* start[cols] */
    saddle_symmetry symmetry;
    int owner;               /* 1: arrays are owned, 0: borrowed */
    saddle_context *context; /* allocated the arrays */
} saddle_matrix;

/* Stored entries; 0 for the empty matrix. */
SADDLE_API int64_t saddle_matrix_entries(const saddle_matrix *A);

/* ---- making ---- */

/* A from count triplets (row[k], col[k], value[k]), zero-based, in any order; duplicates are summed
 * in the order given. For SADDLE_SYMMETRY_LOWER each entry may be given in either triangle, once:
 * (i,j) and (j,i) are the same entry, and are summed where both are given; whole element blocks are
 * for saddle_matrix_builder. For SADDLE_SYMMETRY_FULL both are given; saddle_matrix_check compares
 * them. SADDLE_INVALID_ARGUMENT: a negative size, an index out of range, a symmetric matrix that is
 * not square. */
SADDLE_API saddle_status saddle_matrix_from_triplets(saddle_context *context, int64_t rows,
                                                     int64_t cols, int64_t count,
                                                     const int64_t *row, const int64_t *col,
                                                     const double *value, saddle_symmetry symmetry,
                                                     saddle_matrix *A);

/* A copy from compressed columns with 64-bit or 32-bit indices; rows may be unsorted, duplicates
 * are summed. start: NULL = no entries. The same errors as above, and SADDLE_INVALID_ARGUMENT for a
 * start that decreases. */
SADDLE_API saddle_status saddle_matrix_from_csc(saddle_context *context, int64_t rows, int64_t cols,
                                                const int64_t *start, const int64_t *index,
                                                const double *value, saddle_symmetry symmetry,
                                                saddle_matrix *A);
SADDLE_API saddle_status saddle_matrix_from_csc32(saddle_context *context, int32_t rows,
                                                  int32_t cols, const int32_t *start,
                                                  const int32_t *index, const double *value,
                                                  saddle_symmetry symmetry, saddle_matrix *A);

/* The index arrays of A as 32-bit: start has cols + 1, index has start[cols] elements, both the
 * caller's. SADDLE_TOO_LARGE where a size or an entry count does not fit. */
SADDLE_API saddle_status saddle_matrix_to_csc32(const saddle_matrix *A, int32_t *start,
                                                int32_t *index);

/* A view on the caller's arrays, no copy.  Not checked here: see saddle_matrix_check. */
SADDLE_API saddle_matrix saddle_matrix_view(int64_t rows, int64_t cols, int64_t *start,
                                            int64_t *index, double *value,
                                            saddle_symmetry symmetry);

/* A rows x cols matrix without entries; index and value have room for `entries`, start is all
 * zero. */
SADDLE_API saddle_status saddle_matrix_create(saddle_context *context, int64_t rows, int64_t cols,
                                              int64_t entries, saddle_symmetry symmetry,
                                              saddle_matrix *A);

SADDLE_API saddle_status saddle_matrix_copy(saddle_context *context, const saddle_matrix *A,
                                            saddle_matrix *B);

/* Releases what A owns and empties it.  Half-built and empty matrices are fine, NULL too. */
SADDLE_API void saddle_matrix_clear(saddle_matrix *A);

/* Checks the properties stated at the top, and finite values: SADDLE_OK or
 * SADDLE_INVALID_ARGUMENT with a message that begins with `name` ("M: column 17: rows not
 * ascending at entry 3"; NULL = "A"). */
SADDLE_API saddle_status saddle_matrix_check(saddle_context *context, const saddle_matrix *A,
                                             const char *name);

/* ---- summing element blocks ----
 *
 *     A = sum over e of P_e' B_e Q_e,   P_e, Q_e: the block's rows and columns in A
 *
 * Blocks are given whole, both triangles, for a symmetric A too: A then has the lower triangle
 * (SADDLE_SYMMETRY_LOWER) or both (SADDLE_SYMMETRY_FULL) of the sum, never an entry twice. */
typedef struct saddle_matrix_builder saddle_matrix_builder;

/* A builder without blocks, for a rows x cols matrix; *builder: NULL on failure, else released by
 * saddle_matrix_builder_free. SADDLE_INVALID_ARGUMENT: a negative size, an unknown symmetry, a
 * symmetric matrix that is not square. */
SADDLE_API saddle_status saddle_matrix_builder_create(saddle_context *context, int64_t rows,
                                                      int64_t cols, saddle_symmetry symmetry,
                                                      saddle_matrix_builder **builder);

/* A(row[a], col[b]) += block[a * cols + b], a < rows, b < cols: a block by rows. A negative index
 * leaves the row or column of the block out (a velocity held at zero); an index may come twice.
 * col: NULL = row (cols = rows), an element's own block; where A is symmetric such a block has to
 * be so, up to 1e-10 of its largest entry, and entries below A's diagonal count. Blocks with a col
 * of their own are given together with their transposes where A is symmetric. The arrays are
 * copied. SADDLE_INVALID_ARGUMENT, the builder unchanged: an index beyond A, an entry that is not
 * finite, a block that is not symmetric. */
SADDLE_API saddle_status saddle_matrix_builder_add(saddle_matrix_builder *builder, int64_t rows,
                                                   const int64_t *row, int64_t cols,
                                                   const int64_t *col, const double *block);

/* A: the sum of the blocks added so far, each entry in the order of the blocks; owned by the
 * caller. The builder stays as it is. */
SADDLE_API saddle_status saddle_matrix_builder_build(const saddle_matrix_builder *builder,
                                                     saddle_matrix *A);

/* Forgets the blocks and keeps their memory, for the next time step. NULL is fine. */
SADDLE_API void saddle_matrix_builder_reset(saddle_matrix_builder *builder);

/* NULL is fine. */
SADDLE_API void saddle_matrix_builder_free(saddle_matrix_builder *builder);

/* ---- changing ---- */

/* B = A'.  The transpose of a symmetric matrix is a copy. */
SADDLE_API saddle_status saddle_matrix_transpose(saddle_context *context, const saddle_matrix *A,
                                                 saddle_matrix *B);

/* B(i,j) = A(p[i], q[j]); p (rows) and q (cols) are permutations, NULL = identity.  A symmetric A
 * needs q == p (or q NULL, which then means p) and gives a symmetric B.  SADDLE_INVALID_ARGUMENT:
 * not a permutation. */
SADDLE_API saddle_status saddle_matrix_permute(saddle_context *context, const saddle_matrix *A,
                                               const int64_t *p, const int64_t *q,
                                               saddle_matrix *B);

/* B = A with both triangles stored, symmetry SADDLE_SYMMETRY_NONE. */
SADDLE_API saddle_status saddle_matrix_expand(saddle_context *context, const saddle_matrix *A,
                                              saddle_matrix *B);

/* B = the lower triangle of a square A, marked symmetric, without a check: see
 * saddle_matrix_asymmetry. */
SADDLE_API saddle_status saddle_matrix_lower(saddle_context *context, const saddle_matrix *A,
                                             saddle_matrix *B);

/* C = alpha A + beta B; the pattern is the union.  SADDLE_SYMMETRY_LOWER if both are. */
SADDLE_API saddle_status saddle_matrix_add(saddle_context *context, double alpha,
                                           const saddle_matrix *A, double beta,
                                           const saddle_matrix *B, saddle_matrix *C);

/* C = A B, general; symmetric operands are expanded. */
SADDLE_API saddle_status saddle_matrix_multiply(saddle_context *context, const saddle_matrix *A,
                                                const saddle_matrix *B, saddle_matrix *C);

/* ---- applying: no allocation, cannot fail ---- */

/* y = alpha A x + beta y;   x: cols, y: rows.  With beta = 0, y is written without being read. */
SADDLE_API void saddle_matrix_apply(const saddle_matrix *A, double alpha, const double *x,
                                    double beta, double *y);

/* y = alpha A' x + beta y;  x: rows, y: cols. */
SADDLE_API void saddle_matrix_apply_transpose(const saddle_matrix *A, double alpha, const double *x,
                                              double beta, double *y);

/* d (min(rows, cols)): the diagonal, 0 where no entry is stored. */
SADDLE_API void saddle_matrix_diagonal(const saddle_matrix *A, double *d);

/* Entry (i, j), 0 if not stored; of both triangles for a symmetric matrix.  O(log entries of the
 * column). */
SADDLE_API double saddle_matrix_entry(const saddle_matrix *A, int64_t i, int64_t j);

/* ---- measuring ---- */

SADDLE_API double saddle_matrix_norm_max(const saddle_matrix *A);       /* max |a_ij| */
SADDLE_API double saddle_matrix_norm_frobenius(const saddle_matrix *A); /* sqrt(sum a_ij^2) */

/* max column sum and max row sum of |a_ij|.  work: NULL where A is general and the norm runs along
 * columns (norm_1), else rows doubles of scratch. */
SADDLE_API double saddle_matrix_norm_1(const saddle_matrix *A, double *work);
SADDLE_API double saddle_matrix_norm_inf(const saddle_matrix *A, double *work);

/* *asymmetry = max |a_ij - a_ji| / max |a_ij| of a square A; 0 for an empty or a symmetric one. */
SADDLE_API saddle_status saddle_matrix_asymmetry(saddle_context *context, const saddle_matrix *A,
                                                 double *asymmetry);

SADDLE_END_DECLARATIONS

#endif
