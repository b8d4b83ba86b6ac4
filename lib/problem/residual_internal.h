/* SPDX-License-Identifier: MIT */
/* What the parts of the checker share. */
#ifndef SADDLE_LIB_RESIDUAL_INTERNAL_H
#define SADDLE_LIB_RESIDUAL_INTERNAL_H

#include <float.h>

#include "base/vector.h"
#include "problem/problem_internal.h"

typedef struct saddle__checker {
    const saddle_problem *problem;
    const double *v;
    const double *lambda;
    double *defect;       /* n: M v - J'lambda                                           */
    double *sum_M;        /* n: row sums of |M|                                          */
    double *free;         /* n: |f_j| / |M_jj|, the velocity that f alone would give     */
    double *sum_Jt;       /* n: row sums of |J'|                                         */
    double *inverse_mass; /* n: 1 / |M_jj|, 0 where M_jj = 0                             */
    double *w;            /* m: J v + R lambda - b                                       */
    double *sum_R;        /* m: row sums of |R|                                          */
    double *delassus;     /* m: d_i = 1 / rho_i, the estimate of the Delassus diagonal   */
    double least_estimate, most_estimate; /* of |R_ii + a_i| > 0                         */
    double norm_v;
    double norm_lambda;
    double norm_M;
    double norm_R;
    double data;          /* |J||v| + |b| + what f pushes the rows with                  */
    double lent;          /* what the impulses that finite bounds allow push them with   */
    double poison;        /* 0 as long as v, lambda, w and the defect are finite, else NaN */
} saddle__checker;

typedef struct saddle__worst {
    double defect;
    int64_t index;
} saddle__worst;

static inline void saddle__note_worst(saddle__worst *most, double defect, int64_t index)
{
    if (!(defect > most->defect)) return;
    most->defect = defect;
    most->index = index;
}

/* What a finite bound lends of row i's impulse to the data. */
static inline double saddle__lent_impulse(const saddle__checker *c, int64_t i)
{
    double lo = fabs(saddle__lo(c->problem, i));
    double hi = fabs(saddle__hi(c->problem, i));
    double allowed = saddle__larger(lo <= DBL_MAX ? lo : 0.0, hi <= DBL_MAX ? hi : 0.0);
    return fabs(c->lambda[i]) < allowed ? fabs(c->lambda[i]) : allowed;
}

/* Where things are in the checker's work, as saddle_residual_compute leaves it. */
saddle__checker saddle__checker_lay_out(const saddle_problem *problem, const double *v, const double *lambda,
                                        double *work);

/* ---- residual_scale.c: what large impulses excuse ---- */

/* Of the data: a defect that large impulses do not excuse. */
extern const double saddle__unexcused;

/* Times the data: what impulses count for beside a defect beyond rounding. */
extern const double saddle__most_excused;

/* 0/0 is 0; sums that overflowed say nothing good. */
double saddle__ratio(double numerator, double denominator);

/* work_i = sum_j |A_ij||x_j|. */
void saddle__moduli(const saddle_matrix *A, const double *x, double *work);

/* A defect, known to that rounding, against the data and the impulses' part, |R||lambda| or |J'||lambda|: (3.1a). */
double saddle__relative_defect(double defect, double rounding, double data, double pushed);

/* ---- residual_units.c ---- */

/* Of the rows outside contacts, each in a unit of its own, the worst: (3.4a); the row, -1 = none.  0 where the rows are alike.
 * delassus and sum_R are done with then. */
saddle__worst saddle__rows_in_own_units(saddle__checker *checker);

#endif
