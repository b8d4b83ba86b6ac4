/* SPDX-License-Identifier: MIT */
/* Attachments of a model: parts that follow other parts.
 *
 *     point on masters    x = sum_j w_j y_j     y_j = x_j of particles and nodes,
 *                                               p_j + R_j c_j of bodies;  sum w_j = 1
 *     point in element    the same,             w_j = N_j (saddle/element.h)
 *     body on a body      pose = pose_j T
 *     body on bodies      means by weights: p = sum w_j (p_j + R_j c_j), R the rotation nearest to
 *                         sum w_j R_j D_j, with T_j = (c_j, D_j)
 *     body on points      least squares: at least three, not on one line
 *     body in element     by the deformation gradient at the body's origin
 *
 * c_j, T, N_j and the shape at rest are those of the moment of attaching.  A point among points
 * moves to their mean with the next step; nothing else moves by attaching.  Masters can be attached
 * themselves, in no loop.  An attached part keeps its mass and may take forces, constraints and
 * contacts like any other part; its velocities follow those of its masters (saddle/couplings.h),
 *
 *     v_k = sum_j A_kj v_j,     F_j <- F_j + A_kj'F_k          velocities and forces
 *
 * The stepper eliminates attached velocities before it solves, or keeps them as rows
 * (saddle_stepper_options.attachments).  Positions of attached parts are computed from those of
 * their masters after each motion: no drift.  See docs/theory.md, 12 and 13.
 */
#ifndef SADDLE_ATTACH_H
#define SADDLE_ATTACH_H

#include "saddle/element.h"
#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_attach_def { /* start from {0}                                   default */
    const char *name;              /* copied; NULL is fine                             NULL */
    saddle_handle part;            /* a particle, body or nodes: what is attached      - */
    int64_t count;                 /* of nodes: those attached; 0 = all                0 */
    const int64_t *node;           /* count: their numbers; NULL = 0 .. count - 1      NULL */
    int64_t masters;               /* of each attached point or body, >= 1             - */
    const saddle_anchor *to;       /* masters; with own_masters masters x count: particles,
                                      bodies, nodes                                    - */
    int own_masters;               /* 1: each attached node has masters of its own     0 */
    const double *weight;          /* masters x count, each column with sum 1 [-];
                                      NULL = 1 / masters                               NULL */
    const saddle_element_kind *element; /* not NULL: the masters are the nodes of such an element;
                                           weight is not read                          NULL */
} saddle_attach_def;

/* Attaches a part, or some nodes of one.  SADDLE_INVALID_ARGUMENT with the name of the part and the
 * fault: no such part, node or master; attached already, or prescribed; the ground as a master
 * (attach to a prescribed part instead); a body with other masters than bodies or three points or
 * more; weights that do not sum to 1 (to 1e-9), a master given twice.  In an element also errors of
 * saddle_element_natural.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE.  On an error nothing has
 * changed.
 *
 * Found by the next saddle_assembly_create or step: SADDLE_INVALID_PROBLEM: "attachment loop: a ->
 * b -> a" (attached -> its master); SADDLE_SINGULAR: a body on points on a line.
 *
 * saddle_model_remove detaches; before, neither the part nor its masters can be removed. */
SADDLE_API saddle_status saddle_model_attach(saddle_model *model, const saddle_attach_def *def,
                                             saddle_handle *attachment);

/* Number of points or bodies that an attachment attaches; 0: no such attachment. */
SADDLE_API int64_t saddle_model_attached_count(const saddle_model *model, saddle_handle attachment);

SADDLE_END_DECLARATIONS

#endif
