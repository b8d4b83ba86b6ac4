/* SPDX-License-Identifier: MIT */
/* Siconos numerics from r = 0, in one of two forms:
 *
 *     u = W r + q                      local, by blocks of a contact; some solvers take W dense
 *     M v = H r + q,   u = H'v + b     global, by sparse columns: H = J', q = f, b = -b of ours */
#include <CSparseMatrix_internal.h> /* before cs.h: defines the integers of cs.h */

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "contact/methods.h"

/* ---- W ---- */

typedef SparseBlockStructuredMatrix blocks;

static int compare_columns(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The block columns of block row I, ascending, to column; returns their count.  rows: W' in both
 * triangles, its columns are the rows of W.  seen (contacts): the last block row + 1 of each. */
static size_t find_columns(const saddle_matrix *rows, size_t d, size_t I, size_t *seen,
                           size_t *column)
{
    size_t count = 0;
    for (int64_t k = rows->start[d * I]; k < rows->start[d * (I + 1)]; k++) {
        size_t J = (size_t)rows->index[k] / d;
        if (seen[J] == I + 1) continue;
        seen[J] = I + 1;
        column[count++] = J;
    }
    qsort(column, count, sizeof *column, compare_columns);
    return count;
}

/* The values of block row I, whose blocks are [first, end); at: scratch, the block of each block
 * column. */
static void fill_blocks(const saddle_matrix *rows, size_t d, size_t I, blocks *W, size_t *at)
{
    for (size_t k = W->index1_data[I]; k < W->index1_data[I + 1]; k++) at[W->index2_data[k]] = k;
    for (size_t i = 0; i < d; i++)
        for (int64_t k = rows->start[d * I + i]; k < rows->start[d * I + i + 1]; k++) {
            size_t j = (size_t)rows->index[k];
            W->block[at[j / d]][i + d * (j % d)] = rows->value[k];
        }
}

static int allocate_blocks(blocks *W, size_t contacts, size_t most)
{
    W->blocksize0 = malloc(contacts * sizeof *W->blocksize0);
    W->blocksize1 = W->blocksize0; /* Siconos knows that one array may serve for both */
    W->index1_data = malloc((contacts + 1) * sizeof *W->index1_data);
    W->index2_data = malloc(most * sizeof *W->index2_data);
    W->block = calloc(most, sizeof *W->block);
    return !W->blocksize0 || !W->index1_data || !W->index2_data || !W->block;
}

static int make_blocks(const saddle_matrix *rows, size_t d, size_t contacts, blocks *W)
{
    size_t *scratch = calloc(contacts, sizeof *scratch);
    size_t most = (size_t)rows->start[rows->cols]; /* blocks at most */
    size_t count = 0;
    int failed = !scratch || allocate_blocks(W, contacts, most);
    if (!failed) W->index1_data[0] = 0;
    for (size_t I = 0; !failed && I < contacts; I++) {
        count += find_columns(rows, d, I, scratch, W->index2_data + count);
        W->index1_data[I + 1] = count;
        W->blocksize0[I] = (unsigned)(d * (I + 1));
    }
    for (size_t k = 0; !failed && k < count; k++) {
        W->block[k] = calloc(d * d, sizeof **W->block);
        failed = !W->block[k];
    }
    for (size_t I = 0; !failed && I < contacts; I++) fill_blocks(rows, d, I, W, scratch);
    W->nbblocks = (unsigned)count;
    W->blocknumber0 = W->blocknumber1 = (unsigned)contacts;
    W->filled1 = contacts + 1;
    W->filled2 = count;
    free(scratch);
    return failed;
}

/* NULL: out of memory, in a process that ends with it. */
static NumericsMatrix *make_matrix(const contact_problem *p, int dense)
{
    const saddle_matrix *W = &p->local.R;
    size_t m = (size_t)p->local.m, d = (size_t)p->dimension;
    saddle_matrix transposed = {0}, rows = {0};
    if (saddle_matrix_transpose(p->context, W, &transposed) != SADDLE_OK ||
        saddle_matrix_expand(p->context, &transposed, &rows) != SADDLE_OK)
        return NULL;
    blocks *sparse = dense ? NULL : SBM_new();
    double *full = dense ? calloc(m * m, sizeof *full) : NULL;
    int failed = dense ? !full : !sparse || make_blocks(&rows, d, m / d, sparse);
    for (size_t i = 0; full && i < m; i++)
        for (int64_t k = rows.start[i]; k < rows.start[i + 1]; k++)
            full[i + m * (size_t)rows.index[k]] = rows.value[k];
    saddle_matrix_clear(&transposed);
    saddle_matrix_clear(&rows);
    if (failed) return NULL;
    return NM_create_from_data(dense ? NM_DENSE : NM_SPARSE_BLOCK, (int)m, (int)m,
                               dense ? (void *)full : (void *)sparse);
}

/* ---- M and H ---- */

/* NULL: out of memory, in a process that ends with it. */
static NumericsMatrix *make_columns(const contact_problem *p, const saddle_matrix *A)
{
    saddle_matrix full = {0};
    if (saddle_matrix_expand(p->context, A, &full) != SADDLE_OK) return NULL;
    size_t entries = (size_t)saddle_matrix_entries(&full);
    NumericsMatrix *made = NM_create(NM_SPARSE, (int)full.rows, (int)full.cols);
    NM_csc_alloc(made, (CS_INT)entries);
    made->matrix2->origin = NSM_CSC;
    CSparseMatrix *columns = made->matrix2->csc;
    for (int64_t j = 0; j <= full.cols; j++) columns->p[j] = full.start[j];
    for (size_t k = 0; k < entries; k++) columns->i[k] = full.index[k];
    for (size_t k = 0; k < entries; k++) columns->x[k] = full.value[k];
    saddle_matrix_clear(&full);
    return made;
}

/* factor * from, or zeros where from is NULL; malloc'ed. */
static double *scaled_copy(double factor, const double *from, int64_t length)
{
    double *to = calloc((size_t)length, sizeof *to);
    for (int64_t i = 0; to && from && i < length; i++) to[i] = factor * from[i];
    return to;
}

/* ---- the call ---- */

/* Ends the time that began before a driver's call. */
static void record(contact_call *call, double began, int info)
{
    call->seconds = bench_without_looks(bench_now() - began, 0);
    if (info != 0) snprintf(call->note, sizeof call->note, "info = %d", info);
}

/* 1: W is handed over dense; NSGS for rolling aborts at blocks. */
static int takes_dense(int id)
{
    return id == SICONOS_FRICTION_2D_CPG || id == SICONOS_FRICTION_2D_LEMKE ||
           id == SICONOS_ROLLING_FRICTION_3D_NSGS;
}

/* The driver for contacts of 2, 3 or 5 rows; its info. */
static int drive(FrictionContactProblem *p, double *lambda, double *u, SolverOptions *options)
{
    RollingFrictionContactProblem rolling = {.dimension = p->dimension,
                                             .numberOfContacts = p->numberOfContacts,
                                             .M = p->M,
                                             .q = p->q,
                                             .mu = p->mu,
                                             .mu_r = p->mu + p->numberOfContacts};
    switch (p->dimension) {
    case 2: return fc2d_driver(p, lambda, u, options);
    case 3: return fc3d_driver(p, lambda, u, options);
    default: return rolling_fc3d_driver(&rolling, lambda, u, options);
    }
}

/* mu: the coefficients of the tangents, then those of rolling.  u (m): zeros.  Nonzero: out of
 * memory. */
static int solve_local(const contact_problem *p, SolverOptions *options, double *mu, double *u,
                       contact_call *call)
{
    int dense = takes_dense(options->solverId);
    FrictionContactProblem problem = {.dimension = (int)p->dimension,
                                      .numberOfContacts = (int)p->local.contact_count,
                                      .M = make_matrix(p, dense),
                                      .q = scaled_copy(1.0, p->q, p->local.m),
                                      .mu = mu};
    int failed = !problem.M || !problem.q;
    if (!failed) {
        double began = bench_now();
        record(call, began, drive(&problem, call->lambda, u, options));
    }
    if (problem.M) NM_free(problem.M); /* and its blocks */
    free(problem.q);
    return failed;
}

/* The same.  The driver's v is not read: velocities follow from lambda, as from W's. */
static int solve_global(const contact_problem *p, SolverOptions *options, double *mu, double *u,
                        contact_call *call)
{
    const saddle_problem *full = &p->problem;
    GlobalFrictionContactProblem problem = {.dimension = (int)p->dimension,
                                            .numberOfContacts = (int)full->contact_count,
                                            .M = make_columns(p, &full->M),
                                            .H = make_columns(p, &full->Jt),
                                            .q = scaled_copy(1.0, full->f, full->n),
                                            .b = scaled_copy(-1.0, full->b, full->m),
                                            .mu = mu};
    double *v = calloc((size_t)full->n, sizeof *v);
    int failed = !problem.M || !problem.H || !problem.q || !problem.b || !v;
    if (!failed) {
        double began = bench_now();
        record(call, began, gfc3d_driver(&problem, call->lambda, u, v, options));
    }
    if (problem.M) NM_free(problem.M);
    if (problem.H) NM_free(problem.H);
    free(problem.q);
    free(problem.b);
    free(v);
    return failed;
}

int contact_siconos(const contact_method *method, const contact_problem *p, contact_call *call)
{
    size_t m = (size_t)p->local.m, contacts = (size_t)p->local.contact_count;
    SolverOptions *options = solver_options_create(contact_siconos_number(method, p));
    double *mu = malloc(2 * contacts * sizeof *mu);
    double *u = calloc(m, sizeof *u);
    int failed = !options || !mu || !u;
    if (!failed) {
        memset(call->lambda, 0, m * sizeof *call->lambda);
        for (size_t c = 0; c < contacts; c++) {
            mu[c] = p->local.contacts[c].mu;
            mu[contacts + c] = p->local.contacts[c].mu_rolling;
        }
        options->iparam[SICONOS_IPARAM_MAX_ITER] = method->iterations;
        options->dparam[SICONOS_DPARAM_TOL] = call->tolerance;
        failed = method->condensed ? solve_local(p, options, mu, u, call)
                                   : solve_global(p, options, mu, u, call);
        call->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    }
    if (options) solver_options_delete(options);
    free(options);
    free(mu);
    free(u);
    return failed;
}
