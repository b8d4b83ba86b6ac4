/* SPDX-License-Identifier: MIT */
/* Iterative refinement of (v, lambda) against the true system, shared by the direct solvers.
 *
 *     r_v = f - M v + J'lambda   r_l = b - J v - R lambda
 *         (v, lambda) += K^-1 (r_v, r_l), K as factored
 *
 * r is summed in twice the working precision (matrix/twofold.h), so that the iterates converge to
 * (v, lambda) rounded as long as |K^-1||K| u < 1, however ill-conditioned K is (Higham, Accuracy
 * and Stability, 2nd ed., theorem 12.1; Demmel et al., ACM TOMS 32, 2006).  It is judged by the
 * componentwise backward error (Oettli and Prager; Arioli, Demmel and Duff, SIAM J. Matrix Anal.
 * 10, 1989)
 *
 *     omega = max_i |r_i| / s_i,   s_v = |M||v| + |J'||lambda| + |f|,
 *         s_l = |J||v| + |R||lambda| + |b|
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

#include "factor/factorization.h"
#include "matrix/twofold.h"
#include "saddle/solver.h"

/* ---- conjugate steps ---- */

/* Refinement made faster where it is slow: generalized conjugate residuals over K as factored
 * (Eisenstat, Elman and Schultz, SIAM J. Numer. Anal. 20, 1983).
 *
 *     p = F^-1 r  less its part along earlier p_j, so that q = K p is orthogonal to the q_j;   x +=
 *         (r'q) p,   |q| = 1
 *
 * F = K + E, E what was added to the diagonal, epsilon in natural units.  Rows that nearly depend,
 * by a gap of g, have a direction z with J M^-1 J' z = g^2 z, along which plain refinement leaves
 * epsilon / (epsilon + g^2) of the residual a step: all of it for g = 1e-6.  Of K F^-1 = 1 - E F^-1
 * the other eigenvalues are 1, so that a step for each such z takes them out. For quasi-definite K
 * and F it cannot break down: the symmetric part of K F^-1 is positive (docs/theory.md, section 4).
 * K p is summed in twice the working precision, since p is mostly z and K z is g^2 z.
 */

typedef struct saddle__directions {
    saddle_context *context;
    int64_t size;     /* n + m */
    int64_t count;    /* directions at hand */
    int64_t next;     /* where the next one goes: the oldest gives way */
    double *residual; /* n + m: r, less what steps along the directions at hand take out */
    double *taken;    /* n + m: those steps */
    double *p;        /* n + m by saddle__directions_most */
    double *q;        /* the same: K p, of length 1 in natural units */
} saddle__directions;

/* Directions kept. */
extern const int64_t saddle__directions_most;

/* directions: all-zero or cleared before. */
saddle_status saddle__directions_create(saddle_context *context, int64_t size,
                                        saddle__directions *directions);

/* r (n + m) less its parts along the directions at hand, which rounding of the unknowns has brought
 * back: those are kept for the step to come. */
void saddle__directions_begin(saddle__directions *directions, const double *unit, double *r);

/* step (n + m): F^-1 r for what begin left, (v, lambda), becomes the step to take.  1; 0 where
 * there is none, K p nothing: below 1e-14 |p| in natural units d = unit, where K is singular for
 * rounding and the solution would grow without becoming one.  sum (n + m): scratch.  Neither
 * allocates. */
int saddle__directions_take(saddle__directions *directions, const saddle_problem *problem,
                            const double *unit, saddle__twofold *sum, double *step);

void saddle__directions_clear(saddle__directions *directions); /* half-built ones are fine */

/* ---- refinement ---- */

typedef struct saddle__refinement {
    saddle_context *context;
    int64_t n, m;
    double *residual;     /* 2 (n + m): r, then the correction, in the first half; scratch for who
                             factors */
    saddle__twofold *sum; /* n + m: r and s */
    double *best;         /* n + m: v and lambda of the least omega */
    double *norm;         /* 2 (n + m): sums of |M_jk| d_k, |J_ij| d_i; of |J_ij| d_j, |R_ik| d_k */
    int complete;         /* 1: the sums of J and R are there, not those of M alone */
    double *unit;         /* n + m: d */
    void *block;          /* all of these arrays */
    int may_accelerate; /* 1: slow steps are made conjugate (directions.h); set by who factors what
                           is not K itself */
    saddle__directions directions; /* made when first wanted */
    int64_t note; /* length of the report's note before the first solve; -1 = none yet */
} saddle__refinement;

typedef struct saddle__refined {
    int64_t corrections;  /* solves with K; the first is not a refinement */
    double error;         /* omega [-]; NAN = not measured, left being as small as was asked for */
    int64_t worst;        /* where it is met: velocity, or n + row; -1 = none */
    double left;          /* largest |r_i| d_i over largest |right-hand side_i| d_i [-] */
    saddle_status status; /* SADDLE_OK, SADDLE_TIME_LIMIT or SADDLE_STOPPED: why it ended */
} saddle__refined;

