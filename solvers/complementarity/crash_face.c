/* SPDX-License-Identifier: MIT */
/* See crash_face.h. */
#include "complementarity/crash_face.h"

#include <math.h>

#include "problem/cone.h"

static const double two_pi = 6.283185307179586476925286766559;

int64_t saddle__face_of(double radius, int64_t facets, const double x[2])
{
    double step = two_pi / (double)facets;
    int64_t sector = (int64_t)floor(atan2(x[1], x[0]) / step);
    double middle = ((double)sector + 0.5) * step;
    double across = cos(middle) * x[0] + sin(middle) * x[1]; /* along the edge's outward normal */
    double along = -sin(middle) * x[0] + cos(middle) * x[1];
    double half_edge = radius * sin(0.5 * step);
    if (across < radius * cos(0.5 * step)) return SADDLE__FACE_INSIDE;
    int64_t edge = (sector % facets + facets) % facets;
    if (along <= -half_edge) return facets + edge;
    return along >= half_edge ? facets + (edge + 1) % facets : edge;
}

double saddle__face_distance(double radius, int64_t facets, const double x[2], const double y[2])
{
    double at[2] = {x[0], x[1]};
    saddle__project_polygon(radius, facets, at);
    return fmax(fabs(at[0] - y[0]), fabs(at[1] - y[1]));
}

static void corner_of(int64_t facets, int64_t k, double corner[2])
{
    double angle = two_pi * (double)(k % facets) / (double)facets;
    corner[0] = cos(angle);
    corner[1] = sin(angle);
}

saddle__face saddle__face_shape(int64_t facets, int64_t number)
{
    saddle__face face = {.is_edge = number >= 0 && number < facets};
    double end[2] = {0.0, 0.0};
    if (number == SADDLE__FACE_INSIDE) return face;
    corner_of(facets, number, face.corner);
    corner_of(facets, number + 1, end);
    for (int i = 0; face.is_edge && i < 2; i++) face.edge[i] = end[i] - face.corner[i];
    return face;
}
