/* SPDX-License-Identifier: MIT */
/* Twists and wrenches from frame to frame and with each other (saddle/spatial.h; seed 003, section
 * 1, linear part first). */
#include "space/space.h"

/* A (6 x 6) = [a b; c d], each 3 x 3; NULL = 0 */
static void fill(double *A, const double *a, const double *b, const double *c, const double *d)
{
    const double *const block[4] = {a, c, b, d};
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                A[i + 3 * (k % 2) + 6 * (j + 3 * (k / 2))] = block[k] ? block[k][i + 3 * j] : 0;
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
    fill(A, T->R, arm, NULL, T->R);
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
    fill(A, T->R, NULL, arm, T->R);
}

/* The part of a twist or wrench that is the same at every point, "free", and the other, "bound" to
 * the origin, which gains p x free as the origin goes back by p. */
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
    fill(A, angular, linear, NULL, angular);
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
