/* SPDX-License-Identifier: MIT */
/* Projections onto the friction cone and the pyramid's polygon, and the natural maps of the laws
 * (docs/theory.md, (3.3) to (3.5)). */
#include <math.h>

#include "base/vector.h"
#include "problem/cone.h"

/* ---- projections ---- */

/* Moreau's three cases: inside K, inside the polar cone (-> 0), else onto the generator through
 * x. */
void saddle__project_cone(double mu, int64_t size, double *x)
{
    double tangent = size == 3 ? saddle__length(x[1], x[2]) : fabs(x[1]);
    if (x[0] >= 0.0 && tangent <= mu * x[0]) return;
    double along = mu < 1e100 ? (x[0] + mu * tangent) / (1.0 + mu * mu)
                              : (x[0] / mu + tangent) / mu; /* mu^2 overflows */
    if (along <= 0.0) {
        for (int64_t i = 0; i < size; i++) x[i] = 0.0;
        return;
    }
    double ratio = tangent > 0.0 ? mu * along / tangent : 0.0;
    x[0] = along;
    for (int64_t i = 1; i < size; i++) x[i] *= ratio;
}

/* Rotates t into the sector of one edge, with the outward normal along the x axis; projects on
 * the edge; rotates back. */
void saddle__project_polygon(double radius, int64_t facets, double *t)
{
    if (radius <= 0.0) {
        t[0] = 0.0;
        t[1] = 0.0;
        return;
    }
    double step = 2.0 * SADDLE__PI / (double)facets;
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

/* ---- natural maps ---- */

/* On an interval lambda - P(lambda - w/d) is w/d clamped to [lambda - hi, lambda - lo]. */
static double bound_defect(double lambda, double w, double d, double lo, double hi)
{
    return fabs(saddle__clamp(w, d * (lambda - hi), d * (lambda - lo)));
}

static double length_of(const double x[3])
{
    return hypot(saddle__length(x[0], x[1]), x[2]);
}

saddle__map saddle__row_map(double lambda, double w, double d, double lo, double hi)
{
    double bound = w > 0.0 ? lo : hi;
    saddle__map map = {.outside = fabs(lambda - saddle__clamp(lambda, lo, hi))};
    map.work = isfinite(bound) ? fabs(w) * fabs(lambda - bound) : 0.0;
    map.defect = bound_defect(lambda, w, d, lo, hi);
    return map;
}

saddle__map saddle__polygon_map(double radius, int64_t facets, const double lambda[2],
                                const double w[2], double d)
{
    double inside[2] = {lambda[0], lambda[1]};
    double x[2] = {d * lambda[0] - w[0], d * lambda[1] - w[1]};
    double projected[2] = {x[0], x[1]};
    saddle__project_polygon(radius, facets, inside);
    saddle__project_polygon(d * radius, facets, projected);
    int fixed = projected[0] == x[0] && projected[1] == x[1];
    double left[2] = {fixed ? w[0] : d * lambda[0] - projected[0],
                      fixed ? w[1] : d * lambda[1] - projected[1]};
    saddle__map map = {.outside = saddle__length(lambda[0] - inside[0], lambda[1] - inside[1]),
                       .defect = saddle__length(left[0], left[1])};
    return map;
}

saddle__map saddle__cone_map(double mu, const double lambda[3], const double s[3], double d)
{
    double inside[3] = {lambda[0], lambda[1], lambda[2]};
    double x[3] = {d * lambda[0] - s[0], d * lambda[1] - s[1], d * lambda[2] - s[2]};
    double projected[3] = {x[0], x[1], x[2]};
    saddle__project_cone(mu, 3, inside);
    saddle__project_cone(mu, 3, projected);
    int fixed = projected[0] == x[0] && projected[1] == x[1] && projected[2] == x[2];
    double left[3];
    double off[3];
    for (int i = 0; i < 3; i++) {
        left[i] = fixed ? s[i] : d * lambda[i] - projected[i];
        off[i] = lambda[i] - inside[i];
    }
    saddle__map map = {.defect = length_of(left), .outside = length_of(off)};
    map.work = fabs(s[0] * lambda[0] + s[1] * lambda[1] + s[2] * lambda[2]);
    return map;
}
