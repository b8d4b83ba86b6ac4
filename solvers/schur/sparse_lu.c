/* SPDX-License-Identifier: MIT */
/* The sparse basis for a W that is not symmetric, and for friction; see basis.h.  One analysis of
 * W's pattern, in which the rows that are not basic are masked,
 *
 *     basic      A_ij = (W + E)_ij where j is basic or slides, 0 elsewhere
 *     slides     A_ii = size_i,  A_in = -sigma size_i,  n its normal row
 *     at bound   A_ii = size_i
 *
 * so that a change of basis costs a numeric factorization and nothing else.  Where few rows are
 * basic or slide, they are analysed and factored by themselves: contacts that push leave a graph
 * little more than a tree. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "basis.h"

enum { FIXED = 0, FREE = 1, DOWN = 2, UP = 3 };

/* Part of all rows up to which those that are basic or slide are factored by themselves. */
static const double alone = 0.6;

/* By whom, and from how many entries of L + U a row on by the usual one. */
static const char *const column_by_column = "klu";
static const double many_entries = 60.0;

void saddle__sparse_lu_clear(saddle__sparse_lu *s)
{
    saddle_matrix_clear(&s->W);
    saddle_matrix_clear(&s->masked);
    saddle_matrix_clear(&s->part);
    saddle__factorization_free(s->factors);
    saddle__factorization_free(s->own);
    saddle_release(s->context, s->number);
    saddle_release(s->context, s->node);
    saddle_release(s->context, s->role);
    saddle_release(s->context, s->x);
    saddle_release(s->context, s->y);
    saddle_release(s->context, s->next);
    memset(s, 0, sizeof(*s));
}

/* Zeros at W_tn and W_nt. */
static saddle_status make_ties(saddle_context *context, const saddle__operator_view *view,
                               saddle_matrix *ties)
{
    int64_t m = view->W->cols;
    int64_t count = 0;
    int64_t *row = saddle_allocate(context, 2 * m, sizeof(*row));
    int64_t *col = saddle_allocate(context, 2 * m, sizeof(*col));
    double *value = saddle_allocate(context, 2 * m, sizeof(*value));
    saddle_status status = row && col && value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t t = 0; status == SADDLE_OK && view->normal && t < m; t++) {
        if (view->normal[t] < 0) continue;
        row[count] = col[count + 1] = t;
        col[count] = row[count + 1] = view->normal[t];
        count += 2;
    }
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, m, m, count, row, col, value, SADDLE_GENERAL,
                                             ties);
    saddle_release(context, row);
    saddle_release(context, col);
    saddle_release(context, value);
    return status;
}

/* W's diagonal carries the pivots: AMD's order lasts. */
static saddle_status create_own(saddle__sparse_lu *s)
{
    saddle_ordering ordering = s->ordering == SADDLE_ORDERING_BEST ? SADDLE_ORDERING_AMD
                                                                   : s->ordering;
    saddle__factorization_free(s->own);
    s->own = NULL;
    s->method = s->wanted;
    return saddle__factorization_create(s->context, s->method, ordering, &s->own);
}

static saddle_status make_pattern(saddle__sparse_lu *s, const saddle__operator_view *view)
{
    saddle_matrix whole = {0};
    saddle_matrix ties = {0};
    saddle_status status = saddle_matrix_expand(s->context, view->W, &whole);
    if (status == SADDLE_OK) status = make_ties(s->context, view, &ties);
    if (status == SADDLE_OK) status = saddle_matrix_add(s->context, 1.0, &whole, 1.0, &ties, &s->W);
    if (status == SADDLE_OK) status = saddle_matrix_copy(s->context, &s->W, &s->masked);
    if (status == SADDLE_OK) status = saddle_matrix_copy(s->context, &s->W, &s->part);
    saddle_matrix_clear(&whole);
    saddle_matrix_clear(&ties);
    return status;
}

