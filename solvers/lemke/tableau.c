/* SPDX-License-Identifier: MIT */
/* Functions of both forms of the tableau (lemke.h), and the dense form. Outer products of pivots
 * wait in U V' for a dgemm, T = stored - U V'; a tableau in the cache is updated at once. */
#include "lemke/lemke.h"

#include <math.h>
#include <string.h>

#include "dense/lapack.h"
#include "dense/lu.h"

enum { WAITING = 32 }; /* outer products in U V' at most; 4 x 32 rows fit in the cache */

/* ---- both forms ---- */

saddle_status saddle__tableau_create(saddle_context *context, const saddle__tableau_type *type,
                                     int64_t most, int64_t entries, saddle__tableau *t)
{
    t->type = type;
    t->context = context;
    t->basic = saddle_allocate(context, most + 1, sizeof *t->basic);
    t->nonbasic = saddle_allocate(context, most + 1, sizeof *t->nonbasic);
    t->place = saddle_allocate(context, 2 * most + 1, sizeof *t->place);
    if (!t->basic || !t->nonbasic || !t->place) return SADDLE_OUT_OF_MEMORY;
    return type->create(t, most, entries);
}

void saddle__tableau_clear(saddle__tableau *t)
{
    if (t->form) t->type->clear(t);
    saddle_release(t->context, t->basic);
    saddle_release(t->context, t->nonbasic);
    saddle_release(t->context, t->place);
    memset(t, 0, sizeof *t);
}

int saddle__tableau_begin(saddle__tableau *t, const saddle_matrix *A, const signed char *inside)
{
    int64_t size = A->cols;
    t->A = A;
    t->size = size;
    t->status = SADDLE_OK;
    for (int64_t k = 0; k < size; k++) {
        t->basic[k] = size + k;
        t->nonbasic[k] = k;
        t->place[k] = ~k;
        t->place[size + k] = k;
    }
    t->nonbasic[size] = 2 * size;
    t->place[2 * size] = ~size;
    return t->type->begin(t, inside);
}

int saddle__tableau_exchange(saddle__tableau *t, int64_t r, int64_t variable, double *column)
{
    int64_t c = ~t->place[variable];
    int64_t leaving = t->basic[r];
    t->basic[r] = variable;
    t->nonbasic[c] = leaving;
    t->place[variable] = r;
    t->place[leaving] = ~c;
    return t->type->exchange(t, r, c, column);
}

/* B's column -a_n becomes -a_n - g a_k, and T's column of x_k is B^-1 a_k, or -e_k. */
int saddle__tableau_lean(saddle__tableau *t, int64_t n, int64_t k, double g, double *column)
{
    int64_t r = t->place[n];
    int64_t row = t->place[k];
    if (r < 0) {
        if (t->type->add) t->type->add(t, ~r, ~row, g);
        return 1;
    }
    if (row >= 0) memset(column, 0, (size_t)t->size * sizeof *column);
    if (row >= 0) column[row] = -1.0;
    if (row < 0 && !t->type->column(t, k, column)) return 0;
    for (int64_t i = 0; i < t->size; i++) column[i] *= g;
    column[r] -= 1.0;
    return t->type->exchange(t, r, -1, column);
}

/* ---- the dense form ---- */

typedef struct dense {
    int64_t most;
    double *T;       /* size x (size + 1); then factors of A_SS */
    double *U;       /* size x waiting */
    double *V;       /* (size + 1) x waiting */
    double *line;    /* size + 1: the row of a pivot; scratch */
    double *column;  /* size: scratch */
    int64_t waiting; /* outer products in U and V */
    int64_t count;   /* of the factors */
    int64_t *row;    /* count: R */
    int64_t *col;    /* count: S */
    int64_t *at;     /* size: place in R, -1 = outside */
    int *exchanges;  /* size: LAPACK's */
    saddle__layout layout;
} dense;

static void lay_out(dense *d)
{
    d->T = saddle__layout_take(&d->layout, d->most * (d->most + 1), sizeof *d->T);
    d->U = saddle__layout_take(&d->layout, d->most * WAITING, sizeof *d->U);
    d->V = saddle__layout_take(&d->layout, (d->most + 1) * WAITING, sizeof *d->V);
    d->line = saddle__layout_take(&d->layout, d->most + 1, sizeof *d->line);
    d->column = saddle__layout_take(&d->layout, d->most, sizeof *d->column);
    d->row = saddle__layout_take(&d->layout, d->most + 1, sizeof *d->row);
    d->col = saddle__layout_take(&d->layout, d->most, sizeof *d->col);
    d->at = saddle__layout_take(&d->layout, d->most, sizeof *d->at);
    d->exchanges = saddle__layout_take(&d->layout, d->most, sizeof *d->exchanges);
}

