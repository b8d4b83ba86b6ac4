/* SPDX-License-Identifier: MIT */
/* A forearm on an elbow, held up by a muscle that runs over via points, against a string behind the
 * elbow.  The hand carries 1 kg; more activation lifts the hand.  muscle_arm.txt has the output.
 */
#include <stdio.h>

#include "saddle/saddle.h"

typedef struct arm {
    saddle_model *model;
    saddle_handle forearm, elbow, biceps;
} arm;

/* The upper arm is the ground: along z from the elbow, at the origin, to the shoulder. */
static saddle_status add_bones(arm *a)
{
    const double size[3] = {0.3, 0.04, 0.04}, origin[3] = {0, 0, 0}, y[3] = {0, -1, 0};
    saddle_body_def forearm = saddle_body_def_default();
    saddle_joint_def hinge = saddle_joint_def_default();
    saddle_pose place;
    saddle_status status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1.5,
                                                       &forearm.inertia);
    forearm.inertia.center[0] = 0.15; /* the frame of the forearm is at the elbow */
    if (status == SADDLE_OK) status = saddle_model_add_body(a->model, &forearm, &a->forearm);
    hinge.kind = SADDLE_JOINT_HINGE;
    hinge.b = a->forearm;
    if (status == SADDLE_OK) status = saddle_pose_along(NULL, origin, y, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(a->model, &place, &hinge);
    return status == SADDLE_OK ? saddle_model_add_joint(a->model, &hinge, &a->elbow) : status;
}

static saddle_status add_forces(arm *a)
{
    const saddle_anchor forearm = {.part = a->forearm};
    const saddle_path_point front[4] = {{.point = {0, 0, 0.3}, .passive = 1}, /* a tendon in a
                                                                                 sheath */
                                        {.point = {0.03, 0, 0.25}},
                                        {.point = {0.035, 0, 0.06}},
                                        {.anchor = forearm, .point = {0.05, 0, 0.015}}};
    const saddle_path_point back[3] = {{.point = {-0.02, 0, 0.2}},
                                       {.point = {-0.03, 0, 0.02}},
                                       {.anchor = forearm, .point = {-0.03, 0, 0}}};
    const saddle_elastic law = {.stiffness = 2000, .damping = 10, .rest_length = 0.21};
    const saddle_path_spring string = {"triceps", 3, back, saddle_tension_law_find("string"), &law,
                                       sizeof law};
    const saddle_joint_spring oil = {.damping = 0.5};
    const saddle_dead_load load = {.point = {0.3, 0, 0}, .force = {0, 0, -9.81}};
    saddle_muscle muscle = saddle_muscle_default();
    saddle_handle force;
    muscle.peak_force = 600;
    muscle.optimal_length = 0.25;
    saddle_status status = saddle_model_add_muscle(a->model, "biceps", 4, front, &muscle,
                                                   &a->biceps);
    if (status == SADDLE_OK) status = saddle_model_add_path_spring(a->model, &string, &force);
    if (status == SADDLE_OK)
        status = saddle_model_add_joint_spring(a->model, "oil", a->elbow, 0, &oil, &force);
    if (status == SADDLE_OK)
        status = saddle_model_add_dead_load(a->model, "load", forearm, &load, &force);
    return status;
}

int main(void)
{
    const double gravity[3] = {0, 0, -9.81}, degrees = 57.29577951308232;
    arm a = {0};
    saddle_stepper *stepper = NULL;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    saddle_status status = saddle_model_create(NULL, &a.model);
    if (status == SADDLE_OK) saddle_model_set_gravity(a.model, gravity);
    if (status == SADDLE_OK) status = add_bones(&a);
    if (status == SADDLE_OK) status = add_forces(&a);
    if (status == SADDLE_OK) status = saddle_stepper_create(a.model, &options, &stepper);
    for (int effort = 1; status >= SADDLE_OK && effort <= 5; effort++) {
        saddle_muscle *biceps = saddle_model_force_data(a.model, a.biceps);
        double angle, rate;
        biceps->activation = 0.1 * effort;
        for (int k = 0; status >= SADDLE_OK && k < 500; k++) status = saddle_stepper_step(stepper);
        if (status >= SADDLE_OK)
            status = saddle_model_joint_coordinates(a.model, a.elbow, &angle, &rate);
        if (status >= SADDLE_OK)
            printf("activation %.1f: elbow at %6.1f degrees, %s\n", biceps->activation,
                   angle * degrees, rate < 1e-3 && rate > -1e-3 ? "at rest" : "moving");
    }
    saddle_stepper_free(stepper);
    saddle_model_free(a.model);
    if (status < SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    return 0;
}
