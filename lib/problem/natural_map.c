/* SPDX-License-Identifier: MIT */
/* See natural_map.h. */
#include "problem/natural_map.h"

static double length_of(const double x[3])
{
    return hypot(saddle__length(x[0], x[1]), x[2]);
}

saddle__map saddle__row_map(double lambda, double w, double d, double lo, double hi)
{
    double bound = w > 0.0 ? lo : hi;
    saddle__map map = {.outside = fabs(lambda - saddle__clamp(lambda, lo, hi))};
    map.work = isfinite(bound) ? fabs(w) * fabs(lambda - bound) : 0.0;
    map.defect = saddle__bound_defect(lambda, w, d, lo, hi);
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
