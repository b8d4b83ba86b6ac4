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

/* Of the other rows' impulses, what row i makes of w_i. */
static double project(const saddle__sweep_rows *rows, int64_t i, double others)
{
    double x = -others / (rows->W->value[rows->W->start[i]] + rows->added[i]);
    return x < rows->lo[i] ? rows->lo[i] : x > rows->hi[i] ? rows->hi[i] : x;
}

static int has_diagonal(const saddle__sweep_rows *rows, int64_t i)
{
    const saddle_matrix *W = rows->W;
    int64_t first = W->start[i];
    return first < W->start[i + 1] && W->index[first] == i && W->value[first] + rows->added[i] > 0.0;
}

/* sum_i <- sum over j < i of W_ij lambda_j, lambda as it is after the sweep. */
static void sweep_down(const saddle__sweep_rows *rows, double *lambda, double *sum)
{
    const saddle_matrix *W = rows->W;
    for (int64_t i = 0; i < W->cols; i++) sum[i] = 0.0;
    for (int64_t i = 0; i < W->cols; i++) {
        if (!has_diagonal(rows, i)) continue;
        double x = project(rows, i, rows->q[i] + sum[i] + sum_below(W, i, lambda));
        lambda[i] = x;
        if (x == 0.0) continue;
        for (int64_t k = W->start[i] + 1; k < W->start[i + 1]; k++) sum[W->index[k]] += W->value[k] * x;
    }
}

static void sweep_up(const saddle__sweep_rows *rows, double *lambda, const double *sum)
{
    for (int64_t i = rows->W->cols; i-- > 0;)
        if (has_diagonal(rows, i)) lambda[i] = project(rows, i, rows->q[i] + sum[i] + sum_below(rows->W, i, lambda));
}

void saddle__sweep(const saddle__sweep_rows *rows, int count, double *lambda, double *sum)
{
    for (int k = 0; k < count; k++) {
        sweep_down(rows, lambda, sum);
        sweep_up(rows, lambda, sum);
    }
}
