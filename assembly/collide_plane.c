/* SPDX-License-Identifier: MIT */
/* Corners of boxes and polytopes below a plane. */
#include <math.h>

#include "collide.h"
#include "space/space.h"

/* How near to each other, against the size of the shape, points are one. */
#define NEAR 1e-3

/* A corner x over a plane's half-space, as a touching; 1 where it is nearer than margin. */
static int corner_on_plane(const double *x, const saddle__solid *plane, double margin,
                           int64_t label, int plane_is_A, saddle__touching *touching)
{
    const double *up = plane->pose.R + 6;
    const double apart[3] = {x[0] - plane->pose.p[0], x[1] - plane->pose.p[1],
                             x[2] - plane->pose.p[2]};
    const double gap = saddle__dot(up, apart);
    if (!(gap <= margin)) return 0;
    *touching = (saddle__touching){.gap = gap, .label = label};
    for (int k = 0; k < 3; k++) {
        const double foot = x[k] - gap * up[k];
        touching->a[k] = plane_is_A ? foot : x[k];
        touching->b[k] = plane_is_A ? x[k] : foot;
        touching->normal[k] = plane_is_A ? up[k] : -up[k];
    }
    return 1;
}

int64_t saddle__collide_box_plane(const saddle__solid *A, const saddle__solid *B, double margin,
                                  saddle__touching *touching)
{
    const double least_half = fmin(A->half[0], fmin(A->half[1], A->half[2]));
    saddle__spread spread = {.u = B->pose.R, .v = B->pose.R + 3, .near = NEAR * least_half};
    for (int64_t k = 0; k < 8; k++) {
        double x[3];
        saddle__touching found;
        saddle__box_corner(A, k, x);
        if (corner_on_plane(x, B, margin, k, 0, &found)) saddle__spread_add(&spread, &found);
    }
    return saddle__spread_take(&spread, touching);
}

int64_t saddle__collide_plane_convex(const saddle__solid *A, const saddle__solid *B, double margin,
                                     saddle__touching *touching)
{
    double size = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int64_t k = 0; k < B->corner_count; k++) {
            lo = fmin(lo, B->corner[3 * k + axis]);
            hi = fmax(hi, B->corner[3 * k + axis]);
        }
        size = fmin(size, hi - lo);
    }
    saddle__spread spread = {.u = A->pose.R, .v = A->pose.R + 3, .near = NEAR * size};
    for (int64_t k = 0; k < B->corner_count; k++) {
        double x[3];
        saddle__touching found;
        saddle__rotate(B->pose.R, B->corner + 3 * k, x);
        for (int i = 0; i < 3; i++) x[i] += B->pose.p[i];
        if (corner_on_plane(x, A, margin, k, 1, &found)) saddle__spread_add(&spread, &found);
    }
    return saddle__spread_take(&spread, touching);
}
