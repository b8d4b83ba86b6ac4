/* SPDX-License-Identifier: MIT */
/* The object: made, given values, changed by the way that is asked for or cheapest.  See
 * active_rows.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "active/active_internal.h"

enum { CAPACITY = 64 };

static const double default_tolerance = 1e-13;
static const double most_doubt = 1e-9; /* relative error of the factor at which it is made anew */

void saddle__active_rows_free(saddle__active_rows *A)
{
    if (!A) return;
    saddle_context *context = A->context;
    saddle__border_clear(A);
    saddle__kkt_clear(&A->kkt);
    saddle__active_values_clear(A);
    if (A->part)
        saddle__part_free(A->part);
    else
        saddle__ldlt_free(A->F);
    void *blocks[] = {A->toggles,   A->in,         A->base,        A->before, A->leaves, A->masked,
                      A->row_start, A->row_node,   A->row_entry,   A->added,  A->scale,  A->sign,
                      A->reach,     A->path,       A->mark,        A->x,      A->front,  A->column,
                      A->rhs,       A->correction, A->modulus,     A->best,   A->norm,   A->unit,
                      A->sum,       A->cost.climb, A->cost.changed};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        saddle_release(context, blocks[i]);
    saddle_release(context, A);
}

/* ---- create ---- */

static saddle_status allocate_vectors(saddle__active_rows *A)
{
    saddle_context *context = A->context;
    A->toggles = saddle_allocate(context, A->m, sizeof(*A->toggles));
    A->in = saddle_allocate(context, A->m, sizeof(*A->in));
    A->base = saddle_allocate(context, A->m, sizeof(*A->base));
    A->before = saddle_allocate(context, A->m, sizeof(*A->before));
    A->leaves = saddle_allocate(context, A->m, sizeof(*A->leaves));
    A->added = saddle_allocate(context, A->size, sizeof(*A->added));
    A->scale = saddle_allocate(context, A->size, sizeof(*A->scale));
    A->sign = saddle_allocate(context, A->size, sizeof(*A->sign));
    A->x = saddle_allocate(context, A->size, sizeof(*A->x));
    A->rhs = saddle_allocate(context, A->size * SADDLE__LDLT_BLOCK, sizeof(*A->rhs));
    A->correction = saddle_allocate(context, A->size, sizeof(*A->correction));
    A->modulus = saddle_allocate(context, A->size, sizeof(*A->modulus));
    A->sum = saddle_allocate(context, A->n > 0 ? A->size : 0, sizeof(*A->sum));
    A->best = saddle_allocate(context, A->size, sizeof(*A->best));
    A->norm = saddle_allocate(context, A->size, sizeof(*A->norm));
    A->unit = saddle_allocate(context, A->size, sizeof(*A->unit));
    int made = A->toggles && A->in && A->base && A->before && A->leaves && A->added && A->scale &&
               A->sign && A->x && A->rhs && A->correction && A->modulus && A->sum && A->best &&
               A->norm && A->unit;
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Entries of K by rows n + i, from its lower triangle by columns: counted, then placed. */
static void place_entry(saddle__active_rows *A, int placing, int64_t *fill, int64_t node,
                        int64_t other, int64_t entry)
{
    int64_t row = node - A->n;
    if (row < 0) return;
    if (placing) {
        A->row_node[fill[row]] = other;
        A->row_entry[fill[row]++] = entry;
    } else {
        A->row_start[row + 1]++;
    }
}

static void walk_entries(saddle__active_rows *A, int placing, int64_t *fill)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            if (i == j) continue;
            place_entry(A, placing, fill, i, j, k);
            place_entry(A, placing, fill, j, i, k);
        }
    }
}

