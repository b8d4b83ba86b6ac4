/* SPDX-License-Identifier: MIT */
/* How the exponential of a twist changes with it: the left and right Jacobians of SE(3) and their
 * inverses (saddle/spatial.h).
 *
 *     Jl(u) = [A Q; 0 A],  Jl^-1 = [A^-1  -A^-1 Q A^-1; 0  A^-1],  A = Jl(omega)
 *     Q = 1/2 N + c3 (P N + N P + P N P) + c4 (P P N + N P P - 3 P N P) + (c4 - 3 c5)/2 (P N P P +
 *         P P N P)
 *
 * P = [omega], N = [nu], c_k = sum_j (-1)^j x^(2 j) / (2 j + k)!, x = |omega| (Barfoot and Furgale
 * 2014, 102, where the coefficients are written in sines and cosines).
 */
#include <math.h>

#include "saddle/rotation.h"
#include "space/space.h"

/* A (3 x 3) += a (X + Y) */
static void add(double *A, double a, const double *X, const double *Y)
{
    for (int i = 0; i < 9; i++) A[i] += a * (X[i] + Y[i]);
}

static void coupling(const double *u, double *Q)
{
    double c[SADDLE__COEFFICIENTS];
    double N[9], P[9], PN[9], NP[9], PNP[9], PPN[9], NPP[9], PNPP[9], PPNP[9];
    saddle__exponential_coefficients(sqrt(saddle__dot(u + 3, u + 3)), c);
    saddle__skew(u, N);
    saddle__skew(u + 3, P);
    saddle__product3(P, N, PN);
    saddle__product3(N, P, NP);
    saddle__product3(PN, P, PNP);
    saddle__product3(P, PN, PPN);
    saddle__product3(NP, P, NPP);
    saddle__product3(PNP, P, PNPP);
    saddle__product3(P, PNP, PPNP);
    for (int i = 0; i < 9; i++) Q[i] = N[i] / 2 + (c[2] - 3 * c[3]) * PNP[i];
    add(Q, c[2], PN, NP);
    add(Q, c[3], PPN, NPP);
    add(Q, (c[3] - 3 * c[4]) / 2, PNPP, PPNP);
}

static void fill(const double *diagonal, const double *corner, double *A)
{
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            A[i + 6 * j] = A[i + 3 + 6 * (j + 3)] = diagonal[i + 3 * j];
            A[i + 6 * (j + 3)] = corner[i + 3 * j];
            A[i + 3 + 6 * j] = 0;
        }
}

void saddle_twist_left_jacobian(const double *u, double *J)
{
    if (!u || !J) return;
    double A[9];
    double Q[9];
    saddle_rotation_left_jacobian(u + 3, A);
    coupling(u, Q);
    fill(A, Q, J);
}

saddle_status saddle_twist_left_jacobian_inverse(saddle_context *context, const double *u,
                                                 double *inverse)
{
    saddle_context_clear_message(context);
    if (!u || !inverse)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_twist_left_jacobian_inverse: u or inverse is NULL");
    double A[9];
    double Q[9];
    saddle_status status = saddle_rotation_left_jacobian_inverse(context, u + 3, A);
    if (status != SADDLE_OK) return status;
    coupling(u, Q);
    saddle__product3(A, Q, Q);
    saddle__product3(Q, A, Q);
    for (int i = 0; i < 9; i++) Q[i] = -Q[i];
    fill(A, Q, inverse);
    return SADDLE_OK;
}

static void turn_back(const double *u, double *back)
{
    for (int i = 0; i < 6; i++) back[i] = -u[i];
}

void saddle_twist_right_jacobian(const double *u, double *J)
{
    if (!u || !J) return;
    double back[6];
    turn_back(u, back);
    saddle_twist_left_jacobian(back, J);
}

saddle_status saddle_twist_right_jacobian_inverse(saddle_context *context, const double *u,
                                                  double *inverse)
{
    saddle_context_clear_message(context);
    if (!u || !inverse)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_twist_right_jacobian_inverse: u or inverse is NULL");
    double back[6];
    turn_back(u, back);
    return saddle_twist_left_jacobian_inverse(context, back, inverse);
}
