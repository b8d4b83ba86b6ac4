/* SPDX-License-Identifier: MIT */
/* A rod on a hinge with a limit, under SUNDIALS' CVODE: the stop at 0.5 rad is a root of
 * q_max - q(y), found by CVODE between its steps; there the rod bounces with e = 0.8 and the
 * integration begins anew.  cvode_stop.txt has the output. */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "saddle/saddle.h"

static const char scene_text[] =
    "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [0, 0, -9.81], \"bodies\": ["
    "{\"name\": \"rod\", \"shape\": \"box\", \"size\": [1, 0.05, 0.05], \"mass\": 1, "
    "\"position\": [0.5, 0, 0]}], \"joints\": [{\"name\": \"hinge\", \"kind\": \"hinge\", \"b\": "
    "\"rod\", \"axis\": [0, 1, 0], \"free\": [{\"limits\": [null, 0.5]}]}]}";

typedef struct stop {
    saddle_model *model;
    saddle_ode *ode;
    saddle_handle hinge;
} stop;

static int rates(sunrealtype t, N_Vector y, N_Vector dy, void *user)
{
    const saddle_status status = saddle_ode_rates(((stop *)user)->ode, t, N_VGetArrayPointer(y),
                                                  N_VGetArrayPointer(dy));
    return status == SADDLE_OK ? 0 : -1;
}

/* CVODE's root function: what is left to the limit. */
static int gap(sunrealtype t, N_Vector y, sunrealtype *root, void *user)
{
    stop *s = user;
    double q = 0;
    saddle_status status = saddle_ode_set(s->ode, t, N_VGetArrayPointer(y));
    if (status == SADDLE_OK) status = saddle_model_joint_coordinates(s->model, s->hinge, &q, NULL);
    root[0] = saddle_model_joint(s->model, s->hinge)->free[0].hi - q;
    return status == SADDLE_OK ? 0 : -1;
}

/* Newton's law of impact at one degree of freedom: all velocities turn round. */
static void bounce(saddle_ode *ode, double *y)
{
    const int64_t size = saddle_ode_size(ode);
    for (int64_t i = size - saddle_ode_velocities(ode); i < size; i++) y[i] *= -0.8;
}

static int run(stop *s, SUNContext context)
{
    const int64_t size = saddle_ode_size(s->ode);
    N_Vector y = N_VNew_Serial(size, context);
    SUNMatrix A = SUNDenseMatrix(size, size, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    void *cvode = CVodeCreate(CV_BDF, context);
    int bounces = 0, direction = -1, flag = 0;
    double t = 0;
    saddle_ode_get(s->ode, N_VGetArrayPointer(y));
    CVodeInit(cvode, rates, 0, y);
    CVodeSetUserData(cvode, s);
    CVodeSStolerances(cvode, 1e-10, 1e-10);
    CVodeSetLinearSolver(cvode, solver, A);
    CVodeSetMaxNumSteps(cvode, 100000);
    CVodeRootInit(cvode, 1, gap);
    CVodeSetRootDirection(cvode, &direction);
    while (bounces < 3 && (flag = CVode(cvode, 10, y, &t, CV_NORMAL)) == CV_ROOT_RETURN) {
        printf("stop %d at %.6f s\n", ++bounces, t);
        bounce(s->ode, N_VGetArrayPointer(y));
        CVodeReInit(cvode, t, y);
    }
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(y);
    return bounces == 3 ? 0 : 1;
}

int main(void)
{
    saddle_scene scene;
    SUNContext context = NULL;
    stop s = {0};
    saddle_status status = saddle_scene_read_text(NULL, scene_text, sizeof scene_text - 1, NULL,
                                                  NULL, &scene);
    if (status == SADDLE_OK) status = saddle_ode_create(scene.model, &s.ode);
    if (status != SADDLE_OK || SUNContext_Create(NULL, &context) != 0)
        return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    s.model = scene.model;
    s.hinge = saddle_model_find(scene.model, "hinge");
    const int failed = run(&s, context);
    SUNContext_Free(&context);
    saddle_ode_free(s.ode);
    saddle_scene_clear(&scene);
    return failed;
}
