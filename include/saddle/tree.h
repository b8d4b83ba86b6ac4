/* SPDX-License-Identifier: MIT */
/* A tree of rigid bodies on joints with reduced coordinates, in time and memory linear in the
 * bodies (Sueda, Rigid Body Dynamics Notes, chapter 2; Featherstone 2008).
 *
 *     E_i   = E_parent before Q_i(q_i) after          pose of body i              (2.6)
 *     phi_i = Ad phi_parent + Ad S_i dq_i             its twist, body axes       (2.11)
 *     phi   = J dq,   dphi/dt = J ddq + dJ dq         J   6 bodies x coordinates (2.14)
 *     M_r ddq = f_r                                                              (2.18)
 *     M_r = J'M J
 *     f_r = torque - k (q - rest) - d dq + J'(wrench + gravity + ad(phi)'M phi - M dJ dq)
 *
 *     push, push_rate, pull      J x, dJ x, J'w                                  (2.10)
 *     mass, force                M_r as a sparse matrix, f_r
 *     forward, slope             ddq of torques            articulated bodies
 *     inverse, reactions         torques, loads of joints at ddq       Newton and Euler
 *     hybrid                     each joint one or the other                     (2.9)
 *     factor, solve, multiply    M_h^-1 x, M_h x, M_h = M_r + h d + h^2 k        (2.73)
 *     step                       linearly implicit Euler                         (2.73)
 *
 * J is never formed.  Twists (nu, omega) and wrenches (force, moment): 6 of each body, linear part
 * first, in body axes at the body's origin.  q, dq, ddq, torques: coordinates of body 0, 1, ..
 * one after the other.  Loops, limits and other rows: saddle/tree_rows.h.
 *
 *     create -> place (q, dq) -> any of the functions -> place ..
 *
 * Nothing allocates after create, except where a matrix is made.  SADDLE_WRONG_PHASE: not placed.
 * See docs/theory.md, section 15, and examples/arm.c.
 */
#ifndef SADDLE_TREE_H
#define SADDLE_TREE_H

#include "saddle/inertia.h"
#include "saddle/joint_coordinates.h"
#include "saddle/mass_operator.h"
#include "saddle/matrix.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_tree saddle_tree;

typedef struct saddle_tree_body {
    int64_t parent;              /* a body before this one; -1 = the world */
    saddle_motion joint;         /* copied; its data are borrowed, for as long as the tree */
    saddle_body_inertia inertia; /* mass, moment and center zero: a massless body */
} saddle_tree_body;

/* body (count): copied.  *tree: released by saddle_tree_free; NULL on failure.
 * SADDLE_INVALID_ARGUMENT: a parent not before its child, a joint of a size outside 0 .. 6 or
 * without evaluate, frames that are no poses, an inertia that is not valid; SADDLE_OUT_OF_MEMORY.
 */
SADDLE_API saddle_status saddle_tree_create(saddle_context *context, int64_t count,
                                            const saddle_tree_body *body, saddle_tree **tree);
SADDLE_API void saddle_tree_free(saddle_tree *tree); /* NULL is fine */

typedef struct saddle_tree_size {
    int64_t bodies;
    int64_t coordinates;
    int64_t mass_entries; /* of the lower triangle of M_r */
} saddle_tree_size;

SADDLE_API saddle_tree_size saddle_tree_size_of(const saddle_tree *tree);

/* first (bodies + 1): each body's first coordinate; parents (bodies).  Owned by tree. */
SADDLE_API const int64_t *saddle_tree_first(const saddle_tree *tree);
SADDLE_API const int64_t *saddle_tree_parents(const saddle_tree *tree);
SADDLE_API saddle_context *saddle_tree_context(const saddle_tree *tree); /* NULL for NULL */

/* g (3): acceleration of gravity, world [m/s^2] (default: 0).  SADDLE_INVALID_ARGUMENT: not
 * finite. */
SADDLE_API saddle_status saddle_tree_set_gravity(saddle_tree *tree, const double *g);

/* stiffness k [N/m, N m/rad], damping d [N s/m, N m s/rad], rest: of each coordinate; copied; NULL
 * = 0 (the default).  SADDLE_INVALID_ARGUMENT: an entry not finite, k or d negative. */
SADDLE_API saddle_status saddle_tree_set_springs(saddle_tree *tree, const double *stiffness,
                                                 const double *damping, const double *rest);

/* ---- state ---- */

/* dq: NULL = at rest.  SADDLE_INVALID_ARGUMENT: coordinates out of a joint's range, or not finite;
 * the body is named by number. */
SADDLE_API saddle_status saddle_tree_place(saddle_tree *tree, const double *q, const double *dq);

/* q, dq (coordinates): as placed */
SADDLE_API saddle_status saddle_tree_placed(const saddle_tree *tree, double *q, double *dq);

/* pose (bodies): in the world */
SADDLE_API saddle_status saddle_tree_poses(saddle_tree *tree, saddle_pose *pose);

/* [J]; NULL = not asked for.  potential: gravity, zero at the world's origin, and springs. */
SADDLE_API saddle_status saddle_tree_energy(saddle_tree *tree, double *kinetic, double *potential);

/* saddle_motion.reparameterize of all joints; *changed (NULL is fine): how many have changed.  The
 * tree is as it was placed. */
SADDLE_API saddle_status saddle_tree_reparameterize(saddle_tree *tree, double *q, double *dq,
                                                    int64_t *changed);

/* ---- products ---- */

