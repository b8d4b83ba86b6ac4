/* SPDX-License-Identifier: MIT */
/* A singular M whose null vectors only rows with bounds hold, or nothing: proximal steps on the
 * velocities,
 *
 *     (M + D) v - J'lambda = f + D c,
 *         D = delta s,  s_j the natural size of M_jj,  c the v of the step before,
 *
 * together with the steps on the rows (proximal.h) the proximal point iteration of the whole
 * monotone problem (Rockafellar, SIAM J. Control Optim. 14, 1976).  M + D is regular.  Along null
 * vectors of M that rows hold, a step leaves nothing of the error in v, and delta of that in
 * lambda.
 *
 * Where nothing holds them, v - c tends to the shortest motion z that D allows (Pazy, Israel J.
 * Math. 9, 1971): M z = 0, J z within what the bounds leave free, f'z > 0.  It is offered as a
 * certificate. */
#ifndef SADDLE_MLCP_MASS_H
#define SADDLE_MLCP_MASS_H

#include "mlcp/mlcp.h"
#include "mlcp/shifted.h"

typedef struct saddle__mass {
    saddle_context *context;
    saddle_problem problem;         /* M + D and f + D c; all else borrowed */
    saddle__shifted mass;           /* M + D */
    saddle__regularization natural; /* s */
    double *f;                      /* n */
    double *D;                      /* n */
    double *centre;                 /* n: c */
    double *moved;                  /* n: v - c */
    double *best;                   /* n + m: v and lambda of the least error */
    double *given;                  /* n + m: the solution as it came */
    saddle__mlcp mlcp;              /* of `problem` */
    int made;
} saddle__mass;

/* solution: the best iterate out where it is within the tolerance, else as it came; at a stop or
 * the time limit the better of both.  SADDLE_OK; SADDLE_SINGULAR: unbounded, the motion is offered
 * and proven; SADDLE_NOT_CONVERGED; a status of the machine.  Allocates when it is first called and
 * where a certificate is offered. */
saddle_status saddle__mass_solve(saddle__mass *mass, const saddle_solver_call *call,
                                 const saddle_problem *problem, saddle_solution *solution);
void saddle__mass_clear(saddle__mass *mass); /* half-built is fine */

#endif
