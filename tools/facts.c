/* SPDX-License-Identifier: MIT */
/* Facts of a problem that need no solution: sizes, magnitudes, connected components, definiteness
 * and condition, rank.
 *
 * Definiteness and condition of M: eigenvalues of small diagonal blocks, else the signs of the
 * pivots of a sparse LDL' (Sylvester's law of inertia) with the solver's estimate of the condition
 * in the 1-norm.
 *
 * Components by union-find with path halving; the root of a set is its smallest node, so that
 * labels follow the nodes. */
#include "facts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "dense/dense.h"
#include "matrix/matrix_internal.h"

/* ---- connected components ---- */

static saddle_status begin(saddle_context *context, int64_t nodes, tool_components *components)
{
    memset(components, 0, sizeof *components);
    components->context = context;
    components->nodes = nodes;
    components->label = saddle_allocate(context, nodes + 1, sizeof *components->label);
    if (!components->label) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < nodes; i++) components->label[i] = i;
    return SADDLE_OK;
}

static void join(int64_t *parent, int64_t i, int64_t j)
{
    const int64_t a = saddle__root_of(parent, i), b = saddle__root_of(parent, j);
    parent[a < b ? b : a] = a < b ? a : b;
}

static void join_entries(tool_components *components, const saddle_matrix *A, int64_t row,
                         int64_t col)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            join(components->label, row + A->index[k], col + j);
}

static saddle_status number(tool_components *components)
{
    int64_t *label = components->label;
    for (int64_t i = 0; i < components->nodes; i++) components->count += label[i] == i;
    components->size = saddle_allocate(components->context, components->count + 1,
                                       sizeof *components->size);
    if (!components->size) return SADDLE_OUT_OF_MEMORY;
    int64_t next = 0;
    for (int64_t i = 0; i < components->nodes; i++) { /* a parent is smaller than the child, and has
                                                         a number already */
        label[i] = label[i] == i ? next++ : label[label[i]];
        components->size[label[i]]++;
    }
    for (int64_t c = 0; c < components->count; c++) {
        if (components->size[c] > components->largest) components->largest = components->size[c];
        if (c == 0 || components->size[c] < components->smallest)
            components->smallest = components->size[c];
    }
    return SADDLE_OK;
}

static void components_clear(tool_components *components)
{
    saddle__release_all(components->context, components->label, components->size);
    memset(components, 0, sizeof *components);
}

/* Of M alone, or of the whole system with its rows and contacts. */
static saddle_status find_components(saddle_context *context, const saddle_problem *problem,
                                     int of_system, tool_components *components)
{
    const int64_t n = problem->n;
    const saddle_status status = begin(context, of_system ? n + problem->m : n, components);
    if (status) return status;
    join_entries(components, &problem->M, 0, 0);
    if (!of_system) return number(components);
    join_entries(components, &problem->Jt, 0, n);
    join_entries(components, &problem->R, n, n);
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        for (int64_t i = 1; i < contact->size; i++)
            join(components->label, n + contact->row, n + contact->row + i);
    }
    return number(components);
}

/* ---- definiteness ---- */

static const double dense_limit = 8e9; /* sum of the cubes of the blocks' sizes: seconds */

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

/* ---- definiteness by dense blocks ---- */

/* Nodes in the order of their components, node[nodes]; start[count + 1]: the first of each. */
static void list_nodes(const tool_components *components, int64_t *node, int64_t *start)
{
    for (int64_t c = 0; c < components->count; c++) start[c + 1] = start[c] + components->size[c];
    for (int64_t i = 0; i < components->nodes; i++) node[start[components->label[i]]++] = i;
    memmove(start + 1, start, (size_t)components->count * sizeof *start);
    start[0] = 0;
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

/* block <- D block D, D > 0, with a diagonal of modulus 1 where it is not 0: signs stay.  unit:
 * size scratch. */
static void scale(double *block, int64_t size, double *unit)
{
    for (int64_t i = 0; i < size; i++) {
        const double diagonal = fabs(block[i + i * size]);
        unit[i] = diagonal > 0 ? sqrt(diagonal) : 1;
    }
    for (int64_t c = 0; c < size; c++)
        for (int64_t r = c; r < size; r++) block[r + c * size] /= unit[r] * unit[c];
}

static saddle_status by_blocks(saddle_context *context, const saddle_matrix *S,
                               const tool_components *components, tool_definiteness *found)
{
    const int64_t n = components->nodes, largest = components->largest;
    double smallest_modulus = (double)INFINITY;
    int64_t *node = saddle_allocate(context, n, sizeof *node);
    int64_t *start = saddle_allocate(context, components->count + 1, sizeof *start);
    int64_t *local = saddle_allocate(context, n, sizeof *local);
    double *block = saddle_allocate(context, largest * largest + 1, sizeof *block);
    double *eigenvalue = saddle_allocate(context, largest + 1, sizeof *eigenvalue);
    const int whole = node && start && local && block && eigenvalue;
    saddle_status status = whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (whole) list_nodes(components, node, start);
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
            scale(block, size, eigenvalue);
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
    saddle__release_all(context, node, start, local, block, eigenvalue);
    return status;
}

/* ---- definiteness by a sparse factorization ---- */

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

static saddle_status find_definiteness(saddle_context *context, const saddle_matrix *M,
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

/* ---- the facts ---- */

static tool_range range_of(const double *value, int64_t count)
{
    tool_range range = {(double)INFINITY, 0};
    for (int64_t k = 0; value && k < count; k++) {
        const double modulus = fabs(value[k]);
        if (!(modulus > 0)) continue;
        range.least = fmin(range.least, modulus);
        range.most = fmax(range.most, modulus);
    }
    if (!(range.most > 0)) range.least = 0;
    return range;
}

static tool_range range_of_mu(const saddle_problem *problem)
{
    tool_range range = {0, 0};
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const double mu = problem->contacts[c].mu;
        range.least = c == 0 ? mu : fmin(range.least, mu);
        range.most = fmax(range.most, mu);
    }
    return range;
}

/* Entries of the whole matrix: off-diagonal entries of a symmetric matrix count twice. */
static int64_t whole_entries(const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A), diagonal = 0;
    if (entries == 0 || A->symmetry != SADDLE_SYMMETRIC) return entries;
    for (int64_t j = 0; j < A->cols; j++)
        diagonal += A->start[j] < A->start[j + 1] && A->index[A->start[j]] == j;
    return 2 * entries - diagonal;
}

