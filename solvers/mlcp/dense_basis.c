/* SPDX-License-Identifier: MIT */
/* See dense_basis.h. */
#include "mlcp/dense_basis.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dense/lapack.h"

enum {
    BORDER = SADDLE__BORDER,
    COLUMN_COST = 12 /* a border column of order k costs as much as k / COLUMN_COST-th of a
                        factor */
};

typedef struct field {
    size_t offset, size;
    enum { ROWS, SQUARE, BORDERS, BORDER_ROWS, BORDER_SQUARE } count;
} field;

#define FIELD(name, count)                                                                   \
    {                                                                                        \
        offsetof(saddle__dense_basis, name), sizeof *((saddle__dense_basis *)0)->name, count \
    }

static const field fields[] = {
    FIELD(LU, SQUARE),         FIELD(pivot, ROWS),    FIELD(member, ROWS),
    FIELD(place, ROWS),        FIELD(folded, ROWS),   FIELD(slot, ROWS),
    FIELD(bordering, BORDERS), FIELD(Z, BORDER_ROWS), FIELD(C, BORDER_ROWS),
    FIELD(CZ, BORDER_SQUARE),  FIELD(used, BORDERS),  FIELD(S, BORDER_SQUARE),
    FIELD(S_pivot, BORDERS),   FIELD(y, BORDERS),     FIELD(sigma, ROWS),
    FIELD(list, ROWS),         FIELD(x, ROWS),        FIELD(modulus, ROWS),
    FIELD(step, ROWS),
};

static void **array_at(saddle__dense_basis *s, size_t k)
{
    return (void **)((char *)s + fields[k].offset);
}

void saddle__dense_basis_clear(saddle__dense_basis *s)
{
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        saddle_release(s->context, *array_at(s, k));
    memset(s, 0, sizeof *s);
}

saddle_status saddle__dense_basis_create(saddle_context *context, int64_t m, saddle__dense_basis *s)
{
    saddle__dense_basis fresh = {.context = context, .m = m, .count = -1};
    *s = fresh;
    if (m > INT_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "a dense basis of %lld rows", (long long)m);
    int64_t counts[] = {m, m * m, BORDER, m * BORDER, BORDER * BORDER};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        *array_at(s, k) = saddle_allocate(context, counts[fields[k].count], fields[k].size);
        if (*array_at(s, k)) continue;
        saddle__dense_basis_clear(s);
        return SADDLE_OUT_OF_MEMORY;
    }
    return SADDLE_OK;
}

void saddle__dense_basis_set(saddle__dense_basis *s, const saddle__columns *W,
                             const saddle__mlcp_rows *rows)
{
    s->W = *W;
    s->added = rows->E;
    s->normal = rows->normal;
    s->mu = rows->mu;
    s->count = -1;
}

static const double *column_of(const saddle__dense_basis *s, int64_t row)
{
    return s->W.column(s->W.user, row);
}

/* Where the normal row of tangent i is in F; -1 = it is not there. */
static int64_t place_of_normal(const saddle__dense_basis *s, int64_t i)
{
    return s->normal && s->normal[i] >= 0 ? s->place[s->normal[i]] : -1;
}

/* ---- the factor ---- */

/* Column b of W_FF + E; lower: its lower triangle. */
static void gather(saddle__dense_basis *s, int lower)
{
    for (int64_t b = 0; b < s->count; b++) {
        const double *column = column_of(s, s->member[b]);
        double *to = s->LU + b * s->m;
        for (int64_t a = lower ? b : 0; a < s->count; a++) to[a] = column[s->member[a]];
        to[b] += s->added[s->member[b]];
    }
}

/* ... and the columns of the tangents that slide with their normals. */
static void fold(saddle__dense_basis *s)
{
    for (int64_t t = 0; s->normal && t < s->m; t++) {
        if (s->folded[t] == 0.0) continue;
        const double *column = column_of(s, t);
        double *to = s->LU + place_of_normal(s, t) * s->m;
        for (int64_t a = 0; a < s->count; a++) to[a] += s->folded[t] * column[s->member[a]];
    }
}

static saddle_status factor_members(saddle__dense_basis *s, int folds)
{
    int size = (int)s->count;
    int ld = (int)s->m;
    s->definite = 0;
    if (size == 0) return SADDLE_OK;
    if (s->W.symmetric && !folds) {
        gather(s, 1);
        saddle_status status = saddle__panels_cholesky(size, s->LU, ld, &s->asked);
        s->definite = status == SADDLE_OK;
        if (status != SADDLE_NOT_CONVERGED) return status;
    }
    gather(s, 0);
    if (folds) fold(s);
    return saddle__panels_lu(size, s->LU, ld, s->pivot, &s->asked);
}

