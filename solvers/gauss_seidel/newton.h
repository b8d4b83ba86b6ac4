/* SPDX-License-Identifier: MIT */
/* Newton's method on the natural maps of all rows and cones at once, for what sweeps leave (Alart
 * and Curnier 1991).
 *
 *     M v - J'lambda - f = 0,     G_c = d_c (lambda_c - P(lambda_c - s_c / d_c)) = 0
 *
 * P onto a row's interval or a contact's cone, s = w, of a cone w + (mu |w_t|, 0, 0); d_c the
 * unit's Delassus estimate, so that G is a velocity.  With Z = dP and S = ds/dw, a step (dv,
 * dlambda) solves the sparse
 *
 *     [ M      -J'                             ] [dv     ]     [0  ]
 *     [ Z S J   Z S (R + delta d) + d (I - Z)  ] [dlambda] = - [G_c]
 *
 * where delta keeps steps short that the rows hardly tell about (redundant contacts): it falls
 * while |G|_2 does, and rises where no part of a step makes it fall.
 */
#ifndef SADDLE_GAUSS_SEIDEL_NEWTON_H
#define SADDLE_GAUSS_SEIDEL_NEWTON_H

#include "factor/factorization.h"
#include "gauss_seidel/sweep.h"

/* All-zero is empty. */
typedef struct saddle__newton {
    int64_t n, m, units;
    const saddle__unit *unit;
    saddle__rows M, Jt, R; /* rows */
    saddle_matrix At;      /* (n + m) x (n + m): the transpose of the matrix above, by columns */
    saddle__factorization *lu; /* sparse; NULL where dense */
    double *dense;             /* (n + m) x (n + m), of small systems; else NULL */
    int *pivot;                /* n + m */
    double share;              /* delta */
    double *d;                 /* m: of each row's unit */
    double *w, *G;             /* m: at the present point */
    double *step, *lambda;     /* n + m; m: a point on the way */
    double *v;                 /* n */
    double *start;             /* m: the caller's, where it began */
    int64_t *place;            /* n + m: where in a row's pattern a column stands */
} saddle__newton;

/* 1: the problem's rows and contacts have maps of this kind (no contacts, or cones, associated or
 * not), and it is of bodies, not of a mesh, so that factoring is cheap. */
int saddle__newton_applies(const saddle_problem *problem);

/* Patterns and memory.  unit: borrowed.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__newton_make(saddle_context *context, const saddle_problem *problem,
                                  const saddle__unit *unit, int64_t units, saddle__newton *newton);
void saddle__newton_clear(saddle_context *context, saddle__newton *newton);

/* Takes in the values of M, J and R, before the first step of a solve. */
void saddle__newton_prepare(const saddle_problem *problem, saddle__newton *newton);

/* One step from (v, lambda), v = M^-1 (f + J'lambda), in place.  *gain: |G| after it over |G|
 * before, 1 where no step helps. SADDLE_SINGULAR: no step; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__newton_step(const saddle_problem *problem, saddle__newton *newton, double *v,
                                  double *lambda, double *gain);

#endif
