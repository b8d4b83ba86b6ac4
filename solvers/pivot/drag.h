/* SPDX-License-Identifier: MIT */
/* M singular, and what keeps the velocities along its null vectors, if anything does, are rows with
 * bounds: they are given a drag that is taken out again,
 *
 *     M v - J'lambda = f - D (v - c),
 *         D = delta s,  s_j the natural size of M_jj,  c the v before,
 *
 * proximal steps as those of the rows (proximal.h), and with them the proximal point iteration for
 * the whole monotone problem (Rockafellar, SIAM J. Control Optim. 14, 1976).  M + D is regular, so
 * each step has an answer wherever the rows have.  Along null vectors of M that rows hold a step
 * leaves nothing of the error in v, and of that in lambda delta.
 *
 * Where nothing holds them, v - c tends to the shortest motion z that D allows (Pazy, Israel J.
 * Math. 9, 1971): M z = 0, J z within what the bounds leave free, f'z > 0, the same step after
 * step.  It is offered as a certificate. */
#ifndef SADDLE_PIVOT_DRAG_H
#define SADDLE_PIVOT_DRAG_H

#include "regularization.h"
#include "saddle/solver.h"
#include "shifted.h"

typedef struct saddle__drag {
    saddle_context *context;
    saddle_problem problem;         /* with M + D and f + D c; all else borrowed */
    saddle__shifted mass;           /* M + D */
    saddle__regularization natural; /* s */
    double *f;                      /* n */
    double *added;                  /* n: D */
    double *centre;                 /* n: c */
    double *moved;                  /* n: v - c */
    double *best;                   /* n + m: v and lambda of the least error */
    double *given;                  /* n + m: the solution as it came */
    saddle_report report;           /* of the steps */
    void *state;                    /* of who takes them; NULL: not yet made */
    const saddle_solver_type *type;
} saddle__drag;

/* The steps, taken by `type`, which need not be able to do more than a regular M.  solution: the
 * best of them out where that is within the tolerance, else as it came, which may tell that M is
 * singular; at a stop or the time limit the better one. SADDLE_OK; SADDLE_SINGULAR: unbounded, the
 * motion offered and proven; SADDLE_NOT_CONVERGED; what type says. Allocates when it is first
 * called and where a certificate is offered. */
saddle_status saddle__drag_solve(saddle__drag *drag, const saddle_solver_type *type,
                                 const saddle_solver_call *call, const saddle_problem *problem,
                                 saddle_solution *solution);

void saddle__drag_clear(saddle__drag *drag); /* half-built ones are fine */

#endif