/* |K^-1||K| in natural units beyond which K counts as singular. */
extern const double saddle__singular_condition;

/* r (n + m): (r_v, r_l) in, the correction (dv, dlambda) out. */
typedef saddle_status saddle__corrector(void *user, const saddle_problem *problem, double *r);

saddle_status saddle__refinement_create(saddle_context *context, const saddle_problem *problem,
                                        saddle__refinement *refinement);

/* Once per values of M, J, R.  scale (n + m): the natural size > 0 of each diagonal entry of K. */
void saddle__refinement_measure(saddle__refinement *refinement, const saddle_problem *problem,
                                const double *scale);

/* The sums over J and R, which few solves need; before anything but those over M is read.  The
 * values measured last. */
void saddle__refinement_complete(saddle__refinement *refinement, const saddle_problem *problem);

/* At the start of each solve: the report's note loses what an earlier solve said. */
void saddle__refinement_begin(saddle__refinement *refinement, saddle_report *report);

/* From (v, lambda) = 0 until omega is at rounding level and the next correction, foretold by how
 * fast they shrink, would be below rounding too; or until neither shrinks any more, or
 * options->max_refinements.  Where options->refine_to > 0, steps in working precision come first
 * and may be all.  The best iterate is left in solution.  Allocates nothing but where it is
 * slow for the first time and may be accelerated.  Fails where that or correct does. */
saddle_status saddle__refine(saddle__refinement *refinement, const saddle_problem *problem,
                             const saddle_solver_call *call, saddle__corrector *correct, void *user,
                             saddle_solution *solution, saddle__refined *refined);

/* Once more, with a factor made anew, as many steps as are left: the better of both answers stays
 * in solution, and its outcome in refined, corrections those of both but for one first solve.  kept
 * (n + m): scratch.  Fails as saddle__refine, the first answer in place then. */
saddle_status saddle__refine_again(saddle__refinement *refinement, const saddle_problem *problem,
                                   const saddle_solver_call *call, saddle__corrector *correct,
                                   void *user, double *kept, saddle_solution *solution,
                                   saddle__refined *refined);

/* What the solvers do with the outcome: fills in the report's refinements and note; SADDLE_OK,
 * SADDLE_NOT_CONVERGED, SADDLE_INFEASIBLE, SADDLE_TIME_LIMIT or SADDLE_STOPPED.
 *
 * A system that contradicts itself is told by omega that stays well above rounding, where a
 * regularized K ends at epsilon / steps or more, together with a residual that is no smaller than a
 * part of the right-hand side.  The solution has then grown by 1 / epsilon, and a residual measured
 * against |K||x| alone might look small.  Where a certificate is found (certify.h) that is
 * SADDLE_INFEASIBLE, else SADDLE_SINGULAR if the residual looks small. */
saddle_status saddle__refined_conclude(saddle__refinement *refinement,
                                       const saddle_problem *problem,
                                       const saddle_solver_call *call, saddle__corrector *correct,
                                       void *user, const saddle_solution *solution,
                                       const saddle__refined *refined);

/* Both of them. */
saddle_status saddle__refined_solve(saddle__refinement *refinement, const saddle_problem *problem,
                                    const saddle_solver_call *call, saddle__corrector *correct,
                                    void *user, saddle_solution *solution);

/* SADDLE_SINGULAR that names the unknown, velocity or n + row, whose pivot could not be had; where
 * < 0: the message stays. */
saddle_status saddle__singular_at(const saddle_solver_call *call, const saddle_problem *problem,
                                  int64_t where);

/* After each numeric factorization of K: counts, inertia, flops, entries, memory.  What was
 * estimated before is forgotten. */
void saddle__report_factors(saddle_report *report, const saddle__factorization *F);

/* Whether the inertia cannot be.  K = [M J'; J -R] with M > 0 on the motions that the rows leave
 * and R >= 0 has n positive eigenvalues; rows that depend on others leave zeros, or what
 * regularization makes of them.  M or -R alone, m = 0 or n = 0, may be anything. */
int saddle__inertia_is_wrong(const saddle_problem *problem, const saddle_inertia *inertia);

/* SADDLE_WRONG_INERTIA, with the counts in the message, where the report's inertia is not (n, m);
 * SADDLE_OK. */
saddle_status saddle__report_inertia(const saddle_solver_call *call, const saddle_problem *problem);

/* The same for the report's note. */
void saddle__note_inertia(saddle_report *report, const saddle_problem *problem);

void saddle__refinement_clear(saddle__refinement *refinement); /* half-built ones are fine */

/* The name of an unknown: velocity, or n + row. */
void saddle__describe(const saddle_problem *problem, int64_t where, char *name, size_t size);

/* Appends printf-like text to the report's note, after "; " where there is one already. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void saddle__report_note(saddle_report *report, const char *format, ...);

#endif
