/* SPDX-License-Identifier: MIT */
/* The factored form of the tableau (lemke.h).  A pivot multiplies B^-1 by one elementary matrix, E
 * = I but for column r,
 *
 *     z = B^-1 v:   z_r <- z_r / w_r,   z_i <- z_i - w_i z_r        w = B^-1 (entering column)
 *
 * and B is factored anew after 63 pivots, or where a column leaves a residual. */
#include <math.h>
#include <string.h>

#include "factor/factorization.h"
#include "lemke/lemke.h"

enum { CHANGES = 63 }; /* elementary matrices behind one factorization */

typedef struct factored {
    int64_t most;
    double *d;                      /* size */
    saddle__factorization *factors; /* of the basis factored last */
    saddle_matrix B;                /* the basis factored last; room for any basis */
    int64_t changes;                /* elementary matrices since */
    int64_t change_start[CHANGES + 1];
    int64_t change_row[CHANGES];  /* r */
    double change_pivot[CHANGES]; /* w_r */
    int64_t *change_index;        /* CHANGES x size: i .. */
    double *change_value;         /* .. and w_i */
    double *left;                 /* size: scratch */
    saddle__layout layout;
} factored;

/* ---- memory ---- */

static void lay_out(factored *s)
{
    int64_t most = s->most;
    s->d = saddle__layout_take(&s->layout, most, sizeof *s->d);
    s->left = saddle__layout_take(&s->layout, most, sizeof *s->left);
    s->change_index = saddle__layout_take(&s->layout, CHANGES * most, sizeof *s->change_index);
    s->change_value = saddle__layout_take(&s->layout, CHANGES * most, sizeof *s->change_value);
}

static saddle_status create(saddle__tableau *t, int64_t most, int64_t entries)
{
    factored *s = t->form = saddle_allocate(t->context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    s->most = most;
    lay_out(s);
    saddle_status status = saddle__layout_allocate(t->context, &s->layout);
    if (status != SADDLE_OK) return status;
    lay_out(s);
    return saddle_matrix_create(t->context, most, most, entries + 2 * most, SADDLE_GENERAL, &s->B);
}

static void clear(saddle__tableau *t)
{
    factored *s = t->form;
    saddle__factorization_free(s->factors);
    saddle_matrix_clear(&s->B);
    saddle__layout_clear(t->context, &s->layout);
    saddle_release(t->context, s);
}

/* ---- the basis ---- */

/* y += factor * the variable's column in [-A, I, -d]. */
static void add_variable(const saddle__tableau *t, int64_t variable, double factor, double *y)
{
    const factored *s = t->form;
    const saddle_matrix *A = t->A;
    int64_t size = t->size;
    if (variable == 2 * size) {
        for (int64_t i = 0; i < size; i++) y[i] -= factor * s->d[i];
    } else if (variable >= size) {
        y[variable - size] += factor;
    } else {
        for (int64_t k = A->start[variable]; k < A->start[variable + 1]; k++)
            y[A->index[k]] -= factor * A->value[k];
    }
}

static void put(saddle_matrix *B, int64_t column, int64_t row, double value)
{
    int64_t *end = &B->start[column + 1];
    if (value == 0.0) return;
    B->index[*end] = row;
    B->value[(*end)++] = value;
}

/* B <- the columns of the basic variables. */
static void gather(const saddle__tableau *t)
{
    factored *s = t->form;
    const saddle_matrix *A = t->A;
    saddle_matrix *B = &s->B;
    int64_t size = t->size;
    B->rows = B->cols = size;
    B->start[0] = 0;
    for (int64_t i = 0; i < size; i++) {
        int64_t variable = t->basic[i];
        B->start[i + 1] = B->start[i];
        if (variable >= size && variable < 2 * size) put(B, i, variable - size, 1.0);
        for (int64_t k = 0; variable == 2 * size && k < size; k++) put(B, i, k, -s->d[k]);
        if (variable >= size) continue;
        for (int64_t k = A->start[variable]; k < A->start[variable + 1]; k++)
            put(B, i, A->index[k], -A->value[k]);
    }
}

static int factor(saddle__tableau *t)
{
    factored *s = t->form;
    const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1);
    gather(t);
    s->changes = 0;
    saddle__factorization_free(s->factors);
    s->factors = NULL;
    t->status = saddle__factorization_create(t->context, name, SADDLE_ORDERING_BEST, &s->factors);
    if (t->status == SADDLE_OK) t->status = saddle__factorization_analyse(s->factors, &s->B);
    if (t->status == SADDLE_OK)
        t->status = saddle__factorization_factor(s->factors, &s->B, NULL, 0.0);
    if (t->status == SADDLE_OK &&
        saddle__factorization_counts(s->factors).least_pivot < SADDLE__SUSPECT_PIVOT)
        t->status = SADDLE_SINGULAR;
    return t->status == SADDLE_OK;
}

