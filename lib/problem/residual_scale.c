/* SPDX-License-Identifier: MIT */
/* What large impulses excuse: docs/theory.md, (3.1a) and (3.3). */
#include <math.h>

#include "problem/residual_internal.h"

const double saddle__unexcused = 0.01;
const double saddle__most_excused = 1e6;

static const double rounded = 4.0; /* times u |A||x|: what the products and a solution's own rounding leave */

double saddle__ratio(double numerator, double denominator)
{
    if (!isfinite(denominator)) return (double)INFINITY;
    return numerator == 0.0 ? 0.0 : numerator / denominator;
}

void saddle__moduli(const saddle_matrix *A, const double *x, double *work)
{
    for (int64_t i = 0; i < A->rows; i++) work[i] = 0.0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            work[i] += fabs(A->value[k] * x[j]);
            if (A->symmetry == SADDLE_SYMMETRIC && i != j) work[j] += fabs(A->value[k] * x[i]);
        }
}

/* Impulses of contradictory or redundant rows may grow until any defect is small beside them, so that they do not excuse one
 * above a hundredth of the data, nor one that is known to no better than that; and of a smaller one only what is rounding
 * counts against all of them. */
double saddle__relative_defect(double defect, double rounding, double data, double pushed)
{
    double known = saddle__larger(defect, rounding);
    if (data > 0.0 && known > saddle__unexcused * data) return saddle__ratio(known, data);
    double excused = defect < rounded * rounding ? defect : rounded * rounding;
    double counted = data > 0.0 && pushed > saddle__most_excused * data ? saddle__most_excused * data : pushed;
    return saddle__ratio(excused, data + pushed) + saddle__ratio(defect - excused, data + counted);
}
