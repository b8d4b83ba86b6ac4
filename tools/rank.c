/* SPDX-License-Identifier: MIT */
/* How many rows of J, or of R where n = 0, are independent.  Each row (of R: column) is first scaled to length 1, so
 * that units do not matter.
 *
 * J falls into blocks, the components of its graph; the rank is the sum of theirs.  Small blocks: singular values,
 * those below 1e-10 of the block's largest count as zero.  Else: the positive pivots of the sparse J J' - 1e-12 I
 * (that is, of the Schur complement of a regularized KKT matrix), an estimate that counts singular values above 1e-6.
 */
#include "estimates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dense/dense.h"

static const double NOTHING = 1e-10, SHIFT = 1e-12;
static const double PRODUCT_AT_MOST = 1e8; /* multiplications for J J' */

/* *unit = J' with columns (the rows of J) of length 1; those without a nonzero entry stay. */
static saddle_status normalize(saddle_context *context, const saddle_matrix *Jt, saddle_matrix *unit)
{
    const saddle_status status = saddle_matrix_copy(context, Jt, unit);
    for (int64_t i = 0; status == SADDLE_OK && i < Jt->cols; i++) {
        double length = 0;
        for (int64_t k = unit->start[i]; k < unit->start[i + 1]; k++) length = hypot(length, unit->value[k]);
        for (int64_t k = unit->start[i]; k < unit->start[i + 1] && length > 0; k++) unit->value[k] /= length;
    }
    return status;
}

/* ---- by dense blocks ------------------------------------------------------------------------------------------- */

/* The block of J' on nodes (velocities < n first, ascending; then rows n + i) and its rank. */
static saddle_status block_rank(saddle_context *context, const saddle_matrix *Jt, const int64_t *node, int64_t size,
                                int64_t *local, double *sigma, int64_t *rank)
{
    int64_t rows = 0;
    while (rows < size && node[rows] < Jt->rows) rows++;
    const int64_t cols = size - rows, least = rows < cols ? rows : cols;
    *rank = 0;
    if (least == 0) return SADDLE_OK;
    double *block = saddle_allocate(context, rows * cols, sizeof *block);
    if (!block) return SADDLE_OUT_OF_MEMORY;
    for (int64_t r = 0; r < rows; r++) local[node[r]] = r;
    for (int64_t c = 0; c < cols; c++) {
        const int64_t i = node[rows + c] - Jt->rows;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) block[local[Jt->index[k]] + c * rows] = Jt->value[k];
    }
    const saddle_status status = saddle__dense_singular_values(context, rows, cols, block, sigma);
    for (int64_t k = 0; status == SADDLE_OK && k < least; k++) *rank += sigma[k] > NOTHING * sigma[0];
    saddle_release(context, block);
    return status;
}

static saddle_status by_blocks(saddle_context *context, const saddle_matrix *Jt, const tool_components *components,
                               tool_rank *found)
{
    int64_t *node = NULL, *start = NULL;
    int64_t *local = saddle_allocate(context, Jt->rows + 1, sizeof *local);
    double *sigma = saddle_allocate(context, components->largest + 1, sizeof *sigma);
    saddle_status status = tool_components_list(components, &node, &start);
    if (status == SADDLE_OK && !(local && sigma)) status = SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; status == SADDLE_OK && c < components->count; c++) {
        int64_t rank = 0;
        status = block_rank(context, Jt, node + start[c], components->size[c], local, sigma, &rank);
        found->rank += rank;
    }
    found->known = status == SADDLE_OK;
    snprintf(found->how, sizeof found->how,
             "singular values of the dense blocks, rows scaled to length 1, above %g of the largest", NOTHING);
    saddle_release(context, node);
    saddle_release(context, start);
    saddle_release(context, local);
    saddle_release(context, sigma);
    return status;
}

/* ---- by a sparse factorization --------------------------------------------------------------------------------- */

