/* SPDX-License-Identifier: MIT */
/* Projections onto the sets of the laws: docs/theory.md, (3.3) to (3.5). */
#include "problem/cone.h"

#include <string.h>

#include "base/tolerances.h"
#include "base/vector.h"
#include "problem/problem_internal.h"

void saddle__cone_turn(const saddle__cone *cone, const double *w, double *turn)
{
    for (int g = 0; g < cone->parts; g++) {
        double length = saddle__part_length(cone, g, w);
        for (int i = cone->begin[g]; i < cone->begin[g + 1]; i++)
            turn[i] = length > 0.0 ? cone->mu[g] * w[i] / length : 0.0;
    }
}

/* ---- the nearest point of a cone ---- */

/* The nearest point's normal y_0, where the parts in the set are on their boundary:
 *
 *     y_0 = (x_0 + sum_g weight_g mu_g |x_g|) / (1 + sum_g weight_g mu_g^2) */
static double normal_of(const saddle__cone *cone, double normal, const double *length, int set)
{
    double root[SADDLE__PARTS], largest = 1.0;
    for (int g = 0; g < cone->parts; g++) {
        root[g] = set & 1 << g ? sqrt(cone->weight[g]) : 0.0;
        largest = saddle__larger(largest, root[g] * cone->mu[g]);
    }
    double sum = normal / largest, slope = 1.0 / largest / largest; /* mu^2 may overflow */
    for (int g = 0; g < cone->parts; g++) {
        double mu = root[g] * cone->mu[g] / largest;
        sum += mu * (root[g] * length[g]);
        slope += mu * mu;
    }
    return sum / slope / largest;
}

/* The parts on their boundary, and y_0, which grows with each: the part that leaves its set at the
 * largest normal, |x_g| / mu_g, is taken first.  y: NULL = y_0 is not asked for. */
static int boundary_of(const saddle__cone *cone, double normal, const double *length, double *y)
{
    int set = 0;
    double now = normal;
    for (int round = 0; round < cone->parts; round++) {
        int next = -1;
        for (int g = 0; g < cone->parts; g++)
            if (!(set & 1 << g) && (length[g] > cone->mu[g] * now || cone->mu[g] == 0.0) &&
                (next < 0 || length[g] * cone->mu[next] > length[next] * cone->mu[g]))
                next = g;
        if (next < 0) break;
        set |= 1 << next;
        if (y || round + 1 < cone->parts) now = normal_of(cone, normal, length, set);
    }
    if (y) *y = now;
    return set;
}

/* Moreau's three cases for one part: inside K, inside the polar cone (-> 0), else onto the
 * generator through x. */
static void project_simple(const saddle__cone *cone, double *x)
{
    double mu = cone->mu[0], tangent = saddle__part_length(cone, 0, x);
    if (x[0] >= 0.0 && tangent <= mu * x[0]) return;
    double along = mu < 1e100 ? (x[0] + mu * tangent) / (1.0 + mu * mu)
                              : (x[0] / mu + tangent) / mu; /* mu^2 overflows */
    if (along <= 0.0) {
        for (int i = 0; i < cone->begin[1]; i++) x[i] = 0.0;
        return;
    }
    double ratio = tangent > 0.0 ? mu * along / tangent : 0.0;
    x[0] = along;
    for (int i = 1; i < cone->begin[1]; i++) x[i] *= ratio;
}

/* Whether x is in the polar cone, x_0 + sum_g weight_g mu_g |x_g| <= 0 but for the rounding of the
 * sum: x_0 = -sum_g mu_g |x_g| where a contact without impulse slides. */
static int is_polar(const saddle__cone *cone, double normal, const double *length)
{
    double sum = 0.0;
    for (int g = 0; g < cone->parts; g++) sum += cone->weight[g] * cone->mu[g] * length[g];
    return normal + (1.0 - SADDLE__SUM_ROUNDING) * sum <= 0.0;
}

