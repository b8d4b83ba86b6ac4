/* SPDX-License-Identifier: MIT */
/* The dense basis, for any W, symmetric or not, with columns made available on request:
 *
 *     A x = r,   A = (W + E)_FF + W_FS sigma
 *         F the basic rows, S the tangents that slide, lambda_S = sigma lambda_n
 *
 * A is factored for a first set F: L U with row exchanges, or L L' where W is symmetric, nothing
 * slides, A is definite and its rows are many.  For sets that differ by a few rows the factor stays
 * and the difference is a border (Bisschop and Meeraus, Math. Programming 13, 1977; Gill, Murray,
 * Saunders and Wright, Linear Algebra Appl. 88/89, 1987):
 *
 *     [ A  B ] [x]   [r]
 *     [ C  D ] [y] = [s]
 *
 *     a row that leaves F    B: e_i, its equation may fail    C: lambda_i = sigma lambda_n, with
 *                                                                sigma = 0 unless row i slides
 *     a row that enters F    B: column W_i                    C: w_i = 0
 *     sigma changes          B: column W_i                    C: y_i = (change of sigma) lambda_n
 *
 *     (D - C Z) y = s - C u,   u = A^-1 r,   Z = A^-1 B,   x = u - Z y
 *
 * A is factored anew when the border is full, or when the border no longer leaves w_F = 0
 * (pivoting.c checks). */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/vector.h"
#include "dense/lapack.h"
#include "dense/lu.h"
#include "mlcp/system.h"

/* Columns of a border; a border column of order k costs as much as k / COLUMN_COST-th of a factor;
 * columns of a panel. */
enum { BORDER = 48, COLUMN_COST = 12, PANEL = 768 };

typedef struct dense_basis {
    saddle_context *context;
    saddle__layout layout;
    int64_t m; /* rows->count */
    saddle__columns W;
    saddle__mlcp_rows *rows;
    saddle__basis_counts counts;
    int64_t border;     /* slots at most */
    double *LU;         /* count x count, leading dimension m */
    int definite;       /* L of L L', in the lower triangle */
    int *pivot;         /* count */
    int64_t count;      /* of F as factored; -1 = no factor */
    int64_t *member;    /* count: F */
    int64_t *place;     /* m: position of a row in member; -1 = absent */
    double *folded;     /* m: sigma as factored */
    int64_t slots;      /* border columns made */
    int64_t *slot;      /* m: of a row, -1 = none */
    int64_t *bordering; /* slots: the row of each */
    double *Z;          /* m x slots */
    double *C;          /* m x slots: coefficients of w_i = 0 in x, for rows outside F */
    double *CZ;         /* slots x slots, leading dimension border */
    int64_t active;     /* slots of the present set */
    int64_t *used;      /* active: the slots */
    double *S;          /* active x active, leading dimension border: D - C Z, factored */
    int *S_pivot;       /* active */
    double *y;          /* active */
    double *sigma;      /* m: of the present set */
    int64_t *list;      /* m: scratch */
    double *x;          /* m */
    double *modulus;    /* m: |q| + |W||lambda| */
    double *step;       /* m: of a correction */
} dense_basis;

static void place(dense_basis *s)
{
    double **each_row[] = {&s->folded, &s->sigma, &s->x, &s->modulus, &s->step};
    int64_t **each_number[] = {&s->member, &s->place, &s->slot, &s->list};
    for (size_t k = 0; k < sizeof each_row / sizeof *each_row; k++)
        *each_row[k] = saddle__layout_take(&s->layout, s->m, sizeof(double));
    for (size_t k = 0; k < sizeof each_number / sizeof *each_number; k++)
        *each_number[k] = saddle__layout_take(&s->layout, s->m, sizeof(int64_t));
    s->pivot = saddle__layout_take(&s->layout, s->m, sizeof *s->pivot);
    s->LU = saddle__layout_take(&s->layout, s->m * s->m, sizeof *s->LU);
    s->bordering = saddle__layout_take(&s->layout, s->border, sizeof *s->bordering);
    s->used = saddle__layout_take(&s->layout, s->border, sizeof *s->used);
    s->S_pivot = saddle__layout_take(&s->layout, s->border, sizeof *s->S_pivot);
    s->y = saddle__layout_take(&s->layout, s->border, sizeof *s->y);
    s->Z = saddle__layout_take(&s->layout, s->m * s->border, sizeof *s->Z);
    s->C = saddle__layout_take(&s->layout, s->m * s->border, sizeof *s->C);
    s->CZ = saddle__layout_take(&s->layout, s->border * s->border, sizeof *s->CZ);
    s->S = saddle__layout_take(&s->layout, s->border * s->border, sizeof *s->S);
}

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

