/* SPDX-License-Identifier: MIT */
/* The Delassus operator of a problem, formed sparse:   W = J M^-1 J' + R   (m x m)
 *
 * W is the negative Schur complement of the rows in [M J'; J -R]: the engine factors M and
 * carries the rows of J along (ldlt/complement.h).  W has an entry for two rows whose velocities
 * are connected by M's graph, and for each entry of R; W is symmetric to the last bit.  M = 0 x
 * 0 (n = 0): W = R.  M has to be regular.  A velocity with M_jj = 0 is eliminated after a
 * neighbour, which fills the pivot.
 *
 * M of small blocks, symmetric as R is: without the engine, by the blocks (blocks.h).
 *
 * M or R not marked symmetric: W is general, in the pattern of M + M' and R + R' (n = 0: of R).
 * An M not marked symmetric is factored L U with pivoting, and the columns of W are J (M^-1
 * J_i') + R_i, by one solve each.  An operator in place of M: the same by its own solve, W dense,
 * symmetric where R is, or all of J M^-1 J' by the operator's complement.
 *
 * In a context whose factorizations are shared by several processes, W of symmetric M and R is
 * formed by the shared method (saddle__factorization_complement) where each row reaches one and the
 * same component of M: W is dense then, as the method's complement is. */
#ifndef SADDLE_LIB_COMPLEMENT_H
#define SADDLE_LIB_COMPLEMENT_H

#include "factor/blocks.h"
#include "factor/factorization.h"
#include "ldlt/complement.h"
#include "problem/kkt.h"
#include "saddle/mass_operator.h"
#include "saddle/problem.h"

typedef struct saddle__complement {
    saddle_context *context;
    int64_t n, m;
    saddle__ldlt *mass;            /* of M; NULL with blocks */
    saddle__ldlt_complement *rows; /* J over it */
    saddle__blocks *blocks;        /* both, where M falls apart into small blocks; else NULL */
    saddle__factor_counts counts;  /* of M's factorization */
    double flops;                  /* of forming W from the factor of M */
    saddle_matrix W;           /* m x m, every diagonal entry stored; lower triangle, or general */
    double *mass_diagonal;     /* n: M_jj */
    double *mass_scale;        /* n: natural sizes of its pivots */
    saddle_mass_operator host; /* in place of M; without functions where M is read */
    double *half;              /* n x m by columns: L^-1 J', with host.half_solve */
    saddle__factorization *pivoted; /* of a general M, then `mass` is of M + M', its pattern only;
                                       else NULL */
    saddle__factorization *shared;  /* of K, the rows kept: -W is its complement; else NULL */
    saddle__kkt kkt;                /* K, where `shared` is not NULL */
    double *whole;                  /* n + m, the same */
    saddle_matrix S; /* J M^-1 J' + zeros where R + R' has entries, lower triangle; W general
                        only */
    saddle_matrix compliance; /* those zeros */
    double *velocity;         /* n */
    int64_t *next;            /* m */
} saddle__complement;

/* all zero: the best ordering, one thread, no limit */
typedef struct saddle__complement_request {
    saddle_ordering ordering;
    int64_t threads;     /* at most; 0 = 1 */
    double most_entries; /* SADDLE_TOO_LARGE where W's lower triangle may have more; 0 = no limit */
    const saddle_mass_operator *host; /* in place of M; copied; NULL = none */
} saddle__complement_request;

/* The pattern of W; of M's values, which diagonal entries are zero.  complement: all-zero or
 * cleared. SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE; SADDLE_SINGULAR: M has no entries. */
saddle_status saddle__complement_analyse(saddle_context *context, const saddle_problem *problem,
                                         const saddle__complement_request *request,
                                         saddle__complement *complement);

/* Factors M and forms W.  Allocates only for the factorization of a general M. SADDLE_SINGULAR:
 * M; the message names the velocity if known. */
saddle_status saddle__complement_form(saddle__complement *complement,
                                      const saddle_problem *problem);

/* x (n): M^-1 x, after form.  SADDLE_OUT_OF_MEMORY: with a general M; the operator's status. */
saddle_status saddle__complement_solve_mass(saddle__complement *complement, double *x);

/* d (m): W's diagonal. */
static inline void saddle__complement_diagonal(const saddle__complement *complement, double *d)
{
    saddle_matrix_diagonal(&complement->W, d);
}

void saddle__complement_clear(saddle__complement *complement); /* half-built ones are fine */

/* ---- an operator in place of M (mass_operator.c) ---- */

/* SADDLE_INVALID_ARGUMENT: without a function. */
saddle_status saddle__mass_operator_check(saddle_context *context,
                                          const saddle_mass_operator *mass);

/* SADDLE_SINGULAR: `value`, of `what` the operator makes in the row, is not finite. */
saddle_status saddle__mass_operator_blame(saddle_context *context, const saddle_problem *problem,
                                          int64_t row, const char *what, double value);

#endif
