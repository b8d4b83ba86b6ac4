/* SPDX-License-Identifier: MIT */
#include "bearing_points.h"

#include <math.h>
#include <string.h>

#include "space/space.h"

void bearing_wrench(const double *x, const double *f, double *wrench)
{
    memcpy(wrench, f, 3 * sizeof *f);
    saddle__cross(x, f, wrench + 3);
}

static int hinge(const saddle_bearing *b, bearing_point *point)
{
    const int64_t each = b->points > 0 ? b->points : 16;
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        for (int64_t k = 0; k < each; k++) {
            const double angle = 2 * acos(-1.0) * (double)k / (double)each;
            const double c = cos(angle), s = sin(angle);
            const double x[3] = {b->radius * c, b->radius * s, side * b->half_length};
            point[count++] = (bearing_point){{x[0], x[1], x[2]}, {c, s, 0}};
            point[count++] = (bearing_point){{x[0], x[1], x[2]}, {0, 0, 1}};
        }
    }
    return count;
}

static int slider(const saddle_bearing *b, bearing_point *point)
{
    int count = 0;
    for (int i = -1; i <= 1; i += 2) {
        for (int j = -1; j <= 1; j += 2) {
            for (int k = -1; k <= 1; k += 2) {
                const double x[3] = {i * b->radius, j * b->radius, k * b->half_length};
                point[count++] = (bearing_point){{x[0], x[1], x[2]}, {1, 0, 0}};
                point[count++] = (bearing_point){{x[0], x[1], x[2]}, {0, 1, 0}};
            }
        }
    }
    return count;
}

static int ball(const saddle_bearing *b, bearing_point *point)
{
    const double golden = (1 + sqrt(5.0)) / 2, length = sqrt(1 + golden * golden);
    int count = 0;
    for (int zero = 0; zero < 3; zero++) {
        for (int i = -1; i <= 1; i += 2) {
            for (int j = -1; j <= 1; j += 2) {
                bearing_point p = {{0}, {0}};
                p.n[(zero + 1) % 3] = i / length;
                p.n[(zero + 2) % 3] = j * golden / length;
                for (int a = 0; a < 3; a++) p.x[a] = b->radius * p.n[a];
                point[count++] = p;
            }
        }
    }
    return count;
}

int bearing_points_of(saddle_joint_kind kind, const saddle_bearing *bearing, bearing_point *point)
{
    if (kind == SADDLE_JOINT_HINGE) return hinge(bearing, point);
    return kind == SADDLE_JOINT_SLIDER ? slider(bearing, point) : ball(bearing, point);
}
