/* SPDX-License-Identifier: MIT */
/* See crash.h: what becomes of a basis' impulses. */
#include <math.h>

#include "complementarity/crash.h"
#include "problem/cone.h"

void saddle__crash_clamp(const saddle_problem *p, const double *lambda, double *to)
{
    int64_t next = 0;
    for (int64_t i = 0; i < p->m; i++) {
        int is_contact = next < p->contact_count && p->contacts[next].row == i;
        double lo = is_contact ? 0.0 : p->lo ? p->lo[i] : -(double)INFINITY;
        double hi = is_contact || !p->hi ? (double)INFINITY : p->hi[i];
        to[i] = saddle__clamp(lambda[i], lo, hi);
        if (!is_contact) continue;
        const saddle_contact *contact = &p->contacts[next++];
        double limit = contact->mu * to[i];
        for (int64_t t = i + 1; t < i + contact->size; t++)
            to[t] = p->law == SADDLE_LAW_BOX || contact->size == 2
                        ? saddle__clamp(lambda[t], -limit, limit)
                        : lambda[t];
        i += contact->size - 1;
    }
}

double saddle__crash_measure(const saddle__crash *crash, const saddle_problem *problem)
{
    if (problem->n > 0 || !crash->even) return (double)INFINITY;
    double noise = 0.0;
    double data = 0.0;
    for (int64_t i = 0; i < problem->m; i++) {
        double of_row = saddle__crash_noise(crash, i);
        double b = problem->b ? fabs(problem->b[i]) : 0.0;
        noise = of_row > noise ? of_row : noise;
        data = b > data ? b : data;
    }
    double left = saddle__crash_defect(crash, crash->w) + noise;
    return data > 0.0 ? left / data : (double)INFINITY;
}
