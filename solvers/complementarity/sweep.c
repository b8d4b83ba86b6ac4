/* SPDX-License-Identifier: MIT */
/* See sweep.h. */
#include "complementarity/sweep.h"

/* Sweeps one way, each behind the one before, and by how many rows more than it has to be, so as
 * not to wait for it. */
enum { TOGETHER = 5, APART = 8 };

/* W_ij lambda_j, summed over j > i */
static double sum_below(const saddle_matrix *W, int64_t i, const double *lambda)
{
    double sum = 0.0;
    for (int64_t k = W->start[i] + 1; k < W->start[i + 1]; k++)
        sum += W->value[k] * lambda[W->index[k]];
    return sum;
}

/* 1 / (W_ii + E_ii); 0 = the row is left as it is */
static void invert_diagonal(const saddle__sweep_rows *rows, double *inverse)
{
    const saddle_matrix *W = rows->W;
    for (int64_t i = 0; i < W->cols; i++) {
        int64_t first = W->start[i];
        int there = first < W->start[i + 1] && W->index[first] == i &&
                    W->value[first] + rows->added[i] > 0.0;
        inverse[i] = there ? 1.0 / (W->value[first] + rows->added[i]) : 0.0;
    }
}

/* Of the other rows' impulses, what row i makes of w_i. */
static double project(const saddle__sweep_rows *rows, int64_t i, double inverse, double others)
{
    double x = -others * inverse;
    x = rows->lo[i] > x ? rows->lo[i] : x;
    return rows->hi[i] < x ? rows->hi[i] : x;
}

/* sum_i <- sum over j < i of W_ij lambda_j, lambda as it is after the sweep. */
static void sweep_down(const saddle__sweep_rows *rows, const double *inverse, double *lambda,
                       double *sum)
{
    const saddle_matrix *W = rows->W;
    for (int64_t i = 0; i < W->cols; i++) sum[i] = 0.0;
    for (int64_t i = 0; i < W->cols; i++) {
        if (inverse[i] == 0.0) continue;
        double x = project(rows, i, inverse[i], rows->q[i] + sum[i] + sum_below(W, i, lambda));
        lambda[i] = x;
        if (x == 0.0) continue;
        for (int64_t k = W->start[i] + 1; k < W->start[i + 1]; k++)
            sum[W->index[k]] += W->value[k] * x;
    }
}

static void sweep_up(const saddle__sweep_rows *rows, const double *inverse, double *lambda,
                     const double *sum)
{
    for (int64_t i = rows->W->cols; i-- > 0;) {
        if (inverse[i] == 0.0) continue;
        lambda[i] = project(rows, i, inverse[i],
                            rows->q[i] + sum[i] + sum_below(rows->W, i, lambda));
    }
}

static void visit(const saddle__sweep_rows *rows, const double *inverse, int64_t i, double *lambda)
{
    if (inverse[i] == 0.0) return;
    lambda[i] = project(rows, i, inverse[i],
                        rows->q[i] + saddle__whole_row_times(rows->beside, i, lambda));
}

/* Rows by which a sweep follows another. */
static int64_t lag_of(const saddle__sweep_rows *rows)
{
    int64_t lag = rows->beside->band + APART;
    return lag < rows->W->cols ? lag : rows->W->cols;
}

/* `together` sweeps downwards.  Each follows the one before as closely as W's band allows, and does
 * exactly what it would after it: the rows between them stay in the cache, and of so many that do
 * not wait for each other the processor has one to go on with while another's sum is not there
 * yet. */
static void sweep_rows_down(const saddle__sweep_rows *rows, const double *inverse, int together,
                            double *lambda)
{
    int64_t m = rows->W->cols;
    int64_t lag = lag_of(rows);
    for (int64_t first = 0; first < m + (together - 1) * lag; first++)
        for (int64_t k = 0; k < together; k++)
            if ((uint64_t)(first - k * lag) < (uint64_t)m)
                visit(rows, inverse, first - k * lag, lambda);
}

static void sweep_rows_up(const saddle__sweep_rows *rows, const double *inverse, int together,
                          double *lambda)
{
    int64_t m = rows->W->cols;
    int64_t lag = lag_of(rows);
    for (int64_t first = m + (together - 1) * lag; first-- > 0;)
        for (int64_t k = together; k-- > 0;)
            if ((uint64_t)(first - k * lag) < (uint64_t)m)
                visit(rows, inverse, first - k * lag, lambda);
}

static void sweep_whole_rows(const saddle__sweep_rows *rows, int count, const double *inverse,
                             double *lambda)
{
    for (int left = count; left > 0; left -= TOGETHER) {
        int together = left < TOGETHER ? left : TOGETHER;
        sweep_rows_down(rows, inverse, together, lambda);
        sweep_rows_up(rows, inverse, together, lambda);
    }
}

void saddle__sweep(const saddle__sweep_rows *rows, int count, double *lambda, double *sum,
                   double *inverse)
{
    if (count > 0) invert_diagonal(rows, inverse);
    if (rows->beside) {
        sweep_whole_rows(rows, count, inverse, lambda);
        return;
    }
    for (int k = 0; k < count; k++) {
        sweep_down(rows, inverse, lambda, sum);
        sweep_up(rows, inverse, lambda, sum);
    }
}