/* v (size) <- B^-1 v */
static int solve_basis(saddle__tableau *t, double *v)
{
    factored *s = t->form;
    t->status = saddle__factorization_solve(s->factors, v);
    for (int64_t c = 0; t->status == SADDLE_OK && c < s->changes; c++) {
        double at = v[s->change_row[c]] / s->change_pivot[c];
        for (int64_t k = s->change_start[c]; at != 0.0 && k < s->change_start[c + 1]; k++)
            v[s->change_index[k]] -= s->change_value[k] * at;
        v[s->change_row[c]] = at;
    }
    return t->status == SADDLE_OK;
}

static int values(saddle__tableau *t, const double *q, const double *x, double at, double *value)
{
    memcpy(value, q, (size_t)t->size * sizeof *value);
    for (int64_t k = 0; k < t->size; k++)
        if (x[k] != 0.0) add_variable(t, k, -x[k], value);
    if (at != 0.0) add_variable(t, 2 * t->size, -at, value);
    return solve_basis(t, value);
}

static void place_all(saddle__tableau *t, const signed char *inside)
{
    for (int64_t k = 0; k < t->size; k++) {
        int in = inside && (inside[k] == SADDLE__INSIDE || inside[k] == SADDLE__FREE);
        t->basic[k] = in ? k : t->size + k;
        t->nonbasic[k] = in ? t->size + k : k;
        t->place[t->basic[k]] = k;
        t->place[t->nonbasic[k]] = ~k;
    }
}

static int begin(saddle__tableau *t, const signed char *inside)
{
    place_all(t, inside);
    if (factor(t)) return 2;
    if (t->status != SADDLE_SINGULAR) return 0;
    place_all(t, NULL);
    return factor(t);
}

/* ---- the tableau ---- */

static double largest(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

/* column <- -B^-1 a; returns the residual a + B column, over the sizes of its terms; negative:
 * status. */
static double find_column(saddle__tableau *t, int64_t variable, double *column)
{
    factored *s = t->form;
    int64_t size = t->size;
    memset(column, 0, (size_t)size * sizeof *column);
    add_variable(t, variable, -1.0, column);
    double scale = largest(column, size);
    if (!solve_basis(t, column)) return -1.0;
    memset(s->left, 0, (size_t)size * sizeof *s->left);
    add_variable(t, variable, 1.0, s->left);
    for (int64_t i = 0; i < size; i++)
        if (column[i] != 0.0) add_variable(t, t->basic[i], column[i], s->left);
    double most = fmax(scale, largest(column, size));
    return most > 0.0 ? largest(s->left, size) / most : 0.0;
}

static int column(saddle__tableau *t, int64_t variable, double *to)
{
    const factored *s = t->form;
    double residual = find_column(t, variable, to);
    if (residual > SADDLE__SUSPECT_PIVOT && s->changes > 0)
        residual = factor(t) ? find_column(t, variable, to) : -1.0;
    return residual >= 0.0;
}

static void cover(saddle__tableau *t, const double *column_of_t)
{
    factored *s = t->form;
    memset(s->left, 0, (size_t)t->size * sizeof *s->left);
    for (int64_t i = 0; i < t->size; i++)
        if (column_of_t[i] != 0.0) add_variable(t, t->basic[i], column_of_t[i], s->left);
    memcpy(s->d, s->left, (size_t)t->size * sizeof *s->d);
}

static int exchange(saddle__tableau *t, int64_t r, int64_t c, double *entering)
{
    factored *s = t->form;
    int64_t at = s->changes > 0 ? s->change_start[s->changes] : 0;
    (void)c;
    if (s->changes == CHANGES) return factor(t) ? 2 : 0;
    s->change_start[s->changes] = at;
    s->change_row[s->changes] = r;
    s->change_pivot[s->changes] = -entering[r];
    for (int64_t i = 0; i < t->size; i++) {
        if (i == r || entering[i] == 0.0) continue;
        s->change_index[at] = i;
        s->change_value[at++] = -entering[i];
    }
    s->change_start[++s->changes] = at;
    return 1;
}

/* ---- the answer ---- */

static int solve(saddle__tableau *t, double *v)
{
    factored *s = t->form;
    if (!solve_basis(t, v)) return 0;
    memcpy(s->left, v, (size_t)t->size * sizeof *v);
    for (int64_t k = 0; k < t->size; k++) v[k] = t->place[k] >= 0 ? s->left[t->place[k]] : 0.0;
    return 1;
}

const saddle__tableau_type saddle__tableau_factored = {
    .create = create,
    .clear = clear,
    .begin = begin,
    .column = column,
    .cover = cover,
    .exchange = exchange,
    .values = values,
    .renew = factor,
    .solve = solve,
};
