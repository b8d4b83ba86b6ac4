/* SPDX-License-Identifier: MIT */
/* The basis for any sparse W, unsymmetric or with tangents that slide: L U with pivoting of
 *
 *     basic row i      A_ij = (W + E)_ij     j basic or sliding
 *     sliding row t    size_t lambda_t - sigma size_t lambda_n = 0,  n its normal row
 *
 * by KLU.  Each change of the set analyses and factors the basic and sliding rows: contacts that
 * push leave a graph little more than a tree. */
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "mlcp/system.h"

enum role { FIXED, FREE, DOWN, UP };

typedef struct general_basis {
    saddle_context *context;
    saddle__layout layout;
    saddle__mlcp_rows *rows;
    saddle_matrix W; /* general, both triangles, without E; (t, n) stored for each tangent t */
    saddle_matrix A; /* of the basic and sliding rows */
    saddle__factorization *factors; /* of A */
    int64_t *number;                /* m: of a row in A, -1 = absent */
    int64_t *node;                  /* m: the rows of A */
    signed char *role;              /* m: of the factor at hand */
    double *x, *y;                  /* m */
    int64_t *next;                  /* m */
    int factored;
    int64_t made; /* factorizations since create */
} general_basis;

static void clear(void *user)
{
    general_basis *s = user;
    saddle_context *context = s->context;
    saddle_matrix_clear(&s->W);
    saddle_matrix_clear(&s->A);
    saddle__factorization_free(s->factors);
    saddle__layout_clear(context, &s->layout);
    saddle_release(context, s);
}

/* Zeros at W_tn and W_nt. */
static saddle_status make_ties(saddle_context *context, const saddle__mlcp_rows *rows,
                               saddle_matrix *ties)
{
    int64_t m = rows->count;
    int64_t count = 0;
    int64_t *row = saddle_allocate(context, 2 * m, sizeof *row);
    int64_t *col = saddle_allocate(context, 2 * m, sizeof *col);
    double *value = saddle_allocate(context, 2 * m, sizeof *value);
    saddle_status status = row && col && value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t t = 0; status == SADDLE_OK && rows->normal && t < m; t++) {
        if (rows->normal[t] < 0) continue;
        row[count] = col[count + 1] = t;
        col[count] = row[count + 1] = rows->normal[t];
        count += 2;
    }
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, m, m, count, row, col, value,
                                             SADDLE_SYMMETRY_NONE, ties);
    saddle_release(context, row);
    saddle_release(context, col);
    saddle_release(context, value);
    return status;
}

static saddle_status make_pattern(general_basis *s, const saddle_matrix *W)
{
    saddle_matrix whole = {0};
    saddle_matrix ties = {0};
    saddle_status status = saddle_matrix_expand(s->context, W, &whole);
    if (status == SADDLE_OK) status = make_ties(s->context, s->rows, &ties);
    if (status == SADDLE_OK) status = saddle_matrix_add(s->context, 1.0, &whole, 1.0, &ties, &s->W);
    if (status == SADDLE_OK) status = saddle_matrix_copy(s->context, &s->W, &s->A);
    saddle_matrix_clear(&whole);
    saddle_matrix_clear(&ties);
    return status;
}

/* Stores entry (i, j), zeros before in column j: entries absent from W. */
static void put(general_basis *s, int64_t i, int64_t j, double value)
{
    int64_t k = s->next[j];
    while (s->W.index[k] != i) s->W.value[k++] = 0.0;
    s->W.value[k] = value;
    s->next[j] = k + 1;
}

static void refresh(void *user, const saddle_matrix *W)
{
    general_basis *s = user;
    s->factored = 0;
    if (!W) return;
    int symmetric = W->symmetry == SADDLE_SYMMETRY_LOWER;
    for (int64_t j = 0; j < W->cols; j++) s->next[j] = s->W.start[j];
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            put(s, W->index[k], j, W->value[k]);
            if (symmetric && W->index[k] != j) put(s, j, W->index[k], W->value[k]);
        }
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = s->next[j]; k < s->W.start[j + 1]; k++) s->W.value[k] = 0.0;
}

static signed char role_of(const general_basis *s, const signed char *state, int64_t i)
{
    if (state[i] == SADDLE__BASIC) return FREE;
    if (!saddle__slides(s->rows->normal, state, i)) return FIXED;
    return state[i] == SADDLE__AT_LO ? DOWN : UP;
}

/* A_ij of a stored W_ij; *there: the entry belongs to A. */
static double entry(const general_basis *s, int64_t i, int64_t j, double value, int *there)
{
    const saddle__mlcp_rows *rows = s->rows;
    *there = 1;
    if (s->role[i] == FREE) return i == j ? value + rows->E[i] : value;
    if (i == j) return rows->size[i];
    *there = s->role[i] != FIXED && rows->normal[i] == j;
    return *there ? (s->role[i] == DOWN ? rows->mu[i] : -rows->mu[i]) * rows->size[i] : 0.0;
}

