/* SPDX-License-Identifier: MIT */
/* Shapes as wholes: how far they reach, and which function looks at which pair. */
#include <math.h>
#include <string.h>

#include "collide.h"
#include "space/space.h"

void saddle__solid_support(const saddle__solid *solid, const double *direction, double *point)
{
    double D[3], X[3] = {0}, unit[3] = {0, 0, 1};
    saddle__unrotate(solid->pose.R, direction, D);
    saddle__direction(D, unit);
    const int round = solid->kind == SADDLE_TOUCH_SPHERE || solid->kind == SADDLE_TOUCH_CAPSULE;
    for (int k = 0; k < 3 && round; k++) X[k] = solid->half[0] * unit[k];
    if (solid->kind == SADDLE_TOUCH_CAPSULE) X[2] += D[2] > 0 ? solid->half[1] : -solid->half[1];
    for (int k = 0; k < 3 && solid->kind == SADDLE_TOUCH_BOX; k++)
        X[k] = D[k] > 0 ? solid->half[k] : -solid->half[k];
    double most = -INFINITY;
    for (int64_t k = 0; solid->kind == SADDLE_TOUCH_CONVEX && k < solid->corner_count; k++) {
        const double along = saddle__dot(D, solid->corner + 3 * k);
        if (along > most) {
            most = along;
            memcpy(X, solid->corner + 3 * k, sizeof X);
        }
    }
    saddle__rotate(solid->pose.R, X, point);
    for (int k = 0; k < 3; k++) point[k] += solid->pose.p[k];
}

/* z by van der Corput's sequence, the angle about z by the golden ratio. */
void saddle__solid_aside(int64_t k, double *unit)
{
    const double golden = 0.61803398874989485, turn = 6.283185307179586;
    double z = 1, share = 1;
    for (int64_t rest = k + 1; rest > 0; rest /= 2) {
        share /= 2;
        if (rest % 2 == 1) z -= 2 * share;
    }
    const double angle = turn * fmod(golden * (double)k, 1), width = sqrt((1 - z) * (1 + z));
    unit[0] = width * cos(angle);
    unit[1] = width * sin(angle);
    unit[2] = z;
}

void saddle__solid_apart(const saddle__solid *A, const saddle__solid *B, const double *axis,
                         double *normal)
{
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = B->aside[k] - A->aside[k];
    const double along = axis == NULL ? 0 : saddle__dot(axis, apart);
    for (int k = 0; k < 3 && axis != NULL; k++) apart[k] -= along * axis[k];
    if (saddle__dot(apart, apart) > 1e-12) saddle__direction(apart, normal);
}

void saddle__solid_bounds(const saddle__solid *solid, double *lo, double *hi)
{
    for (int k = 0; k < 3; k++) {
        double direction[3] = {0}, point[3];
        if (solid->kind == SADDLE_TOUCH_PLANE) {
            lo[k] = -INFINITY;
            hi[k] = INFINITY;
            continue;
        }
        direction[k] = -1;
        saddle__solid_support(solid, direction, point);
        lo[k] = point[k];
        direction[k] = 1;
        saddle__solid_support(solid, direction, point);
        hi[k] = point[k];
    }
}

enum { KINDS = 5 };

/* By kinds, the lesser first; NULL: libccd's, or nothing (two planes). */
static saddle__collide_function *const functions[KINDS][KINDS] = {
    [SADDLE_TOUCH_SPHERE] = {[SADDLE_TOUCH_SPHERE] = saddle__collide_spheres,
                             [SADDLE_TOUCH_BOX] = saddle__collide_sphere_box,
                             [SADDLE_TOUCH_CAPSULE] = saddle__collide_sphere_capsule,
                             [SADDLE_TOUCH_PLANE] = saddle__collide_sphere_plane},
    [SADDLE_TOUCH_BOX] = {[SADDLE_TOUCH_BOX] = saddle__collide_boxes,
                          [SADDLE_TOUCH_CAPSULE] = saddle__collide_box_capsule,
                          [SADDLE_TOUCH_PLANE] = saddle__collide_box_plane},
    [SADDLE_TOUCH_CAPSULE] = {[SADDLE_TOUCH_CAPSULE] = saddle__collide_capsules,
                              [SADDLE_TOUCH_PLANE] = saddle__collide_capsule_plane},
    [SADDLE_TOUCH_PLANE] = {[SADDLE_TOUCH_CONVEX] = saddle__collide_plane_convex},
};

int saddle__collide_needs_ccd(saddle_touch_kind a, saddle_touch_kind b)
{
    return functions[a < b ? a : b][a < b ? b : a] == NULL &&
           !(a == SADDLE_TOUCH_PLANE && b == SADDLE_TOUCH_PLANE);
}

saddle_status saddle__collide(saddle_context *context, const saddle__solid *A,
                              const saddle__solid *B, double margin, saddle__touching *touching,
                              int64_t *count)
{
    saddle__collide_function *function = functions[A->kind][B->kind];
    *count = 0;
    if (function != NULL)
        *count = function(A, B, margin, touching);
    else if (saddle__collide_needs_ccd(A->kind, B->kind)) {
        return saddle__collide_convex(context, A, B, margin, touching, count);
    }
    return SADDLE_OK;
}
