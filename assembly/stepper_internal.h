/* SPDX-License-Identifier: MIT */
/* A stepper, shared by stepper.c and projection.c. */
#ifndef SADDLE_ASSEMBLY_STEPPER_INTERNAL_H
#define SADDLE_ASSEMBLY_STEPPER_INTERNAL_H

#include "saddle/stepper.h"
#include "model_internal.h"

/* The state before the step; the arrays are kept from step to step. */
typedef struct saddle__saved_state {
    double time;
    double *position, *velocity;
    int64_t position_capacity, velocity_capacity;
} saddle__saved_state;

/* The problem M d - J'l = g, J d = c over hard HOLD rows, and its solver. */
typedef struct saddle__projector {
    saddle_solver *solver;  /* ldlt; NULL = nothing analysed */
    int64_t rows;           /* hard HOLD rows */
    int64_t *row;           /* rows: numbers of the rows in the assembly */
    double *from;           /* positions and velocities before a projection step */
    saddle_problem problem; /* Jt, f, b owned; M: a symmetric one is borrowed */
    saddle_solution solution;
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
    saddle_contact_list contacts;
    saddle_solution solution; /* of the last stage */
    int64_t n_capacity, m_capacity;
    double *before; /* n: v at the beginning of a stage */
    double *after;  /* n: v+, in the axes of the new poses */
    double *move;   /* n: velocities that move positions */
    double *added;  /* n: forces of the stage before, at most n_capacity */
    saddle__saved_state saved;
    saddle__projector projector;
    saddle_step_report report;
};

/* Compiles the model after items were added or removed. */
saddle_status saddle__stepper_compile(saddle_stepper *stepper);

/* ---- state ---- */

saddle_status saddle__stepper_save(saddle_stepper *stepper);
void saddle__stepper_restore(saddle_stepper *stepper);

/* Turns momenta M v and impulses p (n; NULL is fine) of moving bodies from the axes of the
 * positions `from` into the present axes, constant in the world, moments about the centre of mass.
 */
void saddle__stepper_turn(const saddle_stepper *stepper, const double *from, double *v, double *p);

/* ---- projections ---- */

/* At most `steps` steps onto phi = 0 of the hard HOLD rows; *phi: the remaining max |phi|.  On
 * failure the state is undefined. */
saddle_status saddle__project_positions(saddle_stepper *stepper, int steps, double *phi);

/* p (n) <- factor J'lambda over the hard HOLD rows of the last stage. */
void saddle__held_impulse(const saddle_stepper *stepper, double factor, double *p);

/* Solves M v+ - J'mu = M v + p, J v+ = b over hard HOLD rows in the present state.  p (n), of these
 * rows: NULL = none; nothing is done where no row is hard. */
saddle_status saddle__project_velocities(saddle_stepper *stepper, const double *p);

void saddle__projector_clear(saddle__projector *projector, saddle_context *context);

#endif
