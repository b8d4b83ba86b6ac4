/* SPDX-License-Identifier: MIT */
/* Second derivatives of joints (joint_internal.h): at twists of both bodies that stay as they are,
 *
 *     dp/dt   = R nu_b - nu_a - omega_a x p          d2p/dt2   = omega x R nu_b - omega_a x dp/dt
 *     omega   = R omega_b - omega_a                  domega/dt = omega x omega_a
 *
 * and with a force P and a moment G, the wrenches on the joint frames (-P, P x p - G) and (R'P,
 * R'G) change by
 *
 *     (0, P x dp - H domega)   (R'(P x domega), R'(G x domega + H domega))
 *         dp, domega: the changes of p and R
 */
#include <string.h>

#include "joint_internal.h"
#include "saddle/spatial.h"
#include "space/space.h"

/* The twist of a joint frame, from that of its part: a particle's has no angular part. */
static void frame_twist(const saddle_site *site, int64_t anchor, const saddle_pose *frame,
                        double *twist)
{
    double whole[6] = {0};
    memcpy(whole, site->velocity[anchor], (size_t)site->size[anchor] * sizeof *whole);
    saddle_twist_to_inner(frame, whole, twist);
}

void saddle__joint_motion_of(const saddle_joint_def *def, const saddle__joint_place *place,
                             const saddle_site *site, saddle__joint_motion *motion)
{
    double a[6], b[6], carried[3], turned[3];
    frame_twist(site, 0, &def->frame_a, a);
    frame_twist(site, 1, &def->frame_b, b);
    saddle__rotate(place->R, b, b);
    saddle__rotate(place->R, b + 3, b + 3);
    saddle__cross(a + 3, place->p, carried);
    for (int i = 0; i < 3; i++) {
        motion->dp[i] = b[i] - a[i] - carried[i];
        motion->omega[i] = b[3 + i] - a[3 + i];
    }
    saddle__cross(motion->omega, b, turned);
    saddle__cross(a + 3, motion->dp, carried);
    for (int i = 0; i < 3; i++) motion->ddp[i] = turned[i] - carried[i];
    saddle__cross(motion->omega, a + 3, motion->domega);
}

double saddle__joint_second_rate(const saddle__joint_value *value, const double *H,
                                 const saddle__joint_motion *motion)
{
    double bent[3];
    saddle__rotate(H, motion->omega, bent);
    return saddle__dot(value->l, motion->ddp) + saddle__dot(value->g, motion->domega) +
           saddle__dot(motion->omega, bent);
}

/* ---- stiffness ---- */

/* C (rows x cols by columns, leading dimension rows) += A (rows x inner) B (inner x cols) */
static void add_product(int rows, int inner, int cols, const double *A, const double *B, double *C)
{
    for (int j = 0; j < cols; j++) {
        for (int k = 0; k < inner; k++) {
            for (int i = 0; i < rows; i++) C[i + rows * j] += A[i + rows * k] * B[k + inner * j];
        }
    }
}

/* The 3 x 3 block (i, j) of A (rows high, by columns) = sign B */
static void put(int rows, double *A, int i, int j, double sign, const double *B)
{
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) A[3 * i + r + rows * (3 * j + c)] = sign * B[r + 3 * c];
    }
}

/* S: wrenches of frame a and b (6 x 6 each) by (dp, domega); T: those by displacements of frames a
 * and b (6 x 6 each). */
static void frame_maps(const saddle__joint_place *place, const double *P, const double *G,
                       const double *H, double S[2][36], double T[2][36])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double skew[9], block[9], back[9];
    memset(S, 0, 2 * sizeof S[0]);
    memset(T, 0, 2 * sizeof T[0]);
    saddle__transpose3(place->R, back);
    saddle__skew(P, skew);
    put(6, S[0], 1, 0, 1, skew);
    put(6, S[0], 1, 1, -1, H);
    saddle__product3(back, skew, block);
    put(6, S[1], 0, 1, 1, block);
    saddle__skew(G, skew);
    for (int k = 0; k < 9; k++) skew[k] += H[k];
    saddle__product3(back, skew, block);
    put(6, S[1], 1, 1, 1, block);
    saddle__skew(place->p, skew);
    put(6, T[0], 0, 0, -1, identity);
    put(6, T[0], 0, 1, 1, skew);
    put(6, T[0], 1, 1, -1, identity);
    put(6, T[1], 0, 0, 1, place->R);
    put(6, T[1], 1, 1, 1, place->R);
}

void saddle__joint_wrench_stiffness(const saddle_joint_def *def, const saddle__joint_place *place,
                                    const double *P, const double *G, const double *H,
                                    double K[4][36])
{
    double S[2][36], T[2][36];
    frame_maps(place, P, G, H, S, T);
    const saddle_pose *const frame[2] = {&def->frame_a, &def->frame_b};
    double left[2][36], right[2][36];
    memset(left, 0, sizeof left);
    memset(right, 0, sizeof right);
    for (int k = 0; k < 2; k++) {
        double to_body[36], to_frame[36];
        saddle_pose_coadjoint(frame[k], to_body);
        saddle_pose_adjoint_inverse(frame[k], to_frame);
        add_product(6, 6, 6, to_body, S[k], left[k]);
        add_product(6, 6, 6, T[k], to_frame, right[k]);
    }
    memset(K, 0, 4 * sizeof K[0]);
    for (int k = 0; k < 4; k++) add_product(6, 6, 6, left[k / 2], right[k % 2], K[k]);
}