static void gather(general_basis *s)
{
    int64_t rows = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < s->W.cols; i++) {
        s->number[i] = s->role[i] == FIXED ? -1 : rows;
        if (s->role[i] != FIXED) s->node[rows++] = i;
    }
    for (int64_t c = 0; c < rows; c++) {
        int64_t j = s->node[c];
        for (int64_t k = s->W.start[j]; k < s->W.start[j + 1]; k++) {
            int64_t i = s->W.index[k];
            int there;
            if (s->role[i] == FIXED) continue;
            double value = entry(s, i, j, s->W.value[k], &there);
            if (!there) continue;
            s->A.index[count] = s->number[i];
            s->A.value[count++] = value;
        }
        s->A.start[c + 1] = count;
    }
    s->A.rows = s->A.cols = rows;
}

static saddle_status factor(general_basis *s)
{
    gather(s);
    if (s->A.cols == 0) return SADDLE_OK;
    saddle_status status = saddle__factorization_analyse(s->factors, &s->A);
    return status == SADDLE_OK ? saddle__factorization_factor(s->factors, &s->A, NULL, 0.0)
                               : status;
}

static saddle_status enter(void *user, const signed char *state)
{
    general_basis *s = user;
    int same = s->factored;
    for (int64_t i = 0; i < s->W.cols; i++) {
        signed char role = role_of(s, state, i);
        same &= role == s->role[i];
        s->role[i] = role;
    }
    if (same) return SADDLE_OK;
    saddle_status status = factor(s);
    s->factored = status == SADDLE_OK;
    s->made++;
    return status == SADDLE_SINGULAR ? SADDLE_NOT_CONVERGED : status;
}

/* w += (W + E) x,  modulus += |W + E||x| */
static void add_product(const general_basis *s, const double *x, double *w, double *modulus)
{
    for (int64_t j = 0; j < s->W.cols; j++) {
        if (x[j] == 0.0) continue;
        w[j] += s->rows->E[j] * x[j];
        for (int64_t k = s->W.start[j]; k < s->W.start[j + 1]; k++) {
            double part = s->W.value[k] * x[j];
            w[s->W.index[k]] += part;
            modulus[s->W.index[k]] += fabs(part);
        }
    }
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    general_basis *s = user;
    const saddle__mlcp_rows *rows = s->rows;
    int64_t m = s->W.cols;
    for (int64_t i = 0; i < m; i++) {
        s->x[i] = s->role[i] == FIXED ? lambda[i] : 0.0;
        w[i] = q[i];
        noise[i] = fabs(q[i]);
    }
    add_product(s, s->x, w, noise);
    for (int64_t c = 0; c < s->A.cols; c++)
        s->y[c] = s->role[s->node[c]] == FREE ? -w[s->node[c]] : 0.0;
    saddle_status status = s->A.cols > 0 ? saddle__factorization_solve(s->factors, s->y)
                                         : SADDLE_OK;
    if (status != SADDLE_OK) return status;
    for (int64_t c = 0; c < s->A.cols; c++) {
        if (!isfinite(s->y[c])) return SADDLE_NOT_CONVERGED;
        if (s->role[s->node[c]] == FREE) lambda[s->node[c]] = s->y[c];
    }
    for (int64_t i = 0; i < m; i++) {
        if (saddle__slides(rows->normal, state, i))
            lambda[i] = (double)state[i] * rows->mu[i] * lambda[rows->normal[i]];
        s->x[i] = s->role[i] == FIXED ? 0.0 : lambda[i];
    }
    add_product(s, s->x, w, noise);
    for (int64_t i = 0; i < m; i++) noise[i] *= SADDLE__SUM_ROUNDING;
    return SADDLE_OK;
}

saddle_status saddle__general_basis_create(saddle_context *context, const saddle_matrix *W,
                                           saddle__mlcp_rows *rows, const saddle_options *options,
                                           saddle__basis *basis)
{
    general_basis *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    const int64_t m = W->cols;
    *s = (general_basis){.context = context, .rows = rows};
    saddle__basis table = {.user = s,
                           .enter = enter,
                           .solve = solve,
                           .refresh = refresh,
                           .made = &s->made,
                           .clear = clear};
    *basis = table;
    const saddle__array arrays[] = {SADDLE__ARRAY(s->number, m), SADDLE__ARRAY(s->node, m),
                                    SADDLE__ARRAY(s->next, m),   SADDLE__ARRAY(s->x, m),
                                    SADDLE__ARRAY(s->y, m),      SADDLE__ARRAY(s->role, m)};
    saddle_status status = saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
    if (status == SADDLE_OK) status = make_pattern(s, W);
    if (status != SADDLE_OK) return status;
    const saddle_ordering ordering = options->ordering == SADDLE_ORDERING_BEST ? SADDLE_ORDERING_AMD
                                                                               : options->ordering;
    return saddle__factorization_create(context, "klu", ordering, &s->factors);
}
