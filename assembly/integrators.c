/* SPDX-License-Identifier: MIT */
/* Integrators: requests of each integrator to the assembly (Lloyd, ArtiSynth mechanics notes, 0.9).
 *
 * Rows correct errors within the step in which v+ moves positions.  The v+ of explicit Euler moves
 * positions in the next step only, after another error: with row = 1 errors persist (z^2 - z + 1 =
 * 0), with row = 2 errors decay by 1/sqrt(2) a step (z^2 - z + 1/2 = 0).  The v+ of the trapezoidal
 * rule moves positions by one half: J v+ = -phi/(h/2), with J v = 0.
 *
 * The trapezoidal rule with all of J'lambda at the beginning of the step gains energy without
 * bound: the constraint of a particle on a circle acts along the chord and adds h^2 (v'v)^2/2 a
 * step.  So one half acts at the end of the step, as in RATTLE (Andersen 1983), and gives J v+ = b
 * there.
 *
 * With projected positions the rows anticipate phi+ = phi + h (J vbar + h/2 drift) and correct no
 * past error; a correction would lose h^2/2 drift^2 of energy a step.  In explicit Euler v+ moves
 * nothing in the step, so curvature = 0.
 *
 * Attached velocities are v_k+ = A v_j+ + follow h dA(v) v_j (saddle/couplings.h): the v+ that
 * moves positions over the step belongs to the A at its middle, and the mean of v and v+ to v+ at
 * the end. Twists are in axes that turn with the gyroscopic force in v+; without it, in those of
 * the begin.
 */
#include <string.h>

#include "stepper_internal.h"

/* clang-format off */
static const saddle__integrator_rule integrators[] = {
    /* force, gyroscopic, damping, stiffness, velocity_force, row, theta, curvature, ahead, added,
     * keep_errors, halves, moved, mean, follow */
    [SADDLE_EXPLICIT_EULER]   = {1, {{1,  0,  0,  0,   0,  2, 0,  0,  0,  0, 0, 0, 1, 1,  1}}},
    [SADDLE_SYMPLECTIC_EULER] = {1, {{1,  .5, 0,  0,   0,  1, 0,  .5, 0,  0, 0, 0, 1, 0,  .5}}},
    [SADDLE_IMPLICIT_EULER]   = {1, {{1,  .5, 1,  1,   1,  1, 0,  .5, 1,  0, 0, 0, 1, 0,  .5}}},
    [SADDLE_TRAPEZOIDAL]      = {1, {{1,  1,  .5, .25, .5, 1, .5, 1,  .5, 0, 0, 1, 1, .5, 1}}},
    [SADDLE_BRIDSON_MARINO]   = {2, {{.5, .5, .5, 0,   0,  1, 0,  .5, 0,  0, 0, 0, 1, 0,  .5},
                                     {.5, 0,  .5, 0,   0,  1, 0,  0,  0,  1, 1, 0, 0, 0,  0}}},
};
/* clang-format on */

static const char *const words[] = {
#define INTEGRATOR_WORD(name, word) [name] = word,
    SADDLE_INTEGRATOR_LIST(INTEGRATOR_WORD)
#undef INTEGRATOR_WORD
};

enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

const saddle__integrator_rule *saddle__integrator_find(saddle_integrator integrator)
{
    return (unsigned)integrator < INTEGRATORS ? &integrators[integrator] : NULL;
}

saddle_stage saddle__integrator_stage_of(const saddle__integrator_stage *stage, double h, int last,
                                         int turned, int projected)
{
    return (saddle_stage){
        .time_step = stage->force * h,
        .gyroscopic = (turned ? stage->gyroscopic : stage->force) * h,
        .damping = stage->damping * h,
        .stiffness = stage->stiffness * h * h,
        .velocity_force = stage->velocity_force * h * h,
        .turning = last && turned ? (1 - stage->gyroscopic) * h : 0,
        .row_step = stage->row * h,
        .turned = turned,
        .halves = stage->halves,
        .theta = stage->theta > 0 ? stage->theta : 1,
        .unilateral_theta = 1, /* overlaps separate over the whole step; over h/2 they would rebound
                                */
        .ahead = stage->ahead * h,
        .keep_errors = stage->keep_errors || projected,
        .curvature = projected ? stage->curvature * h : 0,
        .attached = {.time_step = stage->follow * h,
                     .fictitious = SADDLE_MAP_AND_TERM,
                     .axes = turned && stage->gyroscopic == 0 ? SADDLE_STEP_AXES
                                                              : SADDLE_BODY_AXES},
    };
}

const char *saddle_integrator_word(saddle_integrator integrator)
{
    return (unsigned)integrator < INTEGRATORS ? words[integrator] : "?";
}

saddle_status saddle_integrator_from_word(const char *word, saddle_integrator *integrator)
{
    if (!word || !integrator) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; k < INTEGRATORS; k++) {
        if (strcmp(word, words[k]) == 0) {
            *integrator = (saddle_integrator)k;
            return SADDLE_OK;
        }
    }
    return SADDLE_UNKNOWN_NAME;
}
