/* SPDX-License-Identifier: MIT */
/* See revised.h. */
#include "lemke/revised.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 }; /* elementary matrices */

static const double singular = 1e-13; /* least over largest pivot of a basis */
static const double allowed = 1e-10;  /* residual of a column, over its largest entries */

saddle_status saddle__revised_create(saddle_context *context, int64_t most, int64_t entries,
                                     saddle__revised *s)
{
    s->context = context;
    s->entries = entries + 2 * most;
    s->room = (int64_t)MOST * most;
    s->d = saddle_allocate(context, most + 1, sizeof *s->d);
    s->basic = saddle_allocate(context, most + 1, sizeof *s->basic);
    s->left = saddle_allocate(context, most + 1, sizeof *s->left);
    s->row_value = saddle_allocate(context, SADDLE__REVISED_ROWS * most + 1, sizeof *s->row_value);
    s->change_start = saddle_allocate(context, MOST + 1, sizeof *s->change_start);
    s->change_row = saddle_allocate(context, MOST, sizeof *s->change_row);
    s->change_pivot = saddle_allocate(context, MOST, sizeof *s->change_pivot);
    s->change_index = saddle_allocate(context, s->room + 1, sizeof *s->change_index);
    s->change_value = saddle_allocate(context, s->room + 1, sizeof *s->change_value);
    s->B.start = saddle_allocate(context, most + 1, sizeof *s->B.start);
    s->B.index = saddle_allocate(context, s->entries + 1, sizeof *s->B.index);
    s->B.value = saddle_allocate(context, s->entries + 1, sizeof *s->B.value);
    int whole = s->d && s->basic && s->left && s->row_value && s->change_start && s->change_row &&
                s->change_pivot && s->change_index && s->change_value && s->B.start && s->B.index &&
                s->B.value;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__revised_clear(saddle_context *context, saddle__revised *s)
{
    void *blocks[] = {
        s->d,          s->basic,        s->left,         s->row_value,    s->change_start,
        s->change_row, s->change_pivot, s->change_index, s->change_value, s->B.start,
        s->B.index,    s->B.value};
    saddle__factorization_free(s->factors);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(s, 0, sizeof *s);
}

/* ---- columns ---- */

/* Column k of A is there.  0: status. */
static int fetch(saddle__revised *s, int64_t variable)
{
    if (variable >= s->size || s->A.begin[variable] >= 0) return 1;
    if (s->A.make(s->A.user, variable)) return 1;
    s->status = SADDLE_UNSUPPORTED;
    return 0;
}

/* y += factor * the variable's column in [I, -A, -d] */
static void add_variable(const saddle__revised *s, int64_t variable, double factor, double *y)
{
    int64_t size = s->size;
    if (variable == 2 * size) {
        for (int64_t i = 0; i < size; i++) y[i] -= factor * s->d[i];
    } else if (variable >= size) {
        y[variable - size] += factor;
    } else {
        for (int64_t k = s->A.begin[variable]; k < s->A.end[variable]; k++)
            y[s->A.index[k]] -= factor * s->A.value[k];
    }
}

/* u'column */
static double times_variable(const saddle__revised *s, const double *u, int64_t variable)
{
    int64_t size = s->size;
    double sum = 0.0;
    if (variable >= size && variable < 2 * size) return u[variable - size];
    if (variable == 2 * size) {
        for (int64_t i = 0; i < size; i++) sum -= u[i] * s->d[i];
        return sum;
    }
    for (int64_t k = s->A.begin[variable]; k < s->A.end[variable]; k++)
        sum -= u[s->A.index[k]] * s->A.value[k];
    return sum;
}

/* ---- the basis ---- */

static void put(saddle__revised *s, int64_t row, double value)
{
    int64_t k = s->B.start[s->size];
    if (value == 0.0) return;
    s->B.index[k] = row;
    s->B.value[k] = value;
    s->B.start[s->size] = k + 1;
}

static void gather(saddle__revised *s)
{
    int64_t size = s->size;
    s->B.rows = s->B.cols = size;
    s->B.symmetry = SADDLE_GENERAL;
    s->B.start[size] = 0; /* counts until the last column */
    for (int64_t i = 0; i < size; i++) {
        int64_t variable = s->basic[i];
        s->B.start[i] = s->B.start[size];
        if (variable >= size && variable < 2 * size) put(s, variable - size, 1.0);
        for (int64_t k = 0; variable == 2 * size && k < size; k++) put(s, k, -s->d[k]);
        if (variable >= size) continue;
        for (int64_t k = s->A.begin[variable]; k < s->A.end[variable]; k++)
            put(s, s->A.index[k], -s->A.value[k]);
    }
}

static int factor(saddle__revised *s)
{
    for (int64_t i = 0; i < s->size; i++)
        if (!fetch(s, s->basic[i])) return 0;
    gather(s);
    s->changes = s->rows = 0;
    s->change_start[0] = 0;
    saddle__factorization_free(s->factors);
    s->factors = NULL;
    const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1);
    s->status = saddle__factorization_create(s->context, name, SADDLE_ORDERING_BEST, &s->factors);
    if (s->status == SADDLE_OK) s->status = saddle__factorization_analyse(s->factors, &s->B);
    if (s->status == SADDLE_OK)
        s->status = saddle__factorization_factor(s->factors, &s->B, NULL, 0.0);
    if (s->status == SADDLE_OK && saddle__factorization_counts(s->factors).least_pivot < singular)
        s->status = SADDLE_SINGULAR;
    s->factored++;
    return s->status == SADDLE_OK;
}

