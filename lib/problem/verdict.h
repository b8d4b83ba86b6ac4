/* SPDX-License-Identifier: MIT */
/* How the checker's measure and a certificate decide between answers. */
#ifndef SADDLE_LIB_VERDICT_H
#define SADDLE_LIB_VERDICT_H

#include "saddle/certificate.h"
#include "saddle/residual.h"

/* What solvers compare and stop by: total, grown by as much as the answer is overgrown, so that it
 * is <= tolerance where saddle_residual_is_solved. */
double saddle__error_of(const saddle_residual *residual, double tolerance);

/* As saddle_certificate_check; *refuted: the certificate proves, and a solution would have to be
 * more than twice as large as the answer, which hence is near none. */
saddle_status saddle__certificate_refutes(saddle_context *context, const saddle_problem *problem,
                                          const saddle_certificate *certificate,
                                          const saddle_solution *answer, saddle_proof *proof,
                                          int *refuted);

#endif