void saddle__project_cone(const saddle__cone *cone, double *x)
{
    if (cone->parts == 1) {
        project_simple(cone, x);
        return;
    }
    double length[SADDLE__PARTS] = {0.0}, y;
    for (int g = 0; g < cone->parts; g++) length[g] = saddle__part_length(cone, g, x);
    if (is_polar(cone, x[0], length)) {
        memset(x, 0, (size_t)cone->begin[cone->parts] * sizeof *x);
        return;
    }
    int set = boundary_of(cone, x[0], length, &y);
    x[0] = saddle__larger(y, 0.0);
    for (int g = 0; g < cone->parts; g++) {
        if (x[0] > 0.0 && !(set & 1 << g)) continue;
        double ratio = length[g] > 0.0 ? cone->mu[g] * x[0] / length[g] : 0.0;
        for (int i = cone->begin[g]; i < cone->begin[g + 1]; i++) x[i] *= ratio;
    }
}

int saddle__cone_state(const saddle__cone *cone, const double *x)
{
    double length[SADDLE__PARTS] = {0.0};
    for (int g = 0; g < cone->parts; g++) length[g] = saddle__part_length(cone, g, x);
    return is_polar(cone, x[0], length) ? 0 : 1 + 2 * boundary_of(cone, x[0], length, NULL);
}

/* y_0 = (x_0 + sum_g weight_g mu_g |x_g|) / slope, y_g = mu_g y_0 e_g, e_g = x_g / |x_g|, over the
 * parts on their boundary; y_g = x_g of the others. */
void saddle__cone_derivative(const saddle__cone *cone, const double *x,
                             double Z[SADDLE_CONTACT_ROWS][SADDLE_CONTACT_ROWS])
{
    int size = cone->begin[cone->parts], state = saddle__cone_state(cone, x);
    double y, slope = 1.0, length[SADDLE__PARTS] = {0.0};
    double up[SADDLE_CONTACT_ROWS] = {1.0}, by[SADDLE_CONTACT_ROWS] = {1.0};
    for (int i = 0; i < size; i++) memset(Z[i], 0, (size_t)size * sizeof Z[i][0]);
    if (state == 0) return;
    for (int g = 0; g < cone->parts; g++) length[g] = saddle__part_length(cone, g, x);
    (void)boundary_of(cone, x[0], length, &y);
    for (int g = 0; g < cone->parts; g++) {
        int on_boundary = state & 2 << g;
        double mu = cone->mu[g];
        if (on_boundary) slope += cone->weight[g] * mu * mu;
        for (int i = cone->begin[g]; i < cone->begin[g + 1]; i++) {
            double e = length[g] > 0.0 ? x[i] / length[g] : 0.0;
            up[i] = on_boundary ? mu * e : 0.0;
            by[i] = on_boundary ? cone->weight[g] * mu * e : 0.0;
            for (int j = cone->begin[g]; j < cone->begin[g + 1]; j++) {
                double across = (i == j) - (length[g] > 0.0 ? e * x[j] / length[g] : 0.0);
                double turn = length[g] > 0.0 ? mu * y / length[g] : 0.0;
                Z[i][j] = on_boundary ? turn * across : i == j;
            }
        }
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) Z[i][j] += up[i] * (by[j] / slope);
}

/* ---- other laws ---- */

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

void saddle__project_law(saddle_law law, int64_t facets, const saddle__cone *cone, double *x)
{
    if (law == SADDLE_LAW_CONE || law == SADDLE_LAW_ASSOCIATED) {
        saddle__project_cone(cone, x);
        return;
    }
    x[0] = saddle__larger(x[0], 0.0);
    for (int g = 0; g < cone->parts; g++) {
        double radius = cone->mu[g] * x[0];
        if (law == SADDLE_LAW_PYRAMID && cone->begin[g + 1] - cone->begin[g] == 2)
            saddle__project_polygon(radius, facets, x + cone->begin[g]);
        else
            for (int i = cone->begin[g]; i < cone->begin[g + 1]; i++)
                x[i] = saddle__clamp(x[i], -radius, radius);
    }
}
