/* SPDX-License-Identifier: MIT */
/* M in parts as the operator of a solver in the first process (saddle/mass_operator.h).
 *
 *     every process     saddle__mass_make
 *     first process     saddle__mass_operator_of; a solver; saddle__mass_dismiss
 *     every other       saddle__mass_serve, meanwhile
 *     every process     saddle__mass_clear
 *
 *     M^-1 x       by MUMPS' factors, spread over all           x and M^-1 x in the first process
 *     M x          sum of M_p x                                 the same; in others where seen
 *     J M^-1 J'    MUMPS' Schur complement, from the last process to the first
 */
#ifndef SADDLE_MPI_MASS_H
#define SADDLE_MPI_MASS_H

#include "parts_factor.h"
#include "saddle/mass_operator.h"

typedef struct saddle__mass {
    const saddle__view *view;     /* borrowed */
    saddle__parts_factor factor;  /* of K = [M J'; J 0] up to the rows */
    saddle__factor_counts counts; /* of M */
    double *x, *y;                /* n + m, n of the view: of a solve or a product */
    double *diagonal;             /* n, in the first process */
    double *complement;           /* m (m + 1) / 2, there: J M^-1 J', lower triangle by columns */
    double *S;                    /* m x m, in MUMPS' host, until the complement is handed over */
} saddle__mass;

/* Collective.  mass: zero; to be cleared on failure too.  *definite = 0: M is singular or has a
 * negative pivot, and the operator is not to be used.  SADDLE_STOPPED: by the first process'
 * progress function, before a phase. */
saddle_status saddle__mass_make(const saddle__view *view, saddle_ordering ordering,
                                saddle__mass *mass, int *definite);

/* mass: borrowed. */
saddle_mass_operator saddle__mass_operator_of(saddle__mass *mass);

void saddle__mass_dismiss(saddle__mass *mass);
void saddle__mass_serve(saddle__mass *mass);
void saddle__mass_clear(saddle__mass *mass);

#endif