static int is_sliding(const dense_basis *s, const signed char *state, int64_t i)
{
    return saddle__slides(s->rows->normal, state, i);
}

/* Position of tangent i's normal row in F; -1 = absent. */
static int64_t place_of_normal(const dense_basis *s, int64_t i)
{
    const int64_t *normal = s->rows->normal;
    return normal && normal[i] >= 0 ? s->place[normal[i]] : -1;
}

/* ---- panels ----
 *
 * L L' and L U by panels of columns, between which W.stop is asked: LAPACK's own, of ten thousand
 * columns, would take a minute without.  Right-looking, as LAPACK's: the panel, the part right of
 * the panel in its rows, the rest less their product.  Up to two panels are LAPACK's at once. */

static const double one = 1.0;
static const double zero = 0.0;
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

/* The lower triangle of LU.  SADDLE_NOT_CONVERGED: not definite. */
static saddle_status factor_definite(dense_basis *s, int size)
{
    double *A = s->LU;
    int ld = (int)s->m;
    saddle_status status = SADDLE_OK;
    for (int k = 0; k < size && status == SADDLE_OK;) {
        int width = width_at(size, k);
        int rest = size - k - width;
        int info = 0;
        double *corner = at(A, ld, k, k);
        dpotrf_("L", &width, corner, &ld, &info, 1);
        if (info != 0) return SADDLE_NOT_CONVERGED;
        if (rest == 0) return SADDLE_OK;
        double *below = at(A, ld, k + width, k);
        k += width;
        dtrsm_("R", "L", "T", "N", &rest, &width, &one, corner, &ld, below, &ld, 1, 1, 1, 1);
        dsyrk_("L", "N", &rest, &width, &minus_one, below, &ld, &one, at(A, ld, k, k), &ld, 1, 1);
        status = asked(s);
    }
    return status;
}

