/* SPDX-License-Identifier: MIT */
/* saddle info: sizes, structure and conditioning of a problem, without a solve.
 *
 * Definiteness and condition of M: eigenvalues of small diagonal blocks, else the signs of the
 * pivots of a sparse LDL' (Sylvester's law of inertia) with the solver's estimate of the condition
 * in the 1-norm.
 *
 * Components by union-find with path halving; the root of a set is its smallest node, so that
 * labels follow the nodes. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "dense/dense.h"
#include "matrix/matrix_internal.h"
#include "progress.h"
#include "spy.h"
#include "text.h"

/* Connected components of a graph given by matrix patterns, nodes 0 .. nodes-1; all-zero is fine to
 * clear. */
typedef struct component_set {
    saddle_context *context;
    int64_t nodes;
    int64_t count;   /* components, after numbering */
    int64_t largest; /* nodes of the largest component; smallest likewise, 0 = no component */
    int64_t smallest;
    int64_t *label; /* nodes: the component of each; before numbering the parent */
    int64_t *size;  /* count: nodes of each */
} component_set;

/* Definiteness and condition of M. */
typedef struct definiteness_facts {
    int known;                        /* 0: how says why not */
    int64_t positive, negative, zero; /* inertia of M, of (M + M')/2 where M is not symmetric */
    double smallest, largest;         /* eigenvalues; NaN where not known */
    double condition;                 /* ratio of the moduli of extreme eigenvalues, or an estimate
                                         in the 1-norm; NaN where not known */
    char how[120];
} definiteness_facts;

/* Moduli of the nonzero entries; 0 and 0 without entries. */
typedef struct interval {
    double least, most;
} interval;

/* Independent rows of J, or of R where n = 0. */
typedef struct rank_facts {
    int known; /* 0: how says why not */
    int64_t rank;
    char how[160];
} rank_facts;

typedef struct problem_facts {
    interval mu, mu_torsion, mu_rolling;                /* of the contacts */
    int64_t entries_M, entries_J, entries_R, entries_K; /* of whole matrices, not triangles */
    interval M, J, R, f, b;
    double asymmetry_M, asymmetry_R; /* max |a_ij - a_ji| / max |a_ij| */
    component_set mass, system;      /* blocks of M; islands of the whole */
    int estimated;                   /* 0: definiteness and rank were not asked for */
    const char *square, *ranked;     /* names of the matrices: "M" and "J", "R" and "R" if n = 0 */
    definiteness_facts definiteness; /* of the square one */
    rank_facts rank;                 /* of the ranked one */
} problem_facts;

/* ---- connected components ---- */

static void join(int64_t *parent, int64_t i, int64_t j)
{
    const int64_t a = saddle__root_of(parent, i), b = saddle__root_of(parent, j);
    parent[a < b ? b : a] = a < b ? a : b;
}

static void join_entries(component_set *components, const saddle_matrix *A, int64_t row,
                         int64_t col)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            join(components->label, row + A->index[k], col + j);
}

static saddle_status number(component_set *components)
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

static void components_clear(component_set *components)
{
    saddle__release_all(components->context, components->label, components->size);
    memset(components, 0, sizeof *components);
}

/* Of M alone, or of the whole system with its rows and contacts. */
static saddle_status find_components(saddle_context *context, const saddle_problem *problem,
                                     int of_system, component_set *components)
{
    const int64_t n = problem->n;
    *components = (component_set){.context = context, .nodes = of_system ? n + problem->m : n};
    components->label = saddle_allocate(context, components->nodes + 1, sizeof *components->label);
    if (!components->label) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < components->nodes; i++) components->label[i] = i;
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

static int is_cheap(const component_set *components)
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
    if (M->symmetry == SADDLE_SYMMETRY_LOWER) return saddle_matrix_copy(context, M, S);
    saddle_status status = saddle_matrix_transpose(context, M, &transpose);
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 0.5, M, 0.5, &transpose, &sum);
    if (status == SADDLE_OK) status = saddle_matrix_lower(context, &sum, S);
    saddle_matrix_clear(&sum);
    saddle_matrix_clear(&transpose);
    return status;
}

/* ---- definiteness by dense blocks ---- */

/* Nodes in the order of their components, node[nodes]; start[count + 1]: the first of each. */
static void list_nodes(const component_set *components, int64_t *node, int64_t *start)
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