int saddle__revised_begin(saddle__revised *s, const saddle__revised_table *A, const int64_t *basic)
{
    s->A = *A;
    s->size = A->size;
    memcpy(s->basic, basic, (size_t)s->size * sizeof *basic);
    return factor(s);
}

int saddle__revised_solve(saddle__revised *s, double *v)
{
    s->status = saddle__factorization_solve(s->factors, v);
    for (int64_t c = 0; s->status == SADDLE_OK && c < s->changes; c++) {
        double at = v[s->change_row[c]] / s->change_pivot[c];
        for (int64_t k = s->change_start[c]; at != 0.0 && k < s->change_start[c + 1]; k++)
            v[s->change_index[k]] -= s->change_value[k] * at;
        v[s->change_row[c]] = at;
    }
    return s->status == SADDLE_OK;
}

int saddle__revised_solve_transpose(saddle__revised *s, double *v)
{
    for (int64_t c = s->changes - 1; c >= 0; c--) {
        double sum = v[s->change_row[c]];
        for (int64_t k = s->change_start[c]; k < s->change_start[c + 1]; k++)
            sum -= s->change_value[k] * v[s->change_index[k]];
        v[s->change_row[c]] = sum / s->change_pivot[c];
    }
    s->status = saddle__factorization_solve_transpose(s->factors, v);
    return s->status == SADDLE_OK;
}

/* ---- the table ---- */

static double largest(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

/* column <- -B^-1 a; returns the residual a + B column, over the sizes of what is in it; negative:
 * status. */
static double find_column(saddle__revised *s, int64_t variable, double *column)
{
    int64_t size = s->size;
    memset(column, 0, (size_t)size * sizeof *column);
    add_variable(s, variable, -1.0, column);
    double scale = largest(column, size);
    if (!saddle__revised_solve(s, column)) return -1.0;
    memset(s->left, 0, (size_t)size * sizeof *s->left);
    add_variable(s, variable, 1.0, s->left);
    for (int64_t i = 0; i < size; i++)
        if (column[i] != 0.0) add_variable(s, s->basic[i], column[i], s->left);
    double most = fmax(scale, largest(column, size));
    return most > 0.0 ? largest(s->left, size) / most : 0.0;
}

int saddle__revised_column(saddle__revised *s, int64_t variable, double *column)
{
    if (!fetch(s, variable)) return 0;
    double residual = find_column(s, variable, column);
    if (residual > allowed && s->changes > 0)
        residual = factor(s) ? find_column(s, variable, column) : -1.0;
    return residual >= 0.0;
}

/* Row r of B^-1, of those that are kept. */
static const double *row_of(saddle__revised *s, int64_t r)
{
    for (int64_t k = 0; k < s->rows; k++)
        if (s->row[k] == r) return s->row_value + k * s->size;
    int64_t k = s->rows < SADDLE__REVISED_ROWS ? s->rows++ : r % SADDLE__REVISED_ROWS;
    double *u = s->row_value + k * s->size;
    s->row[k] = r;
    memset(u, 0, (size_t)s->size * sizeof *u);
    u[r] = 1.0;
    if (!saddle__revised_solve_transpose(s, u)) memset(u, 0, (size_t)s->size * sizeof *u);
    return u;
}

double saddle__revised_entry(saddle__revised *s, int64_t r, int64_t variable)
{
    return fetch(s, variable) ? -times_variable(s, row_of(s, r), variable) : 0.0;
}

void saddle__revised_cover(saddle__revised *s, const double *column)
{
    memset(s->left, 0, (size_t)s->size * sizeof *s->left);
    for (int64_t i = 0; i < s->size; i++)
        if (column[i] != 0.0) add_variable(s, s->basic[i], column[i], s->left);
    memcpy(s->d, s->left, (size_t)s->size * sizeof *s->d);
}

int saddle__revised_settle(saddle__revised *s, const double *q, const double *x, double t,
                           double *value)
{
    int64_t size = s->size;
    memcpy(value, q, (size_t)size * sizeof *value);
    for (int64_t k = 0; k < size; k++) {
        if (x[k] == 0.0) continue;
        if (!fetch(s, k)) return 0;
        add_variable(s, k, -x[k], value);
    }
    if (t != 0.0) add_variable(s, 2 * size, -t, value);
    return saddle__revised_solve(s, value);
}

int saddle__revised_exchange(saddle__revised *s, int64_t r, int64_t variable, const double *column)
{
    int64_t at = s->change_start[s->changes];
    s->basic[r] = variable;
    s->rows = 0;
    if (s->changes == MOST - 1 || at + s->size > s->room) return factor(s) ? 2 : 0;
    s->change_row[s->changes] = r;
    s->change_pivot[s->changes] = -column[r];
    for (int64_t i = 0; i < s->size; i++) {
        if (i == r || column[i] == 0.0) continue;
        s->change_index[at] = i;
        s->change_value[at++] = -column[i];
    }
    s->change_start[++s->changes] = at;
    return 1;
}
