/* SPDX-License-Identifier: MIT */
/* Columns of W by the factor of A, see columns.h: sixteen rows that enter together share one solve
 * with sparse right-hand sides, whose cost is some four solves' of one (L is read once for all). */
#include <string.h>

#include "pivot/columns.h"

/* How many columns of a block take the time of one by itself. */
static const double gain_of_block = 4.0;

/* Right-hand sides in the source's index and value. */
typedef struct column_block {
    int64_t columns;
    int64_t place[SADDLE__FACTOR_BLOCK]; /* in C */
    int64_t start[SADDLE__FACTOR_BLOCK + 1];
} column_block;

/* (J_i', -R_E,i) of C's row c behind the columns of the block so far.  0: there is no room. */
static int load_column(saddle__column_source *s, column_block *block, int64_t c)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    const saddle_matrix *R = &s->problem->R;
    int64_t i = s->row[c];
    int yields = saddle_matrix_entries(R) > 0 && s->equations > 0;
    int64_t from = saddle_matrix_entries(Jt) > 0 ? Jt->start[i] : 0;
    int64_t length = saddle_matrix_entries(Jt) > 0 ? Jt->start[i + 1] - from : 0;
    int64_t count = block->start[block->columns];
    int64_t most = length + (yields ? s->equations : 0);
    if (block->columns == SADDLE__FACTOR_BLOCK ||
        (block->columns > 0 && count + most > s->n + s->m))
        return 0;
    for (int64_t k = from; k < from + length; k++) {
        s->index[count] = Jt->index[k];
        s->value[count++] = Jt->value[k];
    }
    if (yields) {
        s->u[i] = 1.0;
        saddle_matrix_apply(R, -1.0, s->u, 0.0, s->y);
        s->u[i] = 0.0;
    }
    for (int64_t k = 0; yields && k < s->equations; k++) {
        double entry = s->y[s->row[s->count + k]];
        if (entry == 0.0) continue;
        s->index[count] = s->n + k;
        s->value[count++] = entry;
    }
    block->place[block->columns++] = c;
    block->start[block->columns] = count;
    return 1;
}

/* R_C u of the block's column q, u from what the equations do; to W's column. */
static void yield_column(saddle__column_source *s, const column_block *block, int64_t q)
{
    const saddle_matrix *R = &s->problem->R;
    double *column = s->pool + block->place[q] * s->count;
    if (saddle_matrix_entries(R) == 0) {
        memset(column, 0, (size_t)s->count * sizeof(*column));
        return;
    }
    int64_t i = s->row[block->place[q]];
    for (int64_t k = 0; k < s->equations; k++)
        s->u[s->row[s->count + k]] = -s->Z[(s->n + k) * block->columns + q];
    s->u[i] = 1.0;
    saddle_matrix_apply(R, 1.0, s->u, 0.0, s->y);
    for (int64_t c = 0; c < s->count; c++) column[c] = s->y[s->row[c]];
    for (int64_t k = 0; k < s->equations; k++) s->u[s->row[s->count + k]] = 0.0;
    s->u[i] = 0.0;
}

/* W's columns += J_C Z */
static void add_velocities(saddle__column_source *s, const column_block *block)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    int64_t columns = block->columns;
    for (int64_t c = 0; saddle_matrix_entries(Jt) > 0 && c < s->count; c++) {
        int64_t i = s->row[c];
        double sum[SADDLE__FACTOR_BLOCK] = {0.0};
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            const double *z = s->Z + Jt->index[k] * columns;
            for (int64_t q = 0; q < columns; q++) sum[q] += Jt->value[k] * z[q];
        }
        for (int64_t q = 0; q < columns; q++) s->pool[c + block->place[q] * s->count] += sum[q];
    }
}

static saddle_status compute_block(saddle__column_source *s, const column_block *block)
{
    int64_t reached = 0;
    const int64_t *where = NULL;
    saddle_status status = saddle__factorization_solve_block(s->factors, block->columns,
                                                             block->start, s->index, s->value,
                                                             &reached, &where, s->Z);
    if (status == SADDLE_OK) {
        for (int64_t q = 0; q < block->columns; q++) yield_column(s, block, q);
        add_velocities(s, block);
    }
    for (int64_t k = 0; k < reached; k++)
        memset(s->Z + where[k] * block->columns, 0, (size_t)block->columns * sizeof(*s->Z));
    for (int64_t q = 0; status == SADDLE_OK && q < block->columns; q++)
        s->ready[block->place[q]] = 1;
    s->computed += status == SADDLE_OK ? block->columns : 0;
    s->blocks += status == SADDLE_OK;
    return status;
}

/* Whether columns together are less work than one by one: all of them visit what any of them
 * reaches. */
static int belong_together(saddle__column_source *s, const column_block *block)
{
    double apart = 0.0;
    double all = (double)saddle__factorization_reach(s->factors, block->start[block->columns],
                                                     s->index);
    for (int64_t q = 0; q < block->columns; q++)
        apart += (double)saddle__factorization_reach(s->factors,
                                                     block->start[q + 1] - block->start[q],
                                                     s->index + block->start[q]);
    return block->columns == 1 || gain_of_block * apart >= (double)block->columns * all;
}

static saddle_status compute_one(saddle__column_source *s, int64_t c)
{
    column_block block = {0};
    (void)load_column(s, &block, c);
    return compute_block(s, &block);
}

saddle_status saddle__columns_compute(saddle__column_source *s, int64_t count, const int64_t *place)
{
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < count;) {
        column_block block = {0};
        if (k > 0 && s->asked.stop) status = s->asked.stop(s->asked.user);
        if (status != SADDLE_OK) return status;
        for (; k < count && (s->ready[place[k]] || load_column(s, &block, place[k])); k++) continue;
        if (block.columns == 0) break;
        if (belong_together(s, &block)) {
            status = compute_block(s, &block);
            continue;
        }
        for (int64_t q = 0; status == SADDLE_OK && q < block.columns; q++)
            status = compute_one(s, block.place[q]);
    }
    return status;
}
