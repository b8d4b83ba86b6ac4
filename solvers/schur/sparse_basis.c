/* SPDX-License-Identifier: MIT */
/* The sparse basis, see basis.h: one analysis of W's pattern, in which rows that are not basic are masked,
 *
 *     A_ij = W_ij where both rows are basic,   A_ii = size_i, A_ij = 0 elsewhere
 *
 * so that a change of basis costs a numeric factorization and nothing else. */
#include "basis.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot below this multiple of the row's size is rounding noise; it becomes `replacement` times the size. */
static const double vanished = 1e-13;
static const double replacement = 1e-10;

void saddle__sparse_basis_clear(saddle__sparse_basis *s)
{
    saddle_matrix_clear(&s->W);
    saddle_matrix_clear(&s->masked);
    saddle__factorization_free(s->factors);
    saddle_release(s->context, s->size);
    saddle_release(s->context, s->basic);
    saddle_release(s->context, s->x);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          const saddle_options *options, saddle__sparse_basis *s)
{
    saddle__sparse_basis fresh = {.context = context};
    *s = fresh;
    s->size = saddle_allocate(context, W->cols, sizeof(*s->size));
    s->basic = saddle_allocate(context, W->cols, sizeof(*s->basic));
    s->x = saddle_allocate(context, W->cols, sizeof(*s->x));
    saddle_status status = s->size && s->basic && s->x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, W, &s->W);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, W, &s->masked);
    if (status == SADDLE_OK) status = saddle__factorization_create(context, "ldlt", options->ordering, &s->factors);
    if (status == SADDLE_OK) saddle__factorization_set_threads(s->factors, options->threads);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(s->factors, W);
    if (status != SADDLE_OK) saddle__sparse_basis_clear(s);
    return status;
}

void saddle__sparse_basis_set(saddle__sparse_basis *s, const saddle_matrix *W, const double *added, const double *size)
{
    int64_t m = W->cols;
    memcpy(s->W.value, W->value, (size_t)W->start[m] * sizeof(*W->value));
    memcpy(s->size, size, (size_t)m * sizeof(*size));
    saddle__sparse_basis_shift(s, W, added);
}

void saddle__sparse_basis_shift(saddle__sparse_basis *s, const saddle_matrix *W, const double *added)
{
    for (int64_t j = 0; j < W->cols; j++) {
        int64_t k = W->start[j]; /* a lower triangle's columns begin on the diagonal */
        s->W.value[k] = W->value[k] + added[j];
    }
    s->factored = 0;
}

static saddle_status enter(void *user, const signed char *state)
{
    saddle__sparse_basis *s = user;
    int64_t m = s->W.cols;
    int same = s->factored;
    for (int64_t i = 0; i < m; i++) {
        signed char basic = state[i] == SADDLE__BASIC;
        same &= basic == s->basic[i];
        s->basic[i] = basic;
    }
    if (same) return SADDLE_OK;
    for (int64_t j = 0; j < m; j++) {
        for (int64_t k = s->W.start[j]; k < s->W.start[j + 1]; k++) {
            int64_t i = s->W.index[k];
            s->masked.value[k] = s->basic[i] && s->basic[j] ? s->W.value[k] : i == j ? s->size[j] : 0.0;
        }
    }
    saddle__pivot_rule rule = {.scale = s->size, .smallest = vanished, .replacement = replacement};
    saddle_status status = saddle__factorization_factor_by(s->factors, &s->masked, &rule);
    s->factored = status == SADDLE_OK;
    s->made++;
    return status;
}

/* w += W x and, unless NULL, modulus += |W||x| */
static void add_product(const saddle_matrix *W, const double *x, double *w, double *modulus)
{
    for (int64_t j = 0; j < W->cols; j++) {
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            int64_t i = W->index[k];
            double to_row = W->value[k] * x[j];
            double to_col = i != j ? W->value[k] * x[i] : 0.0;
            w[i] += to_row;
            w[j] += to_col;
            if (!modulus) continue;
            modulus[i] += fabs(to_row);
            modulus[j] += fabs(to_col);
        }
    }
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda, double *w,
                           double *noise)
{
    saddle__sparse_basis *s = user;
    int64_t m = s->W.cols;
    int64_t moving = 0; /* rows that are held at a value other than 0 */
    for (int64_t i = 0; i < m; i++) {
        s->x[i] = state[i] == SADDLE__BASIC ? 0.0 : lambda[i];
        moving += s->x[i] != 0.0;
        w[i] = q[i];
    }
    if (moving > 0) add_product(&s->W, s->x, w, NULL);
    for (int64_t i = 0; i < m; i++) s->x[i] = state[i] == SADDLE__BASIC ? -w[i] : 0.0;
    saddle_status status = saddle__factorization_solve(s->factors, s->x);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < m; i++) {
        if (!isfinite(s->x[i])) return SADDLE_NOT_CONVERGED;
        if (state[i] == SADDLE__BASIC) lambda[i] = s->x[i];
        w[i] = q[i];
        noise[i] = fabs(q[i]);
    }
    add_product(&s->W, lambda, w, noise);
    for (int64_t i = 0; i < m; i++) noise[i] *= 8.0 * DBL_EPSILON;
    return SADDLE_OK;
}

saddle__basis saddle__sparse_basis_table(saddle__sparse_basis *basis)
{
    saddle__basis table = {.user = basis, .enter = enter, .solve = solve};
    return table;
}