static saddle_status factor_anew(saddle__dense_basis *s, const signed char *state)
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
    s->made++;
    saddle_status status = factor_members(s, folds);
    if (status != SADDLE_OK) s->count = -1;
    return status;
}

/* X (count x columns) <- A^-1 X */
static void solve_factored(const saddle__dense_basis *s, int64_t columns, double *X)
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
        dgetrs_("N", &size, &wide, s->LU, &ld, s->pivot, X, &ld, &info, 1);
}

/* ---- the border ---- */

static int is_slid_anew(const saddle__dense_basis *s, const signed char *state, int64_t i)
{
    double folded = place_of_normal(s, i) >= 0 ? s->folded[i] : 0.0;
    return saddle__slides(s->normal, state, i) && s->sigma[i] != folded;
}

/* The present set differs from that of the factor in row i. */
static int is_bordered(const saddle__dense_basis *s, const signed char *state, int64_t i)
{
    int basic = state[i] == SADDLE__BASIC;
    if (s->place[i] >= 0) return !basic;
    return basic || is_slid_anew(s, state, i);
}

/* C's row of w_i = 0, i outside F. */
static void gather_row(saddle__dense_basis *s, int64_t i, double *row)
{
    for (int64_t b = 0; b < s->count; b++) row[b] = column_of(s, s->member[b])[i];
    for (int64_t t = 0; s->normal && t < s->m; t++) {
        if (s->folded[t] == 0.0) continue;
        double own = t == i ? s->added[i] : 0.0;
        row[place_of_normal(s, t)] += s->folded[t] * (column_of(s, t)[i] + own);
    }
}

static void make_column(saddle__dense_basis *s, int64_t i)
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
static void multiply(saddle__dense_basis *s, int64_t first, int64_t rows, int64_t col, int64_t cols)
{
    int height = (int)rows;
    int width = (int)cols;
    int inner = (int)s->count;
    int ld = (int)s->m;
    int border = BORDER;
    double one = 1.0;
    double zero = 0.0;
    if (rows == 0 || cols == 0 || inner == 0) return;
    dgemm_("T", "N", &height, &width, &inner, &one, s->C + first * s->m, &ld, s->Z + col * s->m,
           &ld, &zero, s->CZ + first + col * BORDER, &border, 1, 1);
}

/* Slots for the `count` rows in list that have none yet. */
static void extend(saddle__dense_basis *s, int64_t count)
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

/* x_n + y_n of column b, the part of a tangent's normal impulse that it moves; row: the tangent. */
static double part_of_normal(const saddle__dense_basis *s, int64_t row, int64_t b)
{
    int64_t n = s->normal[row];
    return s->place[n] >= 0 ? -s->Z[s->place[n] + b * s->m] : (double)(s->bordering[b] == n);
}

/* (D - C Z) of slots a, b */
static double entry(const saddle__dense_basis *s, const signed char *state, int64_t a, int64_t b)
{
    int64_t i = s->bordering[a];
    int64_t j = s->bordering[b];
    if (s->place[i] >= 0) { /* lambda_i = sigma lambda_n */
        double own = -s->Z[s->place[i] + b * s->m];
        return s->sigma[i] == 0.0 ? own : own - s->sigma[i] * part_of_normal(s, i, b);
    }
    if (state[i] == SADDLE__BASIC) { /* w_i = 0 */
        double direct = s->place[j] >= 0 ? 0.0 : column_of(s, j)[i] + (i == j ? s->added[i] : 0.0);
        return direct - s->CZ[a + b * BORDER];
    }
    double change = s->sigma[i] - (place_of_normal(s, i) >= 0 ? s->folded[i] : 0.0);
    return (double)(i == j) - change * part_of_normal(s, i, b);
}

/* 0: the bordered matrix is singular */
static int factor_border(saddle__dense_basis *s, const signed char *state, int64_t count)
{
    s->active = count;
    for (int64_t k = 0; k < count; k++) s->used[k] = s->slot[s->list[k]];
    for (int64_t b = 0; b < count; b++)
        for (int64_t a = 0; a < count; a++)
            s->S[a + b * BORDER] = entry(s, state, s->used[a], s->used[b]);
    int size = (int)count;
    int ld = BORDER;
    int info = 0;
    if (size > 0) dgetrf_(&size, &size, s->S, &ld, s->S_pivot, &info);
    return info == 0;
}

/* ---- entering ---- */

/* sigma, and the columns of all that is basic or slides. */
static saddle_status look_at(saddle__dense_basis *s, const signed char *state)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int slides = saddle__slides(s->normal, state, i);
        s->sigma[i] = slides ? (double)state[i] * s->mu[i] : 0.0;
        if (state[i] == SADDLE__BASIC || s->sigma[i] != 0.0) s->list[count++] = i;
    }
    return s->W.prepare(s->W.user, count, s->list);
}