/* twist (6 bodies) = J x; of x = dq: the twists. */
SADDLE_API saddle_status saddle_tree_push(saddle_tree *tree, const double *x, double *twist);

/* z (6 bodies) = (dJ/dt) x as the bodies move with the dq placed. */
SADDLE_API saddle_status saddle_tree_push_rate(saddle_tree *tree, const double *x, double *z);

/* force (coordinates) = J' wrench */
SADDLE_API saddle_status saddle_tree_pull(saddle_tree *tree, const double *wrench, double *force);

/* ---- equations of motion ---- */

/* M (symmetric, lower triangle) = J'M J: each coordinate with those between it and the root.
 * Released by saddle_matrix_clear.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_tree_mass(saddle_tree *tree, saddle_matrix *M);

/* The same for an M made before from the same tree: values only, no allocation.
 * SADDLE_INVALID_ARGUMENT: another size. */
SADDLE_API saddle_status saddle_tree_mass_values(saddle_tree *tree, saddle_matrix *M);

/* force (coordinates) = f_r.  torque (coordinates), wrench (6 bodies): NULL = 0.  Without them,
 * gravity and springs f_r is the quadratic velocity force. */
SADDLE_API saddle_status saddle_tree_force(saddle_tree *tree, const double *torque,
                                           const double *wrench, double *force);

/* ddq (coordinates) = M_r^-1 f_r.  SADDLE_SINGULAR: M_r is, at a body named by number. */
SADDLE_API saddle_status saddle_tree_forward(saddle_tree *tree, const double *torque,
                                             const double *wrench, double *ddq);

/* dx (2 coordinates) = (dq, ddq) at x = (q, dq): place and forward, the first-order form for
 * integrators of others (2.21).  The mass-matrix form: mass and force. */
SADDLE_API saddle_status saddle_tree_slope(saddle_tree *tree, const double *torque,
                                           const double *wrench, const double *x, double *dx);

/* torque (coordinates): with it f_r = M_r ddq. */
SADDLE_API saddle_status saddle_tree_inverse(saddle_tree *tree, const double *ddq,
                                             const double *wrench, double *torque);

/* reaction (6 bodies): what the parent does to each body through its joint at ddq, torques
 * included, body axes at the body's origin.  wrench (6 bodies): NULL = 0. */
SADDLE_API saddle_status saddle_tree_reactions(saddle_tree *tree, const double *ddq,
                                               const double *wrench, double *reaction);

/* how (bodies): of all coordinates of a joint; value (coordinates): read at prescribed joints;
 * time_step h > 0 [s]: for velocities and positions, ddq = (dq+ - dq)/h.  torque (coordinates): at
 * forced joints as for forward, NULL = 0.  ddq (coordinates): all.  held (coordinates; NULL is
 * fine): the torque at forced joints, the torque that holds the prescription at others.
 * SADDLE_INVALID_ARGUMENT: no such prescription, or a step that is not positive; SADDLE_SINGULAR.
 */
SADDLE_API saddle_status saddle_tree_hybrid(saddle_tree *tree, const saddle_prescription *how,
                                            const double *value, double time_step,
                                            const double *torque, const double *wrench, double *ddq,
                                            double *held);

/* ---- the inverse ---- */

/* Articulated inertias of M_h = M_r + h d + h^2 k at the bodies as placed; h >= 0.  Later calls of
 * forward, hybrid and step replace them, and place ends their use.  SADDLE_SINGULAR. */
SADDLE_API saddle_status saddle_tree_factor(saddle_tree *tree, double h);

/* y (coordinates) = M_h^-1 (x + J' wrench), twist (6 bodies; NULL is fine) = J y.  x, wrench: NULL
 * = 0.  SADDLE_WRONG_PHASE: not factored since the last place. */
SADDLE_API saddle_status saddle_tree_solve(saddle_tree *tree, const double *x, const double *wrench,
                                           double *y, double *twist);

/* y (coordinates) = M_h x, x (coordinates), d (coordinates) = the diagonal of M_h: by sums over the
 * tree, nothing is formed; h >= 0.  x and y are different arrays. */
SADDLE_API saddle_status saddle_tree_multiply(saddle_tree *tree, double h, const double *x,
                                              double *y);
SADDLE_API saddle_status saddle_tree_mass_diagonal(saddle_tree *tree, double h, double *d);

/* *mass: M_h as factored last, in place of a factorization (saddle/mass_operator.h):
 * saddle_tree_solve, its first half (tips to root), multiply and mass_diagonal.  The two halves are
 * L^-1 and L^-T of M_h = L L' (Rodriguez, Jain and Kreutz-Delgado, Int. J. Robotics Research 10,
 * 1991), so that W has the rows' common paths to the root alone.  tree: borrowed; its functions
 * fail with SADDLE_WRONG_PHASE where the tree is not factored since its last place.
 *
 *     saddle_solver_set_mass(solver, &mass)                              once
 *     place, saddle_tree_factor, then factor and solve of the solver     in each step
 *
 * on problems of saddle/tree_rows.h with stage.matrix_free = 1. */
SADDLE_API saddle_status saddle_tree_mass_operator(saddle_tree *tree, saddle_mass_operator *mass);

/* Linearly implicit Euler: M_h dq+ = M_r dq + h (f_r + d dq), q+ = q + h dq+, at q, dq as placed;
 * q, dq (coordinates) are written.  Springs and damping of any size are stable. */
SADDLE_API saddle_status saddle_tree_step(saddle_tree *tree, double h, const double *torque,
                                          const double *wrench, double *q, double *dq);

SADDLE_END_DECLARATIONS

#endif
