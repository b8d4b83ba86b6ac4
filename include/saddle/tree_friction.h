/* SPDX-License-Identifier: MIT */
/* Steps of a tree of bodies with friction inside its joints: bilateral staggered projections
 * (Sueda, Rigid Body Dynamics Notes, 2.11, algorithm 8).
 *
 *     M_h dq+ - G'lambda - C'beta = M_r dq + h (f_r + d dq),    q+ = q + h dq+        (2.116)
 *         G dq+ = -rate phi     rows of loops, limits, contacts (saddle/tree_rows.h)
 *         |beta| <= s           rows of bearings, against their slip C dq+            (2.110)
 *
 *     W     loads of the joints at dq+, of a recursion over the tree                  (2.113)
 *     s     bounds from W by the bearings' contact points (saddle/bearing.h)          (2.114)
 *
 * in turn, until no bound changes; one solve and one recursion a round.  The loads include those of
 * the rows lambda (2.115).
 *
 *     create -> place the tree -> step -> place ..
 */
#ifndef SADDLE_TREE_FRICTION_H
#define SADDLE_TREE_FRICTION_H

#include "saddle/bearing.h"
#include "saddle/joint.h"
#include "saddle/solver.h"
#include "saddle/tree_rows.h"

SADDLE_BEGIN_DECLARATIONS

/* Start from saddle_tree_bearing_default(). */
typedef struct saddle_tree_bearing { /*                                                default */
    int64_t body;                    /* whose joint to its parent has the bearing      0 */
    saddle_joint_kind kind;          /* HINGE, SLIDER, BALL: motions the joint has,
                                        about z, along z, about all axes               HINGE */
    saddle_pose frame_a, frame_b;    /* the joint's frames in the parent (or the
                                        world), in the body                            identity */
    saddle_bearing bearing;          /*                                                none */
} saddle_tree_bearing;

SADDLE_API saddle_tree_bearing saddle_tree_bearing_default(void);

/* Start from saddle_tree_friction_options_default(). */
typedef struct saddle_tree_friction_options { /*                                       default */
    const char *solver;                       /* of rows with bounds; copied           "schur" */
    saddle_options solver_options;            /* copied                                defaults */
    int64_t rounds;                           /* at most; 0 = 1                        100 */
    double tolerance; /* rounds end where no joint's sum |alpha| changes by more than so
                         much of the largest [-]                                       1e-9 */
} saddle_tree_friction_options;

SADDLE_API saddle_tree_friction_options saddle_tree_friction_options_default(void);

typedef struct saddle_tree_friction saddle_tree_friction;

/* tree: borrowed, outlives the object.  bearing (count): copied.  options: NULL = default.
 * *friction: released by saddle_tree_friction_free; NULL on failure.  SADDLE_INVALID_ARGUMENT: a
 * body or bearing out of range (named by number), an option; SADDLE_UNKNOWN_NAME: no such solver;
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_tree_friction_create(saddle_tree *tree, int64_t count,
                                                     const saddle_tree_bearing *bearing,
                                                     const saddle_tree_friction_options *options,
                                                     saddle_tree_friction **friction);
SADDLE_API void saddle_tree_friction_free(saddle_tree_friction *friction); /* NULL is fine */

typedef struct saddle_tree_friction_step { /* start from {0}                           default */
    double time_step;                      /* h > 0 [s]                                - */
    double rate;                           /* of rows: dphi = -rate phi [1/s]          0 */
    const double *torque;                  /* coordinates                              NULL = 0 */
    const double *wrench;                  /* 6 bodies                                 NULL = 0 */
    int64_t count;                         /* rows of the caller                       0 */
    const saddle_tree_row *row;            /* count                                    NULL */
} saddle_tree_friction_step;

/* One step from q, dq as placed; q, dq (coordinates) are written.  SADDLE_NOT_CONVERGED: no fixed
 * point within the rounds, the last solve is written; other positive statuses of the solver.
 * SADDLE_INVALID_ARGUMENT; SADDLE_WRONG_PHASE: not placed; errors of the solver.  Memory is
 * allocated where the rows' pattern is new. */
SADDLE_API saddle_status saddle_tree_friction_advance(saddle_tree_friction *friction,
                                                      const saddle_tree_friction_step *step,
                                                      double *q, double *dq);

typedef struct saddle_tree_friction_report { /* of the last step */
    int64_t rounds;                          /* solves */
    double change; /* of the last round, relative; above the tolerance no fixed point was reached */
    double residual; /* of the last solve, total, by the checker */
    int64_t worst;   /* bearing of the largest change */
} saddle_tree_friction_report;

/* Valid as long as friction; NULL for NULL. */
SADDLE_API const saddle_tree_friction_report *saddle_tree_friction_report_of(
    const saddle_tree_friction *friction);

/* Means over the last step of bearing k.  SADDLE_INVALID_ARGUMENT: no such bearing. */
SADDLE_API saddle_status saddle_tree_friction_forces(const saddle_tree_friction *friction,
                                                     int64_t k, saddle_bearing_forces *forces);

/* lambda (rows of the caller) of the last step [N s, N m s]; NULL before the first. */
SADDLE_API const double *saddle_tree_friction_impulses(const saddle_tree_friction *friction);

SADDLE_END_DECLARATIONS

#endif
