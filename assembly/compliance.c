/* SPDX-License-Identifier: MIT */
/* Compliance of rows: R = alpha / (h T), b = -phi / T - phi_t, T = theta h + beta + steps h (Lloyd,
 * ArtiSynth mechanics notes, 0.7-0.9; the sign of (h/2 + beta) is that of 0.9, 0.8 has a slip).
 */
#include <math.h>

#include "base/context_internal.h"
#include "dense/dense.h"
#include "saddle/compliance.h"

void saddle_compliance_row(const saddle_compliance *compliance, double h, double theta, double *R,
                           double *rate)
{
    if (!compliance || !R || !rate) return;
    const double T = theta * h + compliance->beta + compliance->steps * h;
    *rate = isinf(T) ? 0 : 1 / T;
    *R = compliance->alpha * *rate / h;
}

static saddle_status refuse(saddle_context *context, const char *what)
{
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "compliance: %s", what);
}

/* Not negative, finite. */
static int is_amount(double x)
{
    return x >= 0 && isfinite(x);
}

saddle_status saddle_compliance_check(saddle_context *context, const saddle_compliance *compliance)
{
    SADDLE__RETURN_UNLESS(context, compliance, "compliance is NULL");
    if (!is_amount(compliance->alpha)) return refuse(context, "alpha is negative or not finite");
    if (!(compliance->beta >= 0) || !(compliance->steps >= 0))
        return refuse(context, "beta or steps is negative");
    if (compliance->alpha > 0 && (isinf(compliance->beta) || isinf(compliance->steps)))
        return refuse(context, "alpha > 0 with infinite beta or steps");
    return SADDLE_OK;
}

/* ---- conventions ----
 *
 * Stiffness and damping, flexibility, gamma, ERP and CFM, Baumgarte's rate, frequency and ratio as
 * alpha F = -(phi + beta dphi/dt): Lloyd, 0.11; multibody and LCP notes; compliance notes, Damping;
 * Sueda, Rigid Body Dynamics Notes, (1.82).
 */

/* The time constant of rows without correction, in steps or seconds: a power of two keeps the bits
 * of R. */
#define ENDLESS 0x1p100

/* Hertz to radians per second. */
static const double two_pi = 6.28318530717958647692;

/* Refuses overflows and underflows of the conversion. */
static saddle_status set_checked(saddle_context *context, saddle_compliance made,
                                 saddle_compliance *compliance)
{
    const saddle_status status = saddle_compliance_check(context, &made);
    if (status == SADDLE_OK) *compliance = made;
    return status;
}

static saddle_status check_step(saddle_context *context, double h, double theta)
{
    if (!(h > 0 && isfinite(h))) return refuse(context, "the time step is not positive");
    if (!(theta > 0 && theta <= 1)) return refuse(context, "theta is not in (0, 1]");
    return SADDLE_OK;
}

/* beta + steps h [s]; infinite steps give INFINITY. */
static double damping_time(const saddle_compliance *compliance, double h)
{
    return compliance->beta + compliance->steps * h;
}

/* ---- springs ---- */

saddle_status saddle_compliance_from_stiffness(saddle_context *context, double stiffness,
                                               double damping, saddle_compliance *compliance)
{
    SADDLE__RETURN_UNLESS(context, compliance, "compliance is NULL");
    if (!(stiffness >= 0)) return refuse(context, "the stiffness is negative");
    if (!is_amount(damping)) return refuse(context, "the damping is negative or not finite");
    if (stiffness == 0 && damping == 0) return refuse(context, "neither stiffness nor damping");
    if (isinf(stiffness)) return set_checked(context, (saddle_compliance){0}, compliance);
    if (stiffness == 0) {
        return set_checked(context,
                           (saddle_compliance){.alpha = ENDLESS / damping, .beta = ENDLESS},
                           compliance);
    }
    return set_checked(context,
                       (saddle_compliance){.alpha = 1 / stiffness, .beta = damping / stiffness},
                       compliance);
}

