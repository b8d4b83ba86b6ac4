/* SPDX-License-Identifier: MIT */
/* See reduction.h. */
#include "lemke/reduction.h"

#include <math.h>
#include <string.h>

#include "dense/lapack.h"

enum { SWEEPS = 4 };

static const double regular = 1e-8; /* least over largest pivot by rows: A_FF is regular */
static const double enough = 4.0;   /* of the largest entry: what an added equation brings */
/* of A_FF's largest entry: what is left has no more rank */
static const double vanishing = 1e-12;
static const double rounding = 1e-13; /* of entries that are of order one once scaled */

saddle_status saddle__reduction_create(saddle_context *context, int64_t capacity, int64_t most_left,
                                       saddle__reduction *s)
{
    s->A = saddle_allocate(context, capacity * capacity + 1, sizeof *s->A);
    s->c = saddle_allocate(context, capacity + 1, sizeof *s->c);
    s->row_unit = saddle_allocate(context, capacity + 1, sizeof *s->row_unit);
    s->column_unit = saddle_allocate(context, capacity + 1, sizeof *s->column_unit);
    s->row = saddle_allocate(context, capacity + 1, sizeof *s->row);
    s->col = saddle_allocate(context, capacity + 1, sizeof *s->col);
    s->most = saddle_allocate(context, capacity + 1, sizeof *s->most);
    s->place = saddle_allocate(context, most_left + 1, sizeof *s->place);
    s->sign = saddle_allocate(context, most_left + 1, sizeof *s->sign);
    s->turn = saddle_allocate(context, most_left + 1, sizeof *s->turn);
    s->rho = saddle_allocate(context, capacity + 1, sizeof *s->rho);
    s->exchange = saddle_allocate(context, capacity + 1, sizeof *s->exchange);
    int whole = s->A && s->c && s->row_unit && s->column_unit && s->most && s->row && s->col &&
                s->place && s->sign && s->turn && s->rho && s->exchange;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__reduction_clear(saddle_context *context, saddle__reduction *s)
{
    saddle_release(context, s->A);
    saddle_release(context, s->c);
    saddle_release(context, s->row_unit);
    saddle_release(context, s->column_unit);
    saddle_release(context, s->row);
    saddle_release(context, s->col);
    saddle_release(context, s->most);
    saddle_release(context, s->place);
    saddle_release(context, s->sign);
    saddle_release(context, s->turn);
    saddle_release(context, s->rho);
    saddle_release(context, s->exchange);
    memset(s, 0, sizeof *s);
}

/* ---- units ---- */

double saddle__reduction_shrink(double most)
{
    if (!(most > 0.0) || !isfinite(most)) return 1.0;
    int exponent;
    (void)frexp(most, &exponent);
    return ldexp(1.0, -exponent / 2);
}

/* Rows and columns by the root of their largest entry, all at once.  0: there was nothing to do. */
static int scale_once(saddle__reduction *s)
{
    int64_t size = s->size;
    double *row_most = s->most;
    int moved = 0;
    memset(row_most, 0, (size_t)size * sizeof *row_most);
    for (int64_t j = 0; j < size; j++) {
        double most = 0.0;
        const double *column = s->A + j * size;
        double unit = s->column_unit[j];
        for (int64_t i = 0; i < size; i++) {
            double modulus = fabs(column[i]) * s->row_unit[i] * unit;
            most = modulus > most ? modulus : most;
            row_most[i] = modulus > row_most[i] ? modulus : row_most[i];
        }
        double factor = saddle__reduction_shrink(most);
        s->column_unit[j] *= factor;
        moved |= factor != 1.0;
    }
    for (int64_t i = 0; i < size; i++) {
        double factor = saddle__reduction_shrink(row_most[i]);
        s->row_unit[i] *= factor;
        moved |= factor != 1.0;
    }
    return moved;
}

static void apply_units(saddle__reduction *s)
{
    for (int64_t j = 0; j < s->size; j++)
        for (int64_t i = 0; i < s->size; i++)
            s->A[i + j * s->size] *= s->row_unit[i] * s->column_unit[j];
}

void saddle__reduction_scale(saddle__reduction *s, const saddle__expansion *expansion,
                             const double *W, int64_t m)
{
    s->size = expansion->size;
    for (int64_t i = 0; i < s->size; i++) s->row_unit[i] = s->column_unit[i] = 1.0;
    saddle__expansion_matrix(expansion, W, m, s->A);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        if (!scale_once(s)) break;
    apply_units(s);
    s->intact = 1;
}

void saddle__reduction_restore(saddle__reduction *s, const saddle__expansion *expansion,
                               const double *W, int64_t m)
{
    if (s->intact) return;
    saddle__expansion_matrix(expansion, W, m, s->A);
    apply_units(s);
    s->intact = 1;
}

static void scale_constants(saddle__reduction *s, const double *c)
{
    double most = 0.0;
    for (int64_t i = 0; i < s->size; i++) most = fmax(most, fabs(s->row_unit[i] * c[i]));
    int exponent = 0;
    if (most > 0.0 && isfinite(most)) (void)frexp(most, &exponent);
    s->unit = ldexp(1.0, exponent);
    for (int64_t i = 0; i < s->size; i++) s->c[i] = s->row_unit[i] * c[i] / s->unit;
}

/* ---- elimination ---- */

/* A_FF = P L U, rows exchanged; 0 where that shows no clear regularity. */
static int factor_regular(saddle__reduction *s, int64_t free)
{
    int size = (int)free;
    int ld = (int)s->size;
    int info = 0;
    dgetrf_(&size, &size, s->A, &ld, s->exchange, &info);
    double least = (double)INFINITY;
    double most = 0.0;
    for (int64_t i = 0; i < free; i++) {
        double pivot = fabs(s->A[i + i * s->size]);
        least = fmin(least, pivot);
        most = fmax(most, pivot);
    }
    return info == 0 && least > regular * most;
}

/* A_CC -= A_CF U^-1 L^-1 P A_FC, and so for c */
static void complement_regular(saddle__reduction *s, int64_t free)
{
    int first = (int)free;
    int rest = (int)(s->size - free);
    int ld = (int)s->size;
    int one = 1;
    double plus = 1.0;
    double minus = -1.0;
    double *right = s->A + free * s->size;
    double *below = s->A + free;
    dlaswp_(&one, s->c, &ld, &one, &first, s->exchange, &one);
    dtrsm_("L", "L", "N", "U", &first, &one, &plus, s->A, &ld, s->c, &ld, 1, 1, 1, 1);
    if (rest == 0) return;
    dlaswp_(&rest, right, &ld, &one, &first, s->exchange, &one);
    dtrsm_("L", "L", "N", "U", &first, &rest, &plus, s->A, &ld, right, &ld, 1, 1, 1, 1);
    dtrsm_("R", "U", "N", "N", &rest, &first, &plus, s->A, &ld, below, &ld, 1, 1, 1, 1);
    dgemm_("N", "N", &rest, &rest, &first, &minus, below, &ld, right, &ld, &plus, right + free, &ld,
           1, 1);
    dgemv_("N", &rest, &first, &minus, below, &ld, s->c, &one, &plus, s->c + free, &one, 1);
}

/* The largest entry of what is left of A_FF; one on the diagonal where that is not much smaller. */
static double largest(const saddle__reduction *s, int64_t from, int64_t free, int64_t *row,
                      int64_t *col)
{
    double most = 0.0;
    double diagonal = 0.0;
    int64_t best = from;
    for (int64_t j = from; j < free; j++) {
        for (int64_t i = from; i < free; i++) {
            double modulus = fabs(s->A[i + j * s->size]);
            if (modulus <= most) continue;
            most = modulus;
            *row = i;
            *col = j;
        }
        if (s->row[j] != s->col[j] || fabs(s->A[j + j * s->size]) <= diagonal) continue;
        diagonal = fabs(s->A[j + j * s->size]);
        best = j;
    }
    if (diagonal < 0.1 * most || most == 0.0) return most;
    *row = *col = best;
    return diagonal;
}

static void swap_numbers(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_places(int64_t *a, int64_t *b)
{
    int64_t kept = *a;
    *a = *b;
    *b = kept;
}

static void bring(saddle__reduction *s, int64_t to, int64_t row, int64_t col)
{
    int64_t size = s->size;
    for (int64_t j = 0; row != to && j < size; j++)
        swap_numbers(&s->A[to + j * size], &s->A[row + j * size]);
    for (int64_t i = 0; col != to && i < size; i++)
        swap_numbers(&s->A[i + to * size], &s->A[i + col * size]);
    swap_numbers(&s->c[to], &s->c[row]);
    swap_places(&s->row[to], &s->row[row]);
    swap_places(&s->col[to], &s->col[col]);
}

/* One step of Gauss' elimination, on everything behind k. */
static void eliminate_one(saddle__reduction *s, int64_t k)
{
    int64_t size = s->size;
    double *factor = s->A + k * size;
    for (int64_t i = k + 1; i < size; i++) factor[i] /= s->A[k + k * size];
    for (int64_t j = k + 1; j < size; j++) {
        double *column = s->A + j * size;
        double pivot = column[k];
        for (int64_t i = k + 1; pivot != 0.0 && i < size; i++) column[i] -= factor[i] * pivot;
    }
    for (int64_t i = k + 1; i < size; i++) s->c[i] -= factor[i] * s->c[k];
}

static int64_t eliminate_pivoting(saddle__reduction *s, int64_t free)
{
    double first = 0.0;
    for (int64_t k = 0; k < free; k++) {
        int64_t row = k;
        int64_t col = k;
        double pivot = largest(s, k, free, &row, &col);
        if (k == 0) first = pivot;
        if (!(pivot > vanishing * first)) return k;
        bring(s, k, row, col);
        eliminate_one(s, k);
    }
    return free;
}

static void forget(double *x)
{
    if (fabs(*x) <= rounding) *x = 0.0;
}

/* Equations that depend on others leave rounding, which must not pass for an equation, or an
 * unknown's column, of its own. */
static void forget_rounding(saddle__reduction *s, int64_t free)
{
    for (int64_t k = s->rank; k < free; k++)
        for (int64_t j = s->rank; j < s->size; j++) {
            forget(&s->A[k + j * s->size]);
            forget(&s->A[j + k * s->size]);
        }
}

/* The sign that the equation at place k is given. */
static signed char turn_of(const saddle__reduction *s, int64_t free, int64_t k)
{
    double sum = 0.0;
    for (int64_t j = free; j < s->size; j++) sum += s->A[k + j * s->size] * s->A[j + k * s->size];
    return sum > 0.0 ? -1 : 1;
}

/* The equation at place k, times rho and its unknown's column, is added to those of the bounded
 * unknowns. */
static void add_equation(saddle__reduction *s, int64_t free, int64_t k, signed char turn)
{
    int64_t size = s->size;
    double most = 0.0;
    double in_column = 0.0;
    double in_row = 0.0;
    const double *unknown = s->A + k * size;
    for (int64_t j = free; j < size; j++) {
        in_row = fmax(in_row, fabs(s->A[k + j * size]));
        in_column = fmax(in_column, fabs(unknown[j]));
        for (int64_t i = free; i < size; i++) most = fmax(most, fabs(s->A[i + j * size]));
    }
    s->rho[k] = in_row * in_column > 0.0 ? enough * turn * most / (in_row * in_column) : 0.0;
    for (int64_t j = free; j < size; j++) {
        double factor = s->rho[k] * s->A[k + j * size];
        for (int64_t i = free; factor != 0.0 && i < size; i++)
            s->A[i + j * size] -= factor * unknown[i];
    }
    for (int64_t i = free; i < size; i++) s->c[i] -= s->rho[k] * s->c[k] * unknown[i];
}

static void leave(saddle__reduction *s, int64_t place, signed char sign, signed char turn)
{
    s->place[s->left] = place;
    s->sign[s->left] = sign;
    s->turn[s->left++] = turn;
}

void saddle__reduction_eliminate(saddle__reduction *s, const saddle__expansion *expansion,
                                 const double *W, int64_t m, const double *c, int64_t most_left)
{
    int64_t free = expansion->free;
    scale_constants(s, c);
    for (int64_t i = 0; i < s->size; i++) s->row[i] = s->col[i] = i;
    s->rank = free;
    if (free > 0) s->intact = 0;
    if (free > 0 && factor_regular(s, free)) {
        complement_regular(s, free);
    } else if (free > 0) {
        saddle__reduction_restore(s, expansion, W, m);
        s->intact = 0;
        s->rank = eliminate_pivoting(s, free);
        forget_rounding(s, free);
    }
    s->left = 0;
    for (int64_t k = free; k < s->size; k++) leave(s, k, 1, 1);
    for (int64_t k = s->rank; k < free; k++) s->rho[k] = 0.0;
    for (int64_t k = s->rank; k < free && s->left + 2 <= most_left; k++) {
        signed char turn = turn_of(s, free, k);
        add_equation(s, free, k, turn);
        leave(s, k, 1, turn);
        leave(s, k, -1, (signed char)-turn);
    }
}

void saddle__reduction_hand_over(const saddle__reduction *s, const saddle__expansion *expansion,
                                 double *B, double *q, double *lo, double *hi)
{
    for (int64_t l = 0; l < s->left; l++) {
        const double *column = s->A + s->place[l] * s->size;
        double *to = B + l * s->left;
        for (int64_t k = 0; k < s->left; k++) to[k] = s->turn[k] * s->sign[l] * column[s->place[k]];
        q[l] = s->turn[l] * s->c[s->place[l]];
        int64_t unknown = s->col[s->place[l]];
        int free = unknown < expansion->free;
        lo[l] = free ? 0.0 : expansion->lo[unknown] / (s->unit * s->column_unit[unknown]);
        hi[l] = free ? (double)INFINITY
                     : expansion->hi[unknown] / (s->unit * s->column_unit[unknown]);
    }
}
