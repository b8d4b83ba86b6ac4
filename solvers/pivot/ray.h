/* SPDX-License-Identifier: MIT */
/* Why a problem has no solution: rows that contradict each other,
 *
 *     d != 0,   J'd = 0,   R d = 0,   b'd > 0,
 *         d_i >= 0 where hi_i = inf, d_i <= 0 where lo_i = -inf, d_i = 0 else
 *
 * (both infinite: any; tangents of contacts: 0).  Where R is not symmetric, R d and b'd are left to
 * those who check the certificate: R'd <= 0 is enough where lambda >= 0, and bounds add to b'd
 * (saddle/certificate.h).  See proximal.h.  Unlike solvers/schur/ray.h this asks for no M^-1. */
#ifndef SADDLE_PIVOT_RAY_H
#define SADDLE_PIVOT_RAY_H

#include "pivot/laws.h"

typedef struct saddle__row_ray {
    int64_t rows;  /* that take part; 0: d is none */
    int64_t first; /* the one with the largest part */
    int bounded;   /* any of them has a finite bound */
} saddle__row_ray;

/* d (m): a step of the impulses, cleaned on return; size (m): natural sizes of W's diagonal; step
 * (m): 0 for rows of zeros, one of which that asks for the impossible takes the place of d; work: 2
 * max(n, m). */
saddle__row_ray saddle__row_ray_find(const saddle_problem *problem, const saddle__row_laws *laws,
                                     const double *size, const double *step, double *d,
                                     double *work);

#endif