static saddle_status dense_create(saddle__tableau *t, int64_t most, int64_t entries)
{
    (void)entries;
    dense *d = t->form = saddle_allocate(t->context, 1, sizeof *d);
    if (!d) return SADDLE_OUT_OF_MEMORY;
    d->most = most;
    lay_out(d);
    saddle_status status = saddle__layout_allocate(t->context, &d->layout);
    if (status == SADDLE_OK) lay_out(d);
    return status;
}

static void dense_clear(saddle__tableau *t)
{
    dense *d = t->form;
    saddle__layout_clear(t->context, &d->layout);
    saddle_release(t->context, d);
}

static int dense_column(saddle__tableau *t, int64_t variable, double *column)
{
    const dense *d = t->form;
    int64_t c = ~t->place[variable];
    int rows = (int)t->size;
    int cols = rows + 1;
    int waiting = (int)d->waiting;
    int one = 1;
    double minus = -1.0;
    double plus = 1.0;
    memcpy(column, d->T + c * t->size, (size_t)t->size * sizeof *column);
    if (waiting > 0)
        dgemv_("N", &rows, &waiting, &minus, d->U, &rows, d->V + c, &cols, &plus, column, &one, 1);
    return 1;
}

static void dense_cover(saddle__tableau *t, const double *column)
{
    const dense *d = t->form;
    int64_t c = ~t->place[2 * t->size];
    memcpy(d->T + c * t->size, column, (size_t)t->size * sizeof *column);
    for (int64_t k = 0; k < d->waiting; k++) d->V[c + k * (t->size + 1)] = 0.0;
}

static void dense_add(saddle__tableau *t, int64_t c, int64_t k, double g)
{
    const dense *d = t->form;
    for (int64_t i = 0; i < t->size; i++) d->T[i + c * t->size] += g * d->T[i + k * t->size];
    for (int64_t w = 0; w < d->waiting; w++) {
        double *V = d->V + w * (t->size + 1);
        V[c] += g * V[k];
    }
}

/* T -= column row', with zeros at column[r] and row[c]. */
static void take_in(const saddle__tableau *t, const double *restrict column,
                    const double *restrict row)
{
    const dense *d = t->form;
    for (int64_t j = 0; j <= t->size; j++) {
        double *restrict T = d->T + j * t->size;
        double factor = row[j];
        if (factor == 0.0) continue;
        for (int64_t i = 0; i < t->size; i++) T[i] -= column[i] * factor;
    }
}

static void put_off(const saddle__tableau *t, const double *column, const double *row)
{
    dense *d = t->form;
    int rows = (int)t->size;
    int cols = rows + 1;
    int waiting = WAITING;
    double minus = -1.0;
    double plus = 1.0;
    memcpy(d->U + d->waiting * t->size, column, (size_t)t->size * sizeof *column);
    memcpy(d->V + d->waiting * (t->size + 1), row, (size_t)(t->size + 1) * sizeof *row);
    if (++d->waiting < WAITING) return;
    dgemm_("N", "T", &rows, &cols, &waiting, &minus, d->U, &rows, d->V, &cols, &plus, d->T, &rows,
           1, 1);
    d->waiting = 0;
}

static int dense_exchange(saddle__tableau *t, int64_t r, int64_t c, double *column)
{
    dense *d = t->form;
    int rows = (int)t->size;
    int cols = rows + 1;
    int waiting = (int)d->waiting;
    int one = 1;
    double minus = -1.0;
    double plus = 1.0;
    double *row = d->line;
    double p = column[r];
    for (int64_t j = 0; j < cols; j++) row[j] = d->T[r + j * rows];
    if (waiting > 0)
        dgemv_("N", &cols, &waiting, &minus, d->V, &cols, d->U + r, &rows, &plus, row, &one, 1);
    for (int64_t j = 0; j < cols; j++) row[j] /= p;
    for (int64_t j = 0; j < cols; j++) d->T[r + j * rows] = -row[j];
    for (int64_t i = 0; c >= 0 && i < rows; i++) d->T[i + c * rows] = column[i] / p;
    if (c >= 0) d->T[r + c * rows] = 1.0 / p;
    for (int64_t k = 0; k < waiting; k++) {
        d->U[r + k * rows] = 0.0;
        if (c >= 0) d->V[c + k * cols] = 0.0;
    }
    column[r] = 0.0;
    if (c >= 0) row[c] = 0.0;
    if (rows <= 4 * WAITING)
        take_in(t, column, row);
    else
        put_off(t, column, row);
    return 1;
}

