/* SPDX-License-Identifier: MIT */
/* Roll, pitch and yaw: R = R_z(theta) R_y(phi) R_x(psi), their rates and their rates' derivative
 * (seed 000, 0.4). */
#include <float.h>
#include <math.h>

#include "saddle/rotation.h"
#include "space/space.h"

static const double lock = 1e-8; /* |cos phi| below which theta and psi have one axis */

void saddle_rpy_to_matrix(const double *rpy, double *R)
{
    if (!rpy || !R) return;
    double ct = cos(rpy[0]), st = sin(rpy[0]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    double cs = cos(rpy[2]), ss = sin(rpy[2]);
    const double by_columns[9] = {ct * cp,
                                  st * cp,
                                  -sp,
                                  ct * sp * ss - st * cs,
                                  st * sp * ss + ct * cs,
                                  cp * ss,
                                  ct * sp * cs + st * ss,
                                  st * sp * cs - ct * ss,
                                  cp * cs};
    memcpy(R, by_columns, sizeof by_columns);
}

/* psi from R_z(theta)'R, whose second row is (0, cos psi, -sin psi): so it fits whatever theta is
 * taken near the lock. */
void saddle_rpy_from_matrix(const double *R, double *rpy)
{
    if (!R || !rpy) return;
    double cosine = hypot(R[0], R[1]);
    double theta = cosine > DBL_EPSILON ? atan2(R[1], R[0]) : 0;
    double c = cos(theta);
    double s = sin(theta);
    rpy[1] = atan2(-R[2], cosine);
    rpy[2] = atan2(s * R[6] - c * R[7], c * R[4] - s * R[3]);
    rpy[0] = theta;
}

void saddle_rpy_rates(const double *rpy, double *A)
{
    if (!rpy || !A) return;
    double ct = cos(rpy[0]), st = sin(rpy[0]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    const double by_columns[9] = {0, 0, 1, -st, ct, 0, ct * cp, st * cp, -sp};
    memcpy(A, by_columns, sizeof by_columns);
}

static saddle_status fail_locked(saddle_context *context, double phi)
{
    return saddle_fail(context, SADDLE_SINGULAR,
                       "gimbal lock: at a pitch of %.17g roll and yaw turn about one axis", phi);
}

saddle_status saddle_rpy_rates_inverse(saddle_context *context, const double *rpy, double *inverse)
{
    saddle_context_clear_message(context);
    if (!rpy || !inverse)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_rpy_rates_inverse: rpy or inverse is NULL");
    double ct = cos(rpy[0]), st = sin(rpy[0]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    if (!(fabs(cp) >= lock)) return fail_locked(context, rpy[1]);
    const double by_columns[9] = {sp * ct / cp, -st, ct / cp, sp * st / cp, ct, st / cp, 1, 0, 0};
    memcpy(inverse, by_columns, sizeof by_columns);
    return SADDLE_OK;
}

saddle_status saddle_rpy_rates_inverse_derivative(saddle_context *context, const double *rpy,
                                                  const double *drpy, double *derivative)
{
    saddle_context_clear_message(context);
    if (!rpy || !drpy || !derivative)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_rpy_rates_inverse_derivative: rpy, drpy or derivative is NULL");
    double ct = cos(rpy[0]), st = sin(rpy[0]);
    double cp = cos(rpy[1]), tp = tan(rpy[1]);
    double dt = drpy[0];
    double dp = drpy[1];
    if (!(fabs(cp) >= lock)) return fail_locked(context, rpy[1]);
    const double by_columns[9] = {-st * tp * dt + (1 + tp * tp) * ct * dp,
                                  -ct * dt,
                                  (-st * dt + ct * tp * dp) / cp,
                                  ct * tp * dt + (1 + tp * tp) * st * dp,
                                  -st * dt,
                                  (ct * dt + st * tp * dp) / cp,
                                  0,
                                  0,
                                  0};
    memcpy(derivative, by_columns, sizeof by_columns);
    return SADDLE_OK;
}