static saddle_status index_rows(saddle__active_rows *A)
{
    A->row_start = saddle_allocate(A->context, A->m + 1, sizeof(*A->row_start));
    int64_t *fill = saddle_allocate(A->context, A->m, sizeof(*fill));
    if (A->row_start && fill) {
        walk_entries(A, 0, NULL);
        for (int64_t i = 0; i < A->m; i++) {
            fill[i] = A->row_start[i];
            A->row_start[i + 1] += A->row_start[i];
        }
        A->row_node = saddle_allocate(A->context, A->row_start[A->m], sizeof(*A->row_node));
        A->row_entry = saddle_allocate(A->context, A->row_start[A->m], sizeof(*A->row_entry));
        if (A->row_node && A->row_entry) walk_entries(A, 1, fill);
    }
    saddle_release(A->context, fill);
    return A->row_node && A->row_entry ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Rows that toggle wait for a velocity unless K is factored at every change: a pivot that is only
 * their compliance would swamp the velocities', and taking the row out of the factor would lose
 * their digits. */
static saddle_status analyse(saddle__active_rows *A, const saddle__active_request *request)
{
    signed char *late = saddle_allocate(A->context, A->size, sizeof(*late));
    if (!late) return SADDLE_OUT_OF_MEMORY;
    if (request->late) memcpy(late, request->late, (size_t)A->size * sizeof(*late));
    int waits = A->method != SADDLE__ACTIVE_MASK;
    for (int64_t i = 0; i < A->m; i++)
        if (waits && A->toggles[i] && late[A->n + i] == SADDLE__ANY_TIME)
            late[A->n + i] = SADDLE__AFTER_OTHER_KIND;
    saddle__ldlt_request asked = {.ordering = request->ordering,
                                  .late = late,
                                  .threads = request->threads};
    int may_part = A->n == 0 &&
                   (A->method == SADDLE__ACTIVE_PICK || A->method == SADDLE__ACTIVE_MASK);
    saddle_status status = may_part ? saddle__part_create(A->context, &A->kkt.K, &asked, &A->part)
                                    : saddle__ldlt_analyse(A->context, &A->kkt.K, &asked, &A->F);
    if (A->part) A->F = saddle__part_whole(A->part);
    saddle_release(A->context, late);
    return status;
}

static saddle_status reserve_walks(saddle__active_rows *A)
{
    const saddle__ldlt *F = A->F;
    int64_t widest = 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t rows = F->first[s + 1] - F->first[s] + F->row_start[s + 1] - F->row_start[s];
        if (rows > widest) widest = rows;
    }
    A->reach = saddle_allocate(A->context, F->supernodes, sizeof(*A->reach));
    A->path = saddle_allocate(A->context, F->supernodes, sizeof(*A->path));
    A->mark = saddle_allocate(A->context, F->supernodes, sizeof(*A->mark));
    A->front = saddle_allocate(A->context, widest, sizeof(*A->front));
    A->column = saddle_allocate(A->context, widest, sizeof(*A->column));
    return A->reach && A->path && A->mark && A->front && A->column ? SADDLE_OK
                                                                   : SADDLE_OUT_OF_MEMORY;
}

static saddle_status fill_in(saddle__active_rows *A, const saddle_problem *problem,
                             const saddle__active_request *request)
{
    saddle_status status = saddle__kkt_create(A->context, problem, 0, &A->kkt);
    if (status != SADDLE_OK) return status;
    if (A->kkt.K.symmetry != SADDLE_SYMMETRIC)
        return saddle_fail(A->context, SADDLE_UNSUPPORTED, "active rows: M or R is unsymmetric");
    A->size = A->n + A->m;
    if (A->size > INT64_MAX / SADDLE__LDLT_BLOCK)
        return saddle_fail(A->context, SADDLE_TOO_LARGE, "n + m is too large");
    A->masked = saddle_allocate(A->context, saddle_matrix_entries(&A->kkt.K), sizeof(*A->masked));
    if (!A->masked) return SADDLE_OUT_OF_MEMORY;
    status = allocate_vectors(A);
    if (status != SADDLE_OK) return status;
    status = saddle__active_values_create(A);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < A->m; i++) A->toggles[i] = !request->toggles || request->toggles[i];
    status = index_rows(A);
    if (status == SADDLE_OK) status = analyse(A, request);
    if (status == SADDLE_OK) status = reserve_walks(A);
    if (status == SADDLE_OK) status = saddle__active_cost_create(A);
    if (status == SADDLE_OK)
        status = saddle__border_create(A, request->capacity > 0 ? request->capacity : CAPACITY);
    return status;
}