/* *S = J J' - SHIFT I, its lower triangle, with every diagonal entry stored. */
static saddle_status shifted_product(saddle_context *context, const saddle_matrix *Jt, saddle_matrix *S)
{
    const int64_t m = Jt->cols;
    saddle_matrix J = {0}, product = {0}, identity = {0}, sum = {0};
    saddle_status status = saddle_matrix_transpose(context, Jt, &J);
    if (status == SADDLE_OK) status = saddle_matrix_multiply(context, &J, Jt, &product);
    if (status == SADDLE_OK) status = saddle_matrix_create(context, m, m, m, SADDLE_GENERAL, &identity);
    for (int64_t i = 0; status == SADDLE_OK && i < m; i++) {
        identity.index[i] = i;
        identity.value[i] = 1;
        identity.start[i + 1] = i + 1;
    }
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 1, &product, -SHIFT, &identity, &sum);
    if (status == SADDLE_OK) status = saddle_matrix_lower(context, &sum, S);
    saddle_matrix_clear(&J);
    saddle_matrix_clear(&product);
    saddle_matrix_clear(&identity);
    saddle_matrix_clear(&sum);
    return status;
}

static saddle_status product_work(saddle_context *context, const saddle_matrix *Jt, double *work)
{
    int64_t *count = saddle_allocate(context, Jt->rows + 1, sizeof *count);
    if (!count) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < saddle_matrix_entries(Jt); k++) count[Jt->index[k]]++;
    *work = 0;
    for (int64_t j = 0; j < Jt->rows; j++) *work += (double)count[j] * (double)count[j];
    saddle_release(context, count);
    return SADDLE_OK;
}

static saddle_status by_factorization(saddle_context *context, const saddle_matrix *Jt, tool_rank *found)
{
    saddle_problem system = {.n = Jt->cols};
    saddle_solver *solver = NULL;
    double work = 0;
    saddle_status status = product_work(context, Jt, &work);
    if (status == SADDLE_OK && work > PRODUCT_AT_MOST) {
        snprintf(found->how, sizeof found->how, "J J' is too full to factor");
        return SADDLE_OK;
    }
    if (status == SADDLE_OK) status = shifted_product(context, Jt, &system.M);
    if (status == SADDLE_OK) status = saddle_solver_create(context, "ldlt", NULL, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &system);
    if (status == SADDLE_OK) status = saddle_solver_factor(solver, &system);
    if (status == SADDLE_OK) {
        found->known = saddle_solver_report(solver)->inertia.known;
        found->rank = saddle_solver_report(solver)->inertia.positive;
    }
    snprintf(found->how, sizeof found->how,
             "an estimate: positive pivots of the sparse J J' - %g, rows scaled to length 1", SHIFT);
    saddle_solver_free(solver);
    saddle_matrix_clear(&system.M);
    return status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

/* A (rows x cols), whose columns are what is counted; its graph has a node for each row, then one for each column. */
static saddle_status find(saddle_context *context, const saddle_matrix *A, tool_rank *found)
{
    tool_components components = {0};
    saddle_status status = tool_components_begin(context, A->rows + A->cols, &components);
    if (status == SADDLE_OK) {
        tool_components_join(&components, A, 0, A->rows);
        status = tool_components_number(&components);
    }
    if (status == SADDLE_OK) {
        if (tool_dense_is_cheap(&components))
            status = by_blocks(context, A, &components, found);
        else
            status = by_factorization(context, A, found);
    }
    tool_components_clear(&components);
    return status;
}

saddle_status tool_rank_find(saddle_context *context, const saddle_problem *problem, tool_rank *found)
{
    const saddle_matrix *A = problem->n > 0 ? &problem->Jt : &problem->R;
    saddle_matrix whole = {0}, unit = {0};
    memset(found, 0, sizeof *found);
    if (saddle_matrix_entries(A) == 0) {
        found->known = 1;
        snprintf(found->how, sizeof found->how, "no entries");
        return SADDLE_OK;
    }
    saddle_status status = saddle_matrix_expand(context, A, &whole);
    if (status == SADDLE_OK) status = normalize(context, &whole, &unit);
    if (status == SADDLE_OK) status = find(context, &unit, found);
    saddle_matrix_clear(&unit);
    saddle_matrix_clear(&whole);
    return status;
}
