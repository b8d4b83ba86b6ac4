/* SPDX-License-Identifier: MIT */
/* How well K x = b is solved, judged apart from whoever solved it; and the residual for refinement,
 * the same for all. */
#ifndef SADDLE_BENCH_ACCURACY_H
#define SADDLE_BENCH_ACCURACY_H

#include "matrix/twofold.h"

/* residual       |b - K x| / (|K| |x| + |b|), largest entries, |K| largest row sum
 * componentwise  max_i |b - K x|_i / (|K| |x| + |b|)_i   (Oettli and Prager, Numer. Math. 6, 1964)
 * Both in long double.  work: 3 n. */
typedef struct bench_accuracy {
    double residual, componentwise;
} bench_accuracy;

bench_accuracy bench_accuracy_of(const saddle_matrix *K, const double *b, const double *x,
                                 long double *work);

/* r = b - K x, summed in twice the precision as saddle's own solvers do, and the componentwise
 * backward error. sum: n, scratch. */
double bench_residual(const saddle_matrix *K, const double *b, const double *x, double *r,
                      saddle__twofold *sum);

#endif
