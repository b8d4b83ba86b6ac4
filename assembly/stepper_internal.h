/* SPDX-License-Identifier: MIT */
/* A stepper, shared by its files: stepper.c (one step), stepper_state.c (what it may have to give
 * back, and how bodies turn), project.c (projections). */
#ifndef SADDLE_ASSEMBLY_STEPPER_INTERNAL_H
#define SADDLE_ASSEMBLY_STEPPER_INTERNAL_H

#include "saddle/stepper.h"
#include "model_internal.h"

/* The model as it was; rooms are kept from step to step. */
typedef struct saddle__saved_state {
    double time;
    double *position, *velocity;
    int64_t position_capacity, velocity_capacity;
} saddle__saved_state;

/* M d - J'l = g, J d = c over hard HOLD rows: the problem in arrays of its own, and its solver. */
typedef struct saddle__projector {
    saddle_solver *solver;  /* ldlt; NULL = nothing analysed */
    int64_t rows;           /* hard HOLD rows */
    int64_t *row;           /* rows: which of the assembly's they are */
    int64_t *place;         /* entries of M: where they stand in the assembly's; NULL = M is its */
    double *from;           /* positions and velocities before a step of it */
    saddle_problem problem; /* Jt, f, b owned, M where there are places */
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
    saddle_solution solution; /* of the last stage, in rooms that grow */
    int64_t n_capacity, m_capacity;
    double *before; /* n: v at the beginning of a stage */
    double *after;  /* n: v+, in the axes the bodies have moved to */
    double *move;   /* n: what positions move by */
    double *added;  /* n: what acted in the stage before, at most n_capacity */
    saddle__saved_state saved;
    saddle__projector projector;
    saddle_step_report report;
};

/* Compiles the model where it is not, or was another. */
saddle_status saddle__stepper_compile(saddle_stepper *stepper);

/* ---- state ---- */

saddle_status saddle__stepper_save(saddle_stepper *stepper);
void saddle__stepper_restore(saddle_stepper *stepper);

/* x (n) <- x + a M^-1 ad(v)'M v of bodies that move (M^-1 left out where impulse = 1); v (n). */
void saddle__stepper_add_gyroscopic(const saddle_stepper *stepper, double a, const double *v,
                                    int impulse, double *x);

/* move (n) of bodies <- move + a (omega x nu, 0): from the mean of a body's twist to that of its
 * origin's velocity. */
void saddle__stepper_straighten(const saddle_stepper *stepper, double a, const double *v,
                                double *move);

/* Momenta M v and impulses p (n) of bodies that move, from the axes of the positions `from` into
 * those of now, as they stand in the world, moments about the centre of mass; p: NULL is fine. */
void saddle__stepper_turn(const saddle_stepper *stepper, const double *from, double *v, double *p);

/* report.overlap, and in the first step its note and a warning, from the contacts found last. */
void saddle__stepper_note_overlap(saddle_stepper *stepper);

/* 1: in the stage solved last a unilateral row stopped or threw back what came at it. */
int saddle__stepper_has_shock(const saddle_stepper *stepper);

/* ---- projections ---- */

int saddle__holds_rows(const saddle_model *model); /* 1: it has such rows */

/* At most `steps` steps onto phi = 0 of the hard HOLD rows; *phi: what is left.  Leaves the state
 * half-way where it fails. */
saddle_status saddle__project_positions(saddle_stepper *stepper, int steps, double *phi);

/* p (n) <- factor J'lambda over hard HOLD rows, of the last stage. */
void saddle__held_impulse(const saddle_stepper *stepper, double factor, double *p);

/* M v+ - J'mu = M v + p, J v+ = b over hard HOLD rows where the model is now; p (n): NULL =
 * none. */
saddle_status saddle__project_velocities(saddle_stepper *stepper, const double *p);

void saddle__projector_clear(saddle__projector *projector, saddle_context *context);

#endif
