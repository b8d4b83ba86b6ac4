/* SPDX-License-Identifier: MIT */
/* A model as ordinary differential equations y' = g(t, y), for integrators of other libraries.
 *
 *     y = (x, v)
 *     x   positions of all parts that are not attached, in the order of the model: particles and
 *         nodes 3 each [m], bodies origin (3) [m] and quaternion (4), scalar first, coordinates of
 *         joints (saddle/joint.h) q [m, rad]
 *     v   velocities of these parts without the prescribed ones, in the order of the columns of
 *         saddle_assembly [m/s, rad/s]
 *
 *     x' = N(x) v        points: x' = v;  bodies: p' = R nu,  q' = q (0, omega)/2;
 *                        coordinates: q' = v
 *     M v' - J'F = f(x, v, t)                                      first-order form: v'
 *     J v'       = -drift(x, v)                                    mass-matrix form: M, J, f, b
 *
 * Attached parts (saddle/attach.h), children of joints in coordinates among them, are eliminated:
 * with v_k = A v and v_k' = A v' + A' v for them, M = Q'M_all Q and f = Q'(f_all - M_all Q' v) of
 * saddle/elimination.h.  Every call leaves them in the model where y has their masters, with their
 * velocities, so no y drifts away from its attachments.
 *
 * The rows are the HOLD rows of the model; limits, drives and contacts are events for the caller,
 * who finds them as roots of functions of y.  phi = 0 holds as exactly as y is integrated.  Two
 * equal calls give equal bits, and after the first call nothing allocates.  But q of a joint along
 * a motion as rows (saddle/joint.h) is sought from that of the last call: y must be near the last
 * y for it, else SADDLE_SINGULAR or another q of the same pose; and calls that come after different
 * ones differ by the rounding of q.
 *
 *     saddle_ode_create(model, &ode);
 *     y = .. saddle_ode_size(ode) doubles;  saddle_ode_get(ode, y);
 *     int rates(double t, const double *y, double *dy, void *ode)      the integrator's callback
 *     {
 *         return saddle_ode_rates(ode, t, y, dy);
 *     }
 */
#ifndef SADDLE_ODE_H
#define SADDLE_ODE_H

#include "saddle/problem.h"
#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_ode saddle_ode;

/* model: borrowed, outlives the ode; after items were added or removed a call gives
 * SADDLE_WRONG_PHASE.  *ode: released by saddle_ode_free; NULL on failure.  SADDLE_UNSUPPORTED:
 * prescribed coordinates of joints, whose acceleration is defined over a step only; errors of
 * saddle_assembly_create. */
SADDLE_API saddle_status saddle_ode_create(saddle_model *model, saddle_ode **ode);
SADDLE_API void saddle_ode_free(saddle_ode *ode); /* NULL is fine */

/* Numbers of y, and of v at the end of y. */
SADDLE_API int64_t saddle_ode_size(const saddle_ode *ode);
SADDLE_API int64_t saddle_ode_velocities(const saddle_ode *ode);

/* y (size) from the model's state, and into the model with the time t [s]; quaternions are
 * normalized.  get: nothing is written after items were added or removed; balls turned by more than
 * 3/2 pi have the coordinates of the other turn, in the model too: the same poses and velocities.
 * Coordinates are singular at 2 pi: an integrator that comes near calls set and get, and continues
 * from there.  set:
 * SADDLE_INVALID_ARGUMENT: a number that is not finite, a quaternion of zero, the part named; the
 * status of an attachment that finds no place. */
SADDLE_API void saddle_ode_get(const saddle_ode *ode, double *y);
SADDLE_API saddle_status saddle_ode_set(saddle_ode *ode, double t, const double *y);

/* dy (size) = g(t, y).  Sets the model's state to t and y.  Errors of saddle_ode_set,
 * saddle_assembly_accelerations, saddle_elimination_create and, with SADDLE_SINGULAR among them,
 * saddle_solver_solve; dy is unspecified then. */
SADDLE_API saddle_status saddle_ode_rates(saddle_ode *ode, double t, const double *y, double *dy);

/* The mass-matrix form at t and y: M, J, f and b of a problem whose v is v', with all attached
 * parts eliminated; owned by the ode and valid until the next call.  dx: x' (size - velocities),
 * NULL = not asked for.  Errors as above; *problem is NULL then. */
SADDLE_API saddle_status saddle_ode_mass_form(saddle_ode *ode, double t, const double *y,
                                              double *dx, const saddle_problem **problem);

/* F (rows of the model) [N, N m]: forces of the constraints at the last saddle_ode_rates; owned by
 * the ode and valid until its next call.  NULL before the first. */
SADDLE_API const double *saddle_ode_forces(const saddle_ode *ode);
/* v' of a part, attached or not, at the last saddle_ode_rates, as many numbers as velocities
 * [m/s^2, rad/s^2], of bodies in their axes; owned by the ode and valid until its next call.
 * NULL: rates were not the last call's, the part is prescribed in a model without attachments, or
 * there is no such part. */
SADDLE_API const double *saddle_ode_acceleration(const saddle_ode *ode, saddle_handle part);

/* Forces of an attachment at the last saddle_ode_rates, as saddle_stepper_attachment_force
 * (saddle/stepper.h).  force: 3 x saddle_model_attached_count, or 6.  SADDLE_INVALID_ARGUMENT: no
 * such attachment; SADDLE_WRONG_PHASE: rates were not the last call's, or items were added or
 * removed since. */
SADDLE_API saddle_status saddle_ode_attachment_force(const saddle_ode *ode,
                                                     saddle_handle attachment, double *force);

SADDLE_END_DECLARATIONS

#endif