/* SADDLE_NOT_CONVERGED: singular. */
static saddle_status factor_general(dense_basis *s, int size)
{
    double *A = s->LU;
    int *exchange = s->pivot;
    int ld = (int)s->m;
    const int forward = 1;
    saddle_status status = SADDLE_OK;
    if (size < 2 * PANEL)
        return saddle__lu_factor(size, A, ld, exchange) ? SADDLE_OK : SADDLE_NOT_CONVERGED;
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

/* Column b of W_FF + E; lower: its lower triangle. */
static void gather(dense_basis *s, int lower)
{
    for (int64_t b = 0; b < s->count; b++) {
        const double *column = column_of(s, s->member[b]);
        double *to = s->LU + b * s->m;
        for (int64_t a = lower ? b : 0; a < s->count; a++) to[a] = column[s->member[a]];
        to[b] += s->rows->E[s->member[b]];
    }
}

/* Adds the columns of sliding tangents to the columns of their normals. */
static void fold(dense_basis *s)
{
    for (int64_t t = 0; s->rows->normal && t < s->m; t++) {
        if (s->folded[t] == 0.0) continue;
        const double *column = column_of(s, t);
        double *to = s->LU + place_of_normal(s, t) * s->m;
        for (int64_t a = 0; a < s->count; a++) to[a] += s->folded[t] * column[s->member[a]];
    }
}

static saddle_status factor_members(dense_basis *s, int folds)
{
    int size = (int)s->count;
    s->definite = 0;
    if (s->W.symmetric && !folds && size > SADDLE__LU_FEW) {
        gather(s, 1);
        saddle_status status = factor_definite(s, size);
        s->definite = status == SADDLE_OK;
        s->counts.definite += s->definite;
        if (status != SADDLE_NOT_CONVERGED) return status;
    }
    gather(s, 0);
    if (folds) fold(s);
    return factor_general(s, size);
}

static saddle_status factor_anew(dense_basis *s, const signed char *state)
{
    int folds = 0;
    s->count = s->slots = s->active = 0;
    for (int64_t i = 0; i < s->m; i++) {
        s->folded[i] = s->sigma[i];
        folds |= s->sigma[i] != 0.0;
        s->slot[i] = s->place[i] = -1;
        if (state[i] != SADDLE__BASIC) continue;
        s->place[i] = s->count;
        s->member[s->count++] = i;
    }
    s->counts.made++;
    saddle_status status = factor_members(s, folds);
    if (status != SADDLE_OK) s->count = -1;
    return status;
}

/* X (count x columns) <- A^-1 X */
static void solve_factored(const dense_basis *s, int64_t columns, double *X)
{
    int size = (int)s->count;
    int ld = (int)s->m;
    int wide = (int)columns;
    int info;
    if (size == 0 || wide == 0) return;
    if (s->definite && wide == 1) {
        dtrsv_("L", "N", "N", &size, s->LU, &ld, X, &wide, 1, 1, 1);
        dtrsv_("L", "T", "N", &size, s->LU, &ld, X, &wide, 1, 1, 1);
    } else if (s->definite)
        dpotrs_("L", &size, &wide, s->LU, &ld, X, &ld, &info, 1);
    else
        saddle__lu_solve(size, s->LU, ld, s->pivot, wide, X, ld);
}

/* ---- the border ---- */

static int is_slid_anew(const dense_basis *s, const signed char *state, int64_t i)
{
    double folded = place_of_normal(s, i) >= 0 ? s->folded[i] : 0.0;
    return is_sliding(s, state, i) && s->sigma[i] != folded;
}

/* The present set differs from that of the factor in row i. */
static int is_bordered(const dense_basis *s, const signed char *state, int64_t i)
{
    int basic = state[i] == SADDLE__BASIC;
    if (s->place[i] >= 0) return !basic;
    return basic || is_slid_anew(s, state, i);
}

/* C's row of w_i = 0, i outside F. */
static void gather_row(dense_basis *s, int64_t i, double *row)
{
    for (int64_t b = 0; b < s->count; b++) row[b] = column_of(s, s->member[b])[i];
    for (int64_t t = 0; s->rows->normal && t < s->m; t++) {
        if (s->folded[t] == 0.0) continue;
        double own = t == i ? s->rows->E[i] : 0.0;
        row[place_of_normal(s, t)] += s->folded[t] * (column_of(s, t)[i] + own);
    }
}

static void make_column(dense_basis *s, int64_t i)
{
    int64_t k = s->slots++;
    double *z = s->Z + k * s->m;
    double *c = s->C + k * s->m;
    s->slot[i] = k;
    s->bordering[k] = i;
    if (s->place[i] >= 0) {
        memset(z, 0, (size_t)s->count * sizeof *z);
        memset(c, 0, (size_t)s->count * sizeof *c);
        z[s->place[i]] = 1.0;
        return;
    }
    const double *column = column_of(s, i);
    for (int64_t a = 0; a < s->count; a++) z[a] = column[s->member[a]];
    gather_row(s, i, c);
}

/* CZ of rows [first, first + rows) and columns [col, col + cols). */
static void multiply(dense_basis *s, int64_t first, int64_t rows, int64_t col, int64_t cols)
{
    int height = (int)rows;
    int width = (int)cols;
    int inner = (int)s->count;
    int ld = (int)s->m;
    int border = (int)s->border;
    if (rows == 0 || cols == 0 || inner == 0) return;
    dgemm_("T", "N", &height, &width, &inner, &one, s->C + first * s->m, &ld, s->Z + col * s->m,
           &ld, &zero, s->CZ + first + col * s->border, &border, 1, 1);
}

/* Makes slots for the rows in list without a slot. */
static void extend(dense_basis *s, int64_t count)
{
    int64_t old = s->slots;
    for (int64_t k = 0; k < count; k++)
        if (s->slot[s->list[k]] < 0) make_column(s, s->list[k]);
    int64_t fresh = s->slots - old;
    if (fresh == 0) return;
    solve_factored(s, fresh, s->Z + old * s->m);
    multiply(s, 0, s->slots, old, fresh);
    multiply(s, old, fresh, 0, old);
}

/* x_n + y_n of column b: the change of the normal impulse of tangent `row`. */
static double part_of_normal(const dense_basis *s, int64_t row, int64_t b)
{
    int64_t n = s->rows->normal[row];
    return s->place[n] >= 0 ? -s->Z[s->place[n] + b * s->m] : (double)(s->bordering[b] == n);
}

/* (D - C Z) of slots a, b */
static double entry(const dense_basis *s, const signed char *state, int64_t a, int64_t b)
{
    int64_t i = s->bordering[a];
    int64_t j = s->bordering[b];
    if (s->place[i] >= 0) { /* lambda_i = sigma lambda_n */
        double own = -s->Z[s->place[i] + b * s->m];
        return s->sigma[i] == 0.0 ? own : own - s->sigma[i] * part_of_normal(s, i, b);
    }
    if (state[i] == SADDLE__BASIC) { /* w_i = 0 */
        double direct = s->place[j] >= 0 ? 0.0
                                         : column_of(s, j)[i] + (i == j ? s->rows->E[i] : 0.0);
        return direct - s->CZ[a + b * s->border];
    }
    double change = s->sigma[i] - (place_of_normal(s, i) >= 0 ? s->folded[i] : 0.0);
    return (double)(i == j) - change * part_of_normal(s, i, b);
}

/* 0: the bordered matrix is singular */
static int factor_border(dense_basis *s, const signed char *state, int64_t count)
{
    s->active = count;
    for (int64_t k = 0; k < count; k++) s->used[k] = s->slot[s->list[k]];
    for (int64_t b = 0; b < count; b++)
        for (int64_t a = 0; a < count; a++)
            s->S[a + b * s->border] = entry(s, state, s->used[a], s->used[b]);
    int size = (int)count;
    int ld = (int)s->border;
    return saddle__lu_factor(size, s->S, ld, s->S_pivot);
}

/* ---- entering ---- */

/* sigma, and the columns of all basic and sliding rows. */
static saddle_status look_at(dense_basis *s, const signed char *state)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int slides = is_sliding(s, state, i);
        s->sigma[i] = slides ? (double)state[i] * s->rows->mu[i] : 0.0;
        if (state[i] == SADDLE__BASIC || s->sigma[i] != 0.0) s->list[count++] = i;
    }
    return prepare(s, count, s->list);
}

