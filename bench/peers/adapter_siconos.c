/* SPDX-License-Identifier: MIT */
/* Siconos numerics on the condensed problem W lambda + q = w: contacts with cones (FC3D, in the
 * plane FC2D), 0 <= lambda (LCP, dense), equations and 0 <= lambda (MLCP, dense). */
#include <CSparseMatrix_internal.h> /* before cs.h: defines the integers of cs.h */

#include <Friction_cst.h>
#include <LinearComplementarityProblem.h>
#include <MLCP_Solvers.h>
#include <MixedLinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <mlcp_cst.h>

#include <stdlib.h>
#include <string.h>

#include "contact/methods.h"
#include "peers/adapter.h"

enum { LARGEST = 3000, ITERATIONS = 100000, NEWTON = 1000 };
typedef enum family { CONTACTS, LCP, MLCP } family;

const char adapter_version[] = "Siconos 4.4.0";
const char *const adapter_methods[] = {"nsgs",          "nsn-ac",   "nsn-fb",    "nsn-nm",
                                       "admm",          "prox",     "fpp",       "eg",
                                       "vi-eg",         "vi-fpp",   "tfp",       "lemke",
                                       "pivot",         "murty",    "newtonmin", "newton-fb",
                                       "newton-min-fb", "pgs",      "mlcp-enum", "mlcp-fb",
                                       "mlcp-lemke",    "mlcp-pgs", NULL};

static const struct {
    family of;
    int plane, space, iterations; /* numbers of the method; of LCP and MLCP in space */
} methods[] = {
    {CONTACTS, SICONOS_FRICTION_2D_NSGS, SICONOS_FRICTION_3D_NSGS, 2 * ITERATIONS},
    {CONTACTS, 0, SICONOS_FRICTION_3D_NSN_AC, NEWTON},
    {CONTACTS, 0, SICONOS_FRICTION_3D_NSN_FB, NEWTON},
    {CONTACTS, 0, SICONOS_FRICTION_3D_NSN_NM, NEWTON},
    {CONTACTS, 0, SICONOS_FRICTION_3D_ADMM, ITERATIONS},
    {CONTACTS, 0, SICONOS_FRICTION_3D_PROX, NEWTON},
    {CONTACTS, 0, SICONOS_FRICTION_3D_FPP, ITERATIONS},
    {CONTACTS, 0, SICONOS_FRICTION_3D_EG, ITERATIONS},
    {CONTACTS, 0, SICONOS_FRICTION_3D_VI_EG, ITERATIONS},
    {CONTACTS, 0, SICONOS_FRICTION_3D_VI_FPP, ITERATIONS},
    {CONTACTS, 0, SICONOS_FRICTION_3D_TFP, NEWTON},
    {LCP, 0, SICONOS_LCP_LEMKE, ITERATIONS},
    {LCP, 0, SICONOS_LCP_PIVOT, ITERATIONS},
    {LCP, 0, SICONOS_LCP_MURTY, ITERATIONS},
    {LCP, 0, SICONOS_LCP_NEWTONMIN, NEWTON},
    {LCP, 0, SICONOS_LCP_NEWTON_FB_FBLSA, NEWTON},
    {LCP, 0, SICONOS_LCP_NEWTON_MIN_FBLSA, NEWTON},
    {LCP, 0, SICONOS_LCP_PGS, ITERATIONS},
    {MLCP, 0, SICONOS_MLCP_ENUM, ITERATIONS},
    {MLCP, 0, SICONOS_MLCP_FB, NEWTON},
    {MLCP, 0, SICONOS_MLCP_LCP_LEMKE, ITERATIONS},
    {MLCP, 0, SICONOS_MLCP_PGS, ITERATIONS},
};

/* ---- contacts ---- */

