/* SPDX-License-Identifier: MIT */
/* The checker's measure, and certificates by solvers (saddle/certificate.h): a solver offers a
 * certificate and returns SADDLE_INFEASIBLE; the generic layer checks the certificate and returns
 * SADDLE_NOT_CONVERGED where nothing is proven. */
#ifndef SADDLE_SOLVERS_CERTIFY_H
#define SADDLE_SOLVERS_CERTIFY_H

#include "problem/verdict.h"
#include "refine.h"

/* ---- the checker ---- */

/* A problem whose M is an operator (operator_solve.c): its measure at v, and the rows' problem, of
 * which certificates are. */
typedef struct saddle__operator_case {
    void *user;
    const saddle_problem *rows;
    void (*measure)(void *user, const saddle_problem *problem, const double *v,
                    const double *lambda, double *w, double *work, saddle_residual *residual);
    saddle_status (*recover)(void *user, const saddle_problem *problem, saddle_solution *x); /* v */
} saddle__operator_case;

/* Of call->checker.  Remembers the last v and lambda that were measured for `problem`. */
struct saddle_checker {
    const saddle_problem *problem;  /* unchanged from one measure to the next; NULL = none */
    double *work;                   /* saddle_residual_work_size() */
    double *v, *lambda, *w;         /* n, m, m: as measured last */
    double *first_v, *first_lambda; /* n, m: the answer of a solve that is repeated */
    int known;                      /* 1: v and lambda were measured for `problem` */
    saddle__units units;            /* in work, of `problem` */
    const saddle__operator_case *by_operator; /* of `problem`; NULL = M is read */
    saddle_residual residual;
};

/* For problems of the sizes given.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__checker_create(saddle_context *context, const saddle_problem *problem,
                                     saddle_checker *checker);

/* Before measures of a problem with values that may be new. */
static inline void saddle__checker_begin(saddle_checker *checker, const saddle_problem *problem)
{
    checker->problem = problem;
    checker->known = checker->units.known = 0;
}

static inline void saddle__checker_clear(saddle_context *context, saddle_checker *checker)
{
    saddle_release(context, checker->work);
    *checker = (saddle_checker){0};
}

/* ---- certificates ---- */

/* call's certificate, created on first use, <- y (m) and zero velocities, for the solver to fill
 * in. SADDLE_INFEASIBLE, for a solver to end with `return saddle__certify_rows(..)`;
 * SADDLE_OUT_OF_MEMORY. No other part of a solve allocates. */
saddle_status saddle__certify_rows(const saddle_solver_call *call, const saddle_problem *problem,
                                   const double *y);

/* The same for a motion z (n) with M z = 0 and J z = 0, y = 0, in the direction of f; entries small
 * beside the largest are left out.  SADDLE_OK, SADDLE_OUT_OF_MEMORY: the caller returns
 * SADDLE_SINGULAR. */
saddle_status saddle__certify_motion(const saddle_solver_call *call, const saddle_problem *problem,
                                     const double *z);

/* ---- free motions ---- */

/* Motions without mass and without a row to hold the motion: v != 0 with M v = 0 and J v = 0.  The
 * velocity is not determined, and nothing balances forces along v; the model is wrong: a body
 * without mass or inertia, or a joint too few on a massless link.
 *
 * A single velocity with an empty column in M and in J is found by inspection.  Motions of several
 * velocities are found by applying the factors of the regularized K~ = K + E to random forces,
 * where motions resisted by E alone dominate, and by
 *
 *     v <- v - K~^-1 (M v, J v) = (K~^-1 E v)_v
 *
 * The step keeps a motion without mass and removes all other parts.  M v and J v must become
 * rounding noise. */

/* SADDLE_SINGULAR and a message with the fastest velocity, a certificate as above; the status of
 * correct where correct failed. correct, user: as in saddle__refine; the factors belong to K or a
 * matrix near K.  likely: 0 = only where some velocity has no mass, a zero row and column of M. A
 * motion of a bare matrix, without rows, counts only where the velocities have no
 * mass: a singular system may be intended. refinement: measured; refinement->residual is scratch.
 */
saddle_status saddle__free_motion_search(const saddle_solver_call *call,
                                         const saddle_problem *problem,
                                         saddle__refinement *refinement, int likely,
                                         saddle__corrector *correct, void *user);

#endif
