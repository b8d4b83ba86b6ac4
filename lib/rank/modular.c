/* SPDX-License-Identifier: MIT */
/* See modular.h. */
#include "rank/modular.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"

enum { PRIME_BITS = 61 };
static const uint64_t prime = (UINT64_C(1) << PRIME_BITS) - 1;

/* ---- residues ---- */

__extension__ typedef unsigned __int128 wide;

static uint64_t multiply(uint64_t a, uint64_t b)
{
    const wide product = (wide)a * b;
    const uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> PRIME_BITS);
    return sum >= prime ? sum - prime : sum;
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + prime - b;
}

/* a^(p - 2) */
static uint64_t inverse(uint64_t a)
{
    uint64_t power = a, result = 1;
    for (uint64_t e = prime - 2; e > 0; e >>= 1) {
        if (e & 1) result = multiply(result, power);
        power = multiply(power, power);
    }
    return result;
}

/* 2^61 = 1 */
static uint64_t residue(double x)
{
    int exponent;
    const double fraction = frexp(fabs(x), &exponent);
    const uint64_t whole = (uint64_t)ldexp(fraction, 53);
    const int shift = ((exponent - 53) % PRIME_BITS + PRIME_BITS) % PRIME_BITS;
    const uint64_t value = multiply(whole, UINT64_C(1) << shift);
    return x < 0.0 && value > 0 ? prime - value : value;
}

/* ---- rows ---- */

typedef struct sparse_row {
    int64_t count, room;
    int64_t *column;
    uint64_t *value;
} sparse_row;

typedef struct column_rows { /* rows with an entry in the column, and some that lost it */
    int64_t count, room;
    int64_t *row;
} column_rows;

typedef struct elimination {
    saddle_context *context;
    int64_t rows, cols, work;
    sparse_row *row;
    column_rows *of;
    char *done;      /* rows: 1 = a pivot row, or empty */
    sparse_row made; /* the row that replaces another */
} elimination;

static void clear(elimination *e)
{
    for (int64_t i = 0; e->row && i < e->rows; i++)
        saddle__release_all(e->context, e->row[i].column, e->row[i].value);
    for (int64_t j = 0; e->of && j < e->cols; j++) saddle_release(e->context, e->of[j].row);
    saddle__release_all(e->context, e->row, e->of, e->done, e->made.column, e->made.value);
}

static saddle_status reserve(elimination *e, sparse_row *row, int64_t room)
{
    if (room <= row->room) return SADDLE_OK;
    room += room / 2 + 4;
    SADDLE__TRY(saddle__grow(e->context, &row->column, room, sizeof *row->column));
    SADDLE__TRY(saddle__grow(e->context, &row->value, room, sizeof *row->value));
    row->room = room;
    return SADDLE_OK;
}

static saddle_status note_row(elimination *e, int64_t j, int64_t i)
{
    column_rows *of = &e->of[j];
    if (of->count == of->room) {
        const int64_t room = 2 * of->room + 4;
        SADDLE__TRY(saddle__grow(e->context, &of->row, room, sizeof *of->row));
        of->room = room;
    }
    of->row[of->count++] = i;
    return SADDLE_OK;
}

static saddle_status append(elimination *e, int64_t i, int64_t j, double value)
{
    sparse_row *row = &e->row[i];
    if (!(fabs(value) > 0.0)) return SADDLE_OK;
    SADDLE__TRY(reserve(e, row, row->count + 1));
    row->column[row->count] = j;
    row->value[row->count++] = residue(value);
    return note_row(e, j, i);
}

/* Entries are in order of columns; of a symmetric A the entries left of the diagonal in row i,
 * equal to those above the diagonal in column i, come first. */
static saddle_status fill(elimination *e, const saddle_matrix *A)
{
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            SADDLE__TRY(append(e, A->index[k], j, A->value[k]));
    for (int64_t j = 0; A->symmetry == SADDLE_SYMMETRY_LOWER && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->index[k] != j) SADDLE__TRY(append(e, j, A->index[k], A->value[k]));
    return SADDLE_OK;
}

/* ---- elimination ---- */

static int64_t find(const sparse_row *row, int64_t column)
{
    int64_t low = 0, high = row->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (row->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row->count && row->column[low] == column ? low : -1;
}

/* Row i <- row i - factor row p, into made, then exchanged. */
static saddle_status combine(elimination *e, int64_t i, int64_t p, uint64_t factor)
{
    const sparse_row *a = &e->row[i], *b = &e->row[p];
    sparse_row *to = &e->made;
    int64_t at = 0, by = 0;
    SADDLE__TRY(reserve(e, to, a->count + b->count));
    to->count = 0;
    while (at < a->count || by < b->count) {
        const int64_t left = at < a->count ? a->column[at] : INT64_MAX;
        const int64_t right = by < b->count ? b->column[by] : INT64_MAX;
        const int64_t column = left < right ? left : right;
        uint64_t value = left == column ? a->value[at++] : 0;
        if (right == column) value = subtract(value, multiply(factor, b->value[by++]));
        if (left > right) SADDLE__TRY(note_row(e, column, i));
        if (value == 0) continue;
        to->column[to->count] = column;
        to->value[to->count++] = value;
    }
    e->work += at + by;
    const sparse_row other = e->row[i];
    e->row[i] = *to;
    *to = other;
    return SADDLE_OK;
}

/* The shortest row left; -1 = none. */
static int64_t shortest(elimination *e)
{
    int64_t best = -1;
    for (int64_t i = 0; i < e->rows; i++) {
        if (e->row[i].count == 0) e->done[i] = 1;
        if (!e->done[i] && (best < 0 || e->row[i].count < e->row[best].count)) best = i;
    }
    e->work += e->rows / 8;
    return best;
}

static saddle_status eliminate(elimination *e, int64_t p)
{
    const sparse_row *row = &e->row[p];
    int64_t pivot = 0;
    for (int64_t k = 1; k < row->count; k++)
        if (e->of[row->column[k]].count < e->of[row->column[pivot]].count) pivot = k;
    const int64_t column = row->column[pivot];
    const uint64_t reciprocal = inverse(row->value[pivot]);
    e->done[p] = 1;
    for (int64_t k = 0; k < e->of[column].count; k++) {
        const int64_t i = e->of[column].row[k];
        const int64_t at = e->done[i] ? -1 : find(&e->row[i], column);
        if (at < 0) continue;
        SADDLE__TRY(combine(e, i, p, multiply(e->row[i].value[at], reciprocal)));
    }
    return SADDLE_OK;
}

saddle_status saddle__rank_modular(saddle_context *context, const saddle_matrix *A, int64_t limit,
                                   int64_t *rank)
{
    elimination e = {.context = context, .rows = A->rows, .cols = A->cols};
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    e.row = saddle_allocate(context, e.rows, sizeof *e.row);
    e.of = saddle_allocate(context, e.cols, sizeof *e.of);
    e.done = saddle_allocate(context, e.rows, 1);
    if (e.row && e.of && e.done) status = saddle_matrix_entries(A) > 0 ? fill(&e, A) : SADDLE_OK;
    *rank = 0;
    for (int64_t p; status == SADDLE_OK && *rank >= 0 && (p = shortest(&e)) >= 0;) {
        status = eliminate(&e, p);
        *rank = e.work > limit ? -1 : *rank + 1;
    }
    clear(&e);
    return status;
}
