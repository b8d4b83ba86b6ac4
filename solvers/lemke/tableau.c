/* SPDX-License-Identifier: MIT */
/* See tableau.h. */
#include "lemke/tableau.h"

#include <string.h>

#include "ldlt/blas.h"

enum {
    WAITING = 32,  /* outer products that wait at most */
    IN_CACHE = 120 /* rows up to which none does */
};

saddle_status saddle__tableau_create(saddle_context *context, int64_t most_rows, int64_t most_cols,
                                     saddle__tableau *t)
{
    t->T = saddle_allocate(context, most_rows * most_cols + 1, sizeof *t->T);
    t->U = saddle_allocate(context, most_rows * WAITING + 1, sizeof *t->U);
    t->V = saddle_allocate(context, most_cols * WAITING + 1, sizeof *t->V);
    t->line = saddle_allocate(context, most_cols + 1, sizeof *t->line);
    return t->T && t->U && t->V && t->line ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__tableau_clear(saddle_context *context, saddle__tableau *t)
{
    saddle_release(context, t->T);
    saddle_release(context, t->U);
    saddle_release(context, t->V);
    saddle_release(context, t->line);
    memset(t, 0, sizeof *t);
}

void saddle__tableau_begin(saddle__tableau *t, int64_t rows, int64_t cols)
{
    t->rows = rows;
    t->cols = cols;
    t->waiting = 0;
}

void saddle__tableau_column(const saddle__tableau *t, int64_t c, double *column)
{
    memcpy(column, t->T + c * t->rows, (size_t)t->rows * sizeof *column);
    if (t->waiting == 0) return;
    int rows = (int)t->rows;
    int cols = (int)t->cols;
    int waiting = (int)t->waiting;
    int one = 1;
    double minus = -1.0;
    double plus = 1.0;
    dgemv_("N", &rows, &waiting, &minus, t->U, &rows, t->V + c, &cols, &plus, column, &one, 1);
}

double saddle__tableau_entry(const saddle__tableau *t, int64_t r, int64_t c)
{
    double entry = t->T[r + c * t->rows];
    for (int64_t k = 0; k < t->waiting; k++) entry -= t->U[r + k * t->rows] * t->V[c + k * t->cols];
    return entry;
}

static void row_of(const saddle__tableau *t, int64_t r, double *row)
{
    for (int64_t j = 0; j < t->cols; j++) row[j] = t->T[r + j * t->rows];
    if (t->waiting == 0) return;
    int rows = (int)t->rows;
    int cols = (int)t->cols;
    int waiting = (int)t->waiting;
    int one = 1;
    double minus = -1.0;
    double plus = 1.0;
    dgemv_("N", &cols, &waiting, &minus, t->V, &cols, t->U + r, &rows, &plus, row, &one, 1);
}

void saddle__tableau_replace(saddle__tableau *t, int64_t c, const double *column)
{
    memcpy(t->T + c * t->rows, column, (size_t)t->rows * sizeof *column);
    for (int64_t k = 0; k < t->waiting; k++) t->V[c + k * t->cols] = 0.0;
}

/* T -= column row', with zeros at column[r] and row[c] */
static void take_in(saddle__tableau *t, const double *restrict column, const double *restrict row)
{
    for (int64_t j = 0; j < t->cols; j++) {
        double *restrict T = t->T + j * t->rows;
        double factor = row[j];
        if (factor == 0.0) continue;
        for (int64_t i = 0; i < t->rows; i++) T[i] -= column[i] * factor;
    }
}

static void put_off(saddle__tableau *t, const double *column, const double *row)
{
    memcpy(t->U + t->waiting * t->rows, column, (size_t)t->rows * sizeof *column);
    memcpy(t->V + t->waiting * t->cols, row, (size_t)t->cols * sizeof *row);
    if (++t->waiting < WAITING) return;
    int rows = (int)t->rows;
    int cols = (int)t->cols;
    int waiting = WAITING;
    double minus = -1.0;
    double plus = 1.0;
    dgemm_("N", "T", &rows, &cols, &waiting, &minus, t->U, &rows, t->V, &cols, &plus, t->T, &rows,
           1, 1);
    t->waiting = 0;
}

void saddle__tableau_pivot(saddle__tableau *t, int64_t r, int64_t c, double *column)
{
    double *row = t->line;
    double p = column[r];
    row_of(t, r, row);
    for (int64_t j = 0; j < t->cols; j++) row[j] /= p;
    for (int64_t j = 0; j < t->cols; j++) t->T[r + j * t->rows] = -row[j];
    for (int64_t i = 0; i < t->rows; i++) t->T[i + c * t->rows] = column[i] / p;
    t->T[r + c * t->rows] = 1.0 / p;
    for (int64_t k = 0; k < t->waiting; k++) t->U[r + k * t->rows] = t->V[c + k * t->cols] = 0.0;
    column[r] = 0.0;
    row[c] = 0.0;
    if (t->rows <= IN_CACHE)
        take_in(t, column, row);
    else
        put_off(t, column, row);
}
