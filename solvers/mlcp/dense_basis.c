/* SPDX-License-Identifier: MIT */
/* The dense basis, for any W, symmetric or not, with columns made available on request:
 *
 *     A x = r,   A = (W + E)_FF + W_FS sigma
 *
 *     F  the basic rows
 *     S  the tangents that slide, lambda_S = sigma lambda_n
 *
 * A = L U is factored for a first set F, with row exchanges.  For sets that differ by a few rows A
 * grows, and L U with A (Bisschop and Meeraus, Math. Programming 13, 1977; Gill, Murray, Saunders
 * and Wright, Linear Algebra Appl. 88/89, 1987), by an unknown and an equation a change:
 *
 *     row i enters F                  lambda_i             w_i = 0
 *     row i leaves F (a tie)          an error of w_i = 0  lambda_i = sigma lambda_n, sigma = 0
 *                                                          unless row i slides
 *     row i with a tie enters again   an error of the tie  the error of w_i = 0 is 0
 *
 * A is factored anew for many changes, and where w_F of a solve stays above rounding. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "dense/lapack.h"
#include "dense/lu.h"
#include "mlcp/system.h"

/* Unknowns of A beyond the basic rows; A of order k is factored anew for more than k / GROWTH
 * changes at once; columns of a panel. */
enum { BORDER = 48, GROWTH = 8, PANEL = 768 };

typedef struct dense_basis {
    saddle_context *context;
    saddle__layout layout;
    int64_t m; /* rows->count */
    saddle__columns W;
    saddle__mlcp_rows *rows;
    int64_t made;  /* factorizations since create */
    int64_t most;  /* unknowns at most */
    double *LU;    /* size x size, leading dimension most */
    int *exchange; /* size */
    int64_t size;  /* unknowns and equations of A; -1 = no factor */
    int64_t fresh; /* size as factored with row exchanges */
    int64_t basic; /* rows of the present set */
    int64_t *row;  /* size: the row of an unknown and its equation */
    int64_t *of; /* size: -1, or of a tie and of what lifts a tie the unknown and equation before */
    double *tie; /* size: sigma of a tie */
    int64_t *place;   /* m: the row's unknown, -1 = none */
    int64_t *tied_at; /* m: the unknown of the row's tie, -1 = none */
    double *folded;   /* m: sigma in A's columns of normals */
    double *sigma;    /* m: of the present set */
    int64_t *list;    /* m: scratch */
    double *x;        /* most */
    double *modulus;  /* m: |q| + |W||lambda| */
    double *step;     /* m: of a correction, of a sweep */
} dense_basis;

static void clear(void *user)
{
    dense_basis *s = user;
    saddle_context *context = s->context;
    saddle__layout_clear(context, &s->layout);
    saddle_release(context, s);
}

static const double *column_of(const dense_basis *s, int64_t row)
{
    return s->W.value + row * s->m;
}

static saddle_status prepare(const dense_basis *s, int64_t count, const int64_t *row)
{
    return s->W.prepare ? s->W.prepare(s->W.user, count, row) : SADDLE_OK;
}

/* The unknown of tangent i's normal row; -1 = none. */
static int64_t place_of_normal(const dense_basis *s, int64_t i)
{
    const int64_t *normal = s->rows->normal;
    return normal && normal[i] >= 0 ? s->place[normal[i]] : -1;
}

/* ---- panels ----
 *
 * L U by panels of columns, between which W.stop is asked: LAPACK's own, of ten thousand
 * columns, would take a minute without.  Right-looking, as LAPACK's: the panel, the part right of
 * the panel in its rows, the rest less their product.  Up to two panels are LAPACK's at once. */

static const double one = 1.0;
static const double minus_one = -1.0;

static double *at(double *A, int ld, int row, int col)
{
    return A + row + (int64_t)col * ld;
}

static int width_at(int size, int k)
{
    return size - k < 2 * PANEL ? size - k : PANEL;
}

static saddle_status asked(const dense_basis *s)
{
    return s->W.stop ? s->W.stop(s->W.user) : SADDLE_OK;
}