static int dense_begin(saddle__tableau *t, const signed char *inside)
{
    dense *d = t->form;
    const saddle_matrix *A = t->A;
    (void)inside;
    d->waiting = 0;
    memset(d->T, 0, (size_t)(t->size * (t->size + 1)) * sizeof *d->T);
    for (int64_t j = 0; j < t->size; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            d->T[A->index[k] + j * t->size] = A->value[k];
    return 1;
}

/* r <- q + A x - y of the values. */
static void find_residual(const saddle__tableau *t, const double *q, const double *x,
                          const double *value, double *r)
{
    const saddle_matrix *A = t->A;
    int64_t size = t->size;
    memcpy(r, q, (size_t)size * sizeof *r);
    for (int64_t j = 0; j < size; j++) {
        double at = t->place[j] >= 0 ? value[t->place[j]] : x[j];
        for (int64_t k = A->start[j]; at != 0.0 && k < A->start[j + 1]; k++)
            r[A->index[k]] += A->value[k] * at;
        if (t->place[size + j] >= 0) r[j] -= value[t->place[size + j]];
    }
}

/* B^-1 e_k is a unit vector for a basic y_k, else -T's column of y_k.  Two steps of refinement. */
static int dense_values(saddle__tableau *t, const double *q, const double *x, double at,
                        double *value)
{
    const dense *d = t->form;
    (void)at; /* 0 at the start of a path */
    memset(value, 0, (size_t)t->size * sizeof *value);
    int exact = 0; /* a basis of all y */
    for (int step = 0; step <= 2 && !exact; step++) {
        find_residual(t, q, x, value, d->line);
        exact = 1;
        for (int64_t k = 0; k < t->size; k++) {
            int64_t row = t->place[t->size + k];
            exact &= row >= 0;
            if (row >= 0) value[row] += d->line[k];
            if (row >= 0 || d->line[k] == 0.0) continue;
            (void)dense_column(t, t->size + k, d->column);
            for (int64_t i = 0; i < t->size; i++) value[i] -= d->column[i] * d->line[k];
        }
    }
    return 1;
}

/* If t is basic, the rows exceed the columns by the pair outside the basis. */
static void list_basis(const saddle__tableau *t)
{
    dense *d = t->form;
    int64_t rows = 0;
    int too_many = t->place[2 * t->size] >= 0;
    d->count = 0;
    for (int64_t k = 0; k < t->size; k++) {
        int in = saddle__tableau_is_inside(t, k);
        int has_row = t->place[t->size + k] < 0;
        d->at[k] = -1;
        if (in) d->col[d->count++] = k;
        if (has_row && !in && too_many) has_row = too_many = 0;
        if (has_row) d->row[d->at[k] = rows++] = k;
    }
}

static int dense_renew(saddle__tableau *t)
{
    dense *d = t->form;
    list_basis(t);
    int count = (int)d->count;
    memset(d->T, 0, (size_t)(d->count * d->count) * sizeof *d->T);
    for (int64_t j = 0; j < d->count; j++) {
        for (int64_t k = t->A->start[d->col[j]]; k < t->A->start[d->col[j] + 1]; k++) {
            int64_t i = d->at[t->A->index[k]];
            if (i >= 0) d->T[i + j * d->count] = t->A->value[k];
        }
    }
    t->status = saddle__lu_factor(count, d->T, count, d->exchanges) ? SADDLE_OK : SADDLE_SINGULAR;
    return t->status == SADDLE_OK;
}

static int dense_solve(saddle__tableau *t, double *v)
{
    const dense *d = t->form;
    int count = (int)d->count;
    for (int64_t k = 0; k < d->count; k++) d->line[k] = -v[d->row[k]];
    saddle__lu_solve(count, d->T, count, d->exchanges, 1, d->line, count);
    memset(v, 0, (size_t)t->size * sizeof *v);
    for (int64_t k = 0; k < d->count; k++) v[d->col[k]] = d->line[k];
    return 1;
}

const saddle__tableau_type saddle__tableau_dense = {
    .create = dense_create,
    .clear = dense_clear,
    .begin = dense_begin,
    .column = dense_column,
    .cover = dense_cover,
    .add = dense_add,
    .exchange = dense_exchange,
    .values = dense_values,
    .renew = dense_renew,
    .solve = dense_solve,
};
