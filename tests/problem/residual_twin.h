/* SPDX-License-Identifier: MIT */
/* Drawn problems in dense form, and the residual's definition (include/saddle/residual.h) written
 * out on them: nothing shared with the code under test, projections by search. */
#ifndef SADDLE_TEST_RESIDUAL_TWIN_H
#define SADDLE_TEST_RESIDUAL_TWIN_H

#include "support.h"

#define INF ((double)INFINITY)

enum { MOST = 12 }; /* velocities or rows of a drawn problem */

typedef struct drawn {
    saddle_problem problem;
    double M[MOST][MOST], J[MOST][MOST], R[MOST][MOST];
    double f[MOST], b[MOST], lo[MOST], hi[MOST], v[MOST], lambda[MOST];
    saddle_contact contacts[MOST];
    saddle_symmetry symmetry; /* of M and R */
} drawn;

/* Any sizes, symmetric or not, every kind of row, any law. */
void draw_any_problem(uint64_t *state, drawn *d);
void clear_drawn(drawn *d);

/* The problem's matrices anew from M, J and R; the old ones are cleared. */
void fill_matrices(drawn *d);

/* Every velocity, row outside contacts and contact in a unit of its own, 2^-30 to 2^30, and torsion
 * and rolling of a contact, where all its rows have a unit, in one of theirs; with what d holds as
 * an answer. unit (n + m; NULL is fine): what velocities and impulses in these units are
 * to be multiplied with. */
void draw_units(uint64_t *state, drawn *d, double *unit);

typedef struct measures {
    double dynamics, rows, cone, total, local, growth, normwise, bounds, complementarity,
        natural_map, natural_map_q;
} measures;

enum { WORK = 10 * MOST }; /* of the checker: saddle_residual_work_size() at most */

/* The checker's, of what d holds as an answer. */
saddle_residual residual_of(const drawn *d);

/* To rounding; size: of the terms of a figure that cancel. */
int near(double a, double b, double size);

/* By the definition; w (m) = J v + R lambda - b. */
measures measure(const drawn *d, double *w);

/* The part of row i > 0 of a contact of that size: 0 tangents, 1 torsion, 2 rolling; its friction
 * coefficient. */
int part_of(int64_t size, int64_t i);
double mu_of(const saddle_contact *contact, int64_t i);

/* The nearest points of K, in the distance with weight[part] (NULL: of 1), and of radius conv(D),
 * by search. */
void nearest_in_cone(const saddle_contact *contact, const double *weight, const long double *x,
                     long double *nearest);
void nearest_in_polygon(double radius, int64_t facets, const double *t, double *nearest);

#endif
