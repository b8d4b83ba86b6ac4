/* SPDX-License-Identifier: MIT */
/* A double pendulum integrated by SUNDIALS: saddle_tree_slope is the right-hand side of ARKODE's
 * explicit Runge-Kutta methods.  arkode_tree.txt has the output.  Built where libsundials-dev is.
 */
#include <math.h>
#include <stdio.h>

#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>

#include "saddle/saddle.h"

enum { LINKS = 2 };

static int slope(realtype t, N_Vector x, N_Vector dx, void *tree)
{
    (void)t;
    return saddle_tree_slope(tree, NULL, NULL, N_VGetArrayPointer(x), N_VGetArrayPointer(dx)) ==
                   SADDLE_OK
               ? 0
               : -1;
}

static int integrate(saddle_tree *tree, double time, double *x)
{
    SUNContext context = NULL;
    realtype reached = 0;
    if (SUNContext_Create(NULL, &context) != 0) return 1;
    N_Vector state = N_VMake_Serial(2 * LINKS, x, context);
    void *arkode = ARKStepCreate(slope, NULL, 0, state, context);
    int failed = !arkode || ARKStepSetUserData(arkode, tree) != 0 ||
                 ARKStepSStolerances(arkode, 1e-11, 1e-11) != 0 ||
                 ARKStepSetOrder(arkode, 8) != 0 || ARKStepSetMaxNumSteps(arkode, 100000) != 0 ||
                 ARKStepSetStopTime(arkode, time) != 0 ||
                 ARKStepEvolve(arkode, time, state, &reached, ARK_NORMAL) < 0;
    if (arkode) ARKStepFree(&arkode);
    N_VDestroy(state);
    (void)SUNContext_Free(&context);
    return failed;
}

static double energy(saddle_tree *tree, const double *x)
{
    double kinetic = NAN;
    double potential = NAN;
    (void)saddle_tree_place(tree, x, x + LINKS);
    (void)saddle_tree_energy(tree, &kinetic, &potential);
    return kinetic + potential;
}

int main(void)
{
    const saddle_body_inertia rod = {1, {0, -0.5, 0}, {1.0 / 12, 0, 0, 0, 1e-3, 0, 0, 0, 1.0 / 12}};
    const double gravity[3] = {0, -9.81, 0};
    saddle_tree_body body[LINKS] = {{-1, saddle_motion_revolute(), rod},
                                    {0, saddle_motion_revolute(), rod}};
    body[1].joint.before.p[1] = -1;
    double x[2 * LINKS] = {1, 0.5, 0, 0};
    saddle_tree *tree = NULL;
    saddle_status status = saddle_tree_create(NULL, LINKS, body, &tree);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(tree, gravity);
    const double before = status == SADDLE_OK ? energy(tree, x) : NAN;
    if (status != SADDLE_OK || integrate(tree, 10, x)) return fprintf(stderr, "failed\n"), 1;
    printf("after 10 s the first rod hangs at %.3f rad\n", x[0]);
    printf("energy kept to 1e-7 J: %s\n", fabs(energy(tree, x) - before) < 1e-7 ? "yes" : "no");
    saddle_tree_free(tree);
    return 0;
}
