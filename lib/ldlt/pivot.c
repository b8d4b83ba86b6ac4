/* SPDX-License-Identifier: MIT */
/* What becomes of a pivot that is not simply kept: replaced with its known sign, dropped, or the
 * end of it (factor/factorization.h). */
#include <math.h>

#include "ldlt/ldlt_internal.h"

/* the pivot as the rule has it, 0 = there is none to be had */
static double amend(saddle__pivoting *p, int64_t position, double d, double scale)
{
    int64_t i = p->order[position];
    const saddle__pivot_rule *rule = p->rule;
    if (d != 0.0 && fabs(d) >= rule->smallest * scale) return d;
    if (!(rule->replacement > 0.0)) return 0.0;
    p->perturbed++;
    if (position < p->first_perturbed) p->first_perturbed = position;
    int sign = rule->sign && rule->sign[i] != 0 ? rule->sign[i] : (d < 0.0 ? -1 : 1);
    double size = rule->replacement * scale;
    return sign * (size > 0.0 ? size : rule->replacement);
}

int saddle__ldlt_odd_pivot(saddle__pivoting *p, int64_t position, double d)
{
    double scale = p->rule->scale ? p->rule->scale[p->order[position]] : 1.0;
    double kept = isfinite(d) ? amend(p, position, d, scale) : 0.0;
    if (kept == 0.0) {
        if (position < p->failed_at) {
            p->failed_at = position;
            p->failed = d;
        }
        return 0;
    }
    if (isinf(kept)) {
        p->zero++;
        p->pivot[position] = p->inverse[position] = 0.0;
        return 1;
    }
    saddle__ldlt_keep_pivot(p, position, kept, fabs(kept) / scale);
    return 1;
}

/* Whether a replaced or regularized pivot d is that of a null vector: its column of L leaves
 * nothing, L_i^2 |d| <= smallest s_i. */
static int leaves_nothing(const saddle__ldlt *F, const saddle__pivot_rule *rule, int64_t position)
{
    int64_t s = F->supernode[position];
    int64_t columns = F->first[s + 1] - F->first[s];
    int64_t ld = columns + F->row_start[s + 1] - F->row_start[s];
    int64_t j = position - F->first[s];
    const double *column = F->value + F->value_start[s] + j * ld;
    const int32_t *row = F->row + F->row_start[s];
    double d = fabs(F->pivot[position]);
    for (int64_t t = j + 1; t < ld; t++) {
        int64_t i = F->order[t < columns ? F->first[s] + t : row[t - columns]];
        double scale = rule->scale ? rule->scale[i] : 1.0;
        if (!(column[t] * column[t] * d <= rule->smallest * scale)) return 0;
    }
    return 1;
}

/* A row that equals others has what was added to it and to them: 2, or a few, times that. */
static const double made_at_most = 4.0;

/* Whether pivot d of unknown i is nothing but what replaced it or was added to it. */
static int is_made(const saddle__pivot_rule *rule, int64_t i, double d)
{
    double scale = rule->scale ? rule->scale[i] : 1.0;
    double added = rule->added ? fabs(rule->added[i]) : 0.0;
    return d != 0.0 && (fabs(d) == rule->replacement * scale || fabs(d) <= made_at_most * added);
}

void saddle__ldlt_count_null(const saddle__ldlt *F, const saddle__pivot_rule *rule,
                             saddle__factor_counts *counts)
{
    saddle_inertia *inertia = &counts->inertia;
    for (int64_t k = 0; k < F->n; k++) {
        double d = F->pivot[k];
        if (!is_made(rule, F->order[k], d) || !leaves_nothing(F, rule, k)) continue;
        if (inertia->zero++ == 0) counts->first_zero = F->order[k];
        if (d > 0.0)
            inertia->positive--;
        else
            inertia->negative--;
    }
}
