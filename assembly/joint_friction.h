/* SPDX-License-Identifier: MIT */
/* Friction of the bearings of a model's joints, projected from the impulses of a solve
 * (saddle/bearing.h). */
#ifndef SADDLE_ASSEMBLY_JOINT_FRICTION_H
#define SADDLE_ASSEMBLY_JOINT_FRICTION_H

#include "bearing.h"
#include "saddle/problem.h"
#include "system.h"

/* The projections of a stepper; start from zero. */
typedef struct saddle__joint_friction {
    int64_t count;       /* joints with bearings */
    int64_t number;      /* of rounds of the present stage */
    double change;       /* in the last round: the largest of a joint's sum |alpha|, relative to the
                            largest sum */
    saddle_handle worst; /* joint of the largest change */
    saddle__loads loads; /* y of all joints, of forces */
} saddle__joint_friction;

/* Counts the joints with bearings and stores their y, for saddle__friction_restore. */
saddle_status saddle__friction_begin(saddle__joint_friction *friction, saddle_model *model);
void saddle__friction_restore(saddle_model *model);
void saddle__friction_clear(saddle__joint_friction *friction, saddle_context *context);

/* Begins the rounds of a stage. */
void saddle__friction_start(saddle__joint_friction *friction);

/* y of all joints, and with them the strengths of the rows, from lambda (m of the assembly's
 * problem) and of joints in coordinates from those of attachments (as numbered by the assembly),
 * impulses over the time h. */
void saddle__friction_project(saddle__joint_friction *friction, saddle_assembly *a, double h,
                              const double *lambda, const double *attached);

/* The bounds of the rows, into the assembly's problem and `solved`, the same or its reduced one. */
void saddle__friction_bound(saddle_assembly *a, const saddle_problem *solved, double h);

#endif
