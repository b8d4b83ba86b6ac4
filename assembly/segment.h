/* SPDX-License-Identifier: MIT */
/* The segment between two points of parts, and forces along the segment.
 *
 *     s = x_b - x_a,  l = |s|,  u = s/l,  dl/dt = u'(v_b - v_a)
 *     bodies: x = p + R c,  v = R (nu + omega x c)
 */
#ifndef SADDLE_ASSEMBLY_SEGMENT_H
#define SADDLE_ASSEMBLY_SEGMENT_H

#include "saddle/model.h"

typedef struct saddle__segment_end {
    const double *R; /* NULL: of a particle or node */
    double c[3];
    double x[3], v[3];
    double local[3]; /* nu + omega x c */
} saddle__segment_end;

typedef struct saddle__segment {
    saddle__segment_end end[2];
    double u[3], speed[3]; /* u; zero where l = 0; v_b - v_a */
    double stretch[3];     /* s */
    double l, rate;        /* l, dl/dt */
} saddle__segment;

/* Of a site's two anchors; point_a, point_b: c of bodies, else not read. */
saddle__segment saddle__segment_of(const saddle_site *site, const double *point_a,
                                   const double *point_b);

/* force[k] (3 or 6): f (3, world axes) at point a and -f at point b, for bodies as wrenches
 * Gamma'R'f. */
void saddle__segment_force(const saddle__segment *at, const double *f, double *const *force);

/* K (4 blocks): d force_a/dx_b where df = A ds + B d(ds/dt) (3 x 3 by columns), and f itself turns
 * with bodies. D (4 blocks): d force_a/dv_b; NULL = not asked for. */
void saddle__segment_stiffness(const saddle__segment *at, const double *f, const double *A,
                               const double *B, double *const *K, double *const *D);

/* K (6 x 6 by columns) += (0 [f]; 0 [c][f]): the change of the wrench (f, c x f), body axes, as the
 * body turns under a force f at c with constant direction in the world. */
void saddle__add_turning(const double *f, const double *c, double *K);

#endif
