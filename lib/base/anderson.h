/* SPDX-License-Identifier: MIT */
/* Anderson's acceleration of a fixed-point map x -> G(x), a step of an iterative solver.
 *
 * With f = G(x) - x and the differences of the last few steps as columns of F and G, the next point
 * is
 *
 *     x <- G(x) - G gamma,      gamma = argmin |D (f - F gamma)|
 *
 * Walker and Ni (2011), Anderson acceleration for fixed-point iterations.  The maps of contact
 * problems are not smooth: whenever |D f| has grown, the differences are forgotten and the plain
 * iterate is taken. */
#ifndef SADDLE_LIB_ANDERSON_H
#define SADDLE_LIB_ANDERSON_H

#include "base/layout.h"

/* Differences held. */
#define SADDLE__ANDERSON_DEPTH 12

typedef struct saddle__anderson {
    int64_t m;
    int count;                   /* differences held */
    int newest;                  /* column of the newest */
    int started;                 /* 1: f_last and g_last hold the last step */
    double norm;                 /* |D f| of the last step */
    double *weight;              /* m; squares of D, the same until a restart */
    double *f, *f_last, *g_last; /* m each */
    double *f_weighed;           /* m; D^2 f */
    double *df, *dg;             /* m x depth */
    double *df_weighed;          /* m x depth; D^2 F */
    double gram[SADDLE__ANDERSON_DEPTH][SADDLE__ANDERSON_DEPTH]; /* F'D^2 F */
    /* NULL, or where other processes have other entries of the points: count numbers become the
     * sums over all */
    void (*total)(void *user, int64_t count, double *x);
    void *user;
} saddle__anderson;

/* Takes the arrays from the solver's layout, in both of its passes. */
void saddle__anderson_place(saddle__anderson *A, saddle__layout *layout, int64_t m);

/* Forgets the past. */
static inline void saddle__anderson_restart(saddle__anderson *A)
{
    A->count = 0;
    A->newest = SADDLE__ANDERSON_DEPTH - 1;
    A->started = 0;
}

/* x: m, the point; on return the next point.  g: m, G(x).  Returns 0 where the next point is g
 * itself. */
int saddle__anderson_step(saddle__anderson *A, double *x, const double *g);

#endif
