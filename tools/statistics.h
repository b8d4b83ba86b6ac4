/* SPDX-License-Identifier: MIT */
/* Statistics of benchmark results: medians, performance profiles, fitted exponents, intervals of
 * ratios.  Pure functions of their arguments; draws come from a fixed seed, so that equal inputs
 * give equal results. */
#ifndef SADDLE_TOOLS_STATISTICS_H
#define SADDLE_TOOLS_STATISTICS_H

#include <stdint.h>

/* Sorts the values; the mean of the two in the middle for an even count; NAN for count = 0. */
double tool_median(double *value, int64_t count);

/* ---- performance profiles (Dolan and More, Math. Program. 91, 2002) ----
 *
 *     ratio_ps = cost_ps / min_s cost_ps        rho_s(tau) = |{p : ratio_ps <= tau}| / problems
 *
 * cost, ratio (problems x solvers, by problems): INFINITY where a solver has no answer.  Problems
 * that no solver has an answer to count in the denominator. */
void tool_profile_ratios(int64_t problems, int64_t solvers, const double *cost, double *ratio);
double tool_profile_at(int64_t problems, int64_t solvers, const double *ratio, int64_t solver,
                       double tau);

/* ---- scaling: y = factor x^exponent ---- */

typedef struct tool_fit {
    int64_t count;   /* points with x > 0 and y > 0 */
    double exponent; /* least squares of log y over log x; NAN with fewer than two distinct x */
    double factor;
    double low, high; /* 95 percent interval of the exponent by Student's t; -INFINITY, INFINITY
                         with fewer than three points */
} tool_fit;

tool_fit tool_fit_power(int64_t count, const double *x, const double *y);

/* Student's t: P(|T| <= t) for `freedom` >= 1 degrees of freedom (Abramowitz and Stegun, 26.7.3,
 * 26.7.4); and the t of a probability in (0, 1). */
double tool_student(double t, int64_t freedom);
double tool_student_quantile(double probability, int64_t freedom);

/* ---- two series of measurements ---- */

/* Values of one case: a (a_count) in the first file, b (b_count) in the second, all > 0. */
typedef struct tool_pair {
    const double *a, *b;
    int64_t a_count, b_count;
} tool_pair;

typedef enum tool_verdict {
    TOOL_NO_CHANGE,
    TOOL_LESS,     /* b is less: faster, more accurate */
    TOOL_MORE,     /* b is more */
    TOOL_UNDECIDED /* too few values: fewer than TOOL_ENOUGH cases, one with fewer values */
} tool_verdict;

enum { TOOL_ENOUGH = 5 };

/* The median over cases of min(b) / min(a), and its interval by the percentile bootstrap: cases are
 * drawn with replacement, and the values of each drawn case too.  Of repeated times the least is
 * compared, because disturbances only add.  The confidence is 99.9
 * percent, so that twenty comparisons of equal runs together give a false alarm in 2 of 100.
 * A change is stated where the interval excludes 1 and the ratio differs from 1 by the margin. */
typedef struct tool_ratio {
    int64_t cases;
    double ratio, low, high;
    double sign; /* two-sided sign test: probability of so uneven a count of cases above and below 1
                    where none has changed */
    tool_verdict verdict;
} tool_ratio;

/* scratch: tool_compare_scratch() doubles. */
int64_t tool_compare_scratch(int64_t count);
tool_ratio tool_compare(int64_t count, const tool_pair *pair, double margin, double *scratch);

#endif