saddle_status saddle__sparse_lu_create(saddle_context *context, const saddle__operator_view *view,
                                       const saddle_options *options, saddle__sparse_lu *s)
{
    saddle__sparse_lu fresh = {.context = context,
                               .ordering = options->ordering,
                               .wanted = column_by_column};
    *s = fresh;
    int64_t m = view->W->cols;
    const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1);
    s->role = saddle_allocate(context, m, sizeof(*s->role));
    s->x = saddle_allocate(context, m, sizeof(*s->x));
    s->next = saddle_allocate(context, m, sizeof(*s->next));
    s->y = saddle_allocate(context, m, sizeof(*s->y));
    s->number = saddle_allocate(context, m, sizeof(*s->number));
    s->node = saddle_allocate(context, m, sizeof(*s->node));
    int made = s->role && s->x && s->next && s->y && s->number && s->node;
    saddle_status status = made ? make_pattern(s, view) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = create_own(s);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(context, name, options->ordering, &s->factors);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(s->factors, &s->W);
    if (status != SADDLE_OK) saddle__sparse_lu_clear(s);
    return status;
}

/* The next entry of column j from s->next[j] on is that of row i, after some that W does not
 * have. */
static void put(saddle__sparse_lu *s, int64_t i, int64_t j, double value)
{
    int64_t k = s->next[j];
    while (s->W.index[k] != i) s->W.value[k++] = 0.0;
    s->W.value[k] = value;
    s->next[j] = k + 1;
}

void saddle__sparse_lu_set(saddle__sparse_lu *s, const saddle__operator_view *view)
{
    const saddle_matrix *W = view->W;
    int symmetric = W->symmetry == SADDLE_SYMMETRIC;
    for (int64_t j = 0; j < W->cols; j++) s->next[j] = s->W.start[j];
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            put(s, W->index[k], j, W->value[k]);
            if (symmetric && W->index[k] != j) put(s, j, W->index[k], W->value[k]);
        }
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = s->next[j]; k < s->W.start[j + 1]; k++) s->W.value[k] = 0.0;
    saddle__sparse_lu_shift(s, view);
}

/* E is not in s->W but where it is used. */
void saddle__sparse_lu_shift(saddle__sparse_lu *s, const saddle__operator_view *view)
{
    s->view = *view;
    s->factored = 0;
}

static signed char role_of(const saddle__sparse_lu *s, const signed char *state, int64_t i)
{
    if (state[i] == SADDLE__BASIC) return FREE;
    if (!saddle__slides(s->view.normal, state, i)) return FIXED;
    return state[i] == SADDLE__AT_LO ? DOWN : UP;
}

static double masked_entry(const saddle__sparse_lu *s, int64_t i, int64_t j, double value)
{
    if (s->role[i] == FREE)
        return s->role[j] == FIXED ? 0.0 : i == j ? value + s->view.added[i] : value;
    if (i == j) return s->view.size[i];
    if (s->role[i] == FIXED || s->view.normal[i] != j) return 0.0;
    return (s->role[i] == DOWN ? s->view.mu[i] : -s->view.mu[i]) * s->view.size[i];
}

static saddle_status factor_masked(saddle__sparse_lu *s)
{
    for (int64_t j = 0; j < s->W.cols; j++)
        for (int64_t k = s->W.start[j]; k < s->W.start[j + 1]; k++)
            s->masked.value[k] = masked_entry(s, s->W.index[k], j, s->W.value[k]);
    s->is_own = 0;
    return saddle__factorization_factor(s->factors, &s->masked, NULL, 0.0);
}

/* Numbers the rows that are basic or slide: how many. */
static int64_t number_rows(saddle__sparse_lu *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->W.cols; i++) {
        s->number[i] = s->role[i] == FIXED ? -1 : count;
        if (s->role[i] != FIXED) s->node[count++] = i;
    }
    return count;
}

