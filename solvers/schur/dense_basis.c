/* SPDX-License-Identifier: MIT */
/* The dense basis, see basis.h:  W_FF = L L', rows of F in the order in which they came.
 *
 *     row i enters     L y = W_Fi, d = W_ii - y'y:   (y', sqrt(d)) becomes the last row of L
 *     row p leaves   it is struck out of L, and rotations of neighbouring columns make the rest
 *         triangular again
 *                      (Golub and Van Loan, Matrix Computations, 4th ed., 6.5.3 and 6.5.4)
 *     many rows        L anew, by LAPACK
 *
 * Where W_FF is not definite, L U with row exchanges takes the place of L L'. */
#include "basis.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "dense/lapack.h"

enum { NONE = 0, CHOLESKY = 1, LU = 2 };

enum {
    MOST_UPDATES = 64, /* of one factor: they lose a few digits in the long run */
    UPDATE_COST = 40   /* an update of order k costs as much as k / UPDATE_COST-th of a factor */
};

/* A pivot below this multiple of the row's size is not trusted in an update. */
static const double vanishing = 1e-13;

void saddle__dense_basis_clear(saddle__dense_basis *s)
{
    saddle_release(s->context, s->W);
    saddle_release(s->context, s->L);
    saddle_release(s->context, s->root);
    saddle_release(s->context, s->held);
    saddle_release(s->context, s->x);
    saddle_release(s->context, s->member);
    saddle_release(s->context, s->place);
    saddle_release(s->context, s->pivot);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__dense_basis_create(saddle_context *context, int64_t m, saddle__dense_basis *s)
{
    saddle__dense_basis fresh = {.context = context, .m = m};
    *s = fresh;
    if (m > INT_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "a dense basis of %lld rows", (long long)m);
    s->W = saddle_allocate(context, m * m, sizeof(*s->W));
    s->L = saddle_allocate(context, m * m, sizeof(*s->L));
    s->root = saddle_allocate(context, m, sizeof(*s->root));
    s->held = saddle_allocate(context, m, sizeof(*s->held));
    s->x = saddle_allocate(context, m, sizeof(*s->x));
    s->member = saddle_allocate(context, m, sizeof(*s->member));
    s->place = saddle_allocate(context, m, sizeof(*s->place));
    s->pivot = saddle_allocate(context, m, sizeof(*s->pivot));
    if (s->W && s->L && s->root && s->held && s->x && s->member && s->place && s->pivot)
        return SADDLE_OK;
    saddle__dense_basis_clear(s);
    return SADDLE_OUT_OF_MEMORY;
}

/* In tiles that fit the cache. */
void saddle__dense_mirror(int64_t m, double *W)
{
    enum { TILE = 32 };
    for (int64_t jj = 0; jj < m; jj += TILE)
        for (int64_t ii = jj; ii < m; ii += TILE)
            for (int64_t j = jj; j < jj + TILE && j < m; j++)
                for (int64_t i = ii > j ? ii : j; i < ii + TILE && i < m; i++)
                    W[j + i * m] = W[i + j * m];
}

void saddle__dense_basis_set(saddle__dense_basis *s, const saddle_matrix *W, const double *added,
                             const double *size)
{
    int64_t m = s->m;
    for (int64_t j = 0; j < m; j++) {
        double *column = s->W + j * m;
        memset(column + j, 0, (size_t)(m - j) * sizeof(*column));
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) column[W->index[k]] = W->value[k];
        s->root[j] = sqrt(size[j]);
    }
    saddle__dense_mirror(m, s->W);
    saddle__dense_basis_shift(s, W, added);
}

void saddle__dense_basis_shift(saddle__dense_basis *s, const saddle_matrix *W, const double *added)
{
    for (int64_t j = 0; j < s->m; j++) {
        s->W[j + j * s->m] = W->value[W->start[j]] + added[j]; /* a lower triangle's columns begin
                                                                  on the diagonal */
        s->place[j] = -1;
    }
    s->count = 0;
    s->method = NONE;
}