static adapter_end solve_contacts(adapter_call *call, const adapter_condensed *condensed, int k)
{
    const saddle_problem *problem = call->problem;
    const contact_method method = {.condensed = 1,
                                   .plane = methods[k].plane,
                                   .space = methods[k].space,
                                   .iterations = methods[k].iterations};
    contact_problem p = {.context = call->context,
                         .q = condensed->q,
                         .dimension = problem->contacts[0].size,
                         .local = {.m = problem->m,
                                   .R = condensed->W,
                                   .contact_count = problem->contact_count,
                                   .contacts = problem->contacts,
                                   .law = problem->law}};
    contact_call at = {.lambda = call->lambda, .tolerance = call->tolerance};
    const int failed = contact_siconos(&method, &p, &at);
    call->solve = at.seconds;
    call->iterations = at.iterations;
    return adapter_stop(call, failed ? ADAPTER_FAILED : ADAPTER_DONE, "%s", at.note);
}

/* ---- dense ---- */

static void set_options(SolverOptions *options, int k, double tolerance)
{
    options->iparam[0] = methods[k].iterations;
    options->dparam[0] = tolerance;
}

static int solve_lcp(adapter_call *call, NumericsMatrix *M, double *q, double *w,
                     SolverOptions *options)
{
    LinearComplementarityProblem problem = {.size = (int)call->problem->m, .M = M, .q = q};
    const double began = saddle_clock();
    const int info = linearComplementarity_driver(&problem, call->lambda, w, options);
    call->solve = saddle_clock() - began;
    return info;
}

/* A block of the dense M (size rows) by columns, malloc'ed. */
static double *block_of(const double *M, int size, int row, int rows, int column, int columns)
{
    double *block = malloc(((size_t)rows * (size_t)columns + 1) * sizeof *block);
    for (int j = 0; block && j < columns; j++)
        for (int i = 0; i < rows; i++) block[i + j * rows] = M[row + i + (column + j) * size];
    return block;
}

/* equalities: the first rows of M.  Both storages are given, the whole M and [A C; D B]: the
 * conversion in Siconos writes past its blocks. */
static int solve_mlcp(adapter_call *call, int equalities, NumericsMatrix *M, double *q, double *z,
                      double *w, SolverOptions *options)
{
    const int all = (int)call->problem->m, n = equalities, m = all - n;
    int rows[3] = {0, n, all}, kind[2] = {0, 1}, info = -1;
    MixedLinearComplementarityProblem *problem = mixedLinearComplementarity_new();
    if (!problem) return -1;
    problem->isStorageType1 = problem->isStorageType2 = 1;
    problem->n = n;
    problem->m = m;
    problem->blocksRows = rows;
    problem->blocksIsComp = kind;
    problem->M = M;
    problem->q = q;
    problem->A = block_of(M->matrix0, all, 0, n, 0, n);
    problem->B = block_of(M->matrix0, all, n, m, n, m);
    problem->C = block_of(M->matrix0, all, 0, n, n, m);
    problem->D = block_of(M->matrix0, all, n, m, 0, n);
    problem->a = q;
    problem->b = q + n;
    if (problem->A && problem->B && problem->C && problem->D) {
        const double began = saddle_clock();
        mlcp_driver_init(problem, options);
        info = mlcp_driver(problem, z, w, options);
        call->solve = saddle_clock() - began;
        mlcp_driver_reset(problem, options);
    }
    free(problem->A);
    free(problem->B);
    free(problem->C);
    free(problem->D);
    free(problem);
    return info;
}

/* order[k]: the row that comes k-th, equations first; returns their count. */
static int order_rows(const saddle_problem *problem, int *order)
{
    int count = 0, equalities = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int64_t i = 0; i < problem->m; i++)
            if (adapter_row_kind(problem, i) == kind) {
                order[count++] = (int)i;
                equalities += kind == 0;
            }
    return equalities;
}

typedef struct dense {
    double *A, *M, *q, *z, *w; /* A by rows as condensed, M by columns as ordered */
    int *order;
} dense;

static int allocate_dense(const adapter_condensed *condensed, size_t m, dense *at)
{
    at->A = adapter_dense(condensed);
    at->M = malloc((m * m + 1) * sizeof *at->M);
    at->q = calloc(m + 1, sizeof *at->q);
    at->z = calloc(m + 1, sizeof *at->z);
    at->w = calloc(m + 1, sizeof *at->w);
    at->order = calloc(m + 1, sizeof *at->order);
    return at->A && at->M && at->q && at->z && at->w && at->order;
}

