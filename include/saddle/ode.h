/* SPDX-License-Identifier: MIT */
/* A model as ordinary differential equations y' = g(t, y), for integrators of other libraries.
 *
 *     y = (x, v)
 *     x   positions of all parts in the order of the model: particles and nodes 3 each [m], bodies
 *         origin (3) [m] and quaternion (4), scalar first
 *     v   velocities of the moving parts, as the columns of saddle_assembly [m/s, rad/s]
 *
 *     x' = N(x) v        points: x' = v;  bodies: p' = R nu,  q' = q (0, omega)/2
 *     M v' - J'F = f(x, v, t)                                      first-order form: v'
 *     J v'       = -drift(x, v)                                    mass-matrix form: M, J, f, b
 *
 * The rows are the HOLD rows of the model; limits, drives and contacts are events for the caller,
 * who finds them as roots of functions of y.  phi = 0 holds as exactly as y is integrated.  Two
 * equal calls give equal bits, and after the first call nothing allocates.
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
 * SADDLE_WRONG_PHASE.  *ode: released by saddle_ode_free; NULL on failure.  SADDLE_UNSUPPORTED: a
 * model with attachments (saddle/attach.h); SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_ode_create(saddle_model *model, saddle_ode **ode);
SADDLE_API void saddle_ode_free(saddle_ode *ode); /* NULL is fine */

/* Numbers of y, and of v at the end of y. */
SADDLE_API int64_t saddle_ode_size(const saddle_ode *ode);
SADDLE_API int64_t saddle_ode_velocities(const saddle_ode *ode);

/* y (size) from the model's state, and into the model with the time t [s]; quaternions are
 * normalized.  set: SADDLE_INVALID_ARGUMENT: a number that is not finite, a quaternion of zero, the
 * part named. */
SADDLE_API void saddle_ode_get(const saddle_ode *ode, double *y);
SADDLE_API saddle_status saddle_ode_set(saddle_ode *ode, double t, const double *y);

/* dy (size) = g(t, y).  Sets the model's state to t and y.  Errors of saddle_ode_set,
 * saddle_assembly_accelerations and, with SADDLE_SINGULAR among them, saddle_solver_solve; dy is
 * unspecified then. */
SADDLE_API saddle_status saddle_ode_rates(saddle_ode *ode, double t, const double *y, double *dy);

/* The mass-matrix form at t and y: M, J, f and b = -drift of a problem whose v is v', owned by the
 * ode and valid until the next call; dx: x' (size - velocities), NULL = not asked for.  Errors as
 * above; *problem is NULL then. */
SADDLE_API saddle_status saddle_ode_mass_form(saddle_ode *ode, double t, const double *y,
                                              double *dx, const saddle_problem **problem);

/* F (rows of the problem) of the last saddle_ode_rates [N, N m]: the forces of the constraints. */
SADDLE_API const double *saddle_ode_forces(const saddle_ode *ode);

SADDLE_END_DECLARATIONS

#endif