saddle_status saddle__active_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle__active_request *request,
                                         saddle__active_rows **active)
{
    *active = NULL;
    saddle__active_rows *A = saddle_allocate(context, 1, sizeof(*A));
    if (!A) return SADDLE_OUT_OF_MEMORY;
    A->context = context;
    A->method = request->method;
    A->tolerance = request->tolerance > 0.0 ? request->tolerance : default_tolerance;
    A->n = problem->n;
    A->m = problem->m;
    saddle_status status = fill_in(A, problem, request);
    if (status != SADDLE_OK) {
        saddle__active_rows_free(A);
        return status;
    }
    *active = A;
    return SADDLE_OK;
}

/* ---- factor ---- */

/* What is added to K, and the rule. */
static void set_rule(saddle__active_rows *A, const saddle__active_values *values)
{
    for (int64_t i = 0; i < A->size; i++) {
        A->added[i] = values->added ? values->added[i] : 0.0;
        A->scale[i] = values->rule.scale[i];
        A->sign[i] = values->rule.sign ? values->rule.sign[i] : 0;
    }
    A->massless = 0;
    A->regularized = 0;
    for (int64_t j = 0; j < A->n; j++) A->massless |= A->added[j] != 0.0;
    for (int64_t i = 0; i < A->size; i++) A->regularized |= A->added[i] != 0.0;
    A->definite = !A->regularized;
    for (int64_t i = 0; i < A->size; i++) A->definite &= A->sign[i] < 0;
    A->rule = values->rule;
    A->rule.scale = A->scale;
    A->rule.sign = A->sign;
}

void saddle__active_rows_set_values(saddle__active_rows *A, const saddle_problem *problem,
                                    const saddle__active_values *values)
{
    A->factored = 0;
    A->reached = 0.0;
    if (!values->shifted) set_rule(A, values);
    saddle__active_values_set(A, problem, values);
}

saddle_status saddle__active_rows_factor(saddle__active_rows *A, const saddle_problem *problem,
                                         const saddle__active_values *values, const signed char *in)
{
    if (values) saddle__active_rows_set_values(A, problem, values);
    for (int64_t i = 0; i < A->m; i++) {
        A->in[i] = !in || in[i] || !A->toggles[i];
        A->before[i] = 0;
    }
    return saddle__active_refactor(A, 0, NULL, 1);
}

/* ---- change ---- */

static saddle_status check_changes(const saddle__active_rows *A, int64_t count,
                                   saddle__active_change *changes)
{
    if (!A->factored)
        return saddle_fail(A->context, SADDLE_WRONG_PHASE, "active rows: change before factor");
    for (int64_t k = 0; k < count; k++) {
        int64_t row = changes[k].row;
        changes[k].refused = 0;
        if (row < 0 || row >= A->m)
            return saddle_fail(A->context, SADDLE_INVALID_ARGUMENT,
                               "active rows: there is no row %lld", (long long)row + 1);
        if (!A->toggles[row])
            return saddle_fail(A->context, SADDLE_INVALID_ARGUMENT,
                               "active rows: row %lld is not one that comes and goes",
                               (long long)row + 1);
    }
    return SADDLE_OK;
}

static int changes_anything(const saddle__active_rows *A, const saddle__active_change *change)
{
    return A->in[change->row] != (change->in != 0);
}

