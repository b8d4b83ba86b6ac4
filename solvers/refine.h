/* SPDX-License-Identifier: MIT */
/* Iterative refinement of (v, lambda) against the true system, shared by the direct solvers.
 *
 *     r_v = f - M v + J'lambda,   r_l = b - J v - R lambda
 *     (v, lambda) += K^-1 (r_v, r_l)        K as factored
 *
 * r is summed in twice the working precision (matrix/twofold.h), so that the iterates converge to
 * (v, lambda) rounded as long as |K^-1||K| u < 1, however ill-conditioned K is (Higham, Accuracy
 * and Stability, 2nd ed., theorem 12.1; Demmel et al., ACM TOMS 32, 2006).  It is judged by the
 * componentwise backward error (Oettli and Prager; Arioli, Demmel and Duff, SIAM J. Matrix Anal.
 * 10, 1989)
 *
 *     omega = max_i |r_i| / s_i
 *     s_v = |M||v| + |J'||lambda| + |f|,   s_l = |J||v| + |R||lambda| + |b|
 *
 * where an s_i that is itself rounding noise, s_i <= 1000 (n + m) u t_i, is replaced by s_i + t_i,
 * with t_i the same sum for the largest |v| and |lambda| there are, at least what the right-hand
 * side alone would give: a body held at rest has no other velocity to be measured against, a row
 * that carries nothing no other impulse.  Largest in natural units: v_j / d_j and lambda_i / d_i
 * with d = scale^-1/2 (see regularization.h), all of one dimension, so that omega does not depend
 * on units either.  Since a row's share of omega owes nothing to other rows' lambda, a row that
 * contradicts others is seen whatever size lambda grows to.
 */
#ifndef SADDLE_SOLVERS_REFINE_H
#define SADDLE_SOLVERS_REFINE_H

#include "base/layout.h"
#include "factor/factorization.h"
#include "problem/verdict.h"
#include "saddle/solver.h"

/* ---- conjugate steps ---- */

/* Refinement made faster where it is slow: generalized conjugate residuals over K as factored
 * (Eisenstat, Elman and Schultz, SIAM J. Numer. Anal. 20, 1983).
 *
 *     p = F^-1 r       less its part along earlier p_j, so that q = K p is orthogonal to the q_j
 *     x += (r'q) p     |q| = 1
 *
 * F = K + E, E what was added to the diagonal, epsilon in natural units.  Rows that nearly depend,
 * by a gap of g, have a direction z with J M^-1 J' z = g^2 z, along which plain refinement leaves
 * epsilon / (epsilon + g^2) of the residual a step: all of it for g = 1e-6.  Of K F^-1 = 1 - E F^-1
 * the other eigenvalues are 1, so that a step for each such z takes them out. For quasi-definite K
 * and F it cannot break down: the symmetric part of K F^-1 is positive (docs/theory.md, section 4).
 * K p is summed in twice the working precision, since p is mostly z and K z is g^2 z.
 */

typedef struct saddle__directions {
    int64_t size;     /* n + m */
    int64_t count;    /* directions at hand */
    int64_t next;     /* place of the next direction: the oldest is overwritten */
    double *residual; /* n + m: r, less the parts along the directions at hand */
    double *taken;    /* n + m: the steps along these directions */
    double *p;        /* n + m by 10 */
    double *q;        /* the same: K p, of length 1 in natural units */
    saddle__layout layout;
} saddle__directions;

/* ---- refinement ---- */

typedef struct saddle__refinement {
    saddle_context *context;
    int64_t n, m;
    /* 2 (n + m): r, then the correction, in the first half; scratch during factor */
    double *residual;
    saddle__twofold *sum; /* n + m: r and s */
    double *best;         /* n + m: v and lambda of the least omega */
    double *norm;         /* 2 (n + m): sums of |M_jk| d_k, |J_ij| d_i; of |J_ij| d_j, |R_ik| d_k */
    int complete;         /* 1: norm holds the sums of J and R too, not of M alone */
    double *unit;         /* n + m: d */
    saddle__layout layout; /* all of these arrays */
    int may_accelerate; /* 1: slow steps are made conjugate; set by solvers whose factor is not of K
                           itself */
    saddle__directions directions; /* made when first wanted */
    const saddle__sums *parts; /* NULL: the problem is whole; else other processes hold parts of it
                                  too, and call measure and refine alike (borrowed) */
} saddle__refinement;

typedef struct saddle__refined {
    int64_t corrections; /* solves with K; the first is not a refinement */
    double error;        /* omega [-]; NAN = not measured, left being as small as was asked for */
    int64_t worst;       /* unknown with the largest omega: velocity, or n + row; -1 = unknown,
                             as of a problem in parts */
    double left;         /* largest |r_i| d_i over largest |right-hand side_i| d_i [-] */
    /* SADDLE_OK, SADDLE_TIME_LIMIT or SADDLE_STOPPED: the reason of the end */
    saddle_status status;
} saddle__refined;

