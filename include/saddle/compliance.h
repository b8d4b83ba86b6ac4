/* SPDX-License-Identifier: MIT */
/* How softly a row holds: one theory, every dialect.
 *
 *     alpha F = -(phi + beta dphi/dt)          F the row's force, lambda = h F its impulse                  (seed 000, 0.7)
 *
 * Over a step that ends at phi+ = phi + h dphi/dt+ and takes phi at a fraction theta of it (1 the end: seed 002; 1/2 the mean:
 * seed 000, 0.8-0.9), with T = theta h + beta + steps h,
 *
 *     J v+ + R lambda = b,      R = alpha / (h T),      b = -phi / T - phi_t
 *
 * alpha -> 0 is the hard row, whose error phi is taken out with the time constant T: T = h in one step.  beta or steps
 * infinite: a velocity row, the error stays.  A unilateral row has the same R and b, 0 <= lambda _|_ w >= 0    (0.10).
 */
#ifndef SADDLE_COMPLIANCE_H
#define SADDLE_COMPLIANCE_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_compliance { /* zero = hard, its error taken out in one step                          default */
    double alpha;                  /* compliance, inverse stiffness >= 0 [m/N, rad/(N m)]                   0       */
    double beta;                   /* damping time, damping over stiffness >= 0; INFINITY is fine [s]       0       */
    double steps;                  /* the same in steps of the integrator >= 0; INFINITY is fine [-]        0       */
} saddle_compliance;

/* R and the rate 1/T [1/s] at which phi is taken out: b = -rate phi - phi_t.  h > 0 [s], theta in (0, 1]. */
SADDLE_API void saddle_compliance_row(const saddle_compliance *compliance, double h, double theta, double *R, double *rate);

/* SADDLE_INVALID_ARGUMENT: negative or NaN, alpha infinite. */
SADDLE_API saddle_status saddle_compliance_check(saddle_context *context, const saddle_compliance *compliance);

SADDLE_END_DECLARATIONS

#endif
