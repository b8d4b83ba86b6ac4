/* SPDX-License-Identifier: MIT */
/* The line between two points of parts, and what acts along it.
 *
 *     s = x_b - x_a,  l = |s|,  u = s/l,  dl/dt = u'(v_b - v_a);
 *         of bodies x = p + R c, v = R (nu + omega x c)
 */
#ifndef SADDLE_ASSEMBLY_LINE_H
#define SADDLE_ASSEMBLY_LINE_H

#include "saddle/model.h"

typedef struct saddle__line_end {
    const double *R; /* NULL: of a particle or node */
    double c[3];
    double x[3], v[3];
    double local[3]; /* nu + omega x c */
} saddle__line_end;

typedef struct saddle__line {
    saddle__line_end end[2];
    double u[3], speed[3]; /* u; zero where l = 0; v_b - v_a */
    double stretch[3];     /* s */
    double l, rate;        /* l, dl/dt */
} saddle__line;

/* Of a site's two anchors; point_a, point_b: c of bodies, else not read. */
saddle__line saddle__line_of(const saddle_site *site, const double *point_a, const double *point_b);

/* force[k] (3 or 6): what f (3, world) at point a and -f at point b are in their parts' velocities:
 * Gamma'R'f of bodies. */
void saddle__line_force(const saddle__line *at, const double *f, double *const *force);

/* K (4 blocks): d force_a/dx_b where df = A ds + B d(ds/dt) (3 x 3 by columns), and f itself turns
 * with bodies. D (4 blocks): d force_a/dv_b; NULL = not asked for. */
void saddle__line_stiffness(const saddle__line *at, const double *f, const double *A,
                            const double *B, double *const *K, double *const *D);

#endif
