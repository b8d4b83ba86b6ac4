/* SPDX-License-Identifier: MIT */
/* Definiteness and condition of M: eigenvalues of small diagonal blocks, else the signs of the
 * pivots of a sparse LDL' (Sylvester's law of inertia) with the solver's estimate of the condition
 * in the 1-norm. */
#include "facts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dense/dense.h"

static const double dense_limit = 8e9; /* sum of the cubes of the blocks' sizes: seconds */
enum { EQUILIBRATIONS = 8 };

static int is_cheap(const tool_components *components)
{
    double work = 0;
    for (int64_t c = 0; c < components->count; c++)
        work += (double)components->size[c] * (double)components->size[c] *
                (double)components->size[c];
    return work <= dense_limit;
}

/* *S = (M + M')/2, its lower triangle. */
static saddle_status symmetric_part(saddle_context *context, const saddle_matrix *M,
                                    saddle_matrix *S)
{
    saddle_matrix transpose = {0}, sum = {0};
    if (M->symmetry == SADDLE_SYMMETRIC) return saddle_matrix_copy(context, M, S);
    saddle_status status = saddle_matrix_transpose(context, M, &transpose);
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 0.5, M, 0.5, &transpose, &sum);
    if (status == SADDLE_OK) status = saddle_matrix_lower(context, &sum, S);
    saddle_matrix_clear(&sum);
    saddle_matrix_clear(&transpose);
    return status;
}

static void set_condition(tool_definiteness *found, double smallest_modulus, double largest_modulus)
{
    found->condition = found->zero > 0 ? (double)INFINITY : largest_modulus / smallest_modulus;
}

/* ---- by dense blocks ---- */

/* Nodes in the order of their components, node[nodes], and where each begins, start[count + 1].
 */
