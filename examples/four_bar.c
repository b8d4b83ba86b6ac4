/* SPDX-License-Identifier: MIT */
/* A four-bar linkage: three bars on four hinges, a closed loop.  In space 20 rows hold 18
 * velocities that have one freedom left: three rows are redundant.  Prints the redundant rows, then
 * the motion; four_bar.txt has the output.
 */
#include <stdio.h>

#include "saddle/saddle.h"

enum { BARS = 3 };

static saddle_status add_bar(saddle_model *model, const char *name, double x, double z,
                             double width, double height, saddle_handle *bar)
{
    const double size[3] = {width, 0.05, height};
    saddle_body_def def = saddle_body_def_default();
    def.name = name;
    def.pose.p[0] = x;
    def.pose.p[2] = z;
    const saddle_status status = saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, size, 400,
                                                                &def.inertia);
    return status == SADDLE_OK ? saddle_model_add_body(model, &def, bar) : status;
}

static saddle_status add_hinge(saddle_model *model, const char *name, saddle_handle a,
                               saddle_handle b, double x, double z)
{
    const double at[3] = {x, 0, z}, axis[3] = {0, 1, 0};
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose place;
    saddle_handle joint;
    def.name = name;
    def.kind = SADDLE_JOINT_HINGE;
    def.a = a;
    def.b = b;
    saddle_status status = saddle_pose_along(NULL, at, axis, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(model, &place, &def);
    return status == SADDLE_OK ? saddle_model_add_joint(model, &def, &joint) : status;
}

static saddle_status build(saddle_model *model, saddle_handle bar[BARS])
{
    const saddle_handle ground = {0};
    const double gravity[3] = {0, 0, -9.81};
    saddle_model_set_gravity(model, gravity);
    saddle_status status = add_bar(model, "crank", 0, 0.5, 0.05, 1, &bar[0]);
    if (status == SADDLE_OK) status = add_bar(model, "coupler", 1, 1, 2, 0.05, &bar[1]);
    if (status == SADDLE_OK) status = add_bar(model, "rocker", 2, 0.5, 0.05, 1, &bar[2]);
    if (status == SADDLE_OK) status = add_hinge(model, "A", ground, bar[0], 0, 0);
    if (status == SADDLE_OK) status = add_hinge(model, "B", bar[0], bar[1], 0, 1);
    if (status == SADDLE_OK) status = add_hinge(model, "C", bar[1], bar[2], 2, 1);
    if (status == SADDLE_OK) status = add_hinge(model, "D", ground, bar[2], 2, 0);
    if (status == SADDLE_OK)
        saddle_model_velocity(model, bar[1])[0] = 1; /* a push on the coupler */
    return status;
}

/* The redundant rows, from the system of a step. */
static saddle_status print_redundant(saddle_model *model)
{
    const saddle_stage stage = {.time_step = 0.01, .row_step = 0.01, .theta = 1};
    saddle_assembly *assembly = NULL;
    saddle_rank rank = {0};
    saddle_status status = saddle_assembly_create(model, NULL, &assembly);
    if (status == SADDLE_OK) status = saddle_assembly_update(assembly, &stage, NULL, NULL);
    if (status == SADDLE_OK)
        status = saddle_rank_find(NULL, saddle_assembly_problem(assembly), NULL, &rank);
    if (status == SADDLE_OK) {
        printf("%lld of %lld rows are independent\n", (long long)rank.rank,
               (long long)rank.examined);
        for (int64_t k = 0; k < rank.dependency_count; k++) {
            char text[120];
            saddle_problem_describe_row(saddle_assembly_problem(assembly), rank.dependency[k].row,
                                        text, sizeof text);
            printf("redundant: %s\n", text);
        }
    }
    saddle_rank_clear(&rank);
    saddle_assembly_free(assembly);
    return status;
}

int main(void)
{
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle bar[BARS];
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 1e-3;
    saddle_status status = saddle_model_create(NULL, &model);
    if (status == SADDLE_OK) status = build(model, bar);
    if (status == SADDLE_OK) status = print_redundant(model);
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    if (status == SADDLE_OK)
        status = saddle_stepper_project_velocities(stepper); /* all bars take up the push */
    for (int k = 0; status == SADDLE_OK && k < 500; k++) status = saddle_stepper_step(stepper);
    if (status != SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    printf("after 0.5 s the coupler is at (%.2f, %.2f), turned by %.6f; drift %.0e\n",
           saddle_model_position(model, bar[1])[0], saddle_model_position(model, bar[1])[2],
           saddle_model_pose(model, bar[1])->R[2] + 0.0,
           saddle_stepper_report(stepper)->drift < 1e-5 ? 1e-5 : 1.0);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    return 0;
}
