/* SPDX-License-Identifier: MIT */
/* The local problem of a contact with the box law, and of every plane contact (where box, pyramid
 * and cone are the same):
 *
 *     0 <= ln _|_ wn >= 0,   -mu ln <= lt <= mu ln,
 *         wt = 0 inside, wt >= 0 at the lower, wt <= 0 at the upper bound
 *
 * States: each tangent below (lt = -mu ln), within (wt = 0) or above (lt = mu ln), with wn = 0: 3
 * in the plane, 9 in space. */
#include "gauss_seidel/local.h"

/* The state in which tangent i has side[i] = -1, 0 or +1. */
static int try_sides(const saddle__local *local, const int *side, saddle__local_best *best)
{
    double B[3][3] = {{1.0, 0.0, 0.0}};
    double C[3][3] = {{1.0, 0.0, 0.0}};
    int count = 1;
    for (int64_t i = 1; i < local->size; i++) {
        B[0][i] = side[i] * local->mu;
        if (side[i] == 0) {
            B[count][i] = 1.0;
            C[count][i] = 1.0;
            count++;
        }
    }
    return saddle__local_try(local, count, B, C, best);
}

static int present_side(const saddle__local *local, const double *lambda, int64_t i)
{
    double bound = local->mu * lambda[0];
    if (!(lambda[0] > 0.0)) return 0;
    return lambda[i] >= bound ? 1 : lambda[i] <= -bound ? -1 : 0;
}

void saddle__local_box(const saddle__local *local, const double *lambda, saddle__local_best *best)
{
    static const int sides[9][3] = {{0, 0, 0}, {0, 1, 0},  {0, -1, 0}, {0, 0, 1},  {0, 0, -1},
                                    {0, 1, 1}, {0, 1, -1}, {0, -1, 1}, {0, -1, -1}};
    int present[3] = {0, present_side(local, lambda, 1),
                      local->size == 3 ? present_side(local, lambda, 2) : 0};
    int states = local->size == 3 ? 9 : 3;
    if (try_sides(local, present, best)) return;
    for (int k = 0; k < states; k++)
        if (try_sides(local, sides[k], best)) return;
}
