/* SPDX-License-Identifier: MIT */
/* See crash.h: the system of one basis.  Symmetric ones by Cholesky's method as long as they are
 * positive definite, others by L U; small ones in loops of our own, since a call into LAPACK costs
 * more than they do. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "complementarity/block_pivoting.h"
#include "complementarity/crash_sparse.h"
#include "complementarity/demand.h"
#include "dense/lapack.h"

/* of the diagonal entry, or of the largest pivot: singular */
static const double vanishing = 1e-13;
static const double shift = 1e-9;  /* of the diagonal entry */
static const double enough = 0.25; /* of the largest entry of its column: a pivot */

static const double *column_of(const saddle__crash *s, int64_t j)
{
    return s->demand ? saddle__on_demand_column(s->demand, j) : s->W + j * s->m;
}

void saddle__crash_diagonal(const saddle__crash *s, double *d)
{
    if (s->demand) {
        if (s->m > 0) memcpy(d, s->demand->diagonal, (size_t)s->m * sizeof *d);
        return;
    }
    for (int64_t i = 0; i < s->m; i++) d[i] = s->sparse ? 0.0 : fabs(s->W[i + i * s->m]);
    for (int64_t j = 0; s->sparse && j < s->m; j++)
        for (int64_t k = s->sparse->W->start[j]; k < s->sparse->W->start[j + 1]; k++)
            if (s->sparse->W->index[k] == j) d[j] = fabs(s->sparse->W->value[k]);
}

static void add_sparse(const saddle__unfolded *W, const double *lambda, double *y)
{
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = W->start[j]; lambda[j] != 0.0 && k < W->start[j + 1]; k++)
            y[W->index[k]] += W->value[k] * lambda[j];
}

static void add_demanded(const saddle__crash *s, const double *lambda, double *y)
{
    for (int64_t j = 0; j < s->m; j++) {
        const double *column = lambda[j] != 0.0 ? column_of(s, j) : NULL;
        for (int64_t i = 0; column && i < s->m; i++) y[i] += column[i] * lambda[j];
    }
}

int saddle__crash_fetch(saddle__crash *s)
{
    if (!s->demand) return 1;
    for (int64_t j = 0; j < s->m; j++)
        if (s->lambda[j] != 0.0) saddle__on_demand_list(s->demand, j);
    for (int64_t j = 0; j < s->unknowns; j++)
        for (int64_t k = 0; k < s->unknown[j].rows; k++)
            saddle__on_demand_list(s->demand, s->unknown[j].row[k]);
    if (s->demand->asking == 0) return 1;
    return saddle__on_demand_fetch(s->demand);
}

/* Columns that push, two at a time. */
static void add_dense(int64_t m, const double *restrict W, const double *restrict lambda,
                      double *restrict y)
{
    int64_t waiting = -1;
    for (int64_t j = 0; j < m; j++) {
        if (lambda[j] == 0.0) continue;
        if (waiting < 0) {
            waiting = j;
            continue;
        }
        double a = lambda[waiting];
        double b = lambda[j];
        const double *restrict first = W + waiting * m;
        const double *restrict second = W + j * m;
        for (int64_t i = 0; i < m; i++) y[i] += first[i] * a + second[i] * b;
        waiting = -1;
    }
    for (int64_t i = 0; waiting >= 0 && i < m; i++) y[i] += W[i + waiting * m] * lambda[waiting];
}

void saddle__crash_add(const saddle__crash *s, const double *lambda, double *y)
{
    if (s->sparse)
        add_sparse(s->sparse->W, lambda, y);
    else if (s->demand)
        add_demanded(s, lambda, y);
    else
        add_dense(s->m, s->W, lambda, y);
}

/* ---- A'W P ---- */

/* One row each, as it is: A'W P = W[rows, rows].  lower: its lower triangle. */
static void gather(saddle__crash *s, int lower)
{
    int64_t size = s->unknowns;
    for (int64_t j = 0; j < size; j++) {
        const double *from = column_of(s, s->unknown[j].row[0]);
        double *to = s->A + j * size;
        for (int64_t i = lower ? j : 0; i < size; i++) to[i] = from[s->unknown[i].row[0]];
    }
}

