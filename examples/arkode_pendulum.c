/* SPDX-License-Identifier: MIT */
/* A double pendulum under SUNDIALS' ARKODE: the model gives y' = g(t, y), an explicit Runge-Kutta
 * method of order 8 integrates over 10 s.  The energy is kept to the tolerance in each step.
 * arkode_pendulum.txt has the output. */
#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>

#include "saddle/saddle.h"

static const char scene_text[] =
    "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [0, 0, -9.81], \"bodies\": ["
    "{\"name\": \"upper\", \"shape\": \"box\", \"size\": [1, 0.05, 0.05], \"mass\": 1, "
    "\"position\": [0.5, 0, 0]}, {\"name\": \"lower\", \"shape\": \"box\", \"size\": [1, 0.05, "
    "0.05], \"mass\": 1, \"position\": [1.5, 0, 0]}], \"joints\": [{\"kind\": \"hinge\", \"b\": "
    "\"upper\", \"axis\": [0, 1, 0]}, {\"kind\": \"hinge\", \"a\": \"upper\", \"b\": \"lower\", "
    "\"at\": [1, 0, 0], \"axis\": [0, 1, 0]}]}";

static const double tolerance = 1e-10;

/* ARKODE's callback. */
static int rates(sunrealtype t, N_Vector y, N_Vector dy, void *ode)
{
    const saddle_status status = saddle_ode_rates(ode, t, N_VGetArrayPointer(y),
                                                  N_VGetArrayPointer(dy));
    return status == SADDLE_OK ? 0 : -1;
}

static double energy_of(saddle_model *model, saddle_ode *ode, double t, N_Vector y)
{
    if (saddle_ode_set(ode, t, N_VGetArrayPointer(y)) != SADDLE_OK) return NAN;
    const saddle_energies e = saddle_model_energies(model);
    return e.kinetic + e.gravity;
}

/* The largest change of energy over 10 s [J]; NAN after a failure.  *steps: of the integrator. */
static double integrate(saddle_model *model, saddle_ode *ode, SUNContext context, long *steps)
{
    N_Vector y = N_VNew_Serial(saddle_ode_size(ode), context);
    saddle_ode_get(ode, N_VGetArrayPointer(y));
    const double start = energy_of(model, ode, 0, y);
    void *arkode = ERKStepCreate(rates, 0, y, context);
    double largest = 0, t = 0;
    ERKStepSetUserData(arkode, ode);
    ERKStepSetOrder(arkode, 8);
    ERKStepSStolerances(arkode, tolerance, tolerance);
    ERKStepSetMaxNumSteps(arkode, 100000);
    for (int k = 1; k <= 100; k++) {
        if (ERKStepEvolve(arkode, 0.1 * k, y, &t, ARK_NORMAL) < 0) largest = NAN;
        largest = fmax(largest, fabs(energy_of(model, ode, t, y) - start));
        if (isnan(largest)) break;
    }
    ERKStepGetNumSteps(arkode, steps);
    ERKStepFree(&arkode);
    N_VDestroy(y);
    return largest;
}

int main(void)
{
    saddle_scene scene;
    saddle_ode *ode = NULL;
    SUNContext context = NULL;
    saddle_status status = saddle_scene_read_text(NULL, scene_text, sizeof scene_text - 1, NULL,
                                                  NULL, &scene);
    if (status == SADDLE_OK) status = saddle_ode_create(scene.model, &ode);
    if (status != SADDLE_OK || SUNContext_Create(NULL, &context) != 0)
        return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    long steps = 0;
    const double largest = integrate(scene.model, ode, context, &steps);
    const double turned_over = 9.81 * (0.5 + 1.5); /* energy of both rods between level and down */
    const int kept = largest < (double)steps * tolerance * turned_over;
    printf("double pendulum, 10 s, tolerance %g\n", tolerance);
    printf("energy kept to the tolerance of each step: %s\n", kept ? "yes" : "no");
    if (!kept) fprintf(stderr, "%ld steps, energy changed by %g J\n", steps, largest);
    SUNContext_Free(&context);
    saddle_ode_free(ode);
    saddle_scene_clear(&scene);
    return 0;
}