/* SADDLE_NOT_CONVERGED: singular. */
static saddle_status factor(dense_basis *s, int size)
{
    double *A = s->LU;
    int *exchange = s->exchange;
    int ld = (int)s->most;
    const int forward = 1;
    saddle_status status = SADDLE_OK;
    if (size < 2 * PANEL)
        return saddle__lu_factor(0, size, A, ld, exchange) ? SADDLE_OK : SADDLE_NOT_CONVERGED;
    for (int k = 0; k < size && status == SADDLE_OK;) {
        int width = width_at(size, k);
        int rows = size - k;
        int rest = rows - width;
        int first = k + 1;
        int last = k + width;
        int info = 0;
        double *corner = at(A, ld, k, k);
        dgetrf_(&rows, &width, corner, &ld, exchange + k, &info);
        if (info != 0) return SADDLE_NOT_CONVERGED;
        for (int j = k; j < last; j++) exchange[j] += k;
        if (k > 0) dlaswp_(&k, A, &ld, &first, &last, exchange, &forward);
        if (rest == 0) return SADDLE_OK;
        double *right = at(A, ld, k, last);
        double *below = at(A, ld, last, k);
        dlaswp_(&rest, at(A, ld, 0, last), &ld, &first, &last, exchange, &forward);
        dtrsm_("L", "L", "N", "U", &width, &rest, &one, corner, &ld, right, &ld, 1, 1, 1, 1);
        dgemm_("N", "N", &rest, &rest, &width, &minus_one, below, &ld, right, &ld, &one,
               at(A, ld, last, last), &ld, 1, 1);
        k = last;
        status = asked(s);
    }
    return status;
}

/* ---- the factor ---- */

/* W_FF + E */
static void gather(dense_basis *s)
{
    for (int64_t b = 0; b < s->size; b++) {
        const double *column = column_of(s, s->row[b]);
        double *to = s->LU + b * s->most;
        for (int64_t a = 0; a < s->size; a++) to[a] = column[s->row[a]];
        to[b] += s->rows->E[s->row[b]];
    }
}

/* Adds the columns of sliding tangents to the columns of their normals. */
static void fold(dense_basis *s)
{
    for (int64_t t = 0; s->rows->normal && t < s->m; t++) {
        if (s->folded[t] == 0.0) continue;
        const double *column = column_of(s, t);
        double *to = s->LU + place_of_normal(s, t) * s->most;
        for (int64_t a = 0; a < s->size; a++) to[a] += s->folded[t] * column[s->row[a]];
    }
}

static saddle_status factor_anew(dense_basis *s, const signed char *state)
{
    s->size = 0;
    for (int64_t i = 0; i < s->m; i++) {
        s->folded[i] = s->sigma[i];
        s->place[i] = s->tied_at[i] = -1;
        if (state[i] != SADDLE__BASIC) continue;
        s->place[i] = s->size;
        s->of[s->size] = -1;
        s->row[s->size++] = i;
    }
    s->fresh = s->size;
    s->made++;
    gather(s);
    fold(s);
    saddle_status status = factor(s, (int)s->size);
    if (status != SADDLE_OK) s->size = -1;
    return status;
}

/* ---- growth ---- */

/* Of row i the sigma that its tie has to have. */
static double wanted_tie(const dense_basis *s, const signed char *state, int64_t i)
{
    return saddle__slides(s->rows->normal, state, i) ? s->sigma[i] - s->folded[i] : 0.0;
}

/* Row i has an unknown, or needs one: basic, or sliding in another way than as factored. */
static int is_member(const dense_basis *s, const signed char *state, int64_t i)
{
    return s->place[i] >= 0 || state[i] == SADDLE__BASIC ||
           (saddle__slides(s->rows->normal, state, i) && s->sigma[i] != s->folded[i]);
}

/* Row i's tie is to be lifted. */
static int is_lifted(const dense_basis *s, const signed char *state, int64_t i)
{
    int64_t at = s->tied_at[i];
    return at >= 0 && (state[i] == SADDLE__BASIC || s->tie[at] != wanted_tie(s, state, i));
}

static int needs_tie(const dense_basis *s, const signed char *state, int64_t i)
{
    return state[i] != SADDLE__BASIC && (s->tied_at[i] < 0 || is_lifted(s, state, i));
}

/* Unknowns that the present set needs more. */
static int64_t count_changes(const dense_basis *s, const signed char *state)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        if (!is_member(s, state, i)) continue;
        count += (s->place[i] < 0) + is_lifted(s, state, i) + needs_tie(s, state, i);
    }
    return count;
}