/* Rows and columns in the unknowns' units. */
static void scale(saddle__crash *s)
{
    int64_t size = s->unknowns;
    for (int64_t j = 0; !s->even && j < size; j++)
        for (int64_t i = 0; i < size; i++)
            s->A[i + j * size] *= s->unknown[i].unit * s->unknown[j].unit;
}

/* W P of unknown j: a column of W, or some of them in z (m). */
static const double *pushed(const saddle__crash *s, const saddle__crash_unknown *of,
                            double *restrict z)
{
    const double *restrict first = column_of(s, of->row[0]);
    if (of->rows == 1 && of->part[0] == 1.0) return first;
    for (int64_t i = 0; i < s->m; i++) z[i] = of->part[0] * first[i];
    for (int64_t l = 1; l < of->rows; l++) {
        const double *restrict next = column_of(s, of->row[l]);
        for (int64_t i = 0; i < s->m; i++) z[i] += of->part[l] * next[i];
    }
    return z;
}

/* Whether each unknown asks one row, as it is; row (m): which. */
static int list_asked(const saddle__crash *s, int *row)
{
    int plain = 1;
    for (int64_t i = 0; i < s->unknowns; i++) {
        row[i] = (int)s->unknown[i].row[0];
        plain &= s->unknown[i].asked == 1 && s->unknown[i].part[0] == 1.0;
    }
    return plain;
}

static void gather_products(saddle__crash *s)
{
    int64_t size = s->unknowns;
    int *row = s->exchange; /* which is free before there are factors */
    int plain = list_asked(s, row);
    for (int64_t j = 0; j < size; j++) {
        const double *from = pushed(s, &s->unknown[j], s->z);
        double *to = s->A + j * size;
        for (int64_t i = 0; plain && i < size; i++) to[i] = from[row[i]];
        for (int64_t i = 0; !plain && i < size; i++) {
            const saddle__crash_unknown *at = &s->unknown[i];
            double sum = at->part[0] * from[at->row[0]];
            for (int64_t k = 1; k < at->asked; k++) sum += at->part[k] * from[at->row[k]];
            to[i] = sum;
        }
    }
}

/* ---- small systems ---- */

/* y -= a x */
static inline void subtract(int64_t count, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < count; i++) y[i] -= a * x[i];
}

/* y -= a x, z -= b x */
static inline void subtract_both(int64_t count, double a, double b, const double *restrict x,
                                 double *restrict y, double *restrict z)
{
    for (int64_t i = 0; i < count; i++) {
        double xi = x[i];
        y[i] -= a * xi;
        z[i] -= b * xi;
    }
}

/* The lower triangle of A becomes L with its pivots on the diagonal, columns of L not yet divided
 * by them; a column takes in those before it, four at a time.  over (size): one over each pivot. */
static int factor_definite_small(double *A, int64_t size, double *over)
{
    for (int64_t j = 0; j < size; j++) {
        double *restrict column = A + j * size;
        double before = column[j];
        int64_t k = 0;
        for (; k + 4 <= j; k += 4) {
            const double *restrict a = A + k * size;
            const double *restrict b = a + size;
            const double *restrict c = b + size;
            const double *restrict d = c + size;
            double x = a[j] * over[k];
            double y = b[j] * over[k + 1];
            double z = c[j] * over[k + 2];
            double u = d[j] * over[k + 3];
            for (int64_t i = j; i < size; i++)
                column[i] -= (a[i] * x + b[i] * y) + (c[i] * z + d[i] * u);
        }
        for (; k < j; k++)
            subtract(size - j, A[j + k * size] * over[k], A + j + k * size, column + j);
        if (!(column[j] > vanishing * before && column[j] >= DBL_MIN)) return 0;
        over[j] = 1.0 / column[j];
    }
    return 1;
}

static void solve_definite_small(const double *A, int64_t size, const double *over, double *x)
{
    for (int64_t k = 0; k < size; k++) {
        const double *column = A + k * size;
        x[k] *= over[k];
        subtract(size - k - 1, x[k], column + k + 1, x + k + 1);
    }
    for (int64_t k = size - 1; k >= 0; k--) {
        const double *column = A + k * size;
        double sum[2] = {0.0, 0.0};
        int64_t i = k + 1;
        for (; i + 1 < size; i += 2) {
            sum[0] += column[i] * x[i];
            sum[1] += column[i + 1] * x[i + 1];
        }
        if (i < size) sum[0] += column[i] * x[i];
        x[k] -= (sum[0] + sum[1]) * over[k];
    }
}

