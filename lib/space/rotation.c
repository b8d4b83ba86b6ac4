/* SPDX-License-Identifier: MIT */
/* exp and log of rotations, and how exp changes (saddle/rotation.h). */
#include <math.h>

#include "saddle/rotation.h"
#include "space/space.h"

/* Below 2 the last two by their series, the others by c_k = 1/k! - x^2 c_(k+2), which then does not
 * cancel; above, upwards. */
void saddle__exponential_coefficients(double x, double *c)
{
    double y = x * x;
    if (x < 2) {
        double fourth = 1;
        double fifth = 1;
        for (int j = 11; j >= 1; j--) { /* nested: 1/4! (1 - y/(5 6) (1 - y/(7 8) (..)) */
            fourth = 1 - y / ((2 * j + 3) * (2 * j + 4)) * fourth;
            fifth = 1 - y / ((2 * j + 4) * (2 * j + 5)) * fifth;
        }
        c[4] = fifth / 120;
        c[3] = fourth / 24;
        c[2] = 1.0 / 6 - y * c[4];
        c[1] = 0.5 - y * c[3];
        c[0] = 1 - y * c[2];
        return;
    }
    double half = sin(x / 2) / x;
    c[0] = sin(x) / x;
    c[1] = 2 * half * half;
    c[2] = (1 - c[0]) / y;
    c[3] = (0.5 - c[1]) / y;
    c[4] = (1.0 / 6 - c[2]) / y;
}

/* [phi]^2 = phi phi' - |phi|^2 I */
void saddle__rotation_polynomial(const double *phi, double a, double b, double *A)
{
    double W[9];
    double square = saddle__dot(phi, phi);
    saddle__skew(phi, W);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            A[i + 3 * j] = a * W[i + 3 * j] + b * phi[i] * phi[j] + (i == j ? 1 - b * square : 0);
}

void saddle_rotation_exp(const double *phi, double *R)
{
    if (!phi || !R) return;
    double c[SADDLE__COEFFICIENTS];
    saddle__exponential_coefficients(sqrt(saddle__dot(phi, phi)), c);
    saddle__rotation_polynomial(phi, c[0], c[1], R);
}

void saddle_rotation_log(const double *R, double *phi)
{
    if (!R || !phi) return;
    double q[4];
    saddle_quaternion_from_matrix(R, q);
    saddle_quaternion_log(q, phi);
}

/* I + side c2 [phi] + c3 [phi]^2 */
static void jacobian(const double *phi, double side, double *J)
{
    double c[SADDLE__COEFFICIENTS];
    saddle__exponential_coefficients(sqrt(saddle__dot(phi, phi)), c);
    saddle__rotation_polynomial(phi, side * c[1], c[2], J);
}

void saddle_rotation_left_jacobian(const double *phi, double *Jl)
{
    if (!phi || !Jl) return;
    jacobian(phi, 1, Jl);
}

void saddle_rotation_right_jacobian(const double *phi, double *Jr)
{
    if (!phi || !Jr) return;
    jacobian(phi, -1, Jr);
}

/* (1 - x/2 cot(x/2))/x^2; below 2 as (c3 - 2 c4)/(2 c2), where nothing cancels. */
static saddle_status inverse_jacobian(saddle_context *context, const double *phi, double side,
                                      double *inverse)
{
    double x = sqrt(saddle__dot(phi, phi));
    double c[SADDLE__COEFFICIENTS];
    saddle__exponential_coefficients(x, c);
    if (x >= 2 && fabs(sin(x / 2)) < 0.5e-8)
        return saddle_fail(
            context, SADDLE_SINGULAR,
            "a rotation by %.17g, whole turns: its exponential does not change about "
            "all axes",
            x);
    double b = x < 2 ? (c[2] - 2 * c[3]) / (2 * c[1]) : (1 - x / 2 / tan(x / 2)) / (x * x);
    saddle__rotation_polynomial(phi, -0.5 * side, b, inverse);
    return SADDLE_OK;
}

saddle_status saddle_rotation_left_jacobian_inverse(saddle_context *context, const double *phi,
                                                    double *inverse)
{
    saddle_context_clear_message(context);
    if (!phi || !inverse)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_rotation_left_jacobian_inverse: phi or inverse is NULL");
    return inverse_jacobian(context, phi, 1, inverse);
}

saddle_status saddle_rotation_right_jacobian_inverse(saddle_context *context, const double *phi,
                                                     double *inverse)
{
    saddle_context_clear_message(context);
    if (!phi || !inverse)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_rotation_right_jacobian_inverse: phi or inverse is NULL");
    return inverse_jacobian(context, phi, -1, inverse);
}
