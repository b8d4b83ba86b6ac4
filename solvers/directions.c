/* SPDX-License-Identifier: MIT */
/* Conjugate steps of refinement: see refine.h. */
#include "refine.h"

#include <math.h>

const int64_t saddle__directions_most = 10;

static const double nothing = 1e-14;

saddle_status saddle__directions_create(saddle_context *context, int64_t size,
                                        saddle__directions *d)
{
    saddle__directions fresh = {.context = context, .size = size};
    *d = fresh;
    if (size > INT64_MAX / saddle__directions_most)
        return saddle_fail(context, SADDLE_TOO_LARGE, "n + m = %lld", (long long)size);
    d->residual = saddle_allocate(context, size, sizeof(*d->residual));
    d->taken = saddle_allocate(context, size, sizeof(*d->taken));
    d->p = saddle_allocate(context, size * saddle__directions_most, sizeof(*d->p));
    d->q = saddle_allocate(context, size * saddle__directions_most, sizeof(*d->q));
    if (d->residual && d->taken && d->p && d->q) return SADDLE_OK;
    saddle__directions_clear(d);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle__directions_clear(saddle__directions *d)
{
    saddle_release(d->context, d->residual);
    saddle_release(d->context, d->taken);
    saddle_release(d->context, d->p);
    saddle_release(d->context, d->q);
    saddle__directions empty = {0};
    *d = empty;
}

/* y = K x: (M v - J'lambda, J v + R lambda) */
static void multiply(const saddle_problem *problem, const double *x, saddle__twofold *sum,
                     double *y)
{
    int64_t n = problem->n;
    int64_t size = n + problem->m;
    saddle__twofold_set(size, NULL, sum);
    saddle__twofold_add(&problem->M, 1.0, x, sum);
    saddle__twofold_add(&problem->R, 1.0, x + n, sum + n);
    saddle__twofold_add_both(&problem->Jt, -1.0, x + n, sum, 1.0, x, sum + n);
    for (int64_t i = 0; i < size; i++) y[i] = saddle__twofold_value(sum[i]);
}

/* x'y of two residuals in natural units */
static double product(int64_t size, const double *unit, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < size; i++) sum += (x[i] * unit[i]) * (y[i] * unit[i]);
    return sum;
}

/* |x| of unknowns in natural units */
static double length(int64_t size, const double *unit, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < size; i++) sum += (x[i] / unit[i]) * (x[i] / unit[i]);
    return sqrt(sum);
}

/* y += a x */
static void add(int64_t size, double a, const double *x, double *y)
{
    for (int64_t i = 0; i < size; i++) y[i] += a * x[i];
}

/* Where the k-th direction before the next one is. */
static int64_t place(const saddle__directions *d, int64_t k)
{
    return (d->next + saddle__directions_most - k) % saddle__directions_most * d->size;
}

void saddle__directions_begin(saddle__directions *d, const double *unit, double *r)
{
    for (int64_t i = 0; i < d->size; i++) d->taken[i] = 0.0;
    for (int64_t k = 1; k <= d->count; k++) {
        int64_t at = place(d, k);
        double part = product(d->size, unit, r, d->q + at);
        add(d->size, part, d->p + at, d->taken);
        add(d->size, -part, d->q + at, r);
    }
    for (int64_t i = 0; i < d->size; i++) d->residual[i] = r[i];
}

int saddle__directions_take(saddle__directions *d, const saddle_problem *problem,
                            const double *unit, saddle__twofold *sum, double *step)
{
    int64_t size = d->size;
    double *p = d->p + d->next * size;
    double *q = d->q + d->next * size;
    multiply(problem, step, sum, q);
    if (d->count == saddle__directions_most) d->count--; /* the oldest is being written over */
    for (int64_t k = 1; k <= d->count; k++) {
        int64_t at = place(d, k);
        double part = product(size, unit, q, d->q + at);
        add(size, -part, d->p + at, step);
        add(size, -part, d->q + at, q);
    }
    multiply(problem, step, sum, q); /* of the step as rounded */
    double norm = sqrt(product(size, unit, q, q));
    if (!(norm > nothing * length(size, unit, step)) || isinf(norm)) return 0;
    for (int64_t i = 0; i < size; i++) {
        p[i] = step[i] / norm;
        q[i] = q[i] / norm;
    }
    double part = product(size, unit, d->residual, q);
    for (int64_t i = 0; i < size; i++) step[i] = d->taken[i] + part * p[i];
    d->next = (d->next + 1) % saddle__directions_most;
    d->count++;
    return 1;
}
