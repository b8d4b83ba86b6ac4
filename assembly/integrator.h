/* SPDX-License-Identifier: MIT */
/* What each integrator asks of an assembly, in units of the step: saddle/stepper.h, seed 000,
 * 0.9. */
#ifndef SADDLE_ASSEMBLY_INTEGRATOR_H
#define SADDLE_ASSEMBLY_INTEGRATOR_H

#include "saddle/stepper.h"

typedef struct saddle__integrator_stage {
    double force;          /* time_step / h */
    double gyroscopic;     /* / h, of bodies whose momenta are turned */
    double damping;        /* / h */
    double stiffness;      /* / h^2 */
    double velocity_force; /* / h^2 */
    double row;            /* row_step / h */
    double theta;          /* of HOLD rows' compliances; 0 = 1 */
    double curvature;      /* / h, where positions are projected */
    double ahead;          /* / h */
    int added;             /* 1: what acted in the stage before acts on */
    int keep_errors;       /* 1: hard HOLD rows ask for velocities alone */
    int halves; /* 1: hard HOLD rows' impulses act one half where the step begins, one half where it
                   ends */
    double moved; /* positions move by h times this after it .. */
    double mean;  /* .. by (1 - mean) v+ + mean v */
} saddle__integrator_stage;

typedef struct saddle__integrator {
    int stages;
    saddle__integrator_stage stage[2];
} saddle__integrator;

/* NULL: no such integrator. */
const saddle__integrator *saddle__integrator_find(saddle_integrator integrator);

/* turned: 1 = bodies' momenta are turned, 0 = the gyroscopic force is one of f.  projected: 1 =
 * positions are projected after the step: rows correct nothing, but foresee what the step would
 * do. */
saddle_stage saddle__integrator_ask(const saddle__integrator_stage *stage, double h, int turned,
                                    int projected);

#endif