/* ---- the factor ---- */

static void gather(saddle__dense_basis *s, int whole)
{
    for (int64_t b = 0; b < s->count; b++) {
        const double *column = s->W + s->member[b] * s->m;
        double *to = s->L + b * s->m;
        for (int64_t a = whole ? 0 : b; a < s->count; a++) to[a] = column[s->member[a]];
    }
}

static saddle_status factor_anew(saddle__dense_basis *s, const signed char *state)
{
    s->count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        s->place[i] = state[i] == SADDLE__BASIC ? s->count : -1;
        if (state[i] == SADDLE__BASIC) s->member[s->count++] = i;
    }
    s->updates = 0;
    s->made++;
    int size = (int)s->count;
    int ld = (int)s->m;
    int info = 0;
    s->method = CHOLESKY;
    if (size == 0) return SADDLE_OK;
    gather(s, 0);
    dpotrf_("L", &size, s->L, &ld, &info, 1);
    if (info == 0) return SADDLE_OK;
    gather(s, 1);
    dgetrf_(&size, &size, s->L, &ld, s->pivot, &info);
    s->method = info == 0 ? LU : NONE;
    return info == 0 ? SADDLE_OK : SADDLE_NOT_CONVERGED;
}

/* x (count) <- L^-1 x, or L'^-1 x */
static void solve_triangle(const saddle__dense_basis *s, int transposed, double *x)
{
    int size = (int)s->count;
    int ld = (int)s->m;
    int one = 1;
    dtrsv_("L", transposed ? "T" : "N", "N", &size, s->L, &ld, x, &one, 1, 1, 1);
}

/* 0: the pivot vanished, the factor is as it was */
static int append(saddle__dense_basis *s, int64_t row)
{
    const double *column = s->W + row * s->m;
    double d = column[row];
    for (int64_t a = 0; a < s->count; a++) s->x[a] = column[s->member[a]];
    if (s->count > 0) solve_triangle(s, 0, s->x);
    for (int64_t a = 0; a < s->count; a++) d -= s->x[a] * s->x[a];
    if (!(d > vanishing * s->root[row] * s->root[row])) return 0;
    for (int64_t a = 0; a < s->count; a++) s->L[s->count + a * s->m] = s->x[a];
    s->L[s->count + s->count * s->m] = sqrt(d);
    s->place[row] = s->count;
    s->member[s->count++] = row;
    return 1;
}

static void strike(saddle__dense_basis *s, int64_t row)
{
    int64_t m = s->m;
    int64_t p = s->place[row];
    int64_t k = --s->count;
    for (int64_t c = 0; c <= k; c++) { /* rows below p move up, also into what was above the
                                          diagonal */
        int64_t from = c > p ? c - 1 : p;
        memmove(s->L + from + c * m, s->L + from + 1 + c * m, (size_t)(k - from) * sizeof(*s->L));
    }
    for (int64_t j = p; j < k; j++) {
        double *left = s->L + j * m;
        double *right = left + m;
        double length = hypot(left[j], right[j]);
        double cosine = left[j] / length;
        double sine = right[j] / length;
        for (int64_t i = j; i < k; i++) {
            double l = left[i];
            left[i] = cosine * l + sine * right[i];
            right[i] = cosine * right[i] - sine * l;
        }
    }
    for (int64_t a = p; a < k; a++) {
        s->member[a] = s->member[a + 1];
        s->place[s->member[a]] = a;
    }
    s->place[row] = -1;
}

static saddle_status enter(void *user, const signed char *state)
{
    saddle__dense_basis *s = user;
    int64_t changes = 0;
    for (int64_t i = 0; i < s->m; i++) changes += (state[i] == SADDLE__BASIC) != (s->place[i] >= 0);
    if (changes == 0 && s->method != NONE) return SADDLE_OK;
    int update = s->method == CHOLESKY && changes * UPDATE_COST <= s->count &&
                 s->updates + changes <= MOST_UPDATES;
    if (!update) return factor_anew(s, state);
    s->updates += changes;
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] != SADDLE__BASIC && s->place[i] >= 0) strike(s, i);
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] == SADDLE__BASIC && s->place[i] < 0 && !append(s, i))
            return factor_anew(s, state);
    return SADDLE_OK;
}

