/* SPDX-License-Identifier: MIT */
/* Siconos numerics: w = M z + q with M = A by columns, q = -b. */
#include <CSparseMatrix_internal.h> /* before cs.h: defines the integers of cs.h */

#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "complementarity/peers.h"

static int solve(lcp_call *call, int id)
{
    int n = call->n;
    size_t rows = (size_t)n;
    double *M = malloc(rows * rows * sizeof *M);
    double *q = malloc(rows * sizeof *q);
    double *w = calloc(rows, sizeof *w);
    SolverOptions *options = solver_options_create(id);
    NumericsMatrix *matrix = M ? NM_create_from_data(0 /* dense */, n, n, M) : NULL;
    int failed = !M || !q || !w || !options || !matrix;
    if (!failed) {
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < rows; j++) M[i + j * rows] = call->A[i * rows + j];
            q[i] = -call->b[i];
            call->x[i] = 0.0;
        }
        LinearComplementarityProblem problem = {.size = n, .M = matrix, .q = q};
        options->iparam[0] = 100000;
        options->dparam[0] = call->tolerance;
        double began = bench_now();
        int info = linearComplementarity_driver(&problem, call->x, w, options);
        call->seconds = bench_now() - began;
        call->iterations = options->iparam[1];
        failed = info != 0;
        if (failed) snprintf(call->message, sizeof call->message, "info = %d", info);
    }
    if (options) solver_options_delete(options);
    free(options);
    if (matrix) NM_free(matrix); /* and M with it */
    if (!matrix) free(M);
    free(q);
    free(w);
    return failed;
}

int lcp_siconos_lemke(lcp_call *call)
{
    return solve(call, SICONOS_LCP_LEMKE);
}

int lcp_siconos_pivot(lcp_call *call)
{
    return solve(call, SICONOS_LCP_PIVOT);
}

int lcp_siconos_newton(lcp_call *call)
{
    return solve(call, SICONOS_LCP_NEWTON_MIN_FBLSA);
}

int lcp_siconos_enum(lcp_call *call)
{
    return solve(call, SICONOS_LCP_ENUM);
}