void saddle_compliance_to_stiffness(const saddle_compliance *compliance, double h,
                                    double *stiffness, double *damping)
{
    if (!compliance || !stiffness || !damping) return;
    const double beta = damping_time(compliance, h);
    *stiffness = compliance->alpha == 0 ? INFINITY : 1 / compliance->alpha;
    *damping = beta == 0 ? 0 : beta / compliance->alpha;
}

saddle_status saddle_compliance_from_flexibility(saddle_context *context, double C, double D,
                                                 saddle_compliance *compliance)
{
    SADDLE__RETURN_UNLESS(context, compliance, "compliance is NULL");
    if (!is_amount(C)) return refuse(context, "C is negative or not finite");
    if (!is_amount(D)) return refuse(context, "D is negative or not finite");
    return set_checked(context, (saddle_compliance){.alpha = C, .beta = C * D}, compliance);
}

saddle_status saddle_compliance_from_frequency(saddle_context *context, double frequency,
                                               double ratio, double m,
                                               saddle_compliance *compliance)
{
    SADDLE__RETURN_UNLESS(context, compliance, "compliance is NULL");
    if (!(frequency > 0)) return refuse(context, "the frequency is not positive");
    if (!is_amount(ratio)) return refuse(context, "the damping ratio is negative or not finite");
    if (!(m > 0 && isfinite(m))) return refuse(context, "the effective mass is not positive");
    const double omega = two_pi * frequency;
    return set_checked(context,
                       (saddle_compliance){.alpha = 1 / omega / omega / m,
                                           .beta = 2 * ratio / omega},
                       compliance);
}

void saddle_compliance_to_frequency(const saddle_compliance *compliance, double h, double m,
                                    double *frequency, double *ratio)
{
    if (!compliance || !frequency || !ratio) return;
    const double beta = damping_time(compliance, h);
    const double omega = compliance->alpha == 0 ? INFINITY : 1 / sqrt(compliance->alpha) / sqrt(m);
    *frequency = omega / two_pi;
    *ratio = beta == 0 ? 0 : beta * omega / 2;
}

/* ---- correction per step ---- */

saddle_status saddle_compliance_from_gamma(saddle_context *context, double alpha, double gamma,
                                           double h, saddle_compliance *compliance)
{
    SADDLE__RETURN_UNLESS(context, compliance, "compliance is NULL");
    SADDLE__TRY(check_step(context, h, 0.5));
    if (!(gamma > 0 && gamma <= 2)) return refuse(context, "gamma is not in (0, 2]");
    return set_checked(context, (saddle_compliance){.alpha = alpha, .beta = h * (1 / gamma - 0.5)},
                       compliance);
}

void saddle_compliance_to_gamma(const saddle_compliance *compliance, double h, double *alpha,
                                double *gamma)
{
    if (!compliance || !alpha || !gamma) return;
    *alpha = compliance->alpha;
    *gamma = 1 / (0.5 + damping_time(compliance, h) / h);
}

saddle_status saddle_compliance_from_erp(saddle_context *context, double erp, double cfm, double h,
                                         double theta, saddle_compliance *compliance)
{
    SADDLE__RETURN_UNLESS(context, compliance, "compliance is NULL");
    SADDLE__TRY(check_step(context, h, theta));
    if (!(erp >= 0 && erp * theta <= 1)) return refuse(context, "ERP is not in [0, 1/theta]");
    if (!is_amount(cfm)) return refuse(context, "CFM is negative or not finite");
    const double endless = cfm > 0 ? ENDLESS : INFINITY;
    const double steps = erp * ENDLESS > 1 ? 1 / erp : endless;
    const double alpha = cfm > 0 ? cfm * h * steps : 0;
    return set_checked(context,
                       (saddle_compliance){.alpha = alpha, .steps = fmax(steps - theta, 0)},
                       compliance);
}

void saddle_compliance_to_erp(const saddle_compliance *compliance, double h, double theta,
                              double *erp, double *cfm)
{
    if (!compliance || !erp || !cfm) return;
    double R, rate;
    saddle_compliance_row(compliance, h, theta, &R, &rate);
    *erp = rate * h;
    *cfm = R * h;
}