/* The next unknown and equation, of row i: zeros in A. */
static int64_t append(dense_basis *s, int64_t i, int64_t of)
{
    int64_t k = s->size++;
    s->row[k] = i;
    s->of[k] = of;
    s->tie[k] = 0.0;
    for (int64_t a = 0; a <= k; a++) s->LU[a + k * s->most] = s->LU[k + a * s->most] = 0.0;
    return k;
}

static void append_row(dense_basis *s, int64_t i)
{
    int64_t k = s->place[i] = append(s, i, -1);
    const double *own = column_of(s, i);
    for (int64_t a = 0; a <= k; a++) {
        if (s->of[a] >= 0) continue;
        s->LU[a + k * s->most] = own[s->row[a]];
        s->LU[k + a * s->most] = column_of(s, s->row[a])[i];
    }
    s->LU[k + k * s->most] += s->rows->E[i];
    for (int64_t t = 0; s->rows->normal && t < s->m; t++) {
        if (s->folded[t] == 0.0) continue;
        double diagonal = t == i ? s->rows->E[i] : 0.0;
        s->LU[k + place_of_normal(s, t) * s->most] += s->folded[t] *
                                                      (column_of(s, t)[i] + diagonal);
    }
}

/* The unknown is an error of equation `of`; the equation is: unknown `of` = sigma lambda_n. */
static int64_t append_tie(dense_basis *s, int64_t i, int64_t of, double sigma)
{
    int64_t k = append(s, i, of);
    s->LU[of + k * s->most] = s->LU[k + of * s->most] = 1.0;
    s->tie[k] = sigma;
    if (sigma != 0.0) s->LU[k + place_of_normal(s, i) * s->most] = -sigma;
    return k;
}

/* 0: A is singular. */
static int grow(dense_basis *s, const signed char *state)
{
    int64_t done = s->size;
    for (int64_t i = 0; i < s->m; i++)
        if (s->place[i] < 0 && is_member(s, state, i)) append_row(s, i);
    for (int64_t i = 0; i < s->m; i++) {
        if (s->place[i] < 0) continue;
        int ties = needs_tie(s, state, i);
        if (is_lifted(s, state, i)) {
            (void)append_tie(s, i, s->tied_at[i], 0.0);
            s->tied_at[i] = -1;
        }
        if (ties) s->tied_at[i] = append_tie(s, i, s->place[i], wanted_tie(s, state, i));
    }
    return s->size == done ||
           saddle__lu_factor((int)done, (int)s->size, s->LU, (int)s->most, s->exchange);
}

/* ---- entering ---- */

static saddle_status enter(void *user, const signed char *state)
{
    dense_basis *s = user;
    int64_t count = 0;
    s->basic = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int slides = saddle__slides(s->rows->normal, state, i);
        s->sigma[i] = slides ? (double)state[i] * s->rows->mu[i] : 0.0;
        s->basic += state[i] == SADDLE__BASIC;
        if (state[i] == SADDLE__BASIC || s->sigma[i] != 0.0) s->list[count++] = i;
    }
    saddle_status status = prepare(s, count, s->list); /* of basic and sliding rows */
    if (status != SADDLE_OK) return status;
    int64_t changes = s->size >= 0 ? count_changes(s, state) : 0;
    if (s->size < 0 || s->size + changes > s->basic + s->most - s->m || changes * GROWTH > s->size)
        return factor_anew(s, state);
    return grow(s, state) ? SADDLE_OK : factor_anew(s, state);
}

/* ---- solving ---- */

/* w += (W + E)_(:, j) lambda_j, modulus the same of absolute values, for the `count` rows in
 * list. */
static void add_columns(dense_basis *s, int64_t count, const double *lambda, double *restrict w)
{
    double *restrict modulus = s->modulus;
    int64_t k = 0;
    for (; k + 2 <= count; k += 2) {
        const double *restrict a = column_of(s, s->list[k]);
        const double *restrict b = column_of(s, s->list[k + 1]);
        double x = lambda[s->list[k]];
        double y = lambda[s->list[k + 1]];
        for (int64_t i = 0; i < s->m; i++) {
            double first = a[i] * x;
            double second = b[i] * y;
            w[i] += first + second;
            modulus[i] += fabs(first) + fabs(second);
        }
    }
    for (; k < count; k++) {
        const double *restrict a = column_of(s, s->list[k]);
        double x = lambda[s->list[k]];
        for (int64_t i = 0; i < s->m; i++) {
            w[i] += a[i] * x;
            modulus[i] += fabs(a[i] * x);
        }
    }
    for (k = 0; k < count; k++) w[s->list[k]] += s->rows->E[s->list[k]] * lambda[s->list[k]];
}

