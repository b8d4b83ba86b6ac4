/* SPDX-License-Identifier: MIT */
/* Constraint rows on a tree of bodies, in its coordinates: loops that close, limits, motors, gears
 * (Sueda, Rigid Body Dynamics Notes, 2.8).
 *
 *     distance     phi = a . (x1 - x0) - offset              a: axis[0] of body[0],
 *     cosine       phi = a . b - offset                      b: axis[1] of body[1],
 *     coordinates  phi = f0 q0 + f1 q1 - offset              x: points of the bodies
 *     twist        dphi/dt = a . (v1 - v0) + b . (w1 - w0), phi = 0: a velocity, no function of
 *                  positions; v of the bodies' points at x0, w their angular velocities, a and b:
 *                  axis[0], axis[1], any length, both of body[0]
 *
 *     dphi/dt = G dq,   d2phi/dt2 = G ddq + drift
 *
 * G has entries at the coordinates between the two bodies and their common ancestor only.  The
 * directions turn with body 0; the rows are exact away from phi = 0 too.
 *
 * With these rows the tree is a saddle_problem for any solver, with the rows' bounds,
 *
 *     accelerations   M_r ddq - G'lambda = f_r
 *                     G ddq = -drift - alpha dphi - beta phi                       (2.94)
 *     velocities      M_h dq+ - G'lambda = M_r dq + h (f_r + d dq)
 *                     G dq+ = -rate phi                                            (2.95, 2.73)
 *     positions       M_r s - G'lambda = 0
 *                     G s = -phi,  then q <- q + s: one step of Newton's method
 *
 * and saddle_rank_find names redundant rows: three rows of a point in a planar loop have rank 2,
 * where saddle_tree_rows_in_plane gives the two that are enough (2.90, 2.91).
 */
#ifndef SADDLE_TREE_ROWS_H
#define SADDLE_TREE_ROWS_H

#include "saddle/problem.h"
#include "saddle/tree.h"

SADDLE_BEGIN_DECLARATIONS

typedef enum saddle_tree_row_kind {
    SADDLE_TREE_ROW_DISTANCE = 0,
    SADDLE_TREE_ROW_COSINE = 1,
    SADDLE_TREE_ROW_COORDINATES = 2,
    SADDLE_TREE_ROW_TWIST = 3
} saddle_tree_row_kind;

typedef struct saddle_tree_row { /* start from {0} */
    saddle_tree_row_kind kind;
    int64_t body[2];       /* different; -1 = the world */
    double point[2][3];    /* in the bodies [m] */
    double axis[2][3];     /* unit, in the bodies */
    int64_t coordinate[2]; /* different, where the second factor is not 0 */
    double factor[2];      /* f */
    double offset;
    double lo, hi; /* bounds of lambda; both 0: an equality */
} saddle_tree_row;

/* rows (3): the points of two bodies are one, along the axes of body[0]. */
SADDLE_API void saddle_tree_rows_at_point(const int64_t *body, const double *point0,
                                          const double *point1, saddle_tree_row *rows);

/* rows (2): the same in the plane normal to `axis` (3, any length) of body[0] (2.90). */
SADDLE_API void saddle_tree_rows_in_plane(const int64_t *body, const double *point0,
                                          const double *point1, const double *axis,
                                          saddle_tree_row *rows);

/* phi, rate (dphi/dt), drift (count each; NULL = not asked for) as placed. SADDLE_INVALID_ARGUMENT:
 * a row of no such kind, body or coordinate, or with numbers that are not finite, named by
 * number; SADDLE_WRONG_PHASE. */
SADDLE_API saddle_status saddle_tree_rows_evaluate(saddle_tree *tree, int64_t count,
                                                   const saddle_tree_row *rows, double *phi,
                                                   double *rate, double *drift);

/* wrench (6 bodies) += what impulses lambda (count) of the rows do to the bodies, body axes.  Rows
 * on coordinates act within joints and add nothing.  Errors as above. */
SADDLE_API saddle_status saddle_tree_rows_loads(saddle_tree *tree, int64_t count,
                                                const saddle_tree_row *rows, const double *lambda,
                                                double *wrench);

/* Gt (coordinates x count, general): column i is row i of G.  Released by saddle_matrix_clear.
 * Errors as above; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_tree_rows_matrix(saddle_tree *tree, int64_t count,
                                                 const saddle_tree_row *rows, saddle_matrix *Gt);

/* y (count) = G M_h^-1 G' x, x (count): the Delassus operator, in time linear in bodies and rows.
 * SADDLE_WRONG_PHASE: not factored (saddle_tree_factor) since the last place. */
SADDLE_API saddle_status saddle_tree_rows_delassus(saddle_tree *tree, int64_t count,
                                                   const saddle_tree_row *rows, const double *x,
                                                   double *y);

typedef enum saddle_tree_level {
    SADDLE_TREE_LEVEL_ACCELERATIONS = 0,
    SADDLE_TREE_LEVEL_VELOCITIES = 1,
    SADDLE_TREE_LEVEL_POSITIONS = 2
} saddle_tree_level;

typedef struct saddle_tree_stage { /* start from {0}                                     default */
    saddle_tree_level level;       /*                                              ACCELERATIONS */
    double time_step;              /* h > 0 of velocities [s]                                  0 */
    double rate;                   /* of velocities: dphi = -rate phi [1/s]                    0 */
    double alpha, beta;            /* of accelerations [1/s, 1/s^2]                            0 */
    int matrix_free;               /* 1: M has no entries, for saddle_tree_mass_operator: time
                                      and memory linear in bodies and entries of G             0 */
} saddle_tree_stage;

/* problem: owned, released by saddle_problem_clear.  torque, wrench: NULL = 0.
 * SADDLE_INVALID_ARGUMENT: a row as above, a stage out of range; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_tree_problem(saddle_tree *tree, int64_t count,
                                             const saddle_tree_row *rows,
                                             const saddle_tree_stage *stage, const double *torque,
                                             const double *wrench, saddle_problem *problem);

/* New values of a problem made before from the same tree and rows between the same bodies; no
 * allocation.  SADDLE_INVALID_ARGUMENT: another size; M with entries where stage.matrix_free = 1,
 * or without where it is 0. */
SADDLE_API saddle_status saddle_tree_problem_values(saddle_tree *tree, int64_t count,
                                                    const saddle_tree_row *rows,
                                                    const saddle_tree_stage *stage,
                                                    const double *torque, const double *wrench,
                                                    saddle_problem *problem);

SADDLE_END_DECLARATIONS

#endif
