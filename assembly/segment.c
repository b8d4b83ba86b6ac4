/* SPDX-License-Identifier: MIT */
/* Segments between points (segment.h): with f at a and -f at b, wrenches Gamma'R'f of bodies in
 * their axes, and
 *
 *     dx = R Gamma d,    dv = R (domega x (nu + omega x c)),    d(R'f) = R'df + [R'f] domega
 */
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

/* x, v (3): how the end's place and velocity change with its j-th displacement. */
static void end_change(const saddle__segment_end *end, int j, double *x, double *v)
{
    const double axis[3] = {j % 3 == 0, j % 3 == 1, j % 3 == 2};
    memcpy(x, axis, sizeof axis);
    memset(v, 0, 3 * sizeof *v);
    if (!end->R) return;
    if (j >= 3) {
        saddle__cross(axis, end->c, x);
        saddle__cross(axis, end->local, v);
        saddle__rotate(end->R, v, v);
    }
    saddle__rotate(end->R, x, x);
}

void saddle__segment_stiffness(const saddle__segment *at, const double *f, const double *A,
                               const double *B, double *const *K, double *const *D)
{
    const int size[2] = {at->end[0].R ? 6 : 3, at->end[1].R ? 6 : 3};
    for (int b = 0; b < 2; b++) {
        for (int j = 0; j < size[b]; j++) { /* column j of the blocks (0, b) and (1, b) */
            double ds[3], dv[3], df[3], damped[3];
            end_change(&at->end[b], j, ds, dv);
            saddle__rotate(A, ds, df);
            saddle__rotate(B, dv, dv);
            saddle__rotate(B, ds, damped);
            for (int i = 0; i < 3; i++) df[i] = b == 0 ? -df[i] - dv[i] : df[i] + dv[i];
            for (int i = 0; i < 3; i++) damped[i] = b == 0 ? -damped[i] : damped[i];
            double *const to_K[2] = {K[b] + size[0] * j, K[2 + b] + size[1] * j};
            saddle__segment_force(at, df, to_K);
            if (!D) continue;
            double *const to_D[2] = {D[b] + size[0] * j, D[2 + b] + size[1] * j};
            saddle__segment_force(at, damped, to_D);
        }
    }
    for (int k = 0; k < 2; k++) {
        double local[3];
        if (!at->end[k].R) continue;
        saddle__unrotate(at->end[k].R, f, local);
        for (int i = 0; i < 3; i++) local[i] = k == 0 ? local[i] : -local[i];
        saddle__add_turning(local, at->end[k].c, K[3 * k]);
    }
}