static saddle_status enter(void *user, const signed char *state)
{
    dense_basis *s = user;
    saddle_status status = look_at(s, state);
    if (status != SADDLE_OK) return status;
    if (s->count < 0) return factor_anew(s, state);
    int64_t count = 0;
    int64_t fresh = 0;
    for (int64_t i = 0; i < s->m; i++) {
        if (!is_bordered(s, state, i)) continue;
        s->list[count++] = i;
        fresh += s->slot[i] < 0;
    }
    if (s->slots + fresh > s->border || fresh * COLUMN_COST > s->count)
        return factor_anew(s, state);
    extend(s, count);
    return factor_border(s, state, count) ? SADDLE_OK : factor_anew(s, state);
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
        int moves = state[i] == SADDLE__BASIC || is_sliding(s, state, i);
        if (!moves && lambda[i] != 0.0) s->list[held++] = i;
    }
    saddle_status status = prepare(s, held, s->list);
    if (status == SADDLE_OK) add_columns(s, held, lambda, w);
    return status;
}

/* s - C u for slot a: the impulses are to be lambda_i = 0 or sigma lambda_n, or w_i = 0. */
static double border_side(const dense_basis *s, const signed char *state, int64_t a,
                          const double *w)
{
    int64_t i = s->bordering[a];
    int64_t at = s->place[i];
    int64_t n = place_of_normal(s, i);
    if (at >= 0) return s->sigma[i] * (n >= 0 ? s->x[n] : 0.0) - s->x[at];
    if (state[i] != SADDLE__BASIC)
        return (s->sigma[i] - (n >= 0 ? s->folded[i] : 0.0)) * (n >= 0 ? s->x[n] : 0.0);
    double sum = w[i];
    const double *c = s->C + a * s->m;
    for (int64_t b = 0; b < s->count; b++) sum += c[b] * s->x[b];
    return -sum;
}

