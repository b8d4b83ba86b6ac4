/* SPDX-License-Identifier: MIT */
/* Models that move, for tests: made in a line each, stepped, with contacts of points on planes and
 * with each other. */
#ifndef SADDLE_TEST_MOTION_H
#define SADDLE_TEST_MOTION_H

#include "support.h"

enum { MOTION_TOUCHES = 32 };

/* A point of a part that may not come through a plane (b = the ground: normal'x >= offset), or two
 * particles on a line along normal, b ahead of a by `offset` at least. */
typedef struct motion_touch {
    saddle_handle a, b;
    double point[3];              /* of body a, in its frame; particles: not read */
    double normal[3], tangent[3]; /* tangent: 0 = the assembly's choice */
    double offset;
    double mu, restitution;
} motion_touch;

typedef struct motion {
    saddle_context *context;
    int own_context;
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_stepper_options options;
    int touches;
    motion_touch touch[MOTION_TOUCHES];
} motion;

extern const double motion_weight[3]; /* (0, 0, -9.81) */

/* context: NULL = one of its own.  gravity: NULL = none. */
void motion_begin(motion *scene, saddle_context *context, const double *gravity);
void motion_end(motion *scene);

/* x, v: NULL = 0 */
saddle_handle motion_particle(motion *scene, double mass, const double *x, const double *v);

/* A body of mass 1 with principal moments (3) about its frame's origin + center. */
saddle_handle motion_body(motion *scene, const double *moments, const double *center,
                          const saddle_pose *pose, const double *twist);

/* Hinge about `axis` through `origin`, ball at `origin`, of b to a (either may be the ground),
 * where they are now. */
saddle_handle motion_hinge(motion *scene, saddle_handle a, saddle_handle b, const double *origin,
                           const double *axis);
saddle_handle motion_ball(motion *scene, saddle_handle a, saddle_handle b, const double *origin);

/* An undamped or damped spring between two particles, exact K and D; damping c [N s/m]. */
saddle_handle motion_spring(motion *scene, saddle_handle a, saddle_handle b, double stiffness,
                            double damping, double length);

motion_touch *motion_touch_plane(motion *scene, saddle_handle part, const double *normal,
                                 double offset, double mu);

/* Steps that must all be solved.  The stepper is made by the first, of scene->options. */
void motion_run(motion *scene, int64_t steps);

/* One step, whatever comes of it. */
saddle_status motion_step(motion *scene);

double motion_energy(motion *scene);

/* log2 of error(h) / error(h/2): the order that errors of runs of 2^k steps show. */
double motion_order(double coarse, double fine);

#endif
