/* SPDX-License-Identifier: MIT */
/* A stepper's state, shared by the files that step (saddle/stepper.h). */
#ifndef SADDLE_ASSEMBLY_STEPPER_INTERNAL_H
#define SADDLE_ASSEMBLY_STEPPER_INTERNAL_H

#include "attached.h"
#include "joint_friction.h"
#include "model_internal.h"
#include "problem/problem_internal.h"
#include "reduction.h"
#include "saddle/stepper.h"
#include "system.h"

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

/* ---- bodies ---- */

/* Turns momenta M v and impulses p (n; NULL is fine) of moving bodies from the axes of the
 * positions `from` into the present axes, constant in the world, moments about the centre of mass.
 */
void saddle__turn_momenta(const saddle_assembly *assembly, const double *from, double *v,
                          double *p);

/* ---- projections ---- */

void saddle__projector_clear(saddle__projector *projector, saddle_context *context);

/* Solves M v+ - J'mu = M v + p, J v+ = b over hard HOLD rows in the present state.  p (n), of these
 * rows and of attachments: NULL = none; nothing is done where no row is hard and A is constant. */
saddle_status saddle__project_momenta(saddle_stepper *stepper, const double *p);

/* f (n) <- f + J'l with J a = 0, the forces without those along hard HOLD rows. */
saddle_status saddle__project_forces(saddle_stepper *stepper, double *f);

/* At most `steps` steps onto phi = 0 of the hard HOLD rows; *phi: the remaining max |phi|.  On
 * failure the state is undefined. */
saddle_status saddle__move_onto_rows(saddle_stepper *stepper, int steps, double *phi);

#endif
