/* SPDX-License-Identifier: MIT */
/* The Delassus operator of a problem, formed sparse:   W = J M^-1 J' + R   (m x m)
 *
 * It is the Schur complement of the rows in [M J'; J -R], with its sign turned: M is factored by
 * the engine and the rows of J are carried along (ldlt/complement.h).  W has an entry where two
 * rows touch velocities that M's graph connects, or where R has one; it is symmetric to the last
 * bit.  M = 0 x 0 (n = 0): W = R. M is regular.  A velocity with M_jj = 0 is eliminated after a
 * neighbour, which fills its pivot.
 *
 * M or R not marked symmetric: W is general, in the pattern that M + M' and R + R' would give it (n
 * = 0: R's).  An M that is not marked symmetric is factored L U with pivoting, and W's columns are
 * J (M^-1 J_i') + R_i, one solve each (complement.c).
 */
#ifndef SADDLE_LIB_COMPLEMENT_H
#define SADDLE_LIB_COMPLEMENT_H

#include "factor/factorization.h"
#include "ldlt/complement.h"
#include "saddle/problem.h"

typedef struct saddle__complement {
    saddle_context *context;
    int64_t n, m;
    saddle__ldlt *mass;            /* of M */
    saddle__factor_counts counts;  /* of its factorization */
    saddle__ldlt_complement *rows; /* J over it */
    saddle_matrix W;       /* m x m, every diagonal entry stored; lower triangle, or general */
    double *mass_diagonal; /* n: M_jj */
    double *mass_scale;    /* n: natural sizes of its pivots */
    saddle__factorization *pivoted; /* of a general M, then `mass` is of M + M', its pattern only;
                                       else NULL */
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
} saddle__complement_request;

/* The pattern of W; of M's values, which diagonal entries are zero.  complement: all-zero or
 * cleared. SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE; SADDLE_SINGULAR: M has no entries. */
saddle_status saddle__complement_analyse(saddle_context *context, const saddle_problem *problem,
                                         const saddle__complement_request *request,
                                         saddle__complement *complement);

/* Factors M and forms W.  Allocates nothing but what the factorization of a general M does.
 * SADDLE_SINGULAR: M; the message names the velocity where it is known. */
saddle_status saddle__complement_form(saddle__complement *complement,
                                      const saddle_problem *problem);

/* The same in two parts: M, after which it can be solved with, and W. */
saddle_status saddle__complement_factor(saddle__complement *complement,
                                        const saddle_problem *problem);
saddle_status saddle__complement_fill(saddle__complement *complement,
                                      const saddle_problem *problem);

/* x (n): M^-1 x, after factor.  What is not SADDLE_OK is memory that ran out, with a general M. */
saddle_status saddle__complement_solve_mass(saddle__complement *complement, double *x);

/* x (n x count, by columns): of each column. */
saddle_status saddle__complement_solve_masses(saddle__complement *complement, int64_t count,
                                              double *x);

/* d (m): W's diagonal. */
void saddle__complement_diagonal(const saddle__complement *complement, double *d);

void saddle__complement_clear(saddle__complement *complement); /* half-built ones are fine */

#endif