/* w = q + W lambda of the rows at bounds. */
static saddle_status add_held(dense_basis *s, const signed char *state, const double *q,
                              const double *lambda, double *w)
{
    int64_t held = 0;
    for (int64_t i = 0; i < s->m; i++) {
        w[i] = q[i];
        s->modulus[i] = fabs(q[i]);
        int moves = state[i] == SADDLE__BASIC || saddle__slides(s->rows->normal, state, i);
        if (!moves && lambda[i] != 0.0) s->list[held++] = i;
    }
    saddle_status status = prepare(s, held, s->list);
    if (status == SADDLE_OK) add_columns(s, held, lambda, w);
    return status;
}

/* x from w = q + W lambda of the rows at bounds. */
static void solve_factored(dense_basis *s, const double *w)
{
    int size = (int)s->size, ld = (int)s->most;
    for (int64_t a = 0; a < s->size; a++) s->x[a] = s->of[a] < 0 ? -w[s->row[a]] : 0.0;
    saddle__lu_solve(size, s->LU, ld, s->exchange, 1, s->x, ld);
}

/* lambda of basic and sliding rows; list: the nonzero entries.  Returns their number; -1: not
 * finite. */
static int64_t take_impulses(dense_basis *s, const signed char *state, double *lambda)
{
    int64_t moving = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int basic = state[i] == SADDLE__BASIC;
        int slides = saddle__slides(s->rows->normal, state, i);
        if (basic) lambda[i] = s->x[s->place[i]];
        if (basic && s->folded[i] != 0.0) lambda[i] += s->folded[i] * s->x[place_of_normal(s, i)];
        if (slides) lambda[i] = s->sigma[i] * lambda[s->rows->normal[i]];
        if (!isfinite(lambda[i])) return -1;
        if ((slides || basic) && lambda[i] != 0.0) s->list[moving++] = i;
    }
    return moving;
}

static void tell_noise(const dense_basis *s, double *noise)
{
    for (int64_t i = 0; i < s->m; i++) noise[i] = SADDLE__SUM_ROUNDING * s->modulus[i];
}

/* lambda -= A^-1 w_F on the basic and sliding rows.  Ties have errors of their own, whose rounding
 * would be that of w, not of w_F. */
static saddle_status correct(dense_basis *s, const signed char *state, const double *q,
                             double *lambda, double *w, double *noise)
{
    for (int64_t i = 0; i < s->m; i++) s->step[i] = state[i] == SADDLE__BASIC ? w[i] : 0.0;
    solve_factored(s, s->step);
    saddle__zero(s->step, s->m);
    if (take_impulses(s, state, s->step) < 0) return SADDLE_OK; /* unchanged, still inexact */
    for (int64_t i = 0; i < s->m; i++) lambda[i] += s->step[i];
    for (int64_t i = 0; i < s->m; i++)
        if (saddle__slides(s->rows->normal, state, i))
            lambda[i] = s->sigma[i] * lambda[s->rows->normal[i]];
    saddle_status status = add_held(s, state, q, lambda, w);
    if (status != SADDLE_OK) return status;
    int64_t moving = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int moves = state[i] == SADDLE__BASIC || saddle__slides(s->rows->normal, state, i);
        if (moves && lambda[i] != 0.0) s->list[moving++] = i;
    }
    add_columns(s, moving, lambda, w);
    tell_noise(s, noise);
    return SADDLE_OK;
}

/* w of the basic rows is no more than noise. */
static int is_rounding(const dense_basis *s, const signed char *state, const double *w,
                       const double *noise)
{
    int64_t i = 0;
    while (i < s->m && (state[i] != SADDLE__BASIC || fabs(w[i]) <= noise[i])) i++;
    return i == s->m;
}

/* Growth exchanges no rows between old and new: where w_F stays above rounding, even corrected, A
 * is factored anew. */
