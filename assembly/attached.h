/* SPDX-License-Identifier: MIT */
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
#ifndef SADDLE_ASSEMBLY_ATTACHED_H
#define SADDLE_ASSEMBLY_ATTACHED_H

#include "system.h"

typedef struct saddle__attached_state { /* start from zero */
    double *lag;                        /* n */
    double *left;  /* positions at the end of the last step; a host that moves parts ends the lag */
    double *force; /* impulses of the attachments in the step, as numbered by the assembly */
    double time;   /* duration of the impulses [s] */
    int64_t lag_capacity, left_capacity, force_capacity;
    int lags; /* 1: the arrays are those of the last step */
} saddle__attached_state;

void saddle__attached_clear(saddle_context *context, saddle__attached_state *state);

/* Before a step: attached parts where their masters are, with the momenta of the last step. */
saddle_status saddle__attached_begin(saddle__attached_state *state, saddle_assembly *a);

/* After a stage.  impulse: of the attachments; those of a second stage (added) come on top of the
 * first's, which are part of its force. */
void saddle__attached_store(saddle__attached_state *state, const saddle_assembly *a, int added,
                            const double *impulse);

/* After a step of h, with the velocities of the momenta in the model. */
saddle_status saddle__attached_end(saddle__attached_state *state, saddle_assembly *a, double h);

/* Forces on an attachment (saddle_stepper_attachment_force) or on prescribed coordinates, items of
 * the model. */
void saddle__attached_force(const saddle__attached_state *state, const saddle_assembly *a,
                            saddle_handle item, double *force);

#endif
