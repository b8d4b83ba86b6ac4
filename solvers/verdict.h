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

#include "certify.h"

/* A solve under judgement.  call->report receives residual, proof and note. */
typedef struct saddle__case {
    const saddle_solver_call *call;
    const saddle_problem *problem; /* the caller's */
    const saddle_problem *seen;    /* the solver's: matrices found symmetric are marked symmetric */
} saddle__case;

/* No proof, no certificate. */
static inline void saddle__proof_forget(saddle_report *report, saddle_certificate *certificate)
{
    report->proof = (saddle_proof){.heaviest = -1};
    saddle_certificate_clear(certificate);
}

/* SADDLE_SINGULAR, of K or M: where f pushes along a motion without mass, the message calls the
 * problem unbounded, with a certificate as proof.
 *
 * solution, NULL before a solve: report->residual <- the checker's, after a check of the solver's
 * claim: without a valid certificate, SADDLE_INFEASIBLE becomes SADDLE_NOT_CONVERGED.  An answer
 * with an entry not finite becomes zeros, and the status SADDLE_DIVERGED. */
saddle_status saddle__verdict_claim(const saddle__case *c, saddle_solution *solution,
                                    saddle_status status);

/* The report of a solver of this name before the first result. */
saddle_report saddle__report_fresh(const char *name);

/* A note where a row's error is large beside the row's own terms: one scale for all rows may hide
 * an error of a light body beside a heavy one. */
void saddle__verdict_note_local(const saddle__case *c);

/* Whether the solve ended by itself: neither interrupted nor limited by options->max_iterations. */
static inline int saddle__verdict_ended(const saddle_solver_call *call, saddle_status status)
{
    int ended = status == SADDLE_OK || status == SADDLE_NOT_CONVERGED ||
                status == SADDLE_ITERATION_LIMIT || status == SADDLE_DIVERGED;
    return ended && call->options->max_iterations == 0;
}

/* The verdict on an answer already measured: the status to return, with a message, and notes in the
 * report.  For an unsolved answer, or terms far beyond the data, a certificate is looked for; with
 * a certificate, the solution becomes the answer found along the certificate. */
saddle_status saddle__verdict(const saddle__case *c, saddle_solution *solution,
                              saddle_status status);

#endif
