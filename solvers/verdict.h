/* SPDX-License-Identifier: MIT */
/* What a solve has reached: the status that saddle_solver_solve returns is decided here, by the
 * checker and by certificates, for all solvers alike.
 *
 *     the checker accepts the answer               SADDLE_OK
 *     a certificate refutes every solution         SADDLE_INFEASIBLE, SADDLE_SINGULAR (a motion)
 *     neither                                      what the solver says, SADDLE_NOT_CONVERGED at
 *                                                  best
 */
#ifndef SADDLE_SOLVERS_VERDICT_H
#define SADDLE_SOLVERS_VERDICT_H

#include "saddle/solver.h"

/* Of call->checker.  Remembers the last v and lambda that were measured for `problem`. */
struct saddle_checker {
    const saddle_problem *problem; /* unchanged from one measure to the next; NULL = none */
    double *work;                  /* saddle_residual_work_size() */
    double *v, *lambda, *w;        /* n, m, m: as measured last */
    int known;                     /* 1: v and lambda were measured for `problem` */
    saddle_residual residual;
};

/* For problems of the sizes given.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__checker_create(saddle_context *context, const saddle_problem *problem,
                                     saddle_checker *checker);
void saddle__checker_clear(saddle_context *context, saddle_checker *checker);

/* A solve under judgement.  call->report receives residual, proof and note. */
typedef struct saddle__case {
    const saddle_solver_call *call;
    const saddle_problem *problem; /* the caller's */
    const saddle_problem *seen;    /* the solver's: matrices found symmetric are marked symmetric */
} saddle__case;

/* No proof, no certificate. */
void saddle__proof_forget(saddle_report *report, saddle_certificate *certificate);

/* K, or M, is singular: where f pushes along a motion without mass, the message calls the problem
 * unbounded, with a certificate as proof.  SADDLE_SINGULAR; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__verdict_singular(const saddle__case *c);

/* report->residual <- the checker's.  An answer with an entry not finite becomes zeros, and the
 * status SADDLE_DIVERGED. */
saddle_status saddle__verdict_measure(const saddle__case *c, saddle_solution *solution,
                                      saddle_status status);

/* The same, after a check of the solver's claim: without a valid certificate, SADDLE_INFEASIBLE
 * becomes SADDLE_NOT_CONVERGED. */
saddle_status saddle__verdict_claim(const saddle__case *c, saddle_solution *solution,
                                    saddle_status status);

/* Whether the solve ended by itself: neither interrupted nor limited by options->max_iterations. */
int saddle__verdict_ended(const saddle_solver_call *call, saddle_status status);

/* The verdict on an answer already measured: the status to return, with a message, and notes in the
 * report.  For an unsolved answer, or terms far beyond the data, a certificate is looked for; with
 * a certificate, the solution becomes the answer found along the certificate. */
saddle_status saddle__verdict(const saddle__case *c, saddle_solution *solution,
                              saddle_status status);

#endif
