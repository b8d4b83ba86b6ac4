/* SPDX-License-Identifier: MIT */
/* The faces of the polygon radius conv(d_0 .. d_eta-1), d_k = (cos 2 pi k/eta, sin 2 pi k/eta), to
 * which tangential impulses of the pyramid law are confined. */
#ifndef SADDLE_SOLVERS_CRASH_FACE_H
#define SADDLE_SOLVERS_CRASH_FACE_H

#include <stdint.h>

/* By number: -1 inside, k the edge from d_k to d_k+1, eta + k the vertex d_k. */
enum { SADDLE__FACE_INSIDE = -1 };

/* The face on which the projection of x lies. */
int64_t saddle__face_of(double radius, int64_t facets, const double x[2]);

/* How far the projection of x is from y. */
double saddle__face_distance(double radius, int64_t facets, const double x[2], const double y[2]);

/* An edge's points are radius corner + s edge, 0 <= s <= radius. */
typedef struct saddle__face {
    double corner[2];
    double edge[2];
    int is_edge;
} saddle__face;

saddle__face saddle__face_shape(int64_t facets, int64_t face);

#endif
