/* SPDX-License-Identifier: MIT */
/* Whether dependent rows want what the rows they depend on want:
 *
 *     gap = b_i - sum_k c_k b_k,
 *         a contradiction where  |gap| > tolerance (|b_i| + sum_k |c_k b_k|)
 *                                   and  |gap| > 64 u V (s_i + sum_k |c_k| s_k)
 *
 * s_i the row's length in natural units and V the largest velocity in them that the right-hand side
 * speaks of, max |b_k| / s_k and max |f_j| / |M_jj|^1/2: right-hand sides that are themselves the
 * rounding of moving bodies contradict nobody. */
#include <float.h>
#include <math.h>

#include "rank/rank_internal.h"

static const double rounding = 64.0 * DBL_EPSILON;

/* V, from the rows' lengths s; a row of length 0 speaks of no velocity. */
static double largest_velocity(const saddle_problem *problem, const double *unit, const double *s)
{
    double most = 0.0;
    for (int64_t j = 0; problem->f && j < problem->n; j++)
        most = fmax(most, fabs(problem->f[j]) * unit[j]);
    for (int64_t i = 0; i < problem->m; i++)
        if (s[i] > 0.0) most = fmax(most, fabs(problem->b[i]) / s[i]);
    return most;
}

/* sum += a b with the rounding of the product and of the sum in *low */
static void add_product(double a, double b, double *sum, double *low)
{
    double product = a * b;
    *low += fma(a, b, -product);
    double total = *sum + product;
    double shifted = total - *sum;
    *low += (*sum - (total - shifted)) + (product - shifted);
    *sum = total;
}

static void judge(const saddle_problem *problem, const double *s, double velocity, double tolerance,
                  const signed char *equality, saddle_dependency *d)
{
    double low = 0.0;
    double sum = problem->b ? problem->b[d->row] : 0.0;
    double size = fabs(sum);
    double floor = s[d->row];
    d->judged = equality[d->row];
    for (int64_t k = 0; k < d->count; k++) {
        double b = problem->b ? problem->b[d->other[k]] : 0.0;
        add_product(-d->factor[k], b, &sum, &low);
        size += fabs(d->factor[k] * b);
        floor += fabs(d->factor[k]) * s[d->other[k]];
        d->judged = d->judged && equality[d->other[k]];
    }
    int known = isfinite(sum + low) && isfinite(size); /* else no double holds a product */
    d->judged = d->judged && known;
    d->gap = known ? sum + low : 0.0;
    d->relative_gap = known && size > 0.0 ? fabs(d->gap) / size : 0.0;
    d->inconsistent = d->judged && fabs(d->gap) > tolerance * size &&
                      fabs(d->gap) > rounding * velocity * floor;
}

saddle_status saddle__rank_judge(saddle_context *context, const saddle_problem *problem,
                                 double tolerance, saddle_rank *rank)
{
    double *unit = saddle_allocate(context, problem->n, sizeof(*unit));
    double *s = saddle_allocate(context, problem->m, sizeof(*s));
    signed char *equality = saddle_allocate(context, problem->m, sizeof(*equality));
    saddle_status status = unit && s && equality ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__scaled_units(context, problem, unit);
    if (status == SADDLE_OK) {
        for (int64_t i = 0; i < problem->m; i++) s[i] = saddle__scaled_length(problem, unit, i);
        double velocity = problem->b ? largest_velocity(problem, unit, s) : 0.0;
        saddle__scaled_equalities(problem, equality);
        for (int64_t t = 0; t < rank->dependency_count; t++) {
            judge(problem, s, velocity, tolerance, equality, &rank->dependency[t]);
            rank->inconsistent += rank->dependency[t].inconsistent;
        }
    }
    saddle_release(context, unit);
    saddle_release(context, s);
    saddle_release(context, equality);
    return status;
}
