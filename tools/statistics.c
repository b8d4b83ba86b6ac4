/* SPDX-License-Identifier: MIT */
/* See statistics.h. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(const double *sorted, int64_t count)
{
    if (count == 0) return (double)NAN;
    return count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

double tool_median(double *value, int64_t count)
{
    if (count > 0) qsort(value, (size_t)count, sizeof *value, compare);
    return middle(value, count);
}

/* ---- profiles ---- */

void tool_profile_ratios(int64_t problems, int64_t solvers, const double *cost, double *ratio)
{
    for (int64_t p = 0; p < problems; p++) {
        const double *row = cost + p * solvers;
        double least = (double)INFINITY;
        for (int64_t s = 0; s < solvers; s++) least = fmin(least, row[s]);
        for (int64_t s = 0; s < solvers; s++)
            ratio[p * solvers + s] = isfinite(row[s]) ? row[s] / least : (double)INFINITY;
    }
}

double tool_profile_at(int64_t problems, int64_t solvers, const double *ratio, int64_t solver,
                       double tau)
{
    int64_t within = 0;
    for (int64_t p = 0; p < problems; p++) {
        const double r = ratio[p * solvers + solver];
        within += isfinite(r) && r <= tau;
    }
    return problems > 0 ? (double)within / (double)problems : 0.0;
}

/* ---- scaling ---- */

double tool_student(double t, int64_t freedom)
{
    const double angle = atan(t / sqrt((double)freedom)), c = cos(angle), c2 = c * c;
    double term = freedom % 2 ? c : 1.0, sum = freedom == 1 ? 0.0 : term;
    for (int64_t k = freedom % 2 ? 2 : 1; k < freedom - 2; k += 2) {
        term *= c2 * (double)k / (double)(k + 1);
        sum += term;
    }
    return freedom % 2 ? 2.0 * (angle + sin(angle) * sum) / acos(-1.0) : sin(angle) * sum;
}

double tool_student_quantile(double probability, int64_t freedom)
{
    double low = 0.0, high = 1.0;
    while (tool_student(high, freedom) < probability) high *= 2.0;
    for (int k = 0; k < 200; k++) {
        const double t = 0.5 * (low + high);
        *(tool_student(t, freedom) < probability ? &low : &high) = t;
    }
    return high;
}

/* Sums of deviations from the means of log x and log y. */
typedef struct deviations {
    double x, y, xx, xy, yy; /* means; sums of squares and products */
    int64_t count;
} deviations;

static deviations deviations_of(int64_t count, const double *x, const double *y)
{
    deviations d = {0};
    for (int64_t k = 0; k < count; k++) {
        if (!(x[k] > 0 && y[k] > 0)) continue;
        d.count++;
        d.x += log(x[k]);
        d.y += log(y[k]);
    }
    d.x /= (double)d.count;
    d.y /= (double)d.count;
    for (int64_t k = 0; k < count; k++) {
        if (!(x[k] > 0 && y[k] > 0)) continue;
        const double dx = log(x[k]) - d.x, dy = log(y[k]) - d.y;
        d.xx += dx * dx;
        d.xy += dx * dy;
        d.yy += dy * dy;
    }
    return d;
}

tool_fit tool_fit_power(int64_t count, const double *x, const double *y)
{
    const deviations d = deviations_of(count, x, y);
    tool_fit fit = {.count = d.count,
                    .exponent = (double)NAN,
                    .factor = (double)NAN,
                    .low = -(double)INFINITY,
                    .high = (double)INFINITY};
    if (!(d.xx > 0)) return fit;
    fit.exponent = d.xy / d.xx;
    fit.factor = exp(d.y - fit.exponent * d.x);
    if (d.count < 3) return fit;
    const int64_t freedom = d.count - 2;
    const double rest = fmax(0.0, d.yy - fit.exponent * d.xy);
    const double half = tool_student_quantile(0.95, freedom) * sqrt(rest / (double)freedom / d.xx);
    fit.low = fit.exponent - half;
    fit.high = fit.exponent + half;
    return fit;
}

