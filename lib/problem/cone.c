/* SPDX-License-Identifier: MIT */
/* Projections onto the friction cone and onto the pyramid's polygon. */
#include <math.h>

#include "problem/cone.h"

static const double two_pi = 6.283185307179586476925286766559;

/* Moreau's three cases: inside K, inside the polar cone (-> 0), else onto the generator through
 * x. */
void saddle__project_cone(double mu, int64_t size, double *x)
{
    double tangent = size == 3 ? saddle__length(x[1], x[2]) : fabs(x[1]);
    if (x[0] >= 0.0 && tangent <= mu * x[0]) return;
    double along = (x[0] + mu * tangent) / (1.0 + mu * mu);
    if (along <= 0.0) {
        for (int64_t i = 0; i < size; i++) x[i] = 0.0;
        return;
    }
    double ratio = tangent > 0.0 ? mu * along / tangent : 0.0;
    x[0] = along;
    for (int64_t i = 1; i < size; i++) x[i] *= ratio;
}

/* Rotates t into the sector of one edge, whose outward normal then is the x axis; projects on the
 * edge; rotates back. */
void saddle__project_polygon(double radius, int64_t facets, double *t)
{
    if (radius <= 0.0) {
        t[0] = 0.0;
        t[1] = 0.0;
        return;
    }
    double step = two_pi / (double)facets;
    double angle = atan2(t[1], t[0]);
    double sector = floor(angle / step);
    double middle = (sector + 0.5) * step;
    double c = cos(middle);
    double s = sin(middle);
    double across = c * t[0] + s * t[1]; /* along the edge's outward normal */
    double along = -s * t[0] + c * t[1];
    double apothem = radius * cos(0.5 * step);
    if (across <= apothem) return;
    double half_edge = radius * sin(0.5 * step);
    along = saddle__clamp(along, -half_edge, half_edge);
    t[0] = c * apothem - s * along;
    t[1] = s * apothem + c * along;
}