static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    dense_basis *s = user;
    for (;;) {
        int grown = s->size > s->fresh;
        saddle_status status = add_held(s, state, q, lambda, w);
        if (status != SADDLE_OK) return status;
        solve_factored(s, w);
        int64_t moving = take_impulses(s, state, lambda);
        if (moving >= 0) add_columns(s, moving, lambda, w);
        tell_noise(s, noise);
        if (!grown) return moving >= 0 ? SADDLE_OK : SADDLE_NOT_CONVERGED;
        if (moving >= 0 && !is_rounding(s, state, w, noise)) {
            status = correct(s, state, q, lambda, w, noise);
            if (status != SADDLE_OK) return status;
        }
        if (moving >= 0 && is_rounding(s, state, w, noise)) return SADDLE_OK;
        status = factor_anew(s, state);
        if (status != SADDLE_OK) return status;
    }
}

/* New values of W, E or mu: no factor is left. */
static void refresh(void *user, const saddle_matrix *W)
{
    dense_basis *s = user;
    (void)W;
    s->size = -1;
}

/* ---- sweeps ---- */

/* Row i is at a bound where w_i keeps it. */
static int rests(double lambda, double w, saddle__interval bounds)
{
    return (lambda == bounds.lo && w >= 0.0) || (lambda == bounds.hi && w <= 0.0);
}

/* One projected Gauss-Seidel sweep, w = q + (W + E) lambda; inverse (m): 1 / (W + E)_jj of the
 * positive ones known so far, else 0; a row without is left out.  Returns 1 where a row came to a
 * bound or left a bound. */
static int sweep_once(dense_basis *s, double *restrict inverse, double *restrict w)
{
    saddle__mlcp_rows *rows = s->rows;
    int moved = 0;
    for (int64_t j = 0; j < s->m; j++) {
        saddle__interval bounds = saddle__mlcp_bounds(rows, j);
        double before = rows->lambda[j];
        if (rests(before, w[j], bounds)) continue;
        const double *column = column_of(s, j);
        if (inverse[j] == 0.0 && prepare(s, 1, &j) == SADDLE_OK && column[j] + rows->E[j] > 0.0)
            inverse[j] = 1.0 / (column[j] + rows->E[j]);
        if (inverse[j] == 0.0) continue;
        double free = before - w[j] * inverse[j];
        double x = saddle__clamp(free, bounds.lo, bounds.hi);
        double change = x - before;
        if (change == 0.0) continue;
        moved |= (x == bounds.lo || x == bounds.hi) != (before == bounds.lo || before == bounds.hi);
        rows->lambda[j] = x;
        const double *restrict W = column;
        for (int64_t i = 0; i < s->m; i++) w[i] += W[i] * change;
        w[j] += rows->E[j] * change;
    }
    return moved;
}

/* ---- one by one ----
 *
 * The first basis of few rows that push one way: from lambda = 0, the row that violates its law
 * most, in kinetic units, enters, until none does; none leaves.  One factorization in all.  Rows
 * stand in the order `list`: those that have entered, then the others, as w and the rows of L do.
 *
 *     c_k = W_k - sum_j L_j U_jk,   U_kk = c_kk,   L_k = c_k / U_kk,   w -= c_k w_k / U_kk */

static int goes_one_by_one(const dense_basis *s)
{
    const saddle__mlcp_rows *rows = s->rows;
    int one_way = !rows->normal && !s->W.prepare && s->m <= SADDLE__LU_FEW / 2;
    for (int64_t i = 0; one_way && i < s->m; i++)
        one_way = (rows->lo[i] == 0.0 || isinf(rows->lo[i])) &&
                  (rows->hi[i] == 0.0 || isinf(rows->hi[i]));
    return one_way;
}

/* The place of the largest violation^2 / size beyond `least`; -1 = none. */
static int64_t find_worst(const dense_basis *s, const double *w, double least)
{
    const saddle__mlcp_rows *rows = s->rows;
    int64_t at = -1;
    for (int64_t a = s->size; a < s->m; a++) {
        int64_t i = s->list[a];
        double size = w[a] * w[a] * rows->step[i];
        if (!(size > least)) continue;
        int violates = w[a] < 0.0 ? rows->hi[i] > 0.0 : rows->lo[i] < 0.0;
        if (!violates) continue;
        least = size;
        at = a;
    }
    return at;
}

/* Exchanges the first row that has not entered with the row at place `at`. */
static void exchange_rows(dense_basis *s, int64_t at, double *w)
{
    int64_t k = s->size, row = s->list[k];
    double slack = w[k];
    if (at == k) return;
    s->list[k] = s->list[at];
    s->list[at] = row;
    w[k] = w[at];
    w[at] = slack;
    for (double *L = s->LU; L < s->LU + k * s->most; L += s->most) {
        double other = L[k];
        L[k] = L[at];
        L[at] = other;
    }
}