static void count_signs(const double *eigenvalue, int64_t size, definiteness_facts *found)
{
    const double noise = noise_of(eigenvalue, size);
    found->zero += count_zeros(eigenvalue, size);
    for (int64_t i = 0; i < size; i++) found->positive += eigenvalue[i] > noise;
    for (int64_t i = 0; i < size; i++) found->negative += eigenvalue[i] < -noise;
}

static void take_range(const double *eigenvalue, int64_t size, definiteness_facts *found,
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
                               const component_set *components, definiteness_facts *found)
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
        found->condition = found->zero > 0 ? (double)INFINITY
                                           : fmax(fabs(found->smallest), fabs(found->largest)) /
                                                 smallest_modulus;
        snprintf(found->how, sizeof found->how, "eigenvalues of %s",
                 components->count > 1 ? "its blocks" : "the dense matrix");
    }
    saddle__release_all(context, node, start, local, block, eigenvalue);
    return status;
}

/* ---- definiteness by a sparse factorization ---- */

static saddle_status by_factorization(saddle_context *context, const saddle_matrix *S,
                                      definiteness_facts *found)
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
                                       const component_set *components, definiteness_facts *found)
{
    saddle_matrix S = {0};
    *found = (definiteness_facts){.smallest = (double)NAN,
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

/* ---- all facts ---- */

static interval range_of(const double *value, int64_t count)
{
    interval range = {(double)INFINITY, 0};
    for (int64_t k = 0; value && k < count; k++) {
        const double modulus = fabs(value[k]);
        if (!(modulus > 0)) continue;
        range.least = fmin(range.least, modulus);
        range.most = fmax(range.most, modulus);
    }
    if (!(range.most > 0)) range.least = 0;
    return range;
}

static void widen(interval *range, int is_first, double value)
{
    range->least = is_first ? value : fmin(range->least, value);
    range->most = fmax(range->most, value);
}

static void find_friction(const saddle_problem *problem, problem_facts *facts)
{
    for (int64_t c = 0; c < problem->contact_count; c++) {
        widen(&facts->mu, c == 0, problem->contacts[c].mu);
        widen(&facts->mu_torsion, c == 0, problem->contacts[c].mu_torsion);
        widen(&facts->mu_rolling, c == 0, problem->contacts[c].mu_rolling);
    }
}

/* Entries of the whole matrix: off-diagonal entries of a symmetric matrix count twice. */
static int64_t whole_entries(const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A), diagonal = 0;
    if (entries == 0 || A->symmetry != SADDLE_SYMMETRY_LOWER) return entries;
    for (int64_t j = 0; j < A->cols; j++)
        diagonal += A->start[j] < A->start[j + 1] && A->index[A->start[j]] == j;
    return 2 * entries - diagonal;
}

static void measure(const saddle_problem *problem, problem_facts *facts)
{
    find_friction(problem, facts);
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

static saddle_status find_rank(saddle_context *context, const saddle_problem *problem,
                               const component_set *system, rank_facts *found)
{
    const double size = (double)system->largest;
    if (problem->n == 0 && system->largest > DENSE_AT_MOST &&
        (double)saddle_matrix_entries(&problem->R) > DENSE_SHARE * size * size) {
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

/* estimate: 0 leaves out factorizations. */
static saddle_status find_facts(saddle_context *context, const saddle_problem *problem,
                                int estimate, problem_facts *facts)
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

/* "positive definite", "indefinite", ... or "unknown" */
static const char *definiteness_word(const problem_facts *facts)
{
    const definiteness_facts *found = &facts->definiteness;
    if (!facts->estimated || !found->known) return "unknown";
    if (facts->system.nodes == 0) return "empty";
    if (found->positive > 0 && found->negative > 0) return "indefinite";
    if (found->negative > 0) return found->zero > 0 ? "negative semidefinite" : "negative definite";
    if (found->positive > 0) return found->zero > 0 ? "positive semidefinite" : "positive definite";
    return "zero";
}

/* ---- the request ---- */

/* --rank and its like */
typedef struct rank_request {
    int wanted;    /* the report is asked for */
    int all_rows;  /* bounded rows and contacts too */
    int rigid;     /* compliance is ignored */
    int all_lines; /* every dependency, not the first few */
} rank_request;

typedef struct info_request {
    const char *spy;
    int json, quick;
    tool_input input;
    tool_friction friction;
    rank_request rank;
} info_request;

typedef struct info_work {
    saddle_context *context;  /* the session's */
    const tool_problem *read; /* the session's */
    problem_facts facts;
    saddle_rank rank;
} info_work;

/* ---- dependent rows ---- */

enum { LINE_SIZE = 2000 };

static int wants_rank(const rank_request *request)
{
    return request->wanted || request->all_rows || request->rigid || request->all_lines;
}

static void print_line(const saddle_problem *problem, const rank_request *request,
                       const saddle_dependency *d)
{
    char line[LINE_SIZE];
    saddle_rank_describe(problem, d, request->all_lines ? 0 : 8, line, sizeof line);
    printf("%s %s", d->inconsistent ? "contradicts" : "redundant  ", tool_text_shown(line).text);
    if (d->inconsistent)
        printf("   b differs by %.6g (%.2g of its terms)", d->gap, d->relative_gap);
    printf("\n");
}

static void print_dependencies(const saddle_problem *problem, const rank_request *request,
                               const saddle_rank *rank)
{
    printf("dependence  %lld of %lld %srows%s are independent, %lld redundant",
           (long long)rank->rank, (long long)rank->examined, request->all_rows ? "" : "equality ",
           request->rigid ? " of J" : " of [J R]",
           (long long)(rank->dependency_count - rank->inconsistent));
    if (rank->inconsistent > 0) printf(", %lld contradictory", (long long)rank->inconsistent);
    if (rank->rank > 0) printf(" [smallest singular value about %.2g]", rank->separation);
    printf("\n");
    int64_t shown = 0;
    for (int inconsistent = 1; inconsistent >= 0; inconsistent--) {
        for (int64_t t = 0; t < rank->dependency_count; t++) {
            if (rank->dependency[t].inconsistent != inconsistent) continue;
            if (shown == 20 && !request->all_lines) break;
            print_line(problem, request, &rank->dependency[t]);
            shown++;
        }
    }
    if (shown < rank->dependency_count)
        printf("            and %lld more: --all-lines\n",
               (long long)(rank->dependency_count - shown));
}

static json_t *dependency_to_json(const saddle_problem *problem, const saddle_dependency *d)
{
    json_t *terms = json_array();
    for (int64_t k = 0; k < d->count; k++)
        json_array_append_new(terms,
                              json_pack("[I, f]", (json_int_t)(d->other[k] + 1), d->factor[k]));
    const char *name = problem->row_name ? problem->row_name[d->row] : NULL;
    return json_pack("{s:I, s:I, s:o, s:o, s:f, s:o, s:f, s:b, s:b}", "row",
                     (json_int_t)(d->row + 1), "id",
                     (json_int_t)saddle_problem_row_id(problem, d->row), "name",
                     name ? tool_json_text(name) : json_null(), "terms", terms, "residual",
                     d->residual, "gap", tool_json_number(d->gap), "relative_gap", d->relative_gap,
                     "judged", d->judged, "inconsistent", d->inconsistent);
}

/* {examined, rank, separation, ordered, inconsistent, dependencies: [{row, id, name, terms: [[row,
 * factor], ..], residual, gap, relative_gap, judged, inconsistent}, ..]}; rows one-based. */
static json_t *dependencies_to_json(const saddle_problem *problem, const saddle_rank *rank)
{
    json_t *list = json_array();
    for (int64_t t = 0; t < rank->dependency_count; t++)
        json_array_append_new(list, dependency_to_json(problem, &rank->dependency[t]));
    return json_pack("{s:I, s:I, s:f, s:b, s:I, s:o}", "examined", (json_int_t)rank->examined,
                     "rank", (json_int_t)rank->rank, "separation", rank->separation, "ordered",
                     rank->ordered, "inconsistent", (json_int_t)rank->inconsistent, "dependencies",
                     list);
}

/* ---- as text ---- */

/* Before an item of a line, of which `items` are there already. */
static void print_name(const char *what, int *items)
{
    printf("%s%s", (*items)++ > 0 ? "   " : "", what);
}

static void print_range(const char *what, interval range, int *items)
{
    if (!(range.most > 0)) return;
    print_name(what, items);
    printf(" %.3g .. %.3g", range.least, range.most);
}

static void print_symmetry(const char *what, const saddle_matrix *A, double asymmetry, int *items)
{
    if (saddle_matrix_entries(A) == 0) return;
    print_name(what, items);
    if (A->symmetry == SADDLE_SYMMETRY_LOWER)
        printf(" symmetric as claimed (one triangle is stored)");
    else
        printf(" not claimed, asymmetry %.2g", asymmetry);
}

static void print_components(const char *what, const char *one, const component_set *found,
                             int *items)
{
    print_name(what, items);
    printf(": %lld %s%s", (long long)found->count, one, found->count == 1 ? "" : "s");
    if (found->count > 0 && found->largest == found->smallest)
        printf(" of %lld", (long long)found->largest);
    else if (found->count > 0)
        printf(" of %lld to %lld", (long long)found->smallest, (long long)found->largest);
}

/* Rows and sizes are those of the whole problem, with attachments as rows. */
static void count_states(const saddle_attachments *graph, int64_t state[4])
{
    for (int64_t c = 0; c < saddle_attachments_count(graph); c++)
        state[saddle_attachments_component(graph, c).state]++;
}

static void print_attachments(const tool_problem *read)
{
    int64_t state[4] = {0};
    count_states(read->attachments, state);
    printf("components  %lld: %lld active, %lld attached, %lld attached in part, %lld prescribed\n",
           (long long)saddle_attachments_count(read->attachments),
           (long long)state[SADDLE_COMPONENT_STATE_ACTIVE],
           (long long)state[SADDLE_COMPONENT_STATE_ATTACHED],
           (long long)state[SADDLE_COMPONENT_STATE_PARTLY],
           (long long)state[SADDLE_COMPONENT_STATE_PARAMETRIC]);
    printf("attached    %lld of the rows keep attachments and prescribed velocities; saddle reduce "
           "eliminates them\n",
           (long long)(read->problem.m - read->unreduced.m));
}

static void print_problem(const info_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    const problem_facts *facts = &work->facts;
    printf("name        %s\n", tool_text_shown(work->read->name).text);
    if (problem->source && problem->source[0])
        printf("source      %s\n", tool_text_shown(problem->source).text);
    printf("format      %s\n", saddle_format_word(work->read->format));
    printf("size        n = %lld velocities, m = %lld rows\n", (long long)problem->n,
           (long long)problem->m);
    tool_rhs_print(work->read);
    if (problem->m > 0) printf("rows        %s\n", tool_text_rows(problem).text + 2);
    if (problem->contact_count > 0) {
        printf("friction    %s", saddle_law_word(problem->law));
        if (problem->law == SADDLE_LAW_PYRAMID)
            printf(", %lld facets", (long long)saddle_problem_facets(problem));
        printf(", mu %.3g .. %.3g", facts->mu.least, facts->mu.most);
        if (facts->mu_torsion.most > 0)
            printf(", torsion %.3g .. %.3g m", facts->mu_torsion.least, facts->mu_torsion.most);
        if (facts->mu_rolling.most > 0)
            printf(", rolling %.3g .. %.3g m", facts->mu_rolling.least, facts->mu_rolling.most);
        printf("\n");
    }
    if (work->read->attachments)
        print_attachments(work->read);
    else if (problem->component_count > 0)
        printf("components  %lld named\n", (long long)problem->component_count);
    if (problem->time_step > 0) printf("time step   %g s\n", problem->time_step);
}

static void print_estimates(const saddle_problem *problem, const problem_facts *facts)
{
    const definiteness_facts *found = &facts->definiteness;
    printf("definite    %s is %s", facts->square, definiteness_word(facts));
    if (found->known)
        printf(" (%lld positive, %lld negative, %lld zero)", (long long)found->positive,
               (long long)found->negative, (long long)found->zero);
    if (isfinite(found->smallest))
        printf(", eigenvalues %.3g .. %.3g", found->smallest, found->largest);
    if (!isnan(found->condition)) printf(", condition %.2g", found->condition);
    printf(" [%s]\n", found->how);
    if (problem->m == 0) return;
    if (facts->rank.known)
        printf("rank        %s has %lld independent rows of %lld [%s]\n", facts->ranked,
               (long long)facts->rank.rank, (long long)problem->m, facts->rank.how);
    else
        printf("rank        of %s not known [%s]\n", facts->ranked, facts->rank.how);
}

static void print_text(const info_request *request, const info_work *work)
{
    const problem_facts *facts = &work->facts;
    const saddle_problem *problem = &work->read->problem;
    print_problem(work);
    printf("entries     M %lld   J %lld   R %lld   K = [M J'; J -R] %lld\n",
           (long long)facts->entries_M, (long long)facts->entries_J, (long long)facts->entries_R,
           (long long)facts->entries_K);
    int items[3] = {0};
    printf("magnitudes  ");
    print_range("M", facts->M, &items[0]);
    print_range("J", facts->J, &items[0]);
    print_range("R", facts->R, &items[0]);
    print_range("f", facts->f, &items[0]);
    print_range("b", facts->b, &items[0]);
    printf("\nsymmetry    ");
    print_symmetry("M", &problem->M, facts->asymmetry_M, &items[1]);
    print_symmetry("R", &problem->R, facts->asymmetry_R, &items[1]);
    printf("\nstructure   ");
    if (problem->n > 0) print_components("M", "diagonal block", &facts->mass, &items[2]);
    print_components("system", "island", &facts->system, &items[2]);
    printf("\n");
    if (facts->estimated) print_estimates(problem, facts);
    if (wants_rank(&request->rank)) print_dependencies(problem, &request->rank, &work->rank);
    if (request->spy) printf("picture     %s\n", tool_text_shown(request->spy).text);
}

/* ---- as JSON ---- */

static void attachments_to_json(const tool_problem *read, json_t *object)
{
    int64_t state[4] = {0};
    count_states(read->attachments, state);
    json_object_set_new(object, "attachments",
                        json_pack("{s:I, s:I, s:I, s:I, s:I}", "active",
                                  (json_int_t)state[SADDLE_COMPONENT_STATE_ACTIVE], "attached",
                                  (json_int_t)state[SADDLE_COMPONENT_STATE_ATTACHED], "in_part",
                                  (json_int_t)state[SADDLE_COMPONENT_STATE_PARTLY], "prescribed",
                                  (json_int_t)state[SADDLE_COMPONENT_STATE_PARAMETRIC], "rows",
                                  (json_int_t)(read->problem.m - read->unreduced.m)));
}

static json_t *range_to_json(interval range)
{
    return json_pack("[o, o]", tool_json_number(range.least), tool_json_number(range.most));
}

static json_t *components_to_json(const component_set *found)
{
    return json_pack("{s:I, s:I, s:I}", "count", (json_int_t)found->count, "smallest",
                     (json_int_t)found->smallest, "largest", (json_int_t)found->largest);
}

static json_t *estimates_to_json(const problem_facts *facts)
{
    const definiteness_facts *found = &facts->definiteness;
    json_t *definiteness = json_pack("{s:s, s:s, s:I, s:I, s:I, s:s}", "matrix", facts->square,
                                     "kind", definiteness_word(facts), "positive",
                                     (json_int_t)found->positive, "negative",
                                     (json_int_t)found->negative, "zero", (json_int_t)found->zero,
                                     "how", found->how);
    json_object_set_new(definiteness, "smallest_eigenvalue", tool_json_number(found->smallest));
    json_object_set_new(definiteness, "largest_eigenvalue", tool_json_number(found->largest));
    json_object_set_new(definiteness, "condition", tool_json_number(found->condition));
    return json_pack("{s:o, s:{s:s, s:o, s:s}}", "definiteness", definiteness, "rank", "matrix",
                     facts->ranked, "rank",
                     facts->rank.known ? json_integer((json_int_t)facts->rank.rank) : json_null(),
                     "how", facts->rank.how);
}

static json_t *rows_to_json(const saddle_problem *problem, const problem_facts *facts)
{
    const saddle_row_counts rows = saddle_problem_count_rows(problem);
    return json_pack("{s:I, s:I, s:I, s:I, s:s, s:I, s:o, s:o, s:o}", "equality",
                     (json_int_t)rows.equality, "unilateral", (json_int_t)rows.unilateral, "box",
                     (json_int_t)rows.box, "contact", (json_int_t)rows.contact, "law",
                     saddle_law_word(problem->law), "facets",
                     (json_int_t)saddle_problem_facets(problem), "mu", range_to_json(facts->mu),
                     "mu_torsion", range_to_json(facts->mu_torsion), "mu_rolling",
                     range_to_json(facts->mu_rolling));
}

static saddle_status print_json(const info_request *request, const info_work *work)
{
    const problem_facts *facts = &work->facts;
    const saddle_problem *problem = &work->read->problem;
    json_t *object = json_pack(
        "{s:o, s:o, s:s, s:I, s:I, s:I, s:o, s:{s:I, s:I, s:I, s:I}, s:{s:o, s:o, s:o, s:o, s:o}, "
        "s:{s:b, "
        "s:f, s:b, s:f}, "
        "s:o, s:o}",
        "name", tool_json_text(work->read->name), "source", tool_json_text(problem->source),
        "format", saddle_format_word(work->read->format), "n", (json_int_t)problem->n, "m",
        (json_int_t)problem->m, "contacts", (json_int_t)problem->contact_count, "rows",
        rows_to_json(problem, facts), "entries", "M", (json_int_t)facts->entries_M, "J",
        (json_int_t)facts->entries_J, "R", (json_int_t)facts->entries_R, "K",
        (json_int_t)facts->entries_K, "magnitudes", "M", range_to_json(facts->M), "J",
        range_to_json(facts->J), "R", range_to_json(facts->R), "f", range_to_json(facts->f), "b",
        range_to_json(facts->b), "symmetry", "M_claimed",
        problem->M.symmetry == SADDLE_SYMMETRY_LOWER, "M_asymmetry", facts->asymmetry_M,
        "R_claimed", problem->R.symmetry == SADDLE_SYMMETRY_LOWER, "R_asymmetry",
        facts->asymmetry_R, "blocks_of_M", components_to_json(&facts->mass), "islands",
        components_to_json(&facts->system));
    if (object) tool_rhs_to_json(work->read, object);
    if (object && work->read->attachments) attachments_to_json(work->read, object);
    if (object && facts->estimated) {
        json_t *estimates = estimates_to_json(facts);
        json_object_update(object, estimates);
        json_decref(estimates);
    }
    if (object && wants_rank(&request->rank))
        json_object_set_new(object, "dependence", dependencies_to_json(problem, &work->rank));
    return tool_json_print(work->context, object);
}

/* ---- the verb ---- */

static saddle_status inform(const info_request *request, info_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    tool_progress_phase("measure");
    saddle_status status = find_facts(work->context, problem, !request->quick, &work->facts);
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = request->rank.all_rows;
    options.ignore_compliance = request->rank.rigid;
    if (status == SADDLE_OK && wants_rank(&request->rank))
        status = saddle_rank_find(work->context, problem, &options, &work->rank);
    if (status == SADDLE_OK && request->spy)
        status = tool_spy_write(work->context, problem, request->spy);
    if (status) return status;
    tool_progress_erase();
    if (request->json) return print_json(request, work);
    print_text(request, work);
    return SADDLE_OK;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const info_request *request = given;
    saddle_status status = tool_session_open(session, &request->input);
    if (status == SADDLE_OK && request->spy)
        status = tool_spy_check(session->context, request->spy);
    if (status == SADDLE_OK)
        status = tool_session_read(session, argument[0], &request->input, &request->friction);
    if (status) return status;
    info_work work = {.context = session->context, .read = &session->read};
    status = inform(request, &work);
    components_clear(&work.facts.mass);
    components_clear(&work.facts.system);
    saddle_rank_clear(&work.rank);
    return status;
}

static const tool_option own_options[] = {
    {"spy", TOOL_TEXT, offsetof(info_request, spy), "FILE",
     .help = "picture of [M J'; J -R], .png or .svg"},
    {"json", TOOL_FLAG, offsetof(info_request, json), .help = "print one JSON object"},
    {"quick", TOOL_FLAG, offsetof(info_request, quick),
     .help = "leave out definiteness, condition and rank"},
    {.name = NULL},
};

static const tool_option rank_options[] = {
    {"rank", TOOL_FLAG, offsetof(rank_request, wanted),
     .help = "name the rows that depend on others, and contradictions"},
    {"all-rows", TOOL_FLAG, offsetof(rank_request, all_rows),
     .help = "the same with bounded rows and contacts, as if equalities"},
    {"rigid", TOOL_FLAG, offsetof(rank_request, rigid), .help = "the same without compliance"},
    {"all-lines", TOOL_FLAG, offsetof(rank_request, all_lines),
     .help = "every dependent row, not the first 20"},
    {.name = NULL},
};

const tool_verb tool_verb_info = {
    .name = "info",
    .arguments = "PROBLEM",
    .summary = "sizes, rows, structure, definiteness and rank of a problem",
    .request_size = sizeof(info_request),
    .groups = {{"Options", 0, own_options},
               {"Dependent rows", offsetof(info_request, rank), rank_options},
               {"Friction", offsetof(info_request, friction), tool_friction_options},
               {"Input", offsetof(info_request, input), tool_input_options}},
    .run = run,
    .notes = "Definiteness is exact up to rounding where blocks are small, else an estimate; [..]\n"
             "states which.  In the picture M is blue, J red, R green; in a large system darker\n"
             "cells hold more entries.\n\n"
             "Examples:\n"
             "  saddle info data/chain\n"
             "  saddle info data/loop --rank\n"
             "  saddle info data/hex-block --spy pattern.png\n",
};
