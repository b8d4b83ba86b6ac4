/* SPDX-License-Identifier: MIT */
/* Column i of W is J (M^-1 J_i') + R_i.  Its pattern follows from the sparse solve's; columns are taken in ascending order, so
 * that the entries of each row arrive sorted and the rows are filled from the left by a moving end. */
#include "gauss_seidel/form.h"

#include <string.h>

/* Adds `value` to row `row` of the present column. */
static int64_t touch(saddle__operator *W, int64_t count, int64_t col, int64_t row, double value)
{
    if (W->mark[row] != col) {
        W->mark[row] = col;
        W->column[row] = 0.0;
        W->touched[count++] = row;
    }
    W->column[row] += value;

    return count;
}

/* R(:, col): for a symmetric R its rows are its columns. */
static int64_t add_compliance(const saddle_problem *problem, saddle__operator *W, int64_t count, int64_t col)
{
    const saddle_matrix *R = &problem->R;
    if (saddle_matrix_entries(R) == 0) return count;
    int symmetric = R->symmetry == SADDLE_SYMMETRIC;
    const int64_t *start = symmetric ? W->R.start : R->start;
    for (int64_t k = start[col]; k < start[col + 1]; k++) {
        int64_t row = symmetric ? W->R.index[k] : R->index[k];
        count = touch(W, count, col, row, R->value[symmetric ? W->R.source[k] : k]);
    }
    return count;
}

/* W(:, col) into W->column at W->touched[0 .. *count); *solved: entries of T(:, col). */
static saddle_status take_column(const saddle_problem *problem, saddle__operator *W, int64_t col, int64_t *count,
                                 int64_t *solved)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t from = Jt->start ? Jt->start[col] : 0;
    int64_t length = Jt->start ? Jt->start[col + 1] - from : 0;
    int64_t x_count = 0;
    int64_t found = 0;
    if (length > 0) {
        const int64_t *x_index;
        const double *x;
        saddle_status status = saddle__factorization_solve_sparse(W->mass, length, Jt->index + from, Jt->value + from,
                                                                  &x_count, &x_index, &x);
        if (status != SADDLE_OK) return status;
        for (int64_t k = 0; k < x_count; k++) {
            int64_t velocity = x_index[k];
            for (int64_t l = W->Jt.start[velocity]; l < W->Jt.start[velocity + 1]; l++)
                found = touch(W, found, col, W->Jt.index[l], Jt->value[W->Jt.source[l]] * x[velocity]);
        }
    }
    *count = add_compliance(problem, W, found, col);
    *solved = x_count;

    return SADDLE_OK;
}

static void unmark(saddle__operator *W)
{
    for (int64_t i = 0; i < W->m; i++) W->mark[i] = -1;
}

/* Entries of each row of W into length; *columns: entries of T. */
static saddle_status count_entries(const saddle_problem *problem, saddle__operator *W, int64_t *length,
                                   int64_t *entries, int64_t *columns)
{
    unmark(W);
    *entries = 0;
    *columns = 0;
    for (int64_t col = 0; col < W->m; col++) {
        int64_t count;
        int64_t solved;
        saddle_status status = take_column(problem, W, col, &count, &solved);
        if (status != SADDLE_OK) return status;
        for (int64_t k = 0; k < count; k++) length[W->touched[k]]++;
        *entries += count;
        *columns += solved;
    }
    return SADDLE_OK;
}

saddle_status saddle__operator_decide(saddle_context *context, const saddle_problem *problem, saddle__operator *W)
{
    if (W->n == 0) {
        W->form = SADDLE__OPERATOR_FORMED;
        return SADDLE_OK;
    }
    int64_t entries = 0;
    int64_t columns = 0;
    int64_t *start = saddle_allocate(context, W->m + 1, sizeof *start);
    if (!start) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = count_entries(problem, W, start + 1, &entries, &columns);
    int64_t otherwise = columns + saddle_matrix_entries(&problem->Jt) + W->R.start[W->m];
    if (status != SADDLE_OK || entries > otherwise) {
        saddle_release(context, start);
        W->form = status == SADDLE_OK ? SADDLE__OPERATOR_FREE : SADDLE__OPERATOR_UNDECIDED;
        return status;
    }
    int64_t *index = saddle_allocate(context, entries + 1, sizeof *index);
    double *value = saddle_allocate(context, entries + 1, sizeof *value);
    if (!index || !value) {
        saddle_release(context, start);
        saddle_release(context, index);
        saddle_release(context, value);
        return SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i < W->m; i++) start[i + 1] += start[i];
    W->start = start;
    W->index = index;
    W->value = value;
    W->owns_pattern = 1;
    W->form = SADDLE__OPERATOR_FORMED;

    return SADDLE_OK;
}

saddle_status saddle__operator_form_values(const saddle_problem *problem, saddle__operator *W)
{
    unmark(W);
    memcpy(W->next, W->start, (size_t)W->m * sizeof *W->next);
    for (int64_t col = 0; col < W->m; col++) {
        int64_t count;
        int64_t solved;
        saddle_status status = take_column(problem, W, col, &count, &solved);
        if (status != SADDLE_OK) return status;
        for (int64_t k = 0; k < count; k++) {
            int64_t row = W->touched[k];
            W->index[W->next[row]] = col;
            W->value[W->next[row]] = W->column[row];
            W->next[row]++;
        }
    }
    return SADDLE_OK;
}