/* From column a on: L stays as it is, and the solve exchanges as it goes. */
static void exchange_rows(double *A, int64_t size, int64_t a, int64_t b)
{
    for (int64_t j = a; a != b && j < size; j++) {
        double kept = A[a + j * size];
        A[a + j * size] = A[b + j * size];
        A[b + j * size] = kept;
    }
}

/* The row of column k that is to be its pivot: its own, unless that is much smaller than the
 * largest below it. */
static int64_t find_pivot(const double *column, int64_t k, int64_t size)
{
    double lane[4] = {0.0, 0.0, 0.0, 0.0};
    for (int64_t i = k; i + 4 <= size; i += 4)
        for (int t = 0; t < 4; t++)
            lane[t] = fabs(column[i + t]) > lane[t] ? fabs(column[i + t]) : lane[t];
    for (int64_t i = size - (size - k) % 4; i < size; i++)
        lane[0] = fabs(column[i]) > lane[0] ? fabs(column[i]) : lane[0];
    double even = lane[0] > lane[2] ? lane[0] : lane[2];
    double odd = lane[1] > lane[3] ? lane[1] : lane[3];
    double most = even > odd ? even : odd;
    if (fabs(column[k]) >= enough * most) return k;
    int64_t i = k;
    while (i + 1 < size && fabs(column[i]) != most) i++;
    return i;
}

static void factor_small(double *A, int64_t size, int *exchange, double *over)
{
    for (int64_t k = 0; k < size; k++) {
        double *column = A + k * size;
        int64_t best = find_pivot(column, k, size);
        exchange[k] = (int)best + 1;
        exchange_rows(A, size, k, best);
        if (fabs(column[k]) < DBL_MIN) column[k] = 0.0; /* seen by whoever looks at the pivots */
        over[k] = column[k] != 0.0 ? 1.0 / column[k] : (double)INFINITY;
        if (column[k] == 0.0) continue;
        for (int64_t i = k + 1; i < size; i++) column[i] *= over[k];
        int64_t j = k + 1;
        for (; j + 1 < size; j += 2) {
            double *to = A + j * size;
            double *next = to + size;
            subtract_both(size - k - 1, to[k], next[k], column + k + 1, to + k + 1, next + k + 1);
        }
        if (j < size) subtract(size - k - 1, A[k + j * size], column + k + 1, A + k + 1 + j * size);
    }
}

static void solve_small(const double *A, int64_t size, const int *exchange, const double *over,
                        double *x)
{
    for (int64_t k = 0; k < size; k++) {
        double kept = x[exchange[k] - 1];
        x[exchange[k] - 1] = x[k];
        x[k] = kept;
        subtract(size - k - 1, kept, A + k + 1 + k * size, x + k + 1);
    }
    for (int64_t k = size - 1; k >= 0; k--) {
        x[k] *= over[k];
        subtract(k, x[k], A + k * size, x);
    }
}

/* ---- systems of any size ---- */

static int factor_definite(saddle__crash *s)
{
    int64_t size = s->unknowns;
    if (size <= SADDLE__CRASH_SMALL) return factor_definite_small(s->A, size, s->over);
    for (int64_t k = 0; k < size; k++) s->z[k] = s->A[k + k * size];
    int order = (int)size;
    int info = 0;
    dpotrf_("L", &order, s->A, &order, &info, 1);
    for (int64_t k = 0; info == 0 && k < size; k++)
        if (!(s->A[k + k * size] * s->A[k + k * size] > vanishing * s->z[k])) return 0;
    return info == 0;
}

static int factor_general(saddle__crash *s)
{
    int64_t size = s->unknowns;
    int order = (int)size;
    int info = 0;
    if (size <= SADDLE__CRASH_SMALL)
        factor_small(s->A, size, s->exchange, s->over);
    else
        dgetrf_(&order, &order, s->A, &order, s->exchange, &info);
    double least = (double)INFINITY;
    double most = 0.0;
    for (int64_t k = 0; k < size; k++) {
        double pivot = fabs(s->A[k + k * size]);
        least = pivot < least ? pivot : least;
        most = pivot > most ? pivot : most;
    }
    return size == 0 || least > vanishing * most;
}

