/* SPDX-License-Identifier: MIT */
/* A stepper's state, shared by the files that step (saddle/stepper.h). */
#ifndef SADDLE_ASSEMBLY_STEPPER_INTERNAL_H
#define SADDLE_ASSEMBLY_STEPPER_INTERNAL_H

#include "bearing.h"
#include "model_internal.h"
#include "problem/problem_internal.h"
#include "reduction.h"
#include "saddle/stepper.h"
#include "system.h"

/* Attached velocities over the steps.
 *
 * v_k = A v_j holds in a solve for the velocities that move positions, which stand at the middle of
 * a step in most integrators, and impulses act on the momenta of those velocities.  The model shows
 * velocities that fit its present positions:
 *
 *     active body with rigid followers   (sum_k A_kj'M_k A_kj) v_j = sum_k A_kj'p_k    p_k momenta
 *     attached parts                     v_k = A v_j
 *
 * lag, of the order of h, is the difference to the velocities of the momenta, which the next step
 * begins with.
 */
typedef struct saddle__attached_state { /* start from zero */
    double *lag;                        /* n */
    double *left;  /* positions at the end of the last step; a host that moves parts ends the lag */
    double *force; /* impulses of the attachments in the step, as numbered by the assembly */
    double time;   /* duration of the impulses [s] */
    int64_t lag_capacity, left_capacity, force_capacity;
    int lags; /* 1: the arrays are those of the last step */
} saddle__attached_state;

/* Friction of the bearings of the model's joints, projected from the impulses of a solve
 * (saddle/bearing.h); start from zero. */
typedef struct saddle__joint_friction {
    int64_t count;       /* joints with bearings */
    int64_t number;      /* of rounds of the present stage */
    double change;       /* in the last round: the largest of a joint's sum |alpha|, relative to the
                            largest sum */
    saddle_handle worst; /* joint of the largest change */
    saddle__loads loads; /* y of all joints, of forces */
} saddle__joint_friction;

/* The state before the step; the arrays are kept from step to step. */
typedef struct saddle__saved_state {
    double time;
    double *position, *velocity;
    int64_t position_capacity, velocity_capacity;
} saddle__saved_state;

/* The problem M d - J'l = g, J d = c over hard HOLD rows, and its solver. */
typedef struct saddle__projector {
    saddle_solver *solver;  /* ldlt; NULL = nothing built */
    int analysed;           /* 1: by the solver */
    int outgrown;           /* 1: the assembly's pattern has grown since */
    double share;           /* softness of the rows, relative to their own size */
    int64_t rows;           /* hard HOLD rows */
    int64_t *row;           /* rows: numbers of the rows in the assembly */
    double *from;           /* positions and velocities before a projection step */
    saddle_problem problem; /* Jt, f, b owned; M: a symmetric one is borrowed */
    saddle_solution solution;
    saddle__reduction reduction;
} saddle__projector;

struct saddle_stepper {
    saddle_context *context;
    saddle_model *model;            /* borrowed */
    saddle_stepper_options options; /* solver: owned */
    char *solver_name;              /* owned */
    saddle_assembly *assembly;      /* NULL = not compiled */
    int64_t edition;                /* of the model that was compiled */
    saddle_solver *solver;
    int analysed; /* 1: the solver knows the assembly's pattern */
    saddle__reduction reduction;
    const saddle_problem *problem; /* the one solved: the assembly's, or the reduced one; NULL
                                      before */
    saddle__attached_state attached;
    saddle_contact_list contacts;
    saddle__joint_friction friction;
    saddle_solution solution; /* of the last stage */
    int64_t n_capacity, m_capacity;
    double acted;   /* duration of the last stage's forces; 0 = no step [s] */
    double *before; /* n: v at the beginning of a stage */
    double *after;  /* n: v+, in the axes of the new poses */
    double *move;   /* n: velocities that move positions */
    double *added;  /* n: forces of the stage before, at most n_capacity */
    saddle__saved_state saved;
    saddle__projector projector;
    saddle_step_report report;
};

/* ---- stages (stepper_stages.c) ---- */

typedef struct saddle__last_stage {
    double acted;       /* duration of its forces [s] */
    const double *late; /* n, of the stepper: impulses that act at the end of the step; NULL = none
                         */
} saddle__last_stage;

/* All stages of the integrator.  *solved: status of the first solve that is not SADDLE_OK. */
saddle_status saddle__run_stages(saddle_stepper *stepper, saddle__last_stage *last,
                                 saddle_status *solved);

/* Turns momenta M v and impulses p (n; NULL is fine) of moving bodies from the axes of the
 * positions `from` into the present axes, constant in the world, moments about the centre of mass.
 */
void saddle__turn_momenta(const saddle_assembly *assembly, const double *from, double *v,
                          double *p);

/* Counts the joints with bearings and stores their y, for saddle__friction_restore. */
saddle_status saddle__friction_begin(saddle__joint_friction *friction, saddle_model *model);
void saddle__friction_restore(saddle_model *model);

#endif
