/* SPDX-License-Identifier: MIT */
/* Answers that a residual says too little of.
 *
 * Impulses beyond what the data ask for may be right, as W may be nearly singular; or they stand for none: a residual is
 * measured against |R||lambda| and |J'||lambda|, and where rows contradict each other by little, impulses large enough make it
 * look like nothing.  And rows without a diagonal, R_ii = 0, n = 0, have no unit of their own to be measured in, so that one
 * whose entries are small may break its law unseen.  A certificate tells which. */
#ifndef SADDLE_LIB_GROWTH_H
#define SADDLE_LIB_GROWTH_H

#include "saddle/certificate.h"

/* Whether impulses are so large, in natural units, beside f, b and bounds, and, where W is symmetric, cancel each other so far,
 * that a contradiction may hide behind them; or, without velocities, cancel each other so far whatever the data; or in rows
 * without a unit.  work: as saddle_residual_compute has left it for this answer; in part overwritten. */
int saddle__may_hide_contradiction(const saddle_problem *problem, const saddle_solution *answer, double *work);

/* As saddle_certificate_check; *refuted: the certificate proves, and a solution would have to be more than twice as large as
 * the answer, which hence is near none. */
saddle_status saddle__certificate_refutes(saddle_context *context, const saddle_problem *problem,
                                          const saddle_certificate *certificate, const saddle_solution *answer,
                                          saddle_proof *proof, int *refuted);

#endif
