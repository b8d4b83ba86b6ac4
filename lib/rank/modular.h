/* SPDX-License-Identifier: MIT */
/* The rank of a matrix of doubles in exact arithmetic modulo the prime p = 2^61 - 1.
 *
 * Doubles are whole numbers times powers of two, and both are residues: no rounding.  The rank
 * modulo p is at most the rank of the matrix, and less only where p divides all of the matrix's
 * largest nonzero minors, which for a matrix not made for this has a probability of about 2^-60.
 * Elimination with the shortest row first. */
#ifndef SADDLE_RANK_MODULAR_H
#define SADDLE_RANK_MODULAR_H

#include "saddle/matrix.h"

/* *rank: -1 where the elimination would take more than `limit` operations.  A: finite; symmetric
 * ones stand for both triangles.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__rank_modular(saddle_context *context, const saddle_matrix *A, int64_t limit,
                                   int64_t *rank);

#endif
