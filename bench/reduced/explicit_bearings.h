/* SPDX-License-Identifier: MIT */
/* A chain of hinges in maximal coordinates, without joint rows: every contact point of the bearings
 * (saddle/bearing.h) a pair of contacts back to back, a normal and the tangent along its slip.
 *
 *     M v+ - J'lambda = M v + h f,    w_n = J_n v+ + epsilon lambda_n,   |lambda_t| <= mu lambda_n
 */
#ifndef SADDLE_BENCH_EXPLICIT_BEARINGS_H
#define SADDLE_BENCH_EXPLICIT_BEARINGS_H

#include "saddle/saddle.h"

typedef struct explicit_bearings {
    int64_t links, points; /* of a ring */
    saddle_bearing bearing;
    saddle_body_inertia inertia; /* of every link */
    double gravity[3], time_step;
} explicit_bearings;

/* problem: owned, released by saddle_problem_clear; the values are those of the next. */
saddle_status explicit_bearings_create(saddle_context *context, const explicit_bearings *chain,
                                       saddle_problem *problem);

/* Values at these poses, twists and dJ dq (6 each, body axes) of the links; each hinge about z of
 * its link's frame, at its origin; arms turned by its angle.  The momentum of dJ dq, of the order
 * of h, makes v+ that of reduced coordinates. */
void explicit_bearings_values(const explicit_bearings *chain, const saddle_pose *pose,
                              const double *twist, const double *drift, saddle_problem *problem);

#endif
