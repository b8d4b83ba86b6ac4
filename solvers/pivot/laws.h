/* SPDX-License-Identifier: MIT */
/* The rows' laws as pivoting wants them: bounds, and for the tangents of contacts whose normal
 * impulse moves theirs. */
#ifndef SADDLE_PIVOT_LAWS_H
#define SADDLE_PIVOT_LAWS_H

#include "saddle/problem.h"

typedef struct saddle__row_laws {
    saddle_context *context;
    int64_t m;
    double *lo, *hi; /* m; normals of contacts: 0 and infinity, tangents: 0 and 0, or where they
                        lag */
    int lagged;      /* the bounds of tangents follow the step before */
    int64_t *normal; /* m: of a tangent; -1 = is none */
    double *mu;      /* m: of tangents */
} saddle__row_laws;

saddle_status saddle__row_laws_create(saddle_context *context, int64_t m, saddle__row_laws *laws);

/* bounds, contacts and mu of the problem. */
void saddle__row_laws_read(saddle__row_laws *laws, const saddle_problem *problem, int lagged);

/* Where they lag: the bounds of tangents for the normal impulses in lambda (m). */
void saddle__row_laws_follow(saddle__row_laws *laws, const double *lambda);

/* The impulse nearest to x that row i's law allows, a tangent's for the normal impulse in lambda
 * (m). */
double saddle__row_laws_project(const saddle__row_laws *laws, const double *lambda, int64_t i,
                                double x);

/* Neither bounds nor a contact. */
int saddle__row_laws_equation(const saddle__row_laws *laws, int64_t i);

/* step (m): 1 / size_i, and 0 where the rows of J and R vanish. */
void saddle__row_steps(const saddle_problem *problem, const double *size, double *step);

void saddle__row_laws_clear(saddle__row_laws *laws); /* half-built ones are fine */

#endif
