/* SPDX-License-Identifier: MIT */
/* Rows with bounds on the Delassus operator: w = W lambda + q, W = J M^-1 J' + R >= 0, each row's
 * law between w and lambda.
 *
 * W need not be regular: rows may depend on others.  Block pivoting is run on W + E, E = epsilon
 * times the natural sizes of W's diagonal, and what E and rounding falsify is taken out by steps of
 * refinement against the true system: from lambda,
 *
 *     M v = f + J'lambda,   w = J v + R lambda - b,   q <- w - (W + E) lambda,
 *         lambda <- pivoting on (W + E, q)
 *
 * In exact arithmetic that is the proximal point iteration for a monotone problem (Rockafellar,
 * SIAM J. Control Optim. 14, 1976), here with an epsilon so small that two or three steps do; it
 * never moves further from a solution than it was.  With the states unchanged a step is one of
 * iterative refinement by the factor that is at hand.
 *
 * Where very many rows depend on each other, block pivoting on an almost singular W + E gets
 * nowhere.  Then epsilon is raised until it does, and lowered again step by step from the lambda
 * that was found (complementarity/steps.h).
 *
 * W that is monotone without being symmetric is treated alike.  With friction of the box law the
 * tangents' bounds follow their normal impulses within each pivoting; the steps of refinement are
 * the same, but no theory says that they contract.
 *
 * Where no solution exists, the steps d of lambda tend to a ray: W d = 0, q'd < 0, d_i >= 0 (<= 0,
 * = 0) where lambda_i is bounded below (above, both).  Then no velocity exists with w >= 0 in all
 * those rows, since sum d_i w_i = q'd whatever lambda is; the rows of the ray contradict each
 * other. */
#ifndef SADDLE_SCHUR_BOUNDED_H
#define SADDLE_SCHUR_BOUNDED_H

#include "basis.h"
#include "base/layout.h"
#include "complementarity/steps.h"
#include "factor/complement.h"

typedef struct saddle__bounded {
    saddle_context *context;
    int64_t n, m;
    saddle__layout layout; /* of the arrays */
    saddle__pivoting pivoting;
    saddle__schur_basis basis;
    double *lo, *hi;     /* m; of tangents 0 */
    int64_t *normal;     /* m: as in saddle__bounded_rows; NULL = no friction */
    double *mu;          /* m */
    double *lag_lo;      /* m: bounds, those of tangents by the step before; NULL = coupled */
    double *lag_hi;      /* m */
    double *q;           /* m */
    double *size;        /* m: natural sizes of W's diagonal, > 0 */
    double *step;        /* m: their reciprocals, 0 for a row of zeros */
    double *unit;        /* m: the reciprocals of the sizes' roots */
    double *added;       /* m: E */
    double epsilon;      /* of E */
    double least;        /* of epsilon, as asked for */
    saddle__steps steps; /* of the solve at hand */
    int began_above;     /* the least epsilon, where more rows than velocities must depend on each
                            other */
    int one_by_one;      /* single pivots have not failed yet */
    double *w;           /* m */
    double *d;           /* m: the last step of lambda, once it is judged */
    double *began;       /* m: where the step at hand began: in d, or in best where that is the best
                            lambda */
    double *free;        /* m: w without impulses */
    double *r;           /* n */
    double *best;        /* n + m: v and lambda of the least error */
    int glanced;         /* ... whose v has still to be found */
    int best_is_at_hand; /* ... and whose lambda is the solution's, not in best yet */
    int64_t note;        /* length of the report's note before the first solve; -1 = none yet */
} saddle__bounded;

/* After complement's analysis.  problem: the contacts are read, whose law is that of boxes.
 * lagged: 1 = friction follows the normal impulses of the step before. */
saddle_status saddle__bounded_create(saddle_context *context, const saddle__complement *complement,
                                     const saddle_problem *problem, const saddle_options *options,
                                     int lagged, saddle__bounded *bounded);

/* After complement's form. */
void saddle__bounded_set(saddle__bounded *bounded, const saddle__complement *complement,
                         double epsilon);

/* A solve begins: what an earlier one said in the report's note goes. */
void saddle__bounded_begin_note(saddle__bounded *bounded, saddle_report *report);

/* solution: the start in, the result out.  Adds to the report's counts.  Allocates nothing. */
saddle_status saddle__bounded_solve(saddle__bounded *bounded, saddle__complement *complement,
                                    const saddle_problem *problem, const saddle_solver_call *call,
                                    saddle_solution *solution);

void saddle__bounded_clear(saddle__bounded *bounded); /* half-built ones are fine */

#endif