/* ---- two series ---- */

enum { RESAMPLES = 10000, TAIL = 5 }; /* 5 of 10000 on each side: 99.9 percent */

/* xorshift64* (Vigna 2016): an integer below count. */
static int64_t draw(uint64_t *state, int64_t count)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (int64_t)((*state * 0x2545F4914F6CDD1Du >> 11) % (uint64_t)count);
}

/* Into its place among count sorted values. */
static void insert(double *sorted, int64_t count, double value)
{
    int64_t k = count;
    for (; k > 0 && sorted[k - 1] > value; k--) sorted[k] = sorted[k - 1];
    sorted[k] = value;
}

static double least_of(const double *value, int64_t count)
{
    double least = (double)INFINITY;
    for (int64_t k = 0; k < count; k++) least = fmin(least, value[k]);
    return least;
}

static double drawn_least(uint64_t *state, const double *value, int64_t count)
{
    double least = (double)INFINITY;
    for (int64_t k = 0; k < count; k++) least = fmin(least, value[draw(state, count)]);
    return least;
}

/* P(at most k heads or tails of n tosses), both sides. */
static double sign_test(int64_t above, int64_t below)
{
    const int64_t n = above + below, least = above < below ? above : below;
    double sum = 0.0;
    if (n == 0) return 1.0;
    for (int64_t k = 0; k <= least; k++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
                   (double)n * log(2.0));
    return fmin(1.0, 2.0 * sum);
}

int64_t tool_compare_scratch(int64_t count)
{
    return RESAMPLES + count;
}

/* The ratio of each case into ratio (count), and the median; sorted afterwards. */
static void measure_cases(int64_t count, const tool_pair *pair, double *ratio, tool_ratio *result)
{
    int64_t above = 0, below = 0;
    for (int64_t p = 0; p < count; p++) {
        const double a = least_of(pair[p].a, pair[p].a_count),
                     b = least_of(pair[p].b, pair[p].b_count);
        ratio[p] = b / a;
        above += b > a;
        below += b < a;
    }
    result->sign = sign_test(above, below);
    result->ratio = tool_median(ratio, count);
}

static int has_enough(int64_t count, const tool_pair *pair)
{
    int all = count > 0;
    for (int64_t p = 0; p < count; p++)
        all = all && pair[p].a_count >= TOOL_ENOUGH && pair[p].b_count >= TOOL_ENOUGH;
    return all || count >= TOOL_ENOUGH;
}

tool_ratio tool_compare(int64_t count, const tool_pair *pair, double margin, double *scratch)
{
    double *resampled = scratch, *ratio = scratch + RESAMPLES;
    tool_ratio result = {.cases = count, .ratio = (double)NAN, .sign = 1.0};
    uint64_t state = 0x9E3779B97F4A7C15u;
    result.low = result.high = (double)NAN;
    result.verdict = TOOL_UNDECIDED;
    if (count == 0) return result;
    measure_cases(count, pair, ratio, &result);
    for (int64_t k = 0; k < RESAMPLES; k++) {
        for (int64_t p = 0; p < count; p++) {
            const tool_pair *at = &pair[draw(&state, count)];
            const double a = drawn_least(&state, at->a, at->a_count);
            insert(ratio, p, drawn_least(&state, at->b, at->b_count) / a);
        }
        resampled[k] = middle(ratio, count);
    }
    qsort(resampled, RESAMPLES, sizeof *resampled, compare);
    result.low = resampled[TAIL];
    result.high = resampled[RESAMPLES - 1 - TAIL];
    if (!has_enough(count, pair)) return result;
    result.verdict = result.low > 1.0 && result.ratio >= 1.0 + margin    ? TOOL_MORE
                     : result.high < 1.0 && result.ratio <= 1.0 - margin ? TOOL_LESS
                                                                         : TOOL_NO_CHANGE;
    return result;
}
