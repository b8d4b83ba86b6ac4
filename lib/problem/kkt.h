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

#include "base/layout.h"
#include "saddle/problem.h"

typedef struct saddle__kkt {
    saddle_context *context;
    int64_t n, m;
    saddle_matrix K;       /* (n + m) x (n + m) */
    int64_t *diagonal;     /* n + m: where K_ii is in K.value */
    int64_t *next;         /* n + m: scratch */
    saddle__layout layout; /* of the arrays */
} saddle__kkt;

/* The pattern; values are zero.  general: both triangles even where M and R are symmetric.
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__kkt_create(saddle_context *context, const saddle_problem *problem,
                                 int general, saddle__kkt *kkt);

/* The values of a problem of the same pattern.  added (n + m): NULL = zero.  Allocates nothing. */
void saddle__kkt_refresh(saddle__kkt *kkt, const saddle_problem *problem, const double *added);

/* Half-built ones are fine. */
static inline void saddle__kkt_clear(saddle__kkt *kkt)
{
    saddle__layout_clear(kkt->context, &kkt->layout);
    *kkt = (saddle__kkt){0};
}

/* ---- a problem as solvers see it: lower triangles of a symmetric M and R ----
 *
 * A matrix marked SADDLE_SYMMETRY_FULL is folded; so is, on request, a matrix marked
 * SADDLE_SYMMETRY_NONE with triangles equal to rounding.  The rest of the problem is borrowed. */

typedef struct saddle__folded {
    saddle_problem problem; /* as given to the last take, with M and R replaced */
    saddle_matrix M, R;     /* lower triangles; owner = 0: the given matrix is used */
} saddle__folded;

/* measure: 1 = test SADDLE_SYMMETRY_NONE matrices for symmetry, 0 = take them as general.  The
 * problem is valid. */
saddle_status saddle__folded_create(saddle_context *context, const saddle_problem *problem,
                                    int measure, saddle__folded *folded);

/* New values of the problem, with the patterns of create.  Returns 0 if a matrix found symmetric
 * is no longer symmetric; the object must then be created anew.  Allocates nothing. */
int saddle__folded_refresh(saddle__folded *folded, const saddle_problem *problem);

/* The problem with the matrices of the last create or refresh; valid until the next call. */
const saddle_problem *saddle__folded_take(saddle__folded *folded, const saddle_problem *problem);

static inline void saddle__folded_clear(saddle__folded *folded)
{
    saddle_matrix_clear(&folded->M);
    saddle_matrix_clear(&folded->R);
}

#endif
