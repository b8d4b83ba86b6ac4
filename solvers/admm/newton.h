/* SPDX-License-Identifier: MIT */
/* Newton's method on the natural maps of all rows and cones at once (Alart and Curnier 1991).
 *
 *     M v - J'lambda - f = 0,    F_c = sqrt D (lambda_c - P(lambda_c - s_c / D)) = 0
 *
 * P onto a row's interval, or a contact's cone in the distance weighted by D; s = w, of a cone
 * s = w + (sum_g mu_g |w_g|, 0, ..); D the Delassus estimates of rows and of contacts' parts, so
 * that F is in kinetic units.  With Z = dP and S = ds/dw, a step (dv, dlambda) solves
 *
 *     M dv - J'dlambda = f + J'lambda - M v
 *     sqrt D (Z D^-1 S (J dv + (R + delta D) dlambda) + (I - Z) dlambda) = -F
 *
 * by one L D U or L U factorization; delta, in it alone, keeps steps short that the rows hardly
 * tell about (redundant contacts), and falls with |F|.  With G = sqrt D (I - Z) + C (R + delta
 * D) and C = sqrt D Z D^-1 S, a row or contact that R does not couple with others has dlambda =
 * -G^-1 (F + C J dv), and is eliminated: M + sum J_c'G^-1 C J_c has a symmetric pattern with little
 * fill. Equality rows and coupled rows stay.
 *
 * F is smooth between events, changes of a row's or contact's state (Z of another form).  Of the
 * whole step and the parts that end at an event, the very short ones left out, the one with the
 * least |F| is taken, even where |F| was less before: |F| has kinks from which no step
 * descends.
 */
#ifndef SADDLE_SOLVERS_ADMM_NEWTON_H
#define SADDLE_SOLVERS_ADMM_NEWTON_H

#include "base/layout.h"
#include "factor/factorization.h"
#include "groups.h"
#include "problem/verdict.h"

/* All-zero is empty. */
typedef struct saddle__newton {
    int64_t n, m;
    int64_t width;    /* rows of a group at most */
    double delta;     /* of the last step; 0 = none yet */
    int smooth;       /* 1: the last step had no events */
    int64_t unknowns; /* n and the impulses that stay */
    saddle_matrix A;  /* of a step, unknowns x unknowns */
    int64_t *slot;    /* of each entry in the order of forming: its place in A */
    int pivots;       /* 1: equality rows, or impulses that stay beside velocities, whose pivots may
                         vanish where M is singular: the L U pivots; else L D U */
    saddle__factorization *lu;
    int64_t *first, *rows; /* m: first row of the row's group, its number of rows */
    int64_t *unknown;      /* m: number of the unknown dlambda; -1 = eliminated */
    double *C, *own;       /* width per row: sqrt D Z D^-1 S, and sqrt D (I - Z) + delta C D */
    double *w, *dw;        /* m: w, and its change by the whole step */
    double *step;          /* n + m: right-hand side, then (dv, dlambda) */
    double *right;         /* n + m: right-hand side of the unknowns, then the unknowns */
    double *event;         /* m: parts of the step, ascending */
    int64_t *place, *list; /* n: velocities of groups */
    double *local;         /* (2 width + 1) n: J of groups by their velocities, K J, a row */
    saddle__layout layout;
} saddle__newton;

/* w (m) <- J v + R lambda - b; parts: NULL = the problem is whole. */
void saddle__row_slack(const saddle_problem *problem, const saddle__sums *parts, const double *v,
                       const double *lambda, double *w);

/* 1: the natural maps are those of the law: no contacts, or cones, associated or not. */
int saddle__newton_applies(const saddle_problem *problem);

/* Patterns and memory.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__newton_analyse(saddle_context *context, const saddle_options *options,
                                     const saddle_problem *problem, const saddle__group *group,
                                     int64_t groups, saddle__newton *newton);

void saddle__newton_clear(saddle_context *context, saddle__newton *newton);

/* A step from x (n + m), v and lambda, in place.  d: m, D, as of saddle__groups_share.
 * SADDLE_SINGULAR: no step; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__newton_step(const saddle_problem *problem, const saddle__group *group,
                                  int64_t groups, const double *d, saddle__newton *newton,
                                  double *x);

#endif
