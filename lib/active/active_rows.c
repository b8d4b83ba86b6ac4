/* SPDX-License-Identifier: MIT */
/* The object and its memory.  See active_rows.h. */
#include <string.h>

#include "active/active_internal.h"
#include "base/tolerances.h"
#include "ldlt/costs.h"

void saddle__active_rows_free(saddle__active_rows *A)
{
    if (!A) return;
    saddle__kkt_clear(&A->kkt);
    saddle__ldlt_free(A->F);
    saddle__layout_clear(A->context, &A->layout);
    saddle_release(A->context, A);
}

/* ---- create ---- */

static int64_t widest_front(const saddle__ldlt *F)
{
    int64_t widest = 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t rows = F->first[s + 1] - F->first[s] + F->row_start[s + 1] - F->row_start[s];
        if (rows > widest) widest = rows;
    }
    return widest;
}

/* entries: of J, and of both triangles of R. */
static void place(saddle__active_rows *A, int64_t entries, int64_t widest)
{
    saddle__layout *layout = &A->layout;
    int64_t m = A->m, size = A->size, supernodes = A->F->supernodes;
    A->toggles = saddle__layout_take(layout, m, sizeof(*A->toggles));
    A->in = saddle__layout_take(layout, m, sizeof(*A->in));
    A->base = saddle__layout_take(layout, m, sizeof(*A->base));
    A->before = saddle__layout_take(layout, m, sizeof(*A->before));
    A->leaves = saddle__layout_take(layout, m, sizeof(*A->leaves));
    A->masked = saddle__layout_take(layout, saddle_matrix_entries(&A->kkt.K), sizeof(*A->masked));
    A->row_start = saddle__layout_take(layout, m + 1, sizeof(*A->row_start));
    A->row_node = saddle__layout_take(layout, entries, sizeof(*A->row_node));
    A->row_entry = saddle__layout_take(layout, entries, sizeof(*A->row_entry));
    A->added = saddle__layout_take(layout, size, sizeof(*A->added));
    A->scale = saddle__layout_take(layout, size, sizeof(*A->scale));
    A->sign = saddle__layout_take(layout, size, sizeof(*A->sign));
    A->reach = saddle__layout_take(layout, supernodes, sizeof(*A->reach));
    A->path = saddle__layout_take(layout, supernodes, sizeof(*A->path));
    A->mark = saddle__layout_take(layout, supernodes, sizeof(*A->mark));
    A->x = saddle__layout_take(layout, size, sizeof(*A->x));
    A->front = saddle__layout_take(layout, widest, sizeof(*A->front));
    A->column = saddle__layout_take(layout, widest, sizeof(*A->column));
    A->rhs = saddle__layout_take(layout, 2 * size, sizeof(*A->rhs));
    A->correction = saddle__layout_take(layout, size, sizeof(*A->correction));
    A->modulus = saddle__layout_take(layout, size, sizeof(*A->modulus));
    A->sum = saddle__layout_take(layout, size, sizeof(*A->sum));
    A->best = saddle__layout_take(layout, size, sizeof(*A->best));
    A->norm = saddle__layout_take(layout, size, sizeof(*A->norm));
    A->unit = saddle__layout_take(layout, size, sizeof(*A->unit));
}

static saddle_status allocate(saddle__active_rows *A, const saddle_problem *problem)
{
    int64_t entries = saddle_matrix_entries(&problem->Jt) + 2 * saddle_matrix_entries(&problem->R);
    int64_t widest = widest_front(A->F);
    place(A, entries, widest);
    saddle_status status = saddle__layout_allocate(A->context, &A->layout);
    if (status == SADDLE_OK) place(A, entries, widest);
    return status;
}

/* Entries of K by rows n + i, from its lower triangle by columns: counted, then placed. */
static void place_entry(saddle__active_rows *A, int placing, int64_t node, int64_t other,
                        int64_t entry)
{
    int64_t row = node - A->n;
    if (row < 0) return;
    if (placing) {
        A->row_node[A->row_start[row]] = other;
        A->row_entry[A->row_start[row]++] = entry;
    } else {
        A->row_start[row + 1]++;
    }
}

static void walk_entries(saddle__active_rows *A, int placing)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            if (i == j) continue;
            place_entry(A, placing, i, j, k);
            place_entry(A, placing, j, i, k);
        }
    }
}

static void index_rows(saddle__active_rows *A)
{
    walk_entries(A, 0);
    for (int64_t i = 0; i < A->m; i++) A->row_start[i + 1] += A->row_start[i];
    walk_entries(A, 1); /* each start has moved to the end of its row */
    for (int64_t i = A->m; i > 0; i--) A->row_start[i] = A->row_start[i - 1];
    A->row_start[0] = 0;
}

/* Rows that toggle follow a velocity in the order unless every change factors K: a pivot equal to
 * the compliance alone would swamp the velocities' digits, and taking the row out would not restore
 * the digits. */
static saddle_status analyse(saddle__active_rows *A, const saddle__active_request *request)
{
    signed char *late = saddle_allocate(A->context, A->size, sizeof(*late));
    if (!late) return SADDLE_OUT_OF_MEMORY;
    if (request->late) memcpy(late, request->late, (size_t)A->size * sizeof(*late));
    for (int64_t i = 0; i < A->m && A->method != SADDLE__ACTIVE_MASK; i++)
        if ((!request->toggles || request->toggles[i]) && late[A->n + i] == SADDLE__ANY_TIME)
            late[A->n + i] = SADDLE__AFTER_OTHER_KIND;
    saddle__ldlt_request asked = {.ordering = request->ordering,
                                  .late = late,
                                  .threads = request->threads};
    saddle_status status = saddle__ldlt_analyse(A->context, &A->kkt.K, &asked, &A->F);
    saddle_release(A->context, late);
    return status;
}

/* counts.factor_time, solve_time */
static void foresee_times(saddle__active_rows *A)
{
    const saddle__ldlt *F = A->F;
    for (int64_t s = 0; s < F->supernodes; s++) {
        double k = (double)(F->first[s + 1] - F->first[s]);
        double u = (double)(F->row_start[s + 1] - F->row_start[s]);
        A->counts.factor_time += saddle__front_time(k, u);
        A->counts.solve_time += 2.0 * SADDLE__TIME_VISIT +
                                SADDLE__TIME_READ * 2.0 * saddle__front_entries(k, u);
    }
}

static saddle_status fill_in(saddle__active_rows *A, const saddle_problem *problem,
                             const saddle__active_request *request)
{
    saddle_status status = saddle__kkt_create(A->context, problem, 0, &A->kkt);
    if (status != SADDLE_OK) return status;
    if (A->kkt.K.symmetry != SADDLE_SYMMETRIC)
        return saddle_fail(A->context, SADDLE_UNSUPPORTED, "active rows: M or R is unsymmetric");
    A->size = A->n + A->m;
    status = analyse(A, request);
    if (status == SADDLE_OK) status = allocate(A, problem);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < A->m; i++) A->toggles[i] = !request->toggles || request->toggles[i];
    index_rows(A);
    foresee_times(A);
    return SADDLE_OK;
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
    A->tolerance = request->tolerance > 0.0 ? request->tolerance : SADDLE__PRODUCT_ROUNDING;
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

/* ---- state ---- */

const signed char *saddle__active_rows_set(const saddle__active_rows *A)
{
    return A->in;
}

saddle__active_counts saddle__active_rows_counts(const saddle__active_rows *A)
{
    return A->counts;
}
