/* SPDX-License-Identifier: MIT */
/* See line_search.h. */
#include "complementarity/line_search.h"

#include <math.h>
#include <string.h>

/* Where the slope is this part of the first, the search ends; and with so many evaluations, or MOST where only those find a
 * place that phi falls to. */
static const double flat = 0.01;
enum { EVALUATIONS = 24, MOST = 100 };

/* A whole step is good enough where phi falls and the slope there is this part of the first. */
static const double whole = 0.5;

void saddle__line_clear(saddle__line *line)
{
    saddle_release(line->context, line->y);
    saddle_release(line->context, line->p);
    saddle_release(line->context, line->to);
    memset(line, 0, sizeof(*line));
}

saddle_status saddle__line_create(saddle_context *context, int64_t m, saddle__line *line)
{
    saddle__line fresh = {.context = context};
    *line = fresh;
    line->y = saddle_allocate(context, m, sizeof(*line->y));
    line->p = saddle_allocate(context, m, sizeof(*line->p));
    line->to = saddle_allocate(context, m, sizeof(*line->to));
    if (line->y && line->p && line->to) return SADDLE_OK;
    saddle__line_clear(line);
    return SADDLE_OUT_OF_MEMORY;
}

static void find_arguments(const saddle__line_rows *rows, const double *lambda, const double *w, double *p)
{
    for (int64_t i = 0; i < rows->m; i++) p[i] = rows->added[i] > 0.0 ? lambda[i] - w[i] / rows->added[i] : lambda[i];
}

void saddle__line_set(saddle__line *line, const saddle__line_rows *rows, const double *lambda, const double *w)
{
    if (rows->m > 0) memcpy(line->y, lambda, (size_t)rows->m * sizeof(*lambda));
    find_arguments(rows, lambda, w, line->p);
}

/* d phi / dt at t */
static double slope(const saddle__line *line, const saddle__line_rows *rows, const double *lambda, double t)
{
    double sum = 0.0;
    for (int64_t i = 0; i < rows->m; i++) {
        double change = line->to[i] - line->p[i];
        double p = line->p[i] + t * change;
        double y = line->y[i] + t * (lambda[i] - line->y[i]);
        double projected = p < rows->lo[i] ? rows->lo[i] : p > rows->hi[i] ? rows->hi[i] : p;
        sum += rows->added[i] * change * (projected - y);
    }
    return sum;
}

/* E (p P p - (P p)^2 / 2), of which phi has one a row */
static double term(const saddle__line_rows *rows, int64_t i, double p)
{
    double x = p < rows->lo[i] ? rows->lo[i] : p > rows->hi[i] ? rows->hi[i] : p;
    return rows->added[i] * (p - 0.5 * x) * x;
}

/* phi at lambda less phi where the line begins; W (lambda - y) = -E (to - p) */
static double change(const saddle__line *line, const saddle__line_rows *rows, const double *lambda)
{
    double sum = 0.0;
    for (int64_t i = 0; i < rows->m; i++) {
        double moved = rows->added[i] * (line->to[i] - line->p[i]);
        sum += term(rows, i, line->to[i]) - term(rows, i, line->p[i]) - 0.5 * (lambda[i] + line->y[i]) * moved;
    }
    return sum;
}

/* Where the slope vanishes, which is `first` < 0 at 0 and `last` > 0 at 1: false position, every third time halving.  phi
 * falls by -at_low low at least up to low, and rises by at_high (high - low) at most from there to high: where little is known
 * of what is before high, a kink near 0 may have turned phi upwards long before. */
static double find_zero(const saddle__line *line, const saddle__line_rows *rows, const double *lambda, double first,
                        double last)
{
    double low = 0.0;
    double high = 1.0;
    double at_low = first;
    double at_high = last;
    for (int k = 0; k < EVALUATIONS || (low == 0.0 && k < MOST); k++) {
        double t = low - (high - low) * at_low / (at_high - at_low);
        if (k % 3 == 2 || k >= EVALUATIONS || !(t > low && t < high)) t = 0.5 * (low + high);
        double there = slope(line, rows, lambda, t);
        if (there > 0.0) {
            high = t;
            at_high = there;
        } else {
            low = t;
            at_low = there;
        }
        if (-at_low <= -flat * first) return low;
        if (at_high <= -flat * first && at_high * (high - low) < -at_low * low) return high;
    }
    return low;
}

/* What noise of w makes of a slope. */
static double noise_of_slope(const saddle__line *line, const saddle__line_rows *rows, const double *noise)
{
    double sum = 0.0;
    for (int64_t i = 0; i < rows->m; i++) sum += fabs(line->to[i] - line->p[i]) * noise[i];
    return sum;
}

double saddle__line_advance(saddle__line *line, const saddle__line_rows *rows, const double *lambda, const double *w,
                            const double *noise)
{
    find_arguments(rows, lambda, w, line->to);
    double first = slope(line, rows, lambda, 0.0);
    if (!(first < -noise_of_slope(line, rows, noise))) return 0.0;
    double last = slope(line, rows, lambda, 1.0);
    int enough = last <= 0.0 || (last <= -whole * first && change(line, rows, lambda) < 0.0);
    double t = enough ? 1.0 : find_zero(line, rows, lambda, first, last);
    for (int64_t i = 0; i < rows->m; i++) {
        line->y[i] += t * (lambda[i] - line->y[i]);
        line->p[i] += t * (line->to[i] - line->p[i]);
    }
    return t;
}