static int run_dense(adapter_call *call, const adapter_condensed *condensed, int k, dense *at)
{
    const size_t m = (size_t)call->problem->m;
    const int equalities = order_rows(call->problem, at->order);
    SolverOptions *options = solver_options_create(methods[k].space);
    NumericsMatrix *M = NM_create_from_data(NM_DENSE, (int)m, (int)m, at->M);
    int info = -1;
    for (size_t i = 0; i < m; i++) {
        at->q[i] = condensed->q[at->order[i]];
        for (size_t j = 0; j < m; j++)
            at->M[i + j * m] = at->A[(size_t)at->order[i] * m + (size_t)at->order[j]];
    }
    if (options && M) {
        set_options(options, k, call->tolerance);
        info = methods[k].of == LCP ? solve_lcp(call, M, at->q, at->w, options)
                                    : solve_mlcp(call, equalities, M, at->q, at->z, at->w, options);
        call->iterations = options->iparam[1];
    }
    for (size_t i = 0; methods[k].of == MLCP && i < m; i++) call->lambda[at->order[i]] = at->z[i];
    if (options) solver_options_delete(options);
    free(options);
    free(M); /* its values are at->M */
    return info;
}

static adapter_end solve_dense(adapter_call *call, const adapter_condensed *condensed, int k)
{
    dense at = {0};
    int info = -1;
    const int there = allocate_dense(condensed, (size_t)call->problem->m, &at);
    if (there) info = run_dense(call, condensed, k, &at);
    free(at.A);
    free(at.M);
    free(at.q);
    free(at.z);
    free(at.w);
    free(at.order);
    if (!there) return adapter_stop(call, ADAPTER_FAILED, "out of memory");
    if (info != 0) return adapter_stop(call, ADAPTER_DONE, "info = %d", info);
    return ADAPTER_DONE;
}

/* ---- the choice ---- */

static const char *refuse_contacts(const saddle_problem *problem, int k)
{
    const int64_t size = problem->contact_count > 0 ? problem->contacts[0].size : 0;
    if (size * problem->contact_count != problem->m || size == 0) return "rows beside contacts";
    if (size > 3 || !(size == 2 ? methods[k].plane : methods[k].space))
        return "contacts of such a size";
    if (problem->law != SADDLE_LAW_CONE) return "a law of friction other than cone";
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->contacts[c].size != size) return "contacts of different sizes";
    return NULL;
}

static const char *refuse(const saddle_problem *problem, int k)
{
    int kinds = 0; /* 1: equations, 2: 0 <= lambda */
    if (methods[k].of == CONTACTS) return refuse_contacts(problem, k);
    if (problem->contact_count > 0) return "contacts";
    if (problem->m > LARGEST) return "more than 3000 rows for a dense matrix";
    if (problem->m == 0) return "no rows";
    for (int64_t i = 0; i < problem->m; i++) {
        const int kind = adapter_row_kind(problem, i);
        if (kind < 0) return "rows with other bounds";
        if (kind == 0 && methods[k].of == LCP) return "equations";
        kinds |= 1 << kind;
    }
    if (methods[k].of == MLCP && kinds != 3) return "rows of one kind";
    return NULL;
}

adapter_end adapter_solve(adapter_call *call)
{
    adapter_condensed condensed = {0};
    int k = 0;
    while (strcmp(adapter_methods[k], call->method) != 0) k++;
    const char *why = refuse(call->problem, k);
    if (why) return adapter_stop(call, ADAPTER_CANNOT, "%s", why);
    adapter_end end = adapter_condense(call, &condensed);
    if (end == ADAPTER_DONE)
        end = methods[k].of == CONTACTS ? solve_contacts(call, &condensed, k)
                                        : solve_dense(call, &condensed, k);
    if (end == ADAPTER_DONE) end = adapter_recover(call, &condensed);
    adapter_condensed_clear(&condensed);
    return end;
}
