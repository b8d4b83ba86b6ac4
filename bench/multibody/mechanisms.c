/* SPDX-License-Identifier: MIT */
/* Chains and ladders in the plane of x and y, hinges about z. */
#include "mechanisms.h"

#include <math.h>

/* A link hangs from its frame's origin to (0, -1, 0). */
static saddle_body_def link_at(double x, double y)
{
    saddle_body_def def = saddle_body_def_default();
    def.inertia = (saddle_body_inertia){.mass = 1,
                                        .center = {0, -0.5, 0},
                                        .moment = {1.0 / 12, 0, 0, 0, 1e-2, 0, 0, 0, 1.0 / 12}};
    def.pose.p[0] = x;
    def.pose.p[1] = y;
    return def;
}

/* Adds a link of a chain below the last link, on a hinge.  spin: its angular velocity;
 * velocity (2): of its upper end, then of its lower one. */
static saddle_status add_link(saddle_model *model, double x, int64_t number, double spin,
                              double velocity[2], saddle_handle *link)
{
    static const double z[3] = {0, 0, 1};
    saddle_body_def def = link_at(x, -(double)number);
    const double at[3] = {x, -(double)number, 0};
    saddle_pose hinge;
    saddle_handle handle;
    saddle_joint_def joint = saddle_joint_def_default();
    def.twist[0] = velocity[0];
    def.twist[1] = velocity[1];
    def.twist[5] = spin;
    velocity[0] += spin; /* omega z x (0, -1, 0) = (omega, 0, 0) */
    joint.kind = SADDLE_JOINT_HINGE;
    joint.a = *link;
    saddle_status status = saddle_model_add_body(model, &def, &joint.b);
    if (status == SADDLE_OK) status = saddle_pose_along(saddle_model_context(model), at, z, &hinge);
    if (status == SADDLE_OK) status = saddle_joint_def_at(model, &hinge, &joint);
    if (status == SADDLE_OK) status = saddle_model_add_joint(model, &joint, &handle);
    *link = joint.b;
    return status;
}

static saddle_status start(saddle_context *context, int64_t bodies, mechanism_scene *scene)
{
    static const double gravity[3] = {0, -9.81, 0};
    *scene = (mechanism_scene){.bodies = bodies, .time_step = 1e-3};
    const saddle_status status = saddle_model_create(context, &scene->model);
    if (status == SADDLE_OK) saddle_model_set_gravity(scene->model, gravity);
    return status;
}

/* Joint velocities -0.1, 0, 0.1, -0.1, ..; a link's spin is their sum so far. */
static double joint_velocity(int64_t number)
{
    return 0.1 * (double)(number % 3 - 1);
}

saddle_status mechanism_chain(saddle_context *context, int64_t links, mechanism_scene *scene)
{
    saddle_handle link = {0};
    double spin = 0, velocity[2] = {0, 0};
    saddle_status status = start(context, links, scene);
    for (int64_t k = 0; status == SADDLE_OK && k < links; k++) {
        spin += joint_velocity(k);
        status = add_link(scene->model, 0, k, spin, velocity, &link);
    }
    return status;
}

saddle_status mechanism_ladder(saddle_context *context, int64_t cells, mechanism_scene *scene)
{
    saddle_handle rail[2] = {{0}, {0}}, handle;
    double spin = 0, velocity[2][2] = {{0, 0}, {0, 0}};
    saddle_status status = start(context, 2 * cells, scene);
    for (int64_t k = 0; status == SADDLE_OK && k < cells; k++) {
        spin += joint_velocity(k);
        for (int side = 0; status == SADDLE_OK && side < 2; side++) {
            status = add_link(scene->model, side, k, spin, velocity[side], &rail[side]);
        }
        const saddle_rod_def rod = {.a = {rail[0], 0},
                                    .b = {rail[1], 0},
                                    .point_a = {0, -1, 0},
                                    .point_b = {0, -1, 0},
                                    .length = 1};
        if (status == SADDLE_OK) status = saddle_model_add_rod(scene->model, &rod, &handle);
    }
    return status;
}

void mechanism_clear(mechanism_scene *scene)
{
    saddle_collider_free(scene->collider);
    saddle_model_free(scene->model);
    *scene = (mechanism_scene){0};
}