/* K counts as singular where |K^-1||K| in natural units is larger. */
extern const double saddle__singular_condition;

/* r (n + m): (r_v, r_l) in, the correction (dv, dlambda) out. */
typedef saddle_status saddle__corrector(void *user, const saddle_problem *problem, double *r);

saddle_status saddle__refinement_create(saddle_context *context, const saddle_problem *problem,
                                        saddle__refinement *refinement);

/* Once per values of M, J, R.  scale (n + m): the natural size > 0 of each diagonal entry of K. */
void saddle__refinement_measure(saddle__refinement *refinement, const saddle_problem *problem,
                                const double *scale);

/* From (v, lambda) = 0 until omega is at rounding level and the next correction, predicted from the
 * last two, would be below rounding too; or until neither shrinks any more, or
 * options->max_refinements.  Where options->refine_to > 0, steps in working precision come first
 * and may suffice, unless the matrices are in parts.  The best iterate is left in solution.
 * Allocates only for the first conjugate step.  Fails where the allocation or correct fails. */
saddle_status saddle__refine(saddle__refinement *refinement, const saddle_problem *problem,
                             const saddle_solver_call *call, saddle__corrector *correct, void *user,
                             saddle_solution *solution, saddle__refined *refined);

/* Once more, with a new factor, for the remaining number of steps: the better of both answers stays
 * in solution, with the outcome in refined; corrections counts both but for a first solve.  kept (n
 * + m): scratch.  Fails as saddle__refine; the first answer stays. */
saddle_status saddle__refine_again(saddle__refinement *refinement, const saddle_problem *problem,
                                   const saddle_solver_call *call, saddle__corrector *correct,
                                   void *user, double *kept, saddle_solution *solution,
                                   saddle__refined *refined);

/* The status of a refined solution, with the report's refinements and note: SADDLE_OK,
 * SADDLE_NOT_CONVERGED, SADDLE_INFEASIBLE, SADDLE_TIME_LIMIT or SADDLE_STOPPED.
 *
 * Signs of a contradictory system: omega stays well above rounding (a regularized K ends at epsilon
 * / steps or more), and the residual stays at a visible part of the right-hand side.  The solution
 * has grown by 1 / epsilon, and a residual relative to |K||x| alone might look small.  With a
 * certificate: SADDLE_INFEASIBLE, else SADDLE_SINGULAR if the residual looks small. */
saddle_status saddle__refined_conclude(saddle__refinement *refinement,
                                       const saddle_problem *problem,
                                       const saddle_solver_call *call, saddle__corrector *correct,
                                       void *user, const saddle_solution *solution,
                                       const saddle__refined *refined);

/* SADDLE_SINGULAR, with the unknown of the failed pivot in the message: velocity or n + row; where
 * < 0: the message stays. */
saddle_status saddle__singular_at(const saddle_solver_call *call, const saddle_problem *problem,
                                  int64_t where);

/* After each numeric factorization of K: counts, inertia, flops, entries, memory.  Earlier
 * estimates are removed. */
void saddle__report_factors(saddle_report *report, const saddle__factorization *F);

/* Whether the inertia is impossible.  K = [M J'; J -R] with M > 0 on the null space of the rows and
 * R >= 0 has n positive eigenvalues; dependent rows leave zeros, or regularized pivots.  M or -R
 * alone, m = 0 or n = 0, may have any inertia. */
static inline int saddle__inertia_is_wrong(const saddle_problem *problem,
                                           const saddle_inertia *inertia)
{
    if (!inertia->known || problem->n == 0 || problem->m == 0) return 0;
    /* zeros may be of M or of the rows */
    return inertia->positive > problem->n || inertia->negative > problem->m;
}

/* SADDLE_WRONG_INERTIA, with the counts in the message, where the report's inertia is not (n, m);
 * SADDLE_OK. */
saddle_status saddle__report_inertia(const saddle_solver_call *call, const saddle_problem *problem);

/* The same for the report's note. */
void saddle__note_inertia(saddle_report *report, const saddle_problem *problem);

void saddle__refinement_clear(saddle__refinement *refinement); /* half-built ones are fine */

/* The name of an unknown: velocity, or n + row. */
static inline void saddle__describe(const saddle_problem *problem, int64_t where, char *name,
                                    size_t size)
{
    if (where >= problem->n)
        saddle_problem_describe_row(problem, where - problem->n, name, size);
    else
        saddle_problem_describe_velocity(problem, where, name, size);
}

/* The place of an unknown: velocity, or n + row. */
static inline saddle_place saddle__place_of(const saddle_problem *problem, int64_t where)
{
    if (where >= problem->n)
        return (saddle_place){.kind = SADDLE_PLACE_ROW, .index = where - problem->n};
    return (saddle_place){.kind = SADDLE_PLACE_VELOCITY, .index = where};
}

/* Appends printf-like text to the report's note, after "; " where the note is not empty. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void saddle__report_note(saddle_report *report, const char *format, ...);

#endif