static void add_shift(saddle__crash *s)
{
    for (int64_t k = 0; k < s->unknowns; k++) s->A[k + k * s->unknowns] *= 1.0 + s->shift;
}

static int factor_dense(saddle__crash *s)
{
    if (s->single && s->symmetric) {
        gather(s, 1);
        add_shift(s);
        s->definite = factor_definite(s);
        if (s->definite) return 1;
    }
    if (s->single)
        gather(s, 0);
    else
        gather_products(s);
    add_shift(s);
    scale(s);
    return factor_general(s);
}

static int factor_sparse(saddle__crash *s)
{
    s->definite = s->single && s->symmetric && saddle__crash_sparse_factor(s->sparse, s, 1);
    if (s->definite || s->sparse->status == SADDLE_OUT_OF_MEMORY) return s->definite;
    return saddle__crash_sparse_factor(s->sparse, s, 0);
}

int saddle__crash_factor(saddle__crash *s)
{
    s->single = 1;
    for (int64_t j = 0; s->single && j < s->unknowns; j++) s->single = s->unknown[j].rows == 1;
    s->definite = 0;
    int done = s->sparse ? factor_sparse(s) : factor_dense(s);
    if (done || s->shift > 0.0 || (s->sparse && s->sparse->status == SADDLE_OUT_OF_MEMORY))
        return done;
    s->shift = shift;
    return s->sparse ? factor_sparse(s) : factor_dense(s);
}

double saddle__crash_defect(const saddle__crash *s, const double *w)
{
    double most = 0.0;
    for (int64_t i = 0; s->problem->contact_count == 0 && i < s->m; i++)
        if (s->state[i] == SADDLE__BASIC && fabs(w[i]) > most) most = fabs(w[i]);
    for (int64_t j = 0; s->problem->contact_count > 0 && j < s->unknowns; j++) {
        const saddle__crash_unknown *of = &s->unknown[j];
        double sum = 0.0;
        for (int64_t k = 0; k < of->asked; k++) sum += of->part[k] * w[of->row[k]];
        most = fabs(sum) > most ? fabs(sum) : most;
    }
    return most;
}

/* z = -A'w in the unknowns' units */
static void ask(const saddle__crash *s, const double *w)
{
    int scaled = !s->definite || s->sparse;
    for (int64_t j = 0; j < s->unknowns; j++) {
        const saddle__crash_unknown *of = &s->unknown[j];
        double sum = of->part[0] * w[of->row[0]];
        for (int64_t k = 1; k < of->asked; k++) sum += of->part[k] * w[of->row[k]];
        s->z[j] = scaled ? -sum * of->unit : -sum;
    }
}

/* lambda += P z */
static void push(const saddle__crash *s, double *lambda)
{
    int scaled = !s->definite || s->sparse;
    for (int64_t j = 0; j < s->unknowns; j++) {
        const saddle__crash_unknown *of = &s->unknown[j];
        double step = scaled ? of->unit * s->z[j] : s->z[j];
        for (int64_t k = 0; k < of->rows; k++) lambda[of->row[k]] += of->part[k] * step;
    }
}

void saddle__crash_correct(saddle__crash *s, const double *w, double *lambda)
{
    int size = (int)s->unknowns;
    int one = 1;
    int info = 0;
    ask(s, w);
    if (s->sparse)
        (void)saddle__crash_sparse_solve(s->sparse, s->z);
    else if (size <= SADDLE__CRASH_SMALL && s->definite)
        solve_definite_small(s->A, size, s->over, s->z);
    else if (size <= SADDLE__CRASH_SMALL)
        solve_small(s->A, size, s->exchange, s->over, s->z);
    else if (s->definite)
        dpotrs_("L", &size, &one, s->A, &size, s->z, &size, &info, 1);
    else
        dgetrs_("N", &size, &one, s->A, &size, s->exchange, s->z, &size, &info, 1);
    push(s, lambda);
}
