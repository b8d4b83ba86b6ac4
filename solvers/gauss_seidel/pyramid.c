/* SPDX-License-Identifier: MIT */
/* The local problem of a contact with the pyramid law in space: maximal dissipation on the polygon
 * P = conv(d_1 .. d_facets),
 *
 *     0 <= ln _|_ wn >= 0,      lt in mu ln P,  -wt in the normal cone of mu ln P at lt
 *
 * States with wn = 0: stick (wt = 0); at vertex k (lt = mu ln d_k); on the edge from d_k to d_k+1
 * with unit normal e_k and tangent t_k (lt = mu ln cos(pi / facets) e_k + y t_k, wt.t_k = 0).
 * Stewart and Trinkle (1996), Anitescu and Potra (1997). */
#include "gauss_seidel/local.h"

#include <math.h>

#define PI 3.14159265358979323846

static int try_vertex(const saddle__local *local, int64_t k, saddle__local_best *best)
{
    double angle = 2.0 * PI * (double)k / (double)local->facets;
    double B[1][3] = {{1.0, local->mu * cos(angle), local->mu * sin(angle)}};
    double C[1][3] = {{1.0, 0.0, 0.0}};

    return saddle__local_try(local, 1, B, C, best);
}

static int try_edge(const saddle__local *local, int64_t k, saddle__local_best *best)
{
    double angle = 2.0 * PI * ((double)k + 0.5) / (double)local->facets;
    double reach = local->mu * cos(PI / (double)local->facets);
    double B[2][3] = {{1.0, reach * cos(angle), reach * sin(angle)},
                      {0.0, -sin(angle), cos(angle)}};
    double C[2][3] = {{1.0, 0.0, 0.0}, {0.0, -sin(angle), cos(angle)}};

    return saddle__local_try(local, 2, B, C, best);
}

/* The vertex nearest to the present tangent impulse, or to the direction that opposes the free
 * velocity. */
static int64_t nearest_vertex(const saddle__local *local, const double *lambda)
{
    int moving = lambda[1] != 0.0 || lambda[2] != 0.0;
    double angle = moving ? atan2(lambda[2], lambda[1]) : atan2(-local->q[2], -local->q[1]);
    double facets = (double)local->facets;

    return isfinite(angle)
               ? (int64_t)(floor(angle / (2.0 * PI) * facets + 0.5) + facets) % local->facets
               : 0;
}

void saddle__local_pyramid(const saddle__local *local, const double *lambda,
                           saddle__local_best *best)
{
    if (local->size == 2 || local->mu == 0.0) {
        saddle__local_box(local, lambda, best);
        return;
    }
    if (saddle__local_try_stick(local, best)) return;
    int64_t nearest = nearest_vertex(local, lambda);
    for (int64_t step = 0; step < local->facets; step++) {
        int64_t aside = step % 2 == 0 ? step / 2 : local->facets - (step + 1) / 2;
        int64_t k = (nearest + aside) % local->facets;
        if (try_vertex(local, k, best) || try_edge(local, k, best)) return;
    }
}
