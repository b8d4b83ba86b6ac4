/* SPDX-License-Identifier: MIT */
/* Frame springs (saddle/forces.h; Lloyd, ArtiSynth mechanics notes, 0.22).  In world axes, with the
 * arms p_1, p_2 from the bodies' origins to the frames' origins and psi = log(R_2 R_1'),
 *
 *     s = x_2 - x_1,   ds/dt = v_b + omega_b x p_2 - v_a - omega_a x p_1
 *     f = k s + d ds/dt,   m = k_r psi + d_r (omega_b - omega_a)
 *     wrenches: (f, p_1 x f + m) on a, -(f, p_2 x f + m) on b
 *     dp_1 = dtheta_a x p_1,   dpsi = Jl^-1 dtheta_b - Jl^-T dtheta_a     (Jl^-1: U of 0.22.1)
 *
 * which gives K and D of (0.22.3).  In body axes a displacement at constant twist turns the
 * velocities with the body, and the wrench is R'(f, m):
 *
 *     K_body = R'(K R + D R [ , -[nu]; , -[omega]]) + [ , [R'f]; , [R'm]] of the body's own block
 *     D_body = R'D R
 */
#include <string.h>

#include "model_internal.h"
#include "saddle/forces.h"
#include "saddle/rotation.h"
#include "space/space.h"

/* The state of a spring, world axes. */
typedef struct frames {
    /* arms of the frames, velocities of the bodies' origins */
    double p[2][3], v[2][3], omega[2][3];
    double s[3], rate[3];
    double psi[3], Jl[9]; /* Jl^-1 */
    double f[3], m[3];
} frames;

static frames frames_at(const saddle_frame_spring *spring, const saddle_pose *pose,
                        const double *velocity)
{
    const saddle_pose *local[2] = {&spring->frame_a, &spring->frame_b};
    frames at = {0};
    double R[2][9], turn[9], x[2][3], sweep[2][3];
    for (int k = 0; k < 2; k++) {
        memcpy(at.v[k], velocity + 6 * k, sizeof at.v[k]);
        memcpy(at.omega[k], velocity + 6 * k + 3, sizeof at.omega[k]);
        saddle__rotate(pose[k].R, local[k]->p, at.p[k]);
        saddle__product3(pose[k].R, local[k]->R, R[k]);
        saddle__cross(at.omega[k], at.p[k], sweep[k]);
        for (int i = 0; i < 3; i++) x[k][i] = pose[k].p[i] + at.p[k][i];
    }
    saddle__transpose3(R[0], turn);
    saddle__product3(R[1], turn, turn);
    saddle_rotation_log(turn, at.psi);
    (void)saddle_rotation_left_jacobian_inverse(NULL, at.psi, at.Jl); /* |psi| <= pi: defined */
    for (int i = 0; i < 3; i++) {
        at.s[i] = x[1][i] - x[0][i];
        at.rate[i] = at.v[1][i] + sweep[1][i] - at.v[0][i] - sweep[0][i];
        at.f[i] = spring->stiffness * at.s[i] + spring->damping * at.rate[i];
        at.m[i] = spring->angular_stiffness * at.psi[i] +
                  spring->angular_damping * (at.omega[1][i] - at.omega[0][i]);
    }
    return at;
}

/* wrench (12) of a force f and a moment m; of their changes, without the change of the arms. */
static void wrenches(const frames *at, const double *f, const double *m, double *wrench)
{
    for (int k = 0; k < 2; k++) {
        const double sign = k == 0 ? 1 : -1;
        double arm[3];
        saddle__cross(at->p[k], f, arm);
        for (int i = 0; i < 3; i++) {
            wrench[6 * k + i] = sign * f[i];
            wrench[6 * k + 3 + i] = sign * (arm[i] + m[i]);
        }
    }
}

