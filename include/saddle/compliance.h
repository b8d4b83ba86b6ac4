/* SPDX-License-Identifier: MIT */
/* Compliance and damping of rows, in one form for all conventions.
 *
 *     alpha F = -(phi + beta dphi/dt)     F force of the row, lambda = h F its impulse
 *                                         (Lloyd, ArtiSynth mechanics notes, 0.7)
 *
 * A step that ends at phi+ = phi + h dphi/dt+ and evaluates phi at a fraction theta of the step (1:
 * compliance notes; 1/2: Lloyd, 0.8-0.9) gives, with T = theta h + beta + steps h,
 *
 *     J v+ + R lambda = b,      R = alpha / (h T),      b = -phi / T - phi_t
 *
 * alpha -> 0 is the hard row; its error phi is corrected with the time constant T, within one step
 * for T = h.  beta or steps infinite: a velocity row, the error remains.  A unilateral row has the
 * same R and b with 0 <= lambda _|_ w >= 0 (Lloyd, 0.10).
 */
#ifndef SADDLE_COMPLIANCE_H
#define SADDLE_COMPLIANCE_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_compliance { /* start from {0}, a hard row                       default */
    double alpha;                  /* inverse stiffness >= 0 [m/N, rad/(N m)]          0 */
    double beta;                   /* damping over stiffness >= 0, INFINITY fine [s]   0 */
    double steps;                  /* likewise in steps >= 0, INFINITY fine [-]        0 */
} saddle_compliance;

/* R, and rate = 1/T [1/s] of b = -rate phi - phi_t.  h > 0 [s], theta in (0, 1]. */
SADDLE_API void saddle_compliance_row(const saddle_compliance *compliance, double h, double theta,
                                      double *R, double *rate);

/* SADDLE_INVALID_ARGUMENT: a negative number or NaN, alpha infinite, alpha > 0 with beta or steps
 * infinite. */
SADDLE_API saddle_status saddle_compliance_check(saddle_context *context,
                                                 const saddle_compliance *compliance);

/* ---- conventions ----
 *
 * Conversions to alpha, beta, steps and back.  Two rows are equal if R and b are equal.  Stiffness
 * INFINITY, or alpha, C or CFM 0, is the hard row; a damper without a spring gets a spring so weak
 * that its rate is 2^-100 per step or second.  From a hard row, stiffness and frequency are
 * INFINITY.  m: the row's effective mass 1/(J M^-1 J').  h > 0 [s] and theta in (0, 1] are the
 * integrator's.  SADDLE_INVALID_ARGUMENT, *compliance unchanged: a number that is negative, NaN or
 * infinite where not allowed, h or theta out of range, a row that corrects more than its error. */

/* F = -stiffness phi - damping dphi/dt: alpha = 1/stiffness, beta = damping/stiffness.  stiffness
 * INFINITY is fine; not both may be 0.  Back: steps count h each. */
SADDLE_API saddle_status saddle_compliance_from_stiffness(saddle_context *context, double stiffness,
                                                          double damping,
                                                          saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_stiffness(const saddle_compliance *compliance, double h,
                                               double *stiffness, double *damping);

/* Compliance C [m/N] and damping D [N s/m] (compliance notes, Damping; K = 1/C): alpha = C,
 * beta = C D; with implicit Euler, theta = 1, R = C/(h C D + h^2). */
SADDLE_API saddle_status saddle_compliance_from_flexibility(saddle_context *context, double C,
                                                            double D,
                                                            saddle_compliance *compliance);

/* alpha, and gamma = 1/(1/2 + beta/h) in (0, 2] of a step h (Lloyd, 0.11; theta = 1/2):
 * R = gamma alpha/h^2, b = -gamma phi/h. */
SADDLE_API saddle_status saddle_compliance_from_gamma(saddle_context *context, double alpha,
                                                      double gamma, double h,
                                                      saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_gamma(const saddle_compliance *compliance, double h,
                                           double *alpha, double *gamma);

/* J v+ = -ERP phi/h - CFM F (multibody and LCP notes; ODE): R = CFM/h.  erp in 0 .. 1/theta [-],
 * cfm >= 0 [m/(N s)].  ODE's spring: erp = h k/(h k + d), cfm = 1/(h k + d), theta = 1. */
SADDLE_API saddle_status saddle_compliance_from_erp(saddle_context *context, double erp, double cfm,
                                                    double h, double theta,
                                                    saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_erp(const saddle_compliance *compliance, double h,
                                         double theta, double *erp, double *cfm);

/* J v+ = -rate phi, hard: Baumgarte's gamma (Sueda, Rigid Body Dynamics Notes, (1.82)).  rate in
 * 0 .. 1/(theta h) [1/s]. */
SADDLE_API saddle_status saddle_compliance_from_baumgarte(saddle_context *context, double rate,
                                                          double h, double theta,
                                                          saddle_compliance *compliance);

/* An oscillator of mass m [kg, kg m^2]: k = m (2 pi frequency)^2, d = 2 ratio sqrt(k m).
 * frequency > 0, INFINITY is fine [Hz]; ratio >= 0, 1 = critical [-]. */
SADDLE_API saddle_status saddle_compliance_from_frequency(saddle_context *context, double frequency,
                                                          double ratio, double m,
                                                          saddle_compliance *compliance);
SADDLE_API void saddle_compliance_to_frequency(const saddle_compliance *compliance, double h,
                                               double m, double *frequency, double *ratio);

/* Rows with coupled compliance (compliance notes, Damping; implicit Euler has beta = h,
 * gamma = h^2, eta = h):
 *
 *     R = (beta C D + gamma I)^-1 C,     b = -P phi - phi_t,     P = eta (beta C D + gamma I)^-1
 *
 * C, D, R, P: count x count by columns.  C, D: symmetric, positive semidefinite, both triangles
 * read; R likewise, to rounding.  Outputs must not alias inputs.  As C -> 0: R = 0,
 * P = eta/gamma I.  SADDLE_INVALID_ARGUMENT: an entry that is not finite or differs from its
 * transpose, beta < 0, gamma <= 0; SADDLE_OUT_OF_MEMORY; SADDLE_SINGULAR: C or D is not
 * semidefinite. */
SADDLE_API saddle_status saddle_compliance_matrix(saddle_context *context, int64_t count,
                                                  const double *C, const double *D, double beta,
                                                  double gamma, double eta, double *R, double *P);

SADDLE_END_DECLARATIONS

#endif
