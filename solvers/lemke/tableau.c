/* SPDX-License-Identifier: MIT */
/* The two forms of the tableau (lemke.h).
 *
 * Dense: outer products of pivots wait in U V' for a dgemm, T = stored - U V'; a tableau in the
 * cache is updated at once.
 *
 * Factored: a pivot multiplies B^-1 by one elementary matrix, E = I but for column r,
 *
 *     z = B^-1 v:   z_r <- z_r / w_r,   z_i <- z_i - w_i z_r        w = B^-1 (entering column)
 *
 * and B is factored anew after 63 pivots, or where a column leaves a residual. */
#include "lemke/lemke.h"

#include <math.h>
#include <string.h>

#include "dense/lapack.h"
#include "dense/lu.h"
#include "factor/factorization.h"

enum {
    WAITING = 32, /* outer products in U V' at most; 4 x 32 rows fit in the cache */
    CHANGES = 63  /* elementary matrices behind one factorization */
};

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

static saddle_status make_arrays(saddle_context *context, dense *d)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(d->T, d->most * (d->most + 1)),
                                    SADDLE__ARRAY(d->U, d->most * WAITING),
                                    SADDLE__ARRAY(d->V, (d->most + 1) * WAITING),
                                    SADDLE__ARRAY(d->line, d->most + 1),
                                    SADDLE__ARRAY(d->column, d->most),
                                    SADDLE__ARRAY(d->row, d->most + 1),
                                    SADDLE__ARRAY(d->col, d->most),
                                    SADDLE__ARRAY(d->at, d->most),
                                    SADDLE__ARRAY(d->exchanges, d->most)};
    return saddle__layout_make(context, &d->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status dense_create(saddle__tableau *t, int64_t most, int64_t entries)
{
    (void)entries;
    dense *d = t->form = saddle_allocate(t->context, 1, sizeof *d);
    if (!d) return SADDLE_OUT_OF_MEMORY;
    d->most = most;
    return make_arrays(t->context, d);
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
    t->status = saddle__lu_factor(0, count, d->T, count, d->exchanges) ? SADDLE_OK
                                                                       : SADDLE_SINGULAR;
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

/* ---- the factored form ---- */

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

static saddle_status make_factored(saddle_context *context, factored *s)
{
    int64_t most = s->most;
    const saddle__array arrays[] = {SADDLE__ARRAY(s->d, most), SADDLE__ARRAY(s->left, most),
                                    SADDLE__ARRAY(s->change_index, CHANGES * most),
                                    SADDLE__ARRAY(s->change_value, CHANGES * most)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status factored_create(saddle__tableau *t, int64_t most, int64_t entries)
{
    factored *s = t->form = saddle_allocate(t->context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    s->most = most;
    saddle_status status = make_factored(t->context, s);
    if (status != SADDLE_OK) return status;
    return saddle_matrix_create(t->context, most, most, entries + 2 * most, SADDLE_SYMMETRY_NONE,
                                &s->B);
}

static void factored_clear(saddle__tableau *t)
{
    factored *s = t->form;
    saddle__factorization_free(s->factors);
    saddle_matrix_clear(&s->B);
    saddle__layout_clear(t->context, &s->layout);
    saddle_release(t->context, s);
}

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
static void gather_basis(const saddle__tableau *t)
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

static int factored_renew(saddle__tableau *t)
{
    factored *s = t->form;
    const char *name = saddle__factorization_name(NULL, SADDLE_FACTORIZATION_DEFAULT, 1);
    gather_basis(t);
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

static int factored_values(saddle__tableau *t, const double *q, const double *x, double at,
                           double *value)
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

static int factored_begin(saddle__tableau *t, const signed char *inside)
{
    place_all(t, inside);
    if (factored_renew(t)) return 2;
    if (t->status != SADDLE_SINGULAR) return 0;
    place_all(t, NULL);
    return factored_renew(t);
}

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

static int factored_column(saddle__tableau *t, int64_t variable, double *to)
{
    const factored *s = t->form;
    double residual = find_column(t, variable, to);
    if (residual > SADDLE__SUSPECT_PIVOT && s->changes > 0)
        residual = factored_renew(t) ? find_column(t, variable, to) : -1.0;
    return residual >= 0.0;
}

static void factored_cover(saddle__tableau *t, const double *column)
{
    factored *s = t->form;
    memset(s->left, 0, (size_t)t->size * sizeof *s->left);
    for (int64_t i = 0; i < t->size; i++)
        if (column[i] != 0.0) add_variable(t, t->basic[i], column[i], s->left);
    memcpy(s->d, s->left, (size_t)t->size * sizeof *s->d);
}

static int factored_exchange(saddle__tableau *t, int64_t r, int64_t c, double *entering)
{
    factored *s = t->form;
    int64_t at = s->changes > 0 ? s->change_start[s->changes] : 0;
    (void)c;
    if (s->changes == CHANGES) return factored_renew(t) ? 2 : 0;
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

static int factored_solve(saddle__tableau *t, double *v)
{
    factored *s = t->form;
    if (!solve_basis(t, v)) return 0;
    memcpy(s->left, v, (size_t)t->size * sizeof *v);
    for (int64_t k = 0; k < t->size; k++) v[k] = t->place[k] >= 0 ? s->left[t->place[k]] : 0.0;
    return 1;
}

const saddle__tableau_type saddle__tableau_factored = {
    .create = factored_create,
    .clear = factored_clear,
    .begin = factored_begin,
    .column = factored_column,
    .cover = factored_cover,
    .exchange = factored_exchange,
    .values = factored_values,
    .renew = factored_renew,
    .solve = factored_solve,
};