/* x, y from w = q + W lambda of the rows at bounds. */
static void solve_bordered(dense_basis *s, const signed char *state, const double *w)
{
    for (int64_t a = 0; a < s->count; a++) s->x[a] = -w[s->member[a]];
    solve_factored(s, 1, s->x);
    int size = (int)s->active;
    if (size == 0) return;
    int ld = (int)s->border;
    for (int64_t a = 0; a < size; a++) s->y[a] = border_side(s, state, s->used[a], w);
    saddle__lu_solve(size, s->S, ld, s->S_pivot, 1, s->y, ld);
    for (int64_t b = 0; b < size; b++) {
        const double *z = s->Z + s->used[b] * s->m;
        for (int64_t a = 0; a < s->count; a++) s->x[a] -= z[a] * s->y[b];
    }
}

/* lambda of basic and sliding rows; list: the nonzero entries.  Returns their number; -1: not
 * finite. */
static int64_t take_impulses(dense_basis *s, const signed char *state, double *lambda)
{
    int64_t moving = 0;
    for (int64_t a = 0; a < s->count; a++)
        if (state[s->member[a]] == SADDLE__BASIC) lambda[s->member[a]] = s->x[a];
    for (int64_t b = 0; b < s->active; b++) {
        int64_t i = s->bordering[s->used[b]];
        int64_t n = place_of_normal(s, i);
        if (s->place[i] >= 0 || state[i] != SADDLE__BASIC) continue;
        lambda[i] = s->y[b] + (n >= 0 ? s->folded[i] * s->x[n] : 0.0);
    }
    for (int64_t i = 0; i < s->m; i++) {
        int slides = is_sliding(s, state, i);
        if (slides) lambda[i] = s->sigma[i] * lambda[s->rows->normal[i]];
        if (!isfinite(lambda[i])) return -1;
        if ((slides || state[i] == SADDLE__BASIC) && lambda[i] != 0.0) s->list[moving++] = i;
    }
    return moving;
}

static void tell_noise(const dense_basis *s, double *noise)
{
    for (int64_t i = 0; i < s->m; i++) noise[i] = 8.0 * DBL_EPSILON * s->modulus[i];
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    dense_basis *s = user;
    for (;;) {
        saddle_status status = add_held(s, state, q, lambda, w);
        if (status != SADDLE_OK) return status;
        solve_bordered(s, state, w);
        int64_t moving = take_impulses(s, state, lambda);
        if (moving >= 0) {
            add_columns(s, moving, lambda, w);
            break;
        }
        if (s->active == 0) return SADDLE_NOT_CONVERGED;
        status = factor_anew(s, state); /* the border has overflowed */
        if (status != SADDLE_OK) return status;
    }
    tell_noise(s, noise);
    return SADDLE_OK;
}

/* list: basic and sliding rows with an impulse; returns their number. */
static int64_t list_moving(dense_basis *s, const signed char *state, const double *lambda)
{
    int64_t moving = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int moves = state[i] == SADDLE__BASIC || is_sliding(s, state, i);
        if (moves && lambda[i] != 0.0) s->list[moving++] = i;
    }
    return moving;
}

