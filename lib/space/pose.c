/* SPDX-License-Identifier: MIT */
/* Poses: products, the exponential of a twist, and how twists change from frame to frame (see space.h, saddle/pose.h). */
#include <math.h>

#include "space/space.h"

saddle_pose saddle_pose_identity(void)
{
    return (saddle_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

saddle_pose saddle_pose_multiply(const saddle_pose *A, const saddle_pose *B)
{
    saddle_pose C;
    saddle__product3(A->R, B->R, C.R);
    saddle__rotate(A->R, B->p, C.p);
    for (int i = 0; i < 3; i++) C.p[i] += A->p[i];
    return C;
}

saddle_pose saddle_pose_between(const saddle_pose *A, const saddle_pose *B)
{
    saddle_pose C;
    saddle__transposed_product3(A->R, B->R, C.R);
    const double arm[3] = {B->p[0] - A->p[0], B->p[1] - A->p[1], B->p[2] - A->p[2]};
    saddle__unrotate(A->R, arm, C.p);
    return C;
}

/* sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3; by their series where the differences would cancel. */
static void coefficients(double x, double *c)
{
    double y = x * x;
    if (x < 0.5) {
        double term[3] = {1, 0.5, 1.0 / 6};
        for (int i = 0; i < 3; i++) {
            c[i] = 0;
            for (int k = 0; k < 10; k++) {
                c[i] += term[i];
                term[i] *= -y / ((2 * k + i + 2) * (2 * k + i + 3));
            }
        }
        return;
    }
    c[0] = sin(x) / x;
    c[1] = (1 - cos(x)) / y;
    c[2] = (x - sin(x)) / (y * x);
}

saddle_pose saddle_pose_exp(const double *twist)
{
    const double *nu = twist;
    const double *omega = twist + 3;
    double W[9];
    double WW[9];
    double c[3];
    saddle_pose Q;
    coefficients(sqrt(saddle__dot(omega, omega)), c);
    saddle__skew(omega, W);
    saddle__product3(W, W, WW);
    double V[9]; /* p = V nu */
    for (int i = 0; i < 9; i++) {
        Q.R[i] = (i % 4 == 0) + c[0] * W[i] + c[1] * WW[i];
        V[i] = (i % 4 == 0) + c[1] * W[i] + c[2] * WW[i];
    }
    saddle__rotate(V, nu, Q.p);
    return Q;
}

void saddle__twist_map(const saddle_pose *T, double *A)
{
    double turn[9];
    double arm[9];
    saddle__transpose3(T->R, turn);
    saddle__skew(T->p, arm);
    saddle__product3(turn, arm, arm); /* R'[p] */
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            A[i + 6 * j] = turn[i + 3 * j];
            A[i + 3 + 6 * j] = 0;
            A[i + 6 * (j + 3)] = -arm[i + 3 * j];
            A[i + 3 + 6 * (j + 3)] = turn[i + 3 * j];
        }
}

void saddle__twist_cross(const double *twist, double *ad)
{
    double linear[9];
    double angular[9];
    saddle__skew(twist, linear);
    saddle__skew(twist + 3, angular);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            ad[i + 6 * j] = angular[i + 3 * j];
            ad[i + 3 + 6 * j] = 0;
            ad[i + 6 * (j + 3)] = linear[i + 3 * j];
            ad[i + 3 + 6 * (j + 3)] = angular[i + 3 * j];
        }
}
