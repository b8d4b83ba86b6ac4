/* SPDX-License-Identifier: MIT */
/* What becomes of a pivot that is not simply kept: replaced with its known sign, dropped, or the end of it
 * (factor/factorization.h). */
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