/* Column j of the blocks of body b: displacement and velocity j of the body. */
static void column(const saddle_frame_spring *spring, const frames *at, int b, int j, double *K,
                   double *D)
{
    const double sign = b == 0 ? -1 : 1, axis[3] = {j % 3 == 0, j % 3 == 1, j % 3 == 2};
    double ds[3], drate[3] = {0}, dpsi[3] = {0}, domega[3] = {0}, dp[3] = {0};
    memcpy(ds, axis, sizeof ds);
    if (j >= 3) {
        saddle__cross(axis, at->p[b], dp);
        memcpy(ds, dp, sizeof ds);
        saddle__cross(at->omega[b], dp, drate);
        if (b == 0)
            saddle__unrotate(at->Jl, axis, dpsi);
        else
            saddle__rotate(at->Jl, axis, dpsi);
        memcpy(domega, axis, sizeof domega);
    }
    double df[3], dm[3], damped[3], turned[3];
    for (int i = 0; i < 3; i++) {
        df[i] = sign * (spring->stiffness * ds[i] + spring->damping * drate[i]);
        dm[i] = sign * spring->angular_stiffness * dpsi[i];
        damped[i] = sign * spring->damping * ds[i];
        turned[i] = sign * spring->angular_damping * domega[i];
    }
    wrenches(at, df, dm, K);
    wrenches(at, damped, turned, D);
    double moved[3];
    saddle__cross(dp, at->f, moved); /* the body's own moment, by the change of its arm */
    for (int i = 0; i < 3; i++) K[6 * b + 3 + i] -= sign * moved[i];
}

void saddle_frame_spring_world(const saddle_frame_spring *spring, const saddle_pose *pose,
                               const double *velocity, double *wrench, double *K, double *D)
{
    if (!spring || !pose || !velocity || !wrench) return;
    const frames at = frames_at(spring, pose, velocity);
    double unused[2][12];
    wrenches(&at, at.f, at.m, wrench);
    for (int j = 0; j < 12 && (K || D); j++) {
        column(spring, &at, j / 6, j % 6, K ? K + 12 * j : unused[0], D ? D + 12 * j : unused[1]);
    }
}

/* ---- in body axes ---- */

/* The poses of a site, and velocity (12) in world axes. */
static void world_state(const saddle_site *site, saddle_pose *pose, double *velocity)
{
    for (int k = 0; k < 2; k++) {
        memcpy(&pose[k], site->position[k], sizeof pose[k]);
        saddle__rotate(pose[k].R, site->velocity[k], velocity + 6 * k);
        saddle__rotate(pose[k].R, site->velocity[k] + 3, velocity + 6 * k + 3);
    }
}

/* x (12) in world axes -> body axes */
static void to_bodies(const saddle_pose *pose, double *x)
{
    for (int i = 0; i < 4; i++) saddle__unrotate(pose[i / 2].R, x + 3 * i, x + 3 * i);
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              double *const *force)
{
    saddle_pose pose[2];
    double velocity[12], wrench[12];
    (void)context;
    world_state(site, pose, velocity);
    saddle_frame_spring_world(site->data, pose, velocity, wrench, NULL, NULL);
    to_bodies(pose, wrench);
    for (int k = 0; k < 2; k++) memcpy(force[k], wrench + 6 * k, 6 * sizeof *wrench);
    return SADDLE_OK;
}

/* y (12) += A (12 x 12) (x in the columns 6 b + 3 half ..) */
static void add_product(const double *A, int b, int half, const double *x, double *y)
{
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 12; i++) y[i] += A[i + 12 * (6 * b + 3 * half + j)] * x[j];
    }
}

/* Column j of the blocks of body b in body axes: K and D (12) each. */
static void body_column(const saddle_site *site, const saddle_pose *pose, const double *wrench,
                        const double *K, const double *D, int b, int j, double *K_column,
                        double *D_column)
{
    const double axis[3] = {j % 3 == 0, j % 3 == 1, j % 3 == 2};
    double moved[3];
    memset(K_column, 0, 12 * sizeof *K_column);
    memset(D_column, 0, 12 * sizeof *D_column);
    saddle__rotate(pose[b].R, axis, moved);
    add_product(K, b, j / 3, moved, K_column);
    add_product(D, b, j / 3, moved, D_column);
    for (int half = 0; half < 2 && j >= 3; half++) { /* velocities turn with the body */
        double turned[3];
        saddle__cross(axis, site->velocity[b] + 3 * half, turned);
        saddle__rotate(pose[b].R, turned, turned);
        add_product(D, b, half, turned, K_column);
    }
    to_bodies(pose, K_column);
    to_bodies(pose, D_column);
    for (int half = 0; half < 2 && j >= 3; half++) { /* d(R'f) = R'df + [R'f] d */
        const double *own = wrench + 6 * b + 3 * half;
        double turned[3];
        saddle__cross(own, axis, turned);
        for (int i = 0; i < 3; i++) K_column[6 * b + 3 * half + i] += turned[i];
    }
}

