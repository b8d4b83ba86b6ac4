/* SPDX-License-Identifier: MIT */
/* The natural maps of rows and contacts in row velocities: d (lambda - P(lambda - w/d)), written so that nothing cancels.
 * docs/theory.md, (3.4) and (3.5).
 */
#ifndef SADDLE_LIB_NATURAL_MAP_H
#define SADDLE_LIB_NATURAL_MAP_H

#include "problem/cone.h"

/* Where the rows are. */
typedef struct saddle__row_state {
    const saddle_problem *problem;
    const double *lambda;   /* m */
    const double *w;        /* m */
    const double *delassus; /* m: d_i = 1 / rho_i */
} saddle__row_state;

/* The sums behind Siconos' and FCLIB's figure (rho = 1), over contacts with a cone law. */
typedef struct saddle__natural_sums {
    double map, b, lambda, w;
} saddle__natural_sums;

/* On an interval: lambda - P(lambda - w/d) is w/d clamped to [lambda - hi, lambda - lo]. */
static inline double saddle__bound_defect(double lambda, double w, double d, double lo, double hi)
{
    return fabs(saddle__clamp(w, d * (lambda - hi), d * (lambda - lo)));
}

/* The largest component of a contact's map under the problem's law; cone and associated laws add to sums. */
double saddle__contact_defect(const saddle__row_state *at, const saddle_contact *contact, saddle__natural_sums *sums);

#endif