static saddle_status list_nodes(const tool_components *components, int64_t **node, int64_t **start)
{
    saddle_context *context = components->context;
    int64_t *order = saddle_allocate(context, components->nodes + 1, sizeof *order);
    int64_t *first = saddle_allocate(context, components->count + 1, sizeof *first);
    int64_t *next = saddle_allocate(context, components->count + 1, sizeof *next);
    const int all = order && first && next;
    if (all) {
        for (int64_t c = 0; c < components->count; c++)
            first[c + 1] = first[c] + components->size[c];
        memcpy(next, first, (size_t)(components->count + 1) * sizeof *next);
        for (int64_t i = 0; i < components->nodes; i++) order[next[components->label[i]]++] = i;
        *node = order;
        *start = first;
    } else {
        saddle_release(context, order);
        saddle_release(context, first);
    }
    saddle_release(context, next);
    return all ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void gather_block(const saddle_matrix *S, const int64_t *node, int64_t size,
                         const int64_t *local, double *block)
{
    memset(block, 0, (size_t)(size * size) * sizeof *block);
    for (int64_t c = 0; c < size; c++) {
        const int64_t j = node[c];
        for (int64_t k = S->start[j]; k < S->start[j + 1]; k++) {
            const int64_t r = local[S->index[k]];
            block[(r > c ? r : c) + (r > c ? c : r) * size] = S->value[k];
        }
    }
}

/* Below `size` roundings of the largest: no sign. */
static double noise_of(const double *eigenvalue, int64_t size)
{
    return (double)size * DBL_EPSILON * fmax(fabs(eigenvalue[0]), fabs(eigenvalue[size - 1]));
}

static int64_t count_zeros(const double *eigenvalue, int64_t size)
{
    int64_t zeros = 0;
    for (int64_t i = 0; i < size; i++) zeros += fabs(eigenvalue[i]) <= noise_of(eigenvalue, size);
    return zeros;
}

static void count_signs(const double *eigenvalue, int64_t size, tool_definiteness *found)
{
    const double noise = noise_of(eigenvalue, size);
    found->zero += count_zeros(eigenvalue, size);
    for (int64_t i = 0; i < size; i++) found->positive += eigenvalue[i] > noise;
    for (int64_t i = 0; i < size; i++) found->negative += eigenvalue[i] < -noise;
}

static void take_range(const double *eigenvalue, int64_t size, tool_definiteness *found,
                       double *smallest_modulus)
{
    for (int64_t i = 0; i < size; i++)
        *smallest_modulus = fmin(*smallest_modulus, fabs(eigenvalue[i]));
    found->smallest = fmin(found->smallest, eigenvalue[0]);
    found->largest = fmax(found->largest, eigenvalue[size - 1]);
}

/* block <- D block D with rows whose largest modulus is about 1, D positive, so that signs stay
 * (Ruiz, RAL-TR-2001-034).  most: size scratch. */
static void equilibrate(double *block, int64_t size, double *most)
{
    for (int round = 0; round < EQUILIBRATIONS; round++) {
        memset(most, 0, (size_t)size * sizeof *most);
        for (int64_t c = 0; c < size; c++)
            for (int64_t r = c; r < size; r++) {
                most[r] = fmax(most[r], fabs(block[r + c * size]));
                most[c] = fmax(most[c], fabs(block[r + c * size]));
            }
        for (int64_t c = 0; c < size; c++)
            for (int64_t r = c; r < size; r++)
                if (block[r + c * size] != 0.0)
                    block[r + c * size] /= sqrt(most[r]) * sqrt(most[c]);
    }
}

static saddle_status by_blocks(saddle_context *context, const saddle_matrix *S,
                               const tool_components *components, tool_definiteness *found)
{
    const int64_t n = components->nodes, largest = components->largest;
    double smallest_modulus = (double)INFINITY;
    int64_t *node = NULL, *start = NULL, *local = saddle_allocate(context, n + 1, sizeof *local);
    double *block = saddle_allocate(context, largest * largest + 1, sizeof *block);
    double *eigenvalue = saddle_allocate(context, largest + 1, sizeof *eigenvalue);
    saddle_status status = list_nodes(components, &node, &start);
    if (status == SADDLE_OK && !(local && block && eigenvalue)) status = SADDLE_OUT_OF_MEMORY;
    found->smallest = (double)INFINITY;
    found->largest = -(double)INFINITY;
    for (int64_t c = 0; status == SADDLE_OK && c < components->count; c++) {
        const int64_t size = components->size[c], *of = node + start[c];
        for (int64_t i = 0; i < size; i++) local[of[i]] = i;
        gather_block(S, of, size, local, block);
        status = saddle__dense_eigenvalues(context, size, block, eigenvalue);
        if (status != SADDLE_OK) break;
        take_range(eigenvalue, size, found, &smallest_modulus);
        if (count_zeros(eigenvalue, size) > 0) { /* of units that differ, perhaps */
            gather_block(S, of, size, local, block);
            equilibrate(block, size, eigenvalue);
            status = saddle__dense_eigenvalues(context, size, block, eigenvalue);
        }
        if (status == SADDLE_OK) count_signs(eigenvalue, size, found);
    }
    if (status == SADDLE_OK) {
        found->known = 1;
        set_condition(found, smallest_modulus, fmax(fabs(found->smallest), fabs(found->largest)));
        snprintf(found->how, sizeof found->how, "eigenvalues of %s",
                 components->count > 1 ? "its blocks" : "the dense matrix");
    }
    saddle_release(context, node);
    saddle_release(context, start);
    saddle_release(context, local);
    saddle_release(context, block);
    saddle_release(context, eigenvalue);
    return status;
}

/* ---- by a sparse factorization ---- */

static saddle_status by_factorization(saddle_context *context, const saddle_matrix *S,
                                      tool_definiteness *found)
{
    saddle_problem system = {.n = S->cols, .M = *S};
    saddle_options options = saddle_options_default();
    saddle_solver *solver = NULL;
    system.M.owner = 0;
    options.condition = 1;
    saddle_status status = saddle_solver_create(context, "ldlt", &options, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &system);
    if (status == SADDLE_OK) status = saddle_solver_factor(solver, &system);
    if (status == SADDLE_OK) {
        const saddle_report *report = saddle_solver_report(solver);
        found->known = report->inertia.known && report->perturbed_pivots == 0;
        found->positive = report->inertia.positive;
        found->negative = report->inertia.negative;
        found->zero = report->inertia.zero;
        snprintf(found->how, sizeof found->how, "signs of the pivots of a sparse LDL'");
        if (found->zero == 0) found->condition = report->condition;
    }
    saddle_solver_free(solver);
    if (status != SADDLE_SINGULAR) return status;
    snprintf(found->how, sizeof found->how, "the sparse LDL' met a zero pivot");
    return SADDLE_OK;
}

saddle_status tool_definiteness_find(saddle_context *context, const saddle_matrix *M,
                                     const tool_components *components, tool_definiteness *found)
{
    saddle_matrix S = {0};
    *found = (tool_definiteness){.smallest = (double)NAN,
                                 .largest = (double)NAN,
                                 .condition = (double)NAN};
    if (saddle_matrix_entries(M) == 0) {
        found->known = 1;
        found->zero = M->cols;
        snprintf(found->how, sizeof found->how, "no entries");
        return SADDLE_OK;
    }
    saddle_status status = symmetric_part(context, M, &S);
    if (status == SADDLE_OK)
        status = is_cheap(components) ? by_blocks(context, &S, components, found)
                                      : by_factorization(context, &S, found);
    saddle_matrix_clear(&S);
    return status;
}
