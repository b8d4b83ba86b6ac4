/* SPDX-License-Identifier: MIT */
/* The rows that push at the start of a solve: those whose columns of W are asked for first
 * (demand.h). */
#include <math.h>

#include "lemke/lemke_state.h"

static int has_impulses(const saddle_problem *problem, const saddle_solution *start)
{
    for (int64_t i = 0; i < problem->m; i++)
        if (start->lambda[i] != 0.0) return 1;
    return 0;
}

/* Of a row outside contacts: it is free, rests at a bound that is not zero, or, at its bound zero,
 * is pushed by q. */
static int pushes(const saddle_problem *problem, int64_t i, double q)
{
    double lo = saddle_problem_lo(problem, i);
    double hi = saddle_problem_hi(problem, i);
    if (lo == hi) return 0; /* a constant, which is in q */
    if (!(lo <= 0.0) || !(hi >= 0.0) || (!isfinite(lo) && !isfinite(hi))) return 1;
    if (lo == 0.0) return q < 0.0;
    if (hi == 0.0) return q > 0.0;
    return q != 0.0;
}

int64_t saddle__lemke_expected(const saddle__lemke *s, const saddle_problem *problem,
                               const saddle_solution *start)
{
    int64_t count = 0;
    int64_t next = 0; /* contact */
    int warm = has_impulses(problem, start);
    for (int64_t i = 0; i < problem->m; i++) {
        int is_contact = next < problem->contact_count && problem->contacts[next].row == i;
        int64_t rows = is_contact ? problem->contacts[next++].size : 1;
        int cold = is_contact ? s->q[i] < 0.0 : pushes(problem, i, s->q[i]);
        count += (warm ? start->lambda[i] != 0.0 : cold) ? rows : 0;
        i += rows - 1;
    }
    return count;
}