static saddle_status jacobians(saddle_context *context, const saddle_site *site, double *const *K,
                               double *const *D)
{
    saddle_pose pose[2];
    double velocity[12], wrench[12], world_K[144], world_D[144], columns[2][12];
    (void)context;
    world_state(site, pose, velocity);
    saddle_frame_spring_world(site->data, pose, velocity, wrench, world_K, world_D);
    to_bodies(pose, wrench);
    for (int j = 0; j < 12; j++) {
        const int b = j / 6;
        body_column(site, pose, wrench, world_K, world_D, b, j % 6, columns[0], columns[1]);
        for (int a = 0; a < 2; a++) {
            memcpy(K[2 * a + b] + j % 6 * 6, columns[0] + 6 * a, 6 * sizeof(double));
            memcpy(D[2 * a + b] + j % 6 * 6, columns[1] + 6 * a, 6 * sizeof(double));
        }
    }
    return SADDLE_OK;
}

static double energy(const saddle_site *site)
{
    const saddle_frame_spring *spring = site->data;
    saddle_pose pose[2];
    double velocity[12];
    world_state(site, pose, velocity);
    const frames at = frames_at(spring, pose, velocity);
    return spring->stiffness * saddle__dot(at.s, at.s) / 2 +
           spring->angular_stiffness * saddle__dot(at.psi, at.psi) / 2;
}

static const saddle_force_type frame_spring = {.name = "frame spring",
                                               .evaluate = evaluate,
                                               .jacobians = jacobians,
                                               .energy = energy};

saddle_frame_spring saddle_frame_spring_default(void)
{
    return (saddle_frame_spring){.frame_a = saddle_pose_identity(),
                                 .frame_b = saddle_pose_identity()};
}

saddle_status saddle_model_add_frame_spring(saddle_model *model, const char *name, saddle_handle a,
                                            saddle_handle b, const saddle_frame_spring *spring,
                                            saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && spring && force,
                          "model, spring or force is NULL");
    const saddle__numbers numbers[] = {{"frame_a: position", SADDLE__ANY, 3, spring->frame_a.p},
                                       {"frame_b: position", SADDLE__ANY, 3, spring->frame_b.p},
                                       {"stiffness", SADDLE__AMOUNT, 1, &spring->stiffness},
                                       {"damping", SADDLE__AMOUNT, 1, &spring->damping},
                                       {"angular_stiffness", SADDLE__AMOUNT, 1,
                                        &spring->angular_stiffness},
                                       {"angular_damping", SADDLE__AMOUNT, 1,
                                        &spring->angular_damping}};
    SADDLE__TRY(saddle__check_numbers(model, "frame spring", name, 6, numbers));
    if (!saddle__is_rotation(spring->frame_a.R, SADDLE__DEFINED_TOLERANCE) ||
        !saddle__is_rotation(spring->frame_b.R, SADDLE__DEFINED_TOLERANCE))
        return saddle__refuse_new(model, "frame spring", name, "a frame is not a rotation");
    const saddle_anchor anchors[2] = {{.part = a}, {.part = b}};
    for (int k = 0; k < 2; k++) {
        if (anchors[k].part.item != SADDLE_ITEM_NONE && anchors[k].part.item != SADDLE_ITEM_BODY)
            return saddle__refuse_new(model, "frame spring", name, "it is not between two bodies");
    }
    const saddle_force_def def = {name, &frame_spring, 2, anchors, spring, sizeof *spring};
    return saddle_model_add_force(model, &def, force);
}
