/* SPDX-License-Identifier: MIT */
/* The integrators as a table (seed 000, 0.9).
 *
 * Rows take errors out within the step that v+ moves positions by.  Explicit Euler's v+ only moves
 * them in the next step, when another error has come about: with row = 1 errors would go on for
 * ever (z^2 - z + 1 = 0), with row = 2 they fall by 1/sqrt(2) a step (z^2 - z + 1/2 = 0).  The
 * trapezoidal rule's v+ moves them by one half: J v+ = -phi/(h/2), with J v = 0.
 *
 * The trapezoidal rule with J'lambda where the step begins alone gains energy without end: what
 * holds a particle on a circle pulls back along the chord there, h^2 (v'v)^2/2 a step.  So one half
 * of it acts where the step ends, as in RATTLE (Andersen 1983), which makes J v+ = b there.
 *
 * Where positions are projected, rows foresee phi+ = phi + h (J vbar + h/2 drift) instead of
 * following what has come about. Without that they would take h^2/2 drift^2 of energy a step.
 * Explicit Euler's do not: v+ moves nothing in this step.
 */
#include <string.h>

#include "stepper_internal.h"

static const saddle__integrator integrators[] = {
    [SADDLE_EXPLICIT_EULER] =
        {
            .stages = 1,
            .stage = {{.force = 1, .row = 2, .moved = 1, .mean = 1}},
        },
    [SADDLE_SYMPLECTIC_EULER] =
        {
            .stages = 1,
            .stage = {{.force = 1, .gyroscopic = 0.5, .row = 1, .curvature = 0.5, .moved = 1}},
        },
    [SADDLE_IMPLICIT_EULER] =
        {
            .stages = 1,
            .stage = {{.force = 1,
                       .gyroscopic = 0.5,
                       .damping = 1,
                       .stiffness = 1,
                       .velocity_force = 1,
                       .row = 1,
                       .curvature = 0.5,
                       .ahead = 1,
                       .moved = 1}},
        },
    [SADDLE_TRAPEZOIDAL] =
        {
            .stages = 1,
            .stage = {{.force = 1,
                       .gyroscopic = 1,
                       .damping = 0.5,
                       .stiffness = 0.25,
                       .velocity_force = 0.5,
                       .row = 1,
                       .theta = 0.5,
                       .curvature = 1,
                       .ahead = 0.5,
                       .halves = 1,
                       .moved = 1,
                       .mean = 0.5}},
        },
    [SADDLE_BRIDSON_MARINO] =
        {
            .stages = 2,
            .stage = {{.force = 0.5,
                       .gyroscopic = 0.5,
                       .damping = 0.5,
                       .row = 1,
                       .curvature = 0.5,
                       .moved = 1},
                      {.force = 0.5, .damping = 0.5, .row = 1, .added = 1, .keep_errors = 1}},
        },
};

static const char *const words[] = {
#define INTEGRATOR_WORD(name, word) [name] = word,
    SADDLE_INTEGRATOR_LIST(INTEGRATOR_WORD)
#undef INTEGRATOR_WORD
};

enum { COUNT = sizeof integrators / sizeof *integrators };

const saddle__integrator *saddle__integrator_find(saddle_integrator integrator)
{
    return (unsigned)integrator < COUNT ? &integrators[integrator] : NULL;
}

saddle_stage saddle__integrator_ask(const saddle__integrator_stage *stage, double h, int turned,
                                    int projected)
{
    return (saddle_stage){
        .time_step = stage->force * h,
        .gyroscopic = (turned ? stage->gyroscopic : stage->force) * h,
        .damping = stage->damping * h,
        .stiffness = stage->stiffness * h * h,
        .velocity_force = stage->velocity_force * h * h,
        .row_step = stage->row * h,
        .turned = turned,
        .halves = stage->halves,
        .theta = stage->theta > 0 ? stage->theta : 1,
        .unilateral_theta = 1, /* what overlaps is parted over the whole step: by h/2 it would be
                                  thrown back */
        .ahead = stage->ahead * h,
        .keep_errors = stage->keep_errors || projected,
        .curvature = projected ? stage->curvature * h : 0,
    };
}

const char *saddle_integrator_word(saddle_integrator integrator)
{
    return (unsigned)integrator < COUNT ? words[integrator] : "?";
}

saddle_status saddle_integrator_from_word(const char *word, saddle_integrator *integrator)
{
    if (!word || !integrator) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; k < COUNT; k++) {
        if (strcmp(word, words[k]) == 0) {
            *integrator = (saddle_integrator)k;
            return SADDLE_OK;
        }
    }
    return SADDLE_UNKNOWN_NAME;
}
