/* SPDX-License-Identifier: MIT */
/* Siconos numerics: u = W r + q by blocks of a contact, from r = 0.  The solvers of plane contacts
 * but for NSGS take W dense. */
#include <CSparseMatrix_internal.h> /* before cs.h: defines the integers of cs.h */

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <stdio.h>
#include <stdlib.h>

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

/* ---- the call ---- */

int contact_siconos(const contact_method *method, const contact_problem *p, contact_call *call)
{
    int plane = p->dimension == 2;
    int id = plane ? method->plane : method->space;
    size_t m = (size_t)p->local.m, contacts = (size_t)p->local.contact_count;
    NumericsMatrix *W = make_matrix(p, plane && id != SICONOS_FRICTION_2D_NSGS);
    SolverOptions *options = solver_options_create(id);
    double *mu = malloc(contacts * sizeof *mu);
    double *q = malloc(m * sizeof *q);
    double *u = calloc(m, sizeof *u);
    int failed = !W || !options || !mu || !q || !u;
    if (!failed) {
        for (size_t i = 0; i < m; i++) q[i] = p->q[i];
        for (size_t i = 0; i < m; i++) call->lambda[i] = 0.0;
        for (size_t c = 0; c < contacts; c++) mu[c] = p->local.contacts[c].mu;
        FrictionContactProblem problem = {.dimension = (int)p->dimension,
                                          .numberOfContacts = (int)contacts,
                                          .M = W,
                                          .q = q,
                                          .mu = mu};
        options->iparam[SICONOS_IPARAM_MAX_ITER] = method->iterations;
        options->dparam[SICONOS_DPARAM_TOL] = call->tolerance;
        double began = bench_now();
        int info = plane ? fc2d_driver(&problem, call->lambda, u, options)
                         : fc3d_driver(&problem, call->lambda, u, options);
        call->seconds = bench_without_looks(bench_now() - began, 0);
        call->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
        if (info != 0) snprintf(call->note, sizeof call->note, "info = %d", info);
    }
    if (options) solver_options_delete(options);
    free(options);
    if (W) NM_free(W); /* and its blocks */
    free(mu);
    free(q);
    free(u);
    return failed;
}
