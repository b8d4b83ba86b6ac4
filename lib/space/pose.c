/* SPDX-License-Identifier: MIT */
/* Poses: products, points, exponential and logarithm (see space.h, saddle/pose.h). */
#include <math.h>

#include "saddle/rotation.h"
#include "space/space.h"

saddle_pose saddle_pose_identity(void)
{
    return (saddle_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

saddle_pose saddle_pose_multiply(const saddle_pose *A, const saddle_pose *B)
{
    if (!A || !B) return (saddle_pose){0};
    saddle_pose C;
    saddle__product3(A->R, B->R, C.R);
    saddle__rotate(A->R, B->p, C.p);
    for (int i = 0; i < 3; i++) C.p[i] += A->p[i];
    return C;
}

saddle_pose saddle_pose_between(const saddle_pose *A, const saddle_pose *B)
{
    if (!A || !B) return (saddle_pose){0};
    saddle_pose C;
    saddle__transposed_product3(A->R, B->R, C.R);
    const double arm[3] = {B->p[0] - A->p[0], B->p[1] - A->p[1], B->p[2] - A->p[2]};
    saddle__unrotate(A->R, arm, C.p);
    return C;
}

saddle_pose saddle_pose_inverse(const saddle_pose *A)
{
    if (!A) return (saddle_pose){0};
    saddle_pose identity = saddle_pose_identity();
    return saddle_pose_between(A, &identity);
}

void saddle_pose_point(const saddle_pose *pose, const double *X, double *x)
{
    if (!pose || !X || !x) return;
    saddle__rotate(pose->R, X, x);
    for (int i = 0; i < 3; i++) x[i] += pose->p[i];
}

void saddle_pose_point_inverse(const saddle_pose *pose, const double *x, double *X)
{
    if (!pose || !x || !X) return;
    const double arm[3] = {x[0] - pose->p[0], x[1] - pose->p[1], x[2] - pose->p[2]};
    saddle__unrotate(pose->R, arm, X);
}

/* R = exp([omega]), p = Jl(omega) nu */
saddle_pose saddle_pose_exp(const double *twist)
{
    if (!twist) return (saddle_pose){0};
    const double *omega = twist + 3;
    double V[9];
    double c[SADDLE__COEFFICIENTS];
    saddle_pose Q;
    saddle__exponential_coefficients(sqrt(saddle__dot(omega, omega)), c);
    saddle__rotation_polynomial(omega, c[0], c[1], Q.R);
    saddle__rotation_polynomial(omega, c[1], c[2], V);
    saddle__rotate(V, twist, Q.p);
    return Q;
}

/* |omega| <= pi, where Jl can be inverted. */
void saddle_pose_log(const saddle_pose *pose, double *twist)
{
    if (!pose || !twist) return;
    double V[9] = {0};
    double omega[3];
    saddle_rotation_log(pose->R, omega);
    (void)saddle_rotation_left_jacobian_inverse(NULL, omega, V);
    saddle__rotate(V, pose->p, twist);
    memcpy(twist + 3, omega, sizeof omega);
}
