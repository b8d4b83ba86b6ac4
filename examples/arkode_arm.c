/* SPDX-License-Identifier: MIT */
/* An arm with attached parts under SUNDIALS' ARKODE: shoulder and elbow in coordinates, a hand that
 * is a body attached to the forearm, a via point without mass between upper arm and forearm that a
 * spring pulls.  y has two angles and their rates alone; the bodies follow in the model.  The
 * energy over 10 s is kept to the tolerance in each step.  arkode_arm.txt has the output. */
#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>

#include "saddle/saddle.h"

static const char scene_text[] =
    "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [0, 0, -9.81], \"bodies\": ["
    "{\"name\": \"upper\", \"shape\": \"box\", \"size\": [1, 0.1, 0.05], \"mass\": 2, "
    "\"position\": "
    "[0.5, 0, 0]}, {\"name\": \"fore\", \"shape\": \"box\", \"size\": [1, 0.05, 0.05], \"mass\": "
    "1, "
    "\"position\": [1.5, 0, 0]}, {\"name\": \"hand\", \"shape\": \"sphere\", \"radius\": 0.1, "
    "\"mass\": 0.5, \"position\": [2.1, 0, 0]}], \"particles\": [{\"name\": \"via\", \"massless\": "
    "true, \"position\": [1, 0, 0.1]}], \"attach\": [{\"part\": \"hand\", \"to\": \"fore\"}, "
    "{\"name\": \"loop\", \"part\": \"via\", \"masters\": [{\"part\": \"upper\"}, {\"part\": "
    "\"fore\"}]}], \"joint_form\": \"coordinates\", \"joints\": [{\"kind\": \"hinge\", \"b\": "
    "\"upper\", \"axis\": [0, 1, 0.3]}, {\"kind\": \"hinge\", \"a\": \"upper\", \"b\": \"fore\", "
    "\"at\": [1, 0, 0], \"axis\": [0, 1, 0]}], \"springs\": [{\"a\": \"via\", \"point_b\": "
    "[0, 0.3, 1], \"stiffness\": 40, \"rest_length\": 0.5}]}";

static const double tolerance = 1e-10;

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
    return e.kinetic + e.gravity + e.elastic;
}

/* The largest change of energy over 10 s [J]; NAN after a failure.  *steps: of the integrator. */
static double integrate(saddle_model *model, saddle_ode *ode, N_Vector y, SUNContext context,
                        long *steps)
{
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
    return largest;
}

/* The distance of the hand from where the forearm holds it [m]. */
static double slip_of(saddle_model *model)
{
    const double held[3] = {0.6, 0, 0};
    double at[3], slip = 0;
    saddle_pose_point(saddle_model_pose(model, saddle_model_find(model, "fore")), held, at);
    const double *hand = saddle_model_position(model, saddle_model_find(model, "hand"));
    for (int i = 0; i < 3; i++) slip = fmax(slip, fabs(hand[i] - at[i]));
    return slip;
}

int main(void)
{
    saddle_scene scene;
    saddle_ode *ode = NULL;
    SUNContext context = NULL;
    double force[3];
    long steps = 0;
    saddle_status status = saddle_scene_read_text(NULL, scene_text, sizeof scene_text - 1, NULL,
                                                  NULL, &scene);
    if (status == SADDLE_OK) status = saddle_ode_create(scene.model, &ode);
    if (status != SADDLE_OK || SUNContext_Create(NULL, &context) != 0)
        return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    N_Vector y = N_VNew_Serial(saddle_ode_size(ode), context), dy = N_VClone(y);
    saddle_ode_get(ode, N_VGetArrayPointer(y));
    printf("y has %d numbers\n", (int)saddle_ode_size(ode));
    saddle_ode_rates(ode, 0, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    saddle_ode_attachment_force(ode, saddle_model_find(scene.model, "loop"), force);
    printf("the loop holds the via point with (%.3f, %.3f, %.3f) N\n", force[0], force[1],
           force[2]);
    const double largest = integrate(scene.model, ode, y, context, &steps);
    const int kept = largest < (double)steps * tolerance * 9.81 * (2 * 0.5 + 1.5 + 0.5 * 2.1);
    printf("energy kept to the tolerance of each step: %s\n", kept ? "yes" : "no");
    printf("the hand is where the forearm holds it to 1e-12 m: %s\n",
           slip_of(scene.model) < 1e-12 ? "yes" : "no");
    if (!kept) fprintf(stderr, "%ld steps, energy changed by %g J\n", steps, largest);
    N_VDestroy(dy);
    N_VDestroy(y);
    SUNContext_Free(&context);
    saddle_ode_free(ode);
    saddle_scene_clear(&scene);
    return 0;
}