static void measure(const saddle_problem *problem, tool_facts *facts)
{
    facts->n = problem->n;
    facts->m = problem->m;
    facts->contacts = problem->contact_count;
    facts->rows = saddle_problem_count_rows(problem);
    facts->mu = range_of_mu(problem);
    facts->entries_M = whole_entries(&problem->M);
    facts->entries_J = saddle_matrix_entries(&problem->Jt);
    facts->entries_R = whole_entries(&problem->R);
    facts->entries_K = facts->entries_M + 2 * facts->entries_J + facts->entries_R;
    facts->M = range_of(problem->M.value, saddle_matrix_entries(&problem->M));
    facts->J = range_of(problem->Jt.value, facts->entries_J);
    facts->R = range_of(problem->R.value, saddle_matrix_entries(&problem->R));
    facts->f = range_of(problem->f, problem->n);
    facts->b = range_of(problem->b, problem->m);
}

/* Islands of R with more rows, and at least this share of dense entries, are left out. */
enum { DENSE_AT_MOST = 1500 };
static const double DENSE_SHARE = 0.1;

/* 1: R of n = 0 is large and dense, too much for the elimination of rows. */
static int is_dear(const saddle_problem *problem, const tool_components *system)
{
    const double size = (double)system->largest;
    return problem->n == 0 && system->largest > DENSE_AT_MOST &&
           (double)saddle_matrix_entries(&problem->R) > DENSE_SHARE * size * size;
}

static saddle_status find_rank(saddle_context *context, const saddle_problem *problem,
                               const tool_components *system, tool_rank *found)
{
    if (is_dear(problem, system)) {
        snprintf(found->how, sizeof found->how,
                 "left out: R is dense, %lld rows; --all-rows takes the time",
                 (long long)problem->m);
        return SADDLE_OK;
    }
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = 1;
    options.ignore_compliance = problem->n > 0;
    options.count_only = 1;
    saddle_rank rank;
    const saddle_status status = saddle_rank_find(context, problem, &options, &rank);
    if (status) return status;
    found->known = 1;
    found->rank = rank.rank;
    snprintf(found->how, sizeof found->how,
             "elimination in natural units, smallest singular value about %.2g", rank.separation);
    saddle_rank_clear(&rank);
    return SADDLE_OK;
}

saddle_status tool_facts_find(saddle_context *context, const saddle_problem *problem, int estimate,
                              tool_facts *facts)
{
    const int local = problem->n == 0;
    memset(facts, 0, sizeof *facts);
    facts->square = local ? "R" : "M";
    facts->ranked = local ? "R" : "J";
    measure(problem, facts);
    saddle_status status = saddle_matrix_asymmetry(context, &problem->M, &facts->asymmetry_M);
    if (status == SADDLE_OK)
        status = saddle_matrix_asymmetry(context, &problem->R, &facts->asymmetry_R);
    if (status == SADDLE_OK) status = find_components(context, problem, 0, &facts->mass);
    if (status == SADDLE_OK) status = find_components(context, problem, 1, &facts->system);
    facts->estimated = estimate;
    if (status == SADDLE_OK && estimate)
        status = find_definiteness(context, local ? &problem->R : &problem->M,
                                   local ? &facts->system : &facts->mass, &facts->definiteness);
    if (status == SADDLE_OK && estimate)
        status = find_rank(context, problem, &facts->system, &facts->rank);
    return status;
}

void tool_facts_clear(tool_facts *facts)
{
    components_clear(&facts->mass);
    components_clear(&facts->system);
}

const char *tool_definiteness_word(const tool_facts *facts)
{
    const tool_definiteness *found = &facts->definiteness;
    if (!facts->estimated || !found->known) return "unknown";
    if (facts->n + facts->m == 0) return "empty";
    if (found->positive > 0 && found->negative > 0) return "indefinite";
    if (found->negative > 0) return found->zero > 0 ? "negative semidefinite" : "negative definite";
    if (found->positive > 0) return found->zero > 0 ? "positive semidefinite" : "positive definite";
    return "zero";
}