saddle_status saddle_compliance_from_baumgarte(saddle_context *context, double rate, double h,
                                               double theta, saddle_compliance *compliance)
{
    SADDLE__RETURN_UNLESS(context, compliance, "compliance is NULL");
    SADDLE__TRY(check_step(context, h, theta));
    if (!(rate >= 0 && rate * h * theta <= 1))
        return refuse(context, "the rate is not in [0, 1/(theta h)]");
    const double time = rate == 0 ? INFINITY : 1 / rate;
    return set_checked(context, (saddle_compliance){.beta = fmax(time - theta * h, 0)}, compliance);
}

/* ---- coupled rows ---- */

static saddle_status check_symmetric(saddle_context *context, int64_t count, const double *A,
                                     const char *name)
{
    for (int64_t j = 0; j < count; j++) {
        for (int64_t i = 0; i < count; i++) {
            if (isfinite(A[i + j * count]) && A[i + j * count] == A[j + i * count]) continue;
            return saddle_fail(
                context, SADDLE_INVALID_ARGUMENT,
                "compliance: %s: entry (%lld, %lld) is not finite or not that of its transpose",
                name, (long long)i + 1, (long long)j + 1);
        }
    }
    return SADDLE_OK;
}

/* A = beta C D + gamma I; X = [C, eta I] */
static void fill(int64_t count, const double *C, const double *D, double beta, double gamma,
                 double eta, double *A, double *X)
{
    for (int64_t j = 0; j < count; j++) {
        for (int64_t i = 0; i < count; i++) {
            double sum = 0;
            for (int64_t k = 0; k < count; k++) sum += C[i + k * count] * D[k + j * count];
            A[i + j * count] = beta * sum + (i == j ? gamma : 0);
            X[i + j * count] = C[i + j * count];
            X[i + (j + count) * count] = i == j ? eta : 0;
        }
    }
}

saddle_status saddle__compliance_matrix(saddle_context *context, int64_t count, const double *C,
                                        const double *D, double beta, double gamma, double eta,
                                        double *work, int *pivot, double *R, double *P)
{
    double *A = work, *X = work + count * count;
    fill(count, C, D, beta, gamma, eta, A, X);
    SADDLE__TRY(saddle__dense_solve_with(context, count, 2 * count, A, X, pivot));
    for (int64_t j = 0; j < count; j++) {
        for (int64_t i = 0; i < count; i++) {
            R[i + j * count] = 0.5 * (X[i + j * count] + X[j + i * count]);
            P[i + j * count] = X[i + (j + count) * count];
        }
    }
    return SADDLE_OK;
}

saddle_status saddle_compliance_matrix(saddle_context *context, int64_t count, const double *C,
                                       const double *D, double beta, double gamma, double eta,
                                       double *R, double *P)
{
    SADDLE__RETURN_UNLESS(context,
                          (C || count == 0) && (D || count == 0) && (R || count == 0) &&
                              (P || count == 0),
                          "C, D, R or P is NULL");
    if (count < 0 || count > INT32_MAX)
        return refuse(context, "the number of rows is out of range");
    if (!is_amount(beta)) return refuse(context, "beta is negative or not finite");
    if (!(gamma > 0 && isfinite(gamma))) return refuse(context, "gamma is not positive");
    if (!isfinite(eta)) return refuse(context, "eta is not finite");
    saddle_status status = check_symmetric(context, count, C, "C");
    if (status == SADDLE_OK) status = check_symmetric(context, count, D, "D");
    if (status != SADDLE_OK || count == 0) return status;
    double *work = saddle_allocate(context, 3 * count * count, sizeof *work);
    int *pivot = saddle_allocate(context, count, sizeof *pivot);
    status = SADDLE_OUT_OF_MEMORY;
    if (work && pivot)
        status = saddle__compliance_matrix(context, count, C, D, beta, gamma, eta, work, pivot, R,
                                           P);
    saddle__release_all(context, work, pivot);
    return status;
}