static saddle_status factor_alone(saddle__sparse_lu *s, int64_t rows)
{
    int64_t count = 0;
    for (int64_t c = 0; c < rows; c++) {
        int64_t j = s->node[c];
        for (int64_t k = s->W.start[j]; k < s->W.start[j + 1]; k++) {
            int64_t i = s->W.index[k];
            int there = s->role[i] == FREE ||
                        (s->role[i] != FIXED && (i == j || s->view.normal[i] == j));
            if (!there) continue;
            s->part.index[count] = s->number[i];
            s->part.value[count++] = masked_entry(s, i, j, s->W.value[k]);
        }
        s->part.start[c + 1] = count;
    }
    s->part.rows = s->part.cols = rows;
    s->is_own = 1;
    saddle_status status = s->method == s->wanted ? SADDLE_OK : create_own(s);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(s->own, &s->part);
    if (status != SADDLE_OK || rows == 0) return status;
    status = saddle__factorization_factor(s->own, &s->part, NULL, 0.0);
    double entries = (double)saddle__factorization_counts(s->own).entries;
    if (entries > many_entries * (double)rows)
        s->wanted = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1);
    return status;
}

static saddle_status solve_factored(saddle__sparse_lu *s, double *x)
{
    if (!s->is_own) return saddle__factorization_solve(s->factors, x);
    double *y = s->y;
    for (int64_t c = 0; c < s->part.cols; c++) y[c] = x[s->node[c]];
    saddle_status status = s->part.cols > 0 ? saddle__factorization_solve(s->own, y) : SADDLE_OK;
    for (int64_t c = 0; c < s->part.cols; c++) x[s->node[c]] = y[c];
    return status;
}

static saddle_status enter(void *user, const signed char *state)
{
    saddle__sparse_lu *s = user;
    int64_t m = s->W.cols;
    int same = s->factored;
    for (int64_t i = 0; i < m; i++) {
        signed char role = role_of(s, state, i);
        same &= role == s->role[i];
        s->role[i] = role;
    }
    if (same) return SADDLE_OK;
    int64_t rows = number_rows(s);
    saddle_status status = (double)rows <= alone * (double)m ? factor_alone(s, rows)
                                                             : factor_masked(s);
    s->factored = status == SADDLE_OK;
    s->made++;
    return status == SADDLE_SINGULAR ? SADDLE_NOT_CONVERGED : status;
}

/* w += (W + E) x and modulus += |W + E||x| */
static void add_product(const saddle__sparse_lu *s, const double *x, double *w, double *modulus)
{
    for (int64_t j = 0; j < s->W.cols; j++) {
        if (x[j] == 0.0) continue;
        w[j] += s->view.added[j] * x[j];
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
    saddle__sparse_lu *s = user;
    int64_t m = s->W.cols;
    for (int64_t i = 0; i < m; i++) {
        s->x[i] = s->role[i] == FIXED ? lambda[i] : 0.0;
        w[i] = q[i];
        noise[i] = fabs(q[i]);
    }
    add_product(s, s->x, w, noise);
    for (int64_t i = 0; i < m; i++) s->x[i] = s->role[i] == FREE ? -w[i] : 0.0;
    saddle_status status = solve_factored(s, s->x);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < m; i++) {
        if (!isfinite(s->x[i])) return SADDLE_NOT_CONVERGED;
        if (s->role[i] == FREE) lambda[i] = s->x[i];
    }
    for (int64_t i = 0; i < m; i++) {
        if (saddle__slides(s->view.normal, state, i))
            lambda[i] = (double)state[i] * s->view.mu[i] * lambda[s->view.normal[i]];
        s->x[i] = s->role[i] == FIXED ? 0.0 : lambda[i];
    }
    add_product(s, s->x, w, noise);
    for (int64_t i = 0; i < m; i++) noise[i] *= 8.0 * DBL_EPSILON;
    return SADDLE_OK;
}

saddle__basis saddle__sparse_lu_table(saddle__sparse_lu *basis)
{
    saddle__basis table = {.user = basis, .enter = enter, .solve = solve};
    return table;
}
