/* SPDX-License-Identifier: MIT */
/* How softly a row holds: one theory, every dialect.
 *
 *     alpha F = -(phi + beta dphi/dt)   F the row's force, lambda = h F its impulse
 *         (seed 000, 0.7)
 *
 * Over a step that ends at phi+ = phi + h dphi/dt+ and takes phi at a fraction theta of it (1 the
 * end: seed 002; 1/2 the mean: seed 000, 0.8-0.9), with T = theta h + beta + steps h,
 *
 *     J v+ + R lambda = b,      R = alpha / (h T),      b = -phi / T - phi_t
 *
 * alpha -> 0 is the hard row, whose error phi is taken out with the time constant T: T = h in one
 * step.  beta or steps
 * infinite: a velocity row, the error stays.  A unilateral row has the same R and b, 0 <= lambda
 *     _|_ w >= 0   (0.10).
 */
#ifndef SADDLE_COMPLIANCE_H
#define SADDLE_COMPLIANCE_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_compliance { /* zero = hard, its error taken out in one step */
    double alpha; /* compliance, inverse stiffness >= 0 [m/N, rad/(N m)] (default: 0) */
    double beta;  /* damping time, damping over stiffness >= 0; INFINITY is fine [s] (default: 0) */
    double steps; /* the same in steps of the integrator >= 0; INFINITY is fine [-] (default: 0) */
} saddle_compliance;

/* R and the rate 1/T [1/s] at which phi is taken out: b = -rate phi - phi_t.  h > 0 [s], theta in
 * (0, 1]. */
SADDLE_API void saddle_compliance_row(const saddle_compliance *compliance, double h, double theta,
                                      double *R, double *rate);

/* SADDLE_INVALID_ARGUMENT: negative or NaN, alpha infinite, alpha > 0 with beta or steps
 * infinite. */
SADDLE_API saddle_status saddle_compliance_check(saddle_context *context,
                                                 const saddle_compliance *compliance);

/* ---- dialects ----
 *
 * From a dialect to alpha, beta, steps, and back.  Two rows are the same where R and b are.  Rows
 * without end: stiffness INFINITY, or alpha, C or CFM 0, is the hard row; a damper without a spring
 * is given a spring so weak that its rate is 2^-100 of a step's or a second's.  Back from a hard
 * row, stiffness and frequency are INFINITY. m: the row's effective mass 1/(J M^-1 J').  h > 0 [s],
 * theta in (0, 1] are the integrator's. SADDLE_INVALID_ARGUMENT, the offender named: a number
 * negative, NaN or infinite where that is not said to be fine; h or theta out of range; a row that
 * takes out more than its error.  *compliance then is as it was. */

/* F = -stiffness phi - damping dphi/dt: alpha = 1/stiffness, beta = damping/stiffness.  stiffness
 * INFINITY is fine; not both
 * 0.  Back: steps count as h each. */
SADDLE_API saddle_status saddle_compliance_from_stiffness(saddle_context *context, double stiffness,
                                                          double damping,
                                                          saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_stiffness(const saddle_compliance *compliance, double h,
                                               double *stiffness, double *damping);

/* Compliance C [m/N] and damping D [N s/m] (seed 002, Damping; K = 1/C): alpha = C, beta = C D, and
 * with implicit Euler, theta = 1, R = C/(h C D + h^2) = W. */
SADDLE_API saddle_status saddle_compliance_from_flexibility(saddle_context *context, double C,
                                                            double D,
                                                            saddle_compliance *compliance);

/* alpha and gamma = 1/(1/2 + beta/h) in (0, 2] of a step of length h (seed 000, 0.11; theta = 1/2):
 * R = gamma alpha/h^2, b = -gamma phi/h. */
SADDLE_API saddle_status saddle_compliance_from_gamma(saddle_context *context, double alpha,
                                                      double gamma, double h,
                                                      saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_gamma(const saddle_compliance *compliance, double h,
                                           double *alpha, double *gamma);

/* J v+ = -ERP phi/h - CFM F (seed 001, its end; ODE): R = CFM/h.  erp in 0 .. 1/theta [-], cfm >= 0
 * [m/(N s)].  As ODE makes them of a spring: erp = h k/(h k + d), cfm = 1/(h k + d), theta = 1. */
SADDLE_API saddle_status saddle_compliance_from_erp(saddle_context *context, double erp, double cfm,
                                                    double h, double theta,
                                                    saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_erp(const saddle_compliance *compliance, double h,
                                         double theta, double *erp, double *cfm);

/* J v+ = -rate phi, hard: Baumgarte's gamma (seed 003, 1.82).  rate in 0 .. 1/(theta h) [1/s]. */
SADDLE_API saddle_status saddle_compliance_from_baumgarte(saddle_context *context, double rate,
                                                          double h, double theta,
                                                          saddle_compliance *compliance);

/* An oscillator of mass m [kg, kg m^2]: k = m (2 pi frequency)^2, d = 2 ratio sqrt(k m).  frequency
 * > 0, INFINITY is fine [Hz]; ratio >= 0, 1 = critical [-]. */
SADDLE_API saddle_status saddle_compliance_from_frequency(saddle_context *context, double frequency,
                                                          double ratio, double m,
                                                          saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_frequency(const saddle_compliance *compliance, double h,
                                               double m, double *frequency, double *ratio);

/* Rows that are soft together (seed 002, Damping; beta, gamma, eta are its integrator's: implicit
 * Euler h, h^2, h):
 *
 *     R = (beta C D + gamma I)^-1 C,     b = -P phi - phi_t,  P = eta (beta C D + gamma I)^-1
 *
 * C, D, R, P: count x count by columns; C, D symmetric, positive semidefinite (both triangles are
 * read), and so is R, to rounding; none of the outputs is an input.  As C -> 0: R = 0, P =
 * eta/gamma I. SADDLE_INVALID_ARGUMENT: an entry that is not finite or has no twin, beta < 0, gamma
 * <= 0; SADDLE_OUT_OF_MEMORY; SADDLE_SINGULAR: C or D is not semidefinite. */
SADDLE_API saddle_status saddle_compliance_matrix(saddle_context *context, int64_t count,
                                                  const double *C, const double *D, double beta,
                                                  double gamma, double eta, double *R, double *P);

SADDLE_END_DECLARATIONS

#endif
