/* SPDX-License-Identifier: MIT */
/* Lines between points (line.h): with f at a and -f at b, wrenches Gamma'R'f of bodies in their
 * axes, and
 *
 *     dx = R Gamma d,    dv = R (domega x (nu + omega x c)),    d(R'f) = R'df + [R'f]
 * domega */
#include "segment.h"

#include <math.h>

#include "space/space.h"

static void end_of(const saddle_site *site, int64_t k, const double *point,
                   saddle__segment_end *made)
{
    *made = (saddle__segment_end){.R = site->size[k] == 6 ? site->position[k] + 3 : NULL};
    memcpy(made->x, site->position[k], sizeof made->x);
    memcpy(made->v, site->velocity[k], sizeof made->v);
    if (!made->R) return;
    double arm[3];
    memcpy(made->c, point, sizeof made->c);
    saddle__rotate(made->R, made->c, arm);
    saddle__cross(site->velocity[k] + 3, made->c, made->local);
    for (int i = 0; i < 3; i++) {
        made->x[i] += arm[i];
        made->local[i] += site->velocity[k][i];
    }
    saddle__rotate(made->R, made->local, made->v);
}

saddle__segment saddle__segment_of(const saddle_site *site, const double *point_a,
                                   const double *point_b)
{
    saddle__segment made = {0};
    end_of(site, 0, point_a, &made.end[0]);
    end_of(site, 1, point_b, &made.end[1]);
    for (int i = 0; i < 3; i++) {
        made.stretch[i] = made.end[1].x[i] - made.end[0].x[i];
        made.speed[i] = made.end[1].v[i] - made.end[0].v[i];
    }
    made.l = hypot(hypot(made.stretch[0], made.stretch[1]), made.stretch[2]);
    for (int i = 0; made.l > 0 && i < 3; i++) made.u[i] = made.stretch[i] / made.l;
    made.rate = saddle__dot(made.u, made.speed);
    return made;
}

void saddle__segment_force(const saddle__segment *at, const double *f, double *const *force)
{
    for (int k = 0; k < 2; k++) {
        const double pull[3] = {k == 0 ? f[0] : -f[0], k == 0 ? f[1] : -f[1],
                                k == 0 ? f[2] : -f[2]};
        memcpy(force[k], pull, sizeof pull);
        if (!at->end[k].R) continue;
        saddle__unrotate(at->end[k].R, pull, force[k]);
        saddle__cross(at->end[k].c, force[k], force[k] + 3);
    }
}

/* X, V (3 x size): how x and v change with a displacement of the end; returns size. */
static int end_maps(const saddle__segment_end *at, double *X, double *V)
{
    const int size = !at->R ? 3 : 6;
    memset(X, 0, 18 * sizeof *X);
    memset(V, 0, 18 * sizeof *V);
    for (int j = 0; j < 3; j++) {
        const double axis[3] = {j == 0, j == 1, j == 2};
        X[j + 3 * j] = 1;
        if (!at->R) continue;
        double *turned = X + 9 + 3 * j, *swept = V + 9 + 3 * j;
        memcpy(X + 3 * j, at->R + 3 * j, 3 * sizeof *X);
        saddle__cross(axis, at->c, turned);
        saddle__rotate(at->R, turned, turned);
        saddle__cross(axis, at->local, swept);
        saddle__rotate(at->R, swept, swept);
    }
    return size;
}

void saddle__add_turning(const double *f, const double *c, double *K)
{
    double turned[9], arm[9], moment[9];
    saddle__skew(f, turned);
    saddle__skew(c, arm);
    saddle__product3(arm, turned, moment);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            K[i + 6 * (3 + j)] += turned[i + 3 * j];
            K[3 + i + 6 * (3 + j)] += moment[i + 3 * j];
        }
    }
}

/* C = sign X_a'(A Y_b + B Z_b): by columns, rows x cols */
static void sandwich(int rows, const double *X, double sign, const double *A, const double *Y,
                     const double *B, const double *Z, int cols, double *C)
{
    for (int j = 0; j < cols; j++) {
        double first[3], second[3];
        saddle__rotate(A, Y + 3 * j, first);
        saddle__rotate(B, Z + 3 * j, second);
        for (int i = 0; i < 3; i++) first[i] += second[i];
        for (int i = 0; i < rows; i++) C[i + rows * j] = sign * saddle__dot(X + 3 * i, first);
    }
}

void saddle__segment_stiffness(const saddle__segment *at, const double *f, const double *A,
                               const double *B, double *const *K, double *const *D)
{
    static const double zero[18] = {0};
    double X[2][18], V[2][18];
    int size[2];
    for (int k = 0; k < 2; k++) size[k] = end_maps(&at->end[k], X[k], V[k]);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            const double sign = a == b ? -1 : 1; /* f_a grows with s = x_b - x_a, f_b = -f_a */
            sandwich(size[a], X[a], sign, A, X[b], B, V[b], size[b], K[2 * a + b]);
            if (D) sandwich(size[a], X[a], sign, B, X[b], B, zero, size[b], D[2 * a + b]);
        }
    }
    for (int k = 0; k < 2; k++) {
        const double pull[3] = {k == 0 ? f[0] : -f[0], k == 0 ? f[1] : -f[1],
                                k == 0 ? f[2] : -f[2]};
        double local[3];
        if (!at->end[k].R) continue;
        saddle__unrotate(at->end[k].R, pull, local);
        saddle__add_turning(local, at->end[k].c, K[3 * k]);
    }
}