/* The row at place `at` enters, w changes; 0: its pivot vanishes. */
static int enter_one(dense_basis *s, int64_t at, double *restrict w)
{
    int64_t k = s->size, row = s->list[at];
    const double *W = column_of(s, row);
    double *restrict c = s->LU + k * s->most;
    exchange_rows(s, at, w);
    for (int64_t a = 0; a < s->m; a++) c[a] = W[s->list[a]];
    c[k] += s->rows->E[row];
    saddle__lu_forward((int)k, (int)s->m, s->LU, s->most, NULL, c);
    if (!(c[k] > SADDLE__SINGULAR_PIVOT * s->rows->size[row])) return 0;
    double inverse = c[k] = 1.0 / c[k];
    double step = s->rows->lambda[row] = -w[k] * inverse;
    for (int64_t a = k + 1; a < s->m; a++) {
        w[a] += c[a] * step;
        c[a] *= inverse;
    }
    s->place[row] = k;
    s->of[k] = -1;
    s->row[s->size++] = row;
    return 1;
}

/* From lambda = 0, w = q; lambda of the rows that enter: within their bounds. */
static void enter_one_by_one(dense_basis *s)
{
    double *w = s->modulus;
    double least = 0.0;
    s->size = 0;
    for (int64_t i = 0; i < s->m; i++) {
        w[i] = s->rows->q[i];
        s->list[i] = i;
        s->exchange[i] = (int)i + 1; /* none */
        s->place[i] = s->tied_at[i] = -1;
        s->folded[i] = 0.0;
        least = saddle__larger(least, w[i] * w[i] * s->rows->step[i]);
    }
    least *= SADDLE__ROUNDING * SADDLE__ROUNDING;
    for (int64_t at; (at = find_worst(s, w, least)) >= 0;)
        if (!enter_one(s, at, w)) break;
    s->fresh = 0; /* no rows were exchanged */
    s->made++;
}

/* From lambda = 0, w = q. */
static void sweep(void *user, int sweeps)
{
    dense_basis *s = user;
    int64_t count = 0;
    if (goes_one_by_one(s)) {
        enter_one_by_one(s);
        return;
    }
    for (int64_t i = 0; i < s->m; i++) {
        s->x[i] = s->rows->q[i];
        saddle__interval bounds = saddle__mlcp_bounds(s->rows, i);
        if (!rests(s->rows->lambda[i], s->x[i], bounds)) s->list[count++] = i;
    }
    if (prepare(s, count, s->list) != SADDLE_OK) return;
    if (s->m > 0) memset(s->step, 0, (size_t)s->m * sizeof *s->step);
    for (int k = 0; k < sweeps; k++)
        if (!sweep_once(s, s->step, s->x)) break;
}

saddle_status saddle__dense_basis_create(saddle_context *context, const saddle__columns *W,
                                         saddle__mlcp_rows *rows, saddle__basis *basis)
{
    int64_t m = rows->count;
    if (m > INT_MAX / 2 - BORDER)
        return saddle_fail(context, SADDLE_TOO_LARGE, "a dense basis of %lld rows", (long long)m);
    dense_basis *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    const int64_t most = m + (m < BORDER ? m : BORDER);
    const saddle__array arrays[] = {
        SADDLE__ARRAY(s->folded, m),      SADDLE__ARRAY(s->sigma, m),
        SADDLE__ARRAY(s->modulus, m),     SADDLE__ARRAY(s->step, m),
        SADDLE__ARRAY(s->place, m),       SADDLE__ARRAY(s->tied_at, m),
        SADDLE__ARRAY(s->list, m),        SADDLE__ARRAY(s->row, most),
        SADDLE__ARRAY(s->of, most),       SADDLE__ARRAY(s->tie, most),
        SADDLE__ARRAY(s->x, most),        SADDLE__ARRAY(s->exchange, most),
        SADDLE__ARRAY(s->LU, most * most)};
    *s = (dense_basis){.context = context, .m = m, .W = *W, .rows = rows, .most = most, .size = -1};
    *basis = (saddle__basis){.user = s,
                             .enter = enter,
                             .solve = solve,
                             .refresh = refresh,
                             .sweep = sweep,
                             .made = &s->made,
                             .clear = clear};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}
