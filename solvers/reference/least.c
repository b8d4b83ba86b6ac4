/* SPDX-License-Identifier: MIT */
/* See least.h. */
#include "reference/least.h"

#include <math.h>

#include "base/context_internal.h"
#include "matrix/twofold.h"

enum { OUTER_AT_MOST = 300 };

/* Iterations end where residual or step is below this part of the first. */
static const double twin_digits = 1e-31;

typedef struct work {
    const saddle_matrix *K;
    const signed char *sign;
    double delta;
    saddle__factorization *F;
    int64_t size;
    saddle__twofold *sum;      /* size */
    double *part, *correction; /* size each */
    saddle__twin *d, *rest;    /* size each */
} work;

static double largest(int64_t size, const saddle__twin *x)
{
    double most = 0.0;
    for (int64_t i = 0; i < size; i++) most = fmax(most, fabs(x[i].high));
    return most;
}

/* to = b - (K + delta S) x, without delta S where delta is 0 */
static void residual(work *at, double delta, const saddle__twin *b, const saddle__twin *x,
                     saddle__twin *to)
{
    for (int64_t i = 0; i < at->size; i++)
        at->sum[i] = (saddle__twofold){.high = b[i].high, .low = b[i].low};
    for (int half = 0; half < 2; half++) {
        for (int64_t i = 0; i < at->size; i++) at->part[i] = half ? x[i].low : x[i].high;
        saddle__twofold_add(at->K, -1.0, at->part, at->sum);
    }
    for (int64_t i = 0; i < at->size; i++) {
        const saddle__twin plain = saddle__twin_sum(at->sum[i].high, at->sum[i].low);
        const saddle__twin weight = saddle__twin_of(-delta * at->sign[i]);
        to[i] = saddle__twin_add(plain, saddle__twin_product(weight, x[i]));
    }
}

/* d = (K + delta S)^-1 b, refined until its corrections no longer fall or are rounding. */
static saddle_status solve(work *at, const saddle__twin *b, saddle__twin *d)
{
    double before = (double)INFINITY, size = 0.0;
    for (int64_t i = 0; i < at->size; i++) d[i] = saddle__twin_of(0.0);
    for (int k = 0; k < 20; k++) {
        double step = 0.0;
        residual(at, at->delta, b, d, at->rest);
        for (int64_t i = 0; i < at->size; i++) at->correction[i] = at->rest[i].high;
        SADDLE__TRY(saddle__factorization_solve(at->F, at->correction));
        for (int64_t i = 0; i < at->size; i++) step = fmax(step, fabs(at->correction[i]));
        if (!(step < 0.5 * before)) return SADDLE_OK;
        for (int64_t i = 0; i < at->size; i++)
            d[i] = saddle__twin_add(d[i], saddle__twin_of(at->correction[i]));
        size = fmax(size, step);
        if (step <= twin_digits * size) return SADDLE_OK;
        before = step;
    }
    return SADDLE_OK;
}

/* Steps beyond those that rounding along the null space hides, until the rest is rounding too. */
static int hidden_steps(const work *at, double contraction)
{
    const double hidden = log(10.0 / at->delta), each = -log(fmax(contraction, 1e-10));
    return 1 + (int)ceil(hidden / each);
}

/* Rounding of b - K x appears in d divided by delta: steps below that are not compared. */
static saddle_status step(work *at, const saddle__twin *b, saddle__twin *x, saddle__twin *r,
                          saddle__least *found)
{
    double before = 0.0;
    int hidden = 0;
    for (int k = 0; k < OUTER_AT_MOST; k++) {
        residual(at, 0.0, b, x, r);
        SADDLE__TRY(solve(at, r, at->d));
        for (int64_t i = 0; i < at->size; i++) x[i] = saddle__twin_add(x[i], at->d[i]);
        found->steps++;
        const double last = largest(at->size, at->d);
        found->size = largest(at->size, x);
        const double rounding = 10.0 * twin_digits / at->delta * found->size;
        if (before > rounding) found->contraction = fmax(found->contraction, last / before);
        found->last = last <= rounding ? 10.0 * twin_digits * found->size : last;
        if (!isfinite(last) || found->contraction > 0.9) return SADDLE_OK;
        hidden += last <= rounding;
        if (hidden > hidden_steps(at, found->contraction)) return SADDLE_OK;
        before = last;
    }
    found->contraction = (double)INFINITY;
    return SADDLE_OK;
}

/* x <- x - p; the solution is repeated from p, which reduces p outside the null space. */
static saddle_status remove_null(work *at, saddle__twin *x, saddle__twin *b, saddle__least *found)
{
    double before = (double)INFINITY;
    for (int64_t i = 0; i < at->size; i++) at->d[i] = x[i];
    for (int k = 0; k < OUTER_AT_MOST; k++) {
        for (int64_t i = 0; i < at->size; i++)
            b[i] = saddle__twin_product(saddle__twin_of(at->delta * at->sign[i]), at->d[i]);
        SADDLE__TRY(solve(at, b, at->d));
        found->removed = largest(at->size, at->d);
        if (found->removed > 0.99 * before || found->removed <= twin_digits * found->size) break;
        before = found->removed;
    }
    for (int64_t i = 0; i < at->size; i++)
        x[i] = saddle__twin_add(x[i], saddle__twin_scale(at->d[i], -1.0));
    return SADDLE_OK;
}

saddle_status saddle__least_norm(saddle_context *context, const saddle_matrix *K,
                                 const signed char *sign, double delta, saddle__factorization *F,
                                 const saddle__twin *b, saddle__twin *x, saddle__least *found)
{
    work at = {.K = K, .sign = sign, .delta = delta, .F = F, .size = K->rows};
    *found = (saddle__least){0};
    at.sum = saddle_allocate(context, at.size, sizeof *at.sum);
    at.part = saddle_allocate(context, at.size, sizeof *at.part);
    at.correction = saddle_allocate(context, at.size, sizeof *at.correction);
    at.d = saddle_allocate(context, at.size, sizeof *at.d);
    at.rest = saddle_allocate(context, at.size, sizeof *at.rest);
    saddle__twin *r = saddle_allocate(context, at.size, sizeof *r);
    saddle_status status = at.sum && at.part && at.correction && at.d && at.rest && r
                               ? SADDLE_OK
                               : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < at.size; i++) x[i] = saddle__twin_of(0.0);
    if (status == SADDLE_OK) status = step(&at, b, x, r, found);
    if (status == SADDLE_OK && found->contraction <= 0.9) status = remove_null(&at, x, r, found);
    saddle__release_all(context, at.sum, at.part, at.correction, at.d, at.rest, r);
    return status;
}
