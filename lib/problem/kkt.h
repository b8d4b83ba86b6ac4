/* SPDX-License-Identifier: MIT */
/* The KKT matrix of a problem, assembled once, its values rewritten in place ever after:
 *
 *     K = [ M   J' ]  +  diag(added)          K (v, -lambda) = (f, b)
 *         [ J  -R  ]
 *
 * Symmetric (lower triangle) where M and R both are, else general.  Every diagonal entry is
 * stored. */
#ifndef SADDLE_LIB_KKT_H
#define SADDLE_LIB_KKT_H

#include "saddle/problem.h"

typedef struct saddle__kkt {
    saddle_context *context;
    int64_t n, m;
    saddle_matrix K;   /* (n + m) x (n + m) */
    int64_t *source;   /* entries of K: which value it shows, counted through those of M, then Jt,
                          then R; -1 =   none (a diagonal entry that the problem does not store) */
    int64_t *diagonal; /* n + m: where K_ii is in K.value */
    int64_t M_entries, J_entries;
    void *block; /* all of these arrays */
} saddle__kkt;

/* The pattern; values are zero.  general: both triangles even where M and R are symmetric.
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__kkt_create(saddle_context *context, const saddle_problem *problem,
                                 int general, saddle__kkt *kkt);

/* The values of a problem of the same pattern.  added (n + m): NULL = zero.  Allocates nothing. */
void saddle__kkt_refresh(saddle__kkt *kkt, const saddle_problem *problem, const double *added);

void saddle__kkt_clear(saddle__kkt *kkt); /* half-built ones are fine */

#endif