/* ---- solving ---- */

/* y += sum_a W_(:, list[a]) x[a] */
static void add_columns(const saddle__dense_basis *s, int64_t count, const int64_t *list,
                        const double *x, double *restrict y)
{
    int64_t m = s->m;
    int64_t a = 0;
    for (; a + 4 <= count; a += 4) {
        const double *c0 = s->W + list[a] * m;
        const double *c1 = s->W + list[a + 1] * m;
        const double *c2 = s->W + list[a + 2] * m;
        const double *c3 = s->W + list[a + 3] * m;
        double x0 = x[a];
        double x1 = x[a + 1];
        double x2 = x[a + 2];
        double x3 = x[a + 3];
        for (int64_t i = 0; i < m; i++)
            y[i] += (c0[i] * x0 + c1[i] * x1) + (c2[i] * x2 + c3[i] * x3);
    }
    for (; a < count; a++) {
        const double *c = s->W + list[a] * m;
        for (int64_t i = 0; i < m; i++) y[i] += c[i] * x[a];
    }
}

static void solve_factored(saddle__dense_basis *s)
{
    if (s->count == 0) return;
    if (s->method == LU) {
        int size = (int)s->count;
        int ld = (int)s->m;
        int one = 1;
        int info;
        dgetrs_("N", &size, &one, s->L, &ld, s->pivot, s->x, &ld, &info, 1);
        return;
    }
    solve_triangle(s, 0, s->x);
    solve_triangle(s, 1, s->x);
}

static void tell_noise(const saddle__dense_basis *s, const double *q, const double *lambda,
                       double *noise)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->m; i++) sum += s->root[i] * fabs(lambda[i]);
    for (int64_t i = 0; i < s->m; i++)
        noise[i] = 8.0 * DBL_EPSILON * (s->root[i] * sum + fabs(q[i]));
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    saddle__dense_basis *s = user;
    int64_t m = s->m;
    for (int64_t i = 0; i < m; i++) w[i] = q[i];
    int64_t held = 0;
    for (int64_t j = 0; j < m; j++) {
        if (state[j] == SADDLE__BASIC || lambda[j] == 0.0) continue;
        s->held[held] = j;
        s->x[held++] = lambda[j];
    }
    add_columns(s, held, s->held, s->x, w);
    for (int64_t a = 0; a < s->count; a++) s->x[a] = -w[s->member[a]];
    solve_factored(s);
    for (int64_t a = 0; a < s->count; a++) {
        if (!isfinite(s->x[a])) return SADDLE_NOT_CONVERGED;
        lambda[s->member[a]] = s->x[a];
    }
    add_columns(s, s->count, s->member, s->x, w);
    tell_noise(s, q, lambda, noise);
    return SADDLE_OK;
}

/* lambda += what makes the w that it has left vanish */
static saddle_status correct(void *user, const signed char *state, const double *q, double *lambda,
                             double *w, double *noise)
{
    saddle__dense_basis *s = user;
    (void)state;
    for (int64_t a = 0; a < s->count; a++) s->x[a] = -w[s->member[a]];
    solve_factored(s);
    for (int64_t a = 0; a < s->count; a++)
        if (!isfinite(s->x[a])) return SADDLE_OK; /* it stays as it was, and is found inexact */
    for (int64_t a = 0; a < s->count; a++) lambda[s->member[a]] += s->x[a];
    add_columns(s, s->count, s->member, s->x, w);
    tell_noise(s, q, lambda, noise);
    return SADDLE_OK;
}

static saddle_status renew(void *user, const signed char *state)
{
    return factor_anew(user, state);
}

saddle__basis saddle__dense_basis_table(saddle__dense_basis *basis)
{
    saddle__basis table = {
        .user = basis, .enter = enter, .solve = solve, .correct = correct, .renew = renew};
    return table;
}
