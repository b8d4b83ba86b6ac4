/* SPDX-License-Identifier: MIT */
/* The natural maps of rows and contacts, in row velocities: d (lambda - P(lambda - w/d)), written
 * so that nothing cancels. saddle/residual.h states the laws; docs/theory.md, (3.3) to (3.5). */
#ifndef SADDLE_LIB_NATURAL_MAP_H
#define SADDLE_LIB_NATURAL_MAP_H

#include <math.h>

#include "problem/cone.h"

typedef struct saddle__map {
    double defect;  /* d |lambda - P(lambda - w/d)| [row velocity]; a contact's is the length of the
                       vector */
    double outside; /* |lambda - P(lambda)|         [impulse] */
    double work;    /* |w| |lambda - bound|, |s'lambda| */
} saddle__map;

/* On an interval lambda - P(lambda - w/d) is w/d clamped to [lambda - hi, lambda - lo]. */
static inline double saddle__bound_defect(double lambda, double w, double d, double lo, double hi)
{
    return fabs(saddle__clamp(w, d * (lambda - hi), d * (lambda - lo)));
}

/* A row with bounds.  d > 0 here and below. */
saddle__map saddle__row_map(double lambda, double w, double d, double lo, double hi);

/* The tangents of a pyramid in space, of radius mu lambda_n. */
saddle__map saddle__polygon_map(double radius, int64_t facets, const double lambda[2],
                                const double w[2], double d);

/* A cone; s: the shifted w.  Plane contacts have a third entry of 0. */
saddle__map saddle__cone_map(double mu, const double lambda[3], const double s[3], double d);

#endif
