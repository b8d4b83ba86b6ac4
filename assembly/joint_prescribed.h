/* SPDX-License-Identifier: MIT */
/* Prescribed coordinates of joints within a step. */
#ifndef SADDLE_ASSEMBLY_JOINT_PRESCRIBED_H
#define SADDLE_ASSEMBLY_JOINT_PRESCRIBED_H

#include "joint_internal.h"

/* Velocities of all prescribed joints in a step of h from the present state, into their `told`;
 * errors of the joint's coordinates, SADDLE_INVALID_ARGUMENT: a value that is not finite. */
saddle_status saddle__joints_prescribe(saddle_model *model, double h);

/* The same of accelerations at present. */
saddle_status saddle__joints_prescribe_accelerations(saddle_model *model);

#endif
