/* SPDX-License-Identifier: MIT */
/* A pendulum that swings against a stop, under CVODE of SUNDIALS: root finding gives the time of
 * each impact, at which the rate is reversed, half of it lost.  cvode_tree.txt has the output.
 * Built where libsundials-dev is.
 */
#include <math.h>
#include <stdio.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "saddle/saddle.h"

static const double stop = -0.5; /* [rad] */
static const double restitution = 0.5;

static int slope(realtype t, N_Vector x, N_Vector dx, void *tree)
{
    (void)t;
    return saddle_tree_slope(tree, NULL, NULL, N_VGetArrayPointer(x), N_VGetArrayPointer(dx)) ==
                   SADDLE_OK
               ? 0
               : -1;
}

static int gap(realtype t, N_Vector x, realtype *value, void *tree)
{
    (void)t;
    (void)tree;
    value[0] = N_VGetArrayPointer(x)[0] - stop;
    return 0;
}

/* Impacts one after the other; nonzero: CVODE failed. */
static int swing(void *cvode, N_Vector state)
{
    double *x = N_VGetArrayPointer(state);
    for (int impact = 1; impact <= 4; impact++) {
        realtype t = 0;
        if (CVode(cvode, 10, state, &t, CV_NORMAL) != CV_ROOT_RETURN) return 1;
        printf("impact %d at %.4f s with %.4f rad/s\n", impact, t, x[1]);
        x[1] *= -restitution;
        if (CVodeReInit(cvode, t, state) != CV_SUCCESS) return 1;
    }
    return 0;
}

static int run(saddle_tree *tree, double *x)
{
    int inward = -1; /* impacts, not departures */
    SUNContext context = NULL;
    if (SUNContext_Create(NULL, &context) != 0) return 1;
    N_Vector state = N_VMake_Serial(2, x, context);
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(state, 0, context);
    void *cvode = CVodeCreate(CV_ADAMS, context);
    const int failed = !cvode || CVodeInit(cvode, slope, 0, state) != CV_SUCCESS ||
                       CVodeSetUserData(cvode, tree) != CV_SUCCESS ||
                       CVodeSStolerances(cvode, 1e-10, 1e-10) != CV_SUCCESS ||
                       CVodeSetNonlinearSolver(cvode, iteration) != CV_SUCCESS ||
                       CVodeRootInit(cvode, 1, gap) != CV_SUCCESS ||
                       CVodeSetRootDirection(cvode, &inward) != CV_SUCCESS || swing(cvode, state);
    if (cvode) CVodeFree(&cvode);
    (void)SUNNonlinSolFree(iteration);
    N_VDestroy(state);
    (void)SUNContext_Free(&context);
    return failed;
}

int main(void)
{
    const double gravity[3] = {0, -9.81, 0};
    const saddle_tree_body rod = {-1,
                                  saddle_motion_revolute(),
                                  {1, {0, -0.5, 0}, {1.0 / 12, 0, 0, 0, 1e-3, 0, 0, 0, 1.0 / 12}}};
    double x[2] = {1, 0}; /* from the hanging position [rad], [rad/s] */
    saddle_tree *tree = NULL;
    saddle_status status = saddle_tree_create(NULL, 1, &rod, &tree);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(tree, gravity);
    if (status != SADDLE_OK || run(tree, x)) return fprintf(stderr, "failed\n"), 1;
    /* 1/2 I dq^2 = m g l (cos stop - cos start), I = 1/3 */
    printf("first impact by energy: %.4f rad/s\n", -sqrt(3 * 9.81 * (cos(stop) - cos(1.0))));
    saddle_tree_free(tree);
    return 0;
}
