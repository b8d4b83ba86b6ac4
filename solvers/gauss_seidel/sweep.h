/* SPDX-License-Identifier: MIT */
/* One Gauss-Seidel sweep: each row or contact in turn is brought to satisfy its law, the others
 * held. */
#ifndef SADDLE_GAUSS_SEIDEL_SWEEP_H
#define SADDLE_GAUSS_SEIDEL_SWEEP_H

#include "gauss_seidel/operator.h"

/* A row of its own, or a contact with its rows. */
typedef struct saddle__unit {
    int64_t row;     /* the first row */
    int64_t contact; /* -1 = a row of its own */
} saddle__unit;

typedef struct saddle__sweep {
    const saddle_problem *problem;
    saddle__operator *W;
    const saddle__unit *unit;
    int64_t units;
    double friction;   /* contacts have this share of their mu, in [0, 1] */
    double relaxation; /* in (0, 2) */
    double *lambda;    /* m */
    double *v;         /* n; kept up to date where W is matrix-free */
    double change;     /* out: the largest W_ii |change of lambda_i| of the sweep [as w] */
    double unsolved;   /* out: the largest error that a contact's local problem was left with [-] */
    int64_t worst;     /* out: the first row of that contact; -1 = all were solved */
} saddle__sweep;

/* Fills unit (room for m); returns their number. */
int64_t saddle__units_make(const saddle_problem *problem, saddle__unit *unit);

/* In ascending order of the rows, or descending. */
void saddle__sweep_run(saddle__sweep *sweep, int backward);

/* lambda <- target, brought into each law's set, v along with it. */
void saddle__sweep_jump(saddle__sweep *sweep, double *target);

#endif
