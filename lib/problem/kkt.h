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

/* ---- a problem as solvers see it: lower triangles of a symmetric M and R ----
 *
 * A matrix marked SADDLE_SYMMETRIC_FULL is folded; so is one marked SADDLE_GENERAL, if asked for,
 * with both triangles equal to rounding.  The rest of the problem is borrowed. */

typedef struct saddle__folded {
    saddle_problem problem; /* what the last take was given, but for M and R */
    saddle_matrix M, R;     /* lower triangles; owner = 0 where the given one serves */
} saddle__folded;

/* measure: 1: of SADDLE_GENERAL matrices it is looked whether they are symmetric; 0: they are not.
 * The problem is sound. */
saddle_status saddle__folded_create(saddle_context *context, const saddle_problem *problem,
                                    int measure, saddle__folded *folded);

/* The values of the problem, whose patterns are those of create.  Returns 0 where a matrix that was
 * found symmetric is so no longer; it must be created anew then.  Allocates nothing. */
int saddle__folded_refresh(saddle__folded *folded, const saddle_problem *problem);

/* The problem with the matrices as they are since the last create or refresh; good until the next
 * call. */
const saddle_problem *saddle__folded_take(saddle__folded *folded, const saddle_problem *problem);

/* "M", "R", "M and R" were marked SADDLE_GENERAL and found symmetric; "" where none was. */
const char *saddle__folded_found(const saddle__folded *folded, const saddle_problem *problem);

void saddle__folded_clear(saddle__folded *folded);

#endif
