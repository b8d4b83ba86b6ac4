/* SPDX-License-Identifier: MIT */
/* Poses: products, points, exponential and logarithm.  Twists and wrenches in other frames and with
 * each other, linear part first (saddle/spatial.h; Sueda, Rigid Body Dynamics Notes, section 1:
 * docs/references.md).  Jacobians of the exponential on SE(3):
 *
 *     Jl(u) = [A Q; 0 A],  Jl^-1 = [A^-1  -A^-1 Q A^-1; 0  A^-1],  A = Jl(omega)
 *     Q = 1/2 N + c3 (P N + N P + P N P) + c4 (P P N + N P P - 3 P N P)
 *               + (c4 - 3 c5)/2 (P N P P + P P N P)
 *
 * P = [omega], N = [nu], c_k = sum_j (-1)^j x^(2 j) / (2 j + k)!, x = |omega| (Barfoot and Furgale
 * 2014, 102, with the coefficients in sines and cosines).
 */
#include <math.h>

#include "base/context_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

/* ---- poses ---- */

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

static void transpose6(double *A)
{
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < j; i++) {
            double upper = A[i + 6 * j];
            A[i + 6 * j] = A[j + 6 * i];
            A[j + 6 * i] = upper;
        }
}

/* ---- from frame to frame ---- */

void saddle_pose_adjoint(const saddle_pose *T, double *A)
{
    if (!T || !A) return;
    double arm[9];
    saddle__skew(T->p, arm);
    saddle__product3(arm, T->R, arm);
    saddle__join3(T->R, arm, NULL, T->R, A);
}

void saddle_pose_adjoint_inverse(const saddle_pose *T, double *A)
{
    if (!T || !A) return;
    saddle_pose_coadjoint(T, A);
    transpose6(A);
}

void saddle_pose_coadjoint(const saddle_pose *T, double *A)
{
    if (!T || !A) return;
    double arm[9];
    saddle__skew(T->p, arm);
    saddle__product3(arm, T->R, arm);
    saddle__join3(T->R, NULL, arm, T->R, A);
}

/* The free part of a twist or wrench is the same at every point; the bound part belongs to the
 * origin, and gains p x free as the origin moves back by p. */
static void outward(const saddle_pose *T, const double *bound, const double *free,
                    double *out_bound, double *out_free)
{
    double turned[3];
    double moved[3];
    double gain[3];
    saddle__rotate(T->R, free, turned);
    saddle__rotate(T->R, bound, moved);
    saddle__cross(T->p, turned, gain);
    for (int i = 0; i < 3; i++) {
        out_bound[i] = moved[i] + gain[i];
        out_free[i] = turned[i];
    }
}

static void inward(const saddle_pose *T, const double *bound, const double *free, double *out_bound,
                   double *out_free)
{
    double gain[3];
    double moved[3];
    saddle__cross(T->p, free, gain);
    for (int i = 0; i < 3; i++) moved[i] = bound[i] - gain[i];
    saddle__unrotate(T->R, free, out_free);
    saddle__unrotate(T->R, moved, out_bound);
}

void saddle_twist_to_outer(const saddle_pose *T, const double *inner, double *outer)
{
    if (!T || !inner || !outer) return;
    outward(T, inner, inner + 3, outer, outer + 3);
}

void saddle_twist_to_inner(const saddle_pose *T, const double *outer, double *inner)
{
    if (!T || !outer || !inner) return;
    inward(T, outer, outer + 3, inner, inner + 3);
}

void saddle_wrench_to_outer(const saddle_pose *T, const double *inner, double *outer)
{
    if (!T || !inner || !outer) return;
    outward(T, inner + 3, inner, outer + 3, outer);
}

void saddle_wrench_to_inner(const saddle_pose *T, const double *outer, double *inner)
{
    if (!T || !outer || !inner) return;
    inward(T, outer + 3, outer, inner + 3, inner);
}

/* A X, then (A (A X)')' = A X A' with A = Ad(T)^-T. */
void saddle_pose_congruence(const saddle_pose *T, const double *inner, double *outer)
{
    if (!T || !inner || !outer) return;
    if (outer != inner) memcpy(outer, inner, 36 * sizeof *outer);
    for (int side = 0; side < 2; side++) {
        for (int j = 0; j < 6; j++) saddle_wrench_to_outer(T, outer + 6 * j, outer + 6 * j);
        transpose6(outer);
    }
}

/* ---- with each other ---- */

void saddle_twist_adjoint(const double *s, double *A)
{
    if (!s || !A) return;
    double linear[9];
    double angular[9];
    saddle__skew(s, linear);
    saddle__skew(s + 3, angular);
    saddle__join3(angular, linear, NULL, angular, A);
}

void saddle_twist_coadjoint(const double *s, double *A)
{
    if (!s || !A) return;
    saddle_twist_adjoint(s, A);
    transpose6(A);
}

/* a = b x c + d x e */
static void two_crosses(const double *b, const double *c, const double *d, const double *e,
                        double *a)
{
    double other[3];
    saddle__cross(d, e, other);
    saddle__cross(b, c, a);
    for (int i = 0; i < 3; i++) a[i] += other[i];
}

void saddle_twist_cross(const double *s, const double *u, double *bracket)
{
    if (!s || !u || !bracket) return;
    double result[6];
    two_crosses(s + 3, u, s, u + 3, result);
    saddle__cross(s + 3, u + 3, result + 3);
    memcpy(bracket, result, sizeof result);
}

void saddle_twist_cross_dual(const double *s, const double *F, double *dual)
{
    if (!s || !F || !dual) return;
    double result[6];
    saddle__cross(F, s + 3, result);
    two_crosses(F, s, F + 3, s + 3, result + 3);
    memcpy(dual, result, sizeof result);
}

/* ---- points ---- */

void saddle_point_jacobian(const double *x, double *gamma)
{
    if (!x || !gamma) return;
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double back[3] = {-x[0], -x[1], -x[2]};
    memcpy(gamma, identity, sizeof identity);
    saddle__skew(back, gamma + 9);
}

void saddle_pose_point_jacobian(const saddle_pose *pose, const double *x, double *J)
{
    if (!pose || !x || !J) return;
    saddle_point_jacobian(x, J);
    saddle__product3(pose->R, J, J);
    saddle__product3(pose->R, J + 9, J + 9);
}

/* ---- Jacobians of the exponential ---- */

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

void saddle_twist_left_jacobian(const double *u, double *J)
{
    if (!u || !J) return;
    double A[9];
    double Q[9];
    saddle_rotation_left_jacobian(u + 3, A);
    coupling(u, Q);
    saddle__join3(A, Q, NULL, A, J);
}

saddle_status saddle_twist_left_jacobian_inverse(saddle_context *context, const double *u,
                                                 double *inverse)
{
    SADDLE__RETURN_UNLESS(context, u && inverse, "u or inverse is NULL");
    double A[9];
    double Q[9];
    saddle_status status = saddle_rotation_left_jacobian_inverse(context, u + 3, A);
    if (status != SADDLE_OK) return status;
    coupling(u, Q);
    saddle__product3(A, Q, Q);
    saddle__product3(Q, A, Q);
    for (int i = 0; i < 9; i++) Q[i] = -Q[i];
    saddle__join3(A, Q, NULL, A, inverse);
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
    SADDLE__RETURN_UNLESS(context, u && inverse, "u or inverse is NULL");
    double back[6];
    turn_back(u, back);
    return saddle_twist_left_jacobian_inverse(context, back, inverse);
}
