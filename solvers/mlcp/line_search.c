/* SPDX-License-Identifier: MIT */
/* See line_search.h. */
#include "mlcp/line_search.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The search ends where the slope is this part of the first slope, and after so many evaluations
 * where phi falls to the place found. */
static const double flat = 0.01;
enum { EVALUATIONS = 24 };

/* A whole step is taken where phi falls and the slope is at most this part of the first. */
static const double whole = 0.5;

void saddle__line_place(saddle__line *line, saddle__layout *layout, int64_t count)
{
    line->y = saddle__layout_take(layout, count, sizeof *line->y);
    line->p = saddle__layout_take(layout, count, sizeof *line->p);
    line->to = saddle__layout_take(layout, count, sizeof *line->to);
    line->kinked = saddle__layout_take(layout, count, sizeof *line->kinked);
}

static double argument(const saddle__mlcp_rows *rows, const double *lambda, const double *w,
                       int64_t i)
{
    return rows->E[i] > 0.0 ? lambda[i] - w[i] / rows->E[i] : lambda[i];
}

void saddle__line_set(saddle__line *line, const saddle__mlcp_rows *rows, const double *lambda,
                      const double *w)
{
    if (rows->count > 0) memcpy(line->y, lambda, (size_t)rows->count * sizeof(*lambda));
    for (int64_t i = 0; i < rows->count; i++) line->p[i] = argument(rows, lambda, w, i);
}

static double within(const saddle__mlcp_rows *rows, int64_t i, double p)
{
    double above = rows->lo[i] > p ? rows->lo[i] : p;
    return rows->hi[i] < above ? rows->hi[i] : above;
}

/* ---- phi along the line ---- */

/* d phi / dt at t = constant + t linear + the terms of rows with kinks. */
typedef struct sum_of_rows {
    double constant, linear;
    double noise; /* of the slope, by the noise of w */
} sum_of_rows;

/* line->to, kinked and kinks; returns the sum of all other rows, most of the rows. */
static sum_of_rows add_rows(saddle__line *line, const saddle__mlcp_rows *rows, const double *lambda,
                            const double *w, const double *noise)
{
    sum_of_rows sum = {0.0, 0.0, 0.0};
    line->kinks = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        double p = line->p[i];
        double to = line->to[i] = argument(rows, lambda, w, i);
        double began = within(rows, i, p);
        double ends = within(rows, i, to);
        double weight = rows->E[i] * (to - p);
        sum.noise += fabs(to - p) * noise[i];
        if ((began == p) == (ends == to) && (began == p || began == ends)) {
            sum.constant += weight * (began - line->y[i]);
            sum.linear += weight * ((ends - began) - (lambda[i] - line->y[i]));
        } else {
            line->kinked[line->kinks++] = i;
        }
    }
    return sum;
}

static double slope(const saddle__line *line, const saddle__mlcp_rows *rows,
                    const sum_of_rows *others, const double *lambda, double t)
{
    double sum = others->constant + t * others->linear;
    for (int64_t k = 0; k < line->kinks; k++) {
        int64_t i = line->kinked[k];
        double change = line->to[i] - line->p[i];
        double y = line->y[i] + t * (lambda[i] - line->y[i]);
        sum += rows->E[i] * change * (within(rows, i, line->p[i] + t * change) - y);
    }
    return sum;
}

/* E (p P p - (P p)^2 / 2), the part of row i in phi */
static double term(const saddle__mlcp_rows *rows, int64_t i, double p)
{
    double x = within(rows, i, p);
    return rows->E[i] * (p - 0.5 * x) * x;
}

/* phi at lambda less phi where the line begins; W (lambda - y) = -E (to - p) */
static double change(const saddle__line *line, const saddle__mlcp_rows *rows,
                     const sum_of_rows *others, const double *lambda)
{
    double sum = others->constant + 0.5 * others->linear;
    for (int64_t k = 0; k < line->kinks; k++) {
        int64_t i = line->kinked[k];
        double moved = rows->E[i] * (line->to[i] - line->p[i]);
        sum += term(rows, i, line->to[i]) - term(rows, i, line->p[i]) -
               0.5 * (lambda[i] + line->y[i]) * moved;
    }
    return sum;
}

/* Where the slope vanishes, which is `first` < 0 at 0 and `last` > 0 at 1: false position, every
 * third time halving.  phi falls by -at_low low at least up to low, and rises by at_high (high -
 * low) at most from there to high: where little is known of what is before high, a kink near 0 may
 * have turned phi upwards long before. */
static double find_zero(const saddle__line *line, const saddle__mlcp_rows *rows,
                        const sum_of_rows *others, const double *lambda, double first, double last)
{
    double low = 0.0;
    double high = 1.0;
    double at_low = first;
    double at_high = last;
    for (int k = 0; k < EVALUATIONS || (low == 0.0 && high > DBL_EPSILON); k++) {
        double t = low - (high - low) * at_low / (at_high - at_low);
        if (k % 3 == 2 || k >= EVALUATIONS || !(t > low && t < high)) t = 0.5 * (low + high);
        double there = slope(line, rows, others, lambda, t);
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

/* The line begins at t. */
static void go(saddle__line *line, int64_t m, double t, const double *lambda)
{
    if (t == 1.0) {
        double *p = line->p;
        line->p = line->to;
        line->to = p;
        if (m > 0) memcpy(line->y, lambda, (size_t)m * sizeof(*lambda));
        return;
    }
    for (int64_t i = 0; i < m; i++) {
        line->y[i] += t * (lambda[i] - line->y[i]);
        line->p[i] += t * (line->to[i] - line->p[i]);
    }
}

double saddle__line_advance(saddle__line *line, const saddle__mlcp_rows *rows, const double *lambda,
                            const double *w, const double *noise)
{
    sum_of_rows others = add_rows(line, rows, lambda, w, noise);
    double first = slope(line, rows, &others, lambda, 0.0);
    if (!(first < -others.noise)) return 0.0;
    double last = slope(line, rows, &others, lambda, 1.0);
    int enough = last <= 0.0 ||
                 (last <= -whole * first && change(line, rows, &others, lambda) < 0.0);
    double t = enough ? 1.0 : find_zero(line, rows, &others, lambda, first, last);
    go(line, rows->count, t, lambda);
    return t;
}
