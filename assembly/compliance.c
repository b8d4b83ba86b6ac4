/* SPDX-License-Identifier: MIT */
/* Compliances as rows: R = alpha / (h T), b = -phi / T - phi_t, T = theta h + beta + steps h (seed
 * 000, 0.7-0.9; (h/2 + beta) has the sign of 0.9 and of the lines below 0.10: that of 0.8 is a
 * slip). */
#include "saddle/compliance.h"

#include <math.h>

void saddle_compliance_row(const saddle_compliance *compliance, double h, double theta, double *R,
                           double *rate)
{
    if (!compliance || !R || !rate) return;
    const double T = theta * h + compliance->beta + compliance->steps * h;
    *rate = isinf(T) ? 0 : 1 / T;
    *R = compliance->alpha * *rate / h;
}

saddle_status saddle_compliance_check(saddle_context *context, const saddle_compliance *compliance)
{
    saddle_context_clear_message(context);
    if (!compliance)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_compliance_check: compliance is NULL");
    if (!(compliance->alpha >= 0 && isfinite(compliance->alpha))) {
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "compliance: alpha is negative or not finite");
    }
    if (!(compliance->beta >= 0) || !(compliance->steps >= 0)) {
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "compliance: beta or steps is negative");
    }
    if (compliance->alpha > 0 && (isinf(compliance->beta) || isinf(compliance->steps))) {
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "compliance: soft, and damped without end");
    }
    return SADDLE_OK;
}