static saddle_status enter(void *user, const signed char *state)
{
    saddle__dense_basis *s = user;
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
    if (s->slots + fresh > BORDER || fresh * COLUMN_COST > s->count) return factor_anew(s, state);
    extend(s, count);
    return factor_border(s, state, count) ? SADDLE_OK : factor_anew(s, state);
}

/* ---- solving ---- */

/* w += (W + E)_(:, j) lambda_j, modulus the same of absolute values, for the `count` rows in
 * list. */
static void add_columns(saddle__dense_basis *s, int64_t count, const double *lambda,
                        double *restrict w)
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
    for (k = 0; k < count; k++) w[s->list[k]] += s->added[s->list[k]] * lambda[s->list[k]];
}

/* w = q + W lambda of the rows at bounds. */
static saddle_status add_held(saddle__dense_basis *s, const signed char *state, const double *q,
                              const double *lambda, double *w)
{
    int64_t held = 0;
    for (int64_t i = 0; i < s->m; i++) {
        w[i] = q[i];
        s->modulus[i] = fabs(q[i]);
        int moves = state[i] == SADDLE__BASIC || saddle__slides(s->normal, state, i);
        if (!moves && lambda[i] != 0.0) s->list[held++] = i;
    }
    saddle_status status = s->W.prepare(s->W.user, held, s->list);
    if (status == SADDLE_OK) add_columns(s, held, lambda, w);
    return status;
}

/* s - C u for slot a: the impulses are to be lambda_i = 0 or sigma lambda_n, or w_i = 0. */
static double border_side(const saddle__dense_basis *s, const signed char *state, int64_t a,
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

/* x, y from w, the rows' w without those that move. */
static void solve_bordered(saddle__dense_basis *s, const signed char *state, const double *w)
{
    for (int64_t a = 0; a < s->count; a++) s->x[a] = -w[s->member[a]];
    solve_factored(s, 1, s->x);
    int size = (int)s->active;
    if (size == 0) return;
    int ld = BORDER;
    int one = 1;
    int info;
    for (int64_t a = 0; a < size; a++) s->y[a] = border_side(s, state, s->used[a], w);
    dgetrs_("N", &size, &one, s->S, &ld, s->S_pivot, s->y, &ld, &info, 1);
    for (int64_t b = 0; b < size; b++) {
        const double *z = s->Z + s->used[b] * s->m;
        for (int64_t a = 0; a < s->count; a++) s->x[a] -= z[a] * s->y[b];
    }
}

/* lambda where it is basic or slides; list: those that move.  How many they are; -1: not finite. */
static int64_t take_impulses(saddle__dense_basis *s, const signed char *state, double *lambda)
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
        int slides = saddle__slides(s->normal, state, i);
        if (slides) lambda[i] = s->sigma[i] * lambda[s->normal[i]];
        if (!isfinite(lambda[i])) return -1;
        if ((slides || state[i] == SADDLE__BASIC) && lambda[i] != 0.0) s->list[moving++] = i;
    }
    return moving;
}

static void tell_noise(const saddle__dense_basis *s, double *noise)
{
    for (int64_t i = 0; i < s->m; i++) noise[i] = 8.0 * DBL_EPSILON * s->modulus[i];
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    saddle__dense_basis *s = user;
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

/* list: the rows that are basic or slide, with an impulse; how many */
static int64_t list_moving(saddle__dense_basis *s, const signed char *state, const double *lambda)
{
    int64_t moving = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int moves = state[i] == SADDLE__BASIC || saddle__slides(s->normal, state, i);
        if (moves && lambda[i] != 0.0) s->list[moving++] = i;
    }
    return moving;
}

/* lambda += what makes the w that it has left vanish */
static saddle_status correct(void *user, const signed char *state, const double *q, double *lambda,
                             double *w, double *noise)
{
    saddle__dense_basis *s = user;
    if (s->m > 0) memset(s->step, 0, (size_t)s->m * sizeof *s->step);
    solve_bordered(s, state, w);
    int64_t moving = take_impulses(s, state, s->step);
    if (moving < 0) return SADDLE_OK; /* it stays as it was, and is found inexact */
    for (int64_t k = 0; k < moving; k++) lambda[s->list[k]] += s->step[s->list[k]];
    saddle_status status = add_held(s, state, q, lambda, w);
    if (status != SADDLE_OK) return status;
    add_columns(s, list_moving(s, state, lambda), lambda, w);
    tell_noise(s, noise);
    return SADDLE_OK;
}

static saddle_status renew(void *user, const signed char *state)
{
    saddle__dense_basis *s = user;
    s->count = -1;
    return enter(s, state);
}

saddle__basis saddle__dense_basis_table(saddle__dense_basis *basis)
{
    saddle__basis table = {
        .user = basis, .enter = enter, .solve = solve, .correct = correct, .renew = renew};
    return table;
}
