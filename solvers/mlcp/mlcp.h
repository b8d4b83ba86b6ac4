/* SPDX-License-Identifier: MIT */
/* The mixed complementarity machine of the solvers schur and pivot:
 *
 *     system.h      rows: bounds, laws, states; the operator W (formed, columns on request, or rows
 *                   in the KKT factor); the systems W_FF of the basic rows (dense, sparse, or in
 *                   the KKT factor)
 *     pivoting.h    block principal pivoting: the search for the basic rows
 *     mlcp.c        proximal steps around block pivoting
 *
 *     create -> factor (values) -> solve, as often as wanted
 *
 * Rows may depend on each other, hence block pivoting runs on a regularized problem, and the
 * regularization is taken out again:
 *
 *     M v - J'lambda = f,   J v + R lambda + E (lambda - c) - b = w
 *
 *     E = epsilon size    size_i the natural size of W_ii
 *     c                   lambda of the step before
 *
 * For a monotone problem the iteration is the proximal point method (Rockafellar, SIAM J. Control
 * Optim. 14, 1976): no step leads away from a solution, and any epsilon may follow any other.
 *
 * Course.  With a dense basis of few rows the first run has E = 0; one run suffices where W_FF is
 * regular.  Otherwise, and where W is singular since the rows outnumber the velocities and have no
 * compliance, epsilon is options.regularization, 1e-10, and two or three steps suffice.  Where
 * pivoting stalls, epsilon is raised until pivoting succeeds, and lowered again from the lambda
 * found.  A cold start with more bounded rows than velocities begins with a larger epsilon.
 *
 * Guaranteed: runs and steps are limited in number, and the iterate of least error by the checker
 * is returned.  Problems with a monotone W that have a solution converge; for another W, and for
 * coupled friction, convergence is not guaranteed.
 *
 * No solution: the steps d of lambda tend to a ray, J'd = 0, R d = 0, b'd > 0, with signs that the
 * rows allow; the ray is offered as a certificate (saddle/certificate.h). */
#ifndef SADDLE_MLCP_H
#define SADDLE_MLCP_H

#include <stddef.h>

#include "mlcp/pivoting.h"

/* Steps without gain, in a row, that end a solve. */
enum { SADDLE__MLCP_STALLS = 2 };

/* Entry of the list of settings of schur and pivot. */
#define SADDLE__MLCP_LAGGED_FRICTION                                                    \
    {                                                                                   \
        .name = "lagged_friction", .kind = SADDLE_SETTING_FLAG,                         \
        .offset = offsetof(saddle__mlcp_settings, lagged_friction),                     \
        .summary = "bounds of tangents follow the normal impulses of the step before, " \
                   "max_refinements steps at most; solved only where they settle"       \
    }

/* A singular M: the machine's problem has M + D and f + D c in place of M and f, c the velocities
 * of the step before. */
typedef struct saddle__mlcp_shift {
    const saddle_problem *given; /* with M and f: measured and certified */
    const double *D;             /* n, > 0 */
    double *f;                   /* n: f + D c, of the machine's problem */
    double *moved;               /* n: v - c of the last step */
} saddle__mlcp_shift;

typedef struct saddle__mlcp {
    saddle_context *context;
    saddle__layout layout;
    int64_t n, m;
    saddle__mlcp_system system; /* made by the solver, owned */
    saddle__mlcp_shift *shift;  /* borrowed; NULL: M is regular, or held by the equations */
    saddle__pivoting pivoting;
    double *centre;  /* m: c */
    double *d;       /* m: the last step of lambda */
    double *best;    /* n + m: v and lambda of the least error */
    double error;    /* of best */
    double growth;   /* of best, report.residual.growth */
    int64_t taken;   /* steps of the last solve */
    int64_t raised;  /* raises of epsilon in the last solve */
    int began_above; /* the last solve began with more epsilon */
} saddle__mlcp;

/* mlcp->system: created for the problem, all else zero.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__mlcp_create(saddle_context *context, const saddle_problem *problem,
                                  saddle__mlcp *mlcp);
void saddle__mlcp_clear(saddle__mlcp *mlcp); /* half-built is fine */

/* Adds to call's report.  SADDLE_SINGULAR; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__mlcp_factor(saddle__mlcp *mlcp, const saddle_solver_call *call,
                                  const saddle_problem *problem);

/* solution: the start in, the best iterate out.  SADDLE_OK: within the tolerance;
 * SADDLE_INFEASIBLE: a certificate is offered; SADDLE_NOT_CONVERGED; a limit; a status of the
 * system; SADDLE_INVALID_ARGUMENT: a row without bounds in analyse has bounds.  Allocates nothing
 * beyond what the system does. */
saddle_status saddle__mlcp_solve(saddle__mlcp *mlcp, const saddle_solver_call *call,
                                 const saddle_problem *problem, saddle_solution *solution);

#endif
