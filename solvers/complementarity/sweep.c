/* SPDX-License-Identifier: MIT */
/* See sweep.h. */
#include "complementarity/sweep.h"

/* W_ij lambda_j, summed over j > i */
static double sum_below(const saddle_matrix *W, int64_t i, const double *lambda)
{
    double sum = 0.0;
    for (int64_t k = W->start[i] + 1; k < W->start[i + 1]; k++) sum += W->value[k] * lambda[W->index[k]];
    return sum;
}

/* 1 / (W_ii + E_ii); 0 = the row is left as it is */
static void invert_diagonal(const saddle__sweep_rows *rows, double *inverse)
{
    const saddle_matrix *W = rows->W;
    for (int64_t i = 0; i < W->cols; i++) {
        int64_t first = W->start[i];
        int there = first < W->start[i + 1] && W->index[first] == i && W->value[first] + rows->added[i] > 0.0;
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
static void sweep_down(const saddle__sweep_rows *rows, const double *inverse, double *lambda, double *sum)
{
    const saddle_matrix *W = rows->W;
    for (int64_t i = 0; i < W->cols; i++) sum[i] = 0.0;
    for (int64_t i = 0; i < W->cols; i++) {
        if (inverse[i] == 0.0) continue;
        double x = project(rows, i, inverse[i], rows->q[i] + sum[i] + sum_below(W, i, lambda));
        lambda[i] = x;
        if (x == 0.0) continue;
        for (int64_t k = W->start[i] + 1; k < W->start[i + 1]; k++) sum[W->index[k]] += W->value[k] * x;
    }
}

static void sweep_up(const saddle__sweep_rows *rows, const double *inverse, double *lambda, const double *sum)
{
    for (int64_t i = rows->W->cols; i-- > 0;) {
        if (inverse[i] == 0.0) continue;
        lambda[i] = project(rows, i, inverse[i], rows->q[i] + sum[i] + sum_below(rows->W, i, lambda));
    }
}

static void visit(const saddle__sweep_rows *rows, const double *inverse, int64_t i, double *lambda)
{
    if (inverse[i] == 0.0) return;
    lambda[i] = project(rows, i, inverse[i], rows->q[i] + saddle__whole_row_times(rows->beside, i, lambda));
}

/* A row waits for the one before it, with which it mostly has an entry: of two halves, a row of each in turn, the processor goes
 * on with the other meanwhile. */
static void sweep_whole_rows(const saddle__sweep_rows *rows, const double *inverse, double *lambda)
{
    int64_t m = rows->W->cols;
    int64_t half = m / 2;
    for (int64_t i = 0; i < half; i++) {
        visit(rows, inverse, i, lambda);
        visit(rows, inverse, half + i, lambda);
    }
    if (2 * half < m) visit(rows, inverse, m - 1, lambda); /* once is twice */
    for (int64_t i = half; i-- > 0;) {
        visit(rows, inverse, half + i, lambda);
        visit(rows, inverse, i, lambda);
    }
}

void saddle__sweep(const saddle__sweep_rows *rows, int count, double *lambda, double *sum, double *inverse)
{
    if (count > 0) invert_diagonal(rows, inverse);
    for (int k = 0; k < count; k++) {
        if (rows->beside) {
            sweep_whole_rows(rows, inverse, lambda);
            continue;
        }
        sweep_down(rows, inverse, lambda, sum);
        sweep_up(rows, inverse, lambda, sum);
    }
}