static saddle_status change_by_mask(saddle__active_rows *A, int64_t count,
                                    saddle__active_change *changes)
{
    memcpy(A->before, A->in, (size_t)A->m * sizeof(*A->before));
    for (int64_t k = 0; k < count; k++) A->in[changes[k].row] = changes[k].in != 0;
    return saddle__active_refactor(A, count, changes, 0);
}

static saddle_status change_by_border(saddle__active_rows *A, int64_t count,
                                      saddle__active_change *changes)
{
    for (int64_t k = 0; k < count; k++) {
        if (!changes_anything(A, &changes[k])) continue;
        saddle__bordered outcome = saddle__border_change(A, changes[k].row, changes[k].in != 0);
        if (outcome == SADDLE__BORDER_FULL) return change_by_mask(A, count - k, changes + k);
        changes[k].refused = outcome == SADDLE__BORDER_REFUSED;
        A->counts.refused += changes[k].refused;
        A->counts.bordered += !changes[k].refused;
    }
    return SADDLE_OK;
}

/* Rows of the border into the factor, or out of it.  0 = one was refused there: K has to be
 * factored. */
static int dissolve_border(saddle__active_rows *A)
{
    if (A->border.count == 0) return 1;
    saddle__border_empty(A);
    for (int64_t i = 0; i < A->m; i++)
        if (A->in[i] != A->base[i] && !saddle__active_modify(A, i, A->in[i])) return 0;
    return 1;
}

static saddle_status change_by_modifying(saddle__active_rows *A, int64_t count,
                                         saddle__active_change *changes)
{
    if (!dissolve_border(A)) return change_by_mask(A, count, changes);
    for (int64_t k = 0; k < count; k++) {
        if (!changes_anything(A, &changes[k])) continue;
        changes[k].refused = !saddle__active_modify(A, changes[k].row, changes[k].in != 0);
        A->counts.refused += changes[k].refused;
        A->counts.modified += !changes[k].refused;
        if (A->doubt <= most_doubt) continue;
        saddle_status status = saddle__active_renew(A);
        if (status != SADDLE_OK) return status;
    }
    return SADDLE_OK;
}

saddle_status saddle__active_rows_change(saddle__active_rows *A, int64_t count,
                                         saddle__active_change *changes, double solves)
{
    saddle_status status = check_changes(A, count, changes);
    if (status != SADDLE_OK) return status;
    int64_t effective = 0;
    for (int64_t k = 0; k < count; k++) effective += changes_anything(A, &changes[k]);
    if (effective == 0) return SADDLE_OK;
    saddle__active_method method = A->method;
    if (A->aside) method = SADDLE__ACTIVE_MASK;
    if (method == SADDLE__ACTIVE_PICK) method = saddle__active_pick(A, count, changes, solves);
    A->asked += effective;
    saddle__active_remember(A, count, changes);
    A->counts.method = method;
    switch (method) {
    case SADDLE__ACTIVE_BORDER: return change_by_border(A, count, changes);
    case SADDLE__ACTIVE_MODIFY: return change_by_modifying(A, count, changes);
    default: return change_by_mask(A, count, changes);
    }
}

const signed char *saddle__active_rows_set(const saddle__active_rows *A)
{
    return A->in;
}

saddle__part *saddle__active_rows_part(const saddle__active_rows *A)
{
    return A->factored && A->aside ? A->part : NULL;
}

saddle__active_compliance saddle__active_rows_compliance(const saddle__active_rows *A)
{
    saddle__active_compliance none = {NULL, NULL};
    saddle__active_compliance R = {&A->beside, A->own};
    return A->n > 0 ? none : R;
}

saddle__active_counts saddle__active_rows_counts(const saddle__active_rows *A)
{
    saddle__active_counts counts = A->counts;
    counts.border = A->border.count;
    counts.factor_time = A->cost.factor;
    counts.solve_time = A->cost.solve;
    return counts;
}
