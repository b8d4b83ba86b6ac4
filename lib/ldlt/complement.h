/* SPDX-License-Identifier: MIT */
/* The Schur complement of a chosen set by partial factorization, after the elimination of all
 * other nodes by the engine:
 *
 *     S = C + side B' A^-1 B    A  n x n  of the eliminated nodes, in the engine    side = +1 or -1
 *                               B  n x m  their entries with the set, sparse, general
 *                               C  m x m  of the set, symmetric; 0 x 0 = zero
 *
 * With P A P' = L D L' and Y = L^-1 P B: S = C + side Y' D^-1 Y.  Where supernode s eliminates k
 * columns over u rows, the m_s columns of B that reach s are m_s rows more at the bottom of the
 * front,
 *
 *     X <- X L11'^-1 (m_s x k),   V <- V - X L21' (m_s x u, for the parent),   S <- S + side X D^-1
 * X',
 *
 * all BLAS-3, and Y is not stored.  Within a tree of the elimination forest every column reaches
 * the root, so a tree adds a full clique to S: S is sparse where A falls apart, and the set needs
 * no order of its own.
 *
 *     analyse (patterns) -> reserve -> form (values, after each saddle__ldlt_factor)
 *
 * Form allocates nothing. */
#ifndef SADDLE_LIB_LDLT_COMPLEMENT_H
#define SADDLE_LIB_LDLT_COMPLEMENT_H

#include "ldlt/ldlt.h"

typedef struct saddle__ldlt_complement saddle__ldlt_complement;

/* Known from the patterns alone. */
typedef struct saddle__ldlt_complement_size {
    double entries; /* of S, lower triangle: at most */
    double flops;   /* of one form, without the factorization of A */
    int64_t bytes;  /* held until free, S itself not counted; grows in reserve */
} saddle__ldlt_complement_size;

/* F: analysed with A's pattern, borrowed until free.  *complement: NULL on failure.
 * SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE: 2^31 columns. */
saddle_status saddle__ldlt_complement_analyse(saddle_context *context, saddle__ldlt *F,
                                              const saddle_matrix *B,
                                              saddle__ldlt_complement **complement);

saddle__ldlt_complement_size saddle__ldlt_complement_size_of(
    const saddle__ldlt_complement *complement);

/* SADDLE_TOO_LARGE where S may have more entries than `most`; 0 = no limit. */
saddle_status saddle__ldlt_complement_limit(const saddle__ldlt_complement *complement, double most);

/* Allocates the memory of form.  dense: S will be dense. */
saddle_status saddle__ldlt_complement_reserve(saddle__ldlt_complement *complement, int dense);

/* S: made, symmetric, every diagonal entry stored: the pattern of a sparse S. */
saddle_status saddle__ldlt_complement_pattern(const saddle__ldlt_complement *complement,
                                              const saddle_matrix *C, saddle_matrix *S);

/* S's values.  B: the pattern analysed; C: the pattern of saddle__ldlt_complement_pattern. */
void saddle__ldlt_complement_form(saddle__ldlt_complement *complement, const saddle_matrix *B,
                                  const saddle_matrix *C, double side, saddle_matrix *S);

/* The same for a dense S (m x m, by columns, leading dimension ld >= m), both triangles, equal to
 * the last bit. */
void saddle__ldlt_complement_form_dense(saddle__ldlt_complement *complement, const saddle_matrix *B,
                                        const saddle_matrix *C, double side, double *S, int64_t ld);

/* NULL and half-built objects are fine */
void saddle__ldlt_complement_free(saddle__ldlt_complement *complement);

#endif
