/* SPDX-License-Identifier: MIT */
/* Flesh on an arm of two bones: the inner nodes of a finite element block follow the bones, by
 * weights that change over the elbow; a muscle runs over a via point on the upper arm to a marker
 * on the lower one, and bends the elbow.  skinned_arm.txt has the output.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

typedef struct arm {
    saddle_model *model;
    saddle_fem_block shape;
    saddle_handle upper, lower, flesh, via, wrist, elbow, biceps, skin, tie;
} arm;

static saddle_status add_bone(arm *a, const char *name, double x, saddle_handle *bone)
{
    const double size[3] = {0.38, 0.04, 0.04};
    saddle_body_def def = saddle_body_def_default();
    def.name = name;
    def.pose.p[0] = x;
    saddle_status status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1,
                                                       &def.inertia);
    return status == SADDLE_OK ? saddle_model_add_body(a->model, &def, bone) : status;
}

static saddle_status add_hinge(arm *a, saddle_handle first, saddle_handle second, double x,
                               int locked, saddle_handle *joint)
{
    const double at[3] = {x, 0, 0}, y[3] = {0, 1, 0};
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose place;
    def.kind = locked ? SADDLE_JOINT_FIXED : SADDLE_JOINT_HINGE;
    def.a = first;
    def.b = second;
    saddle_status status = saddle_pose_along(NULL, at, y, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(a->model, &place, &def);
    return status == SADDLE_OK ? saddle_model_add_joint(a->model, &def, joint) : status;
}

/* A point without mass at (x, 0, z) that follows a bone. */
static saddle_status add_marker(arm *a, const char *name, double x, double z, saddle_handle bone,
                                saddle_handle *marker)
{
    const saddle_particle_def def = {.name = name, .massless = 1, .position = {x, 0, z}};
    const saddle_anchor to = {bone, 0};
    saddle_status status = saddle_model_add_particle(a->model, &def, marker);
    if (status != SADDLE_OK) return status;
    const saddle_attach_def attach = {.part = *marker, .masters = 1, .to = &to};
    return saddle_model_attach(a->model, &attach, &a->tie);
}

/* The nodes on the axis of the block follow both bones: the upper one before the elbow at 0.4, the
 * lower one behind it, and their mean there. */
static saddle_status attach_flesh(arm *a)
{
    enum { MOST = 32 };
    const saddle_anchor bones[2] = {{a->upper, 0}, {a->lower, 0}};
    int64_t node[MOST], count = a->shape.cells[0] + 1;
    double weight[2 * MOST];
    for (int64_t k = 0; k < count; k++) {
        node[k] = saddle_fem_block_node(&a->shape, k, 1, 1);
        const double x = saddle_model_position(a->model, a->flesh)[3 * node[k]];
        weight[2 * k] = fmin(fmax((0.5 - x) / 0.2, 0), 1);
        weight[2 * k + 1] = 1 - weight[2 * k];
    }
    const saddle_attach_def def = {.name = "skin",
                                   .part = a->flesh,
                                   .count = count,
                                   .node = node,
                                   .masters = 2,
                                   .to = bones,
                                   .weight = weight};
    return saddle_model_attach(a->model, &def, &a->skin);
}

static saddle_status build(arm *a)
{
    const double gravity[3] = {0, 0, -9.81};
    saddle_handle shoulder;
    saddle_model_set_gravity(a->model, gravity);
    a->shape = saddle_fem_block_default();
    a->shape.cells[0] = 8;
    a->shape.size[0] = 0.8;
    a->shape.size[1] = a->shape.size[2] = 0.12;
    a->shape.corner[1] = a->shape.corner[2] = -0.06;
    a->shape.young = 2e4;
    a->shape.damping_stiffness = 0.02;
    saddle_status status = saddle_model_add_fem_block(a->model, &a->shape, &a->flesh);
    if (status == SADDLE_OK) status = add_bone(a, "upper", 0.2, &a->upper);
    if (status == SADDLE_OK) status = add_bone(a, "lower", 0.6, &a->lower);
    if (status == SADDLE_OK) status = add_hinge(a, (saddle_handle){0}, a->upper, 0, 1, &shoulder);
    if (status == SADDLE_OK) status = add_hinge(a, a->upper, a->lower, 0.4, 0, &a->elbow);
    if (status == SADDLE_OK) status = attach_flesh(a);
    if (status == SADDLE_OK) status = add_marker(a, "via", 0.35, 0.06, a->upper, &a->via);
    if (status == SADDLE_OK) status = add_marker(a, "wrist", 0.65, 0.05, a->lower, &a->wrist);
    const saddle_path_point path[3] = {{.point = {0.05, 0, 0.08}},
                                       {.anchor = {a->via, 0}},
                                       {.anchor = {a->wrist, 0}}};
    saddle_muscle muscle = saddle_muscle_default();
    muscle.peak_force = 600;
    muscle.activation = 0.6;
    muscle.optimal_length = 0.6;
    if (status == SADDLE_OK)
        status = saddle_model_add_muscle(a->model, "biceps", 3, path, &muscle, &a->biceps);
    return status;
}

/* How far the marker is from the place that the lower bone has for it. */
static double drift(arm *a)
{
    const double place[3] = {0.05, 0, 0.05}, *x = saddle_model_position(a->model, a->wrist);
    double y[3];
    saddle_pose_point(saddle_model_pose(a->model, a->lower), place, y);
    return fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]);
}

static saddle_status report(arm *a, saddle_stepper *stepper)
{
    double angle, force[3];
    saddle_status status = saddle_model_joint_coordinates(a->model, a->elbow, &angle, NULL);
    if (status == SADDLE_OK) status = saddle_stepper_attachment_force(stepper, a->tie, force);
    if (status != SADDLE_OK) return status;
    const double *x = saddle_model_position(a->model, a->wrist);
    printf("t %.1f s: elbow %6.1f degrees, wrist at (%5.2f, %5.2f) m, pulled by %4.0f N%s\n",
           saddle_model_time(a->model), angle * 57.29577951308232, x[0], x[2],
           hypot(force[0], force[2]), drift(a) < 1e-12 ? "" : ", off its place");
    return SADDLE_OK;
}

int main(void)
{
    saddle_context *context = NULL;
    saddle_stepper *stepper = NULL;
    arm a = {0};
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 0.005;
    options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    options.assembly.symmetric_stiffness = 1;
    saddle_status status = saddle_context_create(NULL, &context);
    if (status == SADDLE_OK) status = saddle_model_create(context, &a.model);
    if (status == SADDLE_OK) status = build(&a);
    if (status == SADDLE_OK) status = saddle_stepper_create(a.model, &options, &stepper);
    for (int k = 1; status == SADDLE_OK && k <= 200; k++) {
        status = saddle_stepper_step(stepper);
        if (status == SADDLE_OK && k % 40 == 0) status = report(&a, stepper);
    }
    if (status == SADDLE_OK)
        printf("%lld nodes follow the bones; %lld unknowns, %lld rows\n",
               (long long)saddle_model_attached_count(a.model, a.skin),
               (long long)saddle_stepper_report(stepper)->n,
               (long long)saddle_stepper_report(stepper)->m);
    else
        printf("%s\n", saddle_context_message(context));
    saddle_stepper_free(stepper);
    saddle_model_free(a.model);
    saddle_context_free(context);
    return status == SADDLE_OK ? 0 : 1;
}
