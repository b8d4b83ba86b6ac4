/* SPDX-License-Identifier: MIT */
/* Muscles with inextensible tendons along paths of points (Sueda, Rigid Body Dynamics Notes,
 * (1.38)-(1.64); Millard, Uchida, Seth and Delp, J. Biomech. Eng. 135, 2013).
 *
 *     f = f_opt (a f_L(l) f_V(v) + f_P(l)),     l = (L - l_T)/l_opt,     v = dL/dt / (l_opt v_max)
 *
 * The path, its length L and its forces are those of a spring (saddle/path_spring.h) of tension f.
 *
 * f_L is the active and f_P the passive force over the length, f_V the force over the velocity; all
 * are piecewise cubics, once differentiable:
 *
 *     f_L    0 below 0.4, 1 at 1, 0 above 1.81
 *     f_P    0 below 1, 1 at 1.7, linear above
 *     f_V    0 below -1 (fastest shortening), 1 at 0, 1.4 above 1
 */
#ifndef SADDLE_MUSCLE_H
#define SADDLE_MUSCLE_H

#include "saddle/path_spring.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_muscle { /* start from saddle_muscle_default()                   default */
    double peak_force;         /* f_opt >= 0 [N]                                       0 */
    double activation;         /* a in 0 .. 1 [-]                                      0 */
    double optimal_length;     /* l_opt > 0 [m]                                        1 */
    double tendon_length;      /* l_T >= 0 [m]                                         0 */
    double fastest;            /* v_max > 0, in optimal lengths per second [1/s]       10 */
} saddle_muscle;

SADDLE_API saddle_muscle saddle_muscle_default(void);

/* path: count points, 2 .. SADDLE_ANCHORS_MAX, copied; name: copied, NULL is fine.
 * saddle_model_force_data gives the saddle_muscle, writable between steps (activation).  Points
 * that coincide exert no force on each other.  A muscle has no potential energy.
 * SADDLE_INVALID_ARGUMENT, the muscle named: as saddle_model_add_force, too few or too many points,
 * a number out of range; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_model_add_muscle(saddle_model *model, const char *name,
                                                 int64_t count, const saddle_path_point *path,
                                                 const saddle_muscle *muscle, saddle_handle *force);

SADDLE_END_DECLARATIONS

#endif
