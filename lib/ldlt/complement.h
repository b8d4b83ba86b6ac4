/* SPDX-License-Identifier: MIT */
/* The Schur complement of a chosen set by partial factorization, after the elimination of all
 * other nodes by the engine:
 *
 *     S = C + side B' A^-1 B    A  n x n  of the eliminated nodes, in the engine    side = +1 or -1
 *                               B  n x m  their entries with the set, sparse, general
 *                               C  m x m  of the set, symmetric; 0 x 0 = zero
 *
 * With P A P' = L D L' and Y = L^-1 P B:  S = C + side Y' D^-1 Y.  Where supernode s eliminates k
 * columns over u rows, the m_s columns of B that reach s are m_s rows more at the bottom of the
 * front,
 *
 *     X <- X L11'^-1 (m_s x k),   V <- V - X L21' (m_s x u, for the parent),
 *     S <- S + side X D^-1 X',
 *
 * all BLAS-3, and Y is not stored.  Within a tree of the elimination forest every column reaches
 * the root, so a tree adds a full clique to S: S is sparse where A falls apart, and the set needs
 * no order of its own.
 *
 *     analyse -> form (values, after each saddle__ldlt_factor)
 *
 * Form allocates nothing. */
#ifndef SADDLE_LIB_LDLT_COMPLEMENT_H
#define SADDLE_LIB_LDLT_COMPLEMENT_H

#include "base/layout.h"
#include "ldlt/ldlt.h"

/* Known from the patterns alone. */
typedef struct saddle__ldlt_complement_size {
    double entries; /* of S, lower triangle: at most */
    double flops;   /* of one form, without the factorization of A */
    int64_t bytes;  /* held until free, S itself not counted */
} saddle__ldlt_complement_size;

/* "Stations" are the supernodes reached by B, children first; "cliques" are the trees of stations.
 */
typedef struct saddle__ldlt_complement {
    saddle_context *context;
    saddle__ldlt *F; /* borrowed */
    int64_t m;
    saddle__ldlt_complement_size size;

    int64_t stations;
    int64_t *supernode;    /* stations: ascending */
    int64_t *station;      /* supernodes of F: the station, -1 = not reached */
    int64_t *column_start; /* stations + 1 */
    int32_t *column; /* columns of B that reach the station, ascending, as places in the clique */
    int32_t *place;  /* ... and their places in the parent */

    int64_t *entry_start;  /* stations + 1: entries of B assembled at the station */
    int64_t *entry_source; /* ... the entry of B */
    int64_t *entry_target; /* ... and their places in X */

    int64_t cliques;
    int64_t *clique_end; /* cliques: the station behind its root */
    int64_t *row_start;  /* cliques + 1 */
    int32_t *row;        /* columns of B in each clique, ascending */

    int64_t *update_start;  /* stations: where V lies in `update` */
    saddle__layout numbers; /* of the arrays below; empty: they lie in the engine's memory */
    double *update;         /* two stacks, as the engine's */
    double *block;          /* the largest X */
    double *weight;         /* most k: -side D^-1 */
    int64_t work_size;
    double *work;    /* threads x work_size: of the products */
    int64_t threads; /* F's */
    int64_t panel_size;
    double *panel;  /* threads x panel_size: some columns of X D^-1 X' on the way to the clique */
    double *clique; /* the largest clique, both triangles reserved */
} saddle__ldlt_complement;

static inline int64_t saddle__station_columns(const saddle__ldlt_complement *c, int64_t i)
{
    return c->column_start[i + 1] - c->column_start[i];
}

static inline int64_t saddle__clique_rows(const saddle__ldlt_complement *c, int64_t t)
{
    return c->row_start[t + 1] - c->row_start[t];
}

typedef struct saddle__ldlt_complement_request { /* all zero: no limit */
    double most_entries; /* SADDLE_TOO_LARGE where S may have more; 0 = no limit */
} saddle__ldlt_complement_request;

/* F: analysed with A's pattern, borrowed until free.  B, C: their patterns.  *complement: NULL on
 * failure.  S: made, symmetric, every diagonal entry stored: the pattern of a sparse S.
 * SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE: 2^31 columns. */
saddle_status saddle__ldlt_complement_analyse(saddle_context *context, saddle__ldlt *F,
                                              const saddle_matrix *B, const saddle_matrix *C,
                                              const saddle__ldlt_complement_request *request,
                                              saddle__ldlt_complement **complement,
                                              saddle_matrix *S);

static inline saddle__ldlt_complement_size saddle__ldlt_complement_size_of(
    const saddle__ldlt_complement *complement)
{
    return complement->size;
}

/* S's values.  B, C: the patterns analysed.  F's memory for updates and products is overwritten.
 * SADDLE_STOPPED, SADDLE_TIME_LIMIT: of the context's phase. */
saddle_status saddle__ldlt_complement_form(saddle__ldlt_complement *complement,
                                           const saddle_matrix *B, const saddle_matrix *C,
                                           double side, saddle_matrix *S);

/* NULL and half-built objects are fine */
void saddle__ldlt_complement_free(saddle__ldlt_complement *complement);

#endif