/* lambda -= A^-1 w on the basic and sliding rows */
static saddle_status correct(void *user, const signed char *state, const double *q, double *lambda,
                             double *w, double *noise)
{
    dense_basis *s = user;
    if (s->m > 0) memset(s->step, 0, (size_t)s->m * sizeof *s->step);
    solve_bordered(s, state, w);
    int64_t moving = take_impulses(s, state, s->step);
    if (moving < 0) return SADDLE_OK; /* unchanged, and still inexact */
    for (int64_t k = 0; k < moving; k++) lambda[s->list[k]] += s->step[s->list[k]];
    saddle_status status = add_held(s, state, q, lambda, w);
    if (status != SADDLE_OK) return status;
    add_columns(s, list_moving(s, state, lambda), lambda, w);
    tell_noise(s, noise);
    return SADDLE_OK;
}

static saddle_status renew(void *user, const signed char *state)
{
    dense_basis *s = user;
    s->count = -1;
    return enter(s, state);
}

/* New values of W, E or mu: no factor is left. */
static void refresh(void *user, int whole)
{
    dense_basis *s = user;
    (void)whole;
    s->count = -1;
}

/* ---- sweeps ---- */

/* Row i is at a bound where w_i keeps it. */
static int rests(double lambda, double w, saddle__interval bounds)
{
    return (lambda == bounds.lo && w >= 0.0) || (lambda == bounds.hi && w <= 0.0);
}

/* 1 / (W + E)_jj; 0: not positive, or the column is not available. */
static double inverse_pivot(dense_basis *s, int64_t j)
{
    if (prepare(s, 1, &j) != SADDLE_OK) return 0.0;
    double pivot = column_of(s, j)[j] + s->rows->E[j];
    return pivot > 0.0 ? 1.0 / pivot : 0.0;
}

/* One projected Gauss-Seidel sweep, w = q + (W + E) lambda; inverse (m): of the pivots known so
 * far, else 0.  Returns 1 where a row came to a bound or left a bound. */
static int sweep_once(dense_basis *s, double *restrict inverse, double *restrict w)
{
    saddle__mlcp_rows *rows = s->rows;
    int moved = 0;
    for (int64_t j = 0; j < s->m; j++) {
        saddle__interval bounds = saddle__mlcp_bounds(rows, j);
        double before = rows->lambda[j];
        if (rests(before, w[j], bounds)) continue;
        if (inverse[j] == 0.0) inverse[j] = inverse_pivot(s, j);
        if (inverse[j] == 0.0) continue;
        double free = before - w[j] * inverse[j];
        double x = saddle__smaller(bounds.hi, saddle__larger(bounds.lo, free));
        double change = x - before;
        if (change == 0.0) continue;
        moved |= (x == bounds.lo || x == bounds.hi) != (before == bounds.lo || before == bounds.hi);
        rows->lambda[j] = x;
        const double *restrict W = column_of(s, j);
        for (int64_t i = 0; i < s->m; i++) w[i] += W[i] * change;
        w[j] += rows->E[j] * change;
    }
    return moved;
}

/* From lambda = 0, w = q. */
static void sweep(void *user, int sweeps)
{
    dense_basis *s = user;
    int64_t count = 0;
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
    if (m > INT_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "a dense basis of %lld rows", (long long)m);
    dense_basis *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    dense_basis fresh = {.context = context,
                         .m = m,
                         .W = *W,
                         .rows = rows,
                         .border = m < BORDER ? m : BORDER,
                         .count = -1};
    *s = fresh;
    saddle__basis table = {.user = s,
                           .enter = enter,
                           .solve = solve,
                           .correct = correct,
                           .renew = renew,
                           .refresh = refresh,
                           .sweep = sweep,
                           .counts = &s->counts,
                           .clear = clear};
    *basis = table;
    place(s);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    place(s);
    return status;
}
